//! Certificates: a claim, its verdict and all that somebody else needs to check it.

use std::collections::BTreeMap;

use antipode_reports::model::{Certificate, SCHEMA};
use antipode_search::machine;

use crate::context::Context;
use crate::judge::Judged;

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
