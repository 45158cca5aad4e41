//! Pages of a static site: an index, a page per puzzle, a page per claim, hardest boards, the runs.

mod files;

pub use files::write_site;

use super::claim_view::ClaimView;
use super::picture_view::{Figure, explore, key};
use super::record_pages::RecordPage;
use super::report_view::{Article, Block};
use super::{
    BoardView, CLAIMS, Frame, NamedPage, PageView, ReportHead, SCRIPT, STYLE, claim_page, puzzles,
    rendered,
};
use crate::model::{Antipode, Run};
use crate::report::FoundFolders;
use crate::results::FILE_MARK;
use askama::Template;
use std::collections::BTreeMap;
use std::io;

/// Most boards of one instance on the page of the hardest; its table has the rest.
const MOST_BOARDS: usize = 12;

/// All pages, each with its name. The index comes first.
fn pages(head: &ReportHead, found: &FoundFolders) -> io::Result<Vec<NamedPage>> {
    // The command would name folders of the site's author.
    let bare = ReportHead {
        command: Vec::new(),
        ..head.clone()
    };
    let hardest = hardest(head, found);
    let puzzles = puzzles(&found.claims).into_iter();
    let mut index = PageView {
        pages: puzzles
            .clone()
            .map(|(name, _)| (name.to_owned(), puzzle_page(name)))
            .collect(),
        runs: Vec::new(),
        sections: Vec::new(),
        ..PageView::new(&bare, found, Some(""))
    };
    index.frame.eyebrow = CLAIMS;
    let mut inner = |name: &str, file: &str| index.pages.push((name.to_owned(), file.to_owned()));
    if !hardest.is_empty() {
        inner(HARDEST.0, HARDEST.1);
    }
    if has_runs(found) {
        inner(RUNS.0, RUNS.1);
    }
    let mut pages = vec![("index.html".to_owned(), rendered(&index)?)];
    for (puzzle, _) in puzzles {
        pages.push((puzzle_page(puzzle), puzzle_html(&bare, found, puzzle)?));
    }
    let view = PageView::bare(head, found, Some(""));
    pages.extend(claim_pages(&view, "index.html", puzzle_page)?);
    if !hardest.is_empty() {
        let lead = "Positions from which the shortest solution is longest: no board of their instance is harder.";
        let frame = Frame::new(HARDEST.0, HARDEST.0, lead, &head.tool_version, &[]);
        let html = RecordPage {
            frame: below(frame.at(head.generated_unix_s).linked(true)),
            articles: hardest,
            intro: "",
        };
        pages.push((HARDEST.1.to_owned(), rendered(&html)?));
    }
    if has_runs(found) {
        let mut runs = found.clone();
        runs.claims.clear();
        let head = ReportHead {
            title: RUNS.0.to_owned(),
            ..head.clone()
        };
        let mut view = PageView::new(&head, &runs, None);
        view.frame = below(view.frame.linked(true));
        view.frame.eyebrow = RUNS.0;
        pages.push((RUNS.1.to_owned(), rendered(&view)?));
    }
    Ok(with_files(pages))
}

const HARDEST: (&str, &str) = ("The hardest boards", "hardest.html");
const RUNS: (&str, &str) = ("Runs and tables", "runs.html");

/// Pages with their style and script in separate files, which come last.
pub(super) fn with_files(mut pages: Vec<NamedPage>) -> Vec<NamedPage> {
    let files = [("style.css", STYLE), ("script.js", SCRIPT)];
    pages.extend(files.map(|(name, text)| (name.to_owned(), format!("{FILE_MARK}\n{text}"))));
    pages
}

/// A page for each claim, with its name. `home` is their index, `puzzle_href` the page of a puzzle.
pub(super) fn claim_pages(
    view: &PageView<'_>,
    home: &str,
    puzzle_href: impl Fn(&str) -> String,
) -> io::Result<Vec<NamedPage>> {
    let claims = &view.claims;
    let page = |(at, claim): (usize, &ClaimView<'_>)| {
        let near = |other: Option<&ClaimView<'_>>| {
            let other = other.filter(|other| other.of.puzzle == claim.of.puzzle);
            other.map(|other| (other.of.id.clone(), other.href.clone()))
        };
        let frame = Frame::new("", &claim.headline, "", view.frame.tool_version, &[]);
        let html = ClaimPage {
            frame: Frame {
                above: vec![
                    ("All claims".to_owned(), home.to_owned()),
                    (claim.of.puzzle.clone(), puzzle_href(&claim.of.puzzle)),
                ],
                facts: view.frame.facts[..1].to_vec(),
                ..frame.linked(true)
            },
            before: near(at.checked_sub(1).and_then(|before| claims.get(before))),
            after: near(claims.get(at + 1)),
            claim,
        };
        Ok((claim_page(&claim.of.id), rendered(&html)?))
    };
    claims.iter().enumerate().map(page).collect()
}

/// A page that the index leads to.
fn below(frame: Frame<'_>) -> Frame<'_> {
    Frame {
        above: vec![("All claims".to_owned(), "index.html".to_owned())],
        ..frame
    }
}

fn has_runs(found: &FoundFolders) -> bool {
    found.results() > found.claims.len()
}

fn puzzle_page(puzzle: &str) -> String {
    claim_page(puzzle).replacen("claim-", "puzzle-", 1)
}

fn puzzle_html(head: &ReportHead, found: &FoundFolders, puzzle: &str) -> io::Result<String> {
    let claims = found.claims.iter().filter(|claim| claim.puzzle == puzzle);
    let mine = FoundFolders {
        claims: claims.cloned().collect(),
        marks: Vec::new(),
        unsealed: Vec::new(),
        ..found.clone()
    };
    let head = ReportHead {
        title: puzzle.to_owned(),
        ..head.clone()
    };
    let mut view = PageView::bare(&head, &mine, Some(""));
    view.runs.clear();
    view.frame = below(view.frame);
    view.frame.eyebrow = "A puzzle and its published claims";
    rendered(&view)
}

/// Complete runs back from the solved positions, with the farthest, by title.
fn by_instance(found: &FoundFolders) -> BTreeMap<String, (&Run, &[Antipode])> {
    let mut by_instance: BTreeMap<String, (&Run, &[Antipode])> = BTreeMap::new();
    // From the solved positions back: farthest from a start is not hardest.
    let decides = |run: &Run| run.complete && run.direction == "backward";
    for one in &found.runs {
        let run = one.run.as_ref().filter(|_| !one.levels.levels.is_empty());
        if let Some(run) = run.filter(|run| decides(run)) {
            by_instance.insert(run.title(), (run, &one.antipodes));
        }
    }
    let claims = found.claims.iter();
    let behind = claims.filter_map(|claim| found.behind.get(&claim.id));
    for case in behind.flat_map(|behind| &behind.cases) {
        if let Some(run) = case.run.as_ref().filter(|run| decides(run)) {
            by_instance
                .entry(run.title())
                .or_insert((run, &case.antipodes));
        }
    }
    by_instance
}

/// The farthest positions of every instance, the hardest first.
fn hardest<'a>(head: &'a ReportHead, found: &'a FoundFolders) -> Vec<Article<'a>> {
    let view = |(title, (run, antipodes)): (String, (&'a Run, &'a [Antipode]))| {
        let depth = antipodes.iter().map(|antipode| antipode.depth).max()?;
        let place = run.place();
        let legend = head.legend(&place)?;
        let far = || antipodes.iter().filter(|antipode| antipode.depth == depth);
        let count = far().count();
        let shown = match count {
            0..=MOST_BOARDS => String::new(),
            _ => format!("; the first {MOST_BOARDS} of them"),
        };
        let figure = |antipode: &'a Antipode| {
            let board = BoardView::new(&antipode.state, &title, Some(legend));
            let mut figure = Figure::board("", board);
            figure.explore = explore(&place, &run.settings, &antipode.state, &run.command);
            figure
        };
        let summary = format!(
            "Distance {depth}: {} up to symmetry{shown}.",
            crate::count(count, "positions")
        );
        let boards = Block::Boards(
            key(far().map(|antipode| &antipode.state), Some(legend)),
            far().take(MOST_BOARDS).map(figure).collect(),
        );
        Some((depth, title.clone(), vec![Block::Prose(summary), boards]))
    };
    let mut views: Vec<_> = by_instance(found).into_iter().filter_map(view).collect();
    views.sort_by_key(|(depth, ..)| std::cmp::Reverse(*depth));
    let article = |(nth, (_, title, blocks))| Article {
        id: format!("page-hardest-{nth}"),
        title,
        blocks,
        ..Article::default()
    };
    (1..).zip(views).map(article).collect()
}

#[derive(Template)]
#[template(path = "one_claim.html")]
struct ClaimPage<'a> {
    frame: Frame<'a>,
    before: Option<(String, String)>,
    after: Option<(String, String)>,
    claim: &'a ClaimView<'a>,
}
