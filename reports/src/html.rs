//! One page for people: verdicts, evidence, boards and level sizes in a single HTML file that needs
//! no network and no server.

mod claim_view;
mod matrix_page;
mod path_view;
mod picture_view;
mod run_view;
mod verdict_view;

pub use matrix_page::{Matrix, MatrixPage, matrix_html, write_matrix_page};

use crate::atomic::{WriteError, write_atomically};
use crate::model::{Antipode, ClaimResult, Legend, LevelTable, Run, Verdict};
use crate::wording;
use askama::Template;
use claim_view::{Anchors, ClaimView};
pub use path_view::{PathPage, path_page_html, write_path_page};
use picture_view::FigureKind;
use run_view::RunView;
pub(crate) use run_view::title as run_title;
use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use verdict_view::{Count, Meaning};

/// What goes on a page.
#[derive(Debug, Clone, PartialEq)]
pub struct Page {
    /// The headline.
    pub title: String,
    /// When the page is written, in seconds since 1970-01-01 UTC.
    pub generated_unix_s: u64,
    /// Version of the tool that writes it.
    pub tool_version: String,
    /// The command line behind the page, one entry an argument; may be empty.
    pub command: Vec<String>,
    /// How much work was allowed, such as `quick`; may be empty.
    pub effort: String,
    /// Seed of all sampling.
    pub seed: u64,
    /// The claims, in the order in which they are to stand.
    pub claims: Vec<ClaimResult>,
    /// The runs, in the order in which they are to stand.
    pub runs: Vec<RunWithTables>,
    /// How to draw boards, by name of the puzzle. Boards of other puzzles are shown as text.
    pub legends: BTreeMap<String, Legend>,
}

/// A run with what it found.
#[derive(Debug, Clone, PartialEq)]
pub struct RunWithTables {
    /// What ran.
    pub run: Run,
    /// The levels it found.
    pub levels: LevelTable,
    /// The deepest states it found.
    pub antipodes: Vec<Antipode>,
}

/// Writes the page, whole or not at all.
pub fn write_page(path: impl AsRef<Path>, page: &Page) -> Result<(), WriteError> {
    write_atomically(path, |out| out.write_all(page_html(page)?.as_bytes()))
}

/// The text of the page.
pub fn page_html(page: &Page) -> io::Result<String> {
    PageView::new(page).render().map_err(io::Error::other)
}

#[derive(Template)]
#[template(path = "page.html")]
struct PageView<'a> {
    title: &'a str,
    tool_version: &'a str,
    lead: String,
    counts: Vec<Count>,
    meanings: Vec<Meaning>,
    generated: String,
    command: String,
    effort: &'a str,
    seed: u64,
    claims: Vec<ClaimView<'a>>,
    runs: Vec<RunView<'a>>,
}

impl<'a> PageView<'a> {
    fn new(page: &'a Page) -> Self {
        let mut anchors = Anchors::default();
        PageView {
            title: &page.title,
            tool_version: &page.tool_version,
            lead: lead(&page.claims),
            counts: verdict_view::counts(&page.claims),
            meanings: Verdict::ALL.map(Meaning::of).into(),
            generated: wording::utc(page.generated_unix_s),
            command: wording::command_line(&page.command),
            effort: &page.effort,
            seed: page.seed,
            claims: page
                .claims
                .iter()
                .map(|claim| ClaimView::new(claim, page.legends.get(&claim.puzzle), &mut anchors))
                .collect(),
            runs: page
                .runs
                .iter()
                .map(|run| RunView::new(run, page.legends.get(&run.run.puzzle)))
                .collect(),
        }
    }
}

fn lead(claims: &[ClaimResult]) -> String {
    let undecided = claims
        .iter()
        .filter(|claim| verdict_view::is_merely_undecided(claim))
        .count();
    let surprising = claims.iter().filter(|claim| !claim.as_expected()).count() - undecided;
    let opening = match claims.len() {
        0 => return "No claims were checked; the page shows what the runs found.".to_owned(),
        1 => "One published claim was worked out again from the rules of its puzzle.".to_owned(),
        count => {
            let count = capitalised(&wording::in_words(count));
            format!(
                "{count} published claims were worked out again from the rules of their puzzles."
            )
        }
    };
    let surprise = match surprising {
        0 if undecided == 0 => " Every verdict is the one that was expected.".to_owned(),
        0 => " Every verdict that was reached is the one that was expected.".to_owned(),
        1 => " One verdict is not the one that was expected.".to_owned(),
        n => format!(
            " {} verdicts are not the ones that were expected.",
            capitalised(&wording::in_words(n))
        ),
    };
    let rest = match undecided {
        0 => String::new(),
        n => format!(
            " {} could not be decided yet.",
            capitalised(&wording::in_words(n))
        ),
    };
    opening + &surprise + &rest
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters
        .next()
        .map(|first| first.to_uppercase().chain(letters).collect())
        .unwrap_or_default()
}
