//! Bits moved between the low end of a word and places in it.
#![allow(unsafe_code)]

/// Whether the processor has the features that the newer code needs.
pub fn is_newer() -> bool {
    #[cfg(target_arch = "x86_64")]
    return Bmi2::is_fast();
    #[cfg(not(target_arch = "x86_64"))]
    false
}

/// Moves bits between the low end of a word and the places that another word has set.
pub trait Machine {
    /// Bit `i` of `bits` goes to the place of the `i`-th bit set in `places`.
    fn deposit(bits: u64, places: u64) -> u64;

    /// The inverse: each place in `bits`, a subset of `places`, becomes its number there.
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
    /// Whether the processor has the instructions, and in hardware: AMD's before Zen 3 (family 19h)
    /// take hundreds of cycles for a deposit.
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
    // Older compilers call it unsafe: it needs a processor with CPUID, which all x86-64 processors
    // have.
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
        // SAFETY: this type is only used if `is_fast` has found BMI2.
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
