//! A path that a claim brings along: its moves by name, played on the rulebook.

use antipode_check::board;
use antipode_graph::{Expansion, Graph, move_names};
use antipode_reports::count;
use antipode_reports::model::{PATH_OF_CLAIM, Picture, PictureKind};
use antipode_search::breadth_first::BreadthFirst;
use antipode_search::engines::EngineError;
use antipode_search::forward::Goal;
use antipode_search::outcome::{FoundPath, Outcome};
use antipode_search::steps::Steps;
use foldhash::{HashSet, HashSetExt};
use puzzle_api::{Direction, Key};

use super::{Answer, Asked, Ending};
use crate::question::Place;

/// States whose moves are looked at for what names of moves are made of.
const LOOKED_AT: usize = 2000;

/// Moves of a state that a line names.
const MOST_NAMED: usize = 16;

/// Moves by their names, played on the rulebook from a board on: what is to be seen of them.
///
/// # Errors
/// A board or a move that is none, or is against the rules.
pub(crate) fn played(place: &Place, from: &str, moves: &str) -> Result<Picture, EngineError> {
    match place.library.key_words() {
        1 => strip::<u64>(place, from, moves),
        _ => strip::<u128>(place, from, moves),
    }
}

fn strip<K: Key>(place: &Place, from: &str, moves: &str) -> Result<Picture, EngineError> {
    let rules: Graph<K> = place.rules()?;
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

impl<K: Key> Asked<'_, K> {
    /// Finds out that the path that the claim brings along names moves, legal or not.
    pub(super) fn can_play(&self) -> Result<(), EngineError> {
        match &self.question.given {
            Some(moves) => Played::on(&self.rules, self.start, moves).map(drop),
            None => Ok(()),
        }
    }

    /// The path that the claim brings along.
    pub(super) fn given(&self) -> Result<Answer<K>, EngineError> {
        let moves = self.question.given.as_deref().unwrap_or_default();
        let played = Played::on(&self.rules, self.start, moves)?;
        let broken = match played.broken {
            Some(why) => Some((format!("a path that breaks at move {}", why.0), why.1)),
            None => self.elsewhere(&played.states)?,
        };
        let states = played.states;
        let (ending, searched, unchecked) = match broken {
            Some((what, why)) => (Ending::Broken { what, states }, why, None),
            None => (
                Ending::Searched(Outcome::Path(FoundPath {
                    states,
                    shortest: false,
                })),
                "the path of the claim, played on the rulebook".to_owned(),
                Some("a path shows that none longer is the shortest, and no more"),
            ),
        };
        Ok(Answer {
            ending,
            searched,
            disagreement: None,
            variants: self.rules.opened.variant.clone(),
            engine: PATH_OF_CLAIM,
            unchecked,
            analysis: None,
        })
    }

    /// What is found of a path that does not end where it should, and where it ends.
    fn elsewhere(&self, states: &[K]) -> Result<Option<(String, String)>, EngineError> {
        let last = states[states.len() - 1];
        let (there, what) = match self.goal {
            Goal::State(goal) => (last == goal, "which is not where it is to end"),
            Goal::Solved => (self.rules.is_solved(&[last])?[0], "which is not solved"),
        };
        if there {
            return Ok(None);
        }
        let moves = states.len() - 1;
        let why = format!(
            "the published path ends at {} after {}, {what}",
            self.rules.draw(last)?,
            count(moves, "moves")
        );
        Ok(Some(("a path that ends elsewhere".to_owned(), why)))
    }
}

/// A path as far as the rules allow it.
struct Played<K> {
    /// The states that its moves lead through.
    states: Vec<K>,
    /// The number of the first move that is against the rules, and why it is.
    broken: Option<(usize, String)>,
}

impl<K: Key> Played<K> {
    /// Plays moves from a state on.
    ///
    /// # Errors
    /// A text that cannot be the name of a move, and what the moves there are.
    fn on(rules: &Graph<K>, start: K, moves: &str) -> Result<Self, EngineError> {
        let (mut states, mut out) = (vec![start], Expansion::default());
        let names: Vec<&str> = moves.split(',').map(str::trim).collect();
        for (at, wanted) in names.iter().enumerate() {
            let last = states[states.len() - 1];
            rules.expand(Direction::Forward, &[last], &mut out)?;
            let name = |&next: &K| move_names(rules, &[last, next]).concat();
            if let Some(&next) = out.keys().iter().find(|next| name(next) == *wanted) {
                states.push(next);
                continue;
            }
            let there: Vec<String> = out.keys().iter().map(name).collect();
            let words = words(rules, &states)?;
            let odd = (at..).zip(&names[at..]);
            if let Some((odd, text)) = odd.into_iter().find(|(_, name)| !made_of(name, &words)) {
                return Err(EngineError::CannotHold(format!(
                    "{}: path: move {} is '{}', which names no move; after move {at} there {}",
                    rules.opened.full_name(),
                    odd + 1,
                    text.escape_debug(),
                    listed(&there)
                )));
            }
            let number = at + 1;
            let why = format!(
                "the published path breaks at move {number}: '{wanted}' is no move at {}, where there {}",
                rules.draw(last)?,
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

/// What the names of moves are made of, out of some states and those around them: a puzzle
/// names the moves that there are, and reads no names.
fn words<K: Key>(rules: &Graph<K>, from: &[K]) -> Result<HashSet<String>, EngineError> {
    let mut words = HashSet::new();
    let mut around = BreadthFirst::new(rules, &[Steps::FORWARD], from);
    let mut out = Expansion::default();
    let mut left = LOOKED_AT;
    while left > 0 && !around.level().is_empty() {
        for &state in around.level().iter().take(left) {
            rules.expand(Direction::Forward, &[state], &mut out)?;
            for &next in out.keys() {
                let name = move_names(rules, &[state, next]).concat();
                words.extend(name.split_whitespace().map(|word| sort(word).to_owned()));
            }
        }
        left = left.saturating_sub(around.level().len());
        around.advance()?;
    }
    Ok(words)
}

/// Whether a name is made of such words.
fn made_of(name: &str, words: &HashSet<String>) -> bool {
    !name.is_empty()
        && name
            .split_whitespace()
            .all(|word| words.contains(sort(word)))
}

/// The word that stands for all of its sort: any number is as good as another.
fn sort(word: &str) -> &str {
    match word.bytes().all(|byte| byte.is_ascii_digit()) {
        true => "0",
        false => word,
    }
}
