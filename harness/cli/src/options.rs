//! Options that several commands share.

use std::convert::Infallible;
use std::error::Error;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use puzzle_api::{Direction, Settings};

use super::{names, opening, supervise};
use antipode_check::analysis::{Checks, Request, numbered_states};
use antipode_check::ask::PathRequest;
use antipode_check::conformance::self_test;
use antipode_check::verify::ConsistencyScope;
use antipode_claims::Effort;
use antipode_graph::ledger::MOST;
use antipode_graph::{Library, Source, builtin, load, rules};
use antipode_search::engine::{EngineOptions, Opt, QuestionKind};
use antipode_search::engines::{FrontierForm, Locality, Moves, Representation};
use antipode_search::progress::note;
use antipode_search::registry::EngineId;
use antipode_search::{machine, memory, options};

/// Where puzzles come from.
#[derive(Debug, Default, Args)]
pub struct Plugins {
    /// A shared library with a puzzle; may be given several times. Nothing else is loaded.
    #[arg(long = "plugin", value_name = "FILE")]
    files: Vec<PathBuf>,
    /// A program with a puzzle's rulebook, spoken to in JSON lines, such as 'python3 lunar.py'; may
    /// be given several times. For a puzzle that is already loaded, it becomes variant `reference`.
    #[arg(long = "rules", value_name = "COMMAND", value_parser = program)]
    rules: Vec<String>,
    /// Time limit in seconds for one call into a library, without a sign of life
    /// [default: $ANTIPODE_PLUGIN_LIMIT, else 60].
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    plugin_limit: Option<Duration>,
    /// Lets a library stand in for the built-in puzzle of its name [default: whether
    /// $ANTIPODE_SHADOW_BUILT_IN is set].
    #[arg(long)]
    shadow_built_in: bool,
    /// Whether answers are asked for only once: a benchmark measures the first ones.
    #[arg(skip)]
    asks_once: bool,
}

/// Time limit of a call by default.
const PLUGIN_LIMIT: Duration = Duration::from_secs(60);

/// Time that a program's process gets beyond that, to say which request was not answered.
const SECOND_THOUGHT: Duration = Duration::from_secs(2);

/// Suites set these in the environment, which reaches their samples too.
const LIMIT_VARIABLE: &str = "ANTIPODE_PLUGIN_LIMIT";
const SHADOW_VARIABLE: &str = "ANTIPODE_SHADOW_BUILT_IN";

impl Plugins {
    /// The claims of given files.
    pub fn of(files: Vec<PathBuf>) -> Self {
        Self {
            files,
            asks_once: true,
            ..Self::default()
        }
    }

    /// Built-in puzzles and those of the libraries named, which are loaded in a process of
    /// its own.
    ///
    /// # Errors
    /// A file that is no puzzle library, two puzzles of one name, or an invalid limit;
    /// if this was not that process, [`supervise::Over`].
    pub fn libraries(&self) -> Result<Vec<Arc<Library>>> {
        let mut all: Vec<Arc<Library>> = builtin::all().into_iter().map(Arc::new).collect();
        let limit = self.limit()?;
        if self.are_named() {
            // That process ends a program that does not answer, and names the request.
            let more = match self.rules.is_empty() {
                true => Duration::ZERO,
                false => SECOND_THOUGHT,
            };
            supervise::enter(limit.saturating_add(more))?;
            rules::set_limit(limit);
            if !self.asks_once {
                supervise::ask_again(limit);
            }
        }
        for file in &self.files {
            let library = Arc::new(load(file)?);
            self_test(&library, &file.display().to_string())?;
            self.make_room(&mut all, &library, &file.display().to_string())?;
            all.push(library);
        }
        for command in &self.rules {
            let program = rules::load(command)?;
            let known = all.iter().position(|other| other.name == program.name);
            let library = match known.map(|at| all.remove(at)) {
                None => program,
                Some(other) if matches!(other.source, Source::Rules { .. }) => bail!(
                    "--rules '{command}': a second rulebook of '{}'; give one of them",
                    other.name
                ),
                Some(other) => rules::join(&other, command)?,
            };
            let library = Arc::new(library);
            self_test(&library, command).map_err(|failed| match rules::broken() {
                // The output of a program, or how it ends, is input.
                Some(error) => anyhow!(error).context(format!("--rules '{command}'")),
                None => failed.into(),
            })?;
            all.push(library);
        }
        rules::keep_answers();
        Ok(all)
    }

    /// Whether any are given.
    pub fn are_named(&self) -> bool {
        !self.files.is_empty() || !self.rules.is_empty()
    }

    fn limit(&self) -> Result<Duration> {
        let told = std::env::var(LIMIT_VARIABLE)
            .ok()
            .filter(|text| !text.is_empty());
        match (self.plugin_limit, told) {
            (Some(limit), _) => Ok(limit),
            (None, Some(text)) => match seconds(&text) {
                Ok(limit) => Ok(limit),
                Err(remedy) => bail!("{LIMIT_VARIABLE}={text}: {remedy}"),
            },
            (None, None) => Ok(PLUGIN_LIMIT),
        }
    }

    /// Removes the built-in puzzle that a library stands in for; refuses other equal names.
    fn make_room(&self, all: &mut Vec<Arc<Library>>, new: &Library, file: &str) -> Result<()> {
        let Some(at) = all.iter().position(|other| other.name == new.name) else {
            return Ok(());
        };
        let name = &new.name;
        if all[at].source != Source::BuiltIn {
            bail!("--plugin {file}: a second library with the puzzle '{name}'; give one of them");
        }
        let told = std::env::var_os(SHADOW_VARIABLE).is_some_and(|set| !set.is_empty());
        if !self.shadow_built_in && !told {
            bail!(
                "--plugin {file}: its puzzle has the name of the built-in '{name}'; give it another, or let it stand in with --shadow-built-in (for suites: {SHADOW_VARIABLE}=1)"
            );
        }
        all.remove(at);
        Ok(())
    }
}

/// Reads a whole number of a range.
pub fn whole<T: TryFrom<i128>>(
    range: RangeInclusive<i128>,
) -> impl Fn(&str) -> Result<T, Box<dyn Error + Send + Sync>> + Clone {
    move |text| {
        let number = text.parse()?;
        let taken = range.contains(&number).then(|| number.try_into().ok());
        taken
            .flatten()
            .ok_or_else(|| format!("{number} is not in {range:?}").into())
    }
}

/// Reads a time.
///
/// # Errors
/// It is not a time; the text says what is.
pub fn seconds(text: &str) -> Result<Duration, &'static str> {
    let time = text.parse().ok();
    let time = time.and_then(|time| Duration::try_from_secs_f64(time).ok());
    let time = time.filter(|time| !time.is_zero());
    time.ok_or("give seconds above 0, such as 10 or 0.5")
}

/// Reads a command that starts a program.
pub fn program(text: &str) -> Result<String, &'static str> {
    match text.trim() {
        "" => Err("name a program, such as 'python3 lunar.py'"),
        _ => Ok(text.to_owned()),
    }
}

/// Reads a board, whose rows may also be lines.
pub fn board_text(text: &str) -> Result<String, Infallible> {
    let rows = text.trim_matches(['\n', '\r']).replace("\r\n", "\n");
    Ok(rows.replace('\n', "/"))
}

/// Reads one of some names, each of which has a help.
pub fn one_of<T: Copy + Send + Sync + 'static>(
    values: impl Into<Vec<(T, &'static str, &'static str)>>,
) -> impl TypedValueParser<Value = T> {
    let values = values.into();
    let names = values.iter();
    let names = names.map(|(_, name, help)| PossibleValue::new(name).help(help));
    PossibleValuesParser::new(names.collect::<Vec<_>>()).map(move |given| {
        let at = values.iter().position(|(_, name, _)| given == *name);
        values[at.unwrap_or(0)].0
    })
}

/// Reads `quick` or `full`.
pub fn effort() -> impl TypedValueParser<Value = Effort> {
    let quick = "Minutes: samples with their bounds where a proof takes longer";
    let full = "Proofs, as long as they take";
    one_of(
        [(Effort::Quick, quick), (Effort::Full, full)].map(|(one, help)| (one, one.name(), help)),
    )
}

/// Reads a direction.
fn direction() -> impl TypedValueParser<Value = Direction> {
    one_of([
        (Direction::Forward, "forward", "Along moves, from the start"),
        (
            Direction::Backward,
            "backward",
            "Against moves, from the solved states",
        ),
    ])
}

/// Form of printed results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people.
    Text,
    /// For scripts.
    Json,
}

/// Which graph, in which implementation.
#[derive(Debug, Args)]
pub struct Target {
    /// Which instance, as `antipode list` shows them.
    #[arg(value_name = "PUZZLE/INSTANCE")]
    pub name: String,
    /// A setting of the instance; may be given several times.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub settings: Vec<String>,
    /// Implementation of the rules [default: the puzzle's first; `reference` for the
    /// engine of that name].
    #[arg(long)]
    pub variant: Option<String>,
    #[command(flatten)]
    pub plugins: Plugins,
}

impl Target {
    /// An instance of a built-in puzzle, found without opening the others. `None` if libraries are
    /// loaded, or if a name is unknown, so that the caller suggests the nearest one.
    fn built_in(&self) -> Result<Option<(Arc<Library>, String)>> {
        if self.plugins.are_named() {
            return Ok(None);
        }
        self.plugins.limit()?;
        let puzzle = self.name.split_once('/').map(|(puzzle, _)| puzzle);
        let library = puzzle.and_then(builtin::named).map(Arc::new);
        Ok(library.and_then(|library| names::find_instance(&[library], &self.name).ok()))
    }

    /// A question about it: its library, instance, settings and variant.
    ///
    /// # Errors
    /// An unknown puzzle or instance (with the nearest name), or a malformed setting.
    pub fn resolve(&self) -> Result<PathRequest> {
        let (library, instance) = match self.built_in()? {
            Some(found) => found,
            None => names::find_instance(&self.plugins.libraries()?, &self.name)?,
        };
        let settings = settings(&self.settings)?;
        names::check(&library, self.variant.as_deref(), &settings)?;
        if let Some(line) = opening::reading(&library, &instance, &settings) {
            note(line);
        }
        Ok(PathRequest {
            settings,
            variant: self.variant.clone(),
            ..PathRequest::new(library, instance)
        })
    }
}

/// Reads `KEY=VALUE` arguments.
///
/// # Errors
/// An argument without `=`, or a key given twice.
pub fn settings(arguments: &[String]) -> Result<Settings> {
    let mut settings = Settings::new();
    for argument in arguments {
        let (key, value) = argument
            .split_once('=')
            .with_context(|| format!("--set {argument}: write KEY=VALUE"))?;
        let earlier = settings.insert(key.trim().to_owned(), value.trim().to_owned());
        if earlier.is_some() {
            bail!("--set {argument}: '{}' is set twice", key.trim());
        }
    }
    Ok(settings)
}

/// Reads the name of an engine that answers one of some kinds of questions.
pub fn engine(kinds: &'static [QuestionKind]) -> impl TypedValueParser<Value = EngineId> {
    let mut all: Vec<EngineId> = Vec::new();
    for engine in kinds.iter().flat_map(|&kind| EngineId::all(kind)) {
        if !all.contains(&engine) {
            all.push(engine);
        }
    }
    let named = |one: EngineId| (one, one.name(), one.facts().summary);
    one_of(all.into_iter().map(named).collect::<Vec<_>>())
}

/// How to search for levels.
#[derive(Debug, Args)]
pub struct How {
    /// Search strategy [default: the fastest that can].
    #[arg(long, value_parser = engine(&[QuestionKind::Levels]))]
    pub engine: Option<EngineId>,
    /// Worker threads [default: all cores].
    #[arg(long, value_parser = whole::<u16>(1..=1024))]
    pub threads: Option<u16>,
    /// Seed of all sampling.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

impl How {
    /// Number of threads.
    pub fn threads(&self) -> usize {
        self.threads.map_or_else(machine::cores, usize::from)
    }

    /// Whether the engine named works in a folder.
    pub fn works_in_folder(&self) -> bool {
        let takes = |engine: EngineId| engine.takes(QuestionKind::Levels, Opt::Work);
        self.engine.is_some_and(takes)
    }
}

/// Which levels to walk, and options of engines that do. Each engine takes some of them, and refuses the rest.
#[derive(Debug, Args)]
pub struct LevelOptions {
    /// Along moves or against them [default: forward from a start, else backward; `verify` goes
    /// forward from a state given, and if solved states cannot be listed].
    #[arg(long, value_parser = direction())]
    pub direction: Option<Direction>,
    /// Where the search starts: a board, or the name of one.
    #[arg(long, value_name = "STATE|NAME", allow_hyphen_values = true)]
    pub from: Option<String>,
    /// Greatest level to walk.
    #[arg(long, value_name = "N")]
    pub max_depth: Option<u16>,
    /// What engine dense keeps for each rank: byte, two-bits or bit [default: the widest
    /// that fits].
    #[arg(long)]
    table: Option<Representation>,
    /// Memory for states, such as 8GiB: engine dense plans with it [default: what the machine
    /// has left], engine hash stops at the first level that does not fit [default: no limit],
    /// engine disk keeps within it [default: half of what the machine has left].
    #[arg(long, value_name = "SIZE", value_parser = memory::parse)]
    memory: Option<u64>,
    /// How engine dense finds a level: list, scan, or auto, by how many states it has
    /// [default: auto].
    #[arg(long, value_name = "FORM")]
    frontier: Option<FrontierForm>,
    /// Folder in which engine disk keeps its levels.
    #[arg(long, value_name = "DIR")]
    pub work: Option<PathBuf>,
    /// Disk that engine disk may take, such as 100GiB [default: what is free, except for a
    /// twentieth].
    #[arg(long, value_name = "SIZE", value_parser = memory::parse)]
    disk: Option<u64>,
    /// Engine disk keeps every level whose number is a multiple of this, for paths
    /// [default: 16].
    #[arg(long, value_name = "N", value_parser = whole::<u16>(1..=u16::MAX.into()))]
    keep_every: Option<u16>,
    /// How engine disk partitions states: bucket (by the puzzle's own number, if it has one)
    /// or uniform (by a hash) [default: bucket].
    #[arg(long, value_name = "HOW")]
    buckets: Option<Locality>,
    /// Which moves of a state engine disk tries: unused (all but those of groups that led to it,
    /// if the puzzle names groups) or all [default: unused].
    #[arg(long, value_name = "WHICH")]
    moves: Option<Moves>,
    /// Keep the work folder of a search that is complete.
    #[arg(long)]
    keep_work: bool,
    #[command(flatten)]
    pub together: Together,
}

/// Heading of the options of a search that processes share. It is set at each option, since a
/// heading of the struct would also cover the options after it.
const TOGETHER: &str = "Processes that share a search (engine cluster)";

/// Processes that share a search.
#[derive(Debug, Args)]
pub struct Together {
    /// Starts N processes on this machine.
    #[arg(long, help_heading = TOGETHER, value_name = "N", value_parser = whole::<u16>(1..=64))]
    processes: Option<u16>,
    /// The processes, one HOST:PORT per line. Their traffic is not encrypted.
    #[arg(long, help_heading = TOGETHER, value_name = "FILE")]
    hosts: Option<PathBuf>,
    /// Which line of --hosts this process is, from 0 on; 0 writes the results.
    #[arg(long, help_heading = TOGETHER, value_name = "I")]
    process: Option<u16>,
    /// Random bytes that all of --hosts know, in a file that nobody else can read.
    #[arg(long, help_heading = TOGETHER, value_name = "FILE")]
    secret: Option<PathBuf>,
    /// Seconds after which a silent or missing process is considered gone
    /// [default: 60].
    #[arg(long, help_heading = TOGETHER, value_name = "SECONDS", value_parser = seconds)]
    silence: Option<Duration>,
}

impl Together {
    /// The options given.
    pub fn options(&self) -> options::Together {
        options::Together {
            hosts: self.hosts.clone(),
            process: self.process.map(usize::from),
            processes: self.processes.map(usize::from),
            secret: self.secret.clone(),
            silence: self.silence,
        }
    }
}

impl LevelOptions {
    /// The options given.
    pub fn options(&self) -> EngineOptions {
        EngineOptions {
            memory: self.memory,
            disk: self.disk,
            work: self.work.clone(),
            keep_work: self.keep_work,
            keep_every: self.keep_every,
            buckets: self.buckets,
            moves: self.moves,
            table: self.table,
            frontier: self.frontier,
            together: self.together.options(),
            ..EngineOptions::default()
        }
    }
}

/// A request without checks, start or journal.
///
/// # Errors
/// Same as [`Target::resolve`].
pub fn request(target: &Target, how: &How) -> Result<Request> {
    let of = target.resolve()?;
    Ok(Request {
        settings: of.settings,
        variant: of.variant,
        engine: how.engine,
        threads: how.threads(),
        seed: how.seed,
        show_progress: true,
        command: machine::command_line(),
        ..Request::new(of.library, of.instance)
    })
}

/// Whether a shared library that the user named is part of a puzzle.
pub fn is_of_a_file(library: &Library) -> bool {
    matches!(
        library.source,
        Source::File { .. } | Source::Rules { under: Some(_), .. }
    )
}

/// Has what a file offers beyond its rulebook compared with it, if that takes little.
///
/// # Errors
/// An instance that cannot be opened.
pub fn compare_if_small(request: &mut Request) -> Result<()> {
    let Request {
        library,
        instance,
        settings,
        ..
    } = &*request;
    let most = MOST as u64;
    if is_of_a_file(library) && numbered_states(library, instance, settings)? <= most {
        request.checks = Checks::only(ConsistencyScope::Fitting { states: most });
    }
    Ok(())
}
