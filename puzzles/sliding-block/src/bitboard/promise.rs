//! What looks promising to a beam: how far the pieces with a goal are from it, and how many
//! big pieces are right in their way.

use puzzle_api::{Buckets, MoveOrder, Strata};

use super::Bits;
use super::masks::Masks;
use crate::board::{Board, Cells, stratum};

/// What a cell on the way counts for, against a big piece that is in the way.
const CELL: u64 = 8;

/// A piece with a goal.
#[derive(Debug)]
struct Aim {
    /// Its kind.
    kind: usize,
    /// By the open cell that it stands on.
    before: Vec<Before>,
}

/// What a piece has before it.
#[derive(Debug, Default, Clone)]
struct Before {
    /// Rows or columns to the goal, whichever are more: a step aside is no step back.
    away: u64,
    /// Cells, as bits of open ones, that one step nearer to the goal would newly cover.
    front: u128,
}

/// The order of a board's positions.
#[derive(Debug)]
pub struct Promise {
    aims: Vec<Aim>,
    /// Kinds that are big and have no goal, each with what its pieces cover by their cell.
    big: Vec<(usize, Vec<u128>)>,
}

/// By open cell: what a piece of a kind covers there, as bits of open cells; nothing where it
/// does not fit.
fn covered(board: &Board, kind: usize) -> Vec<u128> {
    let open: Vec<usize> = board.grid.open_cells().collect();
    let bits = |cells: Vec<usize>| {
        let bits = cells
            .iter()
            .filter_map(|cell| open.binary_search(cell).ok());
        bits.fold(0, |all, bit| all | 1 << bit)
    };
    let shape = &board.kinds[kind].shape;
    let covers = open.iter().map(|&cell| shape.cells(&board.grid, cell));
    covers.map(|cells| cells.map_or(0, bits)).collect()
}

impl Aim {
    /// The piece of a kind, if it has a goal.
    fn new(board: &Board, kind: usize) -> Option<Self> {
        let place = |cell: usize| board.grid.row_column(cell);
        let apart = |a: (usize, usize), b: (usize, usize)| (a.0.abs_diff(b.0), a.1.abs_diff(b.1));
        let far = |(rows, columns): (usize, usize)| rows.max(columns);
        let is_step = |(rows, columns): (usize, usize)| rows + columns == 1;
        let goal = place(board.kinds[kind].goal?);
        let open: Vec<_> = board.grid.open_cells().map(place).collect();
        let covers = covered(board, kind);
        let before = open.iter().zip(&covers).map(|(&here, &own)| {
            let away = far(apart(here, goal));
            let nearer = open.iter().zip(&covers);
            let nearer =
                nearer.filter(|&(&to, _)| is_step(apart(here, to)) && far(apart(to, goal)) < away);
            Before {
                away: away as u64,
                front: nearer.fold(0, |front, (_, &cover)| front | cover) & !own,
            }
        });
        Some(Self {
            kind,
            before: before.collect(),
        })
    }
}

impl Promise {
    /// The order on a board.
    #[must_use]
    pub fn new(board: &Board) -> Self {
        let kinds = 0..board.kinds.len();
        let is_big = |&kind: &usize| {
            let kind = &board.kinds[kind];
            kind.goal.is_none() && !kind.shape.is_little()
        };
        let big = kinds.clone().filter(is_big);
        Self {
            aims: kinds.filter_map(|kind| Aim::new(board, kind)).collect(),
            big: big.map(|kind| (kind, covered(board, kind))).collect(),
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
            let before = &aim.before[of_kind(aim.kind).next().unwrap_or(0)];
            let big = self.big.iter();
            let ahead = big.flat_map(|(kind, covers)| of_kind(*kind).map(|cell| covers[cell]));
            let in_the_way = ahead.filter(|covers| covers & before.front != 0);
            CELL * before.away + in_the_way.count() as u64
        });
        aims.sum()
    }
}

impl Strata for Bits {
    fn stratum(&self, state: &u128) -> u64 {
        let order = self.bucket(state);
        match &self.masks {
            Some(masks) => {
                let of = masks.first_cells(*state);
                let aims = self.promise.aims.iter();
                stratum(
                    order,
                    aims.map(|aim| of[aim.kind + 1].trailing_zeros() as usize),
                )
            }
            None => self.board.stratum(order, &self.cells(*state)),
        }
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
        // The T is four rows below its goal, and one corner is in its way.
        assert_eq!(bits.move_order(&start.expect("a start")), 8 * 4 + 1);
    }
}
