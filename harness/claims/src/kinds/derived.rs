//! Kind `derived`: what is no search, by a derivation of the puzzle's or the module's own:
//! formulas, printed code and constants, counts of encodings.

use puzzle_api::{Figure, Settings};

use antipode_graph::PluginError;
use antipode_reports::model::{Evidence, Verdict};
use antipode_search::engines::EngineError;

use super::{Decide, Fault, bad, keys};
use crate::compare::{ratio_verdict, verdict};
use crate::finding::Finding;
use crate::spec::{Case, Compare};
use crate::{ClaimSource, Context};

pub(super) struct Derived;

impl Decide for Derived {
    fn name(&self) -> &'static str {
        "derived"
    }

    fn keys(&self) -> &'static [&'static str] {
        &["derive", "parameters"]
    }

    fn read(&self, case: &mut Case) -> Result<(), Fault> {
        keys::required(case, "derive")?;
        parameters(case).map(drop)
    }

    fn check(&self, _source: &ClaimSource, _case: &Case) -> Result<(), EngineError> {
        Ok(())
    }

    fn decide(
        &self,
        source: &ClaimSource,
        case: &Case,
        context: &mut Context,
    ) -> Result<Finding, EngineError> {
        let what = keys::known(case, "derive").unwrap_or_default();
        let parameters = parameters(case).unwrap_or_default();
        let effort = context.effort.of_derivations();
        match source.derive(what, &parameters, effort) {
            Err(PluginError::NotOffered(why)) => Ok(Finding::not_reached(why)),
            figures => of_figures(case, what, &figures?),
        }
    }
}

fn parameters(case: &Case) -> Result<Settings, Fault> {
    let fault = || keys::wrong(case, "parameters", "a table of texts");
    let Some(value) = case.own.get("parameters") else {
        return Ok(Settings::new());
    };
    let table = value.as_table().ok_or_else(fault)?;
    let pairs = table.iter().map(|(key, value)| {
        let value = value.as_str().ok_or_else(fault)?;
        Ok((key.clone(), value.to_owned()))
    });
    pairs.collect()
}

fn of_figures(case: &Case, what: &str, figures: &[Figure]) -> Result<Finding, EngineError> {
    let figure = |name: &str| {
        let found = figures.iter().find(|figure| figure.name == name);
        found.map(|figure| figure.value.as_str())
    };
    let note = prose(figures);
    let concluded = figure("verdict").map(verdict_named).transpose()?;
    let Some(value) = figure("value") else {
        let mut finding = Finding::not_reached(note);
        finding.engine = "derivation".into();
        return Ok(finding);
    };
    let verdict = match (concluded, case.compare, figure("low"), figure("high")) {
        (Some(concluded), ..) => concluded,
        (None, Compare::Ratio, Some(low), Some(high)) => ratio_verdict(case, low, high)
            .ok_or_else(|| bad(format!("'{}' is no ratio", case.claimed)))?,
        _ => verdict(case, value).map_err(bad)?,
    };
    let mut finding = Finding::new(value, verdict);
    let counted = |name: &str| {
        let said = figure(name).map(|text| {
            text.parse::<u64>().map_err(|_| {
                bad(format!(
                    "the derivation's figure '{name}' is '{text}', no count"
                ))
            })
        });
        said.transpose()
    };
    if let Some(sampled) = counted("sampled")? {
        let wrong = counted("wrong")?.unwrap_or(0);
        finding.evidence.push(sample_evidence(what, sampled, wrong));
        finding.verdict = by_sample(finding.verdict, sampled, wrong);
    }
    finding.note = note;
    finding.engine = "derivation".into();
    Ok(finding)
}

/// A conclusion that the derivation draws itself, where no comparison of one figure can.
fn verdict_named(name: &str) -> Result<Verdict, EngineError> {
    let mut all = Verdict::ALL.into_iter();
    all.find(|verdict| verdict.id() == name).ok_or_else(|| {
        let known = Verdict::ALL.map(Verdict::id).join(", ");
        bad(format!(
            "the derivation concludes '{name}', which is no verdict; its figure 'verdict' is one of {known}"
        ))
    })
}

/// The figures beside the value, as one paragraph.
fn prose(figures: &[Figure]) -> String {
    let explanation = figures.iter().find(|figure| figure.name == "explanation");
    let mut parts: Vec<String> = explanation.map(|f| f.value.clone()).into_iter().collect();
    let shown = ["value", "explanation", "verdict"];
    let others = figures.iter().filter(|f| !shown.contains(&f.name.as_str()));
    let others: Vec<String> = others.map(|f| format!("{}: {}", f.name, f.value)).collect();
    if !others.is_empty() {
        parts.push(format!("Figures: {}.", others.join("; ")));
    }
    parts.join(" ")
}

/// What a sample lets a verdict be: nothing without states, and no confirmation where
/// some of them were wrong.
fn by_sample(verdict: Verdict, sampled: u64, wrong: u64) -> Verdict {
    match verdict {
        Verdict::Confirmed | Verdict::ConfirmedBySample => match (sampled, wrong) {
            (0, _) => Verdict::NotReached,
            (_, 0) => Verdict::ConfirmedBySample,
            _ => Verdict::Refuted,
        },
        other => other,
    }
}

fn sample_evidence(what: &str, sampled: u64, wrong: u64) -> Evidence {
    let bound =
        antipode_check::verify::upper_bound(sampled, wrong, antipode_check::verify::CONFIDENCE);
    Evidence {
        what: what.to_owned(),
        sampled: sampled.into(),
        population: None,
        wrong: wrong.into(),
        confidence: antipode_check::verify::CONFIDENCE,
        bound,
        text: "States drawn at random are held against the claim.".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_with_faults_or_without_states_confirms_nothing() {
        use Verdict::{Confirmed, ConfirmedBySample, NotReached, Refuted};
        assert_eq!(by_sample(Confirmed, 10, 0), ConfirmedBySample);
        assert_eq!(by_sample(Confirmed, 0, 0), NotReached);
        assert_eq!(by_sample(Confirmed, 10, 1), Refuted);
        assert_eq!(by_sample(ConfirmedBySample, 0, 0), NotReached);
        assert_eq!(by_sample(Refuted, 10, 0), Refuted);
        assert!(verdict_named("confirmd").is_err());
    }
}
