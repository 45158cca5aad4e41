//! Sets of cells as words: rows end to end from the north-east, with bits between them.

use std::collections::BTreeSet;
use std::iter::successors;

use crate::figures::{Derived, Draw, holds_too, sampled, unnamed};
use crate::rules::board::{Grid, Way};
use crate::shown::Stop;

/// Steps to the neighbours of a square, across corners too.
const ALL: [Way; 8] = [
    (-1, 0),
    (-1, 1),
    (0, 1),
    (1, 1),
    (1, 0),
    (1, -1),
    (0, -1),
    (-1, -1),
];
/// Steps of hexagons: going north along a column is the north-west step.
const HEXAGONS: [Way; 6] = [(-1, 1), (0, 1), (1, 0), (1, -1), (0, -1), (-1, 0)];
const SQUARES: [Way; 4] = [(-1, 0), (0, 1), (1, 0), (0, -1)];

/// The text's four grids: lines, squares by edges, hexagons, squares by edges and corners.
const GRIDS: [&[Way]; 4] = [&[(0, 1), (0, -1)], &SQUARES, &HEXAGONS, &ALL];

struct Board {
    grid: Grid,
    pitch: usize,
}

impl Board {
    fn new(width: usize, height: usize, between: usize) -> Self {
        Self {
            grid: Grid::new(height, width),
            pitch: width + between,
        }
    }
    fn bit(&self, cell: usize) -> u128 {
        let (row, column) = self.grid.place(cell);
        1 << (row * self.pitch + self.grid.columns - 1 - column)
    }
    fn bits(&self) -> impl Iterator<Item = u128> + '_ {
        self.grid.cells().map(|cell| self.bit(cell))
    }
    fn mask(&self) -> u128 {
        self.bits().sum()
    }
    /// A set shifted as a word, n steps at once; only bits beyond the ends are cut off.
    fn shifted(&self, set: u128, (down, right): Way, steps: i32) -> u128 {
        let by = (down * self.pitch as i32 - right) * steps;
        if by >= 0 { set << by } else { set >> -by }
    }
    /// A set moved cell by cell.
    fn moved(&self, set: u128, (down, right): Way, steps: i32) -> u128 {
        let own = self.grid.cells().filter(|&cell| set & self.bit(cell) != 0);
        let step = |cell| self.grid.step(cell, (down * steps, right * steps));
        own.filter_map(step).map(|cell| self.bit(cell)).sum()
    }
    fn drawn(&self, draw: &mut Draw) -> u128 {
        (u128::from(draw.word()) << 64 | u128::from(draw.word())) & self.mask()
    }
    /// Cells of the longest line of a set along a direction.
    fn line(&self, set: u128, way: Way) -> usize {
        let lines = successors(Some(set), |&set| Some(set & self.moved(set, way, 1)));
        lines.take_while(|set| *set != 0).count()
    }
}

/// Whether the printed shifts N = width + 1, E = 1, S = -(width + 1) and W = -1 take each cell to
/// its neighbour or off the board.
pub fn square() -> bool {
    (3..=8).all(|width| {
        let board = Board::new(width, 8, 1);
        let right =
            |bit, &way: &Way| board.shifted(bit, way, 1) & board.mask() == board.moved(bit, way, 1);
        let mut bits = board.bits();
        bits.all(|bit| SQUARES.iter().all(|way| right(bit, way)))
    })
}

/// Whether n bits between rows keep steps of n from wrapping, and n - 1 do not, for n up to 4.
pub fn separating() -> bool {
    let sealed = |grid: &[Way], between: usize, steps: i32| {
        let board = Board::new(7, 6, between);
        let mask = board.mask();
        grid.iter()
            .all(|&way| board.shifted(mask, way, steps) & mask == board.moved(mask, way, steps))
    };
    let both = |n: usize| {
        let mut grids = GRIDS.iter();
        grids.all(|grid| sealed(grid, n, n as i32) && !sealed(grid, n - 1, n as i32))
    };
    (1..=4).all(both)
}

/// Whether the six printed shifts are the steps of hexagons, in two layouts. One has no bits
/// between rows, each half a cell east of the row above; the other has a bit, and rows half a cell
/// west.
pub fn hexagonal() -> bool {
    let fits = |cols: i32, pitch: i32, lean: i32| {
        let steps = [(1, -1), (2, 0), (1, 1), (-1, 1), (-2, 0), (-1, -1)];
        let printed = [cols + 1, 1, -cols, -(cols + 1), -1, cols];
        steps.into_iter().zip(printed).all(|(step, by)| {
            let from = 50 * pitch + pitch / 2;
            let east = from % pitch - (from - by) % pitch;
            let south = (from - by) / pitch - from / pitch;
            (2 * east + lean * south, south) == step
        })
    };
    (3..=19).all(|cols| fits(cols, cols, 1) && fits(cols, cols + 1, -1))
}

/// Whether single steps of hexagons on a set of cells, rows end to end and n bits wide, land on
/// the neighbour or on no cell.
fn sealed(cells: &BTreeSet<Way>, pitch: i32) -> bool {
    let bit = |(row, column): Way| row * pitch - column;
    let bits: BTreeSet<i32> = cells.iter().map(|&cell| bit(cell)).collect();
    cells.iter().all(|&(row, column)| {
        HEXAGONS.iter().all(|&(down, right)| {
            let to = (row + down, column + right);
            cells.contains(&to) || !bits.contains(&bit(to))
        })
    })
}

/// Cells of a square array whose row and column add up to some number.
fn staggered(width: i32, sums: std::ops::Range<i32>) -> BTreeSet<Way> {
    let all = (0..width).flat_map(|row| (0..width).map(move |column| (row, column)));
    all.filter(|(row, column)| sums.contains(&(row + column)))
        .collect()
}

/// Hexagons of side 2 to 11 and triangles of side 2 to 22, their widest row as wide as the array.
pub fn staggered_is_sealed() -> bool {
    let hexagon = |side: i32| staggered(2 * side - 1, side - 1..3 * side - 2);
    (2..=11).all(|side| sealed(&hexagon(side), 2 * side - 1))
        && (2..=22).all(|side| sealed(&staggered(side, 0..side), side))
}

/// The rhombus of Hex, whose rows fill the array.
pub fn rhombus_is_sealed() -> bool {
    sealed(&staggered(11, 0..21), 11)
}

/// Whether the printed dilation, which is not masked, sets bits outside a board of 3x3.
pub fn dilation_spills() -> bool {
    let board = Board::new(3, 3, 1);
    let spills = |way: &Way| board.shifted(board.mask(), *way, 1) & !board.mask() != 0;
    GRIDS.iter().any(|grid| grid.iter().any(spills))
}

/// The final growth of a set.
fn grown(set: u128, wider: impl Fn(u128) -> u128) -> u128 {
    let next = wider(set);
    if next == set { set } else { grown(next, wider) }
}

struct At<'a> {
    board: &'a Board,
    grid: &'a [Way],
    own: u128,
    other: u128,
}

impl At<'_> {
    fn empty(&self) -> u128 {
        self.board.mask() & !self.own & !self.other
    }
    /// A set with its neighbours, by shifts of the word.
    fn wide(&self, set: u128) -> u128 {
        let all = self.grid.iter().map(|&way| self.step(set, way));
        all.fold(set & self.board.mask(), |all, set| all | set)
    }
    /// The neighbours of a set, cell by cell.
    fn near(&self, set: u128) -> u128 {
        let all = self.grid.iter().map(|&way| self.board.moved(set, way, 1));
        all.fold(0, |all, set| all | set)
    }
    /// A set moved one step, by a shift.
    fn step(&self, set: u128, way: Way) -> u128 {
        self.board.shifted(set, way, 1) & self.board.mask()
    }

    /// Algorithm 4, and cells from which a line of the opponent's pieces leads to one of the
    /// player's.
    fn line_caps(&self) -> bool {
        let mut caps = 0;
        for &way in self.grid {
            let mut line = self.other & self.step(self.own, way);
            while line != 0 {
                let next = self.step(line, way);
                caps |= self.empty() & next;
                line = self.other & next;
            }
        }
        let capped = |cell: &u128| {
            self.grid.iter().any(|&way| {
                let moved = |at: u128| self.board.moved(at, way, 1);
                let first = moved(*cell);
                let mut at = first;
                while at & self.other != 0 {
                    at = moved(at);
                }
                at != first && at & self.own != 0
            })
        };
        let empty = self.board.bits().filter(|cell| cell & self.empty() != 0);
        caps == empty.filter(capped).sum::<u128>()
    }

    /// Whether something holds for each of the player's pieces: for the piece, for its group grown
    /// cell by cell, and for the group grown by shifts.
    fn groups(&self, holds: impl Fn(u128, u128, u128) -> bool) -> bool {
        let mut pieces = self.board.bits().filter(|piece| piece & self.own != 0);
        pieces.all(|piece| {
            let literal = grown(piece, |set| set | self.near(set) & self.own);
            let by_shifts = grown(piece, |set| self.wide(set) & self.own);
            holds(piece, literal, by_shifts)
        })
    }

    /// Algorithm 12, and groups grown cell by cell.
    fn surround_capture(&self) -> bool {
        let free = self.wide(self.empty()) & self.own;
        let kept = grown(free, |set| self.wide(set) & self.own);
        self.groups(|piece, group, _| (self.near(group) & self.empty() != 0) == (piece & kept != 0))
    }

    /// The exact form of algorithm 8 with a corner of three: by its places, and cell by cell.
    fn exact(&self) -> bool {
        let corner = |cell: usize| {
            let cells = [(0, 0), (0, 1), (1, 0)].map(|way| self.board.grid.step(cell, way));
            let bits = cells.map(|cell| Some(self.board.bit(cell?)));
            bits.into_iter().sum::<Option<u128>>()
        };
        let corners = self.board.grid.cells().filter_map(corner);
        let mut own = corners.filter(|set| self.own & set == *set);
        own.all(|set| {
            let alone = self.wide(set) & !set & self.own == 0;
            let mut others = self.board.bits().filter(|bit| bit & self.own & !set != 0);
            alone == others.all(|bit| self.near(bit) & set == 0)
        })
    }

    /// Algorithm 5, on the grid that it is played on: straight or diagonally forward.
    fn breakthrough(&self) -> bool {
        let ways = |sets: [u128; 3]| {
            let diagonal = sets[1] | sets[2];
            (sets[0] | diagonal) & self.empty() | diagonal & self.other
        };
        let north = [(-1, 0), (-1, 1), (-1, -1)];
        let literal = north.map(|way| self.board.moved(self.own, way, 1));
        self.grid.len() < 8 || ways(north.map(|way| self.step(self.own, way))) == ways(literal)
    }

    /// Algorithm 8 with the plus of figure 17: a set of its cells in each place, and its arms.
    fn plus(&self) -> bool {
        let Board { grid, .. } = self.board;
        let inside = |cell: usize| {
            let arms: Vec<usize> = grid.beside(cell).collect();
            let cells = (arms.len() == 4).then(|| [&arms[..], &[cell]].concat())?;
            Some(cells.into_iter().map(|cell| self.board.bit(cell)).sum())
        };
        let by_set = |pattern: u128| self.own & pattern == pattern;
        let arms = SQUARES.map(|way| self.board.moved(self.own, way, 1));
        let by_arms = arms.iter().fold(self.own, |all, set| all & set) != 0;
        grid.cells().filter_map(inside).any(by_set) == by_arms
    }

    /// Dilation and erosion, by shifts and cell by cell.
    fn dilation(&self) -> bool {
        let (board, own, grid) = (self.board, self.own, self.grid.iter());
        let shifts = grid.clone().map(|&way| board.shifted(own, way, 1));
        let moves = grid.map(|&way| board.moved(own, way, 1));
        let narrow = shifts.fold(own, |all, set| all & set);
        let literal = moves.fold(own, |all, set| all & set);
        self.wide(own) == own | self.near(own) && narrow == literal
    }

    /// Pairs along a step, then pairs of these along two; and lines, cell by cell.
    fn line_of_four(&self) -> bool {
        let (board, own) = (self.board, self.own);
        let by_shifts = |way: &Way| {
            let pairs = own & board.shifted(own, *way, 1);
            pairs & board.shifted(pairs, *way, 2) != 0
        };
        let is_long = |way: &Way| board.line(own, *way) >= 4;
        self.grid.iter().any(by_shifts) == self.grid.iter().any(is_long)
    }

    fn holds(&self, what: &str) -> Option<bool> {
        let (board, own, other) = (self.board, self.own, self.other);
        let (occupied, mut ways) = (own | other, self.grid.iter());
        Some(match what {
            "dilation-erosion" => self.dilation(),
            // An opponent's piece next to one of the player's: one step back is that one.
            "clobber-from-cell" => ways.all(|&(down, right)| {
                let to = self.step(own, (down, right)) & other;
                let from = self.step(to, (-down, -right));
                from & !own == 0 && from.count_ones() == to.count_ones()
            }),
            "one-direction-an-axis" => ways.all(|&(down, right)| {
                board.line(own, (down, right)) == board.line(own, (-down, -right))
            }),
            "line-of-four" => self.line_of_four(),
            "empty-neighbours" => {
                self.wide(occupied) & self.empty() == self.near(occupied) & self.empty()
            }
            "enemy-neighbours" => {
                ways.all(|&way| self.step(own, way) & other == board.moved(own, way, 1) & other)
            }
            "line-caps" => self.line_caps(),
            "breakthrough-moves" => self.breakthrough(),
            "pattern-matching" => self.plus(),
            "flip-all" => self.wide(own) & other == self.near(own) & other,
            "flip-around-move" | "algorithm-11-masked" => {
                let mut cells = board.bits();
                cells.all(|cell| self.wide(cell) == cell | self.near(cell))
            }
            "surround-capture" => self.surround_capture(),
            "exact-patterns" => self.exact(),
            "group-liberties" => self.groups(|_, literal, group| {
                self.wide(group) & self.empty() == self.near(literal) & self.empty()
            }),
            "free-pieces" => {
                let free = self.wide(self.empty()) & own;
                let mut pieces = board.bits().filter(|piece| piece & own != 0);
                pieces.all(|piece| (self.near(piece) & self.empty() != 0) == (piece & free != 0))
            }
            _ => return None,
        })
    }
}

/// Properties of all sets of 3x3, and of random ones of 7x6 and 11x9, on the four grids.
pub fn property(what: &str) -> Result<Derived, Stop> {
    let holds = |board: &Board, own: u128, other: u128| {
        let at = |grid| At {
            board,
            grid,
            own,
            other,
        };
        let holds: Option<Vec<bool>> = GRIDS.map(|grid| at(grid).holds(what)).into_iter().collect();
        holds.map(|holds| holds == [true; 4])
    };
    let small = Board::new(3, 3, 1);
    if holds(&small, 0, 0).is_none() {
        return unnamed();
    }
    // Each cell is empty, the player's or the opponent's.
    let cells: Vec<u128> = small.bits().collect();
    let side = |code: usize, digit: usize| {
        let powers = successors(Some(1), |power| Some(3 * power));
        let own = cells.iter().zip(powers);
        let own = own.filter(|(_, power)| code / power % 3 == digit);
        own.map(|(cell, _)| cell).sum::<u128>()
    };
    let every =
        (0..3_usize.pow(9)).all(|code| holds(&small, side(code, 1), side(code, 2)) == Some(true));
    let beyond = format!("{what}, beyond all positions of 3x3");
    let drawn = sampled(1000, &beyond, |draw| {
        let mut boards = [Board::new(7, 6, 1), Board::new(11, 9, 1)].into_iter();
        boards.all(|board| {
            let own = board.drawn(draw);
            let other = board.drawn(draw) & !own;
            holds(&board, own, other) == Some(true)
        })
    });
    holds_too(every, drawn)
}
