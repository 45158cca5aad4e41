//! Sides backward from the targets: all states from which a target can be reached within a
//! number of moves.

use std::collections::BTreeMap;

use antipode_graph::{Expansion, Graph, PluginError};
use antipode_reports::model::SideRow;
use puzzle_api::{Direction, Key};

use super::inside::{Inside, Insides, Rulebook};
use super::masks::{AHEAD, Masks};
use super::{NamedSource, PairLimits};
use crate::digest::{hex, sum_of};
use crate::error::{EngineError, Result};
use crate::kernel::Watched;
use crate::level::{LevelStates, Writer};
use crate::picking::Picking;
use crate::ranks::RankSet;
use crate::reconstruct_path::SideLevels;
use crate::step::{LevelStep, Visitor};
use crate::steps::{DirectionSteps, Space};
use crate::visited::VisitedSet;

/// Rows of a growing side.
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
        grown.add(1, sum_of(&[key]));
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
    pub(super) fn distance(&self, id: I) -> Result<Option<u32>> {
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
) -> Result<Option<TargetSide<S::Id>>> {
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
    let mut picked = Picking::of(limits.looked_at, &[id]);
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

// A search from one state, level by level.

/// Pieces of a level between two checks for an early end.
const SLAB: usize = 64;
/// Partitions of a set of keys: this many threads can fill them at once.
const PARTITIONS: usize = 64;

/// A search from one state.
pub(super) struct SourceWalk<'a, K: Key, S: Space<K>> {
    step: LevelStep<'a, K, S>,
    visited: VisitedSet<S::Id>,
    /// Number of ranks, if states are named by ranks.
    size: Option<u64>,
}

/// A search, its first level, and the id of the state in it.
type Started<'a, K, S> = (
    SourceWalk<'a, K, S>,
    LevelStates<<S as Space<K>>::Id>,
    <S as Space<K>>::Id,
);

/// A level, the visitor's results on it, and whether it is complete.
pub(super) type Next<I> = (LevelStates<I>, (BTreeMap<usize, I>, bool));

impl<'a, K: Key, S: Space<K>> SourceWalk<'a, K, S> {
    /// A search from a state along some steps, its first level, and the state's id.
    pub(super) fn from(
        graph: &'a Graph<K>,
        space: &'a S,
        steps: DirectionSteps,
        key: K,
        watch: &'a Watched<'a>,
    ) -> Result<Started<'a, K, S>> {
        let mut visited = match space.size() {
            Some(size) => VisitedSet::bits(size)
                .map_err(|error| EngineError::no_memory(RankSet::bytes(size), &error))?,
            None => VisitedSet::tables(PARTITIONS, 0),
        };
        let mut ids = Vec::new();
        space.ids(graph, &[key], &mut ids)?;
        let id = ids[0];
        visited.insert_one(id);
        let mut writer = Writer::list(space.size());
        writer.add(ids)?;
        let level = writer.finish(sum_of(&[key]))?;
        let step = LevelStep::new(graph, space, steps, SLAB, watch);
        let size = space.size();
        let walk = Self {
            step,
            visited,
            size,
        };
        Ok((walk, level, id))
    }

    /// All states met.
    pub(super) fn visited(&self) -> &VisitedSet<S::Id> {
        &self.visited
    }

    /// The new states one step from a level, or as many of them as the visitor wanted. `None` if
    /// the user asked to stop.
    pub(super) fn next(
        &mut self,
        level: &LevelStates<S::Id>,
        visitor: &impl Visitor<S::Id>,
    ) -> Result<Option<Next<S::Id>>> {
        let mut writer = Writer::list(self.size);
        let visited = &mut self.visited;
        let settle = &mut |_: &mut VisitedSet<S::Id>, _| Ok(());
        let stepped = self
            .step
            .run(level, visited, &mut writer, visitor, settle)?;
        let Some(stepped) = stepped else {
            return Ok(None);
        };
        let next = writer.finish(stepped.digest)?;
        Ok(Some((next, (stepped.kept, stepped.whole))))
    }
}

// Paths: from where the searches met back to the source, and on to the target.

/// A shortest path over a state that lies `levels.len()` moves from the source and in `side`. Among
/// equally good steps, it takes the smallest state.
pub(super) fn path<K: Key, S: Space<K>>(
    graph: &Graph<K>,
    space: &S,
    meeting: S::Id,
    levels: &[LevelStates<S::Id>],
    side: &TargetSide<S::Id>,
) -> Result<Vec<K>> {
    let ways = [
        Some(DirectionSteps::FORWARD),
        DirectionSteps::backward(graph),
    ];
    let depth = levels.len() as u32;
    let mut path =
        SideLevels::new(graph, space, ways, levels).reconstruct_path(meeting, Some(depth))?;
    path.reverse();
    path.extend(&descent(graph, space, meeting, side)?[1..]);
    Ok(path)
}

/// A shortest path from a state of a side to its centre, both included. If the state's level is not
/// kept, the path first enters the outermost level that is.
pub(super) fn descent<K: Key, S: Space<K>>(
    graph: &Graph<K>,
    space: &S,
    from: S::Id,
    side: &TargetSide<S::Id>,
) -> Result<Vec<K>> {
    let ways = [
        DirectionSteps::backward(graph),
        Some(DirectionSteps::FORWARD),
    ];
    let depth = side.distance(from)?;
    SideLevels::new(graph, space, ways, &side.kept).reconstruct_path(from, depth)
}

/// Plays a path on a graph: from its source to its target, each step to a successor.
pub(super) fn replay<K: Key>(
    rules: &Graph<K>,
    path: &[K],
    (source, target): (K, K),
) -> Result<Option<String>, PluginError> {
    if path.first() != Some(&source) || path.last() != Some(&target) {
        return Ok(Some("does not lead from the one to the other".into()));
    }
    let mut out = Expansion::default();
    rules.expand(Direction::Forward, &path[..path.len() - 1], &mut out)?;
    let wrong = (1..path.len()).find(|&step| !out.of(step - 1).contains(&path[step]));
    Ok(wrong.map(|step| format!("step {step} is no move of {}", rules.opened.variant)))
}
