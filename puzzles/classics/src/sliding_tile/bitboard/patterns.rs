//! Additive pattern databases (Korf and Felner, "Disjoint pattern database heuristics", 2002). The
//! tiles are split into groups. A table for each group holds how often its own tiles must move to
//! reach their goals, for all their places and those of the empty square. A move moves one tile, of
//! one group, so the sum over the groups is a lower bound on all moves.

use std::sync::{Arc, Mutex, PoisonError};

use crate::sliding_tile::frame::{Frame, MOST_SQUARES};

/// Tiles of a group. A table has a byte for each of their placements with the empty square: 16 MiB,
/// as each square takes four bits of the index.
const GROUP: usize = 5;

/// No value yet.
const UNKNOWN: u8 = u8::MAX;

/// The neighbours of each square: how far a key is shifted for each, and how many there are.
pub(super) type Beside = [([u8; 4], u8); MOST_SQUARES];

/// The tables of all groups.
#[derive(Debug)]
pub(super) struct Patterns {
    groups: Vec<Group>,
}

/// A group's tiles and its table.
#[derive(Debug)]
struct Group {
    tiles: Vec<u8>,
    /// Indexed by the place of the empty square, then that of each tile; the first is in the lowest
    /// bits.
    moves: Vec<u8>,
}

/// The tables built last, for the next instance with the same rectangle.
static LAST: Mutex<Option<(Frame, Arc<Patterns>)>> = Mutex::new(None);

impl Patterns {
    /// Returns the tables of a rectangle; builds them unless they were built last.
    pub(super) fn of(frame: &Frame, beside: &Beside) -> Arc<Self> {
        // A panic leaves the value whole.
        let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
        match &*last {
            Some((same, made)) if same == frame => Arc::clone(made),
            _ => {
                let made = Arc::new(Self::new(frame, beside));
                *last = Some((frame.clone(), Arc::clone(&made)));
                made
            }
        }
    }

    /// Makes the tables: for the 15-puzzle three, each with 5.8 million placements, in about a
    /// second.
    fn new(frame: &Frame, beside: &Beside) -> Self {
        let groups = grouped(frame, GROUP).into_iter();
        Self {
            groups: groups
                .map(|tiles| Group {
                    moves: table(frame, beside, &tiles),
                    tiles,
                })
                .collect(),
        }
    }

    /// A lower bound on the moves left, from the square of each tile, the empty one first.
    #[inline]
    pub(super) fn moves(&self, squares: &[u8; MOST_SQUARES]) -> u64 {
        let of = |group: &Group| {
            let tiles = group.tiles.iter().rev();
            let index = tiles.fold(0, |index, &tile| {
                index << 4 | usize::from(squares[usize::from(tile & 15)])
            });
            u64::from(group.moves[index << 4 | usize::from(squares[0])])
        };
        self.groups.iter().map(of).sum()
    }
}

/// The tiles in groups of nearly equal size, each a patch of the solved board: squares are taken in
/// strips of two columns, down one strip and up the next.
pub(in crate::sliding_tile) fn grouped(frame: &Frame, size: usize) -> Vec<Vec<u8>> {
    let mut squares: Vec<usize> = (0..frame.squares()).collect();
    squares.sort_by_key(|&square| {
        let (row, column) = frame.row_column(square);
        let strip = column / 2;
        let along = if strip % 2 == 0 {
            row
        } else {
            frame.height - 1 - row
        };
        (strip, along, column)
    });
    let home = squares.iter().map(|&square| frame.goal[square]);
    let tiles: Vec<u8> = home.filter(|&tile| tile != 0).collect();
    let count = tiles.len().div_ceil(size);
    let ends = (0..=count).map(|group| group * tiles.len() / count);
    let ends: Vec<usize> = ends.collect();
    ends.windows(2)
        .map(|ends| tiles[ends[0]..ends[1]].to_vec())
        .collect()
}

/// Searches breadth-first from the goal over the places of a group's tiles and of the empty square;
/// a move of any other tile costs nothing.
fn table(frame: &Frame, beside: &Beside, tiles: &[u8]) -> Vec<u8> {
    let mut moves = vec![UNKNOWN; 1 << (4 * (tiles.len() + 1))];
    let home = |tile: u8| frame.goal.iter().position(|&other| other == tile);
    let goal = std::iter::once(0).chain(tiles.iter().copied()).rev();
    let goal = goal.fold(0, |index, tile| index << 4 | home(tile).unwrap_or(0));
    let (mut level, mut next, mut depth) = (vec![goal], Vec::new(), 0);
    while !level.is_empty() {
        while let Some(at) = level.pop() {
            if moves[at] != UNKNOWN {
                continue;
            }
            moves[at] = depth;
            let empty = at & 15;
            let (shifts, count) = beside[empty];
            for &shift in &shifts[..usize::from(count)] {
                let square = usize::from(shift / 4);
                let place = (1..=tiles.len()).find(|place| at >> (4 * place) & 15 == square);
                let moved = at ^ empty ^ square;
                match place {
                    None if moves[moved] == UNKNOWN => level.push(moved),
                    Some(place) => {
                        let moved = moved ^ (empty ^ square) << (4 * place);
                        if moves[moved] == UNKNOWN {
                            next.push(moved);
                        }
                    }
                    None => {}
                }
            }
        }
        std::mem::swap(&mut level, &mut next);
        depth += 1;
    }
    moves
}
