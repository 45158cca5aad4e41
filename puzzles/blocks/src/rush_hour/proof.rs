//! The distances of a part of a census, proven on all of its placements.
//!
//! State by state on the rulebook, the 31,106,546,110 placements of 6x6 would take hours. But the
//! rulebook slides a piece by the cells of its line alone, which have few contents. It moves all of
//! them beforehand (`lines`), and the successors of every placement are put together from those of
//! its lines. Nothing of the fast variant is used, neither its moves nor its numbering.
//!
//! For each part the proof shows that the states delivered are all its placements, each once.
//! Exactly those with the red car at the exit are at distance 0. Every other one is one further
//! than the least of its successors, or leads to none that is solved. Over a finite part, that
//! determines one table: the distances. The total number of placements of all parts is counted
//! without the parts (`derive`).

pub(crate) mod lines;
mod part;
mod place;

use puzzle_api::proof::{PartCheck, PartProof};
use puzzle_api::{BadInput, Request};

use crate::rush_hour::derive::placements;
use crate::rush_hour::instances::{self, Instance};
use crate::rush_hour::rules::Numbers;
use lines::{Beside, Line, Slides};
use part::Part;
use place::Digits;

/// The proof for one census.
#[derive(Debug)]
pub struct CensusProof {
    instance: Instance,
    numbers: Numbers,
    /// For each column, by its blocked cells.
    columns: Vec<Vec<Beside>>,
    rows: Vec<Slides>,
    /// The digits for columns in the keys of a part's placements.
    digits: Digits,
}

impl CensusProof {
    /// The proof for an instance, made in some tens of milliseconds; `None` for one that is no
    /// census.
    ///
    /// # Errors
    /// [`BadInput`] as the variants report it.
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
}

impl PartProof for CensusProof {
    fn foundation(&self) -> Result<String, String> {
        if !self.rows.iter().all(Slides::are_the_moves) {
            return Err("a row's move depends on more than which cells are free".to_owned());
        }
        Ok(
            "the rulebook slides a piece by what its line holds, and all contents of all lines \
             with all cells of them that others cover were moved by it"
                .to_owned(),
        )
    }

    fn states(&self) -> u64 {
        let walls = self.instance.walls[0].count_ones();
        placements(self.instance.rows(), walls, self.instance.red_row)
    }

    fn part(&self, part: u64) -> Option<Box<dyn PartCheck + '_>> {
        Some(Box::new(Part::new(self, part)?))
    }
}
