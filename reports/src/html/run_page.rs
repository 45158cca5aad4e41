//! A page with one run: its levels, the farthest positions, and how they were checked.

use super::RunWithTables;
use super::claim_view::EvidenceView;
use super::run_view::RunView;
use crate::model::{Evidence, Legend};
use crate::wording;
use askama::Template;
use std::io;

/// The text of the page. Boards are drawn by the legend, or shown as text without one.
///
/// # Errors
/// If the template fails.
pub fn run_html(run: &RunWithTables, checks: &[Evidence], legend: &Legend) -> io::Result<String> {
    let legend = (!legend.entries.is_empty()).then_some(legend);
    let title = run.run.title();
    let view = RunPage {
        title: &title,
        lead: "",
        tool_version: &run.run.tool_version,
        command: wording::command_line(&run.run.command),
        runs: [RunView::new(run, legend)],
        checks: checks.iter().map(EvidenceView::new).collect(),
    };
    view.render().map_err(io::Error::other)
}

#[derive(Template)]
#[template(path = "run_page.html")]
struct RunPage<'a> {
    title: &'a str,
    lead: &'a str,
    tool_version: &'a str,
    command: String,
    runs: [RunView<'a>; 1],
    checks: Vec<EvidenceView<'a>>,
}
