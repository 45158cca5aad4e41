//! The literal rulebook, variant `reference`: a grid of cells and pegs that jump. The
//! article, first section. Slow on purpose; the oracle of every check.

use puzzle_api::{
    BadInput, Hint, Hints, Layered, LowerBound, NEVER, Names, Objective, Predecessors, Puzzle,
    RandomStates, Request, SolvedStates, Symmetry, Xorshift,
};

use std::sync::{Arc, Mutex, PoisonError};

use crate::board::{Board, DIRECTIONS};
use crate::bound;
use crate::instances::{self, Instance};
use crate::proof::Goal;

/// The content of a place of the grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Cell {
    Outside,
    Empty,
    Peg,
}

/// The places from which, over which and to which a peg jumps, before the jump and after it.
const BEFORE: [Cell; 3] = [Cell::Peg, Cell::Peg, Cell::Empty];
const AFTER: [Cell; 3] = [Cell::Empty, Cell::Empty, Cell::Peg];

/// The grid around a board, row by row from the top.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Position {
    width: usize,
    cells: Vec<Cell>,
    /// Every three places in a row, of a board by its lines.
    lines: Option<Arc<[[usize; 3]]>>,
}

impl Position {
    pub fn of_key(board: &Board, key: u64) -> Self {
        let width = board.width;
        let mut cells = vec![Cell::Outside; width * board.height];
        for (hole, &(row, column)) in board.holes.iter().enumerate() {
            let peg = key >> hole & 1 == 1;
            cells[row * width + column] = if peg { Cell::Peg } else { Cell::Empty };
        }
        let place = |hole: usize| board.holes[hole].0 * width + board.holes[hole].1;
        let lines = board.threes();
        let lines = lines.map(|threes| threes.iter().map(|three| three.map(place)).collect());
        Self {
            width,
            cells,
            lines,
        }
    }

    /// The holes next to a place: a step away, or next to it in a line.
    fn beside(&self, place: usize) -> Vec<usize> {
        let Some(lines) = &self.lines else {
            let near = DIRECTIONS.into_iter();
            let near = near.filter_map(|way| self.place(place, way, 1));
            return near.collect();
        };
        let mut beside = Vec::new();
        for &[a, middle, b] in &**lines {
            match place {
                _ if place == middle => beside.extend([a, b]),
                _ if place == a || place == b => beside.push(middle),
                _ => {}
            }
        }
        beside
    }

    /// The key of a position: bit n is set if hole n, in scanning order, has a peg.
    pub fn key(&self) -> u64 {
        // A number per place, not a choice: no processor can predict which holes have pegs.
        let mut hole = 0;
        self.cells.iter().fold(0, |key, &cell| {
            let peg = u64::from(cell == Cell::Peg) << (hole % u64::BITS);
            hole += u32::from(cell != Cell::Outside);
            key | peg
        })
    }

    /// The place `steps` steps away, if it is on the grid. On the screen y grows
    /// downwards.
    fn place(&self, place: usize, (dx, dy): (i32, i32), steps: i32) -> Option<usize> {
        let width = self.width as i32;
        let column = place as i32 % width + dx * steps;
        let row = place as i32 / width - dy * steps;
        let height = self.cells.len() as i32 / width;
        let inside = (0..width).contains(&column) && (0..height).contains(&row);
        inside.then(|| (row * width + column) as usize)
    }

    /// Every three places that a peg can jump along: from, over, to.
    fn ways(&self) -> Vec<[usize; 3]> {
        if let Some(lines) = &self.lines {
            let both = |&[a, over, b]: &[usize; 3]| [[a, over, b], [b, over, a]];
            return lines.iter().flat_map(both).collect();
        }
        let places = 0..self.cells.len();
        let ways = places.flat_map(|place| DIRECTIONS.map(|direction| (place, direction)));
        let three = |(from, direction)| {
            let over = self.place(from, direction, 1)?;
            Some([from, over, self.place(from, direction, 2)?])
        };
        ways.filter_map(three).collect()
    }

    /// The position with three places as they are after a jump, if they are as before it.
    fn changed(&self, way: [usize; 3], before: [Cell; 3], after: [Cell; 3]) -> Option<Self> {
        if way.map(|place| self.cells[place]) != before {
            return None;
        }
        let mut next = self.clone();
        for (place, cell) in way.into_iter().zip(after) {
            next.cells[place] = cell;
        }
        Some(next)
    }

    /// All positions after one jump of a peg over a peg into an empty hole.
    pub fn successors(&self) -> Vec<Self> {
        let jump = |way| self.changed(way, BEFORE, AFTER);
        self.ways().into_iter().filter_map(jump).collect()
    }

    pub fn predecessors(&self) -> Vec<Self> {
        let unjump = |way| self.changed(way, AFTER, BEFORE);
        self.ways().into_iter().filter_map(unjump).collect()
    }

    /// Estimates how far the position is from being solved. A peg counts the square of twice its
    /// distance from the middle, and 16 more if no neighbour has a peg; a possible jump subtracts
    /// 4. The article ("Move Ordering") defers jumps into corners; these terms, and how much each
    /// helps, were found by trial (see the README).
    pub fn order(&self) -> u64 {
        let pegs = (0..self.cells.len()).filter(|&place| self.cells[place] == Cell::Peg);
        let cost = |place: usize| {
            let near = self.beside(place).into_iter();
            let alone = near
                .map(|near| self.cells[near])
                .all(|cell| cell != Cell::Peg);
            let row = 2 * (place / self.width) as i64 - (self.cells.len() / self.width - 1) as i64;
            let column = 2 * (place % self.width) as i64 - (self.width - 1) as i64;
            row * row + column * column + if alone { 16 } else { 0 }
        };
        let sum: i64 = pegs.map(cost).sum();
        // Fewer than 256 jumps fit on a board, so this is never below zero.
        (sum + 4 * 256 - 4 * self.successors().len() as i64) as u64
    }

    pub fn complement(&self) -> Self {
        let exchange = |cell: &Cell| match cell {
            Cell::Outside => Cell::Outside,
            Cell::Empty => Cell::Peg,
            Cell::Peg => Cell::Empty,
        };
        Self {
            width: self.width,
            cells: self.cells.iter().map(exchange).collect(),
            lines: self.lines.clone(),
        }
    }

    /// The total weight of the pegs, with one weight per hole.
    pub fn weight(&self, weights: &[i16]) -> i16 {
        let holes = self.cells.iter().filter(|&&cell| cell != Cell::Outside);
        holes
            .zip(weights)
            .filter(|&(&cell, _)| cell == Cell::Peg)
            .map(|(_, weight)| weight)
            .sum()
    }

    pub fn pegs(&self) -> usize {
        self.cells.iter().filter(|&&cell| cell == Cell::Peg).count()
    }
}

/// Variant `reference`, opened on an instance.
#[derive(Debug)]
pub struct Rules {
    pub(crate) instance: Instance,
    /// By hole, its images under the symmetries; itself if there are fewer.
    images: Vec<[u64; MOST_SYMMETRIES]>,
    /// The last question whether a goal can be shown to be unreachable, and its answer. A request
    /// for a path asks it before its search, and a search again for each of its goals. On a board
    /// with one finish that is the same question, and its linear program would be solved twice.
    refuted: Mutex<Option<Refuted>>,
}

type Refuted = ((u64, Goal), Option<String>);

/// As many as a square has.
const MOST_SYMMETRIES: usize = 8;

impl Puzzle for Rules {
    type Key = u64;
    type State = Position;

    const VARIANT: &'static str = "reference";

    fn open(request: &Request<'_>) -> Result<Self, BadInput> {
        let instance = instances::open(request)?;
        let to = |hole: usize| {
            std::array::from_fn(|at| {
                let image = instance.symmetries.get(at);
                1 << image.map_or(hole, |image| image[hole])
            })
        };
        let images = (0..instance.board.len()).map(to).collect();
        Ok(Self {
            instance,
            images,
            refuted: Mutex::default(),
        })
    }

    fn starts(&self, emit: &mut dyn FnMut(Position)) {
        emit(self.state(self.instance.start));
    }

    fn successors(&self, state: &Position, emit: &mut dyn FnMut(Position)) {
        state.successors().into_iter().for_each(emit);
    }

    fn is_solved(&self, state: &Position) -> bool {
        state.pegs() == 1 && self.instance.is_solved(state.key())
    }

    fn key(&self, state: &Position) -> u64 {
        state.key()
    }

    fn state(&self, key: u64) -> Position {
        Position::of_key(&self.instance.board, key)
    }

    fn parse(&self, text: &str) -> Result<Position, BadInput> {
        Ok(self.state(self.instance.parse(text)?))
    }

    fn draw(&self, state: &Position) -> String {
        self.instance.board.draw(state.key())
    }

    fn refute(&self, from: &Position, to: Option<&Position>) -> Option<String> {
        let question = (from.key(), self.instance.goal(to.map(Position::key)));
        // Even a thread that panicked left a question with its answer.
        let last = || self.refuted.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((asked, answer)) = &*last()
            && *asked == question
        {
            return answer.clone();
        }
        let answer = self.instance.refute(question.0, question.1);
        *last() = Some((question, answer.clone()));
        answer
    }
}

impl SolvedStates for Rules {
    fn solved_states(&self, _part: u64, emit: &mut dyn FnMut(Position)) {
        let solved = self.instance.solved();
        solved.map(|key| self.state(key)).for_each(emit);
    }
}

impl Predecessors for Rules {
    fn predecessors(&self, state: &Position, emit: &mut dyn FnMut(Position)) {
        state.predecessors().into_iter().for_each(emit);
    }
}

impl Symmetry for Rules {
    fn symmetry_count(&self) -> u32 {
        self.instance.symmetries.len() as u32
    }

    fn image(&self, state: &Position, index: u32) -> Position {
        let image = &self.instance.symmetries[index as usize];
        let key = state.key();
        let pegs = image.iter().enumerate();
        self.state(pegs.fold(0, |moved, (hole, to)| moved | (key >> hole & 1) << to))
    }

    /// The image with the smallest key, like the fallback; but a position is built only for it, and
    /// not for each image.
    fn canonical(&self, state: &Position) -> Position {
        let (key, mut images) = (state.key(), [0; MOST_SYMMETRIES]);
        let mut pegs = key;
        while pegs != 0 {
            let moved = &self.images[pegs.trailing_zeros() as usize];
            images
                .iter_mut()
                .zip(moved)
                .for_each(|(image, peg)| *image |= peg);
            pegs &= pegs - 1;
        }
        self.state(images.into_iter().fold(key, u64::min))
    }
}

impl RandomStates for Rules {
    fn random(&self, random: &mut Xorshift) -> Option<Position> {
        Some(self.state(self.instance.random(random)))
    }
}

impl Names for Rules {
    fn describe_move(&self, from: &Position, to: &Position) -> Option<String> {
        self.instance.board.jump_name(from.key(), to.key())
    }

    fn names(&self) -> Vec<String> {
        self.instance.names()
    }
}

impl Hints for Rules {
    fn has_hint(&self, hint: Hint) -> bool {
        hint == Hint::MoveOrder
    }

    fn hint(&self, _: Hint, states: &[Position], out: &mut Vec<u64>) {
        out.extend(states.iter().map(Position::order));
    }
}

impl Objective for Rules {
    fn objective(&self, state: &Position) -> u64 {
        state.pegs() as u64
    }
}

impl LowerBound for Rules {
    fn lower_bound(&self, state: &Position) -> u64 {
        let too_light = bound::functions(&self.instance.board)
            .iter()
            .any(|weights| state.weight(weights) < bound::least(weights, &self.instance));
        match state.pegs() {
            0 => NEVER,
            _ if too_light => NEVER,
            pegs => pegs as u64 - 1,
        }
    }
}

/// Every jump removes one peg.
impl Layered for Rules {
    /// The complement: a jump undone is the same jump of the empty holes.
    fn time_reversal(&self) -> Option<fn(&Self, &Position) -> Position> {
        Some(|_, state| state.complement())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_answer_is_that_of_the_instance_however_often_it_is_asked() {
        for finish in ["any", "0:0"] {
            let rules = Rules::opened("english-33", &[("to", finish)]).unwrap();
            // A lone peg, the start, and a position that a proof excludes.
            let keys = [1 << 16, rules.instance.start, 0b111];
            let states = keys.map(|key| rules.state(key));
            let goals = || std::iter::once(None).chain(states.iter().map(Some));
            for (from, to) in states
                .iter()
                .flat_map(|from| goals().map(move |to| (from, to)))
            {
                let goal = rules.instance.goal(to.map(Position::key));
                let answer = rules.instance.refute(from.key(), goal);
                for _ in 0..2 {
                    assert_eq!(rules.refute(from, to), answer);
                }
            }
        }
    }
}
