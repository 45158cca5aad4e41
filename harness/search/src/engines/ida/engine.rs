//! Engine `ida` in the registry.

use antipode_graph::{Capabilities, Expansion, Graph, PluginError};
use antipode_reports::model::SearchFigures;
use indicatif::HumanCount;
use puzzle_api::{Direction, Key, NEVER};

use super::search::{IdaResult, search};
use crate::engine::{Engine, Facts, Finds};
use crate::engines::find::open_goals;
use crate::error::EngineError;
use crate::options::Opt;
use crate::outcome::{NoPathProof, Outcome, Spent};
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

    fn path(&self, question: &PathQuestion<'_, K>) -> Result<Option<PathAnswer<K>>, EngineError> {
        if let Some(proof) = refuted(question)? {
            let outcome = Outcome::Unreachable(NoPathProof::Puzzle(proof));
            return Ok(Some(answer(outcome, &IdaResult::default())));
        }
        let (outcome, searched) = search(question)?;
        Ok(Some(answer(outcome, &searched)))
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
fn refuted<K: Key>(question: &PathQuestion<'_, K>) -> Result<Option<String>, EngineError> {
    if let Goal::State(_) = question.goal {
        let (open, proof) = open_goals(question.graph, question.start, &question.goal)?;
        return Ok(proof.filter(|_| open.is_empty()));
    }
    Ok(question.graph.refute(question.start, None)?)
}

fn answer<K: Key>(outcome: Outcome<K>, searched: &IdaResult) -> PathAnswer<K> {
    let said = format!(
        "ida, {} states expanded, none within fewer than {} moves",
        HumanCount(searched.expanded),
        searched.bound
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
        spent: Spent {
            expanded: searched.expanded,
            generated: Some(searched.generated),
            ..Spent::default()
        },
        kept: None,
    }
}
