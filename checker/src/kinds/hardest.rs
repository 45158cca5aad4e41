//! Boards at the greatest distance.

use serde_json::{Value, json};

use super::levels::whole_table;
use super::{NO_BOARD, in_moves, nearest};
use crate::checker::Checker;
use crate::reading::Reading;
use crate::replay::replayed;
use crate::shown::{OrWrong, Shown, Stop, list};
use crate::verdict::{truth, whole};

/// The greatest distance, and whether it is as claimed.
pub(super) fn greatest(reading: &Reading) -> (usize, bool) {
    let greatest = reading.levels().len().saturating_sub(1);
    let claimed = reading.case.claimed.as_str();
    let fits = claimed.is_empty() || whole(claimed) == Some(greatest as u128);
    (greatest, fits)
}

pub(super) fn hardest(checker: &Checker, reading: &Reading) -> Shown {
    let (case, rules) = (reading.case, reading.rules()?);
    let (trusted, complete) = whole_table(checker, reading, &*rules)?;
    complete.or_wrong("the greatest distance of a search that was cut")?;
    if trusted.is_empty() {
        reading.hides_nothing(&*rules)?;
    }
    let shown = list(reading.part("antipodes"));
    let Ok(board) = rules.state(case.board.as_deref().unwrap_or_default()) else {
        reading.comes_to(NO_BOARD)?;
        let none = reading.witnesses().is_empty();
        none.or_wrong("witnesses that are not boards")?;
        reading.graded("refuted", false)?;
        return Ok(trusted);
    };
    let stands = rules.draw(rules.canonical(board));
    let among = shown.iter().any(|one| one["state"] == stands);
    let (greatest, fits) = greatest(reading);
    let Some((last, pictures)) = reading.witnesses().split_last() else {
        return Err("witnesses are missing".into());
    };
    let (own, antipodes) = (Value::from(rules.draw(board)), shown.iter().take(24));
    let boards = std::iter::once(&own).chain(antipodes.map(|one| &one["state"]));
    let pictures = pictures.iter().map(|one| &one["kind"]["board"]["state"]);
    let same = pictures.eq(boards);
    same.or_wrong("the boards shown are others")?;
    let again = nearest(checker, reading, &*rules, (board, None), None);
    let again = again.ok_or(Stop::Unknown("the board's shortest solution".into()))?;
    let distance = match (&last["kind"], again.met) {
        (picture, None) => {
            let alone = json!({ "board": { "state": rules.draw(board) } });
            let none = again.complete && *picture == alone;
            none.or_wrong("a solution is shown of a board that has none")?;
            "unsolvable".to_owned()
        }
        (picture, Some(fewest)) => {
            let path = replayed(&*rules, picture)?;
            let moves = path.len() - 1;
            let solves = path[0] == board && rules.solved(path[moves]);
            let shortest = solves && moves == fewest as usize;
            shortest.or_wrong("the path shown is not a shortest solution of the board")?;
            in_moves(case, moves)
        }
    };
    let rank = match (among, shown.len()) {
        (true, 1) => ", the greatest distance, here alone up to symmetry".to_owned(),
        (true, boards) => format!(", the greatest distance, as {boards} boards up to symmetry"),
        (false, _) => format!("; the greatest distance is {greatest}"),
    };
    reading.comes_to(&(distance + &rank))?;
    reading.graded(truth(among && fits), true)?;
    Ok(trusted)
}
