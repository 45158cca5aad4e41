//! Tables that fit the available width. Cells fold between words and never inside one; if not even
//! the longest words fit side by side, each row becomes a paragraph.

use antipode_search::progress::folded as folded_line;
use comfy_table::{Cell, ColumnConstraint, ContentArrangement, Row, Table, Width};
use textwrap::{Options, WordSplitter};

/// Blanks around the content of a cell.
const PADDING: usize = 2;
/// Blanks between two columns.
const GAP: usize = 1;

/// The text of a table that is at most so wide, if its words allow it.
pub fn folded(table: &mut Table, width: usize) -> String {
    let mut needs = needs(table);
    let mut widths = fitting(&needs, width);
    let breaks_names = widths.is_none() && width >= WIDE;
    if breaks_names {
        // A name can break after a '-', so that one long name does not cost all rows the table.
        if let Some(first) = needs.first_mut() {
            first.word = first.part;
        }
        widths = fitting(&needs, width);
    }
    let Some(widths) = widths else {
        return paragraphs(table, width);
    };
    let first = widths.first().map_or(0, |width| width - PADDING);
    let splitter = match breaks_names {
        true => WordSplitter::HyphenSplitter,
        false => WordSplitter::NoHyphenation,
    };
    table
        .row_iter_mut()
        .for_each(|row| hang(row, first, &splitter));
    table.set_content_arrangement(ContentArrangement::Dynamic);
    table.set_width(u16::try_from(width).unwrap_or(u16::MAX));
    for (column, width) in table.column_iter_mut().zip(widths) {
        let width = Width::Fixed(u16::try_from(width).unwrap_or(u16::MAX));
        column.set_constraint(ColumnConstraint::Absolute(width));
    }
    table.to_string()
}

fn split_line(
    text: &str,
    (first, others): (&str, &str),
    width: usize,
    splitter: &WordSplitter,
) -> String {
    let options = Options::new(width.max(1))
        .initial_indent(first)
        .subsequent_indent(others)
        .break_words(false)
        .word_splitter(splitter.clone());
    textwrap::fill(text.trim(), options)
}

/// The blanks at the beginning of a text, which do not break.
fn indent(text: &str) -> &str {
    &text[..text.len() - text.trim_start_matches('\u{a0}').len()]
}

/// At a smaller width, rows whose words do not fit become paragraphs at once.
const WIDE: usize = 80;

/// Folds the first cell of a row if it is indented, so that all its lines are, or if words may be
/// split.
fn hang(row: &mut Row, width: usize, splitter: &WordSplitter) {
    let mut cells: Vec<Cell> = row.cell_iter().cloned().collect();
    let text = cells.first().map(Cell::content).unwrap_or_default();
    let blanks = indent(&text);
    if !blanks.is_empty() || *splitter == WordSplitter::HyphenSplitter {
        let indents = (blanks, &*blanks.repeat(2));
        cells[0] = Cell::new(split_line(&text, indents, width, splitter));
        *row = Row::from(cells);
    }
}

/// The demands of a column: its longest word, and its longest line.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Need {
    word: usize,
    /// Its longest part of a word, up to a '-'.
    part: usize,
    line: usize,
}

impl Need {
    fn add(&mut self, text: &str) {
        let longest = |parts: &mut dyn Iterator<Item = &str>| {
            parts.map(|part| part.chars().count()).max().unwrap_or(0)
        };
        // A column without words still has a width of 1.
        self.word = self.word.max(longest(&mut text.split([' ', '\n'])).max(1));
        let parts = text
            .split([' ', '\n'])
            .flat_map(|word| word.split_inclusive('-'));
        self.part = self.part.max(longest(&mut { parts }).max(1));
        self.line = self.line.max(longest(&mut text.lines()).max(1));
    }
}

fn rows(table: &Table) -> impl Iterator<Item = &Row> {
    table.header().into_iter().chain(table.row_iter())
}

fn needs(table: &mut Table) -> Vec<Need> {
    let mut needs = vec![Need::default(); table.column_count()];
    for row in rows(table) {
        for (need, cell) in needs.iter_mut().zip(row.cell_iter()) {
            need.add(&cell.content());
        }
    }
    needs
}

/// A width for each column, padding included, that holds its longest word; together at most
/// `width`. A narrow column gets the width it needs, and the others share the rest.
fn fitting(needs: &[Need], width: usize) -> Option<Vec<usize>> {
    let blanks = PADDING * needs.len() + GAP * needs.len().saturating_sub(1);
    let mut left = width.checked_sub(blanks)?;
    if needs.iter().map(|need| need.word).sum::<usize>() > left {
        return None;
    }
    let mut widths: Vec<Option<usize>> = vec![None; needs.len()];
    loop {
        let open: Vec<usize> = (0..needs.len())
            .filter(|&at| widths[at].is_none())
            .collect();
        let Some(share) = left.checked_div(open.len()) else {
            break;
        };
        // Columns that cannot shrink to the share go first: they make the share of the others
        // smaller.
        let large = open.iter().find(|&&at| needs[at].word > share);
        let small = open.iter().find(|&&at| needs[at].line <= share);
        let (at, given) = match (large, small) {
            (Some(&at), _) => (at, needs[at].word),
            (None, Some(&at)) => (at, needs[at].line),
            (None, None) => (open[0], share),
        };
        widths[at] = Some(given);
        left -= given;
    }
    Some(
        widths
            .into_iter()
            .map(|width| width.unwrap_or(0) + PADDING)
            .collect(),
    )
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
        let blanks = indent(&name);
        let (more, most) = (format!("{blanks}  "), format!("{blanks}    "));
        lines.push(fold(&name, blanks, &more));
        for (cell, heading) in cells.zip(headings.iter().skip(1)) {
            if !cell.trim().is_empty() {
                let text = match heading.as_str() {
                    "" => cell,
                    heading => format!("{heading}: {cell}"),
                };
                lines.push(fold(&text, &more, &most));
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

    #[test]
    fn what_is_set_in_stays_set_in() {
        for width in [24, 60] {
            let mut table = output::table(&["claim", "found"]);
            table.add_row(["a-claim", "12 of them all"]);
            table.add_row(["\u{a0}\u{a0}reading: of a long name", "13 of them all"]);
            let text = folded(&mut table, width);
            let from = text.lines().position(|line| line.contains("reading:"));
            let reading: Vec<&str> = text.lines().skip(from.expect("a reading")).collect();
            let is_in = |line: &&str| {
                line.trim_start_matches(' ').is_empty() || {
                    let blanks = line.chars().take_while(|c| c.is_whitespace()).count();
                    blanks >= 2
                }
            };
            assert!(reading.iter().all(is_in), "{width}:\n{text}");
        }
    }
}
