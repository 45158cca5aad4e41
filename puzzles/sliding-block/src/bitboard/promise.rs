//! What looks promising to a beam: how far the pieces with a goal are from it, and how many
//! big pieces stand nearer.

use puzzle_api::MoveOrder;

use super::Bits;
use super::masks::Masks;
use crate::board::{Board, Cells};

/// What a cell on the way counts for, against a big piece that stands nearer.
const CELL: u64 = 3;

/// A piece with a goal.
#[derive(Debug)]
struct Aim {
    /// Its kind.
    kind: usize,
    /// By open cell: rows and columns to the goal.
    away: Vec<u64>,
}

impl Aim {
    fn term(&self, own: usize, others: impl Iterator<Item = usize>) -> u64 {
        let far = self.away[own];
        let nearer = others.filter(|&other| self.away[other] < far);
        CELL * far + nearer.count() as u64
    }
}

/// The order of a board's positions.
#[derive(Debug)]
pub struct Promise {
    aims: Vec<Aim>,
    /// By kind: whether it is big, and has no goal.
    in_the_way: Vec<bool>,
}

impl Promise {
    /// The order on a board.
    #[must_use]
    pub fn new(board: &Board) -> Self {
        let open: Vec<usize> = board.grid.open_cells().collect();
        let aims = board.kinds.iter().enumerate().filter_map(|(kind, of)| {
            let (row, column) = board.grid.row_column(of.goal?);
            let away = open.iter().map(|&cell| {
                let (r, c) = board.grid.row_column(cell);
                (r.abs_diff(row) + c.abs_diff(column)) as u64
            });
            Some(Aim {
                kind,
                away: away.collect(),
            })
        });
        let kinds = board.kinds.iter();
        Self {
            aims: aims.collect(),
            in_the_way: kinds
                .map(|kind| kind.goal.is_none() && !kind.shape.is_little())
                .collect(),
        }
    }

    /// By the first cells of each kind, as bits of open cells.
    fn of_masks(&self, masks: &Masks, key: u128) -> u64 {
        let of = masks.first_cells(key);
        let of_kind = |kind: usize| Bits64(of[kind + 1]);
        self.of(&of_kind)
    }

    /// By a position cell by cell.
    fn of_cells(&self, board: &Board, cells: &Cells) -> u64 {
        let open: Vec<usize> = board.grid.open_cells().collect();
        let anchors = board.anchors_by_kind(cells);
        let number = |cell: &usize| open.binary_search(cell).unwrap_or(0);
        let of_kind = |kind: usize| anchors[kind].iter().map(number);
        self.of(&of_kind)
    }

    fn of<I: Iterator<Item = usize>>(&self, of_kind: &impl Fn(usize) -> I) -> u64 {
        let aims = self.aims.iter().map(|aim| {
            let big = (0..self.in_the_way.len()).filter(|&kind| self.in_the_way[kind]);
            let own = of_kind(aim.kind).next().unwrap_or(0);
            aim.term(own, big.flat_map(of_kind))
        });
        aims.sum()
    }
}

/// Places of the bits of a word.
struct Bits64(u64);

impl Iterator for Bits64 {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let at = self.0.trailing_zeros();
        self.0 &= self.0.wrapping_sub(1);
        (at < u64::BITS).then_some(at as usize)
    }
}

impl MoveOrder for Bits {
    fn move_order(&self, state: &u128) -> u64 {
        match &self.masks {
            Some(masks) => self.promise.of_masks(masks, *state),
            None => self.promise.of_cells(&self.board, &self.cells(*state)),
        }
    }
}

#[cfg(test)]
mod tests {
    use puzzle_api::{MoveOrder, Puzzle};

    use crate::instances::{Instance, NAMED, named};
    use crate::metric::Metric;

    #[test]
    fn both_ways_to_find_the_order_agree() {
        for board in NAMED {
            let board = named(board.name).expect("ships");
            let metric = Metric::Piece;
            let bits = crate::Bits::new(Instance { board, metric });
            let mut keys = Vec::new();
            bits.starts(&mut |start| keys.push(start));
            for at in 0..200 {
                let Some(&key) = keys.get(at) else { break };
                bits.expand(key, &mut |next| keys.push(next));
            }
            for &key in &keys {
                let slow = bits.promise.of_cells(&bits.board, &bits.cells(key));
                assert_eq!(bits.move_order(&key), slow);
            }
        }
    }

    #[test]
    fn nearer_the_goal_is_more_promising() {
        let board = named("climb-12").expect("ships");
        let metric = Metric::Piece;
        let bits = crate::Bits::new(Instance { board, metric });
        let mut start = None;
        bits.starts(&mut |key| start = Some(key));
        // The T is four rows below its goal, and both corners are nearer.
        assert_eq!(bits.move_order(&start.expect("a start")), 3 * 4 + 2);
    }
}
