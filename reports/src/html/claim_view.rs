use super::behind::{Link, encoded};
use super::case_view::{CaseView, without_figures};
use super::claim_pictures::{cases, figures};
use super::picture_view::{self, Figure, KeyEntry};
use super::run_view::Fact;
use super::verdict_view::{Expected, VerdictView};
use super::{ReportHead, free_name};
use crate::model::{Bound, ClaimResult, Reading};
use crate::report::{Behind, FoundFolders};
use crate::wording;
use askama::Template;
use std::collections::BTreeSet;

/// A claim's own anchor: its id if it can be one. Two results can be about one claim, from
/// different engines, and an anchor must be unique and free of spaces.
fn anchor(id: &str, taken: &mut BTreeSet<String>) -> String {
    let base = id.replace(|c: char| c.is_whitespace() || c.is_control(), "-");
    match base.is_empty() || base.starts_with("page-") {
        true => free_name(&format!("claim-{base}"), taken),
        false => free_name(&base, taken),
    }
}

/// Address of an anchor within the page. Everything that could end or change an address is encoded.
fn fragment(anchor: &str) -> String {
    format!("#{}", encoded(anchor, "/"))
}

/// A figure as text: with grouped digits for reading, without for sorting.
pub(super) struct Amount {
    pub(super) plain: String,
    pub(super) shown: String,
}

impl Amount {
    fn new(text: &str, unit: &str) -> Self {
        let shown = match text {
            "" => "–".to_owned(),
            text => wording::amount(text, unit),
        };
        Amount {
            plain: text.replace([',', '_'], ""),
            shown,
        }
    }

    fn claimed(claimed: &str, bound: Option<Bound>, unit: &str) -> Self {
        let mut amount = Self::new(claimed, unit);
        if !claimed.is_empty() {
            amount.shown = wording::claimed(claimed, bound, unit);
        }
        amount
    }

    fn found(claimed: &str, bound: Option<Bound>, found: &str, unit: &str) -> Self {
        let mut amount = Self::new(found, unit);
        if let Some(off) = wording::deviation(claimed, bound, found) {
            amount.shown += &format!(" ({off})");
        }
        amount
    }
}

/// A reading as the page shows it; its name, statement and note are HTML.
pub(super) struct ReadingView {
    pub(super) name: String,
    pub(super) statement: String,
    pub(super) claimed: String,
    pub(super) found: String,
    pub(super) verdict: VerdictView,
    pub(super) note: String,
}

impl ReadingView {
    fn new(claim: &ClaimResult, reading: &Reading, behind: &Behind) -> Self {
        let unit = claim.unit_shown(&reading.unit);
        ReadingView {
            name: wording::with_code(&reading.name),
            // Most readings have the claim's own words, which are above them.
            statement: match reading.statement == claim.statement {
                true => String::new(),
                false => wording::with_code(&reading.statement),
            },
            claimed: Amount::claimed(&reading.claimed, reading.bound, unit).shown,
            found: Amount::found(&reading.claimed, reading.bound, &reading.found, unit).shown,
            verdict: VerdictView::of(reading.verdict),
            note: shown_note(&reading.note, behind),
        }
    }
}

/// A note in HTML, without figures that a table shows.
fn shown_note(note: &str, behind: &Behind) -> String {
    wording::with_code(&prose_apart(without_figures(note, &behind.cases)))
}

/// A note with the digits of counts grouped, except in code.
fn prose_apart(note: &str) -> String {
    let parts = note.split('`').enumerate();
    let parts: Vec<_> = parts
        .map(|(nth, part)| match nth % 2 {
            0 => wording::counts_apart(part),
            _ => part.to_owned(),
        })
        .collect();
    parts.join("`")
}

#[derive(Template)]
#[template(path = "claim.html")]
pub(super) struct ClaimView<'a> {
    /// Whether the page has all claims in full.
    pub(super) in_full: bool,
    /// Level of the headings of its parts.
    pub(super) level: u8,
    pub(super) of: &'a ClaimResult,
    pub(super) anchor: String,
    pub(super) href: String,
    pub(super) place: String,
    /// In HTML.
    pub(super) statement: String,
    pub(super) headline: String,
    pub(super) search: String,
    pub(super) claimed: Amount,
    pub(super) found: Amount,
    pub(super) verdict: VerdictView,
    pub(super) expected: Expected,
    pub(super) readings: Vec<ReadingView>,
    /// In HTML.
    pub(super) notes: Vec<String>,
    pub(super) key: Vec<KeyEntry<'a>>,
    pub(super) figures: Vec<Figure>,
    pub(super) cases: Vec<CaseView>,
    pub(super) facts: Vec<Fact>,
    pub(super) certificate: Option<Link>,
    pub(super) data: Vec<Link>,
    pub(super) repeat: String,
}

impl<'a> ClaimView<'a> {
    pub(super) fn new(
        claim: &'a ClaimResult,
        head: &'a ReportHead,
        found: &FoundFolders,
        apart: Option<&str>,
        anchors: &mut BTreeSet<String>,
    ) -> Self {
        let anchor = anchor(&claim.id, anchors);
        let place = claim.place();
        let legend = head.legend(&place);
        let doubt = found.doubted.get(&claim.id);
        let nothing = Behind::default();
        let behind = found.behind.get(&claim.id).unwrap_or(&nothing);
        let cases = cases(behind, legend, &claim.puzzle);
        let figures = figures(claim, behind, &cases, head.boards.get(&place), legend);
        let drawn = figures
            .iter()
            .chain(cases.iter().flat_map(|case| &case.figures));
        let notes = claim.notes.iter().map(|note| shown_note(note, behind));
        let link = |file| Link::to(file, &head.folder);
        let readings = claim.readings.iter();
        let readings: Vec<_> = readings
            .map(|reading| ReadingView::new(claim, reading, behind))
            .collect();
        let unit = claim.unit_shown(&claim.unit);
        ClaimView {
            in_full: apart.is_none(),
            level: if apart.is_none() { 4 } else { 2 },
            href: match apart {
                Some(way) => format!("{way}{}", page_of(&claim.id)),
                None => fragment(&anchor),
            },
            anchor,
            of: claim,
            statement: wording::with_code(&claim.statement),
            headline: claim.statement.replace('`', ""),
            search: format!("{place} {} {} {}", claim.source, claim.section, claim.kind),
            place,
            claimed: Amount::claimed(&claim.claimed, claim.bound, unit),
            found: Amount::found(&claim.claimed, claim.bound, &claim.found, unit),
            verdict: doubt.map_or_else(|| VerdictView::of_claim(claim), |_| VerdictView::doubted()),
            expected: match doubt {
                Some(why) => Expected::doubted(claim, why),
                None => Expected::of(claim),
            },
            readings,
            notes: notes.filter(|note| !note.is_empty()).collect(),
            key: picture_view::key(drawn.flat_map(Figure::states), legend),
            figures,
            cases,
            facts: facts(claim),
            certificate: Some(&behind.certificate)
                .filter(|path| !path.as_os_str().is_empty())
                .map(|path| link(path)),
            data: behind.data.iter().map(|path| link(path)).collect(),
            repeat: wording::command_line(&behind.repeat),
        }
    }
}

const MOST_READINGS: usize = 6;

impl ClaimView<'_> {
    /// Whether there are readings, and few enough to show their figures next to each other.
    pub(super) fn has_few_readings(&self) -> bool {
        !self.readings.is_empty() && !self.has_many_readings()
    }

    /// Whether the readings are too many to come first.
    pub(super) fn has_many_readings(&self) -> bool {
        self.readings.len() > MOST_READINGS
    }

    pub(super) fn is_drawn(&self) -> bool {
        !self.figures.is_empty() || self.cases.iter().any(|case| !case.figures.is_empty())
    }
}

/// The file of a claim's own page.
pub fn page_of(id: &str) -> String {
    let plain = |c: char| match c.is_ascii_alphanumeric() || "-_.".contains(c) {
        true => c,
        false => '-',
    };
    format!("claim-{}.html", id.chars().map(plain).collect::<String>())
}

/// Only web addresses become links; a source could as well begin with `javascript:`.
pub(super) fn is_link(source: &str) -> bool {
    let is_web = source.starts_with("https://") || source.starts_with("http://");
    is_web && !source.contains(char::is_whitespace)
}

fn facts(claim: &ClaimResult) -> Vec<Fact> {
    let mut facts = vec![
        Fact::plain("Kind of claim", &claim.kind),
        Fact::plain("Version of the rules", &claim.variant),
        Fact::plain("Method of search", &claim.engine),
        Fact::plain("Effort", &claim.effort),
        Fact::plain("Time", wording::duration(claim.wall_s)),
    ];
    facts.retain(|fact| !fact.value.is_empty());
    facts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn anchors_are_unique_and_free_of_spaces() {
        let mut taken = BTreeSet::new();
        let given = ["tilt/box", "tilt/box", "two words", "page-main", ""];
        let given = given.map(|id| anchor(id, &mut taken));
        let own = "tilt/box tilt/box-2 two-words claim-page-main claim-";
        assert_eq!(given.join(" "), own);
    }

    #[test]
    fn counts_in_notes_are_apart_and_code_is_as_it_is() {
        assert_eq!(
            prose_apart("19474 states, by `--seed 19474`, in 12345."),
            "19,474 states, by `--seed 19474`, in 12,345."
        );
    }

    #[test]
    fn addresses_are_encoded() {
        assert_eq!(fragment("tilt/box.1"), "#tilt/box.1");
        assert_eq!(fragment("a\"b%é"), "#a%22b%25%C3%A9");
    }
}
