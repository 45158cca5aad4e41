//! Counts of boards, by closed formulas: sums of binomials, and Burnside's lemma for counts up to
//! symmetry. That is the mean, over the eight symmetries, of the number of boards that each one
//! fixes.

use std::collections::BTreeSet;

use puzzle_api::rank::binomial;
use puzzle_api::{BadInput, Figure, Parameters};

use super::explained;
use crate::board::{self, Board, Cell, HOLE, SIDE, SQUARES, key};
use crate::instances::{Limits, Span, THESIS_B};

/// Lengths of the cycles in which a symmetry moves the 24 squares around the hole.
fn cycles(to: &[usize; SQUARES]) -> Vec<usize> {
    let mut seen = [false; SQUARES];
    let mut lengths = Vec::new();
    for start in (0..SQUARES).filter(|&square| square != HOLE) {
        let (mut square, mut length) = (start, 0);
        while !seen[square] {
            seen[square] = true;
            length += 1;
            square = to[square];
        }
        if length > 0 {
            lengths.push(length);
        }
    }
    lengths
}

/// Ways to fill cycles so that each has one content, with at most n greys, blues and greens: the
/// boards that the symmetry fixes.
fn fixed(cycles: &[usize], limits: &Limits) -> u64 {
    let most = [limits.grey, limits.blue, limits.green].map(|span| span.max as usize);
    let [a, b, c] = most;
    let at = |a: usize, b: usize, c: usize| (a * (most[1] + 1) + b) * (most[2] + 1) + c;
    let mut ways = vec![0_u64; at(a, b, c) + 1];
    ways[0] = 1;
    for &length in cycles {
        // From many blocks to few, so that every cycle is filled once.
        for grey in (0..=a).rev() {
            for blue in (0..=b).rev() {
                for green in (0..=c).rev() {
                    let mut more = 0;
                    if grey >= length {
                        more += ways[at(grey - length, blue, green)];
                    }
                    if blue >= length {
                        more += ways[at(grey, blue - length, green)];
                    }
                    if green >= length {
                        more += ways[at(grey, blue, green - length)];
                    }
                    ways[at(grey, blue, green)] += more;
                }
            }
        }
    }
    ways.iter().sum()
}

/// Boards within limits that start at 0, all of them and up to symmetry.
fn states_and_orbits(limits: &Limits) -> (u64, u64) {
    let symmetries = squares_of_symmetries();
    let fixed: Vec<u64> = symmetries
        .iter()
        .map(|to| fixed(&cycles(to), limits))
        .collect();
    (fixed[0], fixed.iter().sum::<u64>() / 8)
}

const NONE: Span = Span::new(0, 0);

/// Section 2.1: the printed triple sum.
pub(super) fn configurations() -> Vec<Figure> {
    let mut sum = 0;
    for a in 0..=6 {
        for b in 0..=4 {
            for c in 0..=2 {
                sum += binomial(24, a) * binomial(24 - a, b) * binomial(24 - a - b, c);
            }
        }
    }
    explained(
        vec![Figure::new("value", sum)],
        "The printed triple sum over 0-6 grey, 0-4 blue and 0-2 green blocks on 24 squares, \
         evaluated as it stands. It counts every placement once, symmetric ones apart.",
    )
}

/// Boards within limits, up to symmetry.
fn orbits(limits: &Limits, explanation: &str) -> Vec<Figure> {
    let (states, orbits) = states_and_orbits(limits);
    let figures = vec![
        Figure::new("value", orbits),
        Figure::new("without symmetry", states),
    ];
    explained(figures, explanation)
}

/// Section 3.4.2: sets of grey blocks, up to symmetry.
pub(super) fn grey_configurations() -> Vec<Figure> {
    let limits = Limits {
        blue: NONE,
        green: NONE,
        ..Limits::BOX
    };
    orbits(
        &limits,
        "Sets of up to six grey squares that no symmetry turns into each other, by Burnside's \
         lemma. The section removes symmetric duplicates, so this is the count it means.",
    )
}

/// Section 3.4.2: boards without greens, up to symmetry.
pub(super) fn final_states() -> Vec<Figure> {
    let limits = Limits {
        green: NONE,
        ..Limits::BOX
    };
    orbits(
        &limits,
        "Boards of up to six grey and four blue blocks and no green one, up to symmetry, by \
         Burnside's lemma. The section removes symmetric duplicates here too.",
    )
}

/// Section 5.2: boards of the box up to symmetry.
pub(super) fn box_orbits() -> Vec<Figure> {
    orbits(
        &Limits::BOX,
        "All boards of the box up to symmetry, solvable or not, by Burnside's lemma. A search \
         from the solved boards meets the solvable ones only.",
    )
}

/// Section 3.2: the share of boards that are not the smallest of their orbit.
pub(super) fn dropped_by_symmetry(parameters: &Parameters<'_>) -> Result<Vec<Figure>, BadInput> {
    let mut shown = Vec::new();
    let (states, orbits) = match parameters.one_of("boards")? {
        "box" => {
            shown = images(THESIS_B);
            states_and_orbits(&Limits::BOX)
        }
        // Any content on each square.
        _ => {
            let all = Span::new(0, 24);
            states_and_orbits(&Limits {
                grey: all,
                blue: all,
                green: all,
            })
        }
    };
    let share = 1.0 - orbits as f64 / states as f64;
    let mut figures = vec![
        Figure::number("value", share),
        Figure::new("dropped", states - orbits),
        Figure::new("of", states),
        Figure::new("seven eighths", "0.875"),
    ];
    figures.append(&mut shown);
    Ok(explained(
        figures,
        "One board of every orbit is kept, so the share dropped is 1 - orbits / boards, exactly, \
         by Burnside's lemma. It stays below 7/8 because symmetric boards have smaller orbits.",
    ))
}

/// The image of each square under each symmetry, by the rulebook on a board with one block.
fn squares_of_symmetries() -> Vec<[usize; SQUARES]> {
    let to = |index: u32| {
        std::array::from_fn(|square| {
            let mut board = board::empty_board();
            if square == HOLE {
                return HOLE;
            }
            board[square] = Cell::Grey;
            let image = board::image(&board, index);
            (0..SQUARES)
                .find(|&at| image[at] == Cell::Grey)
                .unwrap_or(HOLE)
        })
    };
    (0..8).map(to).collect()
}

/// All boards with at most one block of each colour.
fn small_boards() -> impl Iterator<Item = Board> {
    let free = || {
        let squares = (0..SQUARES).filter(|&square| square != HOLE);
        std::iter::once(None).chain(squares.map(Some))
    };
    let three = free().flat_map(move |a| free().flat_map(move |b| free().map(move |c| [a, b, c])));
    three.filter_map(|places| {
        let mut board = board::empty_board();
        for (place, block) in places
            .into_iter()
            .zip([Cell::Grey, Cell::Blue, Cell::Green])
        {
            if let Some(square) = place {
                if board[square] != Cell::Empty {
                    return None;
                }
                board[square] = block;
            }
        }
        Some(board)
    })
}

/// Section 3.2: of the other images of a board, exactly one passes `keep`. The symmetries are shown
/// to be a group that moves squares whatever their contents. In such an orbit, the board with the
/// smallest number is the only one without a smaller image.
pub(super) fn keep() -> Vec<Figure> {
    let to = squares_of_symmetries();
    let composed = |a: &[usize; SQUARES], b: &[usize; SQUARES]| a.map(|square| b[square]);
    let identity = std::array::from_fn(|square| square);
    let different: BTreeSet<_> = to.iter().collect();
    let closed = to
        .iter()
        .all(|a| to.iter().all(|b| different.contains(&composed(a, b))));
    let group = different.len() == 8 && different.contains(&identity) && closed;
    let (mut boards, mut moved, mut wrong) = (0_u64, true, 0_u64);
    for board in small_boards() {
        boards += 1;
        let images: BTreeSet<u64> = (0..8).map(|i| key(&board::image(&board, i))).collect();
        for (index, to) in (0..).zip(&to) {
            let image = board::image(&board, index);
            moved &= (0..SQUARES).all(|square| image[to[square]] == board[square]);
        }
        let kept = images.iter().filter(|&&image| {
            let board = board::from_key(image);
            key(&board) == image && (1..8).all(|i| key(&board::image(&board, i)) >= image)
        });
        wrong += u64::from(kept.count() != 1);
    }
    explained(
        vec![
            Figure::new("value", group && moved && wrong == 0),
            // A proof for a group of eight.
            Figure::new("all", to.len()),
            Figure::new("boards tried", boards),
            Figure::new("orbits without exactly one kept", wrong),
            Figure::new("a board", THESIS_B),
            Figure::new("a board's image that is kept", kept_image(THESIS_B)),
        ],
        "The seven symmetries that the code names are all there are besides the identity: by \
         the rulebook they move squares, whatever their contents, and the eight are closed under \
         composition. So the images of an image are those of the board, different boards have \
         different numbers, and of a finite set of numbers one is the smallest: it is kept and \
         no other is, whatever the order. Every board with at most one block of each colour was \
         tried besides. (Keeping the smallest grey set first and testing the whole board \
         afterwards is another matter: see the generator of section 3.4.2.)",
    )
}

fn images(text: &str) -> Vec<Figure> {
    let board = board::parse(text).unwrap_or_else(|_| board::empty_board());
    let kept = kept_image(text);
    let image = |index| {
        let image = board::draw(&board::image(&board, index));
        let fate = if image == kept { "kept" } else { "dropped" };
        Figure::new(format!("image {} of a board, {fate}", index + 1), image)
    };
    (0..8).map(image).collect()
}

/// The image of a board with the smallest number.
fn kept_image(text: &str) -> String {
    let board = board::parse(text).unwrap_or_else(|_| board::empty_board());
    let images = (0..8).map(|index| board::image(&board, index));
    board::draw(&images.min_by_key(key).unwrap_or(board))
}

/// Section 5.2: one minus the checked share of all configurations.
pub(super) fn pruned(parameters: &Parameters<'_>) -> Result<Vec<Figure>, BadInput> {
    let (states, orbits) = states_and_orbits(&Limits::BOX);
    let checked = match parameters.one_of("checked")? {
        "printed" => PRINTED_CHECKED,
        _ => orbits,
    };
    Ok(explained(
        vec![
            Figure::number("value", 1.0 - checked as f64 / states as f64),
            Figure::new("checked", checked),
            Figure::new("of", states),
        ],
        "The share of all placements of the box that did not have to be looked at.",
    ))
}

/// Section 5.2: the approximate number of configurations checked.
const PRINTED_CHECKED: u64 = 12_000_000_000;

/// Section 3.4.1: contents of a row that the box can fill.
pub(super) fn row_configurations() -> Vec<Figure> {
    let rows = |hole: bool| {
        (0..4_u32.pow(SIDE as u32))
            .filter(|row| {
                let cells: Vec<u32> = (0..SIDE).map(|cell| row >> (2 * cell) & 3).collect();
                let count = |content| cells.iter().filter(|&&cell| cell == content).count() as u32;
                count(1) <= Limits::BOX.green.max
                    && count(2) <= Limits::BOX.blue.max
                    && count(3) <= Limits::BOX.grey.max
                    && !(hole && cells[2] != 0)
            })
            .count()
    };
    explained(
        vec![
            Figure::new("value", rows(false)),
            Figure::number("share of 1024", rows(false) as f64 / 1024.0),
            Figure::new("of these, rows that can cross the hole", rows(true)),
        ],
        "Rows with at most two greens and four blues; five greys are within the box. The thesis' \
         tables hold all 1,024.",
    )
}
