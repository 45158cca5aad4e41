//! The blocks of a part and the moves of its rows between them.

use super::columns::{Columns, Fitting};
use super::edges::{Edge, FIRST, Move, NONE};
use super::shapes::{Cut, MOST, Shapes};
use crate::rush_hour::instances::Instance;
use crate::rush_hour::moves::LineMoves;
use crate::rush_hour::numbering::{Numbers, PartRows, key_of_rows};

/// Number of blocks sampled to choose the trailing columns.
const LOOKED_AT: usize = 48;

/// Blocks whose shapes are looked up together: their memory is prefetched meanwhile.
const AHEAD: usize = 16;

/// All placements with the same rows.
#[derive(Debug, Clone, Copy)]
pub(super) struct Block {
    /// The first of the shapes of its words, in [`Shapes::words`], one for each word of the cut
    /// column.
    pub word: u32,
    /// Shape of its leading columns, in [`Shapes::leads`].
    pub lead: u32,
    pub first: u32,
    /// Number of leading columns, in the order of the part; the next is cut, and the others trail.
    pub split: u8,
    pub cut: u8,
    pub key: u64,
    /// Number of each row's content, within the part.
    pub rows: [u8; MOST],
    /// Blocked cells of each column.
    pub blocked: [u8; MOST],
    pub solved: bool,
}

/// A move of a piece along a row by one cell.
#[derive(Debug, Clone, Copy)]
pub(super) struct RowMove {
    /// Offset to the other block.
    pub blocks: i32,
    /// Columns that must not cover the row before the move, as bits in the order of the part.
    pub before: u8,
    /// Columns that could cover it but do not in the other block.
    pub after: u8,
    /// Which of the later moves continues with the piece, if it may go farther at once.
    pub onward: Option<u8>,
}

impl Block {
    #[inline]
    pub(super) fn trailing(&self, columns: u8) -> u8 {
        (u16::from(columns) >> self.split) as u8
    }
}

/// A part, ready to be searched.
#[derive(Debug, Default)]
pub(super) struct Part {
    pub blocks: Vec<Block>,
    /// Moves along rows out of each block, block by block.
    edges: Vec<Edge>,
    /// Where the edges of each block begin, and where those of the last block end.
    edges_from: Vec<u32>,
    /// The edge of each move of each block, or [`NONE`], and where those of a block begin.
    edge_of: Vec<u32>,
    moves_from: Vec<u32>,
    /// The columns, those that lead in a block before those that trail.
    pub order: Vec<usize>,
    pub first: usize,
    pub size: usize,
}

impl Part {
    /// Converts it to another part, in the same memory.
    pub(super) fn renew(
        &mut self,
        instance: &Instance,
        numbers: &Numbers,
        columns: &Columns,
        moves: &[LineMoves],
        rows: &PartRows,
        shapes: &mut Shapes,
    ) {
        let red_row = usize::from(instance.red_row);
        let blocks = &mut self.blocks;
        blocks.clear();
        for number in 0..rows.count() {
            let (contents, own) = rows.choice(number);
            let red = instance.lines[red_row].contents[usize::from(contents[red_row])];
            blocks.push(Block {
                word: 0,
                lead: 0,
                first: 0,
                split: 0,
                cut: 0,
                key: key_of_rows(instance, rows.walls, &contents),
                rows: own,
                blocked: numbers.blocked(instance, rows.walls, &contents),
                solved: red.cells >> (instance.width - 1) & 1 == 1,
            });
        }
        self.order = order(columns, blocks);
        self.shape(columns, shapes);
        let row_moves = row_moves(rows, moves, &self.order);
        self.connect(columns, &row_moves, red_row, shapes);
        self.go_on(&row_moves);
    }

    /// Assigns each block its shapes and its place.
    fn shape(&mut self, columns: &Columns, shapes: &mut Shapes) {
        self.size = 0;
        self.first = FIRST;
        let order = &self.order;
        let mut asked = Vec::with_capacity(AHEAD);
        for blocks in self.blocks.chunks_mut(AHEAD) {
            asked.clear();
            asked.extend(blocks.iter().map(|block| {
                let (split, cut) = split(columns, order, &block.blocked);
                (
                    split,
                    cut,
                    shapes.fetch_word(&order[split..], &block.blocked),
                )
            }));
            for (block, &(split, cut, wanted)) in blocks.iter_mut().zip(&asked) {
                let (leading, trailing) = order.split_at(split);
                self.first = self.first.min(split);
                (block.split, block.cut) = (split as u8, cut.words as u8);
                block.word = shapes.word(wanted, columns, trailing, &block.blocked);
                block.lead = shapes.lead(columns, leading, &block.blocked, cut.words);
                block.first = self.size as u32;
                self.size += shapes.leads[block.lead as usize].len();
            }
        }
    }

    /// Lists the moves along rows.
    fn connect(
        &mut self,
        columns: &Columns,
        row_moves: &[Vec<Vec<RowMove>>],
        red_row: usize,
        shapes: &mut Shapes,
    ) {
        self.edges.clear();
        self.edges_from.clear();
        self.edges_from.push(0);
        self.edge_of.clear();
        self.moves_from.clear();
        let order = (&self.order[..], self.first);
        let mut moves = Vec::new();
        for (number, block) in self.blocks.iter().enumerate() {
            self.moves_from.push(self.edge_of.len() as u32);
            // First the keys of the edges' tables, for the whole block: the tables are scattered
            // over the memory, and are prefetched while the others are computed.
            moves.clear();
            for (row, steps) in row_moves.iter().enumerate() {
                for step in &steps[usize::from(block.rows[row])] {
                    let to = number as i32 + step.blocks;
                    let other = &self.blocks[to as usize];
                    // Solved placements are level 0: a move to one meets nothing new, and only the
                    // red car's moves lead from a solved to an unsolved one.
                    let skipped = other.solved || block.solved && row != red_row;
                    let blocks = (block, (to as u32, other));
                    let made = match skipped {
                        true => None,
                        false => Move::new(shapes, columns, order, blocks, (row, step)),
                    };
                    if let Some(made) = &made {
                        made.fetch(shapes);
                    }
                    moves.push(made);
                }
            }
            for made in &moves {
                let edge = made.as_ref().map(|made| made.edge(shapes));
                let number = edge.map_or(NONE, |_| self.edges.len() as u32);
                self.edge_of.push(number);
                self.edges.extend(edge);
            }
            self.edges_from.push(self.edges.len() as u32);
        }
    }

    /// Finds for every edge the one that continues with the piece.
    fn go_on(&mut self, row_moves: &[Vec<Vec<RowMove>>]) {
        for (number, block) in self.blocks.iter().enumerate() {
            // The other block has the same moves for the rows before the piece's row.
            let mut before = 0;
            for (row, moves) in row_moves.iter().enumerate() {
                let moves = &moves[usize::from(block.rows[row])];
                for (at, step) in moves.iter().enumerate() {
                    let own = self.edge_of[self.moves_from[number] as usize + before + at];
                    let to = (number as i32 + step.blocks) as usize;
                    if let (Some(edge), Some(onward)) =
                        (self.edges.get_mut(own as usize), step.onward)
                    {
                        let other = self.moves_from[to] as usize + before + usize::from(onward);
                        edge.onward = self.edge_of[other];
                    }
                }
                before += moves.len();
            }
        }
    }

    #[inline]
    pub(super) fn onward(&self, edge: &Edge) -> Option<&Edge> {
        self.edges.get(edge.onward as usize)
    }

    #[inline]
    pub(super) fn edges(&self, block: u32) -> &[Edge] {
        let block = block as usize;
        &self.edges[self.edges_from[block] as usize..self.edges_from[block + 1] as usize]
    }
}

/// The contents that fit into some columns of a block.
pub(super) fn fitting<'a>(
    columns: &'a Columns,
    chosen: &[usize],
    blocked: &[u8; MOST],
) -> Vec<&'a Fitting> {
    let each = chosen.iter();
    each.map(|&column| &columns[column][usize::from(blocked[column])])
        .collect()
}

/// How many columns lead, and how the next is cut: as few as possible while the columns after it
/// have at most as many placements as a word has bits.
fn split(columns: &Columns, order: &[usize], blocked: &[u8; MOST]) -> (usize, Cut) {
    let mut bits = 1;
    for (place, &column) in order.iter().enumerate().rev() {
        let own = columns[column][usize::from(blocked[column])].len();
        if place == 0 || bits * own > 64 {
            return (place, Cut::new(own, bits));
        }
        bits *= own;
    }
    (0, Cut::new(1, 1))
}

/// Among the orders of columns with the most (or the fewest) contents first, the one with the
/// fewest words, judged by some of the blocks.
fn order(columns: &Columns, blocks: &[Block]) -> Vec<usize> {
    let every = (blocks.len() / LOOKED_AT).max(1);
    let looked_at = || blocks.iter().step_by(every);
    let count = |block: &Block, column: usize| {
        let blocked = usize::from(block.blocked[column]);
        columns[column][blocked].len() as u64
    };
    let all = |column: usize| looked_at().map(|block| count(block, column)).sum::<u64>();
    let mut falling: Vec<usize> = (0..columns.len()).collect();
    falling.sort_by_key(|&column| (std::cmp::Reverse(all(column)), column));
    let rising: Vec<usize> = falling.iter().rev().copied().collect();
    let words = |order: &Vec<usize>| {
        let of = |block: &Block| {
            let (split, cut) = split(columns, order, &block.blocked);
            let leading = order[..split].iter();
            let counts = leading.map(|&column| count(block, column));
            counts.product::<u64>() * cut.words as u64
        };
        looked_at().map(of).sum::<u64>()
    };
    match words(&rising) < words(&falling) {
        true => rising,
        false => falling,
    }
}

/// The moves of all rows by one cell.
fn row_moves(rows: &PartRows, moves: &[LineMoves], order: &[usize]) -> Vec<Vec<Vec<RowMove>>> {
    let pick = |columns: u8| {
        let each = order.iter().enumerate();
        each.fold(0, |set, (at, column)| set | (columns >> column & 1) << at)
    };
    let mut stride = rows.count() as i32;
    let mut all = Vec::new();
    for (row, contents) in rows.contents.iter().enumerate() {
        stride /= contents.len() as i32;
        let needs = |from: u8, to: u8| {
            let step = moves[row].of(from).iter().find(|step| step.to == to)?;
            Some((step.needs >> (8 * row)) as u8)
        };
        // The result of each, and the next one if the piece moves on. On the other side of a wall,
        // there is another sequence.
        let units = |from: u8| {
            let steps = moves[row].of(from);
            let after = steps.iter().skip(1).map(Some).chain([None]);
            let each = steps.iter().zip(after).filter(|(step, _)| {
                let within = contents.binary_search(&step.to).is_ok();
                !step.farther && within
            });
            each.map(|(step, after)| (step.to, after.filter(|after| after.farther)))
        };
        let of = |(number, &from): (usize, &u8)| {
            units(from)
                .filter_map(|(to, after)| {
                    let other = contents.binary_search(&to).ok()?;
                    let onward = after
                        .and_then(|after| units(to).position(|(farther, _)| farther == after.to));
                    Some(RowMove {
                        blocks: (other as i32 - number as i32) * stride,
                        before: pick(needs(from, to)?),
                        after: pick(needs(to, from)?),
                        onward: onward.map(|onward| onward as u8),
                    })
                })
                .collect()
        };
        all.push(contents.iter().enumerate().map(of).collect());
    }
    all
}
