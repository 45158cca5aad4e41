//! Sliding blocks: a move takes one piece along any free path (metric `piece`), straight in one
//! direction (`line`), or by one cell (`step`). Solved: every piece with a goal stands there.
//!
//! Scanning the board in reading order, each piece is written when its first cell is met, and
//! each empty cell is written: a string of symbols, 0 for the empty cell, then one for each
//! kind of pieces. Pieces of one shape are one kind, but a piece with a goal is a kind of its
//! own; kinds stand in the order in which the start shows them, those of one or two cells
//! first. The state is this string. The key is its rank: of each symbol in turn, looking only
//! at it and those above, the rank of the set of its places (the sum of C(place, j) over the
//! places in order, j from 1), as a digit; that of symbol 0 is the lowest. Canonical is the
//! image of the smallest key, under the turns of the board that keep walls, kinds and goals.

mod read;

use super::{Rules, choose, turn};

struct Kind {
    /// Rows and columns of the cells from the first in reading order.
    shape: Vec<(i32, i32)>,
    letters: Vec<char>,
    goal: Option<usize>,
    /// By cell: the cells covered with the first one there; 0 where it does not fit.
    covers: Vec<u128>,
    /// By cell: the next cell up, left, right and down, where the piece fits.
    steps: Vec<[Option<usize>; 4]>,
}

pub struct Blocks {
    width: usize,
    height: usize,
    walls: Vec<bool>,
    kinds: Vec<Kind>,
    start: u128,
    metric: String,
    bits: usize,
    /// Numbers of empty cells and of pieces of each kind.
    pub counts: Vec<usize>,
    symmetries: Vec<(usize, Vec<usize>)>,
}

type Shape = Vec<(i32, i32)>;

fn normal(mut cells: Vec<(i32, i32)>) -> Shape {
    cells.sort_unstable();
    let (row, column) = cells[0];
    cells
        .into_iter()
        .map(|(r, c)| (r - row, c - column))
        .collect()
}

impl Blocks {
    fn pack(&self, anchors: &[u8]) -> u128 {
        let (mut taken, mut string, mut at) = (0_u128, 0_u128, 0);
        for (cell, &symbol) in anchors
            .iter()
            .enumerate()
            .filter(|(cell, _)| !self.walls[*cell])
        {
            if symbol > 0 {
                taken |= self.kinds[symbol as usize - 1].covers[cell];
            } else if taken >> cell & 1 == 1 {
                continue;
            }
            string |= u128::from(symbol) << at;
            at += self.bits;
        }
        string
    }

    fn symbols(&self, state: u128) -> impl Iterator<Item = u8> + '_ {
        let length = self.counts.iter().sum::<usize>();
        (0..length).map(move |at| (state >> (at * self.bits)) as u8 & ((1 << self.bits) - 1))
    }

    /// By cell: the symbol of the piece whose first cell it is; and all cells taken.
    fn unpack(&self, state: u128) -> (Vec<u8>, u128) {
        let mut anchors = vec![0; self.walls.len()];
        let (mut taken, mut symbols) = (0_u128, self.symbols(state));
        for cell in (0..self.walls.len()).filter(|&cell| !self.walls[cell]) {
            if taken >> cell & 1 == 1 {
                continue;
            }
            anchors[cell] = symbols.next().unwrap_or(0);
            if anchors[cell] > 0 {
                taken |= self.kinds[anchors[cell] as usize - 1].covers[cell];
            }
        }
        (anchors, taken)
    }

    fn symmetry(&self, index: usize) -> Option<Vec<usize>> {
        let all = 0..self.walls.len();
        if !all
            .clone()
            .all(|cell| self.walls[cell] == self.walls[self.turned(index, cell)])
        {
            return None;
        }
        self.kinds
            .iter()
            .map(|kind| {
                let shape = normal(
                    kind.shape
                        .iter()
                        .map(|&(r, c)| {
                            let (r, c) = (
                                if index & 2 == 0 { r } else { -r },
                                if index & 1 == 0 { c } else { -c },
                            );
                            if index & 4 == 0 { (r, c) } else { (c, r) }
                        })
                        .collect(),
                );
                let goal = kind
                    .goal
                    .map(|goal| self.image_anchor(index, kind.covers[goal]));
                self.kinds.iter().position(|other| {
                    other.shape == shape
                        && other.goal == goal
                        && other.letters.len() == kind.letters.len()
                })
            })
            .collect()
    }

    fn turned(&self, index: usize, cell: usize) -> usize {
        let (row, column) = turn(
            index,
            (self.height, self.width),
            (cell / self.width, cell % self.width),
        );
        row * self.width + column
    }

    fn image_anchor(&self, index: usize, covered: u128) -> usize {
        let cells = (0..self.walls.len()).filter(|cell| covered >> cell & 1 == 1);
        cells
            .map(|cell| self.turned(index, cell))
            .min()
            .unwrap_or(0)
    }

    /// Letters by first cell: the pieces of a kind take its letters in reading order.
    fn letters(&self, anchors: &[u8]) -> Vec<Option<char>> {
        let mut used = vec![0; self.kinds.len()];
        anchors
            .iter()
            .map(|&symbol| {
                let kind = usize::from(symbol).checked_sub(1)?;
                used[kind] += 1;
                self.kinds[kind].letters.get(used[kind] - 1).copied()
            })
            .collect()
    }
}

impl Rules for Blocks {
    fn read(&self, text: &str) -> Result<u128, String> {
        let rows: Vec<Vec<char>> = text.split('/').map(|row| row.chars().collect()).collect();
        let marks: Vec<char> = rows.concat();
        let shaped = rows.len() == self.height && rows.iter().all(|row| row.len() == self.width);
        match shaped
            && marks
                .iter()
                .zip(&self.walls)
                .all(|(mark, wall)| (*mark == '#') == *wall)
        {
            true => Ok(self.pack(&self.anchors(&marks)?)),
            false => Err(format!("{text:?} is no position of this board")),
        }
    }
    fn draw(&self, state: u128) -> String {
        let anchors = self.unpack(state).0;
        let mut marks: Vec<char> = self
            .walls
            .iter()
            .map(|wall| if *wall { '#' } else { '.' })
            .collect();
        for (cell, letter) in self.letters(&anchors).into_iter().enumerate() {
            if let Some(letter) = letter {
                let covered = self.kinds[usize::from(anchors[cell]) - 1].covers[cell];
                (0..marks.len())
                    .filter(|c| covered >> c & 1 == 1)
                    .for_each(|c| marks[c] = letter);
            }
        }
        marks
            .chunks(self.width)
            .map(|row| row.iter().collect::<String>())
            .collect::<Vec<_>>()
            .join("/")
    }
    fn next(&self, state: u128, out: &mut Vec<u128>) {
        let (mut anchors, taken) = self.unpack(state);
        for from in 0..anchors.len() {
            let symbol = anchors[from];
            if symbol == 0 {
                continue;
            }
            let kind = &self.kinds[usize::from(symbol) - 1];
            let others = taken & !kind.covers[from];
            let free = |cell: usize, way: usize| {
                kind.steps[cell][way].filter(|&to| kind.covers[to] & others == 0)
            };
            let mut reached: Vec<usize> = Vec::new();
            for way in 0..4 {
                let mut at = free(from, way);
                while let Some(cell) = at {
                    reached.push(cell);
                    at = if self.metric == "step" {
                        None
                    } else {
                        free(cell, way)
                    };
                }
            }
            let mut done = if self.metric == "piece" {
                0
            } else {
                reached.len()
            };
            while done < reached.len() {
                let more = (0..4).filter_map(|way| free(reached[done], way));
                let more: Vec<usize> = more
                    .filter(|to| *to != from && !reached.contains(to))
                    .collect();
                reached.extend(more);
                done += 1;
            }
            anchors[from] = 0;
            for to in reached {
                anchors[to] = symbol;
                out.push(self.pack(&anchors));
                anchors[to] = 0;
            }
            anchors[from] = symbol;
        }
    }
    fn solved(&self, state: u128) -> bool {
        let anchors = self.unpack(state).0;
        self.kinds
            .iter()
            .zip(1..)
            .all(|(kind, symbol)| kind.goal.is_none_or(|goal| anchors[goal] == symbol))
    }
    fn start(&self) -> Option<u128> {
        Some(self.start)
    }
    fn images(&self, state: u128) -> Vec<u128> {
        let anchors = self.unpack(state).0;
        self.symmetries
            .iter()
            .map(|(index, kinds)| {
                let mut image = vec![0; anchors.len()];
                for (cell, &symbol) in anchors
                    .iter()
                    .enumerate()
                    .filter(|(_, symbol)| **symbol > 0)
                {
                    let kind = usize::from(symbol) - 1;
                    image[self.image_anchor(*index, self.kinds[kind].covers[cell])] =
                        kinds[kind] as u8 + 1;
                }
                self.pack(&image)
            })
            .collect()
    }
    fn key(&self, state: u128) -> u128 {
        let mut rest: Vec<u8> = self.symbols(state).collect();
        let (mut key, mut weight) = (0, 1);
        for (symbol, &count) in (0_u8..).zip(&self.counts) {
            let places = (0..rest.len()).filter(|&place| rest[place] == symbol);
            key += weight
                * places
                    .zip(1..)
                    .map(|(place, j)| choose(place, j))
                    .sum::<u128>();
            weight *= choose(rest.len(), count);
            rest.retain(|&s| s != symbol);
        }
        key
    }
    fn name(&self, from: u128, to: u128) -> Option<String> {
        let (before, after) = (self.unpack(from).0, self.unpack(to).0);
        let old =
            (0..before.len()).find(|&cell| before[cell] > 0 && after[cell] != before[cell])?;
        let new = (0..before.len())
            .find(|&cell| after[cell] == before[old] && before[cell] != after[cell])?;
        let mut name = self.letters(&before)[old]?.to_string();
        let ends = [
            (old / self.width, new / self.width, "up", "down"),
            (old % self.width, new % self.width, "left", "right"),
        ];
        for (a, b, less, more) in ends.into_iter().filter(|end| end.0 != end.1) {
            name += &format!(" {} {}", if b < a { less } else { more }, a.abs_diff(b));
        }
        Some(name)
    }
    fn bucket(&self, state: u128) -> u128 {
        let little = 1 + self
            .kinds
            .iter()
            .filter(|kind| kind.shape.len() <= 2)
            .count();
        let (mut left, mut total) = (self.counts.iter().sum::<usize>(), 1);
        for count in &self.counts[..little] {
            total *= choose(left, *count);
            left -= count;
        }
        self.key(state) / total
    }
}

impl Blocks {
    /// The shapes of the kinds, and how many pieces each has.
    pub fn shapes(&self) -> impl Iterator<Item = (&[(i32, i32)], usize)> {
        self.kinds
            .iter()
            .map(|kind| (kind.shape.as_slice(), kind.letters.len()))
    }

    /// Whether every step of every piece alone, from every place, is undone by the step back.
    #[must_use]
    pub fn steps_undone(&self) -> bool {
        self.kinds.iter().all(|kind| {
            (0..self.walls.len()).all(|from| {
                let undone = |way: usize| {
                    kind.steps[from][way].is_none_or(|to| kind.steps[to][3 - way] == Some(from))
                };
                kind.covers[from] == 0 || (0..4).all(undone)
            })
        })
    }

    /// The state of a string of symbols.
    #[must_use]
    pub fn of_string(&self, string: &[u8]) -> u128 {
        string.iter().zip(0..).fold(0, |state, (&symbol, at)| {
            state | u128::from(symbol) << (at * self.bits)
        })
    }

    /// Cells covered by a kind of piece with its first cell on a cell, 0 where it does not fit,
    /// and the walls.
    #[must_use]
    pub fn covers(&self) -> (Vec<&[u128]>, &[bool]) {
        (
            self.kinds
                .iter()
                .map(|kind| kind.covers.as_slice())
                .collect(),
            &self.walls,
        )
    }
}
