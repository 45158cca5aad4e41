//! Kinds of claims, one file each: the keys of a kind, the check of their values, and how a claim
//! of that kind is decided. A new kind is a file here, a line in [`Kind::decides`] and a name in
//! [`Kind`].

mod count;
mod derived;
mod hardest;
mod keys;
mod length;
pub(crate) mod lengths;
mod levels;
mod solvable;

use std::sync::Arc;

use antipode_check::analysis::Analysis;
use antipode_graph::{Library, PluginError};
use antipode_search::engines::EngineError;

use crate::context::Context;
use crate::diagnostic::{Diagnostic, Diagnostics, at};
use crate::effort::Effort;
use crate::field::Field;
use crate::finding::Finding;
use crate::kind::{ClaimKind, Claimed};
use crate::question::ConfiguredInstance;
use crate::sample::Sample;
use crate::source::ClaimSource;
use crate::spec::Case;
use antipode_reports::text::did_you_mean;
use solvable::Solvability;

/// The error of a claim's text: the key that it concerns, and a line.
pub(crate) type KeyFault = (Option<String>, String);

/// A method to decide claims.
pub(crate) trait Decide: Sync {
    /// The statement of a claim of this kind, in a sentence.
    fn about(&self) -> &'static str;

    /// A true claim of this kind, for a template.
    fn sample(&self) -> Sample;

    /// Keys in a claim, and in a reading, in addition to those that all kinds share.
    fn keys(&self) -> &'static [Field];

    /// The type of figure that `claimed` must be.
    fn claimed(&self) -> Claimed {
        Claimed::Any
    }

    /// Unit of the figures, if a claim names none; empty if they have none.
    fn unit(&self, _case: &Case) -> &'static str {
        ""
    }

    /// Checks the kind's own keys, and moves those for which the case has fields.
    ///
    /// # Errors
    /// [`Fault`]: a key that is missing or that cannot be read.
    fn read(&self, case: &mut Case) -> Result<(), KeyFault>;

    /// Finds the errors of a claim before anything is searched, at either effort and with the
    /// engine of the run.
    ///
    /// # Errors
    /// [`Misfits`]: the reasons for which [`Decide::decide`] would fail, each with its key.
    fn check(
        &self,
        source: &ClaimSource,
        case: &Case,
        context: &Context,
    ) -> Result<(), Diagnostics>;

    /// Decides one reading of a claim.
    ///
    /// # Errors
    /// [`EngineError`] if the claim's own input is bad, or a puzzle breaks its contract.
    fn decide(
        &self,
        source: &ClaimSource,
        case: &Case,
        context: &mut Context,
    ) -> Result<Finding, EngineError>;

    /// The instance whose analysis, with all checks, a claim rests on and leaves in its own folder.
    fn analysed<'a>(&self, _case: &'a Case) -> Option<&'a str> {
        None
    }
}

impl ClaimKind {
    /// The statement of a claim of this kind, in a sentence.
    #[must_use]
    pub fn about(self) -> &'static str {
        self.decides().about()
    }

    /// Keys of the kind, in addition to those of every claim.
    #[must_use]
    pub fn keys(self) -> &'static [Field] {
        self.decides().keys()
    }

    /// The method that decides claims of this kind.
    pub(crate) const fn decides(self) -> &'static dyn Decide {
        match self {
            ClaimKind::Length => &length::Length,
            ClaimKind::Solvable => &Solvability::Solvable,
            ClaimKind::Unreachable => &Solvability::Unreachable,
            ClaimKind::Hardest => &hardest::Hardest,
            ClaimKind::Count => &count::Count,
            ClaimKind::Levels => &levels::Levels,
            ClaimKind::Lengths => &lengths::Lengths,
            ClaimKind::Derived => &derived::Derived,
        }
    }

    /// The instance whose analysis, with all checks, a case of this kind leaves in a folder.
    #[must_use]
    pub fn analysed(self, case: &Case) -> Option<&str> {
        self.decides().analysed(case)
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
///
/// # Errors
/// Same as [`target`].
fn place(source: &ClaimSource, case: &Case) -> Result<ConfiguredInstance, EngineError> {
    let (library, instance) = target(source, case)?;
    Ok(ConfiguredInstance {
        library: Arc::clone(library),
        instance: instance.to_owned(),
        settings: case.settings.clone(),
    })
}

/// A count with its unit, its digits as a certificate has them.
fn one_or_more(number: u32, unit: &str) -> String {
    match number {
        1 => format!("1 {unit}"),
        number => format!("{number} {unit}s"),
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
