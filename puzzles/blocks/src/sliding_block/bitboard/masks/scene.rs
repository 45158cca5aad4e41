//! Positions decoded from their keys, a few at a time.

use super::{CELLS, LANES, Masks, SYMBOLS};
use crate::bits::Machine;

#[derive(Debug, Clone, Copy)]
pub struct Scene {
    /// The high half of the key, the order of the big pieces.
    pub big: u64,
    /// By symbol: first cells of its pieces. Index 0 has the holes.
    pub of: [u64; SYMBOLS],
    /// By first cell of a piece: its symbol. Other cells may hold any value.
    pub symbols: [u8; CELLS],
}

impl Scene {
    pub const EMPTY: Self = Self {
        big: 0,
        of: [0; SYMBOLS],
        symbols: [0; CELLS],
    };
}

/// Buffer for a few positions, reused for the next few.
pub struct Few {
    scenes: [Scene; LANES],
    order: Order,
}

impl Few {
    pub const EMPTY: Self = Self {
        scenes: [Scene::EMPTY; LANES],
        order: Order::UNKNOWN,
    };
}

impl Masks {
    /// Decodes a few keys, [`LANES`] of them in step; returns their positions.
    #[inline(always)]
    pub fn few<'a, M: Machine>(&self, keys: &[u128], few: &'a mut Few) -> &'a [Scene] {
        let Few { scenes, order } = few;
        match keys.try_into() {
            Ok(keys) => self.scenes::<M, LANES>(keys, order, scenes),
            Err(_) => {
                for (&key, scene) in keys.iter().zip(&mut *scenes) {
                    self.scenes::<M, 1>(&[key], order, std::array::from_mut(scene));
                }
            }
        }
        &scenes[..keys.len()]
    }

    /// Takes keys apart. Each position needs its previous steps, cell by cell, and waits for them.
    /// Neighbouring positions do not, so some are processed in step. `order` is that of the
    /// previous key: in sorted keys it rarely changes.
    #[inline(always)]
    pub fn scenes<M: Machine, const LANES: usize>(
        &self,
        keys: &[u128; LANES],
        order: &mut Order,
        scenes: &mut [Scene; LANES],
    ) {
        let mut strings = [[0_u8; CELLS]; LANES];
        let mut rest = [0; LANES];
        for lane in 0..LANES {
            (scenes[lane].big, rest[lane]) = self.halves.split(keys[lane]);
        }
        let mut left = [self.places; LANES];
        for symbol in 0..self.little {
            for lane in 0..LANES {
                let (quotient, digit) = self.radices[symbol].divide(rest[lane]);
                rest[lane] = quotient;
                let places = self.subsets.of(self.counts[symbol], digit);
                let places = M::deposit(places, left[lane]);
                left[lane] &= !places;
                scenes[lane].of[symbol % SYMBOLS] = places;
                put(places, symbol as u8, &mut strings[lane]);
            }
        }
        for lane in 0..LANES {
            let (scene, left) = (&mut scenes[lane], left[lane]);
            if scene.big != order.rank {
                *order = self.order::<M>(scene.big);
            }
            for symbol in self.little..self.counts.len() {
                let places = M::deposit(order.of[symbol % SYMBOLS], left);
                scene.of[symbol % SYMBOLS] = places;
                put(places, symbol as u8, &mut strings[lane]);
            }
        }
        let (mut free, mut scanned) = ([self.all; LANES], [0_u64; LANES]);
        for i in 0..self.length {
            for lane in 0..LANES {
                let symbol = strings[lane][i % CELLS];
                // In valid keys, free cells remain as long as symbols do.
                let cell = free[lane].trailing_zeros() as usize % CELLS;
                scanned[lane] |= 1 << cell;
                scenes[lane].symbols[cell] = symbol;
                free[lane] &= !self.cover(symbol, cell);
            }
        }
        for (scene, scanned) in scenes.iter_mut().zip(scanned) {
            for places in &mut scene.of[..self.counts.len()] {
                *places = M::deposit(*places, scanned);
            }
        }
    }

    #[inline]
    pub(super) fn order<M: Machine>(&self, rank: u64) -> Order {
        let mut order = Order {
            rank,
            ..Order::UNKNOWN
        };
        let mut left = self.places >> self.little_counts;
        let mut rest = rank;
        for symbol in self.little..self.counts.len() {
            let (quotient, digit) = self.radices[symbol].divide(rest);
            rest = quotient;
            let places = M::deposit(self.subsets.of(self.counts[symbol], digit), left);
            left &= !places;
            order.of[symbol % SYMBOLS] = places;
        }
        order
    }
}

#[inline(always)]
fn put(mut places: u64, symbol: u8, string: &mut [u8; CELLS]) {
    while places != 0 {
        string[places.trailing_zeros() as usize % CELLS] = symbol;
        places &= places - 1;
    }
}

/// An order of the big pieces; sorted keys rarely change it.
#[derive(Debug, Clone, Copy)]
pub struct Order {
    /// Its rank, the high half of a key.
    pub rank: u64,
    /// By symbol: its places among the big pieces.
    pub of: [u64; SYMBOLS],
}

impl Order {
    /// None: ranks are smaller.
    pub const UNKNOWN: Self = Self {
        rank: u64::MAX,
        of: [0; SYMBOLS],
    };
}
