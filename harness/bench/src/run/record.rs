//! What is written of a run and of its samples: the suite, the executables, the machine; whether a
//! run may go on in a folder, and what a sample's answer says of it.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use antipode_graph::direction_name;
use antipode_reports::bench::{
    BenchRun, Executable, LoadedFile, RUN_JSON, SAMPLES_CSV, SCHEMA, SUITE_TOML, Sample, Status,
};
use antipode_reports::json_out::read_record;
use antipode_reports::text::regular;

use antipode_search::machine;
use antipode_search::progress::Stop;

use super::files::{executable, loaded, programs};
use super::host_load;
use super::prepared::Options;
use crate::clock::now;
use crate::suite::{Row, Suite, digest};

/// Digest of answers by row; empty where there are none.
fn digest_of(answers: &BTreeMap<String, String>) -> String {
    let mut hasher = blake3::Hasher::new();
    for part in answers.iter().flat_map(|(row, answer)| [row, answer]) {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    match answers.is_empty() {
        true => String::new(),
        false => hasher.finalize().to_hex().to_string(),
    }
}

/// The record of a run that begins now.
pub(super) fn record(
    suite: &Suite,
    rows: &[Row],
    options: &Options,
    stop: &Stop,
) -> Result<BenchRun> {
    let against = options
        .against
        .as_deref()
        .map(|path| executable(path, false, stop));
    Ok(BenchRun {
        schema: SCHEMA,
        suite: suite.name.get_ref().clone(),
        suite_blake3: suite.blake3.clone(),
        seed: options.seed,
        samples: options.samples,
        warmups: suite.warmups(),
        executable: executable(&options.executable, true, stop)?,
        against: against.transpose()?,
        plugins: options
            .plugins
            .iter()
            .map(|file| loaded(file))
            .collect::<Result<_>>()?,
        programs: (programs(rows).iter().map(|file| loaded(file))).collect::<Result<_>>()?,
        against_files: (options.against_files.iter())
            .map(|(_, other)| loaded(other))
            .collect::<Result<_>>()?,
        rows: options.rows.clone(),
        gate: Vec::new(),
        expected_blake3: digest_of(&options.expect),
        host: machine::host(),
        command: options.command.clone(),
        started: now(),
        ended: String::new(),
        complete: false,
        noise: Vec::new(),
        warnings: host_load::warnings(),
        held_back: 0,
    })
}

/// What ran into this folder before, if it is this very run.
pub(super) fn check_folder(
    folder: &Path,
    suite: &Suite,
    current: &BenchRun,
) -> Result<Option<BenchRun>> {
    let path = folder.join(SUITE_TOML);
    if !path.exists() {
        if folder.join(RUN_JSON).exists() {
            bail!(
                "{}: holds the results of another command, which would be lost; choose another --out",
                folder.display()
            );
        }
        if folder.join(SAMPLES_CSV).exists() {
            bail!(
                "{}: holds samples, but not the suite they are of; choose another --out",
                folder.display()
            );
        }
        return Ok(None);
    }
    let earlier: BenchRun = read_record(folder.join(RUN_JSON))?;
    let held = regular(&path)
        .and_then(fs::read_to_string)
        .with_context(|| format!("cannot read {}", path.display()))?;
    let build = |executable: &Option<Executable>| {
        let found = executable.as_ref();
        found.map_or_else(String::new, |found| found.blake3.clone())
    };
    let digests = |files: &[LoadedFile]| -> Vec<String> {
        files.iter().map(|file| file.blake3.clone()).collect()
    };
    let differences = [
        ("the suite", digest(&held) == suite.blake3),
        ("the seed", earlier.seed == current.seed),
        ("the number of samples", earlier.samples == current.samples),
        (
            "the executable",
            earlier.executable.blake3 == current.executable.blake3,
        ),
        (
            "the executable of --against",
            build(&earlier.against) == build(&current.against),
        ),
        (
            "a library",
            digests(&earlier.plugins) == digests(&current.plugins),
        ),
        (
            "the program of a command",
            // One that was not there may be what the program writes.
            (earlier.programs.iter()).all(|file| current.programs.contains(file)),
        ),
        (
            "a file of --against",
            digests(&earlier.against_files) == digests(&current.against_files),
        ),
        ("the choice of --rows", earlier.rows == current.rows),
        (
            "what the baseline expects",
            earlier.expected_blake3 == current.expected_blake3,
        ),
        ("the processor", earlier.host == current.host),
    ];
    match differences.iter().find(|(_, same)| !same) {
        None => Ok(Some(earlier)),
        Some((what, _)) => bail!(
            "{}: holds samples of another run ({what} differs), which this one cannot continue; choose another --out, or remove the folder",
            folder.display()
        ),
    }
}

/// Holds the samples of an earlier run into the folder against what their row is now.
pub(super) fn check_held(path: &Path, samples: &[Sample], wanted: &Sample) -> Result<()> {
    let identity = |sample: &Sample| {
        [
            ("group", sample.group.clone()),
            ("puzzle", sample.puzzle.clone()),
            ("instance", sample.instance.clone()),
            ("settings", sample.settings.clone()),
            ("variant", sample.variant.clone()),
            ("engine", sample.engine.clone()),
            ("direction", sample.direction.clone()),
            ("plugin_digest", sample.plugin_digest.clone()),
            ("threads", sample.threads.to_string()),
        ]
    };
    let is_mine = |sample: &&Sample| sample.row == wanted.row && !sample.imported();
    for sample in samples.iter().filter(is_mine) {
        let mut columns = identity(sample).into_iter().zip(identity(wanted));
        if let Some(((column, found), (_, wanted))) = columns.find(|(found, own)| found != own) {
            bail!(
                "{}: sample {} of row '{}' has the {column} '{found}', and the suite's is '{wanted}'; remove the line, and the same command measures it again",
                path.display(),
                sample.sample,
                sample.row
            );
        }
    }
    Ok(())
}

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
