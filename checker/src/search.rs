//! One breadth-first search, with a plain set of the states met.

use std::collections::{HashMap, HashSet};

use foldhash::fast::FixedState;
use twox_hash::XxHash3_128;

use crate::rules::{MOST, Rules};

/// Figures of a level.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Level {
    pub states: u128,
    pub orbits: u128,
    pub digest: u128,
}

impl Level {
    /// Counts an orbit with its canonical key.
    pub fn add(&mut self, key: u128, states: u128) {
        self.join(&Self {
            states,
            orbits: 1,
            digest: hash(key),
        });
    }

    /// Counts a canonical state with its images, or any state by itself.
    pub fn count(&mut self, rules: &dyn Rules, state: u128, symmetry: bool) {
        let images = if symmetry { rules.orbit(state) } else { 1 };
        self.add(rules.key(state), images);
    }

    /// Counts the orbits of another level too.
    pub fn join(&mut self, other: &Self) {
        self.states += other.states;
        self.orbits += other.orbits;
        self.digest = self.digest.wrapping_add(other.digest);
    }

    /// Its members as files have them.
    pub fn told(&self) -> [String; 3] {
        let digest = format!("{:032x}", self.digest);
        [self.states.to_string(), self.orbits.to_string(), digest]
    }
}

/// XXH3-128 of the key's 16 bytes, little-endian.
pub fn hash(key: u128) -> u128 {
    XxHash3_128::oneshot(&key.to_le_bytes())
}

/// A set of states. States of 64 bits take no more than these. It grows share by share, so that at
/// most one share is held twice.
pub struct States {
    narrow: Vec<HashSet<u64, FixedState>>,
    wide: HashSet<u128, FixedState>,
}

impl Default for States {
    fn default() -> Self {
        Self {
            narrow: vec![HashSet::default(); 64],
            wide: HashSet::default(),
        }
    }
}

impl States {
    fn share(state: u64) -> usize {
        (state.wrapping_mul(0xd6e8_feb8_6659_fd93) >> 58) as usize
    }

    /// Whether a state is new.
    pub fn insert(&mut self, state: u128) -> bool {
        match u64::try_from(state) {
            Ok(state) => self.narrow[Self::share(state)].insert(state),
            Err(_) => self.wide.insert(state),
        }
    }

    pub fn contains(&self, state: u128) -> bool {
        match u64::try_from(state) {
            Ok(state) => self.narrow[Self::share(state)].contains(&state),
            Err(_) => self.wide.contains(&state),
        }
    }

    pub fn len(&self) -> usize {
        self.wide.len() + self.narrow.iter().map(HashSet::len).sum::<usize>()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A number by state.
pub type Numbers<T> = HashMap<T, u32, FixedState>;

/// What to search.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Question {
    pub roots: Vec<u128>,
    pub backward: bool,
    /// Whether canonical states represent their images.
    pub symmetry: bool,
    pub depth: Option<u32>,
    /// Whether to end after the first level with a solved state, or with this one.
    pub until: Option<Option<u128>>,
}

impl Question {
    /// For the nearest solved state.
    pub fn solving(state: u128) -> Self {
        Self {
            roots: vec![state],
            until: Some(None),
            ..Self::default()
        }
    }
}

/// The result of a search.
#[derive(Debug, Clone, Default)]
pub struct Found {
    pub levels: Vec<Level>,
    /// The states of each level, if requested; else only of the last.
    pub states: Vec<Vec<u128>>,
    /// Whether nothing lies beyond the last level.
    pub complete: bool,
    /// Level of the goal.
    pub met: Option<u32>,
}

/// Searches; `None` if there are more than [`MOST`] states, or the rules do not run backward.
pub fn search(rules: &dyn Rules, question: &Question, keep: bool) -> Option<Found> {
    let stand = |state| match question.symmetry {
        true => rules.canonical(state),
        false => state,
    };
    let mut known = States::default();
    let roots = question.roots.iter().map(|&root| stand(root));
    let mut level: Vec<u128> = roots.filter(|&root| known.insert(root)).collect();
    let mut found = Found::default();
    while !level.is_empty() {
        let mut row = Level::default();
        for &state in &level {
            row.count(rules, state, question.symmetry);
        }
        let depth = found.levels.len() as u32;
        found.levels.push(row);
        let is_goal = |goal| level.iter().any(|&state| rules.ends(state, goal));
        if question.until.is_some_and(is_goal) {
            found.met = Some(depth);
        }
        let (before, mut after) = (known.len(), Vec::new());
        let ends = found.met.is_some() || question.depth == Some(depth);
        for &state in level.iter().filter(|_| !ends) {
            let next = match question.backward {
                true => rules.before(state)?,
                false => rules.next(state),
            };
            let next = next.into_iter().map(stand);
            after.extend(next.filter(|&next| known.insert(next)));
            if before + after.len() > MOST {
                return None;
            }
        }
        if keep || after.is_empty() {
            found.states.push(level);
        }
        if ends {
            return Some(found);
        }
        level = after;
    }
    found.complete = true;
    Some(found)
}

/// Length of a shortest path to a solved state, depth first within a growing limit that no solution
/// can stay below (iterative deepening A*). None beyond a number of states.
pub fn deepening(rules: &dyn Rules, start: u128, most: u64) -> Option<u32> {
    let mut limit = rules.at_least(start)?;
    let mut left = most;
    loop {
        // States on the path, and the untried successors of each.
        let (mut path, mut open) = (vec![start], vec![vec![start]]);
        let mut beyond = u32::MAX;
        while let Some(state) = open.last_mut() {
            let Some(state) = state.pop() else {
                path.pop();
                open.pop();
                continue;
            };
            path.truncate(open.len() - 1);
            let length = path.len() as u32 + rules.at_least(state)?;
            if length > limit {
                beyond = beyond.min(length);
                continue;
            }
            if rules.solved(state) {
                return Some(path.len() as u32);
            }
            left = left.checked_sub(1)?;
            let mut next = rules.next(state);
            next.retain(|after| path.last() != Some(after));
            path.push(state);
            open.push(next);
        }
        limit = beyond;
    }
}
