//! States a second: successors and canonical images, bitboard against reference, and the bitboard's
//! predecessors, which the reference has not.

use std::hint::black_box;

use antipode_tilt::{Bits, Rules};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use puzzle_api::optional::*;
use puzzle_api::{Puzzle, Request, Settings, Xorshift};

const BATCH: u64 = 4096;

fn open<P: Puzzle>() -> P {
    let settings = &Settings::new();
    let instance = "box";
    P::open(&Request { instance, settings }).expect("the box")
}

/// Random boards of the box.
fn keys(bits: &Bits) -> Vec<u64> {
    let drawn = (0..BATCH).filter_map(|draw| bits.random(&mut Xorshift::for_draw(1, draw)));
    drawn.map(|state| bits.key(&state)).collect()
}

/// Times some work on all states.
fn each<P: Puzzle<Key = u64>>(
    criterion: &mut Criterion,
    name: &str,
    puzzle: &P,
    keys: &[u64],
    work: impl Fn(&P, &P::State),
) {
    let states: Vec<P::State> = keys.iter().map(|&key| puzzle.state(key)).collect();
    let mut group = criterion.benchmark_group(name);
    group.throughput(Throughput::Elements(BATCH));
    group.bench_function(P::VARIANT, |b| {
        b.iter(|| {
            states
                .iter()
                .for_each(|state| work(puzzle, black_box(state)))
        });
    });
    group.finish();
}

fn both<P: Symmetry<Key = u64>>(criterion: &mut Criterion, puzzle: &P, keys: &[u64]) {
    each(criterion, "successors", puzzle, keys, |puzzle, state| {
        puzzle.successors(state, &mut |next| {
            black_box(next);
        });
    });
    each(criterion, "canonical", puzzle, keys, |puzzle, state| {
        black_box(puzzle.key(&puzzle.canonical(state)));
    });
}

fn variants(criterion: &mut Criterion) {
    let (rules, bits): (Rules, Bits) = (open(), open());
    let keys = keys(&bits);
    both(criterion, &rules, &keys);
    both(criterion, &bits, &keys);
    each(criterion, "predecessors", &bits, &keys, |bits, state| {
        bits.predecessors(state, &mut |origin| {
            black_box(origin);
        });
    });
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20);
    targets = variants
}
criterion_main!(benches);
