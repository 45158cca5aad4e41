//! The rulebook of a census as tables, to prove its parts (`puzzle_api::proof`): the place ahead of
//! each place of every shape, and which places of the goal piece are at the goal.
//!
//! The rulebook steps a piece if no other piece covers the place ahead, whatever else is on the
//! board ([`crate::rules::step`]); a move is made of steps of one piece. Nothing of the fast variant
//! is used.

mod counts;
mod places;

use std::sync::{Mutex, PoisonError};

use puzzle_api::proof::{CensusTables, TableProof, agrees_by_moves};
use puzzle_api::{BadInput, Numbering, Puzzle, Request};

use crate::simple_block::board::MOST_CELLS;
use crate::simple_block::instances::{self, Instance};
use crate::simple_block::rules::Rules;
use counts::Counts;
use places::{Cells, NONE, Place, Places};

/// Boards of a census from which on they are proven by tables: what is less is looked at on
/// the rulebook itself in less time than it takes to compare tables with it.
const MANY: u64 = 50_000;
/// A shape and a number of empty cells that make no part.
const NO_PART: u32 = u32::MAX;

/// The rulebook of an instance as tables.
pub struct PieceTables {
    instance: Instance,
    rules: Rules,
    places: Places,
    /// By shape of the goal piece and number of empty cells, the number of the part.
    parts: Vec<u32>,
    /// What each part is: shape of the goal piece, number of empty cells.
    kinds: Vec<(u16, usize)>,
    counts: Mutex<Counts>,
}

impl std::fmt::Debug for PieceTables {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PieceTables")
            .field("instance", &self.instance)
            .finish_non_exhaustive()
    }
}

/// The pieces of a board.
struct Position {
    empty: Cells,
    /// By their numbers, the first unused.
    pieces: [u16; MOST_CELLS],
}

/// The proof of the parts of a census by these tables, some tens of milliseconds; `None` for a
/// single board, and for a census of few boards.
///
/// # Errors
/// [`BadInput`] as the variants say it.
pub fn proof(request: &Request<'_>) -> Result<Option<TableProof<PieceTables>>, BadInput> {
    let instance = instances::open(request)?;
    // One piece and nearly as many as cells have few boards: to count those would take longer
    // than to look at them.
    let few = instance.pieces == 1 || instance.pieces + 2 >= instance.grid.cells();
    if instance.start.is_some() || few {
        return Ok(None);
    }
    let tables = PieceTables::open(request)?;
    Ok((tables.states() >= MANY).then(|| TableProof::new(tables)))
}

impl PieceTables {
    /// The tables of an instance, some tens of milliseconds.
    ///
    /// # Errors
    /// [`BadInput`] as the variants say it.
    pub fn open(request: &Request<'_>) -> Result<Self, BadInput> {
        let (instance, rules) = (instances::open(request)?, Rules::open(request)?);
        let places = Places::by_the_rulebook(&instance, &rules);
        let mut parts = vec![NO_PART; places.shapes.len() * (MOST_CELLS + 1)];
        let mut kinds = Vec::new();
        for part in 0..rules.part_count() {
            if let Some((goal, empty)) = rules.numbers.part_like(part)
                && let Some(shape) = places.shape(goal)
            {
                parts[usize::from(shape) * (MOST_CELLS + 1) + empty] = part as u32;
                kinds.push((shape, empty));
            }
        }
        Ok(Self {
            counts: Mutex::new(Counts::new(
                instance.grid.cells(),
                instance.pieces - 1,
                &places,
            )),
            instance,
            rules,
            places,
            parts,
            kinds,
        })
    }

    fn place(&self, number: u16) -> &Place {
        &self.places.all[usize::from(number)]
    }

    /// The pieces of a key; `None` if it is no board's.
    #[inline]
    fn read(&self, key: u64) -> Option<Position> {
        let (mut covered, mut rest) = ([0; MOST_CELLS], key);
        for cell in (0..self.instance.grid.cells()).rev() {
            covered[(rest & 15) as usize] |= 1 << cell;
            rest >>= 4;
        }
        let mut position = Position {
            empty: covered[0],
            pieces: [NONE; MOST_CELLS],
        };
        let (mut is_board, mut before) = (rest == 0 && position.empty != 0, (0, 0));
        for (number, &cells) in covered.iter().enumerate().skip(1) {
            if number > self.instance.pieces {
                is_board &= cells == 0;
                continue;
            }
            let piece = self.places.of[usize::from(cells)];
            if piece == NONE {
                return None;
            }
            position.pieces[number] = piece;
            let order = (self.place(piece).shape, 1 + cells.trailing_zeros());
            is_board &= number <= 2 || before < order;
            before = order;
        }
        (is_board && self.part_of(&position) != NO_PART).then_some(position)
    }

    #[inline]
    fn part_of(&self, position: &Position) -> u32 {
        let shape = self.place(position.pieces[1]).shape;
        let empty = position.empty.count_ones() as usize;
        self.parts[usize::from(shape) * (MOST_CELLS + 1) + empty]
    }

    /// The keys of the boards that one move leads to.
    fn for_each_move(&self, key: u64, position: &Position, emit: &mut impl FnMut(u64)) {
        let pieces = &position.pieces[..=self.instance.pieces];
        let mut first = 1;
        while first < pieces.len() {
            // Pieces of one shape have numbers side by side; the goal piece is like no other.
            let shape = self.place(pieces[first]).shape;
            let alike = |&&piece: &&u16| first > 1 && self.place(piece).shape == shape;
            let last = first + pieces[first + 1..].iter().take_while(alike).count();
            for number in first..=last {
                let (reached, count) = self.reached(pieces[number], position.empty);
                for &to in &reached[1..count] {
                    emit(self.moved(key, pieces, (first, last), (number, to)));
                }
            }
            first = last + 1;
        }
    }

    /// Where a piece can be after steps, its own place first, and how many places these are.
    #[inline]
    fn reached(&self, piece: u16, empty: Cells) -> ([u16; MOST_CELLS], usize) {
        let free = empty | self.place(piece).cells;
        let (mut reached, mut count, mut next) = ([NONE; MOST_CELLS], 1, 0);
        reached[0] = piece;
        while next < count {
            for to in self.place(reached[next]).steps {
                if to != NONE
                    && self.place(to).cells & !free == 0
                    && !reached[..count].contains(&to)
                {
                    reached[count] = to;
                    count += 1;
                }
            }
            next += 1;
        }
        (reached, count)
    }

    /// The key when one of the pieces of a shape is moved: those are numbered by their first
    /// cells.
    #[inline]
    fn moved(
        &self,
        key: u64,
        pieces: &[u16],
        (first, last): (usize, usize),
        (number, to): (usize, u16),
    ) -> u64 {
        let digits = |piece: u16, number: usize| self.place(piece).digits * number as u64;
        let begin = |piece: u16| self.place(piece).cells.trailing_zeros();
        let mut key = key - digits(pieces[number], number);
        let (mut own, moved) = (number, begin(to));
        while own > first && begin(pieces[own - 1]) > moved {
            own -= 1;
            key += digits(pieces[own], 1);
        }
        while own >= number && own < last && begin(pieces[own + 1]) < moved {
            own += 1;
            key -= digits(pieces[own], 1);
        }
        key + digits(to, own)
    }

    /// How many boards of n empty cells have their goal piece on a place.
    fn boards(&self, goal: &Place, empty: usize) -> u64 {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let open = self.places.board & !goal.cells;
        counts.ways(open, self.instance.pieces - 1, empty)
    }
}

impl CensusTables for PieceTables {
    fn foundation(&self) -> Result<String, String> {
        Ok(
            "the rulebook steps a piece if no other piece covers the place ahead, and the places \
             ahead of all places of all shapes were taken from it"
                .to_owned(),
        )
    }

    fn states(&self) -> u64 {
        let most = self.instance.grid.cells();
        let empty_of = |goal: &Place| {
            let row = usize::from(goal.shape) * (MOST_CELLS + 1);
            let parts = self.parts[row..=row + most].iter().enumerate();
            let own = parts.filter(|(_, part)| **part != NO_PART);
            own.map(|(empty, _)| self.boards(goal, empty)).sum::<u64>()
        };
        self.places.all.iter().map(empty_of).sum()
    }

    /// Counted by what each place of the goal piece leaves open.
    fn space(&self, part: u64) -> Option<u64> {
        let &(shape, empty) = self.kinds.get(usize::try_from(part).ok()?)?;
        let goals = self.places.all.iter().filter(|goal| goal.shape == shape);
        Some(goals.map(|goal| self.boards(goal, empty)).sum())
    }

    /// Boards have no symmetries.
    fn symmetry_count(&self) -> usize {
        1
    }

    fn images(&self, keys: &[u64], out: &mut Vec<u64>) {
        let image = |&key: &u64| if self.read(key).is_some() { key } else { !key };
        out.extend(keys.iter().map(image));
    }

    fn successor_orbits(&self, keys: &[u64], out: &mut Vec<u64>, ends: &mut Vec<usize>) {
        for &key in keys {
            if let Some(position) = self.read(key) {
                self.for_each_move(key, &position, &mut |next| out.push(next));
            }
            ends.push(out.len());
        }
    }

    fn is_solved(&self, key: u64) -> bool {
        let position = self.read(key);
        position.is_some_and(|position| self.place(position.pieces[1]).solved)
    }

    fn is_ranked(&self, part: u64, key: u64) -> bool {
        let position = self.read(key);
        position.is_some_and(|position| u64::from(self.part_of(&position)) == part)
    }

    fn holds(&self, key: u64) -> Result<(), String> {
        agrees_by_moves(self, &self.rules, key)
    }
}

#[cfg(test)]
mod tests;
