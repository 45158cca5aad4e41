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
    let mut roots = search.root_keys(part)?;
    let frame = Frame::of(search, &mut roots)?;
    let table = Table::new(search, part, frame)?;
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

/// A numbering need not hold every state, only one of each orbit. Where it does not hold
/// the start, the search runs from an image of it, and what it finds is turned back.
#[derive(Clone, Copy)]
struct Frame {
    /// Symmetry that turns found states back; `None` where nothing was turned.
    back: Option<usize>,
}

impl Frame {
    /// Turns roots into the numbering where they are not in it.
    fn of<K: Key>(search: &Search<K>, roots: &mut [K]) -> Result<Self, EngineError> {
        let graph = &search.graph;
        let mut placed = Vec::new();
        graph.place(roots, &mut placed)?;
        let [root] = roots else {
            return Ok(Self { back: None });
        };
        if placed[0].is_some() || search.symmetry {
            return Ok(Self { back: None });
        }
        let original = *root;
        graph.canonical(roots, None)?;
        // Any symmetry that takes the image back to the start will do: two of them differ
        // by one that fixes the start, and so maps each level onto itself.
        let back = graph
            .images(roots[0])?
            .iter()
            .position(|&image| image == original);
        match back {
            Some(back) => Ok(Self { back: Some(back) }),
            None => Err(EngineError::CannotHold(format!(
                "{}: the start lies outside the numbering; use --engine hash",
                graph.opened.full_name()
            ))),
        }
    }

    /// Turns states found back to where the start was.
    fn turn_back<K: Key>(self, search: &Search<K>, keys: &mut Vec<K>) -> Result<(), EngineError> {
        let Some(back) = self.back else { return Ok(()) };
        let images = search.graph.images_of(keys)?;
        let count = search.graph.opened.symmetry_count as usize;
        keys.clear();
        keys.extend(images.chunks_exact(count).map(|images| images[back]));
        Ok(())
    }
}

/// Distances of one part by rank.
struct Table<K> {
    frame: Frame,
    part: u64,
    size: u64,
    distance: Vec<AtomicU8>,
    neighbours: Neighbours<K>,
}

impl<K: Key> Table<K> {
    fn new(search: &Search<K>, part: u64, frame: Frame) -> Result<Self, EngineError> {
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
            frame,
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
        place_in_part(search, self.part, self.size, keys, &mut ranks)?;
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
            self.frame.turn_back(search, &mut keys)?;
            search.observe(self.part, &keys, depth, observers)?;
        }
        Ok(())
    }
}
