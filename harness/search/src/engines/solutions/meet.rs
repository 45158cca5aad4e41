//! Where a forward and a backward search meet: at a level that both have, or by moves from the last
//! level of one to the last of the other. The latter saves making the largest level.

use puzzle_api::Key;

use super::{Both, NO_MORE, Watched};
use crate::engines::find::Watch;
use crate::error::EngineError;
use crate::kernel::Kernel;
use crate::keyset::KeySet;
use crate::outcome::StopReason;
use crate::steps::DirectionSteps;
use crate::visited::VisitedSet;
use antipode_graph::PluginError;

/// States that are tried before a whole level is expanded for its moves to the other side. If the
/// two sides are one move apart, many states have such a move.
const TRIED: usize = 1 << 10;

/// How the two searches ended.
pub(super) enum Met<K> {
    /// They have met.
    Middle(Middle<K>),
    /// One ended before.
    Never,
    /// Given up, and why.
    GaveUp(StopReason),
}

/// Two searches that have met. The last level ahead and the first after it hold only states on a
/// path from start to goal. The others hold all states met.
pub(super) struct Middle<K> {
    /// Levels from the start on.
    pub(super) ahead: Vec<Vec<K>>,
    /// Levels from the middle to the goals; if these are the time-reversed levels ahead, only the
    /// first.
    pub(super) after: Vec<Vec<K>>,
    /// Whether the first level after is a copy of the last ahead.
    pub(super) shared: bool,
    /// Whether the levels after are those ahead with time reversed.
    pub(super) mirrored: bool,
}

impl<K: Key> Middle<K> {
    /// Joins the levels of both sides; `first` is the rest of the last level behind.
    fn new(
        [ahead, mut behind]: [Vec<Vec<K>>; 2],
        first: Vec<K>,
        (shared, mirrored): (bool, bool),
    ) -> Self {
        behind.pop();
        let others = behind.into_iter().rev().filter(|_| !mirrored);
        Self {
            ahead,
            after: std::iter::once(first).chain(others).collect(),
            shared,
            mirrored,
        }
    }
}

impl<K: Key> Both<'_, K> {
    /// Walks levels on both sides, the smaller one first, until they meet.
    pub(super) fn meet(
        &mut self,
        start: K,
        goals: &[K],
        watch: &Watch<'_>,
    ) -> Result<Met<K>, EngineError> {
        let mut ends = [vec![start], goals.to_vec()];
        for end in &mut ends {
            self.reduction.reduce(self.graph, end)?;
            end.sort_unstable();
            end.dedup();
        }
        // If two goals represent each other, reversed lines would lead to only one.
        let turned = self.turned(&ends[0])?.filter(|_| goals.len() == 1);
        let mirrored = turned.is_some_and(|turned| turned == ends[1]);
        let mut sides = ends.map(|end| vec![end]);
        let watched = Watched::new(watch);
        let growing = (Kernel::new(None, NO_MORE, &watched), &watched);
        let mut ahead_set = VisitedSet::of(last(&sides[0]));
        let mut common = ahead_set.held(last(&sides[1]));
        loop {
            // If sides are mirrored, the one ahead is walked, and then reversed: their last levels
            // are each other's images only when the sides are equally long.
            let longer = mirrored && sides[0].len() > sides[1].len();
            let bridged = longer && !common.is_empty();
            if bridged {
                sides[0].pop();
            } else if !common.is_empty() {
                sides[0].pop();
                sides[0].push(common.clone());
                return Ok(Met::Middle(Middle::new(sides, common, (true, mirrored))));
            }
            if let Some(why) = watch.over(self.expanded) {
                return Ok(Met::GaveUp(why));
            }
            let (front, rear) = (last(&sides[0]), last(&sides[1]));
            // Length of a path that crosses from these levels by one move.
            let moves = (sides[0].len() + sides[1].len() - 1) as u64;
            let too_short = self.least.is_some_and(|least| moves < least);
            if bridged || !longer && !too_short && self.may_bridge(front, rear, mirrored)? {
                drop(ahead_set);
                let (left, first) = self.bridge(front, rear, mirrored)?;
                sides[0].pop();
                sides[0].push(left);
                return Ok(Met::Middle(Middle::new(sides, first, (false, mirrored))));
            }
            let next;
            if longer && too_short {
                // A path through a state of both levels would be as long.
                sides[1].push(Vec::new());
            } else if longer {
                next = self.rear_of(&sides[0][sides[1].len()])?;
                common = ahead_set.held(&next);
                sides[1].push(next);
            } else if mirrored || front.len() <= rear.len() {
                // A level that was useless before, since paths through it were too short.
                let missing = mirrored && !too_short && rear.is_empty();
                let turned = match missing {
                    true => Some(self.rear_of(front)?),
                    false => None,
                };
                match self.step(DirectionSteps::FORWARD, &sides[0], &mut ahead_set, &growing)? {
                    Ok(step) => next = step,
                    Err(why) => return Ok(Met::GaveUp(why)),
                }
                common = ahead_set.held(turned.as_deref().unwrap_or(rear));
                sides[0].push(next);
            } else {
                let mut set = VisitedSet::tables(1, 0);
                match self.step(self.back, &sides[1], &mut set, &growing)? {
                    Ok(step) => next = step,
                    Err(why) => return Ok(Met::GaveUp(why)),
                }
                common = set.held(front);
                sides[1].push(next);
            }
            let ended = |side: &Vec<Vec<K>>| last(side).is_empty();
            if ended(&sides[0]) || !mirrored && ended(&sides[1]) {
                return Ok(Met::Never);
            }
        }
    }

    /// The level behind that is a level ahead with time reversed; reversal is known to work.
    pub(super) fn rear_of(&self, front: &[K]) -> Result<Vec<K>, PluginError> {
        let turned = self.turned(front)?.unwrap_or_default();
        Ok(VisitedSet::in_order(&turned))
    }

    /// Whether some move leads from one of the first states of a level to another level. The other
    /// level is not read if it is the first one with time reversed.
    fn may_bridge(&mut self, front: &[K], rear: &[K], mirrored: bool) -> Result<bool, PluginError> {
        let tried = &front[..front.len().min(TRIED)];
        let others = match mirrored {
            true => {
                self.expand_turned(tried)?;
                front
            }
            false => {
                self.expand(DirectionSteps::FORWARD, tried)?;
                rear
            }
        };
        let mut found = KeySet::with_capacity(self.out.keys().len());
        for &key in self.out.keys() {
            found.insert(key);
        }
        Ok(others.iter().any(|&key| found.contains(key)))
    }
}

fn last<K>(side: &[Vec<K>]) -> &[K] {
    side.last().map_or(&[], Vec::as_slice)
}
