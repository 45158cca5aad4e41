//! The last step: the distance of a placement is the lesser of those along
//! its rows and along its columns.

use super::axis::{Axis, Blues, BothWays, ROW, along, ones};
use super::search::UNKNOWN;
use crate::board::{SIDE, SQUARES};

/// Number of keys per step: a fixed count has no exit to mispredict.
const CHUNK: usize = 4;
/// Space before the slots and the outputs, enough for whole vectors.
pub(super) const LANES: usize = 32;
/// Most placements of one blue set (24 free squares, 0 to 2 greens), with
/// working space.
pub(super) const MOST_PLACEMENTS: usize = 1 + 24 + 276 + LANES;
/// The free squares, 'no green', and space for the overrun of one line.
const SLOTS: usize = LANES + SQUARES + 8;

/// The sources of the placements of a blue set.
pub(super) struct Job<'a> {
    pub(super) axes: &'a [Axis; 2],
    pub(super) entries: &'a [u8],
    pub(super) blues: BothWays,
    pub(super) open: u32,
    pub(super) green_max: u32,
    /// Key of the placement without greens.
    pub(super) key: u64,
}

/// The free squares of one blue set, row by row from slot `LANES` on, and 'no
/// green' after them.
pub(super) struct Slots {
    /// Places along the rows and along the columns.
    places: [[u8; SLOTS]; 2],
    bits: [u64; SLOTS],
    squares: [u8; SLOTS],
    #[cfg(target_arch = "x86_64")]
    shuffles: bool,
}

/// The rays of one blue set: the placements with the same first green.
pub(super) struct Rays<'a> {
    entries: &'a [u8],
    /// Addresses of the layouts' tables along rows and columns.
    tables: [u32; 2],
    slots: &'a Slots,
    /// Slot of 'no green'.
    last: usize,
    singles_only: bool,
    key: u64,
}

impl Slots {
    pub(super) fn new() -> Self {
        Self {
            places: [[0; SLOTS]; 2],
            bits: [0; SLOTS],
            squares: [0; SLOTS],
            #[cfg(target_arch = "x86_64")]
            shuffles: shuffle::available(),
        }
    }

    #[cfg(test)]
    pub(super) fn forget_shuffles(&mut self) {
        #[cfg(target_arch = "x86_64")]
        {
            self.shuffles = false;
        }
    }

    /// Writes keys and distances of all placements of one blue set so that they end at `end`, and
    /// returns where they start. The outputs need space for `MOST_PLACEMENTS` below `end`; part of
    /// it is working space.
    pub(super) fn evaluate(
        &mut self,
        job: &Job,
        end: usize,
        keys: &mut [u64],
        distances: &mut [u8],
    ) -> usize {
        let mut start = end;
        if job.green_max > 0 {
            start = self.with_greens(job, end, keys, distances);
        }
        start -= 1;
        keys[start] = job.key;
        distances[start] = 0;
        start
    }

    fn with_greens(
        &mut self,
        job: &Job,
        end: usize,
        keys: &mut [u64],
        distances: &mut [u8],
    ) -> usize {
        let seen = [0, 1].map(|axis| job.axes[axis].see(along(axis, job.blues)));
        let last = self.load(job, &seen);
        let rays = Rays {
            entries: job.entries,
            tables: seen.map(|blues| blues.table),
            slots: self,
            last,
            singles_only: job.green_max < 2,
            key: job.key,
        };
        rays.write_keys(end, keys);
        #[cfg(target_arch = "x86_64")]
        if self.shuffles && !rays.singles_only {
            let wide = job.axes.iter().any(|axis| axis.no_place() >= LANES / 2);
            return shuffle::write_distances(&rays, wide, end, distances);
        }
        rays.write_distances(end, distances)
    }

    /// Lists the free squares and returns the slot of 'no green'.
    fn load(&mut self, job: &Job, seen: &[Blues; 2]) -> usize {
        let mut last = LANES;
        let mut columns = [0; 8 * SIDE];
        for line in 0..SIDE {
            let free = (job.open >> (SIDE * line)) as u8 & 31 & !seen[0].patterns[line];
            let along_row = job.axes[0].packed_places(&seen[0], line);
            self.places[0][last..last + 8].copy_from_slice(&along_row.to_le_bytes());
            self.squares[last..last + 8].copy_from_slice(&SQUARES_OF[line][usize::from(free)]);
            last += usize::from(ones(free));
            let along_column = job.axes[1].places(&seen[1], line);
            columns[8 * line..][..8].copy_from_slice(&along_column.to_le_bytes());
        }
        for slot in LANES..last {
            let square = usize::from(self.squares[slot]) & 31;
            self.places[1][slot] = columns[usize::from(COLUMN_BYTE[square])];
            self.bits[slot] = 1 << square;
        }
        self.places[0][last] = job.axes[0].no_place() as u8;
        self.places[1][last] = job.axes[1].no_place() as u8;
        self.bits[last] = 0;
        last
    }
}

/// Each ray ends where the last one started, so the head of its first vector, which holds no
/// placements, is overwritten by the next ray.
impl Rays<'_> {
    fn placements(&self, slot: usize) -> usize {
        if self.singles_only {
            1
        } else {
            self.last - slot
        }
    }

    #[inline]
    fn write_keys(&self, end: usize, keys: &mut [u64]) {
        let mut end = end;
        for slot in LANES..self.last {
            let key = self.key | self.slots.bits[slot];
            let padded = self.placements(slot).next_multiple_of(CHUNK);
            let bits = &self.slots.bits[self.last + 1 - padded..=self.last];
            let keys = keys[end - padded..end].as_chunks_mut::<CHUNK>().0;
            for (keys, bits) in keys.iter_mut().zip(bits.as_chunks::<CHUNK>().0) {
                *keys = bits.map(|bit| key | bit);
            }
            end -= self.placements(slot);
        }
    }

    /// Returns where the distances start.
    fn write_distances(&self, end: usize, distances: &mut [u8]) -> usize {
        let mut end = end;
        for slot in LANES..self.last {
            let [row, column] = self.table_rows(slot);
            let placements = self.placements(slot);
            let padded = placements.next_multiple_of(CHUNK);
            let [by_rows, by_columns] = [0, 1].map(|axis| {
                let places = &self.slots.places[axis][self.last + 1 - padded..=self.last];
                places.as_chunks::<CHUNK>().0
            });
            let chunks = distances[end - padded..end].as_chunks_mut::<CHUNK>().0;
            for (chunk, places) in chunks.iter_mut().zip(by_rows.iter().zip(by_columns)) {
                *chunk = std::array::from_fn(|at| {
                    let along_row = row[usize::from(places.0[at]) % ROW];
                    along_row.min(column[usize::from(places.1[at]) % ROW])
                });
            }
            end -= placements;
        }
        end
    }

    /// Distances along rows and columns with a first green, by place.
    #[inline]
    fn table_rows(&self, slot: usize) -> [&[u8; ROW]; 2] {
        [0, 1].map(|axis| {
            let place = usize::from(self.slots.places[axis][slot]);
            let start = self.tables[axis] as usize + ROW * place;
            let rows = self.entries.get(start..).unwrap_or(&[]);
            rows.first_chunk().unwrap_or(&[UNKNOWN; ROW])
        })
    }
}

#[cfg(target_arch = "x86_64")]
mod shuffle {
    //! A table row is short enough to fetch all second greens of a ray at once
    //! with byte shuffles.
    #![allow(unsafe_code)]

    use std::arch::x86_64::*;

    use super::{LANES, ROW, Rays};

    /// This machine can run `write_distances`.
    pub(super) fn available() -> bool {
        is_x86_feature_detected!("avx2")
    }

    /// Same as `Rays::write_distances` for up to two greens; `wide` if some
    /// place is above 15.
    pub(super) fn write_distances(
        rays: &Rays,
        wide: bool,
        end: usize,
        distances: &mut [u8],
    ) -> usize {
        if !available() {
            return rays.write_distances(end, distances);
        }
        // SAFETY: the feature that both functions enable is there.
        unsafe {
            if wide {
                write::<true>(rays, end, distances)
            } else {
                write::<false>(rays, end, distances)
            }
        }
    }

    #[target_feature(enable = "avx2")]
    fn write<const WIDE: bool>(rays: &Rays, end: usize, distances: &mut [u8]) -> usize {
        let lanes = rays.last + 1 - LANES..=rays.last;
        let [by_rows, by_columns] = [0, 1].map(|axis| {
            let places = &rays.slots.places[axis][lanes.clone()];
            Places::new(load(places))
        });
        let mut end = end;
        for slot in LANES..rays.last {
            let [row, column] = rays.table_rows(slot);
            let along_row = by_rows.fetch::<WIDE>(row);
            let along_column = by_columns.fetch::<WIDE>(column);
            let nearest = _mm256_min_epu8(along_row, along_column);
            store(&mut distances[end - LANES..end], nearest);
            end -= rays.last - slot;
        }
        end
    }

    /// Shuffle indices into the lower and upper half of a table row; an index
    /// into the other half fetches 0.
    struct Places {
        lower: __m256i,
        upper: __m256i,
    }

    impl Places {
        #[inline]
        #[target_feature(enable = "avx2")]
        fn new(places: __m256i) -> Self {
            Self {
                lower: _mm256_adds_epu8(places, _mm256_set1_epi8(0x70)),
                upper: _mm256_sub_epi8(places, _mm256_set1_epi8(16)),
            }
        }

        #[inline]
        #[target_feature(enable = "avx2")]
        fn fetch<const WIDE: bool>(&self, row: &[u8; ROW]) -> __m256i {
            let row = load(row);
            let lower = _mm256_permute2x128_si256::<0x00>(row, row);
            let fetched = _mm256_shuffle_epi8(lower, self.lower);
            if !WIDE {
                return fetched;
            }
            let upper = _mm256_permute2x128_si256::<0x11>(row, row);
            _mm256_or_si256(fetched, _mm256_shuffle_epi8(upper, self.upper))
        }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn load(bytes: &[u8]) -> __m256i {
        let bytes = &bytes[..LANES];
        // SAFETY: the slice has as many bytes as the vector.
        unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn store(bytes: &mut [u8], vector: __m256i) {
        let bytes = &mut bytes[..LANES];
        // SAFETY: the slice has as many bytes as the vector.
        unsafe { _mm256_storeu_si256(bytes.as_mut_ptr().cast(), vector) };
    }
}

/// Squares of a row's pattern.
const SQUARES_OF: [[[u8; 8]; 32]; SIDE] = {
    let mut squares = [[[0; 8]; 32]; SIDE];
    let mut row = 0;
    while row < SIDE {
        let mut pattern = 0;
        while pattern < 32 {
            let (mut cell, mut at) = (0, 0);
            while cell < SIDE {
                if pattern >> cell & 1 == 1 {
                    squares[row][pattern][at] = (SIDE * row + cell) as u8;
                    at += 1;
                }
                cell += 1;
            }
            pattern += 1;
        }
        row += 1;
    }
    squares
};

/// Position of a square when every column takes eight bytes.
const COLUMN_BYTE: [u8; 32] = {
    let mut position = [0; 32];
    let mut square = 0;
    while square < SQUARES {
        position[square] = (8 * (square % SIDE) + square / SIDE) as u8;
        square += 1;
    }
    position
};
