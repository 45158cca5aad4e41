//! Figures of the crates' own criterion benches, taken into the same table.
//!
//! Criterion leaves a folder for each bench, named after it as far as file systems allow: its
//! real name is in `new/benchmark.json`. It does not say which crate a bench is of. A runner
//! that cargo starts each bench by can (`ci/bench-runner.sh`): it gives every executable a
//! folder of its own with [`ORIGIN`] in it.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result, bail};
use serde::Deserialize;
use serde_json::Value;

use antipode_reports::bench::Sample;
use antipode_reports::json_out::read_json;

use antipode_graph::Library;

use super::table::{figure, one_line, set};
use crate::clock::written;

/// The measure of these figures.
pub const METRIC: &str = "criterion";

/// File that says which executable the benches of a folder, and of those in it, are of.
pub const ORIGIN: &str = "antipode-origin.json";

/// `new/sample.json`: times of runs of so many iterations each.
#[derive(Debug, Deserialize)]
struct Times {
    iters: Vec<f64>,
    times: Vec<f64>,
}

/// `new/estimates.json`, as far as it is used here.
#[derive(Debug, Deserialize)]
struct Estimates {
    mean: Estimate,
    /// Only where the number of iterations rose from sample to sample; criterion's own figure.
    slope: Option<Estimate>,
}

#[derive(Debug, Deserialize)]
struct Estimate {
    confidence_interval: Bounds,
    point_estimate: f64,
}

#[derive(Debug, Deserialize)]
struct Bounds {
    lower_bound: f64,
    upper_bound: f64,
}

/// `new/benchmark.json`, as far as it is used here.
#[derive(Debug, Deserialize)]
struct Names {
    group_id: String,
    full_id: String,
    throughput: Option<Value>,
}

/// [`ORIGIN`].
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Origin {
    package: String,
    version: String,
    bench: String,
    executable: PathBuf,
    /// BLAKE3 of the executable and when it was built, where it is still there.
    #[serde(skip)]
    build: Option<(String, SystemTime)>,
}

impl Origin {
    fn read(file: &Path) -> Result<Self> {
        let mut origin: Self = read_json(file)?;
        let executable = &origin.executable;
        let built = fs::metadata(executable).and_then(|data| data.modified());
        origin.build = built
            .ok()
            .zip(fs::read(executable).ok())
            .map(|(built, bytes)| {
                let digest = blake3::hash(&bytes).to_hex().to_string();
                (digest, built)
            });
        Ok(origin)
    }

    /// The executable's digest, if it has not been built anew since.
    fn digest(&self, measured: &Path) -> Option<String> {
        let (digest, built) = self.build.as_ref()?;
        let measured = fs::metadata(measured).and_then(|data| data.modified());
        (*built <= measured.ok()?).then(|| digest.clone())
    }
}

/// What a folder of criterion holds.
#[derive(Debug, Default)]
pub struct Figures {
    /// A sample a measured run.
    pub samples: Vec<Sample>,
    /// Benches that left no figures, and those that were measured long before the others, a
    /// sentence each.
    pub remarks: Vec<String>,
}

/// Benches of one run lie no further apart.
const OLD: Duration = Duration::from_secs(24 * 60 * 60);

/// Reads every bench under `from` (`target/criterion`): one sample a measured run, in
/// nanoseconds an iteration, with criterion's own estimate beside the first. Puzzle, instance
/// and variant are filled in where the crate is known to be a puzzle's, and the bench's name
/// holds exactly one of its names. Criterion does not record the unit of a measurement that is
/// not of time, so those cannot be told apart: they too would stand as nanoseconds.
///
/// # Errors
/// A folder without benches, or files that are not criterion's.
pub fn read(from: &Path, puzzles: &[Arc<Library>]) -> Result<Figures> {
    let mut found = Vec::new();
    find(from, None, &mut found)?;
    found.sort_by(|a, b| a.0.cmp(&b.0));
    let is_whole = |(bench, _): &(PathBuf, _)| bench.join("new/estimates.json").is_file();
    let (found, hollow): (Vec<_>, Vec<_>) = found.into_iter().partition(is_whole);
    let mut all = Figures::default();
    all.remarks.extend(hollow.iter().map(|(bench, _)| {
        let bench = bench.display();
        format!("{bench}: left out: its new/ holds no estimates.json; run the bench again")
    }));
    if found.is_empty() {
        bail!(
            "--criterion {}: no NAME/new/estimates.json there; run `cargo bench` first, or name its target/criterion",
            from.display()
        );
    }
    let written = |bench: &Path| {
        let data = fs::metadata(bench.join("new/estimates.json"));
        data.and_then(|data| data.modified()).ok()
    };
    let newest = found.iter().filter_map(|(bench, _)| written(bench)).max();
    for (bench, origin) in &found {
        let read = one(from, bench, origin.as_ref(), puzzles)?;
        let row = &read[0].row;
        let age = newest.zip(written(bench));
        let age = age.and_then(|(newest, written)| newest.duration_since(written).ok());
        if let Some(age) = age.filter(|age| *age > OLD) {
            all.remarks.push(format!(
                "'{row}' was measured {} days before the newest; if there is no such bench any more, remove {}",
                age.as_secs() / OLD.as_secs(),
                bench.display()
            ));
        }
        if all.samples.iter().any(|other| other.row == *row) {
            bail!(
                "{}: a second bench with the name '{row}'; remove the folder of the one that is no more, or rename one",
                bench.display()
            );
        }
        all.samples.extend(read);
    }
    Ok(all)
}

/// Folders that hold a folder `new`, each with the origin that is nearest above it. The
/// folders of earlier figures (`base`, and those of named baselines) hold none.
fn find(
    folder: &Path,
    origin: Option<&Origin>,
    found: &mut Vec<(PathBuf, Option<Origin>)>,
) -> Result<()> {
    let entries = fs::read_dir(folder)
        .with_context(|| format!("--criterion: cannot read {}", folder.display()))?;
    let file = folder.join(ORIGIN);
    let own = file.is_file().then(|| Origin::read(&file));
    let own = own.transpose()?;
    let origin = own.as_ref().or(origin);
    for entry in entries {
        let path = entry?.path();
        if path.join("new").is_dir() {
            found.push((path.clone(), origin.cloned()));
        }
        if path.is_dir() {
            find(&path, origin, found)?;
        }
    }
    Ok(())
}

fn one(
    root: &Path,
    bench: &Path,
    origin: Option<&Origin>,
    puzzles: &[Arc<Library>],
) -> Result<Vec<Sample>> {
    let file = bench.join("new/sample.json");
    let times: Times = read_json(&file)?;
    if times.iters.is_empty() || times.iters.len() != times.times.len() {
        bail!("{}: times and iterations do not match", file.display());
    }
    if times.iters.iter().any(|&n| n < 1.0) {
        bail!("{}: a sample of no iteration", file.display());
    }
    let estimates: Estimates = read_json(bench.join("new/estimates.json"))?;
    let (names, own) = names(root, bench)?;
    let mut blank = match origin {
        None => figure(&names.full_id, METRIC),
        Some(origin) => {
            let Origin { package, bench, .. } = origin;
            let mut blank = figure(&format!("{package}/{bench}/{}", names.full_id), METRIC);
            blank.group = one_line(&format!("{package}/{bench}/{}", names.group_id));
            blank.version = format!("{package} {}", origin.version);
            blank.build = origin.digest(&file).unwrap_or_default();
            attribute(&mut blank, package, &names.full_id, puzzles);
            blank
        }
    };
    if origin.is_none() && own {
        blank.group = one_line(&names.group_id);
    }
    "ns".clone_into(&mut blank.unit);
    blank.started = written(&file).unwrap_or(blank.started);
    let values = times.times.iter().zip(&times.iters).zip(0..);
    let samples = values.map(|((time, iterations), number)| {
        let mut sample = Sample {
            sample: number,
            ..blank.clone()
        };
        set(&mut sample, Some(time / iterations)).with_context(|| file.display().to_string())?;
        Ok(sample)
    });
    let mut samples = samples.collect::<Result<Vec<Sample>>>()?;
    samples[0].detail = note(&estimates, names.throughput.as_ref());
    Ok(samples)
}

/// The names of a bench, and whether they are criterion's own: versions before 0.3 left none,
/// and then the folder's name must do.
fn names(root: &Path, bench: &Path) -> Result<(Names, bool)> {
    let file = bench.join("new/benchmark.json");
    if file.is_file() {
        return Ok((read_json(&file)?, true));
    }
    let full_id = bench.strip_prefix(root).unwrap_or(bench);
    let names = Names {
        group_id: String::new(),
        full_id: full_id.display().to_string(),
        throughput: None,
    };
    Ok((names, false))
}

fn note(estimates: &Estimates, throughput: Option<&Value>) -> String {
    let (what, estimate) = match &estimates.slope {
        Some(slope) => ("slope", slope),
        None => ("mean", &estimates.mean),
    };
    let bounds = &estimate.confidence_interval;
    let note = format!(
        "criterion's {what} {:.3} ns, {:.3} to {:.3}",
        estimate.point_estimate, bounds.lower_bound, bounds.upper_bound
    );
    match throughput.map(amount) {
        Some(amount) if !amount.is_empty() => format!("{note}; an iteration does {amount}"),
        _ => note,
    }
}

/// `64 elements`: criterion writes `{"Elements":64}`, or an object of two such within.
fn amount(throughput: &Value) -> String {
    let parts = throughput.as_object().into_iter().flatten();
    let parts = parts.map(|(kind, value)| match value.as_u64() {
        Some(count) => format!("{count} {}", kind.to_lowercase()),
        None => amount(value),
    });
    parts.collect::<Vec<_>>().join(" and ")
}

/// Fills in which puzzle, instance and variant a bench is of, as far as its names say so.
fn attribute(sample: &mut Sample, package: &str, full_id: &str, puzzles: &[Arc<Library>]) {
    let of = |library: &&Arc<Library>| {
        let before = package.strip_suffix(library.name.as_str());
        before.is_some_and(|before| before.is_empty() || before.ends_with(['-', '_']))
    };
    let Some(library) = puzzles.iter().filter(of).max_by_key(|one| one.name.len()) else {
        return;
    };
    sample.puzzle.clone_from(&library.name);
    let words = || {
        let parts = full_id.split([' ', ',', '/', '(', ')']);
        parts.filter(|word| !word.is_empty())
    };
    let only = |known: &mut dyn Iterator<Item = &str>| -> String {
        let mut named = known.filter(|name| words().any(|word| word == *name));
        match (named.next(), named.next()) {
            (Some(one), None) => one.to_owned(),
            _ => String::new(),
        }
    };
    sample.variant = only(&mut library.variants.iter().map(String::as_str));
    sample.instance = only(&mut library.instances.iter().map(|one| one.name.as_str()));
}
