//! The evaluation of a beam: how far the pieces with a goal are from it, and which big pieces block
//! their way directly.

use std::collections::VecDeque;
use std::ops::BitOr;

use puzzle_api::{FeatureSpace, Hint, Hints};

use super::Bits;
use crate::sliding_block::board::{Board, Cells, diversity_class};

/// Weight of a row or column to the goal, relative to a cell of a big piece in the way of the next
/// two steps.
const AWAY: u64 = 24;
/// Weight of a big piece in the way of the next step.
const IN_THE_WAY: u64 = 2;

/// A piece with a goal.
#[derive(Debug)]
struct Aim {
    /// Its kind.
    kind: usize,
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
    /// Big kinds without a goal, each with the cells that its pieces cover by their place.
    big: Vec<(usize, Vec<u128>)>,
}

/// Fewest steps from each of n cells to a given one, where steps lead to some cells from each.
fn steps_to(goal: usize, from: &dyn Fn(usize) -> Vec<usize>, cells: usize) -> Vec<u64> {
    let mut steps = vec![u64::MAX; cells];
    steps[goal] = 0;
    let mut queue = VecDeque::from([goal]);
    while let Some(here) = queue.pop_front() {
        for to in from(here) {
            if steps[to] == u64::MAX {
                steps[to] = steps[here] + 1;
                queue.push_back(to);
            }
        }
    }
    steps
}

impl Aim {
    /// The piece of a kind, if it has a goal.
    fn new(board: &Board, kind: usize) -> Option<Self> {
        let place = |cell: usize| board.grid.row_column(cell);
        let apart = |a: (usize, usize), b: (usize, usize)| (a.0.abs_diff(b.0), a.1.abs_diff(b.1));
        let far = |(rows, columns): (usize, usize)| rows.max(columns);
        let goal = board.kinds[kind].goal?;
        let goal_at = board.grid.open_cells().position(|cell| cell == goal)?;
        let goal = place(goal);
        let open: Vec<_> = board.grid.open_cells().map(place).collect();
        let covers = board.covers(kind);
        let away = |at: usize| far(apart(open[at], goal)) as u64;
        let is_step = |&(here, to): &(usize, usize)| {
            let (rows, columns) = apart(open[here], open[to]);
            covers[to] != 0 && rows + columns == 1
        };
        let steps = steps_to(
            goal_at,
            &|here| {
                let others = (0..open.len()).map(|to| (here, to)).filter(is_step);
                others.map(|(_, to)| to).collect()
            },
            open.len(),
        );
        // Cells to which one step leads nearer: by rows and columns, or by steps if a corner is in
        // the way.
        let nearer = |here: usize| -> Vec<usize> {
            let by = |measure: &dyn Fn(usize) -> u64| {
                let steps = (0..open.len()).map(|to| (here, to)).filter(is_step);
                let nearer = steps.filter(|&(_, to)| measure(to) < measure(here));
                nearer.map(|(_, to)| to).collect::<Vec<_>>()
            };
            let by_lines = by(&away);
            if by_lines.is_empty() {
                by(&|at| steps[at])
            } else {
                by_lines
            }
        };
        let before = (0..open.len()).map(|here| {
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
            kind,
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
            big: big.map(|kind| (kind, board.covers(kind))).collect(),
        }
    }

    /// By the first cells of each symbol, as bits of open cells.
    fn of_places(&self, of: &[u64]) -> u64 {
        self.of(&|kind: usize| Bits64(of[kind + 1]))
    }

    /// The cells of the pieces with a goal, by the first cells of each symbol.
    fn aims_of_places(&self, of: &[u64]) -> impl Iterator<Item = usize> {
        let aims = self.aims.iter();
        aims.map(|aim| of[aim.kind + 1].trailing_zeros() as usize)
    }

    /// The setting of a position and its features, as in [`Board::features`], by the first cells of
    /// each of n symbols, on m open cells.
    fn features_of_places(&self, of: &[u64], cells: u32, out: &mut Vec<u32>) {
        out.push(self.aims_of_places(of).next().unwrap_or(0) as u32);
        for (first, &of) in (0..).step_by(cells as usize).zip(of) {
            out.extend(Bits64(of).map(|cell| first + cell as u32));
        }
    }

    /// From a position cell by cell.
    fn of_cells(&self, board: &Board, cells: &Cells) -> u64 {
        let open: Vec<usize> = board.grid.open_cells().collect();
        let anchors = board.anchors_by_kind(cells);
        let number = |cell: &usize| open.binary_search(cell).unwrap_or(0);
        let of_kind = |kind: usize| anchors[kind].iter().map(number);
        self.of(&of_kind)
    }

    fn of<I: Iterator<Item = usize>>(&self, of_kind: &impl Fn(usize) -> I) -> u64 {
        let aims = self.aims.iter().map(|aim| {
            let before = &aim.before[of_kind(aim.kind).next().unwrap_or(0)];
            let mut way = AWAY * before.away;
            for (kind, covers) in &self.big {
                for cell in of_kind(*kind) {
                    way += IN_THE_WAY * u64::from(covers[cell] & before.front != 0);
                    way += u64::from((covers[cell] & before.ahead).count_ones());
                }
            }
            way
        });
        aims.sum()
    }
}

/// Places of the bits of a word.
struct Bits64(u64);

impl Iterator for Bits64 {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let at = self.0.trailing_zeros();
        self.0 &= self.0.wrapping_sub(1);
        (at < u64::BITS).then_some(at as usize)
    }
}

impl Hints for Bits {
    fn has_hint(&self, _: Hint) -> bool {
        true
    }

    fn hint(&self, hint: Hint, states: &[u128], out: &mut Vec<u64>) {
        let bucket = |state: u128| self.big_order(state) as u64;
        match (hint, &self.masks) {
            (Hint::Bucket, _) => out.extend(states.iter().map(|&state| bucket(state))),
            (Hint::DiversityClass, Some(masks)) => {
                let mut orders = states.iter().map(|&state| bucket(state));
                masks.places(states, &mut |of| {
                    let order = orders.next().unwrap_or_default();
                    out.push(diversity_class(order, self.evaluation.aims_of_places(of)));
                });
            }
            (Hint::DiversityClass, None) => out.extend(states.iter().map(|&state| {
                self.game
                    .board
                    .diversity_class(bucket(state), &self.cells(state))
            })),
            (Hint::MoveOrder, Some(masks)) => {
                masks.places(states, &mut |of| out.push(self.evaluation.of_places(of)));
            }
            (Hint::MoveOrder, None) => out.extend(states.iter().map(|&state| {
                self.evaluation
                    .of_cells(&self.game.board, &self.cells(state))
            })),
        }
    }

    fn feature_space(&self) -> Option<FeatureSpace> {
        Some(self.game.board.feature_space())
    }

    fn features(&self, states: &[u128], out: &mut Vec<u32>) {
        let Some(masks) = &self.masks else {
            let features = states
                .iter()
                .map(|&state| self.game.board.features(&self.cells(state)));
            return out.extend(features.flatten());
        };
        let cells = self.game.board.feature_space().settings;
        let symbols = 1 + self.game.board.kinds.len();
        masks.places(states, &mut |of| {
            self.evaluation
                .features_of_places(&of[..symbols], cells, out);
        });
    }
}

#[cfg(test)]
mod tests {
    use puzzle_api::{Hint, Hints, Puzzle};

    use crate::metric::Metric;
    use crate::sliding_block::instances::{Instance, named, shipped};

    #[test]
    fn both_ways_to_find_the_order_agree() {
        for board in shipped() {
            let board = named(board.name).expect("ships");
            let metric = Metric::Piece;
            let bits = crate::sliding_block::Bits::new(Instance { board, metric });
            let mut keys = Vec::new();
            bits.starts(&mut |start| keys.push(start));
            for at in 0..200 {
                let Some(&key) = keys.get(at) else { break };
                bits.successors(&key, &mut |next| keys.push(next));
            }
            let (mut buckets, mut order, mut diversity_classes) =
                (Vec::new(), Vec::new(), Vec::new());
            bits.hint(Hint::Bucket, &keys, &mut buckets);
            bits.hint(Hint::MoveOrder, &keys, &mut order);
            bits.hint(Hint::DiversityClass, &keys, &mut diversity_classes);
            let (mut features, mut literal) = (Vec::new(), Vec::new());
            bits.features(&keys, &mut features);
            literal.extend(
                keys.iter()
                    .flat_map(|&key| bits.game.board.features(&bits.cells(key))),
            );
            assert_eq!(features, literal);
            let space = bits.feature_space().expect("features");
            assert_eq!(features.len(), keys.len() * (1 + space.each as usize));
            for state in features.chunks(1 + space.each as usize) {
                assert!(state[0] < space.settings);
                assert!(state[1..].iter().all(|&number| number < space.features));
                assert!(state[1..].is_sorted());
            }
            assert_eq!(
                (order.len(), diversity_classes.len()),
                (keys.len(), keys.len())
            );
            for (at, &key) in keys.iter().enumerate() {
                let cells = bits.cells(key);
                assert_eq!(
                    order[at],
                    bits.evaluation.of_cells(&bits.game.board, &cells)
                );
                assert_eq!(
                    diversity_classes[at],
                    bits.game.board.diversity_class(buckets[at], &cells)
                );
            }
        }
    }

    #[test]
    fn nearer_the_goal_is_more_promising() {
        let board = named("climb-12").expect("ships");
        let metric = Metric::Piece;
        let bits = crate::sliding_block::Bits::new(Instance { board, metric });
        let mut start = None;
        bits.starts(&mut |key| start = Some(key));
        // The T is four rows below its goal. A corner is in the way of its next step; with another
        // one, two cells of either are in the way of its next two.
        let mut order = Vec::new();
        bits.hint(Hint::MoveOrder, &[start.expect("a start")], &mut order);
        assert_eq!(order, [24 * 4 + 2 + 4]);
    }
}
