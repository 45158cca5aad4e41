//! An explorer's statements about positions, compared with a search of the rulebook for each.

use std::collections::{BTreeMap, BTreeSet};

use antipode_check::analysis::{Request, analyse};
use antipode_check::ask::PathRequest;
use antipode_explore::{AnswerLimits, Go, position_text};
use antipode_graph::{Expansion, Graph, Library};
use antipode_reports::model::{Position, Remaining};
use antipode_search::forward::ForwardSolver;
use antipode_search::progress::Stop;
use antipode_search::record::legend_of;
use puzzle_api::{Direction, Settings, UNSOLVABLE, Xorshift};

use crate::support::{asked, coins, explorer, limits, pegs, rulebook, settings, shown};

fn exactly(distance: u16) -> Remaining {
    Remaining {
        distance: (distance != UNSOLVABLE).then_some(distance.into()),
        at_least: None,
        unsolvable: distance == UNSOLVABLE,
    }
}

/// Compares a position and all its moves with the rulebook.
fn hold(position: &Position, solver: &ForwardSolver<u64>) {
    let distance = |board: &str| {
        let key = solver.graph().parse(board).expect("a board");
        solver.distance(key).expect("solves")
    };
    let here = distance(&position.board);
    assert_eq!(position.remaining, exactly(here), "{}", position.board);
    let mut after = Vec::new();
    for made in &position.moves {
        let there = distance(&made.board);
        assert_eq!(made.remaining, exactly(there), "{}", made.board);
        let shortest = there != UNSOLVABLE && here == there + 1;
        assert_eq!(made.shortest, shortest, "{}", made.board);
        after.push((there, made.r#move.clone(), made.board.clone()));
    }
    let worst = after
        .iter()
        .max()
        .filter(|worst| after.iter().any(|one| one.0 < worst.0));
    let marked = position.moves.iter().filter(|made| made.worst);
    let marked: Vec<&String> = marked.map(|made| &made.board).collect();
    assert_eq!(marked, Vec::from_iter(worst.map(|worst| &worst.2)));
    let graph = solver.graph();
    let key = graph.parse(&position.board).expect("a board");
    let mut out = Expansion::default();
    let moves = graph.expand(Direction::Forward, &[key], &mut out);
    moves.expect("moves");
    let boards = out
        .keys()
        .iter()
        .map(|&key| graph.draw(key).expect("draws"));
    let mut boards: Vec<String> = boards.filter(|board| *board != position.board).collect();
    boards.sort();
    boards.dedup();
    let shown = position.moves.iter().map(|made| made.board.clone());
    let mut shown: Vec<String> = shown.collect();
    shown.sort();
    assert_eq!(shown, boards, "the moves of the rulebook, each once");
}

/// Every state of an instance of one part, as text.
fn states(rules: &Graph<u64>) -> Vec<String> {
    let size = rules.space(0).expect("numbers").expect("is numbered");
    let mut keys = Vec::new();
    rules
        .unrank(0, &(0..size).collect::<Vec<_>>(), &mut keys)
        .expect("unranks");
    keys.iter()
        .map(|&key| rules.draw(key).expect("draws"))
        .collect()
}

/// Checks every state of an instance; returns the number of states at each distance.
fn whole(asked: &PathRequest, limits: AnswerLimits) -> BTreeMap<Option<u32>, u128> {
    let rules = rulebook(asked);
    let solver = ForwardSolver::new(rules.clone());
    let explorer = explorer(asked.clone(), limits);
    let mut counts = BTreeMap::new();
    for board in states(&rules) {
        let position = shown(&explorer, Some(&board), Go::Stay);
        assert_eq!(position.board, board);
        hold(&position, &solver);
        *counts.entry(position.remaining.distance).or_insert(0) += 1;
    }
    counts
}

/// The level table of `analyse`, unsolvable states under `None`.
fn analysed(asked: &PathRequest) -> BTreeMap<Option<u32>, u128> {
    let request = Request {
        settings: asked.settings.clone(),
        direction: Some(Direction::Backward),
        threads: 2,
        ..Request::new(asked.library.clone(), asked.instance.clone())
    };
    let analysis = analyse(&request, &Stop::default()).expect("analyses");
    let levels = analysis.levels.levels.iter();
    let mut counts: BTreeMap<_, _> = levels
        .map(|level| (Some(level.depth), level.states))
        .collect();
    let rest = analysis.levels.unsolvable.map_or(0, |rest| rest.states);
    counts.extend((rest > 0).then_some((None, rest)));
    counts
}

fn tilt(instance: &str, settings: Settings) -> PathRequest {
    asked(antipode_tilt::table(), instance, settings)
}

/// From a table, and by searches alone.
#[test]
fn a_whole_instance_is_as_the_rulebook_and_analyse_have_it() {
    let analysed = analysed(&coins());
    assert!(analysed.len() > 3, "{analysed:?}");
    for orbits in [1 << 20, 0] {
        assert_eq!(whole(&coins(), limits(orbits)), analysed);
    }
}

#[test]
fn an_instance_opens_on_a_board_that_can_be_solved() {
    // By its table, and if there is no memory for one, by a walk back from a solved board.
    let opened = [(tilt("box", Settings::new()), 1 << 22), (coins(), 0)];
    for (asked, orbits) in opened {
        let explorer = explorer(asked, limits(orbits));
        let opened = shown(&explorer, None, Go::Stay);
        let distance = opened.remaining.distance;
        assert!(
            distance.is_some_and(|distance| distance > 0),
            "{distance:?}"
        );
    }
}

/// A part of the box, whose distances depend on the places of blocks: random boards, each with its
/// moves, from a table and from searches.
#[test]
fn boards_drawn_from_the_box_are_as_the_rulebook_has_them() {
    for orbits in [1 << 22, 0] {
        let all = tilt("box", settings(&[("grey", "4"), ("blue", "2")]));
        let solver = ForwardSolver::new(rulebook(&all));
        let explorer = explorer(all, limits(orbits));
        for seed in 0..6 {
            let go = Go::Random { at: None, seed };
            let position = shown(&explorer, None, go);
            assert!(position.part.is_some());
            hold(&position, &solver);
        }
    }
}

#[test]
fn an_antipode_is_as_far_as_any_and_a_drawn_distance_is_kept() {
    let explorer = explorer(coins(), limits(1 << 20));
    let levels = analysed(&coins());
    let deepest = levels.keys().copied().flatten().max();
    let mut seen = Vec::new();
    for nth in 0..levels[&deepest] as u64 {
        let position = shown(&explorer, None, Go::Antipode(nth));
        assert_eq!(position.remaining.distance, deepest);
        assert!(!seen.contains(&position.board));
        seen.push(position.board);
    }
    let again = shown(&explorer, None, Go::Antipode(seen.len() as u64));
    assert_eq!(again.board, seen[0]);
    for at in 0..=deepest.expect("levels") as u16 {
        for seed in 0..5 {
            let go = Go::Random { at: Some(at), seed };
            let position = shown(&explorer, None, go);
            assert_eq!(position.remaining.distance, Some(at.into()));
            let same = shown(&explorer, None, go);
            assert_eq!(same, position, "the same seed, the same position");
        }
    }
}

/// Beyond the edge of a table that ran out of memory there are bounds and searches, and within it
/// every distance is exact.
#[test]
fn a_table_that_is_not_complete_says_no_more_than_it_knows() {
    let all = pegs();
    let rules = rulebook(&all);
    let solver = ForwardSolver::new(rules.clone());
    let mut limits = limits(20_000);
    limits.search = std::time::Duration::ZERO;
    let explorer = explorer(all, limits);
    let mut state = rules.roots(Direction::Forward, 0).expect("a start")[0];
    let mut random = Xorshift::for_draw(7, 0);
    let (mut exact, mut bounds) = (0, 0);
    loop {
        let board = rules.draw(state).expect("draws");
        let position = shown(&explorer, Some(&board), Go::Stay);
        assert!(position.basis.contains("at most"), "{}", position.basis);
        assert!(!position.levels.is_empty() && !position.levels_complete);
        let pegs = board.chars().filter(|&c| c == 'o').count();
        if pegs <= 8 {
            let distance = solver.distance(state).expect("solves");
            match (position.remaining.distance, position.remaining.at_least) {
                (Some(_), _) => assert_eq!(position.remaining, exactly(distance)),
                (_, Some(least)) => assert!(u32::from(distance) >= least),
                _ => assert_eq!(distance, UNSOLVABLE),
            }
            exact += usize::from(position.remaining.at_least.is_none());
        } else {
            bounds += usize::from(position.remaining.at_least.is_some());
        }
        let mut out = Expansion::default();
        rules
            .expand(Direction::Forward, &[state], &mut out)
            .expect("moves");
        let Some(count) = (!out.keys().is_empty()).then(|| out.keys().len() as u64) else {
            break;
        };
        state = out.keys()[(random.next_u64() % count) as usize];
    }
    assert!(exact > 0 && bounds > 5, "{exact} exact, {bounds} bounds");
}

#[test]
fn without_a_goal_there_are_moves_and_no_distances() {
    let small = settings(&[("width", "3"), ("height", "3"), ("coins", "4")]);
    let all = asked(antipode_coin_sliding::table(), "custom", small);
    let explorer = explorer(all, limits(1 << 20));
    let position = shown(&explorer, Some("ooo/o../..."), Go::Stay);
    assert_eq!(position.remaining, Remaining::default());
    assert!(!position.moves.is_empty());
    let mut moves = position.moves.iter();
    assert!(moves.all(|made| made.remaining == Remaining::default()));
    let mut notes = position.notes.iter();
    assert!(
        notes.any(|note| note.contains("the setting `to`")),
        "{position:?}"
    );
}

#[test]
fn what_is_no_position_is_refused_in_one_line() {
    let explorer = explorer(tilt("box", Settings::new()), limits(1 << 22));
    for wrong in [
        "",
        "nonsense",
        "#.../...../..O../...../.....",
        "...../...../...../...../.....",
    ] {
        let error = explorer.position(Some(wrong), Go::Stay, &Stop::default());
        let error = error.expect_err("no position").to_string();
        assert!(
            !error.contains('\n') && error.starts_with("tilt/box"),
            "{error}"
        );
        assert!(explorer.check(wrong).is_err());
    }
}

#[test]
fn text_shows_the_board_the_moves_and_what_is_known() {
    let explorer = explorer(tilt("box", Settings::new()), limits(1 << 24));
    let board = Some("#.##./...../..O../g..../b....");
    let position = shown(&explorer, board, Go::Stay);
    let text = position_text(&position);
    assert!(text.contains("\n   #.##.\n   .....\n   ..O..\n"), "{text}");
    assert!(text.contains("\n15 moves from solved\n"), "{text}");
    let shortest = text.lines().filter(|line| line.ends_with("shortest"));
    assert!(
        shortest.clone().count() > 0 && shortest.clone().all(|line| line.contains("  14  ")),
        "{text}"
    );
}

/// A path as long as the lower bound is a shortest one, as `solve` finds it on the English board.
#[test]
fn pegs_are_solved_as_far_as_solve_does() {
    let explorer = explorer(pegs(), limits(20_000));
    let mut board = None;
    for left in [31, 30] {
        let position = shown(&explorer, board.as_deref(), Go::Stay);
        assert_eq!(position.remaining, exactly(left));
        let best = position.moves.iter().find(|one| one.shortest);
        board = Some(best.expect("a move of it").board.clone());
    }
}

/// A move takes every sticker of a net to the same place, whatever the stickers are. Those of a
/// cube are the ones that are read as its board.
#[test]
fn moves_exchange_the_stickers_of_a_net() {
    let library = Library::built_in(antipode_permutation::table());
    for (instance, moved) in [
        ("pocket-cube", 12),
        ("pyraminx", 12),
        ("skewb", 27),
        ("tower", 12),
    ] {
        let legend = legend_of(&library.legend, instance);
        let asked = asked(antipode_permutation::table(), instance, Settings::new());
        let rules = rulebook(&asked);
        let net = |board: &str| -> Vec<char> {
            let drawn = legend.drawn(board);
            assert_ne!(drawn, board);
            drawn.chars().collect()
        };
        // By name of the move and cell: the possible origins of its sticker.
        let mut from: BTreeMap<String, Vec<BTreeSet<usize>>> = BTreeMap::new();
        let mut out = Expansion::default();
        for key in rules.random(7, 0, 200).expect("draws") {
            let before = net(&rules.draw(key).expect("draws"));
            rules
                .expand(Direction::Forward, &[key], &mut out)
                .expect("moves");
            for &next in out.keys() {
                let after = net(&rules.draw(next).expect("draws"));
                let name = rules.describe_move(key, next).expect("a name");
                let all = from
                    .entry(name)
                    .or_insert_with(|| vec![(0..before.len()).collect(); before.len()]);
                for (cell, may) in all.iter_mut().enumerate() {
                    may.retain(|&other| before[other] == after[cell]);
                }
            }
        }
        assert!(from.len() >= 6);
        for (name, cells) in from {
            assert!(
                cells.iter().all(|may| !may.is_empty()),
                "{instance}: {name}"
            );
            let others = (0..cells.len()).filter(|cell| !cells[*cell].contains(cell));
            let others = others.count();
            assert!(
                others >= moved,
                "{instance}: {name} moves {others} stickers"
            );
        }
    }
    // Stickers face by face, as `solve` reads them.
    let cube = antipode_permutation::table();
    let asked = asked(cube, "pocket-cube", Settings::new());
    let rules = rulebook(&asked);
    let legend = legend_of(&library.legend, "pocket-cube");
    for key in rules.random(3, 0, 20).expect("draws") {
        let board = rules.draw(key).expect("draws");
        let drawn = legend.drawn(&board).into_owned();
        let rows: Vec<Vec<char>> = drawn.split('/').map(|row| row.chars().collect()).collect();
        let face = |(row, column): (usize, usize)| {
            let cells = [(0, 0), (0, 1), (1, 0), (1, 1)];
            cells.map(|(down, right)| rows[row + down][column + right])
        };
        let faces = [(0, 2), (2, 4), (2, 2), (4, 2), (2, 0), (2, 6)].map(face);
        let stickers: String = faces.as_flattened().iter().collect();
        let request = puzzle_api::Request {
            instance: "pocket-cube",
            settings: &Settings::new(),
        };
        let read = antipode_permutation::boards::placed(&request, &stickers);
        assert!(format!("{read:?}").contains(&board), "{stickers}: {read:?}");
    }
}
