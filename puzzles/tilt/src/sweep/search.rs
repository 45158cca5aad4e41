//! The search: the distance of a placement from a solved one if the first tilt goes along a given
//! axis.
//!
//! That depends only on the axis' view of the placement, its layout and places. A tilt packs every
//! run to one of its ends, and the next tilt that can change anything goes along the other axis,
//! unless a green fell.

use super::axis::{Axis, Blues, BothWays, Layout, address, along};

/// Entry without a known distance.
pub(super) const UNKNOWN: u8 = 0xFF;

/// One axis' views of some placements.
#[derive(Clone, Copy)]
struct View {
    own: u32,
    /// The entry with the two greens swapped.
    twin: u32,
    /// Entries of the other axis after a tilt either way.
    next: [u32; 2],
}

impl View {
    #[inline]
    fn enter(&self, entry: u8, entries: &mut [u8]) {
        entries[self.own as usize] = entry;
        entries[self.twin as usize] = entry;
    }
}

/// A view from which some tilt drops one of two greens.
struct Falling {
    view: View,
    /// Entries of the results of such tilts; always one green.
    left: [u32; 4],
}

/// Views with one number of greens. Those with fewer do not depend on them.
#[derive(Default)]
struct Group {
    bounded: Vec<View>,
    unbounded: Vec<View>,
}

/// Distances by axis, layout and places, for both orders of the greens.
#[derive(Default)]
pub(super) struct Distances {
    pub(super) entries: Vec<u8>,
    singles: Group,
    pairs: Group,
    falling: Vec<Falling>,
    greens: Vec<Green>,
}

impl Distances {
    /// Computes all of them; the tables of the axes end at `end`.
    pub(super) fn solve(&mut self, axes: &[Axis; 2], end: u32, green_max: u32) {
        self.entries.clear();
        // One more entry, never known, for tilts that drop a blue.
        self.entries.resize(end as usize + 1, UNKNOWN);
        if green_max == 0 {
            return;
        }
        for axis in 0..2 {
            let mut gather = Gather {
                axis: &axes[axis],
                crossing: &axes[1 - axis],
                crosswise: 1 - axis,
                nowhere: end,
                with_pairs: green_max > 1,
                found: self,
            };
            gather.run();
        }
        self.singles.solve(&mut self.entries);
        for falling in self.falling.drain(..) {
            let nearest = nearest(&self.entries, falling.left);
            let bound = self.entries[falling.view.own as usize].min(nearest.saturating_add(1));
            self.pairs.add(falling.view, bound, &mut self.entries);
        }
        self.pairs.solve(&mut self.entries);
    }
}

#[inline]
fn nearest<const N: usize>(entries: &[u8], addresses: [u32; N]) -> u8 {
    let found = addresses.map(|address| entries[address as usize]);
    found.into_iter().fold(UNKNOWN, u8::min)
}

impl Group {
    #[inline]
    fn add(&mut self, view: View, bound: u8, entries: &mut [u8]) {
        if bound == UNKNOWN {
            self.unbounded.push(view);
        } else {
            view.enter(bound, entries);
            self.bounded.push(view);
        }
    }

    fn solve(&mut self, entries: &mut [u8]) {
        self.bound(entries);
        self.relax(entries);
        self.bounded.clear();
        self.unbounded.clear();
    }

    /// Sets a bound for every view from which a solved placement can be reached. The others, often
    /// half of all, are then done with; passes level by level would look at them once a level.
    fn bound(&mut self, entries: &mut [u8]) {
        let mut before = usize::MAX;
        while self.unbounded.len() != before {
            before = self.unbounded.len();
            self.unbounded.retain(|view| {
                let nearest = nearest(entries, view.next);
                let reached = nearest < UNKNOWN - 1;
                if reached {
                    view.enter(nearest + 1, entries);
                    self.bounded.push(*view);
                }
                !reached
            });
        }
    }

    /// Lowers the bounds to the only fixpoint, which are the distances, since
    /// every step costs one tilt.
    fn relax(&self, entries: &mut [u8]) {
        let mut changed = true;
        while changed {
            changed = false;
            for view in &self.bounded {
                let nearest = nearest(entries, view.next);
                if nearest.saturating_add(1) < entries[view.own as usize] {
                    view.enter(nearest + 1, entries);
                    changed = true;
                }
            }
        }
    }
}

/// A green in a layout: its place, and its effect on its run when packed towards either end.
#[derive(Clone, Copy)]
struct Green {
    run: usize,
    place: usize,
    /// Blues before it in the run.
    after: usize,
    falls: [bool; 2],
    /// Where it ends up, numbered on the other axis.
    square: [u8; 2],
    /// Squares that change between blue and not blue on its account.
    shifted: [BothWays; 2],
    /// The other axis' view if it is the only green.
    alone: [Alone; 2],
}

/// The other axis after a tilt that leaves one green.
#[derive(Clone, Copy, Default)]
struct Alone {
    blues: Blues,
    place: usize,
}

/// One layout with the blues packed either way.
struct Packed {
    table: u32,
    blues: [BothWays; 2],
    /// The other axis' view of them.
    across: [Blues; 2],
    legal: [bool; 2],
}

/// Collects the views of one axis.
struct Gather<'a> {
    axis: &'a Axis,
    crossing: &'a Axis,
    /// Number of the other axis.
    crosswise: usize,
    nowhere: u32,
    with_pairs: bool,
    found: &'a mut Distances,
}

impl Gather<'_> {
    fn run(&mut self) {
        let mut greens = std::mem::take(&mut self.found.greens);
        for (number, layout) in self.axis.layouts.iter().enumerate() {
            let packed = self.pack(number, layout);
            if packed.legal == [false; 2] {
                continue;
            }
            self.list_greens(layout, &packed, &mut greens);
            for green in &greens {
                self.add_single(&packed, green);
            }
            if self.with_pairs {
                self.add_pairs(layout, &packed, &greens);
            }
        }
        self.found.greens = greens;
    }

    fn add_pairs(&mut self, layout: &Layout, packed: &Packed, greens: &[Green]) {
        for (at, first) in greens.iter().enumerate() {
            for second in &greens[at..] {
                if first.run != second.run {
                    self.add_pair(packed, first, second);
                } else if usize::from(layout[first.run]) + 2 <= self.length(first.run) {
                    self.add_run_mates(packed, layout, first, second);
                }
            }
        }
    }

    fn length(&self, run: usize) -> usize {
        self.axis.runs[run].length
    }

    fn pack(&self, number: usize, layout: &Layout) -> Packed {
        let mut packed = Packed {
            table: self.axis.start + self.axis.stride * number as u32,
            blues: [0; 2],
            across: [Blues::default(); 2],
            legal: [true; 2],
        };
        for (at, &blues) in layout[..self.axis.runs.len()].iter().enumerate() {
            for side in 0..2 {
                packed.blues[side] |= self.packed_cells(at, side, usize::from(blues));
                packed.legal[side] &= blues == 0 || !self.axis.runs[at].drops[side];
            }
        }
        packed.across = packed.blues.map(|blues| self.see_across(blues));
        packed
    }

    /// The cells that some pieces of a run occupy when packed.
    fn packed_cells(&self, run: usize, side: usize, pieces: usize) -> BothWays {
        let run = &self.axis.runs[run];
        let from = start_of_pack(run.length, side, pieces);
        run.heads[from + pieces] ^ run.heads[from]
    }

    /// All greens that can be added to a layout, by place.
    fn list_greens(&self, layout: &Layout, packed: &Packed, greens: &mut Vec<Green>) {
        greens.clear();
        let mut before = 0;
        for (at, run) in self.axis.runs.iter().enumerate() {
            let blues = usize::from(layout[at]);
            let has_room = blues < run.length;
            for after in (0..=blues).filter(|_| has_room) {
                let mut green = Green {
                    run: at,
                    place: at + before + after,
                    after,
                    falls: run.drops,
                    square: [0; 2],
                    shifted: [0; 2],
                    alone: [Alone::default(); 2],
                };
                for side in (0..2).filter(|&side| !run.drops[side]) {
                    let cell = start_of_pack(run.length, side, blues + 1) + after;
                    green.square[side] = run.crossings[cell];
                    green.shifted[side] = self.packed_cells(at, side, blues)
                        ^ self.packed_cells(at, side, blues + 1)
                        ^ run.heads[cell + 1]
                        ^ run.heads[cell];
                    green.alone[side] = self.alone(packed, &green, side);
                }
                greens.push(green);
            }
            before += blues;
        }
    }

    fn alone(&self, packed: &Packed, green: &Green, side: usize) -> Alone {
        let blues = if green.shifted[side] == 0 {
            packed.across[side]
        } else {
            self.see_across(packed.blues[side] ^ green.shifted[side])
        };
        Alone {
            blues,
            place: self.crossing.place(&blues, green.square[side]),
        }
    }

    #[inline]
    fn see_across(&self, blues: BothWays) -> Blues {
        self.crossing.see(along(self.crosswise, blues))
    }

    /// Entry of the other axis for two greens in different runs. Most greens
    /// shift no blue: then the blues are seen as next to the other green alone.
    #[inline]
    fn across(&self, packed: &Packed, first: &Green, second: &Green, side: usize) -> u32 {
        let crossing = self.crossing;
        let (one, two) = (&first.alone[side], &second.alone[side]);
        match (first.shifted[side] == 0, second.shifted[side] == 0) {
            (true, true) => address(one.blues.table, one.place, two.place),
            (false, true) => {
                let place = crossing.place(&one.blues, second.square[side]);
                address(one.blues.table, one.place, place)
            }
            (true, false) => {
                let place = crossing.place(&two.blues, first.square[side]);
                address(two.blues.table, place, two.place)
            }
            (false, false) => {
                let shifted = first.shifted[side] ^ second.shifted[side];
                let blues = self.see_across(packed.blues[side] ^ shifted);
                let [one, two] = [first, second].map(|g| crossing.place(&blues, g.square[side]));
                address(blues.table, one, two)
            }
        }
    }

    fn across_alone(&self, green: &Green, side: usize) -> u32 {
        let alone = &green.alone[side];
        address(alone.blues.table, alone.place, self.crossing.no_place())
    }

    fn view(&self, packed: &Packed, first: usize, second: usize) -> View {
        View {
            own: address(packed.table, first, second),
            twin: address(packed.table, second, first),
            next: [self.nowhere; 2],
        }
    }

    fn add_single(&mut self, packed: &Packed, green: &Green) {
        let mut view = self.view(packed, green.place, self.axis.no_place());
        let mut bound = UNKNOWN;
        for side in (0..2).filter(|&side| packed.legal[side]) {
            if green.falls[side] {
                bound = 1;
            } else {
                view.next[side] = self.across_alone(green, side);
            }
        }
        self.found.singles.add(view, bound, &mut self.found.entries);
    }

    fn add_pair(&mut self, packed: &Packed, first: &Green, second: &Green) {
        let mut view = self.view(packed, first.place, second.place);
        if first.falls == [false; 2] && second.falls == [false; 2] {
            for side in (0..2).filter(|&side| packed.legal[side]) {
                view.next[side] = self.across(packed, first, second, side);
            }
            self.found.pairs.unbounded.push(view);
        } else {
            self.add_falling(packed, first, second, view);
        }
    }

    fn add_falling(&mut self, packed: &Packed, first: &Green, second: &Green, mut view: View) {
        let mut bound = UNKNOWN;
        let mut left = [self.nowhere; 4];
        for side in (0..2).filter(|&side| packed.legal[side]) {
            let other = match (first.falls[side], second.falls[side]) {
                (true, true) => {
                    bound = 1;
                    continue;
                }
                (false, false) => {
                    view.next[side] = self.across(packed, first, second, side);
                    continue;
                }
                (true, false) => second,
                (false, true) => first,
            };
            left[side] = self.across_alone(other, side);
            left[2 + side] = address(packed.table, other.place, self.axis.no_place());
        }
        view.enter(bound, &mut self.found.entries);
        self.found.falling.push(Falling { view, left });
    }

    /// Two greens in one run, `first` not after `second`.
    fn add_run_mates(&mut self, packed: &Packed, layout: &Layout, first: &Green, second: &Green) {
        let run = &self.axis.runs[first.run];
        let blues = usize::from(layout[first.run]);
        let mut view = self.view(packed, first.place, second.place);
        let mut bound = UNKNOWN;
        for side in (0..2).filter(|&side| packed.legal[side]) {
            if first.falls[side] {
                bound = 1;
                continue;
            }
            let start = start_of_pack(run.length, side, blues + 2);
            let cells = [start + first.after, start + second.after + 1];
            let greens = cells.map(|cell| run.heads[cell + 1] ^ run.heads[cell]);
            let blues = packed.blues[side]
                ^ self.packed_cells(first.run, side, blues)
                ^ self.packed_cells(first.run, side, blues + 2)
                ^ greens[0]
                ^ greens[1];
            let blues = self.see_across(blues);
            let [first, second] =
                cells.map(|cell| self.crossing.place(&blues, run.crossings[cell]));
            view.next[side] = address(blues.table, first, second);
        }
        self.found.pairs.add(view, bound, &mut self.found.entries);
    }
}

/// First cell that packed pieces occupy.
fn start_of_pack(length: usize, side: usize, pieces: usize) -> usize {
    if side == 0 { 0 } else { length - pieces }
}
