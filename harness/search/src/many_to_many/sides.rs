//! Sides backward from the targets: all states from which a target can be reached within a
//! number of moves.

use std::collections::BTreeMap;

use antipode_reports::model::SideRow;
use puzzle_api::{Direction, Key};

use super::inside::{Inside, Insides, Picking, Rulebook};
use super::masks::{AHEAD, Masks};
use super::walk::SourceWalk;
use super::{NamedSource, PairLimits};
use crate::digest::{hex, sum_of};
use crate::error::EngineError;
use crate::kernel::Watched;
use crate::level::LevelStates;
use crate::space::Space;
use crate::step::Visitor;
use crate::steps::DirectionSteps;
use antipode_graph::Graph;

/// Rows of a growing side.
#[derive(Debug)]
pub(super) struct Grown {
    name: String,
    direction: Direction,
    digest: u128,
    /// One row a radius.
    pub rows: Vec<SideRow>,
}

impl Grown {
    /// The side of radius 0.
    pub(super) fn around<K: Key>(name: &str, direction: Direction, key: K) -> Self {
        let mut grown = Self {
            name: name.to_owned(),
            direction,
            digest: 0,
            rows: Vec::new(),
        };
        grown.add(1, sum_of(&[key], &mut Vec::new(), &mut Vec::new()));
        grown
    }

    /// Adds a whole level; an empty one means that the side is closed.
    pub(super) fn add(&mut self, states: u64, digest: u128) {
        if states == 0 {
            if let Some(last) = self.rows.last_mut() {
                last.closed = true;
            }
            return;
        }
        self.digest = self.digest.wrapping_add(digest);
        self.rows.push(SideRow {
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

    /// Predicted number of states of the side with one more level, if that grows like the last one.
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

/// A target with its side. Only its levels near the centre are kept, as far as memory allows: a few
/// moves lead there from a state further out.
pub(super) struct TargetSide<I> {
    pub grown: Grown,
    /// Levels by distance, from the centre outward; at least the centre itself.
    pub kept: Vec<LevelStates<I>>,
    /// The rulebook's check of its inside.
    pub inside: Inside,
}

impl<I: Key> TargetSide<I> {
    /// Distance of a state from the centre, if the state is in a kept level.
    pub(super) fn distance(&self, id: I) -> Result<Option<u32>, EngineError> {
        for (level, distance) in self.kept.iter().zip(0..) {
            if level.smallest_of(&[id])?.is_some() {
                return Ok(Some(distance));
            }
        }
        Ok(None)
    }
}

/// Marks the states of a side.
struct SideMarker<'a, I> {
    masks: &'a Masks<I>,
    side: usize,
    picking: &'a Picking<I>,
}

impl<I: Key> Visitor<I> for SideMarker<'_, I> {
    fn visit(&self, new: &[I], _kept: &mut Vec<(usize, I)>) {
        self.picking.see(new);
        for (i, &id) in new.iter().enumerate() {
            if let Some(&ahead) = new.get(i + AHEAD) {
                self.masks.prefetch(ahead);
            }
            self.masks.insert(id, self.side);
        }
    }

    fn enough(&self, _kept: &BTreeMap<usize, I>) -> bool {
        false
    }
}

/// Grows the side of target number `side` as far as the limits allow, and marks its
/// states. `None` if the user asked to stop.
pub(super) fn grow<K: Key, S: Space<K>>(
    (graph, rules): (&Graph<K>, &Graph<K>),
    space: &S,
    masks: &Masks<S::Id>,
    (side, target): (usize, &NamedSource<K>),
    limits: &PairLimits,
    watch: &Watched<'_>,
) -> Result<Option<TargetSide<S::Id>>, EngineError> {
    let back = DirectionSteps::backward(graph);
    let steps = back.unwrap_or(DirectionSteps::FORWARD);
    let (mut walk, mut level, id) = SourceWalk::from(graph, space, steps, target.key, watch)?;
    masks.insert(id, side);
    let mut grown = Grown::around(&target.name, Direction::Backward, target.key);
    let mut kept: Vec<LevelStates<S::Id>> = Vec::new();
    let (mut bytes, mut keeping) = (0, true);
    let mut keep = |level: LevelStates<S::Id>| {
        bytes += level.bytes;
        keeping &= kept.is_empty() || bytes <= limits.side_bytes;
        if keeping {
            kept.push(level);
        }
    };
    let rulebook = Rulebook::new((graph, rules), space, Direction::Backward);
    let mut insides = Insides::new(limits.looked_at);
    let mut picked = Picking::of(limits.looked_at, id);
    // Without backward moves, the side is only the target, and the search runs forward only.
    while back.is_some() && !grown.closed() && wanted(limits, &grown) {
        let picking = Picking::new(limits.looked_at);
        let mark = SideMarker {
            masks,
            side,
            picking: &picking,
        };
        let Some((next, _)) = walk.next(&level, &mark)? else {
            return Ok(None);
        };
        let picked = std::mem::replace(&mut picked, picking);
        insides.add(level.states, picked, &rulebook, walk.visited())?;
        grown.add(next.states, next.digest);
        keep(std::mem::replace(&mut level, next));
    }
    keep(level);
    Ok(Some(TargetSide {
        grown,
        kept,
        inside: insides.inside(rules),
    }))
}

/// Whether another level is to be made.
fn wanted(limits: &PairLimits, grown: &Grown) -> bool {
    match limits.radius {
        Some(radius) => grown.radius() < radius,
        None => grown.forecast() <= limits.side_states,
    }
}
