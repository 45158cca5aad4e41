//! `antipode report`: one page, or tables of a README, from the files of other verbs.

use std::io::Write;
use std::path::PathBuf;
use std::time::SystemTime;

use anyhow::Result;

use antipode_reports::html::{ReportHead, write_report};
use antipode_reports::model::unix_seconds;
use antipode_reports::report::{gather, splice::splice_file};
use antipode_reports::results::{may_replace, no_part_of_a_result};

use super::options::Plugins;
use super::output::{self, Force};
use super::{AS_EXPECTED, UNEXPECTED};
use antipode_search::machine;
use antipode_search::progress::note;
use antipode_search::record::legend;

/// Arguments of `report`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Folders with results, looked through with all folders below them.
    #[arg(value_name = "DIR", required = true)]
    folders: Vec<PathBuf>,
    /// File for the page [default: antipode-report.html, or none with --splice].
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Renew the marked tables of this Markdown file: `<!-- antipode:table NAME -->` to `<!-- antipode:end -->`.
    #[arg(long, value_name = "FILE")]
    splice: Option<PathBuf>,
    /// A level that the forecasts of searches on disk shall reach; may be given several times.
    #[arg(long, value_name = "LEVEL")]
    forecast: Vec<u32>,
    /// Headline of the page.
    #[arg(long, value_name = "TEXT", default_value = "Results of Antipode")]
    title: String,
    #[command(flatten)]
    force: Force,
    #[command(flatten)]
    plugins: Plugins,
}

/// Runs the verb.
///
/// # Errors
/// Bad input, in one line: nothing to report, a damaged file, a newer schema, a mark that is
/// unknown or not closed; a page to be written over that is not ours. Files that are not as
/// they were written are told on the page and on stderr, and give exit code 1.
pub fn run(args: &Args) -> Result<u8> {
    let mut found = gather(&args.folders)?;
    for run in &mut found.runs {
        run.wanted.clone_from(&args.forecast);
    }
    let mut out = output::stdout();
    let page = match (&args.out, &args.splice) {
        (Some(page), _) => Some(page.clone()),
        (None, Some(_)) => None,
        (None, None) => Some(PathBuf::from("antipode-report.html")),
    };
    if let Some(page) = &page {
        no_part_of_a_result(page)?;
        may_replace(page, args.force.given())?;
    }
    // The libraries know how boards are drawn; without them a page would show text.
    let libraries = args.plugins.libraries()?;
    if let Some(file) = &args.splice {
        let tables = splice_file(file, &found)?;
        let noun = if tables == 1 { "table" } else { "tables" };
        writeln!(out, "{}: {tables} {noun} renewed", file.display())?;
    }
    if let Some(page) = page {
        let legends = libraries
            .iter()
            .map(|l| (l.name.clone(), legend(&l.legend)));
        let head = ReportHead {
            title: args.title.clone(),
            generated_unix_s: unix_seconds(SystemTime::now()),
            tool_version: env!("CARGO_PKG_VERSION").into(),
            command: machine::command_line(),
            legends: legends.collect(),
        };
        write_report(&page, &head, &found)?;
        writeln!(out, "{}: {}", output::shown(&page), found.summary())?;
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
