//! Settings: `board=FILE`, `from=e7`, `to=e7|any`.

use puzzle_api::{BadInput, Request, SettingInfo, read_text};

use super::{CUSTOM, Finish, Instance, hole, holes, nearest};
use crate::board::{Board, Point, drawing, is_lines};

/// The largest board file read, in bytes: ample for 64 holes with wide margins.
const MOST_BYTES: u64 = 1 << 16;

/// The settings as listed to a user.
pub(super) fn infos() -> Vec<SettingInfo> {
    vec![
        SettingInfo::new(
            "from",
            "the hole that is empty at the start, as e7; several joined by ;, or the name of a hole",
        ),
        SettingInfo::new(
            "to",
            "the hole of the last peg, as e7, or any (default as listed)",
        ),
        SettingInfo::new(
            "board",
            "FILE with a drawing (o or . a hole, blank outside), or with rows hole NAME X:Y and line \
             NAME NAME NAME; the rows also in place of FILE, joined by ;; for custom alone, up to \
             64 holes",
        ),
    ]
}

/// Opens an instance whose name is known.
pub(super) fn open(request: &Request<'_>) -> Result<Instance, BadInput> {
    let settings = request.settings;
    if let Some(key) = settings
        .keys()
        .find(|key| !["from", "to", "board"].contains(&key.as_str()))
    {
        return Err(BadInput::new(format!(
            "no setting '{key}': peg-solitaire takes from, to and board"
        )));
    }
    let name = request.instance;
    let (board, from, to) = match (drawing(name), settings.get("board")) {
        (Some(drawing), None) => (Board::of_name(name)?, drawing.from, drawing.to),
        (None, Some(file)) => (read(file)?, "", "any"),
        (Some(_), Some(_)) => {
            return Err(BadInput::new(format!(
                "board=FILE goes with the instance {CUSTOM}, not with {name}: write \
                 peg-solitaire/{CUSTOM}"
            )));
        }
        (None, None) => {
            return Err(BadInput::new(format!(
                "{CUSTOM} needs its board: write --set board=FILE, a drawing with o or . for a \
                 hole and blanks outside"
            )));
        }
    };
    // A given board starts with the hole in its middle empty, or the nearest one.
    let middle = nearest(&board, Point { x: 0, y: 0 });
    let from = match (settings.get("from"), from) {
        (Some(from), _) => from,
        (None, "") => middle.as_deref().unwrap_or("0:0"),
        (None, from) => from,
    };
    let to = settings.get("to").map_or(to, String::as_str);
    let start = board.full() & !holes(&board, "from", from)?;
    let finish = match to.trim() {
        "any" => Finish::Any,
        to => Finish::At(hole(&board, "to", to)?),
    };
    if start == 0 {
        return Err(BadInput::new(format!(
            "from={from} leaves no peg on the board: leave a hole out"
        )));
    }
    Ok(Instance::new(board, start, finish))
}

/// Reads a board from a file, or one given by its lines from the setting itself.
fn read(file: &str) -> Result<Board, BadInput> {
    if file.contains(';') && is_lines(file) {
        return Board::of_text(CUSTOM, &file.replace(';', "\n"), "board");
    }
    let refused = |why: &str| BadInput::new(format!("board={file}: {why}"));
    let text = read_text(file, MOST_BYTES).map_err(|error| {
        refused(&format!(
            "cannot be read ({error}): name a text file with a drawing, o or . a hole, a line a \
             row, or with rows hole NAME X:Y and line NAME NAME NAME"
        ))
    })?;
    Board::of_text(CUSTOM, &text, file)
}
