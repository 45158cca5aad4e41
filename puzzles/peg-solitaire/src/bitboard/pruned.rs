//! Representatives of only those neighbours that the bound does not exclude. A jump takes an amount
//! from the weight of each pagoda function. So one comparison per jump shows whether some function
//! is left too light, before the images of the jump are made.
//!
//! Backward, a position is as hopeless as the complement of it is forward.

use puzzle_api::{Direction, NEVER};

use super::jumps::{Jumps, LANES};
use super::orbits::Orbits;
#[cfg(target_arch = "x86_64")]
use super::symmetry::least_wide;
use super::symmetry::{Symmetries, least};
use crate::bound::{Bound, Weights};

/// What a jump changes. Which of both ends of the three holes has the peg makes two of them.
#[derive(Debug, Clone, PartialEq, Eq)]
#[repr(align(64))]
struct Changes {
    /// The decrease of each function's weight after the jump of the peg on the first end, and of
    /// that on the last.
    drops: [Weights; 2],
    /// The images of the three holes under every symmetry.
    images: [u64; LANES],
}

/// The effects of a board's jumps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pruned {
    /// By triple, in the order in which [`Jumps`] looks at them. Empty if there is only one
    /// symmetry, and if no function is known.
    changes: Vec<Changes>,
    lanes: Lanes,
    full: u64,
}

/// The registers of the processor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lanes {
    /// Of 64 weights, with a mask of those that are greater; and there are at most 64 triples.
    #[cfg(target_arch = "x86_64")]
    Wide,
    #[cfg(target_arch = "x86_64")]
    Half,
    Unknown,
}

impl Pruned {
    /// The tables of a board with n holes: 192 bytes a triple.
    pub fn new(jumps: &Jumps, symmetries: &Symmetries, bound: &Bound, holes: usize) -> Self {
        let mut pruned = Self {
            changes: Vec::new(),
            lanes: lanes(symmetries, jumps.triples().len()),
            full: u64::MAX >> (u64::BITS as usize - holes),
        };
        if symmetries.has_some() && bound.knows_some() {
            let of = |&(triple, ends): &(u64, u64)| {
                let (first, over) = (ends & ends.wrapping_neg(), triple & !ends);
                let drop = |from: u64| bound.difference(from | over, ends & !from);
                Changes {
                    drops: [drop(first), drop(ends & !first)],
                    images: symmetries.lanes(triple),
                }
            };
            pruned.changes = jumps.triples().iter().map(of).collect();
        }
        pruned
    }

    /// Appends the representatives of the positions one jump from each key, in the order of
    /// [`Orbits::extend`] but without those that the bound excludes. Also appends for each key
    /// where its own end. Backward, the bound is applied to their complements.
    #[inline]
    pub fn extend(
        &self,
        (jumps, symmetries, orbits, bound): (&Jumps, &Symmetries, &Orbits, &Bound),
        keys: &[u64],
        direction: Direction,
        out: &mut Vec<u64>,
        ends: &mut Vec<usize>,
    ) {
        let board = (jumps, symmetries, bound);
        if self.changes.is_empty() {
            let (first, of_first) = (out.len(), ends.len());
            orbits.extend((jumps, symmetries), keys, direction, out, ends);
            return self.leave_out(bound, direction, (out, first), &mut ends[of_first..]);
        }
        match self.lanes {
            // SAFETY: the processor has the features that the functions are compiled for.
            #[cfg(target_arch = "x86_64")]
            #[allow(unsafe_code)]
            Lanes::Wide => unsafe { self.extend_wide(board, keys, direction, out, ends) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            #[allow(unsafe_code)]
            Lanes::Half => unsafe { self.extend_half(board, keys, direction, out, ends) },
            Lanes::Unknown => self.extend_singly(board, keys, direction, out, ends),
        }
    }

    /// Leaves out the hopeless of the representatives from `first` on.
    fn leave_out(
        &self,
        bound: &Bound,
        direction: Direction,
        (out, first): (&mut Vec<u64>, usize),
        ends: &mut [usize],
    ) {
        let (mut kept, mut at) = (first, first);
        for end in ends {
            for next in at..*end {
                out[kept] = out[next];
                kept += usize::from(bound.of(self.seen(out[next], direction)) != NEVER);
            }
            at = std::mem::replace(end, kept);
        }
        out.truncate(kept);
    }

    /// The position whose forward jumps are those of `pegs` in a direction.
    #[inline]
    fn seen(&self, pegs: u64, direction: Direction) -> u64 {
        match direction {
            Direction::Forward => pegs,
            Direction::Backward => self.full ^ pegs,
        }
    }

    #[inline(always)]
    fn extend_singly(
        &self,
        (jumps, symmetries, bound): (&Jumps, &Symmetries, &Bound),
        keys: &[u64],
        direction: Direction,
        out: &mut Vec<u64>,
        ends: &mut Vec<usize>,
    ) {
        for &key in keys {
            let seen = self.seen(key, direction);
            let (weight, images) = (bound.weigh(seen), symmetries.lanes(key));
            jumps.each_triple(seen, Direction::Forward, |triple, on_last| {
                let changes = &self.changes[triple];
                if !changes.drops[usize::from(on_last)].some_beyond(&weight) {
                    let image = |lane: usize| images[lane] ^ changes.images[lane];
                    out.push(least(std::array::from_fn(image)));
                }
            });
            ends.push(out.len());
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2")]
    fn extend_half(
        &self,
        board: (&Jumps, &Symmetries, &Bound),
        keys: &[u64],
        direction: Direction,
        out: &mut Vec<u64>,
        ends: &mut Vec<usize>,
    ) {
        self.extend_singly(board, keys, direction, out, ends);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,popcnt")]
    #[allow(unsafe_code)]
    fn extend_wide(
        &self,
        (jumps, symmetries, bound): (&Jumps, &Symmetries, &Bound),
        keys: &[u64],
        direction: Direction,
        out: &mut Vec<u64>,
        ends: &mut Vec<usize>,
    ) {
        use std::arch::x86_64::*;
        for &key in keys {
            let seen = self.seen(key, direction);
            let (mut left, on_last) = jumps.possible_from(seen);
            let weight = bound.weigh_wide(seen);
            let images = symmetries.lanes_wide(key);
            out.reserve(u64::BITS as usize);
            let mut length = out.len();
            while left != 0 {
                let triple = left.trailing_zeros() as usize;
                left &= left - 1;
                let changes = &self.changes[triple];
                let drops = &changes.drops[(on_last >> triple & 1) as usize];
                let is_hopeless = _mm512_cmpgt_epi8_mask(drops.load(), weight) != 0;
                let least = least_wide(_mm512_xor_si512(images, changes.images()));
                // No processor can predict whether a position is excluded, so there is no branch:
                // positions that are not kept are overwritten. SAFETY: there is space for as many
                // words as there are bits.
                unsafe { out.as_mut_ptr().add(length).write(least) };
                length += usize::from(!is_hopeless);
            }
            // SAFETY: that many were written, or were there before.
            unsafe { out.set_len(length) };
            ends.push(length);
        }
    }
}

impl Changes {
    /// The images of the three holes in a register.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f")]
    #[inline]
    #[allow(unsafe_code)]
    fn images(&self) -> std::arch::x86_64::__m512i {
        // SAFETY: there are eight words, and the load needs no alignment.
        unsafe { std::arch::x86_64::_mm512_loadu_si512(self.images.as_ptr().cast()) }
    }
}

#[cfg(target_arch = "x86_64")]
fn lanes(symmetries: &Symmetries, triples: usize) -> Lanes {
    let fits = symmetries.is_wide() && triples <= u64::BITS as usize;
    if fits && is_x86_feature_detected!("avx512bw") {
        Lanes::Wide
    } else if is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
    {
        Lanes::Half
    } else {
        Lanes::Unknown
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn lanes(_: &Symmetries, _: usize) -> Lanes {
    Lanes::Unknown
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use puzzle_api::{Direction, NEVER, Puzzle};

    use super::{Lanes, Pruned};
    use crate::bitboard::{Jumps, Orbits, Symmetries};
    use crate::bound::Bound;
    use crate::rules::Rules;

    proptest! {
        /// On a processor that does not handle eight triples at once, the two are the same.
        #[test]
        fn what_is_told_before_is_what_is_told_after(
            keys in prop::collection::vec((any::<u64>(), any::<u64>()), 0..40),
            forward in any::<bool>(),
        ) {
            let rules = Rules::opened("english-33", &[]).expect("an instance");
            let instance = &rules.instance;
            let jumps = Jumps::new(&instance.board);
            let symmetries = Symmetries::new(instance.board.len(), &instance.symmetries);
            let (orbits, bound) = (Orbits::new(&jumps, &symmetries), Bound::new(instance));
            let full = instance.board.full();
            let direction = if forward { Direction::Forward } else { Direction::Backward };
            // Few pegs forward, and few holes backward: for other positions, the bound excludes
            // nothing.
            let few = |&(a, b): &(u64, u64)| if forward { a & b & full } else { (a | b) & full };
            let keys: Vec<u64> = keys.iter().map(few).collect();
            let pruned = Pruned::new(&jumps, &symmetries, &bound, instance.board.len());
            let singly = Pruned { lanes: Lanes::Unknown, ..pruned.clone() };
            let after = Pruned { changes: Vec::new(), lanes: Lanes::Unknown, full };
            let board = (&jumps, &symmetries, &orbits, &bound);
            let found = [&pruned, &singly, &after].map(|pruned| {
                let (mut out, mut ends) = (vec![7], vec![1]);
                pruned.extend(board, &keys, direction, &mut out, &mut ends);
                (out, ends)
            });
            prop_assert_eq!(&found[0], &found[1]);
            prop_assert_eq!(&found[0], &found[2]);
            let hopes = |&key: &u64| bound.of(if forward { key } else { full ^ key }) != NEVER;
            prop_assert!(found[0].0[1..].iter().all(hopes));
        }
    }
}
