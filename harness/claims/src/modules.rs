//! Claims about bits, derived by modules that are no puzzles.

use antipode_bitlab::bitboard::claims as bitboard;
use antipode_bitlab::permute::claims as permute;
use antipode_bitlab::{Derivation, Derived};
use puzzle_api::Figure;

use super::{ClaimSource, Deriver};

/// The modules' claims.
#[must_use]
pub fn module_sources() -> Vec<ClaimSource> {
    let module = |name: &str, text: &str, deriver, known: &[Derivation]| ClaimSource {
        name: name.into(),
        text: text.into(),
        file: format!("claims of {name}"),
        library: None,
        deriver: Some(deriver),
        known: known
            .iter()
            .map(|&(name, value, _)| (name, value))
            .collect(),
    };
    let (permutations, bitboards): (Deriver, Deriver) = (
        |what, _, _| figures("permute", what, permute::derive(what)),
        |what, _, _| figures("bitboard", what, bitboard::derive(what)),
    );
    vec![
        module("permute", permute::TEXT, permutations, permute::DERIVATIONS),
        module("bitboard", bitboard::TEXT, bitboards, bitboard::DERIVATIONS),
    ]
}

fn figures(module: &str, what: &str, derived: Option<Derived>) -> Result<Vec<Figure>, String> {
    let derived = derived.ok_or_else(|| format!("{module}: no derivation '{what}'"))?;
    let named = derived.figures.into_iter();
    let mut figures: Vec<Figure> = named.map(|(name, value)| Figure { name, value }).collect();
    figures.push(Figure::new("explanation", derived.explanation));
    Ok(figures)
}
