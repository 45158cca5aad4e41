//! The rulebook as tables: what a tilt makes of each line, asked for every content of it, and
//! where each square goes under each symmetry.
//!
//! As [`crate::proof`], which proves whole parts of the box: a tilt of a board is that of its
//! five lines. Here the states of any instance are looked at one by one.

use puzzle_api::proof::{Field, FieldImages, RuleTables, agrees};
use puzzle_api::{BadInput, Numbering, Parts, Placement, Puzzle, Request, Symmetry, Xorshift};

use crate::board::{self, Board, Cell, HOLE, SIDE, SQUARES};
use crate::instances::{self, Instance};
use crate::proof::lines::{ILLEGAL, Lines, bits, square};
use crate::rules::{Rules, Tilt};
use crate::sample;

/// Boards on which the tables are held against the rulebook.
const TRIED: u64 = 100;
/// Contents of a line: five bits of the key's high half and five of its low one.
const CONTENTS: usize = 1 << (2 * SIDE);
/// Squares of a half of the key.
const HALF: u64 = (1 << SQUARES) - 1;
/// Where the first column is, of a half.
const COLUMN: u64 = 0x10_8421;

/// The rulebook of an instance as tables.
#[derive(Debug)]
pub struct TiltTables {
    instance: Instance,
    rules: Rules,
    /// The grey blocks of every part.
    parts: Vec<u32>,
    /// By direction, line and content, the bits that the line has after the tilt.
    lines: Vec<u64>,
    images: FieldImages,
}

impl TiltTables {
    /// The tables of an instance, some milliseconds.
    ///
    /// # Errors
    /// [`BadInput`] as the variants say it.
    pub fn open(request: &Request<'_>) -> Result<Self, BadInput> {
        let (instance, rules) = (instances::open(request)?, Rules::open(request)?);
        let squares = (0..2 * SQUARES).filter(|at| at % SQUARES != HOLE);
        let fields: Vec<Field> = squares.map(|at| Field::bit(at as u32)).collect();
        let images = FieldImages::by_the_rulebook(&fields, 0, |key| {
            let state = rules.state(key);
            let image = |index| rules.key(&rules.image(&state, index));
            (0..rules.symmetry_count()).map(image).collect()
        });
        let first = |part| rules.unrank(Placement { part, rank: 0 });
        let parts = (0..rules.part_count()).filter_map(first);
        Ok(Self {
            parts: parts.map(|board| board::mask(&board, Cell::Grey)).collect(),
            lines: lines(),
            images,
            instance,
            rules,
        })
    }

    /// A board after a tilt, or [`ILLEGAL`].
    fn after(&self, contents: &[usize; SIDE], direction: Tilt) -> u64 {
        let lines = contents.iter().enumerate();
        lines.fold(0, |after, (line, &content)| {
            after | self.lines[at(direction, line, content)]
        })
    }

    /// That each symmetry leads from the tilts of lines to tilts of lines, shown on all
    /// contents of all lines: of the identity there is nothing to show, and of two of which it
    /// was shown, one after the other, it follows. They are a group by now.
    fn are_symmetric(&self) -> Result<(), String> {
        self.images.leave_nothing_empty()?;
        let mut shown: Vec<usize> = vec![0];
        for symmetry in 1..self.images.count() {
            if shown.contains(&symmetry) {
                continue;
            }
            for direction in Tilt::ALL {
                let turned = |&other: &Tilt| self.turns(symmetry, direction, other);
                if !Tilt::ALL.iter().any(turned) {
                    return Err(format!(
                        "symmetry {symmetry} leads from tilting {} to no tilt",
                        direction.name()
                    ));
                }
            }
            shown.push(symmetry);
            self.follow_from(&mut shown);
        }
        Ok(())
    }

    /// Adds to some symmetries all that they make one after another.
    fn follow_from(&self, some: &mut Vec<usize>) {
        let mut pairs = 0;
        while pairs < some.len() * some.len() {
            // Pairs in an order that does not change while more are added.
            let larger = pairs.isqrt();
            let (first, second) = match pairs - larger * larger {
                rest if rest <= larger => (some[larger], some[rest]),
                rest => (some[rest - larger - 1], some[larger]),
            };
            let both = self.one_after_another(first, second);
            some.extend(both.filter(|both| !some.contains(both)));
            pairs += 1;
        }
    }

    /// The symmetry that two make one after the other: it takes every single bit, and none,
    /// where they take it, and of more bits each is the sum.
    fn one_after_another(&self, first: usize, second: usize) -> Option<usize> {
        let image = |key, symmetry| self.images.image(key, symmetry);
        let bits = (0..2 * SQUARES).filter(|at| at % SQUARES != HOLE);
        let keys: Vec<u64> = std::iter::once(0).chain(bits.map(|at| 1 << at)).collect();
        let both: Vec<u64> = keys
            .iter()
            .map(|&key| image(image(key, first), second))
            .collect();
        (0..self.images.count()).find(|&symmetry| {
            let mut each = keys.iter().zip(&both);
            each.all(|(&key, &both)| image(key, symmetry) == both)
        })
    }

    /// Whether a symmetry leads from one tilt of the lines to another.
    fn turns(&self, symmetry: usize, direction: Tilt, other: Tilt) -> bool {
        let image = |key| self.images.image(key, symmetry);
        (0..SIDE).all(|line| {
            let whole = image(of_line(direction, line, CONTENTS - 1));
            let other_line = (0..SIDE).find(|&at| of_line(other, at, CONTENTS - 1) == whole);
            let Some(other_line) = other_line else {
                return false;
            };
            // None with a block in the hole.
            let can_be = |&content: &usize| {
                contents(of_line(direction, line, content), direction)[line] == content
            };
            (0..CONTENTS).filter(can_be).all(|content| {
                let key = of_line(direction, line, content);
                let after = match self.lines[at(direction, line, content)] {
                    ILLEGAL => ILLEGAL,
                    after => image(after),
                };
                let content = contents(image(key), other)[other_line];
                self.lines[at(other, other_line, content)] == after
            })
        })
    }
}

fn at(direction: Tilt, line: usize, content: usize) -> usize {
    (direction as usize * SIDE + line) * CONTENTS + content
}

/// The key's bits of a line with a content, none in the hole.
fn of_line(direction: Tilt, line: usize, content: usize) -> u64 {
    let cells = (0..2 * SIDE).filter(|bit| content >> bit & 1 == 1);
    cells.fold(0, |key, bit| {
        match (square(direction, line, bit % SIDE), bit / SIDE) {
            (HOLE, _) => key,
            (square, half) => key | 1 << (SQUARES * half + square),
        }
    })
}

/// What the lines of a board hold.
#[inline]
fn contents(key: u64, direction: Tilt) -> [usize; SIDE] {
    let (high, low) = (key >> SQUARES & HALF, key & HALF);
    std::array::from_fn(|line| {
        let of_half = |half: u64| match direction {
            Tilt::Left | Tilt::Right => half >> (SIDE * line) & 0b1_1111,
            // The five bits of a column side by side: each meets its own place once.
            Tilt::Up | Tilt::Down => {
                ((half >> line & COLUMN) * (1 << 20 | 1 << 16 | 1 << 12 | 1 << 8 | 1 << 4)) >> 20
                    & 0b1_1111
            }
        };
        (of_half(high) << SIDE | of_half(low)) as usize
    })
}

/// The tilts of all contents of all lines, by the rulebook.
fn lines() -> Vec<u64> {
    let by_the_rulebook = Lines::by_the_rulebook();
    let mut lines = vec![ILLEGAL; Tilt::ALL.len() * SIDE * CONTENTS];
    for direction in Tilt::ALL {
        for line in 0..SIDE {
            for content in 0..CONTENTS {
                let cells = (0..SIDE).map(|cell| {
                    let (high, low) = (content >> (SIDE + cell) & 1, content >> cell & 1);
                    let block = [Cell::Empty, Cell::Green, Cell::Blue, Cell::Grey][2 * high + low];
                    (cell, block)
                });
                let grey = cells.clone().filter(|(_, block)| *block == Cell::Grey);
                let grey = grey.fold(0_u64, |grey, (cell, _)| {
                    grey | 1 << square(direction, line, cell)
                });
                let by_cells = cells.map(|(cell, block)| bits(cell, block)).sum();
                let after = by_the_rulebook.after(direction, line, by_cells);
                if after != ILLEGAL {
                    let (blue, green) = (after >> 32, after & u64::from(u32::MAX));
                    lines[at(direction, line, content)] = (grey | blue) << SQUARES | (grey | green);
                }
            }
        }
    }
    lines
}

impl RuleTables<u64> for TiltTables {
    fn foundation(&self) -> Result<String, String> {
        self.images.are_a_group()?;
        self.are_symmetric()?;
        for draw in 0..TRIED {
            let board: Board =
                sample::random_board(&self.instance, &mut Xorshift::for_draw(1, draw));
            agrees(self, &self.rules, board::key(&board))?;
        }
        Ok(format!(
            "what a tilt does to a line was taken from the rulebook for all contents of all \
             lines, each symmetry found to lead from tilts of lines to tilts of lines, and tilts \
             and images of a board to be those of its lines and squares on {TRIED} boards"
        ))
    }

    /// No tilt is turned round.
    fn undirected(&self) -> bool {
        false
    }

    fn symmetry_count(&self) -> usize {
        self.images.count()
    }

    fn images(&self, keys: &[u64], out: &mut Vec<u64>) {
        self.images.images(keys, out);
    }

    /// The one with the smallest grey mask; among those, with the smallest key.
    fn representative(&self, images: &[u64]) -> u64 {
        let order = |key: u64| ((key >> SQUARES) & key & HALF, key);
        let least = images.iter().map(|&key| order(key)).min();
        least.map_or(images[0], |(_, key)| key)
    }

    fn successors(&self, keys: &[u64], out: &mut Vec<u64>, ends: &mut Vec<usize>) {
        for &key in keys {
            let rows = contents(key, Tilt::Left);
            let columns = contents(key, Tilt::Up);
            for direction in Tilt::ALL {
                let after = match direction {
                    Tilt::Left | Tilt::Right => self.after(&rows, direction),
                    Tilt::Up | Tilt::Down => self.after(&columns, direction),
                };
                if after != ILLEGAL && after != key {
                    out.push(after);
                }
            }
            ends.push(out.len());
        }
    }

    fn is_solved(&self, key: u64) -> bool {
        key & HALF & !(key >> SQUARES) == 0
    }

    fn is_ranked(&self, part: u64, key: u64) -> bool {
        let (high, low) = (key >> SQUARES, key & HALF);
        let limits = self.instance.limits();
        self.parts.get(part as usize).copied().map(u64::from) == Some(high & low)
            && limits.blue.contains((high & !low).count_ones())
            && limits.green.contains((low & !high).count_ones())
    }
}

#[cfg(test)]
mod tests;
