//! Progress of a run, for the eye: a bar on stderr, and the stop flag. What a run found and
//! took it returns itself ([`outcome`](crate::outcome)).

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A stop was asked for before there was anything to keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("stopped before anything was measured")]
pub struct Stopped;

/// Shared request to stop: set by Ctrl-C, read by engines between batches.
#[derive(Debug, Clone, Default)]
pub struct Stop {
    own: Arc<AtomicBool>,
    /// Those on whose request this one stops too.
    outer: Option<Arc<Stop>>,
}

impl Stop {
    /// Asks every run that shares this flag to stop.
    pub fn request(&self) {
        self.own.store(true, Relaxed);
    }

    /// Whether a stop was asked for.
    #[must_use]
    pub fn requested(&self) -> bool {
        self.own.load(Relaxed) || self.outer.as_ref().is_some_and(|outer| outer.requested())
    }

    /// One that stops with this one, and can be asked to stop alone.
    #[must_use]
    pub fn fork(&self) -> Self {
        Self {
            own: Arc::default(),
            outer: Some(Arc::new(self.clone())),
        }
    }
}

/// The bar of one run.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    by_parts: bool,
    states: AtomicU64,
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
        // The bar panics where it is refused the thread that it ticks on.
        if std::thread::Builder::new().spawn(|| ()).is_ok() {
            bar.enable_steady_tick(Duration::from_millis(250));
        }
        Self {
            bar,
            by_parts,
            states: AtomicU64::new(0),
            stop: stop.clone(),
        }
    }

    /// Whether the run shall stop.
    #[must_use]
    pub fn stopping(&self) -> bool {
        self.stop.requested()
    }

    /// Shows states that were expanded or swept.
    pub fn expanded(&self, states: u64) {
        self.states.fetch_add(states, Relaxed);
    }

    /// Shows a finished level.
    pub fn level(&self, depth: u16, size: u64) {
        if !self.by_parts {
            let (size, states) = (HumanCount(size), HumanCount(self.states.load(Relaxed)));
            self.bar
                .set_message(format!("level {depth}: {size} states, {states} expanded"));
        }
    }

    /// Shows finished parts.
    pub fn parts(&self, count: u64) {
        if self.by_parts {
            let seconds = self.bar.elapsed().as_secs_f64().max(1e-3);
            let rate = self.states.load(Relaxed) as f64 / seconds / 1e6;
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
