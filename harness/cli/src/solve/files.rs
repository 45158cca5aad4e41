//! Files of an answer: `solve.json`, `levels.csv`, `path.csv` and a page with the boards.

use std::path::Path;

use anyhow::Result;

use antipode_reports::html::path_page_html;
use antipode_reports::model::{PathStep, SideLevel, SolutionOrigin};
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
    let mut solution = record(report);
    solution.made = Some(SolutionOrigin {
        summary: sentence(report),
        settings: report.settings.clone(),
        made: machine::provenance(),
    });
    results.record(NAMES[2], &solution)?;
    let page = path_page_html(&title, &solution, &levels, &legend_of(named, instance));
    results.page(NAMES[3], page)?;
    Ok(results.finish()?)
}
