//! From the readings of a claim to its verdict.

use std::sync::Arc;
use std::time::Instant;

use antipode_reports::model::{CaseRecord, ClaimResult, Reading, Verdict};
use antipode_reports::text::position;

use antipode_check::again::{self, Again};
use antipode_check::analysis::Analysis;
use antipode_graph::PluginError;
use antipode_search::engines::EngineError;
use antipode_search::outcome::StopReason;
use antipode_search::progress::note;

use crate::context::Context;
use crate::diagnostic::{Cause, Diagnostic, Diagnostics};
use crate::finding::{Finding, conjunction};
use crate::kinds::lengths;
use crate::source::ClaimSource;
use crate::spec::{Case, Claim};
use puzzle_api::Effort;

/// A claim with its outcome.
#[derive(Debug, Clone)]
pub struct Judged {
    /// For reports.
    pub result: ClaimResult,
    /// The analysis on which the verdict rests, if any; with several readings, the first.
    pub analysis: Option<Arc<Analysis>>,
    /// The question of each reading, its outcome, and the evidence.
    pub cases: Vec<CaseRecord>,
    /// Whether verdict and readings are all as expected.
    pub as_expected: bool,
    /// Whether two of our own derivations disagree.
    pub disagreement: bool,
    /// The claim's own lines.
    pub text: String,
    /// BLAKE3 of these.
    pub claim_blake3: String,
    /// The rows of a table of claims, each with its own verdict.
    pub rows: Vec<ClaimResult>,
}

/// The error of a claim that could be read, found before it is derived.
#[derive(Debug, thiserror::Error)]
#[error("{error}")]
pub struct Unfit {
    /// Line and column in the file, from 1, of the faulty key, or of the claim if no key is at
    /// fault.
    pub at: (usize, usize),
    /// The error, and the remedy.
    pub error: EngineError,
}

/// Finds errors in a claim's own input before anything is derived: a missing instance, a board that
/// no instance takes, an engine that does not fit. Each is reported once; without any, the result
/// is `Ok`.
#[must_use]
pub fn check(source: &ClaimSource, claim: &Claim, context: &Context) -> Vec<Unfit> {
    let mut all: Vec<Unfit> = Vec::new();
    for case in &claim.cases {
        let Err(Diagnostics(diagnostics)) = (case.kind.kind().check)(source, case, context) else {
            continue;
        };
        for Diagnostic { cause, error } in diagnostics {
            let span = cause.and_then(|cause| span_of(case, &cause));
            let at = span.map_or(claim.at, |span| position(&source.text, span));
            let told =
                |known: &Unfit| known.at == at && known.error.to_string() == error.to_string();
            if !all.iter().any(told) {
                all.push(Unfit { at, error });
            }
        }
    }
    all
}

/// Place of a key, or of an entry of the table in its braces.
fn span_of(case: &Case, Cause { key, entry }: &Cause) -> Option<usize> {
    let entry = entry.as_ref().map(|entry| format!("{key}.{entry}"));
    let entry = entry.and_then(|entry| case.spans.get(&entry));
    entry.or_else(|| case.spans.get(*key)).copied()
}

/// The reason for a sample, which the checker looks for.
const ON_A_SAMPLE: &str = "The puzzle's answers were asked again in a new process on a sample.";
/// Decides one reading of a claim.
fn decide(
    source: &ClaimSource,
    case: &Case,
    context: &mut Context,
) -> Result<Finding, EngineError> {
    if context.stop.requested() {
        return Ok(Finding::not_reached("stopped before this claim"));
    }
    let decided = (case.kind.kind().decide)(source, case, context);
    let again = again::confirm();
    again::forget();
    let mut finding = match decided.and_then(|finding| Ok((finding, again?))) {
        Ok((finding, Again::Stopped)) if finding.verdict != Verdict::NotReached => {
            Finding::not_reached(Again::Stopped.remark().trim_start_matches("; "))
        }
        Ok((mut finding, again)) => {
            let analysis = finding.analysis.as_ref();
            let sampled = analysis.is_some_and(|analysis| analysis.sampled);
            let sampled = sampled || again == Again::Sample;
            if sampled && finding.verdict == Verdict::Confirmed {
                finding.verdict = Verdict::ConfirmedBySample;
                finding.add(ON_A_SAMPLE);
            }
            finding
        }
        Err(EngineError::Disagree(line)) => {
            note(&line);
            let mut finding = Finding::not_reached(&line);
            finding.disagreement = true;
            finding
        }
        Err(
            EngineError::TooDeep(line)
            | EngineError::NotAsked(line)
            | EngineError::Plugin(PluginError::Late(line)),
        ) => Finding::not_reached(line),
        // A search that lacks memory or disk refutes nothing.
        Err(error) => Finding::not_reached(StopReason::of_limit(error)?.to_string()),
    };
    if finding.disagreement && finding.verdict != Verdict::Reported {
        // A figure that another of our derivations contradicts decides nothing.
        finding.verdict = Verdict::NotReached;
    }
    Ok(finding)
}

/// Decides a claim.
///
/// # Errors
/// [`EngineError`] if the claim's own input is bad, or a puzzle breaks its contract.
pub fn judge(
    source: &ClaimSource,
    claim: &Claim,
    context: &mut Context,
) -> Result<Judged, EngineError> {
    let clock = Instant::now();
    let skip = claim.full_only && context.effort == Effort::Quick;
    let mut findings = Vec::new();
    for case in &claim.cases {
        findings.push(if skip {
            Finding::not_reached("it asks for --effort full")
        } else {
            decide(source, case, context)?
        });
    }
    let verdicts: Vec<Verdict> = findings.iter().map(|finding| finding.verdict).collect();
    let verdict = if claim.all_must_hold {
        conjunction(&verdicts)
    } else {
        agreement(&verdicts)
    };
    let quick = claim
        .expect_quick
        .filter(|_| context.effort == Effort::Quick);
    let expect = quick.unwrap_or(claim.expect);
    let mut surprises = surprises(claim, &findings, context.effort, skip);
    for (case, finding) in claim.cases.iter().zip(&findings) {
        if let Some(found) = &finding.table {
            surprises.extend(lengths::surprises(case, found, context.effort, expect));
        }
    }
    let mut result = result(source, claim, &findings, context.effort);
    result.expect = expect;
    result.verdict = verdict;
    result.notes.extend(surprises.iter().cloned());
    result.wall_s = clock.elapsed().as_secs_f64();
    let tables = findings.iter().filter_map(|finding| finding.table.as_ref());
    let rows = tables.flat_map(|found| lengths::results(claim, &result, found, context.effort));
    Ok(Judged {
        rows: rows.collect(),
        as_expected: verdict == expect && surprises.is_empty(),
        disagreement: findings.iter().any(|finding| finding.disagreement),
        analysis: findings.iter().find_map(|finding| finding.analysis.clone()),
        cases: (claim.cases.iter().zip(&findings))
            .map(|(case, finding)| finding.record(case))
            .collect(),
        text: claim.lines.clone(),
        claim_blake3: claim.blake3.clone(),
        result,
    })
}

/// Readings with the same outcome give that verdict; two that differ make the claim ambiguous,
/// whatever others would have said.
fn agreement(verdicts: &[Verdict]) -> Verdict {
    use Verdict::{Ambiguous, Confirmed, ConfirmedBySample, NotReached, Refuted, RefutedBySample};
    let outcomes = [
        [Confirmed, ConfirmedBySample],
        [Refuted, RefutedBySample],
        [Verdict::Reported; 2],
    ];
    let alike = |outcome: &[Verdict; 2]| {
        let mut known = verdicts.iter().filter(|verdict| **verdict != NotReached);
        known.all(|verdict| outcome.contains(verdict))
    };
    match outcomes.iter().any(alike) {
        false => Ambiguous,
        true if verdicts.contains(&NotReached) => NotReached,
        true => verdicts.iter().max().copied().unwrap_or(NotReached),
    }
}

/// Readings with unexpected outcomes, a line each.
fn surprises(claim: &Claim, findings: &[Finding], effort: Effort, skipped: bool) -> Vec<String> {
    if skipped {
        return Vec::new();
    }
    let pairs = claim.cases.iter().zip(findings);
    pairs
        .filter_map(|(case, finding)| {
            let quick = case.expect_quick.filter(|_| effort == Effort::Quick);
            let expect = quick.or(case.expect)?;
            (expect != finding.verdict).then(|| {
                format!(
                    "The reading '{}' was expected {} and came out {}.",
                    case.name, expect, finding.verdict
                )
            })
        })
        .collect()
}

fn result(
    source: &ClaimSource,
    claim: &Claim,
    findings: &[Finding],
    effort: Effort,
) -> ClaimResult {
    let single = claim.cases.len() == 1 && claim.cases[0].name.is_empty();
    let pairs = || claim.cases.iter().zip(findings);
    let readings = if single {
        Vec::new()
    } else {
        pairs()
            .map(|(case, finding)| reading(source, case, finding))
            .collect()
    };
    let mut notes = Vec::new();
    if single {
        notes.extend(pairs().map(|(_, finding)| finding.note.clone()));
        notes.extend(claim.cases.iter().map(|case| case.note.clone()));
        notes.retain(|note| !note.is_empty());
    }
    if !claim.hardware.is_empty() {
        notes.push(format!(
            "The published figure was measured on: {}. Ours is from this machine.",
            claim.hardware
        ));
    }
    if claim.text_at_hand {
        notes.push("As printed in our copy; the original was not seen.".into());
    }
    let mut evidence = Vec::new();
    for found in findings.iter().flat_map(|finding| &finding.evidence) {
        if !evidence.contains(found) {
            evidence.push(found.clone());
        }
    }
    ClaimResult {
        id: claim.id.clone(),
        puzzle: source.name.clone(),
        instance: claim.cases[0].instance.clone(),
        origin: claim.origin,
        source: claim.source.clone(),
        section: claim.section.clone(),
        url: claim.url.clone(),
        quote: claim.quote.clone(),
        statement: claim.statement.clone(),
        kind: claim.cases[0].kind.name().into(),
        expect: claim.expect,
        verdict: Verdict::NotReached,
        readings,
        claimed: joined(claim.cases.iter().map(|case| case.claimed.as_str())),
        bound: common(claim.cases.iter().map(Case::bound)),
        found: joined(findings.iter().map(|finding| finding.found.as_str())),
        unit: common(claim.cases.iter().map(|case| unit(source, case))),
        effort: effort.name().into(),
        variant: joined(findings.iter().map(|finding| finding.variant.as_str())),
        engine: joined(findings.iter().map(|finding| finding.engine.as_str())),
        evidence,
        witnesses: findings.iter().flat_map(|f| f.witnesses.clone()).collect(),
        notes,
        text_at_hand: claim.text_at_hand,
        wall_s: 0.0,
    }
}

fn reading(source: &ClaimSource, case: &Case, finding: &Finding) -> Reading {
    let remarks = [finding.note.as_str(), case.note.as_str()];
    Reading {
        name: case.name.clone(),
        statement: case.statement.clone(),
        claimed: case.claimed.clone(),
        bound: case.bound(),
        found: finding.found.clone(),
        unit: unit(source, case),
        verdict: finding.verdict,
        note: joined_by(remarks.into_iter(), " "),
    }
}

/// Unit of a case's figures.
fn unit(source: &ClaimSource, case: &Case) -> String {
    match case.unit.as_str() {
        "" => (case.kind.kind().unit)(source, case).to_owned(),
        unit => unit.to_owned(),
    }
}

/// The common value; empty if they differ.
fn common<T: Default + PartialEq>(mut all: impl Iterator<Item = T>) -> T {
    let first = all.next().unwrap_or_default();
    match all.all(|one| one == first) {
        true => first,
        false => T::default(),
    }
}

/// Different non-empty texts in order; many are summed up.
fn joined<'a>(texts: impl Iterator<Item = &'a str>) -> String {
    joined_by(texts, "; ")
}

fn joined_by<'a>(texts: impl Iterator<Item = &'a str>, by: &str) -> String {
    let mut distinct: Vec<&str> = Vec::new();
    for text in texts.filter(|text| !text.is_empty()) {
        if !distinct.contains(&text) {
            distinct.push(text);
        }
    }
    if distinct.len() > 8 && distinct.iter().all(|text| text.parse::<u64>().is_ok()) {
        let mut numbers: Vec<u64> = distinct.iter().filter_map(|t| t.parse().ok()).collect();
        numbers.sort_unstable();
        return format!("{} to {}", numbers[0], numbers[numbers.len() - 1]);
    }
    distinct.join(by)
}

#[cfg(test)]
mod tests {
    use super::*;
    use antipode_reports::model::{ClaimRow, Record};

    #[test]
    fn two_readings_that_differ_are_ambiguous() {
        use Verdict::{Ambiguous, Confirmed, ConfirmedBySample, NotReached, Refuted, Reported};
        for (verdicts, verdict) in [
            (&[Confirmed, Refuted, NotReached][..], Ambiguous),
            (&[Confirmed, Reported], Ambiguous),
            (&[Confirmed, NotReached], NotReached),
            (&[Confirmed, ConfirmedBySample], ConfirmedBySample),
            (&[Refuted; 2], Refuted),
            (&[], NotReached),
        ] {
            assert_eq!(agreement(verdicts), verdict, "{verdicts:?}");
        }
    }

    /// Of readings, and of instances, each of which must hold.
    #[test]
    fn every_verdict_can_be_read_again() {
        let all = || Verdict::ALL.into_iter();
        let pairs = all().flat_map(|one| all().map(move |two| [one, two]));
        for verdicts in pairs.flat_map(|[one, two]| all().map(move |three| [one, two, three])) {
            let reading = |verdict: Verdict| format!("a: {}", verdict.id());
            for verdict in [agreement(&verdicts), conjunction(&verdicts)] {
                let row = ClaimRow {
                    verdict,
                    as_expected: verdict == Verdict::NotReached,
                    readings: verdicts.map(reading).into(),
                    ..ClaimRow::from(&ClaimResult {
                        found: "1".into(),
                        ..ClaimResult::default()
                    })
                };
                row.check().unwrap();
            }
        }
    }
}
