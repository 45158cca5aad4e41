//! Neighbours a second, bitboard against reference, and the key of a string by the literal
//! ranking. Positions are those of one level of Climb Pro 24 and of the Donkey.

use std::hint::black_box;

use antipode_sliding_block::frontier::Frontier;
use antipode_sliding_block::{Bits, Rules};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use puzzle_api::{Puzzle, Request, Settings};

/// Positions of a batch.
const BATCH: usize = 512;
/// A level that has as many.
const DEPTH: u32 = 30;

fn open<P: Puzzle>(instance: &str) -> P {
    let settings = Settings::new();
    let request = Request {
        instance,
        settings: &settings,
    };
    P::open(&request).expect("an instance that ships")
}

/// Keys spread over a level.
fn keys(bits: &Bits) -> Vec<u128> {
    let mut frontier = Frontier::new(bits);
    while frontier.depth() < DEPTH {
        frontier.step();
    }
    let level = frontier.level();
    let apart = (level.len() / BATCH).max(1);
    level.iter().copied().step_by(apart).take(BATCH).collect()
}

fn expand<P: Puzzle>(puzzle: &P, states: &[P::State]) -> u64 {
    let mut count = 0;
    for state in states {
        puzzle.successors(state, &mut |next| {
            black_box(puzzle.key(&next));
            count += 1;
        });
    }
    count
}

fn variants(criterion: &mut Criterion) {
    for instance in ["donkey", "climb-pro-24"] {
        let (rules, bits): (Rules, Bits) = (open(instance), open(instance));
        let keys = keys(&bits);
        let cells: Vec<_> = keys.iter().map(|&key| rules.state(key)).collect();
        let strings: Vec<_> = cells.iter().map(|at| rules.board().string(at)).collect();
        let mut group = criterion.benchmark_group(instance);
        // Successors with their keys; the same number by both variants, repetitions apart.
        group.throughput(Throughput::Elements(expand(&bits, &keys)));
        group.bench_function("successors, bitboard", |b| {
            b.iter(|| expand(&bits, black_box(&keys)));
        });
        group.throughput(Throughput::Elements(expand(&rules, &cells)));
        group.bench_function("successors, reference", |b| {
            b.iter(|| expand(&rules, black_box(&cells)));
        });
        group.throughput(Throughput::Elements(strings.len() as u64));
        group.bench_function("rank of a string, literal", |b| {
            let rank = |string: &Vec<u8>| rules.board().alphabet.rank(string);
            b.iter(|| strings.iter().map(rank).fold(0, |sum, key| sum ^ key));
        });
        group.finish();
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10);
    targets = variants
}
criterion_main!(benches);
