//! Tests of the proofs of parts: what each of them has to prove, and what to find.

use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;

use puzzle_api::proof::{CensusTables, PartProof, PartProven};
use puzzle_api::{Numbering, Placement, Puzzle, Request, Settings, UNSOLVABLE, Xorshift};

use crate::rules::{Game, Parts, Rules};

/// A state as delivered: key, distance, size of its orbit.
pub type Delivered = (u64, u16, u32);

/// Opens something on an instance.
pub fn opened<T>(
    (instance, settings): (&str, &[(&str, &str)]),
    open: impl Fn(&Request<'_>) -> T,
) -> T {
    let pair = |&(key, value): &(&str, &str)| (key.to_owned(), value.to_owned());
    let settings: &Settings = &settings.iter().map(pair).collect();
    open(&Request { instance, settings })
}

/// What a proof says of the states of a part.
pub fn checked(proof: &dyn PartProof, part: u64, states: &[Delivered]) -> PartProven {
    let mut check = proof.part(part).expect("a part");
    for &(key, depth, size) in states {
        check.take(&[key], &[depth], &[size]);
    }
    check.finish()
}

/// The orbits of a part with their distances, by the rulebook alone; `canonical` gives what stands
/// for a state, and the size of its orbit.
pub fn searched<G>(
    rules: &Rules<G>,
    part: u64,
    canonical: impl Fn(&G::Board) -> (G::Board, u32),
) -> Vec<Delivered>
where
    G: Game<Key = u64>,
    G::Numbers: Parts<G>,
{
    let key = |board: &G::Board| rules.key(&canonical(board).0);
    let ranks = 0..rules.space(part).unwrap();
    let states = ranks.map(|rank| rules.unrank(Placement { part, rank }).unwrap());
    let keys = states.map(|state| key(&state));
    let mut depths: BTreeMap<u64, u16> = keys.map(|key| (key, UNSOLVABLE)).collect();
    let mut level: Vec<u64> = depths.keys().copied().collect();
    level.retain(|&key| rules.is_solved(&rules.state(key)));
    for depth in 0.. {
        level.retain(|key| std::mem::replace(depths.get_mut(key).unwrap(), depth) == UNSOLVABLE);
        let mut next = Vec::new();
        for &of in &level {
            rules.successors(&rules.state(of), &mut |to| next.push(key(&to)));
        }
        next.retain(|key| depths[key] == UNSOLVABLE);
        next.sort_unstable();
        next.dedup();
        level = next;
        if level.is_empty() {
            break;
        }
    }
    let size = |key: u64| canonical(&rules.state(key)).1;
    let delivered = depths.into_iter();
    delivered
        .map(|(key, depth)| (key, depth, size(key)))
        .collect()
}

/// A census is proven, if every part is delivered as it is.
pub fn proves(proof: &dyn PartProof, parts: u64, states_of: impl Fn(u64) -> Vec<Delivered>) {
    proof.foundation().unwrap();
    let mut states = 0;
    for part in 0..parts {
        let proven = checked(proof, part, &states_of(part));
        assert_eq!(proven.wrong, 0, "{part}: {:?}", proven.faults);
        states += proven.states;
    }
    assert_eq!(proof.states(), states);
    assert!(proof.part(parts).is_none());
}

/// What a test does to the states of a part.
type Spoil = fn(&mut Vec<Delivered>, usize);

/// Every single thing that can be wrong with the states of the first part that has all kinds of them
/// is found; gives that part.
pub fn tells_faults(
    proof: &dyn PartProof,
    sizes: &[u32],
    states_of: impl Fn(u64) -> Vec<Delivered>,
) -> (u64, Vec<Delivered>) {
    let has_all = |states: &[Delivered]| {
        let mut depths = [0, 1, 2, UNSOLVABLE].into_iter();
        let mut sizes = sizes.iter();
        depths.all(|depth| states.iter().any(|state| state.1 == depth))
            && sizes.all(|&size| states.iter().any(|state| state.2 == size))
    };
    let parts = (0..).map(|part| (part, states_of(part)));
    let (part, right) = parts
        .take(1000)
        .find(|(_, states)| has_all(states))
        .unwrap();
    let faults: [(&str, Spoil); 9] = [
        ("left out", |states, at| {
            states.remove(at);
        }),
        ("twice", |states, at| states.push(states[at])),
        ("further", |states, at| {
            states[at].1 = states[at].1.wrapping_add(1)
        }),
        ("closer", |states, at| {
            states[at].1 = states[at].1.wrapping_sub(1)
        }),
        ("at the goal", |states, at| {
            states[at].1 = if states[at].1 == 0 { 7 } else { 0 }
        }),
        ("unsolvable", |states, at| {
            states[at].1 = if states[at].1 == UNSOLVABLE {
                5
            } else {
                UNSOLVABLE
            }
        }),
        ("orbit too large", |states, at| states[at].2 *= 3),
        ("no state", |states, at| states[at].0 += 1 << 40),
        ("another state", |states, at| states[at].0 += 1),
    ];
    for (what, spoil) in faults {
        for at in (0..right.len()).step_by(1 + right.len() / 100) {
            let mut states = right.clone();
            spoil(&mut states, at);
            let proven = checked(proof, part, &states);
            assert!(
                proven.wrong > 0 && !proven.faults.is_empty(),
                "{what}: {at}"
            );
        }
    }
    // None of a part's states.
    assert!(checked(proof, part, &[]).wrong > 0);
    (part, right)
}

/// On a walk from a board, tables say what the rulebook says.
pub fn holds_on_a_walk<G: Game<Key = u64>>(
    tables: &dyn CensusTables,
    rules: &Rules<G>,
    mut key: u64,
    random: &mut Xorshift,
) {
    for _ in 0..40 {
        assert_eq!(tables.holds(key), Ok(()));
        let mut next = Vec::new();
        rules.successors(&rules.state(key), &mut |to| next.push(rules.key(&to)));
        let Some(last) = next.len().checked_sub(1) else {
            break;
        };
        key = next[random.below(last as u64 + 1) as usize];
    }
}

/// Tables take exactly the keys of states: of all below a number, and some above. `images` gives a
/// board's images, the board first.
pub fn takes_states_alone<G>(
    tables: &dyn CensusTables,
    rules: &Rules<G>,
    (keys, all): (impl Iterator<Item = u64>, u64),
    images: impl Fn(&G::Board) -> Vec<G::Board>,
) where
    G: Game<Key = u64>,
    G::Numbers: Parts<G>,
{
    let parts = rules.part_count();
    let (mut ranked, mut states) = (vec![0; parts as usize], 0);
    for key in keys {
        let mut found = Vec::new();
        tables.images(&[key], &mut found);
        let mut boards = Vec::new();
        if key < all {
            boards = images(&rules.state(key));
        }
        let places: Vec<_> = boards.iter().map(|board| rules.place(board)).collect();
        let is_state = places.iter().any(Option::is_some);
        assert_eq!(found[0] == key, is_state, "{key:x}");
        let own = places.first().copied().flatten();
        for part in 0..parts {
            let is_own = own.is_some_and(|place| place.part == part);
            assert_eq!(tables.is_ranked(part, key), is_own);
            ranked[part as usize] += u64::from(is_own);
        }
        states += u64::from(is_state);
    }
    for (part, &ranked) in (0..).zip(&ranked) {
        assert_eq!(tables.space(part), Some(ranked), "{part}");
        assert_eq!(rules.space(part), Some(ranked), "{part}");
    }
    assert_eq!(tables.space(parts), None);
    assert_eq!(tables.states(), states);
}

/// Each of so many boards is drawn as often as others: chi-squared lies within five standard
/// deviations of its mean.
pub fn draws_are_uniform<T: Eq + Hash>(
    boards: u32,
    draws: u32,
    draw: impl Fn(&mut Xorshift) -> Option<T>,
) {
    let boards = f64::from(boards);
    let mut drawn = HashMap::<T, u32>::new();
    let mut random = Xorshift::for_draw(1, 0);
    for _ in 0..draws {
        *drawn.entry(draw(&mut random).unwrap()).or_default() += 1;
    }
    let mean = f64::from(draws) / boards;
    let missing = boards - drawn.len() as f64;
    let seen = drawn.values();
    let seen = seen.map(|&n| (f64::from(n) - mean).powi(2) / mean);
    let chi_squared = seen.sum::<f64>() + missing * mean;
    let off = (chi_squared - boards) / (2.0 * boards).sqrt();
    assert!(off.abs() < 5.0, "{chi_squared}");
}
