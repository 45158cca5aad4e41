//! When a game is over, and printed solutions.

use puzzle_api::{BadInput, Figure, Parameters, Xorshift};

use super::{explained, instance};
use crate::board::{Board, Jump};
use crate::instances::Instance;
use crate::printed::{BERGHOLT, THILL, play};
use crate::rules::Position;

type Figures = Result<Vec<Figure>, BadInput>;

/// The board with a number for each hole.
pub(super) fn numbered<N: ToString>(board: &Board, numbers: impl Iterator<Item = N>) -> String {
    let numbers: Vec<String> = numbers.map(|number| number.to_string()).collect();
    format!("{} | {}", board.draw(0), numbers.join(" "))
}

/// When a game is over: `if` whether it is if no two pegs are neighbours, `only-if`
/// whether two neighbours always mean that a jump is possible.
pub(super) fn game_over(parameters: &Parameters<'_>) -> Figures {
    let figure = parameters.one_of("figure")?;
    let instance = instance(parameters)?;
    let board = &instance.board;
    if figure == "if" {
        let beside = |jump: &Jump| board.beside(jump.from).contains(&jump.over);
        return Ok(explained(
            vec![
                Figure::new("value", board.jumps().iter().all(beside)),
                Figure::new("all", board.jumps().len()),
                Figure::new("no two neighbours, and no jump", board.draw(apart(board))),
            ],
            "Every jump needs a peg and, next to it, another; without two neighbours there is none.",
        ));
    }
    let stuck = (0..GAMES).find_map(|game| stuck_with_neighbours(&instance, game));
    let Some(stuck) = stuck else {
        return Ok(explained(
            vec![Figure::new("value", "true"), Figure::new("sampled", GAMES)],
            "No game played at random ended with two neighbours left.",
        ));
    };
    Ok(explained(
        vec![
            Figure::new("value", "false"),
            Figure::new("stuck", board.draw(stuck)),
            Figure::new("pegs", stuck.count_ones()),
        ],
        "A game played at random from the start ended with neighbours that cannot jump over one \
         another, since no hole behind them is empty.",
    ))
}

/// Pegs on as many holes as possible, in reading order, without two neighbours.
fn apart(board: &Board) -> u64 {
    (0..board.len()).fold(0, |pegs: u64, hole| {
        let mut near = board.beside(hole).into_iter();
        match near.any(|other| pegs >> other & 1 == 1) {
            true => pegs,
            false => pegs | 1 << hole,
        }
    })
}

/// Games played at random for a position that is stuck with neighbours.
const GAMES: u64 = 10_000;

/// The end of a random game, if it has two pegs side by side.
fn stuck_with_neighbours(instance: &Instance, game: u64) -> Option<u64> {
    let board = &instance.board;
    let mut random = Xorshift::for_draw(1, game);
    let mut position = Position::of_key(board, instance.start);
    loop {
        let next = position.successors();
        let Some(chosen) = next.get(random.below(next.len() as u64) as usize) else {
            break;
        };
        position = chosen.clone();
    }
    let key = position.key();
    let peg = |hole: &usize| key >> hole & 1 == 1;
    let beside = |hole: usize| board.beside(hole).iter().any(peg);
    (0..board.len()).filter(peg).any(beside).then_some(key)
}

/// A printed solution, played by the rulebook.
pub(super) fn solution(parameters: &Parameters<'_>) -> Figures {
    let name = parameters.one_of("name")?;
    let figure = parameters.one_of("figure")?;
    let solution = if name == THILL.name { THILL } else { BERGHOLT };
    let board = Board::of_name(solution.board)?;
    let played = play(&board, &solution)?;
    let last = played.positions.last().copied().unwrap_or(0);
    let finish = match last.is_power_of_two() {
        true => board.point(last.trailing_zeros() as usize).to_string(),
        false => format!("{} pegs", played.pegs()),
    };
    // A sequence that the rules do not allow has no figures.
    let value = match (&played.illegal, figure) {
        (Some(jump), _) => format!("{jump} is not allowed"),
        (None, "jumps") => played.jumps().to_string(),
        (None, "moves") => played.moves.to_string(),
        (None, _) => finish.clone(),
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
            Figure::new("played from", board.draw(played.positions[0])),
            Figure::new("played", jumps(&board, &played.positions)),
        ],
        remark,
    ))
}

/// The jumps between positions by their names, as the rulebook calls them.
fn jumps(board: &Board, positions: &[u64]) -> String {
    let names = positions
        .windows(2)
        .filter_map(|pair| board.jump_name(pair[0], pair[1]));
    names.collect::<Vec<_>>().join(", ")
}
