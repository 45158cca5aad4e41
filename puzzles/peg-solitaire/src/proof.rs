//! Proofs, found without a search, that no sequence of jumps leads from one position to another.
//! The cheapest first: a position class (`class`), then a pagoda function (`pagoda`).
//! Each is a [`Certificate`] of whole numbers. [`mod@check`] checks its text without knowing how it
//! was found or anything else of this crate.
//!
//! A certificate is one line of JSON:
//! ```json
//! {"from": "oo.o", "goal": "any", "proofs": [{"rule": "pagoda", "weights": [1, …], "to": ["o..."]}]}
//! ```
//! `from` and `to` are drawings, `goal` is a drawing or `any` (one peg, anywhere). A board given by
//! its lines has `lines`, the numbers from 0 of every three holes in a row; `weights` has one
//! number per hole, in scanning order. Rule `parity`: every three holes in a row weigh an even
//! amount together, so a jump, which flips three, keeps the pegs' weight odd or even. `from` and
//! `to` differ in it. Rule `pagoda`: in every jump of a over b into c, weight a + weight b >=
//! weight c, so the pegs' weight never grows. `from` weighs less than `to`.

pub mod check;
mod class;
pub(crate) mod pagoda;

use serde::{Deserialize, Serialize};

use crate::board::Board;

/// Why a position cannot be reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Rule {
    /// A weight that no jump changes between odd and even: `class`.
    Parity,
    /// A weight that no jump increases: `pagoda`.
    Pagoda,
}

/// One weight per hole, and the positions that it shows to be unreachable.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proof {
    /// The meaning of the weights.
    pub rule: Rule,
    /// One number per hole, in scanning order.
    pub weights: Vec<i64>,
    /// Drawings of the positions.
    pub to: Vec<String>,
}

/// A proof that no goal can be reached.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Certificate {
    /// Drawing of the position started from.
    pub from: String,
    /// Drawing of the goal, or `any`: one peg, anywhere.
    pub goal: String,
    /// Every three holes in a row, of a board by its lines.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<[usize; 3]>,
    /// Together they exclude every goal.
    pub proofs: Vec<Proof>,
}

impl Certificate {
    /// The line of JSON that [`check::check`] takes.
    pub fn json(&self) -> String {
        // A tree of strings and numbers cannot fail to be written.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Why the goal is unreachable, in a line.
    pub fn reason(&self) -> String {
        let count = |rule| {
            let proofs = self.proofs.iter().filter(|proof| proof.rule == rule);
            proofs.map(|proof| proof.to.len()).sum::<usize>()
        };
        let (class, pagoda) = (count(Rule::Parity), count(Rule::Pagoda));
        match (self.goal.as_str(), class, pagoda) {
            ("any", class, 0) => format!(
                "the position is in the class of none of the {class} single pegs (rule of three)"
            ),
            ("any", 0, pagoda) => {
                format!("pagoda functions keep the position from each of the {pagoda} single pegs")
            }
            ("any", class, pagoda) => format!(
                "of the {} single pegs, {class} are in another position class (rule of three), and \
                 pagoda functions keep the position from the other {pagoda}",
                class + pagoda
            ),
            (_, _, 0) => "start and goal are in different position classes (rule of three)".into(),
            _ => "a pagoda function is smaller at the start than at the goal".into(),
        }
    }
}

/// The goal to be refuted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Goal {
    /// One peg, wherever.
    Any,
    /// The position with this key.
    Position(u64),
}

/// Tries to prove that no goal can be reached from a position (keys). `None` says
/// nothing. Takes milliseconds for one goal, a fraction of a second for any.
pub fn refute(board: &Board, from: u64, goal: Goal) -> Option<Certificate> {
    let goals: Vec<u64> = match goal {
        Goal::Position(to) => vec![to],
        Goal::Any => (0..board.len()).map(|hole| 1 << hole).collect(),
    };
    let mut proofs: Vec<Proof> = Vec::new();
    let apart = |&to: &u64| class::separate(board, from, to).is_some();
    let (excluded, open): (Vec<u64>, Vec<u64>) = goals.into_iter().partition(apart);
    for to in open {
        if !extend(board, from, to, &mut proofs) {
            let weights = pagoda::separate(board, from, to)?;
            proofs.push(Proof {
                rule: Rule::Pagoda,
                weights,
                to: vec![board.draw(to)],
            });
        }
    }
    for to in excluded {
        if !extend(board, from, to, &mut proofs) {
            proofs.push(Proof {
                rule: Rule::Parity,
                weights: class::separate(board, from, to)?,
                to: vec![board.draw(to)],
            });
        }
    }
    Some(Certificate {
        from: board.draw(from),
        goal: match goal {
            Goal::Any => "any".into(),
            Goal::Position(to) => board.draw(to),
        },
        lines: board.threes().unwrap_or_default().to_vec(),
        proofs,
    })
}

/// Adds a position to the first proof that excludes it as well, if one does.
fn extend(board: &Board, from: u64, to: u64, proofs: &mut [Proof]) -> bool {
    let excludes = |proof: &&mut Proof| {
        let (start, end) = (value(&proof.weights, from), value(&proof.weights, to));
        match proof.rule {
            Rule::Parity => (start - end) % 2 != 0,
            Rule::Pagoda => start < end,
        }
    };
    match proofs.iter_mut().find(excludes) {
        Some(proof) => proof.to.push(board.draw(to)),
        None => return false,
    }
    true
}

/// The weight of all pegs of a key.
pub fn value(weights: &[i64], pegs: u64) -> i64 {
    let holes = weights.iter().enumerate();
    holes
        .filter(|(hole, _)| pegs >> hole & 1 == 1)
        .map(|(_, weight)| weight)
        .sum()
}

#[cfg(test)]
mod tests;
