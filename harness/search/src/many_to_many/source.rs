//! The search forward from one source until it meets the sides of all targets.
//!
//! Let B(t, s) be the side of target t with radius s: all states from which t can be reached in at
//! most s moves. Let level k hold the states whose distance from a source i is k. If i is not in
//! B(t, s), and r is the first k whose level meets B(t, s), then the distance from i to t is r + s,
//! exactly:
//!
//! - A shortest path of length L > s has a state from which s moves are left. It is in level L - s
//!   (if it were nearer to i, the path would not be shortest) and in B(t, s). So r <= L - s.
//! - A state of level r in B(t, s) makes a path of at most r + s moves. So L <= r + s.
//!
//! Both together give L = r + s, and every state met in level r has exactly s moves left. So the
//! evidence shown with the path is that the forward side of radius r - 1 and the backward side of
//! radius s have no state in common.

use std::collections::BTreeMap;

use antipode_graph::Graph;
use puzzle_api::{Direction, Key};

use super::inside::{Inside, Insides, Rulebook};
use super::masks::{AHEAD, Masks};
use super::sides::{Grown, SourceWalk, TargetSide, descent};
use super::{Length, NamedSource, PairLimits, Side};
use crate::error::Result;
use crate::kernel::Watched;
use crate::level::LevelStates;
use crate::picking::Picking;
use crate::step::Visitor;
use crate::steps::{DirectionSteps, Space};

/// The outcome of the search from one source.
pub(super) struct SourceResult<I> {
    /// One entry per target, in order; `None` for the source itself.
    pub lengths: Vec<Option<Length>>,
    /// Where each target's side was met: the smallest of the states met first.
    pub meetings: Vec<Option<I>>,
    /// The forward sides.
    pub grown: Grown,
    /// Levels before the last.
    pub levels: Vec<LevelStates<I>>,
    /// The rulebook's check of the inside of the greatest forward side.
    pub inside: Inside,
    /// Whether the user asked to stop.
    pub stopped: bool,
}

/// Keeps the states in sides that are still wanted.
struct Meet<'a, I> {
    masks: &'a Masks<I>,
    wanted: &'a [u64],
    open: usize,
    picking: &'a Picking<I>,
}

impl<I: Key> Visitor<I> for Meet<'_, I> {
    fn visit(&self, new: &[I], kept: &mut Vec<(usize, I)>) {
        self.picking.see(new);
        for (i, &id) in new.iter().enumerate() {
            if let Some(&ahead) = new.get(i + AHEAD) {
                self.masks.prefetch(ahead);
            }
            let mut keep = |side| {
                // The smallest of the states in a side is enough.
                match kept.iter_mut().find(|(known, _)| *known == side) {
                    Some((_, least)) => *least = (*least).min(id),
                    None => kept.push((side, id)),
                }
            };
            self.masks.sides(id, self.wanted, &mut keep);
        }
    }

    fn enough(&self, kept: &BTreeMap<usize, I>) -> bool {
        kept.len() == self.open
    }
}

/// Open targets, as bits.
struct Open(Vec<u64>);

impl Open {
    fn new(targets: usize) -> Self {
        Self(vec![0; targets.div_ceil(64)])
    }

    fn add(&mut self, target: usize) {
        self.0[target / 64] |= 1 << (target % 64);
    }

    fn remove(&mut self, target: usize) {
        self.0[target / 64] &= !(1 << (target % 64));
    }

    fn has(&self, target: usize) -> bool {
        self.0[target / 64] >> (target % 64) & 1 == 1
    }

    fn count(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }
}

/// Data shared by the searches from all sources.
pub(super) struct SharedSources<'a, K: Key, S: Space<K>> {
    pub graph: &'a Graph<K>,
    pub rules: &'a Graph<K>,
    pub space: &'a S,
    pub masks: &'a Masks<S::Id>,
    pub targets: &'a [NamedSource<K>],
    pub sides: &'a [TargetSide<S::Id>],
    pub limits: &'a PairLimits,
    pub watch: Watched<'a>,
}

/// A search under way.
struct SourceSearch<'a, 'b, K: Key, S: Space<K>> {
    field: &'b SharedSources<'a, K, S>,
    open: Open,
    result: SourceResult<S::Id>,
}

impl<K: Key, S: Space<K>> SharedSources<'_, K, S> {
    /// Searches from one source until every target is met, shown to be unreachable, or beyond the
    /// limits.
    pub(super) fn search(&self, source: &NamedSource<K>) -> Result<SourceResult<S::Id>> {
        let (graph, space, watch) = (self.graph, self.space, &self.watch);
        let (mut walk, mut level, id) =
            SourceWalk::from(graph, space, DirectionSteps::FORWARD, source.key, watch)?;
        let mut search = SourceSearch {
            field: self,
            open: Open::new(self.targets.len()),
            result: SourceResult {
                lengths: vec![None; self.targets.len()],
                meetings: vec![None; self.targets.len()],
                grown: Grown::around(&source.name, Direction::Forward, source.key),
                levels: Vec::new(),
                inside: Inside::default(),
                stopped: false,
            },
        };
        let rulebook = Rulebook::new((graph, self.rules), space, Direction::Forward);
        let most = self.limits.looked_at;
        let (mut insides, mut picked) = (Insides::new(most), Picking::of(most, &[id]));
        search.at_once(source, id)?;
        let mut bytes = 0;
        while search.open.count() > 0 {
            bytes += level.bytes;
            if !search.affordable(bytes) {
                break;
            }
            let picking = Picking::new(most);
            let meet = Meet {
                masks: self.masks,
                wanted: &search.open.0,
                open: search.open.count(),
                picking: &picking,
            };
            let Some((next, (kept, whole))) = walk.next(&level, &meet)? else {
                search.result.stopped = true;
                break;
            };
            let radius = search.result.levels.len() as u32 + 1;
            search.met(radius, &kept);
            if whole {
                search.result.grown.add(next.states, next.digest);
                let picked = std::mem::replace(&mut picked, picking);
                insides.add(level.states, picked, &rulebook, walk.visited())?;
            }
            let empty = next.states == 0;
            search
                .result
                .levels
                .push(std::mem::replace(&mut level, next));
            if empty {
                // The search has seen every state that the source can reach.
                search.not_met(|_| Length::Unreachable {
                    closed: Side::Forward,
                });
                break;
            }
        }
        // The remaining paths are longer than the sides that did not meet.
        let forward = search.result.grown.radius();
        search.not_met(|backward| Length::MoreThan {
            moves: forward + backward,
            forward,
            backward,
        });
        search.result.inside = insides.inside(self.rules);
        Ok(search.result)
    }
}

impl<K: Key, S: Space<K>> SourceSearch<'_, '_, K, S> {
    /// Results without a move: targets whose side contains the source, and targets whose closed
    /// side does not.
    fn at_once(&mut self, source: &NamedSource<K>, id: S::Id) -> Result<()> {
        let mut all = Open::new(self.field.targets.len());
        (0..self.field.targets.len()).for_each(|target| all.add(target));
        let mut inside = Open::new(self.field.targets.len());
        let note = &mut |side| inside.add(side);
        self.field.masks.sides(id, &all.0, note);
        for (i, target) in self.field.targets.iter().enumerate() {
            let side = &self.field.sides[i];
            if target.key == source.key {
                continue;
            }
            if inside.has(i) {
                let way = descent(self.field.graph, self.field.space, id, side)?;
                let length = (way.len() - 1) as u32;
                self.result.lengths[i] = Some(Length::Exactly {
                    moves: length,
                    forward: 0,
                    backward: length,
                });
                self.result.meetings[i] = Some(id);
            } else if side.grown.closed() {
                self.result.lengths[i] = Some(Length::Unreachable {
                    closed: Side::Backward,
                });
            } else {
                self.open.add(i);
            }
        }
        Ok(())
    }

    fn affordable(&self, bytes: u64) -> bool {
        let limits = self.field.limits;
        self.result.grown.forecast() <= limits.forward_states && bytes <= limits.forward_bytes
    }

    fn met(&mut self, radius: u32, kept: &BTreeMap<usize, S::Id>) {
        for (&target, &id) in kept {
            self.result.meetings[target] = Some(id);
            self.open.remove(target);
            let backward = self.field.sides[target].grown.radius();
            self.result.lengths[target] = Some(Length::Exactly {
                moves: radius + backward,
                forward: radius,
                backward,
            });
        }
    }

    /// What is known of the targets that were not met.
    fn not_met(&mut self, length: impl Fn(u32) -> Length) {
        for target in 0..self.field.targets.len() {
            if self.open.has(target) {
                self.open.remove(target);
                let backward = self.field.sides[target].grown.radius();
                self.result.lengths[target] = Some(length(backward));
            }
        }
    }
}
