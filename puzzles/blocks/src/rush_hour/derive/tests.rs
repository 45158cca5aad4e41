use puzzle_api::{Numbering, Placement};

use super::counts::{Counted, count};
use super::*;
use crate::rules::moves_of;
use crate::rush_hour::instances::Instance;

/// All boards of a census, by the rulebook's numbering.
fn for_each(instance: &str, walls: &str, mut visit: impl FnMut(&Instance, &Board)) {
    let rules = Rules::opened(instance, &[("walls", walls), ("metric", "step")]).unwrap();
    for part in 0..rules.part_count() {
        for rank in 0..rules.space(part).unwrap() {
            let board = rules.unrank(Placement { part, rank });
            visit(&rules.game, &board.unwrap());
        }
    }
}

#[test]
fn boards_are_as_many_as_there_are() {
    for walls in [0_u32, 1] {
        let (mut all, mut pushed) = (0, 0);
        for_each("4x4", &walls.to_string(), |game, board| {
            all += 1;
            let moves_back = (0..board.pieces.len()).any(|piece| {
                let own = board.pieces[piece];
                moves_of(game, board, piece).iter().any(|after| {
                    after.pieces[piece].row < own.row || after.pieces[piece].column < own.column
                })
            });
            let along = |upright: bool, at: u8| {
                let pieces = board.pieces.iter().filter(|piece| piece.upright == upright);
                let own =
                    pieces.filter(|piece| at == if upright { piece.column } else { piece.row });
                own.map(|piece| piece.length).sum::<u8>()
            };
            let full = (0..4).any(|at| along(true, at) == 4 || along(false, at) == 4);
            pushed += u64::from(!moves_back && !full && board.pieces.len() > 1);
        });
        assert_eq!(count(4, walls, 1, Counted::All), all);
        assert_eq!(count(4, walls, 1, Counted::Pushed), pushed);
    }
    assert_eq!(count(6, 0, 2, Counted::All), 31_106_546_110);
    assert_eq!(count(5, 0, 2, Counted::Pushed), 268_108);
}
