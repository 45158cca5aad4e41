//! Delta swaps by beam search: exchanges of masked fields at any distance, and masked shifts for
//! the rest.
//!
//! A state is where every bit is. A step exchanges pairs at one distance: pairs whose two bits it
//! brings closer to their places in sum, or exactly to their places. States are ranked by their
//! cost if finished now with one masked shift per remaining distance. So the search trades
//! exchanges (4 to 6 operations) against terms (3). Not optimal, but it finds the logarithmic
//! sequences for mirrors and transpositions, and never loses to `naive`.

use std::collections::BTreeSet;

use super::Compiled;
use super::benes::{Exchange, SwapStage, Wanted, emit_stages, wanted};
use crate::permute::permutation::Permutation;
use crate::permute::program::{Program, Value};

const WIDTH: usize = 48;
const MOST_STEPS: usize = 12;

#[derive(Clone)]
struct State {
    at: Wanted,
    occupied: u64,
    stages: Vec<SwapStage>,
    cost: usize,
}

impl State {
    /// The operations if the rest is done by one masked shift per distance, and the total distance
    /// that all bits still have to go.
    fn rank(&self) -> (usize, u32) {
        let moves = remaining(&self.at);
        let shifted = moves.iter().filter(|(d, _)| *d != 0).count();
        let finish = match shifted {
            0 => 0,
            _ => moves.len() + shifted + moves.len() - 1,
        };
        let way = moves.iter().map(|(d, m)| d.unsigned_abs() * m.count_ones());
        (self.cost + finish, way.sum())
    }

    fn after(&self, stage: SwapStage) -> State {
        let kind = Exchange::of(self.occupied, stage);
        let mut at = self.at;
        for low in (0..64usize).filter(|i| stage.mask >> i & 1 == 1) {
            at.swap(low, low + stage.distance as usize);
        }
        let mut stages = self.stages.clone();
        stages.push(stage);
        State {
            at,
            occupied: kind.after(self.occupied),
            stages,
            cost: self.cost + kind.cost(),
        }
    }

    /// The exchanges worth trying at this distance.
    fn masks(&self, distance: usize) -> BTreeSet<u64> {
        let way = |place: usize, target: Option<u8>| {
            target.map_or(0, |t| (i32::from(t) - place as i32).abs())
        };
        let (mut closer, mut home) = (0u64, 0u64);
        for low in 0..64 - distance {
            let high = low + distance;
            let (a, b) = (self.at[low], self.at[high]);
            let before = way(low, a) + way(high, b);
            let after = way(high, a) + way(low, b);
            // Pairs are disjoint: the upper place of one is not the lower of another.
            let free = |mask: u64| low < distance || mask >> (low - distance) & 1 == 0;
            if after < before && free(closer) {
                closer |= 1 << low;
            }
            let homes = (a.is_some() && way(high, a) == 0) || (b.is_some() && way(low, b) == 0);
            if homes && after <= before && free(home) {
                home |= 1 << low;
            }
        }
        [closer, home].into_iter().filter(|m| *m != 0).collect()
    }
}

fn remaining(at: &Wanted) -> Vec<(i32, u64)> {
    let mut by_distance = [0u64; 127];
    for (i, target) in at.iter().enumerate() {
        if let Some(target) = target {
            by_distance[(i32::from(*target) - i as i32 + 63) as usize] |= 1 << i;
        }
    }
    let all = by_distance.into_iter().enumerate();
    let all = all.filter(|(_, mask)| *mask != 0);
    all.map(|(d, mask)| (d as i32 - 63, mask)).collect()
}

/// Compiles by beam search.
pub fn compile(perm: &Permutation) -> Compiled {
    let start = State {
        at: wanted(perm),
        occupied: perm.domain(),
        stages: Vec::new(),
        cost: 0,
    };
    let mut best = start.clone();
    let mut beam = vec![start];
    for _ in 0..MOST_STEPS {
        let mut next: Vec<State> = beam.iter().flat_map(successors).collect();
        next.sort_by_cached_key(State::rank);
        next.dedup_by(|a, b| a.at == b.at);
        next.truncate(WIDTH);
        match next.first() {
            Some(first) if first.rank() < best.rank() => best = first.clone(),
            Some(_) => {}
            None => break,
        }
        beam = next;
    }
    finish(perm, &best)
}

fn successors(state: &State) -> Vec<State> {
    let steps = (1..64).flat_map(|d| state.masks(d).into_iter().map(move |m| (d, m)));
    steps
        .map(|(d, mask)| {
            state.after(SwapStage {
                distance: d as u32,
                mask,
            })
        })
        .collect()
}

fn finish(perm: &Permutation, state: &State) -> Compiled {
    let mut program = Program::new();
    let word = emit_stages(&mut program, Value::INPUT, perm.domain(), &state.stages);
    let moves = remaining(&state.at);
    let mut words = Vec::new();
    for &(distance, mask) in &moves {
        let masked = match moves.len() {
            1 => word,
            _ => program.and(word, mask),
        };
        words.push(program.shift(masked, distance));
    }
    let terms = moves.iter().filter(|(d, _)| *d != 0).count();
    let result = match terms {
        0 => word,
        _ => program.or_all(&words).unwrap_or(word),
    };
    let distances = state.stages.iter().map(|s| s.distance.to_string());
    let list = distances.collect::<Vec<_>>().join(" ");
    let rest = match terms {
        0 => String::new(),
        n => format!(", then {n} shifts"),
    };
    Compiled {
        program: program.finish(result),
        note: format!("{} exchanges: {list}{rest}", state.stages.len()),
    }
}
