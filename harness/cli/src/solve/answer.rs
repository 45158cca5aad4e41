//! An answer as text and as JSON.

use std::io::Write;

use antipode_check::ask::PathReport;
use antipode_reports::model::{Move, Solution};
use anyhow::Result;

use super::Format;
use crate::output;
use antipode_search::progress::note;

/// Writes an answer to stdout; how far a stopped search got goes to stderr.
pub(crate) fn print(report: &PathReport, format: Format) -> Result<()> {
    match (report.outcome.is_answer(), format) {
        (false, _) => note(&report.summary),
        (_, Format::Text) => write!(output::stdout(), "{}", text(report))?,
        (_, Format::Json) => {
            let text = serde_json::to_string_pretty(&record(report))?;
            writeln!(output::stdout(), "{text}")?;
        }
    }
    Ok(())
}

fn text(report: &PathReport) -> String {
    let states = report.outcome.states();
    let mut text = String::new();
    for (i, state) in states.iter().enumerate() {
        if i > 0 {
            text += &format!("{i}. {}\n", report.moves[i - 1]);
        }
        for row in state.split('/') {
            text += &format!("   {row}\n");
        }
    }
    if let Some(moves) = report.length() {
        let unit = if moves == 1 { "move" } else { "moves" };
        text += &format!("solved in {moves} {unit}, ");
    }
    text + &report.summary + "\n"
}

/// The answer as it is printed for programs; the file says more.
pub(super) fn record(report: &PathReport) -> Solution {
    let behind = report.outcome.states().iter().skip(1);
    let moves = report.moves.iter().zip(behind).map(|(name, state)| Move {
        r#move: name.clone(),
        state: state.clone(),
    });
    Solution {
        instance: report.instance.clone(),
        variant: report.variant.clone(),
        from: report.start.clone(),
        length: report.length(),
        moves: moves.collect(),
        search: report.figures.clone(),
        made: None,
    }
}
