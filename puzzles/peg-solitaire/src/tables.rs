//! The rulebook as tables: which jumps there are in each three holes in a row, asked for every
//! content of them, and where each hole goes under each symmetry.
//!
//! A board's jumps are those of its threes, each by itself; nothing of the fast variants is
//! used. It is for checking every position that a search found (`puzzle_api::proof`).

mod alike;

use puzzle_api::proof::{Field, FieldImages, RuleTables, agrees};
use puzzle_api::{BadInput, Puzzle, Request, SolvedStates, Symmetry, Xorshift};

use crate::board::{Board, DIRECTIONS};
use crate::instances::{self, Instance};
use crate::rules::{Position, Rules};
use alike::Alike;

/// Boards on which the tables are held against the rulebook.
const TRIED: u64 = 1000;

/// A jump: what lies in three holes before it, and after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Change {
    holes: u64,
    before: u64,
    after: u64,
}

/// The rulebook of an instance as tables.
#[derive(Debug)]
pub struct JumpTables {
    instance: Instance,
    rules: Rules,
    /// In order.
    changes: Vec<Change>,
    images: FieldImages,
    /// The same changes by their shapes, with their images: made of the two by `put_together`.
    alike: Vec<Alike>,
    /// Holes in which one peg alone is solved.
    lone: u64,
}

impl JumpTables {
    /// The tables of an instance, in less than a millisecond.
    ///
    /// # Errors
    /// [`BadInput`] as the variants say it.
    pub fn open(request: &Request<'_>) -> Result<Self, BadInput> {
        let (instance, rules) = (instances::open(request)?, Rules::open(request)?);
        let holes: Vec<Field> = (0..instance.board().len() as u32).map(Field::bit).collect();
        let images = FieldImages::by_the_rulebook(&holes, 0, |key| {
            let state = rules.state(key);
            let image = |index| rules.key(&rules.image(&state, index));
            (0..rules.symmetry_count()).map(image).collect()
        });
        let mut lone = 0;
        rules.solved_states(0, &mut |state| lone |= state.key());
        let mut tables = Self {
            changes: changes(instance.board()),
            images,
            alike: Vec::new(),
            lone,
            instance,
            rules,
        };
        tables.put_together();
        Ok(tables)
    }

    fn put_together(&mut self) {
        self.alike = Alike::of(&self.changes, &self.images);
    }

    /// [`RuleTables::successor_orbits`] where a board has so many symmetries.
    fn least<const COUNT: usize>(
        &self,
        keys: &[u64],
        out: &mut Vec<u64>,
        ends: &mut Vec<usize>,
        images: &mut Vec<u64>,
    ) {
        images.clear();
        self.images.images(keys, images);
        let (images, _) = images.as_chunks::<COUNT>();
        for (&key, images) in keys.iter().zip(images) {
            for alike in &self.alike {
                alike.least(key, images, out);
            }
            ends.push(out.len());
        }
    }

    /// That each symmetry leads from jumps to jumps, shown on all of them.
    fn are_symmetric(&self) -> Result<(), String> {
        self.images.leave_nothing_empty()?;
        for symmetry in 0..self.images.count() {
            let image = |key| self.images.image(key, symmetry);
            let after = |change: &Change| Change {
                holes: image(change.holes),
                before: image(change.before),
                after: image(change.after),
            };
            let mut all: Vec<Change> = self.changes.iter().map(after).collect();
            all.sort_unstable();
            if all != self.changes {
                return Err(format!("symmetry {symmetry} leads from jumps to others"));
            }
        }
        Ok(())
    }
}

/// The jumps within each three holes in a row, in order: the rulebook is asked for each of
/// their eight contents on an empty board.
fn changes(board: &Board) -> Vec<Change> {
    let mut changes = Vec::new();
    for first in 0..board.len() {
        // The other two directions have the same threes.
        for direction in &DIRECTIONS[..2] {
            let middle = board.step(first, *direction);
            let last = middle.and_then(|middle| board.step(middle, *direction));
            let (Some(middle), Some(last)) = (middle, last) else {
                continue;
            };
            let place = [first, middle, last].map(|hole| 1_u64 << hole);
            let holes: u64 = place.iter().sum();
            for content in 0..8 {
                let held = (0..3).filter(|at| content >> at & 1 == 1);
                let before: u64 = held.map(|at: usize| place[at]).sum();
                for after in Position::of_key(board, before).successors() {
                    let after = after.key();
                    if (before ^ after) & !holes == 0 {
                        changes.push(Change {
                            holes,
                            before,
                            after,
                        });
                    }
                }
            }
        }
    }
    changes.sort_unstable();
    changes
}

impl RuleTables<u64> for JumpTables {
    fn foundation(&self) -> Result<String, String> {
        self.images.are_a_group()?;
        self.are_symmetric()?;
        for draw in 0..TRIED {
            let mut random = Xorshift::for_draw(1, draw);
            // Few pegs, half of the holes, many pegs.
            let drawn = [(); 2].map(|()| self.instance.random(&mut random));
            let key = match draw % 3 {
                0 => drawn[0] & drawn[1],
                1 => drawn[0] | drawn[1],
                _ => drawn[0],
            };
            agrees(self, &self.rules, key)?;
        }
        // A jump needs two pegs, so that all there are can be made on two pegs alone.
        let holes = self.instance.board().len();
        for (one, other) in (0..holes).flat_map(|one| (0..=one).map(move |other| (one, other))) {
            agrees(self, &self.rules, 1 << one | 1 << other)?;
        }
        agrees(self, &self.rules, 0)?;
        Ok(format!(
            "the jumps of every three holes in a row were taken from the rulebook for all of \
             their contents, each symmetry found to lead from jumps to jumps, and jumps and \
             images of a board to be those of its holes on every board of one or two pegs and on \
             {TRIED} drawn ones"
        ))
    }

    fn undirected(&self) -> bool {
        let undone = |change: &Change| Change {
            before: change.after,
            after: change.before,
            ..*change
        };
        let mut changes = self.changes.iter();
        changes.all(|change| self.changes.binary_search(&undone(change)).is_ok())
    }

    fn symmetry_count(&self) -> usize {
        self.images.count()
    }

    fn images(&self, keys: &[u64], out: &mut Vec<u64>) {
        self.images.images(keys, out);
    }

    fn successors(&self, keys: &[u64], out: &mut Vec<u64>, ends: &mut Vec<usize>) {
        for &key in keys {
            for alike in &self.alike {
                alike.successors(key, out);
            }
            ends.push(out.len());
        }
    }

    fn successor_orbits(
        &self,
        keys: &[u64],
        out: &mut Vec<u64>,
        ends: &mut Vec<usize>,
        images: &mut Vec<u64>,
    ) {
        match self.images.count() {
            1 => self.least::<1>(keys, out, ends, images),
            2 => self.least::<2>(keys, out, ends, images),
            4 => self.least::<4>(keys, out, ends, images),
            8 => self.least::<8>(keys, out, ends, images),
            _ => {
                let from = out.len();
                self.successors(keys, out, ends);
                self.reduce(&mut out[from..], images);
            }
        }
    }

    fn is_solved(&self, key: u64) -> bool {
        key.is_power_of_two() && key & self.lone != 0
    }

    /// No positions have ranks.
    fn is_ranked(&self, _part: u64, _key: u64) -> bool {
        false
    }
}

#[cfg(test)]
mod tests;
