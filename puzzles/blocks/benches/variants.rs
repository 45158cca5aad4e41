//! Cost of a neighbour and of a key: keys of all neighbours by the fast path, the same without used
//! pieces, and by the rulebook; a string to its rank, and back. Positions are those of one level of
//! Climb Pro 24 and of the Donkey.

use std::collections::{BTreeMap, BTreeSet};
use std::hint::black_box;
use std::time::Duration;

use antipode_blocks::sliding_block::{Bits, Rules};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use puzzle_api::{Direction, Expand, Form, Neighbours, Puzzle, Request, Settings, Want};

/// Neighbours except those that a used piece leads to.
const UNUSED: Want = Want {
    direction: Direction::Forward,
    form: Form::Unused,
};

/// Positions of a batch, as they follow each other in a level.
const BATCH: usize = 4096;
/// Positions for the slow forms.
const FEW: usize = 64;

fn open<P: Puzzle>(instance: &str) -> P {
    let settings = Settings::new();
    let request = Request {
        instance,
        settings: &settings,
    };
    P::open(&request).expect("an instance that ships")
}

/// Keys from the middle of a level, each with the marks of the pieces that led to it.
fn marked(bits: &Bits, depth: u32) -> BTreeMap<u128, u32> {
    let mut level = BTreeMap::new();
    bits.starts(&mut |start| {
        level.insert(start, 0);
    });
    let mut before: BTreeSet<u128> = BTreeSet::new();
    for _ in 0..depth {
        let keys: Vec<u128> = level.into_keys().collect();
        let mut out = Neighbours::default();
        Expand::expand(bits, UNUSED, &keys, &vec![0; keys.len()], &mut out);
        level = BTreeMap::new();
        for (key, mark) in out.keys.into_iter().zip(out.marks) {
            if keys.binary_search(&key).is_err() && !before.contains(&key) {
                *level.entry(key).or_default() |= mark;
            }
        }
        before = keys.into_iter().collect();
    }
    let first = level.len().saturating_sub(BATCH) / 2;
    level.into_iter().skip(first).take(BATCH).collect()
}

fn keys(bits: &Bits, depth: u32) -> Vec<u128> {
    marked(bits, depth).into_keys().collect()
}

fn together(bits: &Bits, keys: &[u128]) -> u64 {
    let mut count = 0;
    bits.expand_all(keys, &mut |_, next| {
        black_box(next);
        count += 1;
    });
    count
}

fn one_by_one(keys: &[u128], mut expand: impl FnMut(u128, &mut u64)) -> u64 {
    let mut count = 0;
    for &key in keys {
        expand(key, &mut count);
    }
    count
}

fn neighbours(criterion: &mut Criterion) {
    for (instance, depth) in [("donkey", 30), ("climb-pro-24", 50)] {
        let (rules, bits): (Rules, Bits) = (open(instance), open(instance));
        let (keys, used): (Vec<u128>, Vec<u32>) = marked(&bits, depth).into_iter().unzip();
        let few = &keys[..FEW.min(keys.len())];
        let mut group = criterion.benchmark_group(format!("{instance}, neighbours"));
        group.throughput(Throughput::Elements(together(&bits, &keys)));
        group.bench_function("in batches", |b| {
            b.iter(|| together(&bits, black_box(&keys)));
        });
        let mut out = Neighbours::default();
        let mut unused = || {
            out.keys.clear();
            out.marks.clear();
            out.ends.clear();
            Expand::expand(&bits, UNUSED, &keys, &used, &mut out);
            out.keys.len() as u64
        };
        group.throughput(Throughput::Elements(unused()));
        group.bench_function("in batches, without used pieces", |b| b.iter(&mut unused));
        group.throughput(Throughput::Elements(together(&bits, &keys)));
        let by_one = |key, count: &mut u64| {
            bits.successors(&key, &mut |next| {
                black_box(next);
                *count += 1;
            });
        };
        group.bench_function("one by one", |b| {
            b.iter(|| one_by_one(black_box(&keys), by_one));
        });
        let by_rules = |key, count: &mut u64| {
            rules.successors(&rules.state(key), &mut |next| {
                black_box(rules.key(&next));
                *count += 1;
            });
        };
        group.throughput(Throughput::Elements(one_by_one(few, by_rules)));
        group.bench_function("rulebook", |b| {
            b.iter(|| one_by_one(black_box(few), by_rules));
        });
        group.finish();
    }
}

fn codes(criterion: &mut Criterion) {
    for (instance, depth) in [("donkey", 30), ("climb-pro-24", 50)] {
        let bits: Bits = open(instance);
        let alphabet = &bits.board().alphabet;
        let keys = keys(&bits, depth);
        let strings: Vec<Vec<u8>> = keys.iter().map(|&key| alphabet.unrank(key)).collect();
        let mut group = criterion.benchmark_group(format!("{instance}, codes"));
        group.throughput(Throughput::Elements(keys.len() as u64));
        group.bench_function("rank of a string", |b| {
            let rank = |string: &Vec<u8>| alphabet.rank(string);
            b.iter(|| strings.iter().map(rank).fold(0, |sum, key| sum ^ key));
        });
        group.bench_function("string of a rank", |b| {
            let last = |&key: &u128| u64::from(black_box(alphabet.unrank(key))[0]);
            b.iter(|| keys.iter().map(last).sum::<u64>());
        });
        group.finish();
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1));
    targets = neighbours, codes
}
criterion_main!(benches);
