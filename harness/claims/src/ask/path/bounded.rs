//! A shortest path by a lower bound: that of the fast variant finds it, and that of the
//! rulebook, which says the same in fewer words, has to find none shorter.

use antipode_graph::Capabilities;
use antipode_reports::count;
use antipode_search::engine::Means;
use antipode_search::engines::EngineError;
use antipode_search::registry::EngineId;
use puzzle_api::Key;

use super::{Answer, Asked, Ending, text_of};
use crate::context::Context;

impl<K: Key> Asked<'_, K> {
    /// A path by the fast variant's bound, and its length once more by the rulebook's.
    pub(super) fn by_bound(
        &self,
        engine: EngineId,
        context: &Context,
    ) -> Result<Answer<K>, EngineError> {
        let (graph, start, goal) = self.fast()?;
        let means = Means {
            max_depth: self.question.deepest(),
            ..Means::threads(context.threads)
        };
        let found = self.ask(engine, &graph, (start, goal), &means, context)?;
        let by_fast = found.outcome.fewest();
        let mut answer = Answer {
            ending: Ending::Searched(found.outcome),
            searched: format!(
                "{} expanded",
                count(found.figures.states_seen.unwrap_or_default(), "states")
            ),
            disagreement: None,
            variants: graph.opened.variant.clone(),
            engine: engine.name(),
            unchecked: None,
            analysis: None,
        };
        let Some(by_fast) = by_fast else {
            return Ok(answer);
        };
        match self.by_rules_bound(engine, context)? {
            Ok(by_rules) => {
                answer.variants = format!("{} and {}", answer.variants, self.rules.opened.variant);
                answer.disagreement = (by_rules != by_fast).then(|| {
                    format!(
                        "{} by {}, {} by {}",
                        text_of(by_fast),
                        graph.opened.variant,
                        text_of(by_rules),
                        self.rules.opened.variant
                    )
                });
            }
            Err(why) => answer.unchecked = Some(why),
        }
        Ok(answer)
    }

    /// The distance by the rulebook's own bound, or why it is not known.
    fn by_rules_bound(
        &self,
        engine: EngineId,
        context: &Context,
    ) -> Result<Result<Option<usize>, &'static str>, EngineError> {
        if !self.rules.proves(Capabilities::NONE) {
            return Ok(Err("that no path is shorter is the library's word"));
        }
        if !self.rules.has(Capabilities::LOWER_BOUND) {
            return Ok(Err("the rulebook has no lower bound of its own"));
        }
        let means = Means {
            max_states: Some(context.effort.fitting_states()),
            ..Means::threads(context.threads)
        };
        let ends = (self.start, self.goal);
        let again = self.ask(engine, &self.rules, ends, &means, context)?;
        Ok(match again.outcome.fewest() {
            Some(fewest) => Ok(fewest),
            None => Err(
                "the rulebook's own lower bound leaves more states open than this effort expands",
            ),
        })
    }
}
