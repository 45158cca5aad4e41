//! Properties of each classic beyond the contract that the suite of `antipode-check` tests, in
//! which every fast variant agrees with its rulebook.

mod hanoi;
mod lights_out;
mod pancake;
mod sliding_tile;

use antipode_classics as classics;
use proptest::prelude::*;
use puzzle_api::optional::*;
use puzzle_api::{Direction, Request, Settings, Xorshift};

/// Compares ranks and keys around some drawn states, asked for together, with what the rulebook
/// lists.
fn ranks_around_are_literal<B, R>(instance: &str, seed: u64) -> Result<(), TestCaseError>
where
    B: Numbering<Key = u64>,
    R: Numbering<Key = u64> + RandomStates,
{
    let settings = &Settings::new();
    let request = Request { instance, settings };
    let (bits, rules) = (B::open(&request), R::open(&request));
    let (bits, rules) = (bits.expect("opens"), rules.expect("opens"));
    let rank = |state: &R::State| rules.place(state).expect("numbered").rank;
    let drawn = (0..20).filter_map(|draw| rules.random(&mut Xorshift::for_draw(seed, draw)));
    // Each with those that follow it, which a fast variant may find from it.
    let size = rules.space(0).expect("numbered");
    let drawn = drawn.flat_map(|state| rank(&state)..size.min(rank(&state) + 3));
    let ranks: Vec<u64> = drawn.collect();
    let states = ranks
        .iter()
        .map(|&rank| rules.unrank(Placement { part: 0, rank }));
    let states: Vec<R::State> = states.map(|state| state.expect("a state")).collect();
    let (mut keys, mut found, mut literal) = (Vec::new(), Vec::new(), Vec::new());
    prop_assert!(bits.neighbour_ranks(Direction::Forward, 0, &ranks, Some(&mut keys), &mut found));
    for state in &states {
        rules.successors(state, &mut |next| literal.push(rank(&next)));
    }
    found.sort_unstable();
    literal.sort_unstable();
    prop_assert_eq!(found, literal);
    prop_assert_eq!(
        keys,
        states
            .iter()
            .map(|state| rules.key(state))
            .collect::<Vec<_>>()
    );
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn ranks_around_a_state_are_those_of_its_neighbours(
        pegs in 3_usize..=6,
        discs in 1_usize..=20,
        pancakes in 1_usize..=12,
        seed: u64,
    ) {
        ranks_around_are_literal::<classics::hanoi::Bits, classics::hanoi::Rules>(&format!("{pegs}-{discs}"), seed)?;
        for kind in ["plain", "burnt"] {
            let name = format!("{kind}-{pancakes}");
            ranks_around_are_literal::<classics::pancake::Bits, classics::pancake::Rules>(&name, seed)?;
        }
    }
}
