//! The moves of Frame and Stewart: the upper discs go to a peg by all pegs, the others to the last
//! peg by one peg fewer. Then the upper ones follow. The best number of upper discs is found by
//! trying all.

use puzzle_api::{BadInput, Effort, Figure, Parameters, Settings};

/// Every name that [`fn@derive`] knows, with the type of its value and its parameters.
pub const NAMES: [(&str, &[&str]); 1] =
    [("frame-stewart", &["=holds", "pegs=3..6:4", "moves=0..,64"])];

/// Most discs: the moves of three pegs fit 64 bits.
const MOST_DISCS: usize = 63;

/// The fewest moves of Frame and Stewart for 0 to `discs` discs (at most 63) and at least
/// three pegs.
pub fn frame_stewart(pegs: usize, discs: usize) -> Vec<u64> {
    let mut moves: Vec<u64> = (0..=discs.min(MOST_DISCS)).map(|n| (1 << n) - 1).collect();
    for _ in 3..pegs {
        let fewer = moves.clone();
        for n in 2..moves.len() {
            let split = |upper: usize| {
                moves[upper]
                    .saturating_mul(2)
                    .saturating_add(fewer[n - upper])
            };
            moves[n] = (1..n).map(split).min().unwrap_or(moves[n]);
        }
    }
    moves
}

/// Derives the figures of a name: whether a list of moves, for 0 discs and up, is that of Frame and
/// Stewart.
///
/// # Errors
/// An unknown name or parameter, or a value that does not fit, in one line.
pub fn derive(what: &str, parameters: &Settings, _effort: Effort) -> Result<Vec<Figure>, BadInput> {
    let parameters = Parameters::of("hanoi", &NAMES, what, parameters)?;
    let pegs = parameters.number("pegs")? as usize;
    let moves = parameters.numbers("moves")?;
    let found = frame_stewart(pegs, moves.len().saturating_sub(1));
    let wrong = moves
        .iter()
        .zip(&found)
        .position(|(given, found)| given != found);
    let mut figures = vec![Figure::new("value", wrong.is_none())];
    if let Some(discs) = wrong {
        let text = format!(
            "{discs} discs take {} moves, not {}",
            found[discs], moves[discs]
        );
        figures.push(Figure::new("explanation", text));
    }
    figures.push(Figure::new("all", moves.len()));
    Ok(figures)
}
