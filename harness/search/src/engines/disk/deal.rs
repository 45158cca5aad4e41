//! Resumes with another number of processes: redistributes the levels that the earlier processes
//! kept, each partition to the process that now keeps it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use puzzle_api::Key;

use super::each_state;
use super::folder::{DiskLevel, Folder, LevelEntry, Work};
use super::peers::{joined, shared};
use super::segment::PackedRun;
use super::walk::Walk;
use crate::blocks::deal;
use crate::engines::network::{LEAST_LOG2, Network};
use crate::error::{EngineError, Result};
use crate::observers::{Observers, Record};
use crate::progress::note;
use crate::work::{PROCESS, begun, clear, processes};

/// The folder of one of several processes within the one that the user named.
pub(in crate::engines) fn process_folder(work: &Path, index: usize, count: usize) -> PathBuf {
    work.join(format!("{PROCESS}{index}-of-{count}"))
}

/// Folders of processes within the one that the user named, by number of processes, if they hold
/// finished levels and that number is not `count`.
pub(in crate::engines) fn others(work: &Path, count: usize) -> BTreeMap<usize, Vec<PathBuf>> {
    let mut found: BTreeMap<usize, Vec<PathBuf>> = BTreeMap::new();
    for (of, path) in process_folders(work) {
        if of != count && begun(&path) {
            found.entry(of).or_default().push(path);
        }
    }
    found
}

/// All folders of processes within the one that the user named, with the number of processes.
pub(in crate::engines) fn process_folders(work: &Path) -> impl Iterator<Item = (usize, PathBuf)> {
    let entries = std::fs::read_dir(work).into_iter().flatten().flatten();
    entries.filter_map(|entry| {
        let of = processes(&entry.file_name())?;
        Some((of, entry.path()))
    })
}

/// Removes the folders of all processes that are visible here from the one that the user named.
/// Removes that folder too if nothing else is in it.
pub fn clear_processes(work: &Path) {
    for (_, folder) in process_folders(work) {
        // Files that cannot be removed are left: the results are there.
        let _ = clear(&folder, true);
    }
    let _ = std::fs::remove_dir(work);
}

/// Removes the files of a finished search in a folder, and in those of its processes there.
///
/// # Errors
/// [`EngineError`] if a file of the folder itself cannot be removed.
pub fn clear_work(work: &Path) -> Result<()> {
    clear(work, true)?;
    clear_processes(work);
    Ok(())
}

/// Removes folders that all processes have taken over. The first process begins, then others that
/// see folders which it does not.
///
/// # Errors
/// A process that is gone.
pub(in crate::engines) fn clear_in_turn(peers: &Network, folders: &[PathBuf]) -> Result<()> {
    for turn in [true, false] {
        if turn == (peers.index() == 0) {
            for folder in folders {
                // Files that cannot be removed are left: they are of no use, and do no harm.
                let _ = clear(folder, true);
            }
        }
        shared(peers, &())?;
    }
    Ok(())
}

impl<K: Key> Walk<'_, K> {
    /// Takes over the levels that this process now keeps from those of another number of processes,
    /// if there are any. Returns the folders of those.
    pub(super) fn deal_anew(
        &mut self,
        peers: &Network,
        observers: &Observers<K>,
    ) -> Result<Vec<PathBuf>> {
        let work = self.options.work.parent().unwrap_or(Path::new("."));
        let found = others(work, peers.count());
        let whole = found.iter().find(|(of, paths)| paths.len() == **of);
        let chosen = whole.map_or(0, |(of, _)| *of);
        let agreed = shared(peers, &(chosen, found.len()))?;
        if agreed.iter().all(|(_, found)| *found == 0) {
            return Ok(Vec::new());
        }
        let Some((of, paths)) = whole.filter(|_| agreed.iter().all(|(of, _)| *of == chosen)) else {
            return Err(EngineError::foreign(
                work,
                "holds levels of another number of processes, and not of all of them; bring all of their folders into --work on every machine, or start as many processes as before".into(),
            ));
        };
        note(format_args!(
            "{}: dealing the levels of {of} processes out to {}",
            work.display(),
            peers.count()
        ));
        let folders = paths.iter().map(|path| self.folder.beside(path));
        let folders = folders.collect::<Result<Vec<_>, _>>()?;
        self.take_over(peers, &folders, observers)?;
        Ok(paths.clone())
    }

    fn take_over(
        &mut self,
        peers: &Network,
        folders: &[Folder],
        observers: &Observers<K>,
    ) -> Result<()> {
        let finished = folders.iter().map(|folder| folder.levels.len()).min();
        let Some(last) = finished.unwrap_or(0).checked_sub(1) else {
            return Ok(());
        };
        let last = last as u16;
        self.deal_by_size(peers, folders, last)?;
        let mut levels = Vec::new();
        for depth in 0..=last {
            let mut entry = joined_entry(peers, folders, depth, observers)?;
            let wanted = self.stays(depth, last) || self.keeps(depth);
            let there = folders.iter().all(|folder| folder.has_files(depth));
            if wanted && there {
                let from: Result<Vec<DiskLevel>, _> = folders
                    .iter()
                    .map(|folder| folder.sound_level(depth))
                    .collect();
                let level = self.gather(peers, depth, &from?)?;
                if depth + 1 >= last {
                    // For these, sums are compared with the states themselves.
                    let mut seen = observers.fork();
                    let partitions = 0..level.runs.len();
                    each_state(&level, partitions, &mut |keys: &[K]| {
                        Ok(self.search.observe(self.part, keys, depth, &mut seen)?)
                    })?;
                    entry.seen = Record::without_antipodes(&seen);
                }
                self.folder.disk.free(level.on_disk());
                entry.place = level.place;
            } else if depth + 1 >= last {
                let what = format!("level {depth} is not there");
                return Err(EngineError::damaged(self.folder.path(), what));
            }
            levels.push(entry);
        }
        self.folder.record(levels, 0, true)
    }

    /// Deals the pieces out by the number of states of a level in each, so that no process has much
    /// more to do than another. The following levels are similar.
    fn deal_by_size(&mut self, peers: &Network, folders: &[Folder], depth: u16) -> Result<()> {
        let mut sizes = vec![0_u128; 1 << LEAST_LOG2];
        for folder in folders {
            let level = folder.level(depth)?;
            for (partition, run) in level.runs.iter().enumerate() {
                sizes[(partition << LEAST_LOG2) >> level.place.partitions_log2] +=
                    u128::from(run.states);
            }
        }
        // A piece that is small or empty now may still grow.
        let least = sizes.iter().sum::<u128>() / (8 * sizes.len() as u128) + 1;
        sizes.iter_mut().for_each(|size| *size += least);
        let owners = deal(&sizes, peers.count()).into_iter();
        let owners: Vec<u16> = owners.map(|owner| owner as u16).collect();
        self.folder.owners = Some(owners.clone());
        peers.deal(owners);
        Ok(())
    }

    /// The partitions of a level that this process keeps, read from their earlier owners.
    fn gather(&self, peers: &Network, depth: u16, from: &[DiskLevel]) -> Result<DiskLevel> {
        let log2 = from.first().map_or(0, |level| level.place.partitions_log2);
        let mixed = || {
            let what = "the folders of its processes are not of one run";
            EngineError::foreign(self.folder.path(), what.into())
        };
        if from.iter().any(|level| level.place.partitions_log2 != log2) {
            return Err(mixed());
        }
        let segment = self.folder.segment(depth, log2);
        let mut runs = vec![PackedRun::default(); 1 << log2];
        let mut bytes = Vec::new();
        for (partition, mine) in runs.iter_mut().enumerate() {
            if peers.owner(partition, log2) != peers.index() {
                continue;
            }
            for level in from {
                let run = level.read(partition, &mut bytes)?;
                if run.states == 0 {
                    continue;
                }
                if mine.states > 0 {
                    return Err(mixed());
                }
                let packed = &bytes[..run.bytes as usize];
                *mine = segment.append_packed(packed, run.states, run.check)?;
            }
        }
        let made = self.folder.finish(depth, log2, runs, segment)?;
        self.folder.secure(&made)?;
        Ok(made)
    }
}

/// Joins the records of some processes on a level, each record read by one of those that take over.
fn joined_entry<K: Key>(
    peers: &Network,
    folders: &[Folder],
    depth: u16,
    observers: &Observers<K>,
) -> Result<LevelEntry> {
    let at = usize::from(depth);
    let own = folders.iter().skip(peers.index()).step_by(peers.count());
    let mut seen = observers.fork();
    let mut costs = Vec::new();
    for folder in own {
        let entry = &folder.levels[at];
        entry.seen.replay(&mut seen).ok_or_else(|| {
            let what = format!("level {depth} is stored in an unknown form");
            EngineError::damaged(folder.path(), what)
        })?;
        costs.push(entry.cost);
    }
    let any = &folders[0].levels[at];
    Ok(LevelEntry {
        depth,
        seen: Record::without_antipodes(&seen),
        cost: joined(depth, &costs),
        sampled: any.sampled.clone(),
        goal: any.goal.clone(),
        place: any.place.clone(),
    })
}

impl Folder {
    /// The folder of another process of the same run, to read from.
    fn beside(&self, path: &Path) -> Result<Self> {
        let (folder, pieces) = self.work().folder().beside(path)?;
        let work = Work::read(Arc::new(folder), &pieces);
        Ok(Self::of(
            Arc::new(work),
            self.part(),
            false,
            (u64::MAX, false),
        ))
    }
}
