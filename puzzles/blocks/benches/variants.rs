//! Cost of a neighbour and of a key: keys of all neighbours by the fast path, the same without used
//! pieces, and by the rulebook; a string to its rank, and back. Positions are those of one level of
//! Climb Pro 24 and of the Donkey.

use std::collections::{BTreeMap, BTreeSet};
use std::hint::black_box;
use std::time::Duration;

use antipode_blocks::sliding_block::{Bits, Rules};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use puzzle_api::{Direction, Expand, Form, Neighbours, Puzzle, Want};

/// Neighbours except those that a used piece leads to.
const UNUSED: Want = Want {
    direction: Direction::Forward,
    form: Form::Unused,
};

/// Positions of a batch, as they follow each other in a level.
const BATCH: usize = 4096;
/// Positions for the slow forms.
const FEW: usize = 64;

/// Keys from the middle of a level, each with the marks of the pieces that led to it.
fn marked(bits: &Bits, depth: u32) -> BTreeMap<u128, u32> {
    let mut level = BTreeMap::new();
    bits.starts(&mut |start| {
        level.insert(start, 0);
    });
    let mut before: BTreeSet<u128> = BTreeSet::new();
    for _ in 0..depth {
        let keys: Vec<u128> = level.into_keys().collect();
        let mut out = Neighbours::default();
        Expand::expand(bits, UNUSED, &keys, &vec![0; keys.len()], &mut out);
        level = BTreeMap::new();
        for (key, mark) in out.keys.into_iter().zip(out.marks) {
            if keys.binary_search(&key).is_err() && !before.contains(&key) {
                *level.entry(key).or_default() |= mark;
            }
        }
        before = keys.into_iter().collect();
    }
    let first = level.len().saturating_sub(BATCH) / 2;
    level.into_iter().skip(first).take(BATCH).collect()
}

/// Times some work that handles a number of elements.
fn timed(
    criterion: &mut Criterion,
    (group, name): (&str, &str),
    elements: u64,
    mut work: impl FnMut() -> u64,
) {
    let mut group = criterion.benchmark_group(group);
    group.throughput(Throughput::Elements(elements));
    group.bench_function(name, |b| b.iter(&mut work));
    group.finish();
}

fn costs(criterion: &mut Criterion) {
    for (instance, depth) in [("donkey", 30), ("climb-pro-24", 50)] {
        let rules = Rules::opened(instance, &[]).expect("an instance that ships");
        let bits = Bits::opened(instance, &[]).expect("an instance that ships");
        let (keys, used): (Vec<u128>, Vec<u32>) = marked(&bits, depth).into_iter().unzip();
        let few = &keys[..FEW.min(keys.len())];
        let group = &format!("{instance}, neighbours");
        let together = || {
            let mut count = 0;
            bits.expand_all(black_box(&keys), &mut |_, next| {
                black_box(next);
                count += 1;
            });
            count
        };
        let mut out = Neighbours::default();
        let mut unused = || {
            out.keys.clear();
            out.marks.clear();
            out.ends.clear();
            Expand::expand(&bits, UNUSED, &keys, &used, &mut out);
            out.keys.len() as u64
        };
        let one_by_one = || {
            let mut count = 0;
            for key in black_box(&keys) {
                bits.successors(key, &mut |next| {
                    black_box(next);
                    count += 1;
                });
            }
            count
        };
        let rulebook = || {
            let mut count = 0;
            for &key in black_box(few) {
                rules.successors(&rules.state(key), &mut |next| {
                    black_box(rules.key(&next));
                    count += 1;
                });
            }
            count
        };
        let name = (&group[..], "in batches, without used pieces");
        timed(criterion, (group, "in batches"), together(), together);
        timed(criterion, name, unused(), unused);
        timed(criterion, (group, "one by one"), together(), one_by_one);
        timed(criterion, (group, "rulebook"), rulebook(), rulebook);
        let alphabet = &bits.board().alphabet;
        let strings: Vec<Vec<u8>> = keys.iter().map(|&key| alphabet.unrank(key)).collect();
        let (group, many) = (&format!("{instance}, codes"), keys.len() as u64);
        timed(criterion, (group, "rank of a string"), many, || {
            let ranks = strings
                .iter()
                .map(|string| alphabet.rank(&mut string.clone()));
            ranks.fold(0, |sum, key| sum ^ key) as u64
        });
        timed(criterion, (group, "string of a rank"), many, || {
            let first = |&key: &u128| u64::from(black_box(alphabet.unrank(key))[0]);
            keys.iter().map(first).sum()
        });
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1));
    targets = costs
}
criterion_main!(benches);
