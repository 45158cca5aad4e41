//! Strategies `dfs` and `beam`: one path through a layered graph, and the fewest that a
//! line of moves can end with.

use antipode_search::outcome::Outcome;
use std::io::Write;
use std::time::Duration;

use anyhow::{Result, bail};
use puzzle_api::{Capabilities, Key};
use serde_json::{Value, json};

use super::answer::{Answer, moves};
use super::{AS_EXPECTED, Format, NOT_REACHED, Question};
use crate::output::grouped;
use antipode_graph::{Graph, move_names};
use antipode_reports::model::{SearchFigures, TableUse};
use antipode_search::engines::dfs::{HashKind, Policy};
use antipode_search::engines::find::{Limits, check_path};
use antipode_search::engines::{beam, dfs};
use antipode_search::memory;
use antipode_search::progress::Stop;
use antipode_search::table::rules_of;

/// Searches for one path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Engine {
    /// Depth first with a transposition table.
    Dfs,
    /// The most promising states of each level, until they meet the states around the goal.
    Beam,
    /// Breadth first, the levels in files.
    Disk,
}

/// What is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
enum Aim {
    /// The goal.
    #[default]
    Solve,
    /// The least measure that a line of moves can end with, such as the fewest pegs.
    Fewest,
}

/// How to search a layered graph for one path.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Strategies, and layered graphs")]
pub(super) struct Finder {
    /// How to search: dfs or beam through layered graphs [default: beam, where the puzzle has
    /// what it needs], or breadth first with levels in files of --work (disk).
    #[arg(long, value_enum)]
    engine: Option<Engine>,
    /// What to look for: a solution, or the fewest that a line can end with.
    #[arg(long = "goal", value_enum, default_value_t)]
    aim: Aim,
    /// Size of the table of dfs.
    #[arg(long, value_name = "SIZE", default_value = "256MiB", value_parser = memory::parse)]
    table_size: u64,
    /// What dfs does with a slot that is taken: always (overwrite), costlier (keep what took
    /// longer) or two-slots (one of each).
    #[arg(long, value_name = "POLICY", default_value = "two-slots")]
    replace: Policy,
    /// Hash of the table of dfs: stafford or zobrist.
    #[arg(long, default_value = "stafford")]
    hash: HashKind,
    /// Seed of the order among equally promising moves.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Most states of a level that beam keeps.
    #[arg(long, value_name = "N", default_value_t = beam::Options::default().most_width as u64,
          value_parser = clap::value_parser!(u64).range(1..=1 << 30))]
    width: u64,
    /// States after which to give up.
    #[arg(long, value_name = "N")]
    max_states: Option<u64>,
    /// Seconds after which to give up.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    max_time: Option<Duration>,
}

/// Reads a number of seconds.
fn seconds(text: &str) -> Result<Duration, String> {
    let refuse = || format!("'{text}' is no number of seconds: write one such as 10 or 0.5");
    let number: f64 = text.parse().map_err(|_| refuse())?;
    Duration::try_from_secs_f64(number).map_err(|_| refuse())
}

impl Finder {
    /// Whether the fewest is asked for.
    pub(super) fn for_fewest(&self) -> bool {
        self.aim == Aim::Fewest
    }

    /// Whether the question is for these strategies: asked for by name, or by a graph that
    /// has layers and what a beam needs.
    pub(super) fn wanted<K: Key>(&self, question: &Question<'_, K>) -> bool {
        matches!(self.engine, Some(Engine::Dfs | Engine::Beam))
            || beam::obstacle(&question.graph, &question.goal).is_none()
    }

    /// Refuses options that a search by levels on disk would pass over in silence.
    ///
    /// # Errors
    /// One line that names the option.
    pub(super) fn refuse_for_disk(&self) -> Result<()> {
        let given = [
            ("--max-states", self.max_states.is_some()),
            ("--max-time", self.max_time.is_some()),
            ("--replace", self.replace != Policy::TwoSlots),
            (
                "--width",
                self.width != beam::Options::default().most_width as u64,
            ),
        ];
        match given.iter().find(|(_, given)| *given) {
            Some((option, _)) => bail!(
                "{option}: engine disk does not take it; leave it out (Ctrl-C stops, and --resume goes on)"
            ),
            None => Ok(()),
        }
    }

    /// Whether levels are to be kept in files.
    pub(super) fn on_disk(&self) -> bool {
        self.engine == Some(Engine::Disk)
    }

    /// Refuses a table that cannot be had.
    pub(super) fn check(&self) -> Result<()> {
        match memory::available() {
            Some(left) if self.table_size > left => bail!(
                "--table-size {}: the machine has {} left; give less",
                memory::human(self.table_size),
                memory::human(left)
            ),
            _ => Ok(()),
        }
    }

    fn limits(&self) -> Limits {
        Limits {
            nodes: self.max_states,
            time: self.max_time,
        }
    }

    fn depth_first(&self) -> dfs::Options {
        dfs::Options {
            table_bytes: self.table_size,
            policy: self.replace,
            hash: self.hash,
            seed: self.seed,
            limits: self.limits(),
            ..dfs::Options::default()
        }
    }

    fn beam(&self) -> beam::Options {
        let most_width = self.width as usize;
        let options = beam::Options::default();
        beam::Options {
            first_width: options.first_width.min(most_width),
            most_width,
            seed: self.seed,
            limits: self.limits(),
            ..options
        }
    }
}

/// Answers a question.
pub(super) fn answer<K: Key>(question: &Question<'_, K>, stop: &Stop) -> Result<Answer<K>> {
    let finder = &question.args.finder;
    let Question {
        graph, start, goal, ..
    } = question;
    let (outcome, searched, figures) = match finder.engine {
        Some(Engine::Dfs) => {
            let done = dfs::reach(graph, *start, goal, &finder.depth_first(), stop)?;
            let searched = dfs_sentence(&done.stats);
            (done.outcome, searched, dfs_figures(finder, &done.stats))
        }
        Some(Engine::Beam | Engine::Disk) | None => {
            let done = beam::reach(graph, *start, goal, &finder.beam(), stop)?;
            let searched = beam_sentence(&done.stats);
            let figures = beam_figures(finder, &done.stats);
            (done.outcome, searched, figures)
        }
    };
    if let Outcome::Path(path) = &outcome {
        check_path(&rules_of(graph)?, &path.states, Some(goal))?;
    }
    let summary = match &outcome {
        Outcome::Path(_) | Outcome::Levels => {
            format!("played again on the rulebook ({searched})")
        }
        Outcome::Unreachable(proof) => format!("unsolvable: {proof}"),
        Outcome::NotReached(why) => format!("{why}; not decided ({searched})"),
    };
    Ok(Answer {
        outcome,
        summary,
        figures,
        levels: Vec::new(),
        kept: None,
    })
}

fn beam_sentence(stats: &beam::Stats) -> String {
    format!(
        "beam of {} states a level, pass {}, {} states expanded, {} states around the goal",
        grouped(stats.width),
        stats.passes,
        grouped(stats.nodes),
        grouped(stats.ball)
    )
}

fn dfs_sentence(stats: &dfs::Stats) -> String {
    let table = &stats.table;
    format!(
        "dfs, {} states expanded, {} of {} look-ups were hits, {} of {} entries lost",
        grouped(stats.nodes),
        grouped(table.hits),
        grouped(table.probes),
        grouped(table.lost),
        grouped(table.stores)
    )
}

fn beam_figures(finder: &Finder, stats: &beam::Stats) -> SearchFigures {
    SearchFigures {
        engine: Some("beam".to_owned()),
        seed: Some(finder.seed),
        states_seen: Some(stats.nodes),
        width: Some(stats.width),
        passes: Some(stats.passes),
        ball: Some(stats.ball),
        ball_levels: Some(stats.ball_levels),
        ..SearchFigures::default()
    }
}

fn dfs_figures(finder: &Finder, stats: &dfs::Stats) -> SearchFigures {
    let table = &stats.table;
    SearchFigures {
        engine: Some("dfs".to_owned()),
        seed: Some(finder.seed),
        states_seen: Some(stats.nodes),
        table: Some(TableUse {
            slots: table.slots,
            used: table.used,
            policy: finder.replace.name().to_owned(),
            hash: finder.hash.name().to_owned(),
            probes: table.probes,
            hits: table.hits,
            stores: table.stores,
            lost: table.lost,
            declined: table.declined,
        }),
        ..SearchFigures::default()
    }
}

/// Answers what the fewest is, and gives the exit code.
pub(super) fn fewest<K: Key>(question: &Question<'_, K>, stop: &Stop) -> Result<u8> {
    let finder = &question.args.finder;
    let graph = &question.graph;
    if question.args.to.is_some() {
        bail!("--goal fewest has no goal to go to: leave out --to");
    }
    if let Some(Engine::Beam | Engine::Disk) = finder.engine {
        let name = if finder.on_disk() { "disk" } else { "beam" };
        bail!("--goal fewest is answered by dfs: leave out --engine {name}");
    }
    if !graph.has(Capabilities::OBJECTIVE) {
        bail!(
            "{}: says nothing of what is to be the fewest; leave out --goal fewest",
            graph.opened.full_name()
        );
    }
    let done = dfs::fewest(graph, question.start, &finder.depth_first(), stop)?;
    check_path(&rules_of(graph)?, &done.line, None)?;
    match question.args.format {
        Format::Text => print_fewest(graph, &done)?,
        Format::Json => {
            let mut value = json!({
                "instance": graph.opened.full_name(),
                "variant": graph.opened.variant,
                "from": graph.draw(question.start)?,
                "fewest": done.best,
                "at_least": done.at_least,
                "exact": done.is_exact(),
                "why": done.why,
                "moves": moves(graph, &done.line)?,
            });
            let figures = json!(dfs_figures(finder, &done.stats));
            if let (Value::Object(value), Value::Object(figures)) = (&mut value, figures) {
                value.extend(figures);
            }
            writeln!(std::io::stdout(), "{value:#}")?;
        }
    }
    Ok(match done.is_exact() {
        true => AS_EXPECTED,
        false => NOT_REACHED,
    })
}

fn print_fewest<K: Key>(graph: &Graph<K>, done: &dfs::Fewest<K>) -> Result<()> {
    let mut text = String::new();
    for (i, name) in move_names(graph, &done.line).iter().enumerate() {
        text += &format!("{}. {name}\n", i + 1);
    }
    for row in graph.draw(done.line[done.line.len() - 1])?.split('/') {
        text += &format!("   {row}\n");
    }
    let searched = dfs_sentence(&done.stats);
    text += &match done.is_exact() {
        true => format!("fewest: {}, exact: {} ({searched})\n", done.best, done.why),
        false => format!(
            "fewest: at most {}, at least {}: {} ({searched})\n",
            done.best, done.at_least, done.why
        ),
    };
    write!(std::io::stdout(), "{text}")?;
    Ok(())
}
