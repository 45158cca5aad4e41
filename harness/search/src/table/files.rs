//! A table as files: `table.csv`, `table.json`, `table.html`.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::Path;

use anyhow::Result;
use puzzle_api::Key;
use serde_json::{Value, json};

use antipode_reports::model::Legend;
use antipode_reports::svg::{Style, board_svg};
use antipode_reports::{atomic, json_out};

use super::{Cell, Table, Verdict};
use crate::digest::hex;
use antipode_graph::Graph;

/// Writes the three files to a folder that exists.
///
/// # Errors
/// A file that cannot be written; nothing half-written stays.
pub fn write<K: Key>(
    folder: &Path,
    graph: &Graph<K>,
    table: &Table<K>,
    legend: &Legend,
    command: &[String],
) -> Result<()> {
    let rows: Vec<[String; 5]> = table
        .cells
        .iter()
        .map(|cell| row(graph, table, cell))
        .collect();
    atomic::write_atomically(folder.join("table.csv"), |out| write_csv(out, &rows))?;
    json_out::write_json(folder.join("table.json"), &json(graph, table, command)?)?;
    let page = page(graph, table, legend)?;
    atomic::write_atomically(folder.join("table.html"), |out| {
        out.write_all(page.as_bytes())
    })?;
    Ok(())
}

/// `start,finish,verdict,proof,witness`.
fn row<K: Key>(graph: &Graph<K>, table: &Table<K>, cell: &Cell<K>) -> [String; 5] {
    [
        table.starts[cell.start].name.clone(),
        table.finishes[cell.finish].name.clone(),
        cell.verdict.word().to_owned(),
        cell.verdict.proof(),
        witness(graph, cell).join("; "),
    ]
}

fn witness<K: Key>(graph: &Graph<K>, cell: &Cell<K>) -> Vec<String> {
    match &cell.verdict {
        Verdict::Solvable(path) => antipode_graph::move_names(graph, path),
        _ => Vec::new(),
    }
}

fn write_csv(out: &mut dyn Write, rows: &[[String; 5]]) -> io::Result<()> {
    let mut csv = csv::WriterBuilder::new()
        .terminator(csv::Terminator::Any(b'\n'))
        .from_writer(out);
    csv.write_record(["start", "finish", "verdict", "proof", "witness"])?;
    for row in rows {
        csv.write_record(row)?;
    }
    csv.flush()
}

/// All there is, with whole certificates.
///
/// # Errors
/// A state that the puzzle cannot draw.
pub fn json<K: Key>(graph: &Graph<K>, table: &Table<K>, command: &[String]) -> Result<Value> {
    let mut cells = Vec::new();
    for cell in &table.cells {
        let mut value = json!({
            "start": table.starts[cell.start].name,
            "finish": table.finishes[cell.finish].name,
            "verdict": cell.verdict.word(),
            "proof": cell.verdict.proof(),
            "by_symmetry_of": cell.by_symmetry_of.map(|finish| &table.finishes[finish].name),
        });
        match &cell.verdict {
            Verdict::Solvable(_) => value["witness"] = json!(witness(graph, cell)),
            Verdict::Refuted(text) => value["certificate"] = json!(text),
            Verdict::Exhausted(_, levels) => {
                let rows = levels.iter().enumerate().map(|(depth, level)| {
                    json!({ "depth": depth, "states": level.states, "digest": hex(level.digest) })
                });
                value["levels"] = rows.collect();
            }
            Verdict::NotReached(_) => {}
        }
        cells.push(value);
    }
    let mut drawn = Vec::new();
    for start in &table.starts {
        drawn.push(json!({ "name": start.name, "state": graph.draw(start.key)? }));
    }
    Ok(json!({
        "schema": "antipode-table-1",
        "tool_version": env!("CARGO_PKG_VERSION"),
        "puzzle": graph.opened.library.name,
        "instance": graph.opened.instance,
        "settings": graph.opened.settings,
        "variant": graph.opened.variant,
        "command": command,
        "starts": drawn,
        "finishes": table.finishes.iter().map(|finish| &finish.name).collect::<Vec<_>>(),
        "cells": cells,
    }))
}

const STYLE: &str = "\
:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{margin:2rem auto;max-width:72rem;padding:0 1rem}
table{border-collapse:collapse}td,th{padding:.25rem .6rem;text-align:left;vertical-align:top}
tr{border-bottom:1px solid #8884}.solvable{color:#087f23}.impossible{color:#b3261e}
.undecided{color:#9a6700}@media(prefers-color-scheme:dark){.solvable{color:#7bd88f}
.impossible{color:#ff9d94}.undecided{color:#f2c14e}}
.ends{display:flex;gap:2rem;flex-wrap:wrap}code{overflow-wrap:anywhere}";

/// A page that opens from disk: a section a start, its board, and a row a finish.
fn page<K: Key>(graph: &Graph<K>, table: &Table<K>, legend: &Legend) -> Result<String> {
    let title = format!(
        "{}: every start against every finish",
        graph.opened.full_name()
    );
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <title>{0}</title><style>{STYLE}</style></head><body><main><h1>{0}</h1>\n",
        escape(&title)
    );
    writeln!(
        page,
        "<p>{} starts up to symmetry, {} finishes: {} pairs solvable, {} impossible, {} not \
         reached. Every solution was played again on the rulebook; the certificates of what is \
         impossible are in table.json.</p>",
        table.starts.len(),
        table.finishes.len(),
        table.count("solvable"),
        table.count("impossible"),
        table.count("not reached")
    )?;
    for (index, start) in table.starts.iter().enumerate() {
        let board = |key, title: String| -> Result<String> {
            let style = Style { cell_px: 18, title };
            Ok(board_svg(&graph.draw(key)?, legend, style))
        };
        let picture = board(start.key, format!("start {}", start.name))?;
        let name = escape(&start.name);
        writeln!(page, "<section><h2>From {name}</h2>\n<div>{picture}</div>")?;
        page += "<table><thead><tr><th>to</th><th>verdict</th><th>why</th></tr></thead><tbody>\n";
        for cell in table.cells.iter().filter(|cell| cell.start == index) {
            page += &page_row(graph, table, cell, &board)?;
        }
        page += "</tbody></table></section>\n";
    }
    page += "</main></body></html>\n";
    Ok(page)
}

fn page_row<K: Key>(
    graph: &Graph<K>,
    table: &Table<K>,
    cell: &Cell<K>,
    board: &dyn Fn(K, String) -> Result<String>,
) -> Result<String> {
    let word = cell.verdict.word();
    let class = match &cell.verdict {
        Verdict::NotReached(_) => "undecided",
        _ => word,
    };
    let mut why = escape(&cell.verdict.proof());
    if let Verdict::Solvable(path) = &cell.verdict {
        let last = board(path[path.len() - 1], "after the last move".to_owned())?;
        let moves = witness(graph, cell).join("; ");
        write!(
            why,
            "<details><summary>moves</summary><code>{}</code><div>{last}</div></details>",
            escape(&moves)
        )?;
    }
    Ok(format!(
        "<tr><th>{}</th><td class=\"{class}\">{word}</td><td>{why}</td></tr>\n",
        escape(&table.finishes[cell.finish].name)
    ))
}

/// Text as HTML.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c => out.push(c),
        }
    }
    out
}
