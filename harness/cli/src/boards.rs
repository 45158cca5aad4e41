//! Files of boards: `--boards FILE` of `solve`, `make`, `referee` and `pairs`.
//!
//! A file has a board per line, or blocks of rows with an empty line between two, or it is a
//! table with a column of boards. A board that the instance asked for does not read belongs to
//! another one of the puzzle, or is in a form of other programs (`builtin::placed`).

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, bail};
use csv::ReaderBuilder;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use antipode_check::ask::{KnownDistance, PathRequest};
use antipode_graph::{Graph, Library, builtin, one_line};
use antipode_reports::count;
use antipode_reports::csv_in::line_of;
use antipode_search::progress::{Progress, Stop, note};
use antipode_search::work::{FolderPlace, OVER, WorkFolder, contents_of};
use puzzle_api::{Direction, Placed, Request, Settings, is_remark, is_remark_row, read_text};

use super::output::{Begin, Force};

/// Most rows of a board.
const MOST_ROWS: usize = 64;
/// Most bytes of a file of boards.
const MOST_BYTES: u64 = 1 << 30;

/// The file and its format.
#[derive(Debug, clap::Args)]
pub struct File {
    /// A file of boards: one per line, one per block of rows with an empty line after it, or a
    /// table (CSV) with a column of boards. Lines that begin with '# ' are remarks.
    #[arg(id = "board_file", long = "boards", value_name = "FILE")]
    pub path: Option<PathBuf>,
    /// Columns of the table: that of the boards, and that of the lengths to compare with
    /// [default: board, and length or moves if there is one].
    #[arg(long, value_name = "BOARD[,LENGTH]", requires = "board_file")]
    columns: Option<String>,
}

/// Reads a length that is given with a board.
fn read_length(text: &str) -> Option<KnownDistance> {
    match text {
        "none" => Some(KnownDistance::Unsolvable),
        text if KnownDistance::is_unsolvable(text) => Some(KnownDistance::Unsolvable),
        number => number.parse().ok().map(KnownDistance::Exactly),
    }
}

/// A length in the form of tables.
pub fn word(known: KnownDistance) -> String {
    match known {
        KnownDistance::Exactly(moves) => moves.to_string(),
        KnownDistance::Unsolvable => "unsolvable".to_owned(),
        KnownDistance::AtLeast(moves) => format!("at least {moves}"),
    }
}

/// A board of a file.
#[derive(Debug, Clone)]
pub struct Board {
    /// Its line in the file; for a block, the first one.
    pub line: u64,
    /// Where it belongs.
    pub placed: Placed,
    /// The length that the file gives for it: exact, or that there is no solution.
    pub given: Option<KnownDistance>,
}

impl Board {
    /// Whether the length given with the board is right; `None` if undecided. A path disproves a
    /// greater length.
    pub fn ruling(&self, known: KnownDistance, path: Option<u64>) -> Option<bool> {
        let given = self.given?;
        let shorter = path.is_some_and(|path| match given {
            KnownDistance::Exactly(moves) => path < moves.into(),
            _ => true,
        });
        match shorter || given.and(known).is_none() {
            true => Some(false),
            false => (given == known).then_some(true),
        }
    }

    /// The error of the length given with the board, in a line.
    pub fn wrong(&self, known: KnownDistance) -> Option<String> {
        let (line, given) = (self.line, word(self.given?));
        (self.ruling(known, None) == Some(false))
            .then(|| format!("line {line}: {given} is given, {} is right", word(known)))
    }

    /// A question about the board.
    pub fn request(&self, base: &PathRequest) -> PathRequest {
        PathRequest {
            instance: self.placed.instance.clone(),
            settings: self.placed.settings.clone(),
            from: self.placed.from.clone(),
            ..base.clone()
        }
    }
}

/// The findings on the boards of a file, kept in a folder: `--resume` solves no board again.
#[derive(Debug)]
pub struct Kept<R> {
    folder: Option<WorkFolder>,
    done: BTreeMap<usize, R>,
}

/// Kind of a piece in the journal: the number of a board, and the findings on it.
const PIECE: &str = "board";

impl<R: Serialize + DeserializeOwned> Kept<R> {
    /// Opens the folder that `--out` names, if it does, for files of these names.
    ///
    /// # Errors
    /// A folder that cannot be written, or of another run: other boards, lengths or options.
    pub fn open(
        (out, resume): (Option<&Path>, bool),
        (force, names): (&Force, &[&str]),
        (base, boards): (&PathRequest, &[Board]),
        (verb, asked): (&'static str, &Value),
    ) -> Result<Self> {
        let mut kept = Self {
            folder: None,
            done: BTreeMap::new(),
        };
        let Some(out) = out else {
            if resume {
                bail!("--boards with --resume continues from a folder: name it with --out");
            }
            return Ok(kept);
        };
        force.make_way(Some(out), names, Begin::asked(verb, resume))?;
        let all = boards.iter().map(|board| {
            let placed = &board.placed;
            let given = board.given.map(word);
            let (settings, from) = (&placed.settings, &placed.from);
            (board.line, &placed.instance, settings, from, given)
        });
        let all = serde_json::to_vec(&all.collect::<Vec<_>>())?;
        let identity = json!({
            "tool": env!("CARGO_PKG_VERSION"),
            "puzzle": base.library.name,
            "puzzle_version": base.library.version,
            "plugin": base.library.source.named().map(|(_, blake3)| blake3),
            "content_of": contents_of(&base.settings),
            "boards": format!("{:016x}", xxhash_rust::xxh3::xxh3_64(&all)),
            "variant": base.variant,
            "engine": base.engine.map(|engine| engine.name()),
            "seed": base.options.seed,
            "width": base.options.width,
            "rounds": base.options.rounds,
            "command": verb,
            "asked": asked,
        });
        let (folder, pieces) = WorkFolder::open(&FolderPlace::out(out, resume), &identity)?;
        let pieces = pieces.iter();
        kept.done = pieces.filter_map(|piece| piece.read(PIECE)).collect();
        kept.folder = Some(folder);
        Ok(kept)
    }

    /// Finds the missing results of each board, in order, until a stop or a request for one, and
    /// passes each on. Final results are kept.
    ///
    /// # Errors
    /// A board that cannot be answered, a journal that cannot be written.
    pub fn each<B>(
        mut self,
        boards: &[B],
        (shown, stop): (bool, &Stop),
        is_final: fn(&R) -> bool,
        mut find: impl FnMut(&B) -> Result<Option<R>>,
        mut tell: impl FnMut(&R) -> Result<()>,
    ) -> Result<Vec<R>> {
        let progress = Progress::shown(shown, "boards", boards.len() as u64, stop);
        let mut rows = Vec::with_capacity(boards.len());
        for (at, board) in boards.iter().enumerate() {
            let known = self.done.remove(&at);
            let is_new = known.is_none();
            if is_new && stop.requested() {
                break;
            }
            let Some(row) = known.map_or_else(|| find(board), |row| Ok(Some(row)))? else {
                break;
            };
            if let Some(folder) = self.folder.as_ref().filter(|_| is_new && is_final(&row)) {
                folder.finish_in_passing(PIECE, &(at, &row))?;
            }
            tell(&row)?;
            progress.parts(1);
            rows.push(row);
        }
        if let Some(folder) = &self.folder
            && rows.len() == boards.len()
            && rows.iter().all(is_final)
        {
            folder.finish_in_passing(OVER, &())?;
        }
        Ok(rows)
    }
}

/// The text of a board, the line at which it begins, and the length given with it.
type Item = (u64, String, Option<KnownDistance>);

impl File {
    /// Reads all boards of the file; `None` if none is named. The request gives the requested
    /// instance.
    ///
    /// # Errors
    /// The first line that cannot be read, with the remedy.
    pub fn read(&self, base: &PathRequest) -> Result<Option<Vec<Board>>> {
        let Some(path) = &self.path else {
            return Ok(None);
        };
        let file = one_line(&path.display().to_string());
        let text = match read_text(path, MOST_BYTES) {
            Ok(text) => text,
            Err(error) => bail!("--boards {file}: cannot be read ({error}): name a text file"),
        };
        let boards = self.boards(base, &text).with_context(|| file.clone())?;
        if boards.is_empty() {
            bail!("{file}: holds no board: write one per line");
        }
        note(format_args!("{file}: {}", count(boards.len(), "boards")));
        Ok(Some(boards))
    }

    fn boards(&self, base: &PathRequest, text: &str) -> Result<Vec<Board>> {
        let reader = BoardsReader::new(base);
        let lines: Vec<(u64, &str)> = (1..).zip(text.lines()).collect();
        let items = match self.table(&lines, &|line| reader.is_remark(line))? {
            Some(items) => items,
            None => reader.drawn(&lines)?,
        };
        let boards = items.into_iter().map(|(line, text, given)| {
            let placed = reader.read(&text);
            let placed = placed.map_err(|why| match reader.named.as_ref() {
                // What holds without the board is not its line's fault.
                Err(own) if *own == why => anyhow!(why),
                _ => anyhow!("line {line}: {}", one_line(&why)),
            })?;
            let length = placed
                .length
                .map(|moves| moves.try_into().unwrap_or(u16::MAX));
            let given = given.or(length.map(KnownDistance::Exactly));
            Ok(Board {
                line,
                placed,
                given,
            })
        });
        boards.collect()
    }

    /// The rows of a table; `None` if the file is not a table.
    fn table(
        &self,
        lines: &[(u64, &str)],
        is_remark: &dyn Fn(&str) -> bool,
    ) -> Result<Option<Vec<Item>>> {
        let names = self.columns.as_deref().unwrap_or("board");
        let (board, length) = match names.split_once(',') {
            Some((board, length)) => (board.trim(), Some(length.trim())),
            None => (names.trim(), None),
        };
        let is_empty = |line: &str| line.trim().is_empty() || is_remark(line);
        let Some(head) = lines.iter().position(|(_, line)| !is_empty(line)) else {
            return Ok(None);
        };
        let (line, heading) = lines[head];
        let columns = |mark: char| -> Vec<&str> {
            let cells = heading.split(mark);
            cells.map(|cell| cell.trim().trim_matches('"')).collect()
        };
        // Headings may be written in capitals.
        let place = |columns: &[&str], name: &str| -> Option<usize> {
            let mut columns = columns.iter();
            columns.position(|column| column.eq_ignore_ascii_case(name))
        };
        let lacks = |columns: &[&str], name: &str| {
            let (name, all) = (one_line(name), one_line(&columns.join(", ")));
            format!("line {line}: the table has no column '{name}': it has {all}")
        };
        let mut marks = [',', ';', '\t'].into_iter();
        let Some(mark) = marks.find(|&mark| place(&columns(mark), board).is_some()) else {
            let is_named = |path: &PathBuf| {
                let end = path.extension().map(std::ffi::OsStr::to_ascii_lowercase);
                end.is_some_and(|end| end == "csv" || end == "tsv")
            };
            if self.columns.is_some() || self.path.as_ref().is_some_and(is_named) {
                let lacks = lacks(&columns(','), board);
                if columns(',').iter().all(|cell| cell.parse::<f64>().is_ok()) {
                    bail!("{lacks}; grids of numbers are not read: write one board a line");
                }
                bail!("{lacks}; name that of the boards by --columns");
            }
            return Ok(None);
        };
        let columns = columns(mark);
        let twice = |name: &&str| {
            let own = columns.iter().filter(|own| own.eq_ignore_ascii_case(name));
            own.count() > 1
        };
        let lengths = length.map_or(vec!["length", "moves"], |length| vec![length]);
        if let Some(name) = lengths.into_iter().chain([board]).find(twice) {
            bail!("line {line}: two columns '{}': rename one", one_line(name));
        }
        let place = |name: &str| place(&columns, name);
        let (length, other) = match length {
            Some(name) => {
                let at = place(name).with_context(|| lacks(&columns, name))?;
                (Some(at), None)
            }
            None => match place("length") {
                Some(at) => (Some(at), place("moves")),
                None => (place("moves"), None),
            },
        };
        let board = place(board).unwrap_or(0);
        let rest = lines[head + 1..].iter().map(|(_, line)| *line);
        let rest = rest.collect::<Vec<_>>().join("\n");
        let mut table = ReaderBuilder::new();
        table
            .delimiter(mark as u8)
            .has_headers(false)
            .flexible(true);
        let mut items = Vec::new();
        for row in table.from_reader(rest.as_bytes()).records() {
            let row = row.with_context(|| format!("below line {line}"))?;
            let line = line + line_of(&rest, false, row.position());
            if row.get(0).is_some_and(is_remark) {
                continue;
            }
            if row
                .iter()
                .skip(columns.len())
                .any(|cell| !cell.trim().is_empty())
            {
                bail!(
                    "line {line}: {} below {}: put a board that holds '{}' in quotes",
                    count(row.len(), "cells"),
                    count(columns.len(), "columns"),
                    mark.escape_default()
                );
            }
            let text = row.get(board).filter(|text| !text.trim().is_empty());
            let text =
                text.with_context(|| format!("line {line}: column {} has no board", board + 1))?;
            let given = length.and_then(|at| row.get(at)).map(str::trim);
            let given = given.filter(|text| !text.is_empty());
            let given = given.map(|text| {
                read_length(text).with_context(|| {
                    format!(
                        "line {line}: '{}' is no length: write a number of moves, unsolvable, or nothing",
                        puzzle_api::shown(text)
                    )
                })
            });
            let given = given.transpose()?;
            // Column `moves` may also name the moves.
            let moves = other.and_then(|at| row.get(at)).map(str::trim);
            if let (Some(length), Some(moves)) = (given, moves.and_then(read_length))
                && length != moves
            {
                let (length, moves) = (word(length), word(moves));
                bail!(
                    "line {line}: length is {length} and moves is {moves}: name the right column \
                     by --columns {},length or --columns {0},moves",
                    columns[board]
                );
            }
            items.push((line, text.to_owned(), given));
        }
        Ok(Some(items))
    }
}

/// Whether a line is a remark of other programs.
fn is_slashed(line: &str) -> bool {
    line.trim_start().starts_with("// ")
}

/// Whether a block begins as a scramble of twsearch or ksolve does, which goes up to `End`.
fn is_scramble(block: &[(u64, &str)]) -> bool {
    let head = block
        .first()
        .and_then(|line| line.1.split_whitespace().next());
    let heads = ["Scramble", "ScrambleState", "StartState", "ScrambleAlg"];
    head.is_some_and(|head| heads.contains(&head))
}

/// What reads boards.
struct BoardsReader {
    library: Arc<Library>,
    variant: String,
    instance: String,
    settings: Settings,
    /// The requested instance, or why it cannot be opened as given.
    named: Result<Graph<u128>, String>,
    /// Whether the puzzle reads '#' as a light, and whether a row has but one; found when a text
    /// needs it, since a rulebook program is asked.
    lights: OnceCell<bool>,
    narrow: OnceCell<bool>,
}

impl BoardsReader {
    fn new(base: &PathRequest) -> Self {
        let library = Arc::clone(&base.library);
        let variant = base
            .variant
            .as_deref()
            .unwrap_or(&library.variants[0])
            .to_owned();
        let mut reader = Self {
            library,
            variant,
            instance: base.instance.clone(),
            settings: base.settings.clone(),
            named: Err(String::new()),
            lights: OnceCell::new(),
            narrow: OnceCell::new(),
        };
        reader.named = reader.open(&base.instance, &base.settings);
        reader
    }

    fn reads_lights(&self) -> bool {
        *self.lights.get_or_init(|| self.place("#/#").is_ok())
    }

    fn is_narrow(&self) -> bool {
        let own = |placed: Placed| placed.instance == self.instance;
        let column = |rows| self.place(&vec!["#"; rows].join("/")).is_ok_and(own);
        let narrow = || self.reads_lights() && (1..=64).any(column);
        *self.narrow.get_or_init(narrow)
    }

    /// The board as the puzzle draws it, after a comma: it may rename pieces.
    fn shown(&self, placed: &Placed) -> Option<String> {
        if let Some(from) = &placed.from {
            return Some(format!(", {from}"));
        }
        let graph = self.open(&placed.instance, &placed.settings).ok()?;
        let roots = graph.roots(Direction::Forward, 0).ok()?;
        let drawn = graph.draw(*roots.first()?).ok()?;
        Some(format!(", {drawn}"))
    }

    fn open(&self, instance: &str, settings: &Settings) -> Result<Graph<u128>, String> {
        let opened = self.library.open(instance, &self.variant, settings);
        opened.map(Graph::of).map_err(|error| error.to_string())
    }

    /// The instance of a board: the requested one if that reads it, else the one that the puzzle
    /// names.
    fn place(&self, text: &str) -> Result<Placed, String> {
        let request = Request {
            instance: &self.instance,
            settings: &self.settings,
        };
        let read = match &self.named {
            // A rulebook program has no reader: its answer on a text shows whether it is a state.
            Ok(graph) => graph
                .parse(text)
                .and_then(|key| match self.library.is_program() {
                    true => graph.is_solved(&[key]).map(|_| key),
                    false => Ok(key),
                })
                .map(|key| {
                    // Blanks that are no cells do not matter.
                    let tidy = text.trim();
                    let same = tidy != text && graph.parse(tidy).is_ok_and(|other| other == key);
                    if same { tidy } else { text }
                })
                .map_err(|error| error.to_string()),
            Err(why) => Err(why.clone()),
        };
        let why = match read {
            Err(why) => why,
            Ok(text) => {
                let (instance, text) = (self.instance.clone(), text.to_owned());
                return Ok(Placed::state(&request, instance, text));
            }
        };
        let Some(placed) = builtin::placed(&self.library, &request, text) else {
            return Err(why);
        };
        let placed = placed.map_err(|why| format!("{}: {why}", self.library.name))?;
        let graph = self.open(&placed.instance, &placed.settings)?;
        let start = match &placed.from {
            Some(text) => graph.parse(text).map(drop),
            None => graph.roots(Direction::Forward, 0).map(drop),
        };
        start.map_err(|error| error.to_string()).map(|()| placed)
    }

    /// Reads a board, or else its rows without the remarks above, between or behind them. A blank
    /// at an end is a cell of some boards.
    fn read<'a>(&self, text: &'a str) -> Result<Placed, String> {
        self.place(text).or_else(|why| {
            let rows = || text.split('/');
            let below: Vec<&str> = rows().skip_while(|row| self.is_name(row)).collect();
            let drawn: Vec<&str> = rows().filter(|row| !self.is_name(row)).collect();
            // Between walls, '#' begins no remark.
            let walled = drawn.iter().any(|row| row.trim_end().ends_with('#'));
            let bare = |row: &&'a str| if walled { row } else { self.bare(row) };
            let bare: Vec<&str> = drawn.iter().map(bare).collect();
            let rows = [below, drawn, bare].map(|rows| rows.join("/"));
            let forms = std::iter::once(text.trim().trim_matches('"'));
            let mut forms = forms.chain(rows.iter().map(String::as_str));
            let read = forms.find_map(|form| (form != text).then(|| self.place(form).ok())?);
            read.ok_or(why)
        })
    }

    /// Whether a line is a remark, and no row of lights.
    fn is_remark(&self, line: &str) -> bool {
        let line = line.trim();
        let no_lights = || line == "#" && !self.is_narrow() || !self.is_lights(line);
        is_remark(line) && (is_slashed(line) || no_lights())
    }

    /// Whether a row of a block is a remark.
    fn is_name(&self, row: &str) -> bool {
        is_remark_row(row) && self.is_remark(row)
    }

    /// Whether a text consists of signs for lights, of a puzzle that reads '#' as one.
    fn is_lights(&self, text: &str) -> bool {
        text.chars().all(|c| "#*.-_0/| ".contains(c)) && self.reads_lights()
    }

    /// A line without the remark at its end and the blank before that; other blanks at its ends may
    /// be cells.
    fn bare<'a>(&self, line: &'a str) -> &'a str {
        let mut marks = line.match_indices([' ', '\t']).map(|(at, _)| at);
        let ends = |&at: &usize| {
            let behind = line[at + 1..].strip_prefix('#');
            behind
                .is_some_and(|behind| behind.is_empty() || behind.starts_with(char::is_whitespace))
                && !self.is_lights(&line[at + 1..])
        };
        &line[..marks.find(ends).unwrap_or(line.len())]
    }

    /// Whether a line between scrambles is a remark, or a command of ksolve that changes no length.
    ///
    /// # Errors
    /// A command that changes one.
    fn is_command(&self, &(line, text): &(u64, &str)) -> Result<bool> {
        let head = text.split_whitespace().next().unwrap_or_default();
        let quarter = self
            .settings
            .get("metric")
            .is_some_and(|metric| metric == "quarter");
        let remedy = match (head, quarter) {
            ("Slack" | "MaxDepth", _) | ("HTM", false) | ("QTM", true) => return Ok(true),
            ("HTM", true) => "remove it, or leave out --set metric=quarter",
            ("QTM", false) => "remove it, and count so by --set metric=quarter",
            ("MoveLimits" | "RandomScramble", _) => "remove it and its lines up to 'End'",
            _ => return Ok(head.starts_with('#')),
        };
        bail!("line {line}: '{head}' is a command of ksolve that is not read: {remedy}");
    }

    /// The boards of a file that is not a table: a line each, or a block of lines each.
    ///
    /// # Errors
    /// Rows that are no board together, of which the first is none either.
    fn drawn(&self, lines: &[(u64, &str)]) -> Result<Vec<Item>> {
        let item = |line: &(u64, &str), text: String| (line.0, text, None);
        let is_empty = |line: &str| line.trim().is_empty();
        // A line of blanks may be a row of lights that are out.
        let ends = |line: &str| line.is_empty() || is_empty(line) && !self.is_lights(line);
        let scrambles = lines.iter().any(|line| is_scramble(&[*line]));
        let mut blocks: Vec<Vec<(u64, &str)>> = vec![Vec::new()];
        for line in lines {
            if is_scramble(&[*line]) {
                blocks.push(Vec::new());
            }
            // A scramble may have empty lines.
            let is_open = blocks.last().is_some_and(|block| is_scramble(block));
            if scrambles && !is_open && self.is_command(line)? {
                blocks.push(Vec::new());
                continue;
            }
            let is_end = !is_open && ends(line.1);
            if let Some(block) = blocks.last_mut().filter(|_| !is_end) {
                block.push(*line);
            }
            if is_end || self.bare(line.1).trim() == "End" {
                blocks.push(Vec::new());
            }
        }
        blocks.retain(|block| {
            !block
                .iter()
                .all(|(_, line)| is_empty(line) || self.is_remark(line))
        });
        let mut all = Vec::new();
        let mut are_blocks = false;
        for block in &blocks {
            let rows = block.iter().map(|(_, line)| *line);
            let rows: Vec<&str> = rows.filter(|row| !is_slashed(row)).collect();
            let joined = rows.join(if is_scramble(block) { "\n" } else { "/" });
            let own = block.iter().find(|(_, line)| !self.is_name(line));
            let top = own.unwrap_or(&block[0]);
            if self.is_block(block, &joined, are_blocks) {
                are_blocks = true;
                all.push(item(top, joined));
                continue;
            }
            let lines = block.iter();
            let lines = lines.filter(|(_, line)| !is_empty(line) && !self.is_remark(line));
            let lines: Vec<Item> = lines
                .map(|line| item(line, self.bare(line.1).to_owned()))
                .collect();
            if let ([(first, text, _), .., (last, ..)], true) = (&*lines, lines.len() <= MOST_ROWS)
                && let (Err(why), Err(whole)) = (self.read(text), self.read(&joined))
            {
                let (why, whole, top) = (one_line(&why), one_line(&whole), top.0);
                bail!("line {first}: {why}; lines {top} to {last} as one board: {whole}");
            }
            all.extend(lines);
        }
        Ok(all)
    }

    /// Whether the lines of a block are one board: no single line is a board of the requested
    /// instance, but all together are. After a block, either is enough.
    fn is_block(&self, block: &[(u64, &str)], joined: &str, after_a_block: bool) -> bool {
        if is_scramble(block) {
            return true;
        }
        let rows: Vec<&str> = block.iter().map(|(_, line)| *line).collect();
        let drawn = rows.into_iter().filter(|row| !self.is_name(row));
        let drawn: Vec<&str> = drawn.collect();
        if drawn.len() < 2 || drawn[0].contains('/') {
            return false;
        }
        let line = self.bare(drawn[0]);
        let read = |graph: &Graph<u128>| graph.parse(line).is_ok();
        let own = |placed: Placed| placed.from.is_some() && placed.instance == self.instance;
        let alone = self.named.as_ref().is_ok_and(read) || self.place(line).is_ok_and(own);
        // A file of a million lines is one block, and is read as one board only if it may be one.
        let reads = || self.read(joined).is_ok();
        match after_a_block {
            true => !alone || reads(),
            false => !alone && reads(),
        }
    }
}

/// A request with its board in the form of the instance to which it belongs, and its goal in the
/// form of that instance, if the requested instance does not read them and another form is known.
///
/// # Errors
/// A board that nothing reads, of a puzzle that reads other forms or of an instance that needs a
/// board to be opened.
pub fn elsewhere(base: &PathRequest) -> Result<Option<PathRequest>> {
    let mut other = None;
    if let Some(placed) = reread(base, base.from.as_deref())? {
        other = Some(PathRequest {
            instance: placed.instance,
            settings: placed.settings,
            from: placed.from,
            ..base.clone()
        });
    }
    let base = other.as_ref().unwrap_or(base);
    if let Some(placed) = reread(base, base.to.as_deref())?
        && (&placed.instance, &placed.settings) == (&base.instance, &base.settings)
    {
        let to = placed.from;
        other = Some(PathRequest { to, ..base.clone() });
    }
    Ok(other)
}

/// The place of a text that the requested instance does not read as it stands; notes it.
fn reread(base: &PathRequest, text: Option<&str>) -> Result<Option<Placed>> {
    let Some(text) = text else {
        return Ok(None);
    };
    let reader = BoardsReader::new(base);
    let request = Request {
        instance: &base.instance,
        settings: &base.settings,
    };
    let placed = match reader.place(text) {
        // A puzzle that reads other forms reports the error of the form that the text seems to have.
        Err(why)
            if reader.named.is_err()
                || builtin::placed(&base.library, &request, text).is_some() =>
        {
            bail!(why)
        }
        placed => placed.ok(),
    };
    let Some(placed) = placed.filter(|placed| placed.from.as_deref() != Some(text)) else {
        return Ok(None);
    };
    let state = reader.shown(&placed).unwrap_or_default();
    let length = placed.length.map(|moves| {
        format!("; the length given with it, {moves}, is not compared; solve --boards does")
    });
    note(format_args!(
        "'{}': read as {}/{}{state}{}",
        puzzle_api::shown(text),
        base.library.name,
        placed.instance,
        length.unwrap_or_default(),
    ));
    Ok(Some(placed))
}
