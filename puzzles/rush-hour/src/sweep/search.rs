//! Levels of one part, a word at a time.

use puzzle_api::UNSOLVABLE;

use super::bits::Bits;
use super::columns::Columns;
use super::edges::{Edge, NOWHERE};
use super::emit::{Batch, Emit};
use super::part::{Block, Part};
use super::shapes::Shapes;

/// A word of a level.
#[derive(Debug, Clone, Copy)]
struct Held {
    /// Number of what its first leading columns hold, and of what the others do.
    numbers: [u32; 2],
    bits: u64,
}

/// Words of a level: for each block that has some, its number and where its words end.
#[derive(Debug, Default)]
pub(super) struct Frontier {
    blocks: Vec<(u32, usize)>,
    words: Vec<Held>,
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
    pub(super) fn start(&mut self, part: &Part, shapes: &Shapes) {
        self.unseen.clear();
        self.next.clear();
        self.next.resize(part.size, 0);
        self.open.clear();
        self.touched.clear();
        self.list.clear();
        self.batch.clear();
        for (number, block) in part.blocks.iter().enumerate() {
            let words = shapes.leads[block.lead as usize].len();
            let full = shapes.words[block.word as usize].full;
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
    pub(super) fn close_level(
        &mut self,
        part: &Part,
        shapes: &Shapes,
        depth: u16,
        emit: Emit<'_>,
    ) -> Option<bool> {
        self.frontier.blocks.clear();
        self.frontier.words.clear();
        self.list.sort_unstable();
        for number in std::mem::take(&mut self.list) {
            let block = &part.blocks[number as usize];
            self.touched[number as usize] = false;
            let lead = &shapes.leads[block.lead as usize];
            let word = &shapes.words[block.word as usize];
            let first = block.first as usize;
            let next = &mut self.next[first..first + lead.len()];
            let unseen = &mut self.unseen[first..first + lead.len()];
            let run = block.run(lead).max(1);
            let runs = next.chunks_mut(run).zip(unseen.chunks_mut(run));
            for (run, ((next, unseen), keys)) in runs.zip(lead.keys.chunks(run)).enumerate() {
                let words = next.iter_mut().zip(unseen).zip(keys);
                for (at, ((next, unseen), key)) in words.enumerate() {
                    if *next == 0 {
                        continue;
                    }
                    let bits = std::mem::take(next);
                    *unseen &= !bits;
                    self.open[number as usize] -= u32::from(*unseen == 0);
                    let numbers = [run as u32, at as u32];
                    self.frontier.words.push(Held { numbers, bits });
                    let key = block.key + key;
                    if !self.batch.push(key, word, bits, depth, emit) {
                        return None;
                    }
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
    pub(super) fn close_rest(&mut self, part: &Part, shapes: &Shapes, emit: Emit<'_>) {
        for (block, &open) in part.blocks.iter().zip(&self.open) {
            if open == 0 {
                continue;
            }
            let lead = &shapes.leads[block.lead as usize];
            let word = &shapes.words[block.word as usize];
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
    pub(super) fn expand<B: Bits>(
        &mut self,
        how: B,
        part: &Part,
        shapes: &Shapes,
        columns: &Columns,
    ) {
        let frontier = std::mem::take(&mut self.frontier);
        let mut from = 0;
        for &(number, end) in &frontier.blocks {
            let block = &part.blocks[number as usize];
            let words = &frontier.words[from..end];
            from = end;
            if self.open[number as usize] > 0 {
                self.slide_columns(part, shapes, columns, number, block, words);
            }
            for edge in part.edges(number) {
                if self.open[edge.to as usize] > 0 {
                    self.slide_row(how, &shapes.lists, edge, words);
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
        shapes: &Shapes,
        columns: &Columns,
        number: u32,
        block: &Block,
        words: &[Held],
    ) {
        let lead = &shapes.leads[block.lead as usize];
        let slides = &shapes.words[block.word as usize].slides;
        let first = block.first as usize;
        let unseen = &self.unseen[first..first + lead.len()];
        let next = &mut self.next[first..first + lead.len()];
        let mut any = 0;
        let run = block.run(lead);
        let place = |numbers: [u32; 2]| numbers[0] as usize * run + numbers[1] as usize;
        for &Held { numbers, bits } in words {
            let at = place(numbers);
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
        let leading = &part.order[..block.split.into()];
        for &Held { numbers, bits } in words {
            let at = place(numbers);
            let numbers = &lead.numbers[at];
            for ((&column, &stride), &own) in leading.iter().zip(&lead.strides).zip(numbers) {
                let fitting = &columns[column][usize::from(block.blocked[column])];
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
    fn slide_row<B: Bits>(&mut self, how: B, lists: &[u32], edge: &Edge, words: &[Held]) {
        let range = edge.first as usize..(edge.first + edge.words) as usize;
        let (unseen, next) = (&self.unseen[range.clone()], &mut self.next[range]);
        let tables = edge.tables.map(|table| &lists[table as usize..]);
        let mut any = 0;
        for held in words {
            let entries = [0, 1].map(|which| tables[which][held.numbers[which] as usize]);
            if entries[0] == NOWHERE || entries[1] == NOWHERE {
                continue;
            }
            let bits = match edge.same {
                true => held.bits & edge.from,
                false => how.gather(held.bits, edge.from),
            };
            if bits == 0 {
                continue;
            }
            let mut put = |at: u32, bits: u64| {
                let moved = match edge.same {
                    true => bits,
                    false => how.scatter(bits, edge.into),
                };
                let moved = moved & unseen[at as usize];
                if moved != 0 {
                    next[at as usize] |= moved;
                    any |= moved;
                }
            };
            let word = edge.word(entries);
            if edge.narrower > 0 {
                let pieces = &lists[edge.pieces as usize..][..edge.narrower as usize];
                for (piece, &more) in pieces.iter().enumerate() {
                    put(word + more, bits >> (piece as u32 * edge.taken));
                }
            } else if edge.wider {
                put(word, bits << edge.shift(entries));
            } else {
                put(word, bits);
            }
        }
        if any != 0 {
            self.touch(edge.to);
        }
    }
}
