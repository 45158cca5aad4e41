//! Paths: back from where the searches met to the source, and on to the target.

use puzzle_api::{Capabilities, Direction, Key};

use super::balls::Ball;
use super::space::{Level, Space};
use crate::engine::EngineError;
use crate::plugin::{Expansion, Graph, PluginError};

/// Finds the steps of paths within levels that are kept.
pub(super) struct Tracer<'a, K: Key, S: Space<K>> {
    graph: &'a Graph<K>,
    space: &'a S,
    out: Expansion<K>,
    scratch: Vec<u64>,
}

impl<'a, K: Key, S: Space<K>> Tracer<'a, K, S> {
    pub(super) fn new(graph: &'a Graph<K>, space: &'a S) -> Self {
        Self {
            graph,
            space,
            out: Expansion::default(),
            scratch: Vec::new(),
        }
    }

    /// A shortest path over a state that lies `levels.len()` moves from the source and
    /// `left` moves from the centre of `ball`. Among steps that are equally good the
    /// smallest state is taken.
    pub(super) fn path(
        &mut self,
        meeting: S::Id,
        levels: &[S::Level],
        ball: &Ball<S::Level>,
        left: u32,
    ) -> Result<Vec<K>, EngineError> {
        let mut path = vec![meeting];
        let mut at = meeting;
        for level in levels.iter().rev() {
            at = self.parent(at, level)?;
            path.push(at);
        }
        path.reverse();
        at = meeting;
        for distance in (0..left).rev() {
            at = self.step(Direction::Forward, at, &|id| ball.at(distance, id))?;
            path.push(at);
        }
        let mut keys = Vec::new();
        let ids = &path;
        self.space
            .keys(self.graph, ids, &mut self.scratch, &mut keys)?;
        Ok(keys)
    }

    /// A state of `level` that has `child` among its successors.
    fn parent(&mut self, child: S::Id, level: &S::Level) -> Result<S::Id, EngineError> {
        if self.graph.has(Capabilities::PREDECESSORS) {
            return self.step(Direction::Backward, child, &|id| level.contains(id));
        }
        let (mut keys, mut ids) = (Vec::new(), Vec::new());
        for at in 0..level.blocks() {
            for chunk in level.block(at).chunks(crate::engine::BATCH) {
                self.space
                    .keys(self.graph, chunk, &mut self.scratch, &mut keys)?;
                self.graph
                    .expand(Direction::Forward, &keys, &mut self.out)?;
                for (i, &parent) in chunk.iter().enumerate() {
                    let scratch = &mut self.scratch;
                    self.space
                        .ids(self.graph, self.out.of(i), scratch, &mut ids)?;
                    if ids.contains(&child) {
                        return Ok(parent);
                    }
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
        let (mut keys, mut ids) = (Vec::new(), Vec::new());
        self.space
            .keys(self.graph, &[from], &mut self.scratch, &mut keys)?;
        self.graph.expand(direction, &keys, &mut self.out)?;
        self.space
            .ids(self.graph, self.out.keys(), &mut self.scratch, &mut ids)?;
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
