//! Strategy `disk`: breadth first along the moves, the levels in files of a work folder.

use antipode_reports::cost::LevelCost;
use anyhow::{Result, bail};
use puzzle_api::{Direction, Key};
use serde_json::{Map, Value, json};

use super::Question;
use super::answer::{Answer, Found, LevelRow};
use crate::output::grouped;
use antipode_search::digest::hex;
use antipode_search::engines::find::check_path;
use antipode_search::engines::{Reached, Roots, Search, reach};
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
    let reached = reach(&search, &question.goal, &mut seen, &progress)?;
    let (costs, sampled) = (progress.costs(), progress.samples());
    drop(progress);
    if let Some(fault) = sampled.faults.first() {
        bail!("{fault}: the level tables cannot be believed");
    }
    if let Reached::Path(states) = &reached {
        check_path(&rules_of(graph)?, states, Some(&question.goal))?;
    }
    let states = seen.levels.total_states();
    let levels: Vec<LevelRow> = seen
        .levels
        .iter()
        .map(|(depth, sum)| LevelRow {
            side: "forward",
            depth,
            states: sum.states,
            digest: hex(sum.digest),
        })
        .collect();
    let searched = format!(
        "{} states, {} levels on disk",
        grouped(states),
        levels.len()
    );
    let (found, summary) = match reached {
        Reached::Path(path) => (
            Found::Path(path),
            format!("the fewest possible, played again on the rulebook ({searched})"),
        ),
        Reached::Nowhere => (
            Found::NoPath,
            format!("unsolvable: no goal among all states that can be reached ({searched})"),
        ),
        Reached::Stopped(why) => (
            Found::Stopped,
            format!("{why}; not decided ({searched}); the same command with --resume goes on"),
        ),
    };
    let mut details = details(&levels, &costs);
    if let (Found::Stopped, Some(work)) = (&found, &work) {
        details.insert("work".into(), json!(work.display().to_string()));
    }
    Ok(Answer {
        found,
        summary,
        details,
        levels,
        kept: work,
    })
}

fn details(levels: &[LevelRow], costs: &[LevelCost]) -> Map<String, Value> {
    let rows: Value = levels
        .iter()
        .map(
            |level| json!({ "depth": level.depth, "states": level.states, "digest": level.digest }),
        )
        .collect();
    let sum = |of: fn(&LevelCost) -> u64| -> u64 { costs.iter().map(of).sum() };
    Map::from_iter([
        ("engine".to_owned(), json!("disk")),
        ("levels".to_owned(), json!({ "forward": rows })),
        ("moves_listed".to_owned(), json!(sum(|cost| cost.generated))),
        ("bytes_read".to_owned(), json!(sum(|cost| cost.bytes_read))),
        (
            "bytes_written".to_owned(),
            json!(sum(|cost| cost.bytes_written)),
        ),
        (
            "peak_memory_bytes".to_owned(),
            json!(machine::peak_memory_bytes()),
        ),
    ])
}
