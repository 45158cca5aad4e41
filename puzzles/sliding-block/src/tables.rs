//! The rulebook as tables: where each kind of piece may step from each place, asked for a piece
//! alone and beside every single cell that is taken, and where each place goes under each
//! symmetry.
//!
//! A piece steps where no cell that it would cover is taken, whatever else is on the board; a
//! move is made of steps of one piece. Nothing of the fast variant is used. It is for checking
//! every position that a search found (`puzzle_api::proof`).

mod halves;
mod images;
mod packed;
mod turns;

use puzzle_api::proof::{Forth, RuleTables, agrees, halves_agree};
use puzzle_api::{BadInput, Puzzle, Request, Xorshift};

use crate::board::{Board, Cell};
use crate::grid::DIRECTIONS;
use crate::instances;
use crate::metric::Metric;
use crate::rules::{self, Rules};
use packed::{MOST_KINDS, Packing, Position, bits};
use turns::Turned;

/// States from which on these tables pay: they are filled and held in the time that the rulebook
/// takes for one or two thousand.
pub const PAY_FROM: u64 = 2_000;

/// Positions of a walk on which the tables are held against the rulebook: few, because every run
/// holds 128 or more of its own, or all.
const TRIED: u64 = 60;
/// Moves from one to the next.
const APART: u64 = 9;

/// A kind of pieces, by its first cell among the open ones.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Kind {
    /// The cells that it covers; none where it does not fit.
    covers: Vec<u64>,
    /// Where a step in each direction leads on an empty board.
    steps: Vec<[Option<u8>; DIRECTIONS.len()]>,
    /// Where it has to stand.
    goal: Option<u32>,
    /// The cells that it comes to cover by a step: with none of them empty there is none.
    near: Vec<u64>,
}

/// The rulebook of an instance as tables.
#[derive(Debug)]
pub struct BlockTables {
    board: Board,
    metric: Metric,
    rules: Rules,
    /// Cells that are no wall.
    open: Vec<usize>,
    kinds: Vec<Kind>,
    packing: Packing,
    symmetries: Vec<Turned>,
    /// Which moves go forth, by kind and place.
    halves: Vec<Vec<halves::Halves>>,
}

impl BlockTables {
    /// The tables of an instance, some milliseconds; `None` for a board of more than 64 cells
    /// or more kinds of pieces than are handled.
    ///
    /// # Errors
    /// [`BadInput`] as the variants say it.
    pub fn open(request: &Request<'_>) -> Result<Option<Self>, BadInput> {
        let instances::Instance { board, metric } = instances::open(request)?;
        let rules = Rules::open(request)?;
        let open: Vec<usize> = board.grid.open_cells().collect();
        if open.len() > 64 || board.kinds.len() > MOST_KINDS {
            return Ok(None);
        }
        let kinds: Vec<Kind> = (0..board.kinds.len())
            .map(|kind| kind_by_the_rulebook(&board, &open, kind))
            .collect();
        let symmetries = turns::by_the_rulebook(&board, &rules, &open, &kinds);
        Ok(Some(Self {
            packing: Packing::new(&board, &open),
            halves: halves::by_places(&symmetries, &kinds),
            symmetries,
            board,
            metric,
            rules,
            open,
            kinds,
        }))
    }

    /// That a piece is stopped by a cell that is taken exactly where it would cover it, for
    /// every kind, place, direction and cell.
    fn are_stopped_by_what_they_cover(&self) -> Result<(), String> {
        for (number, kind) in self.kinds.iter().enumerate() {
            let piece = self.board.first_piece(number);
            for (at, steps) in kind
                .steps
                .iter()
                .enumerate()
                .filter(|(at, _)| kind.covers[*at] != 0)
            {
                let mut cells = alone(&self.board, &self.open, piece, kind.covers[at]);
                for ((direction, name), &step) in DIRECTIONS.iter().zip(steps) {
                    for (taken, &cell) in self.open.iter().enumerate() {
                        if kind.covers[at] >> taken & 1 == 1 {
                            continue;
                        }
                        cells[cell] = Cell::Piece(piece ^ 1);
                        let by_rules = rules::step(&self.board, &cells, piece, *direction);
                        cells[cell] = Cell::Empty;
                        let free = |to: u8| kind.covers[usize::from(to)] >> taken & 1 == 0;
                        if by_rules.is_some() != step.is_some_and(free) {
                            let board = self.board.grid.cell_name(cell);
                            return Err(format!("{board}: does not stop a step {name} as it does"));
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether every step can be stepped back.
    fn step_back(&self) -> bool {
        let back = |direction: usize| {
            let ((down, right), _) = DIRECTIONS[direction];
            let opposite = |other: &((i32, i32), &str)| other.0 == (-down, -right);
            DIRECTIONS.iter().position(opposite)
        };
        self.kinds.iter().all(|kind| {
            kind.steps.iter().enumerate().all(|(at, steps)| {
                steps.iter().enumerate().all(|(direction, step)| {
                    step.is_none_or(|to| {
                        let back =
                            back(direction).and_then(|back| kind.steps[usize::from(to)][back]);
                        back.map(usize::from) == Some(at)
                    })
                })
            })
        })
    }

    /// The places that one move takes a piece to, as a mask.
    fn reached(&self, kind: &Kind, at: u32, others: u64) -> u64 {
        let step = |at: u32, direction: usize| {
            let to = u32::from(kind.steps[at as usize][direction]?);
            (kind.covers[to as usize] & others == 0).then_some(to)
        };
        let mut reached = 0;
        match self.metric {
            Metric::Step => {
                for direction in 0..DIRECTIONS.len() {
                    reached |= step(at, direction).map_or(0, |to| 1 << to);
                }
            }
            Metric::Line => {
                for direction in 0..DIRECTIONS.len() {
                    let mut ahead = step(at, direction);
                    while let Some(to) = ahead {
                        reached |= 1 << to;
                        ahead = step(to, direction);
                    }
                }
            }
            Metric::Piece => {
                let mut waiting: u64 = 1 << at;
                while waiting != 0 {
                    let from = waiting.trailing_zeros();
                    waiting &= waiting - 1;
                    for direction in 0..DIRECTIONS.len() {
                        if let Some(to) = step(from, direction)
                            && reached >> to & 1 == 0
                        {
                            reached |= 1 << to;
                            waiting |= 1 << to;
                        }
                    }
                }
                // Going round and coming back is no move.
                reached &= !(1 << at);
            }
        }
        reached
    }

    /// The moves of a position: kind of the piece, from where, where to.
    fn moves(&self, position: &Position, mut each: impl FnMut(usize, u32, u32)) {
        self.moves_together(position, |number, at, reached| {
            for to in bits(reached) {
                each(number, at, to);
            }
        });
    }

    /// The moves of a position: kind of the piece, from where, and all places where to.
    #[inline]
    fn moves_together(&self, position: &Position, mut each: impl FnMut(usize, u32, u64)) {
        for (number, kind) in self.kinds.iter().enumerate() {
            for at in bits(position.anchors[number]) {
                // A piece without an empty cell beside it stays.
                if kind.near[at as usize] & position.empty == 0 {
                    continue;
                }
                let own = kind.covers[at as usize];
                let others = self.packing.full() & !position.empty & !own;
                each(number, at, self.reached(kind, at, others));
            }
        }
    }

    /// The position after a move.
    fn after(&self, position: &Position, number: usize, at: u32, to: u32) -> Position {
        let covers = &self.kinds[number].covers;
        let mut after = *position;
        after.anchors[number] ^= 1 << at | 1 << to;
        after.empty = (position.empty | covers[at as usize]) & !covers[to as usize];
        after
    }

    /// That moves and images are those of the rulebook on positions of a walk.
    fn agree_on_a_walk(&self) -> Result<(), String> {
        let mut random = Xorshift::for_draw(1, 0);
        let start = self.rules.key(&self.board.start);
        let mut position = self.position(start).ok_or("the start is no position")?;
        let mut moves = Vec::new();
        for walked in 0..TRIED * APART {
            if walked % APART == 0 {
                let key = self.packing.pack(&position);
                agrees(self, &self.rules, key)?;
                halves_agree(self, &[key]).map_err(|(_, what)| {
                    format!("{}: {what}", self.rules.draw(&self.rules.state(key)))
                })?;
            }
            moves.clear();
            self.moves(&position, |number, at, to| moves.push((number, at, to)));
            if moves.is_empty() {
                break;
            }
            let (number, at, to) = moves[random.below(moves.len() as u64) as usize];
            position = self.after(&position, number, at, to);
        }
        Ok(())
    }

    fn is_goal(&self, position: &Position) -> bool {
        let mut each = self.kinds.iter().zip(position.anchors);
        each.all(|(kind, anchors)| kind.goal.is_none_or(|goal| anchors == 1 << goal))
    }

    fn position(&self, key: u128) -> Option<Position> {
        self.packing
            .unpack(key, |kind, cell| self.kinds[kind].covers[cell])
    }
}

/// The board with one piece.
fn alone(board: &Board, open: &[usize], piece: u8, covers: u64) -> Vec<Cell> {
    let mut cells = board.bare();
    bits(covers).for_each(|at| cells[open[at as usize]] = Cell::Piece(piece));
    cells
}

/// Where a kind fits, and steps by the rulebook with nothing else on the board.
fn kind_by_the_rulebook(board: &Board, open: &[usize], kind: usize) -> Kind {
    let piece = board.first_piece(kind);
    let number = |cell: usize| open.binary_search(&cell).ok();
    let covers = |&cell: &usize| {
        let cells = board.covered(kind, cell);
        let numbers = cells.into_iter().flatten().filter_map(number);
        numbers.fold(0_u64, |mask, at| mask | 1 << at)
    };
    let covers: Vec<u64> = open.iter().map(covers).collect();
    let step = |covers: u64, direction: (i32, i32)| {
        let cells = (covers != 0).then(|| alone(board, open, piece, covers))?;
        let after = rules::step(board, &cells, piece, direction)?;
        let first = after.iter().position(|&cell| cell == Cell::Piece(piece))?;
        number(first).map(|at| at as u8)
    };
    let steps = covers
        .iter()
        .map(|&covers| DIRECTIONS.map(|(direction, _)| step(covers, direction)));
    let goal = board.kinds[kind].goal.and_then(number);
    let mut kind = Kind {
        steps: steps.collect(),
        near: vec![0; covers.len()],
        covers,
        goal: goal.map(|at| at as u32),
    };
    for at in 0..kind.covers.len() {
        let to = kind.steps[at].iter().flatten();
        let covered = to.fold(0, |all, &to| all | kind.covers[usize::from(to)]);
        kind.near[at] = covered & !kind.covers[at];
    }
    kind
}

impl RuleTables<u128> for BlockTables {
    fn foundation(&self) -> Result<String, String> {
        turns::are_a_group(&self.symmetries)?;
        turns::lead_from_steps_to_steps(&self.symmetries, &self.kinds)?;
        self.are_stopped_by_what_they_cover()?;
        self.agree_on_a_walk()?;
        Ok(format!(
            "where a piece steps was taken from the rulebook for all pieces and places and all \
             single cells that stop them, each symmetry found to lead from steps to steps, and \
             moves and images of a position to be those of its pieces on {TRIED} positions of a \
             walk"
        ))
    }

    fn undirected(&self) -> bool {
        self.step_back()
    }

    fn symmetry_count(&self) -> usize {
        self.symmetries.len()
    }

    /// As [`RuleTables::images`], with the identity alone.
    fn first_images(&self, keys: &[u128], out: &mut Vec<u128>) {
        let first = |&key: &u128| match self.position(key) {
            None => !key,
            Some(position) => self.image(&position, &self.symmetries[0]),
        };
        out.extend(keys.iter().map(first));
    }

    fn images(&self, keys: &[u128], out: &mut Vec<u128>) {
        for &key in keys {
            let position = self.position(key);
            let image = |symmetry: &Turned| match &position {
                None => !key,
                Some(position) => self.image(position, symmetry),
            };
            out.extend(self.symmetries.iter().map(image));
        }
    }

    fn successor_orbits(
        &self,
        keys: &[u128],
        out: &mut Vec<u128>,
        ends: &mut Vec<usize>,
        images: &mut Vec<u128>,
    ) {
        if self.packing.is_narrow() {
            return self.least(keys, out, ends);
        }
        let from = out.len();
        self.successors(keys, out, ends);
        self.reduce(&mut out[from..], images);
    }

    fn successors(&self, keys: &[u128], out: &mut Vec<u128>, ends: &mut Vec<usize>) {
        for &key in keys {
            let position = self.position(key).unwrap_or_default();
            match self.packing.is_narrow() {
                true => {
                    let identity = &self.symmetries[0];
                    let mut laid = self.laid(&position, identity);
                    self.moves(&position, |number, at, to| {
                        out.push(self.moved(&mut laid, identity, number, [at, to]));
                    });
                }
                false => self.moves(&position, |number, at, to| {
                    let after = self.after(&position, number, at, to);
                    out.push(self.packing.pack(&after));
                }),
            }
            ends.push(out.len());
        }
    }

    fn forth(&self, keys: &[u128], by_orbits: bool, out: &mut Forth<u128>) -> bool {
        let symmetries = match by_orbits {
            true => &self.symmetries[..],
            false => &self.symmetries[..1],
        };
        let mut laid = Vec::with_capacity(symmetries.len());
        for &key in keys {
            self.forth_by(symmetries, key, &mut laid, out);
        }
        true
    }

    fn is_solved(&self, key: u128) -> bool {
        self.position(key)
            .is_some_and(|position| self.is_goal(&position))
    }

    /// No positions have ranks.
    fn is_ranked(&self, _part: u64, _key: u128) -> bool {
        false
    }
}

#[cfg(test)]
mod tests;
