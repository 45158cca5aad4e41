//! The beginning of a page: a few findings, each a sentence, a verdict, a picture and a link.

use super::claim_view::ClaimView;
use super::picture_view::{BoardView, Figure, StepView};
use super::verdict_view::VerdictView;
use super::{NamedPage, PageView, ReportHead};
use crate::model::Verdict;
use crate::report::FoundFolders;
use crate::svg::standalone;
use serde::Deserialize;

/// A finding that a page opens with if a claim supports it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PageFinding {
    /// A name for the file of its picture.
    pub name: String,
    /// The claim that it rests on.
    pub claim: String,
    /// Verdicts of the claim that support it.
    pub verdicts: Vec<Verdict>,
    /// The finding; `{found}` stands for the figure found.
    pub sentence: String,
    /// The claim whose picture is shown with it; the claim itself if left out.
    #[serde(default)]
    pub picture: Option<String>,
    /// The picture.
    pub show: Show,
}

/// Which of a claim's pictures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Show {
    /// The first board of its longest solution, or its first board.
    Start,
    /// The first board and the last one of its longest solution.
    Ends,
    /// Its certificate's additions: a proof on the board, bits.
    Case,
}

pub(super) struct FindingView<'a> {
    pub(super) sentence: String,
    pub(super) verdict: VerdictView,
    pub(super) id: &'a str,
    pub(super) href: String,
    pub(super) pictures: Vec<String>,
}

pub(super) fn findings<'a>(
    head: &'a ReportHead,
    found: &FoundFolders,
    views: &[ClaimView<'a>],
) -> Vec<FindingView<'a>> {
    let believed = |view: &&ClaimView<'_>| !found.doubted.contains_key(&view.of.id);
    let claims = || views.iter().filter(believed);
    let of = |finding: &'a PageFinding| {
        let view = claims().find(|view| view.of.id == finding.claim)?;
        if !finding.verdicts.contains(&view.of.verdict) {
            return None;
        }
        let shown = claims().find(|view| view.of.id == *finding.shown());
        let pictures = shown.map(|view| pictures_of(head, view, finding.show));
        let sentence = finding.sentence.replace("{found}", &view.found.shown);
        Some(FindingView {
            sentence,
            verdict: VerdictView::of_claim(view.of),
            id: &view.of.id,
            href: view.href.clone(),
            pictures: pictures.unwrap_or_default(),
        })
    };
    head.findings.iter().filter_map(of).collect()
}

impl PageFinding {
    fn shown(&self) -> &String {
        self.picture.as_ref().unwrap_or(&self.claim)
    }
}

/// The pictures of the findings of a page over results as separate files: a name and a text.
pub fn pictures(head: &ReportHead, found: &FoundFolders) -> Vec<NamedPage> {
    let views = PageView::bare(head, found, None).claims;
    let files = head.findings.iter().flat_map(|finding| {
        let view = views.iter().find(|view| view.of.id == *finding.shown());
        let pictures = view.map(|view| pictures_of(head, view, finding.show));
        let pictures = pictures.unwrap_or_default();
        let several = pictures.len() > 1;
        let named = (1..).zip(pictures).map(move |(nth, svg): (usize, String)| {
            let nth = if several {
                format!("-{nth}")
            } else {
                String::new()
            };
            (format!("{}{nth}.svg", finding.name), standalone(&svg))
        });
        named.collect::<Vec<_>>()
    });
    files.collect()
}

fn pictures_of(head: &ReportHead, view: &ClaimView<'_>, show: Show) -> Vec<String> {
    let legend = head.legend(&view.place);
    let figures = view.figures.iter();
    let steps = figures.clone().filter_map(Figure::steps);
    let longest = steps.max_by_key(|steps| steps.len());
    // Without what moved last.
    let step = |step: Option<&StepView>| {
        step.and_then(|step| BoardView::new(&step.board.state, &view.of.id, legend).svg)
    };
    match show {
        Show::Start => {
            let first = longest.and_then(|steps| step(steps.first()));
            first
                .or_else(|| figures.clone().find_map(Figure::svg))
                .into_iter()
                .collect()
        }
        Show::Ends => {
            let ends = longest.map(|steps| [step(steps.first()), step(steps.last())]);
            ends.into_iter().flatten().flatten().collect()
        }
        Show::Case => {
            let bits = view.cases.iter().flat_map(|case| &case.compared);
            let bits = bits.filter_map(|row| row.bits.as_ref()).take(1);
            let bits: Vec<String> = bits.flat_map(|(a, b, _)| [a.clone(), b.clone()]).collect();
            if !bits.is_empty() {
                return bits;
            }
            let cases = view.cases.iter().flat_map(|case| &case.figures);
            cases.filter_map(Figure::svg).take(1).collect()
        }
    }
}
