//! A claim's pictures: its own, and figures of its cases.

use super::InstanceBoard;
use super::case_view::CaseView;
use super::picture_view::{BoardView, Figure, explore};
use crate::model::{CaseRecord, ClaimResult, Legend, Picture, PictureKind};
use crate::report::Behind;
use std::collections::BTreeSet;

/// Most solutions drawn in full for one claim. Of a claim with more, the first board of each is
/// visible, and its moves are collapsed.
const MOST_STRIPS: usize = 3;

/// The cases' additions. Readings of one derivation share their figures, which are shown once.
pub(super) fn cases(behind: &Behind, legend: Option<&Legend>, puzzle: &str) -> Vec<CaseView> {
    let mut shown = Vec::new();
    let mut views = Vec::new();
    for case in &behind.cases {
        let own = (&case.figures, case.board.as_ref());
        if !shown.contains(&own) || case.proof.is_some() {
            views.push(CaseView::new(case, legend, puzzle, &behind.repeat));
            shown.push(own);
        }
    }
    if views.len() == 1 {
        views.iter_mut().for_each(|view| view.reading.clear());
    }
    views.retain(|view| !view.is_empty());
    views
}

/// The pictures; for a claim without any, its instance's own board. A board that a proof is drawn on
/// is not drawn again without it.
pub(super) fn figures(
    claim: &ClaimResult,
    behind: &Behind,
    cases: &[CaseView],
    board: Option<&InstanceBoard>,
    legend: Option<&Legend>,
) -> Vec<Figure> {
    let shown: BTreeSet<&str> = cases.iter().flat_map(CaseView::states).collect();
    let is_drawn = cases.iter().any(|case| !case.figures.is_empty());
    let board = board.filter(|_| !is_drawn && legend.is_some());
    let mut figures = match (&claim.witnesses[..], board) {
        ([], Some(board)) => vec![of_instance(&claim.place(), board, legend)],
        (witnesses, _) => of_witnesses(witnesses, legend),
    };
    figures.retain(|figure| figure.steps().is_some() || !shown.contains(figure.states()[0]));
    for figure in &mut figures {
        let first = figure.states().first().copied().map(str::to_owned);
        figure.explore = command(claim, behind, first.as_deref());
    }
    figures
}

fn of_instance(place: &str, board: &InstanceBoard, legend: Option<&Legend>) -> Figure {
    let (state, how) = match board {
        InstanceBoard::Start(state) => (state, "as it begins"),
        InstanceBoard::Solved(state) => (state, "solved"),
    };
    let board = BoardView::new(state, place, legend);
    Figure::board(format!("{place}, {how}"), board)
}

fn of_witnesses(witnesses: &[Picture], legend: Option<&Legend>) -> Vec<Figure> {
    let is_strip = |picture: &&Picture| matches!(picture.kind, PictureKind::Strip { .. });
    let many = witnesses.iter().filter(is_strip).count() > MOST_STRIPS;
    let draw = if many { Figure::card } else { Figure::new };
    witnesses.iter().map(|one| draw(one, legend)).collect()
}

/// The command that explores a board of a claim. Empty if the claim's cases are about several
/// instances, or are derived, so that a board may be a misprint.
fn command(claim: &ClaimResult, behind: &Behind, board: Option<&str>) -> String {
    let (Some(board), Some(first)) = (board, behind.cases.first()) else {
        return String::new();
    };
    let same = |case: &CaseRecord| {
        (&case.instance, &case.settings) == (&first.instance, &first.settings)
            && case.kind != "derived"
    };
    match &first.instance {
        Some(instance) if behind.cases.iter().all(same) => {
            let place = format!("{}/{instance}", claim.puzzle);
            explore(&place, &first.settings, board, &behind.repeat)
        }
        _ => String::new(),
    }
}
