//! Number of pieces that a key places, computed without its board.

use crate::rush_hour::instances::Instance;

/// Most entries of a table.
const MOST: usize = 1 << 14;

/// Numbers of pieces by key: a table for each few digits of it, the lowest first.
#[derive(Debug, Clone)]
pub struct Pieces(Vec<Vec<u8>>);

impl Pieces {
    pub(crate) fn new(instance: &Instance) -> Self {
        let (mut tables, mut sums) = (Vec::new(), vec![0_u8]);
        for line in instance.lines.iter().rev() {
            if sums.len() * line.contents.len() > MOST {
                tables.push(std::mem::replace(&mut sums, vec![0]));
            }
            let each = line.contents.iter();
            let each = each.map(|content| content.heads.count_ones() as u8);
            let with = |own: u8| sums.iter().map(move |sum| sum + own);
            sums = each.flat_map(with).collect();
        }
        tables.push(sums);
        Self(tables)
    }

    /// Number of pieces on the board of a key, including the red car.
    #[inline]
    #[must_use]
    pub fn count(&self, key: u64) -> u8 {
        let (mut rest, mut all) = (key, 0);
        for table in &self.0 {
            let entries = table.len() as u64;
            all += table[(rest % entries) as usize];
            rest /= entries;
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::proving::opened;
    use crate::rush_hour::{Pieces, instances};

    proptest! {
        #[test]
        fn counts_are_those_of_boards(draw: u64, which in 0..3_usize) {
            let walls = ["0", "1"][(draw % 2) as usize];
            let of = (["4x4", "5x5", "6x6"][which], &[("walls", walls)][..]);
            let instance = opened(of, instances::open).expect("an instance that ships");
            let key = draw % (instance.wall_weight * instance.walls.len() as u64);
            let board = instance.board_of(key);
            prop_assert_eq!(usize::from(Pieces::new(&instance).count(key)), board.pieces.len());
        }
    }
}
