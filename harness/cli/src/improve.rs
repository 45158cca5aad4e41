//! `antipode improve`: shortens a path that was found elsewhere.

use std::path::{Path, PathBuf};
use std::time::Duration;

use antipode_check::shorten::{GivenPath, ShortenRequest, shorten};
use antipode_reports::csv_in::read_rows;
use antipode_reports::json_out::read_record;
use antipode_reports::model::{PathStep, Solution};
use antipode_reports::text;
use antipode_search::engine::EngineOptions;
use antipode_search::progress::Stop;
use antipode_search::{machine, memory};
use anyhow::{Result, anyhow, bail};
use serde_json::Value;

use super::options::{Format, Target, seconds, whole};
use super::solve::{answer, files};
use super::{AS_EXPECTED, NOT_REACHED, output};

/// Arguments of `improve`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    target: Target,
    /// A path: solve.json or path.csv of `solve --out`, what `solve --format json` prints, a
    /// certificate, or text with a state per line. Several from one start are crossed.
    #[arg(required = true, value_name = "FILE")]
    paths: Vec<PathBuf>,
    /// Memory that each search may take, such as 8GiB [default: 1GiB].
    #[arg(long, value_name = "SIZE", value_parser = memory::parse)]
    memory: Option<u64>,
    /// Seconds after which to stop with what was reached.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    max_time: Option<Duration>,
    /// Folder for searches that outgrow the memory; removed afterwards [default:
    /// antipode-work-windows here].
    #[arg(long, value_name = "DIR")]
    work: Option<PathBuf>,
    /// Worker threads [default: all cores].
    #[arg(long, value_parser = whole::<u16>(1..=1024))]
    threads: Option<u16>,
    /// Folder for solve.json, levels.csv, path.csv and solve.html.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    force: output::Force,
    /// Form of the result on stdout.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

const VERB: &str = "improve";
/// What a path may stand in.
const FORMS: &str = "solve.json, path.csv, a certificate with a path, or one state per line";
/// The beginning of a table of a path.
const PATH_TABLE: &str = "step,move,state";

/// Runs the command.
pub fn run(args: &Args, stop: &Stop) -> Result<u8> {
    let of = args.target.resolve()?;
    let full = format!("{}/{}", of.library.name, of.instance);
    let paths = args.paths.iter().map(|file| read(file, &full));
    let request = ShortenRequest {
        library: of.library,
        instance: of.instance,
        settings: of.settings,
        variant: of.variant,
        paths: paths.collect::<Result<_>>()?,
        options: EngineOptions {
            threads: args.threads.map_or_else(machine::cores, usize::from),
            show_progress: true,
            memory: args.memory,
            work: args.work.clone(),
            max_time: args.max_time,
            ..EngineOptions::default()
        },
    };
    args.force.make_way(
        args.out.as_deref(),
        &files::NAMES,
        output::Begin::anew(VERB),
    )?;
    let (report, ended) = shorten(&request, stop)?;
    if let Some(folder) = &args.out {
        let title = format!("{}: a shorter path", report.instance);
        files::write((folder, VERB), title, &request.library.legend, &report)?;
    }
    answer::print(&report, &request.library, args.format)?;
    Ok(match ended {
        Some(_) => NOT_REACHED,
        None => AS_EXPECTED,
    })
}

/// The path in a file, of an instance.
fn read(file: &Path, instance: &str) -> Result<GivenPath> {
    let text = text::read_text(file)
        .map_err(|error| anyhow!("{}: {error}; give {FORMS}", file.display()))?;
    let text = text.trim_start_matches('\u{feff}');
    let states = match serde_json::from_str::<Value>(text) {
        Ok(value) => {
            let own = value["record"].as_str().unwrap_or_default();
            if own.starts_with("antipode-solution") {
                let given = read_record::<Solution>(file)?.instance;
                if given != instance {
                    bail!("{}: a path of {given}: name that instance", file.display());
                }
            }
            in_json(&value)
        }
        Err(_) if text.trim_start().starts_with(['{', '[']) => None,
        Err(_) if text.starts_with(PATH_TABLE) => {
            let steps = read_rows::<PathStep>(file)?.into_iter();
            Some(steps.map(|step| step.state).collect())
        }
        Err(_) => in_text(text),
    };
    match states {
        Some(states) if states.len() > 1 => Ok(GivenPath {
            place: file.display().to_string(),
            states,
        }),
        _ => bail!("{}: holds no path: give {FORMS}", file.display()),
    }
}

/// A line per state; lines that begin with `//` are comments.
fn in_text(text: &str) -> Option<Vec<String>> {
    let lines = text.lines().map(str::trim);
    let states = lines.filter(|line| !line.is_empty() && !line.starts_with("//"));
    Some(states.map(str::to_owned).collect())
}

/// An answer's own path, else the first that a picture shows.
fn in_json(value: &Value) -> Option<Vec<String>> {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    if let (Some(from), Some(moves)) = (value["from"].as_str(), value["moves"].as_array()) {
        let states = moves.iter().map(|step| text(&step["state"]));
        return std::iter::once(Some(from.to_owned()))
            .chain(states)
            .collect();
    }
    let states = value["states"].as_array();
    if let Some(states) = states.and_then(|states| states.iter().map(text).collect()) {
        return Some(states);
    }
    match value {
        Value::Array(members) => members.iter().find_map(in_json),
        Value::Object(members) => members.values().find_map(in_json),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{in_json, in_text};

    #[test]
    fn paths_are_found_in_what_other_verbs_write() {
        let solved = json!({"from": "a", "moves": [{"move": "x", "state": "b"}]});
        let wanted = Some(vec!["a".to_owned(), "b".to_owned()]);
        assert_eq!(in_json(&solved), wanted);
        let shown = json!({"claim": {"witnesses": [{"board": 1}, {"states": ["a", "b"]}]}});
        assert_eq!(in_json(&shown), wanted);
        assert_eq!(in_text("// a path\na\n\n b\n"), wanted);
        assert_eq!(in_json(&json!({"from": "a"})), None);
    }
}
