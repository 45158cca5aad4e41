//! Tables that fit the available width. Cells fold between words and never inside one; if not even
//! the longest words fit side by side, each row becomes a paragraph.

use antipode_search::progress::folded as folded_line;
use comfy_table::{Cell, ColumnConstraint, ContentArrangement, Row, Table, Width};
use textwrap::{Options, WordSplitter};

/// Blanks around the content of a cell.
const PADDING: usize = 2;
/// Blanks between two columns.
const GAP: usize = 1;
/// At a smaller width, rows whose words do not fit become paragraphs at once.
const WIDE: usize = 80;

/// The text of a table that is at most so wide, if its words allow it.
pub fn folded(table: &mut Table, width: usize) -> String {
    let mut words = longest(table, &[' ', '\n']);
    let parts = longest(table, &[' ', '\n', '-']);
    let blanks = (PADDING + GAP) * words.len() - GAP.min(words.len());
    let others: usize = blanks + words.iter().skip(1).sum::<usize>();
    if let (Some(first), Some(left)) = (words.first_mut(), width.checked_sub(others))
        && *first > left
        && parts[0] < left
        && width >= WIDE
    {
        // A name can break after a '-', so that one long name does not cost all rows the table.
        *first = left;
        table.row_iter_mut().for_each(|row| break_name(row, left));
    }
    if blanks + words.iter().sum::<usize>() > width {
        return paragraphs(table, width);
    }
    let columns = |number: usize| u16::try_from(number).unwrap_or(u16::MAX);
    table.set_content_arrangement(ContentArrangement::Dynamic);
    table.set_width(columns(width));
    for (column, word) in table.column_iter_mut().zip(words) {
        let least = Width::Fixed(columns(word + PADDING));
        column.set_constraint(ColumnConstraint::LowerBoundary(least));
    }
    table.to_string()
}

/// Folds the first cell of a row after the hyphens of its words too.
fn break_name(row: &mut Row, width: usize) {
    let mut cells: Vec<Cell> = row.cell_iter().cloned().collect();
    if let Some(first) = cells.first_mut() {
        let options = Options::new(width.max(1)).break_words(false);
        let options = options.word_splitter(WordSplitter::HyphenSplitter);
        *first = Cell::new(textwrap::fill(&first.content(), options));
    }
    *row = Row::from(cells);
}

/// The length of the longest word of each column, at least 1: what ends at one of some marks.
fn longest(table: &mut Table, marks: &[char]) -> Vec<usize> {
    let mut longest = vec![1; table.column_count()];
    for row in table.header().into_iter().chain(table.row_iter()) {
        for (longest, cell) in longest.iter_mut().zip(row.cell_iter()) {
            let words = cell.content();
            let words = words.split_inclusive(marks);
            let words = words.map(|word| word.trim_end().chars().count());
            *longest = words.max().unwrap_or(0).max(*longest);
        }
    }
    longest
}

/// Each row as a paragraph: its first cell, then the others under it with their headings.
fn paragraphs(table: &Table, width: usize) -> String {
    let headings: Vec<String> = table
        .header()
        .into_iter()
        .flat_map(Row::cell_iter)
        .map(|cell| cell.content())
        .collect();
    let fold =
        |text: &str, first: &str, others: &str| folded_line(text.trim(), (first, others), width);
    let mut lines = Vec::new();
    for row in table.row_iter() {
        let mut cells = row.cell_iter().map(|cell| cell.content());
        let name = cells.next().unwrap_or_default();
        lines.push(fold(&name, "", "  "));
        for (cell, heading) in cells.zip(headings.iter().skip(1)) {
            if !cell.trim().is_empty() {
                let text = match heading.as_str() {
                    "" => cell,
                    heading => format!("{heading}: {cell}"),
                };
                lines.push(fold(&text, "  ", "    "));
            }
        }
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::folded;
    use crate::output;

    const CLAIMS: [&str; 3] = [
        "tilt-configurations | 1e11 | 99,232,773,227 (0.77% below) | confirmed |",
        "permute-rotation-grouped-operations | 14 | 14 operations that are not the rotation | refuted |",
        "tilt-hardest-board | | 65 moves, the greatest distance, as 10 boards up to symmetry | confirmed by sample |",
    ];

    fn at(width: usize) -> String {
        let mut table = output::table(&["claim", "claimed", "found", "verdict", ""]);
        table.add_rows(CLAIMS.map(|claim| claim.split('|').map(str::trim)));
        folded(&mut table, width)
    }

    #[test]
    fn words_stay_whole_and_lines_fit() {
        for width in [40, 60, 80, 100, 120, 200] {
            let text = at(width);
            for line in text.lines() {
                assert!(line.chars().count() <= width, "{width}:\n{text}");
            }
            for word in CLAIMS.join("|").split(['|', ' ']) {
                let whole = text.split_whitespace().any(|shown| shown == word);
                assert!(whole || word.is_empty(), "{word} at {width}:\n{text}");
            }
        }
    }

    #[test]
    fn a_wide_table_is_one_line_a_row_and_a_narrow_one_paragraphs() {
        assert_eq!(at(200).lines().count(), 2 + CLAIMS.len());
        let narrow = at(40);
        assert!(
            narrow.contains("\n  found: 99,232,773,227 (0.77% below)\n"),
            "{narrow}"
        );
        assert!(
            narrow.starts_with("tilt-configurations\n  claimed: 1e11\n"),
            "{narrow}"
        );
        assert!(!narrow.contains("claimed: \n"), "{narrow}");
    }

    /// One long name does not turn all rows into paragraphs if a table fits.
    #[test]
    fn a_name_may_go_on_behind_a_hyphen() {
        let long = "a-claim-of-a-very-long-name-that-takes-more-than-half-of-a-line";
        let mut table = output::table(&["claim", "found"]);
        table.add_row([long, "0123456789abcdef0123456789abcdef"]);
        let text = folded(&mut table, 80);
        assert!(
            text.lines().all(|line| line.chars().count() <= 80),
            "{text}"
        );
        assert!(text.contains("0123456789abcdef0123456789abcdef"), "{text}");
        assert!(text.contains("claim "), "{text}");
        assert!(!text.contains("found: "), "{text}");
    }

    #[test]
    fn what_is_longer_than_the_line_is_not_cut() {
        let mut table = output::table(&["depth", "digest"]);
        table.add_row(["1", "0123456789abcdef0123456789abcdef"]);
        let text = folded(&mut table, 20);
        assert!(text.contains("0123456789abcdef0123456789abcdef"), "{text}");
    }
}
