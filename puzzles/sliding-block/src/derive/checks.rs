//! Statements that hold of a whole board or do not, on boards small enough to try all.

use std::collections::HashMap;

use foldhash::fast::FixedState;
use puzzle_api::{BadInput, Effort, Figure, Parameters, Puzzle};

use super::{explained, instance, not_reached};
use crate::frontier::Frontier;
use crate::placements::placements;
use crate::{Bits, Rules};

/// Most positions or strings that are tried.
const MOST: usize = 500_000;

/// Whether neighbouring positions are at most one level apart (the seed: positions of the
/// levels before the last two may be forgotten), by the rulebook.
pub(super) fn apart(parameters: &Parameters<'_>) -> Result<Vec<Figure>, BadInput> {
    let rules = Rules::new(instance(parameters)?);
    let mut depths: HashMap<u128, u32, FixedState> = HashMap::default();
    let mut queue = Vec::new();
    rules.starts(&mut |start| {
        queue.push(rules.key(&start));
    });
    depths.extend(queue.iter().map(|&key| (key, 0)));
    let (mut next, mut edges) = (0, Vec::new());
    while let Some(&key) = queue.get(next) {
        next += 1;
        let depth = depths[&key] + 1;
        rules.successors(&rules.state(key), &mut |neighbour| {
            let neighbour = rules.key(&neighbour);
            edges.push((key, neighbour));
            depths.entry(neighbour).or_insert_with(|| {
                queue.push(neighbour);
                depth
            });
        });
        if queue.len() > MOST {
            return Ok(not_reached(format!(
                "More than {MOST} positions can be reached, which are not tried."
            )));
        }
    }
    let far = |(a, b): &&(u128, u128)| depths[a].abs_diff(depths[b]) > 1;
    let wrong = edges.iter().filter(far).count();
    let mut figures = explained(
        wrong == 0,
        "Every neighbour of every position that can be reached, by the rulebook.",
    );
    figures.push(Figure::new("positions", queue.len()));
    figures.push(Figure::new("neighbours", edges.len()));
    Ok(figures)
}

/// Whether every string of symbols stands for one position at most, and every way to place
/// the pieces has one: all strings are tried, and those that fit are counted.
pub(super) fn strings_fit(parameters: &Parameters<'_>) -> Result<Vec<Figure>, BadInput> {
    let board = instance(parameters)?.board;
    let total = board.alphabet.total();
    if total > MOST as u128 {
        return Ok(not_reached(format!(
            "The board has {total} strings; at most {MOST} are tried."
        )));
    }
    let (mut fit, mut wrong) = (0_u128, 0);
    for rank in 0..total {
        let string = board.alphabet.unrank(rank);
        if let Some(cells) = board.cells_of_string(&string) {
            fit += 1;
            wrong += u64::from(board.string(&cells) != string);
        }
    }
    let Some(ways) = placements(&board, MOST) else {
        return Ok(not_reached("Too many ways to place the pieces to count."));
    };
    let mut figures = explained(
        wrong == 0 && fit == ways,
        "All strings tried; those that fit, against the ways to place the pieces, counted \
         without strings.",
    );
    figures.push(Figure::new("strings", total));
    figures.push(Figure::new("strings_that_fit", fit));
    figures.push(Figure::new("placements", ways));
    Ok(figures)
}

/// Whether the fast variant has the neighbours and the solved positions of the rulebook, on
/// every position that can be reached. Then both have the same table of levels.
pub(super) fn twins(parameters: &Parameters<'_>, effort: Effort) -> Result<Vec<Figure>, BadInput> {
    let most = match effort {
        Effort::Quick => MOST,
        Effort::Full => 20_000_000,
    };
    let instance = instance(parameters)?;
    let (rules, bits) = (Rules::new(instance.clone()), Bits::new(instance));
    let mut frontier = Frontier::new(&bits);
    let (mut total, mut neighbours, mut wrong) = (0, 0, 0);
    let (mut fast, mut slow) = (Vec::new(), Vec::new());
    while !frontier.level().is_empty() {
        total += frontier.level().len();
        if total > most {
            return Ok(not_reached(format!(
                "More than {most} positions can be reached, which this effort does not try."
            )));
        }
        for &key in frontier.level() {
            fast.clear();
            slow.clear();
            let solved = bits.expand(key, &mut |next| fast.push(next));
            let state = rules.state(key);
            rules.successors(&state, &mut |next| slow.push(rules.key(&next)));
            for keys in [&mut fast, &mut slow] {
                keys.sort_unstable();
                keys.dedup();
            }
            neighbours += slow.len();
            let same =
                fast == slow && rules.key(&state) == key && rules.is_solved(&state) == solved;
            wrong += usize::from(!same);
        }
        frontier.step();
    }
    let mut figures = explained(
        wrong == 0,
        "Neighbours, key and solution of every position that can be reached, by both variants.",
    );
    figures.push(Figure::new("positions", total));
    figures.push(Figure::new("neighbours", neighbours));
    figures.push(Figure::new("levels", frontier.depth()));
    Ok(figures)
}
