//! Lengths of many pairs at once, compared with one search per pair on the rulebook.

use std::fs;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use antipode_graph::{Graph, Library};
use antipode_reports::model::SideRow;
use antipode_search::engines::EngineError;
use antipode_search::forward::{ForwardSolver, Goal};
use antipode_search::many_to_many::{
    Finished, Length, Numbered, PairsOutcome, PairsRequest, Side, lengths,
};
use antipode_search::open::typed_graph;
use antipode_search::progress::Stop;
use antipode_search::registry::many;
use antipode_search::work::{FolderPlace, WorkFolder};
use proptest::prelude::*;
use puzzle_api::UNSOLVABLE;
use serde_json::Value;

use crate::support::{Ran, engine, run, run_in, settings};

/// The built-in coin sliding.
fn coins() -> Arc<Library> {
    static COINS: LazyLock<Arc<Library>> =
        LazyLock::new(|| Arc::new(Library::built_in(antipode_coin_sliding::table())));
    Arc::clone(&COINS)
}

/// A board small enough for a fast search, as settings.
type Board = (u32, u32, u32);

const BOARDS: [Board; 4] = [(4, 3, 5), (4, 4, 6), (3, 5, 6), (5, 3, 7)];

fn pairs_of((width, height, coins): Board) -> [(&'static str, String); 3] {
    [
        ("width", width.to_string()),
        ("height", height.to_string()),
        ("coins", coins.to_string()),
    ]
}

fn request(library: &Arc<Library>, board: Board, states: &[String]) -> PairsRequest {
    let pairs = pairs_of(board);
    let pairs: Vec<(&str, &str)> = pairs.iter().map(|(k, v)| (*k, v.as_str())).collect();
    PairsRequest {
        library: Arc::clone(library),
        instance: "custom".into(),
        settings: settings(&pairs),
        variant: None,
        from: states.to_vec(),
        to: states.to_vec(),
        numbered: None,
        radius: None,
        looked_at: 0,
        again: false,
        side_states: None,
        budget: None,
        memory: Some(1 << 28),
        threads: 1,
        journal: None,
        show_progress: false,
        command: Vec::new(),
    }
}

fn found(request: &PairsRequest) -> PairsOutcome {
    let outcome = lengths(request, &Stop::default()).unwrap();
    assert_eq!(outcome.disagreements, Vec::<String>::new());
    outcome
}

/// The rulebook's graph of a request.
fn rules(request: &PairsRequest) -> Graph<u64> {
    let library = &request.library;
    let variant = library.reference_variant();
    let opened = library.open(&request.instance, variant, &request.settings);
    typed_graph(opened.unwrap()).unwrap()
}

/// Boards drawn by rank, each once, as text.
fn drawn(board: Board, picks: &[u64]) -> Vec<String> {
    let graph = rules(&request(&coins(), board, &[]));
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
    let solver = ForwardSolver::new(rules(request));
    let graph = solver.graph();
    let count = request.from.len();
    assert_eq!(outcome.rows.len(), count * (count - 1));
    for row in &outcome.rows {
        let (from, to) = (
            graph.parse(&row.from).unwrap(),
            graph.parse(&row.to).unwrap(),
        );
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
        let mut asked = request(&coins(), board, &states);
        (asked.radius, asked.threads, asked.numbered) = (radius, threads, numbered);
        asked.side_states = most.filter(|_| radius.is_none());
        let outcome = found(&asked);
        prop_assert!(outcome.run.complete);
        check(&asked, &outcome);
    }
}

fn some_states(board: Board) -> Vec<String> {
    drawn(board, &[1, 77, 901, 1999, 4001])
}

/// Coin sliding has its own search loop, which finds every length again, on every board.
#[test]
fn the_puzzles_own_loop_finds_the_lengths_again() {
    for board in BOARDS {
        let mut asked = request(&coins(), board, &some_states(board));
        assert!(found(&asked).rows.iter().all(|row| !row.again));
        asked.again = true;
        let outcome = found(&asked);
        assert!(outcome.rows.len() > 1 && outcome.rows.iter().all(|row| row.again));
        check(&asked, &outcome);
    }
}

#[test]
fn threads_change_nothing_but_time() {
    let board = (4, 4, 6);
    let mut asked = request(&coins(), board, &some_states(board));
    asked.radius = Some(2);
    let one = found(&asked);
    asked.threads = 2;
    let two = found(&asked);
    assert_eq!(one.rows, two.rows);
    assert_eq!(one.sides, two.sides);
}

#[test]
fn keys_give_the_lengths_and_balls_that_ranks_give() {
    let board = (4, 4, 6);
    let mut asked = request(&coins(), board, &some_states(board));
    asked.radius = Some(2);
    let by_rank = found(&asked);
    assert_eq!(by_rank.run.extra["by_rank"], true);
    asked.numbered = Some(Numbered::ByKey);
    let by_key = found(&asked);
    assert_eq!(by_key.run.extra["by_rank"], false);
    let lengths = |outcome: &PairsOutcome| -> Vec<Length> {
        outcome.rows.iter().map(|row| row.length).collect()
    };
    assert_eq!(lengths(&by_rank), lengths(&by_key));
    // The outermost sides are complete in both, so an early end of a level has no effect.
    assert_eq!(backward(&by_rank), backward(&by_key));
    assert_eq!(backward(&by_rank).len(), 3 * asked.to.len());
}

fn backward(outcome: &PairsOutcome) -> Vec<SideRow> {
    let sides = outcome.sides.iter();
    let sides = sides.filter(|side| side.direction == "backward");
    sides.cloned().collect()
}

#[test]
fn engines_that_cannot_are_refused() {
    let board = (4, 4, 6);
    let mut asked = request(&coins(), board, &some_states(board));
    let by = |name: &str| many(engine(name), &asked, &Stop::default()).unwrap_err();
    let refused = by("sweep").to_string();
    assert!(refused.contains("does not look for"), "{refused}");
    asked.memory = Some(9 << 20);
    let by = |name: &str| many(engine(name), &asked, &Stop::default()).unwrap_err();
    let refused = by("dense").to_string();
    assert!(refused.contains("--engine hash"), "{refused}");
}

#[test]
fn a_budget_leaves_lower_bounds_that_hold() {
    let board = (4, 4, 6);
    let mut asked = request(&coins(), board, &some_states(board));
    (asked.radius, asked.budget) = (Some(1), Some(60));
    let outcome = found(&asked);
    assert!(!outcome.run.complete);
    let open = |length| matches!(length, Length::MoreThan { .. });
    assert!(outcome.rows.iter().any(|row| open(row.length)));
    check(&asked, &outcome);
}

#[test]
fn a_target_out_of_reach_is_shown_by_a_closed_ball() {
    let board = (4, 4, 6);
    // Two coins next to each other in a corner reach nothing beyond their own rectangle.
    let states = ["oooo/oo../..../....", "..../..../..oo/oooo"].map(str::to_owned);
    for (radius, side) in [(None, Side::Backward), (Some(0), Side::Forward)] {
        let mut asked = request(&coins(), board, &states);
        asked.radius = radius;
        let outcome = found(&asked);
        check(&asked, &outcome);
        for row in &outcome.rows {
            assert_eq!(row.length, Length::Unreachable { closed: side });
            let name = match side {
                Side::Forward => &row.from,
                Side::Backward => &row.to,
            };
            let closed =
                |row: &&SideRow| row.closed && row.direction == side.name() && row.name == *name;
            assert!(outcome.sides.iter().any(|row| closed(&row)));
        }
    }
}

#[test]
fn what_cannot_be_asked_gets_one_line() {
    let refused = |args: &[&str]| {
        let ran = run(&[&["pairs"], args].concat());
        assert_eq!((ran.code, ran.err.lines().count()), (2, 1), "{}", ran.err);
        ran.err
    };
    let nameless = refused(&["coin-sliding/custom"]);
    assert!(nameless.contains("names no states"), "{nameless}");
    let unknown = refused(&["coin-sliding/5x7", "--from", "A", "--to", "Ä"]);
    assert!(unknown.contains('Ä'), "{unknown}");
    let twice = refused(&["coin-sliding/5x7", "--from", "A,A", "--to", "B"]);
    assert!(twice.contains("the same state"), "{twice}");
    let memory = refused(&["coin-sliding/5x7", "--memory", "900TiB"]);
    assert!(memory.contains("free"), "{memory}");
}

const STATES: &str = "oooo/oo../..../....,o.o./oooo/..../....,oo../oo../.o../o...";

fn small(folder: &Path, more: &[&str]) -> Ran {
    let args = [
        "pairs",
        "coin-sliding/custom",
        "--from",
        STATES,
        "--to",
        STATES,
        "--radius",
        "1",
        "--memory",
        "64MiB",
        "--out",
        "out",
    ];
    run_in(folder, &[&args[..], more].concat())
}

#[test]
fn files_hold_a_path_for_every_pair_and_the_balls() {
    let folder = tempfile::tempdir().unwrap();
    let ran = small(folder.path(), &[]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("6 pairs, 3 of 3 sources"), "{}", ran.out);
    let out = folder.path().join("out");
    let pairs = fs::read_to_string(out.join("pairs.csv")).unwrap();
    assert_eq!(pairs.lines().count(), 7);
    assert!(
        fs::read_to_string(out.join("sides.csv"))
            .unwrap()
            .contains(",forward,")
    );
    assert!(
        fs::read_to_string(out.join("pairs.html"))
            .unwrap()
            .contains("<table class=\"matrix\"")
    );
    assert!(!out.join("progress.jsonl").exists());
    let before = fs::read(out.join("pairs.csv")).unwrap();
    let again = small(folder.path(), &["--resume"]);
    assert_eq!(again.code, 0, "{}", again.err);
    assert!(
        again.err.contains("out: the run there is finished"),
        "{}",
        again.err
    );
    assert_eq!(fs::read(out.join("pairs.csv")).unwrap(), before);
    let other = small(folder.path(), &["--resume", "--budget", "3"]);
    assert_eq!(other.code, 2, "{}", other.err);
    assert!(other.err.contains("another command"), "{}", other.err);
}

#[test]
fn a_journal_spares_sources_and_belongs_to_its_run() -> Result<(), EngineError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out");
    let board = (4, 4, 6);
    let mut asked = request(&coins(), board, &some_states(board));
    asked.radius = Some(0);
    let whole = found(&asked);
    // A stop that is requested at the start leaves a journal without sources.
    let stop = Stop::default();
    stop.request();
    asked.journal = Some((path.clone(), false));
    let stopped = lengths(&asked, &stop)?;
    assert!(!stopped.run.complete && stopped.rows.is_empty());

    let text = fs::read_to_string(path.join("progress.jsonl")).unwrap();
    let first: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    let identity = &first["identity"];
    let mark = "written by the test";
    let mut first_source = Finished {
        inside: None,
        rows: whole.rows[..asked.to.len() - 1].to_vec(),
        sides: Vec::new(),
        disagreements: Vec::new(),
    };
    first_source.rows[0].meeting = Some(mark.to_owned());
    let (work, pieces) = WorkFolder::open(&FolderPlace::out(&path, true), identity)?;
    assert!(pieces.is_empty());
    work.finish("source", &(0, &first_source))?;
    drop(work);

    asked.journal = Some((path.clone(), true));
    asked.budget = Some(7);
    let foreign = lengths(&asked, &Stop::default()).unwrap_err().to_string();
    assert!(
        foreign.contains("another run") && foreign.contains("budget"),
        "{foreign}"
    );
    asked.budget = None;
    let resumed = lengths(&asked, &Stop::default())?;
    assert_eq!(resumed.rows[0].meeting.as_deref(), Some(mark));
    assert_eq!(resumed.rows[1..], whole.rows[1..]);
    // The journal stays until somebody has written the results out.
    assert!(resumed.run.complete && path.join("progress.jsonl").exists());
    Ok(())
}

/// A font of four boards on 4x4 with 6 coins, and a table of lengths between them with one
/// row wrong.
fn table_of_claims(folder: &Path) -> (String, String) {
    let board = (4, 4, 6);
    let states = some_states(board);
    let outcome = found(&request(&coins(), board, &states));
    let known: Vec<_> = outcome
        .rows
        .iter()
        .filter(|row| row.length.exactly().is_some())
        .collect();
    assert!(known.len() > 2);
    let mut rows = String::new();
    for (i, row) in known.iter().enumerate() {
        let moves = row.length.exactly().unwrap() + u32::from(i == 1);
        rows += &format!("{},{},{moves}\n", row.from, row.to);
    }
    let claim = format!(
        "puzzle = \"coin-sliding\"\n\n[[claim]]\nid = \"t\"\nsource = \"s\"\nstatement = \"all\"\n\
         kind = \"lengths\"\ninstance = \"custom\"\nexpect = \"refuted\"\nrefuted = [\"{}-{}\"]\n\
         table = '''\n{rows}'''\n",
        known[1].from, known[1].to
    );
    fs::write(folder.join("my.toml"), &claim).unwrap();
    let id = format!("t-{}-{}", known[0].from, known[0].to);
    (claim, id)
}

#[test]
fn a_table_of_claims_gives_a_verdict_a_row() {
    let folder = tempfile::tempdir().unwrap();
    let (claim, id) = table_of_claims(folder.path());
    let certify = |more: &[&str]| {
        let args = ["certify", "--claims", "my.toml", "--out", "out"];
        run_in(folder.path(), &[&args[..], more].concat())
    };
    let ran = certify(&[]);
    assert_eq!(ran.code, 0, "{}\n{}", ran.out, ran.err);
    assert!(ran.out.contains("confirmed, 1 refuted"), "{}", ran.out);
    let csv = fs::read_to_string(folder.path().join("out/claims.csv")).unwrap();
    let rows = claim
        .lines()
        .filter(|line| line.matches(',').count() == 2)
        .count();
    assert_eq!(csv.lines().count(), 2 + rows);
    assert_eq!(csv.matches(",length,").count(), rows);
    let certificate = folder.path().join("out/certificates/t.json");
    let certificate: Value = serde_json::from_slice(&fs::read(certificate).unwrap()).unwrap();
    let refuted = |row: &&Value| row["verdict"] == "refuted";
    let listed = certificate["rows"].as_array().unwrap();
    assert_eq!(listed.len(), rows);
    assert_eq!(listed.iter().filter(refuted).count(), 1);
    let wrong = listed.iter().find(refuted).unwrap();
    // The witness is a path that is shorter than was claimed.
    let states = wrong["witnesses"][0]["kind"]["strip"]["states"]
        .as_array()
        .unwrap();
    let claimed: usize = wrong["claimed"].as_str().unwrap().parse().unwrap();
    assert_eq!(states.len(), claimed);

    let one = certify(&[&id]);
    assert!(one.out.contains("1 confirmed"), "{}\n{}", one.out, one.err);
    let unexpected = claim.replace("refuted = [", "refuted = [] #");
    fs::write(folder.path().join("my.toml"), unexpected).unwrap();
    let odd = certify(&[]);
    assert_eq!(odd.code, 1, "{}", odd.out);
}
