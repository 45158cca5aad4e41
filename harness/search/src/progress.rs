//! Progress of a run on the terminal: a bar on stderr, and the stop flag. The findings and costs of
//! a run are in what it returns ([`outcome`](crate::outcome)).

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use crate::observers::{LevelSum, LevelSums};
use antipode_graph::one_line;
use antipode_reports::count;
use indicatif::{HumanCount, HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};

static QUIET: AtomicBool = AtomicBool::new(false);

/// Turns off notes and bars from here on: only [`tell`] shows anything.
pub fn be_quiet() {
    QUIET.store(true, Relaxed);
}

/// Shows a line on stderr, folded at 80 columns if no width is known, unless output is off.
pub fn note(line: impl std::fmt::Display) {
    if !QUIET.load(Relaxed) {
        print(line, 80);
    }
}

/// Prints an important line to stderr, which stays one line if no width is known. If stderr is full
/// or closed, the line is lost, and the work continues.
pub fn tell(line: impl std::fmt::Display) {
    print(line, usize::MAX);
}

fn print(line: impl std::fmt::Display, otherwise: usize) {
    let terminal = terminal_size::terminal_size_of(io::stderr());
    let asked = || std::env::var("COLUMNS").ok()?.parse().ok();
    let width = terminal.map(|(width, _)| width.0.into()).or_else(asked);
    let line = one_line(&line.to_string());
    let line = folded(&line, ("", "  "), width.unwrap_or(otherwise));
    let _ = writeln!(io::stderr(), "{line}");
}

/// A line folded between words, with the beginnings of its first line and of the others. Text in
/// backquotes, such as a command to copy, stays unbroken.
pub fn folded(line: &str, (first, others): (&str, &str), width: usize) -> String {
    const KEPT: &str = "\u{1}";
    let parts = line.split('`').enumerate().map(|(at, part)| match at % 2 {
        0 => part.to_owned(),
        _ => part.replace(' ', KEPT),
    });
    let line = parts.collect::<Vec<_>>().join("`");
    let options = textwrap::Options::new(width.max(1))
        .initial_indent(first)
        .subsequent_indent(others)
        .break_words(false)
        .word_splitter(textwrap::WordSplitter::NoHyphenation);
    textwrap::fill(&line, options).replace(KEPT, " ")
}

/// Approximate duration of n seconds, in words.
pub fn duration(seconds: f64) -> String {
    match Duration::try_from_secs_f64(seconds.ceil()) {
        Ok(time) => HumanDuration(time).to_string(),
        Err(_) => "a very long time".into(),
    }
}

/// A stop was requested before there was anything to keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("stopped before anything was measured")]
pub struct Stopped;

/// Shared request to stop: set by Ctrl-C, read by engines between batches.
#[derive(Debug, Clone, Default)]
pub struct Stop {
    own: Arc<AtomicBool>,
    /// Whether work on which a result rests was left out for it.
    cut: Arc<AtomicBool>,
    /// Other stops that also stop this one.
    outer: Option<Arc<Stop>>,
    /// The time at which it stops by itself.
    until: Option<Instant>,
    /// The preparations for searches that take longer than a moment.
    later: Option<Arc<Later>>,
}

/// Called once, at the first check for a stop after a moment.
#[derive(Debug)]
struct Later {
    since: Instant,
    left: AtomicBool,
    run: fn(),
}

/// Longest time between a signal and the request that it makes.
const SOON: Duration = Duration::from_millis(300);

/// Longest time of a small search.
const MOMENT: Duration = Duration::from_millis(3);

impl Later {
    fn look(&self, moment: Duration) {
        if self.left.load(Relaxed)
            && self.since.elapsed() >= moment
            && self.left.swap(false, Relaxed)
        {
            (self.run)();
        }
    }
}

impl Stop {
    /// A stop whose first check after a moment calls `run`: preparing for a stop takes longer than
    /// a small search.
    pub fn with_later(run: fn()) -> Self {
        let later = Later {
            since: Instant::now(),
            left: AtomicBool::new(true),
            run,
        };
        Self {
            later: Some(Arc::new(later)),
            ..Self::default()
        }
    }

    /// Makes the delayed call at once, for a search that is not small.
    pub fn get_ready(&self) {
        if let Some(later) = &self.later {
            later.look(Duration::ZERO);
        }
        if let Some(outer) = &self.outer {
            outer.get_ready();
        }
    }

    /// Requests a stop of every run that shares this flag.
    pub fn request(&self) {
        self.own.store(true, Relaxed);
    }

    /// Records that work on which a result rests is left out for it.
    pub fn cut(&self) {
        self.cut.store(true, Relaxed);
    }

    /// Whether such work was left out.
    pub fn has_cut(&self) -> bool {
        self.cut.load(Relaxed)
    }

    /// Whether a stop was requested.
    pub fn requested(&self) -> bool {
        if let Some(later) = &self.later {
            later.look(MOMENT);
        }
        self.own.load(Relaxed)
            || self.until.is_some_and(|until| Instant::now() >= until)
            || self.outer.as_ref().is_some_and(|outer| outer.requested())
    }

    /// Whether a stop was requested, or is within a moment: what a signal has ended may be noticed
    /// before the signal.
    pub fn requested_soon(&self) -> bool {
        let since = Instant::now();
        while !self.requested() && since.elapsed() < SOON {
            thread::sleep(Duration::from_millis(10));
        }
        self.requested()
    }

    /// A stop that follows this one, and can be requested alone.
    #[must_use]
    pub fn fork(&self) -> Self {
        Self {
            own: Arc::default(),
            cut: Arc::clone(&self.cut),
            outer: Some(Arc::new(self.clone())),
            until: None,
            later: None,
        }
    }

    /// A stop that follows this one, or comes after a time.
    #[must_use]
    pub fn fork_for(&self, time: Option<Duration>) -> Self {
        Self {
            until: time.and_then(|time| Instant::now().checked_add(time)),
            ..self.fork()
        }
    }
}

/// Time that work gets to end by itself once a stop was requested.
const PATIENCE: Duration = Duration::from_secs(2);

/// Runs work on a separate thread and returns its result. Work that has not returned two seconds
/// after a stop was requested is abandoned, and there is no result. It may be in a loop that never
/// checks for a stop. The process should then write its results, and end.
///
/// # Errors
/// The system provides no thread.
pub fn or_leave<T: Send + 'static>(
    stop: &Stop,
    work: impl FnOnce() -> T + Send + 'static,
) -> io::Result<Option<T>> {
    let (sender, receiver) = channel();
    let worker = thread::Builder::new().stack_size(STACK).spawn(move || {
        // An abandoned result has no receiver.
        let _ = sender.send(work());
    })?;
    let mut since = None;
    loop {
        match receiver.recv_timeout(Duration::from_millis(50)) {
            Ok(found) => return Ok(Some(found)),
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) if stop.requested() => {
                let since = *since.get_or_insert_with(Instant::now);
                if since.elapsed() >= PATIENCE {
                    return Ok(None);
                }
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
    match worker.join() {
        Err(panic) => std::panic::resume_unwind(panic),
        Ok(()) => Ok(None),
    }
}

/// The stack size of a process's first thread.
const STACK: usize = 8 << 20;

/// Keeps a bar moving, if it is visible and the system provides a thread for it.
pub fn tick(bar: &ProgressBar) {
    let one_more = || std::thread::Builder::new().spawn(|| {}).is_ok();
    if !bar.is_hidden() && one_more() {
        bar.enable_steady_tick(Duration::from_millis(250));
    }
}

/// Time between two lines if the bar is not visible.
const BEAT: Duration = Duration::from_secs(30);

/// Occasional lines in place of a bar, if stderr is no terminal.
#[derive(Debug)]
struct ProgressLines {
    title: String,
    last: Mutex<Instant>,
}

impl ProgressLines {
    /// Shows a line if enough time has passed since the last.
    fn now_and_then(&self, line: impl FnOnce() -> String) {
        let Ok(mut last) = self.last.try_lock() else {
            return;
        };
        if last.elapsed() >= BEAT {
            *last = Instant::now();
            note(format_args!("{}: {}", self.title, line()));
        }
    }
}

/// Seconds that the run takes after the work that a bar shows.
static AFTER: AtomicU64 = AtomicU64::new(0);

/// Adds the work after a search to the remaining time that its bar shows.
pub fn then(rest: Duration) {
    AFTER.store(rest.as_secs(), Relaxed);
}

/// Receives the depth and the sums of each complete level of a run over one part.
pub type EachLevel = fn(u16, &LevelSum);

/// The bar of one run.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    lines: Option<ProgressLines>,
    each: Option<EachLevel>,
    /// The first level that was not passed to `each` yet.
    next: AtomicU64,
    by_parts: bool,
    states: AtomicU64,
    stop: Stop,
}

impl Progress {
    /// A bar as [`Progress::bar`] if `shown`, else none.
    pub fn shown(show: bool, title: &str, parts: u64, stop: &Stop) -> Self {
        match show {
            true => Self::bar(title, parts, stop),
            false => Self::silent(stop),
        }
    }

    /// No bar; stops when `stop` says so.
    pub fn silent(stop: &Stop) -> Self {
        Self {
            bar: ProgressBar::hidden(),
            lines: None,
            each: None,
            next: AtomicU64::new(0),
            by_parts: true,
            states: AtomicU64::new(0),
            stop: stop.fork(),
        }
    }

    /// A bar on stderr over `parts` parts (a spinner that counts levels for a single part). It is
    /// drawn only if stderr is a terminal; elsewhere, occasional lines report the progress.
    pub fn bar(title: &str, parts: u64, stop: &Stop) -> Self {
        let by_parts = parts > 1;
        let (bar, template) = if by_parts {
            let template = "{prefix} {bar:20} {pos}/{len} parts, {elapsed} so far  {wide_msg}";
            (ProgressBar::new(parts), template)
        } else {
            (
                ProgressBar::new_spinner(),
                "{prefix} {spinner} {elapsed}  {wide_msg}",
            )
        };
        bar.set_draw_target(match QUIET.load(Relaxed) {
            true => ProgressDrawTarget::hidden(),
            false => ProgressDrawTarget::stderr_with_hz(5),
        });
        let lines = bar.is_hidden().then(|| ProgressLines {
            title: title.to_owned(),
            last: Mutex::new(Instant::now()),
        });
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_prefix(title.to_owned());
        tick(&bar);
        let mut progress = Self::silent(stop);
        (progress.bar, progress.lines, progress.by_parts) = (bar, lines, by_parts);
        progress
    }

    /// The same, but passes on each level of a run over one part.
    pub fn telling(mut self, each: Option<EachLevel>) -> Self {
        self.each = each;
        self
    }

    /// Passes on the complete levels up to a depth that were not passed on.
    pub fn finished(&self, levels: &LevelSums, depth: u16) {
        let Some(each) = self.each else {
            return;
        };
        // A search that begins again says nothing twice.
        let first = self.next.fetch_max(u64::from(depth) + 1, Relaxed);
        let new = levels.iter().filter(|(at, _)| *at <= depth);
        for (at, sum) in new.filter(|(at, _)| u64::from(*at) >= first) {
            each(at, sum);
        }
    }

    /// Whether the run is to stop.
    pub fn stopping(&self) -> bool {
        self.stop.requested()
    }

    /// The stop flag of this run, which stops no other run.
    pub const fn stop(&self) -> &Stop {
        &self.stop
    }

    /// Shows states that were expanded or swept.
    pub fn expanded(&self, states: u64) {
        self.states.fetch_add(states, Relaxed);
    }

    /// Shows a finished level.
    pub fn level(&self, depth: u16, size: u64) {
        if !self.by_parts {
            let states = HumanCount(self.states.load(Relaxed));
            let size = count(size, "states");
            let message = format!("level {depth}: {size}, {states} expanded");
            if let Some(lines) = &self.lines {
                lines.now_and_then(|| message.clone());
            }
            self.bar.set_message(message);
        }
    }

    /// Shows the length within which a path is searched next.
    pub fn bound(&self, moves: u64) {
        let states = count(self.states.load(Relaxed), "states");
        let message = format!("none shorter than {moves}, {states} expanded");
        if let Some(lines) = &self.lines {
            lines.now_and_then(|| message.clone());
        }
        self.bar.set_message(message);
    }

    /// Shows finished parts.
    pub fn parts(&self, count: u64) {
        if self.by_parts {
            let seconds = self.bar.elapsed().as_secs_f64().max(1e-3);
            let rate = self.states.load(Relaxed) as f64 / seconds / 1e6;
            self.bar.inc(count);
            let left = self.left();
            self.bar
                .set_message(format!("{rate:.1} M states/s, about {left} left"));
            if let Some(lines) = &self.lines {
                lines.now_and_then(|| self.parts_in_words());
            }
        }
    }

    /// The remaining time, estimated from finished parts, plus the rest of the run.
    fn left(&self) -> HumanDuration {
        let (done, all) = (self.bar.position(), self.bar.length().unwrap_or(0));
        let each = self.bar.elapsed().as_secs_f64() / done.max(1) as f64;
        let left = Duration::from_secs_f64(each * all.saturating_sub(done) as f64);
        HumanDuration(left + Duration::from_secs(AFTER.load(Relaxed)))
    }

    fn parts_in_words(&self) -> String {
        let (done, all) = (self.bar.position(), self.bar.length().unwrap_or(0));
        let (done, all) = (HumanCount(done), HumanCount(all));
        format!("{done} of {all} parts, about {} left", self.left())
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

    use super::{MOMENT, Stop, folded};

    #[test]
    fn a_note_folds_between_words_and_keeps_paths_and_commands() {
        let line = "a/long/path: run `antipode bench x` again now";
        let narrow = "a/long/path:\n  run\n  `antipode bench x`\n  again now";
        assert_eq!(folded(line, ("", "  "), 12), narrow);
        assert_eq!(folded(line, ("", "  "), 80), line);
    }

    #[test]
    fn what_is_to_be_done_later_is_done_once_and_not_at_once() {
        static CALLS: AtomicU64 = AtomicU64::new(0);
        let count = || {
            let _before = CALLS.fetch_add(1, Relaxed);
        };
        let stop = Stop::with_later(count);
        let fork = stop.fork();
        assert!(!fork.requested());
        // A busy machine may have used up the moment already.
        assert!(CALLS.load(Relaxed) <= 1);
        std::thread::sleep(MOMENT);
        assert!(!fork.requested() && !stop.requested());
        assert_eq!(CALLS.load(Relaxed), 1);
        stop.get_ready();
        assert_eq!(CALLS.load(Relaxed), 1);
        Stop::with_later(count).fork().get_ready();
        assert_eq!(CALLS.load(Relaxed), 2);
    }
}
