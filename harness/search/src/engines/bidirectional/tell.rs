//! What a search says on stderr: a line a finished level, and how far the one in hand is.

use std::io::IsTerminal;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::Side;
use crate::progress::{duration, note};

/// Searches that are over sooner say nothing.
const PATIENCE: Duration = Duration::from_secs(2);
/// Time between lines within a level, if there is no terminal to draw a bar on.
const BEAT: Duration = Duration::from_secs(60);

/// Progress of one search.
#[derive(Debug)]
pub(super) struct Teller {
    show: bool,
    bar: ProgressBar,
    begun: Instant,
    /// States expanded in all, and neighbours listed.
    pub(super) expanded: AtomicU64,
    pub(super) moves: AtomicU64,
    beat: Mutex<Instant>,
    level: LevelInHand,
}

#[derive(Debug)]
struct LevelInHand {
    name: String,
    begun: Instant,
    size: u64,
    done: AtomicU64,
}

impl Teller {
    pub(super) fn new(show: bool) -> Self {
        let bar = match show {
            true => ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr_with_hz(2)),
            false => ProgressBar::hidden(),
        };
        let template = "{prefix} {bar:30} {human_pos}/{human_len} states expanded, {per_sec}, {eta} left of this level";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        let now = Instant::now();
        Self {
            show,
            bar,
            begun: now,
            expanded: AtomicU64::new(0),
            moves: AtomicU64::new(0),
            beat: Mutex::new(now),
            level: LevelInHand {
                name: String::new(),
                begun: now,
                size: 0,
                done: AtomicU64::new(0),
            },
        }
    }

    /// A line, if anybody listens.
    pub(super) fn say(&self, line: &str) {
        if self.show {
            self.bar.suspend(|| note(line));
        }
    }

    /// A level is begun: the neighbours of `size` states are to be listed.
    pub(super) fn begin(&mut self, side: Side, depth: u16, size: u64) {
        self.level = LevelInHand {
            name: format!("{} level {depth}", side.name()),
            begun: Instant::now(),
            size,
            done: AtomicU64::new(0),
        };
        if self.begun.elapsed() > PATIENCE {
            self.bar.set_prefix(self.level.name.clone());
            self.bar.set_length(size);
            self.bar.reset();
        }
    }

    /// States of the level in hand whose neighbours are listed.
    pub(super) fn expanded(&self, states: u64, moves: u64) {
        self.expanded.fetch_add(states, Relaxed);
        self.moves.fetch_add(moves, Relaxed);
        let done = self.level.done.fetch_add(states, Relaxed) + states;
        if self.begun.elapsed() > PATIENCE {
            self.bar.inc(states);
        }
        if std::io::stderr().is_terminal() {
            return;
        }
        let mut beat = self.beat.lock().unwrap_or_else(|e| e.into_inner());
        if beat.elapsed() > BEAT {
            *beat = Instant::now();
            let spent = self.level.begun.elapsed().as_secs_f64();
            let left = spent * (self.level.size - done) as f64 / done as f64;
            self.say(&format!(
                "{}: {} of {} states expanded, {:.2} M states/s, {} left of this level",
                self.level.name,
                HumanCount(done),
                HumanCount(self.level.size),
                done as f64 / spent / 1e6,
                duration(left),
            ));
        }
    }

    /// A level is finished. `next` is how many states the next one has to expand, and
    /// `rest` how many there are at most in all, if that is known.
    pub(super) fn level(&self, states: u64, growth: f64, next: u64, rest: Option<u64>) {
        if self.begun.elapsed() < PATIENCE {
            return;
        }
        let spent = self.level.begun.elapsed().as_secs_f64();
        let rate = self.level.size as f64 / spent.max(1e-6);
        let most = rest.map_or(String::new(), |rest| {
            format!(
                ", at the very most {} for all that is left",
                duration(rest as f64 / rate)
            )
        });
        self.say(&format!(
            "{}: {} states (×{growth:.2}) in {spent:.1} s, {:.2} M states/s; next level about {}{most}",
            self.level.name,
            HumanCount(states),
            rate / 1e6,
            duration(next as f64 / rate),
        ));
    }
}

impl Drop for Teller {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
