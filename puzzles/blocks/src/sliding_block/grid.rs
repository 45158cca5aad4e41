//! The board without its pieces, and the shapes of pieces.

use crate::text::{Fault, alike, place};

/// Most cells of a board that are not walls: masks have 128 bits.
pub const MOST_CELLS: usize = 128;

/// A gate in a drawing: only pieces with a goal may cover it.
pub const GATE: char = '-';
/// The piece with the goal in a level of GNOME Klotski.
pub const STAR: char = '*';

/// A rectangle of cells, some of them walls. Cells are numbered in scanning order: left
/// to right, top to bottom, walls included.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grid {
    pub width: usize,
    pub height: usize,
    walls: Vec<bool>,
    /// The cells that are not walls, in scanning order.
    pub open: Vec<usize>,
    /// Row and column of each cell: the rulebook needs them too often for a division.
    places: Vec<(u32, u32)>,
}

impl Grid {
    /// A board with these walls, in scanning order.
    pub fn new(width: usize, height: usize, walls: Vec<bool>) -> Self {
        debug_assert_eq!(walls.len(), width * height);
        let places = (0..walls.len()).map(|cell| ((cell / width) as u32, (cell % width) as u32));
        Self {
            width,
            height,
            open: (0..walls.len()).filter(|&cell| !walls[cell]).collect(),
            places: places.collect(),
            walls,
        }
    }

    /// Number of cells, walls included.
    pub fn len(&self) -> usize {
        self.walls.len()
    }

    pub fn is_wall(&self, cell: usize) -> bool {
        self.walls[cell]
    }

    /// The number of an open cell among them.
    pub fn number(&self, cell: usize) -> usize {
        self.open.binary_search(&cell).unwrap_or_default()
    }

    /// Row and column of a cell, from 0.
    pub fn row_column(&self, cell: usize) -> (usize, usize) {
        let (row, column) = self.places[cell];
        (row as usize, column as usize)
    }

    /// A cell as error texts name it, from 1.
    pub fn cell_name(&self, cell: usize) -> String {
        let (row, column) = self.row_column(cell);
        place(row, column)
    }

    /// The open cell at an offset in rows and columns; `None` beyond the edge or on a wall.
    pub fn offset(&self, cell: usize, (down, right): (i32, i32)) -> Option<usize> {
        let (row, column) = self.row_column(cell);
        let row = usize::try_from(row as i32 + down).ok()?;
        let column = usize::try_from(column as i32 + right).ok()?;
        let inside = row < self.height && column < self.width;
        let cell = row * self.width + column;
        (inside && !self.walls[cell]).then_some(cell)
    }
}

/// A piece's cells as offsets in rows and columns from its first cell in scanning order (topmost,
/// then leftmost), in that order. Pieces of equal shape are interchangeable. Pieces do not turn, so
/// a turned or mirrored shape is a different one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Shape(Vec<(i32, i32)>);

impl Shape {
    /// The shape of some cells of a grid, in any order.
    pub fn of(grid: &Grid, cells: &[usize]) -> Self {
        let signed = |cell: &usize| {
            let (row, column) = grid.row_column(*cell);
            (row as i32, column as i32)
        };
        let mut cells: Vec<(i32, i32)> = cells.iter().map(signed).collect();
        cells.sort_unstable();
        let first = cells.first().copied().unwrap_or_default();
        let from_first = |(row, column): (i32, i32)| (row - first.0, column - first.1);
        Self(cells.into_iter().map(from_first).collect())
    }

    pub fn offsets(&self) -> &[(i32, i32)] {
        &self.0
    }

    pub fn area(&self) -> usize {
        self.0.len()
    }

    /// Whether it is one of the little pieces that the bucket hash leaves out: 1x1, 1x2
    /// and 2x1, so at most two cells (Dogon, "non-uniform bucket hash").
    pub fn is_little(&self) -> bool {
        self.area() <= 2
    }

    /// The cells that a piece of this shape covers with its first cell on `anchor`;
    /// `None` if one of them is a wall or outside.
    pub fn cells(&self, grid: &Grid, anchor: usize) -> Option<Vec<usize>> {
        if grid.is_wall(anchor) {
            return None;
        }
        self.0
            .iter()
            .map(|&offset| grid.offset(anchor, offset))
            .collect()
    }

    /// The shape's size and area in words ("2x3, 4 cells").
    pub fn describe(&self) -> String {
        let height = self.0.iter().map(|cell| cell.0).max().unwrap_or(0) + 1;
        let columns = || self.0.iter().map(|cell| cell.1);
        let width = columns().max().unwrap_or(0) - columns().min().unwrap_or(0) + 1;
        let area = self.area();
        let cells = if area == 1 { "cell" } else { "cells" };
        format!("{height}x{width}, {area} {cells}")
    }
}

/// Reads rows of equal width into a grid and its characters, `#` being a wall.
pub fn read_rows(rows: &[&str]) -> Result<(Grid, Vec<char>), Fault> {
    let rows: Vec<Vec<char>> = rows.iter().map(|row| row.chars().collect()).collect();
    let known = |mark: char| ['#', '.', GATE, STAR].contains(&mark) || mark.is_ascii_alphanumeric();
    let write = "'#' for a wall, '.' for an empty cell, '-' for a gate, a letter, digit or '*' for a \
                 piece";
    alike(&rows, known, write)?;
    let marks = rows.concat();
    let walls = marks.iter().map(|&mark| mark == '#').collect();
    Ok((Grid::new(rows[0].len(), rows.len(), walls), marks))
}
