//! The checks of a run: their preparation, their work during the run, and the result.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use puzzle_api::{Direction, Key, Settings, UNSOLVABLE};

use antipode_reports::model::Evidence;

use super::Request;
use super::plan::AnalysisPlan;
use crate::verify::{
    Brought, ConsistencyFrame, ConsistencyScope, DrawnDistances, Keys, LEAST_SAMPLE, Oracle,
    PartRules, Proof, ascended, ascents, check_part, check_part_by, consistency, covers, deepest,
    draw_list, exclusiveness, inclusiveness, not_done, playouts, playouts_met, strays, too_few,
};
use antipode_graph::{Capabilities, Graph, Library, PluginError, builtin, ledger, lock};
use antipode_search::digest::hash_key;
use antipode_search::engines::{EngineError, EngineRun, PartHook, Roots};
use antipode_search::observers::{Distance, InclusionList, Observers, Sample, Sampling, Spot};
use antipode_search::progress::{Progress, Stop};

/// The checks that a search runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Checks {
    /// States drawn for the inclusiveness check, and walks of the playouts; 0 leaves both out.
    pub inclusion: u64,
    /// One state in this many is measured by the rules; 0 leaves exclusiveness out.
    pub exclusion_one_in: u64,
    /// The scope of the consistency check.
    pub consistency: ConsistencyScope,
}

impl Checks {
    /// No checks.
    pub const OFF: Self = Self {
        inclusion: 0,
        exclusion_one_in: 0,
        consistency: ConsistencyScope::Off,
    };

    /// The consistency check alone.
    #[must_use]
    pub const fn only(consistency: ConsistencyScope) -> Self {
        Self {
            consistency,
            ..Self::OFF
        }
    }
}

/// The results of a run's checks.
#[derive(Debug, Default)]
pub(super) struct CheckResults {
    pub(super) evidence: Vec<Evidence>,
    /// A line for each of the first few faults.
    pub(super) faults: Vec<String>,
    pub(super) proof: Proof,
}

/// Total of states that the searches of the exclusiveness check may see, per block at least
/// [`LEAST_BUDGET`].
const BUDGET: u64 = 10_000_000;
const LEAST_BUDGET: u64 = 300_000;
/// Number of states measured in parallel.
const ROUND: usize = 64;
/// Number of waiting states before a smaller share is picked, if the size of the search is not
/// known in advance.
const WAITING: usize = 4000;
/// Most states of a part that are checked, except for a proof.
const HELD: usize = 8_000_000;

/// A part that numbers at most this many is checked whole, whatever symmetries it lists.
const FEW_RANKS: u64 = 65_536;

/// A part without numbers is checked up to this number of orbits, whatever symmetries it lists.
const FEW_ORBITS: usize = 1024;
/// At least one drawn state in this many must be one that the run should find; else playouts are
/// made too.
const REACHED_ONE_IN: usize = 20;

/// A prepared check, or why it cannot be made.
type Ready<T> = Option<Result<T, String>>;

/// The checks of one run.
pub(super) struct Checking<'a, K> {
    plan: &'a AnalysisPlan<K>,
    checks: Checks,
    oracle: Option<Oracle<K>>,
    /// How the inclusiveness check drew, and what it left out.
    drawn: Ready<(String, String)>,
    /// The playouts' own description, and whether their distances are exact.
    walked: Ready<(String, bool)>,
    /// The ascents' own description.
    ascended: Option<String>,
    seed: u64,
    list: Arc<InclusionList<K>>,
    chosen: BTreeSet<u64>,
    blocks: u64,
    stop: Stop,
    /// The puzzle's own proof of parts, if it replaces the check of every state.
    brought: Option<Brought>,
    /// States in no part.
    strays: Vec<String>,
    /// Every state met, if moves out of them are counted.
    met: Option<Mutex<Vec<Distance<K>>>>,
    /// Ranks of the largest part, if every part has a few.
    few: Option<u64>,
}

impl<'a, K: Key> Checking<'a, K> {
    /// Draws, walks and measures the data with which the checks compare the run.
    pub(super) fn prepare(
        plan: &'a AnalysisPlan<K>,
        request: &Request,
        stop: &Stop,
    ) -> Result<Self, EngineError> {
        let checks = request.checks;
        let measures = checks.inclusion > 0 || checks.exclusion_one_in > 0;
        let oracle = measures
            .then(|| Oracle::new(&plan.search, plan.rules.clone()))
            .transpose()?;
        let parts = plan.search.parts()?;
        let mut checking = Self {
            plan,
            checks,
            oracle,
            drawn: None,
            walked: None,
            ascended: None,
            seed: request.seed,
            list: Arc::default(),
            chosen: checks.consistency.parts(&parts),
            blocks: (parts.len() as u64).min(antipode_search::engines::BLOCKS as u64),
            stop: stop.clone(),
            brought: brought(plan, checks.consistency)?,
            strays: Vec::new(),
            met: request.moves.then(Mutex::default),
            few: None,
        };
        checking.few = checking.few_ranks(&parts)?;
        if checks.consistency != ConsistencyScope::Off && plan.search.roots == Roots::Solved {
            checking.strays = strays(&checking.against(), request.seed)?;
        }
        checking.draw(request.seed)?;
        Ok(checking)
    }

    /// Ranks of the largest part, if there are few in each and orbits are searched.
    fn few_ranks(&self, parts: &[u64]) -> Result<Option<u64>, PluginError> {
        let mut most = None;
        for &part in parts.iter().filter(|_| self.plan.search.symmetry) {
            match self.plan.search.graph.space(part)? {
                Some(ranks) if ranks <= FEW_RANKS => most = most.max(Some(ranks)),
                _ => return Ok(None),
            }
        }
        Ok(most)
    }

    fn draw(&mut self, seed: u64) -> Result<(), EngineError> {
        let count = self.checks.inclusion;
        let Some(oracle) = self.oracle.as_ref().filter(|_| count > 0) else {
            return Ok(());
        };
        // A run that was stopped before its search has nothing to compare.
        if self.stop.requested() {
            self.drawn = Some(Err(STOPPED.into()));
            return Ok(());
        }
        let against = self.against();
        let (states, drawn) = match draw_list(&against, oracle, seed, count)? {
            Ok(drawn) => (drawn.states, Ok((drawn.how, drawn.remarks))),
            Err(why) => (Vec::new(), Err(why)),
        };
        let reached = states.iter().filter(|state| state.2 != UNSOLVABLE).count();
        let forward = self.plan.search.direction == Direction::Forward;
        let (mut ends, mut walked) = (Vec::new(), None);
        if !self.stop.requested() && (forward || reached * REACHED_ONE_IN <= states.len()) {
            walked = Some(match playouts(&against, seed, count)? {
                Ok(playouts) => {
                    ends = playouts.ends;
                    Ok((playouts.text, playouts.exact))
                }
                Err(why) => Err(why),
            });
        }
        let ascended = self.ascend(oracle, seed)?;
        let ways = ascended.as_ref().map(|(ways, _)| ways.clone());
        let ways = ways.unwrap_or_default();
        self.list = Arc::new(InclusionList::with_walks(states, ends, ways));
        self.ascended = ascended.map(|(_, text)| text);
        self.drawn = Some(drawn);
        self.walked = walked;
        Ok(())
    }

    /// Walks away from the roots; `None` if every state is checked anyway.
    fn ascend(
        &self,
        oracle: &Oracle<K>,
        seed: u64,
    ) -> Result<Option<(DrawnDistances<K>, String)>, EngineError> {
        let against = self.against();
        let all = self.checks.consistency == ConsistencyScope::All;
        let numbered = against.numbering().is_some() || self.brought.is_some();
        match (all && numbered, oracle.obstacle()) {
            _ if self.stop.requested() => Ok(None),
            (false, None) => Ok(ascents(&against, oracle, seed)?),
            _ => Ok(None),
        }
    }

    fn against(&self) -> PartRules<'a, K> {
        PartRules {
            search: &self.plan.search,
            rules: self.plan.rules.graph(),
            whole: self.plan.whole(),
        }
    }

    /// The observers of the run.
    pub(super) fn observers(&self, seed: u64) -> Result<Observers<K>, EngineError> {
        let one_in = match &self.oracle {
            Some(oracle) if oracle.obstacle().is_none() => self.checks.exclusion_one_in,
            _ => 0,
        };
        let mut observers = Observers::new(Arc::clone(&self.list), Sampling::new(seed, one_in));
        // If the ranks are counted, the caller chose the share by them.
        let counted = self.plan.search.covers_space();
        if one_in > 0 && !counted && self.blocks == 1 {
            observers.spots.pick_up_to(one_in, WAITING);
        }
        Ok(observers)
    }

    /// Every state met, if they were kept; call it once, after the run.
    pub(super) fn met(&self) -> Option<Vec<Distance<K>>> {
        Some(std::mem::take(&mut *lock(self.met.as_ref()?)))
    }

    /// Most states of a part that are checked.
    fn most_checked(&self) -> usize {
        if self.brought.is_some() {
            return usize::MAX;
        }
        let states = match self.checks.consistency {
            ConsistencyScope::All => return usize::MAX,
            ConsistencyScope::Fitting { states } => states as usize,
            ConsistencyScope::Off | ConsistencyScope::Parts { .. } => HELD,
        };
        if !self.plan.search.symmetry {
            return states;
        }
        // States with symmetries of their own have few images, and a library may list one symmetry
        // often: what is small is checked all the same.
        let small = self.few.map_or(FEW_ORBITS, |ranks| ranks as usize);
        let symmetries = self.plan.search.graph.opened.symmetry_count.max(1) as usize;
        (states / symmetries).max(small.min(states))
    }

    /// Outcome of the checks.
    pub(super) fn outcome(&self, run: &EngineRun<K>) -> Result<CheckResults, PluginError> {
        if self.checks == Checks::OFF {
            return Ok(CheckResults::default());
        }
        let (consistent, proof, faulty) = self.consistency(run);
        let mut checks = Vec::new();
        if self.checks != Checks::only(self.checks.consistency) {
            checks.push(self.inclusiveness(run)?);
            checks.extend(self.playouts(run)?);
            checks.push(self.exclusiveness(run));
            checks.extend(self.deepest(run)?);
            if let (Some(text), true) = (&self.ascended, run.complete()) {
                checks.push(ascended(&run.observers.strikes, text, &self.drawing()));
            }
        }
        checks.push((consistent, faulty));
        let (evidence, faults): (Vec<_>, Vec<_>) = checks.into_iter().unzip();
        Ok(CheckResults {
            evidence,
            faults: faults.concat(),
            proof: match run.complete() {
                true => proof,
                false => Proof::None,
            },
        })
    }

    fn drawing(&self) -> impl Fn(K) -> String + '_ {
        let graph = &self.plan.search.graph;
        |key| graph.draw(key).unwrap_or_else(|error| error.to_string())
    }

    /// Whether some samples include all states that the puzzle numbers.
    fn are_all(&self, of: impl Fn(&Sample<K>) -> bool) -> Result<bool, PluginError> {
        let samples = self.list.samples.iter().filter(|sample| of(sample));
        let keys: Vec<K> = samples.map(|sample| sample.key).collect();
        covers(&self.against(), &keys)
    }

    fn inclusiveness(&self, run: &EngineRun<K>) -> Result<(Evidence, Vec<String>), PluginError> {
        Ok(match &self.drawn {
            None => left_out("inclusiveness", NOT_ASKED),
            Some(Err(why)) => left_out("inclusiveness", why),
            Some(Ok(_)) if !run.complete() => left_out("inclusiveness", STOPPED),
            Some(Ok((how, remarks))) => {
                let strikes = &run.observers.strikes;
                let whole = self.plan.whole();
                let all = self.are_all(|sample| sample.expected.is_some())?;
                let found = inclusiveness(strikes, whole, how, remarks, &self.drawing());
                self.enough(found, all)
            }
        })
    }

    /// A check of drawn states, if enough were requested, or some were wrong; `all` means that no
    /// state was left out.
    fn enough(
        &self,
        (mut evidence, faults): (Evidence, Vec<String>),
        all: bool,
    ) -> (Evidence, Vec<String>) {
        let asked = self.checks.inclusion;
        evidence.population = all.then_some(evidence.sampled);
        match evidence.wrong == 0 && asked < LEAST_SAMPLE {
            true => (not_done(&evidence.what, &too_few(asked)), faults),
            false => (evidence, faults),
        }
    }

    fn playouts(&self, run: &EngineRun<K>) -> Result<Option<(Evidence, Vec<String>)>, PluginError> {
        let Some(walked) = &self.walked else {
            return Ok(None);
        };
        Ok(Some(match walked {
            Err(why) => left_out("playouts", why),
            Ok(_) if !run.complete() => left_out("playouts", STOPPED),
            Ok((text, exact)) => {
                let strikes = &run.observers.strikes;
                let all = self.are_all(|sample| sample.within.is_some())?;
                self.enough(playouts_met(strikes, *exact, text, &self.drawing()), all)
            }
        }))
    }

    fn exclusiveness(&self, run: &EngineRun<K>) -> (Evidence, Vec<String>) {
        let Some(oracle) = &self.oracle else {
            return left_out("exclusiveness", NOT_ASKED);
        };
        match oracle.obstacle() {
            _ if self.checks.exclusion_one_in == 0 => left_out("exclusiveness", NOT_ASKED),
            Some(why) => left_out("exclusiveness", &why),
            None => {
                let seen = &run.observers;
                let met = seen.levels.total_orbits();
                exclusiveness(&seen.spots, oracle.way(), met, &self.drawing())
            }
        }
    }

    /// The states at the greatest distance; `None` if every state is checked anyway.
    fn deepest(&self, run: &EngineRun<K>) -> Result<Option<(Evidence, Vec<String>)>, PluginError> {
        let all = self.checks.consistency == ConsistencyScope::All;
        let oracle = self.oracle.as_ref();
        let able = oracle.filter(|oracle| oracle.obstacle().is_none());
        let asked = self.checks.exclusion_one_in > 0;
        match able.filter(|_| asked && !all && run.complete()) {
            None => Ok(None),
            Some(oracle) => {
                let found = &run.observers.antipodes;
                deepest(oracle, found, self.seed, &self.stop, &self.drawing())
            }
        }
    }

    fn consistency(&self, run: &EngineRun<K>) -> (Evidence, Proof, Vec<String>) {
        if self.checks.consistency == ConsistencyScope::Off {
            return (not_done("consistency", NOT_ASKED), Proof::None, Vec::new());
        }
        let search = &self.plan.search;
        let library = &search.graph.opened.library;
        let frame = ConsistencyFrame {
            direction: search.direction,
            parts_total: run.parts_total,
            max_depth: search.max_depth,
            most_states: self.most_checked(),
            brought: self.brought.as_ref(),
            parts_said: run.parts_total > 1
                && (library.variants.len() == 1 || !self.against().rules.has(Capabilities::PARTS))
                && !search.graph.proves(Capabilities::NONE),
            strays: &self.strays,
            learned: self.against().rules.opened.library.is_program(),
        };
        consistency(&run.observers.consistency, &frame)
    }

    /// Measures the states picked from a block, in an order independent of them,
    /// within the budget.
    fn measure(&self, oracle: &Oracle<K>, seen: &mut Observers<K>) -> Result<(), PluginError> {
        let budget = (BUDGET / self.blocks.max(1)).max(LEAST_BUDGET);
        let sampling = seen.spots.sampling();
        let mut waiting: Vec<Spot<K>> = std::mem::take(&mut seen.spots.waiting);
        let hash = |spot: &Spot<K>| hash_key(spot.key.to_u128()) as u64;
        waiting.sort_unstable_by_key(|spot| (sampling.place(hash(spot)), spot.key));
        let (mut spent, mut hopeless) = (0, Keys::default());
        for round in waiting.chunks(ROUND) {
            if spent > budget || self.stop.requested() {
                seen.spots.left += round.len() as u64;
                continue;
            }
            let asked: Vec<_> = round
                .iter()
                .map(|spot| (spot.key, Some(spot.depth)))
                .collect();
            let measured = oracle.distances(&asked, &mut hopeless)?;
            for (&spot, (distance, states)) in round.iter().zip(measured) {
                spent += states;
                match distance {
                    Some(distance) => seen.spots.record(spot, distance),
                    None => seen.spots.left += 1,
                }
            }
        }
        Ok(())
    }
}

/// A check that was left out, without a fault.
fn left_out(what: &str, why: &str) -> (Evidence, Vec<String>) {
    (not_done(what, why), Vec::new())
}

const NOT_ASKED: &str = "it was not asked for";
const STOPPED: &str = "the run was stopped before its end";

impl<K: Key> PartHook<K> for Checking<'_, K> {
    fn wants(&self, part: u64) -> bool {
        self.met.is_some() || self.chosen.contains(&part)
    }

    fn most_states(&self) -> usize {
        match self.met {
            Some(_) => usize::MAX,
            None => self.most_checked(),
        }
    }

    fn part_done(
        &self,
        part: u64,
        states: Option<&[Distance<K>]>,
        seen: &mut Observers<K>,
        progress: &Progress,
    ) -> Result<bool, EngineError> {
        ledger::keep_recent();
        if let (Some(met), Some(states)) = (&self.met, states) {
            lock(met).extend_from_slice(states);
            if !self.chosen.contains(&part) {
                return Ok(true);
            }
        }
        let tally = &mut seen.consistency;
        match states.filter(|states| states.len() <= self.most_checked()) {
            Some(states) => match &self.brought {
                None => check_part(&self.against(), part, states, tally, progress),
                Some(brought) => {
                    let rules = self.plan.rules.graph();
                    check_part_by(&*brought.proof, rules, part, states, tally)?;
                    Ok(!progress.stopping())
                }
            },
            None => {
                tally.too_large += 1;
                Ok(true)
            }
        }
    }

    fn block_done(&self, seen: &mut Observers<K>) -> Result<(), EngineError> {
        if let Some(oracle) = &self.oracle {
            self.measure(oracle, seen)?;
        }
        Ok(())
    }
}

/// The proof of a built-in puzzle, if it fits the run. It covers whole parts, which are too many or
/// too large to check state by state.
fn brought<K: Key>(
    plan: &AnalysisPlan<K>,
    scope: ConsistencyScope,
) -> Result<Option<Brought>, EngineError> {
    let search = &plan.search;
    // It counts orbits for a puzzle with symmetries, and states for one without.
    let as_delivered = search.symmetry || !search.graph.has(Capabilities::SYMMETRY);
    let wanted = matches!(
        scope,
        ConsistencyScope::All | ConsistencyScope::Parts { .. }
    );
    let fits = plan.whole()
        && as_delivered
        && search.direction == Direction::Backward
        && matches!(search.roots, Roots::Solved);
    if !wanted || !fits {
        return Ok(None);
    }
    let opened = &search.graph.opened;
    let refused = |why: String| EngineError::CannotHold(format!("{}: {why}", opened.full_name()));
    let proof = builtin::proof(opened).map_err(|error| refused(error.to_string()))?;
    let Some(proof) = proof else { return Ok(None) };
    let foundation = proof.foundation().map_err(refused)?;
    Ok(Some(Brought { proof, foundation }))
}

/// States in the numbering of an instance; 0 if it has none.
///
/// # Errors
/// [`EngineError`] if the instance cannot be opened.
pub fn numbered_states(
    library: &Arc<Library>,
    instance: &str,
    settings: &Settings,
) -> Result<u64, EngineError> {
    let opened = library.open(instance, &library.variants[0], settings)?;
    let graph = Graph::of(opened);
    let mut total = 0_u64;
    for part in 0..graph.opened.part_count {
        total = total.saturating_add(graph.space(part)?.unwrap_or(0));
    }
    Ok(total)
}

/// Whether an instance lists its solved states, so that a search can walk from them.
///
/// # Errors
/// [`EngineError`] if the instance cannot be opened.
pub fn lists_solved(
    library: &Arc<Library>,
    instance: &str,
    settings: &Settings,
) -> Result<bool, EngineError> {
    let opened = library.open(instance, &library.variants[0], settings)?;
    Ok(opened.offers(Capabilities::SOLVED_ROOTS))
}

/// The n for which one state in n gives about `wanted` of the instance's states, and
/// at most one in `most`.
#[must_use]
pub fn one_in(states: u64, wanted: u64, most: u64) -> u64 {
    match states {
        0 => most,
        _ => (states / wanted).clamp(1, most),
    }
}
