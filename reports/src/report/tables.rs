//! Tables of findings, for pages and for READMEs.

mod bench;
mod runs;
mod which;

pub use bench::{SampleSummary, comparison, imported, rows, sides};
pub use runs::{cost, forecast, levels, runs};

pub use which::which;

use super::FoundFolders;
use crate::model::{ClaimResult, Origin, Verdict};
use crate::text::one_line;
use crate::wording;
use std::collections::BTreeMap;

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
pub struct Cell {
    /// As it is shown.
    pub text: String,
    /// The sort key of the column: a plain number, or a text.
    pub key: String,
}

impl Cell {
    /// A text, sorted as it is.
    pub fn text(text: impl Into<String>) -> Self {
        let text = text.into();
        let key = text.clone();
        Cell { text, key }
    }

    /// A count with its digits grouped.
    pub fn count(count: impl Into<u128>) -> Self {
        let count = count.into();
        Cell {
            text: wording::grouped(count),
            key: count.to_string(),
        }
    }

    /// A measured figure in its own words; empty if there is none.
    pub fn figure(figure: Option<f64>, shown: impl Fn(f64) -> String) -> Self {
        match figure {
            Some(figure) if figure.is_finite() => Cell {
                text: shown(figure),
                key: format!("{figure:e}"),
            },
            _ => Cell::default(),
        }
    }
}

/// A table: as many cells per row as there are columns.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ReportTable {
    /// The columns.
    pub columns: Vec<Column>,
    /// The rows.
    pub rows: Vec<Vec<Cell>>,
    /// A word for each row by which a page can filter, such as its status; empty, or one per row.
    pub states: Vec<&'static str>,
    /// Whether rows with the same first cell are grouped, so that a README names it once.
    pub is_grouped: bool,
}

impl ReportTable {
    /// A table by the names of its columns, between bars, and the cells of its rows; a name that
    /// begins with `#` is that of a column of figures.
    pub(crate) fn of<const COLUMNS: usize>(
        columns: &'static str,
        rows: impl IntoIterator<Item = [Cell; COLUMNS]>,
    ) -> Self {
        let column = |name: &'static str| Column {
            name: name.trim_start_matches('#'),
            is_figure: name.starts_with('#'),
        };
        ReportTable {
            columns: columns.split(" | ").map(column).collect(),
            rows: rows.into_iter().map(Vec::from).collect(),
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
fn markdown_row(cells: &[String]) -> String {
    let cells: Vec<String> = cells.iter().map(|cell| plain(cell)).collect();
    format!("| {} |\n", cells.join(" | "))
}

fn plain(text: &str) -> String {
    one_line(&text.replace('|', "\\|").replace('<', "&lt;"))
}

/// The number of claims of each puzzle by verdict.
pub fn verdicts(found: &FoundFolders) -> ReportTable {
    let of = |claim: &ClaimResult| match claim.origin {
        Origin::Published => claim.puzzle.clone(),
        Origin::Ours => format!("{}, our own", claim.puzzle),
    };
    let mut puzzles = BTreeMap::<String, Vec<&ClaimResult>>::new();
    for claim in &found.claims {
        puzzles.entry(of(claim)).or_default().push(claim);
    }
    let row = |(name, claims): (String, Vec<&ClaimResult>)| {
        let number = |is_one: &dyn Fn(&ClaimResult) -> bool| {
            Cell::count(claims.iter().filter(|claim| is_one(claim)).count() as u128)
        };
        let is_apart = |claim: &ClaimResult| claim.refutes_text_at_hand();
        let of = |verdict| number(&|claim| claim.verdict == verdict && !is_apart(claim));
        let expected = claims.iter().filter(|claim| claim.as_expected()).count();
        [
            Cell::text(name),
            of(Verdict::Confirmed),
            of(Verdict::ConfirmedBySample),
            of(Verdict::Refuted),
            of(Verdict::RefutedBySample),
            of(Verdict::Ambiguous),
            of(Verdict::NotReached),
            of(Verdict::Reported),
            number(&is_apart),
            Cell::text(format!("{expected} of {}", claims.len())),
        ]
    };
    ReportTable::of(
        "puzzle | #confirmed | #by sample | #refuted | #refuted by sample | #ambiguous | #not reached | #reported | #refuted, our copy | #as expected",
        puzzles.into_iter().map(row),
    )
}

/// All claims with their verdicts.
pub fn claims(found: &FoundFolders) -> ReportTable {
    let row = |claim: &ClaimResult| {
        [
            Cell::text(&claim.id),
            Cell::text(wording::claimed(&claim.claimed, claim.bound, "")),
            Cell::text(wording::amount(&claim.found, "")),
            Cell::text(claim.verdict.label()),
        ]
    };
    let columns = "claim | claimed | found | verdict";
    ReportTable::of(columns, found.claims.iter().map(row))
}
