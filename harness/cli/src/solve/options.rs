//! Options of engines in `solve`.

use std::path::PathBuf;
use std::time::Duration;

use antipode_search::engine::{EngineOptions, QuestionKind};
use antipode_search::engines::bidirectional::SideTable;
use antipode_search::engines::dfs::{HashKind, Policy};
use antipode_search::registry::EngineId;
use antipode_search::{machine, memory};
use anyhow::{Result, bail};
use clap::builder::TypedValueParser;

use crate::options::{Together, engine, one_of, seconds, whole};

/// The kinds of answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub(super) enum SolveAim {
    /// The goal.
    #[default]
    Solve,
    /// The least measure at the end of any sequence of moves, such as the fewest pegs.
    Fewest,
    /// All solutions: the states that lie on one, level by level, and how many there are.
    All,
}

/// Reads a [`SideTable`].
fn side_table() -> impl TypedValueParser<Value = SideTable> {
    let auto = "Hash tables at first, a bit per rank once there are many";
    one_of([
        (SideTable::Auto, "auto", auto),
        (SideTable::Hash, "hash", "Hash tables to the end"),
        (SideTable::Bits, "bits", "A bit per rank from the beginning"),
    ])
}

/// How to search for one path. Each engine takes some of it, and refuses the
/// rest.
#[derive(Debug, clap::Args)]
pub(super) struct Finder {
    /// Search strategy [default: beam through layered graphs, bidirectional if the puzzle
    /// has what it needs and it fits, ida if it has a lower bound, orbits if the start looks
    /// the same under all of its symmetries, else reference; dfs with
    /// --goal fewest, solutions with --goal all].
    #[arg(long, value_parser = engine(&[QuestionKind::Path, QuestionKind::Fewest, QuestionKind::Solutions]), help_heading = STRATEGIES)]
    pub(super) engine: Option<EngineId>,
    /// What to look for: a solution, the least measure at the end of a line, or all solutions:
    /// the states on them by level, and their number (layered graphs only).
    #[arg(long = "goal", value_enum, default_value_t, help_heading = STRATEGIES)]
    pub(super) aim: SolveAim,
    /// Size of the table of dfs [default: 256MiB].
    #[arg(long, value_name = "SIZE", value_parser = memory::parse, help_heading = STRATEGIES)]
    table_size: Option<u64>,
    /// What dfs does with a slot that is taken: always (overwrite), costlier (keep what took
    /// longer) or two-slots (one of each) [default: two-slots].
    #[arg(long, value_name = "POLICY", help_heading = STRATEGIES)]
    replace: Option<Policy>,
    /// Hash of the table of dfs: stafford or zobrist [default: stafford].
    #[arg(long, help_heading = STRATEGIES)]
    hash: Option<HashKind>,
    /// Seed of the order among equally promising moves [default: 1].
    #[arg(long, help_heading = STRATEGIES)]
    seed: Option<u64>,
    /// Most states of a level that beam keeps [default: 2000000, or what --memory holds].
    #[arg(long, value_name = "N", help_heading = STRATEGIES,
          value_parser = whole::<u64>(1..=1 << 30))]
    width: Option<u64>,
    /// Rounds of beam at that width, each of a pass with another seed, a pass that includes the
    /// best path, and shortening [default: until --max-time is over; without it, none].
    #[arg(long, value_name = "N", help_heading = STRATEGIES)]
    rounds: Option<u64>,
    /// States after which to give up.
    #[arg(long, value_name = "N", help_heading = STRATEGIES)]
    max_states: Option<u64>,
    /// Seconds after which to give up.
    #[arg(long, value_name = "SECONDS", value_parser = seconds, help_heading = STRATEGIES)]
    max_time: Option<Duration>,
    /// Memory that the search may take, such as 20GiB [default: what is available].
    #[arg(long, value_name = "SIZE", value_parser = memory::parse, help_heading = LARGE)]
    memory: Option<u64>,
    /// Disk that the finished levels may take [default: what is free; engine beam has all levels
    /// around the start on disk only if this is given].
    #[arg(long, value_name = "SIZE", value_parser = memory::parse, help_heading = LARGE)]
    disk: Option<u64>,
    /// Folder for the finished levels, from which --resume continues [default: OUT/work, or
    /// antipode-work-… here; searches from both ends make that once they are large]. Levels of
    /// beam's --disk are in DIR-levels next to it, and are removed with it.
    #[arg(long, value_name = "DIR", help_heading = LARGE)]
    work: Option<PathBuf>,
    /// Resume a stopped search with the same ends and work folder.
    #[arg(long, help_heading = LARGE)]
    resume: bool,
    /// How searches from both ends keep states: hash tables, then a bit per rank (auto), only
    /// hash tables, or only bits [default: auto].
    #[arg(long, value_parser = side_table(), help_heading = LARGE)]
    table: Option<SideTable>,
    /// Worker threads [default: all cores].
    #[arg(long, value_parser = whole::<u16>(1..=1024))]
    pub(super) threads: Option<u16>,
    #[command(flatten)]
    together: Together,
}

const STRATEGIES: &str = "Strategies, and layered graphs";
const LARGE: &str = "Searches from both ends, and on disk";

impl Finder {
    /// Whether the search works in a folder, or shares the work with other processes.
    pub(super) fn works_in_folder(&self) -> bool {
        self.work.is_some() || self.resume || self.together.options() != Default::default()
    }

    /// Whether only `--resume` is given, without a folder or processes.
    pub(super) fn only_resumes(&self) -> bool {
        self.work.is_none() && self.together.options() == Default::default()
    }

    /// The options given.
    ///
    /// # Errors
    /// A table that is too large for the memory.
    pub(super) fn options(&self) -> Result<EngineOptions> {
        if let Some(wanted) = self.table_size
            && let Some(left) = memory::available()
            && wanted > left
        {
            bail!(
                "--table-size {}: the machine has {} left; give less",
                memory::human(wanted),
                memory::human(left)
            );
        }
        Ok(EngineOptions {
            threads: self.threads.map_or_else(machine::cores, usize::from),
            show_progress: true,
            memory: self.memory,
            disk: self.disk,
            work: self.work.clone(),
            resume: self.resume,
            visited: self.table,
            table_size: self.table_size,
            replace: self.replace,
            hash: self.hash,
            seed: self.seed,
            width: self.width,
            rounds: self.rounds,
            max_states: self.max_states,
            max_time: self.max_time,
            together: self.together.options(),
            ..EngineOptions::default()
        })
    }
}
