//! The boards that ship with the crate, and boards from files; settings.

use std::path::Path;

use puzzle_api::{About, BadInput, Placed, Request};

use crate::listing::{self, coloured, only};
use crate::metric::{Metric, Metrics};
use crate::sliding_block::board::{Board, read_file};
use crate::sliding_block::grid::STAR;
use crate::text::{Fault, MOST_BYTES};

/// The definition of one move. The first is the metric of nearly all published figures.
const METRICS: Metrics = Metrics(&[
    ("piece", Metric::Piece, "one piece along any free path"),
    ("line", Metric::Line, "straight, any distance"),
    ("step", Metric::Step, "one cell"),
]);

#[derive(Debug, Clone, Copy)]
pub struct Named {
    pub name: &'static str,
    /// The author of the puzzle, and what the drawing is.
    pub about: &'static str,
    /// The board, in the format of files.
    pub text: &'static str,
}

/// All boards by name, as printed in collections of sliding-block puzzles.
pub fn shipped() -> impl Iterator<Item = Named> {
    let texts = include_str!("boards.txt").split("\n\n");
    texts.filter_map(|text| {
        let (name, about) = text.lines().next()?.strip_prefix("// ")?.split_once(": ")?;
        Some(Named { name, about, text })
    })
}

#[derive(Debug, Clone)]
pub struct Instance {
    pub board: Board,
    pub metric: Metric,
}

/// One of the boards by name; `None` for an unknown one.
pub fn named(name: &str) -> Option<Board> {
    let found = shipped().find(|named| named.name == name)?;
    // The tests read them all.
    read_file(name, found.text).ok()
}

/// Opens an instance.
pub fn open(request: &Request<'_>) -> Result<Instance, BadInput> {
    let name = request.instance;
    let custom = name == "custom";
    let file = request.settings.get("board");
    if file.is_some() && !custom {
        return Err(BadInput::new(format!(
            "sliding-block/{name} takes no setting 'board': its board is fixed; use \
             sliding-block/custom with board=FILE"
        )));
    }
    let allowed = if custom {
        &["board", "metric"][..]
    } else {
        &["metric"]
    };
    only("sliding-block", request, allowed)?;
    let metric = METRICS.of(request.settings)?;
    let board = match (custom, file) {
        (true, Some(file)) => read_custom(file)?,
        (true, None) => {
            return Err(BadInput::new(
                "sliding-block/custom needs a board: give --set board=FILE, rows of letters, '.' \
                 and '#', then a line 'goal: LETTER ROW,COLUMN', or a level of GNOME Klotski",
            ));
        }
        (false, _) => named(name).ok_or_else(|| {
            let names: Vec<&str> = shipped().map(|named| named.name).collect();
            BadInput::new(format!(
                "no instance sliding-block/{name}: use {} or custom",
                names.join(", ")
            ))
        })?,
    };
    Ok(Instance { board, metric })
}

fn read_custom(value: &str) -> Result<Board, BadInput> {
    let shown = puzzle_api::shown(value);
    let drawing = drawing(value).filter(|_| !Path::new(value).exists());
    let (text, unit) = match drawing {
        Some(drawing) => (drawing, "row"),
        None => {
            let text = puzzle_api::read_text(value, MOST_BYTES).map_err(|error| {
                BadInput::new(format!(
                    "board={shown}: cannot be read ({error}): name a text file, or write the rows \
                     and the goal joined by '/', or a code such as 1A9BF0C00"
                ))
            })?;
            (text, "line")
        }
    };
    read_file("custom", &text).map_err(|Fault { line, what }| {
        BadInput::new(match line {
            Some(line) => format!("{shown}, {unit} {line}: {what}"),
            None => format!("{shown}: {what}"),
        })
    })
}

/// The drawing in a text of one line: rows and goals joined by `/`, or a code of dnomd343's
/// Klotski; `None` for any other text.
fn drawing(text: &str) -> Option<String> {
    let rows = text.contains('/') && (text.contains("goal:") || text.contains(STAR));
    match rows {
        true => Some(text.replace('/', "\n")),
        false => decoded(text.trim()),
    }
}

/// The board of a code such as `1A9BF0C00`, on 5 rows of 4 cells. It is the first cell of the 2x2
/// piece in hexadecimal, then two bits for each remaining cell, in scanning order. They say what
/// begins there: 0 nothing, 1 a 1x2 piece that lies, 2 one that stands, 3 a 1x1 piece. Zeros at the
/// end may be left out. (`src/core/common_code/common_code.h` in github.com/dnomd343/klotski.)
fn decoded(code: &str) -> Option<String> {
    const COLUMNS: usize = 4;
    const CELLS: usize = 20;
    let hexadecimal = code.bytes().all(|byte| byte.is_ascii_hexdigit());
    if !hexadecimal || !(1..=9).contains(&code.len()) {
        return None;
    }
    let number = u64::from_str_radix(&format!("{code:0<9}"), 16).ok()?;
    let mut cells = ['.'; CELLS];
    let mut letters = 'a'..='z';
    let mut put = |first: usize, (rows, columns): (usize, usize)| {
        let letter = letters.next()?;
        for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |c| (row, c))) {
            let cell = cells.get_mut(first + row * COLUMNS + column)?;
            let fits = *cell == '.' && first % COLUMNS + column < COLUMNS;
            *cell = fits.then_some(letter)?;
        }
        Some(cells)
    };
    let mut now = put((number >> 32) as usize, (2, 2))?;
    let (mut rest, mut first) = ((number as u32), 0);
    while let Some(at) = (first..CELLS).find(|&at| now[at] == '.') {
        let kind = rest >> 30;
        rest <<= 2;
        first = at + 1;
        now = match kind {
            0 => now,
            1 => put(at, (1, 2))?,
            2 => put(at, (2, 1))?,
            _ => put(at, (1, 1))?,
        };
    }
    let rows = now.chunks(COLUMNS).map(|row| row.iter().collect());
    let rows: Vec<String> = rows.collect();
    (rest == 0).then(|| format!("{}\ngoal: a 3,1\n", rows.join("\n")))
}

/// Reads a board with its goal: rows joined by `/`, then `goal: LETTER ROW,COLUMN`; a level of GNOME
/// Klotski; or a code such as `1A9BF0C00`.
///
/// # Errors
/// Anything else.
pub fn placed(request: &Request<'_>, text: &str) -> Result<Placed, BadInput> {
    let text = text.trim_end();
    let shown = puzzle_api::shown(text);
    let Some(drawing) =
        drawing(text).or_else(|| text.contains('/').then(|| text.replace('/', "\n")))
    else {
        return Err(BadInput::new(format!(
            "'{shown}' is no board: write rows and a goal joined by '/' (ab/.b/goal: a 1,0), a level \
             of GNOME Klotski, or a code such as 1A9BF0C00"
        )));
    };
    let bad = |fault: Fault| BadInput::new(format!("'{shown}' is no board: {}", fault.what));
    read_file("custom", &drawing).map_err(bad)?;
    Ok(Placed::custom(
        request.settings,
        |_| true,
        text.to_owned(),
        None,
    ))
}

pub fn about() -> About {
    let named = shipped().map(|named| (named.name.to_owned(), named.about.to_owned()));
    let mut instances: Vec<(String, String)> = named.collect();
    let own = "your own board: --set board=FILE";
    instances.push(("custom".to_owned(), own.to_owned()));
    listing::about(
        (
            "sliding-block",
            "Sliding-block puzzles: Climb Pro 24 and its relatives, or your own board",
        ),
        instances,
        &[
            (&METRICS.key(), &METRICS.summary()),
            (
                "board",
                "only custom: a file with rows of letters, '.' and '#', and lines 'goal: t 0,2', or with \
                 a level of GNOME Klotski; or that in one line, joined by '/', or a code such as \
                 1A9BF0C00",
            ),
        ],
        legend(),
        include_str!("../../claims/sliding-block.toml"),
    )
}

/// How boards are drawn as pictures: cells with one letter are one piece. Letters have no meaning
/// across boards, so colours only distinguish neighbours.
fn legend() -> String {
    let letters = ('a'..='z').chain('A'..='Z').chain('0'..='9');
    "# wall #6b7280 wall\n. empty #f3efe6 empty cell\n- empty #d8cfb8 gate\n\
     * merge #c0392b piece *\n"
        .to_owned()
        + &coloured(letters, true)
}
