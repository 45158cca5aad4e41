//! Engine `dense`: one byte a rank. Symmetry is not used in the search, only in counting.

use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use puzzle_api::Key;
use rayon::prelude::*;

use super::neighbours::place_in_part;
use super::{BATCH, Ended, EngineError, Neighbours, Search};
use crate::observe::Observers;
use crate::plugin::Expansion;
use crate::progress::Progress;

/// Byte of a rank not reached.
const UNSET: u8 = u8::MAX;
/// Greatest level that a byte holds.
const DEEPEST: u8 = u8::MAX - 1;

pub(super) fn walk<K: Key>(
    search: &Search<K>,
    part: u64,
    observers: &mut Observers<K>,
    progress: &Progress,
) -> Result<Ended, EngineError> {
    let table = Table::new(search, part)?;
    let mut roots = search.root_keys(part)?;
    let mut level = table.enter(search, &mut roots, 0)?;
    let mut depth = 0;
    loop {
        table.observe(search, &level, depth.into(), observers)?;
        progress.level(depth.into(), level.len() as u64);
        if level.is_empty() || search.max_depth == Some(depth.into()) {
            break;
        }
        if depth == DEEPEST {
            return Err(EngineError::CannotHold(format!(
                "{}: deeper than the {DEEPEST} levels that one byte a rank can tell apart; use --engine hash",
                search.graph.opened.full_name()
            )));
        }
        if progress.stopping() {
            return Ok(Ended::Stopped);
        }
        depth += 1;
        level = table.next_level(search, &level, depth, progress)?;
    }
    if search.covers_space() {
        let rest: Vec<u64> = table.unset().collect();
        table.observe(search, &rest, puzzle_api::UNSOLVABLE, observers)?;
    }
    Ok(Ended::Complete)
}

/// Distances of one part by rank.
struct Table<K> {
    part: u64,
    size: u64,
    distance: Vec<AtomicU8>,
    neighbours: Neighbours<K>,
}

impl<K: Key> Table<K> {
    fn new(search: &Search<K>, part: u64) -> Result<Self, EngineError> {
        let name = search.graph.opened.full_name();
        let size = search.graph.space(part)?.ok_or_else(|| {
            EngineError::CannotHold(format!(
                "{name}: no numbering, so no dense table; use --engine hash"
            ))
        })?;
        let mut distance: Vec<AtomicU8> = Vec::new();
        distance.try_reserve_exact(size as usize).map_err(|_| {
            EngineError::CannotHold(format!(
                "{name}: {size} bytes for part {part} do not fit in memory; use --engine hash"
            ))
        })?;
        distance.resize_with(size as usize, || AtomicU8::new(UNSET));
        Ok(Self {
            part,
            size,
            distance,
            neighbours: Neighbours::of(search, part)?,
        })
    }

    /// Writes a distance for those states that have none; gives their ranks.
    fn enter(
        &self,
        search: &Search<K>,
        keys: &mut [K],
        depth: u8,
    ) -> Result<Vec<u64>, EngineError> {
        let mut ranks = Vec::new();
        place_in_part(&search.graph, self.part, self.size, keys, &mut ranks)?;
        // The exchange lets exactly one thread claim a rank.
        ranks.retain(|&rank| {
            self.distance[rank as usize]
                .compare_exchange(UNSET, depth, Relaxed, Relaxed)
                .is_ok()
        });
        Ok(ranks)
    }

    fn next_level(
        &self,
        search: &Search<K>,
        level: &[u64],
        depth: u8,
        progress: &Progress,
    ) -> Result<Vec<u64>, EngineError> {
        let expand = |(keys, out): &mut (Vec<K>, Expansion<K>), ranks: &[u64]| {
            search.graph.unrank(self.part, ranks, keys)?;
            self.neighbours.expand(&search.graph, keys, out)?;
            progress.expanded(ranks.len() as u64);
            self.enter(search, out.keys_mut(), depth)
        };
        let batches: Vec<Vec<u64>> = if search.graph.opened.part_count > 1 {
            let mut scratch = Default::default();
            level
                .chunks(BATCH)
                .map(|ranks| expand(&mut scratch, ranks))
                .collect::<Result<_, EngineError>>()?
        } else {
            level
                .par_chunks(BATCH)
                .map_init(Default::default, expand)
                .collect::<Result<_, EngineError>>()?
        };
        Ok(batches.concat())
    }

    fn unset(&self) -> impl Iterator<Item = u64> {
        let ranks = self.distance.iter().enumerate();
        ranks.filter_map(|(rank, d)| (d.load(Relaxed) == UNSET).then_some(rank as u64))
    }

    fn observe(
        &self,
        search: &Search<K>,
        ranks: &[u64],
        depth: u16,
        observers: &mut Observers<K>,
    ) -> Result<(), EngineError> {
        let mut keys = Vec::new();
        for ranks in ranks.chunks(BATCH) {
            search.graph.unrank(self.part, ranks, &mut keys)?;
            search.observe(self.part, &keys, depth, observers)?;
        }
        Ok(())
    }
}
