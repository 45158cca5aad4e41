//! Reading one folder.

use super::{Found, FoundAnswer, FoundBench, FoundRun, FoundTable};
use crate::bench::{self, Comparison};
use crate::cost::{read_costs, read_published};
use crate::csv_out::read_levels;
use crate::json_out::{read_json, read_versioned};
use crate::model::{
    Antipode, Certificate, ClaimResult, LevelTable, Picture, PictureKind, SCHEMA, Verdict,
};
use crate::read_error::ReadError;
use crate::table_in::{header, read_rows};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

/// The files of a folder by name.
pub(super) struct Files<'a> {
    folder: &'a Path,
    names: BTreeSet<String>,
}

impl<'a> Files<'a> {
    pub(super) fn new(folder: &'a Path) -> Self {
        let names = BTreeSet::new();
        Files { folder, names }
    }

    pub(super) fn add(&mut self, name: String) {
        self.names.insert(name);
    }

    fn path(&self, name: &str) -> Option<PathBuf> {
        self.names.contains(name).then(|| self.folder.join(name))
    }

    fn shown(&self) -> String {
        self.folder.display().to_string()
    }
}

/// Adds what a folder holds.
pub(super) fn folder(files: &Files<'_>, found: &mut Found) -> Result<(), ReadError> {
    if files
        .folder
        .file_name()
        .is_some_and(|name| name == "certificates")
    {
        return certificates(files, found);
    }
    if let Some(path) = files.path("claims.csv") {
        claims(&path, found)?;
    }
    if let Some(path) = files.path("solve.json") {
        found.answers.push(answer(files, &path)?);
        // The levels.csv beside it has a column for the side, and is not a table of a run.
        return Ok(());
    }
    if let Some(path) = files.path("table.csv") {
        let header = ["start", "finish", "verdict", "proof", "witness"];
        found.tables.push(FoundTable {
            folder: files.shown(),
            rows: cells(&path, &header)?,
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

// ---- claims ----------------------------------------------------------------

/// Columns of `claims.csv` that a claim is known by, should its certificate be missing.
fn claims(path: &Path, found: &mut Found) -> Result<(), ReadError> {
    let header = crate::csv_out::CLAIM_HEADER;
    let verdict = |record: &csv::StringRecord, column: usize| {
        let text = &record[column];
        let known = Verdict::ALL
            .into_iter()
            .find(|verdict| verdict.id() == text);
        known.ok_or_else(|| format!("{} is \"{text}\", which is no verdict", header[column]))
    };
    let rows = read_rows(path, &header, |record| {
        let text = |column: usize| record[column].to_owned();
        let seconds = &record[15];
        let is_time = |seconds: &f64| seconds.is_finite() && *seconds >= 0.0;
        Ok(ClaimResult {
            id: text(0),
            puzzle: text(1),
            instance: Some(text(2)).filter(|instance| !instance.is_empty()),
            source: text(3),
            section: text(4),
            statement: String::new(),
            kind: text(5),
            expect: verdict(record, 6)?,
            verdict: verdict(record, 7)?,
            readings: Vec::new(),
            claimed: text(9),
            found: text(10),
            effort: text(12),
            variant: text(13),
            engine: text(14),
            evidence: Vec::new(),
            witnesses: Vec::new(),
            notes: Vec::new(),
            wall_s: seconds
                .parse()
                .ok()
                .filter(is_time)
                .ok_or_else(|| format!("wall_s is \"{seconds}\", not a number of seconds"))?,
        })
    })?;
    found
        .claims
        .extend(rows.into_iter().map(|(_, claim)| claim));
    Ok(())
}

/// Certificates say more of a claim than its row does, and take its place. Rows of a table of
/// claims stand with the table.
fn certificates(files: &Files<'_>, found: &mut Found) -> Result<(), ReadError> {
    for name in files.names.iter().filter(|name| name.ends_with(".json")) {
        let certificate: Certificate = read_versioned(&files.folder.join(name), SCHEMA)?;
        let rows: BTreeSet<&str> = certificate.rows.iter().map(|row| row.id.as_str()).collect();
        found
            .claims
            .retain(|claim| !rows.contains(claim.id.as_str()));
        let claim = for_page(certificate.claim);
        match found.claims.iter_mut().find(|known| known.id == claim.id) {
            Some(known) => *known = claim,
            None => found.claims.push(claim),
        }
    }
    Ok(())
}

/// Solutions drawn in full for one claim; of a claim with more, the first board of each.
const MOST_STRIPS: usize = 3;

fn for_page(mut claim: ClaimResult) -> ClaimResult {
    let is_strip = |picture: &&Picture| matches!(picture.kind, PictureKind::Strip { .. });
    if claim.witnesses.iter().filter(is_strip).count() > MOST_STRIPS {
        for picture in &mut claim.witnesses {
            if let PictureKind::Strip { states, .. } = &mut picture.kind {
                let state = states.drain(..).next().unwrap_or_default();
                picture.kind = PictureKind::Board { state };
            }
        }
    }
    claim
}

// ---- runs --------------------------------------------------------------------

fn run(files: &Files<'_>) -> Result<Option<FoundRun>, ReadError> {
    let run = match files.path("run.json") {
        Some(path) => Some(read_versioned(&path, SCHEMA)?),
        None => None,
    };
    let costs = files.path("cost.csv").map(read_costs).transpose()?;
    let levels = match files.path("levels.csv") {
        // Of a search from both ends whose other files are gone.
        Some(path) if run.is_none() && header(&path)?.first().is_some_and(|c| c == "side") => None,
        Some(path) => Some(read_levels(path)?),
        None => None,
    };
    if run.is_none() && costs.is_none() && levels.is_none() {
        return Ok(None);
    }
    let antipodes = match files.path("antipodes.csv") {
        Some(path) => antipodes(&path)?,
        None => Vec::new(),
    };
    let pairs = match files.path("pairs.csv") {
        Some(path) => pairs(&path)?,
        None => Vec::new(),
    };
    let published = files
        .path("published.csv")
        .map(read_published)
        .transpose()?;
    Ok(Some(FoundRun {
        wanted: Vec::new(),
        folder: files.shown(),
        run,
        levels: levels.unwrap_or_else(LevelTable::default),
        antipodes,
        costs: costs.unwrap_or_default(),
        published: published.unwrap_or_default(),
        pairs,
    }))
}

fn antipodes(path: &Path) -> Result<Vec<Antipode>, ReadError> {
    let rows = read_rows(path, &["depth", "state", "orbit_size"], |record| {
        let whole = |column: usize, name: &str| {
            let text = &record[column];
            text.parse()
                .map_err(|_| format!("{name} is \"{text}\", not a whole number"))
        };
        Ok(Antipode {
            depth: whole(0, "depth")?,
            state: record[1].to_owned(),
            orbit_size: whole(2, "orbit_size")?,
        })
    })?;
    Ok(rows.into_iter().map(|(_, row)| row).collect())
}

fn pairs(path: &Path) -> Result<Vec<[String; 4]>, ReadError> {
    let header = [
        "from",
        "to",
        "length",
        "known",
        "forward_radius",
        "backward_radius",
        "meeting_state",
        "moves",
        "witness",
    ];
    cells(path, &header)
}

/// The first four cells of every row.
fn cells(path: &Path, header: &[&str]) -> Result<Vec<[String; 4]>, ReadError> {
    let rows = read_rows(path, header, |record| {
        Ok([0, 1, 2, 3].map(|column| record[column].to_owned()))
    })?;
    Ok(rows.into_iter().map(|(_, row)| row).collect())
}

// ---- benchmarks --------------------------------------------------------------

/// What `bench`, `compare` and `regress` left, and whether `run.json` is of that bench.
fn benchmark(files: &Files<'_>) -> Result<Option<(FoundBench, bool)>, ReadError> {
    let table = files.path(bench::SAMPLES_CSV);
    // `regress` holds times against its baseline in a file of its own.
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

/// Comparisons of a file. The gate's ratios are over those of its baseline, which is another
/// figure than one row over the other, and named so.
fn comparisons(path: &PathBuf) -> Result<Vec<Comparison>, ReadError> {
    let mut all = bench::read_comparisons(path)?;
    if path.ends_with(bench::GATE_CSV) {
        let by_ratio = all
            .iter_mut()
            .filter(|one| !one.a.ends_with(bench::AGAINST));
        by_ratio.for_each(|one| one.a += ", over the ratio of the baseline");
    }
    Ok(all)
}

/// A bench whose table is gone.
fn without_samples(files: &Files<'_>, suite: &str) -> ReadError {
    let text = format!(
        "it is missing beside {}, which is of a bench of suite {suite}; run that bench again with this folder as its --out, or remove the folder",
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

// ---- answers -----------------------------------------------------------------

#[derive(Deserialize)]
struct Answer {
    instance: String,
    from: String,
    summary: String,
    moves: Vec<Step>,
}

#[derive(Deserialize)]
struct Step {
    r#move: String,
    state: String,
}

fn answer(files: &Files<'_>, path: &Path) -> Result<FoundAnswer, ReadError> {
    let answer: Answer = read_json(path)?;
    let picture = match answer.moves.is_empty() {
        true => Picture {
            caption: "the start".to_owned(),
            kind: PictureKind::Board { state: answer.from },
        },
        false => Picture {
            caption: format!("{} moves", answer.moves.len()),
            kind: PictureKind::Strip {
                labels: answer
                    .moves
                    .iter()
                    .map(|step| step.r#move.clone())
                    .collect(),
                states: std::iter::once(answer.from)
                    .chain(answer.moves.into_iter().map(|step| step.state))
                    .collect(),
            },
        },
    };
    Ok(FoundAnswer {
        folder: files.shown(),
        instance: answer.instance,
        summary: answer.summary,
        picture,
    })
}
