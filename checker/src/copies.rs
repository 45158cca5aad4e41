//! Checks statements that a certificate makes twice, or repeats from its claim's own lines.

use serde_json::{Value, json};

use crate::case::Case;
use crate::claim::Claim;
use crate::rules::is_known;
use crate::shown::{OrWrong, Stop, agrees, bound_of, list, number, or_none, text};
use crate::strict::{answers, is_variant};
use crate::verdict::{joined, together};

/// Whether the claim's own lines ask each reading's question, and its engine can answer that.
pub fn asked(claim: &Claim, puzzle: &str, records: &[Value]) -> Result<(), Stop> {
    for (case, record) in claim.cases.iter().zip(records) {
        agrees(record, &case.asked(), "by the claim's own lines")?;
        let engine = text(record, "engine");
        let answers = engine.is_empty() && record["found"] == "" || answers(case, engine);
        let kind = &case.kind;
        answers.or_wrong(format!(
            "engine {engine:?} answers no such claim of kind {kind}"
        ))?;
        // A path that no engine is named for is of the plain search.
        let ran = engine.replace("forward search", "hash");
        let ran = record["run"].is_null() || record["run"]["engine"] == ran;
        ran.or_wrong(format!("its run is of another engine than {engine}"))?;
        let proved = (engine == "proof") != record["proof"].is_null();
        proved.or_wrong("a proof is of no engine, or is missing")?;
        let checks = list(&record["checks"]);
        let twice = |(i, check)| checks[..i].contains(check);
        (!checks.iter().enumerate().any(twice)).or_wrong("a check stands twice")?;
        let named = ["", "derivation"].contains(&text(record, "engine")) || record["variant"] != "";
        named.or_wrong("a search names no variant")?;
        let variant = text(record, "variant");
        // The variants of other people's libraries are unknown here.
        let ours = is_known(puzzle) || ["permute", "bitboard"].contains(&puzzle);
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
    let bounds: Vec<Value> = cases.iter().map(Case::bound).collect();
    let right = json!({
        "id": claim.text("id"),
        "source": claim.text("source"),
        "section": claim.text("section"),
        "url": claim.text("url"),
        "quote": claim.text("quote"),
        "origin": Some(claim.text("origin")).filter(|origin| origin == "ours"),
        "text_at_hand": claim.table.contains_key("text"),
        "statement": claim.text("statement"),
        "kind": cases[0].kind,
        "instance": cases[0].instance,
        "unit": common(&units),
        "bound": common(&bounds),
        "expect": claim.expect,
        "verdict": together(claim.all, &verdicts),
        "claimed": joined(cases.iter().map(|case| case.claimed.as_str())),
        "found": joined(of("found")),
        "variant": joined(of("variant")),
        "engine": joined(of("engine")),
    });
    agrees(result, &right, "by its readings")?;
    let mut checks: Vec<&Value> = Vec::new();
    for (case, record) in cases.iter().zip(records) {
        for check in list(&record["checks"]) {
            sound(check, (case, record))?;
            if !checks.contains(&check) {
                checks.push(check);
            }
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
    for ((reading, record), case) in readings.iter().zip(records).zip(cases) {
        holds(&reading["note"], &case.note).or_wrong("a remark of its own lines is missing")?;
        let right = json!({
            "name": case.reading,
            "statement": case.statement,
            "unit": case.unit(),
            "bound": case.bound(),
            "claimed": record["claimed"],
            "found": record["found"],
            "verdict": record["verdict"],
        });
        agrees(reading, &right, &format!("the reading {}", case.reading))?;
    }
    Ok(())
}

fn common<T: PartialEq>(all: &[T]) -> Option<&T> {
    let first = all.first();
    first.filter(|first| all.iter().all(|one| one == *first))
}

/// Whether one of the harness' own checks is one that the reading can have, on as many states as its
/// levels have, with possible figures. Its samples are not redrawn.
fn sound(check: &Value, (case, record): (&Case, &Value)) -> Result<(), Stop> {
    let count = |member| text(check, member).parse::<u128>().ok();
    let (sampled, population, what) = (count("sampled"), count("population"), &check["what"]);
    let refutes = case.kind == "derived" && record["verdict"] == "refuted";
    (check["wrong"] == "0" || refutes).or_wrong(format!("its own check {what} found faults"))?;
    (check["confidence"] == 0.95).or_wrong(format!("the check {what} has another confidence"))?;
    let fits = fits(text(check, "what"), (sampled, population), (case, record));
    fits.or_wrong(format!(
        "a check {what} on {} states: no such reading has it",
        or_none(sampled)
    ))?;
    // Walks away from the roots do not sample states uniformly, and neither the deepest states nor
    // the cases that a derivation chose show anything about others. An open part has no bound
    // either, and no verdict rests on it.
    let free = ["ascents", "antipodes", "consistency"];
    let bounds_none = case.kind == "derived" || free.iter().any(|free| what == free);
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

/// Whether a reading can have a check of this name, and its levels as many states.
fn fits(
    what: &str,
    (sampled, population): (Option<u128>, Option<u128>),
    (case, record): (&Case, &Value),
) -> bool {
    let levels = list(&record["levels"]["levels"]);
    let sum = |member| {
        let rows = levels.iter().chain([&record["levels"]["unsolvable"]]);
        rows.map(|row| number(row, member)).sum::<u128>()
    };
    let (sampled, orbits) = (sampled.unwrap_or(0), sum("orbits"));
    let among = |all: u128| sampled <= all && population.is_none_or(|population| population == all);
    let parts = record["run"]["parts_total"].as_u64().map(u128::from);
    match (case.kind.as_str(), what) {
        ("derived", _) => case.text("derive") == Some(what),
        ("lengths", _) => what == "sides",
        (_, "levels") => among(orbits),
        _ if case.is_of_path() => what == "rulebook" && sampled == sum("states") && among(sampled),
        // Those drawn need not be met, unless all states are.
        (_, "inclusiveness") => {
            record["levels"]["unsolvable"].is_null() && population.is_none() || sampled <= orbits
        }
        (_, "playouts" | "ascents") => sampled <= orbits,
        (_, "exclusiveness") => among(orbits),
        (_, "antipodes") => {
            let deepest = levels.last().map_or(0, |last| number(last, "orbits"));
            sampled <= deepest.min(100) && population.is_none()
        }
        (_, "consistency") => {
            let of_parts = |parts| sampled < parts && population == Some(parts);
            [0, orbits].contains(&sampled) && among(orbits) || parts.is_some_and(of_parts)
        }
        _ => false,
    }
}
