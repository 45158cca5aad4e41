//! The search itself: which ball grows next, when they meet, and the way back.

use std::sync::atomic::Ordering::Relaxed;

use puzzle_api::{Direction, Key};
use rayon::prelude::*;

use super::ball::{Ball, Scratch, digest, grow};
use super::folder::Folder;
use super::level::{Level, Writer};
use super::memory::Plan;
use super::numbering::Numbering;
use super::steps::Steps;
use super::tell::Teller;
use super::visited::Visited;
use super::{Ended, Outcome, Request, Side, Work};
use crate::engines::EngineError;
use crate::memory::human;
use crate::progress::Stop;
use crate::work::{WorkError, free_bytes};
use antipode_graph::Expansion;

/// Blocks of a level between two looks at whether the balls met. Fixed, so that what was
/// found when they did does not depend on threads.
pub(super) const SLAB: usize = 256;
/// Greatest number of levels of a ball.
const DEEPEST: usize = u16::MAX as usize;

/// A search in hand.
pub(super) struct Search<'a, K, N: Numbering<K>>
where
    K: Key,
{
    pub(super) request: &'a Request<K>,
    pub(super) numbering: N,
    stop: &'a Stop,
    pub(super) plan: Plan,
    pub(super) balls: [Ball<N::Code>; 2],
    /// Levels in the order in which they were finished.
    order: Vec<(Side, usize)>,
    pub(super) folder: Option<Folder>,
    pub(super) teller: Teller,
}

/// How one step of a search ended.
pub(super) enum Step<C> {
    Level,
    Empty,
    Met(C),
    Stopped,
}

impl<'a, K: Key, N: Numbering<K>> Search<'a, K, N> {
    /// Plans the memory and opens the work folder.
    pub(super) fn new(
        request: &'a Request<K>,
        numbering: N,
        stop: &'a Stop,
    ) -> Result<Self, WorkError> {
        let name = request.graph.opened.full_name();
        let Some(backward) = Steps::backward(&request.graph) else {
            return Err(WorkError::Engine(EngineError::CannotHold(format!(
                "{name}: a search from both ends needs predecessors, or a reversal of moves"
            ))));
        };
        let plan = Plan::of(
            numbering.size(),
            size_of::<N::Code>() as u64,
            &request.options,
        );
        plan.check(&name)?;
        let ball = |steps| -> Result<Ball<N::Code>, WorkError> {
            Ok(Ball {
                steps,
                visited: empty_visited(request, &plan, &numbering)?,
                levels: Vec::new(),
            })
        };
        Ok(Self {
            request,
            stop,
            plan,
            balls: [ball(Steps::Listed(Direction::Forward))?, ball(backward)?],
            order: Vec::new(),
            folder: None,
            teller: Teller::new(request.options.show_progress),
            numbering,
        })
    }

    /// Runs to the end, or until it is stopped.
    pub(super) fn run(mut self) -> Result<Outcome<K>, WorkError> {
        if self.plan.need() > 256 << 20 {
            let (need, limit) = (human(self.plan.need()), human(self.request.options.memory));
            self.teller
                .say(&format!("memory: {need} of the {limit} allowed"));
        }
        self.restore()?;
        for side in Side::BOTH {
            if self.balls[side as usize].levels.is_empty() {
                self.plant(side)?;
            }
        }
        let met = match self.at_home()? {
            Some(code) => Step::Met(code),
            None => Step::Level,
        };
        self.walk(met)
    }

    fn walk(mut self, mut step: Step<N::Code>) -> Result<Outcome<K>, WorkError> {
        let mut side = Side::Forward;
        loop {
            let ended = match step {
                Step::Level => None,
                Step::Empty => Some(Ended::Closed(side)),
                Step::Stopped => Some(Ended::Stopped),
                Step::Met(code) => Some(Ended::Path(self.path(side, code)?)),
            };
            if let Some(ended) = ended {
                return self.outcome(ended);
            }
            side = self.cheaper();
            step = self.step(side)?;
        }
    }

    /// The side whose next level promises to be smaller.
    fn cheaper(&self) -> Side {
        let [forward, backward] = &self.balls;
        match forward.promise() <= backward.promise() {
            true => Side::Forward,
            false => Side::Backward,
        }
    }

    // ---- roots ---------------------------------------------------------------------

    fn roots(&self, side: Side) -> Vec<K> {
        match side {
            Side::Forward => vec![self.request.start],
            Side::Backward => self.request.goals.clone(),
        }
    }

    /// Plants level 0 of a side.
    fn plant(&mut self, side: Side) -> Result<(), WorkError> {
        let level = self.root_level(side)?;
        self.book(side, level)
    }

    /// Level 0 of a side, its states entered.
    pub(super) fn root_level(&self, side: Side) -> Result<Level, WorkError> {
        let mut keys = self.roots(side);
        keys.sort_unstable();
        keys.dedup();
        let mut codes = Vec::new();
        self.numbering
            .codes(&self.request.graph, &keys, &mut codes)?;
        self.balls[side as usize]
            .visited
            .insert(&codes, &mut Vec::new());
        let mut writer = self.writer_at(side, 0)?;
        writer.run(&mut codes, u64::MAX)?;
        let digest = digest(&keys, &mut Vec::new(), &mut Vec::new());
        writer.finish(digest)
    }

    /// The start, where it is a goal.
    fn at_home(&self) -> Result<Option<N::Code>, WorkError> {
        if self.balls.iter().any(|ball| ball.levels.len() > 1) {
            return Ok(None);
        }
        let mut start = Vec::new();
        let graph = &self.request.graph;
        self.numbering
            .codes(graph, &[self.request.start], &mut start)?;
        Ok(self.balls[Side::Backward as usize]
            .visited
            .smallest_of(&start))
    }

    // ---- one level -----------------------------------------------------------------

    /// Grows a ball by one level.
    fn step(&mut self, side: Side) -> Result<Step<N::Code>, WorkError> {
        let ball = &mut self.balls[side as usize];
        let depth = ball.levels.len();
        if depth == DEEPEST {
            let name = self.request.graph.opened.full_name();
            let text =
                format!("{name}: deeper than {DEEPEST} levels, more than this version counts");
            return Err(WorkError::Engine(EngineError::CannotHold(text)));
        }
        let Some(frontier) = ball.levels.pop() else {
            return Ok(Step::Empty);
        };
        self.teller.begin(side, depth as u16, frontier.states);
        let grown = self.next_level(side, &frontier, depth);
        self.balls[side as usize].levels.push(frontier);
        match grown? {
            (Step::Level, Some(level)) if level.states == 0 => Ok(Step::Empty),
            (Step::Level, Some(level)) => {
                self.book(side, level)?;
                Ok(Step::Level)
            }
            (step, _) => Ok(step),
        }
    }

    /// The states one move from the last level that are new to the ball. The level is
    /// given where it came to its end without meeting the other ball.
    pub(super) fn next_level(
        &mut self,
        side: Side,
        frontier: &Level,
        depth: usize,
    ) -> Result<(Step<N::Code>, Option<Level>), WorkError> {
        self.spool_if_large(side, frontier)?;
        let room = self.room()?;
        let mut writer = self.writer_at(side, depth)?;
        let (mut pending, mut sum) = (Vec::<N::Code>::new(), 0_u128);
        let mut blocks = frontier.read()?;
        loop {
            let slab = blocks.next_slab(SLAB)?;
            if slab.is_empty() {
                break;
            }
            if self.stop.requested() {
                return Ok((Step::Stopped, None));
            }
            let (ball, other) = (
                &self.balls[side as usize],
                &self.balls[side.other() as usize],
            );
            let pair = (ball, frontier, &other.visited);
            let grown = slab
                .par_iter()
                .map_init(Scratch::default, |scratch, block| {
                    let graph = &self.request.graph;
                    let grown = grow(graph, &self.numbering, pair, block, scratch)?;
                    self.teller.expanded(block.count(), grown.moves);
                    Ok(grown)
                });
            let grown = grown.collect::<Result<Vec<_>, WorkError>>()?;
            if let Some(code) = grown.iter().filter_map(|grown| grown.meeting).min() {
                return Ok((Step::Met(code), None));
            }
            pending.reserve(grown.iter().map(|grown| grown.codes.len()).sum());
            for grown in grown {
                sum = sum.wrapping_add(grown.digest);
                pending.extend(grown.codes);
            }
            if pending.len() >= self.request.options.run_states {
                let left = room.saturating_sub(writer.bytes());
                writer.run(&mut pending, left)?;
                pending.clear();
            }
            self.tables(
                side,
                writer.states()
                    + pending.len() as u64
                    + self.balls[side as usize].states()
                    + frontier.states,
            )?;
        }
        let left = room.saturating_sub(writer.bytes());
        writer.run(&mut pending, left)?;
        Ok((Step::Level, Some(writer.finish(sum)?)))
    }

    /// Goes over to bits where a ball of some states has outgrown its hash tables, and
    /// refuses tables beyond the limit.
    pub(super) fn tables(&mut self, side: Side, states: u64) -> Result<(), WorkError> {
        let name = || self.request.graph.opened.full_name();
        let visited = &self.balls[side as usize].visited;
        if visited.is_bits() {
            return Ok(());
        }
        if let (Some(most), Some(size)) = (self.plan.bits_beyond(), self.numbering.size()) {
            if states > most {
                let name = name();
                let visited = &mut self.balls[side as usize].visited;
                return visited.turn_to_bits(size).map_err(|e| no_memory(&name, &e));
            }
            return Ok(());
        }
        let tables = self
            .balls
            .iter()
            .map(|ball| ball.visited.table_bytes())
            .sum();
        let states = states + self.balls[side.other() as usize].states();
        self.plan
            .check_tables(&name(), tables, states, self.folder.is_some())
    }

    // ---- levels kept ---------------------------------------------------------------

    fn writer_at(&self, side: Side, depth: usize) -> Result<Writer, WorkError> {
        match &self.folder {
            Some(folder) => Writer::to_file(&folder.file(side, depth)),
            None => Ok(Writer::to_memory()),
        }
    }

    /// Adds a finished level to its ball, and to the journal.
    fn book(&mut self, side: Side, level: Level) -> Result<(), WorkError> {
        let ball = &mut self.balls[side as usize];
        let depth = ball.levels.len();
        if let Some(folder) = &self.folder {
            let mut booked: Vec<&Level> = ball.levels.last().into_iter().collect();
            booked.push(&level);
            folder.book(side, depth + 1, (depth + 1 - booked.len(), &booked))?;
        }
        ball.levels.push(level);
        self.order.push((side, depth));
        let (states, growth) = (ball.frontier(), ball.growth());
        let next = self.balls[self.cheaper_or(side) as usize].frontier();
        // Until they meet the balls share nothing, so both fit into the space.
        let held: u64 = self.balls.iter().map(Ball::states).sum();
        let rest = self.numbering.size().map(|size| size.saturating_sub(held));
        if depth > 0 {
            self.teller.level(states, growth, next, rest);
        }
        Ok(())
    }

    fn cheaper_or(&self, side: Side) -> Side {
        match self.balls.iter().any(|ball| ball.levels.is_empty()) {
            true => side,
            false => self.cheaper(),
        }
    }

    /// Opens the work folder once the levels promise to take much memory, and moves those
    /// that are finished there.
    fn spool_if_large(&mut self, side: Side, frontier: &Level) -> Result<(), WorkError> {
        let Work::WhenLarge(path) = &self.request.options.work else {
            return Ok(());
        };
        if self.folder.is_some() {
            return Ok(());
        }
        // Twice what the last level took, times its growth.
        let ball = &self.balls[side as usize];
        let before = ball
            .levels
            .last()
            .map_or(frontier.states, |level| level.states);
        let growth = (frontier.states as f64 / before as f64).max(1.0);
        let promise = 2.0 * frontier.bytes as f64 * growth;
        let held: u64 = self
            .balls
            .iter()
            .flat_map(|b| &b.levels)
            .map(|l| l.bytes)
            .sum();
        if promise + ((held + frontier.bytes) as f64) < self.request.options.levels_in_memory as f64
        {
            return Ok(());
        }
        let (folder, _) = Folder::open(path, &self.identity(), false)?;
        let line = format!(
            "levels are kept in {} from here on",
            folder.path().display()
        );
        self.teller.say(&line);
        self.folder = Some(folder);
        // The frontier is in the caller's hands, but is written like the others: copied.
        self.write_all(side, frontier)
    }

    fn write_all(&mut self, side: Side, frontier: &Level) -> Result<(), WorkError> {
        let Some(folder) = &mut self.folder else {
            return Ok(());
        };
        for &(of, depth) in &self.order {
            let path = folder.file(of, depth);
            let levels = &mut self.balls[of as usize].levels;
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
            folder.book(of, depth + 1, (depth, &[level]))?;
        }
        Ok(())
    }

    /// Bytes that the level in hand may take on disk.
    fn room(&self) -> Result<u64, WorkError> {
        let Some(folder) = &self.folder else {
            return Ok(u64::MAX);
        };
        let used: u64 = self
            .balls
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

    // ---- the answer ----------------------------------------------------------------

    /// The path through a state that a new level of `side` has in common with the other
    /// ball.
    fn path(&self, side: Side, met: N::Code) -> Result<Vec<K>, WorkError> {
        let own = self.balls[side as usize].levels.len();
        let theirs = self.balls[side.other() as usize].levels.len() - 1;
        let depths = match side {
            // Where the start is a goal, nothing has grown, and both levels are the first.
            _ if self.at_home()?.is_some() => [0, 0],
            Side::Forward => [own, theirs],
            Side::Backward => [theirs, own],
        };
        let mut path = self.way_back(Side::Forward, met, depths[0])?;
        path.reverse();
        path.extend(&self.way_back(Side::Backward, met, depths[1])?[1..]);
        Ok(path)
    }

    /// States from one at `depth` of a ball down to its root: each time the smallest of
    /// the level below that has a move to (or from) the last.
    fn way_back(&self, side: Side, met: N::Code, depth: usize) -> Result<Vec<K>, WorkError> {
        let graph = &self.request.graph;
        let ball = &self.balls[side as usize];
        let back = self.balls[side.other() as usize].steps;
        let (mut key, mut out, mut codes) = (Vec::new(), Expansion::default(), Vec::new());
        self.numbering.keys(graph, &[met], &mut key)?;
        let mut way = key.clone();
        for level in ball.levels[..depth].iter().rev() {
            back.expand(graph, &key, &mut out)?;
            self.numbering.codes(graph, out.keys(), &mut codes)?;
            codes.sort_unstable();
            codes.dedup();
            let Some(below) = level.smallest_of(&codes)? else {
                let fault = format!(
                    "and successors do not agree: {} was met one move from a level that none of its neighbours is in",
                    graph.draw(key[0])?
                );
                return Err(graph.opened.broken("predecessors", fault).into());
            };
            self.numbering.keys(graph, &[below], &mut key)?;
            way.push(key[0]);
        }
        Ok(way)
    }

    fn outcome(self, ended: Ended<K>) -> Result<Outcome<K>, WorkError> {
        let [forward, backward] = &self.balls;
        let levels = forward.levels.iter().chain(&backward.levels);
        Ok(Outcome {
            balls: [forward.table(), backward.table()],
            expanded: self.teller.expanded.load(Relaxed),
            moves: self.teller.moves.load(Relaxed),
            planned_memory: self.plan.need(),
            level_bytes: levels.map(|level| level.bytes).sum(),
            work: self.folder.as_ref().map(|folder| folder.path().to_owned()),
            ended,
        })
    }
}

/// A set of no states: bits from the start where that was asked for.
pub(super) fn empty_visited<K: Key, N: Numbering<K>>(
    request: &Request<K>,
    plan: &Plan,
    numbering: &N,
) -> Result<Visited<N::Code>, WorkError> {
    match (plan.bits_beyond(), numbering.size()) {
        (Some(0), Some(size)) => {
            let name = request.graph.opened.full_name();
            Visited::bits(size).map_err(|error| no_memory(&name, &error))
        }
        _ => Ok(Visited::hashed()),
    }
}

fn no_memory(name: &str, error: &std::io::Error) -> WorkError {
    WorkError::Memory(format!(
        "{name}: the system does not give the memory for a bit a rank ({error}); free some, or use --table hash"
    ))
}
