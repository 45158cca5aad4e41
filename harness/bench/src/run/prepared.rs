//! A suite made ready to run (read, with its libraries, and its rows held against the puzzles), and
//! how it is run.

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
use crate::suite::{Row, Suite, doubled, spread};
use antipode_search::machine;

/// A suite with its rows, read before anything runs.
pub struct Prepared {
    /// The suite.
    pub suite: Suite,
    /// Its rows.
    pub rows: Vec<Row>,
    plugins: Vec<PathBuf>,
    executable: PathBuf,
}

impl Prepared {
    /// Reads a suite and holds its rows against the puzzles, which `load` gives: those built in
    /// and those of the suite's libraries.
    ///
    /// # Errors
    /// A text, a library or a row that cannot be taken, with its place in the suite.
    pub fn read(
        file: &Path,
        load: impl FnOnce(&[PathBuf]) -> Result<Vec<Arc<Library>>>,
    ) -> Result<Self> {
        let name = file.display().to_string();
        let text = read_text(file).map_err(|error| {
            anyhow!("cannot read {name}: {error}; name a suite, a file of TOML that `antipode bench --help` explains")
        })?;
        let suite = Suite::parse(&name, &text)?;
        let plugins = plugin_files(&suite, file)?;
        let executable = std::env::current_exe().context("cannot find this executable's file")?;
        let libraries = load(&plugins).map_err(|error| in_suite(&suite, &plugins, error))?;
        let rows = spread(&suite, &libraries)?;
        Ok(Self {
            suite,
            rows,
            plugins,
            executable,
        })
    }

    /// The library or program of a row whose file has this name.
    fn measured(&self, name: &str) -> Result<PathBuf> {
        let programs = self
            .rows
            .iter()
            .filter_map(|row| row.command.as_ref()?.first());
        let mut all = self
            .plugins
            .iter()
            .cloned()
            .chain(programs.map(PathBuf::from));
        let is_it = |path: &PathBuf| path.file_name().is_some_and(|file| file == name);
        all.find(is_it).ok_or_else(|| {
            anyhow!(
                "--against {name}=…: no library and no program of a row of {} has this name",
                self.suite.file
            )
        })
    }

    /// The rows that an engine can hold.
    pub fn able(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(|row| row.refused.is_none())
    }

    /// The suite's libraries, absolute.
    #[must_use]
    pub fn plugins(&self) -> &[PathBuf] {
        &self.plugins
    }

    /// A suite of commands alone, split into words as a shell would. Each prints what `expect`
    /// says, or the same as the others.
    ///
    /// # Errors
    /// A command without words, or whose program is not there.
    pub fn commands(commands: &[String], expect: Option<&str>) -> Result<Self> {
        let mut rows: Vec<toml::Table> = Vec::new();
        for (at, text) in commands.iter().enumerate() {
            let words = shlex::split(text).filter(|words| !words.is_empty());
            let words = words.with_context(|| {
                format!("'{text}': write a program and its arguments, quoted as for a shell")
            })?;
            let number = if commands[..at].contains(text) {
                format!(" #{}", at + 1)
            } else {
                String::new()
            };
            let name = antipode_graph::one_line(text).replace('@', " at ") + &number;
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
        Ok(Self {
            suite,
            rows,
            plugins: Vec::new(),
            executable: std::env::current_exe().context("cannot find this executable's file")?,
        })
    }

    /// Leaves only the rows that one of these names fits, in which `*` stands for any
    /// characters and `?` for one, and one more.
    ///
    /// # Errors
    /// A name that fits no row.
    pub fn select(&mut self, globs: &[String], always: &str) -> Result<()> {
        if globs.is_empty() {
            return Ok(());
        }
        let all = || self.rows.iter().map(|row| row.name.as_str());
        for glob in globs {
            if !all().any(|name| fits(glob.as_bytes(), name.as_bytes())) {
                bail!(
                    "--rows '{glob}': no row of {} fits; {}",
                    self.suite.file,
                    nearest(glob, all())
                );
            }
        }
        let fits = |row: &Row| {
            globs
                .iter()
                .any(|glob| fits(glob.as_bytes(), row.name.as_bytes()))
        };
        self.rows.retain(|row| row.name == always || fits(row));
        doubled(&mut self.rows, self.suite.noise.0);
        Ok(())
    }

    /// How it runs when nothing else is said; `tell` is called with each sample. `against` names
    /// a second executable, `PATH`, and libraries and programs by `NAME=PATH`.
    ///
    /// # Errors
    /// A folder whose record is damaged, or another build that is not there.
    pub fn options(
        &self,
        folder: PathBuf,
        against: &[String],
        tell: fn(&Sample),
    ) -> Result<Options> {
        check_record(&folder)?;
        let (mut second, mut against_files) = (None, Vec::new());
        for text in against {
            let named = text.split_once('=').filter(|_| !Path::new(text).exists());
            let path = named.map_or(text.as_str(), |(_, path)| path);
            let path = std::fs::canonicalize(path);
            let path = path.with_context(|| format!("--against {text}: cannot read it"))?;
            match named {
                Some((name, _)) => against_files.push((self.measured(name)?, path)),
                None if second.is_some() => {
                    bail!(
                        "--against {text}: a second executable; write NAME={text} for a library or a program"
                    )
                }
                None => second = Some(path),
            }
        }
        Ok(Options {
            folder,
            executable: self.executable.clone(),
            against: second,
            against_files,
            rows: Vec::new(),
            plugins: self.plugins.clone(),
            seed: self.suite.seed.unwrap_or(1),
            samples: self.suite.samples.0,
            expect: BTreeMap::new(),
            command: machine::command_line(),
            tell,
        })
    }
}

/// Whether a name is what a pattern says.
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

/// A folder whose record is gone or damaged cannot be gone on with: nothing says what its
/// samples are of.
fn check_record(folder: &Path) -> Result<()> {
    if !folder.join(SUITE_TOML).exists() {
        return Ok(());
    }
    let record: Result<BenchRun, _> = read_record(folder.join(RUN_JSON));
    match record {
        Ok(_) => Ok(()),
        Err(error) => bail!("{error}; {REMEASURE}"),
    }
}

/// The libraries of a suite, which names them from its folder.
fn plugin_files(suite: &Suite, file: &Path) -> Result<Vec<PathBuf>> {
    let folder = file.parent().unwrap_or_else(|| Path::new("."));
    let absolute = |plugin: &Spanned<String>| {
        let path = folder.join(plugin.get_ref());
        std::fs::canonicalize(&path).map_err(|error| {
            let why = match error.kind() {
                ErrorKind::NotFound => "there is no such file".to_owned(),
                _ => error.to_string(),
            };
            let message = format!(
                "plugins: {}: {why}; a path is taken from the suite's folder",
                path.display()
            );
            suite.fault(plugin.span().start, message).into()
        })
    };
    suite.plugins.values.iter().map(absolute).collect()
}

/// An error of a library, with the place in the suite that names it.
fn in_suite(suite: &Suite, files: &[PathBuf], error: anyhow::Error) -> anyhow::Error {
    let text = format!("{error:#}");
    let named = files
        .iter()
        .zip(&suite.plugins.values)
        .find(|(file, _)| text.contains(&file.display().to_string()));
    match named {
        Some((_, plugin)) => error.context(suite.fault(plugin.span().start, "plugins")),
        None => error,
    }
}

/// How a suite is run.
#[derive(Debug, Clone)]
pub struct Options {
    /// Results folder.
    pub folder: PathBuf,
    /// The executable that is measured.
    pub executable: PathBuf,
    /// A second one, measured in the same rounds.
    pub against: Option<PathBuf>,
    /// Libraries and programs, each with the file that is measured in its place.
    pub against_files: Vec<(PathBuf, PathBuf)>,
    /// What rows were chosen by, for the record.
    pub rows: Vec<String>,
    /// Libraries, absolute.
    pub plugins: Vec<PathBuf>,
    /// Seed in place of the suite's.
    pub seed: u64,
    /// Samples in place of the suite's.
    pub samples: u32,
    /// Answers by row, in addition to the suite's.
    pub expect: BTreeMap<String, String>,
    /// The command line, for the record.
    pub command: Vec<String>,
    /// Called with each sample as it is written.
    pub tell: fn(&Sample),
}

impl Options {
    /// The files that samples are taken with.
    pub(super) fn files(&self) -> impl Iterator<Item = &PathBuf> {
        let executables = [Some(&self.executable), self.against.as_ref()];
        let others = self.against_files.iter().map(|(_, other)| other);
        (executables.into_iter().flatten())
            .chain(&self.plugins)
            .chain(others)
    }
}
