//! `antipode report`: one page, a site, pictures, or tables of a README, from results.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use anyhow::{Result, bail};
use clap::builder::NonEmptyStringValueParser;

use antipode_graph::Library;
use antipode_reports::atomic::write_atomically;
use antipode_reports::count;
use antipode_reports::html::site::write_site;
use antipode_reports::html::{ReportHead, finding_pictures, write_report};
use antipode_reports::json_out::read_record;
use antipode_reports::model::{MANIFEST, Manifest, VERDICTS, unix_seconds};
use antipode_reports::report::{FoundFolders, gather, splice::splice_file};
use antipode_reports::results::{may_replace, no_part_of_a_result};

use super::history::History;
use super::options::Plugins;
use super::output::{self, Force, told};
use super::{AS_EXPECTED, UNEXPECTED, opening};
use antipode_search::machine;
use antipode_search::progress::note;
use antipode_search::record::legends;

/// Arguments of `report`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Folders with results, looked through with all folders below them.
    #[arg(value_name = "DIR", required = true)]
    folders: Vec<PathBuf>,
    /// Folder for the page, report.html [default: antipode-report, or none with --splice, --site,
    /// --pictures or --history].
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Folder for a static site that can be hosted as it is: an index, a page per puzzle and
    /// claim, the hardest boards, and the certificates and data next to them.
    #[arg(long, value_name = "DIR")]
    site: Option<PathBuf>,
    /// Folder for the pictures of the findings that pages open with, an SVG file each.
    #[arg(long, value_name = "DIR")]
    pictures: Option<PathBuf>,
    /// Renew the marked tables of this Markdown file: `<!-- antipode:table NAME -->` to `<!--
    /// antipode:end -->`.
    #[arg(long, value_name = "FILE")]
    splice: Option<PathBuf>,
    /// History of benchmark rows over commits, a CSV that grows: adds the rows in these folders as
    /// those of --commit, prints at which commit each row changed, and draws it (same name, .svg).
    #[arg(long, value_name = "FILE.csv")]
    history: Option<PathBuf>,
    /// The commit of --history that the rows are of [default: none is added].
    #[arg(long, value_name = "NAME", requires = "history",
          value_parser = NonEmptyStringValueParser::new())]
    commit: Option<String>,
    /// A level that the forecasts of searches on disk shall reach; may be given several times.
    #[arg(long, value_name = "LEVEL")]
    forecast: Vec<u32>,
    /// Headline of the page [default: Results of Antipode].
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    #[command(flatten)]
    force: Force,
    #[command(flatten)]
    plugins: Plugins,
}

/// Runs the command.
///
/// # Errors
/// Bad input, in one line: nothing to report, a damaged file, a newer schema, an unknown or
/// unclosed mark, or a page to overwrite that is not our own. Files that differ from what was
/// written are reported on the page and on stderr, and give exit code 1.
pub fn run(args: &Args) -> Result<u8> {
    let mut found = gather(&args.folders)?;
    if !args.forecast.is_empty() && found.runs.iter().all(|run| run.costs.is_empty()) {
        bail!("--forecast: no search on disk is in these folders; add one, or leave it out");
    }
    for run in &mut found.runs {
        run.wanted.clone_from(&args.forecast);
    }
    for (name, folder) in [
        ("--out", &args.out),
        ("--site", &args.site),
        ("--pictures", &args.pictures),
    ] {
        if let Some(folder) = folder {
            apart_from_claims(name, folder)?;
        }
    }
    // The libraries know how boards are drawn; without them, a page would show text. They are
    // loaded in another process, before this one holds a folder.
    let libraries = args.plugins.libraries()?;
    let page = page_file(args)?;
    if let Some(site) = &args.site {
        output::make_folder(site, "--site")?;
    }
    let is_drawn = page.is_some() || args.site.is_some() || args.pictures.is_some();
    let of_pages = [
        ("--title", args.title.is_some()),
        ("--force", args.force.given() == Some(true)),
    ];
    if let Some((name, _)) = of_pages.iter().find(|(_, given)| *given && !is_drawn) {
        bail!("{name}: no page or picture is written; add --out DIR, or leave out {name}");
    }
    let mut out = output::stdout();
    let history = |file: &PathBuf| History::with(file, args.commit.as_deref(), &found);
    let history = args.history.as_ref().map(history).transpose()?;
    if let Some(file) = &args.splice {
        let tables = splice_file(file, &found)?;
        let noun = if tables == 1 { "table" } else { "tables" };
        writeln!(out, "{}: {tables} {noun} renewed", file.display())?;
    }
    if let (Some(file), Some(history)) = (&args.history, history) {
        history.write(file)?;
        let commits = count(history.commits().len(), "commits");
        told!(out, "{}: {commits}", output::shown(file))?;
        for change in history.changes() {
            told!(out, "  {change}")?;
        }
    }
    let head = match is_drawn {
        true => head(args, page.as_deref(), &libraries, &found)?,
        false => ReportHead::default(),
    };
    if let Some(page) = page {
        write_report(&page, &head, &found, args.force.given())?;
        writeln!(out, "{}: {}", output::shown(&page), found.summary())?;
    }
    if let Some(site) = &args.site {
        let pages = write_site(site, &head, &found, &args.folders, args.force.given())?;
        writeln!(
            out,
            "{}: {pages} pages",
            output::shown(&site.join("index.html"))
        )?;
    }
    if let Some(folder) = &args.pictures {
        let count = write_pictures(folder, args, &head, &found)?;
        writeln!(out, "{}: {count} pictures", output::shown(folder))?;
    }
    for mark in &found.marks {
        note(format_args!(
            "{}: {}",
            mark.path().display(),
            mark.kind.text()
        ));
    }
    for (id, why) in &found.doubted {
        note(format_args!("claim {id} has no verdict: {why}"));
    }
    Ok(match found.is_as_written() {
        true => AS_EXPECTED,
        false => UNEXPECTED,
    })
}

/// Refuses a folder within the results of claims: their checker rejects files that it does not know.
fn apart_from_claims(name: &str, folder: &Path) -> Result<()> {
    for above in std::path::absolute(folder)?.ancestors() {
        let manifest = read_record::<Manifest>(above.join(MANIFEST));
        let files = manifest.map(|manifest| manifest.files).unwrap_or_default();
        if files.iter().any(|file| file.path == VERDICTS) {
            bail!(
                "{name} {}: the results of `antipode certify` there would have files that are not theirs; choose a folder outside {}",
                folder.display(),
                above.display()
            );
        }
    }
    Ok(())
}

/// The file of the page, found out to be free.
fn page_file(args: &Args) -> Result<Option<PathBuf>> {
    let elsewhere = args.splice.is_some() || args.site.is_some() || args.pictures.is_some();
    let elsewhere = elsewhere || args.history.is_some();
    let folder = match &args.out {
        Some(folder) => folder,
        None if elsewhere => return Ok(None),
        None => Path::new("antipode-report"),
    };
    output::no_file(folder, "html")?;
    let page = folder.join("report.html");
    no_part_of_a_result(&page)?;
    output::make_folder(folder, "--out")?;
    may_replace(&page, args.force.given())?;
    Ok(Some(page))
}

/// The heading of the pages, and how they draw boards.
fn head(
    args: &Args,
    page: Option<&Path>,
    libraries: &[Arc<Library>],
    found: &FoundFolders,
) -> Result<ReportHead> {
    Ok(ReportHead {
        title: (args.title.clone()).unwrap_or_else(|| "Results of Antipode".to_owned()),
        generated_unix_s: unix_seconds(SystemTime::now()),
        tool_version: env!("CARGO_PKG_VERSION").into(),
        command: machine::command_line(),
        legends: legends(libraries.iter().map(|library| &**library)),
        findings: opening::findings()?,
        boards: opening::boards(libraries, found.claims.iter()),
        folder: page
            .and_then(Path::parent)
            .map(Path::to_owned)
            .unwrap_or_default(),
        ..ReportHead::default()
    })
}

/// Writes the pictures of all findings whose claims are present.
fn write_pictures(
    folder: &Path,
    args: &Args,
    head: &ReportHead,
    found: &FoundFolders,
) -> Result<usize> {
    let pictures = finding_pictures(head, found);
    if pictures.is_empty() {
        let names = head
            .findings
            .iter()
            .map(|f| f.picture.as_ref().unwrap_or(&f.claim).as_str());
        bail!(
            "--pictures {}: none of the claims with a picture is in these folders; certify one of {} first",
            folder.display(),
            names.collect::<Vec<_>>().join(", ")
        );
    }
    output::make_folder(folder, "--pictures")?;
    for (name, text) in &pictures {
        let path = folder.join(name);
        may_replace(&path, args.force.given())?;
        write_atomically(&path, text)?;
    }
    Ok(pictures.len())
}
