//! The state graphs by name, and their settings.

use puzzle_api::{About, BadInput, Request};

use crate::listing::{self, coloured, only};
use crate::simple_block::board::{Board, Grid, MOST_CELLS, SIZES};
use crate::text::Fault;

/// The allowed goal pieces of a puzzle, and its solved boards.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Goal {
    /// The goal piece has to cover the cell in the lower right corner. Pieces that cannot cover it
    /// are no goal pieces.
    #[default]
    Corner,
    /// It has to touch the right edge and the lower one, which any piece can.
    Edges,
}

impl Goal {
    /// Whether a piece of this shape can be a goal piece: `Corner` requires that it covers the
    /// lower right cell of its bounding rectangle.
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

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instance {
    pub name: String,
    pub grid: Grid,
    pub pieces: usize,
    pub goal: Goal,
    /// The board of the instance; `None` for a census, which holds every placement of n pieces.
    pub start: Option<Board>,
}

impl Instance {
    /// The board, if its goal piece is allowed.
    pub(super) fn admit(&self, board: Board) -> Result<Board, Fault> {
        match self
            .goal
            .admits(board.grid, &board.grid.shape(&board.covered(1)))
        {
            true => Ok(board),
            false => Err(Fault::new(
                None,
                "the goal piece A has no cell in the lower right corner of the rectangle around \
                 it, so that it cannot cover the corner of the board: use --set goal=edges",
            )),
        }
    }
}

/// The listed censuses; any other of that form is accepted, too.
const LISTED: [(&str, usize); 2] = [("3x3", 8), ("4x4", 15)];

/// The size and the number of pieces in the name of a census.
fn census(name: &str) -> Option<(Grid, usize)> {
    let (size, pieces) = name.split_once("-n")?;
    let (rows, columns) = SIZES.named(size)?;
    let (grid, number) = (Grid { rows, columns }, pieces.parse().ok()?);
    let fits = (1..grid.cells()).contains(&number) && number.to_string() == pieces;
    fits.then_some((grid, number))
}

/// Opens an instance.
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
    only("simple-block", request, allowed)?;
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
    let write = "A the goal piece, other letters for other pieces and '.' for empty cells";
    listing::board_of(
        "simple-block",
        request,
        |_| None,
        write,
        |text| {
            let board = Board::parse(text)?;
            let mut instance = Instance {
                name: name.clone(),
                grid: board.grid,
                pieces: board.pieces(),
                goal,
                start: None,
            };
            instance.start = Some(instance.admit(board)?);
            Ok(instance)
        },
    )
}

pub fn about() -> About {
    let mut instances = Vec::new();
    for (size, most) in LISTED {
        for pieces in 1..=most {
            let noun = if pieces == 1 { "piece" } else { "pieces" };
            let summary = format!(
                "every placement of {pieces} {noun} of any shape on {size} where A fits the goal corner"
            );
            instances.push((format!("{size}-n{pieces}"), summary));
        }
    }
    listing::about(
        (
            "simple-block",
            "Sliding blocks: one piece from corner to corner, every puzzle there is",
        ),
        instances,
        &[
            (
                "goal",
                "the goal piece A is to cover the lower right corner (corner, the default), or to \
                 touch the right edge and the lower one (edges)",
            ),
            ("board", "only custom: rows joined by '/'; A the goal piece"),
        ],
        legend(),
        include_str!("../../claims/simple-block.toml"),
    )
}

fn legend() -> String {
    let pieces = ('B'..='Z').chain('a'..='z');
    ". empty #f3efe6 empty cell\nA merge #d0342c goal piece\n".to_owned() + &coloured(pieces, false)
}
