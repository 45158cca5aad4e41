//! Instructions that move bits, by runtime detection, each with a portable twin.
//!
//! The only module of the permutations with `unsafe` code: three intrinsics.
#![allow(unsafe_code)]

/// The bits of `word` under `mask`, packed to the low end (BMI2 `pext`, "compress").
/// One instruction where the processor has BMI2, else one turn of a loop a mask bit.
pub fn pext(word: u64, mask: u64) -> u64 {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("bmi2") {
        // SAFETY: BMI2 was detected on this processor.
        return unsafe { std::arch::x86_64::_pext_u64(word, mask) };
    }
    pext_portable(word, mask)
}

/// The low bits of `word`, spread over the places of `mask` (BMI2 `pdep`, "expand").
/// One instruction where the processor has BMI2, else one turn of a loop a mask bit.
pub fn pdep(word: u64, mask: u64) -> u64 {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("bmi2") {
        // SAFETY: BMI2 was detected on this processor.
        return unsafe { std::arch::x86_64::_pdep_u64(word, mask) };
    }
    pdep_portable(word, mask)
}

/// Bit `j` of the result is bit `control[j] & 63` of `word`: any permutation at all
/// (AVX-512 BITALG `vpshufbitqmb`: broadcast, shuffle, mask to word).
pub fn bit_shuffle(word: u64, control: &[u8; 64]) -> u64 {
    #[cfg(target_arch = "x86_64")]
    if has_bit_shuffle() {
        // SAFETY: AVX-512 F, BW and BITALG were detected on this processor.
        return unsafe { bit_shuffle_avx512(word, control) };
    }
    bit_shuffle_portable(word, control)
}

/// Whether `pext` and `pdep` are instructions here.
pub fn has_bmi2() -> bool {
    #[cfg(target_arch = "x86_64")]
    return std::arch::is_x86_feature_detected!("bmi2");
    #[cfg(not(target_arch = "x86_64"))]
    false
}

/// Whether `bit_shuffle` is three instructions here.
pub fn has_bit_shuffle() -> bool {
    #[cfg(target_arch = "x86_64")]
    return std::arch::is_x86_feature_detected!("avx512f")
        && std::arch::is_x86_feature_detected!("avx512bw")
        && std::arch::is_x86_feature_detected!("avx512bitalg");
    #[cfg(not(target_arch = "x86_64"))]
    false
}

/// [`pext`] without the instruction.
pub fn pext_portable(word: u64, mut mask: u64) -> u64 {
    let (mut out, mut place) = (0, 0);
    while mask != 0 {
        out |= (word >> mask.trailing_zeros() & 1) << place;
        place += 1;
        mask &= mask - 1;
    }
    out
}

/// [`pdep`] without the instruction.
pub fn pdep_portable(word: u64, mut mask: u64) -> u64 {
    let (mut out, mut place) = (0, 0);
    while mask != 0 {
        out |= (word >> place & 1) << mask.trailing_zeros();
        place += 1;
        mask &= mask - 1;
    }
    out
}

/// [`bit_shuffle`] without the instruction.
pub fn bit_shuffle_portable(word: u64, control: &[u8; 64]) -> u64 {
    let bits = control.iter().enumerate();
    bits.fold(0, |out, (j, &from)| out | (word >> (from & 63) & 1) << j)
}

/// # Safety
/// The processor must have AVX-512 F, BW and BITALG.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512bitalg")]
unsafe fn bit_shuffle_avx512(word: u64, control: &[u8; 64]) -> u64 {
    use std::arch::x86_64::{_mm512_bitshuffle_epi64_mask, _mm512_loadu_si512, _mm512_set1_epi64};
    let words = _mm512_set1_epi64(word as i64);
    // SAFETY: `control` is 64 readable bytes, and the load asks for no alignment.
    let control = unsafe { _mm512_loadu_si512(control.as_ptr().cast()) };
    _mm512_bitshuffle_epi64_mask(words, control)
}
