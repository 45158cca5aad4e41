//! Strategy `disk`: breadth first along the moves, the levels in files of a work folder.

use antipode_reports::model::{LevelCost, SearchFigures, SideLevel};
use antipode_search::outcome::{Outcome, Walked};
use anyhow::{Result, bail};
use puzzle_api::{Direction, Key};

use super::Question;
use super::answer::Answer;
use crate::output::grouped;
use antipode_search::digest::hex;
use antipode_search::engines::find::check_path;
use antipode_search::engines::{Roots, Search, reach};
use antipode_search::machine;
use antipode_search::observers::Observers;
use antipode_search::progress::{Progress, Stop};
use antipode_search::table::rules_of;

/// Answers a question.
pub(super) fn answer<K: Key>(question: &Question<'_, K>, stop: &Stop) -> Result<Answer<K>> {
    let args = question.args;
    args.finder.refuse_for_disk()?;
    let graph = &question.graph;
    let threads = args.threads.map_or_else(machine::cores, usize::from);
    let roots = Roots::State(question.start);
    let mut search = Search::new(graph.clone(), Direction::Forward, roots, None)?;
    // The goal need not be like its mirror image, and a path is one of states.
    search.symmetry = false;
    search.disk = Some(args.means.on_disk(question, threads)?);
    search.rules = Some(rules_of(graph)?);
    let work = search.disk.as_ref().map(|options| options.work.clone());
    let progress = Progress::bar(&graph.opened.full_name(), 1, stop);
    let mut seen = Observers::plain();
    let Walked { outcome, spent } = reach(&search, &question.goal, &mut seen, &progress)?;
    drop(progress);
    let faults = spent.sampled.iter().flat_map(|sampled| &sampled.faults);
    if let Some(fault) = faults.into_iter().next() {
        bail!("{fault}: the level tables cannot be believed");
    }
    if let Outcome::Path(path) = &outcome {
        check_path(&rules_of(graph)?, &path.states, Some(&question.goal))?;
    }
    let states = seen.levels.total_states();
    let levels: Vec<SideLevel> = seen
        .levels
        .iter()
        .map(|(depth, sum)| SideLevel {
            side: "forward".to_owned(),
            depth: depth.into(),
            states: sum.states,
            digest: hex(sum.digest),
        })
        .collect();
    let searched = format!(
        "{} states, {} levels on disk",
        grouped(states),
        levels.len()
    );
    let summary = match &outcome {
        Outcome::Path(_) => {
            format!("the fewest possible, played again on the rulebook ({searched})")
        }
        Outcome::Unreachable(_) | Outcome::Levels => {
            format!("unsolvable: no goal among all states that can be reached ({searched})")
        }
        Outcome::NotReached(why) => {
            format!("{why}; not decided ({searched}); the same command with --resume goes on")
        }
    };
    let sum = |of: fn(&LevelCost) -> u64| Some(spent.levels.iter().map(of).sum());
    let figures = SearchFigures {
        engine: Some("disk".to_owned()),
        work: work
            .as_ref()
            .filter(|_| !outcome.is_answer())
            .map(|work| work.display().to_string()),
        moves_listed: sum(|cost| cost.generated),
        bytes_read: sum(|cost| cost.bytes_read),
        bytes_written: sum(|cost| cost.bytes_written),
        peak_memory_bytes: Some(machine::peak_memory_bytes()),
        ..SearchFigures::default()
    };
    Ok(Answer {
        outcome,
        summary,
        figures,
        levels,
        kept: work,
    })
}
