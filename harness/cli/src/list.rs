//! `antipode list`: what there is.

use std::io::Write;
use std::sync::Arc;

use anyhow::Result;
use puzzle_api::{Direction, InstanceInfo, Key, Parameters, Settings};
use rayon::prelude::*;
use serde_json::{Value, json};

use super::options::{Format, Plugins};
use super::{AS_EXPECTED, names, output};
use antipode_claims::{ClaimSource, module_sources, parse_claims};
use antipode_graph::{Capabilities, Graph, Library, Opened, PluginError};
use antipode_reports::count;
use antipode_reports::model::LegendEntry;
use antipode_search::engine::{Ask, Engine, QuestionKind};
use antipode_search::forward::Goal;
use antipode_search::machine;
use antipode_search::open::{AnyGraph, AnyWidth, any_graph, typed_graph, with_keys_of};
use antipode_search::record::{legend_of, plugin_of};
use antipode_search::registry;

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
            let texts: Result<Vec<String>> = in_threads(&full, text)?.into_iter().collect();
            let texts = texts?;
            if args.puzzles.is_empty() {
                print_lines(&lines, &mut out)?;
            }
            for text in texts {
                out.write_all(text.as_bytes())?;
            }
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
    Ok(pool.install(|| libraries.par_iter().map(&of).collect()))
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
    writeln!(out, "{}", output::prose(&library.summary, 2))?;
    writeln!(out, "  instances:")?;
    for (names, summary) in grouped_instances(library) {
        writeln!(out, "{}", output::entry(&names, 24, &summary, 4))?;
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
    writeln!(out, "  variants and engines:")?;
    for (i, variant) in library.variants.iter().enumerate() {
        let note = if i == 0 { " (default)" } else { "" };
        writeln!(out, "    {variant}{note}")?;
        let opened = match i {
            0 => by_default.clone(),
            _ => first_opened(library, variant),
        };
        for (engine, use_of) in engines(library, opened, &QuestionKind::ALL) {
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
    for (name, parameters) in all {
        // Blanks, so that lines fold between the values.
        let spaced = parameters
            .iter()
            .filter(|declared| !Parameters::is_value(declared));
        let spaced = spaced.map(|declared| {
            let (key, values) = declared.split_once('=').unwrap_or((declared, "any text"));
            format!("{key} = {}", values.replace('|', " | "))
        });
        let spaced: Vec<String> = spaced.collect();
        match spaced.is_empty() {
            true => writeln!(out, "    {name}")?,
            false => writeln!(out, "{}", output::entry(name, 24, &spaced.join("; "), 4))?,
        }
    }
    Ok(())
}

/// The form of a puzzle's boards.
struct Boards {
    /// An instance, and a board of it.
    sample: Option<(String, String)>,
    /// Names that boards of that instance have.
    names: Vec<String>,
}

impl Boards {
    /// For the first instance that has a start, else of the first with a board by its number, or
    /// with names for some.
    fn of(library: &Arc<Library>, first: Option<Result<Arc<Opened>, PluginError>>) -> Option<Self> {
        let others =
            library.instances.iter().skip(1).map(|instance| {
                library.open(&instance.name, &library.variants[0], &Settings::new())
            });
        let mut all = first
            .into_iter()
            .chain(others)
            .filter_map(|opened| Self::shown(&*any_graph(opened.ok()?).ok()?));
        let first = all.next();
        let first_has_start = first.as_ref().is_some_and(|(has_start, _)| *has_start);
        match first_has_start {
            true => first,
            false => all.find(|(has_start, _)| *has_start).or(first),
        }
        .map(|(_, boards)| boards)
    }

    /// With whether its board is a start.
    fn shown(graph: &dyn AnyGraph) -> Option<(bool, Self)> {
        let start = match graph.roots(Direction::Forward, 0).ok()?[..] {
            [] => None,
            [start, ..] => Some(start),
        };
        let numbered = || {
            graph
                .unrank(0, 0)
                .ok()?
                .filter(|_| graph.has(Capabilities::RANK))
        };
        let board = start.or_else(numbered);
        let sample = board.and_then(|board| {
            let drawn = graph.draw(board).ok()?;
            Some((graph.opened().instance.clone(), drawn))
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
                writeln!(out, "{}", output::prose(&signs, 4))?;
            }
        }
        if !self.names.is_empty() {
            let some: Vec<&str> = self
                .names
                .iter()
                .take(MOST_NAMES)
                .map(String::as_str)
                .collect();
            let more = match self.names.len().saturating_sub(MOST_NAMES) {
                0 => String::new(),
                more => format!(
                    " and {} more (--format json has all)",
                    output::grouped(more)
                ),
            };
            let line = format!("or by name: {}{more}", some.join(", "));
            writeln!(out, "{}", output::prose(&line, 4))?;
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
fn grouped_instances(library: &Library) -> Vec<(String, String)> {
    let stem = |name: &str| {
        let (stem, number) = name.rsplit_once('-')?;
        number.parse::<u32>().ok().map(|_| stem.to_owned())
    };
    let mut lines: Vec<(String, String, Option<String>, String)> = Vec::new();
    for instance in &library.instances {
        let this = stem(&instance.name);
        match lines.last_mut() {
            Some((_, _, last_stem, last)) if this.is_some() && *last_stem == this => {
                last.clone_from(&instance.name);
            }
            _ => lines.push((
                instance.name.clone(),
                instance.summary.clone(),
                this,
                instance.name.clone(),
            )),
        }
    }
    lines
        .into_iter()
        .map(|(first, summary, _, last)| {
            if first == last {
                (first, summary)
            } else {
                (format!("{first} … {last}"), summary)
            }
        })
        .collect()
}

/// The offers of each engine that answers some kinds of questions, for a variant, judged on the
/// first instance.
fn engines(
    library: &Arc<Library>,
    opened: Option<Result<Arc<Opened>, PluginError>>,
    kinds: &[QuestionKind],
) -> Vec<(&'static str, String)> {
    let Some(opened) = opened else {
        return Vec::new();
    };
    let uses = opened
        .map_err(anyhow::Error::from)
        .and_then(|opened| with_keys_of(library, Uses { opened, kinds }));
    uses.unwrap_or_else(|error| {
        let why = format!("cannot be opened: {error}");
        let able = able::<u64>(kinds);
        able.map(|row| (row.facts().name, why.clone())).collect()
    })
}

/// Engines that answer one of some kinds of question.
fn able<K: Key>(kinds: &[QuestionKind]) -> impl Iterator<Item = &'static dyn Engine<K>> {
    let all = registry::engines::<K>().iter().copied();
    all.filter(|row| row.facts().answers.iter().any(|kind| kinds.contains(kind)))
}

/// The offers of engines for an opened instance.
struct Uses<'a> {
    opened: Arc<Opened>,
    kinds: &'a [QuestionKind],
}

impl AnyWidth for Uses<'_> {
    type Output = Result<Vec<(&'static str, String)>>;

    fn with<K: Key>(self) -> Self::Output {
        let graph = typed_graph::<K>(self.opened)?;
        let rows = able::<K>(self.kinds);
        let uses = rows.map(|row| (row.facts().name, use_of(row, &graph, self.kinds)));
        Ok(uses.collect())
    }
}

/// The questions that an engine answers on a graph, and why not the others.
fn use_of<K: Key>(row: &dyn Engine<K>, graph: &Graph<K>, kinds: &[QuestionKind]) -> String {
    let mut can = Vec::new();
    let mut cannot: Vec<String> = Vec::new();
    for kind in row
        .facts()
        .answers
        .iter()
        .filter(|kind| kinds.contains(kind))
    {
        match kind {
            QuestionKind::Levels => {
                let ways = [Direction::Forward, Direction::Backward];
                let [forward, backward] = ways.map(|direction| {
                    let (from, limited) = (None, false);
                    let ask = Ask::Levels {
                        direction,
                        from,
                        limited,
                    };
                    row.obstacle(graph, &ask)
                });
                match (forward, backward) {
                    (None, None) => can.push("forward, backward".to_owned()),
                    (None, Some(why)) => {
                        can.push("forward".to_owned());
                        cannot.push(format!("not backward: {why}"));
                    }
                    (Some(_), None) => can.push("backward".to_owned()),
                    (Some(_), Some(why)) => cannot.push(format!("no: {why}")),
                }
            }
            QuestionKind::Path => {
                let goal = &Goal::Solved;
                match row.obstacle(graph, &Ask::Path { start: None, goal }) {
                    None => can.push("paths".to_owned()),
                    Some(why) if can.is_empty() && cannot.is_empty() => {
                        cannot.push(format!("no: {why}"));
                    }
                    Some(why) if cannot.is_empty() => cannot.push(format!("no paths: {why}")),
                    Some(_) => {}
                }
            }
            QuestionKind::Fewest => {
                if row.obstacle(graph, &Ask::Fewest).is_none() {
                    can.push("the fewest".to_owned());
                }
            }
            QuestionKind::Solutions => match row.obstacle(graph, &Ask::Solutions) {
                None => can.push("all solutions".to_owned()),
                Some(why) => cannot.push(format!("no: {why}")),
            },
            QuestionKind::Many => {
                if row.obstacle(graph, &Ask::Many).is_none() {
                    can.push("many to many".to_owned());
                }
            }
        }
    }
    can.extend(cannot);
    can.join("; ")
}

/// Derivations as data, in the declared words of their parameters.
fn derivations(source: &ClaimSource) -> Vec<Value> {
    let all = source.derivations().into_iter();
    let row = |(name, declared): (&str, Vec<&str>)| {
        let value = Parameters::value_in(&declared);
        let parameters = declared.into_iter();
        let parameters = parameters.filter(|declared| !Parameters::is_value(declared));
        let parameters: Vec<&str> = parameters.collect();
        match value {
            Some(value) => json!({ "name": name, "value": value, "parameters": parameters }),
            None => json!({ "name": name, "parameters": parameters }),
        }
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
                let named = engines(library, opened.clone(), &[kind]).into_iter();
                named
                    .map(|(engine, use_of)| (engine.to_owned(), use_of.into()))
                    .collect()
            };
            json!({ "name": variant, "engines": of(QuestionKind::Levels), "paths": of(QuestionKind::Path) })
        })
        .collect();
    let instances: Vec<Value> = library
        .instances
        .iter()
        .map(|instance| json!({ "name": instance.name, "summary": instance.summary }))
        .collect();
    let settings: Vec<Value> = library
        .settings
        .iter()
        .map(|setting| json!({ "key": setting.key, "summary": setting.summary }))
        .collect();
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
        "instances": instances,
        "settings": settings,
        "variants": variants,
    })
}
