//! A page for each record: the template reads it.

use super::case_view::proof_figures;
use super::picture_view::{BoardView, Figure, FigureKind, KeyEntry, key, states};
use super::run_view::RunView;
use super::{Frame, rendered};
use crate::count;
use crate::csv_out::rows_text;
use crate::model::{
    Antipode, EnginePlan, Evidence, Legend, LevelTable, MadeBoard, MadeBoards, MadeFrom,
    NamedState, PairVerdict, Permute, Picture, Provenance, Record, Referee, Ruling, Run, SideLevel,
    Solution, StartFinishCell, StartFinishTable, columns,
};
use crate::proof::ProofStep;
use crate::wording::{amount, duration, grouped, memory};
use askama::Template;
use std::collections::BTreeMap;
use std::io;

/// Boards are drawn by a legend, or shown as text without one.
fn used(legend: &Legend) -> Option<&Legend> {
    (!legend.entries.is_empty()).then_some(legend)
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
        frame: Frame::new(run.title(), "", &run.tool_version, &run.command),
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
        frame: Frame::new(title, lead, &table.tool_version, &table.command),
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

#[derive(Template)]
#[template(path = "referee.html")]
struct RefereePage<'a> {
    frame: Frame<'a>,
    record: &'a Referee,
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
    let title = "Solvers compared with proven lengths";
    rendered(&RefereePage {
        frame: Frame::new(title, lead, &record.made.tool_version, &record.made.command),
        record,
    })
}

impl RefereePage<'_> {
    fn class(&self, ruling: &Ruling) -> &'static str {
        match ruling {
            Ruling::Right => "solvable",
            Ruling::Wrong | Ruling::RefutesOurs => "impossible",
            Ruling::NotFinished | Ruling::NoAnswer | Ruling::Open => "undecided",
        }
    }
}

#[derive(Template)]
#[template(path = "listing.html")]
struct ListingPage<'a> {
    frame: Frame<'a>,
    eyebrow: &'static str,
    columns: &'static [&'static str],
    /// The first cell of each names it.
    rows: Vec<Vec<String>>,
    intro: &'static str,
    made: &'a Provenance,
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
    let cells = |row: csv::StringRecord| row.iter().map(|cell| amount(cell, "")).collect();
    let rows = table.records().map(|row| row.map(cells));
    rendered(&ListingPage {
        frame: Frame::new(title, lead, &made.tool_version, &made.command),
        eyebrow,
        columns: columns::<T>(),
        rows: rows.collect::<Result<_, _>>()?,
        intro,
        made,
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
    figures: Vec<Figure<'a>>,
    facts: [(&'static str, String); 6],
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
            grouped(pairs as u128),
            match numbers.len() == pairs {
                true => "all of them".to_owned(),
                false => grouped(numbers.len() as u128),
            },
            run.unit.name()
        ),
        _ => format!("{pairs} pairs were looked at; no length is known."),
    };
    let (legend, title) = (used(legend), format!("{}: shortest lengths", run.place()));
    rendered(&MatrixView {
        frame: Frame::new(title, lead, &run.tool_version, &run.command),
        run,
        matrix,
        most: numbers.into_iter().max().unwrap_or(0).max(1),
        key: key(states(pictures), legend),
        figures: (pictures.iter())
            .map(|one| Figure::new(one, legend))
            .collect(),
        facts: [
            ("Rules", run.variant.clone()),
            ("Threads", run.threads.to_string()),
            ("Time", duration(run.wall_s)),
            ("Processor time", duration(run.cpu_s)),
            ("Most memory", memory(run.peak_memory_bytes)),
            ("Processor", run.host.cpu.clone()),
        ],
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

#[derive(Template)]
#[template(path = "path.html")]
struct PathView<'a> {
    frame: Frame<'a>,
    generated_unix_s: u64,
    key: Vec<KeyEntry<'a>>,
    figure: Figure<'a>,
    /// The boards of a proof that there is no solution.
    proof: Vec<Figure<'static>>,
    /// What else it says.
    lines: Vec<String>,
    levels: BTreeMap<u32, [String; 2]>,
    found: bool,
}

/// The page with one solution: the boards move by move, and levels that show that none is shorter.
pub fn path_page_html(
    title: &str,
    solution: &Solution,
    rows: &[SideLevel],
    legend: &Legend,
) -> io::Result<String> {
    let (legend, picture) = (used(legend), crate::report::picture(solution));
    let mut figure = Figure::new(&picture, legend);
    // The page is about this one solution: nothing else needs to be visible.
    if let FigureKind::Strip { folded, .. } = &mut figure.kind {
        *folded = false;
    }
    // The reason of a proof is in the summary.
    let proof = solution.search.proof.as_deref().unwrap_or_default();
    let detail = proof.split_once('\n').map_or("", |(_, detail)| detail);
    let lines = ProofStep::all(detail).into_iter();
    let mut levels: BTreeMap<u32, [String; 2]> = BTreeMap::new();
    for row in rows {
        let side = usize::from(row.side == "backward");
        levels.entry(row.depth).or_default()[side] = grouped(row.states.into());
    }
    let origin = solution.made.clone().unwrap_or_default();
    let made = &origin.made;
    rendered(&PathView {
        frame: Frame::new(title, origin.summary, &made.tool_version, &made.command),
        generated_unix_s: made.finished_unix_s,
        key: key(states(std::slice::from_ref(&picture)), legend),
        figure,
        proof: proof_figures(detail, legend),
        lines: lines.filter_map(ProofStep::line).collect(),
        levels,
        found: solution.length.is_some(),
    })
}
