//! A reading of a claim, with the certificate's data on it.

use std::cell::RefCell;
use std::collections::BTreeSet;

use serde_json::Value;

use crate::case::{Case, by_effort};
use crate::claim::Claim;
use crate::parts::Parts;
use crate::rules::{self, Rules, UNKNOWN};
use crate::shown::{self, OrWrong, Shown, Stop, list, text};
use crate::verdict::number;

/// A reading with its record.
pub struct Reading<'a> {
    pub claim: &'a Claim,
    pub case: &'a Case,
    pub puzzle: &'a str,
    pub effort: &'a str,
    record: &'a Value,
    witnesses: &'a [Value],
    pub rows: &'a [Value],
    /// The certificate's data on the claim as a whole.
    pub result: &'a Value,
    /// The table of the box of Tilt as the sum of its parts next to the certificate.
    pub beside: Option<&'a Parts>,
    /// The evidence requested so far.
    used: RefCell<BTreeSet<&'static str>>,
}

/// Members of a record that are evidence of some kinds of claims and not of others.
const EVIDENCE: [&str; 6] = ["figures", "proof", "run", "levels", "antipodes", "moves"];

/// No verdict rests on a smaller sample.
pub const LEAST_SAMPLE: u128 = 100;

/// The states that a check looked at.
pub fn drawn(check: &Value) -> u128 {
    shown::number(check, "sampled")
}

impl<'a> Reading<'a> {
    /// A reading of a claim in a certificate, its record and its witnesses.
    pub fn new(
        (claim, case): (&'a Claim, &'a Case),
        certificate: &'a Value,
        (record, witnesses): (&'a Value, &'a [Value]),
        beside: Option<&'a Parts>,
    ) -> Self {
        let result = &certificate["claim"];
        Self {
            claim,
            case,
            puzzle: text(result, "puzzle"),
            effort: text(result, "effort"),
            result,
            record,
            witnesses,
            rows: list(&certificate["rows"]),
            beside,
            used: RefCell::default(),
        }
    }

    /// A member of the record that is evidence.
    pub fn part(&self, member: &'static str) -> &'a Value {
        self.used.borrow_mut().insert(member);
        &self.record[member]
    }

    /// The rows of its level table.
    pub fn levels(&self) -> &'a [Value] {
        list(&self.part("levels")["levels"])
    }

    /// The witnesses of the reading.
    pub fn witnesses(&self) -> &'a [Value] {
        self.used.borrow_mut().insert("witnesses");
        self.witnesses
    }

    /// Whether it holds evidence that nothing requested: this shows nothing about the claim.
    pub fn leaves_nothing(&self) -> Result<(), Stop> {
        let used = self.used.borrow();
        let left = |member: &&&str| !used.contains(**member) && !self.record[**member].is_null();
        let left = EVIDENCE.iter().find(left).copied();
        let shown = !self.witnesses.is_empty() && !used.contains("witnesses");
        let left = left.or(shown.then_some("witnesses"));
        left.map_or(Ok(()), |left| {
            Err(format!("{left}: no evidence of what is claimed").into())
        })
    }

    /// Whether its run was stopped before it was finished, so that it claims nothing.
    pub fn is_stopped(&self) -> bool {
        let run = &self.record["run"];
        let parts = |member: &str| run[member].as_u64();
        self.is_open()
            && run["complete"] == false
            && parts("parts_done").is_some()
            && parts("parts_done") < parts("parts_total")
    }

    pub fn text(&self, member: &str) -> &str {
        text(self.record, member)
    }

    pub fn verdict(&self) -> &str {
        self.text("verdict")
    }

    /// States of a check that was made when the finding was; 0 if it was not made.
    pub fn looked_at(&self, what: &str) -> u128 {
        let mut checks = list(&self.record["checks"]).iter();
        let check = checks.find(|check| check["what"] == what);
        check.map_or(0, drawn)
    }

    /// Whether nothing was found, and no verdict reached.
    pub fn is_open(&self) -> bool {
        self.text("found").is_empty() && self.verdict() == "not-reached"
    }

    /// The finding must be this.
    pub fn comes_to(&self, figure: &str) -> Result<(), Stop> {
        let found = self.text("found");
        let said = if found.is_empty() { "left open" } else { found };
        (found == figure).or_wrong(format!("it is {figure}, not {said}"))
    }

    /// The finding must be a speed or a time, on which no verdict rests.
    pub fn is_by_the_clock(&self) -> Shown {
        let shown = number(self.text("found")).is_some_and(|found| found >= 0.0);
        (shown && self.verdict() == "reported").or_wrong("no time is reported")?;
        Ok(vec!["the clock".into()])
    }

    /// A finding that was recomputed here in full decides, so that its verdict is not left open. But
    /// where a move cannot be undone, `certify` says that it may have missed some.
    pub fn hides_nothing(&self, rules: &dyn Rules) -> Result<(), Stop> {
        let one_way = |&state: &u128| {
            let mut before = rules.before(state).unwrap_or_default().into_iter();
            before.any(|other| !rules.next(state).contains(&other))
        };
        let open = list(&self.record["checks"]).iter().any(is_left_open);
        let open = open && rules.solved_states().iter().any(one_way);
        let hidden = self.verdict() == "not-reached" && !open;
        (!hidden).or_wrong("what it found decides, and it says not-reached")
    }

    /// The verdict as the checks of the harness grade it, if it rests on them.
    pub fn graded(&self, logical: &str, rests: bool) -> Result<(), Stop> {
        let mut checks = list(&self.record["checks"]).iter();
        let mut samples = checks.clone().filter(|check| !check["bound"].is_null());
        let some = samples.clone().next().is_some();
        let open = checks.clone().any(is_left_open);
        // Of an open part, only a sample of all states says something, not one of those met.
        let enough = samples.any(|check| {
            drawn(check) >= LEAST_SAMPLE && (!open || text(check, "what") == "inclusiveness")
        });
        let complete = !open && checks.any(is_whole);
        let of_levels = !self.case.is_of_path() && self.case.kind != "derived";
        let decided = rests && (logical == "confirmed" || logical == "refuted");
        let verdict = match decided {
            true if enough && !complete => format!("{logical}-by-sample"),
            true if (some || open || of_levels) && !complete => "not-reached".to_owned(),
            _ => logical.to_owned(),
        };
        // A finding that was not checked when it was made is not reached, and was found nowhere else.
        let unchecked = self.verdict() == "not-reached" && rests && !complete;
        if unchecked {
            return Ok(());
        }
        self.comes_out(&verdict)
    }

    /// The verdict has to be this.
    pub fn comes_out(&self, verdict: &str) -> Result<(), Stop> {
        let said = self.verdict();
        // A library's answers may have been asked again on a sample, if it says so.
        let notes = [&self.result["notes"], &self.result["readings"]];
        let mut notes = notes.into_iter().map(Value::to_string);
        let sampled = (verdict, said) == ("confirmed", "confirmed-by-sample")
            && !rules::is_known(self.puzzle)
            && notes.any(|notes| notes.contains("asked again in a new process on a sample"));
        (said == verdict || sampled).or_wrong(format!("it comes out {verdict}, not {said}"))
    }

    /// The requested levels, from and to.
    pub fn range(&self) -> Option<(usize, usize)> {
        let range = list(self.asked("levels")?);
        let end = |i: usize| Some(range.get(i)?.as_u64()? as usize);
        Some((end(0)?, end(1)?))
    }

    /// A key of its kind, with its value at this effort.
    pub fn asked(&self, key: &str) -> Option<&Value> {
        by_effort(&self.case.own, key, self.effort)
    }

    /// Its start position, if there is one.
    pub fn start(&self, rules: &dyn Rules) -> Result<Option<u128>, String> {
        let board = self.case.board.as_deref();
        board.map_or(Ok(rules.start()), |board| rules.state(board).map(Some))
    }

    /// The name of its instance among searches that were made.
    pub fn name(&self) -> String {
        let (instance, settings) = (&self.case.instance, &self.case.settings);
        format!("{}/{instance:?} {settings:?}", self.puzzle)
    }

    /// The rules that it is about.
    pub fn rules(&self) -> Result<Box<dyn Rules>, Stop> {
        let instance = self.case.instance.as_deref().unwrap_or_default();
        let rules = rules::open(self.puzzle, instance, &self.case.settings);
        let exists = rules.is_some() || rules::may_be(self.puzzle, instance);
        exists.or_wrong(format!("{} has no instance {instance:?}", self.puzzle))?;
        let unknown = format!("{}/{instance}: {UNKNOWN}", self.puzzle);
        rules.ok_or(Stop::Unknown(unknown))
    }
}

/// Whether a check is of all states that a run met.
fn is_whole(check: &Value) -> bool {
    let of_all = check["bound"].is_null() && check["sampled"] != "0";
    of_all && ["consistency", "rulebook"].contains(&text(check, "what"))
}

/// Whether such a check leaves something open. It says so about data that the rules do not give, such
/// as a program's predecessors.
fn is_left_open(check: &Value) -> bool {
    let open = text(check, "text").starts_with("Left open, ");
    is_whole(check) && (open || check["population"].is_null())
}
