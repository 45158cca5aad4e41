//! A claim's pictures: those of each reading, figures of its cases, notes without them.

use super::InstanceBoard;
use super::case_view::{CaseView, without_figures};
use super::picture_view::{BoardView, Figure, explore};
use crate::model::{CaseRecord, ClaimResult, Legend, Picture, PictureKind};
use crate::report::Behind;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// Pictures of one reading of a claim, or of the claim itself.
pub(super) struct PictureGroup<'a> {
    /// Name of the reading; empty if there is no other.
    pub(super) title: &'a str,
    pub(super) figures: Vec<Figure<'a>>,
}

/// Most solutions drawn in full for one claim. Of a claim with more, the first board of each is
/// visible, and its moves are collapsed.
const MOST_STRIPS: usize = 3;

/// The notes without figures that a table has, and the order of these.
pub(super) fn notes<'a>(
    claim: &'a ClaimResult,
    behind: &Behind,
) -> (Vec<Cow<'a, str>>, Vec<String>) {
    let mut order = Vec::new();
    let bare = |note: &'a String| {
        let mut cases = behind.cases.iter();
        let found = cases.find_map(|case| without_figures(note, &case.figures));
        let (note, names) = match found {
            Some((note, names)) => (Cow::Owned(note), names),
            None => (Cow::Borrowed(note.as_str()), Vec::new()),
        };
        order.extend(names);
        note
    };
    let notes = claim.notes.iter().map(bare).filter(|note| !note.is_empty());
    let notes = notes.collect();
    for reading in &claim.readings {
        let mut cases = behind.cases.iter();
        let case = cases.find(|case| case.reading == reading.name);
        let found = case.and_then(|case| without_figures(&reading.note, &case.figures));
        order.extend(found.into_iter().flat_map(|(_, names)| names));
    }
    (notes, order)
}

/// The cases' additions. Readings of one derivation share their figures, which are shown once.
pub(super) fn cases(
    behind: &Behind,
    order: &[String],
    legend: Option<&Legend>,
    puzzle: &str,
) -> Vec<CaseView> {
    let mut shown: Vec<(&BTreeMap<String, String>, Option<&String>)> = Vec::new();
    let mut views = Vec::new();
    for case in &behind.cases {
        let own = (&case.figures, case.board.as_ref());
        if !shown.contains(&own) || case.proof.is_some() {
            views.push(CaseView::new(case, order, legend, puzzle));
            shown.push(own);
        }
    }
    if views.len() == 1 {
        views.iter_mut().for_each(|view| view.reading.clear());
    }
    views.retain(|view| !view.is_empty());
    views
}

/// The pictures, grouped by reading; for a claim without any, its instance's own board. A board
/// that a proof is drawn on is not drawn again without it.
pub(super) fn groups<'a>(
    claim: &'a ClaimResult,
    behind: &Behind,
    cases: &[CaseView],
    board: Option<&InstanceBoard>,
    legend: Option<&'a Legend>,
) -> Vec<PictureGroup<'a>> {
    let shown: BTreeSet<&str> = cases.iter().flat_map(CaseView::states).collect();
    let mut groups = all_groups(claim, behind, cases, board, legend);
    for group in &mut groups {
        let is_shown = |figure: &Figure<'_>| shown.contains(figure.states()[0]);
        group
            .figures
            .retain(|figure| figure.steps().is_some() || !is_shown(figure));
    }
    groups.retain(|group| !group.figures.is_empty());
    for group in &mut groups {
        for figure in &mut group.figures {
            let first = figure.states().first().copied();
            let first = first.map(str::to_owned);
            figure.explore = command(claim, behind, group.title, first.as_deref());
        }
    }
    groups
}

/// The command that explores a board of a claim, or of one of its readings. Empty if the claim's
/// cases are about several instances, or are derived, so that a board may be a misprint.
pub(super) fn command(
    claim: &ClaimResult,
    behind: &Behind,
    reading: &str,
    board: Option<&str>,
) -> String {
    let mut cases = behind
        .cases
        .iter()
        .filter(|case| reading.is_empty() || case.reading == reading);
    let (Some(board), Some(first)) = (board, cases.next()) else {
        return String::new();
    };
    let same = |case: &CaseRecord| {
        (&case.instance, &case.settings) == (&first.instance, &first.settings)
            && case.kind != "derived"
    };
    match &first.instance {
        Some(instance) if same(first) && cases.all(same) => explore(
            &format!("{}/{instance}", claim.puzzle),
            &first.settings,
            board,
        ),
        _ => String::new(),
    }
}

fn all_groups<'a>(
    claim: &'a ClaimResult,
    behind: &Behind,
    cases: &[CaseView],
    board: Option<&InstanceBoard>,
    legend: Option<&'a Legend>,
) -> Vec<PictureGroup<'a>> {
    let witnesses = &claim.witnesses;
    let is_strip = |picture: &&Picture| matches!(picture.kind, PictureKind::Strip { .. });
    let draw: fn(&'a Picture, Option<&Legend>) -> Figure<'a> =
        match witnesses.iter().filter(is_strip).count() > MOST_STRIPS {
            true => Figure::card,
            false => Figure::new,
        };
    let figures = |pictures: &'a [Picture]| pictures.iter().map(|p| draw(p, legend)).collect();
    if witnesses.is_empty() {
        let is_drawn = cases.iter().any(|case| !case.figures.is_empty());
        let board = board.filter(|_| !is_drawn && legend.is_some());
        let group = board.map(|board| {
            let (state, how) = match board {
                InstanceBoard::Start(state) => (state, "as it begins"),
                InstanceBoard::Solved(state) => (state, "solved"),
            };
            let place = claim.place();
            let board = BoardView::new(state, &place, legend);
            PictureGroup {
                title: "",
                figures: vec![Figure::board(format!("{place}, {how}"), board)],
            }
        });
        return group.into_iter().collect();
    }
    let counts: Vec<usize> = behind.cases.iter().map(|case| case.witnesses).collect();
    let apart = counts.iter().filter(|count| **count > 0).count() > 1
        && counts.iter().sum::<usize>() == witnesses.len()
        && counts.len() == claim.readings.len()
        && counts.len() <= MOST_STRIPS;
    if !apart {
        let figures = figures(witnesses);
        return vec![PictureGroup { title: "", figures }];
    }
    let mut rest = &witnesses[..];
    let mut groups = Vec::new();
    for (reading, count) in claim.readings.iter().zip(counts) {
        let (mine, others) = rest.split_at(count);
        rest = others;
        if !mine.is_empty() {
            groups.push(PictureGroup {
                title: &reading.name,
                figures: figures(mine),
            });
        }
    }
    groups
}

pub(super) fn drawn_states(groups: &[PictureGroup<'_>], cases: &[CaseView]) -> Vec<String> {
    let figures = groups.iter().flat_map(|group| &group.figures);
    let figures = figures.chain(cases.iter().flat_map(|case| &case.figures));
    let states = figures.flat_map(Figure::states);
    states.map(str::to_owned).collect()
}
