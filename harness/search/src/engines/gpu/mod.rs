//! Engine `gpu`: sets of ranks, a bit each, on a graphics card. The card expands a level, finds its
//! new states and adds up their digest. The host sees whole small levels, and of a large one the
//! states that checks have picked, and compares the sums of every level that it sees whole.

#[cfg(test)]
mod tests;

use std::sync::Mutex;

use antipode_gpu::{Card, Device, Kernel, SUMS, Slab, missing};
use antipode_graph::{Graph, builtin};
use puzzle_api::{Key, UNSOLVABLE};

use super::neighbours::place_in_part;
use crate::engine::{Engine, Facts, Ready};
use crate::error::{EngineError, Result, locked};
use crate::memory::human;
use crate::observers::{Antipodes, LevelSum, LevelSums, Observers};
use crate::options::{EngineOptions, Opt};
use crate::outcome::{DEEPEST, Outcome, Spent, StopReason, Walked};
use crate::progress::Progress;
use crate::question::{Ask, QuestionKind};
use crate::search::{Held, Search};

/// Words that a launch works on: 17 million ranks, which take a slow card a fraction of a second.
const SLAB: u64 = 1 << 18;

/// Largest level that the host sees whole, in orbits.
const WHOLE: u64 = 1 << 20;

/// A device with the memory of a search.
struct Memory {
    device: Box<dyn Device>,
    /// Addresses of the memory.
    slab: Slab,
    /// Words of a launch.
    launch: u64,
    /// Orbits of a level up to which the host sees all of them.
    whole: u64,
}

/// Engine `gpu`.
#[derive(Debug)]
pub struct GpuEngine;

fn refuse<K: Key>(graph: &Graph<K>, why: impl std::fmt::Display) -> EngineError {
    EngineError::refused(
        &graph.opened,
        format!("engine gpu: {why}; use --engine dense"),
    )
}

impl<K: Key> Engine<K> for GpuEngine {
    fn facts(&self) -> &'static Facts {
        &Facts {
            name: "gpu",
            summary: "three bits per rank on an NVIDIA card; coin sliding and sliding tiles only",
            answers: &[QuestionKind::Levels],
            ..Facts::USUAL
        }
    }

    fn options(&self, _: QuestionKind) -> &'static [Opt] {
        &[]
    }

    fn obstacle(&self, graph: &Graph<K>, _: &Ask<'_, K>) -> Option<String> {
        let why = match builtin::kernels(&graph.opened) {
            Ok(Some(_)) => missing()?.to_owned(),
            Ok(None) => format!(
                "no kernels for variant {} of this puzzle",
                graph.opened.variant
            ),
            Err(error) => error.to_string(),
        };
        Some(format!("engine gpu has {why}; use --engine dense"))
    }

    /// Looks for no driver unless the user names the engine.
    fn preferred(&self, _: &Graph<K>, _: &Ask<'_, K>) -> u8 {
        0
    }

    fn prepare(&self, search: &mut Search<K>, _: &EngineOptions, _: &Graph<K>) -> Result<Ready> {
        let kernels = builtin::kernels(&search.graph.opened);
        let kernels = kernels.map_err(|error| refuse(&search.graph, error))?;
        let (ptx, table) = kernels.ok_or_else(|| refuse(&search.graph, "no kernels"))?;
        let card = Card::open(ptx).map_err(|why| refuse(&search.graph, why))?;
        let (memory, line) = Memory::take(search, Box::new(card), &table, (SLAB, WHOLE))?;
        search.held = Held::of(Mutex::new(memory));
        Ok(Ready {
            line: Some(line),
            ..Ready::default()
        })
    }

    fn levels(
        &self,
        search: &Search<K>,
        part: u64,
        observers: &mut Observers<K>,
        progress: &Progress,
    ) -> Result<Walked<K>> {
        let held = search.held.get::<Mutex<Memory>>();
        let held = held.ok_or_else(|| refuse(&search.graph, "no card was opened"))?;
        // One part at a time: they share the memory.
        let memory = locked(held);
        let size = search.graph.space(part)?.unwrap_or(0);
        let mut walk = Walk {
            search,
            progress,
            memory: &memory,
            slab: Slab {
                size,
                part,
                backward: u64::from(search.direction == puzzle_api::Direction::Backward),
                symmetry: search.symmetry.into(),
                ..memory.slab
            },
        };
        let mut spent = Spent::default();
        let outcome = match walk.run(observers, &mut spent)? {
            true => Outcome::Levels,
            false => Outcome::NotReached(StopReason::Requested),
        };
        Ok(Walked { outcome, spent })
    }
}

impl Memory {
    /// Takes all memory that the largest part of a search needs; also returns a line for the user.
    fn take<K: Key>(
        search: &Search<K>,
        device: Box<dyn Device>,
        table: &[u64],
        (launch, whole): (u64, u64),
    ) -> Result<(Self, String)> {
        let graph = &search.graph;
        let fail = |why| refuse(graph, why);
        let mut size = 0;
        for part in search.parts()? {
            size = size.max(graph.space(part)?.unwrap_or(0));
        }
        let words = size.div_ceil(64);
        let list = 64 * launch.min(words);
        let (sums, constants) = (SUMS as u64, table.len() as u64);
        let all = u128::from(words) * 3 + u128::from(list + sums + constants);
        let bytes = u64::try_from(8 * all).unwrap_or(u64::MAX);
        let free = device.free().map_err(fail)?;
        let [needed, left] = [bytes, free].map(human);
        let line = format!("takes {needed} of the card's memory, of which {left} are free");
        if bytes > free {
            return Err(refuse(graph, line));
        }
        let take = |words| device.take(words).map_err(fail);
        let slab = Slab {
            table: take(constants)?,
            from: take(words)?,
            seen: take(words)?,
            next: take(words)?,
            sums: take(sums)?,
            list: take(list)?,
            ..Slab::default()
        };
        device.write(slab.table, table).map_err(fail)?;
        let line = format!("engine gpu on {}: {line}", device.name());
        let memory = Self {
            device,
            slab,
            launch,
            whole,
        };
        Ok((memory, line))
    }
}

/// A walk over one part.
struct Walk<'a, K> {
    search: &'a Search<K>,
    memory: &'a Memory,
    progress: &'a Progress,
    slab: Slab,
}

impl<K: Key> Walk<'_, K> {
    /// Walks all levels; false if a stop was requested.
    fn run(&mut self, observers: &mut Observers<K>, spent: &mut Spent) -> Result<bool> {
        self.fill(self.slab.seen, 0)?;
        self.fill(self.slab.next, 0)?;
        self.enter_roots()?;
        let Some(mut sum) = self.settle()? else {
            return Ok(false);
        };
        let mut depth = 0;
        while sum.states > 0 {
            let last = self.search.max_depth == Some(depth);
            if depth == DEEPEST && !last {
                let opened = &self.search.graph.opened;
                return Err(EngineError::too_deep(opened, DEEPEST.into()));
            }
            std::mem::swap(&mut self.slab.from, &mut self.slab.next);
            self.fill(self.slab.next, 0)?;
            let mut found = LevelSum::default();
            if !last {
                if !self.each_slab(Kernel::Expand, self.slab, |_| Ok(()))? {
                    return Ok(false);
                }
                spent.expanded += sum.states;
                self.progress.expanded(sum.states);
                match self.settle()? {
                    Some(sum) => found = sum,
                    None => return Ok(false),
                }
            }
            if !self.show(depth, sum, found.states == 0, observers)? {
                return Ok(false);
            }
            self.progress.level(depth, sum.states);
            self.progress.finished(&observers.levels, depth);
            (sum, depth) = (found, depth + 1);
        }
        if !self.search.covers_space() {
            return Ok(true);
        }
        // What is new among all states was not met.
        self.fill(self.slab.next, u8::MAX)?;
        let Some(rest) = self.settle()? else {
            return Ok(false);
        };
        std::mem::swap(&mut self.slab.from, &mut self.slab.next);
        self.show(UNSOLVABLE, rest, false, observers)
    }

    fn failed(&self, why: String) -> EngineError {
        refuse(&self.search.graph, why)
    }

    /// Words of a set.
    fn words(&self) -> u64 {
        self.slab.size.div_ceil(64)
    }

    fn fill(&self, at: u64, byte: u8) -> Result<()> {
        let filled = self.memory.device.fill(at, self.words(), byte);
        filled.map_err(|why| self.failed(why))
    }

    fn read<const N: usize>(&self, at: u64) -> Result<[u64; N]> {
        let mut words = [0; N];
        let read = self.memory.device.read(at, &mut words);
        read.map(|()| words).map_err(|why| self.failed(why))
    }

    /// Runs a kernel on all words, with `after` for each launch; false if a stop was requested.
    fn each_slab(
        &self,
        kernel: Kernel,
        slab: Slab,
        mut after: impl FnMut(&Slab) -> Result<()>,
    ) -> Result<bool> {
        for first in (0..self.words()).step_by(self.memory.launch as usize) {
            if self.progress.stopping() {
                return Ok(false);
            }
            let words = self.memory.launch.min(self.words() - first);
            let slab = Slab {
                first,
                words,
                ..slab
            };
            let zeroed = self.memory.device.fill(slab.sums, SUMS as u64, 0);
            let launched = zeroed.and_then(|()| self.memory.device.launch(kernel, &slab));
            launched.map_err(|why| self.failed(why))?;
            after(&slab)?;
        }
        Ok(true)
    }

    fn enter_roots(&self) -> Result<()> {
        let (search, slab) = (self.search, &self.slab);
        let (mut roots, mut ranks) = (search.root_keys(slab.part)?, Vec::new());
        place_in_part(search, slab.part, slab.size, &mut roots, &mut ranks)?;
        for rank in ranks {
            let at = slab.next + 8 * (rank / 64);
            let [word] = self.read(at)?;
            let written = self.memory.device.write(at, &[word | 1 << (rank % 64)]);
            written.map_err(|why| self.failed(why))?;
        }
        Ok(())
    }

    /// Keeps the new states of the next level; `None` if a stop was requested.
    fn settle(&self) -> Result<Option<LevelSum>> {
        let mut level = LevelSum::default();
        let whole = self.each_slab(Kernel::Settle, self.slab, |slab| {
            let words: [u64; SUMS] = self.read(slab.sums)?;
            for sums in words.chunks_exact(5) {
                let hashes = [(sums[2], 0), (sums[3], 32), (sums[4], 64)];
                let hashes = hashes.map(|(sum, shift)| u128::from(sum) << shift);
                level.states += sums[0];
                level.orbits += sums[1];
                level.digest = hashes
                    .iter()
                    .fold(level.digest, |all, &one| all.wrapping_add(one));
            }
            Ok(())
        })?;
        Ok(whole.then_some(level))
    }

    /// Shows the level in `from` to the observers: whole, or its sums and what checks look for. The
    /// last level is shown whole, since its states are the antipodes.
    fn show(
        &self,
        depth: u16,
        sum: LevelSum,
        last: bool,
        observers: &mut Observers<K>,
    ) -> Result<bool> {
        let (search, part) = (self.search, self.slab.part);
        let whole = observers.need_all(sum.orbits) || last || sum.orbits <= self.memory.whole;
        let (start, width) = match whole {
            true => (0, 0),
            false => observers.spots.sampling().window(),
        };
        let mut seen = observers.fork();
        let mut sampled = match whole {
            true => Vec::new(),
            false => self.samples(observers)?,
        };
        if whole || width > 0 {
            let slab = Slab {
                start,
                width,
                ..self.slab
            };
            let shown = self.each_slab(Kernel::Pick, slab, |slab| {
                let [count] = self.read(slab.sums)?;
                let mut keys = vec![0; count as usize];
                let read = self.memory.device.read(slab.list, &mut keys);
                read.map_err(|why| self.failed(why))?;
                let keys: Vec<K> = keys.iter().map(|&key| K::from_u128(key.into())).collect();
                sampled.retain(|key| !keys.contains(key));
                Ok(search.observe_all(part, &[keys], depth, false, &mut seen)?)
            })?;
            if !shown {
                return Ok(false);
            }
        }
        search.observe(part, &sampled, depth, &mut seen)?;
        if whole && seen.levels.level(depth) != sum {
            let name = search.graph.opened.full_name();
            let LevelSum { states, orbits, .. } = seen.levels.level(depth);
            return Err(EngineError::Disagree(format!(
                "{name}: on level {depth} the card counts {} states and {} orbits, the puzzle {states} and {orbits}, or their digests differ: use --engine dense",
                sum.states, sum.orbits
            )));
        }
        if !whole {
            seen.levels = LevelSums::default();
            seen.levels.add(depth, &sum);
            seen.antipodes = Antipodes::default();
        }
        observers.absorb(seen);
        Ok(true)
    }

    /// The states that checks look for and that are in the level of `from`.
    fn samples(&self, observers: &Observers<K>) -> Result<Vec<K>> {
        let samples = observers.strikes.samples().iter();
        let keys: Vec<K> = samples.map(|sample| sample.key).collect();
        let (mut placed, mut held) = (Vec::new(), Vec::new());
        self.search.graph.place(&keys, &mut placed)?;
        for (key, at) in keys.into_iter().zip(placed) {
            let Some(at) = at.filter(|at| at.part == self.slab.part) else {
                continue;
            };
            let [word] = self.read(self.slab.from + 8 * (at.rank / 64))?;
            held.extend((word >> (at.rank % 64) & 1 == 1).then_some(key));
        }
        Ok(held)
    }
}
