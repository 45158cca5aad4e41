//! Symmetries of the whole puzzle, found from its moves: relabellings of stickers that make a move
//! of every move, reflections among them. If one makes `f(m)` of every move `m`, it makes of the
//! state that moves lead to from the solved one the state that the `f(m)` lead to. So the image of
//! a state depends on `f` alone, and all distances are kept. For each way to choose a move for
//! every move, in which there is such a relabelling, one is taken.

use super::{Permutation, Row};

/// What a sticker becomes, and by place what its first sticker is made of.
pub struct Symmetry {
    becomes: Vec<usize>,
    from: Row,
}

/// A move, and what it becomes.
type Pair<'a> = (&'a Row, &'a Row);

impl Permutation {
    /// All symmetries, or the identity alone.
    pub(super) fn symmetries(&self, all: bool) -> Vec<Symmetry> {
        let identity = || (0..self.owners.len()).collect();
        let mut found = vec![];
        match all {
            true => self.choose(&mut vec![], &mut found),
            false => found.push(identity()),
        }
        let symmetry = |becomes: Vec<usize>| {
            let from = |place| becomes.iter().position(|&sticker| sticker == place);
            let firsts = self.all_solved().into_iter();
            let from = firsts.filter_map(from).collect();
            Symmetry { becomes, from }
        };
        found.into_iter().map(symmetry).collect()
    }

    /// Chooses what the next move becomes, as long as there is a relabelling for those before.
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

    /// What each sticker becomes, if it can make of some moves what was chosen for them.
    fn relabelling(&self, chosen: &[Pair]) -> Option<Vec<usize>> {
        let mut becomes = vec![None; self.owners.len()];
        for first in 0..becomes.len() {
            if becomes[first].is_none() {
                // Itself, if that can be, so that what no move touches stays.
                let set = self.places[self.owners[first]].of_set;
                let in_set = |&other: &usize| self.places[self.owners[other]].of_set == set;
                let mut images = std::iter::once(first).chain((0..becomes.len()).filter(in_set));
                becomes = images.find_map(|image| self.follow(chosen, &becomes, (first, image)))?;
            }
        }
        becomes.into_iter().collect()
    }

    /// What else follows from what one sticker becomes; `None` if that is at odds with a move.
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
            let come = |&(one, other): &Pair| (self.at(one, sticker), self.at(other, image));
            open.extend(chosen.iter().map(come));
        }
        Some(becomes)
    }

    /// The images of a state, itself the first.
    pub(super) fn images_of(&self, state: u128) -> Vec<u128> {
        let row = self.row(state);
        let image = |one: &Symmetry| {
            let stickers = one.from.iter();
            self.pack(stickers.map(|&from| one.becomes[self.at(&row, from)]))
        };
        self.symmetries.iter().map(image).collect()
    }
}
