//! The fast twin of the rulebook, variant `bitboard`: neighbours of all cells are counted at once,
//! in the bits of one word.

mod batch;

use std::sync::OnceLock;

use puzzle_api::rank::{Pieces, Steps, binomial};
use puzzle_api::{
    BadInput, Direction, Fast, Numbering, Placement, Predecessors, Puzzle, Request, Sweep, Swept,
    Symmetry,
};

use crate::hubs;
use crate::neighbours::Neighbours;
use crate::rules::Rules;
use crate::symmetry::{self, ByteTables};

/// Variant `bitboard`, opened on an instance.
pub struct Bits {
    rules: Rules,
    pieces: Pieces,
    symmetries: ByteTables,
    neighbours: Neighbours,
    /// For every cell, its neighbours.
    beside: [u64; 64],
    board: u64,
    /// Made for the first walk over complete levels.
    hubs: OnceLock<hubs::Tables>,
}

impl Bits {
    /// The instance's own roots.
    fn roots(&self, way: Direction) -> &[u64] {
        match way {
            Direction::Forward => &self.rules.instance.starts,
            Direction::Backward => &self.rules.instance.goals,
        }
    }

    /// The table that `gpu.cu` describes.
    fn constants(&self) -> Vec<u64> {
        let shape = &self.rules.instance.shape;
        let (width, cells, coins) = (shape.width, shape.cells(), shape.coins);
        let column = |column: u32| {
            (0..shape.height).fold(0_u64, |mask, row| mask | 1 << (row * width + column))
        };
        let [not_first, not_last] = [0, width - 1].map(|at| self.board & !column(at));
        let symmetries = &self.rules.instance.symmetries;
        let [wide, many] = [width.into(), symmetries.len() as u64];
        let mut table = vec![
            cells.into(),
            coins.into(),
            wide,
            self.board,
            not_first,
            not_last,
            many,
        ];
        for cell in 0..cells {
            table.extend((0..coins + 2).map(|members| binomial(cell, members)));
        }
        for &index in symmetries {
            table.extend((0..cells).map(|cell| u64::from(symmetry::target(shape, cell, index))));
        }
        table
    }

    /// Every board after one move.
    ///
    /// Lifting a coin only matters to cells next to it that have exactly two coins next to
    /// them: these lose their right. So neighbours are counted once a board, not once a
    /// coin.
    #[inline]
    fn each_successor(&self, coins: u64, mut emit: impl FnMut(u64)) {
        let counts = self.neighbours.count(coins);
        let targets = counts.two_or_more & !coins;
        let exactly_two = targets & !counts.three_or_more;
        let mut left = if targets == 0 { 0 } else { coins };
        while left != 0 {
            let coin = left.trailing_zeros();
            let rest = coins ^ 1 << coin;
            let mut targets = targets & !(self.beside[coin as usize & 63] & exactly_two);
            while targets != 0 {
                emit(rest | targets & targets.wrapping_neg());
                targets &= targets - 1;
            }
            left &= left - 1;
        }
    }

    /// Every board before one move: a coin with two coins next to it may have come from any empty
    /// cell.
    #[inline]
    fn each_predecessor(&self, coins: u64, mut emit: impl FnMut(u64)) {
        let mut left = self.neighbours.count(coins).two_or_more & coins;
        let empty = self.board & !coins;
        while left != 0 {
            let rest = coins ^ left & left.wrapping_neg();
            let mut origins = empty;
            while origins != 0 {
                emit(rest | origins & origins.wrapping_neg());
                origins &= origins - 1;
            }
            left &= left - 1;
        }
    }

    /// Appends the ranks of all successors of the board with rank `rank`: one addition
    /// each (see [`Steps`]).
    #[inline(always)]
    fn successor_ranks(&self, coins: u64, rank: u64, steps: &mut Steps, out: &mut Vec<u64>) {
        let counts = self.neighbours.count(coins);
        let targets = counts.two_or_more & !coins;
        if targets == 0 {
            return;
        }
        let exactly_two = targets & !counts.three_or_more;
        steps.prepare(coins, rank, targets);
        let mut row = [0; 64];
        for (member, &coin) in steps.members().iter().enumerate() {
            steps.ranks(member, &mut row);
            let all = steps.targets().len();
            let lost = self.beside[usize::from(coin) & 63] & exactly_two;
            if lost == 0 {
                out.extend_from_slice(&row[..all]);
                continue;
            }
            // Closes the gaps without branches.
            let mut kept = 0_usize;
            for (at, &cell) in steps.targets().iter().enumerate() {
                row[kept & 63] = row[at & 63];
                kept += usize::from(lost >> (cell & 63) & 1 == 0);
            }
            out.extend_from_slice(&row[..kept]);
        }
    }

    /// Appends the ranks of all predecessors of the board with rank `rank`.
    #[inline(always)]
    fn predecessor_ranks(&self, coins: u64, rank: u64, steps: &mut Steps, out: &mut Vec<u64>) {
        let landed = self.neighbours.count(coins).two_or_more & coins;
        if landed == 0 {
            return;
        }
        steps.prepare(coins, rank, self.board & !coins);
        let mut row = [0; 64];
        for (member, &coin) in steps.members().iter().enumerate() {
            if landed >> (coin & 63) & 1 == 1 {
                steps.ranks(member, &mut row);
                out.extend_from_slice(&row[..steps.targets().len()]);
            }
        }
    }
}

/// The kernels of engine `gpu` as PTX, and their table for an instance.
///
/// # Errors
/// An instance that there is not.
pub fn kernels(request: &Request<'_>) -> Result<(&'static str, Vec<u64>), BadInput> {
    Ok((include_str!("gpu.ptx"), Bits::open(request)?.constants()))
}

impl Fast for Bits {
    type Rules = Rules;

    fn new(rules: Rules) -> Result<Self, BadInput> {
        let shape = rules.instance.shape;
        let neighbours = Neighbours::new(&shape);
        let mut beside = [0; 64];
        for cell in 0..shape.cells() {
            beside[cell as usize] = neighbours.beside(1 << cell);
        }
        let pieces = Pieces::new(shape.cells(), shape.coins);
        Ok(Self {
            pieces: pieces.map_err(|error| BadInput::new(error.to_string()))?,
            symmetries: ByteTables::new(&shape, &rules.instance.symmetries),
            rules,
            neighbours,
            beside,
            board: shape.mask(),
            hubs: OnceLock::new(),
        })
    }

    fn rules(&self) -> &Rules {
        &self.rules
    }

    #[inline]
    fn each_neighbour(&self, way: Direction, key: u64, emit: impl FnMut(u64)) {
        match way {
            Direction::Forward => self.each_successor(key, emit),
            Direction::Backward => self.each_predecessor(key, emit),
        }
    }

    fn solves(&self, key: u64) -> bool {
        self.rules.instance.goals.contains(&key)
    }
}

impl Predecessors for Bits {
    #[inline]
    fn predecessors(&self, state: &u64, emit: &mut dyn FnMut(u64)) {
        self.each_predecessor(*state, emit);
    }
}

impl Symmetry for Bits {
    fn symmetry_count(&self) -> u32 {
        self.symmetries.count()
    }

    fn image(&self, state: &u64, index: u32) -> u64 {
        self.symmetries.image(*state, index)
    }

    fn canonical(&self, state: &u64) -> u64 {
        self.symmetries.canonical(*state)
    }

    fn orbit_size(&self, state: &u64) -> u32 {
        self.symmetries.orbit_size(*state)
    }
}

impl Numbering for Bits {
    fn space(&self, part: u64) -> Option<u64> {
        (part == 0).then(|| self.pieces.count())
    }

    #[inline]
    fn place(&self, state: &u64) -> Option<Placement> {
        Some(Placement {
            part: 0,
            rank: self.pieces.rank(*state),
        })
    }

    #[inline]
    fn unrank(&self, placement: Placement) -> Option<u64> {
        if placement.part != 0 {
            return None;
        }
        self.pieces.unrank(placement.rank)
    }

    fn neighbour_ranks(
        &self,
        way: Direction,
        part: u64,
        ranks: &[u64],
        keys: Option<&mut Vec<u64>>,
        out: &mut Vec<u64>,
    ) -> bool {
        let ranks = if part == 0 { ranks } else { &[] };
        match keys {
            Some(keys) => {
                batch::neighbour_ranks(self, way, ranks, &mut |coins| keys.push(coins), out);
            }
            None => batch::neighbour_ranks(self, way, ranks, &mut |_| {}, out),
        }
        true
    }
}

impl Sweep for Bits {
    fn sweeps(&self, way: Direction, from: Option<&u64>) -> Option<u64> {
        let rooted = from.is_some() || !self.roots(way).is_empty();
        hubs::memory(&self.rules.instance.shape).filter(|_| rooted)
    }

    fn sweep(
        &self,
        way: Direction,
        from: Option<&u64>,
        part: u64,
        only: &[u64],
        emit: &mut dyn FnMut(Swept<'_, u64>) -> bool,
    ) {
        if part != 0 {
            return;
        }
        let instance = &self.rules.instance;
        let tables = self.hubs.get_or_init(|| hubs::Tables::new(&instance.shape));
        let roots = from.map_or(self.roots(way), std::slice::from_ref);
        if !only.is_empty() {
            return hubs::meet(tables, way, roots, only, emit);
        }
        let symmetries = &self.symmetries;
        let images = roots.iter().map(|&root| symmetries.orbit_size(root));
        let kept = from.is_none() || images.sum::<u32>() == 1;
        let complete = way == Direction::Backward && from.is_none();
        let symmetries = (kept && symmetries.count() > 1).then_some(symmetries);
        hubs::sweep(tables, symmetries, way, roots, complete, emit);
    }
}
