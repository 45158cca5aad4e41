//! The search itself, on an explicit stack.

use foldhash::fast::FixedState;
use hashbrown::HashSet;
use puzzle_api::{Key, Xorshift};

use super::table::TranspositionTable;
use super::{DfsOptions, Stats};
use crate::engines::find::{Reduction, Watch};
use crate::error::EngineError;
use crate::memory::{address_space_left, human};
use crate::outcome::StopReason;
use crate::question::Goal;
use crate::recurrence::{broken, said};
use crate::steps::DirectionSteps;
use antipode_graph::{Capabilities, Expansion, Graph, PluginError};

/// States between two checks of the time.
const CLOCK_EVERY: u64 = 1024;

/// How a search for a path ended.
pub(super) enum End<K> {
    /// The representatives on the path to a goal, without the start.
    Goal(Vec<K>),
    /// No goal can be reached.
    Exhausted,
    /// Given up, and why.
    GaveUp(StopReason),
}

/// A state whose moves are being tried. Its children are in the search's stack of children from
/// `first` on.
struct Frame<K> {
    key: K,
    first: usize,
    /// Least measure found below so far.
    best: u32,
    /// States expanded before this one.
    nodes_before: u64,
}

/// Value of a state from which nothing useful can be reached.
const NOTHING: u32 = u32::MAX;

/// The aim of a search.
enum DfsAim<'a, K> {
    Goal(&'a Goal<K>),
    Fewest { floor: u32 },
}

pub(super) struct DfsSearch<'a, K> {
    graph: &'a Graph<K>,
    reduction: &'a Reduction,
    table: TranspositionTable<K>,
    random: Xorshift,
    nodes: u64,
    frames: Vec<Frame<K>>,
    /// Children of all frames, those of the topmost last, the most promising at the end.
    children: Vec<K>,
    /// The states on the stack, if only the library says that no state comes back.
    line: Option<HashSet<K, FixedState>>,
    out: Expansion<K>,
    scored: Vec<(u64, u64, K)>,
    best: (u32, Vec<K>),
}

impl<'a, K: Key> DfsSearch<'a, K> {
    /// # Errors
    /// The table is larger than the memory limit of the process: allocating it would end the
    /// process.
    pub(super) fn new(
        graph: &'a Graph<K>,
        reduction: &'a Reduction,
        options: &DfsOptions,
    ) -> Result<Self, EngineError> {
        if let Some(left) = address_space_left()
            && left < options.table_bytes
        {
            return Err(EngineError::Memory(format!(
                "the table takes {}, and this process may take {} more (ulimit -v): give less by --table-size",
                human(options.table_bytes),
                human(left)
            )));
        }
        Ok(Self {
            graph,
            reduction,
            table: TranspositionTable::new(options.table_bytes, options.policy, options.hash),
            random: Xorshift::for_draw(options.seed, 0),
            nodes: 0,
            frames: Vec::new(),
            children: Vec::new(),
            line: said(graph).map(|_| HashSet::default()),
            // A batch is one state here, and the guard is checked every time.
            out: Expansion::with_capacity(256, 0),
            scored: Vec::new(),
            best: (NOTHING, Vec::new()),
        })
    }

    pub(super) fn stats(&self) -> Stats {
        Stats {
            nodes: self.nodes,
            table: self.table.stats(),
        }
    }

    /// Searches for a goal.
    pub(super) fn reach(
        &mut self,
        start: K,
        goal: &Goal<K>,
        watch: &Watch<'_>,
    ) -> Result<End<K>, EngineError> {
        if goals(self.graph, goal, &[start])?.is_some() {
            return Ok(End::Goal(Vec::new()));
        }
        let aim = DfsAim::Goal(goal);
        Ok(match self.run(start, &aim, watch)? {
            Some(why) => End::GaveUp(why),
            None if self.best.0 == 0 => End::Goal(std::mem::take(&mut self.best.1)),
            None => End::Exhausted,
        })
    }

    /// Searches for the least measure where a line ends. Returns its value, the representatives of
    /// the line without the start, and the reason if it gave up.
    pub(super) fn fewest(
        &mut self,
        start: K,
        floor: u64,
        watch: &Watch<'_>,
    ) -> Result<(u64, Vec<K>, Option<StopReason>), EngineError> {
        let floor = u32::try_from(floor).unwrap_or(NOTHING);
        let gave_up = self.run(start, &DfsAim::Fewest { floor }, watch)?;
        let (best, chain) = std::mem::replace(&mut self.best, (NOTHING, Vec::new()));
        Ok((best.into(), chain, gave_up))
    }

    /// Runs until the aim is met, everything is searched (both return `None`), or the watch gives a
    /// reason to give up. A first line is always followed to its end.
    fn run(
        &mut self,
        start: K,
        aim: &DfsAim<'_, K>,
        watch: &Watch<'_>,
    ) -> Result<Option<StopReason>, EngineError> {
        let mut root = [start];
        self.reduction.reduce(self.graph, &mut root)?;
        let mut done = self.open(root[0], aim)?;
        let mut closed = false;
        while !done {
            let Some(top) = self.frames.last() else { break };
            if self.nodes % CLOCK_EVERY == 1
                && closed
                && let Some(why) = watch.over(self.nodes)
            {
                return Ok(Some(why));
            }
            if self.children.len() == top.first {
                self.close();
                closed = true;
                continue;
            }
            let Some(child) = self.children.pop() else {
                break;
            };
            match self.table.probe(child) {
                Some(value) => self.record(value),
                None => done = self.open(child, aim)?,
            }
        }
        Ok(None)
    }

    /// Expands a state and puts it on the stack; returns whether the aim is met.
    fn open(&mut self, key: K, aim: &DfsAim<'_, K>) -> Result<bool, EngineError> {
        let first = self.children.len();
        if let Some(line) = &mut self.line
            && !line.insert(key)
        {
            let at = self.frames.iter().position(|frame| frame.key == key);
            let (before, depth) = (at.unwrap_or(0), self.frames.len());
            return Err(broken(self.graph, "layered", key, before, depth).into());
        }
        self.frames.push(Frame {
            key,
            first,
            best: NOTHING,
            nodes_before: self.nodes,
        });
        self.nodes += 1;
        self.reduction
            .expand(self.graph, DirectionSteps::FORWARD, &[key], &mut self.out)?;
        match aim {
            DfsAim::Goal(goal) => {
                if let Some(at) = goals(self.graph, goal, self.out.keys())? {
                    let reached = self.out.keys()[at];
                    let mut chain = self.chain();
                    chain.push(reached);
                    self.best = (0, chain);
                    return Ok(true);
                }
            }
            DfsAim::Fewest { floor } => {
                if self.out.keys().iter().all(|&child| child == key) {
                    let value = self.ending(key)?;
                    self.record(value);
                    if value < self.best.0 {
                        self.best = (value, self.chain());
                    }
                    if value <= *floor {
                        return Ok(true);
                    }
                }
            }
        }
        self.sort_children()?;
        Ok(false)
    }

    /// Measure of a state where a line ends.
    fn ending(&self, key: K) -> Result<u32, EngineError> {
        let measure = self.graph.objective(&[key])?[0];
        u32::try_from(measure)
            .ok()
            .filter(|&value| value < NOTHING)
            .ok_or_else(|| {
                EngineError::CannotHold(format!(
                    "{}: measure {measure} is more than dfs can hold",
                    self.graph.opened.full_name()
                ))
            })
    }

    /// Pushes the children onto their stack, each once, the most promising last.
    fn sort_children(&mut self) -> Result<(), PluginError> {
        let keys = self.out.keys_mut();
        keys.sort_unstable();
        keys.dedup();
        let order = match self.graph.has(Capabilities::MOVE_ORDER) {
            true => self.graph.move_order(keys)?,
            false => vec![0; keys.len()],
        };
        self.scored.clear();
        for (&key, order) in self.out.keys().iter().zip(order) {
            self.scored.push((order, self.random.next_u64(), key));
        }
        self.scored.sort_unstable_by(|a, b| b.cmp(a));
        self.children
            .extend(self.scored.iter().map(|child| child.2));
        Ok(())
    }

    /// Removes the topmost state and stores its result.
    fn close(&mut self) {
        let Some(frame) = self.frames.pop() else {
            return;
        };
        if let Some(line) = &mut self.line {
            line.remove(&frame.key);
        }
        self.table
            .store(frame.key, frame.best, self.nodes - frame.nodes_before);
        self.record(frame.best);
    }

    /// Passes a value from below to the topmost state.
    fn record(&mut self, value: u32) {
        if let Some(frame) = self.frames.last_mut() {
            frame.best = frame.best.min(value);
        }
    }

    /// The states on the stack, without the start.
    fn chain(&self) -> Vec<K> {
        self.frames.iter().skip(1).map(|frame| frame.key).collect()
    }
}

/// The place of a goal among states.
fn goals<K: Key>(
    graph: &Graph<K>,
    goal: &Goal<K>,
    keys: &[K],
) -> Result<Option<usize>, PluginError> {
    Ok(match goal {
        Goal::State(wanted) => keys.iter().position(|key| key == wanted),
        Goal::Solved => graph.is_solved(keys)?.iter().position(|&solved| solved),
    })
}
