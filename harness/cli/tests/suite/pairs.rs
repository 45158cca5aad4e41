//! Lengths of many pairs at once, compared with one search per pair on the rulebook.

use std::fs;
use std::path::Path;

use antipode_reports::model::SideRow;
use antipode_search::engines::EngineError;
use antipode_search::forward::{ForwardSolver, Goal};
use antipode_search::many_to_many::{
    Finished, Length, Numbered, PairsOutcome, PairsRequest, Side, lengths,
};
use antipode_search::open::typed_graph;
use antipode_search::progress::Stop;
use antipode_search::work::{FolderPlace, WorkFolder};
use proptest::prelude::*;
use puzzle_api::UNSOLVABLE;
use serde_json::Value;

use crate::support::{Text, claims, fresh, graph, json, pairs, plays, read, refuses, runs};

/// Boards small enough for a fast search.
const BOARDS: [&str; 4] = [
    "coin-sliding/custom width=4 height=3 coins=5",
    "coin-sliding/custom width=4 height=4 coins=6",
    "coin-sliding/custom width=3 height=5 coins=6",
    "coin-sliding/custom width=5 height=3 coins=7",
];

fn found(request: &PairsRequest) -> PairsOutcome {
    let outcome = lengths(request, &Stop::default()).unwrap();
    assert_eq!(outcome.disagreements, Vec::<String>::new());
    outcome
}

/// Boards drawn by rank, each once, as text.
fn drawn(board: &str, picks: &[u64]) -> Vec<String> {
    let graph = graph::<u64>(board, "reference");
    let size = graph.space(0).unwrap().unwrap();
    let mut ranks: Vec<u64> = picks.iter().map(|pick| pick % size).collect();
    ranks.sort_unstable();
    ranks.dedup();
    let mut keys = Vec::new();
    graph.unrank(0, &ranks, &mut keys).unwrap();
    keys.iter().map(|&key| graph.draw(key).unwrap()).collect()
}

/// Every pair of an outcome has the length that one search on the rulebook finds.
fn check(request: &PairsRequest, outcome: &PairsOutcome) {
    let library = &request.library;
    let rules = library.open("custom", "reference", &request.settings);
    let solver = ForwardSolver::new(typed_graph::<u64>(rules.unwrap()).unwrap());
    let graph = solver.graph();
    let count = request.from.len();
    assert_eq!(outcome.rows.len(), count * (count - 1));
    for row in &outcome.rows {
        let [from, to] = [&row.from, &row.to].map(|text| graph.parse(text).unwrap());
        let path = solver.shortest(from, &Goal::State(to), &mut || false);
        let distance = path.unwrap().outcome.distance().unwrap();
        match row.length {
            Length::Exactly {
                moves,
                forward,
                backward,
            } => {
                assert_eq!(moves, u32::from(distance), "{} to {}", row.from, row.to);
                assert_eq!(moves, forward + backward);
                assert_eq!(row.path.len() as u32, moves + 1);
                assert_eq!(row.moves.len() as u32, moves);
                assert_eq!(row.path[forward as usize], *row.meeting.as_ref().unwrap());
            }
            Length::Unreachable { .. } => assert_eq!(distance, UNSOLVABLE),
            Length::MoreThan { moves, .. } => assert!(u32::from(distance) > moves),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn every_length_is_the_rulebooks(
        board in prop::sample::select(&BOARDS[..]),
        picks in prop::collection::vec(any::<u64>(), 2..6),
        radius in prop::sample::select(&[None, Some(0), Some(1), Some(3)][..]),
        most in prop::sample::select(&[None, Some(1), Some(40), Some(1000)][..]),
        threads in 1_usize..3,
        numbered in prop::sample::select(&[None, Some(Numbered::ByKey)][..]),
    ) {
        let states = drawn(board, &picks);
        prop_assume!(states.len() > 1);
        let mut asked = pairs(board, &states);
        (asked.radius, asked.threads, asked.numbered) = (radius, threads, numbered);
        asked.side_states = most.filter(|_| radius.is_none());
        let outcome = found(&asked);
        prop_assert!(outcome.run.complete);
        check(&asked, &outcome);
    }
}

fn some_states(board: &str) -> Vec<String> {
    drawn(board, &[1, 77, 901, 1999, 4001])
}

/// Coin sliding has its own search loop, which finds every length again, on every board.
#[test]
fn the_puzzles_own_loop_finds_the_lengths_again() {
    for board in &BOARDS[..2] {
        let mut asked = pairs(board, &some_states(board));
        assert!(found(&asked).rows.iter().all(|row| !row.again));
        asked.again = true;
        let outcome = found(&asked);
        assert!(outcome.rows.len() > 1 && outcome.rows.iter().all(|row| row.again));
        check(&asked, &outcome);
    }
}

#[test]
fn threads_and_keys_change_nothing_but_time() {
    let board = BOARDS[1];
    let mut asked = pairs(board, &some_states(board));
    asked.radius = Some(2);
    let by_rank = found(&asked);
    asked.threads = 2;
    let two = found(&asked);
    assert_eq!((&by_rank.rows, &by_rank.sides), (&two.rows, &two.sides));
    (asked.threads, asked.numbered) = (1, Some(Numbered::ByKey));
    let by_key = found(&asked);
    for (outcome, by_rank) in [(&by_rank, true), (&by_key, false)] {
        assert_eq!(outcome.run.extra["by_rank"], by_rank);
    }
    // The outermost sides are complete in both, so an early end of a level has no effect.
    let told = |outcome: &PairsOutcome| {
        let lengths: Vec<Length> = outcome.rows.iter().map(|row| row.length).collect();
        let back = |side: &&SideRow| side.direction == "backward";
        let sides: Vec<SideRow> = outcome.sides.iter().filter(back).cloned().collect();
        (lengths, sides)
    };
    assert_eq!(told(&by_rank), told(&by_key));
    assert_eq!(told(&by_rank).1.len(), 3 * asked.to.len());
}

#[test]
fn a_budget_leaves_lower_bounds_that_hold() {
    let board = BOARDS[1];
    let mut asked = pairs(board, &some_states(board));
    (asked.radius, asked.budget) = (Some(1), Some(60));
    let outcome = found(&asked);
    assert!(!outcome.run.complete);
    let open = |length| matches!(length, Length::MoreThan { .. });
    assert!(outcome.rows.iter().any(|row| open(row.length)));
    check(&asked, &outcome);
}

#[test]
fn a_target_out_of_reach_is_shown_by_a_closed_ball() {
    let board = BOARDS[1];
    // Two coins next to each other in a corner reach nothing beyond their own rectangle.
    let states = ["oooo/oo../..../....", "..../..../..oo/oooo"].map(str::to_owned);
    for (radius, side) in [(None, Side::Backward), (Some(0), Side::Forward)] {
        let mut asked = pairs(board, &states);
        asked.radius = radius;
        let outcome = found(&asked);
        check(&asked, &outcome);
        for row in &outcome.rows {
            assert_eq!(row.length, Length::Unreachable { closed: side });
            let name = match side {
                Side::Forward => &row.from,
                Side::Backward => &row.to,
            };
            let of = |row: &SideRow| row.direction == side.name() && row.name == *name;
            assert!(outcome.sides.iter().any(|row| row.closed && of(row)));
        }
    }
}

#[test]
fn what_cannot_be_asked_gets_one_line() {
    refuses(
        ".",
        "pairs coin-sliding/custom | names no states
         pairs coin-sliding/5x7 --from A --to Ä | Ä
         pairs coin-sliding/5x7 --from A,A --to B | the same state",
    );
}

const STATES: &str = "oooo/oo../..../....,o.o./oooo/..../....,oo../oo../.o../o...";

#[test]
fn files_hold_a_path_for_every_pair_and_the_balls() {
    let line = format!(
        "pairs coin-sliding/custom --from {STATES} --to {STATES} --radius 1 --memory 64MiB --out out"
    );
    let folder = fresh();
    plays(
        &folder,
        &format!(
            r#"0 {line} | 6 pairs, 3 of 3 sources
               out/sides.csv ? | ,forward,
               out/pairs.html ? | <table class="matrix"
               no out/progress.jsonl
               0 {line} --resume | 2> out: the run there is finished
               2 {line} --resume --budget 3 | another command"#
        ),
    );
    assert_eq!(read(folder.join("out/pairs.csv")).lines().count(), 7);
}

#[test]
fn a_journal_spares_sources_and_belongs_to_its_run() -> Result<(), EngineError> {
    let folder = fresh();
    let path = folder.join("out");
    let board = BOARDS[1];
    let mut asked = pairs(board, &some_states(board));
    asked.radius = Some(0);
    let whole = found(&asked);
    // A stop that is requested at the start leaves a journal without sources.
    let stop = Stop::default();
    stop.request();
    asked.journal = Some((path.clone(), false));
    let stopped = lengths(&asked, &stop)?;
    assert!(!stopped.run.complete && stopped.rows.is_empty());

    let text = read(path.join("progress.jsonl"));
    let first: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    let identity = &first["identity"];
    let mark = "written by the test";
    let rows = whole.rows[..asked.to.len() - 1].to_vec();
    let mut first_source = Finished {
        inside: None,
        rows,
        sides: Vec::new(),
        disagreements: Vec::new(),
        expanded: 1 << 40,
    };
    first_source.rows[0].meeting = Some(mark.to_owned());
    let (work, pieces) = WorkFolder::open(&FolderPlace::out(&path, true), identity)?;
    assert!(pieces.is_empty());
    work.finish("source", &(0, &first_source))?;
    drop(work);

    asked.journal = Some((path.clone(), true));
    asked.budget = Some(7);
    let foreign = lengths(&asked, &Stop::default()).unwrap_err().to_string();
    foreign.has(["another run", "budget"]);
    asked.budget = None;
    let resumed = lengths(&asked, &Stop::default())?;
    assert_eq!(resumed.rows[0].meeting.as_deref(), Some(mark));
    assert_eq!(resumed.rows[1..], whole.rows[1..]);
    // That of all runs.
    let expanded = resumed.run.extra["states_expanded"].as_u64();
    assert!(expanded > Some(1 << 40), "{expanded:?}");
    // The journal stays until somebody has written the results out.
    assert!(resumed.run.complete && path.join("progress.jsonl").exists());
    Ok(())
}

/// A font of four boards on 4x4 with 6 coins, and a table of lengths between them with one
/// row wrong.
fn table_of_claims(folder: &Path) -> (String, String) {
    let board = BOARDS[1];
    let states = some_states(board);
    let outcome = found(&pairs(board, &states));
    let known = outcome.rows.iter();
    let known = known.filter_map(|row| Some((&row.from, &row.to, row.length.exactly()?)));
    let known: Vec<_> = known.collect();
    assert!(known.len() > 2);
    let rows = known.iter().enumerate().map(|(i, (from, to, moves))| {
        let moves = moves + u32::from(i == 1);
        format!("{from},{to},{moves}; ")
    });
    let [first, second] = [0, 1].map(|at| format!("{}-{}", known[at].0, known[at].1));
    let keys = format!(
        "kind = \"lengths\"; instance = \"custom\"; expect = \"refuted\"; refuted = [\"{second}\"]; table = '''; {}'''",
        rows.collect::<String>()
    );
    let claim = claims("coin-sliding", &[("t", &keys)]);
    fs::write(folder.join("my.toml"), &claim).unwrap();
    (claim, format!("t-{first}"))
}

#[test]
fn a_table_of_claims_gives_a_verdict_a_row() {
    let folder = fresh();
    let (claim, id) = table_of_claims(&folder);
    let certify = |id: &str| runs(&folder, &format!("certify --claims my.toml --out out {id}"));
    certify("").ended(0).out.has(["confirmed, 1 refuted"]);
    let csv = read(folder.join("out/claims.csv"));
    let lines = claim.lines();
    let rows = lines.filter(|line| line.matches(',').count() == 2).count();
    assert_eq!(csv.lines().count(), 2 + rows);
    assert_eq!(csv.matches(",length,").count(), rows);
    let certificate = json(folder.join("out/certificates/t.json"));
    let refuted = |row: &&Value| row["verdict"] == "refuted";
    let listed = certificate["rows"].as_array().unwrap();
    assert_eq!(listed.len(), rows);
    assert_eq!(listed.iter().filter(refuted).count(), 1);
    let wrong = listed.iter().find(refuted).unwrap();
    // The witness is a path that is shorter than was claimed.
    let states = &wrong["witnesses"][0]["kind"]["strip"]["states"];
    let claimed: usize = wrong["claimed"].as_str().unwrap().parse().unwrap();
    assert_eq!(states.as_array().unwrap().len(), claimed);
    // A folder on which the results rest is not missed in silence.
    fs::remove_dir_all(folder.join("out/t-pairs")).unwrap();
    let gone = runs(&folder, "report out").ended(1);
    gone.err.has(["out/t-pairs/manifest.json: it is missing"]);

    certify(&id).out.has(["1 confirmed"]);
    let unexpected = claim.replace("refuted = [", "refuted = [] #");
    fs::write(folder.join("my.toml"), unexpected).unwrap();
    certify("").ended(1);
}
