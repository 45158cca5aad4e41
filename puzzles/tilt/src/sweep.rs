//! Distances of all placements of a box, one grey mask at a time.
//!
//! The whole box (0 to 6 greys, 0 to 4 blues, 0 to 2 greens) has 99 232 773 227 placements in 24
//! 191 parts, 12 404 499 370 of them up to symmetry. That takes 45.5 CPU-seconds on a core of a
//! busy Zen 4 server, 3.7 nanoseconds per placement, not counting the work of `emit`, and 5 MiB of
//! memory per thread.
//!
//! # How it works
//!
//! *What a tilt sees.* A tilt along rows keeps every piece in its run (maximal stretch of open
//! squares of a row, see `axis`). It also keeps the order of pieces in it. So it cannot distinguish
//! placements that have the same number of blues in every run and the same number of blues before
//! each green. That is the *view* along rows; there is also one along columns. The distance of a
//! placement is the lesser of two numbers that belong to its two views: the distance if the first
//! tilt is along rows, and if it is along columns.
//!
//! *Search.* The number of a view is 1 + the least distance that the two tilts of its axis leave.
//! Such a tilt packs every run to one end. If nothing fell, a second tilt along the same axis gains
//! nothing over choosing it at once, so only the view along the other axis counts. If a green fell,
//! the view with one green fewer counts too, and is known by then. There are 7 % as many views as
//! placements, they have two successors, and the tables of one part and blue count take at most 600
//! KB. A first bound for all placements that can reach a solved one, then passes over these until
//! nothing changes, give the distances. Every step costs one tilt, so there is only one fixpoint.
//!
//! *Evaluation.* For one blue set and one first green, the numbers of all placements are in two
//! table rows of 32 bytes, indexed by the place of the second green. With AVX2, a byte shuffle
//! fetches them all; elsewhere, or for one green, a plain loop does.
//!
//! Batches of 512 are 15 % slower than 1024 in the census of the box; 2048 gain another 1 to 4 %. 1024
//! leave two thirds of the first-level cache to other data.

mod axis;
mod evaluate;
mod search;

use axis::{Axis, BothWays};
use evaluate::{Job, MOST_PLACEMENTS, Slots};
use puzzle_api::UNSOLVABLE;
use search::{Distances, UNKNOWN};

use crate::board::{HOLE, SQUARES};
use crate::instances::Limits;
use crate::symmetry::mask_image;

const BOARD: u32 = (1 << SQUARES) - 1;
/// Capacity of a batch in placements.
const BATCH: usize = 1024;

/// The most green blocks that the sweep covers.
pub const MAX_GREEN: u32 = 2;

/// Reusable buffers of one worker thread.
pub struct Scratch {
    axes: [Axis; 2],
    blue_sets: BlueSets,
    distances: Distances,
    slots: Slots,
    /// Batches by the logarithm of the orbit size.
    batches: [Batch; 4],
    spare: Batch,
}

impl Default for Scratch {
    /// Allocates the buffers (some microseconds). A sweep of the box grows
    /// them to about 2 MiB.
    fn default() -> Self {
        Self {
            axes: Default::default(),
            blue_sets: BlueSets::default(),
            distances: Distances::default(),
            slots: Slots::new(),
            batches: std::array::from_fn(|_| Batch::new()),
            spare: Batch::new(),
        }
    }
}

/// The blue sets of one part and size.
#[derive(Default)]
struct BlueSets {
    sets: Vec<BothWays>,
    smaller: Vec<BothWays>,
    /// For sets of the present size and squares of the part: the number of sets that use only
    /// earlier squares.
    below: Vec<usize>,
}

impl BlueSets {
    fn restart(&mut self, squares: usize) {
        self.sets.clear();
        self.sets.push(0);
        self.below.clear();
        self.below.resize(squares + 1, 1);
    }

    /// Continues with sets with one more blue. They are in colexicographic order,
    /// in which the sets that use only some first squares are a prefix.
    fn grow(&mut self, squares: &[usize]) {
        std::mem::swap(&mut self.sets, &mut self.smaller);
        self.sets.clear();
        for (at, &square) in squares.iter().enumerate() {
            let highest = axis::both_ways(0, square);
            let below = &self.smaller[..self.below[at]];
            self.below[at] = self.sets.len();
            self.sets.extend(below.iter().map(|set| set | highest));
        }
        self.below[squares.len()] = self.sets.len();
    }
}

/// Placements that wait for delivery.
struct Batch {
    keys: Vec<u64>,
    /// Distances in the form of the table.
    near: Vec<u8>,
    depths: Vec<u16>,
    /// They occupy the range from here to the end: batches fill up downwards.
    start: usize,
}

impl Batch {
    fn new() -> Self {
        Self {
            keys: vec![0; BATCH],
            near: vec![0; BATCH],
            depths: vec![0; BATCH],
            start: BATCH,
        }
    }

    fn evaluate(&mut self, slots: &mut Slots, job: &Job) {
        self.start = slots.evaluate(job, self.start, &mut self.keys, &mut self.near);
    }

    fn flush(&mut self, orbit: u32, emit: Emit) -> bool {
        let start = std::mem::replace(&mut self.start, BATCH);
        if start == BATCH {
            return true;
        }
        for (depth, &near) in self.depths[start..].iter_mut().zip(&self.near[start..]) {
            *depth = if near < UNKNOWN {
                u16::from(near)
            } else {
                UNSOLVABLE
            };
        }
        emit(&self.keys[start..], &self.depths[start..], orbit)
    }
}

type Emit<'a> = &'a mut (dyn FnMut(&[u64], &[u16], u32) -> bool + 'a);

/// Calls `emit(keys, depths, orbit_size)` with batches of at most 1024 placements until every
/// canonical placement with the grey mask `grey` was delivered exactly once, in no particular
/// order. `emit` returns whether to continue; so does the sweep.
///
/// A key is `(grey | blue) << 25 | (grey | green)` with square `5 * row + column` as bit; a depth
/// is the least number of tilts to a board without greens, or [`UNSOLVABLE`]. Canonical placements
/// are those whose grey mask, then whose key, no symmetry of the square makes smaller. The orbit
/// size is the number of distinct images. `grey` should be one of [`part_greys`](crate::symmetry::part_greys); its hole is
/// ignored. Costs 3.4 to 3.7 ns per placement.
///
/// Depths above 254 would appear as unsolvable. The box has none above 65.
///
/// # Panics
/// With more than [`MAX_GREEN`] green blocks, for which it has no tables.
pub fn sweep_part(grey: u32, limits: &Limits, scratch: &mut Scratch, emit: Emit) -> bool {
    let grey = grey & BOARD & !(1 << HOLE);
    let green_max = limits.green.max;
    assert!(green_max <= MAX_GREEN, "at most {MAX_GREEN} green blocks");
    let squares: Vec<usize> = (0..SQUARES)
        .filter(|&square| square != HOLE && grey >> square & 1 == 0)
        .collect();
    let stabiliser: Vec<u32> = (1..8)
        .filter(|&index| mask_image(grey, index) == grey)
        .collect();
    let (fewest, most) = (limits.blue.min as usize, limits.blue.max as usize);
    scratch.blue_sets.restart(squares.len());
    for (number, axis) in scratch.axes.iter_mut().enumerate() {
        axis.enter_part(number, grey);
    }
    for batch in &mut scratch.batches {
        // A call that was stopped early leaves its last placements behind.
        batch.start = BATCH;
    }
    for blues in 0..=most {
        if blues > 0 {
            scratch.blue_sets.grow(&squares);
        }
        if blues >= fewest && !scratch.sweep_blue_count(grey, blues, green_max, &stabiliser, emit) {
            return false;
        }
    }
    scratch.flush(emit)
}

impl Scratch {
    fn sweep_blue_count(
        &mut self,
        grey: u32,
        blues: usize,
        green_max: u32,
        stabiliser: &[u32],
        emit: Emit,
    ) -> bool {
        let [rows, columns] = &mut self.axes;
        let end = columns.enter_blues(blues, rows.enter_blues(blues, 0));
        self.distances.solve(&self.axes, end, green_max);
        for index in 0..self.blue_sets.sets.len() {
            let set = self.blue_sets.sets[index];
            if !self.emit_blue_set(grey, set, green_max, stabiliser, emit) {
                return false;
            }
        }
        true
    }

    fn emit_blue_set(
        &mut self,
        grey: u32,
        set: BothWays,
        green_max: u32,
        stabiliser: &[u32],
        emit: Emit,
    ) -> bool {
        let blues = axis::along(0, set);
        let image = |index: &u32| mask_image(blues, *index);
        if stabiliser.iter().any(|s| image(s) < blues) {
            return true;
        }
        let keeping: Vec<u32> = stabiliser
            .iter()
            .copied()
            .filter(|s| image(s) == blues)
            .collect();
        let job = Job {
            axes: &self.axes,
            entries: &self.distances.entries,
            blues: set,
            open: BOARD & !grey & !(1 << HOLE),
            green_max,
            key: u64::from(grey | blues) << 25 | u64::from(grey),
        };
        if keeping.is_empty() {
            let whole = &mut self.batches[3];
            if whole.start < MOST_PLACEMENTS && !whole.flush(8, emit) {
                return false;
            }
            whole.evaluate(&mut self.slots, &job);
            return true;
        }
        self.spare.start = BATCH;
        self.spare.evaluate(&mut self.slots, &job);
        self.sort_by_orbit(&keeping, emit)
    }

    fn sort_by_orbit(&mut self, keeping: &[u32], emit: Emit) -> bool {
        for index in self.spare.start..BATCH {
            let (key, near) = (self.spare.keys[index], self.spare.near[index]);
            let greens = key as u32 & BOARD;
            let mut fixed = 1u32;
            let mut smallest = true;
            for &symmetry in keeping {
                let image = mask_image(greens, symmetry);
                smallest &= image >= greens;
                fixed += u32::from(image == greens);
            }
            if !smallest {
                continue;
            }
            let orbit = 8 / fixed;
            let batch = &mut self.batches[orbit.ilog2() as usize & 3];
            if batch.start == 0 && !batch.flush(orbit, emit) {
                return false;
            }
            batch.start -= 1;
            batch.keys[batch.start] = key;
            batch.near[batch.start] = near;
        }
        true
    }

    fn flush(&mut self, emit: Emit) -> bool {
        self.batches
            .iter_mut()
            .enumerate()
            .all(|(log, batch)| batch.flush(1 << log, emit))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::symmetry::part_greys;

    fn depths_of(grey: u32, limits: &Limits, scratch: &mut Scratch) -> Vec<(u64, u16)> {
        let mut found = Vec::new();
        sweep_part(grey, limits, scratch, &mut |keys, depths, _| {
            found.extend(keys.iter().copied().zip(depths.iter().copied()));
            true
        });
        found
    }

    /// Runs of the axis that has more of them.
    fn most_runs(grey: u32) -> usize {
        let mut axis = Axis::default();
        let runs = [0, 1].map(|number| {
            axis.enter_part(number, grey);
            axis.runs.len()
        });
        runs[0].max(runs[1])
    }

    #[test]
    fn shuffles_and_the_plain_loop_agree() {
        let mut scratch = Scratch::default();
        let mut plain = Scratch::default();
        plain.slots.forget_shuffles();
        let mut greys = part_greys(6, 6);
        // Wide table rows take the most runs, so masks with most runs come first.
        greys.sort_by_key(|&grey| std::cmp::Reverse(most_runs(grey)));
        assert!(most_runs(greys[0]) + 4 >= 16);
        let few = part_greys(0, 2);
        for &grey in greys.iter().step_by(4001).chain(few.iter().step_by(17)) {
            let expected = depths_of(grey, &Limits::BOX, &mut plain);
            assert!(
                depths_of(grey, &Limits::BOX, &mut scratch) == expected,
                "{grey:#x}"
            );
        }
    }
}
