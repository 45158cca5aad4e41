//! Files of an answer: `solve.json`, `levels.csv`, `path.csv` and a page with the boards.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::SystemTime;

use anyhow::Result;
use puzzle_api::Direction;

use antipode_reports::count;
use antipode_reports::html::{PathPage, path_page_html};
use antipode_reports::model::{
    PathStep, Picture, PictureKind, SideLevel, SolutionOrigin, unix_seconds,
};
use antipode_reports::results::Results;

use super::answer::{record, sentence};
use antipode_check::ask::PathReport;
use antipode_search::engine;
use antipode_search::{machine, record::legend_of};

/// Files of an answer, apart from their manifest.
pub(crate) const NAMES: [&str; 4] = ["levels.csv", "path.csv", "solve.json", "solve.html"];

/// Writes all files of an answer, as results of a command; a stopped search leaves none.
pub(crate) fn write(
    (folder, verb): (&Path, &'static str),
    title: String,
    named: &str,
    report: &PathReport,
) -> Result<()> {
    if !report.outcome.is_answer() {
        return Ok(());
    }
    let drawn = report.outcome.states().to_vec();
    let (_, instance) = report.instance.split_once('/').unwrap_or_default();
    let names = report.moves.clone();
    let levels: Vec<SideLevel> = report
        .levels
        .iter()
        .map(engine::SideLevel::record)
        .collect();
    let mut results = Results::new(folder, verb);
    results.rows(NAMES[0], &levels)?;
    results.rows(NAMES[1], &PathStep::path(&drawn, &names))?;
    let made = SolutionOrigin {
        summary: sentence(report),
        settings: report.settings.clone(),
        tool_version: env!("CARGO_PKG_VERSION").into(),
        host: machine::host(),
        finished_unix_s: unix_seconds(SystemTime::now()),
        command: machine::command_line(),
        inputs: machine::inputs(),
    };
    let mut solution = record(report);
    solution.made = Some(made.clone());
    results.record(NAMES[2], &solution)?;
    let page = PathPage {
        title,
        summary: made.summary,
        generated_unix_s: made.finished_unix_s,
        tool_version: made.tool_version,
        command: made.command,
        picture: match drawn.is_empty() {
            true => Picture {
                caption: "the start".into(),
                kind: PictureKind::Board {
                    state: report.start.clone(),
                },
            },
            false => Picture {
                caption: count(drawn.len() - 1, report.unit),
                kind: PictureKind::Strip {
                    states: drawn,
                    labels: names,
                },
            },
        },
        proof: report.figures.proof.clone().unwrap_or_default(),
        levels: page_levels(report),
        legend: Some(legend_of(named, instance)).filter(|legend| !legend.entries.is_empty()),
    };
    results.page(NAMES[3], path_page_html(&page))?;
    results.finish()?;
    Ok(())
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
