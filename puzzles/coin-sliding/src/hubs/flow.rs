//! The moves of coins within a block: all its boards at once. See "Split" in [`super`].

use puzzle_api::rank::{binomial, low_bits, subsets};

use crate::board::Shape;
use crate::cells;

/// Cells within a block: a block has at most C(20, 10) = 184,756 bits, which fit the cache.
pub(super) const LOW: u32 = 20;
/// Cells at which sets are looked up one by one: C(9, 4) = 126 bits fit two words.
const LEAF: u32 = 9;

/// Number of sets of some of the low cells.
#[inline]
pub(super) fn sets(cells: u32, coins: u32) -> usize {
    binomial(cells, coins) as usize
}

/// The data of a walk for a shape of boards, computed once.
pub(crate) struct Tables {
    pub(super) cells: u32,
    pub(super) coins: u32,
    pub(super) low: u32,
    /// The cells next to each cell.
    pub(super) beside: Vec<u64>,
    /// By the number of coins, all sets of low cells, ascending.
    pub(super) sets: Vec<Vec<u32>>,
    /// Whether enough coins are next to a cell: a bit per set of coins on the low cells below it.
    /// Indexed by cell, number of these coins, and number of coins needed next to it (1, 2). `None`
    /// for never.
    enough: Vec<Option<Vec<u64>>>,
    /// The cells next to the first nine.
    fringe: Vec<u32>,
    /// Tables to lift a coin and to put one: for the coins on these cells, or as if all had enough
    /// coins next to them. By the number of coins on the first nine cells and the rank of their
    /// set, they give the ranks of the resulting sets.
    changed: [Vec<Vec<u128>>; 2],
}

impl Tables {
    pub(crate) fn new(shape: &Shape) -> Self {
        Self::of(shape, LOW)
    }

    /// Tables with blocks of at most `low` cells.
    pub(super) fn of(shape: &Shape, low: u32) -> Self {
        let low = low.min(shape.cells());
        let beside = |cell| cells::beside(shape, cell).fold(0, |all, cell| all | 1 << cell);
        let beside: Vec<u64> = (0..shape.cells() as usize).map(beside).collect();
        let sets: Vec<Vec<u32>> = (0..=low)
            .map(|coins| subsets::all(low, coins).map(|set| set as u32).collect())
            .collect();
        let mut enough = Vec::new();
        for cell in 0..shape.cells() {
            for coins in 0..=low {
                let below = self::sets(low.min(cell), coins);
                let beside = beside[cell as usize] as u32 & low_bits(low.min(cell)) as u32;
                for need in 1..=2 {
                    let mut bits = vec![0_u64; below.div_ceil(64) + 1];
                    if beside.count_ones() >= need {
                        // The sets of fewer cells come first.
                        for (at, set) in sets[coins as usize][..below].iter().enumerate() {
                            let holds = (set & beside).count_ones() >= need;
                            bits[at / 64] |= u64::from(holds) << (at % 64);
                        }
                    }
                    enough.push(Some(bits).filter(|bits| bits.iter().any(|&word| word != 0)));
                }
            }
        }
        let first = low_bits(LEAF.min(low));
        let around = near(&beside, first).0 & !first;
        let fringe: Vec<u32> = (0..shape.cells())
            .filter(|cell| around >> cell & 1 == 1)
            .collect();
        let alike: Vec<Vec<u64>> = (0..=LEAF)
            .map(|coins| subsets::all(LEAF, coins).collect())
            .collect();
        let mut ranks = [0_u8; 1 << LEAF];
        for sets in &alike {
            (0..)
                .zip(sets)
                .for_each(|(rank, &set)| ranks[set as usize] = rank);
        }
        let changed = |more: u64| {
            let mut changed = Vec::new();
            for around in (0..1_u64 << fringe.len()).map(Some).chain([None]) {
                let above = around.map(|around| {
                    let coins = fringe.iter().enumerate();
                    coins.fold(0, |all, (at, cell)| all | (around >> at & 1) << cell)
                });
                let one = |&set: &u64| {
                    let enough = above.map_or(u64::MAX, |above| {
                        near(&beside, above | set & shape.mask()).1
                    });
                    let cells = (0..LEAF).filter(|cell| set >> cell & 1 != more);
                    let cells = cells.filter(|cell| enough >> cell & 1 == 1);
                    cells.fold(0, |all, cell| all | 1 << ranks[(set ^ 1 << cell) as usize])
                };
                changed.extend(alike.iter().map(|sets| sets.iter().map(one).collect()));
            }
            changed
        };
        let changed = [0, 1].map(changed);
        Self {
            cells: shape.cells(),
            coins: shape.coins,
            low,
            beside,
            sets,
            enough,
            fringe,
            changed,
        }
    }

    /// The sets of coins below a cell that let a coin move on it, given those above: `None` for no
    /// set, an empty slice for all.
    pub(super) fn enough(&self, cell: u32, coins_below: u32, above: u64) -> Option<&[u64]> {
        // Counting takes a plain processor longer than comparing with zero and one.
        let beside = self.beside[cell as usize] & above;
        let need = match beside {
            0 => 2,
            one if one & (one - 1) == 0 => 1,
            _ => return Some(&[]),
        };
        self.enough[((cell * (self.low + 1) + coins_below) * 2 + need - 1) as usize].as_deref()
    }

    /// Moves coins on the `cells` lowest cells between boards with `coins` coins there and hubs:
    /// lifts them off the boards, or puts them on the hubs. The bits of both begin at `hub` and
    /// `board`; `above` holds the coins on all cells from `cells` on. If `bound`, the cell needs
    /// two coins next to it.
    pub(super) fn flow<const LIFT: bool>(&self, bits: &mut Pair<'_>, at: At, bound: bool) {
        let At {
            cells,
            coins,
            hub,
            board,
            above,
        } = at;
        if coins == 0 || coins > cells {
            return;
        }
        let (some_hubs, some_boards) = (sets(cells, coins - 1), sets(cells, coins));
        let idle = match LIFT {
            true => {
                is_all::<0>(bits.boards, board, some_boards)
                    || is_all::<{ u64::MAX }>(bits.hubs, hub, some_hubs)
            }
            false => {
                is_all::<0>(bits.hubs, hub, some_hubs)
                    || is_all::<{ u64::MAX }>(bits.boards, board, some_boards)
            }
        };
        if idle {
            return;
        }
        if cells <= LEAF {
            match LIFT {
                true => {
                    let boards = read_both(bits.boards, board, some_boards);
                    let hubs = self.leaf::<LIFT>(boards, coins, above, bound);
                    write_both(bits.hubs, hub, hubs & ones(some_hubs));
                }
                false => {
                    let hubs = read_both(bits.hubs, hub, some_hubs);
                    let boards = self.leaf::<LIFT>(hubs, coins - 1, above, bound);
                    write_both(bits.boards, board, boards & ones(some_boards));
                }
            }
            return;
        }
        let top = cells - 1;
        let (hub_with, board_with) = (hub + sets(top, coins - 1), board + sets(top, coins));
        let moved = sets(top, coins - 1);
        let mask = if bound {
            self.enough(top, coins - 1, above)
        } else {
            Some(&[][..])
        };
        if let Some(mask) = mask {
            match LIFT {
                true => copy(bits.hubs, hub, bits.boards, board_with, moved, mask),
                false => copy(bits.boards, board_with, bits.hubs, hub, moved, mask),
            }
        }
        let without = At { cells: top, ..at };
        self.flow::<LIFT>(bits, without, bound);
        let with = At {
            cells: top,
            coins: coins - 1,
            hub: hub_with,
            board: board_with,
            above: above | 1 << top,
        };
        self.flow::<LIFT>(bits, with, bound);
    }

    /// The same on up to nine cells, set by set.
    fn leaf<const LIFT: bool>(&self, sets: u128, coins: u32, above: u64, bound: bool) -> u128 {
        let around = match bound {
            true => {
                let cells = self.fringe.iter().enumerate();
                cells.fold(0, |all, (at, cell)| all | (above >> cell & 1) << at) as usize
            }
            false => 1 << self.fringe.len(),
        };
        let changed = &self.changed[usize::from(!LIFT)];
        let changed = &changed[around * (LEAF as usize + 1) + coins as usize];
        let mut found = 0;
        for (from, mut left) in [(0, sets as u64), (64, (sets >> 64) as u64)] {
            while left != 0 {
                found |= changed[from + left.trailing_zeros() as usize];
                left &= left - 1;
            }
        }
        found
    }
}

/// The cells next to at least one of some coins, and to at least two.
pub(super) fn near(beside: &[u64], mut coins: u64) -> (u64, u64) {
    let (mut one, mut two) = (0, 0);
    while coins != 0 {
        let cells = beside[coins.trailing_zeros() as usize];
        two |= one & cells;
        one |= cells;
        coins &= coins - 1;
    }
    (one, two)
}

/// The bits of a block of hubs and of a block of boards, each with a spare word at the end.
pub(super) struct Pair<'a> {
    pub(super) hubs: &'a mut [u64],
    pub(super) boards: &'a mut [u64],
}

/// Stretches of bits, as described at [`Tables::flow`].
#[derive(Clone, Copy)]
pub(super) struct At {
    pub(super) cells: u32,
    pub(super) coins: u32,
    pub(super) hub: usize,
    pub(super) board: usize,
    pub(super) above: u64,
}

/// 1 to 64 bits from a place on.
fn read(bits: &[u64], at: usize, count: usize) -> u64 {
    let (word, shift) = (at / 64, at % 64);
    let both = bits[word] >> shift | bits[word + 1] << 1 << (63 - shift);
    both & u64::MAX >> (64 - count)
}

/// Sets the bits that are set in a word, from a place on.
fn write(bits: &mut [u64], at: usize, set: u64) {
    let (word, shift) = (at / 64, at % 64);
    bits[word] |= set << shift;
    bits[word + 1] |= set >> 1 >> (63 - shift);
}

/// 1 to 128 ones: no set of fewer than nine cells has a greater rank.
fn ones(count: usize) -> u128 {
    u128::MAX >> (128 - count)
}

/// 1 to 128 bits from a place on.
fn read_both(bits: &[u64], at: usize, count: usize) -> u128 {
    let low = u128::from(read(bits, at, count.min(64)));
    match count {
        ..=64 => low,
        _ => low | u128::from(read(bits, at + 64, count - 64)) << 64,
    }
}

/// Sets the bits that are set in two words.
fn write_both(bits: &mut [u64], at: usize, set: u128) {
    write(bits, at, set as u64);
    match (set >> 64) as u64 {
        0 => {}
        high => write(bits, at + 64, high),
    }
}

/// Whether a stretch of bits is all zeros, or all ones: whether all its words are `WORD`.
fn is_all<const WORD: u64>(bits: &[u64], at: usize, count: usize) -> bool {
    let (first, last) = (at / 64, (at + count - 1) / 64);
    let head = u64::MAX << (at % 64);
    let tail = u64::MAX >> (63 - (at + count - 1) % 64);
    if first == last {
        return (bits[first] ^ WORD) & head & tail == 0;
    }
    let inner = || bits[first + 1..last].iter().all(|&word| word == WORD);
    (bits[first] ^ WORD) & head == 0 && (bits[last] ^ WORD) & tail == 0 && inner()
}

/// Sets a stretch of bits where another one and a mask are set; an empty mask means all ones.
fn copy(into: &mut [u64], to: usize, bits: &[u64], from: usize, count: usize, mask: &[u64]) {
    let masked = |at: usize, some: usize| match mask {
        [] => u64::MAX,
        mask => read(mask, at, some),
    };
    // Up to a word boundary of the target, then whole words, then the rest.
    let head = (64 - to % 64).min(count);
    write(into, to, read(bits, from, head) & masked(0, head));
    let words = (count - head) / 64;
    let into_words = &mut into[(to + head) / 64..][..words];
    let pairs = stretch(bits, from + head, words);
    match mask {
        [] => into_words
            .iter_mut()
            .zip(pairs)
            .for_each(|(into, word)| *into |= word),
        mask => {
            let pairs = pairs.zip(stretch(mask, head, words));
            into_words
                .iter_mut()
                .zip(pairs)
                .for_each(|(into, (word, mask))| *into |= word & mask);
        }
    }
    let (done, left) = (head + 64 * words, (count - head) % 64);
    if left > 0 {
        write(
            into,
            to + done,
            read(bits, from + done, left) & masked(done, left),
        );
    }
}

/// Words of 64 bits, from a place on.
fn stretch(bits: &[u64], at: usize, words: usize) -> impl Iterator<Item = u64> {
    let (first, shift) = (at / 64, at % 64);
    let (low, high) = (
        &bits[first..][..words],
        &bits[first + usize::from(words > 0)..][..words],
    );
    low.iter()
        .zip(high)
        .map(move |(low, high)| low >> shift | high << 1 << (63 - shift))
}
