//! Benchmarks: rows, comparisons with their intervals, which to use when, and two views of many
//! questions.

use super::{Article, Block, NARROW, PlotView, Section, TableView, WIDE};
use crate::html::run_view::Fact;
use crate::plot::chart::{Chart, Form, Interval, Measure, SERIES, Series, intervals_svg, key_svg};
use crate::report::tables::{self, Cactus, Cell, ReportTable};
use crate::report::{FoundBench, FoundFolders};
use crate::wording::duration;

const MOST_INTERVALS: usize = 40;

pub(super) fn section(found: &FoundFolders) -> Section<'_> {
    let mut articles = Vec::new();
    if !found.benches.is_empty() {
        articles.extend(which(found));
        articles.extend(rows(found));
        articles.extend(comparisons(found));
        articles.extend(scatters(found));
        articles.extend(cactus(found));
        articles.extend(imported(found));
        let made = (1..).zip(&found.benches);
        articles.extend(made.map(|(index, bench)| made_article(index, bench)));
    }
    for (article, bench) in articles.iter_mut().zip(&found.benches) {
        article.altered = found.warning(&bench.folder);
    }
    Section {
        id: "page-bench",
        title: "Benchmarks",
        intro: "Every sample ran in a process of its own, the rows in a random order between each other, and its answer was checked before its time counts. Times are medians over the samples; a row that failed or answered wrongly stays, and says so.",
        articles,
    }
}

fn article<'a>(id: &str, title: &str, blocks: Vec<Block<'a>>) -> Option<Article<'a>> {
    Some(Article {
        id: format!("page-bench-{id}"),
        title: title.to_owned(),
        blocks,
        ..Article::default()
    })
}

/// `None` for a table without rows.
fn table<'a>(id: &str, label: &str, table: ReportTable) -> Option<Block<'a>> {
    let id = format!("page-bench-{id}-rows");
    (!table.rows.is_empty()).then(|| Block::Table(TableView::new(id, label, table)))
}

fn which(found: &FoundFolders) -> Option<Article<'_>> {
    let title = "Which to use when";
    let rows = table("which", title, tables::which(found))?;
    let text = "The solvers of each question by processor time, the fastest first; how many times as long the others take, and one block per doubling of it. An interval is shown if the two were compared pair by pair.";
    article("which", title, vec![Block::Prose(text.into()), rows])
}

fn rows(found: &FoundFolders) -> Option<Article<'_>> {
    let rows = table("all", "Every row of the benchmarks", tables::rows(found))?;
    article("rows", "Every row", vec![rows])
}

fn comparisons(found: &FoundFolders) -> Option<Article<'_>> {
    let rows = table("comparison", "Comparisons", tables::comparison(found))?;
    let text = "The ratio is what the judged row takes over what the other takes, pair by pair: below 1 it is faster. It counts as faster or slower only where the difference is significant after correction for the number of rows, and greater than what equal rows showed against each other (the noise band).";
    let mut blocks = vec![Block::Prose(text.into())];
    let all: Vec<Interval> = found.comparisons().filter_map(tables::interval).collect();
    let drawn = &all[..all.len().min(MOST_INTERVALS)];
    if !drawn.is_empty() {
        let bands = found.comparisons().filter_map(|row| row.noise);
        let band = bands.fold(None, |most: Option<f64>, band| {
            Some(most.unwrap_or(1.0).max(band))
        });
        let svg = |width| {
            let title = "Ratios with their 95% intervals. The figures are in the table below.";
            intervals_svg(title, "ratio (below 1: faster)", drawn, band, width)
        };
        let mut caption =
            "Ratios with their 95% intervals; the line is 1, the band around it the widest noise."
                .to_owned();
        if drawn.len() < all.len() {
            caption += &format!(" The first {} of {} are drawn.", drawn.len(), all.len());
        }
        let names = ["within the noise, or undecided", "slower", "faster"];
        let used = |series: &usize| drawn.iter().any(|row| row.series == *series);
        blocks.push(Block::Plot(PlotView {
            caption,
            wide: svg(WIDE.0),
            narrow: svg(NARROW.0),
            key: (0..names.len())
                .filter(used)
                .map(|s| (key_svg(s), names[s].to_owned()))
                .collect(),
            figures: None,
        }));
    }
    blocks.push(rows);
    article("comparison", "Compared pair by pair", blocks)
}

const SECONDS: &str = "processor seconds";

fn scatters(found: &FoundFolders) -> Option<Article<'_>> {
    let scatters = tables::scatters(found);
    if scatters.is_empty() {
        return None;
    }
    let text = "A mark is a question that both answered. Below the diagonal the one named on the upright axis is quicker; equal distances from it are equal factors.";
    let mut blocks = vec![Block::Prose(text.into())];
    for (index, scatter) in scatters.into_iter().enumerate() {
        let [first, second] = scatter.names;
        let row = |(question, a, b): &(String, f64, f64)| {
            [
                Cell::text(question),
                Cell::figure(Some(*a), duration),
                Cell::figure(Some(*b), duration),
                Cell::figure(Some(b / a), |ratio| format!("{ratio:.3}")),
            ]
        };
        let columns = "question | #first | #second | #second / first";
        let figures = ReportTable::of(columns, scatter.points.iter().map(row));
        let axes = [&first, &second].map(|name| format!("{name}, {SECONDS}"));
        let chart = Chart {
            title: &format!(
                "{second} against {first} on {} questions",
                scatter.points.len()
            ),
            across: Measure::logarithmic(&axes[0]),
            up: Measure::logarithmic(&axes[1]),
            series: vec![Series {
                form: Form::Marks,
                ..Series::line("", scatter.points.iter().map(|point| (point.1, point.2)))
            }],
            diagonal: true,
        };
        let caption = format!("{second} (upright) against {first} (across), {SECONDS}.");
        let label = format!("Figures of {second} against {first}");
        let figures = TableView::new(format!("page-bench-scatter-{index}"), label, figures);
        blocks.push(Block::Plot(PlotView::new(&chart, caption, Some(figures))));
    }
    article("scatter", "Two solvers, question by question", blocks)
}

fn cactus(found: &FoundFolders) -> Option<Article<'_>> {
    let all = tables::cactus(found);
    if all.is_empty() {
        return None;
    }
    let answered = all.iter().map(|cactus| cactus.seconds.len());
    let most = answered.max().unwrap_or(0);
    let time = |at: Option<&f64>| Cell::figure(at.copied(), duration);
    let row = |Cactus { name, seconds }: &Cactus| {
        [
            Cell::text(name),
            Cell::text(format!("{} of {most}", seconds.len())),
            time(seconds.first()),
            time(seconds.get(seconds.len() / 2)),
            time(seconds.last()),
            time(Some(&seconds.iter().sum())),
        ]
    };
    let figures = ReportTable::of(
        "solver | #questions answered | #quickest | #median | #slowest | #all together",
        all.iter().map(row),
    );
    let drawn = &all[..all.len().min(SERIES)];
    let line = |Cactus { name, seconds }: &Cactus| {
        let points = (1..).zip(seconds).map(|(n, s)| (f64::from(n), *s));
        Series::line(name, points)
    };
    let chart = Chart {
        title: "Questions answered within a time, for each solver. The figures are in the table next to it.",
        across: Measure::plain("questions answered"),
        up: Measure::logarithmic(SECONDS),
        series: drawn.iter().map(line).collect(),
        diagonal: false,
    };
    let mut caption = "How many questions each solver answers in at most how long: further right is more, lower is quicker.".to_owned();
    if drawn.len() < all.len() {
        caption += &format!(" The {} that answer most are drawn.", drawn.len());
    }
    let figures = TableView::new(
        "page-bench-cactus-figures".into(),
        "Figures of the plot",
        figures,
    );
    let plot = PlotView::new(&chart, caption, Some(figures));
    article("cactus", "Many questions at once", vec![Block::Plot(plot)])
}

fn imported(found: &FoundFolders) -> Option<Article<'_>> {
    let rows = table("imported", "Inner loops", tables::imported(found))?;
    article("imported", "Inner loops", vec![
        Block::Prose("Figures of the crates' own benches and instruction counts, brought into the same table: medians. Instructions counted by perf and by callgrind are not comparable: callgrind simulates a processor without AVX-512, on which programs take other paths. A row of a suite is counted whole, from its start to its end.".into()),
        rows,
    ])
}

fn made_article(index: usize, bench: &FoundBench) -> Article<'_> {
    let mut facts = vec![Fact::plain("Folder", bench.folder.as_str())];
    let mut blocks = Vec::new();
    let mut notice = String::new();
    let mut title = "A comparison".to_owned();
    if let Some(run) = &bench.run {
        title = format!("How the suite {} was measured", run.suite);
        let host = &run.host;
        facts.extend([
            Fact::plain("Samples of each row", run.samples.to_string()),
            Fact::plain("Runs before the first sample", run.warmups.to_string()),
            Fact::plain("Seed of the order", run.seed.to_string()),
            Fact::plain("Tool", &run.executable.version),
            Fact::plain(
                "Machine",
                format!("{}, {} on {}", host.cpu, host.arch, host.os),
            ),
            Fact::plain("Started", &run.started),
            Fact::plain("Ended", &run.ended),
        ]);
        facts.extend(run.noise.iter().map(|noise| {
            let (band, pairs, how) = ((noise.band - 1.0) * 100.0, noise.pairs, &noise.how);
            let text = format!("± {band:.1}% over {pairs} pairs of equal rows. {how}");
            Fact::plain(&format!("Noise of {}", noise.measure), text)
        }));
        facts.extend(run.gate.iter().map(|said| Fact::plain("Gate", said)));
        notice = run.all_warnings().join(" ");
        if !run.complete {
            notice = format!("Not every sample was taken. {notice}");
        }
    }
    blocks.push(Block::Facts(facts));
    Article {
        id: format!("page-bench-made-{index}"),
        title,
        notice,
        blocks,
        ..Article::default()
    }
}
