//! The blocks of a part and the moves of its rows between them.

use super::columns::{Columns, Fitting};
use super::edges::{Edge, FIRST};
use super::shapes::{Lead, MOST, Shapes};
use crate::bitboard::{LineMoves, Numbers, PartRows, key_of_rows};
use crate::instances::Instance;

/// Blocks looked at to choose the trailing columns.
const LOOKED_AT: usize = 48;

/// All placements beside the same rows.
#[derive(Debug, Clone, Copy)]
pub(super) struct Block {
    /// Shape of its words, in [`Shapes::words`].
    pub word: u32,
    /// Shape of its leading columns, in [`Shapes::leads`].
    pub lead: u32,
    /// Its first word.
    pub first: u32,
    /// How many columns lead, in the order of the part; the others trail.
    pub split: u8,
    /// Key of its rows and walls.
    pub key: u64,
    /// Number of what each row holds, within the part.
    pub rows: [u8; MOST],
    /// Blocked cells of each column.
    pub blocked: [u8; MOST],
    /// Whether the red car is at the exit.
    pub solved: bool,
}

/// A move of a piece along a row.
#[derive(Debug, Clone, Copy)]
pub(super) struct RowMove {
    /// To the other block.
    pub blocks: i32,
    /// Columns that must not cover the row beforehand, as bits in the order of the part.
    pub before: u8,
    /// Columns that do not cover it in the other block, and could.
    pub after: u8,
}

impl Block {
    /// Those of some columns that trail.
    #[inline]
    pub(super) fn trailing(&self, columns: u8) -> u8 {
        (u16::from(columns) >> self.split) as u8
    }

    /// How many words there are to each content of the first leading columns.
    #[inline]
    pub(super) fn run(&self, lead: &Lead) -> usize {
        lead.words_of(FIRST.min(self.split.into())) as usize
    }
}

/// A part, ready to be searched.
#[derive(Debug, Default)]
pub(super) struct Part {
    pub blocks: Vec<Block>,
    /// Moves along rows out of each block, one block after the other.
    edges: Vec<Edge>,
    /// Where those of each block begin, and where the last one's end.
    edges_from: Vec<u32>,
    /// The columns, those that lead in a block before those that trail.
    pub order: Vec<usize>,
    /// Number of words.
    pub size: usize,
}

impl Part {
    /// Makes it another part, in the memory of the former.
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
    }

    /// Gives each block its shapes and its place.
    fn shape(&mut self, columns: &Columns, shapes: &mut Shapes) {
        self.size = 0;
        for block in &mut self.blocks {
            let split = split(columns, &self.order, &block.blocked);
            let (leading, trailing) = self.order.split_at(split);
            block.split = split as u8;
            block.word = shapes.word(columns, trailing, &block.blocked);
            block.lead = shapes.lead(columns, leading, &block.blocked);
            block.first = self.size as u32;
            self.size += shapes.leads[block.lead as usize].len();
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
        for (number, block) in self.blocks.iter().enumerate() {
            for (row, moves) in row_moves.iter().enumerate() {
                for step in &moves[usize::from(block.rows[row])] {
                    let to = number as i32 + step.blocks;
                    let blocks = (block, &self.blocks[to as usize]);
                    // What is solved lies in level 0: nothing leads to it that was not seen, and
                    // from there only the red car leads to what is not solved.
                    if blocks.1.solved || block.solved && row != red_row {
                        continue;
                    }

                    let edge =
                        Edge::new(shapes, columns, &self.order, blocks, row, step, to as u32);
                    self.edges.extend(edge);
                }
            }
            self.edges_from.push(self.edges.len() as u32);
        }
    }

    /// Moves along rows out of a block.
    #[inline]
    pub(super) fn edges(&self, block: u32) -> &[Edge] {
        let block = block as usize;
        &self.edges[self.edges_from[block] as usize..self.edges_from[block + 1] as usize]
    }
}

/// What fits into some columns of a block.
pub(super) fn fitting<'a>(
    columns: &'a Columns,
    chosen: &[usize],
    blocked: &[u8; MOST],
) -> Vec<&'a Fitting> {
    let each = chosen.iter();
    each.map(|&column| &columns[column][usize::from(blocked[column])])
        .collect()
}

/// How many columns lead: as few as leave the others no more placements than a word has bits.
fn split(columns: &Columns, order: &[usize], blocked: &[u8; MOST]) -> usize {
    let mut bits = 1;
    for (place, &column) in order.iter().enumerate().rev() {
        bits *= columns[column][usize::from(blocked[column])].len();
        if bits > 64 {
            return place + 1;
        }
    }
    0
}

/// The order of columns, of those that put the columns with the most (or the fewest) contents
/// first, that needs the fewest words, judged by some of the blocks.
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
            let leading = &order[..split(columns, order, &block.blocked)];
            let counts = leading.iter().map(|&column| count(block, column));
            counts.product::<u64>()
        };
        looked_at().map(of).sum::<u64>()
    };
    match words(&rising) < words(&falling) {
        true => rising,
        false => falling,
    }
}

/// The moves of all rows.
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
        let of = |(number, &from): (usize, &u8)| {
            let steps = moves[row].of(from).iter();
            steps
                .filter_map(|step| {
                    // Across a wall there is another sequence.
                    let to = contents.binary_search(&step.to).ok()?;
                    Some(RowMove {
                        blocks: (to as i32 - number as i32) * stride,
                        before: pick(needs(from, step.to)?),
                        after: pick(needs(step.to, from)?),
                    })
                })
                .collect()
        };
        all.push(contents.iter().enumerate().map(of).collect());
    }
    all
}
