//! The rulebook as tables: what each press and each symmetry makes of each light, on or out.
//!
//! A press carries every light by itself; nothing of the fast variant is used. It is for
//! checking every board that a search found (`puzzle_api::proof`).

use puzzle_api::proof::{Field, FieldImages, RuleTables, agrees};
use puzzle_api::{BadInput, Puzzle, RandomStates, Request, Symmetry, Xorshift};

use crate::panel::{self, Panel};
use crate::rules::Rules;

/// Boards on which the tables are held against the rulebook.
const TRIED: u64 = 500;

/// The rulebook of an instance as tables.
pub struct PressTables {
    panel: Panel,
    rules: Rules,
    moves: FieldImages,
    images: FieldImages,
}

impl std::fmt::Debug for PressTables {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PressTables")
            .field("panel", &self.panel)
            .finish_non_exhaustive()
    }
}

impl PressTables {
    /// The tables of an instance, some milliseconds.
    ///
    /// # Errors
    /// [`BadInput`] as the variants say it.
    pub fn open(request: &Request<'_>) -> Result<Self, BadInput> {
        let (panel, rules) = (panel::open(request)?, Rules::open(request)?);
        let lights: Vec<Field> = (0..panel.lights() as u32).map(Field::bit).collect();
        let moves = FieldImages::moves_by_the_rulebook(&lights, 0, |key| {
            let mut after = Vec::new();
            rules.successors(&rules.state(key), &mut |next| after.push(rules.key(&next)));
            after
        });
        let images = FieldImages::by_the_rulebook(&lights, 0, |key| {
            let state = rules.state(key);
            let image = |index| rules.key(&rules.image(&state, index));
            (0..rules.symmetry_count()).map(image).collect()
        });
        Ok(Self {
            panel,
            rules,
            moves,
            images,
        })
    }
}

impl RuleTables<u64> for PressTables {
    fn foundation(&self) -> Result<String, String> {
        self.images.are_a_group()?;
        self.images.lead_from_moves_to_moves(&self.moves)?;
        agrees(self, &self.rules, 0)?;
        for draw in 0..TRIED {
            let drawn = self.rules.random(&mut Xorshift::for_draw(1, draw));
            let drawn = drawn.ok_or("no board was drawn")?;
            agrees(self, &self.rules, self.rules.key(&drawn))?;
        }
        Ok(format!(
            "what a press makes of a light was taken from the rulebook for all presses and lights, \
             each symmetry found to lead from moves to moves, and moves and images of a board to \
             be those of its lights on {TRIED} boards"
        ))
    }

    fn undirected(&self) -> bool {
        self.moves.are_undone()
    }

    fn symmetry_count(&self) -> usize {
        self.images.count()
    }

    fn images(&self, keys: &[u64], out: &mut Vec<u64>) {
        self.images.images(keys, out);
    }

    fn successors(&self, keys: &[u64], out: &mut Vec<u64>, ends: &mut Vec<usize>) {
        self.moves.successors(keys, out, ends);
    }

    /// All lights are out.
    fn is_solved(&self, key: u64) -> bool {
        key == 0
    }

    fn is_ranked(&self, part: u64, key: u64) -> bool {
        part == 0 && key <= self.panel.all_on()
    }
}

#[cfg(test)]
mod tests;
