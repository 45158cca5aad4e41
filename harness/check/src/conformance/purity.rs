//! The same call has the same result in any batch, on any thread, a second time, and on a newly
//! opened handle.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Barrier;

use puzzle_api::{Direction, Key};
use rayon::ThreadPoolBuilder;

use super::Checked;
use super::subject::{Subject, passed, skipped};
use antipode_graph::{Capabilities, Expansion, Graph, PluginError};
use antipode_search::engines::BATCH;
use antipode_search::reconstruct_path::rising;

/// A hash of a function's answer for each state of a batch.
type Answers = Result<Vec<u64>, PluginError>;

/// A function of the table: its name, its requirements, and its answers.
struct Function {
    name: &'static str,
    needs: Capabilities,
    way: Direction,
    ask: fn(&Graph<u128>, Direction, &[u128]) -> Answers,
}

fn hashed(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

fn neighbours(graph: &Graph<u128>, way: Direction, keys: &[u128]) -> Answers {
    let mut out = Expansion::default();
    graph.expand(way, keys, &mut out)?;
    Ok((0..keys.len()).map(|i| hashed(rising(out.of(i)))).collect())
}

fn orbits(graph: &Graph<u128>, way: Direction, keys: &[u128]) -> Answers {
    let mut out = Expansion::default();
    graph.expand_to_orbits(way, keys, &mut out)?;
    Ok((0..keys.len()).map(|i| hashed(out.of(i))).collect())
}

fn pruned(graph: &Graph<u128>, way: Direction, keys: &[u128]) -> Answers {
    let mut out = Expansion::default();
    graph.expand_pruned(way, keys, &mut out)?;
    Ok((0..keys.len()).map(|i| hashed(out.of(i))).collect())
}

fn functions(graph: &Graph<u128>) -> Vec<Function> {
    use Direction::{Backward, Forward};
    let function = |name, needs, way, ask| Function {
        name,
        needs,
        way,
        ask,
    };
    let plain = |name, needs, ask| function(name, needs, Forward, ask);
    let predecessors = Capabilities::PREDECESSORS;
    let mut all: Vec<Function> = vec![
        plain("successors", Capabilities::NONE, neighbours),
        function("predecessors", predecessors, Backward, neighbours),
        plain("is_solved", Capabilities::NONE, |graph, _, keys| {
            Ok(graph.is_solved(keys)?.into_iter().map(u64::from).collect())
        }),
        plain("draw", Capabilities::NONE, |graph, _, keys| {
            keys.iter()
                .map(|&key| graph.draw(key).map(hashed))
                .collect()
        }),
        plain("images", Capabilities::SYMMETRY, |graph, _, keys| {
            let images = graph.images_of(keys)?;
            let count = graph.opened.symmetry_count as usize;
            Ok(images.chunks_exact(count).map(hashed).collect())
        }),
        plain("canonical", Capabilities::SYMMETRY, |graph, _, keys| {
            let (mut chosen, mut sizes) = (keys.to_vec(), Vec::new());
            graph.canonical(&mut chosen, Some(&mut sizes))?;
            Ok(chosen.into_iter().zip(sizes).map(hashed).collect())
        }),
        plain("place", Capabilities::RANK, |graph, _, keys| {
            let mut placed = Vec::new();
            graph.place(keys, &mut placed)?;
            Ok(placed.into_iter().map(hashed).collect())
        }),
        plain("bucket", Capabilities::BUCKET, |graph, _, keys| {
            graph.bucket(keys)
        }),
        plain(
            "diversity_class",
            Capabilities::DIVERSITY_CLASS,
            |graph, _, keys| graph.diversity_class(keys),
        ),
        plain("reversed", Capabilities::TIME_REVERSAL, |graph, _, keys| {
            let mut images = keys.to_vec();
            graph.time_reversed(&mut images)?;
            Ok(images.into_iter().map(hashed).collect())
        }),
        plain("order", Capabilities::MOVE_ORDER, |graph, _, keys| {
            graph.move_order(keys)
        }),
        plain("features", Capabilities::FEATURES, |graph, _, keys| {
            let Some(space) = graph.feature_space()? else {
                return Ok(vec![0; keys.len()]);
            };
            let mut features = Vec::new();
            graph.features(space, keys, &mut features)?;
            let each = features.chunks_exact(1 + space.each as usize);
            Ok(each.map(hashed).collect())
        }),
        plain("measure", Capabilities::OBJECTIVE, |graph, _, keys| {
            graph.objective(keys)
        }),
        plain("bound", Capabilities::LOWER_BOUND, |graph, _, keys| {
            graph.lower_bound(keys)
        }),
    ];
    for (way, name) in [
        (Forward, "expand to orbits of successors"),
        (Backward, "expand to orbits of predecessors"),
    ] {
        if graph.finds_orbits(way) {
            all.push(function(name, Capabilities::SYMMETRY, way, orbits));
        }
    }
    for (way, name) in [
        (Forward, "expand to successors in bounds"),
        (Backward, "expand to predecessors in bounds"),
    ] {
        if graph.prunes(way) {
            all.push(function(name, Capabilities::LOWER_BOUND, way, pruned));
        }
    }
    all.push(plain(
        "expand without used moves",
        Capabilities::USED_MOVES,
        |graph, _, keys| {
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

fn sample(subject: &Subject) -> &[u128] {
    &subject.states[..subject.states.len().min(MOST)]
}

fn in_batches(function: &Function, graph: &Graph<u128>, keys: &[u128], size: usize) -> Answers {
    let mut answers = Vec::with_capacity(keys.len());
    for batch in keys.chunks(size) {
        answers.extend((function.ask)(graph, function.way, batch)?);
    }
    Ok(answers)
}

/// Compares a second round of answers with the first.
fn compare(
    subject: &Subject,
    text: impl Fn(&str) -> String,
    again: impl Fn(&Function, &[u128]) -> Result<Vec<Vec<u64>>, PluginError>,
) -> Checked {
    let keys = sample(subject);
    for function in functions(&subject.graph) {
        let first = in_batches(&function, &subject.graph, keys, BATCH)?;
        for second in again(&function, keys)? {
            if let Some(i) = (0..keys.len()).find(|&i| first[i] != second[i]) {
                return subject.fail(text(function.name), &[("state", keys[i])]);
            }
        }
    }
    Ok(passed(format!("{} states", keys.len())))
}

/// Batches of 1, of 7 and of 4096 have the same results.
pub(super) fn batches_do_not_matter(subject: &Subject) -> Checked {
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
pub(super) fn threads_do_not_matter(subject: &Subject) -> Checked {
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
pub(super) fn repetition(subject: &Subject) -> Checked {
    compare(
        subject,
        |name| format!("{name} of this state changes from call to call"),
        |function, keys| Ok(vec![in_batches(function, &subject.graph, keys, BATCH)?]),
    )
}

/// A second handle, opened while the first is in use, has the same results.
pub(super) fn handles_do_not_matter(subject: &Subject) -> Checked {
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
