//! Benchmarks: rows, comparisons, and which to use when.

use super::{Article, Block, Section, TableView};
use crate::html::run_view::{Fact, machine};
use crate::report::tables;
use crate::report::{FoundBench, FoundFolders};

const WHICH: &str = "The solvers of each question by processor time, the fastest first; how many times as long the others take, and one block per doubling of it. An interval is shown if the two were compared pair by pair.";

const COMPARED: &str = "The ratio is what the judged row takes over what the other takes, pair by pair: below 1 it is faster. It counts as faster or slower only where the difference is significant after correction for the number of rows, and greater than what equal rows showed against each other (the noise band).";

const IMPORTED: &str = "Figures of the crates' own benches and instruction counts, brought into the same table: medians. Instructions counted by perf and by callgrind are not comparable: callgrind simulates a processor without AVX-512, on which programs take other paths. A row of a suite is counted whole, from its start to its end.";

pub(super) fn section(found: &FoundFolders) -> Section<'_> {
    let (which, rows) = (tables::which(found), tables::rows(found));
    let (comparison, imported) = (tables::comparison(found), tables::imported(found));
    let tables = [
        ("which", "Which to use when", WHICH, which),
        ("rows", "Every row", "", rows),
        ("comparison", "Compared pair by pair", COMPARED, comparison),
        ("imported", "Inner loops", IMPORTED, imported),
    ];
    let tables = tables.into_iter();
    let tables = tables.filter(|(.., table)| !table.rows.is_empty());
    let article = |(id, title, text, table): (&str, &str, &str, _)| Article {
        id: format!("page-bench-{id}"),
        title: title.to_owned(),
        blocks: vec![
            Block::Prose(text.to_owned()),
            Block::Table(TableView::new(
                format!("page-bench-{id}-rows"),
                title,
                table,
            )),
        ],
        ..Article::default()
    };
    let made = (1..).zip(&found.benches);
    let made = made.map(|(index, bench)| made_article(index, bench));
    let mut articles: Vec<Article<'_>> = tables.map(article).chain(made).collect();
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

fn made_article(index: usize, bench: &FoundBench) -> Article<'_> {
    let mut facts = vec![Fact::plain("Folder", bench.folder.as_str())];
    let mut blocks = Vec::new();
    let mut notice = String::new();
    let mut title = "A comparison".to_owned();
    if let Some(run) = &bench.run {
        title = format!("How the suite {} was measured", run.suite);
        facts.extend([
            Fact::plain("Samples of each row", run.samples.to_string()),
            Fact::plain("Runs before the first sample", run.warmups.to_string()),
            Fact::plain("Seed of the order", run.seed.to_string()),
            Fact::plain("Tool", &run.executable.version),
            machine(&run.host),
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
