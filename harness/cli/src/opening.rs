//! What pages over claims open with: findings, and the boards that instances begin with.

use std::collections::BTreeMap;
use std::sync::Arc;

use antipode_graph::{Graph, Library};
use antipode_reports::html::{Finding, InstanceBoard};
use antipode_reports::model::ClaimResult;
use antipode_search::open::typed_graph;
use anyhow::{Context, Result};
use puzzle_api::{Direction, Key, Settings};

/// The findings that come with Antipode.
const FINDINGS: &str = include_str!("../findings.toml");

/// The findings that pages open with, where their claims bear them out.
///
/// # Errors
/// The list that comes with Antipode cannot be read: a fault of ours.
pub fn findings() -> Result<Vec<Finding>> {
    let mut lists: BTreeMap<String, Vec<Finding>> =
        toml::from_str(FINDINGS).context("harness/cli/findings.toml")?;
    Ok(lists.remove("finding").unwrap_or_default())
}

/// The board that each instance begins with, else the one that is solved, as `PUZZLE/INSTANCE`,
/// for claims that show no other. Instances with neither, or with several, are left out.
pub fn boards<'a>(
    libraries: &[Arc<Library>],
    claims: impl Iterator<Item = &'a ClaimResult>,
) -> BTreeMap<String, InstanceBoard> {
    let mut boards = BTreeMap::new();
    for claim in claims.filter(|claim| claim.witnesses.is_empty()) {
        let library = libraries
            .iter()
            .find(|library| library.name == claim.puzzle);
        let (Some(library), Some(instance)) = (library, &claim.instance) else {
            continue;
        };
        let name = format!("{}/{instance}", claim.puzzle);
        if boards.contains_key(&name) {
            continue;
        }
        if let Some(board) = board(library, instance) {
            boards.insert(name, board);
        }
    }
    boards
}

/// Nothing where the instance cannot be opened as it is: then no picture is due.
fn board(library: &Arc<Library>, instance: &str) -> Option<InstanceBoard> {
    let opened = library
        .open(instance, &library.variants[0], &Settings::new())
        .ok()?;
    match library.key_words() {
        1 => first::<u64>(&typed_graph(opened).ok()?),
        _ => first::<u128>(&typed_graph(opened).ok()?),
    }
}

fn first<K: Key>(graph: &Graph<K>) -> Option<InstanceBoard> {
    let only = |direction| {
        let roots = graph.roots(direction, 0).ok()?;
        match roots[..] {
            [root] => graph.draw(root).ok(),
            _ => None,
        }
    };
    let solved = || only(Direction::Backward).map(InstanceBoard::Solved);
    let start = only(Direction::Forward).map(InstanceBoard::Start);
    start.or_else(solved)
}

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
