//! Files of an answer: `solve.json`, `levels.csv`, `path.csv` and a page with the boards.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::SystemTime;

use anyhow::Result;
use puzzle_api::Key;

use antipode_reports::html::{PathPage, write_path_page};
use antipode_reports::model::{Made, PathStep, Picture, PictureKind, unix_seconds};
use antipode_reports::{csv_out, json_out};

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
    csv_out::write_rows(folder.join("levels.csv"), &answer.levels)?;
    let steps = PathStep::path(&drawn, &names);
    csv_out::write_rows(folder.join("path.csv"), &steps)?;
    let made = Made {
        summary: sentence(answer),
        settings: graph.opened.settings.clone(),
        tool_version: env!("CARGO_PKG_VERSION").into(),
        host: machine::host(),
        finished_unix_s: unix_seconds(SystemTime::now()),
        command: std::env::args().collect(),
    };
    let mut record = answer.record(question)?;
    record.made = Some(made.clone());
    json_out::write_record(folder.join("solve.json"), &record)?;
    let library = &graph.opened.library;
    let page = PathPage {
        title: format!("{}: {}", graph.opened.full_name(), ends(question)),
        summary: made.summary,
        generated_unix_s: made.finished_unix_s,
        tool_version: made.tool_version,
        command: made.command,
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

/// Levels by depth: states forward, states backward.
fn page_levels<K: Key>(answer: &Answer<K>) -> Vec<(u32, [Option<u64>; 2])> {
    let mut levels: BTreeMap<u32, [Option<u64>; 2]> = BTreeMap::new();
    for row in &answer.levels {
        let side = usize::from(row.side == "backward");
        levels.entry(row.depth).or_default()[side] = Some(row.states);
    }
    levels.into_iter().collect()
}
