//! The fast twin of the rulebook, variant `bitboard`. A state is its key; tables give the place to
//! which a move takes each of its places. Other tables lead from rank to rank without a state.

mod coordinates;
mod field;
mod rows;

use std::sync::OnceLock;

use puzzle_api::{
    BadInput, Direction, Fast, Neighbours, Numbering, Placement, Puzzle, Symmetry, Undirected, Want,
};

use crate::rules::Rules;
use coordinates::Coordinates;
use field::{Field, fields};
use rows::Rows;

/// Variant `bitboard`, opened on an instance.
pub struct Bits {
    rules: Rules,
    /// Keys of the solved states.
    goals: Vec<u64>,
    /// For a key that has every place separately; else empty.
    fields: Vec<Field>,
    /// `None` if tables would be too large, or a key is a number.
    rows: Option<Rows>,
    images: Option<Rows>,
    /// Numbered states; `None` for too many, or if some numbers are no states.
    size: Option<u64>,
    /// Built when ranks are requested; `None` if the tables would be too large.
    coordinates: OnceLock<Option<Coordinates>>,
}

impl Bits {
    fn coordinates(&self) -> Option<&Coordinates> {
        let made = self.coordinates.get_or_init(|| Coordinates::new(self));
        made.as_ref()
    }

    /// Whether no piece is at a forbidden place.
    fn is_legal(&self, key: u64) -> bool {
        let mut illegal = self.rules.opened.definition.illegal.iter();
        !illegal.any(|one| {
            let (piece, _) = self.fields[one.set].at(key, one.place);
            one.pieces.contains(&piece)
        })
    }

    /// Appends the keys after one move each.
    fn extend(&self, key: u64, out: &mut Vec<u64>) {
        let start = out.len();
        if let Some(rows) = &self.rows {
            rows.extend(key, out);
            if !self.rules.opened.definition.illegal.is_empty() {
                let mut kept = start;
                for at in start..out.len() {
                    let next = out[at];
                    if self.is_legal(next) {
                        out[kept] = next;
                        kept += 1;
                    }
                }
                out.truncate(kept);
            }
            return;
        }
        let numbered = !self.rules.opened.by_place && !self.rules.opened.is_restricted();
        if let Some(coordinates) = numbered.then(|| self.coordinates()).flatten() {
            coordinates.around([key].into_iter(), out, |_| {});
            return;
        }
        let state = self.rules.state(key);
        let steps = self.rules.opened.steps.iter();
        out.extend(
            steps.filter_map(|step| Some(self.rules.key(&self.rules.opened.moved(&state, step)?))),
        );
    }
}

impl Fast for Bits {
    type Rules = Rules;

    fn new(rules: Rules) -> Result<Self, BadInput> {
        let opened = &rules.opened;
        let fields = fields(opened);
        let pay = |count| opened.by_place && Rows::pay(&fields, count);
        let joined = !opened.definition.blocks.is_empty();
        let goals = opened.goals.iter().map(|goal| rules.key(goal));
        Ok(Self {
            goals: goals.collect(),
            size: opened.space(),
            rows: (!joined && pay(opened.steps.len()))
                .then(|| Rows::of_moves(&fields, &opened.steps)),
            images: pay(opened.rotations.len()).then(|| Rows::of_rotations(&fields, opened)),
            coordinates: OnceLock::new(),
            fields,
            rules,
        })
    }

    fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Moves can be undone, so both directions are one.
    #[inline]
    fn each_neighbour(&self, _: Direction, key: u64, mut emit: impl FnMut(u64)) {
        match &self.rows {
            Some(rows) if self.rules.opened.definition.illegal.is_empty() => {
                rows.each(key, &mut emit);
            }
            _ => {
                let mut all = Vec::new();
                self.extend(key, &mut all);
                all.into_iter().for_each(emit);
            }
        }
    }

    fn solves(&self, key: u64) -> bool {
        self.goals.contains(&key)
    }

    fn list(&self, _: Want, keys: &[u64], out: &mut Neighbours<u64>) {
        for &key in keys {
            self.extend(key, &mut out.keys);
            out.end();
        }
    }
}

/// A move can also be made backward, as one move.
impl Undirected for Bits {}

impl Symmetry for Bits {
    fn symmetry_count(&self) -> u32 {
        self.rules.opened.rotations.len() as u32
    }

    fn image(&self, state: &u64, index: u32) -> u64 {
        match &self.images {
            Some(images) => images.word(*state, index as usize),
            None => self.rules.key(
                &self
                    .rules
                    .opened
                    .image(&self.rules.state(*state), index as usize),
            ),
        }
    }

    #[inline]
    fn canonical(&self, state: &u64) -> u64 {
        self.canonical_and_size(state).0
    }

    fn orbit_size(&self, state: &u64) -> u32 {
        self.canonical_and_size(state).1
    }

    /// Every image occurs as often as the state does.
    #[inline]
    fn canonical_and_size(&self, state: &u64) -> (u64, u32) {
        let (least, same) = match &self.images {
            Some(images) => images.least(*state),
            None => {
                let images = (0..self.symmetry_count()).map(|index| self.image(state, index));
                images.fold((u64::MAX, 0), |(least, same), image| {
                    (least.min(image), same + u32::from(image == *state))
                })
            }
        };
        (least, self.symmetry_count() / same.max(1))
    }

    fn canonical_all(&self, states: &mut [u64], orbit_sizes: Option<&mut [u32]>) {
        let mut unasked = Vec::new();
        let sizes = orbit_sizes.unwrap_or_else(|| {
            unasked.resize(states.len(), 0);
            &mut unasked
        });
        let Some(images) = &self.images else {
            for (state, size) in states.iter_mut().zip(sizes) {
                (*state, *size) = self.canonical_and_size(state);
            }
            return;
        };
        images.least_of_each(states, sizes);
        for size in sizes {
            *size = self.symmetry_count() / (*size).max(1);
        }
    }
}

impl Numbering for Bits {
    fn space(&self, part: u64) -> Option<u64> {
        self.size.filter(|_| part == 0)
    }

    fn place(&self, state: &u64) -> Option<Placement> {
        self.size?;
        let rank = match self.rules.opened.by_place {
            true => {
                let numbers = &self.rules.opened.numbers;
                numbers.rank(|set, place| self.fields[set].at(*state, place))
            }
            false => *state,
        };
        Some(Placement { part: 0, rank })
    }

    fn unrank(&self, placement: Placement) -> Option<u64> {
        let rank = placement.rank;
        if rank >= self.space(placement.part)? {
            return None;
        }
        if !self.rules.opened.by_place {
            return Some(rank);
        }
        match self.coordinates() {
            Some(coordinates) => Some(coordinates.key(rank)),
            None => Some(self.rules.key(&self.rules.opened.unrank(rank))),
        }
    }

    /// Moves can be undone, so both directions are one.
    fn neighbour_ranks(
        &self,
        _: Direction,
        part: u64,
        ranks: &[u64],
        keys: Option<&mut Vec<u64>>,
        out: &mut Vec<u64>,
    ) -> bool {
        let mut unasked = Vec::new();
        let keys = keys.unwrap_or(&mut unasked);
        let size = self.space(part).unwrap_or(0);
        let known = ranks.iter().copied().filter(|&rank| rank < size);
        if let Some(coordinates) = self.coordinates() {
            if self.rules.opened.by_place {
                coordinates.around(known, out, |key| keys.push(key));
            } else {
                keys.extend(known.clone());
                coordinates.around(known, out, |_| {});
            }
            return true;
        }
        let mut successors = Vec::new();
        for key in known.filter_map(|rank| self.unrank(Placement { part, rank })) {
            successors.clear();
            self.extend(key, &mut successors);
            out.extend(
                successors
                    .iter()
                    .filter_map(|next| Some(self.place(next)?.rank)),
            );
            keys.push(key);
        }
        true
    }
}
