//! The printed generator of final states, `gen` of section 3.4.2.

use std::collections::{BTreeSet, HashSet};

use puzzle_api::Figure;

use super::finding;
use super::rows::{pack, unpack};
use super::whole::keep;
use crate::board::{self, Board, Cell, SQUARES};
use crate::rules::place_blocks;

/// The method by which `valid`, whose lines are not printed, drops symmetric boards.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Valid {
    /// Candidates that `keep` drops, and those met before.
    Keeps,
    /// Candidates with an image met before.
    Remembers,
}

impl Valid {
    fn passes(self, board: &Board, memory: &mut HashSet<u64>) -> bool {
        let number = match self {
            Self::Keeps if !keep(board) => return false,
            Self::Keeps => pack(board),
            Self::Remembers => (0..8)
                .map(|index| pack(&board::image(board, index)))
                .min()
                .unwrap_or(0),
        };
        memory.insert(number)
    }
}

/// The printed `gen`: the board if it is valid, and the boards with one more block.
fn generate(
    boards: &mut Vec<Board>,
    memory: &mut HashSet<u64>,
    blocks: &[Cell],
    at: &Board,
    valid: Valid,
) {
    if valid.passes(at, memory) {
        boards.push(*at);
    }
    let Some((&block, rest)) = blocks.split_last() else {
        return;
    };
    for square in (0..SQUARES).filter(|&square| at[square] == Cell::Empty) {
        let mut next = *at;
        next[square] = block;
        generate(boards, memory, rest, &next, valid);
    }
}

/// Section 3.4.2: grey blocks first, then blue ones around each set that was kept. Whether every
/// orbit of final states is there once, for up to two blocks of each colour.
pub(super) fn generator(valid: Valid) -> Vec<Figure> {
    let mut memory = HashSet::new();
    let (mut greys, mut found) = (Vec::new(), Vec::new());
    generate(
        &mut greys,
        &mut memory,
        &[Cell::Grey; 2],
        &board::empty_board(),
        valid,
    );
    memory.clear();
    for grey in &greys {
        generate(&mut found, &mut memory, &[Cell::Blue; 2], grey, valid);
    }
    let orbit = |board: &Board| (0..8).map(|i| pack(&board::image(board, i))).min();
    let orbits: BTreeSet<_> = found.iter().map(orbit).collect();
    let wanted: BTreeSet<_> = small_finals().iter().map(orbit).collect();
    let lost = wanted.difference(&orbits).count();
    let one_lost = wanted.difference(&orbits).next();
    let one_lost = one_lost.and_then(|orbit| unpack((*orbit)?));
    let holds = lost == 0 && found.len() == wanted.len();
    let mut figures = vec![
        Figure::new("final states generated", found.len()),
        Figure::new("wrong", lost),
        Figure::new(
            if holds {
                "tried"
            } else {
                "orbits of final states"
            },
            wanted.len(),
        ),
        Figure::new(
            "drawn",
            "Orbits of final states with up to two grey and two blue blocks",
        ),
    ];
    figures.extend(one_lost.into_iter().flat_map(|board| images_lost(&board)));
    finding(
        holds,
        figures,
        "All boards of up to two grey and two blue blocks. `valid` is called and not \
             printed. Where it drops what `keep` drops, the grey set was the smallest of its images \
             first and the whole board has to be afterwards; the smallest image of a whole board need \
             not have the smallest grey set, and then the orbit is lost. Where it remembers an image \
             of each board, every orbit is there once.",
    )
}

/// The board of a lost orbit that `keep` requires, and the one around the grey set that it kept.
fn images_lost(kept: &Board) -> [Figure; 2] {
    let greys = |board: &Board| pack(&board::grey_board(board::mask(board, Cell::Grey)));
    let images = (0..8).map(|index| board::image(kept, index));
    let generated = images.min_by_key(|image| (greys(image), pack(image)));
    [
        Figure::new(
            "a lost final state, the smallest of its images, around grey blocks that are not",
            board::draw(kept),
        ),
        Figure::new(
            "its image that is met, around the smallest grey set, and dropped",
            board::draw(&generated.unwrap_or(*kept)),
        ),
    ]
}

/// All boards with up to two grey and two blue blocks.
fn small_finals() -> Vec<Board> {
    let mut boards = Vec::new();
    for greys in 0..=2 {
        let mut each = |greys: Board| {
            for blues in 0..=2 {
                place_blocks(&greys, Cell::Blue, 0, blues, &mut |board| {
                    boards.push(board)
                });
            }
        };
        place_blocks(&board::empty_board(), Cell::Grey, 0, greys, &mut each);
    }
    boards
}
