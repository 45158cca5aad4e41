//! The last step: every placement is one tilt away from entries of the table.

use super::frame::{Frame, SIDE};
use super::images::UNKNOWN;
use super::line::{Axis, Lines};

/// Most placements of one blue set: 24 free squares, 0 to 2 greens.
pub(super) const MOST_PLACEMENTS: usize = 1 + 24 + 276;

/// Free squares of a board, one more for 'no green', and padding.
const SLOTS: usize = 32;
/// Room before the first slot for the partners of a row that has none before.
const LEAD: usize = 4;

/// Addresses and key bits of the free squares of one blue set, row by row.
pub(super) struct Slots {
    /// Share in the addresses of left and right as the second green.
    rows: [[u32; 2]; LEAD + SLOTS],
    /// The same for up and down.
    columns: [[u32; 2]; SLOTS],
    bits: [u64; SLOTS],
    squares: [u8; SLOTS],
    /// Slot of a square, or the padding slot if nothing can stand there.
    slot_of: [u8; 25 + 4 * SIDE],
}

const PADDING: usize = SLOTS - 1;

impl Slots {
    pub(super) fn new() -> Self {
        Self {
            rows: [[0; 2]; LEAD + SLOTS],
            columns: [[0; 2]; SLOTS],
            bits: [0; SLOTS],
            squares: [0; SLOTS],
            slot_of: [PADDING as u8; 25 + 4 * SIDE],
        }
    }

    /// Writes the distances and green bits of all placements of one blue set
    /// with `green_max` greens at most, the one without greens first; returns
    /// how many there are. `out` has room for `MOST_PLACEMENTS`.
    #[inline]
    pub(super) fn evaluate(
        &mut self,
        lines: &Lines,
        frame: &Frame,
        entries: &[u8],
        green_max: u8,
        key: u64,
        keys: &mut [u64],
        depths: &mut [u8],
    ) -> usize {
        keys[0] = key;
        depths[0] = 0;
        if green_max == 0 {
            return 1;
        }
        self.load(lines, frame);
        let job = Job {
            lines,
            frame,
            entries,
            singles_only: green_max < 2,
            key,
        };
        let written = match frame.legal {
            0 => self.run::<0>(&job, &mut keys[1..], &mut depths[1..]),
            1 => self.run::<1>(&job, &mut keys[1..], &mut depths[1..]),
            2 => self.run::<2>(&job, &mut keys[1..], &mut depths[1..]),
            3 => self.run::<3>(&job, &mut keys[1..], &mut depths[1..]),
            4 => self.run::<4>(&job, &mut keys[1..], &mut depths[1..]),
            5 => self.run::<5>(&job, &mut keys[1..], &mut depths[1..]),
            6 => self.run::<6>(&job, &mut keys[1..], &mut depths[1..]),
            7 => self.run::<7>(&job, &mut keys[1..], &mut depths[1..]),
            8 => self.run::<8>(&job, &mut keys[1..], &mut depths[1..]),
            9 => self.run::<9>(&job, &mut keys[1..], &mut depths[1..]),
            10 => self.run::<10>(&job, &mut keys[1..], &mut depths[1..]),
            11 => self.run::<11>(&job, &mut keys[1..], &mut depths[1..]),
            12 => self.run::<12>(&job, &mut keys[1..], &mut depths[1..]),
            13 => self.run::<13>(&job, &mut keys[1..], &mut depths[1..]),
            14 => self.run::<14>(&job, &mut keys[1..], &mut depths[1..]),
            _ => self.run::<15>(&job, &mut keys[1..], &mut depths[1..]),
        };
        1 + written
    }

    fn load(&mut self, lines: &Lines, frame: &Frame) {
        let mut free = frame.free;
        let mut slot = 0;
        self.slot_of = [PADDING as u8; 25 + 4 * SIDE];
        while free != 0 {
            let square = free.trailing_zeros() as usize;
            free &= free - 1;
            let (row, column) = (square / SIDE, square % SIDE);
            self.rows[LEAD + slot] = frame.rows[row].cell[column].second;
            self.columns[slot] = frame.columns[column].cell[row].second;
            self.bits[slot] = 1 << square;
            self.squares[slot] = square as u8;
            self.slot_of[square] = slot as u8;
            slot += 1;
        }
        self.rows[LEAD + slot] = [lines.free; 2];
        self.columns[slot] = [lines.free; 2];
        self.bits[slot] = 0;
    }

    fn run<const LEGAL: u32>(&mut self, job: &Job, keys: &mut [u64], depths: &mut [u8]) -> usize {
        let none = job.lines.free as usize;
        let mut written = 0;
        for slot in 0..none {
            let square = usize::from(self.squares[slot]);
            let (row, column) = (square / SIDE, square % SIDE);
            let across = job.frame.rows[row];
            let down = job.frame.columns[column];
            // Same row
            let free = job.frame.free >> (SIDE * row) & 31;
            let partners = &across.pair[column];
            let next_row = LEAD + slot + 1 + super::line::ONES[(free >> (column + 1)) as usize];
            self.rows[next_row - 4..next_row].copy_from_slice(partners);
            for below in row + 1..SIDE {
                let partner = usize::from(self.slot_of[SIDE * below + column]);
                self.columns[partner] = down.pair[row][Lines::pair_index(Axis::Columns, 0, below)];
            }
            let start = if job.singles_only { none } else { slot + 1 };
            let bases = [
                job.frame.base[0].wrapping_add(across.cell[column].first[0]),
                job.frame.base[1].wrapping_add(across.cell[column].first[1]),
                job.frame.base[2].wrapping_add(down.cell[row].first[0]),
                job.frame.base[3].wrapping_add(down.cell[row].first[1]),
            ];
            let key = job.key | self.bits[slot];
            let length = none + 1 - start;
            let outputs = keys[written..written + length]
                .iter_mut()
                .zip(&mut depths[written..written + length]);
            let inputs = self.rows[LEAD + start..=LEAD + none]
                .iter()
                .zip(&self.columns[start..=none])
                .zip(&self.bits[start..=none]);
            for ((key_out, depth_out), ((rows, columns), bit)) in outputs.zip(inputs) {
                let mut depth = UNKNOWN;
                let mut look = |base: u32, share: u32| {
                    depth = depth.min(job.entries[base.wrapping_add(share) as usize]);
                };
                if LEGAL & 1 != 0 {
                    look(bases[0], rows[0]);
                }
                if LEGAL & 2 != 0 {
                    look(bases[1], rows[1]);
                }
                if LEGAL & 4 != 0 {
                    look(bases[2], columns[0]);
                }
                if LEGAL & 8 != 0 {
                    look(bases[3], columns[1]);
                }
                *key_out = key | bit;
                *depth_out = depth;
            }
            written += length;
            for below in row + 1..SIDE {
                let partner = usize::from(self.slot_of[SIDE * below + column]);
                self.columns[partner] = down.cell[below].second;
            }
        }
        written
    }
}

/// What the placements of one blue set have in common.
struct Job<'a> {
    lines: &'a Lines,
    frame: &'a Frame<'a>,
    entries: &'a [u8],
    singles_only: bool,
    key: u64,
}
