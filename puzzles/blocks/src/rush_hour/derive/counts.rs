//! Counts boards cell by cell, row by row, with a state for pieces that extend beyond the cells
//! done.

use foldhash::{HashMap, HashMapExt};
use puzzle_api::rank::subsets;

/// The boards to count; on all of them the red car is in its row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Counted {
    /// All boards of the censuses.
    All,
    /// Other pieces may lie in the row of the red car, on both sides of it.
    Shared,
    /// Boards with another piece, on which no piece can be moved left or up and no line is full of
    /// pieces along it.
    Pushed,
}

/// The effect of the cells done so far on the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Edge {
    /// By column: the number of further cells of the piece standing in it.
    standing: [u8; 6],
    /// By column: whether the last cell done is covered.
    taken: u8,
    /// By column: whether standing pieces cover all of it so far.
    columns_full: u8,
    /// Whether lying pieces cover all of the row so far.
    row_full: bool,
    /// The number of further cells of the lying piece.
    lying: u8,
    /// Whether the red car has been placed, and another piece.
    red: bool,
    others: bool,
}

impl Edge {
    /// The part of it that decides the count. If nothing is pushed, neither neighbours nor full
    /// lines matter, which leaves a hundredth of the states.
    fn seen_by(self, counted: Counted) -> Self {
        match counted {
            Counted::Pushed => self,
            Counted::All | Counted::Shared => Self {
                taken: 0,
                columns_full: 0,
                row_full: false,
                others: false,
                ..self
            },
        }
    }
}

/// Boards of a given size (at most 6), with n walls placed in every way.
pub(super) fn count(side: usize, walls: u32, red_row: usize, counted: Counted) -> u64 {
    subsets::all((side * side) as u32, walls)
        .map(|walls| count_with(side, walls, red_row, counted))
        .sum()
}

fn count_with(side: usize, walls: u64, red_row: usize, counted: Counted) -> u64 {
    let nothing = Edge {
        standing: [0; 6],
        taken: 0,
        columns_full: (1 << side) - 1,
        row_full: true,
        lying: 0,
        red: false,
        others: false,
    };
    let mut edges = HashMap::from_iter([(nothing.seen_by(counted), 1_u64)]);
    for cell in 0..side * side {
        let place = Place {
            side,
            row: cell / side,
            column: cell % side,
            wall: walls >> cell & 1 == 1,
            red_row: cell / side == red_row,
        };
        let mut next = HashMap::new();
        for (edge, boards) in edges {
            place.fill(edge, counted, &mut |edge| {
                *next.entry(edge.seen_by(counted)).or_insert(0) += boards;
            });
        }
        edges = next;
    }
    let whole = |edge: &Edge| {
        edge.red && edge.standing == [0; 6] && (counted != Counted::Pushed || edge.others)
    };
    let counts = edges.iter().filter(|(edge, _)| whole(edge));
    counts.map(|(_, boards)| boards).sum()
}

struct Place {
    side: usize,
    row: usize,
    column: usize,
    wall: bool,
    red_row: bool,
}

impl Place {
    /// Every state that the cell can leave behind.
    fn fill(&self, before: Edge, counted: Counted, emit: &mut dyn FnMut(Edge)) {
        let column = self.column;
        let mut edge = before;
        if column == 0 {
            edge.row_full = true;
        }
        let mut put = |edge: Edge| {
            let full = edge.row_full && column + 1 == self.side
                || edge.columns_full >> column & 1 == 1 && self.row + 1 == self.side;
            if !(full && counted == Counted::Pushed) {
                emit(edge);
            }
        };
        let taken = |lying: u8, standing: u8| {
            let mut after = edge;
            after.taken |= 1 << column;
            after.lying = lying;
            after.standing[column] = standing;
            after
        };
        let lies = |lying: u8| {
            let mut after = taken(lying, 0);
            after.columns_full &= !(1 << column);
            after
        };
        let stands = |standing: u8| {
            let mut after = taken(0, standing);
            after.row_full = false;
            after
        };
        match (edge.lying, edge.standing[column]) {
            (0, 0) => {}
            (_, 1..) if edge.lying > 0 => return,
            _ if self.wall => return,
            (lying @ 1.., _) => return put(lies(lying - 1)),
            (_, standing) => return put(stands(standing - 1)),
        }
        let neither = |mut after: Edge| {
            after.row_full = false;
            after.columns_full &= !(1 << column);
            after
        };
        if self.wall {
            return put(neither(taken(0, 0)));
        }
        let mut empty = neither(edge);
        empty.taken &= !(1 << column);
        put(empty);
        self.begin(&edge, counted, (&lies, &stands), &mut put);
    }

    /// The states after a piece begins in the cell, given the states after one that lies or stands.
    fn begin(
        &self,
        edge: &Edge,
        counted: Counted,
        (lies, stands): (&dyn Fn(u8) -> Edge, &dyn Fn(u8) -> Edge),
        put: &mut dyn FnMut(Edge),
    ) {
        let column = self.column;
        let left = column > 0 && edge.taken >> (column - 1) & 1 == 0;
        let up = self.row > 0 && edge.taken >> column & 1 == 0;
        let pushed = counted == Counted::Pushed;
        for length in [2_u8, 3] {
            let lying_fits = column + usize::from(length) <= self.side && !(pushed && left);
            if lying_fits && self.red_row && length == 2 && !edge.red {
                let mut red = lies(1);
                red.red = true;
                put(red);
            }
            if lying_fits && (!self.red_row || counted == Counted::Shared) {
                let mut other = lies(length - 1);
                other.others = true;
                put(other);
            }
            if self.row + usize::from(length) <= self.side && !(pushed && up) {
                let mut other = stands(length - 1);
                other.others = true;
                put(other);
            }
        }
    }
}
