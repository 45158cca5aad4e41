//! Every orbit of a part, on the rulebook as tables: as [`super::states`], with the symmetries
//! shown on the tables instead of each image's moves listed, and some states of the run looked at
//! on the rulebook itself (`held`).

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use puzzle_api::{Direction, Key};
use rayon::prelude::*;

use antipode_graph::PluginError;
use antipode_search::engines::{BATCH, EngineError};
use antipode_search::observers::{ConsistencyTally, Distance};
use antipode_search::progress::Progress;

use super::faults::Faults;
use super::halves::HalfCheck;
use super::held::held;
use super::images::{Images, Place};
use super::on_tables::{Counted, OnTables, Tables};
use super::outside::Beyond;
use super::part::{Goals, PartRules};
use super::states::{Around, LEFT_OUT, Seen, is_read_back, judge, judge_forward};

/// A part's orbits, and what they are held against.
struct OrbitCheck<'a, K> {
    against: &'a PartRules<'a, K>,
    on: OnTables<'a, K>,
    part: u64,
    states: &'a [Distance<K>],
    goals: Goals<K>,
    /// Where each orbit was delivered, by its representative.
    places: Images<K>,
    /// Orbits that a state one closer leads to (forward).
    reached: Vec<AtomicBool>,
}

/// What some orbits showed.
struct Looked<K> {
    seen: Seen<K>,
    counted: Counted,
}

impl<K: Key> Looked<K> {
    fn nothing() -> Self {
        Self {
            seen: Seen::nothing(),
            counted: Counted::NOTHING,
        }
    }

    fn and(self, other: Self) -> Self {
        Self {
            seen: self.seen.and(other.seen),
            counted: self.counted.and(other.counted),
        }
    }
}

/// Room that is used again from batch to batch.
struct Room<K> {
    keys: Vec<K>,
    images: Vec<K>,
    solved: Vec<bool>,
    successors: Vec<K>,
    ends: Vec<usize>,
    reducing: Vec<K>,
    places: Vec<Option<Place>>,
}

impl<K> Default for Room<K> {
    fn default() -> Self {
        Self {
            keys: Vec::new(),
            images: Vec::new(),
            solved: Vec::new(),
            successors: Vec::new(),
            ends: Vec::new(),
            reducing: Vec::new(),
            places: Vec::new(),
        }
    }
}

impl<'a, K: Key> OrbitCheck<'a, K> {
    fn new(
        against: &'a PartRules<'a, K>,
        on: OnTables<'a, K>,
        part: u64,
        states: &'a [Distance<K>],
    ) -> Result<Self, PluginError> {
        let reached = match against.search.direction {
            Direction::Forward => states.iter().map(|_| AtomicBool::new(false)).collect(),
            Direction::Backward => Vec::new(),
        };
        Ok(Self {
            against,
            on,
            part,
            states,
            goals: against.goals(part, Some(on))?,
            places: Images::of_orbits(states),
            reached,
        })
    }

    /// Looks at every orbit by half of its moves; gives `None` where something is wrong or has to
    /// be looked at by all of them.
    fn by_halves(&self, progress: &Progress) -> Option<Looked<K>> {
        let check = HalfCheck {
            against: self.against,
            on: self.on,
            part: self.part,
            states: self.states,
            goals: &self.goals,
            places: &self.places,
            counts: self.counts(),
        };
        check.all_right(progress).map(|counted| Looked {
            counted,
            ..Looked::nothing()
        })
    }

    /// Looks at every orbit by all of its moves. Gives `None` where it was stopped.
    fn orbits(&self, progress: &Progress) -> Result<Option<Looked<K>>, EngineError> {
        let orbits = (BATCH / self.on.count()).max(1);
        let starts: Vec<usize> = (0..self.states.len()).step_by(orbits).collect();
        let looked = starts
            .into_par_iter()
            .map_init(Room::default, |room, start| {
                if progress.stopping() {
                    return Ok(Looked::nothing());
                }
                self.chunk(start..self.states.len().min(start + orbits), room)
            });
        let mut looked = looked.try_reduce(Looked::nothing, |all, more| Ok(all.and(more)))?;
        looked.seen.close();
        Ok((!progress.stopping()).then_some(looked))
    }

    fn chunk(&self, orbits: Range<usize>, room: &mut Room<K>) -> Result<Looked<K>, EngineError> {
        let states = &self.states[orbits.clone()];
        room.keys.clear();
        room.keys.extend(states.iter().map(|state| state.key));
        self.on.images(&room.keys, &mut room.images);
        room.solved.clear();
        if self.goals.named.is_none() {
            self.on.tables.are_solved(&room.images, &mut room.solved);
        }
        room.keys.clear();
        let going_on = states.iter().filter(|state| self.goes_on(state));
        room.keys.extend(going_on.map(|state| state.key));
        self.on.successors(
            &room.keys,
            &mut room.successors,
            &mut room.ends,
            &mut room.reducing,
        );
        room.places.clear();
        self.places.get_all(&room.successors, &mut room.places);

        let mut looked = Looked::nothing();
        let room = &*room;
        let (count, mut lists) = (self.on.count(), Lists::of(room));
        let ranked_in = self.counts().then_some(self.part);
        for (nth, (orbit, state)) in orbits.zip(states).enumerate() {
            let own = nth * count..(nth + 1) * count;
            let images = &room.images[own.clone()];
            let successors = match self.goes_on(state) {
                true => lists.next(),
                false => 0..0,
            };
            let around = self.around(state.depth, successors, room, &mut looked.seen);
            let fault = self
                .on
                .wrong_with_orbit(state, images, ranked_in, &mut looked.counted);
            let fault = fault.or_else(|| match &self.goals.named {
                Some(named) => self.of_moves(state.depth, named.contains(&state.key), &around),
                None => {
                    let solved = &room.solved[own];
                    let among = |one: &bool| solved.contains(one);
                    let goals = [false, true].into_iter().filter(among);
                    goals.fold(None, |fault, goal| {
                        fault.or(self.of_moves(state.depth, goal, &around))
                    })
                }
            });
            if let Some(rule) = fault {
                looked.seen.fault(orbit, state.key, rule);
            }
        }
        looked.seen.close();
        Ok(looked)
    }

    /// Whether the moves of a state say something, as in [`super::states`].
    fn goes_on(&self, state: &Distance<K>) -> bool {
        let search = self.against.search;
        search.direction == Direction::Backward || search.max_depth != Some(state.depth)
    }

    /// Whether the states are counted by their ranks.
    fn counts(&self) -> bool {
        self.against.search.direction == Direction::Backward && self.against.numbering().is_some()
    }

    /// What the moves of a state lead to.
    fn around(
        &self,
        depth: u16,
        successors: Range<usize>,
        room: &Room<K>,
        seen: &mut Seen<K>,
    ) -> Around {
        let mut around = Around::default();
        let successors = room.successors[successors.clone()]
            .iter()
            .zip(&room.places[successors]);
        for (&successor, &place) in successors {
            match place {
                None => {
                    around.left_out = true;
                    seen.outside.push(successor);
                }
                Some(place) => {
                    around.add(place.depth);
                    if !self.reached.is_empty() && Some(place.depth) == depth.checked_add(1) {
                        self.reached[place.orbit as usize].store(true, Ordering::Relaxed);
                    }
                }
            }
        }
        around
    }

    fn of_moves(&self, depth: u16, goal: bool, around: &Around) -> Option<&'static str> {
        match self.against.search.direction {
            Direction::Backward if self.against.whole && around.left_out => Some(LEFT_OUT),
            Direction::Backward => judge(depth, goal, around.least),
            Direction::Forward => judge_forward(depth, goal, around),
        }
    }

    fn without_predecessor(&self, faults: &mut Faults<'_, K>) -> Result<(), PluginError> {
        for (orbit, (state, reached)) in self.states.iter().zip(&self.reached).enumerate() {
            if state.depth > 0 && !reached.load(Ordering::Relaxed) {
                faults.add(orbit, state.key, "has no predecessor one closer")?;
            }
        }
        Ok(())
    }

    /// That as many states with a rank were delivered as there are ranks.
    fn ranks(&self, ranked: u64, faults: &mut Faults<'_, K>) -> Result<(), PluginError> {
        // Whether there is a numbering may take as long to say as to fill it.
        if self.counts()
            && let Some(numbering) = self.against.numbering()
        {
            let all = numbering.space(self.part)?.unwrap_or(0);
            if ranked != all {
                faults.add_line(format!(
                    "{ranked} states have ranks, of which there are {all}"
                ));
            }
        }
        Ok(())
    }
}

/// Where the successors of one state after another lie among all.
struct Lists<'a> {
    ends: std::slice::Iter<'a, usize>,
    start: usize,
}

impl<'a> Lists<'a> {
    fn of<K>(room: &'a Room<K>) -> Self {
        Self {
            ends: room.ends.iter(),
            start: 0,
        }
    }

    fn next(&mut self) -> Range<usize> {
        let end = self.ends.next().copied().unwrap_or(self.start);
        std::mem::replace(&mut self.start, end)..end
    }
}

/// Checks every state that one part of a run stands for, as [`super::check_part`] does, on the
/// rulebook as tables. Gives false when stopped midway.
///
/// # Errors
/// [`EngineError`] where the puzzle fails.
pub fn check_part_on<K: Key>(
    tables: &Tables<K>,
    against: &PartRules<'_, K>,
    part: u64,
    states: &[Distance<K>],
    tally: &mut ConsistencyTally,
    progress: &Progress,
) -> Result<bool, EngineError> {
    let on = tables.seen_by(against.search);
    let check = OrbitCheck::new(against, on, part, states)?;
    let mut faults = Faults::new(against.rules);
    faults.add_repeated(&check.places.repeated, states)?;
    let by_halves = check.by_halves(progress);
    let all_right = by_halves.is_some();
    let looked = match by_halves {
        Some(looked) => Some(looked),
        None => check.orbits(progress)?,
    };
    let Some(mut looked) = looked else {
        return Ok(false);
    };
    looked.seen.record(&mut faults)?;
    let held = held(on, against, part, states)?;
    for (orbit, rule) in held.faults {
        faults.add(orbit, states[orbit].key, rule)?;
    }
    // A part too many holds what is no state.
    if let Some(first) = states.first()
        && !is_read_back(against.rules, first.key)?
    {
        faults.add(0, first.key, "is not read back as itself")?;
    }
    let backward = against.search.direction == Direction::Backward;
    if !backward && !all_right {
        check.without_predecessor(&mut faults)?;
    }
    let mut missing = check.goals.missing_from(&check.places, &mut faults)?;
    check.ranks(looked.counted.ranked, &mut faults)?;
    let mut closed = true;
    if backward && !against.whole {
        let beyond = Beyond {
            against,
            part,
            images: &check.places,
            goals: &check.goals,
            on: Some(on),
        };
        let left_out = std::mem::take(&mut looked.seen.outside);
        let Some(outside) = beyond.follow(left_out, None, progress)? else {
            return Ok(false);
        };
        tally.outside += outside.seen;
        closed = outside.closed && !looked.seen.cut;
        outside.record(&mut missing, &mut faults)?;
    }
    let left_open = !check.counts() && (!on.tables.undirected() || !closed);
    tally.open += u64::from(backward && left_open);
    tally.states += (states.len() + missing.len()) as u64;
    tally.images += looked.counted.images;
    tally.on_tables += looked.counted.images;
    tally.held += held.states;
    faults.close(tally);
    Ok(true)
}
