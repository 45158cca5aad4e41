//! Faults planted in a copy of the fast rules, and the checks that catch them.
//!
//! Each search walks the box with 0 or 1 grey, 0 or 1 blue and 0 to 2 green blocks: 6 parts,
//! 153,805 placements, 19,390 orbits. Tried are 10, 100, 1,000 and 10,000 states drawn
//! (inclusiveness), about 2, 20, 200 and 2,000 of the states met (exclusiveness), and 1, 2, 4 and 6
//! parts (consistency), all with seed 1. The table at the end has the smallest sample that
//! catches each fault.
//!
//! Exclusiveness cannot see states that were never met or met twice, and no sample sees a wrong
//! orbit size: samples compare distances.

use std::sync::{Arc, OnceLock};

use antipode_check::analysis::{Analysis, Checks, Request};
use antipode_check::verify::ConsistencyScope;
use antipode_graph::Library;
use antipode_reports::model::{Evidence, LevelTable};
use antipode_search::engines::EngineError;
use antipode_tilt::bitboard::Masks;
use antipode_tilt::board::{self, Board, Cell, HOLE, SIDE, SQUARES};
use antipode_tilt::rules::Tilt;
use antipode_tilt::{Bits, Rules, TiltPuzzle};
use puzzle_api::abi::{self, AntipodeVariant};
use puzzle_api::optional::*;
use puzzle_api::{BadInput, Direction, Puzzle, UNSOLVABLE, Xorshift, puzzle_table};

use crate::support::{Text, engine, fresh, graph, settings, try_analyse, words};

const NONE: u8 = 0;
const MISSING_PREDECESSOR: u8 = 1;
const BLUE_FALLS_AFTER_LAST_GREEN: u8 = 2;
const WRONG_SYMMETRY: u8 = 3;
const DIRECTION_REVERSED: u8 = 4;
const TWO_GREENS_AS_ONE: u8 = 5;
const VISITED_TWICE: u8 = 6;
const OFF_BY_ONE: u8 = 7;
const UNRANK_REPEATS: u8 = 8;
const SOLVED_IGNORES_A_SQUARE: u8 = 9;
const WRONG_ORBIT_SIZE: u8 = 10;
const BATCH_DROPPED: u8 = 11;
const ROOT_MISSING: u8 = 12;
const NOTHING_SWEPT: u8 = 13;

/// The fast rules with one fault.
struct Faulty<const FAULT: u8>(Bits);

/// Methods that are those of the fast rules.
macro_rules! same {
    ($(fn $name:ident(&self $(, $arg:ident: $type:ty)*) $(-> $out:ty)?;)+) => {$(
        fn $name(&self $(, $arg: $type)*) $(-> $out)? {
            self.0.$name($($arg),*)
        }
    )+};
}

/// The square that `SOLVED_IGNORES_A_SQUARE` does not look at.
const IGNORED: u32 = 1 << 7;

impl<const FAULT: u8> Faulty<FAULT> {
    fn tilt(&self, state: Masks, direction: Tilt) -> Option<Masks> {
        match (FAULT, direction) {
            (DIRECTION_REVERSED, Tilt::Up) => self.0.tilt(state, Tilt::Down),
            (BLUE_FALLS_AFTER_LAST_GREEN, _) => {
                let (board, fallen) = slide_all(state, direction);
                let solved = fallen.greens > 0 && !board.contains(&Cell::Green);
                (fallen.blues == 0 || solved).then(|| Masks(board::key(&board)))
            }
            (TWO_GREENS_AS_ONE, _) => {
                let next = self.0.tilt(state, direction)?;
                let (mut board, fallen) = slide_all(state, direction);
                if fallen.greens < 2 {
                    return Some(next);
                }
                // The second one stops in front of the hole.
                board[before_hole(direction)] = Cell::Green;
                Some(Masks(board::key(&board)))
            }
            _ => self.0.tilt(state, direction),
        }
    }
}

impl<const FAULT: u8> Puzzle for Faulty<FAULT> {
    type Key = u64;
    type State = u64;

    const VARIANT: &'static str = "faulty";

    fn open(request: &puzzle_api::Request<'_>) -> Result<Self, BadInput> {
        Bits::open(request).map(Self)
    }

    same! {
        fn starts(&self, emit: &mut dyn FnMut(u64));
        fn key(&self, state: &u64) -> u64;
        fn state(&self, key: u64) -> u64;
        fn parse(&self, text: &str) -> Result<u64, BadInput>;
        fn draw(&self, state: &u64) -> String;
    }

    fn successors(&self, state: &u64, emit: &mut dyn FnMut(u64)) {
        for direction in Tilt::ALL {
            let next = self.tilt(Masks(*state), direction);
            if let Some(Masks(next)) = next.filter(|next| next.0 != *state) {
                emit(next);
            }
        }
    }

    fn is_solved(&self, state: &u64) -> bool {
        match FAULT {
            SOLVED_IGNORES_A_SQUARE => Masks(*state).green() & !IGNORED == 0,
            _ => self.0.is_solved(state),
        }
    }
}

impl<const FAULT: u8> SolvedStates for Faulty<FAULT> {
    fn solved_states(&self, part: u64, emit: &mut dyn FnMut(u64)) {
        if FAULT == ROOT_MISSING {
            let mut nth = 0;
            self.0.solved_states(part, &mut |root| {
                nth += 1;
                if nth != 7 {
                    emit(root);
                }
            });
            return;
        }
        self.0.solved_states(part, emit);
        if FAULT == SOLVED_IGNORES_A_SQUARE {
            for rank in 0..self.0.space(part).unwrap_or(0) {
                let state = self.0.unrank(Placement { part, rank });
                if let Some(state) = state.filter(|&state| Masks(state).green() == IGNORED) {
                    emit(state);
                }
            }
        }
    }
}

/// Faults of the moves show in both directions: their variants have no predecessors, so these are
/// read off the stored moves instead of the fast tables.
macro_rules! predecessors {
    ($($fault:ident)+) => {$(
        impl Predecessors for Faulty<$fault> {
            fn predecessors(&self, state: &u64, emit: &mut dyn FnMut(u64)) {
                let mut all = Vec::new();
                self.0.predecessors(state, &mut |origin| all.push(origin));
                // The last of a Cartesian product, as a loop that ends one too early would lose it.
                if $fault == MISSING_PREDECESSOR && all.len() % 8 == 0 {
                    all.pop();
                }
                all.into_iter().for_each(emit);
            }
        }
    )+};
}

predecessors! {
    NONE MISSING_PREDECESSOR WRONG_SYMMETRY VISITED_TWICE OFF_BY_ONE UNRANK_REPEATS
    SOLVED_IGNORES_A_SQUARE WRONG_ORBIT_SIZE BATCH_DROPPED ROOT_MISSING NOTHING_SWEPT
}

impl<const FAULT: u8> Symmetry for Faulty<FAULT> {
    same! {
        fn symmetry_count(&self) -> u32;
        fn image(&self, state: &u64, index: u32) -> u64;
    }

    fn canonical(&self, state: &u64) -> u64 {
        let canonical = self.0.canonical(state);
        let board = Masks(canonical);
        if FAULT != WRONG_SYMMETRY || board.grey() != 0 {
            return canonical;
        }
        // A ninth "symmetry", on boards without grey blocks: rows 1 and 2 change places.
        let swapped = |mask: u32| mask >> 5 & 0x1f | (mask & 0x1f) << 5 | mask & !0x3ff;
        let other = Masks::new(0, swapped(board.blue()), swapped(board.green()));
        self.0.canonical(&other.0).min(canonical)
    }

    fn orbit_size(&self, state: &u64) -> u32 {
        match FAULT {
            WRONG_ORBIT_SIZE => 8,
            _ => self.0.orbit_size(state),
        }
    }
}

impl<const FAULT: u8> Numbering for Faulty<FAULT> {
    same! {
        fn part_count(&self) -> u64;
        fn part_name(&self, part: u64) -> String;
        fn space(&self, part: u64) -> Option<u64>;
        fn place(&self, state: &u64) -> Option<Placement>;
    }

    fn unrank(&self, mut placement: Placement) -> Option<u64> {
        if FAULT == UNRANK_REPEATS && placement.rank % 1000 == 999 {
            placement.rank -= 1;
        }
        self.0.unrank(placement)
    }
}

impl<const FAULT: u8> RandomStates for Faulty<FAULT> {
    same! { fn random(&self, random: &mut Xorshift) -> Option<u64>; }
}

impl<const FAULT: u8> Sweep for Faulty<FAULT> {
    fn sweep(
        &self,
        way: Direction,
        from: Option<&u64>,
        part: u64,
        only: &[u64],
        emit: &mut dyn FnMut(Swept<'_, u64>) -> bool,
    ) {
        let mut nth = 0;
        self.0.sweep(way, from, part, only, &mut |swept| {
            nth += 1;
            match FAULT {
                VISITED_TWICE if nth == 2 => emit(swept) && emit(swept),
                BATCH_DROPPED if nth == 2 => true,
                NOTHING_SWEPT => true,
                OFF_BY_ONE if swept.orbit_size == 4 => {
                    let deeper = |&depth: &u16| match depth {
                        UNSOLVABLE | 0..=3 => depth,
                        far => far + 1,
                    };
                    let depths: Vec<u16> = swept.depths.iter().map(deeper).collect();
                    emit(Swept {
                        depths: &depths,
                        ..swept
                    })
                }
                _ => emit(swept),
            }
        });
    }
}

/// Blocks that fell in a tilt.
#[derive(Default)]
struct Fallen {
    greens: u32,
    blues: u32,
}

/// Tilts with nothing forbidden.
fn slide_all(state: Masks, direction: Tilt) -> (Board, Fallen) {
    let mut board = board::from_key(state.0);
    let mut fallen = Fallen::default();
    loop {
        let before = board;
        for square in 0..SQUARES {
            let block = board[square];
            let Some(next) = next_square(square, direction) else {
                continue;
            };
            if !matches!(block, Cell::Blue | Cell::Green) {
                continue;
            }
            match board[next] {
                Cell::Empty => board[next] = block,
                Cell::Hole if block == Cell::Green => fallen.greens += 1,
                Cell::Hole => fallen.blues += 1,
                _ => continue,
            }
            board[square] = Cell::Empty;
        }
        if board == before {
            return (board, fallen);
        }
    }
}

fn next_square(square: usize, direction: Tilt) -> Option<usize> {
    let (row, column) = (square / SIDE, square % SIDE);
    match direction {
        Tilt::Left => (column > 0).then(|| square - 1),
        Tilt::Right => (column + 1 < SIDE).then(|| square + 1),
        Tilt::Up => (row > 0).then(|| square - SIDE),
        Tilt::Down => (row + 1 < SIDE).then(|| square + SIDE),
    }
}

/// The square from which a block falls.
fn before_hole(direction: Tilt) -> usize {
    match direction {
        Tilt::Left => HOLE + 1,
        Tilt::Right => HOLE - 1,
        Tilt::Up => HOLE + SIDE,
        Tilt::Down => HOLE - SIDE,
    }
}

// ---- checks that catch a fault ------------------------------------------------

/// Placements of the box: of up to one grey, one blue and two green blocks on 24 squares.
const PLACEMENTS: u128 = 153_805;

/// States drawn for inclusiveness, smallest first.
const DRAWN: [u64; 4] = [10, 100, 1_000, 10_000];
/// One state in as many is solved forward for exclusiveness, the fewest states first.
const ONE_IN: [u64; 4] = [10_000, 1_000, 100, 10];
/// Parts checked for consistency.
const PARTS: [u64; 4] = [1, 2, 4, 6];

/// The smallest sample tried at which each check catches a fault.
#[derive(Debug, PartialEq, Eq)]
struct Caught {
    /// States drawn.
    inclusiveness: Option<u64>,
    /// States picked out and solved.
    exclusiveness: Option<u64>,
    /// Whether the states at the greatest distance are not that far.
    antipodes: bool,
    /// Parts checked.
    consistency: Option<u64>,
    /// Whether another engine on the literal rules has other digests.
    digests: bool,
    /// Whether the rows do not add up to the number of placements.
    totals: bool,
}

/// Digest of every level that is not empty, and of the unsolvable states.
fn digests(levels: &LevelTable) -> Vec<String> {
    let rest = levels
        .unsolvable
        .iter()
        .map(|rest| format!("- {}", rest.digest));
    let levels = levels.levels.iter();
    levels
        .map(|level| format!("{} {}", level.depth, level.digest))
        .chain(rest)
        .collect()
}

struct Trial {
    library: Arc<Library>,
    engine: &'static str,
    is_honest: bool,
}

impl Trial {
    fn request(&self, checks: Checks) -> Request {
        Request {
            settings: settings(&[("grey", "0..1"), ("blue", "0..1"), ("green", "0..2")]),
            direction: Some(Direction::Backward),
            variant: Some("faulty".to_owned()),
            engine: engine(self.engine),
            checks,
            ..Request::new(Arc::clone(&self.library), "box".to_owned())
        }
    }

    fn analysed(&self, checks: Checks) -> Result<Analysis, EngineError> {
        try_analyse(&self.request(checks))
    }

    /// The first check that fires in one of the named rows, with the size of its sample.
    fn smallest(
        &self,
        rows: &[&str],
        checks: impl IntoIterator<Item = (u64, Checks)>,
    ) -> Option<u64> {
        let mut checks: Vec<_> = checks.into_iter().collect();
        // A larger sample begins with each smaller one.
        checks.drain(..if self.is_honest { checks.len() - 1 } else { 0 });
        checks.into_iter().find_map(|(size, checks)| {
            let analysis = self.analysed(checks).unwrap();
            let mut rows = analysis
                .evidence
                .iter()
                .filter(|row| rows.contains(&&*row.what));
            let row = rows.find(|row| row.wrong > 0)?;
            // The seed decides how many of the states met are picked.
            let picked = checks.exclusion_one_in > 0;
            Some(if picked { row.sampled as u64 } else { size })
        })
    }

    fn caught(&self) -> Caught {
        let off = Checks::OFF;
        let found = self.analysed(off).unwrap().levels;
        // Of the literal rules, which are the same in every trial.
        static EXPECTED: OnceLock<Vec<String>> = OnceLock::new();
        let expected = EXPECTED.get_or_init(|| {
            let honest = Request {
                variant: Some("reference".to_owned()),
                engine: engine("hash"),
                ..self.request(off)
            };
            digests(&try_analyse(&honest).unwrap().levels)
        });
        let unsolvable = found.unsolvable.as_ref().map_or(0, |rest| rest.states);
        let drawn = |inclusion| (inclusion, Checks { inclusion, ..off });
        let picked = |one_in| {
            let mut checks = off;
            checks.exclusion_one_in = one_in;
            (one_in, checks)
        };
        let parts = |count| {
            let consistency = ConsistencyScope::Parts { count, seed: 1 };
            (count, Checks { consistency, ..off })
        };
        Caught {
            inclusiveness: self.smallest(&["inclusiveness", "ascents"], DRAWN.map(drawn)),
            exclusiveness: self.smallest(&["exclusiveness"], ONE_IN.map(picked)),
            antipodes: self.smallest(&["antipodes"], [picked(u64::MAX)]).is_some(),
            consistency: self.smallest(&["consistency"], PARTS.map(parts)),
            digests: digests(&found) != *expected,
            totals: found.total_states() + unsolvable != PLACEMENTS,
        }
    }
}

/// A trial of the fast rules with a fault, by an engine.
macro_rules! plant {
    ($fault:ident, $engine:expr) => {
        Trial {
            library: Arc::new(Library::built_in(
                puzzle_table!(TiltPuzzle: Faulty<$fault>, Rules),
            )),
            engine: $engine,
            is_honest: $fault == NONE,
        }
    };
}

/// Plants a fault, searches with an engine, and compares the checks that catch it with the table.
macro_rules! catches {
    ($($name:ident: $fault:ident in $engine:literal =>
        $inclusiveness:expr, $exclusiveness:expr, $antipodes:literal, $consistency:expr, $digests:literal, $totals:literal;)+
    ) => {
        $(
            #[test]
            fn $name() {
                let expected = Caught {
                    inclusiveness: $inclusiveness,
                    exclusiveness: $exclusiveness,
                    antipodes: $antipodes,
                    consistency: $consistency,
                    digests: $digests,
                    totals: $totals,
                };
                assert_eq!(plant!($fault, $engine).caught(), expected);
            }
        )+

        /// The default checks of `verify` find every fault.
        #[test]
        fn verify_at_quick_effort_catches_every_fault() {
            let checks = Checks {
                inclusion: 10_000,
                exclusion_one_in: 10_000,
                consistency: ConsistencyScope::Parts { count: 24, seed: 1 },
            };
            let missed: Vec<&str> = [
                $((stringify!($fault), plant!($fault, $engine).analysed(checks)),)+
            ]
            .into_iter()
            .filter(|(fault, analysis)| {
                *fault != "NONE" && !analysis.as_ref().unwrap().failed()
            })
            .map(|(fault, _)| fault)
            .collect();
            assert_eq!(missed, [""; 0]);
        }
    };
}

catches! {
    no_fault_in_hash: NONE in "hash" => None, None, false, None, false, false;
    no_fault_in_dense: NONE in "dense" => None, None, false, None, false, false;
    no_fault_in_sweep: NONE in "sweep" => None, None, false, None, false, false;
    a_missing_predecessor: MISSING_PREDECESSOR in "hash" => Some(100), Some(1946), true, Some(1), true, false;
    a_blue_that_falls_after_the_last_green: BLUE_FALLS_AFTER_LAST_GREEN in "hash"
        => Some(100), Some(1946), false, Some(1), true, false;
    a_wrong_symmetry: WRONG_SYMMETRY in "hash" => Some(10), None, false, Some(6), true, true;
    one_direction_reversed: DIRECTION_REVERSED in "hash" => Some(10), Some(4), false, Some(1), true, false;
    two_greens_counted_as_one: TWO_GREENS_AS_ONE in "hash" => Some(100), Some(1946), false, Some(1), true, false;
    a_batch_visited_twice: VISITED_TWICE in "sweep" => Some(10), None, false, Some(1), true, true;
    a_batch_dropped: BATCH_DROPPED in "sweep" => Some(10), None, false, Some(1), true, true;
    a_distance_off_by_one: OFF_BY_ONE in "sweep" => Some(1_000), Some(26), true, Some(2), true, false;
    a_rank_that_repeats_a_state: UNRANK_REPEATS in "dense" => Some(1_000), Some(1944), false, Some(1), true, true;
    a_solved_test_that_ignores_a_square: SOLVED_IGNORES_A_SQUARE in "hash"
        => Some(10), Some(26), false, Some(1), true, false;
    a_wrong_orbit_size: WRONG_ORBIT_SIZE in "hash" => None, None, false, Some(2), false, true;
    a_solved_state_missing: ROOT_MISSING in "hash" => Some(10), Some(1946), false, Some(1), true, false;
}

/// Engine disk compares states of every level with the rulebook, whether asked to or not.
#[test]
fn samples_of_levels_on_disk_catch_a_missing_predecessor() {
    let sampled = |trial: Trial| {
        let folder = fresh();
        let mut request = trial.request(Checks::OFF);
        let work = folder.join("work");
        request.options.work = Some(work);
        request.options.memory = Some(128 << 20);
        let analysis = try_analyse(&request).unwrap();
        let mut checks = analysis.evidence.iter();
        let levels = checks.find(|check| check.what == "levels").unwrap();
        assert!(levels.sampled > 1000, "{levels:?}");
        assert_eq!(levels.wrong > 0, !analysis.faults.is_empty());
        levels.wrong
    };
    assert_eq!(sampled(plant!(NONE, "disk")), 0);
    assert!(sampled(plant!(MISSING_PREDECESSOR, "disk")) > 0);
}

// ---- puzzles that offer little, and runs from one state -------------------------

const NO_RANKS: u8 = 1;
const NO_DRAWS: u8 = 2;
const NO_PREDECESSORS: u8 = 4;

fn without(lacks: u8, mut variant: AntipodeVariant) -> AntipodeVariant {
    if lacks & NO_RANKS != 0 {
        (variant.space, variant.place, variant.unrank) = (None, None, None);
        (variant.part_count, variant.part_name) = (None, None);
        variant.neighbour_ranks = None;
    }
    variant.random = variant.random.filter(|_| lacks & NO_DRAWS == 0);
    let predecessors = variant.predecessors;
    variant.predecessors = predecessors.filter(|_| lacks & NO_PREDECESSORS == 0);
    variant
}

/// A question about a card, which is one part, with all checks, to a table that lacks something.
macro_rules! asked {
    ($engine:literal, $fault:ident, $lacks:expr) => {{
        type Here = Faulty<$fault>;
        let (mut fast, mut rules) = (abi::variant::<u64, Here>(), abi::variant::<u64, Rules>());
        puzzle_api::detect!(Here, &mut fast);
        puzzle_api::detect!(Rules, &mut rules);
        let variants = [fast, rules].map(|variant| without($lacks, variant)).into();
        let trial = Trial {
            library: Arc::new(Library::built_in(abi::table::<u64, TiltPuzzle>(variants))),
            engine: $engine,
            is_honest: false,
        };
        let consistency = ConsistencyScope::Parts { count: 24, seed: 1 };
        let request = trial.request(Checks {
            inclusion: 2000,
            exclusion_one_in: 1,
            consistency,
        });
        Request {
            instance: "card-13".to_owned(),
            settings: settings(&[]),
            ..request
        }
    }};
}

fn check<'a>(analysis: &'a Analysis, what: &str) -> &'a Evidence {
    let found = analysis.evidence.iter().find(|check| check.what == what);
    found.unwrap_or_else(|| panic!("no {what} in {:?}", analysis.evidence))
}

/// Each of these checks was made and finds something, or nothing.
fn finds(something: bool, checks: &str, request: &Request) -> Analysis {
    let analysis = try_analyse(request).unwrap();
    assert!(something || !analysis.failed(), "{:?}", analysis.faults);
    for what in words(checks) {
        let check = check(&analysis, what);
        assert!(check.done() && (check.wrong > 0) == something, "{check:?}");
    }
    analysis
}

#[test]
fn without_ranks_states_left_out_are_noticed_by_draws_and_playouts() {
    let bare = asked!("sweep", NOTHING_SWEPT, NO_RANKS | NO_DRAWS);
    finds(true, "playouts", &bare);
    let left_out = asked!("sweep", BATCH_DROPPED, NO_RANKS);
    let left_out = finds(true, "inclusiveness", &left_out);
    assert_eq!(check(&left_out, "consistency").population, None);
}

#[test]
fn what_a_puzzle_lacks_is_made_up_for_or_said() {
    let all = "inclusiveness exclusiveness consistency";
    let drawn = finds(false, all, &asked!("hash", NONE, NO_DRAWS));
    check(&drawn, "inclusiveness").text.has(["by rank"]);
    let faulty = asked!("hash", MISSING_PREDECESSOR, NO_DRAWS);
    finds(true, "inclusiveness", &faulty);

    let mut bare = asked!("hash", NONE, NO_RANKS | NO_DRAWS);
    let played = finds(false, "playouts exclusiveness consistency", &bare);
    let left_out = check(&played, "inclusiveness");
    assert_eq!((left_out.done(), left_out.bound), (false, None));
    let why = "not done, because the puzzle draws no random states and numbers none";
    assert_eq!(left_out.text, why);
    assert!(check(&played, "playouts").bound.is_some());
    bare.threads = 3;
    assert_eq!(try_analyse(&bare).unwrap().evidence, played.evidence);
    let faulty = asked!("sweep", BATCH_DROPPED, NO_RANKS | NO_DRAWS);
    let faults = finds(true, "playouts", &faulty).faults;
    faults.join("\n").has(["by a playout"]);

    let mut barest = asked!("sweep", NONE, NO_RANKS | NO_DRAWS | NO_PREDECESSORS);
    barest.checks.exclusion_one_in = 0;
    let analysis = try_analyse(&barest).unwrap();
    for (what, why) in [
        (
            "playouts",
            "the puzzle lists no predecessors to walk back by",
        ),
        ("exclusiveness", "it was not asked for"),
    ] {
        let said = format!("not done, because {why}");
        assert_eq!(check(&analysis, what).text, said);
    }
}

#[test]
fn runs_from_one_state_are_checked_in_both_directions() {
    let graph = graph::<u64>("tilt/card-13", "bitboard");
    let solved = graph.roots(Direction::Backward, 0).unwrap()[0];
    let solved = graph.draw(solved).unwrap();
    let forward = |request, max_depth| Request {
        direction: Some(Direction::Forward),
        max_depth,
        ..request
    };
    let back = |request| Request {
        from: Some(solved.clone()),
        ..request
    };
    let played = "playouts exclusiveness consistency";
    let drawn = "inclusiveness exclusiveness consistency";
    for limit in [None, Some(3)] {
        finds(
            false,
            played,
            &forward(asked!("hash", NONE, NO_RANKS), limit),
        );
        finds(false, drawn, &forward(asked!("hash", NONE, 0), limit));
    }
    // Those that lack a way, and those that take one that there is not, are caught.
    let long = asked!("hash", DIRECTION_REVERSED, NO_RANKS);
    finds(true, "playouts consistency", &forward(long, None));
    let none = asked!("hash", TWO_GREENS_AS_ONE, NO_RANKS);
    finds(true, "consistency", &forward(none, None));
    finds(false, drawn, &back(asked!("hash", NONE, 0)));
    let lost = asked!("hash", MISSING_PREDECESSOR, 0);
    finds(true, "inclusiveness", &back(lost));
}
