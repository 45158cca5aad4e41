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
/// it reads another board, or its variants read different ones.
pub fn read<K: Key>(graph: &Graph<K>, text: &str) -> Result<K, EngineError> {
    let key = graph.parse(text)?;
    let rules = rules_of(graph)?;
    for variant in [graph, &rules] {
        let read = variant.parse(text)?;
        let drawn = variant.draw(read)?;
        let broken = |fault: String| Err(variant.opened.broken("parse", fault).into());
        if read != key {
            let other = graph.draw(key)?;
            return broken(format!(
                "reads '{text}' as '{drawn}', and the variant {} as '{other}'",
                graph.opened.variant
            ));
        }
        if !comes_back(variant, text, &drawn)? {
            return broken(format!("reads '{text}' as another board, '{drawn}'"));
        }
    }
    Ok(key)
}

/// Whether a text that is no name is drawn as it was written.
fn comes_back<K: Key>(graph: &Graph<K>, text: &str, drawn: &str) -> Result<bool, PluginError> {
    let legend = &graph.opened.library.legend;
    if same(legend, text, drawn) {
        return Ok(true);
    }
    // For boards of several rows, a name has one row, or no cell at all (a glyph is called `/`).
    // For boards of one row, a name must be listed.
    let one_row = !text.contains('/') || text.bytes().all(|byte| byte == b'/');
    // Nor is a list of cells a board, if its signs are none of a board.
    let symbols: Vec<char> = legend
        .lines()
        .filter_map(|line| line.chars().next())
        .collect();
    let listed =
        !symbols.is_empty() && text.contains(|c| ";:".contains(c) && !symbols.contains(&c));
    let named = one_row && (drawn.contains('/') || listed);
    Ok(named || graph.names()?.iter().any(|name| name == text.trim()))
}

/// Whether two texts are the same board: the same rows, ignoring blanks around them. Symbols that
/// the legend merges into pieces may have changed places; others that look alike are the same.
fn same(legend: &str, text: &str, drawn: &str) -> bool {
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
        return false;
    }
    let pairs: Vec<(char, char)> = text.concat().into_iter().zip(drawn.concat()).collect();
    let one_to_one = |a, b| pairs.iter().all(|&(c, d)| (a == c) == (b == d));
    let mut each = pairs.iter();
    each.all(|&(a, b)| a == b || alike(a, b) || merges(a) && merges(b) && one_to_one(a, b))
}

#[cfg(test)]
mod tests {
    use super::same;

    #[test]
    fn only_pieces_may_be_renamed() {
        let legend = "a merge #fff piece\nb merge #000 piece\ng block #0f0 green\n. empty #fff e\no empty #fff e\n";
        assert!(same(legend, "ab/..", "ab/.."));
        assert!(same(legend, "ba/..", "ab/.."));
        assert!(same(legend, "ab./..", "ab./.. "));
        assert!(!same(legend, "ab/..", "aa/.."));
        assert!(!same(legend, "ab/..", "a./b."));
        assert!(same(legend, "ab/oo", "ba/.."));
        assert!(!same(legend, "ag/..", "a./.."));
        assert!(!same(legend, "g./..", ".g/.."));
        assert!(!same(legend, "g./..", "a./.."));
        assert!(!same(legend, "ab", "ab/.."));
    }
}
