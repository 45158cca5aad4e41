//! Boards at the greatest distance, and tables of lengths.

use serde_json::Value;

use super::levels::{antipodes, is_box, of_box, table};
use super::paths::nearest;
use super::{BEYOND, graded};
use crate::checker::Checker;
use crate::pairs;
use crate::reading::Reading;
use crate::replay::replayed;
use crate::shown::{OrWrong, Shown, Stop, bound_of, list};
use crate::verdict::{truth, whole};

pub(super) fn hardest(checker: &Checker, reading: &Reading) -> Shown {
    let (case, rules) = (reading.case, reading.rules()?);
    let trusted = if is_box(reading) {
        of_box(reading, &*rules)?
    } else {
        let found = table(checker, reading, &*rules, false)?;
        antipodes(reading, &*rules)?;
        found.map_or(vec![BEYOND.into()], |_| vec![])
    };
    let (found, shown) = (reading.text("found"), list(&reading.record["antipodes"]));
    let Some(board) = rules.read(case.board.as_deref().unwrap_or_default()) else {
        (found == "no board of this instance").or_wrong("the board is none of this instance")?;
        reading
            .witnesses
            .is_empty()
            .or_wrong("witnesses of a board that is none")?;
        graded(reading, "refuted", false)?;
        return Ok(trusted);
    };
    let stands = rules.draw(rules.canonical(board));
    let among = shown.iter().any(|one| one["state"] == stands);
    let greatest = list(&reading.record["levels"]["levels"]).len() - 1;
    let Some((last, pictures)) = reading.witnesses.split_last() else {
        return Err(Stop::Wrong("witnesses are missing".into()));
    };
    let (own, antipodes) = (Value::from(rules.draw(board)), shown.iter().take(24));
    let boards = std::iter::once(&own).chain(antipodes.map(|one| &one["state"]));
    let pictures = pictures.iter().map(|one| &one["kind"]["board"]["state"]);
    pictures
        .eq(boards)
        .or_wrong("the boards shown are others")?;
    let path = replayed(&*rules, &last["kind"])?;
    let again = nearest(checker, reading, &*rules, (board, None), None);
    let fewest = (*again).as_ref().and_then(|found| found.met);
    let (length, end) = (path.len() - 1, path[path.len() - 1]);
    (path[0] == board && fewest == Some(length as u32) && rules.solved(end))
        .or_wrong("the path shown is no shortest solution of the board")?;
    let moves = match length {
        1 => "1 move".to_owned(),
        moves => format!("{moves} moves"),
    };
    let text = match (among, shown.len()) {
        (true, 1) => format!("{moves}, the greatest distance, here alone"),
        (true, boards) => {
            format!("{moves}, the greatest distance, as {boards} boards up to symmetry")
        }
        (false, _) => format!("{moves}; the greatest distance is {greatest}"),
    };
    (found == text).or_wrong(format!("what is found is: {text}"))?;
    let fits = case.claimed.is_empty() || whole(&case.claimed) == Some(greatest as u128);
    graded(reading, truth(among && fits), true)?;
    Ok(trusted)
}

pub(super) fn lengths(checker: &Checker, reading: &Reading) -> Shown {
    let rules = reading.rules()?;
    let (redone, decided) = pairs::rows(checker, reading, &*rules)?;
    let open = decided - redone;
    Ok(match open {
        0 => vec![],
        _ => vec![format!(
            "that no path is shorter, of {open} of {decided} pairs ({redone} drawn and searched again: with 95% confidence at most {:.1}% are wrong)",
            100.0 * bound_of(redone.max(1) as f64)
        )],
    })
}
