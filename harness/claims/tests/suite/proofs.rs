//! Results labelled "confirmed" of a small puzzle, sound or with one fault that samples hardly
//! meet, and their check of every state by the rules.
//!
//! A counter stands on a square board of 11 by 11 and moves by one square; the middle is solved.
//! The board's eight symmetries are the puzzle's, the corners its antipodes.

use std::sync::Arc;

use antipode_check::analysis::{Analysis, Checks, Request, analyse};
use antipode_check::verify::{ConsistencyScope, Proof};
use antipode_claims::{Context, Effort, Judged};
use antipode_graph::Library;
use antipode_reports::model::Verdict;
use antipode_search::progress::Stop;
use puzzle_api::abi::AntipodeTable;
use puzzle_api::optional::*;
use puzzle_api::{
    About, BadInput, Direction, Effort as Work, Family, Figure, InstanceInfo, Puzzle, Settings,
    puzzle_table,
};

const SIDE: u64 = 11;
const LAST: u64 = SIDE - 1;
const MIDDLE: u64 = 5;
/// Boards in a tower, each a part; the tower is numbered, the plain board is not.
const PARTS: u64 = 200;

const NONE: u8 = 0;
const CORNERS_WITHOUT_PREDECESSORS: u8 = 1;
const TWO_REPRESENTATIVES: u8 = 2;
const WRONG_ORBIT_SIZE: u8 = 3;
const READS_ANOTHER_BOARD: u8 = 4;
const A_STATE_LOST_IN_ONE_PART: u8 = 5;
const IMAGE_THAT_IS_NONE: u8 = 6;
const RANK_GIVEN_TWICE: u8 = 7;
const MIDDLE_NOT_LISTED: u8 = 8;
/// The rules themselves: from the corner next to the first square, no move leads back.
const TRAPDOOR: u8 = 9;

#[derive(Clone, Copy, PartialEq, Eq)]
struct At {
    part: u64,
    x: u64,
    y: u64,
}

impl At {
    fn of(key: u64) -> Self {
        let (part, square) = (key / (SIDE * SIDE), key % (SIDE * SIDE));
        Self {
            part,
            x: square % SIDE,
            y: square / SIDE,
        }
    }

    fn key(self) -> u64 {
        (self.part * SIDE + self.y) * SIDE + self.x
    }

    fn is_corner(self) -> bool {
        self.x.is_multiple_of(LAST) && self.y.is_multiple_of(LAST)
    }

    fn image(self, index: u32) -> Self {
        let flip = |n: u64, bit: u32| if index >> bit & 1 == 1 { LAST - n } else { n };
        let (x, y) = (flip(self.x, 0), flip(self.y, 1));
        let (x, y) = if index >> 2 == 1 { (y, x) } else { (x, y) };
        Self { x, y, ..self }
    }
}

/// The board with a fault; `FAST` is the variant next to an honest rulebook, `TOWER` has parts.
struct Board<const FAULT: u8, const FAST: bool, const TOWER: bool>;

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

impl<const FAULT: u8, const FAST: bool, const TOWER: bool> Puzzle for Board<FAULT, FAST, TOWER> {
    type Key = u64;
    type State = At;

    const VARIANT: &'static str = if FAST { "fast" } else { "reference" };

    fn open(_: &puzzle_api::Request<'_>) -> Result<Self, BadInput> {
        Ok(Self)
    }

    fn successors(&self, &at: &At, emit: &mut dyn FnMut(At)) {
        let trapped = FAULT == TRAPDOOR
            && at
                == (At {
                    part: 0,
                    x: 0,
                    y: 1,
                });
        let (x, y) = (at.x, at.y);
        let places = [
            (x.wrapping_sub(1), y),
            (x + 1, y),
            (x, if trapped { SIDE } else { y.wrapping_sub(1) }),
            (x, y + 1),
        ];
        let on_board = places.into_iter().filter(|&(x, y)| x < SIDE && y < SIDE);
        on_board.for_each(|(x, y)| emit(At { x, y, ..at }));
    }

    fn is_solved(&self, at: &At) -> bool {
        (at.x, at.y) == (MIDDLE, MIDDLE)
    }

    fn key(&self, at: &At) -> u64 {
        at.key()
    }

    fn state(&self, key: u64) -> At {
        At::of(key)
    }

    fn parse(&self, text: &str) -> Result<At, BadInput> {
        // A tower's boards differ by the part, before the rows.
        let (part, text) = match text.split_once('/') {
            Some((part, rows)) if TOWER => (part.parse().unwrap_or_default(), rows),
            _ => (0, text),
        };
        let squares: String = text.split('/').collect();
        let at = squares
            .find('o')
            .filter(|_| squares.len() as u64 == SIDE * SIDE);
        let at = at.map(|square| At {
            part,
            ..At::of(square as u64)
        });
        let read = at.ok_or_else(|| BadInput::new("write 11 rows of 11 squares"))?;
        Ok(
            match FAULT == READS_ANOTHER_BOARD && (read.x, read.y) == (1, 2) {
                true => At { x: 0, y: 0, ..read },
                false => read,
            },
        )
    }

    fn draw(&self, at: &At) -> String {
        let square = |x, y| if (x, y) == (at.x, at.y) { 'o' } else { '.' };
        let row = |y| (0..SIDE).map(|x| square(x, y)).collect::<String>();
        let rows = (0..SIDE).map(row).collect::<Vec<_>>().join("/");
        match TOWER {
            true => format!("{}/{rows}", at.part),
            false => rows,
        }
    }
}

impl<const FAULT: u8, const FAST: bool, const TOWER: bool> SolvedStates
    for Board<FAULT, FAST, TOWER>
{
    fn solved_states(&self, part: u64, emit: &mut dyn FnMut(At)) {
        if FAULT != MIDDLE_NOT_LISTED {
            emit(At {
                part,
                x: MIDDLE,
                y: MIDDLE,
            });
        }
    }
}

impl<const FAULT: u8, const FAST: bool, const TOWER: bool> Predecessors
    for Board<FAULT, FAST, TOWER>
{
    fn predecessors(&self, at: &At, emit: &mut dyn FnMut(At)) {
        let honest = Board::<NONE, FAST, TOWER>;
        honest.successors(at, &mut |before| {
            let lost = match FAULT {
                CORNERS_WITHOUT_PREDECESSORS => before.is_corner(),
                A_STATE_LOST_IN_ONE_PART => before.part == 137 && before.is_corner(),
                TRAPDOOR => before.key() == SIDE && at.key() == 0,
                _ => false,
            };
            if !lost {
                emit(before);
            }
        });
    }
}

impl<const FAULT: u8, const FAST: bool, const TOWER: bool> Symmetry for Board<FAULT, FAST, TOWER> {
    fn symmetry_count(&self) -> u32 {
        if FAULT == TRAPDOOR { 1 } else { 8 }
    }

    fn image(&self, at: &At, index: u32) -> At {
        let image = at.image(index);
        match FAULT == IMAGE_THAT_IS_NONE && image.key() == 1 {
            true => At::of(2),
            false => image,
        }
    }

    fn canonical(&self, at: &At) -> At {
        let images = (0..8).map(|index| at.image(index).key());
        let least = At::of(images.min().unwrap_or_default());
        // The knight's-move squares of the lower half have their own representative.
        let split = FAULT == TWO_REPRESENTATIVES && least.key() == 1 && at.y > MIDDLE;
        if FAULT == TRAPDOOR {
            *at
        } else if split {
            At { y: LAST, ..least }
        } else {
            least
        }
    }

    fn orbit_size(&self, at: &At) -> u32 {
        let mut images: Vec<u64> = (0..8).map(|index| at.image(index).key()).collect();
        images.sort_unstable();
        images.dedup();
        match FAULT {
            TRAPDOOR => 1,
            WRONG_ORBIT_SIZE if images[0] == 1 => 4,
            TWO_REPRESENTATIVES if images[0] == 1 => 4,
            _ => images.len() as u32,
        }
    }
}

impl<const FAULT: u8, const FAST: bool> Numbering for Board<FAULT, FAST, true> {
    fn space(&self, _: u64) -> Option<u64> {
        Some(SIDE * SIDE)
    }

    fn place(&self, at: &At) -> Option<Placement> {
        Some(Placement {
            part: at.part,
            rank: match (FAULT, at.key()) {
                (RANK_GIVEN_TWICE, 1) => 2,
                (_, key) => key % (SIDE * SIDE),
            },
        })
    }

    fn unrank(&self, placement: Placement) -> Option<At> {
        Some(At::of(placement.part * SIDE * SIDE + placement.rank))
    }

    fn part_count(&self) -> u64 {
        PARTS
    }
}

/// The library of a fault: alone, as the rulebook, or next to an honest one.
macro_rules! library {
    ($fault:ident alone) => {
        of(puzzle_table!(BoardFamily: Board<$fault, false, false>))
    };
    ($fault:ident alone in a tower) => {
        of(puzzle_table!(BoardFamily: Board<$fault, false, true>))
    };
    ($fault:ident) => {
        of(puzzle_table!(BoardFamily: Board<$fault, true, false>, Board<NONE, false, false>))
    };
    ($fault:ident tower) => {
        of(puzzle_table!(BoardFamily: Board<$fault, true, true>, Board<NONE, false, true>))
    };
}

fn of(table: &'static AntipodeTable) -> Arc<Library> {
    Arc::new(Library::built_in(table))
}

fn checked(library: &Arc<Library>, consistency: ConsistencyScope) -> Analysis {
    let request = Request {
        engine: Some("hash".parse().unwrap()),
        direction: Some(Direction::Backward),
        threads: 2,
        checks: Checks::only(consistency),
        ..Request::new(Arc::clone(library), "board".to_owned())
    };
    analyse(&request, &Stop::default()).unwrap()
}

/// A claim about the board, decided at quick effort.
fn judged(library: &Arc<Library>, lines: &str) -> Result<Judged, String> {
    let mut context = Context::new(Effort::Quick, 1, 1, Stop::default());
    crate::judged(library, lines, &mut context)
}

const COUNT: &str =
    "kind = \"count\"\ninstance = \"board\"\ncount = \"solvable_states\"\nclaimed = ";

fn verdict(library: &Arc<Library>, claimed: u64) -> Verdict {
    let lines = format!("{COUNT}{claimed}");
    judged(library, &lines).unwrap().result.verdict
}

#[test]
fn an_honest_board_is_proven_and_its_claims_confirmed() {
    for library in [library!(NONE alone), library!(NONE)] {
        let analysis = checked(&library, ConsistencyScope::All);
        assert_eq!(analysis.proof, Proof::Complete, "{:?}", analysis.evidence);
        let text = &analysis.evidence[0].text;
        assert!(text.contains("All 121 states of 21 orbits"), "{text}");
        assert!(text.contains("can be undone"), "{text}");
        assert_eq!(verdict(&library, 121), Verdict::Confirmed);
        assert_eq!(verdict(&library, 117), Verdict::Refuted);
    }
    let analysis = checked(&library!(NONE tower), ConsistencyScope::All);
    assert_eq!(analysis.proof, Proof::Complete, "{:?}", analysis.evidence);
    assert!(analysis.evidence[0].text.contains("The ranks are counted"));
}

/// The check of all states finds each fault, whether the rulebook is honest or has the fault too.
/// No claim about it is confirmed, with the true figure or the false one.
fn found(library: &Arc<Library>, rule: &str, figures: &[u64]) {
    let analysis = checked(library, ConsistencyScope::All);
    assert_eq!(analysis.proof, Proof::None);
    let faults = analysis.faults.join("\n");
    assert!(faults.contains(rule), "{faults}");
    for &figure in figures {
        assert_eq!(verdict(library, figure), Verdict::NotReached, "{figure}");
    }
}

#[test]
fn antipodes_that_no_predecessors_lead_to() {
    let rule = "leads to a state delivered, and the run did not deliver it";
    found(
        &library!(CORNERS_WITHOUT_PREDECESSORS alone),
        rule,
        &[117, 121],
    );
    found(&library!(CORNERS_WITHOUT_PREDECESSORS), rule, &[117, 121]);
}

#[test]
fn one_orbit_with_two_representatives() {
    for library in [
        library!(TWO_REPRESENTATIVES alone),
        library!(TWO_REPRESENTATIVES),
    ] {
        found(
            &library,
            "an image of it has another canonical form",
            &[121],
        );
    }
}

#[test]
fn an_orbit_that_counts_for_half_of_its_states() {
    let rule = "counts as another number of states than its orbit has";
    found(&library!(WRONG_ORBIT_SIZE alone), rule, &[117, 121]);
    found(&library!(WRONG_ORBIT_SIZE), rule, &[117, 121]);
}

#[test]
fn an_image_that_is_none() {
    let library = library!(IMAGE_THAT_IS_NONE alone);
    assert_eq!(checked(&library, ConsistencyScope::All).proof, Proof::None);
    assert_eq!(verdict(&library, 121), Verdict::NotReached);
}

#[test]
fn a_rank_that_two_states_have() {
    found(
        &library!(RANK_GIVEN_TWICE alone in a tower),
        "its rank is that of another state",
        &[],
    );
}

#[test]
fn a_solved_state_that_is_not_listed() {
    let library = library!(MIDDLE_NOT_LISTED alone);
    assert_ne!(
        checked(&library, ConsistencyScope::All).proof,
        Proof::Complete
    );
    assert_ne!(verdict(&library, 0), Verdict::Confirmed);
}

/// Of 200 parts, one lacks a state: checking 24 of them proves nothing, and finds nothing.
#[test]
fn a_state_lost_in_one_part_of_200() {
    let library = library!(A_STATE_LOST_IN_ONE_PART tower);
    let scope = ConsistencyScope::Parts { count: 24, seed: 1 };
    let sampled = checked(&library, scope);
    assert!(!sampled.failed());
    assert_eq!(sampled.proof, Proof::None);
    let text = &sampled.evidence[0].text;
    assert!(text.contains("the bound is one on parts"), "{text}");
    // If there are few states, all are checked at any effort.
    found(
        &library,
        "counts as unsolvable, but has a solvable successor",
        &[],
    );
}

/// If a move cannot be undone and nothing counts the states, some states may be missing although
/// all others are right; the verdict says so.
#[test]
fn what_stays_open_is_said() {
    let library = library!(TRAPDOOR alone);
    let analysis = checked(&library, ConsistencyScope::All);
    assert!(!analysis.failed(), "{:?}", analysis.faults);
    assert!(
        matches!(analysis.proof, Proof::Open(_)),
        "{:?}",
        analysis.evidence
    );
    let why = "Left open, because some moves cannot be undone and the puzzle has no numbering";
    assert!(analysis.evidence[0].text.starts_with(why));
    let found = judged(&library, &format!("{COUNT}121")).unwrap().result;
    assert_ne!(found.verdict, Verdict::Confirmed);
    assert!(
        found.evidence[0].text.starts_with(why),
        "{:?}",
        found.evidence
    );
}

#[test]
fn a_board_that_is_read_as_another() {
    let board = |x, y| Board::<NONE, false, false>.draw(&At { part: 0, x, y });
    let hardest =
        |text: String| format!("kind = \"hardest\"\ninstance = \"board\"\nboard = \"{text}\"\n");
    for library in [
        library!(READS_ANOTHER_BOARD alone),
        library!(READS_ANOTHER_BOARD),
    ] {
        let error = judged(&library, &hardest(board(1, 2))).unwrap_err();
        assert!(error.contains("parse reads"), "{error}");
        assert!(!error.contains('\n'), "{error}");
        let honest = judged(&library, &hardest(board(10, 0))).unwrap();
        assert_eq!(honest.result.verdict, Verdict::Confirmed);
    }
}

#[test]
fn a_derivation_is_asked_for_what_it_speaks_of() {
    let library = library!(NONE);
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
