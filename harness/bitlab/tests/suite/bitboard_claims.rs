//! Every claim of `claims.toml` against its derivation.

use std::collections::BTreeSet;

use antipode_bitlab::bitboard::claims::{Derived, Effort, derivations, derive, names};

/// A claim, or one reading of it.
struct Claim {
    id: String,
    kind: String,
    derive: String,
    claimed: String,
    compare: String,
    hardware: Option<String>,
    effort: Option<String>,
    expect: String,
}

/// Every claim, a claim with readings as one entry a reading, which overrides its fields.
fn claims() -> Vec<Claim> {
    let text = include_str!("../../src/bitboard/claims.toml");
    let file: toml::Table = text.parse().expect("claims.toml is well formed");
    let list = |table: &toml::Table, key| -> Vec<toml::Table> {
        let entries = table.get(key).and_then(toml::Value::as_array);
        let entries = entries
            .into_iter()
            .flatten()
            .filter_map(toml::Value::as_table);
        entries.cloned().collect()
    };
    let mut all = Vec::new();
    for claim in list(&file, "claim") {
        let mut readings = list(&claim, "reading");
        if readings.is_empty() {
            readings.push(toml::Table::new());
        }
        for reading in readings {
            let optional = |key| {
                let value = reading.get(key).or_else(|| claim.get(key))?;
                Some(value.as_str().expect("text").to_owned())
            };
            let required = |key| optional(key).unwrap_or_else(|| panic!("lacks {key}"));
            let name = reading.get("name").and_then(toml::Value::as_str);
            all.push(Claim {
                id: format!("{} {}", required("id"), name.unwrap_or_default()),
                kind: required("kind"),
                derive: required("derive"),
                claimed: optional("claimed").unwrap_or_default(),
                compare: required("compare"),
                hardware: optional("hardware"),
                effort: optional("effort"),
                expect: required("expect"),
            });
        }
    }
    all
}

fn number(text: &str) -> f64 {
    text.parse()
        .unwrap_or_else(|_| panic!("`{text}` is no number"))
}

fn verdict(claim: &Claim, derived: &Derived) -> &'static str {
    let Some(value) = derived.figure("value") else {
        return "not-reached";
    };
    let claimed = || number(&claim.claimed);
    let holds = match claim.compare.as_str() {
        "equal" => value == claim.claimed,
        "holds" => value == "holds",
        "at-most" => number(value) <= claimed(),
        "at-least" => number(value) >= claimed(),
        "report" => return "reported",
        other => panic!("{}: unknown comparison `{other}`", claim.id),
    };
    match holds {
        true if ["sampled", "tried"]
            .iter()
            .any(|name| derived.figure(name).is_some()) =>
        {
            "confirmed-by-sample"
        }
        true => "confirmed",
        false => "refuted",
    }
}

#[test]
fn quick_verdicts_are_the_expected_ones() {
    for claim in &claims() {
        let derived = derive(&claim.derive, Effort::Quick).expect("a known derivation");
        let verdict = verdict(claim, &derived);
        if claim.effort.is_some() {
            assert_eq!(verdict, "not-reached", "{}", claim.id);
        } else {
            assert_eq!(verdict, claim.expect, "{}: {derived:?}", claim.id);
        }
        assert!(!derived.explanation.is_empty(), "{}", claim.id);
    }
}

#[test]
#[ignore = "takes a minute and an idle machine"]
fn full_verdicts_are_the_expected_ones() {
    let wrong: Vec<_> = claims()
        .iter()
        .filter_map(|claim| {
            let derived = derive(&claim.derive, Effort::Full)?;
            let verdict = verdict(claim, &derived);
            println!("{:60} {verdict:20} {:?}", claim.id, derived.figures);
            (verdict != claim.expect).then(|| claim.id.clone())
        })
        .collect();
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
fn speeds_are_reported_with_their_interval_and_the_hardware() {
    let claims = claims();
    let speeds = claims.iter().filter(|claim| claim.hardware.is_some());
    assert!(speeds.clone().count() >= 10);
    for claim in speeds {
        assert_eq!(claim.compare, "report", "{}", claim.id);
        let derived = derive(&claim.derive, Effort::Quick).expect("a known derivation");
        let figure = |name| derived.figure(name).map(number);
        let value = figure("value").expect("a figure");
        assert!(value > 0.0, "{}", claim.id);
        let (low, high) = (
            figure("low").unwrap_or(value),
            figure("high").unwrap_or(value),
        );
        assert!(0.0 < low && low <= value && value <= high, "{}", claim.id);
    }
}

#[test]
fn claims_and_derivations_match() {
    let claims = claims();
    let ids: BTreeSet<_> = claims.iter().map(|claim| &claim.id).collect();
    assert_eq!(ids.len(), claims.len(), "an id is used twice");
    let used: BTreeSet<_> = claims.iter().map(|claim| claim.derive.as_str()).collect();
    assert_eq!(used, names().collect(), "a derivation is unknown or unused");
    assert!(claims.iter().all(|claim| claim.kind == "derived"));
    // What a derivation is declared to give is what claims hold against it.
    for (name, value) in derivations() {
        for claim in claims.iter().filter(|claim| claim.derive == name) {
            let wanted = match claim.compare.as_str() {
                "holds" => "=holds",
                _ if claim.claimed.contains(", ") => "=text",
                _ => "=number",
            };
            let (value, _) = value.split_once(':').unwrap_or((value, ""));
            assert_eq!(value, wanted, "{name}");
        }
    }
    assert!(derive("no-such-thing", Effort::Quick).is_none());
}

/// Claims about boards, masks and packings have something to draw.
#[test]
fn what_is_about_cells_is_drawn() {
    let figure = |what: &str, name: &str| -> String {
        let found = derive(what, Effort::Quick).expect("a derivation");
        let figure = found.figure(name);
        figure
            .unwrap_or_else(|| panic!("{what} has no {name}: {:?}", found.figures))
            .to_owned()
    };
    let two = |name| figure("algorithm-2-printed", name);
    assert_eq!(two("a-piece-and-its-opponent"), ".../xo./...");
    assert_eq!(two("east-of-it-as-printed"), ".../.#./...");
    assert_eq!(two("east-of-it-with-empty"), ".../.../...");
    let word = |name: &str| figure("carry-printed", name);
    let example = word("first-wrong-right-shift");
    let (bit, by) = example.split_once(" by ").expect("a bit and a shift");
    let all = |edition: &str| -> Vec<String> {
        let name = |word| format!("{edition} word {word}, {bit} shifted right by {by}");
        (0..3).map(|nth| word(&name(nth))).collect()
    };
    assert_ne!(all("printed"), all("right"));
    let layers = ["bottom", "middle", "top"];
    let cells = layers.map(|layer| figure("soma-packings", &format!("one-packing,-{layer}-layer")));
    let count = |piece: char| cells.concat().matches(piece).count();
    let mut sizes: Vec<usize> = ('A'..='G').map(count).collect();
    sizes.sort_unstable();
    assert_eq!(sizes, [3, 4, 4, 4, 4, 4, 4]);
}
