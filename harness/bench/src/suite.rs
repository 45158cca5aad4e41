//! A suite: rows to measure, as a TOML file.
//!
//! ```toml
//! [suite]
//! name = "small"
//! samples = 10
//! plugins = ["my.so"]
//!
//! [[row]]
//! name = "box"
//! instance = "tilt/box"
//! set = { grey = 2 }
//! variant = ["reference", "bitboard"]
//! engine = "all"
//! threads = [1, 2]
//!
//! [[row]]
//! name = "path"
//! verb = "solve"
//! instance = "coin-sliding/5x7"
//! from = "A"
//! to = "B"
//! ```
//!
//! [`SUITE_KEYS`](super::keys::SUITE_KEYS) and [`ROW_KEYS`](super::keys::ROW_KEYS) say what every
//! key means and what holds without it; `bench --help` shows them.
//!
//! A row that gives a list (or `all`) stands for every combination, each a row of its own
//! named `NAME/instance/variant/engine/threads`, of which only the parts that vary are
//! written. Combinations that an engine cannot hold stay in the table, marked `refused`; a row
//! that names one such combination itself is bad input.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use toml::de::{DeTable, DeValue};

pub use super::fields::SuiteError;
use super::fields::{Fields, Placed, Text, nearest};
use super::keys::{ROW_KEYS, SUITE_KEYS, names};
use antipode_search::engine::Kind;
use antipode_search::engines::Representation;
use antipode_search::memory;
use puzzle_api::Direction;

/// A suite as its file says it.
#[derive(Debug, Clone)]
pub struct Suite {
    /// File as given, for errors.
    pub file: String,
    /// Its text.
    pub text: String,
    /// BLAKE3 of its text, in hexadecimal.
    pub blake3: String,
    /// Name.
    pub name: String,
    /// Seed of the order.
    pub seed: u64,
    /// Samples of each row.
    pub samples: u32,
    /// Runs of each row before the first sample.
    pub warmups: u32,
    /// Rows measured against themselves where no row asks for it.
    pub noise: usize,
    /// Libraries to load, each with its place in the text.
    pub plugins: Vec<(PathBuf, usize)>,
    /// Rows, not yet spread out.
    pub rows: Vec<RowText>,
}

/// What a row runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verb {
    /// The level table.
    Analyse,
    /// A shortest path.
    Solve,
}

impl Verb {
    /// The kind of question that it asks.
    #[must_use]
    pub const fn kind(self) -> Kind {
        match self {
            Self::Analyse => Kind::Levels,
            Self::Solve => Kind::Path,
        }
    }
}

/// A row as its file says it.
#[derive(Debug, Clone)]
pub struct RowText {
    /// Where it stands in the text.
    pub at: usize,
    /// Where the values of its keys stand.
    pub places: BTreeMap<String, usize>,
    /// Name.
    pub name: String,
    /// Instances, `PUZZLE/INSTANCE`.
    pub instances: Vec<Placed<String>>,
    /// Settings.
    pub settings: Vec<(String, Placed<String>)>,
    /// Variants; `None` takes the first of the puzzle.
    pub variants: Option<Vec<Placed<String>>>,
    /// Engines; `None` takes the fastest.
    pub engines: Option<Vec<Placed<String>>>,
    /// Thread counts.
    pub threads: Vec<u16>,
    /// Whether anything was a list, so that refusals are rows and not errors.
    pub listed: bool,
    /// Direction.
    pub direction: Option<Direction>,
    /// Start.
    pub from: Option<String>,
    /// End.
    pub to: Option<String>,
    /// Greatest level.
    pub max_depth: Option<u16>,
    /// Table of engine dense.
    pub table: Option<Representation>,
    /// What it runs.
    pub verb: Verb,
    /// Time of a sample.
    pub timeout: Duration,
    /// Memory of a sample.
    pub memory: Option<u64>,
    /// Group, where one was named.
    pub group: Option<String>,
    /// Answer, where one was given.
    pub expect: Option<String>,
    /// Whether it is measured against itself.
    pub twin: bool,
}

impl RowText {
    /// Where the value of a key stands, else the row.
    #[must_use]
    pub fn place(&self, key: &str) -> usize {
        self.places.get(key).copied().unwrap_or(self.at)
    }
}

/// Longest time of a sample: a week.
const LONGEST: Duration = Duration::from_secs(7 * 24 * 3600);

impl Suite {
    /// Reads a suite's text.
    ///
    /// # Errors
    /// [`SuiteError`] with line, column and the nearest name.
    pub fn parse(file: &str, text: &str) -> Result<Self, SuiteError> {
        let place = Text { file, text };
        let root = DeTable::parse(text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            place.fault(at, error.message().replace('\n', " "))
        })?;
        let root = root.get_ref();
        Fields::new(place, root, 0, &["suite", "row"])?;
        let part = |name: &str| root.iter().find(|(key, _)| key.get_ref() == name);
        let Some((_, head)) = part("suite") else {
            return Err(place.fault(0, "the table [suite] with a name is missing"));
        };
        let DeValue::Table(table) = head.get_ref() else {
            return Err(place.fault(head.span().start, "'suite' must be a table: [suite]"));
        };
        let head = Fields::new(place, table, head.span().start, &names(&SUITE_KEYS))?;
        let limits = Limits::read(&head, None)?;
        let mut rows: Vec<RowText> = Vec::new();
        let Some((_, list)) = part("row") else {
            return Err(place.fault(text.len(), "there is no [[row]]: nothing to measure"));
        };
        let DeValue::Array(list) = list.get_ref() else {
            return Err(place.fault(list.span().start, "rows are written [[row]]"));
        };
        for row in list.iter() {
            let at = row.span().start;
            let DeValue::Table(table) = row.get_ref() else {
                return Err(place.fault(at, "rows are written [[row]]"));
            };
            let row = read_row(
                place,
                &Fields::new(place, table, at, &names(&ROW_KEYS))?,
                limits,
            )?;
            if rows.iter().any(|other| other.name == row.name) {
                let message = format!("a second row named '{}'", row.name);
                return Err(place.fault(row.place("name"), message));
            }
            rows.push(row);
        }
        let plugins = head
            .strings("plugins")?
            .map_or_else(Vec::new, |found| found.0);
        let suite = Self {
            file: file.to_owned(),
            text: text.to_owned(),
            blake3: blake3::hash(text.as_bytes()).to_hex().to_string(),
            name: suite_name(place, head.needed("name")?)?,
            seed: head.number("seed", (0, i64::MAX as u64))?.unwrap_or(1),
            samples: head.number("samples", (1, 10_000))?.unwrap_or(10) as u32,
            warmups: head.number("warmups", (0, 100))?.unwrap_or(1) as u32,
            noise: head.number("noise", (1, 1_000))?.unwrap_or(1) as usize,
            plugins: plugins
                .into_iter()
                .map(|(file, at)| (file.into(), at))
                .collect(),
            rows,
        };
        suite.check_warmups(place, head.place("warmups"))?;
        Ok(suite)
    }

    /// Without a warm-up nothing says what the first sample should answer.
    fn check_warmups(&self, place: Text<'_>, at: usize) -> Result<(), SuiteError> {
        let open = self.rows.iter().find(|row| row.expect.is_none());
        match open {
            Some(row) if self.warmups == 0 => Err(place.fault(
                at,
                format!(
                    "warmups = 0 leaves nothing to check the first samples against: row '{}' has no 'expect'; write warmups = 1",
                    row.name
                ),
            )),
            _ => Ok(()),
        }
    }

    /// An error at a place of the text.
    #[must_use]
    pub fn fault(&self, at: usize, message: impl Into<String>) -> SuiteError {
        let place = Text {
            file: &self.file,
            text: &self.text,
        };
        place.fault(at, message)
    }
}

/// A suite's name becomes that of a folder.
fn suite_name(place: Text<'_>, (name, at): Placed<String>) -> Result<String, SuiteError> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    if name.is_empty() || name.starts_with('.') || !name.chars().all(is_plain) {
        let message = format!(
            "'{}' is no name of a suite: write letters, digits, '.', '_' and '-', not beginning with '.'",
            name.escape_debug()
        );
        return Err(place.fault(at, message));
    }
    Ok(name)
}

/// Limits of a sample.
#[derive(Clone, Copy)]
struct Limits {
    timeout: Duration,
    memory: Option<u64>,
}

impl Limits {
    fn read(fields: &Fields<'_>, outer: Option<Self>) -> Result<Self, SuiteError> {
        let time = |text: &str| match humantime::parse_duration(text) {
            Ok(time) if time.is_zero() || time > LONGEST => {
                Err("write a time above 0 and up to a week".to_owned())
            }
            Ok(time) => Ok(time),
            Err(why) => Err(format!("{why}; write a time such as 30s or 2m")),
        };
        let outer_time = outer.map_or(Duration::from_secs(60), |outer| outer.timeout);
        Ok(Self {
            timeout: fields.read("timeout", time)?.unwrap_or(outer_time),
            memory: fields
                .read("memory", memory::parse)?
                .or(outer.and_then(|outer| outer.memory)),
        })
    }
}

/// An answer that a row of this verb can give; any other would make each of its samples wrong.
fn answer(verb: Verb, text: &str) -> Result<String, String> {
    let is_length = |text: &str| {
        let read: Option<u32> = text.parse().ok();
        read.is_some_and(|length| length.to_string() == text)
    };
    let is_digit = |c: u8| matches!(c, b'0'..=b'9' | b'a'..=b'f');
    let (fits, form) = match verb {
        Verb::Analyse => (
            text.len() == 32 && text.bytes().all(is_digit),
            "the digest of a level table: 32 lowercase hexadecimal digits, as samples.csv shows them",
        ),
        Verb::Solve => (
            text == "unsolvable" || text.strip_prefix("length ").is_some_and(is_length),
            "\"length N\" or \"unsolvable\"",
        ),
    };
    match fits {
        true => Ok(text.to_owned()),
        false => Err(format!(
            "'{}' is no answer of this row; write {form}",
            text.escape_debug()
        )),
    }
}

fn read_row(place: Text<'_>, row: &Fields<'_>, limits: Limits) -> Result<RowText, SuiteError> {
    let limits = Limits::read(row, Some(limits))?;
    let (name, at) = row.needed("name")?;
    if name.is_empty() || name.contains(['@', '\n', '\r']) {
        let message = "a row's name must not be empty, nor hold '@' or a line end";
        return Err(place.fault(at, message));
    }
    let Some((instances, many)) = row.strings("instance")? else {
        return Err(place.fault(row.at(), "the field 'instance' is missing"));
    };
    let mut listed = many;
    let mut several = |key: &str| -> Result<Option<Vec<Placed<String>>>, SuiteError> {
        let found = row.strings(key)?;
        if let Some((names, many)) = &found {
            listed |= *many || names.iter().any(|(name, _)| name == "all");
        }
        Ok(found.map(|found| found.0))
    };
    let (variants, engines) = (several("variant")?, several("engine")?);
    let threads = row.numbers("threads")?;
    listed |= threads.as_ref().is_some_and(|(_, many)| *many);
    let threads = threads.map_or_else(|| vec![("1".to_owned(), 0)], |found| found.0);
    let threads = threads.into_iter().map(|(text, at)| {
        let number = text.parse().ok().filter(|n| (1..=1024).contains(n));
        number.ok_or_else(|| {
            place.fault(
                at,
                format!("'threads' takes whole numbers from 1 to 1024, not {text}"),
            )
        })
    });
    let verb = row.read("verb", |text| match text {
        "analyse" => Ok(Verb::Analyse),
        "solve" => Ok(Verb::Solve),
        _ => Err(format!(
            "no verb '{text}'; {}",
            nearest(text, ["analyse", "solve"].into_iter())
        )),
    })?;
    let direction = row.read("direction", |text| match text {
        "forward" => Ok(Direction::Forward),
        "backward" => Ok(Direction::Backward),
        _ => Err(format!(
            "no direction '{text}'; {}",
            nearest(text, ["forward", "backward"].into_iter())
        )),
    })?;
    let text = |key: &str| Ok(row.string(key)?.map(|found| found.0));
    let verb = verb.unwrap_or(Verb::Analyse);
    let found = RowText {
        at: row.at(),
        places: row.places(),
        name,
        instances,
        settings: row.pairs("set")?,
        variants,
        engines,
        threads: threads.collect::<Result<_, _>>()?,
        listed,
        direction,
        from: text("from")?,
        to: text("to")?,
        max_depth: row
            .number("max-depth", (0, u64::from(u16::MAX)))?
            .map(|depth| depth as u16),
        table: row.read("table", str::parse)?,
        verb,
        timeout: limits.timeout,
        memory: limits.memory,
        group: text("group")?,
        expect: row.read("expect", |text| answer(verb, text))?,
        twin: row.flag("self")?,
    };
    let solves = found.verb == Verb::Solve;
    let unheeded = match solves {
        true => [
            ("direction", found.direction.is_some()),
            ("max-depth", found.max_depth.is_some()),
            ("table", found.table.is_some()),
        ],
        false => [("to", found.to.is_some()), ("", false), ("", false)],
    };
    if let Some((key, _)) = unheeded.iter().find(|(_, given)| *given) {
        let verb = if solves { "solve" } else { "analyse" };
        let message = format!("'{key}' says nothing with verb = \"{verb}\"; leave it out");
        return Err(place.fault(found.place(key), message));
    }
    Ok(found)
}
