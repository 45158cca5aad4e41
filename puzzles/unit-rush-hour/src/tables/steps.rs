//! Where cars step, by the rulebook.

use super::{KINDS, board_with};
use crate::instances::Instance;
use crate::rules;

/// Ways to step: of each kind back and forward, the first kind first.
pub(super) const WAYS: usize = 2 * KINDS.len();

/// By cell and way.
type ByCell = Vec<[Option<u8>; WAYS]>;

/// Steps of a car that is alone on the board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Steps {
    /// By the cell that it leaves, the cell that it comes to.
    pub(super) from: ByCell,
    /// By the cell that it comes to, the cell that it leaves.
    pub(super) into: ByCell,
}

impl Steps {
    pub(super) fn by_the_rulebook(instance: &Instance) -> Self {
        let step = |cell: usize, way: usize| {
            let board = board_with(instance, 0, &[(cell, KINDS[way / 2])]);
            rules::step(&board, cell, way % 2 == 1).map(|to| to as u8)
        };
        let ways = |cell: usize| std::array::from_fn(|way| step(cell, way));
        let from: ByCell = (0..instance.cells()).map(ways).collect();
        let mut into = vec![[None; WAYS]; from.len()];
        for (cell, ways) in from.iter().enumerate() {
            for (way, to) in ways.iter().enumerate() {
                if let Some(to) = to {
                    into[usize::from(*to)][way] = Some(cell as u8);
                }
            }
        }
        Self { from, into }
    }

    /// Every step: the way, the cell that the car leaves, and the one that it comes to.
    fn all(&self) -> impl Iterator<Item = (usize, usize, usize)> + '_ {
        self.from.iter().enumerate().flat_map(|(cell, ways)| {
            let ways = ways.iter().enumerate();
            ways.filter_map(move |(way, to)| Some((way, cell, usize::from((*to)?))))
        })
    }

    /// Shows, for both kinds of cars on all cells, and a single other car of both kinds on each
    /// other cell, that a step leads where it does without the other, and that exactly a car on
    /// the cell ahead stops it.
    ///
    /// # Errors
    /// One line that names a cell where that is not so.
    pub(super) fn are_stopped_by_the_cell_ahead(&self, instance: &Instance) -> Result<(), String> {
        let cells = 0..instance.cells();
        for (cell, way) in cells
            .clone()
            .flat_map(|cell| (0..WAYS).map(move |way| (cell, way)))
        {
            let to = self.from[cell][way];
            for other in cells.clone().filter(|&other| other != cell) {
                for kind in KINDS {
                    let cars = [(cell, KINDS[way / 2]), (other, kind)];
                    let board = board_with(instance, 0, &cars);
                    let by_rules = rules::step(&board, cell, way % 2 == 1);
                    let free = to.map(usize::from).filter(|&to| to != other);
                    if by_rules != free {
                        return Err(format!("{}: steps other than by tables", board.draw()));
                    }
                }
            }
        }
        let came = |(way, cell, to): (usize, usize, usize)| {
            self.into[to][way].map(usize::from) == Some(cell)
        };
        let count = self.into.iter().flatten().flatten().count();
        match self.all().all(came) && count == self.all().count() {
            true => Ok(()),
            false => Err("a step comes from elsewhere than it begins".into()),
        }
    }

    /// Shows that a symmetry that takes cars to cars of the same kind takes steps to steps:
    /// `images` has, by kind, the cell that each cell is taken to.
    ///
    /// # Errors
    /// One line that names a cell where it does not.
    pub(super) fn lead_to_steps(&self, images: &[Vec<usize>]) -> Result<(), String> {
        for (way, cell, to) in self.all() {
            let kind = way / 2;
            let (cell_image, to_image) = (images[kind][cell], images[kind][to]);
            let mut own = self.from[cell_image][2 * kind..2 * kind + 2].iter();
            if !own.any(|to| to.map(usize::from) == Some(to_image)) {
                return Err(format!("cell {cell}: its image steps elsewhere"));
            }
        }
        Ok(())
    }
}
