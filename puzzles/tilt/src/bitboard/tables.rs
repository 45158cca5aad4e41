//! The effect of a tilt on one row or column, for all 1,024 contents of a line.
//!
//! A tilt along rows moves nothing from one row to another (thesis, section 3.4.1). So the board
//! after it is the OR of five table entries, and its predecessors are the Cartesian product of five
//! lists.

use std::sync::LazyLock;

use super::Masks;
use crate::board::{HOLE, SIDE, SQUARES};
use crate::rules::Tilt;

/// Content of a line: bits 5-9 grey or blue, bits 0-4 grey or green, cell 0 the lowest bit.
pub type Line = u16;

const LINES: usize = 1 << (2 * SIDE);
/// Cell of the hole within the middle line.
const MIDDLE: usize = HOLE % SIDE;
/// Stands for the result of a tilt in which a blue block falls. No board has all bits set, and OR
/// with anything does not change it.
pub const ILLEGAL: u64 = u64::MAX;
/// First cell of every row.
const COLUMN: u32 = 0b00001_00001_00001_00001_00001;

/// A line before a tilt.
#[derive(Debug, Clone, Copy)]
pub struct Origin {
    /// Its blocks, as bits of a board whose other lines are empty.
    pub line: u64,
    /// Number of green blocks that the tilt drops.
    pub fallen: u32,
}

/// The results and origins of all contents of one kind of line, for one direction.
struct Slides {
    /// The blocks after the tilt as bits of a board, by content; or [`ILLEGAL`].
    results: Vec<u64>,
    /// The start in `origins` of the origins of each content after the tilt.
    starts: Vec<u32>,
    origins: Vec<Origin>,
}

/// One direction: its tables for the outer lines and for the one across the hole.
pub struct Way {
    outer: Slides,
    middle: Slides,
    /// Bits from one line to the next.
    stride: u32,
}

impl Way {
    fn new(direction: Tilt) -> Self {
        let along_rows = matches!(direction, Tilt::Left | Tilt::Right);
        let to_low = matches!(direction, Tilt::Left | Tilt::Up);
        Self {
            outer: Slides::new(false, to_low, along_rows),
            middle: Slides::new(true, to_low, along_rows),
            stride: if along_rows { SIDE as u32 } else { 1 },
        }
    }

    /// Moves the bits of the first line to line number `line`.
    #[inline]
    pub fn shift(&self, line: usize, bits: u64) -> u64 {
        bits << (self.stride * line as u32)
    }

    /// The board after the tilt, from its lines; [`ILLEGAL`] if a blue falls.
    #[inline]
    pub fn slide(&self, lines: &[Line; SIDE]) -> u64 {
        let middle = self.middle.results[usize::from(lines[2])];
        if middle == ILLEGAL {
            return ILLEGAL;
        }
        [0, 1, 3, 4]
            .into_iter()
            .fold(self.shift(2, middle), |board, line| {
                board | self.shift(line, self.outer.results[usize::from(lines[line])])
            })
    }

    /// The contents of line number `line` that the tilt turns into `content`.
    #[inline]
    pub fn origins(&self, line: usize, content: Line) -> &[Origin] {
        let slides = if line == 2 { &self.middle } else { &self.outer };
        let at = usize::from(content);
        &slides.origins[slides.starts[at] as usize..slides.starts[at + 1] as usize]
    }
}

/// The tables of all four directions, about 300 KiB.
pub struct Tables {
    ways: [Way; 4],
}

impl Tables {
    /// The tables, built on first use (well under a millisecond).
    pub fn shared() -> &'static Self {
        static TABLES: LazyLock<Tables> = LazyLock::new(|| Tables {
            ways: Tilt::ALL.map(Way::new),
        });
        &TABLES
    }

    /// The tables of a direction, and the five lines that it slides.
    #[inline]
    pub fn lines(&self, state: Masks, direction: Tilt) -> (&Way, [Line; SIDE]) {
        let lines = match direction {
            Tilt::Left | Tilt::Right => rows(state),
            Tilt::Up | Tilt::Down => columns(state),
        };
        (&self.ways[direction as usize], lines)
    }

    /// The boards after all four tilts, in order; [`ILLEGAL`] if a blue falls.
    #[inline]
    pub fn tilts(&self, state: Masks) -> [u64; 4] {
        let (rows, columns) = (rows(state), columns(state));
        let [left, right, up, down] = &self.ways;
        [
            left.slide(&rows),
            right.slide(&rows),
            up.slide(&columns),
            down.slide(&columns),
        ]
    }

    /// The boards other than `state`, with at most `most_greens` greens, that a tilt turns into it.
    /// They are the Cartesian product of a list for every line; the middle line has up to as many
    /// more greens as may have fallen (thesis, section 3.4.1). Costs the number of boards emitted,
    /// or five look-ups if there is none.
    #[inline]
    pub fn origins(
        &self,
        state: Masks,
        direction: Tilt,
        most_greens: u32,
        mut emit: impl FnMut(Masks),
    ) {
        let room = most_greens.saturating_sub(state.green().count_ones());
        let (way, lines) = self.lines(state, direction);
        let lists: [&[Origin]; SIDE] = std::array::from_fn(|line| way.origins(line, lines[line]));
        if lists.iter().any(|list| list.is_empty()) {
            return;
        }
        let [first, second, middle, fourth, fifth] = lists;
        for m in middle.iter().filter(|m| m.fallen <= room) {
            let m = way.shift(2, m.line);
            for a in first {
                let a = m | way.shift(0, a.line);
                for b in second {
                    let b = a | way.shift(1, b.line);
                    for c in fourth {
                        let c = b | way.shift(3, c.line);
                        for d in fifth {
                            let origin = Masks(c | way.shift(4, d.line));
                            if origin != state {
                                emit(origin);
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The contents of the five rows.
#[inline]
fn rows(state: Masks) -> [Line; SIDE] {
    let (p, q) = (state.p(), state.q());
    std::array::from_fn(|row| {
        let shift = SIDE * row;
        ((p >> shift & 31) << SIDE | q >> shift & 31) as Line
    })
}

/// The contents of the five columns.
#[inline]
fn columns(state: Masks) -> [Line; SIDE] {
    let (p, q) = (state.p(), state.q());
    std::array::from_fn(|column| (gather(p >> column) << SIDE | gather(q >> column)) as Line)
}

/// Gathers the bits 0, 5, 10, 15, 20 into five neighbouring bits. The factor moves bit 5i to 20 +
/// i; no two products overlap, so nothing carries into the window.
#[inline]
fn gather(mask: u32) -> u32 {
    const FACTOR: u64 = 1 << 20 | 1 << 16 | 1 << 12 | 1 << 8 | 1 << 4;
    ((u64::from(mask & COLUMN) * FACTOR) >> 20) as u32 & 31
}

impl Slides {
    fn new(hole: bool, to_low: bool, along_rows: bool) -> Self {
        let place = |line| place(line, along_rows);
        let mut results = vec![ILLEGAL; LINES];
        let mut lists = vec![Vec::new(); LINES];
        for content in 0..LINES as Line {
            if let Some((after, fallen)) = slide(content, hole, to_low) {
                results[usize::from(content)] = place(after);
                lists[usize::from(after)].push(Origin {
                    line: place(content),
                    fallen,
                });
            }
        }
        let mut starts = vec![0];
        for list in &lists {
            starts.push(starts[starts.len() - 1] + list.len() as u32);
        }
        Self {
            results,
            starts,
            origins: lists.concat(),
        }
    }
}

/// The blocks of a line as bits of a board, on its first row or column.
fn place(line: Line, along_rows: bool) -> u64 {
    let step = if along_rows { 1 } else { SIDE };
    let spread = |bits: Line| -> u64 {
        (0..SIDE)
            .filter(|cell| bits >> cell & 1 == 1)
            .fold(0, |mask, cell| mask | 1 << (step * cell))
    };
    spread(line >> SIDE) << SQUARES | spread(line & 31)
}

/// A line after a tilt towards cell 0 (`to_low`) or cell 4, and the number of greens that fell.
/// `None` if a blue falls, or for a block in the hole.
fn slide(line: Line, hole: bool, to_low: bool) -> Option<(Line, u32)> {
    let content = |cell: usize| (line >> (SIDE + cell) & 1, line >> cell & 1);
    if hole && content(MIDDLE) != (0, 0) {
        return None;
    }
    let (mut after, mut fallen) = (0, 0);
    // Cells, beginning on the low side of the slope. `stop` is the place where the next block
    // stops, and `open` means that the hole lies between it and this cell.
    let (mut stop, mut open) = (0, false);
    for step in 0..SIDE {
        let cell_at = |step| if to_low { step } else { SIDE - 1 - step };
        if hole && step == MIDDLE {
            open = true;
            continue;
        }
        let (p, q) = content(cell_at(step));
        match (p, q) {
            (0, 0) => {}
            (1, 1) => {
                after |= cell_bits(p, q, cell_at(step));
                (stop, open) = (step + 1, false);
            }
            (0, _) if open => fallen += 1,
            _ if open => return None,
            _ => {
                after |= cell_bits(p, q, cell_at(stop));
                stop += 1;
            }
        }
    }
    Some((after, fallen))
}

fn cell_bits(p: Line, q: Line, cell: usize) -> Line {
    p << (SIDE + cell) | q << cell
}
