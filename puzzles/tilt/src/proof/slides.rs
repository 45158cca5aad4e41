//! The four tilts of all placements that share a grey set, and then also the blues.

use super::lines::{Lines, bits, square};
use super::{SIDE, SQUARES};
use crate::board::{Cell, HOLE};
use crate::rules::Tilt;

/// Slots of a line for its greens: five single ones, none, ten pairs.
const SLOTS: usize = 16;
const NONE: usize = SIDE;
/// Patterns of blues in a line.
const PATTERNS: usize = 1 << SIDE;
const TILTS: usize = Tilt::ALL.len();

/// Slot of two greens in one line, by their cells.
const PAIRS: [[usize; SIDE]; SIDE] = {
    let mut pairs = [[NONE; SIDE]; SIDE];
    let mut next = NONE + 1;
    let mut first = 0;
    while first < SIDE {
        let mut second = first + 1;
        while second < SIDE {
            pairs[first][second] = next;
            pairs[second][first] = next;
            next += 1;
            second += 1;
        }
        first += 1;
    }
    pairs
};

/// The effect of tilts on the lines of a part: 80 KiB.
pub(super) struct Slides {
    after: Vec<[u64; SLOTS]>,
}

impl Slides {
    /// The lines with these grey blocks: some 20 microseconds.
    pub(super) fn new(lines: &Lines, grey: u32) -> Self {
        let mut after = Vec::with_capacity(TILTS * SIDE * PATTERNS);
        for tilt in Tilt::ALL {
            for line in 0..SIDE {
                let squares: [usize; SIDE] = std::array::from_fn(|cell| square(tilt, line, cell));
                for blues in 0..PATTERNS {
                    after.push(after_greens(
                        lines,
                        tilt,
                        line,
                        content(&squares, grey, blues),
                    ));
                }
            }
        }
        Self { after }
    }
}

/// The content of a line by its grey and blue blocks; `None` if two would share a square, or one
/// would be in the hole.
fn content(squares: &[usize; SIDE], grey: u32, blues: usize) -> Option<usize> {
    let mut content = 0;
    for (cell, &square) in squares.iter().enumerate() {
        let greys = grey >> square & 1 == 1;
        match (greys, blues >> cell & 1 == 1) {
            (_, true) if greys || square == HOLE => return None,
            (true, _) => content |= bits(cell, Cell::Grey),
            (_, true) => content |= bits(cell, Cell::Blue),
            _ => {}
        }
    }
    Some(content)
}

/// A line after a tilt, by its greens. Entries without a placement may be anything: they are never
/// read.
fn after_greens(lines: &Lines, tilt: Tilt, line: usize, content: Option<usize>) -> [u64; SLOTS] {
    let mut after = [0; SLOTS];
    let Some(content) = content else { return after };
    let with = |greens: usize| lines.after(tilt, line, content | greens);
    let green = |cell: usize| bits(cell, Cell::Green);
    after[NONE] = with(0);
    for first in 0..SIDE {
        after[first] = with(green(first));
        for second in first + 1..SIDE {
            after[PAIRS[first][second]] = with(green(first) | green(second));
        }
    }
    after
}

/// A square on both axes: line and cell, by rows and by columns.
const CROSSINGS: [[(u8, u8); SQUARES]; 2] = {
    let mut crossings = [[(0, 0); SQUARES]; 2];
    let mut square = 0;
    while square < SQUARES {
        let (row, column) = ((square / SIDE) as u8, (square % SIDE) as u8);
        crossings[0][square] = (row, column);
        crossings[1][square] = (column, row);
        square += 1;
    }
    crossings
};

/// The tilts of all placements with a set of blues, [`super::lines::ILLEGAL`] if a blue
/// falls; else blue and green blocks afterwards.
pub(super) struct AfterBlues<'a> {
    slides: &'a Slides,
    /// The place in the slides of the lines with these blues.
    at: [[usize; SIDE]; TILTS],
    /// All lines except the first and the second, without a green.
    others: [[[u64; SIDE]; SIDE]; TILTS],
    none: [u64; TILTS],
}

impl<'a> AfterBlues<'a> {
    pub(super) fn new(slides: &'a Slides) -> Self {
        Self {
            slides,
            at: Default::default(),
            others: Default::default(),
            none: Default::default(),
        }
    }

    /// Continues with other blues.
    pub(super) fn enter(&mut self, blues: u32) {
        for tilt in Tilt::ALL {
            let number = tilt as usize;
            let mut alone = [0; SIDE];
            for (line, alone) in alone.iter_mut().enumerate() {
                let cells = (0..SIDE).map(|cell| (blues >> square(tilt, line, cell) & 1) << cell);
                let pattern = cells.sum::<u32>() as usize;
                self.at[number][line] = (number * SIDE + line) * PATTERNS + pattern;
                *alone = self.slides.after[self.at[number][line]][NONE];
            }
            self.none[number] = alone.iter().fold(0, |all, line| all | line);
            for first in 0..SIDE {
                for second in first..SIDE {
                    let others = (0..SIDE).filter(|&line| line != first && line != second);
                    let others = others.fold(0, |all, line| all | alone[line]);
                    self.others[number][first][second] = others;
                    self.others[number][second][first] = others;
                }
            }
        }
    }

    pub(super) fn none(&self) -> [u64; TILTS] {
        self.none
    }

    #[inline]
    pub(super) fn one(&self, green: u8) -> [u64; TILTS] {
        // Not by a closure over the tilts: the compiler would call it four times.
        let after = |tilt| self.after_one(tilt, green);
        [after(0), after(1), after(2), after(3)]
    }

    #[inline]
    pub(super) fn two(&self, first: u8, second: u8) -> [u64; TILTS] {
        let after = |tilt| self.after_two(tilt, first, second);
        [after(0), after(1), after(2), after(3)]
    }

    #[inline(always)]
    fn after_one(&self, tilt: usize, green: u8) -> u64 {
        let (line, cell) = CROSSINGS[tilt / 2][usize::from(green)];
        let line = usize::from(line);
        self.others[tilt][line][line] | self.line(tilt, line)[usize::from(cell)]
    }

    #[inline(always)]
    fn after_two(&self, tilt: usize, first: u8, second: u8) -> u64 {
        let crossings = &CROSSINGS[tilt / 2];
        let (line, cell) = crossings[usize::from(first)];
        let (other, other_cell) = crossings[usize::from(second)];
        let (line, cell) = (usize::from(line), usize::from(cell));
        let (other, other_cell) = (usize::from(other), usize::from(other_cell));
        let others = self.others[tilt][line][other];
        if line == other {
            others | self.line(tilt, line)[PAIRS[cell][other_cell]]
        } else {
            others | self.line(tilt, line)[cell] | self.line(tilt, other)[other_cell]
        }
    }

    #[inline(always)]
    fn line(&self, tilt: usize, line: usize) -> &[u64; SLOTS] {
        &self.slides.after[self.at[tilt][line]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tilts_alternate_between_the_axes_as_crossings_do() {
        for tilt in Tilt::ALL {
            for (at, (line, cell)) in CROSSINGS[tilt as usize / 2].into_iter().enumerate() {
                assert_eq!(square(tilt, usize::from(line), usize::from(cell)), at);
            }
        }
    }
}
