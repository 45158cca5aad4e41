//! The rulebook of a built-in puzzle as tables: what takes the place of the literal one where
//! there are many states, and what it rests on.

use puzzle_api::proof::{Forth, RuleTables};
use puzzle_api::{Direction, Key};

use antipode_graph::{Capabilities, Expansion, PluginError, builtin};
use antipode_search::engines::{EngineError, Search};
use antipode_search::observers::Distance;

use super::part::PartRules;

/// The tables of a run, and what they rest on.
#[derive(Debug)]
pub struct Tables<K> {
    tables: Box<dyn RuleTables<K>>,
    foundation: String,
}

impl<K: Key> Tables<K> {
    /// The tables that a built-in puzzle brings for an instance, held against its rulebook.
    ///
    /// # Errors
    /// [`EngineError`] where what they rest on does not hold.
    pub fn of(search: &Search<K>) -> Result<Option<Self>, EngineError> {
        let opened = &search.graph.opened;
        let refused =
            |why: String| EngineError::CannotHold(format!("{}: {why}", opened.full_name()));
        let tables = builtin::tables::<K>(opened).map_err(|error| refused(error.to_string()))?;
        let Some(tables) = tables else {
            return Ok(None);
        };
        let foundation = tables.foundation().map_err(refused)?;
        Ok(Some(Self { tables, foundation }))
    }

    /// What they rest on, in a sentence.
    #[must_use]
    pub fn foundation(&self) -> &str {
        &self.foundation
    }

    /// The tables as a run sees states: one of each orbit, or each for itself.
    pub(super) fn seen_by(&self, search: &Search<K>) -> OnTables<'_, K> {
        OnTables::new(&*self.tables, search.symmetry)
    }
}

/// Whether a part is one that tables are for: of many states, and the run delivered all states
/// that have ranks, or none have, or it went forward.
///
/// # Errors
/// [`PluginError`] where the puzzle fails.
pub fn are_for<K: Key>(
    against: &PartRules<'_, K>,
    part: u64,
    states: &[Distance<K>],
) -> Result<bool, PluginError> {
    let search = against.search;
    let images: u64 = states.iter().map(|state| u64::from(state.orbit_size)).sum();
    let same_symmetry = against.rules.has(Capabilities::SYMMETRY) || !search.symmetry;
    let backward = search.direction == Direction::Backward;
    let counted = match backward.then(|| against.numbering()).flatten() {
        Some(numbering) => against.whole && numbering.space(part)?.is_some(),
        None => true,
    };
    let library = &search.graph.opened.library;
    Ok(library.is_built_in()
        && same_symmetry
        && counted
        && images >= builtin::tables_pay_from(&search.graph.opened))
}

/// How many states orbits stand for, and how many of them have a rank in the part.
#[derive(Debug, Clone, Copy)]
pub(super) struct Counted {
    pub(super) images: u64,
    pub(super) ranked: u64,
}

impl Counted {
    pub(super) const NOTHING: Self = Self {
        images: 0,
        ranked: 0,
    };

    pub(super) fn and(self, other: Self) -> Self {
        Self {
            images: self.images + other.images,
            ranked: self.ranked + other.ranked,
        }
    }
}

/// Room of [`OnTables::forth`].
#[derive(Debug)]
pub(super) struct ForthRoom<K> {
    solved: Vec<bool>,
    all: Vec<K>,
    ends: Vec<usize>,
    reducing: Vec<K>,
}

impl<K> Default for ForthRoom<K> {
    fn default() -> Self {
        Self {
            solved: Vec::new(),
            all: Vec::new(),
            ends: Vec::new(),
            reducing: Vec::new(),
        }
    }
}

/// Where moves lead by tables, as a run sees states.
#[derive(Debug, Clone, Copy)]
pub(super) struct OnTables<'a, K> {
    pub(super) tables: &'a dyn RuleTables<K>,
    symmetry: bool,
}

impl<'a, K: Key> OnTables<'a, K> {
    /// Tables, and whether one state of each orbit is delivered.
    pub(super) fn new(tables: &'a dyn RuleTables<K>, symmetry: bool) -> Self {
        Self { tables, symmetry }
    }

    /// Images of a state that are listed.
    pub(super) fn count(&self) -> usize {
        match self.symmetry {
            true => self.tables.symmetry_count(),
            false => 1,
        }
    }

    /// Lists the images of each state, the one that is its own first. What is no state is not
    /// its own.
    pub(super) fn images(&self, keys: &[K], out: &mut Vec<K>) {
        out.clear();
        match self.symmetry {
            true => self.tables.images(keys, out),
            false => self.tables.first_images(keys, out),
        }
    }

    /// Replaces states by those that the run delivers; `room` is room.
    pub(super) fn reduce(&self, keys: &mut [K], room: &mut Vec<K>) {
        if self.symmetry {
            self.tables.reduce(keys, room);
        }
    }

    /// Lists where the moves of each state lead, as the run delivers it, and where the list of
    /// each ends; `room` is room.
    pub(super) fn successors(
        &self,
        keys: &[K],
        out: &mut Vec<K>,
        ends: &mut Vec<usize>,
        room: &mut Vec<K>,
    ) {
        out.clear();
        ends.clear();
        match self.symmetry {
            true => self.tables.successor_orbits(keys, out, ends, room),
            false => self.tables.successors(keys, out, ends),
        }
    }

    /// Takes the moves of each state apart, as the run delivers states
    /// ([`RuleTables::forth`]): as the tables tell, else those that lead to a greater key from
    /// those that lead to a smaller one: images of a move lead to the same orbit, and what undoes
    /// it leads back. Gives false where an image of a state is solved and another is not.
    pub(super) fn forth(&self, keys: &[K], out: &mut Forth<K>, room: &mut ForthRoom<K>) -> bool {
        out.clear();
        if self.tables.forth(keys, self.symmetry, out) {
            return true;
        }
        self.images(keys, &mut out.images);
        room.solved.clear();
        self.tables.are_solved(&out.images, &mut room.solved);
        let solved = room.solved.chunks_exact(self.count());
        out.solved
            .extend(solved.clone().map(|of_images| of_images[0]));
        self.successors(keys, &mut room.all, &mut room.ends, &mut room.reducing);
        let mut start = 0;
        for (&key, &end) in keys.iter().zip(&room.ends) {
            let mut back = 0;
            for &next in &room.all[start..end] {
                // Without a branch that no processor could guess.
                out.moves.push(next);
                let kept = out.moves.len() - usize::from(next <= key);
                out.moves.truncate(kept);
                back += u32::from(next < key);
            }
            out.back.push(back);
            // A move within an orbit leads to what was delivered.
            out.across.push(0);
            out.ends.push(out.moves.len());
            start = end;
        }
        let same = |of_images: &[bool]| of_images.iter().all(|one| *one == of_images[0]);
        solved.clone().all(same)
    }

    /// The representative among the images of a state.
    pub(super) fn representative(&self, images: &[K]) -> K {
        match self.symmetry {
            true => self.tables.representative(images),
            false => images[0],
        }
    }

    /// What is wrong with an orbit as one, given all images of its state, and the part in which it
    /// must have a rank, where states are counted by these. What it stands for is added up.
    #[inline]
    pub(super) fn wrong_with_orbit(
        &self,
        state: &Distance<K>,
        images: &[K],
        ranked_in: Option<u64>,
        counted: &mut Counted,
    ) -> Option<&'static str> {
        let again = again(images);
        let size = images.len() / again;
        let ranked = ranked_in.map(|part| self.tables.ranked(part, images) / again);
        counted.images += size as u64;
        counted.ranked += ranked.unwrap_or(0) as u64;
        if images[0] != state.key {
            Some("is no state")
        } else if self.representative(images) != state.key {
            Some("is not the representative of its orbit")
        } else if size as u64 != u64::from(state.orbit_size) {
            Some("counts as another number of states than its orbit has")
        } else if ranked == Some(0) {
            Some("is no state of its part")
        } else {
            None
        }
    }

    /// Where the moves of each state lead, as the run delivers it.
    pub(super) fn expand(&self, keys: &[K], out: &mut Expansion<K>) {
        let (mut all, mut ends) = (Vec::new(), Vec::new());
        self.successors(keys, &mut all, &mut ends, &mut Vec::new());
        out.clear();
        let mut start = 0;
        for end in ends {
            out.push(all[start..end].iter().copied());
            start = end;
        }
    }

    /// How many states some orbits stand for.
    pub(super) fn states(&self, orbits: &[K]) -> u64 {
        let mut images = Vec::new();
        self.images(orbits, &mut images);
        let all = images.chunks_exact(self.count());
        all.map(|images| (images.len() / again(images)) as u64)
            .sum()
    }
}

/// How many of a state's images are the state again: as often as that each image occurs.
pub(super) fn again<K: Key>(images: &[K]) -> usize {
    let same = images.iter().filter(|&&image| image == images[0]).count();
    same.max(1)
}
