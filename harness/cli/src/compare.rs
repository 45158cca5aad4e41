//! `antipode compare`: two rows, or two folders of results, held against each other.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use antipode_reports::bench::{
    AGAINST, Comparison, Measure, Outcome, RUN_JSON, SAMPLES_CSV, Sample, TWIN, read_folder,
    read_samples,
};
use antipode_reports::results::{as_written, may_replace, write_beside};

use super::names::nearest;
use super::{AS_EXPECTED, NOT_REACHED, VERIFICATION_FAILED, output};
use crate::options::Format;
use crate::output::told;
use antipode_bench::judge::compare::{Sides, compare};
use antipode_bench::judge::noise;
use antipode_search::progress::note;

/// What is written into --out.
const TABLE: &str = "comparison.csv";
const PAGE: &str = "comparison.html";

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
    /// Folder for comparison.csv and a page [default: none is kept].
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    force: output::Force,
    /// Form of the result on stdout.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// Runs the verb.
///
/// # Errors
/// Bad input, in one line.
pub fn run(args: &Args) -> Result<u8> {
    if let Some(folder) = &args.out {
        make_way(args, folder)?;
    }
    let (a, b) = (Path::new(&args.a), Path::new(&args.b));
    let (found, band) = if a.exists() && b.exists() {
        let (of_a, of_b) = (samples(a)?, samples(b)?);
        one_processor(of_a.iter().chain(&of_b))?;
        let sides = same_rows(&of_a, &of_b, args)?;
        let band = wider([(&of_a, &args.a), (&of_b, &args.b)], args);
        (compare(&sides, &band, args.measure, args.seed), band)
    } else {
        let all = results(args, [a, b])?;
        one_processor(all.iter())?;
        let sides = sides(&all, args)?;
        let band = noise::band(&all, args.measure, args.seed);
        (compare(&sides, &band, args.measure, args.seed), band)
    };
    if let Some(folder) = &args.out {
        write_beside(&folder.join(TABLE), "compare", &found)?;
        output::page_beside(folder, PAGE, "Comparison")?;
    }
    match args.format {
        Format::Text => print(&found, &band)?,
        Format::Json => writeln!(
            output::stdout(),
            "{}",
            serde_json::to_string_pretty(&found)?
        )?,
    }
    let all = |outcome| found.iter().all(|one| one.verdict == outcome);
    Ok(if found.iter().any(|one| one.verdict == Outcome::Wrong) {
        VERIFICATION_FAILED
    } else if all(Outcome::Refused) {
        NOT_REACHED
    } else {
        AS_EXPECTED
    })
}

/// Makes the folder, and finds out that nothing stands in the way of its files.
fn make_way(args: &Args, folder: &Path) -> Result<()> {
    output::no_file(folder, "csv")?;
    output::make_folder(folder)?;
    for name in [TABLE, PAGE] {
        may_replace(&folder.join(name), args.force.given())?;
    }
    Ok(())
}

/// Two folders have two bands, and a difference has to exceed both: where one is not known,
/// neither is the noise.
fn wider(folders: [(&Vec<Sample>, &String); 2], args: &Args) -> Result<f64, String> {
    let of = |(samples, name): (&Vec<Sample>, &String)| {
        let band = noise::band(samples, args.measure, args.seed);
        band.map_err(|why| format!("in {name} {why}"))
    };
    let [a, b] = folders.map(of);
    Ok(a?.max(b?))
}

/// The samples that rows are looked for in.
fn results(args: &Args, named: [&Path; 2]) -> Result<Vec<Sample>> {
    let folder = &args.results;
    if folder.exists() {
        return samples(folder);
    }
    let there = named.iter().position(|path| path.exists());
    match there {
        Some(one) => bail!(
            "{}: there is no such file or folder to hold {} against",
            named[1 - one].display(),
            named[one].display()
        ),
        None => bail!(
            "--results {}: there is no such folder; run `antipode bench` first, or name its --out",
            folder.display()
        ),
    }
}

/// Samples of a results folder, or of a table of its own.
fn samples(path: &Path) -> Result<Vec<Sample>> {
    if path.is_dir() && !path.join(SAMPLES_CSV).exists() {
        bail!(
            "{}: holds no {SAMPLES_CSV}; name a folder that `antipode bench` wrote",
            path.display()
        );
    }
    if path.is_dir() && !path.join(RUN_JSON).exists() {
        note(format_args!(
            "note: {}: no run.json: nothing says which run these samples are of",
            path.display()
        ));
    }
    let all = match path.is_dir() {
        true => {
            as_written(path, &[SAMPLES_CSV, RUN_JSON])?;
            read_folder(path)?
        }
        false => read_samples(path)?,
    };
    if all.iter().all(Sample::imported) {
        bail!(
            "{}: holds no sample of a row; run `antipode bench` first",
            path.display()
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
            places: Some([args.a.clone(), args.b.clone()]),
        })
        .collect();
    for (here, there, folder) in [(&a, &b, &args.a), (&b, &a, &args.b)] {
        let only: Vec<&str> = here.difference(there).copied().collect();
        if !only.is_empty() {
            note(format_args!("note: only in {folder}: {}", only.join(", ")));
        }
    }
    match sides.is_empty() {
        true => bail!("{} and {} have no row in common", args.a, args.b),
        false => Ok(sides),
    }
}

/// Two rows by their names, else all pairs of rows that differ in the variant or the engine.
fn sides<'a>(all: &'a [Sample], args: &Args) -> Result<Vec<Sides<'a>>> {
    let rows = row_names(all);
    let (a, b) = (args.a.as_str(), args.b.as_str());
    let pair = |a: &str, b: &str| Sides {
        of_a: all,
        a: a.to_owned(),
        of_b: all,
        b: b.to_owned(),
        places: None,
    };
    if rows.contains(a) && rows.contains(b) {
        return Ok(vec![pair(a, b)]);
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
            .map(|(x, y)| pair(&x.row, &y.row))
            .collect();
        if !matched.is_empty() {
            return Ok(matched);
        }
    }
    let (unknown, other) = if rows.contains(a) { (b, a) } else { (a, b) };
    if Path::new(unknown).exists() {
        bail!(
            "{}: no row '{unknown}'; it is a file or folder, but '{other}' is none: give two folders, or two rows",
            args.results.display()
        );
    }
    bail!(
        "{}: no row, and no pair of variants or engines, for '{unknown}'; {}it holds {}",
        args.results.display(),
        nearest(unknown, rows.iter().copied()),
        rows.into_iter().collect::<Vec<_>>().join(", ")
    )
}

/// Prints comparisons as a table.
fn print(found: &[Comparison], band: &Result<f64, String>) -> Result<()> {
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
    for one in found {
        table.add_row([
            one.a.clone(),
            one.b.clone(),
            one.pairs.to_string(),
            output::figure(one.ratio),
            output::interval(one.low, one.high),
            one.won
                .map_or_else(String::new, |won| format!("{:.0} %", won * 100.0)),
            output::figure(one.p),
            output::figure(one.p_adjusted),
            one.verdict.label().to_owned(),
        ]);
    }
    let mut out = output::stdout();
    writeln!(out, "{}", output::fitted(&mut table))?;
    for one in found.iter().filter(|one| !one.detail.is_empty()) {
        told!(out, "{} and {}: {}", one.a, one.b, one.detail)?;
    }
    if let Some(first) = found.first() {
        let band = match band {
            Ok(band) => format!("noise band {:.4} to {band:.4}, measured", 1.0 / band),
            Err(why) => format!("no noise band: {why}"),
        };
        told!(
            out,
            "{} compared; {band}; p of a sign-flip test, corrected by Holm for {}; b is faster or slower where p is at most 0.05 and the ratio beyond the band",
            first.measure,
            match found.iter().filter(|one| one.p.is_some()).count() {
                1 => "1 comparison".to_owned(),
                count => format!("{count} comparisons"),
            }
        )?;
    }
    Ok(())
}
