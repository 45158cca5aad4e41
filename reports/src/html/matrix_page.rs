//! A page on the lengths between many pairs of states: a table of all, and a few solutions.

use super::picture_view::{Figure, FigureKind, KeyEntry, key, states};
use crate::model::{Legend, Picture, Run};
use crate::wording;
use askama::Template;
use std::io;

/// A table of texts with names for its rows and columns.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Matrix {
    /// Names of the rows: where paths start.
    pub rows: Vec<String>,
    /// Names of the columns: where paths end.
    pub columns: Vec<String>,
    /// One text per row and column; numbers are shaded by size, empty cells left blank.
    pub cells: Vec<Vec<String>>,
}

/// The contents of the page.
#[derive(Debug, Clone, PartialEq)]
pub struct MatrixPage {
    /// The headline.
    pub title: String,
    /// Version of the tool that writes it.
    pub tool_version: String,
    /// The run's record.
    pub run: Run,
    /// The lengths.
    pub matrix: Matrix,
    /// Solutions.
    pub pictures: Vec<Picture>,
    /// How to draw boards; if empty, as text.
    pub legend: Legend,
}

/// The text of the page.
pub fn matrix_html(page: &MatrixPage) -> io::Result<String> {
    MatrixView::new(page).render().map_err(io::Error::other)
}

struct MatrixCell<'a> {
    text: &'a str,
    /// Shade in percent.
    shade: u32,
}

struct MatrixLine<'a> {
    name: &'a str,
    cells: Vec<MatrixCell<'a>>,
}

#[derive(Template)]
#[template(path = "matrix.html")]
struct MatrixView<'a> {
    title: &'a str,
    tool_version: &'a str,
    lead: String,
    notice: String,
    columns: &'a [String],
    lines: Vec<MatrixLine<'a>>,
    key: Vec<KeyEntry<'a>>,
    figures: Vec<Figure<'a>>,
    facts: Vec<(&'static str, String)>,
    command: String,
}

/// Deepest shade, in percent: dark enough to see, light enough to read on.
const DEEPEST_SHADE: u32 = 60;

impl<'a> MatrixView<'a> {
    fn new(page: &'a MatrixPage) -> Self {
        let known = || page.matrix.cells.iter().flatten();
        let numbers: Vec<u32> = known().filter_map(|text| text.parse().ok()).collect();
        let most = numbers.iter().copied().max().unwrap_or(0).max(1);
        let shade = |text: &str| -> u32 {
            let number: Option<u32> = text.parse().ok();
            number.map_or(0, |number| number * DEEPEST_SHADE / most)
        };
        let line = |(name, cells): (&'a String, &'a Vec<String>)| MatrixLine {
            name,
            cells: cells
                .iter()
                .map(|text| MatrixCell {
                    text,
                    shade: shade(text),
                })
                .collect(),
        };
        let legend = (!page.legend.entries.is_empty()).then_some(&page.legend);
        let figure = |picture| Figure::new(picture, legend);
        MatrixView {
            title: &page.title,
            tool_version: &page.tool_version,
            lead: lead(&numbers, known().filter(|text| !text.is_empty()).count()),
            notice: page.run.stopped_because.clone().unwrap_or_default(),
            columns: &page.matrix.columns,
            lines: page
                .matrix
                .rows
                .iter()
                .zip(&page.matrix.cells)
                .map(line)
                .collect(),
            key: key(states(&page.pictures), legend),
            figures: page.pictures.iter().map(figure).collect(),
            facts: facts(&page.run),
            command: wording::command_line(&page.run.command),
        }
    }
}

fn lead(numbers: &[u32], pairs: usize) -> String {
    let (Some(least), Some(most)) = (numbers.iter().min(), numbers.iter().max()) else {
        return format!("{pairs} pairs were looked at; no length is known.");
    };
    let count = |number: usize| wording::grouped(number as u128);
    let proven = match numbers.len() == pairs {
        true => "all of them".to_owned(),
        false => count(numbers.len()),
    };
    format!(
        "{} pairs, the lengths of {proven} proven: from {least} to {most} moves, none of which can be done in fewer.",
        count(pairs)
    )
}

fn facts(run: &Run) -> Vec<(&'static str, String)> {
    vec![
        ("Rules", run.variant.clone()),
        ("Threads", run.threads.to_string()),
        ("Time", wording::duration(run.wall_s)),
        ("Processor time", wording::duration(run.cpu_s)),
        ("Most memory", wording::memory(run.peak_memory_bytes)),
        ("Processor", run.host.cpu.clone()),
    ]
}
