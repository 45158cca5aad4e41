//! Canonical forms a second, by every way that was tried, in two loads: random boards of
//! the box, and what a search of one part generates, whose grey masks are canonical.

#[path = "symmetry/candidates.rs"]
mod candidates;
#[rustfmt::skip]
#[path = "symmetry/kernels.rs"]
mod kernels;

use std::hint::black_box;

use antipode_tilt::Bits;
use antipode_tilt::bitboard::symmetry;
use candidates::{CANDIDATES, Candidate};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use puzzle_api::{Placement, Puzzle, Request, Settings, Xorshift};

const BATCH: usize = 4096;

fn open(instance: &str) -> Bits {
    let settings = Settings::default();
    Bits::open(&Request {
        instance,
        settings: &settings,
    })
    .expect("an instance")
}

fn random_boards() -> Vec<u64> {
    let bits = open("box");
    (0..BATCH as u64)
        .filter_map(|draw| bits.random(&mut Xorshift::for_draw(1, draw)))
        .map(|state| state.0)
        .collect()
}

/// The successors of random boards of a card's part.
fn generated() -> Vec<u64> {
    let bits = open("card-12");
    let space = bits.space(0).expect("a part");
    let mut random = Xorshift::for_draw(1, 0);
    let mut keys = Vec::new();
    while keys.len() < BATCH {
        let rank = random.below(space);
        if let Some(state) = bits.unrank(Placement { part: 0, rank }) {
            bits.successors(&state, &mut |next| keys.push(next.0));
        }
    }
    keys.truncate(BATCH);
    keys
}

fn canonical(criterion: &mut Criterion) {
    let used: [Candidate; 1] = [("used: grey first, row tables", |key| {
        symmetry::canonical(key)
    })];
    for (load, keys) in [("random", random_boards()), ("generated", generated())] {
        let mut group = criterion.benchmark_group(format!("symmetry, {load}"));
        group.throughput(Throughput::Elements(keys.len() as u64));
        for (name, canonical) in CANDIDATES.into_iter().chain(used) {
            group.bench_function(name, |b| {
                b.iter(|| {
                    black_box(&keys)
                        .iter()
                        .fold(0, |sum, &key| sum ^ canonical(key))
                });
            });
        }
        group.finish();
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(20)
        .warm_up_time(std::time::Duration::from_millis(300))
        .measurement_time(std::time::Duration::from_millis(700));
    targets = canonical
}
criterion_main!(benches);
