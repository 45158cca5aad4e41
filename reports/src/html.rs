//! One page for people: verdicts, evidence, boards and level sizes in a single HTML file that needs
//! no network and no server.

mod behind;
mod case_view;
mod claim_pictures;
mod claim_view;
mod explore_page;
mod finding_view;
mod picture_view;
mod record_pages;
mod report_view;
mod run_view;
pub mod site;
mod verdict_view;

pub use claim_view::page_of as claim_page;
pub use explore_page::{
    EXPLORE_SCRIPT, ExplorePage, ExplorePuzzle, ExploreSetting, explore_html, picture, playable,
};
pub use finding_view::{PageFinding, Show, pictures as finding_pictures};
pub use record_pages::{
    Matrix, cards_html, matrix_html, path_page_html, permute_html, plan_html, referee_html,
    run_html, table_html,
};

use crate::atomic::{WriteError, ensure_clean, write_atomically};
use crate::model::{ClaimResult, Legend, Origin};
use crate::report::FoundFolders;
use crate::results::clear_way;
use crate::{count, wording};
use askama::Template;
use claim_view::ClaimView;
use finding_view::FindingView;
use picture_view::BoardView;
use report_view::{Block, Section};
use run_view::{Fact, RunView};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use verdict_view::VerdictView;

pub(crate) type NamedPage = (String, String);

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
    /// The effort allowed, such as `quick`; may be empty.
    pub effort: String,
    /// Seed of all sampling, if the page is that of the command that searched.
    pub seed: Option<u64>,
    /// How to draw boards, by name of the puzzle. Boards of other puzzles are shown as text.
    pub legends: BTreeMap<String, Legend>,
    /// The beginning of the page, as far as the claims support it.
    pub findings: Vec<PageFinding>,
    /// Boards of instances, as `PUZZLE/INSTANCE`, for claims about them without a picture.
    pub boards: BTreeMap<String, InstanceBoard>,
    /// The folder that the page is for: links to files lead from there.
    pub folder: PathBuf,
}

impl ReportHead {
    /// The legend of an instance, else that of its puzzle.
    fn legend(&self, place: &str) -> Option<&Legend> {
        let puzzle = place.split('/').next().unwrap_or_default();
        self.legends.get(place).or_else(|| self.legends.get(puzzle))
    }
}

/// A board to know an instance by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InstanceBoard {
    /// The only start.
    Start(String),
    /// The only solved one, of an instance without its own start.
    Solved(String),
}

/// Whether the page of a number of claims is an index.
pub fn is_index(claims: usize) -> bool {
    claims > MOST_IN_FULL
}

/// Folder of the pages of claims, next to their index `report.html`.
pub const PAGES: &str = "pages";
/// From an index to the pages of its claims, and back.
const WAY: &str = "pages/";
const INDEX: &str = "../report.html";

/// The text of the page over results, which is an index if there are many claims. An index has a
/// page for each claim, with its name, for the folder [`PAGES`].
pub fn pages_html(head: &ReportHead, found: &FoundFolders) -> io::Result<(String, Vec<NamedPage>)> {
    if !is_index(found.claims.len()) {
        return Ok((report_html(head, found)?, Vec::new()));
    }
    let index = rendered(&PageView::new(head, found, Some(WAY)))?;
    Ok((index, claim_pages(head, found)?))
}

fn claim_pages(head: &ReportHead, found: &FoundFolders) -> io::Result<Vec<NamedPage>> {
    let inner = ReportHead {
        folder: head.folder.join(PAGES),
        ..head.clone()
    };
    let view = PageView::bare(&inner, found, Some(""));
    let puzzle = |name: &str| format!("{INDEX}?puzzle={name}");
    site::claim_pages(&view, INDEX, puzzle).map(site::with_files)
}

/// Writes the page over results, whole or not at all; if it is an index, after the pages of its
/// claims. `force` is as for [`clear_way`].
pub fn write_report(
    path: impl AsRef<Path>,
    head: &ReportHead,
    found: &FoundFolders,
    force: Option<bool>,
) -> Result<(), WriteError> {
    let path = path.as_ref();
    let pages = pages_html(head, found);
    let (index, pages) = pages.map_err(|error| WriteError::content(path, error))?;
    if !pages.is_empty() {
        let folder = path.with_file_name(PAGES);
        ensure_clean(&folder)?;
        let names: Vec<&str> = pages.iter().map(|(name, _)| name.as_str()).collect();
        clear_way(&folder, &names, "report", force)?;
        for (name, text) in &pages {
            write_atomically(folder.join(name), text)?;
        }
    }
    write_atomically(path, index)
}

/// The text of the page over results, in one piece.
pub fn report_html(head: &ReportHead, found: &FoundFolders) -> io::Result<String> {
    rendered(&PageView::new(head, found, None))
}

fn rendered(template: &impl Template) -> io::Result<String> {
    template.render().map_err(io::Error::other)
}

/// What every page has around its content.
struct Frame<'a> {
    title: Cow<'a, str>,
    lead: Cow<'a, str>,
    tool_version: &'a str,
    /// A line above the title, and the pages that lead here, by name and address.
    eyebrow: &'a str,
    above: Vec<(String, String)>,
    /// How the page was made.
    facts: Vec<Fact>,
    /// Whether style and script are files next to the page.
    linked: bool,
}

const STYLE: &str = include_str!("../templates/page.css");
const SCRIPT: &str = include_str!("../templates/page.js");

impl<'a> Frame<'a> {
    fn new(
        eyebrow: &'a str,
        title: impl Into<Cow<'a, str>>,
        lead: impl Into<Cow<'a, str>>,
        tool_version: &'a str,
        command: &[String],
    ) -> Self {
        let mut facts = vec![Fact::plain(
            "Written by",
            format!("Antipode {tool_version}"),
        )];
        if !command.is_empty() {
            facts.push(Fact::code("Command", wording::command_line(command)));
        }
        Frame {
            title: title.into(),
            lead: lead.into(),
            tool_version,
            eyebrow,
            above: Vec::new(),
            facts,
            linked: false,
        }
    }

    /// With the time at which the page was written.
    fn at(mut self, unix_s: u64) -> Self {
        self.facts[0].value += &format!(", {}", wording::utc(unix_s));
        self
    }

    /// With further facts, in front of the command.
    fn with(mut self, facts: impl IntoIterator<Item = Fact>) -> Self {
        self.facts.splice(1..1, facts);
        self
    }

    fn linked(self, linked: bool) -> Self {
        Frame { linked, ..self }
    }
}

#[derive(Template)]
#[template(path = "page.html")]
struct PageView<'a> {
    frame: Frame<'a>,
    found: &'a FoundFolders,
    counts: Vec<(VerdictView, usize)>,
    findings: Vec<FindingView<'a>>,
    puzzles: Vec<(&'a str, usize)>,
    claims: Vec<ClaimView<'a>>,
    /// Whether the page has the claims themselves, and not only their table.
    in_full: bool,
    pages: Vec<NamedPage>,
    runs: Vec<RunView<'a>>,
    remark: &'static str,
    sections: Vec<Section<'a>>,
}

/// The line above the title of pages with claims.
const CLAIMS: &str = "Published claims about puzzles, re-derived";

/// Most claims that a page has in full.
const MOST_IN_FULL: usize = 40;

impl<'a> PageView<'a> {
    /// The page of the command that searched, or if there is no seed, of the one that read its
    /// files; `apart` leads to the pages of claims, if each has its own.
    fn new(head: &'a ReportHead, found: &'a FoundFolders, apart: Option<&str>) -> Self {
        let view = Self::bare(head, found, apart);
        if head.seed.is_some() {
            return view;
        }
        let summary = format!(
            "The page was made from the files of {}; nothing was searched anew.",
            found.summary()
        );
        let lead = match found.claims.is_empty() {
            true => summary,
            false => format!("{} {summary}", lead(found)),
        };
        PageView {
            frame: Frame {
                eyebrow: "Results of Antipode, from their files",
                lead: lead.into(),
                ..view.frame
            },
            remark: "It was made from the files in the folders that the command names; nothing was measured or searched for it.",
            sections: report_view::sections(found, &head.legends),
            ..view
        }
    }

    /// Claims and runs, without what other commands left.
    fn bare(head: &'a ReportHead, found: &'a FoundFolders, apart: Option<&str>) -> Self {
        let mut anchors = BTreeSet::new();
        let claims = found.claims.iter();
        let claims: Vec<ClaimView<'_>> = claims
            .map(|claim| ClaimView::new(claim, head, found, apart, &mut anchors))
            .collect();
        let runs = found.runs.iter();
        let runs = runs
            .filter_map(|one| RunView::new(one, head, found))
            .collect();
        let mut facts = Vec::new();
        if !head.effort.is_empty() {
            facts.push(Fact::plain("Effort", &head.effort));
        }
        let seed = head.seed.map(|seed| seed.to_string());
        facts.extend(seed.map(|seed| Fact::plain("Seed of all sampling", seed)));
        PageView {
            frame: Frame::new(
                CLAIMS,
                &head.title,
                lead(found),
                &head.tool_version,
                &head.command,
            )
            .at(head.generated_unix_s)
            .with(facts)
            .linked(apart == Some("")),
            findings: finding_view::findings(head, found, &claims),
            puzzles: puzzles(&found.claims),
            in_full: apart.is_none(),
            pages: Vec::new(),
            counts: verdict_view::counts(found),
            remark: "The same command with the same seed gives the same figures on any machine and with any number of threads; only the times differ.",
            sections: Vec::new(),
            claims,
            runs,
            found,
        }
    }
}

fn puzzles(claims: &[ClaimResult]) -> Vec<(&str, usize)> {
    let mut puzzles: Vec<(&str, usize)> = Vec::new();
    for claim in claims {
        match puzzles.iter_mut().find(|(name, _)| *name == claim.puzzle) {
            Some((_, number)) => *number += 1,
            None => puzzles.push((&claim.puzzle, 1)),
        }
    }
    puzzles
}

fn lead(found: &FoundFolders) -> String {
    if found.claims.is_empty() {
        return "No claims were checked; the page shows what the runs found.".to_owned();
    }
    let of = |is: &dyn Fn(&ClaimResult) -> bool| found.claims.iter().filter(|one| is(one)).count();
    let published = of(&|claim| claim.origin == Origin::Published);
    let mut lead = format!(
        "Worked out again from the rules of their puzzles: {}",
        count(published, "published claims")
    );
    let ours = of(&|claim| claim.origin == Origin::Ours);
    if ours > 0 {
        lead += &format!(", and {} of our own", count(ours, "findings"));
    }
    lead += &match of(&|claim| !claim.as_expected()) {
        0 => ". Every verdict is the expected one.".to_owned(),
        odd => format!(
            ". Verdicts that were not expected: {odd}, of which {} not reached.",
            of(&ClaimResult::is_merely_undecided)
        ),
    };
    let doubted = of(&|claim| found.doubted.contains_key(&claim.id));
    if doubted > 0 {
        lead +=
            &format!(" Without a verdict here, since a file is not as it was written: {doubted}.");
    }
    lead
}

/// A name as it is, or followed by a number if it is taken; it is taken then.
fn free_name(name: &str, taken: &mut BTreeSet<String>) -> String {
    let again = (2..).map(|nth| format!("{name}-{nth}"));
    let mut names = std::iter::once(name.to_owned()).chain(again);
    let free = names.find(|name| taken.insert(name.clone()));
    free.unwrap_or_default()
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters
        .next()
        .map(|first| first.to_uppercase().chain(letters).collect())
        .unwrap_or_default()
}
