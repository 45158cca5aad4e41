//! What a check of every state leaves open, and derivations of a library.
//!
//! A counter stands on a square board of 11 by 11 and moves by one square; the middle is solved.
//! From the square below the first, no move leads up, which its predecessors do not tell.

use std::sync::Arc;

use antipode_check::analysis::{Checks, Request, analyse};
use antipode_check::verify::{ConsistencyScope, Proof};
use antipode_claims::{Context, Effort, Judged};
use antipode_graph::Library;
use antipode_reports::model::Verdict;
use antipode_search::progress::Stop;
use puzzle_api::optional::{Predecessors, SolvedStates};
use puzzle_api::{
    About, BadInput, Direction, Effort as Work, Family, Figure, InstanceInfo, Puzzle, Settings,
    puzzle_table,
};

const SIDE: u64 = 11;
const MIDDLE: u64 = SIDE * SIDE / 2;

struct Board;

struct BoardFamily;

impl Family for BoardFamily {
    fn about() -> About {
        let instance = |name: &str| InstanceInfo {
            name: name.into(),
            summary: String::new(),
        };
        About {
            name: "counter".into(),
            version: "1.0.0".into(),
            instances: vec![instance("board"), instance("other")],
            ..About::default()
        }
    }

    fn derivations() -> &'static [(&'static str, &'static [&'static str])] {
        &[("squares", &["of=one|all", "side=1..99:11", "way"])]
    }

    fn derive(_: &str, _: &Settings, _: Work) -> Result<Vec<Figure>, BadInput> {
        Ok(vec![
            Figure::new("value", SIDE * SIDE),
            Figure::new("instances", "board"),
        ])
    }
}

impl Puzzle for Board {
    type Key = u64;
    type State = u64;

    const VARIANT: &'static str = "reference";

    fn open(_: &puzzle_api::Request<'_>) -> Result<Self, BadInput> {
        Ok(Self)
    }

    fn successors(&self, &at: &u64, emit: &mut dyn FnMut(u64)) {
        let (x, y) = (at % SIDE, at / SIDE);
        let up = if at == SIDE { SIDE } else { y.wrapping_sub(1) };
        let places = [(x.wrapping_sub(1), y), (x + 1, y), (x, up), (x, y + 1)];
        let on_board = places.into_iter().filter(|&(x, y)| x < SIDE && y < SIDE);
        on_board.for_each(|(x, y)| emit(y * SIDE + x));
    }

    fn is_solved(&self, at: &u64) -> bool {
        *at == MIDDLE
    }

    fn key(&self, at: &u64) -> u64 {
        *at
    }

    fn state(&self, key: u64) -> u64 {
        key
    }

    fn parse(&self, text: &str) -> Result<u64, BadInput> {
        let place = text.replace('/', "").find('o');
        let place = place.ok_or_else(|| BadInput::new("write 11 rows of 11 squares"))?;
        Ok(place as u64)
    }

    fn draw(&self, at: &u64) -> String {
        let square = |cell| if cell == *at { 'o' } else { '.' };
        let row = |y| (y * SIDE..(y + 1) * SIDE).map(square).collect::<String>();
        (0..SIDE).map(row).collect::<Vec<_>>().join("/")
    }
}

impl SolvedStates for Board {
    fn solved_states(&self, _: u64, emit: &mut dyn FnMut(u64)) {
        emit(MIDDLE);
    }
}

impl Predecessors for Board {
    fn predecessors(&self, &at: &u64, emit: &mut dyn FnMut(u64)) {
        // Moves can be undone, all but those between the first square and the one below it.
        self.successors(&at, &mut |before| {
            if (before, at) != (SIDE, 0) {
                emit(before);
            }
        });
        if at == SIDE {
            emit(0);
        }
    }
}

fn library() -> Arc<Library> {
    Arc::new(Library::built_in(puzzle_table!(BoardFamily: Board)))
}

/// A claim about the board, decided at quick effort.
fn judged(library: &Arc<Library>, lines: &str) -> Result<Judged, String> {
    let mut context = Context::new(Effort::Quick, 1, 1, Stop::default());
    crate::judged(library, lines, &mut context)
}

const COUNT: &str =
    "kind = \"count\"\ninstance = \"board\"\ncount = \"solvable_states\"\nclaimed = 121";

/// If a move cannot be undone and nothing counts the states, some states may be missing although
/// all others are right; the verdict says so.
#[test]
fn what_stays_open_is_said() {
    let library = library();
    let request = Request {
        engine: Some("hash".parse().unwrap()),
        direction: Some(Direction::Backward),
        checks: Checks::only(ConsistencyScope::All),
        ..Request::new(Arc::clone(&library), "board".to_owned())
    };
    let analysis = analyse(&request, &Stop::default()).unwrap();
    assert!(!analysis.failed(), "{:?}", analysis.faults);
    assert!(
        matches!(analysis.proof, Proof::Open(_)),
        "{:?}",
        analysis.evidence
    );
    let why = "Left open, because some moves cannot be undone and the puzzle has no numbering";
    assert!(analysis.evidence[0].text.starts_with(why));
    let found = judged(&library, COUNT).unwrap().result;
    assert_ne!(found.verdict, Verdict::Confirmed);
    assert!(
        found.evidence[0].text.starts_with(why),
        "{:?}",
        found.evidence
    );
}

#[test]
fn a_derivation_is_asked_for_what_it_speaks_of() {
    let library = library();
    let derived = |more: &str| {
        let lines = format!("kind = \"derived\"\nderive = \"squares\"\nclaimed = 121\n{more}");
        judged(&library, &lines)
    };
    let verdict = derived("instance = \"board\"").unwrap().result.verdict;
    assert_eq!(verdict, Verdict::Confirmed);
    // Instances that were not requested are reported with the others.
    let judged = derived("parameters = { side = \"11\" }").unwrap();
    let asked = "of = one (not given), side = 11";
    assert_eq!(judged.cases[0].figures["parameters"], asked);
    assert!(judged.result.notes[0].contains(&format!("parameters: {asked}")));
    for (more, why) in [
        ("instance = \"other\"", "speaks of board, not of 'other'"),
        ("instances = [\"board\", \"other\"]", "not of 'other'"),
        ("instance = \"none\"", "no instance of counter 'none'"),
        ("instance = \"board\"\nboard = \"o\"", "takes no 'board'"),
    ] {
        let error = derived(more).unwrap_err();
        assert!(error.contains(why), "{error}");
        assert!(!error.contains('\n'), "{error}");
    }
}
