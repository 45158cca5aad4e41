//! Tables in a README, made from results.
//!
//! A table is between two comments, each on its own line:
//!
//! ```markdown
//! <!-- antipode:table which -->
//! | question | solver | …
//! <!-- antipode:end -->
//! ```
//!
//! Names: `verdicts`, `claims`, `runs`, `rows`, `imported`, `comparison`, `which`, and, with an
//! instance after them (`levels tilt/box`), `levels`, `cost` and `forecast`.

use super::tables::{self, ReportTable};
use super::{FoundFolders, FoundRun};
use crate::atomic::{WriteError, write_atomically};
use crate::read_error::ReadError;
use crate::text::read_text;
use std::io;
use std::path::Path;

const OPENING: &str = "<!-- antipode:table";
const CLOSING: &str = "<!-- antipode:end -->";
/// Names of tables; those of one instance come last.
const NAMES: [&str; 10] = [
    "verdicts",
    "claims",
    "runs",
    "rows",
    "imported",
    "comparison",
    "which",
    "levels",
    "cost",
    "forecast",
];
/// Of those, the last ones, this many, need an instance.
const OF_INSTANCE: usize = 3;

/// Why tables could not be renewed; one line.
#[derive(Debug, thiserror::Error)]
pub enum SpliceError {
    /// The file cannot be read, or its marks are wrong.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The file cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}

/// A marked table of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Marked<'a> {
    /// Its name, with the instance after it if there is one.
    pub name: &'a str,
    /// Line of the opening mark, from 1.
    pub line: usize,
    /// The lines between the marks.
    pub body: Vec<&'a str>,
}

impl Marked<'_> {
    /// Headings of the columns at its place.
    pub fn columns(&self) -> Vec<String> {
        let head = self.body.iter().find(|line| line.starts_with('|'));
        head.map_or_else(Vec::new, |line| cells(line))
    }

    /// First cells of the rows at its place.
    pub fn rows(&self) -> Vec<String> {
        let lines = self.body.iter().filter(|line| line.starts_with('|'));
        let first = |line: &&str| cells(line).into_iter().next().unwrap_or_default();
        lines.skip(2).map(first).collect()
    }
}

fn cells(line: &str) -> Vec<String> {
    let inner = line.trim().trim_start_matches('|').trim_end_matches('|');
    // A bar within a cell follows a backslash.
    let shielded = inner.replace("\\|", "\u{1}");
    let cells = shielded.split('|');
    cells
        .map(|cell| cell.trim().replace('\u{1}', "|"))
        .collect()
}

/// Finds the marked tables of a text.
///
/// # Errors
/// Line and reason: a mark that is not closed, closed twice, or of an unknown table.
pub fn marked(text: &str) -> Result<Vec<Marked<'_>>, (usize, String)> {
    let mut found: Vec<Marked> = Vec::new();
    let mut open = false;
    let mut fence = false;
    for (index, line) in text.lines().enumerate() {
        let (number, mark) = (index + 1, line.trim());
        if mark.starts_with("```") {
            fence = !fence;
        }
        // An example in a code block is no mark.
        if fence {
            continue;
        }
        if let Some(rest) = mark.strip_prefix(OPENING) {
            if let (true, Some(last)) = (open, found.last()) {
                return Err((number, unclosed(last.line)));
            }
            let Some(name) = rest.strip_suffix("-->") else {
                return Err((
                    number,
                    "the mark does not end in \"-->\" on its line".into(),
                ));
            };
            let name = name.trim();
            check_name(name).map_err(|reason| (number, reason))?;
            found.push(Marked {
                name,
                line: number,
                body: Vec::new(),
            });
            open = true;
        } else if mark == CLOSING {
            if !open {
                return Err((number, format!("\"{CLOSING}\" closes no table; remove it")));
            }
            open = false;
        } else if let (true, Some(last)) = (open, found.last_mut()) {
            last.body.push(line);
        }
    }
    match (open, found.last()) {
        (true, Some(last)) => Err((last.line, unclosed(last.line))),
        _ => Ok(found),
    }
}

fn unclosed(line: usize) -> String {
    format!("the table that line {line} opens is not closed; put \"{CLOSING}\" behind it")
}

fn check_name(name: &str) -> Result<(), String> {
    let (kind, instance) = name.split_once(' ').unwrap_or((name, ""));
    let Some(place) = NAMES.iter().position(|known| *known == kind) else {
        return Err(format!(
            "no table is called \"{kind}\"; there are {}",
            NAMES.join(", ")
        ));
    };
    match (
        place >= NAMES.len() - OF_INSTANCE,
        instance.trim().is_empty(),
    ) {
        (true, true) => Err(format!(
            "\"{kind}\" wants an instance behind it, as in \"{kind} tilt/box\""
        )),
        (false, false) => Err(format!("\"{kind}\" takes no instance")),
        _ => Ok(()),
    }
}

/// Headings of the columns of a table by its name, as the results make it.
pub fn columns(name: &str) -> Vec<&'static str> {
    let table = match table(&FoundFolders::default(), name) {
        Ok(table) => table,
        Err(_) => of_run(name, &FoundRun::default()),
    };
    table.columns.iter().map(|column| column.name).collect()
}

fn table(found: &FoundFolders, name: &str) -> Result<ReportTable, String> {
    Ok(match name {
        "verdicts" => tables::verdicts(found),
        "claims" => tables::claims(found),
        "runs" => tables::runs(found),
        "rows" => tables::rows(found),
        "imported" => tables::imported(found),
        "comparison" => tables::comparison(found),
        "which" => tables::which(found),
        _ => {
            let instance = name.split_once(' ').map_or("", |(_, rest)| rest.trim());
            let is_it = |found: &&FoundRun| {
                let by_run = found.run.as_ref();
                let by_run = by_run.is_some_and(|run| {
                    let title = run.title();
                    title == instance || run.place() == instance
                });
                by_run || found.folder == instance
            };
            let run = found.runs.iter().find(is_it);
            let run = run.ok_or_else(|| format!("the folders hold no run of \"{instance}\""))?;
            of_run(name, run)
        }
    })
}

fn of_run(name: &str, run: &FoundRun) -> ReportTable {
    match name.split(' ').next() {
        Some("cost") => tables::cost(run),
        Some("forecast") => tables::forecast(run),
        _ => tables::levels(&run.levels),
    }
}

/// The text with its marked tables renewed, and their number.
///
/// # Errors
/// Line and reason, as for [`marked`]; or a table without rows in the results, which would erase
/// the existing one.
pub fn spliced(text: &str, found: &FoundFolders) -> Result<(String, usize), (usize, String)> {
    let tables = marked(text)?;
    if tables.is_empty() {
        let reason =
            format!("no table is marked; put \"{OPENING} NAME -->\" and \"{CLOSING}\" around one");
        return Err((1, reason));
    }
    // Everything outside the marks is unchanged, including its line ends.
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let mut out = String::with_capacity(text.len() * 2);
    let mut next = 0;
    for mark in &tables {
        let table = table(found, mark.name).map_err(|reason| (mark.line, reason))?;
        if table.rows.is_empty() {
            let reason = format!(
                "the folders hold nothing for the table \"{}\"; name those that do",
                mark.name
            );
            return Err((mark.line, reason));
        }
        out.extend(lines[next..mark.line].iter().copied());
        // A table needs an empty line before it to be one, after a comment.
        out += &format!("\n{}\n", table.markdown()).replace('\n', end);
        next = mark.line + mark.body.len();
    }
    out.extend(lines[next..].iter().copied());
    Ok((out, tables.len()))
}

/// Renews the marked tables of a file, all or none; returns their number.
///
/// # Errors
/// [`SpliceError`], in one line with file and line; the file is not changed.
pub fn splice_file(path: impl AsRef<Path>, found: &FoundFolders) -> Result<usize, SpliceError> {
    let path = path.as_ref();
    if let Some(mark) = found.marks.first() {
        let reason = format!(
            "{}; tables are made from files that are as they were written",
            mark.kind.text()
        );
        let error = io::Error::new(io::ErrorKind::InvalidData, reason);
        return Err(ReadError::io(&mark.path(), error).into());
    }
    let text = read_text(path).map_err(|source| ReadError::io(path, source))?;
    let (new, count) = spliced(&text, found)
        .map_err(|(line, reason)| ReadError::line(path, line as u64, reason))?;
    if new != text {
        write_atomically(path, new)?;
    }
    Ok(count)
}
