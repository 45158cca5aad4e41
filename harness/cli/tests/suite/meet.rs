//! Bidirectional search compared with search from one end, on puzzles of several kinds. Also its
//! work folder after a kill, or if it is damaged, too small or of another run.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use antipode_graph::{Expansion, Graph};
use antipode_search::digest::hex;
use antipode_search::engines::bidirectional::{
    BidirectionalFolder, BidirectionalOptions, BidirectionalRequest, BidirectionalResult, Side,
    SideTable, meet,
};
use antipode_search::forward::{ForwardSolver, Goal};
use antipode_search::outcome::{NoPathProof, Outcome};
use antipode_search::progress::Stop;
use nix::sys::signal::Signal;
use puzzle_api::Direction;
use serde_json::Value;

use crate::support::{
    Fresh, Ran, Text, analysed, copied, engine, fresh, graph, interrupted, json, lines_of, plays,
    read, request, run, runs, words,
};

/// Coins on 3 × 4 cells, five of them: 792 states, some pairs without a path.
const BOARD: &str = "coin-sliding/custom width=3 height=4 coins=5";

fn options(table: SideTable, run_states: usize, work: Option<&Path>) -> BidirectionalOptions {
    let nowhere = BidirectionalFolder::WhenLarge("no-such-folder".into());
    let work = work.map_or(nowhere, |folder| {
        BidirectionalFolder::Folder(folder.to_owned())
    });
    let mut options = BidirectionalOptions::new(2 << 30, work);
    options.table = table;
    options.run_states = run_states;
    options
}

fn search(
    graph: &Graph<u64>,
    (start, goals): (u64, &[u64]),
    options: BidirectionalOptions,
    threads: usize,
) -> BidirectionalResult<u64> {
    let request = BidirectionalRequest {
        graph: graph.clone(),
        start,
        goals: goals.to_vec(),
        options,
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.unwrap()
        .install(|| meet(&request, &Stop::default()))
        .unwrap()
}

/// As [`search`], in memory.
fn found(
    graph: &Graph<u64>,
    start: u64,
    goals: &[u64],
    threads: usize,
) -> BidirectionalResult<u64> {
    let options = options(SideTable::Auto, 1 << 20, None);
    search(graph, (start, goals), options, threads)
}

/// The distance of each goal, found from one end on the rulebook.
fn one_sided(rules: &Graph<u64>, start: u64, goal: u64) -> Option<usize> {
    let solver = ForwardSolver::new(rules.clone());
    let path = solver.shortest(start, &Goal::State(goal), &mut || false);
    path.unwrap().outcome.states().len().checked_sub(1)
}

/// Every step is a move of the rulebook.
fn is_path(rules: &Graph<u64>, path: &[u64], start: u64, goal: u64) {
    assert_eq!((path.first(), path.last()), (Some(&start), Some(&goal)));
    let mut out = Expansion::default();
    for pair in path.windows(2) {
        rules
            .expand(Direction::Forward, &pair[..1], &mut out)
            .unwrap();
        assert!(out.of(0).contains(&pair[1]));
    }
}

/// Lengths found from both ends and from one, over random pairs; returns the numbers of pairs with
/// a path and without.
fn agrees(
    graph: &Graph<u64>,
    rules: &Graph<u64>,
    states: &[u64],
    options: &BidirectionalOptions,
) -> [usize; 2] {
    let mut counts = [0; 2];
    for pair in states.chunks_exact(2) {
        let (start, goal) = (pair[0], pair[1]);
        let found = search(graph, (start, &[goal]), options.clone(), 2);
        let radii = found.sides.iter().map(|side| side.len() - 1).sum::<usize>();
        match (&found.outcome, one_sided(rules, start, goal)) {
            (Outcome::Path(path), Some(length)) => {
                assert_eq!(path.moves(), length);
                is_path(rules, &path.states, start, goal);
                // The sides that do not meet are the proof, so they must be wide enough.
                assert!(length == 0 || radii == length - 1, "{radii} {length}");
                counts[0] += 1;
            }
            (Outcome::Unreachable(NoPathProof::Exhausted { .. }), None) => counts[1] += 1,
            (ended, length) => panic!("{start} to {goal}: {ended:?}, by rules {length:?}"),
        }
    }
    counts
}

#[test]
fn both_ends_agree_with_one_end_on_coins() {
    let fast = graph(BOARD, "fast");
    let states = fast.random(7, 0, 400).unwrap();
    for table in [SideTable::Auto, SideTable::Hash, SideTable::Bits] {
        let [paths, none] = agrees(&fast, &fast, &states, &options(table, 64, None));
        assert!(paths > 20 && none > 20, "{paths} {none}");
    }
    // On the literal rules.
    let rules = graph(BOARD, "reference");
    let states = rules.random(8, 0, 60).unwrap();
    let options = options(SideTable::Auto, 1 << 20, None);
    agrees(&rules, &rules, &states, &options);
}

#[test]
fn both_ends_agree_with_one_end_on_tilt() {
    let fast = graph::<u64>("tilt/card-20", "fast");
    let states = fast.random(9, 0, 200).unwrap();
    let card = states
        .iter()
        .flat_map(|&state| [fast.parse("card-20").unwrap_or(state), state]);
    let pairs: Vec<u64> = states.iter().copied().chain(card).collect();
    for pair in pairs.chunks_exact(2) {
        let length = one_sided(&fast, pair[0], pair[1]);
        match found(&fast, pair[0], &pair[1..], 2).outcome {
            Outcome::Path(path) => assert_eq!(Some(path.moves()), length),
            Outcome::Unreachable(_) => assert_eq!(None, length),
            other => panic!("nobody stopped it: {other:?}"),
        }
    }
}

/// A far pair of a board with more states than a block or a run holds.
const WIDE: &str = "coin-sliding/custom width=5 height=4 coins=8";

/// The furthest pair of some random ones.
fn far_pair(graph: &Graph<u64>) -> (u64, u64) {
    let states = graph.random(3, 0, 24).unwrap();
    let pairs = states.chunks_exact(2).map(|pair| (pair[0], pair[1]));
    let length = |&(start, goal): &(u64, u64)| match found(graph, start, &[goal], 2).outcome {
        Outcome::Path(path) => path.states.len(),
        _ => 0,
    };
    pairs.max_by_key(length).unwrap()
}

#[test]
fn threads_tables_runs_and_folders_change_nothing() {
    let graph = graph(WIDE, "fast");
    let (start, goal) = far_pair(&graph);
    let first = found(&graph, start, &[goal], 1);
    assert!(matches!(first.outcome, Outcome::Path(_)));
    for threads in [1, 2, 5] {
        for table in [SideTable::Auto, SideTable::Hash, SideTable::Bits] {
            for run_states in [100, 1 << 20] {
                let folder = fresh();
                let work = folder.join("work");
                for work in [None, Some(work.as_path())] {
                    let own = options(table, run_states, work);
                    let found = search(&graph, (start, &[goal]), own, threads);
                    assert_eq!(found.outcome, first.outcome);
                    assert_eq!(found.sides, first.sides);
                }
                antipode_search::work::clear(&work, true).unwrap();
                assert!(!work.exists(), "an answered search leaves nothing else");
            }
        }
    }
}

#[test]
fn levels_are_those_of_analyse_with_the_same_digests() {
    let graph = graph(WIDE, "fast");
    let (start, goal) = far_pair(&graph);
    let found = found(&graph, start, &[goal], 2);
    for (side, root, direction) in [
        (Side::Forward, start, Direction::Forward),
        (Side::Backward, goal, Direction::Backward),
    ] {
        let mut request = request(WIDE);
        request.engine = engine("hash");
        request.direction = Some(direction);
        request.from = Some(graph.draw(root).unwrap());
        let analysis = analysed(&request);
        let side = &found.sides[side as usize];
        assert!(side.len() > 2);
        for (level, own) in analysis.levels.levels.iter().zip(side) {
            assert_eq!(level.depth, u32::from(own.depth));
            assert_eq!(level.states, u128::from(own.states));
            assert_eq!(level.digest, hex(own.digest.unwrap()));
        }
    }
}

#[test]
fn any_of_several_goals_will_do_and_a_start_that_is_one_takes_no_moves() {
    let graph = graph(BOARD, "fast");
    let states = graph.random(11, 0, 120).unwrap();
    for states in states.chunks_exact(6) {
        let (start, goals) = (states[0], &states[1..]);
        let nearest = goals
            .iter()
            .filter_map(|&goal| one_sided(&graph, start, goal))
            .min();
        match found(&graph, start, goals, 2).outcome {
            Outcome::Path(path) => assert_eq!(Some(path.moves()), nearest),
            _ => assert_eq!(nearest, None),
        }
        let home = found(&graph, start, states, 2);
        assert_eq!(home.outcome, Outcome::shortest(vec![start]));
    }
}

// ---- the command ---------------------------------------------------------------------

/// A pair that takes a second or so.
const SOLVE: &str = "solve coin-sliding/5x7 --from A --to B --work work";
/// Lines of the journal after which a run is killed: its head and most levels.
const ENOUGH: usize = 15;

fn solved(folder: &Path, more: &str) -> Ran {
    runs(folder, &format!("{SOLVE} {more}"))
}

/// Resumes to the same answer, and says something of it.
fn resumes(folder: &Path, note: &str) {
    let ran = solved(folder, "--resume").ended(0);
    assert_eq!(ran.out, *UNDISTURBED);
    ran.err.has([note]);
    assert!(!folder.join("work").exists());
}

static UNDISTURBED: LazyLock<String> = LazyLock::new(|| {
    let folder = fresh();
    let ran = solved(&folder, "").ended(0);
    assert!(!folder.join("work").exists());
    ran.out
});

fn journal(folder: &Path) -> PathBuf {
    folder.join("work/progress.jsonl")
}

fn stopped(folder: &Path, signal: Signal) -> Ran {
    let line = format!("{SOLVE} --threads 1");
    let journal = journal(folder);
    interrupted(folder, &words(&line), signal, || {
        lines_of(&journal) >= ENOUGH
    })
}

/// The folder of a killed run, made once and copied for every test.
fn killed() -> Fresh {
    static KILLED: LazyLock<Fresh> = LazyLock::new(|| {
        let folder = fresh();
        assert_eq!(stopped(&folder, Signal::SIGKILL).ended(-1).out, "");
        folder
    });
    copied(&KILLED, "work")
}

/// The file of the largest finished level.
fn largest(folder: &Path) -> PathBuf {
    let files = fs::read_dir(folder.join("work"))
        .unwrap()
        .map(|file| file.unwrap().path());
    let levels = files.filter(|path| path.extension().is_some_and(|end| end == "level"));
    levels
        .max_by_key(|path| fs::metadata(path).unwrap().len())
        .unwrap()
}

#[test]
fn a_stopped_search_goes_on_to_the_same_answer() {
    let folder = killed();
    let before = fs::read(journal(&folder)).unwrap();
    let over = solved(&folder, "").ended(2);
    over.err
        .has(["finished pieces of this very run", "--resume"]);
    assert_eq!(fs::read(journal(&folder)).unwrap(), before);
    resumes(&folder, "continuing from");
    let folder = fresh();
    let ran = stopped(&folder, Signal::SIGINT).ended(4);
    assert_eq!(ran.out, "");
    ran.err.has(["--resume to continue"]);
    resumes(&folder, "");
}

#[test]
fn a_flipped_bit_costs_its_level() {
    let folder = killed();
    let file = largest(&folder);
    let mut bytes = fs::read(&file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    fs::write(&file, bytes).unwrap();
    let name = file.file_name().unwrap().to_str().unwrap();
    resumes(
        &folder,
        &format!("{name}: damaged (a checksum does not match)"),
    );
}

/// A level of the other side may be as long, and is sound in itself.
#[test]
fn a_file_of_another_level_cut_short_or_gone_costs_its_level() {
    let name = |side: &str, depth: &str| format!("{side}-{depth}.level");
    for (from, to) in [("backward", "forward"), ("forward", "backward")] {
        for depth in ["00000", "00001", "00002"] {
            let folder = killed();
            let file = |side| folder.join("work").join(name(side, depth));
            fs::copy(file(from), file(to)).unwrap();
            resumes(&folder, &format!("{}: damaged (", name(to, depth)));
        }
    }
    for (side, depth) in [
        ("forward", "00000"),
        ("backward", "00002"),
        ("forward", "00003"),
    ] {
        let name = name(side, depth);
        let folder = killed();
        let file = folder.join("work").join(&name);
        let bytes = fs::read(&file).unwrap();
        fs::write(&file, &bytes[..bytes.len() - 1]).unwrap();
        resumes(&folder, &format!("{name}: damaged ("));
        let folder = killed();
        fs::remove_file(folder.join("work").join(&name)).unwrap();
        resumes(&folder, &format!("{name}: damaged (it is missing)"));
    }
}

/// As in `disk_folder.rs`; a line less is one level less.
#[test]
fn lines_of_the_journal_that_are_damaged_torn_or_out_of_place_are_noticed() {
    let text = read(journal(&killed()));
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let mut swapped = lines.clone();
    swapped.swap(3, 9);
    for (changed, note) in [
        (
            text.replacen("\"states\":1,", "\"states\":2,", 1),
            "progress.jsonl: line 2: damaged",
        ),
        (text[..text.len() - 3].to_owned(), "continuing from"),
        (
            swapped.concat(),
            "not in the order in which they were written",
        ),
        (
            [&lines[..5], &lines[6..]].concat().concat(),
            "continuing from",
        ),
    ] {
        let folder = killed();
        fs::write(journal(&folder), changed).unwrap();
        resumes(&folder, note);
    }
}

#[test]
fn too_little_disk_is_refused_and_what_is_finished_goes_on() {
    let folder = fresh();
    let ran = solved(&folder, "--disk 200KiB").ended(4);
    assert_eq!(ran.out, "");
    ran.err.has(["--disk", "--resume"]);
    assert!(lines_of(&journal(&folder)) > 5);
    resumes(&folder, "");
}

#[test]
fn too_little_memory_is_refused_before_anything_is_searched() {
    // 73,006,209,045 bits are 8.50 GiB.
    plays(
        ".",
        "4! solve coin-sliding/5x9 --from A --to B --memory 3GiB | two sets of 8.50 GiB | 3.00 GiB | --memory | --table hash",
    );
}

#[test]
fn files_of_an_answer_agree_with_each_other() {
    let folder = fresh();
    let line = "solve coin-sliding/custom --set width=3 --set height=4 --set coins=5 \
                --from o.o/.o./o.o/... --to .../ooo/oo./... --out out --format json";
    let ran = runs(&folder, line).ended(0);
    let printed = ran.json();
    let out = folder.join("out");
    let read = |name: &str| read(out.join(name));
    let kept = json(out.join("solve.json"));
    for member in ["instance", "from", "length", "moves", "levels"] {
        assert_eq!(kept[member], printed[member], "{member}");
    }
    let length = printed["length"].as_u64().unwrap();
    assert_eq!(read("path.csv").lines().count() as u64, 1 + length + 1);
    let levels = read("levels.csv");
    let rows = levels.lines().skip(1).count() as u64;
    // Radii that sum to one less than the length, and both roots.
    assert_eq!(rows, length - 1 + 2);
    assert!(read("solve.html").contains("Why nothing shorter exists"));
    assert!(!out.join("work").exists());
}

/// It has no other end, and is searched along the moves.
#[test]
fn a_start_outside_the_numbering_has_an_answer() {
    plays(
        ".",
        "0 solve tilt/card-30 --engine bidirectional | solved in 25 moves
         0 solve sliding-tile/3x3 --board 123/456/87. --engine bidirectional | impossible",
    );
}

#[test]
fn a_goal_that_cannot_be_reached_is_said_so_with_the_ball_that_closed() {
    // Two coins with a cell between them hold up nobody: no move at all.
    let line = "solve coin-sliding/custom --set width=4 --set height=3 --set coins=2 \
                --from o.o./..../.... --to .o../.o../....";
    let ran = run(&words(line)).ended(0);
    let closed = ran.out.starts_with("unreachable: the ") || ran.out.starts_with("impossible: ");
    assert!(closed, "{}", ran.out);
    let found = run(&words(&format!("{line} --format json"))).ended(0);
    assert_eq!(found.json()["length"], Value::Null);
}
