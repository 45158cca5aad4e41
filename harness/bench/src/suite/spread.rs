//! The rows of a suite, spread out and checked against the puzzles and engines.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use toml::Spanned;

use antipode_graph::Library;
use antipode_reports::bench::LoadedFile;
use antipode_reports::model::Plugin;
use antipode_search::engines::EngineError;
use antipode_search::record::plugin_of;

use super::file::{RowText, Suite};
use super::listed::Listed;
use super::row::SuiteRow;
use super::{endpoints, engine};
use crate::document::{DocumentError, nearest, start, value};

const MINUTE: Duration = Duration::from_secs(60);

/// All rows of a suite.
///
/// # Errors
/// An unknown name, with the nearest; a row that names one combination which its engine cannot run;
/// two rows of one name.
pub fn spread(suite: &Suite, libraries: &[Arc<Library>]) -> Result<Vec<SuiteRow>, DocumentError> {
    let mut rows: Vec<SuiteRow> = Vec::new();
    for (at, text) in suite.rows.iter().enumerate() {
        let is_second = suite.rows[..at].iter().any(|other| other.name == text.name);
        for choice in choices(suite, text, libraries)? {
            let row = row(suite, text, &choice)?;
            let name = [&row.name, text.name.get_ref()][usize::from(is_second)];
            if is_second || rows.iter().any(|other| other.name == row.name) {
                let message = format!("a second row named '{name}'; rename one");
                return Err(suite.fault(text.name.span().start, message));
            }
            rows.push(row);
        }
    }
    ask_alike(&mut rows);
    if let Some((row, why)) = contradiction(&rows, |row| row.expect.as_ref()) {
        return Err(suite.fault(row.at, why));
    }
    let is_there = |row: &&SuiteRow| {
        rows.iter()
            .any(|other| Some(&other.name) == row.was.as_ref())
    };
    if let Some(row) = rows.iter().find(is_there) {
        let message = "'was' names a row that the suite still has; leave it out";
        return Err(suite.fault(row.at, message));
    }
    doubled(&mut rows, suite.noise.0);
    Ok(rows)
}

/// Measures the first rows against themselves, if no row requests it.
pub fn doubled(rows: &mut [SuiteRow], count: u32) {
    if !rows.iter().any(|row| row.twin) {
        let able = rows.iter_mut().filter(|row| row.refused.is_none());
        able.take(count as usize).for_each(|row| row.twin = true);
    }
}

/// The first of our rows that another one of its group contradicts, and the error: rows of one
/// group answer one question.
pub fn contradiction<'a>(
    rows: &'a [SuiteRow],
    answer: impl Fn(&'a SuiteRow) -> Option<&'a String>,
) -> Option<(&'a SuiteRow, String)> {
    let ours = rows.iter().filter(|row| row.command.is_none());
    let known: Vec<(&SuiteRow, &String)> =
        ours.filter_map(|row| Some((row, answer(row)?))).collect();
    known.iter().find_map(|&(row, a)| {
        let other = (known.iter()).find(|(other, b)| other.group == row.group && *b != a);
        let (other, b) = other?;
        let why = format!(
            "rows '{}' and '{}' answer the same question ({}), and the answers are {a} and {b}; one of them is wrong",
            row.name, other.name, row.group
        );
        Some((row, why))
    })
}

/// A refused combination has the question of the others of its list: their direction is known.
fn ask_alike(rows: &mut [SuiteRow]) {
    let known: Vec<SuiteRow> = rows
        .iter()
        .filter(|row| row.direction.is_some())
        .cloned()
        .collect();
    let is_open = |row: &&mut SuiteRow| row.refused.is_some() && row.direction.is_none();
    for row in rows.iter_mut().filter(is_open) {
        let question = |direction| {
            SuiteRow {
                direction,
                ..row.clone()
            }
            .group_key()
        };
        let like = known
            .iter()
            .find(|known| known.group_key() == question(known.direction));
        if let Some(like) = like {
            (row.direction, row.group) = (like.direction, like.group.clone());
        }
    }
}

struct Choice<'a> {
    /// None for a command that is about no puzzle.
    library: Option<&'a Arc<Library>>,
    instance: &'a str,
    at: usize,
    variant: &'a str,
    engine: Option<&'static str>,
    threads: u16,
}

fn choices<'a>(
    suite: &Suite,
    text: &'a RowText,
    libraries: &'a [Arc<Library>],
) -> Result<Vec<Choice<'a>>, DocumentError> {
    let engines: Vec<Option<&str>> = match &text.engine {
        None => vec![None],
        Some(wanted) => {
            let engines = named(suite, wanted, "no engine", &engine::names(text.verb))?;
            engines.into_iter().map(Some).collect()
        }
    };
    let none = Choice {
        library: None,
        instance: "",
        at: text.at,
        variant: "",
        engine: None,
        threads: 1,
    };
    if text.instance.values.is_empty() {
        return Ok(vec![none]);
    }
    let mut all = Vec::new();
    for instance in &text.instance.values {
        let at = instance.span().start;
        let (library, instance) = find(suite, libraries, instance)?;
        let names: Vec<&str> = library.variants.iter().map(String::as_str).collect();
        let variants = match &text.variant {
            None => vec![names[0]],
            Some(wanted) => {
                let unknown = format!("{} has no variant", library.name);
                named(suite, wanted, &unknown, &names)?
            }
        };
        for variant in variants {
            for &engine in &engines {
                all.extend(text.threads().map(|threads| Choice {
                    library: Some(library),
                    instance,
                    at,
                    variant,
                    engine,
                    threads,
                }));
            }
        }
    }
    Ok(all)
}

fn find<'a>(
    suite: &Suite,
    libraries: &'a [Arc<Library>],
    name: &'a Spanned<String>,
) -> Result<(&'a Arc<Library>, &'a str), DocumentError> {
    let at = name.span().start;
    let Some((puzzle, instance)) = name.get_ref().split_once('/') else {
        return Err(suite.fault(at, format!("instance '{name}': write PUZZLE/INSTANCE")));
    };
    let puzzles: Vec<&str> = libraries.iter().map(|known| known.name.as_str()).collect();
    let library = &libraries[place(suite, (puzzle, at), "no puzzle", &puzzles)?];
    library.find(instance).map_err(|advice| {
        let known = library.instances.iter().map(|known| known.name.as_str());
        let near = match nearest(instance, known) {
            near if near.starts_with("did you mean") => near,
            _ => advice,
        };
        suite.fault(at, format!("no instance of {puzzle} '{instance}'; {near}"))
    })?;
    Ok((library, instance))
}

/// The requested names of a suite, among the existing ones.
fn named<'a>(
    suite: &Suite,
    wanted: &Listed<String>,
    unknown: &str,
    names: &[&'a str],
) -> Result<Vec<&'a str>, DocumentError> {
    if wanted.is_all() {
        return Ok(names.to_vec());
    }
    let one = |name: &Spanned<String>| {
        let found = place(suite, (name.get_ref(), name.span().start), unknown, names)?;
        Ok(names[found])
    };
    wanted.values.iter().map(one).collect()
}

/// Which of some names a name of the suite is.
fn place(
    suite: &Suite,
    (name, at): (&str, usize),
    unknown: &str,
    names: &[&str],
) -> Result<usize, DocumentError> {
    let found = names.iter().position(|known| *known == name);
    found.ok_or_else(|| {
        let near = nearest(name, names.iter().copied());
        suite.fault(at, format!("{unknown} '{name}'; {near}"))
    })
}

fn row(suite: &Suite, text: &RowText, choice: &Choice<'_>) -> Result<SuiteRow, DocumentError> {
    let mut row = blank(suite, text, choice);
    let fault = |at: Option<usize>, why: String| {
        let message = format!("row '{}': {why}", name(text.name.get_ref(), text, choice));
        suite.fault(at.unwrap_or(choice.at), message)
    };
    row.group = text.group.clone().unwrap_or_else(|| row.name.clone());
    let Some(library) = choice.library else {
        row.refused = not_there(&row);
        row.twin &= row.refused.is_none();
        return Ok(row);
    };
    let opened = library.open(choice.instance, choice.variant, &row.settings);
    let opened = opened.map_err(|error| {
        let error = error.to_string();
        fault(start(&text.set), error)
    })?;
    endpoints::check(&row, library, &opened).map_err(|(key, why)| {
        let at = match key {
            "from" => start(&text.from),
            "to" => start(&text.to),
            "direction" => start(&text.direction),
            _ => None,
        };
        fault(at, why)
    })?;
    if row.engine.is_some_and(|name| !engine::has_table(name)) {
        row.table = None;
    }
    match engine::plan(&row, library) {
        Ok((_, direction)) if row.command.is_some() => {
            (row.engine, row.direction) = (None, direction);
            row.refused = not_there(&row);
        }
        Ok(planned) => (row.engine, row.direction) = planned,
        Err(EngineError::CannotHold(why) | EngineError::NotTaken(why)) if text.is_listed() => {
            row.refused = Some(why);
        }
        Err(error) => {
            let hint = match error {
                EngineError::CannotHold(_) | EngineError::NotTaken(_) => {
                    "; choose another engine, or give a list of them to keep the row as refused"
                }
                _ => "",
            };
            let at = text.engine.as_ref().map_or(text.at, |engine| engine.at);
            return Err(fault(Some(at), format!("{error}{hint}")));
        }
    }
    if let Some(why) = stray_table(text, &row) {
        return Err(fault(start(&text.table), why));
    }
    row.twin &= row.refused.is_none();
    row.group = text.group.clone().unwrap_or_else(|| row.group_key());
    Ok(row)
}

/// Why the table that a row requests is not possible. In a list of engines, it applies to the one
/// that has tables.
fn stray_table(text: &RowText, row: &SuiteRow) -> Option<String> {
    let mut names = engine::names(row.verb).into_iter();
    let with_table = names.find(|name| engine::has_table(name))?;
    let is_wanted = |wanted: &Listed<String>| wanted.holds("all") || wanted.holds(with_table);
    let runs = row.engine.filter(|runs| *runs != with_table)?;
    let is_stray = text.table.is_some() && !text.engine.as_ref().is_some_and(is_wanted);
    is_stray.then(|| {
        format!(
            "'table' is that of engine {with_table}, and this row runs {runs}; leave it out, or write engine = \"{with_table}\""
        )
    })
}

fn blank(suite: &Suite, text: &RowText, choice: &Choice<'_>) -> SuiteRow {
    let plugin = choice.library.map(|library| plugin_of(library));
    let file = |of: &Plugin| {
        Some(LoadedFile {
            file: of.file.clone()?,
            blake3: of.blake3.clone()?,
            version: String::new(),
        })
    };
    let mut row = SuiteRow {
        name: name(text.name.get_ref(), text, choice),
        was: (text.was.as_ref()).map(|was| name(was.get_ref(), text, choice)),
        runs: String::new(),
        group: String::new(),
        puzzle: choice.library.map_or("command", |of| &of.name).to_owned(),
        instance: choice.instance.to_owned(),
        settings: text.settings(),
        variant: choice.variant.to_owned(),
        engine: choice.engine,
        direction: value(&text.direction),
        threads: choice.threads,
        from: value(&text.from),
        to: value(&text.to),
        max_depth: value(&text.max_depth),
        table: value(&text.table),
        verb: text.verb,
        command: command(suite, &text.command),
        prepare: command(suite, &text.prepare),
        cleanup: command(suite, &text.cleanup),
        limit: (suite.limit.iter().chain(&text.limit))
            .map(|(metric, limit)| (*metric, *limit.get_ref()))
            .collect(),
        timeout: (value(&text.timeout).or(value(&suite.timeout))).unwrap_or(MINUTE),
        memory: value(&text.memory).or(value(&suite.memory)),
        expect: value(&text.expect),
        twin: text.twin,
        library: plugin.as_ref().and_then(file),
        version: plugin.map_or_else(String::new, |of| of.version),
        at: text.at,
        refused: None,
    };
    row.runs = runs(&row, text);
    row
}

fn runs(row: &SuiteRow, text: &RowText) -> String {
    let words = |words: &Option<Spanned<Vec<String>>>| value(words).map(|words| words.join(" "));
    let table = row.table.map_or("", |table| table.name());
    let threads = match row.threads {
        1 => String::new(),
        threads => format!("{threads} threads"),
    };
    let engine = row.engine.unwrap_or_default();
    let mut parts = match words(&text.command) {
        Some(command) => vec![command],
        None => vec![
            row.group_key(),
            row.variant.clone(),
            engine.to_owned(),
            table.to_owned(),
            threads,
        ],
    };
    parts.extend(words(&text.prepare).map(|words| format!("after {words}")));
    parts.retain(|part| !part.is_empty());
    parts.join(" ")
}

/// A command of a row, its program found from the suite's folder if it is a path.
fn command(suite: &Suite, words: &Option<Spanned<Vec<String>>>) -> Option<Vec<String>> {
    let mut words = value(words)?;
    let folder = Path::new(&suite.file).parent()?;
    if let Some(program) = words.first_mut().filter(|program| program.contains('/')) {
        let path = folder.join(&*program);
        let path = std::path::absolute(&path).unwrap_or(path);
        *program = path.display().to_string();
    }
    Some(words)
}

/// Why a command cannot run: a peer that was not built here.
fn not_there(row: &SuiteRow) -> Option<String> {
    let program = row.command.as_ref()?.first()?;
    let missing = which::which(program).is_err();
    missing.then(|| format!("{program}: there is no such program; build it first"))
}

/// The row's name, followed by what distinguishes it from others of its list.
fn name(of: &str, text: &RowText, choice: &Choice<'_>) -> String {
    let is_many = |names: &Option<Listed<String>>| names.as_ref().is_some_and(Listed::is_many);
    let mut name = of.to_owned();
    let mut add = |part: &str| name += &format!("/{part}");
    if text.instance.values.len() > 1 {
        let puzzle = choice.library.map_or("", |library| library.name.as_str());
        add(&format!("{puzzle}/{}", choice.instance));
    }
    if is_many(&text.variant) {
        add(choice.variant);
    }
    if let (Some(engine), true) = (choice.engine, is_many(&text.engine)) {
        add(engine);
    }
    if text.threads().count() > 1 {
        add(&choice.threads.to_string());
    }
    name
}
