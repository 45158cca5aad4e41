//! Statements of a loaded library beyond its rulebook are unproven: no search ends in "there is no
//! path", "none is shorter" or "none has less" by them.

use std::ffi::c_void;
use std::sync::Arc;
use std::time::Duration;

use antipode_check::ask::{Lengths, LengthsRequest, PathReport, PathRequest, many, path, question};
use antipode_check::referee::Game;
use antipode_graph::Library;
use antipode_search::engine::EngineOptions;
use antipode_search::engines::dfs;
use antipode_search::outcome::{Floor, NoPathProof, Outcome};
use antipode_search::progress::Stop;
use puzzle_api::abi::{self, ANTIPODE_UNSUPPORTED, AntipodeTable};
use puzzle_api::optional::*;
use puzzle_api::{About, BadInput, Direction, Family, Puzzle, Settings, Swept, puzzle_table};

/// Moves from the start to 0: each takes away two, or one.
const MOVES: usize = 10;
const START: u64 = 2 * MOVES as u64;

const RULES: u8 = 0;
/// Says that there is no path.
const REFUTES: u8 = 1;
/// Does not know the moves from 10 and 11.
const LOSES: u8 = 2;
/// Knows no move that takes away two.
const SLOW: u8 = 3;
/// Its lower bound excludes the shortest path.
const OVERRATES: u8 = 4;
/// Can add one, so no sequence of moves ends.
const ROUND: u8 = 5;
/// Its own sweep meets every state two moves late.
const LATE: u8 = 6;

/// Paths from a place to another differ in length, so only a liar says that it is layered; `dfs`
/// requires that.
struct Line<const KIND: u8, const LAYERED: bool>;
struct Lines;

impl Family for Lines {
    fn about() -> About {
        crate::about("line", &["twenty"])
    }
}

impl<const KIND: u8, const LAYERED: bool> Puzzle for Line<KIND, LAYERED> {
    type Key = u64;
    type State = u64;

    const VARIANT: &'static str = if KIND == RULES { "reference" } else { "fast" };

    fn open(_: &puzzle_api::Request<'_>) -> Result<Self, BadInput> {
        Ok(Self)
    }

    fn starts(&self, emit: &mut dyn FnMut(u64)) {
        emit(START);
    }

    fn successors(&self, at: &u64, emit: &mut dyn FnMut(u64)) {
        if KIND == LOSES && (10..12).contains(at) {
            return;
        }
        if KIND == ROUND && (5..START).contains(at) {
            emit(at + 1);
        }
        at.checked_sub(1).into_iter().for_each(&mut *emit);
        if KIND != SLOW {
            at.checked_sub(2).into_iter().for_each(emit);
        }
    }

    fn is_solved(&self, at: &u64) -> bool {
        *at == 0
    }

    fn key(&self, at: &u64) -> u64 {
        *at
    }

    fn state(&self, key: u64) -> u64 {
        key
    }

    fn parse(&self, text: &str) -> Result<u64, BadInput> {
        text.parse().map_err(|_| BadInput::new("write a number"))
    }

    fn draw(&self, at: &u64) -> String {
        at.to_string()
    }

    fn refute(&self, _: &u64, _: Option<&u64>) -> Option<String> {
        (KIND == REFUTES).then(|| "it cannot be".to_owned())
    }
}

impl<const KIND: u8> Layered for Line<KIND, true> {}

impl<const KIND: u8, const LAYERED: bool> SolvedStates for Line<KIND, LAYERED> {
    fn solved_states(&self, _: u64, emit: &mut dyn FnMut(u64)) {
        emit(0);
    }
}

impl<const LAYERED: bool> Predecessors for Line<ROUND, LAYERED> {
    fn predecessors(&self, at: &u64, emit: &mut dyn FnMut(u64)) {
        (at + 1..=at + 2).for_each(&mut *emit);
        at.checked_sub(1)
            .filter(|from| (5..START).contains(from))
            .into_iter()
            .for_each(emit);
    }
}

impl<const KIND: u8, const LAYERED: bool> Objective for Line<KIND, LAYERED> {
    fn objective(&self, at: &u64) -> u64 {
        // A solved state has a greater measure than the ends of the lost paths.
        if *at == 0 { 5 } else { *at }
    }
}

impl Sweep for Line<LATE, false> {
    fn sweeps(&self, _: Direction, from: Option<&u64>) -> Option<u64> {
        from.map(|_| 0)
    }

    fn sweep(
        &self,
        _: Direction,
        from: Option<&u64>,
        _: u64,
        only: &[u64],
        emit: &mut dyn FnMut(Swept<'_, u64>) -> bool,
    ) {
        for &at in only {
            let moves = from.map_or(0, |from| (from - at).div_ceil(2));
            emit(Swept {
                keys: &[at],
                depths: &[moves as u16 + 2],
                orbit_size: 1,
            });
        }
    }
}

impl LowerBound for Line<OVERRATES, false> {
    fn lower_bound(&self, at: &u64) -> u64 {
        if *at == START - 2 { 1000 } else { 0 }
    }
}

fn library(table: &'static AntipodeTable, loaded: bool) -> Arc<Library> {
    Arc::new(match loaded {
        true => crate::loaded(table),
        false => Library::built_in(table),
    })
}

fn request(library: Arc<Library>, engine: Option<&str>) -> PathRequest {
    PathRequest {
        variant: Some("fast".into()),
        engine: engine.map(|name| name.parse().unwrap()),
        options: EngineOptions::threads(1),
        ..PathRequest::new(library, "twenty".into())
    }
}

fn asked(library: Arc<Library>, engine: Option<&str>) -> Result<PathReport, String> {
    let report = path(&request(library, engine), &Stop::default());
    report.map_err(|error| error.to_string())
}

fn refuting(layered: bool) -> &'static AntipodeTable {
    match layered {
        true => puzzle_table!(Lines: Line<REFUTES, true>, Line<RULES, true>),
        false => puzzle_table!(Lines: Line<REFUTES, false>, Line<RULES, false>),
    }
}

fn losing(layered: bool) -> &'static AntipodeTable {
    match layered {
        true => puzzle_table!(Lines: Line<LOSES, true>, Line<RULES, true>),
        false => puzzle_table!(Lines: Line<LOSES, false>, Line<RULES, false>),
    }
}

fn slow() -> &'static AntipodeTable {
    puzzle_table!(Lines: Line<SLOW, false>, Line<RULES, false>)
}

fn overrating() -> &'static AntipodeTable {
    puzzle_table!(Lines: Line<OVERRATES, false>, Line<RULES, false>)
}

#[test]
fn a_lower_bound_is_held_against_the_rulebook() {
    let lie = asked(library(overrating(), true), Some("ida")).unwrap_err();
    assert!(lie.contains("11 moves by variant fast"), "{lie}");
    assert!(lie.contains("10 moves by its rulebook alone"), "{lie}");
    assert!(!lie.contains('\n'), "{lie}");
}

/// No engine is named here.
#[test]
fn what_is_missing_or_declined_is_not_used() {
    extern "C" fn declines(_: *const c_void, _: *const u64, _: usize, _: *mut u64) -> i32 {
        ANTIPODE_UNSUPPORTED
    }
    type Fast = Line<REFUTES, true>;
    let (mut fast, rules) = (
        abi::variant::<u64, Fast>(),
        abi::variant::<u64, Line<RULES, true>>(),
    );
    puzzle_api::detect!(Fast, &mut fast);
    fast.time_reversal = Some(declines);
    fast.objective = Some(declines);
    fast.lower_bound = Some(declines);
    for table in [refuting(true), abi::table::<u64, Lines>(vec![fast, rules])] {
        let request = request(library(table, true), None);
        let game = Game::solve(request, Duration::from_secs(60), &Stop::default());
        assert_eq!(game.unwrap().shortest(), MOVES.to_string());
    }
}

#[test]
fn a_refutation_is_heard_of_what_is_built_in_alone() {
    let own = asked(library(refuting(false), false), None).unwrap();
    assert!(matches!(
        own.outcome,
        Outcome::Unreachable(NoPathProof::Puzzle(_))
    ));
    for engine in ["reference", "hash", "dfs"] {
        let loaded = asked(library(refuting(engine == "dfs"), true), Some(engine)).unwrap();
        assert!(
            loaded.length().is_some_and(|moves| moves >= MOVES),
            "{engine}"
        );
    }
}

#[test]
fn that_there_is_no_path_is_held_against_the_rulebook() {
    for engine in ["reference", "hash", "dfs"] {
        let lie = asked(library(losing(engine == "dfs"), true), Some(engine)).unwrap_err();
        assert!(lie.contains("no path by variant fast"), "{lie}");
        assert!(lie.contains("10 moves by its rulebook alone"), "{lie}");
        assert!(!lie.contains('\n'), "{lie}");
    }
}

#[test]
fn that_no_path_is_shorter_is_held_against_the_rulebook() {
    for engine in ["reference", "hash"] {
        let lie = asked(library(slow(), true), Some(engine)).unwrap_err();
        assert!(lie.contains("20 moves by variant fast"), "{lie}");
    }
}

#[test]
fn the_fewest_of_a_loaded_variant_bounds_nothing() {
    let fewest = |loaded: bool| {
        let request = request(library(refuting(true), loaded), Some("dfs"));
        let question = question(&request).unwrap();
        let options = dfs::DfsOptions::of(&request.options);
        let found = dfs::fewest(&question.graph, question.start, &options, &Stop::default());
        found.unwrap().0
    };
    // Every line ends at 0, which has 5; the refutation says that none does.
    let own = fewest(false);
    assert_eq!((own.best, own.at_least), (5, 5));
    let loaded = fewest(true);
    assert_eq!(
        (loaded.best, loaded.at_least, loaded.is_exact()),
        (5, 0, false)
    );
    let rulebook = |why: &Floor| match why {
        Floor::SearchedOf { rulebook, .. } => Some(rulebook.clone()),
        _ => None,
    };
    assert_eq!(rulebook(&loaded.why).as_deref(), Some("reference"));
}

/// Lengths from 20 to 0, and the rulebook's check of the two sides.
fn lengths(table: &'static AntipodeTable, loaded: bool, looked_at: usize) -> Lengths {
    let request = LengthsRequest {
        library: library(table, loaded),
        instance: "twenty".into(),
        settings: Settings::new(),
        variant: None,
        from: vec![START.to_string()],
        to: vec!["0".into()],
        numbered: None,
        radius: None,
        side_states: None,
        budget: None,
        memory: Some(1 << 28),
        looked_at,
        again: true,
        threads: 1,
        journal: None,
        show_progress: false,
        command: Vec::new(),
    };
    many(None, &request, &Stop::default()).unwrap()
}

#[test]
fn sides_are_held_against_the_rulebook() {
    let honest = lengths(refuting(false), true, 100);
    assert_eq!(honest.rows[0].length.exactly(), Some(MOVES as u32));
    let [forward, backward] = honest.sides_of("20", "0");
    assert!(forward.unwrap().proven() && backward.unwrap().proven());
    assert!(forward.unwrap().looked_at > 10);
    // Every state is met in the end, but two levels late.
    let slow = lengths(slow(), true, 100);
    assert_eq!(slow.rows[0].length.exactly(), Some(START as u32));
    let [forward, _] = slow.sides_of("20", "0");
    assert!(!forward.unwrap().proven());
    let line = &slow.disagreements[0];
    assert!(
        line.starts_with("the forward side of 20 lacks a neighbour of"),
        "{line}"
    );
    let unseen = lengths(refuting(false), true, 0);
    assert!(!unseen.sides_of("20", "0")[0].unwrap().proven());
}

/// Two computations that differ confirm nothing; the loop of a loaded library is not used.
#[test]
fn a_loop_of_its_own_that_finds_another_length_is_told() {
    let late = || puzzle_table!(Lines: Line<LATE, false>, Line<RULES, false>);
    let told = lengths(late(), false, 100);
    assert_eq!(told.rows[0].length.exactly(), Some(MOVES as u32));
    assert!(!told.rows[0].again);
    let line = "the path from 20 to 0 has another length by the puzzle's own sweep, 12";
    assert_eq!(told.disagreements, [line]);
    let loaded = lengths(late(), true, 100);
    assert!(!loaded.rows[0].again && loaded.disagreements.is_empty());
}

/// Layers are only a library's statement: a walk that rests on them ends when a state comes back.
#[test]
fn layers_that_are_none_end_the_search() {
    let round = || puzzle_table!(Lines: Line<ROUND, true>, Line<RULES, true>);
    let elsewhere = |engine| {
        let mut request = request(library(round(), true), Some(engine));
        // Unreachable, so every sequence of moves is followed; paths there have no end.
        request.from = Some("19".into());
        request.to = Some("30".into());
        path(&request, &Stop::default()).map_err(|error| error.to_string())
    };
    for engine in ["hash", "dfs", "beam"] {
        let lie = elsewhere(engine).map(|report| report.outcome).unwrap_err();
        assert!(
            lie.contains("facts says that the puzzle is layered"),
            "{engine}: {lie}"
        );
        assert!(lie.contains("comes up after"), "{engine}: {lie}");
        assert!(!lie.contains('\n'), "{lie}");
    }
}
