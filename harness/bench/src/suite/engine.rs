//! What a suite needs to know of the engines: the only file here that does.

use std::sync::Arc;

use puzzle_api::Direction;

use antipode_check::analysis::{Checks, Request, planned};
use antipode_graph::Library;
use antipode_search::engines::{DenseOptions, EngineError, EngineKind};

use super::row::Row;

/// Names of all engines.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    EngineKind::ALL.into_iter().map(EngineKind::name)
}

/// The engine whose option `table` is.
pub(super) const WITH_TABLE: &str = EngineKind::Dense.name();

/// Whether an engine keeps to a limit of memory by itself, as the option `memory` says.
pub(crate) fn takes_memory(engine: &str) -> bool {
    let all = [EngineKind::Dense, EngineKind::Disk, EngineKind::Hash];
    all.iter().any(|kind| kind.name() == engine)
}

/// Whether an engine keeps its levels in a folder, which the option `work` names.
pub(crate) fn needs_folder(engine: &str) -> bool {
    engine == EngineKind::Disk.name()
}

/// Engine and direction that a row comes to.
///
/// # Errors
/// [`EngineError::CannotHold`] where its engine cannot hold it.
pub(super) fn plan(
    row: &Row,
    library: &Arc<Library>,
) -> Result<(&'static str, Direction), EngineError> {
    let engine = row.engine.and_then(|name| name.parse().ok());
    let limited = matches!(engine, Some(EngineKind::Dense | EngineKind::Hash));
    let request = Request {
        library: Arc::clone(library),
        instance: row.instance.clone(),
        settings: row.settings.clone(),
        variant: Some(row.variant.clone()),
        engine,
        direction: row.direction,
        from: row.from.clone(),
        max_depth: row.max_depth,
        threads: row.threads.into(),
        dense: DenseOptions {
            table: row.table,
            memory: row.memory.filter(|_| limited),
            ..DenseOptions::default()
        },
        // Only looked at where a run begins; each sample gets a folder of its own.
        disk: None,
        seed: 1,
        checks: Checks::OFF,
        journal: None,
        show_progress: false,
        command: Vec::new(),
    };
    let (engine, direction) = planned(&request)?;
    Ok((engine.name(), direction))
}
