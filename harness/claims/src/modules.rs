//! Claims about bits: modules of `puzzle-api` that are no puzzles derive them.

use antipode_bitlab::bitboard::claims as bitboard;
use antipode_bitlab::permute::claims as permute;
use puzzle_api::{Effort, Figure, Settings};

use super::{ClaimSource, Deriver};

/// The modules' claims.
#[must_use]
pub fn module_sources() -> Vec<ClaimSource> {
    let module = |name: &str, text: &str, deriver, known| ClaimSource {
        name: name.into(),
        text: text.into(),
        file: format!("claims of {name}"),
        library: None,
        deriver: Some(deriver),
        known,
    };
    vec![
        module(
            "permute",
            permute::TEXT,
            permutations as Deriver,
            permute::derivations().collect(),
        ),
        module(
            "bitboard",
            bitboard::TEXT,
            bitboards,
            bitboard::derivations().collect(),
        ),
    ]
}

fn unknown(module: &str, what: &str) -> String {
    format!("{module}: no derivation '{what}'")
}

fn permutations(what: &str, _: &Settings, _: Effort) -> Result<Vec<Figure>, String> {
    let derived = permute::derive(what).ok_or_else(|| unknown("permute", what))?;
    let named = derived.figures.into_iter();
    let mut figures: Vec<Figure> = named.map(|(name, value)| Figure { name, value }).collect();
    figures.push(Figure::new("explanation", derived.explanation));
    Ok(figures)
}

fn bitboards(what: &str, _: &Settings, effort: Effort) -> Result<Vec<Figure>, String> {
    let effort = match effort {
        Effort::Quick => bitboard::Effort::Quick,
        Effort::Full => bitboard::Effort::Full,
    };
    let derived = bitboard::derive(what, effort).ok_or_else(|| unknown("bitboard", what))?;
    let named = derived.figures.into_iter();
    let mut figures: Vec<Figure> = named.map(|(name, value)| Figure { name, value }).collect();
    figures.push(Figure::new("explanation", derived.explanation));
    Ok(figures)
}
