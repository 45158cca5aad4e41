//! Shapes that a page draws repeatedly, written once. In a strip of boards, nearly every piece is
//! at its place on the board before. So single shapes are shared, then rows of a few shapes, then
//! rows of such rows. Text that a page has once for all boards is removed from each.

use std::collections::HashMap;
use std::fmt::Write;

/// A shape shorter than this is not worth a name.
const LEAST: usize = 48;
/// The least saving, in bytes, for which a page is changed.
const WORTH: usize = 1 << 15;
/// The place of the shapes on a page.
const BODY: &str = "<body>\n";

/// Number of neighbouring shapes that are shared as one, pass by pass. Boards of a strip have the
/// same shapes in the same order, so that rows begin at the same of them.
const ROWS: [usize; 4] = [2, 3, 3, 3];

/// The parts that a picture needs as a separate file, and that a page has in its style sheet or not
/// at all. No text contains these, since its quotation marks are escaped.
const SAID_BY_THE_PAGE: [&str; 2] = [
    " xmlns=\"http://www.w3.org/2000/svg\"",
    " font-family=\"system-ui,sans-serif\" font-weight=\"600\" text-anchor=\"middle\"",
];

/// The page with repeated parts written once and referred to after that.
pub(super) fn shared(page: String) -> String {
    let page = match page.find(BODY) {
        Some(body) => {
            let (head, body) = page.split_at(body);
            let said = |body: String, said: &&str| body.replace(said, "");
            head.to_owned() + &SAID_BY_THE_PAGE.iter().fold(body.to_owned(), said)
        }
        None => page,
    };
    let page = single(page);
    (ROWS.iter().zip('a'..)).fold(page, |page, (&row, pass)| together(page, row, pass))
}

/// The page with each of its parts that pays written once, and referred to after that; `None` if
/// they save too little. `pays` takes how often a part occurs and its length. `define` returns the
/// name and the definition of a part, from its number among those that pay.
fn once(
    page: &str,
    parts: &[&str],
    pays: impl Fn(usize, usize) -> bool,
    define: impl Fn(usize, &str) -> (String, String),
) -> Option<String> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for part in parts {
        *counts.entry(part).or_default() += 1;
    }
    let saved: usize = (counts.iter())
        .map(|(part, count)| (count - 1) * part.len().saturating_sub(LEAST / 2))
        .sum();
    let body = page.find(BODY).filter(|_| saved >= WORTH)? + BODY.len();
    let (mut names, mut defs) = (HashMap::new(), String::new());
    let mut out = String::with_capacity(page.len());
    let mut done = body;
    for part in parts.iter().filter(|part| pays(counts[**part], part.len())) {
        let next = names.len();
        let name: &String = names.entry(*part).or_insert_with(|| {
            let (name, definition) = define(next, part);
            defs += &definition;
            name
        });
        let at = part.as_ptr() as usize - page.as_ptr() as usize;
        out.push_str(&page[done..at]);
        let _ = write!(out, "<use href=\"#{name}\"/>");
        done = at + part.len();
    }
    out.push_str(&page[done..]);
    Some(format!("{}{}\n{out}", &page[..body], hidden(&defs)))
}

/// The page with each row of n shapes that it repeats written once.
fn together(page: String, row: usize, pass: char) -> String {
    let pays = |count, length| count * length > length + (count + 1) * LEAST / 2;
    let define = |number: usize, row: &str| {
        let name = format!("_{pass}{number}");
        let group = format!("<g id=\"{name}\">{row}</g>");
        (name, group)
    };
    once(&page, &rows(&page, row), pays, define).unwrap_or(page)
}

/// The beginnings of the names of marks of a move.
const MOVED: &str = "#_m";

/// Markup that is not drawn by itself.
fn hidden(defs: &str) -> String {
    format!(
        "<svg aria-hidden=\"true\" width=\"0\" height=\"0\" style=\"position:absolute\"><defs>{defs}</defs></svg>"
    )
}

/// The shape at the beginning of a text: a path, a disc, a letter, or a reference to shapes. A
/// shape with a class or a name is used by style sheet or script.
fn shape(text: &str) -> Option<&str> {
    let open = &text[..text.find('>')? + 1];
    // The moved piece differs from board to board, and would make each row unique.
    let is_plain = [" class=", " id=", MOVED]
        .iter()
        .all(|no| !open.contains(no));
    let end = match open {
        _ if !is_plain => return None,
        _ if open.starts_with("<text ") => text.find("</text>")? + "</text>".len(),
        _ if ["<use ", "<path ", "<circle "]
            .iter()
            .any(|name| open.starts_with(name))
            && open.ends_with("/>") =>
        {
            open.len()
        }
        _ => return None,
    };
    Some(&text[..end])
}

/// The rows of n neighbouring shapes on a page; a single one is no row.
fn rows(page: &str, row: usize) -> Vec<&str> {
    let mut at = page.find(BODY).map_or(page.len(), |body| body + BODY.len());
    let mut rows = Vec::new();
    while let Some(next) = page[at..].find('<') {
        at += next;
        let (start, mut count) = (at, 0);
        while let Some(shape) = shape(&page[at..]).filter(|_| count < row) {
            (at, count) = (at + shape.len(), count + 1);
        }
        match count {
            0 => at += 1,
            1 => {}
            _ => rows.push(&page[start..at]),
        }
    }
    rows
}

/// The page with each shape that it repeats written once and referred to after that.
fn single(page: String) -> String {
    let define = |number: usize, shape: &str| {
        let name = match MARKS.iter().any(|mark| shape.starts_with(mark)) {
            true => format!("{}{number}", &MOVED[1..]),
            false => format!("_{number}"),
        };
        let (element, rest) = shape.split_once(' ').unwrap_or((shape, ""));
        let named = format!("{element} id=\"{name}\" {rest}");
        (name, named)
    };
    let all: Vec<&str> = shapes(&page).collect();
    once(&page, &all, |count, _| count > 1, define).unwrap_or(page)
}

/// The marks of a move on a board: the outline of the moved pieces, and dots where they were.
const MARKS: [&str; 2] = ["<path class=\"moved\" ", "<g class=\"left\" "];

/// The paths after the head of a page, and the marks of moves. Another path with a class is used by
/// style sheet and script.
fn shapes(page: &str) -> impl Iterator<Item = &str> {
    let start = page.find(BODY).unwrap_or(page.len());
    let starts = page[start..].match_indices('<');
    starts.filter_map(move |(at, _)| {
        let rest = &page[start + at..];
        let is_mark = MARKS.iter().any(|mark| rest.starts_with(mark));
        if !is_mark && !rest.starts_with("<path ") {
            return None;
        }
        let end = if rest.starts_with("<g") { "</g>" } else { "/>" };
        let shape = &rest[..rest.find(end)? + end.len()];
        let plain = rest.starts_with("<g")
            || !shape[1..].contains('<') && (is_mark || !shape.contains(" class="));
        (plain && shape.len() >= LEAST).then_some(shape)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A page in which each reference is replaced by its content.
    fn expanded(page: &str) -> String {
        let mut page = page.to_owned();
        while let Some(defs) = page.find("<svg aria-hidden") {
            let end = defs + page[defs..].find("</svg>\n").unwrap() + "</svg>\n".len();
            let block = page[defs..end].to_owned();
            page.replace_range(defs..end, "");
            let mut rest = &block[block.find("<defs>").unwrap()..];
            while let Some(at) = rest.find(" id=\"") {
                let name = rest[at + 5..].split('"').next().unwrap();
                let open = rest[..at].rfind('<').unwrap();
                let tail = &rest[at + 6 + name.len()..];
                let (inner, len) = match rest[open..].starts_with("<g") {
                    true => (tail[1..tail.find("</g>").unwrap()].to_owned(), 0),
                    false => {
                        let end = tail.find("/>").unwrap() + 2;
                        (format!("<path{}", &tail[..end]), end)
                    }
                };
                page = page.replace(&format!("<use href=\"#{name}\"/>"), &inner);
                rest = &tail[len..];
            }
        }
        page
    }

    #[test]
    fn rows_of_shapes_are_shared_and_all_of_it_can_be_put_back() {
        let letter =
            |nth: usize, x: usize| format!("<text x=\"{x}\" y=\"7.5\" fill=\"#000\">{nth}</text>");
        let path =
            |nth: usize| format!("<path d=\"M{nth} 0{}\" fill=\"#fff\"/>", "L1 1".repeat(12));
        // On each board, one of ten pieces is at another place.
        let board = |turn: usize| {
            let piece = |nth: usize| match turn % 10 == nth {
                true => path(100 + nth) + &letter(nth, 100 + nth),
                false => path(nth) + &letter(nth, nth),
            };
            let pieces: String = (0..10).map(piece).collect();
            format!(
                "<li><svg><g font-size=\"5\">{pieces}</g><circle class=\"moved\" r=\"1\"/></svg></li>\n"
            )
        };
        let boards: String = (0..400).map(board).collect();
        let page = format!("<head></head>\n{BODY}<main>{boards}</main></body>");
        let shared_page = shared(page.clone());
        let (before, after) = (page.len(), shared_page.len());
        assert!(after * 5 < before, "{before} bytes became {after}");
        assert_eq!(expanded(&shared_page), page);
    }
}
