//! The fast path for boards of at most 64 open cells, with keys whose halves fit 62 bits
//! each: a position is one mask a kind of piece, and keys are put together in 64 bits.
//!
//! The digit of a symbol is the rank of the places of its pieces among the symbols not
//! below it. A place is the number of such symbols in front, so a digit needs two masks
//! and a count of bits a piece. A move changes the digits of its own symbol and of those
//! below; the big half stays as it is unless the piece passes another big one.

mod digits;
mod machine;
mod scene;

use crate::alphabet::binomial;
use crate::board::Board;
use crate::metric::Metric;

use super::tables::{MOST_SYMBOLS, NONE, Tables};
use digits::{Halves, Reciprocal, Subsets};
use machine::Machine;
use scene::{Order, Scene};

/// Most cells.
const CELLS: usize = 64;
/// Most symbols.
const SYMBOLS: usize = MOST_SYMBOLS;
/// Positions that are taken apart in step.
const LANES: usize = 4;

/// Something for each symbol and cell.
type BySymbol<T> = Box<[[T; CELLS]; SYMBOLS]>;

fn by_symbol<T: Copy>(each: T) -> BySymbol<T> {
    Box::new([[each; CELLS]; SYMBOLS])
}

/// Steps of a piece by direction; a cache line.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
struct Steps {
    /// The cells that must be free; all cells where there is no step.
    fronts: [u64; 4],
    /// The first cell after the step.
    targets: [u64; 4],
}

impl Steps {
    const NONE: Self = Self {
        fronts: [u64::MAX; 4],
        targets: [0; 4],
    };

    /// The first cells after one step each, where some cells are free.
    #[inline(always)]
    fn by_way(&self, free: u64) -> [u64; 4] {
        std::array::from_fn(|way| {
            let is_free = u64::from(self.fronts[way] & !free == 0);
            self.targets[way] & is_free.wrapping_neg()
        })
    }

    /// The same in one set.
    #[inline(always)]
    fn all(&self, free: u64) -> u64 {
        let [up, down, left, right] = self.by_way(free);
        up | down | left | right
    }
}

/// Tables of one board.
#[derive(Debug)]
pub struct Masks {
    /// Whether the processor has what the newer code needs.
    newer: bool,
    /// All open cells.
    all: u64,
    /// One bit for each place of a string.
    places: u64,
    /// Places of a string.
    length: usize,
    /// By symbol: how often.
    counts: Vec<u8>,
    /// Number of symbols of the low half.
    little: usize,
    /// How often symbols of the low half stand in a string.
    little_counts: usize,
    /// By symbol: radix of its digit.
    radices: Vec<Reciprocal>,
    halves: Halves,
    subsets: Subsets,
    /// By symbol and cell: the cells covered by a piece.
    covers: BySymbol<u64>,
    /// By symbol and cell: where the piece can go by one step.
    steps: BySymbol<Steps>,
    /// By hole and symbol: first cells of pieces that have the hole in front of them.
    near: Box<[[u64; SYMBOLS]; CELLS]>,
    /// For each piece and hole in the order of symbols, by place: what it adds to its half
    /// of the key.
    terms: Box<[[u64; CELLS]; CELLS]>,
    /// Goals as symbol and cell.
    goals: Vec<(u8, u8)>,
}

impl Masks {
    /// The tables of a board, or `None` for one that is too large.
    #[must_use]
    pub fn new(board: &Board) -> Option<Self> {
        let alphabet = &board.alphabet;
        let symbols = alphabet.counts().len();
        if symbols > SYMBOLS || board.grid.open_cells().count() > CELLS {
            return None;
        }
        let halves = Halves::new(alphabet)?;
        let tables = Tables::<u64>::new(board);
        let weights = alphabet.weights().iter();
        let little = weights.filter(|&&w| w < alphabet.little_total()).count();
        let counts = alphabet.counts().to_vec();
        let of_little = counts[..little].iter().map(|&count| usize::from(count));
        let mut masks = Self {
            newer: machine::is_newer(),
            all: tables.all,
            places: u64::MAX >> (CELLS - alphabet.length()),
            length: alphabet.length(),
            little_counts: of_little.sum(),
            little,
            radices: alphabet
                .radices()
                .iter()
                .map(|&r| Reciprocal::new(r as u64))
                .collect(),
            subsets: Subsets::new(&counts, alphabet.radices()),
            counts,
            halves,
            covers: by_symbol(0),
            steps: by_symbol(Steps::NONE),
            near: Box::new([[0; SYMBOLS]; CELLS]),
            terms: Box::new([[0; CELLS]; CELLS]),
            goals: tables.goals.clone(),
        };
        masks.fill_steps(&tables);
        masks.fill_terms(board);
        Some(masks)
    }

    fn fill_steps(&mut self, tables: &Tables<u64>) {
        for cell in 0..tables.cells {
            self.covers[0][cell] = 1 << cell;
            for symbol in 1..self.counts.len() {
                let cover = tables.cover(symbol as u8, cell);
                // A key that no position has must not stop the scan.
                self.covers[symbol][cell] = cover | 1 << cell;
                if cover == 0 {
                    continue;
                }
                for (direction, next) in tables.next(symbol as u8, cell).into_iter().enumerate() {
                    if next == NONE {
                        continue;
                    }
                    let front = tables.cover(symbol as u8, next.into()) & !cover;
                    self.steps[symbol][cell].fronts[direction] = front;
                    self.steps[symbol][cell].targets[direction] = 1 << next;
                    for hole in (0..CELLS).filter(|hole| front >> hole & 1 == 1) {
                        self.near[hole][symbol] |= 1 << cell;
                    }
                }
            }
        }
    }

    fn fill_terms(&mut self, board: &Board) {
        let mut row = 0;
        for (symbol, &count) in self.counts.iter().enumerate() {
            let weight = board.alphabet.weights()[symbol];
            let weight = if symbol < self.little {
                weight
            } else {
                weight / board.alphabet.little_total()
            };
            for ordinal in 1..=u32::from(count) {
                for place in 0..CELLS {
                    // Places that no key asks for may overflow; they are never read.
                    let term = binomial(place as u32, ordinal).and_then(|n| n.checked_mul(weight));
                    self.terms[row][place] = term.and_then(|n| u64::try_from(n).ok()).unwrap_or(0);
                }
                row += 1;
            }
        }
    }

    #[inline(always)]
    fn cover(&self, symbol: u8, cell: usize) -> u64 {
        self.covers[usize::from(symbol) % SYMBOLS][cell % CELLS]
    }

    /// The order of the big pieces of a position: the high digits of its key.
    #[inline]
    #[must_use]
    pub fn big_order(&self, key: u128) -> u64 {
        self.halves.split(key).0
    }

    /// As [`Masks::expand`], by one way to deposit bits.
    #[inline(always)]
    fn expand_by<M: Machine>(
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
                solved += u64::from(self.is_solved(scene));
                self.moves::<M>(scene, metric, of, &mut movers, emit);
            }
        }
        let [mut scene, ..] = scenes;
        for (&key, of) in rest.iter().zip(keys.len() - rest.len()..) {
            self.scenes::<M, 1>(&[key], &mut order, std::array::from_mut(&mut scene));
            solved += u64::from(self.is_solved(&scene));
            self.moves::<M>(&scene, metric, of, &mut movers, emit);
        }
        solved
    }

    /// Whether every piece with a goal stands there.
    #[inline(always)]
    fn is_solved(&self, scene: &Scene) -> bool {
        let mut goals = self.goals.iter();
        goals.all(|&(symbol, cell)| scene.of[usize::from(symbol) % SYMBOLS] >> cell & 1 == 1)
    }

    #[inline(always)]
    fn moves<M: Machine>(
        &self,
        scene: &Scene,
        metric: Metric,
        number: usize,
        movers: &mut [(u8, u64); CELLS],
        emit: &mut impl FnMut(usize, u128),
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
        let mut start = Start {
            scene,
            pieces: 0,
            big: 0,
        };
        let mut movable = 0;
        for symbol in 1..SYMBOLS {
            start.pieces |= scene.of[symbol];
            movable |= scene.of[symbol] & near[symbol];
        }
        for symbol in self.little..self.counts.len() {
            start.big |= scene.of[symbol % SYMBOLS];
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
                emit(number, self.moved::<M>(&start, symbol, from, to));
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
        let of = &start.scene.of;
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
        let mut big = start.scene.big;
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
    fn digits<M: Machine>(
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
struct After<'a> {
    /// Before it, by symbol.
    of: &'a [u64; SYMBOLS],
    holes: u64,
    /// The kind that moves, and its first cells that change.
    symbol: usize,
    exchanged: u64,
}

/// A position with what all moves from it need.
struct Start<'a> {
    scene: &'a Scene,
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
