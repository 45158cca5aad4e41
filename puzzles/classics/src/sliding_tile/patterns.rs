//! Additive pattern databases (Korf and Felner, "Disjoint pattern database heuristics", 2002). The
//! tiles are split into groups. A table for each group holds how often its own tiles must move to
//! reach their goals, for all their places and those of the empty square. A move moves one tile, of
//! one group, so the sum over the groups is a lower bound on all moves. With the empty square in
//! the index, a move lowers the sum by at most one, which proves the bound.
//!
//! `N` is the number of squares of the largest board, as places are digits of an index to base `N`.

use std::sync::{Arc, Mutex, PoisonError};

use super::frame::Frame;

/// No value yet.
const UNKNOWN: u8 = u8::MAX;

/// The images of squares under a symmetry, and the new names of tiles.
#[derive(Debug)]
pub(super) struct Turn<const N: usize> {
    pub(super) target: [u8; N],
    pub(super) renamed: [u8; N],
    /// The tile that is renamed to each.
    before: [u8; N],
}

impl<const N: usize> Turn<N> {
    /// The symmetries of a rectangle, the identity first.
    pub(super) fn all(frame: &Frame) -> Vec<Self> {
        let turn = |map: Vec<usize>| {
            let [target, renamed, before] = [[0; N]; 3];
            let mut turn = Self {
                target,
                renamed,
                before,
            };
            for (at, to) in map.into_iter().enumerate() {
                turn.target[at] = to as u8;
                turn.renamed[usize::from(frame.goal[at])] = frame.goal[to];
                turn.before[usize::from(frame.goal[to])] = frame.goal[at];
            }
            turn
        };
        frame.symmetries().into_iter().map(turn).collect()
    }
}

/// The tables of all groups.
#[derive(Debug)]
pub(super) struct Patterns<const N: usize> {
    groups: Vec<Group>,
}

/// A group's tiles and its table.
#[derive(Debug)]
struct Group {
    tiles: Vec<u8>,
    /// Indexed by the place of the empty square, then that of each tile; the first is the lowest
    /// digit.
    moves: Vec<u8>,
}

/// The tables built last, for the next instance with the same rectangle.
pub(super) type Last<const N: usize> = Mutex<Option<(Frame, Arc<Patterns<N>>)>>;

impl<const N: usize> Patterns<N> {
    /// Tiles of a group: tables of 16 MiB for boards of up to 16 squares, 9.3 MiB for larger ones.
    const GROUP: usize = if N > 16 { 4 } else { 5 };

    /// Returns the tables of a rectangle; builds them unless they were built last. For the
    /// 15-puzzle these are three, each with 5.8 million placements, in about a second.
    pub(super) fn of(frame: &Frame, last: &Last<N>) -> Arc<Self> {
        // A panic leaves the value whole.
        let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, made)) = last.as_ref().filter(|(same, _)| same == frame) {
            return Arc::clone(made);
        }
        let group = |tiles: Vec<u8>| Group {
            moves: table::<N>(frame, &tiles),
            tiles,
        };
        let groups = grouped(frame, Self::GROUP).into_iter().map(group).collect();
        let made = Arc::new(Self { groups });
        *last = Some((frame.clone(), Arc::clone(&made)));
        made
    }

    /// A lower bound on the moves left, from the square of each tile, the empty one first: the
    /// greatest of the sums of the board and of its images, as a symmetry keeps distances.
    #[inline]
    pub(super) fn bound(&self, squares: &[u8; N], turns: &[Turn<N>]) -> u64 {
        let turned = |turn: &Turn<N>| {
            let square = |before: u8| usize::from(squares[usize::from(before) % N]);
            self.moves(&turn.before.map(|tile| turn.target[square(tile) % N]))
        };
        let images = turns.iter().skip(1).map(turned);
        images.fold(self.moves(squares), u64::max)
    }

    #[inline]
    fn moves(&self, squares: &[u8; N]) -> u64 {
        let of = |group: &Group| {
            let tiles = group.tiles.iter().rev();
            let index = tiles.fold(0, |index, &tile| {
                index * N + usize::from(squares[usize::from(tile) % N])
            });
            u64::from(group.moves[index * N + usize::from(squares[0])])
        };
        self.groups.iter().map(of).sum()
    }
}

/// The tiles in groups of nearly equal size, each a patch of the solved board: squares are taken in
/// strips of two columns, down one strip and up the next.
fn grouped(frame: &Frame, size: usize) -> Vec<Vec<u8>> {
    let mut squares: Vec<usize> = (0..frame.squares()).collect();
    squares.sort_by_key(|&square| {
        let (row, column) = frame.row_column(square);
        let along = match column / 2 % 2 {
            0 => row,
            _ => frame.height - 1 - row,
        };
        (column / 2, along, column)
    });
    let home = squares.iter().map(|&square| frame.goal[square]);
    let tiles: Vec<u8> = home.filter(|&tile| tile != 0).collect();
    let count = tiles.len().div_ceil(size);
    let end = |group: usize| group * tiles.len() / count;
    let groups = (0..count).map(|group| tiles[end(group)..end(group + 1)].to_vec());
    groups.collect()
}

/// Searches breadth-first from the goal over the places of a group's tiles and of the empty square;
/// a move of any other tile costs nothing.
fn table<const N: usize>(frame: &Frame, tiles: &[u8]) -> Vec<u8> {
    let beside: Vec<Vec<usize>> = (0..frame.squares())
        .map(|square| frame.around(square).collect())
        .collect();
    let mut moves = vec![UNKNOWN; N.pow(tiles.len() as u32 + 1)];
    let home = |tile: u8| frame.goal.iter().position(|&other| other == tile);
    let goal = std::iter::once(0).chain(tiles.iter().copied()).rev();
    let goal = goal.fold(0, |index, tile| index * N + home(tile).unwrap_or(0));
    let (mut level, mut next, mut depth) = (vec![goal], Vec::new(), 0);
    while !level.is_empty() {
        while let Some(at) = level.pop() {
            if moves[at] != UNKNOWN {
                continue;
            }
            moves[at] = depth;
            let empty = at % N;
            for &square in &beside[empty] {
                let moved = at + square - empty;
                let (mut rest, mut weight) = (at / N, N);
                let tile = tiles.iter().any(|_| {
                    let own = rest % N == square;
                    (rest, weight) = (rest / N, if own { weight } else { weight * N });
                    own
                });
                let (moved, waiting) = match tile {
                    false => (moved, &mut level),
                    true => (moved + weight * empty - weight * square, &mut next),
                };
                if moves[moved] == UNKNOWN {
                    waiting.push(moved);
                }
            }
        }
        std::mem::swap(&mut level, &mut next);
        depth += 1;
    }
    moves
}
