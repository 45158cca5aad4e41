//! A search by levels: its graph, start and depth, and how its levels are shown.

use std::any::Any;
use std::ops::Range;
use std::sync::{Arc, Mutex};

use antipode_graph::{Capabilities, Graph, PluginError, direction_name};
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use puzzle_api::{Direction, Key, Placement, UNSOLVABLE, Xorshift};
use serde_json::{Value, json};

use crate::digest::key_text;
use crate::error::{Result, locked};
use crate::observers::{Observers, OrbitSizes};
use crate::options::DiskOptions;
pub(crate) use crate::outcome::DEEPEST;
use crate::parallel;
use crate::progress::{Progress, Stop};
use crate::question::{Ask, Goal, Roots};
use crate::steps::BATCH;
use crate::work::Subject;

/// The goal of a walk, and whether it was met.
#[derive(Debug)]
pub struct Watch<K> {
    goal: Goal<K>,
    met: Mutex<Option<(u16, K)>>,
    stop: Stop,
}

impl<K: Key> Watch<K> {
    /// Looks for a goal until the stop.
    pub(crate) fn new(goal: Goal<K>, stop: &Stop) -> Self {
        Self {
            goal,
            met: Mutex::default(),
            stop: stop.fork(),
        }
    }

    /// Set once a goal was met, or by the user.
    pub(crate) const fn stop(&self) -> &Stop {
        &self.stop
    }

    /// Checks states of a level; requests a stop after the level with a goal.
    fn look(&self, search: &Search<K>, keys: &[K], depth: u16) -> Result<(), PluginError> {
        let found = self.goal.smallest_of(&search.graph, keys)?;
        if let Some(key) = found {
            let mut met = locked(&self.met);
            *met = Some(met.map_or((depth, key), |before| before.min((depth, key))));
            self.stop.request();
        }
        Ok(())
    }

    /// The smallest goal of the first level with one, and its depth.
    pub(crate) fn met(&self) -> Option<(u16, K)> {
        *locked(&self.met)
    }
}

/// Opaque per-engine state.
#[derive(Debug, Clone, Default)]
pub struct Held(Option<Arc<dyn Any + Send + Sync>>);

impl Held {
    /// Wraps the state of an engine.
    pub fn of<T: Send + Sync + 'static>(held: T) -> Self {
        Self(Some(Arc::new(held)))
    }

    /// The content, if it is a `T`.
    pub fn get<T: 'static>(&self) -> Option<&T> {
        self.0.as_ref()?.downcast_ref()
    }
}

/// One search: its graph, start and depth.
#[derive(Debug, Clone)]
pub struct Search<K> {
    /// The graph.
    pub graph: Graph<K>,
    /// Along successors or predecessors.
    pub direction: Direction,
    /// Where it starts.
    pub roots: Roots<K>,
    /// Whether orbits represent their states. Only valid if the roots are closed under symmetry,
    /// which [`Search::new`] checks.
    pub symmetry: bool,
    /// Greatest level to walk.
    pub max_depth: Option<u16>,
    /// Bytes in which engine `hash` may hold states; `None` for no limit.
    pub memory: Option<u64>,
    /// The data that the engine prepared.
    pub held: Held,
    /// The folder of engine `disk`, and its limits.
    pub disk: Option<DiskOptions>,
    /// Files that the engine keeps on parts, if their folder is open already.
    pub work: Held,
    /// The rulebook, for samples of levels on disk.
    pub rules: Option<Graph<K>>,
    /// A goal that ends the walk after its level.
    pub watch: Option<Arc<Watch<K>>>,
    /// Detects that the levels repeat themselves, if only a library says that they do not.
    recurrence: Option<Arc<Recurrence<K>>>,
}

impl<K: Key> Search<K> {
    /// A search that uses symmetry exactly if that changes no distance, so if the roots are closed
    /// under it.
    ///
    /// # Errors
    /// [`PluginError`] if the puzzle cannot list roots or images.
    pub fn new(
        graph: Graph<K>,
        direction: Direction,
        roots: Roots<K>,
        max_depth: Option<u16>,
    ) -> Result<Self, PluginError> {
        let mut search = Self {
            recurrence: Recurrence::of(&graph).map(Arc::new),
            graph,
            direction,
            roots,
            symmetry: false,
            max_depth,
            memory: None,
            held: Held::default(),
            disk: None,
            work: Held::default(),
            rules: None,
            watch: None,
        };
        search.symmetry = search.graph.has(Capabilities::SYMMETRY) && search.roots_are_closed()?;
        Ok(search)
    }

    /// A search forward for a path from a state. Orbits do not represent states in it: the goal
    /// need not equal its mirror image, and a path consists of states.
    pub(crate) fn of_path(
        graph: &Graph<K>,
        start: K,
        max_depth: Option<u16>,
    ) -> Result<Self, PluginError> {
        let roots = Roots::State(start);
        let mut search = Self::new(graph.clone(), Direction::Forward, roots, max_depth)?;
        search.symmetry = false;
        Ok(search)
    }

    fn roots_are_closed(&self) -> Result<bool, PluginError> {
        if self.roots == Roots::Solved {
            // By contract, symmetries map solved states to solved states.
            return Ok(true);
        }
        let roots = self.root_keys(0)?;
        for &root in &roots {
            let images = self.graph.images(root)?;
            if !images.iter().all(|image| roots.contains(image)) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Its requirements for an engine.
    pub fn ask(&self) -> Ask<'_, K> {
        Ask::Levels {
            direction: self.direction,
            from: self.roots.state(),
            limited: self.max_depth.is_some(),
        }
    }

    /// Whether the run covers a whole space, so that the states it does not meet are unsolvable.
    pub fn covers_space(&self) -> bool {
        self.max_depth.is_none() && self.may_cover_space()
    }

    /// The same, ignoring a greatest level.
    pub(crate) fn may_cover_space(&self) -> bool {
        self.roots == Roots::Solved && self.graph.has(Capabilities::RANK)
    }

    /// Its graph and start with `more`, as the identity of its work folder.
    pub fn asked(&self, more: Value) -> Value {
        let mut all = Subject::of(&self.graph.opened).with(more);
        all["direction"] = json!(direction_name(self.direction));
        all["roots"] = json!(match &self.roots {
            Roots::Solved => "solved".to_owned(),
            Roots::Starts => "starts".to_owned(),
            Roots::State(key) => key_text(*key),
        });
        all["symmetry"] = json!(self.symmetry);
        all
    }

    /// Parts that the search walks, each separately.
    ///
    /// # Errors
    /// [`PluginError`] if the puzzle cannot place the root.
    pub fn parts(&self) -> Result<Vec<u64>> {
        if self.roots == Roots::Solved {
            return Ok((0..self.graph.opened.part_count).collect());
        }
        if !self.graph.has(Capabilities::PARTS) && !self.graph.has(Capabilities::RANK) {
            return Ok(vec![0]);
        }
        let mut placed = Vec::new();
        let mut roots = self.root_keys(0)?;
        self.graph.canonical(&mut roots, None)?;
        self.graph.place(&roots, &mut placed)?;
        let part = |at: &Option<Placement>| at.map_or(0, |at| at.part);
        let first = placed.first().map_or(0, part);
        if let Some(other) = placed.iter().map(part).find(|other| *other != first) {
            let fault =
                format!("lists states of parts {first} and {other}; starts lie in one part");
            return Err(self.graph.opened.broken("starts", fault).into());
        }
        Ok(vec![first])
    }

    /// Roots of a part, as given by the puzzle or the user.
    pub(crate) fn root_keys(&self, part: u64) -> Result<Vec<K>, PluginError> {
        match &self.roots {
            Roots::Solved => {
                let roots = self.graph.roots(Direction::Backward, part)?;
                self.are_solved(&roots)?;
                Ok(roots)
            }
            Roots::Starts => self.graph.roots(Direction::Forward, part),
            Roots::State(key) => Ok(vec![*key]),
        }
    }

    /// Checks the states that a loaded library lists as solved.
    fn are_solved(&self, roots: &[K]) -> Result<(), PluginError> {
        if self.graph.opened.library.is_built_in() {
            return Ok(());
        }
        let solved = self.graph.is_solved(roots)?;
        let Some(at) = solved.iter().position(|&solved| !solved) else {
            return Ok(());
        };
        let text = self.graph.draw(roots[at])?;
        let fault = format!("lists a state that is_solved says is not solved: {text}");
        Err(self.graph.opened.disagrees("solved_states", fault))
    }

    /// Roots of a part in the form that the search uses, each once.
    pub(crate) fn distinct_roots(&self, part: u64) -> Result<Vec<K>, PluginError> {
        let mut keys = self.root_keys(part)?;
        self.reduce(&mut keys)?;
        keys.sort_unstable();
        keys.dedup();
        Ok(keys)
    }

    /// Whether a goal that the walk looks for was met.
    pub(crate) fn has_met_goal(&self) -> bool {
        let watch = self.watch.as_ref();
        watch.is_some_and(|watch| watch.met().is_some())
    }

    /// Replaces states by representatives if symmetry is used.
    pub(crate) fn reduce(&self, keys: &mut [K]) -> Result<(), PluginError> {
        if self.symmetry {
            self.graph.canonical(keys, None)?;
        }
        Ok(())
    }

    /// Shows one level of states to the observers. `keys` may hold several states of an orbit. Only
    /// representatives count, with the size of their orbit.
    pub(crate) fn observe(
        &self,
        part: u64,
        keys: &[K],
        depth: u16,
        observers: &mut Observers<K>,
    ) -> Result<(), PluginError> {
        self.show(part, keys, depth, false, observers)
    }

    /// Like [`Search::observe`]; `reduced` if all states should be representatives.
    fn show(
        &self,
        part: u64,
        keys: &[K],
        depth: u16,
        reduced: bool,
        observers: &mut Observers<K>,
    ) -> Result<(), PluginError> {
        if let Some(watch) = &self.watch {
            watch.look(self, keys, depth)?;
        }
        if let Some(recurrence) = &self.recurrence {
            recurrence.look(&self.graph, part, keys, depth)?;
        }
        for chunk in keys.chunks(BATCH) {
            if !self.symmetry {
                observers.observe_level(part, chunk, depth, OrbitSizes::Uniform(1));
                continue;
            }
            let mut canonical = chunk.to_vec();
            let mut sizes = Vec::new();
            self.graph.canonical(&mut canonical, Some(&mut sizes))?;
            let mut kept = 0;
            for i in 0..chunk.len() {
                if canonical[i] == chunk[i] {
                    canonical[kept] = chunk[i];
                    sizes[kept] = sizes[i];
                    kept += 1;
                } else if reduced {
                    let text = self.graph.draw(chunk[i])?;
                    let fault = format!(
                        "does not keep a state that stands for its orbit as expand or canonical has it: {text}"
                    );
                    return Err(self.graph.opened.disagrees("canonical", fault));
                }
            }
            let sizes = OrbitSizes::Each(&sizes[..kept]);
            observers.observe_level(part, &canonical[..kept], depth, sizes);
        }
        Ok(())
    }

    /// Like [`Search::observe`], for a level in pieces, on all threads of the pool; `reduced` if all
    /// of its states should be representatives.
    pub(crate) fn observe_all(
        &self,
        part: u64,
        pieces: &[Vec<K>],
        depth: u16,
        reduced: bool,
        observers: &mut Observers<K>,
    ) -> Result<(), PluginError> {
        let batches: Vec<&[K]> = pieces.iter().flat_map(|keys| keys.chunks(BATCH)).collect();
        if let [only] = batches[..] {
            return self.show(part, only, depth, reduced, observers);
        }
        let seen = self.on_all_threads(batches.len(), observers, &|at, seen| {
            self.show(part, batches[at], depth, reduced, seen)
        })?;
        observers.absorb(seen);
        Ok(())
    }

    /// Checks some of the ranks that a loaded library counts: with a count that is far too large,
    /// a walk over all of them would never end.
    fn ranks_are_states(&self, part: u64, size: u64) -> Result<(), PluginError> {
        if self.graph.proves(Capabilities::RANK) || size == 0 {
            return Ok(());
        }
        let mut random = Xorshift::for_draw(1, part);
        let mut ranks: Vec<u64> = (0..RANKS_TRIED).map(|_| random.below(size)).collect();
        ranks.push(size - 1);
        let mut keys = Vec::new();
        self.graph.unrank(part, &ranks, &mut keys)?;
        self.ranks_come_back(part, &ranks, &keys)?;
        for (&rank, &key) in ranks.iter().zip(&keys) {
            let text = self.graph.draw(key)?;
            if self.graph.parse(&text).ok() != Some(key) {
                return Err(self.no_state_of(part, rank, &text));
            }
        }
        Ok(())
    }

    /// Checks that states that a loaded library gives for some ranks have these ranks. If this
    /// holds for all ranks of a part, its states are numbered one to one.
    pub(crate) fn ranks_come_back(
        &self,
        part: u64,
        ranks: &[u64],
        keys: &[K],
    ) -> Result<(), PluginError> {
        if self.graph.proves(Capabilities::RANK) {
            return Ok(());
        }
        let mut placed = Vec::new();
        self.graph.place(keys, &mut placed)?;
        let is_rank = |(&rank, at): (&u64, &Option<Placement>)| {
            at.is_some_and(|at| (at.part, at.rank) == (part, rank))
        };
        match ranks.iter().zip(&placed).position(|pair| !is_rank(pair)) {
            None => Ok(()),
            Some(at) => Err(self.no_state_of(part, ranks[at], &self.graph.draw(keys[at])?)),
        }
    }

    fn no_state_of(&self, part: u64, rank: u64, text: &str) -> PluginError {
        let fault =
            format!("gives for rank {rank} of part {part} what is no state of that rank: {text}");
        self.graph.opened.disagrees("unrank", fault)
    }

    /// Checks a number of states against the ranks that a loaded library counts in some parts. All
    /// states of a `whole` table are at least as many, as every rank is a state. They are no more
    /// if every image of a state has a rank.
    pub(crate) fn accounts_for(
        &self,
        states: u64,
        parts: Range<u64>,
        whole: bool,
    ) -> Result<(), PluginError> {
        if self.graph.opened.library.is_built_in() || !self.graph.has(Capabilities::RANK) {
            return Ok(());
        }
        let mut ranks = 0_u64;
        for part in parts.clone() {
            match self.graph.space(part)? {
                Some(size) => ranks = ranks.saturating_add(size),
                None => return Ok(()),
            }
        }
        let too_few = whole && self.covers_space() && states < ranks;
        if too_few || states > ranks && self.ranks_are_all(parts)? {
            let fault = format!(
                "counts {ranks} states, and the levels have {states}: one of the two is wrong"
            );
            return Err(self.graph.opened.disagrees("space", fault));
        }
        Ok(())
    }

    /// Whether every image of the states of some ranks has a rank too.
    fn ranks_are_all(&self, parts: Range<u64>) -> Result<bool, PluginError> {
        let mut placed = Vec::new();
        for part in parts {
            let size = self.graph.space(part)?.unwrap_or(0);
            let apart = (size / IMAGES_TRIED).max(1) as usize;
            let ranks: Vec<u64> = (0..size).step_by(apart).collect();
            for ranks in ranks.chunks(BATCH) {
                let mut keys = Vec::new();
                self.graph.unrank(part, ranks, &mut keys)?;
                let images = self.graph.images_of(&keys)?;
                self.graph.place(&images, &mut placed)?;
                if placed.iter().any(Option::is_none) {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Shows every state of a part that was not met as unsolvable, on all threads of the pool.
    /// These are the states of the ranks in `unmet`, except for those in `visited`. Shows nothing,
    /// and returns false, if a stop is requested meanwhile.
    pub(crate) fn observe_rest(
        &self,
        part: u64,
        unmet: impl Fn(Range<u64>) -> Vec<u64> + Sync,
        visited: impl Fn(&K) -> bool + Sync,
        observers: &mut Observers<K>,
        progress: &Progress,
    ) -> Result<bool, PluginError> {
        let Some(size) = self.graph.space(part)? else {
            return Ok(true);
        };
        self.ranks_are_states(part, size)?;
        let batches = size.div_ceil(BATCH as u64) as usize;
        let seen = self.on_all_threads(batches, observers, &|batch, seen| {
            if progress.stopping() {
                return Ok(());
            }
            let start = (batch * BATCH) as u64;
            let ranks = unmet(start..size.min(start + BATCH as u64));
            let mut keys = Vec::new();
            self.graph.unrank(part, &ranks, &mut keys)?;
            keys.retain(|key| !visited(key));
            self.observe(part, &keys, puzzle_api::UNSOLVABLE, seen)
        })?;
        let stopped = progress.stopping();
        if !stopped {
            observers.absorb(seen);
        }
        Ok(!stopped)
    }

    /// Shows numbered pieces of work to forks of some observers, on all threads of the pool; returns
    /// what they saw, in order.
    fn on_all_threads(
        &self,
        pieces: usize,
        fresh: &Observers<K>,
        show: &ShowPiece<'_, K>,
    ) -> Result<Observers<K>, PluginError> {
        let group = pieces
            .div_ceil(GROUPS * rayon::current_num_threads())
            .max(1);
        let seen = parallel::try_map((0..pieces).step_by(group), |start| {
            let mut seen = fresh.fork();
            let mut group = start..pieces.min(start + group);
            group.try_for_each(|piece| show(piece, &mut seen))?;
            Ok(seen)
        })?;
        let mut all = fresh.fork();
        seen.into_iter().for_each(|seen| all.absorb(seen));
        Ok(all)
    }
}

/// Shows a numbered piece of work to observers.
type ShowPiece<'a, K> = dyn Fn(usize, &mut Observers<K>) -> Result<(), PluginError> + Sync + 'a;

/// Groups of pieces of work per thread, each of which has its own observers.
const GROUPS: usize = 8;
/// Number of ranks tried before a walk over all of them.
const RANKS_TRIED: usize = 64;
/// The same for each part after a walk that met more states than ranks.
const IMAGES_TRIED: u64 = 1 << 16;

// Checks whether a state is met again at another level, if a library says that none is.
//
// If a puzzle is declared layered or undirected, engines forget the states met two levels ago. If
// that is wrong, a state returns as new, and on a finite graph the levels never end. For plugins
// this property is unproven, so a few states are kept and looked for in every level: the smallest
// of the roots, and of levels 1, 2, 4, 8 and so on. A walk that forgets ends in a cycle, and by
// then a kept state is on it (as in Brent's cycle detection).

/// Number of parts whose states are kept at once. The others are done, or start again.
const PARTS: usize = 4096;

/// States of the levels of a search, a few of each part.
#[derive(Debug)]
pub(crate) struct Recurrence<K> {
    /// The library's statement.
    said: &'static str,
    parts: Mutex<HashMap<u64, SmallestStates<K>, FixedState>>,
}

/// The smallest state of some levels, the deepest last.
#[derive(Debug)]
struct SmallestStates<K>(Vec<(u16, K)>);

impl<K: Key> Recurrence<K> {
    /// A check for a graph whose library declares a property on which an engine would rely.
    pub(crate) fn of(graph: &Graph<K>) -> Option<Self> {
        let said = said(graph)?;
        Some(Self {
            said,
            parts: Mutex::default(),
        })
    }

    /// Checks the states of a level.
    ///
    /// # Errors
    /// [`PluginError::Disagree`] with a state that is met at two levels.
    pub(crate) fn look(
        &self,
        graph: &Graph<K>,
        part: u64,
        keys: &[K],
        depth: u16,
    ) -> Result<(), PluginError> {
        let Some(&least) = keys.iter().min().filter(|_| depth != UNSOLVABLE) else {
            return Ok(());
        };
        let kept = {
            let mut parts = locked(&self.parts);
            if parts.len() == PARTS && !parts.contains_key(&part) {
                parts.clear();
            }
            let part = parts
                .entry(part)
                .or_insert_with(|| SmallestStates(Vec::new()));
            part.keep(least, depth);
            part.0.clone()
        };
        for &key in keys {
            let again = kept.iter().find(|kept| kept.1 == key && kept.0 != depth);
            if let Some(&(before, _)) = again {
                return Err(broken(graph, self.said, key, before.into(), depth.into()));
            }
        }
        Ok(())
    }
}

impl<K: Key> SmallestStates<K> {
    fn keep(&mut self, key: K, depth: u16) {
        match self.0.last_mut() {
            Some((last, kept)) if *last == depth => *kept = key.min(*kept),
            // A run that starts again.
            Some((last, _)) if *last > depth => {}
            _ if depth == 0 || depth.is_power_of_two() => self.0.push((depth, key)),
            _ => {}
        }
    }
}

/// A loaded library's statement about repetitions; for a built-in puzzle it is true.
pub(crate) fn said<K: Key>(graph: &Graph<K>) -> Option<&'static str> {
    if graph.proves(Capabilities::NONE) {
        None
    } else if graph.has(Capabilities::LAYERED) {
        Some("layered")
    } else {
        graph.has(Capabilities::UNDIRECTED).then_some("undirected")
    }
}

/// The error for a state that is met at two levels.
pub(crate) fn broken<K: Key>(
    graph: &Graph<K>,
    said: &str,
    key: K,
    before: usize,
    depth: usize,
) -> PluginError {
    let drawn = graph
        .draw(key)
        .unwrap_or_else(|_| format!("key {:#x}", key.to_u128()));
    let fault = format!(
        "says that the puzzle is {said}, but this state comes up after {before} moves and again, as new, after {depth}: {drawn}"
    );
    graph.opened.disagrees("facts", fault)
}
