//! What a key says of its board, some cells at a time, and what each car adds to it.

use puzzle_api::{Numbering, Puzzle};

use super::{KINDS, board_with};
use crate::unit_rush_hour::board::{Board, Cell, MOST_SIDE};
use crate::unit_rush_hour::instances::Instance;
use crate::unit_rush_hour::rules::{self, Rules};

/// Cells that are looked up in one go.
const CELLS: usize = 6;
/// Contents of these.
const VALUES: u64 = 3_u64.pow(CELLS as u32);
/// No part: what has no number.
pub(super) const NONE: u32 = u32::MAX;
/// Bits for the number of cars along one line: up to 10.
const COUNT_BITS: usize = 4;
const _: () = assert!(MOST_SIDE < 1 << COUNT_BITS);

/// What a car adds to what is said of its board and of the mirror image.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Car {
    /// To the key.
    pub(super) key: u64,
    /// To the key of the image.
    pub(super) image: u64,
    /// To the place of the part among [`Reader::numbered`].
    pub(super) part: u32,
    /// To that of the image.
    pub(super) image_part: u32,
}

/// What some neighbouring cells hold.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Group {
    lying: u64,
    standing: u64,
    /// How many cars stand in each column.
    standing_in: u64,
    pub(super) all: Car,
}

/// A row that the exit may be in.
#[derive(Debug, Clone, Copy)]
struct Exit {
    /// The cells of the row.
    row: u64,
    /// The cells of which one has to hold a car that lies.
    goal: u64,
    /// What is said of a board without cars.
    empty: Car,
}

/// What a key says of its board.
#[derive(Debug, Clone, Copy)]
pub(super) struct Read {
    /// Cells with a car that lies.
    pub(super) lying: u64,
    /// Cells with a car that stands.
    pub(super) standing: u64,
    /// Cells of which one holds a car that lies where the board is solved.
    pub(super) goal: u64,
    /// Key of the mirror image, if there is one.
    pub(super) image: u64,
    /// Place of the part.
    pub(super) part: u32,
    /// Place of the image's part.
    pub(super) image_part: u32,
}

/// Reads keys.
pub(super) struct Reader {
    cells: u64,
    least_empty: u32,
    most_empty: u32,
    /// How many cars stand in each column, if the instance says so.
    standing_in: Option<u64>,
    /// What one row more of the exit adds to a key.
    exit_weight: u64,
    /// By row.
    exits: Vec<Option<Exit>>,
    /// By what they hold.
    pub(super) groups: Vec<Vec<Group>>,
    /// By kind and cell.
    pub(super) cars: [Vec<Car>; KINDS.len()],
    /// By row of the exit and number of cars that lie in each row, the number of the part.
    pub(super) numbered: Vec<u32>,
}

/// How many places of parts there are for each row of the exit, and what a car that lies in each
/// row adds.
fn part_weights(instance: &Instance) -> (u32, Vec<u32>) {
    let base = instance.columns as u32 + 1;
    let weights = (0..instance.rows as u32).map(|row| base.pow(row));
    (base.pow(instance.rows as u32), weights.collect())
}

/// The place of a board's part; 0 for a row of the exit that the instance does not have.
fn part_place(instance: &Instance, board: &Board) -> u32 {
    let (all, weights) = part_weights(instance);
    let exit = instance.exits.iter().position(|&exit| exit == board.exit);
    let rows = weights.iter().enumerate();
    let lying = rows.map(|(row, weight)| weight * board.lying(row) as u32);
    exit.unwrap_or(0) as u32 * all + lying.sum::<u32>()
}

/// How many cars stand in each column.
fn standing_in(board: &Board) -> u64 {
    let columns = 0..board.columns;
    columns.fold(0, |all, column| {
        all | (board.standing(column) as u64) << (COUNT_BITS * column)
    })
}

/// What the rulebook says of a board, and of its image if the instance has them.
fn said(instance: &Instance, rules: &Rules, board: &Board) -> Car {
    let own = Car {
        key: rules.key(board),
        part: part_place(instance, board),
        ..Car::default()
    };
    if !instance.has_mirror() {
        return own;
    }
    let image = rules::mirrored(board);
    Car {
        image: rules.key(&image),
        image_part: part_place(instance, &image),
        ..own
    }
}

impl Car {
    /// What is more than another.
    fn beyond(self, other: Self) -> Self {
        Self {
            key: self.key.wrapping_sub(other.key),
            image: self.image.wrapping_sub(other.image),
            part: self.part.wrapping_sub(other.part),
            image_part: self.image_part.wrapping_sub(other.image_part),
        }
    }

    fn and(self, other: Self) -> Self {
        Self {
            key: self.key.wrapping_add(other.key),
            image: self.image.wrapping_add(other.image),
            part: self.part.wrapping_add(other.part),
            image_part: self.image_part.wrapping_add(other.image_part),
        }
    }
}

impl Reader {
    pub(super) fn by_the_rulebook(instance: &Instance, rules: &Rules) -> Self {
        let cells = instance.cells();
        let first = instance.exits[0];
        let nothing = said(instance, rules, &board_with(instance, first, &[]));
        let car = |kind: Cell, cell: usize| {
            let board = board_with(instance, first, &[(cell, kind)]);
            said(instance, rules, &board).beyond(nothing)
        };
        let cars = KINDS.map(|kind| (0..cells).map(|cell| car(kind, cell)).collect());
        let mut reader = Self {
            cells: u64::MAX >> (u64::BITS - cells as u32),
            least_empty: *instance.empty.start() as u32,
            most_empty: *instance.empty.end() as u32,
            standing_in: instance.start.as_ref().map(standing_in),
            exit_weight: rules.key(&board_with(instance, 1, &[])),
            exits: vec![None; instance.rows],
            groups: Vec::new(),
            cars,
            numbered: numbered(instance, rules),
        };
        for &exit in &instance.exits {
            reader.exits[exit] = Some(exit_by_the_rulebook(instance, rules, exit));
        }
        reader.groups = (0..cells)
            .step_by(CELLS)
            .map(|first| reader.group(rules, first, (cells - first).min(CELLS)))
            .collect();
        reader
    }

    /// By what they hold, some cells from one on.
    fn group(&self, rules: &Rules, first: usize, cells: usize) -> Vec<Group> {
        let weight = 3_u64.pow(first as u32);
        let held = |value: u64| self.held(&rules.state(value * weight));
        (0..3_u64.pow(cells as u32)).map(held).collect()
    }

    /// All that the cars of a board add.
    fn held(&self, board: &Board) -> Group {
        let mut group = Group {
            standing_in: standing_in(board),
            ..Group::default()
        };
        let sets = [&mut group.lying, &mut group.standing];
        for ((kind, cars), set) in KINDS.iter().zip(&self.cars).zip(sets) {
            for (cell, _) in board.cells.iter().enumerate().filter(|held| held.1 == kind) {
                *set |= 1 << cell;
                group.all = group.all.and(cars[cell]);
            }
        }
        group
    }

    /// Takes every cell of the exits' rows for the goal, as a planted fault.
    #[cfg(test)]
    pub(super) fn broaden_the_goal(&mut self) {
        let exits = self.exits.iter_mut().flatten();
        exits.for_each(|exit| exit.goal = exit.row);
    }

    /// All cells.
    pub(super) fn cells(&self) -> u64 {
        self.cells
    }

    /// What a key says; `None` if it is no state's.
    #[inline]
    pub(super) fn read(&self, key: u64) -> Option<Read> {
        let row = key / self.exit_weight;
        let exit = self.exits.get(usize::try_from(row).ok()?)?.as_ref()?;
        let mut rest = key - row * self.exit_weight;
        let (mut lying, mut standing, mut standing_in) = (0, 0, 0);
        let mut all = exit.empty;
        for group in &self.groups {
            let group = &group[(rest % VALUES) as usize];
            rest /= VALUES;
            lying |= group.lying;
            standing |= group.standing;
            standing_in += group.standing_in;
            all = all.and(group.all);
        }
        let empty = (self.cells & !(lying | standing)).count_ones();
        let numbered = |part: u32| self.numbered[part as usize] != NONE;
        let is_state = (self.least_empty..=self.most_empty).contains(&empty)
            && lying & exit.row != 0
            && self.standing_in.is_none_or(|own| own == standing_in)
            && (numbered(all.part) || numbered(all.image_part));
        is_state.then_some(Read {
            lying,
            standing,
            goal: exit.goal,
            image: all.image,
            part: all.part,
            image_part: all.image_part,
        })
    }

    /// Shows that what is said of a board with one car is the sum of what its exit and the car
    /// add, for all of both, and what is said of some cells, for all that they hold.
    ///
    /// # Errors
    /// One line that names a board if it is not so.
    pub(super) fn adds_up(&self, instance: &Instance, rules: &Rules) -> Result<(), String> {
        for (row, exit) in self.exits.iter().enumerate() {
            let Some(exit) = exit else { continue };
            if exit.empty.key != row as u64 * self.exit_weight {
                return Err(format!("row {}: the exit has another key", row + 1));
            }
            for (kind, cars) in KINDS.iter().zip(&self.cars) {
                for (cell, car) in cars.iter().enumerate() {
                    let board = board_with(instance, row, &[(cell, *kind)]);
                    if said(instance, rules, &board) != exit.empty.and(*car) {
                        return Err(format!("{}: is not what its car adds", board.draw()));
                    }
                }
            }
        }
        for (nth, group) in self.groups.iter().enumerate() {
            let weight = 3_u64.pow((CELLS * nth) as u32);
            for (value, group) in (0..).zip(group) {
                let board = rules.state(value * weight);
                if *group != self.held(&board) || group.all.key != value * weight {
                    return Err(format!("{}: is not what its cars add", board.draw()));
                }
            }
        }
        Ok(())
    }

    /// Shows, on each exit with one car and with two, that a board is solved exactly if one
    /// of the cells of the goal holds a car that lies.
    ///
    /// # Errors
    /// One line that names a board if it is not so.
    pub(super) fn is_solved_by_one_car(&self, instance: &Instance) -> Result<(), String> {
        let cars = (0..instance.cells()).flat_map(|cell| KINDS.map(|kind| (cell, kind)));
        let cars: Vec<(usize, Cell)> = cars.collect();
        for (row, exit) in self.exits.iter().enumerate() {
            let Some(exit) = exit else { continue };
            let at_goal =
                |&(cell, kind): &(usize, Cell)| kind == Cell::Lying && exit.goal >> cell & 1 == 1;
            for &one in &cars {
                for &other in cars.iter().filter(|other| other.0 >= one.0) {
                    // On one cell the second car takes the place of the first.
                    let solved = at_goal(&other) || one.0 != other.0 && at_goal(&one);
                    let board = board_with(instance, row, &[one, other]);
                    if rules::is_solved(&board) != solved {
                        return Err(format!("{}: is or is not solved, other", board.draw()));
                    }
                }
            }
        }
        Ok(())
    }

    /// Shows that the image of an image is the board again: of every exit, and of every car,
    /// whose kind stays what it is. Returns, by kind, the cell that each cell is taken to.
    ///
    /// # Errors
    /// One line that names what is not its image's image.
    pub(super) fn is_its_own_inverse(&self) -> Result<[Vec<usize>; KINDS.len()], String> {
        for exit in self.exits.iter().flatten() {
            let row = exit.empty.image / self.exit_weight;
            let image = self.exits.get(row as usize).and_then(Option::as_ref);
            if !image.is_some_and(|image| are_images(&image.empty, &exit.empty)) {
                return Err("an exit is not the image of its image".into());
            }
        }
        let mut images = [Vec::new(), Vec::new()];
        for (cars, images) in self.cars.iter().zip(&mut images) {
            for (cell, car) in cars.iter().enumerate() {
                let image = cars.iter().position(|image| are_images(image, car));
                let why = || format!("cell {cell}: a car is not the image of its image");
                images.push(image.ok_or_else(why)?);
            }
        }
        Ok(images)
    }
}

/// Whether what is said of one is said of the image of the other, and the other way round.
fn are_images(image: &Car, own: &Car) -> bool {
    (image.key, image.part) == (own.image, own.image_part)
        && (own.key, own.part) == (image.image, image.image_part)
}

fn exit_by_the_rulebook(instance: &Instance, rules: &Rules, exit: usize) -> Exit {
    let row = (0..instance.columns).map(|column| exit * instance.columns + column);
    let alone = |cell: &usize| {
        let board = board_with(instance, exit, &[(*cell, Cell::Lying)]);
        rules::is_solved(&board)
    };
    let set = |cells: Vec<usize>| cells.iter().fold(0, |set, cell| set | 1 << cell);
    Exit {
        row: set(row.collect()),
        goal: set((0..instance.cells()).filter(alone).collect()),
        empty: said(instance, rules, &board_with(instance, exit, &[])),
    }
}

/// The numbers of the rulebook's parts, by their places.
fn numbered(instance: &Instance, rules: &Rules) -> Vec<u32> {
    let (all, weights) = part_weights(instance);
    let mut numbered = vec![NONE; instance.exits.len() * all as usize];
    for part in 0..rules.part_count() {
        let Some((exit, lying)) = rules.numbers.lying_of(part) else {
            continue;
        };
        let Some(exit) = instance.exits.iter().position(|&own| own == exit) else {
            continue;
        };
        let lying = weights
            .iter()
            .zip(lying)
            .map(|(weight, &cars)| weight * u32::from(cars));
        numbered[exit * all as usize + lying.sum::<u32>() as usize] = part as u32;
    }
    numbered
}
