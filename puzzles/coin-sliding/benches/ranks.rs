//! Rank and unrank by every method tried, on both boards, in three loads. These are random boards,
//! successors of random boards, which a search ranks one after another, and all boards in order,
//! which a scan of a table unranks.

#[path = "cpu/mod.rs"]
mod cpu;

use std::hint::black_box;

use antipode_coin_sliding::Bits;
use antipode_coin_sliding::board::Shape;
use antipode_coin_sliding::derive::ranks::Tables;
use cpu::CpuTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use puzzle_api::optional::*;
use puzzle_api::rank::{BINOMIALS, Pieces, naive, subsets};
use puzzle_api::{Direction, Fast, Puzzle, Xorshift};

/// More than a branch predictor learns by heart.
const BATCH: usize = 1 << 16;

const BOARDS: [(&str, Shape); 2] = [("5x7", Shape::SMALL), ("5x9", Shape::LARGE)];

fn open(instance: &str) -> Bits {
    Bits::opened(instance, &[]).expect("an instance")
}

fn random_boards(bits: &Bits) -> Vec<u64> {
    (0..BATCH as u64)
        .filter_map(|draw| bits.random(&mut Xorshift::for_draw(1, draw)))
        .collect()
}

fn successors(bits: &Bits) -> Vec<u64> {
    let mut keys = Vec::with_capacity(2 * BATCH);
    for key in random_boards(bits) {
        bits.each_successor(key, |next| keys.push(next));
        if keys.len() >= BATCH {
            break;
        }
    }
    keys.truncate(BATCH);
    keys
}

/// The sum over the coins, from one coin to the next.
fn sum_over_coins(mut mask: u64) -> u64 {
    let (mut sum, mut index) = (0, 1);
    while mask != 0 {
        sum += BINOMIALS[mask.trailing_zeros() as usize][index & 63];
        index += 1;
        mask &= mask - 1;
    }
    sum
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

/// Tables by name: ours in several widths, and the article's widths.
fn tables(shape: &Shape) -> Vec<(String, Pieces)> {
    let mut tables = Vec::new();
    for width in [7, 9, 10, 12, 15, 18] {
        let pieces = Pieces::of_width(shape.cells(), shape.coins, width).expect("tables");
        let name = format!("pieces of {width}, {} KiB", pieces.bytes() >> 10);
        tables.push((name, pieces));
    }
    tables
}

fn ranks(criterion: &mut Criterion<CpuTime>) {
    for (instance, shape) in BOARDS {
        let bits = open(instance);
        let article = (instance == "5x9").then(Tables::default);
        for (load, keys) in [
            ("random", random_boards(&bits)),
            ("successors", successors(&bits)),
        ] {
            let mut group = criterion.benchmark_group(format!("rank, {instance}, {load}"));
            bench(&mut group, "definition", &keys, naive::rank);
            bench(&mut group, "sum over coins", &keys, sum_over_coins);
            if let Some(article) = &article {
                bench(&mut group, "article's tables", &keys, |key| {
                    article.rank(key)
                });
            }
            for (name, pieces) in tables(&shape) {
                bench(&mut group, &name, &keys, |key| pieces.rank(key));
            }
            group.finish();
        }
    }
}

fn unranks(criterion: &mut Criterion<CpuTime>) {
    for (instance, shape) in BOARDS {
        let bits = open(instance);
        let pieces = Pieces::new(shape.cells(), shape.coins).expect("tables");
        let random: Vec<u64> = random_boards(&bits)
            .iter()
            .map(|&k| pieces.rank(k))
            .collect();
        let middle = pieces.count() / 3;
        let scan: Vec<u64> = (middle..middle + BATCH as u64).collect();
        for (load, ranks) in [("random", random), ("in order", scan)] {
            let mut group = criterion.benchmark_group(format!("unrank, {instance}, {load}"));
            bench(&mut group, "definition", &ranks, |rank| {
                naive::unrank(shape.cells(), shape.coins, rank).unwrap_or(0)
            });
            for (name, pieces) in tables(&shape) {
                bench(&mut group, &name, &ranks, |rank| {
                    pieces.unrank(rank).unwrap_or(0)
                });
            }
            if load == "in order" {
                group.bench_function("the next board", |b| {
                    b.iter(|| {
                        let first = pieces.unrank(black_box(ranks[0])).unwrap_or(0);
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
    for (instance, shape) in BOARDS {
        let bits = open(instance);
        let pieces = Pieces::new(shape.cells(), shape.coins).expect("tables");
        let boards: Vec<(u64, u64)> = random_boards(&bits)
            .iter()
            .take(BATCH / 16)
            .map(|&key| (key, pieces.rank(key)))
            .collect();
        let ranks: Vec<u64> = boards.iter().map(|&(_, rank)| rank).collect();
        let mut group = criterion.benchmark_group(format!("ranks of neighbours, {instance}"));
        for (name, way) in [
            ("successors", Direction::Forward),
            ("predecessors", Direction::Backward),
        ] {
            let mut moves = 0_u64;
            let keys = || boards.iter().map(|&(key, _)| key);
            keys().for_each(|key| bits.each_neighbour(way, key, |_| moves += 1));
            group.throughput(Throughput::Elements(moves));
            let mut out = Vec::new();
            group.bench_function(format!("{name}, each ranked"), |b| {
                b.iter(|| {
                    out.clear();
                    for &(key, _) in black_box(&boards) {
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
