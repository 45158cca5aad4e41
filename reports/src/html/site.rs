//! Pages of a static site: an index, a page a puzzle, a page a claim, the hardest boards, the runs.

mod files;

pub use files::write_site;

use super::claim_view::ClaimView;
use super::picture_view::{Figure, FigureKind, KeyEntry, key};
use super::{
    BoardView, Page, PageView, ReportHead, RunWithTables, claim_page, page_of, rendered,
    report_view_of,
};
use crate::model::{Antipode, ClaimResult, Legend, PATH_OF_CLAIM, PictureKind, Run, Verdict};
use crate::report::Found;
use askama::Template;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::io;

/// Boards of one instance on the page of the hardest; its table has the rest.
const MOST_BOARDS: usize = 12;

/// All pages, each with its name. The index comes first.
///
/// # Errors
/// If a template fails.
pub fn pages(head: &ReportHead, found: &Found) -> io::Result<Vec<(String, String)>> {
    let page = page_of(head, found);
    let hardest = hardest(&page);
    let mut pages = vec![(
        "index.html".to_owned(),
        index(head, found, &page, !hardest.is_empty())?,
    )];
    for puzzle in puzzles(&page) {
        pages.push((puzzle_page(&puzzle), puzzle_html(&page, found, &puzzle)?));
    }
    let view = PageView::doubting(&page, &found.doubted, Some(""));
    pages.extend(claim_pages(&view, "index.html", puzzle_page)?);
    if !hardest.is_empty() {
        let html = HardestPage {
            title: "The hardest boards",
            lead: "Positions from which the shortest solution is longest: no board of their instance is harder. Then, puzzle by puzzle, what was published with the longest solutions.",
            tool_version: &page.tool_version,
            command: String::new(),
            generated: &view.generated,
            instances: hardest,
        };
        pages.push(("hardest.html".to_owned(), rendered(&html)?));
    }
    if has_runs(found) {
        let mut runs = found.clone();
        runs.claims.clear();
        let head = ReportHead {
            title: "Runs and tables".to_owned(),
            ..head.clone()
        };
        let page = page_of(&head, &runs);
        let mut view = report_view_of(&head, &runs, &page, None);
        (view.above, view.eyebrow) = (up(), "Runs and tables");
        pages.push(("runs.html".to_owned(), rendered(&view)?));
    }
    Ok(pages)
}

/// A page for each claim, with its name. `home` is their index, `puzzle_href` the page of a puzzle.
pub(super) fn claim_pages(
    view: &PageView<'_>,
    home: &str,
    puzzle_href: impl Fn(&str) -> String,
) -> io::Result<Vec<(String, String)>> {
    let claims = &view.claims;
    let page = |(at, claim): (usize, &ClaimView<'_>)| {
        let near = |other: Option<&ClaimView<'_>>| {
            let other = other.filter(|other| other.puzzle == claim.puzzle);
            other.map(|other| (other.id.to_owned(), other.href.clone()))
        };
        let html = ClaimPage {
            title: &claim.headline,
            lead: "",
            tool_version: view.tool_version,
            command: String::new(),
            generated: &view.generated,
            in_full: false,
            before: near(at.checked_sub(1).and_then(|before| claims.get(before))),
            after: near(claims.get(at + 1)),
            home,
            puzzle_href: puzzle_href(claim.puzzle),
            claim,
        };
        Ok((claim_page(claim.id), rendered(&html)?))
    };
    claims.iter().enumerate().map(page).collect()
}

fn up() -> Vec<(&'static str, &'static str)> {
    vec![("All claims", "index.html")]
}

fn has_runs(found: &Found) -> bool {
    let sizes = [
        found.runs.len(),
        found.benches.len(),
        found.answers.len(),
        found.tables.len(),
    ];
    sizes.iter().any(|size| *size > 0)
}

fn puzzles(page: &Page) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for claim in &page.claims {
        if !names.contains(&claim.puzzle) {
            names.push(claim.puzzle.clone());
        }
    }
    names
}

/// The file of a puzzle's page.
fn puzzle_page(puzzle: &str) -> String {
    claim_page(puzzle).replacen("claim-", "puzzle-", 1)
}

fn index(head: &ReportHead, found: &Found, page: &Page, has_hardest: bool) -> io::Result<String> {
    let full = report_view_of(head, found, page, None);
    let mut view = PageView {
        eyebrow: "Published claims about puzzles, re-derived",
        lead: full.lead,
        marks: full.marks,
        unsealed: full.unsealed,
        seed: None,
        remark: full.remark,
        runs: Vec::new(),
        ..PageView::doubting(page, &found.doubted, Some(""))
    };
    let puzzle = |name: String| {
        let href = puzzle_page(&name);
        (name, href)
    };
    view.pages = puzzles(page).into_iter().map(puzzle).collect();
    if has_hardest {
        view.pages
            .push(("The hardest boards".to_owned(), "hardest.html".to_owned()));
    }
    if has_runs(found) {
        view.pages
            .push(("Runs and tables".to_owned(), "runs.html".to_owned()));
    }
    rendered(&view)
}

fn puzzle_html(page: &Page, found: &Found, puzzle: &str) -> io::Result<String> {
    let claims = page.claims.iter().filter(|claim| claim.puzzle == puzzle);
    let mine = Page {
        title: puzzle.to_owned(),
        claims: claims.cloned().collect(),
        ..page.clone()
    };
    let view = PageView {
        runs: Vec::new(),
        seed: None,
        above: up(),
        eyebrow: "A puzzle and its published claims",
        ..PageView::doubting(&mine, &found.doubted, Some(""))
    };
    rendered(&view)
}

/// The farthest positions of every instance of which there are complete levels.
fn hardest(page: &Page) -> Vec<HardestView<'_>> {
    let mut by_instance: BTreeMap<String, (&str, &[Antipode])> = BTreeMap::new();
    // From the solved positions back: farthest from a start is not hardest.
    let decides = |run: &Run| run.complete && run.direction == "backward";
    for RunWithTables { run, antipodes, .. } in page.runs.iter().filter(|run| decides(&run.run)) {
        by_instance.insert(run.title(), (&run.puzzle, antipodes));
    }
    for (claim, case) in page.claims.iter().flat_map(|claim| {
        let behind = page.behind.get(&claim.id);
        behind
            .into_iter()
            .flat_map(|behind| &behind.cases)
            .map(move |case| (claim, case))
    }) {
        if let Some(run) = case.run.as_ref().filter(|run| decides(run)) {
            by_instance
                .entry(run.title())
                .or_insert((&claim.puzzle, &case.antipodes));
        }
    }
    let view = |(title, (puzzle, antipodes)): (String, (&str, &[Antipode]))| {
        let depth = antipodes.iter().map(|antipode| antipode.depth).max()?;
        let legend = page.legends.get(puzzle)?;
        Some(HardestView::new(title, depth, antipodes, legend))
    };
    let mut views: Vec<_> = by_instance.into_iter().filter_map(view).collect();
    views.sort_by_key(|view| std::cmp::Reverse(view.depth));
    let units: BTreeSet<&str> = page
        .claims
        .iter()
        .map(|claim| claim.unit.as_str())
        .collect();
    for puzzle in puzzles(page) {
        views.extend(units.iter().filter_map(|unit| longest(page, &puzzle, unit)));
    }
    views
}

/// The boards of a puzzle's claims with the longest shortest solutions, counted in a unit.
fn longest<'a>(page: &'a Page, puzzle: &str, unit: &str) -> Option<HardestView<'a>> {
    let legend = page.legends.get(puzzle)?;
    // A length that refutes the one published is no less proven.
    let proven = [
        Verdict::Confirmed,
        Verdict::ConfirmedBySample,
        Verdict::Refuted,
    ];
    let claims = page.claims.iter().filter(|claim| {
        // A path alone says nothing of shorter ones.
        let searched = claim.engine != PATH_OF_CLAIM;
        claim.puzzle == puzzle
            && claim.kind == "length"
            && searched
            && claim.unit == unit
            && proven.contains(&claim.verdict)
    });
    let solution = |claim: &'a ClaimResult| {
        let strips = claim
            .witnesses
            .iter()
            .filter_map(|witness| match &witness.kind {
                PictureKind::Strip { states, .. } => {
                    Some((states.len().checked_sub(1)?, states.first()?))
                }
                PictureKind::Board { .. } => None,
            });
        let (moves, start) = strips.max_by_key(|(moves, _)| *moves)?;
        Some((moves, start, claim.id.as_str()))
    };
    let mut solutions: Vec<_> = claims.filter_map(solution).collect();
    solutions.sort_by_key(|(moves, _, id)| (std::cmp::Reverse(*moves), *id));
    // One board may be counted in several metrics.
    let mut known = BTreeSet::new();
    solutions.retain(|(_, start, _)| known.insert(start.as_str()));
    let shown = &solutions[..solutions.len().min(MOST_BOARDS)];
    let figure = |(moves, start, id): &(usize, &String, &str)| Figure {
        caption: Cow::Owned(format!("{moves} {unit}: {id}")),
        kind: FigureKind::Board(BoardView::new(start, id, Some(legend))),
    };
    let most = shown.first()?.0;
    Some(HardestView {
        title: format!("{puzzle}: the longest solutions, in {unit}"),
        depth: u32::try_from(most).unwrap_or(u32::MAX),
        summary: format!(
            "Boards of claims whose shortest solution is known, of {} the longest.",
            solutions.len()
        ),
        key: key(shown.iter().map(|(_, start, _)| start), Some(legend)),
        figures: shown.iter().map(figure).collect(),
    })
}

struct HardestView<'a> {
    title: String,
    depth: u32,
    summary: String,
    key: Vec<KeyEntry<'a>>,
    figures: Vec<Figure<'static>>,
}

impl<'a> HardestView<'a> {
    fn new(title: String, depth: u32, antipodes: &[Antipode], legend: &'a Legend) -> Self {
        let far = || antipodes.iter().filter(|antipode| antipode.depth == depth);
        let count = far().count();
        let shown = match count {
            0..=MOST_BOARDS => String::new(),
            _ => format!("; the first {MOST_BOARDS} of them"),
        };
        let positions = if count == 1 { "position" } else { "positions" };
        let figure = |antipode: &Antipode| Figure {
            caption: Cow::Borrowed(""),
            kind: FigureKind::Board(BoardView::new(&antipode.state, &title, Some(legend))),
        };
        HardestView {
            summary: format!("Distance {depth}: {count} {positions} up to symmetry{shown}."),
            depth,
            key: key(far().map(|antipode| &antipode.state), Some(legend)),
            figures: far().take(MOST_BOARDS).map(figure).collect(),
            title,
        }
    }
}

#[derive(Template)]
#[template(path = "one_claim.html")]
struct ClaimPage<'a> {
    title: &'a str,
    lead: &'a str,
    tool_version: &'a str,
    command: String,
    generated: &'a str,
    in_full: bool,
    before: Option<(String, String)>,
    after: Option<(String, String)>,
    home: &'a str,
    puzzle_href: String,
    claim: &'a ClaimView<'a>,
}

#[derive(Template)]
#[template(path = "hardest.html")]
struct HardestPage<'a> {
    title: &'a str,
    lead: &'a str,
    tool_version: &'a str,
    command: String,
    generated: &'a str,
    instances: Vec<HardestView<'a>>,
}
