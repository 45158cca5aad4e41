//! Beneš networks: 2m - 1 stages of exchanges at distances of powers of two perform any permutation
//! of 2^m bits (Beneš 1965). For words, see Neumann's bit permutation pages, thesis reference 1.
//!
//! The looping algorithm: bits that share a pair at the input of a stage, or will share one at its
//! output, must go through different halves. That links the exchanges of the first and the last
//! stage into chains. Each chain has two solutions; if possible, the one is taken that leaves the
//! first (or the last) stage without an exchange. Stages that exchange nothing vanish, so the order
//! of the distances matters. All 720 are tried, each with ten ways to prefer one end of the network
//! or the other. Places without a bit are free, which shortens the chains.

use super::Compiled;
use crate::permute::permutation::Permutation;
use crate::permute::program::{Program, Value};
use crate::permute::route::for_each_order;

/// The destination of the bit at each place; `None` if there is no bit.
pub(super) type Wanted = [Option<u8>; 64];

/// Exchanges of all bits under `mask` with those `distance` above.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SwapStage {
    /// How far apart the two bits of a pair are.
    pub distance: u32,
    /// The lower place of every pair that is exchanged.
    pub mask: u64,
}

/// The end of the network that should be free of exchanges, one bit per level.
type Preferences = u32;

pub(super) fn wanted(perm: &Permutation) -> Wanted {
    std::array::from_fn(|i| (i < perm.len()).then(|| perm.to(i) as u8))
}

/// The cheapest network over all orders of its stages.
pub fn compile(perm: &Permutation) -> Compiled {
    let stages = best_network(&wanted(perm), true);
    let mut program = Program::new();
    let result = emit_stages(&mut program, Value::INPUT, perm.domain(), &stages);
    Compiled {
        program: program.finish(result),
        note: describe(&stages),
    }
}

fn describe(stages: &[SwapStage]) -> String {
    let distances = stages.iter().map(|s| s.distance.to_string());
    let list = distances.collect::<Vec<_>>().join(" ");
    format!("{} stages: {list}", stages.len())
}

/// A move of the whole word before or after the network.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Whole {
    Swap,
    Rotate(u32),
}

impl Whole {
    fn place(self, i: u8) -> u8 {
        match self {
            Whole::Swap => i ^ 56,
            Whole::Rotate(by) => (i + by as u8) & 63,
        }
    }

    fn back(self) -> Whole {
        match self {
            Whole::Swap => Whole::Swap,
            Whole::Rotate(by) => Whole::Rotate(64 - by),
        }
    }

    fn emit(self, program: &mut Program, a: Value) -> Value {
        match self {
            Whole::Swap => program.bswap(a),
            Whole::Rotate(by) => program.rotate(a, by as i32),
        }
    }
}

/// With a byte swap or rotation of the whole word before or after. This one operation can make
/// several stages empty (a bit reversal is a byte swap and three exchanges).
pub fn compile_plus(perm: &Permutation) -> Compiled {
    let plain = wanted(perm);
    if perm.len() <= 16 {
        // Few stages, all of them short: there is nothing to save.
        return compile(perm);
    }
    let mut ranked: Vec<(usize, bool, Whole)> = Vec::new();
    for whole in std::iter::once(Whole::Swap).chain((1..64).map(Whole::Rotate)) {
        for first in [true, false] {
            let (moved, occupied) = moved(&plain, whole, first);
            let stages = best_network(&moved, false);
            ranked.push((stages_cost(occupied, &stages), first, whole));
        }
    }
    ranked.sort_by_key(|r| r.0);
    let mut best = compile(perm);
    for (_, first, whole) in ranked.into_iter().take(2) {
        let (moved, occupied) = moved(&plain, whole, first);
        let stages = best_network(&moved, true);
        let mut program = Program::new();
        let mut word = Value::INPUT;
        if first {
            word = whole.emit(&mut program, word);
        }
        word = emit_stages(&mut program, word, occupied, &stages);
        if !first {
            word = whole.emit(&mut program, word);
        }
        let program = program.finish(word);
        if program.counts().operations < best.program.counts().operations {
            let order = if first { "then" } else { "after" };
            let note = format!("{whole:?} {order} {}", describe(&stages));
            best = Compiled { program, note };
        }
    }
    best
}

/// The rest for the network if `whole` is done first, or last.
fn moved(wanted: &Wanted, whole: Whole, first: bool) -> (Wanted, u64) {
    let mut out = [None; 64];
    for (i, target) in (0u8..).zip(wanted) {
        let Some(target) = *target else { continue };
        let (at, to) = match first {
            true => (whole.place(i), target),
            false => (i, whole.back().place(target)),
        };
        out[usize::from(at)] = Some(to);
    }
    (out, occupied(&out))
}

fn occupied(wanted: &Wanted) -> u64 {
    let places = wanted.iter().enumerate().filter(|(_, w)| w.is_some());
    places.fold(0, |mask, (i, _)| mask | 1 << i)
}

/// Tries all orders of the distances; `thorough` also all preferences at every level.
fn best_network(wanted: &Wanted, thorough: bool) -> Vec<SwapStage> {
    let highest = wanted.iter().enumerate().filter_map(|(i, w)| {
        let target = (*w)?;
        Some(target.max(i as u8))
    });
    let levels = 8 - highest.max().unwrap_or(0).leading_zeros() as usize;
    let start = occupied(wanted);
    let preferences: Vec<Preferences> = match thorough {
        true => [0, 1, 2, 4, 8].into_iter().flat_map(|p| [p, !p]).collect(),
        false => vec![0, !0],
    };
    let mut best: Option<(usize, Vec<SwapStage>)> = None;
    let mut number = 0;
    for_each_order(levels, &mut |order| {
        number += 1;
        if !thorough && number % 72 != 1 {
            return true;
        }
        for &preference in &preferences {
            let stages = network(wanted, order, preference);
            let cost = stages_cost(start, &stages);
            if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                best = Some((cost, stages));
            }
        }
        true
    });
    best.map(|(_, stages)| stages).unwrap_or_default()
}

/// One network by the looping algorithm, its outer stages in the given order of index bits.
fn network(wanted: &Wanted, order: &[usize], preference: Preferences) -> Vec<SwapStage> {
    let mut at = *wanted;
    let (mut opening, mut closing) = (Vec::new(), Vec::new());
    let Some((&last, outer)) = order.split_last() else {
        return Vec::new();
    };
    for (level, &bit) in outer.iter().enumerate() {
        let prefer_first = preference >> level & 1 == 0;
        let (first, second) = loops(&at, bit, prefer_first);
        at = inner(&at, bit, first, second);
        opening.push((bit, first));
        closing.push((bit, second));
    }
    let crossing = (0..64).filter(|&i| at[i].is_some_and(|t| usize::from(t) != i));
    let middle = crossing.fold(0, |mask, i| mask | 1u64 << (i & !(1 << last)));
    let all = opening.into_iter().chain([(last, middle)]);
    let all = all.chain(closing.into_iter().rev());
    all.filter(|(_, mask)| *mask != 0)
        .map(|(bit, mask)| SwapStage {
            distance: 1 << bit,
            mask,
        })
        .collect()
}

/// The exchanges of the first and the last stage at this index bit, as masks of lower places.
fn loops(at: &Wanted, bit: usize, prefer_first: bool) -> (u64, u64) {
    let mut source = [None; 64];
    for (i, target) in at.iter().enumerate() {
        if let Some(target) = *target {
            source[usize::from(target)] = Some(i);
        }
    }
    let other = 1 << bit;
    let (mut first, mut second, mut seen) = (0u64, 0u64, 0u64);
    for start in (0..64).filter(|&i| at[i].is_some()) {
        if seen >> start & 1 == 1 {
            continue;
        }
        // All bits of the chain, each with whether it goes through the other half than `start`.
        let mut chain = vec![(start, false)];
        seen |= 1 << start;
        let mut next = 0;
        while let Some(&(i, half)) = chain.get(next) {
            next += 1;
            let target = at[i].map_or(i, usize::from);
            let beside = Some(i ^ other).filter(|&j| at[j].is_some());
            for j in [beside, source[target ^ other]].into_iter().flatten() {
                if seen >> j & 1 == 0 {
                    seen |= 1 << j;
                    chain.push((j, !half));
                }
            }
        }
        let solve = |flip: bool| {
            let (mut f, mut s) = (0u64, 0u64);
            for &(i, half) in &chain {
                let target = at[i].map_or(i, usize::from);
                let half = usize::from(half ^ flip);
                f |= u64::from(i >> bit & 1 != half) << (i & !other);
                s |= u64::from(target >> bit & 1 != half) << (target & !other);
            }
            (f, s)
        };
        let rank = |(f, s): (u64, u64)| match prefer_first {
            true => (f.count_ones(), s.count_ones()),
            false => (s.count_ones(), f.count_ones()),
        };
        let (f, s) = [solve(false), solve(true)]
            .into_iter()
            .min_by_key(|&masks| rank(masks))
            .unwrap_or_default();
        first |= f;
        second |= s;
    }
    (first, second)
}

/// The task of the inner stages.
fn inner(at: &Wanted, bit: usize, first: u64, second: u64) -> Wanted {
    let mut out = [None; 64];
    let cross = |place: usize, mask: u64| {
        let low = place & !(1 << bit);
        place ^ ((mask >> low & 1) as usize) << bit
    };
    for (i, target) in at.iter().enumerate() {
        if let Some(target) = *target {
            out[cross(i, first)] = Some(cross(usize::from(target), second) as u8);
        }
    }
    out
}

/// The operations of a list of stages on a word with bits in these places.
pub(super) fn stages_cost(mut occupied: u64, stages: &[SwapStage]) -> usize {
    let mut cost = 0;
    for stage in stages {
        let kind = Exchange::of(occupied, *stage);
        cost += kind.cost();
        occupied = kind.after(occupied);
    }
    cost
}

/// Adds the stages to a program.
pub(super) fn emit_stages(
    program: &mut Program,
    mut word: Value,
    mut occupied: u64,
    stages: &[SwapStage],
) -> Value {
    for stage in stages {
        let kind = Exchange::of(occupied, *stage);
        word = kind.emit(program, word);
        occupied = kind.after(occupied);
    }
    word
}

/// The form of a stage: only the parts of a delta swap that its bits need.
pub(super) struct Exchange {
    distance: u32,
    mask: u64,
    up: u64,
    down: u64,
    stay: u64,
}

impl Exchange {
    pub(super) fn of(occupied: u64, stage: SwapStage) -> Self {
        let SwapStage { distance, mask } = stage;
        let (up, down) = (occupied & mask, occupied & mask << distance);
        Self {
            distance,
            mask,
            up,
            down,
            stay: occupied & !up & !down,
        }
    }

    pub(super) fn after(&self, _occupied: u64) -> u64 {
        self.stay | self.up << self.distance | self.down >> self.distance
    }

    pub(super) fn cost(&self) -> usize {
        match (self.up, self.down, self.stay) {
            (0, 0, _) => 0,
            (0, _, 0) | (_, 0, 0) => 1,
            (0, _, _) | (_, 0, _) => 4,
            (_, _, 0) if self.distance == 32 => 1,
            (_, _, 0) => 5,
            _ => 6,
        }
    }

    pub(super) fn emit(&self, program: &mut Program, word: Value) -> Value {
        let d = self.distance as i32;
        match (self.up, self.down, self.stay) {
            (0, 0, _) => word,
            (0, _, 0) => program.shift(word, -d),
            (_, 0, 0) => program.shift(word, d),
            (0, movers, _) => one_way(program, word, movers, -d),
            (movers, 0, _) => one_way(program, word, movers, d),
            (_, _, 0) if d == 32 => program.rotate(word, 32),
            (_, _, 0) => {
                let up = program.and(word, self.up);
                let down = program.and(word, self.down);
                let (up, down) = (program.shift(up, d), program.shift(down, -d));
                program.or(up, down)
            }
            _ => delta_swap(program, word, self.mask, d),
        }
    }
}

/// `x ^ t | t << d` with `t = x & movers`: 4 operations and one mask.
fn one_way(program: &mut Program, word: Value, movers: u64, by: i32) -> Value {
    let moving = program.and(word, movers);
    let staying = program.xor(word, moving);
    let moved = program.shift(moving, by);
    program.or(staying, moved)
}

/// The delta swap (Warren, Hacker's Delight, 2-20): 6 operations and one mask.
fn delta_swap(program: &mut Program, word: Value, mask: u64, by: i32) -> Value {
    let shifted = program.shift(word, -by);
    let differing = program.xor(shifted, word);
    let low = program.and(differing, mask);
    let high = program.shift(low, by);
    let half = program.xor(word, low);
    program.xor(half, high)
}
