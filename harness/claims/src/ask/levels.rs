//! The levels of an instance, with digests and the record of the run.

use antipode_check::analysis::{Analysis, Checks, Request, analyse};
use antipode_search::engines::{DenseOptions, EngineError, EngineKind};

use super::LevelQuestion;
use super::record::Work;
use crate::Context;

/// Finds the levels; those up to the last finished one where the user stops it.
///
/// # Errors
/// [`EngineError`]: bad input, a puzzle that breaks its contract, or an engine that cannot
/// hold the search.
pub(crate) fn levels(question: &LevelQuestion, context: &Context) -> Result<Analysis, EngineError> {
    let place = &question.place;
    let work = match question.engine {
        EngineKind::Disk => Some(Work::make(place, "levels", context)?),
        _ => None,
    };
    let request = Request {
        library: place.library.clone(),
        instance: place.instance.clone(),
        settings: place.settings.clone(),
        variant: None,
        engine: Some(question.engine),
        direction: Some(question.direction),
        from: question.from.clone(),
        max_depth: question.max_depth,
        threads: context.threads,
        dense: DenseOptions::default(),
        disk: work.as_ref().map(|work| work.options.clone()),
        seed: context.seed,
        checks: Checks::OFF,
        journal: None,
        show_progress: context.show_progress,
        command: context.command.clone(),
    };
    let analysis = analyse(&request, &context.stop)?;
    if let Some(work) = work.filter(|_| analysis.finished) {
        work.clear()?;
    }
    Ok(analysis)
}
