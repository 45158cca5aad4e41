//! Which claims are run: those of files and of puzzles, read, chosen by name, and resolved, so
//! that all that can be wrong with them is said before hours of work.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context as _, Result, bail};
use serde_json::{Value, json};

use antipode_claims::{
    Claim, ClaimError, ClaimSource, Context, check, module_sources, narrow, parse_claims, row_ids,
};
use antipode_graph::Library;
use antipode_reports::text::regular;

use super::{Args, pairs};
use crate::names;

/// A claim that cannot be taken.
#[derive(Debug, Clone)]
pub(super) struct Fault {
    /// Its id, as far as it has one.
    pub(super) id: String,
    /// The puzzle or module that it is about.
    pub(super) puzzle: String,
    /// What is wrong with it, where, and the remedy.
    pub(super) line: String,
}

impl Fault {
    pub(super) fn of(source: &ClaimSource, claim: &Claim, error: &dyn std::error::Error) -> Self {
        Self {
            id: claim.id.clone(),
            puzzle: source.name.clone(),
            line: format!("{}: {error}", place(source, claim)),
        }
    }

    fn read(source: &ClaimSource, error: &ClaimError) -> Self {
        Self {
            id: error.id.clone(),
            puzzle: source.name.clone(),
            line: error.to_string(),
        }
    }

    pub(super) fn json(&self) -> Value {
        json!({ "id": self.id, "puzzle": self.puzzle, "fault": self.line })
    }
}

/// Where a claim stands.
pub(super) fn place(source: &ClaimSource, claim: &Claim) -> String {
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
    pub(super) faults: Vec<Fault>,
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
                    .map_err(|error| self.faults.push(Fault::of(source, claim, &error)))
                    .is_ok()
            });
        }
        self.all.retain(|(_, claims)| !claims.is_empty());
    }
}

/// The claims that the command names.
///
/// # Errors
/// A file that cannot be read, or a name that is none.
pub(super) fn choose(args: &Args, libraries: &[Arc<Library>]) -> Result<Chosen> {
    let sources: Vec<ClaimSource> = match args.claims.is_empty() {
        false => {
            let files = args.claims.iter();
            let read = files.map(|file| source_of_file(file, libraries));
            read.collect::<Result<_>>()?
        }
        true => libraries
            .iter()
            .filter_map(ClaimSource::of_library)
            .chain(module_sources())
            .collect(),
    };
    let mut chosen = Chosen::default();
    for source in sources {
        let mut good = Vec::new();
        match parse_claims(&source.file, &source.text) {
            // A library's claims that are no TOML are no reason to leave others undecided.
            Err(error) => chosen.faults.push(Fault::read(&source, &error)),
            Ok(file) => {
                for claim in file.claims {
                    match claim {
                        Ok(claim) => good.push(claim),
                        Err(error) => chosen.faults.push(Fault::read(&source, &error)),
                    }
                }
            }
        }
        chosen.all.push((source, good));
    }
    if !args.names.is_empty() {
        chosen.narrow(&args.names)?;
    }
    check_ids(&chosen.all)?;
    Ok(chosen)
}

impl Chosen {
    /// Leaves only what is named.
    fn narrow(&mut self, names: &[String]) -> Result<()> {
        check_names(names, self)?;
        for (source, claims) in &mut self.all {
            let whole = |claim: &Claim| {
                let mut names = names.iter();
                names.any(|name| *name == source.name || *name == claim.id)
            };
            claims.retain_mut(|claim| whole(claim) || narrow(claim, names));
        }
        self.all.retain(|(_, claims)| !claims.is_empty());
        let named = |fault: &Fault| names.contains(&fault.id) || names.contains(&fault.puzzle);
        self.faults.retain(named);
        Ok(())
    }
}

/// A certificate is named by its claim, so that two claims of one name would share one.
fn check_ids(chosen: &[(ClaimSource, Vec<Claim>)]) -> Result<()> {
    let mut files: BTreeMap<&str, &str> = BTreeMap::new();
    for (source, claim) in pairs(chosen) {
        if let Some(other) = files.insert(&claim.id, &source.file) {
            bail!(
                "two claims have the id '{}', one in {other} and one in {}: rename one, or name the puzzle to certify",
                claim.id,
                source.file
            );
        }
    }
    Ok(())
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

fn source_of_file(file: &Path, libraries: &[Arc<Library>]) -> Result<ClaimSource> {
    let shown = file.display().to_string();
    let text = regular(file).and_then(fs::read_to_string);
    let text = text.with_context(|| format!("{shown}: cannot be read"))?;
    let read = parse_claims(&shown, &text)?;
    let Some(puzzle) = read.puzzle else {
        bail!("{shown}, line 1, column 1: lacks the line puzzle = \"NAME\" before the first claim");
    };
    if read.claims.is_empty() {
        bail!("{shown}: holds no claim; begin each with [[claim]]");
    }
    let library = libraries.iter().find(|library| library.name == puzzle);
    let module = module_sources();
    let module = module.into_iter().find(|source| source.name == puzzle);
    match (library, module) {
        (Some(library), _) => Ok(ClaimSource::about(library, shown, text)),
        (None, Some(module)) => Ok(ClaimSource {
            text,
            file: shown,
            ..module
        }),
        (None, None) => {
            names::find_puzzle(libraries, &puzzle).with_context(|| format!("{shown}, line 1"))?;
            bail!("{shown}: no puzzle '{puzzle}'");
        }
    }
}
