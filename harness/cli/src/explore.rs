//! `antipode explore`: positions to look at and to play on, on a local page or as a record.

use std::fmt::Write as _;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Result, bail};

use antipode_check::ask::PathRequest;
use antipode_explore::{AnswerLimits, Explorer, FinishedRun, Go, Instances, Server, position_text};
use antipode_graph::{Library, clean};
use antipode_reports::json_out::record_text;
use antipode_reports::model::Position;
use antipode_reports::svg::board_svg;
use antipode_search::machine;
use antipode_search::progress::{Stop, Stopped, note};

use super::boards::elsewhere;
use super::drawing::Drawing;
use super::options::{Format, Plugins, board_text, seconds, settings};
use super::picture;
use super::{AS_EXPECTED, NOT_REACHED, VERIFICATION_FAILED, names, opening, output, results};

/// Arguments of `explore`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Which instance, as `antipode list` shows them [default: that of --from-run, else the page
    /// lets you choose].
    #[arg(value_name = "PUZZLE/INSTANCE")]
    name: Option<String>,
    /// A setting of the instance; may be given several times.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    settings: Vec<String>,
    /// Implementation of the rules that tables and searches use [default: the puzzle's first].
    #[arg(long)]
    variant: Option<String>,
    #[command(flatten)]
    plugins: Plugins,
    /// The position: a board, or the name of one [default: the instance's start, else some].
    #[arg(long, value_name = "TEXT", value_parser = board_text, allow_hyphen_values = true)]
    board: Option<String>,
    /// Go to a position at the greatest distance: of the finished run, else of the part that the
    /// position lies in.
    #[arg(long, conflicts_with = "at")]
    antipode: bool,
    /// Go to a random position at a distance, in the part that the position lies in.
    #[arg(long, value_name = "DISTANCE")]
    at: Option<u16>,
    /// Seed of random choices.
    #[arg(
        long,
        default_value_t = 1,
        requires = "at",
        conflicts_with = "antipode"
    )]
    seed: u64,
    /// Folder of a finished run (`analyse --out`), for antipodes and their distances.
    #[arg(long, value_name = "DIR")]
    from_run: Option<PathBuf>,
    /// Longest that a search for a position may take, and as long for all of its moves together,
    /// if there is no table.
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "3")]
    limit: Duration,
    /// Port of 127.0.0.1 for the page; 0 for any that is free.
    #[arg(long, value_name = "N", default_value_t = 4141, conflicts_with_all = ["format", "picture"])]
    port: u16,
    /// Print the position once, and serve no page.
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Write a picture of the position, and serve no page.
    #[arg(long, value_name = "FILE.svg")]
    picture: Option<PathBuf>,
}

impl Args {
    fn go(&self) -> Go {
        match (self.antipode, self.at) {
            (true, _) => Go::Antipode(0),
            (_, Some(at)) => Go::Random {
                at: Some(at),
                seed: self.seed,
            },
            _ => Go::Stay,
        }
    }

    /// Whether an option is given that only one instance can answer.
    fn wants_instance(&self) -> bool {
        let given = self.board.is_some() || self.antipode || self.at.is_some();
        let given = given || self.picture.is_some();
        given || self.format.is_some() || self.variant.is_some() || !self.settings.is_empty()
    }
}

/// Runs the command.
pub fn run(args: &Args, stop: &Stop) -> Result<u8> {
    let limits = AnswerLimits::searching(args.limit);
    // A folder that cannot be used is reported before a library is loaded.
    let run = args.from_run.as_deref().map(FinishedRun::read);
    let run = run.transpose()?;
    let libraries = args.plugins.libraries()?;
    let of_run = run.as_ref().map(FinishedRun::instance);
    let Some(name) = args.name.clone().or(of_run) else {
        if args.wants_instance() {
            bail!("name the instance, PUZZLE/INSTANCE; `antipode list` shows all");
        }
        return serve(args, Instances::all(libraries, limits), "", stop);
    };
    let (library, instance) = names::find_instance(&libraries, &name)?;
    let mut settings = settings(&args.settings)?;
    if let (Some(run), true) = (&run, args.settings.is_empty()) {
        settings.clone_from(&run.run.settings);
    }
    names::check(&library, args.variant.as_deref(), &settings)?;
    if let Some(line) = opening::reading(&library, &instance, &settings) {
        note(line);
    }
    let canvas = picture::probe(args.picture.as_deref(), &library, None)?;
    let asked = PathRequest {
        settings,
        variant: args.variant.clone(),
        from: args.board.clone(),
        ..PathRequest::new(Arc::clone(&library), instance)
    };
    let mut asked = elsewhere(&asked)?.unwrap_or(asked);
    let board = asked.from.take();
    let explorer = Explorer::open(asked, run, limits)?;
    let position = || match explorer.position(board.as_deref(), args.go(), stop) {
        // Not the message about a search that took too long by itself.
        Err(_) if stop.requested() => bail!(Stopped),
        found => Ok(found?),
    };
    if canvas.is_some() || args.format.is_some() {
        let position = position()?;
        if let Some(canvas) = canvas {
            let draw = |legend: &_, style| board_svg(&position.board, legend, style);
            canvas.write(explorer.name().to_owned(), draw)?;
        }
        match args.format {
            None => return Ok(AS_EXPECTED),
            Some(Format::Text) => print(&position, &library)?,
            Some(Format::Json) => write!(output::stdout(), "{}", record_text(&position)?)?,
        }
        return Ok(code(&position));
    }
    let mut address = explorer.name().to_owned();
    if args.go() != Go::Stay {
        let position = position()?;
        address += &format!("?board={}", in_address(&position.board));
    } else if let Some(board) = &board {
        explorer.check(board)?;
        address += &format!("?board={}", in_address(board));
    }
    serve(args, Instances::one(explorer, limits), &address, stop)
}

/// Boards and moves, which are indented, unchanged; text about them folded.
fn print(position: &Position, library: &Library) -> Result<()> {
    let moves = position
        .moves
        .iter()
        .filter_map(|made| made.r#move.as_deref());
    let drawn = Drawing::new(library, &position.board, moves).alone(&position.board);
    let (mut out, rows) = (results::out(), position.board.split('/').count());
    for (at, line) in position_text(position).lines().enumerate() {
        let line = clean(line);
        match at {
            1 => write!(out, "{drawn}")?,
            // The rows of the board.
            _ if (2..=rows).contains(&at) => {}
            _ if line.starts_with(' ') => writeln!(out, "{line}")?,
            _ => writeln!(out, "{}", output::prose(&line, 0))?,
        }
    }
    Ok(())
}

/// The exit code of a position that was printed.
fn code(position: &Position) -> u8 {
    match position.remaining.at_least {
        Some(_) => NOT_REACHED,
        None => AS_EXPECTED,
    }
}

fn serve(args: &Args, instances: Instances, address: &str, stop: &Stop) -> Result<u8> {
    let version = env!("CARGO_PKG_VERSION");
    let server = Server::bind(args.port, instances, version, machine::command_line(), stop)?;
    let mut out = output::stdout();
    writeln!(out, "{}{address}", server.address())?;
    out.flush()?;
    note("open the address in a browser on this machine; Ctrl-C ends");
    Ok(match server.serve()? {
        true => AS_EXPECTED,
        false => VERIFICATION_FAILED,
    })
}

/// A text as part of an address.
fn in_address(text: &str) -> String {
    let mut safe = String::new();
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'.' | b'-' | b'_' | b'/' => {
                safe.push(char::from(byte));
            }
            _ => {
                let _ = write!(safe, "%{byte:02X}");
            }
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::in_address;

    #[test]
    fn boards_survive_an_address() {
        assert_eq!(in_address("#g./ O+"), "%23g./%20O%2B");
    }
}
