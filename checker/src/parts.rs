//! Parts of Tilt: boards with the same grey blocks, up to symmetry. No move leads from one to
//! another. A part is small enough to be done again from nothing.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use crate::rules::tilt::{self, Board, HOLE, Tilt, greys, image, pack, unpack};
use crate::search::{Level, Mix};

/// Depth of what cannot be solved.
pub const NEVER: u32 = u32::MAX;

/// A part, every board of it with its distance to a solved one.
pub struct Part {
    pub boards: Vec<(u128, u32)>,
    /// Of the boards up to symmetry.
    pub levels: Vec<Level>,
    pub unsolvable: Level,
}

fn sets(free: &[usize], least: usize, most: usize, emit: &mut dyn FnMut(&[usize])) {
    fn go(
        free: &[usize],
        from: usize,
        left: usize,
        chosen: &mut Vec<usize>,
        emit: &mut dyn FnMut(&[usize]),
    ) {
        if left == 0 {
            return emit(chosen);
        }
        for i in from..free.len() {
            chosen.push(free[i]);
            go(free, i + 1, left - 1, chosen, emit);
            chosen.pop();
        }
    }
    (least..=most).for_each(|count| go(free, 0, count, &mut Vec::new(), emit));
}

/// The grey squares of every part of the box, by count and mask: of all images the smallest.
#[must_use]
pub fn all(tilt: &Tilt) -> Vec<u32> {
    let around: Vec<usize> = (0..25).filter(|&s| s != HOLE).collect();
    let to: Vec<Vec<usize>> = (0..8)
        .map(|index| {
            let moved = |s: usize| crate::rules::turn(index, (5, 5), (s / 5, s % 5));
            (0..25).map(|s| 5 * moved(s).0 + moved(s).1).collect()
        })
        .collect();
    let (least, most) = tilt.limits[0];
    let mut found = Vec::new();
    sets(&around, least, most, &mut |squares| {
        let mask = |to: &Vec<usize>| squares.iter().fold(0_u32, |mask, &s| mask | 1 << to[s]);
        let own = mask(&to[0]);
        if to.iter().all(|to| mask(to) >= own) {
            found.push(own);
        }
    });
    found.sort_by_key(|mask| (mask.count_ones(), *mask));
    found
}

/// Every board with these grey squares and the limits' blue and green blocks.
fn boards(tilt: &Tilt, grey: u32) -> Vec<u128> {
    let mut empty: Board = unpack(0);
    (0..25)
        .filter(|s| grey >> s & 1 == 1)
        .for_each(|s| empty[s] = b'#');
    let free = |board: &Board| (0..25).filter(|&s| board[s] == b'.').collect::<Vec<_>>();
    let mut found = Vec::new();
    let [_, (least, most), (few, many)] = tilt.limits;
    sets(&free(&empty), least, most, &mut |blues| {
        let mut board = empty;
        blues.iter().for_each(|&s| board[s] = b'b');
        sets(&free(&board), few, many, &mut |greens| {
            let mut board = board;
            greens.iter().for_each(|&s| board[s] = b'g');
            found.push(pack(&board));
        });
    });
    found
}

/// Does a part again: all boards forward on the rules, then back from the solved ones.
#[must_use]
pub fn part(tilt: &Tilt, grey: u32) -> Part {
    let boards = boards(tilt, grey);
    let number: HashMap<u128, u32, BuildHasherDefault<Mix>> =
        boards.iter().copied().zip(0..).collect();
    let mut arrows = Vec::new();
    for (&state, from) in boards.iter().zip(0_u32..) {
        let board = unpack(state);
        let after = (0..4)
            .filter_map(|way| tilt::tilt(&board, way))
            .filter(|after| *after != board);
        arrows.extend(after.filter_map(|after| Some((*number.get(&pack(&after))?, from))));
    }
    arrows.sort_unstable();
    let solved = |state: u128| !unpack(state).contains(&b'g');
    let mut depth: Vec<u32> = boards
        .iter()
        .map(|&state| if solved(state) { 0 } else { NEVER })
        .collect();
    let mut queue: Vec<u32> = (0..boards.len() as u32)
        .filter(|&i| depth[i as usize] == 0)
        .collect();
    let mut next = 0;
    while let Some(&at) = queue.get(next) {
        next += 1;
        let first = arrows.partition_point(|arrow| arrow.0 < at);
        for &(_, from) in arrows[first..].iter().take_while(|arrow| arrow.0 == at) {
            if depth[from as usize] == NEVER {
                depth[from as usize] = depth[at as usize] + 1;
                queue.push(from);
            }
        }
    }
    let boards: Vec<(u128, u32)> = boards.into_iter().zip(depth).collect();
    let (levels, unsolvable) = tally(grey, &boards);
    Part {
        boards,
        levels,
        unsolvable,
    }
}

/// How many sets of grey squares are images of one.
#[must_use]
pub fn images(grey: u32) -> u128 {
    let mut empty: Board = unpack(0);
    (0..25)
        .filter(|s| grey >> s & 1 == 1)
        .for_each(|s| empty[s] = b'#');
    8 / (0..8)
        .filter(|&index| greys(pack(&image(&empty, index))) == grey)
        .count() as u128
}

/// Levels of the boards up to symmetry, each counted with all its images.
fn tally(grey: u32, boards: &[(u128, u32)]) -> (Vec<Level>, Level) {
    let mut empty: Board = unpack(0);
    (0..25)
        .filter(|s| grey >> s & 1 == 1)
        .for_each(|s| empty[s] = b'#');
    let keeping: Vec<usize> = (0..8)
        .filter(|&index| greys(pack(&image(&empty, index))) == grey)
        .collect();
    let (mut levels, mut unsolvable) = (Vec::new(), Level::default());
    for &(state, depth) in boards {
        let board = unpack(state);
        let images = || {
            keeping[1..]
                .iter()
                .map(|&index| pack(&image(&board, index)))
        };
        if images().any(|image| image < state) {
            continue;
        }
        let same = 1 + images().filter(|&image| image == state).count() as u128;
        if depth != NEVER && levels.len() <= depth as usize {
            levels.resize(depth as usize + 1, Level::default());
        }
        let level = levels.get_mut(depth as usize).unwrap_or(&mut unsolvable);
        level.add(state, 8 / same);
    }
    (levels, unsolvable)
}
