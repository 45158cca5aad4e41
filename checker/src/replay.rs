//! Paths, replayed.

use serde_json::Value;

use crate::rules::Rules;
use crate::search::{Numbers, Question, search};
use crate::shown::{OrWrong, Stop, list};

/// A path that was replayed.
pub struct Path {
    pub states: Vec<u128>,
    pub ends: (u128, u128),
    pub moves: usize,
}

impl Path {
    /// Whether its moves have these names, as far as there are names and moves.
    pub fn is_named(&self, rules: &dyn Rules, names: &[&str]) -> bool {
        let mut steps = self.states.windows(2).zip(names);
        steps.all(|(step, name)| rules.name(step[0], step[1]).as_deref() == Some(name))
    }

    /// Finds a move that leads further on than to the next state: then it is no shortest path.
    pub fn has_no_detour(&self, rules: &dyn Rules) -> Result<(), Stop> {
        let places: Numbers<u128> = self.states.iter().copied().zip(0..).collect();
        let direct = |(at, &state): (u32, &u128)| {
            let mut next = rules.next(state).into_iter().chain([state]);
            next.all(|next| places.get(&next).is_none_or(|&place| place <= at + 1))
        };
        let direct = (0..).zip(&self.states).all(direct);
        direct.or_wrong("the path goes round: it is no shortest")
    }
}

/// Checks that no path leads from one state to another.
pub fn no_path(rules: &dyn Rules, (from, to): (u128, u128)) -> Result<(), Stop> {
    let question = Question {
        until: Some(Some(to)),
        ..Question::solving(from)
    };
    let found = search(rules, &question, false);
    let beyond = "that no path is among more states than are searched here";
    found.is_some().or_unknown(beyond)?;
    let none = found.is_some_and(|found| found.met.is_none() && found.complete);
    none.or_wrong("there is a path")
}

/// Checks a path of the certificate: each state is a move from the one before, with that name.
pub fn replayed(rules: &dyn Rules, picture: &Value) -> Result<Path, Stop> {
    let strip = &picture["strip"];
    let (states, labels) = (list(&strip["states"]), list(&strip["labels"]));
    (labels.len() + 1 == states.len()).or_wrong("as many moves as states")?;
    let mut path = Vec::new();
    for state in states {
        let text = state.as_str().unwrap_or_default();
        let state = rules.state(text)?;
        (rules.draw(state) == text).or_wrong(format!("{text:?} is drawn otherwise"))?;
        path.push(state);
    }
    for (i, step) in path.windows(2).enumerate() {
        let legal = rules.next(step[0]).contains(&step[1]);
        legal.or_wrong(format!("move {} is against the rules", i + 1))?;
        let name = rules.name(step[0], step[1]);
        let same = labels[i].as_str() == name.as_deref();
        same.or_wrong(format!("move {} is {name:?}", i + 1))?;
    }
    Ok(Path {
        ends: (path[0], path[labels.len()]),
        moves: labels.len(),
        states: path,
    })
}
