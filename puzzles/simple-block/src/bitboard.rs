//! The fast twin, variant `bitboard`: a board is its key, and a piece is taken out of it as
//! bits of a word that steps by shifts.

mod numbering;

use std::sync::Arc;

use puzzle_api::{
    BadInput, Direction, MoveNames, NeighbourKeys, Numbering, Parts, Placement, Puzzle, Request,
    SolvedStates, Undirected,
};

use crate::board::{Board, MOST_CELLS};
use crate::instances::{self, Instance};
use numbering::Numbers;

/// Cells of a board, the first cell the lowest bit.
pub(crate) type Cells = u16;

/// A board as shifts and masks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Field {
    pub columns: u32,
    pub cells: u32,
    /// All cells.
    pub all: Cells,
    /// Cells of the first column, of the last one, of the first row and of the last one.
    left: Cells,
    right: Cells,
    top: Cells,
    bottom: Cells,
}

impl Field {
    fn new(rows: usize, columns: usize) -> Self {
        let cells = rows * columns;
        let column = |at: usize| (0..rows).fold(0, |mask, row| mask | 1 << (row * columns + at));
        let all = Cells::MAX >> (MOST_CELLS - cells);
        let top = all >> (cells - columns);
        Self {
            columns: columns as u32,
            cells: cells as u32,
            all,
            left: column(0),
            right: column(columns - 1),
            top,
            bottom: top << (cells - columns),
        }
    }

    /// A piece after a step up, left, right and down; no cells beyond an edge.
    #[inline]
    fn steps(&self, piece: Cells) -> [Cells; 4] {
        let unless = |edge: Cells, moved: Cells| if piece & edge == 0 { moved } else { 0 };
        [
            unless(self.top, piece >> self.columns),
            unless(self.left, piece >> 1),
            unless(self.right, piece << 1),
            unless(self.bottom, piece << self.columns),
        ]
    }

    /// Cells pushed into the upper left corner.
    #[inline]
    pub fn pushed(&self, mut piece: Cells) -> Cells {
        while piece & self.top == 0 {
            piece >>= self.columns;
        }
        while piece & self.left == 0 {
            piece >>= 1;
        }
        piece
    }

    /// Cells pushed into the lower right corner.
    fn pushed_down(&self, mut piece: Cells) -> Cells {
        while piece & self.bottom == 0 {
            piece <<= self.columns;
        }
        while piece & self.right == 0 {
            piece <<= 1;
        }
        piece
    }

    /// What pieces are ordered by: the greater first.
    #[inline]
    pub fn order(&self, piece: Cells) -> Cells {
        self.pushed(piece).reverse_bits()
    }

    /// Whether cells hang together.
    fn connected(&self, cells: Cells) -> bool {
        let mut reached = cells & cells.wrapping_neg();
        loop {
            let beside = (reached & !self.right) << 1
                | (reached & !self.left) >> 1
                | (reached & !self.bottom) << self.columns
                | reached >> self.columns;
            let further = (reached | beside) & cells;
            if further == reached {
                return reached == cells;
            }
            reached = further;
        }
    }

    /// A digit 1 of a key for each cell.
    #[inline]
    fn digits(&self, cells: Cells) -> u64 {
        let mut key = 0;
        let mut rest = cells;
        while rest != 0 {
            key |= 1 << (4 * (self.cells - 1 - rest.trailing_zeros()));
            rest &= rest - 1;
        }
        key
    }

    /// The pieces of a key, each where its number says; the first are the empty cells.
    #[inline]
    fn pieces(&self, key: u64) -> [Cells; MOST_CELLS] {
        let mut pieces = [0; MOST_CELLS];
        for cell in 0..self.cells {
            let piece = key >> (4 * (self.cells - 1 - cell)) & 15;
            pieces[piece as usize] |= 1 << cell;
        }
        pieces
    }

    /// The key of a goal piece and others in any order.
    pub fn key(&self, goal: Cells, others: &mut [Cells]) -> u64 {
        // Of one shape, the piece with the lower first cell comes first.
        others.sort_unstable_by_key(|&piece| (!self.order(piece), piece.trailing_zeros()));
        let numbered = (2..).zip(others);
        numbered.fold(self.digits(goal), |key, (number, &mut piece)| {
            key | self.digits(piece) * number
        })
    }
}

/// Variant `bitboard`, opened on an instance.
pub struct Bits {
    instance: Instance,
    field: Field,
    numbers: Numbers,
}

impl Bits {
    /// Keys of the boards that one move leads to.
    #[inline]
    pub fn each_successor(&self, key: u64, mut emit: impl FnMut(u64)) {
        let field = &self.field;
        let pieces = field.pieces(key);
        let last = self.instance.pieces;
        let mut orders = [0; MOST_CELLS + 1];
        for number in 2..=last {
            orders[number] = field.order(pieces[number]);
        }
        // The goal piece is of no shape that others have.
        orders[1] = 0;
        let mut first = 1;
        while first <= last {
            // Pieces of one shape stand side by side in the numbers.
            let mut end = first + 1;
            while end <= last && orders[end] == orders[first] && first > 1 {
                end += 1;
            }
            let group = &pieces[first..end];
            let covered = group.iter().fold(0, |covered, piece| covered | piece);
            let others = key & !(field.digits(covered) * 15);
            for (at, &piece) in group.iter().enumerate() {
                let free = pieces[0] | piece;
                let mut reached = [0; MOST_CELLS];
                reached[0] = piece;
                let (mut next, mut count) = (0, 1);
                while next < count {
                    for moved in field.steps(reached[next]) {
                        if moved != 0 && moved & !free == 0 && !reached[..count].contains(&moved) {
                            reached[count] = moved;
                            count += 1;
                        }
                    }
                    next += 1;
                }
                for &moved in &reached[1..count] {
                    let mut after = others;
                    // Where the moved piece comes to stand among those of its shape.
                    let before = |&&other: &&Cells| other.trailing_zeros() < moved.trailing_zeros();
                    let mut number = first;
                    let rest = group.iter().enumerate().filter(|&(other, _)| other != at);
                    let mut placed = false;
                    for (_, other) in rest {
                        if !placed && !before(&other) {
                            after |= field.digits(moved) * number as u64;
                            number += 1;
                            placed = true;
                        }
                        after |= field.digits(*other) * number as u64;
                        number += 1;
                    }
                    if !placed {
                        after |= field.digits(moved) * number as u64;
                    }
                    emit(after);
                }
            }
            first = end;
        }
    }

    /// Every board of a part as its key.
    fn each(&self, part: u64, solved: bool, emit: &mut dyn FnMut(u64)) {
        self.numbers.each(&self.field, part, solved, emit);
    }

    /// The keys of a part, ascending.
    pub(crate) fn keys(&self, part: u64) -> Option<Arc<Vec<u64>>> {
        self.numbers.table(&self.field, part)
    }

    /// The goal piece of a key.
    fn goal(&self, key: u64) -> Cells {
        self.field.pieces(key)[1]
    }

    /// Whether the goal piece touches the left edge and the upper one.
    #[must_use]
    pub fn touches_first(&self, key: u64) -> bool {
        let goal = self.goal(key);
        goal & self.field.top != 0 && goal & self.field.left != 0
    }

    /// Whether the goal piece covers the cell in the upper left corner.
    #[must_use]
    pub fn covers_first(&self, key: u64) -> bool {
        self.goal(key) & 1 == 1
    }
}

impl Puzzle for Bits {
    type Key = u64;
    type State = u64;

    const VARIANT: &'static str = "bitboard";

    fn open(request: &Request<'_>) -> Result<Self, BadInput> {
        let instance = instances::open(request)?;
        let field = Field::new(instance.grid.rows, instance.grid.columns);
        Ok(Self {
            numbers: Numbers::new(&instance, &field),
            field,
            instance,
        })
    }

    fn starts(&self, emit: &mut dyn FnMut(u64)) {
        let start = self.instance.start.as_ref();
        start.map(Board::key).into_iter().for_each(emit);
    }

    #[inline]
    fn successors(&self, state: &u64, emit: &mut dyn FnMut(u64)) {
        self.each_successor(*state, emit);
    }

    /// Of the goal pieces that goal `corner` admits, those that touch both edges cover the corner.
    fn is_solved(&self, state: &u64) -> bool {
        let goal = self.goal(*state);
        goal & self.field.right != 0 && goal & self.field.bottom != 0
    }

    #[inline]
    fn key(&self, state: &u64) -> u64 {
        *state
    }

    #[inline]
    fn state(&self, key: u64) -> u64 {
        key
    }

    fn parse(&self, text: &str) -> Result<u64, BadInput> {
        self.instance.parse(text).map(|board| board.key())
    }

    fn draw(&self, state: &u64) -> String {
        Board::of_key(self.instance.grid, *state).draw()
    }
}

impl NeighbourKeys for Bits {
    /// Moves can be undone, so both directions are one.
    fn neighbour_keys(
        &self,
        _direction: Direction,
        keys: &[u64],
        out: &mut Vec<u64>,
        ends: &mut Vec<usize>,
    ) {
        for &key in keys {
            self.each_successor(key, |next| out.push(next));
            ends.push(out.len());
        }
    }
}

impl SolvedStates for Bits {
    fn solved_states(&self, part: u64, emit: &mut dyn FnMut(u64)) {
        self.each(part, true, emit);
    }

    fn lists_solved_states(&self) -> bool {
        self.instance.start.is_none()
    }
}

impl Numbering for Bits {
    fn space(&self, part: u64) -> Option<u64> {
        let keys = self.numbers.table(&self.field, part)?;
        Some(keys.len() as u64)
    }

    fn place(&self, state: &u64) -> Option<Placement> {
        let pieces = self.field.pieces(*state);
        let part = self.numbers.part_of(&self.field, pieces[1], pieces[0])?;
        let keys = self.numbers.table(&self.field, part)?;
        let rank = keys.binary_search(state).ok()? as u64;
        Some(Placement { part, rank })
    }

    fn unrank(&self, placement: Placement) -> Option<u64> {
        let keys = self.numbers.table(&self.field, placement.part)?;
        keys.get(usize::try_from(placement.rank).ok()?).copied()
    }
}

impl Parts for Bits {
    fn part_count(&self) -> u64 {
        self.numbers.part_count()
    }

    fn part_name(&self, part: u64) -> String {
        self.numbers.part_name(&self.field, part)
    }
}

impl MoveNames for Bits {
    fn describe_move(&self, from: &u64, to: &u64) -> Option<String> {
        let board = |key: u64| Board::of_key(self.instance.grid, key);
        board(*from).describe_move(&board(*to))
    }
}

/// A piece can go back the way it came.
impl Undirected for Bits {}
