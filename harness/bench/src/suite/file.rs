//! A suite: rows to measure, as a TOML file.
//!
//! [`keys`](super::keys) says what every key means and its default; `bench --help` shows it, with
//! an example.
//!
//! A row that gives a list (or `all`) stands for every combination. Each is its own row named
//! `NAME/instance/variant/engine/threads`, with only the parts that vary. Combinations that an
//! engine cannot run stay in the table, marked `refused`; a row that names one such combination
//! itself is bad input.

use std::collections::BTreeMap;
use std::time::Duration;

use puzzle_api::{Direction, Settings};
use serde::{Deserialize, Deserializer};
use toml::{Spanned, Value};

use antipode_graph::direction_name;
use antipode_search::engines::Representation;
use antipode_search::memory;

use super::listed::Listed;
use crate::document::{Document, DocumentError, Whole, nearest, parsed, start, value};

/// A suite as its file defines it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table: [suite]")]
pub struct Suite {
    /// File as given, for errors.
    #[serde(skip)]
    pub file: String,
    #[serde(skip)]
    pub(crate) text: String,
    #[serde(skip)]
    pub(crate) blake3: String,
    /// Rows, not yet spread out.
    #[serde(skip)]
    pub(crate) rows: Vec<RowText>,
    /// Name.
    pub name: Spanned<String>,
    pub(crate) seed: Option<u64>,
    #[serde(default)]
    pub(crate) samples: Whole<1, 10_000, 10>,
    pub(crate) warmups: Option<Spanned<Whole<0, 100, 1>>>,
    #[serde(default)]
    pub(crate) noise: Whole<1, 1_000, 1>,
    #[serde(default, deserialize_with = "time")]
    pub(crate) timeout: Option<Spanned<Duration>>,
    #[serde(default, deserialize_with = "size")]
    pub(crate) memory: Option<Spanned<u64>>,
    #[serde(default)]
    pub(crate) plugins: Listed<String>,
    #[serde(default)]
    pub(crate) limit: GrowthLimits,
}

/// The figures for which the gate has limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Metric {
    /// The ratio of times.
    Time,
    /// States expanded.
    States,
    /// Moves generated.
    Moves,
    /// Bytes read.
    Read,
    /// Bytes written.
    Written,
    /// Resident memory at its highest.
    Peak,
    /// Instructions.
    Instructions,
}

/// Growth that fails, by metric.
pub type GrowthLimits = BTreeMap<Metric, Spanned<f64>>;

fn check_limits(document: Document<'_>, limits: &GrowthLimits) -> Result<(), DocumentError> {
    let is_odd = |limit: &Spanned<f64>| !(1.0..=1000.0).contains(limit.get_ref());
    match limits.iter().find(|(_, limit)| is_odd(limit)) {
        None => Ok(()),
        Some((metric, limit)) => {
            let metric = format!("{metric:?}").to_lowercase();
            let text = format!(
                "'{metric}' takes a factor from 1 to 1000, not {}",
                limit.get_ref()
            );
            Err(document.fault(limit.span().start, text))
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    suite: Option<Suite>,
    #[serde(default)]
    row: Vec<Spanned<RowText>>,
}

/// What a row runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verb {
    /// The level table.
    #[default]
    Analyse,
    /// A shortest path.
    Solve,
}

impl Verb {
    /// In the form of the command line and of a suite.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Analyse => "analyse",
            Self::Solve => "solve",
        }
    }
}

/// A row as its file defines it.
#[derive(Debug, Clone, Deserialize)]
#[serde(
    deny_unknown_fields,
    rename_all = "kebab-case",
    expecting = "a table, written [[row]]"
)]
pub(crate) struct RowText {
    /// Its place in the text.
    #[serde(skip)]
    pub at: usize,
    pub name: Spanned<String>,
    pub was: Option<Spanned<String>>,
    #[serde(default)]
    pub instance: Listed<String>,
    #[serde(default)]
    pub parameters: BTreeMap<String, Listed<Value>>,
    pub set: Option<Spanned<BTreeMap<String, Spanned<Value>>>>,
    pub variant: Option<Listed<String>>,
    pub engine: Option<Listed<String>>,
    pub threads: Option<Listed<Whole<1, 1024, 1>>>,
    #[serde(default, deserialize_with = "direction")]
    pub direction: Option<Spanned<Direction>>,
    pub from: Option<Spanned<String>>,
    pub to: Option<Spanned<String>>,
    pub max_depth: Option<Spanned<u16>>,
    #[serde(default, deserialize_with = "table")]
    pub table: Option<Spanned<Representation>>,
    #[serde(default)]
    pub verb: Verb,
    pub command: Option<Spanned<Vec<String>>>,
    pub prepare: Option<Spanned<Vec<String>>>,
    pub cleanup: Option<Spanned<Vec<String>>>,
    #[serde(default)]
    pub limit: GrowthLimits,
    #[serde(default, deserialize_with = "time")]
    pub timeout: Option<Spanned<Duration>>,
    #[serde(default, deserialize_with = "size")]
    pub memory: Option<Spanned<u64>>,
    pub group: Option<String>,
    pub expect: Option<Spanned<String>>,
    /// Whether it is measured against itself.
    #[serde(rename = "self", default)]
    pub twin: bool,
}

const LONGEST: Duration = Duration::from_secs(7 * 24 * 3600);

fn time<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Spanned<Duration>>, D::Error> {
    parsed(from, |text| match humantime::parse_duration(text) {
        Ok(time) if time.is_zero() || time > LONGEST => {
            Err("write a time above 0 and up to a week".to_owned())
        }
        Ok(time) => Ok(time),
        Err(why) => Err(format!("{why}; write a time such as 30s or 2m")),
    })
}

fn size<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Spanned<u64>>, D::Error> {
    parsed(from, memory::parse)
}

fn table<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Spanned<Representation>>, D::Error> {
    parsed(from, str::parse)
}

fn direction<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Spanned<Direction>>, D::Error> {
    let all = [Direction::Forward, Direction::Backward];
    parsed(from, |text| {
        let found = all.into_iter().find(|way| direction_name(*way) == text);
        let near = || nearest(text, all.into_iter().map(direction_name));
        found.ok_or_else(|| format!("no direction '{text}'; {}", near()))
    })
}

impl Suite {
    /// Reads a suite's text.
    pub fn parse(file: &str, text: &str) -> Result<Self, DocumentError> {
        let document = Document { file, text };
        let read: File = document.read()?;
        let Some(mut suite) = read.suite else {
            return Err(document.fault(0, "the table [suite] with a name is missing"));
        };
        if read.row.is_empty() {
            return Err(document.fault(text.len(), "there is no [[row]]: nothing to measure"));
        }
        check_name(document, &suite.name)?;
        check_limits(document, &suite.limit)?;
        for row in read.row {
            let at = row.span().start;
            let row = RowText {
                at,
                ..row.into_inner()
            };
            for row in row.scanned(document)? {
                row.check(document)?;
                suite.rows.push(row);
            }
        }
        // Without a warm-up, the expected answer of the first sample is unknown.
        if let Some(row) = suite.rows.iter().find(|row| row.expect.is_none())
            && suite.warmups() == 0
        {
            let message = format!(
                "warmups = 0 leaves nothing to check the first samples against: row '{}' has no 'expect'; write warmups = 1",
                row.name
            );
            return Err(document.fault(start(&suite.warmups).unwrap_or(0), message));
        }
        suite.blake3 = digest(text);
        (suite.file, suite.text) = (file.to_owned(), text.to_owned());
        Ok(suite)
    }

    /// Runs of each row before the first sample.
    pub fn warmups(&self) -> u32 {
        value(&self.warmups).unwrap_or_default().0
    }

    /// An error at a place of the text.
    pub fn fault(&self, at: usize, message: impl std::fmt::Display) -> DocumentError {
        let (file, text) = (&self.file, &self.text);
        Document { file, text }.fault(at, message)
    }
}

/// BLAKE3 of a suite's content: its comments, blanks and line ends do not count.
pub(crate) fn digest(text: &str) -> String {
    let said = toml::from_str::<toml::Table>(text).ok();
    let said = said.and_then(|table| serde_json::to_string(&table).ok());
    let said = said.as_deref().unwrap_or(text);
    blake3::hash(said.as_bytes()).to_hex().to_string()
}

/// A suite's name becomes that of a folder.
fn check_name(document: Document<'_>, name: &Spanned<String>) -> Result<(), DocumentError> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    let text = name.get_ref();
    if text.is_empty() || text.starts_with('.') || !text.chars().all(is_plain) {
        let message = format!(
            "'{}' is no name of a suite: write letters, digits, '.', '_' and '-', not beginning with '.'",
            text.escape_debug()
        );
        return Err(document.fault(name.span().start, message));
    }
    Ok(())
}

/// The form of the answers of a row of this verb, if a text does not have it. Any other form would
/// make each of its samples wrong.
fn other_form(verb: Verb, text: &str) -> Option<&'static str> {
    let is_digit = |c: u8| matches!(c, b'0'..=b'9' | b'a'..=b'f');
    let length = text.strip_prefix("length ");
    let is_length =
        length.is_some_and(|n| n.parse::<u32>().is_ok_and(|read| read.to_string() == n));
    match verb {
        Verb::Analyse if text.len() == 32 && text.bytes().all(is_digit) => None,
        Verb::Analyse => Some(
            "the digest of a level table: 32 lowercase hexadecimal digits, as samples.csv shows them",
        ),
        Verb::Solve if is_length || text == "unsolvable" => None,
        Verb::Solve => Some("\"length N\" or \"unsolvable\""),
    }
}

fn setting(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Integer(_) | Value::Boolean(_) => Some(value.to_string()),
        _ => None,
    }
}

/// The whole numbers of `FIRST..LAST` or `FIRST..LAST:STEP`, as texts; of more than can be rows no
/// more than that.
fn range(text: &str) -> Option<Vec<String>> {
    let (first, rest) = text.split_once("..")?;
    let (last, step) = rest.split_once(':').unwrap_or((rest, "1"));
    let (first, last): (i32, i32) = (first.parse().ok()?, last.parse().ok()?);
    let step = step.parse().ok().filter(|step| *step > 0)?;
    let all = (first..=last).step_by(step).take(SCANNED + 1);
    Some(all.map(|n| n.to_string()).collect())
}

const SCANNED: usize = 1000;

impl RowText {
    /// A row for each combination of the values of its parameters, named after them.
    fn scanned(self, document: Document<'_>) -> Result<Vec<Self>, DocumentError> {
        let parameters = self.parameters.clone();
        let mut rows = vec![self];
        for (key, listed) in &parameters {
            let fault =
                |why: &str| Err(document.fault(listed.at, format!("parameter '{key}' {why}")));
            let texts = listed.values.iter().map(|value| setting(value.get_ref()));
            let Some(texts) = texts.collect::<Option<Vec<String>>>() else {
                return fault(
                    "takes texts, whole numbers, or a range such as \"1..8\" or \"10..50:10\"",
                );
            };
            let spread = texts
                .into_iter()
                .flat_map(|text| range(&text).unwrap_or_else(|| vec![text]));
            let values: Vec<String> = spread.take(SCANNED + 1).collect();
            if values.is_empty() || values.len() * rows.len() > SCANNED {
                return fault(&format!("makes no row, or more than {SCANNED} of them"));
            }
            let hole = format!("{{{key}}}");
            let before = rows;
            rows = Vec::new();
            for row in &before {
                for value in &values {
                    let mut row = row.clone();
                    let mut is_used = false;
                    row.texts(&mut |text| {
                        is_used |= text.contains(&hole);
                        *text = text.replace(&hole, value);
                    });
                    if !is_used {
                        return fault(&format!(
                            "does not occur in the row; write {hole} in its command, or in a text"
                        ));
                    }
                    for name in [&mut row.name].into_iter().chain(&mut row.was) {
                        *name.get_mut() += &format!("/{value}");
                    }
                    rows.push(row);
                }
            }
        }
        Ok(rows)
    }

    /// Every text that can have a parameter.
    fn texts(&mut self, each: &mut dyn FnMut(&mut String)) {
        let lists = [&mut self.command, &mut self.prepare, &mut self.cleanup];
        let words = lists.into_iter().flatten().flat_map(Spanned::get_mut);
        let ends = [&mut self.from, &mut self.to, &mut self.expect];
        let ends = ends.into_iter().flatten().map(Spanned::get_mut);
        let instances = self.instance.values.iter_mut().map(Spanned::get_mut);
        (words.chain(ends).chain(instances).chain(&mut self.group)).for_each(&mut *each);
        let set = self.set.iter_mut();
        for value in set.flat_map(|set| set.get_mut().values_mut()) {
            if let Value::String(text) = value.get_mut() {
                each(text);
            }
        }
    }

    /// Checks that serde cannot make: which keys and values go together.
    fn check(&self, document: Document<'_>) -> Result<(), DocumentError> {
        let name = self.name.get_ref();
        if name.is_empty() || name.contains(|c: char| c == '@' || c.is_control()) {
            let message = "a row's name must not be empty, nor hold '@' or a control character";
            return Err(document.fault(self.name.span().start, message));
        }
        if self.instance.values.is_empty() && self.command.is_none() {
            return Err(document.fault(self.at, "the field 'instance' is missing"));
        }
        let commands = [&self.command, &self.prepare, &self.cleanup];
        for words in commands.into_iter().flatten() {
            let is_none = words.get_ref().first().is_none_or(String::is_empty);
            if is_none || words.get_ref().iter().any(|word| word.contains('\0')) {
                let message = "write [\"PROGRAM\", \"ARGUMENT\", …], without the character 0";
                return Err(document.fault(words.span().start, message));
            }
        }
        self.check_command(document)?;
        check_limits(document, &self.limit)?;
        if let Some(expect) = &self.expect
            && self.command.is_none()
            && let Some(form) = other_form(self.verb, expect.get_ref())
        {
            let message = format!(
                "expect: '{}' is no answer of this row; write {form}",
                expect.get_ref().escape_debug()
            );
            return Err(document.fault(expect.span().start, message));
        }
        for (key, value) in self.set.iter().flat_map(|set| set.get_ref()) {
            if setting(value.get_ref()).is_none() {
                let kind = value.get_ref().type_str();
                let message =
                    format!("'{key}' takes a text or a whole number, not one of type {kind}");
                return Err(document.fault(value.span().start, message));
            }
        }
        let ignored = match self.verb {
            Verb::Solve => vec![
                ("direction", start(&self.direction)),
                ("max-depth", start(&self.max_depth)),
                ("table", start(&self.table)),
            ],
            Verb::Analyse => vec![("to", start(&self.to))],
        };
        match ignored.into_iter().find_map(|(key, at)| Some((key, at?))) {
            None => Ok(()),
            Some((key, at)) => {
                let verb = self.verb.name();
                let text = format!("'{key}' says nothing with verb = \"{verb}\"; leave it out");
                Err(document.fault(at, text))
            }
        }
    }

    /// A command's arguments define its work.
    fn check_command(&self, document: Document<'_>) -> Result<(), DocumentError> {
        let Some(command) = &self.command else {
            return Ok(());
        };
        let at = command.span().start;
        let is_empty = |text: &&Spanned<String>| text.get_ref().trim().is_empty();
        if let Some(text) = self.expect.as_ref().filter(is_empty) {
            let message = "every output holds an empty text; leave 'expect' out, and rows of one group have to print the same";
            return Err(document.fault(text.span().start, message));
        }
        let ours = [
            ("variant", self.variant.is_some()),
            ("engine", self.engine.is_some()),
            ("threads", self.threads.is_some()),
            ("table", self.table.is_some()),
            ("set", self.set.is_some() && self.instance.values.is_empty()),
        ];
        ours.into_iter()
            .find(|(_, given)| *given)
            .map_or(Ok(()), |(key, _)| {
                let text = format!("'{key}' says nothing to another program; leave it out");
                Err(document.fault(at, text))
            })
    }

    /// Settings of the instance.
    pub fn settings(&self) -> Settings {
        let all = self.set.iter().flat_map(|set| set.get_ref());
        all.filter_map(|(key, value)| Some((key.clone(), setting(value.get_ref())?)))
            .collect()
    }

    /// Whether anything is a list, so that a combination that an engine cannot run is a row and no
    /// error.
    pub fn is_listed(&self) -> bool {
        let names = [&self.variant, &self.engine].into_iter().flatten();
        let many = |names: &Listed<String>| names.is_list || names.holds("all");
        self.instance.is_list
            || !self.parameters.is_empty()
            || names.into_iter().any(many)
            || self.threads.as_ref().is_some_and(|threads| threads.is_list)
    }

    /// Thread counts, at least one.
    pub fn threads(&self) -> impl Iterator<Item = u16> {
        let counts = self.threads.iter().flat_map(|counts| &counts.values);
        let one = self.threads.is_none().then_some(1);
        one.into_iter()
            .chain(counts.map(|count| count.get_ref().0 as u16))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::keys::{ROW_KEYS, SUITE_KEYS};

    #[test]
    fn remarks_and_line_ends_are_no_other_suite() {
        let text = "[suite]\nname = \"s\"\n[[row]]\nname = \"a\"\n";
        let same = format!("# a remark\n{text}").replace('\n', "\r\n");
        assert_eq!(digest(text), digest(&same));
        assert_ne!(digest(text), digest(&text.replace("\"a\"", "\"b\"")));
    }

    /// If a key is unknown, Serde's error names the keys that it reads.
    #[test]
    fn the_help_is_of_the_keys_that_are_read() {
        let read = |text: &str| {
            let error = toml::from_str::<File>(text).map(drop).unwrap_err();
            let names = error.message().split('`').skip(3).step_by(2);
            names.map(str::to_owned).collect::<Vec<_>>()
        };
        for (table, keys) in [("[suite]", SUITE_KEYS), ("[[row]]", ROW_KEYS)] {
            let first = |line: &'static str| line.split_whitespace().next();
            let mut told: Vec<&str> = keys.lines().filter_map(first).collect();
            let mut read = read(&format!("{table}\nodd = 1\n"));
            told.sort_unstable();
            read.sort_unstable();
            assert_eq!(read, told, "{table}");
        }
    }
}
