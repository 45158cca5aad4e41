//! Ranks, parts and buckets.

use std::collections::HashMap;

use puzzle_api::{Direction, Placement, Xorshift};

use super::Checked;
use super::subject::{Subject, counted, passed, skipped};
use antipode_graph::{Capabilities, Expansion, PluginError};
use antipode_search::engines::BATCH;

fn placed(subject: &Subject, keys: &[u128]) -> Result<Vec<Option<Placement>>, PluginError> {
    let mut out = Vec::new();
    subject.graph.place(keys, &mut out)?;
    Ok(out)
}

/// Parts of states; a state outside the numbering lies where its representative does.
fn parts_of(subject: &Subject, keys: &[u128]) -> Result<Vec<Option<u64>>, PluginError> {
    let mut canonical = keys.to_vec();
    subject.graph.canonical(&mut canonical, None)?;
    let own = placed(subject, keys)?;
    let chosen = placed(subject, &canonical)?;
    let pairs = own.into_iter().zip(chosen);
    Ok(pairs
        .map(|(own, chosen)| own.or(chosen).map(|at| at.part))
        .collect())
}

fn space(subject: &Subject, known: &mut HashMap<u64, u64>, part: u64) -> Result<u64, PluginError> {
    if let Some(&size) = known.get(&part) {
        return Ok(size);
    }
    let size = subject.graph.space(part)?.unwrap_or(0);
    known.insert(part, size);
    Ok(size)
}

/// Every rank lies below the size of its part.
pub(super) fn ranks_are_in_range(subject: &Subject) -> Checked {
    subject.needs(Capabilities::RANK, "no numbering")?;
    let mut known = HashMap::new();
    for batch in subject.states.chunks(BATCH) {
        for (&state, at) in batch.iter().zip(placed(subject, batch)?) {
            let Some(Placement { part, rank }) = at else {
                continue;
            };
            let size = space(subject, &mut known, part)?;
            if rank >= size {
                let text = format!("rank {rank} in part {part}, which has {size} ranks");
                return subject.fail(text, &[("state", state)]);
            }
        }
    }
    Ok(subject.passed())
}

/// Unranking a state's rank gives the state.
pub(super) fn unrank_inverts_place(subject: &Subject) -> Checked {
    subject.needs(Capabilities::RANK, "no numbering")?;
    let mut back = Vec::new();
    for batch in subject.states.chunks(BATCH) {
        let mut by_part: HashMap<u64, Vec<(u128, u64)>> = HashMap::new();
        for (&state, at) in batch.iter().zip(placed(subject, batch)?) {
            if let Some(at) = at {
                by_part.entry(at.part).or_default().push((state, at.rank));
            }
        }
        for (part, states) in by_part {
            let ranks: Vec<u64> = states.iter().map(|&(_, rank)| rank).collect();
            subject.graph.unrank(part, &ranks, &mut back)?;
            let wrong = states
                .iter()
                .zip(&back)
                .find(|((state, _), back)| state != *back);
            if let Some((&(state, rank), &back)) = wrong {
                let text = format!("unrank of its rank {rank} in part {part} is another state");
                return subject.fail(text, &[("state", state), ("unranked", back)]);
            }
        }
    }
    Ok(subject.passed())
}

/// Ranking a rank's state gives the rank, so no two ranks, of one part or of two, are
/// the same state.
pub(super) fn place_inverts_unrank(subject: &Subject) -> Checked {
    subject.needs(Capabilities::RANK, "no numbering")?;
    let parts = subject.parts();
    let each = (subject.scope.sample / parts.len().max(1)).max(4) as u64;
    let mut random = Xorshift::for_draw(subject.scope.seed, 3);
    let mut keys = Vec::new();
    for part in if subject.whole {
        (0..subject.graph.opened.part_count).collect()
    } else {
        parts
    } {
        let size = subject.graph.space(part)?.unwrap_or(0);
        let ranks: Vec<u64> = if subject.whole || size <= each {
            (0..size).collect()
        } else {
            let drawn = (2..each).map(|_| random.below(size));
            [0, size - 1].into_iter().chain(drawn).collect()
        };
        for ranks in ranks.chunks(BATCH) {
            subject.graph.unrank(part, ranks, &mut keys)?;
            let wrong = ranks
                .iter()
                .zip(placed(subject, &keys)?)
                .zip(&keys)
                .filter(|&((&rank, at), _)| at != Some(Placement { part, rank }))
                .min_by_key(|((rank, _), _)| **rank);
            if let Some(((rank, at), &state)) = wrong {
                let found = at.map_or("outside the numbering".into(), |at| {
                    format!("at rank {} of part {}", at.rank, at.part)
                });
                let text = format!("rank {rank} of part {part} is a state that place puts {found}");
                return subject.fail(text, &[("unranked", state)]);
            }
        }
    }
    Ok(match subject.whole {
        true => subject.passed(),
        false => passed(format!(
            "ranks drawn, seed {}, and the ends of parts",
            subject.scope.seed
        )),
    })
}

/// Every orbit lies in a part: its representative has a rank.
pub(super) fn parts_cover(subject: &Subject) -> Checked {
    let graph = &subject.graph;
    // Without a numbering, a single part holds whatever has no place.
    if !graph.has(Capabilities::RANK) && graph.opened.part_count == 1 {
        return Ok(skipped("neither parts nor a numbering"));
    }
    for batch in subject.states.chunks(BATCH) {
        let mut canonical = batch.to_vec();
        graph.canonical(&mut canonical, None)?;
        let outside = placed(subject, &canonical)?
            .iter()
            .position(Option::is_none);
        if let Some(i) = outside {
            let pair = [("state", batch[i]), ("canonical", canonical[i])];
            return subject.fail("the canonical state lies in no part", &pair);
        }
    }
    Ok(subject.passed())
}

/// No move leads from one part to another.
pub(super) fn moves_stay_in_part(subject: &Subject) -> Checked {
    let graph = &subject.graph;
    if !graph.has(Capabilities::RANK) && !graph.has(Capabilities::PARTS) {
        return Ok(skipped("neither parts nor a numbering"));
    }
    let mut out = Expansion::default();
    for batch in subject.states.chunks(BATCH) {
        graph.expand(Direction::Forward, batch, &mut out)?;
        let from = parts_of(subject, batch)?;
        let to = parts_of(subject, out.keys())?;
        let mut to = to.iter().zip(out.keys());
        for (i, &state) in batch.iter().enumerate() {
            for (part, &next) in to.by_ref().take(out.of(i).len()) {
                if *part != from[i] {
                    let name =
                        |part: Option<u64>| part.map_or("no part".into(), |p| format!("part {p}"));
                    let text = format!("a move leads from {} to {}", name(from[i]), name(*part));
                    return subject.fail(text, &[("state", state), ("successor", next)]);
                }
            }
        }
    }
    Ok(subject.passed())
}

/// The solved states listed for a part lie in it.
pub(super) fn roots_in_part(subject: &Subject) -> Checked {
    let graph = &subject.graph;
    if !graph.has(Capabilities::RANK) && !graph.has(Capabilities::PARTS) {
        return Ok(skipped("neither parts nor a numbering"));
    }
    let starts = graph.roots(Direction::Forward, 0)?;
    let at = parts_of(subject, &starts)?;
    if let Some(i) = at.iter().position(|&other| other != at[0]) {
        let boards = [("start", starts[0]), ("other", starts[i])];
        return subject.fail("starts of two parts; all lie in one", &boards);
    }
    subject.needs(Capabilities::SOLVED_ROOTS, "solved states are not listed")?;
    let parts = subject.parts();
    for &part in &parts {
        let roots = graph.roots(Direction::Backward, part)?;
        let at = parts_of(subject, &roots)?;
        if let Some(i) = at.iter().position(|&at| at != Some(part)) {
            let text = format!(
                "listed among the solved states of part {part}, lies in {:?}",
                at[i]
            );
            return subject.fail(text, &[("root", roots[i])]);
        }
    }
    Ok(passed(format!(
        "the roots of {}",
        counted(parts.len(), "part")
    )))
}
