//! Pairs of positions: paths replayed, and searches of all pairs that take few states and of some
//! that the reader's seed draws.

use serde_json::Value;

use crate::checker::{Checker, once};
use crate::replay::replayed;
use crate::rules::{MOST, Rules};
use crate::search::{Question, States, search};
use crate::shown::{OrWrong, Shown, Stop, bound_of, list, text};
use crate::verdict::more_than;

/// Most states of a search that is made of every pair.
const FEW: usize = 5_000;

/// A pair with a stated length: its ends, the moves, and its name.
pub type Decided = ((u128, u128), u32, String);

fn ends(rules: &dyn Rules, (from, to): (&str, &str)) -> Result<(u128, u128), Stop> {
    let ends = (rules.state(from)?, rules.state(to)?);
    (ends.0 != ends.1).or_wrong(format!("{from}-{to}: a state leads to itself"))?;
    Ok(ends)
}

/// Whether no path between two states has fewer than n moves: the states around both ends do not
/// meet. Forward alone where the rules do not run backward; `None` beyond some number of states.
fn is_shortest(
    rules: &dyn Rules,
    (from, to): (u128, u128),
    moves: u32,
    most: usize,
) -> Option<bool> {
    let around = |state| {
        let mut known = States::default();
        known.insert(state);
        (known, vec![state])
    };
    let (mut near, mut far) = (around(from), around(to));
    // Levels from both ends, the smaller first, whose total is one less than the path.
    for _ in 1..moves {
        let forward = near.1.len() <= far.1.len() || rules.before(to).is_none();
        let (side, other) = match forward {
            true => (&mut near, &far),
            false => (&mut far, &near),
        };
        let after = |&state: &u128| match forward {
            true => rules.next(state),
            false => rules.before(state).unwrap_or_default(),
        };
        let (known, level) = side;
        let next = level.iter().flat_map(after);
        *level = next.filter(|&state| known.insert(state)).collect();
        if level.iter().any(|state| other.0.contains(*state)) {
            return Some(false);
        }
        if level.is_empty() {
            break;
        }
        if near.0.len() + far.0.len() > most {
            return None;
        }
    }
    Some(true)
}

/// Checks that no path leads from one state to another.
fn no_path(rules: &dyn Rules, (from, to): (u128, u128)) -> Result<(), Stop> {
    let question = Question {
        until: Some(Some(to)),
        ..Question::solving(from)
    };
    let beyond = "that no path is among more states than are searched here";
    let found = search(rules, &question, false).ok_or(Stop::Unknown(beyond.into()))?;
    (found.met.is_none() && found.complete).or_wrong("there is a path")
}

/// The evidence of a row: its path replayed, or the depth up to which there is none.
pub fn row_shown(
    rules: &dyn Rules,
    (from, to): (&str, &str),
    row: &Value,
) -> Result<Option<Decided>, Stop> {
    let (found, name) = (text(row, "found"), format!("{from}-{to}"));
    let ends = ends(rules, (from, to))?;
    let [picture] = list(&row["witnesses"]) else {
        if found == "no path" {
            return no_path(rules, ends).map(|()| None);
        }
        let open = found.parse::<u32>().is_err();
        open.or_wrong(format!("{name}: nothing shows {found}"))?;
        return Ok(more_than(found).map(|depth| (ends, depth.saturating_add(1), name)));
    };
    let path = replayed(rules, &picture["kind"])?;
    let moves = path.len() - 1;
    ((path[0], path[moves]) == ends).or_wrong(format!("{name}: the path has other ends"))?;
    (found == moves.to_string()).or_wrong(format!("{name}: the path has another length"))?;
    Ok(Some((ends, moves as u32, name)))
}

/// Checks that no path of some pairs is shorter: of all that take few states, and of some drawn.
pub fn shortest(checker: &Checker, name: &str, rules: &dyn Rules, pairs: &[Decided]) -> Shown {
    let (drawn, all, mut open) = (checker.drawn(pairs.len()), pairs.len(), 0);
    for (at, (ends, moves, pair)) in pairs.iter().enumerate() {
        let most = if drawn.contains(&at) { MOST } else { FEW };
        let label = format!("pair {name} {ends:?} {moves} {most}");
        let again = once(&checker.texts, label, || {
            let again = is_shortest(rules, *ends, *moves, most);
            Ok(again.map_or(String::new(), |again| again.to_string()))
        })?;
        (again != "false").or_wrong(format!("{pair}: there is a shorter path"))?;
        open += usize::from(again.is_empty());
    }
    let (redone, share) = (drawn.len(), 100.0 * bound_of(drawn.len().max(1) as f64));
    let trusted = format!(
        "that no path is shorter, of {open} of {all} pairs ({redone} drawn and searched again: with \
         95% confidence at most {share:.1}% are wrong)"
    );
    Ok(if open == 0 { vec![] } else { vec![trusted] })
}
