//! The suite's needs on the engines: the only file here that knows them.

use std::sync::Arc;

use puzzle_api::Direction;

use antipode_check::analysis::{Request, planned};
use antipode_check::ask::{self, PathRequest};
use antipode_graph::Library;
use antipode_search::engine::{EngineOptions, Opt, QuestionKind};
use antipode_search::engines::EngineError;
use antipode_search::registry::EngineId;

use super::file::Verb;
use super::row::SuiteRow;

const fn kind(verb: Verb) -> QuestionKind {
    match verb {
        Verb::Analyse => QuestionKind::Levels,
        Verb::Solve => QuestionKind::Path,
    }
}

pub(super) fn names(verb: Verb) -> Vec<&'static str> {
    let all = EngineId::all(kind(verb)).into_iter();
    all.map(EngineId::name).collect()
}

pub(super) fn has_table(name: &str) -> bool {
    let known = EngineId::named(name, QuestionKind::Levels);
    known.is_ok_and(|engine| engine.takes(QuestionKind::Levels, Opt::Table))
}

fn engine(row: &SuiteRow) -> Option<EngineId> {
    EngineId::named(row.engine?, kind(row.verb)).ok()
}

pub(crate) fn takes(row: &SuiteRow, option: Opt) -> bool {
    engine(row).is_some_and(|engine| engine.takes(kind(row.verb), option))
}

fn options(row: &SuiteRow) -> EngineOptions {
    EngineOptions {
        memory: row.memory.filter(|_| takes(row, Opt::Memory)),
        table: row.table.filter(|_| takes(row, Opt::Table)),
        // Only used when a run begins; each sample gets its own folder.
        work: takes(row, Opt::Work).then(|| "work".into()),
        ..EngineOptions::threads(row.threads.into())
    }
}

/// Engine and direction of a row; none for a path that any engine may find.
///
/// # Errors
/// [`EngineError::CannotHold`] if its engine cannot run it.
pub(super) fn plan(
    row: &SuiteRow,
    library: &Arc<Library>,
) -> Result<(Option<&'static str>, Option<Direction>), EngineError> {
    match (row.verb, row.engine) {
        (Verb::Analyse, _) => {
            let (engine, direction) = planned(&levels(row, library))?;
            Ok((Some(engine.name()), Some(direction)))
        }
        (Verb::Solve, None) => Ok((None, None)),
        (Verb::Solve, Some(_)) => {
            let engine = ask::planned(&path(row, library))?;
            Ok((Some(engine.name()), None))
        }
    }
}

fn levels(row: &SuiteRow, library: &Arc<Library>) -> Request {
    Request {
        settings: row.settings.clone(),
        variant: Some(row.variant.clone()),
        engine: engine(row),
        direction: row.direction,
        from: row.from.clone(),
        max_depth: row.max_depth,
        threads: row.threads.into(),
        options: options(row),
        antipodes: 0,
        ..Request::new(Arc::clone(library), row.instance.clone())
    }
}

fn path(row: &SuiteRow, library: &Arc<Library>) -> PathRequest {
    PathRequest {
        settings: row.settings.clone(),
        variant: Some(row.variant.clone()),
        from: row.from.clone(),
        to: row.to.clone(),
        engine: engine(row),
        options: options(row),
        ..PathRequest::new(Arc::clone(library), row.instance.clone())
    }
}
