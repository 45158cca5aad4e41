//! The Soma cube: all packings.

use std::collections::BTreeSet;

use crate::rules::board::{has, image, set};
use crate::rules::keys::orders;

const SOMA: [&[[usize; 3]]; 7] = [
    &[[0, 0, 0], [1, 0, 0], [0, 1, 0]],
    &[[0, 0, 0], [1, 0, 0], [2, 0, 0], [0, 1, 0]],
    &[[0, 0, 0], [1, 0, 0], [2, 0, 0], [1, 1, 0]],
    &[[0, 0, 0], [1, 0, 0], [1, 1, 0], [2, 1, 0]],
    &[[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],
    &[[0, 0, 0], [1, 0, 0], [1, 1, 0], [1, 1, 1]],
    &[[0, 0, 0], [0, 1, 0], [1, 1, 0], [1, 1, 1]],
];

fn cells() -> impl Iterator<Item = [usize; 3]> {
    (0..27).map(|cell| [cell / 9, cell / 3 % 3, cell % 3])
}

fn number([x, y, z]: [usize; 3]) -> usize {
    9 * x + 3 * y + z
}

fn rotations() -> Vec<Vec<usize>> {
    let all = orders(&[0, 1, 2]).into_iter();
    let all = all.flat_map(|order| (0..8_u128).map(move |mirrored| (order.clone(), mirrored)));
    let is_rotation = |(order, mirrored): &(Vec<usize>, u128)| {
        // An order of axes other than the three even ones also mirrors.
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
    all.filter(is_rotation).map(image).collect()
}

/// Counts all packings of the cube.
pub fn packings() -> usize {
    fn pack(places: &[Vec<u128>], taken: u128, left: &[usize]) -> usize {
        let cell = taken.trailing_ones() as usize;
        if cell == 27 {
            return 1;
        }
        let with = |&piece: &usize| {
            let left: Vec<usize> = left.iter().copied().filter(|&one| one != piece).collect();
            let fits = |place: &&u128| has(**place, cell) && *place & taken == 0;
            let fitting = places[piece].iter().filter(fits);
            fitting
                .map(|place| pack(places, taken | place, &left))
                .sum::<usize>()
        };
        left.iter().map(with).sum()
    }
    let rotations = rotations();
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
    pack(&places, 0, &[0, 1, 2, 3, 4, 5, 6])
}
