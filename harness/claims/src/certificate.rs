//! Certificates: a claim, its verdict and all that somebody else needs to check it.

use std::collections::BTreeMap;

use antipode_reports::model::{Certificate, SCHEMA};

use crate::Judged;

/// The certificate of a claim.
#[must_use]
pub fn of(judged: &Judged) -> Certificate {
    let analysis = judged.analysis.as_deref();
    let tool = [
        ("antipode", env!("CARGO_PKG_VERSION").to_owned()),
        ("boundary", puzzle_api::abi::ANTIPODE_ABI_VERSION.to_string()),
        ("digest", "wrapping 128-bit sum over orbits of XXH3-128 of the canonical key, 16 bytes little-endian".to_owned()),
    ];
    Certificate {
        schema: SCHEMA,
        claim: judged.result.clone(),
        run: analysis.map(|analysis| analysis.run.clone()),
        levels: analysis.map(|analysis| analysis.levels.clone()),
        antipodes: analysis.map_or_else(Vec::new, |analysis| analysis.antipodes.clone()),
        checks: analysis.map_or_else(Vec::new, |analysis| analysis.evidence.clone()),
        tool: BTreeMap::from(tool.map(|(name, value)| (name.to_owned(), value))),
        claim_blake3: judged.claim_blake3.clone(),
        answers: judged.answers.clone(),
        rows: judged.rows.clone(),
    }
}
