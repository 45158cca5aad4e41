//! One page for people: verdicts, evidence, boards and level sizes in a single HTML file that needs
//! no network and no server.

mod behind;
mod cards_page;
mod case_view;
mod claim_pictures;
mod claim_view;
mod explore_page;
mod finding_view;
mod listing_page;
mod matrix_page;
mod path_view;
mod picture_view;
mod referee_page;
mod report_view;
mod run_page;
mod run_view;
mod shapes;
pub mod site;
mod table_page;
mod verdict_view;

pub use cards_page::cards_html;
pub use explore_page::{
    EXPLORE_SCRIPT, ExplorePage, ExplorePuzzle, ExploreSetting, explore_html, picture, playable,
};
pub use finding_view::{PageFinding, Show};
pub use listing_page::{permute_html, plan_html};
pub use matrix_page::{Matrix, MatrixPage, matrix_html};
pub use referee_page::referee_html;
pub use table_page::table_html;

use crate::atomic::{WriteError, ensure_dir, write_atomically};
use crate::model::{
    Antipode, ClaimResult, Legend, LevelTable, NotTaken, Origin, Picture, Run, Verdict,
};
use crate::report::{Behind, ChangedFile, FoundFolders, FoundRun};
use crate::results::clear_way;
use crate::wording;
use askama::Template;
pub use claim_view::page_of as claim_page;
use claim_view::{Anchors, ClaimView, KnownClaims};
use finding_view::FindingView;
pub use path_view::{PathPage, path_page_html};
use picture_view::{BoardView, FigureKind};
use report_view::{Block, Section};
pub use run_page::run_html;
use run_view::RunView;
use shapes::shared;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use verdict_view::{Count, Doubts, Meaning};

/// The contents of a page.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Page {
    /// The headline.
    pub title: String,
    /// When the page is written, in seconds since 1970-01-01 UTC.
    pub generated_unix_s: u64,
    /// Version of the tool that writes it.
    pub tool_version: String,
    /// The command line behind the page, one entry per argument; may be empty.
    pub command: Vec<String>,
    /// The effort allowed, such as `quick`; may be empty.
    pub effort: String,
    /// Seed of all sampling.
    pub seed: u64,
    /// The claims, in the order of the page.
    pub claims: Vec<ClaimResult>,
    /// Claims that are invalid.
    pub not_taken: Vec<NotTaken>,
    /// The runs, in the order of the page.
    pub runs: Vec<RunWithTables>,
    /// How to draw boards, by name of the puzzle. Boards of other puzzles are shown as text.
    pub legends: BTreeMap<String, Legend>,
    /// The files that are evidence for the claims, by id.
    pub behind: BTreeMap<String, Behind>,
    /// The beginning of the page, as far as the claims support it.
    pub findings: Vec<PageFinding>,
    /// Boards of instances, as `PUZZLE/INSTANCE`, for claims about them without a picture.
    pub boards: BTreeMap<String, InstanceBoard>,
    /// The folder that the page is for: links to files lead from there.
    pub folder: PathBuf,
}

/// A run with its findings.
#[derive(Debug, Clone, PartialEq)]
pub struct RunWithTables {
    /// The run's record.
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
    rendered(&PageView::new(page))
}

/// The text of the page, which is an index if there are many claims. An index has a page for each
/// claim, with its name, for the folder [`PAGES`].
///
/// # Errors
/// If a template fails.
pub fn pages_html(page: &Page) -> io::Result<(String, Vec<(String, String)>)> {
    if !is_index(page.claims.len()) {
        return Ok((page_html(page)?, Vec::new()));
    }
    let doubts = Doubts::new();
    let index = PageView::doubting(page, &doubts, Some(WAY));
    Ok((
        rendered(&index)?,
        site::with_files(claim_pages(page, &doubts)?),
    ))
}

/// A page for each claim of an index, with its name.
fn claim_pages(page: &Page, doubts: &Doubts) -> io::Result<Vec<(String, String)>> {
    let inner = Page {
        folder: page.folder.join(PAGES),
        ..page.clone()
    };
    let view = PageView::doubting(&inner, doubts, Some(""));
    let puzzle = |name: &str| format!("{INDEX}?puzzle={name}");
    site::claim_pages(&view, INDEX, puzzle)
}

/// From an index to the pages of its claims, and back.
const WAY: &str = "pages/";
const INDEX: &str = "../report.html";

/// The legend of an instance, else that of its puzzle.
fn legend_of<'a>(legends: &'a BTreeMap<String, Legend>, place: &str) -> Option<&'a Legend> {
    let puzzle = place.split('/').next().unwrap_or_default();
    legends.get(place).or_else(|| legends.get(puzzle))
}

/// Whether the page of a number of claims is an index.
#[must_use]
pub fn is_index(claims: usize) -> bool {
    claims > MOST_UNFOLDED
}

/// Folder of the pages of claims, next to their index `report.html`.
pub const PAGES: &str = "pages";

fn rendered(template: &impl Template) -> io::Result<String> {
    let text = template.render();
    text.map(shared).map_err(io::Error::other)
}

/// A board to know an instance by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InstanceBoard {
    /// The only start.
    Start(String),
    /// The only solved one, of an instance without its own start.
    Solved(String),
}

/// Shortest solutions by the title of a run and a board.
pub type Solutions = BTreeMap<(String, String), Picture>;

/// The heading of a page over results, and how it draws boards.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ReportHead {
    /// The headline.
    pub title: String,
    /// When the page is written, in seconds since 1970-01-01 UTC.
    pub generated_unix_s: u64,
    /// Version of the tool that writes it.
    pub tool_version: String,
    /// The command line behind the page, one entry per argument; may be empty.
    pub command: Vec<String>,
    /// How to draw boards, by name of the puzzle. Boards of other puzzles are shown as text.
    pub legends: BTreeMap<String, Legend>,
    /// Solutions of the hardest boards, as far as they are known.
    pub solutions: Solutions,
    /// The beginning of the page, as far as the claims support it.
    pub findings: Vec<PageFinding>,
    /// Boards of instances, as `PUZZLE/INSTANCE`, for claims about them without a picture.
    pub boards: BTreeMap<String, InstanceBoard>,
    /// The folder that the page is for: links to files lead from there.
    pub folder: PathBuf,
}

/// Writes the page over results that were [gathered](crate::report::gather), whole or not at all;
/// if it is an index, after the pages of its claims. `force` is as for
/// [`clear_way`].
///
/// # Errors
/// [`WriteError`], in one line.
pub fn write_report(
    path: impl AsRef<Path>,
    head: &ReportHead,
    found: &FoundFolders,
    force: Option<bool>,
) -> Result<(), WriteError> {
    let path = path.as_ref();
    if !is_index(found.claims.len()) {
        let text = report_html(head, found);
        return write_atomically(path, |out| out.write_all(text?.as_bytes()));
    }
    let page = page_of(head, found);
    let pages = claim_pages(&page, &found.doubted);
    let pages = pages.map_err(|error| WriteError::content(path, error))?;
    let folder = path.with_file_name(PAGES);
    ensure_dir(&folder)?;
    let names: Vec<&str> = pages.iter().map(|(name, _)| name.as_str()).collect();
    clear_way(&folder, &names, force)?;
    for (name, text) in &pages {
        write_atomically(folder.join(name), |out| out.write_all(text.as_bytes()))?;
    }
    let text = rendered(&report_view_of(head, found, &page, Some(WAY)));
    write_atomically(path, |out| out.write_all(text?.as_bytes()))
}

/// The text of the page over results that were [gathered](crate::report::gather).
///
/// # Errors
/// If the template fails.
pub fn report_html(head: &ReportHead, found: &FoundFolders) -> io::Result<String> {
    let page = page_of(head, found);
    rendered(&report_view_of(head, found, &page, None))
}

/// The pictures of the findings of a page over results as separate files: a name and a text.
/// Findings whose claim has no such picture are left out.
pub fn finding_pictures(head: &ReportHead, found: &FoundFolders) -> Vec<(String, String)> {
    finding_view::pictures(&page_of(head, found))
}

/// The runs of a page over results, in their order.
fn shown_runs(found: &FoundFolders) -> impl Iterator<Item = &FoundRun> {
    let runs = found.runs.iter();
    runs.filter(|run| run.run.is_some() && !run.levels.levels.is_empty())
}

/// The contents of a page over results.
fn page_of(head: &ReportHead, found: &FoundFolders) -> Page {
    let runs = shown_runs(found).filter_map(|found| {
        Some(RunWithTables {
            run: found.run.clone()?,
            levels: found.levels.clone(),
            antipodes: found.antipodes.clone(),
        })
    });
    Page {
        title: head.title.clone(),
        generated_unix_s: head.generated_unix_s,
        tool_version: head.tool_version.clone(),
        command: head.command.clone(),
        claims: found.claims.clone(),
        not_taken: found.not_taken.clone(),
        runs: runs.collect(),
        legends: head.legends.clone(),
        behind: found.behind.clone(),
        findings: head.findings.clone(),
        boards: head.boards.clone(),
        folder: head.folder.clone(),
        ..Page::default()
    }
}

fn report_view_of<'a>(
    head: &'a ReportHead,
    found: &'a FoundFolders,
    page: &'a Page,
    apart: Option<&str>,
) -> PageView<'a> {
    let summary = format!(
        "The page was made from the files of {}; nothing was searched anew.",
        found.summary()
    );
    let mut view = PageView {
        eyebrow: "Results of Antipode, from their files",
        lead: match found.claims.is_empty() {
            true => summary,
            false => format!("{}{} {summary}", lead(&found.claims), doubt(found)),
        },
        marks: &found.marks,
        unsealed: &found.unsealed,
        seed: None,
        remark: "It was made from the files in the folders that the command names; nothing was measured or searched for it.",
        sections: report_view::sections(found, &head.legends),
        ..PageView::doubting(page, &found.doubted, apart)
    };
    for (run, from) in view.runs.iter_mut().zip(shown_runs(found)) {
        run.altered = found.warning(&from.folder);
    }
    view
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
    seed: Option<u64>,
    findings: Vec<FindingView<'a>>,
    puzzles: Vec<Chip<'a>>,
    claims: Vec<ClaimView<'a>>,
    /// Whether the page has the claims themselves, and not only their table.
    in_full: bool,
    /// Parent pages of this one, the outermost first.
    above: Vec<(&'static str, &'static str)>,
    /// Child pages of this one, each with its name.
    pages: Vec<(String, String)>,
    runs: Vec<RunView<'a>>,
    eyebrow: &'static str,
    remark: &'static str,
    sections: Vec<Section<'a>>,
    marks: &'a [ChangedFile],
    not_taken: &'a [NotTaken],
    unsealed: &'a [String],
}

/// Claims that a page shows unfolded, puzzle after puzzle.
const MOST_UNFOLDED: usize = 40;

impl<'a> PageView<'a> {
    /// The claims puzzle by puzzle.
    fn by_puzzle(&self) -> impl Iterator<Item = (&'a str, &[ClaimView<'a>])> {
        let groups = self.claims.chunk_by(|a, b| a.puzzle == b.puzzle);
        groups.map(|claims| (claims[0].puzzle, claims))
    }

    /// Whether the claims of each puzzle are folded.
    fn is_folded(&self) -> bool {
        self.claims.len() > MOST_UNFOLDED && self.by_puzzle().nth(1).is_some()
    }

    fn new(page: &'a Page) -> Self {
        Self::doubting(page, &Doubts::new(), None)
    }

    /// The page without unbelievable verdicts; `apart` leads to the pages of claims, if each has
    /// its own.
    fn doubting(page: &'a Page, doubts: &Doubts, apart: Option<&str>) -> Self {
        let mut anchors = Anchors::default();
        let known = KnownClaims {
            behind: &page.behind,
            boards: &page.boards,
            folder: &page.folder,
            apart,
        };
        let claims: Vec<ClaimView<'_>> = page
            .claims
            .iter()
            .map(|claim| {
                let doubt = doubts.get(&claim.id).map(String::as_str);
                let legend = legend_of(&page.legends, &claim.place());
                ClaimView::new(claim, legend, &mut anchors, doubt, &known)
            })
            .collect();
        PageView {
            findings: finding_view::findings(page, doubts, &claims),
            puzzles: chips(&page.claims),
            in_full: apart.is_none(),
            above: Vec::new(),
            pages: Vec::new(),
            title: &page.title,
            tool_version: &page.tool_version,
            lead: lead(&page.claims),
            marks: &[],
            not_taken: &page.not_taken,
            unsealed: &[],
            counts: verdict_view::counts(&page.claims, doubts),
            meanings: Verdict::ALL.map(Meaning::of).into(),
            generated: wording::utc(page.generated_unix_s),
            command: wording::command_line(&page.command),
            effort: &page.effort,
            seed: Some(page.seed),
            eyebrow: "Published claims about puzzles, re-derived",
            remark: "The same command with the same seed gives the same figures on any machine and with any number of threads; only the times differ.",
            sections: Vec::new(),
            claims,
            runs: page
                .runs
                .iter()
                .map(|run| {
                    let place = format!("{}/{}", run.run.puzzle, run.run.instance);
                    RunView::new(run, legend_of(&page.legends, &place))
                })
                .collect(),
        }
    }
}

/// A puzzle with the number of its claims.
struct Chip<'a> {
    name: &'a str,
    number: usize,
}

/// The puzzles in the order of their claims; empty if there is only one.
fn chips(claims: &[ClaimResult]) -> Vec<Chip<'_>> {
    let mut chips: Vec<Chip<'_>> = Vec::new();
    for claim in claims {
        match chips.iter_mut().find(|chip| chip.name == claim.puzzle) {
            Some(chip) => chip.number += 1,
            None => chips.push(Chip {
                name: &claim.puzzle,
                number: 1,
            }),
        }
    }
    chips
}

fn lead(claims: &[ClaimResult]) -> String {
    let unexpected = claims.iter().filter(|claim| !claim.as_expected()).count();
    let of = |origin| claims.iter().filter(|claim| claim.origin == origin).count();
    let opening = match of(Origin::Published) {
        0 if claims.is_empty() => {
            return "No claims were checked; the page shows what the runs found.".to_owned();
        }
        0 => "No published claim was worked out.".to_owned(),
        1 => "One published claim was worked out again from the rules of its puzzle.".to_owned(),
        count => {
            let count = capitalised(&wording::in_words(count));
            format!(
                "{count} published claims were worked out again from the rules of their puzzles."
            )
        }
    };
    let undecided = claims
        .iter()
        .filter(|claim| verdict_view::is_merely_undecided(claim))
        .count();
    let unreached = match (undecided, unexpected) {
        (0, _) => String::new(),
        (1, 1) => "; it was not reached".to_owned(),
        (1, _) => "; one of them was not reached".to_owned(),
        (n, all) if n == all => "; they were not reached".to_owned(),
        (n, _) => format!("; {} of them were not reached", wording::in_words(n)),
    };
    let surprise = match unexpected {
        0 => " Every verdict is the one that was expected.".to_owned(),
        1 => format!(" One verdict is not the one that was expected{unreached}."),
        n => format!(
            " {} verdicts are not the ones that were expected{unreached}.",
            capitalised(&wording::in_words(n))
        ),
    };
    let ours = match of(Origin::Ours) {
        0 => String::new(),
        1 => " One more is a finding of our own.".to_owned(),
        n => format!(
            " {} more are findings of our own.",
            capitalised(&wording::in_words(n))
        ),
    };
    opening + &ours + &surprise
}

/// How many claims are not to be believed, in a sentence.
fn doubt(found: &FoundFolders) -> String {
    let is_doubted = |claim: &&ClaimResult| found.doubted.contains_key(&claim.id);
    match found.claims.iter().filter(is_doubted).count() {
        0 => String::new(),
        1 => " One of them rests on a file that is not as it was written, and has no verdict here."
            .to_owned(),
        n => format!(
            " {} of them rest on files that are not as they were written, and have no verdict here.",
            capitalised(&wording::in_words(n))
        ),
    }
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters
        .next()
        .map(|first| first.to_uppercase().chain(letters).collect())
        .unwrap_or_default()
}
