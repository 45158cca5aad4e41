//! Ascents: walks on the rules away from the roots of a run, each move one further, to a state from
//! which no move leads further. They follow random shortest paths to great depths, which are rare
//! in a sample of all states.

use puzzle_api::{Direction, Key, Xorshift};

use super::inclusion::{DrawnDistances, parts_of};
use super::oracle::Oracle;
use super::part::PartRules;
use super::playouts::{starts, steps};
use antipode_graph::{Expansion, Graph, PluginError};
use antipode_search::engines::EngineError;
use antipode_search::parallel;
use antipode_search::reconstruct_path::rising;

/// Walks in progress at once.
const ROUND: u64 = 32;
/// States that the searches of the walks of a run may see together.
const BUDGET: u64 = 5_000_000;
/// Number of walks of a run, and of states on their paths that is enough.
const WALKS: u64 = 2000;
const MOST: usize = 10_000;
/// The longest walk.
const LONGEST: u16 = 4096;

/// Where to walk, and from where.
pub(crate) struct Ascents<'a, K> {
    /// Measures the distance of a state.
    pub(crate) oracle: &'a Oracle<K>,
    /// The graph to walk on.
    pub(crate) graph: &'a Graph<K>,
    /// Along or against its moves.
    pub(crate) way: Direction,
    /// Roots, by part; none of them empty.
    pub(crate) starts: &'a [Vec<K>],
    /// No walk goes further.
    pub(crate) limit: Option<u16>,
    /// States that the searches of all walks may see together.
    pub(crate) budget: u64,
    /// Seed of all that is chosen.
    pub(crate) seed: u64,
}

/// Results of walks.
#[derive(Debug, Clone)]
pub(crate) struct Ascended<K> {
    /// The states on the paths, with their distances; some more than once.
    pub(crate) states: Vec<(K, u16)>,
    /// Walks to a state from which no move leads further.
    pub(crate) walks: u64,
    /// Walks that reached distances too costly to compute.
    pub(crate) lost: u64,
    /// The greatest distance met.
    pub(crate) deepest: u16,
}

/// Walks away from the roots of a run; returns part, key and distance of every state passed, and a
/// description. Empty if no walk is possible.
pub(crate) fn ascents<K: Key>(
    against: &PartRules<'_, K>,
    oracle: &Oracle<K>,
    seed: u64,
) -> Result<Option<(DrawnDistances<K>, String)>, EngineError> {
    let Some((graph, way)) = steps(against) else {
        return Ok(None);
    };
    let starts = starts(against, seed)?;
    if starts.is_empty() {
        return Ok(None);
    }
    let walks = Ascents {
        oracle,
        graph,
        way,
        starts: &starts,
        limit: against.search.max_depth,
        budget: BUDGET,
        seed,
    };
    let found = walks.walk(WALKS, MOST)?;
    let (mut keys, depths): (Vec<K>, Vec<u16>) = found.states.iter().copied().unzip();
    against.reduce(&mut keys)?;
    let parts = parts_of(against, &keys)?;
    let known = parts.into_iter().zip(keys).zip(depths);
    let known: DrawnDistances<K> = known
        .map(|((part, key), depth)| (part, key, depth))
        .collect();
    Ok((!known.is_empty()).then(|| (known, found.text(oracle.way()))))
}

impl<K> Ascended<K> {
    fn text(&self, way: &str) -> String {
        let mut text = format!(
            "{} walks away from the roots, each move one further, to where none leads further, the longest of {} moves: every state on the way, {way} must be met once and at its distance. They are not drawn uniformly, so there is no bound.",
            self.walks + self.lost,
            self.deepest
        );
        if self.lost > 0 {
            text.push_str(&format!(
                " {} of them ended where a distance takes too many states to find.",
                self.lost
            ));
        }
        text
    }
}

/// One walk.
struct Walked<K> {
    states: Vec<(K, u16)>,
    lost: bool,
    seen: u64,
}

impl<K: Key> Ascents<'_, K> {
    /// Walks up to `count` times; fewer if distances are costly, or `most` states were met.
    pub(crate) fn walk(&self, count: u64, most: usize) -> Result<Ascended<K>, PluginError> {
        let mut all = Ascended {
            states: Vec::new(),
            walks: 0,
            lost: 0,
            deepest: 0,
        };
        let mut seen = 0;
        for first in (0..count).step_by(ROUND as usize) {
            if seen > self.budget || all.states.len() >= most {
                break;
            }
            let round = first..count.min(first + ROUND);
            for walk in parallel::try_map(round, |index| self.one(index))? {
                seen += walk.seen;
                all.walks += u64::from(!walk.lost);
                all.lost += u64::from(walk.lost);
                let top = walk.states.last().map_or(0, |(_, depth)| *depth);
                all.deepest = all.deepest.max(top);
                all.states.extend(walk.states);
            }
        }
        Ok(all)
    }

    fn one(&self, index: u64) -> Result<Walked<K>, PluginError> {
        let mut random = Xorshift::for_draw(self.seed ^ 0x6173_6365_6e74, index);
        let roots = &self.starts[random.below(self.starts.len() as u64) as usize];
        let mut at = roots[random.below(roots.len() as u64) as usize];
        let mut walked = Walked {
            states: Vec::new(),
            lost: false,
            seen: 0,
        };
        let mut out = Expansion::default();
        'steps: for depth in 1..=self.limit.unwrap_or(LONGEST).min(LONGEST) {
            self.graph.expand(self.way, &[at], &mut out)?;
            let mut near = rising(out.keys());
            let mut unknown = false;
            while !near.is_empty() {
                let key = near.swap_remove(random.below(near.len() as u64) as usize);
                let (distance, seen) = self.oracle.distance(key, Some(depth))?;
                walked.seen += seen;
                unknown |= distance.is_none();
                if walked.seen > self.budget {
                    walked.lost = true;
                    break 'steps;
                }
                if distance == Some(depth) {
                    walked.states.push((key, depth));
                    at = key;
                    continue 'steps;
                }
            }
            walked.lost = unknown;
            break;
        }
        Ok(walked)
    }
}
