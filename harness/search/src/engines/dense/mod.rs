//! Engine `dense`: one byte, two bits or one bit a rank. Symmetry is not used in the
//! search, only in counting.
//!
//! Where the levels are small, the one being expanded is a sorted list of ranks; where
//! they are large, it is found by scanning the table. Rising ranks are close to each other
//! as boards, and so are their neighbours' words in the table.

mod frame;
mod plan;
mod row;
mod step;
mod table;

use puzzle_api::{Key, UNSOLVABLE};
use rayon::prelude::*;

use super::Neighbours;
use crate::error::EngineError;
use crate::means::{FrontierForm, Representation};
use crate::observers::Observers;
use crate::outcome::{Counters, Outcome, Spent, StopReason, Walked};
use crate::progress::Progress;
use crate::search::Search;
use frame::Frame;
pub use plan::{Options, Plan};
pub use row::Row;
use step::{Ground, Level, Source, Worker};
use table::{Bit, Byte, Form, Table, TwoBits, Wanted};

pub(super) fn walk<K: Key>(
    search: &Search<K>,
    part: u64,
    observers: &mut Observers<K>,
    progress: &Progress,
) -> Result<Walked<K>, EngineError> {
    let threads = rayon::current_num_threads();
    let plan = match search.held.get() {
        Some(&plan) => plan,
        None => Plan::make(search, &[part], Options::default(), threads)?,
    };
    let mut workers: Vec<Worker<K>> = (0..threads).map(|_| Worker::new(observers)).collect();
    let on = (part, &mut *workers);
    match plan.representation {
        Representation::Byte => Walk::<K, Byte>::new(search, on, plan, progress)?.run(observers),
        Representation::TwoBits => {
            Walk::<K, TwoBits>::new(search, on, plan, progress)?.run(observers)
        }
        Representation::Bit => Walk::<K, Bit>::new(search, on, plan, progress)?.run(observers),
    }
}

/// The level about to be expanded.
enum Frontier {
    /// Its ranks, rising.
    List(Vec<u64>),
    /// It is found by scan.
    Full,
}

struct Walk<'a, K, F> {
    ground: Ground<'a, K, F>,
    workers: &'a mut [Worker<K>],
    roots: Vec<K>,
    always_full: bool,
    /// Moves out of each level.
    moves: Vec<u64>,
    budget: Option<u64>,
}

impl<'a, K: Key, F: Form> Walk<'a, K, F> {
    fn new(
        search: &'a Search<K>,
        (part, workers): (u64, &'a mut [Worker<K>]),
        plan: Plan,
        progress: &'a Progress,
    ) -> Result<Self, EngineError> {
        let name = search.graph.opened.full_name();
        let mut roots = search.root_keys(part)?;
        let frame = Frame::of(search, &mut roots)?;
        let size = search.graph.space(part)?.ok_or_else(|| {
            EngineError::CannotHold(format!(
                "{name}: no numbering, so no dense table; use --engine hash"
            ))
        })?;
        let second = plan.full && F::REPRESENTATION != Representation::Byte;
        let table = Table::new(size, second).map_err(|error| {
            EngineError::Memory(format!(
                "{name}: the system does not give the memory for {size} ranks ({error}); use --engine hash"
            ))
        })?;
        Ok(Self {
            ground: Ground {
                search,
                part,
                size,
                frame,
                table,
                neighbours: Neighbours::of(search, part)?,
                progress,
                counters: Counters::default(),
                longest_list: plan.longest_list,
            },
            workers,
            roots,
            always_full: plan.form == FrontierForm::Scan,
            moves: Vec::new(),
            budget: plan.budget,
        })
    }

    fn run(mut self, observers: &mut Observers<K>) -> Result<Walked<K>, EngineError> {
        let (mut frontier, mut size) = self.enter_roots()?;
        let mut depth = 0;
        while size > 0 {
            let last = self.ground.search.max_depth == Some(depth);
            if depth == F::DEEPEST && !last {
                return Err(self.too_deep());
            }
            let level = self.level(&frontier, depth, (!last).then_some(depth + 1), observers)?;
            if level.outgrown {
                // The level itself is whole: it is shown, and no more.
                let shown = self.level(&frontier, depth, None, observers)?;
                return Ok(match (shown.stopped, self.budget) {
                    (false, Some(allowed)) => self.stopped(StopReason::memory(allowed)),
                    _ => self.stopped(StopReason::Requested),
                });
            }
            if level.stopped {
                return Ok(self.stopped(StopReason::Requested));
            }
            let progress = self.ground.progress;
            progress.level(depth, level.states);
            self.moves.push(level.moves);
            if last {
                break;
            }
            size = level.found;
            frontier = self.next(frontier, depth, &level);
            depth += 1;
        }
        if self.ground.search.covers_space() {
            let rest = (Source::Scan(Wanted::Unreached), UNSOLVABLE);
            let level = self
                .ground
                .level(self.workers, rest, None, false, observers)?;
            if level.stopped {
                return Ok(self.stopped(StopReason::Requested));
            }
        }
        Ok(self.walked(Outcome::Levels))
    }

    fn stopped(&self, reason: StopReason) -> Walked<K> {
        self.walked(Outcome::NotReached(reason))
    }

    fn walked(&self, outcome: Outcome<K>) -> Walked<K> {
        let spent = Spent {
            moves: self.moves.clone(),
            ..self.ground.counters.spent()
        };
        Walked { outcome, spent }
    }

    /// Marks the roots; gives them as the first frontier, and their number.
    fn enter_roots(&mut self) -> Result<(Frontier, u64), EngineError> {
        let ground = &self.ground;
        let mut placed = Vec::new();
        super::neighbours::place_in_part(
            ground.search,
            ground.part,
            ground.size,
            &mut self.roots,
            &mut placed,
        )?;
        let mut list = Vec::new();
        ground.table.enter(&placed, 0, |rank| list.push(rank));
        let count = list.len() as u64;
        if self.always_full || (count > ground.longest_list && ground.table.holds_full_frontier()) {
            ground.table.spill(&list);
            ground.table.fill();
            return Ok((Frontier::Full, count));
        }
        list.sort_unstable();
        Ok((Frontier::List(list), count))
    }

    fn level(
        &mut self,
        frontier: &Frontier,
        depth: u16,
        enter: Option<u16>,
        observers: &mut Observers<K>,
    ) -> Result<Level, EngineError> {
        let (source, full) = match frontier {
            Frontier::List(list) => (Source::List(list), false),
            Frontier::Full => (Source::Scan(Wanted::Level(depth)), true),
        };
        self.ground
            .level(self.workers, (source, depth), enter, full, observers)
    }

    /// The next frontier, after level `depth`.
    fn next(&mut self, frontier: Frontier, depth: u16, level: &Level) -> Frontier {
        let table = &self.ground.table;
        match frontier {
            Frontier::List(list) if !level.spilled => {
                drop(list);
                let mut next = Vec::with_capacity(level.found as usize);
                for worker in &mut *self.workers {
                    next.extend_from_slice(&worker.new);
                    worker.new = Vec::new();
                }
                next.par_sort_unstable();
                Frontier::List(next)
            }
            Frontier::List(_) => {
                table.fill();
                Frontier::Full
            }
            Frontier::Full => {
                table.advance(depth);
                // Well below the longest list: it would else be left again at once.
                if self.always_full || level.found > self.ground.longest_list / 4 {
                    return Frontier::Full;
                }
                let list = table.level(depth + 1);
                table.empty();
                Frontier::List(list)
            }
        }
    }

    fn too_deep(&self) -> EngineError {
        let remedy = match F::REPRESENTATION {
            Representation::Byte => "use --table two-bits",
            _ => "more than this version counts",
        };
        EngineError::TooDeep(format!(
            "{}: deeper than the {} levels that --table {} can tell apart; {remedy}",
            self.ground.search.graph.opened.full_name(),
            F::DEEPEST,
            F::REPRESENTATION
        ))
    }
}
