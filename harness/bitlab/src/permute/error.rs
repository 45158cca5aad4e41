//! What can be wrong with a permutation, each in one line that names the place and the remedy.

use thiserror::Error;

/// Why something is not a permutation, or cannot be compiled, timed or parsed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PermuteError {
    /// No bits, or more than a word holds.
    #[error("a permutation of {len} bits: give it 1 to 64")]
    Length {
        /// The length asked for.
        len: usize,
    },
    /// A destination outside the permutation.
    #[error(
        "bit {bit} goes to {dest}, outside the {len} bits: destinations are 0 to {max}",
        max = len - 1
    )]
    DestinationTooLarge {
        /// The bit.
        bit: usize,
        /// Where it was to go.
        dest: usize,
        /// How many bits there are.
        len: usize,
    },
    /// Two bits with one destination.
    #[error("bits {first} and {second} both go to {dest}: list every destination once")]
    DestinationTwice {
        /// The earlier bit.
        first: usize,
        /// The later bit.
        second: usize,
        /// Their common destination.
        dest: usize,
    },
    /// A bit number in a cycle that the permutation does not have.
    #[error("a cycle names bit {bit} of {len}: bits are 0 to {max}", max = len - 1)]
    CycleBitTooLarge {
        /// The bit.
        bit: usize,
        /// How many bits there are.
        len: usize,
    },
    /// A bit that occurs twice in the cycles.
    #[error("bit {bit} occurs twice in the cycles: name it once")]
    CycleBitTwice {
        /// The bit.
        bit: usize,
    },
    /// A board that does not fit a word.
    #[error(
        "a {width}x{height} board of {cell_bits} bits a cell does not fit a word: \
         the product must be 1 to 64"
    )]
    BoardSize {
        /// Columns.
        width: usize,
        /// Rows.
        height: usize,
        /// Bits a cell.
        cell_bits: usize,
    },
    /// A quarter turn or diagonal mirror of a board that is not square.
    #[error(
        "{symmetry} does not map a {width}x{height} board onto itself: \
         use rotate180, mirror-h or mirror-v, or a square board"
    )]
    NotSquare {
        /// Columns.
        width: usize,
        /// Rows.
        height: usize,
        /// The symmetry asked for.
        symmetry: &'static str,
    },
    /// A perfect shuffle of an odd number of bits.
    #[error("a perfect shuffle of {len} bits: give it an even number")]
    OddShuffle {
        /// The length asked for.
        len: usize,
    },
    /// A specification that cannot be read.
    #[error("permutation `{spec}`, column {column}: {what}")]
    Spec {
        /// The whole text.
        spec: String,
        /// The place in it, counted in characters from 1.
        column: usize,
        /// What is wrong there, and what to write instead.
        what: String,
    },
    /// A strategy name that is not known.
    #[error("no strategy is called `{name}`: use all, best or one of {known}")]
    UnknownStrategy {
        /// The name.
        name: String,
        /// Those that exist.
        known: String,
    },
}
