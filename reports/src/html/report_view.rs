//! Sections of a page from files of other commands: benchmarks, costs, solutions, tables.

mod bench_part;
mod runs_part;

use super::case_view::proof_figures;
use super::picture_view::{self, Figure, KeyEntry};
use super::run_view::Fact;
use crate::count;
use crate::model::{Legend, Picture, PictureKind, Solution, StartFinishRow};
use crate::plot::chart::{Chart, key_svg};
use crate::proof::ProofStep;
use crate::report::tables::{Cell, ReportTable};
use crate::report::{FoundAnswer, FoundFolders, FoundTable};
use std::collections::BTreeMap;

const PLOT: (u32, u32) = (500, 340);
const TALL: usize = 24;

#[derive(Default)]
pub(super) struct Section<'a> {
    pub(super) id: &'static str,
    pub(super) title: &'static str,
    pub(super) intro: &'static str,
    pub(super) articles: Vec<Article<'a>>,
}

#[derive(Default)]
pub(super) struct Article<'a> {
    pub(super) id: String,
    pub(super) title: String,
    /// The fault of its files; empty if there is none.
    pub(super) altered: String,
    pub(super) notice: String,
    pub(super) blocks: Vec<Block<'a>>,
}

pub(super) enum Block<'a> {
    Head(&'static str),
    Prose(String),
    Table(TableView),
    Plot(PlotView),
    Facts(Vec<Fact>),
    /// With a key of their symbols.
    Boards(Vec<KeyEntry<'a>>, Vec<Figure>),
}

pub(super) struct TableView {
    pub(super) id: String,
    pub(super) label: String,
    pub(super) table: ReportTable,
    pub(super) is_tall: bool,
    /// Words that occur among the rows' states, for a choice.
    pub(super) states: Vec<&'static str>,
}

impl TableView {
    pub(super) fn new(id: String, label: impl Into<String>, table: ReportTable) -> Self {
        let mut states = table.states.clone();
        states.sort_unstable();
        states.dedup();
        if states.len() < 2 {
            states.clear();
        }
        TableView {
            id,
            label: label.into(),
            is_tall: table.rows.len() > TALL,
            states,
            table,
        }
    }

    /// The word of a row, for the filter.
    pub(super) fn state(&self, row: usize) -> &'static str {
        self.table.states.get(row).copied().unwrap_or_default()
    }
}

pub(super) struct PlotView {
    pub(super) caption: String,
    pub(super) svg: String,
    pub(super) key: Vec<(String, String)>,
}

impl PlotView {
    fn new(chart: &Chart<'_>, caption: impl Into<String>) -> Self {
        let names = chart.series.iter().enumerate();
        let key = names.map(|(index, series)| (key_svg(index), series.name.clone()));
        PlotView {
            caption: caption.into(),
            svg: chart.svg(PLOT),
            key: key.filter(|_| chart.series.len() > 1).collect(),
        }
    }
}

pub(super) fn sections<'a>(
    found: &'a FoundFolders,
    legends: &'a BTreeMap<String, Legend>,
) -> Vec<Section<'a>> {
    let benches = bench_part::section(found);
    let costs = runs_part::costs(found);
    let pairs = runs_part::pairs(found);
    let answers = Section {
        id: "page-solutions",
        title: "Solutions",
        intro: "Each is drawn move by move; the folder has it as text, with the evidence that there is none shorter.",
        articles: numbered(&found.answers, |index, answer| {
            answer_article(found, index, answer, legends)
        }),
    };
    let tables = Section {
        id: "page-tables",
        title: "Starts against finishes",
        intro: "Every start against every finish: a solution that was played again on the rulebook, or a proof that there is none. Moves and certificates are in the folder's table.json.",
        articles: numbered(&found.tables, |index, table| {
            table_article(found, index, table)
        }),
    };
    let all = [benches, costs, pairs, answers, tables];
    all.into_iter()
        .filter(|section| !section.articles.is_empty())
        .collect()
}

fn numbered<'a, T: 'a>(
    items: impl IntoIterator<Item = &'a T>,
    article: impl Fn(usize, &'a T) -> Article<'a>,
) -> Vec<Article<'a>> {
    let numbered = (1..).zip(items);
    numbered.map(|(index, item)| article(index, item)).collect()
}

fn answer_article<'a>(
    found: &FoundFolders,
    index: usize,
    answer: &'a FoundAnswer,
    legends: &'a BTreeMap<String, Legend>,
) -> Article<'a> {
    let FoundAnswer { folder, solution } = answer;
    let puzzle = solution.instance.split('/').next().unwrap_or_default();
    let legend = legends
        .get(puzzle)
        .filter(|legend| !legend.entries.is_empty());
    let summary = solution.made.as_ref().map_or("", |made| &made.summary);
    let summary = super::capitalised(summary.trim_end_matches('.'));
    let mut blocks = vec![
        Block::Prose(format!("{summary}. From {folder}.")),
        solution_boards(solution, legend),
    ];
    blocks.extend(proof_blocks(solution, legend));
    Article {
        id: format!("page-solution-{index}"),
        title: solution.instance.clone(),
        altered: found.warning(&answer.folder),
        blocks,
        ..Article::default()
    }
}

/// The boards of a solution with the moves between them, or the start if there is no path.
pub(super) fn solution_boards<'a>(solution: &Solution, legend: Option<&'a Legend>) -> Block<'a> {
    let from = solution.from.clone();
    let (caption, kind) = match solution.length {
        None => ("the start".to_owned(), PictureKind::Board { state: from }),
        Some(length) => {
            let steps = solution.moves.iter();
            let states = steps.clone().map(|step| step.state.clone());
            let kind = PictureKind::Strip {
                states: std::iter::once(from).chain(states).collect(),
                labels: steps.map(|step| step.r#move.clone()).collect(),
            };
            (count(length, solution.unit.name()), kind)
        }
    };
    let figure = Figure::new(&Picture { caption, kind }, legend);
    let key = picture_view::key(figure.states().into_iter(), legend);
    Block::Boards(key, vec![figure])
}

/// The proof that there is no solution, if it says more than its reason.
pub(super) fn proof_blocks(solution: &Solution, legend: Option<&Legend>) -> Vec<Block<'static>> {
    let proof = solution.search.proof.as_deref().unwrap_or_default();
    let Some((_, detail)) = proof.split_once('\n') else {
        return Vec::new();
    };
    let line = |step| match step {
        ProofStep::Line(line) => Some(Block::Prose(line)),
        ProofStep::Board { .. } | ProofStep::Weights { .. } => None,
    };
    let lines = ProofStep::all(detail).into_iter().filter_map(line);
    let boards = Block::Boards(Vec::new(), proof_figures(detail, legend));
    lines.chain([boards]).collect()
}

fn table_article<'a>(found: &FoundFolders, index: usize, table: &'a FoundTable) -> Article<'a> {
    let row = |row: &StartFinishRow| {
        [&*row.start, &row.finish, row.verdict.label(), &row.proof].map(Cell::text)
    };
    let columns = "start | finish | verdict | proof";
    let rows = ReportTable::of(columns, table.rows.iter().map(row));
    Article {
        id: format!("page-table-{index}"),
        title: table.folder.clone(),
        altered: found.warning(&table.folder),
        blocks: vec![Block::Table(TableView::new(
            format!("page-table-{index}-rows"),
            format!("Starts and finishes of {}", table.folder),
            rows,
        ))],
        ..Article::default()
    }
}
