//! Counts where the moves out of each level lead: not a search, but a second pass over every
//! state that a run has found.

use std::collections::BTreeMap;

use antipode_graph::{Capabilities, Expansion, Graph, Library};
use antipode_reports::model::LevelMoves;
use antipode_search::digest::hash_key;
use antipode_search::engines::{self, BATCH, EngineError, Roots, Search};
use antipode_search::observers::Distance;
use antipode_search::reconstruct_path::rising;
use foldhash::{HashMap, HashMapExt, HashSet};
use puzzle_api::{Direction, Key, UNSOLVABLE};

use super::Request;
use super::plan::AnalysisPlan;
use crate::verify::ConsistencyScope;

/// Number of buckets of the uniform hash that locality is compared with (Dogon's example).
const UNIFORM_BUCKETS: u128 = 8192;

/// Whether moves and buckets are counted on the rulebook; a loaded library's own variant
/// is not verified.
#[must_use]
pub fn counts_by_rules(library: &Library) -> bool {
    !library.is_built_in()
}

impl<K: Key> AnalysisPlan<K> {
    /// Counts the moves out of each level of a run. The states found, not their orbits, take some
    /// 50 bytes of memory each.
    pub(super) fn moves(
        &self,
        request: &Request,
        run: &engines::EngineRun<K>,
        met: &[Distance<K>],
    ) -> Result<Vec<LevelMoves>, EngineError> {
        let (search, rules) = (&self.search, self.rules.graph());
        let states = with_images(search, met)?;
        let all_checked = match request.checks.consistency {
            ConsistencyScope::Fitting { states: most } => states.len() as u64 <= most,
            ConsistencyScope::Off | ConsistencyScope::Parts { .. } => false,
            ConsistencyScope::All => true,
        };
        let by_rules = counts_by_rules(&request.library);
        let last = search.max_depth.filter(|_| self.limited(run));
        let is_whole = run.complete() && last.is_none();
        let counted = MoveCounter {
            // What a verdict rests on is counted on the rulebook, as far as all of it is checked.
            moves: match by_rules || all_checked {
                true => rules,
                false => &search.graph,
            },
            buckets: match by_rules {
                true => rules,
                false => &search.graph,
            },
            last,
            tells_unsolvable: is_whole
                && search.direction == Direction::Backward
                && search.roots == Roots::Solved,
        };
        counted.tallies(&states)
    }
}

/// The states of a search that can be solved or reached, with all their images.
fn with_images<K: Key>(
    search: &Search<K>,
    met: &[Distance<K>],
) -> Result<Vec<(K, u16)>, EngineError> {
    let states = met.iter().filter(|state| state.depth != UNSOLVABLE);
    if !search.symmetry {
        return Ok(states.map(|state| (state.key, state.depth)).collect());
    }
    let mut all = Vec::new();
    for state in states {
        let images = rising(&search.graph.images(state.key)?);
        all.extend(images.into_iter().map(|key| (key, state.depth)));
    }
    Ok(all)
}

/// How the moves out of some states are counted.
struct MoveCounter<'a, K> {
    /// Where the moves lead.
    moves: &'a Graph<K>,
    /// The graph that defines the buckets.
    buckets: &'a Graph<K>,
    /// The last requested level, whose neighbours were not searched.
    last: Option<u16>,
    /// Whether every solvable state was met, so that any other state is unsolvable.
    tells_unsolvable: bool,
}

/// Some states of a level.
struct LevelSlice<'a, K> {
    depth: u16,
    keys: &'a [K],
    /// Their buckets; empty if the puzzle has none.
    buckets: &'a [u64],
}

impl<K: Key> MoveCounter<'_, K> {
    /// Processes the moves of all states except those of the last level.
    fn tallies(&self, states: &[(K, u16)]) -> Result<Vec<LevelMoves>, EngineError> {
        let mut depths: HashMap<K, u16> = HashMap::with_capacity(states.len());
        let mut levels: BTreeMap<u16, Vec<K>> = BTreeMap::new();
        for &(key, depth) in states {
            depths.insert(key, depth);
            levels.entry(depth).or_default().push(key);
        }
        let mut tallies = Vec::new();
        for (depth, keys) in levels {
            let mut tally = LevelMoves {
                states: keys.len() as u64,
                ..LevelMoves::default()
            };
            let mut buckets: HashSet<u64> = HashSet::default();
            for keys in keys.chunks(BATCH) {
                let own = match self.buckets.has(Capabilities::BUCKET) {
                    true => self.buckets.bucket(keys)?,
                    false => Vec::new(),
                };
                buckets.extend(&own);
                if self.last != Some(depth) {
                    let from = LevelSlice {
                        depth,
                        keys,
                        buckets: &own,
                    };
                    self.count(&from, &depths, &mut tally)?;
                }
            }
            tally.buckets = buckets.len() as u64;
            tallies.push(tally);
        }
        Ok(tallies)
    }

    fn count(
        &self,
        from: &LevelSlice<'_, K>,
        depths: &HashMap<K, u16>,
        tally: &mut LevelMoves,
    ) -> Result<(), EngineError> {
        let mut out = Expansion::default();
        self.moves.expand(Direction::Forward, from.keys, &mut out)?;
        let buckets = match from.buckets.is_empty() {
            true => Vec::new(),
            false => self.buckets.bucket(out.keys())?,
        };
        let mut at = 0;
        for (i, &key) in from.keys.iter().enumerate() {
            let own = uniform(key);
            let successors = out.of(i);
            let of_successors = buckets.get(at..at + successors.len()).unwrap_or_default();
            at += successors.len();
            for (nth, &next) in successors.iter().enumerate() {
                // A move that changes nothing may or may not be listed, and any move may be listed
                // twice.
                if next == key || successors[..nth].contains(&next) {
                    continue;
                }
                tally.moves += 1;
                tally.kept_by_hash += u64::from(uniform(next) == own);
                if let (Some(own), Some(bucket)) = (from.buckets.get(i), of_successors.get(nth)) {
                    tally.kept += u64::from(own == bucket);
                }
                match depths.get(&next) {
                    Some(&depth) if depth <= from.depth => {
                        tally.known += 1;
                        tally.back = tally.back.max(u64::from(from.depth - depth));
                    }
                    Some(_) => {}
                    None => tally.to_unsolvable += u64::from(self.tells_unsolvable),
                }
            }
        }
        Ok(())
    }
}

/// Bucket of a key by a uniform hash.
fn uniform<K: Key>(key: K) -> u128 {
    let hash = hash_key(key.to_u128()) as u64;
    (u128::from(hash) * UNIFORM_BUCKETS) >> 64
}
