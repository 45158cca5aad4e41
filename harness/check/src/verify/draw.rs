//! States drawn uniformly from an instance: by the puzzle's own generator, else by rank.

use puzzle_api::{Key, Xorshift};

use antipode_graph::{Capabilities, Graph, PluginError};
use antipode_search::reconstruct_path::rising;

/// Number of parts whose sizes are summed for a draw by rank.
const MOST_PARTS: u64 = 1 << 24;
/// Ranks drawn in vain before the numbering counts as broken.
const MOST_TRIES: u32 = 100_000;

/// Draws states.
#[derive(Debug)]
pub enum Drawer<'a, K> {
    /// The puzzle's own generator.
    Random(&'a Graph<K>),
    /// Ranks, drawn so that all states are equally likely.
    ByRank {
        /// The numbering.
        graph: &'a Graph<K>,
        /// Ranks up to and with each part.
        ends: Vec<u64>,
    },
}

impl<'a, K: Key> Drawer<'a, K> {
    /// A drawer from the reference if it can, else from the variant searched; or why
    /// neither can.
    ///
    /// # Errors
    /// [`PluginError`] if the puzzle fails.
    pub fn new(
        rules: &'a Graph<K>,
        graph: &'a Graph<K>,
    ) -> Result<Result<Self, String>, PluginError> {
        let offers = |capability| [rules, graph].into_iter().find(|g| g.has(capability));
        if let Some(graph) = offers(Capabilities::RANDOM) {
            return Ok(Ok(Self::Random(graph)));
        }
        let Some(graph) = offers(Capabilities::RANK) else {
            return Ok(Err(
                "the puzzle draws no random states and numbers none".into()
            ));
        };
        let parts = graph.opened.part_count;
        if parts > MOST_PARTS {
            return Ok(Err(format!(
                "the puzzle draws no random states, and its {parts} parts are too many to draw by rank"
            )));
        }
        let mut ends = Vec::with_capacity(parts as usize);
        let mut total = 0_u64;
        for part in 0..parts {
            let size = graph.space(part)?.unwrap_or(0);
            let Some(sum) = total.checked_add(size) else {
                return Ok(Err(
                    "the puzzle draws no random states, and has more ranks than a draw counts"
                        .into(),
                ));
            };
            total = sum;
            ends.push(total);
        }
        Ok(match total {
            0 => Err("the puzzle draws no random states, and its numbering is empty".into()),
            _ => Ok(Self::ByRank { graph, ends }),
        })
    }

    /// How states are drawn, as part of a sentence.
    #[must_use]
    pub const fn way(&self) -> &'static str {
        match self {
            Self::Random(_) => "drawn uniformly",
            Self::ByRank { .. } => "drawn uniformly, by rank,",
        }
    }

    /// Draws `first..first + count` of a seed: the same in any batch.
    ///
    /// # Errors
    /// [`PluginError`] if the puzzle fails.
    pub fn draw(&self, seed: u64, first: u64, count: usize) -> Result<Vec<K>, PluginError> {
        match self {
            Self::Random(graph) => graph.random(seed, first, count),
            Self::ByRank { graph, ends } => (first..first + count as u64)
                .map(|index| by_rank(graph, ends, Xorshift::for_draw(seed, index)))
                .collect(),
        }
    }
}

/// A state by a rank drawn uniformly. A numbering may hold only some states of an orbit, so a rank
/// is taken with a compensating probability: the size of its orbit over the number of its orbit's
/// ranks.
fn by_rank<K: Key>(graph: &Graph<K>, ends: &[u64], mut random: Xorshift) -> Result<K, PluginError> {
    let total = ends.last().copied().unwrap_or(0);
    let symmetries = u64::from(graph.opened.symmetry_count);
    let (mut keys, mut placed) = (Vec::new(), Vec::new());
    for _ in 0..MOST_TRIES {
        let at = random.below(total);
        let part = ends.partition_point(|&end| end <= at);
        let start = if part == 0 { 0 } else { ends[part - 1] };
        graph.unrank(part as u64, &[at - start], &mut keys)?;
        if symmetries == 1 {
            return Ok(keys[0]);
        }
        let orbit = rising(&graph.images(keys[0])?);
        graph.place(&orbit, &mut placed)?;
        let ranks = placed.iter().flatten().count() as u64;
        if ranks > 0 && random.below(ranks * symmetries) < orbit.len() as u64 {
            return Ok(keys[0]);
        }
    }
    Err(graph.opened.broken(
        "place",
        format!("finds no rank for any of {MOST_TRIES} ranks drawn"),
    ))
}
