//! The symmetries against the permutation lab and the literal rulebook.

use antipode_bitlab::permute::{Permutation, Strategy as Way, proof};
use antipode_tilt::board::{self, Cell, SQUARES};
use antipode_tilt::symmetry;
use proptest::prelude::*;

/// The rulebook's effect on a key under this symmetry, as a permutation of its 50 bits.
fn permutation(index: u32) -> Permutation {
    let mut to = vec![0; 2 * SQUARES];
    for square in 0..SQUARES {
        let mut board = [Cell::Empty; SQUARES];
        board[square] = Cell::Grey;
        let image = board::image(&board, index);
        let place = image.iter().position(|&cell| cell == Cell::Grey);
        to[square] = place.expect("the block is still there");
        to[SQUARES + square] = SQUARES + to[square];
    }
    Permutation::from_list(&to).expect("a permutation")
}

/// The image with the smallest grey mask, then key, by the rulebook's permutation.
fn literal(key: u64) -> u64 {
    let grey = |key: &u64| key >> SQUARES & key & ((1 << SQUARES) - 1);
    (0..8)
        .map(|index| permutation(index).apply(key))
        .min_by_key(|image| (grey(image), *image))
        .expect("eight images")
}

/// Checks all 50 bits one by one and every pattern of every row. The image of a word is the OR of
/// the images of its rows, so this covers every word.
#[test]
fn the_tables_are_what_the_lab_compiles() {
    for index in 0..8 {
        let perm = permutation(index);
        let program = Way::ByteTables.compile(&perm).program;
        assert!(proof::proves(&program, &perm));
        for row in 0..10 {
            for pattern in 0..32 {
                let word = pattern << (5 * row);
                let image = program.run(word);
                assert_eq!(symmetry::image(word, index), image);
                assert_eq!(symmetry::images(word)[index as usize], image);
            }
        }
    }
}

#[test]
fn canonical_greys_and_orbits_of_small_sets_are_the_literal_ones() {
    let perms: Vec<_> = (0..8).map(permutation).collect();
    for low in 0..SQUARES {
        for high in low..SQUARES {
            for third in [high, 12, 0, 24, 7] {
                let mask = 1 << low | 1 << high | 1 << third;
                let images = perms.iter().map(|perm| perm.apply(mask));
                let least = images.clone().fold(u64::MAX, u64::min);
                assert_eq!(symmetry::is_canonical_grey(mask as u32), least == mask);
                let mut orbit: Vec<u64> = images.collect();
                orbit.sort_unstable();
                orbit.dedup();
                for key in [mask, mask << SQUARES, mask << SQUARES | mask] {
                    assert_eq!(symmetry::orbit_size(key), orbit.len() as u32);
                }
            }
        }
    }
}

/// Any word of 50 bits, and words with symmetric masks, so that images tie.
fn any_word() -> impl Strategy<Value = u64> {
    let folded =
        (any::<u64>(), 0..8_u32, any::<u64>(), 0..3_u32).prop_map(|(mask, index, rest, thin)| {
            let mask = mask & (rest >> 20 | rest << 20) & ((1 << SQUARES) - 1);
            // The union of a mask and its images under the powers of one symmetry.
            let mut grey = mask;
            for _ in 0..4 {
                grey |= symmetry::image(grey, index);
            }
            let sparse = (0..thin).fold(rest, |rest, _| rest & rest.rotate_left(17));
            // Anything in P or Q but not in both, so that the greys stay symmetric.
            let side = (rest >> 7) & ((1 << SQUARES) - 1);
            let blocks = sparse & !grey & ((1 << SQUARES) - 1);
            (grey | blocks & side) << SQUARES | grey | blocks & !side
        });
    prop_oneof![any::<u64>().prop_map(|word| word & ((1 << 50) - 1)), folded]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn the_canonical_form_is_the_literal_one(key in any_word()) {
        prop_assert_eq!(symmetry::canonical(key), literal(key));
    }
}
