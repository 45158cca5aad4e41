//! The move ordering of the rulebook ([`crate::rules::Position::order`]) by tables and
//! shifts.

use super::fill;
use crate::board::Board;

const RUN: usize = 8;
const PATTERNS: usize = 1 << RUN;

/// The costs of pegs on a board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order {
    /// Cost of pattern p of run r at `r * PATTERNS + p`.
    table: Vec<u32>,
    /// Holes with a neighbour whose number is greater by the same amount.
    near: Vec<(u32, u64)>,
}

impl Order {
    /// The tables of a board: 1 KiB for every eight holes.
    pub fn new(board: &Board) -> Self {
        let away = |&(row, column): &(usize, usize)| {
            let row = (2 * row).abs_diff(board.height - 1);
            let column = (2 * column).abs_diff(board.width - 1);
            (row * row + column * column) as u32
        };
        let costs: Vec<u32> = board.holes.iter().map(away).collect();
        let mut table = vec![0; costs.len().div_ceil(RUN) * PATTERNS];
        for (run, costs) in table.chunks_exact_mut(PATTERNS).zip(costs.chunks(RUN)) {
            fill(run, |without, hole| without + costs.get(hole).unwrap_or(&0));
        }
        let mut near: Vec<(u32, u64)> = Vec::new();
        for hole in 0..board.len() {
            for next in board.beside(hole).into_iter().filter(|&next| next > hole) {
                let apart = (next - hole) as u32;
                match near.iter_mut().find(|(other, _)| *other == apart) {
                    Some((_, holes)) => *holes |= 1 << hole,
                    None => near.push((apart, 1 << hole)),
                }
            }
        }
        Self { table, near }
    }

    /// Estimates how far a position is from being solved; `jumps` is the number of possible jumps.
    #[inline]
    pub fn of(&self, pegs: u64, jumps: u32) -> u64 {
        let runs = self.table.chunks_exact(PATTERNS).enumerate();
        let cost: u32 = runs
            .map(|(at, run)| run[(pegs >> (RUN * at)) as usize % PATTERNS])
            .sum();
        let beside = |near: u64, &(apart, holes): &(u32, u64)| {
            near | (pegs & holes) << apart | (pegs >> apart) & holes
        };
        let alone = (pegs & !self.near.iter().fold(0, beside)).count_ones();
        u64::from(cost + 16 * alone + 4 * 256 - 4 * jumps)
    }
}
