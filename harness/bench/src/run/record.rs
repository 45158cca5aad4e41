//! What is written of a sample: what is known of its row before it runs, and what its answer
//! says of it.

use antipode_graph::direction_name;
use antipode_reports::bench::{BenchRun, Executable, SCHEMA, Sample, Status};

use crate::clock::now;
use crate::suite::Row;

/// A sample of a row before it runs; it counts as failed until it has ended well.
pub(crate) fn blank(row: &Row, run: &BenchRun, executable: &Executable) -> Sample {
    let direction = row.direction.map(direction_name);
    Sample {
        schema: SCHEMA,
        suite: run.suite.clone(),
        row: row.name.clone(),
        group: row.group.clone(),
        puzzle: row.puzzle.clone(),
        instance: row.instance.clone(),
        settings: row.settings_text(),
        variant: row.variant.clone(),
        engine: row.engine_name().to_owned(),
        direction: direction.unwrap_or_default().to_owned(),
        threads: row.threads.into(),
        seed: run.seed,
        version: format!(
            "{} ({} {})",
            executable.version, row.puzzle, row.plugin.version
        ),
        build: executable.blake3.clone(),
        plugin_file: row.plugin.file.clone().unwrap_or_default(),
        plugin_digest: row.plugin.blake3.clone().unwrap_or_default(),
        processor: run.host.cpu.clone(),
        started: now(),
        ..Sample::default()
    }
}

/// Holds a sample's answer against the expected one, or against the reason why there is none.
pub(crate) fn check_answer(sample: &mut Sample, expected: &Result<String, String>) {
    let has_ended = sample.status == Status::Ok;
    match expected {
        Ok(expected) => {
            sample.expected.clone_from(expected);
            if has_ended && sample.answer != *expected {
                sample.status = Status::Wrong;
                sample.detail = format!("answered {}, expected {expected}", sample.answer);
            }
        }
        Err(why) if has_ended => {
            sample.status = Status::Wrong;
            sample.detail.clone_from(why);
        }
        Err(_) => {}
    }
}
