use crate::model::{ClaimResult, Origin, Verdict};
use crate::report::FoundFolders;
use std::borrow::Cow;

/// A verdict in the form of the page: a mark and a word, so that colour is never the only sign.
pub(super) struct VerdictView {
    pub(super) id: &'static str,
    pub(super) label: Cow<'static, str>,
    pub(super) mark: &'static str,
    pub(super) order: usize,
}

impl VerdictView {
    pub(super) fn of(verdict: Verdict) -> Self {
        let mark = match verdict {
            Verdict::Confirmed => "✓",
            Verdict::ConfirmedBySample => "≈",
            Verdict::Refuted => "✗",
            Verdict::RefutedBySample => "≉",
            Verdict::Ambiguous => "?",
            Verdict::NotReached => "…",
            Verdict::Reported => "i",
        };
        VerdictView {
            id: verdict.id(),
            label: verdict.label().into(),
            mark,
            order: verdict as usize,
        }
    }

    /// The verdict of a claim; refutations of a text whose original was not seen are separate.
    pub(super) fn of_claim(claim: &ClaimResult) -> Self {
        match (claim.origin, claim.refutes_text_at_hand()) {
            (Origin::Ours, _) => Self::of_ours(claim.verdict),
            (_, true) => Self::of_text_at_hand(),
            (_, false) => Self::of(claim.verdict),
        }
    }

    fn of_text_at_hand() -> Self {
        VerdictView {
            id: "refuted-at-hand",
            label: "refuted, our copy".into(),
            ..Self::of(Verdict::Refuted)
        }
    }

    /// The verdict of our own finding, apart from those of published claims.
    fn of_ours(verdict: Verdict) -> Self {
        VerdictView {
            id: "ours",
            label: format!("ours, {verdict}").into(),
            ..Self::of(verdict)
        }
    }

    /// Replaces a verdict that is not to be believed.
    pub(super) fn doubted() -> Self {
        VerdictView {
            id: "not-as-written",
            label: "not as written".into(),
            mark: "!",
            order: Verdict::ALL.len(),
        }
    }
}

pub(super) fn counts(found: &FoundFolders) -> Vec<(VerdictView, usize)> {
    let claims = found.claims.iter();
    let (doubted, believed): (Vec<_>, Vec<_>) =
        claims.partition(|claim| found.doubted.contains_key(&claim.id));
    let (ours, published): (Vec<_>, Vec<_>) =
        (believed.into_iter()).partition(|claim| claim.origin == Origin::Ours);
    let (at_hand, published): (Vec<_>, Vec<_>) =
        (published.into_iter()).partition(|claim| claim.refutes_text_at_hand());
    let of_our_own = VerdictView {
        id: "ours",
        label: "of our own".into(),
        mark: "∘",
        order: Verdict::ALL.len(),
    };
    let each = Verdict::ALL.map(|verdict| {
        let of = published.iter().filter(|claim| claim.verdict == verdict);
        (VerdictView::of(verdict), of.count())
    });
    std::iter::once((VerdictView::doubted(), doubted.len()))
        .chain(each)
        .chain([
            (VerdictView::of_text_at_hand(), at_hand.len()),
            (of_our_own, ours.len()),
        ])
        .filter(|(_, number)| *number > 0)
        .collect()
}

pub(super) fn meanings() -> [(VerdictView, &'static str); Verdict::ALL.len()] {
    Verdict::ALL.map(|verdict| {
        let text = match verdict {
            Verdict::Confirmed => {
                "Every position that the claim speaks of was searched and checked on the rules, and the claim holds."
            }
            Verdict::ConfirmedBySample => {
                "Positions drawn at random agree with the claim. How many exceptions the sample can have missed is \
                 stated with it."
            }
            Verdict::Refuted => {
                "The claim does not hold. A counterexample or the true figure is given."
            }
            Verdict::RefutedBySample => {
                "What was found contradicts the claim. It was itself checked on positions drawn at random only."
            }
            Verdict::Ambiguous => {
                "The claim can be read in more than one way, and the readings come out differently. Each has its own \
                 verdict."
            }
            Verdict::NotReached => {
                "The search ended before it could decide. How far it came is stated."
            }
            Verdict::Reported => {
                "Our figure next to the published one, if no verdict is due: a speed on another machine, for \
                 example."
            }
        };
        (VerdictView::of(verdict), text)
    })
}

pub(super) struct Expected {
    pub(super) text: String,
    pub(super) sentence: String,
    /// Whether it differs, or there is none yet.
    pub(super) unexpected: bool,
    pub(super) alarming: bool,
    pub(super) order: usize,
}

impl Expected {
    pub(super) fn doubted(claim: &ClaimResult, why: &str) -> Self {
        Expected {
            text: "not to be believed".to_owned(),
            sentence: format!("the file said {}; {why}", claim.verdict),
            unexpected: true,
            alarming: true,
            order: 0,
        }
    }

    pub(super) fn of(claim: &ClaimResult) -> Self {
        let expect = claim.expect;
        let (text, sentence, order) = match (claim.as_expected(), claim.is_merely_undecided()) {
            (true, _) => ("yes".to_owned(), "as expected".to_owned(), 2),
            (_, true) => (
                "open".to_owned(),
                format!("so far; {expect} is expected"),
                1,
            ),
            (_, false) => {
                let was = format!("{expect} was expected");
                (format!("no: {was}"), format!("but {was}"), 0)
            }
        };
        Expected {
            text,
            sentence,
            unexpected: !claim.as_expected(),
            alarming: order == 0,
            order,
        }
    }
}
