//! Grids, directions, and which bit of a board is which cell.
//!
//! Browne's section 2.1 prints shifts (north and east are right shifts) and listing 2 prints edge
//! masks. They agree in one layout only. Bit 0 is the *north-east* corner, indices rise westward
//! along a row and then southward, and separating bits stand at the east end of a row.

use super::Board;

/// A compass direction on a board whose first row is the northernmost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Direction {
    N,
    NE,
    E,
    SE,
    S,
    SW,
    W,
    NW,
}

impl Direction {
    /// All eight directions, clockwise from north.
    pub const ALL: [Self; 8] = [
        Self::N,
        Self::NE,
        Self::E,
        Self::SE,
        Self::S,
        Self::SW,
        Self::W,
        Self::NW,
    ];

    /// Returns the direction that undoes a step in this one.
    pub const fn opposite(self) -> Self {
        Self::ALL[(self as usize + 4) % 8]
    }
}

/// Which steps count as adjacent (Browne, figure 1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Grid {
    /// Rows of cells, each row a line of its own (2-connected).
    Linear,
    /// Square cells that touch along edges (4-connected).
    Square,
    /// Hexagonal cells, rows staggered into a square array (6-connected):
    /// going north along a column is the north-west step, and the north-east
    /// step goes one column further east.
    Hexagonal,
    /// Square cells that touch along edges or corners (8-connected).
    SquareDiagonal,
}

impl Grid {
    /// The four grids, in the paper's order.
    pub const ALL: [Self; 4] = [
        Self::Linear,
        Self::Square,
        Self::Hexagonal,
        Self::SquareDiagonal,
    ];

    /// Returns the directions of adjacency.
    pub const fn directions(self) -> &'static [Direction] {
        use Direction::*;
        match self {
            Self::Linear => &[E, W],
            Self::Square => &[N, E, S, W],
            Self::Hexagonal => &[NE, E, SE, SW, W, NW],
            Self::SquareDiagonal => &Direction::ALL,
        }
    }

    /// Returns one direction for each axis: a line runs both ways along it.
    pub const fn axes(self) -> &'static [Direction] {
        use Direction::*;
        match self {
            Self::Linear => &[E],
            Self::Square => &[N, E],
            Self::Hexagonal => &[NE, E, NW],
            Self::SquareDiagonal => &[N, NE, E, NW],
        }
    }
}

/// Why a board cannot be laid out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GeometryError {
    /// A side is zero.
    #[error("a board of {width}x{height} cells has no cells; both sides must be at least 1")]
    Empty {
        /// Columns asked for.
        width: usize,
        /// Rows asked for.
        height: usize,
    },
    /// The bits do not fit.
    #[error(
        "{width}x{height} cells with {separators} separating bits a row need more than \
         the {capacity} bits of this board type"
    )]
    TooLarge {
        /// Columns asked for.
        width: usize,
        /// Rows asked for.
        height: usize,
        /// Separating bits per row.
        separators: usize,
        /// Bits that `Board<N>` holds.
        capacity: usize,
    },
}

/// A grid of `width` by `height` cells laid out in a [`Board`].
///
/// Cells are named by column `x` (0 is the westernmost) and row `y` (0 is the northernmost). Not
/// every cell of the rectangle need be on the board.
///
/// A geometry checks at construction if an unmasked step can land on a cell that is no neighbour.
/// If not ([`Geometry::is_sealed`]), a step is a bare shift; otherwise it is masked first.
///
/// ```
/// use puzzle_api::bitboard::{Direction, Geometry, Grid};
///
/// // The cross of English peg solitaire, in 49 bits without separating ones.
/// let arms = 2..5;
/// let on = |x: usize, y: usize| arms.contains(&x) || arms.contains(&y);
/// let board = Geometry::<1>::shaped(Grid::Square, 7, 7, 0, on)?;
/// assert_eq!(board.mask().count(), 33);
/// // All jumps to the east at once: a peg, a peg next to it, and a hole after it.
/// let pegs = board.complement(board.at(3, 3));
/// let over = board.step(pegs, Direction::E) & pegs;
/// let to = board.step(over, Direction::E) & board.complement(pegs);
/// assert_eq!(to, board.at(3, 3));
/// # Ok::<(), puzzle_api::bitboard::GeometryError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Geometry<const N: usize> {
    grid: Grid,
    width: usize,
    height: usize,
    separators: usize,
    mask: Board<N>,
    /// By direction: the cells whose neighbour that way is on the board.
    inner: [Board<N>; 8],
    /// By direction: `shift_d`.
    shifts: [isize; 8],
    sealed: bool,
}

impl<const N: usize> Geometry<N> {
    /// A full rectangle with `separators` off-board bits between rows.
    ///
    /// One separating bit keeps single steps from seeping into the next row;
    /// with none, steps are masked instead.
    ///
    /// # Errors
    /// When a side is zero or the bits exceed the board type.
    pub fn new(
        grid: Grid,
        width: usize,
        height: usize,
        separators: usize,
    ) -> Result<Self, GeometryError> {
        Self::shaped(grid, width, height, separators, |_, _| true)
    }

    /// A rectangle of which only the cells that satisfy `on_board` exist.
    ///
    /// # Errors
    /// Same as [`Geometry::new`].
    pub fn shaped(
        grid: Grid,
        width: usize,
        height: usize,
        separators: usize,
        on_board: impl Fn(usize, usize) -> bool,
    ) -> Result<Self, GeometryError> {
        if width == 0 || height == 0 {
            return Err(GeometryError::Empty { width, height });
        }
        let fits = width
            .checked_add(separators)
            .and_then(|pitch| pitch.checked_mul(height))
            .is_some_and(|bits| bits <= Board::<N>::BITS);
        if !fits {
            return Err(GeometryError::TooLarge {
                width,
                height,
                separators,
                capacity: Board::<N>::BITS,
            });
        }
        let mut geometry = Self {
            grid,
            width,
            height,
            separators,
            mask: Board::EMPTY,
            inner: [Board::EMPTY; 8],
            shifts: Direction::ALL.map(|d| shift(grid, width + separators, d)),
            sealed: false,
        };
        geometry.mask = geometry.collect(on_board);
        geometry.find_inner_cells();
        geometry.sealed = geometry.steps_are_sealed(1);
        Ok(geometry)
    }

    /// The hexagon with `side` cells an edge, staggered as in figure 3 and
    /// with no separating column: 61 cells at side 5, the board of Yavalath.
    ///
    /// # Errors
    /// Same as [`Geometry::new`].
    pub fn hexagon(side: usize) -> Result<Self, GeometryError> {
        let span = side.saturating_mul(2).saturating_sub(1);
        let reach = side.saturating_sub(1)..=side.saturating_sub(1).saturating_mul(3);
        Self::shaped(Grid::Hexagonal, span, span, 0, |x, y| {
            reach.contains(&(x + y))
        })
    }

    /// The triangle with `side` cells an edge, the board of Y, with no
    /// separating column.
    ///
    /// # Errors
    /// Same as [`Geometry::new`].
    pub fn triangle(side: usize) -> Result<Self, GeometryError> {
        Self::shaped(Grid::Hexagonal, side, side, 0, |x, y| x + y + 1 >= side)
    }

    fn collect(&self, keep: impl Fn(usize, usize) -> bool) -> Board<N> {
        self.cells()
            .filter(|&(x, y)| keep(x, y))
            .map(|(x, y)| self.position(x, y))
            .collect()
    }

    /// Returns all `(x, y)` of the rectangle in reading order, on the board or not.
    pub fn cells(&self) -> impl Iterator<Item = (usize, usize)> + use<N> {
        let width = self.width;
        (0..width * self.height).map(move |i| (i % width, i / width))
    }

    fn position(&self, x: usize, y: usize) -> usize {
        y * self.pitch() + self.separators + self.width - 1 - x
    }

    fn find_inner_cells(&mut self) {
        for &d in self.grid.directions() {
            let (dx, dy) = self.delta(d);
            self.inner[d as usize] = self.collect(|x, y| {
                let target = x.checked_add_signed(dx).zip(y.checked_add_signed(dy));
                let lands = target.and_then(|(x, y)| self.index(x, y));
                self.index(x, y).is_some() && lands.is_some()
            });
        }
    }

    /// Columns east and rows south of one step.
    const fn delta(&self, d: Direction) -> (isize, isize) {
        use Direction::*;
        match (d, self.grid) {
            (N, _) | (NW, Grid::Hexagonal) => (0, -1),
            (S, _) | (SE, Grid::Hexagonal) => (0, 1),
            (NE, _) => (1, -1),
            (E, _) => (1, 0),
            (SE, _) => (1, 1),
            (SW, _) => (-1, 1),
            (W, _) => (-1, 0),
            (NW, _) => (-1, -1),
        }
    }

    /// Returns whether `steps` unmasked steps at once, `bits >> (steps * shift_d)`,
    /// never land on an on-board cell that is not `steps` steps away.
    ///
    /// Browne, section 2.1, footnote 4: one separating bit handles single
    /// steps, two handle double steps, and so on.
    pub fn steps_are_sealed(&self, steps: usize) -> bool {
        // Beyond the board's own size every step leaves it anyway.
        let steps = steps.min(self.width + self.height) as isize;
        self.grid.directions().iter().all(|&d| {
            let raw = self.mask.shift(self.shift(d) * steps) & self.mask;
            let (dx, dy) = self.delta(d);
            let (dx, dy) = (dx * steps, dy * steps);
            let honest = self.collect(|x, y| {
                let source = x.checked_add_signed(-dx).zip(y.checked_add_signed(-dy));
                self.index(x, y).is_some() && source.and_then(|(x, y)| self.index(x, y)).is_some()
            });
            raw == honest
        })
    }

    /// Returns the grid.
    pub const fn grid(&self) -> Grid {
        self.grid
    }

    /// Returns the columns of the rectangle.
    pub const fn width(&self) -> usize {
        self.width
    }

    /// Returns the rows of the rectangle.
    pub const fn height(&self) -> usize {
        self.height
    }

    /// Returns the bits from a cell to the one south of it in the array.
    pub const fn pitch(&self) -> usize {
        self.width + self.separators
    }

    /// Returns whether single steps need no masking: because of separating bits, or because the
    /// shape leaves an off-board bit at every seam, as a staggered hexagon or triangle does.
    pub const fn is_sealed(&self) -> bool {
        self.sealed
    }

    /// Returns the on-board cells, `mask` in the article.
    pub const fn mask(&self) -> Board<N> {
        self.mask
    }

    /// Returns the on-board cells with no on-board neighbour in direction `d`; all of
    /// them when the grid has no such direction.
    pub fn edge(&self, d: Direction) -> Board<N> {
        self.mask & !self.inner[d as usize]
    }

    /// Returns the bit of a cell; `None` off the board.
    pub fn index(&self, x: usize, y: usize) -> Option<usize> {
        let inside = x < self.width && y < self.height;
        let index = inside.then(|| self.position(x, y))?;
        self.mask.get(index).then_some(index)
    }

    /// Returns the cell of a bit, as `(x, y)`; `None` off the board.
    pub fn cell(&self, index: usize) -> Option<(usize, usize)> {
        if !self.mask.get(index) {
            return None;
        }
        let column = index % self.pitch() - self.separators;
        Some((self.width - 1 - column, index / self.pitch()))
    }

    /// Returns the set of one cell; empty off the board.
    pub fn at(&self, x: usize, y: usize) -> Board<N> {
        self.index(x, y).map_or(Board::EMPTY, Board::bit)
    }

    /// Returns `shift_d`: how far a right shift moves one step in direction `d`
    /// (section 2.1; negative stands for a left shift).
    ///
    /// With `pitch = cols + 1` these are the square grid's printed values,
    /// with `pitch = cols` the hexagonal grid's.
    #[inline(always)]
    pub const fn shift(&self, d: Direction) -> isize {
        self.shifts[d as usize]
    }

    /// Makes one step in direction `d`: a shift, masked first where the layout is not sealed. Bits
    /// that step off the board may stay on off-board bits, so intersect the result with a set of
    /// cells. Cost: one shift, and one `&` if not sealed.
    #[inline(always)]
    #[must_use]
    pub fn step(&self, bits: Board<N>, d: Direction) -> Board<N> {
        let bits = if self.sealed {
            bits
        } else {
            bits & self.inner[d as usize]
        };
        bits.shift(self.shift(d))
    }

    /// Returns the on-board cells that are not in `bits`.
    #[must_use]
    pub fn complement(&self, bits: Board<N>) -> Board<N> {
        !bits & self.mask
    }

    /// Returns the cells in reading order, row by row, as an array of flags.
    pub fn to_cells(&self, bits: Board<N>) -> Vec<bool> {
        self.cells()
            .map(|(x, y)| bits.intersects(self.at(x, y)))
            .collect()
    }

    /// Reverses [`Geometry::to_cells`]; flags off the board and beyond
    /// the last cell are ignored.
    pub fn from_cells(&self, cells: &[bool]) -> Board<N> {
        let on = |x: usize, y: usize| cells.get(y * self.width + x).copied();
        self.collect(|x, y| on(x, y).unwrap_or(false)) & self.mask
    }

    /// Draws a set as rows of `o` and `.`, a blank off the board.
    pub fn draw(&self, bits: Board<N>) -> String {
        let row = |y| (0..self.width).map(move |x| (x, y));
        let glyph = |(x, y)| match self.index(x, y) {
            None => ' ',
            Some(i) if bits.get(i) => 'o',
            Some(_) => '.',
        };
        let rows = (0..self.height).map(|y| row(y).map(glyph).collect::<String>());
        rows.collect::<Vec<_>>().join("\n")
    }
}

/// Section 2.1's table of shifts.
fn shift(grid: Grid, pitch: usize, d: Direction) -> isize {
    use Direction::*;
    let pitch = pitch as isize;
    let hexagonal = grid == Grid::Hexagonal;
    match d {
        N => pitch,
        NE => pitch + 1,
        E => 1,
        SE if hexagonal => -pitch,
        SE => 1 - pitch,
        S => -pitch,
        SW => -(pitch + 1),
        W => -1,
        NW if hexagonal => pitch,
        NW => pitch - 1,
    }
}
