//! The search over images: placements that a tilt leaves behind.
//!
//! The images of a tilt in direction d are exactly the placements that it does
//! not move, so they are enumerated directly: every green either fills a gap
//! below a blue or lies on top of a settled stack.

use super::frame::{Frame, Mask, SIDE};
use super::line::{Axis, Lines};
use super::{BOARD, HOLE};

/// Table entry of a placement without a known distance.
pub(super) const UNKNOWN: u8 = 0xFF;
/// Like `UNKNOWN`, and some tilt of an image produces it.
const WANTED: u8 = 0xFE;
/// Entries from here on are not distances.
pub(super) const NO_DISTANCE: u8 = WANTED;

const COLUMN_0: u32 = 0b00001_00001_00001_00001_00001;
const COLUMN_4: u32 = COLUMN_0 << 4;

/// An image, by the addresses of its entry and of its results.
#[derive(Clone, Copy)]
struct Image {
    own: u32,
    /// The entry with the two greens swapped.
    twin: u32,
    results: [u32; 3],
}

impl Image {
    fn nearest(&self, entries: &[u8]) -> u8 {
        let [a, b, c] = self.results.map(|result| entries[result as usize]);
        a.min(b).min(c)
    }

    fn enter(&self, entry: u8, entries: &mut [u8]) {
        entries[self.own as usize] = entry;
        entries[self.twin as usize] = entry;
    }
}

/// Distances of the images of one grey mask and blue count.
///
/// The entry at an address is 1 + the distance of the placement there, which
/// is what a tilt that leads to it costs. A placement appears under its rows
/// if a tilt left or right produces it and under its columns if a tilt up or
/// down does, in both orders of its greens; other entries stay unknown.
#[derive(Default)]
pub(super) struct ImageTable {
    pub(super) entries: Vec<u8>,
    images: Vec<Image>,
    undecided: Vec<Image>,
    bounded: Vec<Image>,
}

impl ImageTable {
    /// Finds all distances for the blue sets of `lines`.
    pub(super) fn solve(&mut self, lines: &Lines, blue_sets: &[Mask], grey: u32, green_max: u8) {
        //@start
        let nowhere = 2 * lines.axis_bytes();
        self.entries.clear();
        self.entries.resize(nowhere as usize + 1, UNKNOWN);
        self.images.clear();
        //@0
        let mut gather = Gather {
            lines,
            ground: Ground::new(grey),
            green_max,
            nowhere,
            images: &mut self.images,
        };
        for &blues in blue_sets {
            gather.images_of(blues);
        }
        //@1
        self.mark_wanted();
        self.enter_solved(lines);
        //@2
        self.relax_wanted();
        //@3
        self.relax_rest();
        //@4
    }

    fn mark_wanted(&mut self) {
        for image in &self.images {
            for result in image.results {
                self.entries[result as usize] = WANTED;
            }
        }
        if let Some(nowhere) = self.entries.last_mut() {
            *nowhere = UNKNOWN;
        }
    }

    fn enter_solved(&mut self, lines: &Lines) {
        let width = lines.width * lines.width;
        for blue_set in self.entries.chunks_exact_mut(width as usize) {
            if let Some(no_greens) = blue_set.last_mut() {
                *no_greens = 1;
            }
        }
        if let Some(nowhere) = self.entries.last_mut() {
            *nowhere = UNKNOWN;
        }
    }

    /// Distances of the images that tilts of images produce: no other
    /// placement lies on a path after its second one.
    fn relax_wanted(&mut self) {
        self.bound_wanted();
        // Distances are the only fixpoint, since every step costs one tilt.
        let mut changed = true;
        while changed {
            changed = false;
            for image in &self.bounded {
                let nearest = image.nearest(&self.entries);
                if nearest + 1 < self.entries[image.own as usize] {
                    image.enter(nearest + 1, &mut self.entries);
                    changed = true;
                }
            }
        }
    }

    /// Gives a first bound to every wanted image from which a solved placement
    /// can be reached. The others, often half of all, are then done with;
    /// passes level by level would look at them once a level.
    fn bound_wanted(&mut self) {
        let entries = &mut self.entries;
        self.undecided.clear();
        self.undecided.extend(self.images.iter().filter(|image| {
            entries[image.own as usize] == WANTED || entries[image.twin as usize] == WANTED
        }));
        self.bounded.clear();
        let mut before = 0;
        while self.undecided.len() != before {
            before = self.undecided.len();
            self.undecided.retain(|image| {
                let nearest = image.nearest(entries);
                let reached = nearest < NO_DISTANCE - 1;
                if reached {
                    image.enter(nearest + 1, entries);
                    self.bounded.push(*image);
                }
                !reached
            });
        }
    }

    /// The other images need one look at their results.
    fn relax_rest(&mut self) {
        for image in &self.images {
            if self.entries[image.own as usize] != UNKNOWN {
                continue;
            }
            let nearest = image.nearest(&self.entries);
            if nearest < NO_DISTANCE {
                image.enter(nearest + 1, &mut self.entries);
            }
        }
    }
}

/// The open squares of a part and where stacks begin in each direction.
struct Ground {
    open: u32,
    start: [u32; 4],
}

impl Ground {
    fn new(grey: u32) -> Self {
        let open = BOARD & !grey & !(1 << HOLE);
        let mut ground = Self {
            open,
            start: [0; 4],
        };
        ground.start = [
            open & (COLUMN_0 | away(0, grey)),
            open & (COLUMN_4 | away(1, grey)),
            open & (0b11111 | away(2, grey)),
            open & (0b11111 << 20 | away(3, grey)),
        ];
        ground
    }

    /// For a direction: the gaps that greens must fill for the blues to be
    /// settled, and the squares on which one more green is settled then.
    fn gaps_and_tops(&self, direction: usize, blues: u32) -> (u32, u32) {
        let mut stacks = blues;
        for _ in 1..SIDE {
            stacks |= towards(direction, stacks) & self.open;
        }
        let tops = self.open & !stacks & (self.start[direction] | away(direction, stacks));
        (stacks & !blues, tops)
    }
}

/// The neighbours of `squares` on the side that a tilt in `direction` lowers.
fn towards(direction: usize, squares: u32) -> u32 {
    match direction {
        0 => squares >> 1 & !COLUMN_4,
        1 => squares << 1 & !COLUMN_0,
        2 => squares >> SIDE,
        _ => squares << SIDE & BOARD,
    }
}

/// The neighbours on the raised side.
fn away(direction: usize, squares: u32) -> u32 {
    towards(direction ^ 1, squares)
}

/// Collects the images of a part.
struct Gather<'a> {
    lines: &'a Lines,
    ground: Ground,
    green_max: u8,
    /// Address of an entry that is never known.
    nowhere: u32,
    images: &'a mut Vec<Image>,
}

impl Gather<'_> {
    fn images_of(&mut self, blues: Mask) {
        let frame = Frame::new(self.lines, blues);
        for direction in (0..4).filter(|direction| frame.legal >> direction & 1 == 1) {
            let (gaps, tops) = self.ground.gaps_and_tops(direction, blues.by_rows);
            if gaps == 0 {
                self.with_free_greens(&frame, direction, tops);
            } else {
                self.with_gaps(&frame, direction, gaps, tops);
            }
        }
    }

    fn with_free_greens(&mut self, frame: &Frame, direction: usize, tops: u32) {
        for first in squares(tops) {
            self.push_single(frame, direction, first);
            if self.green_max < 2 {
                continue;
            }
            let above = away(direction, 1 << first) & self.ground.open;
            for second in squares((tops & (!1 << first)) | above) {
                self.push_pair(frame, direction, first.min(second), first.max(second));
            }
        }
    }

    fn with_gaps(&mut self, frame: &Frame, direction: usize, gaps: u32, tops: u32) {
        let first = gaps.trailing_zeros() as usize;
        let more = gaps & (gaps - 1);
        if more == 0 {
            self.push_single(frame, direction, first);
        }
        if self.green_max < 2 || more & more.wrapping_sub(1) != 0 {
            return;
        }
        for second in squares(if more == 0 { tops } else { more }) {
            self.push_pair(frame, direction, first.min(second), first.max(second));
        }
    }

    fn push_single(&mut self, frame: &Frame, direction: usize, green: usize) {
        let (width, none) = (self.lines.width, self.lines.free);
        let still = frame.still[direction >> 1];
        let slot = own_slot(frame, direction, green);
        let result = |towards: usize| {
            frame.base[towards]
                .wrapping_add(cell_first(frame, towards, green))
                .wrapping_add(none)
        };
        let image = Image {
            own: still + slot * width + none,
            twin: still + none * width + slot,
            results: self.results(frame, direction, result),
        };
        self.images.push(image);
    }

    fn push_pair(&mut self, frame: &Frame, direction: usize, low: usize, high: usize) {
        let width = self.lines.width;
        let still = frame.still[direction >> 1];
        let (a, b) = (
            own_slot(frame, direction, low),
            own_slot(frame, direction, high),
        );
        let result = |towards: usize| {
            frame.base[towards]
                .wrapping_add(cell_first(frame, towards, low))
                .wrapping_add(self.second(frame, towards, low, high))
        };
        let image = Image {
            own: still + a * width + b,
            twin: still + b * width + a,
            results: self.results(frame, direction, result),
        };
        self.images.push(image);
    }

    /// A tilt does not move its own images, so three directions remain.
    fn results(&self, frame: &Frame, direction: usize, result: impl Fn(usize) -> u32) -> [u32; 3] {
        std::array::from_fn(|turn| {
            let towards = (direction + 1 + turn) & 3;
            if frame.legal >> towards & 1 == 1 {
                result(towards)
            } else {
                self.nowhere
            }
        })
    }

    fn second(&self, frame: &Frame, direction: usize, low: usize, high: usize) -> u32 {
        let (low_row, low_column) = (low / SIDE, low % SIDE);
        let (row, column) = (high / SIDE, high % SIDE);
        if direction < 2 {
            let line = frame.rows[row];
            if low_row == row {
                let free = frame.free >> (SIDE * row);
                line.pair[low_column][Lines::pair_index(Axis::Rows, free, low_column, column)]
                    [direction]
            } else {
                line.cell[column].second[direction]
            }
        } else {
            let line = frame.columns[column];
            if low_column == column {
                line.pair[low_row][Lines::pair_index(Axis::Columns, 0, low_row, row)][direction - 2]
            } else {
                line.cell[row].second[direction - 2]
            }
        }
    }
}

fn cell_first(frame: &Frame, direction: usize, square: usize) -> u32 {
    let (row, column) = (square / SIDE, square % SIDE);
    if direction < 2 {
        frame.rows[row].cell[column].first[direction]
    } else {
        frame.columns[column].cell[row].first[direction - 2]
    }
}

fn own_slot(frame: &Frame, direction: usize, square: usize) -> u32 {
    let (row, column) = (square / SIDE, square % SIDE);
    if direction < 2 {
        frame.rows[row].slot[column]
    } else {
        frame.columns[column].slot[row]
    }
}

/// Squares of a mask, ascending.
fn squares(mut mask: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (mask != 0).then(|| {
            let square = mask.trailing_zeros() as usize;
            mask &= mask - 1;
            square
        })
    })
}
