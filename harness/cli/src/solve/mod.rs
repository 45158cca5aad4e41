//! `antipode solve`: a shortest solution of one board, drawn move by move.

mod all;
pub(super) mod answer;
pub(super) mod boards;
mod fewest;
pub(super) mod files;
pub(super) mod options;

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

use antipode_check::ask::{self, PathRequest};
use antipode_graph::PluginError;
use antipode_reports::svg::{animated_svg, board_svg};
use antipode_search::engine::{Opt, QuestionKind};
use antipode_search::engines::EngineError;
use antipode_search::outcome::Outcome;
use antipode_search::progress::Stop;
use antipode_search::work::{self, begun};
use anyhow::{Result, bail};

use super::boards::{File, elsewhere};
use super::crew::{self, Crew, is_first};
use super::finished::finished;
use super::options::{Format, Target, board_text};
use super::output::told;
use super::picture;
use super::{AS_EXPECTED, NOT_REACHED, output, results, supervise};
use answer::steps_of_proof;
use options::SolveAim;

/// Arguments of `solve`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    target: Target,
    /// Where to start: a board, or the name of one [default: the instance's start].
    #[arg(long, value_name = "STATE|NAME", value_parser = board_text, allow_hyphen_values = true)]
    from: Option<String>,
    /// The same as --from.
    #[arg(
        long,
        value_name = "TEXT",
        conflicts_with = "from",
        value_parser = board_text,
        allow_hyphen_values = true
    )]
    board: Option<String>,
    #[command(flatten)]
    boards: File,
    /// Where to go: a board, or the name of one; for puzzles with a setting `to`, what that
    /// takes [default: any solved state].
    #[arg(long, value_name = "STATE|NAME", value_parser = board_text, allow_hyphen_values = true)]
    to: Option<String>,
    #[command(flatten)]
    finder: options::Finder,
    /// Folder for solve.json, levels.csv, path.csv and solve.html; for boards.csv and boards.json
    /// with --boards.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    force: output::Force,
    /// Also write the solution as a picture that plays by itself, or the board alone.
    #[arg(long, value_name = "FILE.svg")]
    picture: Option<PathBuf>,
    /// Step through the solution in the terminal, by Enter.
    #[arg(long, conflicts_with_all = ["format", "board_file"])]
    play: bool,
    /// Ask libraries once: for samples of `bench`.
    #[arg(long, hide = true)]
    asked_once: bool,
    /// Form of the result on stdout.
    #[arg(long, value_enum, default_value_t = SolveForm::Text)]
    format: SolveForm,
}

/// Form of printed results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum SolveForm {
    /// For people.
    Text,
    /// For scripts.
    Json,
    /// A table, with --boards.
    Csv,
}

impl Args {
    /// Whether a search that is ended leaves nothing behind: no files, and no process but this one.
    pub(super) fn keeps_nothing(&self) -> bool {
        let options = &self.finder;
        self.out.is_none()
            && self.picture.is_none()
            && self.boards.path.is_none()
            && options.aim == SolveAim::Solve
            && !options.works_in_folder()
            && !self.target.plugins.are_named()
    }
}

/// Runs the command.
pub fn run(args: &Args, stop: &Stop) -> Result<u8> {
    if args.asked_once {
        supervise::ask_once();
    }
    let target = args.target.resolve()?;
    let request = PathRequest {
        from: args.from.clone().or_else(|| args.board.clone()),
        to: args.to.clone(),
        engine: args.finder.engine,
        options: args.finder.options()?,
        ..target
    };
    if let Some(boards) = args.boards.read(&request)? {
        if request.from.is_some() || args.finder.aim != SolveAim::Solve || args.picture.is_some() {
            bail!(
                "--boards goes without --from, --board, --goal and --picture: each board is solved"
            );
        }
        return boards::run(args, &request, &boards, stop);
    }
    match solve(args, request.clone(), stop) {
        // Nothing was done before the board was read.
        Err(error) if is_bad_input(&error) => match elsewhere(&request)? {
            Some(other) => solve(args, other, stop),
            None => Err(error),
        },
        done => done,
    }
}

fn is_bad_input(error: &anyhow::Error) -> bool {
    let engine = error.downcast_ref::<EngineError>();
    matches!(engine, Some(EngineError::Plugin(PluginError::BadInput(_))))
}

/// Solves one board, and returns the exit code.
fn solve(args: &Args, mut request: PathRequest, stop: &Stop) -> Result<u8> {
    let format = match args.format {
        SolveForm::Text => Format::Text,
        SolveForm::Json => Format::Json,
        SolveForm::Csv => bail!("--format csv is for --boards: use text or json"),
    };
    if args.finder.aim != SolveAim::Solve {
        if args.out.is_some() || args.picture.is_some() || args.play {
            bail!(
                "solve with this --goal prints its answer and writes no files: leave out --out, --picture and --play (--format json has all of it)"
            );
        }
        let question = ask::question(&request)?;
        return match args.finder.aim {
            SolveAim::All => all::run(&question, &request, format, stop),
            _ => fewest::run(&question, &request, format, stop),
        };
    }
    if args.play && !(results::are_on_a_terminal() && std::io::stdin().is_terminal()) {
        bail!("--play needs a terminal; leave it out, or write a page that plays by --out DIR");
    }
    output::apart(request.options.work.as_deref(), args.out.as_ref())?;
    let library = std::sync::Arc::clone(&request.library);
    let canvas = picture::probe(args.picture.as_deref(), &library, args.force.given())?;
    let given = args.finder.threads.is_some();
    let mut threads = request.options.threads;
    let named = args.finder.engine;
    if request.options.together.processes.is_some()
        && let (None, Some(folder)) = (&request.options.work, &args.out)
    {
        request.options.work = Some(folder.join("work"));
    }
    let mut crew = Crew::plan(
        named,
        QuestionKind::Path,
        &mut request.options,
        (&mut threads, given),
    )?;
    request.options.threads = threads;
    let out = args.out.as_ref().filter(|_| is_first(&request.options));
    // Only if it matters before the search: it opens the instance once more.
    let planned = (crew.is_some() || args.out.is_some()).then(|| ask::planned(&request));
    let keeps = planned
        .transpose()?
        .is_some_and(|engine| engine.takes(QuestionKind::Path, Opt::Work));
    if let Some(folder) = &args.out
        && out.is_none()
    {
        let work = request.options.work.take();
        request.options.work = work.or_else(|| Some(folder.join("work")));
    }
    if let Some(folder) = out {
        let begin = output::Begin::asked("solve", request.options.resume);
        args.force.make_way(Some(folder), &files::NAMES, begin)?;
        if keeps {
            let work = match request.options.work.take() {
                Some(work) => work,
                None => {
                    let work = folder.join("work");
                    args.force.begin(&work, begin)?;
                    work
                }
            };
            if args.picture.is_some() && request.options.resume && !begun(&work) {
                bail!("--picture draws what is searched now: leave out --resume");
            }
            if let Some(code) = answered(format, &request, folder, &work)? {
                crew::finish(crew.as_ref(), &request.options, &work, stop)?;
                return Ok(code);
            }
            request.options.work = Some(work);
        }
    }
    crew.iter_mut().try_for_each(Crew::start)?;
    let report = ask::path(&request, stop)?;
    if let Some(folder) = out {
        let title = format!("{}: {}", report.instance, ends(args));
        files::write((folder, "solve"), title, &request.library.legend, &report)?;
    }
    let draws = report.outcome.is_answer() && is_first(&request.options);
    if let (Some(canvas), true) = (canvas, draws) {
        let title = format!("{}: {}", report.instance, ends(args));
        canvas.write(title, |legend, style| match report.outcome.states() {
            [] | [_] => board_svg(&report.start, legend, style),
            states => animated_svg(states, &report.moves, legend, style),
        })?;
    }
    if args.play && report.length().is_some() {
        answer::play(&report, &library, std::io::stdin().lock(), results::out())?;
    }
    answer::print(&report, &library, format)?;
    // Not before the answer is written.
    if let (Some(folder), true) = (&report.kept, report.outcome.is_answer()) {
        work::clear(folder, true)?;
    }
    let is_answer = report.outcome.is_answer();
    crew::clear(crew, report.engine, &request.options, is_answer);
    Ok(match report.outcome {
        Outcome::Path(_) | Outcome::Unreachable(_) => AS_EXPECTED,
        Outcome::Levels | Outcome::NotReached(_) => NOT_REACHED,
    })
}

/// The question, in words.
fn ends(args: &Args) -> String {
    let from = args.from.as_ref().or(args.board.as_ref());
    let from = from.map_or("the start", String::as_str);
    let to = args.to.as_deref().unwrap_or("solved");
    format!("{from} to {to}")
}

/// The exit code, if a folder holds the answer already and nothing is left to resume.
fn answered(
    format: Format,
    request: &PathRequest,
    folder: &Path,
    work: &Path,
) -> Result<Option<u8>> {
    if !request.options.resume || begun(work) {
        return Ok(None);
    }
    let Some(record) = finished((folder, "solve.json"), work, |_| true)? else {
        return Ok(None);
    };
    let mut out = output::stdout();
    match format {
        Format::Text => {
            let proof = record["proof"].as_str().unwrap_or_default();
            told!(out, "{}", record["summary"].as_str().unwrap_or_default())?;
            write!(out, "{}", steps_of_proof(proof))?;
        }
        Format::Json => writeln!(out, "{record:#}")?,
    }
    // Only answers are written down.
    Ok(Some(AS_EXPECTED))
}
