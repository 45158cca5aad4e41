//! Sets of cells as words: rows end to end from the north-east, with bits between them.

use std::collections::BTreeSet;

use crate::certificate::Stop;
use crate::figures::{Derived, Draw, sampled, unknown};

use super::Place;

/// Steps of the text's four grids, in rows and columns: lines, squares by edges, hexagons (going
/// north along a column is the north-west step), squares by edges and corners.
const GRIDS: [&[Place]; 4] = [
    &[(0, 1), (0, -1)],
    &[(-1, 0), (0, 1), (1, 0), (0, -1)],
    &[(-1, 1), (0, 1), (1, 0), (1, -1), (0, -1), (-1, 0)],
    &[
        (-1, 0),
        (-1, 1),
        (0, 1),
        (1, 1),
        (1, 0),
        (1, -1),
        (0, -1),
        (-1, -1),
    ],
];

/// A rectangle of cells with some bits between its rows.
struct Board {
    width: i32,
    height: i32,
    pitch: i32,
}

impl Board {
    fn new(width: i32, height: i32, between: i32) -> Self {
        let pitch = width + between;
        Self {
            width,
            height,
            pitch,
        }
    }
    fn has(&self, (row, column): Place) -> bool {
        (0..self.height).contains(&row) && (0..self.width).contains(&column)
    }
    fn bit(&self, (row, column): Place) -> u128 {
        1 << (row * self.pitch + self.width - 1 - column)
    }
    fn cells(&self) -> impl Iterator<Item = Place> + '_ {
        (0..self.height).flat_map(|row| (0..self.width).map(move |column| (row, column)))
    }
    fn mask(&self) -> u128 {
        self.cells().map(|cell| self.bit(cell)).sum()
    }
    /// A set shifted as a word, so many steps at once; nothing is cut off but at the ends.
    fn shifted(&self, set: u128, (down, right): Place, steps: i32) -> u128 {
        let by = (down * self.pitch - right) * steps;
        if by >= 0 { set << by } else { set >> -by }
    }
    /// A set moved cell by cell.
    fn moved(&self, set: u128, (down, right): Place, steps: i32) -> u128 {
        let to = |(row, column): Place| (row + down * steps, column + right * steps);
        let there = self
            .cells()
            .filter(|&cell| set & self.bit(cell) != 0 && self.has(to(cell)));
        there.map(|cell| self.bit(to(cell))).sum()
    }
    fn drawn(&self, draw: &mut Draw) -> u128 {
        (u128::from(draw.word()) << 64 | u128::from(draw.word())) & self.mask()
    }
    /// Cells of the longest line of a set along a direction.
    fn line(&self, mut set: u128, way: Place) -> u32 {
        let mut length = 0;
        while set != 0 {
            length += 1;
            set &= self.moved(set, way, 1);
        }
        length
    }
}

/// Whether n bits between rows keep steps of n from wrapping, and n - 1 do not, for n up to 4.
pub fn separating() -> bool {
    let sealed = |grid: &[Place], between: i32, steps: i32| {
        let board = Board::new(7, 6, between);
        let mask = board.mask();
        grid.iter()
            .all(|&way| board.shifted(mask, way, steps) & mask == board.moved(mask, way, steps))
    };
    GRIDS
        .iter()
        .all(|grid| (1..=4).all(|n| sealed(grid, n, n) && !sealed(grid, n - 1, n)))
}

/// Whether the six printed shifts are the steps of hexagons, in a layout without bits between
/// rows, each half a cell east of the one above, and in one with a bit, half a cell west.
pub fn hexagonal() -> bool {
    let fits = |cols: i32, pitch: i32, lean: i32| {
        let steps = [(1, -1), (2, 0), (1, 1), (-1, 1), (-2, 0), (-1, -1)];
        let printed = [cols + 1, 1, -cols, -(cols + 1), -1, cols];
        steps.into_iter().zip(printed).all(|(step, by)| {
            let from = 50 * pitch + pitch / 2;
            let (east, south) = (
                from % pitch - (from - by) % pitch,
                (from - by) / pitch - from / pitch,
            );
            (2 * east + lean * south, south) == step
        })
    };
    (3..=19).all(|cols| fits(cols, cols, 1) && fits(cols, cols + 1, -1))
}

/// Whether single steps of hexagons on a set of cells, rows end to end so many bits wide, land on
/// the neighbour or on no cell.
fn sealed(cells: &BTreeSet<Place>, pitch: i32) -> bool {
    let bit = |(row, column): Place| row * pitch - column;
    let bits: BTreeSet<i32> = cells.iter().map(|&cell| bit(cell)).collect();
    cells.iter().all(|&(row, column)| {
        GRIDS[2].iter().all(|&(down, right)| {
            let to = (row + down, column + right);
            cells.contains(&to) || !bits.contains(&bit(to))
        })
    })
}

/// Hexagons of side 2 to 11 and triangles of side 2 to 22, their widest row as wide as the array.
pub fn staggered_is_sealed() -> bool {
    let cells = |width: i32, sums: std::ops::Range<i32>| -> BTreeSet<Place> {
        let all = (0..width).flat_map(|row| (0..width).map(move |column| (row, column)));
        all.filter(|(row, column)| sums.contains(&(row + column)))
            .collect()
    };
    (2..=11).all(|side| sealed(&cells(2 * side - 1, side - 1..3 * side - 2), 2 * side - 1))
        && (2..=22).all(|side| sealed(&cells(side, 0..side), side))
}

/// The board of Hex, 11x11, without a bit between its rows.
pub fn rhombus_is_sealed() -> bool {
    sealed(&Board::new(11, 11, 0).cells().collect(), 11)
}

/// Whether the printed dilation, which is not masked, sets bits beside a board of 3x3.
pub fn dilation_spills() -> bool {
    let board = Board::new(3, 3, 1);
    GRIDS.iter().any(|grid| {
        grid.iter()
            .any(|&way| board.shifted(board.mask(), way, 1) & !board.mask() != 0)
    })
}

/// A position: the board, the steps of its grid, pieces of both sides.
struct At<'a> {
    board: &'a Board,
    grid: &'a [Place],
    own: u128,
    other: u128,
}

impl At<'_> {
    fn empty(&self) -> u128 {
        self.board.mask() & !self.own & !self.other
    }
    /// A set with its neighbours, by shifts of the word.
    fn wide(&self, set: u128) -> u128 {
        let all = self.grid.iter().map(|&way| self.board.shifted(set, way, 1));
        all.fold(set, |all, set| all | set) & self.board.mask()
    }
    /// The neighbours of a set, cell by cell.
    fn near(&self, set: u128) -> u128 {
        let all = self.grid.iter().map(|&way| self.board.moved(set, way, 1));
        all.fold(0, |all, set| all | set)
    }
    /// A set one step on, by a shift.
    fn step(&self, set: u128, way: Place) -> u128 {
        self.board.shifted(set, way, 1) & self.board.mask()
    }
    fn bits(&self) -> impl Iterator<Item = u128> + '_ {
        self.board.cells().map(|cell| self.board.bit(cell))
    }

    /// Algorithm 4, and cells from which a line of the other's leads to one of its own.
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
                let first = self.board.moved(*cell, way, 1);
                let mut at = first;
                while at & self.other != 0 {
                    at = self.board.moved(at, way, 1);
                }
                at != first && at & self.own != 0
            })
        };
        caps == self
            .bits()
            .filter(|cell| cell & self.empty() != 0 && capped(cell))
            .sum::<u128>()
    }

    /// Algorithm 12, and groups grown cell by cell.
    fn surround_capture(&self) -> bool {
        let (mut kept, mut before) = (self.wide(self.empty()) & self.own, 0);
        while kept != before {
            before = kept;
            kept = self.wide(kept) & self.own;
        }
        self.bits()
            .filter(|piece| piece & self.own != 0)
            .all(|piece| {
                let (mut group, mut before) = (piece, 0);
                while group != before {
                    before = group;
                    group |= self.near(group) & self.own;
                }
                (self.near(group) & self.empty() != 0) == (piece & kept != 0)
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
        let square = GRIDS[1];
        let inside = |&(row, column): &Place| {
            let arms = square
                .iter()
                .map(|(down, right)| (row + down, column + right));
            arms.clone().all(|cell| self.board.has(cell)).then(|| {
                arms.map(|cell| self.board.bit(cell)).sum::<u128>() + self.board.bit((row, column))
            })
        };
        let found = self.board.cells().filter_map(|cell| inside(&cell));
        let by_set = found
            .into_iter()
            .any(|pattern| self.own & pattern == pattern);
        let arms = square.iter().map(|&way| self.board.moved(self.own, way, 1));
        by_set == (arms.fold(self.own, |all, set| all & set) != 0)
    }
}

/// Properties of all sets of 3x3, and of random ones of 7x6 and 11x9, on the four grids.
pub fn property(what: &str) -> Result<Derived, Stop> {
    let known = [
        "dilation-erosion",
        "clobber-from-cell",
        "one-direction-an-axis",
        "line-of-four",
        "empty-neighbours",
        "enemy-neighbours",
        "line-caps",
        "breakthrough-moves",
        "pattern-matching",
        "flip-all",
        "flip-around-move",
        "algorithm-11-masked",
        "surround-capture",
    ];
    if !known.contains(&what) {
        return unknown("no derivation of this name is known here");
    }
    let holds = |board: &Board, grid: &[Place], own: u128, other: u128| {
        let at = At {
            board,
            grid,
            own,
            other,
        };
        let occupied = own | other;
        match what {
            "empty-neighbours" => at.wide(occupied) & at.empty() == at.near(occupied) & at.empty(),
            "enemy-neighbours" => grid
                .iter()
                .all(|&way| at.step(own, way) & other == board.moved(own, way, 1) & other),
            "line-caps" => at.line_caps(),
            "breakthrough-moves" => at.breakthrough(),
            "pattern-matching" => at.plus(),
            "flip-all" => at.wide(own) & other == at.near(own) & other,
            "flip-around-move" | "algorithm-11-masked" => {
                at.bits().all(|cell| at.wide(cell) == cell | at.near(cell))
            }
            "surround-capture" => at.surround_capture(),
            _ => shifts(what, &at),
        }
    };
    let small = Board::new(3, 3, 1);
    let cells: Vec<u128> = small.cells().map(|cell| small.bit(cell)).collect();
    let digits = |code: u32, digit: u32| {
        (0..9)
            .filter(|k| code / 3_u32.pow(*k) % 3 == digit)
            .map(|k| cells[k as usize])
            .sum::<u128>()
    };
    let every = (0..3_u32.pow(9)).all(|code| {
        GRIDS
            .iter()
            .all(|grid| holds(&small, grid, digits(code, 1), digits(code, 2)))
    });
    let found = sampled(
        1000,
        &format!("{what}, beyond all positions of 3x3"),
        |draw| {
            [Board::new(7, 6, 1), Board::new(11, 9, 1)]
                .iter()
                .all(|board| {
                    let own = board.drawn(draw);
                    let other = board.drawn(draw) & !own;
                    GRIDS.iter().all(|grid| holds(board, grid, own, other))
                })
        },
    )?;
    let value = if every && found.value == "true" {
        "holds"
    } else {
        "fails"
    };
    Ok(Derived {
        value: value.to_owned(),
        ..found
    })
}

fn shifts(what: &str, at: &At) -> bool {
    let (board, grid, own, other) = (at.board, at.grid, at.own, at.other);
    match what {
        "dilation-erosion" => {
            let shifts = || grid.iter().map(|&way| board.shifted(own, way, 1));
            let moves = || grid.iter().map(|&way| board.moved(own, way, 1));
            let (wide, narrow) = (
                shifts().fold(own, |all, set| all | set),
                shifts().fold(own, |all, set| all & set),
            );
            wide & board.mask() == moves().fold(own, |all, set| all | set)
                && narrow == moves().fold(own, |all, set| all & set)
        }
        // A piece of the other's beside one of its own: one step back is that one.
        "clobber-from-cell" => grid.iter().all(|&(down, right)| {
            let to = board.shifted(own, (down, right), 1) & board.mask() & other;
            let from = board.shifted(to, (-down, -right), 1) & board.mask();
            from & !own == 0 && from.count_ones() == to.count_ones()
        }),
        "one-direction-an-axis" => grid.iter().all(|&(down, right)| {
            board.line(own, (down, right)) == board.line(own, (-down, -right))
        }),
        // Pairs along a step, then pairs of these along two.
        _ => {
            let by_shifts = grid.iter().any(|&way| {
                let pairs = own & board.shifted(own, way, 1);
                pairs & board.shifted(pairs, way, 2) != 0
            });
            by_shifts == grid.iter().any(|&way| board.line(own, way) >= 4)
        }
    }
}
