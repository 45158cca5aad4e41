//! Moves that go forth, and those that go back: a piece comes to a later place, or to an earlier
//! one. Places that a symmetry takes to each other are equally late, so that images of a move go
//! where it goes; a move between two such places goes across.

use puzzle_api::proof::Forth;

use super::packed::{Laid, Position, bits};
use super::turns::Turned;
use super::{BlockTables, Kind};

/// Of a kind of pieces, from each place.
#[derive(Debug, Clone, Copy)]
pub(super) struct Halves {
    /// The places that are later.
    forth: u64,
    /// Those that are as late.
    across: u64,
}

/// By kind and place.
pub(super) fn by_places(symmetries: &[Turned], kinds: &[Kind]) -> Vec<Vec<Halves>> {
    let of_kind = |(kind, own): (usize, &Kind)| -> Vec<Halves> {
        let fits = |&at: &usize| own.covers[at] != 0;
        let all: Vec<usize> = (0..own.covers.len()).filter(fits).collect();
        // The least of all images, which is the same for each of them.
        let late = |at: usize| {
            let images = symmetries.iter();
            let images = images.map(|turn| (turn.kinds[kind], turn.places[kind][at]));
            images.min()
        };
        let late: Vec<_> = (0..own.covers.len()).map(late).collect();
        let where_it = |holds: &dyn Fn(usize) -> bool| {
            let places = all.iter().filter(|&&to| holds(to));
            places.fold(0_u64, |mask, to| mask | 1 << to)
        };
        let from = |at: usize| Halves {
            forth: where_it(&|to| late[to] > late[at]),
            across: where_it(&|to| late[to] == late[at]),
        };
        (0..late.len()).map(from).collect()
    };
    kinds.iter().enumerate().map(of_kind).collect()
}

impl BlockTables {
    /// `RuleTables::forth`, of keys by these of the symmetries; `laid` is room.
    pub(super) fn forth_by(
        &self,
        symmetries: &[Turned],
        key: u128,
        laid: &mut Vec<Laid>,
        out: &mut Forth<u128>,
    ) {
        let position = self.position(key);
        let solved = position.as_ref().is_some_and(|it| self.is_goal(it));
        out.solved.push(solved);
        let [across, back] = match position {
            None => {
                out.images.extend(symmetries.iter().map(|_| !key));
                [0; 2]
            }
            Some(position) if self.packing.is_narrow() => {
                self.forth_laid(symmetries, (key, &position), laid, out)
            }
            Some(position) => self.forth_packed(symmetries, (key, &position), out),
        };
        out.across.push(across);
        out.back.push(back);
        out.ends.push(out.moves.len());
    }

    /// Each move made in every image at once.
    fn forth_laid(
        &self,
        symmetries: &[Turned],
        (key, position): (u128, &Position),
        laid: &mut Vec<Laid>,
        out: &mut Forth<u128>,
    ) -> [u32; 2] {
        laid.clear();
        laid.extend(symmetries.iter().map(|turn| self.laid(position, turn)));
        // Of a position, its key is the first.
        out.images.push(key);
        let others = laid[1..].iter();
        let others = others.map(|laid| self.packing.pack_laid(&laid.symbols, laid.cells));
        out.images.extend(others);
        self.forth_from(position, |number, at, to| {
            let images = laid.iter_mut().zip(symmetries);
            let moved = images.map(|(laid, turn)| self.moved(laid, turn, number, [at, to]));
            out.moves.extend(moved.min());
        })
    }

    fn forth_packed(
        &self,
        symmetries: &[Turned],
        (key, position): (u128, &Position),
        out: &mut Forth<u128>,
    ) -> [u32; 2] {
        out.images.push(key);
        let others = symmetries[1..].iter();
        out.images
            .extend(others.map(|turn| self.image(position, turn)));
        self.forth_from(position, |number, at, to| {
            let after = self.after(position, number, at, to);
            let images = symmetries.iter().map(|turn| self.image(&after, turn));
            out.moves.extend(images.min());
        })
    }

    /// Calls `each` of the moves that go forth or across, and gives how many go across and how
    /// many go back.
    #[inline]
    fn forth_from(&self, position: &Position, mut each: impl FnMut(usize, u32, u32)) -> [u32; 2] {
        let [mut across, mut back] = [0; 2];
        self.moves_together(position, |number, at, reached| {
            let halves = self.halves[number][at as usize];
            across += (reached & halves.across).count_ones();
            let followed = reached & (halves.forth | halves.across);
            back += (reached ^ followed).count_ones();
            for to in bits(followed) {
                each(number, at, to);
            }
        });
        [across, back]
    }
}
