//! Symmetries of the whole puzzle, found from its moves: relabellings of stickers that map every
//! move to a move, including reflections. Suppose one maps each move `m` to `f(m)`. Then it maps
//! the state that moves `m` reach from the solved one to the state that the `f(m)` reach. So the
//! image of a state depends on `f` alone, and all distances are kept. For each `f` that has such a
//! relabelling, one relabelling is taken.

use super::{Permutation, Row, back};

/// A move and its image.
type Pair<'a> = (&'a Row, &'a Row);

impl Permutation {
    /// All symmetries, or the identity alone.
    pub(super) fn symmetries(&self, all: bool) -> Vec<(Row, Row)> {
        let mut found = vec![];
        match all {
            true => self.choose(&mut vec![], &mut found),
            false => found.push(self.all_solved()),
        }
        let both = |becomes: Row| (becomes.clone(), back(&becomes));
        found.into_iter().map(both).collect()
    }

    /// Chooses the image of the next move, as long as a relabelling fits the moves before it.
    fn choose<'a>(&'a self, chosen: &mut Vec<Pair<'a>>, found: &mut Vec<Vec<usize>>) {
        let Some(becomes) = self.relabelling(chosen) else {
            return;
        };
        let Some((_, one)) = self.moves.get(chosen.len()) else {
            return found.push(becomes);
        };
        for (_, step) in &self.steps {
            chosen.push((one, step));
            self.choose(chosen, found);
            chosen.pop();
        }
    }

    /// The image of each sticker, if a relabelling maps some moves to the images chosen for them.
    fn relabelling(&self, chosen: &[Pair]) -> Option<Vec<usize>> {
        let mut becomes = vec![None; self.owners.len()];
        for first in 0..becomes.len() {
            if becomes[first].is_none() {
                // Itself, if possible, so that stickers that no move touches stay.
                let set = self.places[self.owners[first]].of_set;
                let in_set = |&other: &usize| self.places[self.owners[other]].of_set == set;
                let mut images = std::iter::once(first).chain((0..becomes.len()).filter(in_set));
                becomes = images.find_map(|image| self.follow(chosen, &becomes, (first, image)))?;
            }
        }
        becomes.into_iter().collect()
    }

    /// Other images that follow from the image of one sticker; `None` if a move contradicts it.
    fn follow(
        &self,
        chosen: &[Pair],
        becomes: &[Option<usize>],
        first: (usize, usize),
    ) -> Option<Vec<Option<usize>>> {
        let (mut becomes, mut open) = (becomes.to_vec(), vec![first]);
        while let Some((sticker, image)) = open.pop() {
            match becomes[sticker] {
                Some(known) if known == image => continue,
                Some(_) => return None,
                None if becomes.contains(&Some(image)) => return None,
                None => becomes[sticker] = Some(image),
            }
            let come = |&(one, other): &Pair| (one[sticker], other[image]);
            open.extend(chosen.iter().map(come));
        }
        Some(becomes)
    }
}
