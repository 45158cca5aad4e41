//! The fast variants against the rulebook, on every named board.

mod support;

use antipode_peg_solitaire::board::DRAWINGS;
use antipode_peg_solitaire::{Bits, Rules};
use proptest::prelude::*;
use puzzle_api::optional::*;
use puzzle_api::{Direction, NEVER, Puzzle, Xorshift};

use support::{keys, open};

/// Instances looked at: every board with its own finish and with any.
fn instances() -> impl Strategy<Value = (&'static str, &'static str)> {
    let names: Vec<&str> = DRAWINGS.iter().map(|drawing| drawing.name).collect();
    let finish = prop::sample::select(vec!["", "any", "0:0", "1:0", "-1:1"]);
    (prop::sample::select(names), finish)
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
    fn bitboard_plays_as_the_rulebook((name, to) in instances(), word in word()) {
        agree::<Bits>(name, to, word)?;
    }

    /// Neighbours without those that the bound excludes are those of the rulebook of which it
    /// excludes nothing; backward, of whose complements.
    #[test]
    fn pruned_orbits_are_those_with_hope(
        (name, to) in instances(),
        words in prop::collection::vec(word(), 1..20),
    ) {
        let settings: &[(&str, &str)] = if to.is_empty() { &[] } else { &[("to", to)] };
        let (rules, bits): (Rules, Bits) = (open(name, settings), open(name, settings));
        let given: Vec<u64> = words.iter().map(|word| word & full(&rules)).collect();
        for direction in [Direction::Forward, Direction::Backward] {
            let form = Form::Pruned;
            let near = bits.neighbours(Want { direction, form }, &given);
            let (out, ends) = (near.keys, near.ends);
            prop_assert_eq!(ends.last(), Some(&out.len()));
            let mut start = 0;
            for (&key, &end) in given.iter().zip(&ends) {
                let state = rules.state(key);
                let mut near = Vec::new();
                match direction {
                    Direction::Forward => rules.successors(&state, &mut |next| near.push(next)),
                    Direction::Backward => rules.predecessors(&state, &mut |next| near.push(next)),
                }
                near.retain(|next| match direction {
                    Direction::Forward => rules.lower_bound(next) != NEVER,
                    Direction::Backward => rules.lower_bound(&rules.time_reversal(next).expect("pegs")) != NEVER,
                });
                let least = near.iter().map(|next| rules.key(&rules.canonical(next)));
                let mut expected: Vec<u64> = least.collect();
                expected.sort_unstable();
                let mut found = out[start..end].to_vec();
                found.sort_unstable();
                prop_assert_eq!(found, expected);
                start = end;
            }
        }
    }

    /// A jump undone gives the position back, and the other way round.
    #[test]
    fn predecessors_are_the_inverse_of_successors((name, _) in instances(), word in word()) {
        let bits: Bits = open(name, &[]);
        let key = word & full(&bits);
        for next in keys(&bits, |emit| bits.successors(&key, emit)) {
            prop_assert!(keys(&bits, |emit| bits.predecessors(&next, emit)).contains(&key));
        }
        for before in keys(&bits, |emit| bits.predecessors(&key, emit)) {
            prop_assert!(keys(&bits, |emit| bits.successors(&before, emit)).contains(&key));
        }
    }

    /// The bound falls by one jump a jump at most, so it is never more than what is left.
    #[test]
    fn no_jump_lowers_the_bound_by_more_than_one((name, to) in instances(), word in word()) {
        let settings: &[(&str, &str)] = if to.is_empty() { &[] } else { &[("to", to)] };
        let bits: Bits = open(name, settings);
        let key = word & full(&bits);
        let left = bits.lower_bound(&key);
        prop_assert!(!bits.is_solved(&key) || left == 0);
        for next in keys(&bits, |emit| bits.successors(&key, emit)) {
            prop_assert!(left <= bits.lower_bound(&next).saturating_add(1));
        }
    }

    /// Side by side the same neighbours are found.
    #[test]
    fn neighbours_side_by_side_are_those_one_by_one((name, _) in instances(), word in word()) {
        let bits: Bits = open(name, &[]);
        let key = word & full(&bits);
        for way in [Direction::Forward, Direction::Backward] {
            let near = bits.neighbours(Want::all(way), &[key, 0, key]);
            let (mut found, ends) = (near.keys, near.ends);
            let singly = keys(&bits, |emit| match way {
                Direction::Forward => bits.successors(&key, emit),
                Direction::Backward => bits.predecessors(&key, emit),
            });
            prop_assert_eq!(&ends, &[singly.len(), singly.len(), 2 * singly.len()]);
            for half in found.chunks_mut(singly.len().max(1)) {
                half.sort_unstable();
                prop_assert_eq!(half, &singly[..]);
            }
        }
    }

    /// Played backward with pegs and holes exchanged it is the same game.
    #[test]
    fn the_complement_plays_backward((name, _) in instances(), word in word()) {
        let rules: Rules = open(name, &[]);
        let all = full(&rules);
        let (state, mirror) = (rules.state(word & all), rules.state(all & !word));
        let mut turned: Vec<u64> = keys(&rules, |emit| rules.successors(&state, emit))
            .into_iter()
            .map(|key| all ^ key)
            .collect();
        turned.sort_unstable();
        prop_assert_eq!(turned, keys(&rules, |emit| rules.predecessors(&mirror, emit)));
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
