//! Instances in parts: nothing travels between parts, so each process walks its share of them as
//! engine `disk` does. At the end, all exchange their results.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use antipode_reports::cost::LevelCost;
use puzzle_api::Key;
use serde::{Deserialize, Serialize};

use super::meet::Crew;
use super::{leave, met};
use crate::blocks::{FinishedBlock, Journal, Shard};
use crate::digest::{key_from_text, key_text};
use crate::engines::disk::deal::{clear_in_turn, others};
use crate::engines::disk::needs_folder;
use crate::engines::disk::peers::{joined, shared};
use crate::engines::network::Network;
use crate::engines::run::{Distributed, EngineRun};
use crate::error::{EngineError, Result};
use crate::observers::{Collected, Distance, Observers, Record};
use crate::outcome::{Outcome, Spent, StopReason};
use crate::progress::Progress;
use crate::search::Search;

/// The parts of a search, distributed by size over processes that have met, as shards are.
pub(super) struct Parts {
    network: Network,
    /// The blocks of this process.
    blocks: BTreeSet<u64>,
    /// The folder that the user named, if it may hold the finished work of other processes.
    resumed: Option<PathBuf>,
}

impl Parts {
    /// Meets the others; `None` if the search has one part, which they share.
    pub(super) fn of<K: Key>(
        search: &Search<K>,
        crew: Option<&Crew>,
        progress: &Progress,
    ) -> Result<Option<Self>> {
        if !in_parts(search)? {
            return Ok(None);
        }
        let options = search.disk.as_ref().ok_or_else(needs_folder)?;
        let (index, count) = crew.map_or((0, 1), |crew| (crew.index, crew.addresses.len()));
        let work = options.work.parent().unwrap_or(Path::new("."));
        Ok(Some(Self {
            blocks: Shard::of_process(index, count, search)?,
            resumed: options.resume.then(|| work.to_owned()),
            network: met(search, crew, progress, Some(progress.stop().clone()))?,
        }))
    }
}

/// Whether a search walks several parts.
pub(super) fn in_parts<K: Key>(search: &Search<K>) -> Result<bool> {
    Ok(search.parts()?.len() > 1)
}

impl Parts {
    /// Joins the findings of all processes.
    fn put_together<K: Key>(
        &self,
        fresh: &Observers<K>,
        run: EngineRun<K>,
    ) -> Result<EngineRun<K>> {
        let peers = &self.network;
        let stopped = match run.outcome {
            Outcome::NotReached(reason) => Some(reason),
            _ => None,
        };
        if stopped.is_some() {
            peers.halt();
        }
        let (mut observers, mut spent) = (run.observers, run.spent);
        put_together(peers, fresh, &mut observers, &mut spent)?;
        let (mut parts_done, mut outcome) = (0, Outcome::Levels);
        for (parts, stopped) in shared(peers, &(run.parts_done, stopped))? {
            parts_done += parts;
            outcome = match (outcome, stopped) {
                // A limit says more than a request, which may result from it.
                (Outcome::Levels | Outcome::NotReached(StopReason::Requested), Some(reason)) => {
                    Outcome::NotReached(reason)
                }
                (outcome, _) => outcome,
            };
        }
        Ok(EngineRun {
            observers,
            parts_done,
            parts_total: run.parts_total,
            outcome,
            spent,
        })
    }
}

impl<K: Key> Distributed<K> for Parts {
    fn wants(&self, block: u64) -> bool {
        self.blocks.contains(&block)
    }

    fn finished(&self, journal: &Journal) -> Result<Vec<FinishedBlock>> {
        let Some(work) = &self.resumed else {
            return Ok(Vec::new());
        };
        let peers = &self.network;
        let old: Vec<PathBuf> = others(work, peers.count())
            .into_values()
            .flatten()
            .collect();
        let mut more: Vec<FinishedBlock> = Vec::new();
        for path in &old {
            let (folder, pieces) = journal.folder.beside(path)?;
            for block in Journal::new(Arc::new(folder), &pieces).finished {
                let known = journal.finished.contains(&block) || more.contains(&block);
                if self.blocks.contains(&block.number()) && !known {
                    journal.append(&block)?;
                    more.push(block);
                }
            }
        }
        shared(peers, &())?;
        clear_in_turn(peers, &old)?;
        Ok(more)
    }

    fn join(
        self: Box<Self>,
        fresh: &Observers<K>,
        ran: Result<EngineRun<K>>,
    ) -> Result<EngineRun<K>> {
        let joined = ran.and_then(|run| self.put_together(fresh, run));
        leave(self.network, &joined);
        joined
    }
}

// The reports of processes to each other at the end, joined: the same on all of them.

/// A process's report to the others.
#[derive(Serialize, Deserialize)]
struct Told {
    seen: Record,
    spent: Spent,
    /// Every state, if requested and not too many: key, distance, size of the orbit.
    states: Option<Vec<(String, u16, u32)>>,
}

fn unreadable() -> EngineError {
    EngineError::CannotHold("what another process saw cannot be read".into())
}

/// Joins the findings and costs of all processes, into observers like `fresh`.
///
/// # Errors
/// A process that is gone.
pub(super) fn put_together<K: Key>(
    peers: &Network,
    fresh: &Observers<K>,
    observers: &mut Observers<K>,
    spent: &mut Spent,
) -> Result<()> {
    let most = match &observers.collected {
        Collected::On(_, most) => Some(*most),
        Collected::Off | Collected::TooMany => None,
    };
    let many = matches!(observers.collected, Collected::TooMany);
    let states = observers.collected.take().filter(|_| !many);
    let mut own = std::mem::take(spent);
    own.sent = Some(peers.sent());
    let told = Told {
        seen: Record::of(observers),
        spent: own,
        states: states.map(|states| states.iter().map(written).collect()),
    };
    let all = shared(peers, &told)?;
    let mut seen = fresh.fork();
    let mut whole = Some(Vec::new());
    for told in all {
        told.seen.replay(&mut seen).ok_or_else(unreadable)?;
        spent.absorb(told.spent);
        let more = told.states.as_ref().map(|states| states.iter().map(read));
        whole = match (whole, more) {
            (Some(mut whole), Some(more)) => {
                for state in more {
                    whole.push(state.ok_or_else(unreadable)?);
                }
                Some(whole)
            }
            _ => None,
        };
    }
    seen.collected = match (most.or(many.then_some(0)), whole) {
        (None, _) => Collected::Off,
        (Some(most), Some(whole)) if whole.len() <= most => Collected::On(whole, most),
        (Some(_), _) => Collected::TooMany,
    };
    *observers = seen;
    spent.levels = by_level(std::mem::take(&mut spent.levels));
    Ok(())
}

/// The cost of each level, over all processes that had a share in it.
fn by_level(mut costs: Vec<LevelCost>) -> Vec<LevelCost> {
    costs.sort_by_key(|cost| cost.depth);
    let levels = costs.chunk_by(|one, other| one.depth == other.depth);
    levels
        .map(|level| joined(level[0].depth as u16, level))
        .collect()
}

fn written<K: Key>(state: &Distance<K>) -> (String, u16, u32) {
    (key_text(state.key), state.depth, state.orbit_size)
}

fn read<K: Key>((key, depth, orbit_size): &(String, u16, u32)) -> Option<Distance<K>> {
    Some(Distance {
        key: key_from_text(key)?,
        depth: *depth,
        orbit_size: *orbit_size,
    })
}
