//! Shortens paths of other programs: read from text, shortened on the fast variant, replayed on
//! the rulebook.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use antipode_graph::{Capabilities, Graph, Library, PluginError, move_names};
use antipode_reports::count;
use antipode_reports::model::SearchFigures;
use antipode_search::engine::{EngineOptions, PathQuestion};
use antipode_search::engines::EngineError;
use antipode_search::engines::find::{borne_out, check_given, check_path};
use antipode_search::engines::improve::{self, ImproveOptions, Improved};
use antipode_search::forward::Goal;
use antipode_search::machine;
use antipode_search::memory::human;
use antipode_search::outcome::{FoundPath, Outcome, StopReason};
use antipode_search::progress::Stop;
use antipode_search::table::rules_of;
use cpu_time::ProcessTime;
use puzzle_api::Settings;

use crate::ask::{PathReport, ask_along};
use crate::{again, board};

/// A path as the user gave it.
#[derive(Debug, Clone)]
pub struct GivenPath {
    /// Where it was read, for messages.
    pub place: String,
    /// Its states, as text.
    pub states: Vec<String>,
}

impl GivenPath {
    /// The states, read; each is one move of the rulebook after the previous one.
    fn read(&self, graph: &Graph<u128>, rules: &Graph<u128>) -> Result<Vec<u128>, EngineError> {
        let states = self.states.iter().zip(1..);
        let states = states.map(|(text, number)| {
            let named = |error| at(&format!("{}: state {number}", self.place), error);
            board::read(graph, text).map_err(named)
        });
        let states: Vec<u128> = states.collect::<Result<_, _>>()?;
        check_given(rules, &states, None).map_err(|error| at(&self.place, error))?;
        Ok(states)
    }
}

/// Adds the place to an error about the input; leaves other errors as they are.
fn at(place: &str, error: EngineError) -> EngineError {
    match error {
        EngineError::Plugin(PluginError::BadInput(text)) | EngineError::CannotHold(text) => {
            EngineError::CannotHold(format!("{place}: {text}"))
        }
        other => other,
    }
}

/// Paths to shorten.
#[derive(Debug, Clone)]
pub struct ShortenRequest {
    /// The puzzle.
    pub library: Arc<Library>,
    /// Name of the instance.
    pub instance: String,
    /// Its settings.
    pub settings: Settings,
    /// Variant; `None` takes the puzzle's first.
    pub variant: Option<String>,
    /// Paths, all from one state to a solved one, or to one state.
    pub paths: Vec<GivenPath>,
    /// Memory, time, threads, and the folder for searches that outgrow the memory.
    pub options: EngineOptions,
}

/// A shortened path, and why the searches ended; `None` if there is nothing left to gain.
pub type Shortened = (PathReport, Option<StopReason>);

/// Shortens paths into one.
///
/// # Errors
/// [`EngineError`]: a text that is no state, states that are no path, or bad input.
pub fn shorten(request: &ShortenRequest, stop: &Stop) -> Result<Shortened, EngineError> {
    let pool = machine::pool(request.options.threads)?;
    pool.install(|| shortened(request, stop))
}

fn shortened(request: &ShortenRequest, stop: &Stop) -> Result<Shortened, EngineError> {
    let library = &request.library;
    let variant = request.variant.as_deref().unwrap_or(&library.variants[0]);
    let opened = library.open(&request.instance, variant, &request.settings)?;
    let graph = Graph::of(opened);
    let rules = rules_of(&graph)?;
    let paths = request.paths.iter().map(|path| path.read(&graph, &rules));
    let paths: Vec<Vec<u128>> = paths.collect::<Result<_, _>>()?;
    let goal = goal_of(&rules, &paths)?;
    let before = paths.iter().map(Vec::len).min().unwrap_or(1) - 1;
    let options = &request.options;
    let improving = ImproveOptions {
        memory: options.memory.unwrap_or(ImproveOptions::MEMORY),
        work: options
            .work
            .clone()
            .unwrap_or_else(|| PathBuf::from("antipode-work-windows")),
        limits: options.limits(),
        show_progress: options.show_progress,
    };
    if improving.memory < ImproveOptions::LEAST {
        let [least, given] = [ImproveOptions::LEAST, improving.memory].map(human);
        return Err(EngineError::Memory(format!(
            "shortening a path takes {least} of memory at least, and --memory allows {given}: give more"
        )));
    }
    let clock = (Instant::now(), ProcessTime::now());
    let asked = PathQuestion {
        graph: &graph,
        rules: &rules,
        start: paths.iter().flatten().next().copied().unwrap_or_default(),
        goal,
        options,
        stop,
    };
    let mut done = improve::shorten(&asked, paths, &improving)?;
    check_path(&rules, &done.states, Some(&goal))?;
    if !graph.proves(Capabilities::NONE) {
        // Windows are searched along the library's moves, forward and backward.
        done.proven.clear();
        done.shortest =
            done.shortest && borne_out(&asked, &Outcome::shortest(done.states.clone()))?;
    }
    let figures = SearchFigures {
        engine: Some("improve".to_owned()),
        window: Some(done.window() as u64).filter(|&window| window > 0),
        wall_s: Some(clock.0.elapsed().as_secs_f64()),
        cpu_s: Some(clock.1.elapsed().as_secs_f64()),
        peak_memory_bytes: Some(machine::peak_memory_bytes()),
        ..SearchFigures::default()
    };
    ask_along(&rules, &done.states)?;
    again::confirm()?;
    let text = |&state: &u128| rules.draw(state);
    let report = PathReport {
        moves: move_names(&graph, &done.states),
        summary: summary(before, &done, graph.opened.unit()),
        outcome: Outcome::Path(FoundPath {
            states: done.states.iter().map(text).collect::<Result<_, _>>()?,
            shortest: done.shortest,
        }),
        figures,
        ..PathReport::of(&graph, &rules, (done.states[0], goal))?
    };
    Ok((report, done.ended))
}

/// The goal of the paths: any solved state if all end in one, else their last state.
fn goal_of(rules: &Graph<u128>, paths: &[Vec<u128>]) -> Result<Goal<u128>, EngineError> {
    let ends: Vec<u128> = paths
        .iter()
        .filter_map(|path| path.last().copied())
        .collect();
    let solved = rules.is_solved(&ends)?;
    if solved.iter().all(|&solved| solved) {
        return Ok(Goal::Solved);
    }
    match ends.iter().all(|&end| end == ends[0]) {
        true => Ok(Goal::State(ends[0])),
        false => Err(EngineError::CannotHold(format!(
            "{}: the paths end at different states, not all of them solved; give paths to one goal",
            rules.opened.full_name()
        ))),
    }
}

/// How much shorter the path became, and the proof.
fn summary(before: usize, done: &Improved<u128>, unit: &str) -> String {
    let moves = done.states.len() - 1;
    let mut text = match before - moves {
        0 => "as before".to_owned(),
        gained => format!("{gained} fewer than before"),
    };
    text += ", played again on the rulebook; ";
    text += &match (done.shortest, done.window()) {
        (true, _) => "the fewest possible".to_owned(),
        (false, 0) => "nothing is proven".to_owned(),
        (false, window) => format!(
            "no window of {} can be shorter ({} searched in full)",
            count(window, unit),
            done.proven.len()
        ),
    };
    if let Some(why) = &done.ended {
        text += &format!("; ended by: {why}");
    }
    text
}
