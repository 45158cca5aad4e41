//! Which instances there are, and what they take.

use std::ops::RangeInclusive;

use puzzle_api::{About, BadInput, InstanceInfo, Request, SettingInfo, Settings, shown};

use super::Instance;
use crate::unit_rush_hour::board::{Board, MOST_CELLS, MOST_SIDE, has_room};
use crate::unit_rush_hour::boards::{self, TROMP};
use crate::unit_rush_hour::metric::Metric;

/// Most parts of a census, those that are images of others among them: variants list them.
const MOST_PARTS: u64 = 2_500_000;

/// The censuses that are listed: the sizes of the published table, but for some that take hours.
const SHOWN: [&str; 29] = [
    "2x2", "2x3", "2x4", "2x5", "2x6", "2x7", "2x8", "2x9", "2x10", "3x2", "3x3", "3x4", "3x5",
    "3x6", "3x7", "4x2", "4x3", "4x4", "4x5", "5x2", "5x3", "5x4", "5x5", "6x2", "6x3", "6x6",
    "7x2", "8x2", "9x2",
];

/// Opens an instance.
///
/// # Errors
/// An unknown instance, an unknown setting, or a value out of range.
pub fn open(request: &Request<'_>) -> Result<Instance, BadInput> {
    let name = request.instance;
    let sides = sides(name);
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
    let mut unknown = request.settings.keys();
    if let Some(key) = unknown.find(|key| !allowed.contains(&key.as_str())) {
        return Err(BadInput::new(format!(
            "unit-rush-hour/{name} takes no setting '{}': use {}",
            shown(key),
            allowed.join(", ")
        )));
    }
    let mut instance = match sides {
        Some(sides) => open_census(request, sides)?,
        None => open_board(request)?,
    };
    if let Some(metric) = request.settings.get("metric") {
        instance.metric = metric.trim().parse::<Metric>()?;
    }
    Ok(instance)
}

/// Rows and columns of a census by its name.
fn sides(name: &str) -> Option<(usize, usize)> {
    let (rows, columns) = name.split_once('x')?;
    let (rows, columns) = (rows.parse().ok()?, columns.parse().ok()?);
    (has_room(rows, columns) && format!("{rows}x{columns}") == name).then_some((rows, columns))
}

fn open_census(
    request: &Request<'_>,
    (rows, columns): (usize, usize),
) -> Result<Instance, BadInput> {
    let exits = match set(request.settings, "exit") {
        None | Some("any") => (0..rows).collect(),
        Some(text) => vec![number("exit", text, 1, rows)? - 1],
    };
    // A board has a target at least.
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
        metric: Metric::default(),
        start: None,
    })
}

fn set<'a>(settings: &'a Settings, key: &str) -> Option<&'a str> {
    settings.get(key).map(|text| text.trim())
}

fn number(key: &str, text: &str, least: usize, most: usize) -> Result<usize, BadInput> {
    let number = text.parse().ok();
    number
        .filter(|number| (least..=most).contains(number))
        .ok_or_else(|| {
            BadInput::new(format!(
                "{key}={} is out of range: write any or a whole number from {least} to {most}",
                shown(text)
            ))
        })
}

/// Numbers of empty cells: `N` or `N..M`.
fn span(text: &str, most: usize) -> Result<RangeInclusive<usize>, BadInput> {
    let (least, last) = text.split_once("..").unwrap_or((text, text));
    let least = number("empty", least, 0, most)?;
    let last = number("empty", last, least, most)?;
    Ok(least..=last)
}

fn open_board(request: &Request<'_>) -> Result<Instance, BadInput> {
    let name = request.instance;
    let text = match (boards::named(name), request.settings.get("board")) {
        (Some(board), _) => board,
        (None, Some(board)) => boards::named(board.trim()).unwrap_or(board),
        (None, None) => {
            return Err(BadInput::new(
                "unit-rush-hour/custom needs a board: give --set board=ROW/ROW/…, with A the \
                 target, '-' and '|' for cars along rows and columns, '.' for empty cells",
            ));
        }
    };
    let board = Board::parse(text)?;
    let empty = board.empty();
    Ok(Instance {
        name: name.to_owned(),
        rows: board.rows,
        columns: board.columns,
        exits: vec![board.exit],
        empty: empty..=empty,
        metric: Metric::default(),
        start: Some(board),
    })
}

/// What Unit Rush Hour says of itself.
#[must_use]
pub fn about() -> About {
    let instance = |name: &str, summary: String| InstanceInfo {
        name: name.to_owned(),
        summary,
    };
    let mut instances = Vec::new();
    for (name, board, steps) in TROMP {
        instances.push(instance(
            name,
            format!("John Tromp, {steps} steps: {board}"),
        ));
    }
    for name in SHOWN {
        instances.push(instance(
            name,
            format!("every placement of cars on {name} with one empty cell, wherever the exit is"),
        ));
    }
    instances.push(instance(
        "custom",
        "your own board: --set board=ROW/ROW/…".to_owned(),
    ));
    let setting = |key: &str, summary: &str| SettingInfo {
        key: key.to_owned(),
        summary: summary.to_owned(),
    };
    About {
        name: "unit-rush-hour".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        summary: "Unit Rush Hour: cars of one cell, each along its row or its column".to_owned(),
        instances,
        settings: vec![
            setting(
                "metric",
                "what is one move: step (one cell, the default) or move (one car any distance)",
            ),
            setting(
                "empty",
                "only ROWSxCOLUMNS: how many cells are empty: N, N..M or any (default 1)",
            ),
            setting(
                "exit",
                "only ROWSxCOLUMNS: row of the exit, from 1 at the top, or any (default any)",
            ),
            setting(
                "board",
                "only custom: rows joined by '/' or all cells in one line; A the target",
            ),
        ],
        legend: LEGEND.to_owned(),
        claims: crate::unit_rush_hour::CLAIMS.to_owned(),
    }
}

/// How boards are drawn as pictures.
const LEGEND: &str = "\
A block #d0342c target, along its row
- block #3b82c4 car along its row
| disc #d98c3f car along its column
. empty #f3efe6 empty cell
";
