//! The list for the inclusiveness check: states drawn uniformly, with their distances on
//! the rules.

use puzzle_api::{Key, UNSOLVABLE};

use super::draw::Drawer;
use super::near::{Hopeless, Keys};
use super::oracle::{MOST_SEEN, Measured, Oracle};
use super::part::PartRules;
use antipode_graph::{Capabilities, Graph, PluginError};
use antipode_search::engines::{EngineError, Roots};
use antipode_search::parallel;
use antipode_search::reconstruct_path::rising;

/// States drawn and measured at a time by one thread.
const BATCH: u64 = 64;
/// Draws that measure the cost of a draw.
const PILOTS: u64 = 32;
/// Total of states that all searches of the check may see; as many as can be afforded are drawn.
const BUDGET: u64 = 10_000_000;

/// Part, key and distance of states drawn.
pub(crate) type DrawnDistances<K> = Vec<(u64, K, u16)>;

/// States drawn, with a description of the draw.
#[derive(Debug, Clone)]
pub(crate) struct Drawn<K> {
    /// The states that the run must find.
    pub(crate) states: DrawnDistances<K>,
    /// How they were drawn and measured.
    pub(crate) how: String,
    /// What was left out.
    pub(crate) remarks: String,
}

/// Draws up to `count` states of the instance and derives the distance of each; or says why that is
/// impossible. Fewer are drawn if a distance is costly, which the first 32 show.
pub(crate) fn draw_list<K: Key>(
    against: &PartRules<'_, K>,
    oracle: &Oracle<K>,
    seed: u64,
    count: u64,
) -> Result<Result<Drawn<K>, String>, EngineError> {
    if let Some(why) = oracle.obstacle() {
        return Ok(Err(why));
    }
    let drawer = match Drawer::new(against.rules, &against.search.graph)? {
        Ok(drawer) => drawer,
        Err(why) => return Ok(Err(why)),
    };
    let draws = Draws {
        against,
        oracle,
        drawer,
        seed,
    };
    let mut first = Hopeless::unknown();
    let pilots = draws.batch(0, PILOTS.min(count), &mut first)?;
    let hopeless = first.learnt();
    // The first ones also searched the states that lead to no goal, for all that follow.
    let later = &pilots[pilots.len() / 2..];
    let seen: u64 = later.iter().map(|(_, _, measured)| measured.1).sum();
    let given_up = pilots.iter().filter(|(_, _, m)| m.0.is_none()).count();
    if given_up * 2 > pilots.len() {
        return Ok(Err(format!(
            "a search from a state drawn sees more than {MOST_SEEN} states ({given_up} of {} tried)",
            pilots.len()
        )));
    }
    let each = (seen / later.len().max(1) as u64).max(1);
    let affordable = (BUDGET / each).clamp(pilots.len() as u64, count);
    let mut all = pilots;
    all.extend(draws.measured(PILOTS.min(count), affordable, &hopeless)?);
    Ok(Ok(draws.list(all, count)))
}

struct Draws<'a, K> {
    against: &'a PartRules<'a, K>,
    oracle: &'a Oracle<K>,
    drawer: Drawer<'a, K>,
    seed: u64,
}

type DrawnRow<K> = (u64, K, Measured);

impl<K: Key> Draws<'_, K> {
    /// Draws `from..to`, in order. A batch keeps what it learns to itself, so no result depends on
    /// which thread comes first.
    fn measured(
        &self,
        from: u64,
        to: u64,
        hopeless: &Keys<K>,
    ) -> Result<Vec<DrawnRow<K>>, PluginError> {
        let batches = parallel::try_map((from..to).step_by(BATCH as usize), |first| {
            let mut hopeless = Hopeless::beside(hopeless);
            self.batch(first, BATCH.min(to - first), &mut hopeless)
        })?;
        Ok(batches.concat())
    }

    /// Each state is measured as drawn, and only then replaced by its representative.
    fn batch(
        &self,
        first: u64,
        size: u64,
        hopeless: &mut Hopeless<'_, K>,
    ) -> Result<Vec<DrawnRow<K>>, PluginError> {
        let drawn = self.drawer.draw(self.seed, first, size as usize)?;
        let mut keys = drawn.clone();
        self.against.reduce(&mut keys)?;
        let parts = parts_of(self.against, &keys)?;
        let rows = drawn.iter().zip(keys).zip(parts);
        rows.map(|((&start, key), part)| {
            let measured = self.oracle.distance_beside(start, None, hopeless)?;
            Ok((part, key, measured))
        })
        .collect()
    }

    fn list(&self, rows: Vec<DrawnRow<K>>, asked: u64) -> Drawn<K> {
        let drawn = rows.len();
        let limit = self.against.search.max_depth;
        let states: DrawnDistances<K> = rows
            .into_iter()
            .filter_map(|(part, key, (depth, _))| {
                // States beyond the greatest level must not be met.
                let depth = depth.filter(|&d| limit.is_none_or(|limit| d <= limit));
                match (depth, limit) {
                    (None, None) => None,
                    (depth, _) => Some((part, key, depth.unwrap_or(UNSOLVABLE))),
                }
            })
            .collect();
        let how = format!("{} and {}", self.drawer.way(), self.oracle.way());
        let mut remarks = String::new();
        if (drawn as u64) < asked {
            remarks.push_str(&format!(
                " {drawn} of the {asked} asked for were drawn: their searches may see {BUDGET} states together."
            ));
        }
        if states.len() < drawn {
            remarks.push_str(&format!(
                " {} of those drawn are left out, because their searches see more than {MOST_SEEN} states; the bound does not speak of such.",
                drawn - states.len()
            ));
        }
        Drawn {
            states,
            how,
            remarks,
        }
    }
}

/// Whether some different states, as representatives if the run has such, are all that the puzzle
/// numbers; `false` if it numbers none.
pub(crate) fn covers<K: Key>(against: &PartRules<'_, K>, keys: &[K]) -> Result<bool, PluginError> {
    let Some(graph) = against.numbering() else {
        return Ok(false);
    };
    let images = match against.search.symmetry {
        true => u64::from(graph.opened.symmetry_count.max(1)),
        false => 1,
    };
    let most = images.saturating_mul(keys.len() as u64);
    let (mut ranks, parts) = (0_u64, graph.opened.part_count);
    if parts > most {
        return Ok(false);
    }
    for part in 0..parts {
        ranks = ranks.saturating_add(graph.space(part)?.unwrap_or(0));
        // Too many states for these: most instances end here.
        if ranks > most {
            return Ok(false);
        }
    }
    let (mut held, mut placed) = (0, Vec::new());
    for &key in keys {
        let orbit = match against.search.symmetry {
            true => rising(&graph.images(key)?),
            false => vec![key],
        };
        graph.place(&orbit, &mut placed)?;
        held += placed.iter().flatten().count() as u64;
    }
    Ok(ranks > 0 && held == ranks)
}

/// Part of the run that each state, in the form that the run delivers, belongs to.
pub(super) fn parts_of<K: Key>(
    against: &PartRules<'_, K>,
    keys: &[K],
) -> Result<Vec<u64>, PluginError> {
    let graph: &Graph<K> = &against.search.graph;
    if against.search.roots != Roots::Solved {
        let parts = against.search.parts().unwrap_or_default();
        return Ok(vec![parts.first().copied().unwrap_or(0); keys.len()]);
    }
    if !graph.has(Capabilities::PARTS) {
        return Ok(vec![0; keys.len()]);
    }
    let mut placed = Vec::new();
    graph.place(keys, &mut placed)?;
    // A representative outside the numbering goes to a part that is never walked, so the check
    // reports it as missed.
    Ok(placed
        .into_iter()
        .map(|at| at.map_or(u64::MAX, |at| at.part))
        .collect())
}
