//! A path that a claim brings along: its moves by name, played on the rulebook.

use antipode_check::board;
use antipode_check::moves::{MoveNames, NamedMoves, spaced};
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
        let items = items(rules, start, moves)?;
        let (mut read, mut at) = (0, 0);
        while read < items.len() {
            let last = states[states.len() - 1];
            let board = rules.draw(last)?;
            rules.expand(Direction::Forward, &[last], &mut out)?;
            let refused = |why: String| {
                let name = rules.opened.full_name();
                EngineError::CannotHold(format!("{name}: path: move {} is {why}", at + 1))
            };
            let moves = NamedMoves::of(rules, last, out.keys());
            let texts = names_at(&items, read);
            let all: Vec<_> = texts
                .iter()
                .map(|text| (text, moves.called(text)))
                .collect();
            let mut found = (1..).zip(&all).filter(|(_, (_, to))| !to.is_empty());
            match (found.next(), found.next()) {
                (Some((_, (text, _))), Some((_, (longer, _)))) => {
                    return Err(refused(format!(
                        "'{text}' or '{longer}' at {board}; write one move a line"
                    )));
                }
                (Some((taken, (text, to))), None) => {
                    let [next] = to[..] else {
                        return Err(refused(format!(
                            "'{text}', the name of several moves at {board}; give each move its own name"
                        )));
                    };
                    states.push(next);
                    (read, at) = (read + taken, at + 1);
                    continue;
                }
                (None, _) => {}
            }
            let name = |&next: &u128| move_names(rules, &[last, next]).concat();
            let there: Vec<String> = out.keys().iter().map(name).collect();
            let known = MoveNames::around(rules, &states)?;
            let (mut odd, mut wanted) = (at, None);
            while read < items.len() {
                let texts = names_at(&items, read);
                let Some(taken) = texts.iter().position(|text| known.has(text)) else {
                    let remedy = match known.is_too_long(&texts[0]) {
                        true => "; separate moves by commas",
                        false => "",
                    };
                    return Err(EngineError::CannotHold(format!(
                        "{}: path: move {} is '{}', which names no move{remedy}; after move {at} there {}",
                        rules.opened.full_name(),
                        odd + 1,
                        texts[0].escape_debug(),
                        listed(&there)
                    )));
                };
                wanted.get_or_insert_with(|| texts[taken].clone());
                (read, odd) = (read + taken + 1, odd + 1);
            }
            let number = at + 1;
            let wanted = wanted.unwrap_or_default();
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

/// A piece of a text of moves, and whether only a comma separates it from the one before.
struct Item {
    text: String,
    goes_on: bool,
}

/// Most pieces of one name: those with a comma have as many more.
const MOST_PIECES: usize = 8;

/// What the text from an item on may name: the item alone, or with the next ones as long as only
/// commas are between, as in `press 4,5`.
fn names_at(items: &[Item], first: usize) -> Vec<String> {
    let mut texts = vec![items[first].text.clone()];
    for more in items[first + 1..].iter().take(MOST_PIECES - 1) {
        if !more.goes_on {
            break;
        }
        texts.push(format!("{},{}", texts[texts.len() - 1], more.text));
    }
    texts
}

/// A text of moves in pieces, at commas and ends of lines; at any white space if no name of a move
/// has a blank in it. An empty text has none.
fn items(rules: &Graph<u128>, start: u128, moves: &str) -> Result<Vec<Item>, EngineError> {
    let mut items: Vec<Item> = Vec::new();
    if moves.trim().is_empty() {
        return Ok(items);
    }
    let is_blank = |text: &str| text.trim().contains(char::is_whitespace);
    let words =
        moves.split([',', '\n']).any(is_blank) && MoveNames::around(rules, &[start])?.are_words();
    let mut ended = false;
    for piece in moves.split(',') {
        let inner = piece.trim();
        let parts: Vec<String> = match words {
            true => inner.split_whitespace().map(str::to_owned).collect(),
            false => inner
                .lines()
                .map(spaced)
                .filter(|line| !line.is_empty())
                .collect(),
        };
        let begun = piece
            .trim_start_matches([' ', '\t'])
            .starts_with(['\n', '\r']);
        let mut goes_on = !ended && !begun && !items.is_empty();
        // An empty item between commas stays, and names no move.
        let parts = if parts.is_empty() {
            vec![String::new()]
        } else {
            parts
        };
        for text in parts {
            items.push(Item { text, goes_on });
            goes_on = false;
        }
        ended = piece.trim_end_matches([' ', '\t']).ends_with(['\n', '\r']);
    }
    Ok(items)
}
