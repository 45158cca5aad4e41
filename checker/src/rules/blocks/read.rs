//! The board of an instance from its drawing, and positions from theirs.

use super::{Anchors, Blocks, Kind};
use crate::rules::board::{Grid, WAYS, Way, image, pair, set};
use crate::rules::{Settings, board, chosen};

/// The cells of walls.
pub fn walls(marks: &[u8]) -> u128 {
    set((0..marks.len()).filter(|&cell| marks[cell] == b'#'))
}

/// Rows and columns from the first of some cells.
fn shape(grid: Grid, cells: &[usize]) -> Vec<Way> {
    let place = |cell: usize| (grid.place(cell).0 as i32, grid.place(cell).1 as i32);
    let (row, column) = place(cells[0]);
    let offsets = cells.iter().map(|&cell| place(cell));
    offsets.map(|(r, c)| (r - row, c - column)).collect()
}

impl Kind {
    /// Pieces of a shape, with the places where they fit.
    fn new(
        grid: Grid,
        walls: u128,
        shape: Vec<Way>,
        letters: Vec<u8>,
        goal: Option<usize>,
    ) -> Self {
        let cover = |cell: usize| {
            let cells = shape.iter().map(|&offset| grid.step(cell, offset));
            let covered = cells.collect::<Option<Vec<usize>>>().map(set);
            covered.filter(|covered| covered & walls == 0).unwrap_or(0)
        };
        let covers: Vec<u128> = grid.cells().map(cover).collect();
        let step = |cell, way| grid.step(cell, way).filter(|&to| covers[to] != 0);
        let steps = grid.cells().map(|cell| WAYS.map(|way| step(cell, way)));
        Self {
            shape,
            letters,
            goal,
            steps: steps.collect(),
            covers,
        }
    }
}

impl Blocks {
    /// The rules of an instance.
    pub fn open(instance: &str, settings: &Settings) -> Option<Self> {
        let (drawing, goals) = board("sliding-block", instance)?.split_once(' ')?;
        let [metric] = chosen(instance, settings, [("metric", "piece line step")])?;
        let (grid, marks) = Grid::drawn(drawing)?;
        let goal_of = |letter: u8| {
            let of_letter = |goal: &&str| goal.starts_with(char::from(letter));
            let goal = goals.split(';').find(of_letter)?[1..].strip_prefix('@')?;
            pair(goal, ',').map(|place| grid.cell(place))
        };
        let mut kinds: Vec<Kind> = Vec::new();
        for (letter, cells) in grid.pieces(&marks, b".#") {
            let (shape, goal) = (shape(grid, &cells), goal_of(letter));
            let same = |kind: &&mut Kind| kind.goal.or(goal).is_none() && kind.shape == shape;
            match kinds.iter_mut().find(same) {
                Some(kind) => kind.letters.push(letter),
                None => kinds.push(Kind::new(grid, walls(&marks), shape, vec![letter], goal)),
            }
        }
        let empty = marks.iter().copied().filter(|&mark| mark == b'.').collect();
        kinds.insert(0, Kind::new(grid, walls(&marks), vec![(0, 0)], empty, None));
        kinds.sort_by_key(|kind| kind.shape.len() > 2);
        let mut opened = Self {
            grid,
            walls: walls(&marks),
            start: 0,
            metric,
            bits: kinds.len().next_power_of_two().ilog2() as usize,
            kinds,
            symmetries: vec![],
        };
        if opened.bits * opened.counts().sum::<usize>() > 128 {
            return None;
        }
        opened.start = opened.pack(&opened.anchors(&marks)?);
        let symmetries = grid.turns().filter_map(|to| opened.symmetry(to));
        opened.symmetries = symmetries.collect();
        Some(opened)
    }

    /// A turn of the cells, with the image of each symbol; `None` if it does not keep walls, kinds
    /// and goals.
    fn symmetry(&self, to: Vec<usize>) -> Option<(Vec<usize>, Vec<usize>)> {
        let turned = |kind: &Kind| {
            let covered = kind.covers.iter().find(|covered| **covered != 0)?;
            let covered = image(*covered, &to);
            let turned = |goal: usize| image(kind.covers[goal], &to).trailing_zeros() as usize;
            let goal = kind.goal.map(turned);
            let fits = |other: &Kind| {
                other.covers[covered.trailing_zeros() as usize] == covered
                    && other.goal == goal
                    && other.letters.len() == kind.letters.len()
            };
            (1..self.kinds.len()).find(|&symbol| fits(&self.kinds[symbol]))
        };
        let pieces = self.kinds[1..].iter().map(turned);
        let symbols = std::iter::once(Some(0)).chain(pieces);
        let symbols = symbols.collect::<Option<_>>()?;
        (image(self.walls, &to) == self.walls).then_some((to, symbols))
    }

    /// The places of the pieces of a drawing.
    pub(super) fn anchors(&self, marks: &[u8]) -> Option<Anchors> {
        let mut anchors = vec![0; marks.len()];
        let mut counts = vec![0; self.kinds.len()];
        for (letter, cells) in self.grid.pieces(marks, b".#") {
            let covered = set(cells.iter().copied());
            let fits = |&symbol: &usize| self.kinds[symbol].covers[cells[0]] == covered;
            // A piece that has a goal keeps its letter; others of its shape are alike.
            let unlike = |&symbol: &usize| {
                let kind = &self.kinds[symbol];
                match (kind.goal, kind.letters.contains(&letter)) {
                    (Some(_), true) => 0,
                    (None, _) => 1,
                    (Some(_), false) => 2,
                }
            };
            let symbol = (1..counts.len()).filter(fits).min_by_key(unlike);
            anchors[cells[0]] = symbol?;
            counts[anchors[cells[0]]] += 1;
        }
        let alike = self.counts().skip(1).eq(counts.into_iter().skip(1));
        alike.then_some(anchors)
    }

    /// The letter of the piece whose first cell is here: pieces of a kind take its letters in
    /// reading order.
    pub(super) fn letter(&self, anchors: &Anchors, cell: usize) -> u8 {
        let before = anchors[..cell].iter();
        let number = before.filter(|&&symbol| symbol == anchors[cell]).count();
        self.kinds[anchors[cell]].letters[number]
    }
}
