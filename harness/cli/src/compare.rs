//! `antipode compare`: compares two rows, or two folders of results.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use serde_json::json;

use antipode_reports::bench::{
    AGAINST, Comparison, ComparisonOutcome, Measure, RUN_JSON, SAMPLES_CSV, Sample, TWIN,
    read_folder, read_run, read_samples,
};
use antipode_reports::count;
use antipode_reports::report::tables;
use antipode_reports::results::{Results, as_written};
use antipode_reports::text::did_you_mean;

use super::regress::factor;
use super::{AS_EXPECTED, NOT_REACHED, VERIFICATION_FAILED, output, summary};
use crate::options::Format;
use crate::output::told;
use antipode_bench::judge::compare::{Sides, compare};
use antipode_bench::judge::noise::{self, Band};
use antipode_search::progress::note;

/// The command, as manifests name it.
const VERB: &str = "compare";
/// The files written to --out.
const TABLE: &str = "comparison.csv";
const PAGE: &str = "comparison.html";
const SUMMARY: &str = "comparison.md";

/// Arguments of `compare`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// What the others are compared with: a row, a variant or an engine in --results; a results
    /// folder; or @against, the executable of `bench --against` in the folder that follows. The
    /// last is the surest: both were measured in the same rounds.
    a: String,
    /// What is judged, named likewise: a ratio below 1 says that it is faster.
    b: String,
    /// More results folders, each compared with the first.
    #[arg(value_name = "FOLDER")]
    more: Vec<String>,
    /// Where rows are looked for.
    #[arg(long, value_name = "DIR", default_value = "antipode-bench")]
    results: PathBuf,
    /// What is compared: cpu or wall. CPU time is hardly touched by other work on the machine;
    /// for rows on several threads ask for wall.
    #[arg(long, default_value = "cpu")]
    measure: Measure,
    /// Ratio that the machine shows between equals, such as 1.1: nothing closer is called faster or
    /// slower [default: what rows against themselves showed; between folders this needs three rows
    /// with `self = true` and the same program in both].
    #[arg(long, value_name = "RATIO", value_parser = factor)]
    band: Option<f64>,
    /// Seed of the resampling.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Folder for comparison.csv, comparison.md and a page [default: none is kept].
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    force: output::Force,
    /// Form of the result on stdout.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<u8> {
    if let Some(folder) = &args.out {
        output::no_file(folder, "csv")?;
        let begin = output::Begin::anew(VERB);
        args.force
            .make_way(Some(folder), &[TABLE, PAGE, SUMMARY], begin)?;
    }
    let mut names = vec![args.a.clone(), args.b.clone()];
    names.extend(args.more.iter().cloned());
    if !names.iter().all(|name| Path::new(name).exists()) {
        names.clear();
    }
    let (found, bands) = match names.is_empty() {
        true => rows(args)?,
        false => folders(&names, args)?,
    };
    if let Some(folder) = &args.out {
        let mut results = Results::new(folder, VERB);
        results.rows(TABLE, &found)?;
        results.finish()?;
        output::page_beside(folder, PAGE, "Comparison")?;
        let text = summary::comparisons(&found, &names);
        output::summary_beside(folder, SUMMARY, &text)?;
    }
    match args.format {
        Format::Text => print(&found, &bands, &names)?,
        Format::Json => {
            let value = json!({ "comparisons": found });
            output::print_json("compare", &value)?;
        }
    }
    let all = |outcome| found.iter().all(|one| one.verdict == outcome);
    Ok(
        if found
            .iter()
            .any(|one| one.verdict == ComparisonOutcome::Wrong)
        {
            VERIFICATION_FAILED
        } else if all(ComparisonOutcome::Refused) {
            NOT_REACHED
        } else {
            AS_EXPECTED
        },
    )
}

/// Every row of each folder against the same row of the first; a band for each.
fn folders(names: &[String], args: &Args) -> Result<(Vec<Comparison>, Vec<Band>)> {
    let read: Result<Vec<Vec<Sample>>> = names.iter().map(|one| samples(Path::new(one))).collect();
    let read = read?;
    one_processor(read.iter().flatten())?;
    let (mut found, mut bands) = (Vec::new(), Vec::new());
    for (name, of_b) in names.iter().zip(&read).skip(1) {
        let sides = same_rows((&read[0], &names[0]), (of_b, name))?;
        let programs = [&names[0], name].map(|folder| programs(Path::new(folder)));
        let is_same = programs[0].is_some() && programs[0] == programs[1];
        let of_rows = match args.band {
            Some(band) => vec![Ok(band); sides.len()],
            None => noise::between(&sides, args.measure, args.seed, is_same),
        };
        found.extend(compare(&sides, &of_rows, args.measure, args.seed));
        // The narrowest is that of the rows measured against themselves.
        let narrowest = of_rows.iter().flatten().copied().min_by(f64::total_cmp);
        bands.push(narrowest.map_or_else(|| of_rows[0].clone(), Ok));
    }
    Ok((found, bands))
}

/// Digests of the programs of rows with a command, as the record of a run has them.
fn programs(folder: &Path) -> Option<Vec<String>> {
    let run = read_run(folder).ok()??;
    Some(run.programs.into_iter().map(|file| file.blake3).collect())
}

/// Rows of one folder, measured in the same rounds.
fn rows(args: &Args) -> Result<(Vec<Comparison>, Vec<Band>)> {
    if let Some(third) = args.more.first() {
        let there = |name: &&String| !Path::new(name).exists();
        let odd = [&args.a, &args.b].into_iter().chain(&args.more).find(there);
        bail!(
            "{}: there is no such file or folder; more than two, such as {third}, are compared as folders",
            odd.unwrap_or(third)
        );
    }
    let all = match args.a.as_str() {
        AGAINST => samples(Path::new(&args.b))?,
        _ => results(args, [&args.a, &args.b].map(Path::new))?,
    };
    one_processor(all.iter())?;
    let sides = sides(&all, args)?;
    let band = match args.band {
        Some(band) => Ok(band),
        None => noise::band(&all, args.measure, args.seed),
    };
    let of_rows = vec![band.clone(); sides.len()];
    let found = compare(&sides, &of_rows, args.measure, args.seed);
    Ok((found, vec![band]))
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
            "{}: there is no such file or folder to compare {} with",
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
    let all = match path.is_dir() {
        true => {
            as_written(path, &[SAMPLES_CSV, RUN_JSON])?;
            read_folder(path)?
        }
        false => read_samples(path)?,
    };
    let has_runs = all.iter().any(|sample| !sample.imported());
    if path.is_dir() && has_runs && !path.join(RUN_JSON).exists() {
        note(format_args!(
            "note: {}: no run.json: nothing says which run these samples are of",
            path.display()
        ));
    }
    if read_run(path)?.is_some_and(|run| !run.complete) {
        note(format_args!(
            "note: {}: incomplete: its run was stopped; run the same `antipode bench` command again to complete it",
            path.display()
        ));
    }
    if all.is_empty() {
        bail!(
            "{}: holds no sample; run `antipode bench` first",
            path.display()
        );
    }
    Ok(all)
}

/// Times of two machines are not compared.
fn one_processor<'a>(samples: impl Iterator<Item = &'a Sample>) -> Result<()> {
    let known = samples.map(|sample| sample.processor.as_str());
    let all: BTreeSet<&str> = known.filter(|name| !name.is_empty()).collect();
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

/// Rows and imported figures that both folders have.
fn same_rows<'a>(
    (of_a, name_a): (&'a [Sample], &String),
    (of_b, name_b): (&'a [Sample], &String),
) -> Result<Vec<Sides<'a>>> {
    let names = |samples: &'a [Sample]| -> BTreeSet<(&'a str, &'a str)> {
        let names = samples.iter();
        names.map(|s| (s.metric.as_str(), s.row.as_str())).collect()
    };
    let (a, b) = (names(of_a), names(of_b));
    for (here, there, folder) in [(&a, &b, name_a), (&b, &a, name_b)] {
        let only: Vec<&str> = here.difference(there).map(|(_, row)| *row).collect();
        if !only.is_empty() {
            note(format_args!("note: only in {folder}: {}", only.join(", ")));
        }
    }
    let both = a.intersection(&b).filter(|(_, row)| !row.ends_with(TWIN));
    let sides: Vec<Sides<'a>> = both
        .map(|(metric, row)| Sides {
            of_b,
            metric: (*metric).to_owned(),
            places: Some([name_a.clone(), name_b.clone()]),
            ..Sides::rows(of_a, *row, *row)
        })
        .collect();
    let unit = |samples: &'a [Sample], (metric, row): (&str, &str)| -> &'a str {
        let mut own = samples
            .iter()
            .filter(|s| s.metric == metric && s.row == row);
        own.next().map_or("", |sample| &sample.unit)
    };
    for &name in a.intersection(&b) {
        let (here, there) = (unit(of_a, name), unit(of_b, name));
        if here != there {
            bail!(
                "'{}' is in {here} in {name_a}, and in {there} in {name_b}: import both in one unit",
                name.1
            );
        }
    }
    match sides.is_empty() {
        true => bail!("{name_a} and {name_b} have no row in common"),
        false => Ok(sides),
    }
}

/// Two rows by their names, else all pairs of rows that differ in the variant or the engine.
fn sides<'a>(all: &'a [Sample], args: &Args) -> Result<Vec<Sides<'a>>> {
    let rows = row_names(all);
    let (a, b) = (args.a.as_str(), args.b.as_str());
    let pair = |a: &str, b: &str| Sides::rows(all, a, b);
    if a == AGAINST {
        let second = rows.iter().filter_map(|row| row.strip_suffix(AGAINST));
        let all: Vec<Sides<'a>> = second
            .map(|row| pair(&format!("{row}{AGAINST}"), row))
            .collect();
        return match all.is_empty() {
            true => bail!(
                "{b}: no row was measured with a second executable; run `antipode bench SUITE --against OTHER --out {b}`"
            ),
            false => Ok(all),
        };
    }
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
    if rows.is_empty() {
        bail!(
            "{}: holds figures of other programs alone, which folders are compared by: give two folders",
            args.results.display()
        );
    }
    let is_known = |name: &str| {
        rows.contains(name) || all.iter().any(|s| aspects.iter().any(|of| of(s) == name))
    };
    let (unknown, other) = match is_known(a) && !is_known(b) {
        true => (b, a),
        false => (a, b),
    };
    if Path::new(unknown).exists() {
        bail!(
            "{}: no row '{unknown}'; it is a file or folder, but '{other}' is none: give two folders, or two rows",
            args.results.display()
        );
    }
    bail!(
        "{}: no row, and no pair of variants or engines, for '{unknown}'; {}it holds {}",
        args.results.display(),
        did_you_mean(unknown, rows.iter().copied()),
        rows.into_iter().collect::<Vec<_>>().join(", ")
    )
}

/// Prints comparisons as a table, and their means.
fn print(found: &[Comparison], bands: &[Band], folders: &[String]) -> Result<()> {
    let mut out = output::stdout();
    let measures: BTreeSet<&str> = found.iter().map(|one| &*one.measure).collect();
    let page = tables::comparison(&output::found(&[], found.to_vec()));
    let columns = "against|judged|pairs|measure|ratio|95% interval|pairs won|p, corrected|verdict";
    let columns = match measures.len() {
        0 | 1 => columns.replacen("measure|", "", 1),
        _ => columns.to_owned(),
    };
    let mut table = output::of_page(&page, &columns);
    writeln!(out, "{}", output::fitted(&mut table))?;
    for mean in summary::means(found, folders) {
        told!(out, "{mean}")?;
    }
    if let [first, ..] = folders {
        told!(
            out,
            "ratios are to {first}, whose samples were not taken in the same rounds"
        )?;
    }
    for band in bands {
        match band {
            Ok(band) if folders.is_empty() => {
                told!(out, "noise band {:.4} to {band:.4}", 1.0 / band)?
            }
            Ok(band) => told!(
                out,
                "noise band {:.4} to {band:.4}, wider for a row that varies more within a run",
                1.0 / band
            )?,
            Err(why) if folders.is_empty() => told!(out, "no noise band: {why}")?,
            Err(why) => told!(
                out,
                "no noise band, so no verdict: {why}; measure both in the same rounds (`antipode bench SUITE --against OTHER`), or give --band RATIO"
            )?,
        }
    }
    let tested = found.iter().filter(|one| one.p.is_some());
    told!(
        out,
        "{} compared; p of a sign-flip test, corrected by Holm for {}; what is judged is faster or slower if p is at most 0.05 and the ratio beyond the band",
        Vec::from_iter(measures).join(", "),
        count(tested.count() / bands.len().max(1), "comparisons")
    )?;
    Ok(())
}
