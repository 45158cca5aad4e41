//! Parts and ranks by the rulebook. A part is the shape of the goal piece and the number of empty
//! cells; the boards of a part are numbered by their keys, ascending.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, OnceLock};

use puzzle_api::{Numbering, Placement, SolvedStates};

use crate::kept::Kept;
use crate::rules::{Game, WAYS, beside, component};
use crate::simple_block::board::{Board, Grid};
use crate::simple_block::instances::Instance;
use crate::simple_block::rules::Rules;

/// Common properties of every board of a part.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Part {
    goal: Vec<bool>,
    empty: usize,
}

/// The numbering of one instance. An instance with a given board has none.
pub struct Numbers {
    instance: Instance,
    /// Listed on first use: moves do not need it.
    listed: OnceLock<Listed>,
    tables: Kept<Vec<u64>>,
}

/// The basis of an instance's numbering.
#[derive(Default)]
struct Listed {
    parts: Vec<Part>,
    of: HashMap<Part, u64>,
    /// The possible pieces, by their first cell.
    pieces_at: Vec<Vec<Vec<usize>>>,
    /// The possible pieces, by their shape, the greatest shape first.
    by_shape: BTreeMap<Reverse<Vec<bool>>, Vec<Vec<usize>>>,
}

impl Listed {
    fn new(instance: &Instance) -> Self {
        let grid = instance.grid;
        let mut listed = Self::default();
        if instance.start.is_some() {
            return listed;
        }
        listed.pieces_at = (0..grid.cells())
            .map(|first| pieces_at(grid, first))
            .collect();
        for cells in listed.pieces_at.iter().flatten() {
            let shape = Reverse(grid.shape(cells));
            listed
                .by_shape
                .entry(shape)
                .or_default()
                .push(cells.clone());
        }
        for (Reverse(goal), placements) in &listed.by_shape {
            let others = instance.pieces - 1;
            let left = grid.cells() - placements[0].len();
            if instance.goal.admits(grid, goal) && left > others {
                let empty = placements
                    .iter()
                    .map(|goal| least_empty(grid, goal, others));
                for empty in empty.min().unwrap_or(left).max(1)..=left - others {
                    let goal = goal.clone();
                    listed.parts.push(Part { goal, empty });
                }
            }
        }
        listed.of = listed.parts.iter().cloned().zip(0..).collect();
        listed
    }
}

impl Numbers {
    pub(super) fn new(instance: &Instance) -> Self {
        Self {
            instance: instance.clone(),
            listed: OnceLock::new(),
            tables: Kept::default(),
        }
    }

    fn listed(&self) -> &Listed {
        self.listed.get_or_init(|| Listed::new(&self.instance))
    }

    fn grid(&self) -> Grid {
        self.instance.grid
    }

    fn part(&self, part: u64) -> Option<&Part> {
        self.listed().parts.get(usize::try_from(part).ok()?)
    }

    pub(super) fn part_of(&self, board: &Board) -> Option<u64> {
        let own = Part {
            goal: self.grid().shape(&board.covered(1)),
            empty: board.covered(0).len(),
        };
        self.listed().of.get(&own).copied()
    }

    pub(super) fn table(&self, part: u64) -> Option<Arc<Vec<u64>>> {
        self.part(part)?;
        self.tables.of(part, || {
            let mut keys = Vec::new();
            self.each(part, |board| keys.push(board.key()));
            keys.sort_unstable();
            Some(keys)
        })
    }

    pub(super) fn each(&self, part: u64, mut emit: impl FnMut(Board)) {
        let Some(Part { goal, empty }) = self.part(part) else {
            return;
        };
        let placements = self.listed().by_shape.get(&Reverse(goal.clone()));
        for cells in placements.into_iter().flatten() {
            let mut decided = vec![false; self.grid().cells()];
            cells.iter().for_each(|&cell| decided[cell] = true);
            let mut filling = Filling {
                numbers: self,
                goal: cells,
                decided,
                others: Vec::new(),
                empty: *empty,
            };
            filling.each(&mut emit);
        }
    }
}

impl Numbering for Rules {
    /// An instance with a given board has one part, without ranks.
    fn part_count(&self) -> u64 {
        self.numbers.listed().parts.len().max(1) as u64
    }

    fn part_name(&self, part: u64) -> String {
        let name = |part: &Part| self.game.grid.part_name(&part.goal, part.empty);
        let known = self.numbers.part(part);
        known.map_or_else(|| part.to_string(), name)
    }

    fn space(&self, part: u64) -> Option<u64> {
        self.numbers.table(part).map(|keys| keys.len() as u64)
    }

    fn place(&self, board: &Board) -> Option<Placement> {
        let part = self.numbers.part_of(board)?;
        let rank = self.numbers.table(part)?.binary_search(&board.key()).ok()? as u64;
        Some(Placement { part, rank })
    }

    fn unrank(&self, placement: Placement) -> Option<Board> {
        let keys = self.numbers.table(placement.part)?;
        let key = *keys.get(usize::try_from(placement.rank).ok()?)?;
        Some(Board::of_key(self.game.grid, key))
    }
}

impl SolvedStates for Rules {
    fn solved_states(&self, part: u64, emit: &mut dyn FnMut(Board)) {
        self.numbers.each(part, |board| {
            if self.game.is_solved(&board) {
                emit(board);
            }
        });
    }

    fn lists_solved_states(&self) -> bool {
        self.game.start.is_none()
    }
}

/// The least number of cells that n other pieces leave empty: those outside the n largest components
/// of the cells that the goal piece leaves.
fn least_empty(grid: Grid, goal: &[usize], others: usize) -> usize {
    let mut open: Vec<usize> = (0..grid.cells()).collect();
    open.retain(|cell| !goal.contains(cell));
    let mut sizes = Vec::new();
    while !open.is_empty() {
        let own = component(&open, |cell, way| {
            beside((grid.rows, grid.columns), cell, way)
        });
        open.retain(|cell| !own.contains(cell));
        sizes.push(own.len());
    }
    sizes.sort_unstable_by_key(|&size| Reverse(size));
    sizes.iter().skip(others).sum()
}

/// All connected sets of cells with this first cell, in any order.
fn pieces_at(grid: Grid, first: usize) -> Vec<Vec<usize>> {
    let mut found = BTreeSet::from([vec![first]]);
    let mut grown: Vec<Vec<usize>> = found.iter().cloned().collect();
    while let Some(cells) = grown.pop() {
        for &cell in &cells {
            for way in WAYS {
                let Some(beside) = beside((grid.rows, grid.columns), cell, way) else {
                    continue;
                };
                if beside < first || cells.contains(&beside) {
                    continue;
                }
                let mut larger = cells.clone();
                larger.push(beside);
                larger.sort_unstable();
                if found.insert(larger.clone()) {
                    grown.push(larger);
                }
            }
        }
    }
    found.into_iter().collect()
}

/// A board being filled in reading order: the first undecided cell stays empty, or is the first
/// cell of a piece.
struct Filling<'a> {
    numbers: &'a Numbers,
    goal: &'a [usize],
    decided: Vec<bool>,
    others: Vec<Vec<usize>>,
    /// Cells that are still to stay empty.
    empty: usize,
}

impl Filling<'_> {
    fn each(&mut self, emit: &mut impl FnMut(Board)) {
        let pieces = self.numbers.instance.pieces - 1 - self.others.len();
        let open = self.decided.iter().filter(|&&decided| !decided).count();
        // Every piece covers a cell, and without pieces none is covered.
        let Some(taken) = open.checked_sub(self.empty) else {
            return;
        };
        if taken < pieces || (pieces == 0 && taken > 0) {
            return;
        }
        let Some(first) = self.decided.iter().position(|&decided| !decided) else {
            emit(Board::new(
                self.numbers.grid(),
                self.goal,
                self.others.clone(),
            ));
            return;
        };
        if self.empty > 0 {
            self.decided[first] = true;
            self.empty -= 1;
            self.each(emit);
            self.empty += 1;
            self.decided[first] = false;
        }
        let numbers = self.numbers;
        for cells in &numbers.listed().pieces_at[first] {
            let fits = cells.len() <= taken && cells.iter().all(|&cell| !self.decided[cell]);
            if pieces > 0 && fits {
                cells.iter().for_each(|&cell| self.decided[cell] = true);
                self.others.push(cells.clone());
                self.each(emit);
                self.others.pop();
                cells.iter().for_each(|&cell| self.decided[cell] = false);
            }
        }
    }
}
