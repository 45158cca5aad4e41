//! One reading of a claim.

use serde_json::{Map, Value, json};

use crate::rules::Settings;

/// One reading of a claim, complete in itself; or the claim, if it has one meaning.
#[derive(Debug, Clone)]
pub struct Case {
    pub puzzle: String,
    pub reading: String,
    pub statement: String,
    pub kind: String,
    pub instance: Option<String>,
    pub settings: Settings,
    pub board: Option<String>,
    /// Keys of its kind alone.
    pub own: Map<String, Value>,
    pub claimed: String,
    /// Unit, if the claim names one.
    pub unit: String,
    pub compare: String,
    pub within: Option<f64>,
    /// A remark.
    pub note: String,
}

impl Case {
    /// How a published figure bounds the one found, in a certificate's words; null if it equals
    /// that figure.
    pub fn bound(&self) -> Value {
        match (self.compare.as_str(), self.within) {
            ("about", Some(share)) => json!({ "within": share }),
            ("at-most" | "at-least" | "about" | "magnitude", _) => self.compare.as_str().into(),
            _ => Value::Null,
        }
    }

    /// What a certificate repeats of its question.
    pub fn asked(&self) -> Value {
        json!({
            "reading": self.reading,
            "kind": self.kind,
            "instance": self.instance,
            "settings": self.settings,
            "board": self.board,
            "own": self.own,
            "claimed": self.claimed,
            "compare": self.compare,
            "within": self.within,
        })
    }

    pub fn text(&self, key: &str) -> Option<&str> {
        self.own.get(key).and_then(Value::as_str)
    }
}

/// A key of a kind that may differ by effort.
pub fn by_effort<'a>(own: &'a Map<String, Value>, key: &str, effort: &str) -> Option<&'a Value> {
    match own.get(key)? {
        Value::Object(by_effort) => by_effort.get(effort),
        value => Some(value),
    }
}
