//! Successors by table: what some neighbouring places of a key come to be under every move,
//! one row of words a value of theirs. A key's successors are the union of a few rows.

use super::field::Field;
use crate::definition::Move;

/// Words of a row that are put together at a time; rows are filled up to a multiple.
const LANES: usize = 4;
/// Most words of a table of several places: with those beside it, it stays in the second-level
/// cache.
const MOST_WORDS: usize = 1 << 14;

/// Some neighbouring places of a key.
#[derive(Debug)]
struct Chunk {
    shift: u32,
    mask: u64,
    /// By value, a row.
    rows: Vec<[u64; LANES]>,
}

/// Tables of all places.
#[derive(Debug)]
pub(super) struct Rows {
    moves: usize,
    /// Groups of lanes in a row.
    groups: usize,
    chunks: Vec<Chunk>,
}

impl Rows {
    pub(super) fn new(fields: &[Field], steps: &[Move]) -> Self {
        let groups = steps.len().div_ceil(LANES);
        let width = groups * LANES;
        let mut chunks: Vec<Chunk> = Vec::new();
        for (set, field) in fields.iter().enumerate() {
            let bits = field.mask.count_ones();
            for (place, &shift) in field.shifts.iter().enumerate() {
                let own = of_place(field, (set, place), steps, width);
                let joined = chunks.last().is_some_and(|last| {
                    let together = last.mask.count_ones() + bits;
                    last.shift + last.mask.count_ones() == shift
                        && width << together.min(32) <= MOST_WORDS
                });
                match chunks.last_mut().filter(|_| joined) {
                    Some(last) => last.join(&own, field.mask, groups),
                    None => chunks.push(Chunk {
                        shift,
                        mask: field.mask,
                        rows: own,
                    }),
                }
            }
        }
        Self {
            moves: steps.len(),
            groups,
            chunks,
        }
    }

    /// Appends the keys that one move each leads to, in the order of the moves.
    #[inline]
    pub(super) fn extend(&self, key: u64, out: &mut Vec<u64>) {
        let end = out.len() + self.moves;
        for group in 0..self.groups {
            out.extend_from_slice(&self.lanes(key, group));
        }
        out.truncate(end);
    }

    /// Hands on the keys that one move each leads to.
    #[inline]
    pub(super) fn each(&self, key: u64, emit: &mut dyn FnMut(u64)) {
        for group in 0..self.groups {
            let left = self.moves - group * LANES;
            self.lanes(key, group)
                .into_iter()
                .take(left)
                .for_each(&mut *emit);
        }
    }

    #[inline]
    fn lanes(&self, key: u64, group: usize) -> [u64; LANES] {
        self.chunks.iter().fold([0; LANES], |lanes, chunk| {
            let value = (key >> (chunk.shift & 63) & chunk.mask) as usize;
            let row = &chunk.rows[value * self.groups + group];
            std::array::from_fn(|lane| lanes[lane] | row[lane])
        })
    }
}

/// By the value of one place, its bits after every move.
fn of_place(
    field: &Field,
    (set, place): (usize, usize),
    steps: &[Move],
    width: usize,
) -> Vec<[u64; LANES]> {
    let mut words = Vec::with_capacity(width << field.mask.count_ones());
    for value in 0..=field.mask {
        let (piece, own) = (value / field.turns, value % field.turns);
        words.extend(steps.iter().map(|step| {
            let part = &step.parts[set];
            let goes = |&from: &u8| usize::from(from) == place;
            // Moves are permutations: each place goes somewhere.
            let to = part.pieces.iter().position(goes).unwrap_or(place);
            let turn = (own + u64::from(part.turns[to])) % field.turns;
            (piece * field.turns + turn) << field.shifts[to]
        }));
        words.resize(words.len().next_multiple_of(LANES), 0);
    }
    words.as_chunks().0.to_vec()
}

impl Chunk {
    /// Takes in the place that lies above.
    fn join(&mut self, above: &[[u64; LANES]], mask: u64, groups: usize) {
        let mut rows = Vec::with_capacity(self.rows.len() << mask.count_ones());
        for high in above.chunks(groups) {
            for low in self.rows.chunks(groups) {
                let both = low.iter().zip(high);
                rows.extend(both.map(|(low, high)| {
                    std::array::from_fn::<_, LANES, _>(|lane| low[lane] | high[lane])
                }));
            }
        }
        self.rows = rows;
        self.mask = self.mask << mask.count_ones() | mask;
    }
}
