use std::sync::Arc;

use antipode_graph::{Graph, Library, builtin};
use foldhash::fast::FixedState;
use hashbrown::{HashMap, HashSet};
use puzzle_api::{Direction, Settings};

use super::choose::Chooser;
use super::pass::Pace;
use crate::breadth_first::BreadthFirst;
use crate::engines::beam::{Options, Searched, reach};
use crate::engines::find::check_path;
use crate::error::EngineError;
use crate::means::Limits;
use crate::outcome::{Outcome, StopReason};
use crate::progress::Stop;
use crate::question::Goal;
use crate::steps::Steps;
use crate::way_back::rising;

fn graph(puzzle: &str, instance: &str) -> Graph<u128> {
    let found = builtin::all()
        .into_iter()
        .find(|library| library.name == puzzle);
    let library: Arc<Library> = Arc::new(found.expect("ships"));
    let variant = library.variants[0].clone();
    let opened = library.open(instance, &variant, &Settings::new());
    Graph::new(opened.expect("opens")).expect("long keys")
}

fn options(width: usize) -> Options {
    Options {
        first_width: 100.min(width),
        most_width: width,
        memory: 64 << 20,
        windows: std::env::temp_dir().join("antipode-beam-tests"),
        ..Options::default()
    }
}

fn solve(graph: &Graph<u128>, options: &Options) -> Result<Searched<u128>, EngineError> {
    let start = graph.roots(Direction::Forward, 0)?[0];
    reach(graph, start, &Goal::Solved, options, &Stop::default())
}

fn moves(searched: &Searched<u128>) -> usize {
    match &searched.outcome {
        Outcome::Path(found) => found.states.len() - 1,
        other => panic!("{other:?}"),
    }
}

#[test]
fn small_boards_are_solved_in_the_fewest_moves() {
    for (instance, fewest) in [("donkey", 81), ("block-10-v11", 42)] {
        let graph = graph("sliding-block", instance);
        let done = solve(&graph, &options(2_000)).expect("searched");
        assert_eq!(moves(&done), fewest, "{instance}");
        let Outcome::Path(found) = &done.outcome else {
            panic!("no path");
        };
        check_path(&graph, &found.states, Some(&Goal::Solved)).expect("a path");
    }
}

/// The same path, whether or not it was broken off in between, and what was learned as well. There
/// is too little memory to make it the shortest whatever the beam found.
#[test]
fn a_search_that_was_broken_off_goes_on_to_the_same_path() {
    let graph = graph("sliding-block", "donkey");
    let folder = tempfile::tempdir().expect("a folder");
    let little = || Options {
        memory: 256 << 10,
        rounds: 2,
        ..options(100)
    };
    let whole = solve(&graph, &little()).expect("searched");
    let mut in_parts = Options {
        work: Some(folder.path().join("work")),
        ..little()
    };
    let (mut parts, mut done) = (0, None);
    while parts < 400 && done.is_none() {
        // What is learned between passes is learned in one part.
        in_parts.limits.nodes = Some(1_000 + 500 * parts);
        let part = solve(&graph, &in_parts).expect("searched");
        in_parts.resume = true;
        parts += 1;
        done = part.kept.is_some().then_some(part);
    }
    let done = done.expect("an end");
    assert!(parts > 3, "{parts}");
    assert_eq!(done.outcome, whole.outcome);
    assert_eq!(done.kept, in_parts.work);
    let journal = folder.path().join("work/progress.jsonl");
    let journal = std::fs::read_to_string(journal).expect("a journal");
    assert!(journal.contains("\"learned\""), "{journal}");
    assert!(moves(&whole) >= 81);
}

#[test]
fn a_folder_of_another_search_is_refused_in_one_line() {
    let graph = graph("sliding-block", "donkey");
    let folder = tempfile::tempdir().expect("a folder");
    let with = |seed: u64, resume: bool| Options {
        work: Some(folder.path().to_owned()),
        limits: Limits {
            nodes: Some(10),
            ..Limits::default()
        },
        seed,
        resume,
        ..options(200)
    };
    assert!(matches!(
        solve(&graph, &with(1, false)).expect("begun").outcome,
        Outcome::NotReached(StopReason::States(10))
    ));
    let again = solve(&graph, &with(1, false)).expect_err("holds levels");
    assert!(again.to_string().contains("--resume"), "{again}");
    let other = solve(&graph, &with(2, true)).expect_err("another seed");
    assert!(
        other.to_string().contains("seed is 1 there and 2 here"),
        "{other}"
    );
    assert!(!other.to_string().contains('\n'));
}

#[test]
fn without_a_path_it_says_how_wide_it_was() {
    let graph = graph("sliding-block", "climb-pro-24");
    let options = Options {
        limits: Limits {
            nodes: Some(20_000),
            ..Limits::default()
        },
        ..options(100)
    };
    let done = solve(&graph, &options).expect("searched");
    assert!(matches!(
        done.outcome,
        Outcome::NotReached(StopReason::States(20_000) | StopReason::Width(100))
    ));
}

/// A round is two passes by other chance each time, the second with the best path let in.
#[test]
fn rounds_go_on_at_the_full_width_and_lose_nothing() {
    let graph = graph("sliding-block", "climb-12");
    let with = |rounds: u64| Options {
        memory: 1 << 20,
        rounds,
        ..options(2_000)
    };
    let without = solve(&graph, &with(0)).expect("searched");
    let rounds = solve(&graph, &with(2)).expect("searched");
    assert_eq!(rounds.stats.passes, without.stats.passes + 4);
    assert!(moves(&rounds) <= moves(&without));
    let Outcome::Path(found) = &rounds.outcome else {
        panic!("no path");
    };
    check_path(&graph, &found.states, Some(&Goal::Solved)).expect("a path");
}

/// A stratum can be full where the width is not.
#[test]
fn after_a_pass_that_turned_states_away_comes_a_wider_one() {
    let graph = graph("sliding-block", "climb-12");
    let options = Options {
        memory: 1 << 20,
        ..options(400)
    };
    let done = solve(&graph, &options).expect("searched");
    assert_eq!((done.stats.passes, done.stats.width), (2, 400));
}

/// The positions that lie so many moves from the start, rising.
fn level(graph: &Graph<u128>, depth: usize) -> Vec<u128> {
    let roots = graph.roots(Direction::Forward, 0).expect("a start");
    let mut search = BreadthFirst::new(graph, &[Steps::FORWARD], &roots);
    for _ in 0..depth {
        search.advance().expect("expanded");
    }
    rising(search.level())
}

#[test]
fn what_is_kept_fills_the_width_and_no_stratum_more_than_its_share() {
    let graph = graph("sliding-block", "climb-12");
    let level = level(&graph, 24);
    let order = graph.move_order(&level).expect("an order");
    let strata = graph.stratum(&level).expect("strata");
    let let_in: HashSet<u128, FixedState> = level.iter().copied().step_by(97).collect();
    let width = level.len() / 2;
    let mut farthest: Vec<u64> = order.clone();
    farthest.sort_unstable();
    for farthest in [None, Some(farthest[level.len() * 3 / 4])] {
        let mut chooser = Chooser::new(&graph, (width, 1), None);
        let kept = chooser.choose(&graph, level.clone(), (false, farthest), &let_in);
        let kept = kept.expect("chosen");
        assert!(kept.is_sorted() && kept.len() <= width + let_in.len());
        assert!(let_in.iter().all(|key| kept.contains(key)));
        let (mut by_stratum, mut there) = (HashMap::new(), HashMap::new());
        let mut late = 0;
        let share = 16;
        for ((key, order), stratum) in level.iter().zip(&order).zip(&strata) {
            let in_time = farthest.is_none_or(|farthest| *order <= farthest);
            let (here, in_all): &mut (usize, usize) = there.entry(stratum).or_default();
            (*here, *in_all) = (*here + usize::from(in_time), *in_all + 1);
            if kept.contains(key) && !let_in.contains(key) {
                *by_stratum.entry(stratum).or_insert(0) += 1;
                late += usize::from(!in_time);
            }
        }
        assert!(by_stratum.values().all(|&kept| kept <= share));
        // As many as fit, and those that are late only where the others leave room.
        let room = |of: fn(&(usize, usize)) -> usize| -> usize {
            there.values().map(|there| of(there).min(share)).sum()
        };
        assert!(kept.len() >= room(|there| there.1).min(width));
        let turned_away = room(|there| there.0).saturating_sub(width);
        assert!(late == 0 || turned_away == 0, "{late} {turned_away}");
        // A stratum with any state in time keeps its first.
        let dealt_to = there.values().filter(|(in_time, _)| *in_time > 0).count();
        if dealt_to <= width * 3 / 10 {
            assert!(by_stratum.len() + let_in.len() >= dealt_to);
        }
    }
}

/// Where all strata have kept what they may, the beam goes on with them.
#[test]
fn a_beam_in_few_strata_does_not_run_dry() {
    let graph = graph("sliding-block", "donkey");
    let level = level(&graph, 30);
    let width = level.len() / 2;
    let mut chooser = Chooser::new(&graph, (width, 1), None);
    let choose = |chooser: &mut Chooser| {
        let kept = chooser.choose(&graph, level.clone(), (false, None), &HashSet::default());
        kept.expect("chosen").len()
    };
    let first = choose(&mut chooser);
    assert!(first > 0);
    let later: Vec<usize> = (0..40).map(|_| choose(&mut chooser)).collect();
    assert!(later.iter().all(|&kept| kept == first), "{first} {later:?}");
}

#[test]
fn a_path_keeps_its_own_pace_and_the_pace_never_slackens() {
    let graph = graph("sliding-block", "donkey");
    let done = solve(&graph, &options(500)).expect("searched");
    let Outcome::Path(found) = &done.outcome else {
        panic!("no path");
    };
    let order = graph.move_order(&found.states).expect("an order");
    for part in [1, 8, 100] {
        let pace = Pace::of(&graph, &found.states, part).expect("asked");
        let pace = pace.expect("sliding blocks have an order");
        let mut before = u64::MAX;
        for (depth, &order) in order.iter().enumerate() {
            let limit = pace.limit(depth).unwrap_or(u64::MAX);
            assert!(order <= limit && limit <= before, "{part} {depth}");
            before = limit;
        }
    }
}
