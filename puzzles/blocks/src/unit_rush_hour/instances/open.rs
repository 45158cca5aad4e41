//! The instances, and the settings that they take.

use std::ops::RangeInclusive;

use puzzle_api::{About, BadInput, Request, Settings, shown};

use super::Instance;
use crate::listing::{self, only};
use crate::metric::{Metric, Metrics};
use crate::unit_rush_hour::board::{Board, MOST_CELLS, MOST_SIDE, SIZES};
use crate::unit_rush_hour::boards::{self, TROMP};

const METRICS: Metrics = Metrics(&[
    ("step", Metric::Step, "one cell"),
    ("move", Metric::Line, "one car any distance"),
]);

/// Most parts of a census, including images of others: variants list them.
const MOST_PARTS: u64 = 2_500_000;

/// The listed censuses: the sizes of the published table, except for some that take hours.
const SHOWN: [&str; 29] = [
    "2x2", "2x3", "2x4", "2x5", "2x6", "2x7", "2x8", "2x9", "2x10", "3x2", "3x3", "3x4", "3x5",
    "3x6", "3x7", "4x2", "4x3", "4x4", "4x5", "5x2", "5x3", "5x4", "5x5", "6x2", "6x3", "6x6",
    "7x2", "8x2", "9x2",
];

/// Opens an instance.
pub fn open(request: &Request<'_>) -> Result<Instance, BadInput> {
    let name = request.instance;
    let sides = SIZES.named(name);
    let allowed: &[&str] = match (sides, name) {
        (Some(_), _) => &["empty", "exit", "metric"],
        (None, "custom") => &["board", "metric"],
        (None, name) if boards::named(name).is_some() => &["metric"],
        (None, _) => {
            return Err(BadInput::new(format!(
                "no instance unit-rush-hour/{}: use ROWSxCOLUMNS, both from 2 to {MOST_SIDE}, with \
                 at most {MOST_CELLS} cells, such as 4x4, or {}, custom",
                shown(name),
                TROMP.map(|(name, _, _)| name).join(", ")
            )));
        }
    };
    only("unit-rush-hour", request, allowed)?;
    let mut instance = match sides {
        Some(sides) => open_census(request, sides)?,
        None => open_board(request)?,
    };
    instance.metric = METRICS.of(request.settings)?;
    Ok(instance)
}

fn open_census(
    request: &Request<'_>,
    (rows, columns): (usize, usize),
) -> Result<Instance, BadInput> {
    let exits = match set(request.settings, "exit") {
        None | Some("any") => (0..rows).collect(),
        Some(text) => vec![number("exit", text, 1, rows)? - 1],
    };
    // A board has at least one target.
    let most = rows * columns - 1;
    let empty = match set(request.settings, "empty") {
        None => 1..=1,
        Some("any") => 0..=most,
        Some(text) => span(text, most)?,
    };
    let parts = (columns as u64 + 1).pow(rows as u32) * exits.len() as u64;
    if parts > MOST_PARTS {
        return Err(BadInput::new(format!(
            "unit-rush-hour/{} has more parts than can be listed: take fewer rows, or one row of \
             the exit by --set exit=…",
            request.instance
        )));
    }
    Ok(Instance {
        name: request.instance.to_owned(),
        rows,
        columns,
        exits,
        empty,
        metric: Metric::Step,
        start: None,
    })
}

fn set<'a>(settings: &'a Settings, key: &str) -> Option<&'a str> {
    settings.get(key).map(|text| text.trim())
}

fn number(key: &str, text: &str, least: usize, most: usize) -> Result<usize, BadInput> {
    listing::number(key, text, (least, most), "any or ")
}

/// Numbers of empty cells: `N` or `N..M`.
fn span(text: &str, most: usize) -> Result<RangeInclusive<usize>, BadInput> {
    let (least, last) = text.split_once("..").unwrap_or((text, text));
    let least = number("empty", least, 0, most)?;
    let last = number("empty", last, least, most)?;
    Ok(least..=last)
}

fn open_board(request: &Request<'_>) -> Result<Instance, BadInput> {
    let write = "A the target, '-' and '|' for cars along rows and columns, '.' for empty cells";
    let puzzle = "unit-rush-hour";
    let board = listing::board_of(puzzle, request, boards::named, write, Board::parse)?;
    let empty = board.empty();
    Ok(Instance {
        name: request.instance.to_owned(),
        rows: board.rows,
        columns: board.columns,
        exits: vec![board.exit],
        empty: empty..=empty,
        metric: Metric::Step,
        start: Some(board),
    })
}

pub fn about() -> About {
    let mut instances = Vec::new();
    for (name, board, steps) in TROMP {
        let summary = format!("John Tromp, {steps} steps: {board}");
        instances.push((name.to_owned(), summary));
    }
    for name in SHOWN {
        let summary =
            format!("every placement of cars on {name} with one empty cell, wherever the exit is");
        instances.push((name.to_owned(), summary));
    }
    listing::about(
        (
            "unit-rush-hour",
            "Unit Rush Hour: cars of one cell, each along its row or its column",
        ),
        instances,
        &[
            (&METRICS.key(), &METRICS.summary()),
            (
                "empty",
                "only ROWSxCOLUMNS: how many cells are empty: N, N..M or any (default 1)",
            ),
            (
                "exit",
                "only ROWSxCOLUMNS: row of the exit, from 1 at the top, or any (default any)",
            ),
            (
                "board",
                "only custom: rows joined by '/' or all cells in one line; A the target",
            ),
        ],
        LEGEND.to_owned(),
        include_str!("../../../claims/unit-rush-hour.toml"),
    )
}

const LEGEND: &str = "\
A block #d0342c target, along its row
- block #3b82c4 car along its row
= block #3b82c4 car along its row
| disc #d98c3f car along its column
. empty #f3efe6 empty cell
";
