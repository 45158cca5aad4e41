//! Levels of one part, word by word.

use puzzle_api::UNSOLVABLE;

use super::columns::Columns;
use super::edges::{Edge, NONE, NOWHERE};
use super::emit::{Batch, Emit};
use super::locals::Piece;
use super::part::{Block, Part};
use super::shapes::Shapes;
use crate::bits::Machine;

#[derive(Debug, Clone, Copy)]
struct Held {
    /// Number of the contents of the first columns, and the word of the cut one.
    first: u16,
    cut: u16,
    rest: u32,
    bits: u64,
}

impl Held {
    #[inline]
    fn at((first, rest, cut): (u32, u32, u32), bits: u64) -> Self {
        Self {
            first: first as u16,
            cut: cut as u16,
            rest,
            bits,
        }
    }
}

/// Words of a level: for each block with some, its number and the end of its words.
#[derive(Debug, Default)]
pub(super) struct Frontier {
    blocks: Vec<(u32, usize)>,
    words: Vec<Held>,
}

/// Buffers of one search.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    /// Bits of placements that are in no level yet.
    unseen: Vec<u64>,
    /// Bits of the next level, all of them unseen.
    next: Vec<u64>,
    /// Number of words of each block with unseen bits; 0 when it is done.
    open: Vec<u32>,
    /// Whether each block has bits in `next`.
    touched: Vec<bool>,
    list: Vec<u32>,
    frontier: Frontier,
    /// Words of a block in which a move along a row found something, with all of these bits.
    going: Vec<Held>,
    /// The buffer for these, for reuse.
    gone: Vec<Held>,
    batch: Batch,
}

impl Scratch {
    /// Begins a part: nothing is seen, and the solved placements are next.
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
            let shapes = shapes.words.of(block);
            let first = self.unseen.len();
            let each = shapes.iter().map(|word| word.full).cycle();
            self.unseen.extend(each.take(words));
            let unseen = &self.unseen[first..];
            let empty = unseen.first().is_none_or(|&bits| bits == 0);
            self.open.push(if empty { 0 } else { words as u32 });
            self.touched.push(block.solved);
            if block.solved {
                self.next[first..first + words].copy_from_slice(unseen);
                self.list.push(number as u32);
            }
        }
    }

    /// Closes the next level: delivers it and makes it the frontier. Returns whether it held
    /// anything, or `None` if the delivery was stopped.
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
            let words = shapes.words.of(block);
            let first = block.first as usize;
            let next = &mut self.next[first..first + lead.len()];
            let unseen = &mut self.unseen[first..first + lead.len()];
            let run = (lead.words_of(part.first) as usize).max(1);
            let runs = next.chunks_mut(run).zip(unseen.chunks_mut(run));
            for (run, ((next, unseen), keys)) in runs.zip(lead.keys.chunks(run)).enumerate() {
                let own = next.iter_mut().zip(unseen).zip(keys);
                for (at, ((next, unseen), key)) in own.enumerate() {
                    if *next == 0 {
                        continue;
                    }
                    let bits = std::mem::take(next);
                    *unseen &= !bits;
                    self.open[number as usize] -= u32::from(*unseen == 0);
                    let (rest, cut) = (at / words.len(), at % words.len());
                    let numbers = (run as u32, rest as u32, cut as u32);
                    self.frontier.words.push(Held::at(numbers, bits));
                    let key = block.key + key;
                    let own = (&words[cut], shapes.words.keys(&words[cut]));
                    if !self.batch.push(key, own, bits, depth, emit) {
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

    /// Delivers the placements that are in no level.
    pub(super) fn close_rest(&mut self, part: &Part, shapes: &Shapes, emit: Emit<'_>) {
        for (block, &open) in part.blocks.iter().zip(&self.open) {
            if open == 0 {
                continue;
            }
            let lead = &shapes.leads[block.lead as usize];
            let words = shapes.words.of(block);
            let first = block.first as usize;
            for (at, &bits) in self.unseen[first..first + lead.len()].iter().enumerate() {
                if bits == 0 {
                    continue;
                }
                let (key, word) = (block.key + lead.keys[at], &words[at % words.len()]);
                let own = (word, shapes.words.keys(word));
                if !self.batch.push(key, own, bits, UNSOLVABLE, emit) {
                    return;
                }
            }
        }
        self.batch.mark(UNSOLVABLE);
        self.batch.flush(emit);
    }

    #[inline(always)]
    pub(super) fn expand<M: Machine>(&mut self, part: &Part, shapes: &Shapes, columns: &Columns) {
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
                self.slide_row::<M>(shapes, edge, words);
                let mut last = edge;
                while let Some(edge) = part.onward(last).filter(|_| !self.going.is_empty()) {
                    let going = std::mem::take(&mut self.going);
                    self.slide_row::<M>(shapes, edge, &going);
                    self.gone = going;
                    last = edge;
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
        let (all, shapes) = (&shapes.words, shapes.words.of(block));
        let first = block.first as usize;
        let unseen = &self.unseen[first..first + lead.len()];
        let next = &mut self.next[first..first + lead.len()];
        let mut any = 0;
        let run = lead.words_of(part.first) as usize;
        let place = |held: &Held| {
            let rest = held.rest as usize * shapes.len() + usize::from(held.cut);
            usize::from(held.first) * run + rest
        };
        for held in words {
            let (at, bits) = (place(held), held.bits);
            let shape = &shapes[usize::from(held.cut)];
            if unseen[at] != 0 {
                let mut moved = 0;
                for &(shift, mask) in all.slides(shape) {
                    moved |= (bits & mask) << shift | bits >> shift & mask;
                }
                moved &= unseen[at];
                next[at] |= moved;
                any |= moved;
            }
            for crossing in all.crossings(shape) {
                let to = (at as i32 + crossing.by) as usize;
                let moved = (bits & crossing.bits).rotate_left(crossing.turn.into()) & unseen[to];
                next[to] |= moved;
                any |= moved;
            }
        }
        let leading = &part.order[..block.split.into()];
        for held in words {
            let (at, bits) = (place(held), held.bits);
            let numbers = &lead.numbers[at];
            for ((&column, &stride), &own) in leading.iter().zip(&lead.strides).zip(numbers) {
                let fitting = &columns[column][usize::from(block.blocked[column])];
                let mut moved = bits;
                for step in fitting.steps(usize::from(own)) {
                    let from = if step.farther { moved } else { bits };
                    moved = 0;
                    if from != 0 {
                        let to = (at as i32 + i32::from(step.by) * stride as i32) as usize;
                        moved = from & unseen[to];
                        next[to] |= moved;
                        any |= moved;
                    }
                }
            }
        }
        if any != 0 {
            self.touch(number);
        }
    }

    /// A move along a row leads to another block. Placements that it finds there and from which the
    /// piece can move on are `going`.
    #[inline(always)]
    fn slide_row<M: Machine>(&mut self, shapes: &Shapes, edge: &Edge, words: &[Held]) {
        self.going.clear();
        if self.going.capacity() == 0 {
            self.going = std::mem::take(&mut self.gone);
            self.going.clear();
        }
        if self.open[edge.to as usize] == 0 {
            return;
        }
        let range = edge.first as usize..(edge.first + edge.words) as usize;
        let (unseen, next) = (&self.unseen[range.clone()], &mut self.next[range]);
        let [firsts, rests] = edge.tables.map(|table| &shapes.lists[table as usize..]);
        let going = &mut self.going;
        let mut any = 0;
        for held in words {
            let (local, rest) = edge.local(held.rest, held.cut);
            let entries = [firsts[usize::from(held.first)], rests[rest as usize]];
            if entries[0] == NOWHERE || entries[1] == NOWHERE {
                continue;
            }
            let local = &shapes.locals[local as usize];
            let bits = M::extract(held.bits & local.from, local.from);
            if bits == 0 {
                continue;
            }
            let word = edge.word(entries);
            let mut put = |piece: &Piece| {
                let at = word + u32::from(piece.word);
                let moved = piece.put::<M>(bits) & unseen[at as usize];
                if moved != 0 {
                    next[at as usize] |= moved;
                    any |= moved;
                    if edge.onward != NONE {
                        going.push(Held::at(edge.numbers(at), moved));
                    }
                }
            };
            put(&local.first);
            if local.count > 0 {
                let others = &shapes.pieces[local.others as usize..];
                others[..local.count.into()].iter().for_each(put);
            }
        }
        if any != 0 {
            self.touch(edge.to);
        }
    }
}
