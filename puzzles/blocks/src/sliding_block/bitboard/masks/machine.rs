//! What newer processors do in one instruction.
#![allow(unsafe_code)]

#[cfg(target_arch = "x86_64")]
use super::vectors::Vectors;
use super::{Masks, SYMBOLS, Turned};
use crate::sliding_block::metric::Metric;

impl Masks {
    /// Keys of all positions that one move leads to from each of some, with the number of
    /// the one they come from; gives how many of them are solved.
    #[inline]
    pub fn expand(&self, keys: &[u128], metric: Metric, emit: &mut impl FnMut(usize, u128)) -> u64 {
        #[cfg(target_arch = "x86_64")]
        if self.newer {
            let (mut taken, mut solved) = (0, 0);
            if let Some(vectors) = self.vectors.as_ref().filter(|_| Vectors::takes(metric)) {
                taken = Vectors::taken(keys);
                solved = self.expand_vectors(vectors, &keys[..taken], metric, emit);
            }
            let mut emit = |of, key| emit(taken + of, key);
            // SAFETY: `newer` is only set where `Bmi2::is_fast` has found all five.
            return solved + unsafe { self.expand_newer(&keys[taken..], metric, &mut emit) };
        }
        self.expand_by::<Plain>(keys, metric, emit)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn expand_newer(
        &self,
        keys: &[u128],
        metric: Metric,
        emit: &mut impl FnMut(usize, u128),
    ) -> u64 {
        self.expand_by::<Bmi2>(keys, metric, emit)
    }

    /// The same by pieces, without the pieces whose numbers are bits of `used`, and with the bit
    /// of the piece that went in the position where it leads.
    #[inline]
    pub fn expand_unused(
        &self,
        keys: &[u128],
        used: &[u32],
        emit: &mut impl FnMut(usize, u128, u32),
    ) {
        #[cfg(target_arch = "x86_64")]
        if self.newer {
            let mut taken = 0;
            if let Some(vectors) = &self.vectors {
                taken = Vectors::taken(keys);
                let (keys, used) = (&keys[..taken], &used[..taken]);
                self.expand_unused_vectors(vectors, keys, used, emit);
            }
            let mut emit = |of, key, mark| emit(taken + of, key, mark);
            // SAFETY: as in `expand`.
            return unsafe { self.expand_unused_newer(&keys[taken..], &used[taken..], &mut emit) };
        }
        self.expand_unused_by::<Plain>(keys, used, emit);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn expand_unused_newer(
        &self,
        keys: &[u128],
        used: &[u32],
        emit: &mut impl FnMut(usize, u128, u32),
    ) {
        self.expand_unused_by::<Bmi2>(keys, used, emit);
    }

    /// The same with the least of each position and its images in its place; by symmetries that
    /// are a group with the identity, which is not among them. Of each neighbour, as
    /// [`Masks::images`] would give it.
    #[inline]
    pub fn orbits(
        &self,
        keys: &[u128],
        metric: Metric,
        turned: &[Turned],
        emit: &mut impl FnMut(usize, u128),
    ) {
        #[cfg(target_arch = "x86_64")]
        if self.newer {
            let mut taken = 0;
            if let Some(vectors) = self.vectors.as_ref().filter(|_| Vectors::takes(metric)) {
                taken = Vectors::taken(keys);
                self.orbits_vectors(vectors, &keys[..taken], (metric, turned), emit);
            }
            let mut emit = |of, key| emit(taken + of, key);
            // SAFETY: as in `expand`.
            return unsafe { self.orbits_newer(&keys[taken..], metric, turned, &mut emit) };
        }
        self.orbits_by::<Plain>(keys, metric, turned, emit);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn orbits_newer(
        &self,
        keys: &[u128],
        metric: Metric,
        turned: &[Turned],
        emit: &mut impl FnMut(usize, u128),
    ) {
        self.orbits_by::<Bmi2>(keys, metric, turned, emit);
    }

    /// The keys of the mirror images of some positions, one after the other.
    #[inline]
    pub fn images(&self, keys: &[u128], turned: &Turned, emit: &mut impl FnMut(u128)) {
        #[cfg(target_arch = "x86_64")]
        if self.newer {
            let mut taken = 0;
            if let Some(vectors) = &self.vectors {
                taken = Vectors::taken(keys);
                self.images_vectors(vectors, &keys[..taken], turned, emit);
            }
            // SAFETY: as in `expand`.
            return unsafe { self.images_newer(&keys[taken..], turned, emit) };
        }
        self.images_by::<Plain>(keys, turned, emit);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn images_newer(&self, keys: &[u128], turned: &Turned, emit: &mut impl FnMut(u128)) {
        self.images_by::<Bmi2>(keys, turned, emit);
    }

    /// Appends of each of some positions whether every piece with a goal stands there.
    #[inline]
    pub fn solved(&self, keys: &[u128], solved: &mut Vec<bool>) {
        #[cfg(target_arch = "x86_64")]
        if self.newer {
            let mut taken = 0;
            if let Some(vectors) = &self.vectors {
                taken = Vectors::taken(keys);
                self.solved_vectors(vectors, &keys[..taken], solved);
            }
            // SAFETY: as in `expand`.
            return unsafe { self.solved_newer(&keys[taken..], solved) };
        }
        self.solved_by::<Plain>(keys, solved);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn solved_newer(&self, keys: &[u128], solved: &mut Vec<bool>) {
        self.solved_by::<Bmi2>(keys, solved);
    }

    /// Hands on, for each of some positions, the first cells of its pieces by symbol, as bits; at 0
    /// the holes.
    #[inline]
    pub fn places(&self, keys: &[u128], emit: &mut impl FnMut(&[u64; SYMBOLS])) {
        #[cfg(target_arch = "x86_64")]
        if self.newer {
            let mut taken = 0;
            if let Some(vectors) = &self.vectors {
                taken = Vectors::taken(keys);
                self.places_vectors(vectors, &keys[..taken], emit);
            }
            // SAFETY: as in `expand`.
            return unsafe { self.places_newer(&keys[taken..], emit) };
        }
        self.places_by::<Plain>(keys, emit);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn places_newer(&self, keys: &[u128], emit: &mut impl FnMut(&[u64; SYMBOLS])) {
        self.places_by::<Bmi2>(keys, emit);
    }

    /// Whether every piece with a goal stands there.
    #[inline]
    #[must_use]
    pub fn is_solved(&self, key: u128) -> bool {
        #[cfg(target_arch = "x86_64")]
        if self.newer {
            // SAFETY: as in `expand`.
            return unsafe { self.solves_newer(key) };
        }
        self.solves_by::<Plain>(key)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn solves_newer(&self, key: u128) -> bool {
        self.solves_by::<Bmi2>(key)
    }
}

/// Whether the processor has what the newer code needs.
pub fn is_newer() -> bool {
    #[cfg(target_arch = "x86_64")]
    return Bmi2::is_fast();
    #[cfg(not(target_arch = "x86_64"))]
    false
}

/// Moves bits between the low end of a word and the places that another has set.
pub trait Machine {
    /// Bit `i` of `bits` goes to the place of the `i`-th bit set in `places`.
    fn deposit(bits: u64, places: u64) -> u64;

    /// The inverse: each place in `bits`, which are among `places`, becomes its number
    /// there.
    fn extract(bits: u64, places: u64) -> u64;
}

/// For every processor.
pub struct Plain;

impl Machine for Plain {
    #[inline(always)]
    fn deposit(mut bits: u64, mut places: u64) -> u64 {
        let mut put = 0;
        while bits != 0 && places != 0 {
            put |= (places & places.wrapping_neg()) & (bits & 1).wrapping_neg();
            places &= places - 1;
            bits >>= 1;
        }
        put
    }

    #[inline(always)]
    fn extract(mut bits: u64, places: u64) -> u64 {
        let mut taken = 0;
        while bits != 0 {
            let before = places & ((bits & bits.wrapping_neg()) - 1);
            taken |= 1 << before.count_ones();
            bits &= bits - 1;
        }
        taken
    }
}

/// For x86-64 with BMI2.
#[cfg(target_arch = "x86_64")]
pub struct Bmi2;

#[cfg(target_arch = "x86_64")]
impl Bmi2 {
    /// Whether the processor has what code for it is compiled with, and in hardware: AMD's
    /// before Zen 3 (family 19h) take hundreds of cycles for a deposit.
    #[must_use]
    pub fn is_fast() -> bool {
        is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("avx2")
            && !is_early_amd()
    }
}

#[cfg(target_arch = "x86_64")]
fn is_early_amd() -> bool {
    use std::arch::x86_64::__cpuid;
    // Older compilers call it unsafe: it needs a processor with CPUID, as all of x86-64.
    #[allow(unused_unsafe)]
    // SAFETY: every processor of x86-64 has the instruction.
    let (vendor, model) = unsafe { (__cpuid(0), __cpuid(1)) };
    let amd = vendor.ebx == u32::from_le_bytes(*b"Auth");
    let family = (model.eax >> 8 & 0xf) + (model.eax >> 20 & 0xff);
    amd && family < 0x19
}

#[cfg(target_arch = "x86_64")]
impl Machine for Bmi2 {
    #[inline(always)]
    fn deposit(bits: u64, places: u64) -> u64 {
        // SAFETY: this type is only named where `is_fast` has found BMI2.
        unsafe { std::arch::x86_64::_pdep_u64(bits, places) }
    }

    #[inline(always)]
    fn extract(bits: u64, places: u64) -> u64 {
        // SAFETY: as above.
        unsafe { std::arch::x86_64::_pext_u64(bits, places) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn deposits(bits in any::<u64>(), places in any::<u64>()) {
            let mut literal = 0;
            for (i, place) in (0..64).filter(|place| places >> place & 1 == 1).enumerate() {
                literal |= (bits >> i & 1) << place;
            }
            prop_assert_eq!(Plain::deposit(bits, places), literal);
            let taken = Plain::extract(literal, places);
            prop_assert_eq!(Plain::deposit(taken, places), literal);
            #[cfg(target_arch = "x86_64")]
            if Bmi2::is_fast() {
                prop_assert_eq!(Bmi2::deposit(bits, places), literal);
                prop_assert_eq!(Bmi2::extract(literal, places), taken);
            }
        }
    }
}
