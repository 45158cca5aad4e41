//! From level to level: makes the next one, records it, and drops levels that are no longer needed.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::Instant;

use antipode_graph::Capabilities;
use antipode_reports::cost::LevelCost;
use cpu_time::ProcessTime;
use puzzle_api::Key;

use super::budget::{Budget, for_merging};
use super::exchange::{Exchange, expand_together};
use super::folder::{DiskLevel, LevelEntry};
use super::peers::agree;
use super::sample::PICKED;
use super::segment::{self, PackedRun, candidates};
use super::step::{DiskStep, Halt, Merged, Own, Tally, Turns, drop_known, on_workers};
use super::walk::Walk;
use crate::digest::{key_text, key_texts, keys_from_texts};
use crate::engines::BATCH;
use crate::engines::network::Network;
use crate::error::{EngineError, Result};
use crate::machine;
use crate::observers::{Observers, Record};
use crate::outcome::{Outcome, Sampled, StopReason};
use crate::packed::{Candidate, Marked, Packer, UsedOperators};
use crate::picking::Picking;
use crate::search::DEEPEST;

/// Seconds of a search that need not be safe on the disk yet: waiting for the disk at every level
/// takes longer than making a small level. This much is lost if the machine fails, and not only the
/// process.
const IN_PASSING: f64 = 10.0;

/// Most bytes of levels that a part holds before it writes them to disk.
const MOST_HELD: u64 = 1 << 20;

/// The next level, whose files are written and not recorded yet.
struct WrittenLevel<K> {
    level: DiskLevel,
    seen: Observers<K>,
    /// The smallest goal, if goals are looked for.
    goal: Option<K>,
    /// States to be compared with the rulebook.
    picked: Vec<K>,
    /// Number of its keys, including those of other processes.
    orbits: u64,
}

/// The same level, with the data that all processes share on it.
fn agreed<K: Key>(
    peers: &Network,
    made: Result<WrittenLevel<K>, Halt>,
) -> Result<WrittenLevel<K>, Halt> {
    let tell = |made: &WrittenLevel<K>| {
        let goal: Vec<K> = made.goal.into_iter().collect();
        (made.orbits, key_texts(&goal), key_texts(&made.picked))
    };
    let (mut made, all) = agree(peers, made, tell)?;
    made.orbits = all.iter().map(|(orbits, ..)| orbits).sum();
    let picking = Picking::new(PICKED);
    for (_, goal, picked) in all {
        made.goal = made.goal.into_iter().chain(keys_from_texts(&goal)).min();
        picking.see(&keys_from_texts(&picked));
    }
    made.picked = picking.states();
    Ok(made)
}

impl<K: Key> Walk<'_, K> {
    /// Walks to the end, a limit, or a stop.
    ///
    /// # Errors
    /// Same as any search on disk.
    pub(in crate::engines) fn levels(
        &mut self,
        observers: &mut Observers<K>,
    ) -> Result<Outcome<K>> {
        if !self.is_shown {
            return Ok(Outcome::NotReached(StopReason::Requested));
        }
        loop {
            let depth = self.depth();
            self.progress.level(depth, self.orbits);
            if self.peers.is_none() {
                self.progress.finished(&observers.levels, depth);
            }
            if self.orbits == 0 || self.search.max_depth.is_some_and(|most| depth >= most) {
                return Ok(Outcome::Levels);
            }
            if self.met().is_some() {
                return Ok(Outcome::Levels);
            }
            if depth == DEEPEST {
                let opened = &self.search.graph.opened;
                return Err(EngineError::too_deep(opened, DEEPEST.into()));
            }
            let next = self.part_more_finely();
            match next.and_then(|()| self.next_level(observers)) {
                Ok(()) => {}
                Err(Halt::Stopped) => return self.halted(StopReason::Requested),
                Err(Halt::Failed(error)) => {
                    // The rest would only take space.
                    let swept = self.folder.sweep_unbooked();
                    let reason = StopReason::of_limit(error)?;
                    swept?;
                    return self.halted(reason);
                }
            }
        }
    }

    /// Ends the walk: the finished levels stay in the folder, also those that were only in memory.
    pub(super) fn halted(&mut self, reason: StopReason) -> Result<Outcome<K>> {
        self.folder.sweep_unbooked()?;
        self.write_down()?;
        Ok(Outcome::NotReached(reason))
    }

    /// Raises the number of partitions once they outgrow the cache.
    pub(super) fn part_more_finely(&mut self) -> Result<(), Halt> {
        let wanted = (self.orbits / self.options.partition_states)
            .max(1)
            .next_power_of_two() as usize;
        let wanted = wanted.min(self.most_partitions).ilog2();
        // Rarely by a large factor rather than often by a small one: each time, two levels are
        // rewritten.
        if wanted < self.partitions.log2 + 2 {
            return Ok(());
        }
        self.write_down()?;
        self.partitions.log2 = wanted;
        let coarse = std::mem::take(&mut self.window);
        let split = self.split_all(&coarse);
        let (finer, levels) = match self.peers {
            None => split?,
            Some(peers) => agree(peers, split, |_| ())?.0,
        };
        self.window = finer;
        let first = coarse.first().map_or(0, |level| level.depth);
        let safe = self.is_long(Instant::now());
        self.record(levels, first, safe)?;
        for level in coarse {
            self.folder.erase(level)?;
        }
        Ok(())
    }

    fn split_all(&self, coarse: &[DiskLevel]) -> Result<(Vec<DiskLevel>, Vec<LevelEntry>), Halt> {
        let mut levels = self.folder.levels.clone();
        let mut window = Vec::new();
        for level in coarse {
            let finer = self.split(level)?;
            levels[usize::from(level.depth)].place = finer.place.clone();
            window.push(finer);
        }
        Ok((window, levels))
    }

    /// Records levels from `since` on; `safe` waits until they are safe on the disk. If others
    /// share the search, a disk that is full now is no limit at which all stop: they have
    /// continued, and this process is gone.
    fn record(&mut self, levels: Vec<LevelEntry>, since: u16, safe: bool) -> Result<()> {
        let in_use = self.window.iter().chain(&self.kept_for_paths);
        if safe || in_use.map(DiskLevel::bytes).sum::<u64>() > MOST_HELD {
            self.write_down()?;
        }
        let secured = if safe { self.secure() } else { Ok(()) };
        let recorded = secured.and_then(|()| self.folder.record(levels, since, safe));
        match (recorded, self.peers) {
            (Err(EngineError::Disk(text)), Some(_)) => Err(EngineError::Peer(text)),
            (recorded, _) => recorded,
        }
    }

    /// Writes the levels that were only in memory so far, and records them.
    fn write_down(&mut self) -> Result<()> {
        if !std::mem::take(&mut self.folder.in_passing) {
            return Ok(());
        }
        for level in self.window.iter().chain(&self.kept_for_paths) {
            self.folder.write_down(level)?;
        }
        self.folder.record(self.folder.levels.clone(), 0, false)
    }

    pub(super) fn growth(&self) -> f64 {
        match self.folder.levels[..] {
            [.., ref before, ref last] if before.sum().orbits > 0 => {
                (last.sum().orbits as f64 / before.sum().orbits as f64).clamp(0.5, 8.0)
            }
            _ => 8.0,
        }
    }

    pub(super) fn next_level(&mut self, observers: &mut Observers<K>) -> Result<(), Halt> {
        let clock = (Instant::now(), ProcessTime::now());
        let before = (self.folder.disk.read(), self.folder.disk.written());
        let depth = self.depth() + 1;
        let tally = Tally::default();
        let alone = AtomicBool::new(false);
        let halted = self.peers.map_or(&alone, Network::halted);
        let budget = Budget::new(self.memory - self.memory / 8);
        let around = self.look_around(&self.picked)?;
        // The level that only replaces a damaged last one, if it is not kept for paths either.
        let alone = |level: &DiskLevel| !self.known(level.depth) && !self.keeps(level.depth);
        let stand_in = self.window.iter().position(alone);
        let stand_in = stand_in.map(|at| self.window.remove(at));
        let known: Vec<&DiskLevel> = match self.search.graph.has(Capabilities::LAYERED) {
            true => Vec::new(),
            false => self.window.iter().filter(|l| self.known(l.depth)).collect(),
        };
        let level = match self.window.last() {
            Some(level) => level,
            None => return Ok(()),
        };
        let step = DiskStep {
            counters: &self.counters,
            search: self.search,
            part: self.part,
            neighbours: &self.neighbours,
            folder: &self.folder,
            budget: &budget,
            partitions: self.partitions,
            workers: self.workers,
            progress: self.progress,
            level,
            known: &known,
            growth: self.growth(),
            tally: &tally,
            halted,
            goal: self.goal,
            picking: Picking::new(PICKED),
        };
        let made = match self.marked {
            true => self.make::<Marked<K>>(step, stand_in, observers)?,
            false => self.make::<K>(step, stand_in, observers)?,
        };
        let WrittenLevel {
            level,
            seen,
            goal,
            picked,
            orbits,
        } = made;
        let cost = LevelCost {
            depth: depth.into(),
            states: level.orbits(),
            seconds: clock.0.elapsed().as_secs_f64(),
            cpu_seconds: clock.1.elapsed().as_secs_f64(),
            generated: tally.generated.load(Relaxed),
            stayed: tally.stayed.load(Relaxed),
            removed_in_memory: tally.removed_in_memory.load(Relaxed),
            removed_at_merge: tally.removed_at_merge.load(Relaxed),
            bytes_read: self.folder.disk.read() - before.0,
            bytes_written: self.folder.disk.written() - before.1,
            bytes_stored: level.bytes(),
            partitions: self.partitions.count() as u64,
            peak_memory_bytes: machine::peak_memory_bytes(),
        };
        let sampled = match around {
            Some(around) => self.compare_sample(around, &level)?,
            None => Sampled::default(),
        };
        self.levels_spent.add_sample(sampled.clone());
        self.picked = picked;
        self.orbits = orbits;
        self.levels_spent.add_level(cost);
        let entry = LevelEntry {
            depth,
            seen: Record::without_antipodes(&seen),
            cost,
            sampled,
            goal: goal.map(key_text),
            place: level.place.clone(),
        };
        self.window.push(level);
        self.settle(entry, clock.0)?;
        observers.absorb(seen);
        Ok(())
    }

    /// Drops a level that stood in for those that a step rests on, once every byte of these was
    /// read and is sound. A search takes most disk while a level is made.
    fn drop_stand_in(
        &self,
        step: &DiskStep<'_, K>,
        stand_in: Option<DiskLevel>,
    ) -> Result<(), Halt> {
        let Some(stand_in) = stand_in else {
            return Ok(());
        };
        for level in self.window.iter().filter(|level| self.known(level.depth)) {
            level.check(|| step.stopping())?;
        }
        Ok(self.folder.erase(stand_in)?)
    }

    fn exchange<'b, C: Candidate>(&'b self, peers: Option<&'b Network>) -> Exchange<'b> {
        let segment = self.folder.passing("received");
        let log2 = self.partitions.log2;
        Exchange::new::<C>(segment, log2, (self.workers, self.memory), peers)
    }

    /// The next level, with or without marks: the part that this process keeps, and the shared
    /// data.
    fn make<C: Candidate<Key = K>>(
        &self,
        step: DiskStep<'_, K>,
        stand_in: Option<DiskLevel>,
        observers: &Observers<K>,
    ) -> Result<WrittenLevel<K>, Halt> {
        let dropped = self.drop_stand_in(&step, stand_in);
        let exchange = self.exchange::<C>(self.peers);
        let own = match self.peers {
            None => dropped.and_then(|()| step.expand::<C>(&exchange))?,
            Some(peers) => {
                agree(peers, dropped, |()| ())?;
                expand_together::<C>(peers, &step, &exchange)?
            }
        };
        let merged = step.merge::<C>(&own, &exchange, observers);
        let made = merged.and_then(|merged| {
            exchange.discard()?;
            self.finish(step, own, merged, observers)
        });
        match self.peers {
            None => made,
            Some(peers) => agreed(peers, made),
        }
    }

    fn finish(
        &self,
        step: DiskStep<'_, K>,
        own: Own,
        merged: Merged<K>,
        observers: &Observers<K>,
    ) -> Result<WrittenLevel<K>, Halt> {
        own.segment.remove()?;
        let mut seen = observers.fork();
        for part in merged.seen {
            seen.absorb(part);
        }
        let (depth, log2) = (step.level.depth + 1, self.partitions.log2);
        let level = self
            .folder
            .finish(depth, log2, merged.runs, merged.segment)?;
        Ok(WrittenLevel {
            orbits: level.orbits(),
            level,
            seen,
            goal: merged.goal,
            picked: step.picking.states(),
        })
    }

    /// Whether the search, including the level just begun, has taken so long that it must not be
    /// lost. Once true, it stays true.
    fn is_long(&self, begun: Instant) -> bool {
        let finished = self.folder.levels.iter().map(|level| level.cost.seconds);
        finished.sum::<f64>() + begun.elapsed().as_secs_f64() >= IN_PASSING
    }

    /// Waits until the current level is safe on the disk, and all others in use if the search was
    /// short until now.
    fn secure(&mut self) -> Result<()> {
        let many = if self.secured { 1 } else { usize::MAX };
        let in_use = self.window.iter().rev().chain(&self.kept_for_paths);
        in_use
            .take(many)
            .try_for_each(|level| self.folder.secure(level))?;
        self.secured = true;
        Ok(())
    }

    /// Records the new level, the last of the window, and drops levels that are no longer needed.
    /// The level before those whose states may be met again stays: without it, a damaged last level
    /// could not be remade.
    pub(super) fn settle(&mut self, entry: LevelEntry, begun: Instant) -> Result<(), Halt> {
        let last = entry.depth;
        let first = self.window.first().map_or(last, |level| level.depth);
        let mut levels = self.folder.levels.clone();
        levels.push(entry);
        let safe = self.is_long(begun);
        self.record(levels, first.max(last.saturating_sub(2)), safe)?;
        for level in std::mem::take(&mut self.window) {
            if self.stays(level.depth, last) {
                self.window.push(level);
            } else if self.keeps(level.depth) {
                self.kept_for_paths.push(level);
            } else {
                self.folder.erase(level)?;
            }
        }
        Ok(())
    }

    /// Shows states that are in no level as unsolvable. For this, every level is kept.
    pub(super) fn rest(&self, observers: &mut Observers<K>) -> Result<(), Halt> {
        let Some(size) = self.search.graph.space(self.part)? else {
            return Ok(());
        };
        let partitions = self.partitions;
        let halted = AtomicBool::new(false);
        // Processes that share a search continue together to its end.
        let go_on = || {
            let stopping = self.peers.is_none() && self.progress.stopping();
            match stopping || halted.load(Relaxed) {
                true => Err(Halt::Stopped),
                false => Ok(()),
            }
        };
        let exchange = self.exchange::<K>(None);
        let next = AtomicU64::new(0);
        on_workers(self.workers, &halted, |_| {
            let mut outgoing = exchange.outgoing::<K>();
            let (mut keys, mut owners) = (Vec::new(), Vec::new());
            loop {
                go_on()?;
                let start = next.fetch_add(BATCH as u64, Relaxed).min(size);
                let ranks: Vec<u64> = (start..size.min(start + BATCH as u64)).collect();
                if ranks.is_empty() {
                    return Ok(exchange.close(outgoing)?);
                }
                self.search.graph.unrank(self.part, &ranks, &mut keys)?;
                keys = self.own(&keys)?;
                partitions.of(self.search, &keys, &mut owners)?;
                for (&key, &owner) in keys.iter().zip(&owners) {
                    exchange.send(&mut outgoing, owner as usize, key)?;
                }
            }
        })?;
        let waiting = |partition| exchange.waiting(partition);
        let turns = Turns::new((0..partitions.count()).map(waiting));
        let budget = Budget::new(self.memory);
        let shown = on_workers(self.workers, &halted, |_| {
            let mut seen = observers.fork();
            let (mut keys, mut bytes) = (Vec::new(), Vec::new());
            while let Some(partition) = turns.next() {
                go_on()?;
                let states = waiting(partition);
                // A partition that takes more than the whole memory runs alone.
                let wanted = for_merging::<K>(states, 0).min(self.memory);
                let _taken = budget.take(wanted, (self.depth(), states))?;
                keys.clear();
                exchange.collect(partition, &mut keys)?;
                keys.sort_unstable();
                keys.dedup();
                for level in self.kept_for_paths.iter().chain(&self.window) {
                    // Levels that were not needed again are in fewer partitions.
                    let coarse = partition >> (partitions.log2 - level.place.partitions_log2);
                    let run = level.read(coarse, &mut bytes)?;
                    drop_known(&mut keys, segment::keys(&run, &bytes));
                }
                let unsolvable = puzzle_api::UNSOLVABLE;
                self.search
                    .observe(self.part, &keys, unsolvable, &mut seen)?;
            }
            Ok(seen)
        })?;
        exchange.discard()?;
        for seen in shown {
            observers.absorb(seen);
        }
        Ok(())
    }
}

// Rewrites a level in more partitions than before.

impl<K: Key> Walk<'_, K> {
    /// Writes a level again, in the present number of partitions. A partition splits into
    /// neighbouring ones, since its number is the high bits of a hash. The journal does not name
    /// the new files yet.
    pub(super) fn split(&self, level: &DiskLevel) -> Result<DiskLevel> {
        match self.marked {
            true => self.split_by::<Marked<K>>(level),
            false => self.split_by::<K>(level),
        }
    }

    fn split_by<C: Candidate<Key = K>>(&self, level: &DiskLevel) -> Result<DiskLevel> {
        let log2 = self.partitions.log2;
        let segment = self.folder.segment(level.depth, log2);
        let mut runs = vec![PackedRun::default(); self.partitions.count()];
        let ways = 1 << (log2 - level.place.partitions_log2);
        let mut packers: Vec<Packer> = (0..ways).map(|_| Packer::default()).collect();
        let (mut bytes, mut batch, mut owners) = (Vec::new(), Vec::new(), Vec::new());
        let mut marks = Vec::new();
        for partition in 0..level.runs.len() {
            let run = level.read(partition, &mut bytes)?;
            let mut states = candidates::<C>(&run, &bytes);
            batch.clear();
            marks.clear();
            while states.fill(&mut batch, &mut marks, BATCH) {
                self.partitions.of(self.search, &batch, &mut owners)?;
                let mut marks_of = marks.drain(..);
                for (&key, &owner) in batch.iter().zip(&owners) {
                    let candidate = C::new(key, C::Mark::of(marks_of.next().unwrap_or(0)));
                    packers[owner as usize % ways].put_in(candidate);
                }
                drop(marks_of);
                batch.clear();
            }
            for (way, packer) in packers.iter_mut().enumerate() {
                if packer.count() > 0 {
                    runs[partition * ways + way] = segment.append(packer)?;
                }
            }
        }
        let made = self.folder.finish(level.depth, log2, runs, segment)?;
        self.folder.secure(&made)?;
        Ok(made)
    }
}
