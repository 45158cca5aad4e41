//! From a request to all lengths: names, sides, searches, paths, journal.

use std::collections::BTreeMap;

use antipode_graph::{Capabilities, Graph, PluginError, direction_name, move_names};
use antipode_reports::count;
use antipode_reports::model::Run;
use puzzle_api::{Direction, Key};
use serde_json::json;

use super::inside::Inside;
use super::masks::Masks;
use super::plan::{PairsPlan, describe, plan};
use super::sides::{TargetSide, grow, path, replay};
use super::source::{SharedSources, SourceResult};
use super::{Finished, Length, MeasuredPair, NamedSource, PairsOutcome, PairsRequest, SOURCE};
use crate::error::{EngineError, Result};
use crate::kernel::Watched;
use crate::open::{AnyWidth, typed_graph, with_keys_of};
use crate::outcome::{Counters, Spent, StopReason};
use crate::progress::{Progress, Stop, note};
use crate::record::Clock;
use crate::steps::{Keys, Space};
use crate::work::{FolderPlace, Subject, WorkFolder};
use crate::{machine, memory};

/// Finds the lengths of all pairs of a source and a target that are different.
///
/// # Errors
/// [`EngineError`]: bad input, a puzzle that breaks its contract, too little memory, or a journal
/// that cannot be written.
pub fn lengths(request: &PairsRequest, stop: &Stop) -> Result<PairsOutcome> {
    struct Lengths<'a>(&'a PairsRequest, &'a Stop);
    impl AnyWidth for Lengths<'_> {
        type Output = Result<PairsOutcome>;

        fn with<K: Key>(self) -> Self::Output {
            typed::<K>(self.0, self.1)
        }
    }
    with_keys_of(&request.library, Lengths(request, stop))
}

fn typed<K: Key>(request: &PairsRequest, stop: &Stop) -> Result<PairsOutcome> {
    let library = &request.library;
    let variant = request.variant.as_deref().unwrap_or(&library.variants[0]);
    let open = |variant: &str| -> Result<Graph<K>> {
        typed_graph(library.open(&request.instance, variant, &request.settings)?)
    };
    let graph = open(variant)?;
    let rules = open(library.reference_variant())?;
    let from = named(&graph, &request.from, "--from")?;
    let to = named(&graph, &request.to, "--to")?;
    let plan = plan(request, &graph, &from, &to)?;
    let ranked = plan.ranked.is_some();
    if request.show_progress {
        let name = graph.opened.full_name();
        let text = describe(plan.need, plan.marks, ranked);
        note(format_args!(
            "{name}: {} by {}, {text}",
            from.len(),
            count(to.len(), "states")
        ));
    }
    let work = PairsWork {
        request,
        stop,
        graph,
        rules,
        from,
        to,
        plan,
    };
    let pool = machine::pool(request.threads)?;
    pool.install(|| match plan.ranked {
        Some(ranked) => work.run(&ranked),
        None => work.run(&Keys),
    })
}

/// States by their given names, or all states that the puzzle names.
fn named<K: Key>(graph: &Graph<K>, given: &[String], option: &str) -> Result<Vec<NamedSource<K>>> {
    let names = match given.is_empty() {
        true => graph.names()?,
        false => given.to_vec(),
    };
    let bad = |line: String| EngineError::Plugin(PluginError::BadInput(line));
    if names.is_empty() {
        let name = graph.opened.full_name();
        return Err(bad(format!(
            "{name}: names no states; give some by --from and --to, joined by ','"
        )));
    }
    let mut known: BTreeMap<K, String> = BTreeMap::new();
    let mut all = Vec::new();
    for name in names {
        let key = graph.parse(&name)?;
        if let Some(other) = known.get(&key) {
            // The puzzle may have several names for a state; the first is used.
            if given.is_empty() {
                continue;
            }
            return Err(bad(format!(
                "{option}: '{other}' and '{name}' are the same state; leave one out"
            )));
        }
        known.insert(key, name.clone());
        all.push(NamedSource { name, key });
    }
    Ok(all)
}

/// The error, in a line, that the rulebook leads out of the inside of a side.
fn astray(name: &str, direction: Direction, inside: &Inside) -> Option<String> {
    let fault = inside.fault.as_ref()?;
    Some(format!(
        "the {} side of {name} lacks a neighbour of {fault} on the rulebook ({} of {} states inside it)",
        direction_name(direction),
        inside.wrong,
        inside.looked_at
    ))
}

/// A request with everything opened and decided for it.
pub(super) struct PairsWork<'a, K: Key> {
    pub(super) request: &'a PairsRequest,
    pub(super) stop: &'a Stop,
    pub(super) graph: Graph<K>,
    pub(super) rules: Graph<K>,
    pub(super) from: Vec<NamedSource<K>>,
    pub(super) to: Vec<NamedSource<K>>,
    pub(super) plan: PairsPlan,
}

/// The results of all sources so far.
#[derive(Default)]
pub(super) struct Findings {
    pub(super) finished: BTreeMap<usize, Finished>,
    /// States that earlier runs expanded, from which this one resumed.
    earlier: u64,
    /// The findings on a source that the user interrupted.
    partial: Option<(usize, Finished)>,
    pub(super) counters: Counters,
}

impl<K: Key> PairsWork<'_, K> {
    fn run<S: Space<K>>(&self, space: &S) -> Result<PairsOutcome> {
        let clock = Clock::start();
        let ranks = space.size().filter(|_| self.plan.dense_marks);
        let masks = Masks::new(self.to.len(), ranks)?;
        let mut findings = Findings::default();
        let sides = self.sides(space, &masks, &mut findings)?;
        if sides.len() == self.to.len() {
            let folder = self.folder(&sides, &mut findings)?;
            self.sources(space, &masks, &sides, folder.as_ref(), &mut findings)?;
        }
        let run = self.record(&findings, &clock);
        let mut outcome = PairsOutcome {
            run,
            from: self.from.iter().map(|named| named.name.clone()).collect(),
            to: self.to.iter().map(|named| named.name.clone()).collect(),
            rows: Vec::new(),
            sides: sides
                .iter()
                .flat_map(|side| side.grown.rows.clone())
                .collect(),
            backward: Vec::new(),
            forward: Vec::new(),
            disagreements: Vec::new(),
        };
        for (target, side) in self.to.iter().zip(sides) {
            let fault = astray(&target.name, Direction::Backward, &side.inside);
            outcome.disagreements.extend(fault);
            outcome.backward.push((target.name.clone(), side.inside));
        }
        let mut all = findings.finished;
        all.extend(findings.partial);
        for (source, finished) in all {
            let inside = finished.inside.unwrap_or_default();
            let name = self.from[source].name.clone();
            outcome.forward.push((name, inside));
            let faults = finished.rows.iter().filter_map(|row| {
                let fault = row.fault.as_ref()?;
                Some(format!("the path from {} to {} {fault}", row.from, row.to))
            });
            outcome.disagreements.extend(faults);
            outcome.rows.extend(finished.rows);
            outcome.sides.extend(finished.sides);
            outcome.disagreements.extend(finished.disagreements);
        }
        Ok(outcome)
    }

    fn bar(&self, what: &str, count: usize) -> Progress {
        Progress::shown(self.request.show_progress, what, count as u64, self.stop)
    }

    /// The sides of all targets, or those finished when the user requested a stop.
    fn sides<S: Space<K>>(
        &self,
        space: &S,
        masks: &Masks<S::Id>,
        findings: &mut Findings,
    ) -> Result<Vec<TargetSide<S::Id>>> {
        let progress = self.bar("sides", self.to.len());
        let mut sides = Vec::new();
        for target in self.to.iter().enumerate() {
            let limits = &self.plan.limits;
            let watch = Watched::new(&findings.counters, &progress);
            let graphs = (&self.graph, &self.rules);
            let side = grow(graphs, space, masks, target, limits, &watch)?;
            let Some(side) = side else { break };
            sides.push(side);
            progress.parts(1);
        }
        Ok(sides)
    }

    fn sources<S: Space<K>>(
        &self,
        space: &S,
        masks: &Masks<S::Id>,
        sides: &[TargetSide<S::Id>],
        folder: Option<&WorkFolder>,
        findings: &mut Findings,
    ) -> Result<()> {
        let progress = self.bar("sources", self.from.len());
        progress.parts(findings.finished.len() as u64);
        let field = SharedSources {
            graph: &self.graph,
            rules: &self.rules,
            space,
            masks,
            targets: &self.to,
            sides,
            limits: &self.plan.limits,
            watch: Watched::new(&findings.counters, &progress),
        };
        for (i, source) in self.from.iter().enumerate() {
            if findings.finished.contains_key(&i) {
                continue;
            }
            if progress.stopping() {
                break;
            }
            let before = findings.counters.expanded();
            let searched = field.search(source)?;
            let mut stopped = searched.stopped;
            let mut finished = self.finish(space, source, sides, searched)?;
            if self.request.again && !stopped {
                let (graph, to) = (&self.graph, &self.to);
                stopped = !compare(graph, source, to, &mut finished, &progress)?;
            }
            finished.expanded = findings.counters.expanded() - before;
            if stopped {
                findings.partial = Some((i, finished));
                break;
            }
            if let Some(folder) = folder {
                folder.finish_in_passing(SOURCE, &(i, &finished))?;
            }
            findings.finished.insert(i, finished);
            progress.parts(1);
        }
        Ok(())
    }

    /// Rows of a source, with paths that were replayed on the rulebook.
    fn finish<S: Space<K>>(
        &self,
        space: &S,
        source: &NamedSource<K>,
        sides: &[TargetSide<S::Id>],
        searched: SourceResult<S::Id>,
    ) -> Result<Finished> {
        let mut finished = Finished {
            rows: Vec::new(),
            sides: searched.grown.rows,
            disagreements: astray(&source.name, Direction::Forward, &searched.inside)
                .into_iter()
                .collect(),
            inside: Some(searched.inside),
            expanded: 0,
        };
        for (i, target) in self.to.iter().enumerate() {
            let Some(length) = searched.lengths[i] else {
                continue;
            };
            let mut row = MeasuredPair {
                from: source.name.clone(),
                to: target.name.clone(),
                length,
                meeting: None,
                path: Vec::new(),
                moves: Vec::new(),
                fault: None,
                again: false,
            };
            if let (Length::Exactly { moves, forward, .. }, Some(meeting)) =
                (length, searched.meetings[i])
            {
                let levels = &searched.levels[..forward as usize];
                let path = path(&self.graph, space, meeting, levels, &sides[i])?;
                let fault = replay(&self.rules, &path, (source.key, target.key))?;
                let odd = (path.len() as u32 != moves + 1).then(|| "has another length".into());
                row.fault = fault.or(odd);
                row.meeting = Some(self.rules.draw(path[forward as usize])?);
                row.moves = move_names(&self.rules, &path);
                let drawn: Result<Vec<String>, _> =
                    path.iter().map(|&key| self.rules.draw(key)).collect();
                row.path = drawn?;
            }
            finished.rows.push(row);
        }
        Ok(finished)
    }
}

// The journal of a search over pairs, and the record of what ran.

impl<K: Key> PairsWork<'_, K> {
    /// Opens the work folder. Lengths rest on the sides, so these are part of the identity.
    pub(super) fn folder<L>(
        &self,
        sides: &[TargetSide<L>],
        findings: &mut Findings,
    ) -> Result<Option<WorkFolder>> {
        let Some((path, resume)) = &self.request.journal else {
            return Ok(None);
        };
        let named = |named: &[NamedSource<K>]| -> Vec<String> {
            let state =
                |named: &NamedSource<K>| format!("{}={:x}", named.name, named.key.to_u128());
            named.iter().map(state).collect()
        };
        let mut evidence = blake3::Hasher::new();
        for row in sides.iter().flat_map(|side| &side.grown.rows) {
            let row = serde_json::to_string(row).unwrap_or_default();
            evidence.update(row.as_bytes());
        }
        let identity = Subject::of(&self.graph.opened).with(json!({
            "engine": "pairs",
            "from": named(&self.from),
            "to": named(&self.to),
            "sides": &evidence.finalize().to_hex()[..16],
            // As requested: the limit from memory differs each time.
            "budget": self.request.budget,
        }));
        let (folder, pieces) = WorkFolder::open(&FolderPlace::out(path, *resume), &identity)?;
        let sources = pieces.iter().filter_map(|piece| piece.read(SOURCE));
        // Lengths that were left open for lack of memory may be found by now.
        let is_open = |row: &MeasuredPair| matches!(row.length, Length::MoreThan { .. });
        let stays = |(i, finished): &(usize, Finished)| {
            let open = self.request.budget.is_none() && finished.rows.iter().any(is_open);
            *i < self.from.len() && !open
        };
        findings.finished.extend(sources.filter(stays));
        let earlier = findings.finished.values();
        findings.earlier = earlier.map(|finished| finished.expanded).sum();
        Ok(Some(folder))
    }

    pub(super) fn record(&self, findings: &Findings, clock: &Clock) -> Run {
        let spent = Spent {
            expanded: findings.earlier + findings.counters.expanded(),
            earlier: findings.earlier,
            ..Spent::default()
        };
        let stopped = findings.finished.len() < self.from.len();
        let rows = findings
            .finished
            .values()
            .flat_map(|finished| &finished.rows);
        let open = rows.filter(|row| matches!(row.length, Length::MoreThan { .. }));
        let open = open.count();
        let stop = match (stopped, open) {
            (true, _) => Some(StopReason::Requested),
            (false, 0) => None,
            (false, open) => Some(StopReason::Open(open as u64)),
        };
        Run {
            engine: "pairs".into(),
            direction: "both".into(),
            threads: self.request.threads as u32,
            parts_done: findings.finished.len() as u64,
            parts_total: self.from.len() as u64,
            complete: stop.is_none(),
            stopped_because: stop.as_ref().map(StopReason::to_string),
            stop: stop.as_ref().map(StopReason::record),
            command: self.request.command.clone(),
            extra: BTreeMap::from([
                ("states_expanded".to_owned(), spent.expanded.into()),
                ("by_rank".to_owned(), self.plan.ranked.is_some().into()),
                ("memory_planned_bytes".to_owned(), self.plan.need.into()),
                (
                    "ball_states".to_owned(),
                    self.plan.limits.side_states.into(),
                ),
                ("ball_bytes".to_owned(), self.plan.limits.side_bytes.into()),
            ]),
            ..clock.record(&self.graph.opened, &spent)
        }
    }
}

// Lengths found again by the puzzle's own sweep: a second computation, forward from the source,
// that stops when all targets are met. It shares no code with the moves of the searches.

/// Compares the rows of a source with the puzzle's own sweep. Does nothing if a length is open, if
/// there is no such loop for the source, or if there is too little memory. Returns whether it was
/// not interrupted.
pub(super) fn compare<K: Key>(
    graph: &Graph<K>,
    source: &NamedSource<K>,
    targets: &[NamedSource<K>],
    finished: &mut Finished,
    progress: &Progress,
) -> Result<bool, PluginError> {
    let open = |length| matches!(length, Length::MoreThan { .. });
    if finished.rows.iter().any(|row| open(row.length)) || !graph.proves(Capabilities::NONE) {
        return Ok(true);
    }
    let memory = graph.sweep_memory(Direction::Forward, Some(source.key));
    if memory.is_none_or(|needed| memory::available().is_some_and(|free| needed > free)) {
        return Ok(true);
    }
    let others = targets.iter().filter(|target| target.key != source.key);
    let only: Vec<K> = others.map(|target| target.key).collect();
    if only.is_empty() {
        return Ok(true);
    }
    let mut met = BTreeMap::new();
    let (way, from) = (Direction::Forward, Some(source.key));
    let whole = graph.sweep(way, from, 0, &only, &mut |swept| {
        let met_now = swept.keys.iter().copied().zip(swept.depths);
        met.extend(met_now.map(|(key, &depth)| (key, u32::from(depth))));
        !progress.stopping()
    })?;
    if !whole {
        return Ok(false);
    }
    for row in &mut finished.rows {
        let target = targets.iter().find(|target| target.name == row.to);
        let found = target.and_then(|target| met.get(&target.key).copied());
        row.again = found == row.length.exactly();
        if !row.again && row.fault.is_none() {
            let found = found.map_or_else(|| "none".to_owned(), |moves| moves.to_string());
            row.fault = Some(format!(
                "has another length by the puzzle's own sweep, {found}"
            ));
        }
    }
    Ok(true)
}
