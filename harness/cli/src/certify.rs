//! `antipode certify`: published claims, derived again.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use anyhow::{Context as _, Result, bail};
use comfy_table::{Cell, Color, ColumnConstraint, Width};

use antipode_reports::html::{Page, RunWithTables, page_html};
use antipode_reports::model::{ClaimResult, ClaimRow, MANIFEST, Verdict, unix_seconds};
use antipode_reports::results::{Results, Sealed};

use super::options::{EngineName, Format, Plugins, effort};
use super::{AS_EXPECTED, NOT_REACHED, UNEXPECTED, VERIFICATION_FAILED, names, output};
use antipode_claims::{
    Claim, ClaimSource, Context, Effort, Judged, certificate, check, judge, module_sources, narrow,
    parse_claims, row_ids,
};
use antipode_graph::{Library, clean};
use antipode_search::engine::Kind;
use antipode_search::machine;
use antipode_search::progress::Stop;
use antipode_search::record::legend;
use antipode_search::registry::EngineId;

/// Arguments of `certify`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Puzzles, or ids of claims [default: all].
    #[arg(value_name = "PUZZLE|CLAIM-ID")]
    names: Vec<String>,
    /// `quick` samples what takes long, `full` proves it.
    #[arg(long, value_parser = effort(), default_value = "quick")]
    effort: Effort,
    /// Folder for the page, the tables and the certificates.
    #[arg(long, value_name = "DIR", default_value = "antipode-out")]
    out: PathBuf,
    /// A file of claims to use instead of the puzzle's own; its first line is `puzzle = "NAME"`.
    #[arg(long, value_name = "FILE")]
    claims: Option<PathBuf>,
    /// Search strategy for what it answers, levels or paths [default: as each puzzle and
    /// question prefers].
    #[arg(long, value_parser = EngineName(&Kind::ALL))]
    engine: Option<EngineId>,
    /// Worker threads [default: all cores].
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Seed of all sampling.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Go on where a run with the same --out was stopped.
    #[arg(long)]
    resume: bool,
    #[command(flatten)]
    force: output::Force,
    /// Form of the result on stdout.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    #[command(flatten)]
    plugins: Plugins,
}

impl Args {
    /// Whether a claim is left to full effort.
    fn skips(&self, claim: &Claim) -> bool {
        claim.full_only && self.effort == Effort::Quick
    }
}

/// The verb, as manifests name it.
const VERB: &str = "certify";

/// Claims that were chosen, with the source that decides them.
type Chosen = Vec<(ClaimSource, Vec<Claim>)>;

/// Runs the verb.
///
/// # Errors
/// Bad input, in one line.
pub fn run(args: &Args, stop: &Stop) -> Result<u8> {
    let libraries = args.plugins.libraries()?;
    let chosen = choose(args, &libraries)?;
    // All that can be wrong with a file is said before hours of work.
    for (source, claim) in pairs(&chosen) {
        check(source, claim).with_context(|| place(source, claim))?;
    }
    let threads = args.threads.map_or_else(machine::cores, usize::from);
    let mut context = Context::new(args.effort, args.seed, threads, stop.clone());
    context.out = Some(args.out.clone());
    context.resume = args.resume;
    context.engine = args.engine;
    context.command = machine::command_line();
    context.show_progress = true;
    check_engine(args, &chosen, &context)?;
    probe(args, &chosen)?;
    let mut judged = Vec::new();
    for (source, claim) in pairs(&chosen) {
        judged.push(judge(source, claim, &mut context).with_context(|| place(source, claim))?);
    }
    write_all(args, &libraries, &context, &judged)?;
    for analysis in context.analyses() {
        analysis.clear_kept()?;
    }
    match args.format {
        Format::Text => print_table(args, &judged)?,
        Format::Json => {
            let results: Vec<&ClaimResult> = judged.iter().map(|j| &j.result).collect();
            let value = serde_json::json!({ "claims": results, "exit": exit_code(&judged) });
            writeln!(output::stdout(), "{value:#}")?;
        }
    }
    Ok(exit_code(&judged))
}

/// Finds out that the engine named can analyse what the claims ask for.
fn check_engine(args: &Args, chosen: &Chosen, context: &Context) -> Result<()> {
    if args.engine.is_none() {
        return Ok(());
    }
    for (source, claim) in pairs(chosen) {
        for instance in analysed(args, claim) {
            if let Some(library) = &source.library {
                let checked = context.check(library, instance);
                checked.with_context(|| place(source, claim))?;
            }
        }
    }
    Ok(())
}

/// Instances that a claim has analysed.
fn analysed<'a>(args: &Args, claim: &'a Claim) -> impl Iterator<Item = &'a str> {
    let skips = args.skips(claim);
    let cases = claim.cases.iter().filter(move |_| !skips);
    cases.filter_map(|case| case.kind.analysed(case))
}

fn pairs(chosen: &Chosen) -> impl Iterator<Item = (&ClaimSource, &Claim)> {
    let claims = |(source, claims)| std::iter::repeat(source).zip(claims);
    chosen.iter().map(|(s, c)| (s, c)).flat_map(claims)
}

fn place(source: &ClaimSource, claim: &Claim) -> String {
    format!("{}, claim '{}'", source.file, claim.id)
}

fn exit_code(judged: &[Judged]) -> u8 {
    let unexpected = |j: &&Judged| !j.as_expected;
    if judged.iter().any(|j| j.disagreement) {
        VERIFICATION_FAILED
    } else if judged
        .iter()
        .filter(unexpected)
        .any(|j| j.result.verdict != Verdict::NotReached)
    {
        UNEXPECTED
    } else if judged.iter().any(|j| !j.as_expected) {
        NOT_REACHED
    } else {
        AS_EXPECTED
    }
}

// ---- choosing --------------------------------------------------------------

fn choose(args: &Args, libraries: &[Arc<Library>]) -> Result<Chosen> {
    let sources = match &args.claims {
        Some(file) => vec![source_of_file(file, libraries)?],
        None => libraries
            .iter()
            .filter_map(ClaimSource::of_library)
            .chain(module_sources())
            .collect(),
    };
    let mut all = Vec::new();
    for source in sources {
        let (_, claims) = parse_claims(&source.file, &source.text)?;
        all.push((source, claims));
    }
    if args.names.is_empty() {
        check_ids(&all)?;
        return Ok(all);
    }
    check_names(&args.names, &all)?;
    let wanted = |source: &ClaimSource, claim: &Claim| {
        let names = args.names.iter();
        names
            .into_iter()
            .any(|name| *name == source.name || *name == claim.id)
    };
    for (source, claims) in &mut all {
        let whole = |claim: &Claim| wanted(source, claim);
        claims.retain_mut(|claim| whole(claim) || narrow(claim, &args.names));
    }
    all.retain(|(_, claims)| !claims.is_empty());
    check_ids(&all)?;
    Ok(all)
}

/// A certificate is named by its claim, so that two claims of one name would share one.
fn check_ids(chosen: &Chosen) -> Result<()> {
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

fn check_names(names: &[String], all: &Chosen) -> Result<()> {
    let ids = || {
        all.iter().flat_map(|(source, claims)| {
            let ids = claims.iter().map(|claim| claim.id.as_str());
            std::iter::once(source.name.as_str()).chain(ids)
        })
    };
    let claims = || all.iter().flat_map(|(_, claims)| claims);
    let row = |name: &String| claims().flat_map(row_ids).any(|id| id == *name);
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
    let kind = fs::metadata(file).with_context(|| format!("{shown}: cannot be read"))?;
    if !kind.is_file() {
        bail!("{shown}: cannot be read: is no regular file; give a file of claims");
    }
    let text = fs::read_to_string(file).with_context(|| format!("{shown}: cannot be read"))?;
    let (puzzle, claims) = parse_claims(&shown, &text)?;
    let Some(puzzle) = puzzle else {
        bail!("{shown}, line 1, column 1: lacks the line puzzle = \"NAME\" before the first claim");
    };
    if claims.is_empty() {
        bail!("{shown}: holds no claim; begin each with [[claim]]");
    }
    let library = libraries.iter().find(|library| library.name == puzzle);
    let module = module_sources();
    let module = module.into_iter().find(|source| source.name == puzzle);
    match (library, module) {
        (Some(library), _) => Ok(ClaimSource {
            name: puzzle,
            text,
            file: shown,
            library: Some(Arc::clone(library)),
            deriver: None,
        }),
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

// ---- files -------------------------------------------------------------------

/// The verdicts, a row each.
const TABLE: &str = "claims.csv";
/// The page.
const PAGE: &str = "report.html";
/// The level table of each part of an instance that has several, in the instance's folder.
const PARTS: &str = "parts.csv";
/// Folder of the certificates.
const CERTIFICATES: &str = "certificates";

/// Finds out before the work that its results can be written.
fn probe(args: &Args, chosen: &Chosen) -> Result<()> {
    output::make_folder(&args.out)?;
    args.force.probe(&args.out, &[TABLE, PAGE])?;
    let certificates = args.out.join(CERTIFICATES);
    output::make_inner(&args.out, &certificates)?;
    for (source, claim) in pairs(chosen) {
        args.force
            .probe(&certificates, &[&format!("{}.json", claim.id)])?;
        for instance in analysed(args, claim) {
            let folder = Context::folder(&args.out, &source.name, instance);
            output::make_inner(&args.out, &folder)?;
            args.force.probe(&folder, &output::ANALYSIS_FILES)?;
            args.force.probe(&folder, &[PARTS])?;
        }
    }
    Ok(())
}

/// Moves certificates of claims that are not in this run to `certificates/earlier`: beside
/// its table and its page they would pass for results of it.
fn put_by_earlier(certificates: &Path, judged: &[Judged]) -> Result<()> {
    let earlier = certificates.join("earlier");
    for entry in fs::read_dir(certificates)? {
        let path = entry?.path();
        let id = path
            .file_stem()
            .map(|stem| stem.to_string_lossy().into_owned());
        let current = judged.iter().any(|j| Some(&j.result.id) == id.as_ref());
        let is_json = path
            .extension()
            .is_some_and(|extension| extension == "json");
        if current || !is_json || !path.is_file() || path.ends_with(MANIFEST) {
            continue;
        }
        let Some(name) = path.file_name() else {
            continue;
        };
        output::make_folder(&earlier)?;
        fs::rename(&path, earlier.join(name)).with_context(|| {
            format!(
                "{}: cannot be moved to {}",
                path.display(),
                earlier.display()
            )
        })?;
    }
    Ok(())
}

fn write_all(
    args: &Args,
    libraries: &[Arc<Library>],
    context: &Context,
    judged: &[Judged],
) -> Result<()> {
    let results: Vec<ClaimResult> = judged.iter().map(|j| j.result.clone()).collect();
    let with_rows: Vec<ClaimResult> = judged
        .iter()
        .flat_map(|j| std::iter::once(&j.result).chain(&j.rows))
        .cloned()
        .collect();
    let rows: Vec<ClaimRow> = with_rows.iter().map(ClaimRow::from).collect();
    let mut root = Results::new(&args.out, VERB);
    root.rows(TABLE, &rows)?;
    let folder = args.out.join(CERTIFICATES);
    output::make_inner(&args.out, &folder)?;
    let mut certificates = Results::new(&folder, VERB);
    for judged in judged {
        let name = format!("{}.json", judged.result.id);
        certificates.record(&name, &certificate::of(judged, context))?;
    }
    let certificates = certificates.seal()?;
    root.part(CERTIFICATES, &certificates);
    let mut parts = vec![certificates];
    let mut runs = Vec::new();
    for analysis in context.analyses() {
        let folder = Context::folder(&args.out, &analysis.run.puzzle, &analysis.run.instance);
        output::make_inner(&args.out, &folder)?;
        let mut results = output::analysis_results(&folder, analysis, VERB)?;
        if !analysis.parts.is_empty() {
            results.rows(PARTS, &analysis.parts)?;
        }
        parts.push(results.seal()?);
        runs.push(RunWithTables {
            run: analysis.run.clone(),
            levels: analysis.levels.clone(),
            antipodes: analysis.antipodes.clone(),
        });
    }
    let page = Page {
        title: "Published puzzle claims, derived again".into(),
        generated_unix_s: unix_seconds(SystemTime::now()),
        tool_version: env!("CARGO_PKG_VERSION").into(),
        command: context.command.clone(),
        effort: context.effort.name().into(),
        seed: args.seed,
        claims: results,
        runs,
        legends: libraries
            .iter()
            .map(|library| (library.name.clone(), legend(&library.legend)))
            .collect::<BTreeMap<_, _>>(),
    };
    root.page(PAGE, page_html(&page))?;
    parts.push(root.seal()?);
    // All of it is on the disk: from here on only names are given.
    put_by_earlier(&folder, judged)?;
    Ok(parts.into_iter().try_for_each(Sealed::appear)?)
}

// ---- the table ---------------------------------------------------------------

/// Columns that most ids of claims fit into, padding included.
const ID_WIDTH: u16 = 38;

fn print_table(args: &Args, judged: &[Judged]) -> Result<()> {
    let mut table = output::table(&["claim", "claimed", "found", "verdict", ""]);
    output::wrap(&mut table);
    if let Some(id) = table.column_mut(0) {
        id.set_constraint(ColumnConstraint::LowerBoundary(Width::Fixed(ID_WIDTH)));
    }
    if let Some(verdict) = table.column_mut(3) {
        verdict.set_constraint(ColumnConstraint::ContentWidth);
    }
    for judged in judged {
        let result = &judged.result;
        table.add_row([
            Cell::new(clean(&result.id)),
            Cell::new(clean(&figure(&result.claimed))),
            Cell::new(clean(&figure(&result.found))),
            Cell::new(result.verdict.label()).fg(colour(result.verdict)),
            Cell::new(remark(judged)),
        ]);
        for reading in &result.readings {
            if result.readings.len() > 8 {
                break;
            }
            table.add_row([
                Cell::new(clean(&format!("  reading: {}", reading.name))),
                Cell::new(clean(&figure(&reading.claimed))),
                Cell::new(clean(&figure(&reading.found))),
                Cell::new(reading.verdict.label()).fg(colour(reading.verdict)),
                Cell::new(""),
            ]);
        }
    }
    // Its cells are clean, and its colours are what a terminal shall obey.
    writeln!(crate::results::out(), "{table}")?;
    let mut out = output::stdout();
    let mut checks: Vec<String> = Vec::new();
    for evidence in judged.iter().flat_map(|j| &j.result.evidence) {
        let line = output::check_line(evidence);
        if !checks.contains(&line) {
            checks.push(line);
        }
    }
    for line in checks {
        writeln!(out, "{line}")?;
    }
    writeln!(out, "{}", summary(judged))?;
    writeln!(out, "page: {}", output::shown(&args.out.join(PAGE)))?;
    Ok(())
}

/// A figure for people: whole numbers with their thousands apart, all else as it is.
fn figure(text: &str) -> String {
    let apart = |part: &str| match part.parse::<u128>() {
        Ok(number) if number >= 10_000 => output::grouped(number),
        _ => part.to_owned(),
    };
    text.split("; ").map(apart).collect::<Vec<_>>().join("; ")
}

const fn colour(verdict: Verdict) -> Color {
    match verdict {
        Verdict::Confirmed | Verdict::ConfirmedBySample => Color::Green,
        Verdict::Refuted | Verdict::RefutedBySample => Color::Red,
        Verdict::Ambiguous | Verdict::NotReached => Color::Yellow,
        Verdict::Reported => Color::Reset,
    }
}

fn remark(judged: &Judged) -> &'static str {
    if judged.disagreement {
        "OUR DERIVATIONS DISAGREE"
    } else if judged.as_expected {
        ""
    } else {
        "not as expected"
    }
}

fn summary(judged: &[Judged]) -> String {
    let count = |verdict| {
        judged
            .iter()
            .filter(|j| j.result.verdict == verdict)
            .count()
    };
    let counts: Vec<String> = Verdict::ALL
        .into_iter()
        .map(|verdict| (verdict, count(verdict)))
        .filter(|(_, n)| *n > 0)
        .map(|(verdict, n)| format!("{n} {}", verdict.label()))
        .collect();
    let odd = judged.iter().filter(|j| !j.as_expected).count();
    let expected = match odd {
        0 => "all as expected".into(),
        n => format!("{n} not as expected"),
    };
    format!("{} claims: {}; {expected}", judged.len(), counts.join(", "))
}
