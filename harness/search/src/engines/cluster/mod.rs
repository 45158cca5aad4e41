//! Engine `cluster`: the search of engine `disk`, shared by processes on several machines. A
//! process keeps some of the partitions, on its own disk; candidates that belong to another
//! travel there by timely dataflow ([`dataflow`]), no faster than they are written down.
//!
//! All processes run the same command and take part in the same steps. A level is finished once
//! it is on all disks, so that after a failure all go on from the last level that all have, with
//! as many processes as before or with others.

mod alone;
mod dataflow;
mod hosts;
mod meet;
mod post;
mod row;
mod wire;

use std::any::Any;
use std::path::Path;
use std::sync::Arc;

use antipode_reports::cost::LevelCost;
use puzzle_api::Key;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::engines::disk::deal::others;
use crate::engines::disk::open::open_work;
use crate::engines::disk::peers::{Peers, joined, shared};
use crate::engines::disk::walk::Walk;
use crate::engines::disk::{Work, needs_folder};
use crate::error::EngineError;
use crate::machine;
use crate::means::DiskOptions;
use crate::observers::{Collected, Distance, Observers, Record};
use crate::outcome::{Outcome, Proof, Spent, StopReason, Walked};
use crate::progress::{Progress, note};
use crate::question::Goal;
use crate::search::Search;
use crate::work::clear;
use alone::Alone;
use hosts::{Crew, only_here};
pub use hosts::{LISTENER, STARTED, Started};
use meet::meet;
use post::Post;
pub use row::Row;

/// Walks one part with all processes; each comes to the same.
fn walk<K: Key>(
    search: &Search<K>,
    part: u64,
    crew: Option<&Crew>,
    observers: &mut Observers<K>,
    progress: &Progress,
) -> Result<Walked<K>, EngineError> {
    let asked = Asked {
        search,
        part,
        goal: None,
    };
    together(&asked, crew, progress, observers, |run, observers| {
        let outcome = run.levels(observers)?;
        if outcome.is_answer() && !run.limited(observers) && search.covers_space() {
            run.rest(observers)?;
        }
        Ok(outcome)
    })
}

/// Finds a shortest path from the search's root to a goal, with all processes.
fn reach<K: Key>(
    search: &Search<K>,
    goal: &Goal<K>,
    crew: Option<&Crew>,
    observers: &mut Observers<K>,
    progress: &Progress,
) -> Result<Walked<K>, EngineError> {
    let asked = Asked {
        search,
        part: search.parts()?.first().copied().unwrap_or(0),
        goal: Some(goal),
    };
    let mut walked = together(&asked, crew, progress, observers, |run, observers| {
        Ok(match (run.levels(observers)?, run.met()) {
            (Outcome::Levels, Some(state)) => Outcome::shortest(run.path_to(state)?),
            (Outcome::Levels, None) if run.limited(observers) => {
                Outcome::NotReached(StopReason::Depth(run.depth()))
            }
            (Outcome::Levels, None) => Outcome::Unreachable(Proof::Exhausted {
                direction: search.direction,
                states: 0,
                levels: Some(run.depth().into()),
            }),
            (ended, _) => ended,
        })
    })?;
    if let Outcome::Unreachable(Proof::Exhausted { states, .. }) = &mut walked.outcome {
        *states = observers.levels.total_states();
    }
    Ok(walked)
}

/// What is searched.
struct Asked<'a, K> {
    search: &'a Search<K>,
    part: u64,
    goal: Option<&'a Goal<K>>,
}

/// Meets the others, does the work and puts together what all have seen.
fn together<K: Key>(
    asked: &Asked<'_, K>,
    crew: Option<&Crew>,
    progress: &Progress,
    observers: &mut Observers<K>,
    work: impl FnOnce(&mut Walk<'_, K>, &mut Observers<K>) -> Result<Outcome<K>, EngineError>,
) -> Result<Walked<K>, EngineError> {
    let mut search = asked.search.clone();
    if search.work.is_none() {
        search.work = Some(Arc::new(open_work(&search, asked.goal)?));
    }
    let options = search.disk.as_ref().ok_or_else(needs_folder)?;
    refuse_others(options, crew)?;
    let post = match crew {
        Some(crew) if crew.addresses.len() > 1 => Some(open(&search, options, crew, progress)?),
        _ => None,
    };
    let alone = Alone::default();
    let peers: &dyn Peers = match &post {
        Some(post) => post,
        None => &alone,
    };
    let done = || {
        let mut run = Walk::open(
            &search,
            asked.part,
            options,
            asked.goal,
            Some(peers),
            observers,
            progress,
        )?;
        let outcome = work(&mut run, observers)?;
        let mut spent = run.spent();
        let sent = post.as_ref().map_or(0, Post::sent);
        put_together(peers, sent, observers, &mut spent)?;
        Ok(Walked { outcome, spent })
    };
    let walked: Result<Walked<K>, EngineError> = done();
    match (&walked, post) {
        (_, None) => {}
        (Ok(_), Some(post)) => post.close(),
        (Err(EngineError::Peer(why)), Some(post)) => post.fail(why),
        (Err(error), Some(post)) => post.fail(&error.to_string()),
    }
    walked
}

/// Meets the others.
fn open<K: Key>(
    search: &Search<K>,
    options: &DiskOptions,
    crew: &Crew,
    progress: &Progress,
) -> Result<Post, EngineError> {
    if !only_here(&crew.addresses) && crew.index == 0 {
        note(
            "what processes send each other is authenticated at the start and not encrypted: use a private network, or a tunnel",
        );
    }
    let identity = work_of(search)?.folder().identity().clone();
    let description = json!({
        "version": env!("CARGO_PKG_VERSION"),
        "program": machine::program(),
        "number_of_processes": crew.addresses.len(),
        "greatest_level": search.max_depth,
        "keep_every": options.keep_every,
        "states_of_a_partition": options.partition_states,
        "resume": options.resume,
        "search": identity,
    });
    let listener = crew.listen()?;
    let sockets = meet(crew, listener, description, &|| progress.stopping())?;
    Post::open(crew.index, sockets, crew.addresses.clone(), crew.silence)
}

fn work_of<K: Key>(search: &Search<K>) -> Result<Arc<Work>, EngineError> {
    let files = search.work.clone().ok_or_else(needs_folder)?;
    Arc::<dyn Any + Send + Sync>::downcast(files as _).map_err(|_| needs_folder())
}

/// Levels that another number of processes left are gone on with, or not begun beside.
fn refuse_others(options: &DiskOptions, crew: Option<&Crew>) -> Result<(), EngineError> {
    let work = options.work.parent().unwrap_or(Path::new("."));
    let count = crew.map_or(1, |crew| crew.addresses.len());
    let found = others(work, count);
    let Some(of) = found.keys().next().filter(|_| !options.resume) else {
        return Ok(());
    };
    Err(EngineError::foreign(
        work,
        format!(
            "holds levels of a run of {of} processes; add --resume to go on with them, or delete the folder"
        ),
    ))
}

/// Removes the folders of all processes within the one that the user named, and that where
/// nothing else is in it: what a finished search needs no longer.
pub fn clear_all(work: &Path) {
    for folder in others(work, 0).into_values().flatten() {
        // What cannot be removed is left: the results are there.
        let _ = clear(&folder, true);
    }
    let _ = std::fs::remove_dir(work);
}

/// What a process tells the others at the end.
#[derive(Serialize, Deserialize)]
struct Told {
    seen: Record,
    levels: Vec<LevelCost>,
    expanded: u64,
    sent: u64,
    /// Every state, where that was asked for and there are not too many: key, distance, size
    /// of the orbit.
    states: Option<Vec<(String, u16, u32)>>,
}

/// Puts together what all have seen and what it took them: the same on all processes.
fn put_together<K: Key>(
    peers: &dyn Peers,
    sent: u64,
    observers: &mut Observers<K>,
    spent: &mut Spent,
) -> Result<(), EngineError> {
    let most = match &observers.collected {
        Collected::On(_, most) => Some(*most),
        Collected::Off | Collected::TooMany => None,
    };
    let many = matches!(observers.collected, Collected::TooMany);
    let states = observers.collected.take().filter(|_| !many);
    let told = Told {
        seen: Record::of(observers),
        levels: std::mem::take(&mut spent.levels),
        expanded: spent.expanded,
        sent,
        states: states.map(|states| states.iter().map(written).collect()),
    };
    let all = shared(peers, &told)?;
    let unreadable = || EngineError::CannotHold("what another process saw cannot be read".into());
    let mut seen = observers.fork();
    let mut whole = Some(Vec::new());
    for told in &all {
        told.seen.replay(&mut seen).ok_or_else(unreadable)?;
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
    let depths = all.iter().map(|told| told.levels.len()).max().unwrap_or(0);
    *spent = Spent {
        expanded: all.iter().map(|told| told.expanded).sum(),
        sampled: spent.sampled.take(),
        sent: Some(all.iter().map(|told| told.sent).sum()),
        ..Spent::default()
    };
    for at in 0..depths {
        let costs: Vec<LevelCost> = all
            .iter()
            .filter_map(|t| t.levels.get(at).copied())
            .collect();
        spent.add_level(joined(at as u16, &costs));
    }
    Ok(())
}

fn written<K: Key>(state: &Distance<K>) -> (String, u16, u32) {
    let key = format!("{:x}", state.key.to_u128());
    (key, state.depth, state.orbit_size)
}

fn read<K: Key>((key, depth, orbit_size): &(String, u16, u32)) -> Option<Distance<K>> {
    let number = u128::from_str_radix(key, 16).ok()?;
    Some(Distance {
        key: K::from_words(&[number as u64, (number >> 64) as u64]),
        depth: *depth,
        orbit_size: *orbit_size,
    })
}
