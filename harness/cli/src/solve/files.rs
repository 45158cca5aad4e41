//! Files of an answer: `solve.json`, `levels.csv`, `path.csv` and a page with the boards.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Result;
use puzzle_api::Direction;
use serde_json::json;

use antipode_reports::atomic::write_atomically;
use antipode_reports::html::{PathPage, write_path_page};
use antipode_reports::json_out;
use antipode_reports::model::{Picture, PictureKind};

use super::Args;
use super::answer::as_json;
use antipode_check::ask::PathReport;
use antipode_graph::direction_name;
use antipode_search::digest::hex;
use antipode_search::{machine, record};

/// Writes all files of an answer; a stopped search leaves none.
pub(super) fn write(folder: &Path, args: &Args, legend: &str, report: &PathReport) -> Result<()> {
    if !report.outcome.is_answer() {
        return Ok(());
    }
    let drawn = report.outcome.states().to_vec();
    let names = report.moves.clone();
    write_text(&folder.join("levels.csv"), &levels_csv(report))?;
    write_text(&folder.join("path.csv"), &path_csv(&drawn, &names))?;
    json_out::write_json(folder.join("solve.json"), &certificate(report))?;
    let page = PathPage {
        title: format!("{}: {}", report.instance, ends(args)),
        summary: sentence(report),
        generated_unix_s: now(),
        tool_version: env!("CARGO_PKG_VERSION").into(),
        command: std::env::args().collect(),
        picture: match drawn.is_empty() {
            true => Picture {
                caption: "the start".into(),
                kind: PictureKind::Board {
                    state: report.start.clone(),
                },
            },
            false => Picture {
                caption: format!("{} moves", drawn.len() - 1),
                kind: PictureKind::Strip {
                    states: drawn,
                    labels: names,
                },
            },
        },
        levels: page_levels(report),
        legend: Some(record::legend(legend)).filter(|legend| !legend.entries.is_empty()),
    };
    write_path_page(folder.join("solve.html"), &page)?;
    Ok(())
}

fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs())
}

/// What was asked, in words.
fn ends(args: &Args) -> String {
    let from = args.from.as_ref().or(args.board.as_ref());
    let from = from.map_or("the start", String::as_str);
    let to = args.to.as_deref().unwrap_or("solved");
    format!("{from} to {to}")
}

fn sentence(report: &PathReport) -> String {
    match report.length() {
        Some(moves) => format!("{moves} moves, {}", report.summary),
        None => report.summary.clone(),
    }
}

fn certificate(report: &PathReport) -> serde_json::Value {
    let mut value = as_json(report);
    if let Some(members) = value.as_object_mut() {
        members.insert("summary".into(), json!(sentence(report)));
        members.insert("settings".into(), json!(report.settings));
        members.insert("tool_version".into(), json!(env!("CARGO_PKG_VERSION")));
        members.insert("host".into(), json!(machine::host()));
        members.insert("finished_unix_s".into(), json!(now()));
        let command: Vec<String> = std::env::args().collect();
        members.insert("command".into(), json!(command));
    }
    value
}

fn write_text(path: &Path, text: &str) -> Result<()> {
    Ok(write_atomically(path, |out| {
        out.write_all(text.as_bytes())
    })?)
}

/// `side,depth,states,digest`: every complete level.
fn levels_csv(report: &PathReport) -> String {
    let mut text = String::from("side,depth,states,digest\n");
    for row in &report.levels {
        let (side, depth, states) = (direction_name(row.side), row.depth, row.states);
        let digest = row.digest.map_or_else(String::new, hex);
        let _ = writeln!(text, "{side},{depth},{states},{digest}");
    }
    text
}

/// `step,move,state`: the start has no move.
fn path_csv(drawn: &[String], names: &[String]) -> String {
    let mut text = String::from("step,move,state\n");
    for (step, state) in drawn.iter().enumerate() {
        let name = step
            .checked_sub(1)
            .map_or("", |before| names[before].as_str());
        let _ = writeln!(text, "{step},{},{}", quoted(name), quoted(state));
    }
    text
}

/// A field of a CSV file.
fn quoted(field: &str) -> String {
    match field.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", field.replace('"', "\"\"")),
        false => field.to_owned(),
    }
}

/// Levels by depth: states forward, states backward.
fn page_levels(report: &PathReport) -> Vec<(u32, [Option<u64>; 2])> {
    let mut levels: BTreeMap<u32, [Option<u64>; 2]> = BTreeMap::new();
    for row in &report.levels {
        let side = usize::from(row.side == Direction::Backward);
        levels.entry(row.depth.into()).or_default()[side] = Some(row.states);
    }
    levels.into_iter().collect()
}
