//! The Soma cube: all packings, and those that no symmetry turns into each other.

use std::collections::BTreeSet;

/// The seven Soma pieces as cells of the cube.
const SOMA: [&[[i32; 3]]; 7] = [
    &[[0, 0, 0], [1, 0, 0], [0, 1, 0]],
    &[[0, 0, 0], [1, 0, 0], [2, 0, 0], [0, 1, 0]],
    &[[0, 0, 0], [1, 0, 0], [2, 0, 0], [1, 1, 0]],
    &[[0, 0, 0], [1, 0, 0], [1, 1, 0], [2, 1, 0]],
    &[[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],
    &[[0, 0, 0], [1, 0, 0], [1, 1, 0], [1, 1, 1]],
    &[[0, 0, 0], [0, 1, 0], [1, 1, 0], [1, 1, 1]],
];

/// Images of a point under the 48 symmetries of the cube; the first 24 in this order of `even`
/// ones are rotations.
fn symmetries() -> Vec<([usize; 3], [i32; 3])> {
    let orders = [
        [0, 1, 2],
        [1, 2, 0],
        [2, 0, 1],
        [0, 2, 1],
        [2, 1, 0],
        [1, 0, 2],
    ];
    let signs = (0..8).map(|bits| [0, 1, 2].map(|axis| if bits >> axis & 1 == 0 { 1 } else { -1 }));
    let all: Vec<_> = orders
        .iter()
        .zip(0..)
        .flat_map(|(order, i)| {
            signs
                .clone()
                .map(move |sign| (*order, sign, (i < 3) == (sign.iter().product::<i32>() == 1)))
        })
        .collect();
    let (turns, mirrors): (Vec<_>, Vec<_>) = all.into_iter().partition(|symmetry| symmetry.2);
    turns
        .into_iter()
        .chain(mirrors)
        .map(|(order, sign, _)| (order, sign))
        .collect()
}

/// All packings of the cube: the cells of each piece.
pub fn packings() -> Vec<[u32; 7]> {
    let placements = SOMA.map(|piece| {
        let mut found = BTreeSet::new();
        for (order, sign) in &symmetries()[..24] {
            let turned: Vec<[i32; 3]> = piece
                .iter()
                .map(|cell| [0, 1, 2].map(|axis| sign[axis] * cell[order[axis]]))
                .collect();
            for shift in 0..125 {
                let by = [shift % 5 - 2 + 1, shift / 5 % 5 - 2 + 1, shift / 25 - 2 + 1];
                let moved: Vec<[i32; 3]> = turned
                    .iter()
                    .map(|cell| [0, 1, 2].map(|axis| cell[axis] + by[axis]))
                    .collect();
                if moved.iter().flatten().all(|at| (0..3).contains(at)) {
                    found.insert(moved.iter().fold(0_u32, |set, cell| {
                        set | 1 << (9 * cell[0] + 3 * cell[1] + cell[2])
                    }));
                }
            }
        }
        found.into_iter().collect::<Vec<u32>>()
    });
    fn pack(
        placements: &[Vec<u32>; 7],
        taken: u32,
        chosen: &mut [u32; 7],
        all: &mut Vec<[u32; 7]>,
    ) {
        if taken == (1 << 27) - 1 {
            all.push(*chosen);
            return;
        }
        let cell = taken.trailing_ones();
        for piece in 0..7 {
            if chosen[piece] != 0 {
                continue;
            }
            for &place in placements[piece]
                .iter()
                .filter(|&&place| place >> cell & 1 == 1 && place & taken == 0)
            {
                chosen[piece] = place;
                pack(placements, taken | place, chosen, all);
                chosen[piece] = 0;
            }
        }
    }
    let mut all = Vec::new();
    pack(&placements, 0, &mut [0; 7], &mut all);
    all
}

/// Packings that no symmetry of the cube turns into each other, as partitions of its cells.
pub fn distinct(packings: &[[u32; 7]]) -> usize {
    let tables: Vec<[usize; 27]> = symmetries()
        .iter()
        .map(|(order, sign)| {
            std::array::from_fn(|cell| {
                let at = [cell / 9, cell / 3 % 3, cell % 3].map(|c| c as i32 - 1);
                let to = [0, 1, 2].map(|axis| (sign[axis] * at[order[axis]] + 1) as usize);
                9 * to[0] + 3 * to[1] + to[2]
            })
        })
        .collect();
    let least = |packing: &[u32; 7]| {
        tables
            .iter()
            .map(|to| {
                let mut image = packing.map(|set| {
                    (0..27)
                        .filter(|cell| set >> cell & 1 == 1)
                        .fold(0_u32, |image, cell| image | 1 << to[cell])
                });
                image.sort_unstable();
                image
            })
            .min()
    };
    packings
        .iter()
        .filter_map(least)
        .collect::<BTreeSet<_>>()
        .len()
}
