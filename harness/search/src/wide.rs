//! Loops over many states without an early exit, which are compiled for several states at a time if
//! the processor can do that.

/// Defines a function that calls `$each`, in a copy compiled for the features if the processor has
/// them, and `$plain` otherwise; the results are the same everywhere. `$each` is
/// `#[inline(always)]`, or the copy would call the code for any processor.
macro_rules! vectorised {
    (
        $(#[$attribute:meta])*
        $visibility:vis fn $name:ident($($argument:ident: $kind:ty),*) $(-> $result:ty)?
            = $each:ident for [$($feature:tt)+] else $plain:ident
    ) => {
        $(#[$attribute])*
        $visibility fn $name($($argument: $kind),*) $(-> $result)? {
            #[cfg(target_arch = "x86_64")]
            #[allow(unsafe_code)]
            if $(is_x86_feature_detected!($feature))&&+ {
                #[target_feature($(enable = $feature),+)]
                fn vectors($($argument: $kind),*) $(-> $result)? {
                    $each($($argument),*)
                }
                // SAFETY: the processor has the features that the function is compiled for.
                return unsafe { vectors($($argument),*) };
            }
            $plain($($argument),*)
        }
    };
}

pub(crate) use vectorised;

vectorised! {
    /// Whether some word lies in `start..start + width`, wrapping around.
    pub fn any_within(words: &[u64], start: u64, width: u64) -> bool
        = any_within_each for ["avx512f"] else any_within_narrow
}

vectorised! {
    fn any_within_narrow(words: &[u64], start: u64, width: u64) -> bool
        = any_within_each for ["avx2"] else any_within_each
}

vectorised! {
    /// The greatest of some depths, not counting unsolvable ones.
    pub fn deepest(depths: &[u16]) -> Option<u16> = deepest_each for ["avx2"] else deepest_each
}

/// Unsolvable is the greatest depth, so adding one wraps it to the bottom.
#[inline(always)]
fn deepest_each(depths: &[u16]) -> Option<u16> {
    let above = depths
        .iter()
        .fold(0, |most: u16, d| most.max(d.wrapping_add(1)));
    above.checked_sub(1)
}

/// No early exit: so it checks several words at once.
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
