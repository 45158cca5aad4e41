//! Uniform draws.

use puzzle_api::Xorshift;

use crate::rules::Drawn;
use crate::rush_hour::board::Board;
use crate::rush_hour::instances::Instance;

/// Most cells of a board whose placements are drawn: on larger ones, hardly any draw is accepted.
const MOST_CELLS: usize = 36;

impl Drawn for Instance {
    /// Takes a millisecond on 6x6. `None` for a board so large that it takes too long.
    ///
    /// Walls and rows are drawn first, and accepted with a probability in proportion to the ways in
    /// which the columns can be filled with them. Then one of those ways is drawn.
    fn random(&self, random: &mut Xorshift) -> Option<Board> {
        if self.rows() * self.columns() > MOST_CELLS {
            return None;
        }
        let (rows, columns) = self.lines.split_at(self.rows());
        let covers = |line: usize| {
            let contents = self.lines[line].contents.iter();
            let cells = contents.map(|content| self.cells_on(line, content.cells));
            cells.collect::<Vec<u64>>()
        };
        let cells: Vec<Vec<u64>> = (0..self.lines.len()).map(covers).collect();
        let fitting = self.fitting();
        let beside = |taken: u64| {
            let each = fitting.iter().enumerate();
            each.map(move |(column, fits)| {
                &fits[usize::from(self.cells_of(taken, rows.len() + column))]
            })
        };
        let ways = |taken: u64| beside(taken).map(|fits| fits.len() as u64).product::<u64>();
        // The red car is always there.
        let red = cells[usize::from(self.red_row)].iter();
        let most = red.map(|&red| ways(red)).max().unwrap_or(1).max(1);
        loop {
            let walls = random.below(self.walls.len() as u64) as usize;
            let mut taken = self.walls[walls];
            let mut key = walls as u64 * self.wall_weight;
            let fits = rows.iter().zip(&cells).all(|(line, cells)| {
                let own = random.below(cells.len() as u64);
                key += own * line.weight;
                let free = taken & cells[own as usize] == 0;
                taken |= cells[own as usize];
                free
            });
            if !fits || random.below(most) >= ways(taken) {
                continue;
            }
            for (line, fits) in columns.iter().zip(beside(taken)) {
                let own = fits[random.below(fits.len() as u64) as usize];
                key += u64::from(own) * line.weight;
            }
            return Some(self.board_of(key));
        }
    }
}
