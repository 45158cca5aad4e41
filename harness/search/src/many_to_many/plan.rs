//! The resources of a search over pairs, planned before it starts.

use antipode_graph::{Capabilities, Graph};
use antipode_reports::count;
use puzzle_api::Key;

use super::masks::RankMasks;
use super::{NamedSource, Numbered, PairLimits, PairsRequest};
use crate::error::{EngineError, Result};
use crate::memory::{available, human};
use crate::ranks::RankSet;
use crate::steps::Ranks;

/// States of a backward side if neither memory nor the user gives a lower limit: one in n of all
/// states. Larger sides shorten the forward searches, but each side grows separately.
const BALL_SHARE: u64 = 10;
/// Fewest states that need a limit: fewer take no time.
const SMALL: u64 = 1 << 18;
/// Memory assumed if the system reports none.
const UNKNOWN: u64 = 2 << 30;
/// Bytes of a marked state by key: its entry, its row, its place in a level.
const HASHED_SIDE: u64 = 40;
/// Bytes of a state met forward by key: its entry and its place in a level.
const HASHED_FORWARD: u64 = 48;
/// Buffers of a thread.
const THREAD: u64 = 8 << 20;

/// The plan of the search.
#[derive(Debug, Clone, Copy)]
pub(super) struct PairsPlan {
    /// By rank, if that fits; else by key.
    pub ranked: Option<Ranks>,
    /// Whether there is memory for marks of every rank.
    pub dense_marks: bool,
    /// Limits.
    pub limits: PairLimits,
    /// Most bytes it will take.
    pub need: u64,
    /// Bytes of the marks.
    pub marks: u64,
}

/// Decides between ranks and keys, and sets limits to fit the memory.
///
/// # Errors
/// [`EngineError::CannotHold`] if `--memory` exceeds the free memory, or without the requested
/// numbering. [`EngineError::Memory`] if it needs more than its limit.
pub(super) fn plan<K: Key>(
    request: &PairsRequest,
    graph: &Graph<K>,
    from: &[NamedSource<K>],
    to: &[NamedSource<K>],
) -> Result<PairsPlan> {
    let free = available();
    let memory = match (request.memory, free) {
        (Some(asked), Some(free)) if asked > free => {
            return Err(EngineError::CannotHold(format!(
                "--memory {}: only {} are free; ask for less, or free some",
                human(asked),
                human(free)
            )));
        }
        (Some(asked), _) => asked,
        (None, free) => free.map_or(UNKNOWN, |free| free / 4 * 3),
    };
    let states: Vec<K> = from.iter().chain(to).map(|named| named.key).collect();
    let name = graph.opened.full_name();
    let ranked = match request.numbered {
        None => numbering(graph, &states)?,
        Some(Numbered::ByKey) => None,
        Some(Numbered::ByRank) => Some(numbering(graph, &states)?.ok_or_else(|| {
            EngineError::CannotHold(format!(
                "{name}: dense needs a numbering below 2^32 that holds all the states in one part; use --engine hash"
            ))
        })?),
    };
    let buffers = THREAD * request.threads as u64;
    let targets = to.len() as u64;
    if let Some(ranked) = ranked {
        let marks = RankMasks::bytes(ranked.size, targets);
        let seen = RankSet::bytes(ranked.size) + buffers;
        if marks + seen <= memory / 4 * 3 {
            let sizes = (marks, marks + seen, memory);
            return Ok(by_rank(request, ranked, targets, sizes));
        }
        if seen <= memory / 4 {
            return Ok(by_few_ranks(request, ranked, targets, seen, memory));
        }
        if request.numbered.is_some() {
            return Err(EngineError::Memory(format!(
                "{name}: dense needs at least {} of memory here, {} are allowed; give a larger --memory, or use --engine hash",
                human(4 * seen),
                human(memory)
            )));
        }
    }
    by_key(request, targets, memory, buffers)
}

/// What the request limits, whatever the memory.
fn unlimited(request: &PairsRequest) -> PairLimits {
    PairLimits {
        radius: request.radius,
        looked_at: request.looked_at,
        side_states: u64::MAX,
        side_bytes: u64::MAX,
        forward_states: request.budget.unwrap_or(u64::MAX),
        forward_bytes: u64::MAX,
    }
}

fn by_rank(
    request: &PairsRequest,
    ranked: Ranks,
    targets: u64,
    (marks, fixed, memory): (u64, u64, u64),
) -> PairsPlan {
    let left = memory - fixed;
    // Levels are lists of four bytes per state until bit sets are smaller; the one being made is
    // held twice while it grows.
    let most = ranked.size.saturating_mul(4);
    let sides = (left / 4).min(most.saturating_mul(targets));
    let forward = (left - sides).min(ranked.size.saturating_mul(12));
    let share = (ranked.size / BALL_SHARE).max(SMALL);
    PairsPlan {
        ranked: Some(ranked),
        dense_marks: true,
        limits: PairLimits {
            side_states: request.side_states.unwrap_or(share),
            side_bytes: sides / targets.max(1),
            forward_bytes: (forward / 3 * 2).max(1 << 20),
            ..unlimited(request)
        },
        need: fixed + sides + forward,
        marks,
    }
}

/// Ranks, but marks by hash: if sides hold only a few of all states.
fn by_few_ranks(
    request: &PairsRequest,
    ranked: Ranks,
    targets: u64,
    seen: u64,
    memory: u64,
) -> PairsPlan {
    let left = memory - seen;
    let most = left / 2 / HASHED_SIDE / targets.max(1);
    let side = request.side_states.unwrap_or(SMALL).min(most);
    let marks = side * HASHED_SIDE * targets;
    PairsPlan {
        ranked: Some(ranked),
        dense_marks: false,
        limits: PairLimits {
            side_states: side,
            forward_bytes: (left - marks) / 3 * 2,
            ..unlimited(request)
        },
        need: seen + marks + (left - marks),
        marks,
    }
}

fn by_key(request: &PairsRequest, targets: u64, memory: u64, buffers: u64) -> Result<PairsPlan> {
    let left = memory.saturating_sub(buffers);
    let side = left / 2 / HASHED_SIDE / targets.max(1);
    let forward = left / 2 / HASHED_FORWARD;
    if side == 0 {
        let more = targets.max(1) * 2 * HASHED_SIDE;
        return Err(EngineError::Memory(format!(
            "{} of memory is too little for {}; give more than {} by --memory",
            human(memory),
            count(targets, "targets"),
            human(buffers + more)
        )));
    }
    let side = request.side_states.unwrap_or(SMALL).min(side);
    let forward = request.budget.unwrap_or(u64::MAX).min(forward);
    Ok(PairsPlan {
        ranked: None,
        dense_marks: false,
        limits: PairLimits {
            side_states: side,
            forward_states: forward,
            ..unlimited(request)
        },
        need: side * HASHED_SIDE * targets + forward * HASHED_FORWARD + buffers,
        marks: side * HASHED_SIDE * targets,
    })
}

/// The part that holds all the states, if they are numbered with 32 bits.
fn numbering<K: Key>(graph: &Graph<K>, states: &[K]) -> Result<Option<Ranks>> {
    if !graph.has(Capabilities::RANK) {
        return Ok(None);
    }
    let mut placed = Vec::new();
    graph.place(states, &mut placed)?;
    let mut parts = placed.iter().map(|at| at.map(|at| at.part));
    let Some(Some(part)) = parts.next() else {
        return Ok(None);
    };
    if !parts.all(|other| other == Some(part)) {
        return Ok(None);
    }
    let Some(size) = graph.space(part)? else {
        return Ok(None);
    };
    let fits = size <= u64::from(u32::MAX) && holds_all_images(graph, part, size, states)?;
    Ok(fits.then_some(Ranks { part, size }))
}

/// Number of ranks sampled to distinguish a numbering of all states from one of representatives
/// alone, which skips the states between.
const LOOKED_AT: u64 = 1024;

fn holds_all_images<K: Key>(graph: &Graph<K>, part: u64, size: u64, states: &[K]) -> Result<bool> {
    let step = (size / LOOKED_AT).max(1) as usize;
    let ranks: Vec<u64> = (0..size).step_by(step).collect();
    let (mut keys, mut placed) = (Vec::new(), Vec::new());
    graph.unrank(part, &ranks, &mut keys)?;
    keys.extend_from_slice(states);
    graph.place(&graph.images_of(&keys)?, &mut placed)?;
    Ok(placed.iter().all(Option::is_some))
}

/// One line with the resources of a search.
pub(super) fn describe(need: u64, marks: u64, ranked: bool) -> String {
    format!(
        "{}; at most {} of memory, {} of it for marks",
        if ranked { "by rank" } else { "by key" },
        human(need),
        human(marks)
    )
}
