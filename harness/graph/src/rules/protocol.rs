//! The requests to a rulebook program and its answers, as JSON.

use std::borrow::Cow;
use std::fmt;

use puzzle_api::{InstanceInfo, Settings};
use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, SeqAccess, Visitor};
use serde_json::json;

use super::OTHERWISE;
use super::process::{Process, start_of};
use crate::call::{PluginError, one_line};

/// A program's description of itself.
#[derive(Debug, Deserialize)]
pub(super) struct About {
    pub(super) name: String,
    #[serde(default)]
    pub(super) summary: String,
    #[serde(default)]
    pub(super) legend: String,
    pub(super) instances: Vec<ListedInstance>,
}

#[derive(Debug, Deserialize)]
pub(super) struct ListedInstance {
    pub(super) name: String,
    #[serde(default)]
    pub(super) summary: String,
    pub(super) start: Option<String>,
}

impl From<ListedInstance> for InstanceInfo {
    fn from(ListedInstance { name, summary, .. }: ListedInstance) -> Self {
        let summary = one_line(&summary);
        Self { name, summary }
    }
}

/// An answer; each member is present if it was requested.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct ProgramAnswer<'a> {
    #[serde(borrow)]
    pub(super) moves: Option<Moves<'a>>,
    pub(super) solved: Option<Vec<bool>>,
    #[serde(borrow)]
    pub(super) goals: Option<Vec<Text<'a>>>,
    error: Option<String>,
    unsupported: Option<bool>,
}

/// The reason for a missing answer.
#[derive(Debug)]
pub(super) enum ProgramFault {
    /// The program refuses this input, in its own line.
    Refused(String),
    /// The request is unknown to it.
    Unsupported,
    /// It broke the protocol, or is gone.
    Broken(String),
}

impl ProgramFault {
    /// The program broke the protocol, or is gone: recorded for [`super::broken`].
    pub(super) fn broken(line: String) -> Self {
        let _ = super::BROKEN.set(PluginError::BadInput(line.clone()).or_late());
        Self::Broken(line)
    }

    /// Two of its processes describe different puzzles.
    pub(super) fn otherwise() -> Self {
        let _ = super::BROKEN.set(PluginError::Disagree(OTHERWISE.to_owned()));
        Self::Broken(OTHERWISE.to_owned())
    }

    pub(super) fn line(self) -> String {
        match self {
            Self::Refused(line) => line,
            Self::Unsupported => "answers that this is unsupported".into(),
            Self::Broken(line) => line,
        }
    }
}

/// A text, borrowed from the answer unless it has escapes.
#[derive(Debug, Deserialize)]
#[serde(transparent)]
pub(super) struct Text<'a>(#[serde(borrow)] pub(super) Cow<'a, str>);

/// The moves of some states, one after another: a list for each state would be an allocation for
/// each.
#[derive(Debug, Default)]
pub(super) struct Moves<'a> {
    pub(super) all: Vec<NamedMove<'a>>,
    /// The end of each state's moves.
    pub(super) ends: Vec<usize>,
}

impl<'de: 'a, 'a> Deserialize<'de> for Moves<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(AllMoves)
    }
}

struct AllMoves;

impl<'de> Visitor<'de> for AllMoves {
    type Value = Moves<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of moves for each state")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut lists: A) -> Result<Moves<'de>, A::Error> {
        let mut moves = Moves::default();
        while lists
            .next_element_seed(MovesOfOne(&mut moves.all))?
            .is_some()
        {
            moves.ends.push(moves.all.len());
        }
        Ok(moves)
    }
}

/// Appends the moves of one state.
struct MovesOfOne<'m, 'de>(&'m mut Vec<NamedMove<'de>>);

impl<'de> DeserializeSeed<'de> for MovesOfOne<'_, 'de> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for MovesOfOne<'_, 'de> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of moves")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut moves: A) -> Result<(), A::Error> {
        while let Some(one) = moves.next_element()? {
            self.0.push(one);
        }
        Ok(())
    }
}

/// A state after a move, with the name of the move if it has one.
#[derive(Debug)]
pub(super) struct NamedMove<'a> {
    pub(super) name: Option<Cow<'a, str>>,
    pub(super) to: Cow<'a, str>,
}

impl<'de: 'a, 'a> Deserialize<'de> for NamedMove<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(OneMove)
    }
}

struct OneMove;

impl<'de> Visitor<'de> for OneMove {
    type Value = NamedMove<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("\"STATE\" or [\"name of the move\",\"STATE\"]")
    }

    fn visit_borrowed_str<E: Error>(self, to: &'de str) -> Result<NamedMove<'de>, E> {
        let (name, to) = (None, Cow::Borrowed(to));
        Ok(NamedMove { name, to })
    }

    fn visit_str<E: Error>(self, to: &str) -> Result<NamedMove<'de>, E> {
        let (name, to) = (None, Cow::Owned(to.to_owned()));
        Ok(NamedMove { name, to })
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut pair: A) -> Result<NamedMove<'de>, A::Error> {
        let (name, to) = (pair.next_element()?, pair.next_element()?);
        let (Some(Text(name)), Some(Text(to)), None) =
            (name, to, pair.next_element::<IgnoredAny>()?)
        else {
            return Err(A::Error::custom("a move is not of two texts"));
        };
        Ok(NamedMove {
            // An unreadable name counts as none.
            name: Some(name).filter(|name| !name.trim().is_empty()),
            to,
        })
    }
}

/// A request.
#[derive(Debug, Clone, Copy)]
pub(super) enum ProgramRequest<'r> {
    About,
    Open(&'r str, &'r Settings),
    Moves(&'r [Cow<'static, str>]),
    Solved(&'r [Cow<'static, str>]),
    Goals,
}

impl ProgramRequest<'_> {
    fn line(self) -> Vec<u8> {
        let states = |what: &str, states: &[Cow<'static, str>]| {
            let mut line = format!("{{\"do\":\"{what}\",\"states\":[").into_bytes();
            for (at, state) in states.iter().enumerate() {
                if at > 0 {
                    line.push(b',');
                }
                let escaped = |byte: u8| matches!(byte, b'"' | b'\\' | ..b' ');
                if state.bytes().any(escaped) {
                    // Writing a string to memory does not fail.
                    let _ = serde_json::to_writer(&mut line, state);
                    continue;
                }
                line.push(b'"');
                line.extend_from_slice(state.as_bytes());
                line.push(b'"');
            }
            line.extend_from_slice(b"]}\n");
            line
        };
        match self {
            Self::About => b"{\"do\":\"about\"}\n".to_vec(),
            Self::Goals => b"{\"do\":\"goals\"}\n".to_vec(),
            Self::Open(instance, settings) => {
                let open = json!({"do": "open", "instance": instance, "settings": settings});
                format!("{open}\n").into_bytes()
            }
            Self::Moves(of) => states("moves", of),
            Self::Solved(of) => states("solved", of),
        }
    }

    fn named(self) -> String {
        let of = |what: &str, states: &[Cow<'static, str>]| match states {
            [one] => format!("`{what}` of '{one}'"),
            many => format!("`{what}` of {} states", many.len()),
        };
        match self {
            Self::About => "`about`".into(),
            Self::Goals => "`goals`".into(),
            Self::Open(instance, _) => format!("`open` of instance '{instance}'"),
            Self::Moves(states) => of("moves", states),
            Self::Solved(states) => of("solved", states),
        }
    }

    fn due(self) -> &'static str {
        match self {
            Self::About => "{\"name\":\"…\",\"instances\":[{\"name\":\"…\"}]}",
            Self::Open(..) => "{}",
            Self::Moves(_) => "{\"moves\":[[\"STATE\",…],…]}",
            Self::Solved(_) => "{\"solved\":[true,…]}",
            Self::Goals => "{\"goals\":[\"STATE\",…]}",
        }
    }

    fn read<'a, T: Deserialize<'a>>(self, line: &'a [u8]) -> Result<T, ProgramFault> {
        // Must be an object: serde accepts a list for a struct as well.
        let read = match line.trim_ascii_start().first() {
            Some(b'{') => serde_json::from_slice(line).map_err(|error| format!(" ({error})")),
            _ => Err(String::new()),
        };
        read.map_err(|why| {
            ProgramFault::broken(format!(
                "{}: answered '{}' where {} is due{why}; one JSON object a line, and logs to stderr",
                self.named(),
                start_of(line),
                self.due()
            ))
        })
    }

    /// Sends the request to a process that has opened nothing yet.
    pub(super) fn about(process: &mut Process) -> Result<(About, String), ProgramFault> {
        let line = Self::About.sent(process)?;
        let said = String::from_utf8_lossy(line).into_owned();
        Ok((Self::About.read(line)?, said))
    }

    fn sent(self, process: &mut Process) -> Result<&[u8], ProgramFault> {
        let sent = process.ask(&self.line());
        sent.map_err(|why| ProgramFault::broken(format!("{}: {why}", self.named())))
    }

    /// Sends the request, and checks that the answer has the expected members, an element per
    /// state.
    pub(super) fn put(self, process: &mut Process) -> Result<ProgramAnswer<'_>, ProgramFault> {
        let answer: ProgramAnswer<'_> = self.read(self.sent(process)?)?;
        if let Some(error) = &answer.error {
            return Err(ProgramFault::Refused(one_line(error.trim())));
        }
        if answer.unsupported == Some(true) {
            return Err(match self {
                Self::Moves(_) | Self::Solved(_) => ProgramFault::broken(format!(
                    "{}: {}; every rulebook answers it",
                    self.named(),
                    ProgramFault::Unsupported.line()
                )),
                _ => ProgramFault::Unsupported,
            });
        }
        let (found, wanted) = match self {
            Self::About | Self::Open(..) => (Some(0), 0),
            Self::Moves(states) => (
                answer.moves.as_ref().map(|moves| moves.ends.len()),
                states.len(),
            ),
            Self::Solved(states) => (answer.solved.as_ref().map(Vec::len), states.len()),
            Self::Goals => (answer.goals.as_ref().map(|_| 0), 0),
        };
        let wrong = match found {
            Some(found) if found == wanted => return Ok(answer),
            Some(found) => format!("answered {found} of {wanted} elements; one per state is due"),
            None => format!("answered without what is due: {}", self.due()),
        };
        Err(ProgramFault::broken(format!("{}: {wrong}", self.named())))
    }
}
