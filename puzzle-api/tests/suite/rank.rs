//! The combinatorial number system: every method compared with the defining sum.

use proptest::prelude::*;
use puzzle_api::rank::{Pieces, Steps, TooLarge, binomial, naive, subsets};

/// A mask of some size among some cells.
fn any_subset() -> impl Strategy<Value = (u32, u64)> {
    (1..=64_u32, any::<u64>(), any::<u64>(), any::<bool>()).prop_map(|(cells, a, b, sparse)| {
        let mask = if sparse { a & b } else { a };
        (cells, mask & puzzle_api::rank::low_bits(cells))
    })
}

fn moved(mask: u64) -> impl Iterator<Item = (u32, u32, u64)> {
    let members = (0..64).filter(move |&c| mask >> c & 1 == 1);
    members.flat_map(move |from| {
        let empty = (0..64).filter(move |&t| mask >> t & 1 == 0);
        empty.map(move |to| (from, to, mask & !(1 << from) | 1 << to))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn pieces_agree_with_the_definition((cells, mask) in any_subset()) {
        let members = mask.count_ones();
        let rank = naive::rank(mask);
        let pieces = Pieces::new(cells, members).unwrap();
        prop_assert_eq!(pieces.rank(mask), rank);
        prop_assert_eq!(pieces.unrank(rank), Some(mask));
        prop_assert_eq!(pieces.unrank(pieces.count()), None);
        prop_assert_eq!(pieces.unrank(u64::MAX), None);
        let last = naive::unrank(cells, members, pieces.count() - 1);
        prop_assert_eq!(pieces.unrank(pieces.count() - 1), last);
        prop_assert_eq!(naive::unrank(cells, members, rank), Some(mask));
    }

    #[test]
    fn steps_agree_with_the_definition((_, mask) in any_subset()) {
        let mut steps = Steps::default();
        steps.prepare(mask, naive::rank(mask), !mask);
        let mut expected = moved(mask);
        let mut out = [0; 64];
        for (member, &from) in steps.members().iter().enumerate() {
            steps.ranks(member, &mut out);
            for (&rank, &to) in out.iter().zip(steps.targets()) {
                let (f, t, next) = expected.next().unwrap();
                prop_assert_eq!((f, t), (from.into(), to.into()));
                prop_assert_eq!(rank, naive::rank(next), "{} to {}", from, to);
            }
        }
        prop_assert_eq!(expected.next(), None);
    }

    #[test]
    fn the_next_subset_has_the_next_rank((_, mask) in any_subset()) {
        match subsets::next_subset(mask) {
            Some(next) => {
                prop_assert_eq!(next.count_ones(), mask.count_ones());
                prop_assert_eq!(naive::rank(next), naive::rank(mask) + 1);
            }
            None => prop_assert_eq!(
                naive::rank(mask) + 1,
                binomial(64, mask.count_ones())
            ),
        }
    }
}

#[test]
fn small_sets_are_numbered_completely_and_in_order() {
    for cells in 0..=13 {
        for members in 0..=cells {
            let all: Vec<u64> = subsets::all(cells, members).collect();
            assert_eq!(all.len() as u64, binomial(cells, members));
            assert!(all.is_sorted());
            let pieces = Pieces::new(cells, members).unwrap();
            for (rank, &mask) in (0..).zip(&all) {
                assert_eq!(naive::rank(mask), rank);
                assert_eq!(pieces.rank(mask), rank);
                assert_eq!(pieces.unrank(rank), Some(mask));
                assert_eq!(naive::unrank(cells, members, rank), Some(mask));
            }
        }
    }
}

#[test]
fn the_widest_masks_are_numbered() {
    let pieces = Pieces::new(64, 32).unwrap();
    let top = u64::MAX << 32;
    assert_eq!(pieces.rank(top), binomial(64, 32) - 1);
    assert_eq!(pieces.unrank(binomial(64, 32) - 1), Some(top));
    let full = Pieces::new(64, 64).unwrap();
    assert_eq!((full.count(), full.unrank(0)), (1, Some(u64::MAX)));
    assert_eq!(Pieces::new(0, 0).unwrap().unrank(0), Some(0));
}

#[test]
fn the_boards_of_the_article_are_as_many_as_it_says() {
    assert_eq!(Pieces::new(35, 12).unwrap().count(), 834_451_800);
    assert_eq!(Pieces::new(45, 13).unwrap().count(), 73_006_209_045);
}

#[test]
fn what_cannot_be_numbered_is_refused() {
    assert_eq!(Pieces::new(65, 3).unwrap_err(), TooLarge::Cells(65));
    let members = TooLarge::Members {
        cells: 5,
        members: 6,
    };
    assert_eq!(Pieces::new(5, 6).unwrap_err(), members);
}
