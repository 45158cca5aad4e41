//! The Soma cube: all packings, and those that no symmetry turns into each other.

use std::collections::BTreeSet;

use crate::rules::board::{has, image, set};
use crate::rules::keys::orders;

/// The seven Soma pieces as cells of the cube.
const SOMA: [&[[usize; 3]]; 7] = [
    &[[0, 0, 0], [1, 0, 0], [0, 1, 0]],
    &[[0, 0, 0], [1, 0, 0], [2, 0, 0], [0, 1, 0]],
    &[[0, 0, 0], [1, 0, 0], [2, 0, 0], [1, 1, 0]],
    &[[0, 0, 0], [1, 0, 0], [1, 1, 0], [2, 1, 0]],
    &[[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],
    &[[0, 0, 0], [1, 0, 0], [1, 1, 0], [1, 1, 1]],
    &[[0, 0, 0], [0, 1, 0], [1, 1, 0], [1, 1, 1]],
];

/// Cells by number.
fn cells() -> impl Iterator<Item = [usize; 3]> {
    (0..27).map(|cell| [cell / 9, cell / 3 % 3, cell % 3])
}

fn number([x, y, z]: [usize; 3]) -> usize {
    9 * x + 3 * y + z
}

/// Where each cell goes under the rotations of the cube, or by its other symmetries.
fn symmetries(rotations: bool) -> Vec<Vec<usize>> {
    let all = orders(&[0, 1, 2]).into_iter();
    let all = all.flat_map(|order| (0..8_u128).map(move |mirrored| (order.clone(), mirrored)));
    let is_rotation = |(order, mirrored): &(Vec<usize>, u128)| {
        // An order of axes that is none of the three even ones mirrors too.
        let even = (order[0] + 1) % 3 == order[1];
        even == (mirrored.count_ones() % 2 == 0)
    };
    let image = |(order, mirrored): (Vec<usize>, u128)| {
        let along = |cell: [usize; 3], axis: usize| match has(mirrored, axis) {
            false => cell[order[axis]],
            true => 2 - cell[order[axis]],
        };
        let to = |cell| number([0, 1, 2].map(|axis| along(cell, axis)));
        cells().map(to).collect()
    };
    let own = all.filter(|symmetry| is_rotation(symmetry) == rotations);
    own.map(image).collect()
}

/// All packings of the cube: the cells of each piece.
pub fn packings() -> Vec<[u128; 7]> {
    fn pack(places: &[Vec<u128>], taken: u128, chosen: &mut [u128; 7], all: &mut Vec<[u128; 7]>) {
        let cell = taken.trailing_ones() as usize;
        if cell == 27 {
            all.push(*chosen);
            return;
        }
        for piece in (0..7)
            .filter(|&piece| chosen[piece] == 0)
            .collect::<Vec<_>>()
        {
            let fits = |place: &&u128| has(**place, cell) && *place & taken == 0;
            for &place in places[piece].iter().filter(fits) {
                chosen[piece] = place;
                pack(places, taken | place, chosen, all);
            }
            chosen[piece] = 0;
        }
    }
    let rotations = symmetries(true);
    let places = SOMA.map(|piece| {
        let moved = |[x, y, z]: [usize; 3]| {
            let cells = piece
                .iter()
                .map(|cell| [cell[0] + x, cell[1] + y, cell[2] + z]);
            let inside = cells.clone().flatten().all(|at| at < 3);
            inside.then(|| set(cells.map(number)))
        };
        let turned = |place| rotations.iter().map(move |to| image(place, to));
        let all: BTreeSet<u128> = cells().filter_map(moved).flat_map(turned).collect();
        Vec::from_iter(all)
    });
    let mut all = Vec::new();
    pack(&places, 0, &mut [0; 7], &mut all);
    all
}

/// Packings that no symmetry of the cube turns into each other, as partitions of its cells.
pub fn distinct(packings: &[[u128; 7]]) -> usize {
    let all = [symmetries(true), symmetries(false)].concat();
    let least = |packing: &[u128; 7]| {
        let images = all.iter().map(|to| {
            let mut image = packing.map(|place| image(place, to));
            image.sort_unstable();
            image
        });
        images.min()
    };
    let least: BTreeSet<[u128; 7]> = packings.iter().filter_map(least).collect();
    least.len()
}
