//! Records of a run and of its samples: the suite, the executables, the machine. Also whether a run
//! may resume in a folder, and the result of a sample's answer.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use antipode_graph::direction_name;
use antipode_reports::bench::{
    BenchRun, LoadedFile, RUN_JSON, SAMPLES_CSV, SCHEMA, SUITE_TOML, Sample, Status,
};
use antipode_reports::json_out::read_record;
use antipode_reports::text::regular;

use antipode_search::machine;
use antipode_search::progress::Stop;

use super::files::{executable, loaded, programs};
use super::host_load;
use super::prepared::Prepared;
use crate::clock::now;
use crate::suite::{Suite, SuiteRow, digest};

pub(super) fn record(ready: &Prepared, stop: &Stop) -> Result<BenchRun> {
    let suite = &ready.suite;
    let all = |files: &mut dyn Iterator<Item = &PathBuf>| -> Result<Vec<LoadedFile>> {
        files.map(|file| loaded(file)).collect()
    };
    let answers = serde_json::to_string(&ready.expect)?;
    let answers = (!ready.expect.is_empty()).then(|| blake3::hash(answers.as_bytes()).to_hex());
    let against = ready.against.as_deref();
    let against = against.map(|path| executable(path, false, stop));
    Ok(BenchRun {
        schema: SCHEMA,
        suite: suite.name.get_ref().clone(),
        suite_blake3: suite.blake3.clone(),
        seed: ready.seed,
        samples: ready.samples,
        warmups: suite.warmups(),
        executable: executable(&ready.executable, true, stop)?,
        against: against.transpose()?,
        plugins: all(&mut ready.plugins.iter())?,
        programs: all(&mut programs(&ready.rows).iter())?,
        against_files: all(&mut ready.against_files.iter().map(|(_, other)| other))?,
        rows: ready.chosen.clone(),
        expected_blake3: answers.map_or_else(String::new, |hash| hash.to_string()),
        host: machine::host(),
        command: machine::command_line(),
        started: now(),
        warnings: host_load::warnings(),
        ..BenchRun::default()
    })
}

/// The earlier run into this folder, if it is this very run.
pub(super) fn check_folder(
    folder: &Path,
    suite: &Suite,
    current: &BenchRun,
) -> Result<Option<BenchRun>> {
    let path = folder.join(SUITE_TOML);
    if !path.exists() {
        let what = match () {
            () if folder.join(RUN_JSON).exists() => {
                "the results of another command, which would be lost"
            }
            () if folder.join(SAMPLES_CSV).exists() => "samples, but not the suite they are of",
            () => return Ok(None),
        };
        bail!("{}: holds {what}; choose another --out", folder.display());
    }
    let earlier: BenchRun = read_record(folder.join(RUN_JSON))?;
    let held = regular(&path)
        .and_then(fs::read_to_string)
        .with_context(|| format!("cannot read {}", path.display()))?;
    let digests = |files: &[LoadedFile]| -> Vec<String> {
        files.iter().map(|file| file.blake3.clone()).collect()
    };
    let (old, new) = (&earlier, current);
    let executable = old.executable.blake3 == new.executable.blake3;
    let against = digests(old.against.as_slice()) == digests(new.against.as_slice());
    // A program that did not exist may be the output of another one.
    let programs = old.programs.iter().all(|file| new.programs.contains(file));
    let files = digests(&old.against_files) == digests(&new.against_files);
    let answers = old.expected_blake3 == new.expected_blake3;
    let differences = [
        ("the suite", digest(&held) == suite.blake3),
        ("the seed", old.seed == new.seed),
        ("the number of samples", old.samples == new.samples),
        ("the executable", executable),
        ("the executable of --against", against),
        ("a library", digests(&old.plugins) == digests(&new.plugins)),
        ("the program of a command", programs),
        ("a file of --against", files),
        ("the choice of --rows", old.rows == new.rows),
        ("what the baseline expects", answers),
        ("the processor", old.host == new.host),
    ];
    match differences.iter().find(|(_, same)| !same) {
        None => Ok(Some(earlier)),
        Some((what, _)) => bail!(
            "{}: holds samples of another run ({what} differs), which this one cannot continue; choose another --out, or remove the folder",
            folder.display()
        ),
    }
}

/// A sample of a row before it runs; it counts as failed until it has ended well.
pub(crate) fn blank(row: &SuiteRow, run: &BenchRun, executable: &LoadedFile) -> Sample {
    let direction = row.direction.map(direction_name);
    let of_library = |text: fn(&LoadedFile) -> &String| {
        row.library.as_ref().map(text).cloned().unwrap_or_default()
    };
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
        version: format!("{} ({} {})", executable.version, row.puzzle, row.version),
        build: executable.blake3.clone(),
        plugin_file: of_library(|library| &library.file),
        plugin_digest: of_library(|library| &library.blake3),
        processor: run.host.cpu.clone(),
        started: now(),
        ..Sample::default()
    }
}

/// Compares a sample's answer with the expected one, or reports why there is none.
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
