//! `antipode plan`: estimates what each engine needs for an instance.

use std::cmp::Ordering::Equal;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use antipode_check::analysis::{Request, analyse};
use antipode_graph::Capabilities;
use antipode_reports::cost::{points, read_costs};
use antipode_reports::growth::Forecast;
use antipode_reports::html::plan_html;
use antipode_reports::model::{EnginePlan, PlanRow, unix_seconds};
use antipode_reports::results::Results;
use antipode_search::engine::{Facts, Footprint, QuestionKind};
use antipode_search::limit::within;
use antipode_search::machine;
use antipode_search::memory::{self, human};
use antipode_search::open::any_graph;
use antipode_search::progress::{Stop, duration};
use antipode_search::registry::{EngineId, engines};
use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use super::options::{Format, Target};
use super::output::Force;
use super::{AS_EXPECTED, output};

/// Arguments of `plan`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    target: Target,
    /// Number of states, if it is known from elsewhere.
    #[arg(long, value_name = "N", conflicts_with = "levels",
          value_parser = clap::value_parser!(u64).range(1..=MOST_STATES))]
    states: Option<u64>,
    /// Results of a run that was stopped: its levels are extrapolated [default: the numbering of
    /// the instance, if it has one].
    #[arg(long, value_name = "DIR")]
    levels: Option<PathBuf>,
    /// Level up to which --levels are extrapolated [default: 10 beyond the last].
    #[arg(long, value_name = "N", requires = "levels",
          value_parser = clap::value_parser!(u32).range(..=i64::from(u16::MAX)))]
    max_depth: Option<u32>,
    /// Machines that share the search.
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u64).range(1..=1024))]
    machines: u64,
    /// Cores of each [default: those of this one].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=4096))]
    cores: Option<u64>,
    /// Memory of each, such as 24GiB [default: what this one has left].
    #[arg(long, value_name = "SIZE", value_parser = memory::parse)]
    memory: Option<u64>,
    /// Disk of each, such as 1TB [default: no limit].
    #[arg(long, value_name = "SIZE", value_parser = memory::parse)]
    disk: Option<u64>,
    /// Form of the result on stdout.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Folder for plan.csv, plan.json and plan.html.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
}

/// Files of [`write()`], apart from their manifest.
const NAMES: [&str; 3] = ["plan.csv", "plan.json", "plan.html"];

/// Number of states beyond which nothing is planned.
const MOST_STATES: u64 = 1 << 60;

/// Most parts whose states are counted one by one; of more, a sample is counted.
const MOST_PARTS: u64 = 30_000;
const SAMPLED: u64 = 4096;

/// Time limit for counting states that are not numbered.
const COUNTING: Duration = Duration::from_secs(2);

/// How long an engine searches the instance, so that its rate is known.
const MEASURING: Duration = Duration::from_millis(300);

/// Memory that a process takes in addition to its states, and with levels on disk.
const BESIDE: f64 = 20e6;
const ON_DISK: f64 = 400e6;

/// States, and where the number is from.
struct States {
    count: f64,
    /// Ranks of the largest part, if states are numbered.
    ranks: Option<u64>,
    /// Parts of numbered states; 0 if the instance was not opened for them.
    parts: u64,
    /// Whether the puzzle has its own inner loop for the instance.
    sweeps: bool,
    from: String,
}

/// The machines.
struct Machines {
    count: u64,
    cores: u64,
    memory: u64,
    disk: Option<u64>,
}

/// Runs the command.
///
/// # Errors
/// Bad input, in one line.
pub fn run(args: &Args) -> Result<u8> {
    let target = args.target.resolve()?;
    let (library, instance, settings) = target;
    let search = Request {
        settings,
        variant: args.target.variant.clone(),
        antipodes: 0,
        ..Request::new(library, instance)
    };
    let states = states(args, &search)?;
    let machines = Machines {
        count: args.machines,
        cores: args.cores.unwrap_or(machine::cores() as u64),
        memory: match args.memory.or_else(memory::available) {
            Some(memory) => memory,
            None => bail!("the system does not say how much memory there is; give --memory SIZE"),
        },
        disk: args.disk,
    };
    let able = EngineId::footprints().filter(|(engine, footprint)| {
        (states.ranks.is_some() || !footprint.numbered)
            && (states.sweeps || !engine.facts().puzzles_word)
    });
    let rates = match (1..=MOST_PARTS).contains(&states.parts) {
        true => Rates::measured(&search),
        false => Rates::default(),
    };
    let mut rows: Vec<PlanRow> = able
        .map(|(engine, footprint)| row((engine, footprint), &rates, &states, &machines))
        .collect();
    rows.sort_by(|a, b| {
        (!a.fits, a.seconds)
            .partial_cmp(&(!b.fits, b.seconds))
            .unwrap_or(Equal)
    });
    let without: Vec<(&str, String)> = engines::<u64>()
        .iter()
        .map(|engine| engine.facts())
        .filter(|facts| {
            !rows
                .iter()
                .any(|row| row.engine.split(' ').next() == Some(facts.name))
        })
        .map(|facts| (facts.name, no_estimate(facts)))
        .collect();
    if let Some(folder) = &args.out {
        output::make_folder(folder)?;
        args.force.probe(folder, &NAMES)?;
        write(folder, &args.target.name, &states, &machines, &rows)?;
    }
    match args.format {
        Format::Text => print(&args.target.name, &states, &machines, (&rows, &without))?,
        Format::Json => {
            let rows: Vec<Value> = rows.iter().map(record).collect();
            let value = json!({
                "instance": args.target.name,
                "states": states.count,
                "from": states.from,
                "machines": machines.count,
                "cores": machines.cores,
                "engines": rows,
                "without": without.iter().map(|(engine, why)| json!({"engine": engine, "why": why})).collect::<Vec<_>>(),
            });
            output::print_json("plan", &value)?;
        }
    }
    Ok(AS_EXPECTED)
}

/// States per core-second of the instance.
#[derive(Default)]
struct Rates {
    /// By engines that keep states in memory, with the options of their footprints.
    measured: Vec<(EngineId, &'static str, f64)>,
    /// How many times as fast as its usual rate the first of them is.
    factor: Option<f64>,
}

impl Rates {
    fn measured(search: &Request) -> Self {
        let mut rates = Self::default();
        for (engine, footprint) in EngineId::footprints() {
            if footprint.disk > 0.0 {
                continue;
            }
            let table = footprint.options.strip_prefix("--table ");
            let mut request = Request {
                engine: Some(engine),
                ..search.clone()
            };
            request.options.table = table.and_then(|table| table.parse().ok());
            // An engine that cannot search the instance has no rate.
            let found = within(MEASURING, &Stop::default(), |stop| analyse(&request, stop));
            let rate = found.map_or(0.0, |found| found.run.states_per_core_second);
            // A table so large that it was hardly made ready says nothing.
            if rate > footprint.rate * rates.factor.unwrap_or(0.0) / 8.0 {
                rates.factor.get_or_insert(rate / footprint.rate);
                rates.measured.push((engine, footprint.options, rate));
            }
        }
        rates
    }

    fn of(&self, engine: EngineId, footprint: &Footprint) -> f64 {
        let own = |(id, options, _): &&(EngineId, &str, f64)| {
            (*id, *options) == (engine, footprint.options)
        };
        match self.measured.iter().find(own) {
            Some((.., rate)) => *rate,
            None => footprint.rate * self.factor.unwrap_or(1.0),
        }
    }
}

/// Why an engine has no estimate.
fn no_estimate(facts: &Facts) -> String {
    let levels = facts.answers.contains(&QuestionKind::Levels);
    let why = match (levels, facts.footprints) {
        (false, _) => "no: answers for single boards, and what that takes depends on the board",
        (true, []) => return format!("no estimate: {}", facts.summary),
        _ if facts.puzzles_word => "no: needs an inner loop of the puzzle's own for this instance",
        _ => "no: needs numbered states",
    };
    why.to_owned()
}

fn states(args: &Args, search: &Request) -> Result<States> {
    if let Some(count) = args.states {
        return Ok(States {
            count: count as f64,
            ranks: None,
            parts: 0,
            sweeps: false,
            from: "as said".into(),
        });
    }
    if let Some(folder) = &args.levels {
        return carried_on(args, folder);
    }
    let library = &search.library;
    let variant = search.variant.as_ref().unwrap_or(&library.variants[0]);
    let graph = any_graph(library.open(&search.instance, variant, &search.settings)?)?;
    if !graph.has(Capabilities::RANK) {
        return counted(&graph.opened().full_name(), search);
    }
    let (mut count, mut most) = (0.0, 0);
    let parts = graph.opened().part_count;
    // Counting every part of the largest censuses takes longer than some searches.
    let looked_at = if parts > MOST_PARTS { SAMPLED } else { parts };
    for number in 0..looked_at {
        let part = u128::from(number) * u128::from(parts) / u128::from(looked_at);
        let ranks = graph.space(part as u64)?.unwrap_or(0);
        count += ranks as f64;
        most = most.max(ranks);
    }
    count *= parts as f64 / looked_at as f64;
    let parts = match parts {
        1 => String::new(),
        parts if parts > looked_at => format!(
            ", estimated from {} of {} parts, the largest of which has {}",
            output::grouped(looked_at),
            output::grouped(parts),
            output::grouped(most)
        ),
        parts => format!(
            ", the largest of {} parts has {}",
            output::grouped(parts),
            output::grouped(most)
        ),
    };
    Ok(States {
        count,
        ranks: Some(most),
        parts: graph.opened().part_count,
        sweeps: graph.has(Capabilities::SWEEP),
        from: format!("as they are numbered, reachable or not{parts}"),
    })
}

/// The states that a search meets, if counting takes no longer than [`COUNTING`].
fn counted(name: &str, search: &Request) -> Result<States> {
    let found = within(COUNTING, &Stop::default(), |stop| analyse(search, stop))?;
    let seen = found.levels.total_states();
    if !found.run.complete {
        bail!(
            "{name}: its states are not numbered, and {} s are too short to count them ({} so far); give a stopped run by --levels DIR, or their number by --states N",
            COUNTING.as_secs(),
            output::grouped(seen)
        );
    }
    Ok(States {
        count: seen as f64,
        ranks: None,
        parts: 0,
        sweeps: false,
        from: "all within reach, counted by a search".into(),
    })
}

/// The states of all levels up to one, if the last of them were not searched.
fn carried_on(args: &Args, folder: &std::path::Path) -> Result<States> {
    let file = folder.join("cost.csv");
    if !file.exists() {
        bail!(
            "--levels: there is no {}; `analyse --engine disk --out` writes one",
            file.display()
        );
    }
    let costs = read_costs(&file)?;
    let mut levels = points(&costs, |cost| cost.states as f64);
    // A search that ended by itself found nothing in its last step.
    while levels.pop_if(|level| level.value == 0.0).is_some() {}
    let forecast = Forecast::new(&levels, 8).with_context(|| file.display().to_string())?;
    let last = forecast.last().depth;
    let depth = args.max_depth.unwrap_or(last + 10);
    let Some(total) = forecast.total(depth) else {
        bail!(
            "--max-depth {depth}: {} has level {last} already; give a later one",
            file.display()
        );
    };
    if total.value > MOST_STATES as f64 {
        bail!(
            "--max-depth {depth}: more than {} states, beyond any machine; give an earlier level",
            count(MOST_STATES as f64)
        );
    }
    Ok(States {
        count: total.value,
        ranks: None,
        parts: 0,
        sweeps: false,
        from: format!(
            "up to level {depth}, from levels up to {last}: {} to {}{}",
            count(total.low),
            count(total.high),
            match total.tested {
                true => "",
                false => ", further than tests reach",
            }
        ),
    })
}

/// The files of a plan.
fn write(
    folder: &Path,
    instance: &str,
    states: &States,
    machines: &Machines,
    rows: &[PlanRow],
) -> Result<()> {
    let record = EnginePlan {
        tool_version: env!("CARGO_PKG_VERSION").into(),
        host: machine::host(),
        command: machine::command_line(),
        finished_unix_s: unix_seconds(SystemTime::now()),
        instance: instance.to_owned(),
        states: states.count,
        from: states.from.clone(),
        machines: machines.count,
        cores: machines.cores,
        memory_bytes: machines.memory,
        disk_bytes: machines.disk,
        rows: rows.to_vec(),
    };
    let mut results = Results::new(folder, "plan");
    results.rows(NAMES[0], &record.rows)?;
    results.record(NAMES[1], &record)?;
    results.page(NAMES[2], plan_html(&record))?;
    Ok(results.finish()?)
}

fn row(
    (engine, footprint): (EngineId, &Footprint),
    rates: &Rates,
    states: &States,
    machines: &Machines,
) -> PlanRow {
    let machines_used = if footprint.shared { machines.count } else { 1 };
    let each = states.count / machines_used as f64;
    // Parts are walked in parallel, one per core.
    let at_once = |most: u64| (most as f64 * machines.cores as f64).min(each);
    let held = states.ranks.map_or(each, at_once);
    let beside = if footprint.disk > 0.0 {
        ON_DISK
    } else {
        BESIDE
    };
    let memory = (held * footprint.memory + beside) as u64;
    let disk = (held * footprint.disk) as u64;
    PlanRow {
        engine: [engine.name(), footprint.options]
            .join(" ")
            .trim()
            .to_owned(),
        memory_bytes: memory,
        disk_bytes: disk,
        seconds: states.count
            / (rates.of(engine, footprint) * (machines.cores * machines_used) as f64),
        fits: memory <= machines.memory && machines.disk.is_none_or(|most| disk <= most),
    }
}

fn record(row: &PlanRow) -> Value {
    json!({
        "engine": row.engine,
        "memory_bytes": row.memory_bytes,
        "disk_bytes": row.disk_bytes,
        "seconds": row.seconds,
        "fits": row.fits,
    })
}

fn count(states: f64) -> String {
    match states {
        ..1e7 => output::grouped(states as u64),
        f64::INFINITY => "beyond any machine".to_owned(),
        _ => format!("{states:.2e}"),
    }
}

fn print(
    name: &str,
    states: &States,
    machines: &Machines,
    (rows, without): (&[PlanRow], &[(&str, String)]),
) -> Result<()> {
    let mut out = output::stdout();
    let line = format!("{name}: {} states, {}", count(states.count), states.from);
    writeln!(out, "{}", output::prose(&line, 0))?;
    let disk = machines
        .disk
        .map_or_else(String::new, |disk| format!(", {} of disk", human(disk)));
    let line = format!(
        "{} machine{} of {} cores, {} of memory{disk}; each takes at most:",
        machines.count,
        if machines.count == 1 { "" } else { "s" },
        machines.cores,
        human(machines.memory)
    );
    writeln!(out, "{}", output::prose(&line, 0))?;
    for row in rows {
        let disk = match row.disk_bytes {
            0 => String::new(),
            disk => format!(", {} of disk", human(disk)),
        };
        let text = format!(
            "{} of memory{disk}, about {}: {}",
            human(row.memory_bytes),
            duration(row.seconds),
            if row.fits { "fits" } else { "does not fit" }
        );
        writeln!(out, "{}", output::entry(&row.engine, 18, &text, 2))?;
    }
    for alike in without.chunk_by(|a, b| a.1 == b.1) {
        let names: Vec<&str> = alike.iter().map(|(engine, _)| *engine).collect();
        let line = format!("{}: {}", names.join(", "), alike[0].1);
        writeln!(out, "{}", output::prose(&line, 2))?;
    }
    Ok(())
}
