//! Distances of single states from the solved ones: a table of their part, which an engine
//! searches once. Unknown distances are bounded from below, never guessed.

use std::time::Duration;

use antipode_graph::{Capabilities, Expansion, Graph, PluginError};
use antipode_reports::grouped;
use antipode_reports::model::LevelTable;
use antipode_search::breadth_first::BreadthFirst;
use antipode_search::engine::{EngineOptions, Opt, QuestionKind};
use antipode_search::engines::{EngineError, Roots, Search};
use antipode_search::limit::within;
use antipode_search::machine;
use antipode_search::observers::{ConsistencyTally, Distance, LevelSums, Observers, OrbitSizes};
use antipode_search::outcome::{Outcome, StopReason};
use antipode_search::progress::{Progress, Stop};
use antipode_search::reconstruct_path::rising;
use antipode_search::registry::{self, EngineId};
use antipode_search::steps::{BATCH, DirectionSteps};
use puzzle_api::{Direction, UNSOLVABLE};

use crate::again;
use crate::ask::KnownDistance;
use crate::verify::{PartRules, check_part, same_parts};

/// The limits of a table.
#[derive(Debug, Clone, Copy)]
pub struct TableLimits {
    /// Most orbits that it holds, 32 bytes each. A quarter of them if states have no numbers and
    /// are met one by one.
    pub orbits: usize,
    /// Longest time.
    pub time: Duration,
    /// Worker threads.
    pub threads: usize,
}

/// The distances of one part of an instance.
#[derive(Debug)]
pub struct Distances {
    graph: Graph<u128>,
    /// The part.
    pub part: u64,
    /// The engine that searched it.
    pub engine: EngineId,
    /// States of each level, orbits counted with their sizes.
    pub levels: LevelTable,
    /// What is known about a state that is not in the table.
    pub beyond: KnownDistance,
    /// Whether it has all states reachable from one state, each state separately, instead of a
    /// part.
    pub onward: bool,
    /// Sorted by key.
    orbits: Vec<Distance<u128>>,
}

/// A table, or a line why there is none.
pub type MaybeTable = Result<Distances, String>;

/// The part of a state; `None` if the puzzle numbers its states and this one has no number.
///
/// # Errors
/// [`PluginError`] if the puzzle fails.
pub fn part_of(graph: &Graph<u128>, key: u128) -> Result<Option<u64>, PluginError> {
    if !graph.has(Capabilities::PARTS) && !graph.has(Capabilities::RANK) {
        return Ok(Some(0));
    }
    let (mut canonical, mut placed) = ([key], Vec::new());
    graph.canonical(&mut canonical, None)?;
    graph.place(&canonical, &mut placed)?;
    Ok(placed[0].map(|at| at.part))
}

impl Distances {
    /// Searches a part from its solved states, as far as memory allows; levels that were finished
    /// before it ran out are a table too. `rules` is the rulebook.
    ///
    /// # Errors
    /// [`EngineError`] if the puzzle breaks its contract.
    pub fn walk(
        graph: &Graph<u128>,
        rules: &Graph<u128>,
        part: u64,
        limits: &TableLimits,
        stop: &Stop,
    ) -> Result<MaybeTable, EngineError> {
        same_parts(graph, rules)?;
        if !graph.has(Capabilities::SOLVED_ROOTS) {
            return Ok(Err("the puzzle does not list its solved states".into()));
        }
        let ranks = graph.space(part)?;
        let orbits = ranks.map(|ranks| ranks / u64::from(graph.opened.symmetry_count.max(1)));
        if let Some(ranks) = ranks.filter(|_| orbits > Some(limits.orbits as u64)) {
            return Ok(Err(format!(
                "{} positions are too many for a table",
                grouped(ranks)
            )));
        }
        let mut search = Search::new(graph.clone(), Direction::Backward, Roots::Solved, None)?;
        let chosen = registry::choose(
            None,
            graph,
            &search.ask(),
            &EngineOptions::threads(limits.threads),
        );
        let engine = match chosen {
            Ok(engine) => engine,
            Err(obstacle) => return Ok(Err(obstacle.to_string())),
        };
        let mut options = EngineOptions::threads(limits.threads);
        if engine.takes(QuestionKind::Levels, Opt::Memory) && ranks.is_none() {
            options.memory = Some((limits.orbits / 4 * size_of::<u128>()) as u64);
        }
        match engine.of().prepare(&mut search, &options, rules) {
            Ok(_) => {}
            Err(EngineError::CannotHold(why) | EngineError::Memory(why)) => return Ok(Err(why)),
            Err(fault) => return Err(fault),
        }
        let mut seen = Observers::plain().fork_collecting(limits.orbits);
        let pool = machine::pool(limits.threads)?;
        let walked = within(limits.time, stop, |stop| {
            let progress = Progress::silent(stop);
            pool.install(|| engine.of().levels(&search, part, &mut seen, &progress))
        });
        let walked = match walked {
            Err(EngineError::TooDeep(why)) => return Ok(Err(why)),
            walked => walked?,
        };
        let Some(mut orbits) = seen.collected.take() else {
            return Ok(Err(format!(
                "more than {} positions are too many for a table",
                limits.orbits
            )));
        };
        let beyond = match walked.outcome {
            Outcome::NotReached(reason) => match edge(engine, &seen.levels) {
                Some(least) => KnownDistance::AtLeast(least),
                None => return Ok(Err(too_long(&reason, limits))),
            },
            Outcome::Levels | Outcome::Path(_) | Outcome::Unreachable(_) => {
                KnownDistance::Unsolvable
            }
        };
        let whole = beyond == KnownDistance::Unsolvable && search.covers_space();
        orbits.sort_unstable_by_key(|orbit| orbit.key);
        if !graph.proves(Capabilities::NONE) {
            let checked = within(limits.time, stop, |stop| {
                let against = PartRules {
                    search: &search,
                    rules,
                    whole: whole || engine.facts().puzzles_word,
                };
                let progress = Progress::silent(stop);
                pool.install(|| obstacle(&against, part, (&orbits, beyond), &progress))
            })?;
            if let Some(why) = checked {
                return Ok(Err(why));
            }
        }
        again::confirm()?;
        Ok(Ok(Self {
            graph: graph.clone(),
            part,
            engine,
            levels: seen.levels.table(whole),
            beyond,
            onward: false,
            orbits,
        }))
    }

    /// Walks from a state to all reachable states, then back from the solved ones: for puzzles that
    /// do not list their solved states. All of it by the rulebook, along moves, so no statement of
    /// a faster variant counts.
    ///
    /// # Errors
    /// [`EngineError`] if the puzzle breaks its contract.
    pub fn onward(
        rules: &Graph<u128>,
        from: u128,
        limits: &TableLimits,
        stop: &Stop,
    ) -> Result<MaybeTable, EngineError> {
        let most = limits.orbits / 16;
        let depths = within(limits.time, stop, |stop| {
            depths_onward(rules, from, most, stop)
        })?;
        let Some((keys, depths)) = depths else {
            return Ok(Err(format!(
                "its moves lead to more than {} positions, too many for a table",
                grouped(most)
            )));
        };
        again::confirm()?;
        let mut seen = Observers::plain().fork_collecting(keys.len());
        seen.observe(0, &keys, &depths, OrbitSizes::Uniform(1));
        Ok(Ok(Self {
            graph: rules.clone(),
            part: 0,
            engine: EngineId::REFERENCE,
            levels: seen.levels.table(true),
            beyond: KnownDistance::Unsolvable,
            onward: true,
            // Sorted as the keys are.
            orbits: seen.collected.take().unwrap_or_default(),
        }))
    }

    /// Whether the table covers a state of its part.
    #[must_use]
    pub fn covers(&self, key: u128) -> bool {
        !self.onward
            || self
                .orbits
                .binary_search_by_key(&key, |orbit| orbit.key)
                .is_ok()
    }

    /// The keys that represent some states in this table.
    fn filed(&self, keys: &[u128]) -> Result<Vec<u128>, PluginError> {
        let mut filed = keys.to_vec();
        if !self.onward {
            self.graph.canonical(&mut filed, None)?;
        }
        Ok(filed)
    }

    /// Orbits held.
    #[must_use]
    pub fn len(&self) -> usize {
        self.orbits.len()
    }

    /// Whether it holds nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.orbits.is_empty()
    }

    /// Whether every state of the part has its distance.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.beyond == KnownDistance::Unsolvable
    }

    /// Distances of some states of the part.
    ///
    /// # Errors
    /// [`PluginError`] if the puzzle fails.
    pub fn of(&self, keys: &[u128]) -> Result<Vec<KnownDistance>, PluginError> {
        let filed = self.filed(keys)?;
        // A loaded library alone says in which of several parts a state lies.
        let one_part = self.onward || self.graph.opened.part_count == 1;
        let beyond = match one_part || self.graph.proves(Capabilities::NONE) {
            true => self.beyond,
            false => KnownDistance::AtLeast(0),
        };
        let known = filed.iter().map(|key| {
            let at = self.orbits.binary_search_by_key(key, |orbit| orbit.key);
            at.map_or(beyond, |at| KnownDistance::of(self.orbits[at].depth))
        });
        Ok(known.collect())
    }

    /// The state with a number below the level's count of states, counted orbit by orbit;
    /// `None` if the level holds fewer.
    ///
    /// # Errors
    /// [`PluginError`] if the puzzle fails.
    pub fn at(&self, depth: u16, number: u64) -> Result<Option<u128>, PluginError> {
        let mut left = number;
        for orbit in self.orbits.iter().filter(|orbit| orbit.depth == depth) {
            let size = u64::from(orbit.orbit_size);
            if left >= size {
                left -= size;
                continue;
            }
            if self.onward {
                return Ok(Some(orbit.key));
            }
            let images = rising(&self.graph.images(orbit.key)?);
            return Ok(images.get(left as usize).copied());
        }
        Ok(None)
    }

    /// Representatives of the orbits of a level, by key.
    pub fn level(&self, depth: u16) -> impl Iterator<Item = u128> + '_ {
        let level = self.orbits.iter().filter(move |orbit| orbit.depth == depth);
        level.map(|orbit| orbit.key)
    }
}

/// States in the order of their keys, and the distance of each.
type ByKey = (Vec<u128>, Vec<u16>);

/// All states reachable from one, by key, each with its distance; `None` if there are more than n
/// of them, or the time is over.
fn depths_onward(
    rules: &Graph<u128>,
    from: u128,
    most: usize,
    stop: &Stop,
) -> Result<Option<ByKey>, PluginError> {
    let mut walk = BreadthFirst::new(rules, &[DirectionSteps::FORWARD], &[from]);
    let mut keys = Vec::new();
    while !walk.level().is_empty() {
        keys.extend_from_slice(walk.level());
        if stop.requested() || !walk.advance_within(most as u64)? {
            return Ok(None);
        }
    }
    keys.sort_unstable();
    // Against the moves, by their places in the list.
    let mut back = vec![Vec::new(); keys.len()];
    let mut out = Expansion::default();
    for (at, &key) in keys.iter().enumerate() {
        if at % BATCH == 0 && stop.requested() {
            return Ok(None);
        }
        rules.expand(Direction::Forward, &[key], &mut out)?;
        for next in out.keys() {
            if let Ok(to) = keys.binary_search(next) {
                back[to].push(at as u32);
            }
        }
    }
    let solved = rules.is_solved(&keys)?;
    let mut depths = vec![UNSOLVABLE; keys.len()];
    let mut level: Vec<u32> = (0..)
        .zip(solved)
        .filter_map(|(at, solved)| solved.then_some(at))
        .collect();
    for depth in 0..UNSOLVABLE {
        level.retain(|&at| {
            let new = depths[at as usize] == UNSOLVABLE;
            if new {
                depths[at as usize] = depth;
            }
            new
        });
        level = level
            .iter()
            .flat_map(|&at| &back[at as usize])
            .copied()
            .collect();
        if level.is_empty() {
            break;
        }
    }
    Ok(Some((keys, depths)))
}

/// Lower bound for states that a search did not reach; only engine hash ends with whole levels.
fn edge(engine: EngineId, levels: &LevelSums) -> Option<u16> {
    let solvable = levels.iter().filter(|(depth, _)| *depth != UNSOLVABLE);
    let deepest = solvable.map(|(depth, _)| depth).max()?;
    (engine == EngineId::HASH).then_some(deepest.saturating_add(1))
}

/// Why the walk of a loaded library is not a table; `None` if the rulebook confirms all of it.
fn obstacle(
    against: &PartRules<'_, u128>,
    part: u64,
    (orbits, beyond): (&[Distance<u128>], KnownDistance),
    progress: &Progress,
) -> Result<Option<String>, EngineError> {
    if beyond != KnownDistance::Unsolvable {
        let why = "a library's table counts only if all of it is compared with its rulebook, and memory is short";
        return Ok(Some(why.to_owned()));
    }
    let mut tally = ConsistencyTally::default();
    let done = check_part(against, part, orbits, &mut tally, progress)?;
    if tally.wrong > 0 {
        let fault = tally.faults.first().map_or("", String::as_str);
        let opened = &against.search.graph.opened;
        return Err(EngineError::Disagree(format!(
            "{}: the table by variant {} contradicts the rulebook: {fault}",
            opened.full_name(),
            opened.variant
        )));
    }
    Ok(match (done, tally.open) {
        (true, 0) => None,
        (true, _) => {
            Some("the rulebook alone cannot show what the puzzle's table leaves out".into())
        }
        (false, _) => Some("comparing the puzzle's table with its rulebook takes too long".into()),
    })
}

fn too_long(reason: &StopReason, limits: &TableLimits) -> String {
    match reason {
        StopReason::Requested => format!(
            "a table takes longer than the {} s allowed",
            limits.time.as_secs_f64()
        ),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use puzzle_api::Settings;

    use super::*;
    use antipode_graph::Library;
    use antipode_search::forward::ForwardSolver;

    fn limits(orbits: usize) -> TableLimits {
        TableLimits {
            orbits,
            time: Duration::from_secs(600),
            threads: 2,
        }
    }

    fn tilt(instance: &str, variant: &str, settings: &Settings) -> Graph<u128> {
        let library = Arc::new(Library::built_in(antipode_tilt::table()));
        let opened = library.open(instance, variant, settings).expect("opens");
        Graph::of(opened)
    }

    /// Compares every placement of a part, image by image, with a separate search on the rulebook.
    #[test]
    fn every_state_of_a_part_has_the_distance_that_the_rulebook_gives_it() {
        let settings = puzzle_api::settings(&[("grey", "5"), ("blue", "1")]);
        let graph = tilt("box", "bitboard", &settings);
        let rules = tilt("box", "reference", &settings);
        let part = 7;
        let table = Distances::walk(&graph, &rules, part, &limits(1 << 20), &Stop::default());
        let table = table.expect("walks").expect("is small");
        assert!(table.is_complete());
        let solver = ForwardSolver::new(rules);
        let size = graph.space(part).unwrap().expect("is numbered");
        let (mut keys, mut checked) = (Vec::new(), 0);
        graph
            .unrank(part, &(0..size).collect::<Vec<_>>(), &mut keys)
            .unwrap();
        for key in keys {
            for image in graph.images(key).unwrap() {
                let expected = KnownDistance::of(solver.distance(image).unwrap());
                assert_eq!(table.of(&[image]).unwrap(), [expected]);
                checked += 1;
            }
        }
        assert!(checked > 1000, "{checked}");
    }

    #[test]
    fn states_of_a_level_are_counted_out_each_once() {
        let settings = puzzle_api::settings(&[("grey", "2"), ("blue", "1")]);
        let graph = tilt("box", "bitboard", &settings);
        let walked = Distances::walk(&graph, &graph, 0, &limits(1 << 22), &Stop::default());
        let table = walked.expect("walks").expect("is small");
        for level in &table.levels.levels {
            let depth = level.depth as u16;
            let at = |number| table.at(depth, number).unwrap();
            let states = level.states as u64;
            let all = rising(&(0..states).map_while(at).collect::<Vec<u128>>());
            assert_eq!(all.len() as u64, states, "level {depth}");
            let known = table.of(&all).unwrap();
            assert!(
                known
                    .iter()
                    .all(|&known| known == KnownDistance::Exactly(depth))
            );
            assert_eq!(at(states), None);
        }
    }

    /// A table along the moves has the distances that a table of the part has.
    #[test]
    fn what_moves_lead_to_has_the_distances_of_its_part() {
        let settings = puzzle_api::settings(&[("grey", "5"), ("blue", "1")]);
        let rules = tilt("box", "reference", &settings);
        let whole = Distances::walk(&rules, &rules, 7, &limits(1 << 20), &Stop::default());
        let whole = whole.expect("walks").expect("is small");
        let deepest = whole.levels.max_depth().expect("has levels") as u16;
        let from = whole.at(deepest, 0).expect("draws").expect("has one");
        let onward = Distances::onward(&rules, from, &limits(1 << 20), &Stop::default());
        let onward = onward.expect("walks").expect("is small");
        assert!(onward.len() > 10 && onward.is_complete() && onward.covers(from));
        assert_eq!(onward.levels.max_depth(), Some(deepest.into()));
        for orbit in &onward.orbits {
            let both = [whole.of(&[orbit.key]), onward.of(&[orbit.key])].map(Result::unwrap);
            assert_eq!(both[0], both[1]);
        }
        let drawn = onward.at(deepest, 0).unwrap().expect("has one");
        assert_eq!(
            whole.of(&[drawn]).unwrap(),
            [KnownDistance::Exactly(deepest)]
        );
        let small = Distances::onward(&rules, from, &limits(16), &Stop::default());
        let why = small.expect("no fault").expect_err("no room");
        assert!(why.contains("too many for a table"), "{why}");
    }

    #[test]
    fn a_part_without_room_has_no_table_and_says_why() {
        let graph = tilt("box", "bitboard", &Settings::new());
        let walked = Distances::walk(&graph, &graph, 0, &limits(10), &Stop::default());
        let why = walked.expect("no fault").expect_err("no room");
        assert!(why.contains("too many for a table"), "{why}");
    }
}
