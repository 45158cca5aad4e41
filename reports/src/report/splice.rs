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
use super::{FoundFolders, FoundRun, ReportError};
use crate::atomic::write_atomically;
use crate::read_error::ReadError;
use crate::text::read_text;
use std::io;
use std::path::Path;

const OPENING: &str = "<!-- antipode:table";
const CLOSING: &str = "<!-- antipode:end -->";
/// Names of tables.
const NAMES: [&str; 7] = [
    "verdicts",
    "claims",
    "runs",
    "rows",
    "imported",
    "comparison",
    "which",
];
/// Names of tables of an instance.
const OF_INSTANCE: [&str; 3] = ["levels", "cost", "forecast"];

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
    let is_known = match name.split_once(' ') {
        None => NAMES.contains(&name),
        Some((kind, _)) => OF_INSTANCE.contains(&kind),
    };
    is_known.then_some(()).ok_or_else(|| {
        format!(
            "no table is called \"{name}\"; there are {}, and with an instance behind the name, as in \"levels tilt/box\", {}",
            NAMES.join(", "),
            OF_INSTANCE.join(", ")
        )
    })
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
            match name.split(' ').next() {
                Some("cost") => tables::cost(run),
                Some("forecast") => tables::forecast(run),
                _ => tables::levels(&run.levels),
            }
        }
    })
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
/// [`ReportError`], in one line with file and line; the file is not changed.
pub fn splice_file(path: impl AsRef<Path>, found: &FoundFolders) -> Result<usize, ReportError> {
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
