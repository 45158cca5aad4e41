//! Engine `reference`: a queue and an ordered map, one state at a time, without symmetry.
//! It is the oracle, so it stays plain.

use std::collections::{BTreeMap, VecDeque};

use antipode_graph::{Expansion, Graph, Library};
use antipode_reports::model::SearchFigures;
use indicatif::HumanCount;
use puzzle_api::Key;

use super::NeighbourSource;
use super::find::{Reduction, Watch, say_levels};
use crate::engine::{Engine, Facts, backward_obstacle};
use crate::error::{EngineError, Result};
use crate::forward::ForwardSolver;
use crate::observers::Observers;
use crate::options::{Opt, SearchLimits};
use crate::outcome::{Counters, Outcome, Spent, StopReason, Walked};
use crate::progress::Progress;
use crate::question::{Ask, PathAnswer, PathQuestion, QuestionKind};
use crate::search::{DEEPEST, Search};
use crate::side::SideLevel;

/// Engine `reference`.
#[derive(Debug)]
pub struct ReferenceEngine;

impl<K: Key> Engine<K> for ReferenceEngine {
    fn facts(&self) -> &'static Facts {
        &Facts {
            name: "reference",
            summary: "a plain queue, one state at a time, no symmetry: the oracle",
            answers: &[QuestionKind::Levels, QuestionKind::Path],
            // Its queue uses one thread. Parts are searched in parallel, but a path has only one
            // part.
            works_alone: true,
            tells_whole_levels: true,
            ..Facts::USUAL
        }
    }

    fn options(&self, kind: QuestionKind) -> &'static [Opt] {
        match kind {
            QuestionKind::Path => &[Opt::MaxDepth, Opt::MaxStates, Opt::MaxTime],
            _ => &[],
        }
    }

    fn obstacle(&self, graph: &Graph<K>, ask: &Ask<'_, K>) -> Option<String> {
        backward_obstacle(graph, ask)
    }

    fn preference(&self, _: &Graph<K>, ask: &Ask<'_, K>) -> u8 {
        u8::from(ask.kind() == QuestionKind::Path)
    }

    fn variant<'a>(&self, library: &'a Library) -> &'a str {
        library.reference_variant()
    }

    fn levels(
        &self,
        search: &Search<K>,
        part: u64,
        observers: &mut Observers<K>,
        progress: &Progress,
    ) -> Result<Walked<K>> {
        let neighbours = NeighbourSource::of(search, part)?;
        let mut distance = BTreeMap::new();
        let mut queue = VecDeque::new();
        for root in search.root_keys(part)? {
            if distance.insert(root, 0).is_none() {
                queue.push_back(root);
            }
        }
        let mut out = Expansion::default();
        let counters = Counters::default();
        let mut outcome = Outcome::Levels;
        while let Some(key) = queue.pop_front() {
            let depth: u16 = distance[&key];
            if search.max_depth == Some(depth) {
                continue;
            }
            if depth == DEEPEST {
                return Err(EngineError::too_deep(&search.graph.opened, DEEPEST.into()));
            }
            if progress.stopping() {
                // Levels up to this one are complete, the next is not.
                distance.retain(|_, &mut d| d <= depth);
                outcome = Outcome::NotReached(StopReason::Requested);
                break;
            }
            neighbours.expand(&search.graph, &[key], &mut out)?;
            progress.expanded(1);
            counters.batch(1, out.keys().len());
            for &next in out.keys() {
                distance.entry(next).or_insert_with(|| {
                    queue.push_back(next);
                    depth + 1
                });
            }
        }
        let mut levels: BTreeMap<u16, Vec<K>> = BTreeMap::new();
        for (&key, &depth) in &distance {
            levels.entry(depth).or_default().push(key);
        }
        for (depth, keys) in levels {
            search.observe(part, &keys, depth, observers)?;
        }
        if outcome == Outcome::Levels && search.covers_space() {
            let met = |key: &K| distance.contains_key(key);
            if !search.observe_rest(part, Iterator::collect, met, observers, progress)? {
                outcome = Outcome::NotReached(StopReason::Requested);
            }
        }
        Ok(counters.walked(outcome))
    }

    fn path(&self, question: &PathQuestion<'_, K>) -> Result<Option<PathAnswer<K>>> {
        forward(question, Reduction::Identity, question.options.max_states).map(Some)
    }
}

/// Breadth-first along the moves until a goal is met, or until more than `most` states were seen.
pub(super) fn forward<K: Key>(
    question: &PathQuestion<'_, K>,
    reduction: Reduction,
    most: Option<u64>,
) -> Result<PathAnswer<K>> {
    let by_orbits = reduction != Reduction::Identity;
    let solver = ForwardSolver::by_orbits(question.graph.clone(), reduction);
    let time = SearchLimits {
        nodes: None,
        time: question.options.max_time,
    };
    let watch = Watch::start(time, question.stop);
    let mut why = None;
    let path = solver.shortest_no_deeper(
        (most.unwrap_or(u64::MAX), question.options.max_depth),
        question.start,
        &question.goal,
        &mut || {
            why = watch.over(0);
            why.is_some()
        },
    )?;
    let seen = path.seen;
    let levels = SideLevel::counted(&path.levels);
    let outcome = match (path.outcome, why) {
        (Outcome::NotReached(StopReason::Requested), Some(why)) => Outcome::NotReached(why),
        (outcome, _) => outcome,
    };
    let mut summary = say_levels(&outcome, levels.len(), seen);
    if by_orbits {
        summary += &format!(", {} up to symmetry", HumanCount(path.orbits));
    }
    Ok(PathAnswer {
        outcome,
        summary,
        levels,
        figures: SearchFigures {
            states_seen: Some(seen),
            ..SearchFigures::default()
        },
        spent: Spent::default(),
        kept: None,
    })
}
