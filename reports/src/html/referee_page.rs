//! The page over external solvers: a line per solver, a table of all boards.

use crate::model::{Referee, RefereeRow, RefereeSolver, Ruling};
use crate::wording;
use askama::Template;
use std::io;

/// The text of the page.
///
/// # Errors
/// If the template fails.
pub fn referee_html(record: &Referee) -> io::Result<String> {
    let games = record.rows.len() + record.unplayed as usize;
    let boards = games / record.solvers.len().max(1);
    let view = RefereeView {
        title: "Solvers compared with proven lengths".to_owned(),
        tool_version: &record.tool_version,
        lead: format!(
            "{} {} on {} {}, each in a process of its own with {} s. Paths were played on the rulebook; only solvers that were right on every board are ranked.{}",
            record.solvers.len(),
            noun(record.solvers.len(), "solver", "solvers"),
            boards,
            noun(boards, "board", "boards"),
            record.time_limit_s,
            match record.unplayed {
                0 => String::new(),
                games => format!(" Stopped: {games} games were not played."),
            }
        ),
        command: wording::command_line(&record.command),
        solvers: &record.solvers,
        rows: &record.rows,
    };
    view.render().map_err(io::Error::other)
}

#[derive(Template)]
#[template(path = "referee.html")]
struct RefereeView<'a> {
    title: String,
    tool_version: &'a str,
    lead: String,
    command: String,
    solvers: &'a [RefereeSolver],
    rows: &'a [RefereeRow],
}

impl RefereeView<'_> {
    /// The class that colours a ruling, as verdicts on pairs are.
    fn class(&self, ruling: &Ruling) -> &'static str {
        match ruling {
            Ruling::Right => "solvable",
            Ruling::Wrong | Ruling::RefutesOurs => "impossible",
            Ruling::NotFinished | Ruling::NoAnswer | Ruling::Open => "undecided",
        }
    }
}

fn noun(count: usize, one: &'static str, many: &'static str) -> &'static str {
    match count {
        1 => one,
        _ => many,
    }
}
