//! Checks statements that a certificate makes twice, or repeats from its claim's own lines.

use serde_json::{Value, json};

use crate::case::Case;
use crate::claim::Claim;
use crate::rules::PUZZLES;
use crate::schema::is_empty;
use crate::shown::{OrWrong, Stop, agrees, bound_of, list, text};
use crate::strict::is_variant;
use crate::verdict::{joined, together};

/// Whether the claim's own lines ask each reading's question, and its engine can answer that.
pub fn asked(claim: &Claim, puzzle: &str, records: &[Value]) -> Result<(), Stop> {
    for (case, record) in claim.cases.iter().zip(records) {
        let asked = json!({
            "reading": case.reading,
            "kind": case.kind,
            "instance": case.instance,
            "settings": case.settings,
            "board": case.board,
            "own": case.own,
            "claimed": case.claimed,
            "compare": case.compare,
            "within": case.within,
        });
        agrees(record, &asked, "by the claim's own lines")?;
        let (found, engine) = (&record["found"], &record["engine"]);
        let derived = (engine == "derivation") == (case.kind == "derived");
        let answers = engine == "" && found == "" || derived;
        answers.or_wrong(format!("{engine} answers no claim of kind {}", case.kind))?;
        let proof = &record["proof"];
        let proved =
            (engine == "proof") != proof.is_null() && (proof.is_null() || proof.is_string());
        proved.or_wrong("a proof is of no engine, or is missing")?;
        let checks = record["checks"].as_array();
        let checks = checks.ok_or("the checks of a reading are no list")?;
        let twice = |(i, check)| checks[..i].contains(check);
        (!checks.iter().enumerate().any(twice)).or_wrong("a check stands twice")?;
        let named = ["", "derivation"].contains(&text(record, "engine")) || record["variant"] != "";
        named.or_wrong("a search names no variant")?;
        let variant = text(record, "variant");
        // The variants of other people's libraries are unknown here.
        let ours = PUZZLES.contains(&puzzle) || ["permute", "bitboard"].contains(&puzzle);
        let known = !ours || is_variant(variant);
        known.or_wrong(format!("{puzzle} has no variant {variant:?}"))?;
    }
    Ok(())
}

/// Whether duplicate statements agree.
pub fn check(claim: &Claim, result: &Value, records: &[Value]) -> Result<(), Stop> {
    let cases = &claim.cases;
    let of = |member: &'static str| records.iter().map(move |record| text(record, member));
    let verdicts: Vec<&str> = of("verdict").collect();
    let units: Vec<&str> = cases.iter().map(Case::unit).collect();
    bounds(claim, result)?;
    let origin = claim.text("origin");
    let may_lack = json!({
        "unit": common(&units),
        "url": claim.text("url"),
        "quote": claim.text("quote"),
        "origin": if origin == "ours" { origin } else { String::new() },
        "text_at_hand": claim.table.contains_key("text"),
    });
    for (member, right) in may_lack.as_object().into_iter().flatten() {
        let same = has(result, member, right);
        same.or_wrong(format!("{member} is not as in the claim's own lines"))?;
    }
    let right = json!({
        "id": claim.text("id"),
        "source": claim.text("source"),
        "section": claim.text("section"),
        "statement": claim.text("statement"),
        "kind": cases[0].kind,
        "instance": cases[0].instance,
        "expect": claim.expect,
        "verdict": together(claim.all, &verdicts),
        "claimed": joined(cases.iter().map(|case| case.claimed.as_str())),
        "found": joined(of("found")),
        "variant": joined(of("variant")),
        "engine": joined(of("engine")),
    });
    agrees(result, &right, "by its readings")?;
    let mut checks: Vec<&Value> = Vec::new();
    let of_each = records.iter().flat_map(|record| {
        let derived = record["kind"] == "derived";
        list(&record["checks"])
            .iter()
            .map(move |check| (derived, check))
    });
    for (derived, check) in of_each {
        sound(check, derived)?;
        if !checks.contains(&check) {
            checks.push(check);
        }
    }
    let same = list(&result["evidence"]).iter().eq(checks);
    same.or_wrong("claim.evidence is not what its readings have")?;
    let (readings, notes) = (list(&result["readings"]), list(&result["notes"]));
    let holds = |note: &Value, part: &str| note.as_str().is_some_and(|note| note.contains(part));
    let noted = |part: &str| part.is_empty() || notes.iter().any(|note| holds(note, part));
    noted(&claim.text("hardware")).or_wrong("the hardware of its own lines is missing")?;
    let single = cases.len() == 1 && cases[0].reading.is_empty();
    let due = if single { 0 } else { records.len() };
    (readings.len() == due).or_wrong("another number of readings")?;
    (!single || noted(&cases[0].note)).or_wrong("a remark of its own lines is missing")?;
    for (((reading, record), case), unit) in readings.iter().zip(records).zip(cases).zip(units) {
        has(reading, "unit", &unit.into()).or_wrong(format!("a reading's unit is {unit:?}"))?;
        holds(&reading["note"], &case.note).or_wrong("a remark of its own lines is missing")?;
        let right = json!({
            "name": case.reading,
            "statement": case.statement,
            "claimed": record["claimed"],
            "found": record["found"],
            "verdict": record["verdict"],
        });
        agrees(reading, &right, &format!("the reading {}", case.reading))?;
    }
    Ok(())
}

/// Whether a member has the right value, or is missing if that is empty.
fn has(value: &Value, member: &str, right: &Value) -> bool {
    value.get(member) == Some(right).filter(|right| !is_empty(right))
}

/// The value that all have; `None` if they differ.
fn common<T: PartialEq>(all: &[T]) -> Option<&T> {
    all.first()
        .filter(|first| all.iter().all(|one| one == *first))
}

/// Whether published figures have the bounds that the claim's own lines give them.
fn bounds(claim: &Claim, result: &Value) -> Result<(), Stop> {
    let bounds: Vec<Value> = claim.cases.iter().map(Case::bound).collect();
    let all = common(&bounds).unwrap_or(&Value::Null);
    let readings = list(&result["readings"]).iter().zip(&bounds);
    for (told, bound) in readings.chain([(result, all)]) {
        has(told, "bound", bound).or_wrong(format!("the bound of a figure is {bound}"))?;
    }
    Ok(())
}

/// Whether the figures of one of the harness' own checks are possible. Its samples are not redrawn.
fn sound(check: &Value, derived: bool) -> Result<(), Stop> {
    let count = |member| text(check, member).parse::<u128>().ok();
    let (sampled, population, what) = (count("sampled"), count("population"), &check["what"]);
    let plain = |member: &str, figure: Option<u128>| match figure {
        Some(figure) => check[member] == figure.to_string(),
        None => check[member].is_null(),
    };
    let told = sampled.is_some() && plain("sampled", sampled) && plain("population", population);
    let told = told && (check["bound"].is_null() || check["bound"].is_number());
    told.or_wrong(format!("the check {what} has figures that are none"))?;
    (check["wrong"] == "0").or_wrong(format!("its own check {what} found faults"))?;
    (check["confidence"] == 0.95).or_wrong(format!("the check {what} has another confidence"))?;
    // Walks away from the roots do not sample states uniformly, and neither the deepest states nor
    // the cases that a derivation chose show anything about others. An open part has no bound
    // either, and no verdict rests on it.
    let free = ["ascents", "antipodes", "consistency"];
    let bounds_none = derived || free.iter().any(|free| what == free);
    let partial = bounds_none && population.is_none();
    let right = match (sampled, check["bound"].as_f64()) {
        (Some(0), None) => true,
        (Some(_), None) if partial => true,
        (Some(sampled), Some(bound)) => {
            let right = bound_of(sampled as f64);
            (bound - right).abs() <= 1e-9 * right
        }
        (sampled, None) => sampled == population,
        _ => false,
    };
    right.or_wrong(format!("the figures of the check {what} do not fit"))
}
