//! `antipode compare`: two rows, or two folders of results, held against each other.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use antipode_reports::bench::{
    AGAINST, Comparison, Outcome, SAMPLES_CSV, Sample, TWIN, read_samples, write_comparisons,
};

use super::names::nearest;
use super::{AS_EXPECTED, VERIFICATION_FAILED, output};
use crate::bench::compare::{Measure, Sides, compare};
use crate::bench::noise;
use crate::cli::options::Format;

/// Arguments of `compare`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// What is compared with: a row, a variant or an engine in --results; or a results folder.
    a: String,
    /// What is judged, named likewise: a ratio below 1 says that it is faster.
    b: String,
    /// Where rows are looked for.
    #[arg(long, value_name = "DIR", default_value = "antipode-bench")]
    results: PathBuf,
    /// What is compared: cpu or wall. CPU time is hardly touched by other work on the machine;
    /// for rows on several threads ask for wall.
    #[arg(long, default_value = "cpu")]
    measure: Measure,
    /// Seed of the resampling.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Also writes the comparisons to this file, as CSV.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Form of the result on stdout.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// Runs the verb.
///
/// # Errors
/// Bad input, in one line.
pub fn run(args: &Args) -> Result<u8> {
    let (a, b) = (Path::new(&args.a), Path::new(&args.b));
    let found = if a.exists() && b.exists() {
        let (of_a, of_b) = (samples(a)?, samples(b)?);
        one_processor(of_a.iter().chain(&of_b))?;
        let sides = same_rows(&of_a, &of_b, args)?;
        // Two folders have two bands; a difference has to exceed both.
        let band = [&of_a, &of_b].map(|all| noise::measure(all, args.measure, args.seed));
        let band = band.into_iter().flatten().map(|noise| noise.band);
        compare(&sides, band.reduce(f64::max), args.measure, args.seed)
    } else {
        let all = samples(&args.results)?;
        one_processor(all.iter())?;
        let sides = sides(&all, args)?;
        let band = noise::measure(&all, args.measure, args.seed).map(|noise| noise.band);
        compare(&sides, band, args.measure, args.seed)
    };
    if let Some(file) = &args.out {
        write_comparisons(file, &found)?;
    }
    match args.format {
        Format::Text => print(&found)?,
        Format::Json => writeln!(
            std::io::stdout(),
            "{}",
            serde_json::to_string_pretty(&found)?
        )?,
    }
    let wrong = found.iter().any(|one| one.verdict == Outcome::Wrong);
    Ok(if wrong {
        VERIFICATION_FAILED
    } else {
        AS_EXPECTED
    })
}

/// Samples of a results folder, or of a table of its own.
pub(super) fn samples(path: &Path) -> Result<Vec<Sample>> {
    let file = match path.is_dir() {
        true => path.join(SAMPLES_CSV),
        false => path.to_owned(),
    };
    let all = read_samples(&file)?;
    if all.iter().all(Sample::imported) {
        bail!(
            "{}: holds no sample of a row; run `antipode bench` first",
            file.display()
        );
    }
    Ok(all)
}

/// Times of two machines are not compared.
fn one_processor<'a>(samples: impl Iterator<Item = &'a Sample>) -> Result<()> {
    let rows = samples.filter(|sample| !sample.imported());
    let all: BTreeSet<&str> = rows.map(|sample| sample.processor.as_str()).collect();
    if all.len() > 1 {
        let names: Vec<&str> = all.into_iter().collect();
        bail!(
            "the samples are of different processors ({}), whose times are not compared; measure both on one machine",
            names.join("; ")
        );
    }
    Ok(())
}

fn row_names(samples: &[Sample]) -> BTreeSet<&str> {
    let rows = samples.iter().filter(|sample| !sample.imported());
    rows.map(|sample| sample.row.as_str()).collect()
}

/// Rows that both folders hold.
fn same_rows<'a>(of_a: &'a [Sample], of_b: &'a [Sample], args: &Args) -> Result<Vec<Sides<'a>>> {
    let (a, b) = (row_names(of_a), row_names(of_b));
    let both: Vec<&str> = a.intersection(&b).copied().collect();
    let plain = both.into_iter().filter(|row| !row.ends_with(TWIN));
    let sides: Vec<Sides<'a>> = plain
        .map(|row| Sides {
            of_a,
            a: row.to_owned(),
            of_b,
            b: row.to_owned(),
            note: format!(
                "{} against {}, not measured in the same rounds",
                args.a, args.b
            ),
        })
        .collect();
    match sides.is_empty() {
        true => bail!("{} and {} have no row in common", args.a, args.b),
        false => Ok(sides),
    }
}

/// Two rows by their names, else all pairs of rows that differ in the variant or the engine.
fn sides<'a>(all: &'a [Sample], args: &Args) -> Result<Vec<Sides<'a>>> {
    let rows = row_names(all);
    let (a, b) = (args.a.as_str(), args.b.as_str());
    let pair = |a: &str, b: &str, note: String| Sides {
        of_a: all,
        a: a.to_owned(),
        of_b: all,
        b: b.to_owned(),
        note,
    };
    if rows.contains(a) && rows.contains(b) {
        return Ok(vec![pair(a, b, String::new())]);
    }
    let aspects: [fn(&Sample) -> &str; 2] = [|s| &s.variant, |s| &s.engine];
    for (kind, aspect) in aspects.into_iter().enumerate() {
        let other = aspects[1 - kind];
        let firsts = |value: &str| -> Vec<&'a Sample> {
            let main = |s: &&Sample| !s.row.ends_with(TWIN) && !s.row.ends_with(AGAINST);
            let named = rows
                .iter()
                .filter_map(|row| all.iter().find(|s| s.row == **row));
            named.filter(main).filter(|s| aspect(s) == value).collect()
        };
        let (of_a, of_b) = (firsts(a), firsts(b));
        let matched: Vec<Sides<'a>> = of_a
            .iter()
            .flat_map(|x| of_b.iter().map(move |y| (x, y)))
            .filter(|(x, y)| x.group == y.group && x.threads == y.threads && other(x) == other(y))
            .map(|(x, y)| pair(&x.row, &y.row, String::new()))
            .collect();
        if !matched.is_empty() {
            return Ok(matched);
        }
    }
    let unknown = if rows.contains(a) { b } else { a };
    bail!(
        "{}: no row, and no pair of variants or engines, for '{unknown}'; {}it holds {}",
        args.results.display(),
        nearest(unknown, rows.iter().copied()),
        rows.into_iter().collect::<Vec<_>>().join(", ")
    )
}

/// Prints comparisons as a table.
pub(super) fn print(found: &[Comparison]) -> Result<()> {
    let mut table = output::table(&[
        "a",
        "b",
        "pairs",
        "b / a",
        "95% interval",
        "won by b",
        "p",
        "corrected",
        "b is",
    ]);
    let figure = |value: Option<f64>| value.map_or_else(String::new, |v| format!("{v:.4}"));
    for one in found {
        let interval = match (one.low, one.high) {
            (Some(low), Some(high)) => format!("{low:.4} to {high:.4}"),
            _ => String::new(),
        };
        table.add_row([
            one.a.clone(),
            one.b.clone(),
            one.pairs.to_string(),
            figure(one.ratio),
            interval,
            one.won
                .map_or_else(String::new, |won| format!("{:.0} %", won * 100.0)),
            figure(one.p),
            figure(one.p_adjusted),
            one.verdict.label().to_owned(),
        ]);
    }
    let mut out = std::io::stdout();
    writeln!(out, "{table}")?;
    for one in found.iter().filter(|one| !one.detail.is_empty()) {
        writeln!(out, "{} and {}: {}", one.a, one.b, one.detail)?;
    }
    if let Some(first) = found.first() {
        let band = first.noise.map_or_else(
            || "no noise band: no row was measured against itself".to_owned(),
            |band| format!("noise band {:.4} to {band:.4}, measured", 1.0 / band),
        );
        writeln!(
            out,
            "{} compared; {band}; p of a sign-flip test, corrected by Holm for {} comparisons; b is faster or slower where p is at most 0.05 and the ratio beyond the band",
            first.measure,
            found.iter().filter(|one| one.p.is_some()).count()
        )?;
    }
    Ok(())
}
