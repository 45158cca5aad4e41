//! The same call has the same result in any batch, on any thread, a second time, and on a newly
//! opened handle.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Barrier;

use puzzle_api::{Direction, Key};
use rayon::ThreadPoolBuilder;

use super::Checked;
use super::moves::sorted;
use super::report::Verdict;
use super::subject::{Subject, skipped};
use antipode_graph::{Capabilities, Expansion, Graph, PluginError};
use antipode_search::engines::BATCH;

/// A hash of a function's answer for each state of a batch.
type Answers = Result<Vec<u64>, PluginError>;

/// A function of the table: its name, its requirements, and its answers.
struct Function<K> {
    name: &'static str,
    needs: Capabilities,
    ask: fn(&Graph<K>, &[K]) -> Answers,
}

fn hashed(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

fn neighbours<K: Key>(graph: &Graph<K>, way: Direction, keys: &[K]) -> Answers {
    let mut out = Expansion::default();
    graph.expand(way, keys, &mut out)?;
    Ok((0..keys.len()).map(|i| hashed(sorted(out.of(i)))).collect())
}

fn orbits<K: Key>(graph: &Graph<K>, way: Direction, keys: &[K]) -> Answers {
    let mut out = Expansion::default();
    graph.expand_to_orbits(way, keys, &mut out)?;
    Ok((0..keys.len()).map(|i| hashed(out.of(i))).collect())
}

fn pruned<K: Key>(graph: &Graph<K>, way: Direction, keys: &[K]) -> Answers {
    let mut out = Expansion::default();
    graph.expand_pruned(way, keys, &mut out)?;
    Ok((0..keys.len()).map(|i| hashed(out.of(i))).collect())
}

fn functions<K: Key>(graph: &Graph<K>) -> Vec<Function<K>> {
    let function = |name, needs, ask| Function { name, needs, ask };
    let mut all: Vec<Function<K>> = vec![
        function("successors", Capabilities::NONE, |graph, keys| {
            neighbours(graph, Direction::Forward, keys)
        }),
        function("predecessors", Capabilities::PREDECESSORS, |graph, keys| {
            neighbours(graph, Direction::Backward, keys)
        }),
        function("is_solved", Capabilities::NONE, |graph, keys| {
            Ok(graph.is_solved(keys)?.into_iter().map(u64::from).collect())
        }),
        function("draw", Capabilities::NONE, |graph, keys| {
            keys.iter()
                .map(|&key| graph.draw(key).map(hashed))
                .collect()
        }),
        function("images", Capabilities::SYMMETRY, |graph, keys| {
            let images = graph.images_of(keys)?;
            let count = graph.opened.symmetry_count as usize;
            Ok(images.chunks_exact(count).map(hashed).collect())
        }),
        function("canonical", Capabilities::SYMMETRY, |graph, keys| {
            let (mut chosen, mut sizes) = (keys.to_vec(), Vec::new());
            graph.canonical(&mut chosen, Some(&mut sizes))?;
            Ok(chosen.into_iter().zip(sizes).map(hashed).collect())
        }),
        function("place", Capabilities::RANK, |graph, keys| {
            let mut placed = Vec::new();
            graph.place(keys, &mut placed)?;
            Ok(placed.into_iter().map(hashed).collect())
        }),
        function("bucket", Capabilities::BUCKET, |graph, keys| {
            graph.bucket(keys)
        }),
        function(
            "diversity_class",
            Capabilities::DIVERSITY_CLASS,
            |graph, keys| graph.diversity_class(keys),
        ),
        function("reversed", Capabilities::TIME_REVERSAL, |graph, keys| {
            let mut images = keys.to_vec();
            graph.time_reversed(&mut images)?;
            Ok(images.into_iter().map(hashed).collect())
        }),
        function("order", Capabilities::MOVE_ORDER, |graph, keys| {
            graph.move_order(keys)
        }),
        function("features", Capabilities::FEATURES, |graph, keys| {
            let Some(space) = graph.feature_space()? else {
                return Ok(vec![0; keys.len()]);
            };
            let mut features = Vec::new();
            graph.features(space, keys, &mut features)?;
            let each = features.chunks_exact(1 + space.each as usize);
            Ok(each.map(hashed).collect())
        }),
        function("measure", Capabilities::OBJECTIVE, |graph, keys| {
            graph.objective(keys)
        }),
        function("bound", Capabilities::LOWER_BOUND, |graph, keys| {
            graph.lower_bound(keys)
        }),
    ];
    if graph.finds_orbits(Direction::Forward) {
        let needs = Capabilities::SYMMETRY;
        all.push(function(
            "expand to orbits of successors",
            needs,
            |graph, keys| orbits(graph, Direction::Forward, keys),
        ));
    }
    if graph.finds_orbits(Direction::Backward) {
        let needs = Capabilities::SYMMETRY;
        all.push(function(
            "expand to orbits of predecessors",
            needs,
            |graph, keys| orbits(graph, Direction::Backward, keys),
        ));
    }
    if graph.prunes(Direction::Forward) {
        let needs = Capabilities::LOWER_BOUND;
        all.push(function(
            "expand to successors in bounds",
            needs,
            |graph, keys| pruned(graph, Direction::Forward, keys),
        ));
    }
    if graph.prunes(Direction::Backward) {
        let needs = Capabilities::LOWER_BOUND;
        all.push(function(
            "expand to predecessors in bounds",
            needs,
            |graph, keys| pruned(graph, Direction::Backward, keys),
        ));
    }
    all.push(function(
        "expand without used moves",
        Capabilities::USED_MOVES,
        |graph, keys| {
            let mut out = Expansion::default();
            let used: Vec<u32> = keys.iter().map(|key| key.to_u128() as u32).collect();
            graph.expand_unused(keys, &used, &mut out)?;
            let of = |i| hashed((out.of(i), out.marks_of(i)));
            Ok((0..keys.len()).map(of).collect())
        },
    ));
    all.retain(|function| graph.has(function.needs));
    all
}

/// Most states of the calls; some are passed one by one.
const MOST: usize = 4096;

fn sample<K: Key>(subject: &Subject<K>) -> &[K] {
    &subject.states[..subject.states.len().min(MOST)]
}

fn in_batches<K: Key>(
    function: &Function<K>,
    graph: &Graph<K>,
    keys: &[K],
    size: usize,
) -> Answers {
    let mut answers = Vec::with_capacity(keys.len());
    for batch in keys.chunks(size) {
        answers.extend((function.ask)(graph, batch)?);
    }
    Ok(answers)
}

/// Compares a second round of answers with the first.
fn compare<K: Key>(
    subject: &Subject<K>,
    text: impl Fn(&str) -> String,
    again: impl Fn(&Function<K>, &[K]) -> Result<Vec<Vec<u64>>, PluginError>,
) -> Checked {
    let keys = sample(subject);
    for function in functions(&subject.graph) {
        let first = in_batches(&function, &subject.graph, keys, BATCH)?;
        for second in again(&function, keys)? {
            if let Some(i) = (0..keys.len()).find(|&i| first[i] != second[i]) {
                return Ok(subject.failed(text(function.name), &[("state", keys[i])]));
            }
        }
    }
    Ok(Verdict::Passed {
        scope: format!("{} states", keys.len()),
    })
}

/// Batches of 1, of 7 and of 4096 have the same results.
pub(super) fn batches_do_not_matter<K: Key>(subject: &Subject<K>) -> Checked {
    compare(
        subject,
        |name| format!("{name} of this state depends on the size of the batch"),
        |function, keys| {
            let sizes = [1, 7].map(|size| in_batches(function, &subject.graph, keys, size));
            sizes.into_iter().collect()
        },
    )
}

/// Four threads at once get the same results as one.
pub(super) fn threads_do_not_matter<K: Key>(subject: &Subject<K>) -> Checked {
    const THREADS: usize = 4;
    let Ok(pool) = ThreadPoolBuilder::new().num_threads(THREADS).build() else {
        return Ok(skipped("no threads available"));
    };
    compare(
        subject,
        |name| format!("{name} of this state depends on the thread, or on calls at the same time"),
        |function, keys| {
            let together = Barrier::new(THREADS);
            let asked = pool.broadcast(|_| {
                together.wait();
                in_batches(function, &subject.graph, keys, 64)
            });
            asked.into_iter().collect()
        },
    )
}

/// The same call, repeated, has the same result.
pub(super) fn repetition_does_not_matter<K: Key>(subject: &Subject<K>) -> Checked {
    compare(
        subject,
        |name| format!("{name} of this state changes from call to call"),
        |function, keys| Ok(vec![in_batches(function, &subject.graph, keys, BATCH)?]),
    )
}

/// A second handle, opened while the first is in use, has the same results.
pub(super) fn handles_do_not_matter<K: Key>(subject: &Subject<K>) -> Checked {
    let opened = &subject.graph.opened;
    let second = opened
        .library
        .open(&opened.instance, &opened.variant, &opened.settings)?;
    let Some(second) = Graph::new(second) else {
        return Ok(skipped("keys of another width"));
    };
    compare(
        subject,
        |name| format!("{name} of this state depends on the handle"),
        |function, keys| Ok(vec![in_batches(function, &second, keys, BATCH)?]),
    )
}
