//! The state graphs by name, and their settings.

use puzzle_api::{About, BadInput, InstanceInfo, Request, SettingInfo};

use crate::simple_block::board::{Board, Grid, MOST_CELLS};

/// Which goal pieces a puzzle may have, and when it is solved.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Goal {
    /// The goal piece has to cover the cell in the lower right corner. Pieces that cannot are
    /// no goal pieces.
    #[default]
    Corner,
    /// It has to touch the right edge and the lower one: any piece can.
    Edges,
}

impl Goal {
    /// Whether a piece of this shape can be a goal piece: `Corner` asks that it covers the lower
    /// right cell of the rectangle around it.
    #[must_use]
    pub fn admits(self, grid: Grid, shape: &[bool]) -> bool {
        let covered = || (0..shape.len()).filter(|&cell| shape[cell]);
        let bottom = covered().map(|cell| cell / grid.columns).max();
        let right = covered().map(|cell| cell % grid.columns).max();
        let corner = bottom
            .zip(right)
            .map(|(row, column)| row * grid.columns + column);
        self == Self::Edges || corner.is_some_and(|corner| shape[corner])
    }
}

/// An opened instance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instance {
    /// Name, as after `simple-block/`.
    pub name: String,
    /// Size of the board.
    pub grid: Grid,
    /// Number of pieces, the goal piece among them.
    pub pieces: usize,
    /// What the goal piece has to reach.
    pub goal: Goal,
    /// The board that the instance is about; none for a census, which holds every placement of
    /// so many pieces.
    pub start: Option<Board>,
}

impl Instance {
    /// Reads a board of this instance.
    ///
    /// # Errors
    /// One line that names the place and the remedy.
    pub fn parse(&self, text: &str) -> Result<Board, BadInput> {
        let board = Board::parse(text)?;
        let name = &self.name;
        let custom = "use simple-block/custom with --set board=…";
        if board.grid != self.grid {
            return Err(BadInput::new(format!(
                "the board has {} rows of {} cells, simple-block/{name} {} of {}: {custom}",
                board.grid.rows, board.grid.columns, self.grid.rows, self.grid.columns
            )));
        }
        if board.pieces() != self.pieces {
            return Err(BadInput::new(format!(
                "the board has {} pieces, simple-block/{name} {}: {custom}",
                board.pieces(),
                self.pieces
            )));
        }
        if let Some(start) = &self.start
            && start.shapes() != board.shapes()
        {
            return Err(BadInput::new(format!(
                "the pieces are not those of {}: {custom}",
                start.draw()
            )));
        }
        self.admit(board)
    }

    /// The board, if its goal piece can be one.
    fn admit(&self, board: Board) -> Result<Board, BadInput> {
        match self
            .goal
            .admits(board.grid, &board.grid.shape(&board.covered(1)))
        {
            true => Ok(board),
            false => Err(BadInput::new(
                "the goal piece A has no cell in the lower right corner of the rectangle around \
                 it, so that it cannot cover the corner of the board: use --set goal=edges",
            )),
        }
    }
}

/// The censuses that are listed; any other of that form is taken, too.
const LISTED: [(Grid, std::ops::RangeInclusive<usize>); 2] = [
    (
        Grid {
            rows: 3,
            columns: 3,
        },
        1..=8,
    ),
    (
        Grid {
            rows: 4,
            columns: 4,
        },
        1..=15,
    ),
];

/// The size and the number of pieces that a census is named by.
fn census(name: &str) -> Option<(Grid, usize)> {
    let (size, pieces) = name.split_once("-n")?;
    let (rows, columns) = size.split_once('x')?;
    let grid = Grid {
        rows: rows.parse().ok().filter(|rows| (2..=8).contains(rows))?,
        columns: columns
            .parse()
            .ok()
            .filter(|columns| (2..=8).contains(columns))?,
    };
    let pieces: usize = pieces.parse().ok()?;
    let fits = grid.cells() <= MOST_CELLS && (1..grid.cells()).contains(&pieces);
    // No name is read in two ways, as with a leading zero.
    let own = format!("{}x{}-n{pieces}", grid.rows, grid.columns);
    (fits && own == name).then_some((grid, pieces))
}

/// Opens an instance.
///
/// # Errors
/// An unknown instance, an unknown setting, or a value out of range.
pub fn open(request: &Request<'_>) -> Result<Instance, BadInput> {
    let name = request.instance;
    let named = census(name);
    let allowed: &[&str] = match (named, name) {
        (Some(_), _) => &["goal"],
        (None, "custom") => &["board", "goal"],
        (None, _) => {
            return Err(BadInput::new(format!(
                "no instance simple-block/{name}: use custom, or ROWSxCOLUMNS-nPIECES such as \
                 4x4-n5, with 2 to 8 rows and columns, at most {MOST_CELLS} cells and fewer pieces \
                 than cells"
            )));
        }
    };
    let mut unknown = request.settings.keys();
    if let Some(key) = unknown.find(|key| !allowed.contains(&key.as_str())) {
        return Err(BadInput::new(format!(
            "simple-block/{name} takes no setting '{key}': use {}",
            allowed.join(", ")
        )));
    }
    let goal = match request.settings.get("goal").map(|goal| goal.trim()) {
        None | Some("corner") => Goal::Corner,
        Some("edges") => Goal::Edges,
        Some(other) => {
            return Err(BadInput::new(format!(
                "goal={} is unknown: write corner or edges",
                other.escape_default()
            )));
        }
    };
    let name = name.to_owned();
    if let Some((grid, pieces)) = named {
        return Ok(Instance {
            name,
            grid,
            pieces,
            goal,
            start: None,
        });
    }
    let board = request.settings.get("board").ok_or_else(|| {
        BadInput::new(
            "simple-block/custom needs a board: give --set board=ROW/ROW/…, with A the goal \
             piece, other letters for other pieces and '.' for empty cells",
        )
    })?;
    let board = Board::parse(board)?;
    let mut instance = Instance {
        name,
        grid: board.grid,
        pieces: board.pieces(),
        goal,
        start: None,
    };
    instance.start = Some(instance.admit(board)?);
    Ok(instance)
}

/// What the puzzle says of itself.
#[must_use]
pub fn about() -> About {
    let mut instances = Vec::new();
    for (grid, numbers) in LISTED {
        for pieces in numbers {
            let size = format!("{}x{}", grid.rows, grid.columns);
            let noun = if pieces == 1 { "piece" } else { "pieces" };
            instances.push(InstanceInfo {
                name: format!("{size}-n{pieces}"),
                summary: format!("every placement of {pieces} {noun} of any shape on {size}"),
            });
        }
    }
    instances.push(InstanceInfo {
        name: "custom".to_owned(),
        summary: "your own board: --set board=ROW/ROW/…".to_owned(),
    });
    let setting = |key: &str, summary: &str| SettingInfo {
        key: key.to_owned(),
        summary: summary.to_owned(),
    };
    About {
        name: "simple-block".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        summary: "Sliding blocks: one piece from corner to corner, every puzzle there is"
            .to_owned(),
        instances,
        settings: vec![
            setting(
                "goal",
                "the goal piece A is to cover the lower right corner (corner, the default), or to \
                 touch the right edge and the lower one (edges)",
            ),
            setting("board", "only custom: rows joined by '/'; A the goal piece"),
        ],
        legend: legend(),
        claims: crate::simple_block::CLAIMS.to_owned(),
    }
}

/// How boards are drawn as pictures: cells with one letter are one piece.
fn legend() -> String {
    // No red but the goal piece's.
    const COLOURS: [&str; 10] = [
        "#3b82c4", "#5aa469", "#d98c3f", "#8b6fc0", "#4fa3a5", "#b5a13c", "#d07fb0", "#9a6b4b",
        "#7fb3e0", "#a3c46a",
    ];
    let mut lines = String::from(". empty #f3efe6 empty cell\nA merge #d0342c goal piece\n");
    for (piece, colour) in (2..MOST_CELLS as u8).zip(COLOURS.iter().cycle()) {
        let letter = Board::letter(piece);
        lines.push_str(&format!("{letter} merge {colour} piece {letter}\n"));
    }
    lines
}
