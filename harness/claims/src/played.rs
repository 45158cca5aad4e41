//! A path that a claim brings along: its moves by name, played on the rulebook.

use antipode_check::board;
use antipode_check::moves::{MoveNames, NamedMoves, behind, spaced};
use antipode_graph::{Expansion, Graph, PluginError, move_names, one_line};
use antipode_reports::count;
use antipode_reports::model::{Picture, PictureKind};
use antipode_search::engines::EngineError;
use puzzle_api::Direction;

use crate::question::ConfiguredInstance;

/// Moves of a state that a line names.
const MOST_NAMED: usize = 16;

/// Replays moves, given by their names, on the rulebook from a board.
///
/// # Errors
/// An invalid board or move, or a move against the rules.
pub(crate) fn played(
    place: &ConfiguredInstance,
    from: &str,
    moves: &str,
) -> Result<Picture, EngineError> {
    let rules: Graph<u128> = place.rules()?;
    let played = Played::on(&rules, board::read(&rules, from)?, moves)?;
    if let Some((_, why)) = played.broken {
        let name = rules.opened.full_name();
        return Err(EngineError::CannotHold(format!("{name}: {why}")));
    }
    let steps = count(played.states.len() - 1, "steps");
    let caption = format!("{}: the published game, {steps}", place.instance);
    Ok(strip(&rules, caption, &played.states)?)
}

/// The picture of a path.
pub(crate) fn strip(
    rules: &Graph<u128>,
    caption: String,
    states: &[u128],
) -> Result<Picture, PluginError> {
    let drawn: Result<_, _> = states.iter().map(|&state| rules.draw(state)).collect();
    let kind = PictureKind::Strip {
        states: drawn?,
        labels: move_names(rules, states),
    };
    Ok(Picture { caption, kind })
}

/// A path as far as the rules allow it.
pub(crate) struct Played {
    /// The states that its moves lead through.
    pub(crate) states: Vec<u128>,
    /// The number of the first move that is against the rules, and why it is.
    pub(crate) broken: Option<(usize, String)>,
}

impl Played {
    /// Plays moves from a state on.
    ///
    /// # Errors
    /// A text that cannot be the name of a move, and the names of the moves there.
    pub(crate) fn on(rules: &Graph<u128>, start: u128, moves: &str) -> Result<Self, EngineError> {
        let (mut states, mut out) = (vec![start], Expansion::default());
        let mut lines = moves.lines().map(str::trim).filter(|line| !line.is_empty());
        let (mut rest, mut at) = ("", 0);
        loop {
            if rest.is_empty() {
                let Some(line) = lines.next() else { break };
                rest = line;
            }
            let last = states[states.len() - 1];
            let board = rules.draw(last)?;
            rules.expand(Direction::Forward, &[last], &mut out)?;
            let refused = |number: usize, why: String| {
                let name = rules.opened.full_name();
                EngineError::CannotHold(format!("{name}: path: move {number} is {why}"))
            };
            let named = NamedMoves::of(rules, last, out.keys());
            match &named.first_of(rest)[..] {
                [(text, to)] => {
                    let [next] = to[..] else {
                        let why = format!(
                            "'{text}', the name of several moves at {board}; give each move its own name"
                        );
                        return Err(refused(at + 1, why));
                    };
                    states.push(next);
                    (rest, at) = (behind(rest, text), at + 1);
                    continue;
                }
                [(text, _), (longer, _), ..] => {
                    let why = format!("'{text}' or '{longer}' at {board}; write one move a line");
                    return Err(refused(at + 1, why));
                }
                [] => {}
            }
            let there: Vec<String> = named.names().map(one_line).collect();
            let known = MoveNames::around(rules, &states)?;
            let first = known.first_of(rest).unwrap_or(rest);
            let number = at + 1;
            let why = format!(
                "the published path breaks at move {number}: '{}' is no move at {board}, where there {}",
                spaced(first),
                listed(&there)
            );
            for line in [rest].into_iter().chain(lines) {
                rest = line;
                while !rest.is_empty() {
                    at += 1;
                    let Some(text) = known.first_of(rest) else {
                        let text = rest.split(',').next().unwrap_or_default();
                        let remedy = match known.is_too_long(text) {
                            true => "; separate moves by commas",
                            false => "",
                        };
                        let why = format!(
                            "'{}', which names no move{remedy}; after move {} there {}",
                            text.trim().escape_debug(),
                            number - 1,
                            listed(&there)
                        );
                        return Err(refused(at, why));
                    };
                    rest = behind(rest, text);
                }
            }
            return Ok(Self {
                states,
                broken: Some((number, why)),
            });
        }
        Ok(Self {
            states,
            broken: None,
        })
    }
}

/// Moves by their names, after "there".
fn listed(names: &[String]) -> String {
    match names {
        [] => "is none".to_owned(),
        names if names.len() > MOST_NAMED => {
            format!("are {}, …", names[..MOST_NAMED].join(", "))
        }
        names => format!("are {}", names.join(", ")),
    }
}
