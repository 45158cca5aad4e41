//! What a row asks, in words: rows of the same words are held against each other.

use super::rows::Row;
use super::suite::Verb;
use antipode_graph::direction_name;

/// What the row asks, whoever answers.
pub(super) fn question(row: &Row) -> String {
    let mut text = format!("{}/{}", row.puzzle, row.instance);
    for (key, value) in &row.settings {
        text += &format!(" {key}={value}");
    }
    match row.verb {
        Verb::Solve => text += " path",
        Verb::Analyse => {
            if let Some(direction) = row.direction {
                text += &format!(" {}", direction_name(direction));
            }
        }
    }
    let ends = [("from", &row.from), ("to", &row.to)];
    for (name, end) in ends {
        if let Some(end) = end {
            text += &format!(" {name} {end}");
        }
    }
    if let Some(depth) = row.max_depth {
        text += &format!(" to level {depth}");
    }
    text
}
