//! Boards in a word in which a step is a rotation: right by one amount, up by another, both modulo
//! 64. The bits outside the board are its boundary, and one bit can serve on several sides, since
//!    it only has to stay empty. The article's layout of the diamond of 41 holes has its centre at
//!    bit 0, up 1 and right 10.
//!
//! Whether the boundary keeps every jump on the board is checked, not assumed: three bits of the
//! board in a row, by rotation, must be three holes in a row.

use crate::board::{Board, DIRECTIONS, Jump, Point};

const BITS: u32 = u64::BITS;

/// The article's rotations, tried first: right and up.
pub const PUBLISHED: (u32, u32) = (10, 1);

/// The lowest bit of a word that has one, as in the article ("Move Generation").
#[inline]
pub const fn lowest(mv: u64) -> u64 {
    (mv.wrapping_sub(1) ^ mv) & mv
}

/// The position after the jump that lands on bit `landing` in the direction of a rotation, as in
/// the article: puts the peg down, removes the one jumped over, empties the old place.
#[inline]
pub const fn jump(pegs: u64, landing: u64, way: u32) -> u64 {
    (pegs | landing) & !landing.rotate_right(way) & !landing.rotate_right(2 * way % BITS)
}

/// A board's holes as bits of a word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    right: u32,
    up: u32,
    bits: Vec<u32>,
    holes: [Option<usize>; BITS as usize],
    board: u64,
}

impl Layout {
    /// The layout with the hole 0:0 at bit `centre`; `None` if two holes would share a bit.
    /// [`Layout::false_jumps`] checks whether it keeps jumps on the board.
    pub fn new(board: &Board, centre: u32, right: u32, up: u32) -> Option<Self> {
        let bit = |Point { x, y }: Point| {
            let bit = i64::from(centre) + i64::from(right) * i64::from(x);
            (bit + i64::from(up) * i64::from(y)).rem_euclid(BITS.into()) as u32
        };
        let bits: Vec<u32> = (0..board.len())
            .map(|hole| bit(board.point(hole)))
            .collect();
        let mut holes = [None; BITS as usize];
        for (hole, &bit) in bits.iter().enumerate() {
            if holes[bit as usize].replace(hole).is_some() {
                return None;
            }
        }
        Some(Self {
            right,
            up,
            board: bits.iter().fold(0, |board, bit| board | 1 << bit),
            bits,
            holes,
        })
    }

    pub fn bits(&self) -> &[u32] {
        &self.bits
    }

    /// Rotations to the left of the four [`DIRECTIONS`].
    #[inline]
    pub fn ways(&self) -> [u32; 4] {
        [self.right, self.up, BITS - self.right, BITS - self.up]
    }

    /// The landing places of jumps in one direction: the article's `mv`.
    #[inline]
    pub fn landings(&self, pegs: u64, way: u32) -> u64 {
        let over = pegs.rotate_left(way) & self.board & pegs;
        over.rotate_left(way) & self.board & !pegs
    }

    /// Three holes that `landings` wrongly takes for holes in a row: every
    /// triple of bits of the board, in all four directions.
    pub fn false_jumps(&self, board: &Board) -> Vec<Jump> {
        let mut found = Vec::new();
        for (way, direction) in self.ways().into_iter().zip(DIRECTIONS) {
            for bit in 0..BITS {
                let holes = [0, 1, 2].map(|step| self.holes[((bit + step * way) % BITS) as usize]);
                if let [Some(from), Some(over), Some(to)] = holes
                    && (board.step(from, direction), board.step(over, direction))
                        != (Some(over), Some(to))
                {
                    found.push(Jump { from, over, to });
                }
            }
        }
        found
    }

    /// Jumps of the board that `landings` would miss: three holes in a row whose bits are
    /// not a rotation apart.
    pub fn missed_jumps(&self, board: &Board) -> Vec<Jump> {
        let apart = |from: usize, to: usize| (BITS + self.bits[to] - self.bits[from]) % BITS;
        let followed = |jump: &Jump| {
            let ways = self.ways().into_iter().zip(DIRECTIONS);
            let mut along = ways.filter(|&(_, way)| board.step(jump.from, way) == Some(jump.over));
            along.all(|(way, _)| {
                apart(jump.from, jump.over) == way && apart(jump.over, jump.to) == way
            })
        };
        let jumps = board.jumps();
        jumps.into_iter().filter(|jump| !followed(jump)).collect()
    }

    /// Neighbouring bits, by rotation, that are both holes but not neighbours: empty if the
    /// boundary is complete, as in the article's picture. A board without a complete boundary can
    /// still be free of false jumps.
    pub fn false_steps(&self, board: &Board) -> usize {
        let ways = self.ways().into_iter().zip(DIRECTIONS);
        ways.map(|(way, direction)| {
            let bits = (0..BITS).filter(|&bit| {
                let ends = [bit, (bit + way) % BITS].map(|bit| self.holes[bit as usize]);
                matches!(ends, [Some(a), Some(b)] if board.step(a, direction) != Some(b))
            });
            bits.count()
        })
        .sum()
    }
}

#[cfg(test)]
mod tests {
    use super::{Layout, PUBLISHED, jump, lowest};
    use crate::board::{Board, DRAWINGS};

    #[test]
    fn layouts_of_named_boards() {
        for drawing in DRAWINGS {
            let board = Board::of_name(drawing.name).unwrap();
            let layout = Layout::new(&board, 0, PUBLISHED.0, PUBLISHED.1);
            let layout = layout.filter(|layout| layout.false_jumps(&board).is_empty());
            let Some(layout) = layout else {
                assert_eq!(drawing.name, "wiegleb-45");
                continue;
            };
            assert!(layout.missed_jumps(&board).is_empty());
            assert_eq!(layout.false_steps(&board), 0);
        }
    }

    #[test]
    fn rows_of_a_board_that_fills_its_word_run_into_each_other() {
        let square = Board::read("custom", &"oooooooo\n".repeat(8), "here").unwrap();
        let rows = Layout::new(&square, 0, 1, 56).unwrap();
        assert!(!rows.false_jumps(&square).is_empty());
        assert!(rows.missed_jumps(&square).is_empty());
    }

    #[test]
    fn the_printed_lines_do_what_they_are_for() {
        assert_eq!(lowest(0b1011_0100), 0b100);
        assert_eq!(lowest(1 << 63), 1 << 63);
        assert_eq!(lowest(0), 0);
        // From bit 62 over bit 63 to bit 0, round the end of the word.
        assert_eq!(jump(0b11 << 62, 1, 1), 1);
        assert_eq!(jump(0b11, 1 << 63, 63), 1 << 63);
    }
}
