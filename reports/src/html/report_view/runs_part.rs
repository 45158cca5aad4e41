//! Costs by level, and lengths between pairs.

use super::{Article, Block, PlotView, Section, TableView, numbered};
use crate::cost::{LevelCost, points};
use crate::growth::Forecast;
use crate::model::{PairRow, Unit};
use crate::plot::chart::{Chart, Form, Measure, Series};
use crate::report::tables::{self, Cell, ReportTable};
use crate::report::{FoundFolders, FoundRun};

pub(super) fn costs(found: &FoundFolders) -> Section<'_> {
    let runs = found.runs.iter().filter(|run| !run.costs.is_empty());
    Section {
        id: "page-costs",
        title: "Time and bytes by level",
        intro: "What every level of a search on disk took, how each grew from the one before, and what later levels would take if growth continues as it was.",
        articles: numbered(runs, |index, run| cost_article(found, index, run)),
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

fn chart(run: &FoundRun, unit: &'static str, caption: &str, series: Vec<Series>) -> PlotView {
    let title = format!("{caption} The figures are in the table \"Every level\".");
    let across = run.unit().distance();
    let chart = Chart {
        title: &title,
        across: Measure::plain(&across),
        up: Measure::logarithmic(unit),
        series,
    };
    PlotView::new(&chart, caption)
}

pub(super) fn pairs(found: &FoundFolders) -> Section<'_> {
    let runs = found.runs.iter().filter(|run| !run.pairs.is_empty());
    Section {
        id: "page-pairs",
        title: "Lengths between pairs",
        intro: "The least distance from one position to another. Each has a path, replayed on the rulebook, and two sides that do not meet; they are in pairs.csv and sides.csv of the folder.",
        articles: numbered(runs, |index, run| pairs_article(found, index, run)),
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
    let exact = run.pairs.iter().filter_map(PairRow::exactly).count();
    let sentence = format!(
        "{} pairs; the lengths of {exact} are known exactly.",
        run.pairs.len()
    );
    let (id, label) = (
        format!("page-pairs-{index}-rows"),
        format!("Lengths of {title}"),
    );
    Article {
        id: format!("page-pairs-{index}"),
        title,
        altered: found.warning(&run.folder),
        blocks: vec![
            Block::Prose(sentence),
            Block::Table(TableView::new(id, label, table)),
        ],
        ..Article::default()
    }
}
