//! Engine `dense`: one byte, two bits or one bit per rank. Symmetry is used in counting. It is used
//! in the search only if there are more symmetries than moves, since representatives would
//! otherwise take longer.
//!
//! Small levels are expanded from a sorted list of ranks, large ones by scanning the table.
//! Successive ranks are similar boards, so their neighbours' words are close in the table.

mod plan;
mod step;
mod table;

use std::collections::BTreeMap;

use antipode_graph::{Capabilities, Graph};
use puzzle_api::{Key, UNSOLVABLE};
use rayon::prelude::*;

use super::NeighbourSource;
use super::neighbours::moves_a_state;
use crate::engine::{Engine, Facts, Footprint, Ready, backward_obstacle};
use crate::error::{EngineError, Result};
use crate::memory;
use crate::observers::Observers;
use crate::options::{EngineOptions, FrontierForm, Opt, Representation};
use crate::outcome::{Counters, Outcome, Spent, StopReason, Walked};
use crate::progress::{Progress, note};
use crate::question::{Ask, Numbered, QuestionKind};
use crate::search::{Held, Search};
pub use plan::DenseBudget;
use plan::UNNUMBERED;
use step::{DenseLevel, Ground, Source, Worker};
use table::{Bit, Byte, DistanceArray, MarkForm, TwoBits, Wanted};

pub(super) fn walk<K: Key>(
    search: &Search<K>,
    part: u64,
    observers: &mut Observers<K>,
    progress: &Progress,
) -> Result<Walked<K>> {
    let plan = match search.held.get() {
        Some(&plan) => plan,
        None => {
            let (options, threads) = (EngineOptions::default(), rayon::current_num_threads());
            DenseBudget::make(search, &[part], &options, threads)?
        }
    };
    if plan.asked || plan.representation != Representation::Byte {
        return walk_by(search, part, plan, observers, progress);
    }
    let mut seen = observers.fork();
    match walk_by(search, part, plan, &mut seen, progress) {
        Err(EngineError::TooDeep(_)) => {
            note(format_args!(
                "{}: a byte a rank stores {} levels, and there are more; begun again with two bits",
                search.graph.opened.full_name(),
                Byte::DEEPEST
            ));
            let plan = plan.with(Representation::TwoBits);
            walk_by(search, part, plan, observers, progress)
        }
        walked => {
            observers.absorb(seen);
            walked
        }
    }
}

fn walk_by<K: Key>(
    search: &Search<K>,
    part: u64,
    plan: DenseBudget,
    observers: &mut Observers<K>,
    progress: &Progress,
) -> Result<Walked<K>> {
    let threads = rayon::current_num_threads();
    let mut workers: Vec<Worker<K>> = (0..threads).map(|_| Worker::new(observers)).collect();
    let on = (part, &mut *workers);
    match plan.representation {
        Representation::Byte => {
            DenseWalk::<K, Byte>::new(search, on, plan, progress)?.run(observers)
        }
        Representation::TwoBits => {
            DenseWalk::<K, TwoBits>::new(search, on, plan, progress)?.run(observers)
        }
        Representation::Bit => DenseWalk::<K, Bit>::new(search, on, plan, progress)?.run(observers),
    }
}

/// The level about to be expanded.
enum Frontier {
    /// Its ranks, sorted.
    List(Vec<u64>),
    /// The level is found by scan.
    Full,
}

struct DenseWalk<'a, K, F> {
    ground: Ground<'a, K, F>,
    workers: &'a mut [Worker<K>],
    roots: Vec<K>,
    always_full: bool,
    /// Moves out of each level.
    moves: Vec<u64>,
    budget: Option<u64>,
}

/// Ranks of a part for which counting the moves of its states pays.
const WORTH_ASKING: u64 = 1 << 16;
/// States that are asked.
const ASKED: u64 = 256;

/// Whether to search one state of each orbit. Counting a state costs one representative; an orbit
/// costs one for each of its neighbours.
fn orbits_pay<K: Key>(
    search: &Search<K>,
    neighbours: &NeighbourSource<K>,
    (part, size): (u64, u64),
) -> Result<bool> {
    let graph = &search.graph;
    let NeighbourSource::Native(way) = *neighbours else {
        return Ok(false);
    };
    if !search.symmetry || size < WORTH_ASKING || !graph.proves(Capabilities::SYMMETRY) {
        return Ok(false);
    }
    let moves = moves_a_state(graph, way, (part, size), ASKED)?;
    Ok(moves < f64::from(graph.opened.symmetry_count))
}

impl<'a, K: Key, F: MarkForm> DenseWalk<'a, K, F> {
    fn new(
        search: &'a Search<K>,
        (part, workers): (u64, &'a mut [Worker<K>]),
        plan: DenseBudget,
        progress: &'a Progress,
    ) -> Result<Self> {
        let name = search.graph.opened.full_name();
        let size = search
            .graph
            .space(part)?
            .ok_or_else(|| EngineError::refused(&search.graph.opened, UNNUMBERED))?;
        let neighbours = NeighbourSource::of(search, part)?;
        let by_orbits = orbits_pay(search, &neighbours, (part, size))?;
        let mut roots = match by_orbits {
            true => search.distinct_roots(part)?,
            false => search.root_keys(part)?,
        };
        let frame = Frame::of(search, &mut roots)?;
        let second = plan.full && F::REPRESENTATION != Representation::Byte;
        let table = DistanceArray::new(size, second, workers.len() == 1).map_err(|error| {
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
                neighbours,
                by_orbits,
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

    fn run(mut self, observers: &mut Observers<K>) -> Result<Walked<K>> {
        let (mut frontier, mut size) = self.enter_roots()?;
        let mut depth = 0;
        while size > 0 {
            let last = self.ground.search.max_depth == Some(depth);
            if depth == F::DEEPEST && !last {
                return Err(self.too_deep());
            }
            let level = self.level(&frontier, depth, (!last).then_some(depth + 1), observers)?;
            if level.outgrown {
                // The level itself is complete: it is shown, and not expanded.
                let shown = self.level(&frontier, depth, None, observers)?;
                return Ok(match (shown.stopped, self.budget) {
                    (false, Some(allowed)) => self.stopped(StopReason::memory(allowed)),
                    _ => self.stopped(StopReason::Requested),
                });
            }
            if level.stopped || self.ground.search.has_met_goal() {
                return Ok(self.stopped(StopReason::Requested));
            }
            let progress = self.ground.progress;
            progress.level(depth, level.states);
            progress.finished(&observers.levels, depth);
            // An orbit's moves do not say how many those of its states are.
            if !self.ground.by_orbits {
                self.moves.push(level.moves);
            }
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

    /// Marks the roots; returns them as the first frontier, and their number.
    fn enter_roots(&mut self) -> Result<(Frontier, u64)> {
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
    ) -> Result<DenseLevel> {
        let (source, full) = match frontier {
            Frontier::List(list) => (Source::List(list), false),
            Frontier::Full => (Source::Scan(Wanted::Level(depth)), true),
        };
        self.ground
            .level(self.workers, (source, depth), enter, full, observers)
    }

    /// The next frontier, after level `depth`.
    fn next(&mut self, frontier: Frontier, depth: u16, level: &DenseLevel) -> Frontier {
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
                // Well below the longest list, since it would otherwise be left again at once.
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
            _ => "stop before by --max-depth",
        };
        EngineError::TooDeep(format!(
            "{}: deeper than the {} levels that --table {} can store; {remedy}",
            self.ground.search.graph.opened.full_name(),
            F::DEEPEST,
            F::REPRESENTATION
        ))
    }
}

/// Least number of ranks for which the engine is the default.
const LARGE: u64 = 1 << 24;

/// Engine `dense`.
#[derive(Debug)]
pub struct DenseEngine;

impl<K: Key> Engine<K> for DenseEngine {
    fn facts(&self) -> &'static Facts {
        &Facts {
            name: "dense",
            summary: "a byte, two bits or one bit per rank; needs a numbering of the states",
            answers: &[QuestionKind::Levels, QuestionKind::Path, QuestionKind::Many],
            footprints: &[
                Footprint {
                    options: "--table byte",
                    memory: |load| DenseBudget::of(load, Representation::Byte).bytes(),
                    rate: 2.5e6,
                    numbered: true,
                    ..Footprint::NONE
                },
                Footprint {
                    options: "--table bit",
                    memory: |load| DenseBudget::of(load, Representation::Bit).bytes(),
                    rate: 2.3e6,
                    numbered: true,
                    ..Footprint::NONE
                },
            ],
            numbered: Some(Numbered::ByRank),
            ..Facts::USUAL
        }
    }

    fn options(&self, kind: QuestionKind) -> &'static [Opt] {
        match kind {
            QuestionKind::Levels => &[Opt::Memory, Opt::Table, Opt::Frontier],
            _ => &[Opt::Memory],
        }
    }

    fn obstacle(&self, graph: &Graph<K>, ask: &Ask<'_, K>) -> Option<String> {
        if !graph.has(Capabilities::RANK) {
            return Some(
                "dense needs a numbering (space, place, unrank); use --engine hash".into(),
            );
        }
        backward_obstacle(graph, ask)
    }

    /// A large part whose neighbours come as ranks takes a third of the time that `hash` takes and
    /// a tenth of its memory. A walk of a few levels does not justify the table.
    fn preference(&self, graph: &Graph<K>, ask: &Ask<'_, K>) -> u8 {
        let Ask::Levels { limited: false, .. } = ask else {
            return 0;
        };
        if !graph.proves(Capabilities::NEIGHBOUR_RANKS) {
            return 0;
        }
        let size = graph.space(0).ok().flatten().unwrap_or(0);
        let bytes = 3 * Representation::Bit.table_bytes(size);
        let fits = || memory::available().is_none_or(|available| bytes <= available);
        if size >= LARGE && fits() { 2 } else { 0 }
    }

    fn prepare(
        &self,
        search: &mut Search<K>,
        options: &EngineOptions,
        _: &Graph<K>,
    ) -> Result<Ready> {
        let plan = DenseBudget::make(search, &search.parts()?, options, options.threads.max(1))?;
        search.held = Held::of(plan);
        Ok(Ready {
            line: Some(plan.line()),
            record: BTreeMap::from([("dense".to_owned(), plan.record())]),
        })
    }

    fn levels(
        &self,
        search: &Search<K>,
        part: u64,
        observers: &mut Observers<K>,
        progress: &Progress,
    ) -> Result<Walked<K>> {
        walk(search, part, observers, progress)
    }
}

// Starts outside the numbering.

/// A numbering need not hold every state, only one of each orbit. If it does not hold the start,
/// the search runs from an image of it, and its results are turned back.
#[derive(Debug, Clone, Copy)]
struct Frame {
    /// Symmetry that turns found states back; `None` if nothing was turned.
    back: Option<usize>,
}

impl Frame {
    /// Turns roots into the numbering if they are not in it.
    fn of<K: Key>(search: &Search<K>, roots: &mut [K]) -> Result<Self> {
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
        // Any symmetry that takes the image back to the start will do. Two of them differ by a
        // symmetry that fixes the start, and so maps each level onto itself.
        let back = graph
            .images(roots[0])?
            .iter()
            .position(|&image| image == original);
        match back {
            Some(back) => Ok(Self { back: Some(back) }),
            None => Err(EngineError::refused(
                &graph.opened,
                "the start lies outside the numbering; use --engine hash",
            )),
        }
    }

    /// Whether [`Frame::turned_back`] has anything to do.
    const fn turns(self) -> bool {
        self.back.is_some()
    }

    /// States found, turned back to those around the original start.
    fn turned_back<K: Key>(self, search: &Search<K>, keys: &[K]) -> Result<Vec<K>> {
        let Some(back) = self.back else {
            return Ok(keys.to_vec());
        };
        let images = search.graph.images_of(keys)?;
        let count = search.graph.opened.symmetry_count as usize;
        Ok(images
            .chunks_exact(count)
            .map(|images| images[back])
            .collect())
    }
}

#[cfg(test)]
mod tests {
    use super::{DenseBudget, DenseEngine};
    use crate::engine::Engine;
    use crate::engines::hash::HashEngine;
    use crate::observers::Observers;
    use crate::options::{EngineOptions, Representation};
    use crate::progress::{Progress, Stop};
    use crate::question::Roots;
    use crate::search::{Held, Search};
    use antipode_graph::{Graph, builtin};
    use puzzle_api::Direction;

    /// One state of each orbit is searched, since a Skewb has more symmetries than moves.
    #[test]
    fn a_search_of_orbits_shows_what_a_search_of_states_shows() {
        let graph: Graph<u64> = builtin::graph("permutation/skewb", None, &[]).expect("ships");
        let roots = Roots::Solved;
        let mut search = Search::new(graph, Direction::Backward, roots, Some(6)).expect("a search");
        let neighbours = super::NeighbourSource::of(&search, 0).expect("neighbours");
        let size = search.graph.space(0).expect("a size").expect("numbered");
        assert!(super::orbits_pay(&search, &neighbours, (0, size)).expect("asked"));
        let mut sums = Vec::new();
        let engines: [(&dyn Engine<u64>, _); 3] = [
            (&HashEngine, None),
            (&DenseEngine, Some(Representation::Byte)),
            (&DenseEngine, Some(Representation::Bit)),
        ];
        for (engine, table) in engines {
            let options = EngineOptions {
                table,
                ..EngineOptions::default()
            };
            search.held = Held::of(DenseBudget::make(&search, &[0], &options, 2).expect("fits"));
            let mut seen = Observers::plain();
            let progress = Progress::silent(&Stop::default());
            let walked = engine.levels(&search, 0, &mut seen, &progress);
            assert!(walked.expect("walked").outcome.is_answer());
            sums.push(seen.levels.table(false));
        }
        assert_eq!(sums[0].levels.len(), 7);
        assert!(sums.iter().all(|table| *table == sums[0]));
    }
}
