//! A certificate's data beyond a claim's result: figures by name, including boards, masks bit by
//! bit, and the weights of a proof on the board.

use super::picture_view::{BoardView, Figure, cell_size, explore};
use super::run_view::Fact;
use crate::model::{CaseRecord, Legend};
use crate::proof::ProofStep;
use crate::svg::{BitGrid, FirstBit, Style, bits_svg, numbered_svg, weighed_svg};
use crate::wording;

const MOST_CHARACTERS: usize = 160;
/// Members of a derivation that a page shows elsewhere: those of a sample are among its checks.
const ELSEWHERE: [&str; 6] = [
    "explanation",
    "value",
    "instances",
    "drawn",
    "sampled",
    "wrong",
];
const DUMP: &str = "Figures: ";

/// The printed text of a source, next to the right one.
pub(super) struct Comparison {
    pub(super) name: String,
    pub(super) printed: String,
    pub(super) right: String,
    /// Both as bits, if they differ or no comparison of the case does.
    pub(super) bits: Option<(String, String, &'static str)>,
}

#[derive(Default)]
pub(super) struct CaseView {
    /// Name of the reading; empty for the only one.
    pub(super) reading: String,
    pub(super) named: Vec<Fact>,
    pub(super) compared: Vec<Comparison>,
    pub(super) figures: Vec<Figure>,
}

impl CaseView {
    pub(super) fn first_bit(&self) -> Option<&'static str> {
        let mut bits = self.compared.iter().filter_map(|row| row.bits.as_ref());
        bits.next().map(|(_, _, corner)| *corner)
    }

    pub(super) fn new(
        case: &CaseRecord,
        legend: Option<&Legend>,
        puzzle: &str,
        command: &[String],
    ) -> Self {
        let mut view = CaseView {
            reading: case.reading.clone(),
            ..CaseView::default()
        };
        let figures = &case.figures;
        for (name, value) in figures {
            if let Some(what) = name.strip_prefix("right ") {
                let printed = figures.get(&format!("printed {what}"));
                view.compared.push(comparison(what, printed, value));
            } else if let Some(what) = name.strip_prefix("printed ") {
                if !figures.contains_key(&format!("right {what}")) {
                    view.compared.push(comparison(what, Some(value), ""));
                }
            } else if !ELSEWHERE.contains(&name.as_str()) {
                view.add(name, value, legend);
            }
        }
        // Masks that are printed correctly are drawn only if no other is wrong.
        if view.compared.iter().all(|row| row.bits.is_none()) {
            for row in &mut view.compared {
                row.bits = bits(&row.name, &row.printed, &row.right);
            }
        }
        let board = case.board.iter().filter(|board| !is_name(board));
        let caption = "The board that the claim is about";
        let draw = |board: &String| Figure::drawn(board, caption.to_owned(), legend);
        let mut boards: Vec<_> = board.map(draw).collect();
        boards.extend(farthest(case, legend));
        if let Some(instance) = &case.instance {
            for figure in &mut boards {
                let place = format!("{puzzle}/{instance}");
                let first = figure.states().first().copied().unwrap_or_default();
                figure.explore = explore(&place, &case.settings, first, command);
            }
        }
        view.figures.extend(boards);
        let proof = case.proof.as_deref().unwrap_or_default();
        view.figures.extend(proof_figures(proof, legend));
        view
    }

    pub(super) fn is_empty(&self) -> bool {
        self.named.is_empty() && self.compared.is_empty() && self.figures.is_empty()
    }

    pub(super) fn states(&self) -> impl Iterator<Item = &str> {
        let figures = self.figures.iter();
        let boards = figures.filter(|figure| figure.steps().is_none());
        let states = boards.flat_map(Figure::states);
        states.filter(|state| !state.is_empty())
    }

    fn add(&mut self, name: &str, value: &str, legend: Option<&Legend>) {
        let name = name.replace(['-', '_'], " ");
        let plain = Legend::plain();
        let legend = Some(legend.unwrap_or(&plain));
        if is_board(value, legend) {
            let figure = Figure::drawn(value, wording::counts_apart(&name), legend);
            self.figures.push(figure);
            return;
        }
        if let Some((board, numbers)) = numbered(value, &plain) {
            let style = Style::new(cell_size(board, 270, 30), &name);
            let svg = numbered_svg(board, &numbers, &plain, style);
            let board = BoardView::around("", Some(svg));
            self.figures.push(Figure::board(name, board));
            return;
        }
        if let Some(bits) = mask(value).filter(|_| value.starts_with("0x")) {
            let caption = format!(
                "{name}: {value}, bit 0 at the {}",
                layout(bits).first.corner()
            );
            let svg = grid(bits, bits, &caption);
            let board = BoardView::around("", Some(svg));
            self.figures.push(Figure::board(caption, board));
        }
        let value = match value {
            long if long.chars().count() > MOST_CHARACTERS => {
                let begin: String = long.chars().take(MOST_CHARACTERS / 2).collect();
                begin + " … (the certificate has it whole)"
            }
            "" => "none".to_owned(),
            // A seed is a name rather than an amount.
            seed if name == "seed" => seed.to_owned(),
            value => wording::amount(value, ""),
        };
        self.named.push(Fact::plain(&name, value));
    }
}

/// The boards of a proof that there is no path, without its reason.
pub(super) fn proof_figures(proof: &str, legend: Option<&Legend>) -> Vec<Figure> {
    let figure = |step| match step {
        ProofStep::Line(_) => None,
        ProofStep::Board { caption, state } => Some(Figure::drawn(&state, caption, legend)),
        ProofStep::Weights {
            caption,
            state,
            weights,
        } => {
            let style = Style::new(cell_size(&state, 270, 30), &caption);
            let svg = legend.map(|legend| weighed_svg(&state, &weights, legend, style));
            Some(Figure::board(caption, BoardView::around(&state, svg)))
        }
    };
    ProofStep::all(proof)
        .into_iter()
        .filter_map(figure)
        .collect()
}

/// Kinds of claims about the levels of a search: they show a board at the end of it.
const OF_LEVELS: [&str; 2] = ["count", "levels"];

/// One of the boards that the search behind a claim found farthest away.
fn farthest(case: &CaseRecord, legend: Option<&Legend>) -> Option<Figure> {
    // If a search ended early, states beyond its last level are farther.
    let is_whole = case.run.as_ref().is_none_or(|run| run.complete);
    let board = case.antipodes.first();
    let board = board.filter(|board| is_whole && board.depth > 0)?;
    let last = case.levels.as_ref()?.levels.last()?;
    let of = match last.states {
        1 => "the farthest of all".to_owned(),
        many => format!("one of the {} farthest", wording::count(many, "")),
    };
    let caption = format!("{of}, at distance {}", board.depth);
    let figure = || Figure::drawn(&board.state, caption, legend);
    OF_LEVELS.contains(&&*case.kind).then(figure)
}

/// Whether a claim names its board (`goal`, `thesis-b`) if others draw it.
fn is_name(text: &str) -> bool {
    text.contains(char::is_alphabetic) && !text.contains(['/', '.'])
}

/// Whether a text is a board: several rows of symbols that the legend knows, with blanks around
/// the board.
fn is_board(text: &str, legend: Option<&Legend>) -> bool {
    let known = |symbol: char| legend.is_some_and(|legend| legend.entry(symbol).is_some());
    let mut cells = text.chars().filter(|symbol| !matches!(symbol, '/' | ' '));
    text.matches('/').count() >= 2 && text.contains(known) && cells.all(known)
}

const NUMBERED: &str = " | ";

/// A board with a number for each of its cells, in reading order: `.../... | 3 2 1 6 5 4`. The
/// cells under numbers are plain, in any puzzle, so that the numbers can be read.
fn numbered<'a>(text: &'a str, plain: &Legend) -> Option<(&'a str, Vec<i64>)> {
    let (board, numbers) = text.rsplit_once(NUMBERED)?;
    let numbers = numbers.split(' ').map(str::parse);
    let numbers: Vec<i64> = numbers.collect::<Result<_, _>>().ok()?;
    let cells = board.chars().filter(|symbol| !matches!(symbol, '/' | ' '));
    (is_board(board, Some(plain)) && cells.count() == numbers.len()).then_some((board, numbers))
}

fn comparison(name: &str, printed: Option<&String>, right: &str) -> Comparison {
    let printed = printed.map_or("", String::as_str);
    let differ = mask(printed) != mask(right);
    let or_none = |text: &str| {
        if text.is_empty() {
            "no such term"
        } else {
            text
        }
        .to_owned()
    };
    Comparison {
        name: name.to_owned(),
        printed: or_none(printed),
        right: or_none(right),
        bits: bits(name, printed, right).filter(|_| differ),
    }
}

/// Two masks as grids, and where their bit 0 is.
fn bits(name: &str, printed: &str, right: &str) -> Option<(String, String, &'static str)> {
    let (printed, right) = mask(printed).zip(mask(right))?;
    Some((
        grid(printed, right, &format!("{name}, as printed")),
        grid(right, right, &format!("{name}, right")),
        layout(printed | right).first.corner(),
    ))
}

fn mask(text: &str) -> Option<u128> {
    let digits = text.rsplit_once("0x")?.1;
    let end = digits
        .find(|c: char| !c.is_ascii_hexdigit())
        .unwrap_or(digits.len());
    u128::from_str_radix(&digits[..end], 16).ok()
}

/// A word's grid. The thesis on Tilt writes rows of ten bits (five squares of two bits), the
/// article on bitboards rows of eight.
fn layout(word: u128) -> BitGrid {
    let (columns, rows, first) = match word >> 50 {
        0 => (10, 5, FirstBit::BottomRight),
        // A word with digits too many has rows too many.
        _ => (8, (word.ilog2() / 8 + 1).max(8), FirstBit::TopRight),
    };
    BitGrid {
        columns,
        rows,
        first,
    }
}

fn grid(bits: u128, against: u128, title: &str) -> String {
    bits_svg(
        bits,
        against,
        layout(bits | against),
        &Style::new(16, title),
    )
}

/// A note without the figures at its end, which a table shows.
pub(super) fn without_figures<'a>(note: &'a str, cases: &[CaseRecord]) -> &'a str {
    let are_shown = cases.iter().any(|case| !case.figures.is_empty());
    match note.split_once(DUMP) {
        Some((before, _)) if are_shown => before.trim_end(),
        _ => note,
    }
}

#[cfg(test)]
mod tests;
