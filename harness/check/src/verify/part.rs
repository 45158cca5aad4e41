//! Consistency of a finished part, state by state on the rules (see `consistency`).

use std::collections::HashSet;

use puzzle_api::proof::PartProof;
use puzzle_api::{Direction, Key};

use antipode_graph::{Capabilities, Graph, PluginError};
use antipode_search::engines::{BATCH, EngineError, Roots, Search};
use antipode_search::observers::{ConsistencyTally, Distance};
use antipode_search::parallel;
use antipode_search::progress::Progress;

use super::faults::Faults;
use super::images::Images;
use super::states::PartCheck;

/// Compares the parts of two variants: a missing part, or one too many, is a fault that no state of
/// the others shows. A loaded library may not count parts in only one of them.
///
/// # Errors
/// [`PluginError::Disagree`] if they differ.
pub(crate) fn same_parts<K: Key>(graph: &Graph<K>, rules: &Graph<K>) -> Result<(), PluginError> {
    let (own, all) = (graph.opened.part_count, rules.opened.part_count);
    let both = graph.has(Capabilities::PARTS) && rules.has(Capabilities::PARTS);
    if own != all && (both || !graph.proves(Capabilities::NONE)) {
        let fault = format!(
            "is {own}, and the variant {} has {all}",
            rules.opened.variant
        );
        return Err(graph.opened.disagrees("part_count", fault));
    }
    Ok(())
}

/// The references for the check of a part.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PartRules<'a, K> {
    /// What was searched.
    pub(crate) search: &'a Search<K>,
    /// The reference variant.
    pub(crate) rules: &'a Graph<K>,
    /// Whether the run delivers unsolvable states too; else an undelivered state counts as
    /// unsolvable, and is shown to be so.
    pub(crate) whole: bool,
}

impl<'a, K: Key> PartRules<'a, K> {
    /// Replaces states by the representatives that the run works with, on the rules
    /// if they know symmetry.
    pub(crate) fn reduce(&self, keys: &mut [K]) -> Result<(), PluginError> {
        match (self.search.symmetry, self.rules.has(Capabilities::SYMMETRY)) {
            (false, _) => Ok(()),
            (true, true) => self.rules.canonical(keys, None),
            (true, false) => self.search.graph.canonical(keys, None),
        }
    }

    /// The numbering by which delivered states are counted: the reference's, if it has one with the
    /// same parts.
    pub(crate) fn numbering(&self) -> Option<&'a Graph<K>> {
        let (rules, graph) = (self.rules, &self.search.graph);
        let same_parts = rules.opened.part_count == graph.opened.part_count;
        if rules.has(Capabilities::RANK) && same_parts {
            Some(rules)
        } else {
            let believed = graph.has(Capabilities::RANK) && !self.is_of_a_stranger();
            believed.then_some(graph)
        }
    }

    /// Whether the variant searched is a loaded library's, apart from its rulebook.
    fn is_of_a_stranger(&self) -> bool {
        let opened = &self.search.graph.opened;
        !self.search.graph.proves(Capabilities::NONE) && opened.variant != self.rules.opened.variant
    }

    /// Whether the set of states, or of solved states, is a loaded library's statement apart from
    /// its rulebook.
    fn rests_on_its_word(&self) -> bool {
        let graph = &self.search.graph;
        let lacks = |what| graph.has(what) && !self.rules.has(what);
        let solved = self.search.roots == Roots::Solved && lacks(Capabilities::SOLVED_ROOTS);
        self.is_of_a_stranger() && (solved || lacks(Capabilities::RANK) && self.whole)
    }

    /// The roots of a part, on the rules if they list them.
    pub(super) fn roots(&self, part: u64) -> Result<Vec<K>, PluginError> {
        match self.search.roots {
            Roots::State(key) => Ok(vec![key]),
            Roots::Starts => self.rules.roots(Direction::Forward, part),
            // Finding out whether a puzzle lists its solved states may take as long as listing them.
            Roots::Solved => {
                let mut both = [self.rules, &self.search.graph].into_iter();
                let lists = both.find(|graph| graph.has(Capabilities::SOLVED_ROOTS));
                lists.map_or(Ok(Vec::new()), |graph| {
                    graph.roots(Direction::Backward, part)
                })
            }
        }
    }

    /// States at distance 0 by the puzzle, of a part, as the run delivers them.
    pub(super) fn goals(&self, part: u64) -> Result<Goals<K>, PluginError> {
        let mut listed = self.roots(part)?;
        self.reduce(&mut listed)?;
        let named = match (&self.search.roots, self.search.symmetry) {
            (Roots::Solved, _) => None,
            (_, false) => Some(listed.iter().copied().collect()),
            (_, true) => Some(self.search.graph.images_of(&listed)?.into_iter().collect()),
        };
        Ok(Goals { listed, named })
    }
}

/// States at distance 0.
#[derive(Debug)]
pub(super) struct Goals<K> {
    /// The solved states, as the puzzle lists them.
    pub(super) listed: Vec<K>,
    /// All of the part's states, if the list differs from the solved states by the rules.
    pub(super) named: Option<HashSet<K>>,
}

impl<K: Key> Goals<K> {
    /// Which states are at distance 0, by the rules.
    pub(super) fn among(&self, rules: &Graph<K>, keys: &[K]) -> Result<Vec<bool>, PluginError> {
        match &self.named {
            None => rules.is_solved(keys),
            Some(named) => Ok(keys.iter().map(|key| named.contains(key)).collect()),
        }
    }

    /// States listed at distance 0 that the run did not deliver.
    pub(super) fn missing_from(
        &self,
        delivered: &Images<K>,
        faults: &mut Faults<'_, K>,
    ) -> Result<(), PluginError> {
        let goals = self.listed.iter().copied();
        let missing = goals.filter(|&goal| delivered.get(goal).is_none());
        let rule = "is at distance 0, and the run did not deliver it";
        faults.add_missing(missing.map(|goal| (goal, rule)))
    }
}

/// Checks every state that one part of a run represents by the rules, on all threads of the pool.
/// Returns false when stopped midway.
pub(crate) fn check_part<K: Key>(
    against: &PartRules<'_, K>,
    part: u64,
    states: &[Distance<K>],
    tally: &mut ConsistencyTally,
    progress: &Progress,
) -> Result<bool, EngineError> {
    let check = PartCheck::new(against, part, states)?;
    let mut faults = Faults::new(against.rules);
    faults.add_repeated(&check.images.repeated, states)?;
    let Some(mut seen) = check.states(&mut faults, progress)? else {
        return Ok(false);
    };
    // A part too many holds no valid states, and so may a part that a library invents.
    let read_back = match against.rules.proves(Capabilities::NONE) {
        true => states.len().min(1),
        false => states.len(),
    };
    let read = parallel::try_map(0..read_back, |orbit| check.is_read_back(orbit))?;
    for orbit in (0..read_back).filter(|&orbit| !read[orbit]) {
        faults.add(orbit, states[orbit].key, "is not read back as itself")?;
    }
    if against.search.direction == Direction::Forward {
        check.without_predecessor(&mut faults)?;
    }
    check.goals.missing_from(&check.images, &mut faults)?;
    // A search that is cut off costs no look at every rank, if moves that can be undone close it.
    let ranks_show = against.search.max_depth.is_none() || seen.one_way();
    let numbering = against.numbering().filter(|_| ranks_show);
    let backward = against.search.direction == Direction::Backward;
    if let (Some(numbering), true) = (numbering, backward) {
        if !check.ranks(numbering, &mut faults, progress)? {
            return Ok(false);
        }
        tally.ranked += 1;
    }
    let mut closed = true;
    if backward && !against.whole {
        let left_out = std::mem::take(&mut seen.outside);
        let Some(outside) = check.beyond().follow(left_out, numbering, progress)? else {
            return Ok(false);
        };
        tally.outside += outside.seen;
        closed = outside.closed && !seen.cut;
        faults.add_missing(outside.faults)?;
    }
    let is_left_open = numbering.is_none() && (seen.one_way() || !closed);
    tally.open += u64::from(backward && (is_left_open || against.rests_on_its_word()));
    tally.states += (states.len() + faults.missing.len()) as u64;
    tally.images += check.images.len() as u64;
    faults.close(tally);
    Ok(true)
}

/// Checks every state of one part by the puzzle's own proof.
pub(crate) fn check_part_by<K: Key>(
    proof: &dyn PartProof,
    rules: &Graph<K>,
    part: u64,
    states: &[Distance<K>],
    tally: &mut ConsistencyTally,
) -> Result<(), PluginError> {
    let Some(mut check) = proof.part(part) else {
        return Err(rules
            .opened
            .broken("part_count", format!("part {part} is none of the box")));
    };
    let (mut keys, mut depths, mut sizes) = (Vec::new(), Vec::new(), Vec::new());
    for batch in states.chunks(BATCH) {
        keys.clear();
        depths.clear();
        sizes.clear();
        for state in batch {
            keys.push(state.key.to_u128() as u64);
            depths.push(state.depth);
            sizes.push(state.orbit_size);
        }
        check.take(&keys, &depths, &sizes);
    }
    let proven = check.finish();
    tally.states += proven.orbits;
    tally.images += proven.states;
    tally.parts += 1;
    tally.wrong += proven.wrong;
    tally.wrong_parts += u64::from(proven.wrong > 0);
    for (key, rule) in proven.faults {
        let state = rules.draw(K::from_words(&[key, 0]))?;
        tally.faults.push(format!("{state}: {rule}"));
    }
    Ok(())
}
