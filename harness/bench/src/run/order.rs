//! The order of samples: in rounds, every row once per round, in an order shuffled again each
//! round. Changes of the machine meanwhile (heat, other work, the clock's frequency) then affect
//! all rows alike, and two samples of one round are a pair.

use puzzle_api::Xorshift;

/// The order of `count` things in a round: a permutation that depends only on the seed and the
/// round (Fisher and Yates).
pub fn round(seed: u64, round: u32, count: usize) -> Vec<usize> {
    let mut random = Xorshift::for_draw(seed, u64::from(round));
    let mut order: Vec<usize> = (0..count).collect();
    for last in (1..count).rev() {
        let other = random.below(last as u64 + 1) as usize;
        order.swap(last, other);
    }
    order
}

#[cfg(test)]
mod tests {
    use super::round;

    #[test]
    fn a_round_holds_everything_once_and_depends_on_seed_and_round() {
        let mut orders = std::collections::HashSet::new();
        for seed in 0..10 {
            for number in 0..10 {
                let order = round(seed, number, 12);
                let mut sorted = order.clone();
                sorted.sort_unstable();
                assert_eq!(sorted, (0..12).collect::<Vec<_>>());
                assert_eq!(order, round(seed, number, 12));
                orders.insert(order);
            }
        }
        assert_eq!(orders.len(), 100);
        assert!(round(1, 1, 0).is_empty());
    }

    /// Each of 3 things comes first in a third of 3,000 rounds; the standard deviation of
    /// the count is 26.
    #[test]
    fn no_place_is_favoured() {
        let mut first = [0_i32; 3];
        (0..3_000).for_each(|number| first[round(5, number, 3)[0]] += 1);
        assert!(
            first.iter().all(|count| (count - 1_000).abs() < 105),
            "{first:?}"
        );
    }
}
