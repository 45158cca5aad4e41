//! The fast variant, `bitboard`: a position is its key, three bits per disc.

use std::sync::OnceLock;

use puzzle_api::{
    BadInput, Direction, Fast, Form, Neighbours, Numbering, Placement, Symmetry, Undirected, Want,
};

use super::Rules;

/// Most positions of the discs that lie on top.
const MOST_TOPS: u64 = 1 << 12;
/// The lowest bit of each disc in a key.
const LOWEST: u64 = 0o1111_1111_1111_1111_1111;
/// Pairs of six pegs.
const MOST_PAIRS: usize = 15;

/// Variant `bitboard`, opened on an instance.
pub struct Bits {
    rules: Rules,
    goal: u64,
    /// By number of pegs except the last that hold discs.
    orbit_sizes: [u32; 6],
    /// By rank of the smallest discs alone, as many as [`MOST_TOPS`] allows: [`Bits::moves`].
    tops: OnceLock<Vec<Moves>>,
}

/// The key of some discs, and for each pair of pegs what the move between them adds to the rank.
type Moves = (u64, [i64; MOST_PAIRS]);

/// The peg of a disc.
#[inline]
fn peg(key: u64, size: usize) -> usize {
    (key >> (3 * size)) as usize & 7
}

/// By step, the lower of each two groups of 2, 4, 8, 16 or 32 bits, half as many bits apart.
const LOWER: [u64; 5] = [
    0x30c3_0c30_c30c_30c3,
    0xf00f_00f0_0f00_f00f,
    0x00ff_0000_ff00_00ff,
    0xffff_0000_0000_ffff,
    0xffff_ffff,
];

/// A key with two bits per disc instead of three: a rank, for four pegs.
#[inline]
fn squeezed(key: u64) -> u64 {
    let step = |key, at: usize| key & LOWER[at] | key >> (1 << at) & LOWER[at] << (2 << at);
    (0..5).fold(key, step)
}

/// The inverse of [`squeezed`].
#[inline]
fn stretched(rank: u64) -> u64 {
    let step = |rank, at: usize| rank & LOWER[at] | (rank & LOWER[at] << (2 << at)) << (1 << at);
    (0..5).rev().fold(rank, step)
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
    /// The moves of discs of some sizes alone, by the digits of their pegs; 0 between two pegs
    /// without any of them.
    fn moves(&self, mut digits: u64, sizes: std::ops::Range<usize>) -> Moves {
        let pegs = self.rules.pegs;
        let (mut key, mut tops) = (0, [0; 8]);
        for size in sizes {
            let own = digits % pegs as u64;
            digits /= pegs as u64;
            key |= own << (3 * size);
            let top = &mut tops[own as usize];
            if *top == 0 {
                *top = (pegs as i64).pow(size as u32);
            }
        }
        let pairs = (0..pegs).flat_map(|to| (0..to).map(move |from| (from, to)));
        let mut moves = [0; MOST_PAIRS];
        for (change, (from, to)) in moves.iter_mut().zip(pairs) {
            // The smaller of two discs moves; 0 is none, and wraps to the largest.
            let (left, right) = (tops[from] as u64, tops[to] as u64);
            *change = match left.wrapping_sub(1) < right.wrapping_sub(1) {
                true => tops[from] * (to - from) as i64,
                false => -tops[to] * (to - from) as i64,
            };
        }
        (key, moves)
    }

    /// Passes on the key after each move, and whether the largest discs of the pegs except the last
    /// stay where they are.
    #[inline]
    fn each_move(&self, key: u64, on: &[u64; 6], mut emit: impl FnMut(u64, bool)) {
        // The smallest disc on a peg where none was met yet is on top of it, and may go to any other
        // such peg.
        let last = self.rules.pegs - 1;
        let mut left = on.iter().fold(0, |all, on| all | on);
        let mut free = (1_u32 << self.rules.pegs) - 1;
        while left != 0 {
            let disc = left & left.wrapping_neg();
            let own = peg(key, (disc.trailing_zeros() / 3) as usize);
            left &= !on[own];
            free &= !(1 << own);
            let mut targets = free;
            while targets != 0 {
                let to = targets.trailing_zeros() as usize;
                targets &= targets - 1;
                let keeps = (own == last || on[own] != disc) && (to == last || on[to] != 0);
                emit(key ^ ((own ^ to) as u64 * disc), keeps);
            }
        }
    }

    /// Whether the pegs except the last are in the order of their largest discs.
    #[inline]
    fn is_ordered(&self, on: &[u64; 6]) -> bool {
        on[..self.rules.pegs - 1].is_sorted_by(|one, next| one >= next)
    }

    /// By peg, the lowest bits of its discs in a key.
    #[inline]
    fn discs_on(&self, key: u64) -> [u64; 6] {
        let ones = ((1 << (3 * self.rules.discs)) - 1) & LOWEST;
        let [one, two, four] = [0, 1, 2].map(|bit| key >> bit);
        std::array::from_fn(|peg| {
            let not = |bit: u32| (peg as u64 >> bit & 1).wrapping_sub(1);
            (one ^ not(0)) & (two ^ not(1)) & (four ^ not(2)) & ones
        })
    }
}

impl Fast for Bits {
    type Rules = Rules;

    fn new(rules: Rules) -> Result<Self, BadInput> {
        let goal = (0..rules.discs).fold(0, |key, _| key << 3 | (rules.pegs as u64 - 1));
        let others = rules.pegs - 1;
        let size_of_orbit = |used| (others.saturating_sub(used) + 1..=others).product::<usize>();
        Ok(Self {
            orbit_sizes: std::array::from_fn(|used| size_of_orbit(used) as u32),
            rules,
            goal,
            tops: OnceLock::new(),
        })
    }

    fn rules(&self) -> &Rules {
        &self.rules
    }

    #[inline]
    fn each_neighbour(&self, _: Direction, key: u64, mut emit: impl FnMut(u64)) {
        self.each_move(key, &self.discs_on(key), |next, _| emit(next));
    }

    fn solves(&self, key: u64) -> bool {
        key == self.goal
    }

    fn lists(&self, form: Form) -> bool {
        form == Form::All || form == Form::Orbits
    }

    fn list(&self, want: Want, keys: &[u64], out: &mut Neighbours<u64>) {
        let all = want.form == Form::All;
        for &key in keys {
            let on = self.discs_on(key);
            let ordered = self.is_ordered(&on);
            self.each_move(key, &on, |next, keeps| {
                let stays = all || (ordered && keeps);
                out.keys
                    .push(if stays { next } else { self.canonical(&next) });
            });
            out.end();
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
        let on = self.discs_on(*state);
        let used = on[..last].iter().filter(|&&own| own != 0).count();
        let size_of_orbit = self.orbit_sizes[used];
        // Most neighbours of a representative are representatives.
        if self.is_ordered(&on) {
            return (*state, size_of_orbit);
        }
        // As many pegs as its name have a larger disc at the bottom.
        let key = on[..last].iter().fold(on[last] * last as u64, |key, own| {
            let name = on[..last].iter().filter(|&other| other > own).count();
            key | (own * name as u64)
        });
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
        let rank = match pegs {
            4 => squeezed(*state),
            _ => sizes.fold(0, |rank, size| rank * pegs + peg(*state, size) as u64),
        };
        Some(Placement { part: 0, rank })
    }

    #[inline]
    fn unrank(&self, placement: Placement) -> Option<u64> {
        let (pegs, mut rest, mut key) = (self.rules.pegs as u64, placement.rank, 0);
        if pegs == 4 {
            let here = placement.part == 0 && rest >> (2 * self.rules.discs) == 0;
            return here.then(|| stretched(rest));
        }
        for size in 0..self.rules.discs {
            key |= (rest % pegs) << (3 * size);
            rest /= pegs;
        }
        (rest == 0 && placement.part == 0).then_some(key)
    }

    /// A disc that moves changes one digit of the rank, and the smallest discs hide most others:
    /// ranks that share those others differ in one table.
    fn neighbour_ranks(
        &self,
        _: Direction,
        _part: u64,
        ranks: &[u64],
        keys: Option<&mut Vec<u64>>,
        out: &mut Vec<u64>,
    ) -> bool {
        let (pegs, discs) = (self.rules.pegs, self.rules.discs);
        let many = (0..discs).find(|&size| (pegs as u64).pow(size as u32 + 1) > MOST_TOPS);
        let (upper, pairs) = (many.unwrap_or(discs), pegs * (pegs - 1) / 2);
        let width = (pegs as u64).pow(upper as u32);
        let tops = self
            .tops
            .get_or_init(|| (0..width).map(|top| self.moves(top, 0..upper)).collect());
        let mut unasked = Vec::new();
        let keys = keys.unwrap_or(&mut unasked);
        let (mut first, mut below) = (0, self.moves(0, upper..discs));
        let size = self.space(0).unwrap_or(0);
        for &rank in ranks.iter().filter(|&&rank| rank < size) {
            if rank.wrapping_sub(first) >= width {
                first = rank - rank % width;
                below = self.moves(rank / width, upper..discs);
            }
            let (key, moves) = &tops[(rank - first) as usize];
            keys.push(key | below.0);
            let all = moves[..pairs].iter().zip(&below.1);
            let all = all.map(|(&top, &low)| if top == 0 { low } else { top });
            let next = all.map(|change| rank.wrapping_add_signed(change));
            out.extend(next.filter(|&next| next != rank));
        }
        true
    }
}
