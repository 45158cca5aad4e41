//! The beginning of pages over claims: findings, and the first boards of instances. Also the line
//! that says how a drawn board was read.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;

use antipode_graph::{Graph, Library};
use antipode_reports::count;
use antipode_reports::html::{InstanceBoard, PageFinding};
use antipode_reports::model::ClaimResult;
use antipode_search::record::legend;
use anyhow::{Context, Result};
use puzzle_api::{Direction, Settings};

/// The findings shipped with Antipode.
const FINDINGS: &str = include_str!("../findings.toml");

/// The findings that pages open with, if their claims have the expected verdicts.
///
/// # Errors
/// The list shipped with Antipode cannot be read: our own fault.
pub fn findings() -> Result<Vec<PageFinding>> {
    let mut lists: BTreeMap<String, Vec<PageFinding>> =
        toml::from_str(FINDINGS).context("harness/cli/findings.toml")?;
    Ok(lists.remove("finding").unwrap_or_default())
}

/// The first board of each instance, else its solved one, as `PUZZLE/INSTANCE`, for claims that
/// show no other. Instances with neither, or with several, are left out.
pub fn boards<'a>(
    libraries: &[Arc<Library>],
    claims: impl Iterator<Item = &'a ClaimResult>,
) -> BTreeMap<String, InstanceBoard> {
    let mut boards = BTreeMap::new();
    for claim in claims.filter(|claim| claim.witnesses.is_empty()) {
        let library = libraries.iter().find(|known| known.name == claim.puzzle);
        let (Some(library), Some(instance)) = (library, &claim.instance) else {
            continue;
        };
        if let Entry::Vacant(place) = boards.entry(format!("{}/{instance}", claim.puzzle))
            && let Some(board) = board(library, instance, &Settings::new())
        {
            place.insert(board);
        }
    }
    boards
}

/// `None` if the instance cannot be opened as given: then there is no picture.
fn board(library: &Arc<Library>, instance: &str, settings: &Settings) -> Option<InstanceBoard> {
    let opened = (library.open(instance, &library.variants[0], settings)).ok()?;
    let graph = Graph::of(opened);
    let only = |direction| match graph.roots(direction, 0).ok()?[..] {
        [root] => graph.draw(root).ok(),
        _ => None,
    };
    let solved = || only(Direction::Backward).map(InstanceBoard::Solved);
    let start = only(Direction::Forward).map(InstanceBoard::Start);
    start.or_else(solved)
}

/// How a file with a drawing was read, by the cells of each kind: for example, a dot meant as
/// outside is a hole. Nothing for an instance without such a file, or one that cannot be opened.
pub fn reading(library: &Arc<Library>, instance: &str, settings: &Settings) -> Option<String> {
    let mut drawings = (library.settings.iter()).filter(|one| one.summary.starts_with(DRAWING));
    let (key, file) = drawings.find_map(|one| settings.get_key_value(&one.key))?;
    let (InstanceBoard::Start(text) | InstanceBoard::Solved(text)) =
        board(library, instance, settings)?;
    let entries = legend(&library.legend).entries;
    let counts = entries
        .iter()
        .map(|entry| (entry, text.matches(entry.symbol).count()));
    let counts: Vec<_> = counts.filter(|&(_, count)| count > 0).collect();
    let cells: usize = counts.iter().map(|(_, count)| count).sum();
    let kinds = counts.iter();
    let kinds = kinds.map(|(entry, count)| format!("{count} {} ({})", entry.symbol, entry.name));
    Some(format!(
        "{key}={file}: read as {}: {}",
        count(cells, "cells"),
        kinds.collect::<Vec<_>>().join(", ")
    ))
}

/// The beginning of the summary of a setting whose value is a file with a drawn board.
const DRAWING: &str = "FILE with a drawing";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_can_be_read_and_have_names_of_their_own() {
        let findings = findings().unwrap();
        let mut names: Vec<&str> = findings
            .iter()
            .map(|finding| finding.name.as_str())
            .collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!((names.len(), findings.len()), (6, 6));
    }
}
