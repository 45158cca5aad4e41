//! Code that the tests share: the command, and analyses without a command.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use antipode_check::analysis::{Analysis, Request, analyse};
use antipode_graph::Library;
use antipode_reports::csv_out;
use antipode_search::engines::EngineError;
use antipode_search::progress::Stop;
use antipode_search::registry::EngineId;
#[cfg(unix)]
use nix::sys::signal::{Signal, kill};
#[cfg(unix)]
use nix::unistd::Pid;
use puzzle_api::{Direction, Settings};
use serde_json::Value;
use tempfile::TempDir;

/// The command, ready for arguments.
pub fn antipode() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_antipode"));
    command.env_remove("ANTIPODE_LOG");
    command
}

/// The words of a line.
pub fn words(line: &str) -> Vec<&str> {
    line.split_whitespace().collect()
}

/// What a finished command left.
pub struct Ran {
    /// Its arguments, if they are known.
    pub line: String,
    /// Exit code.
    pub code: i32,
    /// Standard output.
    pub out: String,
    /// Standard error, with folded notes as one line each.
    pub err: String,
}

/// A text with each folded line as one line.
pub fn unfolded(text: &str) -> String {
    text.replace("\n  ", " ")
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        Self {
            line: String::new(),
            code: output.status.code().unwrap_or(-1),
            out: String::from_utf8(output.stdout).unwrap(),
            err: unfolded(&String::from_utf8(output.stderr).unwrap()),
        }
    }
}

impl Ran {
    /// Asserts the exit code.
    #[track_caller]
    pub fn ended(self, code: i32) -> Self {
        let Self { line, out, err, .. } = &self;
        assert_eq!(self.code, code, "antipode {line}\n{out}\n{err}");
        self
    }

    /// Asserts exit code 2 and nothing but one line of error.
    #[track_caller]
    pub fn refused(self) -> Self {
        self.in_a_line(2)
    }

    /// Asserts the exit code and nothing but one line of error.
    #[track_caller]
    pub fn in_a_line(self, code: i32) -> Self {
        let Self { line, out, err, .. } = &self;
        assert_eq!(
            (err.lines().count(), out.as_str()),
            (1, ""),
            "antipode {line}\n{err}"
        );
        self.ended(code)
    }

    /// Standard output as JSON.
    #[track_caller]
    pub fn json(&self) -> Value {
        let Self { line, out, err, .. } = self;
        serde_json::from_str(out)
            .unwrap_or_else(|why| panic!("antipode {line}: {why}\n{out}\n{err}"))
    }
}

/// Asserts what stands in a text.
pub trait Text {
    /// Each part stands in it.
    fn has<T: AsRef<str>>(&self, parts: impl IntoIterator<Item = T>);
    /// No part stands in it.
    fn lacks<T: AsRef<str>>(&self, parts: impl IntoIterator<Item = T>);
}

impl Text for str {
    #[track_caller]
    fn has<T: AsRef<str>>(&self, parts: impl IntoIterator<Item = T>) {
        for part in parts {
            assert!(
                self.contains(part.as_ref()),
                "no '{}' in: {self}",
                part.as_ref()
            );
        }
    }

    #[track_caller]
    fn lacks<T: AsRef<str>>(&self, parts: impl IntoIterator<Item = T>) {
        for part in parts {
            assert!(
                !self.contains(part.as_ref()),
                "'{}' in: {self}",
                part.as_ref()
            );
        }
    }
}

/// Runs the command in a folder.
pub fn run_in(folder: &Path, args: &[&str]) -> Ran {
    let mut command = antipode();
    command.current_dir(folder).args(args);
    Ran {
        line: args.join(" "),
        ..command.output().unwrap().into()
    }
}

/// Runs the lines of a table, each of which is refused with the words in its second column.
#[track_caller]
pub fn refuses(folder: impl AsRef<Path>, table: &str) {
    for [line, said] in rows(table) {
        runs(&folder, line).refused().err.has([said]);
    }
}

/// Starts the command in a folder, with pipes.
pub fn started(folder: impl AsRef<Path>, args: &[&str]) -> Child {
    let mut command = antipode();
    command.current_dir(folder).args(args);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// Starts the command and sends it a signal once it is time.
#[cfg(unix)]
pub fn interrupted(
    folder: &Path,
    args: &[&str],
    signal: Signal,
    is_time: impl Fn() -> bool,
) -> Ran {
    let mut child = started(folder, args);
    let patience = Instant::now();
    while !is_time() && child.try_wait().unwrap().is_none() {
        assert!(patience.elapsed() < Duration::from_secs(240), "{args:?}");
        std::thread::sleep(Duration::from_millis(2));
    }
    kill(Pid::from_raw(child.id() as i32), signal).unwrap();
    child.wait_with_output().unwrap().into()
}

/// Finished lines of a journal, which may not be there yet.
pub fn lines_of(journal: &Path) -> usize {
    let bytes = fs::read(journal).unwrap_or_default();
    bytes.iter().filter(|&&byte| byte == b'\n').count()
}

/// A folder with a copy of the files below a name.
pub fn copied(from: &Path, name: &str) -> TempDir {
    let copy = tempfile::tempdir().unwrap();
    fs::create_dir(copy.path().join(name)).unwrap();
    for file in fs::read_dir(from.join(name)).unwrap() {
        let file = file.unwrap();
        fs::copy(file.path(), copy.path().join(name).join(file.file_name())).unwrap();
    }
    copy
}

/// A file as text.
#[track_caller]
pub fn read(file: impl AsRef<Path>) -> String {
    let text = fs::read_to_string(&file);
    text.unwrap_or_else(|why| panic!("{}: {why}", file.as_ref().display()))
}

/// A file as JSON.
#[track_caller]
pub fn json(file: impl AsRef<Path>) -> Value {
    serde_json::from_str(&read(file)).unwrap()
}

/// A folder with a file.
pub fn folder_with(name: &str, text: impl AsRef<[u8]>) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(name), text).unwrap();
    folder
}

/// The rows of a table: a line each, with ` | ` between the cells and `\n` for a line break in one.
pub fn rows<const N: usize>(table: &str) -> Vec<[&'static str; N]> {
    let lines = table.lines().filter(|line| !line.trim().is_empty());
    let row = |line: &str| {
        let cells = format!("{line} ")
            .replace("\\n", "\n")
            .leak()
            .split(" | ")
            .map(str::trim);
        cells
            .collect::<Vec<_>>()
            .try_into()
            .unwrap_or_else(|_| panic!("{line}"))
    };
    lines.map(row).collect()
}

/// Runs a line of words in a folder.
pub fn runs(folder: impl AsRef<Path>, line: &str) -> Ran {
    run_in(folder.as_ref(), &words(line))
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
