//! Figures of a claim: what is wrong with them is found before anything is derived.

use toml::de::DeValue;

use super::Fault;
use super::place::Values;
use crate::compare::{beyond, is_power_of_ten, looks_numeric, number, too_long, whole};
use crate::kind::Claimed;
use crate::spec::{Case, Compare};

/// A figure with the digits that were printed; several with ", " between them.
pub(super) fn printed(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) => text.to_string(),
        DeValue::Array(items) => {
            let items = items.iter().map(|item| printed(item.get_ref()));
            items.collect::<Vec<_>>().join(", ")
        }
        DeValue::Integer(number) => number.to_string(),
        DeValue::Float(number) => number.to_string(),
        _ => String::new(),
    }
}

/// Looks at a claim's figures and at how they are to be compared.
pub(super) fn check(case: &Case, fields: &Values<'_, '_>) -> Result<(), Fault> {
    let fault = |key: &str, what: String| {
        let line = format!("claim '{}': {what}", case.id);
        Err((fields.at(key), line))
    };
    if fields.of_kind(case.kind, "within").is_some() && case.compare != Compare::About {
        let what = format!(
            "'within' says nothing with compare = \"{}\"; leave it out, or use compare = \"{}\"",
            case.compare.name(),
            Compare::About.name()
        );
        return fault("within", what);
    }
    if case.compare == Compare::Holds && fields.of_kind(case.kind, "unit").is_some() {
        let what =
            "'unit' says nothing with compare = \"holds\", which has no figures; leave it out";
        return fault("unit", what.into());
    }
    let given = fields.of_kind(case.kind, "claimed").is_some();
    match (case.compare, given) {
        (Compare::Holds, true) => {
            let what = "'claimed' says nothing with compare = \"holds\"; leave it out, or compare in another way";
            return fault("claimed", what.into());
        }
        (Compare::Holds | Compare::Report, false) => return Ok(()),
        _ => {}
    }
    let sort = case.kind.decides().claimed();
    match (sort, given) {
        (Claimed::Nothing, _) | (Claimed::WholeOrNone, false) => Ok(()),
        (_, false) => Err(fields.lacks("claimed")),
        (sort, true) => match wanted(case, sort) {
            None => Ok(()),
            Some(wanted) => fault(
                "claimed",
                format!(
                    "'{}' cannot be held against a figure: write {wanted}, with ',' or '_' only between groups of three digits",
                    case.claimed
                ),
            ),
        },
    }
}

/// What a published figure should have been; `None` where it can be compared.
fn wanted(case: &Case, sort: Claimed) -> Option<&'static str> {
    let claimed = case.claimed.as_str();
    if looks_numeric(claimed) && too_long(claimed) {
        return Some("a whole number below 2^128, or at most 12 significant digits");
    }
    if beyond(claimed) && !matches!(sort, Claimed::Sizes | Claimed::Moves) {
        return Some("a number of at most 1.7e308");
    }
    let not = |is: bool, what| (!is).then_some(what);
    let is_whole = || whole(claimed).is_some();
    let is_number = || number(claimed).is_some();
    match (sort, case.compare) {
        (Claimed::Sizes, _) => not(
            claimed.split(", ").all(|size| whole(size).is_some()),
            "whole numbers, one a level",
        ),
        (Claimed::Moves, Compare::Equal | Compare::Report) if claimed == "unsolvable" => None,
        (Claimed::Moves, _) => not(is_whole(), "a whole number of moves, or \"unsolvable\""),
        (Claimed::WholeOrNone, _) => not(is_whole(), "a whole number"),
        (_, Compare::Magnitude) => not(
            is_power_of_ten(claimed),
            "a power of ten, such as 1e16 or \"10^16\"",
        ),
        (_, Compare::Report) => None,
        (_, Compare::About | Compare::AtMost | Compare::AtLeast) => not(is_number(), "a number"),
        (Claimed::Whole, _) => not(is_whole(), "a whole number"),
        _ => not(!looks_numeric(claimed) || is_number(), "a number"),
    }
}
