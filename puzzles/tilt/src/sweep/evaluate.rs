//! The last step: the distance of a placement is the lesser of those along
//! its rows and along its columns.

use super::axis::{Axis, BothWays, ROW, along, ones};
use super::search::UNKNOWN;
use super::symmetry::{SIDE, SQUARES};

/// Placements that one step takes in: a fixed count has no exit to mispredict.
const CHUNK: usize = 4;
/// Most placements of one blue set (24 free squares, 0 to 2 greens), with
/// working space.
pub(super) const MOST_PLACEMENTS: usize = 1 + 24 + 276 + CHUNK;
/// The free squares, 'no green', and as much again as one line may write.
const SLOTS: usize = CHUNK + SQUARES + 8;

/// Where the placements of a blue set come from.
pub(super) struct Job<'a> {
    pub(super) axes: &'a [Axis; 2],
    pub(super) entries: &'a [u8],
    pub(super) blues: BothWays,
    pub(super) open: u32,
    pub(super) green_max: u8,
    /// Key of the placement without greens.
    pub(super) key: u64,
}

/// The free squares of one blue set, by rows, and 'no green' after them.
pub(super) struct Slots {
    by_rows: [u8; SLOTS],
    by_columns: [u8; SLOTS],
    bits: [u64; SLOTS],
    squares: [u8; SLOTS],
}

impl Slots {
    pub(super) fn new() -> Self {
        Self {
            by_rows: [0; SLOTS],
            by_columns: [0; SLOTS],
            bits: [0; SLOTS],
            squares: [0; SLOTS],
        }
    }

    /// Writes keys and distances of all placements of one blue set so that
    /// they end at `end`, and returns where they start. The outputs need room
    /// for `MOST_PLACEMENTS` below `end`; part of it is working space.
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

    /// Each ray of placements with the same first green ends where the last
    /// one started: the head of its first chunk, which holds no placements, is
    /// overwritten by the next ray.
    fn with_greens(
        &mut self,
        job: &Job,
        end: usize,
        keys: &mut [u64],
        distances: &mut [u8],
    ) -> usize {
        let seen = [0, 1].map(|axis| job.axes[axis].see(along(axis, job.blues)));
        let mut last = CHUNK;
        for line in 0..SIDE {
            let free = (job.open >> (SIDE * line)) as u8 & 31 & !seen[0].patterns[line];
            let packed = job.axes[0].packed_places(&seen[0], line);
            self.by_rows[last..last + 8].copy_from_slice(&packed.to_le_bytes());
            self.squares[last..last + 8].copy_from_slice(&SQUARES_OF[line][usize::from(free)]);
            last += usize::from(ones(free));
        }
        let mut columns = [0; 8 * SIDE];
        for (line, places) in columns.as_chunks_mut::<8>().0.iter_mut().enumerate() {
            *places = job.axes[1].places(&seen[1], line).to_le_bytes();
        }
        for slot in CHUNK..last {
            let square = usize::from(self.squares[slot]) & 31;
            self.by_columns[slot] = columns[usize::from(COLUMN_BYTE[square])];
            self.bits[slot] = 1 << square;
        }
        self.by_rows[last] = job.axes[0].no_place() as u8;
        self.by_columns[last] = job.axes[1].no_place() as u8;
        self.bits[last] = 0;
        let mut end = end;
        for slot in CHUNK..last {
            let row = table_row(job.entries, seen[0].table, self.by_rows[slot]);
            let column = table_row(job.entries, seen[1].table, self.by_columns[slot]);
            let key = job.key | self.bits[slot];
            let placements = if job.green_max < 2 { 1 } else { last - slot };
            let padded = placements.next_multiple_of(CHUNK);
            let from = last + 1 - padded;
            let keys = keys[end - padded..end].as_chunks_mut::<CHUNK>().0;
            let distances = distances[end - padded..end].as_chunks_mut::<CHUNK>().0;
            let bits = self.bits[from..=last].as_chunks::<CHUNK>().0;
            let by_rows = self.by_rows[from..=last].as_chunks::<CHUNK>().0;
            let by_columns = self.by_columns[from..=last].as_chunks::<CHUNK>().0;
            let places = by_rows.iter().zip(by_columns).zip(bits);
            for ((keys, distances), ((by_rows, by_columns), bits)) in
                keys.iter_mut().zip(distances).zip(places)
            {
                for at in 0..CHUNK {
                    let along_row = row[usize::from(by_rows[at]) % ROW];
                    let along_column = column[usize::from(by_columns[at]) % ROW];
                    distances[at] = along_row.min(along_column);
                    keys[at] = key | bits[at];
                }
            }
            end -= placements;
        }
        end
    }
}

#[inline]
fn table_row(entries: &[u8], table: u32, place: u8) -> &[u8; ROW] {
    let start = table as usize + ROW * usize::from(place);
    let row = entries.get(start..).and_then(|rows| rows.first_chunk());
    row.unwrap_or(&[UNKNOWN; ROW])
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
