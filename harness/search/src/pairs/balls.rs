//! Balls backward from the targets: all states from which a target can be reached within a
//! number of moves.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicU64;

use antipode_reports::model::BallRow;
use puzzle_api::{Capabilities, Direction, Key};

use super::masks::{Masked, Masks};
use super::space::Level;
use super::walk::{Visitor, Walk, digest_of};
use super::{Limits, Named};
use crate::digest::hex;
use crate::engines::EngineError;
use crate::progress::Progress;
use antipode_graph::Graph;

/// Rows of a ball that grows.
#[derive(Debug)]
pub(super) struct Grown {
    name: String,
    direction: Direction,
    digest: u128,
    /// One row a radius.
    pub rows: Vec<BallRow>,
}

impl Grown {
    /// The ball of radius 0.
    pub(super) fn around<K: Key>(name: &str, direction: Direction, key: K) -> Self {
        let mut grown = Self {
            name: name.to_owned(),
            direction,
            digest: 0,
            rows: Vec::new(),
        };
        grown.add(1, digest_of(&[key], &mut Vec::new(), &mut Vec::new()));
        grown
    }

    /// Adds a whole level; an empty one says that the ball was closed.
    pub(super) fn add(&mut self, states: u64, digest: u128) {
        if states == 0 {
            if let Some(last) = self.rows.last_mut() {
                last.closed = true;
            }
            return;
        }
        self.digest = self.digest.wrapping_add(digest);
        self.rows.push(BallRow {
            name: self.name.clone(),
            direction: antipode_graph::direction_name(self.direction).to_owned(),
            radius: self.rows.len() as u32,
            states: states + self.states(),
            digest: hex(self.digest),
            closed: false,
        });
    }

    /// States so far.
    pub(super) fn states(&self) -> u64 {
        self.rows.last().map_or(0, |row| row.states)
    }

    /// Radius so far.
    pub(super) fn radius(&self) -> u32 {
        self.rows.len().saturating_sub(1) as u32
    }

    /// Whether nothing lies beyond.
    pub(super) fn closed(&self) -> bool {
        self.rows.last().is_some_and(|row| row.closed)
    }

    /// About how many states the ball would have with one more level, if that grows as
    /// the last one did.
    pub(super) fn forecast(&self) -> u64 {
        let states = |back: usize| match self.rows.len().checked_sub(back) {
            Some(at) if at > 0 => self.rows[at - 1].states,
            _ => 0,
        };
        let (all, one_less, two_less) = (states(0), states(1), states(2));
        let (last, before) = (all - one_less, (one_less - two_less).max(1));
        let next = u128::from(last) * u128::from(last) / u128::from(before);
        all.saturating_add(u64::try_from(next).unwrap_or(u64::MAX))
    }
}

/// A target with its ball. Of its states only the levels near the centre are kept, as far
/// as memory allows: from a state further out, a few moves lead there.
pub(super) struct Ball<L> {
    pub grown: Grown,
    /// Levels by distance, from the centre outward; at least the centre itself.
    kept: Vec<L>,
}

impl<L> Ball<L> {
    /// Distance of a state from the centre, where the state lies in a level that is kept.
    pub(super) fn distance<I: Copy>(&self, id: I) -> Option<u32>
    where
        L: Level<I>,
    {
        let at = self.kept.iter().position(|level| level.contains(id));
        at.map(|at| at as u32)
    }

    /// Whether a state lies in the kept level at a distance from the centre.
    pub(super) fn at<I: Copy>(&self, distance: u32, id: I) -> bool
    where
        L: Level<I>,
    {
        let level = self.kept.get(distance as usize);
        level.is_some_and(|level| level.contains(id))
    }

    /// Distance of the outermost level that is kept.
    pub(super) fn edge(&self) -> u32 {
        self.kept.len().saturating_sub(1) as u32
    }
}

struct Mark<'a, M> {
    masks: &'a M,
    ball: usize,
}

impl<I: Copy, M: Masks<I>> Visitor<I> for Mark<'_, M> {
    fn prefetch(&self, id: I) {
        self.masks.prefetch(id);
    }

    fn visit(&self, id: I, _kept: &mut Vec<(usize, I)>) {
        self.masks.insert(id, self.ball);
    }

    fn enough(&self, _kept: &BTreeMap<usize, I>) -> bool {
        false
    }
}

/// Grows the ball of target number `ball` as far as the limits allow, and marks its
/// states. `None` where the user asked to stop.
pub(super) fn grow<K: Key, S: Masked<K>>(
    graph: &Graph<K>,
    space: &S,
    masks: &S::Masks,
    (ball, target): (usize, &Named<K>),
    limits: &Limits,
    (progress, expanded): (&Progress, &AtomicU64),
) -> Result<Option<Ball<S::Level>>, EngineError> {
    let walk = Walk {
        graph,
        space,
        direction: Direction::Backward,
        seen: space.seen()?,
        progress,
        expanded,
    };
    let (mut level, id) = walk.start(target.key)?;
    masks.insert(id, ball);
    let mut grown = Grown::around(&target.name, Direction::Backward, target.key);
    let mut kept: Vec<S::Level> = Vec::new();
    let (mut bytes, mut keeping) = (0, true);
    let mut keep = |level: S::Level| {
        bytes += level.bytes();
        keeping &= kept.is_empty() || bytes <= limits.ball_bytes;
        if keeping {
            kept.push(level);
        }
    };
    // Without predecessors the target alone is its ball, and the search is forward only.
    let can = graph.has(Capabilities::PREDECESSORS);
    while can && !grown.closed() && wanted(limits, &grown) {
        let Some(next) = walk.next(&level, &Mark { masks, ball })? else {
            return Ok(None);
        };
        grown.add(next.level.states(), next.digest);
        keep(std::mem::replace(&mut level, next.level));
    }
    keep(level);
    Ok(Some(Ball { grown, kept }))
}

/// Whether one more level is due.
fn wanted(limits: &Limits, grown: &Grown) -> bool {
    match limits.radius {
        Some(radius) => grown.radius() < radius,
        None => grown.forecast() <= limits.ball_states,
    }
}
