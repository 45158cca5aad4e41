//! Decodes keys: repeated division by the same numbers, and the subsets encoded by digits.

use puzzle_api::rank::subsets;

use crate::sliding_block::alphabet::{Alphabet, binomial};

/// Most bits of the numbers that [`Reciprocal`] divides.
const NUMBER_BITS: u32 = 63;
/// Digits up to this are looked up (8 bytes each), greater ones are searched.
const LISTED: u128 = 1 << 17;

/// Division of numbers below 2^63 by a fixed one, as a multiplication.
#[derive(Debug, Clone, Copy)]
pub struct Reciprocal {
    divisor: u64,
    /// 2^64 / divisor, rounded down.
    factor: u64,
}

impl Reciprocal {
    pub fn new(divisor: u64) -> Self {
        Self {
            divisor,
            factor: u64::MAX / divisor,
        }
    }

    #[inline(always)]
    pub fn divide(self, number: u64) -> (u64, u64) {
        // The factor is less than 1 + 1/divisor too small, so the product is less than
        // 1 too small, and its whole part at most 1.
        let guess = high(number, self.factor);
        let rest = number - guess * self.divisor;
        if rest < self.divisor {
            (guess, rest)
        } else {
            (guess + 1, rest - self.divisor)
        }
    }
}

#[inline(always)]
fn high(a: u64, b: u64) -> u64 {
    ((u128::from(a) * u128::from(b)) >> 64) as u64
}

#[derive(Debug, Clone, Copy)]
pub struct Halves {
    /// Number of keys with the same order of the big pieces.
    little_total: u64,
    /// Shift by which a key fits 64 bits.
    shift: u32,
    /// 2^(64 + shift) / `little_total`, rounded down.
    factor: u64,
}

impl Halves {
    /// The halves of the keys of an alphabet, or `None` if one has 62 bits or more.
    pub fn new(alphabet: &Alphabet) -> Option<Self> {
        let bits = |number: u128| u128::BITS - number.leading_zeros();
        let (total, little) = (alphabet.total, alphabet.little_total);
        if bits(little) >= NUMBER_BITS - 1 || bits(total / little) >= NUMBER_BITS - 1 {
            return None;
        }
        // Half of the spare bits on either side: the guessed quotient is then rarely wrong. At most
        // one less than the bits of `little`, for the factor to fit.
        let shift = ((bits(total) + bits(little)).saturating_sub(64) / 2).min(bits(little) - 1);
        let shift = shift.max(bits(total).saturating_sub(64));
        let factor = ((1_u128 << (64 + shift)) - 1) / little;
        Some(Self {
            little_total: little as u64,
            shift,
            factor: factor as u64,
        })
    }

    /// The order of the big pieces, and the rest of the key.
    #[inline(always)]
    pub fn split(self, key: u128) -> (u64, u64) {
        let mut big = high((key >> self.shift) as u64, self.factor);
        // The rest, with 64 spare bits, shows by how much the guess is too small.
        let mut little = (key as u64).wrapping_sub(big.wrapping_mul(self.little_total));
        while little >= self.little_total {
            little -= self.little_total;
            big += 1;
        }
        (big, little)
    }

    #[inline(always)]
    pub fn join(self, big: u64, little: u64) -> u128 {
        u128::from(big) * u128::from(self.little_total) + u128::from(little)
    }
}

/// The subsets of places encoded by the digits of symbols.
#[derive(Debug)]
pub struct Subsets {
    /// By number of places taken: the sets in ascending order, as far as digits reach. Their order
    /// does not depend on the number of places.
    listed: Vec<List>,
}

/// Sets in ascending order.
#[derive(Debug)]
enum List {
    /// For the first 32 places: half the memory, so in a nearer cache.
    Short(Vec<u32>),
    Long(Vec<u64>),
}

impl List {
    fn len(&self) -> usize {
        match self {
            Self::Short(sets) => sets.len(),
            Self::Long(sets) => sets.len(),
        }
    }

    #[inline(always)]
    fn get(&self, rank: usize) -> Option<u64> {
        match self {
            Self::Short(sets) => sets.get(rank).map(|&set| set.into()),
            Self::Long(sets) => sets.get(rank).copied(),
        }
    }
}

impl Subsets {
    /// The subsets for digits with these numbers of places taken and these radices.
    pub fn new(counts: &[u8], radices: &[u128]) -> Self {
        let most = counts.iter().copied().max().unwrap_or(0);
        let mut listed: Vec<List> = (0..=most).map(|_| List::Short(Vec::new())).collect();
        for (&count, &radix) in counts.iter().zip(radices) {
            let list = &mut listed[usize::from(count)];
            if radix <= LISTED && (list.len() as u128) < radix {
                *list = ascending(count.into(), radix as usize);
            }
        }
        Self { listed }
    }

    /// The set of `count` places with a rank.
    #[inline(always)]
    pub fn of(&self, count: u8, rank: u64) -> u64 {
        match self.listed[usize::from(count)].get(rank as usize) {
            Some(set) => set,
            None => search(count, rank),
        }
    }
}

/// The first sets of `count` places, ascending.
fn ascending(count: u32, many: usize) -> List {
    let sets: Vec<u64> = subsets::all(u64::BITS, count).take(many).collect();
    let short: Result<Vec<u32>, _> = sets.iter().map(|&set| u32::try_from(set)).collect();
    short.map_or(List::Long(sets), List::Short)
}

/// The same place by place, from the last: a place is taken if its binomial fits.
#[cold]
fn search(count: u8, rank: u64) -> u64 {
    let (mut set, mut rest) = (0, u128::from(rank));
    for ordinal in (1..=u32::from(count)).rev() {
        let fits = |&place: &u32| binomial(place, ordinal) <= rest;
        let place = (0..u64::BITS).rev().find(fits).unwrap_or(0);
        rest -= binomial(place, ordinal);
        set |= 1 << place;
    }
    set
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn divides(number in 0..1_u64 << 63, small in any::<bool>(), divisor in 1..1_u64 << 62) {
            let divisor = if small { divisor % 40_000 + 1 } else { divisor };
            let expected = (number / divisor, number % divisor);
            prop_assert_eq!(Reciprocal::new(divisor).divide(number), expected);
        }

        #[test]
        fn splits(
            counts in prop::collection::vec(1_u8..6, 2..9),
            little in 1_usize..8,
            part in 0_u64..=u64::MAX,
        ) {
            let little = little.min(counts.len());
            let alphabet = Alphabet::new(counts, little).expect("small");
            if let Some(halves) = Halves::new(&alphabet) {
                let total = alphabet.total;
                // Any key, and those at the borders of an order of the big pieces.
                let key = total / u128::from(u64::MAX) * u128::from(part) % total;
                let border = key - key % alphabet.little_total;
                for key in [key, border, border.saturating_sub(1), total - 1] {
                    let (big, rest) = halves.split(key);
                    prop_assert_eq!(u128::from(big), key / alphabet.little_total);
                    prop_assert_eq!(u128::from(rest), key % alphabet.little_total);
                    prop_assert_eq!(halves.join(big, rest), key);
                }
            }
        }

        #[test]
        fn listed_sets_are_those_found(count in 0_u8..6, part in any::<u32>()) {
            let radix = binomial(20, count.into());
            let subsets = Subsets::new(&[count], &[radix]);
            let rank = u64::from(part) % radix as u64;
            prop_assert_eq!(subsets.of(count, rank), search(count, rank));
        }
    }

    #[test]
    fn divides_at_the_edges() {
        for divisor in [1, 2, 3, (1 << 62) - 1, 1 << 62] {
            for number in [0, 1, divisor - 1, divisor, divisor + 1, (1 << 63) - 1] {
                let expected = (number / divisor, number % divisor);
                assert_eq!(Reciprocal::new(divisor).divide(number), expected);
            }
        }
    }
}
