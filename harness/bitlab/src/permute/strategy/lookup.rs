//! Tables: one of 256 words per byte, or one control word for a hardware shuffle.

use crate::permute::permutation::Permutation;
use crate::permute::program::{Program, Value};

/// For every byte of the input, a table of the destinations of its bits. Cost: 4b - 3 operations
/// for b bytes and 2 KiB of cache per byte. No other strategy without special instructions has a
/// cost that does not depend on the permutation.
pub fn byte_tables(perm: &Permutation) -> Program {
    let mut program = Program::new();
    let mut words = Vec::new();
    for first in (0..perm.len()).step_by(8) {
        let shifted = program.shift(Value::INPUT, -(first as i32));
        let index = match first + 8 >= perm.len() {
            true => shifted,
            false => program.and(shifted, 255),
        };
        let table = (0..256u64).map(|byte| perm.apply(byte << first));
        let mut entries = [0; 256];
        entries.iter_mut().zip(table).for_each(|(e, w)| *e = w);
        words.push(program.lookup(index, entries));
    }
    let result = program.or_all(&words).unwrap_or(Value::INPUT);
    program.finish(result)
}

/// AVX-512 BITALG's `vpshufbitqmb` picks 64 bits of a word at once: any permutation in three
/// instructions, and a loop over 64 bits if the processor lacks it.
pub fn bit_shuffle(perm: &Permutation) -> Program {
    let inverse = perm.inverse();
    // Bits outside the permutation are zero, and stay.
    let control = std::array::from_fn(|j| inverse.to(j) as u8);
    let mut program = Program::new();
    let result = program.shuffle(Value::INPUT, control);
    program.finish(result)
}
