//! Parts and ranks by the rulebook. A part is what moves never change in the rows: the row of
//! the exit, and how many cars lie in each row; the boards of a part are numbered in the order
//! in which their cells, read from the first to the last, come: empty, lying, standing.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use puzzle_api::Placement;

use crate::rules::Parts;
use crate::unit_rush_hour::board::{Board, Cell};
use crate::unit_rush_hour::instances::Instance;

/// What all boards of a part have in common. Parts come in this order: with more cars that lie
/// a part is smaller, and the first of an instance is the one that is tried before a search.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Part {
    exit: u8,
    /// How many cars lie in each row.
    lying: Reverse<Vec<u8>>,
}

impl Part {
    fn of(board: &Board) -> Self {
        Self {
            exit: board.exit as u8,
            lying: Reverse((0..board.rows).map(|row| board.lying(row) as u8).collect()),
        }
    }

    fn mirrored(&self) -> Self {
        let rows = self.lying.0.len() as u8;
        Self {
            exit: rows - 1 - self.exit,
            lying: Reverse(self.lying.0.iter().rev().copied().collect()),
        }
    }
}

/// What was put on the first cells of a board, as far as the others depend on it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Filled {
    cells: usize,
    /// Cars that lie in the row of the next cell.
    lying: u8,
    empty: usize,
    /// Cars that stand in each column, where the instance says how many do; else nothing.
    standing: Vec<u8>,
}

/// The boards of a part, counted by what was put on their first cells.
type Counts = HashMap<Filled, u64>;

/// Parts whose counts are kept.
const KEPT: usize = 32;

/// The numbering of one instance.
#[derive(Debug)]
pub struct Numbers {
    /// Of two parts that are mirror images the first.
    parts: Vec<Part>,
    /// Cars that stand in each column, where the instance says how many do.
    standing: Option<Vec<u8>>,
    counts: Mutex<HashMap<u64, Arc<Counts>>>,
}

impl Numbers {
    pub(super) fn new(instance: &Instance) -> Self {
        let mut parts = Vec::new();
        match &instance.start {
            Some(start) => parts.push(Part::of(start)),
            None => {
                for &exit in &instance.exits {
                    let mut each = |lying: &[u8]| {
                        let part = Part {
                            exit: exit as u8,
                            lying: Reverse(lying.to_vec()),
                        };
                        if !instance.has_mirror() || part <= part.mirrored() {
                            parts.push(part);
                        }
                    };
                    each_count(instance, exit, &mut Vec::new(), &mut each);
                }
                parts.sort();
            }
        }
        let columns = |start: &Board| {
            let columns = 0..start.columns;
            columns.map(|column| start.standing(column) as u8).collect()
        };
        Self {
            parts,
            standing: instance.start.as_ref().map(columns),
            counts: Mutex::default(),
        }
    }

    /// The row of the exit, and how many cars lie in each row.
    pub(crate) fn lying_of(&self, part: u64) -> Option<(usize, &[u8])> {
        let part = self.parts.get(usize::try_from(part).ok()?)?;
        Some((part.exit.into(), &part.lying.0))
    }

    pub(super) fn part_of(&self, board: &Board) -> Option<u64> {
        let part = self.parts.binary_search(&Part::of(board)).ok()?;
        Some(part as u64)
    }

    fn counts(&self, instance: &Instance, part: u64) -> Option<Arc<Counts>> {
        let own = self.parts.get(part as usize)?;
        let lock = || {
            self.counts
                .lock()
                .unwrap_or_else(|poisoned| poisoned.into_inner())
        };
        if let Some(counts) = lock().get(&part) {
            return Some(Arc::clone(counts));
        }
        let mut counts = Counts::new();
        self.count(instance, own, self.nothing(), &mut counts);
        let counts = Arc::new(counts);
        let mut kept = lock();
        if kept.len() >= KEPT {
            kept.clear();
        }
        kept.insert(part, Arc::clone(&counts));
        Some(counts)
    }

    /// No cell filled yet.
    fn nothing(&self) -> Filled {
        let columns = self.standing.as_ref().map_or(0, Vec::len);
        Filled {
            cells: 0,
            lying: 0,
            empty: 0,
            standing: vec![0; columns],
        }
    }

    /// The same with one cell more; `None` where the part has no such board.
    fn with(
        &self,
        instance: &Instance,
        part: &Part,
        filled: &Filled,
        cell: Cell,
    ) -> Option<Filled> {
        let (row, column) = (
            filled.cells / instance.columns,
            filled.cells % instance.columns,
        );
        let mut next = filled.clone();
        next.cells += 1;
        match cell {
            Cell::Empty => next.empty += 1,
            Cell::Lying => next.lying += 1,
            Cell::Standing => {
                if let Some(most) = &self.standing {
                    next.standing[column] += 1;
                    if next.standing[column] > most[column] {
                        return None;
                    }
                }
            }
        }
        if next.empty > *instance.empty.end() || next.lying > part.lying.0[row] {
            return None;
        }
        if column + 1 == instance.columns {
            if next.lying < part.lying.0[row] {
                return None;
            }
            next.lying = 0;
        }
        Some(next)
    }

    /// How many boards of a part begin so.
    fn count(&self, instance: &Instance, part: &Part, filled: Filled, counts: &mut Counts) -> u64 {
        if let Some(&count) = counts.get(&filled) {
            return count;
        }
        let count = if filled.cells == instance.cells() {
            let whole = self
                .standing
                .as_ref()
                .is_none_or(|all| filled.standing == *all);
            u64::from(whole && instance.empty.contains(&filled.empty))
        } else {
            let next = CELLS.map(|cell| self.with(instance, part, &filled, cell));
            let each = next.into_iter().flatten();
            each.map(|next| self.count(instance, part, next, counts))
                .sum()
        };
        counts.insert(filled, count);
        count
    }

    fn fill(
        &self,
        instance: &Instance,
        part: &Part,
        counts: &Counts,
        (filled, cells): (Filled, Vec<Cell>),
        emit: &mut dyn FnMut(Board),
    ) {
        if filled.cells == instance.cells() {
            return emit(board_of(instance, part, cells));
        }
        let exit = usize::from(part.exit) * instance.columns;
        for cell in CELLS {
            if filled.cells == exit && cell != Cell::Lying {
                continue;
            }
            let next = self.with(instance, part, &filled, cell);
            if let Some(next) = next.filter(|next| counts[next] > 0) {
                let mut cells = cells.clone();
                cells.push(cell);
                self.fill(instance, part, counts, (next, cells), emit);
            }
        }
    }
}

impl Parts<Instance> for Numbers {
    fn part_count(&self) -> u64 {
        self.parts.len() as u64
    }

    fn part_name(&self, _: &Instance, part: u64) -> String {
        let Some(part) = self.parts.get(part as usize) else {
            return part.to_string();
        };
        let lying: Vec<String> = part.lying.0.iter().map(u8::to_string).collect();
        format!("exit {}, lying {}", part.exit + 1, lying.join("/"))
    }

    fn space(&self, instance: &Instance, part: u64) -> Option<u64> {
        let counts = self.counts(instance, part)?;
        Some(counts[&self.nothing()])
    }

    fn place(&self, instance: &Instance, board: &Board) -> Option<Placement> {
        let part = self.part_of(board)?;
        let counts = self.counts(instance, part)?;
        let own = &self.parts[part as usize];
        let (mut filled, mut rank) = (self.nothing(), 0);
        for &content in &board.cells {
            for cell in CELLS.into_iter().filter(|&cell| cell < content) {
                let other = self.with(instance, own, &filled, cell);
                rank += other.map_or(0, |other| counts[&other]);
            }
            filled = self.with(instance, own, &filled, content)?;
        }
        (counts.get(&filled) == Some(&1)).then_some(Placement { part, rank })
    }

    fn unrank(&self, instance: &Instance, placement: Placement) -> Option<Board> {
        let counts = self.counts(instance, placement.part)?;
        let own = &self.parts[placement.part as usize];
        let (mut filled, mut rest) = (self.nothing(), placement.rank);
        if rest >= counts[&filled] {
            return None;
        }
        let mut cells = Vec::new();
        while cells.len() < instance.cells() {
            for cell in CELLS {
                let Some(next) = self.with(instance, own, &filled, cell) else {
                    continue;
                };
                if rest < counts[&next] {
                    cells.push(cell);
                    filled = next;
                    break;
                }
                rest -= counts[&next];
            }
        }
        Some(board_of(instance, own, cells))
    }

    /// Every board of a part on which a car lies at the exit: no other of its row can be left
    /// of it.
    fn solved(&self, instance: &Instance, part: u64, emit: &mut dyn FnMut(Board)) {
        if let Some(counts) = self.counts(instance, part) {
            let own = &self.parts[part as usize];
            self.fill(instance, own, &counts, (self.nothing(), Vec::new()), emit);
        }
    }
}

/// What a cell can hold, in the order of ranks.
const CELLS: [Cell; 3] = [Cell::Empty, Cell::Lying, Cell::Standing];

fn board_of(instance: &Instance, part: &Part, cells: Vec<Cell>) -> Board {
    Board {
        rows: instance.rows,
        columns: instance.columns,
        exit: part.exit.into(),
        cells,
    }
}

/// Every way to say how many cars lie in each row, one at least in the row of the exit, with
/// room for the empty cells.
fn each_count(instance: &Instance, exit: usize, lying: &mut Vec<u8>, emit: &mut dyn FnMut(&[u8])) {
    let all: usize = lying.iter().map(|&count| usize::from(count)).sum();
    if all + instance.empty.start() > instance.cells() {
        return;
    }
    if lying.len() == instance.rows {
        return emit(lying);
    }
    for count in u8::from(lying.len() == exit)..=instance.columns as u8 {
        lying.push(count);
        each_count(instance, exit, lying, emit);
        lying.pop();
    }
}
