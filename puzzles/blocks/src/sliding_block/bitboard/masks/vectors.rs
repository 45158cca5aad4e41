//! Sixteen positions in parallel with AVX-512: the same answers as the code for one position at a
//! time, its twin. Work on a position cell by cell or piece by piece is a step for eight of them at
//! once. Only the exchange of bits between the places of a string and the cells of the board goes
//! one by one. On a processor without AVX-512, the twin does everything.
//!
//! A piece covers the same pattern wherever it is, shifted by as many bits. So a table by symbol,
//! which fits two vectors, replaces one by symbol and cell.
#![allow(unsafe_code)]

mod group;
mod images;
mod movers;
mod neighbours;
mod words;

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::scene::Order;
use super::{CELLS, Masks, SYMBOLS, Turned};
use crate::bits::{Bmi2, Machine};
use crate::metric::Metric;
use crate::rules::WAYS;
use crate::sliding_block::board::Board;
use crate::sliding_block::grid::{Grid, Shape};
use group::{Group, Kept};
use movers::{Movers, NO_LIST};
use neighbours::Neighbours;
use words::WIDE;

/// Positions in parallel: two vectors, which a permutation takes as one table.
const SIDE_BY_SIDE: usize = 2 * WIDE;
/// Most places of a string, and most big pieces in it: symbols of half a byte in two words, or in
/// one.
const PLACES: usize = 32;
const BIG: usize = 16;
/// The lowest bit of each half byte.
const ONES: u64 = u64::MAX / 15;

/// The look-up tables of the code for sixteen positions.
///
/// Cells are numbered so that a step in one direction is the same number of bits everywhere, except
/// to and from the first cell. Walls are left out if only the first row has any, as on boards whose
/// goal sticks out at the top; elsewhere they have their own bits.
#[derive(Debug, Clone)]
pub struct Vectors {
    /// The number of these tables among all that this process made; from 1.
    number: u64,
    all: u64,
    /// Bits of a step down.
    width: u32,
    /// Cells from which a step to the left, or to the right, leads to the neighbouring bit.
    not_first: u64,
    not_last: u64,
    /// By symbol: the cells that a piece covers, its first cell being bit 0 of the pattern.
    shapes: Table,
    /// By symbol: first cells, except for cell 0, at which a piece covers only open cells.
    fits: Table,
    /// For each further cell of a piece, by symbol: its distance from the first; 0 if a piece has
    /// no such cell.
    further: Vec<Table>,
    /// By symbol from 1: steps by direction.
    steps: Vec<[Step; 4]>,
    /// Distances from the first cell to the cells that some step needs free; backwards as 64 minus
    /// the distance.
    aheads: Vec<u8>,
    /// The open cells next to cell 0.
    beside_first: u64,
    /// By symbol: the cells that a piece covers from cell 0; all cells if it does not fit there.
    top: Table,
    /// By symbol: first cells that are one step from cell 0.
    beside_top: Table,
    /// For each piece and hole of the low half, by place: its value within that half.
    terms: Vec<Row>,
    /// The same for the big pieces and the high half.
    big_terms: Vec<Row>,
    goals: Vec<(u8, u32)>,
}

#[derive(Debug, Clone, Default)]
struct Step {
    /// First cells from which a piece reaches open cells by this step, except from and to cell 0.
    can: u64,
    /// Distances from the first cell to the cells that must be free.
    fronts: Vec<u8>,
}

/// Number of tables that this process made.
static MADE: AtomicU64 = AtomicU64::new(0);

type Table = [u64; SYMBOLS];

/// One word for each place, in whole cache lines.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
struct Row([u64; PLACES]);

/// The grid cell of each bit, if steps are regular except for the first cell.
fn numbering(grid: &Grid) -> Option<Vec<usize>> {
    if grid.len() <= CELLS {
        return Some((0..grid.len()).collect());
    }
    let open = &grid.open;
    let behind = open.get(1..)?;
    let regular = behind.windows(2).all(|pair| pair[0] + 1 == pair[1]);
    let at_margin = behind.first().is_some_and(|cell| cell % grid.width == 0);
    (regular && at_margin && open.len() <= CELLS).then(|| open.clone())
}

impl Vectors {
    /// The tables of a board, whose `terms` are those of [`Masks`]. `None` for a board that is too
    /// large, or on a processor without the instructions.
    pub fn new(board: &Board, little: usize, terms: &[[u64; CELLS]]) -> Option<Self> {
        let grid = &board.grid;
        let counts = &board.alphabet.counts;
        let of_little: u8 = counts[..little].iter().sum();
        let big = board.alphabet.length() - usize::from(of_little);
        if board.alphabet.length() > PLACES || big > BIG || !is_wide() {
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
            number: MADE.fetch_add(1, Relaxed) + 1,
            all: set(&|cell| !grid.is_wall(cell)),
            width: grid.width as u32,
            not_first: set(&|cell| cell % grid.width != 0) & !1,
            not_last: set(&|cell| (cell + 1) % grid.width != 0) & !1,
            shapes: [1; SYMBOLS],
            fits: [0; SYMBOLS],
            further: Vec::new(),
            steps: Vec::new(),
            aheads: Vec::new(),
            beside_first: 0,
            top: [u64::MAX; SYMBOLS],
            beside_top: [0; SYMBOLS],
            terms,
            big_terms,
            goals: Vec::new(),
        };
        vectors.top[0] = 1;
        if vectors.all & 1 == 1 {
            let beside = WAYS.map(|way| grid.offset(cells[0], way));
            vectors.beside_first = set(&|cell| beside.contains(&Some(cell))) & vectors.all;
        }
        for (symbol, kind) in (1..).zip(&board.kinds) {
            let stands = |cell: usize| kind.shape.cells(grid, cell).is_some();
            vectors.fits[symbol] = set(&stands) & !1;
            if let Some(covered) = kind.shape.cells(grid, cells[0]) {
                vectors.top[symbol] = set(&|cell| covered.contains(&cell));
                let beside = WAYS.map(|way| grid.offset(cells[0], way));
                vectors.beside_top[symbol] =
                    set(&|cell| stands(cell) && beside.contains(&Some(cell)));
            }
            vectors.add_shape(symbol, &kind.shape);
            let fits = vectors.fits[symbol];
            for (step, way) in vectors.steps[symbol - 1].iter_mut().zip(WAYS) {
                let leads = |cell: usize| {
                    let to = grid.offset(cell, way);
                    to.is_some_and(|to| to != cells[0] && stands(to))
                };
                step.can = fits & set(&leads);
            }
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
        self.steps.push(WAYS.map(|step| {
            let ahead = behind.iter().map(|cell| cell + bits(&step));
            let front = ahead.filter(|cell| !behind.contains(cell));
            let fronts = front.map(|cell| cell.rem_euclid(64) as u8).collect();
            Step { can: 0, fronts }
        }));
        for step in self.steps.last().into_iter().flatten() {
            self.aheads.extend(&step.fronts);
        }
        self.aheads.sort_unstable();
        self.aheads.dedup();
    }

    /// Number of some keys that are processed in sixteens: all, if the rest is worth a padded
    /// group.
    pub fn taken(keys: &[u128]) -> usize {
        match keys.len() % SIDE_BY_SIDE {
            few @ ..WORTH_A_GROUP => keys.len() - few,
            _ => keys.len(),
        }
    }

    /// Decodes keys into first cells by symbol, unless that was kept.
    fn bring(&self, masks: &Masks, keys: &[u128; SIDE_BY_SIDE], scratch: &mut VectorScratch) {
        if scratch.kept.bring(keys, self.number, &mut scratch.group) {
            return;
        }
        // SAFETY: vectors exist only if the processor has AVX-512 and BMI2.
        unsafe { self.take_apart(masks, keys, scratch) }
    }

    /// Finds the neighbours of a decoded group, and their keys.
    #[target_feature(enable = "avx512f,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn neighbours(
        &self,
        masks: &Masks,
        metric: Metric,
        used: Option<&[u32; SIDE_BY_SIDE]>,
        scratch: &mut VectorScratch,
    ) {
        self.find_movers(masks.counts.len(), &mut scratch.ahead, &mut scratch.group);
        match used {
            None => scratch.movers.list::<false>(self, &scratch.group),
            Some(used) => {
                self.find_used(used, &mut scratch.group);
                scratch.movers.list::<true>(self, &scratch.group);
            }
        }
        self.flood(&scratch.group, metric, &mut scratch.movers);
        scratch.neighbours.list(&mut scratch.movers);
        self.halves(masks, &scratch.group, &mut scratch.neighbours);
        if used.is_some() {
            self.mark(&mut scratch.neighbours);
        }
        scratch.neighbours.put_together(masks);
    }

    /// Replaces each neighbour's key by that of its image, if that is less.
    #[target_feature(enable = "avx512f,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn put_images(&self, masks: &Masks, turned: &Turned, scratch: &mut VectorScratch) {
        self.turn(masks, &scratch.group, turned, &mut scratch.image);
        self.turn_moves(&scratch.neighbours, turned, &mut scratch.turned);
        let images = (&scratch.image, &mut scratch.turned);
        self.put_if_less(masks, images, &mut scratch.neighbours);
    }
}

/// Number of positions that take as long one by one as sixteen in parallel.
const WORTH_A_GROUP: usize = 4;

/// Some keys in groups of sixteen, each with the number that count: the last group is padded.
fn groups(keys: &[u128]) -> impl Iterator<Item = ([u128; SIDE_BY_SIDE], usize)> {
    keys.chunks(SIDE_BY_SIDE).map(|keys| {
        let filled = std::array::from_fn(|at| keys[at.min(keys.len() - 1)]);
        (filled, keys.len())
    })
}

fn is_wide() -> bool {
    crate::bits::is_newer()
        && is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512vpopcntdq")
}

/// Sixteen words for each number of bits by which they are rotated, or for each direction of a
/// step.
type Ahead = Box<[group::Side; CELLS]>;

/// Buffers that are reused from group to group.
struct VectorScratch {
    group: Box<Group>,
    kept: Kept,
    order: Order,
    /// The symbols of that order, half a byte each.
    big_string: u64,
    /// By distance ahead: the cells from which the cell at this distance is free.
    ahead: Ahead,
    movers: Movers,
    neighbours: Neighbours,
    /// Images of the positions, and of their neighbours.
    image: Group,
    turned: Neighbours,
}

impl Default for VectorScratch {
    fn default() -> Self {
        Self {
            group: Box::default(),
            kept: Kept::default(),
            order: Order::UNKNOWN,
            big_string: 0,
            ahead: Box::new([[0; SIDE_BY_SIDE]; CELLS]),
            movers: Movers {
                count: 0,
                lane: NO_LIST,
                cell: NO_LIST,
                symbol: NO_LIST,
                targets: NO_LIST,
                start: NO_LIST,
            },
            neighbours: Neighbours::default(),
            image: Group::default(),
            turned: Neighbours::default(),
        }
    }
}

thread_local! {
    /// Kept from call to call: making it again costs as much as a few positions.
    static ROOM: Cell<Option<Box<VectorScratch>>> = const { Cell::new(None) };
}

impl Masks {
    /// Decodes keys sixteen at a time, each group for a function that also takes the number of its
    /// first key and how many count.
    #[inline(always)]
    fn each_group(
        &self,
        vectors: &Vectors,
        keys: &[u128],
        mut take: impl FnMut(&mut VectorScratch, usize, usize),
    ) {
        let mut scratch = ROOM.take().unwrap_or_default();
        // It may have served another board.
        scratch.order = Order::UNKNOWN;
        for ((group, count), first) in groups(keys).zip((0..).step_by(SIDE_BY_SIDE)) {
            vectors.bring(self, &group, &mut scratch);
            take(&mut scratch, first, count);
        }
        ROOM.set(Some(scratch));
    }

    pub(super) fn expand_vectors(
        &self,
        vectors: &Vectors,
        keys: &[u128],
        (metric, turned): (Metric, &[Turned]),
        used: Option<&[u32]>,
        emit: &mut impl FnMut(usize, u128, u32),
    ) {
        self.each_group(vectors, keys, |scratch, first, count| {
            let last = first + count - 1;
            let used = used.map(|used| std::array::from_fn(|at| used[(first + at).min(last)]));
            // SAFETY: as in `bring`.
            unsafe {
                vectors.neighbours(self, metric, used.as_ref(), scratch);
                for turned in turned {
                    vectors.put_images(self, turned, scratch);
                }
            }
            scratch.neighbours.hand_on(count, first, emit);
        });
    }

    pub(super) fn solved_vectors(&self, vectors: &Vectors, keys: &[u128], solved: &mut Vec<bool>) {
        self.each_group(vectors, keys, |scratch, _, count| {
            solved.extend((0..count).map(|lane| vectors.solves(&scratch.group, lane)));
            scratch.kept.keep(&mut scratch.group);
        });
    }

    pub(super) fn places_vectors(
        &self,
        vectors: &Vectors,
        keys: &[u128],
        emit: &mut impl FnMut(&[u64; SYMBOLS]),
    ) {
        self.each_group(vectors, keys, |scratch, _, count| {
            for lane in 0..count {
                let mut of = [0; SYMBOLS];
                let symbols = of.iter_mut().zip(&scratch.group.of).take(self.counts.len());
                // Without the bits of the walls.
                symbols.for_each(|(of, side)| *of = Bmi2::extract(side[lane], vectors.all));
                emit(&of);
            }
            scratch.kept.keep(&mut scratch.group);
        });
    }

    pub(super) fn images_vectors(
        &self,
        vectors: &Vectors,
        keys: &[u128],
        turned: &Turned,
        emit: &mut impl FnMut(u128),
    ) {
        self.each_group(vectors, keys, |scratch, _, count| {
            // SAFETY: as in `bring`.
            let images =
                unsafe { vectors.images(self, &scratch.group, turned, &mut scratch.image) };
            images.into_iter().take(count).for_each(&mut *emit);
            scratch.kept.keep(&mut scratch.group);
        });
    }
}
