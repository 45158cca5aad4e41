//! The rulebook as tables: which coins may be put on a cell, asked for every content of the
//! cell and of those beside it, and where each cell goes under each symmetry.
//!
//! Whether a coin may go from one cell to another depends on these two and on what lies beside
//! the second, and nothing else of the board; nothing of the fast variants is used. It is for
//! checking every board that a search found (`puzzle_api::proof`).

use puzzle_api::proof::{Field, FieldImages, RuleTables, agrees};
use puzzle_api::{BadInput, Puzzle, Request, SolvedStates, Symmetry, Xorshift};

use crate::board::Shape;
use crate::instances;
use crate::rules::{self, Rules, beside, slide};
use crate::sample;

/// Boards on which the tables are held against the rulebook.
const TRIED: u64 = 1000;

/// Which coins may be put on a cell.
#[derive(Debug, Clone)]
struct Target {
    /// The cell, and those beside it.
    cells: Vec<u32>,
    /// By content of these, the cells from which a coin may come.
    from: Vec<u64>,
}

impl Target {
    /// Asks the rulebook, for every content of the cell and those beside it and every other
    /// cell with a coin, on a board that holds nothing else.
    fn by_the_rulebook(shape: &Shape, cell: usize) -> Self {
        let cells: Vec<u32> = std::iter::once(cell)
            .chain(beside(shape, cell))
            .map(|cell| cell as u32)
            .collect();
        let mut target = Self {
            from: Vec::new(),
            cells,
        };
        for content in 0..1 << target.cells.len() {
            let held = target.holding(content);
            let may = |&from: &u32| {
                let coins = held | 1 << from;
                // A coin of the window is there or not; one from elsewhere is there.
                coins & target.mask() == held
                    && slide(shape, &rules::board(shape, coins), from as usize, cell).is_some()
            };
            let from = (0..shape.cells()).filter(may);
            target.from.push(from.fold(0, |all, from| all | 1 << from));
        }
        target
    }

    fn mask(&self) -> u64 {
        self.holding((1 << self.cells.len()) - 1)
    }

    /// The coins of a content.
    fn holding(&self, content: usize) -> u64 {
        let cells = self.cells.iter().enumerate();
        cells.fold(0, |coins, (at, cell)| {
            coins | (content as u64 >> at & 1) << cell
        })
    }

    /// The content on a board.
    #[inline]
    fn content(&self, coins: u64) -> usize {
        let cells = self.cells.iter().enumerate();
        cells.fold(0, |content, (at, cell)| content | (coins >> cell & 1) << at) as usize
    }
}

/// The rulebook of an instance as tables.
#[derive(Debug)]
pub struct SlideTables {
    shape: Shape,
    rules: Rules,
    targets: Vec<Target>,
    images: FieldImages,
    /// In order.
    solved: Vec<u64>,
}

impl SlideTables {
    /// The tables of an instance, some milliseconds.
    ///
    /// # Errors
    /// [`BadInput`] as the variants say it.
    pub fn open(request: &Request<'_>) -> Result<Self, BadInput> {
        let rules = Rules::open(request)?;
        let shape = *instances::open(request)?.shape();
        let cells: Vec<Field> = (0..shape.cells()).map(Field::bit).collect();
        let images = FieldImages::by_the_rulebook(&cells, 0, |key| {
            let state = rules.state(key);
            let image = |index| rules.key(&rules.image(&state, index));
            (0..rules.symmetry_count()).map(image).collect()
        });
        let mut solved = Vec::new();
        rules.solved_states(0, &mut |state| solved.push(rules.key(&state)));
        solved.sort_unstable();
        let targets = (0..shape.cells() as usize).map(|cell| Target::by_the_rulebook(&shape, cell));
        Ok(Self {
            targets: targets.collect(),
            shape,
            rules,
            images,
            solved,
        })
    }

    /// That each symmetry leads from moves to moves, shown on all contents of all cells.
    fn are_symmetric(&self) -> Result<(), String> {
        self.images.leave_nothing_empty()?;
        for symmetry in 0..self.images.count() {
            let image = |coins| self.images.image(coins, symmetry);
            for (cell, target) in self.targets.iter().enumerate() {
                let other = &self.targets[image(1 << cell).trailing_zeros() as usize];
                let same = other.mask() == image(target.mask())
                    && target.from.iter().enumerate().all(|(content, &from)| {
                        let turned = other.content(image(target.holding(content)));
                        other.from[turned] == image(from)
                    });
                if !same {
                    return Err(format!("symmetry {symmetry} leads from moves to others"));
                }
            }
        }
        Ok(())
    }
}

impl RuleTables<u64> for SlideTables {
    fn foundation(&self) -> Result<String, String> {
        self.images.are_a_group()?;
        self.are_symmetric()?;
        for &key in &self.solved {
            agrees(self, &self.rules, key)?;
        }
        for draw in 0..TRIED {
            let mut random = Xorshift::for_draw(1, draw);
            let drawn = sample::random_board(&self.shape, &mut random);
            agrees(self, &self.rules, drawn)?;
        }
        Ok(format!(
            "which coins may be put on a cell was taken from the rulebook for all contents of \
             the cell and those beside it, each symmetry found to lead from moves to moves, and \
             moves and images of a board to be those of its cells on {TRIED} boards"
        ))
    }

    /// What holds a coin in place may have been it alone.
    fn undirected(&self) -> bool {
        false
    }

    fn symmetry_count(&self) -> usize {
        self.images.count()
    }

    fn images(&self, keys: &[u64], out: &mut Vec<u64>) {
        self.images.images(keys, out);
    }

    fn successors(&self, keys: &[u64], out: &mut Vec<u64>, ends: &mut Vec<usize>) {
        for &key in keys {
            for target in &self.targets {
                let mut from = target.from[target.content(key)] & key;
                while from != 0 {
                    out.push(key ^ (from & from.wrapping_neg()) ^ 1 << target.cells[0]);
                    from &= from - 1;
                }
            }
            ends.push(out.len());
        }
    }

    fn is_solved(&self, key: u64) -> bool {
        self.solved.binary_search(&key).is_ok()
    }

    /// Every set of so many cells of the board is one.
    fn is_ranked(&self, part: u64, key: u64) -> bool {
        part == 0 && key & !self.shape.mask() == 0 && key.count_ones() == self.shape.coins
    }
}

#[cfg(test)]
mod tests;
