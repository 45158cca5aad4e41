//! Files of an answer: `solve.json`, `levels.csv`, `path.csv` and a page with the boards.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Result;
use puzzle_api::Key;
use serde_json::json;

use antipode_reports::atomic::write_atomically;
use antipode_reports::html::{PathPage, write_path_page};
use antipode_reports::json_out;
use antipode_reports::model::{Picture, PictureKind};

use super::Question;
use super::answer::Answer;
use antipode_graph::move_names;
use antipode_search::machine;
use antipode_search::record::legend;

/// Writes all files of an answer; a stopped search leaves none.
pub(super) fn write<K: Key>(
    folder: &Path,
    question: &Question<'_, K>,
    answer: &Answer<K>,
) -> Result<()> {
    if !answer.outcome.is_answer() {
        return Ok(());
    }
    let graph = &question.graph;
    let states = answer.states();
    let drawn = states.iter().map(|&state| graph.draw(state));
    let drawn = drawn.collect::<Result<Vec<String>, _>>()?;
    let names = move_names(graph, states);
    write_text(&folder.join("levels.csv"), &levels_csv(answer))?;
    write_text(&folder.join("path.csv"), &path_csv(&drawn, &names))?;
    json_out::write_json(folder.join("solve.json"), &certificate(question, answer)?)?;
    let library = &graph.opened.library;
    let page = PathPage {
        title: format!("{}: {}", graph.opened.full_name(), ends(question)),
        summary: sentence(answer),
        generated_unix_s: now(),
        tool_version: env!("CARGO_PKG_VERSION").into(),
        command: std::env::args().collect(),
        picture: match drawn.is_empty() {
            true => Picture {
                caption: "the start".into(),
                kind: PictureKind::Board {
                    state: graph.draw(question.start)?,
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
        levels: page_levels(answer),
        legend: Some(legend(&library.legend)).filter(|legend| !legend.entries.is_empty()),
    };
    write_path_page(folder.join("solve.html"), &page)?;
    Ok(())
}

fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs())
}

/// What was asked, in words.
fn ends<K: Key>(question: &Question<'_, K>) -> String {
    let args = question.args;
    let from = args.from.as_ref().or(args.board.as_ref());
    let from = from.map_or("the start", String::as_str);
    let to = args.to.as_deref().unwrap_or("solved");
    format!("{from} to {to}")
}

fn sentence<K: Key>(answer: &Answer<K>) -> String {
    match answer.states().len().checked_sub(1) {
        Some(moves) => format!("{moves} moves, {}", answer.summary),
        None => answer.summary.clone(),
    }
}

fn certificate<K: Key>(
    question: &Question<'_, K>,
    answer: &Answer<K>,
) -> Result<serde_json::Value> {
    let mut value = answer.json(question)?;
    if let Some(members) = value.as_object_mut() {
        let opened = &question.graph.opened;
        members.insert("summary".into(), json!(sentence(answer)));
        members.insert("settings".into(), json!(opened.settings));
        members.insert("tool_version".into(), json!(env!("CARGO_PKG_VERSION")));
        members.insert("host".into(), json!(machine::host()));
        members.insert("finished_unix_s".into(), json!(now()));
        let command: Vec<String> = std::env::args().collect();
        members.insert("command".into(), json!(command));
    }
    Ok(value)
}

fn write_text(path: &Path, text: &str) -> Result<()> {
    Ok(write_atomically(path, |out| {
        out.write_all(text.as_bytes())
    })?)
}

/// `side,depth,states,digest`: every complete level.
fn levels_csv<K: Key>(answer: &Answer<K>) -> String {
    let mut text = String::from("side,depth,states,digest\n");
    for row in &answer.levels {
        let (side, depth, states, digest) = (row.side, row.depth, row.states, &row.digest);
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
fn page_levels<K: Key>(answer: &Answer<K>) -> Vec<(u32, [Option<u64>; 2])> {
    let mut levels: BTreeMap<u32, [Option<u64>; 2]> = BTreeMap::new();
    for row in &answer.levels {
        let side = usize::from(row.side == "backward");
        levels.entry(row.depth.into()).or_default()[side] = Some(row.states);
    }
    levels.into_iter().collect()
}
