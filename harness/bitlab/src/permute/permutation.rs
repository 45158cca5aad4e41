//! A permutation of the bits of a word, and the ways to name one.

use super::error::PermuteError;

/// The widest permutation: the bits of one machine word.
pub const MAX_BITS: usize = 64;

/// A permutation of the `len` lowest bits of a word: bit `i` goes to bit [`to(i)`](Self::to).
///
/// Bit 0 is the least significant one. Bits from `len` upwards are not part of the permutation:
/// [`apply`](Self::apply) drops them. A compiled [`Program`](super::Program) needs a word in which
/// they are zero, as in every board of `len` bits, and may work in them.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Permutation {
    len: u8,
    to: [u8; MAX_BITS],
}

/// A symmetry of a rectangular board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Symmetry {
    /// Every cell stays.
    Identity,
    /// A quarter turn clockwise (square boards).
    Rotate90,
    /// A half turn.
    Rotate180,
    /// A quarter turn counter-clockwise (square boards).
    Rotate270,
    /// Left and right change places (thesis: `mirr_v`, mirrored in the vertical axis).
    MirrorH,
    /// Top and bottom change places.
    MirrorV,
    /// Rows become columns: mirrored in the main diagonal (square boards).
    Transpose,
    /// Mirrored in the other diagonal (square boards).
    AntiTranspose,
}

impl Symmetry {
    /// All eight, the identity first.
    pub const ALL: [Symmetry; 8] = [
        Symmetry::Identity,
        Symmetry::Rotate90,
        Symmetry::Rotate180,
        Symmetry::Rotate270,
        Symmetry::MirrorH,
        Symmetry::MirrorV,
        Symmetry::Transpose,
        Symmetry::AntiTranspose,
    ];

    /// The name used in a specification.
    pub fn name(self) -> &'static str {
        match self {
            Symmetry::Identity => "identity",
            Symmetry::Rotate90 => "rotate90",
            Symmetry::Rotate180 => "rotate180",
            Symmetry::Rotate270 => "rotate270",
            Symmetry::MirrorH => "mirror-h",
            Symmetry::MirrorV => "mirror-v",
            Symmetry::Transpose => "transpose",
            Symmetry::AntiTranspose => "anti-transpose",
        }
    }

    /// The symmetry of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|s| s.name() == name)
    }

    /// Whether it maps only square boards onto themselves.
    pub fn needs_square(self) -> bool {
        matches!(
            self,
            Symmetry::Rotate90
                | Symmetry::Rotate270
                | Symmetry::Transpose
                | Symmetry::AntiTranspose
        )
    }

    /// The image of the cell in column `x` of row `y` (row 0 is the top, column 0 the left).
    pub fn cell(self, x: usize, y: usize, width: usize, height: usize) -> (usize, usize) {
        let (right, bottom) = (width - 1, height - 1);
        match self {
            Symmetry::Identity => (x, y),
            Symmetry::Rotate90 => (bottom - y, x),
            Symmetry::Rotate180 => (right - x, bottom - y),
            Symmetry::Rotate270 => (y, right - x),
            Symmetry::MirrorH => (right - x, y),
            Symmetry::MirrorV => (x, bottom - y),
            Symmetry::Transpose => (y, x),
            Symmetry::AntiTranspose => (bottom - y, right - x),
        }
    }
}

impl std::fmt::Debug for Permutation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Permutation({})", self.cycles_text())
    }
}

impl Permutation {
    /// The identity of `len` bits.
    pub fn identity(len: usize) -> Result<Self, PermuteError> {
        check_len(len)?;
        Ok(Self {
            len: len as u8,
            to: std::array::from_fn(|i| i as u8),
        })
    }

    /// From the list of destinations: bit `i` goes to `to[i]`.
    pub fn from_list(to: &[usize]) -> Result<Self, PermuteError> {
        let mut perm = Self::identity(to.len())?;
        let mut source = [None; MAX_BITS];
        for (i, &dest) in to.iter().enumerate() {
            if dest >= to.len() {
                let (len, max) = (to.len(), to.len() - 1);
                return wrong(format!(
                    "bit {i} goes to {dest}, outside the {len} bits: destinations are 0 to {max}"
                ));
            }
            if let Some(first) = source[dest].replace(i) {
                return wrong(format!(
                    "bits {first} and {i} both go to {dest}: list every destination once"
                ));
            }
            perm.to[i] = dest as u8;
        }
        Ok(perm)
    }

    /// From cycles: `[0, 3, 1]` sends bit 0 to 3, 3 to 1 and 1 to 0. Bits in no cycle stay.
    pub fn from_cycles(len: usize, cycles: &[Vec<usize>]) -> Result<Self, PermuteError> {
        let mut perm = Self::identity(len)?;
        let mut seen = 0u64;
        for cycle in cycles {
            for (i, &bit) in cycle.iter().enumerate() {
                if bit >= len {
                    let max = len - 1;
                    return wrong(format!(
                        "a cycle names bit {bit} of {len}: bits are 0 to {max}"
                    ));
                }
                if seen >> bit & 1 == 1 {
                    return wrong(format!(
                        "bit {bit} occurs twice in the cycles: name it once"
                    ));
                }
                seen |= 1 << bit;
                // A later element that is too large is reported on its own turn.
                perm.to[bit] = cycle[(i + 1) % cycle.len()] as u8;
            }
        }
        Ok(perm)
    }

    /// A symmetry of a `width` x `height` board with `cell_bits` bits per cell.
    ///
    /// Cells are numbered row by row from the top left, cell `c` holds bits `c * cell_bits` and up,
    /// and the bits inside a cell keep their order. The thesis numbers from the most significant
    /// bit instead. The half turn commutes with every symmetry, so the list of destinations is the
    /// same, and only its shifts point the other way.
    pub fn from_symmetry(
        width: usize,
        height: usize,
        cell_bits: usize,
        symmetry: Symmetry,
    ) -> Result<Self, PermuteError> {
        let cells = width.checked_mul(height);
        let bits = cells.and_then(|c| c.checked_mul(cell_bits)).unwrap_or(0);
        if !(1..=MAX_BITS).contains(&bits) {
            return wrong(format!(
                "a {width}x{height} board of {cell_bits} bits a cell does not fit a word: the \
                 product must be 1 to 64"
            ));
        }
        if symmetry.needs_square() && width != height {
            return wrong(format!(
                "{} does not map a {width}x{height} board onto itself: use rotate180, mirror-h or \
                 mirror-v, or a square board",
                symmetry.name()
            ));
        }
        let mut perm = Self::identity(bits)?;
        for cell in 0..width * height {
            let (x, y) = symmetry.cell(cell % width, cell / width, width, height);
            for bit in 0..cell_bits {
                perm.to[cell * cell_bits + bit] = ((y * width + x) * cell_bits + bit) as u8;
            }
        }
        Ok(perm)
    }

    /// Bit `i` goes to `len - 1 - i`.
    pub fn reverse(len: usize) -> Result<Self, PermuteError> {
        Self::from_fn(len, |i| len - 1 - i)
    }

    /// Bit `i` goes to `(i + by) mod len`.
    pub fn rotate(len: usize, by: usize) -> Result<Self, PermuteError> {
        Self::from_fn(len, |i| (i + by % len) % len)
    }

    /// The outer perfect shuffle of an even number of bits: the low half goes to the even places.
    pub fn shuffle(len: usize) -> Result<Self, PermuteError> {
        if !len.is_multiple_of(2) {
            return wrong(format!(
                "a perfect shuffle of {len} bits: give it an even number"
            ));
        }
        Self::from_fn(len, |i| {
            if i < len / 2 {
                2 * i
            } else {
                2 * (i - len / 2) + 1
            }
        })
    }

    /// A permutation drawn by Fisher and Yates from SplitMix64, the same on every machine.
    pub fn random(len: usize, seed: u64) -> Result<Self, PermuteError> {
        let mut perm = Self::identity(len)?;
        let mut words = SplitMix64::new(seed);
        for i in (1..len).rev() {
            let j = words.below(i as u64 + 1) as usize;
            perm.to.swap(i, j);
        }
        Ok(perm)
    }

    fn from_fn(len: usize, to: impl Fn(usize) -> usize) -> Result<Self, PermuteError> {
        check_len(len)?;
        Self::from_list(&(0..len).map(to).collect::<Vec<_>>())
    }

    /// The number of bits that it permutes.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        usize::from(self.len)
    }

    /// The destination of bit `i` (bits outside the permutation stay).
    pub fn to(&self, i: usize) -> usize {
        self.to.get(i).map_or(i, |&t| usize::from(t))
    }

    /// The list of destinations.
    pub fn destinations(&self) -> &[u8] {
        &self.to[..self.len()]
    }

    /// A word with every permuted bit set.
    pub fn domain(&self) -> u64 {
        low_bits(self.len())
    }

    /// The literal twin of every compiled program: one bit after another, index by index.
    pub fn apply(&self, word: u64) -> u64 {
        let mut out = 0;
        for (i, &t) in self.destinations().iter().enumerate() {
            out |= (word >> i & 1) << t;
        }
        out
    }

    /// The permutation that undoes this one.
    pub fn inverse(&self) -> Self {
        let mut inverse = *self;
        for (i, &t) in self.destinations().iter().enumerate() {
            inverse.to[usize::from(t)] = i as u8;
        }
        inverse
    }

    /// First this one, then `next`; `None` if the lengths differ.
    pub fn then(&self, next: &Self) -> Option<Self> {
        let mut both = *self;
        for t in &mut both.to {
            *t = next.to[usize::from(*t)];
        }
        (self.len == next.len).then_some(both)
    }

    /// The distance that bit `i` moves; positive towards the more significant end (a left shift).
    pub fn distance(&self, i: usize) -> i32 {
        self.to(i) as i32 - i as i32
    }

    /// The distinct distances in ascending order: the thesis's set V, 0 included if a bit stays.
    pub fn distances(&self) -> Vec<i32> {
        let mut all: Vec<i32> = (0..self.len()).map(|i| self.distance(i)).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The bits that move by `distance`, as a mask of where they start.
    pub fn movers(&self, distance: i32) -> u64 {
        (0..self.len())
            .filter(|&i| self.distance(i) == distance)
            .fold(0, |mask, i| mask | 1 << i)
    }

    /// The cycles of two or more bits, each from its smallest bit, such as `(0 3 1)(2 5)`.
    pub fn cycles_text(&self) -> String {
        let mut text = String::new();
        let mut seen = 0u64;
        for start in 0..self.len() {
            if seen >> start & 1 == 1 || self.to(start) == start {
                continue;
            }
            let mut cycle = Vec::new();
            let mut bit = start;
            while seen >> bit & 1 == 0 {
                seen |= 1 << bit;
                cycle.push(bit.to_string());
                bit = self.to(bit);
            }
            text.push_str(&format!("({})", cycle.join(" ")));
        }
        if text.is_empty() {
            text.push_str("()");
        }
        text
    }
}

fn check_len(len: usize) -> Result<(), PermuteError> {
    match (1..=MAX_BITS).contains(&len) {
        true => Ok(()),
        false => wrong(format!("a permutation of {len} bits: give it 1 to 64")),
    }
}

fn wrong<T>(what: String) -> Result<T, PermuteError> {
    Err(PermuteError::Wrong(what))
}

/// The `count` lowest bits set (all of them from 64 up).
pub(crate) fn low_bits(count: usize) -> u64 {
    if count >= 64 { !0 } else { (1 << count) - 1 }
}

/// SplitMix64 (Steele, Lea and Flood 2014): enough for test words, and the same everywhere.
#[derive(Clone, Debug)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// Starts from a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next word.
    pub fn next_word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A number below `bound` (which must not be 0), by the widening product.
    pub fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next_word()) * u128::from(bound)) >> 64) as u64
    }
}
