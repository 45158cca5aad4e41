//! Figures of claims that no search gives.

use puzzle_api::{BadInput, Effort, Figure, Parameters, Settings};

use crate::lights_out::algebra::quiet_patterns;
use crate::lights_out::panel::Panel;

/// Every name that [`fn@derive`] knows, with what its value is and the
/// parameters it takes.
///
/// The matrix of a square of side 40 takes a second.
pub const NAMES: [(&str, &[&str]); 2] = [
    ("quiet", &["=number:patterns", "side=0..40:5"]),
    ("quiet-list", &["=holds", "numbers=0..,41"]),
];

/// Derives the figures of a name: how many independent quiet patterns a square board has, or
/// whether a list of these numbers, for boards of side 0 and on, is right.
///
/// # Errors
/// An unknown name or parameter, or a value that does not fit, in one line.
pub fn derive(what: &str, parameters: &Settings, _effort: Effort) -> Result<Vec<Figure>, BadInput> {
    let parameters = Parameters::of("lights-out", &NAMES, what, parameters)?;
    let count = |side: usize| quiet_patterns(side, side).len() as u64;
    if what == "quiet" {
        let side = parameters.number("side")? as usize;
        let quiet = quiet_patterns(side, side);
        let mut figures = vec![Figure::new("value", quiet.len())];
        let panel = Panel {
            height: side,
            width: side,
        };
        let drawn = quiet.iter().filter(|_| side * side <= 64).zip(1..);
        figures.extend(drawn.map(|(pattern, nth)| {
            Figure::new(format!("quiet pattern {nth}"), panel.draw(pattern[0]))
        }));
        return Ok(figures);
    }
    let numbers = parameters.numbers("numbers")?;
    let found = (0..numbers.len()).map(count);
    let wrong = found
        .zip(&numbers)
        .enumerate()
        .find(|(_, (found, given))| found != *given);
    let mut figures = vec![Figure::new("value", wrong.is_none())];
    if let Some((side, (found, given))) = wrong {
        let text =
            format!("the board of side {side} has {found} independent quiet patterns, not {given}");
        figures.push(Figure::new("explanation", text));
    }
    Ok(figures)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_held_against_those_found() {
        let derived = |what: &str, key: &str, value: &str| {
            let settings = Settings::from([(key.to_owned(), value.to_owned())]);
            derive(what, &settings, Effort::Quick)
        };
        assert_eq!(derived("quiet", "side", "5").expect("reads")[0].value, "2");
        assert_eq!(derived("quiet", "side", "9").expect("reads")[0].value, "8");
        let list = |numbers: &str| derived("quiet-list", "numbers", numbers);
        assert_eq!(list("0,0,0,0,4,2").expect("reads")[0].value, "true");
        let wrong = list("0,0,0,0,4,3").expect("reads");
        assert!(wrong[1].value.contains("side 5 has 2"), "{wrong:?}");
        assert!(list("0,x").is_err() && derived("quiet", "side", "41").is_err());
    }
}
