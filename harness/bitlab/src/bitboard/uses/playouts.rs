//! Random playouts of Clobber and of Yavalath, by algorithms 3 and 6: games played to their end
//! with moves drawn uniformly.

use crate::bitboard::cases::Random;
use crate::bitboard::filters::{Position, enemy_neighbours_towards};
use crate::bitboard::queries::line_length;
use crate::bitboard::{Board, Geometry, GeometryError, Grid};

/// Clobber's full board of 8x8, the sides on cells of alternating colour, without separating
/// bits.
///
/// # Errors
/// Never in practice: the board fits a word.
pub fn clobber() -> Result<(Geometry<1>, Position<1>), GeometryError> {
    let board = Geometry::new(Grid::Square, 8, 8, 0)?;
    let start = Position {
        player: board.white_mask(),
        opponent: board.black_mask(),
    };
    Ok((board, start))
}

/// Plays Clobber at random until the side to move has no capture; gives that position, seen by
/// that side, and the number of moves made.
pub fn play_clobber(
    board: &Geometry<1>,
    start: &Position<1>,
    random: &mut Random,
) -> (Position<1>, u32) {
    let directions = board.grid().directions();
    let mut at = *start;
    for moves in 0.. {
        let all = |d| enemy_neighbours_towards(board, &at, d);
        let count: u32 = directions.iter().map(|&d| all(d).count()).sum();
        if count == 0 {
            return (at, moves);
        }
        let mut left = (random.word() % u64::from(count)) as usize;
        for &d in directions {
            let targets = all(d);
            if let Some(bit) = targets.iter().nth(left) {
                let to = Board::bit(bit);
                let from = board.step(to, d.opposite());
                let moved = Position {
                    player: at.player & !from | to,
                    opponent: at.opponent & !to,
                };
                at = moved.swapped();
                break;
            }
            left -= targets.count() as usize;
        }
    }
    (at, 0)
}

/// How a game of Yavalath ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Whoever moved last made four in a row.
    Won,
    /// Whoever moved last made three in a row.
    Lost,
    /// The board is full.
    Drawn,
}

/// Plays Yavalath on an empty board at random: four in a row win, three lose. Gives the sides'
/// pieces, those of the last mover first, and the ending.
pub fn play_yavalath(board: &Geometry<2>, random: &mut Random) -> ([Board<2>; 2], Ending) {
    let mut free: Vec<usize> = board.mask().iter().collect();
    let mut sides = [Board::EMPTY; 2];
    while !free.is_empty() {
        let at = (random.word() % free.len() as u64) as usize;
        sides = [sides[1] | Board::bit(free.swap_remove(at)), sides[0]];
        match line_length(board, sides[0]) {
            0..=2 => {}
            3 => return (sides, Ending::Lost),
            _ => return (sides, Ending::Won),
        }
    }
    (sides, Ending::Drawn)
}
