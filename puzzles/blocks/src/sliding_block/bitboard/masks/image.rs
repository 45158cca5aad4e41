//! Mirror images of positions, by table.

use super::moves::After;
use super::scene::Few;
use super::{BySymbol, CELLS, LANES, Masks, SYMBOLS, by_symbol};
use crate::bits::Machine;
use crate::sliding_block::board::Board;
use crate::sliding_block::symmetry::Symmetry;

/// The images of pieces and holes under a symmetry.
#[derive(Debug)]
pub struct Turned {
    /// By symbol: the symbol of its image.
    pub(super) symbols: [u8; SYMBOLS],
    /// By symbol and first cell: the image's first cell, as a mask.
    pub(super) targets: BySymbol<u64>,
    /// The same for sixteen positions at once, whose cells have other numbers on some boards.
    /// `None` if they have the same, or only one position is taken at a time.
    #[cfg(target_arch = "x86_64")]
    pub(super) renumbered: Option<BySymbol<u64>>,
}

impl Turned {
    /// A symmetry of a board, `masks` those of the board.
    pub fn new(board: &Board, symmetry: &Symmetry, masks: &Masks) -> Self {
        let mut turned = Self {
            symbols: [0; SYMBOLS],
            targets: by_symbol(0),
            #[cfg(target_arch = "x86_64")]
            renumbered: None,
        };
        for symbol in 0..=board.kinds.len() {
            // Symbol 0 is a hole, of one cell.
            let kind = symbol.checked_sub(1);
            turned.symbols[symbol] = kind.map_or(0, |kind| symmetry.kinds[kind] as u8 + 1);
            for (target, &cell) in turned.targets[symbol].iter_mut().zip(&board.grid.open) {
                let image = match kind {
                    None => Some(symmetry.cells[cell]),
                    Some(kind) => symmetry.anchor(board, &board.kinds[kind].shape, cell),
                };
                *target = 1 << image.map_or(0, |image| board.grid.number(image));
            }
        }
        #[cfg(target_arch = "x86_64")]
        if let Some(vectors) = &masks.vectors {
            turned.renumbered = vectors.renumbered(&turned.targets);
        }
        turned
    }
}

impl Masks {
    #[inline(always)]
    pub(super) fn images_by<M: Machine>(
        &self,
        keys: &[u128],
        turned: &Turned,
        emit: &mut impl FnMut(u128),
    ) {
        let mut few = Few::EMPTY;
        for keys in keys.chunks(LANES) {
            for scene in self.few::<M>(keys, &mut few) {
                emit(self.key_of_places::<M>(&self.turned_cells(&scene.of, turned)));
            }
        }
    }

    /// The key of a position, by the first cells of its pieces.
    #[inline(always)]
    pub(super) fn key_of_places<M: Machine>(&self, of: &[u64; SYMBOLS]) -> u128 {
        let scanned = of.iter().fold(0, |all, cells| all | cells);
        let little = self.digits::<M>(0..self.little, 0, scanned, &After::unmoved(of));
        self.halves.join(self.big_digits::<M>(of), little)
    }

    /// The first cells of the image of a position by symbol.
    #[inline(always)]
    pub(super) fn turned_cells(&self, before: &[u64; SYMBOLS], turned: &Turned) -> [u64; SYMBOLS] {
        let mut of = [0; SYMBOLS];
        for symbol in 0..self.counts.len() {
            let image = images_of(before[symbol % SYMBOLS], &turned.targets[symbol % SYMBOLS]);
            of[usize::from(turned.symbols[symbol % SYMBOLS]) % SYMBOLS] = image;
        }
        of
    }

    /// The high half of the key of a position, by the first cells of its pieces.
    #[inline(always)]
    pub(super) fn big_digits<M: Machine>(&self, of: &[u64; SYMBOLS]) -> u64 {
        let symbols = self.little..self.counts.len();
        let bigs = of[symbols.clone()].iter().fold(0, |all, cells| all | cells);
        self.digits::<M>(symbols, self.little_counts, bigs, &After::unmoved(of))
    }

    #[inline(always)]
    pub(super) fn places_by<M: Machine>(
        &self,
        keys: &[u128],
        emit: &mut impl FnMut(&[u64; SYMBOLS]),
    ) {
        let mut few = Few::EMPTY;
        for keys in keys.chunks(LANES) {
            let scenes = self.few::<M>(keys, &mut few).iter();
            scenes.for_each(|scene| emit(&scene.of));
        }
    }
}

/// The images of some first cells of one symbol.
#[inline(always)]
pub(super) fn images_of(mut cells: u64, targets: &[u64; CELLS]) -> u64 {
    let mut images = 0;
    while cells != 0 {
        images |= targets[cells.trailing_zeros() as usize % CELLS];
        cells &= cells - 1;
    }
    images
}
