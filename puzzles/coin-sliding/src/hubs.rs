//! Complete levels through hubs, blocks of boards at once.
//!
//! **Hub.** A move lifts a coin and puts it elsewhere. In between there is a board with one coin
//! fewer, the *hub*, and the destinations of the coin depend only on the hub. So a search opens
//! every hub once, however many boards lead to it. On 5x7 there are 12 ways to lift a coin of a
//! board and half as many hubs as boards, instead of some 75 moves per board. Forward, the cell
//! that a coin is put on needs two coins next to it; backward, the cell that a coin is lifted from
//! does. The hub holds these two coins in either case.
//!
//! **Split.** Sort the sets of k of the n lowest cells by their masks, a bit per set. Those without
//! the highest cell come first, C(n-1, k) of them. Those with it follow; without that cell, these
//! are all sets of k-1 of n-1 cells in the same order. So putting a coin on the highest cell copies
//! the first stretch of bits of the hubs onto the second stretch of the boards, and lifting it
//! copies back. One instruction does this for 64 boards, masked by "enough coins next to the cell".
//! The moves of coins on the other cells are the same problem for n-1 cells, once for each stretch
//! (`flow.rs`). At nine cells, a stretch fits two words, and each set is looked up separately.
//!
//! **Block.** The sets with the same coins above the lowest 20 cells are together, from a word
//! boundary on. Threads share the work by blocks. A block with all bits set needs no more work.
//!
//! **Level.** For every block of boards: collects the boards that the new hubs lead to, removes
//! those already seen, shows the others, and marks the hubs that these lead to. Bits are kept of
//! the boards seen and of three sets of hubs: opened before, opened now, to be opened next.

mod flow;

use std::ops::Range;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};

use puzzle_api::rank::{binomial, low_bits};
use puzzle_api::{Direction, Swept, UNSOLVABLE};
use rayon::prelude::*;

use crate::board::Shape;
use crate::symmetry::ByteTables;
pub(crate) use flow::Tables;
use flow::{At, LOW, Pair, near, sets};

/// Most cells above them: the patterns of these index the blocks.
const MOST_HIGH: u32 = 26;
/// Words of blocks that a thread takes at once.
const TASK: usize = 1 << 12;
/// Keys that are delivered at once.
const BATCH: usize = 1 << 12;

/// The places of the bits of all sets of n coins on a board.
struct Layout {
    coins: u32,
    low: u32,
    /// The first word of each block, by the pattern of the high cells, and the end of the last.
    first: Vec<u32>,
    /// Words of the largest block.
    widest: usize,
}

impl Layout {
    fn new(cells: u32, low: u32, coins: u32) -> Self {
        let mut layout = Self {
            coins,
            low,
            first: vec![0],
            widest: 0,
        };
        let mut end = 0;
        for high in 0..1 << (cells - low) {
            let words = layout.bits(high).div_ceil(64);
            layout.widest = layout.widest.max(words);
            end += words as u32;
            layout.first.push(end);
        }
        layout
    }

    /// Words of all blocks, without making the layout.
    fn words(cells: u32, low: u32, coins: u32) -> u64 {
        let block =
            |up| binomial(cells - low, up) * sets(low, coins.wrapping_sub(up)).div_ceil(64) as u64;
        (0..=cells - low).map(block).sum()
    }

    /// Coins on the low cells of a block; wraps if there are too few for the high ones.
    fn low_coins(&self, high: usize) -> u32 {
        self.coins.wrapping_sub(high.count_ones())
    }

    fn bits(&self, high: usize) -> usize {
        sets(self.low, self.low_coins(high))
    }

    fn block(&self, high: usize) -> Range<usize> {
        self.first[high] as usize..self.first[high + 1] as usize
    }

    /// Whether all bits of a block are set.
    fn is_full(&self, high: usize, block: &[u64]) -> bool {
        let last = u64::MAX >> (block.len() * 64 - self.bits(high));
        let all = block
            .split_last()
            .map(|(end, words)| *end == last && words.iter().all(|&word| word == u64::MAX));
        all.unwrap_or(true)
    }

    fn len(&self) -> usize {
        self.first.last().map_or(0, |&end| end as usize)
    }
}

/// Bytes of a walk, if the blocks of the shape can be indexed.
pub(crate) fn memory(shape: &Shape) -> Option<u64> {
    let low = LOW.min(shape.cells());
    let high = shape.cells() - low;
    let [boards, hubs] =
        [0, 1].map(|lifted| Layout::words(shape.cells(), low, shape.coins - lifted));
    let buffers = 1 << 26;
    (high <= MOST_HIGH && boards <= u64::from(u32::MAX))
        .then(|| 8 * (boards + 3 * hubs) + (12 << high) + buffers)
}

/// Receives batches of boards; returns false to stop.
type Emit<'a> = &'a mut dyn FnMut(Swept<'_, u64>) -> bool;

/// Shows every board that can be reached from the roots (backward: that can reach one of them),
/// with its distance. Then shows all others, if requested.
pub(crate) fn sweep(
    tables: &Tables,
    symmetries: Option<&ByteTables>,
    way: Direction,
    roots: &[u64],
    complete: bool,
    emit: Emit<'_>,
) {
    let mut walk = Walk::new(tables, symmetries, way);
    let mut going = show(&walk.start(roots), 0, emit);
    for depth in 1..UNSOLVABLE {
        if !going || !walk.open() {
            break;
        }
        going = walk.each_task(depth, emit, Walk::advance);
    }
    if going && complete {
        walk.each_task(UNSOLVABLE, emit, Walk::rest);
    }
}

/// Shows at which distance from the roots, or, backward, to one of them, some boards are met: no
/// others, and no orbits.
pub(crate) fn meet(tables: &Tables, way: Direction, roots: &[u64], only: &[u64], emit: Emit<'_>) {
    let mut walk = Walk::new(tables, None, way);
    walk.lists = false;
    walk.start(roots);
    let mut left = only.to_vec();
    for depth in 0..UNSOLVABLE {
        let (met, rest) = left.into_iter().partition(|&board| walk.has_seen(board));
        left = rest;
        let going = show(&[met, vec![], vec![], vec![]], depth, emit);
        if !going || left.is_empty() || !walk.open() {
            break;
        }
        if !walk.each_task(depth, emit, Walk::advance) {
            break;
        }
    }
}

/// Boards by the size of their orbit: 1, 2, 4 or 8.
type Orbits = [Vec<u64>; 4];

/// Shows boards at a distance; returns whether to continue.
fn show(orbits: &Orbits, depth: u16, emit: Emit<'_>) -> bool {
    let depths = [depth; BATCH];
    (0..).zip(orbits).all(|(log, keys)| {
        keys.chunks(BATCH).all(|keys| {
            emit(Swept {
                keys,
                depths: &depths[..keys.len()],
                orbit_size: 1 << log,
            })
        })
    })
}

/// A walk over all levels.
struct Walk<'a> {
    tables: &'a Tables,
    /// Symmetries in use: of each orbit its canonical board is shown.
    symmetries: Option<&'a ByteTables>,
    way: Direction,
    /// Whether boards are shown as they are met.
    lists: bool,
    boards: Layout,
    hubs: Layout,
    /// Boards seen, and the blocks that are complete.
    seen: Vec<u64>,
    full: Vec<bool>,
    /// Hubs opened, and the blocks that are complete.
    opened: Vec<u64>,
    spent: Vec<bool>,
    /// Hubs that are opened at this level, and the blocks that have some.
    now: Vec<u64>,
    live: Vec<bool>,
    /// Hubs of the boards of this level, and the blocks that may have some.
    next: Box<[AtomicU64]>,
    touched: Vec<AtomicBool>,
}

/// Some blocks of boards that one thread works on.
struct Task<'a> {
    highs: Range<usize>,
    seen: &'a mut [u64],
    full: &'a mut [bool],
}

/// Scratch buffers of a thread, for a block each.
struct Scratch {
    boards: Vec<u64>,
    hubs: Vec<u64>,
}

impl<'a> Walk<'a> {
    fn new(tables: &'a Tables, symmetries: Option<&'a ByteTables>, way: Direction) -> Self {
        let layout = |coins| Layout::new(tables.cells, tables.low, coins);
        let (boards, hubs) = (layout(tables.coins), layout(tables.coins - 1));
        let blocks = 1 << (tables.cells - tables.low);
        Self {
            tables,
            symmetries,
            way,
            lists: true,
            seen: vec![0; boards.len()],
            full: vec![false; blocks],
            opened: vec![0; hubs.len()],
            spent: vec![false; blocks],
            now: vec![0; hubs.len()],
            live: vec![false; blocks],
            next: zeros(hubs.len()),
            touched: (0..blocks).map(|_| AtomicBool::new(false)).collect(),
            boards,
            hubs,
        }
    }

    /// Marks the roots and their hubs, and returns the roots to be shown.
    fn start(&mut self, roots: &[u64]) -> Orbits {
        let mut orbits = Orbits::default();
        for &root in roots {
            let (word, bit) = self.place(&self.boards, root);
            if self.seen[word] & bit != 0 {
                continue;
            }
            self.seen[word] |= bit;
            self.sort(root, &mut orbits);
            let mut lifted = match self.way {
                Direction::Forward => root,
                Direction::Backward => root & near(&self.tables.beside, root).1,
            };
            while lifted != 0 {
                let hub = root ^ lifted & lifted.wrapping_neg();
                let (word, bit) = self.place(&self.hubs, hub);
                *self.next[word].get_mut() |= bit;
                *self.touched[(hub >> self.hubs.low) as usize].get_mut() = true;
                lifted &= lifted - 1;
            }
        }
        orbits
    }

    fn has_seen(&self, board: u64) -> bool {
        let (word, bit) = self.place(&self.boards, board);
        self.seen[word] & bit != 0
    }

    /// The word and the bit of a set of cells.
    fn place(&self, layout: &Layout, set: u64) -> (usize, u64) {
        let (high, low) = ((set >> layout.low) as usize, set & low_bits(layout.low));
        let sets = &self.tables.sets[low.count_ones() as usize];
        let rank = sets.partition_point(|&other| u64::from(other) < low);
        (layout.block(high).start + rank / 64, 1 << (rank % 64))
    }

    /// Adds a board to those to be shown, if it represents its orbit.
    fn sort(&self, board: u64, orbits: &mut Orbits) {
        match self.symmetries {
            None => orbits[0].push(board),
            Some(symmetries) if symmetries.canonical(board) == board => {
                orbits[symmetries.orbit_size(board).ilog2() as usize].push(board);
            }
            Some(_) => {}
        }
    }

    /// Opens the marked hubs that were not opened before; returns whether there are any.
    fn open(&mut self) -> bool {
        for high in 0..self.live.len() {
            self.live[high] = false;
            if self.spent[high] || !std::mem::take(self.touched[high].get_mut()) {
                continue;
            }
            let mut some = 0;
            let block = self.hubs.block(high);
            let opened = &mut self.opened[block.clone()];
            let marks = self.now[block.clone()]
                .iter_mut()
                .zip(&mut self.next[block]);
            for (opened, (now, next)) in opened.iter_mut().zip(marks) {
                let fresh = std::mem::take(next.get_mut()) & !*opened;
                *opened |= fresh;
                *now = fresh;
                some |= fresh;
            }
            self.live[high] = some != 0;
            self.spent[high] = self.hubs.is_full(high, opened);
        }
        self.live.contains(&true)
    }

    /// Does a piece of work on all blocks of boards, and shows the boards that it finds at a
    /// distance. The boards of some tasks are shown while others are worked on.
    fn each_task(
        &mut self,
        depth: u16,
        emit: Emit<'_>,
        work: fn(&Self, &mut Task<'_>, &mut Scratch, &mut Orbits),
    ) -> bool {
        let (mut seen, mut full) = (
            std::mem::take(&mut self.seen),
            std::mem::take(&mut self.full),
        );
        let mut tasks = self.tasks(&mut seen, &mut full);
        let at_once = 4 * rayon::current_num_threads();
        // They are filled again and again: memory that is new each time costs a tenth.
        let [mut found, mut more] = [0, 1].map(|_| vec![Orbits::default(); at_once]);
        let (walk, mut going) = (&*self, true);
        for tasks in tasks.chunks_mut(at_once) {
            rayon::in_place_scope(|scope| {
                scope.spawn(|_| {
                    let tasks = tasks.par_iter_mut().zip(&mut more);
                    tasks.for_each_init(
                        || walk.scratch(),
                        |scratch, (task, orbits)| work(walk, task, scratch, orbits),
                    );
                });
                // An empty batch asks whether to continue, if nothing is shown.
                going = (walk.lists || emit(Swept::default()))
                    && found.iter().all(|orbits| show(orbits, depth, emit));
            });
            found.iter_mut().flatten().for_each(Vec::clear);
            std::mem::swap(&mut found, &mut more);
            if !going {
                break;
            }
        }
        going = going && found.iter().all(|orbits| show(orbits, depth, emit));
        (self.seen, self.full) = (seen, full);
        going
    }

    /// All blocks of boards, distributed to threads.
    fn tasks<'s>(&self, mut seen: &'s mut [u64], mut full: &'s mut [bool]) -> Vec<Task<'s>> {
        let (mut tasks, mut start) = (Vec::new(), 0);
        while start < self.live.len() {
            let begin = self.boards.block(start).start;
            let ends = &self.boards.first[start + 1..];
            let end = start
                + ends
                    .partition_point(|&end| end as usize <= begin + TASK)
                    .max(1);
            let (words, blocks);
            (words, seen) = seen.split_at_mut(self.boards.first[end] as usize - begin);
            (blocks, full) = full.split_at_mut(end - start);
            tasks.push(Task {
                highs: start..end,
                seen: words,
                full: blocks,
            });
            start = end;
        }
        tasks
    }

    fn scratch(&self) -> Scratch {
        let block = |layout: &Layout| vec![0; layout.widest + 1];
        Scratch {
            boards: block(&self.boards),
            hubs: block(&self.hubs),
        }
    }

    /// Boards that the opened hubs lead to and that were not seen, with marks on their hubs.
    fn advance(&self, task: &mut Task<'_>, scratch: &mut Scratch, orbits: &mut Orbits) {
        let mut at = 0;
        for (high, full) in task.highs.clone().zip(&mut *task.full) {
            let seen = &mut task.seen[at..][..self.boards.block(high).len()];
            at += seen.len();
            if *full || seen.is_empty() || !self.collect(high, seen, scratch) {
                continue;
            }
            let mut some = 0;
            for (fresh, seen) in scratch.boards.iter_mut().zip(&mut *seen) {
                *fresh &= !*seen;
                *seen |= *fresh;
                some |= *fresh;
            }
            *full = self.boards.is_full(high, seen);
            if some != 0 {
                self.list(high, &scratch.boards[..seen.len()], orbits);
                self.mark(high, scratch);
            }
        }
    }

    /// Boards that were not seen.
    fn rest(&self, task: &mut Task<'_>, scratch: &mut Scratch, orbits: &mut Orbits) {
        let mut at = 0;
        for high in task.highs.clone() {
            let seen = &task.seen[at..][..self.boards.block(high).len()];
            at += seen.len();
            if seen.is_empty() {
                continue;
            }
            for (rest, seen) in scratch.boards.iter_mut().zip(seen) {
                *rest = !seen;
            }
            if let (bits @ 1.., Some(last)) = (
                self.boards.bits(high) % 64,
                scratch.boards[..seen.len()].last_mut(),
            ) {
                *last &= low_bits(bits as u32);
            }
            self.list(high, &scratch.boards[..seen.len()], orbits);
        }
    }

    /// Adds the boards of a block that the opened hubs reach to those seen; returns whether there
    /// may be some.
    fn collect(&self, high: usize, seen: &[u64], scratch: &mut Scratch) -> bool {
        let bound = self.way == Direction::Forward;
        let above = (high as u64) << self.tables.low;
        let block = self.boards.block(high);
        let boards = &mut scratch.boards[..=block.len()];
        boards[..seen.len()].copy_from_slice(seen);
        boards[seen.len()] = 0;
        let mut some = false;
        for (from, mask) in self
            .partners(high, bound)
            .filter(|(from, _)| self.live[*from])
        {
            some = true;
            let now = &self.now[self.hubs.block(from)];
            match mask {
                [] => boards
                    .iter_mut()
                    .zip(now)
                    .for_each(|(board, now)| *board |= now),
                mask => {
                    let now = now.iter().zip(mask);
                    boards
                        .iter_mut()
                        .zip(now)
                        .for_each(|(board, (now, mask))| *board |= now & mask);
                }
            }
        }
        if self.live[high] {
            some = true;
            let block = self.hubs.block(high);
            let hubs = &mut scratch.hubs[..=block.len()];
            hubs[..block.len()].copy_from_slice(&self.now[block.clone()]);
            hubs[block.len()] = 0;
            let at = At {
                cells: self.tables.low,
                coins: self.boards.low_coins(high),
                hub: 0,
                board: 0,
                above,
            };
            self.tables
                .flow::<false>(&mut Pair { hubs, boards }, at, bound);
        }
        some
    }

    /// Marks the hubs of some boards of a block.
    fn mark(&self, high: usize, scratch: &mut Scratch) {
        let bound = self.way == Direction::Backward;
        let above = (high as u64) << self.tables.low;
        let boards = &mut scratch.boards[..=self.boards.block(high).len()];
        for (to, mask) in self
            .partners(high, bound)
            .filter(|(to, _)| !self.spent[*to])
        {
            self.touched[to].store(true, Relaxed);
            let next = &self.next[self.hubs.block(to)];
            let pairs = next.iter().zip(&*boards);
            match mask {
                [] => pairs.for_each(|(next, &board)| set(next, board)),
                mask => pairs
                    .zip(mask)
                    .for_each(|((next, board), mask)| set(next, board & mask)),
            }
        }
        let coins = self.boards.low_coins(high);
        if coins > 0 && !self.spent[high] {
            self.touched[high].store(true, Relaxed);
            let block = self.hubs.block(high);
            let hubs = &mut scratch.hubs[..=block.len()];
            let opened = &self.opened[block.clone()];
            hubs[..opened.len()].copy_from_slice(opened);
            hubs[opened.len()] = 0;
            let at = At {
                cells: self.tables.low,
                coins,
                hub: 0,
                board: 0,
                above,
            };
            self.tables
                .flow::<true>(&mut Pair { hubs, boards }, at, bound);
            self.next[block]
                .iter()
                .zip(hubs.iter().zip(opened))
                .for_each(|(next, (hubs, opened))| set(next, hubs & !opened));
        }
    }

    /// The blocks of hubs with one high coin fewer, each with the mask of the sets of low coins
    /// between which coins move.
    fn partners(&self, high: usize, bound: bool) -> impl Iterator<Item = (usize, &[u64])> {
        let low = self.tables.low;
        let coins = self.boards.low_coins(high);
        (0..usize::BITS)
            .filter(move |coin| high >> coin & 1 == 1)
            .filter_map(move |coin| {
                let hub = high ^ 1 << coin;
                let mask = match bound {
                    true => self.tables.enough(low + coin, coins, (hub as u64) << low)?,
                    false => &[],
                };
                Some((hub, mask))
            })
    }

    /// Adds the boards of a block to those to be shown.
    fn list(&self, high: usize, boards: &[u64], orbits: &mut Orbits) {
        if !self.lists {
            return;
        }
        let above = (high as u64) << self.tables.low;
        let sets = &self.tables.sets[self.boards.low_coins(high) as usize];
        for (sets, &word) in sets.chunks(64).zip(boards) {
            let mut left = word;
            let mut next = || {
                let set = sets[left.trailing_zeros() as usize];
                left &= left.wrapping_sub(1);
                above | u64::from(set)
            };
            let count = word.count_ones() as usize;
            match self.symmetries {
                None => orbits[0].extend((0..count).map(|_| next())),
                Some(_) => (0..count).for_each(|_| self.sort(next(), orbits)),
            }
        }
    }
}

/// Zeros whose pages are not touched before they are used.
#[allow(unsafe_code)]
fn zeros(words: usize) -> Box<[AtomicU64]> {
    // SAFETY: a word of zeros is an atomic 0.
    unsafe { Box::new_zeroed_slice(words).assume_init() }
}

/// Sets bits, without a write if they are set.
fn set(word: &AtomicU64, bits: u64) {
    if bits & !word.load(Relaxed) != 0 {
        word.fetch_or(bits, Relaxed);
    }
}

#[cfg(test)]
mod tests;
