//! Reading one folder.

use super::Behind;
use super::{FoundAnswer, FoundBench, FoundFolders, FoundRun, FoundTable};
use crate::bench::{self, Comparison};
use crate::cost::{read_costs, read_published};
use crate::csv_in::{read_levels, read_numbered, read_rows};
use crate::json_out::{read_changed, read_record};
use crate::model::{
    Antipode, CellFault, Certificate, ClaimResult, ClaimRow, LevelTable, MANIFEST, NotTaken, Run,
    Solution, VERDICTS, Verdict,
};
use crate::read_error::ReadError;
use crate::results::{ChangedFile, MarkKind, Standing, standing};
use crate::text::read_file;
use crate::wording::{LIBRARIES, options};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

pub(super) struct Files<'a> {
    folder: &'a Path,
    names: BTreeSet<String>,
    standing: RefCell<Standing>,
}

impl<'a> Files<'a> {
    pub(super) fn new(folder: &'a Path) -> Self {
        Files {
            folder,
            names: BTreeSet::new(),
            standing: RefCell::new(standing(folder)),
        }
    }

    pub(super) fn add(&mut self, name: String) {
        self.names.insert(name);
    }

    fn path(&self, name: &str) -> Option<PathBuf> {
        if !self.names.contains(name) {
            return None;
        }
        // People write that table, and put it next to ours.
        if name != "published.csv" {
            self.standing.borrow_mut().note_read(self.folder, name);
        }
        Some(self.folder.join(name))
    }

    fn doubt(&self, name: &str) -> Option<&'static str> {
        let standing = self.standing.borrow();
        let mut marks = standing.marks.iter();
        let concerned =
            |mark: &&ChangedFile| mark.name == name || mark.kind == MarkKind::Unreadable;
        marks.find(concerned).map(|mark| mark.kind.text())
    }

    fn shown(&self) -> String {
        self.folder.display().to_string()
    }

    /// Whether the table of the claims of these certificates was read.
    fn has_table(&self, found: &FoundFolders) -> bool {
        let root = self.folder.parent().map(|root| root.join(VERDICTS));
        root.is_some_and(|root| found.claim_tables.contains(&root))
    }
}

pub(super) fn folder(files: &Files<'_>, found: &mut FoundFolders) -> Result<(), ReadError> {
    let before = found.results();
    read(files, found)?;
    let standing = files.standing.take();
    let ours = |name: &&String| standing.lists(name) || *name == MANIFEST;
    let names: Vec<String> = match standing.is_unsealed() {
        true if found.results() > before => files.names.iter().cloned().collect(),
        true => Vec::new(),
        false => files.names.iter().filter(ours).cloned().collect(),
    };
    if !names.is_empty() {
        found.folders.push((files.folder.to_owned(), names));
    }
    if standing.is_unsealed() && found.results() > before {
        found.unsealed.push(files.shown());
    }
    found.marks.extend(standing.marks);
    Ok(())
}

fn read(files: &Files<'_>, found: &mut FoundFolders) -> Result<(), ReadError> {
    if files
        .folder
        .file_name()
        .is_some_and(|name| name == "certificates")
    {
        return certificates(files, found);
    }
    if let Some(path) = files.path(VERDICTS) {
        claims(files, &path, found)?;
    }
    if let Some(path) = files.path("not-taken.csv") {
        found.not_taken.extend(read_rows::<NotTaken>(path)?);
    }
    if let Some(path) = files.path("solve.json") {
        found.answers.push(answer(files, &path)?);
        // The levels.csv next to it has a column for the side, and is not a table of a run.
        return Ok(());
    }
    if let Some(path) = files.path("table.csv") {
        found.tables.push(FoundTable {
            folder: files.shown(),
            rows: read_rows(path)?,
        });
    }
    let is_of_bench = match benchmark(files)? {
        Some((bench, is_of_bench)) => {
            found.benches.push(bench);
            is_of_bench
        }
        None => false,
    };
    if !is_of_bench && let Some(run) = run(files)? {
        found.runs.push(run);
    }
    Ok(())
}

/// The data of `claims.csv` on claims, in case their certificates are missing.
fn claims(files: &Files<'_>, path: &Path, found: &mut FoundFolders) -> Result<(), ReadError> {
    let rows: Vec<(u64, ClaimRow)> = read_numbered(path)?;
    if let Some((line, row)) = rows.iter().find(|(_, row)| found.holds(&row.id)) {
        return Err(twice(path, *line, &row.id));
    }
    let rows: Vec<ClaimRow> = rows.into_iter().map(|(_, row)| row).collect();
    if let Some(why) = files.doubt(VERDICTS) {
        let doubted = rows
            .iter()
            .map(|row| (row.id.clone(), format!("claims.csv: {why}")));
        found.doubted.extend(doubted);
    }
    found.claim_tables.push(path.to_owned());
    found.claims.extend(rows.into_iter().map(ClaimResult::from));
    Ok(())
}

/// The error of a claim that an earlier folder holds too: its verdict there may be another.
fn twice(path: &Path, line: u64, id: &str) -> ReadError {
    let reason = format!("claim {id} is in another folder too: report the folders apart");
    ReadError::line(path, line, reason)
}

/// Certificates have more data on a claim than its row, and replace it. Rows of a table of claims
/// are kept with the table.
fn certificates(files: &Files<'_>, found: &mut FoundFolders) -> Result<(), ReadError> {
    for mark in &files.standing.borrow().marks {
        if let (MarkKind::Missing, Some(id)) = (mark.kind, mark.name.strip_suffix(".json")) {
            let text = "its certificate is missing".to_owned();
            found.doubted.insert(id.to_owned(), text);
        }
    }
    let is_certificate = |name: &&String| name.ends_with(".json") && *name != MANIFEST;
    for name in files.names.iter().filter(is_certificate) {
        let Some(path) = files.path(name) else {
            continue;
        };
        let certificate: Certificate = match files.doubt(name) {
            None => read_record(&path)?,
            Some(_) => read_changed(&path)?,
        };
        let id = &certificate.claim.id;
        let of_table = files.has_table(found);
        if found.behind.contains_key(id) || (!of_table && found.holds(id)) {
            return Err(twice(&path, 1, id));
        }
        let rows = certificate.rows.iter();
        for claim in std::iter::once(&certificate.claim).chain(rows) {
            weigh(files, name, claim, found);
        }
        let rows: BTreeSet<&str> = certificate.rows.iter().map(|row| row.id.as_str()).collect();
        found
            .claims
            .retain(|claim| !rows.contains(claim.id.as_str()));
        let mut data = Vec::new();
        for (name, table) in certificate.level_tables() {
            let Some(path) = files.path(&name) else {
                continue;
            };
            if read_levels(&path)? != *table {
                let text = format!("{name} and its certificate contradict each other");
                found.doubted.insert(certificate.claim.id.clone(), text);
            }
            data.push(path);
        }
        let claim = certificate.claim;
        let behind = Behind {
            cases: certificate.cases,
            certificate: path,
            data,
            repeat: repeat(&claim.id, &certificate.command),
        };
        found.behind.insert(claim.id.clone(), behind);
        match found.claims.iter_mut().find(|known| known.id == claim.id) {
            Some(known) => *known = claim,
            None => found.claims.push(claim),
        }
    }
    Ok(())
}

/// The command that re-derives one claim, in the form of the command in its certificate; one entry
/// per argument.
pub fn repeat(id: &str, command: &[String]) -> Vec<String> {
    const KEPT: [&str; 4] = ["--claims", "--effort", "--seed", "--engine"];
    let mut repeat = ["antipode", "certify", id].map(str::to_owned).to_vec();
    repeat.extend(options(command, &KEPT));
    repeat.extend(options(command, &LIBRARIES));
    repeat
}

/// Whether a claim's certificate is unchanged, and agrees with `claims.csv`.
fn weigh(files: &Files<'_>, name: &str, claim: &ClaimResult, found: &mut FoundFolders) {
    if let Some(why) = files.doubt(name) {
        let text = format!("{name}: {why}");
        found.doubted.insert(claim.id.clone(), text);
    }
    if !files.has_table(found) {
        return;
    }
    let Some(row) = found.claims.iter().find(|known| known.id == claim.id) else {
        return;
    };
    if says(row) != says(claim) {
        let text = format!("claims.csv and {name} contradict each other");
        found.doubted.insert(claim.id.clone(), text);
    } else if files.doubt(name).is_none() {
        // Somebody changed the table, but not this row of it.
        found.doubted.remove(&claim.id);
    }
}

/// The common data on a claim in the table of claims and the certificate.
fn says(claim: &ClaimResult) -> (Verdict, Verdict, &str, &str) {
    (claim.verdict, claim.expect, &claim.claimed, &claim.found)
}

/// What was read from a file, if it fits the file next to it.
fn fitting<T>(path: &Path, read: T, fits: Result<(), CellFault>) -> Result<T, ReadError> {
    match fits {
        Ok(()) => Ok(read),
        Err((column, reason)) => {
            let error = ReadError::cell(path, 1, column, reason);
            Err(error.with_remedy("have the folder written anew"))
        }
    }
}

/// Reads the farthest states of a run, which must fit its levels.
pub fn read_antipodes(
    path: &Path,
    levels: Option<&LevelTable>,
) -> Result<Vec<Antipode>, ReadError> {
    let antipodes: Vec<Antipode> = read_rows(path)?;
    let fits = levels.map_or(Ok(()), |levels| levels.check_antipodes(&antipodes));
    fitting(path, antipodes, fits)
}

/// Reads the levels of a run, which must fit its record.
pub fn levels_of(path: &Path, run: Option<&Run>) -> Result<LevelTable, ReadError> {
    let levels = read_levels(path)?;
    let fits = run.map_or(Ok(()), |run| run.check_levels(&levels));
    fitting(path, levels, fits)
}

fn run(files: &Files<'_>) -> Result<Option<FoundRun>, ReadError> {
    let run: Option<Run> = files.path("run.json").map(read_record).transpose()?;
    let costs = files.path("cost.csv").map(read_costs).transpose()?;
    let levels = match files.path("levels.csv") {
        // The table of a search from both ends whose other files are gone.
        Some(path) if run.is_none() && read_file(&path)?.starts_with("side,") => None,
        Some(path) => Some(levels_of(&path, run.as_ref())?),
        None => None,
    };
    if run.is_none() && costs.is_none() && levels.is_none() {
        return Ok(None);
    }
    let antipodes = match files.path("antipodes.csv") {
        Some(path) => read_antipodes(&path, levels.as_ref())?,
        None => Vec::new(),
    };
    let pairs = files.path("pairs.csv").map(read_rows).transpose()?;
    let published = files.path("published.csv").map(read_published);
    let published = published.transpose()?;
    Ok(Some(FoundRun {
        wanted: Vec::new(),
        folder: files.shown(),
        run,
        levels: levels.unwrap_or_default(),
        antipodes,
        costs: costs.unwrap_or_default(),
        published: published.unwrap_or_default(),
        pairs: pairs.unwrap_or_default(),
    }))
}

/// The files of `bench`, `compare` and `regress`, and whether `run.json` belongs to that bench.
fn benchmark(files: &Files<'_>) -> Result<Option<(FoundBench, bool)>, ReadError> {
    let table = files.path(bench::SAMPLES_CSV);
    // `regress` compares times with its baseline in a separate file.
    let tables: Vec<PathBuf> = ["comparison.csv", bench::GATE_CSV]
        .iter()
        .filter_map(|name| files.path(name))
        .collect();
    let run = match files.path(bench::RUN_JSON) {
        Some(_) => bench::read_run(files.folder)?,
        None => None,
    };
    if table.is_none() && tables.is_empty() {
        return match run {
            Some(run) => Err(without_samples(files, &run.suite)),
            None => Ok(None),
        };
    }
    let samples = match &table {
        Some(_) => bench::read_folder(files.folder)?,
        None => Vec::new(),
    };
    let comparisons = tables.iter().map(comparisons);
    let comparisons = comparisons.collect::<Result<Vec<_>, _>>()?.concat();
    if samples.is_empty() && comparisons.is_empty() {
        let path = table.or_else(|| tables.into_iter().next());
        return match path {
            Some(path) => Err(header_alone(&path)),
            None => Ok(None),
        };
    }
    let is_of_bench = run.is_some();
    let bench = FoundBench {
        folder: files.shown(),
        run,
        samples,
        comparisons,
    };
    Ok(Some((bench, is_of_bench)))
}

/// Comparisons of a file. The gate's ratios are to those of its baseline, not of one row to the
/// other, and are named so.
fn comparisons(path: &PathBuf) -> Result<Vec<Comparison>, ReadError> {
    let mut all: Vec<Comparison> = read_rows(path)?;
    if path.ends_with(bench::GATE_CSV) {
        let by_ratio = all
            .iter_mut()
            .filter(|one| !one.a.ends_with(bench::AGAINST));
        by_ratio.for_each(|one| one.a += ", over the ratio of the baseline");
    }
    Ok(all)
}

fn without_samples(files: &Files<'_>, suite: &str) -> ReadError {
    let text = format!(
        "it is missing next to {}, which is of a bench of suite {suite}; run that bench again with this folder as its --out, or remove the folder",
        bench::RUN_JSON
    );
    ReadError::io(
        &files.folder.join(bench::SAMPLES_CSV),
        io::Error::new(io::ErrorKind::NotFound, text),
    )
}

/// A table without rows: a run that was stopped before its first sample.
fn header_alone(path: &Path) -> ReadError {
    ReadError::line(
        path,
        1,
        "no row follows the header; finish the run that was to write it, or remove the folder",
    )
}

fn answer(files: &Files<'_>, path: &Path) -> Result<FoundAnswer, ReadError> {
    let solution: Solution = read_record(path)?;
    if solution.made.is_none() {
        let reason = "it does not say what was found (summary, host, command); solve again";
        return Err(ReadError::line(path, 1, reason));
    }
    let folder = files.shown();
    Ok(FoundAnswer { folder, solution })
}
