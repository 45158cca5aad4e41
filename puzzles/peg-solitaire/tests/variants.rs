//! The fast variants against the rulebook, on every named board, beyond the contract that the suite
//! of `antipode-check` tests.

mod support;

use std::collections::HashMap;

use antipode_peg_solitaire::board::{DRAWINGS, LINED};
use antipode_peg_solitaire::{Bits, Rules};
use proptest::prelude::*;
use puzzle_api::optional::*;
use puzzle_api::{Puzzle, Xorshift};

use support::{keys, open};

/// Instances tested: every board with its own finish and with any.
fn instances() -> impl Strategy<Value = (&'static str, &'static str)> {
    let names: Vec<&str> = DRAWINGS.iter().map(|drawing| drawing.name).collect();
    let finish = prop::sample::select(vec!["", "any", "0:0", "1:0", "-1:1"]);
    let drawn = (prop::sample::select(names), finish);
    let finish = prop::sample::select(vec!["", "any", "1", "4", "5"]);
    let lined = prop::sample::select(LINED.map(|board| board.name).to_vec());
    prop_oneof![5 => drawn, 1 => (lined, finish)]
}

/// A board of holes in a rectangle with any lines, as a setting.
fn lines() -> impl Strategy<Value = String> {
    let hole = || 0_usize..20;
    let lines = prop::collection::vec((hole(), hole(), hole()), 1..40);
    (3_usize..6, lines).prop_map(|(width, lines)| {
        let mut text: String = (0..20)
            .map(|hole| format!("hole h{hole} {}:{};", hole % width, hole / width))
            .collect();
        // A chain, so that nothing is cut off.
        text += &(0..20).fold("line".to_owned(), |line, hole| format!("{line} h{hole}"));
        for (a, b, c) in lines
            .into_iter()
            .filter(|(a, b, c)| a != b && b != c && a != c)
        {
            text += &format!(";line h{a} h{b} h{c}");
        }
        text
    })
}

/// A position: pegs anywhere, few or many.
fn word() -> impl Strategy<Value = u64> {
    (any::<u64>(), any::<u64>(), 0..3).prop_map(|(a, b, density)| match density {
        0 => a & b,
        1 => a,
        _ => a | b,
    })
}

fn full<P: Puzzle<Key = u64>>(puzzle: &P) -> u64 {
    puzzle.key(&puzzle.parse("full").unwrap())
}

fn agree<P>(name: &str, to: &str, word: u64) -> Result<(), TestCaseError>
where
    P: SolvedStates<Key = u64> + Predecessors + Symmetry + Layered + Hints + Objective + LowerBound,
{
    let settings: &[(&str, &str)] = if to.is_empty() { &[] } else { &[("to", to)] };
    agree_on::<P>(name, settings, word)
}

fn agree_on<P>(name: &str, settings: &[(&str, &str)], word: u64) -> Result<(), TestCaseError>
where
    P: SolvedStates<Key = u64> + Predecessors + Symmetry + Layered + Hints + Objective + LowerBound,
{
    let (rules, fast): (Rules, P) = (open(name, settings), open(name, settings));
    let key = word & full(&rules);
    let (slow, quick) = (rules.state(key), fast.state(key));
    prop_assert_eq!(fast.key(&quick), key);
    prop_assert_eq!(rules.key(&slow), key);
    prop_assert_eq!(
        keys(&fast, |emit| fast.successors(&quick, emit)),
        keys(&rules, |emit| rules.successors(&slow, emit))
    );
    prop_assert_eq!(
        keys(&fast, |emit| fast.predecessors(&quick, emit)),
        keys(&rules, |emit| rules.predecessors(&slow, emit))
    );
    prop_assert_eq!(fast.is_solved(&quick), rules.is_solved(&slow));
    prop_assert_eq!(fast.draw(&quick), rules.draw(&slow));
    prop_assert_eq!(fast.symmetry_count(), rules.symmetry_count());
    for index in 0..rules.symmetry_count() {
        let (ours, theirs) = (fast.image(&quick, index), rules.image(&slow, index));
        prop_assert_eq!(fast.key(&ours), rules.key(&theirs));
    }
    prop_assert_eq!(
        fast.key(&fast.canonical(&quick)),
        rules.key(&rules.canonical(&slow))
    );
    prop_assert_eq!(fast.orbit_size(&quick), rules.orbit_size(&slow));
    let (mut order, mut literal) = (Vec::new(), Vec::new());
    fast.hint(Hint::MoveOrder, std::slice::from_ref(&quick), &mut order);
    rules.hint(Hint::MoveOrder, std::slice::from_ref(&slow), &mut literal);
    prop_assert_eq!(order, literal);
    prop_assert_eq!(fast.objective(&quick), rules.objective(&slow));
    prop_assert_eq!(fast.lower_bound(&quick), rules.lower_bound(&slow));
    prop_assert_eq!(
        fast.time_reversal(&quick).map(|state| fast.key(&state)),
        rules.time_reversal(&slow).map(|state| rules.key(&state))
    );
    prop_assert_eq!(
        keys(&fast, |emit| fast.starts(emit)),
        keys(&rules, |emit| rules.starts(emit))
    );
    prop_assert_eq!(
        keys(&fast, |emit| fast.solved_states(0, emit)),
        keys(&rules, |emit| rules.solved_states(0, emit))
    );
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn bitboard_plays_as_the_rulebook_on_any_lines(board in lines(), word in word(), to in 0..20) {
        let to = format!("h{to}");
        for to in ["any", &to] {
            agree_on::<Bits>("custom", &[("board", &board), ("to", to)], word)?;
        }
    }

    /// If a proof shows that no single peg can be reached, none can.
    #[test]
    fn no_position_that_is_refuted_can_be_solved(word in 0_u64..1 << 15, hole in 0_u32..15) {
        let to = (hole + 1).to_string();
        let bits: Bits = open("triangle-15", &[("to", &to)]);
        if bits.refute(&word, None).is_some() {
            prop_assert_eq!(solutions(&bits, word, &mut HashMap::new()), 0);
        }
    }

    #[test]
    fn bitboard_plays_as_the_rulebook((name, to) in instances(), word in word()) {
        agree::<Bits>(name, to, word)?;
    }
}

#[test]
fn random_states_are_the_same_in_all_variants_and_fill_the_board() {
    for drawing in DRAWINGS {
        let (rules, bits): (Rules, Bits) = (open(drawing.name, &[]), open(drawing.name, &[]));
        let (mut some, mut all) = (0, u64::MAX);
        for draw in 0..200 {
            let key = bits.random(&mut Xorshift::for_draw(7, draw)).unwrap();
            let other = rules.random(&mut Xorshift::for_draw(7, draw)).unwrap();
            assert_eq!(rules.key(&other), key);
            some |= key;
            all &= key;
        }
        assert_eq!((some, all), (full(&bits), 0), "{}", drawing.name);
    }
}

/// Paths from a position to a solved one, in jumps.
fn solutions<P: Puzzle<Key = u64>>(puzzle: &P, key: u64, known: &mut HashMap<u64, u64>) -> u64 {
    if let Some(&ways) = known.get(&key) {
        return ways;
    }
    let state = puzzle.state(key);
    let mut ways = u64::from(puzzle.is_solved(&state));
    for next in keys(puzzle, |emit| puzzle.successors(&state, emit)) {
        ways += solutions(puzzle, next, known);
    }
    known.insert(key, ways);
    ways
}

/// The 438,984 solutions of a solver of its own, all starts together (a README on GitHub,
/// "TrianglePegGame": a depth-first search in C++), and those that a Python program written for
/// this test counts from each hole.
#[test]
fn the_triangle_of_15_has_as_many_solutions_as_others_count() {
    let mut all = 0;
    for hole in 1..=15 {
        let from = hole.to_string();
        let (rules, bits): (Rules, Bits) = (
            open("triangle-15", &[("from", &from)]),
            open("triangle-15", &[("from", &from)]),
        );
        let start = bits.key(&bits.parse("start").unwrap());
        let found = solutions(&bits, start, &mut HashMap::new());
        assert_eq!(found, solutions(&rules, start, &mut HashMap::new()));
        let right = match hole {
            1 | 11 | 15 => 29_760,
            4 | 6 | 13 => 85_258,
            5 | 8 | 9 => 1_550,
            _ => 14_880,
        };
        assert_eq!(found, right, "from {hole}");
        all += found;
    }
    assert_eq!(all, 438_984);
}
