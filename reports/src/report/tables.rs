//! Tables of findings, for pages and for READMEs.

mod bench;
mod many;
mod runs;
mod which;

pub use bench::{SampleSummary, comparison, imported, rows, sides};
pub(crate) use many::{cactus, interval, scatters};
pub(crate) use runs::method;
pub use runs::{FAR_LEVELS, cost, forecast, forecast_of, growth, levels, runs};

pub use which::which;

use super::FoundFolders;
use crate::model::{ClaimResult, Origin, Verdict};
use crate::wording;

/// A column of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    /// Its head.
    pub name: &'static str,
    /// Whether it holds figures, which are aligned to the right.
    pub is_figure: bool,
}

/// A cell of a table.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ReportCell {
    /// As it is shown.
    pub text: String,
    /// The sort key of the column: a plain number, or a text.
    pub key: String,
}

impl ReportCell {
    /// A text, sorted as it is.
    pub fn text(text: impl Into<String>) -> Self {
        let text = text.into();
        let key = text.clone();
        ReportCell { text, key }
    }

    /// A count with its digits grouped.
    pub fn count(count: impl Into<u128>) -> Self {
        let count = count.into();
        ReportCell {
            text: wording::grouped(count),
            key: count.to_string(),
        }
    }

    /// A measured figure in its own words; empty if there is none.
    pub fn figure(figure: Option<f64>, shown: impl Fn(f64) -> String) -> Self {
        match figure {
            Some(figure) if figure.is_finite() => ReportCell {
                text: shown(figure),
                key: format!("{figure:e}"),
            },
            _ => ReportCell::default(),
        }
    }
}

/// A table: as many cells per row as there are columns.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ReportTable {
    /// The columns.
    pub columns: Vec<Column>,
    /// The rows.
    pub rows: Vec<Vec<ReportCell>>,
    /// A word for each row by which a page can filter, such as its status; empty, or one per row.
    pub states: Vec<&'static str>,
    /// Whether rows with the same first cell are grouped, so that a README names it once.
    pub is_grouped: bool,
}

impl ReportTable {
    /// A table without rows; a name that begins with `#` is that of a column of figures.
    pub fn new(columns: &[&'static str]) -> Self {
        let column = |name: &&'static str| Column {
            name: name.trim_start_matches('#'),
            is_figure: name.starts_with('#'),
        };
        ReportTable {
            columns: columns.iter().map(column).collect(),
            ..ReportTable::default()
        }
    }

    /// The table in the Markdown of a README: digits are grouped by commas there.
    pub fn markdown(&self) -> String {
        let names = self.columns.iter().map(|column| column.name.to_owned());
        let rules = self.columns.iter();
        let rules = rules.map(|column| if column.is_figure { "--:" } else { "---" });
        let mut text = markdown_row(&names.collect::<Vec<_>>());
        text += &format!("|{}|\n", rules.collect::<Vec<_>>().join("|"));
        let mut before = None;
        for row in &self.rows {
            let mut cells: Vec<String> = row.iter().map(|cell| cell.text.clone()).collect();
            let first = cells.first().cloned();
            if self.is_grouped && first == before {
                cells[0].clear();
            }
            before = first;
            text += &markdown_row(&cells);
        }
        text
    }
}

/// A row of a Markdown table, with characters that would end a cell escaped.
pub fn markdown_row(cells: &[String]) -> String {
    let cells: Vec<String> = cells.iter().map(|cell| plain(cell)).collect();
    format!("| {} |\n", cells.join(" | "))
}

/// Text that a Markdown table can hold.
fn plain(text: &str) -> String {
    let text = text.replace('|', "\\|");
    text.replace('<', "&lt;")
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}

/// The number of claims of each puzzle by verdict.
pub fn verdicts(found: &FoundFolders) -> ReportTable {
    let mut table = ReportTable::new(&[
        "puzzle",
        "#confirmed",
        "#by sample",
        "#refuted",
        "#refuted by sample",
        "#ambiguous",
        "#not reached",
        "#reported",
        "#refuted, our copy",
        "#as expected",
    ]);
    let of = |claim: &ClaimResult| match claim.origin {
        Origin::Published => claim.puzzle.clone(),
        Origin::Ours => format!("{}, our own", claim.puzzle),
    };
    let mut puzzles: Vec<String> = found.claims.iter().map(of).collect();
    puzzles.sort_unstable();
    puzzles.dedup();
    for puzzle in puzzles {
        let claims = || found.claims.iter().filter(|claim| of(claim) == puzzle);
        let is_apart = |claim: &&ClaimResult| claim.refutes_text_at_hand();
        let count = |verdict| {
            let others = claims().filter(|claim| !is_apart(claim));
            others.filter(|claim| claim.verdict == verdict).count()
        };
        let mut row = vec![ReportCell::text(puzzle.as_str())];
        row.extend(Verdict::ALL.map(|verdict| ReportCell::count(count(verdict) as u128)));
        row.push(ReportCell::count(claims().filter(is_apart).count() as u128));
        let expected = claims().filter(|claim| claim.as_expected()).count();
        row.push(ReportCell::text(format!(
            "{expected} of {}",
            claims().count()
        )));
        table.rows.push(row);
    }
    table
}

/// All claims with their verdicts.
pub fn claims(found: &FoundFolders) -> ReportTable {
    let mut table = ReportTable::new(&["claim", "claimed", "found", "verdict"]);
    table.rows = found
        .claims
        .iter()
        .map(|claim| {
            let figure = |text: &str| ReportCell::text(wording::amount(text, ""));
            vec![
                ReportCell::text(claim.id.as_str()),
                figure(&claim.claimed),
                figure(&claim.found),
                ReportCell::text(claim.verdict.label()),
            ]
        })
        .collect();
    table
}
