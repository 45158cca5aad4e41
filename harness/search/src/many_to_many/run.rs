//! From a request to all lengths: names, balls, searches, paths, journal.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicU64;
use std::time::{Instant, SystemTime};

use cpu_time::ProcessTime;
use puzzle_api::Key;

use super::balls::{Ball, grow};
use super::masks::Masks;
use super::plan::{Plan, describe, plan};
use super::record::SOURCE;
use super::source::{Field, Searched};
use super::walk::Watched;
use super::witness::{path, replay};
use super::{Finished, Length, Named, Outcome, Request, Row};
use crate::engines::EngineError;
use crate::open::typed_graph;
use crate::progress::{Progress, Stop};
use crate::space::{Keys, Space};
use crate::work::WorkFolder;
use antipode_graph::{Graph, PluginError, move_names};

/// Finds the lengths of all pairs of a source and a target that differ.
///
/// # Errors
/// [`EngineError`]: bad input, a puzzle that breaks its contract, too little memory, a
/// journal that cannot be written.
pub fn lengths(request: &Request, stop: &Stop) -> Result<Outcome, EngineError> {
    match request.library.key_words() {
        1 => typed::<u64>(request, stop),
        _ => typed::<u128>(request, stop),
    }
}

fn typed<K: Key>(request: &Request, stop: &Stop) -> Result<Outcome, EngineError> {
    let library = &request.library;
    let variant = request.variant.as_deref().unwrap_or(&library.variants[0]);
    let open = |variant: &str| -> Result<Graph<K>, EngineError> {
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
        antipode_reports::tell!("{name}: {} by {} states, {text}", from.len(), to.len());
    }
    let work = Work {
        request,
        stop,
        graph,
        rules,
        from,
        to,
        plan,
    };
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(request.threads)
        .build()
        .map_err(|error| EngineError::CannotHold(format!("no threads to be had: {error}")))?;
    pool.install(|| match plan.ranked {
        Some(ranked) => work.run(&ranked),
        None => work.run(&Keys),
    })
}

/// States by the names that were given, or all that the puzzle names.
fn named<K: Key>(
    graph: &Graph<K>,
    given: &[String],
    option: &str,
) -> Result<Vec<Named<K>>, EngineError> {
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
            // The puzzle may have several names for a state; the first serves.
            if given.is_empty() {
                continue;
            }
            return Err(bad(format!(
                "{option}: '{other}' and '{name}' are the same state; leave one out"
            )));
        }
        known.insert(key, name.clone());
        all.push(Named { name, key });
    }
    Ok(all)
}

/// A request with all that was opened and decided for it.
pub(super) struct Work<'a, K: Key> {
    pub(super) request: &'a Request,
    pub(super) stop: &'a Stop,
    pub(super) graph: Graph<K>,
    pub(super) rules: Graph<K>,
    pub(super) from: Vec<Named<K>>,
    pub(super) to: Vec<Named<K>>,
    pub(super) plan: Plan,
}

/// What all sources gave so far.
#[derive(Default)]
pub(super) struct Book {
    pub(super) finished: BTreeMap<usize, Finished>,
    /// What is known of a source that the user interrupted.
    partial: Option<(usize, Finished)>,
    pub(super) expanded: AtomicU64,
}

impl<K: Key> Work<'_, K> {
    fn run<S: Space<K>>(&self, space: &S) -> Result<Outcome, EngineError> {
        let clock = (Instant::now(), ProcessTime::now(), SystemTime::now());
        let ranks = space.size().filter(|_| self.plan.dense_marks);
        let masks = Masks::new(self.to.len(), ranks)?;
        let mut book = Book::default();
        let balls = self.balls(space, &masks, &mut book)?;
        if balls.len() == self.to.len() {
            let folder = self.folder(&balls, &mut book)?;
            self.sources(space, &masks, &balls, folder.as_ref(), &mut book)?;
        }
        let run = self.record(&book, &clock);
        let mut outcome = Outcome {
            run,
            from: self.from.iter().map(|named| named.name.clone()).collect(),
            to: self.to.iter().map(|named| named.name.clone()).collect(),
            rows: Vec::new(),
            balls: balls
                .iter()
                .flat_map(|ball| ball.grown.rows.clone())
                .collect(),
            disagreements: Vec::new(),
        };
        let mut all = book.finished;
        all.extend(book.partial);
        for finished in all.into_values() {
            outcome.rows.extend(finished.rows);
            outcome.balls.extend(finished.balls);
            outcome.disagreements.extend(finished.disagreements);
        }
        Ok(outcome)
    }

    fn bar(&self, what: &str, count: usize) -> Progress {
        match self.request.show_progress {
            true => Progress::bar(what, count as u64, self.stop),
            false => Progress::silent(self.stop),
        }
    }

    /// The balls of all targets, or as many as were done when the user asked to stop.
    fn balls<S: Space<K>>(
        &self,
        space: &S,
        masks: &Masks<S::Id>,
        book: &mut Book,
    ) -> Result<Vec<Ball<S::Id>>, EngineError> {
        let progress = self.bar("balls", self.to.len());
        let mut balls = Vec::new();
        for target in self.to.iter().enumerate() {
            let limits = &self.plan.limits;
            let watch = Watched {
                progress: &progress,
                expanded: &book.expanded,
            };
            let ball = grow(&self.graph, space, masks, target, limits, &watch)?;
            let Some(ball) = ball else { break };
            balls.push(ball);
            progress.parts(1);
        }
        Ok(balls)
    }

    fn sources<S: Space<K>>(
        &self,
        space: &S,
        masks: &Masks<S::Id>,
        balls: &[Ball<S::Id>],
        folder: Option<&WorkFolder>,
        book: &mut Book,
    ) -> Result<(), EngineError> {
        let progress = self.bar("sources", self.from.len());
        progress.parts(book.finished.len() as u64);
        let field = Field {
            graph: &self.graph,
            space,
            masks,
            targets: &self.to,
            balls,
            limits: &self.plan.limits,
            watch: Watched {
                progress: &progress,
                expanded: &book.expanded,
            },
        };
        for (i, source) in self.from.iter().enumerate() {
            if book.finished.contains_key(&i) {
                continue;
            }
            if progress.stopping() {
                break;
            }
            let searched = field.search(source)?;
            let stopped = searched.stopped;
            let finished = self.finish(space, source, balls, searched)?;
            if stopped {
                book.partial = Some((i, finished));
                break;
            }
            if let Some(folder) = folder {
                folder.finish_in_passing(SOURCE, &(i, &finished))?;
            }
            book.finished.insert(i, finished);
            progress.parts(1);
        }
        Ok(())
    }

    /// Rows of a source, with paths that were replayed on the rulebook.
    fn finish<S: Space<K>>(
        &self,
        space: &S,
        source: &Named<K>,
        balls: &[Ball<S::Id>],
        searched: Searched<S::Id>,
    ) -> Result<Finished, EngineError> {
        let mut finished = Finished {
            rows: Vec::new(),
            balls: searched.grown.rows,
            disagreements: Vec::new(),
        };
        for (i, target) in self.to.iter().enumerate() {
            let Some(length) = searched.lengths[i] else {
                continue;
            };
            let mut row = Row {
                from: source.name.clone(),
                to: target.name.clone(),
                length,
                meeting: None,
                path: Vec::new(),
                moves: Vec::new(),
            };
            if let (Length::Exactly { moves, forward, .. }, Some(meeting)) =
                (length, searched.meetings[i])
            {
                let levels = &searched.levels[..forward as usize];
                let path = path(&self.graph, space, meeting, levels, &balls[i])?;
                let fault = replay(&self.rules, &path, (source.key, target.key))?;
                let odd = (path.len() as u32 != moves + 1).then(|| "has another length".into());
                let fault = fault.or(odd);
                let named =
                    |fault| format!("the path from {} to {} {fault}", source.name, target.name);
                finished.disagreements.extend(fault.map(named));
                row.meeting = Some(self.graph.draw(path[forward as usize])?);
                row.moves = move_names(&self.rules, &path);
                let drawn: Result<Vec<String>, _> =
                    path.iter().map(|&key| self.graph.draw(key)).collect();
                row.path = drawn?;
            }
            finished.rows.push(row);
        }
        Ok(finished)
    }
}
