//! The evaluation of a beam: how far the pieces with a goal are from it, and which big pieces block
//! their way directly.

use std::collections::VecDeque;
use std::ops::BitOr;

use puzzle_api::{FeatureSpace, Hint, Hints};

use super::Bits;
use super::masks::SYMBOLS;
use crate::sliding_block::board::{Board, Places};

/// Weight of a row or column to the goal, relative to a cell of a big piece in the way of the next
/// two steps.
const AWAY: u64 = 24;
/// Weight of a big piece in the way of the next step.
const IN_THE_WAY: u64 = 2;

#[derive(Debug)]
struct Aim {
    symbol: usize,
    /// By the open cell of its place.
    before: Vec<Before>,
}

/// The distance and obstacles between a piece and its goal.
#[derive(Debug, Default, Clone)]
struct Before {
    /// Rows or columns to the goal, whichever are more: a sideways step does not count as a step
    /// back.
    away: u64,
    /// Cells, as bits of open ones, that one step towards the goal would newly cover.
    front: u128,
    /// Those that one or two such steps would newly cover.
    ahead: u128,
}

/// The order of a board's positions.
#[derive(Debug)]
pub struct GoalEvaluation {
    aims: Vec<Aim>,
    /// Symbols of big pieces without a goal, each with the cells that its pieces cover by their place.
    big: Vec<(usize, Vec<u128>)>,
}

impl Aim {
    /// The piece of a kind, if it has a goal.
    fn new(board: &Board, kind: usize) -> Option<Self> {
        let (grid, covers) = (&board.grid, board.covers(kind));
        let goal = grid.number(board.kinds[kind].goal?);
        let apart = |a: usize, b: usize| {
            let [a, b] = [a, b].map(|place| grid.row_column(grid.open[place]));
            (a.0.abs_diff(b.0), a.1.abs_diff(b.1))
        };
        let away = |place: usize| {
            let (rows, columns) = apart(place, goal);
            rows.max(columns) as u64
        };
        let is_step = |here, to| covers[to] != 0 && matches!(apart(here, to), (0, 1) | (1, 0));
        let all = 0..covers.len();
        let next = |here| all.clone().filter(move |&to| is_step(here, to)).collect();
        let next: Vec<Vec<usize>> = all.clone().map(next).collect();
        let mut steps = vec![u64::MAX; covers.len()];
        steps[goal] = 0;
        let mut queue = VecDeque::from([goal]);
        while let Some(here) = queue.pop_front() {
            for &to in &next[here] {
                if steps[to] == u64::MAX {
                    steps[to] = steps[here] + 1;
                    queue.push_back(to);
                }
            }
        }
        // Cells to which one step leads nearer: by rows and columns, or by steps if a corner is in
        // the way.
        let nearer = |here: usize| -> Vec<usize> {
            let by = |measure: &dyn Fn(usize) -> u64| {
                let next = next[here].iter().copied();
                next.filter(|&to| measure(to) < measure(here))
                    .collect::<Vec<_>>()
            };
            let by_lines = by(&away);
            match by_lines.is_empty() {
                true => by(&|at| steps[at]),
                false => by_lines,
            }
        };
        let before = all.map(|here| {
            let next = nearer(here);
            let front = next.iter().map(|&to| covers[to]).fold(0, BitOr::bitor);
            let second = next.into_iter().flat_map(nearer);
            let ahead = second.map(|to| covers[to]).fold(front, BitOr::bitor);
            Before {
                away: away(here),
                front: front & !covers[here],
                ahead: ahead & !covers[here],
            }
        });
        Some(Self {
            symbol: kind + 1,
            before: before.collect(),
        })
    }
}

impl GoalEvaluation {
    /// The order on a board.
    pub fn new(board: &Board) -> Self {
        let kinds = 0..board.kinds.len();
        let is_big = |&kind: &usize| {
            let kind = &board.kinds[kind];
            kind.goal.is_none() && !kind.shape.is_little()
        };
        let big = kinds.clone().filter(is_big);
        Self {
            aims: kinds.filter_map(|kind| Aim::new(board, kind)).collect(),
            big: big.map(|kind| (kind + 1, board.covers(kind))).collect(),
        }
    }

    fn of(&self, places: &impl Places) -> u64 {
        let aims = self.aims.iter().map(|aim| {
            let before = &aim.before[places.of(aim.symbol).next().unwrap_or(0)];
            let mut way = AWAY * before.away;
            for (symbol, covers) in &self.big {
                for place in places.of(*symbol) {
                    way += IN_THE_WAY * u64::from(covers[place] & before.front != 0);
                    way += u64::from((covers[place] & before.ahead).count_ones());
                }
            }
            way
        });
        aims.sum()
    }
}

impl Places for [u64; SYMBOLS] {
    fn of(&self, symbol: usize) -> impl Iterator<Item = usize> {
        let mut left = self[symbol];
        std::iter::from_fn(move || {
            let at = left.trailing_zeros();
            left &= left.wrapping_sub(1);
            (at < u64::BITS).then_some(at as usize)
        })
    }
}

impl Hints for Bits {
    fn has_hint(&self, _: Hint) -> bool {
        true
    }

    fn hint(&self, hint: Hint, states: &[u128], out: &mut Vec<u64>) {
        let mut buckets = states.iter().map(|&state| self.big_order(state) as u64);
        let (board, evaluation) = (&self.game.board, &self.evaluation);
        match (hint, &self.masks) {
            (Hint::Bucket, _) => out.extend(buckets),
            (Hint::DiversityClass, Some(masks)) => masks.places(states, &mut |places| {
                let order = buckets.next().unwrap_or_default();
                out.push(board.diversity_class(order, places));
            }),
            (Hint::MoveOrder, Some(masks)) => {
                masks.places(states, &mut |places| out.push(evaluation.of(places)));
            }
            (_, None) => out.extend(states.iter().zip(buckets).map(|(&state, order)| {
                let places = &board.places(&self.cells(state));
                match hint {
                    Hint::MoveOrder => evaluation.of(places),
                    _ => board.diversity_class(order, places),
                }
            })),
        }
    }

    fn feature_space(&self) -> Option<FeatureSpace> {
        Some(self.game.board.feature_space())
    }

    fn features(&self, states: &[u128], out: &mut Vec<u32>) {
        let board = &self.game.board;
        match &self.masks {
            Some(masks) => masks.places(states, &mut |places| board.features(places, out)),
            None => states.iter().for_each(|&state| {
                board.features(&board.places(&self.cells(state)), out);
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use puzzle_api::{Hint, Hints, Puzzle};

    use crate::sliding_block::Bits;
    use crate::sliding_block::instances::shipped;

    #[test]
    fn both_ways_to_find_the_order_agree() {
        for board in shipped() {
            let mut bits = Bits::opened(board.name, &[]).expect("ships");
            let mut keys = Vec::new();
            bits.starts(&mut |start| keys.push(start));
            for at in 0..200 {
                let Some(&key) = keys.get(at) else { break };
                bits.successors(&key, &mut |next| keys.push(next));
            }
            let answers = |bits: &Bits| {
                let (mut numbers, mut features) = (Vec::new(), Vec::new());
                bits.hint(Hint::MoveOrder, &keys, &mut numbers);
                bits.hint(Hint::DiversityClass, &keys, &mut numbers);
                assert_eq!(numbers.len(), 2 * keys.len());
                bits.features(&keys, &mut features);
                (numbers, features)
            };
            let fast = answers(&bits);
            let space = bits.feature_space().expect("features");
            assert_eq!(fast.1.len(), keys.len() * (1 + space.each as usize));
            for state in fast.1.chunks(1 + space.each as usize) {
                assert!(state[0] < space.settings);
                assert!(state[1..].iter().all(|&number| number < space.features));
                assert!(state[1..].is_sorted());
            }
            bits.0.masks = None;
            assert_eq!(fast, answers(&bits));
        }
    }

    #[test]
    fn nearer_the_goal_is_more_promising() {
        let bits = Bits::opened("climb-12", &[]).expect("ships");
        let mut start = None;
        bits.starts(&mut |key| start = Some(key));
        // The T is four rows below its goal. A corner is in the way of its next step; with another
        // one, two cells of either are in the way of its next two.
        let mut order = Vec::new();
        bits.hint(Hint::MoveOrder, &[start.expect("a start")], &mut order);
        assert_eq!(order, [24 * 4 + 2 + 4]);
    }
}
