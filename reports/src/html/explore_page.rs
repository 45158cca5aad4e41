//! The page on which positions are explored: a frame that its script fills from a server on the
//! same machine.

use super::Frame;
use super::picture_view::{cell_size, is_worth_naming};
use crate::model::{Legend, LegendEntry, Shape};
use crate::svg::{Style, board_svg, pieces_svg};
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
    let (eyebrow, lead) = match page.instance {
        Some(_) => ("Positions to explore", page.rules.as_str()),
        None => (
            "Antipode",
            "Choose a puzzle and an instance: play it, with the distance after every move.",
        ),
    };
    let view = ExploreView {
        frame: Frame::new(eyebrow, title, lead, &page.tool_version, &page.command),
        plugins: plugins(&page.command),
        page,
    };
    view.render().map_err(io::Error::other)
}

/// The libraries that a command line names, as the end of another one.
fn plugins(command: &[String]) -> String {
    let words = wording::options(command, &wording::LIBRARIES);
    match words.is_empty() {
        true => String::new(),
        false => format!(" {}", wording::command_line(&words)),
    }
}

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

const MOST_IN_SIGHT: usize = 8;

const SMALL: u32 = 112;

#[derive(Template)]
#[template(path = "explore.html")]
struct ExploreView<'a> {
    frame: Frame<'a>,
    page: &'a ExplorePage,
    /// The options with which a command finds the puzzle, if it is a library's.
    plugins: String,
}

impl ExploreView<'_> {
    fn small(&self, puzzle: &ExplorePuzzle) -> Option<String> {
        picture(puzzle.board.as_deref()?, "", &puzzle.legend, SMALL)
    }

    fn instances<'p>(&self, puzzle: &'p ExplorePuzzle) -> [&'p [(String, String)]; 2] {
        let all = &puzzle.instances;
        let (first, rest) = all.split_at(all.len().min(MOST_IN_SIGHT));
        [first, rest]
    }

    /// Whether a setting is given, and so in sight.
    fn is_set(&self) -> bool {
        let mut settings = self.page.settings.iter();
        self.page.complaint.is_some() || settings.any(|one| !one.value.is_empty())
    }

    /// What a cell can be painted with; an exit is fixed to the board.
    fn brushes(&self) -> Vec<&LegendEntry> {
        let all = self.page.legend.entries.iter();
        all.filter(|entry| entry.shape != Shape::Exit).collect()
    }

    fn name<'e>(&self, entry: &'e LegendEntry) -> &'e str {
        match (entry.name.as_str(), entry.shape) {
            ("", Shape::Outside) => "outside",
            ("", _) => "unnamed",
            (name, _) => name,
        }
    }

    fn key(&self) -> impl Iterator<Item = &LegendEntry> {
        self.page.legend.entries.iter().filter(is_worth_naming)
    }
}
