//! A certificate: whether its members belong together, and what shows each reading.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};

use serde_json::Value;

use crate::claim::{self, Case, Claim};
use crate::figures::Derived;
use crate::rules::{self, Rules};
use crate::search::{Found, Question, search};
use crate::{blake3, kinds, schema};

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

/// The table of the box of Tilt as its parts beside the certificates add up, and what of them is
/// trusted.
pub type Beside = (crate::tables::Rows, String);

/// A reading with its record.
pub struct Reading<'a> {
    pub claim: &'a Claim,
    pub case: &'a Case,
    pub puzzle: &'a str,
    pub effort: &'a str,
    pub record: &'a Value,
    pub witnesses: &'a [Value],
    pub rows: &'a [Value],
    pub beside: Option<&'a Beside>,
}

impl Reading<'_> {
    #[must_use]
    pub fn text(&self, member: &str) -> &str {
        self.record[member].as_str().unwrap_or_default()
    }

    #[must_use]
    pub fn verdict(&self) -> &str {
        self.text("verdict")
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
    pub fn certificate(&self, text: &str, beside: Option<&Beside>) -> Outcome {
        let name = format!("{} {beside:?}", blake3::hex(text.as_bytes()));
        made(&self.certificates, name, || {
            // An edited certificate must not keep the others from being checked.
            let shown = catch_unwind(AssertUnwindSafe(|| self.shown(text, beside)));
            let failed = || Stop::Wrong("the checker fails on it, which is its own fault".into());
            match shown.unwrap_or_else(|_| Err(failed())) {
                Ok(trusted) if trusted.is_empty() => Outcome::Accepted,
                Ok(trusted) => Outcome::InPart(trusted),
                Err(Stop::Wrong(why)) => Outcome::Rejected(why),
                Err(Stop::Unknown(why)) => Outcome::Unknown(why),
            }
        })
    }

    fn shown(&self, text: &str, beside: Option<&Beside>) -> Shown {
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
        let effort = result["effort"].as_str().unwrap_or_default();
        ensure(["quick", "full"].contains(&effort), "no such effort")?;
        let lines = value["text"].as_str().unwrap_or_default();
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
        bound(&claim, cases)?;
        copies(&claim, result, cases)?;
        let (mut trusted, mut unknown) = (Vec::new(), None);
        let mut witnesses = list(&result["witnesses"]);
        for (case, record) in claim.cases.iter().zip(cases) {
            let count = record["witnesses"].as_u64().unwrap_or(u64::MAX) as usize;
            ensure(count <= witnesses.len(), "witnesses are missing")?;
            let (own, rest) = witnesses.split_at(count);
            witnesses = rest;
            let puzzle = result["puzzle"].as_str().unwrap_or_default();
            let reading = Reading {
                claim: &claim,
                case,
                puzzle,
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

/// The items of a list; none of anything else.
#[must_use]
pub fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// Whether what each reading asked stands in the claim's own lines, and what answered it can.
fn bound(claim: &Claim, records: &[Value]) -> Result<(), Stop> {
    for (case, record) in claim.cases.iter().zip(records) {
        let own: serde_json::Map<String, Value> = case.own.clone();
        let asked = [
            ("reading", Value::from(case.reading.as_str())),
            ("kind", case.kind.as_str().into()),
            ("instance", case.instance.clone().into()),
            (
                "settings",
                case.settings
                    .iter()
                    .map(|(k, v)| (k.clone(), Value::from(v.as_str())))
                    .collect::<serde_json::Map<_, _>>()
                    .into(),
            ),
            ("board", case.board.clone().into()),
            ("own", own.into()),
            ("claimed", case.claimed.as_str().into()),
            ("compare", case.compare.as_str().into()),
            ("within", case.within.into()),
        ];
        for (member, value) in asked {
            ensure(
                record[member] == value,
                format!("{member} is not as in the claim's own lines"),
            )?;
        }
        let (found, engine) = (&record["found"], &record["engine"]);
        ensure(
            engine == "" && found == "" || (engine == "derivation") == (case.kind == "derived"),
            format!("{engine} answers no claim of kind {}", case.kind),
        )?;
        ensure(
            (engine == "proof") == record["proof"].is_string(),
            "a proof is of no engine, or is missing",
        )?;
        let checks = list(&record["checks"]);
        let twice = |(i, check)| checks[..i].contains(check);
        ensure(
            !checks.iter().enumerate().any(twice),
            "a check stands twice",
        )?;
    }
    Ok(())
}

/// Whether what is said twice is said the same.
fn copies(claim: &Claim, result: &Value, records: &[Value]) -> Result<(), Stop> {
    let of = |member: &'static str| {
        records
            .iter()
            .map(move |record| record[member].as_str().unwrap_or_default())
    };
    let verdicts: Vec<&str> = of("verdict").collect();
    let single = claim.cases.len() == 1 && claim.cases[0].reading.is_empty();
    let claimed = claim::joined(claim.cases.iter().map(|case| case.claimed.as_str()));
    let said = [
        ("id", claim.id.clone()),
        ("source", claim.source.clone()),
        ("section", claim.section.clone()),
        ("statement", claim.statement.clone()),
        ("kind", claim.cases[0].kind.clone()),
        ("expect", claim.expect.clone()),
        ("verdict", claim::together(claim.all, &verdicts).to_owned()),
        ("claimed", claimed),
        ("found", claim::joined(of("found"))),
        ("variant", claim::joined(of("variant"))),
        ("engine", claim::joined(of("engine"))),
    ];
    let nameless = records.iter().any(|record| {
        !["", "derivation"].contains(&record["engine"].as_str().unwrap_or_default())
            && record["variant"] == ""
    });
    ensure(!nameless, "a search names no variant")?;
    let short = |member: &str| result[member].as_str().unwrap_or_default().to_owned();
    let units: Vec<String> = claim.cases.iter().map(claim::Case::unit).collect();
    let alike = units.iter().all(|unit| *unit == units[0]);
    bounds(claim, result)?;
    ensure(
        short("unit") == if alike { units[0].as_str() } else { "" }
            && short("url") == claim.url
            && short("quote") == claim.quote
            && result["text_at_hand"].as_bool().unwrap_or(false) == claim.text_at_hand,
        "unit, url, quote or text_at_hand is not as in the claim's own lines",
    )?;
    for (reading, unit) in list(&result["readings"]).iter().zip(&units) {
        let said = reading["unit"].as_str().unwrap_or_default();
        ensure(said == unit, format!("a reading's unit is {unit:?}"))?;
    }
    for (member, text) in said {
        ensure(
            result[member] == text,
            format!("claim.{member} is not what its readings come to: {text:?}"),
        )?;
    }
    let instance = claim.cases[0]
        .instance
        .as_deref()
        .map_or(Value::Null, Value::from);
    ensure(
        result["instance"] == instance,
        "claim.instance is not the first reading's",
    )?;
    let mut checks: Vec<&Value> = Vec::new();
    for check in records.iter().flat_map(|record| list(&record["checks"])) {
        sound(check)?;
        if !checks.contains(&check) {
            checks.push(check);
        }
    }
    ensure(
        list(&result["evidence"]).iter().eq(checks),
        "claim.evidence is not what its readings have",
    )?;
    let (readings, notes) = (list(&result["readings"]), list(&result["notes"]));
    let has = |note: &Value, part: &str| note.as_str().is_some_and(|note| note.contains(part));
    let noted = |i: usize, part: &str| {
        if single {
            part.is_empty() || notes.iter().any(|note| has(note, part))
        } else {
            readings
                .get(i)
                .is_some_and(|reading| has(&reading["note"], part))
        }
    };
    ensure(
        claim
            .cases
            .iter()
            .enumerate()
            .all(|(i, case)| noted(i, &case.note)),
        "a remark of its own lines is missing",
    )?;
    ensure(
        claim.hardware.is_empty() || notes.iter().any(|note| has(note, &claim.hardware)),
        "the hardware of its own lines is missing",
    )?;
    ensure(
        readings.len() == if single { 0 } else { records.len() },
        "another number of readings",
    )?;
    for ((reading, record), case) in readings.iter().zip(records).zip(&claim.cases) {
        let same = ["claimed", "found", "verdict"]
            .into_iter()
            .all(|member| reading[member] == record[member]);
        let named = reading["name"] == case.reading && reading["statement"] == case.statement;
        ensure(
            same && named,
            format!("the reading {:?} is told in two ways", case.reading),
        )?;
    }
    Ok(())
}

/// Whether published figures bound those found as far as the claim's own lines say.
fn bounds(claim: &Claim, result: &Value) -> Result<(), Stop> {
    let bounds: Vec<Value> = claim.cases.iter().map(claim::Case::bound).collect();
    let alike = bounds.iter().all(|bound| *bound == bounds[0]);
    let common = if alike { &bounds[0] } else { &Value::Null };
    let readings = list(&result["readings"]).iter().zip(&bounds);
    for (told, bound) in readings.chain([(result, common)]) {
        let right = match bound {
            Value::Null => told.get("bound").is_none(),
            bound => told["bound"] == *bound,
        };
        ensure(right, format!("the bound of a figure is {bound}"))?;
    }
    Ok(())
}

/// Whether the figures of one of the harness' own checks can be. Its samples are not drawn again.
fn sound(check: &Value) -> Result<(), Stop> {
    let count = |member: &str| {
        check[member]
            .as_str()
            .and_then(|text| text.parse::<u128>().ok())
    };
    let (sampled, population, what) = (count("sampled"), count("population"), &check["what"]);
    ensure(
        count("wrong") == Some(0),
        format!("its own check {what} found faults"),
    )?;
    ensure(
        check["confidence"] == 0.95,
        format!("the check {what} has another confidence"),
    )?;
    match (sampled, check["bound"].as_f64()) {
        (Some(0), None) => Ok(()),
        (Some(sampled), Some(bound)) => {
            let right = bound_of(sampled as f64);
            ensure(
                (bound - right).abs() <= 1e-9 * right,
                format!("the bound of the check {what} is {right}"),
            )
        }
        // Walks away from the roots draw no state as likely as another, and the deepest states
        // say nothing of others.
        (Some(_), None) if (what == "ascents" || what == "antipodes") && population.is_none() => {
            Ok(())
        }
        (sampled, None) => ensure(
            sampled == population,
            format!("the check {what} has no bound and looked not at all"),
        ),
        _ => Err(Stop::Wrong(format!("the check {what} has no figures"))),
    }
}

/// With 95 % confidence at most this share is wrong of what so many were drawn from, none wrong.
#[must_use]
pub fn bound_of(sampled: f64) -> f64 {
    -f64::exp_m1(0.05_f64.ln() / sampled)
}
