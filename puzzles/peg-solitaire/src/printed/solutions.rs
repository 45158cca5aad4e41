//! Printed solutions, played by the rulebook.

use puzzle_api::BadInput;

use crate::board::{Board, Point};
use crate::rules::Position;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Solution {
    pub name: &'static str,
    pub board: &'static str,
    /// The vacancy at the start, as x:y.
    pub from: &'static str,
    /// Moves, each as the holes that one peg visits, as x:y joined by commas.
    pub moves: &'static str,
}

/// Markus Thill's solution of the diamond board, found by his program and shown at the
/// end of the article: 39 jumps, each written as a move.
pub const THILL: Solution = Solution {
    name: "thill",
    board: "diamond-41",
    from: "-1:3",
    moves: "\
1:3,-1:3 0:1,0:3 0:4,0:2 2:1,0:1 0:1,0:3 2:2,0:2 0:3,0:1 2:-1,2:1 3:1,1:1 \
4:0,2:0 -2:2,0:2 -1:0,-1:2 -1:-2,-1:0 1:-2,-1:-2 1:0,1:-2 2:-2,0:-2 -1:-3,-1:-1 \
-1:0,-1:-2 -1:-2,1:-2 1:-3,1:-1 0:-4,0:-2 0:-1,0:-3 0:1,0:-1 0:-1,2:-1 3:-1,1:-1 \
-3:-1,-1:-1 -2:1,-2:-1 -4:0,-2:0 -2:-1,-2:1 -3:1,-1:1 -1:2,-1:0 -1:0,-1:-2 \
-2:-2,0:-2 0:-3,0:-1 0:-1,2:-1 2:-1,2:1 2:1,0:1 0:1,0:3 -1:3,1:3",
};

/// Ernest Bergholt's solution of the English board in 18 moves (1912). John Beasley proved that no
/// solution has fewer (1964; "The Ins and Outs of Peg Solitaire", 1985).
pub const BERGHOLT: Solution = Solution {
    name: "bergholt",
    board: "english-33",
    from: "0:0",
    moves: "\
2:0,0:0 1:-2,1:0 3:-1,1:-1 0:-1,2:-1 -2:-1,0:-1 -1:-3,-1:-1 -1:0,-1:-2 \
1:-3,-1:-3,-1:-1 1:1,1:-1 1:3,1:1 -1:2,-1:0,-1:-2,1:-2,1:0,1:2 \
3:1,3:-1,1:-1,-1:-1 -3:1,-1:1 0:1,-2:1 -3:-1,-3:1,-1:1 -1:3,1:3,1:1 \
2:1,0:1,-2:1,-2:-1,0:-1,0:1 0:2,0:0",
};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Played {
    /// Keys of the positions, the start first.
    pub positions: Vec<u64>,
    /// Moves as printed: consecutive jumps of one peg are one move.
    pub moves: usize,
    /// The first printed jump that breaks the rules, if any: its number from 1, and its holes.
    pub illegal: Option<String>,
}

impl Played {
    pub fn jumps(&self) -> usize {
        self.positions.len() - 1
    }

    pub fn pegs(&self) -> u32 {
        self.positions.last().map_or(0, |key| key.count_ones())
    }
}

/// Plays a solution on the rulebook, up to its end or the first jump that is against
/// the rules.
pub fn play(board: &Board, solution: &Solution) -> Result<Played, BadInput> {
    let hole = |text: &str| {
        let hole = Point::read(text).and_then(|point| board.hole(point));
        hole.ok_or_else(|| {
            BadInput::new(format!(
                "the solution '{}' names {text}, which is no hole of {}",
                solution.name, board.name
            ))
        })
    };
    let mut key = board.full() & !(1 << hole(solution.from)?);
    let mut played = Played {
        positions: vec![key],
        moves: 0,
        illegal: None,
    };
    for printed in solution.moves.split_whitespace() {
        played.moves += 1;
        let stops: Vec<&str> = printed.split(',').collect();
        for jump in stops.windows(2) {
            let (from, to) = (hole(jump[0])?, hole(jump[1])?);
            let next = Position::of_key(board, key)
                .successors()
                .iter()
                .map(Position::key)
                .find(|next| key & !next & 1 << from != 0 && next & !key == 1 << to);
            let Some(next) = next else {
                let number = played.positions.len();
                played.illegal = Some(format!("jump {number}, {} to {}", jump[0], jump[1]));
                return Ok(played);
            };
            key = next;
            played.positions.push(key);
        }
    }
    Ok(played)
}

#[cfg(test)]
mod tests {
    use super::{BERGHOLT, Solution, THILL, play};
    use crate::board::Board;

    #[test]
    fn printed_solutions_are_legal_and_leave_one_peg() {
        for (solution, moves, jumps) in [(THILL, 39, 39), (BERGHOLT, 18, 31)] {
            let played = play(&Board::of_name(solution.board).unwrap(), &solution).unwrap();
            assert_eq!(played.illegal, None);
            assert_eq!(
                (played.moves, played.jumps(), played.pegs()),
                (moves, jumps, 1)
            );
        }
    }

    #[test]
    fn a_jump_against_the_rules_is_named() {
        let wrong = Solution {
            moves: "1:3,-1:3 0:4,0:2",
            ..THILL
        };
        let board = Board::of_name(THILL.board).unwrap();
        let played = play(&board, &wrong).unwrap();
        assert_eq!(played.illegal.as_deref(), Some("jump 2, 0:4 to 0:2"));
        let off = Solution {
            moves: "5:5,1:1",
            ..THILL
        };
        assert!(play(&board, &off).is_err());
    }
}
