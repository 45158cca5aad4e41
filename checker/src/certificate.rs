//! A certificate: whether its members agree, and the evidence of each reading.

use std::panic::{AssertUnwindSafe, catch_unwind};

use serde_json::json;

use crate::checker::{Checker, once};
use crate::parts::Parts;
use crate::reading::Reading;
use crate::shown::{OrWrong, Shown, Stop, agrees, list};
use crate::{blake3, claim, copies, json, kinds, schema, shown};

impl Checker {
    /// Checks the text of a certificate; one that was checked before is not checked again.
    pub fn certificate(&self, text: &str, beside: Option<&Parts>) -> Shown {
        let name = format!("{} {beside:?}", blake3::hex(text.as_bytes()));
        once(&self.certificates, name, || {
            // An edited certificate must not keep the others from being checked.
            let shown = catch_unwind(AssertUnwindSafe(|| self.shown(text, beside)));
            let failed = || Stop::Wrong("the checker fails on it, which is its own fault".into());
            shown.unwrap_or_else(|_| Err(failed()))
        })
    }

    fn shown(&self, text: &str, beside: Option<&Parts>) -> Shown {
        let value = json::read(text)?;
        let form = json!({ "record": "antipode-certificate-3", "schema": 1 });
        agrees(&value, &form, "its form is unknown here")?;
        schema::check(&value, "")?;
        for row in list(&value["rows"]) {
            schema::check(row, "claim")?;
        }
        let own = |line: &&str| !line.starts_with("  \"blake3\": ");
        let rest: String = text.split_inclusive('\n').filter(own).collect();
        let (result, lines) = (&value["claim"], shown::text(&value, "text"));
        let digests = json!({
            "blake3": blake3::hex(rest.as_bytes()),
            "claim_blake3": blake3::hex(lines.as_bytes()),
        });
        agrees(&value, &digests, "its digests")?;
        let effort = shown::text(result, "effort");
        let known = ["quick", "full"].contains(&effort);
        known.or_wrong("no such effort")?;
        let claim = claim::read(lines, effort, shown::text(result, "puzzle"))?;
        let cases = list(&value["cases"]);
        let all = cases.len() == claim.cases.len();
        all.or_wrong("its own lines have another number of readings")?;
        copies::asked(&claim, shown::text(result, "puzzle"), cases)?;
        copies::check(&claim, result, cases)?;
        let tabled = claim.cases.iter().zip(cases);
        let mut tabled = tabled.map(|(case, record)| (case.kind.as_str(), &record["engine"]));
        let fits =
            value["rows"].is_null() || tabled.any(|(kind, by)| kind == "lengths" && by == "pairs");
        fits.or_wrong("it has rows, and no table")?;
        let (mut trusted, mut unknown) = (Vec::new(), None);
        let mut witnesses = list(&result["witnesses"]);
        for (case, record) in claim.cases.iter().zip(cases) {
            let count = record["witnesses"].as_u64().unwrap_or(u64::MAX) as usize;
            (count <= witnesses.len()).or_wrong("witnesses are missing")?;
            let (own, rest) = witnesses.split_at(count);
            witnesses = rest;
            let reading = Reading::new((&claim, case), &value, (record, own), beside);
            let shown = kinds::show(self, &reading);
            match shown.and_then(|more| reading.leaves_nothing().map(|()| more)) {
                Ok(more) => trusted.extend(more),
                Err(stop @ (Stop::Unknown(_) | Stop::Unfinished)) => unknown = Some(stop),
                Err(wrong) => return Err(wrong),
            }
        }
        let all = witnesses.is_empty();
        all.or_wrong("there are more witnesses than readings have")?;
        trusted.dedup();
        unknown.map_or(Ok(trusted), Err)
    }
}
