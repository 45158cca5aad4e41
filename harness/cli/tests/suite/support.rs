//! Code that the tests share: the command, and analyses without a command.

use std::collections::BTreeSet;
use std::fs;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use antipode_check::analysis::{Analysis, Request, analyse};
use antipode_graph::{Graph, Library, builtin};
use antipode_reports::csv_out;
use antipode_search::engines::EngineError;
use antipode_search::many_to_many::PairsRequest;
use antipode_search::open::typed_graph;
use antipode_search::progress::Stop;
use antipode_search::registry::EngineId;
#[cfg(unix)]
use nix::sys::signal::{Signal, kill};
#[cfg(unix)]
use nix::unistd::Pid;
use puzzle_api::{Direction, Key, Settings};
use serde_json::Value;

/// A folder that is gone with its value.
pub struct Fresh(tempfile::TempDir);

impl Deref for Fresh {
    type Target = Path;

    fn deref(&self) -> &Path {
        self.0.path()
    }
}

impl AsRef<Path> for Fresh {
    fn as_ref(&self) -> &Path {
        self
    }
}

/// An empty folder.
pub fn fresh() -> Fresh {
    Fresh(tempfile::tempdir().expect("a folder"))
}

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
    /// Each part stands in it, between which `; ` stands; what follows `~` does not.
    #[track_caller]
    fn says(&self, parts: &str) {
        for part in parts.split("; ") {
            match part.strip_prefix('~') {
                Some(part) => self.lacks([part.trim_start()]),
                None => self.has([part]),
            }
        }
    }
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
    how: Signal,
    mut is_time: impl FnMut() -> bool,
) -> Ran {
    let mut child = started(folder, args);
    let patience = Instant::now();
    while !is_time() && child.try_wait().unwrap().is_none() {
        assert!(patience.elapsed() < Duration::from_secs(240), "{args:?}");
        std::thread::sleep(Duration::from_millis(2));
    }
    signal(&child, how);
    child.wait_with_output().unwrap().into()
}

/// Sends a signal to a process.
#[cfg(unix)]
pub fn signal(child: &Child, signal: Signal) {
    kill(Pid::from_raw(child.id() as i32), signal).unwrap();
}

/// How many processes have a text in their command line.
#[cfg(target_os = "linux")]
pub fn running(part: &str) -> usize {
    let all = fs::read_dir("/proc").unwrap().flatten();
    let lines = all.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
    let texts = lines.map(|line| String::from_utf8_lossy(&line).replace('\0', " "));
    texts.filter(|line| line.contains(part)).count()
}

/// The links of a page to files, which are all there.
pub fn links(page: &Path) -> BTreeSet<String> {
    let (html, folder) = (read(page), page.parent().unwrap());
    let hrefs = html.split(" href=\"").skip(1);
    let files = hrefs.filter_map(|rest| rest.split(['"', '?', '#']).next());
    let files = files.filter(|href| !href.is_empty() && !href.contains(':'));
    let links: BTreeSet<String> = files.map(str::to_owned).collect();
    for link in &links {
        assert!(folder.join(link).is_file(), "{}: {link}", page.display());
    }
    links
}

/// The blocks of code of a page, each with its language.
pub fn blocks(page: &str) -> Vec<(&str, &str)> {
    let parts = page.split("```").skip(1).step_by(2);
    parts.filter_map(|part| part.split_once('\n')).collect()
}

/// The first block of a language that begins so.
pub fn block<'p>(page: &'p str, language: &str, begin: &str) -> &'p str {
    let mut all = blocks(page).into_iter();
    let block = all.find(|(of, code)| *of == language && code.starts_with(begin));
    block.expect(begin).1
}

/// Finished lines of a journal, which may not be there yet.
pub fn lines_of(journal: &Path) -> usize {
    let bytes = fs::read(journal).unwrap_or_default();
    bytes.iter().filter(|&&byte| byte == b'\n').count()
}

/// A folder with a copy of the files below a name.
pub fn copied(from: &Path, name: &str) -> Fresh {
    let copy = fresh();
    fs::create_dir(copy.join(name)).unwrap();
    for file in fs::read_dir(from.join(name)).unwrap() {
        let file = file.unwrap();
        fs::copy(file.path(), copy.join(name).join(file.file_name())).unwrap();
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
pub fn folder_with(name: &str, text: impl AsRef<[u8]>) -> Fresh {
    let folder = fresh();
    fs::write(folder.join(name), text).unwrap();
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

/// The words of a line, of which those between `'` are one.
pub fn arguments(line: &str) -> Vec<&str> {
    let parts = line.split('\'').enumerate();
    let words = parts.flat_map(|(at, part)| match at % 2 {
        0 => words(part),
        _ => vec![part],
    });
    words.collect()
}

/// Runs a line of arguments in a folder.
pub fn runs(folder: impl AsRef<Path>, line: &str) -> Ran {
    run_in(folder.as_ref(), &arguments(line))
}

/// Plays a scenario in a folder, a step a line, with ` | ` between its cells and `\n` for a line
/// break in one:
///
/// - `CODE LINE | …` runs a line and asserts its exit code. With `CODE!`, the run must print one
///   line of error and nothing else. `CODE $ LINE | …` runs a line of a shell.
/// - `FILE = | TEXT` writes a file, in a folder that is made. `FILE ~ | FROM | TO` replaces the first
///   such text, `FILE ^N` flips a bit at N percent of the length, `FILE -N` cuts N bytes off.
/// - `FILE ? | …` reads a file, which has to be there; `no FILE` says that there is none.
///
/// The other cells stand in the output or the file. With exit code 2 the output is standard error,
/// and in a cell after `2>` always; what follows `~` does not stand there.
#[track_caller]
pub fn plays(folder: impl AsRef<Path>, scenario: &str) {
    let folder = folder.as_ref();
    for step in scenario.lines().filter(|step| !step.trim().is_empty()) {
        let step = format!("{step} ").replace("\\n", "\n");
        let mut cells = step.split(" | ").map(|cell| cell.trim_matches(' '));
        let head = cells.next().unwrap();
        let (first, rest) = head.split_once(' ').unwrap();
        let file = folder.join(first);
        let [usual, errors] = match rest {
            "=" => {
                fs::create_dir_all(file.parent().unwrap()).unwrap();
                fs::write(file, cells.next().unwrap()).unwrap();
                continue;
            }
            "~" => {
                let [from, to] = [(); 2].map(|()| cells.next().unwrap_or_default());
                let text = read(&file);
                text.has([from]);
                fs::write(file, text.replacen(from, to, 1)).unwrap();
                continue;
            }
            _ if rest.starts_with(['^', '-']) && !rest.starts_with("--") => {
                let mut bytes = fs::read(&file).expect(head);
                let number: usize = rest[1..].parse().expect(head);
                match rest.starts_with('^') {
                    true => {
                        let at = (bytes.len() - 1) * number / 100;
                        bytes[at] ^= 4;
                    }
                    false => bytes.truncate(bytes.len() - number),
                }
                fs::write(file, bytes).unwrap();
                continue;
            }
            "?" => [read(file), String::new()],
            _ if first == "no" => {
                assert!(!folder.join(rest).exists(), "{rest}");
                continue;
            }
            _ => {
                let code = first.trim_end_matches('!').parse().expect(head);
                let ran = match rest.strip_prefix("$ ") {
                    Some(line) => sh(folder, line, &[]),
                    None => runs(folder, rest),
                };
                if first.ends_with('!') {
                    [ran.in_a_line(code).err, String::new()]
                } else {
                    let Ran { out, err, .. } = ran.ended(code);
                    [if code == 2 { err.clone() } else { out }, err]
                }
            }
        };
        for cell in cells {
            let (text, cell) = match cell.strip_prefix("2>") {
                Some(cell) => (&errors, cell.trim_start()),
                None => (&usual, cell),
            };
            text.says(cell);
        }
    }
}

/// A file of claims about a puzzle, each with an id and its own keys, between which `; ` stands.
/// They are expected to be confirmed, unless a key says otherwise.
pub fn claims(puzzle: &str, claims: &[(&str, &str)]) -> String {
    let claim = |(id, keys): &(&str, &str)| {
        let expect = match keys.contains("expect = ") {
            true => "",
            false => "\nexpect = \"confirmed\"",
        };
        let keys = keys.replace("; ", "\n");
        format!("[[claim]]\nid = \"{id}\"\nsource = \"s\"\nstatement = \"s\"\n{keys}{expect}\n\n")
    };
    let claims: String = claims.iter().map(claim).collect();
    format!("puzzle = \"{puzzle}\"\n\n{claims}")
}

/// `certify --claims my.toml --out out …` on a text, in a folder of its own.
pub fn certify(text: &str, more: &str) -> (Fresh, Ran) {
    let folder = folder_with("my.toml", text);
    let ran = runs(
        &folder,
        &format!("certify --claims my.toml --out out {more}"),
    );
    (folder, ran)
}

/// A suite with the keys of its head, and rows with a name and the other keys; `; ` stands between
/// keys.
pub fn suite(head: &str, rows: &[(&str, &str)]) -> String {
    let row = |(name, keys): &(&str, &str)| format!("\n[[row]]\nname = \"{name}\"\n{keys}\n");
    let rows: String = rows.iter().map(row).collect();
    format!("\n[suite]\n{head}\n{rows}").replace("; ", "\n")
}

/// The keys of a search of a moment, without its engine.
pub const NARROW: &str = "instance = \"tilt/box\"; set = { grey = 0, blue = \"0..1\" }; ";

/// The folder of the checkout.
pub fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.canonicalize().expect("the checkout")
}

/// Files of the checkout with some endings: their paths in it, and their texts.
pub fn files(endings: &[&str]) -> Vec<(String, String)> {
    let (root, mut all) = (root(), Vec::new());
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder").flatten() {
            let (path, name) = (entry.path(), entry.file_name());
            let hidden = name.to_string_lossy().starts_with('.');
            let ending = path.extension().and_then(|ending| ending.to_str());
            if path.is_dir() && !hidden && name != "target" && name != "out" {
                folders.push(path);
            } else if ending.is_some_and(|ending| endings.contains(&ending)) {
                let inside = path.strip_prefix(&root).expect("below the root");
                all.push((inside.display().to_string(), read(&path)));
            }
        }
    }
    all.sort();
    all
}

/// The workspace, as cargo sees it.
pub fn metadata() -> Value {
    let line = "\"$CARGO\" metadata --no-deps --offline --format-version 1";
    sh(root(), line, &[("CARGO", env!("CARGO"))])
        .ended(0)
        .json()
}

/// Files and folders below a folder.
pub fn walk(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    let below: Vec<PathBuf> = paths.iter().flat_map(|path| walk(path)).collect();
    paths.extend(below);
    paths.sort();
    paths
}

/// Runs a line of a shell for which `antipode` is this command, also called `$ANTIPODE`.
pub fn sh(folder: impl AsRef<Path>, line: &str, variables: &[(&str, &str)]) -> Ran {
    let exe = Path::new(env!("CARGO_BIN_EXE_antipode"));
    let path = std::env::var("PATH").unwrap_or_default();
    let mut command = Command::new("bash");
    command.current_dir(folder).args(["-c", line]);
    command.env(
        "PATH",
        format!("{}:{path}", exe.parent().unwrap().display()),
    );
    command.env("ANTIPODE", exe).envs(variables.iter().copied());
    Ran {
        line: line.to_owned(),
        ..command.output().expect("a shell").into()
    }
}

/// Writes a program that a shell runs.
#[cfg(unix)]
pub fn script(file: impl AsRef<Path>, text: &str) {
    use std::os::unix::fs::PermissionsExt;
    fs::write(&file, text).unwrap();
    fs::set_permissions(file, fs::Permissions::from_mode(0o755)).unwrap();
}

/// `levels.csv` and `antipodes.csv` of a folder.
pub fn kept_tables(folder: impl AsRef<Path>) -> [String; 2] {
    ["levels.csv", "antipodes.csv"].map(|name| read(folder.as_ref().join(name)))
}

/// Runs the command in its own folder, which must still be empty afterwards if `args` name no
/// other.
pub fn run(args: &[&str]) -> Ran {
    let folder = fresh();
    let ran = run_in(&folder, args);
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0);
    ran
}

/// Settings from pairs.
pub fn settings(pairs: &[(&str, &str)]) -> Settings {
    let owned = |(key, value): &(&str, &str)| ((*key).to_owned(), (*value).to_owned());
    pairs.iter().map(owned).collect()
}

/// A built-in puzzle.
pub fn puzzle(name: &str) -> Arc<Library> {
    static ALL: LazyLock<Vec<Arc<Library>>> =
        LazyLock::new(|| builtin::all().into_iter().map(Arc::new).collect());
    let found = ALL.iter().find(|library| library.name == name);
    Arc::clone(found.expect(name))
}

/// The graph of a variant of an instance, which is `PUZZLE/INSTANCE KEY=VALUE …`; `fast` stands for
/// the first variant.
pub fn graph<K: Key>(instance: &str, variant: &str) -> Graph<K> {
    let Request {
        library,
        instance,
        settings,
        ..
    } = request(instance);
    let variant = match variant {
        "fast" => &library.variants[0],
        other => other,
    };
    typed_graph(library.open(&instance, variant, &settings).unwrap()).unwrap()
}

/// An analysis of an instance, as [`graph`] has it: backward, without checks, on one thread.
pub fn request(instance: &str) -> Request {
    let mut words = instance.split(' ');
    let (name, instance) = words.next().unwrap().split_once('/').unwrap();
    let pairs: Vec<_> = words.filter_map(|pair| pair.split_once('=')).collect();
    Request {
        settings: settings(&pairs),
        direction: Some(Direction::Backward),
        ..Request::new(puzzle(name), instance.to_owned())
    }
}

/// A question about all pairs of some states of an instance, as [`graph`] has it.
pub fn pairs(instance: &str, states: &[String]) -> PairsRequest {
    let Request {
        library,
        instance,
        settings,
        ..
    } = request(instance);
    PairsRequest {
        library,
        instance,
        settings,
        variant: None,
        from: states.to_vec(),
        to: states.to_vec(),
        numbered: None,
        radius: None,
        looked_at: 0,
        again: false,
        side_states: None,
        budget: None,
        memory: Some(1 << 28),
        threads: 1,
        journal: None,
        show_progress: false,
        command: Vec::new(),
    }
}

/// The same forward, by an engine.
pub fn forward(instance: &str, name: &str) -> Request {
    Request {
        direction: Some(Direction::Forward),
        engine: engine(name),
        ..request(instance)
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

/// A board of peg solitaire drawn in a file.
pub fn peg_board(folder: &Path, drawing: &str) -> String {
    let file = folder.join("board.txt");
    fs::write(&file, drawing).unwrap();
    file.display().to_string()
}
