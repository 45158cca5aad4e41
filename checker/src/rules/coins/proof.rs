//! Proofs by the span of the start that no moves lead to a goal.

use super::Coins;
use crate::rules::board::{has, members};
use crate::rules::{Ends, Rules};
use crate::shown::{OrWrong, Stop};

/// The span: all cells covered if coins are added to every empty cell with two neighbours. No coin
/// ever leaves it. Or: the coin moved last is next to two others.
pub(super) fn by_span(coins: &Coins, (start, goal): Ends, text: &str) -> Result<(), Stop> {
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
    (outside || !landed && start != goal).or_wrong("neither proof holds")?;
    let drawn = |state: u128| coins.draw(state);
    let shown = match outside {
        true => format!("span: {}\ngoal: {}", drawn(span), drawn(goal)),
        false => format!("goal: {}", drawn(goal)),
    };
    (text == shown).or_wrong("the proof shows something else")
}
