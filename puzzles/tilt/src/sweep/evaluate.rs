//! The last step: every placement is one tilt away from entries of the table.

use super::frame::{Frame, SIDE};
use super::line::ONES;
use super::nearest::{CHUNK, Ray, nearest_of_ray};

/// Most placements of one blue set (24 free squares, 0 to 2 greens), with
/// working space.
pub(super) const MOST_PLACEMENTS: usize = 1 + 24 + 276 + CHUNK;

/// Free squares of a board, one more for 'no green', and padding.
const SLOTS: usize = 32;
/// Room before the first slot for the partners of a row that has none before.
const LEAD: usize = 4;
/// Slot of squares on which nothing can stand.
const PADDING: usize = LEAD + SLOTS - 1;

/// Where the placements of a blue set come from and go to.
pub(super) struct Job<'a> {
    pub(super) frame: &'a Frame<'a>,
    /// Entries of the images, see `ImageTable`.
    pub(super) entries: &'a [u8],
    pub(super) green_max: u8,
    /// Slot of 'no green'.
    pub(super) none: u32,
    /// Key of the placement without greens.
    pub(super) key: u64,
}

/// Addresses and key bits of the free squares of one blue set, row by row.
pub(super) struct Slots {
    /// Share in the four addresses as the second green.
    second: [[u32; 4]; LEAD + SLOTS],
    bits: [u64; LEAD + SLOTS],
    squares: [u8; LEAD + SLOTS],
    /// Slot of a square; the rows below the board hold padding.
    slot_of: [u8; 2 * SIDE * SIDE],
}

impl Slots {
    pub(super) fn new() -> Self {
        Self {
            second: [[0; 4]; LEAD + SLOTS],
            bits: [0; LEAD + SLOTS],
            squares: [0; LEAD + SLOTS],
            slot_of: [PADDING as u8; 2 * SIDE * SIDE],
        }
    }

    /// Writes keys and entries of all placements of one blue set so that they
    /// end at `end`, and returns where they start. The outputs need room for
    /// `MOST_PLACEMENTS` below `end`; some of it is used as working space.
    #[inline]
    pub(super) fn evaluate(
        &mut self,
        job: &Job,
        end: usize,
        keys: &mut [u64],
        nearest: &mut [u8],
    ) -> usize {
        let start = if job.green_max == 0 {
            end
        } else {
            self.load(job);
            self.run_legal(job, end, keys, nearest)
        };
        keys[start - 1] = job.key;
        nearest[start - 1] = 0;
        start - 1
    }

    fn run_legal(&mut self, job: &Job, end: usize, keys: &mut [u64], nearest: &mut [u8]) -> usize {
        match job.frame.legal {
            0 => self.run::<0>(job, end, keys, nearest),
            1 => self.run::<1>(job, end, keys, nearest),
            2 => self.run::<2>(job, end, keys, nearest),
            3 => self.run::<3>(job, end, keys, nearest),
            4 => self.run::<4>(job, end, keys, nearest),
            5 => self.run::<5>(job, end, keys, nearest),
            6 => self.run::<6>(job, end, keys, nearest),
            7 => self.run::<7>(job, end, keys, nearest),
            8 => self.run::<8>(job, end, keys, nearest),
            9 => self.run::<9>(job, end, keys, nearest),
            10 => self.run::<10>(job, end, keys, nearest),
            11 => self.run::<11>(job, end, keys, nearest),
            12 => self.run::<12>(job, end, keys, nearest),
            13 => self.run::<13>(job, end, keys, nearest),
            14 => self.run::<14>(job, end, keys, nearest),
            _ => self.run::<15>(job, end, keys, nearest),
        }
    }

    fn load(&mut self, job: &Job) {
        let frame = job.frame;
        let mut free = frame.free;
        let mut slot = LEAD;
        self.second[..LEAD].fill([0; 4]);
        self.slot_of[..SIDE * SIDE].fill(PADDING as u8);
        while free != 0 {
            let square = free.trailing_zeros() as usize;
            free &= free - 1;
            let (row, column) = (square / SIDE, square % SIDE);
            let across = frame.rows[row].cell[column].second;
            let down = frame.columns[column].cell[row].second;
            self.second[slot] = [across[0], across[1], down[0], down[1]];
            self.bits[slot] = 1 << square;
            self.squares[slot] = square as u8;
            self.slot_of[square] = slot as u8;
            slot += 1;
        }
        self.second[slot] = [job.none; 4];
        self.bits[slot] = 0;
    }

    /// All placements with greens, by their first green in row order. Each ray
    /// ends where the last one starts: the head of its first chunk, which
    /// holds no placements, is overwritten by the next ray.
    fn run<const LEGAL: u32>(
        &mut self,
        job: &Job,
        end: usize,
        keys: &mut [u64],
        nearest: &mut [u8],
    ) -> usize {
        let none = LEAD + job.none as usize;
        let mut end = end;
        for slot in LEAD..none {
            let square = usize::from(self.squares[slot]);
            self.join_row(job.frame, slot, square);
            let apart = self.join_column(job.frame, square);
            // A square is not a second green of its own ray or of later ones.
            self.second[slot] = [0; 4];
            let placements = if job.green_max < 2 { 1 } else { none - slot };
            let padded = placements.next_multiple_of(CHUNK);
            let ray = Ray {
                bases: bases(job.frame, square),
                second: &self.second[none + 1 - padded..=none],
                bits: &self.bits[none + 1 - padded..=none],
                key: job.key | self.bits[slot],
            };
            nearest_of_ray::<LEGAL>(
                job.entries,
                &ray,
                &mut keys[end - padded..end],
                &mut nearest[end - padded..end],
            );
            end -= placements;
            self.part_column(square, &apart);
        }
        end
    }

    /// Gives the squares to the right the shares they have beside `square`.
    /// Their order of slots ends this row's part, so its other squares, which
    /// no longer serve as second greens, may be overwritten.
    fn join_row(&mut self, frame: &Frame, slot: usize, square: usize) {
        let (row, column) = (square / SIDE, square % SIDE);
        let right = (frame.free >> (SIDE * row) & 31) >> (column + 1);
        let end = slot + 1 + ONES[right as usize];
        let partners = &frame.rows[row].pair[column];
        for (shares, partner) in self.second[end - 4..end].iter_mut().zip(partners) {
            shares[..2].copy_from_slice(partner);
        }
    }

    /// The same for the squares below; returns what to put back afterwards,
    /// because other columns still need it.
    fn join_column(&mut self, frame: &Frame, square: usize) -> [[u32; 2]; 4] {
        let partners = &frame.columns[square % SIDE].pair[square / SIDE];
        std::array::from_fn(|step| {
            let slot = usize::from(self.slot_of[square + SIDE * (step + 1)]);
            let shares = &mut self.second[slot];
            let apart = [shares[2], shares[3]];
            shares[2..].copy_from_slice(&partners[step]);
            apart
        })
    }

    fn part_column(&mut self, square: usize, apart: &[[u32; 2]; 4]) {
        for (step, apart) in apart.iter().enumerate() {
            let slot = usize::from(self.slot_of[square + SIDE * (step + 1)]);
            self.second[slot][2..].copy_from_slice(apart);
        }
    }
}

/// Addresses with the green on `square` as the first one.
fn bases(frame: &Frame, square: usize) -> [u32; 4] {
    let (row, column) = (square / SIDE, square % SIDE);
    let across = frame.rows[row].cell[column].first;
    let down = frame.columns[column].cell[row].first;
    let first = [across[0], across[1], down[0], down[1]];
    std::array::from_fn(|direction| frame.base[direction].wrapping_add(first[direction]))
}
