//! The fast twin, variant `bitboard`: a board is the set of its covered cells and, for each line,
//! the number of its content. The cells that a move of each content needs are listed in advance.

use std::sync::{Arc, OnceLock};

use puzzle_api::{
    Direction, Expand, Neighbours, Numbering, Placement, SolvedStates, Sweep, Swept, Want,
};

use crate::kept::Kept;
use crate::rush_hour::board::MOST_SIDE;
use crate::rush_hour::instances::{Instance, part_name};
use crate::rush_hour::moves::{LineMoves, line_moves};
use crate::rush_hour::numbering::{Numbers, PartRows, RankTable};
use crate::rush_hour::sweep::{Lines, Tables};
use crate::variant::{Play, Variant};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    key: u64,
    /// Cells with a wall or a piece.
    covered: u64,
    contents: [u8; 2 * MOST_SIDE],
}

/// Variant `bitboard`.
pub type Bits = Variant<Contents>;

/// An instance with the contents of its lines.
pub struct Contents {
    instance: Instance,
    moves: Vec<LineMoves>,
    numbers: Numbers,
    ranks: Kept<RankTable>,
    tables: OnceLock<Tables>,
}

impl Contents {
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

    fn table(&self, part: u64) -> Option<Arc<RankTable>> {
        let make = || RankTable::new(&self.numbers, &self.instance, part);
        self.numbers.numbered.then(|| self.ranks.of(part, make))?
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

impl Play for Contents {
    type Game = Instance;
    type State = Position;

    fn new(instance: Instance) -> Self {
        Self {
            moves: (0..instance.lines.len())
                .map(|line| line_moves(&instance, line))
                .collect(),
            numbers: Numbers::new(&instance),
            ranks: Kept::default(),
            tables: OnceLock::new(),
            instance,
        }
    }

    fn game(&self) -> &Instance {
        &self.instance
    }

    fn key(&self, state: &Position) -> u64 {
        state.key
    }

    fn state(&self, key: u64) -> Position {
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
}

impl Expand for Bits {
    /// Moves can be undone, so both directions are one.
    fn expand(&self, _: Want, keys: &[u64], _: &[u32], out: &mut Neighbours<u64>) {
        for &key in keys {
            self.for_each_move(&self.state(key), |_, _, key| out.keys.push(key));
            out.end();
        }
    }
}

impl SolvedStates for Bits {
    fn solved_states(&self, part: u64, emit: &mut dyn FnMut(Position)) {
        self.numbers
            .solved(&self.instance, part, &mut |key| emit(self.state(key)));
    }

    fn lists_solved_states(&self) -> bool {
        self.instance.numbered()
    }
}

impl Numbering for Bits {
    fn space(&self, part: u64) -> Option<u64> {
        Some(self.table(part)?.states())
    }

    fn place(&self, state: &Position) -> Option<Placement> {
        let part = self.numbers.part_of(&self.instance, state.key)?;
        let rank = self.table(part)?.rank(&self.numbers, &state.contents)?;
        Some(Placement { part, rank })
    }

    fn unrank(&self, placement: Placement) -> Option<Position> {
        let Placement { part, rank } = placement;
        let key = self.table(part)?.key(&self.numbers, &self.instance, rank)?;
        Some(self.state(key))
    }

    fn part_count(&self) -> u64 {
        self.numbers.part_count()
    }

    fn part_name(&self, part: u64) -> String {
        let rows = self.numbers.rows(&self.instance, part);
        let name = |rows: PartRows| part_name(self.instance.walls[rows.walls], &rows.sequences);
        rows.map_or_else(|| part.to_string(), name)
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
