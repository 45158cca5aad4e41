//! A solution as one picture that plays by itself, by style alone.

use super::board::{Board, Canvas};
use super::moved::is_piece;
use super::outline::{Cells, OutlineCell};
use super::{Style, number};
use crate::model::Legend;
use crate::wording::escape;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Seconds from one move to the next; a piece slides for half of it.
const BEAT: f64 = 0.8;
const REST: usize = 1;

/// A piece that is on the board for some time.
struct Actor {
    symbol: char,
    /// The cells on which it is drawn, and its present cells.
    drawn: Cells,
    now: Cells,
    is_there: bool,
    /// By move: its distance from where it was drawn, in rows and columns, and whether it is
    /// present.
    turns: Vec<(usize, OutlineCell, bool)>,
}

impl Actor {
    /// The distance of cells from those on which it is drawn; `None` if they have another form.
    fn away(&self, cells: &Cells) -> Option<OutlineCell> {
        let (from, to) = (self.drawn.first()?, cells.first()?);
        let away = (to.0 - from.0, to.1 - from.1);
        let moved = |cell: &OutlineCell| (cell.0 + away.0, cell.1 + away.1);
        let same = self.drawn.iter().map(moved).eq(cells.iter().copied());
        same.then_some(away)
    }
}

/// All pieces on some of the boards, with the movement of each.
fn cast(boards: &[Board], legend: &Legend) -> Vec<Actor> {
    let mut actors: Vec<Actor> = Vec::new();
    let empty = Board::parse("");
    let before = std::iter::once(&empty).chain(boards);
    for (step, (before, after)) in before.zip(boards).enumerate() {
        let mut new = Vec::new();
        for shift in after.since(before, legend) {
            let symbol = after.symbol(&shift.to);
            let actor = actors.iter_mut().find(|actor| {
                let free = actor.turns.last().is_none_or(|turn| turn.0 < step);
                actor.is_there && free && actor.now == shift.from
            });
            let mut stays = false;
            if let Some(actor) = actor {
                let away = actor
                    .away(&shift.to)
                    .filter(|_| symbol == Some(actor.symbol));
                stays = away.is_some();
                let last = actor.turns.last().map_or((0, 0), |turn| turn.1);
                actor.turns.push((step, away.unwrap_or(last), stays));
                (actor.is_there, actor.now) = (stays, shift.to.clone());
            }
            if let (false, Some(symbol)) = (stays, symbol) {
                let since = (step > 0).then_some((step, (0, 0), true));
                new.push(Actor {
                    symbol,
                    now: shift.to.clone(),
                    drawn: shift.to,
                    is_there: true,
                    turns: since.into_iter().collect(),
                });
            }
        }
        actors.extend(new);
    }
    actors
}

impl Board {
    fn symbol(&self, cells: &Cells) -> Option<char> {
        let cell = cells.first()?;
        let mut all = self.cells.iter();
        all.find_map(|(&symbol, cells)| cells.contains(cell).then_some(symbol))
    }
}

/// Draws a solution that plays repeatedly by itself: pieces slide, appear and vanish by style,
/// without script. The first label, written below the board, leads from the first state to the
/// second.
pub fn animated_svg(states: &[String], labels: &[String], legend: &Legend, style: Style) -> String {
    let drawn = states.iter().map(|state| legend.drawn(state));
    let boards: Vec<Board> = drawn.map(|state| Board::parse(&state)).collect();
    let Some(first) = boards.first() else {
        return String::new();
    };
    let symbols = boards.iter().flat_map(|board| board.cells.keys().copied());
    let canvas = Canvas::new(&style, symbols, legend);
    let mut bare = BTreeMap::new();
    for (&symbol, cells) in boards.iter().flat_map(|board| &board.cells) {
        if !is_piece(symbol, legend) {
            cells.iter().for_each(|&cell| {
                bare.entry(cell).or_insert(symbol);
            });
        }
    }
    let mut fixed: BTreeMap<char, Cells> = BTreeMap::new();
    for (cell, symbol) in bare {
        fixed.entry(symbol).or_default().insert(cell);
    }
    // Texts of a stack with signs are not all as wide.
    let rows = boards.iter().map(|board| board.rows).max().unwrap_or(0);
    let columns = boards.iter().map(|board| board.columns).max().unwrap_or(0);
    let floor = boards.iter().flat_map(|board| board.floor_cells(legend));
    let mut body = canvas.floor(&floor.collect());
    for (&symbol, cells) in &fixed {
        body += &canvas.symbol(symbol, cells, legend);
    }
    let beats = (states.len() + 2 * REST) as f64;
    let at = |beat: f64| number(100.0 * beat / beats);
    let mut rules = String::new();
    for (number_of, actor) in cast(&boards, legend).iter().enumerate() {
        let drawn = canvas.symbol(actor.symbol, &actor.drawn, legend);
        if actor.turns.is_empty() {
            body += &drawn;
            continue;
        }
        let style_of = |(row, column): OutlineCell, is_there: bool| {
            let [x, y] = [column, row].map(|cells| number(f64::from(cells) * canvas.cell));
            format!(
                "{{transform:translate({x}px,{y}px);opacity:{}}}",
                u8::from(is_there)
            )
        };
        let late = actor.turns[0].1 == (0, 0) && actor.turns[0].2;
        let mut last = style_of((0, 0), !late);
        let mut frames = format!("0%{last}");
        for &(step, away, is_there) in &actor.turns {
            let next = style_of(away, is_there);
            let (begin, end) = ((step - 1 + REST) as f64, (step - 1 + REST) as f64 + 0.5);
            let _ = write!(frames, "{}%{last}{}%{next}", at(begin), at(end));
            last = next;
        }
        let _ = write!(rules, "@keyframes m{number_of}{{{frames}100%{last}}}");
        let hidden = if late { " opacity=\"0\"" } else { "" };
        let _ = write!(
            body,
            "<g class=\"a\" style=\"animation-name:m{number_of}\"{hidden}>{drawn}</g>"
        );
    }
    body += &first.exits(&canvas, legend);
    let told = |(at, label): (usize, &String)| format!("{}. {label}", at + 1);
    let told: Vec<String> = labels.iter().enumerate().map(told).collect();
    let wide = f64::from(columns) * canvas.cell;
    let longest = told
        .iter()
        .map(|label| label.chars().count())
        .max()
        .unwrap_or(1);
    let font = (canvas.cell * 0.5).min(wide / (0.6 * longest as f64));
    for (step, label) in told.iter().enumerate() {
        let (begin, end) = (at((step + REST) as f64), at((step + 1 + REST) as f64));
        let end = match step + 1 < told.len() {
            true => format!("{end}%{{opacity:0}}"),
            false => String::new(),
        };
        let _ = write!(
            rules,
            "@keyframes t{step}{{0%{{opacity:0}}{begin}%{{opacity:1}}{end}}}"
        );
        let _ = write!(
            body,
            "<text class=\"a\" style=\"animation-name:t{step};animation-timing-function:step-end\" opacity=\"0\" \
             x=\"{}\" y=\"{}\" font-size=\"{}\" fill=\"currentColor\">{}</text>",
            number(wide / 2.0),
            number((f64::from(rows) + 0.7) * canvas.cell),
            number(font),
            escape(label)
        );
    }
    let seconds = number(beats * BEAT);
    let style_sheet = format!(
        "<style>@media(prefers-reduced-motion:no-preference){{.a{{animation:{seconds}s ease-in-out infinite}}}}{rules}</style>"
    );
    // A row below the board for the move.
    let framed = Board {
        rows: rows + i32::from(!told.is_empty()),
        columns,
        cells: BTreeMap::new(),
    };
    framed.frame(&canvas, &style, &(style_sheet + &body))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{LegendEntry, Shape};

    fn legend() -> Legend {
        let entry = |symbol, shape| LegendEntry {
            symbol,
            name: String::new(),
            shape,
            colour: "#336699".to_owned(),
        };
        Legend {
            entries: vec![
                entry('.', Shape::Empty),
                entry('o', Shape::Disc),
                entry('g', Shape::Block),
                entry('A', Shape::Merge),
                entry('B', Shape::Merge),
            ],
            net: None,
        }
    }

    /// After every move, the present pieces are at their places on the board.
    #[test]
    fn pieces_are_where_the_boards_have_them() {
        for boards in [
            vec!["AAB./..B./....", ".AAB/...B/....", ".AA./...B/...B"],
            vec!["oo./...", "..o/...", ".../..o"],
            vec!["o.o/.o.", ".o./o.o", "ooo/ooo", ".../..."],
            vec!["gg../....", "..gg/....", "..../..gg"],
            vec!["12/3.", "1./32", ".1/32"],
            vec!["AA/A.", ".A/AA"],
        ] {
            let parsed: Vec<Board> = boards.iter().map(|state| Board::parse(state)).collect();
            for step in 0..parsed.len() {
                let there = cast(&parsed[..=step], &legend()).into_iter();
                let there = there.filter(|actor| actor.is_there);
                let mut there: Vec<_> = there.map(|actor| (actor.symbol, actor.now)).collect();
                there.sort();
                let own = parsed[step]
                    .cells
                    .keys()
                    .filter(|s| is_piece(**s, &legend()));
                let own = own.flat_map(|&symbol| {
                    let pieces = parsed[step].pieces(symbol, &legend()).into_iter();
                    pieces.map(move |piece| (symbol, piece))
                });
                let mut own: Vec<_> = own.collect();
                own.sort();
                assert_eq!(there, own, "{boards:?}, move {step}");
            }
        }
    }

    #[test]
    fn a_picture_is_as_wide_as_its_widest_board() {
        let style = Style::new(10, "");
        let wide = |states: [&str; 2]| {
            let svg = animated_svg(&states.map(str::to_owned), &[], &legend(), style.clone());
            let [from, to] = ["viewBox=\"", "\""];
            let (_, rest) = svg.split_once(from).unwrap();
            rest.split_once(to).unwrap().0.to_owned()
        };
        assert_eq!(wide(["A", "A."]), wide(["A.", "A"]));
        assert_ne!(wide(["A", "A."]), wide(["A", "A"]));
    }

    #[test]
    fn a_solution_plays_without_script() {
        let states = ["A../...", ".A./..."].map(str::to_owned);
        let style = Style::new(10, "<a>");
        let labels = ["A right 1".to_owned()];
        let svg = animated_svg(&states, &labels, &legend(), style);
        for part in [
            "@keyframes m0{0%{transform:translate(0px,0px);opacity:1}25%{transform:translate(0px,0px);opacity:1}37.5%{transform:translate(10px,0px);opacity:1}100%",
            "1. A right 1</text>",
            "<title>&lt;a&gt;</title>",
        ] {
            assert!(svg.contains(part), "{part} in {svg}");
        }
        assert!(!svg.contains("<script"));
    }
}
