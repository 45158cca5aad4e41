//! A reading of a claim, with what a certificate says of it.

use serde_json::Value;

use crate::claim::{Case, Claim};
use crate::parts::Parts;
use crate::rules::{self, Rules, UNKNOWN};
use crate::shown::{Stop, text};

/// A reading with its record.
pub struct Reading<'a> {
    pub claim: &'a Claim,
    pub case: &'a Case,
    pub puzzle: &'a str,
    pub effort: &'a str,
    pub record: &'a Value,
    pub witnesses: &'a [Value],
    pub rows: &'a [Value],
    /// The table of the box of Tilt as its parts beside the certificate add up.
    pub beside: Option<&'a Parts>,
}

impl Reading<'_> {
    pub fn text(&self, member: &str) -> &str {
        text(self.record, member)
    }

    pub fn verdict(&self) -> &str {
        self.text("verdict")
    }

    /// A key of its kind, as it holds at this effort.
    pub fn asked(&self, key: &str) -> Option<&Value> {
        self.case.by_effort(key, self.effort)
    }

    /// The position where it starts, if there is one.
    pub fn start(&self, rules: &dyn Rules) -> Result<Option<u128>, String> {
        match &self.case.board {
            Some(board) => rules.state(board).map(Some),
            None => Ok(rules.start()),
        }
    }

    /// The rules that it is about.
    pub fn rules(&self) -> Result<Box<dyn Rules>, Stop> {
        let instance = self.case.instance.as_deref().unwrap_or_default();
        let rules = rules::open(self.puzzle, instance, &self.case.settings);
        let unknown = || format!("{}/{instance}: {UNKNOWN}", self.puzzle);
        rules.ok_or_else(|| Stop::Unknown(unknown()))
    }
}
