//! Puzzle packing (Browne, section 5.3.4, algorithm 13) and the Soma cube.

use std::ops::ControlFlow;

use super::Board;

/// Most pieces a [`Packing`] can have: one bit each.
pub const MAX_PIECES: usize = 64;

/// A packing puzzle: fill `mask` with one placement of every piece.
#[derive(Clone, Debug)]
pub struct Packing<const N: usize> {
    mask: Board<N>,
    pieces: Vec<Vec<Board<N>>>,
}

impl<const N: usize> Packing<N> {
    /// A puzzle from its cells and every placement of every piece; placements
    /// that leave `mask` are dropped. `None` for more than 64 pieces.
    pub fn new(mask: Board<N>, pieces: Vec<Vec<Board<N>>>) -> Option<Self> {
        let inside = |piece: Vec<Board<N>>| {
            let fits = |&p: &Board<N>| !p.is_empty() && mask.contains(p);
            piece.into_iter().filter(fits).collect()
        };
        (pieces.len() <= MAX_PIECES).then(|| Self {
            mask,
            pieces: pieces.into_iter().map(inside).collect(),
        })
    }

    /// The cells to fill.
    pub fn mask(&self) -> Board<N> {
        self.mask
    }

    /// The placements of each piece.
    pub fn pieces(&self) -> &[Vec<Board<N>>] {
        &self.pieces
    }

    /// The set of all pieces, a bit each.
    pub fn all_pieces(&self) -> u64 {
        u64::MAX
            .checked_shr(64 - self.pieces.len() as u32)
            .unwrap_or(0)
    }

    /// The cells that some placement of some of `pieces` covers without
    /// touching `bits`. Cells of `bits` are never among them.
    pub fn covered(&self, bits: Board<N>, pieces: u64) -> Board<N> {
        let placements = self.of(pieces).flat_map(|(_, placements)| placements);
        let legal = placements.filter(|&&p| !p.intersects(bits));
        legal.fold(Board::EMPTY, |all, &p| all | p)
    }

    /// Those of `pieces` that still have a placement beside `bits`.
    pub fn playable(&self, bits: Board<N>, pieces: u64) -> u64 {
        let alive = |placements: &[Board<N>]| placements.iter().any(|&p| !p.intersects(bits));
        let playable = self.of(pieces).filter(|(_, placements)| alive(placements));
        playable.fold(0, |all, (u, _)| all | 1 << u)
    }

    /// The pieces of a set with their numbers.
    pub fn of(&self, pieces: u64) -> impl Iterator<Item = (usize, &[Board<N>])> {
        let numbered = self.pieces.iter().enumerate();
        numbered.filter_map(move |(u, p)| (pieces >> u & 1 == 1).then_some((u, p.as_slice())))
    }

    /// Browne, algorithm 13 as its text describes it: calls `found` with the
    /// placements of each packing, in the order they were made.
    ///
    /// Differs from the printed pseudocode in three places, each of which
    /// alone makes it find nothing; see [`printed`](super::printed).
    pub fn solve(&self, mut found: impl FnMut(&[(usize, Board<N>)])) {
        let mut every = |made: &[(usize, Board<N>)]| {
            found(made);
            ControlFlow::Continue(())
        };
        let _ = self.pack(Board::EMPTY, self.all_pieces(), &mut Vec::new(), &mut every);
    }

    /// Looks for packings by [`Packing::solve`] until there are `many`; how many there were.
    pub fn first(&self, many: u64) -> u64 {
        let mut count = 0;
        let mut enough = |_: &[(usize, Board<N>)]| {
            count += 1;
            match count < many {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            }
        };
        let _ = self.pack(
            Board::EMPTY,
            self.all_pieces(),
            &mut Vec::new(),
            &mut enough,
        );
        count
    }

    /// How many packings there are, by [`Packing::solve`].
    pub fn count(&self) -> u64 {
        let mut count = 0;
        self.solve(|_| count += 1);
        count
    }

    fn pack(
        &self,
        bits: Board<N>,
        left: u64,
        made: &mut Vec<(usize, Board<N>)>,
        found: &mut impl FnMut(&[(usize, Board<N>)]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let empty = self.mask & !bits;
        if empty.is_empty() {
            return found(made);
        }
        let cell = empty.lowest_bit();
        for (u, placements) in self.of(left) {
            let left = left & !(1 << u);
            // The empty cells that none but this piece can fill.
            let critical = empty & !self.covered(bits, left);
            for &p in placements {
                if !p.intersects(cell) || p.intersects(bits) || !p.contains(critical) {
                    continue;
                }
                let bits = bits | p;
                let fillable = self.covered(bits, left) | bits == self.mask;
                if fillable && self.playable(bits, left) == left {
                    made.push((u, p));
                    let went = self.pack(bits, left, made, found);
                    made.pop();
                    went?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// How many packings there are, by the bare search: the lowest empty cell,
    /// every unused piece, every placement that covers it and touches nothing.
    /// Placements are grouped by their lowest cell, which is the one that the
    /// cell filled next must be.
    pub fn count_without_pruning(&self) -> u64 {
        let mut by_cell = vec![Vec::new(); Board::<N>::BITS];
        for (u, placements) in self.pieces.iter().enumerate() {
            for &p in placements {
                by_cell[p.lowest().unwrap_or(0)].push((1 << u, p));
            }
        }
        fill(self.mask, self.all_pieces(), &by_cell)
    }
}

/// Ways to fill `empty` with some of the pieces `left`.
fn fill<const N: usize>(empty: Board<N>, left: u64, by_cell: &[Vec<(u64, Board<N>)>]) -> u64 {
    let Some(cell) = empty.lowest() else {
        return 1;
    };
    let fits = |&&(u, p): &&(u64, Board<N>)| left & u != 0 && empty.contains(p);
    let ways = by_cell[cell].iter().filter(fits);
    ways.map(|&(u, p)| fill(empty & !p, left & !u, by_cell))
        .sum()
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

/// The thirteen pieces of the Bedlam cube, read off a published packing of it and compared with
/// another's list.
pub const BEDLAM: [&[Cube]; 13] = [
    &[[0, 0, 0], [0, 0, 1], [0, 0, 2], [0, 1, 0], [1, 0, 0]],
    &[[0, 0, 0], [0, 0, 1], [0, 0, 2], [0, 1, 0], [1, 1, 0]],
    &[[0, 0, 0], [0, 0, 1], [0, 0, 2], [0, 1, 1], [1, 0, 0]],
    &[[0, 0, 0], [0, 0, 1], [0, 0, 2], [0, 1, 1], [1, 0, 1]],
    &[[0, 0, 0], [0, 0, 1], [0, 0, 2], [0, 1, 1], [1, 1, 1]],
    &[[0, 0, 0], [0, 0, 1], [0, 0, 2], [0, 1, 2], [1, 0, 0]],
    &[[0, 0, 0], [0, 0, 1], [0, 1, 0], [1, 0, 1]],
    &[[0, 0, 0], [0, 0, 1], [0, 1, 0], [1, 1, 0], [1, 2, 0]],
    &[[0, 0, 0], [0, 0, 1], [0, 1, 1], [0, 1, 2], [0, 2, 1]],
    &[[0, 0, 0], [0, 0, 1], [0, 1, 1], [0, 1, 2], [0, 2, 2]],
    &[[0, 0, 0], [0, 0, 1], [0, 1, 1], [0, 1, 2], [1, 0, 1]],
    &[[0, 0, 0], [0, 0, 1], [0, 1, 1], [1, 1, 1], [1, 1, 2]],
    &[[0, 0, 1], [0, 1, 0], [0, 1, 1], [0, 1, 2], [0, 2, 1]],
];

/// The 48 signed permutations of the axes, the first 24 being rotations.
pub fn symmetries() -> Vec<impl Fn([i32; 3]) -> [i32; 3] + Copy> {
    const ORDERS: [([usize; 3], bool); 6] = [
        ([0, 1, 2], true),
        ([1, 2, 0], true),
        ([2, 0, 1], true),
        ([0, 2, 1], false),
        ([1, 0, 2], false),
        ([2, 1, 0], false),
    ];
    let mut all = Vec::with_capacity(48);
    for rotation in [true, false] {
        for (order, even) in ORDERS {
            for signs in 0..8_u32 {
                if (signs.count_ones() % 2 == 0) == (even == rotation) {
                    let sign = move |k: usize| if signs >> k & 1 == 1 { -1 } else { 1 };
                    all.push(move |c: [i32; 3]| [0, 1, 2].map(|k| sign(k) * c[order[k]]));
                }
            }
        }
    }
    all
}

/// The bit of a cube in a box: `x` fastest, then `y`, then `z`.
pub fn cube_index(size: Cube, at: Cube) -> usize {
    at[0] + size[0] * (at[1] + size[1] * at[2])
}

/// Every placement of a piece in a box, at all rotations and translations,
/// without repeats. Empty when the box has more cells than `Board<N>` bits, or a
/// coordinate of the piece is beyond them.
pub fn placements<const N: usize>(size: Cube, piece: &[Cube]) -> Vec<Board<N>> {
    let volume = size.iter().try_fold(1_usize, |v, &s| v.checked_mul(s));
    let far = piece.iter().flatten().any(|&v| v > Board::<N>::BITS);
    if piece.is_empty() || far || volume.is_none_or(|v| v > Board::<N>::BITS) {
        return Vec::new();
    }
    let mut all: Vec<Board<N>> = Vec::new();
    for turn in symmetries().into_iter().take(24) {
        let turned: Vec<_> = piece.iter().map(|c| turn(c.map(|v| v as i32))).collect();
        let low = [0, 1, 2].map(|k| turned.iter().map(|c| c[k]).min().unwrap_or(0));
        let shape = turned
            .iter()
            .map(|c| [0, 1, 2].map(|k| (c[k] - low[k]) as usize));
        let shape: Vec<Cube> = shape.collect();
        all.extend(corners(size).filter_map(|by| translate(size, &shape, by)));
    }
    all.sort_unstable();
    all.dedup();
    all
}

fn corners(size: Cube) -> impl Iterator<Item = Cube> {
    let [w, h, d] = size;
    (0..w * h * d).map(move |i| [i % w, i / w % h, i / (w * h)])
}

fn translate<const N: usize>(size: Cube, shape: &[Cube], by: Cube) -> Option<Board<N>> {
    let cells = shape.iter().map(|c| {
        let at = [0, 1, 2].map(|k| c[k] + by[k]);
        (0..3)
            .all(|k| at[k] < size[k])
            .then(|| cube_index(size, at))
    });
    cells.collect()
}

/// The Soma cube as a packing puzzle.
pub fn soma() -> Packing<1> {
    const SIZE: Cube = [3, 3, 3];
    Packing {
        mask: (0..27).collect(),
        pieces: SOMA.iter().map(|piece| placements(SIZE, piece)).collect(),
    }
}

/// The Bedlam cube as a packing puzzle.
pub fn bedlam() -> Packing<1> {
    const SIZE: Cube = [4, 4, 4];
    Packing {
        mask: Board::FULL,
        pieces: BEDLAM.iter().map(|piece| placements(SIZE, piece)).collect(),
    }
}

/// The packings of [`soma`] up to the 48 rotations and reflections of the
/// cube. A reflection turns one screw into the other, so a packing is
/// compared as a partition of the cube into seven sets, whoever fills them.
pub fn distinct_soma_packings() -> usize {
    let moves: Vec<[usize; 27]> = symmetries().into_iter().map(cell_map).collect();
    let mut seen = std::collections::BTreeSet::new();
    soma().solve(|made| {
        let images = moves.iter().map(|map| image(made, map));
        seen.extend(images.min());
    });
    seen.len()
}

/// Where a symmetry of the cube sends each of the 27 cells.
fn cell_map(turn: impl Fn([i32; 3]) -> [i32; 3]) -> [usize; 27] {
    std::array::from_fn(|i| {
        let centred = [i % 3, i / 3 % 3, i / 9].map(|v| v as i32 - 1);
        cube_index([3, 3, 3], turn(centred).map(|v| (v + 1) as usize))
    })
}

fn image(made: &[(usize, Board<1>)], map: &[usize; 27]) -> Vec<u64> {
    let moved = |p: Board<1>| p.iter().fold(0, |all, i| all | 1_u64 << map[i]);
    let mut image: Vec<u64> = made.iter().map(|&(_, p)| moved(p)).collect();
    image.sort_unstable();
    image
}
