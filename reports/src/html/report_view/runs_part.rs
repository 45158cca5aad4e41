//! Costs by level, and lengths between pairs.

use super::{Article, Block, PlotView, Section, TableView};
use crate::cost::{LevelCost, points};
use crate::growth::{Forecast, growth};
use crate::model::{PairRow, Unit};
use crate::plot::chart::{Chart, Form, Measure, Series};
use crate::report::tables::{self, Cell, ReportTable};
use crate::report::{FoundFolders, FoundRun};

pub(super) fn costs(found: &FoundFolders) -> Section<'_> {
    let runs = found.runs.iter().filter(|run| !run.costs.is_empty());
    let article = |(index, run)| cost_article(found, index, run);
    Section {
        id: "page-costs",
        title: "Time and bytes by level",
        intro: "What every level of a search on disk took, how each grew from the one before, and what later levels would take if growth continues as it was.",
        articles: (1..).zip(runs).map(article).collect(),
    }
}

const METHOD: &str = "Logarithms of the last 8 levels are fitted by least squares, once with one factor from level to level, once with a factor that itself changes by a fixed factor. The model that predicted known levels better from those before them gives the figure. The range is the wider of two: both models, and the greatest error of these tests at that distance; beyond, the error is taken to grow with the square of the distance. A finite puzzle's levels shrink in the end, which no earlier level shows.";

type CostLine = (&'static str, fn(&LevelCost) -> f64);

fn cost_article<'a>(found: &FoundFolders, index: usize, run: &'a FoundRun) -> Article<'a> {
    let title = run.title();
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
    blocks.push(Block::Head("What later levels would take"));
    let states = points(&run.costs, |cost| cost.states as f64);
    if let Err(error) = Forecast::new(&states) {
        blocks.push(Block::Prose(format!("No forecast: {error}.")));
    } else {
        blocks.push(Block::Prose(METHOD.to_owned()));
        let label = format!("Forecast for later levels of {title}");
        let table = TableView::new(id("forecast"), label, tables::forecast(run));
        blocks.push(Block::Table(table));
    }
    Article {
        id: format!("page-cost-{index}"),
        title,
        altered: found.warning(&run.folder),
        blocks,
        ..Article::default()
    }
}

fn positions(run: &FoundRun) -> PlotView {
    let costs = run.costs.iter();
    let found = costs.map(|cost| (f64::from(cost.depth), cost.states as f64));
    let mut series = vec![Series::line("found", found)];
    let rows = run.published.iter();
    let published = rows.map(|row| (f64::from(row.depth), row.states as f64));
    if !run.published.is_empty() {
        series.push(Series {
            form: Form::Marks,
            ..Series::line("published by others", published)
        });
    }
    let caption = "Positions at each distance. Equal steps up are equal factors.";
    chart(run, "positions", caption, series)
}

fn plot(run: &FoundRun, unit: &'static str, caption: &str, lines: &[CostLine]) -> PlotView {
    let series = lines.iter().map(|(name, figure)| {
        let costs = run.costs.iter();
        Series::line(
            name,
            costs.map(|cost| (f64::from(cost.depth), figure(cost))),
        )
    });
    chart(run, unit, caption, series.collect())
}

fn growths(run: &FoundRun) -> PlotView {
    let lines: [CostLine; 3] = [
        ("positions", |cost| cost.states as f64),
        ("time", |cost| cost.seconds),
        ("bytes written", |cost| cost.bytes_written as f64),
    ];
    let series = lines.iter().map(|(name, figure)| {
        let factors = growth(&points(&run.costs, figure)).into_iter();
        let factors = factors.filter_map(|(depth, factor)| Some((f64::from(depth), factor?)));
        Series::line(name, factors)
    });
    let caption = "Growth: each level as a multiple of the one before.";
    chart(run, "times the level before", caption, series.collect())
}

fn chart(run: &FoundRun, unit: &'static str, caption: &str, series: Vec<Series>) -> PlotView {
    let title = format!("{caption} The figures are in the table \"Every level\".");
    let chart = Chart {
        title: &title,
        across: Measure::plain(run.unit().distance()),
        up: Measure::logarithmic(unit),
        series,
    };
    PlotView::new(&chart, caption)
}

pub(super) fn pairs(found: &FoundFolders) -> Section<'_> {
    let runs = found.runs.iter().filter(|run| !run.pairs.is_empty());
    let article = |(index, run)| pairs_article(found, index, run);
    Section {
        id: "page-pairs",
        title: "Lengths between pairs",
        intro: "The least distance from one position to another. Each has a path, replayed on the rulebook, and two sides that do not meet; they are in pairs.csv and sides.csv of the folder.",
        articles: (1..).zip(runs).map(article).collect(),
    }
}

fn pairs_article(found: &FoundFolders, index: usize, run: &FoundRun) -> Article<'static> {
    let title = run.title();
    let row = |row: &PairRow| [&row.from, &row.to, &row.length, &row.known].map(Cell::text);
    let columns = match run.unit() {
        Unit::Moves => "from | to | #moves | known",
        Unit::Steps => "from | to | #steps | known",
    };
    let table = ReportTable::of(columns, run.pairs.iter().map(row));
    let mut counts = std::collections::BTreeMap::new();
    for length in run.pairs.iter().filter_map(PairRow::exactly) {
        *counts.entry(length).or_insert(0_u32) += 1;
    }
    let points = counts.iter().map(|(l, n)| (f64::from(*l), f64::from(*n)));
    let chart = Chart {
        title: &format!("Number of pairs by length, {title}. The figures are in the table."),
        across: Measure::plain(run.unit().distance()),
        up: Measure::plain("pairs"),
        series: vec![Series::line("pairs", points)],
    };
    let sentence = format!(
        "{} pairs; the lengths of {} are known exactly.",
        run.pairs.len(),
        counts.values().sum::<u32>()
    );
    let mut blocks = vec![Block::Prose(sentence)];
    if counts.len() > 1 {
        let caption = "How many pairs have each length.";
        blocks.push(Block::Plot(PlotView::new(&chart, caption)));
    }
    let (id, label) = (
        format!("page-pairs-{index}-rows"),
        format!("Lengths of {title}"),
    );
    blocks.push(Block::Table(TableView::new(id, label, table)));
    Article {
        id: format!("page-pairs-{index}"),
        title,
        altered: found.warning(&run.folder),
        blocks,
        ..Article::default()
    }
}
