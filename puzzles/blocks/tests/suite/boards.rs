//! Boards by name, by their cells in every form, and by draws.

use std::collections::HashMap;

use antipode_blocks::{rush_hour, simple_block, sliding_block, unit_rush_hour};
use puzzle_api::optional::*;
use puzzle_api::{Puzzle, Xorshift};

use crate::refused::refused;
use crate::twins::{both, drawn, open, starts};

#[test]
fn starts_look_as_printed() {
    for (name, text, _) in unit_rush_hour::boards::TROMP {
        assert_eq!(drawn(&open::<unit_rush_hour::Bits>(name, &[])), text);
    }
    for named in sliding_block::shipped() {
        let rows = named.text.lines().skip(1);
        let rows = rows.filter(|row| !row.starts_with("goal"));
        let printed = rows.collect::<Vec<_>>().join("/");
        assert_eq!(
            drawn(&open::<sliding_block::Bits>(named.name, &[])),
            printed
        );
    }
}

/// Cells in one line with and without the figures of the database, rows, names; in a file or not.
#[test]
fn boards_are_read_in_every_form() {
    let named: rush_hour::Rules = open("fogleman-1", &[]);
    let cells = "IBBxooIooLDDJAALooJoKEEMFFKooMGGHHHM";
    let rows: Vec<&str> = (0..6).map(|row| &cells[6 * row..6 * row + 6]).collect();
    let line = format!("60 {cells} 2332");
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("board.txt");
    let path = file.display().to_string();
    let reads = |text: &str| {
        let board = [("board", text)];
        let (rules, bits): (rush_hour::Rules, rush_hour::Bits) = both("custom", &board);
        assert_eq!(drawn(&rules), drawn(&named), "{text}");
        assert_eq!(drawn(&bits), drawn(&named), "{text}");
    };
    for text in [cells, &line, &line[..39], "fogleman-1", &rows.join("/")] {
        let read = named.parse(text).map(|state| named.key(&state));
        assert_eq!(read, Ok(starts(&named)[0]));
        reads(text);
        for remark in ["", "// the hardest\n\n", "# the hardest\n"] {
            std::fs::write(&file, remark.to_owned() + text + "\n").expect("written");
            reads(&path);
        }
    }
    std::fs::write(&file, rows.join("\n")).expect("written");
    reads(&path);
    std::fs::write(&file, [0xff, 0xfe, 0]).expect("written");
    let said = refused::<rush_hour::Rules, rush_hour::Bits>("custom", &[("board", &path)]);
    assert!(said.contains("cannot be read"), "{said}");
}

/// Tromp's program reads `=` for `-`, and rows need no `/` if the board is square. Pieces of simple
/// blocks are named by their shapes: three cells cover more of the first row than one. A census
/// reads the names of boards.
#[test]
fn boards_are_drawn_in_one_form() {
    let board: unit_rush_hour::Bits = open("custom", &[("board", "|A|=.|-||")]);
    assert_eq!(drawn(&board), "|A|/-.|/-||");
    let board: simple_block::Bits = open("custom", &[("board", "ccx./Ac.q"), ("goal", "edges")]);
    assert_eq!(drawn(&board), "BBC./AB.D");
    assert_eq!(starts(&board), [0x2230_1204]);
    let census: unit_rush_hour::Bits = open("4x4", &[]);
    let read = census.parse("tromp-4x4").map(|state| census.draw(&state));
    assert_eq!(read.as_deref(), Ok("---|/|A||/-|.|/||--"));
    let named: unit_rush_hour::Bits = open("custom", &[("board", "tromp-4x4")]);
    assert_eq!(read, Ok(drawn(&named)));
    let census: rush_hour::Bits = open("6x6", &[("walls", "1")]);
    assert!(census.parse("fogleman-1").is_ok());
    assert!(open::<rush_hour::Bits>("6x6", &[]).parse("card-7").is_ok());
}

#[test]
fn a_move_is_named_by_its_piece_though_equal_ones_pass() {
    let rules: simple_block::Rules = open("custom", &[("board", "BA./.C."), ("goal", "edges")]);
    let read = |text: &str| rules.parse(text).expect("a board");
    let from = read("BA./.C.");
    for (to, name) in [
        // No path leads around the goal piece, but the name does not depend on it.
        (".AB/.C.", Some("B right 2")),
        ("BA./C..", Some("C left 1")),
        (".AC/B..", None),
        ("BA./.C.", None),
    ] {
        assert_eq!(rules.describe_move(&from, &read(to)).as_deref(), name);
    }
}

#[test]
fn mirrors_are_found_where_they_are() {
    let mirrors = |name| open::<sliding_block::Bits>(name, &[]).symmetry_count();
    // The two corner pieces of Climb 12 are half a turn apart, not mirror images.
    assert_eq!(["donkey", "climb-12"].map(mirrors), [2, 1]);
    let mirrors = |name| open::<unit_rush_hour::Bits>(name, &[]).symmetry_count();
    assert_eq!(["4x4", "tromp-4x4"].map(mirrors), [2, 1]);
}

/// Each of n boards is drawn equally often: chi-squared is within five standard deviations of its
/// mean.
fn draws_are_uniform<P: RandomStates>(puzzle: &P, boards: u32, draws: u32) {
    let boards = f64::from(boards);
    let mut counts = HashMap::<P::Key, u32>::new();
    let mut random = Xorshift::for_draw(1, 0);
    for _ in 0..draws {
        let state = puzzle.random(&mut random).expect("a census is drawn from");
        *counts.entry(puzzle.key(&state)).or_default() += 1;
    }
    let mean = f64::from(draws) / boards;
    let missing = boards - counts.len() as f64;
    let seen = counts
        .values()
        .map(|&n| (f64::from(n) - mean).powi(2) / mean);
    let chi_squared = seen.sum::<f64>() + missing * mean;
    let off = (chi_squared - boards) / (2.0 * boards).sqrt();
    assert!(off.abs() < 5.0, "{chi_squared}");
}

#[test]
fn draws_from_censuses_are_uniform() {
    draws_are_uniform(&open::<rush_hour::Bits>("4x4", &[]), 12_383, 200_000);
    // One empty cell: 4 * 2^3 placements, of which 2 * 2^2 and 2 * 2 have no car that lies in the
    // exit's row. Two empty cells: 6 * 2^2, of which 2^2, 4 * 2 and 1 have none. Two such rows.
    let boards = 2 * (32 - 12 + 24 - 13);
    let census: unit_rush_hour::Bits = open("2x2", &[("empty", "1..2")]);
    draws_are_uniform(&census, boards, 60_000);
}
