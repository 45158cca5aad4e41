//! The one list of engines. Whatever names, offers or chooses an engine goes by it.

use std::any::Any;
use std::fmt;
use std::str::FromStr;

use antipode_graph::{Graph, Library};
use puzzle_api::Key;

use crate::engine::{Ask, Engine, Kind, Means, Opt, PathAnswer, PathQuestion};
use crate::engines::find::check_path;
use crate::engines::{beam, bidirectional, dense, dfs, disk, hash, reference, sweep};
use crate::error::EngineError;
use crate::many_to_many;
use crate::outcome::Outcome;
use crate::progress::Stop;

/// A row for each engine, for one width of keys.
type Rows<K> = [&'static dyn Engine<K>; 8];

/// All engines. A new one is a line here.
const fn rows<K: Key>() -> Rows<K> {
    [
        &reference::Row,
        &hash::Row,
        &dense::Row,
        &disk::Row,
        &sweep::Row,
        &bidirectional::Row,
        &beam::Row,
        &dfs::Row,
    ]
}

/// Rows for both widths of keys. They are made here, so that the engines are compiled once and
/// not again in every crate that asks for them.
static SHORT: Rows<u64> = rows();
static LONG: Rows<u128> = rows();

/// All engines, in the order in which they are listed.
#[must_use]
pub fn engines<K: Key>() -> &'static [&'static dyn Engine<K>] {
    let widths: [&'static dyn Any; 2] = [&SHORT, &LONG];
    let rows = widths
        .into_iter()
        .find_map(|rows| rows.downcast_ref::<Rows<K>>());
    rows.map_or(&[], |rows| rows)
}

/// An engine that was named.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EngineId(&'static str);

impl EngineId {
    /// The engine that needs nothing of a puzzle: what others are compared with.
    pub const HASH: Self = Self("hash");

    /// Engines that answer a kind of question, in the order of the list.
    #[must_use]
    pub fn all(kind: Kind) -> Vec<Self> {
        let able = engines::<u64>()
            .iter()
            .filter(|engine| engine.answers().contains(&kind));
        able.map(|engine| Self(engine.name())).collect()
    }

    /// The engine of a name, among those that answer a kind of question.
    ///
    /// # Errors
    /// One line with the names there are.
    pub fn named(name: &str, kind: Kind) -> Result<Self, String> {
        let all = Self::all(kind);
        let found = all.iter().find(|engine| engine.0 == name);
        found.copied().ok_or_else(|| {
            let names: Vec<&str> = all.iter().map(|engine| engine.0).collect();
            format!("no engine '{name}'; use one of {}", names.join(", "))
        })
    }

    /// Name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.0
    }

    /// What it is, in a few words.
    #[must_use]
    pub fn summary(self) -> &'static str {
        self.of::<u64>().summary()
    }

    /// Whether it answers a kind of question.
    #[must_use]
    pub fn answers(self, kind: Kind) -> bool {
        self.of::<u64>().answers().contains(&kind)
    }

    /// Whether it heeds an option with a kind of question.
    #[must_use]
    pub fn heeds(self, kind: Kind, option: Opt) -> bool {
        self.answers(kind) && self.of::<u64>().options(kind).contains(&option)
    }

    /// Its row.
    #[must_use]
    pub fn of<K: Key>(self) -> &'static dyn Engine<K> {
        let rows = engines();
        let row = rows.iter().find(|row| row.name() == self.0);
        // An id is made from a name of the list only.
        row.copied().unwrap_or(&reference::Row)
    }

    /// The variant that it searches where the user names none.
    #[must_use]
    pub fn variant(self, library: &Library) -> &str {
        self.of::<u64>().variant(library)
    }

    /// Refuses options that it would pass over in silence.
    ///
    /// # Errors
    /// One line that names the option and the engines that heed it.
    pub fn heed(self, kind: Kind, means: &Means) -> Result<(), EngineError> {
        let given = means.given();
        let Some(&option) = given.iter().find(|&&option| !self.heeds(kind, option)) else {
            return Ok(());
        };
        let flag = option.flag();
        let owners: Vec<&str> = Self::all(kind)
            .into_iter()
            .filter(|engine| engine.heeds(kind, option))
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
        Err(EngineError::CannotHold(text))
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
        let rows = engines::<u64>();
        let row = rows.iter().find(|row| row.name() == text);
        row.map(|row| Self(row.name())).ok_or_else(|| {
            let names: Vec<&str> = rows.iter().map(|row| row.name()).collect();
            format!("no engine '{text}'; use one of {}", names.join(", "))
        })
    }
}

/// The engine named, or the one to be preferred.
///
/// # Errors
/// [`EngineError::CannotHold`] with the reason why it cannot answer, or why none can.
pub fn choose<K: Key>(
    named: Option<EngineId>,
    graph: &Graph<K>,
    ask: &Ask<'_, K>,
) -> Result<EngineId, EngineError> {
    let name = || graph.opened.full_name();
    if let Some(id) = named {
        return match obstacle(id, graph, ask) {
            None => Ok(id),
            Some(why) => Err(EngineError::CannotHold(format!("{}: {why}", name()))),
        };
    }
    let mut chosen = None;
    let mut most = 0;
    for row in engines::<K>() {
        let id = EngineId(row.name());
        if obstacle(id, graph, ask).is_some() {
            continue;
        }
        let preference = row.preference(graph, ask);
        if preference > most {
            (chosen, most) = (Some(id), preference);
        }
    }
    chosen.ok_or_else(|| {
        let first = EngineId::all(ask.kind()).into_iter();
        let why = first.filter_map(|id| obstacle(id, graph, ask)).next();
        let why = why.unwrap_or_else(|| "no engine answers this".to_owned());
        EngineError::CannotHold(format!("{}: {why}", name()))
    })
}

/// Why an engine cannot answer a question, or nothing if it can.
#[must_use]
pub fn obstacle<K: Key>(id: EngineId, graph: &Graph<K>, ask: &Ask<'_, K>) -> Option<String> {
    let kind = ask.kind();
    if !id.answers(kind) {
        let what = match kind {
            Kind::Levels => "levels",
            Kind::Path => "a path",
            Kind::Many => "lengths between many states",
        };
        return Some(format!("engine {id} does not look for {what}"));
    }
    id.of::<K>().obstacle(graph, ask)
}

/// Answers a question for a path: with the engine named, or the one to be preferred. A path
/// that is found is played again on the rulebook.
///
/// # Errors
/// [`EngineError`]: an engine that cannot, an option that it does not heed, a puzzle that
/// breaks its contract, a path that is none on the rulebook.
pub fn path<K: Key>(
    named: Option<EngineId>,
    question: &PathQuestion<'_, K>,
) -> Result<(EngineId, PathAnswer<K>), EngineError> {
    let id = choose(named, question.graph, &question.ask())?;
    id.heed(Kind::Path, question.means)?;
    Ok((id, answer(id, question)?))
}

/// As [`path`], with an engine that was chosen for the question.
///
/// # Errors
/// [`EngineError`]: a puzzle that breaks its contract, a path that is none on the rulebook.
pub fn answer<K: Key>(
    id: EngineId,
    question: &PathQuestion<'_, K>,
) -> Result<PathAnswer<K>, EngineError> {
    let answer = id.of::<K>().path(question)?;
    if let Outcome::Path(path) = &answer.outcome {
        check_path(question.rules, &path.states, Some(&question.goal))?;
    }
    Ok(answer)
}

/// Finds lengths between many states: with the engine named, else by rank where that fits
/// the memory, else by key.
///
/// # Errors
/// [`EngineError`]: an engine that cannot, bad input, too little memory.
pub fn many(
    named: Option<EngineId>,
    request: &many_to_many::Request,
    stop: &Stop,
) -> Result<many_to_many::Outcome, EngineError> {
    match named {
        None => many_to_many::lengths(request, stop),
        Some(id) => match request.library.key_words() {
            1 => id.of::<u64>().many(request, stop),
            _ => id.of::<u128>().many(request, stop),
        },
    }
}
