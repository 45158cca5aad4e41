//! A whole suite into a folder: warm-ups that find the expected answer of each row, then rounds of
//! samples, each on the disk before the next begins. The same command resumes a stopped run; a
//! folder with any other content is refused.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use antipode_reports::atomic::{ensure_dir, sweep, write_atomically};
use antipode_reports::bench::{
    AGAINST, BenchRun, Measure, RUN_JSON, SAMPLES_CSV, SAMPLES_JSON, SUITE_TOML, Sample, SampleLog,
    Status, TWIN, check_rows, check_samples,
};
use antipode_reports::json_out::write_record;
use antipode_reports::model::MANIFEST;
use antipode_reports::results::{Results as Files, as_written, clear_way, reopen};

use antipode_search::progress::{Stop, note};

use super::answer::{Given, expected};
use super::files::{Watched, programs};
use super::prepared::Prepared;
use super::process::run as run_process;
use super::record::{blank, check_answer, check_folder, record};
use super::sample::{command, limits, program, take};
use super::{host_load, order};
use crate::clock::now;
use crate::judge::noise;
use crate::suite::SuiteRow;
use antipode_search::work::{Lock, lock};

/// The verb, as manifests name it.
pub const VERB: &str = "bench";

/// The outcome of a suite.
#[derive(Debug, Clone)]
pub struct Results {
    /// All samples, in the order in which they were taken.
    pub samples: Vec<Sample>,
    /// The run's record.
    pub run: BenchRun,
    /// How many of the samples were taken now, and not by an earlier run into the folder.
    pub taken: usize,
}

/// One side of a row, measured once per round.
struct RowSide {
    row: SuiteRow,
    label: String,
    executable: PathBuf,
    plugins: Vec<PathBuf>,
}

impl RowSide {
    fn of(row: &SuiteRow, suffix: &str, ready: &Prepared) -> Self {
        Self {
            row: row.clone(),
            label: format!("{}{suffix}", row.name),
            executable: ready.executable.clone(),
            plugins: ready.plugins.clone(),
        }
    }

    /// The row with the files that `--against` names in place of its own; `None` if it has none.
    fn against(row: &SuiteRow, ready: &Prepared, run: &BenchRun) -> Option<Self> {
        let mut slot = Self::of(row, AGAINST, ready);
        let mut is_other = false;
        if let (Some(path), None) = (&ready.against, &row.command) {
            slot.executable.clone_from(path);
            is_other = true;
        }
        for ((own, other), loaded) in ready.against_files.iter().zip(&run.against_files) {
            let is_own = |name: &String| Path::new(name) == own;
            let (command, library) = (slot.row.command.as_mut(), &mut slot.row.library);
            if let Some(program) = command.and_then(|words| words.first_mut()) {
                if is_own(program) {
                    *program = other.display().to_string();
                    is_other = true;
                }
            } else if library
                .as_ref()
                .is_some_and(|library| is_own(&library.file))
            {
                *library = Some(loaded.clone());
                let mine = slot.plugins.iter_mut().filter(|file| *file == own);
                mine.for_each(|file| file.clone_from(other));
                is_other = true;
            }
        }
        (is_other && row.refused.is_none()).then_some(slot)
    }
}

struct Session<'a> {
    ready: &'a Prepared,
    slots: Vec<RowSide>,
    run: BenchRun,
    log: SampleLog,
    samples: Vec<Sample>,
    held: usize,
    expected: Vec<Result<String, String>>,
    given_up: HashSet<usize>,
    files: Watched,
    _lock: Lock,
}

/// Runs a suite, or the rest of it.
///
/// # Errors
/// A folder with other results, or not writable, or an executable that cannot be started.
pub fn run(ready: &Prepared, stop: &Stop) -> Result<Results> {
    let mut session = Session::open(ready, stop)?;
    let walked = session.refuse().and_then(|()| session.walk(stop));
    session.clean_up();
    walked?;
    session.close()
}

impl<'a> Session<'a> {
    fn open(ready: &'a Prepared, stop: &Stop) -> Result<Self> {
        let (suite, rows) = (&ready.suite, &ready.rows);
        // Stamps before digests: a file that changes in between is noticed.
        let files = Watched::of(ready.files().chain(&programs(rows)));
        let mut run = record(ready, stop)?;
        let folder = &ready.folder;
        ensure_dir(folder)?;
        let lock = lock(folder, "--out")?;
        sweep(folder).with_context(|| format!("cannot tidy {}", folder.display()))?;
        // The suite's file is compared with this suite; all other files belong to its run.
        let others = [SAMPLES_CSV, SAMPLES_JSON, RUN_JSON, MANIFEST];
        clear_way(folder, &others, VERB, None)?;
        clear_way(folder, &[SUITE_TOML], VERB, Some(true))?;
        let started = check_folder(folder, suite, &run)?;
        as_written(folder, &[SAMPLES_CSV, SUITE_TOML, RUN_JSON])?;
        reopen(folder)?;
        match started {
            Some(earlier) => {
                run.started = earlier.started;
                run.warnings = earlier.warnings;
            }
            None => {
                write_atomically(folder.join(SUITE_TOML), &suite.text)?;
                write_record(folder.join(RUN_JSON), &run)?;
            }
        }
        let (log, samples) = SampleLog::open(folder.join(SAMPLES_CSV))?;
        check_samples(log.path(), &samples, &run)?;
        let mut slots = Vec::new();
        for row in rows {
            slots.push(RowSide::of(row, "", ready));
            slots.extend(row.twin.then(|| RowSide::of(row, TWIN, ready)));
            slots.extend(RowSide::against(row, ready, &run));
        }
        let known = |name: &str| slots.iter().any(|slot| slot.label == name);
        check_rows(log.path(), &samples, known)?;
        Ok(Self {
            ready,
            expected: vec![Err(String::new()); slots.len()],
            slots,
            run,
            log,
            held: samples.len(),
            samples,
            files,
            _lock: lock,
            given_up: HashSet::new(),
        })
    }

    fn taken(&self, at: usize) -> impl Iterator<Item = &Sample> {
        let (label, all) = (&self.slots[at].label, self.samples.iter());
        all.filter(move |sample| sample.row == *label && !sample.imported())
    }

    fn missing(&self, at: usize) -> Vec<u32> {
        let taken: HashSet<u32> = self.taken(at).map(|sample| sample.sample).collect();
        let all = 0..self.ready.samples;
        all.filter(|number| !taken.contains(number)).collect()
    }

    /// Records the rows that no engine can run, once.
    fn refuse(&mut self) -> Result<()> {
        for at in 0..self.slots.len() {
            let Some(why) = self.slots[at].row.refused.clone() else {
                continue;
            };
            if self.taken(at).next().is_none() {
                let mut sample = self.blank(at, 0, 0);
                (sample.status, sample.detail) = (Status::Refused, why);
                self.record(sample)?;
            }
            self.given_up.insert(at);
        }
        Ok(())
    }

    fn walk(&mut self, stop: &Stop) -> Result<()> {
        let slots = 0..self.slots.len();
        let able = slots.filter(|at| !self.given_up.contains(at));
        let due = able.map(|at| (at, self.missing(at)));
        let due: HashMap<usize, Vec<u32>> = due.filter(|(_, left)| !left.is_empty()).collect();
        if due.is_empty() {
            return Ok(());
        }
        let Some(answers) = self.warm_up(&due, stop)? else {
            return Ok(());
        };
        self.expect(&answers);
        let warmups = self.ready.suite.warmups();
        for number in 0..self.ready.samples {
            for (place, at) in self.round(warmups + number) {
                let is_due = due.get(&at).is_some_and(|left| left.contains(&number));
                if is_due && (stop.requested() || !self.sample(at, number, place, stop)?) {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    fn round(&self, round: u32) -> Vec<(u32, usize)> {
        let count = self.slots.len();
        let order = order::round(self.ready.seed, round, count);
        (round * count as u32..).zip(order).collect()
    }

    /// Runs that are not recorded: they fill the system's caches and find the answers.
    /// `None` when stopped.
    fn warm_up(
        &mut self,
        due: &HashMap<usize, Vec<u32>>,
        stop: &Stop,
    ) -> Result<Option<Vec<Option<String>>>> {
        // Rows that need no more samples still count in their group.
        let known = |at| self.taken(at).next().map(|sample| sample.answer.clone());
        let known = (0..self.slots.len()).map(known);
        let mut answers: Vec<Option<String>> = known
            .map(|answer| answer.filter(|answer| !answer.is_empty()))
            .collect();
        for round in 0..self.ready.suite.warmups() {
            for (place, at) in self.round(round) {
                if !due.contains_key(&at) || self.given_up.contains(&at) {
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
                let why = format!("the warm-up ended as {}", sample.status);
                if self.taken(at).next().is_none() {
                    let detail = format!("in the warm-up: {}", sample.detail);
                    self.record(Sample { detail, ..sample })?;
                }
                self.give_up(at, &why)?;
            }
        }
        Ok(Some(answers))
    }

    fn expect(&mut self, answers: &[Option<String>]) {
        let of_baseline = |row: &SuiteRow| self.ready.expect.get(&row.name);
        let given =
            |(RowSide { row, label, .. }, answer): (&'_ RowSide, &'_ Option<String>)| Given {
                name: label.clone(),
                group: row.group.clone(),
                foreign: row.command.is_some(),
                reference: row.variant == "reference",
                expect: row.expect.as_ref().or_else(|| of_baseline(row)).cloned(),
                answer: answer.clone(),
            };
        let given: Vec<Given> = self.slots.iter().zip(answers).map(given).collect();
        self.expected = expected(&given);
    }

    /// Takes one sample; false when stopped.
    fn sample(&mut self, at: usize, number: u32, place: u32, stop: &Stop) -> Result<bool> {
        if self.given_up.contains(&at) {
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

    /// Records the rest of a row as skipped: a row that ran out of time once will do so again.
    fn give_up(&mut self, at: usize, why: &str) -> Result<()> {
        self.given_up.insert(at);
        for number in self.missing(at) {
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
        let (row, seed) = (&slot.row, self.ready.seed);
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

    fn blank(&self, at: usize, number: u32, place: u32) -> Sample {
        let RowSide { row, label, .. } = &self.slots[at];
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
        let written = self.log.append(&sample);
        let path = self.log.path().display();
        let more = "make room, and rerun the same command to continue";
        written.with_context(|| format!("cannot write {path}; {more}"))?;
        (self.ready.tell)(&sample);
        self.samples.push(sample);
        Ok(())
    }

    /// Runs the rows' own cleanup programs, however their samples ended.
    fn clean_up(&self) {
        for RowSide { row, label, .. } in &self.slots {
            if let (Some(words), true) = (&row.cleanup, *label == row.name) {
                let why = match run_process(&mut program(words), &limits(row), &Stop::default()) {
                    Ok(ended) if ended.is_well() => continue,
                    Ok(ended) => ended.how(),
                    Err(why) => format!("{why:#}"),
                };
                note(format_args!("cleanup of row '{label}': {why}"));
            }
        }
    }

    fn close(mut self) -> Result<Results> {
        let expected = self.slots.iter().map(|slot| match slot.row.refused {
            Some(_) => 1,
            None => self.ready.samples as usize,
        });
        let mine = self.samples.iter().filter(|sample| !sample.imported());
        self.run.complete = mine.count() >= expected.sum();
        self.run.ended = now();
        let noise = |by| noise::measure(&self.samples, by, self.ready.seed);
        self.run.noise = Measure::ALL.into_iter().filter_map(noise).collect();
        let held_back = self.samples.iter().filter(|s| s.throttled > Some(0));
        self.run.held_back = held_back.count() as u64;
        let mut results = Files::new(&self.ready.folder, VERB);
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
