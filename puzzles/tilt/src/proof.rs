//! The distances of a part of the box, proven on all of its placements.
//!
//! State by state on the rulebook, the 12,404,499,370 orbits of the box would take hours. But the
//! rulebook's tilt slides each line by itself, and a line has few contents. The rulebook slides all
//! of them beforehand (`lines`), and every placement's four successors are put together from the
//! results of their lines. Nothing of the fast variant is used: neither its moves nor its
//! symmetries nor its numbering.
//!
//! For each part the proof shows that no symmetry makes its grey set smaller. The states delivered
//! and their images are all placements, each once and with the size of its orbit. Exactly those
//! without a green are at distance 0. Every other one is one further than the least of its
//! successors, or leads to none that is solved. Over a finite part, that determines one table: the
//! distances.

pub(crate) mod lines;
mod places;
mod slides;

use puzzle_api::proof::{MISSING, PartCheck, PartProof, PartProven, UNSOLVED, judge, packed};
use puzzle_api::{BadInput, Request};

use crate::board::{self, Cell, HOLE, SIDE, SQUARES};
use crate::instances::{self, Limits};
use lines::{ILLEGAL, Lines};
use places::{MOST_BLUES, Places};
use slides::{AfterBlues, Slides};

/// The proof for one instance of the box.
#[derive(Debug)]
pub struct BoxProof {
    instance: instances::Instance,
    limits: Limits,
    lines: Lines,
    /// Grey sets that no symmetry makes smaller, by count and then mask, each with the symmetries
    /// that keep it.
    parts: Vec<(u32, Vec<u32>)>,
}

impl BoxProof {
    /// The proof for an instance, which takes some tens of milliseconds. `None` for an instance
    /// with its own set of grey blocks, more than two greens or six blues.
    ///
    /// # Errors
    /// [`BadInput`] as the variants report it.
    pub fn open(request: &Request<'_>) -> Result<Option<Self>, BadInput> {
        let instance = instances::open(request)?;
        let limits = instance.limits();
        let of_this_kind = instance.grey_sets().is_empty()
            && limits.green.min == 0
            && limits.green.max <= 2
            && limits.blue.max as usize <= MOST_BLUES;
        Ok(of_this_kind.then(|| Self {
            parts: parts(&limits),
            lines: Lines::by_the_rulebook(),
            limits,
            instance,
        }))
    }
}

impl PartProof for BoxProof {
    fn foundation(&self) -> Result<String, String> {
        Ok(
            "the rulebook slides each line of a board by itself, and all contents of all lines \
             were slid by it"
                .to_owned(),
        )
    }

    fn states(&self) -> u64 {
        self.instance.placements()
    }

    fn part(&self, part: u64) -> Option<Box<dyn PartCheck + '_>> {
        let (grey, keeping) = self.parts.get(usize::try_from(part).ok()?)?;
        Some(Box::new(Part::new(self, *grey, keeping)))
    }
}

fn grey_image(grey: u32, index: u32) -> u32 {
    board::mask(&board::image(&board::grey_board(grey), index), Cell::Grey)
}

/// Every grey set within the limits that is the smallest of its images.
fn parts(limits: &Limits) -> Vec<(u32, Vec<u32>)> {
    let fits = |grey: u32| limits.grey.contains(grey.count_ones());
    let mut parts: Vec<(u32, Vec<u32>)> = sets(open_squares(0), limits.grey.max)
        .into_iter()
        .filter(|&grey| fits(grey))
        .filter_map(|grey| {
            let images: Vec<u32> = (0..8).map(|index| grey_image(grey, index)).collect();
            let smallest = images.iter().all(|&image| image >= grey);
            let keeping = (0..8).filter(|&index| images[index as usize] == grey);
            smallest.then(|| (grey, keeping.collect()))
        })
        .collect();
    parts.sort_unstable_by_key(|(grey, _)| (grey.count_ones(), *grey));
    parts
}

/// All subsets of at most n of some squares, the smaller first.
fn sets(squares: u32, most: u32) -> Vec<u32> {
    let mut sets = vec![0_u32];
    let mut from = 0;
    for _ in 0..most {
        let until = sets.len();
        for at in from..until {
            let set = sets[at];
            let above = u32::BITS - set.leading_zeros();
            let next = (above..SQUARES as u32).map(|square| 1 << square);
            sets.extend(next.filter(|bit| squares & bit != 0).map(|bit| set | bit));
        }
        from = until;
    }
    sets
}

/// One part while its states arrive.
struct Part<'a> {
    proof: &'a BoxProof,
    grey: u32,
    keeping: &'a [u32],
    places: Places,
    depths: Vec<u8>,
    proven: PartProven,
}

impl<'a> Part<'a> {
    fn new(proof: &'a BoxProof, grey: u32, keeping: &'a [u32]) -> Self {
        let limits = &proof.limits;
        let places = Places::new(open_squares(grey), (limits.blue.min, limits.blue.max));
        Self {
            depths: vec![MISSING; places.len()],
            proven: PartProven::default(),
            proof,
            grey,
            keeping,
            places,
        }
    }

    fn key(&self, blues: u32, greens: u32) -> u64 {
        u64::from(self.grey | blues) << SQUARES | u64::from(self.grey | greens)
    }

    /// Enters one delivered state and its images; returns its fault, if any.
    fn enter(&mut self, key: u64, depth: u16, orbit_size: u32) -> Result<(), &'static str> {
        let (p, q) = ((key >> SQUARES) as u32, key as u32 & ((1 << SQUARES) - 1));
        let (blues, greens) = (p & !q, q & !p);
        let limits = &self.proof.limits;
        let within = p >> SQUARES == 0
            && p & q == self.grey
            && (blues | greens) >> HOLE & 1 == 0
            && limits.blue.contains(blues.count_ones())
            && limits.green.contains(greens.count_ones());
        if !within {
            return Err("is no placement of the part that it was delivered in");
        }
        let near = packed(depth)?;
        let mut different = 0;
        if let [_] = self.keeping {
            let place = self.places.row(blues) + self.places.green(greens);
            if std::mem::replace(&mut self.depths[place], near) != MISSING {
                return Err("was delivered more than once");
            }
            different = 1;
        } else {
            let board = board::from_key(key);
            let mut entered = Vec::with_capacity(self.keeping.len());
            for &index in self.keeping {
                let image = lines::movable(&board::image(&board, index));
                let (blues, greens) = ((image >> 32) as u32, image as u32);
                if self.key(blues, greens) < key {
                    return Err("is not the representative of its orbit");
                }
                let place = self.places.row(blues) + self.places.green(greens);
                if entered.contains(&place) {
                    continue;
                }
                entered.push(place);
                different += 1;
                if std::mem::replace(&mut self.depths[place], near) != MISSING {
                    return Err("was delivered more than once");
                }
            }
        }
        // Each symmetry that moves the grey set leads to another copy of the part.
        let copies = 8 / self.keeping.len() as u32;
        match different * copies == orbit_size {
            true => Ok(()),
            false => Err("counts as another number of states than its orbit has"),
        }
    }
}

impl PartCheck for Part<'_> {
    fn take(&mut self, keys: &[u64], depths: &[u16], orbit_sizes: &[u32]) {
        for ((&key, &depth), &orbit_size) in keys.iter().zip(depths).zip(orbit_sizes) {
            self.proven.orbits += 1;
            if let Err(fault) = self.enter(key, depth, orbit_size) {
                self.proven.fault(key, fault);
            }
        }
    }

    fn finish(mut self: Box<Self>) -> PartProven {
        let slides = Slides::new(&self.proof.lines, self.grey);
        let limits = &self.proof.limits;
        let open = open_squares(self.grey);
        let mut after = AfterBlues::new(&slides);
        let (mut placements, mut wrong) = (0, Vec::new());
        for blues in sets(open, limits.blue.max) {
            if !limits.blue.contains(blues.count_ones()) {
                continue;
            }
            after.enter(blues);
            let row = self.places.row(blues);
            let mut judge = |greens: u32, after: [u64; 4]| {
                placements += 1;
                let depth = self.depths[row + self.places.green(greens)];
                if let Some(rule) = self.judge(depth, greens == 0, after) {
                    wrong.push((self.key(blues, greens), rule));
                }
            };
            judge(0, after.none());
            if limits.green.max == 0 {
                continue;
            }
            let mut free = [0; SQUARES];
            let free = squares_of(open & !blues, &mut free);
            for (at, &first) in free.iter().enumerate() {
                judge(1 << first, after.one(first));
                if limits.green.max == 2 {
                    for &second in &free[at + 1..] {
                        judge(1 << first | 1 << second, after.two(first, second));
                    }
                }
            }
        }
        self.proven.states = placements * (8 / self.keeping.len() as u64);
        for (key, rule) in wrong {
            self.proven.fault(key, rule);
        }
        self.proven
    }
}

impl Part<'_> {
    /// The fault in the distance of a placement, given its tilts.
    #[inline]
    fn judge(&self, depth: u8, solved: bool, after: [u64; 4]) -> Option<&'static str> {
        let mut least = UNSOLVED;
        for after in after {
            if after != ILLEGAL {
                let place = self.places.row((after >> 32) as u32) + self.places.green(after as u32);
                least = least.min(self.depths[place]);
            }
        }
        judge(depth, solved, least)
    }
}

fn open_squares(grey: u32) -> u32 {
    ((1 << SQUARES) - 1) & !grey & !(1 << HOLE)
}

/// The squares of a set, ascending.
fn squares_of(mut set: u32, room: &mut [u8; SQUARES]) -> &[u8] {
    let mut count = 0;
    while set != 0 {
        room[count] = set.trailing_zeros() as u8;
        count += 1;
        set &= set - 1;
    }
    &room[..count]
}
