//! The fast variant, `bitboard`: a position is its key, three bits per disc.

use puzzle_api::{Direction, Numbering, Placement, Puzzle, Symmetry, Undirected};

use super::Rules;

/// Variant `bitboard`, opened on an instance.
pub struct Bits {
    rules: Rules,
    goal: u64,
}

fast_variant!(Bits, u64);

/// The peg of a disc.
#[inline]
fn peg(key: u64, size: usize) -> usize {
    (key >> (3 * size)) as usize & 7
}

/// The `index`-th order of some pegs, in order of the lists of digits: the image of each.
fn order(pegs: usize, mut index: usize) -> [u8; 8] {
    let mut image = [0, 1, 2, 3, 4, 5, 6, 7];
    let mut left: Vec<u8> = (0..pegs as u8).collect();
    let mut weight: usize = (1..=pegs).product();
    for (at, target) in image[..pegs].iter_mut().enumerate() {
        weight /= pegs - at;
        *target = left.remove(index / weight);
        index %= weight;
    }
    image
}

impl Bits {
    fn new(rules: Rules) -> Self {
        let goal = (0..rules.discs).fold(0, |key, _| key << 3 | (rules.pegs as u64 - 1));
        Self { rules, goal }
    }

    /// Keys of the positions after or before one move.
    #[inline]
    pub fn each_neighbour(&self, _: Direction, key: u64, mut emit: impl FnMut(u64)) {
        // From the smallest disc on: the first one met on a peg is on top of it, and may go to any
        // peg where none was met yet.
        let (mut covered, all) = (0_u32, (1_u32 << self.rules.pegs) - 1);
        for size in 0..self.rules.discs {
            let own = peg(key, size);
            if covered >> own & 1 == 1 {
                continue;
            }
            covered |= 1 << own;
            let mut free = all & !covered;
            if free == 0 {
                return;
            }
            while free != 0 {
                let to = free.trailing_zeros() as usize;
                free &= free - 1;
                emit(key ^ ((own ^ to) as u64) << (3 * size));
            }
        }
    }
}

/// A disc can go back to where it came from.
impl Undirected for Bits {}

impl Symmetry for Bits {
    fn symmetry_count(&self) -> u32 {
        (1..self.rules.pegs as u32).product()
    }

    fn image(&self, state: &u64, index: u32) -> u64 {
        let image = order(self.rules.pegs - 1, index as usize);
        let sizes = 0..self.rules.discs;
        sizes.fold(0, |key, size| {
            key | u64::from(image[peg(*state, size)]) << (3 * size)
        })
    }

    fn canonical(&self, state: &u64) -> u64 {
        self.canonical_and_size(state).0
    }

    fn orbit_size(&self, state: &u64) -> u32 {
        self.canonical_and_size(state).1
    }

    /// Pegs except the last are numbered in the order in which the largest disc and those after it
    /// need them.
    fn canonical_and_size(&self, state: &u64) -> (u64, u32) {
        let last = self.rules.pegs - 1;
        let mut names = [u64::MAX; 8];
        names[last] = last as u64;
        let (mut used, mut key, mut size_of_orbit) = (0, 0, 1);
        for size in (0..self.rules.discs).rev() {
            let name = &mut names[peg(*state, size)];
            if *name == u64::MAX {
                *name = used as u64;
                size_of_orbit *= (last - used) as u32;
                used += 1;
            }
            key |= *name << (3 * size);
        }
        (key, size_of_orbit)
    }
}

impl Numbering for Bits {
    fn space(&self, part: u64) -> Option<u64> {
        self.rules.space(part)
    }

    #[inline]
    fn place(&self, state: &u64) -> Option<Placement> {
        let (pegs, sizes) = (self.rules.pegs as u64, (0..self.rules.discs).rev());
        let rank = sizes.fold(0, |rank, size| rank * pegs + peg(*state, size) as u64);
        Some(Placement { part: 0, rank })
    }

    #[inline]
    fn unrank(&self, placement: Placement) -> Option<u64> {
        let (pegs, mut rest, mut key) = (self.rules.pegs as u64, placement.rank, 0);
        for size in 0..self.rules.discs {
            key |= (rest % pegs) << (3 * size);
            rest /= pegs;
        }
        (rest == 0 && placement.part == 0).then_some(key)
    }
}
