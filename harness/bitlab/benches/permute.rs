//! Every strategy on the named permutations.
//!
//! The kernels are compiled Rust, printed by the strategies themselves (`../kernels`). Run
//! with `RUSTFLAGS="-C target-cpu=native"`: without it `pext`, `pdep` and bit shuffles are loops.
//! Two groups a permutation: `chain` feeds each call the last result (latency), `words` maps 1024
//! independent words (throughput, a kernel call through a pointer each, so that the compiler can
//! not turn the loop into vector code). `identity` is the cost of the harness itself.

use std::hint::black_box;
use std::time::Duration;

use antipode_bitlab::permute::{NAMED, Permutation, SplitMix64};
use antipode_bitlab_kernels::permute as kernels;
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

const WORDS: usize = 1024;

/// One table of 256 words a byte, built at the start.
fn byte_tables(perm: &Permutation) -> impl Fn(u64) -> u64 + use<> {
    let bytes = perm.len().div_ceil(8);
    let table =
        |byte: usize| -> Vec<u64> { (0..256u64).map(|v| perm.apply(v << (8 * byte))).collect() };
    let tables: Vec<Vec<u64>> = (0..bytes).map(table).collect();
    move |x| {
        let places = tables.iter().enumerate();
        places.fold(0, |out, (byte, t)| {
            out | t[(x >> (8 * byte) & 255) as usize]
        })
    }
}

fn measure(c: &mut Criterion, permutation: &str, strategy: &str, kernel: &dyn Fn(u64) -> u64) {
    let mut random = SplitMix64::new(1);
    let words: Vec<u64> = (0..WORDS).map(|_| random.next_word()).collect();
    let mut group = c.benchmark_group(permutation);
    group.throughput(Throughput::Elements(WORDS as u64));
    group.bench_function(BenchmarkId::new("chain", strategy), |b| {
        b.iter(|| (0..WORDS).fold(black_box(1), |x, _| kernel(x)));
    });
    group.bench_function(BenchmarkId::new("words", strategy), |b| {
        b.iter(|| words.iter().fold(0, |sum, &x| sum ^ kernel(x)));
    });
    group.finish();
}

fn strategies(c: &mut Criterion) {
    for (name, spec) in NAMED {
        let Ok(perm) = spec.parse::<Permutation>() else {
            continue;
        };
        measure(c, name, "identity", &|x| black_box(x));
        measure(c, name, "byte-tables", &byte_tables(&perm));
        for (permutation, strategy, _, kernel) in kernels::KERNELS {
            if permutation == name {
                measure(c, name, strategy, &black_box(kernel));
            }
        }
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(100))
        .measurement_time(Duration::from_millis(300));
    targets = strategies
}
criterion_main!(benches);
