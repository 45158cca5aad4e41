//! A claim's table with the place of each of its keys, overridden by a reading's.

use std::borrow::Cow;
use std::collections::BTreeMap;

use puzzle_api::Settings;
use serde::Deserialize;
use toml::Spanned;
use toml::de::{DeTable, DeValue, ValueDeserializer};

use crate::field::Field;
use crate::kind::ClaimKind;
use antipode_reports::text::nearest;

/// Place of a claim's error in the text, and the error.
pub(super) type TextFault = (usize, String);

/// A table in a file.
#[derive(Clone, Copy)]
pub(super) struct TablePlace<'a, 'i> {
    /// Where it begins, in bytes.
    pub(super) start: usize,
    pub(super) table: &'a DeTable<'i>,
}

impl<'a, 'i> TablePlace<'a, 'i> {
    pub(super) fn get(&self, key: &str) -> Option<&'a Spanned<DeValue<'i>>> {
        self.table.get(key)
    }

    /// The kind that it names, if any.
    pub(super) fn kind(&self) -> Result<Option<ClaimKind>, TextFault> {
        let Some((key, value)) = self.table.get_key_value("kind") else {
            return Ok(None);
        };
        let name = value.get_ref().as_str().unwrap_or_default();
        let at = key.span().start;
        ClaimKind::named(name).map(Some).map_err(|line| (at, line))
    }

    /// The errors of its keys: a key of neither all claims nor a kind, an invalid value, a missing
    /// key. `who` is the beginning of a line about it.
    pub(super) fn check_keys(
        &self,
        who: &str,
        shared: &[Field],
        kinds: &[ClaimKind],
    ) -> Vec<TextFault> {
        let mut faults = Vec::new();
        let of_kinds = kinds.iter().flat_map(|kind| kind.keys());
        let known: Vec<&Field> = shared.iter().chain(of_kinds).collect();
        for (name, value) in self.table {
            let at = name.span().start;
            let mut takes = known
                .iter()
                .filter(|key| key.name == name.get_ref().as_ref());
            let Some(first) = takes.next() else {
                let line = no_key(name.get_ref(), kinds, &known);
                faults.push((at, format!("{who}: {line}")));
                continue;
            };
            let checked = first.takes.check(value.get_ref());
            // Kinds may differ in the type of a key of theirs.
            if let Err((cause, line)) = checked
                && !takes.any(|key| key.takes.check(value.get_ref()).is_ok())
            {
                let shown = shown(value.get_ref());
                let line = format!("{who}: {name} = {shown} {line}", name = name.get_ref());
                faults.push((cause.unwrap_or(at), line));
            }
        }
        let is_blank = |key: &Field| {
            let text = self
                .get(key.name)
                .and_then(|value| value.get_ref().as_str());
            text.is_some_and(|text| text.trim().is_empty())
        };
        // A kind may stand in each reading.
        let needed = shared.iter().filter(|key| key.needed && key.name != "kind");
        let missing = needed.filter(|key| self.get(key.name).is_none() || is_blank(key));
        faults.extend(missing.map(|key| (self.start, lacks(who, key.name))));
        faults
    }
}

/// The message about an unknown key.
fn no_key(odd: &str, kinds: &[ClaimKind], known: &[&Field]) -> String {
    let taken = || known.iter().map(|key| key.name);
    let exists = ClaimKind::ALL
        .iter()
        .any(|kind| kind.keys().iter().any(|key| key.name == odd));
    if exists {
        let own = kinds
            .iter()
            .flat_map(|kind| kind.keys())
            .map(|key| key.name);
        let mut own: Vec<&str> = own.collect();
        own.dedup();
        let of: Vec<String> = kinds
            .iter()
            .map(|kind| format!("kind = \"{}\"", kind.name()))
            .collect();
        let of = match of.first() {
            None => "a claim without a kind".to_owned(),
            Some(first) => first.clone(),
        };
        return format!("{of} takes no '{odd}'; it takes {}", own.join(", "));
    }
    match nearest(odd, taken()) {
        Some(near) => format!("no field '{odd}'; did you mean '{near}'?"),
        None => format!(
            "no field '{odd}'; there are {}",
            taken().collect::<Vec<_>>().join(", ")
        ),
    }
}

/// The id of a claim, if it has one.
pub(super) fn id_of(table: &DeTable<'_>) -> String {
    let id = table.get("id").and_then(|id| id.get_ref().as_str());
    id.unwrap_or_default().to_owned()
}

fn lacks(who: &str, key: &str) -> String {
    format!("{who} lacks the field '{key}', or it is empty")
}

/// A value in a line.
fn shown(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) => format!("{text:?}"),
        DeValue::Integer(number) => number.to_string(),
        DeValue::Float(number) => number.to_string(),
        DeValue::Boolean(is) => is.to_string(),
        DeValue::Datetime(at) => at.to_string(),
        DeValue::Array(_) => "[ … ]".into(),
        DeValue::Table(_) => "{ … }".into(),
    }
}

/// The keys of one reading of a claim.
#[derive(Clone)]
pub(super) struct Values<'a, 'i> {
    /// Id of the claim.
    pub(super) id: String,
    /// Where the table with a missing key begins.
    pub(super) start: usize,
    /// Tables in the order in which they are searched.
    tables: Vec<&'a DeTable<'i>>,
    /// One of several instances.
    instance: Option<String>,
}

impl<'a, 'i> Values<'a, 'i> {
    pub(super) fn of(place: &TablePlace<'a, 'i>, instance: Option<String>) -> Self {
        Self {
            id: id_of(place.table),
            start: place.start,
            tables: vec![place.table],
            instance,
        }
    }

    pub(super) fn overridden_by(&self, reading: &TablePlace<'a, 'i>) -> Self {
        let mut tables = vec![reading.table];
        tables.extend(&self.tables);
        Self {
            start: reading.start,
            tables,
            ..self.clone()
        }
    }

    /// The same, for one instance.
    pub(super) fn about(&self, instance: &str) -> Self {
        Self {
            instance: Some(instance.to_owned()),
            ..self.clone()
        }
    }

    fn value(&self, key: &str) -> Option<&'a DeValue<'i>> {
        self.tables
            .iter()
            .find_map(|table| table.get(key))
            .map(Spanned::get_ref)
    }

    pub(super) fn has(&self, key: &str) -> bool {
        self.value(key).is_some() || (key == "instance" && self.instance.is_some())
    }

    /// A value, if the kind uses the key.
    pub(super) fn of_kind(&self, kind: ClaimKind, key: &str) -> Option<&'a DeValue<'i>> {
        self.value(key).filter(|_| Self::uses(kind, key))
    }

    pub(super) fn uses(kind: ClaimKind, key: &str) -> bool {
        kind.keys().iter().any(|known| known.name == key)
    }

    /// Place of a key; if it is missing, the place where the claim begins. `KEY.INNER` is a key in
    /// a table's braces, or the whole table if it has none of that name.
    pub(super) fn at(&self, key: &str) -> usize {
        let (key, inner) = match key.split_once('.') {
            Some((key, inner)) => (key, Some(inner)),
            None => (key, None),
        };
        let mut tables = self.tables.iter();
        let Some((key, value)) = tables.find_map(|table| table.get_key_value(key)) else {
            return self.start;
        };
        let within = inner.and_then(|inner| value.get_ref().as_table()?.get_key_value(inner));
        within.map_or(key, |(inner, _)| inner).span().start
    }

    /// The place where one of several instances is named.
    fn at_instance(&self, name: &str) -> usize {
        let list = self.value("instances").and_then(DeValue::as_array);
        let mut items = list.into_iter().flatten();
        let named = items.find(|item| item.get_ref().as_str() == Some(name));
        named.map_or_else(|| self.at("instances"), |item| item.span().start)
    }

    pub(super) fn lacks(&self, key: &str) -> TextFault {
        let who = match (self.id.as_str(), self.text("name")) {
            ("", _) => "a claim".to_owned(),
            (id, None) => format!("claim '{id}'"),
            (id, Some(name)) => format!("claim '{id}', reading '{name}'"),
        };
        (self.start, lacks(&who, key))
    }

    /// The place of each key that a kind takes, and of keys in its braces as `KEY.INNER`.
    pub(super) fn spans(&self, kind: ClaimKind) -> BTreeMap<String, usize> {
        let given = kind.keys().iter().filter(|key| self.has(key.name));
        let spans = given.clone().map(|key| match (&self.instance, key.name) {
            (Some(name), "instance") => (key.name.to_owned(), self.at_instance(name)),
            _ => (key.name.to_owned(), self.at(key.name)),
        });
        let inner = given.flat_map(|key| {
            let table = self.value(key.name).and_then(DeValue::as_table);
            let inner = table.into_iter().flat_map(DeTable::keys);
            inner.map(|inner| {
                (
                    format!("{}.{}", key.name, inner.get_ref()),
                    inner.span().start,
                )
            })
        });
        spans.chain(inner).collect()
    }

    pub(super) fn text(&self, key: &str) -> Option<String> {
        match (&self.instance, key) {
            (Some(instance), "instance") => Some(instance.clone()),
            _ => self.value(key)?.as_str().map(str::to_owned),
        }
    }

    pub(super) fn texts(&self, key: &str) -> Option<Vec<String>> {
        let list = self.value(key)?.as_array()?.iter();
        let texts = list.filter_map(|item| item.get_ref().as_str());
        Some(texts.map(str::to_owned).collect())
    }

    pub(super) fn settings(&self, key: &str) -> Settings {
        let table = self.value(key).and_then(DeValue::as_table);
        let pairs = table.into_iter().flatten();
        let texts = pairs.filter_map(|(key, value)| {
            let value = value.get_ref().as_str()?.to_owned();
            Some((key.get_ref().to_string(), value))
        });
        texts.collect()
    }

    /// The keys of a kind that the kind reads itself.
    ///
    /// # Errors
    /// A number that is too large.
    pub(super) fn own(&self, kind: ClaimKind) -> Result<toml::Table, TextFault> {
        let mut own = toml::Table::new();
        for key in kind.keys() {
            let read_here = [
                "instance", "settings", "board", "claimed", "compare", "within", "unit",
            ];
            if read_here.contains(&key.name) {
                continue;
            }
            if let Some(value) = self.value(key.name) {
                let value = plain(value).ok_or_else(|| {
                    let line = format!(
                        "claim '{}': {} is larger than any number here can be",
                        self.id, key.name
                    );
                    (self.at(key.name), line)
                })?;
                own.insert(key.name.to_owned(), value);
            }
        }
        Ok(own)
    }
}

/// A value without its place; `None` for a number beyond 64 bits.
fn plain(value: &DeValue<'_>) -> Option<toml::Value> {
    let placed = Spanned::new(0..0, value.clone());
    toml::Value::deserialize(ValueDeserializer::from(placed)).ok()
}

/// A claim's lines without the blank lines and remarks that follow it. (The parser's own
/// span of a table ends with its header.)
pub(super) fn own_lines(text: &str) -> &str {
    let beside = |line: &&str| line.trim().is_empty() || line.trim_start().starts_with('#');
    let after: usize = text
        .split_inclusive('\n')
        .rev()
        .take_while(beside)
        .map(str::len)
        .sum();
    &text[..text.len() - after]
}

/// Checks that a claim is written in the one form that a checker of certificates reads and quotes:
/// headers as they are named here, and inner tables in braces.
pub(super) fn as_quoted(text: &str, start: usize, claim: &DeTable<'_>) -> Result<(), TextFault> {
    headed(text, start, "[[claim]]")?;
    for (key, value) in claim {
        match value.get_ref() {
            DeValue::Array(readings) if key.get_ref() == "reading" => {
                for reading in readings {
                    headed(text, reading.span().start, "[[claim.reading]]")?;
                    let mut keys = reading.get_ref().as_table().into_iter().flatten();
                    keys.try_for_each(|(key, value)| in_braces(text, key, value))?;
                }
            }
            _ => in_braces(text, key, value)?,
        }
    }
    Ok(())
}

fn headed(text: &str, at: usize, header: &str) -> Result<(), TextFault> {
    match text.get(at..).unwrap_or_default().starts_with(header) {
        true => Ok(()),
        false => Err((
            at,
            format!("begin it with {header} on a line of its own, in its claim"),
        )),
    }
}

/// Refuses a table under its own header, and keys joined by dots.
fn in_braces(
    text: &str,
    key: &Spanned<Cow<'_, str>>,
    value: &Spanned<DeValue<'_>>,
) -> Result<(), TextFault> {
    let written = text.get(value.span().start..).unwrap_or_default();
    match value.get_ref() {
        DeValue::Table(table) if written.starts_with('{') => table
            .iter()
            .try_for_each(|(key, value)| in_braces(text, key, value)),
        DeValue::Table(_) => {
            let name = key.get_ref();
            let line = format!("write the table in braces: {name} = {{ … }}");
            Err((key.span().start, line))
        }
        DeValue::Array(items) => items.iter().try_for_each(|item| in_braces(text, key, item)),
        _ => Ok(()),
    }
}
