//! A reading of a claim, with what a certificate says of it.

use serde_json::Value;

use crate::claim::{Case, Claim};
use crate::parts::Parts;
use crate::rules::{self, Rules, UNKNOWN};
use crate::shown::{OrWrong, Shown, Stop, list, text};

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

    /// Whether nothing was found, and no verdict reached.
    pub fn is_open(&self) -> bool {
        self.text("found").is_empty() && self.verdict() == "not-reached"
    }

    /// What is found has to be this.
    pub fn comes_to(&self, figure: &str) -> Result<(), Stop> {
        let found = self.text("found");
        (found == figure).or_wrong(format!("it comes to {figure}, not {found}"))
    }

    /// What is found has to be a speed or a time, on which no verdict rests.
    pub fn is_by_the_clock(&self) -> Shown {
        let is_number = self.text("found").parse::<f64>().is_ok();
        (is_number && self.verdict() == "reported").or_wrong("no time is reported")?;
        Ok(vec!["the clock".into()])
    }

    /// The verdict as the checks of the harness grade it, where it rests on them.
    pub fn graded(&self, logical: &str, rests: bool) -> Result<(), Stop> {
        let mut checks = list(&self.record["checks"]).iter();
        let by_sample = checks.clone().any(|check| !check["bound"].is_null());
        let complete = checks.any(|check| {
            let of_all = check["bound"].is_null() && check["sampled"] != "0";
            of_all && ["consistency", "rulebook"].contains(&text(check, "what"))
        });
        let decided = logical == "confirmed" || logical == "refuted";
        let verdict = match rests && decided && by_sample && !complete {
            true => format!("{logical}-by-sample"),
            false => logical.to_owned(),
        };
        let said = self.verdict();
        // What is found, and was not checked when it was, is not reached.
        let unchecked = said == "not-reached" && rests && !complete;
        (said == verdict || unchecked).or_wrong(format!("it comes out {verdict}, not {said}"))
    }

    /// The levels that it asks for, from and to.
    pub fn range(&self) -> Option<(usize, usize)> {
        let range = list(self.asked("levels")?);
        let end = |i: usize| Some(range.get(i)?.as_u64()? as usize);
        Some((end(0)?, end(1)?))
    }

    /// A key of its kind, as it holds at this effort.
    pub fn asked(&self, key: &str) -> Option<&Value> {
        self.case.by_effort(key, self.effort)
    }

    /// The position where it starts, if there is one.
    pub fn start(&self, rules: &dyn Rules) -> Result<Option<u128>, String> {
        let board = self.case.board.as_deref();
        board.map_or(Ok(rules.start()), |board| rules.state(board).map(Some))
    }

    /// The rules that it is about.
    pub fn rules(&self) -> Result<Box<dyn Rules>, Stop> {
        let instance = self.case.instance.as_deref().unwrap_or_default();
        let rules = rules::open(self.puzzle, instance, &self.case.settings);
        let unknown = format!("{}/{instance}: {UNKNOWN}", self.puzzle);
        rules.ok_or(Stop::Unknown(unknown))
    }
}
