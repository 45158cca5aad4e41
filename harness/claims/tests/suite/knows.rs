//! The figures that a question can know: every count in every direction, with every bound, compared
//! with a plain search over the rulebook. A figure claimed rightly is confirmed, not reached or
//! refused, and never refuted. One claimed wrongly is never confirmed.

use std::sync::Arc;

use antipode_claims::{Context, Effort, counts};
use antipode_graph::builtin;
use antipode_reports::model::Verdict;
use antipode_search::progress::Stop;
use puzzle_api::Direction;

use crate::world::{Asked, World};

fn questions(world: &World) -> Vec<Asked> {
    let starts = world.rules.roots(Direction::Forward, 0).unwrap();
    let boards = [None, world.moves.keys().nth(world.moves.len() / 3).copied()];
    let mut all = Vec::new();
    for forward in [true, false] {
        for board in boards
            .into_iter()
            .filter(|board| board.is_some() || !forward || !starts.is_empty())
        {
            // Every engine has its turn, and each bound another engine in each direction.
            let engines = ["hash", "reference", "dense", "disk", "sweep"].into_iter();
            let mut engines = engines.cycle().skip(all.len() / 10);
            for (max_depth, levels) in [
                (None, None),
                (Some(0), None),
                (Some(2), None),
                (Some(3), None),
                (Some(200), None),
                (None, Some((1, 2))),
                (None, Some((2, 4))),
                (Some(3), Some((1, 3))),
                (Some(3), Some((1, 4))),
                (Some(200), Some((1, 3))),
            ] {
                let engine = format!("engine = \"{}\"\n", engines.next().unwrap());
                all.push(world.asks(&engine, (forward, board), max_depth, levels));
            }
        }
    }
    all.push(world.asks_of_all());
    all
}

/// Tries every count with every question on an instance; returns the number of confirmed ones.
fn try_all(puzzle: &str, instance: &'static str, settings: &[(&str, &str)]) -> usize {
    let library = Arc::new(builtin::named(puzzle).expect("a built-in puzzle"));
    let world = World::new(&library, instance, settings);
    let mut context = Context::new(Effort::Quick, 1, 2, Stop::default());
    let mut confirmed = 0;
    let names: Vec<String> = counts().map(|[name, ..]| name.replace('N', "3")).collect();
    for asked in questions(&world) {
        let levels = world.levels(asked.forward, asked.board);
        let deepest = levels.values().copied().max().unwrap_or(0);
        for name in &names {
            let whole =
                asked.keys.is_empty() && (name.starts_with("moves_") || name == "levels_back");
            let Some(right) = (!whole)
                .then(|| world.figure(name, &asked, &levels))
                .flatten()
            else {
                continue;
            };
            let what = format!(
                "{puzzle}/{instance} {name} {right}: {}",
                asked.keys.replace('\n', " ")
            );
            let verdict = world.verdict(name, &asked.keys, &right, &mut context);
            let holds = matches!(
                verdict,
                Some(Verdict::Confirmed | Verdict::ConfirmedBySample)
            );
            let fails = matches!(verdict, Some(Verdict::Refuted | Verdict::RefutedBySample));
            assert!(!fails, "{what} is refuted");
            confirmed += usize::from(holds);
            // Below a greatest depth that cuts the search, only levels up to it are known.
            if asked.max_depth.is_some_and(|most| most < deepest) && asked.levels.is_none() {
                let known = name.starts_with("solved") || name.starts_with("level_3");
                assert!(
                    known || !holds,
                    "{what} is confirmed of a search that was cut off"
                );
            }
            let number: f64 = right.parse().unwrap();
            for wrong in [number + 1.0, (number - 1.0).max(0.0)] {
                if (wrong - number).abs() < 0.5 {
                    continue;
                }
                let found = world.verdict(name, &asked.keys, &wrong.to_string(), &mut context);
                let holds = matches!(found, Some(Verdict::Confirmed | Verdict::ConfirmedBySample));
                assert!(!holds, "{what} is confirmed as {wrong}");
            }
        }
    }
    confirmed
}

/// Moves that cannot be undone, states that cannot be solved, eight symmetries.
#[test]
fn of_a_directed_graph_with_dead_ends() {
    let confirmed = try_all("tilt", "card-12", &[]);
    assert!(confirmed > 30, "{confirmed}");
}

/// Moves that can be undone, several solved states, one part, no ranks or ranks.
#[test]
fn of_undirected_graphs() {
    for (puzzle, instance) in [("rush-hour", "card-1"), ("hanoi", "3-3")] {
        let confirmed = try_all(puzzle, instance, &[]);
        assert!(confirmed > 30, "{puzzle}/{instance}: {confirmed}");
    }
}

/// Several parts, some of them without a solved state.
#[test]
fn of_several_parts() {
    for (puzzle, instance) in [("sliding-tile", "2x2"), ("unit-rush-hour", "2x3")] {
        let confirmed = try_all(puzzle, instance, &[]);
        assert!(confirmed > 15, "{puzzle}/{instance}: {confirmed}");
    }
}

/// All paths to a state have equal length, and a game can be played backward on the complement.
#[test]
fn of_a_layered_graph() {
    let folder = tempfile::tempdir().unwrap();
    let board = folder.path().join("board.txt");
    std::fs::write(&board, "ooo\nooo\nooo\n").unwrap();
    let board = board.display().to_string();
    let settings = [("board", board.as_str()), ("from", "0:1"), ("to", "any")];
    let confirmed = try_all("peg-solitaire", "custom", &settings);
    assert!(confirmed > 30, "{confirmed}");
}
