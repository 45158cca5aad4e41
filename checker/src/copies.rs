//! What a certificate says twice, or repeats of its claim's own lines.

use serde_json::{Value, json};

use crate::claim::{Case, Claim};
use crate::shown::{OrWrong, Stop, bound_of, list, text};
use crate::verdict::{joined, together};

/// Whether what each reading asked stands in the claim's own lines, and what answered it can.
pub fn asked(claim: &Claim, records: &[Value]) -> Result<(), Stop> {
    for (case, record) in claim.cases.iter().zip(records) {
        let asked = [
            ("reading", Value::from(case.reading.as_str())),
            ("kind", case.kind.as_str().into()),
            ("instance", case.instance.clone().into()),
            ("settings", json!(case.settings)),
            ("board", case.board.clone().into()),
            ("own", case.own.clone().into()),
            ("claimed", case.claimed.as_str().into()),
            ("compare", case.compare.as_str().into()),
            ("within", case.within.into()),
        ];
        for (member, value) in asked {
            (record[member] == value)
                .or_wrong(format!("{member} is not as in the claim's own lines"))?;
        }
        let (found, engine) = (&record["found"], &record["engine"]);
        (engine == "" && found == "" || (engine == "derivation") == (case.kind == "derived"))
            .or_wrong(format!("{engine} answers no claim of kind {}", case.kind))?;
        ((engine == "proof") == record["proof"].is_string())
            .or_wrong("a proof is of no engine, or is missing")?;
        let checks = list(&record["checks"]);
        let twice = |(i, check)| checks[..i].contains(check);
        (!checks.iter().enumerate().any(twice)).or_wrong("a check stands twice")?;
        let named = ["", "derivation"].contains(&text(record, "engine")) || record["variant"] != "";
        named.or_wrong("a search names no variant")?;
    }
    Ok(())
}

/// Whether what is said twice is said the same.
pub fn check(claim: &Claim, result: &Value, records: &[Value]) -> Result<(), Stop> {
    let cases = &claim.cases;
    let of = |member: &'static str| records.iter().map(move |record| text(record, member));
    let verdicts: Vec<&str> = of("verdict").collect();
    let claimed = joined(cases.iter().map(|case| case.claimed.as_str()));
    let units: Vec<&str> = cases.iter().map(Case::unit).collect();
    bounds(claim, result)?;
    // Members that may be missing, which then are empty.
    let may_lack = text(result, "unit") == common(&units)
        && text(result, "url") == claim.text("url")
        && text(result, "quote") == claim.text("quote")
        && result["text_at_hand"].as_bool().unwrap_or(false) == claim.table.contains_key("text");
    may_lack.or_wrong("unit, url, quote or text_at_hand is not as in the claim's own lines")?;
    let said = [
        ("id", claim.text("id")),
        ("source", claim.text("source")),
        ("section", claim.text("section")),
        ("statement", claim.text("statement")),
        ("kind", cases[0].kind.clone()),
        ("expect", claim.expect.clone()),
        ("verdict", together(claim.all, &verdicts).to_owned()),
        ("claimed", claimed),
        ("found", joined(of("found"))),
        ("variant", joined(of("variant"))),
        ("engine", joined(of("engine"))),
    ];
    for (member, text) in said {
        (result[member] == text).or_wrong(format!(
            "claim.{member} is not what its readings come to: {text:?}"
        ))?;
    }
    (result["instance"] == Value::from(cases[0].instance.clone()))
        .or_wrong("claim.instance is not the first reading's")?;
    let mut checks: Vec<&Value> = Vec::new();
    for check in records.iter().flat_map(|record| list(&record["checks"])) {
        sound(check)?;
        if !checks.contains(&check) {
            checks.push(check);
        }
    }
    list(&result["evidence"])
        .iter()
        .eq(checks)
        .or_wrong("claim.evidence is not what its readings have")?;
    let (readings, notes) = (list(&result["readings"]), list(&result["notes"]));
    let has = |note: &Value, part: &str| note.as_str().is_some_and(|note| note.contains(part));
    let noted = |part: &str| part.is_empty() || notes.iter().any(|note| has(note, part));
    noted(&claim.text("hardware")).or_wrong("the hardware of its own lines is missing")?;
    let single = cases.len() == 1 && cases[0].reading.is_empty();
    (readings.len() == if single { 0 } else { records.len() })
        .or_wrong("another number of readings")?;
    let remarked = match single {
        true => noted(&cases[0].note),
        false => (readings.iter().zip(cases)).all(|(one, case)| has(&one["note"], &case.note)),
    };
    remarked.or_wrong("a remark of its own lines is missing")?;
    for (((reading, record), case), unit) in readings.iter().zip(records).zip(cases).zip(units) {
        (text(reading, "unit") == unit).or_wrong(format!("a reading's unit is {unit:?}"))?;
        let mut members = ["claimed", "found", "verdict"].iter();
        let same = members.all(|member| reading[member] == record[member]);
        let named = reading["name"] == case.reading && reading["statement"] == case.statement;
        (same && named).or_wrong(format!(
            "the reading {:?} is told in two ways",
            case.reading
        ))?;
    }
    Ok(())
}

/// What some texts have in common if they are all alike; else nothing.
fn common<'a>(texts: &[&'a str]) -> &'a str {
    let alike = texts.iter().all(|text| *text == texts[0]);
    if alike { texts[0] } else { "" }
}

/// Whether published figures bound those found as far as the claim's own lines say.
fn bounds(claim: &Claim, result: &Value) -> Result<(), Stop> {
    let bounds: Vec<Value> = claim.cases.iter().map(Case::bound).collect();
    let alike = bounds.iter().all(|bound| *bound == bounds[0]);
    let all = if alike { &bounds[0] } else { &Value::Null };
    let readings = list(&result["readings"]).iter().zip(&bounds);
    for (told, bound) in readings.chain([(result, all)]) {
        let right = match bound {
            Value::Null => told.get("bound").is_none(),
            bound => told["bound"] == *bound,
        };
        right.or_wrong(format!("the bound of a figure is {bound}"))?;
    }
    Ok(())
}

/// Whether the figures of one of the harness' own checks can be. Its samples are not drawn again.
fn sound(check: &Value) -> Result<(), Stop> {
    let count = |member| text(check, member).parse::<u128>().ok();
    let (sampled, population, what) = (count("sampled"), count("population"), &check["what"]);
    (count("wrong") == Some(0)).or_wrong(format!("its own check {what} found faults"))?;
    (check["confidence"] == 0.95).or_wrong(format!("the check {what} has another confidence"))?;
    match (sampled, check["bound"].as_f64()) {
        (Some(0), None) => Ok(()),
        (Some(sampled), Some(bound)) => {
            let right = bound_of(sampled as f64);
            ((bound - right).abs() <= 1e-9 * right)
                .or_wrong(format!("the bound of the check {what} is {right}"))
        }
        // Walks away from the roots draw no state as likely as another, and the deepest states
        // say nothing of others.
        (Some(_), None) if (what == "ascents" || what == "antipodes") && population.is_none() => {
            Ok(())
        }
        (sampled, None) => (sampled == population).or_wrong(format!(
            "the check {what} has no bound and looked not at all"
        )),
        _ => Err(Stop::Wrong(format!("the check {what} has no figures"))),
    }
}
