//! The published solution lengths of both fonts.

/// Benjamin Chaffin's lengths of the 1,332 puzzles on 5x7, each claimed to be optimal. The CSV has
/// columns `from`, `to` and `moves`, after comment lines.
pub const LENGTHS_5X7: &str = include_str!("../lengths-5x7.csv");

/// The same for the 1,332 puzzles on 5x9.
pub const LENGTHS_5X9: &str = include_str!("../lengths-5x9.csv");

/// The pairs of [`LENGTHS_5X7`] with their published numbers of moves, in file order.
pub fn lengths() -> impl Iterator<Item = (&'static str, &'static str, u16)> {
    pairs(LENGTHS_5X7)
}

fn pairs(table: &'static str) -> impl Iterator<Item = (&'static str, &'static str, u16)> {
    // The files are part of the crate, and the tests read all of them: a malformed line cannot go
    // unnoticed.
    table.lines().filter_map(|line| {
        let mut fields = line.split(',');
        let (from, to) = (fields.next()?, fields.next()?);
        Some((from, to, fields.next()?.parse().ok()?))
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::font::Font;

    #[test]
    fn every_ordered_pair_of_different_glyphs_has_one_length() {
        for (font, table) in [(Font::small(), LENGTHS_5X7), (Font::large(), LENGTHS_5X9)] {
            let names: Vec<&str> = font.glyphs().iter().map(|g| g.name.as_str()).collect();
            let mut seen = BTreeSet::new();
            for (from, to, moves) in pairs(table) {
                assert!(names.contains(&from) && names.contains(&to) && from != to);
                assert!(moves > 0);
                assert!(seen.insert((from, to)), "{from} to {to} twice");
            }
            assert_eq!(seen.len(), 37 * 36);
            let data = table.lines().filter(|line| !line.starts_with('#'));
            assert_eq!(data.count(), 1 + 37 * 36);
        }
    }
}
