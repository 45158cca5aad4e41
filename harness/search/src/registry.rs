//! The one list of engines. All code that names, offers or chooses an engine uses it.

use std::any::Any;
use std::fmt;
use std::str::FromStr;

use antipode_graph::{Graph, Library};
use puzzle_api::Key;

use crate::engine::{Engine, Facts, Footprint};
use crate::engines::cluster;
use crate::engines::find::check_path;
use crate::engines::{
    beam, bidirectional, by_levels, dense, dfs, disk, gpu, hash, ida, orbits, reference, solutions,
    sweep,
};
use crate::error::{EngineError, Result};
use crate::many_to_many;
use crate::options::{EngineOptions, Opt};
use crate::outcome::Outcome;
use crate::progress::Stop;
use crate::question::{Ask, FewestAnswer, PathAnswer, PathQuestion, QuestionKind, SolutionsAnswer};

/// The engines, for one width of keys.
type Engines<K> = [&'static dyn Engine<K>; 13];

/// All engines. A new engine is a line here.
const fn engines_of<K: Key>() -> Engines<K> {
    [
        &reference::ReferenceEngine,
        &hash::HashEngine,
        &dense::DenseEngine,
        &disk::DiskEngine,
        &sweep::SweepEngine,
        &bidirectional::BidirectionalEngine,
        &beam::BeamEngine,
        &dfs::DfsEngine,
        &ida::IdaEngine,
        &orbits::OrbitsEngine,
        &solutions::SolutionsEngine,
        &cluster::ClusterEngine,
        &gpu::GpuEngine,
    ]
}

/// Engines of one width of keys. The two are no statics, which a program of unit tests would
/// compile with all that they lead to, and not inlined, which would compile them again in every
/// crate that uses them.
#[inline(never)]
fn short() -> &'static Engines<u64> {
    const { &engines_of() }
}

#[inline(never)]
fn long() -> &'static Engines<u128> {
    const { &engines_of() }
}

/// All engines, in the order in which they are listed.
pub fn engines<K: Key>() -> &'static [&'static dyn Engine<K>] {
    let widths: [&'static dyn Any; 2] = [short(), long()];
    let engines = widths
        .into_iter()
        .find_map(|engines| engines.downcast_ref::<Engines<K>>());
    engines.map_or(&[], |engines| engines)
}

/// An engine given by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EngineId(&'static str);

impl EngineId {
    /// The engine that needs nothing from a puzzle, with which others are compared.
    pub const HASH: Self = Self("hash");

    /// The plain queue, one state at a time, with which others are compared.
    pub const REFERENCE: Self = Self("reference");

    /// Engines that answer a kind of question, in the order of the list.
    pub fn all(kind: QuestionKind) -> Vec<Self> {
        let able = engines::<u64>()
            .iter()
            .filter(|engine| engine.facts().answers.contains(&kind));
        able.map(|engine| Self(engine.facts().name)).collect()
    }

    /// The engine of a name, among those that answer a kind of question.
    ///
    /// # Errors
    /// One line with the known names.
    pub fn named(name: &str, kind: QuestionKind) -> Result<Self, String> {
        Self::among(name, &|engine| engine.facts().answers.contains(&kind))
    }

    /// The engine of a name, among some of the list.
    fn among(name: &str, these: &dyn Fn(&dyn Engine<u64>) -> bool) -> Result<Self, String> {
        let all = engines::<u64>().iter().filter(|engine| these(**engine));
        let names: Vec<&'static str> = all.map(|engine| engine.facts().name).collect();
        let found = names.iter().find(|known| **known == name);
        found
            .map(|name| Self(name))
            .ok_or_else(|| format!("no engine '{name}'; use one of {}", names.join(", ")))
    }

    /// Why this engine does not answer a kind of question, and the engines that do.
    fn not_for(self, kind: QuestionKind) -> String {
        let able: Vec<&str> = Self::all(kind).iter().map(|engine| engine.0).collect();
        format!("{}; use {}", kind.not_by(self.0), able.join(" or "))
    }

    /// Name on the command line.
    pub const fn name(self) -> &'static str {
        self.0
    }

    /// Its static facts.
    pub fn facts(self) -> &'static Facts {
        self.of::<u64>().facts()
    }

    /// Whether it answers a kind of question.
    pub fn answers(self, kind: QuestionKind) -> bool {
        self.facts().answers.contains(&kind)
    }

    /// Whether it takes an option with a kind of question.
    pub fn takes(self, kind: QuestionKind, option: Opt) -> bool {
        self.answers(kind) && self.of::<u64>().options(kind).contains(&option)
    }

    /// Its implementation.
    pub fn of<K: Key>(self) -> &'static dyn Engine<K> {
        let engines = engines();
        let engine = engines.iter().find(|engine| engine.facts().name == self.0);
        // An id can only be made from a name of the list.
        engine.copied().unwrap_or(&reference::ReferenceEngine)
    }

    /// The variant that it searches if the user names none.
    pub fn variant(self, library: &Library) -> &str {
        self.of::<u64>().variant(library)
    }

    /// Whether it keeps the levels of a search for a path in files.
    pub fn keeps_levels(self) -> bool {
        self.answers(QuestionKind::Levels) && self.takes(QuestionKind::Path, Opt::Work)
    }

    /// Whether several processes can share one search.
    pub fn is_shared(self) -> bool {
        let mut kinds = QuestionKind::ALL.into_iter();
        kinds.any(|kind| self.takes(kind, Opt::Processes))
    }

    /// The resources of each engine, in the order of the list.
    pub fn footprints() -> impl Iterator<Item = (Self, &'static Footprint)> {
        let each = |row: &&'static dyn Engine<u64>| {
            let id = Self(row.facts().name);
            row.facts()
                .footprints
                .iter()
                .map(move |footprint| (id, footprint))
        };
        engines::<u64>().iter().flat_map(each)
    }

    /// Refuses options that the engine would silently ignore.
    ///
    /// # Errors
    /// [`EngineError::NotTaken`] with the option and the engines that take it.
    pub fn check_options(self, kind: QuestionKind, options: &EngineOptions) -> Result<()> {
        let given = options.given();
        let Some(&option) = given.iter().find(|&&option| !self.takes(kind, option)) else {
            return Ok(());
        };
        let flag = option.flag();
        let owners: Vec<&str> = Self::all(kind)
            .into_iter()
            .filter(|engine| engine.takes(kind, option))
            .map(Self::name)
            .collect();
        let text = match owners.as_slice() {
            [] => format!("{flag}: engine {self} does not take it here; leave it out"),
            [one] => format!("{flag} belongs to engine {one}; add --engine {one}"),
            [most @ .., last] => {
                let most = most.join(", ");
                format!(
                    "{flag} belongs to engines {most} and {last}; add --engine {most} or {last}"
                )
            }
        };
        Err(EngineError::NotTaken(text))
    }
}

impl fmt::Display for EngineId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl FromStr for EngineId {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::among(text, &|_| true)
    }
}

/// The named or the preferred engine; it must accept all given options.
///
/// # Errors
/// [`EngineError::NotTaken`] with an option that it does not take, [`EngineError::CannotHold`] with
/// the reason why it cannot answer, or why no engine can.
pub fn choose<K: Key>(
    named: Option<EngineId>,
    graph: &Graph<K>,
    ask: &Ask<'_, K>,
    options: &EngineOptions,
) -> Result<EngineId> {
    if let Some(id) = named {
        // A refused option is reported first: the user gave it.
        id.check_options(ask.kind(), options)?;
        return match obstacle(id, graph, ask) {
            None => Ok(id),
            Some(why) => Err(EngineError::refused(&graph.opened, why)),
        };
    }
    let mut chosen = None;
    // An engine that keeps to a limit of memory is preferred, if there is one.
    let mut most = (false, 0);
    for row in engines::<K>() {
        let id = EngineId(row.facts().name);
        if !id.answers(ask.kind()) {
            continue;
        }
        let preference = row.preferred(graph, ask);
        let keeps = options.memory.is_none() || id.takes(ask.kind(), Opt::Memory);
        let preference = (keeps && preference > 0, preference);
        if preference > most {
            (chosen, most) = (Some(id), preference);
        }
    }
    let chosen = chosen.ok_or_else(|| {
        let first = EngineId::all(ask.kind()).into_iter();
        let why = first.filter_map(|id| obstacle(id, graph, ask)).next();
        let why = why.unwrap_or_else(|| "no engine answers this".to_owned());
        EngineError::refused(&graph.opened, why)
    })?;
    chosen.check_options(ask.kind(), options)?;
    Ok(chosen)
}

/// Why an engine cannot answer a question, or `None` if it can.
pub fn obstacle<K: Key>(id: EngineId, graph: &Graph<K>, ask: &Ask<'_, K>) -> Option<String> {
    let kind = ask.kind();
    match id.answers(kind) {
        true => id.of::<K>().obstacle(graph, ask),
        false => Some(id.not_for(kind)),
    }
}

/// Answers a question for a path, by the named or the preferred engine. A path that is found is
/// replayed on the rulebook.
///
/// # Errors
/// [`EngineError`]: an engine that cannot answer, an option that it does not take, a puzzle that
/// breaks its contract, or a path that the rulebook refuses.
pub fn path<K: Key>(
    named: Option<EngineId>,
    question: &PathQuestion<'_, K>,
) -> Result<(EngineId, PathAnswer<K>)> {
    let id = choose(named, question.graph, &question.ask(), question.options)?;
    Ok((id, answer(id, question)?.sound()?))
}

/// Like [`path`], with an engine chosen for the question. The caller must check the samples of its
/// levels ([`PathAnswer::sound`]).
///
/// # Errors
/// [`EngineError`]: a puzzle that breaks its contract, or a path that the rulebook refuses.
pub fn answer<K: Key>(id: EngineId, question: &PathQuestion<'_, K>) -> Result<PathAnswer<K>> {
    if let Some(answer) = answer_alone(id, question)? {
        return Ok(answer);
    }
    answer_together(id, question)
}

/// The answer of an engine on the calling thread, if it is cheap; `None` if [`answer_together`] is
/// to continue.
pub fn answer_alone<K: Key>(
    id: EngineId,
    question: &PathQuestion<'_, K>,
) -> Result<Option<PathAnswer<K>>> {
    if let Some(narrow) = question.narrow() {
        let answer = answer_alone(id, &question.on(&narrow))?;
        return Ok(answer.map(PathAnswer::with_keys));
    }
    let answer = id.of::<K>().path_alone(question)?;
    answer.map(|answer| checked(question, answer)).transpose()
}

/// The rest of [`answer`], if [`answer_alone`] returns `None`.
pub fn answer_together<K: Key>(
    id: EngineId,
    question: &PathQuestion<'_, K>,
) -> Result<PathAnswer<K>> {
    if let Some(narrow) = question.narrow() {
        return Ok(answer_together(id, &question.on(&narrow))?.with_keys());
    }
    let row = id.of::<K>();
    let answer = match row.path(question)? {
        Some(answer) => answer,
        None => by_levels::path(row, question)?,
    };
    checked(question, answer)
}

/// An answer whose path, if it has one, was replayed on the rulebook.
fn checked<K: Key>(question: &PathQuestion<'_, K>, answer: PathAnswer<K>) -> Result<PathAnswer<K>> {
    if let Outcome::Path(path) = &answer.outcome {
        check_start(question, &path.states)?;
        check_path(question.rules, &path.states, Some(&question.goal))?;
    }
    Ok(answer)
}

/// Whether a path begins at the requested start.
fn check_start<K: Key>(question: &PathQuestion<'_, K>, path: &[K]) -> Result<()> {
    match path.first() {
        Some(&first) if first != question.start => Err(EngineError::Disagree(format!(
            "{}: the path found begins at {}, and not where it was to begin",
            question.graph.opened.full_name(),
            question.rules.draw(first)?
        ))),
        _ => Ok(()),
    }
}

/// Answers a question for the least measure that a sequence of moves from the start can end with,
/// by the named or the preferred engine. The line is replayed on the rulebook.
pub fn fewest<K: Key>(
    named: Option<EngineId>,
    question: &PathQuestion<'_, K>,
) -> Result<FewestAnswer<K>> {
    if let Some(narrow) = question.narrow() {
        return Ok(fewest(named, &question.on(&narrow))?.with_keys());
    }
    let id = choose(named, question.graph, &Ask::Fewest, question.options)?;
    let answer = id.of::<K>().fewest(question)?;
    check_start(question, &answer.fewest.line)?;
    check_path(question.rules, &answer.fewest.line, None)?;
    Ok(answer)
}

/// Answers a question for all solutions, by the named or the preferred engine.
pub fn solutions<K: Key>(
    named: Option<EngineId>,
    question: &PathQuestion<'_, K>,
) -> Result<SolutionsAnswer<K>> {
    if let Some(narrow) = question.narrow() {
        return Ok(solutions(named, &question.on(&narrow))?.with_keys());
    }
    let id = choose(named, question.graph, &Ask::Solutions, question.options)?;
    id.of::<K>().solutions(question)
}

/// Finds lengths between many states: with the named engine, else by rank if that fits the memory,
/// else by key.
///
/// # Errors
/// [`EngineError`]: an engine that cannot answer, bad input, too little memory.
pub fn many(
    named: Option<EngineId>,
    request: &many_to_many::PairsRequest,
    stop: &Stop,
) -> Result<many_to_many::PairsOutcome> {
    let Some(id) = named else {
        return many_to_many::lengths(request, stop);
    };
    let numbered = id.facts().numbered.ok_or_else(|| {
        let name = format!("{}/{}", request.library.name, request.instance);
        let what = id.not_for(QuestionKind::Many);
        EngineError::CannotHold(format!("{name}: {what}"))
    })?;
    many_to_many::lengths(&request.numbered(numbered), stop)
}
