//! Costs by level, and lengths between pairs.

use super::{Article, Block, PlotView, Section, TableView};
use crate::cost::{LevelCost, points};
use crate::growth;
use crate::model::{PairLength, Run};
use crate::plot::chart::{Chart, Measure, Series};
use crate::report::tables::{self, Cell, ReportTable};
use crate::report::{FoundFolders, FoundRun};

const DEPTH: Measure<'static> = Measure {
    name: "distance in moves",
    logarithmic: false,
};

/// The cost of the levels of searches on disk.
pub(super) fn costs(found: &FoundFolders) -> Section<'_> {
    let runs = found.runs.iter().filter(|run| !run.costs.is_empty());
    let runs: Vec<&FoundRun> = runs.collect();
    Section {
        id: "page-costs",
        title: "Time and bytes by level",
        intro: "What every level of a search on disk took, how each grew from the one before, and what later levels would take if growth continues as it was.",
        articles: (1..)
            .zip(runs)
            .map(|(index, run)| cost_article(index, run))
            .collect(),
    }
}

type CostLine = (&'static str, fn(&LevelCost) -> f64);

fn cost_article(index: usize, run: &FoundRun) -> Article<'_> {
    let title = run
        .run
        .as_ref()
        .map_or_else(|| run.folder.clone(), Run::title);
    let id = |part: &str| format!("page-cost-{index}-{part}");
    let table = TableView::new(
        id("levels"),
        format!("Cost of each level of {title}"),
        tables::cost(run),
    );
    let mut blocks = vec![
        Block::Plot(positions(run)),
        Block::Plot(plot(
            run,
            "seconds",
            "Time of each level. Equal steps up are equal factors.",
            &[
                ("elapsed", |cost| cost.seconds),
                ("processor time, all threads", |cost| cost.cpu_seconds),
            ],
        )),
    ];
    let bytes: [CostLine; 3] = [
        ("read", |cost| cost.bytes_read as f64),
        ("written", |cost| cost.bytes_written as f64),
        ("stored", |cost| cost.bytes_stored as f64),
    ];
    let caption = "Bytes on disk of each level. Equal steps up are equal factors.";
    blocks.push(Block::Plot(plot(run, "bytes", caption, &bytes)));
    blocks.push(Block::Plot(growths(run)));
    blocks.extend([Block::Head("Every level"), Block::Table(table)]);
    let forecast = tables::forecast(run);
    blocks.push(Block::Head("What later levels would take"));
    match tables::method(run).filter(|_| !forecast.rows.is_empty()) {
        Some(method) => {
            blocks.push(Block::Prose(method));
            let label = format!("Forecast for later levels of {title}");
            blocks.push(Block::Table(TableView::new(
                id("forecast"),
                label,
                forecast,
            )));
        }
        None => {
            let states = points(&run.costs, |cost| cost.states as f64);
            let error = growth::Forecast::new(&states, 8).err();
            let error = error.map_or_else(String::new, |error| error.to_string());
            blocks.push(Block::Prose(format!("No forecast: {error}.")));
        }
    }
    Article {
        id: format!("page-cost-{index}"),
        title,
        blocks,
        ..Article::default()
    }
}

fn positions(run: &FoundRun) -> PlotView {
    let found = run
        .costs
        .iter()
        .map(|cost| (f64::from(cost.depth), cost.states as f64));
    let mut series = vec![line("found", found.collect())];
    let published = run
        .published
        .iter()
        .map(|row| (f64::from(row.depth), row.states as f64));
    if !run.published.is_empty() {
        series.push(Series {
            joined: false,
            ..line("published by others", published.collect())
        });
    }
    chart(
        "positions",
        "Positions at each distance. Equal steps up are equal factors.",
        true,
        series,
    )
}

fn plot(run: &FoundRun, unit: &'static str, caption: &str, lines: &[CostLine]) -> PlotView {
    let series = lines.iter().map(|(name, figure)| {
        let points = run
            .costs
            .iter()
            .map(|cost| (f64::from(cost.depth), figure(cost)));
        line(name, points.collect())
    });
    chart(unit, caption, true, series.collect())
}

fn growths(run: &FoundRun) -> PlotView {
    let lines: [CostLine; 3] = [
        ("positions", |cost| cost.states as f64),
        ("time", |cost| cost.seconds),
        ("bytes written", |cost| cost.bytes_written as f64),
    ];
    let series = lines.iter().map(|(name, figure)| {
        let factors = growth::growth(&points(&run.costs, figure)).into_iter();
        let factors = factors.filter_map(|(depth, factor)| Some((f64::from(depth), factor?)));
        line(name, factors.collect())
    });
    let caption = "Growth: each level as a multiple of the one before.";
    chart("times the level before", caption, true, series.collect())
}

fn line(name: &str, points: Vec<(f64, f64)>) -> Series {
    Series {
        name: name.to_owned(),
        points,
        joined: true,
    }
}

fn chart(unit: &'static str, caption: &str, logarithmic: bool, series: Vec<Series>) -> PlotView {
    let title = format!("{caption} The figures are in the table \"Every level\".");
    let chart = Chart {
        title: &title,
        across: DEPTH,
        up: Measure {
            name: unit,
            logarithmic,
        },
        series,
        diagonal: false,
    };
    PlotView::new(&chart, caption, None)
}

/// Lengths between pairs.
pub(super) fn pairs(found: &FoundFolders) -> Section<'_> {
    let runs: Vec<&FoundRun> = found
        .runs
        .iter()
        .filter(|run| !run.pairs.is_empty())
        .collect();
    let article = |(index, run): (usize, &FoundRun)| pairs_article(index, run);
    Section {
        id: "page-pairs",
        title: "Lengths between pairs",
        intro: "The fewest moves from one position to another. Each has a path, replayed on the rulebook, and two sides that do not meet; they are in pairs.csv and sides.csv of the folder.",
        articles: (1..).zip(runs).map(article).collect(),
    }
}

fn pairs_article(index: usize, run: &FoundRun) -> Article<'static> {
    let title = run
        .run
        .as_ref()
        .map_or_else(|| run.folder.clone(), Run::title);
    let table = ReportTable::of(
        &run.pairs,
        &[
            ("from", &|row| Cell::text(&row.from)),
            ("to", &|row| Cell::text(&row.to)),
            ("#moves", &|row| Cell::text(row.length.to_string())),
            ("known", &|row| Cell::text(row.known.to_string())),
        ],
    );
    let lengths: Vec<u32> = run
        .pairs
        .iter()
        .filter_map(|row| match row.length {
            PairLength::Moves(moves) => Some(moves),
            PairLength::NoPath | PairLength::Open => None,
        })
        .collect();
    let mut counts = std::collections::BTreeMap::new();
    for length in &lengths {
        *counts.entry(*length).or_insert(0_u32) += 1;
    }
    let chart = Chart {
        title: &format!("Number of pairs by length, {title}. The figures are in the table."),
        across: DEPTH,
        up: Measure {
            name: "pairs",
            logarithmic: false,
        },
        series: vec![line(
            "pairs",
            counts
                .iter()
                .map(|(l, n)| (f64::from(*l), f64::from(*n)))
                .collect(),
        )],
        diagonal: false,
    };
    let sentence = format!(
        "{} pairs; the lengths of {} are known exactly.",
        run.pairs.len(),
        lengths.len()
    );
    let mut blocks = vec![Block::Prose(sentence)];
    if counts.len() > 1 {
        blocks.push(Block::Plot(PlotView::new(
            &chart,
            "How many pairs have each length.",
            None,
        )));
    }
    let label = format!("Lengths of {title}");
    blocks.push(Block::Table(TableView::new(
        format!("page-pairs-{index}-rows"),
        label,
        table,
    )));
    Article {
        id: format!("page-pairs-{index}"),
        title,
        blocks,
        ..Article::default()
    }
}
