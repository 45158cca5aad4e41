//! The movement of a block's words to those of another, if a piece moves along a row.
//!
//! Some of the first columns lead in both blocks, and their contents determine which words belong
//! together. The other columns hold the placements that can move in the same order in both blocks,
//! but in words of different sizes. So those of one word go to one or more neighbouring words, to
//! each from some place on.

use crate::bits::Machine;

/// The destination of the bits of a word.
#[derive(Debug, Clone, Copy)]
pub(super) struct Local {
    /// The bits that can move.
    pub from: u64,
    /// The first word to which they go.
    pub first: Piece,
    /// Where [`super::shapes::Shapes::pieces`] has the others, and their number.
    pub others: u32,
    pub count: u8,
}

/// A word to which some of them go.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Piece {
    /// The bits to which they go.
    pub into: u64,
    pub word: u16,
    /// Number of moving bits that go to earlier words; negative if its first bits come from earlier
    /// words.
    pub skips: i8,
}

impl Piece {
    /// The bits of a word that can move, compacted, at their destination.
    #[inline(always)]
    pub(super) fn put<M: Machine>(self, bits: u64) -> u64 {
        let skipped = match self.skips < 0 {
            true => bits << (-i32::from(self.skips) as u32 % 64),
            false => bits >> (self.skips as u32 % 64),
        };
        M::deposit(skipped, self.into)
    }
}

/// The destinations of the words of one block, by the bits of each that can move in both blocks.
pub(super) fn locals(from: &[u64], into: &[u64], locals: &mut Vec<Local>, pieces: &mut Vec<Piece>) {
    // Bits that can move before this word, and bits filled before that one.
    let (mut moved, mut filled) = (0_i32, 0_i32);
    let mut word = 0;
    for &from in from {
        let end = moved + from.count_ones() as i32;
        let others = pieces.len();
        let mut first = None;
        while from != 0 && word < into.len() {
            let room = filled + into[word].count_ones() as i32;
            if room > moved {
                let piece = Piece {
                    into: into[word],
                    word: word as u16,
                    skips: (filled - moved) as i8,
                };
                match first {
                    None => first = Some(piece),
                    Some(_) => pieces.push(piece),
                }
            }
            if room > end {
                break;
            }
            (filled, word) = (room, word + 1);
            if room == end {
                break;
            }
        }
        moved = end;
        locals.push(Local {
            from: if first.is_some() { from } else { 0 },
            first: first.unwrap_or_default(),
            others: others as u32,
            count: (pieces.len() - others) as u8,
        });
    }
}
