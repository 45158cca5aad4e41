//! `antipode plan`: estimates what each engine needs for an instance.

use std::cmp::Ordering::Equal;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use antipode_check::analysis::{Request, analyse};
use antipode_graph::{Capabilities, Graph};
use antipode_reports::cost::{points, read_costs};
use antipode_reports::growth::Forecast;
use antipode_reports::html::plan_html;
use antipode_reports::json_out::read_record;
use antipode_reports::model::{EnginePlan, PlanRow, Provenance, Run};
use antipode_reports::results::Results;
use antipode_search::engine::{Facts, Footprint, Load, QuestionKind};
use antipode_search::engines::stored_bytes;
use antipode_search::limit::within;
use antipode_search::machine;
use antipode_search::memory::{self, human};
use antipode_search::progress::{Stop, duration};
use antipode_search::registry::{EngineId, engines};
use anyhow::{Result, anyhow, bail};
use puzzle_api::Direction;
use serde_json::json;

use super::options::{Format, Target, whole};
use super::output::{Force, told};
use super::{AS_EXPECTED, output};

/// Arguments of `plan`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    target: Target,
    /// Number of states, if it is known from elsewhere.
    #[arg(long, value_name = "N", conflicts_with = "levels",
          value_parser = whole::<u64>(1..=MOST_STATES.into()))]
    states: Option<u64>,
    /// What `analyse --engine disk --out` wrote, also if it was stopped: the levels of its cost.csv
    /// are extrapolated [default: the numbering of the instance, if it has one].
    #[arg(long, value_name = "DIR")]
    levels: Option<PathBuf>,
    /// Level up to which --levels are extrapolated [default: 10 beyond the last].
    #[arg(long, value_name = "N", requires = "levels", conflicts_with = "states",
          value_parser = whole::<u32>(0..=u16::MAX.into()))]
    max_depth: Option<u32>,
    /// Machines that share the search.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u64>(1..=1024))]
    machines: u64,
    /// Cores of each [default: those of this one].
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=4096))]
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

/// Files of a plan, apart from their manifest.
const NAMES: [&str; 3] = ["plan.csv", "plan.json", "plan.html"];

/// Number of states beyond which nothing is planned.
const MOST_STATES: u64 = 1 << 60;

/// Most parts whose states are counted one by one; of more, a sample is counted.
const MOST_PARTS: u64 = 30_000;
const SAMPLED: u64 = 4096;

/// Time limit for counting states that are not numbered.
const COUNTING: Duration = Duration::from_secs(2);

/// How long an engine searches the instance, so that its rate is known: longer, up to the second
/// time, while it has spent less than the third of processor time on the search itself.
const MEASURING: [Duration; 3] = [
    Duration::from_millis(300),
    Duration::from_millis(1200),
    Duration::from_millis(100),
];

/// The time for counting was too short, which is a limit.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct TooShort(String);

/// States, and where the number is from.
#[derive(Default)]
struct States {
    count: f64,
    /// What is known of the numbering, if the instance was opened for it.
    load: Load,
    /// Whether the puzzle has its own inner loop for the instance.
    sweeps: bool,
    from: String,
}

impl States {
    /// States that are not numbered.
    fn new(count: f64, from: impl Into<String>) -> Self {
        let from = from.into();
        Self {
            count,
            from,
            ..Self::default()
        }
    }
}

/// Runs the command.
pub fn run(args: &Args) -> Result<u8> {
    let of = args.target.resolve()?;
    let search = Request {
        settings: of.settings,
        variant: of.variant,
        antipodes: 0,
        ..Request::new(of.library, of.instance)
    };
    let states = states(args, &search).or_else(|error| {
        if let (Format::Json, Some(TooShort(why))) = (args.format, error.downcast_ref()) {
            let value = json!({"instance": args.target.name, "not_reached": why});
            output::print_json("plan", &value)?;
        }
        Err(error)
    })?;
    let mut plan = EnginePlan {
        made: Provenance::default(),
        instance: args.target.name.clone(),
        states: states.count,
        from: states.from.clone(),
        machines: args.machines,
        cores: args.cores.unwrap_or(machine::cores() as u64),
        memory_bytes: match args.memory.or_else(memory::available) {
            Some(memory) => memory,
            None => bail!("the system does not say how much memory there is; give --memory SIZE"),
        },
        disk_bytes: args.disk,
        rows: Vec::new(),
    };
    let able = EngineId::footprints().filter(|(engine, footprint)| {
        (states.load.ranks > 0 || !footprint.numbered)
            && (states.sweeps || !engine.facts().puzzles_word)
    });
    let rates = match (1..=MOST_PARTS).contains(&states.load.parts) {
        true => Rates::measured(&search),
        false => Rates::default(),
    };
    let rows = able.map(|(engine, footprint)| row((engine, footprint), &rates, &states, &plan));
    plan.rows = rows.collect();
    plan.rows.sort_by(|a, b| {
        (!a.fits, a.seconds)
            .partial_cmp(&(!b.fits, b.seconds))
            .unwrap_or(Equal)
    });
    let has_row = |facts: &&Facts| {
        let mut rows = plan.rows.iter();
        rows.any(|row| row.engine.split(' ').next() == Some(facts.name))
    };
    let facts = engines::<u64>().iter().map(|engine| engine.facts());
    let without = facts.filter(|facts| !has_row(facts));
    let without: Vec<(&str, String)> = without
        .map(|facts| (facts.name, no_estimate(facts)))
        .collect();
    args.force
        .make_way(args.out.as_deref(), &NAMES, output::Begin::anew("plan"))?;
    if let Some(folder) = &args.out {
        plan.made = machine::provenance();
        let mut results = Results::new(folder, "plan");
        results.rows(NAMES[0], &plan.rows)?;
        results.record(NAMES[1], &plan)?;
        results.page(NAMES[2], plan_html(&plan))?;
        results.finish()?;
    }
    match args.format {
        Format::Text => print(&plan, &without)?,
        Format::Json => {
            let why = |(engine, why): &(&str, String)| json!({"engine": engine, "why": why});
            let value = json!({
                "instance": plan.instance,
                "states": plan.states,
                "from": plan.from,
                "machines": plan.machines,
                "cores": plan.cores,
                "engines": plan.rows,
                "without": without.iter().map(why).collect::<Vec<_>>(),
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
            let rate = searched(request).unwrap_or(0.0);
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

/// The rate of an engine, once it has searched for some time.
fn searched(request: Request) -> Option<f64> {
    let run = |request: &Request, time| {
        let found = within(time, &Stop::default(), |stop| analyse(request, stop));
        found.ok().map(|found| found.run)
    };
    let [mut time, most, enough] = MEASURING;
    let mut first = request.clone();
    first.max_depth = Some(0);
    // An engine that walks whole parts takes no limit.
    let ready = run(&first, most).filter(|run| run.parts_total == 1);
    let ready = ready.map_or(0.0, |run| run.cpu_s);
    loop {
        let run = run(&request, time)?;
        let is_long = run.cpu_s - ready >= enough.as_secs_f64();
        let has_part = run.parts_total == 1 || run.parts_done > 0;
        if run.complete || is_long && has_part || time >= most {
            return rate(&run, ready);
        }
        time *= 2;
    }
}

/// States per second of processor time beyond that of making ready, which says nothing of a rate;
/// none if a search that was stopped has hardly begun.
fn rate(run: &Run, ready: f64) -> Option<f64> {
    let states = run.states_per_core_second * run.cpu_s;
    let spent = run.cpu_s - ready;
    match run.complete {
        true => Some(run.states_per_core_second),
        false => (spent >= ready / 8.0 && spent > 0.01).then(|| states / spent),
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
        return Ok(States::new(count as f64, "as said"));
    }
    if let Some(folder) = &args.levels {
        return carried_on(args, search, folder);
    }
    let library = &search.library;
    let variant = search.variant.as_ref().unwrap_or(&library.variants[0]);
    let graph = Graph::of(library.open(&search.instance, variant, &search.settings)?);
    if !graph.has(Capabilities::RANK) {
        return counted(&graph.opened.full_name(), search);
    }
    let (mut count, mut most) = (0.0, (0, 0));
    let parts = graph.opened.part_count;
    // Counting every part of the largest censuses takes longer than some searches.
    let looked_at = if parts > MOST_PARTS { SAMPLED } else { parts };
    for number in 0..looked_at {
        let part = u128::from(number) * u128::from(parts) / u128::from(looked_at);
        let ranks = graph.space(part as u64)?.unwrap_or(0);
        count += ranks as f64;
        most = most.max((ranks, part as u64));
    }
    let (ranks, largest) = most;
    let direction = match graph.roots(Direction::Forward, 0)?.is_empty() {
        true => Direction::Backward,
        false => Direction::Forward,
    };
    let load = Load {
        ranks,
        parts,
        sweep: graph.sweep_memory(direction, None).unwrap_or(0),
        stored: stored_bytes(&graph, direction, (largest, ranks))?,
        ..Load::default()
    };
    count *= parts as f64 / looked_at as f64;
    let parts = match parts {
        1 => String::new(),
        parts if parts > looked_at => format!(
            ", estimated from {} of {} parts, the largest of which has {}",
            output::grouped(looked_at),
            output::grouped(parts),
            output::grouped(ranks)
        ),
        parts => format!(
            ", the largest of {} parts has {}",
            output::grouped(parts),
            output::grouped(ranks)
        ),
    };
    Ok(States {
        count,
        load,
        sweeps: graph.has(Capabilities::SWEEP),
        from: format!("as they are numbered, reachable or not{parts}"),
    })
}

/// The states that a search meets, if counting takes no longer than [`COUNTING`].
fn counted(name: &str, search: &Request) -> Result<States> {
    let found = within(COUNTING, &Stop::default(), |stop| analyse(search, stop))?;
    let seen = found.levels.total_states();
    if !found.run.complete {
        let line = format!(
            "{name}: its states are not numbered, and {} s are too short to count them ({} so far); give a stopped run by --levels DIR, or their number by --states N",
            COUNTING.as_secs(),
            output::grouped(seen)
        );
        return Err(TooShort(line).into());
    }
    let from = "all within reach, counted by a search";
    Ok(States::new(seen as f64, from))
}

/// The states of all levels up to one, if the last of them were not searched.
fn carried_on(args: &Args, search: &Request, folder: &Path) -> Result<States> {
    let file = folder.join("cost.csv");
    if !file.exists() {
        bail!(
            "--levels: there is no {}; `analyse --engine disk --out` writes one",
            file.display()
        );
    }
    if let Ok(run) = read_record::<Run>(folder.join("run.json")) {
        let own = (run.puzzle, run.instance, run.settings);
        let Request {
            library,
            instance,
            settings,
            ..
        } = search;
        if own != (library.name.clone(), instance.clone(), settings.clone()) {
            bail!(
                "--levels {}: holds a run of {}/{}, not of {}/{instance} with these settings",
                folder.display(),
                own.0,
                own.1,
                library.name
            );
        }
    }
    let costs = read_costs(&file)?;
    let mut levels = points(&costs, |cost| cost.states as f64);
    // A search that ended by itself found nothing in its last step.
    while levels.pop_if(|level| level.value == 0.0).is_some() {}
    let forecast =
        Forecast::new(&levels).map_err(|fault| anyhow!("{}: {fault}", file.display()))?;
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
    let tested = match total.tested {
        true => "",
        false => ", further than tests reach",
    };
    let from = format!(
        "up to level {depth}, from levels up to {last}: {} to {}{tested}",
        count(total.low),
        count(total.high)
    );
    Ok(States::new(total.value, from))
}

fn row(
    (engine, footprint): (EngineId, &Footprint),
    rates: &Rates,
    states: &States,
    plan: &EnginePlan,
) -> PlanRow {
    let machines_used = if footprint.shared { plan.machines } else { 1 };
    let each = states.count / machines_used as f64;
    // Parts are walked in parallel, one per core.
    let at_once = |most: u64| (most as f64 * plan.cores as f64).min(each);
    let held = match states.load.ranks {
        0 => each,
        most => at_once(most),
    };
    let memory = (footprint.memory)(&Load {
        states: held as u64,
        threads: plan.cores,
        ..states.load
    });
    let disk = (held * footprint.disk) as u64;
    PlanRow {
        engine: [engine.name(), footprint.options]
            .join(" ")
            .trim()
            .to_owned(),
        memory_bytes: memory,
        disk_bytes: disk,
        seconds: states.count / (rates.of(engine, footprint) * (plan.cores * machines_used) as f64),
        fits: memory <= plan.memory_bytes && plan.disk_bytes.is_none_or(|most| disk <= most),
    }
}

fn count(states: f64) -> String {
    match states {
        ..1e7 => output::grouped(states as u64),
        f64::INFINITY => "beyond any machine".to_owned(),
        _ => format!("{states:.2e}"),
    }
}

fn print(plan: &EnginePlan, without: &[(&str, String)]) -> Result<()> {
    let mut out = output::stdout();
    let disk = |bytes: u64| format!(", {} of disk", human(bytes));
    told!(
        out,
        "{}: {} states, {}",
        plan.instance,
        count(plan.states),
        plan.from
    )?;
    told!(
        out,
        "{} of {}, {} of memory{}; each needs, without the program itself (about 15 MiB):",
        antipode_reports::count(plan.machines, "machines"),
        antipode_reports::count(plan.cores, "cores"),
        human(plan.memory_bytes),
        plan.disk_bytes.map_or_else(String::new, disk)
    )?;
    for row in &plan.rows {
        let text = format!(
            "{} of memory{}, about {}: {}",
            human(row.memory_bytes),
            Some(row.disk_bytes)
                .filter(|&bytes| bytes > 0)
                .map_or_else(String::new, disk),
            duration(row.seconds),
            if row.fits { "fits" } else { "does not fit" }
        );
        writeln!(out, "{}", output::entry(&row.engine, 18, &text, 2))?;
    }
    for alike in without.chunk_by(|a, b| a.1 == b.1) {
        let names: Vec<&str> = alike.iter().map(|(engine, _)| *engine).collect();
        told!(out, "  {}: {}", names.join(", "), alike[0].1)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Run, rate};

    #[test]
    fn a_rate_is_that_of_the_search_and_not_of_making_ready() {
        for (states, cpu_s, complete, ready, wanted) in [
            (7e6, 1.0, false, 0.3, Some(1e7)),
            (1.0, 0.31, false, 0.3, None),
            (1.0, 0.005, false, 0.0, None),
            (50.0, 0.001, true, 0.002, Some(5e4)),
        ] {
            let run = Run {
                states_per_core_second: states / cpu_s,
                cpu_s,
                complete,
                ..Run::default()
            };
            let rate = rate(&run, ready).map(f64::round);
            assert_eq!(rate, wanted, "{states} {cpu_s}");
        }
    }
}
