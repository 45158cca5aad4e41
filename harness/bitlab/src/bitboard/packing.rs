//! Puzzle packing (Browne, section 5.3.4, algorithm 13) and the Soma cube.

use puzzle_api::bitboard::Board;

/// Which mistakes of algorithm 13's printed pseudocode are corrected. Line 15's undefined
/// `state_u` is read as `bits_u`, and line 14's missing parenthesis is closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fixes {
    /// Line 9: the occupied cells are not critical. As printed, no legal placement covers them, so
    /// all are critical, and no placement that avoids them can hold them.
    pub line_9: bool,
    /// Line 14: the playable pieces are compared with the *remaining* ones, not with the used ones.
    pub line_14: bool,
}

impl Fixes {
    /// The algorithm as the text describes it.
    pub const BOTH: Self = Self {
        line_9: true,
        line_14: true,
    };
}

/// A packing puzzle: fill `mask` with one placement of every piece.
#[derive(Clone, Debug)]
pub struct Packing<const N: usize> {
    mask: Board<N>,
    pieces: Vec<Vec<Board<N>>>,
}

impl<const N: usize> Packing<N> {
    /// A puzzle from its cells and every placement of every piece; placements that leave `mask` are
    /// dropped. `None` for more than 64 pieces.
    pub fn new(mask: Board<N>, pieces: Vec<Vec<Board<N>>>) -> Option<Self> {
        let inside = |piece: Vec<Board<N>>| {
            let fits = |&p: &Board<N>| !p.is_empty() && mask.contains(p);
            piece.into_iter().filter(fits).collect()
        };
        (pieces.len() <= 64).then(|| Self {
            mask,
            pieces: pieces.into_iter().map(inside).collect(),
        })
    }

    /// Returns the placements of each piece.
    pub fn pieces(&self) -> &[Vec<Board<N>>] {
        &self.pieces
    }

    /// The pieces of a set, a bit each, with their numbers.
    fn of(&self, pieces: u64) -> impl Iterator<Item = (usize, &[Board<N>])> {
        let numbered = self.pieces.iter().enumerate();
        numbered.filter_map(move |(u, p)| (pieces >> u & 1 == 1).then_some((u, p.as_slice())))
    }

    /// The cells that some placement of some of `pieces` covers without touching `bits`.
    fn covered(&self, bits: Board<N>, pieces: u64) -> Board<N> {
        let placements = self.of(pieces).flat_map(|(_, placements)| placements);
        let legal = placements.filter(|&&p| !p.intersects(bits));
        legal.fold(Board::EMPTY, |all, &p| all | p)
    }

    /// Those of `pieces` that still have a placement outside `bits`.
    fn playable(&self, bits: Board<N>, pieces: u64) -> u64 {
        let alive = |placements: &[Board<N>]| placements.iter().any(|&p| !p.intersects(bits));
        let playable = self.of(pieces).filter(|(_, placements)| alive(placements));
        playable.fold(0, |all, (u, _)| all | 1 << u)
    }

    /// Algorithm 13: calls `found` with the placements of each packing, in the order in which they
    /// were made. As printed, with neither mistake corrected, it finds none.
    pub fn solve(&self, fixes: Fixes, mut found: impl FnMut(&[(usize, Board<N>)])) {
        let all = u64::MAX.checked_shr(64 - self.pieces.len() as u32);
        let sets = (Board::EMPTY, all.unwrap_or(0), 0);
        self.pack(fixes, sets, &mut Vec::new(), &mut found);
    }

    /// Counts the packings by [`Packing::solve`].
    pub fn count(&self, fixes: Fixes) -> u64 {
        let mut count = 0;
        self.solve(fixes, |_| count += 1);
        count
    }

    /// `sets` are the occupied cells, the remaining pieces and the used ones.
    fn pack(
        &self,
        fixes: Fixes,
        (bits, left, used): (Board<N>, u64, u64),
        made: &mut Vec<(usize, Board<N>)>,
        found: &mut impl FnMut(&[(usize, Board<N>)]),
    ) {
        let empty = self.mask & !bits;
        if empty.is_empty() {
            return found(made);
        }
        let cell = empty.lowest_bit();
        for (u, placements) in self.of(left) {
            let (left, used) = (left & !(1 << u), used | 1 << u);
            // The cells that no other remaining piece can fill.
            let fillable = self.covered(bits, left);
            let critical = if fixes.line_9 { empty } else { self.mask } & !fillable;
            for &p in placements {
                if !p.intersects(cell) || p.intersects(bits) || !p.contains(critical) {
                    continue;
                }
                let bits = bits | p;
                let fillable = self.covered(bits, left) | bits == self.mask;
                let wanted = if fixes.line_14 { left } else { used };
                if fillable && self.playable(bits, left) == wanted {
                    made.push((u, p));
                    self.pack(fixes, (bits, left, used), made, found);
                    made.pop();
                }
            }
        }
    }
}

/// A cell of a box, as `[x, y, z]`.
pub type Cube = [usize; 3];

/// The seven Soma pieces: V, L, T, Z, two screws, and the branch.
pub const SOMA: [&[Cube]; 7] = [
    &[[0, 0, 0], [1, 0, 0], [0, 1, 0]],
    &[[0, 0, 0], [1, 0, 0], [2, 0, 0], [0, 1, 0]],
    &[[0, 0, 0], [1, 0, 0], [2, 0, 0], [1, 1, 0]],
    &[[0, 0, 0], [1, 0, 0], [1, 1, 0], [2, 1, 0]],
    &[[0, 0, 0], [1, 0, 0], [1, 1, 0], [1, 1, 1]],
    &[[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 0, 1]],
    &[[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],
];

/// Returns the Soma cube as a packing puzzle.
pub fn soma() -> Packing<1> {
    Packing {
        mask: (0..27).collect(),
        pieces: SOMA
            .iter()
            .map(|piece| placements([3, 3, 3], piece))
            .collect(),
    }
}

/// The 24 rotations of space: signed permutations of the axes.
fn rotations() -> impl Iterator<Item = impl Fn([i32; 3]) -> [i32; 3]> {
    const ORDERS: [([usize; 3], u32); 6] = [
        ([0, 1, 2], 0),
        ([1, 2, 0], 0),
        ([2, 0, 1], 0),
        ([0, 2, 1], 1),
        ([1, 0, 2], 1),
        ([2, 1, 0], 1),
    ];
    let all = ORDERS.into_iter();
    let all = all.flat_map(|(order, odd)| (0..8_u32).map(move |signs| (order, odd, signs)));
    let rotations = all.filter(|(_, odd, signs)| signs.count_ones() % 2 == *odd);
    rotations.map(|(order, _, signs)| {
        let sign = move |k: usize| if signs >> k & 1 == 1 { -1 } else { 1 };
        move |c: [i32; 3]| [0, 1, 2].map(|k| sign(k) * c[order[k]])
    })
}

/// Returns every placement of a piece in a box, at all rotations and translations, without repeats;
/// none if the box has more cells than `Board<N>` has bits. Bits follow `x` first, then `y`, `z`.
pub fn placements<const N: usize>(size: Cube, piece: &[Cube]) -> Vec<Board<N>> {
    let [w, h, d] = size;
    if w * h * d > Board::<N>::BITS {
        return Vec::new();
    }
    let mut all: Vec<Board<N>> = Vec::new();
    for turn in rotations() {
        let turned: Vec<_> = piece.iter().map(|c| turn(c.map(|v| v as i32))).collect();
        let low = [0, 1, 2].map(|k| turned.iter().map(|c| c[k]).min().unwrap_or(0));
        let placed = |by: usize| {
            let corner = [by % w, by / w % h, by / (w * h)];
            let bits = turned.iter().map(|c| {
                let [x, y, z] = [0, 1, 2].map(|k| (c[k] - low[k]) as usize + corner[k]);
                (x < w && y < h && z < d).then_some(x + w * (y + h * z))
            });
            bits.collect::<Option<Board<N>>>()
        };
        all.extend((0..w * h * d).filter_map(placed));
    }
    all.sort_unstable();
    all.dedup();
    all
}
