//! Deep samples: a Pocket Cube some corners of which look alike, 306,180 positions, up to 11 quarter
//! turns from solved, of which a forward search sees hardly any. One corner is held fixed.

use std::collections::HashSet;
use std::sync::{Arc, LazyLock};

use antipode_check::analysis::{Analysis, Checks, Request, analyse};
use antipode_check::conformance::{Scope, Subject};
use antipode_check::verify::ConsistencyScope;
use antipode_graph::{Graph, Library};
use antipode_reports::model::Evidence;
use antipode_search::progress::Stop;
use puzzle_api::abi::AntipodeTable;
use puzzle_api::optional::*;
use puzzle_api::{About, BadInput, Direction, Family, Puzzle, Settings, Xorshift, puzzle_table};

/// Corners that move.
const CORNERS: usize = 7;
/// Positions at the greatest distance.
const ANTIPODES: usize = 665;

/// The piece at each place, and its twist.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Position {
    corners: [u8; CORNERS],
    twists: [u8; CORNERS],
}

/// The turns of three faces: where each place gets its corner from, and the twist added.
const TURNS: [([u8; CORNERS], [u8; CORNERS]); 3] = [
    ([3, 0, 1, 2, 4, 5, 6], [0; CORNERS]),
    ([4, 1, 2, 0, 6, 5, 3], [2, 0, 0, 1, 1, 0, 2]),
    ([1, 5, 2, 3, 0, 4, 6], [1, 2, 0, 0, 2, 1, 0]),
];

impl Position {
    const SOLVED: Self = Self {
        corners: [0, 0, 1, 2, 3, 3, 3],
        twists: [0; CORNERS],
    };

    fn turned(self, (from, twist): &([u8; CORNERS], [u8; CORNERS])) -> Self {
        let mut to = self;
        for place in 0..CORNERS {
            let from = usize::from(from[place]);
            to.corners[place] = self.corners[from];
            to.twists[place] = (self.twists[from] + twist[place]) % 3;
        }
        to
    }

    /// The results of a quarter turn of each face, one way and the other.
    fn moves(self) -> Vec<Self> {
        let both = |turn| {
            let once = self.turned(turn);
            [once, once.turned(turn).turned(turn)]
        };
        TURNS.iter().flat_map(both).collect()
    }

    fn key(self) -> u64 {
        let places = self.corners.iter().zip(self.twists);
        places.fold(0, |key, (&corner, twist)| {
            key << 5 | u64::from(corner) << 2 | u64::from(twist)
        })
    }

    fn of(mut key: u64) -> Self {
        let mut position = Self::SOLVED;
        for place in (0..CORNERS).rev() {
            position.corners[place] = (key >> 2 & 7) as u8;
            position.twists[place] = (key & 3) as u8;
            key >>= 5;
        }
        position
    }
}

/// The positions 11 moves from solved.
static DEEPEST: LazyLock<HashSet<u64>> = LazyLock::new(|| {
    let mut level = vec![Position::SOLVED.key()];
    let mut met: HashSet<u64> = level.iter().copied().collect();
    loop {
        let near = level.iter().flat_map(|&key| Position::of(key).moves());
        let next: Vec<u64> = near
            .map(Position::key)
            .filter(|&key| met.insert(key))
            .collect();
        if next.is_empty() {
            break level.into_iter().collect();
        }
        level = next;
    }
});

/// One of them.
static LEAST: LazyLock<u64> = LazyLock::new(|| DEEPEST.iter().min().copied().unwrap());

/// A position some eight moves from solved.
static MISPLACED: LazyLock<Position> = LazyLock::new(|| {
    let turns = TURNS.iter().cycle().take(8);
    turns.fold(Position::SOLVED, Position::turned)
});

/// The rulebook and a second honest variant. Two faulty ones: one leaves out every other of the
/// deepest positions as a predecessor, one has a position as a predecessor of only one of the
/// deepest.
const RULES: u8 = 0;
const FAST: u8 = 1;
const SHALLOW: u8 = 2;
const DEEP: u8 = 3;

struct Cube<const KIND: u8>;
struct Cubes;

impl Family for Cubes {
    fn about() -> About {
        crate::about("pocket-cube", &["cube"])
    }
}

impl<const KIND: u8> Puzzle for Cube<KIND> {
    type Key = u64;
    type State = Position;

    const VARIANT: &'static str = if KIND == RULES { "reference" } else { "fast" };

    fn open(_: &puzzle_api::Request<'_>) -> Result<Self, BadInput> {
        Ok(Self)
    }

    fn starts(&self, _: &mut dyn FnMut(Position)) {}

    fn successors(&self, at: &Position, emit: &mut dyn FnMut(Position)) {
        at.moves().into_iter().for_each(emit);
    }

    fn is_solved(&self, at: &Position) -> bool {
        *at == Position::SOLVED
    }

    fn key(&self, at: &Position) -> u64 {
        at.key()
    }

    fn state(&self, key: u64) -> Position {
        Position::of(key)
    }

    fn parse(&self, text: &str) -> Result<Position, BadInput> {
        let key = u64::from_str_radix(text, 16).map_err(|_| BadInput::new("write a key"))?;
        Ok(Position::of(key))
    }

    fn draw(&self, at: &Position) -> String {
        format!("{:x}", at.key())
    }
}

impl<const KIND: u8> SolvedStates for Cube<KIND> {
    fn solved_states(&self, _: u64, emit: &mut dyn FnMut(Position)) {
        emit(Position::SOLVED);
    }
}

impl Undirected for Cube<RULES> {}
impl Undirected for Cube<FAST> {}

impl Predecessors for Cube<SHALLOW> {
    fn predecessors(&self, at: &Position, emit: &mut dyn FnMut(Position)) {
        let left_out = |to: &Position| to.key() & 1 == 1 && DEEPEST.contains(&to.key());
        let kept = at.moves().into_iter().filter(|to| !left_out(to));
        kept.for_each(emit);
    }
}

impl Predecessors for Cube<DEEP> {
    fn predecessors(&self, at: &Position, emit: &mut dyn FnMut(Position)) {
        let near = at.moves().into_iter();
        near.filter(|to| to != &*MISPLACED).for_each(&mut *emit);
        if at.key() == *LEAST {
            emit(*MISPLACED);
        }
    }
}

impl<const KIND: u8> RandomStates for Cube<KIND> {
    fn random(&self, random: &mut Xorshift) -> Option<Position> {
        let mut drawn = Position::SOLVED;
        for place in (1..CORNERS).rev() {
            drawn
                .corners
                .swap(place, random.below(place as u64 + 1) as usize);
        }
        let mut sum = 0;
        for place in 1..CORNERS {
            drawn.twists[place] = random.below(3) as u8;
            sum += drawn.twists[place];
        }
        drawn.twists[0] = (3 - sum % 3) % 3;
        Some(drawn)
    }
}

fn honest() -> &'static AntipodeTable {
    puzzle_table!(Cubes: Cube<FAST>, Cube<RULES>)
}

fn shallow() -> &'static AntipodeTable {
    puzzle_table!(Cubes: Cube<SHALLOW>, Cube<RULES>)
}

fn deep() -> &'static AntipodeTable {
    puzzle_table!(Cubes: Cube<DEEP>, Cube<RULES>)
}

fn sampled(table: &'static AntipodeTable) -> Analysis {
    let request = Request {
        direction: Some(Direction::Backward),
        threads: 2,
        checks: Checks {
            inclusion: 2000,
            exclusion_one_in: 100,
            consistency: ConsistencyScope::Off,
        },
        antipodes: usize::MAX,
        ..Request::new(Arc::new(Library::built_in(table)), "cube".into())
    };
    analyse(&request, &Stop::default()).unwrap()
}

fn check<'a>(analysis: &'a Analysis, what: &str) -> &'a Evidence {
    let mut all = analysis.evidence.iter();
    all.find(|one| one.what == what).expect(what)
}

#[test]
fn the_depths_of_an_honest_cube_are_measured_and_right() {
    assert_eq!(DEEPEST.len(), ANTIPODES);
    let found = sampled(honest());
    assert!(!found.failed(), "{:?}", found.faults);
    for (what, least) in [
        ("inclusiveness", 1900),
        ("exclusiveness", 2000),
        ("ascents", 1000),
        ("antipodes", 80),
    ] {
        let evidence = check(&found, what);
        println!("{what}: {} {}", evidence.sampled, evidence.text);
        assert!(evidence.sampled >= least, "{}", evidence.text);
    }
    let text = &check(&found, "exclusiveness").text;
    assert!(
        text.contains("from both ends") && !text.contains("left out"),
        "{text}"
    );
    let text = &check(&found, "ascents").text;
    assert!(text.contains("the longest of 11 moves"), "{text}");
}

#[test]
fn ascents_meet_what_predecessors_leave_out_at_the_greatest_distance() {
    let found = sampled(shallow());
    assert!(found.failed());
    assert!(check(&found, "ascents").wrong > 0);
    let missed = "11 moves on the rules, missed by the run";
    assert!(
        found.faults.iter().any(|line| line.contains(missed)),
        "{:?}",
        found.faults
    );
}

#[test]
fn the_deepest_positions_are_measured_though_no_sample_has_them() {
    let found = sampled(deep());
    assert!(found.failed());
    let wrong = found.evidence.iter().filter(|check| check.wrong > 0);
    let wrong: Vec<&str> = wrong.map(|check| check.what.as_str()).collect();
    assert_eq!(wrong, ["antipodes"]);
    let [fault] = &found.faults[..] else {
        panic!("{:?}", found.faults)
    };
    assert!(fault.contains("12 moves by the run"), "{fault}");
}

#[test]
fn conformance_looks_at_the_depths() {
    let library = Arc::new(Library::built_in(shallow()));
    let open = |variant: &str| Graph::of(library.open("cube", variant, &Settings::new()).unwrap());
    let scope = Scope {
        exhaustive: 20_000,
        ..Scope::thorough(1)
    };
    let subject = Subject::gather(open("fast"), Some(open("reference")), &[], scope);
    let subject = subject.map_err(|stuck| stuck.error).unwrap();
    assert!(
        subject.what.contains("the longest of 11 moves"),
        "{}",
        subject.what
    );
    let deepest = subject
        .states
        .iter()
        .filter(|&&key| DEEPEST.contains(&(key as u64)));
    assert!(deepest.count() > 10);
}
