//! Lengths between pairs of positions: all paths are replayed, and some pairs that the reader's
//! seed draws are searched again.

use std::cmp::Ordering;

use serde_json::{Value, json};

use crate::checker::{Checker, once};
use crate::claim::{self, Pair};
use crate::reading::{LEAST_SAMPLE, Reading};
use crate::replay::{no_path, replayed};
use crate::rules::Rules;
use crate::search::States;
use crate::shown::{OrWrong, Shown, Stop, agrees, bound_of, list, text};
use crate::verdict::{more_than, together};

/// Whether a path of n moves between two states is the shortest: the states around both ends do not
/// meet. Forward alone where the rules do not run backward.
fn is_shortest(rules: &dyn Rules, (from, to): (u128, u128), moves: u32) -> bool {
    let around = |state| {
        let mut known = States::default();
        known.insert(state);
        (known, vec![state])
    };
    let (mut near, mut far) = (around(from), around(to));
    // Levels from both ends, the smaller first, whose total is one less than the path.
    (1..moves).all(|_| {
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
        *level = level.iter().flat_map(after).collect();
        level.retain(|&state| known.insert(state));
        !level.iter().any(|state| other.0.contains(*state))
    })
}

/// A pair of a table whose length is decided: its ends, the moves, and its name.
type Decided = ((u128, u128), u32, String);

/// Whether rows, figures and verdicts agree, whatever shows them.
pub(super) fn told(reading: &Reading) -> Result<Vec<Pair>, Stop> {
    let pairs = claim::pairs(reading.case)?;
    (pairs.len() == reading.rows.len()).or_wrong("another number of rows")?;
    for (pair, row) in pairs.iter().zip(reading.rows) {
        copied(reading, pair, row)?;
    }
    let rows = reading.rows.iter();
    let verdicts: Vec<&str> = rows.clone().map(|row| text(row, "verdict")).collect();
    resting(reading, &pairs)?;
    let whole = together(true, &verdicts);
    reading.comes_out(whole)?;
    let all = "confirmed confirmed-by-sample refuted refuted-by-sample not-reached";
    let count = |verdict: &str| verdicts.iter().filter(|other| **other == verdict).count();
    let told = all.split(' ').filter(|verdict| count(verdict) > 0);
    let told = told.map(|verdict| format!("{} {}", count(verdict), verdict.replace('-', " ")));
    reading.comes_to(&told.collect::<Vec<_>>().join(", "))?;
    for picture in reading.witnesses() {
        let shows = |row: &Value| list(&row["witnesses"]).contains(picture);
        let shown = rows.clone().any(shows);
        shown.or_wrong("a witness is in no row")?;
    }
    Ok(pairs)
}

/// Whether the sides were checked on which the rows rest; a path that is shorter than claimed rests
/// on none.
fn resting(reading: &Reading, pairs: &[Pair]) -> Result<(), Stop> {
    let mut least = 0;
    for (pair, row) in pairs.iter().zip(reading.rows) {
        let shorter = |found: u32| found < pair.2;
        let by_path = text(row, "found").parse().is_ok_and(shorter);
        least = least.max(match text(row, "verdict") {
            "not-reached" => 0,
            _ if by_path => 0,
            verdict if verdict.ends_with("-by-sample") => LEAST_SAMPLE,
            _ => 1,
        });
    }
    let enough = reading.looked_at("sides") >= least;
    enough.or_wrong("the sides of its pairs were not checked")
}

/// The verdicts that a row's figure can have. A path alone shows that this many moves are enough.
/// If the sides were compared with the rules, they show that fewer are not, or that there is no
/// path.
fn fitting(found: &str, moves: u32) -> &'static [&'static str] {
    const OTHER: &[&str] = &["refuted", "refuted-by-sample", "not-reached"];
    match found.parse().map(|found: u32| found.cmp(&moves)) {
        Ok(Ordering::Equal) => &["confirmed", "confirmed-by-sample", "not-reached"],
        Ok(Ordering::Less) => &["refuted"],
        Ok(Ordering::Greater) => OTHER,
        Err(_) if found == "no path" || more_than(found) >= Some(moves) => OTHER,
        Err(_) if found.is_empty() || more_than(found).is_some() => &["not-reached"],
        Err(_) => &[],
    }
}

/// The rows of a claim of kind `lengths`.
pub(super) fn lengths(checker: &Checker, reading: &Reading) -> Shown {
    let (rules, pairs) = (reading.rules()?, told(reading)?);
    let mut decided: Vec<Decided> = Vec::new();
    for (pair, row) in pairs.iter().zip(reading.rows) {
        decided.extend(shown(&*rules, pair, row)?);
    }
    let drawn = checker.drawn(decided.len());
    for &at in &drawn {
        let (ends, moves, name) = &decided[at];
        let label = format!("pair {} {name} {moves}", reading.name());
        let again = once(&checker.texts, label, || {
            Ok(is_shortest(&*rules, *ends, *moves).to_string())
        });
        (again.as_deref() == Ok("true")).or_wrong(format!("{name}: there is a shorter path"))?;
    }
    let (redone, all) = (drawn.len(), decided.len());
    let (open, share) = (all - redone, 100.0 * bound_of(redone.max(1) as f64));
    let trusted = format!(
        "that no path is shorter, of {open} of {all} pairs ({redone} drawn and searched again: with \
         95% confidence at most {share:.1}% are wrong)"
    );
    Ok(if open == 0 { vec![] } else { vec![trusted] })
}

/// A number of moves with its thousands set apart.
fn grouped(moves: u32) -> String {
    let (digits, unit) = (moves.to_string(), if moves == 1 { "move" } else { "moves" });
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        let apart = at > 0 && (digits.len() - at).is_multiple_of(3);
        text.extend(apart.then_some(',').into_iter().chain([digit]));
    }
    format!("{text} {unit}")
}

/// Whether a row repeats its claim correctly.
fn copied(reading: &Reading, (from, to, moves): &Pair, row: &Value) -> Result<(), Stop> {
    let (name, quick) = (format!("{from}-{to}"), reading.effort == "quick");
    let refuted = reading.case.own.get("refuted").map(list);
    let refuted = refuted.is_some_and(|all| all.contains(&name.as_str().into()));
    let (found, verdict) = (text(row, "found"), text(row, "verdict"));
    let fits = fitting(found, *moves).contains(&verdict);
    fits.or_wrong(format!("{name}: {found:?} does not come out {verdict}"))?;
    let may_be_open = quick || reading.claim.expect == "not-reached";
    let expect = match (verdict, refuted) {
        ("not-reached", _) if may_be_open => "not-reached",
        ("refuted-by-sample", true) => "refuted-by-sample",
        ("confirmed-by-sample", false) => "confirmed-by-sample",
        (_, true) => "refuted",
        (_, false) => "confirmed",
    };
    let right = json!({
        "id": format!("{}-{name}", reading.claim.text("id")),
        "kind": "length",
        "claimed": moves.to_string(),
        "puzzle": reading.puzzle,
        "instance": reading.case.instance.as_deref().unwrap_or_default(),
        "source": reading.claim.text("source"),
        "section": reading.claim.text("section"),
        "effort": reading.effort,
        "variant": reading.text("variant"),
        "engine": reading.text("engine"),
        "statement": format!("From {from} to {to} it takes exactly {}.", grouped(*moves)),
        "expect": expect,
    });
    agrees(row, &right, &name)?;
    let own = "id kind statement expect verdict claimed bound found witnesses notes readings \
        evidence wall_s";
    let shared = |whole: &Value| {
        let members = whole.as_object().into_iter().flatten();
        let shared = members.filter(|member| own.split_whitespace().all(|name| name != member.0));
        shared
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect::<Vec<_>>()
    };
    let alike = shared(row) == shared(reading.result) && row.get("bound").is_none();
    alike.or_wrong(format!("{name}: it says more than its claim"))?;
    let alone = list(&row["readings"]).is_empty() && list(&row["evidence"]).is_empty();
    alone.or_wrong("a row has readings or checks")
}

/// The evidence of a row: its path replayed, or the depth up to which there is none.
fn shown(
    rules: &dyn Rules,
    (from, to, moves): &Pair,
    row: &Value,
) -> Result<Option<Decided>, Stop> {
    let found = text(row, "found");
    let name = format!("{from}-{to}");
    let ends = (rules.state(from)?, rules.state(to)?);
    (ends.0 != ends.1).or_wrong(format!("{name}: a state leads to itself"))?;
    let [picture] = list(&row["witnesses"]) else {
        if found == "no path" {
            return no_path(rules, ends).map(|()| None);
        }
        let open = found.parse::<u32>().is_err();
        open.or_wrong(format!("{name}: nothing shows {found}"))?;
        let passed = more_than(found).filter(|depth| depth >= moves);
        return Ok(passed.map(|depth| (ends, depth + 1, name)));
    };
    let path = replayed(rules, &picture["kind"])?;
    (path.ends == ends).or_wrong(format!("{name}: the path has other ends"))?;
    (found == path.moves.to_string()).or_wrong(format!("{name}: the path has another length"))?;
    Ok(Some((ends, path.moves as u32, name)))
}
