//! Searches within a region, and to a free end.

use puzzle_api::Key;

use super::Shortening;
use crate::breadth_first::BreadthFirst;
use crate::error::EngineError;
use crate::forward::ForwardSolver;
use crate::outcome::Outcome;
use crate::question::Goal;
use crate::steps::DirectionSteps;
use antipode_graph::{Expansion, PluginError};

/// Number of paths that are crossed at once, the latest ones.
const CROSSED: usize = 64;
/// Number of moves from the end at which the first free end begins.
const FIRST_END: usize = 8;

impl<K: Key> Shortening<'_, K> {
    /// States that a search in n bytes can hold: a key in a table that is half empty, one in a
    /// level, and its origin.
    fn states_in(&self, memory: u64) -> u64 {
        memory / (4 * size_of::<K>() as u64 + 8)
    }

    /// A shortest path within the states around all paths, up to the greatest radius that fits.
    pub(super) fn cross(&mut self, memory: u64) -> Result<(), EngineError> {
        if self.over() {
            return Ok(());
        }
        let most = self.states_in(memory) / 2;
        let mut ways = vec![DirectionSteps::FORWARD];
        ways.extend(
            DirectionSteps::backward(self.graph).filter(|&way| way != DirectionSteps::FORWARD),
        );
        let others = self.others.len().saturating_sub(CROSSED);
        let others = self.others[others..].iter().flatten();
        let mut roots: Vec<K> = self.done.states.iter().chain(others).copied().collect();
        roots.sort_unstable();
        roots.dedup();
        let mut region = BreadthFirst::new(self.graph, &ways, &roots);
        while !region.level().is_empty() && region.advance_within(most)? {
            if self.watch.over(0).is_some() {
                return Ok(());
            }
        }
        let start = self.done.states[0];
        // States outside are treated as the start, which has been met.
        let inside = |steps: DirectionSteps, states: &[K], out: &mut Expansion<K>| {
            steps.expand(self.graph, states, out)?;
            for key in out.keys_mut() {
                if !region.has_met(*key) {
                    *key = start;
                }
            }
            Ok(())
        };
        let mut search = BreadthFirst::new(self.graph, &[DirectionSteps::FORWARD], &[start]);
        search = search.listing(&inside).traced();
        while !search.level().is_empty() && (search.depth() as usize) < self.moves() {
            if let Some(at) = self.goal_in(search.level())? {
                let way = search.way_to(at);
                self.take(way, "a way around the paths");
                return Ok(());
            }
            search.advance()?;
        }
        Ok(())
    }

    fn goal_in(&self, level: &[K]) -> Result<Option<usize>, PluginError> {
        Ok(match self.goal {
            Goal::State(goal) => level.iter().position(|key| key == goal),
            Goal::Solved => {
                let solved = self.graph.is_solved(level)?;
                solved.iter().position(|&solved| solved)
            }
        })
    }

    /// From states of the path, ever further from its end, to the nearest goal.
    pub(super) fn free_ends(&mut self, memory: u64) -> Result<(), EngineError> {
        if let Goal::State(_) = self.goal {
            return Ok(());
        }
        let solver = ForwardSolver::new(self.graph.clone());
        let most = self.states_in(memory);
        let mut moves = FIRST_END;
        while !self.over() {
            let from = self.moves().saturating_sub(moves);
            let (stop, mut path) = (self.stop, self.done.states[..=from].to_vec());
            let start = path[from];
            let found = solver.shortest_within(most, start, self.goal, &mut || stop.requested())?;
            match found.outcome {
                Outcome::Path(end) => {
                    path.extend(&end.states[1..]);
                    self.take(path, "another end");
                    // From the start itself: no path is shorter.
                    self.done.shortest = from == 0;
                }
                Outcome::NotReached(_) | Outcome::Unreachable(_) | Outcome::Levels => break,
            }
            moves += moves.div_ceil(4);
        }
        Ok(())
    }
}
