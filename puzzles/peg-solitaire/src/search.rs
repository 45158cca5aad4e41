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

/// Which successors come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Guide {
    /// As [`Order`] says.
    Order,
    /// The same without the number of possible jumps: slower as a rule, but it finds
    /// some solutions that the other misses for long.
    OrderWithoutJumps,
}

/// One search.
struct Search<'a> {
    instance: &'a Instance,
    jumps: Jumps,
    order: Order,
    symmetries: Symmetries,
    tried: HashSet<u64>,
    guide: Guide,
    limit: usize,
}

/// Searches from the instance's start, and stops after `limit` positions (about 20
/// bytes each). Gives the outcome and the number of positions tried.
#[must_use]
pub fn search(instance: &Instance, guide: Guide, limit: usize) -> (Outcome, usize) {
    let board = instance.board();
    let mut search = Search {
        instance,
        jumps: Jumps::new(board),
        order: Order::new(board),
        symmetries: Symmetries::new(board.len(), instance.symmetries()),
        tried: HashSet::new(),
        guide,
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
            let jumps = match self.guide {
                Guide::Order => self.jumps.count(pegs),
                Guide::OrderWithoutJumps => 0,
            };
            next.push((self.order.of(pegs, jumps), pegs));
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
    use super::{Guide, Outcome, search};
    use crate::board::{Board, DRAWINGS, drawing};
    use crate::instances::{self, Finish, Instance};
    use crate::rules::Position;
    use puzzle_api::{Request, Settings};

    /// Each named board from where it starts, but for the largest, which takes longer.
    #[test]
    fn named_boards_are_solved_by_legal_jumps() {
        for drawing in DRAWINGS.iter().filter(|d| d.name != "wiegleb-45") {
            let request = Request {
                instance: drawing.name,
                settings: &Settings::new(),
            };
            let instance = instances::open(&request).unwrap();
            let Outcome::Solved(path) = search(&instance, Guide::Order, 1_000_000).0 else {
                panic!("{} was not solved", drawing.name);
            };
            assert_eq!(path[0], instance.start());
            for pair in path.windows(2) {
                let next = Position::of_key(instance.board(), pair[0]).successors();
                assert!(next.iter().any(|next| next.key() == pair[1]));
            }
            assert!(instance.is_solved(path[path.len() - 1]));
        }
    }

    #[test]
    fn what_is_impossible_and_what_is_too_much_differ() {
        let board = Board::read("square", "ooo\nooo\nooo", "here").unwrap();
        let square = Instance::new(board, 0o757, Finish::Any);
        assert_eq!(search(&square, Guide::Order, 1_000).0, Outcome::Impossible);
        let board = Board::read("english-33", drawing("english-33").unwrap().rows, "").unwrap();
        let start = board.full() & !(1 << 16);
        let english = Instance::new(board, start, Finish::Any);
        assert_eq!(search(&english, Guide::Order, 5).0, Outcome::Limit);
    }
}
