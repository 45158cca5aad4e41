//! Learning between passes: distances to a goal, from a beam around the goals.

use std::sync::Arc;

use puzzle_api::Key;

use super::BeamPasses;
use super::base::Base;
use super::keep::{LEARNED, LearnedPiece, PassLevels};
use super::learned::{Fitted, Samples};
use super::pass::{End, Guide, Pass};
use crate::breadth_first::BreadthFirst;
use crate::error::EngineError;
use crate::key_text::key_texts;
use crate::outcome::StopReason;
use crate::question::Goal;
use crate::steps::DirectionSteps;
use antipode_graph::{Capabilities, Graph};

/// Most states of a level that the beam around the goals keeps.
const MOST: usize = 1 << 20;
/// Number of solved states from which it chooses each of its roots.
const CHOICE: usize = 8;
/// Number of levels after the first goal, as a part of its moves, whose solved states it begins
/// with.
const FEW_BEHIND: usize = 12;
/// The part of the path's moves that it follows: (3, 4) for three quarters.
const FOLLOWED: (usize, usize) = (3, 4);

impl<K: Key> BeamPasses<'_, K> {
    /// Learns distances to a goal, for the passes that follow one that met a goal. Returns the
    /// reason if it gives up.
    ///
    /// Only if any solved state is a goal, and if moves can be undone, so that one way to list
    /// neighbours works from both ends.
    pub(super) fn learn(
        &mut self,
        pass: &mut Pass<'_, K>,
        way: &[K],
        base: Option<&Base<K>>,
        number: u32,
    ) -> Result<Option<StopReason>, EngineError> {
        let graph = self.graph;
        if *self.goal != Goal::Solved || !graph.has(Capabilities::UNDIRECTED) {
            return Ok(None);
        }
        let seed = self.options.seed ^ u64::from(number);
        let Some(from_start) = fitted(graph, &self.kept, base, seed)? else {
            return Ok(None);
        };
        let watch = self.watch_of_pass();
        let mut goals = match pass.solved_behind(way.len() / FEW_BEHIND, &watch)? {
            Ok(goals) => goals,
            Err(why) => return Ok(Some(why)),
        };
        goals.extend(way.last());
        let width = pass.width().min(MOST);
        let roots = around(graph, &goals, &from_start, width / 2)?;
        let start = Goal::State(self.start);
        let guide = Guide {
            let_in: &[],
            pace: None,
            learned: Some(from_start),
        };
        let mut kept = PassLevels::in_memory();
        let mut back =
            Pass::new(graph, &start, self.options, (number, width), guide).around_goals();
        back.restore(&mut kept, &roots)?;
        let progress = self.progress(&format!("beam of {width} around the goals"));
        let bound = way.len() * FOLLOWED.0 / FOLLOWED.1;
        let end = back.run(&mut kept, bound, &watch, &progress)?;
        drop(progress);
        self.stats.nodes += back.expanded();
        let path = match end {
            End::GaveUp(why) => return Ok(Some(why)),
            End::Missed => Vec::new(),
            End::Met(state, depth) => {
                let mut path = kept.way_to(graph, state, depth)?;
                path.reverse();
                path
            }
        };
        if let Some(to_goal) = fitted(graph, &kept, None, seed)? {
            let piece = LearnedPiece {
                distance: Fitted::clone(&to_goal),
                keys: key_texts(&path),
                expanded: back.expanded(),
            };
            self.kept.finish(LEARNED, &piece)?;
            self.learned = Some(to_goal);
            self.paths
                .extend(Some(path).filter(|path| !path.is_empty()));
        }
        Ok(None)
    }
}

/// Fits the distance from the start of a pass to its levels and the levels before it; `None` if
/// nothing can be learned.
fn fitted<K: Key>(
    graph: &Graph<K>,
    kept: &PassLevels<K>,
    base: Option<&Base<K>>,
    seed: u64,
) -> Result<Option<Arc<Fitted>>, EngineError> {
    let Some(mut samples) = Samples::new(graph)? else {
        return Ok(None);
    };
    samples.add(graph, kept)?;
    if let Some(base) = base {
        samples.add_base(graph, base)?;
    }
    Ok(samples.fit(seed))
}

/// Some solved states, reached from given ones by moves among solved states, that are the nearest
/// to the start; sorted.
fn around<K: Key>(
    graph: &Graph<K>,
    goals: &[K],
    from_start: &Fitted,
    many: usize,
) -> Result<Vec<K>, EngineError> {
    let mut search = BreadthFirst::new(graph, &[DirectionSteps::FORWARD], goals);
    let mut all = search.level().to_vec();
    while all.len() < CHOICE * many && !search.level().is_empty() {
        search.advance()?;
        let solved = graph.is_solved(search.level())?;
        let places: Vec<usize> = (0..solved.len()).filter(|&at| solved[at]).collect();
        search.keep(&places);
        all.extend_from_slice(search.level());
    }
    let order = from_start.order(graph, &all)?;
    let mut ranked: Vec<(u64, K)> = order.into_iter().zip(all).collect();
    ranked.sort_unstable();
    ranked.truncate(many.max(1));
    let mut roots: Vec<K> = ranked.into_iter().map(|(_, key)| key).collect();
    roots.sort_unstable();
    Ok(roots)
}
