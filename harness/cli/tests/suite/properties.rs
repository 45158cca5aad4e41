//! Properties of the parts that counting and sampling rest on.

use std::sync::Arc;

use antipode_search::digest::hash_key;
use antipode_search::observers::{
    ConsistencyTally, InclusionList, Observers, OrbitSizes, Record, Sampling, Spot,
};
use proptest::prelude::*;
use puzzle_api::UNSOLVABLE;

use crate::support::{request, try_analyse};

#[test]
fn sampling_picks_about_one_state_in_n_by_its_seed() {
    const KEYS: u64 = 200_000;
    let picked = |seed, one_in| -> Vec<u64> {
        let sampling = Sampling::new(seed, one_in);
        let picks = |key: &u64| sampling.picks(hash_key(u128::from(*key)) as u64);
        (0..KEYS).filter(picks).collect()
    };
    for (seed, one_in) in [(1, 1), (2, 10), (3, 100), (4, 1000)] {
        let (found, expected) = (picked(seed, one_in).len() as f64, (KEYS / one_in) as f64);
        // Five standard deviations of a binomial count.
        assert!((found - expected).abs() < 5.0 * expected.sqrt(), "{found}");
    }
    assert!(picked(9, 0).is_empty() && !Sampling::OFF.picks(0));
    assert_ne!(picked(1, 100), picked(2, 100));
}

#[test]
fn the_states_solved_forward_do_not_depend_on_threads() {
    let evidence = |threads| {
        let mut request = request("tilt/box grey=1..2 blue=0 green=0..2");
        request.threads = threads;
        request.checks.exclusion_one_in = 20;
        request.checks.inclusion = 500;
        let analysis = try_analyse(&request).unwrap();
        assert!(!analysis.failed());
        let done = analysis.evidence.iter().filter(|check| check.done());
        let texts = done.map(|check| (check.sampled, check.text.clone()));
        texts.collect::<Vec<_>>()
    };
    let one = evidence(1);
    // Inclusiveness, exclusiveness, antipodes, ascents.
    assert_eq!(one.len(), 4);
    assert_eq!(evidence(3), one);
}

/// A batch: key, distance and orbit size of each state.
type Seen = Vec<(u64, u16, u32)>;

fn batch() -> impl Strategy<Value = Seen> {
    let depth = prop_oneof![4 => 0_u16..30, 1 => Just(UNSOLVABLE)];
    let size = prop::sample::select(vec![1_u32, 2, 4, 8]);
    prop::collection::vec((0_u64..500, depth, size), 0..40)
}

/// Observers with every tenth key to be met and every fourth state picked.
fn observers() -> Observers<u64> {
    let list = InclusionList::new((0..50).map(|i| (0, 10 * i, (i % 7) as u16)));
    Observers::new(Arc::new(list), Sampling::new(3, 4))
}

fn saw(batches: &[&Seen]) -> Observers<u64> {
    let mut seen = observers();
    for batch in batches {
        let keys: Vec<u64> = batch.iter().map(|state| state.0).collect();
        let depths: Vec<u16> = batch.iter().map(|state| state.1).collect();
        let sizes: Vec<u32> = batch.iter().map(|state| state.2).collect();
        seen.observe(0, &keys, &depths, OrbitSizes::Each(&sizes));
    }
    // As a companion would: every spot solved, some with another distance.
    for spot in std::mem::take(&mut seen.spots.waiting) {
        let Spot { key, depth } = spot;
        let forward = if key % 3 == 0 { depth ^ 1 } else { depth };
        seen.spots.record(spot, forward);
    }
    seen.consistency = ConsistencyTally {
        states: batches.iter().map(|batch| batch.len() as u64).sum(),
        parts: batches.len() as u64,
        ..ConsistencyTally::default()
    };
    seen
}

/// The content of observers, independent of the order of arrival.
fn summary(seen: &Observers<u64>) -> impl PartialEq + std::fmt::Debug + use<> {
    let levels: Vec<_> = seen
        .levels
        .iter()
        .map(|(depth, sum)| (depth, *sum))
        .collect();
    let mut strikes = seen.strikes.met.clone();
    strikes.sort_unstable();
    let mut mismatches = seen.spots.mismatches.clone();
    mismatches.sort_unstable();
    // The smallest hundred are kept for certain.
    mismatches.truncate(100);
    let deepest = seen.antipodes.clone();
    let mut antipodes: Vec<_> = deepest.found.iter().map(|o| (o.key, o.size)).collect();
    antipodes.sort_unstable();
    (
        levels,
        (deepest.depth, antipodes),
        strikes,
        (seen.spots.solved, seen.spots.wrong, mismatches),
        seen.consistency.clone(),
    )
}

fn absorbed(mut into: Observers<u64>, other: Observers<u64>) -> Observers<u64> {
    into.absorb(other);
    into
}

proptest! {
    #[test]
    fn absorbing_in_any_order_equals_seeing(a in batch(), b in batch(), c in batch()) {
        let all = summary(&saw(&[&a, &b, &c]));
        let [a, b, c] = [saw(&[&a]), saw(&[&b]), saw(&[&c])];
        let one_by_one = absorbed(absorbed(a.clone(), b.clone()), c.clone());
        prop_assert_eq!(&summary(&one_by_one), &all);
        prop_assert_eq!(&summary(&absorbed(c, absorbed(b, a))), &all);
    }

    #[test]
    fn a_record_survives_a_journal_line(a in batch(), b in batch()) {
        let seen = saw(&[&a, &b]);
        let record = Record::of(&seen);
        let text = serde_json::to_string(&record).unwrap();
        let read: Record = serde_json::from_str(&text).unwrap();
        prop_assert_eq!(&read, &record);
        let mut replayed = observers();
        prop_assert!(read.replay(&mut replayed).is_some());
        prop_assert_eq!(summary(&replayed), summary(&seen));
    }
}
