//! Uniform draws, for both variants: a draw says nothing about moves.

use puzzle_api::Xorshift;

use crate::board::Board;
use crate::instances::Instance;

/// Most cells of a board whose placements are drawn: on larger ones hardly any draw fits.
const MOST_CELLS: usize = 36;

/// A board drawn uniformly from all of an instance, by drawing what every line holds until
/// nothing overlaps: about 250,000 tries on 6x6, some milliseconds. `None` for a board so
/// large that this takes too long.
pub(crate) fn random_board(instance: &Instance, random: &mut Xorshift) -> Option<Board> {
    if instance.rows() * instance.columns() > MOST_CELLS {
        return None;
    }
    let cells: Vec<Vec<u64>> = (0..instance.lines.len())
        .map(|line| {
            let contents = instance.lines[line].contents.iter();
            contents
                .map(|content| instance.cells_on(line, content.cells))
                .collect()
        })
        .collect();
    loop {
        let walls = random.below(instance.walls.len() as u64) as usize;
        let mut covered = instance.walls[walls];
        let mut key = walls as u64 * instance.wall_weight;
        let fits = instance.lines.iter().zip(&cells).all(|(line, cells)| {
            let index = random.below(cells.len() as u64);
            key += index * line.weight;
            let own = cells[index as usize];
            let free = covered & own == 0;
            covered |= own;
            free
        });
        if fits {
            return Some(instance.board(key));
        }
    }
}
