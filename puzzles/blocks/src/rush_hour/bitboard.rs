//! The fast twin, variant `bitboard`: a board is the set of its covered cells and, for each line,
//! the number of its content. The cells that a move of each content needs are listed in advance.

use std::sync::OnceLock;

use puzzle_api::{
    BadInput, Direction, Expand, Names, Neighbours, Numbering, Placement, Puzzle, RandomStates,
    Request, SolvedStates, Sweep, Swept, Undirected, Want, Xorshift,
};

use crate::rules::Game;
use crate::rush_hour::board::MOST_SIDE;
use crate::rush_hour::instances::{self, Instance};
use crate::rush_hour::moves::{LineMoves, line_moves};
use crate::rush_hour::numbering::{Numbers, Ranks};
use crate::rush_hour::sample;
use crate::rush_hour::sweep::{Lines, Tables};

/// A board in the form of this variant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    key: u64,
    /// Cells with a wall or a piece.
    covered: u64,
    /// Content of each line.
    contents: [u8; 2 * MOST_SIDE],
}

/// Variant `bitboard`, opened on an instance.
pub struct Bits {
    instance: Instance,
    moves: Vec<LineMoves>,
    numbers: Numbers,
    ranks: Ranks,
    tables: OnceLock<Tables>,
}

impl Bits {
    fn position(&self, key: u64) -> Position {
        let walls = (key / self.instance.wall_weight) as usize;
        let mut covered = self.instance.walls[walls % self.instance.walls.len()];
        let mut rest = key % self.instance.wall_weight;
        let mut contents = [0; 2 * MOST_SIDE];
        for (line, (own, moves)) in contents.iter_mut().zip(&self.moves).enumerate() {
            let weight = self.instance.lines[line].weight;
            *own = (rest / weight) as u8;
            rest %= weight;
            covered |= moves.cells[usize::from(*own)];
        }
        Position {
            key,
            covered,
            contents,
        }
    }

    /// Line, new content and new key of every position after one move.
    #[inline]
    fn for_each_move(&self, from: &Position, mut emit: impl FnMut(usize, u8, u64)) {
        for (line, moves) in self.moves.iter().enumerate() {
            for step in moves.of(from.contents[line]) {
                if from.covered & step.needs == 0 {
                    emit(line, step.to, from.key.wrapping_add(step.adds));
                }
            }
        }
    }

    fn after(&self, from: &Position, line: usize, to: u8, key: u64) -> Position {
        let cells = &self.moves[line].cells;
        let own = usize::from(from.contents[line]);
        let mut after = *from;
        after.key = key;
        after.covered = from.covered & !cells[own] | cells[usize::from(to)];
        after.contents[line] = to;
        after
    }
}

impl Puzzle for Bits {
    type Key = u64;
    type State = Position;

    const VARIANT: &'static str = "bitboard";

    fn open(request: &Request<'_>) -> Result<Self, BadInput> {
        let instance = instances::open(request)?;
        Ok(Self {
            moves: (0..instance.lines.len())
                .map(|line| line_moves(&instance, line))
                .collect(),
            numbers: Numbers::new(&instance),
            ranks: Ranks::default(),
            tables: OnceLock::new(),
            instance,
        })
    }

    fn starts(&self, emit: &mut dyn FnMut(Position)) {
        let start = self.instance.start.as_ref();
        let key = start.and_then(|start| self.instance.key_of(start));
        key.map(|key| self.position(key)).into_iter().for_each(emit);
    }

    fn successors(&self, state: &Position, emit: &mut dyn FnMut(Position)) {
        self.for_each_move(state, |line, to, key| {
            emit(self.after(state, line, to, key))
        });
    }

    fn is_solved(&self, state: &Position) -> bool {
        let row = usize::from(self.instance.red_row);
        let content = self.instance.lines[row].contents[usize::from(state.contents[row])];
        content.cells >> (self.instance.width - 1) & 1 == 1
    }

    fn key(&self, state: &Position) -> u64 {
        state.key
    }

    fn state(&self, key: u64) -> Position {
        self.position(key)
    }

    fn parse(&self, text: &str) -> Result<Position, BadInput> {
        let board = self.instance.read(text)?;
        let key = self.instance.key_of(&board);
        key.map(|key| self.position(key))
            .ok_or_else(|| BadInput::new("the board is none of this instance"))
    }

    fn draw(&self, state: &Position) -> String {
        self.instance.board_of(state.key).draw()
    }
}

impl Expand for Bits {
    fn expand(&self, _: Want, keys: &[u64], _: &[u32], out: &mut Neighbours<u64>) {
        for &key in keys {
            self.for_each_move(&self.position(key), |_, _, key| out.keys.push(key));
            out.end();
        }
    }
}

impl SolvedStates for Bits {
    fn solved_states(&self, part: u64, emit: &mut dyn FnMut(Position)) {
        self.numbers
            .solved(&self.instance, part, &mut |key| emit(self.position(key)));
    }

    fn lists_solved_states(&self) -> bool {
        self.instance.numbered()
    }
}

impl Numbering for Bits {
    fn space(&self, part: u64) -> Option<u64> {
        let table = self.ranks.table(&self.numbers, &self.instance, part)?;
        Some(table.states())
    }

    fn place(&self, state: &Position) -> Option<Placement> {
        let part = self.numbers.part_of(&self.instance, state.key)?;
        let table = self.ranks.table(&self.numbers, &self.instance, part)?;
        let rank = table.rank(&self.numbers, &state.contents)?;
        Some(Placement { part, rank })
    }

    fn unrank(&self, placement: Placement) -> Option<Position> {
        let Placement { part, rank } = placement;
        let table = self.ranks.table(&self.numbers, &self.instance, part)?;
        let key = table.key(&self.numbers, &self.instance, rank)?;
        Some(self.position(key))
    }

    fn part_count(&self) -> u64 {
        self.numbers.part_count()
    }

    fn part_name(&self, part: u64) -> String {
        self.numbers.part_name(&self.instance, part)
    }
}

impl Sweep for Bits {
    /// If there are too many states to number, there is no backward search.
    fn sweeps(&self, way: Direction, from: Option<&Position>) -> Option<u64> {
        let own = way == Direction::Backward && from.is_none();
        (own && self.instance.numbered()).then_some(0)
    }

    fn sweep(
        &self,
        _: Direction,
        _: Option<&Position>,
        part: u64,
        _: &[Position],
        emit: &mut dyn FnMut(Swept<'_, u64>) -> bool,
    ) {
        let lines = Lines {
            instance: &self.instance,
            numbers: &self.numbers,
            moves: &self.moves,
        };
        let tables = self.tables.get_or_init(|| Tables::new(lines));
        tables.sweep(lines, part, emit);
    }
}

impl RandomStates for Bits {
    fn random(&self, random: &mut Xorshift) -> Option<Position> {
        let board = sample::random_board(&self.instance, random)?;
        self.instance.key_of(&board).map(|key| self.position(key))
    }
}

impl Names for Bits {
    fn describe_move(&self, from: &Position, to: &Position) -> Option<String> {
        let board = |position: &Position| self.instance.board_of(position.key);
        self.instance.describe_move(&board(from), &board(to))
    }
}

/// A piece can go back the way that it came.
impl Undirected for Bits {}
