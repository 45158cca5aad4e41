//! An answer as text and as JSON.

use std::io::Write;

use antipode_check::ask::PathReport;
use antipode_reports::json_out::record_text;
use antipode_reports::model::{Move, Solution};
use antipode_reports::proof::proof_text;
use antipode_search::outcome::Outcome;
use anyhow::Result;

use super::Format;
use crate::output;
use antipode_search::progress::{note, tell};

/// Writes an answer to stdout; how far a stopped search got goes to stderr.
pub(crate) fn print(report: &PathReport, format: Format) -> Result<()> {
    match (report.outcome.is_answer(), format) {
        // All that there is to say, also with --quiet.
        (false, Format::Text) => tell(&report.summary),
        (true, Format::Text) => write!(output::stdout(), "{}", text(report))?,
        (is_answer, Format::Json) => {
            if !is_answer {
                note(&report.summary);
            }
            write!(output::stdout(), "{}", record_text(&record(report))?)?;
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
    if report.length().is_some() && report.to.is_none() {
        text += "solved in ";
    }
    let proof = report.figures.proof.as_deref().unwrap_or_default();
    text + &sentence(report) + "\n" + &proof_text(proof)
}

/// How many moves there are, and how they were found. A state that was named need not be a
/// solved one.
pub(super) fn sentence(report: &PathReport) -> String {
    let Some(moves) = report.length() else {
        return report.summary.clone();
    };
    let unit = if moves == 1 { "move" } else { "moves" };
    let to = report.to.as_ref();
    let to = to.map_or_else(String::new, |to| format!(" to {to}"));
    format!("{moves} {unit}{to}, {}", report.summary)
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
        to: report.to.clone(),
        outcome: Some(outcome(report).to_owned()),
        why: report.length().is_none().then(|| report.summary.clone()),
        length: report.length(),
        moves: moves.collect(),
        search: report.figures.clone(),
        made: None,
    }
}

/// How it ended, in a word.
pub(super) fn outcome(report: &PathReport) -> &'static str {
    match report.outcome {
        Outcome::Path(_) => "path",
        Outcome::Unreachable(_) => "impossible",
        Outcome::Levels | Outcome::NotReached(_) => "not-reached",
    }
}
