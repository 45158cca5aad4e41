//! The page on which positions are explored: a frame that its script fills from a server on the
//! same machine.

use super::Frame;
use super::picture_view::{cell_size, is_worth_naming};
use crate::model::{Legend, LegendEntry, Shape};
use crate::svg::{Style, board_svg, pieces_svg, swatch_svg};
use crate::wording;
use askama::Template;
use std::io;

/// The script that the page asks its server for.
pub const EXPLORE_SCRIPT: &str = include_str!("../../templates/explore.js");

/// The contents of the page.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ExplorePage {
    /// Version of the tool that serves it.
    pub tool_version: String,
    /// The command line behind it, one entry per argument.
    pub command: Vec<String>,
    /// What there is to choose from, if nothing is chosen.
    pub puzzles: Vec<ExplorePuzzle>,
    /// The instance whose positions it shows.
    pub instance: Option<String>,
    /// The instance's own description: rules and goal.
    pub rules: String,
    /// How to draw its boards; if empty, as text.
    pub legend: Legend,
    /// The settings that the instance may be given on the page.
    pub settings: Vec<ExploreSetting>,
    /// Why the instance cannot be shown with these settings.
    pub complaint: Option<String>,
}

/// A puzzle with its instances.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ExplorePuzzle {
    /// Name, as in `NAME/INSTANCE`.
    pub name: String,
    /// Its description, in a sentence.
    pub summary: String,
    /// A board of one of its instances.
    pub board: Option<String>,
    /// How to draw it; if empty, no board is drawn.
    pub legend: Legend,
    /// Names and summaries of its instances.
    pub instances: Vec<(String, String)>,
}

/// A setting of an instance.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ExploreSetting {
    /// Its name.
    pub key: String,
    /// Its possible values.
    pub summary: String,
    /// Its value; empty for the instance's own.
    pub value: String,
}

/// The text of the page.
pub fn explore_html(page: &ExplorePage) -> io::Result<String> {
    let title = page.instance.as_deref().unwrap_or("Positions to explore");
    let lead = match page.instance {
        Some(_) => page.rules.as_str(),
        None => "Choose a puzzle and an instance: play it, with the distance after every move.",
    };
    // An exit is fixed to the board, so it cannot be painted.
    let paints = page.legend.entries.iter();
    let paints = paints.filter(|entry| entry.shape != Shape::Exit);
    let view = ExploreView {
        frame: Frame::new(title, lead, &page.tool_version, &page.command),
        puzzles: page.puzzles.iter().map(PuzzleView::of).collect(),
        settings: &page.settings,
        complaint: page.complaint.as_deref(),
        instance: page.instance.as_deref(),
        plugins: plugins(&page.command),
        brushes: paints.map(Brush::of).collect(),
        key: page.legend.entries.iter().map(Brush::of).collect(),
    };
    view.render().map_err(io::Error::other)
}

/// The libraries that a command line names, as the end of another one.
fn plugins(command: &[String]) -> String {
    let named = command.iter().enumerate().filter(|(at, word)| {
        let after = at.checked_sub(1).and_then(|before| command.get(before));
        *word == "--plugin"
            || word.starts_with("--plugin=")
            || after.is_some_and(|word| word == "--plugin")
    });
    let words: Vec<String> = named.map(|(_, word)| word.clone()).collect();
    match words.is_empty() {
        true => String::new(),
        false => format!(" {}", wording::command_line(&words)),
    }
}

/// How a board is drawn by a legend.
type Drawn = fn(&str, &Legend, Style) -> String;

/// A board whose longer side takes about `pixels` pixels; `None` without a legend.
pub fn picture(state: &str, title: &str, legend: &Legend, pixels: u32) -> Option<String> {
    drawn(board_svg, state, title, legend, pixels)
}

/// Like [`picture`], with each piece as an element of its own.
pub fn playable(state: &str, title: &str, legend: &Legend, pixels: u32) -> Option<String> {
    drawn(pieces_svg, state, title, legend, pixels)
}

fn drawn(draw: Drawn, state: &str, title: &str, legend: &Legend, pixels: u32) -> Option<String> {
    let cell_px = cell_size(&legend.drawn(state), pixels, pixels / 4);
    (!legend.entries.is_empty()).then(|| draw(state, legend, Style::new(cell_px, title)))
}

/// Instances of a puzzle that are in sight; more are folded away.
const MOST_IN_SIGHT: usize = 8;

/// Pixels of the board next to a puzzle's name.
const SMALL: u32 = 112;

/// A puzzle as the page shows it.
struct PuzzleView<'a> {
    puzzle: &'a ExplorePuzzle,
    svg: Option<String>,
}

impl<'a> PuzzleView<'a> {
    fn of(puzzle: &'a ExplorePuzzle) -> Self {
        let board = puzzle.board.as_deref();
        Self {
            puzzle,
            svg: board.and_then(|board| picture(board, "", &puzzle.legend, SMALL)),
        }
    }

    /// Instances in sight, and those that are folded away.
    fn instances(&self) -> [&'a [(String, String)]; 2] {
        let all = &self.puzzle.instances;
        let (first, rest) = all.split_at(all.len().min(MOST_IN_SIGHT));
        [first, rest]
    }
}

impl ExploreView<'_> {
    /// Whether a setting is given, and so in sight.
    fn is_set(&self) -> bool {
        self.complaint.is_some() || self.settings.iter().any(|one| !one.value.is_empty())
    }
}

/// A symbol to paint with.
struct Brush<'a> {
    symbol: char,
    name: &'a str,
    svg: String,
    /// Whether the key of a board names it.
    named: bool,
    /// The word that a legend has for its shape.
    shape: String,
}

impl<'a> Brush<'a> {
    fn of(entry: &'a LegendEntry) -> Self {
        Self {
            symbol: entry.symbol,
            name: match (entry.name.as_str(), entry.shape) {
                ("", Shape::Outside) => "outside",
                ("", _) => "unnamed",
                (name, _) => name,
            },
            svg: swatch_svg(entry, 24),
            named: is_worth_naming(&entry),
            shape: format!("{:?}", entry.shape).to_lowercase(),
        }
    }
}

#[derive(Template)]
#[template(path = "explore.html")]
struct ExploreView<'a> {
    frame: Frame<'a>,
    puzzles: Vec<PuzzleView<'a>>,
    settings: &'a [ExploreSetting],
    complaint: Option<&'a str>,
    instance: Option<&'a str>,
    /// The options with which a command finds the puzzle, if it is a library's.
    plugins: String,
    /// Every symbol, to paint with.
    brushes: Vec<Brush<'a>>,
    /// The meaning of the shapes on the board.
    key: Vec<Brush<'a>>,
}
