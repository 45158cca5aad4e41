//! Keys of a claim as rows: the reader, the template, the schema and the documentation all use
//! the same ones.

use std::sync::LazyLock;

use antipode_reports::model::{Origin, Verdict};
use antipode_search::engine::QuestionKind as Question;
use antipode_search::registry::EngineId;
use toml::de::DeValue;

use crate::counts;
use crate::kind::ClaimKind;
use crate::sheet;
use crate::spec::Compare;
use antipode_reports::text::nearest;

/// Levels that a depth can count.
pub(crate) const DEEPEST: u64 = u16::MAX as u64 - 2;

/// A key that a claim may set.
#[derive(Debug, Clone, Copy)]
pub struct Field {
    /// Name in the file.
    pub name: &'static str,
    /// The type of its value.
    pub takes: Takes,
    /// Whether a claim cannot do without.
    pub needed: bool,
    /// A value, as it would be written in a file.
    pub example: &'static str,
    /// Its meaning, in a sentence or two.
    pub about: &'static str,
}

/// The keys of a list in `keys.toml`, which says how they are written.
fn fields(table: &'static toml::Table, list: &str) -> Vec<Field> {
    let field = |row: Vec<&'static str>| {
        let name = row[0].trim_end_matches('!');
        let mut shared = sheet::rows(sheet::all(), "shared");
        let shared = shared.find(|row| row[0] == name).unwrap_or_default();
        let cell = |at: usize| {
            let own = row.get(at).filter(|own| !own.is_empty());
            own.or(shared.get(at)).copied().unwrap_or_default()
        };
        Field {
            name,
            takes: Takes::named(cell(1)),
            needed: name != row[0],
            example: cell(2),
            about: cell(3),
        }
    };
    sheet::rows(table, list).map(field).collect()
}

/// Keys that every claim may have, whatever its kind.
pub static CLAIM_KEYS: LazyLock<Vec<Field>> = LazyLock::new(|| fields(sheet::all(), "claim"));

/// Keys that every reading of a claim may have, in addition to those of its kind.
pub static READING_KEYS: LazyLock<Vec<Field>> = LazyLock::new(|| fields(sheet::all(), "reading"));

/// Keys of a file, before its first claim. The claims of a library are about that library, and need
/// none.
pub static FILE_KEYS: LazyLock<Vec<Field>> = LazyLock::new(|| fields(sheet::all(), "file"));

/// Keys of each kind, in addition to those of every claim.
static KIND_KEYS: LazyLock<[Vec<Field>; 8]> =
    LazyLock::new(|| ClaimKind::ALL.map(|kind| fields(sheet::of_kind(kind.name()), "keys")));

/// Keys of a kind, in addition to those of every claim.
pub(crate) fn of_kind(kind: ClaimKind) -> &'static [Field] {
    &KIND_KEYS[kind as usize]
}

/// The type of a key's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Takes {
    /// Any text.
    Text,
    /// A name that a file can have.
    Id,
    /// A text of at most n words.
    Words(usize),
    /// An address.
    Url,
    /// Texts in a list.
    Texts,
    /// A table whose values are texts.
    Settings,
    /// A published figure: a number, or a text.
    Figure,
    /// Published sizes: whole numbers in a list, or in a text with ", " between them.
    Sizes,
    /// A number more than 0 and at most 0.5.
    Share,
    /// A whole number, or one for each effort.
    Whole,
    /// A depth, or one for each effort.
    Depth,
    /// Two depths, or two for each effort.
    Range,
    /// One of a few words.
    OneOf(Choice),
    /// Readings, each a table.
    Readings,
}

/// A list of words that a key chooses from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// Kinds of claims.
    Kind,
    /// Verdicts that can be expected.
    Verdict,
    /// Efforts.
    Effort,
    /// Ways to compare figures.
    Compare(&'static [Compare]),
    /// Engines that find levels.
    LevelEngine,
    /// Engines that find a path.
    PathEngine,
    /// Any of the two, for a kind that needs both.
    AnyEngine,
    /// Directions of a search.
    Direction,
    /// Figures of a search.
    Count,
    /// How much of a source was seen.
    Text,
    /// The origin of the claim.
    Origin,
}

impl Choice {
    /// The words, in the order in which they are listed.
    #[must_use]
    pub fn words(self) -> Vec<String> {
        let owned = |words: &[&str]| words.iter().map(ToString::to_string).collect();
        let engines = || EngineId::all(Question::Levels).into_iter();
        let levels = || engines().map(|engine| engine.name());
        let paths = || {
            EngineId::all(Question::Path)
                .into_iter()
                .map(EngineId::name)
        };
        match self {
            Self::Kind => owned(&ClaimKind::ALL.map(ClaimKind::name)),
            Self::Verdict => owned(&Verdict::ALL.map(Verdict::id)),
            Self::Effort => owned(&["quick", "full"]),
            Self::Compare(some) => some.iter().map(|one| one.name().to_owned()).collect(),
            Self::LevelEngine => levels().map(str::to_owned).collect(),
            Self::PathEngine => paths().map(str::to_owned).collect(),
            Self::AnyEngine => {
                let more = paths().filter(|name| levels().all(|level| level != *name));
                levels().chain(more).map(str::to_owned).collect()
            }
            Self::Direction => owned(&["forward", "backward"]),
            Self::Count => owned(&counts::names()),
            Self::Text => owned(&["at-hand"]),
            Self::Origin => owned(&Origin::ALL.map(Origin::name)),
        }
    }

    /// Whether a word is one of them.
    fn has(self, word: &str) -> bool {
        match self {
            Self::Count => counts::find(word).is_some(),
            _ => self.words().iter().any(|known| known == word),
        }
    }
}

impl Takes {
    /// The type of a name in `keys.toml`.
    fn named(name: &'static str) -> Self {
        let choice = |choice| Self::OneOf(choice);
        match name.split_once(' ').unwrap_or((name, "")) {
            ("text", "") => Self::Text,
            ("id", _) => Self::Id,
            ("words", most) => Self::Words(most.parse().unwrap_or(0)),
            ("url", _) => Self::Url,
            ("texts", _) => Self::Texts,
            ("settings", _) => Self::Settings,
            ("figure", _) => Self::Figure,
            ("sizes", _) => Self::Sizes,
            ("share", _) => Self::Share,
            ("whole", _) => Self::Whole,
            ("depth", _) => Self::Depth,
            ("range", _) => Self::Range,
            ("readings", _) => Self::Readings,
            ("kind", _) => choice(Choice::Kind),
            ("verdict", _) => choice(Choice::Verdict),
            ("effort", _) => choice(Choice::Effort),
            ("engine", "for levels") => choice(Choice::LevelEngine),
            ("engine", "for a path") => choice(Choice::PathEngine),
            ("engine", _) => choice(Choice::AnyEngine),
            ("direction", _) => choice(Choice::Direction),
            ("count", _) => choice(Choice::Count),
            ("text", _) => choice(Choice::Text),
            ("origin", _) => choice(Choice::Origin),
            ("compare", "") => choice(Choice::Compare(&Compare::ALL)),
            ("compare", some) => {
                let some: Vec<Compare> = some.split(' ').filter_map(Compare::named).collect();
                choice(Choice::Compare(some.leak()))
            }
            _ => panic!("keys.toml: no type {name}"),
        }
    }

    /// The name of the type, for errors and for the documentation.
    #[must_use]
    pub fn describe(self) -> String {
        match self {
            Self::Text | Self::Id => "a text".into(),
            Self::Words(most) => format!("a text of at most {most} words"),
            Self::Url => {
                "an address that begins with https:// or http://, without blanks and quotes".into()
            }
            Self::Texts => "a list of texts such as [\"a\", \"b\"]".into(),
            Self::Settings => "a table of texts such as { name = \"value\" }".into(),
            Self::Figure => "a number or a text".into(),
            Self::Sizes => "a list of whole numbers such as [1, 8, 20]".into(),
            Self::Share => "a number more than 0 and at most 0.5".into(),
            Self::Whole => "a whole number, or { quick = …, full = … }".into(),
            Self::Depth => {
                format!("a whole number of at most {DEEPEST}, or {{ quick = …, full = … }}")
            }
            Self::Range => "two depths such as [31, 45], or { quick = …, full = … }".into(),
            Self::OneOf(choice) => format!("one of {}", choice.words().join(", ")),
            Self::Readings => "tables of their own, each under [[claim.reading]]".into(),
        }
    }

    /// Checks a value. Bounds that a kind knows are checked by the kind.
    ///
    /// # Errors
    /// The place in a table or a list, in bytes, where the invalid part begins, `None` if it is the
    /// value as a whole; and the rest of a line that began with the key: what the value should be.
    pub(crate) fn check(self, value: &DeValue<'_>) -> Result<(), (Option<usize>, String)> {
        self.invalid(value).map_or(Ok(()), |at| {
            Err((
                at,
                format!("is not {}{}", self.describe(), self.nearest(value)),
            ))
        })
    }

    /// Where a value is invalid, if it is.
    fn invalid(self, value: &DeValue<'_>) -> Option<Option<usize>> {
        let fits = match self {
            Self::Text | Self::Id => value.is_str(),
            Self::Words(most) => {
                let text = value.as_str();
                text.is_some_and(|text| text.split_whitespace().count() <= most)
            }
            Self::Url => value.as_str().is_some_and(is_url),
            Self::Texts => return in_list(value, DeValue::is_str),
            Self::Settings => return in_table(value, |_, value| value.is_str()),
            Self::Figure => value.is_str() || value.is_integer() || value.is_float(),
            Self::Sizes if !value.is_str() => return in_list(value, DeValue::is_integer),
            Self::Sizes => true,
            Self::Share => share(value).is_some(),
            Self::Whole | Self::Depth => return by_effort(value, DeValue::is_integer),
            Self::Range => return by_effort(value, is_range),
            Self::OneOf(choice) => value.as_str().is_some_and(|word| choice.has(word)),
            Self::Readings => in_list(value, DeValue::is_table).is_none(),
        };
        (!fits).then_some(None)
    }

    /// The intended word, for a key that takes one of a few.
    fn nearest(self, value: &DeValue<'_>) -> String {
        let (Self::OneOf(choice), Some(word)) = (self, value.as_str()) else {
            return String::new();
        };
        let words = choice.words();
        // Counts come in pairs, and a name without its ending is neither of them.
        let ends = |known: &&String| {
            known
                .strip_prefix(word)
                .is_some_and(|end| end.starts_with('_'))
        };
        let whole: Vec<String> = words
            .iter()
            .filter(ends)
            .map(|known| format!("'{known}'"))
            .collect();
        if !whole.is_empty() {
            return format!("; did you mean {}?", whole.join(" or "));
        }
        match nearest(word, words.iter().map(String::as_str)) {
            Some(near) => format!("; did you mean '{near}'?"),
            None => String::new(),
        }
    }
}

fn in_list<'i>(value: &DeValue<'i>, is: impl Fn(&DeValue<'i>) -> bool) -> Option<Option<usize>> {
    let Some(items) = value.as_array() else {
        return Some(None);
    };
    let odd = items.iter().find(|item| !is(item.get_ref()))?;
    Some(Some(odd.span().start))
}

fn in_table<'i>(
    value: &DeValue<'i>,
    is: impl Fn(&str, &DeValue<'i>) -> bool,
) -> Option<Option<usize>> {
    let Some(items) = value.as_table() else {
        return Some(None);
    };
    let mut items = items.iter();
    let odd = items.find(|(key, value)| !is(key.get_ref(), value.get_ref()))?;
    Some(Some(odd.0.span().start))
}

/// A value, or a table with one for each effort.
fn by_effort<'i>(value: &DeValue<'i>, is: fn(&DeValue<'i>) -> bool) -> Option<Option<usize>> {
    match value.is_table() {
        true => in_table(value, |effort, value| {
            Choice::Effort.has(effort) && is(value)
        }),
        false => (!is(value)).then_some(None),
    }
}

fn is_range(value: &DeValue<'_>) -> bool {
    let depths = value.as_array();
    depths.is_some_and(|depths| {
        depths.len() == 2 && depths.iter().all(|depth| depth.get_ref().is_integer())
    })
}

/// The widest tolerance: beyond it, less than half of a claimed figure would satisfy it.
pub(crate) const MOST_SHARE: f64 = 0.5;

/// A share, if a value is one.
pub(crate) fn share(value: &DeValue<'_>) -> Option<f64> {
    let share: f64 = value.as_float()?.as_str().parse().ok()?;
    (share > 0.0 && share <= MOST_SHARE).then_some(share)
}

fn is_url(text: &str) -> bool {
    let rest = text
        .strip_prefix("https://")
        .or_else(|| text.strip_prefix("http://"));
    rest.is_some_and(|rest| {
        let plain =
            |c: char| !c.is_whitespace() && !puzzle_api::is_obeyed(c) && !"<>\"".contains(c);
        !rest.is_empty() && rest.chars().all(plain)
    })
}
