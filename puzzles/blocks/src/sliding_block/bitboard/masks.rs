//! The fast path for boards of at most 64 open cells, with keys whose halves fit 62 bits each. A
//! position is one mask per kind of piece, and keys are put together in 64 bits.
//!
//! The digit of a symbol is the rank of the places of its pieces among the symbols not below it. A
//! place is the number of such symbols in front, so a digit needs two masks and a count of bits per
//! piece. A move changes the digits of its own symbol and of those below; the big half does not
//! change unless the piece passes another big one.

mod digits;
mod dispatch;
mod image;
mod moves;
mod scene;
#[cfg(target_arch = "x86_64")]
mod vectors;

use crate::rules::WAYS;
use crate::sliding_block::alphabet::binomial;
use crate::sliding_block::board::Board;

use digits::{Halves, Reciprocal, Subsets};
pub use image::Turned;

const CELLS: usize = 64;
pub(super) const SYMBOLS: usize = 16;
/// Number of positions that are decoded in step.
const LANES: usize = 4;

type BySymbol<T> = Box<[[T; CELLS]; SYMBOLS]>;

fn by_symbol<T: Copy>(each: T) -> BySymbol<T> {
    Box::new([[each; CELLS]; SYMBOLS])
}

/// Steps of a piece by direction; a cache line.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
struct Steps {
    /// The cells that must be free; all cells if there is no step.
    fronts: [u64; 4],
    /// The first cell after the step.
    targets: [u64; 4],
}

impl Steps {
    const NONE: Self = Self {
        fronts: [u64::MAX; 4],
        targets: [0; 4],
    };

    /// The first cells after one step each, if some cells are free.
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
    /// Whether the processor has the features that the newer code needs.
    newer: bool,
    all: u64,
    /// One bit for each place of a string.
    places: u64,
    length: usize,
    /// By symbol: how often.
    counts: Vec<u8>,
    /// Number of symbols of the low half.
    little: usize,
    /// Number of each symbol of the low half in a string.
    little_counts: usize,
    radices: Vec<Reciprocal>,
    halves: Halves,
    subsets: Subsets,
    /// By symbol and cell: the cells covered by a piece.
    covers: BySymbol<u64>,
    /// By symbol and cell: the cells to which the piece can move by one step.
    steps: BySymbol<Steps>,
    /// By hole and symbol: first cells of pieces with the hole in front of them.
    near: Box<[[u64; SYMBOLS]; CELLS]>,
    /// By cell: the open cells next to it.
    beside: [u64; CELLS],
    /// For each piece and hole in the order of symbols, by place: its value within its half of the
    /// key.
    terms: Box<[[u64; CELLS]; CELLS]>,
    /// Goals as symbol and cell.
    goals: Vec<(u8, u8)>,
    /// For sixteen positions at once, if board and processor allow it.
    #[cfg(target_arch = "x86_64")]
    vectors: Option<Box<vectors::Vectors>>,
}

impl Masks {
    /// The tables of a board, or `None` for one that is too large.
    pub fn new(board: &Board) -> Option<Self> {
        let alphabet = &board.alphabet;
        let symbols = alphabet.counts.len();
        if symbols > SYMBOLS || board.grid.open.len() > CELLS {
            return None;
        }
        let halves = Halves::new(alphabet)?;
        let (open, grid) = (&board.grid.open, &board.grid);
        let goals = (1_u8..).zip(&board.kinds).filter_map(|(symbol, kind)| {
            let goal = kind.goal?;
            Some((symbol, grid.number(goal) as u8))
        });
        let weights = alphabet.weights.iter();
        let little = weights.filter(|&&w| w < alphabet.little_total).count();
        let counts = alphabet.counts.to_vec();
        let of_little = counts[..little].iter().map(|&count| usize::from(count));
        let mut masks = Self {
            newer: crate::bits::is_newer(),
            all: u64::MAX >> (CELLS - open.len()),
            places: u64::MAX >> (CELLS - alphabet.length()),
            length: alphabet.length(),
            little_counts: of_little.sum(),
            little,
            radices: alphabet
                .radices
                .iter()
                .map(|&r| Reciprocal::new(r as u64))
                .collect(),
            subsets: Subsets::new(&counts, &alphabet.radices),
            counts,
            halves,
            covers: by_symbol(0),
            steps: by_symbol(Steps::NONE),
            near: Box::new([[0; SYMBOLS]; CELLS]),
            beside: [0; CELLS],
            terms: Box::new([[0; CELLS]; CELLS]),
            goals: goals.collect(),
            #[cfg(target_arch = "x86_64")]
            vectors: None,
        };
        masks.fill_steps(board);
        for (beside, &cell) in masks.beside.iter_mut().zip(open) {
            let cells = WAYS.iter().filter_map(|&way| grid.offset(cell, way));
            *beside = cells.fold(0, |all, cell| all | 1 << grid.number(cell));
        }
        masks.fill_terms(board);
        #[cfg(target_arch = "x86_64")]
        {
            // The code for sixteen positions does not handle gates.
            masks.vectors = (!board.gates.contains(&true))
                .then(|| vectors::Vectors::new(board, little, &masks.terms[..]).map(Box::new))
                .flatten();
        }
        Some(masks)
    }

    fn fill_steps(&mut self, board: &Board) {
        let (open, grid) = (&board.grid.open, &board.grid);
        for symbol in 0..self.counts.len() {
            let covers = symbol.checked_sub(1).map(|kind| board.covers(kind));
            let covers = covers.unwrap_or_else(|| vec![0; open.len()]);
            let cover = |cell: usize| covers[grid.number(cell)] as u64;
            for (at, &cell) in open.iter().enumerate() {
                let own = cover(cell);
                // A key without a position must not stop the scan.
                self.covers[symbol][at] = own | 1 << at;
                for (direction, step) in WAYS.into_iter().enumerate() {
                    let next = grid.offset(cell, step);
                    let Some(next) = next.filter(|&next| own != 0 && cover(next) != 0) else {
                        continue;
                    };
                    let front = cover(next) & !own;
                    self.steps[symbol][at].fronts[direction] = front;
                    self.steps[symbol][at].targets[direction] = 1 << grid.number(next);
                    for hole in (0..CELLS).filter(|hole| front >> hole & 1 == 1) {
                        self.near[hole][symbol] |= 1 << at;
                    }
                }
            }
        }
    }

    fn fill_terms(&mut self, board: &Board) {
        let mut row = 0;
        for (symbol, &count) in self.counts.iter().enumerate() {
            let weight = board.alphabet.weights[symbol];
            let weight = if symbol < self.little {
                weight
            } else {
                weight / board.alphabet.little_total
            };
            for ordinal in 1..=u32::from(count) {
                for place in 0..CELLS {
                    // Places that no key uses may overflow; they are never read.
                    let term = binomial(place as u32, ordinal).checked_mul(weight);
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
    pub fn big_order(&self, key: u128) -> u64 {
        self.halves.split(key).0
    }
}

#[cfg(test)]
mod tests {
    use puzzle_api::{Puzzle, Symmetry, Xorshift};

    use super::*;
    use crate::metric::Metric;
    use crate::sliding_block::Bits;
    use crate::sliding_block::instances::{named, shipped};

    /// The first positions that a queue from the start meets, and then a walk far from it. There,
    /// pieces are everywhere, also at the top of the board, and some positions are solved.
    fn met(bits: &Bits) -> Vec<u128> {
        let mut keys = Vec::new();
        bits.starts(&mut |start| keys.push(start));
        let mut next = 0;
        while next < keys.len() && keys.len() < 500 {
            let mut found = Vec::new();
            bits.successors(&keys[next], &mut |key| found.push(key));
            found.retain(|key| !keys.contains(key));
            keys.extend(found);
            next += 1;
        }
        let mut random = Xorshift::for_draw(1, 0);
        for _ in 0..3000 {
            let mut all = Vec::new();
            bits.successors(&keys[keys.len() - 1], &mut |key| all.push(key));
            keys.push(all[random.below(all.len() as u64) as usize]);
        }
        keys
    }

    /// The common answer of the code for all processors, as far as it runs on this one: plain, with
    /// BMI2, sixteen at once.
    fn of_all<T: PartialEq + std::fmt::Debug>(masks: &mut Masks, ask: impl Fn(&Masks) -> T) -> T {
        #[cfg(target_arch = "x86_64")]
        let vectors = masks.vectors.take();
        masks.newer = false;
        let plain = ask(masks);
        masks.newer = crate::bits::is_newer();
        assert_eq!(plain, ask(masks));
        #[cfg(target_arch = "x86_64")]
        {
            masks.vectors = vectors;
            assert_eq!(plain, ask(masks));
        }
        plain
    }

    #[test]
    fn code_for_all_processors_says_the_same() {
        for name in shipped().map(|named| named.name) {
            let board = named(name).expect("ships");
            let mut masks = Masks::new(&board).expect("fits");
            let bits = Bits::opened(name, &[]).expect("ships");
            let (keys, mut random) = (met(&bits), Xorshift::for_draw(2, 0));
            for keys in [&keys[..], &keys[3000..3031], &keys[500..518], &keys[7..14]] {
                for turned in &bits.turned {
                    of_all(&mut masks, |masks| imaged(masks, keys, turned));
                }
                for metric in [Metric::Piece, Metric::Line, Metric::Step] {
                    let turned = &bits.turned[1..];
                    let [all, orbits] = [&[], turned].map(|turned| {
                        of_all(&mut masks, |masks| {
                            expanded(masks, keys, (metric, turned), None)
                        })
                    });
                    // Keys of the neighbours, in their order.
                    let neighbours: Vec<u128> = all.iter().map(|&(_, key, _)| key).collect();
                    let mut literal = neighbours.clone();
                    for turned in turned {
                        let images = imaged(&masks, &neighbours, turned);
                        let pairs = literal.iter_mut().zip(images);
                        pairs.for_each(|(least, image)| *least = image.min(*least));
                    }
                    let literal = all.iter().zip(literal).map(|(one, key)| (one.0, key, 0));
                    assert!(literal.eq(orbits), "{name}");
                }
                let used = keys
                    .iter()
                    .map(|_| (random.next_u64() & random.next_u64()) as u32);
                for used in [vec![0; keys.len()], used.collect::<Vec<u32>>()] {
                    let by = (Metric::Piece, &[][..]);
                    of_all(&mut masks, |masks| expanded(masks, keys, by, Some(&used)));
                }
                let solved = of_all(&mut masks, |masks| {
                    let mut all = Vec::new();
                    masks.solved(keys, &mut all);
                    all
                });
                assert_eq!(solved.len(), keys.len());
            }
            literal_images(bits, &keys);
        }
    }

    /// The code for boards that the fast path does not support.
    fn literal_images(mut bits: Bits, keys: &[u128]) {
        let (mut fast, mut sizes) = (keys.to_vec(), vec![0; keys.len()]);
        bits.canonical_all(&mut fast, Some(&mut sizes));
        let mut alone = keys.to_vec();
        bits.canonical_all(&mut alone, None);
        assert_eq!(alone, fast);
        bits.0.masks = None;
        let (mut literal, mut literal_sizes) = (keys.to_vec(), vec![0; keys.len()]);
        bits.canonical_all(&mut literal, Some(&mut literal_sizes));
        assert_eq!((literal, literal_sizes), (fast, sizes));
    }

    /// The images of all positions in their order.
    fn imaged(masks: &Masks, keys: &[u128], turned: &Turned) -> Vec<u128> {
        let mut all = Vec::new();
        masks.images(keys, turned, &mut |image| all.push(image));
        all
    }

    /// All neighbours in their order, or the least images of each; or those without the moves of
    /// used pieces, with their marks.
    fn expanded(
        masks: &Masks,
        keys: &[u128],
        by: (Metric, &[Turned]),
        used: Option<&[u32]>,
    ) -> Vec<(usize, u128, u32)> {
        let mut all = Vec::new();
        let emit = &mut |of, key, mark| all.push((of, key, used.map_or(0, |_| mark)));
        masks.expand(keys, by, used, emit);
        all
    }
}
