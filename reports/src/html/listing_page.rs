//! Pages over one table: strategies for a bit permutation, and the needs of engines.

use crate::model::{EnginePlan, Permute, PermuteRow, PlanRow};
use crate::wording;
use askama::Template;
use std::io;

/// The text of the page over strategies for a bit permutation.
///
/// # Errors
/// If the template fails.
pub fn permute_html(record: &Permute) -> io::Result<String> {
    let time = |ns: Option<f64>| ns.map_or_else(|| "–".to_owned(), |ns| format!("{ns:.2}"));
    let row = |row: &PermuteRow| {
        vec![
            row.strategy.clone(),
            wording::grouped(row.operations.into()),
            wording::grouped(row.masks.into()),
            wording::grouped(row.depth.into()),
            time(row.nanoseconds_chained),
            time(row.nanoseconds_independent),
            row.right().to_owned(),
            row.note.clone(),
        ]
    };
    let lead = format!(
        "{} bits, {} distinct distances that bits move.",
        record.bits, record.distances
    );
    render(&ListingView {
        title: format!("Strategies for {}", record.spec),
        eyebrow: "A bit permutation",
        tool_version: &record.tool_version,
        lead,
        command: wording::command_line(&record.command),
        columns: &[
            "Strategy",
            "Operations",
            "Masks",
            "Depth",
            "Nanoseconds, chained",
            "Nanoseconds, independent",
            "Right",
            "Remark",
        ],
        rows: record.rows.iter().map(row).collect(),
        intro: "Programs were run on every single bit and on random words, and where it says proven on symbols, which is every word. Those that are printed and wrong are listed as such.",
        finished: wording::utc(record.finished_unix_s),
        processor: &record.host.cpu,
    })
}

/// The text of the page over the needs of engines for an instance.
///
/// # Errors
/// If the template fails.
pub fn plan_html(record: &EnginePlan) -> io::Result<String> {
    let disk = |bytes: u64| match bytes {
        0 => "none".to_owned(),
        bytes => wording::memory(bytes),
    };
    let row = |row: &PlanRow| {
        let fits = if row.fits { "fits" } else { "does not fit" };
        vec![
            row.engine.clone(),
            wording::memory(row.memory_bytes),
            disk(row.disk_bytes),
            wording::duration(row.seconds),
            fits.to_owned(),
        ]
    };
    let lead = format!(
        "{} states, {}. {} of {} cores with {} of memory{}.",
        wording::grouped(record.states as u128),
        record.from,
        match record.machines {
            1 => "One machine".to_owned(),
            many => format!("{} machines", wording::grouped(many.into())),
        },
        record.cores,
        wording::memory(record.memory_bytes),
        record
            .disk_bytes
            .map_or_else(String::new, |bytes| format!(" and {} of disk", disk(bytes)))
    );
    render(&ListingView {
        title: format!("What {} would take", record.instance),
        eyebrow: "A plan",
        tool_version: &record.tool_version,
        lead,
        command: wording::command_line(&record.command),
        columns: &["Engine", "Memory", "Disk", "Time", "Here"],
        rows: record.rows.iter().map(row).collect(),
        intro: "Each engine's needs, estimated from measurements; nothing was searched.",
        finished: wording::utc(record.finished_unix_s),
        processor: &record.host.cpu,
    })
}

fn render(view: &ListingView<'_>) -> io::Result<String> {
    view.render().map_err(io::Error::other)
}

#[derive(Template)]
#[template(path = "listing.html")]
struct ListingView<'a> {
    title: String,
    eyebrow: &'static str,
    tool_version: &'a str,
    lead: String,
    command: String,
    columns: &'static [&'static str],
    /// The first cell of each names it.
    rows: Vec<Vec<String>>,
    intro: &'static str,
    finished: String,
    processor: &'a str,
}
