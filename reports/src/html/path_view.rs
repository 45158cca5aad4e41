//! A page with one solution: the boards move by move, and the levels that show that no shorter one
//! exists.

use super::picture_view::{self, Figure, FigureKind, KeyEntry};
use crate::model::{Legend, Picture, PictureKind};
use crate::proof::ProofStep;
use crate::wording;
use askama::Template;
use std::io;

/// The contents of the page of a solution.
#[derive(Debug, Clone, PartialEq)]
pub struct PathPage {
    /// The headline: the puzzle, the start and the goal.
    pub title: String,
    /// The finding, in a sentence.
    pub summary: String,
    /// When the page is written, in seconds since 1970-01-01 UTC.
    pub generated_unix_s: u64,
    /// Version of the tool that writes it.
    pub tool_version: String,
    /// The command line behind the page, one entry per argument; may be empty.
    pub command: Vec<String>,
    /// The solution as a strip, or the start if there is none.
    pub picture: Picture,
    /// The puzzle's own proof that there is no solution, in full; empty if it has none.
    pub proof: String,
    /// Depth, with the states found forward and backward at that depth.
    pub levels: Vec<(u32, [Option<u64>; 2])>,
    /// How to draw boards; without it they are shown as text.
    pub legend: Option<Legend>,
}

/// The text of the page.
///
/// # Errors
/// If the template fails.
pub fn path_page_html(page: &PathPage) -> io::Result<String> {
    let pictures = [page.picture.clone()];
    let mut figure = Figure::new(&page.picture, page.legend.as_ref());
    // The page is about this one solution: nothing else needs to be visible.
    if let FigureKind::Strip { folded, .. } = &mut figure.kind {
        *folded = false;
    }
    let view = PathView {
        title: &page.title,
        lead: &page.summary,
        tool_version: &page.tool_version,
        generated: wording::utc(page.generated_unix_s),
        command: wording::command_line(&page.command),
        key: picture_view::key(picture_view::states(&pictures), page.legend.as_ref()),
        figure,
        proof: super::case_view::proof_figures(detail(&page.proof), page.legend.as_ref()),
        lines: lines(&page.proof),
        levels: page.levels.iter().map(LevelView::new).collect(),
        found: matches!(page.picture.kind, PictureKind::Strip { .. }),
    };
    view.render()
        .map(super::shapes::shared)
        .map_err(io::Error::other)
}

#[derive(Template)]
#[template(path = "path.html")]
struct PathView<'a> {
    title: &'a str,
    lead: &'a str,
    tool_version: &'a str,
    generated: String,
    command: String,
    key: Vec<KeyEntry<'a>>,
    figure: Figure<'a>,
    /// The boards of a proof that there is no solution.
    proof: Vec<Figure<'static>>,
    /// What else it says.
    lines: Vec<String>,
    levels: Vec<LevelView>,
    /// Whether there is a solution.
    found: bool,
}

/// A proof without its reason, which is in the summary.
fn detail(proof: &str) -> &str {
    proof.split_once('\n').map_or("", |(_, detail)| detail)
}

/// The steps of a proof that are not boards.
fn lines(proof: &str) -> Vec<String> {
    let steps = ProofStep::all(detail(proof)).into_iter();
    let lines = steps.filter_map(|step| match step {
        ProofStep::Line(line) => Some(line),
        ProofStep::Board { .. } | ProofStep::Weights { .. } => None,
    });
    lines.collect()
}

struct LevelView {
    depth: u32,
    forward: String,
    backward: String,
}

impl LevelView {
    fn new((depth, states): &(u32, [Option<u64>; 2])) -> Self {
        let shown = |states: Option<u64>| {
            states.map_or(String::new(), |states| wording::grouped(states.into()))
        };
        LevelView {
            depth: *depth,
            forward: shown(states[0]),
            backward: shown(states[1]),
        }
    }
}
