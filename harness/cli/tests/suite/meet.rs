//! Bidirectional search compared with search from one end, on puzzles of several kinds. Also its
//! work folder after a kill, or if it is damaged, too small or of another run.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use antipode_graph::Graph;
use antipode_search::digest::hex;
use antipode_search::engines::bidirectional::{
    BidirectionalFolder, BidirectionalOptions, BidirectionalRequest, BidirectionalResult, Side,
    SideTable, meet,
};
use antipode_search::engines::find::check_path;
use antipode_search::forward::{ForwardSolver, Goal};
use antipode_search::outcome::{NoPathProof, Outcome};
use antipode_search::progress::Stop;
use nix::sys::signal::Signal;
use puzzle_api::Direction;

use crate::support::{
    Fresh, Ran, Text, analysed, copied, engine, fresh, graph, interrupted, json, lines_of, plays,
    read, request, runs, words,
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
                assert_eq!(path.states[0], start);
                check_path(rules, &path.states, Some(&Goal::State(goal))).unwrap();
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
    let states = fast.random(7, 0, 280).unwrap();
    for table in [SideTable::Auto, SideTable::Hash, SideTable::Bits] {
        let [paths, none] = agrees(&fast, &fast, &states, &options(table, 64, None));
        assert!(paths > 20 && none > 20, "{paths} {none}");
    }
    let home = found(&fast, states[0], &states, 2).outcome;
    assert_eq!(home, Outcome::shortest(vec![states[0]]));
    // On the literal rules.
    let rules = graph(BOARD, "reference");
    let states = rules.random(8, 0, 60).unwrap();
    let options = options(SideTable::Auto, 1 << 20, None);
    agrees(&rules, &rules, &states, &options);
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

/// Whatever threads, tables, runs and folder, and with the levels and digests of `analyse`.
#[test]
fn nothing_changes_the_answer_and_its_levels() {
    let graph = graph(WIDE, "fast");
    let (start, goal) = far_pair(&graph);
    let first = found(&graph, start, &[goal], 1);
    assert!(matches!(first.outcome, Outcome::Path(_)));
    for (threads, table, run_states) in [
        (2, SideTable::Auto, 100),
        (5, SideTable::Hash, 1 << 20),
        (1, SideTable::Hash, 100),
        (3, SideTable::Bits, 100),
    ] {
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
    for (side, root, direction) in [
        (Side::Forward, start, Direction::Forward),
        (Side::Backward, goal, Direction::Backward),
    ] {
        let mut request = request(WIDE);
        (request.engine, request.direction) = (engine("hash"), Some(direction));
        request.from = Some(graph.draw(root).unwrap());
        let side = &first.sides[side as usize];
        assert!(side.len() > 2);
        for (level, own) in analysed(&request).levels.levels.iter().zip(side) {
            let all = (level.depth, level.states, level.digest.clone());
            let digest = hex(own.digest.unwrap());
            assert_eq!(all, (own.depth.into(), own.states.into(), digest));
        }
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

/// Levels with a flipped bit, of the other side, cut short or gone; lines of the journal that are
/// changed, torn, swapped or gone. A level of the other side may be as long, and is sound in itself.
#[test]
fn what_is_damaged_costs_its_level() {
    let recovers = |change: &dyn Fn(&Path), note: &str| {
        let folder = killed();
        change(&folder.join("work"));
        resumes(&folder, note);
    };
    let edit = |name: &str, change: &dyn Fn(&mut Vec<u8>), note: &str| {
        let file = |work: &Path| {
            let mut bytes = fs::read(work.join(name)).unwrap();
            change(&mut bytes);
            fs::write(work.join(name), bytes).unwrap();
        };
        recovers(&file, &format!("{name}: damaged ({note}"));
    };
    let flip = |bytes: &mut Vec<u8>| {
        let middle = bytes.len() / 2;
        bytes[middle] ^= 4;
    };
    edit("forward-00003.level", &flip, "");
    let cut = |bytes: &mut Vec<u8>| bytes.truncate(bytes.len() - 1);
    edit("backward-00002.level", &cut, "");
    for (from, to) in [("backward", "forward"), ("forward", "backward")] {
        let [from, to] = [from, to].map(|side| format!("{side}-00001.level"));
        let copy = |work: &Path| {
            fs::copy(work.join(&from), work.join(&to)).unwrap();
        };
        recovers(&copy, &format!("{to}: damaged ("));
    }
    let name = "forward-00003.level";
    let gone = |work: &Path| fs::remove_file(work.join(name)).unwrap();
    recovers(&gone, &format!("{name}: damaged (it is missing)"));

    let text = read(journal(&killed()));
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let mut swapped = lines.clone();
    swapped.swap(3, 9);
    let changed = text.replacen("\"states\":1,", "\"states\":2,", 1);
    let torn = text[..text.len() - 3].to_owned();
    for (changed, note) in [
        (changed, "progress.jsonl: line 2: damaged"),
        (torn, "continuing from"),
        (
            swapped.concat(),
            "not in the order in which they were written",
        ),
        (
            [&lines[..5], &lines[6..]].concat().concat(),
            "continuing from",
        ),
    ] {
        let write = |work: &Path| fs::write(work.join("progress.jsonl"), &changed).unwrap();
        recovers(&write, note);
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
fn what_the_command_says_of_memory_and_of_odd_ends() {
    // 73,006,209,045 bits are 8.50 GiB. A start outside the numbering has no other end, and is
    // searched along the moves.
    plays(
        ".",
        r#"4! solve coin-sliding/5x9 --from A --to B --memory 3GiB | two sets of 8.50 GiB | 3.00 GiB | --memory | --table hash
           0 solve tilt/card-30 --engine bidirectional | solved in 25 moves
           0 solve sliding-tile/3x3 --board 123/456/87. --engine bidirectional | impossible"#,
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
    read("solve.html").has(["Why nothing shorter exists"]);
    assert!(!out.join("work").exists());
}
