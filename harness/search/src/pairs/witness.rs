//! Paths: back from where the searches met to the source, and on to the target.

use foldhash::fast::RandomState;
use hashbrown::HashMap;
use puzzle_api::{Capabilities, Direction, Key};

use super::balls::Ball;
use super::space::{Level, Space};
use crate::engines::EngineError;
use antipode_graph::{Expansion, Graph, PluginError};

/// Finds the steps of paths within levels that are kept.
pub(super) struct Tracer<'a, K: Key, S: Space<K>> {
    graph: &'a Graph<K>,
    space: &'a S,
    buffers: S::Buffers,
    scratch: Vec<u64>,
}

impl<'a, K: Key, S: Space<K>> Tracer<'a, K, S> {
    pub(super) fn new(graph: &'a Graph<K>, space: &'a S) -> Self {
        Self {
            graph,
            space,
            buffers: S::Buffers::default(),
            scratch: Vec::new(),
        }
    }

    /// A shortest path over a state that lies `levels.len()` moves from the source and in
    /// `ball`. Among steps that are equally good the smallest state is taken.
    pub(super) fn path(
        &mut self,
        meeting: S::Id,
        levels: &[S::Level],
        ball: &Ball<S::Level>,
    ) -> Result<Vec<K>, EngineError> {
        let mut path = vec![meeting];
        let mut at = meeting;
        for level in levels.iter().rev() {
            at = self.parent(at, level)?;
            path.push(at);
        }
        path.reverse();
        path.pop();
        path.extend(self.descent(meeting, ball)?);
        let mut keys = Vec::new();
        self.space
            .keys(self.graph, &path, &mut self.scratch, &mut keys)?;
        Ok(keys)
    }

    /// A shortest way from a state of a ball to its centre, both included.
    ///
    /// Where the state's level is not kept, a small search leads to the outermost one that
    /// is: the first to be met lies on a shortest way, as where the two searches meet.
    pub(super) fn descent(
        &mut self,
        from: S::Id,
        ball: &Ball<S::Level>,
    ) -> Result<Vec<S::Id>, EngineError> {
        let (mut path, left) = match ball.distance(from) {
            Some(distance) => (vec![from], distance),
            None => (self.inward(from, ball)?, ball.edge()),
        };
        let mut at = path.last().copied().unwrap_or(from);
        for distance in (0..left).rev() {
            at = self.step(Direction::Forward, at, &|id| ball.at(distance, id))?;
            path.push(at);
        }
        Ok(path)
    }

    /// A shortest way to the outermost kept level of a ball.
    fn inward(&mut self, from: S::Id, ball: &Ball<S::Level>) -> Result<Vec<S::Id>, EngineError> {
        let mut parents: HashMap<S::Id, S::Id, RandomState> = HashMap::default();
        parents.insert(from, from);
        let mut level = vec![from];
        let mut ids = Vec::new();
        while !level.is_empty() {
            let mut next = Vec::new();
            for &parent in &level {
                self.neighbours(Direction::Forward, parent, &mut ids)?;
                for &child in &ids {
                    parents.entry(child).or_insert_with(|| {
                        next.push(child);
                        parent
                    });
                }
            }
            let edge = ball.edge();
            let met = next.iter().copied().filter(|&id| ball.at(edge, id)).min();
            if let Some(mut at) = met {
                let mut path = vec![at];
                while at != from {
                    at = parents[&at];
                    path.push(at);
                }
                path.reverse();
                return Ok(path);
            }
            level = next;
        }
        Err(self.lost("successors"))
    }

    fn neighbours(
        &mut self,
        direction: Direction,
        of: S::Id,
        out: &mut Vec<S::Id>,
    ) -> Result<(), PluginError> {
        self.space
            .neighbours(self.graph, direction, &[of], &mut self.buffers, out)
    }

    /// A state of `level` that has `child` among its successors.
    fn parent(&mut self, child: S::Id, level: &S::Level) -> Result<S::Id, EngineError> {
        if self.graph.has(Capabilities::PREDECESSORS) {
            return self.step(Direction::Backward, child, &|id| level.contains(id));
        }
        let mut ids = Vec::new();
        for at in 0..level.blocks() {
            for &parent in level.block(at).iter() {
                self.neighbours(Direction::Forward, parent, &mut ids)?;
                if ids.contains(&child) {
                    return Ok(parent);
                }
            }
        }
        Err(self.lost("successors"))
    }

    /// The smallest neighbour that will do.
    fn step(
        &mut self,
        direction: Direction,
        from: S::Id,
        will_do: &dyn Fn(S::Id) -> bool,
    ) -> Result<S::Id, EngineError> {
        let mut ids = Vec::new();
        self.neighbours(direction, from, &mut ids)?;
        let found = ids.into_iter().filter(|&id| will_do(id)).min();
        let function = match direction {
            Direction::Forward => "successors",
            Direction::Backward => "predecessors",
        };
        found.ok_or_else(|| self.lost(function))
    }

    /// Successors and predecessors of a puzzle that keeps the contract cannot lose a path.
    fn lost(&self, function: &'static str) -> EngineError {
        let fault = "lose a path that a search came along: successors and predecessors must be the same moves";
        self.graph.opened.broken(function, fault).into()
    }
}

/// Plays a path on a graph: from its source to its target, every step a successor.
///
/// # Errors
/// [`PluginError`] where the puzzle fails.
pub(super) fn replay<K: Key>(
    rules: &Graph<K>,
    path: &[K],
    (source, target): (K, K),
) -> Result<Option<String>, PluginError> {
    if path.first() != Some(&source) || path.last() != Some(&target) {
        return Ok(Some("does not lead from the one to the other".into()));
    }
    let mut out = Expansion::default();
    rules.expand(Direction::Forward, &path[..path.len() - 1], &mut out)?;
    let wrong = (1..path.len()).find(|&step| !out.of(step - 1).contains(&path[step]));
    Ok(wrong.map(|step| format!("step {step} is no move of {}", rules.opened.variant)))
}
