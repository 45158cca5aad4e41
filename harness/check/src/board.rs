//! Boards as text. A puzzle must read what is written, in the searched variant and in the rulebook;
//! else a verdict would be about another board.

use std::sync::Arc;

use antipode_graph::{Graph, Opened, PluginError};
use antipode_search::engines::EngineError;
use antipode_search::table::rules_of;
use puzzle_api::Key;

/// Checks that each of some texts is a state of an opened instance.
///
/// # Errors
/// Errors of [`read`], for the first text that is no state.
pub fn check<'a>(
    opened: &Arc<Opened>,
    texts: impl IntoIterator<Item = &'a String>,
) -> Result<(), EngineError> {
    let graph = Graph::of(Arc::clone(opened));
    let mut texts = texts.into_iter();
    texts.try_for_each(|text| read(&graph, text).map(drop))
}

/// Reads a state from text: a name, or rows joined by `/`, which must be drawn in the same way.
///
/// # Errors
/// [`PluginError::BadInput`] if the puzzle refuses the text, [`PluginError::Broken`] if
/// it reads another board, [`EngineError::Disagree`] if its variants read different ones.
pub fn read<K: Key>(graph: &Graph<K>, text: &str) -> Result<K, EngineError> {
    let key = graph.parse(text)?;
    let rules = rules_of(graph)?;
    let legend = &graph.opened.library.legend;
    for variant in [graph, &rules] {
        let read = variant.parse(text)?;
        let drawn = variant.draw(read)?;
        if read != key {
            let fault = format!(
                "reads '{text}' as '{drawn}', and the variant {} as '{}'",
                graph.opened.variant,
                graph.draw(key)?
            );
            return Err(variant.opened.disagrees("parse", fault).into());
        }
        if !comes_back(legend, text, &drawn) && !is_named(&[graph, &rules], text)? {
            let fault = format!("reads '{text}' as another board, '{drawn}'");
            return Err(variant.opened.broken("parse", fault).into());
        }
    }
    Ok(key)
}

/// Whether a text that is no name is drawn as it was written.
fn comes_back(legend: &str, text: &str, drawn: &str) -> bool {
    if renames(legend, text, drawn).is_some() {
        return true;
    }
    // For boards of several rows, a name has one row, or no cell at all (a glyph is called `/`).
    let one_row = !text.contains('/') || text.bytes().all(|byte| byte == b'/');
    // For boards of one row, a name must be listed, or have no sign of a board; a list of cells has
    // separators that are none.
    let symbols: Vec<char> = legend
        .lines()
        .filter_map(|line| line.chars().next())
        .collect();
    let of_board = |c: char| symbols.contains(&c) || drawn.contains(c);
    let separates = |c: char| ";:".contains(c) && !of_board(c);
    let named = !symbols.is_empty() && (text.contains(separates) || !text.contains(of_board));
    one_row && (drawn.contains('/') || named)
}

/// Whether one of some variants lists a name: it need not be the one that reads it.
fn is_named<K: Key>(variants: &[&Graph<K>], text: &str) -> Result<bool, PluginError> {
    for graph in variants {
        if graph.names()?.iter().any(|name| name == text.trim()) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether pieces have other letters in the second of two texts of the same board; `None` if the
/// boards differ. Blanks around rows are ignored. Symbols that the legend merges into pieces may
/// have changed places; others that look alike are the same.
pub fn renames(legend: &str, text: &str, drawn: &str) -> Option<bool> {
    let looks = |symbol: char| {
        let lines = legend.lines();
        lines.filter_map(move |line| line.strip_prefix(symbol)?.strip_prefix(' '))
    };
    let merges = |symbol: char| looks(symbol).any(|look| look.starts_with("merge "));
    // Two signs for one thing, such as `o` and `.`, look alike.
    let alike = |a: char, b: char| looks(a).next().is_some() && looks(a).eq(looks(b));
    let rows = |text: &str| -> Vec<Vec<char>> {
        let rows = text.split('/').map(|row| row.trim().chars().collect());
        rows.collect()
    };
    let (text, drawn) = (rows(text), rows(drawn));
    let lengths = |rows: &[Vec<char>]| rows.iter().map(Vec::len).collect::<Vec<_>>();
    if lengths(&text) != lengths(&drawn) {
        return None;
    }
    let pairs: Vec<(char, char)> = text.concat().into_iter().zip(drawn.concat()).collect();
    let one_to_one = |a, b| pairs.iter().all(|&(c, d)| (a == c) == (b == d));
    let mut others = pairs.iter().filter(|&&(a, b)| a != b && !alike(a, b));
    let renamed = others.clone().next().is_some();
    others
        .all(|&(a, b)| merges(a) && merges(b) && one_to_one(a, b))
        .then_some(renamed)
}

#[cfg(test)]
mod tests {
    use super::{comes_back, renames};

    #[test]
    fn a_name_has_no_sign_of_a_board_of_one_row() {
        let legend = "o disc #fff peg\n. empty #000 hole\n";
        for (text, drawn, right) in [
            ("ooo", "ooo", true),
            ("oo.", "ooo", false),
            ("full", "ooo", true),
            ("=e7", "oo.", true),
            ("a1;o1", "oo.", true),
            ("of", "oo.", false),
        ] {
            assert_eq!(comes_back(legend, text, drawn), right, "{text} {drawn}");
        }
        assert!(!comes_back("", "312", "213"));
    }

    #[test]
    fn only_pieces_may_be_renamed() {
        let legend = "a merge #fff piece\nb merge #000 piece\ng block #0f0 green\n. empty #fff e\no empty #fff e\n";
        for (text, drawn, renamed) in [
            ("ab/..", "ab/..", Some(false)),
            ("ba/..", "ab/..", Some(true)),
            ("ab./..", "ab./.. ", Some(false)),
            ("ab/..", "aa/..", None),
            ("ab/..", "a./b.", None),
            ("ab/oo", "ab/..", Some(false)),
            ("ab/oo", "ba/..", Some(true)),
            ("ag/..", "a./..", None),
            ("g./..", ".g/..", None),
            ("g./..", "a./..", None),
            ("ab", "ab/..", None),
        ] {
            assert_eq!(renames(legend, text, drawn), renamed, "{text} {drawn}");
        }
    }
}
