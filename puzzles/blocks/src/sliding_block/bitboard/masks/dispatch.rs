//! Which code runs on which processor: sixteen positions at a time with AVX-512. Else one at a
//! time, compiled for all processors and once more for those with BMI2.
#![allow(unsafe_code)]

#[cfg(target_arch = "x86_64")]
use super::vectors::Vectors;
use super::{Masks, SYMBOLS, Turned};
use crate::bits::{Bmi2, Plain};
use crate::metric::Metric;

/// Functions that run code generic over a [`Machine`], as the processor allows.
macro_rules! one_at_a_time {
    ($($(#[$of:meta])* $vis:vis $name:ident = $by:ident($($arg:ident: $type:ty),*) $(-> $out:ty)?;)*) => {$(
        #[inline]
        $(#[$of])*
        $vis fn $name(&self, $($arg: $type),*) $(-> $out)? {
            #[cfg(target_arch = "x86_64")]
            if self.newer {
                #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
                fn newer(masks: &Masks, $($arg: $type),*) $(-> $out)? {
                    masks.$by::<Bmi2>($($arg),*)
                }
                // SAFETY: `newer` is only set if `Bmi2::is_fast` has found all five features.
                return unsafe { newer(self, $($arg),*) };
            }
            self.$by::<Plain>($($arg),*)
        }
    )*};
}

/// Runs code for sixteen positions at a time on the first keys. Returns the number of these keys.
macro_rules! by_sixteen {
    ($masks:expr, $keys:expr, |$vectors:ident, $first:ident| $run:expr) => {{
        #[cfg(target_arch = "x86_64")]
        let taken = match $masks.vectors.as_ref().filter(|_| $masks.newer) {
            Some($vectors) => {
                let taken = Vectors::taken($keys);
                let $first = &$keys[..taken];
                $run;
                taken
            }
            None => 0,
        };
        #[cfg(not(target_arch = "x86_64"))]
        let taken = 0;
        taken
    }};
}

impl Masks {
    one_at_a_time! {
        expand_each = expand_by(
            keys: &[u128], by: (Metric, &[Turned]), used: Option<&[u32]>,
            emit: &mut impl FnMut(usize, u128, u32)
        );
        images_each = images_by(keys: &[u128], turned: &Turned, emit: &mut impl FnMut(u128));
        places_each = places_by(keys: &[u128], emit: &mut impl FnMut(&[u64; SYMBOLS]));
    }

    /// Keys of all positions one move from each of some, with the number of the position they come
    /// from. Instead of each, the least of it and its images under some symmetries, which are all of
    /// the board but the identity, or none. Images are as [`Masks::images`] would return them.
    ///
    /// With `used`, without the pieces whose numbers are its bits, and with the bit of the piece
    /// that moved, in the position where it leads.
    #[inline]
    pub fn expand(
        &self,
        keys: &[u128],
        by: (Metric, &[Turned]),
        used: Option<&[u32]>,
        emit: &mut impl FnMut(usize, u128, u32),
    ) {
        let mut taken = 0;
        if by.0 != Metric::Line {
            taken = by_sixteen!(self, keys, |vectors, first| {
                self.expand_vectors(vectors, first, by, used, emit)
            });
        }
        let used = used.map(|used| &used[taken..]);
        let emit = &mut |of, key, mark| emit(taken + of, key, mark);
        self.expand_each(&keys[taken..], by, used, emit);
    }

    /// The keys of the mirror images of some positions, in order.
    #[inline]
    pub fn images(&self, keys: &[u128], turned: &Turned, emit: &mut impl FnMut(u128)) {
        let taken = by_sixteen!(self, keys, |vectors, first| {
            self.images_vectors(vectors, first, turned, emit)
        });
        self.images_each(&keys[taken..], turned, emit);
    }

    /// Appends for each position whether every piece with a goal is on it.
    #[inline]
    pub fn solved(&self, keys: &[u128], solved: &mut Vec<bool>) {
        let taken = by_sixteen!(self, keys, |vectors, first| {
            self.solved_vectors(vectors, first, solved)
        });
        self.places_each(&keys[taken..], &mut |of| solved.push(self.is_goal(of)));
    }

    /// Passes on, for each position, the first cells of its pieces by symbol, as bits. Index 0 has
    /// the holes.
    #[inline]
    pub fn places(&self, keys: &[u128], emit: &mut impl FnMut(&[u64; SYMBOLS])) {
        let taken = by_sixteen!(self, keys, |vectors, first| {
            self.places_vectors(vectors, first, emit)
        });
        self.places_each(&keys[taken..], emit);
    }
}
