//! The article's layout: does it keep every jump on the board, and does its formula find
//! the jumps of the rulebook?

use std::collections::{BTreeMap, BTreeSet};

use puzzle_api::{BadInput, Figure, Parameters, Xorshift};

use super::boards::numbered;
use super::{explained, instance};
use crate::board::{Board, DIRECTIONS, Point};
use crate::layout::{self, Layout, PUBLISHED};
use crate::rules::Position;

type Figures = Result<Vec<Figure>, BadInput>;

/// A layout with its centre at each of 64 bits. `jumps`: whether rotations find exactly the jumps
/// of the board. `boundary`: whether no step leads from a hole to one that is not its neighbour.
/// `boundary-bits`: the number of bits that the places next to the board take.
pub(super) fn layout(parameters: &Parameters<'_>) -> Figures {
    let figure = parameters.one_of("figure")?;
    let right = parameters.number("right")? as u32;
    let up = parameters.number("up")? as u32;
    let instance = instance(parameters)?;
    let board = &instance.board;
    in_rows(board)?;
    let mut layouts = Vec::new();
    for centre in 0..u64::BITS {
        let Some(layout) = Layout::new(board, centre, right, up) else {
            return Ok(explained(
                vec![Figure::new("value", "false")],
                format!(
                    "Two holes of {} would have the same bit, {right} to the right and {up} up.",
                    board.name
                ),
            ));
        };
        layouts.push(layout);
    }
    let bits = boundary(board, right, up);
    let shared = bits.values().filter(|points| points.len() > 1).count();
    let sum = |count: &dyn Fn(&Layout) -> usize| layouts.iter().map(count).sum::<usize>();
    let false_jumps = sum(&|layout| layout.false_jumps(board).len());
    let missed = sum(&|layout| layout.missed_jumps(board).len());
    let false_steps = sum(&|layout| layout.false_steps(board));
    let value = match figure {
        "jumps" => (false_jumps + missed == 0).to_string(),
        "boundary" => (false_steps == 0).to_string(),
        _ => bits.len().to_string(),
    };
    let most = bits.values().map(Vec::len).max().unwrap_or(0);
    Ok(explained(
        vec![
            Figure::new("value", value),
            Figure::new("all", layouts.len()),
            Figure::new("false jumps", false_jumps),
            Figure::new("missed jumps", missed),
            Figure::new("false steps", false_steps),
            Figure::new(
                "boundary places",
                bits.values().map(Vec::len).sum::<usize>(),
            ),
            Figure::new("boundary bits", bits.len()),
            Figure::new("boundary bits with several places", shared),
            Figure::new("most places of a bit", most),
            Figure::new(
                "the bit of each hole",
                numbered(board, layouts[0].bits().iter()),
            ),
            Figure::new(
                "the bits of the places outside the board",
                beside(&bits, right, up),
            ),
        ],
        "For each of the 64 bits that the centre can have, every three bits of the board a \
         rotation apart, in all four directions, were compared with the holes they stand for, and \
         every jump of the board against its bits. A false step is two holes a rotation apart \
         that are no neighbours.",
    ))
}

/// The places next to a board as separate holes, each with its bit.
fn beside(bits: &BTreeMap<i64, Vec<Point>>, right: u32, up: u32) -> String {
    let places: BTreeSet<(i32, i32)> = bits.values().flatten().map(|at| (-at.y, at.x)).collect();
    let columns = || places.iter().map(|&(_, x)| x);
    let (Some(west), Some(east)) = (columns().min(), columns().max()) else {
        return String::new();
    };
    let rows = places.iter().map(|&(y, _)| y);
    let rows: BTreeSet<i32> = rows.collect();
    let row = |y: i32| {
        let symbol = |x| if places.contains(&(y, x)) { '.' } else { ' ' };
        (west..=east).map(symbol).collect::<String>()
    };
    let rows: Vec<String> = rows.into_iter().map(row).collect();
    let bit = |&(y, x): &(i32, i32)| {
        (i64::from(right) * i64::from(x) - i64::from(up) * i64::from(y)).rem_euclid(64)
    };
    let bits: Vec<String> = places.iter().map(|at| bit(at).to_string()).collect();
    format!("{} | {}", rows.join("/"), bits.join(" "))
}

/// Places next to a hole that are off the board, by bit, for the centre at bit 0.
fn boundary(board: &Board, right: u32, up: u32) -> BTreeMap<i64, Vec<Point>> {
    let mut bits: BTreeMap<i64, Vec<Point>> = BTreeMap::new();
    for hole in 0..board.len() {
        let Point { x, y } = board.point(hole);
        for (dx, dy) in DIRECTIONS {
            let place = Point::new(x + dx, y + dy);
            if board.hole(place).is_some() {
                continue;
            }
            let bit = i64::from(right) * i64::from(place.x) + i64::from(up) * i64::from(place.y);
            let places = bits.entry(bit.rem_euclid(64)).or_default();
            if !places.contains(&place) {
                places.push(place);
            }
        }
    }
    bits
}

/// Refuses a board whose lines are not the rows and columns of a layout.
fn in_rows(board: &Board) -> Result<(), BadInput> {
    match board.threes() {
        None => Ok(()),
        Some(_) => Err(BadInput::new(format!(
            "{}: a layout has rows and columns, and this board has other lines: name a board drawn \
             in rows",
            board.name
        ))),
    }
}

/// The layout as published.
fn published(board: &Board) -> Result<Layout, BadInput> {
    in_rows(board)?;
    Layout::new(board, 0, PUBLISHED.0, PUBLISHED.1).ok_or_else(|| {
        BadInput::new(format!(
            "{}: two holes would share a bit of the published layout: name another board",
            board.name
        ))
    })
}

/// Compares the printed formula for all jumps of a direction, and the three lines that perform one,
/// with the rulebook. Tries every pattern of every three bits on an empty and on a full board, and
/// random boards.
pub(super) fn move_formula(parameters: &Parameters<'_>) -> Figures {
    let seed = parameters.number("seed")?;
    let count = parameters.number("count")?;
    let instance = instance(parameters)?;
    let board = &instance.board;
    let layout = published(board)?;
    let is_wrong = |&key: &u64| by_formula(&layout, key) != by_rulebook(board, key);
    let drawn = (0..count).map(|draw| instance.random(&mut Xorshift::for_draw(seed, draw)));
    let patterns = local_patterns(board, &layout);
    let wrong = drawn.filter(is_wrong).count();
    let wrong_patterns = patterns.iter().copied().filter(is_wrong).count();
    Ok(explained(
        vec![
            Figure::new("value", wrong + wrong_patterns == 0),
            Figure::new("patterns of three bits", patterns.len()),
            Figure::new("wrong patterns", wrong_patterns),
            Figure::new("sampled", count),
            Figure::new("wrong", wrong),
            Figure::new(
                "drawn",
                "Boards drawn at random, in addition to every three bits,",
            ),
        ],
        "A bit of mv depends on three bits only, so the patterns of every three, on an otherwise \
         empty and an otherwise full board, cover the formula; random boards cover the loop.",
    ))
}

/// Whether the printed lines that perform a move undo it if the two kinds of bits are exchanged.
/// Tries every jump of the board, with the other holes empty and full. They change three bits and
/// read no other.
pub(super) fn undo(parameters: &Parameters<'_>) -> Figures {
    let instance = instance(parameters)?;
    let board = &instance.board;
    let layout = published(board)?;
    let word = |holes: &[usize]| {
        holes
            .iter()
            .fold(0_u64, |word, &hole| word | 1 << layout.bits()[hole])
    };
    let all = word(&(0..board.len()).collect::<Vec<_>>());
    let (mut jumps, mut wrong) = (0_u64, 0_u64);
    for jump in board.jumps() {
        let rest = all & !word(&[jump.from, jump.over, jump.to]);
        for others in [0, rest] {
            let before = others | word(&[jump.from, jump.over]);
            let landing = word(&[jump.to]);
            let way = layout.ways().into_iter().find(|&way| {
                layout.landings(before, way) & landing != 0
                    && layout::jump(before, landing, way) & word(&[jump.from]) == 0
            });
            let back = way.map(|way| {
                let after = layout::jump(before, landing, way);
                let holes = !layout::jump(!after, landing, way);
                (after, holes)
            });
            jumps += 1;
            wrong += u64::from(back.is_none_or(|(after, back)| after == before || back != before));
        }
    }
    Ok(explained(
        vec![
            Figure::new("value", jumps > 0 && wrong == 0),
            Figure::new("all", jumps),
            Figure::new("wrong", wrong),
        ],
        "A move sets the bit where the peg lands and clears two; with set and clear exchanged the \
         same lines put it back. Every jump of the board, with all other holes empty and all full.",
    ))
}

/// All patterns of the three bits that a landing depends on, for every landing and direction, with
/// the other holes empty, then full; as keys.
fn local_patterns(board: &Board, layout: &Layout) -> Vec<u64> {
    let hole_at = |bit: u32| layout.bits().iter().position(|&at| at == bit);
    let mut keys = Vec::new();
    for way in layout.ways() {
        for &landing in layout.bits() {
            let bits = [0, 1, 2].map(|step| (landing + step * (64 - way)) % 64);
            for pattern in 0..8_u64 {
                let holes = bits.map(hole_at);
                for mut key in [0, board.full()] {
                    for (at, hole) in holes.into_iter().enumerate() {
                        if let Some(hole) = hole {
                            key = key & !(1 << hole) | (pattern >> at & 1) << hole;
                        }
                    }
                    keys.push(key);
                }
            }
        }
    }
    keys
}

/// Keys after one jump, sorted, by the printed lines.
fn by_formula(layout: &Layout, key: u64) -> Vec<u64> {
    let bits = layout.bits();
    let word = |key: u64| {
        let pegs = (0..bits.len()).filter(|hole| key >> hole & 1 == 1);
        pegs.fold(0, |word: u64, hole| word | 1 << bits[hole])
    };
    let back = |word: u64| {
        let pegs = (0..bits.len()).filter(|&hole| word >> bits[hole] & 1 == 1);
        pegs.fold(0, |key: u64, hole| key | 1 << hole)
    };
    let pegs = word(key);
    let mut next = Vec::new();
    for way in layout.ways() {
        let mut left = layout.landings(pegs, way);
        while left != 0 {
            let landing = layout::lowest(left);
            next.push(back(layout::jump(pegs, landing, way)));
            left &= !landing;
        }
    }
    next.sort_unstable();
    next
}

/// Keys after one jump, sorted, by the rulebook.
fn by_rulebook(board: &Board, key: u64) -> Vec<u64> {
    let next = Position::of_key(board, key).successors();
    let mut keys: Vec<u64> = next.iter().map(Position::key).collect();
    keys.sort_unstable();
    keys
}
