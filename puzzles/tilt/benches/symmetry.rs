//! Canonical forms a second, by every way that was tried, in three loads: random
//! boards of the box; what a search of one part generates, whose grey masks are canonical;
//! and the same where the grey mask has all symmetries.

#[path = "symmetry/candidates.rs"]
mod candidates;

use std::hint::black_box;

use antipode_bitlab_kernels::tilt as kernels;
use antipode_tilt::Bits;
use antipode_tilt::bitboard::symmetry;
use candidates::{CANDIDATES, Candidate, images_as_they_were, orbit_size_as_it_was};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use puzzle_api::optional::*;
use puzzle_api::{Puzzle, Request, Settings, Xorshift};

const BATCH: usize = 4096;

/// A function of a key, with its name.
type Named<T> = (&'static str, fn(u64) -> T);

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

/// The successors of random boards of an instance's first part.
fn generated(instance: &str) -> Vec<u64> {
    let bits = open(instance);
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
    let loads = [
        ("random", random_boards()),
        ("generated", generated("card-12")),
        // The first part of the box has no greys, so that all eight images tie.
        ("symmetric", generated("box")),
    ];
    for (load, keys) in loads {
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

/// Orbit sizes, and all images, as they were and as they are.
fn orbits(criterion: &mut Criterion) {
    let keys = random_boards();
    let mut group = criterion.benchmark_group("symmetry, orbits");
    group.throughput(Throughput::Elements(keys.len() as u64));
    let sizes: [Named<u32>; 2] = [
        ("naive, as it was", |key| orbit_size_as_it_was(key)),
        ("used", |key| symmetry::orbit_size(key)),
    ];
    for (name, orbit_size) in sizes {
        group.bench_function(format!("size, {name}"), |b| {
            b.iter(|| -> u32 { black_box(&keys).iter().map(|&key| orbit_size(key)).sum() });
        });
    }
    let images: [Named<[u64; 8]>; 2] = [
        ("naive, as they were", |key| images_as_they_were(key)),
        ("used", |key| symmetry::images(key)),
    ];
    for (name, images) in images {
        group.bench_function(format!("images, {name}"), |b| {
            b.iter(|| {
                black_box(&keys).iter().for_each(|&key| {
                    black_box(images(key));
                })
            });
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(20)
        .warm_up_time(std::time::Duration::from_millis(300))
        .measurement_time(std::time::Duration::from_millis(700));
    targets = canonical, orbits
}
criterion_main!(benches);
