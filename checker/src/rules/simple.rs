//! Simple sliding blocks: pieces of any shape, without walls. A move takes one piece along any
//! path. Solved: the goal piece A covers the cell in the lower right corner, or touches the right
//! edge and the lower one (goal `edges`). With goal `corner` only a piece is a goal piece that has
//! a cell in the lower right corner of the rectangle around it.
//!
//! State and key: four bits a cell, the number of its piece, the last cell lowest: 0 empty, 1 the
//! goal piece, from 2 the others. These are numbered by their shapes, pushed into the upper left
//! corner of the board: of two, first the one that covers the first cell in which they differ;
//! pieces of one shape by their first cells. No state has another image.

use std::collections::BTreeSet;

use super::board::{Grid, WAYS, Way, has, image, members, set};
use super::keys::{digit, pack};
use super::{Rules, Settings};

pub struct Simple {
    pub grid: Grid,
    pieces: usize,
    edges: bool,
    start: Option<u128>,
}

/// Cells that hang together by their sides, each such set once, within some cells and with this
/// one as the last of them.
#[must_use]
pub fn joined(grid: Grid, within: u128, last: usize) -> Vec<u128> {
    let within = within & ((1 << last) - 1);
    let (mut all, mut new) = (BTreeSet::new(), vec![1 << last]);
    while let Some(piece) = new.pop() {
        if all.insert(piece) {
            let beside = set(members(piece).flat_map(|cell| grid.beside(cell)));
            new.extend(members(beside & within & !piece).map(|cell| piece | 1 << cell));
        }
    }
    all.into_iter().collect()
}

/// A piece a step on; none where an edge is in the way.
#[must_use]
pub fn step(grid: Grid, piece: u128, way: Way) -> Option<u128> {
    let moved = members(piece).map(|cell| grid.step(cell, way));
    Some(set(moved.collect::<Option<Vec<_>>>()?))
}

/// Whether a piece touches the right edge and the lower one, or covers the corner between them.
#[must_use]
pub fn arrived(grid: Grid, piece: u128, edges: bool) -> bool {
    let open = |way| step(grid, piece, way).is_some();
    match edges {
        true => !open((1, 0)) && !open((0, 1)),
        false => has(piece, grid.cells().len() - 1),
    }
}

/// A piece pushed one way and another as far as the edges.
fn pushed(grid: Grid, mut piece: u128, ways: [Way; 2]) -> u128 {
    for way in ways {
        while let Some(moved) = step(grid, piece, way) {
            piece = moved;
        }
    }
    piece
}

impl Simple {
    /// # Errors
    /// An unknown instance or setting.
    pub fn open(instance: &str, settings: &Settings) -> Result<Self, String> {
        let unknown = || format!("no instance simple-block/{instance} here, or a setting");
        let edges = match settings.get("goal").map(|goal| goal.trim()) {
            None | Some("corner") => false,
            Some("edges") => true,
            _ => return Err(unknown()),
        };
        let custom = instance == "custom";
        let known = |key: &str| key == "goal" || key == "board" && custom;
        if !settings.keys().all(|key| known(key)) {
            return Err(unknown());
        }
        if let Some(text) = settings.get("board") {
            let (grid, pieces) = Self::drawn(text).ok_or("the board is none of sliding blocks")?;
            let mut opened = Self {
                grid,
                pieces: pieces.len(),
                edges,
                start: None,
            };
            opened.start = Some(opened.state(&pieces));
            return opened
                .admits(pieces[0])
                .then_some(opened)
                .ok_or_else(unknown);
        }
        let (size, pieces) = instance.split_once("-n").ok_or_else(unknown)?;
        let grid = Grid::named(size).filter(|grid| Self::fits(*grid));
        let (grid, pieces) = grid.zip(pieces.parse().ok()).ok_or_else(unknown)?;
        Ok(Self {
            grid,
            pieces: Some(pieces)
                .filter(|pieces| (1..grid.cells().len()).contains(pieces))
                .ok_or_else(unknown)?,
            edges,
            start: None,
        })
    }

    fn fits(grid: Grid) -> bool {
        let sides = 2..=8;
        sides.contains(&grid.rows) && sides.contains(&grid.columns) && grid.cells().len() <= 16
    }

    /// Reads a drawing: the pieces, the goal piece first.
    fn drawn(text: &str) -> Option<(Grid, Vec<u128>)> {
        let (grid, marks) = Grid::drawn(text).filter(|(grid, _)| Self::fits(*grid))?;
        let mut pieces = Vec::new();
        for (letter, cells) in grid.pieces(&marks, b".") {
            let whole = set(cells.iter().copied());
            let hangs = joined(grid, whole, *cells.last()?).contains(&whole);
            (hangs && letter.is_ascii_alphabetic()).then_some(())?;
            pieces.push((letter != b'A', whole));
        }
        pieces.sort_by_key(|piece| piece.0);
        let whole = marks.contains(&b'.') && marks.contains(&b'A');
        whole.then(|| (grid, pieces.into_iter().map(|piece| piece.1).collect()))
    }

    /// What pieces other than the goal piece are ordered by: the picture of its shape, its first
    /// cell the highest bit, the greater first; then the first cell.
    fn order(&self, piece: u128) -> (u128, u32) {
        let cells = self.grid.cells();
        let mirrored: Vec<usize> = cells.rev().collect();
        let picture = image(pushed(self.grid, piece, [(-1, 0), (0, -1)]), &mirrored);
        (!picture, piece.trailing_zeros())
    }

    /// The state of pieces, the goal piece first.
    fn state(&self, pieces: &[u128]) -> u128 {
        let mut others = pieces[1..].to_vec();
        others.sort_by_cached_key(|&piece| self.order(piece));
        let pieces = [&pieces[..1], &others].concat();
        let number = |cell| {
            pieces
                .iter()
                .position(|&piece| has(piece, cell))
                .map_or(0, |at| at + 1)
        };
        pack(4, self.grid.cells().rev().map(number))
    }

    /// The goal piece of a state.
    #[must_use]
    pub fn goal(&self, state: u128) -> u128 {
        self.pieces(state)[0]
    }

    /// The pieces of a state, by their numbers.
    fn pieces(&self, state: u128) -> Vec<u128> {
        let last = self.grid.cells().len() - 1;
        let mut pieces = vec![0; self.pieces + 1];
        for cell in self.grid.cells() {
            if let Some(piece) = pieces.get_mut(digit(4, state, last - cell)) {
                *piece |= 1 << cell;
            }
        }
        pieces.split_off(1)
    }

    /// Whether a piece can be the goal piece.
    fn admits(&self, goal: u128) -> bool {
        arrived(
            self.grid,
            pushed(self.grid, goal, [(1, 0), (0, 1)]),
            self.edges,
        )
    }

    /// Adds every way to lay so many pieces on open cells, one cell left empty at least.
    fn fill(&self, open: u128, laid: &mut Vec<u128>, empty: usize, all: &mut Vec<Vec<u128>>) {
        let left = self.pieces - laid.len();
        if left == 0 {
            if empty + open.count_ones() as usize > 0 {
                all.push(laid.clone());
            }
            return;
        }
        if (open.count_ones() as usize) < left {
            return;
        }
        let last = open.ilog2() as usize;
        self.fill(open & !(1 << last), laid, empty + 1, all);
        for piece in joined(self.grid, open, last) {
            laid.push(piece);
            self.fill(open & !piece, laid, empty, all);
            laid.pop();
        }
    }
}

impl Rules for Simple {
    fn read(&self, text: &str) -> Result<u128, String> {
        let shapes = |state| -> Vec<u128> {
            let pieces = self.pieces(state).into_iter();
            pieces.map(|piece| self.order(piece).0).collect()
        };
        Self::drawn(text)
            .filter(|(grid, pieces)| *grid == self.grid && pieces.len() == self.pieces)
            .filter(|(_, pieces)| self.admits(pieces[0]))
            .map(|(_, pieces)| self.state(&pieces))
            .filter(|&state| {
                self.start
                    .is_none_or(|start| shapes(start) == shapes(state))
            })
            .ok_or(format!("{text:?} is no position of this board"))
    }
    fn draw(&self, state: u128) -> String {
        let last = self.grid.cells().len() - 1;
        let mark = |cell| match digit(4, state, last - cell) as u8 {
            0 => b'.',
            piece => b'A' + piece - 1,
        };
        let marks: Vec<u8> = self.grid.cells().map(mark).collect();
        self.grid.draw(&marks)
    }
    fn next(&self, state: u128) -> Vec<u128> {
        let (pieces, mut next) = (self.pieces(state), Vec::new());
        let taken = pieces.iter().fold(0, |taken, piece| taken | piece);
        for (number, &piece) in pieces.iter().enumerate() {
            let (mut reached, mut done) = (vec![piece], 0);
            while let Some(&at) = reached.get(done) {
                done += 1;
                let free = |to: &u128| to & taken & !piece == 0;
                for to in WAYS
                    .iter()
                    .filter_map(|&way| step(self.grid, at, way))
                    .filter(free)
                {
                    if !reached.contains(&to) {
                        reached.push(to);
                    }
                }
            }
            for &to in &reached[1..] {
                let mut moved = pieces.clone();
                moved[number] = to;
                next.push(self.state(&moved));
            }
        }
        next
    }
    fn before(&self, state: u128) -> Vec<u128> {
        self.next(state)
    }
    fn solved(&self, state: u128) -> bool {
        arrived(self.grid, self.goal(state), self.edges)
    }
    fn start(&self) -> Option<u128> {
        self.start
    }
    fn states(&self) -> Option<Vec<u128>> {
        // Between few pieces and many there are millions.
        let few = self.grid.cells().len() < 16 || !(3..13).contains(&self.pieces);
        if self.start.is_some() || !few {
            return None;
        }
        let mut all = Vec::new();
        self.fill(
            (1 << self.grid.cells().len()) - 1,
            &mut Vec::new(),
            0,
            &mut all,
        );
        let mut states = Vec::new();
        for mut pieces in all {
            for goal in 0..pieces.len() {
                pieces.swap(0, goal);
                if self.admits(pieces[0]) {
                    states.push(self.state(&pieces));
                }
                pieces.swap(0, goal);
            }
        }
        Some(states)
    }
    fn name(&self, from: u128, to: u128) -> Option<String> {
        let (before, after) = (self.pieces(from), self.pieces(to));
        let left = before.iter().position(|piece| !after.contains(piece))?;
        let come = after.iter().find(|piece| !before.contains(piece))?;
        let [old, new] = [before[left], *come].map(|piece| piece.trailing_zeros() as usize);
        let ways = self
            .grid
            .ways(old, new)
            .map(|(way, cells)| format!(" {way} {cells}"));
        Some(format!(
            "{}{}",
            char::from(b'A' + left as u8),
            ways.collect::<String>()
        ))
    }
}
