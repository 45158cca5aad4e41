//! The effect of a move on the pieces of a board, found from the texts before and after it.

use super::board::Board;
use super::outline::{Cells, OutlineCell, connected};
use crate::model::{Legend, Net, Shape};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// A piece that a move changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Shift {
    /// Its former cells (row, column); empty if it was not there.
    pub from: BTreeSet<OutlineCell>,
    /// Its present cells, in the same order; empty if it is gone.
    pub to: BTreeSet<OutlineCell>,
}

/// The pieces, or stickers of a net, that a move from one board to another changed.
pub fn shifts(before: &str, after: &str, legend: &Legend) -> Vec<Shift> {
    if let Some(net) = &legend.net {
        return net_shifts(net, before, after).unwrap_or_default();
    }
    let [before, after] = [before, after].map(|board| Board::parse(&legend.drawn(board)));
    after.since(&before, legend)
}

fn net_shifts(net: &Net, before: &str, after: &str) -> Option<Vec<Shift>> {
    let width = net.solved.find('/').unwrap_or(net.solved.len()) + 1;
    let places = |board: &str| {
        let mut places: BTreeMap<usize, Cells> = BTreeMap::new();
        for (at, home) in net.homes(board)?.into_iter().enumerate() {
            let cell = (at / width, at % width);
            let cell = (i32::try_from(cell.0).ok()?, i32::try_from(cell.1).ok()?);
            places.entry(home).or_default().insert(cell);
        }
        Some(places)
    };
    let mut now = places(after)?;
    let shift = |(home, from)| {
        Some(Shift {
            from,
            to: now.remove(&home)?,
        })
    };
    let all = places(before)?.into_iter().filter_map(shift);
    Some(all.filter(|shift| shift.from != shift.to).collect())
}

pub(super) fn is_piece(symbol: char, legend: &Legend) -> bool {
    legend.entry(symbol).is_none_or(|entry| {
        matches!(
            entry.shape,
            Shape::Block | Shape::Disc | Shape::Merge | Shape::Stack
        )
    })
}

impl Board {
    /// The pieces of a symbol: connected cells if the legend merges them, else one per cell.
    pub(super) fn pieces(&self, symbol: char, legend: &Legend) -> Vec<Cells> {
        let Some(cells) = self.cells.get(&symbol) else {
            return Vec::new();
        };
        let entry = legend.entry(symbol);
        match entry.is_some_and(|entry| entry.shape == Shape::Merge) {
            true => connected(cells),
            false => cells.iter().map(|&cell| BTreeSet::from([cell])).collect(),
        }
    }

    /// The changes of a move from another board to this one.
    pub(super) fn since(&self, before: &Board, legend: &Legend) -> Vec<Shift> {
        let mut all = Vec::new();
        let symbols: BTreeSet<char> = (self.cells.keys())
            .chain(before.cells.keys())
            .copied()
            .filter(|&symbol| is_piece(symbol, legend))
            .collect();
        let floor = |board: &Board| -> Cells {
            let bare = board
                .cells
                .iter()
                .filter(|(symbol, _)| !symbols.contains(symbol));
            bare.flat_map(|(_, cells)| cells).copied().collect()
        };
        // Pieces move if a move uncovers or covers floor; else lights change their colour.
        let moves = floor(self) != floor(before);
        for &symbol in &symbols {
            let (then, now) = (before.pieces(symbol, legend), self.pieces(symbol, legend));
            let alone = then.len() == 1 && now.len() == 1;
            let lost = then.iter().filter(|piece| !now.contains(piece)).cloned();
            let gained = now.iter().filter(|piece| !then.contains(piece)).cloned();
            let (lost, gained) = (lost.collect::<Vec<_>>(), gained.collect::<Vec<_>>());
            all.extend(match moves || alone {
                true => paired(lost, gained),
                false => apart(lost, gained).collect(),
            });
        }
        all
    }
}

fn apart(gone: Vec<Cells>, new: Vec<Cells>) -> impl Iterator<Item = Shift> {
    let gone = gone.into_iter().map(|from| Shift {
        from,
        to: BTreeSet::new(),
    });
    let new = new.into_iter().map(|to| Shift {
        from: BTreeSet::new(),
        to,
    });
    gone.chain(new)
}

/// Matches moved pieces: over one that is gone, else to the nearest place.
fn paired(mut lost: Vec<Cells>, mut gained: Vec<Cells>) -> Vec<Shift> {
    let mut all = Vec::new();
    if lost.len() == gained.len() {
        // Pieces that slide together keep their order along the rows, or along the columns.
        let by_column = |pieces: &[Cells]| {
            let mut pieces = pieces.to_vec();
            pieces.sort_by_key(|piece| piece.first().map(|&(row, column)| (column, row)));
            pieces
        };
        let ways = [
            (lost.clone(), gained.clone()),
            (by_column(&lost), by_column(&gained)),
        ];
        let cost = |way: &(Vec<_>, Vec<_>)| {
            way.0
                .iter()
                .zip(&way.1)
                .map(|(a, b)| far(a, b))
                .sum::<i32>()
        };
        if let Some((from, to)) = ways.into_iter().min_by_key(cost) {
            let pairs = from.into_iter().zip(to);
            return pairs.map(|(from, to)| Shift { from, to }).collect();
        }
    }
    let over = |lost: &[Cells], from: &Cells, to: &Cells| {
        let (Some(a), Some(b)) = (from.first(), to.first()) else {
            return false;
        };
        let middle = |piece: &Cells| {
            piece
                .first()
                .is_some_and(|m| (2 * m.0, 2 * m.1) == (a.0 + b.0, a.1 + b.1))
        };
        lost.iter().any(middle)
    };
    while !lost.is_empty() && !gained.is_empty() {
        let pairs = (0..lost.len()).flat_map(|at| (0..gained.len()).map(move |to| (at, to)));
        let best = pairs.min_by_key(|&(at, to)| {
            (
                !over(&lost, &lost[at], &gained[to]),
                far(&lost[at], &gained[to]),
            )
        });
        let Some((at, to)) = best else { break };
        all.push(Shift {
            from: lost.remove(at),
            to: gained.remove(to),
        });
    }
    all.extend(apart(lost, gained));
    all
}

/// The distance of a piece from another, increased if no straight path leads there.
fn far(from: &Cells, to: &Cells) -> i32 {
    let (Some(a), Some(b)) = (from.first(), to.first()) else {
        return 0;
    };
    let (rows, columns) = ((a.0 - b.0).abs(), (a.1 - b.1).abs());
    let bent = if rows > 0 && columns > 0 { 64 } else { 0 };
    rows + columns + bent
}
