//! Moves of a position, and the keys that they lead to.

use super::machine::Machine;
use super::scene::{Order, Scene};
use super::{CELLS, LANES, Masks, SYMBOLS, Turned};
use crate::metric::Metric;

impl Masks {
    /// As [`Masks::expand`], by one way to deposit bits.
    #[inline(always)]
    pub(super) fn expand_by<M: Machine>(
        &self,
        keys: &[u128],
        metric: Metric,
        emit: &mut impl FnMut(usize, u128),
    ) -> u64 {
        let mut solved = 0;
        let (chunks, rest) = keys.as_chunks::<LANES>();
        let mut movers = [(0, 0); CELLS];
        let (mut scenes, mut order) = ([Scene::EMPTY; LANES], Order::UNKNOWN);
        for (chunk, first) in chunks.iter().zip((0..).step_by(LANES)) {
            self.scenes::<M, LANES>(chunk, &mut order, &mut scenes);
            for (scene, of) in scenes.iter().zip(first..) {
                solved += u64::from(self.is_goal(scene));
                let start = self.start(&scene.of, scene.big);
                self.moves(scene, metric, &mut movers, &mut |symbol, from, to| {
                    emit(of, self.moved::<M>(&start, symbol, from, to));
                });
            }
        }
        let [mut scene, ..] = scenes;
        for (&key, of) in rest.iter().zip(keys.len() - rest.len()..) {
            self.scenes::<M, 1>(&[key], &mut order, std::array::from_mut(&mut scene));
            solved += u64::from(self.is_goal(&scene));
            let start = self.start(&scene.of, scene.big);
            self.moves(&scene, metric, &mut movers, &mut |symbol, from, to| {
                emit(of, self.moved::<M>(&start, symbol, from, to));
            });
        }
        solved
    }

    /// As [`Masks::orbits`], by one way to deposit bits. The image of a position after a move is
    /// the image of the position after the image of the move, so that only positions are taken
    /// apart, and not their neighbours.
    #[inline(always)]
    pub(super) fn orbits_by<M: Machine>(
        &self,
        keys: &[u128],
        metric: Metric,
        turned: &[Turned],
        emit: &mut impl FnMut(usize, u128),
    ) {
        let mut movers = [(0, 0); CELLS];
        let (mut scene, mut order) = (Scene::EMPTY, Order::UNKNOWN);
        let mut images = vec![([0; SYMBOLS], 0); turned.len()];
        for (number, &key) in keys.iter().enumerate() {
            self.scenes::<M, 1>(&[key], &mut order, std::array::from_mut(&mut scene));
            for (image, turned) in images.iter_mut().zip(turned) {
                image.0 = self.turned_cells(&scene.of, turned);
                image.1 = self.big_digits::<M>(&image.0);
            }
            let start = self.start(&scene.of, scene.big);
            self.moves(&scene, metric, &mut movers, &mut |symbol, from, to| {
                let mut least = self.moved::<M>(&start, symbol, from, to);
                for ((of, order), turned) in images.iter().zip(turned) {
                    let there = |cell: usize| {
                        let target = turned.targets[symbol % SYMBOLS][cell % CELLS];
                        target.trailing_zeros() as usize % CELLS
                    };
                    let (start, symbol) = (self.start(of, *order), turned.symbols[symbol]);
                    let image = self.moved::<M>(&start, symbol.into(), there(from), there(to));
                    least = least.min(image);
                }
                emit(number, least);
            });
        }
    }

    /// A position with what all moves from it need.
    #[inline(always)]
    fn start<'a>(&self, of: &'a [u64; SYMBOLS], order: u64) -> Start<'a> {
        let all = |of: &[u64]| of.iter().fold(0, |all, cells| all | cells);
        Start {
            of,
            order,
            pieces: all(&of[1..]),
            big: all(&of[self.little..self.counts.len()]),
        }
    }

    /// Whether every piece with a goal stands there.
    #[inline(always)]
    pub(super) fn is_goal(&self, scene: &Scene) -> bool {
        let mut goals = self.goals.iter();
        goals.all(|&(symbol, cell)| scene.of[usize::from(symbol) % SYMBOLS] >> cell & 1 == 1)
    }

    /// Hands on every move: the symbol of the piece, and its first cells before and after.
    #[inline(always)]
    fn moves(
        &self,
        scene: &Scene,
        metric: Metric,
        movers: &mut [(u8, u64); CELLS],
        emit: &mut impl FnMut(usize, usize, usize),
    ) {
        let mut near = [0; SYMBOLS];
        let mut holes = scene.of[0];
        while holes != 0 {
            let row = &self.near[holes.trailing_zeros() as usize % CELLS];
            holes &= holes - 1;
            for (near, cells) in near.iter_mut().zip(row) {
                *near |= cells;
            }
        }
        let mut movable = 0;
        for (pieces, near) in scene.of.iter().zip(near).skip(1) {
            movable |= pieces & near;
        }
        // Which of them can move is not to be foretold, so it is no branch.
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

    /// All first cells that a piece can reach straight.
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

    /// The key after a piece moves from one first cell to another.
    #[inline(always)]
    fn moved<M: Machine>(&self, start: &Start<'_>, symbol: usize, from: usize, to: usize) -> u128 {
        let of = start.of;
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

    /// What some symbols add to their half of the key, where `left` are the first cells of
    /// them and of those above.
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

/// The sum of one term for each place, of so many.
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
    /// Before it, by symbol.
    of: &'a [u64; SYMBOLS],
    holes: u64,
    /// The kind that moves, and its first cells that change.
    symbol: usize,
    exchanged: u64,
}

impl<'a> After<'a> {
    /// Pieces and holes as they stand.
    pub(super) fn unmoved(of: &'a [u64; SYMBOLS]) -> Self {
        Self {
            of,
            holes: of[0],
            symbol: 0,
            exchanged: 0,
        }
    }
}

/// A position with what all moves from it need.
struct Start<'a> {
    /// By symbol: first cells of its pieces; at 0 the holes.
    of: &'a [u64; SYMBOLS],
    /// The order of the big pieces, the high half of the key.
    order: u64,
    /// First cells of all pieces, and of big ones.
    pieces: u64,
    big: u64,
}

/// The cells between two.
#[inline(always)]
fn between(a: usize, b: usize) -> u64 {
    let (low, high) = (a.min(b), a.max(b));
    ((1 << high) - 1) & (u64::MAX << low) << 1
}
