//! Proofs that there is no path, without a search.

use serde_json::Value;

use crate::reading::Reading;
use crate::rules::board::{Grid, has, members};
use crate::rules::{Rules, coins::Coins, lights::Lights, pegs::Pegs, tiles::Tiles};
use crate::shown::{Stop, ensure, list};

/// A start, and a goal where one is given.
pub type Ends = (u128, Option<u128>);

/// Checks a proof: peg solitaire's by weights, coin sliding's by the span of the start, Lights
/// Out's by a quiet pattern, sliding tiles' by parity.
///
/// # Errors
/// What is wrong with it.
pub fn check(reading: &Reading, rules: &dyn Rules, ends: Ends, text: &str) -> Result<(), Stop> {
    let instance = reading.case.instance.as_deref().unwrap_or_default();
    let settings = &reading.case.settings;
    match reading.puzzle {
        "peg-solitaire" => by_weights(&Pegs::open(instance, settings)?, ends, text),
        "coin-sliding" => by_span(&Coins::open(instance, settings)?, ends, text),
        "lights-out" => by_quiet_pattern(rules, ends, text),
        "sliding-tile" => by_parity(&Tiles::open(instance, settings)?, ends, text),
        _ => Err(Stop::Unknown(
            "a proof of a kind that is unknown here".into(),
        )),
    }
}

/// Whole numbers by hole. Rule `parity`: a jump changes the sum over all pegs by an even number,
/// and start and goal differ by an odd one. Rule `pagoda`: no jump makes the sum greater, and
/// the goal's is.
fn by_weights(pegs: &Pegs, (start, goal): Ends, text: &str) -> Result<(), Stop> {
    let proof: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    ensure(
        proof["from"] == pegs.draw(start),
        "the proof begins elsewhere",
    )?;
    let told = goal.map_or("any".to_owned(), |goal| pegs.draw(goal));
    let finish = pegs.solved_states();
    let single = finish.len() == 1 && proof["goal"] == pegs.draw(finish[0]);
    ensure(
        proof["goal"] == told || goal.is_none() && single,
        "the proof is of another goal",
    )?;
    let mut excluded = Vec::new();
    for one in list(&proof["proofs"]) {
        let weights = list(&one["weights"]).iter().filter_map(Value::as_i64);
        let weights: Vec<i128> = weights.map(i128::from).collect();
        ensure(weights.len() == pegs.holes.len(), "not one weight a hole")?;
        let parity = one["rule"] == "parity";
        ensure(parity || one["rule"] == "pagoda", "no such rule")?;
        let sum = |state| members(state).map(|hole| weights[hole]).sum::<i128>();
        for &[from, over, to] in &pegs.jumps {
            let gain = weights[to] - weights[over] - weights[from];
            ensure(
                if parity { gain % 2 == 0 } else { gain <= 0 },
                "a jump breaks the rule",
            )?;
        }
        for to in list(&one["to"]) {
            let text = to.as_str().unwrap_or_default();
            let to = pegs.read(text)?;
            let gain = sum(to) - sum(start);
            ensure(
                text == pegs.draw(to) && if parity { gain % 2 != 0 } else { gain > 0 },
                "a goal is not excluded",
            )?;
            ensure(!excluded.contains(&to), "a goal is excluded twice")?;
            excluded.push(to);
        }
    }
    let goals = goal.map_or(finish, |goal| vec![goal]);
    ensure(
        goals.iter().all(|goal| excluded.contains(goal)) && excluded.len() == goals.len(),
        "the goals excluded are others",
    )
}

/// Presses that switch nothing, so that every light has an even number of them on and beside it:
/// a press switches an even number of the pattern's lights, and an odd number is to be switched.
fn by_quiet_pattern(rules: &dyn Rules, (start, goal): Ends, text: &str) -> Result<(), Stop> {
    let switched = start ^ goal.unwrap_or(0);
    let drawn = rules.draw(switched);
    let pattern = text.strip_prefix("pattern: ");
    let pattern = pattern.and_then(|text| text.split_once('\n'));
    let (pattern, told) = pattern.ok_or("the proof has no pattern".to_owned())?;
    let pattern = rules.read(pattern)?;
    let row = drawn.split('/').next().map_or(0, str::len);
    let lights = Lights::new(Grid::new(drawn.split('/').count(), row));
    let presses = members(pattern).map(|light| lights.presses[light]);
    let quiet = presses.fold(0, |on, press| on ^ press) == 0;
    ensure(
        quiet && (pattern & switched).count_ones() % 2 == 1,
        "the pattern proves nothing",
    )?;
    ensure(
        told == format!("to be switched: {drawn}"),
        "the proof is of other boards",
    )
}

/// Two parities that every move changes together are equal on one board and not on the other.
fn by_parity(tiles: &Tiles, (start, goal): Ends, text: &str) -> Result<(), Stop> {
    let goal = goal.map_or_else(|| tiles.read("goal"), Ok)?;
    let unlike = [start, goal].map(|state| tiles.parity(state));
    ensure(unlike[0] != unlike[1], "the parities are alike")?;
    let word = unlike.map(|unlike| if unlike { "unequal" } else { "equal" });
    let (from, to) = (tiles.draw(start), tiles.draw(goal));
    ensure(
        text == format!("from: {from}, {}\nto: {to}, {}", word[0], word[1]),
        "the proof shows something else",
    )
}

/// The span: all that is covered if coins are added wherever two lie beside an empty cell. No
/// coin ever leaves it. Or: the coin moved last lies beside two others.
fn by_span(coins: &Coins, (start, goal): Ends, text: &str) -> Result<(), Stop> {
    let goal = goal.ok_or(Stop::Unknown("a proof for several goals".into()))?;
    let mut span = start;
    let grows = |span: u128| {
        let mut empty = coins.grid.cells().filter(|&cell| !has(span, cell));
        empty.find(|&cell| coins.beside(span, cell) >= 2)
    };
    while let Some(cell) = grows(span) {
        span |= 1 << cell;
    }
    let outside = goal & !span != 0;
    let landed = members(goal).any(|cell| coins.beside(goal, cell) >= 2);
    ensure(outside || !landed && start != goal, "neither proof holds")?;
    let drawn = |state: u128| coins.draw(state);
    let shown = match outside {
        true => format!("span: {}\ngoal: {}", drawn(span), drawn(goal)),
        false => format!("goal: {}", drawn(goal)),
    };
    ensure(text == shown, "the proof shows something else")
}
