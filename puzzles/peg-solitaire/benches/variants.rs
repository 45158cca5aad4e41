//! Positions per second: jumps, jumps undone, representatives and orbit sizes, for all
//! three variants on the diamond of 41 holes and the English board.
//!
//! The positions are from random games from the start, as a search meets them: with pegs on half of
//! the holes, on average, and in clusters.

use std::hint::black_box;

use antipode_peg_solitaire::{Bits, Rules};
use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use puzzle_api::optional::*;
use puzzle_api::{Direction, Form, Neighbours, Puzzle, Want, Xorshift};

const BATCH: usize = 4096;
const BOARDS: [&str; 2] = ["diamond-41", "english-33"];

/// Any finish: all eight symmetries, on both boards.
fn open<P: Puzzle>(instance: &str) -> P {
    P::opened(instance, &[("to", "any")]).unwrap_or_else(|why| panic!("{why}"))
}

/// Keys met in random games.
fn keys(instance: &str) -> Vec<u64> {
    let puzzle: Bits = open(instance);
    let mut keys = Vec::new();
    for game in 0.. {
        let mut random = Xorshift::for_draw(3, game);
        let mut state = 0;
        puzzle.starts(&mut |start| state = start);
        loop {
            let mut next = Vec::new();
            puzzle.successors(&state, &mut |state| next.push(state));
            let Some(&chosen) = next.get(random.below(next.len() as u64) as usize) else {
                break;
            };
            state = chosen;
            keys.push(state);
        }
        if keys.len() >= BATCH {
            break;
        }
    }
    keys.truncate(BATCH);
    keys
}

fn each<P: Puzzle<Key = u64>>(
    group: &mut BenchmarkGroup<'_, WallTime>,
    instance: &str,
    mut work: impl FnMut(&P, &P::State) -> u64,
) {
    let puzzle: P = open(instance);
    let states: Vec<P::State> = keys(instance)
        .iter()
        .map(|&key| puzzle.state(key))
        .collect();
    group.throughput(Throughput::Elements(BATCH as u64));
    group.bench_function(format!("{} {instance}", P::VARIANT), |b| {
        b.iter(|| {
            let states = black_box(&states).iter();
            states.fold(0, |sum: u64, state| sum.wrapping_add(work(&puzzle, state)))
        });
    });
}

fn successors<P: Puzzle<Key = u64>>(puzzle: &P, state: &P::State) -> u64 {
    let mut count = 0;
    puzzle.successors(state, &mut |next| {
        black_box(next);
        count += 1;
    });
    count
}

fn predecessors<P: Predecessors<Key = u64>>(puzzle: &P, state: &P::State) -> u64 {
    let mut count = 0;
    puzzle.predecessors(state, &mut |next| {
        black_box(next);
        count += 1;
    });
    count
}

fn canonical<P: Symmetry<Key = u64>>(puzzle: &P, state: &P::State) -> u64 {
    puzzle.key(&puzzle.canonical(state))
}

fn orbit_size<P: Symmetry<Key = u64>>(puzzle: &P, state: &P::State) -> u64 {
    puzzle.orbit_size(state).into()
}

fn order<P: Hints<Key = u64>>(puzzle: &P, state: &P::State) -> u64 {
    let mut order = Vec::new();
    puzzle.hint(Hint::MoveOrder, std::slice::from_ref(state), &mut order);
    order[0]
}

macro_rules! group {
    ($name:ident) => {
        |criterion: &mut Criterion| {
            let mut group = criterion.benchmark_group(stringify!($name));
            for board in BOARDS {
                each::<Rules>(&mut group, board, $name);
                each::<Bits>(&mut group, board, $name);
            }
            group.finish();
        }
    };
}

/// Representatives of the neighbours of a batch, of those alone that the bound does not exclude.
fn pruned(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("pruned");
    group.throughput(Throughput::Elements(BATCH as u64));
    for board in BOARDS {
        let (puzzle, keys): (Bits, _) = (open(board), keys(board));
        let want = Want {
            direction: Direction::Forward,
            form: Form::Pruned,
        };
        let mut out = Neighbours::default();
        group.bench_function(format!("{} {board}", Bits::VARIANT), |b| {
            b.iter(|| {
                out.keys.clear();
                out.ends.clear();
                puzzle.expand(want, black_box(&keys), &[], &mut out);
                out.keys.len()
            });
        });
    }
    group.finish();
}

fn all(criterion: &mut Criterion) {
    group!(successors)(criterion);
    group!(predecessors)(criterion);
    group!(canonical)(criterion);
    group!(orbit_size)(criterion);
    group!(order)(criterion);
    pruned(criterion);
}

criterion_group! {
    name = variants;
    config = Criterion::default()
        .sample_size(20)
        .warm_up_time(std::time::Duration::from_millis(500))
        .measurement_time(std::time::Duration::from_secs(2));
    targets = all
}
criterion_main!(variants);
