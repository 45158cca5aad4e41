//! The rows of a suite, spread out and held against what the puzzles and engines can do.

use std::sync::Arc;
use std::time::Duration;

use puzzle_api::{Direction, Settings};

use antipode_reports::model::Plugin;

use super::ends;
use super::fields::{Placed, SuiteError, nearest};
use super::question::question;
use super::suite::{RowText, Suite, Verb};
use antipode_check::analysis::{Checks, Request, planned};
use antipode_check::ask::{self, PathRequest};
use antipode_graph::Library;
use antipode_search::engine::{Kind, Means, Opt};
use antipode_search::engines::{EngineError, Representation};
use antipode_search::record::plugin_of;
use antipode_search::registry::EngineId;

/// One thing to measure.
#[derive(Debug, Clone)]
pub struct Row {
    /// Unique name.
    pub name: String,
    /// Rows of a group answer the same question.
    pub group: String,
    /// Puzzle.
    pub puzzle: String,
    /// Instance.
    pub instance: String,
    /// Settings.
    pub settings: Settings,
    /// Variant.
    pub variant: String,
    /// Engine; `None` for a path where the row names none.
    pub engine: Option<EngineId>,
    /// Direction; `None` for a path, or where it was refused before one was known.
    pub direction: Option<Direction>,
    /// Worker threads.
    pub threads: u16,
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
    /// Answer, where the suite gives one.
    pub expect: Option<String>,
    /// Whether it is measured against itself.
    pub twin: bool,
    /// Where the rules come from.
    pub plugin: Plugin,
    /// Where the suite's text tells of it.
    pub at: usize,
    /// Why the engine cannot hold it.
    pub refused: Option<String>,
}

impl Row {
    /// Engine as the table shows it.
    #[must_use]
    pub fn engine_name(&self) -> &'static str {
        self.engine.map_or("solve", EngineId::name)
    }

    /// Settings as the table shows them.
    #[must_use]
    pub fn settings_text(&self) -> String {
        let pairs = self
            .settings
            .iter()
            .map(|(key, value)| format!("{key}={value}"));
        pairs.collect::<Vec<_>>().join(";")
    }
}

/// All rows of a suite.
///
/// # Errors
/// A name that is not known, with the nearest; a row that names one combination which its
/// engine cannot hold; two rows of one name.
pub fn spread(suite: &Suite, libraries: &[Arc<Library>]) -> Result<Vec<Row>, SuiteError> {
    let mut rows: Vec<Row> = Vec::new();
    let mut places = Vec::new();
    for text in &suite.rows {
        for instance in &text.instances {
            let (library, name) = find(suite, libraries, instance)?;
            for variant in variants(suite, text, &library)? {
                for engine in engines(suite, text)? {
                    for &threads in &text.threads {
                        let choice = Choice {
                            library: &library,
                            instance: &name,
                            at: instance.1,
                            variant: &variant,
                            engine,
                            threads,
                        };
                        rows.push(row(suite, text, &choice)?);
                        places.push(text.place("name"));
                    }
                }
            }
        }
    }
    ask_alike(&mut rows);
    for (i, row) in rows.iter().enumerate() {
        if rows[..i].iter().any(|other| other.name == row.name) {
            let message = format!("two rows come to the name '{}'; rename one", row.name);
            return Err(suite.fault(places[i], message));
        }
    }
    one_answer_a_group(suite, &rows)?;
    if !rows.iter().any(|row| row.twin) {
        let able = rows.iter_mut().filter(|row| row.refused.is_none());
        able.take(suite.noise).for_each(|row| row.twin = true);
    }
    Ok(rows)
}

/// Rows of one group answer one question, so they cannot be expected to answer it differently.
fn one_answer_a_group(suite: &Suite, rows: &[Row]) -> Result<(), SuiteError> {
    let told = || {
        rows.iter()
            .filter_map(|row| Some((row, row.expect.as_ref()?)))
    };
    for (row, expect) in told() {
        let other = told().find(|(other, answer)| other.group == row.group && *answer != expect);
        if let Some((other, answer)) = other {
            let message = format!(
                "rows '{}' and '{}' answer the same question ({}), and 'expect' says {expect} of the one and {answer} of the other; one of them is wrong",
                row.name, other.name, row.group
            );
            return Err(suite.fault(row.at, message));
        }
    }
    Ok(())
}

/// A refused combination asks what the others of its list ask: the way they go is known.
fn ask_alike(rows: &mut [Row]) {
    for at in 0..rows.len() {
        if rows[at].refused.is_none() || rows[at].direction.is_some() {
            continue;
        }
        let row = &rows[at];
        let like = rows.iter().find(|other| {
            other.direction.is_some()
                && (&other.puzzle, &other.instance, &other.settings)
                    == (&row.puzzle, &row.instance, &row.settings)
                && (&other.from, other.max_depth) == (&row.from, row.max_depth)
        });
        if let Some((direction, group)) = like.map(|like| (like.direction, like.group.clone())) {
            (rows[at].direction, rows[at].group) = (direction, group);
        }
    }
}

fn find(
    suite: &Suite,
    libraries: &[Arc<Library>],
    (name, at): &Placed<String>,
) -> Result<(Arc<Library>, String), SuiteError> {
    let Some((puzzle, instance)) = name.split_once('/') else {
        let message = format!("instance '{name}': write PUZZLE/INSTANCE");
        return Err(suite.fault(*at, message));
    };
    let names = libraries.iter().map(|library| library.name.as_str());
    let Some(library) = libraries.iter().find(|library| library.name == puzzle) else {
        let hint = nearest(puzzle, names);
        return Err(suite.fault(*at, format!("no puzzle '{puzzle}'; {hint}")));
    };
    let names = library.instances.iter().map(|known| known.name.as_str());
    if !names.clone().any(|known| known == instance) {
        let hint = nearest(instance, names);
        let message = format!("no instance of {puzzle} '{instance}'; {hint}");
        return Err(suite.fault(*at, message));
    }
    Ok((Arc::clone(library), instance.to_owned()))
}

fn variants(
    suite: &Suite,
    text: &RowText,
    library: &Arc<Library>,
) -> Result<Vec<String>, SuiteError> {
    let Some(wanted) = &text.variants else {
        return Ok(library.variants[..1].to_vec());
    };
    if let [(all, _)] = &wanted[..]
        && all == "all"
    {
        return Ok(library.variants.clone());
    }
    let known = |(name, at): &Placed<String>| match library.has_variant(name) {
        true => Ok(name.clone()),
        false => {
            let hint = nearest(name, library.variants.iter().map(String::as_str));
            let message = format!("{} has no variant '{name}'; {hint}", library.name);
            Err(suite.fault(*at, message))
        }
    };
    wanted.iter().map(known).collect()
}

fn engines(suite: &Suite, text: &RowText) -> Result<Vec<Option<EngineId>>, SuiteError> {
    let Some(wanted) = &text.engines else {
        return Ok(vec![None]);
    };
    let kind = text.verb.kind();
    if let [(all, _)] = &wanted[..]
        && all == "all"
    {
        return Ok(EngineId::all(kind).into_iter().map(Some).collect());
    }
    let known = |(name, at): &Placed<String>| {
        let all = EngineId::all(kind);
        let hint = || nearest(name, all.iter().map(|engine| engine.name()));
        match EngineId::named(name, kind) {
            Ok(engine) => Ok(Some(engine)),
            Err(_) => Err(suite.fault(*at, format!("no engine '{name}'; {}", hint()))),
        }
    };
    wanted.iter().map(known).collect()
}

struct Choice<'a> {
    library: &'a Arc<Library>,
    instance: &'a str,
    /// Where the instance stands in the text.
    at: usize,
    variant: &'a str,
    engine: Option<EngineId>,
    threads: u16,
}

fn row(suite: &Suite, text: &RowText, choice: &Choice<'_>) -> Result<Row, SuiteError> {
    let settings = text.settings.iter();
    let settings: Settings = settings
        .map(|(key, (value, _))| (key.clone(), value.clone()))
        .collect();
    let mut row = Row {
        name: name(text, choice),
        group: String::new(),
        puzzle: choice.library.name.clone(),
        instance: choice.instance.to_owned(),
        settings,
        variant: choice.variant.to_owned(),
        engine: choice.engine,
        direction: text.direction,
        threads: choice.threads,
        from: text.from.clone(),
        to: text.to.clone(),
        max_depth: text.max_depth,
        table: text.table,
        verb: text.verb,
        timeout: text.timeout,
        memory: text.memory,
        expect: text.expect.clone(),
        twin: text.twin,
        plugin: plugin_of(choice.library),
        at: text.at,
        refused: None,
    };
    let opened = choice
        .library
        .open(choice.instance, choice.variant, &row.settings);
    let opened = opened.map_err(|error| {
        let error = error.to_string();
        let at = setting_at(text, &error).unwrap_or(choice.at);
        suite.fault(at, format!("row '{}': {error}", row.name))
    })?;
    ends::check(&row, choice.library, &opened).map_err(|(key, why)| {
        let at = match key {
            "instance" => choice.at,
            key => text.place(key),
        };
        suite.fault(at, format!("row '{}': {why}", row.name))
    })?;
    let tables = |engine: EngineId| engine.heeds(Kind::Levels, Opt::Table);
    if row.engine.is_some_and(|engine| !tables(engine)) {
        row.table = None;
    }
    plan(suite, text, choice.library, &mut row)?;
    // A list of engines means the table for those that have one; otherwise it would be said
    // and not heeded.
    let listed = |wanted: &Vec<Placed<String>>| {
        let named = |name: &str| name.parse().is_ok_and(tables);
        wanted.iter().any(|(name, _)| name == "all" || named(name))
    };
    if let (Some(engine), true) = (row.engine, text.table.is_some())
        && !tables(engine)
        && !text.engines.as_ref().is_some_and(listed)
    {
        let message = format!(
            "row '{}': 'table' is that of engine dense, and this row runs {}; leave it out, or write engine = \"dense\"",
            row.name,
            engine.name()
        );
        return Err(suite.fault(text.place("table"), message));
    }
    row.twin &= row.refused.is_none();
    row.group = text.group.clone().unwrap_or_else(|| question(&row));
    Ok(row)
}

/// Notes which engine runs and which way, or why it cannot.
fn plan(
    suite: &Suite,
    text: &RowText,
    library: &Arc<Library>,
    row: &mut Row,
) -> Result<(), SuiteError> {
    let planned = match (row.verb, row.engine) {
        (Verb::Analyse, _) => planned(&request(row, library)).map(Some),
        (Verb::Solve, Some(_)) => ask::planned(&path_request(row, library)).map(|_| None),
        (Verb::Solve, None) => Ok(None),
    };
    match planned {
        Ok(Some((engine, direction))) => {
            (row.engine, row.direction) = (Some(engine), Some(direction));
        }
        Ok(None) => {}
        Err(EngineError::CannotHold(why)) if text.listed => row.refused = Some(why),
        Err(error) => {
            let mend = match error {
                EngineError::CannotHold(_) => {
                    "; choose another engine, or give a list of them to keep the row as refused"
                }
                _ => "",
            };
            let message = format!("row '{}': {error}{mend}", row.name);
            return Err(suite.fault(text.place("engine"), message));
        }
    }
    Ok(())
}

/// Where the setting stands that an error speaks of; where it names none of them, all of them.
fn setting_at(text: &RowText, error: &str) -> Option<usize> {
    let is_meant = |key: &str| {
        let quoted = error.contains(&format!("'{key}'"));
        quoted
            || error
                .split(' ')
                .any(|word| word.starts_with(&format!("{key}=")))
    };
    let meant = text.settings.iter().find(|(key, _)| is_meant(key));
    let meant = meant.map(|(_, (_, at))| *at);
    meant.or_else(|| text.places.get("set").copied())
}

fn request(row: &Row, library: &Arc<Library>) -> Request {
    let means = means(row, Kind::Levels);
    Request {
        library: Arc::clone(library),
        instance: row.instance.clone(),
        settings: row.settings.clone(),
        variant: Some(row.variant.clone()),
        engine: row.engine,
        direction: row.direction,
        from: row.from.clone(),
        max_depth: row.max_depth,
        threads: row.threads.into(),
        means,
        seed: 1,
        checks: Checks::OFF,
        journal: None,
        show_progress: false,
        command: Vec::new(),
    }
}

fn path_request(row: &Row, library: &Arc<Library>) -> PathRequest {
    PathRequest {
        library: Arc::clone(library),
        instance: row.instance.clone(),
        settings: row.settings.clone(),
        variant: Some(row.variant.clone()),
        from: row.from.clone(),
        to: row.to.clone(),
        engine: row.engine,
        means: means(row, Kind::Path),
    }
}

/// What the engine of a row may take, as far as it heeds it.
fn means(row: &Row, kind: Kind) -> Means {
    let heeds = |option| row.engine.is_some_and(|engine| engine.heeds(kind, option));
    Means {
        threads: row.threads.into(),
        memory: row.memory.filter(|_| heeds(Opt::Memory)),
        table: row.table.filter(|_| heeds(Opt::Table)),
        // Only looked at where a run begins; each sample gets a folder of its own.
        work: heeds(Opt::Work).then(|| "work".into()),
        ..Means::default()
    }
}

/// The row's name, followed by what distinguishes it from others of its list.
fn name(text: &RowText, choice: &Choice<'_>) -> String {
    let many = |names: &Option<Vec<Placed<String>>>| {
        let all = |names: &Vec<Placed<String>>| names.len() > 1 || names[0].0 == "all";
        names.as_ref().is_some_and(all)
    };
    let mut name = text.name.clone();
    let mut add = |part: &str| {
        name.push('/');
        name.push_str(part);
    };
    if text.instances.len() > 1 {
        add(&format!("{}/{}", choice.library.name, choice.instance));
    }
    if many(&text.variants) {
        add(choice.variant);
    }
    if let (Some(engine), true) = (choice.engine, many(&text.engines)) {
        add(engine.name());
    }
    if text.threads.len() > 1 {
        add(&choice.threads.to_string());
    }
    name
}
