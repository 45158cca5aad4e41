//! Engines: strategies that walk the levels of a state graph and hand what they find to
//! observers. They differ in memory and speed, never in result.

pub mod beam;
pub mod bidirectional;
mod by_levels;
pub(crate) mod dense;
pub mod dfs;
pub(crate) mod disk;
pub mod find;
pub(crate) mod hash;
mod neighbours;
pub(crate) mod reference;
mod run;
pub(crate) mod sweep;

use std::sync::Arc;

use puzzle_api::{Capabilities, Direction, Key};
use rayon::prelude::*;
use serde::Serialize;

use crate::engine::Ask;
pub use crate::error::EngineError;
use crate::observers::{Observers, OrbitSizes};
pub use crate::steps::BATCH;
use crate::work::Subject;
use antipode_graph::{Graph, PluginError};
pub use dense::{FrontierForm, Options as DenseOptions, Plan as DensePlan, Representation};
pub use disk::{
    Locality, Options as DiskOptions, Work as DiskWork, open_folder as open_disk_folder, reach,
};
pub use neighbours::Neighbours;
pub use run::{BLOCKS, Companion, Journal, Run, run};

/// Where a search starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Roots<K> {
    /// The solved states of every part (backward).
    Solved,
    /// The instance's own start states (forward).
    Starts,
    /// One given state.
    State(K),
}

/// One search: what to walk, from where, how far.
#[derive(Debug, Clone)]
pub struct Search<K> {
    /// The graph.
    pub graph: Graph<K>,
    /// Along successors or predecessors.
    pub direction: Direction,
    /// Where it starts.
    pub roots: Roots<K>,
    /// Whether orbits stand for their states. Only right where the roots are closed
    /// under symmetry; [`Search::new`] finds out.
    pub symmetry: bool,
    /// Greatest level to walk.
    pub max_depth: Option<u16>,
    /// Bytes that engine `hash` may hold states in; `None` for all there are.
    pub memory: Option<u64>,
    /// What engine `dense` may take; `None` lets it find out for itself.
    pub dense: Option<DensePlan>,
    /// Where engine `disk` works, and what it may take.
    pub disk: Option<DiskOptions>,
    /// Its folder, where that is open already.
    pub work: Option<Arc<DiskWork>>,
    /// The rulebook, for samples of levels on disk.
    pub rules: Option<Graph<K>>,
    /// A goal that ends the walk behind the level it is in.
    pub watch: Option<Arc<by_levels::Watch<K>>>,
}

/// What a search walks and from where: the part of the identity of a work folder that all
/// searches share.
#[derive(Debug, Clone, Serialize)]
pub struct Asked {
    #[serde(flatten)]
    subject: Subject,
    direction: &'static str,
    roots: String,
    symmetry: bool,
}

/// Greatest distance that an engine tells apart from "not reached".
pub(crate) const DEEPEST: u16 = u16::MAX - 2;

impl<K: Key> Search<K> {
    /// A search that uses symmetry exactly where that changes no distance: when the roots
    /// are closed under it.
    ///
    /// # Errors
    /// [`PluginError`] where the puzzle cannot list roots or images.
    pub fn new(
        graph: Graph<K>,
        direction: Direction,
        roots: Roots<K>,
        max_depth: Option<u16>,
    ) -> Result<Self, PluginError> {
        let mut search = Self {
            graph,
            direction,
            roots,
            symmetry: false,
            max_depth,
            memory: None,
            dense: None,
            disk: None,
            work: None,
            rules: None,
            watch: None,
        };
        search.symmetry = search.graph.has(Capabilities::SYMMETRY) && search.roots_are_closed()?;
        Ok(search)
    }

    fn roots_are_closed(&self) -> Result<bool, PluginError> {
        if self.roots == Roots::Solved {
            // By contract symmetries map solved states to solved states.
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

    /// What it asks of an engine.
    #[must_use]
    pub fn ask(&self) -> Ask<'_, K> {
        Ask::Levels {
            direction: self.direction,
            whole: self.roots == Roots::Solved && self.max_depth.is_none(),
        }
    }

    /// Whether the run covers a whole space, so that what it leaves over is unsolvable.
    #[must_use]
    pub fn covers_space(&self) -> bool {
        self.max_depth.is_none() && self.may_cover_space()
    }

    /// Whether it would without a greatest level.
    pub(crate) fn may_cover_space(&self) -> bool {
        self.roots == Roots::Solved && self.graph.has(Capabilities::RANK)
    }

    /// What is walked and from where, for the identity of its work folder.
    #[must_use]
    pub fn asked(&self) -> Asked {
        Asked {
            subject: Subject::of(&self.graph.opened),
            direction: match self.direction {
                Direction::Forward => "forward",
                Direction::Backward => "backward",
            },
            roots: match &self.roots {
                Roots::Solved => "solved".to_owned(),
                Roots::Starts => "starts".to_owned(),
                Roots::State(key) => format!("{:x}", key.to_u128()),
            },
            symmetry: self.symmetry,
        }
    }

    /// Parts that the search walks, each on its own.
    ///
    /// # Errors
    /// [`PluginError`] where the puzzle cannot place the root.
    pub fn parts(&self) -> Result<Vec<u64>, EngineError> {
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
        let part = placed.first().and_then(|at| at.map(|at| at.part));
        Ok(vec![part.unwrap_or(0)])
    }

    /// Roots of a part, as given by the puzzle or the user.
    fn root_keys(&self, part: u64) -> Result<Vec<K>, PluginError> {
        match &self.roots {
            Roots::Solved => self.graph.roots(Direction::Backward, part),
            Roots::Starts => self.graph.roots(Direction::Forward, part),
            Roots::State(key) => Ok(vec![*key]),
        }
    }

    /// Roots of a part in the form the search works with, each once.
    fn distinct_roots(&self, part: u64) -> Result<Vec<K>, PluginError> {
        let mut keys = self.root_keys(part)?;
        self.reduce(&mut keys)?;
        keys.sort_unstable();
        keys.dedup();
        Ok(keys)
    }

    /// Replaces states by representatives where symmetry is used.
    fn reduce(&self, keys: &mut [K]) -> Result<(), PluginError> {
        if self.symmetry {
            self.graph.canonical(keys, None)?;
        }
        Ok(())
    }

    /// Shows one level of states to the observers. `keys` may hold several states of an
    /// orbit; only representatives count, with the size of their orbit.
    fn observe(
        &self,
        part: u64,
        keys: &[K],
        depth: u16,
        observers: &mut Observers<K>,
    ) -> Result<(), PluginError> {
        if let Some(watch) = &self.watch {
            watch.look(self, keys, depth)?;
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
                }
            }
            let sizes = OrbitSizes::Each(&sizes[..kept]);
            observers.observe_level(part, &canonical[..kept], depth, sizes);
        }
        Ok(())
    }

    /// As [`Search::observe`], a level in pieces, on all threads of the pool.
    fn observe_all(
        &self,
        part: u64,
        pieces: &[Vec<K>],
        depth: u16,
        observers: &mut Observers<K>,
    ) -> Result<(), PluginError> {
        let batches: Vec<&[K]> = pieces
            .iter()
            .flat_map(|keys| keys.chunks(OBSERVED_AT_ONCE))
            .collect();
        if let [only] = batches[..] {
            return self.observe(part, only, depth, observers);
        }
        let fresh = &*observers;
        let seen = batches
            .into_par_iter()
            .try_fold(
                || fresh.fork(),
                |mut seen, batch| {
                    self.observe(part, batch, depth, &mut seen)?;
                    Ok(seen)
                },
            )
            .try_reduce(
                || fresh.fork(),
                |mut seen, more| {
                    seen.absorb(more);
                    Ok::<_, PluginError>(seen)
                },
            )?;
        observers.absorb(seen);
        Ok(())
    }

    /// Shows every state of a part that `visited` does not hold as unsolvable.
    fn observe_rest(
        &self,
        part: u64,
        visited: impl Fn(&K) -> bool,
        observers: &mut Observers<K>,
    ) -> Result<(), PluginError> {
        let Some(size) = self.graph.space(part)? else {
            return Ok(());
        };
        let mut keys = Vec::new();
        for start in (0..size).step_by(BATCH) {
            let ranks: Vec<u64> = (start..size.min(start + BATCH as u64)).collect();
            self.graph.unrank(part, &ranks, &mut keys)?;
            keys.retain(|key| !visited(key));
            self.observe(part, &keys, puzzle_api::UNSOLVABLE, observers)?;
        }
        Ok(())
    }
}

/// States of a level that a thread shows to its observers before it takes others.
const OBSERVED_AT_ONCE: usize = 1 << 15;
