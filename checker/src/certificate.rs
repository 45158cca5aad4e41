//! A certificate: whether its members belong together, and what shows each reading.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};

use serde_json::Value;

use crate::claim::{self, Case, Claim};
use crate::figures::Derived;
use crate::parts::Parts;
use crate::rules::{self, Rules};
use crate::search::{Found, Question, hash, search};
use crate::{blake3, copies, kinds, schema};

/// What came of a certificate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// All of it was done again.
    Accepted,
    /// What was done again agrees; these are trusted.
    InPart(Vec<String>),
    /// It does not show what it says.
    Rejected(String),
    /// What decides it cannot be done again here.
    Unknown(String),
}

impl From<Shown> for Outcome {
    fn from(shown: Shown) -> Self {
        match shown {
            Ok(trusted) if trusted.is_empty() => Self::Accepted,
            Ok(trusted) => Self::InPart(trusted),
            Err(Stop::Wrong(why)) => Self::Rejected(why),
            Err(Stop::Unknown(why)) => Self::Unknown(why),
        }
    }
}

/// Why a reading is not accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stop {
    Wrong(String),
    Unknown(String),
}

/// What is trusted where a reading is accepted; empty where nothing is.
pub type Shown = Result<Vec<String>, Stop>;

impl From<String> for Stop {
    fn from(why: String) -> Self {
        Self::Wrong(why)
    }
}

/// Fails with a reason unless something holds.
///
/// # Errors
/// The reason.
pub fn ensure(holds: bool, why: impl Into<String>) -> Result<(), Stop> {
    if holds {
        Ok(())
    } else {
        Err(Stop::Wrong(why.into()))
    }
}

/// How far a reader wants to go, and what was searched already.
pub struct Checker {
    /// Parts of large runs, balls of tables and boards that are drawn and done again.
    pub parts: usize,
    pub seed: u64,
    searches: Made<Arc<Option<Found>>>,
    certificates: Made<Outcome>,
    figures: Made<Result<Derived, Stop>>,
    /// Whatever else takes long.
    texts: Made<Result<String, String>>,
}

/// What takes long, by name.
type Made<V> = Mutex<HashMap<String, V>>;

/// What was made before under a name, or is made now.
fn made<V: Clone>(all: &Made<V>, name: String, make: impl FnOnce() -> V) -> V {
    let before = all.lock().ok().and_then(|all| all.get(&name).cloned());
    before.unwrap_or_else(|| {
        let new = make();
        if let Ok(mut all) = all.lock() {
            all.insert(name, new.clone());
        }
        new
    })
}

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
    #[must_use]
    pub fn text(&self, member: &str) -> &str {
        text(self.record, member)
    }

    #[must_use]
    pub fn verdict(&self) -> &str {
        self.text("verdict")
    }

    /// A key of its kind, as it holds at this effort.
    #[must_use]
    pub fn asked(&self, key: &str) -> Option<&Value> {
        self.case.by_effort(key, self.effort)
    }

    /// The position where it starts, if there is one.
    ///
    /// # Errors
    /// It is none of the instance.
    pub fn start(&self, rules: &dyn Rules) -> Result<Option<u128>, String> {
        match &self.case.board {
            Some(board) => rules.read(board).map(Some),
            None => Ok(rules.start()),
        }
    }

    /// The rules that it is about.
    ///
    /// # Errors
    /// They are unknown here.
    pub fn rules(&self) -> Result<Box<dyn Rules>, Stop> {
        let instance = self.case.instance.as_deref().unwrap_or_default();
        rules::open(self.puzzle, instance, &self.case.settings).map_err(Stop::Unknown)
    }
}

impl Checker {
    #[must_use]
    pub fn new(parts: usize, seed: u64) -> Self {
        Self {
            parts,
            seed,
            searches: Mutex::default(),
            certificates: Mutex::default(),
            figures: Mutex::default(),
            texts: Mutex::default(),
        }
    }

    /// Numbers below `below`, as many different ones as the reader wants, by seed.
    #[must_use]
    pub fn drawn(&self, below: usize) -> Vec<usize> {
        let mut chosen: Vec<usize> = Vec::new();
        let mut tries = 0_u64;
        while chosen.len() < self.parts.min(below) {
            let word = hash(u128::from(self.seed) << 64 | u128::from(tries));
            let number = (word % below as u128) as usize;
            tries += 1;
            if !chosen.contains(&number) {
                chosen.push(number);
            }
        }
        chosen
    }

    /// A search, made once.
    pub fn search(
        &self,
        name: &str,
        rules: &dyn Rules,
        question: &Question,
        keep: bool,
    ) -> Arc<Option<Found>> {
        let name = format!("{name} {question:?} {keep}");
        made(&self.searches, name, || {
            Arc::new(search(rules, question, keep))
        })
    }

    /// A text that takes long to derive, derived once.
    ///
    /// # Errors
    /// As the derivation.
    pub fn once(
        &self,
        name: &str,
        derive: impl FnOnce() -> Result<String, String>,
    ) -> Result<String, String> {
        made(&self.texts, name.to_owned(), derive)
    }

    /// A figure, derived once.
    ///
    /// # Errors
    /// As the derivation.
    pub fn derived(
        &self,
        name: String,
        derive: impl FnOnce() -> Result<Derived, Stop>,
    ) -> Result<Derived, Stop> {
        made(&self.figures, name, derive)
    }

    /// Checks the text of a certificate; one that was checked before is not checked again.
    #[must_use]
    pub fn certificate(&self, text: &str, beside: Option<&Parts>) -> Outcome {
        let name = format!("{} {beside:?}", blake3::hex(text.as_bytes()));
        made(&self.certificates, name, || {
            // An edited certificate must not keep the others from being checked.
            let shown = catch_unwind(AssertUnwindSafe(|| self.shown(text, beside)));
            let failed = || Stop::Wrong("the checker fails on it, which is its own fault".into());
            shown.unwrap_or_else(|_| Err(failed())).into()
        })
    }

    fn shown(&self, text: &str, beside: Option<&Parts>) -> Shown {
        let value: Value =
            serde_json::from_str(text).map_err(|error| format!("is no JSON: {error}"))?;
        ensure(
            value["record"] == "antipode-certificate-3" && value["schema"] == 1,
            "is of a form that is unknown here",
        )?;
        schema::check(&value, "")?;
        for row in list(&value["rows"]) {
            schema::check(row, "claim")?;
        }
        let rest: String = text
            .split_inclusive('\n')
            .filter(|line| !line.starts_with("  \"blake3\": "))
            .collect();
        ensure(
            value["blake3"] == blake3::hex(rest.as_bytes()),
            "its digest of itself does not match",
        )?;
        let result = &value["claim"];
        let effort = self::text(result, "effort");
        ensure(["quick", "full"].contains(&effort), "no such effort")?;
        let lines = self::text(&value, "text");
        ensure(
            value["claim_blake3"] == blake3::hex(lines.as_bytes()),
            "the digest of the claim's own lines does not match",
        )?;
        let claim = claim::read(lines, effort)?;
        let cases = list(&value["cases"]);
        ensure(
            cases.len() == claim.cases.len(),
            "its own lines have another number of readings",
        )?;
        copies::asked(&claim, cases)?;
        copies::check(&claim, result, cases)?;
        let (mut trusted, mut unknown) = (Vec::new(), None);
        let mut witnesses = list(&result["witnesses"]);
        for (case, record) in claim.cases.iter().zip(cases) {
            let count = record["witnesses"].as_u64().unwrap_or(u64::MAX) as usize;
            ensure(count <= witnesses.len(), "witnesses are missing")?;
            let (own, rest) = witnesses.split_at(count);
            witnesses = rest;
            let reading = Reading {
                claim: &claim,
                case,
                puzzle: self::text(result, "puzzle"),
                effort,
                record,
                witnesses: own,
                rows: list(&value["rows"]),
                beside,
            };
            match kinds::show(self, &reading) {
                Ok(more) => trusted.extend(more),
                Err(Stop::Unknown(why)) => unknown = Some(why),
                Err(wrong) => return Err(wrong),
            }
        }
        ensure(
            witnesses.is_empty(),
            "there are more witnesses than readings have",
        )?;
        trusted.dedup();
        unknown.map_or(Ok(trusted), |why| Err(Stop::Unknown(why)))
    }
}

/// A member that is a text; empty where it is none.
#[must_use]
pub fn text<'a>(value: &'a Value, member: &str) -> &'a str {
    value[member].as_str().unwrap_or_default()
}

/// The items of a list; none of anything else.
#[must_use]
pub fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// With 95 % confidence at most this share is wrong of what so many were drawn from, none wrong.
#[must_use]
pub fn bound_of(sampled: f64) -> f64 {
    -f64::exp_m1(0.05_f64.ln() / sampled)
}
