//! The instances, and the settings that they take.

use puzzle_api::rank::{low_bits, subsets};
use puzzle_api::{About, BadInput, Placed, Request, shown};

use super::Instance;
use crate::listing::{self, coloured, number, only};
use crate::metric::{Metric, Metrics};
use crate::rush_hour::board::{Board, LETTERS};
use crate::rush_hour::boards::{self, cards, fogleman};
use crate::text::Fault;

const METRICS: Metrics = Metrics(&[
    ("move", Metric::Line, "one piece any distance"),
    ("step", Metric::Step, "one cell"),
]);

const MOST_WALLS: usize = 3;

/// The censuses: name, side, row of the red car.
const CENSUSES: [(&str, u8, u8); 3] = [("4x4", 4, 1), ("5x5", 5, 2), ("6x6", 6, 2)];

/// Opens an instance.
pub fn open(request: &Request<'_>) -> Result<Instance, BadInput> {
    let name = request.instance;
    let census = CENSUSES.iter().find(|(census, _, _)| *census == name);
    let allowed: &[&str] = match (census, name) {
        (Some(_), _) => &["metric", "row", "walls"],
        (None, "custom") => &["board", "metric"],
        (None, name) if boards::named(name).is_some() => &["metric"],
        (None, _) => {
            return Err(BadInput::new(format!(
                "no instance rush-hour/{name}: use card-1 to card-{}, fogleman-1 to fogleman-{}, \
                 custom, 4x4, 5x5 or 6x6",
                cards().count(),
                fogleman().count()
            )));
        }
    };
    only("rush-hour", request, allowed)?;
    let mut instance = match census {
        Some(&census) => open_census(request, census)?,
        None => open_board(request)?,
    };
    instance.metric = METRICS.of(request.settings)?;
    Ok(instance)
}

/// Reads any board, or a line of Fogleman's database: the fewest moves, the board and the number of
/// boards that can be reached from it (`60 IBBxooIooLDDJAALooJoKEEMFFKooMGGHHHM 2332`).
///
/// # Errors
/// Anything else.
pub fn placed(request: &Request<'_>, text: &str) -> Result<Placed, BadInput> {
    let (_, length) = boards::line(text).ok_or_else(|| {
        BadInput::new(format!(
            "'{}' is not a board: write its cells in one line, rows joined by '/', or a line of \
             Fogleman's database (moves, board, number of boards)",
            shown(text)
        ))
    })?;
    let (board, letters) = Board::lettered(boards::drawn(text))?;
    let drawn = board.draw_by(&letters);
    // He counts a move of a car by any distance as one move.
    let counts = METRICS.of(request.settings) == Ok(Metric::Line);
    let length = length.filter(|_| counts);
    let kept = |key: &str| key == "metric";
    Ok(Placed::custom(request.settings, kept, drawn, length))
}

fn open_census(
    request: &Request<'_>,
    (name, side, red_row): (&str, u8, u8),
) -> Result<Instance, BadInput> {
    let number = |key: &str, default: u8, range| match request.settings.get(key) {
        Some(text) => number(key, text, range, ""),
        None => Ok(default.into()),
    };
    let row = number("row", red_row + 1, (1, side.into()))?;
    let walls = number("walls", 0, (0, MOST_WALLS))?;
    let sets = wall_sets(side, walls);
    Instance::census(name, (side, side), row as u8 - 1, sets).ok_or_else(|| {
        BadInput::new(format!(
            "rush-hour/{name} with {walls} walls has more placements than a key of 64 bits can \
             hold: take fewer walls"
        ))
    })
}

/// All sets of n walls on a square board, ascending.
fn wall_sets(side: u8, walls: usize) -> Vec<u64> {
    let side = u32::from(side);
    let row = |set: u64, row: u32| (set >> (side * row) & low_bits(side)) << (8 * row);
    let spread = |set| (0..side).map(|number| row(set, number)).sum();
    let sets = subsets::all(side * side, walls as u32);
    sets.map(spread).collect()
}

fn open_board(request: &Request<'_>) -> Result<Instance, BadInput> {
    let write =
        "A the red car, other letters for other pieces, '.' for empty cells and '#' for walls";
    listing::board_of("rush-hour", request, boards::named, write, |text| {
        let (board, letters) = Board::lettered(boards::drawn(text))?;
        let mut instance = Instance::of_board(request.instance, &board).ok_or_else(|| {
            // The 16 lines of the largest board have at most 15 contents each, except one line.
            let what = "the board has more placements than a key of 64 bits can hold";
            Fault::new(None, what)
        })?;
        instance.letters = letters;
        Ok(instance)
    })
}

/// Describes Rush Hour.
pub fn about() -> About {
    let mut instances = Vec::new();
    for (number, board) in (1..).zip(cards()) {
        instances.push((format!("card-{number}"), format!("card {number}: {board}")));
    }
    for (place, (board, moves)) in (1..).zip(fogleman()) {
        let summary = format!("Fogleman's database, {moves} moves: {board}");
        instances.push((format!("fogleman-{place}"), summary));
    }
    for (name, side, row) in CENSUSES {
        let summary = format!(
            "every placement of cars and trucks on {side}x{side}, the red car in row {}",
            row + 1
        );
        instances.push((name.to_owned(), summary));
    }
    listing::about(
        (
            "rush-hour",
            "Rush Hour: slide cars and trucks until the red car is at the exit",
        ),
        instances,
        &[
            (&METRICS.key(), &METRICS.summary()),
            (
                "walls",
                "4x4, 5x5, 6x6: how many cells are walls, each set of them (0 to 3; default 0)",
            ),
            (
                "row",
                "4x4, 5x5, 6x6: row of the red car, from the top (default: the middle)",
            ),
            (
                "board",
                "only custom: rows joined by '/' or all cells in one line; A the red car",
            ),
        ],
        legend(),
        include_str!("../../../claims/rush-hour.toml"),
    )
}

fn legend() -> String {
    "# wall #6b7280 wall\nx wall #6b7280 wall\n. empty #f3efe6 empty cell\n\
     o empty #f3efe6 empty cell\nA merge #d0342c red car\n\
     A exit #d0342c exit of the red car\n"
        .to_owned()
        + &coloured(LETTERS.chars().skip(1), false)
}
