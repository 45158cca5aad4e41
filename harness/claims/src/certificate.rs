//! Certificates: a claim, its verdict and all that somebody else needs to check it.

use std::collections::BTreeMap;

use antipode_reports::model::{CaseRecord, Certificate, SCHEMA};
use antipode_search::machine;

use crate::finding::Finding;
use crate::{Case, Context, Judged};

/// The certificate of a claim.
#[must_use]
pub fn of(judged: &Judged, context: &Context) -> Certificate {
    let tool = [
        ("antipode", env!("CARGO_PKG_VERSION").to_owned()),
        ("commit", env!("ANTIPODE_COMMIT").to_owned()),
        ("rustc", env!("ANTIPODE_RUSTC").to_owned()),
        ("boundary", puzzle_api::abi::ANTIPODE_ABI_VERSION.to_string()),
        ("digest", "wrapping 128-bit sum over orbits of XXH3-128 of the canonical key, 16 bytes little-endian".to_owned()),
    ];
    Certificate {
        schema: SCHEMA,
        claim: judged.result.clone(),
        text: judged.text.clone(),
        claim_blake3: judged.claim_blake3.clone(),
        cases: judged.cases.clone(),
        tool: BTreeMap::from(tool.map(|(name, value)| (name.to_owned(), value))),
        seed: context.seed,
        command: context.command.clone(),
        host: machine::host(),
        rows: judged.rows.clone(),
    }
}

/// What a reading asked, what came of it, and the evidence.
pub(crate) fn case(case: &Case, finding: &Finding) -> CaseRecord {
    let analysis = finding.analysis.as_deref();
    let own = case.own.iter().map(|(key, value)| {
        let value = serde_json::to_value(value).unwrap_or_default();
        (key.clone(), value)
    });
    // Its first line is the reason in words, which the claim's notes say.
    let proof = finding
        .proof
        .as_deref()
        .and_then(|text| text.split_once('\n'));
    let figures = finding.figures.iter();
    CaseRecord {
        reading: case.name.clone(),
        kind: case.kind.name().into(),
        instance: case.instance.clone(),
        settings: case.settings.clone(),
        board: case.board.clone(),
        own: own.collect(),
        claimed: case.claimed.clone(),
        compare: case.compare.name().into(),
        within: case.within,
        found: finding.found.clone(),
        verdict: finding.verdict,
        variant: finding.variant.clone(),
        engine: finding.engine.clone(),
        witnesses: finding.witnesses.len(),
        figures: figures
            .map(|figure| (figure.name.clone(), figure.value.clone()))
            .collect(),
        proof: proof.map(|(_, proof)| proof.to_owned()),
        run: analysis.map(|analysis| analysis.run.clone()),
        levels: analysis.map(|analysis| analysis.levels.clone()),
        // The last level of a search that was cut off is no deepest one.
        antipodes: analysis
            .filter(|analysis| analysis.run.complete)
            .map_or_else(Vec::new, |analysis| analysis.antipodes.clone()),
        moves: finding.moves.clone(),
        checks: finding.evidence.clone(),
    }
}
