//! Parts and ranks by the rulebook. Moves never change the row of the exit and the number of cars
//! that lie in each row: these make a part. The boards of a part are numbered in lexicographic
//! order of their cells: empty, lying, standing.

use std::cmp::Reverse;
use std::ops::RangeInclusive;
use std::sync::Arc;

use puzzle_api::{Numbering, Placement, SolvedStates};

use crate::kept::Kept;
use crate::rules::{Counted, Filling};
use crate::unit_rush_hour::board::{Board, Cell, MOST_SIDE};
use crate::unit_rush_hour::instances::Instance;
use crate::unit_rush_hour::rules::Rules;
use crate::variant::Literal;

/// Common properties of all boards of a part. Parts with more lying cars are smaller, and the first
/// part of an instance is tried before a search.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Part {
    exit: u8,
    /// The number of cars that lie in each row, and 0 beyond the last; an array, since every check
    /// of a board looks up its part.
    lying: Reverse<[u8; MOST_SIDE]>,
}

impl Part {
    fn of(board: &Board) -> Self {
        let mut lying = [0; MOST_SIDE];
        for (row, lying) in lying[..board.rows].iter_mut().enumerate() {
            *lying = board.lying(row) as u8;
        }
        Self {
            exit: board.exit as u8,
            lying: Reverse(lying),
        }
    }

    fn mirrored(&self, rows: usize) -> Self {
        let mut lying = self.lying;
        lying.0[..rows].reverse();
        Self {
            exit: rows as u8 - 1 - self.exit,
            lying,
        }
    }
}

/// The contents of the first cells of a board, as far as the others depend on them.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Filled {
    cells: usize,
    /// Number of cars that lie in the row of the next cell.
    lying: u8,
    empty: usize,
    /// Number of cars that stand in each column, if the instance fixes it; else nothing.
    standing: Vec<u8>,
}

#[derive(Debug)]
struct Cells {
    rows: usize,
    columns: usize,
    empty: RangeInclusive<usize>,
    part: Part,
    standing: Option<Vec<u8>>,
}

impl Cells {
    /// The same with one more cell; `None` if the part has no such board.
    fn with(&self, filled: &Filled, cell: Cell) -> Option<Filled> {
        let (row, column) = (filled.cells / self.columns, filled.cells % self.columns);
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
        let lying = self.part.lying.0[row];
        if next.empty > *self.empty.end() || next.lying > lying {
            return None;
        }
        if column + 1 == self.columns {
            if next.lying < lying {
                return None;
            }
            next.lying = 0;
        }
        Some(next)
    }
}

impl Filling for Cells {
    type State = Filled;
    type Choice = Cell;

    fn nothing(&self) -> Filled {
        let columns = self.standing.as_ref().map_or(0, Vec::len);
        Filled {
            cells: 0,
            lying: 0,
            empty: 0,
            standing: vec![0; columns],
        }
    }

    fn next(&self, filled: &Filled) -> Option<Vec<(Cell, Filled)>> {
        if filled.cells < self.rows * self.columns {
            let with = |cell| Some((cell, self.with(filled, cell)?));
            let cells = [Cell::Empty, Cell::Lying, Cell::Standing];
            return Some(cells.into_iter().filter_map(with).collect());
        }
        let standing = self.standing.as_ref();
        let fits = standing.is_none_or(|all| filled.standing == *all);
        (!fits || !self.empty.contains(&filled.empty)).then(Vec::new)
    }
}

#[derive(Debug)]
pub struct Numbers {
    /// The parts; of two mirror images only the first.
    parts: Vec<Part>,
    standing: Option<Vec<u8>>,
    counts: Kept<Counted<Cells>>,
}

impl Numbers {
    pub(super) fn new(instance: &Instance) -> Self {
        let mut parts = Vec::new();
        match &instance.start {
            Some(start) => parts.push(Part::of(start)),
            None => {
                for &exit in &instance.exits {
                    let mut each = |lying: &[u8]| {
                        let mut part = Part {
                            exit: exit as u8,
                            lying: Reverse([0; MOST_SIDE]),
                        };
                        part.lying.0[..lying.len()].copy_from_slice(lying);
                        if !instance.has_mirror() || part <= part.mirrored(instance.rows) {
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
            counts: Kept::default(),
        }
    }

    pub(super) fn part_of(&self, board: &Board) -> Option<u64> {
        let part = self.parts.binary_search(&Part::of(board)).ok()?;
        Some(part as u64)
    }

    fn counts(&self, instance: &Instance, part: u64) -> Option<Arc<Counted<Cells>>> {
        let own = self.parts.get(usize::try_from(part).ok()?)?;
        let cells = || Cells {
            rows: instance.rows,
            columns: instance.columns,
            empty: instance.empty.clone(),
            part: own.clone(),
            standing: self.standing.clone(),
        };
        self.counts.of(part, || Some(Counted::new(cells())))
    }

    fn board_of(&self, instance: &Instance, part: u64, cells: &[Cell]) -> Board {
        let exit = self.parts[part as usize].exit.into();
        instance.board_with(exit, cells.to_vec())
    }
}

impl Numbering for Rules {
    fn part_count(&self) -> u64 {
        self.numbers.parts.len() as u64
    }

    fn part_name(&self, part: u64) -> String {
        let Some(part) = self.numbers.parts.get(part as usize) else {
            return part.to_string();
        };
        let lying: Vec<String> = part.lying.0[..self.game.rows]
            .iter()
            .map(u8::to_string)
            .collect();
        format!("exit {}, lying {}", part.exit + 1, lying.join("/"))
    }

    fn space(&self, part: u64) -> Option<u64> {
        Some(self.numbers.counts(&self.game, part)?.boards())
    }

    fn place(&self, board: &Board) -> Option<Placement> {
        let part = self.numbers.part_of(board)?;
        let counts = self.numbers.counts(&self.game, part)?;
        let rank = counts.rank(board.cells.iter().copied())?;
        Some(Placement { part, rank })
    }

    fn unrank(&self, placement: Placement) -> Option<Board> {
        let Placement { part, rank } = placement;
        let cells = self.numbers.counts(&self.game, part)?.unrank(rank)?;
        Some(self.numbers.board_of(&self.game, part, &cells))
    }
}

impl SolvedStates for Rules {
    /// Every board of a part on which a car lies at the exit: no other of its row can be to the
    /// left of it.
    fn solved_states(&self, part: u64, emit: &mut dyn FnMut(Board)) {
        let Literal { game, numbers } = &**self;
        if let Some(counts) = numbers.counts(game, part) {
            let exit = usize::from(numbers.parts[part as usize].exit) * game.columns;
            let wanted =
                |filled: &Filled, cell: &Cell| filled.cells != exit || *cell == Cell::Lying;
            counts.each(&wanted, &mut |cells| {
                emit(numbers.board_of(game, part, cells))
            });
        }
    }
}

/// Every choice of the number of cars that lie in each row, at least one in the row of the exit,
/// with space for the empty cells.
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
