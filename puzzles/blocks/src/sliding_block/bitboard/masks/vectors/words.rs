//! Operations on eight words in a vector, and on sixteen in two.

use std::arch::x86_64::*;

pub(super) const WIDE: usize = 8;

/// Eight words of an array, beginning at a place.
#[inline]
#[target_feature(enable = "avx512f,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn load(words: &[u64], at: usize) -> __m512i {
    let words = &words[at..at + WIDE];
    // SAFETY: there are eight words, and the load needs no alignment.
    unsafe { _mm512_loadu_si512(words.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn table(words: &[u64; 2 * WIDE]) -> [__m512i; 2] {
    [load(words, 0), load(words, WIDE)]
}

/// The eight numbers from `first` on.
#[inline]
#[target_feature(enable = "avx512f,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn numbers(first: usize) -> __m512i {
    load(
        &std::array::from_fn::<u64, WIDE, _>(|at| (first + at) as u64),
        0,
    )
}

/// For each of eight numbers, one of sixteen entries, by its lowest four bits.
#[inline]
#[target_feature(enable = "avx512f,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn of(table: [__m512i; 2], numbers: __m512i) -> __m512i {
    _mm512_permutex2var_epi64(table[0], numbers, table[1])
}

#[inline]
#[target_feature(enable = "avx512f,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn write(words: &mut [u64], at: usize, vector: __m512i) {
    let words = &mut words[at..at + WIDE];
    // SAFETY: there is room for eight words, and the store needs no alignment.
    unsafe { _mm512_storeu_si512(words.as_mut_ptr().cast(), vector) };
}

#[inline]
#[target_feature(enable = "avx512f,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn store(words: &mut [u64; 2 * WIDE], vectors: [__m512i; 2]) {
    write(words, 0, vectors[0]);
    write(words, WIDE, vectors[1]);
}

/// Writes the wanted words of a vector one after another, followed by arbitrary words.
#[inline]
#[target_feature(enable = "avx512f,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn append(words: &mut [u64], at: usize, wanted: u8, vector: __m512i) {
    write(words, at, _mm512_maskz_compress_epi64(wanted, vector));
}
