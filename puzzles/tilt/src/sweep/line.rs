//! What a tilt does inside one row or column, turned into table addresses.
//!
//! A tilt along rows moves nothing from one row to another, so its effect on
//! an address is a sum over rows. `Slides` holds the moves of every line there
//! can be; `Lines` translates those of one part and blue count into addresses.

use super::symmetry::transpose;
use super::{BOARD, HOLE};

const SIDE: usize = 5;
/// A green that fell has this for its cell.
const FALLEN: u8 = 5;

/// Where the pieces of one line stand after a tilt along it.
#[derive(Clone, Copy, Default)]
struct Slide {
    blues: u8,
    /// Cells of the greens, lowest first before the tilt; `FALLEN` if none.
    greens: [u8; 2],
}

/// The slides of one line, by direction (0 towards cell 0, 1 away from it).
#[derive(Clone, Copy, Default)]
struct LineSlides {
    legal: [bool; 2],
    none: [Slide; 2],
    one: [[Slide; SIDE]; 2],
    two: [[[Slide; SIDE]; SIDE]; 2],
}

/// Slides of every line, by whether it crosses the hole, its greys and blues.
pub(super) struct Slides {
    lines: Vec<LineSlides>,
}

impl Slides {
    pub(super) fn new() -> Self {
        let mut lines = vec![LineSlides::default(); 2 * 32 * 32];
        for hole in [false, true] {
            for greys in 0..32 {
                for blues in (0..32).filter(|blues| blues & greys == 0) {
                    lines[Self::index(hole, greys, blues)] = line_slides(hole, greys, blues);
                }
            }
        }
        Self { lines }
    }

    fn index(hole: bool, greys: u8, blues: u8) -> usize {
        (usize::from(hole) << 10) + (usize::from(greys) << 5) + usize::from(blues)
    }
}

fn line_slides(hole: bool, greys: u8, blues: u8) -> LineSlides {
    let mut slides = LineSlides::default();
    for direction in 0..2 {
        let slide_with = |greens| slide(hole, greys, blues, greens, direction);
        if let Some(none) = slide_with(0) {
            slides.legal[direction] = true;
            slides.none[direction] = none;
        }
        for low in 0..SIDE {
            if let Some(one) = slide_with(1 << low) {
                slides.one[direction][low] = one;
            }
            for high in low + 1..SIDE {
                if let Some(two) = slide_with(1 << low | 1 << high) {
                    slides.two[direction][low][high] = two;
                }
            }
        }
    }
    slides
}

/// One line tilted; `None` if a blue falls.
fn slide(hole: bool, greys: u8, blues: u8, greens: u8, direction: usize) -> Option<Slide> {
    let mut after = Slide {
        blues: 0,
        greens: [FALLEN; 2],
    };
    let mut taken = greys;
    for step in 0..SIDE {
        let cell = if direction == 0 {
            step
        } else {
            SIDE - 1 - step
        };
        let piece = 1 << cell;
        if (blues | greens) & piece == 0 {
            continue;
        }
        let stop = stop_cell(hole, taken, cell, direction);
        if stop != FALLEN {
            taken |= 1 << stop;
        }
        if blues & piece == 0 {
            let nth = usize::from(greens & (piece - 1) != 0);
            after.greens[nth] = stop;
        } else if stop == FALLEN {
            return None;
        } else {
            after.blues |= 1 << stop;
        }
    }
    Some(after)
}

fn stop_cell(hole: bool, taken: u8, cell: usize, direction: usize) -> u8 {
    let mut at = cell;
    loop {
        let next = if direction == 0 {
            at.wrapping_sub(1)
        } else {
            at + 1
        };
        if next >= SIDE || taken >> next & 1 == 1 {
            return at as u8;
        }
        if hole && next == 2 {
            return FALLEN;
        }
        at = next;
    }
}

/// What one green adds to an address, for the two directions along a line.
#[derive(Clone, Copy, Default)]
#[repr(C)]
pub(super) struct Cell {
    /// As the second green of the address.
    pub(super) second: [u32; 2],
    /// As its first green.
    pub(super) first: [u32; 2],
}

/// Shares in an address of one line with a given blue pattern and a given
/// number of blues on the lines before it. Sums wrap: shares can be negative.
#[derive(Clone, Copy, Default)]
#[repr(C)]
pub(super) struct Line {
    /// Share of the blues after each of the two tilts along the line.
    pub(super) base: [u32; 2],
    /// Share of the blues as they stand.
    pub(super) still: u32,
    /// Bit d: no blue of this line falls in direction d.
    pub(super) legal: u32,
    /// Slot of a green that stands on a cell.
    pub(super) slot: [u32; SIDE],
    pub(super) cell: [Cell; SIDE],
    /// `second` of a green that shares the line with a first one on the cell
    /// of the outer index. Inner index: see `Lines::pair_index`.
    pub(super) pair: [[[u32; 2]; SIDE - 1]; SIDE],
}

/// The rows and columns of one grey mask and one blue count.
#[derive(Default)]
pub(super) struct Lines {
    entries: Vec<Line>,
    blues: usize,
    /// Free squares of a board, which is also the slot of 'no green'.
    pub(super) free: u32,
    /// Length of a row of slots: free squares and 'no green'.
    pub(super) width: u32,
    /// Squares that a blue or green can stand on.
    pub(super) open: u32,
    /// Blue sets of a board.
    pub(super) blue_sets: u32,
}

/// Which lines: rows are tilted left and right, columns up and down.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Axis {
    Rows,
    Columns,
}

impl Lines {
    /// Bytes of the distance table of one axis.
    pub(super) fn axis_bytes(&self) -> u32 {
        self.blue_sets * self.width * self.width
    }

    /// The line's shares; `before` blues stand on the lines before it.
    #[inline]
    pub(super) fn get(&self, axis: Axis, line: usize, before: usize, pattern: u32) -> &Line {
        &self.entries[self.index(axis, line, before, pattern)]
    }

    #[inline]
    fn index(&self, axis: Axis, line: usize, before: usize, pattern: u32) -> usize {
        let line = if axis == Axis::Rows {
            line
        } else {
            SIDE + line
        };
        ((line * (self.blues + 1) + before) << 5) + (pattern as usize & 31)
    }

    /// Position in `Line::pair` of the second green. On rows the partners end
    /// at the last position, so that four of them can be laid over the squares
    /// just before the next row; on columns they go by distance.
    #[inline]
    pub(super) fn pair_index(axis: Axis, free_pattern: u32, first: usize, second: usize) -> usize {
        match axis {
            Axis::Rows => 3 - ONES[(free_pattern as usize & 31) >> (second + 1)],
            Axis::Columns => second - first - 1,
        }
    }

    /// Refills the tables for another part or blue count (about 10
    /// microseconds in the box).
    pub(super) fn rebuild(
        &mut self,
        slides: &Slides,
        binomials: &Binomials,
        grey: u32,
        blues: usize,
    ) {
        let open = BOARD & !grey & !(1 << HOLE);
        let squares = open.count_ones();
        self.open = open;
        self.blues = blues;
        self.free = squares - blues as u32;
        self.width = self.free + 1;
        self.blue_sets = binomials.of(squares as usize, blues);
        self.entries.clear();
        self.entries
            .resize(2 * SIDE * (blues + 1) * 32, Line::default());
        for (axis, grey, open) in [
            (Axis::Rows, grey, open),
            (Axis::Columns, transpose(grey), transpose(open)),
        ] {
            let mut start = 0;
            for line in 0..SIDE {
                let shape = Shape {
                    axis,
                    line,
                    start,
                    greys: (grey >> (SIDE * line)) as u8 & 31,
                    open: (open >> (SIDE * line)) as u8 & 31,
                };
                self.fill_line(slides, binomials, &shape);
                start += ONES[usize::from(shape.open)];
            }
        }
    }

    fn fill_line(&mut self, slides: &Slides, binomials: &Binomials, shape: &Shape) {
        for before in 0..=self.blues.min(shape.start) {
            let shares = shape.blue_shares(binomials, before, self.width * self.width);
            for blues in (0..32u8).filter(|blues| blues & !shape.open == 0) {
                if before + ONES[usize::from(blues)] > self.blues {
                    continue;
                }
                let moves = &slides.lines[Slides::index(shape.line == 2, shape.greys, blues)];
                let index = self.index(shape.axis, shape.line, before, u32::from(blues));
                self.entries[index] = self.line(shape, moves, &shares, before, blues);
            }
        }
    }

    fn line(
        &self,
        shape: &Shape,
        moves: &LineSlides,
        shares: &[u32; 32],
        before: usize,
        blues: u8,
    ) -> Line {
        let share = |slide: &Slide| shares[usize::from(slide.blues)];
        let slot = |slide: &Slide, nth: usize| {
            if slide.greens[nth] == FALLEN {
                self.free
            } else {
                shape.slot(before, slide.blues, slide.greens[nth])
            }
        };
        let free = shape.open & !blues;
        let mut line = Line {
            still: shares[usize::from(blues)],
            ..Line::default()
        };
        for cell in cells(free) {
            line.slot[cell] = shape.slot(before, blues, cell as u8);
        }
        for direction in (0..2).filter(|&direction| moves.legal[direction]) {
            line.legal |= 1 << direction;
            let base = share(&moves.none[direction]);
            line.base[direction] = base;
            for low in cells(free) {
                let one = &moves.one[direction][low];
                let shift = share(one).wrapping_sub(base);
                let first = shift.wrapping_add(slot(one, 0) * self.width);
                line.cell[low].first[direction] = first;
                line.cell[low].second[direction] = shift.wrapping_add(slot(one, 0));
                for high in cells(free).filter(|&high| high > low) {
                    let two = &moves.two[direction][low][high];
                    let at = Self::pair_index(shape.axis, u32::from(free), low, high);
                    line.pair[low][at][direction] = share(two)
                        .wrapping_sub(base)
                        .wrapping_add(slot(two, 0) * self.width + slot(two, 1))
                        .wrapping_sub(first);
                }
            }
        }
        line
    }
}

/// One line of a part.
struct Shape {
    axis: Axis,
    line: usize,
    /// Open squares on the lines before.
    start: usize,
    greys: u8,
    open: u8,
}

impl Shape {
    /// Share of each blue pattern in an address: the line's terms of the
    /// combinatorial number system (colexicographic rank), in bytes.
    fn blue_shares(&self, binomials: &Binomials, before: usize, scale: u32) -> [u32; 32] {
        let mut shares = [0; 32];
        for pattern in (1..32u8).filter(|pattern| pattern & !self.open == 0) {
            let highest = pattern.ilog2() as u8;
            let below = pattern & !(1 << highest);
            let position = self.start + ones_below(self.open, highest);
            let nth = before + ONES[usize::from(pattern)];
            shares[usize::from(pattern)] =
                shares[usize::from(below)] + binomials.of(position, nth) * scale;
        }
        shares
    }

    fn slot(&self, before: usize, blues: u8, cell: u8) -> u32 {
        (self.start - before + ones_below(self.open & !blues, cell)) as u32
    }
}

fn ones_below(pattern: u8, cell: u8) -> usize {
    ONES[usize::from(pattern) & ((1 << cell) - 1)]
}

fn cells(pattern: u8) -> impl Iterator<Item = usize> {
    (0..SIDE).filter(move |cell| pattern >> cell & 1 == 1)
}

/// Number of set bits: the portable baseline has no instruction for it.
pub(super) const ONES: [usize; 32] = {
    let mut ones = [0; 32];
    let mut pattern = 1;
    while pattern < 32 {
        ones[pattern] = ones[pattern >> 1] + (pattern & 1);
        pattern += 1;
    }
    ones
};

/// Pascal's triangle up to the number of squares.
pub(super) struct Binomials {
    rows: [[u32; 26]; 26],
}

impl Binomials {
    pub(super) fn new() -> Self {
        let mut rows = [[0; 26]; 26];
        for n in 0..26 {
            rows[n][0] = 1;
            for k in 1..=n {
                rows[n][k] = rows[n - 1][k - 1] + rows[n - 1][k];
            }
        }
        Self { rows }
    }

    /// Number of `k`-subsets of `n` squares; 0 outside the triangle.
    pub(super) fn of(&self, n: usize, k: usize) -> u32 {
        self.rows
            .get(n)
            .and_then(|row| row.get(k))
            .copied()
            .unwrap_or(0)
    }
}
