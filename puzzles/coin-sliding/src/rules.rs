//! The literal rulebook, variant `reference`: a list of cells, one coin at a time. Slow
//! on purpose; the oracle of every check. Chaffin, section "Finding moves".

use puzzle_api::rank::{binomial, naive};
use puzzle_api::{
    BadInput, Names, Numbering, Placement, Predecessors, Puzzle, RandomStates, Request,
    SolvedStates, Symmetry, Xorshift,
};

use crate::board::Shape;
pub use crate::cells::{Board, beside, board, coins_beside, mask};
use crate::instances::{self, Instance};
use crate::{sample, span, symmetry};

/// The board after the coin on `from` is lifted and put on `to`, or `None` if that is no move. It
/// is none if `from` holds no coin, `to` is not empty or is `from`, or fewer than two other coins
/// are next to `to`.
pub fn slide(shape: &Shape, board: &[bool], from: usize, to: usize) -> Option<Board> {
    if !board[from] || board[to] || from == to {
        return None;
    }
    // Lifted first: a coin does not count next to its own new place.
    let own = usize::from(beside(shape, to).any(|cell| cell == from));
    if coins_beside(shape, board, to) - own < 2 {
        return None;
    }
    let mut next = board.to_vec();
    next[from] = false;
    next[to] = true;
    Some(next)
}

/// Variant `reference`, opened on an instance.
#[derive(Debug)]
pub struct Rules {
    pub(crate) instance: Instance,
}

impl Rules {
    fn shape(&self) -> &Shape {
        &self.instance.shape
    }

    fn board(&self, mask: u64) -> Board {
        board(self.shape(), mask)
    }
}

impl Puzzle for Rules {
    type Key = u64;
    type State = Board;

    const VARIANT: &'static str = "reference";

    fn open(request: &Request<'_>) -> Result<Self, BadInput> {
        let instance = instances::open(request)?;
        Ok(Self { instance })
    }

    fn starts(&self, emit: &mut dyn FnMut(Board)) {
        let starts = self.instance.starts.iter();
        starts.for_each(|&mask| emit(self.board(mask)));
    }

    fn successors(&self, state: &Board, emit: &mut dyn FnMut(Board)) {
        for from in 0..state.len() {
            for to in 0..state.len() {
                if let Some(next) = slide(self.shape(), state, from, to) {
                    emit(next);
                }
            }
        }
    }

    fn is_solved(&self, state: &Board) -> bool {
        self.instance.goals.contains(&mask(state))
    }

    fn key(&self, state: &Board) -> u64 {
        mask(state)
    }

    fn state(&self, key: u64) -> Board {
        self.board(key)
    }

    fn parse(&self, text: &str) -> Result<Board, BadInput> {
        Ok(self.board(self.instance.parse(text)?))
    }

    fn draw(&self, state: &Board) -> String {
        self.shape().draw(mask(state))
    }

    fn refute(&self, from: &Board, to: Option<&Board>) -> Option<String> {
        let to = to.map(|to| mask(to));
        span::refute(&self.instance, mask(from), to)
    }
}

impl SolvedStates for Rules {
    fn solved_states(&self, _part: u64, emit: &mut dyn FnMut(Board)) {
        let goals = self.instance.goals.iter();
        goals.for_each(|&mask| emit(self.board(mask)));
    }

    fn lists_solved_states(&self) -> bool {
        !self.instance.goals.is_empty()
    }
}

impl Predecessors for Rules {
    /// Tries every coin as the last one moved, and every empty cell as its former place.
    fn predecessors(&self, state: &Board, emit: &mut dyn FnMut(Board)) {
        let mut before = state.clone();
        for to in (0..state.len()).filter(|&cell| state[cell]) {
            for from in (0..state.len()).filter(|&cell| !state[cell]) {
                before[to] = false;
                before[from] = true;
                if slide(self.shape(), &before, from, to).is_some() {
                    emit(before.clone());
                }
                before[to] = true;
                before[from] = false;
            }
        }
    }
}

impl Symmetry for Rules {
    fn symmetry_count(&self) -> u32 {
        self.instance.symmetries.len() as u32
    }

    fn image(&self, state: &Board, index: u32) -> Board {
        let symmetry = self.instance.symmetries[index as usize];
        let mut image = vec![false; state.len()];
        for (cell, &coin) in state.iter().enumerate() {
            image[symmetry::target(self.shape(), cell as u32, symmetry) as usize] = coin;
        }
        image
    }
}

impl Numbering for Rules {
    fn space(&self, part: u64) -> Option<u64> {
        let Shape { coins, .. } = *self.shape();
        (part == 0).then(|| binomial(self.shape().cells(), coins))
    }

    fn place(&self, state: &Board) -> Option<Placement> {
        Some(Placement {
            part: 0,
            rank: naive::rank(mask(state)),
        })
    }

    fn unrank(&self, placement: Placement) -> Option<Board> {
        let shape = self.shape();
        let mask = naive::unrank(shape.cells(), shape.coins, placement.rank)?;
        (placement.part == 0).then(|| self.board(mask))
    }
}

impl RandomStates for Rules {
    fn random(&self, random: &mut Xorshift) -> Option<Board> {
        Some(self.board(sample::random_board(self.shape(), random)))
    }
}

impl Names for Rules {
    fn describe_move(&self, from: &Board, to: &Board) -> Option<String> {
        self.shape().move_name(mask(from), mask(to))
    }

    fn names(&self) -> Vec<String> {
        self.instance.names()
    }
}
