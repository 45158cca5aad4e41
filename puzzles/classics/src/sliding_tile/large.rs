//! The fast variant of puzzle `large-tile`, `bitboard`: a board is its key, five bits per square,
//! and the lower bound a sum over additive pattern databases.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use puzzle_api::{BadInput, Direction, Fast, LowerBound, Puzzle, Symmetry, Undirected};

use super::Rules;
use super::bitboard::patterns::grouped;
use super::frame::{Frame, MOST_LARGE};

/// Variant `bitboard` of large boards, opened on an instance.
pub struct Large {
    rules: Rules<u128>,
    goal: u128,
    /// Squares next to each square.
    beside: Vec<Vec<usize>>,
    /// By symmetry, without the identity: the image of each square.
    turns: Vec<Vec<usize>>,
    /// Built when a lower bound is first requested.
    patterns: OnceLock<Arc<Patterns>>,
}

impl Fast for Large {
    type Rules = Rules<u128>;

    fn new(rules: Rules<u128>) -> Result<Self, BadInput> {
        let frame = &rules.frame;
        Ok(Self {
            goal: rules.key(&frame.goal),
            beside: (0..frame.squares())
                .map(|square| frame.around(square).collect())
                .collect(),
            turns: frame.symmetries().into_iter().skip(1).collect(),
            patterns: OnceLock::new(),
            rules,
        })
    }

    fn rules(&self) -> &Rules<u128> {
        &self.rules
    }

    fn solves(&self, key: u128) -> bool {
        key == self.goal
    }

    #[inline]
    fn each_neighbour(&self, _: Direction, key: u128, mut emit: impl FnMut(u128)) {
        // The lowest group of five bits that is zero; groups beyond the board are above it.
        const ONES: u128 = 0x0108_4210_8421_0842_1084_2108_4210_8421;
        let zero = key.wrapping_sub(ONES) & !key & (ONES << 4);
        let empty = zero.trailing_zeros() as usize / 5;
        for &from in &self.beside[empty % MOST_LARGE] {
            let tile = key >> (5 * from) & 31;
            emit(key ^ tile << (5 * from) ^ tile << (5 * empty));
        }
    }
}

/// Every slide can be slid back.
impl Undirected for Large {}

impl Symmetry for Large {
    fn symmetry_count(&self) -> u32 {
        self.turns.len() as u32 + 1
    }

    fn image(&self, state: &u128, index: u32) -> u128 {
        let Some(turn) = (index as usize)
            .checked_sub(1)
            .map(|index| &self.turns[index])
        else {
            return *state;
        };
        let goal = &self.rules.frame.goal;
        let squares = turn.iter().enumerate();
        squares.fold(0, |image, (square, &target)| {
            let tile = (state >> (5 * square) & 31) as u8;
            let home = goal.iter().position(|&other| other == tile).unwrap_or(0);
            image | u128::from(goal[turn[home]]) << (5 * target)
        })
    }
}

/// The greatest of the sums over disjoint patterns of the board and of its images: a symmetry
/// keeps distances.
impl LowerBound for Large {
    fn lower_bound(&self, state: &u128) -> u64 {
        let frame = &self.rules.frame;
        let patterns = self
            .patterns
            .get_or_init(|| Patterns::of(frame, &self.beside));
        // By home square: the square of its tile.
        let mut on = [0; MOST_LARGE];
        for square in 0..frame.squares() {
            let tile = (state >> (5 * square) & 31) as usize;
            on[usize::from(patterns.homes[tile])] = square as u8;
        }
        let images = self.turns.iter().map(|turn| {
            let mut image = [0; MOST_LARGE];
            for (home, &target) in turn.iter().enumerate() {
                image[target] = turn[usize::from(on[home])] as u8;
            }
            patterns.moves(&image)
        });
        images.fold(patterns.moves(&on), u64::max)
    }
}

/// Tables of the moves left, by the squares of a few tiles and of the empty square, ignoring the
/// other tiles (Korf and Felner, Disjoint pattern database heuristics, 2002). Only moves of the
/// group's own tiles count, so the sum over the groups is a lower bound. With the empty square in
/// the index, a move lowers the sum by at most one, which proves the bound. Without it, groups of
/// five would fit the same memory, but a move could change the sum by three.
struct Patterns {
    /// The home of each tile.
    homes: [u8; 32],
    groups: Vec<Group>,
    squares: usize,
}

/// The homes of a group's tiles, and its table. Its index has their squares and the empty square as
/// digits, the first most significant.
struct Group {
    homes: Vec<usize>,
    moves: Vec<u8>,
}

/// Tiles of a group.
const GROUP: usize = 4;

/// The tables built last, for the next instance with the same rectangle.
static LAST: Mutex<Option<(Frame, Arc<Patterns>)>> = Mutex::new(None);

impl Patterns {
    /// Returns the tables of a rectangle; builds them unless they were built last.
    fn of(frame: &Frame, beside: &[Vec<usize>]) -> Arc<Self> {
        // A panic leaves the value whole.
        let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, made)) = last.as_ref().filter(|(same, _)| same == frame) {
            return Arc::clone(made);
        }
        let mut homes = [0; 32];
        for (home, &tile) in frame.goal.iter().enumerate() {
            homes[usize::from(tile)] = home as u8;
        }
        let group = |tiles: Vec<u8>| {
            let with_empty = tiles.into_iter().chain([0]);
            let homes: Vec<usize> = with_empty
                .map(|tile| homes[usize::from(tile)].into())
                .collect();
            let moves = table(&homes, beside);
            Group { homes, moves }
        };
        let made = Arc::new(Self {
            homes,
            groups: grouped(frame, GROUP).into_iter().map(group).collect(),
            squares: frame.squares(),
        });
        *last = Some((frame.clone(), Arc::clone(&made)));
        made
    }

    /// A lower bound on the moves left, from the square of each home's tile.
    #[inline]
    fn moves(&self, on: &[u8; MOST_LARGE]) -> u64 {
        let of = |group: &Group| {
            let homes = group.homes.iter();
            let index = homes.fold(0, |index, &home| {
                index * self.squares + usize::from(on[home % MOST_LARGE])
            });
            u64::from(group.moves[index])
        };
        self.groups.iter().map(of).sum()
    }
}

/// Searches breadth-first from the goal over the places of a group's tiles and of the empty square;
/// a move of any other tile costs nothing.
fn table(homes: &[usize], beside: &[Vec<usize>]) -> Vec<u8> {
    let squares = beside.len();
    let mut moves = vec![u8::MAX; squares.pow(homes.len() as u32)];
    let goal = homes.iter().fold(0, |index, home| index * squares + home);
    let (mut level, mut next, mut depth) = (vec![goal], Vec::new(), 0);
    let mut on = vec![0; homes.len()];
    while !level.is_empty() {
        while let Some(at) = level.pop() {
            if moves[at] != u8::MAX {
                continue;
            }
            moves[at] = depth;
            let mut rest = at;
            for square in &mut on {
                (*square, rest) = (rest % squares, rest / squares);
            }
            let empty = on[0];
            for &square in &beside[empty] {
                let moved = at + square - empty;
                let mut weight = squares;
                let tile = on[1..].iter().find(|&&other| {
                    weight *= if other == square { 1 } else { squares };
                    other == square
                });
                let (moved, waiting) = match tile {
                    None => (moved, &mut level),
                    Some(_) => (moved + weight * empty - weight * square, &mut next),
                };
                if moves[moved] == u8::MAX {
                    waiting.push(moved);
                }
            }
        }
        std::mem::swap(&mut level, &mut next);
        depth += 1;
    }
    moves
}
