//! Roots, random draws, and sweeps against the general engines.

use std::collections::{HashMap, HashSet};

use puzzle_api::{Direction, UNSOLVABLE};

use super::subject::{Subject, counted, passed, skipped};
use super::{Checked, Ended};
use antipode_graph::{Capabilities, Graph, PluginError};
use antipode_search::engines::{EngineError, Roots, Search};
use antipode_search::observers::Observers;
use antipode_search::progress::{Progress, Stop};
use antipode_search::reconstruct_path::rising;
use antipode_search::registry::{EngineId, obstacle};

/// Every state listed as solved is solved.
pub(super) fn roots_are_solved(subject: &Subject) -> Checked {
    let graph = &subject.graph;
    subject.needs(Capabilities::SOLVED_ROOTS, "solved states are not listed")?;
    let parts = subject.parts();
    for &part in &parts {
        let mut roots = graph.roots(Direction::Backward, part)?;
        roots.sort_unstable();
        let solved = graph.is_solved(&roots)?;
        if let Some(i) = solved.iter().position(|&solved| !solved) {
            let text = format!("listed among the solved states of part {part}, but not solved");
            return subject.fail(text, &[("root", roots[i])]);
        }
    }
    Ok(passed(format!(
        "the roots of {}",
        counted(parts.len(), "part")
    )))
}

/// Every solved state is listed, itself or its representative. Looks at all ranks of small parts,
/// and in others at the states that all checks use.
pub(super) fn solved_are_roots(subject: &Subject) -> Checked {
    let graph = &subject.graph;
    subject.needs(Capabilities::SOLVED_ROOTS, "solved states are not listed")?;
    let parts = subject.parts();
    let mut roots = HashSet::new();
    for &part in &parts {
        let mut listed = graph.roots(Direction::Backward, part)?;
        graph.canonical(&mut listed, None)?;
        roots.extend(listed);
    }
    let mut left = subject.scope.exhaustive as u64;
    let mut whole_parts = 0;
    for &part in &parts {
        let size = graph.space(part)?.unwrap_or(0);
        if size == 0 || size > left {
            continue;
        }
        left -= size;
        whole_parts += 1;
        let ranks: Vec<u64> = (0..size).collect();
        let mut states = Vec::new();
        graph.unrank(part, &ranks, &mut states)?;
        if let Some(state) = solved_and_unlisted(graph, &states, &roots)? {
            let text = format!("solved, but not listed among the solved states of part {part}");
            return subject.fail(text, &[("state", state)]);
        }
    }
    // Roots of parts that were not listed are unknown.
    let all_listed = parts.len() as u64 == graph.opened.part_count;
    let states = if all_listed { &subject.states[..] } else { &[] };
    if let Some(state) = solved_and_unlisted(graph, states, &roots)? {
        let text = "solved, but not listed among the solved states";
        return subject.fail(text, &[("state", state)]);
    }
    Ok(match (all_listed, whole_parts) {
        (true, _) => subject.passed(),
        (false, 0) => skipped("too many parts to list the solved states of all"),
        (false, parts) => passed(format!("all ranks of {}", counted(parts, "part"))),
    })
}

/// The first solved state whose representative is no root.
fn solved_and_unlisted(
    graph: &Graph<u128>,
    states: &[u128],
    roots: &HashSet<u128>,
) -> Result<Option<u128>, PluginError> {
    let solved = graph.is_solved(states)?;
    let mut canonical = states.to_vec();
    graph.canonical(&mut canonical, None)?;
    let odd = (0..states.len()).find(|&i| solved[i] && !roots.contains(&canonical[i]));
    Ok(odd.map(|i| states[i]))
}

/// Draws at random are states of the instance.
pub(super) fn draws_are_states(subject: &Subject) -> Checked {
    let graph = &subject.graph;
    subject.needs(Capabilities::RANDOM, "no random draws")?;
    let count = subject.scope.sample.min(4096);
    let drawn = rising(&graph.random(subject.scope.seed, 0, count)?);
    let mut known = subject.states.clone();
    graph.canonical(&mut known, None)?;
    known.sort_unstable();
    let mut canonical = drawn.clone();
    graph.canonical(&mut canonical, None)?;
    for (&state, canonical) in drawn.iter().zip(&canonical) {
        if subject.whole && known.binary_search(canonical).is_err() {
            let text = "drawn at random, but none of the states of the instance";
            return subject.fail(text, &[("drawn", state)]);
        }
        if graph.parse(&graph.draw(state)?).ok() != Some(state) {
            let text = "drawn at random, but its drawing does not read back";
            return subject.fail(text, &[("drawn", state)]);
        }
    }
    if subject.whole && known.len() > 64 && drawn.len() < 2 {
        return subject.fail("every draw is the same state", &[("drawn", drawn[0])]);
    }
    Ok(passed(format!(
        "{count} draws, seed {}",
        subject.scope.seed
    )))
}

/// A draw depends on the seed and its number alone.
pub(super) fn draws_ignore_batches(subject: &Subject) -> Checked {
    let graph = &subject.graph;
    subject.needs(Capabilities::RANDOM, "no random draws")?;
    let (seed, count) = (subject.scope.seed, subject.scope.sample.min(1000));
    let at_once = graph.random(seed, 0, count)?;
    for batch in [1, 7] {
        for (i, expected) in at_once.chunks(batch).enumerate() {
            let first = i * batch;
            let alone = graph.random(seed, first as u64, expected.len())?;
            if let Some(j) = (0..alone.len()).find(|&j| alone[j] != expected[j]) {
                let text = format!("draw {} depends on the batch it is made in", first + j);
                let pair = [
                    ("in one batch", expected[j]),
                    ("in a batch of its own", alone[j]),
                ];
                return subject.fail(text, &pair);
            }
        }
    }
    Ok(passed(format!("{count} draws, seed {seed}")))
}

/// Most states of a part that is both swept and searched for comparison.
const MOST_SWEPT: u64 = 300_000;
/// Most parts that are swept and searched.
const PARTS_SWEPT: usize = 16;

/// The distances of a sweep and of engine `hash`, part by part.
struct Both {
    part: u64,
    swept: Vec<(u128, u16, u32)>,
    searched: HashMap<u128, (u16, u32)>,
}

fn each_swept_part(subject: &Subject, check: impl Fn(&Both) -> Result<(), Ended>) -> Checked {
    let graph = &subject.graph;
    let ways = [
        (Direction::Backward, Roots::Solved),
        (Direction::Forward, Roots::Starts),
    ];
    let swept = |way: &Direction| graph.sweep_memory(*way, None).is_some();
    if !ways.iter().any(|(way, _)| swept(way)) {
        return Ok(skipped("no sweep"));
    }
    let (mut compared, mut why) = (0, "no part is small enough to search it another way".into());
    for (way, roots) in ways.into_iter().filter(|(way, _)| swept(way)) {
        if way == Direction::Backward && !graph.has(Capabilities::SOLVED_ROOTS) {
            why = "solved states are not listed".to_owned();
            continue;
        }
        let search = Search::new(graph.clone(), way, roots, None)?;
        if let Some(obstacle) = obstacle(EngineId::HASH, graph, &search.ask()) {
            why = format!("nothing to compare with: {obstacle}");
            continue;
        }
        let parts = match way {
            Direction::Backward => subject.parts().into_iter().collect(),
            Direction::Forward => search.parts().map_err(|error| unfit(subject, &error))?,
        };
        for part in parts {
            let size = graph.space(part)?.unwrap_or(0);
            if compared == PARTS_SWEPT || size > MOST_SWEPT {
                continue;
            }
            check(&sweep_and_search(subject, &search, part)?)?;
            compared += 1;
        }
    }
    Ok(match compared {
        0 => skipped(&why),
        parts => passed(format!(
            "{}, seed {}",
            counted(parts, "part"),
            subject.scope.seed
        )),
    })
}

fn unfit(subject: &Subject, error: &EngineError) -> PluginError {
    let fault = format!("cannot be compared: {error}");
    subject.graph.opened.broken("sweep", fault)
}

fn sweep_and_search(
    subject: &Subject,
    search: &Search<u128>,
    part: u64,
) -> Result<Both, PluginError> {
    let graph = &subject.graph;
    let mut swept = Vec::new();
    graph.sweep(search.direction, None, part, &[], &mut |batch| {
        let pairs = batch.keys.iter().zip(batch.depths);
        swept.extend(pairs.map(|(&key, &depth)| (key, depth, batch.orbit_size)));
        true
    })?;
    swept.sort_unstable();
    let mut seen = Observers::plain().fork_collecting(usize::MAX);
    let progress = Progress::silent(&Stop::default());
    let walked = EngineId::HASH
        .of()
        .levels(search, part, &mut seen, &progress);
    walked.map_err(|error| unfit(subject, &error))?;
    let states = seen.collected.take().unwrap_or_default();
    let searched = states
        .into_iter()
        .map(|state| (state.key, (state.depth, state.orbit_size)))
        .collect();
    Ok(Both {
        part,
        swept,
        searched,
    })
}

/// A sweep delivers no state twice, and canonical ones only.
pub(super) fn sweep_delivers_once(subject: &Subject) -> Checked {
    each_swept_part(subject, |both| {
        let twice = both.swept.windows(2).find(|pair| pair[0].0 == pair[1].0);
        if let Some(pair) = twice {
            let text = format!("delivered twice by the sweep of part {}", both.part);
            return subject.fail(text, &[("state", pair[0].0)]);
        }
        let mut canonical: Vec<u128> = both.swept.iter().map(|state| state.0).collect();
        // A failing call is found by other checks.
        if subject.graph.canonical(&mut canonical, None).is_err() {
            return Ok(());
        }
        let mut pairs = both.swept.iter().zip(canonical);
        match pairs.find(|(state, key)| state.0 != *key) {
            None => Ok(()),
            Some((state, canonical)) => {
                let pair = [("delivered", state.0), ("canonical", canonical)];
                subject.fail("the sweep delivers a state that is not canonical", &pair)
            }
        }
    })
}

/// A sweep gives every state the same distance as engine `hash`.
pub(super) fn sweep_agrees_with_hash(subject: &Subject) -> Checked {
    let moves = |depth: u16| match depth {
        UNSOLVABLE => "unsolvable".to_owned(),
        depth => format!("distance {depth}"),
    };
    each_swept_part(subject, |both| {
        for &(key, depth, size) in &both.swept {
            // Without a numbering the engine meets no unsolvable states.
            let found = both
                .searched
                .get(&key)
                .copied()
                .unwrap_or((UNSOLVABLE, size));
            if found != (depth, size) {
                let text = format!(
                    "{} in an orbit of {size} by the sweep, {} in an orbit of {} by engine hash",
                    moves(depth),
                    moves(found.0),
                    found.1
                );
                return subject.fail(text, &[("state", key)]);
            }
        }
        let swept = |key: &u128| {
            both.swept
                .binary_search_by_key(key, |state| state.0)
                .is_ok()
        };
        let missed = both.searched.keys().filter(|key| !swept(key)).min();
        missed.map_or(Ok(()), |&key| {
            let found = moves(both.searched[&key].0);
            let text = format!("{found} by engine hash, left out by the sweep");
            subject.fail(text, &[("state", key)])
        })
    })
}
