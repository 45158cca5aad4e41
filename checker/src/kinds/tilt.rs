//! Tables of Tilt: of a part, and of the whole box.

use super::levels::by_its_engine;
use super::tables::{Table, ran, same};
use crate::parts::{self, NEVER};
use crate::reading::Reading;
use crate::rules::tilt::{Tilt, greys};
use crate::rules::{Rules, UNKNOWN};
use crate::search::Level;
use crate::shown::{OrWrong, Shown, Stop};

/// A level of states that are their own orbits.
fn apart(states: &[u128]) -> Level {
    let mut level = Level::default();
    states.iter().for_each(|&state| level.add(state, 1));
    level
}

/// The levels of the part of Tilt that is the instance; each state is its own orbit if they are to
/// be kept.
pub(super) fn of_part(reading: &Reading, keep: bool) -> Result<Table, Stop> {
    let instance = reading.case.instance.as_deref().unwrap_or_default();
    let tilt = Tilt::open(instance, &reading.case.settings).ok_or(UNKNOWN)?;
    let images = tilt.start().map(|start| tilt.images(start));
    let masks = images.into_iter().flatten().map(greys);
    let part = parts::part(&tilt, masks.min().unwrap_or(0));
    let level = |depth| -> Vec<u128> {
        let own = part.boards.iter().filter(|board| board.1 == depth);
        own.map(|board| board.0).collect()
    };
    let states: Vec<Vec<u128>> = (0..part.levels.len() as u32).map(level).collect();
    let never = level(NEVER);
    let (levels, unsolvable) = match keep {
        true => (
            states.iter().map(|states| apart(states)).collect(),
            apart(&never),
        ),
        false => (part.levels, part.unsolvable),
    };
    Ok(Table {
        levels,
        states,
        never: Some((unsolvable, never)),
        complete: true,
    })
}

/// The table of the whole box of Tilt, added up from its parts in a file next to it.
pub(super) fn of_box(reading: &Reading) -> Shown {
    by_its_engine(reading)?;
    ran(reading, ("backward", None), true, 24_191)?;
    let whole = reading.part("run")["max_depth"].is_null();
    whole.or_wrong("the run went to another depth")?;
    let Some(parts) = reading.beside else {
        let alone = "the levels of the box: no table of its parts lies next to the certificate";
        return Ok(vec![alone.into()]);
    };
    same(reading, &parts.levels, Some(&parts.unsolvable))?;
    Ok(vec![parts.trusted.clone()])
}
