//! The search itself: which side grows next, when they meet, and path reconstruction.

use std::collections::BTreeMap;
use std::fmt;

use puzzle_api::{Direction, Key};

use super::resume::{LEVEL, MemoryPlan, SideLevelRecord, file_in, open};
use super::{BidirectionalFolder, BidirectionalRequest, BidirectionalResult, NO_WAY_BACK, Side};
use crate::digest::sum_of;
use crate::error::{EngineError, Result};
use crate::kernel::Watched;
use crate::level::{LevelRecord, LevelStates, Writer};
use crate::memory::human;
use crate::outcome::{Counters, Outcome, StopReason};
use crate::progress::{Progress, Stop, note};
use crate::reconstruct_path::SideLevels;
use crate::side::SideLevel;
use crate::step;
use crate::steps::{DirectionSteps, Space};
use crate::visited::VisitedSet;
use crate::work::{WorkFolder, free_bytes};

/// Blocks of a level between two checks whether the sides met. The number is fixed, so that the
/// meeting point does not depend on threads.
pub(super) const SLAB: usize = 256;
/// Partitions of the hash tables of a side: this many threads can fill them at once.
const PARTITIONS: usize = 64;
/// Greatest number of levels of a side.
const DEEPEST: usize = u16::MAX as usize;

/// A running search.
pub(super) struct BidirectionalSearch<'a, K, N: Space<K>>
where
    K: Key,
{
    pub(super) request: &'a BidirectionalRequest<K>,
    pub(super) numbering: N,
    pub(super) plan: MemoryPlan,
    pub(super) sides: [SearchSide<N::Id>; 2],
    /// Levels in the order in which they were finished.
    order: Vec<(Side, usize)>,
    pub(super) folder: Option<WorkFolder>,
    progress: Progress,
    counters: Counters,
}

/// Looks for the smallest new state that the other side holds.
struct Meeting<'a, I>(&'a VisitedSet<I>);

impl<I: Key> step::Visitor<I> for Meeting<'_, I> {
    fn visit(&self, new: &[I], kept: &mut Vec<(usize, I)>) {
        kept.extend(self.0.smallest_of(new).map(|met| (0, met)));
    }

    fn enough(&self, kept: &BTreeMap<usize, I>) -> bool {
        !kept.is_empty()
    }
}

/// A level, or what ended the step before it was whole.
type NextLevel<C> = Result<LevelStates<C>, StepEnd<C>>;

/// How one step of a search ended.
enum StepEnd<C> {
    Level,
    Empty,
    Met(C),
    Stopped,
}

impl<'a, K: Key, N: Space<K>> BidirectionalSearch<'a, K, N> {
    /// Plans the memory and opens the work folder.
    pub(super) fn new(
        request: &'a BidirectionalRequest<K>,
        numbering: N,
        stop: &Stop,
    ) -> Result<Self> {
        let name = request.graph.opened.full_name();
        let Some(backward) = DirectionSteps::backward(&request.graph) else {
            return Err(EngineError::refused(&request.graph.opened, NO_WAY_BACK));
        };
        let plan = MemoryPlan::of(
            numbering.size(),
            size_of::<N::Id>() as u64,
            &request.options,
        );
        plan.check(&name)?;
        let own = |steps| -> Result<SearchSide<N::Id>> {
            Ok(SearchSide {
                steps,
                visited: empty_visited(request, &plan, &numbering)?,
                levels: Vec::new(),
            })
        };
        Ok(Self {
            request,
            plan,
            sides: [
                own(DirectionSteps::Listed(Direction::Forward))?,
                own(backward)?,
            ],
            order: Vec::new(),
            folder: None,
            progress: Progress::shown(request.options.show_progress, &name, 1, stop),
            counters: Counters::default(),
            numbering,
        })
    }

    /// Runs to the end, or until it is stopped.
    pub(super) fn run(mut self) -> Result<BidirectionalResult<K>> {
        if self.plan.need() > 256 << 20 {
            let (need, limit) = (human(self.plan.need()), human(self.request.options.memory));
            self.say(format_args!("memory: {need} of the {limit} allowed"));
        }
        self.restore()?;
        for side in Side::BOTH {
            if self.sides[side as usize].levels.is_empty() {
                let level = self.root_level(side)?;
                self.record(side, level)?;
            }
        }
        let met = match self.at_home()? {
            Some(code) => StepEnd::Met(code),
            None => StepEnd::Level,
        };
        self.walk(met)
    }

    /// Prints a note, unless output is off.
    pub(super) fn say(&self, line: fmt::Arguments<'_>) {
        if self.request.options.show_progress {
            note(line);
        }
    }

    fn walk(mut self, mut step: StepEnd<N::Id>) -> Result<BidirectionalResult<K>> {
        let mut side = Side::Forward;
        loop {
            let ended = match step {
                StepEnd::Level => None,
                StepEnd::Empty => {
                    let own = &self.sides[side as usize];
                    let levels = own.levels.len() as u32;
                    let way = side.direction();
                    Some(Outcome::exhausted(way, own.states(), Some(levels)))
                }
                StepEnd::Stopped => Some(Outcome::NotReached(StopReason::Requested)),
                StepEnd::Met(code) => Some(Outcome::shortest(self.path(side, code)?)),
            };
            if let Some(ended) = ended {
                return self.searched(ended);
            }
            // The side whose next level promises to be smaller.
            let [forward, backward] = &self.sides;
            side = match forward.evaluation() <= backward.evaluation() {
                true => Side::Forward,
                false => Side::Backward,
            };
            step = self.step(side)?;
        }
    }

    /// Level 0 of a side, with its states entered.
    fn root_level(&mut self, side: Side) -> Result<LevelStates<N::Id>> {
        let mut keys = match side {
            Side::Forward => vec![self.request.start],
            Side::Backward => self.request.goals.clone(),
        };
        keys.sort_unstable();
        keys.dedup();
        let mut codes = Vec::new();
        self.numbering.ids(&self.request.graph, &keys, &mut codes)?;
        let visited = &mut self.sides[side as usize].visited;
        visited.fill_with(std::iter::once(codes.as_slice()));
        let mut writer = self.writer_at(side, 0)?;
        writer.add(codes)?;
        let digest = sum_of(&keys);
        writer.finish(digest)
    }

    /// The start, if it is a goal.
    fn at_home(&self) -> Result<Option<N::Id>> {
        if self.sides.iter().any(|own| own.levels.len() > 1) {
            return Ok(None);
        }
        let mut start = Vec::new();
        let graph = &self.request.graph;
        self.numbering
            .ids(graph, &[self.request.start], &mut start)?;
        Ok(self.sides[Side::Backward as usize]
            .visited
            .smallest_of(&start))
    }

    /// Grows a side by one level.
    fn step(&mut self, side: Side) -> Result<StepEnd<N::Id>> {
        let own = &mut self.sides[side as usize];
        let depth = own.levels.len();
        if depth == DEEPEST {
            return Err(EngineError::too_deep(&self.request.graph.opened, DEEPEST));
        }
        let Some(frontier) = own.levels.pop() else {
            return Ok(StepEnd::Empty);
        };
        let grown = self.next_level(side, &frontier, depth);
        self.sides[side as usize].levels.push(frontier);
        match grown? {
            Ok(level) if level.states == 0 => Ok(StepEnd::Empty),
            Ok(level) => {
                self.record(side, level)?;
                Ok(StepEnd::Level)
            }
            Err(end) => Ok(end),
        }
    }

    /// The states one move from the last level that are new to the side, or what ended the step
    /// before all were found.
    fn next_level(
        &mut self,
        side: Side,
        frontier: &LevelStates<N::Id>,
        depth: usize,
    ) -> Result<NextLevel<N::Id>> {
        self.spool_if_large(side, frontier)?;
        let writer = self.writer_at(side, depth)?;
        let mut writer = writer.within(self.request.options.run_states, self.room()?);
        let own = &mut self.sides[side as usize];
        let before = own.states() + frontier.states;
        let mut visited = std::mem::replace(&mut own.visited, VisitedSet::tables(1, 0));
        let (own, other) = (
            &self.sides[side as usize],
            &self.sides[side.other() as usize],
        );
        let watch = Watched::new(&self.counters, &self.progress);
        let (graph, space) = (&self.request.graph, &self.numbering);
        let step = step::LevelStep::new(graph, space, own.steps, SLAB, &watch);
        let stepped = step.run(
            frontier,
            &mut visited,
            &mut writer,
            &Meeting(&other.visited),
            &mut |visited, states| self.tables((visited, before + states), other),
        );
        self.sides[side as usize].visited = visited;
        let Some(stepped) = stepped? else {
            return Ok(Err(StepEnd::Stopped));
        };
        if let Some(&code) = stepped.kept.get(&0) {
            return Ok(Err(StepEnd::Met(code)));
        }
        writer.finish(stepped.digest).map(Ok)
    }

    /// Switches to bits if a side of some states has outgrown its hash tables, and refuses tables
    /// beyond the limit.
    pub(super) fn tables(
        &self,
        (visited, states): (&mut VisitedSet<N::Id>, u64),
        other: &SearchSide<N::Id>,
    ) -> Result<()> {
        let name = || self.request.graph.opened.full_name();
        if visited.is_bits() {
            return Ok(());
        }
        if let (Some(most), Some(size)) = (self.plan.bits_beyond(), self.numbering.size()) {
            return match states > most {
                true => visited
                    .turn_to_bits(size)
                    .map_err(|e| no_memory(&name(), &e)),
                false => Ok(()),
            };
        }
        let tables = visited.table_bytes() + other.visited.table_bytes();
        self.plan.check_tables(
            &name(),
            tables,
            states + other.states(),
            self.folder.is_some(),
        )
    }

    fn writer_at(&self, side: Side, depth: usize) -> Result<Writer<N::Id>> {
        match &self.folder {
            Some(folder) => Writer::to_file(&file_in(folder.path(), side, depth)),
            None => Ok(Writer::to_memory()),
        }
    }

    /// Adds a finished level to its side, and to the journal.
    fn record(&mut self, side: Side, level: LevelStates<N::Id>) -> Result<()> {
        let own = &mut self.sides[side as usize];
        let depth = own.levels.len();
        if let Some(folder) = &self.folder {
            write_down(folder, side, depth, &level)?;
        }
        self.progress.level(depth as u16, level.states);
        own.levels.push(level);
        self.order.push((side, depth));
        Ok(())
    }

    /// Opens the work folder once the levels promise to take much memory, and moves the finished
    /// ones there.
    fn spool_if_large(&mut self, side: Side, frontier: &LevelStates<N::Id>) -> Result<()> {
        let BidirectionalFolder::WhenLarge(path) = &self.request.options.work else {
            return Ok(());
        };
        if self.folder.is_some() {
            return Ok(());
        }
        // Twice the bytes of the last level, times its growth.
        let own = &self.sides[side as usize];
        let before = own
            .levels
            .last()
            .map_or(frontier.states, |level| level.states);
        let growth = (frontier.states as f64 / before as f64).max(1.0);
        let expected = 2.0 * frontier.bytes as f64 * growth;
        let held: u64 = self
            .sides
            .iter()
            .flat_map(|b| &b.levels)
            .map(|l| l.bytes)
            .sum();
        if expected + ((held + frontier.bytes) as f64)
            < self.request.options.levels_in_memory as f64
        {
            return Ok(());
        }
        let (folder, _) = open::<N::Id>(path, &self.identity(), false)?;
        let path = folder.path().display();
        self.say(format_args!("levels are kept in {path} from here on"));
        self.folder = Some(folder);
        // The caller owns the frontier, but it is written like the others: copied.
        self.write_all(side, frontier)
    }

    fn write_all(&mut self, side: Side, frontier: &LevelStates<N::Id>) -> Result<()> {
        let Some(folder) = &mut self.folder else {
            return Ok(());
        };
        for &(of, depth) in &self.order {
            let path = file_in(folder.path(), of, depth);
            let levels = &mut self.sides[of as usize].levels;
            let level = match levels.get_mut(depth) {
                Some(level) => {
                    level.move_to(&path)?;
                    &*level
                }
                None if of == side => {
                    frontier.copy_to(&path)?;
                    frontier
                }
                None => continue,
            };
            write_down(folder, of, depth, level)?;
        }
        Ok(())
    }

    /// Bytes that the current level may take on disk.
    fn room(&self) -> Result<u64> {
        let Some(folder) = &self.folder else {
            return Ok(u64::MAX);
        };
        let used: u64 = self
            .sides
            .iter()
            .flat_map(|b| &b.levels)
            .map(|l| l.bytes)
            .sum();
        let free = free_bytes(folder.path()).map_or(u64::MAX, |free| free / 20 * 19);
        let room = match self.request.options.disk {
            Some(most) => most.saturating_sub(used).min(free),
            None => free,
        };
        Ok(room)
    }

    /// The path through a state that a new level of `side` has in common with the other
    /// side.
    fn path(&self, side: Side, met: N::Id) -> Result<Vec<K>> {
        let own = self.sides[side as usize].levels.len();
        let theirs = self.sides[side.other() as usize].levels.len() - 1;
        let depths = match side {
            // If the start is a goal, nothing has grown, and each level is level 0.
            _ if self.at_home()?.is_some() => [0, 0],
            Side::Forward => [own, theirs],
            Side::Backward => [theirs, own],
        };
        let mut path = self.reconstruct_path(Side::Forward, met, depths[0])?;
        path.reverse();
        path.extend(&self.reconstruct_path(Side::Backward, met, depths[1])?[1..]);
        Ok(path)
    }

    /// The path from a state at `depth` of a side down to its root.
    fn reconstruct_path(&self, side: Side, met: N::Id, depth: usize) -> Result<Vec<K>> {
        let own = &self.sides[side as usize];
        let against = self.sides[side.other() as usize].steps;
        let ways = [Some(own.steps), Some(against)];
        let levels = &own.levels[..depth];
        let graph = &self.request.graph;
        SideLevels::new(graph, &self.numbering, ways, levels)
            .reconstruct_path(met, Some(depth as u32))
    }

    fn searched(self, outcome: Outcome<K>) -> Result<BidirectionalResult<K>> {
        let [forward, backward] = &self.sides;
        let levels = forward.levels.iter().chain(&backward.levels);
        Ok(BidirectionalResult {
            sides: [
                forward.table(Direction::Forward),
                backward.table(Direction::Backward),
            ],
            spent: self.counters.spent(),
            planned_memory: self.plan.need(),
            level_bytes: levels.map(|level| level.bytes).sum(),
            work: self.folder.as_ref().map(|folder| folder.path().to_owned()),
            outcome,
        })
    }
}

/// Records a finished level, whose file is safe on the disk.
fn write_down<I>(
    folder: &WorkFolder,
    side: Side,
    depth: usize,
    level: &LevelStates<I>,
) -> Result<()> {
    let level = LevelRecord::of(depth, level);
    folder.finish(LEVEL, &SideLevelRecord { side, level })
}

/// An empty set; bits from the start if requested.
pub(super) fn empty_visited<K: Key, N: Space<K>>(
    request: &BidirectionalRequest<K>,
    plan: &MemoryPlan,
    numbering: &N,
) -> Result<VisitedSet<N::Id>> {
    match (plan.bits_beyond(), numbering.size()) {
        (Some(0), Some(size)) => {
            let name = request.graph.opened.full_name();
            VisitedSet::bits(size).map_err(|error| no_memory(&name, &error))
        }
        _ => Ok(VisitedSet::tables(PARTITIONS, 0)),
    }
}

fn no_memory(name: &str, error: &std::io::Error) -> EngineError {
    EngineError::Memory(format!(
        "{name}: the system does not give the memory for a bit per rank ({error}); free some, or use --table hash"
    ))
}

// One of the two sides of a search: its contents, and its predicted growth.

/// The states around the roots of one side, by levels.
pub(super) struct SearchSide<C> {
    /// How it grows.
    pub(super) steps: DirectionSteps,
    /// The states of all levels.
    pub(super) visited: VisitedSet<C>,
    /// Complete levels, none of them empty.
    pub(super) levels: Vec<LevelStates<C>>,
}

impl<C: Key> SearchSide<C> {
    /// States of all complete levels.
    pub(super) fn states(&self) -> u64 {
        self.levels.iter().map(|level| level.states).sum()
    }

    /// Predicted number of states of the next level, if it grows like the last one; fourfold after
    /// the first.
    fn evaluation(&self) -> f64 {
        let states = |level: &LevelStates<C>| level.states as f64;
        match self.levels.as_slice() {
            [.., before, last] => states(last) * (states(last) / states(before)),
            [only] => states(only) * 4.0,
            [] => 0.0,
        }
    }

    /// The level table, without symmetry.
    pub(super) fn table(&self, side: Direction) -> Vec<SideLevel> {
        let rows = self.levels.iter().zip(0..);
        rows.map(|(level, depth)| SideLevel {
            side,
            depth,
            states: level.states,
            digest: Some(level.digest),
        })
        .collect()
    }
}
