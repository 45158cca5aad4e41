//! Bits taken from some places of a word and put to others.

/// How bits are gathered and scattered.
pub(super) trait Bits: Copy {
    /// The bits of a word that a mask picks, side by side at the low end.
    fn gather(self, word: u64, mask: u64) -> u64;
    /// The low bits of a word, put where a mask has ones.
    fn scatter(self, word: u64, mask: u64) -> u64;
}

/// By the processor's `pext` and `pdep`.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
pub(super) struct Hardware(());

#[cfg(target_arch = "x86_64")]
impl Hardware {
    /// Where the processor has them.
    pub(super) fn new() -> Option<Self> {
        is_x86_feature_detected!("bmi2").then_some(Self(()))
    }
}

#[cfg(target_arch = "x86_64")]
impl Bits for Hardware {
    #[inline(always)]
    fn gather(self, word: u64, mask: u64) -> u64 {
        // SAFETY: `new` has found that the processor has the instruction.
        #[allow(unsafe_code)]
        unsafe {
            std::arch::x86_64::_pext_u64(word, mask)
        }
    }

    #[inline(always)]
    fn scatter(self, word: u64, mask: u64) -> u64 {
        // SAFETY: `new` has found that the processor has the instruction.
        #[allow(unsafe_code)]
        unsafe {
            std::arch::x86_64::_pdep_u64(word, mask)
        }
    }
}

/// Bit by bit.
#[derive(Clone, Copy)]
pub(super) struct Software;

impl Bits for Software {
    fn gather(self, word: u64, mut mask: u64) -> u64 {
        let (mut gathered, mut at) = (0, 0);
        while mask != 0 {
            gathered |= (word >> mask.trailing_zeros() & 1) << at;
            at += 1;
            mask &= mask - 1;
        }
        gathered
    }

    fn scatter(self, mut word: u64, mut mask: u64) -> u64 {
        let mut scattered = 0;
        while mask != 0 && word != 0 {
            scattered |= (word & 1) << mask.trailing_zeros();
            word >>= 1;
            mask &= mask - 1;
        }
        scattered
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn scattering_undoes_gathering(word: u64, mask: u64) {
            let gathered = Software.gather(word, mask);
            prop_assert_eq!(Software.scatter(gathered, mask), word & mask);
            prop_assert!(gathered.checked_shr(mask.count_ones()).unwrap_or(0) == 0);
            #[cfg(target_arch = "x86_64")]
            if let Some(hardware) = Hardware::new() {
                prop_assert_eq!(hardware.gather(word, mask), gathered);
                prop_assert_eq!(hardware.scatter(gathered, mask), word & mask);
                prop_assert_eq!(hardware.scatter(word, mask), Software.scatter(word, mask));
            }
        }
    }
}
