//! The checks' statements about puzzles that offer little, about forward runs, and about plugins
//! that leave states out.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use antipode_check::analysis::{Analysis, Checks, Request};
use antipode_check::verify::{ConsistencyScope, Drawer, playouts_met};
use antipode_graph::Library;
use antipode_reports::model::Evidence;
use antipode_search::observers::{InclusionList, Observers, OrbitSizes, Sampling};
use puzzle_api::abi::AntipodeTable;
use puzzle_api::optional::*;
use puzzle_api::{
    About, BadInput, Direction, Family, InstanceInfo, Puzzle, UNSOLVABLE, Xorshift, puzzle_table,
};

use crate::support::{Text, engine, fresh, graph, plays, run, try_analyse};

/// Numbers below this can be counted down to 0; from here on, they form a cycle.
const CIRCLE: u64 = 900;
/// Numbers in all.
const ALL: u64 = 1000;

const RANKS: u32 = 1;
const DRAWS: u32 = 2;
const SWEEPS: u32 = 4;
const FAST: u32 = 8;
const SWEEP_OMITS_UNSOLVABLE: u32 = 16;
const SWEEP_DELIVERS_NOTHING: u32 = 32;
const LOSES_DOUBLES: u32 = 64;
const LOSES_HALVES: u32 = 128;
const TAKES_TWO: u32 = 256;
const NO_PREDECESSORS: u32 = 512;

/// Numbers: a move takes away one, or half of an even number. Start 899, solved at 0.
struct Numbers<const KIND: u32>;

impl<const KIND: u32> Numbers<KIND> {
    const fn is(flag: u32) -> bool {
        KIND & flag != 0
    }

    fn next(n: u64) -> Vec<u64> {
        if n >= CIRCLE {
            return vec![CIRCLE + (n + 1 - CIRCLE) % (ALL - CIRCLE)];
        }
        let halves = n.is_multiple_of(2) && n > 0 && !(Self::is(LOSES_HALVES) && n > 400);
        let twice = Self::is(TAKES_TWO) && n > 2;
        let moves = [
            n.checked_sub(1),
            halves.then_some(n / 2),
            twice.then_some(n.wrapping_sub(2)),
        ];
        moves.into_iter().flatten().collect()
    }
}

/// Their names.
struct NumberFamily;

impl Family for NumberFamily {
    fn about() -> About {
        About {
            name: "numbers".into(),
            version: "1.0.0".into(),
            instances: vec![InstanceInfo {
                name: "thousand".into(),
                summary: String::new(),
            }],
            ..About::default()
        }
    }
}

impl<const KIND: u32> Puzzle for Numbers<KIND> {
    type Key = u64;
    type State = u64;

    const VARIANT: &'static str = if KIND & FAST != 0 {
        "fast"
    } else {
        "reference"
    };

    fn open(_: &puzzle_api::Request<'_>) -> Result<Self, BadInput> {
        Ok(Self)
    }

    fn starts(&self, emit: &mut dyn FnMut(u64)) {
        emit(CIRCLE - 1);
    }

    fn successors(&self, state: &u64, emit: &mut dyn FnMut(u64)) {
        Self::next(*state).into_iter().for_each(emit);
    }

    fn is_solved(&self, state: &u64) -> bool {
        *state == 0
    }

    fn key(&self, state: &u64) -> u64 {
        *state
    }

    fn state(&self, key: u64) -> u64 {
        key
    }

    fn parse(&self, text: &str) -> Result<u64, BadInput> {
        let number = text.parse().ok().filter(|n| *n < ALL);
        number.ok_or_else(|| BadInput::new("write a number below 1000"))
    }

    fn draw(&self, state: &u64) -> String {
        state.to_string()
    }
}

impl<const KIND: u32> SolvedStates for Numbers<KIND> {
    fn solved_states(&self, _: u64, emit: &mut dyn FnMut(u64)) {
        emit(0);
    }
}

impl<const KIND: u32> Numbering for Numbers<KIND> {
    fn space(&self, _: u64) -> Option<u64> {
        Self::is(RANKS).then_some(ALL)
    }

    fn place(&self, state: &u64) -> Option<Placement> {
        Self::is(RANKS).then_some(Placement {
            part: 0,
            rank: *state,
        })
    }

    fn unrank(&self, placement: Placement) -> Option<u64> {
        Some(placement.rank)
    }
}

impl<const KIND: u32> RandomStates for Numbers<KIND> {
    fn random(&self, random: &mut Xorshift) -> Option<u64> {
        Self::is(DRAWS).then(|| random.below(ALL))
    }
}

impl<const KIND: u32> Numbers<KIND> {
    fn sweep_all(emit: &mut dyn FnMut(Swept<'_, u64>) -> bool) {
        if Self::is(SWEEP_DELIVERS_NOTHING) {
            return;
        }
        let mut depths = vec![0_u16];
        for n in 1..CIRCLE {
            let least = Self::next(n).iter().map(|&m| depths[m as usize]).min();
            depths.push(least.unwrap_or(0) + 1);
        }
        if !Self::is(SWEEP_OMITS_UNSOLVABLE) {
            depths.resize(ALL as usize, UNSOLVABLE);
        }
        let keys: Vec<u64> = (0..depths.len() as u64).collect();
        emit(Swept {
            keys: &keys,
            depths: &depths,
            orbit_size: 1,
        });
    }

    fn all_predecessors(state: &u64, emit: &mut dyn FnMut(u64)) {
        let lost = Self::is(LOSES_DOUBLES) && *state > 100;
        let round = ALL - CIRCLE;
        let before = state
            .checked_sub(CIRCLE)
            .map(|at| CIRCLE + (at + round - 1) % round);
        let all = [state + 1, state + 2, 2 * state].into_iter().chain(before);
        let all: BTreeSet<u64> = all.filter(|&n| n < ALL).collect();
        all.into_iter()
            .filter(|&n| Self::next(n).contains(state) && !(lost && n == 2 * state))
            .for_each(emit);
    }
}

/// Some kinds have predecessors, and some a sweep.
macro_rules! kinds {
    (predecessors: $($back:expr),+; sweep: $($swept:expr),+) => {
        $(impl Predecessors for Numbers<{ $back }> {
            fn predecessors(&self, state: &u64, emit: &mut dyn FnMut(u64)) {
                Self::all_predecessors(state, emit);
            }
        })+
        $(impl Sweep for Numbers<{ $swept }> {
            fn sweep(
                &self,
                _: Direction,
                _: Option<&u64>,
                _: u64,
                _: &[u64],
                emit: &mut dyn FnMut(Swept<'_, u64>) -> bool,
            ) {
                Self::sweep_all(emit);
            }
        })+
    };
}

kinds! {
    predecessors: 0, RANKS, FULL, FULL | SWEEP_OMITS_UNSOLVABLE, FULL | SWEEP_DELIVERS_NOTHING,
        SWEEPS | SWEEP_DELIVERS_NOTHING, DRAWS | SWEEPS | SWEEP_OMITS_UNSOLVABLE,
        RANKS | FAST | LOSES_DOUBLES, FAST | LOSES_DOUBLES, FAST | LOSES_HALVES, FAST | TAKES_TWO;
    sweep: FULL, FULL | SWEEP_OMITS_UNSOLVABLE, FULL | SWEEP_DELIVERS_NOTHING,
        SWEEPS | SWEEP_DELIVERS_NOTHING, DRAWS | SWEEPS | SWEEP_OMITS_UNSOLVABLE,
        SWEEPS | NO_PREDECESSORS
}

const QUICK: Checks = Checks {
    inclusion: 2000,
    exclusion_one_in: 1,
    consistency: ConsistencyScope::Parts { count: 24, seed: 1 },
};

/// A question about numbers of some kinds, the default first.
macro_rules! asked {
    ($engine:expr, $($kind:expr),+) => {
        of_table(puzzle_table!(NumberFamily: $(Numbers<{ $kind }>),+), $engine)
    };
}

fn of_table(table: &'static AntipodeTable, kind: &str) -> Request {
    let library = Arc::new(Library::built_in(table));
    Request {
        direction: Some(Direction::Backward),
        engine: engine(kind),
        checks: QUICK,
        ..Request::new(library, "thousand".to_owned())
    }
}

fn outcome(request: &Request) -> Analysis {
    try_analyse(request).unwrap()
}

fn check<'a>(analysis: &'a Analysis, what: &str) -> &'a Evidence {
    let found = analysis.evidence.iter().find(|check| check.what == what);
    found.unwrap_or_else(|| panic!("no {what} in {:?}", analysis.evidence))
}

/// Every check was made, and none found anything.
fn sound(request: &Request, made: &[&str]) -> Analysis {
    let analysis = outcome(request);
    assert!(!analysis.failed(), "{:?}", analysis.faults);
    for what in made {
        let check = check(&analysis, what);
        assert!(check.done(), "{check:?}");
    }
    analysis
}

/// Each of these checks finds something.
fn caught(request: &Request, by: &[&str]) -> Analysis {
    let analysis = outcome(request);
    for what in by {
        assert!(check(&analysis, what).wrong > 0, "{what}");
    }
    analysis
}

const IN_EX_CON: [&str; 3] = ["inclusiveness", "exclusiveness", "consistency"];
const PLAY_EX_CON: [&str; 3] = ["playouts", "exclusiveness", "consistency"];

const FULL: u32 = RANKS | DRAWS | SWEEPS;

#[test]
fn an_honest_sweep_passes_every_check() {
    let analysis = sound(&asked!("sweep", FULL), &IN_EX_CON);
    assert_eq!(check(&analysis, "consistency").population, Some(1000));
}

#[test]
fn a_sweep_that_omits_the_unsolvable_states_fails() {
    for consistency in [QUICK.consistency, ConsistencyScope::All] {
        let mut request = asked!("sweep", FULL | SWEEP_OMITS_UNSOLVABLE);
        request.checks = Checks {
            consistency,
            ..Checks::OFF
        };
        let analysis = outcome(&request);
        let found = check(&analysis, "consistency");
        assert_eq!((found.wrong, found.sampled), (100, 1000));
        let said = ": has a rank, and the run did not deliver it";
        assert!(analysis.faults[0].ends_with(said), "{:?}", analysis.faults);
    }
}

#[test]
fn a_sweep_that_delivers_nothing_fails() {
    let ranked = outcome(&asked!("sweep", FULL | SWEEP_DELIVERS_NOTHING));
    assert_eq!(check(&ranked, "consistency").wrong, 1000);
    // Without ranks the solved states must at least be there.
    let bare = outcome(&asked!("sweep", SWEEPS | SWEEP_DELIVERS_NOTHING));
    assert_eq!(check(&bare, "consistency").wrong, 1);
    assert!(check(&bare, "playouts").wrong > 0);
}

#[test]
fn states_left_out_are_noticed_by_draws_where_there_are_no_ranks() {
    let request = asked!("sweep", DRAWS | SWEEPS | SWEEP_OMITS_UNSOLVABLE);
    let analysis = caught(&request, &["inclusiveness"]);
    let found = check(&analysis, "consistency");
    assert!(
        found.text.starts_with("Left open, because"),
        "{}",
        found.text
    );
    assert_eq!(found.population, None);
}

#[test]
fn without_random_draws_states_are_drawn_by_rank() {
    let analysis = sound(&asked!("hash", RANKS), &IN_EX_CON);
    let found = check(&analysis, "inclusiveness");
    found.text.has(["by rank"]);
    // 2000 draws of 1000 states meet 865 of them on average.
    assert!((800..930).contains(&found.sampled), "{}", found.sampled);
    caught(
        &asked!("hash", RANKS | FAST | LOSES_DOUBLES, RANKS),
        &["inclusiveness"],
    );
}

#[test]
fn without_draws_and_ranks_playouts_stand_in_and_it_is_said_why() {
    let analysis = sound(&asked!("hash", 0), &PLAY_EX_CON);
    let left_out = check(&analysis, "inclusiveness");
    assert_eq!((left_out.done(), left_out.bound), (false, None));
    let why = "not done, because the puzzle draws no random states and numbers none";
    assert_eq!(left_out.text, why);
    assert!(check(&analysis, "playouts").bound.is_some());
    let faulty = caught(&asked!("hash", FAST | LOSES_DOUBLES, 0), &["playouts"]);
    faulty.faults.join("\n").has(["by a playout"]);
}

#[test]
fn playouts_are_the_same_on_any_number_of_threads() {
    let mut request = asked!("hash", 0);
    let one = outcome(&request).evidence;
    request.threads = 3;
    assert_eq!(outcome(&request).evidence, one);
}

fn forward(mut request: Request, from: Option<&str>, max_depth: Option<u16>) -> Request {
    request.direction = Some(Direction::Forward);
    request.from = from.map(str::to_owned);
    request.max_depth = max_depth;
    request
}

#[test]
fn runs_forward_are_checked_from_the_start() {
    for (from, limit) in [(None, None), (Some("512"), None), (None, Some(7))] {
        sound(&forward(asked!("hash", 0), from, limit), &PLAY_EX_CON);
        let all = ["inclusiveness", "playouts", "exclusiveness", "consistency"];
        sound(&forward(asked!("hash", RANKS), from, limit), &all);
    }
    // Those that take too long a way, and those that take one that there is not, are caught.
    let long = asked!("hash", FAST | LOSES_HALVES, 0);
    caught(&forward(long, None, None), &PLAY_EX_CON);
    let none = asked!("hash", FAST | TAKES_TWO, 0);
    caught(&forward(none, None, None), &PLAY_EX_CON[1..]);
}

#[test]
fn a_run_back_from_one_state_is_checked() {
    let mut request = asked!("hash", RANKS);
    request.from = Some("300".into());
    sound(&request, &IN_EX_CON);
    let mut faulty = asked!("hash", RANKS | FAST | LOSES_DOUBLES, RANKS);
    faulty.from = Some("300".into());
    caught(&faulty, &IN_EX_CON);
}

#[test]
fn no_predecessors_no_playouts_back() {
    let mut request = asked!("sweep", SWEEPS | NO_PREDECESSORS);
    request.checks.exclusion_one_in = 0;
    let analysis = outcome(&request);
    let text = |what| check(&analysis, what).text.as_str();
    let why = "not done, because the puzzle lists no predecessors to walk back by";
    assert_eq!(text("playouts"), why);
    assert_eq!(
        text("exclusiveness"),
        "not done, because it was not asked for"
    );
}

#[test]
fn a_share_too_small_for_the_instance_is_said_and_never_ok() {
    plays(
        ".",
        "0 verify tilt/card-7 --exclusion 1000000 | \\n-      exclusiveness: not done, because none of the | ~ok     exclusiveness",
    );
    // Without a share given, a small instance is measured whole.
    let value = run(&["verify", "tilt/card-7", "--format", "json"]).json();
    for check in value["checks"].as_array().unwrap() {
        assert_eq!(check["outcome"], "ok", "{check}");
        assert_ne!(check["sampled"], "0", "{check}");
    }
}

#[test]
fn verify_goes_forward_from_a_state_given() {
    plays(
        ".",
        "0 verify tilt/box --from card-7 | ok     inclusiveness | ok     playouts | ok     exclusiveness | ok     consistency | forward,",
    );
}

/// If every path to a state has the same length, a playout's length is its distance.
#[test]
fn playouts_on_layers_are_held_to_their_exact_length() {
    let list = InclusionList::with_walks([], [(0, 5_u64, 3), (0, 6, 3), (0, 7, 3)], []);
    let mut seen = Observers::new(Arc::new(list), Sampling::OFF);
    seen.observe(0, &[5, 6], &[3, 2], OrbitSizes::Uniform(1));
    let wrong = |exact| {
        let (found, _) = playouts_met(&seen.strikes, exact, "", &|key| key.to_string());
        (found.sampled, found.wrong)
    };
    assert_eq!((wrong(false), wrong(true)), ((3, 1), (3, 2)));
}

/// Tilt numbers between one and all states of an orbit; still, a draw by rank meets an orbit in
/// proportion to its states.
#[test]
fn draws_by_rank_are_uniform_over_states() {
    const DRAWS: u64 = 20_000;
    let graph = graph::<u64>("tilt/box grey=0..1 blue=0 green=0..1", "bitboard");
    let size_of = |keys: &mut Vec<u64>| {
        let mut sizes = Vec::new();
        graph.canonical(keys, Some(&mut sizes)).unwrap();
        sizes
    };
    let (mut ends, mut orbits, mut total) = (Vec::new(), HashMap::new(), 0);
    for part in 0..graph.opened.part_count {
        let size = graph.space(part).unwrap().unwrap();
        let ranks: Vec<u64> = (0..size).collect();
        let mut keys = Vec::new();
        graph.unrank(part, &ranks, &mut keys).unwrap();
        let sizes = size_of(&mut keys);
        orbits.extend(keys.into_iter().zip(sizes));
        total += size;
        ends.push(total);
    }
    let states: u32 = orbits.values().sum();
    assert!(total < states.into() && orbits.len() < total as usize);
    let drawer = Drawer::ByRank {
        graph: &graph,
        ends,
    };
    let mut drawn = drawer.draw(7, 0, DRAWS as usize).unwrap();
    assert_eq!(drawer.draw(7, 100, 50).unwrap(), drawn[100..150]);
    let sizes = size_of(&mut drawn);
    for size in [1, 4, 8] {
        let share = orbits.values().filter(|&&s| s == size).sum::<u32>();
        let share = f64::from(share) / f64::from(states);
        let found = sizes.iter().filter(|&&s| s == size).count() as f64;
        let expected = share * DRAWS as f64;
        let deviation = (expected * (1.0 - share)).sqrt();
        assert!(
            (found - expected).abs() < 5.0 * deviation + 1.0,
            "{size}: {found}, {expected}"
        );
    }
}

/// Moves of pegs cannot be undone and nothing counts the boards: backward, something stays open.
#[test]
fn what_a_proof_leaves_open_is_not_reached() {
    plays(
        fresh(),
        r"board.txt = | .ooo\noooo\noooo\n
          4 verify peg-solitaire/custom --set board=board.txt | consistency: Left open, because
          0 verify peg-solitaire/custom --set board=board.txt --direction forward",
    );
}
