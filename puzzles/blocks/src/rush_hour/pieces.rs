//! How many pieces a key places, without its board.

use crate::rush_hour::instances::Instance;

/// Most entries of a table.
const MOST: usize = 1 << 14;

/// Numbers of pieces by key: a table for each few digits of it, the lowest first.
#[derive(Debug, Clone)]
pub struct Pieces {
    groups: Vec<Group>,
}

#[derive(Debug, Clone)]
struct Group {
    /// 2<sup>64</sup> by the number of entries, rounded down.
    inverse: u64,
    pieces: Vec<u8>,
}

impl Group {
    fn new(pieces: Vec<u8>) -> Self {
        let entries = pieces.len() as u128;
        Self {
            inverse: ((1 << 64) / entries).min(u64::MAX.into()) as u64,
            pieces,
        }
    }

    /// The key without these digits, and the number of pieces that they place.
    #[inline]
    fn split(&self, key: u64) -> (u64, u8) {
        let entries = self.pieces.len() as u64;
        // One less than the quotient at most, as the inverse is rounded.
        let quotient = ((u128::from(key) * u128::from(self.inverse)) >> 64) as u64;
        let rest = key - quotient * entries;
        match rest < entries {
            true => (quotient, self.pieces[rest as usize]),
            false => (quotient + 1, self.pieces[(rest - entries) as usize]),
        }
    }
}

impl Pieces {
    pub(crate) fn new(instance: &Instance) -> Self {
        let mut groups = Vec::new();
        let mut sums = vec![0_u8];
        for line in instance.lines.iter().rev() {
            if sums.len() * line.contents.len() > MOST {
                groups.push(Group::new(std::mem::replace(&mut sums, vec![0])));
            }
            let more = |content: &crate::rush_hour::lines::Content| {
                let own = content.heads.count_ones() as u8;
                sums.iter().map(move |sum| sum + own).collect::<Vec<_>>()
            };
            sums = line.contents.iter().flat_map(more).collect();
        }
        groups.push(Group::new(sums));
        Self { groups }
    }

    /// How many pieces stand on the board of a key, the red car among them.
    #[inline]
    #[must_use]
    pub fn count(&self, key: u64) -> u8 {
        let mut rest = key;
        let mut all = 0;
        for group in &self.groups {
            let (upper, pieces) = group.split(rest);
            rest = upper;
            all += pieces;
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use puzzle_api::{Puzzle, Request, Settings};

    proptest! {
        #[test]
        fn counts_are_those_of_boards(draw: u64, which in 0..3_usize) {
            let instance = ["4x4", "5x5", "6x6"][which];
            let walls = [("walls".to_owned(), (draw % 2).to_string())];
            let settings: Settings = walls.into_iter().collect();
            let bits = crate::rush_hour::Bits::open(&Request { instance, settings: &settings });
            let bits = bits.expect("an instance that ships");
            let lines = bits.lines();
            let key = draw % (lines.wall_weight * lines.walls.len() as u64);
            let board = lines.board_of(key);
            prop_assert_eq!(usize::from(bits.pieces().count(key)), board.pieces.len());
        }

        #[test]
        fn digits_are_split_off_right(key: u64, entries in 1..300_usize) {
            let group = Group::new((0..entries).map(|entry| entry as u8).collect());
            let (upper, pieces) = group.split(key);
            prop_assert_eq!(upper, key / entries as u64);
            prop_assert_eq!(pieces, (key % entries as u64) as u8);
        }
    }
}
