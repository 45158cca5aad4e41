//! Every state of a part by half of its moves, where each can be undone: what a move shows of the
//! state that it leaves, the move that undoes it shows of the state that it leads to.
//!
//! Tables take the moves of a state apart into those that go forth and those that go back
//! (`RuleTables::forth`). Those that go forth are followed, those that go back are counted. If all
//! that go forth lead to delivered states, then each of them turned round is a move back of a
//! delivered state, another one each time; so if there are as many of both, no move back leads
//! anywhere else, and no state was left out. This is what is shown where every move is followed
//! (`orbits`), of a run in which nothing is wrong: where something is, that says what.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use puzzle_api::proof::Forth;
use puzzle_api::{Direction, Key, UNSOLVABLE};
use rayon::prelude::*;

use antipode_search::engines::BATCH;
use antipode_search::observers::Distance;
use antipode_search::progress::Progress;

use super::images::{Images, Place};
use super::on_tables::OnTables;
use super::part::{Goals, PartRules};

/// A part's states, and what they are held against.
pub(super) struct HalfCheck<'a, K> {
    pub(super) against: &'a PartRules<'a, K>,
    pub(super) on: OnTables<'a, K>,
    pub(super) part: u64,
    pub(super) states: &'a [Distance<K>],
    pub(super) goals: &'a Goals<K>,
    pub(super) places: &'a Images<K>,
    /// Whether states are counted by their ranks.
    pub(super) counts: bool,
}

/// What some states showed.
#[derive(Debug, Clone, Copy)]
struct Looked {
    right: bool,
    /// How many have a rank in the part.
    ranked: u64,
    /// Moves that go forth, less those that go back.
    more: i64,
}

impl Looked {
    const NOTHING: Self = Self {
        right: true,
        ranked: 0,
        more: 0,
    };

    fn and(self, other: Self) -> Self {
        Self {
            right: self.right && other.right,
            ranked: self.ranked + other.ranked,
            more: self.more + other.more,
        }
    }
}

/// Room that is used again from batch to batch.
struct Room<K> {
    keys: Vec<K>,
    forth: Forth<K>,
    places: Vec<Option<Place>>,
}

impl<K: Key> HalfCheck<'_, K> {
    /// Whether half of the moves is enough: each can be undone, a state is its own only image,
    /// none was delivered twice, and the moves of every one say something.
    fn is_possible(&self) -> bool {
        let search = self.against.search;
        self.on.count() == 1
            && search.max_depth.is_none()
            && self.places.repeated.is_empty()
            && self.on.tables.forth(&[], &mut Forth::default())
            && self.on.tables.undirected()
    }

    /// Looks at every state. Gives how many of them have ranks, where nothing is wrong with any;
    /// else nothing, or where it was stopped.
    pub(super) fn all_right(&self, progress: &Progress) -> Option<u64> {
        if !self.is_possible() {
            return None;
        }
        let reached: Vec<AtomicBool> = self.states.iter().map(|_| AtomicBool::new(false)).collect();
        let room = || Room {
            keys: Vec::new(),
            forth: Forth::default(),
            places: Vec::new(),
        };
        let starts: Vec<usize> = (0..self.states.len()).step_by(BATCH).collect();
        let looked = starts.into_par_iter().map_init(room, |room, start| {
            if progress.stopping() {
                return None;
            }
            let states = start..self.states.len().min(start + BATCH);
            let looked = self.chunk(states, &reached, room);
            looked.right.then_some(looked)
        });
        let looked = looked.try_reduce(|| Looked::NOTHING, |all, more| Some(all.and(more)))?;
        let each = self.states.par_iter().zip(&reached);
        let led_to = each.all(|(state, reached)| {
            matches!(state.depth, 0 | UNSOLVABLE) || reached.load(Ordering::Relaxed)
        });
        (led_to && looked.more == 0).then_some(looked.ranked)
    }

    fn chunk(&self, range: Range<usize>, reached: &[AtomicBool], room: &mut Room<K>) -> Looked {
        let states = &self.states[range.clone()];
        room.keys.clear();
        room.keys.extend(states.iter().map(|state| state.key));
        room.forth.clear();
        self.on.tables.forth(&room.keys, &mut room.forth);
        room.places.clear();
        self.places.get_all(&room.forth.moves, &mut room.places);
        let Forth {
            own,
            solved,
            moves,
            ends,
            back,
        } = &room.forth;
        let mut right = room.keys == *own && [solved.len(), ends.len()] == [states.len(); 2];
        let mut start = 0;
        for (nth, state) in states.iter().enumerate() {
            if !right {
                break;
            }
            let goal = match &self.goals.named {
                Some(named) => named.contains(&state.key),
                None => solved[nth],
            };
            right &=
                goal == (state.depth == 0) && state.orbit_size == 1 && self.can_be(state.depth);
            let mut is_reached = false;
            for place in &room.places[start..ends[nth]] {
                // What was not delivered is no neighbour of anything.
                let place = place.unwrap_or(Place::NONE);
                right &= place != Place::NONE;
                right &= are_neighbours(state.depth, place.depth);
                is_reached |= place.depth < state.depth;
                if let (true, Some(reached)) =
                    (place.depth > state.depth, reached.get(place.orbit as usize))
                {
                    reached.store(true, Ordering::Relaxed);
                }
            }
            if is_reached {
                reached[range.start + nth].store(true, Ordering::Relaxed);
            }
            start = ends[nth];
        }
        let ranked = match self.counts {
            true => self.on.tables.ranked(self.part, own),
            false => 0,
        };
        let back: u64 = back.iter().map(|&back| u64::from(back)).sum();
        Looked {
            right: right && (!self.counts || ranked == states.len()),
            ranked: ranked as u64,
            more: moves.len() as i64 - back as i64,
        }
    }

    /// Whether a run in this direction gives such a distance.
    fn can_be(&self, depth: u16) -> bool {
        self.against.search.direction == Direction::Backward || depth != UNSOLVABLE
    }
}

/// Whether states of these distances may be a move apart, which can be undone.
fn are_neighbours(one: u16, other: u16) -> bool {
    let solvable = one != UNSOLVABLE && other != UNSOLVABLE;
    one == other || solvable && one.abs_diff(other) == 1
}

#[cfg(test)]
mod tests;
