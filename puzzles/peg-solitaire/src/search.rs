//! A small depth-first search for one solution: successors by [`Order`], positions that
//! were tried, up to symmetry, not tried again. It serves the derivations of this crate;
//! the engines of the harness search any puzzle, with bounded memory.

use std::collections::HashSet;

use crate::bitboard::{Jumps, Order, Symmetries};
use crate::instances::Instance;

/// Outcome of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// Keys from the start to a solved position.
    Solved(Vec<u64>),
    /// No solved position can be reached: every position that can was tried.
    Impossible,
    /// The limit came first.
    Limit,
}

/// One search.
struct Search<'a> {
    instance: &'a Instance,
    jumps: Jumps,
    order: Order,
    symmetries: Symmetries,
    tried: HashSet<u64>,
    limit: usize,
}

/// Searches from the instance's start, and stops after `limit` positions (about 20
/// bytes each). Gives the outcome and the number of positions tried.
#[must_use]
pub fn search(instance: &Instance, limit: usize) -> (Outcome, usize) {
    let board = instance.board();
    let mut search = Search {
        instance,
        jumps: Jumps::new(board),
        order: Order::new(board),
        symmetries: Symmetries::new(board.len(), instance.symmetries()),
        tried: HashSet::new(),
        limit,
    };
    let mut path = vec![instance.start()];
    let outcome = match search.solve(&mut path) {
        Some(true) => Outcome::Solved(path),
        Some(false) => Outcome::Impossible,
        None => Outcome::Limit,
    };
    (outcome, search.tried.len())
}

impl Search<'_> {
    /// Whether a path can be finished, which it then is; `None` at the limit.
    fn solve(&mut self, path: &mut Vec<u64>) -> Option<bool> {
        let pegs = *path.last()?;
        if self.instance.is_solved(pegs) {
            return Some(true);
        }
        let mut next = Vec::new();
        self.jumps.successors(pegs, &mut |pegs| {
            next.push((self.order.of(pegs, self.jumps.count(pegs)), pegs));
        });
        next.sort_unstable();
        for (_, pegs) in next {
            if !self.tried.insert(self.symmetries.canonical(pegs)) {
                continue;
            }
            if self.tried.len() > self.limit {
                return None;
            }
            path.push(pegs);
            if self.solve(path)? {
                return Some(true);
            }
            path.pop();
        }
        Some(false)
    }
}

#[cfg(test)]
mod tests {
    use super::{Outcome, search};
    use crate::board::{Board, drawing};
    use crate::instances::{Finish, Instance};
    use crate::rules::Position;

    #[test]
    fn solutions_are_legal() {
        for (name, vacancy) in [("diamond-41", 1), ("english-33", 16), ("diamond-32", 15)] {
            let board = Board::read(name, drawing(name).unwrap().rows, name).unwrap();
            let start = board.full() & !(1 << vacancy);
            let (outcome, _) = search(&Instance::new(board.clone(), start, Finish::Any), 1_000_000);
            let Outcome::Solved(path) = outcome else {
                panic!("{name}: {outcome:?}");
            };
            for pair in path.windows(2) {
                let next = Position::of_key(&board, pair[0]).successors();
                assert!(next.iter().any(|next| next.key() == pair[1]));
            }
            assert_eq!(path[path.len() - 1].count_ones(), 1);
        }
    }

    #[test]
    fn what_is_impossible_and_what_is_too_much_differ() {
        let board = Board::read("square", "ooo\nooo\nooo", "here").unwrap();
        let square = Instance::new(board, 0o757, Finish::Any);
        assert_eq!(search(&square, 1_000).0, Outcome::Impossible);
        let board = Board::read("english-33", drawing("english-33").unwrap().rows, "").unwrap();
        let start = board.full() & !(1 << 16);
        let english = Instance::new(board, start, Finish::Any);
        assert_eq!(search(&english, 5).0, Outcome::Limit);
    }
}
