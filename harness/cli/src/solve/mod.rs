//! `antipode solve`: a shortest solution of one board, drawn move by move.

mod answer;
mod disk;
mod files;
mod finder;
mod forward;
mod meet;

use antipode_search::outcome::{Outcome, Proof};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use antipode_reports::model::SearchFigures;
use anyhow::{Result, bail};
use cpu_time::ProcessTime;
use puzzle_api::{Capabilities, Direction, Key, Settings};

use super::finished::finished;
use super::options::{Format, Target};
use super::{AS_EXPECTED, NOT_REACHED, output};
use answer::Answer;
use antipode_graph::{Graph, Library, Opened, PluginError};
use antipode_search::forward::Goal;
use antipode_search::open::typed_graph;
use antipode_search::progress::Stop;
use antipode_search::work::{self, begun};

/// Arguments of `solve`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    target: Target,
    /// Where to start: a board, or the name of one [default: the instance's start].
    #[arg(long, value_name = "STATE|NAME", allow_hyphen_values = true)]
    from: Option<String>,
    /// The same as --from.
    #[arg(long, value_name = "TEXT", conflicts_with = "from")]
    board: Option<String>,
    /// Where to go: a board, or the name of one; for puzzles with a setting `to`, what that
    /// takes [default: any solved state].
    #[arg(long, value_name = "STATE|NAME", allow_hyphen_values = true)]
    to: Option<String>,
    #[command(flatten)]
    finder: finder::Finder,
    /// Worker threads [default: all cores].
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Folder for solve.json, levels.csv, path.csv and solve.html.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    means: meet::Means,
    /// Form of the result on stdout.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// What is asked, with the boards read.
struct Question<'a, K> {
    args: &'a Args,
    graph: Graph<K>,
    start: K,
    goal: Goal<K>,
}

/// Ways to answer, one file each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Strategy {
    /// Breadth first along the moves until a goal turns up.
    Forward,
    /// A ball around each end until they meet.
    Meet,
    /// One path through a layered graph, where all are equally long.
    Finder,
    /// Breadth first along the moves, the levels in files.
    Disk,
}

/// Runs the verb.
///
/// # Errors
/// Bad input, in one line.
pub fn run(args: &Args, stop: &Stop) -> Result<u8> {
    let (library, instance, settings) = args.target.resolve()?;
    let variant = args.target.variant.as_deref();
    let variant = variant.unwrap_or_else(|| library.variants[0].as_str());
    let (opened, to) = match with_goal(args, &library, &instance, variant, &settings) {
        Some(Ok(opened)) => (opened, To::Solved),
        other => (
            library.open(&instance, variant, &settings)?,
            To::Text(other.and_then(Result::err)),
        ),
    };
    match library.key_words() {
        1 => solve::<u64>(args, typed_graph(opened)?, to, stop),
        _ => solve::<u128>(args, typed_graph(opened)?, to, stop),
    }
}

/// What `--to` means.
enum To {
    /// The solved states of the instance, which was opened with that goal.
    Solved,
    /// A state, as text; and what the puzzle said of it as a goal, where it takes goals.
    Text(Option<PluginError>),
}

/// The instance opened with `--to` as its goal, for puzzles that have a setting of that name:
/// what a player calls a goal need not be what a state is called (in peg solitaire `1:3`
/// is a hole, the state `1:3` all pegs but one, the goal `1:3` a last peg there).
fn with_goal(
    args: &Args,
    library: &Arc<Library>,
    instance: &str,
    variant: &str,
    settings: &Settings,
) -> Option<Result<Arc<Opened>, PluginError>> {
    let to = args.to.as_ref()?;
    let taken = library.settings.iter().any(|setting| setting.key == "to");
    if !taken || settings.contains_key("to") {
        return None;
    }
    let mut settings = settings.clone();
    settings.insert("to".to_owned(), to.clone());
    Some(library.open(instance, variant, &settings))
}

fn solve<K: Key>(args: &Args, graph: Graph<K>, to: To, stop: &Stop) -> Result<u8> {
    args.finder.check()?;
    let question = Question::read(args, graph, to)?;
    if args.finder.for_fewest() {
        return finder::fewest(&question, stop);
    }
    if let Some(folder) = &args.out {
        output::make_folder(folder)?;
        if let Some(code) = question.answered(folder)? {
            return Ok(code);
        }
    }
    if let Some(answer) = question.refuted()? {
        return question.conclude(&answer);
    }
    let strategy = question.strategy();
    let takes_means = match strategy {
        Strategy::Disk => true,
        Strategy::Finder => false,
        Strategy::Forward | Strategy::Meet => meet::possible(&question),
    };
    if !takes_means {
        args.means.refuse()?;
    }
    let clock = (Instant::now(), ProcessTime::now());
    let mut answer = match strategy {
        Strategy::Forward => forward::answer(&question, stop)?,
        Strategy::Meet => meet::answer(&question, stop)?,
        Strategy::Finder => finder::answer(&question, stop)?,
        Strategy::Disk => disk::answer(&question, stop)?,
    };
    let (wall, cpu) = (clock.0.elapsed(), clock.1.elapsed());
    answer.figures.wall_s = Some(wall.as_secs_f64());
    answer.figures.cpu_s = Some(cpu.as_secs_f64());
    let code = question.conclude(&answer)?;
    // Not before the answer is written down.
    if let Some(folder) = answer.kept.filter(|_| answer.outcome.is_answer()) {
        work::clear(&folder, true)?;
    }
    Ok(code)
}

/// The solved states as a goal; as a state where there is only one.
fn only_goal<K: Key>(graph: &Graph<K>) -> Result<Goal<K>, PluginError> {
    if !graph.has(Capabilities::SOLVED_ROOTS) || graph.opened.part_count != 1 {
        return Ok(Goal::Solved);
    }
    Ok(match graph.roots(Direction::Backward, 0)?[..] {
        [goal] => Goal::State(goal),
        _ => Goal::Solved,
    })
}

impl<'a, K: Key> Question<'a, K> {
    fn read(args: &'a Args, graph: Graph<K>, to: To) -> Result<Self> {
        let start = match args.from.as_ref().or(args.board.as_ref()) {
            Some(text) => graph.parse(text)?,
            None => match graph.roots(Direction::Forward, 0)?.first() {
                Some(&start) => start,
                None => bail!(
                    "{}: has no start of its own; give a board by --board or --from",
                    graph.opened.full_name()
                ),
            },
        };
        let library = &graph.opened.library;
        let takes_goal = library.settings.iter().any(|setting| setting.key == "to");
        let solvable = graph.has(Capabilities::SOLVED_ROOTS) || !takes_goal;
        if args.to.is_none() && !solvable {
            bail!(
                "{}: no state is solved until there is a goal; give one by --to",
                graph.opened.full_name()
            );
        }
        let goal = match (&args.to, to) {
            (None, _) => Goal::Solved,
            (Some(_), To::Solved) => only_goal(&graph)?,
            (Some(text), To::Text(refused)) => match (graph.parse(text), refused) {
                (Ok(state), _) => Goal::State(state),
                (Err(_), Some(refused)) => return Err(refused.into()),
                (Err(error), None) => return Err(error.into()),
            },
        };
        Ok(Self {
            args,
            graph,
            start,
            goal,
        })
    }

    /// The exit code, where a folder holds the answer already and nothing is left to go on from.
    fn answered(&self, folder: &Path) -> Result<Option<u8>> {
        let means = &self.args.means;
        if !means.resumes() || begun(&means.folder(self)) {
            return Ok(None);
        }
        let Some(record) = finished(folder, "solve.json", |_| true)? else {
            return Ok(None);
        };
        // Killed while it cleared away.
        work::clear(&means.folder(self), true)?;
        let mut out = std::io::stdout();
        match self.args.format {
            Format::Text => writeln!(out, "{}", record["summary"].as_str().unwrap_or_default())?,
            Format::Json => writeln!(out, "{record:#}")?,
        }
        Ok(Some(match record["length"].is_null() {
            true => NOT_REACHED,
            false => AS_EXPECTED,
        }))
    }

    /// The strategy for this question: from both ends where an end is given and the puzzle
    /// can go against its moves, or where a small search along the moves was not enough.
    fn strategy(&self) -> Strategy {
        if self.args.finder.on_disk() {
            return Strategy::Disk;
        }
        if self.args.finder.wanted(self) {
            return Strategy::Finder;
        }
        match self.goal {
            Goal::State(_) if meet::possible(self) => Strategy::Meet,
            _ => Strategy::Forward,
        }
    }

    /// The puzzle's own proof that there is no path, where it has one.
    fn refuted(&self) -> Result<Option<Answer<K>>> {
        let to = match self.goal {
            Goal::State(key) => Some(key),
            Goal::Solved => None,
        };
        let proof = self.graph.refute(self.start, to)?;
        Ok(proof.map(|proof| Answer {
            summary: format!("impossible: {}", proof.lines().next().unwrap_or_default()),
            figures: SearchFigures {
                proof: Some(proof.clone()),
                ..SearchFigures::default()
            },
            outcome: Outcome::Unreachable(Proof::Puzzle(proof)),
            levels: Vec::new(),
            kept: None,
        }))
    }

    /// Writes an answer out and gives the exit code.
    fn conclude(&self, answer: &Answer<K>) -> Result<u8> {
        if let Some(folder) = &self.args.out {
            files::write(folder, self, answer)?;
        }
        answer.print(self, self.args.format)?;
        Ok(match answer.outcome {
            Outcome::Path(_) => AS_EXPECTED,
            Outcome::Unreachable(_) | Outcome::Levels | Outcome::NotReached(_) => NOT_REACHED,
        })
    }
}
