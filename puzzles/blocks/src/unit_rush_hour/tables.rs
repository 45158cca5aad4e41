//! The rulebook of a census as tables, to prove its parts (`puzzle_api::proof`): the cell ahead of
//! each car, and what each car adds to the key of a board and of its mirror image.
//!
//! The rulebook steps a car if the cell ahead is empty, whatever else is on the board
//! ([`crate::rules::step`]). Nothing of the fast variant is used.

mod read;
mod steps;

use puzzle_api::proof::{CensusTables, TableProof, agrees};
use puzzle_api::{BadInput, Numbering, Puzzle, Request, Symmetry};

use crate::metric::Metric;
use crate::unit_rush_hour::board::{Board, Cell};
use crate::unit_rush_hour::instances::{self, Instance};
use crate::unit_rush_hour::rules::Rules;
use read::{NONE, Read, Reader};
use steps::Steps;

/// States of a census from which on it is proven by tables: what is less is looked at on the
/// rulebook itself in less time than it takes to compare tables with it.
const MANY: u64 = 20_000;

/// Kinds of cars, in the order of all tables.
const KINDS: [Cell; 2] = [Cell::Lying, Cell::Standing];

/// The rulebook of an instance as tables.
pub struct CarTables {
    instance: Instance,
    rules: Rules,
    reader: Reader,
    steps: Steps,
    /// Whether a board has a mirror image.
    mirror: bool,
}

impl std::fmt::Debug for CarTables {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CarTables")
            .field("instance", &self.instance)
            .field("steps", &self.steps)
            .finish_non_exhaustive()
    }
}

/// The proof of the parts of a census by these tables, some milliseconds; `None` for a board,
/// and for a census of few states.
///
/// # Errors
/// [`BadInput`] as the variants say it.
pub fn proof(request: &Request<'_>) -> Result<Option<TableProof<CarTables>>, BadInput> {
    let instance = instances::open(request)?;
    if instance.start.is_some() || states(&instance) < MANY {
        return Ok(None);
    }
    Ok(Some(TableProof::new(CarTables::open(request)?)))
}

/// A board of an instance with these cars alone, whether it is a state or not.
fn board_with(instance: &Instance, exit: usize, cars: &[(usize, Cell)]) -> Board {
    let mut cells = vec![Cell::Empty; instance.cells()];
    cars.iter().for_each(|&(cell, car)| cells[cell] = car);
    Board {
        rows: instance.rows,
        columns: instance.columns,
        exit,
        cells,
    }
}

impl CarTables {
    /// The tables of an instance, some milliseconds.
    ///
    /// # Errors
    /// [`BadInput`] as the variants say it.
    pub fn open(request: &Request<'_>) -> Result<Self, BadInput> {
        let (instance, rules) = (instances::open(request)?, Rules::open(request)?);
        Ok(Self {
            reader: Reader::by_the_rulebook(&instance, &rules),
            steps: Steps::by_the_rulebook(&instance),
            mirror: rules.symmetry_count() > 1,
            instance,
            rules,
        })
    }

    /// Goes through the moves of a board: of which kind the car is, where it stands, and where
    /// it goes.
    #[inline]
    fn for_each_move(&self, read: &Read, mut emit: impl FnMut(usize, usize, usize)) {
        let mut empty = self.reader.cells() & !(read.lying | read.standing);
        while empty != 0 {
            let to = empty.trailing_zeros() as usize;
            empty &= empty - 1;
            for (way, cars) in [read.lying, read.lying, read.standing, read.standing]
                .into_iter()
                .enumerate()
            {
                let mut from = self.steps.into[to][way];
                while let Some(cell) = from {
                    if cars >> cell & 1 == 1 {
                        emit(way / 2, cell.into(), to);
                        break;
                    }
                    // In steps the car has to be on the next cell; else it comes over empty ones.
                    let taken = (read.lying | read.standing) >> cell & 1 == 1;
                    if taken || self.instance.metric == Metric::Step {
                        break;
                    }
                    from = self.steps.into[usize::from(cell)][way];
                }
            }
        }
    }

    /// Whether the rulebook takes one image before another: the one whose part is numbered, and
    /// then the one of the smaller key.
    #[inline]
    fn is_before(&self, (key, part): (u64, u32), (image, image_part): (u64, u32)) -> bool {
        let unnumbered = |part: u32| self.reader.numbered[part as usize] == NONE;
        match (unnumbered(part), unnumbered(image_part)) {
            (true, false) => false,
            (false, true) => true,
            _ => key <= image,
        }
    }
}

impl CensusTables for CarTables {
    fn foundation(&self) -> Result<String, String> {
        self.reader.adds_up(&self.instance, &self.rules)?;
        self.reader.is_solved_by_one_car(&self.instance)?;
        self.steps.are_the_same_both_ways()?;
        if self.mirror {
            let images = self.reader.is_its_own_inverse()?;
            self.steps.lead_to_steps(&images)?;
        }
        let turned = match self.mirror {
            true => "the mirror image found to lead from steps to steps, ",
            false => "",
        };
        Ok(format!(
            "the rulebook steps a car if the cell ahead is empty, and the cells ahead of both kinds \
             on all cells were taken from it, {turned}with what each car adds to the keys of a \
             board and of its image"
        ))
    }

    fn states(&self) -> u64 {
        states(&self.instance)
    }

    fn space(&self, part: u64) -> Option<u64> {
        self.rules.space(part)
    }

    fn symmetry_count(&self) -> usize {
        1 + usize::from(self.mirror)
    }

    fn images(&self, keys: &[u64], out: &mut Vec<u64>) {
        for &key in keys {
            let read = self.reader.read(key);
            out.push(if read.is_some() { key } else { !key });
            if self.mirror {
                out.push(read.map_or(!key, |read| read.image));
            }
        }
    }

    fn representative(&self, images: &[u64]) -> u64 {
        let part = |key: u64| self.reader.read(key).map_or(0, |read| read.part);
        match *images {
            [key, image] if !self.is_before((key, part(key)), (image, part(image))) => image,
            _ => images[0],
        }
    }

    /// Moves a board and its image at once.
    fn successor_orbits(&self, keys: &[u64], out: &mut Vec<u64>, ends: &mut Vec<usize>) {
        for &key in keys {
            if let Some(read) = self.reader.read(key) {
                self.for_each_move(&read, |kind, from, to| {
                    let cars = &self.reader.cars[kind];
                    let (from, to) = (&cars[from], &cars[to]);
                    let next = (key - from.key + to.key, read.part - from.part + to.part);
                    let image = (
                        read.image - from.image + to.image,
                        read.image_part - from.image_part + to.image_part,
                    );
                    let first = !self.mirror || self.is_before(next, image);
                    out.push(if first { next.0 } else { image.0 });
                });
            }
            ends.push(out.len());
        }
    }

    fn is_solved(&self, key: u64) -> bool {
        let read = self.reader.read(key);
        read.is_some_and(|read| read.lying & read.goal != 0)
    }

    fn is_ranked(&self, part: u64, key: u64) -> bool {
        let read = self.reader.read(key);
        read.is_some_and(|read| u64::from(self.reader.numbered[read.part as usize]) == part)
    }

    fn holds(&self, key: u64) -> Result<(), String> {
        agrees(self, &self.rules, key)
    }
}

/// States of a census: ways to put cars on all cells but the empty ones, without those that have
/// no car that lies in the row of the exit.
fn states(instance: &Instance) -> u64 {
    let cells = instance.cells() as u64;
    let columns = instance.columns as u64;
    let of_exit = instance.empty.clone().map(|empty| {
        let empty = empty as u64;
        let all = ways(cells, empty) << (cells - empty);
        // The number of empty cells in the row of the exit, and the cars on its other cells.
        let fewest = (empty + columns).saturating_sub(cells);
        let without = (fewest..=empty.min(columns)).map(|own| {
            let others = cells - columns;
            let choices = ways(columns, own) * ways(others, empty - own);
            choices << (others - (empty - own))
        });
        all - without.sum::<u64>()
    });
    of_exit.sum::<u64>() * instance.exits.len() as u64
}

/// Ways to choose some of n.
fn ways(many: u64, some: u64) -> u64 {
    (0..some).fold(1, |ways, k| ways * (many - k) / (k + 1))
}

#[cfg(test)]
mod tests;
