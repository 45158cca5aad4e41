//! Kind `derived`: claims that need no search, decided by a derivation of the puzzle or module.
//! Examples: formulas, printed code and constants, counts of encodings.

use puzzle_api::{Figure, Settings};

use antipode_check::verify::{CONFIDENCE, LEAST_SAMPLE, evidence, upper_bound};
use antipode_graph::PluginError;
use antipode_reports::model::{Evidence, Picture, Verdict};
use antipode_search::engines::EngineError;

use super::{Claimed, Decided, Diagnostic, Diagnostics, Kind, at, bad, keys, place, target};
use crate::compare::{number, verdict};
use crate::context::Context;
use crate::finding::Finding;
use crate::played::played;
use crate::source::ClaimSource;
use crate::spec::{Case, Compare};

/// A figure that a puzzle or a module derives without a search.
pub(super) const DERIVED: Kind = Kind {
    claimed: Claimed::Any,
    unit: |_, _| "",
    read: |_| Ok(()),
    check,
    decide,
    analysed: |_| None,
};

fn check(source: &ClaimSource, case: &Case, _: &Context) -> Result<(), Diagnostics> {
    let what = keys::known(case, "derive").unwrap_or_default();
    at("derive", source.derives(what).map_err(bad))?;
    let mut diagnostics = Diagnostics::default();
    let speaks_of = diagnostics.take(source.knows(what, &parameters(case)));
    if let Some(value) = source.value_of(what) {
        diagnostics.take(can_be_held(case, what, value));
    }
    diagnostics.take(in_its_unit(source, case, what));
    if let Some(instance) = &case.instance {
        let speaks_of = speaks_of.unwrap_or_default();
        let is_one = diagnostics
            .take(at("instance", target(source, case)))
            .is_some();
        if is_one && !speaks_of.is_empty() && !speaks_of.contains(instance) {
            let line = another(what, &speaks_of.join(" "), instance);
            diagnostics.take::<()>(Err(Diagnostic::new("instance", line)));
        }
    }
    diagnostics.none_or_all()
}

fn decide(source: &ClaimSource, case: &Case, context: &mut Context) -> Decided {
    let what = keys::known(case, "derive").unwrap_or_default();
    let parameters = parameters(case);
    match source.derive(what, &parameters, context.effort) {
        Err(PluginError::NotOffered(why)) => Ok(Finding::not_reached(why)),
        figures => {
            let mut figures = figures?;
            figures.extend(asked(source, what, &parameters));
            speaks_of(case, what, &figures)?;
            let mut finding = of_figures(case, what, &figures)?;
            finding.witnesses.extend(game(source, case, &figures)?);
            let own = source.library.as_ref().filter(|_| source.deriver.is_none());
            if own.is_some_and(|library| !library.is_built_in()) {
                finding.unchecked("it is the library's own derivation");
            }
            Ok(finding)
        }
    }
}

/// Checks that the claimed figure can be compared with the value of a derivation. The value
/// declares its type: `number`, `holds` or `text`, several with `|` between them.
fn can_be_held(case: &Case, what: &str, value: &str) -> Result<(), Diagnostic> {
    let can_be = |sort: &str| value.split('|').any(|one| one == sort);
    let (numbers, texts) = (can_be("number"), can_be("text"));
    let claimed = case.claimed.as_str();
    let is_number = number(claimed).is_some();
    let by_size = !matches!(case.compare, Compare::Equal | Compare::Report);
    let (key, line) = match case.compare {
        Compare::Report => return Ok(()),
        Compare::Holds if can_be("holds") => return Ok(()),
        Compare::Holds => (
            "compare",
            format!(
                "derivation '{what}' gives a {}, and nothing that holds or fails; give 'claimed', and leave compare = \"holds\" out",
                value.replace('|', " or a ")
            ),
        ),
        _ if !numbers && !texts => (
            "claimed",
            format!(
                "derivation '{what}' says whether something holds, and gives nothing to compare '{claimed}' with; leave 'claimed' out, and give compare = \"holds\""
            ),
        ),
        _ if is_number && numbers => return Ok(()),
        _ if !is_number && texts && !by_size => return Ok(()),
        _ if is_number || by_size => (
            "claimed",
            format!(
                "'{claimed}' cannot be compared with the text that derivation '{what}' gives; write the text, and compare = \"equal\""
            ),
        ),
        _ => (
            "claimed",
            format!(
                "'{claimed}' cannot be compared with the number that derivation '{what}' gives; write a number"
            ),
        ),
    };
    Err(Diagnostic::new(key, line))
}

/// Checks that the unit of a claim, if it names one, is that of the derivation's value.
fn in_its_unit(source: &ClaimSource, case: &Case, what: &str) -> Result<(), Diagnostic> {
    let own = source.unit_of(what, &parameters(case));
    let Some(own) = own.filter(|own| !case.unit.is_empty() && case.unit != *own) else {
        return Ok(());
    };
    let unit = &case.unit;
    let line = match own.as_str() {
        "" => format!(
            "derivation '{what}' declares no unit of its figure, and so none can be '{unit}'; leave 'unit' out"
        ),
        own => format!(
            "derivation '{what}' gives {own} with these parameters, not {unit}; write unit = \"{own}\", or leave 'unit' out"
        ),
    };
    Err(Diagnostic::new("unit", line))
}

/// The figure that lists all parameters of a derivation: a claim may leave some out.
fn asked(source: &ClaimSource, what: &str, parameters: &Settings) -> Option<Figure> {
    let settled = source.settled(what, parameters);
    (!settled.is_empty()).then(|| Figure::new("parameters", settled))
}

/// A derivation decides a claim about an instance only if it names that instance.
fn speaks_of(case: &Case, what: &str, figures: &[Figure]) -> Result<(), EngineError> {
    let Some(instance) = &case.instance else {
        return Ok(());
    };
    let said = value_of(figures, INSTANCES).unwrap_or_default();
    if said.split_whitespace().any(|said| said == instance) {
        return Ok(());
    }
    Err(bad(another(what, said, instance)))
}

/// The message about a derivation for instances other than the claim's.
fn another(what: &str, said: &str, instance: &str) -> String {
    let (of, remedy) = match said {
        "" => ("no instance", "; leave out `instance`"),
        said => (said, ""),
    };
    format!("derivation '{what}' with these parameters speaks of {of}, not of '{instance}'{remedy}")
}

/// Plays the game of a derivation on the rulebook, move by move: its figures name the board and the
/// moves.
fn game(
    source: &ClaimSource,
    case: &Case,
    figures: &[Figure],
) -> Result<Option<Picture>, EngineError> {
    let [from, moves] = PLAYED.map(|name| value_of(figures, name));
    let Some(((from, moves), _)) = from.zip(moves).zip(case.instance.as_ref()) else {
        return Ok(None);
    };
    played(&place(source, case)?, from, moves).map(Some)
}

/// The value of a figure.
fn value_of<'a>(figures: &'a [Figure], name: &str) -> Option<&'a str> {
    let found = figures.iter().find(|figure| figure.name == name);
    found.map(|figure| figure.value.as_str())
}

/// The figures that name a game: its first board, and its moves separated by commas.
const PLAYED: [&str; 2] = ["played from", "played"];

/// The figure that names the instances that a derivation is about, with spaces between them.
const INSTANCES: &str = "instances";

fn parameters(case: &Case) -> Settings {
    let table = case.own.get("parameters").and_then(toml::Value::as_table);
    let pairs = table.into_iter().flatten();
    let texts = pairs.filter_map(|(key, value)| Some((key.clone(), value.as_str()?.to_owned())));
    texts.collect()
}

fn of_figures(case: &Case, what: &str, figures: &[Figure]) -> Result<Finding, EngineError> {
    let figure = |name: &str| value_of(figures, name);
    let note = prose(figures);
    let Some(value) = figure("value") else {
        let mut finding = Finding::not_reached(note);
        finding.engine = "derivation".into();
        finding.figures = recorded(figures);
        return Ok(finding);
    };
    if figure(SAMPLES).is_some() && case.compare != Compare::Report {
        return Err(bad(format!(
            "derivation '{what}' measures on this machine, and no machine confirms or refutes a speed; give compare = \"report\""
        )));
    }
    let verdict = verdict(case, value).map_err(bad)?;
    let verdict = match figure(BOUND) {
        None => verdict,
        Some(side) => by_bound(verdict, case.compare, side)
            .ok_or_else(|| bad(format!("the derivation's figure '{BOUND}' is '{side}', which is neither 'above' nor 'below'")))?,
    };
    let interval = figure("low").zip(figure("high"));
    let verdict = match interval {
        Some(ends) => by_interval(case, ends)?,
        None => verdict,
    };
    let mut finding = Finding::new(value, verdict);
    finding.note = note;
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
    let (sampled, tried) = (counted("sampled")?, counted("tried")?);
    if let Some(cases) = sampled.or(tried) {
        let wrong = counted("wrong")?.unwrap_or(0);
        if wrong > cases {
            return Err(bad(format!(
                "derivation '{what}' counts {wrong} wrong ones among {cases}"
            )));
        }
        let which = figure("drawn").unwrap_or("States drawn at random");
        let found = sample_evidence(what, which, cases, wrong, sampled.is_some());
        finding.evidence.push(found);
        finding.verdict = by_sample(finding.verdict, cases, wrong);
    } else if case.compare == Compare::Holds
        && verdict == Verdict::Confirmed
        && counted(ALL)?.is_none()
    {
        finding.unchecked(&format!(
            "derivation '{what}' does not say for how many cases, and whether they are all"
        ));
    }
    let open = finding.verdict == Verdict::NotReached;
    if let Some(side) = figure(BOUND).filter(|_| open) {
        finding.add(&format!(
            "A bound from {side} does not decide what is claimed."
        ));
    }
    if let Some((low, high)) = interval.filter(|_| open) {
        finding.add(&format!(
            "An interval from {low} to {high} does not decide what is claimed."
        ));
    }
    finding.engine = "derivation".into();
    finding.figures = recorded(figures);
    Ok(finding)
}

/// The figures that go into the certificate, which holds a game move by move elsewhere.
fn recorded(figures: &[Figure]) -> Vec<Figure> {
    let is_game = |figure: &&Figure| PLAYED.contains(&figure.name.as_str());
    figures
        .iter()
        .filter(|figure| !is_game(figure))
        .cloned()
        .collect()
}

/// The figure that counts the cases of a statement that was shown for every case.
const ALL: &str = "all";

/// The figure that says that the value is a bound, from above or below, of what is claimed.
const BOUND: &str = "bound";

/// Raw samples of a timing, in the order they were taken.
const SAMPLES: &str = "samples";

/// Figures that are evidence for programs alone: samples, and the text of bit programs.
const RAW: [&str; 3] = [SAMPLES, "program", "program-naive"];

/// The figures other than the value, as one paragraph.
fn prose(figures: &[Figure]) -> String {
    let explanation = value_of(figures, "explanation").map(str::to_owned);
    let mut parts: Vec<String> = explanation.into_iter().collect();
    let shown = ["value", "explanation", "drawn", BOUND, INSTANCES];
    let left_out =
        |name: &str| shown.contains(&name) || RAW.contains(&name) || PLAYED.contains(&name);
    let others = figures.iter().filter(|f| !left_out(&f.name));
    let others: Vec<String> = others.map(|f| format!("{}: {}", f.name, f.value)).collect();
    if !others.is_empty() {
        parts.push(format!("Figures: {}.", others.join("; ")));
    }
    parts.join(" ")
}

/// The verdict that a bound allows: it excludes values on its other side, and shows nothing else.
pub(super) fn by_bound(verdict: Verdict, compare: Compare, side: &str) -> Option<Verdict> {
    let (holds, fails) = match side {
        "above" => (Compare::AtMost, Compare::AtLeast),
        "below" => (Compare::AtLeast, Compare::AtMost),
        _ => return None,
    };
    Some(match verdict {
        Verdict::Confirmed if compare == holds => verdict,
        Verdict::Refuted if compare == fails => verdict,
        Verdict::Reported => verdict,
        _ => Verdict::NotReached,
    })
}

/// The verdict that an interval allows: that of all figures in it.
fn by_interval(case: &Case, (low, high): (&str, &str)) -> Result<Verdict, EngineError> {
    let of = |end| verdict(case, end).map_err(bad);
    let ends = number(low).zip(number(high));
    let holds_it = number(&case.claimed)
        .zip(ends)
        .is_none_or(|(claimed, (least, most))| (least..=most).contains(&claimed));
    Ok(match (of(low)?, of(high)?) {
        (Verdict::Reported, _) => Verdict::Reported,
        (Verdict::Confirmed, Verdict::Confirmed) => Verdict::ConfirmedBySample,
        (Verdict::Refuted, Verdict::Refuted) if !holds_it => Verdict::RefutedBySample,
        _ => Verdict::NotReached,
    })
}

/// The verdict that a sample allows: not reached if it is too small, refuted if it holds a
/// counterexample.
fn by_sample(verdict: Verdict, sampled: u64, wrong: u64) -> Verdict {
    match verdict {
        Verdict::Confirmed | Verdict::ConfirmedBySample => match (sampled, wrong) {
            (_, 1..) => Verdict::Refuted,
            (LEAST_SAMPLE.., _) => Verdict::ConfirmedBySample,
            _ => Verdict::NotReached,
        },
        other => other,
    }
}

/// The evidence of a statement that was checked on some cases. Cases that were not drawn at
/// `random` give no bound.
fn sample_evidence(what: &str, which: &str, sampled: u64, wrong: u64, random: bool) -> Evidence {
    // A counterexample refutes; there is nothing left to bound.
    let bound = upper_bound(sampled, wrong, CONFIDENCE).filter(|_| random && wrong == 0);
    let text = match random {
        true => format!("{which} are compared with the claim."),
        false => format!(
            "{which} are compared with the claim. They are not all cases and were not drawn at random, so no bound holds for the others."
        ),
    };
    evidence(what, sampled, wrong, bound, text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::derived;

    #[test]
    fn a_bound_decides_on_one_side() {
        use Verdict::{Confirmed, NotReached, Refuted, Reported};
        for (verdict, compare, side, is) in [
            (Confirmed, Compare::AtMost, "above", Some(Confirmed)),
            (Refuted, Compare::AtMost, "above", Some(NotReached)),
            (Refuted, Compare::AtLeast, "above", Some(Refuted)),
            (Confirmed, Compare::AtLeast, "above", Some(NotReached)),
            (Confirmed, Compare::Equal, "above", Some(NotReached)),
            (Refuted, Compare::About, "above", Some(NotReached)),
            (Reported, Compare::Report, "above", Some(Reported)),
            (Confirmed, Compare::AtLeast, "below", Some(Confirmed)),
            (Confirmed, Compare::AtMost, "beneath", None),
        ] {
            assert_eq!(by_bound(verdict, compare, side), is, "{compare:?} {side}");
        }
    }

    /// The type that a derivation declares is compared with the claim before any run.
    #[test]
    fn what_is_claimed_must_be_of_the_sort_that_is_derived() {
        let told = |value: &str, keys: &str| {
            let held = can_be_held(&derived(keys), "d", value);
            held.map_err(|diagnostic| {
                let cause = diagnostic.cause.expect("a key");
                (cause.key, diagnostic.error.to_string())
            })
        };
        let holds = "compare = \"holds\"";
        for (value, keys) in [
            ("number", "claimed = 5"),
            ("number", "claimed = \"10^5\"\ncompare = \"magnitude\""),
            ("number|holds", holds),
            ("holds", holds),
            ("number|text", "claimed = \"0:0\""),
            ("text", "claimed = \"4, 12, 56\""),
            ("holds", "compare = \"report\""),
            ("holds", "claimed = 5\ncompare = \"report\""),
        ] {
            assert_eq!(told(value, keys), Ok(()), "{value}: {keys}");
        }
        for (value, keys, key, why) in [
            ("number", "claimed = \"many\"", "claimed", "write a number"),
            (
                "number|holds",
                "claimed = \"many\"",
                "claimed",
                "write a number",
            ),
            ("number", holds, "compare", "nothing that holds or fails"),
            ("holds", "claimed = 5", "claimed", "compare = \"holds\""),
            (
                "holds",
                "claimed = \"true\"",
                "claimed",
                "compare = \"holds\"",
            ),
            ("text", "claimed = 5", "claimed", "write the text"),
            (
                "text",
                "claimed = 5\ncompare = \"about\"",
                "claimed",
                "write the text",
            ),
        ] {
            let (at, line) = told(value, keys).expect_err(keys);
            assert!(at == key && line.contains(why), "{at}: {line}");
        }
    }

    /// A speed measured here is printed next to the published one, whatever it is.
    #[test]
    fn what_is_measured_is_only_reported() {
        let figures = [Figure::new("value", 12), Figure::new("samples", "11 12 13")];
        let found = |compare: &str| {
            let case = derived(&format!("compare = \"{compare}\"\nclaimed = 11"));
            of_figures(&case, "d", &figures)
        };
        for compare in ["equal", "about", "at-most", "at-least"] {
            let refused = found(compare).expect_err(compare).to_string();
            assert!(refused.contains("compare = \"report\""), "{refused}");
        }
        assert_eq!(
            found("report").expect("a finding").verdict,
            Verdict::Reported
        );
    }

    /// A statement is confirmed for the number of cases that its derivation reports; without that
    /// number it is not confirmed.
    #[test]
    fn a_statement_is_confirmed_of_the_cases_that_were_looked_at() {
        use Verdict::{Confirmed, ConfirmedBySample, NotReached, Refuted};
        let case = &derived("compare = \"holds\"");
        let verdict = |value: &str, name: &str, cases: &str| {
            let figures = [Figure::new("value", value), Figure::new(name, cases)];
            of_figures(case, "d", &figures).expect("a finding").verdict
        };
        for (name, cases, is) in [
            ("all", "7", Confirmed),
            ("tried", "700", ConfirmedBySample),
            ("sampled", "100", ConfirmedBySample),
            ("sampled", "99", NotReached),
            ("tried", "0", NotReached),
            ("rows looked at", "7", NotReached),
        ] {
            assert_eq!(verdict("true", name, cases), is, "{name} {cases}");
            assert_eq!(verdict("false", name, cases), Refuted, "{name} {cases}");
        }
        assert_eq!(by_sample(Confirmed, 10, 1), Refuted);
    }

    #[test]
    fn an_interval_decides_where_all_of_it_does() {
        use Verdict::{ConfirmedBySample, NotReached, RefutedBySample, Reported};
        for (compare, claimed, is) in [
            ("at-least", 30, ConfirmedBySample),
            ("at-least", 40, NotReached),
            ("at-least", 60, RefutedBySample),
            ("at-most", 60, ConfirmedBySample),
            ("about", 45, NotReached),
            ("about", 80, RefutedBySample),
            ("equal", 45, NotReached),
            ("equal", 30, RefutedBySample),
            ("report", 45, Reported),
        ] {
            let case = derived(&format!("compare = \"{compare}\"\nclaimed = {claimed}"));
            let figures = [("value", "43"), ("low", "37"), ("high", "50.5")];
            let figures = figures.map(|(name, value)| Figure::new(name, value));
            let found = of_figures(&case, "d", &figures).expect("a finding");
            assert_eq!(found.verdict, is, "{compare} {claimed}");
        }
    }

    #[test]
    fn no_more_are_wrong_than_were_tried() {
        let figures = [("value", "false"), ("sampled", "150"), ("wrong", "667")];
        let figures = figures.map(|(name, value)| Figure::new(name, value));
        let refused = of_figures(&derived("compare = \"holds\""), "d", &figures);
        assert!(
            refused
                .expect_err("refused")
                .to_string()
                .contains("667 wrong ones among 150")
        );
    }

    /// Only cases drawn at random bound how many of the others can be wrong.
    #[test]
    fn cases_that_were_not_drawn_bound_nothing() {
        let bound = |random| sample_evidence("d", "Boards", 1000, 0, random).bound;
        assert!(bound(true).is_some() && bound(false).is_none());
    }
}
