//! The levels of an instance, with digests and the record of the run, and the folder of engine
//! `disk` for one question.

use std::path::PathBuf;
use std::sync::Arc;

use antipode_check::analysis::{Analysis, Request, analyse};
use antipode_search::engine::{EngineOptions, Opt, QuestionKind};
use antipode_search::engines::{EngineError, clear_work};

use crate::context::Context;
use crate::question::{ConfiguredInstance, are_one};

/// The levels of a question, found on first use; up to the last finished one if the user stops it.
///
/// # Errors
/// [`EngineError`]: bad input, a puzzle that breaks its contract, or an engine that cannot
/// hold the search.
pub(crate) fn levels(asked: &Request, context: &mut Context) -> Result<Arc<Analysis>, EngineError> {
    let mut made = context.levels.iter();
    if let Some((_, made)) = made.find(|(known, _)| are_one(known, asked)) {
        return Ok(Arc::clone(made));
    }
    let made = Arc::new(found(asked, context)?);
    context.levels.push((asked.clone(), Arc::clone(&made)));
    Ok(made)
}

/// Finds the levels, ignoring those found before.
pub(crate) fn found(asked: &Request, context: &Context) -> Result<Analysis, EngineError> {
    let mut works = asked.engine.into_iter();
    if !works.any(|engine| engine.takes(QuestionKind::Levels, Opt::Work)) {
        return analyse(asked, &context.stop);
    }
    let what = if asked.moves { "moves" } else { "levels" };
    let work = DiskWorkFolder::make(&ConfiguredInstance::from(asked), what, context)?;
    let asked = Request {
        options: work.options.clone(),
        ..asked.clone()
    };
    let analysis = analyse(&asked, &context.stop)?;
    if analysis.finished {
        work.clear()?;
    }
    Ok(analysis)
}

/// Memory of engine `disk`: three levels of some ten million states, with spare capacity.
const DISK_MEMORY: u64 = 1 << 30;

/// The folder of engine `disk` for one question.
pub(crate) struct DiskWorkFolder {
    path: PathBuf,
    /// Limits and options of an engine that works there.
    pub(crate) options: EngineOptions,
    /// If results are not kept, the folder is removed with this value.
    _scratch: Option<tempfile::TempDir>,
}

impl DiskWorkFolder {
    /// A folder next to the results, if there are some. The state that a stopped run left in it is
    /// resumed if the user requests it, else deleted.
    pub(crate) fn make(
        place: &ConfiguredInstance,
        what: &str,
        context: &Context,
    ) -> Result<Self, EngineError> {
        let io =
            |error: std::io::Error| EngineError::CannotHold(format!("no work folder: {error}"));
        let (path, scratch): (PathBuf, _) = match &context.out {
            Some(out) => {
                let settings = place.settings.iter();
                let settings: String = settings.map(|(k, v)| format!("-{k}-{v}")).collect();
                let settings = match settings.len() {
                    ..=100 => settings.replace(['/', ':'], "_"),
                    // A board can be longer than the name of a file.
                    _ => format!("-{}", blake3::hash(settings.as_bytes()).to_hex()),
                };
                let name = format!("{}-{}{settings}-{what}", place.library.name, place.instance);
                (out.join("work").join(name), None)
            }
            None => {
                let scratch = tempfile::tempdir().map_err(io)?;
                (scratch.path().to_owned(), Some(scratch))
            }
        };
        let there = path.exists();
        if there && !context.resume {
            clear_work(&path)?;
        }
        std::fs::create_dir_all(&path).map_err(io)?;
        let options = EngineOptions {
            work: Some(path.clone()),
            memory: Some(DISK_MEMORY),
            resume: there && context.resume,
            ..EngineOptions::threads(context.threads)
        };
        Ok(Self {
            path,
            options,
            _scratch: scratch,
        })
    }

    /// Removes the leftovers of a search whose answer is known.
    pub(crate) fn clear(&self) -> Result<(), EngineError> {
        clear_work(&self.path)?;
        // The folder of all questions is removed with the last of them.
        if let (None, Some(all)) = (&self._scratch, self.path.parent()) {
            let _ = std::fs::remove_dir(all);
        }
        Ok(())
    }
}
