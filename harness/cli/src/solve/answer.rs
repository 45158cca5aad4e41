//! An answer as text and as JSON.

use std::io::Write;

use antipode_check::ask::PathReport;
use anyhow::Result;
use serde_json::{Value, json};

use super::Format;

/// Writes an answer to stdout; how far a stopped search got goes to stderr.
pub(super) fn print(report: &PathReport, format: Format) -> Result<()> {
    match (report.outcome.is_answer(), format) {
        (false, _) => eprintln!("{}", report.summary),
        (_, Format::Text) => write!(std::io::stdout(), "{}", text(report))?,
        (_, Format::Json) => writeln!(std::io::stdout(), "{:#}", as_json(report))?,
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

/// The answer as JSON.
pub(super) fn as_json(report: &PathReport) -> Value {
    let behind = report.outcome.states().iter().skip(1);
    let moves = report.moves.iter().zip(behind);
    let moves = moves.map(|(name, state)| json!({ "move": name, "state": state }));
    let mut value = json!({
        "instance": report.instance,
        "variant": report.variant,
        "from": report.start,
        "length": report.length(),
        "moves": moves.collect::<Vec<_>>(),
    });
    if let Some(members) = value.as_object_mut() {
        members.extend(report.details.clone());
    }
    value
}
