//! The literal rulebook, variant `reference`: an array of cells and blocks that move
//! one square at a time. Thesis, section 2.1. Slow on purpose; the oracle of every
//! check.

mod numbering;

use std::sync::OnceLock;

use puzzle_api::{
    BadInput, Names, Numbering, Placement, Puzzle, RandomStates, Request, SolvedStates, Symmetry,
    Xorshift,
};

use crate::board::{self, Board, Cell, SIDE};
use crate::instances::{self, Instance};
use crate::sample;
pub(crate) use numbering::place_blocks;

/// The four moves, in the order in which they are tried and named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tilt {
    /// Blocks slide towards column 1.
    Left,
    /// Blocks slide towards column 5.
    Right,
    /// Blocks slide towards row 1.
    Up,
    /// Blocks slide towards row 5.
    Down,
}

impl Tilt {
    /// All four, in order.
    pub const ALL: [Self; 4] = [Self::Left, Self::Right, Self::Up, Self::Down];

    /// A player's name of the move.
    pub fn name(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Right => "right",
            Self::Up => "up",
            Self::Down => "down",
        }
    }

    /// A square of a line of the board, by the line's number and the square's distance from the
    /// edge that blocks slide to.
    pub(crate) fn square(self, line: usize, distance: usize) -> usize {
        let far = SIDE - 1 - distance;
        match self {
            Self::Left => SIDE * line + distance,
            Self::Right => SIDE * line + far,
            Self::Up => SIDE * distance + line,
            Self::Down => SIDE * far + line,
        }
    }
}

/// A row or column, from the edge that blocks slide to.
pub(crate) type Line = [Cell; SIDE];

/// The line after its blocks have slid, or `None` if a blue block falls. Blocks move one square
/// at a time, and stop only at the edge, a grey block or another block. Thesis, section 2.1.
pub(crate) fn slide(mut line: Line) -> Option<Line> {
    loop {
        let before = line;
        for square in 1..SIDE {
            match (line[square - 1], line[square]) {
                (Cell::Empty, Cell::Blue | Cell::Green) => line.swap(square - 1, square),
                (Cell::Hole, Cell::Green) => line[square] = Cell::Empty,
                (Cell::Hole, Cell::Blue) => return None,
                _ => {}
            }
        }
        if line == before {
            return Some(line);
        }
    }
}

/// The board after a tilt: each of its five lines slides separately. `None` for a tilt that is not
/// allowed because a blue block falls (also if the last green block falls in the same tilt).
pub fn tilt(board: &Board, direction: Tilt) -> Option<Board> {
    let mut after = *board;
    for line in 0..SIDE {
        let square = |distance| direction.square(line, distance);
        let slid = slide(std::array::from_fn(|distance| board[square(distance)]))?;
        for (distance, cell) in slid.into_iter().enumerate() {
            after[square(distance)] = cell;
        }
    }
    Some(after)
}

/// Whether no green block is left. Thesis, sections 2.1 and 3.4.2.
pub fn is_solved(board: &Board) -> bool {
    !board.contains(&Cell::Green)
}

/// Variant `reference`, opened on an instance.
#[derive(Debug)]
pub struct Rules {
    pub(crate) instance: Instance,
    parts: OnceLock<Vec<Board>>,
}

impl Rules {
    /// The grey blocks of every part: canonical, by count and mask. Enumerated on
    /// first use (a fraction of a second for the whole box).
    fn parts(&self) -> &[Board] {
        self.parts.get_or_init(|| numbering::parts(&self.instance))
    }
}

impl Puzzle for Rules {
    type Key = u64;
    type State = Board;

    const VARIANT: &'static str = "reference";

    fn open(request: &Request<'_>) -> Result<Self, BadInput> {
        Ok(Self {
            instance: instances::open(request)?,
            parts: OnceLock::new(),
        })
    }

    fn starts(&self, emit: &mut dyn FnMut(Board)) {
        self.instance.start().into_iter().for_each(emit);
    }

    fn successors(&self, state: &Board, emit: &mut dyn FnMut(Board)) {
        for direction in Tilt::ALL {
            if let Some(next) = tilt(state, direction)
                && next != *state
            {
                emit(next);
            }
        }
    }

    fn is_solved(&self, state: &Board) -> bool {
        is_solved(state)
    }

    fn key(&self, state: &Board) -> u64 {
        board::key(state)
    }

    fn state(&self, key: u64) -> Board {
        board::from_key(key)
    }

    fn parse(&self, text: &str) -> Result<Board, BadInput> {
        self.instance.parse(text)
    }

    fn draw(&self, state: &Board) -> String {
        board::draw(state)
    }
}

impl SolvedStates for Rules {
    fn solved_states(&self, part: u64, emit: &mut dyn FnMut(Board)) {
        let Some(greys) = self.parts().get(part as usize) else {
            return;
        };
        let blue = self.instance.limits().blue;
        for blocks in blue.min..=blue.max {
            place_blocks(greys, Cell::Blue, 0, blocks, emit);
        }
    }
}

impl Symmetry for Rules {
    fn symmetry_count(&self) -> u32 {
        8
    }

    fn image(&self, state: &Board, index: u32) -> Board {
        board::image(state, index)
    }

    /// The image with the smallest grey mask; among those, with the smallest key.
    fn canonical(&self, state: &Board) -> Board {
        (0..8)
            .map(|index| board::image(state, index))
            .min_by_key(|image| (board::mask(image, Cell::Grey), board::key(image)))
            .unwrap_or(*state)
    }
}

impl Numbering for Rules {
    fn space(&self, part: u64) -> Option<u64> {
        let greys = self.parts().get(part as usize)?;
        Some(numbering::space(&self.instance.limits(), greys))
    }

    fn place(&self, state: &Board) -> Option<Placement> {
        let greys = numbering::greys_of(state);
        let order = numbering::order(&greys);
        let parts = self.parts();
        let part = parts.binary_search_by_key(&order, numbering::order).ok()?;
        Some(Placement {
            part: part as u64,
            rank: numbering::rank(&self.instance.limits(), state)?,
        })
    }

    fn unrank(&self, placement: Placement) -> Option<Board> {
        let greys = self.parts().get(placement.part as usize)?;
        numbering::unrank(&self.instance.limits(), greys, placement.rank)
    }

    fn part_count(&self) -> u64 {
        self.parts().len() as u64
    }

    fn part_name(&self, part: u64) -> String {
        match self.parts().get(part as usize) {
            Some(greys) => board::draw(greys),
            None => part.to_string(),
        }
    }
}

impl RandomStates for Rules {
    fn random(&self, random: &mut Xorshift) -> Option<Board> {
        Some(sample::random_board(&self.instance, random))
    }
}

impl Names for Rules {
    fn describe_move(&self, from: &Board, to: &Board) -> Option<String> {
        Tilt::ALL
            .into_iter()
            .find(|&direction| tilt(from, direction).as_ref() == Some(to))
            .map(|direction| direction.name().to_owned())
    }
}
