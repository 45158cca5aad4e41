//! The journal of a search over pairs, and the record of what ran.

use std::collections::BTreeMap;
use std::time::{Instant, SystemTime};

use antipode_reports::model::{self, Run};
use cpu_time::ProcessTime;
use puzzle_api::Key;

use super::SOURCE;
use super::run::{Findings, PairsWork};
use super::sides::TargetSide;
use super::{Finished, Length, MeasuredPair, NamedSource};
use crate::error::EngineError;
use crate::machine;
use crate::outcome::StopReason;
use crate::record::plugin_of;
use crate::work::{FolderPlace, Subject, WorkFolder};
use serde::Serialize;

/// When a run began.
pub(super) type Clock = (Instant, ProcessTime, SystemTime);

/// The identity of a run, for its work folder.
#[derive(Debug, Serialize)]
struct PairsIdentity {
    #[serde(flatten)]
    subject: Subject,
    engine: &'static str,
    from: Vec<String>,
    to: Vec<String>,
    /// Digest of the sides around the targets.
    sides: String,
    /// As requested: the limit from memory differs each time.
    budget: Option<u64>,
}

impl<K: Key> PairsWork<'_, K> {
    /// Opens the work folder. Lengths rest on the sides, so these are part of the identity.
    pub(super) fn folder<L>(
        &self,
        sides: &[TargetSide<L>],
        findings: &mut Findings,
    ) -> Result<Option<WorkFolder>, EngineError> {
        let Some((path, resume)) = &self.request.journal else {
            return Ok(None);
        };
        let named = |named: &[NamedSource<K>]| -> Vec<String> {
            let state =
                |named: &NamedSource<K>| format!("{}={:x}", named.name, named.key.to_u128());
            named.iter().map(state).collect()
        };
        let mut evidence = blake3::Hasher::new();
        for row in sides.iter().flat_map(|side| &side.grown.rows) {
            let row = serde_json::to_string(row).unwrap_or_default();
            evidence.update(row.as_bytes());
        }
        let identity = PairsIdentity {
            subject: Subject::of(&self.graph.opened),
            engine: "pairs",
            from: named(&self.from),
            to: named(&self.to),
            sides: evidence.finalize().to_hex()[..16].to_owned(),
            budget: self.request.budget,
        };
        let (folder, pieces) = WorkFolder::open(&FolderPlace::out(path, *resume), &identity)?;
        let sources = pieces.iter().filter_map(|piece| piece.read(SOURCE));
        // Lengths that were left open for lack of memory may be found by now.
        let is_open = |row: &MeasuredPair| matches!(row.length, Length::MoreThan { .. });
        let stays = |(i, finished): &(usize, Finished)| {
            let open = self.request.budget.is_none() && finished.rows.iter().any(is_open);
            *i < self.from.len() && !open
        };
        findings.finished.extend(sources.filter(stays));
        Ok(Some(folder))
    }

    pub(super) fn record(&self, findings: &Findings, clock: &Clock) -> Run {
        let opened = &self.graph.opened;
        let expanded = findings.counters.spent().expanded;
        let cpu_s = clock.1.elapsed().as_secs_f64();
        let stopped = findings.finished.len() < self.from.len();
        let rows = findings
            .finished
            .values()
            .flat_map(|finished| &finished.rows);
        let open = rows.filter(|row| matches!(row.length, Length::MoreThan { .. }));
        let open = open.count();
        let stop = match (stopped, open) {
            (true, _) => Some(StopReason::Requested),
            (false, 0) => None,
            (false, open) => Some(StopReason::Open(open as u64)),
        };
        Run {
            schema: model::SCHEMA,
            tool_version: env!("CARGO_PKG_VERSION").into(),
            puzzle: opened.library.name.clone(),
            instance: opened.instance.clone(),
            settings: opened.settings.clone(),
            variant: opened.variant.clone(),
            engine: "pairs".into(),
            direction: "both".into(),
            from: None,
            max_depth: None,
            threads: self.request.threads as u32,
            seed: 0,
            plugin: plugin_of(&opened.library),
            started_unix_s: model::unix_seconds(clock.2),
            wall_s: clock.0.elapsed().as_secs_f64(),
            cpu_s,
            peak_memory_bytes: machine::peak_memory_bytes(),
            states_per_core_second: if cpu_s > 0.0 {
                expanded as f64 / cpu_s
            } else {
                0.0
            },
            parts_done: findings.finished.len() as u64,
            parts_total: self.from.len() as u64,
            complete: stop.is_none(),
            stopped_because: stop.as_ref().map(StopReason::to_string),
            stop: stop.as_ref().map(StopReason::record),
            host: machine::host(),
            command: self.request.command.clone(),
            inputs: machine::inputs(),
            extra: BTreeMap::from([
                ("states_expanded".to_owned(), expanded.into()),
                ("by_rank".to_owned(), self.plan.ranked.is_some().into()),
                ("memory_planned_bytes".to_owned(), self.plan.need.into()),
                (
                    "ball_states".to_owned(),
                    self.plan.limits.side_states.into(),
                ),
                ("ball_bytes".to_owned(), self.plan.limits.side_bytes.into()),
            ]),
        }
    }
}
