//! The literal twins: every algorithm on arrays of cells, one cell at a time, with bounds checks
//! instead of masks.
//!
//! They share only the names of grids and directions with the bit versions: adjacency comes from
//! the table in `Cells::delta`, not from shifts. They are written to be read, not to be fast.

use puzzle_api::bitboard::{Direction, Geometry, Grid};

use super::packing::Cube;

/// A set of cells in reading order, one flag each.
pub type Set = Vec<bool>;

/// Says whether a cell `(x, y)` of a board of some width is on a side of it.
pub type Side = fn(usize, (usize, usize)) -> bool;

/// Returns whether a cell is in a set; beyond its end it is not.
pub fn has(set: &[bool], cell: usize) -> bool {
    set.get(cell).copied().unwrap_or(false)
}

/// A board as an array of cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cells {
    grid: Grid,
    width: usize,
    on_board: Set,
}

impl Cells {
    /// Returns the cells of a geometry.
    pub fn of<const N: usize>(board: &Geometry<N>) -> Self {
        Self {
            grid: board.grid(),
            width: board.width(),
            on_board: board.to_cells(board.mask()),
        }
    }

    /// Columns east and rows south of a step.
    fn delta(&self, d: Direction) -> (i64, i64) {
        const SQUARE: [(i64, i64); 8] = [
            (0, -1),
            (1, -1),
            (1, 0),
            (1, 1),
            (0, 1),
            (-1, 1),
            (-1, 0),
            (-1, -1),
        ];
        match (self.grid, d) {
            (Grid::Hexagonal, Direction::SE) => (0, 1),
            (Grid::Hexagonal, Direction::NW) => (0, -1),
            _ => SQUARE[d as usize],
        }
    }

    /// Returns the cell one step from `cell`; `None` if that is off the board.
    pub fn neighbour(&self, cell: usize, d: Direction) -> Option<usize> {
        let (dx, dy) = self.delta(d);
        let x = (cell % self.width) as i64 + dx;
        let y = (cell / self.width) as i64 + dy;
        if x < 0 || x >= self.width as i64 || y < 0 {
            return None;
        }
        let to = y as usize * self.width + x as usize;
        has(&self.on_board, to).then_some(to)
    }

    fn neighbours(&self, cell: usize) -> impl Iterator<Item = usize> {
        let directions = self.grid.directions().iter();
        directions.filter_map(move |&d| self.neighbour(cell, d))
    }

    /// Returns the cells on the board that satisfy a condition.
    pub fn select(&self, keep: impl Fn(usize) -> bool) -> Set {
        let cells = 0..self.on_board.len();
        cells
            .map(|cell| self.on_board[cell] && keep(cell))
            .collect()
    }

    /// Returns whether some neighbour of `cell` is in the set.
    fn touches(&self, set: &[bool], cell: usize) -> bool {
        self.neighbours(cell).any(|to| has(set, to))
    }

    /// Whether the neighbour from which a step in direction `d` reaches `cell` is in the set.
    fn came(&self, set: &[bool], cell: usize, d: Direction) -> bool {
        let from = self.neighbour(cell, d.opposite());
        from.is_some_and(|from| has(set, from))
    }

    /// Section 4.3 in all directions.
    pub fn dilate(&self, set: &[bool]) -> Set {
        self.select(|cell| has(set, cell) || self.touches(set, cell))
    }

    /// Section 4.4 in one direction.
    pub fn erode_towards(&self, set: &[bool], d: Direction) -> Set {
        self.select(|cell| has(set, cell) && self.came(set, cell, d))
    }

    /// Section 4.4 in all directions: off the board counts as unset.
    pub fn erode(&self, set: &[bool]) -> Set {
        let all = self.grid.directions();
        self.select(|cell| has(set, cell) && all.iter().all(|&d| self.came(set, cell, d)))
    }

    /// Returns the length of the longest line along an axis, by walking from every cell.
    pub fn line_length_along(&self, set: &[bool], axis: Direction) -> u32 {
        let walk = |start: usize| {
            let next = |&cell: &usize| self.neighbour(cell, axis).filter(|&to| has(set, to));
            std::iter::successors(Some(start), next).count() as u32
        };
        let starts = (0..self.on_board.len()).filter(|&cell| self.on_board[cell] && has(set, cell));
        starts.map(walk).max().unwrap_or(0)
    }

    /// Algorithm 6.
    pub fn line_length(&self, set: &[bool]) -> u32 {
        let axes = self.grid.axes().iter();
        axes.map(|&axis| self.line_length_along(set, axis))
            .max()
            .unwrap_or(0)
    }

    /// Returns the translations of a shape that a set contains, cell by cell.
    pub fn matches<'a>(
        &self,
        shape: &'a [(usize, usize)],
        set: &'a [bool],
    ) -> impl Iterator<Item = Vec<usize>> + use<'a> {
        let width = self.width;
        let place = move |at: usize| {
            let cell = |&(dx, dy): &(usize, usize)| {
                let cell = (at / width + dy) * width + at % width + dx;
                (at % width + dx < width && has(set, cell)).then_some(cell)
            };
            shape.iter().map(cell).collect()
        };
        (0..set.len()).filter_map(place)
    }

    /// Returns the first match that no other cell of the set touches, algorithm 8's exact form.
    pub fn exact_match(&self, shape: &[(usize, usize)], set: &[bool]) -> Option<Vec<usize>> {
        let alone = |found: &Vec<usize>| {
            let mut beside = found.iter().flat_map(|&cell| self.neighbours(cell));
            beside.all(|cell| found.contains(&cell) || !has(set, cell))
        };
        self.matches(shape, set).find(alone)
    }

    /// Returns the cells connected to `start` within a set, by flood fill.
    pub fn group(&self, set: &[bool], start: usize) -> Set {
        let mut group = vec![false; self.on_board.len()];
        let mut left = vec![start];
        while let Some(cell) = left.pop() {
            if has(set, cell) && !group[cell] {
                group[cell] = true;
                left.extend(self.neighbours(cell));
            }
        }
        group
    }

    /// Returns whether a chain of cells of a set touches all sides.
    pub fn connects(&self, set: &[bool], sides: &[Side]) -> bool {
        let on =
            |cell: usize, side: &Side| side(self.width, (cell % self.width, cell / self.width));
        let starts = (0..set.len()).filter(|&cell| set[cell] && on(cell, &sides[0]));
        starts.into_iter().any(|start| {
            let group = self.group(set, start);
            let mut others = sides[1..].iter();
            others.all(|side| (0..set.len()).any(|cell| group[cell] && on(cell, side)))
        })
    }
}

/// A position as two sets of cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Literal<'a> {
    /// The board.
    pub board: &'a Cells,
    /// Cells with a piece of the player.
    pub player: Set,
    /// Cells with a piece of the opponent.
    pub opponent: Set,
}

impl Literal<'_> {
    /// Returns whether a cell of the board is empty.
    pub fn is_empty(&self, cell: usize) -> bool {
        has(&self.board.on_board, cell) && !has(&self.player, cell) && !has(&self.opponent, cell)
    }

    /// Algorithm 1.
    pub fn empty_neighbours(&self) -> Set {
        let touches = |set: &Set, cell| self.board.touches(set, cell);
        self.board.select(|cell| {
            self.is_empty(cell) && (touches(&self.player, cell) || touches(&self.opponent, cell))
        })
    }

    /// Algorithm 2.
    pub fn empty_neighbours_towards(&self, d: Direction) -> Set {
        self.board
            .select(|cell| self.is_empty(cell) && self.board.came(&self.player, cell, d))
    }

    /// Algorithm 3.
    pub fn enemy_neighbours_towards(&self, d: Direction) -> Set {
        self.board
            .select(|cell| has(&self.opponent, cell) && self.board.came(&self.player, cell, d))
    }

    /// The opponent's pieces that a move at `cell` captures towards `d`.
    fn capped(&self, cell: usize, d: Direction) -> Vec<usize> {
        let next = |&at: &usize| self.board.neighbour(at, d);
        let mut ray = std::iter::successors(next(&cell), next).peekable();
        let mut line = Vec::new();
        while let Some(at) = ray.next_if(|&at| has(&self.opponent, at)) {
            line.push(at);
        }
        line.retain(|_| ray.peek().is_some_and(|&end| has(&self.player, end)));
        line
    }

    /// Returns all pieces that a move at `cell` captures.
    pub fn line_cap_flips(&self, cell: usize) -> Vec<usize> {
        let directions = self.board.grid.directions().iter();
        directions.flat_map(|&d| self.capped(cell, d)).collect()
    }

    /// Algorithm 4.
    pub fn line_cap_moves(&self) -> Set {
        self.board
            .select(|cell| self.is_empty(cell) && !self.line_cap_flips(cell).is_empty())
    }

    /// Algorithm 5, the player moving north.
    pub fn breakthrough_moves(&self) -> Set {
        self.board.select(|cell| {
            let from = |d| self.board.came(&self.player, cell, d);
            let diagonal = from(Direction::NE) || from(Direction::NW);
            let empty = self.is_empty(cell);
            empty && (diagonal || from(Direction::N)) || has(&self.opponent, cell) && diagonal
        })
    }

    /// The position after the opponent's pieces that satisfy a condition change sides.
    fn flipped(&self, flips: impl Fn(usize) -> bool) -> Self {
        let turns = |cell| has(&self.opponent, cell) && flips(cell);
        Self {
            board: self.board,
            player: self
                .board
                .select(|cell| has(&self.player, cell) || turns(cell)),
            opponent: self
                .board
                .select(|cell| has(&self.opponent, cell) && !turns(cell)),
        }
    }

    /// Algorithm 9.
    #[must_use]
    pub fn flip_enemy_neighbours(&self) -> Self {
        self.flipped(|cell| self.board.touches(&self.player, cell))
    }

    /// Algorithm 10.
    #[must_use]
    pub fn flip_around_move(&self, last: usize) -> Self {
        self.flipped(|cell| cell == last || self.board.neighbours(last).any(|to| to == cell))
    }

    /// Algorithm 11, on the player's cells.
    pub fn press(&self, last: usize) -> Set {
        let near = |cell| cell == last || self.board.neighbours(last).any(|to| to == cell);
        self.board
            .select(|cell| has(&self.player, cell) != near(cell))
    }

    /// Algorithm 12: a piece stays if a piece of its group touches an empty cell.
    pub fn surround_capture(&self) -> Set {
        self.board
            .select(|cell| has(&self.player, cell) && self.liberties(cell).contains(&true))
    }

    /// Returns the liberties of the group of a stone.
    pub fn liberties(&self, stone: usize) -> Set {
        let group = self.board.group(&self.player, stone);
        self.board
            .select(|cell| self.is_empty(cell) && self.board.touches(&group, cell))
    }

    /// Returns the empty cells next to a piece of the player.
    pub fn all_liberties(&self) -> Set {
        self.board
            .select(|cell| self.is_empty(cell) && self.board.touches(&self.player, cell))
    }

    /// Returns the player's pieces with a liberty of their own.
    pub fn free_pieces(&self) -> Set {
        let free = |cell| self.board.neighbours(cell).any(|to| self.is_empty(to));
        self.board
            .select(|cell| has(&self.player, cell) && free(cell))
    }
}

/// Returns the next generation of Life on the 8x8 torus, eight neighbours counted for each cell.
pub fn life(live: &[[bool; 8]; 8]) -> [[bool; 8]; 8] {
    let near = |y: usize, x: usize| {
        let all = (0..9).filter(|&k| k != 4);
        all.filter(|k| live[(y + 7 + k / 3) % 8][(x + 7 + k % 3) % 8])
            .count()
    };
    let next = |y: usize, x: usize| match near(y, x) {
        3 => true,
        2 => live[y][x],
        _ => false,
    };
    std::array::from_fn(|y| std::array::from_fn(|x| next(y, x)))
}

/// Returns a word of the 8x8 torus as cells; bit 0 is the north-east cell.
pub fn from_word(live: u64) -> [[bool; 8]; 8] {
    std::array::from_fn(|y| std::array::from_fn(|x| live >> (8 * y + 7 - x) & 1 == 1))
}

/// Counts the ways to fill a box with the pieces, cube by cube, by trial and error.
pub fn packings(size: Cube, pieces: &[&[Cube]]) -> u64 {
    let pieces: Vec<_> = pieces.iter().map(|piece| orientations(piece)).collect();
    let mut taken = vec![false; size.iter().product()];
    let mut used = vec![false; pieces.len()];
    fill(size, &pieces, &mut taken, &mut used)
}

fn fill(size: Cube, pieces: &[Vec<Vec<[i32; 3]>>], taken: &mut [bool], used: &mut [bool]) -> u64 {
    let Some(first) = taken.iter().position(|&taken| !taken) else {
        return 1;
    };
    let [w, h, _] = size;
    let origin = [first % w, first / w % h, first / (w * h)].map(|v| v as i32);
    let mut ways = 0;
    for (piece, shapes) in pieces.iter().enumerate() {
        for shape in shapes.iter().filter(|_| !used[piece]).collect::<Vec<_>>() {
            let cube = |c: &[i32; 3]| {
                let at = [0, 1, 2].map(|k| c[k] + origin[k]);
                let inside = (0..3).all(|k| at[k] >= 0 && (at[k] as usize) < size[k]);
                let [x, y, z] = at.map(|v| v as usize);
                let cube = inside.then(|| x + w * (y + h * z))?;
                (!taken[cube]).then_some(cube)
            };
            let Some(cubes) = shape.iter().map(cube).collect::<Option<Vec<_>>>() else {
                continue;
            };
            used[piece] = true;
            cubes.iter().for_each(|&cube| taken[cube] = true);
            ways += fill(size, pieces, taken, used);
            cubes.iter().for_each(|&cube| taken[cube] = false);
            used[piece] = false;
        }
    }
    ways
}

type Turn = fn(&[i32; 3]) -> [i32; 3];

/// All shapes of a piece under rotation in space, each with its lowest cube (least `z`, then `y`,
/// then `x`) at the origin.
fn orientations(piece: &[Cube]) -> Vec<Vec<[i32; 3]>> {
    let anchor = |mut cubes: Vec<[i32; 3]>| {
        cubes.sort_by_key(|&[x, y, z]| (z, y, x));
        let origin = cubes[0];
        let moved = cubes.iter().map(|c| [0, 1, 2].map(|k| c[k] - origin[k]));
        moved.collect::<Vec<_>>()
    };
    let mut all = vec![anchor(piece.iter().map(|c| c.map(|v| v as i32)).collect())];
    let mut next = 0;
    while next < all.len() {
        // A quarter turn about the z axis, and a third of a turn about the corner.
        let turns: [Turn; 2] = [|&[x, y, z]| [-y, x, z], |&[x, y, z]| [y, z, x]];
        for turn in turns {
            let turned = anchor(all[next].iter().map(turn).collect());
            if !all.contains(&turned) {
                all.push(turned);
            }
        }
        next += 1;
    }
    all
}
