//! The cell ahead of each car, by the rulebook.

use super::KINDS;
use crate::rules::beside;
use crate::unit_rush_hour::instances::Instance;
use crate::unit_rush_hour::rules::ways;

/// Ways to step: of each kind back and forward, the first kind first.
pub(super) const WAYS: usize = 2 * KINDS.len();

/// By cell and way.
type ByCell = Vec<[Option<u8>; WAYS]>;

/// The cells ahead of a car of each kind on each cell; a car on the cell ahead stops it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Steps {
    /// By the cell that it leaves, the cell that it enters.
    pub(super) from: ByCell,
    /// By the cell that it enters, the cell that it leaves.
    pub(super) into: ByCell,
}

impl Steps {
    pub(super) fn by_the_rulebook(instance: &Instance) -> Self {
        let step = |cell: usize, way: usize| {
            let size = (instance.rows, instance.columns);
            beside(size, cell, ways(KINDS[way / 2])[way % 2]).map(|to| to as u8)
        };
        let steps = |cell: usize| std::array::from_fn(|way| step(cell, way));
        let from: ByCell = (0..instance.cells()).map(steps).collect();
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

    /// Every step: the way, the cell that the car leaves, and the one that it enters.
    fn all(&self) -> impl Iterator<Item = (usize, usize, usize)> + '_ {
        self.from.iter().enumerate().flat_map(|(cell, ways)| {
            let ways = ways.iter().enumerate();
            ways.filter_map(move |(way, to)| Some((way, cell, usize::from((*to)?))))
        })
    }

    /// Shows that steps into a cell are those that lead there.
    ///
    /// # Errors
    /// One line, if they are not.
    pub(super) fn are_the_same_both_ways(&self) -> Result<(), String> {
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
    /// One line that names a cell if it does not.
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
