//! The four grids of Browne, section 2, and their directions.

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

    /// The direction that undoes a step in this one.
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

    /// The directions of adjacency.
    pub const fn directions(self) -> &'static [Direction] {
        use Direction::*;
        match self {
            Self::Linear => &[E, W],
            Self::Square => &[N, E, S, W],
            Self::Hexagonal => &[NE, E, SE, SW, W, NW],
            Self::SquareDiagonal => &Direction::ALL,
        }
    }

    /// One direction for each axis: a line runs both ways along it.
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
