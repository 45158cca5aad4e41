//! Mirror images of positions, by table.

use super::machine::Machine;
use super::moves::After;
use super::scene::{Order, Scene};
use super::{BySymbol, CELLS, LANES, Masks, SYMBOLS, by_symbol};

/// Where a symmetry takes pieces and holes.
#[derive(Debug)]
pub struct Turned {
    /// By symbol: the symbol of its image.
    symbols: [u8; SYMBOLS],
    /// By symbol and first cell: the image's first cell, as a mask.
    targets: BySymbol<u64>,
}

impl Turned {
    /// A symmetry by the image of every kind and by the first cell of the image of a piece
    /// of each kind on each open cell; `holes` are the images of the cells themselves.
    #[must_use]
    pub fn new(kinds: &[usize], images: &[Vec<u8>], holes: &[u8]) -> Self {
        let mut turned = Self {
            symbols: [0; SYMBOLS],
            targets: by_symbol(0),
        };
        let cells = std::iter::once(holes).chain(images.iter().map(Vec::as_slice));
        for (symbol, images) in cells.enumerate() {
            turned.symbols[symbol] = symbol
                .checked_sub(1)
                .map_or(0, |kind| kinds[kind] as u8 + 1);
            for (target, image) in turned.targets[symbol].iter_mut().zip(images) {
                *target = 1 << image;
            }
        }
        turned
    }
}

impl Masks {
    /// As [`Masks::images`], by one way to deposit bits.
    #[inline(always)]
    pub(super) fn images_by<M: Machine>(
        &self,
        keys: &[u128],
        turned: &Turned,
        emit: &mut impl FnMut(u128),
    ) {
        let (chunks, rest) = keys.as_chunks::<LANES>();
        let (mut scenes, mut order) = ([Scene::EMPTY; LANES], Order::UNKNOWN);
        for chunk in chunks {
            self.scenes::<M, LANES>(chunk, &mut order, &mut scenes);
            for scene in &scenes {
                emit(self.image_of::<M>(&scene.of, turned));
            }
        }
        let [mut scene, ..] = scenes;
        for &key in rest {
            self.scenes::<M, 1>(&[key], &mut order, std::array::from_mut(&mut scene));
            emit(self.image_of::<M>(&scene.of, turned));
        }
    }

    /// The key of the image of a position, by the first cells of its pieces.
    #[inline(always)]
    pub(super) fn image_of<M: Machine>(&self, before: &[u64; SYMBOLS], turned: &Turned) -> u128 {
        let (mut of, mut scanned, mut big) = ([0; SYMBOLS], 0, 0);
        for symbol in 0..self.counts.len() {
            let (mut cells, mut image) = (before[symbol % SYMBOLS], 0);
            while cells != 0 {
                image |= turned.targets[symbol % SYMBOLS][cells.trailing_zeros() as usize % CELLS];
                cells &= cells - 1;
            }
            let target = usize::from(turned.symbols[symbol % SYMBOLS]);
            of[target % SYMBOLS] = image;
            scanned |= image;
            big |= if target < self.little { 0 } else { image };
        }
        let at = After::unmoved(&of);
        let little = self.digits::<M>(0..self.little, 0, scanned, &at);
        let symbols = self.little..self.counts.len();
        let big = self.digits::<M>(symbols, self.little_counts, big, &at);
        self.halves.join(big, little)
    }

    /// As [`Masks::is_solved`], by one way to deposit bits.
    #[inline(always)]
    pub(super) fn solves_by<M: Machine>(&self, key: u128) -> bool {
        let (mut scene, mut order) = (Scene::EMPTY, Order::UNKNOWN);
        self.scenes::<M, 1>(&[key], &mut order, std::array::from_mut(&mut scene));
        self.is_goal(&scene)
    }
}
