//! The JSON Schema of claims files, from the same rows that the reader goes by.
//!
//! It is written by hand and not derived from types: a claim's keys depend on its kind, and a
//! reading's override them, so that no type has the shape of a claim.

use serde_json::{Map, Value, json};

use crate::field::{Choice, Field, Takes};
use crate::kinds::Kind;
use crate::read::{CLAIM_KEYS, READING_KEYS};

/// The schema of a file of claims.
#[must_use]
pub fn schema() -> Value {
    let kinds = Kind::all().map(|kind| {
        json!({
            "if": { "properties": { "kind": { "const": kind.name() } }, "required": ["kind"] },
            "then": {
                "description": kind.about(),
                "properties": of_claim(kind),
                "additionalProperties": false,
            },
        })
    });
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Claims that Antipode certifies",
        "type": "object",
        "required": ["puzzle", "claim"],
        "additionalProperties": false,
        "properties": {
            "puzzle": {
                "type": "string",
                "description": "The puzzle that the claims are about; `antipode list` shows all.",
            },
            "claim": {
                "type": "array",
                "minItems": 1,
                "items": {
                    "type": "object",
                    "required": CLAIM_KEYS.iter().filter(|field| field.needed && field.name != "kind")
                        .map(|field| field.name).collect::<Vec<_>>(),
                    "allOf": kinds,
                },
            },
        },
    })
}

fn of_claim(kind: Kind) -> Map<String, Value> {
    let mut all = properties(CLAIM_KEYS.iter().chain(kind.keys()));
    let readings = properties(READING_KEYS.iter().chain(kind.keys()));
    all.insert(
        "reading".into(),
        json!({
            "type": "array",
            "description": CLAIM_KEYS.iter().find(|field| field.name == "reading").map(|field| field.about),
            // A reading may be of another kind than its claim, with that kind's keys.
            "items": { "type": "object", "properties": readings, "required": ["name", "statement"] },
        }),
    );
    all
}

fn properties<'a>(fields: impl Iterator<Item = &'a Field>) -> Map<String, Value> {
    fields
        .map(|field| (field.name.to_owned(), property(field)))
        .collect()
}

fn property(field: &Field) -> Value {
    let mut schema = shape(field.takes);
    if let Value::Object(schema) = &mut schema {
        schema.insert("description".into(), json!(field.about));
    }
    schema
}

fn shape(takes: Takes) -> Value {
    let whole = || json!({ "type": "integer", "minimum": 0 });
    let range = || json!({ "type": "array", "items": whole(), "minItems": 2, "maxItems": 2 });
    match takes {
        Takes::Text | Takes::Words(_) => json!({ "type": "string" }),
        Takes::Url => json!({ "type": "string", "pattern": "^https?://" }),
        Takes::Texts => json!({ "type": "array", "items": { "type": "string" } }),
        Takes::Settings => {
            json!({ "type": "object", "additionalProperties": { "type": "string" } })
        }
        Takes::Figure => json!({ "type": ["number", "string"] }),
        Takes::Sizes => json!({ "type": ["array", "string"], "items": whole() }),
        Takes::Share => json!({ "type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1 }),
        Takes::Whole => json!({ "anyOf": [whole(), by_effort(&whole())] }),
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
