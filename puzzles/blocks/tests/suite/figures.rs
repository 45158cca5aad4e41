//! Published figures of small boards and censuses.

use antipode_blocks::{simple_block, sliding_block};
use puzzle_api::Effort;
use puzzle_api::optional::*;

use crate::twins::{fewest, open};

/// Levels of GNOME Klotski as its source draws them, with the fewest moves that it states
/// (`gnome-klotski.c` of 2.x, `minimum_moves`).
#[test]
fn levels_of_gnome_klotski_take_the_moves_that_it_names() {
    const LEVELS: [(&str, u32); 4] = [
        (
            "######\n#a**b#\n#m**n#\n#cdef#\n#ghij#\n#k  l#\n##--##\n    ..\n    ..\n",
            18,
        ),
        // Blanks at the ends of rows are missing.
        ("..\n.\n#####--\n#**aab-\n#*ccde#\n#fgh  #\n#######\n", 30),
        // Its source says 32; a plain search by the source's rules finds 31.
        (
            "######\n#abcd#\n#**ee#\n#f*g #\n#fh i-\n####--\n    ..\n     .\n",
            31,
        ),
        (
            "##..##\n#a..c#\n#abcc#\n#ddfg#\n#d**g#\n#e**h#\n######\n",
            30,
        ),
    ];
    let file = tempfile::NamedTempFile::new().expect("a file");
    let path = file.path().display().to_string();
    for (text, moves) in LEVELS {
        std::fs::write(&path, text).expect("written");
        let bits: sliding_block::Bits = open("custom", &[("board", &path)]);
        assert_eq!(fewest(&bits), moves, "{text}");
    }
}

/// With any goal piece, each placement occurs once for each of its pieces, and `derive` counts
/// placements in another way.
#[test]
fn every_placement_of_simple_blocks_is_in_a_census() {
    let mut placements = 0;
    for pieces in 1..=8 {
        let bits: simple_block::Bits = open(&format!("3x3-n{pieces}"), &[("goal", "edges")]);
        let spaces = (0..bits.part_count()).filter_map(|part| bits.space(part));
        let states: u64 = spaces.sum();
        assert_eq!(states % pieces, 0);
        placements += states / pieces;
    }
    let settings = puzzle_api::settings(&[("board", "3x3")]);
    let counted = simple_block::derive::derive("placements", &settings, Effort::Quick);
    let counted = counted.expect("derives")[0].value.parse::<u64>();
    // In addition, there is the empty board, and boards without an empty cell, which moves never
    // reach: 1,434 ways to join nine cells.
    assert_eq!(counted, Ok(placements + 1 + 1_434));
}
