//! The state graphs that Tilt offers by name, their limits and their settings.

mod boards;
mod settings;

use puzzle_api::rank::binomial;
use puzzle_api::{About, BadInput, InstanceInfo, Request, SettingInfo};

use crate::board::{self, Board, Cell, HOLE, SQUARES};

pub use boards::{THESIS_A, THESIS_B, named_board};

/// An inclusive range of block counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Span {
    /// Smallest count.
    pub min: u32,
    /// Largest count.
    pub max: u32,
}

impl Span {
    /// The range `min..=max`.
    pub const fn new(min: u32, max: u32) -> Self {
        Self { min, max }
    }

    /// Whether a count is within the limits.
    pub const fn contains(self, count: u32) -> bool {
        self.min <= count && count <= self.max
    }
}

/// The allowed numbers of blocks of each colour on a board of an instance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Limits {
    /// Grey blocks.
    pub grey: Span,
    /// Blue blocks.
    pub blue: Span,
    /// Green blocks; `min` is 0, since a board loses them on the way to a solution.
    pub green: Span,
}

impl Limits {
    /// The contents of the game box: six grey, four blue, two green blocks (section 2.1).
    pub const BOX: Self = Self {
        grey: Span::new(0, 6),
        blue: Span::new(0, 4),
        green: Span::new(0, 2),
    };
}

/// Counts of blocks with the number of placements that have them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Class {
    pub(crate) grey: u32,
    pub(crate) blue: u32,
    pub(crate) green: u32,
    pub(crate) placements: u64,
}

/// An opened instance: the placements within its limits, up to symmetry.
#[derive(Debug, Clone)]
pub struct Instance {
    name: String,
    limits: Limits,
    /// The allowed grey sets: all images of one set; empty for any set.
    grey_sets: Vec<u32>,
    start: Option<Board>,
    classes: Vec<Class>,
}

impl Instance {
    fn new(name: &str, limits: Limits, start: Option<Board>) -> Self {
        let mut grey_sets = Vec::new();
        if let Some(start) = &start {
            grey_sets = (0..8)
                .map(|index| board::mask(&board::image(start, index), Cell::Grey))
                .collect();
            grey_sets.sort_unstable();
            grey_sets.dedup();
        }
        let classes = classes(&limits, &grey_sets);
        Self {
            name: name.to_owned(),
            limits,
            grey_sets,
            start,
            classes,
        }
    }

    /// `box` with the given limits.
    pub fn whole_box(limits: Limits) -> Self {
        Self::new("box", limits, None)
    }

    /// The graph of one board: its grey set up to symmetry, its blue blocks, and at
    /// most its green blocks.
    fn of_board(name: &str, start: Board) -> Self {
        let exactly = |cell| Span::new(board::count(&start, cell), board::count(&start, cell));
        let limits = Limits {
            grey: exactly(Cell::Grey),
            blue: exactly(Cell::Blue),
            green: Span::new(0, board::count(&start, Cell::Green)),
        };
        Self::new(name, limits, Some(start))
    }

    /// The number of blocks of each colour.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// The board that the instance is named after, if any.
    pub fn start(&self) -> Option<Board> {
        self.start
    }

    /// The grey sets allowed, ascending; empty if any set within the limits is.
    pub fn grey_sets(&self) -> &[u32] {
        &self.grey_sets
    }

    /// Whether a set of grey squares belongs to the instance.
    pub fn allows_greys(&self, grey: u32) -> bool {
        self.limits.grey.contains(grey.count_ones())
            && (self.grey_sets.is_empty() || self.grey_sets.binary_search(&grey).is_ok())
    }

    /// Block counts with the number of placements of each.
    pub(crate) fn classes(&self) -> &[Class] {
        &self.classes
    }

    /// Number of placements of the instance.
    pub fn placements(&self) -> u64 {
        self.classes.iter().map(|class| class.placements).sum()
    }

    /// Reads a board of this instance: rows joined by `/`, or the name of a board
    /// (`card-7`, `thesis`).
    ///
    /// # Errors
    /// One line that names the place and the remedy: text that is no board, or a board
    /// outside the limits.
    pub fn parse(&self, text: &str) -> Result<Board, BadInput> {
        let text = text.trim();
        let board = match named_board(text) {
            Some(board) => board,
            None if text.is_empty() || text.contains('/') => board::parse(text)?,
            None => {
                return Err(BadInput::new(format!(
                    "'{}' is neither a board nor the name of one: write five rows joined \
                     by '/', or card-1 to card-40, thesis, thesis-a, thesis-b",
                    puzzle_api::shown(text)
                )));
            }
        };
        self.admit(&board)?;
        Ok(board)
    }

    /// Checks that a board belongs to the instance.
    fn admit(&self, board: &Board) -> Result<(), BadInput> {
        let Limits { grey, blue, green } = self.limits;
        self.admit_count(board, Cell::Grey, "grey", grey)?;
        self.admit_count(board, Cell::Blue, "blue", blue)?;
        self.admit_count(board, Cell::Green, "green", green)?;
        if self.allows_greys(board::mask(board, Cell::Grey)) {
            return Ok(());
        }
        let wanted = self
            .start
            .map_or(0, |start| board::mask(&start, Cell::Grey));
        Err(BadInput::new(format!(
            "the grey blocks stand elsewhere than in tilt/{}: set them as in {} (or an image of \
             it), or use tilt/box",
            self.name,
            board::draw(&board::grey_board(wanted))
        )))
    }

    fn admit_count(
        &self,
        board: &Board,
        cell: Cell,
        colour: &str,
        allowed: Span,
    ) -> Result<(), BadInput> {
        let found = board::count(board, cell);
        let name = &self.name;
        let Span { min, max } = allowed;
        if found < min {
            return Err(BadInput::new(format!(
                "the board has {found} {colour} block(s), tilt/{name} needs {min} to {max}: \
                 add {}",
                min - found
            )));
        }
        let mut squares = (0..SQUARES).filter(|&square| board[square] == cell);
        match squares.nth(max as usize) {
            None => Ok(()),
            Some(first_too_many) => Err(BadInput::new(format!(
                "{}: {colour} block number {}, but tilt/{name} holds {min} to {max}: \
                 remove {}",
                board::square_name(first_too_many),
                max + 1,
                found - max
            ))),
        }
    }
}

/// All counts within limits with their numbers of placements.
fn classes(limits: &Limits, grey_sets: &[u32]) -> Vec<Class> {
    let squares = SQUARES as u32 - 1;
    let mut classes = Vec::new();
    for grey in limits.grey.min..=limits.grey.max {
        let sets = match grey_sets {
            [] => binomial(squares, grey),
            sets => sets.len() as u64,
        };
        for blue in limits.blue.min..=limits.blue.max {
            for green in limits.green.min..=limits.green.max {
                let free = squares - grey;
                let placements =
                    sets * binomial(free, blue) * binomial(free.saturating_sub(blue), green);
                classes.push(Class {
                    grey,
                    blue,
                    green,
                    placements,
                });
            }
        }
    }
    classes
}

/// Opens an instance.
///
/// # Errors
/// An unknown instance, an unknown setting or a value out of range.
pub fn open(request: &Request<'_>) -> Result<Instance, BadInput> {
    let name = request.instance;
    if name == "box" {
        return Ok(Instance::whole_box(settings::read(request.settings)?));
    }
    let Some(start) = named_board(name) else {
        return Err(BadInput::new(format!(
            "no instance tilt/{name}: use box, card-1 to card-40, thesis, thesis-a or thesis-b"
        )));
    };
    if let Some(key) = request.settings.keys().next() {
        return Err(BadInput::new(format!(
            "tilt/{name} takes no settings, but '{key}' was given: its limits are those of its \
             board; tilt/box takes grey, blue and green"
        )));
    }
    Ok(Instance::of_board(name, start))
}

/// Tilt's description.
pub fn about() -> About {
    let instance = |name: &str, summary: String| InstanceInfo {
        name: name.to_owned(),
        summary,
    };
    let mut instances = vec![instance(
        "box",
        "every placement of 0-6 grey, 0-4 blue and 0-2 green blocks".to_owned(),
    )];
    for (number, board) in (1..).zip(boards::cards()) {
        instances.push(instance(
            &format!("card-{number}"),
            format!("challenge card {number}: {board}"),
        ));
    }
    instances.extend([
        instance(
            "thesis",
            format!("the board of section 3.1 that the box can hold: {THESIS_B}"),
        ),
        instance(
            "thesis-a",
            format!(
                "section 3.1 before the rotation, three green blocks, more than the box \
                     holds: {THESIS_A}"
            ),
        ),
        instance(
            "thesis-b",
            format!("section 3.1 after the rotation, turned back (as thesis): {THESIS_B}"),
        ),
    ]);
    About {
        name: "tilt".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        summary: "ThinkFun's Tilt: slide the green blocks into the hole, keep the blue ones"
            .to_owned(),
        instances,
        settings: settings::LISTED
            .map(|(key, summary)| SettingInfo::new(key, summary))
            .to_vec(),
        legend: LEGEND.to_owned(),
        claims: include_str!("../claims.toml").to_owned(),
    }
}

/// How boards are drawn as pictures.
const LEGEND: &str = "\
# block #6b7280 grey block (fixed)
b block #3b82c4 blue block (must not fall)
g block #5aa469 green block (has to fall)
O hole #1f2937 hole
. empty #f3efe6 empty square
";

const _: () = assert!(HOLE == 12 && SQUARES == 25);

#[cfg(test)]
mod tests;
