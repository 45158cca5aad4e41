//! The printed functions, carried over with their constants as printed.
//!
//! Only the code under test is here. The algorithms follow the appendix step by step, in Rust, so
//! that a fault in them would show; memory handling is left out.

use super::permutation::{Term, left_right, right_terms, swap};

/// A row: ten bits, the leftmost square highest.
pub(super) type Row = u32;
pub(super) const ROWS: Row = 0x400;
/// The result of `move_bc_row` for a row in which a blue block falls.
pub(super) const ILLEGAL_ROW: Row = 0x30;
/// Printed as `MAX_GREEN`.
const MAX_GREEN: i32 = 2;

/// The terms of `transpose` as printed.
pub(super) const TRANSPOSE: [Term; 9] = [
    Term::left(32, 0x300000000000),
    Term::left(24, 0xC00C00000000),
    Term::left(16, 0x300300300000),
    Term::left(8, 0xC00C00C00C00),
    Term::left(0, 0x3003003003003),
    Term::right(8, 0xC00C00C00C),
    Term::right(16, 0x30030030),
    Term::right(24, 0xC00C0),
    Term::right(32, 0x300),
];

/// The terms of `mirr_v` as printed.
pub(super) const MIRR_V: [Term; 3] = [
    Term::left(8, 0xF03C0C03C0F0),
    Term::right(4, 0xC0300C0300C0),
    Term::right(8, 0x300C0300C03),
];

/// The two permutations with the masks that the comments require.
#[derive(Debug, Clone)]
pub(super) struct Corrected {
    transpose: Vec<Term>,
    mirr_v: Vec<Term>,
}

impl Corrected {
    pub(super) fn new() -> Self {
        Self {
            transpose: right_terms(swap),
            mirr_v: right_terms(left_right),
        }
    }

    pub(super) fn transpose(&self, board: u64) -> u64 {
        apply(&self.transpose, board)
    }

    pub(super) fn mirr_v(&self, board: u64) -> u64 {
        apply(&self.mirr_v, board)
    }
}

fn apply(terms: &[Term], board: u64) -> u64 {
    terms
        .iter()
        .fold(0, |result, term| result | term.apply(board))
}

pub(super) fn reverse(r: Row) -> Row {
    ((r >> 8) & 0x3) | ((r >> 4) & 0xC) | (r & 0x30) | ((r << 4) & 0xC0) | ((r << 8) & 0x300)
}

pub(super) fn to_array(r: Row) -> [Row; 5] {
    [
        (r >> 8) & 3,
        (r >> 6) & 3,
        (r >> 4) & 3,
        (r >> 2) & 3,
        r & 3,
    ]
}

pub(super) fn to_row(a: [Row; 5]) -> Row {
    (a[0] << 8) | (a[1] << 6) | (a[2] << 4) | (a[3] << 2) | a[4]
}

/// The printed `move_b_row`: an outer row tilted left.
pub(super) fn move_b_row(r: Row) -> Row {
    let mut a = to_array(r);
    let mut change = true;
    while change {
        change = false;
        for i in 0..4 {
            if a[i] == 0 && (a[i + 1] == 1 || a[i + 1] == 2) {
                (a[i], a[i + 1]) = (a[i + 1], 0);
                change = true;
            }
        }
    }
    to_row(a)
}

/// The printed `move_bc_row`: the row of the hole tilted left.
pub(super) fn move_bc_row(r: Row) -> Row {
    let mut a = to_array(r);
    if a[3] == 2 || (a[4] == 2 && a[3] != 3) {
        return ILLEGAL_ROW;
    }
    if a[0] == 0 && a[1] != 3 {
        (a[0], a[1]) = (a[1], 0);
    }
    if a[3] != 3 {
        a[3] = 0;
        if a[4] != 3 {
            a[4] = 0;
        }
    }
    to_row(a)
}

pub(super) fn count_green(r: Row) -> i32 {
    to_array(r).into_iter().filter(|&cell| cell == 1).count() as i32
}

pub(super) fn solved(board: u64) -> bool {
    to_rows(board).into_iter().all(|row| count_green(row) == 0)
}

pub(super) fn to_board(rows: [Row; 5]) -> u64 {
    rows.into_iter()
        .fold(0, |board, row| board << 10 | u64::from(row))
}

pub(super) fn to_rows(board: u64) -> [Row; 5] {
    [40, 30, 20, 10, 0].map(|shift| (board >> shift) as Row & 0x3FF)
}

/// The four printed tables; the middle ones also keep the count of greens.
pub(super) struct Tables {
    pub(super) left: Vec<Vec<Row>>,
    pub(super) right: Vec<Vec<Row>>,
    pub(super) left_c: Vec<Vec<(Row, i32)>>,
    pub(super) right_c: Vec<Vec<(Row, i32)>>,
}

impl Tables {
    pub(super) fn init() -> Self {
        let size = ROWS as usize;
        let mut tables = Self {
            left: vec![Vec::new(); size],
            right: vec![Vec::new(); size],
            left_c: vec![Vec::new(); size],
            right_c: vec![Vec::new(); size],
        };
        for r in 0..ROWS {
            if r & 0x30 == 0 {
                let counted = (r, count_green(r));
                tables.left_c[move_bc_row(r) as usize].push(counted);
                tables.right_c[reverse(move_bc_row(reverse(r))) as usize].push(counted);
            }
            tables.left[move_b_row(r) as usize].push(r);
            tables.right[reverse(move_b_row(reverse(r))) as usize].push(r);
        }
        tables
    }

    /// Predecessors by tilts to the left and to the right, which need no `transpose`.
    pub(super) fn along_rows(&self, at: Counted) -> [Vec<Counted>; 2] {
        [
            cartesian(&self.left, &self.left_c, at),
            cartesian(&self.right, &self.right_c, at),
        ]
    }

    /// Predecessors by all four tilts, one after the other.
    pub(super) fn predecessors(&self, corrected: &Corrected, at: Counted) -> Vec<Counted> {
        let swapped = |at: Counted| Counted {
            board: corrected.transpose(at.board),
            ..at
        };
        let along_columns = self.along_rows(swapped(at)).into_iter().flatten();
        let along_rows = self.along_rows(at).into_iter().flatten();
        along_rows.chain(along_columns.map(swapped)).collect()
    }
}

/// Printed `b_board_counter`, without the number of moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Counted {
    pub(super) board: u64,
    pub(super) green: i32,
}

/// Printed `cartesian`, with the look-ups of its caller.
fn cartesian(outer: &[Vec<Row>], middle: &[Vec<(Row, i32)>], original: Counted) -> Vec<Counted> {
    let rows = to_rows(original.board);
    let list = |line: usize| &outer[rows[line] as usize];
    let mut results = Vec::new();
    for &r0 in list(0) {
        for &r1 in list(1) {
            for &(r2, greens) in &middle[rows[2] as usize] {
                for &r3 in list(3) {
                    for &r4 in list(4) {
                        let found = Counted {
                            board: to_board([r0, r1, r2, r3, r4]),
                            green: original.green + greens - count_green(rows[2]),
                        };
                        if found != original && found.green <= MAX_GREEN {
                            results.push(found);
                        }
                    }
                }
            }
        }
    }
    results
}
