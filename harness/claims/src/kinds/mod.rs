//! Kinds of claims, one file each: the keys of a kind, the check of their values, and how a claim
//! of that kind is decided. A new kind is a [`Kind`] here, a line in [`ClaimKind::kind`] and a name
//! in [`ClaimKind`].

mod count;
mod derived;
mod hardest;
mod keys;
mod length;
pub(crate) mod lengths;
mod levels;

use std::sync::Arc;

use antipode_check::analysis::Analysis;
use antipode_graph::{Library, PluginError};
use antipode_search::engine::QuestionKind;
use antipode_search::engines::EngineError;

use crate::context::Context;
use crate::diagnostic::{Diagnostic, Diagnostics, at};
use crate::field::{self, Field};
use crate::finding::Finding;
use crate::kind::{ClaimKind, Claimed};
use crate::question::ConfiguredInstance;
use crate::sheet;
use crate::source::ClaimSource;
use crate::spec::Case;
use antipode_reports::text::did_you_mean;
use puzzle_api::Effort;

/// The error of a claim's text: the key that it concerns, and a line. With a key, the claim's name
/// goes before the line.
pub(crate) type KeyFault = (Option<String>, String);

/// A finding, or the error of a claim's own input or of a puzzle that breaks its contract.
pub(crate) type Decided = Result<Finding, EngineError>;

/// How claims of a kind are read and decided. Its keys are in `keys.toml`.
pub(crate) struct Kind {
    /// The type of figure that `claimed` must be.
    pub(crate) claimed: Claimed,
    /// Unit of the figures, if a claim names none; empty if they have none.
    pub(crate) unit: fn(&ClaimSource, &Case) -> &'static str,
    /// Checks the kind's own keys, and moves those for which the case has fields; fails at a key
    /// that is missing or that cannot be read.
    pub(crate) read: fn(&mut Case) -> Result<(), KeyFault>,
    /// Finds the errors of a claim before anything is searched, at either effort and with the
    /// engine of the run: the reasons for which `decide` would fail, each with its key.
    pub(crate) check: fn(&ClaimSource, &Case, &Context) -> Result<(), Diagnostics>,
    /// Decides one reading of a claim.
    pub(crate) decide: fn(&ClaimSource, &Case, &mut Context) -> Decided,
    /// The instance whose analysis, with all checks, a claim rests on and leaves in its own folder.
    analysed: fn(&Case) -> Option<&str>,
}

impl ClaimKind {
    /// The statement of a claim of this kind, in a sentence.
    #[must_use]
    pub fn about(self) -> &'static str {
        sheet::text(sheet::of_kind(self.name()), "about")
    }

    /// Keys of the kind, in addition to those of every claim.
    #[must_use]
    pub fn keys(self) -> &'static [Field] {
        field::of_kind(self)
    }

    /// How claims of the kind are read and decided.
    pub(crate) const fn kind(self) -> &'static Kind {
        match self {
            Self::Length => &length::LENGTH,
            Self::Solvable => &length::SOLVABLE,
            Self::Unreachable => &length::UNREACHABLE,
            Self::Hardest => &hardest::HARDEST,
            Self::Count => &count::COUNT,
            Self::Levels => &levels::LEVELS,
            Self::Lengths => &lengths::LENGTHS,
            Self::Derived => &derived::DERIVED,
        }
    }

    /// The instance whose analysis, with all checks, a case of this kind leaves in a folder.
    #[must_use]
    pub fn analysed(self, case: &Case) -> Option<&str> {
        (self.kind().analysed)(case)
    }

    /// The kinds of questions that a case of this kind asks the engine of the run.
    #[must_use]
    pub fn asks(self, case: &Case) -> &'static [QuestionKind] {
        let own = ["engine", "path"].map(|key| case.own.contains_key(key));
        match self {
            Self::Derived => &[],
            _ if own.contains(&true) => &[],
            Self::Length | Self::Solvable | Self::Unreachable => &[QuestionKind::Path],
            Self::Count if count::of_path(case) => &[QuestionKind::Path],
            Self::Count | Self::Levels => &[QuestionKind::Levels],
            Self::Hardest => &[QuestionKind::Levels, QuestionKind::Path],
            Self::Lengths => &[QuestionKind::Many],
        }
    }
}

/// The puzzle and the instance that a case is about.
///
/// # Errors
/// [`PluginError::BadInput`] if the claims are of a module, or the puzzle has no such
/// instance.
fn target<'a>(
    source: &'a ClaimSource,
    case: &'a Case,
) -> Result<(&'a Arc<Library>, &'a str), EngineError> {
    let (Some(library), Some(instance)) = (&source.library, &case.instance) else {
        return Err(bad(format!(
            "{}: claims of this kind need a puzzle",
            source.name
        )));
    };
    library.find(instance).map_err(|advice| {
        let known = library.instances.iter().map(|known| known.name.as_str());
        let (near, puzzle) = (did_you_mean(instance, known), &library.name);
        bad(format!(
            "no instance of {puzzle} '{instance}'; {near}{advice}"
        ))
    })?;
    Ok((library, instance))
}

/// The instance that a case is about, for a question to the engines.
fn place(source: &ClaimSource, case: &Case) -> Result<ConfiguredInstance, EngineError> {
    let (library, instance) = target(source, case)?;
    Ok(ConfiguredInstance {
        library: Arc::clone(library),
        instance: instance.to_owned(),
        settings: case.settings.clone(),
    })
}

/// A count with its unit, its digits as a certificate has them.
fn one_or_more(number: u32, units: &str) -> String {
    match number {
        1 => format!("1 {}", units.trim_end_matches('s')),
        number => format!("{number} {units}"),
    }
}

fn bad(line: String) -> EngineError {
    PluginError::BadInput(line).into()
}

/// An analysis that the user stopped.
fn incomplete(analysis: &Analysis) -> Finding {
    Finding::not_reached(format!(
        "the analysis was stopped after {} of {} parts; rerun with --resume to continue",
        analysis.run.parts_done, analysis.run.parts_total
    ))
}
