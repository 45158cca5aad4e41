//! Kind `hardest`: `board` lies at the greatest distance of `instance`; `claimed` is that
//! distance, if one was published.

use std::sync::Arc;

use antipode_check::analysis::Analysis;
use antipode_graph::PluginError;
use antipode_reports::model::{Picture, PictureKind, Verdict};
use antipode_search::engine::QuestionKind;
use antipode_search::engines::EngineError;

use super::{Claimed, Decided, Diagnostics, Kind, at, incomplete, keys, one_or_more, place};
use crate::compare::whole;
use crate::context::Context;
use crate::finding::Finding;
use crate::path::{self, PathClaim, ShownPath};
use crate::question::check_whole;
use crate::source::ClaimSource;
use crate::spec::Case;

/// Number of antipodes shown as pictures; the CSV has all.
const MOST_PICTURES: usize = 24;

/// A board at the greatest distance.
pub(super) const HARDEST: Kind = Kind {
    claimed: Claimed::WholeOrNone,
    unit: keys::unit_of_length,
    read: |_| Ok(()),
    check,
    decide,
    analysed,
};

fn check(source: &ClaimSource, case: &Case, context: &Context) -> Result<(), Diagnostics> {
    let question = at("instance", question(source, case))?;
    let levels = context.engine_for(QuestionKind::Levels);
    check_whole(&question.place, levels, "instance")?;
    match path::check(&question, context.engine_for(QuestionKind::Path)) {
        // A board that only another instance can hold is a wrong answer.
        Err(diagnostics) if diagnostics.are_input("board") && elsewhere(&question) => Ok(()),
        fits => fits,
    }
}

fn decide(source: &ClaimSource, case: &Case, context: &mut Context) -> Decided {
    let question = question(source, case)?;
    let analysis = context.analysis(&question.place)?;
    let found = match path::path(&question, context) {
        Ok(found) => found,
        // A board that only another instance can hold is a wrong answer, not a fault of the
        // file.
        Err(EngineError::Plugin(PluginError::BadInput(why))) if elsewhere(&question) => {
            let mut finding = Finding::new("no board of this instance", Verdict::Refuted);
            finding.note = why;
            finding.rest_on(analysis);
            return Ok(finding);
        }
        Err(error) => return Err(error),
    };
    let unit = keys::unit_of_length(source, case);
    Ok(finding((case, unit), &analysis, found))
}

fn analysed(case: &Case) -> Option<&str> {
    let plain = case.settings.is_empty();
    case.instance.as_deref().filter(|_| plain)
}

fn question(source: &ClaimSource, case: &Case) -> Result<PathClaim, EngineError> {
    Ok(PathClaim {
        place: place(source, case)?,
        from: case.board.clone(),
        to: None,
        engine: None,
        max_depth: None,
        given: None,
        bound: None,
    })
}

/// Whether the board belongs to another instance.
fn elsewhere(question: &PathClaim) -> bool {
    let board = question.from.as_deref();
    board.is_some_and(|board| path::held_elsewhere(&question.place.library, board))
}

fn finding(asked: (&Case, &str), analysis: &Arc<Analysis>, found: ShownPath) -> Finding {
    let mut finding = match analysis.run.complete {
        true => judge_hardest(analysis, &found, asked),
        false => incomplete(analysis),
    };
    finding.judged_by(analysis);
    if let Some(disagreement) = &found.answer.disagreement {
        finding.disagrees(disagreement);
    }
    finding.witnesses.push(Picture {
        caption: "the board of the claim".into(),
        kind: PictureKind::Board {
            state: found.board.clone(),
        },
    });
    finding.witnesses.extend(antipode_pictures(analysis));
    finding.witnesses.push(found.picture);
    finding.rest_on(Arc::clone(analysis));
    finding
}

fn judge_hardest(
    analysis: &Analysis,
    solution: &ShownPath,
    (case, unit): (&Case, &str),
) -> Finding {
    let greatest = analysis.levels.max_depth().unwrap_or(0);
    let orbits = analysis.levels.levels.last().map_or(0, |last| last.orbits);
    let distance = solution.answer.ending.moves();
    let listed = &analysis.antipodes;
    // If there are very many antipodes, only some are listed, and the distance alone decides.
    let among = match listed.len() as u128 == orbits {
        true => listed.iter().any(|a| a.state == solution.canonical),
        false => distance == Some(greatest),
    };
    let moves = distance.map_or_else(|| "unsolvable".into(), |moves| one_or_more(moves, unit));
    let figure_fits = case.claimed.is_empty() || whole(&case.claimed) == Some(greatest.into());
    let verdict = if among && figure_fits {
        Verdict::Confirmed
    } else {
        Verdict::Refuted
    };
    let found = match (among, orbits) {
        (true, 1) => format!("{moves}, the greatest distance, here alone up to symmetry"),
        (true, _) => format!("{moves}, the greatest distance, as {orbits} boards up to symmetry"),
        (false, _) => format!("{moves}; the greatest distance is {greatest}"),
    };
    let mut finding = Finding::new(found, verdict);
    finding.note = match (among, orbits) {
        (true, 1) => "No other board (up to symmetry) is as hard.".into(),
        (true, _) => format!(
            "{} other boards (up to symmetry) are exactly as hard, so it is a hardest board, not the only one.",
            orbits - 1
        ),
        (false, _) => "Harder boards are shown as witnesses.".into(),
    };
    // The backward sweep and the forward search must agree on the distance of this board.
    if among != (distance == Some(greatest)) {
        finding.disagrees(&format!("{moves} by forward search"));
    }
    finding
}

fn antipode_pictures(analysis: &Analysis) -> impl Iterator<Item = Picture> + '_ {
    analysis
        .antipodes
        .iter()
        .take(MOST_PICTURES)
        .map(|antipode| Picture {
            caption: format!("at distance {}", antipode.depth),
            kind: PictureKind::Board {
                state: antipode.state.clone(),
            },
        })
}
