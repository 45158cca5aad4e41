//! Playouts: random walks on the rules from the roots of a run. The run must meet the end of a walk
//! of n moves within n moves. So the check is sound on any puzzle, even if a state drawn at random
//! can hardly ever be reached.

use std::collections::BTreeMap;

use puzzle_api::{Direction, Key, Xorshift};

use super::inclusion::{DrawnDistances, parts_of};
use super::part::PartRules;
use antipode_graph::{Capabilities, Expansion, Graph, PluginError};
use antipode_search::engines::{EngineError, Roots};
use antipode_search::parallel;

/// Walks in progress at once.
const BATCH: u64 = 256;
/// The longest walk has 2^9 moves.
const DOUBLINGS: u64 = 9;
/// Parts that walks start in, of a run over many.
const PARTS: usize = 64;
/// Draws of a part before the search for one with roots gives up.
const TRIES: usize = 1024;

/// Ends of playouts, with a description.
#[derive(Debug, Clone)]
pub(crate) struct Playouts<K> {
    /// Part, key and moves of the walk.
    pub(crate) ends: DrawnDistances<K>,
    /// Whether the run must meet each at exactly that distance.
    pub(crate) exact: bool,
    /// How the walks were made, in a sentence.
    pub(crate) text: String,
}

/// Walks `count` times; or says why that is impossible. A walk starts at a root chosen uniformly
/// (of up to 64 parts). Its length is at most a power of two drawn from 1 to 512, and each step
/// goes to a neighbour chosen uniformly. A walk that gets stuck ends there.
pub(crate) fn playouts<K: Key>(
    against: &PartRules<'_, K>,
    seed: u64,
    count: u64,
) -> Result<Result<Playouts<K>, String>, EngineError> {
    let Some((graph, way)) = steps(against) else {
        return Ok(Err(
            "the puzzle lists no predecessors to walk back by".into()
        ));
    };
    let starts = starts(against, seed)?;
    if starts.is_empty() {
        return Ok(Err("no part looked at has a root to walk from".into()));
    }
    let walks = Walks {
        against,
        graph,
        way,
        starts,
        seed,
    };
    let batches = parallel::try_map((0..count).step_by(BATCH as usize), |first| {
        walks.walk(first..count.min(first + BATCH))
    })?;
    let exact = against.rules.has(Capabilities::LAYERED);
    Ok(Ok(Playouts {
        ends: batches.concat(),
        exact,
        text: walks.text(exact),
    }))
}

/// The graph to walk on, the reference's if possible, and which of its moves.
pub(crate) fn steps<'a, K: Key>(against: &PartRules<'a, K>) -> Option<(&'a Graph<K>, Direction)> {
    if against.search.direction == Direction::Forward {
        return Some((against.rules, Direction::Forward));
    }
    [against.rules, &against.search.graph]
        .into_iter()
        .find_map(|graph| {
            if graph.has(Capabilities::PREDECESSORS) {
                Some((graph, Direction::Backward))
            } else {
                let both = graph.has(Capabilities::UNDIRECTED);
                both.then_some((graph, Direction::Forward))
            }
        })
}

/// Roots to start at, by part.
pub(crate) fn starts<K: Key>(
    against: &PartRules<'_, K>,
    seed: u64,
) -> Result<Vec<Vec<K>>, PluginError> {
    let count = match against.search.roots {
        Roots::Solved => against.search.graph.opened.part_count,
        _ => 1,
    };
    let mut random = Xorshift::for_draw(seed, 0x706c_6179);
    let mut found: BTreeMap<u64, Vec<K>> = BTreeMap::new();
    let all = count <= PARTS as u64;
    let tries = if all { count as usize } else { TRIES };
    for nth in 0..tries {
        let part = if all { nth as u64 } else { random.below(count) };
        if found.len() == PARTS || found.contains_key(&part) {
            continue;
        }
        let roots = against.roots(part)?;
        if !roots.is_empty() {
            found.insert(part, roots);
        }
    }
    Ok(found.into_values().collect())
}

struct Walks<'a, K> {
    against: &'a PartRules<'a, K>,
    graph: &'a Graph<K>,
    way: Direction,
    starts: Vec<Vec<K>>,
    seed: u64,
}

/// A walk in progress.
struct Playout<K> {
    random: Xorshift,
    at: K,
    moves: u16,
    length: u16,
}

impl<K: Key> Walks<'_, K> {
    fn begin(&self, index: u64) -> Playout<K> {
        let mut random = Xorshift::for_draw(self.seed ^ 0x7761_6c6b, index);
        let roots = &self.starts[random.below(self.starts.len() as u64) as usize];
        let at = roots[random.below(roots.len() as u64) as usize];
        let most = 1 << random.below(DOUBLINGS + 1);
        let length = 1 + random.below(most) as u16;
        let limit = self.against.search.max_depth.unwrap_or(u16::MAX);
        Playout {
            random,
            at,
            moves: 0,
            length: length.min(limit),
        }
    }

    /// Ends of some walks, in parallel: one call to the puzzle makes a step of each.
    fn walk(&self, indices: std::ops::Range<u64>) -> Result<DrawnDistances<K>, PluginError> {
        let mut walks: Vec<Playout<K>> = indices.map(|index| self.begin(index)).collect();
        let mut out = Expansion::default();
        let mut going: Vec<usize> = (0..walks.len()).collect();
        loop {
            going.retain(|&i| walks[i].moves < walks[i].length);
            if going.is_empty() {
                break;
            }
            let keys: Vec<K> = going.iter().map(|&i| walks[i].at).collect();
            self.graph.expand(self.way, &keys, &mut out)?;
            let mut stuck = Vec::new();
            for (nth, &i) in going.iter().enumerate() {
                let walk = &mut walks[i];
                let next: Vec<K> = out
                    .of(nth)
                    .iter()
                    .copied()
                    .filter(|&k| k != walk.at)
                    .collect();
                if next.is_empty() {
                    stuck.push(i);
                } else {
                    walk.at = next[walk.random.below(next.len() as u64) as usize];
                    walk.moves += 1;
                }
            }
            going.retain(|i| !stuck.contains(i));
        }
        let mut keys: Vec<K> = walks.iter().map(|walk| walk.at).collect();
        self.against.reduce(&mut keys)?;
        let parts = parts_of(self.against, &keys)?;
        let ends = parts.into_iter().zip(keys).zip(&walks);
        Ok(ends
            .map(|((part, key), walk)| (part, key, walk.moves))
            .collect())
    }

    fn text(&self, exact: bool) -> String {
        let from = match (&self.against.search.roots, self.way) {
            (Roots::Solved, _) => "back from the solved states",
            (_, Direction::Forward) => "on from the start",
            (_, Direction::Backward) => "back from the state given",
        };
        let on = if std::ptr::eq(self.graph, self.against.rules) {
            "the rules".to_owned()
        } else {
            format!(
                "variant {}, because the reference lists no predecessors,",
                self.graph.opened.variant
            )
        };
        let must = if exact {
            "at exactly that distance, because every path to a state has the same length"
        } else {
            "at no more than that distance"
        };
        format!(
            "Random walks on {on} {from}, of 1 to 512 moves: the run must meet where they end {must}. Walks do not reach all states alike; the bound is on the ends of such walks, not on all states."
        )
    }
}
