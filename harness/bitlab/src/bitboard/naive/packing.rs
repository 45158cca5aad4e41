//! Packing a box with pieces, cube by cube, by trial and error.

use crate::bitboard::packing::Cube;

/// A turn of the axes, applied to coordinates.
fn quarter_turns(c: [i32; 3]) -> [[i32; 3]; 2] {
    let [x, y, z] = c;
    // A quarter turn about the z axis, and a third of a turn about the corner.
    [[-y, x, z], [y, z, x]]
}

/// All shapes that rotating a piece in space makes, each with its lowest cube
/// (least `z`, then `y`, then `x`) at the origin.
fn orientations(piece: &[Cube]) -> Vec<Vec<[i32; 3]>> {
    let anchor = |mut cubes: Vec<[i32; 3]>| {
        cubes.sort_by_key(|&[x, y, z]| (z, y, x));
        let [ox, oy, oz] = cubes[0];
        cubes
            .iter()
            .map(|&[x, y, z]| [x - ox, y - oy, z - oz])
            .collect::<Vec<_>>()
    };
    if piece.is_empty() {
        return Vec::new();
    }
    let first = piece.iter().map(|c| c.map(|v| v as i32)).collect();
    let mut all = vec![anchor(first)];
    let mut next = 0;
    while next < all.len() {
        for turn in 0..2 {
            let turned = all[next].iter().map(|&c| quarter_turns(c)[turn]).collect();
            let turned = anchor(turned);
            if !all.contains(&turned) {
                all.push(turned);
            }
        }
        next += 1;
    }
    all
}

/// A box being filled: for each cube whether it is taken.
struct Filling {
    size: Cube,
    taken: Vec<bool>,
    pieces: Vec<Vec<Vec<[i32; 3]>>>,
    used: Vec<bool>,
}

impl Filling {
    fn index(&self, at: [i32; 3]) -> Option<usize> {
        let inside = (0..3).all(|k| at[k] >= 0 && (at[k] as usize) < self.size[k]);
        let [x, y, z] = at.map(|v| v as usize);
        inside.then(|| x + self.size[0] * (y + self.size[1] * z))
    }

    /// The cubes of a shape anchored at `at`, if all are free.
    fn room(&self, shape: &[[i32; 3]], at: [i32; 3]) -> Option<Vec<usize>> {
        let cubes = shape.iter().map(|c| {
            let cube = self.index([0, 1, 2].map(|k| c[k] + at[k]))?;
            (!self.taken[cube]).then_some(cube)
        });
        cubes.collect()
    }

    fn count(&mut self) -> u64 {
        let Some(first) = self.taken.iter().position(|&taken| !taken) else {
            return 1;
        };
        let [w, h, _] = self.size;
        let at = [first % w, first / w % h, first / (w * h)].map(|v| v as i32);
        let mut ways = 0;
        for piece in 0..self.pieces.len() {
            for shape in 0..self.pieces[piece].len() {
                if self.used[piece] {
                    continue;
                }
                let Some(cubes) = self.room(&self.pieces[piece][shape], at) else {
                    continue;
                };
                self.mark(piece, &cubes, true);
                ways += self.count();
                self.mark(piece, &cubes, false);
            }
        }
        ways
    }

    fn mark(&mut self, piece: usize, cubes: &[usize], on: bool) {
        self.used[piece] = on;
        for &cube in cubes {
            self.taken[cube] = on;
        }
    }
}

/// Boxes beyond this many cubes are not searched.
const MOST_CUBES: usize = 1 << 16;

/// How many ways there are to fill a box completely with all or some of the
/// pieces, each used at most once. 0 for boxes of more than 65,536 cubes.
pub fn count(size: Cube, pieces: &[&[Cube]]) -> u64 {
    let volume = size.iter().try_fold(1_usize, |v, &s| v.checked_mul(s));
    let Some(volume) = volume.filter(|&v| v <= MOST_CUBES) else {
        return 0;
    };
    let mut filling = Filling {
        size,
        taken: vec![false; volume],
        pieces: pieces.iter().map(|piece| orientations(piece)).collect(),
        used: vec![false; pieces.len()],
    };
    filling.count()
}
