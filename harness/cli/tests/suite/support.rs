//! Code that the tests share: the command, and analyses without a command.

use std::path::Path;
use std::process::{Command, Output};
use std::sync::{Arc, LazyLock};

use antipode_check::analysis::{Analysis, Request, analyse};
use antipode_graph::Library;
use antipode_reports::csv_out;
use antipode_search::engines::EngineError;
use antipode_search::progress::Stop;
use antipode_search::registry::EngineId;
use puzzle_api::{Direction, Settings};

/// The command, ready for arguments.
pub fn antipode() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_antipode"));
    command.env_remove("ANTIPODE_LOG");
    command
}

/// The results of a finished command.
pub struct Ran {
    /// Exit code.
    pub code: i32,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code().unwrap_or(-1),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

/// Runs the command in a folder.
pub fn run_in(folder: &Path, args: &[&str]) -> Ran {
    let mut command = antipode();
    command.current_dir(folder).args(args);
    command.output().unwrap().into()
}

/// Runs the command in its own folder, which must still be empty afterwards if `args` name no
/// other.
pub fn run(args: &[&str]) -> Ran {
    let folder = tempfile::tempdir().unwrap();
    let ran = run_in(folder.path(), args);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    ran
}

/// Settings from pairs.
pub fn settings(pairs: &[(&str, &str)]) -> Settings {
    pairs
        .iter()
        .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()))
        .collect()
}

/// The built-in Tilt.
pub fn tilt() -> Arc<Library> {
    static TILT: LazyLock<Arc<Library>> =
        LazyLock::new(|| Arc::new(Library::built_in(antipode_tilt::table())));
    Arc::clone(&TILT)
}

/// The built-in coin sliding.
pub fn coin_sliding() -> Arc<Library> {
    static COINS: LazyLock<Arc<Library>> =
        LazyLock::new(|| Arc::new(Library::built_in(antipode_coin_sliding::table())));
    Arc::clone(&COINS)
}

/// An analysis of an instance, without checks, on one thread.
pub fn request(library: &Arc<Library>, instance: &str, pairs: &[(&str, &str)]) -> Request {
    Request {
        settings: settings(pairs),
        direction: Some(Direction::Backward),
        ..Request::new(Arc::clone(library), instance.to_owned())
    }
}

/// Runs an analysis to its end.
pub fn analysed(request: &Request) -> Analysis {
    let analysis = try_analyse(request).unwrap();
    assert!(analysis.run.complete);
    analysis
}

/// Runs an analysis.
pub fn try_analyse(request: &Request) -> Result<Analysis, EngineError> {
    analyse(request, &Stop::default())
}

/// The engine of a name.
pub fn engine(name: &str) -> Option<EngineId> {
    Some(name.parse().unwrap())
}

/// The bytes of `levels.csv`, then those of `antipodes.csv`.
pub fn tables(analysis: &Analysis) -> String {
    let mut text = Vec::new();
    csv_out::write_rows_to(&mut text, &analysis.levels.rows()).unwrap();
    csv_out::write_rows_to(&mut text, &analysis.antipodes).unwrap();
    String::from_utf8(text).unwrap()
}

/// n! / (k! (n-k)!).
pub fn choose(n: u128, k: u128) -> u128 {
    (0..k).fold(1, |ways, i| ways * n.saturating_sub(i) / (i + 1))
}

/// The built-in peg solitaire.
pub fn pegs() -> Arc<Library> {
    static PEGS: LazyLock<Arc<Library>> =
        LazyLock::new(|| Arc::new(Library::built_in(antipode_peg_solitaire::table())));
    Arc::clone(&PEGS)
}

/// The built-in sliding blocks.
pub fn blocks() -> Arc<Library> {
    static BLOCKS: LazyLock<Arc<Library>> =
        LazyLock::new(|| Arc::new(Library::built_in(antipode_blocks::sliding_block::table())));
    Arc::clone(&BLOCKS)
}

/// A board of peg solitaire drawn in a file.
pub fn peg_board(folder: &Path, drawing: &str) -> String {
    let file = folder.join("board.txt");
    std::fs::write(&file, drawing).unwrap();
    file.display().to_string()
}
