//! A graph with more levels than distances can count: no engine counts some of it, and the oracle
//! returns no distance that it cannot represent.

use std::sync::Arc;

use antipode_check::analysis::{Request, analyse};
use antipode_check::ask::{PathRequest, path};
use antipode_graph::{Graph, Library};
use antipode_search::engine::EngineOptions;
use antipode_search::engines::EngineError;
use antipode_search::forward::{ForwardSolver, Goal};
use antipode_search::outcome::{Outcome, counted};
use antipode_search::progress::Stop;
use puzzle_api::abi::AntipodeTable;
use puzzle_api::optional::*;
use puzzle_api::{About, BadInput, Direction, Family, Puzzle, Settings, UNSOLVABLE, puzzle_table};

/// States 0 to here, each one move away from its neighbours. 0 is solved.
const LAST: u64 = 65_600;
/// The deepest level that distances count.
const DEEPEST: u32 = 65_533;

/// Three instances lie: `few` about the number of ranks, `two` about what is solved, and `one` about
/// the rank of a state.
struct Path<const RULES: bool>(String);
struct Paths;

impl Family for Paths {
    fn about() -> About {
        crate::about("path", &["long", "few", "two", "one"])
    }
}

fn neighbours(at: u64, emit: &mut dyn FnMut(u64)) {
    at.checked_sub(1).into_iter().for_each(&mut *emit);
    (at < LAST).then_some(at + 1).into_iter().for_each(emit);
}

impl<const RULES: bool> Puzzle for Path<RULES> {
    type Key = u64;
    type State = u64;

    const VARIANT: &'static str = if RULES { "reference" } else { "fast" };

    fn open(asked: &puzzle_api::Request<'_>) -> Result<Self, BadInput> {
        Ok(Self(asked.instance.to_owned()))
    }

    fn starts(&self, emit: &mut dyn FnMut(u64)) {
        emit(LAST);
    }

    fn successors(&self, at: &u64, emit: &mut dyn FnMut(u64)) {
        neighbours(*at, emit);
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
}

impl<const RULES: bool> SolvedStates for Path<RULES> {
    fn solved_states(&self, _: u64, emit: &mut dyn FnMut(u64)) {
        let solved = if self.0 == "two" { 2 } else { 1 };
        (0..solved).for_each(emit);
    }
}

impl<const RULES: bool> Predecessors for Path<RULES> {
    fn predecessors(&self, at: &u64, emit: &mut dyn FnMut(u64)) {
        neighbours(*at, emit);
    }
}

impl<const RULES: bool> Numbering for Path<RULES> {
    fn space(&self, part: u64) -> Option<u64> {
        let ranks = if self.0 == "few" { 2 } else { LAST + 1 };
        (part == 0).then_some(ranks)
    }

    fn place(&self, at: &u64) -> Option<Placement> {
        let is_lie = self.0 == "one" && *at == 700;
        let rank = if is_lie { 3 } else { *at };
        Some(Placement { part: 0, rank })
    }

    fn unrank(&self, placement: Placement) -> Option<u64> {
        (placement.part == 0).then_some(placement.rank)
    }
}

/// Delivers one state and claims that it is all.
impl<const RULES: bool> Sweep for Path<RULES> {
    fn sweep(
        &self,
        _: Direction,
        _: Option<&u64>,
        _: u64,
        _: &[u64],
        emit: &mut dyn FnMut(Swept<'_, u64>) -> bool,
    ) {
        emit(Swept {
            keys: &[0],
            depths: &[0],
            orbit_size: 1,
        });
    }
}

fn library() -> Arc<Library> {
    let table: &'static AntipodeTable = puzzle_table!(Paths: Path<false>, Path<true>);
    Arc::new(Library::built_in(table))
}

/// An engine that stopped at the deepest level called the states behind it unsolvable.
#[test]
fn engines_refuse_more_levels_than_distances_count() {
    let mut refused = 0;
    for direction in [Direction::Backward, Direction::Forward] {
        for engine in ["reference", "dense"] {
            let request = Request {
                engine: Some(engine.parse().unwrap()),
                direction: Some(direction),
                ..Request::new(library(), "long".into())
            };
            match analyse(&request, &Stop::default()) {
                Err(EngineError::TooDeep(line)) => {
                    assert!(line.contains("path/long: deeper than"), "{line}");
                    // A table that holds fewer levels is changed for one that holds more.
                    assert!(line.contains("by --max-depth"), "{line}");
                    refused += 1;
                }
                other => panic!("{engine}: {other:?}"),
            }
        }
    }
    assert!(refused == 4, "{refused}");
    // Within the counted levels, there is an answer.
    let request = Request {
        engine: Some("reference".parse().unwrap()),
        max_depth: Some(DEEPEST as u16),
        ..Request::new(library(), "long".into())
    };
    let analysis = analyse(&request, &Stop::default()).unwrap();
    assert_eq!(analysis.levels.max_depth(), Some(DEEPEST));
    assert!(!analysis.run.complete);
}

/// A path may be longer than levels are deep; a distance beyond them is unknown.
#[test]
fn a_path_of_more_moves_than_levels_is_right_and_has_no_distance() {
    let request = PathRequest {
        engine: Some("reference".parse().unwrap()),
        options: EngineOptions::threads(1),
        ..PathRequest::new(library(), "long".into())
    };
    let report = path(&request, &Stop::default()).unwrap();
    let Outcome::Path(found) = report.outcome else {
        panic!("{:?}", report.outcome)
    };
    assert!(found.shortest && found.states.len() as u64 == LAST + 1);
    assert_eq!(counted(DEEPEST), Some(DEEPEST as u16));
    assert_eq!(counted(DEEPEST + 1), None);
    let opened = library()
        .open("long", "reference", &Settings::new())
        .unwrap();
    let solver = ForwardSolver::new(Graph::<u64>::new(opened).unwrap());
    let within = |from| solver.within(from, &Goal::Solved, u64::MAX).unwrap().0;
    assert_eq!(within(u64::from(DEEPEST)), Some(DEEPEST as u16));
    assert_eq!(within(LAST), None);
    assert_ne!(within(LAST), Some(UNSOLVABLE));
}

/// A loaded library's own count of states agrees with the levels, whichever engine found them, and
/// what it lists as solved is.
#[test]
fn levels_that_a_library_contradicts_are_refused() {
    let library = Arc::new(crate::loaded(puzzle_table!(Paths: Path<false>, Path<true>)));
    let counts =
        |ranks, states| format!("space counts {ranks} states, and the levels have {states}");
    let not_solved = || "lists a state that is_solved says is not solved: 1".to_owned();
    for (engine, instance, max_depth, said) in [
        ("sweep", "long", None, counts(LAST + 1, 1)),
        ("hash", "few", Some(3), counts(2, 4)),
        ("reference", "few", Some(3), counts(2, 4)),
        ("hash", "two", Some(3), not_solved()),
        ("dense", "two", Some(3), not_solved()),
        (
            "dense",
            "one",
            None,
            "gives for rank 700 of part 0 what is no state of that rank".to_owned(),
        ),
    ] {
        let request = Request {
            engine: Some(engine.parse().unwrap()),
            direction: Some(Direction::Backward),
            max_depth,
            ..Request::new(Arc::clone(&library), instance.into())
        };
        let line = analyse(&request, &Stop::default()).unwrap_err().to_string();
        assert!(line.contains(&said), "{engine}: {line}");
    }
}
