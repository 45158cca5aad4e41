//! A page for each record: the template reads it.

use super::picture_view::{BoardView, Figure, FigureKind, KeyEntry, key};
use super::report_view::{Article, Block, TableView, proof_blocks, solution_boards};
use super::run_view::{Fact, RunView, facts};
use super::{Frame, rendered};
use crate::count;
use crate::csv_out::rows_text;
use crate::model::{
    Antipode, EnginePlan, Evidence, Legend, LevelTable, MadeBoard, MadeBoards, MadeFrom,
    NamedState, PairVerdict, Permute, Picture, Provenance, Record, Referee, RefereeRow,
    RefereeSolver, Run, SideLevel, Solution, StartFinishCell, StartFinishTable, columns,
};
use crate::report::tables::{Cell, Column, ReportTable};
use crate::wording::{amount, grouped, memory, short};
use askama::Template;
use std::collections::BTreeMap;
use std::io;

/// Boards are drawn by a legend, or shown as text without one.
fn used(legend: &Legend) -> Option<&Legend> {
    (!legend.entries.is_empty()).then_some(legend)
}

/// The page of a record: sections, of which one without a title has its blocks alone.
#[derive(Template)]
#[template(path = "record.html")]
pub(super) struct RecordPage<'a> {
    pub(super) frame: Frame<'a>,
    pub(super) articles: Vec<Article<'a>>,
    /// What to know about how it was made, with code between backticks.
    pub(super) intro: &'a str,
}

/// A section of a page with a table.
fn tabled(id: &str, title: &str, table: ReportTable) -> Article<'static> {
    Article {
        id: format!("page-{id}"),
        title: title.to_owned(),
        blocks: vec![Block::Table(TableView::new(id.to_owned(), title, table))],
        ..Article::default()
    }
}

#[derive(Template)]
#[template(path = "run_page.html")]
struct RunPage<'a> {
    frame: Frame<'a>,
    runs: [RunView<'a>; 1],
    checks: &'a [Evidence],
}

/// The page with one run: its levels, the farthest positions, and how they were checked.
pub fn run_html(
    run: &Run,
    levels: &LevelTable,
    antipodes: &[Antipode],
    checks: &[Evidence],
    legend: &Legend,
) -> io::Result<String> {
    rendered(&RunPage {
        frame: Frame::new(
            "Every position, level by level",
            run.title(),
            "",
            &run.tool_version,
            &run.command,
        ),
        runs: [RunView::of(run, levels, antipodes, used(legend))],
        checks,
    })
}

#[derive(Template)]
#[template(path = "table.html")]
struct TablePage<'a> {
    frame: Frame<'a>,
    table: &'a StartFinishTable,
    legend: Option<&'a Legend>,
}

/// The page over a table of starts and finishes: one section per start, one row per finish.
pub fn table_html(table: &StartFinishTable, legend: &Legend) -> io::Result<String> {
    let lead = format!(
        "{} starts up to symmetry, {} finishes: {} pairs solvable, {} impossible, {} not reached.",
        table.starts.len(),
        table.finishes.len(),
        table.count(PairVerdict::Solvable),
        table.count(PairVerdict::Impossible),
        table.count(PairVerdict::NotReached)
    );
    let (puzzle, instance) = (&table.puzzle, &table.instance);
    let title = format!("{puzzle}/{instance}: every start against every finish");
    rendered(&TablePage {
        frame: Frame::new(
            "Every start against every finish",
            title,
            lead,
            &table.tool_version,
            &table.command,
        )
        .with([Fact::plain("Rules", &table.variant)]),
        table,
        legend: used(legend),
    })
}

impl TablePage<'_> {
    fn cells(&self, start: &NamedState) -> impl Iterator<Item = &StartFinishCell> {
        let cells = self.table.cells.iter();
        cells.filter(move |cell| cell.start == start.name)
    }

    fn board(&self, state: &str, title: &str) -> BoardView {
        BoardView::new(state, title, self.legend)
    }

    fn start(&self, start: &NamedState) -> BoardView {
        self.board(&start.state, &format!("start {}", start.name))
    }

    fn key(&self, state: &str) -> Vec<KeyEntry<'_>> {
        key(std::iter::once(state), self.legend)
    }

    fn moves(&self, cell: &StartFinishCell) -> String {
        cell.witness.as_deref().unwrap_or_default().join("; ")
    }

    fn class(&self, verdict: &PairVerdict) -> &'static str {
        match verdict {
            PairVerdict::NotReached => "undecided",
            decided => decided.label(),
        }
    }
}

/// The page over external solvers: a line per solver, a table of all boards.
pub fn referee_html(record: &Referee) -> io::Result<String> {
    let games = record.rows.len() + record.unplayed as usize;
    let lead = format!(
        "{} on {}, each in a process of its own with {} s. Paths were played on the rulebook; only solvers that were right on every board are ranked.{}",
        count(record.solvers.len(), "solvers"),
        count(games / record.solvers.len().max(1), "boards"),
        record.time_limit_s,
        match record.unplayed {
            0 => String::new(),
            games => format!(" Stopped: {games} games were not played."),
        }
    );
    let seconds = |seconds| Cell::figure(Some(seconds), |s| format!("{s:.3}"));
    let solver = |one: &RefereeSolver| {
        [
            Cell::text(&one.solver),
            one.rank.map_or_else(Cell::default, Cell::count),
            seconds(one.right_s),
            Cell::text(&one.summary),
        ]
    };
    let solvers = ReportTable::of(
        "solver | #rank | #seconds where right | summary",
        record.solvers.iter().map(solver),
    );
    let row = |row: &RefereeRow| {
        let how = if row.replayed { " (replayed)" } else { "" };
        [
            Cell::text(&row.instance),
            Cell::text(&row.solver),
            Cell::text(format!("{}{how}", row.said)),
            Cell::text(&row.shortest),
            Cell::text(row.ruling.word()),
            seconds(row.wall_s),
            Cell::text(&row.why),
        ]
    };
    let boards = ReportTable {
        states: record.rows.iter().map(|row| row.ruling.word()).collect(),
        ..ReportTable::of(
            "board | solver | said | shortest | ruling | #seconds | why",
            record.rows.iter().map(row),
        )
    };
    let (title, made) = ("Solvers compared with proven lengths", &record.made);
    rendered(&RecordPage {
        frame: Frame::new("Referee", title, lead, &made.tool_version, &made.command),
        articles: vec![
            tabled("solvers", "Solvers", solvers),
            tabled("boards", "Boards", boards),
        ],
        intro: "That no solution is shorter rests on the search named in the commands of `antipode solve`; each of our paths was played on the rulebook too.",
    })
}

/// The page over the rows of a record, with the columns of their table.
fn listing<T: Record>(
    (eyebrow, title, lead): (&'static str, String, String),
    intro: &'static str,
    made: &Provenance,
    rows: &[T],
) -> io::Result<String> {
    let text = rows_text(rows)?;
    let mut table = csv::Reader::from_reader(&*text);
    let cell = |key: &str| Cell {
        text: match (key, key.parse()) {
            ("true", _) => "yes".to_owned(),
            ("false", _) => "no".to_owned(),
            (_, Ok(figure)) if key.contains('.') => short(figure),
            _ => amount(key, ""),
        },
        key: key.to_owned(),
    };
    let cells = |row: csv::StringRecord| row.iter().map(cell).collect();
    let rows = table.records().map(|row| row.map(cells));
    let rows: Vec<Vec<Cell>> = rows.collect::<Result<_, _>>()?;
    let is_number = |row: &Vec<Cell>, at: usize| row[at].key.parse::<f64>().is_ok();
    let columns = columns::<T>().iter().enumerate();
    let columns = columns.map(|(at, &name)| Column {
        name,
        is_figure: rows.iter().all(|row| is_number(row, at)),
    });
    let table = ReportTable {
        columns: columns.collect(),
        rows,
        ..ReportTable::default()
    };
    rendered(&RecordPage {
        frame: Frame::new(eyebrow, title, lead, &made.tool_version, &made.command)
            .at(made.finished_unix_s)
            .with([Fact::plain("Processor", &made.host.cpu)]),
        articles: vec![tabled("all", "One by one", table)],
        intro,
    })
}

/// The page over strategies for a bit permutation.
pub fn permute_html(record: &Permute) -> io::Result<String> {
    let lead = format!(
        "{} bits, {} distinct distances that bits move.",
        record.bits, record.distances
    );
    let title = format!("Strategies for {}", record.spec);
    listing(
        ("A bit permutation", title, lead),
        "Programs were run on every single bit and on random words, and where it says proven on symbols, which is every word. Those that are printed and wrong are listed as such.",
        &record.made,
        &record.rows,
    )
}

/// The page over the needs of engines for an instance.
pub fn plan_html(record: &EnginePlan) -> io::Result<String> {
    let disk = |bytes| format!(" and {} of disk", memory(bytes));
    let lead = format!(
        "{} states, {}. {} of {} with {} of memory{}.",
        grouped(record.states as u128),
        record.from,
        count(record.machines, "machines"),
        count(record.cores, "cores"),
        memory(record.memory_bytes),
        record.disk_bytes.map(disk).unwrap_or_default()
    );
    let title = format!("What {} would take", record.instance);
    listing(
        ("A plan", title, lead),
        "Each engine's needs, estimated from measurements; nothing was searched.",
        &record.made,
        &record.rows,
    )
}

/// A table of texts with names for its rows and columns.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Matrix {
    /// Names of the rows: where paths start.
    pub rows: Vec<String>,
    /// Names of the columns: where paths end.
    pub columns: Vec<String>,
    /// One text per row and column; numbers are shaded by size, empty cells left blank.
    pub cells: Vec<Vec<String>>,
}

#[derive(Template)]
#[template(path = "matrix.html")]
struct MatrixView<'a> {
    frame: Frame<'a>,
    run: &'a Run,
    matrix: &'a Matrix,
    most: u32,
    key: Vec<KeyEntry<'a>>,
    figures: Vec<Figure>,
}

/// Deepest shade, in percent: dark enough to see, light enough to read on.
const DEEPEST_SHADE: u32 = 60;

/// The page on the lengths between many pairs of states: a table of all, and a few solutions.
pub fn matrix_html(
    run: &Run,
    matrix: &Matrix,
    pictures: &[Picture],
    legend: &Legend,
) -> io::Result<String> {
    let known = || matrix.cells.iter().flatten();
    let numbers: Vec<u32> = known().filter_map(|text| text.parse().ok()).collect();
    let pairs = known().filter(|text| !text.is_empty()).count();
    let lead = match (numbers.iter().min(), numbers.iter().max()) {
        (Some(least), Some(most)) => format!(
            "{} pairs, the lengths of {} proven: from {least} to {most} {}, none of which can be done in fewer.",
            grouped(pairs),
            match numbers.len() == pairs {
                true => "all of them".to_owned(),
                false => grouped(numbers.len()),
            },
            run.unit.name()
        ),
        _ => format!("{pairs} pairs were looked at; no length is known."),
    };
    let (legend, title) = (used(legend), format!("{}: shortest lengths", run.place()));
    let figures = pictures.iter().map(|one| Figure::new(one, legend));
    let figures: Vec<Figure> = figures.collect();
    rendered(&MatrixView {
        frame: Frame::new(
            "Shortest lengths, proven",
            title,
            lead,
            &run.tool_version,
            &[],
        )
        .with(facts(run)),
        run,
        matrix,
        most: numbers.into_iter().max().unwrap_or(0).max(1),
        key: key(figures.iter().flat_map(Figure::states), legend),
        figures,
    })
}

impl MatrixView<'_> {
    fn lines(&self) -> impl Iterator<Item = (&String, &Vec<String>)> {
        self.matrix.rows.iter().zip(&self.matrix.cells)
    }

    fn shade(&self, text: &str) -> u32 {
        let number: Option<u32> = text.parse().ok();
        number.map_or(0, |number| number * DEEPEST_SHADE / self.most)
    }
}

const ON_A_SHEET: usize = 8;
/// Letters of moves that fit a card in print of the usual size.
const SHORT: usize = 400;

#[derive(Template)]
#[template(path = "cards.html")]
struct CardsPage<'a> {
    title: String,
    tool_version: &'a str,
    size: u32,
    made: &'a MadeBoards,
    legend: Option<&'a Legend>,
}

/// Boards made to order, as cards to print: the solution is on the back of each.
pub fn cards_html(made: &MadeBoards, legend: &Legend) -> io::Result<String> {
    let (name, tool_version) = match &made.source {
        MadeFrom::Run(run) => (run.place(), &run.tool_version),
        MadeFrom::File(file) => {
            let first = file.rows.first().map(|row| row.instance.clone());
            (first.unwrap_or_default(), &file.made.tool_version)
        }
    };
    let longest = made.boards.iter().map(|made| made.moves.join(", ").len());
    rendered(&CardsPage {
        title: format!("{name}: {}", count(made.boards.len(), "boards")),
        tool_version,
        size: if longest.max() > Some(SHORT) { 7 } else { 11 },
        made,
        legend: used(legend),
    })
}

impl CardsPage<'_> {
    fn sheets(&self) -> impl Iterator<Item = Vec<(usize, &MadeBoard)>> {
        let sheets = (0..).zip(self.made.boards.chunks(ON_A_SHEET));
        sheets.map(|(at, sheet)| (ON_A_SHEET * at + 1..).zip(sheet).collect())
    }

    fn board(&self, number: &usize, made: &MadeBoard) -> BoardView {
        BoardView::new(&made.board, &format!("board {number}"), self.legend)
    }
}

/// The page with one solution: the boards move by move, and levels that show that none is shorter.
pub fn path_page_html(
    title: &str,
    solution: &Solution,
    rows: &[SideLevel],
    legend: &Legend,
) -> io::Result<String> {
    let legend = used(legend);
    let mut boards = solution_boards(solution, legend);
    // The page is about this one solution: nothing else needs to be visible.
    if let Block::Boards(_, figures) = &mut boards
        && let FigureKind::Strip { folded, .. } = &mut figures[0].kind
    {
        *folded = false;
    }
    let section = |id: &str, title: &str, blocks| Article {
        id: id.to_owned(),
        title: title.to_owned(),
        blocks,
        ..Article::default()
    };
    let mut articles = vec![section("", "", vec![boards])];
    let proof = proof_blocks(solution, legend);
    if !proof.is_empty() {
        articles.push(section("page-proof", UNSOLVABLE, proof));
    }
    let mut levels: BTreeMap<u32, [Cell; 2]> = BTreeMap::new();
    for row in rows {
        let side = usize::from(row.side == "backward");
        levels.entry(row.depth).or_default()[side] = Cell::count(row.states);
    }
    if !levels.is_empty() {
        let title = match solution.length {
            Some(_) => "Why nothing shorter exists",
            None => UNSOLVABLE,
        };
        let levels = levels.into_iter();
        let rows = levels.map(|(depth, [there, back])| [Cell::count(depth), there, back]);
        let table = ReportTable::of("#depth | #forward | #backward", rows);
        let mut section = tabled("levels", title, table);
        section.blocks.insert(0, Block::Prose(LEVELS.to_owned()));
        articles.push(section);
    }
    let origin = solution.made.clone().unwrap_or_default();
    let made = &origin.made;
    rendered(&RecordPage {
        frame: Frame::new(
            "An answer",
            title,
            origin.summary,
            &made.tool_version,
            &made.command,
        )
        .at(made.finished_unix_s),
        articles,
        intro: "",
    })
}

const UNSOLVABLE: &str = "Why there is no solution";

const LEVELS: &str = "The search went level by level, forward from the start, and backward from the goal where that column has figures: a level holds the positions at the same distance, each position once. A path no longer than the greatest depths of both columns together would put one position into both, and no position is in both; where one column ends because no position was left, there is no path at all. The digests of the levels are in levels.csv.";
