//! Engine `hash` on layered graphs, where it keeps no set of all states met. It writes the same
//! bytes as the plain queue, and a memory limit cuts the table off between levels.

use puzzle_api::Direction;

use crate::support::{
    analysed, engine, peg_board, pegs, request, run, run_in, tables, try_analyse,
};

const BOARDS: [(&str, &str); 4] = [
    ("oooo\noooo\noooo\noooo", "1:0"),
    (" ooo\n ooo\nooooo\nooooo", "0:0"),
    ("  o\n ooo\nooooo\n ooo\n  o", "0:0"),
    ("ooooooo\n  ooo\n  oo", "0:1"),
];

#[test]
fn hash_gives_the_bytes_of_the_plain_queue() {
    let folder = tempfile::tempdir().unwrap();
    for (drawing, from) in BOARDS {
        let board = peg_board(folder.path(), drawing);
        for way in [Direction::Forward, Direction::Backward] {
            let mut asked = request(&pegs(), "custom", &[("board", &board), ("from", from)]);
            asked.direction = Some(way);
            asked.engine = engine("reference");
            let oracle = tables(&analysed(&asked));
            assert!(oracle.lines().count() > 4, "{drawing}");
            asked.engine = engine("hash");
            for threads in [1, 2] {
                asked.threads = threads;
                assert_eq!(tables(&analysed(&asked)), oracle, "{drawing} {way:?}");
            }
        }
    }
}

/// Enough states for several partitions and slabs' worth of batches.
#[test]
fn levels_of_many_partitions_do_not_depend_on_threads() {
    let mut asked = request(&pegs(), "english-33", &[("to", "any")]);
    asked.direction = Some(Direction::Forward);
    asked.engine = engine("hash");
    asked.max_depth = Some(10);
    let one = try_analyse(&asked).unwrap();
    asked.threads = 2;
    let two = try_analyse(&asked).unwrap();
    assert_eq!(tables(&one), tables(&two));
    let orbits = one.levels.levels.iter().map(|level| level.orbits);
    // As published: sequence A112737 of the OEIS.
    assert_eq!(
        orbits.collect::<Vec<_>>(),
        [1, 1, 2, 8, 39, 171, 719, 2757, 9751, 31_312, 89_927]
    );
}

#[test]
fn a_limit_to_memory_leaves_whole_levels() {
    let mut asked = request(&pegs(), "diamond-41", &[]);
    asked.direction = Some(Direction::Forward);
    asked.engine = engine("hash");
    asked.max_depth = Some(9);
    let whole = try_analyse(&asked).unwrap();
    asked.options.memory = Some(400_000);
    let cut = try_analyse(&asked).unwrap();
    assert!(!cut.run.complete);
    let why = cut.run.stopped_because.as_deref().unwrap();
    assert!(why.contains("390.62 KiB"), "{why}");
    let (cut, whole) = (&cut.levels.levels, &whole.levels.levels);
    assert!(cut.len() > 2 && cut.len() < whole.len());
    assert_eq!(cut[..], whole[..cut.len()]);
}

#[test]
fn the_command_says_why_it_stopped_and_exits_4() {
    let stopped = run(&[
        "analyse",
        "peg-solitaire/diamond-41",
        "--engine",
        "hash",
        "--memory",
        "200KiB",
    ]);
    assert_eq!(stopped.code, 4, "{}", stopped.err);
    assert!(
        stopped.out.contains(
            "the next level does not fit the 200.00 KiB of memory allowed: the table holds the \
             finished levels"
        ),
        "{}",
        stopped.out
    );
    let folder = tempfile::tempdir().unwrap();
    let other = run_in(
        folder.path(),
        &[
            "analyse",
            "tilt/card-2",
            "--engine",
            "sweep",
            "--memory",
            "1GiB",
        ],
    );
    assert_eq!(other.code, 2);
    assert!(
        other.err.contains("hash, dense, disk or cluster"),
        "{}",
        other.err
    );
}
