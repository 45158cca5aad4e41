//! Shapes that a page draws again and again, written once. In a strip of boards nearly every piece
//! stands where it stood on the board before.

use std::collections::HashMap;

/// A shape shorter than this is not worth a name.
const LEAST: usize = 48;
/// Bytes to be saved before a page is touched.
const WORTH: usize = 1 << 15;
/// Where the shapes are put.
const BODY: &str = "<body>\n";

/// The page with each shape that it repeats written once and referred to after that.
pub(super) fn shared(page: String) -> String {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for shape in shapes(&page) {
        *counts.entry(shape).or_default() += 1;
    }
    let saved: usize = counts
        .iter()
        .map(|(shape, count)| (count - 1) * (shape.len() - LEAST / 2))
        .sum();
    let Some(body) = page.find(BODY).filter(|_| saved >= WORTH) else {
        return page;
    };
    let (mut names, mut defs) = (HashMap::new(), String::new());
    let mut out = String::with_capacity(page.len() - saved);
    let mut done = body + BODY.len();
    for shape in shapes(&page).filter(|shape| counts[shape] > 1) {
        let next = names.len();
        let name = *names.entry(shape).or_insert_with(|| {
            defs += &shape.replacen("<path ", &format!("<path id=\"_{next}\" "), 1);
            next
        });
        let at = shape.as_ptr() as usize - page.as_ptr() as usize;
        out.push_str(&page[done..at]);
        out.push_str(&format!("<use href=\"#_{name}\"/>"));
        done = at + shape.len();
    }
    out.push_str(&page[done..]);
    let head = &page[..body + BODY.len()];
    format!(
        "{head}<svg aria-hidden=\"true\" width=\"0\" height=\"0\" style=\"position:absolute\"><defs>{defs}</defs></svg>\n{out}"
    )
}

/// The paths behind the head of a page. One with a class is what style sheet and script look for.
fn shapes(page: &str) -> impl Iterator<Item = &str> {
    let start = page.find(BODY).unwrap_or(page.len());
    let starts = page[start..].match_indices("<path ");
    starts.filter_map(move |(at, _)| {
        let rest = &page[start + at..];
        let shape = &rest[..rest.find("/>")? + 2];
        let plain = !shape[1..].contains('<') && !shape.contains(" class=");
        (plain && shape.len() >= LEAST).then_some(shape)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(boards: usize) -> String {
        let piece = format!("<path d=\"M0 0{}\" fill=\"#fff\"/>", "L1 1".repeat(20));
        let board = |nth| {
            format!(
                "<svg>{piece}<path class=\"moved\" d=\"M{nth} 0{}\"/></svg>\n",
                "L2 2".repeat(20)
            )
        };
        let all: String = (0..boards).map(board).collect();
        format!("<head></head>\n{BODY}<main>{all}</main></body>")
    }

    #[test]
    fn what_repeats_is_written_once_and_nothing_else_changes() {
        let shared_page = shared(page(1000));
        assert!(shared_page.len() < page(1000).len() * 2 / 3);
        assert_eq!(shared_page.matches("L1 1L1 1").count(), 10);
        assert_eq!(shared_page.matches("<use href=\"#_0\"/>").count(), 1000);
        let piece = &shared_page[shared_page.find("<path id=\"_0\" ").unwrap()..];
        let piece = piece[..piece.find("/>").unwrap() + 2].replace(" id=\"_0\"", "");
        let defs = shared_page.find("<svg aria-hidden").unwrap();
        let end = shared_page.find("</defs></svg>\n").unwrap() + "</defs></svg>\n".len();
        let back = format!("{}{}", &shared_page[..defs], &shared_page[end..]);
        assert_eq!(back.replace("<use href=\"#_0\"/>", &piece), page(1000));
        let few = page(3);
        assert_eq!(shared(few.clone()), few);
    }
}
