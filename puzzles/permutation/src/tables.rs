//! The rulebook as tables: where each move and each symmetry takes each place, and what it
//! makes of every piece and turn there.
//!
//! A move carries every place by itself; nothing of the fast variant is used. It is for
//! checking every state that a search found (`puzzle_api::proof`).

use puzzle_api::proof::{Field, FieldImages, RuleTables, agrees};
use puzzle_api::{BadInput, Puzzle, Request, SolvedStates, Symmetry, Xorshift};

use crate::definition::Part;
use crate::instances;
use crate::kept::{Kept, is_odd, those};
use crate::rules::Rules;
use crate::state::{Opened, bits};

/// States on which the tables are held against the rulebook.
const TRIED: u64 = 1000;

/// Most words of the tables of a place.
const MOST_WORDS: usize = 1 << 16;

/// A set in the key, and what no move changes in it.
#[derive(Debug)]
struct SetFields {
    fields: Vec<Field>,
    turns: u64,
    kept: Kept,
    solved: Part,
    /// By orbit: its pieces, ascending.
    pieces: Vec<Vec<u64>>,
    periods: Vec<u8>,
}

impl SetFields {
    /// Whether the set has its pieces, and what no move changes is as in the solved state: such
    /// states are numbered.
    fn fits(&self, key: u64) -> bool {
        let mut held = [(0_u64, 0_u64); 64];
        for (place, field) in self.fields.iter().enumerate() {
            let lies = key >> field.shift & (u64::MAX >> (u64::BITS - field.bits));
            let (piece, turn) = (lies / self.turns, lies % self.turns);
            let piece_stays = u64::from(self.solved.pieces[place]) == piece;
            let turn_stays = u64::from(self.solved.turns[place]) == turn;
            if lies >= field.contents
                || turn >= u64::from(self.periods[piece as usize])
                || !(self.kept.exchanged[place] || piece_stays)
                || !(self.kept.moved[place] || turn_stays)
            {
                return false;
            }
            held[place] = (piece, turn);
        }
        let orbits = self.kept.orbits.iter().zip(&self.pieces);
        orbits.into_iter().all(|(orbit, pieces)| {
            let mut own = [0; 64];
            let own = &mut own[..orbit.places.len()];
            let (mut sum, mut odd, mut turned) = (0, false, false);
            for (nth, &place) in orbit.places.iter().enumerate() {
                let (piece, turn) = held[place];
                odd ^= own[..nth].iter().filter(|&&other| other > piece).count() % 2 == 1;
                own[nth] = piece;
                sum += turn;
                turned |= turn != u64::from(self.solved.turns[place]);
            }
            own.sort_unstable();
            let solved = those(&self.solved.turns, &orbit.places);
            let right: u64 = solved.into_iter().map(u64::from).sum();
            let order = || is_odd(&those(&self.solved.pieces, &orbit.places));
            *own == **pieces
                && !(orbit.turns && turned)
                && (!orbit.sum || sum % self.turns == right % self.turns)
                && (!orbit.parity || odd == order())
        })
    }
}

/// The rulebook of an instance as tables.
#[derive(Debug)]
pub struct MoveTables {
    opened: Opened,
    rules: Rules,
    sets: Vec<SetFields>,
    moves: FieldImages,
    images: FieldImages,
    solved: u64,
}

impl MoveTables {
    /// The tables of an instance, some milliseconds; none where a key does not have every place
    /// by itself, or some moves cannot be made from some states, or where they would be large.
    ///
    /// # Errors
    /// [`BadInput`] as the variants say it.
    pub fn open(request: &Request<'_>) -> Result<Option<Self>, BadInput> {
        let (opened, rules) = (instances::open(request)?, Rules::open(request)?);
        let whole = opened.by_place && !opened.is_restricted();
        let bits: u32 = opened.definition.sets.iter().map(bits).max().unwrap_or(0);
        if !whole || opened.steps.len() << bits > MOST_WORDS {
            return Ok(None);
        }
        let sets = sets(&opened);
        let fields: Vec<Field> = sets.iter().flat_map(|set| set.fields.clone()).collect();
        let moves = FieldImages::moves_by_the_rulebook(&fields, 0, |key| {
            let mut after = Vec::new();
            rules.successors(&rules.state(key), &mut |next| after.push(rules.key(&next)));
            after
        });
        let images = FieldImages::by_the_rulebook(&fields, 0, |key| {
            let state = rules.state(key);
            let image = |index| rules.key(&rules.image(&state, index));
            (0..rules.symmetry_count()).map(image).collect()
        });
        let mut solved = 0;
        rules.solved_states(0, &mut |state| solved = rules.key(&state));
        Ok(Some(Self {
            opened,
            rules,
            sets,
            moves,
            images,
            solved,
        }))
    }
}

/// Where each set lies in a key.
fn sets(opened: &Opened) -> Vec<SetFields> {
    let mut shift = 0;
    let sets = opened.definition.sets.iter().zip(&opened.definition.solved);
    let sets = sets.zip(&opened.kept).zip(&opened.definition.periods);
    // One piece in one turn takes no bits.
    let sets = sets.filter(|(((set, _), _), _)| bits(set) > 0);
    sets.map(|(((set, solved), kept), periods)| {
        let bits = bits(set);
        let field = |place: u32| Field {
            shift: shift + place * bits,
            bits,
            contents: (set.count * set.turns) as u64,
        };
        let fields: Vec<Field> = (0..set.count as u32).map(field).collect();
        shift += bits * set.count as u32;
        let pieces = kept.orbits.iter().map(|orbit| {
            let mut pieces = those(&solved.pieces, &orbit.places);
            pieces.sort_unstable();
            pieces.into_iter().map(u64::from).collect()
        });
        SetFields {
            fields,
            turns: set.turns as u64,
            pieces: pieces.collect(),
            periods: periods.clone(),
            kept: kept.clone(),
            solved: solved.clone(),
        }
    })
    .collect()
}

impl RuleTables<u64> for MoveTables {
    fn foundation(&self) -> Result<String, String> {
        self.images.are_a_group()?;
        self.images.lead_from_moves_to_moves(&self.moves)?;
        agrees(self, &self.rules, self.solved)?;
        for draw in 0..TRIED {
            let drawn = self.opened.random(&mut Xorshift::for_draw(1, draw));
            let drawn = drawn.ok_or("no state can be drawn")?;
            agrees(self, &self.rules, self.rules.key(&drawn))?;
        }
        Ok(format!(
            "where a move takes a place was taken from the rulebook for all pieces and turns \
             there, each symmetry found to lead from moves to moves, and moves and images of a \
             state to be those of its places on {TRIED} states"
        ))
    }

    fn undirected(&self) -> bool {
        self.moves.are_undone()
    }

    fn symmetry_count(&self) -> usize {
        self.images.count()
    }

    fn images(&self, keys: &[u64], out: &mut Vec<u64>) {
        self.images.images(keys, out);
    }

    fn successors(&self, keys: &[u64], out: &mut Vec<u64>, ends: &mut Vec<usize>) {
        self.moves.successors(keys, out, ends);
    }

    fn is_solved(&self, key: u64) -> bool {
        key == self.solved
    }

    fn is_ranked(&self, part: u64, key: u64) -> bool {
        part == 0 && self.sets.iter().all(|set| set.fits(key))
    }
}

#[cfg(test)]
mod tests;
