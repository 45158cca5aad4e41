//! The honest puzzle: a counter on a square board of 7 by 7, solved in the middle. The board's
//! eight symmetries are the puzzle's. Undirected, the counter moves by one square; directed, by one
//! square inward or by a knight's move outward. A tower has many such boards.

use std::sync::LazyLock;

pub const SIDE: u64 = 7;
pub const LAST: u64 = SIDE - 1;
pub const MIDDLE: u64 = 3;
/// Boards in a tower, each a part.
pub const PARTS: u64 = 10;
/// The part of a tower with the faults.
pub const FAULTY: u64 = 4;

/// The first image of every square: nothing is asked as often.
static CANONICAL: LazyLock<Vec<At>> = LazyLock::new(|| {
    (0..SIDE * SIDE)
        .map(|square| At::of(square).images()[0])
        .collect()
});

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct At {
    pub part: u64,
    pub x: u64,
    pub y: u64,
}

impl At {
    pub const fn new(part: u64, x: u64, y: u64) -> Self {
        Self { part, x, y }
    }

    pub const fn of(key: u64) -> Self {
        let square = key % (SIDE * SIDE);
        Self::new(key / (SIDE * SIDE), square % SIDE, square / SIDE)
    }

    pub const fn key(self) -> u64 {
        self.part * SIDE * SIDE + self.rank()
    }

    pub const fn rank(self) -> u64 {
        self.y * SIDE + self.x
    }

    pub fn is_solved(self) -> bool {
        (self.x, self.y) == (MIDDLE, MIDDLE)
    }

    pub fn image(self, index: u32) -> Self {
        let flip = |n: u64, bit: u32| if index >> bit & 1 == 1 { LAST - n } else { n };
        let (x, y) = (flip(self.x, 0), flip(self.y, 1));
        let (x, y) = if index >> 2 & 1 == 1 { (y, x) } else { (x, y) };
        Self { x, y, ..self }
    }

    pub fn images(self) -> Vec<Self> {
        let mut images: Vec<Self> = (0..8).map(|index| self.image(index)).collect();
        images.sort_unstable_by_key(|image| image.key());
        images.dedup();
        images
    }

    pub fn canonical(self) -> Self {
        Self {
            part: self.part,
            ..CANONICAL[self.rank() as usize]
        }
    }

    const fn out(self) -> u64 {
        self.x.abs_diff(MIDDLE) + self.y.abs_diff(MIDDLE)
    }

    fn by(self, steps: &'static [(u64, u64)]) -> impl Iterator<Item = Self> {
        let moved = move |&(x, y): &(u64, u64)| Self {
            x: self.x.wrapping_add(x),
            y: self.y.wrapping_add(y),
            ..self
        };
        steps
            .iter()
            .map(moved)
            .filter(|to| to.x < SIDE && to.y < SIDE)
    }

    /// The squares after or before one move.
    pub fn neighbours(self, directed: bool, backward: bool) -> Vec<Self> {
        let inward = move |to: &Self| !directed || (to.out() < self.out()) != backward;
        let mut moves: Vec<Self> = self.by(&STEPS).filter(inward).collect();
        if directed {
            let outward =
                move |to: &Self| (to.out() > self.out()) != backward && to.out() != self.out();
            moves.extend(self.by(&KNIGHT).filter(outward));
        }
        moves
    }

    /// The distance of every canonical state of a part.
    pub fn distances(part: u64, directed: bool) -> Vec<(Self, u16)> {
        let mut found = vec![(Self::new(part, MIDDLE, MIDDLE), 0)];
        let mut next = 0;
        while let Some(&(at, depth)) = found.get(next) {
            for before in at.neighbours(directed, true) {
                if found.iter().all(|(known, _)| *known != before) {
                    found.push((before, depth + 1));
                }
            }
            next += 1;
        }
        found.retain(|(at, _)| at.canonical() == *at);
        found
    }
}

const BACK: u64 = u64::MAX;
const BACK_2: u64 = u64::MAX - 1;
const STEPS: [(u64, u64); 4] = [(BACK, 0), (1, 0), (0, BACK), (0, 1)];
const KNIGHT: [(u64, u64); 8] = [
    (1, 2),
    (2, 1),
    (BACK, 2),
    (BACK_2, 1),
    (1, BACK_2),
    (2, BACK),
    (BACK, BACK_2),
    (BACK_2, BACK),
];

pub fn draw(at: &At) -> String {
    let square = |x, y| if (x, y) == (at.x, at.y) { 'o' } else { '.' };
    let row = |y| (0..SIDE).map(|x| square(x, y)).collect::<String>();
    let board: Vec<String> = (0..SIDE).map(row).collect();
    format!("{}/{}", at.part, board.join("/"))
}

pub fn parse(text: &str) -> Option<At> {
    let (part, rows) = text.split_once('/')?;
    let squares: String = rows.split('/').collect();
    let found = squares
        .find('o')
        .filter(|_| squares.len() as u64 == SIDE * SIDE);
    let at = At::of(found? as u64);
    let part = part.parse().ok().filter(|part| *part < PARTS)?;
    let read = At { part, ..at };
    (draw(&read) == text).then_some(read)
}
