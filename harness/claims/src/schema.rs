//! The JSON Schema of claims files, from the same rows that the reader uses.
//!
//! It is written by hand and not derived from types. A claim's keys depend on its kind, and a
//! reading's keys override them, so no type has the shape of a claim.

use serde_json::{Map, Value, json};

use crate::field::{
    CLAIM_KEYS, Choice, DEEPEST, FILE_KEYS, Field, MOST_SHARE, READING_KEYS, Takes,
};
use crate::kind::{ClaimKind, Claimed};
use crate::read::LONGEST_ID;
use crate::spec::Compare;

/// The schema of a file of claims.
#[must_use]
pub fn schema() -> Value {
    let kinds = ClaimKind::ALL.map(|kind| {
        json!({
            "if": { "properties": { "kind": { "const": kind.name() } }, "required": ["kind"] },
            "then": {
                "description": kind.about(),
                "properties": of_claim(kind),
                "additionalProperties": false,
                // A required key of a kind may be in each reading instead, and `instances` may
                // replace `instance`.
                "allOf": [
                    { "anyOf": [
                        { "required": needed(kind.keys()) },
                        { "required": ["reading"] },
                        { "required": ["instances"] },
                    ] },
                    figure_needed(kind),
                ],
            },
        })
    });
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Claims that Antipode certifies",
        "type": "object",
        // Files of a library do not need `puzzle`.
        "required": ["claim"],
        "additionalProperties": false,
        "properties": {
            "puzzle": property(&FILE_KEYS[0]),
            "claim": {
                "type": "array",
                "minItems": 1,
                "items": {
                    "type": "object",
                    "required": needed(CLAIM_KEYS.iter().filter(|field| field.name != "kind")),
                    "properties": { "kind": { "enum": Choice::Kind.words() } },
                    "anyOf": [{ "required": ["kind"] }, { "required": ["reading"] }],
                    "dependentSchemas": dependent(),
                    "allOf": kinds,
                },
            },
        },
    })
}

/// The conditions of a claim's key on the others. A reading may set these instead.
fn dependent() -> Value {
    let unless_read = |rule: Value| json!({ "anyOf": [rule, { "required": ["reading"] }] });
    let compares = |by: &[Compare]| {
        let names: Vec<&str> = by.iter().map(|one| one.name()).collect();
        json!({ "properties": { "compare": { "enum": names } }, "required": ["compare"] })
    };
    let none_of = |keys: &[&str]| {
        let keys = keys.iter().map(|key| json!({ "required": [key] }));
        json!({ "not": { "anyOf": keys.collect::<Vec<_>>() } })
    };
    json!({
        // A tolerance has no meaning for figures that must be equal.
        "within": unless_read(compares(&[Compare::About])),
        "hardware": unless_read(compares(&[Compare::Report])),
        "claimed": unless_read(json!({ "not": compares(&[Compare::Holds]) })),
        // A given path is not searched for.
        "path": unless_read(none_of(&["engine", "max_depth"])),
        "instances": none_of(&["instance", "reading"]),
    })
}

/// The rule that a claim of a kind with a figure must have one, unless it is only reported.
fn figure_needed(kind: ClaimKind) -> Value {
    if matches!(kind.kind().claimed, Claimed::Nothing | Claimed::WholeOrNone) {
        return json!(true);
    }
    let without = [Compare::Holds, Compare::Report].map(Compare::name);
    json!({ "anyOf": [
        { "required": ["claimed"] },
        { "required": ["reading"] },
        { "properties": { "compare": { "enum": without } }, "required": ["compare"] },
    ] })
}

fn of_claim(kind: ClaimKind) -> Map<String, Value> {
    let mut all = properties(CLAIM_KEYS.iter().chain(kind.keys()));
    // A reading may be of another kind than its claim, with that kind's keys.
    let of_kinds = ClaimKind::ALL.into_iter().flat_map(|kind| kind.keys());
    let readings = properties(READING_KEYS.iter().chain(of_kinds).chain(kind.keys()));
    all.insert(
        "reading".into(),
        json!({
            "type": "array",
            "description": CLAIM_KEYS.iter().find(|field| field.name == "reading").map(|field| field.about),
            "items": {
                "type": "object",
                "properties": readings,
                "required": needed(READING_KEYS.iter()),
                "additionalProperties": false,
            },
        }),
    );
    all
}

fn properties<'a>(fields: impl Iterator<Item = &'a Field>) -> Map<String, Value> {
    fields
        .map(|field| (field.name.to_owned(), property(field)))
        .collect()
}

fn needed<'a>(fields: impl IntoIterator<Item = &'a Field>) -> Vec<&'static str> {
    let needed = fields.into_iter().filter(|field| field.needed);
    needed.map(|field| field.name).collect()
}

fn property(field: &Field) -> Value {
    let mut schema = shape(field.takes);
    if let Value::Object(schema) = &mut schema {
        schema.insert("description".into(), json!(field.about));
        if field.needed && field.takes == Takes::Text {
            // A blank text does not count.
            schema.insert("pattern".into(), json!(r"\S"));
        }
        if field.name == "instances" {
            schema.insert("minItems".into(), json!(1));
            schema.insert("uniqueItems".into(), json!(true));
        }
    }
    schema
}

fn shape(takes: Takes) -> Value {
    let from = |least: u64| json!({ "type": "integer", "minimum": least });
    let depth = || json!({ "type": "integer", "minimum": 0, "maximum": DEEPEST });
    let range = || json!({ "type": "array", "items": depth(), "minItems": 2, "maxItems": 2 });
    match takes {
        Takes::Text => json!({ "type": "string" }),
        Takes::Id => json!({
            "type": "string",
            "pattern": format!("^[a-z0-9-]{{1,{LONGEST_ID}}}$"),
        }),
        Takes::Words(most) => {
            json!({ "type": "string", "pattern": format!(r"^\s*(\S+(\s+|$)){{0,{most}}}$") })
        }
        Takes::Url => json!({ "type": "string", "pattern": "^https?://" }),
        Takes::Texts => json!({ "type": "array", "items": { "type": "string" } }),
        Takes::Settings => {
            json!({ "type": "object", "additionalProperties": { "type": "string" } })
        }
        Takes::Figure => json!({ "type": ["number", "string"] }),
        Takes::Sizes => json!({ "type": ["array", "string"], "items": from(0) }),
        Takes::Share => {
            json!({ "type": "number", "exclusiveMinimum": 0, "maximum": MOST_SHARE })
        }
        Takes::Whole => json!({ "anyOf": [from(1), by_effort(&from(1))] }),
        Takes::Depth => json!({ "anyOf": [depth(), by_effort(&depth())] }),
        Takes::Range => json!({ "anyOf": [range(), by_effort(&range())] }),
        Takes::OneOf(Choice::Count) => {
            let words = Choice::Count.words();
            let (fixed, of_level): (Vec<_>, Vec<_>) =
                words.into_iter().partition(|word| !word.contains("_N_"));
            let of_level = of_level.iter().map(
                |word| json!({ "pattern": format!("^{}$", word.replace('N', "(0|[1-9][0-9]*)")) }),
            );
            let mut ways = vec![json!({ "enum": fixed })];
            ways.extend(of_level);
            json!({ "type": "string", "anyOf": ways })
        }
        Takes::OneOf(choice) => json!({ "enum": choice.words() }),
        Takes::Readings => json!({ "type": "array" }),
    }
}

fn by_effort(of: &Value) -> Value {
    json!({
        "type": "object",
        "properties": { "quick": of, "full": of },
        "additionalProperties": false,
    })
}
