//! Proofs that there is no path, without a search.

use serde_json::Value;

use crate::certificate::{Reading, Stop, ensure, list};
use crate::rules::{Rules, Settings, lights::Lights, pegs::Pegs, tiles::Tiles};

/// Checks a proof: peg solitaire's by weights, coin sliding's by the span of the start, Lights
/// Out's by a quiet pattern, sliding tiles' by parity.
///
/// # Errors
/// What is wrong with it.
pub fn check(
    reading: &Reading,
    rules: &dyn Rules,
    ends: (u128, Option<u128>),
    text: &str,
) -> Result<(), Stop> {
    match reading.puzzle {
        "peg-solitaire" => {
            let instance = reading.case.instance.as_deref().unwrap_or_default();
            by_weights(&Pegs::open(instance, &reading.case.settings)?, ends, text)
        }
        "coin-sliding" => by_span(rules, ends, text),
        "lights-out" => by_quiet_pattern(rules, ends, text),
        "sliding-tile" => {
            let instance = reading.case.instance.as_deref().unwrap_or_default();
            by_parity(&Tiles::open(instance, &reading.case.settings)?, ends, text)
        }
        _ => Err(Stop::Unknown(
            "a proof of a kind that is unknown here".into(),
        )),
    }
}

/// Whole numbers by hole. Rule `parity`: a jump changes the sum over all pegs by an even number,
/// and start and goal differ by an odd one. Rule `pagoda`: no jump makes the sum greater, and
/// the goal's is.
fn by_weights(pegs: &Pegs, (start, goal): (u128, Option<u128>), text: &str) -> Result<(), Stop> {
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
        let weights: Vec<i128> = list(&one["weights"])
            .iter()
            .filter_map(Value::as_i64)
            .map(i128::from)
            .collect();
        ensure(weights.len() == pegs.holes.len(), "not one weight a hole")?;
        let parity = one["rule"] == "parity";
        ensure(parity || one["rule"] == "pagoda", "no such rule")?;
        let sum = |state: u128| {
            (0..weights.len())
                .filter(|hole| state >> hole & 1 == 1)
                .map(|hole| weights[hole])
                .sum::<i128>()
        };
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
fn by_quiet_pattern(
    rules: &dyn Rules,
    (start, goal): (u128, Option<u128>),
    text: &str,
) -> Result<(), Stop> {
    let switched = start ^ goal.unwrap_or(0);
    let drawn = rules.draw(switched);
    let pattern = text
        .strip_prefix("pattern: ")
        .and_then(|text| text.split_once('\n'));
    let (pattern, told) = pattern.ok_or("the proof has no pattern".to_owned())?;
    let pattern = rules.read(pattern)?;
    let rows = drawn.split('/').count();
    let lights = Lights::open(
        &format!(
            "{rows}x{}",
            drawn.len().div_ceil(rows) - usize::from(rows > 1)
        ),
        &Settings::new(),
    )?;
    let presses = lights
        .presses
        .iter()
        .enumerate()
        .filter(|(light, _)| pattern >> light & 1 == 1);
    let quiet = presses.fold(0, |on, (_, press)| on ^ press) == 0;
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
fn by_parity(tiles: &Tiles, (start, goal): (u128, Option<u128>), text: &str) -> Result<(), Stop> {
    let goal = goal.map_or_else(|| tiles.read("goal"), Ok)?;
    let told = |state| {
        format!(
            "{}, {}",
            tiles.draw(state),
            if tiles.parity(state) {
                "unequal"
            } else {
                "equal"
            }
        )
    };
    ensure(
        tiles.parity(start) != tiles.parity(goal),
        "the parities are alike",
    )?;
    ensure(
        text == format!("from: {}\nto: {}", told(start), told(goal)),
        "the proof shows something else",
    )
}

/// The span: all that is covered if coins are added wherever two lie beside an empty cell. No
/// coin ever leaves it. Or: the coin moved last lies beside two others.
fn by_span(rules: &dyn Rules, (start, goal): (u128, Option<u128>), text: &str) -> Result<(), Stop> {
    let goal = goal.ok_or(Stop::Unknown("a proof for several goals".into()))?;
    let coins = crate::rules::coins::Coins::open(
        if rules.draw(start).len() > 45 {
            "5x9"
        } else {
            "5x7"
        },
        &crate::rules::Settings::new(),
    )?;
    let beside = |state: u128, cell: usize| {
        coins
            .beside(cell)
            .filter(|near| state >> near & 1 == 1)
            .count()
    };
    let cells = 0..coins.width * coins.height;
    let mut span = start;
    while let Some(cell) = cells
        .clone()
        .find(|&cell| span >> cell & 1 == 0 && beside(span, cell) >= 2)
    {
        span |= 1 << cell;
    }
    let outside = goal & !span != 0;
    let landed = cells
        .clone()
        .any(|cell| goal >> cell & 1 == 1 && beside(goal, cell) >= 2);
    ensure(outside || !landed && start != goal, "neither proof holds")?;
    let drawn = |state: u128| rules.draw(state);
    let lines = if outside {
        vec![
            format!("span: {}", drawn(span)),
            format!("goal: {}", drawn(goal)),
        ]
    } else {
        vec![format!("goal: {}", drawn(goal))]
    };
    ensure(text == lines.join("\n"), "the proof shows something else")
}
