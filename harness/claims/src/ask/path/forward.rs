//! A shortest path breadth first, by two derivations that must agree.

use antipode_graph::Graph;
use antipode_reports::{amount, count};
use antipode_search::engine::{Kind, Means, Opt, PathAnswer};
use antipode_search::engines::{EngineError, clear_processes};
use antipode_search::forward::Goal;
use antipode_search::outcome::{Outcome, StopReason};
use antipode_search::registry::EngineId;
use antipode_search::work::clear;
use puzzle_api::{Direction, Key};

use super::{Answer, Asked, Ending, text_of};
use crate::ask::levels::found;
use crate::context::Context;
use crate::question::LevelQuestion;

impl<K: Key> Asked<'_, K> {
    /// Breadth first on the rulebook and on the fast variant, which must agree; and the
    /// complete levels up to the goal.
    pub(super) fn twice_forward(&self, context: &Context) -> Result<Answer<K>, EngineError> {
        let path = self.plainly(&self.rules, (self.start, self.goal), context)?;
        let seen = path.figures.states_seen.unwrap_or_default();
        let mut variants = self.rules.opened.variant.clone();
        let mut disagreement = None;
        let cut = matches!(path.outcome, Outcome::NotReached(StopReason::Depth(_)));
        if let Some((by, other)) = self.once_more(cut, context)? {
            if contradict(&path.outcome, &other) {
                disagreement = Some(format!(
                    "{} by {variants}, {} by {by}",
                    told(&path.outcome),
                    told(&other)
                ));
            }
            variants = format!("{variants} and {by}");
        }
        let last = match &path.outcome {
            Outcome::Path(path) => Some(path.moves() as u16),
            Outcome::NotReached(StopReason::Depth(depth)) => Some(*depth),
            Outcome::Unreachable(_) | Outcome::Levels | Outcome::NotReached(_) => None,
        };
        let table = LevelQuestion {
            place: self.question.place.clone(),
            engine: EngineId::HASH,
            direction: Direction::Forward,
            from: Some(self.rules.draw(self.start)?),
            max_depth: last,
            // The rulebook's own search decides.
            checked: false,
        };
        Ok(Answer {
            ending: match path.outcome {
                Outcome::NotReached(StopReason::Depth(depth)) => Ending::MoreThan(depth),
                outcome => Ending::Searched(outcome),
            },
            searched: format!("{} seen", amount(&seen.to_string(), "states")),
            disagreement,
            variants,
            engine: "forward search",
            unchecked: None,
            analysis: Some(found(&table, context)?),
        })
    }

    /// The answer of the plain queue on a variant.
    fn plainly(
        &self,
        graph: &Graph<K>,
        (start, goal): (K, Goal<K>),
        context: &Context,
    ) -> Result<PathAnswer<K>, EngineError> {
        let means = Means {
            max_depth: self.question.max_depth,
            ..Means::threads(context.threads)
        };
        self.ask(EngineId::REFERENCE, graph, (start, goal), &means, context)
    }

    /// The second derivation: with the engine that was named, else breadth first on the fast
    /// variant; nothing where that is the rulebook, or where the first was cut off and the
    /// engine cannot be.
    fn once_more(
        &self,
        cut: bool,
        context: &Context,
    ) -> Result<Option<(String, Outcome<K>)>, EngineError> {
        let place = &self.question.place;
        // The plain queue on the rulebook was the first derivation.
        let named = self.question.engine.or(context.engine_for(Kind::Path));
        let Some(named) = named.filter(|&named| named != EngineId::REFERENCE) else {
            let (fast, start, goal) = self.fast()?;
            if fast.opened.variant == self.rules.opened.variant {
                return Ok(None);
            }
            let name = fast.opened.variant.clone();
            let path = self.plainly(&fast, (start, goal), context)?;
            return Ok(Some((name, path.outcome)));
        };
        let ends_early = named.takes(Kind::Path, Opt::MaxDepth);
        if cut && !ends_early {
            return Ok(None);
        }
        let graph: Graph<K> = place.open(place.variant(named))?;
        let means = Means {
            max_depth: self.question.max_depth.filter(|_| ends_early),
            ..context.means(Kind::Path, Some(named), (&place.library, &place.instance))
        };
        let ends = self.ends(&graph)?;
        let answer = self.ask(named, &graph, ends, &means, context)?.sound()?;
        if let Some(folder) = answer.kept.filter(|_| answer.outcome.is_answer()) {
            clear(&folder, true)?;
            if let Some(all) = folder.parent().filter(|_| named.is_shared()) {
                clear_processes(all);
            }
        }
        let by = format!("{named} on {}", graph.opened.variant);
        Ok(Some((by, answer.outcome)))
    }
}

/// Whether two answers to one question cannot both be right. Neither a path that need not be the
/// shortest nor a search that ended early contradicts another length.
fn contradict<K>(one: &Outcome<K>, other: &Outcome<K>) -> bool {
    if let (Some(one), Some(other)) = (one.fewest(), other.fewest()) {
        return one != other;
    }
    let within = |path: &Outcome<K>, cut: &Outcome<K>| match (path, cut) {
        (Outcome::Path(path), Outcome::NotReached(StopReason::Depth(most))) => {
            path.moves() <= usize::from(*most)
        }
        _ => false,
    };
    within(one, other) || within(other, one)
}

/// The length that an answer gives.
fn told<K>(outcome: &Outcome<K>) -> String {
    match outcome {
        Outcome::Path(found) => text_of(Some(found.moves())),
        Outcome::NotReached(StopReason::Depth(most)) => {
            format!("none within {}", count(most, "moves"))
        }
        other => text_of(other.fewest().flatten()),
    }
}
