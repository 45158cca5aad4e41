//! Rank and unrank by the definition and by tables, on both boards, in three loads. These are random
//! boards, successors of random boards, which a search ranks one after another, and all boards in
//! order, which a scan of a table unranks. Also the ranks of all neighbours.

#[path = "cpu/mod.rs"]
mod cpu;

use std::hint::black_box;

use antipode_coin_sliding::Bits;
use antipode_coin_sliding::board::Shape;
use cpu::CpuTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use puzzle_api::optional::*;
use puzzle_api::rank::{Pieces, naive, subsets};
use puzzle_api::{Direction, Fast, Puzzle, Xorshift};

/// More than a branch predictor learns by heart.
const BATCH: usize = 1 << 16;

/// The published boards: the variant, its tables, and random boards.
fn boards() -> impl Iterator<Item = (&'static str, Shape, Bits, Pieces, Vec<u64>)> {
    let boards = [("5x7", Shape::SMALL), ("5x9", Shape::LARGE)].into_iter();
    boards.map(|(instance, shape)| {
        let bits = Bits::opened(instance, &[]).expect("an instance");
        let pieces = Pieces::new(shape.cells(), shape.coins).expect("tables");
        let draws = 0..BATCH as u64;
        let random = draws.filter_map(|draw| bits.random(&mut Xorshift::for_draw(1, draw)));
        let random = random.collect();
        (instance, shape, bits, pieces, random)
    })
}

fn bench(
    group: &mut BenchmarkGroup<'_, CpuTime>,
    name: &str,
    load: &[u64],
    work: impl Fn(u64) -> u64,
) {
    group.throughput(Throughput::Elements(load.len() as u64));
    group.bench_function(name, |b| {
        b.iter(|| {
            black_box(load)
                .iter()
                .fold(0_u64, |sum, &x| sum.wrapping_add(work(x)))
        });
    });
}

fn ranks(criterion: &mut Criterion<CpuTime>) {
    for (instance, _, bits, pieces, random) in boards() {
        let mut successors = Vec::with_capacity(2 * BATCH);
        for &key in random.iter().take(BATCH / 32) {
            bits.each_neighbour(Direction::Forward, key, |next| successors.push(next));
        }
        for (load, keys) in [("random", random), ("successors", successors)] {
            let mut group = criterion.benchmark_group(format!("rank, {instance}, {load}"));
            bench(&mut group, "definition", &keys, naive::rank);
            bench(&mut group, "tables", &keys, |key| pieces.rank(key));
            group.finish();
        }
    }
}

fn unranks(criterion: &mut Criterion<CpuTime>) {
    for (instance, shape, _, pieces, random) in boards() {
        let random: Vec<u64> = random.iter().map(|&key| pieces.rank(key)).collect();
        let middle = pieces.count() / 3;
        let scan: Vec<u64> = (middle..middle + BATCH as u64).collect();
        for (load, ranks) in [("random", random), ("in order", scan)] {
            let mut group = criterion.benchmark_group(format!("unrank, {instance}, {load}"));
            bench(&mut group, "definition", &ranks, |rank| {
                naive::unrank(shape.cells(), shape.coins, rank).unwrap_or(0)
            });
            let unrank = |rank| pieces.unrank(rank).unwrap_or(0);
            bench(&mut group, "tables", &ranks, unrank);
            if load == "in order" {
                group.bench_function("the next board", |b| {
                    b.iter(|| {
                        let first = unrank(black_box(ranks[0]));
                        (1..BATCH).fold(first, |key, _| subsets::next_subset(key).unwrap_or(0))
                    });
                });
            }
            group.finish();
        }
    }
}

/// All successors of random boards with their ranks: boards ranked one by one, and ranks
/// by addition, without boards.
fn incremental(criterion: &mut Criterion<CpuTime>) {
    for (instance, _, bits, pieces, mut keys) in boards() {
        keys.truncate(BATCH / 16);
        let ranks: Vec<u64> = keys.iter().map(|&key| pieces.rank(key)).collect();
        let mut group = criterion.benchmark_group(format!("ranks of neighbours, {instance}"));
        for (name, way) in [
            ("successors", Direction::Forward),
            ("predecessors", Direction::Backward),
        ] {
            let mut moves = 0_u64;
            for &key in &keys {
                bits.each_neighbour(way, key, |_| moves += 1);
            }
            group.throughput(Throughput::Elements(moves));
            let mut out = Vec::new();
            group.bench_function(format!("{name}, each ranked"), |b| {
                b.iter(|| {
                    out.clear();
                    for &key in black_box(&keys) {
                        bits.each_neighbour(way, key, |next| out.push(pieces.rank(next)));
                    }
                    out.len()
                });
            });
            group.bench_function(format!("{name}, by addition, unrank included"), |b| {
                b.iter(|| {
                    out.clear();
                    bits.neighbour_ranks(way, 0, black_box(&ranks), None, &mut out);
                    out.len()
                });
            });
        }
        group.finish();
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .with_measurement(CpuTime)
        .sample_size(15)
        .warm_up_time(std::time::Duration::from_millis(150))
        .measurement_time(std::time::Duration::from_millis(400));
    targets = ranks, unranks, incremental
}
criterion_main!(benches);
