//! Rows or columns of a part: their runs, the layouts of blues over the runs, and the addresses of
//! the results of a tilt along the axis.
//!
//! A *run* is a maximal stretch of open squares in one line. Tilts along the axis keep every piece
//! in its run and keep the order of the pieces. So they depend only on the *layout* of a placement,
//! the number of blues in every run, and the *place* of each green: its run and the number of that
//! run's blues before it. Runs and blues in order number the places.

use super::BOARD;
use crate::board::{HOLE, SIDE, SQUARES};

/// Bytes of a table row, a power of two above every place. With `a` greys an
/// axis has at most 6 + a runs, so with 24 - a blues 30 is the last place.
pub(super) const ROW: usize = 32;
/// A run per cell is more than there can be.
const RUNS: usize = SQUARES;

/// Blues of each run.
pub(super) type Layout = [u8; RUNS];

/// A set of squares, numbered by rows in the low half and by columns in the
/// high half.
pub(super) type BothWays = u64;

/// The set of one square of an axis.
pub(super) fn both_ways(axis: usize, index: usize) -> BothWays {
    let crossing = crossing(index);
    let (by_rows, by_columns) = if axis == 0 {
        (index, crossing)
    } else {
        (crossing, index)
    };
    1 << by_rows | 1 << (32 + by_columns)
}

/// Number of a square on the other axis.
fn crossing(index: usize) -> usize {
    SIDE * (index % SIDE) + index / SIDE
}

/// The half of a set that numbers squares along an axis.
#[inline]
pub(super) fn along(axis: usize, set: BothWays) -> u32 {
    (set >> (32 * axis)) as u32
}

/// One run of a part.
pub(super) struct Run {
    pub(super) length: usize,
    /// By count: the set of that many first cells of the run.
    pub(super) heads: [BothWays; SIDE + 1],
    /// Numbers of its cells on the other axis.
    pub(super) crossings: [u8; SIDE],
    /// Whether pieces fall when tilted towards its first or its last cell.
    pub(super) drops: [bool; 2],
    line: usize,
    /// The run's cells in a pattern of its line.
    pattern: u8,
}

/// See the module's description. Axis 0 are the rows, axis 1 the columns.
#[derive(Default)]
pub(super) struct Axis {
    axis: usize,
    pub(super) runs: Vec<Run>,
    /// Run of each square.
    run_of: [u8; SQUARES],
    open: [u8; SIDE],
    pub(super) layouts: Vec<Layout>,
    blues: usize,
    /// Address of the first layout's table.
    pub(super) start: u32,
    /// Bytes of a layout's table: a row per place, one for 'no green'.
    pub(super) stride: u32,
    /// Share of a line in the address of a layout's table, by line, blues on
    /// the lines before and pattern.
    shares: Vec<u32>,
    /// Places of a line's free cells except for the blues before the line: one
    /// byte per cell, and one byte per free cell without gaps.
    places: [[u64; 32]; SIDE],
    packed_places: [[u64; 32]; SIDE],
}

/// Blues of a placement as one axis sees them.
#[derive(Clone, Copy, Default)]
pub(super) struct Blues {
    /// Address of the layout's table.
    pub(super) table: u32,
    pub(super) patterns: [u8; SIDE],
    /// Blues on the lines before each line.
    pub(super) before: [u8; SIDE],
}

impl Axis {
    /// Takes the grey mask of another part.
    pub(super) fn enter_part(&mut self, axis: usize, grey: u32) {
        self.axis = axis;
        self.runs.clear();
        let open = BOARD & !grey & !(1 << HOLE);
        for line in 0..SIDE {
            let cell_is_open = |cell: usize| {
                let own = both_ways(axis, SIDE * line + cell);
                along(0, own) & open != 0
            };
            self.open[line] = (0..SIDE)
                .filter(|&cell| cell_is_open(cell))
                .fold(0, |pattern, cell| pattern | 1 << cell);
            let mut cell = 0;
            while cell < SIDE {
                let end = (cell..SIDE).find(|&at| !cell_is_open(at)).unwrap_or(SIDE);
                if end > cell {
                    self.add_run(line, cell, end);
                }
                cell = end + 1;
            }
        }
        self.list_places();
    }

    fn add_run(&mut self, line: usize, start: usize, end: usize) {
        let length = end - start;
        let first = SIDE * line + start;
        let mut heads = [0; SIDE + 1];
        let mut crossings = [0; SIDE];
        for cell in 0..length {
            heads[cell + 1] = heads[cell] | both_ways(self.axis, first + cell);
            crossings[cell] = crossing(first + cell) as u8;
            self.run_of[first + cell] = self.runs.len() as u8;
        }
        self.runs.push(Run {
            length,
            heads,
            crossings,
            drops: [first == HOLE + 1, first + length == HOLE],
            line,
            pattern: ((1 << end) - (1 << start)) as u8,
        });
    }

    fn list_places(&mut self) {
        for line in 0..SIDE {
            for pattern in patterns(self.open[line]) {
                let (mut places, mut packed, mut free) = (0, 0, 0);
                for cell in cells(self.open[line] & !pattern) {
                    let place = self.run_of[SIDE * line + cell] + ones_below(pattern, cell);
                    places |= u64::from(place) << (8 * cell);
                    packed |= u64::from(place) << (8 * free);
                    free += 1;
                }
                self.places[line][usize::from(pattern)] = places;
                self.packed_places[line][usize::from(pattern)] = packed;
            }
        }
    }

    /// Sets another number of blues; the tables begin at `start`. Returns where they end.
    pub(super) fn enter_blues(&mut self, blues: usize, start: u32) -> u32 {
        self.blues = blues;
        self.start = start;
        self.stride = (ROW * (self.runs.len() + blues + 1)) as u32;
        let ways = self.ways();
        self.layouts.clear();
        let mut layout = [0; RUNS];
        self.list_layouts(&ways, 0, blues, &mut layout);
        self.list_shares(&ways);
        start + self.stride * self.layouts.len() as u32
    }

    /// Place of 'no green'.
    pub(super) fn no_place(&self) -> usize {
        self.runs.len() + self.blues
    }

    /// The number of ways to distribute a number of blues over the runs from one on.
    fn ways(&self) -> Vec<[u32; SQUARES]> {
        let mut ways = vec![[0; SQUARES]; self.runs.len() + 1];
        ways[self.runs.len()][0] = 1;
        for (at, run) in self.runs.iter().enumerate().rev() {
            for blues in 0..=self.blues {
                let most = run.length.min(blues);
                ways[at][blues] = (0..=most).map(|here| ways[at + 1][blues - here]).sum();
            }
        }
        ways
    }

    /// Layouts in lexicographic order, which the shares number.
    fn list_layouts(
        &mut self,
        ways: &[[u32; SQUARES]],
        at: usize,
        blues: usize,
        layout: &mut Layout,
    ) {
        if at == self.runs.len() {
            self.layouts.push(*layout);
            return;
        }
        for here in 0..=self.runs[at].length.min(blues) {
            if ways[at + 1][blues - here] > 0 {
                layout[at] = here as u8;
                self.list_layouts(ways, at + 1, blues - here, layout);
            }
        }
        layout[at] = 0;
    }

    fn list_shares(&mut self, ways: &[[u32; SQUARES]]) {
        self.shares.clear();
        self.shares.resize(SIDE * (self.blues + 1) * 32, 0);
        for line in 0..SIDE {
            let runs = self.runs.iter().enumerate();
            let runs: Vec<(usize, &Run)> = runs.filter(|(_, run)| run.line == line).collect();
            for before in 0..=self.blues {
                for pattern in patterns(self.open[line]) {
                    if before + usize::from(ones(pattern)) > self.blues {
                        continue;
                    }
                    let mut left = self.blues - before;
                    let mut number = 0;
                    for (at, run) in &runs {
                        for _ in 0..ones(pattern & run.pattern) {
                            number += ways[at + 1][left];
                            left -= 1;
                        }
                    }
                    let index = self.share_index(line, before, pattern);
                    self.shares[index] = number * self.stride;
                }
            }
        }
    }

    #[inline]
    fn share_index(&self, line: usize, before: usize, pattern: u8) -> usize {
        ((line * (self.blues + 1) + before) << 5) + usize::from(pattern)
    }

    /// This axis' view of a set of blues, numbered along it.
    #[inline]
    pub(super) fn see(&self, blues: u32) -> Blues {
        let mut seen = Blues {
            table: self.start,
            patterns: [0; SIDE],
            before: [0; SIDE],
        };
        let mut before = 0;
        for line in 0..SIDE {
            let pattern = (blues >> (SIDE * line)) as u8 & 31;
            seen.patterns[line] = pattern;
            seen.before[line] = before;
            seen.table += self.shares[self.share_index(line, usize::from(before), pattern)];
            before += ones(pattern);
        }
        seen
    }

    /// Place of a green.
    #[inline]
    pub(super) fn place(&self, blues: &Blues, square: u8) -> usize {
        let square = usize::from(square).min(SQUARES - 1);
        let (line, cell) = (square / SIDE, square % SIDE);
        let before = blues.before[line] + ones_below(blues.patterns[line], cell);
        usize::from(self.run_of[square] + before)
    }

    /// Places of the cells of a line, one byte per cell.
    #[inline]
    pub(super) fn places(&self, blues: &Blues, line: usize) -> u64 {
        places_after(&self.places, blues, line)
    }

    /// Places of the free cells of a line, without gaps.
    #[inline]
    pub(super) fn packed_places(&self, blues: &Blues, line: usize) -> u64 {
        places_after(&self.packed_places, blues, line)
    }
}

#[inline]
fn places_after(places: &[[u64; 32]; SIDE], blues: &Blues, line: usize) -> u64 {
    let before = u64::from(blues.before[line]) * 0x0101_0101_0101_0101;
    places[line][usize::from(blues.patterns[line]) & 31] + before
}

/// Address of two greens in a layout's table.
#[inline]
pub(super) fn address(table: u32, first: usize, second: usize) -> u32 {
    table + (ROW * first + second) as u32
}

fn patterns(open: u8) -> impl Iterator<Item = u8> {
    (0..32).filter(move |pattern| pattern & !open == 0)
}

fn cells(pattern: u8) -> impl Iterator<Item = usize> {
    (0..SIDE).filter(move |cell| pattern >> cell & 1 == 1)
}

/// Number of set bits of a line's pattern: the portable baseline has no
/// instruction for it.
#[inline]
pub(super) fn ones(pattern: u8) -> u8 {
    ONES[usize::from(pattern) & 31]
}

#[inline]
fn ones_below(pattern: u8, cell: usize) -> u8 {
    ones(pattern & ((1 << cell) - 1))
}

const ONES: [u8; 32] = {
    let mut ones = [0; 32];
    let mut pattern = 1;
    while pattern < 32 {
        ones[pattern] = ones[pattern >> 1] + (pattern & 1) as u8;
        pattern += 1;
    }
    ones
};
