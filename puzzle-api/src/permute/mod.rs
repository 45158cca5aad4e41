//! Permutations of bits, compiled to short programs of word operations.
