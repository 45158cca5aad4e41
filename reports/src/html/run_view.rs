use super::ReportHead;
use super::picture_view::{self, BoardView, Figure, KeyEntry, explore};
use crate::model::{Antipode, Host, Legend, LevelTable, Run};
use crate::plot::{is_logarithmic, level_histogram_svg};
use crate::report::{FoundFolders, FoundRun};
use crate::wording::{self, count, grouped};

/// More boards than this would make the page too long; the rest is in the CSV file.
const MOST_BOARDS: usize = 24;
/// Little wider than a phone, so that its labels can be read there.
const PLOT: (u32, u32) = (460, 320);

#[derive(Clone)]
pub(super) struct Fact {
    pub(super) name: String,
    pub(super) value: String,
    pub(super) is_code: bool,
}

impl Fact {
    pub(super) fn plain(name: &str, value: impl Into<String>) -> Self {
        Fact {
            name: name.to_owned(),
            value: value.into(),
            is_code: false,
        }
    }

    pub(super) fn code(name: &str, value: impl Into<String>) -> Self {
        Fact {
            is_code: true,
            ..Self::plain(name, value)
        }
    }
}

pub(super) struct RunView<'a> {
    pub(super) title: String,
    pub(super) summary: String,
    pub(super) warning: String,
    pub(super) logarithmic: bool,
    pub(super) plot: String,
    pub(super) levels: &'a LevelTable,
    /// The fault of its files; empty if there is none.
    pub(super) altered: String,
    pub(super) antipode_summary: String,
    pub(super) key: Vec<KeyEntry<'a>>,
    pub(super) antipodes: Vec<Figure>,
    pub(super) facts: Vec<Fact>,
}

impl<'a> RunView<'a> {
    pub(super) fn new(
        one: &'a FoundRun,
        head: &'a ReportHead,
        found: &FoundFolders,
    ) -> Option<Self> {
        let run = one.run.as_ref().filter(|_| !one.levels.levels.is_empty())?;
        let legend = head.legend(&run.place());
        Some(RunView {
            altered: found.warning(&one.folder),
            ..Self::of(run, &one.levels, &one.antipodes, legend)
        })
    }

    pub(super) fn of(
        run: &Run,
        levels: &'a LevelTable,
        antipodes: &[Antipode],
        legend: Option<&'a Legend>,
    ) -> Self {
        let title = run.title();
        let plot_title = format!("Number of positions at each distance, {title}");
        let shown = &antipodes[..antipodes.len().min(MOST_BOARDS)];
        let view = |one| antipode_view(run, one, legend);
        RunView {
            summary: summary(run, levels),
            warning: warning(run),
            altered: String::new(),
            logarithmic: is_logarithmic(levels),
            plot: level_histogram_svg(levels, &plot_title, run.unit, PLOT),
            levels,
            antipode_summary: antipode_summary(run, levels, antipodes),
            key: picture_view::key(shown.iter().map(|antipode| antipode.state.as_str()), legend),
            antipodes: shown.iter().map(view).collect(),
            facts: facts(run),
            title,
        }
    }
}

fn summary(run: &Run, levels: &LevelTable) -> String {
    let start = match (run.direction.as_str(), &run.from) {
        (_, Some(from)) => format!("{} from {from}", run.direction),
        ("backward", None) => "backward from the solved positions".to_owned(),
        ("forward", None) => "forward from the start".to_owned(),
        (other, None) => other.to_owned(),
    };
    let (engine, rules) = (&run.engine, &run.variant);
    let how = format!("Searched {start} by the {engine} engine on the {rules} rules.");
    let limit = run
        .max_depth
        .map_or_else(String::new, |depth| format!(", and no deeper than {depth}"));
    format!(
        "{how} It met {} positions, {} up to symmetry, up to {} away{limit}.",
        grouped(levels.total_states()),
        grouped(levels.total_orbits()),
        count(levels.max_depth().unwrap_or(0), run.unit.name()),
    )
}

fn warning(run: &Run) -> String {
    if run.complete {
        return String::new();
    }
    let reason = run.stopped_because.as_ref();
    let reason = reason.map(|reason| format!("It stopped because: {reason}. "));
    let reason = reason.unwrap_or_default();
    let parts = match run.parts_total {
        0 | 1 => String::new(),
        total => format!(
            "{} of {} parts were done. ",
            grouped(run.parts_done),
            grouped(total)
        ),
    };
    format!("{reason}{parts}The figures below cover only what was searched.")
}

fn antipode_summary(run: &Run, levels: &LevelTable, antipodes: &[Antipode]) -> String {
    let Some(depth) = antipodes.iter().map(|antipode| antipode.depth).max() else {
        return String::new();
    };
    let mut text = format!("At {}", count(depth, run.unit.name()));
    // Not all positions of a very large level are kept; the table has their number.
    if let Some(level) = levels.levels.iter().find(|level| level.depth == depth) {
        text += &format!(
            ": {}, {} up to symmetry",
            count(level.states, "positions"),
            grouped(level.orbits)
        );
    }
    let listed = antipodes.len();
    if listed > MOST_BOARDS {
        text += &format!(". The first {MOST_BOARDS} of {listed} in the CSV file are drawn");
    }
    text + "."
}

fn antipode_view(run: &Run, antipode: &Antipode, legend: Option<&Legend>) -> Figure {
    let moves = count(antipode.depth, run.unit.name());
    let caption = match antipode.orbit_size {
        0 | 1 => format!("{moves} away"),
        size => format!("{moves} away; stands for {size} positions"),
    };
    let title = format!("Position {moves} away: {}", antipode.state);
    let board = BoardView::new(&antipode.state, &title, legend);
    let mut figure = Figure::board(caption, board);
    figure.explore = explore(&run.place(), &run.settings, &antipode.state, &run.command);
    figure
}

/// How a run ran.
pub(super) fn facts(run: &Run) -> Vec<Fact> {
    let mut facts = vec![
        Fact::plain("Rules", &run.variant),
        Fact::plain("Started", wording::utc(run.started_unix_s)),
        Fact::plain("Time", wording::duration(run.wall_s)),
        Fact::plain("Processor time, all threads", wording::duration(run.cpu_s)),
        Fact::plain("Threads", run.threads.to_string()),
        Fact::plain(
            "Positions per second of processor time",
            wording::rate(run.states_per_core_second),
        ),
        Fact::plain("Peak memory", wording::memory(run.peak_memory_bytes)),
        Fact::plain("Seed of all sampling", run.seed.to_string()),
        Fact::plain("Tool", format!("Antipode {}", run.tool_version)),
        machine(&run.host),
        Fact::plain("Rules from", plugin(run)),
    ];
    for (name, value) in &run.extra {
        facts.push(Fact::plain(&name.replace('_', " "), extra_text(value)));
    }
    if let Some(hash) = &run.plugin.blake3 {
        facts.push(Fact::code("BLAKE3 of the rules' file", hash));
    }
    if !run.command.is_empty() {
        facts.push(Fact::code("Command", wording::command_line(&run.command)));
    }
    facts
}

fn extra_text(value: &serde_json::Value) -> String {
    let text = value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned);
    wording::amount(&text, "")
}

pub(super) fn machine(host: &Host) -> Fact {
    let cores = count(host.cores, "cores");
    let text = format!("{}, {} on {}, {cores}", host.cpu, host.arch, host.os);
    Fact::plain("Machine", text)
}

fn plugin(run: &Run) -> String {
    let plugin = &run.plugin;
    let place = plugin.file.as_deref().unwrap_or("built in");
    format!(
        "{} {} ({place}; binary interface {})",
        plugin.name, plugin.version, plugin.abi
    )
}
