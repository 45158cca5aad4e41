//! The blocks of a part and the moves of its rows between them.

use std::collections::HashMap;

use super::columns::{Columns, Fitting};
use super::shapes::{Lead, MOST, Word};
use crate::bitboard::{LineMoves, Numbers, PartRows, key_of_rows};
use crate::instances::Instance;

/// Blocks looked at to choose the trailing columns.
const LOOKED_AT: usize = 48;

/// All placements beside the same rows.
#[derive(Debug, Clone, Copy)]
pub(super) struct Block {
    /// Shape of its words, in [`Part::words`].
    pub word: u32,
    /// Shape of its leading columns, in [`Part::leads`].
    pub lead: u32,
    /// Its first word.
    pub first: u32,
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
    /// Columns that must not cover the row beforehand, among the trailing and the leading.
    pub before: (u8, u8),
    /// Columns that do not cover it in the other block, and could.
    pub after: (u8, u8),
}

/// A part, ready to be searched.
#[derive(Debug)]
pub(super) struct Part {
    pub blocks: Vec<Block>,
    pub words: Vec<Word>,
    pub leads: Vec<Lead>,
    /// Moves of each row by the number of what it holds.
    pub row_moves: Vec<Vec<Vec<RowMove>>>,
    /// Leading columns.
    pub leading: Vec<usize>,
    /// Number of words.
    pub size: usize,
    pub red_row: usize,
}

impl Part {
    pub(super) fn new(
        instance: &Instance,
        numbers: &Numbers,
        columns: &Columns,
        moves: &[LineMoves],
        rows: &PartRows,
    ) -> Self {
        let red_row = usize::from(instance.red_row);
        let mut blocks = Vec::with_capacity(rows.count());
        for number in 0..rows.count() {
            let (contents, own) = rows.choice(number);
            let red = instance.lines[red_row].contents[usize::from(contents[red_row])];
            blocks.push(Block {
                word: 0,
                lead: 0,
                first: 0,
                key: key_of_rows(instance, rows.walls, &contents),
                rows: own,
                blocked: numbers.blocked(instance, rows.walls, &contents),
                solved: red.cells >> (instance.width - 1) & 1 == 1,
            });
        }
        let trailing_set = choose_trailing(columns, &blocks);
        let split = |wanted: bool| {
            let all = 0..instance.columns();
            all.filter(move |column| (trailing_set >> column & 1 == 1) == wanted)
                .collect::<Vec<_>>()
        };
        let (trailing, leading) = (split(true), split(false));
        let row_moves = row_moves(rows, moves, &trailing, &leading);
        let mut part = Self {
            blocks,
            words: Vec::new(),
            leads: Vec::new(),
            row_moves,
            leading,
            size: 0,
            red_row,
        };
        part.shape(columns, &trailing);
        part.choose(columns);
        part
    }

    /// Gives each block its shapes and its place.
    fn shape(&mut self, columns: &Columns, trailing: &[usize]) {
        let (mut words, mut leads) = (HashMap::new(), HashMap::new());
        for block in &mut self.blocks {
            let own = |chosen: &[usize]| {
                let mut own = [0_u8; MOST];
                for &column in chosen {
                    own[column] = block.blocked[column];
                }
                u64::from_le_bytes(own)
            };
            let (word, lead) = (own(trailing), own(&self.leading));
            block.word = *words.entry(word).or_insert_with(|| {
                self.words
                    .push(Word::new(&fitting(columns, trailing, &block.blocked)));
                self.words.len() as u32 - 1
            });
            block.lead = *leads.entry(lead).or_insert_with(|| {
                let columns = fitting(columns, &self.leading, &block.blocked);
                self.leads.push(Lead::new(&columns));
                self.leads.len() as u32 - 1
            });
            block.first = self.size as u32;
            self.size += self.leads[block.lead as usize].len();
        }
    }

    /// Lists, for each shape, the words that the moves of rows ask for.
    fn choose(&mut self, columns: &Columns) {
        for block in &self.blocks {
            let lead = &mut self.leads[block.lead as usize];
            let fits = fitting(columns, &self.leading, &block.blocked);
            for (row, moves) in self.row_moves.iter().enumerate() {
                for step in &moves[usize::from(block.rows[row])] {
                    lead.choose(&fits, row as u8, step.before.1);
                }
            }
        }
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

/// The set of columns whose contents fit into a word in every block and that leave the fewest
/// words, judged by some of the blocks.
fn choose_trailing(columns: &Columns, blocks: &[Block]) -> u8 {
    let count = |block: &Block, column: usize| {
        let blocked = usize::from(block.blocked[column]);
        columns[column][blocked].len() as u64
    };
    let mut most = [1; MOST];
    for block in blocks {
        for (column, most) in most.iter_mut().enumerate().take(columns.len()) {
            *most = count(block, column).max(*most);
        }
    }
    let every = (blocks.len() / LOOKED_AT).max(1);
    let members = |set: u8| (0..columns.len()).filter(move |column| set >> column & 1 == 1);
    let sets = 0..=u8::MAX >> (8 - columns.len());
    let fits = sets.filter(|&set| members(set).map(|column| most[column]).product::<u64>() <= 64);
    let words = |set: &u8| {
        let looked_at = blocks.iter().step_by(every);
        let words = looked_at.map(|block| {
            let leading = members(!set).map(|column| count(block, column));
            leading.product::<u64>()
        });
        words.sum::<u64>()
    };
    fits.min_by_key(words).unwrap_or(0)
}

/// The moves of all rows.
fn row_moves(
    rows: &PartRows,
    moves: &[LineMoves],
    trailing: &[usize],
    leading: &[usize],
) -> Vec<Vec<Vec<RowMove>>> {
    let pick = |columns: u8| {
        let among = |chosen: &[usize]| {
            let each = chosen.iter().enumerate();
            each.fold(0, |set, (at, column)| set | (columns >> column & 1) << at)
        };
        (among(trailing), among(leading))
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
