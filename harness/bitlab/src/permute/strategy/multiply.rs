//! Products that make several shifts at once.
//!
//! `x * (2^a + 2^b + …)` is the sum of x shifted by a, b, …. If no two set bits of the summands can
//! meet, nothing carries and the sum is an OR. So a masked word, multiplied once and masked again,
//! makes every left shift of a group of distances. This takes 3 operations instead of 3 per
//! distance less one. The high word of the product does the same for right shifts. Distances are
//! packed greedily into groups, those of few bits first, and single ones are shifted. (The
//! technique of magic bitboards: Kannan 2007, thesis reference 14.)

use super::Compiled;
use crate::permute::permutation::Permutation;
use crate::permute::program::{Program, Value};

/// Distances that one product handles, all of one sign.
#[derive(Clone)]
struct Group {
    distances: Vec<i32>,
    from: u64,
    to: u64,
}

impl Group {
    fn one(perm: &Permutation, distance: i32) -> Self {
        let from = perm.movers(distance);
        let to = match distance {
            0.. => from << distance,
            _ => from >> -distance,
        };
        Self {
            distances: vec![distance],
            from,
            to,
        }
    }

    /// Both groups in one product, if no carry can do harm. Left and right shifts need different
    /// halves of the product; a bit that stays can only join left shifts.
    fn joined(&self, other: &Group) -> Option<Group> {
        let mut both = self.clone();
        both.distances.extend(&other.distances);
        both.from |= other.from;
        both.to |= other.to;
        let right = both.distances.iter().filter(|d| **d < 0).count();
        let one_half = right == 0 || right == both.distances.len();
        (one_half && both.is_exact()).then_some(both)
    }

    fn factor(&self) -> u64 {
        let places = self.distances.iter().map(|d| d.rem_euclid(64));
        places.fold(0, |f, place| f | 1 << place)
    }

    /// The bits of the 128-bit product that one input bit alone decides, if no wanted column has a
    /// carry or two summands. Wanted columns then hold exactly the right bit.
    fn is_exact(&self) -> bool {
        let half = if self.distances[0] < 0 { 64 } else { 0 };
        let factor = self.factor();
        let mut carries = 0;
        for column in 0..half + 64u32 {
            let summands = (0..64.min(column + 1))
                .filter(|d| factor >> d & 1 == 1 && column - d < 64)
                .filter(|d| self.from >> (column - d) & 1 == 1)
                .count();
            let wanted = column >= half && self.to >> (column - half) & 1 == 1;
            if wanted && (carries != 0 || summands != 1) {
                return false;
            }
            carries = (carries + summands) / 2;
        }
        true
    }

    fn emit(&self, program: &mut Program, perm: &Permutation) -> Value {
        let masked = match self.from == perm.domain() {
            true => Value::INPUT,
            false => program.and(Value::INPUT, self.from),
        };
        match self.distances[..] {
            [one] => program.shift(masked, one),
            [first, ..] => {
                let product = match first {
                    0.. => program.mul(masked, self.factor()),
                    _ => program.mul_high(masked, self.factor()),
                };
                program.and(product, self.to)
            }
            [] => masked,
        }
    }
}

/// Compiles by products and shifts.
pub fn compile(perm: &Permutation) -> Compiled {
    let mut alone: Vec<Group> = perm
        .distances()
        .into_iter()
        .map(|d| Group::one(perm, d))
        .collect();
    alone.sort_by_key(|g| g.from.count_ones());
    let mut groups: Vec<Group> = Vec::new();
    for group in alone {
        let home = groups
            .iter()
            .enumerate()
            .find_map(|(i, g)| g.joined(&group).map(|both| (i, both)));
        match home {
            Some((i, both)) => groups[i] = both,
            None => groups.push(group),
        }
    }
    let mut program = Program::new();
    let words: Vec<Value> = groups.iter().map(|g| g.emit(&mut program, perm)).collect();
    let products = groups.iter().filter(|g| g.distances.len() > 1).count();
    let result = program.or_all(&words).unwrap_or(Value::INPUT);
    Compiled {
        program: program.finish(result),
        note: format!("{products} products, {} shifts", groups.len() - products),
    }
}
