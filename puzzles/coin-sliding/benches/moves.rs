//! Moves a second of the three variants on both boards, forward and backward: through
//! the trait, as every engine calls it.

#[path = "cpu/mod.rs"]
mod cpu;

use std::hint::black_box;

use antipode_coin_sliding::{Bits, Rules};
use cpu::CpuTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use puzzle_api::optional::*;
use puzzle_api::{Direction, Xorshift};

const BATCH: u64 = 4096;

fn expand<P: Predecessors<Key = u64>>(puzzle: &P, way: Direction, state: &P::State) -> (u64, u64) {
    let (mut count, mut sum) = (0, 0_u64);
    let mut emit = |next: P::State| {
        count += 1;
        sum = sum.wrapping_add(puzzle.key(&next));
    };
    match way {
        Direction::Forward => puzzle.successors(state, &mut emit),
        Direction::Backward => puzzle.predecessors(state, &mut emit),
    }
    (count, sum)
}

fn variant<P: Predecessors<Key = u64> + RandomStates>(
    group: &mut BenchmarkGroup<'_, CpuTime>,
    instance: &str,
    way: Direction,
    batch: u64,
) {
    let puzzle = P::opened(instance, &[]).expect("an instance");
    let states: Vec<P::State> = (0..batch)
        .filter_map(|draw| puzzle.random(&mut Xorshift::for_draw(1, draw)))
        .collect();
    let moves = states
        .iter()
        .map(|state| expand(&puzzle, way, state).0)
        .sum();
    group.throughput(Throughput::Elements(moves));
    group.bench_function(P::VARIANT, |b| {
        b.iter(|| {
            let states = black_box(&states).iter();
            states.fold(0_u64, |sum, state| {
                sum.wrapping_add(expand(&puzzle, way, state).1)
            })
        });
    });
}

fn moves(criterion: &mut Criterion<CpuTime>) {
    for instance in ["5x7", "5x9"] {
        for (name, way) in [
            ("successors", Direction::Forward),
            ("predecessors", Direction::Backward),
        ] {
            let mut group = criterion.benchmark_group(format!("{name}, {instance}"));
            variant::<Bits>(&mut group, instance, way, BATCH);
            variant::<Rules>(&mut group, instance, way, BATCH / 64);
            group.finish();
        }
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .with_measurement(CpuTime)
        .sample_size(15)
        .warm_up_time(std::time::Duration::from_millis(150))
        .measurement_time(std::time::Duration::from_millis(400));
    targets = moves
}
criterion_main!(benches);
