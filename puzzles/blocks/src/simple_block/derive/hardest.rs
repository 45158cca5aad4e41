//! The distances of the boards of a census, and the farthest that begin in the upper left corner.
//!
//! Engines find the distance of every board, wherever its goal piece is, but not which boards are
//! starting positions of puzzles. So the distances are computed here again, part by part, backward
//! from the solved boards. They are compared with the rulebook, all of them or a sample.

use puzzle_api::Numbering;
use puzzle_api::{BadInput, Figure, Puzzle, UNSOLVABLE, Xorshift};

use crate::simple_block::bitboard::Bits;
use crate::simple_block::rules::Rules;

type Begins = fn(&Bits, u64) -> bool;

/// Where the goal piece may begin: on the cell in the upper left corner, at the left edge and the
/// upper one, or anywhere.
const BEGINS: [(&str, Begins); 3] = [
    ("corner", |bits, key| bits.covers_first(key)),
    ("edges", |bits, key| bits.touches_first(key)),
    ("anywhere", |_, _| true),
];

/// The greatest distance among some boards, the number of boards that have it, and the least of
/// their keys.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Farthest {
    depth: u16,
    boards: u64,
    key: u64,
}

impl Farthest {
    fn see(&mut self, depth: u16, key: u64) {
        if depth > self.depth || self.boards == 0 {
            *self = Self {
                depth,
                boards: 1,
                key,
            };
        } else if depth == self.depth {
            self.boards += 1;
            self.key = self.key.min(key);
        }
    }
}

const SEED: u64 = 1;

/// In a census too large to compare every board with the rulebook, one in n is drawn.
const ONE_IN: u64 = 1024;

/// Whether every board of a census is compared with the rulebook: in censuses of up to 360,000.
fn is_small(board: &str, pieces: u64) -> bool {
    board != "4x4" || !(3..13).contains(&pieces)
}

/// The findings on a census.
#[derive(Debug, Default)]
pub struct Found {
    /// By where boards begin: the farthest, and a drawing of the first of them.
    farthest: [(Farthest, String); 3],
    boards: u64,
    unsolvable: u64,
    /// Boards compared with the rulebook.
    checked: u64,
    /// Number of these with another distance by its moves; and number of moves that lead outside
    /// the part.
    wrong: u64,
}

/// Finds the distances of all boards of n pieces.
pub fn find(board: &str, pieces: u64, goal: &str) -> Result<Found, BadInput> {
    let (instance, goal) = (&format!("{board}-n{pieces}"), [("goal", goal)]);
    let (bits, rules) = (
        Bits::opened(instance, &goal)?,
        Rules::opened(instance, &goal)?,
    );
    let mut farthest = [Farthest::default(); 3];
    let one_in = if is_small(board, pieces) { 1 } else { ONE_IN };
    let mut found = Found::default();
    for part in 0..bits.part_count() {
        let Some(keys) = bits.keys(part) else {
            continue;
        };
        let (distances, strays) = distances(&bits, &keys);
        found.boards += keys.len() as u64;
        found.wrong += strays;
        for (&key, &depth) in keys.iter().zip(&distances) {
            if depth == UNSOLVABLE {
                found.unsolvable += 1;
                continue;
            }
            for ((_, begins), farthest) in BEGINS.iter().zip(&mut farthest) {
                if depth >= farthest.depth && begins(&bits, key) {
                    farthest.see(depth, key);
                }
            }
        }
        for (at, &key) in keys.iter().enumerate() {
            if Xorshift::for_draw(SEED, key).below(one_in) == 0 {
                found.checked += 1;
                found.wrong += u64::from(!agrees(&rules, &keys, &distances, at));
            }
        }
    }
    found.farthest = farthest.map(|own| (own, bits.draw(&own.key)));
    Ok(found)
}

/// The distance of each board of a part, and the number of moves that lead outside it.
fn distances(bits: &Bits, keys: &[u64]) -> (Vec<u16>, u64) {
    let mut distances = vec![UNSOLVABLE; keys.len()];
    let solved = (0..keys.len()).filter(|&at| bits.is_solved(&keys[at]));
    let mut level: Vec<usize> = solved.collect();
    let (mut next, mut strays) = (Vec::new(), 0);
    level.iter().for_each(|&at| distances[at] = 0);
    for depth in 1.. {
        for at in level.drain(..) {
            bits.each_next(keys[at], |key| match keys.binary_search(&key) {
                Ok(at) if distances[at] == UNSOLVABLE => {
                    distances[at] = depth;
                    next.push(at);
                }
                Ok(_) => {}
                Err(_) => strays += 1,
            });
        }
        if next.is_empty() {
            break;
        }
        std::mem::swap(&mut level, &mut next);
    }
    (distances, strays)
}

/// Whether a distance is one more than the least of the rulebook's successors, and 0 if the board
/// is solved.
fn agrees(rules: &Rules, keys: &[u64], distances: &[u16], at: usize) -> bool {
    let board = rules.state(keys[at]);
    let mut least = Some(UNSOLVABLE);
    rules.successors(&board, &mut |next| {
        let next = keys.binary_search(&rules.key(&next)).ok();
        least = least.and_then(|least| Some(least.min(distances[next?])));
    });
    let right = match least {
        _ if rules.is_solved(&board) => Some(0),
        Some(UNSOLVABLE) => Some(UNSOLVABLE),
        least => least.map(|least| least + 1),
    };
    right == Some(distances[at])
}

/// The greatest distances of boards with a given beginning, in each census, and the other findings.
pub fn figures(all: &[Found], begin: &str) -> Vec<Figure> {
    let begin = BEGINS.iter().position(|(name, _)| *name == begin);
    let begin = begin.unwrap_or_default();
    let joined = |of: &dyn Fn(&Found) -> String| {
        let all: Vec<String> = all.iter().map(of).collect();
        all.join(", ")
    };
    let own = |found: &Found| found.farthest[begin].0;
    let any = |found: &Found| found.farthest[BEGINS.len() - 1].0;
    let sum = |of: fn(&Found) -> u64| all.iter().map(of).sum::<u64>();
    let mut figures = vec![
        Figure::new("value", joined(&|found| own(found).depth.to_string())),
        Figure::new(
            "boards as far",
            joined(&|found| own(found).boards.to_string()),
        ),
    ];
    figures.extend(all.iter().map(|found| {
        let (own, board) = &found.farthest[begin];
        Figure::new(format!("the first with {} moves", own.depth), board)
    }));
    let anywhere = joined(&|found| any(found).depth.to_string());
    figures.push(Figure::new("wherever the goal piece begins", anywhere));
    figures.push(Figure::new("boards in all", sum(|found| found.boards)));
    figures.push(Figure::new(
        "of these unsolvable",
        sum(|found| found.unsolvable),
    ));
    let (checked, wrong) = (sum(|found| found.checked), sum(|found| found.wrong));
    if checked < sum(|found| found.boards) || wrong > 0 {
        figures.push(Figure::new("sampled", checked));
        figures.push(Figure::new("wrong", wrong));
        let drawn = "Boards drawn at random and their neighbours on the rulebook";
        figures.push(Figure::new("drawn", drawn));
    }
    figures
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_distance_is_found_by_the_rulebook() {
        let bits = Bits::opened("3x3-n4", &[]).unwrap();
        let rules = Rules::opened("3x3-n4", &[]).unwrap();
        let mut planted = 0;
        for part in 0..bits.part_count() {
            let keys = bits.keys(part).unwrap();
            let (mut distances, strays) = distances(&bits, &keys);
            assert_eq!(strays, 0);
            for at in 0..keys.len() {
                assert!(agrees(&rules, &keys, &distances, at), "{:x}", keys[at]);
                let right = distances[at];
                for wrong in [right.wrapping_add(1), right.wrapping_sub(1)] {
                    distances[at] = wrong;
                    assert!(!agrees(&rules, &keys, &distances, at), "{:x}", keys[at]);
                    planted += 1;
                }
                distances[at] = right;
            }
        }
        assert!(planted > 1000, "{planted}");
    }
}
