//! Searches for one path, `dfs` and `beam`, and the table of starts and finishes, compared with a
//! plain walk over all successors of the rulebook.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use antipode_check::moves::NamedMoves;
use antipode_graph::{Expansion, Graph};
use antipode_reports::model::PairVerdict;
use antipode_search::engine::EngineOptions;
use antipode_search::engines::beam;
use antipode_search::engines::dfs::{self, HashKind, Policy};
use antipode_search::engines::find::{SearchLimits, check_path};
use antipode_search::forward::Goal;
use antipode_search::outcome::{Floor, Outcome, StopReason};
use antipode_search::progress::Stop;
use antipode_search::table::{decide, rules_of};
use proptest::prelude::*;
use puzzle_api::Direction;

use crate::support::{
    Text, engine, fresh, graph, peg_board, plays, refuses, rows, run, runs, words,
};

/// A drawing, and where the last peg is to be.
const BOARDS: [(&str, &str); 4] = [
    ("oooo\noooo\noooo\noooo", "any"),
    (" ooo\n ooo\nooooo\n ooo", "any"),
    ("  o\n ooo\nooooo\n ooo\n  o", "any"),
    ("oooo\noooo\noooo", "d3"),
];

/// Both variants of each board, opened once.
fn boards() -> &'static [[Graph<u64>; 2]] {
    static OPENED: LazyLock<Vec<[Graph<u64>; 2]>> = LazyLock::new(|| {
        let both = |(drawing, to)| {
            let folder = fresh();
            let board = peg_board(&folder, drawing);
            let board = format!("peg-solitaire/custom board={board} to={to}");
            ["bitboard", "reference"].map(|variant| graph(&board, variant))
        };
        BOARDS.into_iter().map(both).collect()
    });
    &OPENED
}

fn bits(graph: &Graph<u64>) -> u32 {
    graph.parse("full").unwrap().count_ones()
}

/// Everything that can be reached, with whether it has successors.
fn walk(rules: &Graph<u64>, start: u64) -> HashMap<u64, bool> {
    let mut met = HashMap::new();
    let mut todo = vec![start];
    let mut out = Expansion::default();
    while let Some(key) = todo.pop() {
        if met.contains_key(&key) {
            continue;
        }
        rules.expand(Direction::Forward, &[key], &mut out).unwrap();
        met.insert(key, !out.keys().is_empty());
        todo.extend_from_slice(out.keys());
    }
    met
}

fn depth_first() -> impl Strategy<Value = dfs::DfsOptions> {
    let bytes = prop::sample::select(vec![0_u64, 64, 1000, 1 << 16]);
    let policy = prop::sample::select(Policy::ALL.to_vec());
    let hash = prop::sample::select(HashKind::ALL.to_vec());
    let all = (bytes, policy, hash, any::<bool>(), any::<u64>());
    all.prop_map(|(table_bytes, policy, hash, symmetry, seed)| {
        let limits = SearchLimits::default();
        dfs::DfsOptions {
            table_bytes,
            policy,
            hash,
            symmetry,
            seed,
            limits,
        }
    })
}

fn consistent(stats: &dfs::Stats) -> Result<(), TestCaseError> {
    let table = &stats.table;
    prop_assert!(table.hits <= table.probes);
    prop_assert!(table.used <= table.slots && table.stores <= stats.nodes);
    prop_assert!(table.used + table.lost + table.declined <= table.stores);
    // Every state except the first is expanded after a failed look-up.
    prop_assert_eq!(stats.nodes, table.probes - table.hits + 1);
    Ok(())
}

/// A plain walk's answer to a question.
fn truth(rules: &Graph<u64>, start: u64, goal: &Goal<u64>) -> bool {
    let met = walk(rules, start);
    match goal {
        Goal::State(key) => met.contains_key(key),
        Goal::Solved => {
            let solved = rules.roots(Direction::Backward, 0).unwrap();
            solved.iter().any(|key| met.contains_key(key))
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn dfs_finds_a_path_exactly_where_there_is_one(
        board in 0..BOARDS.len(), word: u64, to: Option<u64>, options in depth_first(),
    ) {
        let [graph, rules] = &boards()[board];
        let mask = (1 << bits(graph)) - 1;
        let start = word & mask;
        prop_assume!(start != 0);
        let goal = to.map_or(Goal::Solved, |pick| {
            // A reachable state, or a random one.
            let mut met: Vec<u64> = walk(rules, start).into_keys().collect();
            met.sort_unstable();
            match pick % 2 {
                0 => Goal::State(met[pick as usize % met.len()]),
                _ => Goal::State(pick & start),
            }
        });
        let done = dfs::reach(graph, start, &goal, &options, &Stop::default()).unwrap();
        match &done.outcome {
            Outcome::Path(path) => {
                prop_assert_eq!(path.states[0], start);
                prop_assert!(check_path(rules, &path.states, Some(&goal)).is_ok());
            }
            Outcome::Unreachable(_) => {
                prop_assert!(!truth(rules, start, &goal));
                consistent(&done.stats)?;
            }
            other => prop_assert!(false, "gave up without a limit: {:?}", other),
        }
        let again = dfs::reach(graph, start, &goal, &options, &Stop::default()).unwrap();
        prop_assert_eq!(done, again);
    }

    #[test]
    fn fewest_is_the_least_at_the_end_of_all_lines(
        board in 0..BOARDS.len(), word: u64, options in depth_first(),
    ) {
        let [graph, rules] = &boards()[board];
        let start = word & ((1 << bits(graph)) - 1);
        prop_assume!(start != 0);
        let (done, _) = dfs::fewest(graph, start, &options, &Stop::default()).unwrap();
        let ends = walk(rules, start).into_iter().filter(|(_, more)| !more);
        let least = ends.map(|(key, _)| u64::from(key.count_ones())).min();
        prop_assert_eq!(Some(done.best), least);
        prop_assert!(done.is_exact(), "{}", done.why);
        prop_assert!(check_path(rules, &done.line, None).is_ok());
        let last = done.line[done.line.len() - 1];
        prop_assert_eq!(u64::from(last.count_ones()), done.best);
    }

    /// However narrow, a beam is never wrong; wide enough, it decides.
    #[test]
    fn beam_is_never_wrong(
        board in 0..BOARDS.len(), word: u64, to: Option<u32>,
        perimeter in prop::sample::select(vec![0_usize, 30, 5_000]),
        width in prop::sample::select(vec![1_usize, 10, 1 << 20]),
        seed: u64,
    ) {
        let [graph, rules] = &boards()[board];
        let start = word & ((1 << bits(graph)) - 1);
        prop_assume!(start != 0);
        let goal = to.map_or(Goal::Solved, |hole| Goal::State(1 << (hole % bits(graph))));
        let options = beam::BeamOptions {
            perimeter, first_width: width.min(5), most_width: width, seed,
            limits: SearchLimits::default(),
            ..beam::BeamOptions::default()
        };
        let done = beam::reach(graph, start, &goal, &options, &Stop::default()).unwrap();
        match &done.outcome {
            Outcome::Path(path) => {
                prop_assert_eq!(path.states[0], start);
                prop_assert!(check_path(rules, &path.states, Some(&goal)).is_ok());
            }
            Outcome::Unreachable(_) => prop_assert!(!truth(rules, start, &goal)),
            Outcome::NotReached(_) => prop_assert!(width < 1 << 20),
            Outcome::Levels => prop_assert!(false, "a path was asked for"),
        }
        if !done.levels.is_empty() {
            let all: u64 = done.levels.iter().map(|level| level.states).sum();
            prop_assert!(all <= walk(rules, start).len() as u64);
        }
        let again = beam::reach(graph, start, &goal, &options, &Stop::default()).unwrap();
        prop_assert_eq!(done, again);
    }
}

/// Every cell of a small table against plain walks from every start.
#[test]
fn a_table_is_right_in_every_cell() {
    for [graph, rules] in boards() {
        let how = (engine("beam").unwrap(), &EngineOptions::default());
        let wide = [graph, rules].map(|graph| Graph::of(Arc::clone(&graph.opened)));
        let table = decide(&wide[0], &wide[1], how, &Stop::default(), &|_| {}).unwrap();
        assert_eq!(table.cells.len(), table.starts.len() * table.finishes.len());
        assert_eq!(table.finishes.len(), bits(graph) as usize);
        for cell in &table.cells {
            let [start, finish] =
                [&cell.start, &cell.finish].map(|name| wide[0].parse(name).unwrap());
            let expected = truth(rules, start as u64, &Goal::State(finish as u64));
            match cell.verdict {
                PairVerdict::Solvable => {
                    let (mut at, mut out) = (start, Expansion::default());
                    for name in cell.witness.iter().flatten() {
                        let way = Direction::Forward;
                        wide[1].expand(way, &[at], &mut out).unwrap();
                        at = NamedMoves::of(&wide[1], at, out.keys()).called(name)[0];
                    }
                    assert!(expected && at == finish);
                }
                PairVerdict::Impossible => assert!(!expected),
                PairVerdict::NotReached => panic!("{}", cell.proof),
            }
        }
    }
}

#[test]
fn limits_end_a_search_with_what_it_has() {
    let graph = graph::<u64>("peg-solitaire/diamond-41", "bitboard");
    let start = graph.parse("centre").unwrap();
    let options = dfs::DfsOptions {
        table_bytes: 1 << 16,
        limits: SearchLimits {
            nodes: Some(5_000),
            time: Some(Duration::from_secs(600)),
        },
        ..dfs::DfsOptions::default()
    };
    let done = dfs::reach(&graph, start, &Goal::Solved, &options, &Stop::default()).unwrap();
    assert_eq!(done.outcome, Outcome::NotReached(StopReason::States(5_000)));
    // The centre's class has no lone peg, so two is the least there can be.
    let (done, _) = dfs::fewest(&graph, start, &options, &Stop::default()).unwrap();
    assert_eq!(done.at_least, 2);
    assert!(done.best >= 2);
    // A line that ends with two is a least one before the limit is met.
    let stopped = Floor::Stopped(StopReason::States(5_000));
    let exact = done.is_exact() && done.why == Floor::NoneSolved;
    assert!(exact || done.why == stopped, "{}", done.why);
    check_path(&rules_of(&graph).unwrap(), &done.line, None).unwrap();
    let stop = Stop::default();
    stop.request();
    let done = dfs::reach(&graph, start, &Goal::Solved, &options, &stop).unwrap();
    assert_eq!(done.outcome, Outcome::NotReached(StopReason::Requested));
}

#[test]
fn the_command_says_what_it_did_and_what_cannot_be() {
    plays(
        ".",
        "0 solve peg-solitaire/diamond-41 | solved in 39 moves, the fewest possible, played again on the rulebook
         0 solve peg-solitaire/diamond-41 --from centre | rule of three | holes marked 1
         0 solve rush-hour/custom --set metric=step --engine beam --set board=.BBB.I/.C..DI/.CAAD./.CE.D./HHEGFF/..EG.. | unsolvable",
    );
    let dfs = "solve peg-solitaire/triangle-15 --engine dfs --table-size 16MiB --hash zobrist";
    let json = run(&words(&format!("{dfs} --replace costlier --format json")));
    let table = &json.ended(0).json()["table"];
    assert_eq!(
        (&table["hash"], &table["slots"]),
        (&"zobrist".into(), &(1 << 20).into())
    );
    refuses(
        ".",
        "solve peg-solitaire/diamond-32 --goal fewest --to =0:0 | leave out --to
         solve peg-solitaire/diamond-32 --goal fewest --out none | leave out --out
         solve peg-solitaire/diamond-32 --goal all --out none | leave out --out
         solve peg-solitaire/diamond-32 --goal fewest --engine beam | engine beam does not look for the least measure
         solve peg-solitaire/diamond-32 --engine dfs --hash crc | use stafford or zobrist
         solve peg-solitaire/diamond-32 --engine dfs --max-time -1 | seconds above 0",
    );
}

/// A path with a detour, read back from the output of `solve` and from text.
#[test]
fn improve_takes_detours_out_of_a_path() {
    let folder = fresh();
    let solved = run(&words("solve sliding-block/block-10-v11 --format json"))
        .ended(0)
        .json();
    let first = solved["from"].as_str().unwrap();
    let moves = solved["moves"].as_array().unwrap().iter();
    let mut states = vec![first];
    states.extend(moves.map(|step| step["state"].as_str().unwrap()));
    let improve = |path: &[&str], more: &str| {
        std::fs::write(folder.join("path.txt"), path.join("\n")).unwrap();
        let line = format!("improve sliding-block/block-10-v11 path.txt {more}");
        runs(&folder, &line)
    };
    // There and back.
    let detour = [&states[..2], &states].concat();
    let shorter = improve(&detour, "--format json").ended(0).json();
    assert_eq!(shorter["length"], states.len() - 1);
    // What a limit of time left is not all that there is.
    for [limit, said] in rows(
        "--max-time 0.000001 | stopped at the limit
         --memory 1MiB | does not fit the 1.00 MiB
         --memory 1 | takes 1.00 MiB of memory at least",
    ) {
        let ran = improve(&detour, limit).ended(4);
        (ran.out + &ran.err).has([said]);
    }
    // A record is read as one.
    for [key, value, words] in rows(
        "record | antipode-solution-9 | reads up to 1
         instance | sliding-block/donkey | a path of sliding-block/donkey
         length | 7 | length",
    ) {
        let mut edited = solved.clone();
        edited[key] = serde_json::from_str(value).unwrap_or(value.into());
        std::fs::write(folder.join("path.json"), edited.to_string()).unwrap();
        let ran = runs(&folder, "improve sliding-block/block-10-v11 path.json");
        ran.refused().err.has([words]);
    }
    for (path, words) in [
        (
            [states[0], states[1], states[3]],
            "move 2 of the path is none",
        ),
        ([states[0], states[1], "nothing"], "path.txt: state 3: "),
    ] {
        let ran = improve(&path, "--out new --force").refused();
        ran.err.has(["path.txt: ", words]);
    }
}

/// A path that is the shortest to its end is not a solution by that alone.
#[test]
fn a_path_to_no_solved_state_is_not_called_a_solution() {
    let folder = fresh();
    let ends = ["baac/baac/dffe/dghe/i..j", "baac/baac/dffe/d.ge/hi.j"];
    std::fs::write(folder.join("path.txt"), ends.join("\n")).unwrap();
    let to = ends[1];
    let solve = format!("solve sliding-block/donkey --to {to}");
    for (line, out) in [
        ("improve sliding-block/donkey path.txt", "improved"),
        (&solve, "solved"),
    ] {
        // The second time it writes over its own results.
        let line = format!("0 {line} --out {out} | \\n1 move to {to},");
        plays(
            &folder,
            &format!(
                "{line}\n{line}
                 {out}/solve.json ? | \"to\": \"{to}\"
                 {out}/solve.html ? | {to} | ~A shortest solution"
            ),
        );
    }
    // A solved position is reported as solved.
    plays(".", r"0 solve sliding-block/donkey | \nsolved in 81 moves,");
}
