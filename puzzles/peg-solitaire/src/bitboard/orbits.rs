//! Representatives of neighbours, without making the neighbours. A jump flips three holes, so an
//! image of a position after it is the image of the position with three holes flipped.

use puzzle_api::Direction;

use super::jumps::{Images, Jumps, LANES};
use super::symmetry::{Symmetries, least};

/// The holes that jumps flip under every symmetry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Orbits {
    /// Empty if the processor does not handle eight triples at once, or there is only one symmetry.
    triples: Vec<Images>,
    /// For other processors, triple by triple; empty if there is only one symmetry.
    flips: Vec<[u64; LANES]>,
}

impl Orbits {
    /// The tables of a board: 512 bytes for every eight triples.
    pub fn new(jumps: &Jumps, symmetries: &Symmetries) -> Self {
        let images_of = |triple| symmetries.lanes(triple);
        let (mut triples, mut flips) = (Vec::new(), Vec::new());
        if symmetries.is_wide() {
            triples = jumps.images(images_of);
        } else if symmetries.has_some() {
            flips = jumps
                .triples()
                .iter()
                .map(|&(triple, _)| images_of(triple))
                .collect();
        }
        Self { triples, flips }
    }

    /// Appends the representatives of the positions one jump from each key, in the order of
    /// [`Jumps::extend`], and for each key the end of its own.
    #[inline]
    pub fn extend(
        &self,
        (jumps, symmetries): (&Jumps, &Symmetries),
        keys: &[u64],
        direction: Direction,
        out: &mut Vec<u64>,
        ends: &mut Vec<usize>,
    ) {
        #[cfg(target_arch = "x86_64")]
        if !self.triples.is_empty() {
            // SAFETY: such lists exist only if the processor has the features that it is compiled
            // for.
            #[allow(unsafe_code)]
            return unsafe { self.extend_wide((jumps, symmetries), keys, direction, out, ends) };
        }
        if self.flips.is_empty() {
            return literal((jumps, symmetries), keys, direction, out, ends);
        }
        self.extend_singly((jumps, symmetries), keys, direction, out, ends);
    }

    /// Like [`Orbits::extend`], one jump at a time.
    fn extend_singly(
        &self,
        (jumps, symmetries): (&Jumps, &Symmetries),
        keys: &[u64],
        direction: Direction,
        out: &mut Vec<u64>,
        ends: &mut Vec<usize>,
    ) {
        for &key in keys {
            let images = symmetries.lanes(key);
            jumps.each_triple(key, direction, |triple, _| {
                let flip = &self.flips[triple];
                out.push(least(std::array::from_fn(|lane| images[lane] ^ flip[lane])));
            });
            ends.push(out.len());
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,avx512vl,popcnt")]
    fn extend_wide(
        &self,
        (jumps, symmetries): (&Jumps, &Symmetries),
        keys: &[u64],
        direction: Direction,
        out: &mut Vec<u64>,
        ends: &mut Vec<usize>,
    ) {
        for &key in keys {
            let position = (key, symmetries.lanes(key));
            jumps.extend_least(position, &self.triples, direction, out);
            ends.push(out.len());
        }
    }
}

fn literal(
    (jumps, symmetries): (&Jumps, &Symmetries),
    keys: &[u64],
    direction: Direction,
    out: &mut Vec<u64>,
    ends: &mut Vec<usize>,
) {
    for &key in keys {
        let first = out.len();
        jumps.extend(key, direction, out);
        for next in &mut out[first..] {
            *next = symmetries.canonical(*next);
        }
        ends.push(out.len());
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use puzzle_api::Direction;

    use super::{Orbits, literal};
    use crate::bitboard::{Jumps, Symmetries};
    use crate::board::Board;

    proptest! {
        /// On a processor that does not handle eight triples at once, the two are the same.
        #[test]
        fn flipped_images_are_images_of_neighbours(
            keys in prop::collection::vec(any::<u64>(), 0..20),
            name in prop::sample::select(&["english-33", "diamond-41", "diamond-32"][..]),
            kept in 1_usize..=8,
            forward in any::<bool>(),
        ) {
            let board = Board::of_name(name).expect("reads");
            let all = board.symmetries();
            // Tables accept any list that begins with the identity.
            let symmetries = Symmetries::new(board.len(), &all[..kept.min(all.len())]);
            let jumps = Jumps::new(&board);
            let keys: Vec<u64> = keys.iter().map(|key| key & board.full()).collect();
            let direction = if forward { Direction::Forward } else { Direction::Backward };
            let (mut out, mut ends) = (Vec::new(), Vec::new());
            let orbits = Orbits::new(&jumps, &symmetries);
            orbits.extend((&jumps, &symmetries), &keys, direction, &mut out, &mut ends);
            let (mut twin, mut twin_ends) = (Vec::new(), Vec::new());
            literal((&jumps, &symmetries), &keys, direction, &mut twin, &mut twin_ends);
            prop_assert_eq!(&out, &twin);
            prop_assert_eq!(&ends, &twin_ends);
            if kept.min(all.len()) > 1 {
                let flips = jumps.triples().iter().map(|&(triple, _)| symmetries.lanes(triple));
                let singly = Orbits {
                    triples: Vec::new(),
                    flips: flips.collect(),
                };
                let (mut out, mut ends) = (Vec::new(), Vec::new());
                singly.extend_singly((&jumps, &symmetries), &keys, direction, &mut out, &mut ends);
                out.sort_unstable();
                twin.sort_unstable();
                prop_assert_eq!(out, twin);
                prop_assert_eq!(ends, twin_ends);
            }
        }
    }
}
