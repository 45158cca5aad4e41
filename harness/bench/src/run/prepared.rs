//! A suite ready to run: read, with its libraries, and its rows checked against the puzzles.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, bail};
use toml::Spanned;

use antipode_graph::Library;
use antipode_reports::bench::{BenchRun, REMEASURE, RUN_JSON, SUITE_TOML, Sample};
use antipode_reports::json_out::read_record;
use antipode_reports::text::read_text;

use crate::document::nearest;
use crate::suite::{Suite, SuiteRow, doubled, spread};

/// A suite with its rows, read before anything runs, and how it is run.
pub struct Prepared {
    /// The suite.
    pub suite: Suite,
    /// Its rows.
    pub rows: Vec<SuiteRow>,
    /// The suite's libraries, absolute.
    pub plugins: Vec<PathBuf>,
    /// Results folder.
    pub folder: PathBuf,
    /// Samples of each row.
    pub samples: u32,
    /// Seed of the order.
    pub seed: u64,
    /// Answers by row, in addition to the suite's.
    pub expect: BTreeMap<String, String>,
    /// The filters of rows, for the record.
    pub(crate) chosen: Vec<String>,
    pub(crate) executable: PathBuf,
    pub(crate) against: Option<PathBuf>,
    /// Libraries and programs, each with the file that is measured in its place.
    pub(crate) against_files: Vec<(PathBuf, PathBuf)>,
    pub(crate) tell: fn(&Sample),
}

impl Prepared {
    /// Reads a suite and checks its rows against the puzzles, which `load` returns: the built-in
    /// ones and those of the suite's libraries. `tell` is called with each sample.
    ///
    /// # Errors
    /// An invalid text, library or row, with its place in the suite.
    pub fn read(
        file: &Path,
        tell: fn(&Sample),
        load: impl FnOnce(&[PathBuf]) -> Result<Vec<Arc<Library>>>,
    ) -> Result<Self> {
        let name = file.display().to_string();
        let text = read_text(file).map_err(|error| {
            anyhow!("cannot read {name}: {error}; name a suite, a file of TOML that `antipode bench --help` explains")
        })?;
        let suite = Suite::parse(&name, &text)?;
        let plugins = plugin_files(&suite, file)?;
        let libraries = load(&plugins).map_err(|error| in_suite(&suite, &plugins, error))?;
        let rows = spread(&suite, &libraries)?;
        Self::of(suite, rows, plugins, tell)
    }

    fn of(
        suite: Suite,
        rows: Vec<SuiteRow>,
        plugins: Vec<PathBuf>,
        tell: fn(&Sample),
    ) -> Result<Self> {
        let executable = std::env::current_exe().context("cannot find this executable's file")?;
        Ok(Self {
            folder: PathBuf::new(),
            samples: suite.samples.0,
            seed: suite.seed.unwrap_or(1),
            expect: BTreeMap::new(),
            chosen: Vec::new(),
            against: None,
            against_files: Vec::new(),
            suite,
            rows,
            plugins,
            executable,
            tell,
        })
    }

    /// A suite of commands alone, split into words as a shell would. Each prints the value of
    /// `expect`, or the same as the others.
    ///
    /// # Errors
    /// A command without words, or with a missing program.
    pub fn commands(commands: &[String], expect: Option<&str>, tell: fn(&Sample)) -> Result<Self> {
        let mut rows: Vec<toml::Table> = Vec::new();
        for (at, text) in commands.iter().enumerate() {
            let words = shlex::split(text).filter(|words| !words.is_empty());
            let form = "write a program and its arguments, quoted as for a shell";
            let words = words.with_context(|| format!("'{text}': {form}"))?;
            let mut name = antipode_graph::one_line(text).replace('@', " at ");
            if commands[..at].contains(text) {
                name += &format!(" #{}", at + 1);
            }
            let mut row = toml::toml! { group = "commands" };
            row.insert("name".into(), name.into());
            row.insert("command".into(), words.into());
            row.extend(expect.map(|text| ("expect".into(), text.into())));
            rows.push(row);
        }
        let mut suite = toml::toml! { suite = { name = "commands" } };
        suite.insert("row".into(), rows.into());
        let suite = Suite::parse("commands", &suite.to_string())?;
        let rows = spread(&suite, &[])?;
        if let Some(why) = rows.iter().find_map(|row| row.refused.as_ref()) {
            bail!("{why}");
        }
        Self::of(suite, rows, Vec::new(), tell)
    }

    /// The rows that an engine can run.
    pub fn able(&self) -> impl Iterator<Item = &SuiteRow> {
        self.rows.iter().filter(|row| row.refused.is_none())
    }

    /// Keeps only the rows whose name matches one of these patterns (`*` matches any characters,
    /// `?` one), and the row `always`.
    ///
    /// # Errors
    /// A name that fits no row.
    pub fn select(&mut self, globs: &[String], always: &str) -> Result<()> {
        self.chosen = globs.to_vec();
        if globs.is_empty() {
            return Ok(());
        }
        let fits = |glob: &String, name: &str| fits(glob.as_bytes(), name.as_bytes());
        let all = || self.rows.iter().map(|row| row.name.as_str());
        let is_odd = |glob: &&String| !all().any(|name| fits(glob, name));
        if let Some(glob) = globs.iter().find(is_odd) {
            let near = nearest(glob, all());
            bail!(
                "--rows '{glob}': no row of {} fits; {near}",
                self.suite.file
            );
        }
        let is_wanted = |name: &str| name == always || globs.iter().any(|glob| fits(glob, name));
        self.rows.retain(|row| is_wanted(&row.name));
        doubled(&mut self.rows, self.suite.noise.0);
        Ok(())
    }

    /// Sets the results folder and the other side of the comparison: a second executable, `PATH`,
    /// and libraries and programs by `NAME=PATH`.
    ///
    /// # Errors
    /// A folder whose record is damaged (so the sampled rows are unknown), or another build that
    /// does not exist.
    pub fn aim(&mut self, folder: &Path, against: &[String]) -> Result<()> {
        if folder.join(SUITE_TOML).exists() {
            let record: Result<BenchRun, _> = read_record(folder.join(RUN_JSON));
            record.map_err(|error| anyhow!("{error}; {REMEASURE}"))?;
        }
        folder.clone_into(&mut self.folder);
        for text in against {
            let named = text.split_once('=').filter(|_| !Path::new(text).exists());
            let path = named.map_or(text.as_str(), |(_, path)| path);
            let path = std::fs::canonicalize(path);
            let path = path.with_context(|| format!("--against {text}: cannot read it"))?;
            match named {
                Some((name, _)) => self.against_files.push((self.measured(name)?, path)),
                None if self.against.is_some() => {
                    bail!(
                        "--against {text}: a second executable; write NAME={text} for a library or a program"
                    )
                }
                None => self.against = Some(path),
            }
        }
        Ok(())
    }

    /// The library or program of a row whose file has this name.
    fn measured(&self, name: &str) -> Result<PathBuf> {
        let program = |row: &SuiteRow| row.command.as_ref()?.first().map(PathBuf::from);
        let programs = self.rows.iter().filter_map(program);
        let mut all = self.plugins.iter().cloned().chain(programs);
        let found = all.find(|path| path.file_name().is_some_and(|file| file == name));
        let what = "no library and no program of a row";
        let file = &self.suite.file;
        found.with_context(|| format!("--against {name}=…: {what} of {file} has this name"))
    }

    pub(super) fn files(&self) -> impl Iterator<Item = &PathBuf> {
        let executables = [Some(&self.executable), self.against.as_ref()];
        let others = self.against_files.iter().map(|(_, other)| other);
        let own = executables.into_iter().flatten();
        own.chain(&self.plugins).chain(others)
    }
}

fn fits(glob: &[u8], name: &[u8]) -> bool {
    match (glob, name) {
        ([], []) => true,
        ([b'*', rest @ ..], _) => {
            fits(rest, name) || name.split_first().is_some_and(|(_, name)| fits(glob, name))
        }
        ([letter, rest @ ..], [other, name @ ..]) => {
            (*letter == b'?' || letter == other) && fits(rest, name)
        }
        _ => false,
    }
}

fn plugin_files(suite: &Suite, file: &Path) -> Result<Vec<PathBuf>> {
    let folder = file.parent().unwrap_or_else(|| Path::new("."));
    let absolute = |plugin: &Spanned<String>| {
        let path = folder.join(plugin.get_ref());
        std::fs::canonicalize(&path).map_err(|error| {
            let why = match error.kind() {
                ErrorKind::NotFound => "there is no such file".to_owned(),
                _ => error.to_string(),
            };
            let path = path.display();
            let text = format!("plugins: {path}: {why}; a path is taken from the suite's folder");
            suite.fault(plugin.span().start, text).into()
        })
    };
    suite.plugins.values.iter().map(absolute).collect()
}

/// An error of a library, with the place in the suite that names it.
fn in_suite(suite: &Suite, files: &[PathBuf], error: anyhow::Error) -> anyhow::Error {
    let text = format!("{error:#}");
    let mut all = files.iter().zip(&suite.plugins.values);
    let named = all.find(|(file, _)| text.contains(&file.display().to_string()));
    match named {
        Some((_, plugin)) => error.context(suite.fault(plugin.span().start, "plugins")),
        None => error,
    }
}
