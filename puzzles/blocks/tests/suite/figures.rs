//! Published figures of small boards and censuses.

use std::collections::BTreeMap;

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

/// Every way to divide the cells from one on among pieces, some cells empty.
fn divided(
    cells: std::ops::Range<usize>,
    pieces: &mut Vec<Vec<usize>>,
    empty: usize,
    emit: &mut dyn FnMut(&[Vec<usize>], usize),
) {
    let (cell, rest) = (cells.start, cells.start + 1..cells.end);
    if cells.is_empty() {
        return emit(pieces, empty);
    }
    divided(rest.clone(), pieces, empty + 1, emit);
    for at in 0..pieces.len() {
        pieces[at].push(cell);
        divided(rest.clone(), pieces, empty, emit);
        pieces[at].pop();
    }
    pieces.push(vec![cell]);
    divided(rest, pieces, empty, emit);
    pieces.pop();
}

/// The rows of a piece's shape, and whether it covers the lower right corner of its rectangle.
fn shape(cells: &[usize], columns: usize) -> (String, bool) {
    let [rows, across] = [|cell, n| cell / n, |cell, n| cell % n]
        .map(|part: fn(usize, usize) -> usize| cells.iter().map(move |&cell| part(cell, columns)));
    let (top, bottom) = (rows.clone().min().unwrap(), rows.max().unwrap());
    let (left, right) = (across.clone().min().unwrap(), across.max().unwrap());
    let mark = |cell| if cells.contains(&cell) { 'A' } else { '.' };
    let row = |row| (left..=right).map(|at| mark(row * columns + at)).collect();
    let rows: Vec<String> = (top..=bottom).map(row).collect();
    (rows.join("/"), cells.contains(&(bottom * columns + right)))
}

/// Whether steps inside a set lead from its first cell to all.
fn connected(cells: &[usize], columns: usize) -> bool {
    let mut reached = vec![cells[0]];
    for _ in cells {
        let near = |from: usize, to: usize| {
            from.abs_diff(to) == columns || from.abs_diff(to) == 1 && from / columns == to / columns
        };
        let next = |to: &usize| reached.iter().any(|&from| near(from, *to));
        let next: Vec<usize> = cells.iter().copied().filter(next).collect();
        reached.extend(next);
    }
    cells.iter().all(|cell| reached.contains(cell))
}

/// Boards by the name of their part.
type Parts = BTreeMap<String, u64>;

fn parts<P: Numbering>(instance: &str, goal: &str) -> Parts {
    let puzzle: P = open(instance, &[("goal", goal)]);
    let part = |part| {
        (
            puzzle.part_name(part),
            puzzle.space(part).expect("numbered"),
        )
    };
    let parts: Parts = (0..puzzle.part_count()).map(part).collect();
    assert_eq!(parts.len() as u64, puzzle.part_count());
    parts
}

/// Each division of the cells among pieces is a placement for each of its pieces as the goal piece.
/// No part is empty, and `derive` counts the placements in another way.
#[test]
fn every_placement_of_simple_blocks_is_in_a_part() {
    for (rows, columns) in [(2, 3), (3, 3), (2, 5)] {
        let (mut placements, mut counted) = (0, BTreeMap::<(usize, bool), Parts>::new());
        divided(
            0..rows * columns,
            &mut Vec::new(),
            0,
            &mut |pieces, empty| {
                if !pieces.iter().all(|piece| connected(piece, columns)) {
                    return;
                }
                placements += 1;
                // Moves never reach a board without an empty cell.
                for goal in pieces.iter().filter(|_| empty > 0) {
                    let (shape, corner) = shape(goal, columns);
                    for goals in [true, false].into_iter().filter(|goals| corner || !goals) {
                        let parts = counted.entry((pieces.len(), goals)).or_default();
                        *parts.entry(format!("{shape} {empty} empty")).or_default() += 1;
                    }
                }
            },
        );
        for ((pieces, corner), expected) in counted {
            let instance = &format!("{rows}x{columns}-n{pieces}");
            let goal = if corner { "corner" } else { "edges" };
            let listed = parts::<simple_block::Rules>(instance, goal);
            assert_eq!(listed, expected, "{instance} {goal}");
            assert_eq!(parts::<simple_block::Bits>(instance, goal), expected);
        }
        if rows * columns < 10 {
            let settings = puzzle_api::settings(&[("board", &*format!("{rows}x{columns}"))]);
            let derived = simple_block::derive::derive("placements", &settings, Effort::Quick);
            assert_eq!(derived.expect("derives")[0].value, placements.to_string());
        }
    }
}
