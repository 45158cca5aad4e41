//! The literal rulebook, variant `reference`: a list of squares, one tile at a time. Slow
//! on purpose; the oracle of every check.

use std::marker::PhantomData;

use puzzle_api::{
    BadInput, Key, LowerBound, Names, Numbering, Placement, Puzzle, RandomStates, Request,
    SolvedStates, Symmetry, Undirected, Xorshift,
};

use crate::sliding_tile::frame::{self, Frame, Tiles};

/// Variant `reference`, opened on an instance; keys have two words if it has more than 16 squares.
#[derive(Debug)]
pub struct Rules<K = u64> {
    /// The rectangle and its goal.
    pub frame: Frame,
    /// Squares after each symmetry, by square.
    symmetries: Vec<Vec<usize>>,
    key: PhantomData<K>,
}

impl<K: Key> Rules<K> {
    /// Bits that a square has in a key.
    pub(super) const BITS: usize = if K::WORDS == 1 { 4 } else { 5 };
}

/// Whether two squares share a side.
fn beside(frame: &Frame, a: usize, b: usize) -> bool {
    let ((row_a, column_a), (row_b, column_b)) = (frame.row_column(a), frame.row_column(b));
    row_a.abs_diff(row_b) + column_a.abs_diff(column_b) == 1
}

/// 0 for a board from which the goal can be reached, else 1. Every move exchanges the empty square
/// with a tile, and takes it one square further or nearer.
fn parity(frame: &Frame, tiles: &[u8]) -> u64 {
    let mut work = tiles.to_vec();
    let mut odd = 0;
    for square in 0..work.len() {
        while work[square] != frame.goal[square] {
            let right = frame.goal.iter().position(|tile| *tile == work[square]);
            work.swap(square, right.unwrap_or(square));
            odd ^= 1;
        }
    }
    let empty = |tiles: &[u8]| {
        let square = tiles.iter().position(|&tile| tile == 0).unwrap_or(0);
        let (row, column) = frame.row_column(square);
        row + column
    };
    odd ^ ((empty(tiles) + empty(&frame.goal)) % 2) as u64
}

impl<K: Key> Puzzle for Rules<K> {
    type Key = K;
    type State = Tiles;

    const VARIANT: &'static str = "reference";

    fn open(request: &Request<'_>) -> Result<Self, BadInput> {
        let frame = frame::open(request, K::WORDS > 1)?;
        Ok(Self {
            symmetries: frame.symmetries(),
            frame,
            key: PhantomData,
        })
    }

    fn successors(&self, state: &Tiles, emit: &mut dyn FnMut(Tiles)) {
        for empty in (0..state.len()).filter(|&square| state[square] == 0) {
            for square in (0..state.len()).filter(|&square| beside(&self.frame, square, empty)) {
                let mut next = state.clone();
                next[empty] = state[square];
                next[square] = 0;
                emit(next);
            }
        }
    }

    fn is_solved(&self, state: &Tiles) -> bool {
        *state == self.frame.goal
    }

    /// Four or five bits per square, the first square lowest.
    fn key(&self, state: &Tiles) -> K {
        let squares = state.iter().rev();
        K::from_u128(squares.fold(0, |key, &tile| key << Self::BITS | u128::from(tile)))
    }

    fn state(&self, key: K) -> Tiles {
        let tile = |square: usize| {
            (key.to_u128() >> (Self::BITS * square)) as u8 & ((1 << Self::BITS) - 1)
        };
        (0..self.frame.squares()).map(tile).collect()
    }

    fn parse(&self, text: &str) -> Result<Tiles, BadInput> {
        self.frame.parse(text)
    }

    fn draw(&self, state: &Tiles) -> String {
        self.frame.draw(state)
    }

    fn refute(&self, from: &Tiles, to: Option<&Tiles>) -> Option<String> {
        refute(&self.frame, from, to.unwrap_or(&self.frame.goal))
    }
}

impl<K: Key> SolvedStates for Rules<K> {
    fn solved_states(&self, part: u64, emit: &mut dyn FnMut(Tiles)) {
        if part == 0 {
            emit(self.frame.goal.clone());
        }
    }
}

/// Every slide can be slid back.
impl<K: Key> Undirected for Rules<K> {}

impl<K: Key> Symmetry for Rules<K> {
    fn symmetry_count(&self) -> u32 {
        self.symmetries.len() as u32
    }

    /// Turns the squares, and renames the tiles so that the goal is unchanged.
    fn image(&self, state: &Tiles, index: u32) -> Tiles {
        let target = &self.symmetries[index as usize];
        let renamed = |tile: u8| {
            let square = self.frame.goal.iter().position(|&other| other == tile);
            self.frame.goal[target[square.unwrap_or(0)]]
        };
        let mut image = state.clone();
        for (square, &tile) in state.iter().enumerate() {
            image[target[square]] = renamed(tile);
        }
        image
    }
}

impl Numbering for Rules {
    fn space(&self, part: u64) -> Option<u64> {
        let all: u64 = (1..=self.frame.squares() as u64).product();
        (part < 2).then_some(all / 2)
    }

    /// By empty square, then half the rank of the tiles, read row by row, in lexicographic order.
    /// An order of even rank and the next one differ in their last two tiles, so each part has one
    /// of them.
    fn place(&self, state: &Tiles) -> Option<Placement> {
        let empty = state.iter().position(|&tile| tile == 0)?;
        let mut order = state.clone();
        order.remove(empty);
        let rank = (0..order.len()).fold(0, |rank, at| {
            let later = order[at + 1..].iter();
            let smaller = later.filter(|&&tile| tile < order[at]).count();
            rank * (order.len() - at) as u64 + smaller as u64
        });
        let orders: u64 = (1..=order.len() as u64).product();
        Some(Placement {
            part: parity(&self.frame, state),
            rank: empty as u64 * (orders / 2) + rank / 2,
        })
    }

    fn unrank(&self, placement: Placement) -> Option<Tiles> {
        let count = self.frame.squares() as u64 - 1;
        let mut weight: u64 = (1..=count).product();
        let empty = placement.rank / (weight / 2);
        if placement.part > 1 || empty > count {
            return None;
        }
        let mut rest = placement.rank % (weight / 2) * 2;
        let (mut left, mut tiles) = ((1..=count as u8).collect::<Tiles>(), Tiles::new());
        for choices in (1..=count).rev() {
            weight /= choices;
            tiles.push(left.remove((rest / weight) as usize));
            rest %= weight;
        }
        let with_empty = |order: &Tiles| {
            let mut tiles = order.clone();
            tiles.insert(empty as usize, 0);
            tiles
        };
        if parity(&self.frame, &with_empty(&tiles)) != placement.part {
            tiles.swap(count as usize - 2, count as usize - 1);
        }
        Some(with_empty(&tiles))
    }

    fn part_count(&self) -> u64 {
        2
    }

    fn part_name(&self, part: u64) -> String {
        part_name(part)
    }
}

/// The name of a part.
pub(crate) fn part_name(part: u64) -> String {
    match part {
        0 => "boards of the goal's parity".to_owned(),
        _ => "boards of the other parity".to_owned(),
    }
}

impl<K: Key> LowerBound for Rules<K> {
    /// The Manhattan distance: a move takes one tile one square further.
    fn lower_bound(&self, state: &Tiles) -> u64 {
        let frame = &self.frame;
        let squares = (0..state.len()).filter(|&square| state[square] != 0);
        let from_home = |square: usize| {
            let home = frame.goal.iter().position(|&tile| tile == state[square]);
            let (row, column) = frame.row_column(square);
            let (home_row, home_column) = frame.row_column(home.unwrap_or(square));
            row.abs_diff(home_row) + column.abs_diff(home_column)
        };
        squares.map(from_home).sum::<usize>() as u64
    }
}

impl<K: Key> RandomStates for Rules<K> {
    fn random(&self, random: &mut Xorshift) -> Option<Tiles> {
        Some(self.frame.random(random))
    }
}

impl<K: Key> Names for Rules<K> {
    fn describe_move(&self, from: &Tiles, to: &Tiles) -> Option<String> {
        self.frame.describe_move(from, to)
    }

    fn names(&self) -> Vec<String> {
        vec!["goal".to_owned()]
    }
}

/// Why no sequence of moves leads from a board to another, if their parities differ.
pub(crate) fn refute(frame: &Frame, from: &Tiles, to: &Tiles) -> Option<String> {
    let parities = [from, to].map(|tiles| parity(frame, tiles));
    (parities[0] != parities[1]).then(|| {
        format!(
            "every move changes both the parity of the permutation and the parity of the empty \
             square's taxicab distance from its place, so whether they are equal never changes; on \
             one of these boards they are equal, on the other not\nfrom: {}, {}\nto: {}, {}",
            frame.draw(from),
            ["equal", "unequal"][parities[0] as usize],
            frame.draw(to),
            ["equal", "unequal"][parities[1] as usize],
        )
    })
}
