//! `Board` against a plain array of flags.

use antipode_bitlab::bitboard::Board;
use proptest::prelude::*;

fn flags<const N: usize>(board: Board<N>) -> Vec<bool> {
    (0..Board::<N>::BITS).map(|i| board.get(i)).collect()
}

fn board<const N: usize>(flags: &[bool]) -> Board<N> {
    (0..flags.len()).filter(|&i| flags[i]).collect()
}

fn shifted(flags: &[bool], by: isize) -> Vec<bool> {
    let from = |i: usize| i.checked_add_signed(by).and_then(|i| flags.get(i));
    (0..flags.len()).map(|i| from(i) == Some(&true)).collect()
}

fn check_shift<const N: usize>(words: [u64; N], by: isize) {
    let bits = Board::from_words(words);
    assert_eq!(
        flags(bits.shift(by)),
        shifted(&flags(bits), by),
        "{bits:?} {by}"
    );
    if by >= 0 {
        assert_eq!(bits >> by as usize, bits.shift(by));
        assert_eq!(bits << by as usize, bits.shift(-by));
    }
}

fn check_queries<const N: usize>(words: [u64; N]) {
    let bits = Board::from_words(words);
    let flags = flags(bits);
    let on: Vec<usize> = (0..flags.len()).filter(|&i| flags[i]).collect();
    assert_eq!(board::<N>(&flags), bits);
    assert_eq!(bits.iter().collect::<Vec<_>>(), on);
    assert_eq!(bits.iter().len(), on.len());
    assert_eq!(bits.count() as usize, on.len());
    assert_eq!(bits.lowest(), on.first().copied());
    assert_eq!(bits.highest(), on.last().copied());
    assert_eq!(bits.is_empty(), on.is_empty());
    assert_eq!(
        bits.lowest_bit(),
        on.first().map_or(Board::EMPTY, |&i| Board::bit(i))
    );
    for i in on {
        assert_eq!(bits.without(i).with(i), bits);
    }
}

proptest! {
    #[test]
    fn shifts_carry_across_words(
        words in any::<[u64; 6]>(), two in any::<[u64; 2]>(), by in -500_isize..500
    ) {
        check_shift(words, by);
        check_shift(two, by);
        check_shift([words[0]], by);
    }

    #[test]
    fn queries_agree_with_flags(words in any::<[u64; 6]>(), keep in any::<[u64; 6]>()) {
        let sparse: [u64; 6] = std::array::from_fn(|i| words[i] & keep[i].wrapping_mul(keep[0] & 1));
        check_queries(words);
        check_queries(sparse);
        check_queries([words[0] & keep[0]]);
    }

    #[test]
    fn operators_work_bit_by_bit(a in any::<[u64; 3]>(), b in any::<[u64; 3]>()) {
        let (x, y) = (Board::from_words(a), Board::from_words(b));
        for i in 0..192 {
            let (p, q) = (x.get(i), y.get(i));
            prop_assert_eq!((x & y).get(i), p && q);
            prop_assert_eq!((x | y).get(i), p || q);
            prop_assert_eq!((x ^ y).get(i), p != q);
            prop_assert_eq!((!x).get(i), !p);
        }
        prop_assert_eq!(x.contains(y), x | y == x);
        prop_assert_eq!(x.intersects(y), !(x & y).is_empty());
    }
}

#[test]
fn every_shift_of_every_single_bit() {
    for i in 0..192 {
        for by in -200..=200 {
            let to = i as isize - by;
            let expected = usize::try_from(to).map_or(Board::EMPTY, Board::bit);
            assert_eq!(Board::<3>::bit(i).shift(by), expected, "bit {i} by {by}");
        }
    }
}

#[test]
fn out_of_range_is_empty_not_a_panic() {
    let full = Board::<2>::FULL;
    assert!(full.shift(isize::MIN).is_empty() && full.shift(isize::MAX).is_empty());
    assert!((full << usize::MAX).is_empty() && (full >> 128).is_empty());
    assert_eq!(Board::<2>::bit(128), Board::EMPTY);
    assert_eq!(full.without(usize::MAX), full);
    assert!(!full.get(128));
    assert_eq!(Board::<0>::FULL.lowest(), None);
    assert_eq!(
        format!("{:?}", Board::<2>::bit(64)),
        "0x0000000000000001_0000000000000000"
    );
}
