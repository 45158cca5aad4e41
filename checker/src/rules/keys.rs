//! Ways to pack a state into a word: digits of n bits, and ranks of sets; and ways counted.

use std::collections::HashMap;
use std::hash::Hash;

/// Digits of n bits each, the first lowest.
pub fn pack(bits: usize, digits: impl IntoIterator<Item = usize>) -> u128 {
    let shifted = digits.into_iter().zip((0..).step_by(bits));
    shifted.fold(0, |word, (digit, by)| word | (digit as u128) << by)
}

/// The digit at a place.
pub fn digit(bits: usize, word: u128, place: usize) -> usize {
    (word >> (bits * place)) as usize & ((1 << bits) - 1)
}

/// Some digits, the lowest first.
pub fn digits(bits: usize, word: u128, count: usize) -> impl Iterator<Item = usize> {
    (0..count).map(move |place| digit(bits, word, place))
}

/// `n` over `k`.
pub fn choose(n: usize, k: usize) -> u128 {
    if k > n {
        return 0;
    }
    (0..k.min(n - k)).fold(1_u128, |ways, i| ways * (n - i) as u128 / (i + 1) as u128)
}

/// Ways from a beginning through n choices to an accepted end. A state holds whatever of the choices
/// so far the others depend on.
pub fn ways<S: Eq + Hash, I: IntoIterator<Item = S>>(
    begin: S,
    choices: usize,
    next: impl Fn(usize, &S) -> I,
    ends: impl Fn(&S) -> bool,
) -> u128 {
    let mut ways = HashMap::from([(begin, 1)]);
    for choice in 0..choices {
        let mut after = HashMap::new();
        for (state, count) in ways {
            for next in next(choice, &state) {
                *after.entry(next).or_default() += count;
            }
        }
        ways = after;
    }
    let ended = ways.iter().filter(|(state, _)| ends(state));
    ended.map(|(_, count)| count).sum()
}

/// The rank of a set among those of its size: the sum of C(place, j) over its places in order. j
/// counts from `first`, which is 1 for a whole set.
pub fn rank(places: impl Iterator<Item = usize>, first: usize) -> u128 {
    let terms = places.zip(first..).map(|(place, j)| choose(place, j));
    terms.sum()
}

/// Passes on all orders of some items that keep those before a place.
pub fn each_order<T>(items: &mut [T], place: usize, take: &mut dyn FnMut(&[T])) {
    if place == items.len() {
        return take(items);
    }
    for other in place..items.len() {
        items.swap(place, other);
        each_order(items, place + 1, take);
        items.swap(place, other);
    }
}

/// All orders of some items, the given one first.
pub fn orders<T: Copy>(items: &[T]) -> Vec<Vec<T>> {
    let mut all = Vec::new();
    each_order(&mut items.to_vec(), 0, &mut |one| all.push(one.to_vec()));
    all
}
