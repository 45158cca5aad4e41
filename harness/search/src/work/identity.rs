//! The identity of a run, so that pieces of different runs are never mixed.

use std::collections::BTreeMap;

use antipode_graph::Opened;
use puzzle_api::Settings;
use serde::Serialize;
use serde_json::Value;

use crate::machine::content_of;

/// The subject of a run: the common part of every identity.
#[derive(Debug, Clone, Serialize)]
pub struct Subject {
    tool: &'static str,
    instance: String,
    puzzle_version: String,
    variant: String,
    setting: BTreeMap<String, String>,
    /// BLAKE3 of files that settings name, such as a board: their content counts.
    content_of: BTreeMap<String, String>,
    /// BLAKE3 of the library, if it was loaded.
    plugin: Option<String>,
}

impl Subject {
    /// The subject of an opened instance. Reads the files that its settings name.
    #[must_use]
    pub fn of(opened: &Opened) -> Self {
        Self {
            tool: env!("CARGO_PKG_VERSION"),
            instance: opened.full_name(),
            puzzle_version: opened.library.version.clone(),
            variant: opened.variant.clone(),
            setting: opened.settings.clone().into_iter().collect(),
            content_of: contents_of(&opened.settings),
            plugin: (opened.library.source.named()).map(|(_, blake3)| blake3.to_owned()),
        }
    }
}

/// BLAKE3 of the files that settings name, by setting.
#[must_use]
pub fn contents_of(settings: &Settings) -> BTreeMap<String, String> {
    let content = |(key, value): (&String, &String)| Some((key.clone(), content_of(value)?));
    settings.iter().filter_map(content).collect()
}

/// The first field in which two identities differ, in words.
pub(crate) fn difference(found: &Value, wanted: &Value) -> Option<String> {
    differ("", found, wanted)
}

fn differ(name: &str, found: &Value, wanted: &Value) -> Option<String> {
    if let (Value::Object(there), Value::Object(here)) = (found, wanted) {
        let keys = there.keys().chain(here.keys());
        return keys.into_iter().find_map(|key| {
            let of = |side: &serde_json::Map<String, Value>| {
                side.get(key).cloned().unwrap_or(Value::Null)
            };
            let name = format!("{name} {}", key.replace('_', " "));
            differ(name.trim_start(), &of(there), &of(here))
        });
    }
    if let (Value::Array(there), Value::Array(here)) = (found, wanted) {
        let of = |side: &[Value], at| side.get(at).cloned().unwrap_or(Value::Null);
        return (0..there.len().max(here.len()))
            .find_map(|at| differ(&format!("{name} {}", at + 1), &of(there, at), &of(here, at)));
    }
    let named = NAMED.iter().find(|(plain, _)| *plain == name);
    let name = named.map_or(name, |(_, told)| told);
    (found != wanted).then(|| format!("{name} is {} there and {} here", text(found), text(wanted)))
}

/// Names that do not show which option resumes, each with a longer one that does.
const NAMED: [(&str, &str); 1] = [(
    "used moves",
    "used moves (none with --moves all, left out with --moves unused)",
)];

fn text(value: &Value) -> String {
    match value {
        Value::Null => "none".to_owned(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
