//! Levels of one part, a word at a time.

use puzzle_api::UNSOLVABLE;

use super::bits::Bits;
use super::columns::Columns;
use super::emit::{Batch, Emit};
use super::part::{Block, Part, RowMove, fitting};
use super::shapes::NOWHERE;

/// Words of a level: for each block that has some, its number and where its words end.
#[derive(Debug, Default)]
pub(super) struct Frontier {
    blocks: Vec<(u32, usize)>,
    /// Place within the block, and the bits.
    words: Vec<(u32, u64)>,
}

/// Buffers of one search.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    /// Bits of placements that no level holds yet.
    unseen: Vec<u64>,
    /// Bits of the level to come, all of them unseen.
    next: Vec<u64>,
    /// How many words of each block have unseen bits; none when it is done with.
    open: Vec<u32>,
    /// Whether each block has bits in `next`.
    touched: Vec<bool>,
    /// Those that have.
    list: Vec<u32>,
    frontier: Frontier,
    batch: Batch,
}

impl Scratch {
    /// Begins with a part: nothing is seen, and the solved placements are next.
    pub(super) fn start(&mut self, part: &Part) {
        self.unseen.clear();
        self.next.clear();
        self.next.resize(part.size, 0);
        self.open.clear();
        self.touched.clear();
        self.list.clear();
        self.batch.clear();
        for (number, block) in part.blocks.iter().enumerate() {
            let words = part.leads[block.lead as usize].len();
            let full = part.words[block.word as usize].full;
            let first = self.unseen.len();
            self.unseen.resize(first + words, full);
            self.open.push(if full == 0 { 0 } else { words as u32 });
            self.touched.push(block.solved);
            if block.solved {
                self.next[first..first + words].fill(full);
                self.list.push(number as u32);
            }
        }
    }

    /// Closes the level to come: delivers it and makes it the frontier. Gives whether it held
    /// anything, or `None` where delivering was stopped.
    pub(super) fn close_level(&mut self, part: &Part, depth: u16, emit: Emit<'_>) -> Option<bool> {
        self.frontier.blocks.clear();
        self.frontier.words.clear();
        for number in std::mem::take(&mut self.list) {
            let block = &part.blocks[number as usize];
            self.touched[number as usize] = false;
            let lead = &part.leads[block.lead as usize];
            let word = &part.words[block.word as usize];
            let first = block.first as usize;
            let next = &mut self.next[first..first + lead.len()];
            let unseen = &mut self.unseen[first..first + lead.len()];
            for (at, (next, unseen)) in next.iter_mut().zip(unseen).enumerate() {
                if *next == 0 {
                    continue;
                }
                let bits = std::mem::take(next);
                *unseen &= !bits;
                self.open[number as usize] -= u32::from(*unseen == 0);
                self.frontier.words.push((at as u32, bits));
                let key = block.key + lead.keys[at];
                if !self.batch.push(key, word, bits, depth, emit) {
                    return None;
                }
            }
            self.frontier
                .blocks
                .push((number, self.frontier.words.len()));
        }
        self.batch.mark(depth);
        Some(!self.frontier.words.is_empty())
    }

    /// Delivers what no level held.
    pub(super) fn close_rest(&mut self, part: &Part, emit: Emit<'_>) {
        for (block, &open) in part.blocks.iter().zip(&self.open) {
            if open == 0 {
                continue;
            }
            let lead = &part.leads[block.lead as usize];
            let word = &part.words[block.word as usize];
            let first = block.first as usize;
            for (at, &bits) in self.unseen[first..first + lead.len()].iter().enumerate() {
                let key = block.key + lead.keys[at];
                if bits != 0 && !self.batch.push(key, word, bits, UNSOLVABLE, emit) {
                    return;
                }
            }
        }
        self.batch.mark(UNSOLVABLE);
        self.batch.flush(emit);
    }

    /// Everything one move away from the frontier that was not seen.
    #[inline(always)]
    pub(super) fn expand<B: Bits>(&mut self, how: B, part: &Part, columns: &Columns, depth: u16) {
        let frontier = std::mem::take(&mut self.frontier);
        let mut from = 0;
        for &(number, end) in &frontier.blocks {
            let block = &part.blocks[number as usize];
            let words = &frontier.words[from..end];
            from = end;
            if self.open[number as usize] > 0 {
                self.slide_columns(part, columns, number, block, words);
            }
            for (row, moves) in part.row_moves.iter().enumerate() {
                // From the exit, only the red car leads to what is not solved.
                if depth == 0 && row != part.red_row {
                    continue;
                }
                for step in &moves[usize::from(block.rows[row])] {
                    let to = (number as i32 + step.blocks) as u32;
                    if self.open[to as usize] > 0 {
                        self.slide_row(how, part, (block, to), row, step, words);
                    }
                }
            }
        }
        self.frontier = frontier;
    }

    #[inline]
    fn touch(&mut self, block: u32) {
        if !self.touched[block as usize] {
            self.touched[block as usize] = true;
            self.list.push(block);
        }
    }

    /// Moves along columns stay within the block.
    #[inline(always)]
    fn slide_columns(
        &mut self,
        part: &Part,
        columns: &Columns,
        number: u32,
        block: &Block,
        words: &[(u32, u64)],
    ) {
        let lead = &part.leads[block.lead as usize];
        let slides = &part.words[block.word as usize].slides;
        let first = block.first as usize;
        let unseen = &self.unseen[first..first + lead.len()];
        let next = &mut self.next[first..first + lead.len()];
        let mut any = 0;
        for &(at, bits) in words {
            let at = at as usize;
            if unseen[at] != 0 {
                let mut moved = 0;
                for &(shift, mask) in slides {
                    moved |= (bits & mask) << shift | bits >> shift & mask;
                }
                moved &= unseen[at];
                next[at] |= moved;
                any |= moved;
            }
        }
        let fits = fitting(columns, &part.leading, &block.blocked);
        for &(at, bits) in words {
            let numbers = &lead.numbers[at as usize];
            for ((fitting, &stride), &own) in fits.iter().zip(&lead.strides).zip(numbers) {
                for &step in fitting.steps(usize::from(own)) {
                    let to = (at as i32 + i32::from(step) * stride as i32) as usize;
                    let moved = bits & unseen[to];
                    next[to] |= moved;
                    any |= moved;
                }
            }
        }
        if any != 0 {
            self.touch(number);
        }
    }

    /// A move along a row leads to another block.
    #[inline(always)]
    fn slide_row<B: Bits>(
        &mut self,
        how: B,
        part: &Part,
        (block, to): (&Block, u32),
        row: usize,
        step: &RowMove,
        words: &[(u32, u64)],
    ) {
        let other = &part.blocks[to as usize];
        let first = other.first as usize;
        let lead = &part.leads[other.lead as usize];
        let unseen = &self.unseen[first..first + lead.len()];
        let next = &mut self.next[first..first + lead.len()];
        let places = part.leads[block.lead as usize].places(row as u8, step.before.1);
        let targets = lead.words(row as u8, step.after.1);
        let from = part.words[block.word as usize].clear(row, step.before.0);
        let into = part.words[other.word as usize].clear(row, step.after.0);
        let same = block.word == other.word;
        let mut any = 0;
        for &(at, bits) in words {
            let mut at = at;
            if let Some(places) = places {
                at = places[at as usize];
                if at == NOWHERE {
                    continue;
                }
            }
            let at = match targets {
                Some(targets) => targets[at as usize] as usize,
                None => at as usize,
            };
            if unseen[at] == 0 {
                continue;
            }
            let moved = match same {
                true => bits & from,
                false => how.scatter(how.gather(bits, from), into),
            };
            let moved = moved & unseen[at];
            next[at] |= moved;
            any |= moved;
        }
        if any != 0 {
            self.touch(to);
        }
    }
}
