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

/// Each board is a placement for each of its pieces as the goal piece. `derive` counts the boards in
/// another way, with the one without a piece and those without an empty cell (74 on 2x3, 1,434 on
/// 3x3: the divisions of a board into connected pieces).
#[test]
fn every_placement_of_simple_blocks_is_in_a_part() {
    for (board, cells, whole) in [("2x3", 6, 74), ("3x3", 9, 1434)] {
        let boards = (1..cells).map(|pieces| {
            let name = format!("{board}-n{pieces}");
            let puzzle: simple_block::Bits = open(&name, &[("goal", "edges")]);
            let parts = 0..puzzle.part_count();
            let placements: Option<u64> = parts.map(|part| puzzle.space(part)).sum();
            placements.expect("numbered") / pieces
        });
        let settings = puzzle_api::settings(&[("board", board)]);
        let derived = simple_block::derive::derive("placements", &settings, Effort::Quick);
        let counted = boards.sum::<u64>() + whole + 1;
        assert_eq!(derived.expect("derives")[0].value, counted.to_string());
    }
}
