//! Distances of all placements of a box, one grey mask at a time.

mod axis;
mod blues;
mod evaluate;
mod search;
mod symmetry;

use axis::{Axis, BothWays};
use blues::BlueSets;
use evaluate::{Job, MOST_PLACEMENTS, Slots};
use search::{Distances, UNKNOWN};
use symmetry::Symmetries;

/// Square index of the hole.
const HOLE: usize = 12;
/// All 25 squares.
const BOARD: u32 = (1 << 25) - 1;
/// Placements that one batch can hold.
const BATCH: usize = 1024;

/// Piece counts of a sweep, as inclusive ranges; greens always start at 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Fewest and most blue blocks of a placement.
    pub blue: (u8, u8),
    /// Most green blocks of a placement; more than [`MAX_GREEN`] counts as
    /// [`MAX_GREEN`].
    pub green_max: u8,
}

/// The most green blocks that the sweep covers.
pub const MAX_GREEN: u8 = 2;

/// Depth of a placement from which no sequence of tilts solves the board.
pub const UNSOLVABLE: u16 = u16::MAX;

/// Reusable buffers of one worker thread.
pub struct Scratch {
    symmetries: Symmetries,
    axes: [Axis; 2],
    blue_sets: BlueSets,
    distances: Distances,
    slots: Slots,
    /// Batches by the logarithm of the orbit size.
    batches: [Batch; 4],
    spare: Batch,
}

impl Scratch {
    /// Allocates the buffers and computes the slides of all lines (about a
    /// millisecond). A sweep of the box grows them to some 20 MiB.
    pub fn new() -> Self {
        Self {
            symmetries: Symmetries::new(),
            axes: Default::default(),
            blue_sets: BlueSets::default(),
            distances: Distances::default(),
            slots: Slots::new(),
            batches: std::array::from_fn(|_| Batch::new()),
            spare: Batch::new(),
        }
    }
}

impl Default for Scratch {
    fn default() -> Self {
        Self::new()
    }
}

/// Placements that wait to be handed over.
struct Batch {
    keys: Vec<u64>,
    /// Distances as the table holds them.
    near: Vec<u8>,
    depths: Vec<u16>,
    /// They lie from here to the end: batches fill up downwards.
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

/// Grey masks that no symmetry of the square makes smaller, by count and then
/// by value, for counts from `min_grey` to `max_grey`.
pub fn part_greys(min_grey: u8, max_grey: u8) -> Vec<u32> {
    let symmetries = Symmetries::new();
    (min_grey..=max_grey)
        .flat_map(|greys| symmetry::canonical_greys(&symmetries, u32::from(greys)))
        .collect()
}

/// Calls `emit(keys, depths, orbit_size)` until every canonical placement with
/// the grey mask `grey` was handed over exactly once.
pub fn sweep_part(grey: u32, limits: &Limits, scratch: &mut Scratch, emit: Emit) -> bool {
    let grey = grey & BOARD & !(1 << HOLE);
    let green_max = limits.green_max.min(MAX_GREEN);
    let squares: Vec<usize> = (0..25)
        .filter(|&square| square != HOLE && grey >> square & 1 == 0)
        .collect();
    let stabiliser = scratch.symmetries.stabiliser(grey);
    let (fewest, most) = (usize::from(limits.blue.0), usize::from(limits.blue.1));
    scratch.blue_sets.restart(squares.len());
    for (number, axis) in scratch.axes.iter_mut().enumerate() {
        axis.enter_part(number, grey);
    }
    for batch in &mut scratch.batches {
        // A call that was stopped early leaves its last placements behind.
        batch.start = BATCH;
    }
    for blues in 0..=most.min(squares.len()) {
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
        green_max: u8,
        stabiliser: &[usize],
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
        green_max: u8,
        stabiliser: &[usize],
        emit: Emit,
    ) -> bool {
        let blues = axis::along(0, set);
        let image = |symmetry: &usize| self.symmetries.image(*symmetry, blues);
        if stabiliser.iter().any(|s| image(s) < blues) {
            return true;
        }
        let keeping: Vec<usize> = stabiliser
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

    fn sort_by_orbit(&mut self, keeping: &[usize], emit: Emit) -> bool {
        for index in self.spare.start..BATCH {
            let (key, near) = (self.spare.keys[index], self.spare.near[index]);
            let greens = key as u32 & BOARD;
            let mut fixed = 1u32;
            let mut smallest = true;
            for &symmetry in keeping {
                let image = self.symmetries.image(symmetry, greens);
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
