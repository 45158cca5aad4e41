//! Chooses the claims to run: those of files and of puzzles, read, chosen by name and resolved, so
//! that their errors are reported before hours of work.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use antipode_claims::{
    Claim, ClaimError, ClaimFile, ClaimSource, Context, Unfit, check, module_sources, narrow,
    parse_claims, row_ids,
};
use antipode_graph::Library;
use antipode_reports::model::NotTaken;
use antipode_reports::text::regular;
use anyhow::{Result, bail};

use super::{Args, pairs};
use crate::names;

/// An invalid claim, or an invalid file of claims.
#[derive(Debug, Clone)]
pub(super) struct RefusedClaim {
    /// Its name in a table: its id, or its place.
    pub(super) shown: String,
    /// The message about it.
    pub(super) row: NotTaken,
}

impl RefusedClaim {
    /// For a claim of a puzzle; a file without a valid claim has neither.
    fn new(shown: &str, [id, puzzle]: [&str; 2], fault: String) -> Self {
        let (id, puzzle) = (id.to_owned(), puzzle.to_owned());
        Self {
            shown: shown.to_owned(),
            row: NotTaken { id, puzzle, fault },
        }
    }

    /// Whether it is a whole file's.
    fn is_of_file(&self) -> bool {
        self.row.puzzle.is_empty()
    }
}

/// The message about a claim that was read but is invalid, as some of its keys are.
pub(super) fn not_taken(source: &ClaimSource, claim: &Claim, faults: &[Unfit]) -> RefusedClaim {
    let id = &claim.id;
    let told = faults.iter().map(|fault| {
        let ((line, column), error) = (fault.at, &fault.error);
        format!("line {line}, column {column}: claim '{id}': {error}")
    });
    let told: Vec<String> = told.collect();
    let fault = format!("{}, {}", source.file, told.join("; "));
    RefusedClaim::new(id, [id, &source.name], fault)
}

/// The message about a claim that could not even be read.
fn not_read(source: &ClaimSource, error: &ClaimError) -> RefusedClaim {
    let place = format!("{}, line {}", error.file, error.line);
    let shown = if error.id.is_empty() {
        &place
    } else {
        &error.id
    };
    RefusedClaim::new(shown, [&error.id, &source.name], error.to_string())
}

/// Claims that were chosen.
#[derive(Debug, Default)]
pub(super) struct Chosen {
    /// Claims that can be run, with the source that decides them.
    all: Vec<(ClaimSource, Vec<Claim>)>,
    /// Claims that cannot be taken.
    pub(super) faults: Vec<RefusedClaim>,
}

impl Chosen {
    /// Rows of the invalid claims.
    pub(super) fn not_taken(&self) -> Vec<NotTaken> {
        self.faults.iter().map(|fault| fault.row.clone()).collect()
    }

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

    /// Checks that all instances, boards, counts and derivations exist, and that a named engine can
    /// answer; others become faults.
    pub(super) fn resolve(&mut self, args: &Args, context: &Context) {
        for (source, claims) in &mut self.all {
            claims.retain(|claim| {
                let found = check(source, claim, context);
                if !found.is_empty() {
                    self.faults.push(not_taken(source, claim, &found));
                    return false;
                }
                let (Some(_), Some(library)) = (args.engine, &source.library) else {
                    return true;
                };
                Self::analysed(args, claim)
                    .try_for_each(|instance| context.check(library, instance))
                    .map_err(|error| {
                        let fault = Unfit {
                            at: claim.at,
                            error,
                        };
                        self.faults.push(not_taken(source, claim, &[fault]));
                    })
                    .is_ok()
            });
        }
        self.all.retain(|(_, claims)| !claims.is_empty());
    }
}

/// The claims that the command names.
///
/// # Errors
/// An unknown name.
pub(super) fn choose(args: &Args, libraries: &[Arc<Library>]) -> Result<Chosen> {
    let mut chosen = Chosen::default();
    match args.claims.is_empty() {
        false => args
            .claims
            .iter()
            .for_each(|file| chosen.take_file(file, libraries)),
        true => chosen.take_own(libraries),
    }
    if !args.names.is_empty() {
        chosen.narrow(&args.names, libraries)?;
    }
    let twice = chosen.part_ids();
    match twice.first() {
        // A request for everything does not decide which of two puzzles is meant.
        Some(first) if args.claims.is_empty() => bail!("{}", first.row.fault),
        _ => chosen.faults.extend(twice),
    }
    Ok(chosen)
}

impl Chosen {
    /// Adds the claims of a file; a file without a valid claim is a fault.
    fn take_file(&mut self, file: &Path, libraries: &[Arc<Library>]) {
        let shown = file.display().to_string();
        let bytes = match regular(file).and_then(fs::read) {
            Ok(bytes) => bytes,
            Err(error) => {
                let fault = format!(
                    "{shown}: cannot be read: {error}; name a file of claims, as --template prints"
                );
                self.faults.push(RefusedClaim::new(&shown, ["", ""], fault));
                return;
            }
        };
        // Bytes that are not UTF-8 are the fault of the claim that holds them.
        let text = String::from_utf8_lossy(&bytes);
        let is_utf8 = matches!(text, Cow::Borrowed(_));
        let mut refuse = |fault| {
            let refused = RefusedClaim::new(&shown, ["", ""], fault);
            self.faults.push(refused);
        };
        let read = match parse_claims(&shown, &text) {
            Ok(read) => read,
            Err(_) if !is_utf8 => {
                return refuse(format!("{shown}: is no text in UTF-8; save it as such"));
            }
            Err(error) => return refuse(error.to_string()),
        };
        match source_of_file(&shown, &text, &read, libraries) {
            Ok(source) => self.take(source, read.claims),
            Err(_) if !is_utf8 => refuse(format!("{shown}: is no text in UTF-8; save it as such")),
            Err(error) => {
                let first = format!("{error:#}");
                // The other faults of the file need no second run to be seen.
                let others = read.claims.into_iter().filter_map(Result::err);
                let others = others.map(|error| error.to_string());
                let others = others.filter(|other| *other != first).take(MOST_FAULTS);
                let others: Vec<String> = others.collect();
                refuse(first);
                others.into_iter().for_each(refuse);
            }
        }
    }

    /// Adds the claims that puzzles and modules bring.
    fn take_own(&mut self, libraries: &[Arc<Library>]) {
        let own = libraries.iter().filter_map(ClaimSource::of_library);
        for source in own.chain(module_sources()) {
            match parse_claims(&source.file, &source.text) {
                // A library's invalid TOML leaves its claims undecided as well.
                Err(error) => self.faults.push(not_read(&source, &error)),
                Ok(file) => self.take(source, file.claims),
            }
        }
    }

    /// Adds the claims of a source, each of them valid or faulty.
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

    /// Keeps only the named claims.
    fn narrow(&mut self, names: &[String], libraries: &[Arc<Library>]) -> Result<()> {
        // An invalid file may hold the named claims.
        if !self.faults.iter().any(RefusedClaim::is_of_file) {
            check_names(names, self, libraries)?;
        }
        for (source, claims) in &mut self.all {
            let whole = |claim: &Claim| {
                let mut names = names.iter();
                names.any(|name| *name == source.name || *name == claim.id)
            };
            claims.retain_mut(|claim| whole(claim) || narrow(claim, names));
        }
        self.all.retain(|(_, claims)| !claims.is_empty());
        let named = |row: &NotTaken| names.contains(&row.id) || names.contains(&row.puzzle);
        self.faults
            .retain(|fault| fault.is_of_file() || named(&fault.row));
        Ok(())
    }
}

impl Chosen {
    /// Takes out claims with an id that another claim has, or a row of its table: an id stands once
    /// in all files of a run. Returns the messages about them.
    fn part_ids(&mut self) -> Vec<RefusedClaim> {
        let mut twice = Vec::new();
        let mut files: BTreeMap<String, (String, String)> = BTreeMap::new();
        for (source, claims) in &mut self.all {
            claims.retain(|claim| {
                let ids = || std::iter::once(claim.id.clone()).chain(row_ids(claim));
                let taken = ids().find_map(|id| files.get(&id).map(|file| (id, file)));
                let Some((id, (puzzle, other))) = taken else {
                    let place = || (source.name.clone(), source.file.clone());
                    files.extend(ids().map(|id| (id, place())));
                    return true;
                };
                let or = match (*puzzle == source.name, *other == source.file) {
                    (false, _) => ", or name the puzzle to certify",
                    (true, true) => ", or give the file once",
                    (true, false) => "",
                };
                let fault = format!(
                    "two claims have the id '{id}', one in {other} and one in {}: rename one{or}",
                    source.file
                );
                twice.push(RefusedClaim::new(
                    &claim.id,
                    [&claim.id, &source.name],
                    fault,
                ));
                false
            });
        }
        twice
    }
}

fn check_names(names: &[String], chosen: &Chosen, libraries: &[Arc<Library>]) -> Result<()> {
    let ids = || {
        let sources = chosen.all.iter().map(|(source, _)| source.name.as_str());
        let good = chosen.claims().map(|(_, claim)| claim.id.as_str());
        let faulty = chosen.faults.iter().map(|fault| fault.row.id.as_str());
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
        Some(name) if libraries.iter().any(|library| library.name == *name) => {
            bail!("there are no claims about '{name}' here; name a file of them with --claims")
        }
        Some(name) if Path::new(name).is_file() => {
            bail!("no puzzle or claim '{name}'; a file of claims is named by --claims {name}")
        }
        Some(name) => bail!(
            "no puzzle or claim '{name}'; {}`antipode list --claims` shows all",
            names::some_nearest(name, ids())
        ),
        None => Ok(()),
    }
}

/// Further faults shown of a file that is about no puzzle.
const MOST_FAULTS: usize = 9;

/// What decides the claims of a file.
///
/// # Errors
/// A file without a valid claim.
fn source_of_file(
    shown: &str,
    text: &str,
    read: &ClaimFile,
    libraries: &[Arc<Library>],
) -> Result<ClaimSource> {
    let Some(puzzle) = &read.puzzle else {
        // An unknown key of the file is probably the line that should name the puzzle.
        let mut faults = read.claims.iter().filter_map(|claim| claim.as_ref().err());
        if let Some(odd) = faults.find(|fault| fault.message.contains("has no key '")) {
            bail!("{odd}");
        }
        bail!("{shown}, line 1, column 1: lacks the line puzzle = \"NAME\" before the first claim");
    };
    if read.claims.is_empty() {
        bail!("{shown}: holds no claim; begin each with [[claim]]");
    }
    let library = libraries.iter().find(|library| library.name == *puzzle);
    let module = module_sources();
    let module = module.into_iter().find(|source| source.name == *puzzle);
    Ok(match (library, module) {
        (Some(library), _) => ClaimSource::about(library, shown.to_owned(), text.to_owned()),
        (None, Some(module)) => ClaimSource {
            text: text.to_owned(),
            file: shown.to_owned(),
            ..module
        },
        (None, None) => {
            let (line, column) = read.puzzle_at;
            let modules = module_sources();
            let known = libraries.iter().map(|library| library.name.as_str());
            let known = known.chain(modules.iter().map(|module| module.name.as_str()));
            let unknown = names::unknown("puzzle", puzzle, known);
            bail!(
                "{shown}, line {line}, column {column}: {unknown}, and --plugin FILE or --rules COMMAND adds yours"
            );
        }
    })
}
