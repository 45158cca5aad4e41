//! Half of the moves of positions: those that take a piece to a later place. What undoes one of
//! them takes the piece back to an earlier one.

use puzzle_api::proof::Forth;

use super::BlockTables;
use super::packed::{Position, bits};

impl BlockTables {
    /// `RuleTables::forth`, of one key.
    pub(super) fn forth_of(&self, key: u128, out: &mut Forth<u128>) {
        let position = self.position(key);
        out.solved.push(
            position
                .as_ref()
                .is_some_and(|position| self.is_goal(position)),
        );
        let back = match position {
            None => {
                out.own.push(!key);
                0
            }
            Some(position) => self.forth_from(&position, out),
        };
        out.back.push(back);
        out.ends.push(out.moves.len());
    }

    fn forth_from(&self, position: &Position, out: &mut Forth<u128>) -> u32 {
        let identity = &self.symmetries[0];
        let narrow = self.packing.is_narrow();
        let mut laid = self.laid(position, identity);
        out.own.push(match narrow {
            true => self.packing.pack_laid(&laid.symbols, laid.cells),
            false => self.packing.pack(position),
        });
        let mut back = 0;
        self.moves_together(position, |number, at, reached| {
            let later = reached & (u64::MAX << at);
            back += (reached ^ later).count_ones();
            for to in bits(later) {
                out.moves.push(match narrow {
                    true => self.moved(&mut laid, identity, number, [at, to]),
                    false => self.packing.pack(&self.after(position, number, at, to)),
                });
            }
        });
        back
    }
}
