//! The observers' cost per state: the harness's own part of a sweep.

use std::hint::black_box;

use antipode_search::digest::{hash_key, hash_keys};
use antipode_search::observers::{Observers, OrbitSizes};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use xxhash_rust::xxh3::xxh3_128;

/// States of a batch, as a sweep delivers them.
const BATCH: usize = 1024;

/// Keys in ascending order and distances in runs, much as a sweep of Tilt delivers them.
fn batch() -> (Vec<u64>, Vec<u16>) {
    let keys = (0..BATCH as u64)
        .map(|i| (i * 37) << 12 | 0x5_0000_0000)
        .collect();
    let depths = (0..BATCH as u32)
        .map(|i| match (i.wrapping_mul(2_654_435_761) >> 27) % 12 {
            0..4 => u16::MAX,
            depth => depth as u16,
        })
        .collect();
    (keys, depths)
}

fn observers(c: &mut Criterion) {
    let (keys, depths) = batch();
    let mut group = c.benchmark_group("observers");
    group.throughput(Throughput::Elements(BATCH as u64));
    group.bench_function("level table, digest and antipodes", |b| {
        let mut observers = Observers::<u64>::plain();
        b.iter(|| {
            let (keys, depths) = (black_box(&keys), black_box(&depths));
            observers.observe(0, keys, depths, OrbitSizes::Uniform(8));
        });
    });
    group.bench_function("key hash, many at once", |b| {
        let (mut low, mut high) = (Vec::new(), Vec::new());
        b.iter(|| hash_keys(black_box(&keys), &mut low, &mut high));
    });
    group.bench_function("key hash, inlined", |b| {
        b.iter(|| {
            black_box(&keys)
                .iter()
                .fold(0, |sum: u128, &key| sum.wrapping_add(hash_key(key.into())))
        });
    });
    group.bench_function("key hash, xxhash-rust", |b| {
        b.iter(|| {
            black_box(&keys).iter().fold(0, |sum: u128, &key| {
                sum.wrapping_add(xxh3_128(&u128::from(key).to_le_bytes()))
            })
        });
    });
    group.finish();
}

criterion_group!(benches, observers);
criterion_main!(benches);
