//! `antipode solve`: a shortest solution of one board, drawn move by move.

mod answer;
mod finder;
mod forward;

use anyhow::{Result, bail};
use puzzle_api::{Direction, Key};

use super::options::{Format, Target};
use super::{AS_EXPECTED, NOT_REACHED};
use crate::analysis::typed_graph;
use crate::plugin::Graph;
use crate::progress::Stop;
use crate::verify::Goal;
use answer::Found;
pub use answer::move_names;

/// Arguments of `solve`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    target: Target,
    /// Where to start: a board, or the name of one [default: the instance's start].
    #[arg(long, value_name = "STATE|NAME")]
    from: Option<String>,
    /// The same as --from.
    #[arg(long, value_name = "TEXT", conflicts_with = "from")]
    board: Option<String>,
    /// Where to go: a board, or the name of one [default: any solved state].
    #[arg(long, value_name = "STATE|NAME")]
    to: Option<String>,
    #[command(flatten)]
    finder: finder::Finder,
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
}

/// Runs the verb.
///
/// # Errors
/// Bad input, in one line.
pub fn run(args: &Args, stop: &Stop) -> Result<u8> {
    let (library, instance, settings) = args.target.resolve()?;
    let variant = args.target.variant.as_deref();
    let variant = variant.unwrap_or_else(|| library.variants[0].as_str());
    let opened = library.open(&instance, variant, &settings)?;
    match library.key_words() {
        1 => solve::<u64>(args, typed_graph(opened)?, stop),
        _ => solve::<u128>(args, typed_graph(opened)?, stop),
    }
}

fn solve<K: Key>(args: &Args, graph: Graph<K>, stop: &Stop) -> Result<u8> {
    let question = Question::read(args, graph)?;
    if args.finder.wanted(&question) {
        return finder::answer(&question, stop);
    }
    let answer = match question.strategy() {
        Strategy::Forward => forward::answer(&question, stop)?,
    };
    answer.print(&question, args.format)?;
    Ok(match answer.found {
        Found::Path(_) => AS_EXPECTED,
        Found::NoPath | Found::Stopped => NOT_REACHED,
    })
}

impl<'a, K: Key> Question<'a, K> {
    fn read(args: &'a Args, graph: Graph<K>) -> Result<Self> {
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
        let goal = match &args.to {
            Some(text) => Goal::State(graph.parse(text)?),
            None => Goal::Solved,
        };
        Ok(Self {
            args,
            graph,
            start,
            goal,
        })
    }

    /// The strategy for this question.
    fn strategy(&self) -> Strategy {
        Strategy::Forward
    }
}
