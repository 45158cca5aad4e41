//! Moves of a position, and the keys after them.

use super::scene::{Few, Scene};
use super::{CELLS, LANES, Masks, SYMBOLS, Turned};
use crate::bits::Machine;
use crate::metric::Metric;

impl Masks {
    /// First cells of the used pieces, whose numbers are bits of `used`.
    #[inline(always)]
    fn resting<M: Machine>(&self, scene: &Scene, used: u32) -> u64 {
        let used = M::deposit(used.into(), self.beside_holes(scene.of[0]));
        let mut resting = 0;
        for symbol in 1..self.counts.len() {
            let mut pieces = scene.of[symbol % SYMBOLS];
            while used != 0 && pieces != 0 {
                let first = pieces.trailing_zeros() as usize % CELLS;
                pieces &= pieces - 1;
                let is_used = self.covers[symbol % SYMBOLS][first] & used != 0;
                resting |= u64::from(is_used) << first;
            }
        }
        resting
    }

    /// The bit of a piece's number after it has moved.
    #[inline(always)]
    fn mark(&self, scene: &Scene, (symbol, from, to): (usize, usize, usize)) -> u32 {
        let covers = &self.covers[symbol];
        let holes = (scene.of[0] | covers[from]) & !covers[to];
        let beside = self.beside_holes(holes);
        // The piece came from a neighbouring cell, so it left a hole there.
        let own = beside & covers[to];
        let number = (beside & !own & own.wrapping_sub(1)).count_ones();
        1 << (number % u32::BITS)
    }

    /// Cells of pieces next to holes; their order numbers the pieces.
    #[inline(always)]
    fn beside_holes(&self, holes: u64) -> u64 {
        let (mut beside, mut left) = (0, holes);
        while left != 0 {
            beside |= self.beside[left.trailing_zeros() as usize % CELLS];
            left &= left - 1;
        }
        beside & !holes
    }

    /// By symbol: first cells at which a piece would have a hole in front of it.
    #[inline(always)]
    fn near_holes(&self, mut holes: u64) -> [u64; SYMBOLS] {
        let mut near = [0; SYMBOLS];
        while holes != 0 {
            let row = &self.near[holes.trailing_zeros() as usize % CELLS];
            holes &= holes - 1;
            for (near, cells) in near.iter_mut().zip(row) {
                *near |= cells;
            }
        }
        near
    }

    /// [`Masks::expand`] with one implementation of bit deposit. The image of a neighbour is a
    /// neighbour of the image, so only positions are decoded, not their neighbours.
    #[inline(always)]
    pub(super) fn expand_by<M: Machine>(
        &self,
        keys: &[u128],
        (metric, turned): (Metric, &[Turned]),
        used: Option<&[u32]>,
        emit: &mut impl FnMut(usize, u128, u32),
    ) {
        let (mut movers, mut few) = ([(0, 0); CELLS], Few::EMPTY);
        let mut images = Vec::with_capacity(turned.len());
        for (keys, first) in keys.chunks(LANES).zip((0..).step_by(LANES)) {
            for (scene, number) in self.few::<M>(keys, &mut few).iter().zip(first..) {
                images.clear();
                for turned in turned {
                    let of = self.turned_cells(&scene.of, turned);
                    let start = self.start(&of, self.big_digits::<M>(&of));
                    images.push((of, start));
                }
                let start = self.start(&scene.of, scene.big);
                let resting = used.map_or(0, |used| self.resting::<M>(scene, used[number]));
                self.moves(
                    (scene, resting),
                    metric,
                    &mut movers,
                    &mut |symbol, from, to| {
                        let moved = (symbol, from, to);
                        let mut least = self.moved::<M>(&scene.of, &start, moved);
                        for ((of, start), turned) in images.iter().zip(turned) {
                            let there = |cell: usize| {
                                let target = turned.targets[symbol % SYMBOLS][cell % CELLS];
                                target.trailing_zeros() as usize % CELLS
                            };
                            let turned = (turned.symbols[symbol].into(), there(from), there(to));
                            least = least.min(self.moved::<M>(of, start, turned));
                        }
                        emit(number, least, used.map_or(0, |_| self.mark(scene, moved)));
                    },
                );
            }
        }
    }

    /// Data for all moves from a position, from the first cells of its pieces and the high half of
    /// its key.
    #[inline(always)]
    fn start(&self, of: &[u64; SYMBOLS], order: u64) -> Start {
        let all = |of: &[u64]| of.iter().fold(0, |all, cells| all | cells);
        Start {
            order,
            pieces: all(&of[1..]),
            big: all(&of[self.little..self.counts.len()]),
        }
    }

    /// Whether every piece with a goal is on it.
    #[inline(always)]
    pub(super) fn is_goal(&self, of: &[u64; SYMBOLS]) -> bool {
        let mut goals = self.goals.iter();
        goals.all(|&(symbol, cell)| of[usize::from(symbol) % SYMBOLS] >> cell & 1 == 1)
    }

    /// Emits every move except those of `resting` pieces, given by their first cells. A move is the
    /// symbol of the piece, and its first cells before and after.
    #[inline(always)]
    fn moves(
        &self,
        (scene, resting): (&Scene, u64),
        metric: Metric,
        movers: &mut [(u8, u64); CELLS],
        emit: &mut impl FnMut(usize, usize, usize),
    ) {
        let near = self.near_holes(scene.of[0]);
        let mut movable = 0;
        for (pieces, near) in scene.of.iter().zip(near).skip(1) {
            movable |= pieces & near;
        }
        movable &= !resting;
        // A branch on whether a piece can move would be unpredictable.
        let mut count = 0;
        while movable != 0 {
            let from = movable.trailing_zeros() as usize % CELLS;
            movable &= movable - 1;
            let symbol = usize::from(scene.symbols[from]) % SYMBOLS;
            let steps = self.steps[symbol][from].all(scene.of[0]);
            movers[count % CELLS] = (from as u8, steps);
            count += usize::from(steps != 0);
        }
        for &(from, steps) in &movers[..count] {
            let from = usize::from(from) % CELLS;
            let symbol = usize::from(scene.symbols[from]) % SYMBOLS;
            let mut reached = match metric {
                Metric::Piece => self.flood(scene, symbol, from, steps),
                Metric::Line => self.lines(scene, symbol, from),
                Metric::Step => steps,
            };
            while reached != 0 {
                let to = reached.trailing_zeros() as usize % CELLS;
                reached &= reached - 1;
                emit(symbol, from, to);
            }
        }
    }

    /// All first cells that a piece can reach along free paths.
    #[inline(always)]
    fn flood(&self, scene: &Scene, symbol: usize, from: usize, steps: u64) -> u64 {
        let free = scene.of[0] | self.covers[symbol][from];
        let (mut seen, mut waiting) = (1 << from | steps, steps);
        while waiting != 0 {
            let at = waiting.trailing_zeros() as usize % CELLS;
            waiting &= waiting - 1;
            let new = self.steps[symbol][at].all(free) & !seen;
            seen |= new;
            waiting |= new;
        }
        seen ^ 1 << from
    }

    /// All first cells that a piece can reach in a straight line.
    #[inline(always)]
    fn lines(&self, scene: &Scene, symbol: usize, from: usize) -> u64 {
        let free = scene.of[0] | self.covers[symbol][from];
        let mut reached = 0;
        for way in 0..4 {
            let mut at = from;
            loop {
                let next = self.steps[symbol][at].by_way(free)[way];
                if next == 0 {
                    break;
                }
                reached |= next;
                at = next.trailing_zeros() as usize % CELLS;
            }
        }
        reached
    }

    /// The key after a piece of a symbol moves from one first cell to another.
    #[inline(always)]
    fn moved<M: Machine>(
        &self,
        of: &[u64; SYMBOLS],
        start: &Start,
        (symbol, from, to): (usize, usize, usize),
    ) -> u128 {
        let exchanged = 1 << from | 1_u64 << to;
        let holes = (of[0] | self.covers[symbol][from]) & !self.covers[symbol][to];
        let scanned = (start.pieces ^ exchanged) | holes;
        let at = After {
            of,
            holes,
            symbol,
            exchanged,
        };
        let little = self.digits::<M>(0..self.little, 0, scanned, &at);
        let mut big = start.order;
        // Only big pieces between the two cells can change the order.
        if symbol >= self.little && start.big & between(from, to) != 0 {
            let (bigs, symbols) = (start.big ^ exchanged, self.little..self.counts.len());
            big = self.digits::<M>(symbols, self.little_counts, bigs, &at);
        }
        self.halves.join(big, little)
    }

    /// The values of some symbols within their half of the key; `left` are the first cells of them
    /// and of the symbols above.
    #[inline(always)]
    pub(super) fn digits<M: Machine>(
        &self,
        symbols: std::ops::Range<usize>,
        mut row: usize,
        mut left: u64,
        after: &After<'_>,
    ) -> u64 {
        let mut sum = 0;
        for symbol in symbols {
            let own = match symbol {
                0 => after.holes,
                _ if symbol == after.symbol => after.of[symbol % SYMBOLS] ^ after.exchanged,
                _ => after.of[symbol % SYMBOLS],
            };
            let count = usize::from(self.counts[symbol]);
            let terms = &self.terms[row..row + count];
            let places = M::extract(own, left);
            sum += match count {
                1 => weigh::<1>(terms, places),
                2 => weigh::<2>(terms, places),
                3 => weigh::<3>(terms, places),
                4 => weigh::<4>(terms, places),
                _ => weigh_any(terms, places),
            };
            row += count;
            left &= !own;
        }
        sum
    }
}

/// The sum of one term for each of n places.
#[inline(always)]
fn weigh<const COUNT: usize>(terms: &[[u64; CELLS]], places: u64) -> u64 {
    weigh_any(&terms[..COUNT], places)
}

#[inline(always)]
fn weigh_any(terms: &[[u64; CELLS]], mut places: u64) -> u64 {
    let mut sum = 0;
    for terms in terms {
        sum += terms[places.trailing_zeros() as usize % CELLS];
        places &= places.wrapping_sub(1);
    }
    sum
}

/// Pieces and holes after a move.
pub(super) struct After<'a> {
    /// First cells before the move, by symbol.
    of: &'a [u64; SYMBOLS],
    holes: u64,
    /// The kind that moves, and its first cells that change.
    symbol: usize,
    exchanged: u64,
}

impl<'a> After<'a> {
    pub(super) fn unmoved(of: &'a [u64; SYMBOLS]) -> Self {
        Self {
            of,
            holes: of[0],
            symbol: 0,
            exchanged: 0,
        }
    }
}

/// Data for all moves from a position, besides the first cells of its pieces.
struct Start {
    /// The order of the big pieces, the high half of the key.
    order: u64,
    /// First cells of all pieces, and of big ones.
    pieces: u64,
    big: u64,
}

/// The cells between two.
#[inline(always)]
pub(super) fn between(a: usize, b: usize) -> u64 {
    let (low, high) = (a.min(b), a.max(b));
    ((1 << high) - 1) & (u64::MAX << low) << 1
}
