//! The shape of a board, its text and the names of its cells: shared by all variants at
//! the edges (parsing, drawing), never in a move.

use puzzle_api::rank::{MOST_CELLS, low_bits};
use puzzle_api::{BadInput, cell_name};

/// A rectangle of cells with a number of coins on it. Cell (row, column) has number
/// row * width + column, rows from the top, and bit 2^number in a mask of coins, which
/// is also the key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Shape {
    /// Cells in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Coins on the board.
    pub coins: u32,
}

impl Shape {
    /// The board of the smaller font: 5x7 cells, 12 coins.
    pub const SMALL: Self = Self {
        width: 5,
        height: 7,
        coins: 12,
    };
    /// The board of the larger font: 5x9 cells, 13 coins.
    pub const LARGE: Self = Self {
        width: 5,
        height: 9,
        coins: 13,
    };

    /// A board that fits a mask and has the right number of coins.
    ///
    /// # Errors
    /// More than 64 cells, no cells, or a number of coins that is not 1 to all cells.
    pub fn new(width: u32, height: u32, coins: u32) -> Result<Self, BadInput> {
        let cells = u64::from(width) * u64::from(height);
        if !(1..=u64::from(MOST_CELLS)).contains(&cells) {
            return Err(BadInput::new(format!(
                "width={width}, height={height}: the board has {cells} cells, but 1 to \
                 {MOST_CELLS} fit: choose a smaller width or height"
            )));
        }
        if coins == 0 || u64::from(coins) > cells {
            return Err(BadInput::new(format!(
                "coins={coins} do not fit the board of {width}x{height}: write a number from 1 \
                 to {cells}"
            )));
        }
        Ok(Self {
            width,
            height,
            coins,
        })
    }

    /// Number of cells.
    pub fn cells(&self) -> u32 {
        self.width * self.height
    }

    /// The mask of all cells.
    pub fn mask(&self) -> u64 {
        low_bits(self.cells())
    }

    /// Name of a cell in moves.
    pub fn cell_name(&self, cell: u32) -> String {
        cell_name((cell / self.width) as usize, (cell % self.width) as usize)
    }

    /// `b3 to d4`: the move between two boards; `None` if they do not differ by one
    /// coin.
    pub fn move_name(&self, from: u64, to: u64) -> Option<String> {
        let (lifted, put) = (from & !to, to & !from);
        (lifted.count_ones() == 1 && put.count_ones() == 1).then(|| {
            let name = |cell: u64| self.cell_name(cell.trailing_zeros());
            format!("{} to {}", name(lifted), name(put))
        })
    }

    /// Writes a board as rows joined by `/`.
    pub fn draw(&self, coins: u64) -> String {
        let mut text = String::with_capacity((self.cells() + self.height) as usize);
        for cell in 0..self.cells() {
            if cell > 0 && cell % self.width == 0 {
                text.push('/');
            }
            text.push(if coins >> cell & 1 == 1 { 'o' } else { '.' });
        }
        text
    }

    /// Reads rows joined by `/`, top row first, as a mask.
    ///
    /// # Errors
    /// One line that names the place and the remedy: a wrong size, an unknown symbol, a
    /// wrong number of coins (found and expected).
    pub fn parse(&self, text: &str) -> Result<u64, BadInput> {
        let rows: Vec<&str> = text.split('/').collect();
        if rows.len() != self.height as usize {
            return Err(BadInput::new(format!(
                "the board has {} row(s), {} are needed: write {} rows of {} cells joined by '/'",
                rows.len(),
                self.height,
                self.height,
                self.width
            )));
        }
        let mut coins = 0_u64;
        for (row, line) in (0..).zip(&rows) {
            let length = line.chars().count();
            if length != self.width as usize {
                return Err(BadInput::new(format!(
                    "row {} has {length} cell(s), {} are needed",
                    row + 1,
                    self.width
                )));
            }
            for (column, symbol) in (0..).zip(line.chars()) {
                match symbol {
                    'o' => coins |= 1 << (row * self.width + column),
                    '.' => {}
                    other => {
                        return Err(BadInput::new(format!(
                            "row {}, column {}: unknown symbol '{}': use 'o' coin, '.' empty",
                            row + 1,
                            column + 1,
                            other.escape_default()
                        )));
                    }
                }
            }
        }
        self.check_coins(coins)?;
        Ok(coins)
    }

    fn check_coins(&self, coins: u64) -> Result<(), BadInput> {
        let found = coins.count_ones();
        if found == self.coins {
            return Ok(());
        }
        let remedy = if found < self.coins { "add" } else { "remove" };
        Err(BadInput::new(format!(
            "the board has {found} coin(s), {} are needed: {remedy} {}",
            self.coins,
            found.abs_diff(self.coins)
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(shape: Shape, text: &str) -> String {
        shape.parse(text).unwrap_err().0
    }

    #[test]
    fn text_round_trips_and_the_top_left_cell_has_the_lowest_bit() {
        let shape = Shape::new(3, 2, 3).unwrap();
        assert_eq!(shape.parse("o../.oo"), Ok(0b110_001));
        assert_eq!(shape.draw(0b110_001), "o../.oo");
    }

    #[test]
    fn cells_are_named_by_column_and_row_from_the_top() {
        let shape = Shape::SMALL;
        assert_eq!(shape.cell_name(0), "a1");
        assert_eq!(shape.cell_name(34), "e7");
        assert_eq!(shape.move_name(0b11, 0b101).unwrap(), "b1 to c1");
        assert_eq!(shape.move_name(0b11, 0b11), None);
        assert_eq!(shape.move_name(0b11, 0b1100), None);
    }

    #[test]
    fn a_text_that_is_no_board_is_refused_by_place() {
        let shape = Shape::new(3, 2, 3).unwrap();
        assert!(error(shape, "ooo").starts_with("the board has 1 row(s), 2 are needed"));
        assert!(error(shape, "ooo/....").starts_with("row 2 has 4 cell(s), 3 are needed"));
        assert!(error(shape, "oo#/..o").starts_with("row 1, column 3: unknown symbol '#'"));
        assert!(error(shape, "oo./...").ends_with("has 2 coin(s), 3 are needed: add 1"));
        assert!(error(shape, "ooo/oo.").ends_with("has 5 coin(s), 3 are needed: remove 2"));
    }

    #[test]
    fn a_board_that_fits_no_mask_is_refused() {
        let refused = |w, h, c| Shape::new(w, h, c).unwrap_err().0;
        assert!(refused(5, 13, 4).contains("65 cells"));
        assert!(refused(u32::MAX, u32::MAX, 4).contains("cells, but 1 to 64 fit"));
        assert!(refused(0, 4, 1).contains("0 cells"));
        assert!(refused(4, 4, 17).contains("coins=17"));
        assert!(refused(4, 4, 0).contains("from 1 to 16"));
    }
}
