//! A whole suite into a folder: warm-ups that find what each row should answer, then rounds of
//! samples, each on the disk before the next begins. The same command goes on where it was
//! stopped; into a folder that holds anything else it refuses to go.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use antipode_reports::atomic::{ensure_dir, write_atomically};
use antipode_reports::bench::{
    AGAINST, BenchRun, RUN_JSON, SAMPLES_CSV, SAMPLES_JSON, SUITE_TOML, Sample, SampleLog, Status,
    TWIN, check_rows, check_samples,
};
use antipode_reports::json_out::write_record;
use antipode_reports::model::MANIFEST;
use antipode_reports::results::{Results as Files, as_written, clear_way, reopen};

use antipode_search::progress::{Stop, note};

use super::answer::{Given, expected};
use super::files::{Watched, programs};
use super::prepared::Options;
use super::process::run as run_process;
use super::record::{blank, check_answer, check_folder, check_held, record};
use super::sample::{command, limits, program, take};
use super::{host_load, order};
use crate::clock::now;
use crate::judge::noise;
use crate::suite::{Row, Suite};
use antipode_search::work::{Lock, lock};

/// The verb, as manifests name it.
pub const VERB: &str = "bench";

/// What a suite came to.
#[derive(Debug, Clone)]
pub struct Results {
    /// All samples, in the order in which they were taken.
    pub samples: Vec<Sample>,
    /// What ran.
    pub run: BenchRun,
    /// How many of the samples were taken now, and not by an earlier run into the folder.
    pub taken: usize,
}

/// One side of a row: what is measured once a round.
struct Slot {
    row: Row,
    label: String,
    executable: PathBuf,
    plugins: Vec<PathBuf>,
}

impl Slot {
    fn of(row: &Row, suffix: &str, options: &Options) -> Self {
        Self {
            row: row.clone(),
            label: format!("{}{suffix}", row.name),
            executable: options.executable.clone(),
            plugins: options.plugins.clone(),
        }
    }

    /// The row with what `--against` names in place of its own; none where that is nothing of it.
    fn against(row: &Row, options: &Options, run: &BenchRun) -> Option<Self> {
        let mut slot = Self::of(row, AGAINST, options);
        let mut is_other = false;
        if let (Some(path), None) = (&options.against, &row.command) {
            slot.executable.clone_from(path);
            is_other = true;
        }
        for ((own, other), loaded) in options.against_files.iter().zip(&run.against_files) {
            let (plugin, is_own) = (&mut slot.row.plugin, |name: &String| Path::new(name) == own);
            let command = slot
                .row
                .command
                .as_mut()
                .and_then(|words| words.first_mut());
            if let Some(program) = command {
                if is_own(program) {
                    *program = other.display().to_string();
                    is_other = true;
                }
            } else if plugin.file.as_ref().is_some_and(is_own) {
                (plugin.file, plugin.blake3) =
                    (Some(loaded.file.clone()), Some(loaded.blake3.clone()));
                let mine = slot.plugins.iter_mut().filter(|file| *file == own);
                mine.for_each(|file| file.clone_from(other));
                is_other = true;
            }
        }
        (is_other && row.refused.is_none()).then_some(slot)
    }
}

struct Session<'a> {
    suite: &'a Suite,
    options: &'a Options,
    slots: Vec<Slot>,
    run: BenchRun,
    log: SampleLog,
    samples: Vec<Sample>,
    /// How many samples the folder held at the start.
    held: usize,
    expected: Vec<Result<String, String>>,
    /// Why a slot is not started again.
    given_up: HashMap<usize, String>,
    files: Watched,
    /// Held to the end.
    _lock: Lock,
}

/// Runs a suite, or what is left of it.
///
/// # Errors
/// A folder that holds other results, cannot be written, or an executable that cannot be
/// started.
pub fn run(suite: &Suite, rows: &[Row], options: &Options, stop: &Stop) -> Result<Results> {
    let mut session = Session::open(suite, rows, options, stop)?;
    let walked = session.refuse().and_then(|()| session.walk(stop));
    session.clean_up();
    walked?;
    session.close()
}

impl<'a> Session<'a> {
    fn open(suite: &'a Suite, rows: &'a [Row], options: &'a Options, stop: &Stop) -> Result<Self> {
        // Stamps before digests: a file that changes in between is noticed.
        let files = Watched::of(options.files().chain(&programs(rows)));
        let run = record(suite, rows, options, stop)?;
        let folder = &options.folder;
        ensure_dir(folder)?;
        let lock = lock(folder, "--out")?;
        // The suite is compared with what stands there, and everything else is of its run.
        clear_way(
            folder,
            &[SAMPLES_CSV, SAMPLES_JSON, RUN_JSON, MANIFEST],
            None,
        )?;
        clear_way(folder, &[SUITE_TOML], Some(true))?;
        let started = check_folder(folder, suite, &run)?;
        as_written(folder, &[SAMPLES_CSV, SUITE_TOML, RUN_JSON])?;
        reopen(folder)?;
        let mut run = run;
        match started {
            Some(earlier) => {
                run.started = earlier.started;
                run.warnings = earlier.warnings;
            }
            None => {
                write_atomically(folder.join(SUITE_TOML), |out| {
                    out.write_all(suite.text.as_bytes())
                })?;
                write_record(folder.join(RUN_JSON), &run)?;
            }
        }
        let (log, samples) = SampleLog::open(folder.join(SAMPLES_CSV))?;
        check_samples(log.path(), &samples, &run)?;
        let mut slots = Vec::new();
        for row in rows {
            slots.push(Slot::of(row, "", options));
            slots.extend(row.twin.then(|| Slot::of(row, TWIN, options)));
            slots.extend(Slot::against(row, options, &run));
        }
        let known = |name: &str| slots.iter().any(|slot| slot.label == name);
        check_rows(log.path(), &samples, known)?;
        let session = Self {
            suite,
            options,
            expected: vec![Err(String::new()); slots.len()],
            slots,
            run,
            log,
            held: samples.len(),
            samples,
            files,
            _lock: lock,
            given_up: HashMap::new(),
        };
        for at in 0..session.slots.len() {
            let wanted = session.blank(at, 0, 0);
            check_held(session.log.path(), &session.samples, &wanted)?;
        }
        Ok(session)
    }

    /// Records the rows that no engine can hold, once.
    fn refuse(&mut self) -> Result<()> {
        for at in 0..self.slots.len() {
            let slot = &self.slots[at];
            let Some(why) = &slot.row.refused else {
                continue;
            };
            self.given_up.insert(at, why.clone());
            if !self.samples.iter().any(|known| known.row == slot.label) {
                let mut sample = self.blank(at, 0, 0);
                (sample.status, sample.detail) = (Status::Refused, why.clone());
                self.record(sample)?;
            }
        }
        Ok(())
    }

    fn walk(&mut self, stop: &Stop) -> Result<()> {
        let taken: HashSet<(String, u32)> = self
            .samples
            .iter()
            .filter(|sample| !sample.imported())
            .map(|sample| (sample.row.clone(), sample.sample))
            .collect();
        let missing = |label: &str| {
            (0..self.options.samples).any(|number| !taken.contains(&(label.to_owned(), number)))
        };
        let due: Vec<usize> = (0..self.slots.len())
            .filter(|at| !self.given_up.contains_key(at) && missing(&self.slots[*at].label))
            .collect();
        if due.is_empty() {
            return Ok(());
        }
        let Some(answers) = self.warm_up(&due, stop)? else {
            return Ok(());
        };
        self.expect(&answers);
        let warmups = self.suite.warmups();
        for number in 0..self.options.samples {
            for (place, at) in self.round(warmups + number) {
                let label = self.slots[at].label.clone();
                if !due.contains(&at) || taken.contains(&(label, number)) {
                    continue;
                }
                if stop.requested() || !self.sample(at, number, place, stop)? {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// The order of a round, with places over the whole run.
    fn round(&self, round: u32) -> Vec<(u32, usize)> {
        let count = self.slots.len();
        let order = order::round(self.options.seed, round, count);
        (round * count as u32..).zip(order).collect()
    }

    /// Runs that are not recorded: they fill the system's caches and find the answers.
    /// `None` when stopped.
    fn warm_up(&mut self, due: &[usize], stop: &Stop) -> Result<Option<Vec<Option<String>>>> {
        let mut answers = vec![None; self.slots.len()];
        for (at, slot) in self.slots.iter().enumerate() {
            // Rows that need no more samples still have a say in their group.
            let known = self.samples.iter().find(|sample| sample.row == slot.label);
            answers[at] = known
                .map(|sample| sample.answer.clone())
                .filter(|answer| !answer.is_empty());
        }
        for round in 0..self.suite.warmups() {
            for (place, at) in self.round(round) {
                if !due.contains(&at) || self.given_up.contains_key(&at) {
                    continue;
                }
                if stop.requested() {
                    return Ok(None);
                }
                let Some(sample) = self.take(at, (0, place), stop)? else {
                    return Ok(None);
                };
                if sample.status == Status::Ok {
                    answers[at] = answers[at].take().or(Some(sample.answer));
                    continue;
                }
                let known = self
                    .samples
                    .iter()
                    .any(|sample| sample.row == self.slots[at].label);
                let why = format!("the warm-up ended as {}", sample.status);
                if !known {
                    let detail = format!("in the warm-up: {}", sample.detail);
                    self.record(Sample { detail, ..sample })?;
                }
                self.give_up(at, &why)?;
            }
        }
        Ok(Some(answers))
    }

    fn expect(&mut self, answers: &[Option<String>]) {
        let given: Vec<Given<'_>> = self
            .slots
            .iter()
            .zip(answers)
            .map(|(slot, answer)| Given {
                name: &slot.label,
                group: &slot.row.group,
                foreign: slot.row.command.is_some(),
                reference: slot.row.variant == "reference",
                expect: slot
                    .row
                    .expect
                    .as_deref()
                    .or_else(|| self.options.expect.get(&slot.row.name).map(String::as_str)),
                answer: answer.as_deref(),
            })
            .collect();
        self.expected = expected(&given);
    }

    /// Takes one sample; false when stopped.
    fn sample(&mut self, at: usize, number: u32, place: u32, stop: &Stop) -> Result<bool> {
        if self.given_up.contains_key(&at) {
            return Ok(true);
        }
        let Some(mut sample) = self.take(at, (number, place), stop)? else {
            return Ok(false);
        };
        check_answer(&mut sample, &self.expected[at]);
        let status = sample.status;
        self.record(sample)?;
        if !matches!(status, Status::Ok | Status::Wrong) {
            self.give_up(at, &format!("sample {number} ended as {status}"))?;
        }
        Ok(true)
    }

    /// Records what is left of a row as skipped: a row that ran out of time once will again.
    fn give_up(&mut self, at: usize, why: &str) -> Result<()> {
        self.given_up.insert(at, why.to_owned());
        let label = self.slots[at].label.clone();
        let taken: HashSet<u32> = self
            .samples
            .iter()
            .filter(|sample| sample.row == label)
            .map(|sample| sample.sample)
            .collect();
        for number in (0..self.options.samples).filter(|number| !taken.contains(number)) {
            let mut sample = self.blank(at, number, 0);
            (sample.status, sample.detail) = (Status::Skipped, why.to_owned());
            self.record(sample)?;
        }
        Ok(())
    }

    /// Runs a slot once; `None` when stopped meanwhile.
    fn take(&self, at: usize, (number, place): (u32, u32), stop: &Stop) -> Result<Option<Sample>> {
        let slot = &self.slots[at];
        let blank = Sample {
            load1: host_load::load(),
            throttled: host_load::throttled(),
            ..self.blank(at, number, place)
        };
        let (row, seed) = (&slot.row, self.options.seed);
        let command = command(row, &slot.executable, seed, &slot.plugins);
        let mut taken = take(command, row, &limits(row), blank, stop)?;
        if let Some(sample) = &mut taken
            && let (Some(before), Some(now)) = (sample.throttled, host_load::throttled())
        {
            sample.throttled = Some(now.saturating_sub(before));
        }
        self.files.check()?;
        Ok(taken)
    }

    /// A sample of a slot before it runs.
    fn blank(&self, at: usize, number: u32, place: u32) -> Sample {
        let Slot { row, label, .. } = &self.slots[at];
        let executable = match (&self.run.against, label.ends_with(AGAINST)) {
            (Some(against), true) => against,
            _ => &self.run.executable,
        };
        Sample {
            row: label.clone(),
            sample: number,
            position: place,
            ..blank(row, &self.run, executable)
        }
    }

    fn record(&mut self, sample: Sample) -> Result<()> {
        let path = self.log.path().display().to_string();
        let written = self.log.append(&sample);
        written.with_context(|| {
            format!("cannot write {path}; make room, and the same command goes on")
        })?;
        (self.options.tell)(&sample);
        self.samples.push(sample);
        Ok(())
    }

    /// Runs the rows' own programs for it, whatever became of their samples.
    fn clean_up(&self) {
        for Slot { row, label, .. } in &self.slots {
            if let (Some(words), true) = (&row.cleanup, *label == row.name) {
                let ended = run_process(&mut program(words), &limits(row), &Stop::default());
                match ended.map(|ended| (ended.is_well(), ended.how())) {
                    Ok((true, _)) => {}
                    Ok((false, how)) => note(format_args!("cleanup of row '{label}' {how}")),
                    Err(why) => note(format_args!("cleanup of row '{label}': {why:#}")),
                }
            }
        }
    }

    fn close(mut self) -> Result<Results> {
        let expected: usize = self
            .slots
            .iter()
            .map(|slot| match slot.row.refused {
                Some(_) => 1,
                None => self.options.samples as usize,
            })
            .sum();
        let mine = self.samples.iter().filter(|sample| !sample.imported());
        self.run.complete = mine.count() >= expected;
        self.run.ended = now();
        self.run.noise = noise::measure_all(&self.samples, self.options.seed);
        let held_back = self
            .samples
            .iter()
            .filter(|sample| sample.throttled > Some(0));
        self.run.held_back = held_back.count() as u64;
        let folder = &self.options.folder;
        let mut results = Files::new(folder, VERB);
        results.records(SAMPLES_JSON, &self.samples)?;
        results.record(RUN_JSON, &self.run)?;
        results.keep(SAMPLES_CSV)?;
        results.keep(SUITE_TOML)?;
        results.finish()?;
        Ok(Results {
            taken: self.samples.len() - self.held,
            samples: self.samples,
            run: self.run,
        })
    }
}
