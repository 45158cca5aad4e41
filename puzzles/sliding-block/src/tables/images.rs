//! Images of positions, and every move made in all of them at once.

use super::BlockTables;
use super::packed::{Laid, Position, bits};
use super::turns::Turned;

impl BlockTables {
    pub(super) fn image(&self, position: &Position, symmetry: &Turned) -> u128 {
        if self.packing.is_narrow() {
            let laid = self.laid(position, symmetry);
            return self.packing.pack_laid(&laid.symbols, laid.cells);
        }
        self.packing.pack(&self.turned(position, symmetry))
    }

    pub(super) fn turned(&self, position: &Position, symmetry: &Turned) -> Position {
        let (mut turned, mut covered) = (Position::default(), 0);
        for (kind, &anchors) in position.anchors[..self.kinds.len()].iter().enumerate() {
            let to = symmetry.kinds[kind];
            for at in bits(anchors) {
                let at = symmetry.places[kind][at as usize];
                turned.anchors[to] |= 1 << at;
                covered |= self.kinds[to].covers[usize::from(at)];
            }
        }
        turned.empty = self.packing.full() & !covered;
        turned
    }

    /// The image of a position as its string is read.
    pub(super) fn laid(&self, position: &Position, symmetry: &Turned) -> Laid {
        let (mut laid, mut covered) = (Laid::default(), 0);
        for (kind, &anchors) in position.anchors[..self.kinds.len()].iter().enumerate() {
            let to = symmetry.kinds[kind];
            for at in bits(anchors) {
                let at = usize::from(symmetry.places[kind][at as usize]);
                laid.symbols[at] = to as u8 + 1;
                laid.cells |= 1 << at;
                covered |= self.kinds[to].covers[at];
            }
        }
        laid.cells |= self.packing.full() & !covered;
        laid
    }

    /// The key of an image after a piece went from one place to another, both by those of the
    /// position. The image is as before when it is done.
    #[inline]
    pub(super) fn moved(
        &self,
        laid: &mut Laid,
        symmetry: &Turned,
        kind: usize,
        [at, to]: [u32; 2],
    ) -> u128 {
        let (places, image) = (&symmetry.places[kind], symmetry.kinds[kind]);
        let [at, to] = [at, to].map(|place| usize::from(places[place as usize]));
        let covers = &self.kinds[image].covers;
        let cells = (laid.cells | covers[at]) & !covers[to] | 1 << to;
        laid.symbols[at] = 0;
        laid.symbols[to] = image as u8 + 1;
        let key = self.packing.pack_laid(&laid.symbols, cells);
        laid.symbols[to] = 0;
        laid.symbols[at] = image as u8 + 1;
        key
    }

    /// `RuleTables::successor_orbits`: each move made in every image of the position.
    pub(super) fn least(&self, keys: &[u128], out: &mut Vec<u128>, ends: &mut Vec<usize>) {
        let mut laid = Vec::with_capacity(self.symmetries.len());
        for &key in keys {
            let position = self.position(key).unwrap_or_default();
            laid.clear();
            laid.extend(
                self.symmetries
                    .iter()
                    .map(|turn| self.laid(&position, turn)),
            );
            self.moves(&position, |number, at, to| {
                let images = laid.iter_mut().zip(&self.symmetries);
                let moved = images.map(|(laid, turn)| self.moved(laid, turn, number, [at, to]));
                out.extend(moved.min());
            });
            ends.push(out.len());
        }
    }
}
