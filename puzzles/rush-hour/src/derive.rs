//! The figures behind claims of kind `derived`: counts of boards, cell by cell, without
//! listing them and without the numbering of the variants.

mod counts;

use puzzle_api::{BadInput, Effort, Figure, Parameters, Settings};

use counts::{Counted, count};

/// Every name that [`fn@derive`] knows, with the parameters it takes.
pub const NAMES: [(&str, &[&str]); 2] = [
    ("placements", &["board", "walls", "row"]),
    ("layouts", &["board", "walls"]),
];

/// Derives the figures of a name. One figure is called `value`.
///
/// # Errors
/// An unknown name or parameter, or a value that does not fit, in one line.
pub fn derive(what: &str, parameters: &Settings, effort: Effort) -> Result<Vec<Figure>, BadInput> {
    let parameters = Parameters::of("rush-hour", &NAMES, what, parameters)?;
    let board = parameters.one_of("board", &["6x6", "5x5", "4x4"])?;
    let side = usize::from(board.as_bytes()[0] - b'0');
    let walls = parameters.number("walls", 0, 0..=2)? as u32;
    let counted = match (what, parameters.one_of("row", &["alone", "shared"])?) {
        ("layouts", _) => Counted::Pushed,
        (_, "alone") => Counted::All,
        (_, _) => Counted::Shared,
    };
    if walls > 0 && side == 6 && effort == Effort::Quick && (walls > 1 || what == "layouts") {
        return Ok(vec![
            Figure::new("verdict", "not-reached"),
            Figure::new("value", "?"),
        ]);
    }
    let mut figures = vec![Figure::new(
        "value",
        count(side, walls, (side - 1) / 2, counted),
    )];
    figures.push(Figure::new("instances", board));
    Ok(figures)
}

/// How many placements a census has.
pub(crate) fn placements(side: usize, walls: u32, red_row: u8) -> u64 {
    count(side, walls, red_row.into(), Counted::All)
}

#[cfg(test)]
mod tests;
