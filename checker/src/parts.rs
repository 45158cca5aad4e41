//! Parts of Tilt: boards with the same grey blocks, up to symmetry. No move leads from one to
//! another. A part is small enough to be recomputed from scratch.

use std::collections::BTreeSet;
use std::hash::Hash;

use rayon::prelude::*;

use crate::checker::{Checker, once};
use crate::csv;
use crate::rules::Rules;
use crate::rules::board::{image as image_of, members, reached, set, subsets};
use crate::rules::keys::{choose, ways};
use crate::rules::tilt::{Board, GRID, HOLE, Tilt, greys, image, pack, unpack};
use crate::search::{Level, Numbers};
use crate::shown::{OrWrong, Shown, Stop, bound_of};

/// Depth of states that cannot be solved.
pub const NEVER: u32 = u32::MAX;

/// A part, every board of it with its distance to a solved one.
pub struct Part {
    pub boards: Vec<(u128, u32)>,
    /// Counts of the boards up to symmetry.
    pub levels: Vec<Level>,
    pub unsolvable: Level,
}

/// The grey squares of every part of the box, by count and mask: the smallest of all images.
pub fn all(tilt: &Tilt) -> Vec<u128> {
    let turns: Vec<Vec<usize>> = GRID.turns().collect();
    let is_least = |own: &u128| turns.iter().all(|to| image_of(*own, to) >= *own);
    let mut found = subsets_of(around(), tilt.limits[0]);
    found.retain(is_least);
    found.sort_by_key(|mask| (mask.count_ones(), *mask));
    found
}

/// All squares but the hole.
pub fn around() -> u128 {
    set(GRID.cells().filter(|&square| square != HOLE))
}

fn subsets_of(squares: u128, (least, most): (usize, usize)) -> Vec<u128> {
    let sizes = (least..=most).map(|count| subsets(squares, count));
    sizes.flatten().collect()
}

/// The board with these grey squares and nothing else.
fn walled(grey: u128) -> Board {
    unpack(grey << 25 | grey)
}

/// The turns that leave the grey squares where they are; the first changes nothing.
fn keeping(grey: u128) -> Vec<usize> {
    let keeps = |&index: &usize| greys(pack(&image(&walled(grey), index))) == grey;
    (0..8).filter(keeps).collect()
}

/// Every board with these grey squares and the limits' blue and green blocks.
fn boards(tilt: &Tilt, grey: u128) -> Vec<u128> {
    let [_, blues, greens] = tilt.limits;
    let free = around() & !grey;
    let with = |blue: u128| {
        let greens = subsets_of(free & !blue, greens).into_iter();
        greens.map(move |green| (grey | blue) << 25 | grey | green)
    };
    let blues = subsets_of(free, blues).into_iter();
    blues.flat_map(with).collect()
}

/// Recomputes a part: all boards forward by the rules, then back from the solved ones.
pub fn part(tilt: &Tilt, grey: u128) -> Part {
    let boards = boards(tilt, grey);
    let next = |&state: &u128| tilt.next(state);
    let depths = distances(&boards, next, |&state| tilt.solved(state));
    let boards: Vec<(u128, u32)> = boards.into_iter().zip(depths).collect();
    let (levels, unsolvable) = tally(grey, &boards);
    Part {
        boards,
        levels,
        unsolvable,
    }
}

/// Fewest moves from each of some states, over these alone, to a solved one; [`NEVER`] if there is
/// no path.
pub fn distances<T: Copy + Eq + Hash, I: IntoIterator<Item = T>>(
    states: &[T],
    next: impl Fn(&T) -> I,
    solved: impl Fn(&T) -> bool,
) -> Vec<u32> {
    let numbers: Numbers<T> = states.iter().copied().zip(0..).collect();
    let mut arrows = Vec::new();
    for (state, from) in states.iter().zip(0_u32..) {
        let next = next(state).into_iter();
        arrows.extend(next.filter_map(|next| Some((*numbers.get(&next)?, from))));
    }
    arrows.sort_unstable();
    let depth = |state: &T| if solved(state) { 0 } else { NEVER };
    let mut depths: Vec<u32> = states.iter().map(depth).collect();
    let solved = |&at: &u32| depths[at as usize] == 0;
    let mut queue: Vec<u32> = (0..states.len() as u32).filter(solved).collect();
    let mut next = 0;
    while let Some(&at) = queue.get(next) {
        next += 1;
        let first = arrows.partition_point(|arrow| arrow.0 < at);
        for &(_, from) in arrows[first..].iter().take_while(|arrow| arrow.0 == at) {
            if depths[from as usize] == NEVER {
                depths[from as usize] = depths[at as usize] + 1;
                queue.push(from);
            }
        }
    }
    depths
}

/// Number of sets of grey squares that are images of one.
pub fn images(grey: u128) -> u128 {
    8 / keeping(grey).len() as u128
}

/// Levels of the boards up to symmetry, each counted with all its images.
fn tally(grey: u128, boards: &[(u128, u32)]) -> (Vec<Level>, Level) {
    let keeping = keeping(grey);
    let (mut levels, mut unsolvable) = (Vec::new(), Level::default());
    for &(state, depth) in boards {
        let board = unpack(state);
        let others = keeping[1..].iter();
        let images: Vec<u128> = others.map(|&index| pack(&image(&board, index))).collect();
        if images.iter().any(|image| *image < state) {
            continue;
        }
        let same = 1 + images.iter().filter(|image| **image == state).count() as u128;
        if depth != NEVER && levels.len() <= depth as usize {
            levels.resize(depth as usize + 1, Level::default());
        }
        let level = levels.get_mut(depth as usize).unwrap_or(&mut unsolvable);
        level.add(state, 8 / same);
    }
    (levels, unsolvable)
}

/// Boards with at most n blocks of three colours, all of them and up to symmetry
/// (Burnside's lemma).
pub fn counted(most: [usize; 3]) -> (u128, u128) {
    let fixed = |to: Vec<usize>| {
        let cycle = |start| set(reached([start], |&square| [to[square]]).map(|one| one.0));
        let cycles: BTreeSet<u128> = members(around()).map(cycle).collect();
        let cycles = Vec::from_iter(cycles);
        // Each has one colour or none; a state is the numbers of blocks.
        let next = |at: usize, counts: &[usize; 3]| {
            let mut all = vec![*counts];
            for colour in 0..3 {
                let mut more = *counts;
                more[colour] += cycles[at].count_ones() as usize;
                all.extend((more[colour] <= most[colour]).then_some(more));
            }
            all
        };
        ways([0; 3], cycles.len(), next, |_| true)
    };
    let fixed: Vec<u128> = GRID.turns().map(fixed).collect();
    (fixed[0], fixed.iter().sum::<u128>() / 8)
}

/// The sums over all parts of Tilt's box, and the share of them that is trusted.
#[derive(Debug, Clone)]
pub struct Parts {
    pub levels: Vec<Level>,
    pub unsolvable: Level,
    pub trusted: String,
}

/// A level from the cells of its row.
fn level(members: &[String]) -> Option<Level> {
    let level = Level {
        states: members[0].parse().ok()?,
        orbits: members[1].parse().ok()?,
        digest: u128::from_str_radix(&members[2], 16).ok()?,
    };
    (level.told() == members).then_some(level)
}

/// The level tables in `parts.csv`, one per part: levels with the unsolvable boards last.
fn tables_of(text: &str) -> Result<Vec<Vec<Level>>, Stop> {
    let mut tables: Vec<Vec<Level>> = Vec::new();
    let mut closed = true;
    for row in csv::table(text, "part,depth,states,orbits,digest")? {
        if closed {
            tables.push(Vec::new());
        }
        let part = tables.len() - 1;
        let table = &mut tables[part];
        closed = row[1] == "unsolvable";
        let follows = row[0] == part.to_string() && (closed || row[1] == table.len().to_string());
        follows.or_wrong(format!("the row {} does not follow", row.join(",")))?;
        table.push(level(&row[2..]).ok_or("has a row of other figures")?);
    }
    closed.or_wrong("ends within a part")?;
    Ok(tables)
}

/// The sums over the tables of all parts: the levels, and the unsolvable states.
fn sums(tables: &[Vec<Level>]) -> (Vec<Level>, Level) {
    let (mut levels, mut unsolvable) = (Vec::<Level>::new(), Level::default());
    for (never, solvable) in tables.iter().filter_map(|table| table.split_last()) {
        unsolvable.join(never);
        levels.resize(levels.len().max(solvable.len()), Level::default());
        let sums = levels.iter_mut().zip(solvable);
        sums.for_each(|(sum, level)| sum.join(level));
    }
    (levels, unsolvable)
}

/// Checks that the parts in a `parts.csv` add up to a table of levels: rows of depth, states, orbits
/// and digest.
pub fn add_up(text: &str, rows: &[Vec<String>]) -> Shown {
    let tables = tables_of(text)?;
    let (levels, never) = sums(&tables);
    let with_never = rows.last().is_some_and(|row| row[0] == "unsolvable");
    let due = csv::rows(&levels, with_never.then_some(&never));
    (due == rows).or_wrong("its parts do not add up to the levels")?;
    let parts = tables.len();
    Ok(vec![format!("how the levels divide into {parts} parts")])
}

/// The number of boards of the box with these grey squares.
pub fn boards_around(grey: u128) -> u128 {
    let [_, (_, blues), (_, greens)] = Tilt::BOX.limits;
    let free = 24 - grey.count_ones() as usize;
    let counts = (0..=blues).flat_map(|blue| (0..=greens).map(move |green| (blue, green)));
    let ways = counts.map(|(blue, green)| choose(free, blue) * choose(free - blue, green));
    ways.sum()
}

/// Checks `parts.csv` of the box of Tilt: that no part is missing, the number of boards of each,
/// and their sums. Some parts are searched from scratch.
pub fn of_parts(checker: &Checker, text: &str) -> Result<Parts, Stop> {
    let (greys, tables) = (all(&Tilt::BOX), tables_of(text)?);
    let (count, due) = (tables.len(), greys.len());
    (count == due).or_wrong(format!("has {count} parts, and there are {due}"))?;
    for (table, &grey) in tables.iter().zip(&greys) {
        let states: u128 = table.iter().map(|level| level.states).sum();
        let due = boards_around(grey) * images(grey);
        (states == due).or_wrong(format!("a part has {states} boards, and must have {due}"))?;
    }
    let (levels, unsolvable) = sums(&tables);
    let chosen = checker.drawn(due);
    let again = chosen.par_iter().map(|&at| {
        let again = once(&checker.texts, format!("part {at}"), || {
            let part = part(&Tilt::BOX, greys[at]);
            let table = [part.levels, vec![part.unsolvable]].concat();
            Ok(format!("{table:?}"))
        });
        let same = again == Ok(format!("{:?}", tables[at]));
        same.or_wrong(format!("part {at} is another when it is done again"))
    });
    again.collect::<Result<Vec<()>, Stop>>()?;
    let (redone, seed) = (chosen.len(), checker.seed);
    let (open, share) = (due - redone, 100.0 * bound_of(redone.max(1) as f64));
    let trusted = format!(
        "{open} of {due} parts of the box ({redone} drawn by seed {seed} and done again: with 95% \
         confidence at most {share:.1}% are wrong)"
    );
    Ok(Parts {
        levels,
        unsolvable,
        trusted,
    })
}
