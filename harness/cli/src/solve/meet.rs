//! Strategy `meet`: a ball around each end until they meet.

use antipode_search::outcome::{Outcome, Proof};
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use puzzle_api::{Capabilities, Direction, Key};

use super::Question;
use super::answer::Answer;
use crate::output::grouped;
use antipode_reports::model::{SearchFigures, SideLevel};
use antipode_search::engines::DiskOptions;
use antipode_search::engines::bidirectional::{
    Options, Request, Searched, Side, Table, Work, meet, planned_memory,
};
use antipode_search::forward::Goal;
use antipode_search::progress::Stop;
use antipode_search::{machine, memory};

/// Means and limits of large searches.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Searches from both ends, and on disk")]
pub(super) struct Means {
    /// Memory that the search may take, such as 20GiB [default: what is available].
    #[arg(long, value_name = "SIZE", value_parser = memory::parse)]
    memory: Option<u64>,
    /// Disk that the finished levels may take [default: what is free].
    #[arg(long, value_name = "SIZE", value_parser = memory::parse)]
    disk: Option<u64>,
    /// Folder for the finished levels, from which --resume goes on [default: OUT/work, or
    /// antipode-work-… here; searches from both ends make that once they are large].
    #[arg(long, value_name = "DIR")]
    work: Option<PathBuf>,
    /// Go on where a search with the same ends and work folder was stopped.
    #[arg(long)]
    resume: bool,
    /// How states are kept: hash tables, then a bit a rank (auto), only hash tables, or only
    /// bits.
    #[arg(long, value_enum, default_value_t)]
    table: TableChoice,
}

impl Means {
    /// Refuses options that a search from one end would pass over in silence.
    ///
    /// # Errors
    /// One line that names the option.
    pub(super) fn refuse(&self) -> Result<()> {
        let given = [
            ("--memory", self.memory.is_some()),
            ("--disk", self.disk.is_some()),
            ("--work", self.work.is_some()),
            ("--resume", self.resume),
            ("--table", self.table != TableChoice::Auto),
        ];
        match given.iter().find(|(_, given)| *given) {
            Some((option, _)) => bail!(
                "{option}: only searches from both ends take it, and this is none (they need --to, or solved states that are listed, and predecessors); leave it out"
            ),
            None => Ok(()),
        }
    }
}

impl Means {
    /// The work folder: as named, else beside the results, else here.
    pub(super) fn folder<K: Key>(&self, question: &Question<'_, K>) -> PathBuf {
        match (&self.work, &question.args.out) {
            (Some(work), _) => work.clone(),
            (None, Some(out)) => out.join("work"),
            (None, None) => default_folder(question),
        }
    }

    /// Whether to go on from it.
    pub(super) const fn resumes(&self) -> bool {
        self.resume
    }

    /// What engine disk may take.
    ///
    /// # Errors
    /// An option that it does not know.
    pub(super) fn on_disk<K: Key>(
        &self,
        question: &Question<'_, K>,
        threads: usize,
    ) -> Result<DiskOptions> {
        if self.table != TableChoice::Auto {
            bail!("--table: engine disk keeps no table; leave it out");
        }
        let work = self.folder(question);
        let half = memory::available().map_or(2 << 30, |bytes| bytes / 2);
        let mut options = DiskOptions::new(work, self.memory.unwrap_or(half), threads);
        options.disk = self.disk;
        options.resume = self.resume;
        Ok(options)
    }
}

/// [`Table`] on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
enum TableChoice {
    /// Hash tables at first, a bit a rank once there are many.
    #[default]
    Auto,
    /// Hash tables to the end.
    Hash,
    /// A bit a rank from the beginning.
    Bits,
}

/// Most solved states that a search for any of them starts from.
const FEW_GOALS: usize = 1 << 20;

/// Whether the question can be searched from both ends.
pub(super) fn possible<K: Key>(question: &Question<'_, K>) -> bool {
    let graph = &question.graph;
    if !antipode_search::engines::bidirectional::possible(graph) {
        return false;
    }
    match question.goal {
        Goal::State(_) => true,
        // What was a search along the moves stays one where the bits would not fit.
        Goal::Solved => {
            let request = goals(question)
                .ok()
                .flatten()
                .map(|goals| request(question, goals));
            request.is_some_and(|request| {
                let planned = planned_memory(&request).ok().flatten();
                planned.is_none_or(|need| need <= request.options.memory)
            })
        }
    }
}

/// The states to search back from; `None` where they cannot be listed, or are many.
fn goals<K: Key>(question: &Question<'_, K>) -> Result<Option<Vec<K>>> {
    let graph = &question.graph;
    if let Goal::State(key) = question.goal {
        return Ok(Some(vec![key]));
    }
    if !graph.has(Capabilities::SOLVED_ROOTS) {
        return Ok(None);
    }
    let mut part = 0;
    if graph.has(Capabilities::PARTS) || graph.has(Capabilities::RANK) {
        let mut placed = Vec::new();
        graph.place(&[question.start], &mut placed)?;
        // A state outside the numbering has its solved states there too.
        let Some(at) = placed[0] else { return Ok(None) };
        part = at.part;
    }
    let roots = graph.roots(Direction::Backward, part)?;
    Ok((1..=FEW_GOALS).contains(&roots.len()).then_some(roots))
}

fn request<K: Key>(question: &Question<'_, K>, goals: Vec<K>) -> Request<K> {
    let args = question.args;
    let means = &args.means;
    // A twentieth is left to everybody else.
    let available = memory::available().map_or(u64::MAX, |available| available / 20 * 19);
    let folder = means.folder(question);
    let work = match means.work.is_some() || args.out.is_some() {
        true => Work::Folder(folder),
        false => Work::WhenLarge(folder),
    };
    let mut options = Options::new(means.memory.unwrap_or(available), work);
    options.disk = means.disk;
    options.resume = means.resume;
    options.show_progress = true;
    options.table = match means.table {
        TableChoice::Auto => Table::Auto,
        TableChoice::Hash => Table::Hash,
        TableChoice::Bits => Table::Bits,
    };
    Request {
        graph: question.graph.clone(),
        start: question.start,
        goals,
        options,
    }
}

/// A folder named after the question, so that the same command with --resume finds it.
fn default_folder<K: Key>(question: &Question<'_, K>) -> PathBuf {
    let opened = &question.graph.opened;
    let goal = format!("{:?}", question.goal);
    let text = format!("{:?} {:?} {goal}", opened.settings, question.start);
    let name = opened
        .full_name()
        .replace(|c: char| !c.is_ascii_alphanumeric(), "-");
    let hash = xxhash_rust::xxh3::xxh3_64(text.as_bytes());
    PathBuf::from(format!("antipode-work-{name}-{hash:016x}"))
}

/// Answers a question.
pub(super) fn answer<K: Key>(question: &Question<'_, K>, stop: &Stop) -> Result<Answer<K>> {
    let goals = goals(question)?.context("the solved states cannot be listed")?;
    let request = request(question, goals);
    let threads = question
        .args
        .threads
        .map_or_else(machine::cores, usize::from);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .context("cannot start threads")?;
    let searched = pool.install(|| meet(&request, stop))?;
    Ok(Answer {
        kept: searched.work.clone(),
        summary: summary(question, &searched),
        figures: figures(&searched),
        levels: rows(&searched),
        outcome: searched.outcome,
    })
}

fn summary<K: Key>(question: &Question<'_, K>, searched: &Searched<K>) -> String {
    let seen = grouped(searched.states());
    let [forward, backward] = &searched.balls;
    let no = match question.goal {
        Goal::State(_) => "unreachable",
        Goal::Solved => "unsolvable",
    };
    match &searched.outcome {
        Outcome::Path(_) | Outcome::Levels => format!(
            "the fewest possible: {} levels forward and {} backward do not meet ({seen} states seen)",
            forward.len(),
            backward.len()
        ),
        Outcome::Unreachable(Proof::Exhausted {
            direction,
            states,
            levels,
        }) => {
            let (states, levels) = (grouped(states), levels.unwrap_or_default());
            let (these, and) = match direction {
                Direction::Forward => ("can be reached", "no goal is among them"),
                Direction::Backward => ("can reach the goal", "the start is not among them"),
            };
            format!(
                "{no}: the {states} states that {these} were all found, in {levels} levels, and {and}"
            )
        }
        Outcome::Unreachable(proof) => format!("{no}: {proof}"),
        Outcome::NotReached(_) => {
            let how = match &searched.work {
                Some(_) => "the same command with --resume goes on",
                None => "give --work DIR to be able to go on with --resume",
            };
            format!(
                "stopped after {} levels forward and {} backward, {seen} states, without an answer; {how}",
                forward.len(),
                backward.len()
            )
        }
    }
}

fn figures<K>(searched: &Searched<K>) -> SearchFigures {
    SearchFigures {
        states_seen: Some(searched.states()),
        states_expanded: Some(searched.expanded),
        moves_listed: Some(searched.moves),
        level_bytes: Some(searched.level_bytes),
        planned_memory_bytes: Some(searched.planned_memory),
        peak_memory_bytes: Some(machine::peak_memory_bytes()),
        ..SearchFigures::default()
    }
}

fn rows<K>(searched: &Searched<K>) -> Vec<SideLevel> {
    let rows = Side::BOTH.into_iter().flat_map(|side| {
        searched.balls[side as usize]
            .iter()
            .map(move |level| SideLevel {
                side: side.name().to_owned(),
                depth: level.depth.into(),
                states: level.states,
                digest: antipode_search::digest::hex(level.digest),
            })
    });
    rows.collect()
}
