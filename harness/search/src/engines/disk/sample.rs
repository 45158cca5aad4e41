//! Compares every level with the rulebook, on a sample. It picks some states of each level. Once
//! the next level is there, their neighbours on the rulebook must all be in known levels. The
//! nearest must be in the level before (if moves can be undone, or the search goes against them). A
//! state that is missing, or that the fast rules invented, is detected wherever it is in such a
//! neighbourhood.

use antipode_graph::{Capabilities, Expansion};
use puzzle_api::{Direction, Key};

use super::folder::DiskLevel;
use super::segment;
use super::walk::Walk;
use crate::error::Result;
use crate::outcome::Sampled;
use crate::reconstruct_path::rising;

/// Number of states picked from each level.
pub(super) const PICKED: usize = 32;

/// Picked states of the current level, with their neighbours on the rulebook.
pub(super) struct SampledStates<K> {
    states: Vec<K>,
    out: Expansion<K>,
    /// The neighbours, sorted, each with the nearest level that holds it, among the levels made so
    /// far.
    wanted: Vec<K>,
    at: Vec<Option<u16>>,
    /// Whether they are neighbours against the direction of the search.
    turned: bool,
}

impl<K: Key> Walk<'_, K> {
    /// Looks up the neighbours of the picked states of the current level in it and in earlier
    /// levels, before any of them is dropped. Does nothing without a rulebook, or if the level
    /// before was dropped by a run that was then interrupted.
    pub(super) fn look_around(&self, picked: &[K]) -> Result<Option<SampledStates<K>>> {
        let Some(rules) = &self.search.rules else {
            return Ok(None);
        };
        let depth = self.depth();
        let undirected = self.search.graph.has(Capabilities::UNDIRECTED);
        let is_there = |depth: u16| self.window.iter().any(|level| level.depth == depth);
        if undirected && depth.checked_sub(1).is_some_and(|before| !is_there(before)) {
            return Ok(None);
        }
        // A rulebook without predecessors can still give the distances of a state's successors, as
        // long as all levels are there.
        let turned =
            self.search.direction == Direction::Backward && !rules.has(Capabilities::PREDECESSORS);
        if turned && rules.has(Capabilities::LAYERED) {
            return Ok(None);
        }
        let direction = match turned {
            true => Direction::Forward,
            false => self.search.direction,
        };
        let states = self.share(picked);
        let mut out = Expansion::default();
        rules.expand(direction, &states, &mut out)?;
        if self.search.symmetry {
            rules.canonical(out.keys_mut(), None)?;
        }
        // All neighbours that any process requests.
        let wanted = rising(&self.all_keys(out.keys().to_vec())?.concat());
        let known = self
            .window
            .iter()
            .filter(|level| self.comes_up(level.depth));
        let known: Vec<&DiskLevel> = known.collect();
        let held = self.held_by_all(&known, &wanted)?;
        let nearest = |place: usize| {
            let found = known.iter().zip(&held).find(|(_, held)| held[place]);
            found.map(|(level, _)| level.depth)
        };
        Ok(Some(SampledStates {
            at: (0..wanted.len()).map(nearest).collect(),
            wanted,
            states,
            out,
            turned,
        }))
    }

    /// Compares the picked states of the current level with the levels around it, including the new
    /// one.
    pub(super) fn compare_sample(
        &self,
        around: SampledStates<K>,
        new: &DiskLevel,
    ) -> Result<Sampled> {
        let mut sampled = Sampled::default();
        let Some(rules) = &self.search.rules else {
            return Ok(sampled);
        };
        let SampledStates {
            states,
            out,
            wanted,
            at,
            turned,
        } = around;
        let depth = new.depth - 1;
        let held = self.held_by_all(&[new], &wanted)?;
        let at = |key: &K| -> Option<u16> {
            let place = wanted.binary_search(key).ok()?;
            at[place].or_else(|| held[0][place].then_some(new.depth))
        };
        sampled.levels = 1;
        sampled.states = states.len() as u64;
        sampled.neighbours = out.keys().len() as u64;
        let undirected = self.search.graph.has(Capabilities::UNDIRECTED);
        for (i, &state) in states.iter().enumerate() {
            let found: Vec<Option<u16>> = out.of(i).iter().map(at).collect();
            let nearest = found.iter().flatten().min().copied();
            let before = depth.checked_sub(1);
            let lost = found.iter().position(Option::is_none).filter(|_| !turned);
            // If moves can be undone, one neighbour is the state from which it was found.
            let misplaced = (undirected || turned) && before.is_some() && nearest != before;
            let fault = match lost {
                Some(lost) => format!(
                    "{} of level {depth}: its neighbour {} on the rulebook is in no level up to {}",
                    rules.draw(state)?,
                    rules.draw(out.of(i)[lost])?,
                    new.depth
                ),
                None if misplaced => format!(
                    "{} of level {depth}: the nearest of its neighbours on the rulebook {}",
                    rules.draw(state)?,
                    match nearest {
                        Some(nearest) => format!("is in level {nearest}"),
                        None => "is in none of the levels before".to_owned(),
                    }
                ),
                None => continue,
            };
            sampled.wrong += 1;
            sampled.faults.push(fault);
        }
        let (levels, mut all) = (sampled.levels, Sampled::default());
        for sampled in self.all_of(sampled)? {
            all.add(sampled);
        }
        Ok(Sampled { levels, ..all })
    }

    /// Those of the picked states that this process checks: the rulebook is slow, and one check is
    /// enough.
    fn share(&self, states: &[K]) -> Vec<K> {
        let (index, count) = self.peers.map_or((0, 1), |p| (p.index(), p.count()));
        let own = states.iter().skip(index).step_by(count);
        own.copied().collect()
    }

    /// Those of some sorted keys that some levels hold, wherever these are kept.
    fn held_by_all(&self, levels: &[&DiskLevel], wanted: &[K]) -> Result<Vec<Vec<bool>>> {
        let held = levels.iter().map(|level| self.held(level, wanted));
        let held: Vec<Vec<bool>> = held.collect::<Result<_, _>>()?;
        Ok(held_by_any(self.all_of(held)?))
    }

    /// Those of some sorted keys that a level holds.
    fn held(&self, level: &DiskLevel, wanted: &[K]) -> Result<Vec<bool>> {
        let mut owners = Vec::new();
        self.partitions.of(self.search, wanted, &mut owners)?;
        let mut order: Vec<usize> = (0..wanted.len()).collect();
        // By partition, and sorted within it, as is `wanted`.
        order.sort_by_key(|&i| owners[i]);
        let mut held = vec![false; wanted.len()];
        let mut bytes = Vec::new();
        for group in order.chunk_by(|&a, &b| owners[a] == owners[b]) {
            let run = level.read(owners[group[0]] as usize, &mut bytes)?;
            let mut keys = segment::keys::<K>(&run, &bytes).peekable();
            for &i in group {
                while keys.next_if(|&key| key < wanted[i]).is_some() {}
                held[i] = keys.peek() == Some(&wanted[i]);
            }
        }
        Ok(held)
    }
}

/// The states that some levels hold on at least one process, out of given ones.
fn held_by_any(all: Vec<Vec<Vec<bool>>>) -> Vec<Vec<bool>> {
    let mut all = all.into_iter();
    let mut held = all.next().unwrap_or_default();
    for more in all {
        for (held, more) in held.iter_mut().zip(more) {
            for (held, more) in held.iter_mut().zip(more) {
                *held |= more;
            }
        }
    }
    held
}
