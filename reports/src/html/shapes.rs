//! Shapes that a page draws repeatedly, written once. In a strip of boards, nearly every piece is
//! at its place on the board before. So shapes are shared, then rows of a few shapes, then rows of
//! such rows. Text that a page has once for all boards is removed from each.

use std::collections::HashMap;
use std::fmt::Write;

/// Bytes of a definition and of two references, about.
const LEAST: usize = 48;
/// The least saving, in bytes, for which a page is changed.
const WORTH: usize = 1 << 15;
const BODY: &str = "<body>\n";

/// Number of neighbouring shapes that are shared as one, pass by pass.
const ROWS: [usize; 5] = [1, 2, 3, 3, 3];

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
    (ROWS.iter().zip('a'..)).fold(page, |page, (&row, pass)| {
        together(&page, row, pass).unwrap_or(page)
    })
}

/// The page with each of its rows of n shapes that pays written once, and referred to after that;
/// `None` if they save too little.
fn together(page: &str, row: usize, pass: char) -> Option<String> {
    let parts = rows(page, row);
    let pays = |count, length| count * length > length + (count + 1) * LEAST / 2;
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for part in &parts {
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
            let name = format!("_{pass}{next}");
            let _ = write!(defs, "<g id=\"{name}\">{part}</g>");
            name
        });
        let at = part.as_ptr() as usize - page.as_ptr() as usize;
        out.push_str(&page[done..at]);
        let _ = write!(out, "<use href=\"#{name}\"/>");
        done = at + part.len();
    }
    out.push_str(&page[done..]);
    Some(format!(
        "{}<svg aria-hidden=\"true\" width=\"0\" height=\"0\" style=\"position:absolute\"><defs>{defs}</defs></svg>\n{out}",
        &page[..body]
    ))
}

/// The shape at the beginning of a text: a path, a disc, a letter, or a reference to shapes. A
/// shape with a class or a name is used by style sheet or script.
fn shape(text: &str) -> Option<&str> {
    let open = &text[..text.find('>')? + 1];
    let is_plain = !open.contains(" class=") && !open.contains(" id=");
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
            // A single letter is as short as a reference, and that of a plot has its style there.
            1 if row > 1 || page[start..].starts_with("<text ") => {}
            _ => rows.push(&page[start..at]),
        }
    }
    rows
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
                let tail = &rest[at + 6 + name.len()..];
                let inner = tail[1..tail.find("</g>").unwrap()].to_owned();
                page = page.replace(&format!("<use href=\"#{name}\"/>"), &inner);
                rest = tail;
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
