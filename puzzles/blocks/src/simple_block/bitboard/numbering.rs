//! Parts and ranks of the fast variant. Parts are ordered by the shape of the goal piece and
//! then by the number of empty cells, ranks by key.

use std::collections::HashMap;
use std::sync::Arc;

use super::field::{Cells, Field};
use crate::kept::Kept;
use crate::simple_block::board::MOST_CELLS;
use crate::simple_block::instances::{Goal, Instance};

/// Ways to lay pieces, by open cells, by the number of these that stay empty, and by the number of
/// pieces.
type Ways = HashMap<(Cells, u32, u32), u64>;

/// The numbering of one instance. An instance with a given board has none.
pub(super) struct Numbers {
    pieces: u32,
    /// The possible pieces, by their lowest cell.
    pieces_at: Vec<Vec<Cells>>,
    /// Goal piece, pushed into the upper left corner, and number of empty cells.
    parts: Vec<(Cells, u32)>,
    of: HashMap<(Cells, u32), u64>,
    kept: Kept<Vec<u64>>,
}

impl Numbers {
    pub(super) fn new(instance: &Instance, field: &Field) -> Self {
        let pieces = instance.pieces as u32;
        let pieces_at = match instance.start {
            None => field.pieces_at(),
            Some(_) => Vec::new(),
        };
        let is_goal = |&cells: &Cells| {
            let reaches = || field.pushed_down(cells) >> (field.cells - 1) == 1;
            field.pushed(cells) == cells && (instance.goal == Goal::Edges || reaches())
        };
        let mut shapes: Vec<Cells> = pieces_at.iter().flatten().copied().collect();
        shapes.retain(is_goal);
        shapes.sort_unstable_by_key(|shape| !shape.reverse_bits());
        let mut parts = Vec::new();
        for shape in shapes {
            let (others, left) = (pieces - 1, field.cells - shape.count_ones());
            let mut least = left;
            goals(field, shape, &mut |goal| {
                least = least.min(field.least_empty(field.all & !goal, others));
            });
            // Every piece can leave its cells one by one, up to the last.
            let empty = least.max(1)..=left.saturating_sub(others);
            parts.extend(empty.map(|empty| (shape, empty)));
        }
        Self {
            pieces,
            pieces_at,
            of: parts.iter().copied().zip(0..).collect(),
            parts,
            kept: Kept::default(),
        }
    }

    /// An instance with a given board has one part, without ranks.
    pub(super) fn part_count(&self) -> u64 {
        self.parts.len().max(1) as u64
    }

    pub(super) fn part(&self, part: u64) -> Option<(Cells, u32)> {
        self.parts.get(part as usize).copied()
    }

    pub(super) fn part_of(&self, field: &Field, goal: Cells, empty: Cells) -> Option<u64> {
        let part = (field.pushed(goal), empty.count_ones());
        self.of.get(&part).copied()
    }

    pub(super) fn table(&self, field: &Field, part: u64) -> Option<Arc<Vec<u64>>> {
        self.part(part)?;
        self.kept.of(part, || {
            let mut keys = Vec::new();
            self.each(field, part, false, &mut |key| keys.push(key));
            keys.sort_unstable();
            Some(keys)
        })
    }

    /// The keys of a part, or only those of its solved boards, in any order.
    pub(super) fn each(&self, field: &Field, part: u64, solved: bool, emit: &mut dyn FnMut(u64)) {
        let Some((shape, empty)) = self.part(part) else {
            return;
        };
        let mut others = Vec::with_capacity(self.pieces as usize);
        let mut place = |goal: Cells| {
            let open = field.all & !goal;
            self.fill(open, empty, &mut others, &mut |others| {
                emit(field.key(goal, others));
            });
        };
        if solved {
            place(field.pushed_down(shape));
            return;
        }
        goals(field, shape, &mut place);
    }

    /// Every way to lay the remaining pieces on open cells, n of which stay empty. The lowest open
    /// cell is empty or the lowest of a piece.
    fn fill(
        &self,
        open: Cells,
        empty: u32,
        others: &mut Vec<Cells>,
        emit: &mut impl FnMut(&mut [Cells]),
    ) {
        let pieces = self.pieces - 1 - others.len() as u32;
        let taken = open.count_ones() - empty;
        if taken < pieces || (pieces == 0 && taken > 0) {
            return;
        }
        if taken == 0 {
            let mut own = [0; MOST_CELLS];
            let own = &mut own[..others.len()];
            own.copy_from_slice(others);
            emit(own);
            return;
        }
        if empty > 0 {
            self.fill(open & (open - 1), empty - 1, others, emit);
        }
        for cells in self.lowest_pieces(open, taken, pieces) {
            others.push(cells);
            self.fill(open & !cells, empty, others, emit);
            others.pop();
        }
    }

    /// Pieces on the lowest open cell, if `taken` open cells are for `pieces`. The rest has a cell
    /// for every piece that is left, and the last piece takes all.
    fn lowest_pieces(&self, open: Cells, taken: u32, pieces: u32) -> impl Iterator<Item = Cells> {
        let fits = move |cells: &Cells| {
            let size = cells.count_ones();
            cells & !open == 0 && size + pieces <= taken + 1 && (pieces > 1 || size == taken)
        };
        let all = self.pieces_at[open.trailing_zeros() as usize].iter();
        all.copied().filter(fits)
    }

    /// Number of keys of a part, computed without making them.
    pub(super) fn size(&self, field: &Field, part: u64) -> Option<u64> {
        let (shape, empty) = self.part(part)?;
        let mut known = HashMap::new();
        let mut total = 0;
        goals(field, shape, &mut |goal| {
            total += self.ways(field.all & !goal, empty, self.pieces - 1, &mut known);
        });
        Some(total)
    }

    /// Number of ways in which [`Self::fill`] lays pieces on open cells.
    fn ways(&self, open: Cells, empty: u32, pieces: u32, known: &mut Ways) -> u64 {
        let taken = open.count_ones() - empty;
        if taken < pieces || (pieces == 0 && taken > 0) {
            return 0;
        }
        if taken == 0 {
            return 1;
        }
        if let Some(&ways) = known.get(&(open, empty, pieces)) {
            return ways;
        }
        let mut ways = match empty {
            0 => 0,
            _ => self.ways(open & (open - 1), empty - 1, pieces, known),
        };
        for cells in self.lowest_pieces(open, taken, pieces) {
            ways += self.ways(open & !cells, empty, pieces - 1, known);
        }
        known.insert((open, empty, pieces), ways);
        ways
    }
}

/// Every place of a goal piece that is in the upper left corner.
fn goals(field: &Field, shape: Cells, place: &mut dyn FnMut(Cells)) {
    let mut row = shape;
    loop {
        let mut goal = row;
        place(goal);
        while goal & field.right == 0 {
            goal <<= 1;
            place(goal);
        }
        if row & field.bottom != 0 {
            return;
        }
        row <<= field.columns;
    }
}
