//! Engine `ida`: iterative deepening A* (Korf, "Depth-first iterative-deepening", 1985), for
//! shortest paths if no table fits the states.
//!
//! Depth first, within a length that no path can stay below. If it finds no goal, the next length
//! is the least one that the puzzle's lower bound leaves open. The path found is shortest only if
//! the bound is valid: 0 at a goal, and falling by at most one per move.

use antipode_graph::{Capabilities, Expansion, Graph, PluginError};
use antipode_reports::count;
use antipode_reports::model::SearchFigures;
use puzzle_api::{Direction, Key, NEVER};

use super::find::{Watch, open_goals};
use crate::engine::{Engine, Facts, Finds};
use crate::error::Result;
use crate::options::Opt;
use crate::outcome::{NoPathProof, Outcome, Spent, StopReason};
use crate::progress::Progress;
use crate::question::{Ask, Goal, PathAnswer, PathQuestion, QuestionKind};

/// Engine `ida`.
#[derive(Debug)]
pub struct IdaEngine;

impl<K: Key> Engine<K> for IdaEngine {
    fn facts(&self) -> &'static Facts {
        &Facts {
            name: "ida",
            summary: "iterative deepening by the puzzle's lower bound (IDA*), with next to no memory",
            answers: &[QuestionKind::Path],
            works_alone: true,
            finds: Finds::ByBound,
            ..Facts::USUAL
        }
    }

    fn options(&self, _: QuestionKind) -> &'static [Opt] {
        &[Opt::MaxDepth, Opt::MaxStates, Opt::MaxTime]
    }

    fn obstacle(&self, graph: &Graph<K>, ask: &Ask<'_, K>) -> Option<String> {
        if !graph.has(Capabilities::LOWER_BOUND) {
            return Some(
                "ida needs a lower bound for the moves that are left; leave out --engine".into(),
            );
        }
        // Such a bound shows which states lead nowhere. A search without a table would meet such
        // states again and again, in one round.
        if graph.has(Capabilities::LAYERED) {
            return Some(
                "ida has nothing to deepen in a layered graph, where all paths are equally long; use dfs or beam, or leave out --engine"
                    .into(),
            );
        }
        let Ask::Path { goal, .. } = ask else {
            return None;
        };
        let bounded = match **goal {
            Goal::Solved => true,
            Goal::State(key) => graph.is_solved(&[key]).is_ok_and(|solved| solved[0]),
        };
        (!bounded).then(|| {
            "ida has a lower bound for the moves to a solved state only; leave out --to or --engine"
                .into()
        })
    }

    /// If the bound leads straight to a goal, and if a search from both ends does not fit; the
    /// bound of a loaded library is unverified.
    fn preference(&self, graph: &Graph<K>, ask: &Ask<'_, K>) -> u8 {
        match ask {
            _ if !graph.proves(Capabilities::LOWER_BOUND) => 0,
            Ask::Path {
                start: Some(start), ..
            } if leads_straight(graph, *start).unwrap_or(false) => 3,
            _ => 2,
        }
    }

    fn path(&self, question: &PathQuestion<'_, K>) -> Result<Option<PathAnswer<K>>> {
        if let Some(proof) = refuted(question)? {
            let outcome = Outcome::Unreachable(NoPathProof::Puzzle(proof));
            return Ok(Some(answer(question, outcome, &IdaResult::default())));
        }
        let (outcome, searched) = search(question)?;
        Ok(Some(answer(question, outcome, &searched)))
    }
}

/// Whether each state from a start to a solved one has a neighbour whose bound is one less; the
/// first of them is taken. Then the search only walks there.
fn leads_straight<K: Key>(graph: &Graph<K>, start: K) -> Result<bool, PluginError> {
    let (mut at, mut bound) = (start, graph.lower_bound(&[start])?[0]);
    let mut out = Expansion::default();
    while bound > 0 && bound != NEVER {
        graph.expand(Direction::Forward, &[at], &mut out)?;
        let bounds = graph.lower_bound(out.keys())?;
        let Some(next) = bounds.iter().position(|&next| next < bound) else {
            return Ok(false);
        };
        (at, bound) = (out.keys()[next], bounds[next]);
    }
    Ok(bound == 0 && graph.is_solved(&[at])?[0])
}

/// The puzzle's own proof that no goal can be reached. Without it, the search for an unreachable
/// goal would not end.
fn refuted<K: Key>(question: &PathQuestion<'_, K>) -> Result<Option<String>> {
    if let Goal::State(_) = question.goal {
        let (open, proof) = open_goals(question.graph, question.start, &question.goal)?;
        return Ok(proof.filter(|_| open.is_empty()));
    }
    Ok(question.graph.refute(question.start, None)?)
}

fn answer<K: Key>(
    question: &PathQuestion<'_, K>,
    outcome: Outcome<K>,
    searched: &IdaResult,
) -> PathAnswer<K> {
    let said = format!(
        "ida, {} expanded, none within fewer than {}",
        count(searched.expanded, "states"),
        count(searched.bound, question.graph.opened.unit())
    );
    let summary = match &outcome {
        Outcome::Path(_) | Outcome::Levels => {
            format!("the fewest possible by the lower bound ({said})")
        }
        Outcome::Unreachable(proof) => format!("unsolvable: {proof}"),
        Outcome::NotReached(why) => format!("{why}; not decided ({said})"),
    };
    PathAnswer {
        outcome,
        summary,
        levels: Vec::new(),
        figures: SearchFigures {
            engine: Some("ida".to_owned()),
            states_seen: Some(searched.expanded),
            ..SearchFigures::default()
        },
        spent: Spent::of(searched.expanded, Some(searched.generated)),
        kept: None,
    }
}

/// States of one depth that are expanded at once: enough to make the overhead of a call small, few
/// enough to waste little if the first leads to a goal.
const AT_ONCE: usize = 64;

/// Statistics of a search.
#[derive(Debug, Clone, Copy, Default)]
struct IdaResult {
    /// States expanded, each counted as often as it was.
    pub expanded: u64,
    /// Successors listed.
    pub generated: u64,
    /// No path is shorter than this.
    pub bound: u64,
}

/// Finds a shortest path, or reports what ended the search.
fn search<K: Key>(question: &PathQuestion<'_, K>) -> Result<(Outcome<K>, IdaResult)> {
    let options = question.options;
    let title = question.graph.opened.full_name();
    let progress = Progress::shown(options.show_progress, &title, 1, question.stop);
    let watch = Watch::start(options.limits(), question.stop);
    let bound = question.graph.lower_bound(&[question.start])?[0];
    let mut search = IdaSearch::new(question.graph, question.goal, bound);
    if search.goal_among(&[question.start], &[bound])?.is_some() {
        return Ok((Outcome::shortest(vec![question.start]), search.done));
    }
    let most = options.max_depth.map_or(u64::MAX, u64::from);
    let longest = longest(question.graph)?;
    let outcome = loop {
        let bound = search.done.bound;
        if bound > most {
            break Outcome::NotReached(StopReason::Depth(most as u16));
        }
        if bound > longest {
            break search.exhausted();
        }
        progress.bound(bound);
        let before = search.done.expanded;
        let ended = search.within(question.start, &watch)?;
        progress.expanded(search.done.expanded - before);
        match ended {
            IterationEnd::Goal(path) if (path.len() as u64) <= bound => {
                let moves = path.len() - 1;
                let fault = format!("says that there are {bound} moves left, where {moves} do");
                return Err(question.graph.opened.disagrees("lower_bound", fault).into());
            }
            IterationEnd::Goal(path) => break Outcome::shortest(path),
            IterationEnd::GaveUp(why) => break Outcome::NotReached(why),
            IterationEnd::NotWithin(Some(next)) => search.done.bound = next,
            IterationEnd::NotWithin(None) => break search.exhausted(),
        }
    };
    Ok((outcome, search.done))
}

/// The most moves that a shortest path can have, as it visits no state twice. No limit if the
/// states are not numbered.
fn longest<K: Key>(graph: &Graph<K>) -> Result<u64, PluginError> {
    if !graph.has(Capabilities::RANK) {
        return Ok(u64::MAX);
    }
    let mut states = 0_u64;
    for part in 0..graph.opened.part_count {
        states = states.saturating_add(graph.space(part)?.unwrap_or(u64::MAX));
    }
    Ok(states)
}

/// How the search within one length ended.
enum IterationEnd<K> {
    /// A path, both ends included.
    Goal(Vec<K>),
    /// There is none; the least length that is still open, if any.
    NotWithin(Option<u64>),
    /// Given up, and why.
    GaveUp(StopReason),
}

/// A state on the path, and its place among those of the previous depth.
#[derive(Debug, Clone, Copy)]
struct Node<K> {
    key: K,
    parent: u32,
}

/// States of one depth: those from `open` on are in progress or done.
struct Depth<K> {
    nodes: Vec<Node<K>>,
    open: usize,
}

impl<K> Default for Depth<K> {
    fn default() -> Self {
        Self {
            nodes: Vec::new(),
            open: 0,
        }
    }
}

struct IdaSearch<'a, K> {
    graph: &'a Graph<K>,
    goal: Goal<K>,
    depths: Vec<Depth<K>>,
    out: Expansion<K>,
    batch: Vec<K>,
    children: Vec<(u64, Node<K>)>,
    keys: Vec<K>,
    done: IdaResult,
}

impl<'a, K: Key> IdaSearch<'a, K> {
    fn new(graph: &'a Graph<K>, goal: Goal<K>, bound: u64) -> Self {
        Self {
            graph,
            goal,
            depths: Vec::new(),
            out: Expansion::with_capacity(AT_ONCE * 4, 0),
            batch: Vec::with_capacity(AT_ONCE),
            children: Vec::new(),
            keys: Vec::new(),
            done: IdaResult {
                bound,
                ..IdaResult::default()
            },
        }
    }

    /// All paths have been searched.
    fn exhausted(&self) -> Outcome<K> {
        Outcome::exhausted(Direction::Forward, self.done.expanded, None)
    }

    /// Searches all paths that the bound does not show to be longer than allowed.
    fn within(&mut self, start: K, watch: &Watch<'_>) -> Result<IterationEnd<K>> {
        let mut next = None;
        let mut at = 0;
        self.depths.clear();
        self.depths.push(Depth {
            nodes: vec![Node {
                key: start,
                parent: 0,
            }],
            open: 1,
        });
        loop {
            let depth = &mut self.depths[at];
            depth.nodes.truncate(depth.open);
            if depth.open == 0 {
                if at == 0 {
                    return Ok(IterationEnd::NotWithin(next));
                }
                at -= 1;
                continue;
            }
            if let Some(why) = watch.over(self.done.expanded) {
                return Ok(IterationEnd::GaveUp(why));
            }
            let first = depth.open.saturating_sub(AT_ONCE);
            depth.open = first;
            self.expand(at, first)?;
            if let Some(goal) = self.keep_within(at as u64 + 1, &mut next)? {
                return Ok(IterationEnd::Goal(self.path(at, goal)));
            }
            if !self.children.is_empty() {
                at += 1;
                if self.depths.len() == at {
                    self.depths.push(Depth::default());
                }
                let depth = &mut self.depths[at];
                depth.nodes.clear();
                depth
                    .nodes
                    .extend(self.children.iter().map(|child| child.1));
                depth.open = depth.nodes.len();
            }
        }
    }

    /// Lists the successors of the states of a depth from `first` on, without those that undo a
    /// move: no shortest path visits a state twice.
    fn expand(&mut self, at: usize, first: usize) -> Result<()> {
        let nodes = &self.depths[at].nodes[first..];
        self.batch.clear();
        self.batch.extend(nodes.iter().map(|node| node.key));
        self.graph
            .expand(Direction::Forward, &self.batch, &mut self.out)?;
        self.done.expanded += self.batch.len() as u64;
        self.done.generated += self.out.keys().len() as u64;
        self.children.clear();
        let before = at.checked_sub(1).map(|before| &self.depths[before].nodes);
        for (i, node) in nodes.iter().enumerate() {
            let from = before.map(|before| before[node.parent as usize].key);
            let fresh = |&&key: &&K| key != node.key && Some(key) != from;
            let parent = (first + i) as u32;
            let fresh = self.out.of(i).iter().filter(fresh);
            self.children
                .extend(fresh.map(|&key| (0, Node { key, parent })));
        }
        Ok(())
    }

    /// Keeps the children with which a path may stay within the allowed length, the most promising
    /// last, and notes the least length of the others. Returns a goal among them.
    fn keep_within(&mut self, depth: u64, next: &mut Option<u64>) -> Result<Option<Node<K>>> {
        self.keys.clear();
        self.keys
            .extend(self.children.iter().map(|(_, child)| child.key));
        let bounds = self.graph.lower_bound(&self.keys)?;
        if let Some(goal) = self.goal_among(&self.keys, &bounds)? {
            return Ok(Some(self.children[goal].1));
        }
        for (child, bound) in self.children.iter_mut().zip(bounds) {
            child.0 = depth.saturating_add(bound);
        }
        let most = self.done.bound;
        self.children.retain(|&(length, _)| {
            if length > most {
                *next = Some(next.map_or(length, |next| next.min(length)));
            }
            length <= most
        });
        self.children
            .sort_by_key(|&(length, _)| std::cmp::Reverse(length));
        Ok(None)
    }

    /// Place of a goal: only a state with bound 0 can be one. The bound of a loaded library is
    /// checked for this.
    fn goal_among(&self, keys: &[K], bounds: &[u64]) -> Result<Option<usize>> {
        if !self.graph.proves(Capabilities::LOWER_BOUND) && bounds.iter().any(|&bound| bound > 0) {
            let solved = self.graph.is_solved(keys)?;
            let mut wrong = solved.iter().zip(bounds);
            if let Some((_, bound)) = wrong.find(|&(&solved, &bound)| solved && bound > 0) {
                let fault = format!("says that there are {bound} moves left of a solved state");
                return Err(self.graph.opened.disagrees("lower_bound", fault).into());
            }
        }
        for at in (0..keys.len()).filter(|&at| bounds[at] == 0) {
            let met = match self.goal {
                Goal::State(goal) => keys[at] == goal,
                Goal::Solved => self.graph.is_solved(&keys[at..=at])?[0],
            };
            if met {
                return Ok(Some(at));
            }
        }
        Ok(None)
    }

    /// The path to a child of a state of a depth.
    fn path(&self, at: usize, goal: Node<K>) -> Vec<K> {
        let mut path = vec![goal.key];
        let mut place = goal.parent as usize;
        for depth in self.depths[..=at].iter().rev() {
            let node = depth.nodes[place];
            path.push(node.key);
            place = node.parent as usize;
        }
        path.reverse();
        path
    }
}
