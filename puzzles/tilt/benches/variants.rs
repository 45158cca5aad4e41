//! States a second: successors and predecessors, bitboard against reference.
//!
//! The reference has no predecessors of its own. They are replaced by the general method: store the
//! successors of a whole part, inverted, and look up each state. Building that graph is part of the
//! cost and is timed apart.

use std::collections::HashMap;
use std::hint::black_box;

use antipode_tilt::{Bits, Rules};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use puzzle_api::optional::*;
use puzzle_api::{Puzzle, Request, Settings, Xorshift};

const BATCH: u64 = 4096;
/// Two grey blocks, one blue, up to two greens: 22 * (1 + 21 + 210) states.
const SMALL: [(&str, &str); 2] = [("grey", "2"), ("blue", "1")];

fn open<P: Puzzle>(pairs: &[(&str, &str)]) -> P {
    let settings: Settings = pairs
        .iter()
        .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()))
        .collect();
    let request = Request {
        instance: "box",
        settings: &settings,
    };
    P::open(&request).expect("a narrow box")
}

fn expand<P: Puzzle>(puzzle: &P, states: &[P::State]) -> u64 {
    let mut count = 0;
    for state in states {
        puzzle.successors(state, &mut |next| {
            black_box(next);
            count += 1;
        });
    }
    count
}

fn successors(criterion: &mut Criterion) {
    let (rules, bits): (Rules, Bits) = (open(&[]), open(&[]));
    let keys: Vec<u64> = (0..BATCH)
        .filter_map(|index| bits.random(&mut Xorshift::for_draw(1, index)))
        .map(|state| bits.key(&state))
        .collect();
    let boards: Vec<_> = keys.iter().map(|&key| rules.state(key)).collect();
    let masks: Vec<_> = keys.iter().map(|&key| bits.state(key)).collect();
    let mut group = criterion.benchmark_group("successors");
    group.throughput(Throughput::Elements(BATCH));
    group.bench_function("reference", |b| {
        b.iter(|| expand(&rules, black_box(&boards)))
    });
    group.bench_function("bitboard", |b| b.iter(|| expand(&bits, black_box(&masks))));
    group.finish();
}

fn part_keys<P: Numbering<Key = u64>>(puzzle: &P, part: u64) -> Vec<u64> {
    (0..puzzle.space(part).unwrap_or(0))
        .filter_map(|rank| puzzle.unrank(Placement { part, rank }))
        .map(|state| puzzle.key(&state))
        .collect()
}

fn stored_graph(rules: &Rules, keys: &[u64]) -> HashMap<u64, Vec<u64>> {
    let mut before: HashMap<u64, Vec<u64>> = HashMap::new();
    for &key in keys {
        rules.successors(&rules.state(key), &mut |next| {
            before.entry(rules.key(&next)).or_default().push(key);
        });
    }
    before
}

fn predecessors(criterion: &mut Criterion) {
    let (rules, bits): (Rules, Bits) = (open(&SMALL), open(&SMALL));
    let keys = part_keys(&bits, 5);
    let masks: Vec<_> = keys.iter().map(|&key| bits.state(key)).collect();
    let mut group = criterion.benchmark_group("predecessors");
    group.throughput(Throughput::Elements(keys.len() as u64));
    group.bench_function("reference, building the stored graph", |b| {
        b.iter(|| stored_graph(&rules, black_box(&keys)));
    });
    let graph = stored_graph(&rules, &keys);
    group.bench_function("reference, looking it up", |b| {
        b.iter(|| {
            let lists = keys.iter().filter_map(|key| graph.get(key));
            lists
                .flatten()
                .fold(0, |sum: u64, key| sum ^ black_box(*key))
        });
    });
    group.bench_function("bitboard", |b| {
        b.iter(|| {
            let mut sum = 0;
            for state in &masks {
                bits.predecessors(state, &mut |origin| sum ^= black_box(origin.0));
            }
            sum
        });
    });
    group.finish();
}

fn canonical(criterion: &mut Criterion) {
    let (rules, bits): (Rules, Bits) = (open(&SMALL), open(&SMALL));
    let keys = part_keys(&bits, 5);
    let mut group = criterion.benchmark_group("canonical");
    group.throughput(Throughput::Elements(keys.len() as u64));
    group.bench_function("reference", |b| {
        b.iter(|| {
            let canonical = |&key| rules.key(&rules.canonical(&rules.state(key)));
            keys.iter()
                .map(canonical)
                .fold(0, |sum, key: u64| sum ^ key)
        });
    });
    group.bench_function("bitboard", |b| {
        b.iter(|| {
            let canonical = |&key| bits.key(&bits.canonical(&bits.state(key)));
            keys.iter()
                .map(canonical)
                .fold(0, |sum, key: u64| sum ^ key)
        });
    });
    group.finish();
}

criterion_group! {
    name = variants;
    config = Criterion::default().sample_size(20);
    targets = successors, predecessors, canonical
}
criterion_main!(variants);
