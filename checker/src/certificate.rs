//! A certificate: whether its members belong together, and what shows each reading.

use std::panic::{AssertUnwindSafe, catch_unwind};

use serde_json::Value;

use crate::checker::{Checker, made};
use crate::parts::Parts;
use crate::reading::Reading;
use crate::shown::{OrWrong, Outcome, Shown, Stop, list};
use crate::{blake3, claim, copies, kinds, schema, shown};

impl Checker {
    /// Checks the text of a certificate; one that was checked before is not checked again.
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
        (value["record"] == "antipode-certificate-3" && value["schema"] == 1)
            .or_wrong("is of a form that is unknown here")?;
        schema::check(&value, "")?;
        for row in list(&value["rows"]) {
            schema::check(row, "claim")?;
        }
        let rest: String = text
            .split_inclusive('\n')
            .filter(|line| !line.starts_with("  \"blake3\": "))
            .collect();
        (value["blake3"] == blake3::hex(rest.as_bytes()))
            .or_wrong("its digest of itself does not match")?;
        let result = &value["claim"];
        let effort = shown::text(result, "effort");
        ["quick", "full"]
            .contains(&effort)
            .or_wrong("no such effort")?;
        let lines = shown::text(&value, "text");
        (value["claim_blake3"] == blake3::hex(lines.as_bytes()))
            .or_wrong("the digest of the claim's own lines does not match")?;
        let claim = claim::read(lines, effort)?;
        let cases = list(&value["cases"]);
        (cases.len() == claim.cases.len())
            .or_wrong("its own lines have another number of readings")?;
        copies::asked(&claim, cases)?;
        copies::check(&claim, result, cases)?;
        let (mut trusted, mut unknown) = (Vec::new(), None);
        let mut witnesses = list(&result["witnesses"]);
        for (case, record) in claim.cases.iter().zip(cases) {
            let count = record["witnesses"].as_u64().unwrap_or(u64::MAX) as usize;
            (count <= witnesses.len()).or_wrong("witnesses are missing")?;
            let (own, rest) = witnesses.split_at(count);
            witnesses = rest;
            let reading = Reading {
                claim: &claim,
                case,
                puzzle: shown::text(result, "puzzle"),
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
        witnesses
            .is_empty()
            .or_wrong("there are more witnesses than readings have")?;
        trusted.dedup();
        unknown.map_or(Ok(trusted), |why| Err(Stop::Unknown(why)))
    }
}
