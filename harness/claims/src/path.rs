//! Shortest solutions for claims: found twice, on the rules and on the fast variant.

use std::sync::Arc;

use puzzle_api::{Direction, Key, Settings, UNSOLVABLE};

use antipode_reports::model::{Picture, PictureKind};

use super::Context;
use antipode_graph::move_names;
use antipode_graph::{Graph, Library, Opened, PluginError};
use antipode_search::engine::{Kind, PathQuestion};
use antipode_search::engines::EngineError;
use antipode_search::forward::{ForwardSolver, Goal, Path};
use antipode_search::open::typed_graph;
use antipode_search::outcome::{FoundPath, Outcome};
use antipode_search::registry;

/// A shortest solution of one board, derived twice.
#[derive(Debug, Clone)]
pub(super) struct Solution {
    /// Moves; `None` where the board cannot be solved.
    pub length: Option<u32>,
    /// Moves by the other variant, where it differs: our own derivations disagree.
    pub disagreement: Option<String>,
    /// States seen on the rules.
    pub seen: u64,
    /// The board as text, and the text of its orbit's representative.
    pub board: String,
    /// Representative of the board's orbit.
    pub canonical: String,
    /// The board, or the solution as a strip.
    pub picture: Picture,
    /// Variants used.
    pub variants: String,
}

/// Solves `board` (or the instance's start) on the reference variant, and once more on the
/// default one, or with the engine that was named.
pub(super) fn solve(
    library: &Arc<Library>,
    instance: &str,
    board: Option<&str>,
    context: &Context,
) -> Result<Solution, EngineError> {
    match library.key_words() {
        1 => typed::<u64>(library, instance, board, context),
        _ => typed::<u128>(library, instance, board, context),
    }
}

fn typed<K: Key>(
    library: &Arc<Library>,
    instance: &str,
    board: Option<&str>,
    context: &Context,
) -> Result<Solution, EngineError> {
    let open = |variant: &str| -> Result<Graph<K>, EngineError> {
        typed_graph(library.open(instance, variant, &Settings::new())?)
    };
    let rules = open(library.reference_variant())?;
    let start = start_of(&rules, board)?;
    let mut canonical = [start];
    rules.canonical(&mut canonical, None)?;
    let path = shortest(&rules, start)?;
    let mut variants = rules.opened.variant.clone();
    let mut disagreement = None;
    let named = context.engine_for(Kind::Path);
    let fast = named.map_or(library.variants[0].as_str(), |engine| {
        engine.variant(library)
    });
    if named.is_some() || *fast != rules.opened.variant {
        let fast = open(fast)?;
        let start = start_of(&fast, board)?;
        let (by, outcome) = match named {
            None => (fast.opened.variant.clone(), shortest(&fast, start)?.outcome),
            Some(engine) => {
                let question = PathQuestion {
                    graph: &fast,
                    rules: &rules,
                    start,
                    goal: Goal::Solved,
                    means: &context.means(Kind::Path, library, instance),
                    stop: &context.stop,
                };
                let by = format!("{} on {}", engine, fast.opened.variant);
                (by, registry::path(named, &question)?.1.outcome)
            }
        };
        variants = format!("{variants} and {by}");
        // A path that need not be the shortest contradicts nothing.
        if let (Some(one), Some(other)) = (path.outcome.distance(), outcome.distance())
            && one != other
        {
            disagreement = Some(format!(
                "{} by {}, {} by {by}",
                text_of(one),
                rules.opened.variant,
                text_of(other)
            ));
        }
    }
    let board = rules.draw(start)?;
    Ok(Solution {
        length: match &path.outcome {
            Outcome::Path(found) => Some(found.moves() as u32),
            Outcome::Unreachable(_) | Outcome::Levels | Outcome::NotReached(_) => None,
        },
        disagreement,
        seen: path.seen,
        canonical: rules.draw(canonical[0])?,
        picture: picture(&rules, &path, &board, instance)?,
        board,
        variants,
    })
}

/// Whether some instance of the puzzle takes a board: then an instance that does not
/// cannot hold it; a board that none takes is misspelt.
pub(super) fn held_elsewhere(library: &Arc<Library>, board: &str) -> bool {
    let reference = library.reference_variant();
    let takes = |opened| match library.key_words() {
        1 => typed_graph::<u64>(opened).is_ok_and(|graph| graph.parse(board).is_ok()),
        _ => typed_graph::<u128>(opened).is_ok_and(|graph| graph.parse(board).is_ok()),
    };
    library.instances.iter().any(|instance| {
        let opened = library.open(&instance.name, reference, &Settings::new());
        opened.is_ok_and(takes)
    })
}

/// Finds a board that cannot be read, or an instance without a start, without solving.
///
/// # Errors
/// [`EngineError`] as [`solve`] would give it.
pub(super) fn check(
    library: &Arc<Library>,
    instance: &str,
    board: Option<&str>,
) -> Result<(), EngineError> {
    fn typed<K: Key>(opened: Arc<Opened>, board: Option<&str>) -> Result<(), EngineError> {
        start_of(&typed_graph::<K>(opened)?, board).map(drop)
    }
    let opened = library.open(instance, library.reference_variant(), &Settings::new())?;
    match library.key_words() {
        1 => typed::<u64>(opened, board),
        _ => typed::<u128>(opened, board),
    }
}

fn start_of<K: Key>(graph: &Graph<K>, board: Option<&str>) -> Result<K, EngineError> {
    if let Some(text) = board {
        return Ok(graph.parse(text)?);
    }
    let starts = graph.roots(Direction::Forward, 0)?;
    starts.first().copied().ok_or_else(|| {
        let name = graph.opened.full_name();
        EngineError::CannotHold(format!(
            "{name}: has no start of its own; the claim needs a board"
        ))
    })
}

fn shortest<K: Key>(graph: &Graph<K>, start: K) -> Result<Path<K>, PluginError> {
    ForwardSolver::new(graph.clone()).shortest(start, &Goal::Solved, &mut || false)
}

fn text_of(distance: u16) -> String {
    match distance {
        UNSOLVABLE => "unsolvable".into(),
        distance => format!("{distance} moves"),
    }
}

fn picture<K: Key>(
    graph: &Graph<K>,
    path: &Path<K>,
    board: &str,
    instance: &str,
) -> Result<Picture, PluginError> {
    let Outcome::Path(FoundPath { states, .. }) = &path.outcome else {
        return Ok(Picture {
            caption: format!("{instance}: cannot be solved"),
            kind: PictureKind::Board {
                state: board.to_owned(),
            },
        });
    };
    let drawn: Result<Vec<String>, _> = states.iter().map(|&state| graph.draw(state)).collect();
    Ok(Picture {
        caption: format!(
            "{instance}: a shortest solution, {} moves",
            states.len() - 1
        ),
        kind: PictureKind::Strip {
            states: drawn?,
            labels: move_names(graph, states),
        },
    })
}
