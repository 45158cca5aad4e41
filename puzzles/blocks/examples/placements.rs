//! Strings and placements of every board that ships, with the time taken:
//! `cargo run --release -p antipode-blocks --example placements [NAME …]`.

use std::time::Instant;

use antipode_blocks::sliding_block::instances::{NAMED, named};
use antipode_blocks::sliding_block::placements::placements;

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let all = NAMED.iter().map(|board| board.name);
    for name in all.filter(|&name| wanted.is_empty() || wanted.iter().any(|other| other == name)) {
        let Some(board) = named(name) else { continue };
        let clock = Instant::now();
        let ways = placements(&board, 20_000_000);
        let strings = board.alphabet.total();
        println!(
            "{name}: {strings} strings, {ways:?} placements, {:?}",
            clock.elapsed()
        );
    }
}
