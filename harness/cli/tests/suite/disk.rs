//! Engine `disk` compared with the engines in memory: the same bytes of level table and antipodes
//! on puzzles of every kind. This holds for any threads and partitions, and after a stop. Also
//! shortest paths, even if the levels between are gone.

use std::path::Path;

use antipode_check::analysis::{Analysis, Request, analyse};
use antipode_check::ask::{self, PathRequest};
use antipode_search::engine::EngineOptions;
use antipode_search::engines::{DiskOptions, Locality, Moves};
use antipode_search::outcome::{Outcome, StopReason};
use antipode_search::progress::Stop;

use crate::support::{
    Text, analysed, engine, forward, fresh, peg_board, rows, tables, try_analyse,
};

fn options(folder: &Path, threads: usize) -> DiskOptions {
    let mut options = DiskOptions::new(folder.join("work"), 256 << 20, threads);
    // Many partitions on small graphs, so that most neighbours are exchanged.
    options.partition_states = 16;
    options
}

/// The same search on disk.
fn on_disk(request: &Request, options: &DiskOptions) -> Request {
    Request {
        engine: engine("disk"),
        threads: options.threads,
        options: EngineOptions {
            work: Some(options.work.clone()),
            memory: Some(options.memory),
            resume: options.resume,
            keep_work: options.keep,
            keep_every: Some(options.keep_every),
            buckets: Some(options.locality),
            moves: Some(options.moves),
            partition_states: Some(options.partition_states),
            ..EngineOptions::default()
        },
        ..request.clone()
    }
}

/// The same search in memory.
fn in_memory(request: &Request) -> Analysis {
    analysed(&Request {
        engine: engine("hash"),
        ..request.clone()
    })
}

/// Runs a search in memory and, in several ways, on disk.
fn agrees(request: &Request) {
    let wanted = tables(&in_memory(request));
    for (threads, locality) in [(2, Locality::Bucket), (3, Locality::Uniform)] {
        let folder = fresh();
        let mut options = options(&folder, threads);
        options.locality = locality;
        let found = analysed(&on_disk(request, &options));
        assert_eq!(tables(&found), wanted, "{threads} threads, {locality:?}");
        found.clear_kept().unwrap();
        let left = std::fs::read_dir(&folder).unwrap().count();
        assert_eq!(left, 0, "things left behind");
    }
    // Stopped behind some levels and resumed, with other numbers of threads.
    let folder = fresh();
    for (round, depth) in [Some(2), Some(5), None].into_iter().enumerate() {
        let mut options = options(&folder, 1 + round % 2);
        options.resume = round > 0;
        options.partition_states = [16, 4, 64][round];
        let mut part = on_disk(request, &options);
        part.max_depth = depth;
        let found = try_analyse(&part).unwrap();
        match depth {
            Some(depth) => assert_eq!(found.levels.levels.len(), usize::from(depth) + 1),
            None => assert_eq!(tables(&found), wanted),
        }
    }
}

/// A stop during the second reading of the last level.
#[test]
fn a_stop_from_the_start_leaves_what_was_found_and_claims_no_more() {
    let request = forward("sliding-block/donkey", "disk");
    let folder = fresh();
    let mut options = options(&folder, 2);
    let mut part = on_disk(&request, &options);
    part.max_depth = Some(30);
    let before = try_analyse(&part).unwrap();
    options.resume = true;
    let mut again = on_disk(&request, &options);
    // To the former level, which would otherwise be the requested one.
    again.max_depth = Some(30);
    let stop = Stop::default();
    stop.request();
    let stopped = analyse(&again, &stop).unwrap();
    assert_eq!(stopped.stop, Some(StopReason::Requested));
    assert!(!stopped.finished);
    let (shown, all) = (&stopped.levels.levels, &before.levels.levels);
    assert!(shown.len() < all.len() && all.starts_with(shown));
    again.max_depth = None;
    assert_eq!(tables(&analysed(&again)), tables(&in_memory(&request)));
}

/// Undirected, directed, and without a state that comes back.
#[test]
fn threads_partitions_and_stops_change_nothing() {
    agrees(&forward("sliding-block/donkey", "disk"));
    agrees(&forward("tilt/card-33", "disk"));
    let folder = fresh();
    let file = peg_board(&folder, " ooo\nooooo\noo.oo\nooooo\n ooo");
    agrees(&forward(
        &format!("peg-solitaire/custom board={file}"),
        "disk",
    ));
}

/// Without symmetry, states are marked with the pieces that led to them. With all moves tried, the
/// result is the same, from more neighbours. A folder of one kind does not belong to the other.
#[test]
fn pieces_that_led_to_a_state_are_left_out() {
    let aside = "baac/baac/dffe/dghe/.i.j";
    for (instance, from, depth) in [
        ("block-10-v11", None, None),
        ("donkey", Some(aside), None),
        ("climb-pro-24", None, Some(30)),
    ] {
        let mut request = forward(&format!("sliding-block/{instance}"), "disk");
        request.from = from.map(str::to_owned);
        request.max_depth = depth;
        let found = |moves, threads, locality| {
            let folder = fresh();
            let mut options = options(&folder, threads);
            (options.moves, options.locality) = (moves, locality);
            let found = try_analyse(&on_disk(&request, &options)).unwrap();
            let generated = found.costs.iter().map(|cost| cost.generated).sum::<u64>();
            (tables(&found), generated)
        };
        let (wanted, all) = found(Moves::All, 2, Locality::Bucket);
        for (threads, locality) in [(3, Locality::Bucket), (2, Locality::Uniform)] {
            let (tables, unused) = found(Moves::Unused, threads, locality);
            assert_eq!(tables, wanted, "{instance}, {locality:?}");
            assert!(3 * unused < 2 * all, "{instance}: {unused} of {all}");
        }
    }
    let request = forward("sliding-block/block-10-v11", "disk");
    let folder = fresh();
    let mut options = options(&folder, 1);
    let mut part = on_disk(&request, &options);
    part.max_depth = Some(12);
    try_analyse(&part).unwrap();
    (options.resume, options.moves) = (true, Moves::All);
    let error = try_analyse(&on_disk(&request, &options)).unwrap_err();
    let said = "another run (used moves (none with --moves all, left out with --moves unused) is";
    error.to_string().has([said]);
}

#[test]
fn sliding_blocks_without_symmetry_whose_levels_fill_many_partitions() {
    let request = forward("sliding-block/block-10-v11", "disk");
    let in_memory = in_memory(&request);
    let folder = fresh();
    let mut options = options(&folder, 2);
    options.moves = Moves::All;
    let found = analysed(&on_disk(&request, &options));
    assert_eq!(tables(&found), tables(&in_memory));
    let generated = |analysis: &Analysis| analysis.run.extra["generated"].clone();
    assert_eq!(generated(&found), generated(&in_memory));
    // Every level except the last was compared with the rulebook, within its reach.
    let sample = found.evidence.iter().find(|check| check.what == "levels");
    let sample = sample.unwrap();
    assert!(sample.wrong == 0 && sample.sampled > 2000, "{sample:?}");
    let finest = found.costs.iter().map(|cost| cost.partitions).max();
    assert!(finest > Some(256), "{finest:?}");
    for (level, cost) in found.levels.levels.iter().zip(&found.costs) {
        assert_eq!(level.orbits, u128::from(cost.states));
        // Nothing is lost between what was generated and what is new.
        let dropped = cost.removed_in_memory + cost.removed_at_merge;
        assert!(cost.depth == 0 || cost.generated == cost.states + dropped);
    }
}

/// Whichever levels are kept for them, and whether moves can be undone or not.
#[test]
fn paths_on_disk_are_shortest() {
    for [instance, moves] in rows(
        "sliding-block/donkey | 81
         tilt/card-33 | 28
         tilt/card-13 | 14",
    ) {
        for keep_every in [1, 3, u16::MAX] {
            let (folder, of) = (fresh(), forward(instance, "disk"));
            let mut request = PathRequest::new(of.library, of.instance);
            request.engine = of.engine;
            request.options.work = Some(folder.join("work"));
            request.options.keep_every = Some(keep_every);
            match ask::path(&request, &Stop::default()).unwrap().outcome {
                Outcome::Path(path) if path.shortest => {
                    assert_eq!(path.moves().to_string(), moves, "{instance}, {keep_every}");
                }
                other => panic!("{other:?}"),
            }
        }
    }
}
