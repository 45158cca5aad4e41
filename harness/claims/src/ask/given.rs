//! A path that a claim brings along: its moves by name, played on the rulebook.

use antipode_graph::{Expansion, Graph, move_names};
use antipode_search::engines::EngineError;
use puzzle_api::{Direction, Key};

/// The states that moves lead through, each the one of its name.
///
/// # Errors
/// The first move that is none, and what the moves there are.
pub(super) fn played<K: Key>(
    rules: &Graph<K>,
    start: K,
    moves: &str,
) -> Result<Vec<K>, EngineError> {
    let (mut states, mut out) = (vec![start], Expansion::default());
    for (number, wanted) in (1..).zip(moves.split(',').map(str::trim)) {
        let at = states[states.len() - 1];
        rules.expand(Direction::Forward, &[at], &mut out)?;
        let name = |&next: &K| move_names(rules, &[at, next]).concat();
        let Some(&next) = out.keys().iter().find(|next| name(next) == wanted) else {
            let there: Vec<String> = out.keys().iter().map(name).collect();
            return Err(EngineError::CannotHold(format!(
                "{}: path: move {number} is '{}', and the moves there are {}",
                rules.opened.full_name(),
                wanted.escape_debug(),
                there.join(", ")
            )));
        };
        states.push(next);
    }
    Ok(states)
}
