//! Successors and images by table: the images of some neighbouring places of a key under every
//! move, or every symmetry, one row of words per value. A key's successors are the union of a few
//! rows.

use super::field::Field;
use crate::definition::Move;
use crate::state::Opened;

/// Words of a row that are combined at a time; rows are padded to a multiple with their first word.
const LANES: usize = 4;
/// Most words of all tables of one place.
const MOST_IN_ALL: usize = 1 << 23;
/// Most words of a table of several places: with its neighbours, it stays in the second-level
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
    count: usize,
    /// Groups of lanes in a row.
    groups: usize,
    chunks: Vec<Chunk>,
}

impl Rows {
    /// Whether tables of `count` words per key are small enough to build.
    pub(super) fn pay(fields: &[Field], count: usize) -> bool {
        let words = fields
            .iter()
            .map(|field| field.shifts.len() << field.mask.count_ones());
        words
            .sum::<usize>()
            .saturating_mul(count.next_multiple_of(LANES))
            <= MOST_IN_ALL
    }

    /// The results of moves.
    pub(super) fn of_moves(fields: &[Field], steps: &[Move]) -> Self {
        Self::new(fields, steps.len(), |(set, place), (piece, own), index| {
            let (field, part) = (&fields[set], &steps[index].parts[set]);
            let goes = |&from: &u8| usize::from(from) == place;
            // Moves are permutations: each place goes somewhere.
            let to = part.pieces.iter().position(goes).unwrap_or(place);
            // Some values of a place represent no piece.
            let period = field
                .periods
                .get(piece as usize)
                .copied()
                .unwrap_or(field.turns);
            (to, (piece, (own + u64::from(part.turns[to])) % period))
        })
    }

    /// The images by the symmetries of a puzzle.
    pub(super) fn of_rotations(fields: &[Field], opened: &Opened) -> Self {
        let rotations = &opened.rotations;
        Self::new(
            fields,
            rotations.len(),
            |(set, place), lies_there, index| {
                let (rotation, sizes) = (&rotations[index], &opened.definition.sets[set]);
                let (right, left) = (&rotation.right[set], &rotation.left[set]);
                let goes = |&from: &u8| usize::from(from) == place;
                let to = right.pieces.iter().position(goes).unwrap_or(place);
                let (piece, own) = lies_there;
                // Some values of a place represent no piece.
                if piece >= sizes.count as u64 {
                    return (to, lies_there);
                }
                let turns = fields[set].turns;
                let own = if rotation.mirror { turns - own } else { own };
                let given = u64::from(left.turns[piece as usize]) + u64::from(right.turns[to]);
                (
                    to,
                    (left.pieces[piece as usize].into(), (own + given) % turns),
                )
            },
        )
    }

    /// Tables of `count` words per key: the new place of each place's piece, and its value there.
    fn new(fields: &[Field], count: usize, becomes: impl Becomes) -> Self {
        let groups = count.div_ceil(LANES);
        let width = groups * LANES;
        let mut chunks: Vec<Chunk> = Vec::new();
        for (set, field) in fields.iter().enumerate() {
            let bits = field.mask.count_ones();
            for (place, &shift) in field.shifts.iter().enumerate() {
                let own = of_place(field, (set, place), (count, width), &becomes);
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
            count,
            groups,
            chunks,
        }
    }

    /// Appends the keys after one move each, in the order of the moves.
    #[inline]
    pub(super) fn extend(&self, key: u64, out: &mut Vec<u64>) {
        let end = out.len() + self.count;
        for group in 0..self.groups {
            out.extend_from_slice(&self.lanes(key, group));
        }
        out.truncate(end);
    }

    /// Passes on the keys after one move each.
    #[inline]
    pub(super) fn each(&self, key: u64, emit: &mut dyn FnMut(u64)) {
        for group in 0..self.groups {
            let left = self.count - group * LANES;
            self.lanes(key, group)
                .into_iter()
                .take(left)
                .for_each(&mut *emit);
        }
    }

    /// One word alone.
    #[inline]
    pub(super) fn word(&self, key: u64, index: usize) -> u64 {
        self.lanes(key, index / LANES)[index % LANES]
    }

    /// The least of all words, and the number of words that equal the key. The first word is the
    /// key itself, as of an identity.
    #[inline(always)]
    pub(super) fn least(&self, key: u64) -> (u64, u32) {
        let (mut least, mut same) = ([u64::MAX; LANES], [0_u64; LANES]);
        for group in 0..self.groups {
            let words = self.lanes(key, group);
            for lane in 0..LANES {
                least[lane] = least[lane].min(words[lane]);
                same[lane] += u64::from(words[lane] == key);
            }
        }
        let padding = (self.groups * LANES - self.count) as u64;
        let least = least.into_iter().fold(u64::MAX, u64::min);
        (least, (same.iter().sum::<u64>() - padding) as u32)
    }

    /// [`Rows::least`] of each key, in place, with the numbers of equal words.
    pub(super) fn least_of_each(&self, keys: &mut [u64], same: &mut [u32]) {
        #[inline(always)]
        fn each(rows: &Rows, keys: &mut [u64], same: &mut [u32]) {
            for (key, same) in keys.iter_mut().zip(same) {
                (*key, *same) = rows.least(*key);
            }
        }
        #[cfg(target_arch = "x86_64")]
        #[allow(unsafe_code)]
        if is_x86_feature_detected!("avx2") {
            #[target_feature(enable = "avx2")]
            fn vectors(rows: &Rows, keys: &mut [u64], same: &mut [u32]) {
                each(rows, keys, same);
            }
            // SAFETY: the processor has the feature that the function is compiled for.
            return unsafe { vectors(self, keys, same) };
        }
        each(self, keys, same);
    }

    #[inline(always)]
    fn lanes(&self, key: u64, group: usize) -> [u64; LANES] {
        self.chunks.iter().fold([0; LANES], |lanes, chunk| {
            let value = (key >> (chunk.shift & 63) & chunk.mask) as usize;
            let row = &chunk.rows[value * self.groups + group];
            std::array::from_fn(|lane| lanes[lane] | row[lane])
        })
    }
}

/// The new place, under one of some permutations, of the content of a place of a set (a piece and
/// its turn), and its value there.
trait Becomes: Fn((usize, usize), (u64, u64), usize) -> (usize, (u64, u64)) {}

impl<F: Fn((usize, usize), (u64, u64), usize) -> (usize, (u64, u64))> Becomes for F {}

/// By the value of one place, its bits after each of `count` permutations.
fn of_place(
    field: &Field,
    at: (usize, usize),
    (count, width): (usize, usize),
    becomes: &impl Becomes,
) -> Vec<[u64; LANES]> {
    let mut words = Vec::with_capacity(width << field.mask.count_ones());
    for value in 0..=field.mask {
        let lies_there = (value / field.turns, value % field.turns);
        words.extend((0..width).map(|index| {
            let index = if index < count { index } else { 0 };
            let (to, (piece, turn)) = becomes(at, lies_there, index);
            (piece * field.turns + turn) << field.shifts[to]
        }));
    }
    words.as_chunks().0.to_vec()
}

impl Chunk {
    /// Adds the next higher place.
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
