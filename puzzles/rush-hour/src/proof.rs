//! The distances of a part of a census, proven on all of its placements.
//!
//! State by state on the rulebook, the 31,106,546,110 placements of 6x6 take hours. But a move
//! stays in its line, and whether it can be made is seen from the cells of that line alone, of
//! which there are few: all are moved by the rulebook beforehand (`lines`), and the successors
//! of every placement are then put together from those of its lines. Nothing of the fast
//! variant is used: neither its moves nor its numbering.
//!
//! Of each part it is shown that the states delivered are all its placements, each once, that
//! exactly those with the red car at the exit are at distance 0, and that every other one is
//! one further than the least of its successors, or leads to none that is solved. Over a
//! finite part that leaves one table: the distances. How many placements all parts hold
//! together is counted without the parts (`derive`).

pub(crate) mod lines;
mod part;
mod place;
#[cfg(test)]
mod tests;

use puzzle_api::proof::{PartCheck, PartProof};
use puzzle_api::{BadInput, Request, Xorshift};

use crate::board::Board;
use crate::derive::placements;
use crate::instances::{self, Instance};
use crate::rules::{self, Numbers};
use crate::sample;
use lines::{Beside, Line, Slides};
use part::Part;
use place::Digits;

/// Boards on which the moves of the lines are held against those of the board.
const TRIED: u64 = 300;

/// The proof for one census.
#[derive(Debug)]
pub struct CensusProof {
    instance: Instance,
    numbers: Numbers,
    /// For each column, by its blocked cells.
    columns: Vec<Vec<Beside>>,
    rows: Vec<Slides>,
    /// What the keys of a part's placements say of its columns.
    digits: Digits,
}

impl CensusProof {
    /// The proof for an instance, some tens of milliseconds; `None` for one that is no census.
    ///
    /// # Errors
    /// [`BadInput`] as the variants say it.
    pub fn open(request: &Request<'_>) -> Result<Option<Self>, BadInput> {
        let instance = instances::open(request)?;
        if instance.start.is_some() {
            return Ok(None);
        }
        let column = |column: usize| {
            let line = Line::new(&instance, instance.rows() + column);
            let blocked = 0..1_u16 << instance.rows();
            blocked
                .map(|blocked| line.beside(&instance, blocked as u8))
                .collect()
        };
        Ok(Some(Self {
            numbers: Numbers::new(&instance),
            columns: (0..instance.columns()).map(column).collect(),
            rows: (0..instance.rows())
                .map(|row| Slides::new(&instance, row))
                .collect(),
            digits: Digits::new(&instance),
            instance,
        }))
    }

    /// The keys of the successors of a placement, by the moves of its lines.
    fn successors(&self, key: u64) -> Vec<u64> {
        let instance = &self.instance;
        let content = |line: usize| {
            let line = &instance.lines[line];
            (key / line.weight) as usize % line.contents.len()
        };
        let walls = instance.walls[(key / instance.wall_weight) as usize];
        let cells = (0..instance.lines.len()).map(|line| {
            let own = instance.lines[line].contents[content(line)].cells;
            instance.cells_on(line, own)
        });
        let cells: Vec<u64> = cells.collect();
        let mut found = Vec::new();
        for line in 0..instance.lines.len() {
            let others = cells.iter().enumerate().filter(|(other, _)| *other != line);
            let blocked = others.fold(walls, |blocked, (_, cells)| blocked | cells);
            let blocked = usize::from(instance.cells_of(blocked, line));
            let from = content(line);
            let to: Vec<u8> = match line.checked_sub(instance.rows()) {
                None => self.rows[line].moves(from, blocked).to_vec(),
                Some(column) => {
                    let beside = &self.columns[column][blocked];
                    let moves = beside.moves[usize::from(beside.places[from])].iter();
                    moves
                        .map(|&place| beside.contents[usize::from(place)])
                        .collect()
                }
            };
            let weight = instance.lines[line].weight;
            found.extend(
                to.iter()
                    .map(|&to| key - from as u64 * weight + u64::from(to) * weight),
            );
        }
        found.sort_unstable();
        found
    }
}

impl PartProof for CensusProof {
    fn foundation(&self) -> Result<String, String> {
        if !self.rows.iter().all(Slides::are_the_moves) {
            return Err("what a row's move needs is more than some cells free".to_owned());
        }
        let key = |board: &Board| self.instance.key(board).unwrap_or(u64::MAX);
        for draw in 0..TRIED {
            let board = sample::random_board(&self.instance, &mut Xorshift::for_draw(1, draw));
            let Some(board) = board else {
                return Err("boards of this size are not drawn".to_owned());
            };
            let pieces = 0..board.pieces.len();
            let after =
                pieces.flat_map(|piece| rules::moves_of(&board, self.instance.metric, piece));
            let mut by_rules: Vec<u64> = after.map(|after| key(&after)).collect();
            by_rules.sort_unstable();
            if self.successors(key(&board)) != by_rules {
                return Err(format!(
                    "{}: its lines by themselves move elsewhere",
                    board.draw()
                ));
            }
        }
        Ok(format!(
            "what a move does to a line was taken from the rulebook for all contents of all lines \
             and all cells of them that others cover, and the moves of the board found to be \
             those of its lines on {TRIED} boards"
        ))
    }

    fn states(&self) -> u64 {
        let walls = self.instance.walls[0].count_ones();
        placements(self.instance.rows(), walls, self.instance.red_row)
    }

    fn part(&self, part: u64) -> Option<Box<dyn PartCheck + '_>> {
        Some(Box::new(Part::new(self, part)?))
    }
}
