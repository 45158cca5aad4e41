//! The effect of presses, by elimination over the whole numbers modulo the number of states of a
//! light. These are a field only if the number of states is prime. Else a pivot need not have an
//! inverse, but can be made to divide the number of states.

use std::collections::BTreeSet;

use super::Rules;
use super::rules::Lights;

/// Most sets of presses without effect that are listed.
const MOST: usize = 8192;

/// The effect of some presses, and the presses themselves.
type Row = (Lights, Lights);

/// Adds a multiple of a row to another.
fn add(to: &mut Row, row: &Row, times: u8, states: u8) {
    if times == 0 {
        return;
    }
    let add = |to: &mut Lights, row: &Lights| {
        for (to, &amount) in to.iter_mut().zip(row) {
            match states {
                2 => *to ^= amount,
                _ => *to = (*to + times * amount) % states,
            }
        }
    };
    add(&mut to.0, &row.0);
    add(&mut to.1, &row.1);
}

/// Combinations of effects in echelon form: at most one row begins with each light, by a number
/// that divides the number of states. Also sets of presses that switch nothing, of which all others
/// are sums.
#[derive(Debug)]
pub struct Stairs {
    states: u8,
    /// The first light of each row.
    pivots: Vec<(usize, Row)>,
    /// Sets of presses that switch nothing.
    pub quiet: Vec<Lights>,
}

impl Stairs {
    /// By the effect of each of some presses.
    pub fn new(presses: Vec<Lights>, states: u8) -> Self {
        let (count, lights) = (presses.len(), presses.first().map_or(0, Vec::len));
        let with_own = |(at, effect)| {
            let mut own = vec![0; count];
            own[at] = 1;
            (effect, own)
        };
        let mut rows: Vec<Row> = presses.into_iter().enumerate().map(with_own).collect();
        let mut pivots = Vec::new();
        for light in 0..lights {
            // Euclid: the row with the least number there is subtracted from the others.
            let pivot = loop {
                let begin = |at: &usize| rows[*at].0[light] > 0;
                let Some(least) = (0..rows.len())
                    .filter(begin)
                    .min_by_key(|&at| rows[at].0[light])
                else {
                    break None;
                };
                rows.swap(0, least);
                let row = rows.remove(0);
                let by = row.0[light];
                for other in &mut rows {
                    let times = (states - other.0[light] / by % states) % states;
                    add(other, &row, times, states);
                }
                // If the number does not divide the number of states, the remainder is smaller.
                let mut rest = (row.0.clone(), row.1.clone());
                let times = states.div_ceil(by);
                add(&mut rest, &row, times - 1, states);
                let exact = states.is_multiple_of(by);
                if exact && rows.iter().all(|other| other.0[light] == 0) {
                    rows.extend((by > 1).then_some(rest));
                    break Some(row);
                }
                // The row is a multiple of what is left of it, unless both numbers have a divisor.
                let stays = |by| times.is_multiple_of(by) && states.is_multiple_of(by);
                rows.extend((exact || (2..=times).any(stays)).then_some(row));
                rows.extend((!exact).then_some(rest));
            };
            pivots.extend(pivot.map(|row| (light, row)));
        }
        let quiet = rows.into_iter().map(|(_, presses)| presses);
        Self {
            states,
            pivots,
            quiet: quiet
                .filter(|presses| presses.iter().any(|times| *times > 0))
                .collect(),
        }
    }

    /// Presses that make a board from a dark one, if there are any.
    fn making(&self, board: &Lights) -> Option<Lights> {
        let mut left = (board.clone(), vec![0; board.len()]);
        for (light, row) in &self.pivots {
            let (have, by) = (left.0[*light], row.0[*light]);
            if have % by != 0 {
                return None;
            }
            add(
                &mut left,
                row,
                (self.states - have / by) % self.states,
                self.states,
            );
        }
        let made = left.0.iter().all(|light| *light == 0);
        made.then(|| {
            left.1
                .iter()
                .map(|times| (self.states - times) % self.states)
                .collect()
        })
    }
}

/// Weights of the lights with which no press changes the weighted sum, modulo the number of states.
/// A board whose weighted sum is 0 with all of them can be made by presses.
pub fn invariants(rules: &Rules) -> Vec<Lights> {
    let presses = rules.presses();
    let turned = |light| presses.iter().map(|press: &Lights| press[light]).collect();
    let turned = (0..rules.lights()).map(turned).collect();
    Stairs::new(turned, rules.states).quiet
}

/// The fewest presses that put boards out. Their order does not matter, so the ways to switch a
/// board off are one of them plus each set of presses that switches nothing.
#[derive(Debug)]
pub struct Fewest {
    stairs: Stairs,
    /// All sets of presses that switch nothing; only the empty one if they are too many.
    quiet: Vec<Lights>,
    /// Whether `quiet` has all.
    exact: bool,
}

impl Fewest {
    /// The sets for the boards of an instance.
    pub fn new(rules: &Rules) -> Self {
        let stairs = Stairs::new(rules.presses(), rules.states);
        let none = vec![0; rules.lights()];
        let mut quiet = BTreeSet::from([none.clone()]);
        let mut exact = true;
        for one in &stairs.quiet {
            let mut sum = one.clone();
            let known = quiet.clone();
            while !known.contains(&sum) && exact {
                exact = quiet.len() + known.len() <= MOST;
                let plus = |other: &Lights| {
                    let pairs = other.iter().zip(&sum);
                    pairs
                        .map(|(a, b)| (a + b) % rules.states)
                        .collect::<Lights>()
                };
                quiet.extend(known.iter().map(plus));
                sum = sum
                    .iter()
                    .zip(one)
                    .map(|(a, b)| (a + b) % rules.states)
                    .collect();
            }
        }
        Self {
            stairs,
            quiet: if exact {
                quiet.into_iter().collect()
            } else {
                vec![none]
            },
            exact,
        }
    }

    /// The fewest presses that switch a board off, or 0 if there are too many ways; `None` if there
    /// is none.
    pub fn of(&self, board: &Lights) -> Option<u32> {
        let states = self.stairs.states;
        let making = self.stairs.making(
            &board
                .iter()
                .map(|light| (states - light) % states)
                .collect(),
        )?;
        if !self.exact {
            return Some(0);
        }
        let count = |quiet: &Lights| -> u32 {
            let pairs = quiet.iter().zip(&making);
            pairs.map(|(a, b)| u32::from((a + b) % states)).sum()
        };
        self.quiet.iter().map(count).min()
    }
}
