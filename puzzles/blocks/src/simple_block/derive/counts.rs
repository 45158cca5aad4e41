//! Boards counted by their open cells, without listing them and without the numbering of the
//! variants.

use std::collections::HashMap;

/// Cells as bits, the first lowest.
type Set = u32;

/// A board on which fillings are counted.
pub(super) struct Counter {
    rows: usize,
    columns: usize,
    /// Every connected set of cells, by its first cell.
    pieces: Vec<Vec<Set>>,
    /// Ways to fill an open set of cells: with any pieces, any cells left empty.
    ways: HashMap<Set, u64>,
}

impl Counter {
    pub(super) fn new(rows: usize, columns: usize) -> Self {
        let mut counter = Self {
            rows,
            columns,
            pieces: vec![Vec::new(); rows * columns],
            ways: HashMap::from([(0, 1)]),
        };
        for cells in 1..1 << (rows * columns) {
            if counter.hangs_together(cells) {
                counter.pieces[cells.trailing_zeros() as usize].push(cells);
            }
        }
        counter
    }

    fn members(&self, cells: Set) -> impl Iterator<Item = usize> + use<> {
        (0..self.rows * self.columns).filter(move |cell| cells >> cell & 1 == 1)
    }

    /// Whether every cell is connected to the first by sides.
    fn hangs_together(&self, cells: Set) -> bool {
        let mut waiting = vec![cells.trailing_zeros() as usize];
        let mut left = cells & (cells - 1);
        while let Some(cell) = waiting.pop() {
            let beside = |other: &usize| {
                let rows = (cell / self.columns).abs_diff(other / self.columns);
                let columns = (cell % self.columns).abs_diff(other % self.columns);
                rows + columns == 1
            };
            let reached: Vec<usize> = self.members(left).filter(beside).collect();
            reached.iter().for_each(|cell| left &= !(1 << cell));
            waiting.extend(reached);
        }
        left == 0
    }

    /// Ways to fill open cells: the first of them stays empty or is the first of a piece.
    fn fillings(&mut self, open: Set) -> u64 {
        if let Some(&known) = self.ways.get(&open) {
            return known;
        }
        let first = open.trailing_zeros() as usize;
        let mut ways = self.fillings(open & !(1 << first));
        for at in 0..self.pieces[first].len() {
            let piece = self.pieces[first][at];
            if piece & !open == 0 {
                ways += self.fillings(open & !piece);
            }
        }
        self.ways.insert(open, ways);
        ways
    }

    /// Every board: with any pieces, any cells left empty.
    pub(super) fn placements(&mut self) -> u64 {
        self.fillings((1 << (self.rows * self.columns)) - 1)
    }

    /// The cells that a piece enters with a step up or left; `None` if the edge blocks it.
    fn enters(&self, piece: Set, up: bool) -> Option<Set> {
        let mut entered = 0;
        for cell in self.members(piece) {
            let (row, column) = (cell / self.columns, cell % self.columns);
            let target = match up {
                true => row.checked_sub(1)? * self.columns + column,
                false => row * self.columns + column.checked_sub(1)?,
            };
            entered |= 1 << target;
        }
        Some(entered & !piece)
    }

    /// Boards with a piece at the goal that can have reached it with its last step: those on which
    /// it can step up or left. A board counts once for each such piece.
    pub(super) fn just_solved(&mut self, corner: bool) -> u64 {
        let (rows, columns) = (self.rows, self.columns);
        let all = (1 << (rows * columns)) - 1;
        let pieces: Vec<Set> = self.pieces.concat();
        let mut boards = 0;
        for piece in pieces {
            let at_goal = match corner {
                true => piece >> (rows * columns - 1) == 1,
                false => {
                    let mut cells = self.members(piece);
                    let low = cells.any(|cell| cell / columns == rows - 1);
                    let mut cells = self.members(piece);
                    low && cells.any(|cell| cell % columns == columns - 1)
                }
            };
            if !at_goal {
                continue;
            }
            let open = all & !piece;
            let (up, left) = (self.enters(piece, true), self.enters(piece, false));
            let entered: Vec<Set> = up.into_iter().chain(left).collect();
            // The entered cells stay empty; a board where both do was counted twice.
            for cells in &entered {
                boards += self.fillings(open & !cells);
            }
            if let [up, left] = entered[..] {
                boards -= self.fillings(open & !up & !left);
            }
        }
        boards
    }
}
