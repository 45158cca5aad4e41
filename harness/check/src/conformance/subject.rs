//! The states to check, ordered so that the smallest counterexamples come first.

use puzzle_api::{Direction, Key, Xorshift};

use super::Ended;
use super::report::{Board, Verdict};
use crate::verify::{Ascents, Oracle, PartRules, starts, steps};
use antipode_graph::{Capabilities, Expansion, Graph, PluginError};
use antipode_search::breadth_first::BreadthFirst;
use antipode_search::engines::{Roots, Search};
use antipode_search::forward::ForwardSolver;
use antipode_search::reconstruct_path::rising;
use antipode_search::steps::{BATCH, DirectionSteps};

/// A puzzle that fails while its states are collected.
#[derive(Debug)]
pub struct Stuck {
    /// The error.
    pub error: PluginError,
    /// The first state that it fails on, drawn.
    pub state: Option<String>,
}

impl From<PluginError> for Stuck {
    fn from(error: PluginError) -> Self {
        Self { error, state: None }
    }
}

impl Stuck {
    /// Looks for the first state of a level that a call fails on alone.
    fn among(
        graph: &Graph<u128>,
        ways: &[DirectionSteps],
        level: &[u128],
        error: PluginError,
    ) -> Self {
        let mut out = Expansion::default();
        let mut fault = |key| {
            let mut ways = ways.iter();
            ways.find_map(|way| way.expand(graph, &[key], &mut out).err())
        };
        let failing = level.iter().find_map(|&key| Some((key, fault(key)?)));
        match failing {
            Some((key, error)) => Self {
                error,
                state: Some(drawn(graph, key)),
            },
            None => error.into(),
        }
    }
}

/// The scope of the checks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scope {
    /// Seed of the draws.
    pub seed: u64,
    /// An instance of up to this many states is checked exhaustively.
    pub exhaustive: usize,
    /// Number of states checked in a larger one.
    pub sample: usize,
    /// Number of states checked on walks away from the roots, if there are any.
    pub deep: usize,
}

impl Scope {
    /// The scope of `test-plugin`.
    #[must_use]
    pub const fn thorough(seed: u64) -> Self {
        Self {
            seed,
            exhaustive: 400_000,
            sample: 20_000,
            deep: 5000,
        }
    }

    /// A scope that takes milliseconds.
    pub(crate) const QUICK: Self = Self {
        seed: 1,
        exhaustive: 256,
        sample: 256,
        deep: 0,
    };
}

/// Most states that the searches for those walks may see.
const DEEP_BUDGET: u64 = 1_000_000;

/// Number of parts to check if there are many.
const FEW_PARTS: u64 = 64;

/// One instance in one variant, with the states to check.
#[derive(Debug)]
pub struct Subject {
    /// The variant under test.
    pub graph: Graph<u128>,
    /// Variant `reference`, if the other variant is tested.
    pub reference: Option<Graph<u128>>,
    /// States, those nearest to the roots first, among them by key.
    pub states: Vec<u128>,
    /// The coverage of `states`, for the report.
    pub what: String,
    /// Whether `states` are all states of the numbering: at least one of every orbit.
    pub whole: bool,
    /// The scope of the checks.
    pub scope: Scope,
}

impl Subject {
    /// Collects states: all, if there are few, else those nearest to the roots and others drawn by
    /// the seed.
    ///
    /// # Errors
    /// [`Stuck`] if the puzzle fails.
    pub fn gather(
        graph: Graph<u128>,
        reference: Option<Graph<u128>>,
        boards: &[String],
        scope: Scope,
    ) -> Result<Self, Stuck> {
        let boards: Vec<u128> = boards
            .iter()
            .filter_map(|board| graph.parse(board).ok())
            .collect();
        let space = space(&graph, scope)?;
        // If the numbering shows that an instance is larger, only states near the roots.
        let most = match space {
            Some(space) if space > scope.exhaustive as u64 => scope.sample / 4,
            _ => scope.exhaustive,
        };
        let walk = walk(&graph, &boards, most)?;
        let mut subject = Self {
            graph,
            reference,
            states: walk.states,
            what: String::new(),
            whole: false,
            scope,
        };
        match space {
            Some(space) if space <= scope.exhaustive as u64 => subject.add_numbered()?,
            space if walk.closed => subject.add_ranks(space)?,
            space => {
                subject.add_drawn(space)?;
                subject.add_deep()?;
            }
        }
        Ok(subject)
    }

    /// The same subject with one state.
    #[must_use]
    pub fn narrowed(&self, state: u128) -> Self {
        Self {
            graph: self.graph.clone(),
            reference: self.reference.clone(),
            states: vec![state],
            what: self.what.clone(),
            whole: false,
            scope: Scope {
                exhaustive: 0,
                sample: 16,
                ..self.scope
            },
        }
    }

    /// Parts to check: all, or some drawn by the seed if there are many.
    #[must_use]
    pub fn parts(&self) -> Vec<u64> {
        parts(&self.graph, self.scope.seed)
    }

    fn add_numbered(&mut self) -> Result<(), PluginError> {
        let known = rising(&self.states);
        let mut rest = Vec::new();
        let mut keys = Vec::new();
        for part in 0..self.graph.opened.part_count {
            let ranks: Vec<u64> = (0..self.graph.space(part)?.unwrap_or(0)).collect();
            for ranks in ranks.chunks(BATCH) {
                self.graph.unrank(part, ranks, &mut keys)?;
                rest.extend(keys.iter().filter(|key| known.binary_search(key).is_err()));
            }
        }
        self.states.append(&mut rising(&rest));
        self.what = format!("all {} states of the numbering", self.states.len());
        self.whole = true;
        Ok(())
    }

    /// Adds some of the ranks to the reachable states: every state with a rank must keep the
    /// contract too.
    fn add_ranks(&mut self, space: Option<u64>) -> Result<(), PluginError> {
        self.what = format!("all {} states within reach", self.states.len());
        if space.is_none_or(|space| space == 0) {
            return Ok(());
        }
        let drawn = self.draw_by_rank(self.scope.sample)?;
        let count = self.append(drawn);
        if count > 0 {
            let seed = self.scope.seed;
            self.what = format!("{} and {count} drawn by rank, seed {seed}", self.what);
        }
        Ok(())
    }

    /// Adds the states that are not there yet; returns their number.
    fn append(&mut self, states: Vec<u128>) -> usize {
        let known: std::collections::HashSet<u128> = self.states.iter().copied().collect();
        let mut states = rising(&states);
        states.retain(|key| !known.contains(key));
        let count = states.len();
        self.states.append(&mut states);
        count
    }

    fn add_drawn(&mut self, space: Option<u64>) -> Result<(), PluginError> {
        let seed = self.scope.seed;
        let near = self.states.len().min(self.scope.sample / 4);
        let wanted = self.scope.sample - near;
        let drawn = if self.graph.has(Capabilities::RANDOM) {
            let mut drawn = self.graph.random(seed, 0, wanted)?;
            if space.is_some_and(|space| space > 0) {
                drawn.append(&mut self.draw_by_rank(wanted / 2)?);
            }
            drawn
        } else if space.is_some_and(|space| space > 0) {
            self.draw_by_rank(wanted)?
        } else {
            let mut random = Xorshift::for_draw(seed, 0);
            let bound = self.states.len() as u64;
            let draws = if bound == 0 { 0 } else { wanted };
            (0..draws)
                .map(|_| self.states[random.below(bound) as usize])
                .collect()
        };
        self.states.truncate(near);
        let count = self.append(drawn);
        self.what =
            format!("the {near} states nearest to the roots and {count} drawn, seed {seed}");
        Ok(())
    }

    /// Adds states on random shortest paths to great depths, if few of the drawn ones lie there.
    fn add_deep(&mut self) -> Result<(), Stuck> {
        if self.scope.deep == 0 {
            return Ok(());
        }
        let rules = self.reference.as_ref().unwrap_or(&self.graph).clone();
        let (direction, roots) = match rules.has(Capabilities::SOLVED_ROOTS) {
            true => (Direction::Backward, Roots::Solved),
            false => (Direction::Forward, Roots::Starts),
        };
        let search = Search::new(rules.clone(), direction, roots, None)?;
        let against = PartRules {
            search: &search,
            rules: &rules,
            whole: false,
        };
        let starts = starts(&against, self.scope.seed)?;
        let (Some((graph, way)), false) = (steps(&against), starts.is_empty()) else {
            return Ok(());
        };
        let oracle = Oracle::new(&search, ForwardSolver::new(rules.clone()))?;
        if oracle.obstacle().is_some() {
            return Ok(());
        }
        let walks = Ascents {
            oracle: &oracle,
            graph,
            way,
            starts: &starts,
            limit: None,
            budget: DEEP_BUDGET,
            seed: self.scope.seed,
        };
        let met = walks.walk(self.scope.deep as u64, self.scope.deep)?;
        let count = self.append(met.states.into_iter().map(|(key, _)| key).collect());
        if count > 0 {
            let deepest = met.deepest;
            self.what = format!(
                "{}, and {count} on walks away from the roots, the longest of {deepest} moves",
                self.what
            );
        }
        Ok(())
    }

    fn draw_by_rank(&self, wanted: usize) -> Result<Vec<u128>, PluginError> {
        let parts = self.parts();
        let mut random = Xorshift::for_draw(self.scope.seed, 1);
        let (mut drawn, mut keys) = (Vec::new(), Vec::new());
        for &part in &parts {
            let size = self.graph.space(part)?.unwrap_or(0);
            // The ends of a part too: an overstated size shows there first.
            let inner = wanted.div_ceil(parts.len()).max(2) - 2;
            let ranks: Vec<u64> = (0..inner)
                .map(|_| random.below(size))
                .chain([0, size.saturating_sub(1)])
                .filter(|_| size > 0)
                .collect();
            self.graph.unrank(part, &ranks, &mut keys)?;
            drawn.append(&mut keys);
        }
        Ok(drawn)
    }

    /// A verdict that no fault was found among the states.
    #[must_use]
    pub fn passed(&self) -> Verdict {
        passed(&self.what)
    }

    /// Ends a check that does not apply, since the instance does not offer something.
    pub(super) fn needs(&self, needed: Capabilities, why: &str) -> Result<(), Ended> {
        match self.graph.has(needed) {
            true => Ok(()),
            false => Err(Ended::Verdict(skipped(why))),
        }
    }

    /// Ends a check with a counterexample, as in [`Subject::failed`].
    pub(super) fn fail<T>(
        &self,
        text: impl Into<String>,
        states: &[(&str, u128)],
    ) -> Result<T, Ended> {
        Err(Ended::Verdict(self.failed(text, states)))
    }

    /// A verdict with a counterexample: the role and the key of each of its states.
    #[must_use]
    pub fn failed(&self, text: impl Into<String>, states: &[(&str, u128)]) -> Verdict {
        Verdict::Failed {
            text: text.into(),
            boards: self.boards(states),
            by_itself: false,
        }
    }

    pub(super) fn boards(&self, states: &[(&str, u128)]) -> Vec<Board> {
        let boards = states.iter().map(|&(role, key)| Board {
            role: role.to_owned(),
            state: self.drawn(key),
        });
        boards.collect()
    }

    /// A state as text, or its key if the puzzle cannot draw it.
    #[must_use]
    pub fn drawn(&self, key: u128) -> String {
        drawn(&self.graph, key)
    }
}

fn drawn(graph: &Graph<u128>, key: u128) -> String {
    match graph.draw(key) {
        Ok(text) if !text.is_empty() => text,
        _ => format!("key {:#x}", key.to_u128()),
    }
}

/// A number with its noun.
pub(super) fn counted(number: usize, noun: &str) -> String {
    match number {
        1 => format!("1 {noun}"),
        number => format!("{number} {noun}s"),
    }
}

/// A verdict that no fault was found in what was checked.
pub(super) fn passed(scope: impl Into<String>) -> Verdict {
    let scope = scope.into();
    Verdict::Passed { scope }
}

/// A verdict that a check does not apply.
pub(super) fn skipped(why: &str) -> Verdict {
    Verdict::Skipped { why: why.into() }
}

fn parts(graph: &Graph<u128>, seed: u64) -> Vec<u64> {
    let count = graph.opened.part_count;
    if count <= FEW_PARTS {
        return (0..count).collect();
    }
    let mut random = Xorshift::for_draw(seed, 2);
    rising(&[(); FEW_PARTS as usize].map(|()| random.below(count)))
}

/// Number of all ranks, if there is a numbering and the sum of the parts fits.
fn space(graph: &Graph<u128>, scope: Scope) -> Result<Option<u64>, PluginError> {
    let parts = graph.opened.part_count;
    if !graph.has(Capabilities::RANK) || parts > scope.exhaustive as u64 {
        return Ok(None);
    }
    let mut total: u64 = 0;
    for part in 0..parts {
        total = total.saturating_add(graph.space(part)?.unwrap_or(0));
    }
    Ok(Some(total))
}

struct RandomWalk {
    states: Vec<u128>,
    /// Whether no further state can be reached from the roots of any part.
    closed: bool,
}

/// Breadth-first from all roots along every kind of move that is offered.
fn walk(graph: &Graph<u128>, boards: &[u128], most: usize) -> Result<RandomWalk, Stuck> {
    let mut roots = graph.roots(Direction::Forward, 0)?;
    roots.extend_from_slice(boards);
    let parts = parts(graph, 1);
    if graph.has(Capabilities::SOLVED_ROOTS) {
        for &part in &parts {
            roots.extend(graph.roots(Direction::Backward, part)?);
        }
    }
    let all_parts = parts.len() as u64 == graph.opened.part_count;
    let mut ways = vec![DirectionSteps::FORWARD];
    if graph.has(Capabilities::PREDECESSORS) {
        ways.push(DirectionSteps::Listed(Direction::Backward));
    }
    let mut search = BreadthFirst::new(graph, &ways, &roots);
    let mut states = Vec::new();
    loop {
        let level = rising(search.level());
        states.extend_from_slice(&level);
        if level.is_empty() || states.len() > most {
            break;
        }
        search
            .advance()
            .map_err(|error| Stuck::among(graph, &ways, &level, error))?;
    }
    let closed = states.len() <= most && all_parts && !states.is_empty();
    Ok(RandomWalk { states, closed })
}
