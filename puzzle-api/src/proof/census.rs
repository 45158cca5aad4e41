//! Proves the parts of a census by its rulebook as tables: filled by asking the rulebook for
//! every content that a line or place can have, and compared with it on boards.

use std::fmt::Debug;
use std::ops::Range;

use super::{PartCheck, PartProof, PartProven};
use crate::{Puzzle, Symmetry, UNSOLVABLE};

/// States looked at in one go.
const BATCH: usize = 256;
/// One state in this many delivered is compared with the rulebook, and the first of each part.
const EACH: usize = 64;

/// The moves, symmetries and solved states of a census, by tables that were filled from its
/// rulebook. Nothing of a fast variant is used.
pub trait CensusTables: Debug + Send + Sync {
    /// One sentence that says what the tables rest on, after it was checked.
    ///
    /// # Errors
    /// One line that says what does not hold.
    fn foundation(&self) -> Result<String, String>;

    /// How many states all parts hold together, all images counted, by a count that goes
    /// through no parts.
    fn states(&self) -> u64;

    /// How many states have ranks in a part; `None` if there is no such part.
    fn space(&self, part: u64) -> Option<u64>;

    /// Number of symmetries, the identity included; as many as the rulebook has.
    fn symmetry_count(&self) -> usize;

    /// Appends to `out` the images of each key under all symmetries, the identity first. A key
    /// that is no state is not its own first image.
    fn images(&self, keys: &[u64], out: &mut Vec<u64>);

    /// Returns the image that represents the orbit in the rulebook: the one with the smallest
    /// key unless the puzzle says otherwise. There is at least one.
    fn representative(&self, images: &[u64]) -> u64 {
        images[1..]
            .iter()
            .fold(images[0], |least, &image| least.min(image))
    }

    /// Appends to `out` the representatives of the successors of each key, and to `ends`, for
    /// each key, the length of `out` behind its last.
    fn successor_orbits(&self, keys: &[u64], out: &mut Vec<u64>, ends: &mut Vec<usize>);

    /// Whether a state is solved.
    fn is_solved(&self, key: u64) -> bool;

    /// Whether a key is that of a state which the rulebook's numbering counts in a part.
    fn is_ranked(&self, part: u64, key: u64) -> bool;

    /// Compares the tables with the rulebook on one state, by [`agrees`].
    ///
    /// # Errors
    /// One line that says in which they differ.
    fn holds(&self, key: u64) -> Result<(), String>;
}

/// Compares tables with the rulebook on one state: its moves, its images, the representative of
/// its orbit, and whether it is solved.
///
/// # Errors
/// One line that says in which they differ.
pub fn agrees<P: Symmetry + Puzzle<Key = u64>>(
    tables: &dyn CensusTables,
    rules: &P,
    key: u64,
) -> Result<(), String> {
    let state = rules.state(key);
    let images = (0..rules.symmetry_count()).map(|index| rules.key(&rules.image(&state, index)));
    let images: Vec<u64> = images.collect();
    let reduce = |state: &P::State| rules.key(&rules.canonical(state));
    agrees_with(tables, rules, key, &images, reduce)
}

/// [`agrees`], of a rulebook without symmetries: a state is its only image.
///
/// # Errors
/// One line that says in which they differ.
pub fn agrees_by_moves<P: Puzzle<Key = u64>>(
    tables: &dyn CensusTables,
    rules: &P,
    key: u64,
) -> Result<(), String> {
    agrees_with(tables, rules, key, &[key], |state| rules.key(state))
}

fn agrees_with<P: Puzzle<Key = u64>>(
    tables: &dyn CensusTables,
    rules: &P,
    key: u64,
    ruled: &[u64],
    reduce: impl Fn(&P::State) -> u64,
) -> Result<(), String> {
    let state = rules.state(key);
    let mut by_rules = Vec::new();
    rules.successors(&state, &mut |next| by_rules.push(reduce(&next)));
    let (mut moves, mut ends) = (Vec::new(), Vec::new());
    tables.successor_orbits(&[key], &mut moves, &mut ends);
    let representative = reduce(&state);
    for moves in [&mut by_rules, &mut moves] {
        // A move within an orbit changes no distance, and may be listed or not.
        moves.retain(|&next| next != representative);
        moves.sort_unstable();
        moves.dedup();
    }
    let mut images = Vec::new();
    tables.images(&[key], &mut images);
    let what = if images != ruled || tables.symmetry_count() != ruled.len() {
        "has other images"
    } else if tables.representative(&images) != representative {
        "has another representative"
    } else if moves != by_rules || ends.len() != 1 {
        "moves to other boards"
    } else if tables.is_solved(key) != rules.is_solved(&state) {
        "is or is not solved, other"
    } else {
        return Ok(());
    };
    let board = rules.draw(&state);
    Err(format!("{board}: by tables it {what} than by the rulebook"))
}

/// The proof that tables of a census give.
#[derive(Debug)]
pub struct TableProof<T>(T);

impl<T: CensusTables> TableProof<T> {
    /// A proof on these tables.
    #[must_use]
    pub fn new(tables: T) -> Self {
        Self(tables)
    }
}

impl<T: CensusTables> PartProof for TableProof<T> {
    fn foundation(&self) -> Result<String, String> {
        let rests_on = self.0.foundation()?;
        Ok(format!(
            "by the rulebook as tables: {rests_on}; of the states of this run the first of each \
             part and one in {EACH} were looked at on the rulebook itself too, which says the same \
             of their moves, images and goal"
        ))
    }

    fn states(&self) -> u64 {
        self.0.states()
    }

    fn part(&self, part: u64) -> Option<Box<dyn PartCheck + '_>> {
        Some(Box::new(Part {
            tables: &self.0,
            part,
            space: self.0.space(part)?,
            states: Vec::new(),
            keys: Vec::new(),
        }))
    }
}

/// A state as it was delivered.
#[derive(Debug, Clone, Copy)]
struct Delivered {
    key: u64,
    depth: u16,
    orbit_size: u32,
}

/// One part while its states come in.
struct Part<'a, T> {
    tables: &'a T,
    part: u64,
    /// States that have ranks in it.
    space: u64,
    states: Vec<Delivered>,
    /// Keys of the states, ascending, when all are in.
    keys: Vec<u64>,
}

/// Room that is used again from batch to batch.
#[derive(Default)]
struct Room {
    images: Vec<u64>,
    successors: Vec<u64>,
    ends: Vec<usize>,
}

impl<T: CensusTables> Part<'_, T> {
    /// Looks at some of the states; returns how many of those that they stand for have ranks.
    fn batch(&self, states: Range<usize>, room: &mut Room, proven: &mut PartProven) -> u64 {
        let keys = &self.keys[states.clone()];
        room.images.clear();
        room.successors.clear();
        room.ends.clear();
        self.tables.images(keys, &mut room.images);
        let (successors, ends) = (&mut room.successors, &mut room.ends);
        self.tables.successor_orbits(keys, successors, ends);
        let (count, mut start, mut ranked) = (self.tables.symmetry_count(), 0, 0);
        for (nth, state) in self.states[states].iter().enumerate() {
            let own = nth * count..(nth + 1) * count;
            let successors = &room.successors[start..room.ends[nth]];
            start = room.ends[nth];
            let images = &room.images[own];
            let fault = self.of_orbit(state, images, &mut ranked, proven);
            let fault = fault.or_else(|| self.of_moves(state, images, successors));
            if let Some(fault) = fault {
                proven.fault(state.key, fault);
            }
        }
        ranked
    }

    /// What is wrong with an orbit as one.
    fn of_orbit(
        &self,
        state: &Delivered,
        images: &[u64],
        ranked: &mut u64,
        proven: &mut PartProven,
    ) -> Option<&'static str> {
        // Each image occurs as often as the state itself.
        let again = images.iter().filter(|&&image| image == images[0]).count();
        let size = images.len() / again.max(1);
        let is_ranked = |image: &&u64| self.tables.is_ranked(self.part, **image);
        let have_ranks = images.iter().filter(is_ranked).count() / again.max(1);
        proven.states += size as u64;
        *ranked += have_ranks as u64;
        if images[0] != state.key {
            Some("is no state")
        } else if self.tables.representative(images) != state.key {
            Some("is not the representative of its orbit")
        } else if size as u64 != u64::from(state.orbit_size) {
            Some("counts as another number of states than its orbit has")
        } else if have_ranks == 0 {
            Some("is no state of the part that it was delivered in")
        } else {
            None
        }
    }

    /// What is wrong with the distance of a state, given its images and the orbits that its moves
    /// lead to.
    fn of_moves(
        &self,
        state: &Delivered,
        images: &[u64],
        successors: &[u64],
    ) -> Option<&'static str> {
        let mut least = UNSOLVABLE;
        for successor in successors {
            let Ok(at) = self.keys.binary_search(successor) else {
                return Some("moves to a state that was not delivered");
            };
            least = least.min(self.states[at].depth);
        }
        let judged = |&image: &u64| judged(state.depth, self.tables.is_solved(image), least);
        images.iter().find_map(judged)
    }

    /// Compares the tables with the rulebook on some of the states.
    fn hold(&self, proven: &mut PartProven) {
        for &key in self.keys.iter().step_by(EACH) {
            if self.tables.holds(key).is_err() {
                proven.fault(
                    key,
                    "has other moves, images or goal by the tables than by the rulebook",
                );
            }
        }
    }
}

/// What is wrong with a distance, given the least among the successors'.
fn judged(depth: u16, solved: bool, least: u16) -> Option<&'static str> {
    let right = match (solved, least) {
        (true, _) => 0,
        (false, UNSOLVABLE) => UNSOLVABLE,
        (false, least) => least.saturating_add(1),
    };
    match depth {
        depth if depth == right => None,
        0 => Some("is at distance 0, but not solved"),
        _ if solved => Some("is solved, but not at distance 0"),
        UNSOLVABLE => Some("counts as unsolvable, but has a solvable successor"),
        _ if right == UNSOLVABLE => Some("counts as solvable, but no successor is"),
        depth if depth < right => Some("has no successor one closer"),
        _ => Some("has a successor more than one closer"),
    }
}

impl<T: CensusTables> PartCheck for Part<'_, T> {
    fn take(&mut self, keys: &[u64], depths: &[u16], orbit_sizes: &[u32]) {
        let states = keys.iter().zip(depths).zip(orbit_sizes);
        let delivered = |((&key, &depth), &orbit_size)| Delivered {
            key,
            depth,
            orbit_size,
        };
        self.states.extend(states.map(delivered));
    }

    fn finish(mut self: Box<Self>) -> PartProven {
        self.states.sort_unstable_by_key(|state| state.key);
        self.keys = self.states.iter().map(|state| state.key).collect();
        let mut proven = PartProven {
            orbits: self.keys.len() as u64,
            ..PartProven::default()
        };
        for pair in self.keys.windows(2).filter(|pair| pair[0] == pair[1]) {
            proven.fault(pair[0], "was delivered more than once");
        }
        let (mut room, mut ranked) = (Room::default(), 0);
        for start in (0..self.keys.len()).step_by(BATCH) {
            let states = start..self.keys.len().min(start + BATCH);
            ranked += self.batch(states, &mut room, &mut proven);
        }
        if ranked != self.space {
            let first = self.keys.first().copied().unwrap_or(0);
            proven.orbits += self.space.saturating_sub(ranked);
            proven.fault(
                first,
                "is in a part of which more or fewer states were delivered than have ranks",
            );
        }
        if proven.wrong == 0 {
            self.hold(&mut proven);
        }
        proven
    }
}
