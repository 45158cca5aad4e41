//! The names of all records: a file's stated type.
//!
//! A name ends in the version of the form, which rises when a field changes its meaning. A JSON
//! file bears it in its member `record`, an array of records in each of them. A CSV file is known
//! by its header: the names of the fields of its [`Row`](super::CsvRow). Output that a command
//! prints and writes to no file is called `antipode-printed-` and the command.

macro_rules! schemas {
    ($($(#[$about:meta])* $name:ident = $text:literal;)*) => {
        $($(#[$about])* pub const $name: &str = $text;)*
        /// All of them.
        pub const ALL: &[&str] = &[$($text),*];
    };
}

schemas! {
    /// `run.json` of a search: [`Run`](super::Run).
    RUN = "antipode-run-1";
    /// A row of `levels.csv`: [`LevelRow`](super::LevelRow).
    LEVELS = "antipode-levels-1";
    /// A row of `parts.csv`: [`PartRow`](super::PartRow).
    PARTS = "antipode-parts-1";
    /// A row of `antipodes.csv`: [`Antipode`](super::Antipode).
    ANTIPODES = "antipode-antipodes-1";
    /// A row of `cost.csv`: [`LevelCost`](super::LevelCost).
    COST = "antipode-cost-1";
    /// A row of `published.csv`: [`Published`](super::Published).
    PUBLISHED = "antipode-published-1";
    /// A check in `checks.json`: [`Check`](super::Check).
    CHECK = "antipode-check-1";
    /// A row of `claims.csv`: [`ClaimRow`](super::ClaimRow).
    CLAIMS = "antipode-claims-4";
    /// A row of `not-taken.csv`: [`NotTaken`](super::NotTaken).
    NOT_TAKEN = "antipode-not-taken-1";
    /// `manifest.json` of a folder of results: [`Manifest`](super::Manifest).
    MANIFEST = "antipode-manifest-1";
    /// `certificates/CLAIM.json`: [`Certificate`](super::Certificate).
    CERTIFICATE = "antipode-certificate-3";
    /// A row of `pairs.csv`: [`PairRow`](super::PairRow).
    PAIRS = "antipode-pairs-1";
    /// A row of `sides.csv`: [`SideRow`](super::SideRow).
    SIDES = "antipode-sides-1";
    /// `solve.json`: [`Solution`](super::Solution).
    SOLUTION = "antipode-solution-1";
    /// A row of the `levels.csv` next to `solve.json`: [`SideLevel`](super::SideLevel).
    SIDE_LEVELS = "antipode-side-levels-1";
    /// A row of `path.csv`: [`PathStep`](super::PathStep).
    PATH = "antipode-path-1";
    /// The record that `explore` prints of a position: [`Position`](super::Position).
    POSITION = "antipode-position-1";
    /// `table.json`: [`StartFinishTable`](super::StartFinishTable).
    TABLE = "antipode-table-1";
    /// A row of `table.csv`: [`StartFinishRow`](super::StartFinishRow).
    TABLE_ROWS = "antipode-table-rows-1";
    /// `referee.json`: [`Referee`](super::Referee).
    REFEREE = "antipode-referee-1";
    /// A row of `referee.csv`: [`RefereeRow`](super::RefereeRow).
    REFEREE_ROWS = "antipode-referee-rows-1";
    /// `boards.json`: [`Boards`](super::Boards).
    BOARDS = "antipode-boards-1";
    /// A row of `boards.csv`: [`BoardRow`](super::BoardRow).
    BOARD_ROWS = "antipode-board-rows-1";
    /// `boards.json` of `make`: [`MadeBoards`](super::MadeBoards).
    MADE = "antipode-made-1";
    /// A row of its `boards.csv`: [`MadeBoard`](super::MadeBoard).
    MADE_ROWS = "antipode-made-rows-1";
    /// `permute.json`: [`Permute`](super::Permute).
    PERMUTE = "antipode-permute-1";
    /// A row of `permute.csv`: [`PermuteRow`](super::PermuteRow).
    PERMUTE_ROWS = "antipode-permute-rows-1";
    /// `plan.json`: [`Plan`](super::EnginePlan).
    PLAN = "antipode-plan-1";
    /// A row of `plan.csv`: [`PlanRow`](super::PlanRow).
    PLAN_ROWS = "antipode-plan-rows-1";
    /// `run.json` of a benchmark: [`BenchRun`](super::bench::BenchRun).
    BENCH_RUN = "antipode-bench-run-1";
    /// A row of `samples.csv`, and of `samples.json`: [`Sample`](super::bench::Sample).
    SAMPLE = "antipode-sample-1";
    /// A row of `comparison.csv` and `regress.csv`: [`Comparison`](super::bench::Comparison).
    COMPARISON = "antipode-comparison-1";
    /// A row of a history over commits: [`HistoryRow`](super::bench::HistoryRow).
    HISTORY = "antipode-history-1";
}
