//! From level to level: making the next, letting it count, dropping what nobody needs.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant;

use antipode_reports::cost::LevelCost;
use cpu_time::ProcessTime;
use puzzle_api::{Capabilities, Key};

use super::budget::Budget;
use super::exchange::{Exchange, Spooled};
use super::folder::{self, Entry, Level};
use super::merge::drop_known;
use super::segment;
use super::step::{Halt, Step, Tally};
use super::walk::Walk;
use crate::engines::BATCH;
use crate::error::EngineError;
use crate::machine;
use crate::observers::{Observers, Record};
use crate::outcome::{Outcome, StopReason};
use crate::search::DEEPEST;

impl<K: Key> Walk<'_, K> {
    /// Walks on to the end, a limit, or a stop.
    pub(super) fn levels(
        &mut self,
        observers: &mut Observers<K>,
    ) -> Result<Outcome<K>, EngineError> {
        loop {
            let depth = self.depth();
            let states = self.window.last().map_or(0, Level::orbits);
            self.progress.level(depth, states);
            if states == 0 || self.search.max_depth.is_some_and(|most| depth >= most) {
                return Ok(Outcome::Levels);
            }
            if self.met().is_some() {
                return Ok(Outcome::Levels);
            }
            if depth == DEEPEST {
                let name = self.search.graph.opened.full_name();
                return Err(EngineError::CannotHold(format!(
                    "{name}: deeper than {DEEPEST} levels, more than this version counts"
                )));
            }
            let next = self.part_more_finely().map_err(Halt::from);
            match next.and_then(|()| self.next_level(observers)) {
                Ok(()) => {}
                Err(Halt::Stopped) => {
                    self.folder.sweep_unbooked()?;
                    return Ok(Outcome::NotReached(StopReason::Requested));
                }
                Err(Halt::Failed(error)) => {
                    // What is finished stays; the rest would only take room.
                    let swept = self.folder.sweep_unbooked();
                    let reason = StopReason::of_limit(error)?;
                    swept?;
                    return Ok(Outcome::NotReached(reason));
                }
            }
        }
    }

    /// Raises the number of partitions once they outgrow the cache.
    pub(super) fn part_more_finely(&mut self) -> Result<(), EngineError> {
        let states = self.window.last().map_or(0, Level::orbits);
        let wanted = (states / self.options.partition_states)
            .max(1)
            .next_power_of_two() as usize;
        let wanted = wanted.min(self.most_partitions).ilog2();
        // Now and then by much rather than often by little: each time two levels are
        // written again.
        if wanted < self.partitions.log2 + 2 {
            return Ok(());
        }
        self.partitions.log2 = wanted;
        let coarse = std::mem::take(&mut self.window);
        let mut levels = self.folder.levels.clone();
        for level in &coarse {
            let (finer, place) = self.split(level)?;
            levels[usize::from(level.depth)].place = place;
            self.window.push(finer);
        }
        let first = coarse.first().map_or(0, |level| level.depth);
        self.folder.book(levels, first)?;
        for level in coarse {
            self.folder.erase(level, &self.disk)?;
        }
        Ok(())
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
        let before = (self.disk.read(), self.disk.written());
        let depth = self.depth() + 1;
        let tally = Tally::default();
        let halted = AtomicBool::new(false);
        let budget = Budget::new(self.memory - self.memory / 8);
        let known: Vec<&Level> = match self.search.graph.has(Capabilities::LAYERED) {
            true => Vec::new(),
            false => self.window.iter().filter(|l| self.known(l.depth)).collect(),
        };
        let level = match self.window.last() {
            Some(level) => level,
            None => return Ok(()),
        };
        let step = Step {
            counters: &self.counters,
            search: self.search,
            part: self.part,
            neighbours: &self.neighbours,
            folder: &self.folder,
            disk: &self.disk,
            budget: &budget,
            partitions: self.partitions,
            workers: self.workers,
            progress: self.progress,
            level,
            known: &known,
            growth: self.growth(),
            tally: &tally,
            halted: &halted,
            goal: self.goal,
        };
        let mut exchange = Spooled::new::<K>(
            self.folder.passing("exchange"),
            &self.disk,
            self.partitions.count(),
            self.workers,
            self.memory,
        );
        let own = step.expand(&mut exchange)?;
        let merged = step.merge(&own, &exchange, observers)?;
        exchange.discard()?;
        for segment in own.segments {
            folder::remove(segment, &self.disk)?;
        }
        let mut seen = observers.fork();
        for part in merged.seen {
            seen.absorb(part);
        }
        let log2 = self.partitions.log2;
        let (level, place) =
            self.folder
                .finish(depth, log2, merged.runs, merged.segments, &self.disk)?;
        let cost = LevelCost {
            depth: depth.into(),
            states: level.orbits(),
            seconds: clock.0.elapsed().as_secs_f64(),
            cpu_seconds: clock.1.elapsed().as_secs_f64(),
            generated: tally.generated.load(Relaxed),
            stayed: tally.stayed.load(Relaxed),
            removed_in_memory: tally.removed_in_memory.load(Relaxed),
            removed_at_merge: tally.removed_at_merge.load(Relaxed),
            bytes_read: self.disk.read() - before.0,
            bytes_written: self.disk.written() - before.1,
            bytes_stored: level.bytes(),
            partitions: self.partitions.count() as u64,
            peak_memory_bytes: machine::peak_memory_bytes(),
        };
        let sampled = self.compare_sample(&self.picked, &level)?;
        self.levels_spent.add_sample(sampled);
        self.picked = merged.picked;
        self.levels_spent.add_level(cost);
        self.window.push(level);
        self.settle(Entry {
            depth,
            seen: Record::without_antipodes(&seen),
            cost,
            goal: merged.goal.map(|key| format!("{:x}", key.to_u128())),
            place,
        })?;
        observers.absorb(seen);
        Ok(())
    }

    /// Makes the new level, the last of the window, count, and drops what nobody needs any
    /// more. The level before the window stays: without it, a last level that turns out
    /// damaged could not be found again.
    pub(super) fn settle(&mut self, entry: Entry) -> Result<(), Halt> {
        let last = entry.depth;
        let first = self.window.first().map_or(last, |level| level.depth);
        let mut levels = self.folder.levels.clone();
        levels.push(entry);
        self.folder
            .book(levels, first.max(last.saturating_sub(2)))?;
        for level in std::mem::take(&mut self.window) {
            if self.stays(level.depth, last) {
                self.window.push(level);
            } else if self.keeps(level.depth) {
                self.kept_for_paths.push(level);
            } else {
                self.folder.erase(level, &self.disk)?;
            }
        }
        Ok(())
    }

    /// Shows what no level holds as unsolvable. Everything is kept where this is asked for.
    pub(super) fn rest(&mut self, observers: &mut Observers<K>) -> Result<(), EngineError> {
        let Some(size) = self.search.graph.space(self.part)? else {
            return Ok(());
        };
        let partitions = self.partitions;
        let mut exchange = Spooled::new::<K>(
            self.folder.passing("exchange"),
            &self.disk,
            partitions.count(),
            1,
            self.memory,
        );
        let mut outgoing = exchange.outgoing(0)?;
        let (mut keys, mut owners) = (Vec::new(), Vec::new());
        for start in (0..size).step_by(BATCH) {
            let ranks: Vec<u64> = (start..size.min(start + BATCH as u64)).collect();
            self.search.graph.unrank(self.part, &ranks, &mut keys)?;
            partitions.of(self.search, &keys, &mut owners)?;
            for (&key, &owner) in keys.iter().zip(&owners) {
                exchange.send(&mut outgoing, owner as usize, key)?;
            }
        }
        exchange.close(outgoing)?;
        let mut bytes = Vec::new();
        for partition in 0..partitions.count() {
            keys.clear();
            exchange.collect(partition, &mut keys)?;
            keys.sort_unstable();
            keys.dedup();
            for level in self.kept_for_paths.iter().chain(&self.window) {
                // Levels that were not needed again lie in fewer partitions.
                let coarse = partition >> (partitions.log2 - level.partitions_log2);
                let run = level.read(coarse, &mut bytes, &self.disk)?;
                drop_known(&mut keys, segment::keys(&run, &bytes));
            }
            self.search
                .observe(self.part, &keys, puzzle_api::UNSOLVABLE, observers)?;
        }
        exchange.discard()?;
        Ok(())
    }
}
