//! Grouped bit shifting (thesis, 3.1), with stages that work.
//!
//! A minimal set C of shifts is not enough. Applied one after another, the shifts move bits through
//! places where others still are, or out of the word. So every minimal C is tried, in every order
//! of its stages and with every choice of subsets ([`route`](crate::permute::route)), then larger
//! ones. If no single word can carry all bits, they are dealt to several words, each with its own
//! stages. The rest is shifted distance by distance.
//!
//! On boards that nearly fill the word, a single word never sufficed with shifts. The 5x5x2
//! rotation has 1122 minimal C of 5, and each collides in each of its 120 orders. With rotations
//! one of the sets of 5 works.

use super::{Compiled, naive};
use crate::permute::cover::{self, AllCovers, Cover};
use crate::permute::permutation::{Permutation, SplitMix64};
use crate::permute::program::{Program, Value};
use crate::permute::route::{Lane, Motion, Router, Routing, Token, for_each_order};

/// The effort of a compilation; counted, not timed, so that results repeat.
const COVER_NODES: u64 = 30_000;
const MOST_SETS: usize = 3_000;
const ORDERS_A_SIZE: u64 = 200_000;
const ORDERS_AFTER: u64 = 3_000;
const NODES_AN_ORDER: u64 = 5_000;
const LANE_TRIALS: u64 = 60;

/// The known result on moving all bits in one word with the smallest C.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OneWord {
    /// A minimal C works.
    Minimal,
    /// No minimal C works in any order with any choice of subsets; all were tried.
    ProvenNone,
    /// None was found, but not all were tried.
    NotProven,
}

/// A permutation as lanes and leftover distances.
#[derive(Clone, Debug)]
pub struct Grouping {
    /// The minimal set of shifts (rotations: the fewest stages any set needs), with its bounds.
    pub cover: Cover,
    /// The minimal sets that were tried, in all their orders.
    pub sets_tried: usize,
    /// Whether one word suffices with a minimal set.
    pub one_word: OneWord,
    /// The lanes; their results are ORed together.
    pub lanes: Vec<Lane>,
    /// Bits in no lane, moved distance by distance.
    pub left_over: u64,
}

/// Compiles to stages of shifts or of rotations.
pub fn compile(perm: &Permutation, motion: Motion) -> Compiled {
    let grouping = group(perm, motion);
    Compiled {
        program: emit(perm, motion, &grouping),
        note: describe(&grouping),
    }
}

/// Finds the lanes.
pub fn group(perm: &Permutation, motion: Motion) -> Grouping {
    let tokens: Vec<Token> = (0..perm.len()).map(|bit| token(perm, bit)).collect();
    let cover = minimal(perm, motion);
    let mut grouping = Grouping {
        cover,
        sets_tried: 0,
        one_word: OneWord::NotProven,
        lanes: Vec::new(),
        left_over: 0,
    };
    let single = one_word(perm, motion, &tokens, &mut grouping);
    let (lanes, left_over) = deal(perm, motion, &tokens);
    let distributed = cost(perm, motion, &lanes, left_over);
    match single {
        Some(lane) if lane.cost(perm.domain()) <= distributed => grouping.lanes = vec![lane],
        _ => (grouping.lanes, grouping.left_over) = (lanes, left_over),
    }
    grouping
}

fn token(perm: &Permutation, bit: usize) -> Token {
    Token {
        from: bit as u8,
        to: perm.to(bit) as u8,
    }
}

fn minimal(perm: &Permutation, motion: Motion) -> Cover {
    let distances = perm.distances();
    if motion == Motion::Shift {
        return cover::minimal_cover(&distances, COVER_NODES);
    }
    let residues = distances.iter().map(|d| d.rem_euclid(64));
    let residues = residues.fold(1u64, |set, d| set | 1 << d).count_ones();
    let bound = residues.next_power_of_two().ilog2() as usize;
    let step = rotation_step(&distances);
    // {1, 2, 4, 8, 16, 32} has every sum, so one of these sizes is found.
    let sizes = (bound..=6).map(|k| (k, cover::all_rotation_covers(&distances, k, step, 1)));
    let first = sizes.filter_map(|(k, all)| all.sets.into_iter().next().map(|s| (k, s)));
    let (size, set) = first.into_iter().next().unwrap_or_default();
    Cover {
        lower: bound,
        upper: size,
        set,
    }
}

/// The greatest power of two that divides all distances: modulo 64 no other divisor counts.
fn rotation_step(distances: &[i32]) -> u32 {
    let divisor = cover::common_divisor(distances);
    (divisor & divisor.wrapping_neg()).min(32)
}

/// Tries to carry all bits in one word: with every minimal set, then with sets one larger.
fn one_word(
    perm: &Permutation,
    motion: Motion,
    tokens: &[Token],
    grouping: &mut Grouping,
) -> Option<Lane> {
    let size = grouping.cover.upper;
    if motion == Motion::Shift && perm.len() == 64 && size > 0 {
        // A full word leaves no room to move: see the module `route`.
        grouping.one_word = OneWord::ProvenNone;
        return None;
    }
    let minimal = sets(perm, motion, size, 1);
    let mut best = None;
    let exhaustive = try_sets(perm, motion, tokens, &minimal, &mut best);
    grouping.sets_tried = minimal.sets.len();
    grouping.one_word = match &best {
        Some(_) => OneWord::Minimal,
        None if exhaustive && motion == Motion::Shift && grouping.cover.is_minimal() => {
            OneWord::ProvenNone
        }
        None => OneWord::NotProven,
    };
    if best.is_none() && size < 6 {
        let step = cover::common_divisor(&perm.distances());
        let larger = sets(perm, motion, size + 1, step);
        try_sets(perm, motion, tokens, &larger, &mut best);
    }
    best
}

fn sets(perm: &Permutation, motion: Motion, size: usize, step: u32) -> AllCovers {
    let distances = perm.distances();
    let limit = COVER_NODES;
    match motion {
        Motion::Shift => cover::all_covers(&distances, size, step, MOST_SETS, limit),
        Motion::Rotate => {
            let step = rotation_step(&distances);
            cover::all_rotation_covers(&distances, size, step, MOST_SETS)
        }
    }
}

/// Tries every order of every set. Returns whether that was exhaustive; keeps the cheapest lane.
fn try_sets(
    perm: &Permutation,
    motion: Motion,
    tokens: &[Token],
    covers: &AllCovers,
    best: &mut Option<Lane>,
) -> bool {
    let mut exhaustive = covers.complete;
    let mut orders = 0;
    for set in &covers.sets {
        let router = Router::new(tokens, set, motion);
        for_each_order(set.len(), &mut |order| {
            orders += 1;
            if orders > ORDERS_A_SIZE {
                exhaustive = false;
                return false;
            }
            match router.route(order, &mut { NODES_AN_ORDER }) {
                Routing::Found(lane) => {
                    let known = best.as_ref().map(|b| b.cost(perm.domain()));
                    if known.is_none_or(|known| lane.cost(perm.domain()) < known) {
                        *best = Some(lane);
                        // After a first success, a shorter search for a cheaper one pays.
                        orders = orders.max(ORDERS_A_SIZE - ORDERS_AFTER);
                    }
                }
                Routing::Unknown => exhaustive = false,
                Routing::Impossible => {}
            }
            true
        });
    }
    exhaustive
}

/// Deals the bits to lanes greedily, as long as a lane pays for itself.
fn deal(perm: &Permutation, motion: Motion, tokens: &[Token]) -> (Vec<Lane>, u64) {
    let mut lanes: Vec<Lane> = Vec::new();
    let mut left: Vec<Token> = tokens.to_vec();
    loop {
        let left_over = starts(&left);
        let now = cost(perm, motion, &lanes, left_over);
        let Some((lane, rest)) = best_lane(perm, motion, &left) else {
            return (lanes, left_over);
        };
        lanes.push(lane);
        if cost(perm, motion, &lanes, starts(&rest)) >= now {
            lanes.pop();
            return (lanes, left_over);
        }
        left = rest;
    }
}

fn starts(tokens: &[Token]) -> u64 {
    tokens.iter().fold(0, |mask, t| mask | 1 << t.from)
}

/// The lane after which the rest is cheapest, among a few sets and sampled orders of each.
fn best_lane(perm: &Permutation, motion: Motion, tokens: &[Token]) -> Option<(Lane, Vec<Token>)> {
    let step = cover::common_divisor(&perm.distances()) as i32;
    let powers: Vec<i32> = (0..6).map(|b| step << b).filter(|&c| c < 64).collect();
    let down: Vec<i32> = powers.iter().map(|c| -c).collect();
    let both = [&powers[..], &[-powers.last().copied().unwrap_or(1)]].concat();
    let sets = match motion {
        Motion::Shift => vec![powers, down, both],
        Motion::Rotate => vec![powers],
    };
    let mut best: Option<(usize, Lane, Vec<Token>)> = None;
    for set in sets {
        let router = Router::new(tokens, &set, motion);
        for seed in 0..LANE_TRIALS {
            let (lane, placed) = router.route_some(&shuffled(set.len(), seed), seed);
            let mut rest = tokens.to_vec();
            rest.retain(|t| !placed.iter().any(|&p| tokens[p] == *t));
            let total = cost(perm, motion, std::slice::from_ref(&lane), starts(&rest));
            if best.as_ref().is_none_or(|(least, ..)| total < *least) {
                best = Some((total, lane, rest));
            }
        }
    }
    best.map(|(_, lane, rest)| (lane, rest))
}

/// An order of `count` things: ascending, descending, then drawn from the seed.
fn shuffled(count: usize, seed: u64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    if seed == 1 {
        order.reverse();
    }
    if seed > 1 {
        let mut words = SplitMix64::new(seed);
        for i in (1..count).rev() {
            order.swap(i, words.below(i as u64 + 1) as usize);
        }
    }
    order
}

fn cost(perm: &Permutation, motion: Motion, lanes: &[Lane], left_over: u64) -> usize {
    let moves = naive::moves(perm, motion, left_over);
    let words = lanes.len() + moves.len();
    let in_lanes: usize = lanes.iter().map(|l| l.cost(perm.domain())).sum();
    let shifts: usize = moves.iter().map(|(d, _)| 1 + usize::from(*d != 0)).sum();
    in_lanes + shifts + words.saturating_sub(1)
}

fn emit(perm: &Permutation, motion: Motion, grouping: &Grouping) -> Program {
    let mut program = Program::new();
    let mut words: Vec<Value> = grouping
        .lanes
        .iter()
        .map(|lane| lane.emit(&mut program, Value::INPUT, perm.domain()))
        .collect();
    let moves = naive::moves(perm, motion, grouping.left_over);
    words.extend(naive::emit(&mut program, perm, motion, &moves));
    let result = program.or_all(&words).unwrap_or(Value::INPUT);
    program.finish(result)
}

fn describe(grouping: &Grouping) -> String {
    let cover = &grouping.cover;
    let size = match cover.is_minimal() {
        true => format!("#C = {}, minimal", cover.upper),
        false => format!("{} <= #C <= {}", cover.lower, cover.upper),
    };
    let one_word = match (grouping.one_word, grouping.sets_tried) {
        (OneWord::Minimal, _) => "collision-free in one word".into(),
        (OneWord::ProvenNone, 0) => "one word proven impossible: it is full".into(),
        (OneWord::ProvenNone, n) => format!("each of the {n} minimal C proven to collide"),
        (OneWord::NotProven, n) => {
            format!("no minimal C found without collision ({n} tried, not proven)")
        }
    };
    let lanes = grouping.lanes.iter().map(|lane| {
        let shifts = lane.stages.iter().map(|s| s.shift.to_string());
        format!("[{}]", shifts.collect::<Vec<_>>().join(" "))
    });
    let stages = match grouping.lanes.len() {
        0 => "no stages".into(),
        _ => format!("stages {}", lanes.collect::<Vec<_>>().join(" | ")),
    };
    let rest = match grouping.left_over.count_ones() {
        0 => String::new(),
        bits => format!(", {bits} bits one distance at a time"),
    };
    format!("{size}; {one_word}; {stages}{rest}")
}
