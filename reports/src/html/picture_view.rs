use crate::model::{Legend, LegendEntry, Picture, PictureKind, Shape};
use crate::svg::{Style, board_svg, strip_svg, swatch_svg};
use crate::wording;
use askama::Template;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

const UNFOLDED_STEPS: usize = 40;

/// A board, drawn if its puzzle has a legend.
pub(super) struct BoardView {
    pub(super) svg: Option<String>,
    pub(super) state: String,
    pub(super) rows: String,
}

impl BoardView {
    pub(super) fn new(state: &str, title: &str, legend: Option<&Legend>) -> Self {
        let style = Style::new(cell_size(&drawn(state, legend), 208, 30), title);
        Self::around(state, legend.map(|legend| board_svg(state, legend, style)))
    }

    pub(super) fn around(state: &str, svg: Option<String>) -> Self {
        BoardView {
            svg,
            state: state.to_owned(),
            rows: state.replace('/', "\n"),
        }
    }
}

pub(super) struct StepView {
    pub(super) label: Option<String>,
    pub(super) board: BoardView,
}

pub(super) enum FigureKind {
    Board(BoardView),
    Strip {
        steps: Vec<StepView>,
        folded: bool,
        /// Of one of many solutions: only this board is visible, the rest is collapsed.
        first: Option<BoardView>,
    },
}

#[derive(Template)]
#[template(path = "figure.html")]
pub(super) struct Figure {
    pub(super) caption: String,
    pub(super) kind: FigureKind,
    /// The command that opens its first board in the explorer, if it is known to be a board.
    pub(super) explore: String,
}

/// The command that explores a board; `command` names the library of its puzzle, if one must be
/// named.
pub(super) fn explore(
    place: &str,
    settings: &BTreeMap<String, String>,
    board: &str,
    command: &[String],
) -> String {
    let mut words = ["antipode", "explore", place].map(str::to_owned).to_vec();
    for (key, value) in settings {
        words.extend(["--set".to_owned(), format!("{key}={value}")]);
    }
    words.extend(["--board".to_owned(), board.to_owned()]);
    words.extend(wording::options(command, &wording::LIBRARIES));
    wording::command_line(&words)
}

impl Figure {
    pub(super) fn board(caption: impl Into<String>, board: BoardView) -> Self {
        Figure {
            caption: caption.into(),
            kind: FigureKind::Board(board),
            explore: String::new(),
        }
    }

    pub(super) fn drawn(state: &str, caption: String, legend: Option<&Legend>) -> Self {
        let board = BoardView::new(state, &caption, legend);
        Self::board(caption, board)
    }

    pub(super) fn new(picture: &Picture, legend: Option<&Legend>) -> Self {
        let caption = picture.caption.as_str();
        match &picture.kind {
            PictureKind::Board { state } => {
                Self::board(caption, BoardView::new(state, caption, legend))
            }
            PictureKind::Strip { states, labels } => Figure {
                caption: caption.to_owned(),
                kind: FigureKind::Strip {
                    steps: steps(states, labels, caption, legend),
                    folded: states.len() > UNFOLDED_STEPS,
                    first: None,
                },
                explore: String::new(),
            },
        }
    }

    pub(super) fn steps(&self) -> Option<&[StepView]> {
        match &self.kind {
            FigureKind::Board(_) => None,
            FigureKind::Strip { steps, .. } => Some(steps),
        }
    }

    pub(super) fn states(&self) -> Vec<&str> {
        match &self.kind {
            FigureKind::Board(board) => vec![&board.state],
            FigureKind::Strip { steps, .. } => {
                steps.iter().map(|step| &*step.board.state).collect()
            }
        }
    }

    pub(super) fn svg(&self) -> Option<String> {
        match &self.kind {
            FigureKind::Board(board) => board.svg.clone(),
            FigureKind::Strip { .. } => None,
        }
    }

    /// One of many.
    pub(super) fn card(picture: &Picture, legend: Option<&Legend>) -> Self {
        let mut figure = Self::new(picture, legend);
        if let FigureKind::Strip { steps, first, .. } = &mut figure.kind {
            let start = steps.first().map(|step| &step.board.state);
            *first = start.map(|state| BoardView::new(state, &picture.caption, legend));
        }
        figure
    }
}

fn steps(
    states: &[String],
    labels: &[String],
    title: &str,
    legend: Option<&Legend>,
) -> Vec<StepView> {
    let cell_px = states
        .first()
        .map_or(20, |state| cell_size(&drawn(state, legend), 120, 22));
    let style = Style::new(cell_px, title);
    let mut drawn = legend.map(|legend| strip_svg(states, legend, &style).into_iter());
    let labels = std::iter::once(None).chain(labels.iter().cloned().map(Some));
    let labels = labels.chain(std::iter::repeat(None));
    let view = |(state, label): (&String, Option<String>)| StepView {
        label,
        board: BoardView::around(state, drawn.as_mut().and_then(Iterator::next)),
    };
    states.iter().zip(labels).map(view).collect()
}

fn drawn<'a>(state: &'a str, legend: Option<&Legend>) -> Cow<'a, str> {
    legend.map_or(Cow::Borrowed(state), |legend| legend.drawn(state))
}

/// Size of cells at which boards of all puzzles are about equally large.
pub(super) fn cell_size(state: &str, board_px: u32, most: u32) -> u32 {
    let longest = state
        .split('/')
        .map(|row| row.chars().count())
        .max()
        .unwrap_or(1);
    let rows = state.split('/').count();
    let cells = u32::try_from(longest.max(rows).max(1)).unwrap_or(u32::MAX);
    (board_px / cells).clamp(12, most)
}

pub(super) struct KeyEntry<'a> {
    pub(super) svg: String,
    pub(super) name: &'a str,
}

pub(super) fn key<'a>(
    states: impl Iterator<Item = impl AsRef<str>>,
    legend: Option<&'a Legend>,
) -> Vec<KeyEntry<'a>> {
    let mut seen = BTreeSet::new();
    states.for_each(|state| seen.extend(drawn(state.as_ref(), legend).chars()));
    let entries = legend.map_or(&[][..], |legend| &legend.entries);
    key_of(entries.iter().filter(|entry| seen.contains(&entry.symbol)))
}

/// Whether a key has the entry. Pieces of several cells bear their letter on the board, and a key
/// of dozens of letters would be useless. It has only the entries with another name.
pub(super) fn is_worth_naming(entry: &&LegendEntry) -> bool {
    match entry.shape {
        Shape::Outside => false,
        Shape::Merge => !entry.name.is_empty() && !entry.name.ends_with(entry.symbol),
        _ => !entry.name.is_empty(),
    }
}

/// The key of some entries; empty if there is only floor.
fn key_of<'a>(entries: impl Iterator<Item = &'a LegendEntry>) -> Vec<KeyEntry<'a>> {
    let named: Vec<_> = entries.filter(is_worth_naming).collect();
    if named.iter().all(|entry| entry.shape == Shape::Empty) {
        return Vec::new();
    }
    named
        .into_iter()
        .map(|entry| KeyEntry {
            svg: swatch_svg(entry, 18),
            name: &entry.name,
        })
        .collect()
}
