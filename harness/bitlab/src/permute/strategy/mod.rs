//! The ways to compile a permutation, one file each.

mod as_printed;
mod benes;
mod delta;
mod grouped;
mod lookup;
mod multiply;
mod naive;
mod pack;

use super::permutation::Permutation;
use super::program::Program;
use super::route::Motion;

pub use as_printed::{THESIS_C, with_set as as_printed_with};

/// A way to compile a permutation to a [`Program`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Strategy {
    /// One masked shift per distinct distance, ORed together: 3k - 1 operations for k distances.
    Naive,
    /// The same with rotations, so that distances that differ by 64 are one.
    NaiveRotate,
    /// Thesis 3.1, corrected: stages of shared shifts in which no bit meets another.
    Grouped,
    /// The same with rotations, which no bit can fall off.
    GroupedRotate,
    /// The thesis's one-line formula, which ORs single shifts. Wrong for most permutations.
    AsPrinted,
    /// Exchanges of two masked fields a fixed distance apart, found by beam search.
    DeltaSwaps,
    /// A Beneš network in the best order of its stages: at most 11 stages, always.
    Benes,
    /// A Beneš network after or before a byte swap or rotation of the word.
    BenesPlus,
    /// `pext` and `pdep` for each of the fewest increasing subsequences.
    PextPdep,
    /// Stages that part the bits in two packs (or merge two), in order of a radix sort.
    SheepAndGoats,
    /// One table of 256 words per byte.
    ByteTables,
    /// Masked products that make several shifts at once, with no harmful carry.
    Multiply,
    /// One AVX-512 bit shuffle: any permutation, three instructions.
    BitShuffle,
}

/// A program for a permutation, and remarks on it.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The program.
    pub program: Program,
    /// A remark for the table, or empty.
    pub note: String,
}

impl Compiled {
    fn plain(program: Program) -> Self {
        Self {
            program,
            note: String::new(),
        }
    }
}

impl Strategy {
    /// All of them, in the order of the tables.
    pub const ALL: [Strategy; 13] = [
        Strategy::Naive,
        Strategy::NaiveRotate,
        Strategy::Grouped,
        Strategy::GroupedRotate,
        Strategy::AsPrinted,
        Strategy::DeltaSwaps,
        Strategy::Benes,
        Strategy::BenesPlus,
        Strategy::PextPdep,
        Strategy::SheepAndGoats,
        Strategy::ByteTables,
        Strategy::Multiply,
        Strategy::BitShuffle,
    ];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Strategy::Naive => "naive",
            Strategy::NaiveRotate => "naive-rotate",
            Strategy::Grouped => "grouped",
            Strategy::GroupedRotate => "grouped-rotate",
            Strategy::AsPrinted => "as-printed",
            Strategy::DeltaSwaps => "delta-swaps",
            Strategy::Benes => "benes",
            Strategy::BenesPlus => "benes-plus",
            Strategy::PextPdep => "pext-pdep",
            Strategy::SheepAndGoats => "sheep-and-goats",
            Strategy::ByteTables => "byte-tables",
            Strategy::Multiply => "multiply",
            Strategy::BitShuffle => "bit-shuffle",
        }
    }

    /// Compiles. Every strategy except [`AsPrinted`](Self::AsPrinted) yields a right program for
    /// every permutation; the result depends only on the permutation.
    pub fn compile(self, perm: &Permutation) -> Compiled {
        match self {
            Strategy::Naive => Compiled::plain(naive::compile(perm, Motion::Shift)),
            Strategy::NaiveRotate => Compiled::plain(naive::compile(perm, Motion::Rotate)),
            Strategy::Grouped => grouped::compile(perm, Motion::Shift),
            Strategy::GroupedRotate => grouped::compile(perm, Motion::Rotate),
            Strategy::AsPrinted => as_printed::compile(perm),
            Strategy::DeltaSwaps => delta::compile(perm),
            Strategy::Benes => benes::compile(perm),
            Strategy::BenesPlus => benes::compile_plus(perm),
            Strategy::PextPdep => pack::chains(perm),
            Strategy::SheepAndGoats => pack::sheep_and_goats(perm),
            Strategy::ByteTables => Compiled::plain(lookup::byte_tables(perm)),
            Strategy::Multiply => multiply::compile(perm),
            Strategy::BitShuffle => Compiled::plain(lookup::bit_shuffle(perm)),
        }
    }
}
