//! Random boards, exactly uniform over all placements of an instance. It shares nothing with the
//! rank code of either variant, so a sample can test that code.

use puzzle_api::Xorshift;

use crate::board::{self, Board, Cell, HOLE, SQUARES};
use crate::instances::{Instance, Limits};

/// Uniformly random boards of the box.
pub(crate) fn of_box(seed: u64, count: u64) -> impl Iterator<Item = Board> {
    let whole = Instance::whole_box(Limits::BOX);
    (0..count).map(move |draw| random_board(&whole, &mut Xorshift::for_draw(seed, draw)))
}

/// A uniformly random board: first the counts, weighted by their number of placements, then the
/// squares, drawn without replacement.
pub(crate) fn random_board(instance: &Instance, random: &mut Xorshift) -> Board {
    let classes = instance.classes();
    let total = classes.iter().map(|class| class.placements).sum();
    let mut at = random.below(total);
    let mut chosen = classes[classes.len() - 1];
    for class in classes {
        if at < class.placements {
            chosen = *class;
            break;
        }
        at -= class.placements;
    }
    let mut board = match instance.grey_sets() {
        [] => board::empty_board(),
        sets => board::grey_board(sets[random.below(sets.len() as u64) as usize]),
    };
    let mut free: Vec<usize> = (0..SQUARES)
        .filter(|&square| square != HOLE && board[square] == Cell::Empty)
        .collect();
    let grey = if instance.grey_sets().is_empty() {
        chosen.grey
    } else {
        0
    };
    for (cell, blocks) in [
        (Cell::Grey, grey),
        (Cell::Blue, chosen.blue),
        (Cell::Green, chosen.green),
    ] {
        for _ in 0..blocks {
            let at = random.below(free.len() as u64) as usize;
            board[free.swap_remove(at)] = cell;
        }
    }
    board
}
