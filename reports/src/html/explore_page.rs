//! The page on which positions are explored: a frame that its script fills from a server on the
//! same machine.

use super::picture_view::cell_size;
use crate::model::{Legend, LegendEntry, Shape};
use crate::svg::{Style, board_svg, swatch_svg};
use crate::wording;
use askama::Template;
use std::io;

/// The script that the page asks its server for.
pub const EXPLORE_SCRIPT: &str = include_str!("../../templates/explore.js");

/// What goes on the page.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ExplorePage {
    /// Version of the tool that serves it.
    pub tool_version: String,
    /// The command line behind it, one entry an argument.
    pub command: Vec<String>,
    /// Names and summaries of the instances to choose from, where none is chosen.
    pub instances: Vec<(String, String)>,
    /// The instance whose positions it shows.
    pub instance: Option<String>,
    /// How to draw its boards; empty: as text.
    pub legend: Legend,
}

/// The text of the page.
///
/// # Errors
/// Where the template fails.
pub fn explore_html(page: &ExplorePage) -> io::Result<String> {
    let title = match &page.instance {
        Some(instance) => instance.clone(),
        None => "Positions to explore".to_owned(),
    };
    let lead = match page.instance {
        Some(_) => {
            "Every move with the distance after it. Play on, undo, edit the board, or go to one of the farthest positions."
        }
        None => {
            "Choose an instance. Its positions are shown with every move and the distance after it."
        }
    };
    let view = ExploreView {
        title,
        lead,
        tool_version: &page.tool_version,
        command: wording::command_line(&page.command),
        instances: &page.instances,
        instance: page.instance.as_deref(),
        brushes: page.legend.entries.iter().map(Brush::of).collect(),
    };
    view.render().map_err(io::Error::other)
}

/// A board whose longer side takes about so many pixels; `None` without a legend.
pub fn picture(state: &str, title: &str, legend: &Legend, pixels: u32) -> Option<String> {
    let style = Style {
        cell_px: cell_size(state, pixels, pixels / 4),
        title: title.to_owned(),
    };
    (!legend.entries.is_empty()).then(|| board_svg(state, legend, style))
}

/// A symbol to paint with.
struct Brush<'a> {
    symbol: char,
    name: &'a str,
    svg: String,
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
        }
    }
}

#[derive(Template)]
#[template(path = "explore.html")]
struct ExploreView<'a> {
    title: String,
    lead: &'static str,
    tool_version: &'a str,
    command: String,
    instances: &'a [(String, String)],
    instance: Option<&'a str>,
    brushes: Vec<Brush<'a>>,
}
