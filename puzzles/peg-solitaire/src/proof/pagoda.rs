//! Pagoda functions (Berlekamp, Conway and Guy, "Winning Ways", chapter 23; resource counts): a
//! weight for every hole so that no jump increases the pegs' weight. If the start weighs less than
//! the goal, the goal is unreachable.
//!
//! The best function is a linear programme. Its floating-point solution is only a proposal: the
//! weights are converted to fractions, then to whole numbers, and every inequality is checked on
//! these. By duality, there is a pagoda function exactly if the goal cannot even be reached with
//! fractional and negative jumps in any order.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Add;

use microlp::{ComparisonOp, OptimizationDirection, Problem};

use crate::board::Board;
use crate::proof::value;

/// The largest denominator tried for a weight, and the largest common one.
const MOST_DENOMINATOR: i64 = 1_000;
const MOST_COMMON: i64 = 1_000_000;
/// Tolerance between a weight and its fraction.
const NEAR: f64 = 1e-7;

/// A pagoda function in which `from` weighs less than `to` (keys): whole numbers without a common
/// factor. `None` if none was found.
pub fn separate(board: &Board, from: u64, to: u64) -> Option<Vec<i64>> {
    let weights = whole(&propose(board, from, to)?)?;
    (is_pagoda(board, &weights) && value(&weights, from) < value(&weights, to)).then_some(weights)
}

/// Whether no jump increases the weight: one pass over all jumps, exact.
pub fn is_pagoda<W: Copy + Ord + Add<Output = W>>(board: &Board, weights: &[W]) -> bool {
    let jumps = board.jumps();
    jumps
        .iter()
        .all(|jump| weights[jump.from] + weights[jump.over] >= weights[jump.to])
}

/// The weights from -1 to 1 that let the goal outweigh the start by most. Holes that a symmetry of
/// both positions maps to each other have the same weight. The mean of the images of a pagoda
/// function is one too, and separates the positions as well. On a symmetric game that leaves a few
/// unknowns of dozens.
fn propose(board: &Board, from: u64, to: u64) -> Option<Vec<f64>> {
    let mut problem = Problem::new(OptimizationDirection::Maximize);
    let class = classes(board, [from, to]);
    let gain = |class_of: usize| {
        let holes = (0..board.len()).filter(|&hole| class[hole] == class_of);
        let bit = |key: u64, hole: usize| (key >> hole & 1) as f64;
        holes
            .map(|hole| bit(to, hole) - bit(from, hole))
            .sum::<f64>()
    };
    let weights: Vec<_> = (0..board.len())
        .map(|hole| (class[hole] == hole).then(|| problem.add_var(gain(hole), (-1.0, 1.0))))
        .collect();
    let mut seen = BTreeSet::new();
    for jump in board.jumps() {
        let mut terms: BTreeMap<usize, f64> = BTreeMap::new();
        for (hole, sign) in [(jump.from, 1.0), (jump.over, 1.0), (jump.to, -1.0)] {
            *terms.entry(class[hole]).or_default() += sign;
        }
        let mut same = [jump.from, jump.over].map(|hole| class[hole]);
        same.sort_unstable();
        if !seen.insert((same, class[jump.to])) {
            continue;
        }
        let terms = terms.into_iter().filter(|&(_, sign)| sign != 0.0);
        let terms: Vec<_> = terms
            .filter_map(|(class, sign)| Some((weights[class]?, sign)))
            .collect();
        problem.add_constraint(&terms[..], ComparisonOp::Ge, 0.0);
    }
    let solution = problem.solve().ok()?.into_solution().ok()?;
    // Nothing is gained: all weights zero are always allowed.
    (solution.objective() > NEAR).then(|| {
        let weight = |&class: &usize| weights[class].map_or(0.0, |w| solution.var_value(w));
        class.iter().map(weight).collect()
    })
}

/// For each hole, the first image of it under the symmetries of some positions.
fn classes<const N: usize>(board: &Board, keys: [u64; N]) -> Vec<usize> {
    let all = board.symmetries();
    let image = |key: u64, symmetry: &Vec<usize>| {
        let pegs = (0..board.len()).filter(|hole| key >> hole & 1 == 1);
        pegs.fold(0, |image, hole| image | 1_u64 << symmetry[hole])
    };
    let keeping = all
        .iter()
        .filter(|symmetry| keys.iter().all(|&key| image(key, symmetry) == key));
    let mut class: Vec<usize> = (0..board.len()).collect();
    for symmetry in keeping {
        for (class, &image) in class.iter_mut().zip(symmetry) {
            *class = image.min(*class);
        }
    }
    class
}

/// Whole numbers in the ratio of these, without a common factor.
fn whole(weights: &[f64]) -> Option<Vec<i64>> {
    let fractions: Vec<(i64, i64)> = weights
        .iter()
        .map(|&weight| fraction(weight))
        .collect::<Option<_>>()?;
    let mut common = 1;
    for (_, denominator) in &fractions {
        common = common / gcd(common, *denominator) * denominator;
        if common > MOST_COMMON {
            return None;
        }
    }
    let scaled: Vec<i64> = fractions.iter().map(|(n, d)| n * (common / d)).collect();
    let factor = scaled.iter().fold(0, |factor, &n| gcd(factor, n)).max(1);
    Some(scaled.into_iter().map(|n| n / factor).collect())
}

/// The simplest fraction next to a number between -1 and 1, by continued fractions.
fn fraction(number: f64) -> Option<(i64, i64)> {
    let (mut before, mut at) = ((1_i64, 0_i64), (number.floor() as i64, 1_i64));
    let mut rest = number - number.floor();
    while (number - at.0 as f64 / at.1 as f64).abs() > NEAR {
        let inverse = rest.recip();
        let whole = inverse.floor();
        if !(1.0..=MOST_DENOMINATOR as f64).contains(&whole) {
            return None;
        }
        let next = |now: i64, last: i64| whole as i64 * now + last;
        (before, at) = (at, (next(at.0, before.0), next(at.1, before.1)));
        if at.1 > MOST_DENOMINATOR {
            return None;
        }
        rest = inverse - whole;
    }
    Some(at)
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::{fraction, whole};

    #[test]
    fn fractions_are_found() {
        for denominator in 1..60 {
            for numerator in -denominator..=denominator {
                let (n, d) = fraction(f64::from(numerator) / f64::from(denominator)).unwrap();
                assert_eq!(n * i64::from(denominator), i64::from(numerator) * d);
                assert!(d <= i64::from(denominator));
            }
        }
        assert_eq!(fraction(1.0 / 3.0 + 1e-9), Some((1, 3)));
        assert_eq!(fraction(std::f64::consts::FRAC_1_SQRT_2), None);
    }

    #[test]
    fn whole_numbers_have_no_common_factor() {
        assert_eq!(whole(&[0.5, -1.0, 1.0 / 3.0]), Some(vec![3, -6, 2]));
        assert_eq!(whole(&[1.0, 0.0]), Some(vec![1, 0]));
        assert_eq!(whole(&[0.0, 0.0]), Some(vec![0, 0]));
    }
}
