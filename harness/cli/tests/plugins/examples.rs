//! The example puzzles: built, tested, and their published counts derived.

use crate::make::{c, cargo, cpp, levels, on, passes, passes_on};
use crate::support::Text;

const LIGHTS_OUT: &str = "puzzles/examples/lights-out/lights_out.c";

/// Every instance, including the 33,554,432 states of 5x5, which take much of a minute without a
/// call that shows any progress.
#[test]
#[ignore = "two minutes, for 4x4 too; 3x3 is tested with each run; CI_FULL=1 .ci/run"]
fn lights_out_keeps_its_contract_on_the_largest_board() {
    let library = c(LIGHTS_OUT, &["-std=c99", "-O2"], "lights_out_large.so");
    passes(&library, "--time-limit 600");
}

/// On every engine, however it was optimised. Every 3x3 board can be solved, and one 4x4 board in 16.
#[test]
fn lights_out_small_boards_on_every_engine() {
    for (how, engines) in [
        (["-std=c99", "-O2"], &["reference", "hash", "dense"][..]),
        (["-std=c11", "-O0"], &["hash"]),
    ] {
        let library = c(LIGHTS_OUT, &how, &format!("lights_out{}.so", how[1]));
        for engine in engines {
            let three = levels(&library, "lamps/3x3", &format!("--engine {engine}"));
            assert_eq!(three, (vec![1, 9, 36, 84, 126, 126, 84, 36, 9, 1], 0));
        }
        if how[1] == "-O2" {
            let (four, rest) = levels(&library, "lamps/4x4", "");
            assert_eq!((four.iter().sum::<u64>(), rest), (4_096, 61_440));
        }
        passes_on(&library, "--seed=7 --instance=3x3", "4x4, 5x5");
    }
}

/// Distances from the goal of the 8-puzzle (OEIS A089473): 181,440 placements, two of
/// them 31 moves away.
const SLIDES: [u64; 32] = [
    1, 2, 4, 8, 16, 20, 39, 62, 116, 152, 286, 396, 748, 1_024, 1_893, 2_512, 4_485, 5_638, 9_529,
    10_878, 16_993, 17_110, 23_952, 20_224, 24_047, 15_578, 14_560, 6_274, 3_910, 760, 221, 2,
];

#[test]
#[ignore = "half a CPU-minute; the puzzle of the guide is built with each run; CI_FULL=1 .ci/run"]
fn eight_puzzle_in_rust_outside_the_workspace() {
    let library = cargo("puzzles/examples/eight-puzzle", "eight_puzzle");
    for engine in ["hash", "dense"] {
        let (levels, unsolvable) =
            levels(&library, "eight-puzzle/3x3", &format!("--engine {engine}"));
        assert_eq!(levels, SLIDES, "{engine}");
        assert_eq!(levels.iter().sum::<u64>(), 181_440);
        assert_eq!(unsolvable, 181_440);
    }
    passes(&library, "");
    let solve = "solve eight-puzzle/3x3 --board 867/254/3.1";
    on(&library, solve).ended(0).out.has(["solved in 31 moves"]);
}

/// Stacks of seven by fewest turns (OEIS A092113), and pancake numbers (A058986, A078941).
#[test]
fn pancakes_in_cpp() {
    let Some(library) = cpp("puzzles/examples/pancakes/pancakes.cpp", "pancakes.so") else {
        return;
    };
    let (seven, _) = levels(&library, "pancakes/plain-7", "");
    assert_eq!(seven, [1, 6, 30, 149, 543, 1_357, 1_903, 1_016, 35]);
    for (count, turns) in [(2_u64, 1), (3, 3), (4, 4), (5, 5), (6, 7)] {
        let (levels, _) = levels(&library, &format!("pancakes/plain-{count}"), "");
        assert_eq!(levels.len() - 1, turns, "{count} pancakes");
        assert_eq!(levels.iter().sum::<u64>(), (1..=count).product::<u64>());
    }
    for (count, turns) in [(2_u64, 4), (3, 6), (4, 8), (5, 10)] {
        let (levels, _) = levels(&library, &format!("pancakes/burnt-{count}"), "");
        assert_eq!(levels.len() - 1, turns, "{count} burnt pancakes");
        assert_eq!(
            levels.iter().sum::<u64>(),
            (1..=count).product::<u64>() << count
        );
    }
    passes_on(
        &library,
        "--instance=plain-6 --instance=burnt-4",
        "plain-2,",
    );
}

#[test]
fn list_shows_file_version_instances_and_engines() {
    let library = c(LIGHTS_OUT, &["-std=c99", "-O2"], "lights_out_list.so");
    let file = library.display().to_string();
    on(&library, "list").ended(0).out.has([
        "lamps 1.0.0",
        &file,
        "blake3",
        "5x5",
        "dense",
        "forward, backward",
        "no: variant reference has no inner loop of its own",
    ]);
}
