//! Kinds of claims, one file each: the keys that a kind has of its own, what is wrong with
//! them, and how a claim of it is decided. A new kind is a file here and a line in [`ALL`].

mod count;
mod derived;
mod figures;
mod hardest;
pub(crate) mod keys;
mod length;
pub(crate) mod lengths;
mod levels;
mod solvable;

use std::fmt;
use std::sync::Arc;

use antipode_check::analysis::Analysis;
use antipode_graph::{Library, PluginError};
use antipode_search::engines::EngineError;

use self::solvable::Solvability;
use super::field::{Field, did_you_mean};
use super::finding::Finding;
use super::misfit::{Misfit, at};
use super::spec::Case;
use super::template::Sample;
use super::{ClaimSource, Context, Effort};
use crate::ask::Place;

/// What is wrong with a claim's text: the key it is about, and a line that says what.
pub(crate) type Fault = (Option<String>, String);

/// A way to decide claims.
pub(crate) trait Decide: Sync {
    /// Name in files.
    fn name(&self) -> &'static str;

    /// What a claim of this kind says, in a sentence.
    fn about(&self) -> &'static str;

    /// A claim of this kind that holds, for a template.
    fn sample(&self) -> Sample;

    /// Keys in a claim, and in a reading, beside those that all kinds share.
    fn keys(&self) -> &'static [Field];

    /// What sort of figure `claimed` must be.
    fn claimed(&self) -> Claimed {
        Claimed::Any
    }

    /// Unit of the figures, where a claim names none; empty where there is none.
    fn unit(&self, _case: &Case) -> &'static str {
        ""
    }

    /// Looks at the kind's own keys, and may take from them what the case has a place for.
    ///
    /// # Errors
    /// [`Fault`]: a key that is missing or that cannot be read.
    fn read(&self, case: &mut Case) -> Result<(), Fault>;

    /// Finds what is wrong with a claim before anything is searched, at either effort and with
    /// the engine that the run was given.
    ///
    /// # Errors
    /// [`Misfit`]: what [`Decide::decide`] would fail of, and the key that says it.
    fn check(&self, source: &ClaimSource, case: &Case, context: &Context) -> Result<(), Misfit>;

    /// Decides one reading of a claim.
    ///
    /// # Errors
    /// [`EngineError`] where the claim's own input is bad, or a puzzle breaks its contract.
    fn decide(
        &self,
        source: &ClaimSource,
        case: &Case,
        context: &mut Context,
    ) -> Result<Finding, EngineError>;

    /// The instance whose analysis, with all checks, a claim rests on and leaves in a folder
    /// of its own.
    fn analysed<'a>(&self, _case: &'a Case) -> Option<&'a str> {
        None
    }
}

pub use figures::counts;
pub(crate) use figures::{is_count, names as count_names};

/// What sort of figure a kind holds against `claimed`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Claimed {
    /// Whatever the comparison asks for.
    Any,
    /// A whole number.
    Whole,
    /// A whole number of moves, or `unsolvable`.
    Moves,
    /// A whole number, where there is one.
    WholeOrNone,
    /// Whole numbers, one a level.
    Sizes,
    /// No figure: the statement holds or does not, or the kind reads a table.
    Nothing,
}

/// All kinds.
const ALL: [&dyn Decide; 8] = [
    &length::Length,
    &Solvability::Solvable,
    &Solvability::Unreachable,
    &hardest::Hardest,
    &count::Count,
    &levels::Levels,
    &lengths::Lengths,
    &derived::Derived,
];

/// A kind of claims.
#[derive(Clone, Copy)]
pub struct Kind(&'static dyn Decide);

impl Kind {
    /// The kind of a name.
    ///
    /// # Errors
    /// A line that names all kinds.
    pub(crate) fn named(name: &str) -> Result<Self, String> {
        let found = ALL.into_iter().find(|kind| kind.name() == name);
        found.map(Self).ok_or_else(|| {
            let names = kind_names();
            let near = did_you_mean(name, names.into_iter());
            format!(
                "no kind of claim '{name}'; {near}use one of {}",
                names.join(", ")
            )
        })
    }

    /// All kinds, in the order in which they are documented.
    #[must_use]
    pub fn all() -> [Self; ALL.len()] {
        ALL.map(Self)
    }

    /// Name in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.0.name()
    }

    /// What a claim of this kind says, in a sentence.
    #[must_use]
    pub fn about(self) -> &'static str {
        self.0.about()
    }

    /// Keys of the kind, beside those of every claim.
    #[must_use]
    pub fn keys(self) -> &'static [Field] {
        self.0.keys()
    }

    /// What decides claims of this kind.
    pub(crate) fn decides(self) -> &'static dyn Decide {
        self.0
    }

    /// The instance whose analysis, with all checks, a case of this kind leaves in a folder.
    #[must_use]
    pub fn analysed(self, case: &Case) -> Option<&str> {
        self.0.analysed(case)
    }
}

impl fmt::Debug for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl PartialEq for Kind {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

/// Names of all kinds.
pub(crate) fn kind_names() -> [&'static str; ALL.len()] {
    ALL.map(|kind| kind.name())
}

/// The puzzle and the instance that a case is about.
///
/// # Errors
/// [`PluginError::BadInput`] where the claims are of a module, or the puzzle has no such
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
    let known = || library.instances.iter().map(|known| known.name.as_str());
    if !known().any(|known| known == instance) {
        let (near, puzzle) = (did_you_mean(instance, known()), &library.name);
        return Err(bad(format!(
            "no instance of {puzzle} '{instance}'; {near}`antipode list {puzzle}` shows all"
        )));
    }
    Ok((library, instance))
}

/// The instance that a case is about, for a question to the engines.
///
/// # Errors
/// As [`target`].
fn place(source: &ClaimSource, case: &Case) -> Result<Place, EngineError> {
    let (library, instance) = target(source, case)?;
    Ok(Place {
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
        "the analysis was stopped after {} of {} parts; the same command with --resume goes on",
        analysis.run.parts_done, analysis.run.parts_total
    ))
}
