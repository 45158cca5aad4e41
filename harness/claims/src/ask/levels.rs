//! The levels of an instance, with digests and the record of the run.

use std::sync::Arc;

use antipode_check::analysis::{Analysis, Checks, Request, analyse};
use antipode_search::engines::EngineError;

use super::record::Work;
use crate::context::Context;
use crate::question::LevelQuestion;

/// The levels that a question asks for, found when it is first asked; those up to the last
/// finished one where the user stops it.
///
/// # Errors
/// [`EngineError`]: bad input, a puzzle that breaks its contract, or an engine that cannot
/// hold the search.
pub(crate) fn levels(
    question: &LevelQuestion,
    context: &mut Context,
) -> Result<Arc<Analysis>, EngineError> {
    let mut made = context.levels.iter();
    if let Some((_, made)) = made.find(|(asked, _)| asked.is(question)) {
        return Ok(Arc::clone(made));
    }
    let made = Arc::new(found(question, context)?);
    context.levels.push((question.clone(), Arc::clone(&made)));
    Ok(made)
}

/// Finds the levels, without a look at those found before.
///
/// # Errors
/// As [`levels`].
pub(super) fn found(question: &LevelQuestion, context: &Context) -> Result<Analysis, EngineError> {
    let place = &question.place;
    let work = Work::of_levels(question, "levels", context)?;
    let request = Request {
        settings: place.settings.clone(),
        engine: Some(question.engine),
        direction: Some(question.direction),
        from: question.from.clone(),
        max_depth: question.max_depth,
        threads: context.threads,
        means: work
            .as_ref()
            .map(|work| work.means().clone())
            .unwrap_or_default(),
        seed: context.seed,
        checks: match question.checked {
            true => Checks::only(context.effort.fitting()),
            false => Checks::OFF,
        },
        show_progress: context.show_progress,
        command: context.command.clone(),
        ..Request::new(place.library.clone(), place.instance.clone())
    };
    let analysis = analyse(&request, &context.stop)?;
    if let Some(work) = work.filter(|_| analysis.finished) {
        work.clear()?;
    }
    Ok(analysis)
}
