//! Resumes from a work folder: finds the sound levels, and those from which a search can resume.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::atomic::AtomicBool;

use puzzle_api::Key;

use super::deal::clear_in_turn;
use super::each_state;
use super::folder::DiskLevel;
use super::peers::shared;
use super::sample::PICKED;
use super::step::{Halt, Turns, on_workers};
use super::walk::Walk;
use crate::engines::network::{LEAST_LOG2, Network};
use crate::error::{EngineError, Result};
use crate::observers::Observers;
use crate::picking::Picking;
use crate::progress::note;

impl<K: Key> Walk<'_, K> {
    /// Resumes after the last sound finished level, with the levels that it needs; returns false if
    /// there is none.
    pub(super) fn take_up(&mut self, observers: &mut Observers<K>) -> Result<bool> {
        let Some(found) = self.found(observers)? else {
            return Ok(false);
        };
        if let Some(most) = self.search.max_depth.filter(|&most| most < found) {
            return Err(EngineError::foreign(
                self.folder.path(),
                format!(
                    "holds levels up to {found}, more than --max-depth {most}: give {found} or more, or another --work"
                ),
            ));
        }
        let Some(last) = self.agreed_last(found)? else {
            note(format_args!(
                "{}: no level there can be resumed; starting from the beginning",
                self.folder.path().display()
            ));
            return Ok(false);
        };
        if last < found {
            let levels = self.folder.levels[..=usize::from(last)].to_vec();
            self.folder.record(levels, last, true)?;
            note(format_args!(
                "{}: continuing from level {last}",
                self.folder.path().display()
            ));
        }
        self.open_kept(last)?;
        self.agree_on_levels()?;
        let kept = self.window.iter().chain(&self.kept_for_paths);
        self.folder.sweep(kept)?;
        for level in self.window.iter().chain(&self.kept_for_paths) {
            self.folder.disk.keep(level.on_disk());
        }
        self.partitions.log2 = self
            .window
            .last()
            .map_or(0, |level| level.place.partitions_log2);
        for entry in &self.folder.levels {
            self.levels_spent.add_level(entry.cost);
            self.levels_spent.add_sample(entry.sampled.clone());
            if entry.depth < last {
                self.levels_spent.expanded += entry.cost.states;
                self.levels_spent.earlier += entry.cost.states;
            }
        }
        self.show_again(last, observers)?;
        Ok(true)
    }

    /// The last level that is recorded here. `None` if one of the processes that share the search
    /// has none, even once the levels of as many others were redistributed.
    fn found(&mut self, observers: &Observers<K>) -> Result<Option<u16>> {
        let last = |levels: usize| levels.checked_sub(1).map(|last| last as u16);
        let Some(peers) = self.peers else {
            return Ok(last(self.folder.levels.len()));
        };
        let begun = |walk: &Self| !walk.folder.levels.is_empty();
        let all = |begun: bool| shared(peers, &begun).map(|all| all.into_iter().all(|one| one));
        if !all(begun(self))? {
            let old = self.deal_anew(peers, observers)?;
            if !all(begun(self))? {
                return Ok(None);
            }
            clear_in_turn(peers, &old)?;
        } else {
            self.dealt_before(peers)?;
        }
        Ok(last(self.folder.levels.len()))
    }

    /// Uses the earlier assignment, which all processes recorded alike.
    fn dealt_before(&self, peers: &Network) -> Result<()> {
        let owners = self.folder.owners.clone();
        let pieces = 1 << LEAST_LOG2;
        let sound = owners.as_ref().is_none_or(|owners| {
            let known = |owner: &u16| usize::from(*owner) < peers.count();
            owners.len() == pieces && owners.iter().all(known)
        });
        let all = shared(peers, &owners)?;
        if !sound || all.iter().any(|other| *other != owners) {
            return Err(self.not_of_one_run());
        }
        if let Some(owners) = owners {
            peers.deal(owners);
        }
        Ok(())
    }

    fn not_of_one_run(&self) -> EngineError {
        EngineError::foreign(
            self.folder.path(),
            "its levels and those of the other processes are not of one run; delete them, or give another --work".into(),
        )
    }

    /// The last level that is sound on all processes, with the levels that it needs.
    fn agreed_last(&mut self, found: u16) -> Result<Option<u16>> {
        let mut most = found;
        loop {
            let last = self.last_sound(most)?;
            let all = self.all_of(last)?;
            match all.iter().copied().min().flatten() {
                None => return Ok(None),
                Some(least) if all.iter().all(|last| *last == Some(least)) => return Ok(last),
                Some(least) => most = least.min(most),
            }
        }
    }

    /// Checks that all processes agree on the number of partitions, the levels kept for paths, and
    /// the number of keys in the current level.
    fn agree_on_levels(&mut self) -> Result<()> {
        let last = self.window.last();
        self.orbits = last.map_or(0, DiskLevel::orbits);
        let log2 = last.map_or(0, |level| level.place.partitions_log2);
        let depths = |levels: &[DiskLevel]| levels.iter().map(|level| level.depth).collect();
        let kept: Vec<u16> = depths(&self.kept_for_paths);
        let open: Vec<u16> = depths(&self.window);
        let all = self.all_of((self.orbits, log2, kept, open))?;
        if all.iter().any(|(_, other, ..)| *other != log2) {
            return Err(self.not_of_one_run());
        }
        self.orbits = all.iter().map(|(orbits, ..)| orbits).sum();
        self.kept_for_paths.retain(|level| {
            all.iter()
                .all(|(_, _, kept, _)| kept.contains(&level.depth))
        });
        self.window
            .retain(|level| all.iter().all(|(.., open)| open.contains(&level.depth)));
        Ok(())
    }

    /// Opens the last sound levels that the next one needs, or that replace the last one if it is
    /// lost. Returns the depth of the last one.
    fn last_sound(&mut self, found: u16) -> Result<Option<u16>> {
        let mut opened: BTreeMap<u16, Option<DiskLevel>> = BTreeMap::new();
        for last in (0..=found).rev() {
            let log2 = self.folder.levels[usize::from(last)].place.partitions_log2;
            let mut sound = true;
            let needed = (0..=last)
                .rev()
                .take_while(|&depth| self.rests_on(depth, last));
            for depth in needed.collect::<Vec<u16>>() {
                if let Entry::Vacant(place) = opened.entry(depth) {
                    let wanted = self.keeps(depth) || self.in_window(depth, found);
                    let level = match wanted || self.folder.has_files(depth) {
                        true => self.or_note(self.folder.sound_level(depth))?,
                        // Dropped, as intended.
                        false => None,
                    };
                    place.insert(level);
                }
                // The next level is compared partition by partition: a file left behind when
                // partitions were split is useless for that.
                sound &= opened[&depth].as_ref().is_some_and(|level| {
                    level.place.partitions_log2 == log2 || !self.in_window(depth, last)
                });
            }
            if sound {
                let besides = (0..last).rev().take_while(|&depth| self.stays(depth, last));
                for depth in besides.collect::<Vec<u16>>() {
                    if !opened.contains_key(&depth) && self.folder.has_files(depth) {
                        let level = self.or_note(self.folder.sound_level(depth))?;
                        opened.insert(depth, level);
                    }
                }
                self.window = opened
                    .into_iter()
                    .filter(|(depth, _)| *depth <= last && self.stays(*depth, last))
                    .filter_map(|(_, level)| level)
                    .filter(|level| level.place.partitions_log2 == log2)
                    .collect();
                return Ok(Some(last));
            }
        }
        Ok(None)
    }

    /// Whether a search that resumes after `last` needs a level.
    fn rests_on(&self, depth: u16, last: u16) -> bool {
        // An empty last level shows nothing about the deepest states.
        let empty = self.folder.levels[usize::from(last)].sum().orbits == 0;
        self.in_window(depth, last) || self.search.may_cover_space() || (empty && depth + 1 == last)
    }

    /// Opens the levels kept for paths, as far as they are sound: a path can do without them.
    fn open_kept(&mut self, last: u16) -> Result<()> {
        for depth in 0..last {
            let here = self.window.iter().any(|level| level.depth == depth);
            if here || !self.keeps(depth) || !self.folder.has_files(depth) {
                continue;
            }
            if let Some(level) = self.or_note(self.folder.level(depth))? {
                self.kept_for_paths.push(level);
            }
        }
        Ok(())
    }

    /// A level, or a note that it is damaged.
    pub(super) fn or_note(&mut self, level: Result<DiskLevel>) -> Result<Option<DiskLevel>> {
        match level {
            Ok(level) => Ok(Some(level)),
            Err(EngineError::Damaged { path, what, .. }) => {
                if self.told.insert(path.clone()) {
                    note(format_args!(
                        "{}: damaged ({what}); continuing without it",
                        path.display()
                    ));
                }
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// The states that all processes picked from the current level. A process that keeps none of it
    /// picked from another.
    fn picked_by_all(&self, mine: Picking<K>, of_last: bool) -> Result<Vec<K>> {
        let mine = match of_last {
            true => mine.states(),
            false => Vec::new(),
        };
        let all = self.all_keys(mine)?.concat();
        Ok(Picking::of(PICKED, &all).states())
    }

    /// Shows the findings of earlier runs to the observers. The deepest states have no file of
    /// their own, so their level is read again; if that is stopped, it is not shown.
    fn show_again(&mut self, last: u16, observers: &mut Observers<K>) -> Result<()> {
        let sum = |depth: u16| self.folder.levels[usize::from(depth)].sum();
        let deepest = match last.checked_sub(1) {
            Some(before) if sum(last).orbits == 0 => before,
            _ => last,
        };
        for entry in self
            .folder
            .levels
            .iter()
            .filter(|entry| entry.depth < deepest)
        {
            let unreadable = || {
                let what = format!("level {} is stored in an unknown form", entry.depth);
                EngineError::damaged(self.folder.path(), what)
            };
            entry.seen.replay(observers).ok_or_else(unreadable)?;
        }
        let Some(level) = self.window.iter().find(|level| level.depth == deepest) else {
            let what = format!("level {deepest} is not there");
            return Err(EngineError::damaged(self.folder.path(), what));
        };
        let turns = Turns::new(level.runs.iter().map(|run| run.states));
        // Processes that share a search report the level once it is shown.
        let stopping = || self.peers.is_none() && self.progress.stopping();
        let picking = Picking::new(PICKED);
        let shown = on_workers(self.workers, &AtomicBool::new(false), |_| {
            let mut seen = observers.fork();
            let partitions = std::iter::from_fn(|| turns.next().filter(|_| !stopping()));
            each_state(level, partitions, &mut |keys: &[K]| {
                picking.see(keys);
                Ok(self.search.observe(self.part, keys, deepest, &mut seen)?)
            })?;
            match stopping() {
                true => Err(Halt::Stopped),
                false => Ok(seen),
            }
        });
        let shown = match shown {
            Ok(shown) => shown,
            Err(Halt::Failed(error)) => return Err(error),
            Err(Halt::Stopped) => {
                self.is_shown = false;
                return Ok(());
            }
        };
        let mut seen = observers.fork();
        shown.into_iter().for_each(|some| seen.absorb(some));
        self.picked = self.picked_by_all(picking, deepest == last)?;
        if seen.levels.level(deepest) != sum(deepest) {
            let what = format!("level {deepest} is not the one that was found: its digest differs");
            return Err(EngineError::damaged(self.folder.path(), what));
        }
        observers.absorb(seen);
        Ok(())
    }
}
