//! Boards of simple sliding blocks: from their drawings, and all of a census; and their pieces.

use std::collections::BTreeSet;

use super::Simple;
use crate::rules::board::{Grid, Way, has, members, set};
use crate::rules::{Settings, chosen};

fn sized(grid: Grid) -> Option<Grid> {
    grid.within(2..=8, 16)
}

/// Reads a drawing: the pieces, the goal piece first.
pub(super) fn drawn(text: &str) -> Option<(Grid, Vec<u128>)> {
    let (grid, marks) = Grid::drawn_or_square(text)?;
    let (grid, mut pieces) = (sized(grid)?, Vec::new());
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

impl Simple {
    /// The rules of an instance.
    pub fn open(instance: &str, settings: &Settings) -> Option<Self> {
        let [goal] = chosen(instance, settings, [("goal", "corner edges")])?;
        let opened = |grid, pieces| Self {
            grid,
            pieces,
            edges: goal == 1,
            start: None,
        };
        if let Some(text) = settings.get("board") {
            let (grid, pieces) = drawn(text)?;
            let rules = opened(grid, pieces.len());
            let start = Some(rules.state(&pieces));
            return rules.admits(pieces[0]).then_some(Self { start, ..rules });
        }
        let (size, pieces) = instance.split_once("-n")?;
        let (grid, pieces) = (Grid::named(size).and_then(sized)?, pieces.parse().ok()?);
        let some_empty = (1..grid.cells().len()).contains(&pieces);
        some_empty.then_some(opened(grid, pieces))
    }

    /// Adds every way to lay n pieces on open cells, with at least one cell left empty.
    fn fill(&self, open: u128, laid: &mut Vec<u128>, empty: usize, all: &mut Vec<Vec<u128>>) {
        let (left, cells) = (self.pieces - laid.len(), open.count_ones() as usize);
        if left == 0 && empty + cells > 0 {
            all.push(laid.clone());
        }
        if left == 0 || cells < left {
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

    /// Every state of the census: each piece that can be is the goal piece in turn. `None` for a
    /// single board, or if there are too many.
    pub(super) fn census(&self) -> Option<Vec<u128>> {
        // Between few pieces and many, there are millions.
        let cells = self.grid.cells().len();
        let few = cells < 16 || !(3..13).contains(&self.pieces);
        if self.start.is_some() || !few {
            return None;
        }
        let (mut all, mut states) = (Vec::new(), Vec::new());
        self.fill((1 << cells) - 1, &mut Vec::new(), 0, &mut all);
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
}

/// All connected sets of cells within some cells that have this one as their last, each set once.
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

/// A piece moved by one step; `None` if an edge is in the way.
pub fn step(grid: Grid, piece: u128, way: Way) -> Option<u128> {
    let moved = members(piece).map(|cell| grid.step(cell, way));
    Some(set(moved.collect::<Option<Vec<_>>>()?))
}

/// Whether a piece touches the right edge and the lower one, or covers the corner between them.
pub fn arrived(grid: Grid, piece: u128, edges: bool) -> bool {
    let open = |way| step(grid, piece, way).is_some();
    match edges {
        true => !open((1, 0)) && !open((0, 1)),
        false => has(piece, grid.cells().len() - 1),
    }
}

/// A piece pushed in one direction and another as far as the edges.
pub(super) fn pushed(grid: Grid, mut piece: u128, ways: [Way; 2]) -> u128 {
    for way in ways {
        while let Some(moved) = step(grid, piece, way) {
            piece = moved;
        }
    }
    piece
}
