//! Claims about bits: modules of `puzzle-api` that are no puzzles derive them.

use puzzle_api::permute::claims as permute;
use puzzle_api::{Effort, Figure, Settings};

use super::ClaimSource;

/// The modules' claims.
#[must_use]
pub fn module_sources() -> Vec<ClaimSource> {
    vec![ClaimSource {
        name: "permute".into(),
        text: permute::TEXT.into(),
        file: "claims of permute".into(),
        library: None,
        deriver: Some(permutations),
    }]
}

fn unknown(module: &str, what: &str) -> String {
    format!("{module}: no derivation '{what}'")
}

fn permutations(what: &str, _: &Settings, _: Effort) -> Result<Vec<Figure>, String> {
    let derived = permute::derive(what).ok_or_else(|| unknown("permute", what))?;
    let named = derived.figures.into_iter();
    let mut figures: Vec<Figure> = named.map(|(name, value)| Figure { name, value }).collect();
    figures.push(Figure::new("explanation", derived.explanation));
    // Two conclusions that no comparison of one figure can draw.
    let verdict = match derived.verdict_hint {
        permute::VerdictHint::Ambiguous => Some("ambiguous"),
        permute::VerdictHint::NotReached => Some("not-reached"),
        permute::VerdictHint::Confirmed | permute::VerdictHint::Refuted => None,
    };
    figures.extend(verdict.map(|verdict| Figure::new("verdict", verdict)));
    Ok(figures)
}
