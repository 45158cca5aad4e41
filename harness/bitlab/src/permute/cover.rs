//! Minimal shift sets: the fewest shifts whose subset sums hold every distance (thesis, 3.1).
//!
//! Given a set V of distances, find a smallest set C of shifts (-63 to 63, not 0) such that every
//! v in V is the sum of a subset of C. Exactly, with proof that no smaller set will do.
//!
//! # The search
//! Replacing c by -c shifts all subset sums by -c. So C exists exactly when |C| *positive* numbers
//! have subset sums S that contain some translate V + t. V has 0 added, since the empty subset sums
//! to 0; t is the sum of the numbers that become negative. The sign vanishes from the search, and S
//! becomes a bit set. The search picks the numbers in descending order, for k = ⌈log2 #V⌉ (thesis,
//! theorem 3.1.2, for V with 0) and up, and cuts a branch when
//!
//! - **span**: the numbers still to come, none above the last, cannot reach the span of V;
//! - **overlap**: with j of k numbers chosen and S' their subset sums, S is 2^(k-j) translates of
//!   S', so V must be covered by that many translates. The largest 2^(k-j) overlaps of V with a
//!   translate of S' must add up to at least #V. For one number a, this means that V holds at least
//!   #V - 2^(k-1) disjoint pairs of difference a, which alone removes most candidates;
//! - **last number**: with k-1 chosen, the possible last numbers for each translate are the
//!   intersection of one 64-bit set for each distance not yet covered.
//!
//! Numbers that share a divisor of all distances are tried first because that finds solutions fast.
//! It *refutes* nothing, since a set with other numbers might do (their multiples could cancel), so
//! a proof always runs over all of 1 to 63. Equal numbers are allowed in the search only as c and
//! -c: {c, c} has the sums 0, c, 2c, as {c, 2c} does too.

use std::collections::BTreeSet;

/// The largest shift of a 64-bit word.
pub const MAX_SHIFT: u32 = 63;

/// Words of a subset-sum set: room for 0 to 511, and 8 shifts of 63 sum to 504.
const WORDS: usize = 8;

/// No search goes beyond this size: `{1, 2, 4, 8, 16, 32, 63}` with signs always suffices.
const MAX_SIZE: usize = 7;

/// The known bounds on the size of a minimal shift set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cover {
    /// A covering set, ascending, of `upper` shifts.
    pub set: Vec<i32>,
    /// Proven: no set of fewer shifts covers.
    pub lower: usize,
    /// The size of `set`. Equal to `lower` when the set is proven minimal.
    pub upper: usize,
}

impl Cover {
    /// Whether the set is proven to be as small as possible.
    pub fn is_minimal(&self) -> bool {
        self.lower == self.upper
    }
}

/// Minimal shift sets, as far as the budget allowed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AllCovers {
    /// The sets, each ascending, in lexicographic order.
    pub sets: Vec<Vec<i32>>,
    /// Whether the list is complete.
    pub complete: bool,
}

/// The greatest common divisor of all distances (1 if there is none but 0).
pub fn common_divisor(distances: &[i32]) -> u32 {
    Target::new(distances).divisor()
}

/// Whether every distance is the sum of a subset of `set`.
pub fn covers(set: &[i32], distances: &[i32]) -> bool {
    let sums = signed_sums(set);
    distances.iter().all(|d| sums.contains(d))
}

/// All distinct subset sums.
pub fn signed_sums(set: &[i32]) -> BTreeSet<i32> {
    let mut sums = BTreeSet::from([0]);
    for &c in set {
        let moved: Vec<i32> = sums.iter().map(|s| s + c).collect();
        sums.extend(moved);
    }
    sums
}

/// ⌈log2⌉ of the number of distances with 0 among them: no smaller set can cover.
pub fn size_bound(distances: &[i32]) -> usize {
    Target::new(distances).count.next_power_of_two().ilog2() as usize
}

/// A smallest shift set for these distances (each -63 to 63; others are ignored), or bounds on
/// its size if the `budget` of search nodes runs out. Sizes 1 to 5 take microseconds; a proof that 6 do not
/// suffice takes milliseconds to seconds.
pub fn minimal_cover(distances: &[i32], budget: u64) -> Cover {
    let target = Target::new(distances);
    let divisor = target.divisor();
    // Some set of the largest size always covers, so only smaller ones need a search.
    for size in size_bound(distances)..MAX_SIZE {
        for step in [divisor, 1] {
            let mut search = Search::new(&target, size, step, budget);
            let outcome = search.run(&mut |numbers, sums| {
                let set = target.signed_sets(numbers, sums).into_iter().next();
                set.map_or(Visit::Continue, Visit::Stop)
            });
            match outcome {
                Outcome::Found(set) => {
                    return Cover {
                        upper: set.len(),
                        lower: size,
                        set,
                    };
                }
                Outcome::OutOfBudget => return fallback(&target, size),
                Outcome::None => {}
            }
            if divisor == 1 {
                break;
            }
        }
    }
    fallback(&target, MAX_SIZE)
}

/// Every minimal shift set, at most `most` of them; the budget holds for each of the two searches.
pub fn all_minimal_covers(distances: &[i32], most: usize, budget: u64) -> AllCovers {
    let best = minimal_cover(distances, budget);
    if best.is_minimal() {
        return all_covers(distances, best.upper, 1, most, budget);
    }
    AllCovers {
        sets: vec![best.set],
        complete: false,
    }
}

/// Every shift set of exactly `size` shifts, all of them multiples of `multiple_of`, that covers;
/// at most `most` of them.
pub fn all_covers(
    distances: &[i32],
    size: usize,
    multiple_of: u32,
    most: usize,
    budget: u64,
) -> AllCovers {
    let target = Target::new(distances);
    let mut sets = BTreeSet::new();
    let mut search = Search::new(&target, size, multiple_of.max(1), budget);
    let outcome = search.run(&mut |numbers, sums| {
        sets.extend(target.signed_sets(numbers, sums));
        if sets.len() < most {
            Visit::Continue
        } else {
            Visit::Stop(Vec::new())
        }
    });
    AllCovers {
        complete: outcome == Outcome::None,
        sets: sets.into_iter().take(most).collect(),
    }
}

/// Every set of exactly `size` rotations (1 to 63) whose subset sums modulo 64 contain every
/// distance. All are multiples of `multiple_of`; returns at most `most` sets.
pub fn all_rotation_covers(
    distances: &[i32],
    size: usize,
    multiple_of: u32,
    most: usize,
) -> AllCovers {
    let places = distances.iter().map(|d| d.rem_euclid(64));
    let mut search = Rotations {
        wanted: places.fold(1, |wanted, place| wanted | 1 << place),
        step: multiple_of.clamp(1, MAX_SHIFT),
        most,
        chosen: Vec::new(),
        found: AllCovers {
            sets: Vec::new(),
            complete: true,
        },
    };
    search.descend(1, search.step, size);
    search.found
}

/// Depth-first search over ascending lists of rotations.
struct Rotations {
    wanted: u64,
    step: u32,
    most: usize,
    chosen: Vec<i32>,
    found: AllCovers,
}

impl Rotations {
    fn descend(&mut self, sums: u64, from: u32, left: usize) {
        let reachable = (sums.count_ones() as usize) << left;
        if !self.found.complete || reachable < self.wanted.count_ones() as usize {
            return;
        }
        if left == 0 {
            if self.wanted & !sums == 0 {
                self.found.complete = self.found.sets.len() < self.most;
                if self.found.complete {
                    self.found.sets.push(self.chosen.clone());
                }
            }
            return;
        }
        for n in (from..=MAX_SHIFT).step_by(self.step as usize) {
            self.chosen.push(n as i32);
            self.descend(sums | sums.rotate_left(n), n + self.step, left - 1);
            self.chosen.pop();
        }
    }
}

/// The set that covers every distance: powers of two, and the negative reach in one more.
fn fallback(target: &Target, lower: usize) -> Cover {
    let powers = (0..6).map(|b| 1 << b);
    let mut set: Vec<i32> = powers.take_while(|&c| c <= target.span as i32).collect();
    if target.low > 0 {
        // The sums of all powers are 0 to 63; the last shift adds -63 to 0.
        set = vec![1, 2, 4, 8, 16, 32, -(MAX_SHIFT as i32)];
    }
    set.sort_unstable();
    Cover {
        upper: set.len(),
        lower: lower.min(set.len()),
        set,
    }
}

/// The distances with 0 added, moved so that the smallest is 0.
struct Target {
    bits: u128,
    count: usize,
    span: u32,
    /// The distance of the smallest from 0, that is, where 0 went.
    low: u32,
    values: Vec<u32>,
}

impl Target {
    fn new(distances: &[i32]) -> Self {
        let reach = MAX_SHIFT as i32;
        let usable = distances.iter().filter(|d| d.abs() <= reach);
        let all: BTreeSet<i32> = usable.copied().chain([0]).collect();
        let low = -all.first().copied().unwrap_or(0);
        let values: Vec<u32> = all.iter().map(|v| (v + low) as u32).collect();
        Self {
            bits: values.iter().fold(0, |bits, v| bits | 1 << v),
            count: values.len(),
            span: values.last().copied().unwrap_or(0),
            low: low as u32,
            values,
        }
    }

    /// The greatest common divisor of the distances (or of their differences, which is the same,
    /// since 0 is one of them).
    fn divisor(&self) -> u32 {
        fn gcd(a: u32, b: u32) -> u32 {
            if b == 0 { a } else { gcd(b, a % b) }
        }
        self.values.iter().fold(0, |g, &v| gcd(g, v)).max(1)
    }

    /// The signed sets that these positive numbers represent: for every translate within `sums`,
    /// every choice of negatives that puts 0 in its place.
    fn signed_sets(&self, numbers: &[u32], sums: &Sums) -> Vec<Vec<i32>> {
        let places = sums.translates(self);
        let mut sets = Vec::new();
        for negatives in 0u32..1 << numbers.len() {
            let signed: Vec<i32> = numbers
                .iter()
                .enumerate()
                .map(|(i, &n)| match negatives >> i & 1 {
                    1 => -(n as i32),
                    _ => n as i32,
                })
                .collect();
            let below: i32 = signed.iter().filter(|c| **c < 0).map(|c| -c).sum();
            let distinct: BTreeSet<i32> = signed.iter().copied().collect();
            if distinct.len() == numbers.len()
                && below >= self.low as i32
                && places.get(below as u32 - self.low)
            {
                sets.push(distinct.into_iter().collect());
            }
        }
        sets
    }
}

/// A set of numbers 0 to 511.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Sums([u64; WORDS]);

impl Sums {
    const TOP: i32 = 64 * WORDS as i32 - 1;
    const ONLY_ZERO: Sums = Sums([1, 0, 0, 0, 0, 0, 0, 0]);

    fn get(&self, i: u32) -> bool {
        self.0[(i / 64) as usize] >> (i % 64) & 1 == 1
    }

    /// The set and its translate by `n` (1 to 63).
    fn with(&self, n: u32) -> Sums {
        let mut out = *self;
        let mut carry = 0;
        for (word, &old) in out.0.iter_mut().zip(&self.0) {
            *word |= old << n | carry;
            carry = old >> (64 - n);
        }
        out
    }

    /// Member `i` becomes member `TOP - i`.
    fn mirrored(&self) -> Sums {
        let mut out = *self;
        out.0.reverse();
        out.0.iter_mut().for_each(|w| *w = w.reverse_bits());
        out
    }

    /// The 64 members from `at` on, `at` from 0 to `TOP`.
    fn word(&self, at: i32) -> u64 {
        let (index, bit) = ((at / 64) as usize, at % 64);
        let high = self.0.get(index + 1).copied().unwrap_or(0);
        match bit {
            0 => self.0[index],
            _ => self.0[index] >> bit | high << (64 - bit),
        }
    }

    /// The 128 members from `at` on, `at` from -128 up.
    fn window(&self, at: i32) -> u128 {
        let word = |i: i32| -> u128 {
            let known = usize::try_from(i).ok().and_then(|i| self.0.get(i));
            known.map_or(0, |&w| u128::from(w))
        };
        let (index, bit) = (at.div_euclid(64), at.rem_euclid(64));
        let low = word(index) | word(index + 1) << 64;
        match bit {
            0 => low,
            _ => low >> bit | word(index + 2) << (128 - bit),
        }
    }

    /// The translations t for which every value + t is a member.
    fn translates(&self, target: &Target) -> Sums {
        let mut all = *self;
        for &v in &target.values[1..] {
            let mut any = 0;
            for i in 0..WORDS {
                let (words, bits) = (i + (v / 64) as usize, v % 64);
                let low = self.0.get(words).map_or(0, |w| w >> bits);
                let high = match (bits, self.0.get(words + 1)) {
                    (1.., Some(w)) => w << (64 - bits),
                    _ => 0,
                };
                all.0[i] &= low | high;
                any |= all.0[i];
            }
            if any == 0 {
                break;
            }
        }
        all
    }
}

#[derive(PartialEq, Eq)]
enum Outcome {
    Found(Vec<i32>),
    None,
    OutOfBudget,
}

enum Visit {
    Continue,
    Stop(Vec<i32>),
}

type Visitor<'v> = &'v mut dyn FnMut(&[u32], &Sums) -> Visit;

/// Depth-first search over descending lists of `size` numbers.
struct Search<'t> {
    target: &'t Target,
    size: usize,
    candidates: Vec<u32>,
    numbers: Vec<u32>,
    /// Nodes that may still be visited.
    budget: u64,
}

impl<'t> Search<'t> {
    fn new(target: &'t Target, size: usize, step: u32, budget: u64) -> Self {
        let mut search = Self {
            target,
            size,
            candidates: Vec::new(),
            numbers: Vec::new(),
            budget,
        };
        search.candidates = (1..=MAX_SHIFT / step)
            .rev()
            .map(|i| i * step)
            .filter(|&n| search.may_cover(&Sums::ONLY_ZERO.with(n), n, size.saturating_sub(1)))
            .collect();
        search
    }

    fn run(&mut self, visit: Visitor<'_>) -> Outcome {
        self.descend(0, 0, Sums::ONLY_ZERO, visit)
    }

    fn descend(&mut self, from: usize, total: u32, sums: Sums, visit: Visitor<'_>) -> Outcome {
        let Some(budget) = self.budget.checked_sub(1) else {
            return Outcome::OutOfBudget;
        };
        self.budget = budget;
        let left = self.size - self.numbers.len();
        match left {
            0 => return self.leaf(&sums, visit),
            1 => return self.last_number(from, total, sums, visit),
            _ => {}
        }
        for i in from..self.candidates.len() {
            let n = self.candidates[i];
            if total + left as u32 * n < self.target.span {
                break;
            }
            let wider = sums.with(n);
            if !self.may_cover(&wider, total + n, left - 1) {
                continue;
            }
            self.numbers.push(n);
            let outcome = self.descend(i, total + n, wider, visit);
            self.numbers.pop();
            if outcome != Outcome::None {
                return outcome;
            }
        }
        Outcome::None
    }

    fn leaf(&mut self, sums: &Sums, visit: Visitor<'_>) -> Outcome {
        match visit(&self.numbers, sums) {
            Visit::Continue => Outcome::None,
            Visit::Stop(set) => Outcome::Found(set),
        }
    }

    /// The last number, from the distances that one translate leaves uncovered.
    fn last_number(&mut self, from: usize, total: u32, sums: Sums, visit: Visitor<'_>) -> Outcome {
        let Some(&largest) = self.candidates.get(from) else {
            return Outcome::None;
        };
        let mirrored = sums.mirrored();
        let mut fits = 0u64;
        for at in 0..=(total + largest) as i32 - self.target.span as i32 {
            fits |= self.last_numbers_at(at, largest, &sums, &mirrored);
        }
        for n in (1..=largest).rev().filter(|n| fits >> n & 1 == 1) {
            if !self.candidates.contains(&n) {
                continue;
            }
            self.numbers.push(n);
            let outcome = self.leaf(&sums.with(n), visit);
            self.numbers.pop();
            if outcome != Outcome::None {
                return outcome;
            }
        }
        Outcome::None
    }

    /// The numbers n up to `largest` for which the distances, with their smallest on `at`, lie in
    /// the sums and the sums moved by n.
    fn last_numbers_at(&self, at: i32, largest: u32, sums: &Sums, mirrored: &Sums) -> u64 {
        let mut missing = self.target.bits & !sums.window(at);
        let few = 1 << (self.size - 1);
        if missing.count_ones() > few || (self.target.bits ^ missing).count_ones() > few {
            return 0;
        }
        // Bit n stays while every missing distance, less n, is a sum.
        let mut fits = !1 & (!0 >> (63 - largest));
        while missing != 0 && fits != 0 {
            let distance = missing.trailing_zeros() as i32 + at;
            fits &= mirrored.word(Sums::TOP - distance);
            missing &= missing - 1;
        }
        fits
    }

    /// Whether 2^`more` translates of these sums (none above `total`) can cover the distances:
    /// the largest overlaps must add up to their number.
    fn may_cover(&self, sums: &Sums, total: u32, more: usize) -> bool {
        let translates = 1usize << more;
        let mut overlaps = [0u32; 129];
        let mut most = 0;
        // The translate that starts `-start` above the smallest distance, seen from there.
        let mut seen = 0u128;
        for start in (-(self.target.span as i32)..=total as i32).rev() {
            let sum = u32::try_from(start).is_ok_and(|s| sums.get(s));
            seen = seen << 1 | u128::from(sum);
            let overlap = (self.target.bits & seen).count_ones() as usize;
            overlaps[overlap] += 1;
            most = most.max(overlap);
        }
        let (mut left, mut covered) = (translates, 0);
        for overlap in (1..=most).rev() {
            let taken = left.min(overlaps[overlap] as usize);
            covered += taken * overlap;
            left -= taken;
        }
        covered >= self.target.count
    }
}
