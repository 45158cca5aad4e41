//! A path that a claim brings along: its moves by name, played on the rulebook.

use antipode_check::board;
use antipode_check::moves::{MoveNames, called};
use antipode_graph::{Expansion, Graph, move_names};
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
    let states = played.states;
    let drawn: Result<Vec<String>, _> = states.iter().map(|&state| rules.draw(state)).collect();
    Ok(Picture {
        caption: format!(
            "{}: the published game, {}",
            place.instance,
            count(states.len() - 1, "steps")
        ),
        kind: PictureKind::Strip {
            states: drawn?,
            labels: move_names(&rules, &states),
        },
    })
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
        let names = split(rules, start, moves)?;
        for (at, wanted) in names.iter().enumerate() {
            let last = states[states.len() - 1];
            let board = rules.draw(last)?;
            rules.expand(Direction::Forward, &[last], &mut out)?;
            match called(rules, (last, wanted), out.keys())[..] {
                [] => {}
                [next] => {
                    states.push(next);
                    continue;
                }
                _ => {
                    return Err(EngineError::CannotHold(format!(
                        "{}: path: move {} is '{wanted}', the name of several moves at {board}; give each move its own name",
                        rules.opened.full_name(),
                        at + 1
                    )));
                }
            }
            let name = |&next: &u128| move_names(rules, &[last, next]).concat();
            let there: Vec<String> = out.keys().iter().map(name).collect();
            let known = MoveNames::around(rules, &states)?;
            let mut odd = (at..).zip(&names[at..]);
            if let Some((odd, text)) = odd.find(|(_, name)| !known.has(name)) {
                let remedy = match known.is_too_long(text) {
                    true => "; separate moves by commas",
                    false => "",
                };
                return Err(EngineError::CannotHold(format!(
                    "{}: path: move {} is '{}', which names no move{remedy}; after move {at} there {}",
                    rules.opened.full_name(),
                    odd + 1,
                    text.escape_debug(),
                    listed(&there)
                )));
            }
            let number = at + 1;
            let why = format!(
                "the published path breaks at move {number}: '{wanted}' is no move at {board}, where there {}",
                listed(&there)
            );
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

/// The moves of a text, separated by commas or ends of lines; by any white space if no name of a
/// move has a blank in it. The comma of `press 4,5` is no separator. An empty text has none.
fn split(rules: &Graph<u128>, start: u128, moves: &str) -> Result<Vec<String>, EngineError> {
    if moves.trim().is_empty() {
        return Ok(Vec::new());
    }
    let mut names = Vec::new();
    for piece in moves.split(',').map(str::trim) {
        match piece.is_empty() {
            true => names.push(piece),
            false => names.extend(piece.lines().map(str::trim).filter(|line| !line.is_empty())),
        }
    }
    let blank = |name: &&str| name.contains(char::is_whitespace);
    if names.iter().any(blank) && MoveNames::around(rules, &[start])?.are_words() {
        // An empty item between commas stays, and names no move.
        let words = |name: &str| match name {
            "" => vec![String::new()],
            name => name.split_whitespace().map(str::to_owned).collect(),
        };
        return Ok(names.into_iter().flat_map(words).collect());
    }
    let is_number = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    let mut whole: Vec<String> = Vec::new();
    for name in names {
        let row = |last: &&mut String| last.rsplit_once(' ').is_some_and(|(_, row)| is_number(row));
        match whole.last_mut().filter(row) {
            Some(last) if is_number(name) => *last += &format!(",{name}"),
            // Names have one blank between words.
            _ => whole.push(name.split_whitespace().collect::<Vec<_>>().join(" ")),
        }
    }
    Ok(whole)
}
