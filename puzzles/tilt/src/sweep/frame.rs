//! One blue set of a part: everything its placements have in common.

use super::line::{Axis, Line, Lines, ONES};
use super::symmetry::transpose;

pub(super) const SIDE: usize = 5;

/// A mask of squares and the same mask with rows and columns swapped.
#[derive(Clone, Copy, Default)]
pub(super) struct Mask {
    pub(super) by_rows: u32,
    pub(super) by_columns: u32,
}

impl Mask {
    fn of_square(square: usize) -> Self {
        Self {
            by_rows: 1 << square,
            by_columns: transpose(1 << square),
        }
    }
}

/// The blue sets of one part and size in colexicographic order, which is the
/// order of their ranks by rows.
#[derive(Default)]
pub(super) struct BlueSets {
    pub(super) sets: Vec<Mask>,
    smaller: Vec<Mask>,
}

impl BlueSets {
    pub(super) fn restart(&mut self) {
        self.sets.clear();
        self.sets.push(Mask::default());
    }

    /// Goes from sets of `size - 1` blues to those of `size`. In
    /// colexicographic order the subsets of the squares below the highest one
    /// are a prefix of the list of all of them.
    pub(super) fn grow(&mut self, squares: &[usize], size: usize, count: impl Fn(usize) -> u32) {
        std::mem::swap(&mut self.sets, &mut self.smaller);
        self.sets.clear();
        for (position, &square) in squares.iter().enumerate().skip(size - 1) {
            let highest = Mask::of_square(square);
            let below = &self.smaller[..count(position) as usize];
            self.sets.extend(below.iter().map(|set| Mask {
                by_rows: set.by_rows | highest.by_rows,
                by_columns: set.by_columns | highest.by_columns,
            }));
        }
    }
}

/// The lines of one blue set and the parts of addresses that its placements
/// share. Directions are numbered left 0, right 1, up 2, down 3.
pub(super) struct Frame<'a> {
    pub(super) rows: [&'a Line; SIDE],
    pub(super) columns: [&'a Line; SIDE],
    /// Address of (slot 0, slot 0) after a tilt in each direction.
    pub(super) base: [u32; 4],
    /// The same as the blues stand, by axis.
    pub(super) still: [u32; 2],
    /// Squares that hold neither a grey nor a blue; not the hole.
    pub(super) free: u32,
    /// Bit d: a tilt in direction d drops no blue.
    pub(super) legal: u32,
}

impl<'a> Frame<'a> {
    #[inline]
    pub(super) fn new(lines: &'a Lines, blues: Mask) -> Self {
        let rows = axis_lines(lines, Axis::Rows, blues.by_rows);
        let columns = axis_lines(lines, Axis::Columns, blues.by_columns);
        let offset = lines.axis_bytes();
        let sum = |lines: &[&Line; SIDE], share: fn(&Line) -> u32| {
            lines
                .iter()
                .fold(0u32, |sum, line| sum.wrapping_add(share(line)))
        };
        let legal = |lines: &[&Line; SIDE]| lines[2].legal & 3;
        Self {
            base: [
                sum(&rows, |line| line.base[0]),
                sum(&rows, |line| line.base[1]),
                sum(&columns, |line| line.base[0]).wrapping_add(offset),
                sum(&columns, |line| line.base[1]).wrapping_add(offset),
            ],
            still: [
                sum(&rows, |line| line.still),
                sum(&columns, |line| line.still).wrapping_add(offset),
            ],
            // Only the middle lines cross the hole.
            legal: legal(&rows) | legal(&columns) << 2,
            free: lines.open & !blues.by_rows,
            rows,
            columns,
        }
    }
}

#[inline]
fn axis_lines(lines: &Lines, axis: Axis, blues: u32) -> [&Line; SIDE] {
    let mut before = 0;
    std::array::from_fn(|line| {
        let pattern = blues >> (SIDE * line) & 31;
        let found = lines.get(axis, line, before, pattern);
        before += ONES[pattern as usize];
        found
    })
}
