//! The rulebook as tables: where turning the topmost pancakes over takes each place, and what
//! it makes of every pancake and side there.
//!
//! A turn carries every place by itself; nothing of the fast variant is used. It is for
//! checking every stack that a search found (`puzzle_api::proof`).

use puzzle_api::proof::{Field, FieldImages, RuleTables, agrees_by_moves};
use puzzle_api::{BadInput, Puzzle, RandomStates, Request, Xorshift};

use crate::rules::{Rules, turn};
use crate::stack::{self, MOST, Stack};

/// Stacks on which the tables are held against the rulebook.
const TRIED: u64 = 1000;
/// Bits of a pancake's size in a key.
const SIZE_BITS: u32 = 4;

/// The rulebook of an instance as tables.
pub struct TurnTables {
    stack: Stack,
    rules: Rules,
    moves: FieldImages,
    /// Bits of a key that a stack can have.
    used: u64,
    solved: u64,
}

impl std::fmt::Debug for TurnTables {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TurnTables")
            .field("stack", &self.stack)
            .field("moves", &self.moves)
            .finish_non_exhaustive()
    }
}

impl TurnTables {
    /// The tables of an instance, some milliseconds.
    ///
    /// # Errors
    /// [`BadInput`] as the variants say it.
    pub fn open(request: &Request<'_>) -> Result<Self, BadInput> {
        let (stack, rules) = (stack::open(request)?, Rules::open(request)?);
        let sorted = stack.sorted();
        // A plain pancake turned over alone is as it was, which is no move.
        let turns: Vec<usize> = (1..=stack.count)
            .filter(|&count| turn(&stack, &sorted, count) != sorted)
            .collect();
        let fields = fields(&stack);
        let moves = FieldImages::moves_by_the_rulebook(&fields, 0, |key| {
            let pancakes = rules.state(key);
            let after = |&count: &usize| rules.key(&turn(&stack, &pancakes, count));
            turns.iter().map(after).collect()
        });
        Ok(Self {
            moves,
            used: fields.iter().fold(0, |used, field| used | field.mask()),
            solved: rules.key(&sorted),
            stack,
            rules,
        })
    }

    /// Whether a key has each pancake once.
    fn is_stack(&self, key: u64) -> bool {
        let sizes = (0..self.stack.count).fold(0_u32, |sizes, place| {
            sizes | 1 << (key >> (SIZE_BITS as usize * place) & 15)
        });
        key & !self.used == 0 && sizes == (1 << self.stack.count) - 1
    }
}

/// Where the size of each pancake lies in a key, then, of burnt ones, its side.
fn fields(stack: &Stack) -> Vec<Field> {
    let size = |place: u32| Field {
        shift: SIZE_BITS * place,
        bits: SIZE_BITS,
        contents: stack.count as u64,
    };
    let side = |place: u32| Field::bit(SIZE_BITS * MOST as u32 + place);
    let (places, sides) = (
        stack.count as u32,
        if stack.burnt { stack.count } else { 0 },
    );
    // A pancake alone has no other size.
    let sizes = (0..places).map(size).filter(|field| field.contents > 1);
    sizes.chain((0..sides as u32).map(side)).collect()
}

impl RuleTables<u64> for TurnTables {
    fn foundation(&self) -> Result<String, String> {
        self.moves.take_places_to_places()?;
        agrees_by_moves(self, &self.rules, self.solved)?;
        for draw in 0..TRIED {
            let drawn = self.rules.random(&mut Xorshift::for_draw(1, draw));
            let drawn = drawn.ok_or("no stack was drawn")?;
            agrees_by_moves(self, &self.rules, self.rules.key(&drawn))?;
        }
        Ok(format!(
            "where a turn takes a place was taken from the rulebook for all pancakes and sides \
             there, each turn found to take places to places, and moves of a stack to be those of \
             its places on {TRIED} stacks"
        ))
    }

    fn undirected(&self) -> bool {
        self.moves.are_undone()
    }

    /// Stacks have no symmetries.
    fn symmetry_count(&self) -> usize {
        1
    }

    fn images(&self, keys: &[u64], out: &mut Vec<u64>) {
        let image = |&key: &u64| if self.is_stack(key) { key } else { !key };
        out.extend(keys.iter().map(image));
    }

    fn successors(&self, keys: &[u64], out: &mut Vec<u64>, ends: &mut Vec<usize>) {
        self.moves.successors(keys, out, ends);
    }

    fn is_solved(&self, key: u64) -> bool {
        key == self.solved
    }

    fn is_ranked(&self, part: u64, key: u64) -> bool {
        part == 0 && self.is_stack(key)
    }
}

#[cfg(test)]
mod tests;
