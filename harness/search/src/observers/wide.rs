//! Questions about a whole stretch of states, asked in loops without an early end, which are
//! compiled for several states at a time where the processor can do that.

/// Whether some word lies in `start..start + width`, wrapping around.
pub(super) fn any_within(words: &[u64], start: u64, width: u64) -> bool {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx512f") {
        // SAFETY: the processor has the feature that the function is compiled for.
        #[allow(unsafe_code)]
        return unsafe { any_within_wide(words, start, width) };
    }
    any_within_each(words, start, width)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn any_within_wide(words: &[u64], start: u64, width: u64) -> bool {
    any_within_each(words, start, width)
}

/// The greatest of some depths, unsolvable ones aside.
pub(super) fn deepest(depths: &[u16]) -> Option<u16> {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has the feature that the function is compiled for.
        #[allow(unsafe_code)]
        return unsafe { deepest_wide(depths) };
    }
    deepest_each(depths)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn deepest_wide(depths: &[u16]) -> Option<u16> {
    deepest_each(depths)
}

/// Unsolvable is the greatest depth, so one more wraps it to the bottom.
#[inline(always)]
fn deepest_each(depths: &[u16]) -> Option<u16> {
    let above = depths
        .iter()
        .fold(0, |most: u16, d| most.max(d.wrapping_add(1)));
    above.checked_sub(1)
}

/// No early end: then it goes several words at a time.
#[inline(always)]
fn any_within_each(words: &[u64], start: u64, width: u64) -> bool {
    let within = |met, word: &u64| met | (word.wrapping_sub(start) < width);
    words.iter().fold(false, within)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn many_words_are_looked_at_as_one_by_one(
            mut words: Vec<u64>, start: u64, width in 0..u64::MAX, depths: Vec<u16>,
        ) {
            prop_assert_eq!(
                any_within(&words, start, width),
                words.iter().any(|word| word.wrapping_sub(start) < width)
            );
            words.push(start);
            prop_assert!(any_within(&words, start, 1));
            let solvable = depths.iter().filter(|&&depth| depth != u16::MAX);
            prop_assert_eq!(deepest(&depths), solvable.max().copied());
        }
    }
}
