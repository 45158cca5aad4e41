//! Size of a position by both keys, for every board that ships, as CSV:
//! `cargo run --release -p antipode-blocks --example codes`.

use antipode_blocks::sliding_block::huffman::Huffman;
use antipode_blocks::sliding_block::instances::{NAMED, named};

fn main() {
    println!("board,symbols,strings,rank_bits,rank_bytes,huffman_bits,huffman_bytes");
    for board in NAMED.iter().filter_map(|board| named(board.name)) {
        let alphabet = &board.alphabet;
        let rank = u128::BITS - (alphabet.total() - 1).leading_zeros();
        // Every board that ships has a code of at most 128 bits.
        let Some(code) = Huffman::new(alphabet.counts()) else {
            continue;
        };
        println!(
            "{},{},{},{rank},{},{},{}",
            board.name,
            alphabet.length(),
            alphabet.total(),
            rank.div_ceil(8),
            code.bits(),
            code.bits().div_ceil(8)
        );
    }
}
