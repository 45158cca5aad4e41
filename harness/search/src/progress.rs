//! Progress of a run: counters that workers add to, a bar on stderr, and the stop flag.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use antipode_reports::cost::LevelCost;

use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Faults of samples that are kept.
const MOST_FAULTS: usize = 8;

/// What samples of levels came to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sampled {
    /// Levels of which states were picked.
    pub levels: u64,
    /// States picked.
    pub states: u64,
    /// Their neighbours on the rulebook.
    pub neighbours: u64,
    /// States with a neighbour that is not where it belongs.
    pub wrong: u64,
    /// The first few faults, a line each.
    pub faults: Vec<String>,
}

/// A stop was asked for before there was anything to keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("stopped before anything was measured")]
pub struct Stopped;

/// Shared request to stop: set by Ctrl-C, read by engines between batches.
#[derive(Debug, Clone, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Asks every run that shares this flag to stop.
    pub fn request(&self) {
        self.0.store(true, Relaxed);
    }

    /// Whether a stop was asked for.
    #[must_use]
    pub fn requested(&self) -> bool {
        self.0.load(Relaxed)
    }
}

/// Counters and bar of one run.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    by_parts: bool,
    states: AtomicU64,
    moves: Mutex<Vec<u64>>,
    costs: Mutex<Vec<LevelCost>>,
    limit: Mutex<Option<String>>,
    sampled: Mutex<Sampled>,
    generated: AtomicU64,
    read: AtomicU64,
    written: AtomicU64,
    stop: Stop,
}

impl Progress {
    /// No bar; stops when `stop` says so.
    #[must_use]
    pub fn silent(stop: &Stop) -> Self {
        Self {
            bar: ProgressBar::hidden(),
            by_parts: true,
            states: AtomicU64::new(0),
            moves: Mutex::default(),
            costs: Mutex::default(),
            limit: Mutex::default(),
            sampled: Mutex::default(),
            generated: AtomicU64::new(0),
            read: AtomicU64::new(0),
            written: AtomicU64::new(0),
            stop: stop.clone(),
        }
    }

    /// A bar on stderr over `parts` parts (a spinner that counts levels for a single
    /// part). Drawn only where stderr is a terminal.
    #[must_use]
    pub fn bar(title: &str, parts: u64, stop: &Stop) -> Self {
        let by_parts = parts > 1;
        let (bar, template) = if by_parts {
            let template =
                "{prefix} {bar:30} {pos}/{len} parts  {msg}  {elapsed} so far, {eta} left";
            (ProgressBar::new(parts), template)
        } else {
            (
                ProgressBar::new_spinner(),
                "{prefix} {spinner} {msg}  {elapsed}",
            )
        };
        bar.set_draw_target(ProgressDrawTarget::stderr_with_hz(5));
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_prefix(title.to_owned());
        bar.enable_steady_tick(Duration::from_millis(250));
        Self {
            bar,
            by_parts,
            states: AtomicU64::new(0),
            moves: Mutex::default(),
            costs: Mutex::default(),
            limit: Mutex::default(),
            sampled: Mutex::default(),
            generated: AtomicU64::new(0),
            read: AtomicU64::new(0),
            written: AtomicU64::new(0),
            stop: stop.clone(),
        }
    }

    /// Whether the run shall stop.
    #[must_use]
    pub fn stopping(&self) -> bool {
        self.stop.requested()
    }

    /// Books states that were expanded or swept.
    pub fn expanded(&self, states: u64) {
        self.states.fetch_add(states, Relaxed);
    }

    /// States booked so far.
    #[must_use]
    pub fn states(&self) -> u64 {
        self.states.load(Relaxed)
    }

    /// Books the moves out of a level, summed over parts.
    pub fn moves(&self, depth: u16, moves: u64) {
        let mut by_level = self.moves.lock().unwrap_or_else(PoisonError::into_inner);
        let slot = usize::from(depth);
        if by_level.len() <= slot {
            by_level.resize(slot + 1, 0);
        }
        by_level[slot] += moves;
    }

    /// Moves booked so far, by level; empty where the engine does not count them.
    #[must_use]
    pub fn moves_by_level(&self) -> Vec<u64> {
        let by_level = self.moves.lock().unwrap_or_else(PoisonError::into_inner);
        by_level.clone()
    }

    /// Books what a level cost.
    pub fn cost(&self, cost: LevelCost) {
        let mut costs = self.costs.lock().unwrap_or_else(PoisonError::into_inner);
        costs.push(cost);
    }

    /// What levels cost, where the engine says so.
    #[must_use]
    pub fn costs(&self) -> Vec<LevelCost> {
        let costs = self.costs.lock().unwrap_or_else(PoisonError::into_inner);
        costs.clone()
    }

    /// Books what the sample of a level came to.
    pub fn sampled(&self, level: Sampled) {
        let mut all = self.sampled.lock().unwrap_or_else(PoisonError::into_inner);
        all.levels += level.levels;
        all.states += level.states;
        all.neighbours += level.neighbours;
        all.wrong += level.wrong;
        all.faults.extend(level.faults);
        all.faults.truncate(MOST_FAULTS);
    }

    /// What the samples of levels came to.
    #[must_use]
    pub fn samples(&self) -> Sampled {
        let all = self.sampled.lock().unwrap_or_else(PoisonError::into_inner);
        all.clone()
    }

    /// Books which limit ended the run, in a line.
    pub fn limit(&self, line: String) {
        *self.limit.lock().unwrap_or_else(PoisonError::into_inner) = Some(line);
    }

    /// Which limit ended the run, where the engine says so.
    #[must_use]
    pub fn limit_reached(&self) -> Option<String> {
        let limit = self.limit.lock().unwrap_or_else(PoisonError::into_inner);
        limit.clone()
    }

    /// Books moves generated: neighbours that a batch of states has, each counted as often
    /// as it is listed. One call a batch.
    pub fn generated(&self, moves: u64) {
        self.generated.fetch_add(moves, Relaxed);
    }

    /// Moves generated so far, in any order of levels.
    #[must_use]
    pub fn moves_generated(&self) -> u64 {
        self.generated.load(Relaxed)
    }

    /// Books bytes that an engine read from files of its own.
    pub fn read(&self, bytes: u64) {
        self.read.fetch_add(bytes, Relaxed);
    }

    /// Books bytes that an engine wrote to files of its own.
    pub fn written(&self, bytes: u64) {
        self.written.fetch_add(bytes, Relaxed);
    }

    /// Bytes read and written so far.
    #[must_use]
    pub fn bytes(&self) -> (u64, u64) {
        (self.read.load(Relaxed), self.written.load(Relaxed))
    }

    /// Shows a finished level.
    pub fn level(&self, depth: u16, size: u64) {
        if !self.by_parts {
            let (size, states) = (HumanCount(size), HumanCount(self.states()));
            self.bar
                .set_message(format!("level {depth}: {size} states, {states} expanded"));
        }
    }

    /// Shows finished parts.
    pub fn parts(&self, count: u64) {
        if self.by_parts {
            let seconds = self.bar.elapsed().as_secs_f64().max(1e-3);
            let rate = self.states() as f64 / seconds / 1e6;
            self.bar.set_message(format!("{rate:.1} M states/s"));
            self.bar.inc(count);
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
