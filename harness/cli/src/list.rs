//! `antipode list`: what there is.

use std::io::Write;
use std::sync::Arc;

use anyhow::Result;
use puzzle_api::{Direction, InstanceInfo, Parameters, Settings};
use serde_json::{Value, json};

use super::options::{Format, Plugins};
use super::output::told;
use super::{AS_EXPECTED, names, output};
use antipode_claims::{ClaimSource, module_sources, parse_claims};
use antipode_graph::{Capabilities, Graph, Library, Opened, PluginError};
use antipode_reports::count;
use antipode_reports::model::LegendEntry;
use antipode_search::engine::{Ask, Engine, QuestionKind};
use antipode_search::forward::Goal;
use antipode_search::record::{legend_of, plugin_of};
use antipode_search::registry;
use antipode_search::{machine, parallel};

/// Arguments of `list`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Puzzles (or modules with claims) to show in full, or single instances [default: a line for
    /// each puzzle, and in full what --plugin and --rules bring].
    #[arg(value_name = "PUZZLE[/INSTANCE]")]
    puzzles: Vec<String>,
    /// Lists the claims that `certify` takes, with their statements.
    #[arg(long)]
    claims: bool,
    #[command(flatten)]
    plugins: Plugins,
    /// Form of the result on stdout.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// Runs the command.
///
/// # Errors
/// A plugin that does not load.
pub fn run(args: &Args) -> Result<u8> {
    let mut libraries = args.plugins.libraries()?;
    if args.claims {
        return list_claims(args, &libraries);
    }
    let modules: Vec<ClaimSource> = module_sources()
        .into_iter()
        .filter(|module| args.puzzles.contains(&module.name))
        .collect();
    let mut single = Vec::new();
    for name in &args.puzzles {
        if name.contains('/') {
            single.push(alone(names::find_instance(&libraries, name)?));
        } else if !modules.iter().any(|module| module.name == *name) {
            names::find_puzzle(&libraries, name)?;
        }
    }
    libraries.retain(|library| args.puzzles.is_empty() || args.puzzles.contains(&library.name));
    libraries.extend(single);
    let mut out = output::stdout();
    match args.format {
        Format::Json => {
            let all: Vec<Value> = in_threads(&libraries, as_json)?;
            let mut value = json!({ "puzzles": all });
            if !modules.is_empty() {
                let of = |module: &ClaimSource| json!({ "name": module.name, "derivations": derivations(module) });
                value["modules"] = modules.iter().map(of).collect();
            }
            output::print_json("list", &value)?;
        }
        Format::Text => {
            let shipped = |library: &Arc<Library>| plugin_of(library).file.is_none();
            let (lines, full): (Vec<_>, Vec<_>) = libraries
                .into_iter()
                .partition(|library| args.puzzles.is_empty() && shipped(library));
            let texts = in_threads(&full, text)?.into_iter();
            let texts = texts.collect::<Result<Vec<String>>>()?;
            if args.puzzles.is_empty() {
                print_lines(&lines, &mut out)?;
            }
            write!(out, "{}", texts.concat())?;
            for module in &modules {
                writeln!(out, "{} (no puzzle, but claims about bits)", module.name)?;
                print_derivations(module, &mut out)?;
                writeln!(out)?;
            }
        }
    }
    Ok(AS_EXPECTED)
}

/// A line for each puzzle, without opening any.
fn print_lines(libraries: &[Arc<Library>], out: &mut dyn Write) -> Result<()> {
    for library in libraries {
        let instances = count(library.instances.len(), "instances");
        let text = format!("{} ({instances})", library.summary);
        writeln!(out, "{}", output::entry(&library.name, 16, &text, 0))?;
    }
    let more = "`antipode list PUZZLE` shows instances, settings, how to write boards, and engines; `antipode list --claims` shows the claims.";
    writeln!(out, "\n{}\n", output::prose(more, 0))?;
    Ok(())
}

/// Asks each puzzle on a separate thread: opening an instance may take milliseconds.
fn in_threads<T: Send>(
    libraries: &[Arc<Library>],
    of: impl Fn(&Arc<Library>) -> T + Sync,
) -> Result<Vec<T>> {
    let threads = libraries.len().min(machine::cores());
    let pool = machine::pool(threads).or_else(|_| machine::pool(1))?;
    Ok(pool.install(|| parallel::map(libraries, &of)))
}

/// A puzzle reduced to one instance: then everything shown is about that one.
fn alone((library, instance): (Arc<Library>, String)) -> Arc<Library> {
    let mut alone = (*library).clone();
    alone.instances.retain(|known| known.name == instance);
    if alone.instances.is_empty() {
        alone.instances.push(InstanceInfo {
            name: instance,
            summary: "one of the sizes that are not listed".to_owned(),
        });
    }
    Arc::new(alone)
}

/// Claims by source, an id and a statement per line.
fn list_claims(args: &Args, libraries: &[Arc<Library>]) -> Result<u8> {
    let own = libraries.iter().filter_map(ClaimSource::of_library);
    let sources: Vec<ClaimSource> = own.chain(module_sources()).collect();
    for name in &args.puzzles {
        if !sources.iter().any(|source| source.name == *name) {
            let known = sources.iter().map(|source| source.name.as_str());
            return Err(names::unknown("puzzle with claims", name, known));
        }
    }
    let mut all = Vec::new();
    let mut out = output::stdout();
    for source in &sources {
        if !args.puzzles.is_empty() && !args.puzzles.contains(&source.name) {
            continue;
        }
        let claims = parse_claims(&source.file, &source.text)?.all()?;
        if args.format == Format::Text {
            writeln!(out, "{} ({})", source.name, count(claims.len(), "claims"))?;
        }
        for claim in claims {
            match args.format {
                Format::Text => {
                    let line = output::entry(&claim.id, 40, &claim.statement, 2);
                    writeln!(out, "{line}")?;
                }
                Format::Json => all.push(json!({
                    "id": claim.id,
                    "puzzle": source.name,
                    "source": claim.source,
                    "section": claim.section,
                    "statement": claim.statement,
                    "expect": claim.expect,
                })),
            }
        }
    }
    if args.format == Format::Json {
        output::print_json("list-claims", &json!({ "claims": all }))?;
    }
    Ok(AS_EXPECTED)
}

fn text(library: &Arc<Library>) -> Result<String> {
    let mut out = Vec::new();
    print(library, &mut out)?;
    Ok(String::from_utf8(out)?)
}

/// Opens the first instance of a puzzle.
fn first_opened(library: &Arc<Library>, variant: &str) -> Option<Result<Arc<Opened>, PluginError>> {
    let instance = library.instances.first()?;
    Some(library.open(&instance.name, variant, &Settings::new()))
}

fn print(library: &Arc<Library>, out: &mut dyn Write) -> Result<()> {
    let by_default = first_opened(library, &library.variants[0]);
    let plugin = plugin_of(library);
    let origin = match (&plugin.file, &plugin.blake3) {
        (Some(file), Some(hash)) => format!("{file}, blake3 {}", &hash[..16]),
        _ => "built in".into(),
    };
    writeln!(out, "{} {} ({origin})", library.name, library.version)?;
    told!(out, "  {}", library.summary)?;
    writeln!(out, "  instances:")?;
    for (names, summary) in grouped_instances(library) {
        writeln!(out, "{}", output::entry(&names, 24, summary, 4))?;
    }
    if !library.settings.is_empty() {
        writeln!(out, "  settings:")?;
        for setting in &library.settings {
            let line = output::entry(&setting.key, 24, &setting.summary, 4);
            writeln!(out, "{line}")?;
        }
    }
    if let Some(boards) = Boards::of(library, by_default.clone()) {
        boards.print(library, out)?;
    }
    print_derivations(
        &ClaimSource::about(library, String::new(), String::new()),
        out,
    )?;
    let judged = match &library.instances[..] {
        [first, _, ..] => format!(
            ", as for {} (`antipode list {}/INSTANCE` judges another)",
            first.name, library.name
        ),
        _ => String::new(),
    };
    let heading = format!("variants and engines{judged}:");
    writeln!(out, "{}", output::prose(&heading, 2))?;
    for (i, variant) in library.variants.iter().enumerate() {
        let note = if i == 0 { " (default)" } else { "" };
        writeln!(out, "    {variant}{note}")?;
        let opened = match i {
            0 => by_default.clone(),
            _ => first_opened(library, variant),
        };
        for (engine, use_of) in engines(opened, &QuestionKind::ALL) {
            writeln!(out, "{}", output::entry(engine, 22, &use_of, 6))?;
        }
    }
    writeln!(out)?;
    Ok(())
}

/// The names for claims of kind `derived`, with the type of each parameter.
fn print_derivations(source: &ClaimSource, out: &mut dyn Write) -> Result<()> {
    let all = source.derivations();
    if all.is_empty() {
        return Ok(());
    }
    let heading = "derivations, for claims of kind derived, with their parameters; where none is given, the first of several words stands, or what follows a colon:";
    writeln!(out, "{}", output::prose(heading, 2))?;
    for (name, declared) in all {
        // Blanks, so that lines fold between the values.
        let spaced = parameters(&declared).map(|declared| {
            let (key, values) = declared.split_once('=').unwrap_or((declared, "any text"));
            format!("{key} = {}", values.replace('|', " | "))
        });
        let spaced = spaced.collect::<Vec<_>>().join("; ");
        writeln!(out, "{}", output::entry(name, 24, &spaced, 4))?;
    }
    Ok(())
}

/// The declared parameters of a derivation.
fn parameters<'a>(declared: &[&'a str]) -> impl Iterator<Item = &'a str> {
    let declared = declared.iter().copied();
    declared.filter(|declared| !Parameters::is_value(declared))
}

/// Most instances that are opened for a board.
const MOST_OPENED: usize = 64;

/// The form of a puzzle's boards.
struct Boards {
    /// An instance, and a board of it.
    sample: Option<(String, String)>,
    /// Names that boards of that instance have.
    names: Vec<String>,
}

impl Boards {
    /// For the first instance that has a start, else of the first with a board by its number, or
    /// with names for some; of many instances, only the first are opened.
    fn of(library: &Arc<Library>, first: Option<Result<Arc<Opened>, PluginError>>) -> Option<Self> {
        let others = library
            .instances
            .iter()
            .take(MOST_OPENED)
            .skip(1)
            .map(|instance| library.open(&instance.name, &library.variants[0], &Settings::new()));
        let mut all = first
            .into_iter()
            .chain(others)
            .filter_map(|opened| Self::shown(&Graph::of(opened.ok()?)));
        let first = all.next()?;
        let with_start = match first.0 {
            true => None,
            false => all.find(|(has_start, _)| *has_start),
        };
        Some(with_start.unwrap_or(first).1)
    }

    /// With whether its board is a start.
    fn shown(graph: &Graph<u128>) -> Option<(bool, Self)> {
        let start = graph.roots(Direction::Forward, 0).ok()?.first().copied();
        let numbered = || {
            let mut keys = Vec::new();
            let numbered = graph.has(Capabilities::RANK);
            (numbered && graph.unrank(0, &[0], &mut keys).is_ok()).then(|| keys[0])
        };
        let board = start.or_else(numbered);
        let sample = board.and_then(|board| {
            let drawn = graph.draw(board).ok()?;
            Some((graph.opened.instance.clone(), drawn))
        });
        let names = graph.names().unwrap_or_default();
        let shown = sample.is_some() || !names.is_empty();
        shown.then(|| (start.is_some(), Self { sample, names }))
    }

    fn print(&self, library: &Library, out: &mut dyn Write) -> Result<()> {
        writeln!(out, "  boards, rows joined by /:")?;
        if let Some((instance, board)) = &self.sample {
            // A board is printed in one line: its blanks are cells.
            writeln!(out, "    \"{board}\" ({instance})")?;
            let signs = signs(library, instance, board);
            if !signs.is_empty() {
                told!(out, "    {signs}")?;
            }
        }
        if !self.names.is_empty() {
            let some = self.names[..self.names.len().min(MOST_NAMES)].join(", ");
            let more = match self.names.len().saturating_sub(MOST_NAMES) {
                0 => String::new(),
                more => format!(
                    " and {} more (--format json has all)",
                    output::grouped(more)
                ),
            };
            told!(out, "    or by name: {some}{more}")?;
        }
        Ok(())
    }
}

/// The meaning of each sign on a board, by the puzzle's legend; not of signs that name themselves,
/// as those of tiles do, nor of the numbers of pieces whose stickers are drawn.
fn signs(library: &Library, instance: &str, board: &str) -> String {
    let legend = legend_of(&library.legend, instance);
    let shown = |entry: &&LegendEntry| {
        legend.net.is_none() && board.contains(entry.symbol) && !entry.name.ends_with(entry.symbol)
    };
    let entries = legend.entries.iter().filter(shown);
    let entries = entries.map(|entry| format!("{} {}", entry.symbol, entry.name));
    entries.collect::<Vec<_>>().join(", ")
}

/// Names of boards that are listed; of more, the first.
const MOST_NAMES: usize = 40;

/// Instances in order, with runs of numbered ones (`card-1` … `card-40`) on one line.
fn grouped_instances(library: &Library) -> impl Iterator<Item = (String, &str)> {
    let stem = |known: &InstanceInfo| {
        let (stem, number) = known.name.rsplit_once('-')?;
        number.parse::<u32>().ok().map(|_| stem.to_owned())
    };
    let runs = (library.instances).chunk_by(move |a, b| stem(a).is_some() && stem(a) == stem(b));
    runs.map(|run| {
        let (first, last) = (&run[0], &run[run.len() - 1].name);
        let names = match run.len() {
            1 => first.name.clone(),
            _ => format!("{} … {last}", first.name),
        };
        (names, first.summary.as_str())
    })
}

/// The offers of each engine that answers some kinds of questions, for a variant, judged on the
/// first instance.
fn engines(
    opened: Option<Result<Arc<Opened>, PluginError>>,
    kinds: &[QuestionKind],
) -> Vec<(&'static str, String)> {
    let Some(opened) = opened else {
        return Vec::new();
    };
    let uses = opened.map(|opened| {
        let graph = Graph::of(opened);
        let uses = able(kinds).map(|row| (row.facts().name, use_of(row, &graph, kinds)));
        uses.collect()
    });
    uses.unwrap_or_else(|error| {
        let why = format!("cannot be opened: {error}");
        let able = able(kinds);
        able.map(|row| (row.facts().name, why.clone())).collect()
    })
}

/// Engines that answer one of some kinds of question.
fn able(kinds: &[QuestionKind]) -> impl Iterator<Item = &'static dyn Engine<u128>> {
    let all = registry::engines::<u128>().iter().copied();
    all.filter(|row| row.facts().answers.iter().any(|kind| kinds.contains(kind)))
}

/// The questions that an engine answers on a graph, and why not the others.
fn use_of(row: &dyn Engine<u128>, graph: &Graph<u128>, kinds: &[QuestionKind]) -> String {
    let mut can = Vec::new();
    let mut cannot: Vec<String> = Vec::new();
    let answers = row.facts().answers.iter();
    for kind in answers.filter(|kind| kinds.contains(kind)) {
        let goal = &Goal::Solved;
        let (what, ask) = match kind {
            QuestionKind::Levels => {
                let [forward, backward] =
                    [Direction::Forward, Direction::Backward].map(|direction| {
                        let (from, limited) = (None, false);
                        let ask = Ask::Levels {
                            direction,
                            from,
                            limited,
                        };
                        row.obstacle(graph, &ask)
                    });
                match (forward, backward) {
                    (None, None) => can.push("forward, backward"),
                    (None, Some(why)) => {
                        can.push("forward");
                        cannot.push(format!("not backward: {why}"));
                    }
                    (Some(_), None) => can.push("backward"),
                    (Some(_), Some(why)) => cannot.push(format!("no: {why}")),
                }
                continue;
            }
            QuestionKind::Path => ("paths", Ask::Path { start: None, goal }),
            QuestionKind::Fewest => ("the fewest", Ask::Fewest),
            QuestionKind::Solutions => ("all solutions", Ask::Solutions),
            QuestionKind::Many => ("many to many", Ask::Many),
        };
        match (row.obstacle(graph, &ask), kind) {
            (None, _) => can.push(what),
            (Some(why), QuestionKind::Solutions) => cannot.push(format!("no: {why}")),
            (Some(why), QuestionKind::Path) if cannot.is_empty() => {
                let what = if can.is_empty() { "no" } else { "no paths" };
                cannot.push(format!("{what}: {why}"));
            }
            _ => {}
        }
    }
    let can = can.into_iter().map(str::to_owned);
    can.chain(cannot).collect::<Vec<_>>().join("; ")
}

/// Derivations as data, in the declared words of their parameters.
fn derivations(source: &ClaimSource) -> Vec<Value> {
    let all = source.derivations().into_iter();
    let row = |(name, declared): (&str, Vec<&str>)| {
        let parameters: Vec<&str> = parameters(&declared).collect();
        let mut row = json!({ "name": name, "parameters": parameters });
        if let Some(value) = Parameters::value_in(&declared) {
            row["value"] = json!(value);
        }
        row
    };
    all.map(row).collect()
}

fn as_json(library: &Arc<Library>) -> Value {
    let by_default = first_opened(library, &library.variants[0]);
    let variants: Vec<Value> = library
        .variants
        .iter()
        .map(|variant| {
            let opened = match *variant == library.variants[0] {
                true => by_default.clone(),
                false => first_opened(library, variant),
            };
            let of = |kind| -> serde_json::Map<String, Value> {
                let named = engines(opened.clone(), &[kind]).into_iter();
                named
                    .map(|(engine, use_of)| (engine.to_owned(), use_of.into()))
                    .collect()
            };
            json!({ "name": variant, "engines": of(QuestionKind::Levels), "paths": of(QuestionKind::Path) })
        })
        .collect();
    let instances = library.instances.iter();
    let instances = instances.map(|one| json!({ "name": one.name, "summary": one.summary }));
    let settings = library.settings.iter();
    let settings = settings.map(|one| json!({ "key": one.key, "summary": one.summary }));
    let boards = Boards::of(library, by_default);
    let source = ClaimSource::about(library, String::new(), String::new());
    json!({
        "board": boards.as_ref().and_then(|boards| boards.sample.as_ref()).map(
            |(instance, board)| json!({ "instance": instance, "board": board })
        ),
        "names": boards.map(|boards| boards.names),
        "derivations": derivations(&source),
        "name": library.name,
        "version": library.version,
        "summary": library.summary,
        "plugin": plugin_of(library),
        "instances": instances.collect::<Vec<_>>(),
        "settings": settings.collect::<Vec<_>>(),
        "variants": variants,
    })
}
