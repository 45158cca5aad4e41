//! Every strategy of every permutation compared with index-by-index moves, and the searches behind
//! the strategies with brute force.

use std::collections::BTreeSet;

use antipode_bitlab::permute::cover::{
    all_covers, all_minimal_covers, covers, minimal_cover, signed_sums, size_bound,
};
use antipode_bitlab::permute::route::{Motion, Router, Routing, Token, for_each_order};
use antipode_bitlab::permute::{
    Permutation, Program, SplitMix64, Strategy, SurveyOptions, Symmetry, THESIS_C, Value,
    as_printed_with, best_row, first_difference, proof, survey,
};
use proptest::prelude::*;

/// Compiles and compares: proven for all words, and run on bits and random words.
fn check(perm: &Permutation, strategy: Strategy) {
    let compiled = strategy.compile(perm);
    let program = &compiled.program;
    let options = SurveyOptions {
        words: 50,
        ..SurveyOptions::default()
    };
    let differs = first_difference(program, perm, &options);
    assert_eq!(differs, None, "{strategy:?} of {perm:?}: {}", compiled.note);
    assert!(proof::proves(program, perm), "{strategy:?} of {perm:?}");
}

fn right_strategies() -> impl Iterator<Item = Strategy> {
    Strategy::ALL
        .into_iter()
        .filter(|s| *s != Strategy::AsPrinted)
}

fn is_searching(strategy: &Strategy) -> bool {
    matches!(
        strategy,
        Strategy::Grouped | Strategy::GroupedRotate | Strategy::BenesPlus
    )
}

fn all_permutations(len: usize) -> Vec<Permutation> {
    let mut all = Vec::new();
    for_each_order(len, &mut |order| {
        all.push(Permutation::from_list(order).expect("an order is a permutation"));
        true
    });
    all
}

#[test]
fn every_strategy_makes_every_permutation_of_up_to_five_bits_and_some_of_six() {
    for len in 1..=6 {
        let step = if len == 6 { 7 } else { 1 };
        for perm in all_permutations(len).into_iter().step_by(step) {
            right_strategies().for_each(|s| check(&perm, s));
        }
    }
}

#[test]
fn every_strategy_makes_random_permutations_of_every_size() {
    for len in 7..=64 {
        let perm = Permutation::random(len, len as u64).expect("7 to 64");
        right_strategies()
            .filter(|s| !is_searching(s))
            .for_each(|s| check(&perm, s));
    }
}

/// The strategies with a long search, on some sizes.
#[test]
fn searching_strategies_make_random_permutations_of_many_sizes() {
    for len in (10..=64).step_by(12) {
        let perm = Permutation::random(len, 7).expect("8 to 64");
        right_strategies()
            .filter(is_searching)
            .for_each(|s| check(&perm, s));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn every_quick_strategy_makes_any_permutation(len in 1usize..=64, seed: u64) {
        let perm = Permutation::random(len, seed).expect("1 to 64");
        right_strategies().filter(|s| !is_searching(s)).for_each(|s| check(&perm, s));
    }

    #[test]
    fn inverse_undoes(len in 1usize..=64, seed: u64, word: u64) {
        let perm = Permutation::random(len, seed).expect("1 to 64");
        prop_assert_eq!(perm.inverse().apply(perm.apply(word)), word & perm.domain());
        prop_assert_eq!(perm.then(&perm.inverse()), Permutation::identity(len).ok());
    }

    #[test]
    fn cycles_and_lists_say_the_same(len in 1usize..=64, seed: u64) {
        let perm = Permutation::random(len, seed).expect("1 to 64");
        let cycles = format!("cycles:{len}:{}", perm.cycles_text());
        prop_assert_eq!(cycles.parse::<Permutation>(), Ok(perm));
        let list: Vec<String> = perm.destinations().iter().map(u8::to_string).collect();
        prop_assert_eq!(format!("list:{}", list.join(",")).parse::<Permutation>(), Ok(perm));
    }

    #[test]
    fn specifications_never_panic(text in "[a-z0-9x:,() é]{0,24}") {
        let _ = text.parse::<Permutation>();
    }
}

#[test]
fn boards_turn_as_they_should() {
    let turn = Permutation::from_symmetry(3, 3, 1, Symmetry::Rotate90).expect("9 bits");
    // 0 1 2      6 3 0
    // 3 4 5  ->  7 4 1
    // 6 7 8      8 5 2
    let from: Vec<usize> = (0..9).map(|i| turn.inverse().to(i)).collect();
    assert_eq!(from, [6, 3, 0, 7, 4, 1, 8, 5, 2]);
    let wide = Permutation::from_symmetry(3, 2, 1, Symmetry::MirrorH).expect("6 bits");
    assert_eq!(wide.destinations(), [2, 1, 0, 5, 4, 3]);
}

#[test]
fn board_symmetries_compose_as_a_group() {
    let get = |s| Permutation::from_symmetry(5, 5, 2, s).expect("50 bits");
    let quarter = get(Symmetry::Rotate90);
    let half = quarter.then(&quarter).expect("same length");
    assert_eq!(half, get(Symmetry::Rotate180));
    assert_eq!(half.then(&quarter), Some(get(Symmetry::Rotate270)));
    let flipped = get(Symmetry::Transpose).then(&get(Symmetry::MirrorH));
    assert_eq!(flipped, Some(quarter));
    let turned = get(Symmetry::AntiTranspose).then(&get(Symmetry::MirrorV));
    assert_eq!(turned, Some(quarter));
}

#[test]
fn bad_specifications_name_the_place_and_the_mend() {
    let cases = "
         | column 1: start with list, cycles
        turn:5 | column 1: `turn` is no kind; write list
        list:0,2 | column 6: bit 1 goes to 2, outside the 2 bits: destinations are 0 to 1
        list:0,0 | column 6: bits 0 and 1 both go to 0: list every destination once
        list:0, | column 8: write a destination, a number
        cycles:4:(0 1 | column 14: close the cycle with `)`
        cycles:4:(0 4) | column 8: a cycle names bit 4 of 4: bits are 0 to 3
        cycles:4:(0 1)(1 2) | column 8: bit 1 occurs twice in the cycles: name it once
        board:5x5x3:rotate90 | column 7: a 5x5 board of 3 bits a cell does not fit a word
        board:5x4:rotate90 | column 7: rotate90 does not map a 5x4 board onto itself
        board:5x5:rotate45 | column 11: `rotate45` is no symmetry; write one of identity,
        reverse:65 | column 9: a permutation of 65 bits: give it 1 to 64
        reverse:0 | column 9: a permutation of 0 bits: give it 1 to 64
        rotate:0:1 | column 8: a permutation of 0 bits: give it 1 to 64
        reverse:8:1 | column 10: `:1` is left over; end the text here
        shuffle:5 | column 9: a perfect shuffle of 5 bits: give it an even number
        random:64 | column 10: write a colon and a seed
        random:64:99999999999999999999 | column 11: a seed must be below 2^64
        inverse:list:1 | column 14: bit 0 goes to 1, outside the 1 bits
    ";
    let rows = cases.lines().filter_map(|row| row.split_once('|'));
    let rows: Vec<_> = rows
        .map(|(spec, said)| (spec.trim(), said.trim()))
        .collect();
    assert_eq!(rows.len(), 19);
    for (spec, wanted) in rows {
        let error = spec.parse::<Permutation>().expect_err(spec).to_string();
        assert!(error.contains(wanted), "{spec}: {error}");
        assert!(!error.contains('\n'), "{spec}: {error}");
    }
}

/// The smallest size of a covering set, found by trying all sets of shifts up to `reach`.
fn brute_force_size(distances: &[i32], reach: i32) -> usize {
    fn any(distances: &[i32], from: i32, reach: i32, left: usize, set: &mut Vec<i32>) -> bool {
        if left == 0 {
            let sums = signed_sums(set);
            return distances.iter().all(|d| sums.contains(d));
        }
        (from..=reach).any(|c| {
            set.push(c);
            let found = any(distances, c + 1, reach, left - 1, set);
            set.pop();
            found
        })
    }
    let mut size = 0;
    while !any(distances, -reach, reach, size, &mut Vec::new()) {
        size += 1;
    }
    size
}

/// All sets of distances from -4 to 4, and random ones to ±12; brute force looks for shifts twice
/// as far as any distance.
#[test]
fn minimal_covers_are_as_small_as_brute_force_finds() {
    let small = (0u32..1 << 9).map(|bits| (-4..=4).filter(|d| bits >> (d + 4) & 1 == 1).collect());
    let mut words = SplitMix64::new(1);
    let random = (0..20).map(|_| {
        let mut set: BTreeSet<i32> = BTreeSet::new();
        set.extend((0..7).map(|_| words.below(25) as i32 - 12));
        set.into_iter().collect()
    });
    for (i, distances) in small.chain(random).enumerate() {
        let distances: Vec<i32> = distances;
        let found = minimal_cover(&distances, 1_000_000);
        let reach = if i < 512 { 9 } else { 24 };
        assert!(covers(&found.set, &distances), "{distances:?}: {found:?}");
        assert!(found.is_minimal(), "{distances:?}: {found:?}");
        assert_eq!(found.upper, found.set.len());
        assert!(found.upper >= size_bound(&distances));
        let brute = brute_force_size(&distances, reach);
        assert!(found.upper <= brute, "{distances:?}: {found:?}");
        // Larger shifts could need fewer only if brute force did not look far enough.
        assert_eq!(found.upper, brute, "{distances:?}: {found:?}");
    }
}

#[test]
fn all_minimal_covers_are_those_that_brute_force_finds() {
    let distances = [-3, -2, 1, 5];
    let found = all_minimal_covers(&distances, 100_000, 1_000_000);
    assert!(found.complete);
    let mut brute = Vec::new();
    for a in -63..=63 {
        for b in a + 1..=63 {
            for c in b + 1..=63 {
                if a * b * c != 0 && covers(&[a, b, c], &distances) {
                    brute.push(vec![a, b, c]);
                }
            }
        }
    }
    assert_eq!(found.sets, brute);
}

#[test]
fn bounds_are_reported_when_the_budget_is_used_up() {
    let perm = Permutation::random(50, 1).expect("50 bits");
    let found = minimal_cover(&perm.distances(), 0);
    assert_eq!((found.lower, found.upper), (6, 7));
    assert!(covers(&found.set, &perm.distances()));
    let cut = all_covers(&[4, 8, 12], 4, 1, 10, 1_000_000);
    assert_eq!((cut.sets.len(), cut.complete), (10, false));
}

/// Finds the routes of a small board by brute force over all subsets of all bits.
#[test]
fn routing_agrees_with_brute_force() {
    for (seed, len) in (0..45).map(|seed| (seed, 3 + seed as usize % 3)) {
        let perm = Permutation::random(len, seed).expect("3 to 5 bits");
        // The board moved to the top of the word, so that upward moves fall off.
        let top = 64 - len as i32 - (seed % 3) as i32;
        let tokens: Vec<Token> = (0..len)
            .map(|i| Token {
                from: (i as i32 + top) as u8,
                to: (perm.to(i) as i32 + top) as u8,
            })
            .collect();
        for set in all_minimal_covers(&perm.distances(), 5, 100_000).sets {
            let router = Router::new(&tokens, &set, Motion::Shift);
            for_each_order(set.len(), &mut |order| {
                let routed = router.route(order, &mut { 100_000 });
                let shifts: Vec<i32> = order.iter().map(|&i| set[i]).collect();
                let possible = brute_force_route(&tokens, &shifts, 0, &mut Vec::new());
                match routed {
                    Routing::Found(_) => assert!(possible, "{perm:?} {shifts:?}"),
                    Routing::Impossible => assert!(!possible, "{perm:?} {shifts:?}"),
                    Routing::Unknown => panic!("the budget is ample"),
                }
                true
            });
        }
    }
}

fn brute_force_route(tokens: &[Token], shifts: &[i32], at: usize, chosen: &mut Vec<u32>) -> bool {
    if at < tokens.len() {
        return (0..1 << shifts.len()).any(|subset| {
            chosen.push(subset);
            let found = brute_force_route(tokens, shifts, at + 1, chosen);
            chosen.pop();
            found
        });
    }
    let mut places: Vec<i32> = tokens.iter().map(|t| i32::from(t.from)).collect();
    for (stage, shift) in shifts.iter().enumerate() {
        for (place, subset) in places.iter_mut().zip(chosen.iter()) {
            *place += shift * (subset >> stage & 1) as i32;
        }
        let distinct: BTreeSet<i32> = places.iter().copied().collect();
        let inside = places.iter().all(|p| (0..64).contains(p));
        if distinct.len() < places.len() || !inside {
            return false;
        }
    }
    places
        .iter()
        .zip(tokens)
        .all(|(p, t)| *p == i32::from(t.to))
}

/// The formula as printed is right exactly when every distance is itself in C.
#[test]
fn the_printed_formula_is_right_where_no_sum_is_needed() {
    for perm in (1..=5).flat_map(all_permutations) {
        let found = minimal_cover(&perm.distances(), 10_000);
        let direct = perm.distances().iter().all(|d| found.set.contains(d));
        let program = as_printed_with(&perm, &found.set);
        assert_eq!(proof::proves(&program, &perm), direct, "{perm:?}");
    }
}

#[test]
fn proofs_refuse_what_is_wrong() {
    let perm: Permutation = "board:5x5x2:rotate90".parse().expect("a board");
    let wrong = Strategy::AsPrinted.compile(&perm).program;
    assert!(!proof::proves(&wrong, &perm));
    let mut carry = Program::new();
    let product = carry.mul(Value::INPUT, 0b11);
    let carry = carry.finish(product);
    let identity = Permutation::identity(2).expect("two bits");
    assert!(!proof::proves(&carry, &identity));
}

/// Five shifts are the fewest for the rotation of the 5x5 board. No five do it in one word, stage
/// by stage, in any order. The row `as-printed` has the thesis's own five.
#[test]
fn no_minimal_set_of_shifts_makes_the_rotation_in_one_word() {
    let turn: Permutation = "board:5x5x2:rotate90".parse().expect("a board");
    let token = |bit: usize| Token {
        from: bit as u8,
        to: turn.to(bit) as u8,
    };
    let tokens: Vec<Token> = (0..turn.len()).map(token).collect();
    let all = all_minimal_covers(&turn.distances(), 100_000, 2_000_000);
    assert_eq!((all.sets.len(), all.complete), (1122, true));
    for set in &all.sets {
        let router = Router::new(&tokens, set, Motion::Shift);
        for_each_order(set.len(), &mut |order| {
            let routed = router.route(order, &mut { 1_000_000 });
            assert!(matches!(routed, Routing::Impossible), "{set:?} {order:?}");
            true
        });
    }
    let printed = Strategy::AsPrinted.compile(&turn);
    assert_eq!(printed.program, as_printed_with(&turn, &THESIS_C));
    assert!(
        printed.note.contains("[40, -4, -8, -16, -32], minimal"),
        "{}",
        printed.note
    );
}

#[test]
fn survey_tells_right_from_wrong() {
    let perm: Permutation = "board:5x5:transpose".parse().expect("a board");
    let options = SurveyOptions {
        time: false,
        words: 100,
        ..SurveyOptions::default()
    };
    let rows = survey(&perm, &Strategy::ALL, &options);
    assert_eq!(rows.len(), Strategy::ALL.len());
    for row in &rows {
        let right = row.strategy != Strategy::AsPrinted;
        assert_eq!((row.equals_naive, row.proven), (right, right), "{row:?}");
    }
    let best = best_row(&rows).expect("some row is right");
    assert_eq!(rows[best].strategy, Strategy::BitShuffle);
}
