//! External solvers on boards of known shortest length: each board in a separate process, with
//! limits. The output is judged, never believed. `README.md` has the forms.

mod answer;
mod rank;

use std::io::ErrorKind;
use std::process::Command;
use std::str::FromStr;

use anyhow::{Result, bail};

use antipode_check::referee::{Game, Judged};
use antipode_reports::model::{RefereeRow, Ruling};
use antipode_search::machine::content_of;
use antipode_search::progress::Stop;

use crate::run::process::{self, ProcessEnd, ProcessLimits};

pub use rank::ranked;

/// A solver: its name and its command. In its words, `{board}`, `{instance}` and `{puzzle}` are
/// replaced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Solver {
    /// Its name in rows.
    pub name: String,
    /// Its words, the program first.
    pub words: Vec<String>,
}

impl FromStr for Solver {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let is_name = |name: &str| {
            let sound = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
            !name.is_empty() && name.chars().all(sound)
        };
        let (name, command) = match text.split_once('=') {
            Some((name, command)) if is_name(name) => (Some(name), command),
            _ => (None, text),
        };
        let words = shlex::split(command).filter(|words| !words.is_empty());
        let words = words.ok_or("give a program and its arguments, quoted as for a shell")?;
        let name = name.map_or_else(|| antipode_graph::one_line(&words[0]), str::to_owned);
        Ok(Self { name, words })
    }
}

impl Solver {
    /// Checks that the program exists before any board is solved for it. A name with a `{board}` in
    /// it is not looked for.
    pub fn find(&self) -> Result<()> {
        let program = &self.words[0];
        if program.contains('{') || which::which(program).is_ok() {
            return Ok(());
        }
        bail!(
            "--command: {}: no such program; name an executable file, or one on PATH",
            antipode_graph::one_line(program)
        );
    }

    /// BLAKE3 of the program and of the files among its words: the same words over other contents
    /// are another solver.
    #[must_use]
    pub fn contents(&self) -> Vec<String> {
        let program = which::which(&self.words[0]).ok();
        let program = program.and_then(content_of);
        let files = self.words[1..].iter().filter_map(content_of);
        program.into_iter().chain(files).collect()
    }

    /// The command for a board. Words are filled in after they were split, so that nothing in
    /// a board is interpreted as by a shell.
    fn command(&self, game: &Game) -> Command {
        let (puzzle, instance) = game.instance.split_once('/').unwrap_or_default();
        let fill = |word: &String| {
            word.replace("{board}", &game.board)
                .replace("{instance}", instance)
                .replace("{puzzle}", puzzle)
        };
        let mut words = self.words.iter().map(fill);
        let mut command = Command::new(words.next().unwrap_or_default());
        command.args(words).env("ANTIPODE_BOARD", &game.board);
        command
    }
}

/// Bytes that a solver may print.
pub const MOST_OUTPUT: u64 = 16 << 20;

/// Lets a solver play a board, and judges its output; `None` if a stop was requested. A program
/// that cannot be started has no answer.
pub fn play(
    solver: &Solver,
    game: &Game,
    limits: &ProcessLimits,
    stop: &Stop,
) -> Result<Option<RefereeRow>> {
    process::adopt_orphans();
    let own = process::own_children();
    let finished = match process::run(&mut solver.command(game), limits, stop) {
        Ok(finished) => Ok(finished),
        Err(error) if is_no_program(&error) => Err(antipode_graph::one_line(&format!("{error:#}"))),
        Err(error) => return Err(error),
    };
    if !process::kill_orphans(&own) {
        bail!("it begins processes faster than they can be killed; end them by hand");
    }
    let no_answer = |why| unread(Ruling::NoAnswer, why);
    let judged = match &finished {
        Err(why) => no_answer(why.clone()),
        Ok(finished) => match finished.ended {
            ProcessEnd::Stopped => return Ok(None),
            ProcessEnd::Exit(status) if status.success() => match answer::read(&finished.out) {
                Ok(answer) => game.judge(&answer)?,
                Err(why) => no_answer(why),
            },
            ProcessEnd::Exit(_) | ProcessEnd::Held => no_answer(finished.how()),
            _ => unread(Ruling::NotFinished, finished.how()),
        },
    };
    let finished = finished.as_ref().ok();
    Ok(Some(RefereeRow {
        solver: solver.name.clone(),
        instance: game.instance.clone(),
        board: game.board.clone(),
        ruling: judged.ruling,
        said: judged.said,
        shortest: game.shortest(),
        replayed: judged.replayed,
        why: judged.why,
        wall_s: finished.map_or(0.0, |finished| finished.wall.as_secs_f64()),
        peak_memory_bytes: finished.and_then(|finished| finished.peak),
    }))
}

/// Whether a command failed to start because of its program, and not for lack of memory or
/// processes.
fn is_no_program(error: &anyhow::Error) -> bool {
    let short = [ErrorKind::WouldBlock, ErrorKind::OutOfMemory];
    let error = error.downcast_ref::<std::io::Error>();
    error.is_some_and(|error| !short.contains(&error.kind()))
}

fn unread(ruling: Ruling, why: String) -> Judged {
    Judged {
        ruling,
        said: String::new(),
        replayed: false,
        why,
    }
}

#[cfg(test)]
mod tests {
    use super::Solver;

    #[test]
    fn a_program_is_a_file_that_can_be_run_or_on_the_path() {
        let found = |command: &str| command.parse::<Solver>().expect("a command").find();
        for command in ["sh -c x", "/bin/sh", "s=sh", "./{puzzle}-solver {board}"] {
            assert!(found(command).is_ok(), "{command}");
        }
        for command in [
            "./no-such-program {board}",
            "no-such-program",
            "./Cargo.toml",
            "/",
        ] {
            let told = found(command).expect_err(command).to_string();
            assert!(told.contains("no such program"), "{told}");
        }
    }
}
