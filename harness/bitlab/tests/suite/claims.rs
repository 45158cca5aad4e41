//! The claims of both modules have the verdicts that their files expect.

use std::collections::BTreeSet;

use antipode_bitlab::{Derivation, Derived, bitboard, permute};
use toml::{Table, Value};

/// The verdict of one derivation: only the comparison decides, and nothing in the derivation.
fn verdict(case: &Table, derived: &Derived) -> &'static str {
    let text = |key: &str| case.get(key).and_then(Value::as_str).unwrap_or_default();
    let Some(value) = derived.figure("value") else {
        return "not-reached";
    };
    let number = |text: &str| text.parse::<f64>().expect("a number");
    let (holds, claimed) = match text("compare") {
        "report" => return "reported",
        "holds" => (value == "holds", "holds"),
        "at-least" => (number(value) >= number(text("claimed")), "at-least"),
        "at-most" => (number(value) <= number(text("claimed")), "at-most"),
        _ => (value == text("claimed"), "equal"),
    };
    let on_some = ["sampled", "tried"]
        .iter()
        .any(|name| derived.figure(name).is_some());
    assert!(!on_some || claimed == "holds");
    match (holds, on_some) {
        (true, true) => "confirmed-by-sample",
        (true, false) => "confirmed",
        (false, _) => "refuted",
    }
}

fn check(text: &str, derivations: &[Derivation]) {
    let file: Table = text.parse().expect("TOML");
    let mut asked = BTreeSet::new();
    for claim in file["claim"].as_array().expect("claims") {
        let claim = claim.as_table().expect("a claim");
        let readings = claim.get("reading").and_then(Value::as_array);
        let readings = readings.map_or(vec![claim.clone()], |all| {
            let all = all.iter().filter_map(Value::as_table);
            // A reading takes missing keys from its claim.
            all.map(|own| claim.clone().into_iter().chain(own.clone()).collect())
                .collect()
        });
        for case in readings {
            let name = case["derive"].as_str().expect("a derivation");
            let known = derivations.iter().find(|(known, ..)| *known == name);
            let derived = known.unwrap_or_else(|| panic!("no derivation {name}")).2();
            assert_eq!(
                Some(verdict(&case, &derived)),
                case["expect"].as_str(),
                "{name}"
            );
            assert!(!derived.explanation.is_empty(), "{name}");
            asked.insert(name.to_owned());
        }
    }
    let known = derivations.iter().map(|(name, ..)| (*name).to_owned());
    assert_eq!(asked, known.collect(), "a derivation is unused");
}

#[test]
fn bitboard_claims_give_what_their_file_expects() {
    check(bitboard::claims::TEXT, bitboard::claims::DERIVATIONS);
    assert_eq!(bitboard::claims::derive("no-such-thing"), None);
}

#[test]
fn permute_claims_give_what_their_file_expects() {
    check(permute::claims::TEXT, permute::claims::DERIVATIONS);
    assert_eq!(permute::claims::derive("no-such-thing"), None);
}

/// Claims about boards have something to draw.
#[test]
fn what_is_printed_wrong_is_drawn_beside_what_is_right() {
    let figure = |what: &str, name: &str| {
        let found = bitboard::claims::derive(what).expect("a derivation");
        found.figure(name).expect("a figure").to_owned()
    };
    let two = |name| figure("algorithm-2-printed", name);
    assert_eq!(two("east-of-it-as-printed"), ".../.#./...");
    assert_eq!(two("east-of-it-with-empty"), ".../.../...");
    let cells = figure("soma-packings", "one-packing,-layer-by-layer");
    let mut sizes: Vec<usize> = ('A'..='G')
        .map(|piece| cells.matches(piece).count())
        .collect();
    sizes.sort_unstable();
    assert_eq!(sizes, [3, 4, 4, 4, 4, 4, 4]);
}
