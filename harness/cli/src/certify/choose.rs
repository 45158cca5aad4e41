//! Which claims are run: those of files and of puzzles, read, chosen by name, and resolved, so
//! that all that can be wrong with them is said before hours of work.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use antipode_claims::{
    Claim, ClaimError, ClaimSource, Context, check, module_sources, narrow, parse_claims, row_ids,
};
use antipode_graph::Library;
use antipode_reports::model::NotTaken;
use antipode_reports::text::regular;
use anyhow::{Context as _, Result, bail};

use super::{Args, pairs};
use crate::names;

/// What is said of a claim that was read and cannot be taken.
pub(super) fn not_taken(
    source: &ClaimSource,
    claim: &Claim,
    error: &dyn std::error::Error,
) -> NotTaken {
    NotTaken {
        id: claim.id.clone(),
        puzzle: source.name.clone(),
        fault: format!("{}: {error}", place(source, claim)),
    }
}

/// What is said of one that could not even be read.
fn not_read(source: &ClaimSource, error: &ClaimError) -> NotTaken {
    NotTaken {
        id: error.id.clone(),
        puzzle: source.name.clone(),
        fault: error.to_string(),
    }
}

/// Where a claim stands.
fn place(source: &ClaimSource, claim: &Claim) -> String {
    let (line, column) = claim.at;
    let file = &source.file;
    format!("{file}, line {line}, column {column}: claim '{}'", claim.id)
}

/// Claims that were chosen.
#[derive(Debug, Default)]
pub(super) struct Chosen {
    /// Those that can be run, with the source that decides them.
    all: Vec<(ClaimSource, Vec<Claim>)>,
    /// Those that cannot be taken.
    pub(super) faults: Vec<NotTaken>,
}

impl Chosen {
    pub(super) fn claims(&self) -> impl Iterator<Item = (&ClaimSource, &Claim)> {
        pairs(&self.all)
    }

    /// Instances that claims to be run have analysed.
    pub(super) fn analysed<'a>(
        args: &'a Args,
        claim: &'a Claim,
    ) -> impl Iterator<Item = &'a str> + 'a {
        let skips = args.skips(claim);
        let cases = claim.cases.iter().filter(move |_| !skips);
        cases.filter_map(|case| case.kind.analysed(case))
    }

    /// Finds out that all instances, boards, counts and derivations are there, and that an
    /// engine that was named can answer; what is not becomes a fault.
    pub(super) fn resolve(&mut self, args: &Args, context: &Context) {
        for (source, claims) in &mut self.all {
            claims.retain(|claim| {
                let resolved = check(source, claim).and_then(|()| {
                    let (Some(_), Some(library)) = (args.engine, &source.library) else {
                        return Ok(());
                    };
                    Self::analysed(args, claim)
                        .try_for_each(|instance| context.check(library, instance))
                });
                resolved
                    .map_err(|error| self.faults.push(not_taken(source, claim, &error)))
                    .is_ok()
            });
        }
        self.all.retain(|(_, claims)| !claims.is_empty());
    }
}

/// The claims that the command names.
///
/// # Errors
/// A file that is not there, or a name that is none.
pub(super) fn choose(args: &Args, libraries: &[Arc<Library>]) -> Result<Chosen> {
    let mut chosen = Chosen::default();
    match args.claims.is_empty() {
        false => args
            .claims
            .iter()
            .try_for_each(|file| chosen.take_file(file, libraries))?,
        true => chosen.take_own(libraries),
    }
    if !args.names.is_empty() {
        chosen.narrow(&args.names)?;
    }
    let twice = chosen.part_ids();
    match twice.first() {
        // Who asks for all that there is has not said which of two puzzles is meant.
        Some(first) if args.claims.is_empty() => bail!("{}", first.fault),
        _ => chosen.faults.extend(twice),
    }
    Ok(chosen)
}

impl Chosen {
    /// Adds the claims of a file; one of which none can be taken is a fault.
    ///
    /// # Errors
    /// A file that cannot be read.
    fn take_file(&mut self, file: &Path, libraries: &[Arc<Library>]) -> Result<()> {
        let shown = file.display().to_string();
        let bytes = regular(file).and_then(fs::read);
        let bytes = bytes.with_context(|| format!("{shown}: cannot be read"))?;
        // What is no UTF-8 is the fault of the claim that holds it.
        let text = String::from_utf8_lossy(&bytes);
        let is_utf8 = matches!(text, Cow::Borrowed(_));
        match source_of_file(&shown, text.into_owned(), libraries) {
            Ok((source, claims)) => self.take(source, claims),
            Err(error) => self.faults.push(NotTaken {
                id: String::new(),
                puzzle: String::new(),
                fault: match is_utf8 {
                    true => format!("{error:#}"),
                    false => format!("{shown}: is no text in UTF-8; save it as such"),
                },
            }),
        }
        Ok(())
    }

    /// Adds the claims that puzzles and modules bring.
    fn take_own(&mut self, libraries: &[Arc<Library>]) {
        let own = libraries.iter().filter_map(ClaimSource::of_library);
        for source in own.chain(module_sources()) {
            match parse_claims(&source.file, &source.text) {
                // A library's claims that are no TOML leave others undecided no less.
                Err(error) => self.faults.push(not_read(&source, &error)),
                Ok(file) => self.take(source, file.claims),
            }
        }
    }

    /// Adds the claims of a source, each by itself good or faulty.
    fn take(&mut self, source: ClaimSource, claims: Vec<Result<Claim, ClaimError>>) {
        let mut good = Vec::new();
        for claim in claims {
            match claim {
                Ok(claim) => good.push(claim),
                Err(error) => self.faults.push(not_read(&source, &error)),
            }
        }
        self.all.push((source, good));
    }

    /// Leaves only what is named.
    fn narrow(&mut self, names: &[String]) -> Result<()> {
        // What a file that cannot be taken holds may be what is named.
        let of_file = |fault: &NotTaken| fault.puzzle.is_empty();
        if !self.faults.iter().any(of_file) {
            check_names(names, self)?;
        }
        for (source, claims) in &mut self.all {
            let whole = |claim: &Claim| {
                let mut names = names.iter();
                names.any(|name| *name == source.name || *name == claim.id)
            };
            claims.retain_mut(|claim| whole(claim) || narrow(claim, names));
        }
        self.all.retain(|(_, claims)| !claims.is_empty());
        let named = |fault: &NotTaken| names.contains(&fault.id) || names.contains(&fault.puzzle);
        self.faults.retain(|fault| of_file(fault) || named(fault));
        Ok(())
    }
}

impl Chosen {
    /// A certificate is named by its claim, so that two claims of one name would share one:
    /// takes the second ones out, and gives what is to be said of them.
    fn part_ids(&mut self) -> Vec<NotTaken> {
        let mut twice = Vec::new();
        let mut files: BTreeMap<String, String> = BTreeMap::new();
        for (source, claims) in &mut self.all {
            claims.retain(|claim| {
                let Some(other) = files.get(&claim.id) else {
                    files.insert(claim.id.clone(), source.file.clone());
                    return true;
                };
                twice.push(NotTaken {
                    id: claim.id.clone(),
                    puzzle: source.name.clone(),
                    fault: format!(
                        "two claims have the id '{}', one in {other} and one in {}: rename one, or name the puzzle to certify",
                        claim.id, source.file
                    ),
                });
                false
            });
        }
        twice
    }
}

fn check_names(names: &[String], chosen: &Chosen) -> Result<()> {
    let ids = || {
        let sources = chosen.all.iter().map(|(source, _)| source.name.as_str());
        let good = chosen.claims().map(|(_, claim)| claim.id.as_str());
        let faulty = chosen.faults.iter().map(|fault| fault.id.as_str());
        sources.chain(good).chain(faulty)
    };
    let row = |name: &String| {
        let rows = chosen.claims().flat_map(|(_, claim)| row_ids(claim));
        rows.into_iter().any(|id| id == *name)
    };
    match names
        .iter()
        .find(|name| !ids().any(|id| id == *name) && !row(name))
    {
        Some(name) => bail!(
            "no puzzle or claim '{name}'; {}`antipode list --claims` shows all",
            names::some_nearest(name, ids())
        ),
        None => Ok(()),
    }
}

/// A file's claims with what decides them.
///
/// # Errors
/// A file of which none can be taken.
fn source_of_file(
    shown: &str,
    text: String,
    libraries: &[Arc<Library>],
) -> Result<(ClaimSource, Vec<Result<Claim, ClaimError>>)> {
    let read = parse_claims(shown, &text)?;
    let Some(puzzle) = read.puzzle else {
        bail!("{shown}, line 1, column 1: lacks the line puzzle = \"NAME\" before the first claim");
    };
    if read.claims.is_empty() {
        bail!("{shown}: holds no claim; begin each with [[claim]]");
    }
    let library = libraries.iter().find(|library| library.name == puzzle);
    let module = module_sources();
    let module = module.into_iter().find(|source| source.name == puzzle);
    let source = match (library, module) {
        (Some(library), _) => ClaimSource::about(library, shown.to_owned(), text),
        (None, Some(module)) => ClaimSource {
            text,
            file: shown.to_owned(),
            ..module
        },
        (None, None) => {
            names::find_puzzle(libraries, &puzzle).with_context(|| format!("{shown}, line 1"))?;
            bail!("{shown}: no puzzle '{puzzle}'");
        }
    };
    Ok((source, read.claims))
}
