//! Sixteen positions side by side, for processors with AVX-512: the same answers as the code
//! for one position at a time, which is their twin. What a position needs cell by cell or
//! piece by piece is a step for eight of them at once; only bits that move between the places
//! of a string and the cells of the board go one by one.
//!
//! A piece covers the same pattern wherever it stands, moved along by as many bits, so that
//! a table by symbol, which fits two vectors, takes the place of one by symbol and cell.
#![allow(unsafe_code)]

use std::arch::x86_64::{
    __m512i, _mm512_add_epi64, _mm512_and_si512, _mm512_andnot_si512, _mm512_cmpeq_epi64_mask,
    _mm512_cmpge_epu64_mask, _mm512_loadu_si512, _mm512_mask_blend_epi64, _mm512_mask_or_epi64,
    _mm512_mask_xor_epi64, _mm512_maskz_compress_epi64, _mm512_maskz_mov_epi64, _mm512_max_epu64,
    _mm512_min_epu64, _mm512_or_si512, _mm512_permutex2var_epi64, _mm512_popcnt_epi64,
    _mm512_rorv_epi64, _mm512_set1_epi64, _mm512_setzero_si512, _mm512_slli_epi64,
    _mm512_sllv_epi64, _mm512_srli_epi64, _mm512_srlv_epi64, _mm512_storeu_si512, _mm512_sub_epi64,
    _mm512_test_epi64_mask, _mm512_testn_epi64_mask, _mm512_xor_si512, _pdep_u64,
};

use super::digits::{Halves, Reciprocal, Subsets};
use super::{CELLS, Masks, SYMBOLS};
use crate::board::Board;
use crate::grid::{DIRECTIONS, Grid, Shape};
use crate::metric::Metric;

/// Words of a vector.
const WIDE: usize = 8;
/// Positions side by side: two vectors, which a permutation takes as one table.
const SIDE_BY_SIDE: usize = 2 * WIDE;
/// Most places of a string, and most of its big pieces: symbols of half a byte in two words,
/// in one.
const PLACES: usize = 32;
const BIG: usize = 16;
/// The lowest bit of each half byte.
const ONES: u64 = u64::MAX / 15;

/// One word for each position.
type Side = [u64; SIDE_BY_SIDE];

/// What the code for sixteen positions looks up.
///
/// Cells are numbered so that a step in one direction is the same number of bits everywhere,
/// but to and from the first cell: walls are left out where only the first row has any, as on
/// boards whose goal sticks out at the top, and have bits of their own elsewhere.
#[derive(Debug, Clone)]
pub struct Vectors {
    /// All open cells.
    all: u64,
    /// Bits of a step down.
    width: u32,
    /// Cells from which a step to the left, or to the right, leads to the bit beside.
    not_first: u64,
    not_last: u64,
    /// By symbol: the cells that a piece covers, its first cell being bit 0 of the pattern.
    shapes: Table,
    /// By symbol: first cells, but for cell 0, from which a piece stands on open cells.
    fits: Table,
    /// For each further cell of a piece, by symbol: how far behind the first it lies; 0 where
    /// a piece has no such cell.
    further: Vec<Table>,
    /// By symbol from 1: how far from the first cell those lie that one step needs free, by
    /// direction; backwards as 64 less.
    fronts: Vec<[Vec<u64>; 4]>,
    /// By symbol: the cells that a piece covers from cell 0; all cells where it cannot stand.
    top: Table,
    /// By symbol: first cells that are one step from cell 0.
    beside_top: Table,
    /// For each piece and hole of the low half, by place: what it adds to that half.
    terms: Vec<Row>,
    /// The same for the big pieces and the high half.
    big_terms: Vec<Row>,
    /// Goals as symbol and cell.
    goals: Vec<(u8, u32)>,
}

/// One word for each symbol.
type Table = [u64; SYMBOLS];

/// One word for each place, in whole cache lines.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
struct Row([u64; PLACES]);

/// The grid cell of each bit, where steps are regular but for the first cell.
fn numbering(grid: &Grid) -> Option<Vec<usize>> {
    if grid.len() <= CELLS {
        return Some((0..grid.len()).collect());
    }
    let open: Vec<usize> = grid.open_cells().collect();
    let behind = open.get(1..)?;
    let regular = behind.windows(2).all(|pair| pair[0] + 1 == pair[1]);
    let at_margin = behind.first().is_some_and(|cell| cell % grid.width == 0);
    (regular && at_margin && open.len() <= CELLS).then_some(open)
}

impl Vectors {
    /// The tables of a board, whose `terms` are those of [`Masks`]; `None` for one that is too
    /// large, or on a processor without the instructions.
    #[must_use]
    pub fn new(board: &Board, little: usize, terms: &[[u64; CELLS]]) -> Option<Self> {
        let grid = &board.grid;
        let counts = board.alphabet.counts();
        let of_little: u8 = counts[..little].iter().sum();
        let big = board.alphabet.length() - usize::from(of_little);
        if board.alphabet.length() > PLACES || big > BIG || !is_available() {
            return None;
        }
        let cells = numbering(grid)?;
        let set = |wanted: &dyn Fn(usize) -> bool| {
            let bits = (0..).zip(&cells).filter(|&(_, &cell)| wanted(cell));
            bits.fold(0, |all, (bit, _)| all | 1_u64 << bit)
        };
        let mut rows = terms.iter().take(board.alphabet.length());
        let rows = rows
            .by_ref()
            .map(|row| Row(std::array::from_fn(|at| row[at])));
        let mut terms: Vec<Row> = rows.collect();
        let big_terms = terms.split_off(of_little.into());
        let mut vectors = Self {
            all: set(&|cell| !grid.is_wall(cell)),
            width: grid.width as u32,
            not_first: set(&|cell| cell % grid.width != 0) & !1,
            not_last: set(&|cell| (cell + 1) % grid.width != 0) & !1,
            shapes: [1; SYMBOLS],
            fits: [0; SYMBOLS],
            further: Vec::new(),
            fronts: Vec::new(),
            top: [u64::MAX; SYMBOLS],
            beside_top: [0; SYMBOLS],
            terms,
            big_terms,
            goals: Vec::new(),
        };
        vectors.top[0] = 1;
        for (symbol, kind) in (1..).zip(&board.kinds) {
            let stands = |cell: usize| kind.shape.cells(grid, cell).is_some();
            vectors.fits[symbol] = set(&stands) & !1;
            if let Some(covered) = kind.shape.cells(grid, cells[0]) {
                vectors.top[symbol] = set(&|cell| covered.contains(&cell));
                let beside = DIRECTIONS.map(|(step, _)| grid.offset(cells[0], step));
                vectors.beside_top[symbol] =
                    set(&|cell| stands(cell) && beside.contains(&Some(cell)));
            }
            vectors.add_shape(symbol, &kind.shape);
            let goal = kind.goal.and_then(|goal| cells.binary_search(&goal).ok());
            let goal = goal.map(|goal| (symbol as u8, goal as u32));
            vectors.goals.extend(goal);
        }
        Some(vectors)
    }

    fn add_shape(&mut self, symbol: usize, shape: &Shape) {
        let width = i64::from(self.width);
        let bits = |&(down, right): &(i32, i32)| i64::from(down) * width + i64::from(right);
        let behind: Vec<i64> = shape.offsets().iter().map(bits).collect();
        for (at, &cell) in behind.iter().skip(1).enumerate() {
            if self.further.len() <= at {
                self.further.push([0; SYMBOLS]);
            }
            self.further[at][symbol] = cell as u64;
            self.shapes[symbol] |= 1_u64.checked_shl(cell as u32).unwrap_or(0);
        }
        self.fronts.push(DIRECTIONS.map(|(step, _)| {
            let ahead = behind.iter().map(|cell| cell + bits(&step));
            let front = ahead.filter(|cell| !behind.contains(cell));
            front.map(|cell| cell.rem_euclid(64) as u64).collect()
        }));
    }

    /// Whether a way of counting moves is one of those that are flooded here.
    #[must_use]
    pub fn takes(metric: Metric) -> bool {
        matches!(metric, Metric::Piece | Metric::Step)
    }
}

/// Whether the processor has what this code is compiled with.
fn is_available() -> bool {
    super::machine::is_newer()
        && is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512vpopcntdq")
}

/// Positions taken apart, in whole cache lines.
#[repr(C, align(64))]
struct Group {
    /// By symbol: first cells of its pieces; at 0 the holes.
    of: [Side; SYMBOLS],
    /// First cells of pieces, and holes.
    scanned: Side,
    /// The symbols of the string, half a byte each: the first sixteen, and the others.
    string: [Side; 2],
    /// The high half of the key.
    big: Side,
    /// First cells of pieces that can take a step.
    movable: Side,
}

impl Group {
    const EMPTY: Self = Self {
        of: [[0; SIDE_BY_SIDE]; SYMBOLS],
        scanned: [0; SIDE_BY_SIDE],
        string: [[0; SIDE_BY_SIDE]; 2],
        big: [0; SIDE_BY_SIDE],
        movable: [0; SIDE_BY_SIDE],
    };
}

/// An order of the big pieces; sorted keys hardly change it.
struct Order {
    rank: u64,
    /// By symbol: its places among the big pieces.
    of: [u64; SYMBOLS],
    /// Their symbols, half a byte each.
    string: u64,
}

/// Pieces that can move, of a group: those of a position in the order of their first cells,
/// though not one behind the other.
struct Movers {
    count: usize,
    lane: List,
    cell: List,
    symbol: List,
    /// The first cells that each can reach.
    targets: List,
    /// Where its first neighbour stands among those of the group.
    start: List,
}

/// A word for each piece that can move, with room for a vector behind the last.
type List = [u64; SIDE_BY_SIDE * PLACES + WIDE];
const NO_LIST: List = [0; SIDE_BY_SIDE * PLACES + WIDE];

/// Neighbours of a group: which piece goes where.
#[derive(Default)]
struct Neighbours {
    count: usize,
    lane: Vec<u64>,
    cell: Vec<u64>,
    symbol: Vec<u64>,
    target: Vec<u64>,
    /// Where it stands among the keys.
    slot: Vec<u64>,
    /// The halves of its key.
    little: Vec<u64>,
    big: Vec<u64>,
    /// By slot: the key, and the position that it comes from.
    keys: Vec<(u128, u8)>,
    /// Those whose big pieces are in another order afterwards.
    reordered: Reordered,
}

/// Neighbours whose big pieces are in another order afterwards.
#[derive(Default)]
struct Reordered {
    count: usize,
    /// Which they are.
    which: Vec<u64>,
    lane: Vec<u64>,
    symbol: Vec<u64>,
    /// The first cells that change.
    exchanged: Vec<u64>,
    /// First cells of all big pieces.
    bigs: Vec<u64>,
}

/// Room that is used from group to group.
struct Room {
    group: Group,
    order: Order,
    movers: Movers,
    neighbours: Neighbours,
}

/// What the steps read of [`Masks`].
struct Digits<'a> {
    counts: &'a [u8],
    little: usize,
    radices: &'a [Reciprocal],
    halves: Halves,
    subsets: &'a Subsets,
    places: u64,
    length: usize,
    little_counts: usize,
}

impl Masks {
    /// As [`Masks::expand`], by sixteen; gives how many keys were taken, which are all but the
    /// last few, and how many of them are solved.
    ///
    /// # Safety
    /// The processor has the instructions: there are [`Vectors`] only where it has.
    #[target_feature(enable = "avx512f,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) unsafe fn expand_vectors(
        &self,
        vectors: &Vectors,
        keys: &[u128],
        metric: Metric,
        emit: &mut impl FnMut(usize, u128),
    ) -> (usize, u64) {
        let digits = Digits {
            counts: &self.counts,
            little: self.little,
            radices: &self.radices,
            halves: self.halves,
            subsets: &self.subsets,
            places: self.places,
            length: self.length,
            little_counts: self.little_counts,
        };
        let mut room = Room {
            group: Group::EMPTY,
            order: Order {
                rank: u64::MAX,
                of: [0; SYMBOLS],
                string: 0,
            },
            movers: Movers {
                count: 0,
                lane: NO_LIST,
                cell: NO_LIST,
                symbol: NO_LIST,
                targets: NO_LIST,
                start: NO_LIST,
            },
            neighbours: Neighbours::default(),
        };
        let (groups, _) = keys.as_chunks::<SIDE_BY_SIDE>();
        let mut solved = 0;
        for (group, first) in groups.iter().zip((0..).step_by(SIDE_BY_SIDE)) {
            vectors.take_apart(&digits, group, &mut room);
            solved += vectors.solved(&room.group);
            vectors.find_movers(digits.counts.len(), &mut room.group);
            room.movers.list(&room.group);
            vectors.flood(&room.group, metric, &mut room.movers);
            room.neighbours.list(&mut room.movers);
            vectors.put_together(&digits, &room.group, &mut room.neighbours);
            for &(key, lane) in &room.neighbours.keys[..room.neighbours.count] {
                emit(first + usize::from(lane), key);
            }
        }
        (groups.len() * SIDE_BY_SIDE, solved)
    }
}

impl Movers {
    /// Lists what can move: the first of each position, then the second, and so on.
    #[inline]
    #[target_feature(enable = "avx512f,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn list(&mut self, group: &Group) {
        let (movable, scanned) = (table(&group.movable), table(&group.scanned));
        let strings = [table(&group.string[0]), table(&group.string[1])];
        let (one, half_byte) = (_mm512_set1_epi64(1), _mm512_set1_epi64(15));
        let mut count = 0;
        for half in 0..2 {
            let lanes = numbers(half * WIDE);
            let mut movable = movable[half];
            loop {
                let some = _mm512_test_epi64_mask(movable, movable);
                if some == 0 {
                    break;
                }
                let less = _mm512_sub_epi64(movable, one);
                let before = _mm512_andnot_si512(movable, less);
                movable = _mm512_and_si512(movable, less);
                let place = _mm512_popcnt_epi64(_mm512_and_si512(before, scanned[half]));
                let late = _mm512_test_epi64_mask(place, _mm512_set1_epi64(16));
                let string = _mm512_mask_blend_epi64(late, strings[0][half], strings[1][half]);
                let shift = _mm512_slli_epi64::<2>(_mm512_and_si512(place, half_byte));
                let symbol = _mm512_and_si512(_mm512_srlv_epi64(string, shift), half_byte);
                append(&mut self.lane, count, some, lanes);
                append(&mut self.cell, count, some, _mm512_popcnt_epi64(before));
                append(&mut self.symbol, count, some, symbol);
                count += some.count_ones() as usize;
            }
        }
        self.count = count;
    }
}

impl Neighbours {
    /// Lists where pieces go: the first target of each, then the second, and so on; their
    /// slots are in the order of positions, pieces and targets.
    #[inline]
    #[target_feature(enable = "avx512f,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn list(&mut self, movers: &mut Movers) {
        let mut next = [0; SIDE_BY_SIDE];
        for (&lane, targets) in movers.lane[..movers.count].iter().zip(&movers.targets) {
            next[lane as usize % SIDE_BY_SIDE] += u64::from(targets.count_ones());
        }
        let mut all = 0;
        for count in &mut next {
            all += std::mem::replace(count, all);
        }
        let moved = movers.lane[..movers.count].iter().zip(&movers.targets);
        for ((&lane, targets), start) in moved.zip(&mut movers.start) {
            *start = next[lane as usize % SIDE_BY_SIDE];
            next[lane as usize % SIDE_BY_SIDE] += u64::from(targets.count_ones());
        }
        self.count = all as usize;
        self.make_room();
        let (mut count, one) = (0, _mm512_set1_epi64(1));
        for at in (0..movers.count).step_by(WIDE) {
            let (lane, cell) = (load(&movers.lane, at), load(&movers.cell, at));
            let (symbol, mut slot) = (load(&movers.symbol, at), load(&movers.start, at));
            let mut targets = load(&movers.targets, at);
            if movers.count - at < WIDE {
                let there = u8::MAX >> (WIDE - (movers.count - at));
                targets = _mm512_maskz_mov_epi64(there, targets);
            }
            loop {
                let some = _mm512_test_epi64_mask(targets, targets);
                if some == 0 {
                    break;
                }
                let less = _mm512_sub_epi64(targets, one);
                let target = _mm512_andnot_si512(less, targets);
                targets = _mm512_and_si512(targets, less);
                append(&mut self.lane, count, some, lane);
                append(&mut self.cell, count, some, cell);
                append(&mut self.symbol, count, some, symbol);
                append(&mut self.target, count, some, target);
                append(&mut self.slot, count, some, slot);
                slot = _mm512_add_epi64(slot, one);
                count += some.count_ones() as usize;
            }
        }
    }

    /// Makes the lists long enough.
    fn make_room(&mut self) {
        let needed = self.count + 2 * WIDE;
        if self.keys.len() < needed {
            let reordered = &mut self.reordered;
            for list in [
                &mut self.lane,
                &mut self.cell,
                &mut self.symbol,
                &mut self.target,
                &mut self.slot,
                &mut self.little,
                &mut self.big,
                &mut reordered.which,
                &mut reordered.lane,
                &mut reordered.symbol,
                &mut reordered.exchanged,
                &mut reordered.bigs,
            ] {
                list.resize(2 * needed, 0);
            }
            self.keys.resize(2 * needed, (0, 0));
        }
    }
}

impl Vectors {
    /// Takes keys apart into first cells by symbol.
    #[inline]
    #[target_feature(enable = "avx512f,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn take_apart(&self, digits: &Digits<'_>, keys: &[u128; SIDE_BY_SIDE], room: &mut Room) {
        let group = &mut room.group;
        let symbols = digits.counts.len();
        let mut left_of = [0; SIDE_BY_SIDE];
        for (lane, &key) in keys.iter().enumerate() {
            let (big, mut rest) = digits.halves.split(key);
            let (mut left, mut low, mut high) = (digits.places, 0, 0);
            for symbol in 0..digits.little {
                let (quotient, digit) = digits.radices[symbol].divide(rest);
                rest = quotient;
                let subset = digits.subsets.of(digits.counts[symbol], digit);
                let places = _pdep_u64(subset, left);
                left &= !places;
                group.of[symbol % SYMBOLS][lane] = places;
                low |= _pdep_u64(places, ONES) * symbol as u64;
                high |= _pdep_u64(places >> 16, ONES) * symbol as u64;
            }
            if big != room.order.rank {
                room.order = order(digits, big);
            }
            for symbol in digits.little..symbols {
                group.of[symbol % SYMBOLS][lane] = room.order.of[symbol % SYMBOLS];
            }
            let first = (left & 0xffff).count_ones();
            let behind = (room.order.string >> (2 * first)) >> (2 * first);
            low |= _pdep_u64(room.order.string, _pdep_u64(left, ONES) * 15);
            high |= _pdep_u64(behind, _pdep_u64(left >> 16, ONES) * 15);
            (group.string[0][lane], group.string[1][lane]) = (low, high);
            group.big[lane] = big;
            left_of[lane] = left;
        }
        self.scan(digits.length, group);
        for (lane, left) in left_of.into_iter().enumerate() {
            let scanned = group.scanned[lane];
            let bigs = _pdep_u64(left, scanned);
            for symbol in 0..symbols {
                let among = if symbol < digits.little {
                    scanned
                } else {
                    bigs
                };
                let places = &mut group.of[symbol % SYMBOLS][lane];
                *places = _pdep_u64(*places, among);
            }
        }
    }

    /// Finds the first cells of pieces and holes: each symbol takes the first free cell, and
    /// those that its piece covers.
    #[inline]
    #[target_feature(enable = "avx512f,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn scan(&self, length: usize, group: &mut Group) {
        let (shapes, top, all) = (table(&self.shapes), table(&self.top), self.all as i64);
        let is_open = all & 1 == 1;
        let mut scanned = [_mm512_set1_epi64(i64::from(is_open)); 2];
        let mut free = [_mm512_set1_epi64(all); 2];
        let (mut low, high) = (table(&group.string[0]), table(&group.string[1]));
        if is_open {
            for half in 0..2 {
                // A key that no position has must not stop the scan.
                let cover = _mm512_or_si512(of(top, low[half]), _mm512_set1_epi64(1));
                free[half] = _mm512_andnot_si512(cover, free[half]);
                low[half] = _mm512_srli_epi64::<4>(low[half]);
            }
        }
        let early = length.min(16) - usize::from(is_open);
        for (mut string, places) in [(low, early), (high, length.max(16) - 16)] {
            for _ in 0..places {
                for half in 0..2 {
                    let less = _mm512_sub_epi64(free[half], _mm512_set1_epi64(1));
                    let cell = _mm512_popcnt_epi64(_mm512_andnot_si512(free[half], less));
                    let first = _mm512_andnot_si512(less, free[half]);
                    scanned[half] = _mm512_or_si512(scanned[half], first);
                    let cover = _mm512_sllv_epi64(of(shapes, string[half]), cell);
                    free[half] = _mm512_andnot_si512(cover, free[half]);
                    string[half] = _mm512_srli_epi64::<4>(string[half]);
                }
            }
        }
        store(&mut group.scanned, scanned);
    }

    /// How many positions have every piece with a goal there.
    #[inline(always)]
    fn solved(&self, group: &Group) -> u64 {
        let solved = |lane: &usize| {
            let mut goals = self.goals.iter();
            goals.all(|&(symbol, cell)| {
                group.of[usize::from(symbol) % SYMBOLS][*lane] >> cell & 1 == 1
            })
        };
        (0..SIDE_BY_SIDE).filter(solved).count() as u64
    }

    /// Finds the pieces that can take a step; at the edge of the board some that cannot.
    #[inline]
    #[target_feature(enable = "avx512f,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn find_movers(&self, symbols: usize, group: &mut Group) {
        let (free, top) = (table(&group.of[0]), _mm512_set1_epi64(1));
        let mut movable = [_mm512_setzero_si512(); 2];
        for symbol in 1..symbols.min(SYMBOLS) {
            let pieces = table(&group.of[symbol]);
            let beside_top = _mm512_set1_epi64(self.beside_top[symbol] as i64);
            for half in 0..2 {
                let is_free = _mm512_test_epi64_mask(free[half], top);
                let reaching = _mm512_mask_or_epi64(top, is_free, top, beside_top);
                let mut steps = _mm512_and_si512(pieces[half], reaching);
                for front in &self.fronts[symbol - 1] {
                    let mut open = pieces[half];
                    for &ahead in front {
                        let ahead = _mm512_set1_epi64(ahead as i64);
                        open = _mm512_and_si512(open, _mm512_rorv_epi64(free[half], ahead));
                    }
                    steps = _mm512_or_si512(steps, open);
                }
                movable[half] = _mm512_or_si512(movable[half], steps);
            }
        }
        store(&mut group.movable, movable);
    }

    /// Finds the first cells that each piece can reach.
    #[inline]
    #[target_feature(enable = "avx512f,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn flood(&self, group: &Group, metric: Metric, movers: &mut Movers) {
        let (shapes, fits, holes) = (table(&self.shapes), table(&self.fits), table(&group.of[0]));
        let (tops, beside_tops) = (table(&self.top), table(&self.beside_top));
        let not_first = _mm512_set1_epi64(self.not_first as i64);
        let not_last = _mm512_set1_epi64(self.not_last as i64);
        let (row, one) = (_mm512_set1_epi64(self.width.into()), _mm512_set1_epi64(1));
        for at in (0..movers.count).step_by(WIDE) {
            let (lane, cell) = (load(&movers.lane, at), load(&movers.cell, at));
            let symbol = load(&movers.symbol, at);
            let (top, beside_top) = (of(tops, symbol), of(beside_tops, symbol));
            let shifted = _mm512_sllv_epi64(of(shapes, symbol), cell);
            let at_top = _mm512_testn_epi64_mask(cell, cell);
            let own = _mm512_mask_blend_epi64(at_top, shifted, top);
            let free = _mm512_or_si512(of(holes, lane), own);
            let mut open = _mm512_and_si512(of(fits, symbol), free);
            for further in &self.further {
                let further = of(table(further), symbol);
                open = _mm512_and_si512(open, _mm512_rorv_epi64(free, further));
            }
            let covered = _mm512_andnot_si512(free, top);
            let top_open = _mm512_testn_epi64_mask(covered, covered);
            open = _mm512_mask_or_epi64(open, top_open, open, one);
            let start = _mm512_sllv_epi64(_mm512_set1_epi64(1), cell);
            let mut reached = start;
            loop {
                let left = _mm512_srli_epi64::<1>(_mm512_and_si512(reached, not_first));
                let right = _mm512_slli_epi64::<1>(_mm512_and_si512(reached, not_last));
                let below = _mm512_andnot_si512(one, reached);
                let up = _mm512_andnot_si512(one, _mm512_srlv_epi64(below, row));
                let down = _mm512_sllv_epi64(below, row);
                let sides = _mm512_andnot_si512(one, _mm512_or_si512(left, right));
                let beside = _mm512_or_si512(sides, _mm512_or_si512(up, down));
                let from_top = _mm512_test_epi64_mask(reached, one);
                let beside = _mm512_mask_or_epi64(beside, from_top, beside, beside_top);
                let to_top = _mm512_test_epi64_mask(reached, beside_top);
                let beside = _mm512_mask_or_epi64(beside, to_top, beside, one);
                let more = _mm512_or_si512(reached, _mm512_and_si512(beside, open));
                let still = _mm512_cmpeq_epi64_mask(more, reached);
                reached = more;
                if still == u8::MAX || metric == Metric::Step {
                    break;
                }
            }
            let targets = _mm512_andnot_si512(start, reached);
            write(&mut movers.targets, at, targets);
        }
    }

    /// Puts the keys of neighbours together.
    #[inline]
    #[target_feature(enable = "avx512f,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn put_together(&self, digits: &Digits<'_>, group: &Group, neighbours: &mut Neighbours) {
        self.little_halves(digits, group, neighbours);
        self.big_halves(digits, group, neighbours);
        let count = neighbours.count;
        let halves = neighbours.big[..count].iter().zip(&neighbours.little);
        let places = neighbours.lane.iter().zip(&neighbours.slot);
        for ((&big, &little), (&lane, &slot)) in halves.zip(places) {
            neighbours.keys[slot as usize] = (digits.halves.join(big, little), lane as u8);
        }
    }

    /// The low halves of keys, and whose high half changes.
    #[inline]
    #[target_feature(enable = "avx512f,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn little_halves(&self, digits: &Digits<'_>, group: &Group, neighbours: &mut Neighbours) {
        let (shapes, tops, holes) = (table(&self.shapes), table(&self.top), table(&group.of[0]));
        let (scanned, bigs) = (table(&group.scanned), table(&group.big));
        let (one, first_big) = (
            _mm512_set1_epi64(1),
            _mm512_set1_epi64(digits.little as i64),
        );
        let reordered = &mut neighbours.reordered;
        reordered.count = 0;
        for at in (0..neighbours.count).step_by(WIDE) {
            let (lane, from) = (load(&neighbours.lane, at), load(&neighbours.cell, at));
            let (symbol, target) = (load(&neighbours.symbol, at), load(&neighbours.target, at));
            let (shape, top) = (of(shapes, symbol), of(tops, symbol));
            let to = _mm512_popcnt_epi64(_mm512_sub_epi64(target, one));
            let cover = |cell| {
                let shifted = _mm512_sllv_epi64(shape, cell);
                _mm512_mask_blend_epi64(_mm512_testn_epi64_mask(cell, cell), shifted, top)
            };
            let (before, start) = (of(holes, lane), _mm512_sllv_epi64(one, from));
            let pieces = _mm512_xor_si512(of(scanned, lane), before);
            let exchanged = _mm512_or_si512(start, target);
            let after = _mm512_andnot_si512(cover(to), _mm512_or_si512(before, cover(from)));
            let mut left = _mm512_or_si512(_mm512_xor_si512(pieces, exchanged), after);
            let mut sum = digit(&mut self.terms.iter(), digits.counts[0], after, left);
            left = _mm512_xor_si512(left, after);
            let mut rows = self.terms[digits.counts[0].into()..].iter();
            for other in 1..digits.little {
                let own = after_move(group, other, (symbol, lane, exchanged));
                let more = digit(&mut rows, digits.counts[other], own, left);
                (sum, left) = (_mm512_add_epi64(sum, more), _mm512_xor_si512(left, own));
            }
            write(&mut neighbours.little, at, sum);
            write(&mut neighbours.big, at, of(bigs, lane));
            // Only big pieces between the two cells can change the order.
            let (low, high) = (
                _mm512_min_epu64(start, target),
                _mm512_max_epu64(start, target),
            );
            let behind_low = _mm512_sub_epi64(_mm512_add_epi64(low, low), one);
            let between = _mm512_andnot_si512(behind_low, _mm512_sub_epi64(high, one));
            let passing = _mm512_test_epi64_mask(left, between);
            let mut wanted = passing & _mm512_cmpge_epu64_mask(symbol, first_big);
            if neighbours.count - at < WIDE {
                wanted &= u8::MAX >> (WIDE - (neighbours.count - at));
            }
            let count = reordered.count;
            append(&mut reordered.which, count, wanted, numbers(at));
            append(&mut reordered.lane, count, wanted, lane);
            append(&mut reordered.symbol, count, wanted, symbol);
            append(&mut reordered.exchanged, count, wanted, exchanged);
            append(&mut reordered.bigs, count, wanted, left);
            reordered.count += wanted.count_ones() as usize;
        }
    }

    /// The high halves of keys that change.
    #[inline]
    #[target_feature(enable = "avx512f,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn big_halves(&self, digits: &Digits<'_>, group: &Group, neighbours: &mut Neighbours) {
        let reordered = &neighbours.reordered;
        for at in (0..reordered.count).step_by(WIDE) {
            let (lane, symbol) = (load(&reordered.lane, at), load(&reordered.symbol, at));
            let exchanged = load(&reordered.exchanged, at);
            let (mut sum, mut left) = (_mm512_setzero_si512(), load(&reordered.bigs, at));
            let mut rows = self.big_terms.iter();
            for other in digits.little..digits.counts.len() {
                let own = after_move(group, other, (symbol, lane, exchanged));
                let more = digit(&mut rows, digits.counts[other], own, left);
                (sum, left) = (_mm512_add_epi64(sum, more), _mm512_xor_si512(left, own));
            }
            let mut bigs = [0; WIDE];
            write(&mut bigs, 0, sum);
            for (&which, big) in reordered.which[at..reordered.count].iter().zip(bigs) {
                neighbours.big[which as usize] = big;
            }
        }
    }
}

/// First cells of pieces of a symbol after a move, given by the symbol that moves, its
/// position, and the cells that change.
#[inline]
#[target_feature(enable = "avx512f,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt")]
fn after_move(group: &Group, symbol: usize, moved: (__m512i, __m512i, __m512i)) -> __m512i {
    let (moving, lane, exchanged) = moved;
    let is_it = _mm512_cmpeq_epi64_mask(moving, _mm512_set1_epi64(symbol as i64));
    let stood = of(table(&group.of[symbol % SYMBOLS]), lane);
    _mm512_mask_xor_epi64(stood, is_it, stood, exchanged)
}

/// What a symbol adds to its half of the key, where `among` are the first cells of it and of
/// those above.
#[inline]
#[target_feature(enable = "avx512f,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt")]
fn digit(
    rows: &mut std::slice::Iter<'_, Row>,
    count: u8,
    mut own: __m512i,
    among: __m512i,
) -> __m512i {
    let mut sum = _mm512_setzero_si512();
    for Row(terms) in rows.by_ref().take(count.into()) {
        let less = _mm512_sub_epi64(own, _mm512_set1_epi64(1));
        let ahead = _mm512_and_si512(_mm512_andnot_si512(own, less), among);
        let place = _mm512_popcnt_epi64(ahead);
        own = _mm512_and_si512(own, less);
        let early = of([load(terms, 0), load(terms, WIDE)], place);
        let late = of([load(terms, 2 * WIDE), load(terms, 3 * WIDE)], place);
        let is_late = _mm512_test_epi64_mask(place, _mm512_set1_epi64(16));
        sum = _mm512_add_epi64(sum, _mm512_mask_blend_epi64(is_late, early, late));
    }
    sum
}

/// The order of the big pieces from its rank.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt")]
fn order(digits: &Digits<'_>, rank: u64) -> Order {
    let mut order = Order {
        rank,
        of: [0; SYMBOLS],
        string: 0,
    };
    let mut left = digits.places >> digits.little_counts;
    let mut rest = rank;
    for symbol in digits.little..digits.counts.len() {
        let (quotient, digit) = digits.radices[symbol].divide(rest);
        rest = quotient;
        let subset = digits.subsets.of(digits.counts[symbol], digit);
        let places = _pdep_u64(subset, left);
        left &= !places;
        order.of[symbol % SYMBOLS] = places;
        order.string |= _pdep_u64(places, ONES) * symbol as u64;
    }
    order
}

/// Eight words from a place of an array on.
#[inline]
#[target_feature(enable = "avx512f,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt")]
fn load(words: &[u64], at: usize) -> __m512i {
    let words = &words[at..at + WIDE];
    // SAFETY: there are eight words, and the load needs no alignment.
    unsafe { _mm512_loadu_si512(words.as_ptr().cast()) }
}

/// Sixteen words.
#[inline]
#[target_feature(enable = "avx512f,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt")]
fn table(words: &[u64; 2 * WIDE]) -> [__m512i; 2] {
    [load(words, 0), load(words, WIDE)]
}

/// The eight numbers from one on.
#[inline]
#[target_feature(enable = "avx512f,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt")]
fn numbers(first: usize) -> __m512i {
    load(
        &std::array::from_fn::<u64, WIDE, _>(|at| (first + at) as u64),
        0,
    )
}

/// An entry of sixteen for each of eight numbers, of which the lowest four bits count.
#[inline]
#[target_feature(enable = "avx512f,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt")]
fn of(table: [__m512i; 2], numbers: __m512i) -> __m512i {
    _mm512_permutex2var_epi64(table[0], numbers, table[1])
}

/// Writes eight words to a place of an array.
#[inline]
#[target_feature(enable = "avx512f,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt")]
fn write(words: &mut [u64], at: usize, vector: __m512i) {
    let words = &mut words[at..at + WIDE];
    // SAFETY: there is room for eight words, and the store needs no alignment.
    unsafe { _mm512_storeu_si512(words.as_mut_ptr().cast(), vector) };
}

/// Writes sixteen words.
#[inline]
#[target_feature(enable = "avx512f,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt")]
fn store(words: &mut [u64; 2 * WIDE], vectors: [__m512i; 2]) {
    write(words, 0, vectors[0]);
    write(words, WIDE, vectors[1]);
}

/// Writes those words of a vector that are wanted one behind the other, and anything behind
/// them.
#[inline]
#[target_feature(enable = "avx512f,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt")]
fn append(words: &mut [u64], at: usize, wanted: u8, vector: __m512i) {
    write(words, at, _mm512_maskz_compress_epi64(wanted, vector));
}
