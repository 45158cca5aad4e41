//! Sizes of boards, their first jumps, and printed solutions.

use puzzle_api::{BadInput, Figure};

use super::{Parameters, explained};
use crate::board::{Board, drawing};
use crate::printed::{BERGHOLT, THILL, play};
use crate::rules::Position;

type Figures = Result<Vec<Figure>, BadInput>;

/// Number of holes.
pub(super) fn holes(parameters: &Parameters<'_>) -> Figures {
    let instance = parameters.instance()?;
    Ok(vec![Figure::new("value", instance.board().len())])
}

/// Bits that hold every position: the key maps sets of pegs one to one to words, and
/// this is the length of the longest.
pub(super) fn key_bits(parameters: &Parameters<'_>) -> Figures {
    let instance = parameters.instance()?;
    let board = instance.board();
    let longest = (0..board.len()).map(|hole| u64::BITS - (1_u64 << hole).leading_zeros());
    let value = longest.max().unwrap_or(0);
    let unused = u64::BITS - value;
    Ok(explained(
        vec![
            Figure::new("value", value),
            Figure::new("bits of a word left over", unused),
        ],
        "A position is the set of its pegs, and each hole has a bit of its own, so different \
         positions have different words; with fewer bits than holes two positions would share one.",
    ))
}

/// Number of symmetries that the board has, with a finish: those that keep it.
pub(super) fn symmetries(parameters: &Parameters<'_>) -> Figures {
    let instance = parameters.instance()?;
    Ok(vec![Figure::new("value", instance.symmetries().len())])
}

/// Number of jumps possible at the start.
pub(super) fn start_moves(parameters: &Parameters<'_>) -> Figures {
    let instance = parameters.instance()?;
    let board = instance.board();
    let start = instance.start();
    let next = Position::of_key(board, start).successors();
    let names: Vec<String> = next
        .iter()
        .filter_map(|next| instance.describe(start, next.key()))
        .collect();
    Ok(vec![
        Figure::new("value", next.len()),
        Figure::new("jumps", names.join(", ")),
    ])
}

/// A printed solution, played by the rulebook.
pub(super) fn solution(parameters: &Parameters<'_>) -> Figures {
    let name = parameters.one_of("name", &[THILL.name, BERGHOLT.name])?;
    let figure = parameters.one_of("figure", &["jumps", "pegs", "moves", "legal", "finish"])?;
    let solution = if name == THILL.name { THILL } else { BERGHOLT };
    let drawing = drawing(solution.board)
        .ok_or_else(|| BadInput::new(format!("no board '{}'", solution.board)))?;
    let board = Board::read(drawing.name, drawing.rows, drawing.name)?;
    let played = play(&board, &solution)?;
    let last = played.positions.last().copied().unwrap_or(0);
    let finish = match last.is_power_of_two() {
        true => board.point(last.trailing_zeros() as usize).to_string(),
        false => format!("{} pegs", played.pegs()),
    };
    let legal = played.illegal.is_none();
    let value = match figure {
        "jumps" => played.jumps().to_string(),
        "pegs" => played.pegs().to_string(),
        "moves" => played.moves.to_string(),
        "legal" => legal.to_string(),
        _ => finish.clone(),
    };
    let remark = match &played.illegal {
        None => "The rulebook allows every jump.".to_owned(),
        Some(jump) => format!("The rulebook does not allow {jump}."),
    };
    Ok(explained(
        vec![
            Figure::new("value", value),
            Figure::new("jumps", played.jumps()),
            Figure::new("moves", played.moves),
            Figure::new("pegs left", played.pegs()),
            Figure::new("last peg", finish),
        ],
        remark,
    ))
}
