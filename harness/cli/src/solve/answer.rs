//! An answer as text and as JSON.

use std::io::{BufRead, Write};

use antipode_check::ask::PathReport;
use antipode_graph::{Library, clean};
use antipode_reports::count;
use antipode_reports::json_out::record_text;
use antipode_reports::model::{Solution, SolutionMove};
use antipode_reports::proof::proof_text;
use antipode_search::outcome::Outcome;
use anyhow::Result;

use super::Format;
use crate::drawing::Drawing;
use crate::{output, results};
use antipode_search::progress::{note, tell};

/// Writes an answer to stdout; the progress of a stopped search goes to stderr.
pub(crate) fn print(report: &PathReport, library: &Library, format: Format) -> Result<()> {
    match (report.outcome.is_answer(), format) {
        // Everything there is to say, also with --quiet.
        (false, Format::Text) => tell(&report.summary),
        (true, Format::Text) => write!(results::out(), "{}", text(report, library))?,
        (is_answer, Format::Json) => {
            if !is_answer {
                note(&report.summary);
            }
            write!(output::stdout(), "{}", record_text(&record(report))?)?;
        }
    }
    Ok(())
}

fn text(report: &PathReport, library: &Library) -> String {
    let mut text = drawing(report, library).abreast(steps(report));
    let mut rest = String::new();
    if !report.moves.is_empty() {
        rest = listed(&report.moves);
    }
    let solved = match report.length().is_some() && report.to.is_none() {
        true => "solved in ",
        false => "",
    };
    rest += &output::prose(&format!("{solved}{}", sentence(report)), 0);
    let proof = report.figures.proof.as_deref().unwrap_or_default();
    text += &clean(&(rest + "\n" + &steps_of_proof(proof)));
    text
}

/// Moves in the form for claims and boards, in lines that fit and do not break a name.
pub(super) fn listed(moves: &[String]) -> String {
    const KEPT: &str = "\u{1}";
    let spaced = moves.iter().any(|name| name.contains(' '));
    let line = moves.join("\n").replace(' ', KEPT);
    let line = line.replace('\n', if spaced { ", " } else { " " });
    output::prose(&line, 0).replace(KEPT, " ") + "\n"
}

/// The steps of a whole proof, in lines that fit.
pub(super) fn steps_of_proof(proof: &str) -> String {
    let steps = proof_text(proof);
    let lines = steps.lines().map(|line| output::indented(line) + "\n");
    lines.collect()
}

fn drawing(report: &PathReport, library: &Library) -> Drawing {
    Drawing::new(
        library,
        &report.start,
        report.moves.iter().map(String::as_str),
    )
}

/// Each board with the move before it.
fn steps(report: &PathReport) -> impl Iterator<Item = (String, &str)> {
    let caption = |at: usize| match at.checked_sub(1) {
        None => "start".to_owned(),
        Some(before) => format!("{at}. {}", report.moves[before]),
    };
    let states = report.outcome.states().iter().enumerate();
    states.map(move |(at, state)| (caption(at), state.as_str()))
}

/// Steps through a solution by the user's input lines.
pub(super) fn play(
    report: &PathReport,
    library: &Library,
    lines: impl BufRead,
    mut out: impl Write,
) -> Result<()> {
    let (drawing, steps) = (drawing(report, library), steps(report).collect::<Vec<_>>());
    let (mut at, last) = (0, steps.len().saturating_sub(1));
    let mut lines = lines.lines();
    while let Some(step) = steps.get(at) {
        let board = drawing.abreast(std::iter::once(step.clone()));
        write!(
            out,
            "\u{1b}[H\u{1b}[J{board}{at} of {last}; Enter: next, b: back, a number: that move, q: end "
        )?;
        out.flush()?;
        let Some(line) = lines.next().transpose()? else {
            writeln!(out)?;
            break;
        };
        at = match line.trim() {
            "" => at + 1,
            "b" => at.saturating_sub(1),
            "q" => break,
            number => number.parse().map_or(at, |number: usize| number.min(last)),
        };
    }
    Ok(())
}

/// The number of moves, and how they were found. A goal that the user named need not be a solved
/// state.
pub(super) fn sentence(report: &PathReport) -> String {
    let Some(moves) = report.length() else {
        return report.summary.clone();
    };
    let length = count(moves, report.unit);
    let to = report.to.as_ref();
    let to = to.map_or_else(String::new, |to| format!(" to {to}"));
    format!("{length}{to}, {}", report.summary)
}

/// The answer in the form for programs; the file says more.
pub(super) fn record(report: &PathReport) -> Solution {
    let behind = report.outcome.states().iter().skip(1);
    let moves = report
        .moves
        .iter()
        .zip(behind)
        .map(|(name, state)| SolutionMove {
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
        unit: report.unit.into(),
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
