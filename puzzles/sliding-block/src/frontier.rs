//! Levels from the start with little memory: only three are held, as sorted keys, since a
//! move can be undone and so a neighbour of level n lies in n-1, n or n+1 (Dogon, "the
//! first well known optimization"). One thread; the engines of the harness are for more.

use puzzle_api::Puzzle;

use crate::Bits;

/// Candidates that are collected before duplicates are dropped, at least: bounds the memory.
const CHUNK: usize = 1 << 21;

/// Positions that are expanded at a time.
const BATCH: usize = 1024;

/// What the step to a level met.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// Distance from the start.
    pub depth: u32,
    /// Positions of the level.
    pub states: u64,
    /// Neighbours of the level before, with repetitions.
    pub generated: u64,
    /// Of these, in the level before or the one before that.
    pub old: u64,
    /// Of the neighbours, with big pieces in the same order as the position they come from.
    pub same_bucket: u64,
    /// Of the neighbours, in the same bucket of 8,192 by a uniform hash of the key.
    pub same_hash: u64,
    /// Different orders of the big pieces on the level before.
    pub orders: u64,
    /// Of the neighbours, in the same bucket by a uniform hash to as many buckets.
    pub same_of_as_many: u64,
    /// Solved positions of the level before.
    pub solved_before: u64,
}

/// A walk by levels.
pub struct Frontier<'a> {
    bits: &'a Bits,
    before: Vec<u128>,
    level: Vec<u128>,
    depth: u32,
}

/// Buckets of a uniform hash: the seed's example of a number.
const BUCKETS: u64 = 8192;

/// A uniform hash of a key.
fn uniform(key: u128) -> u64 {
    let mut x = (key as u64) ^ ((key >> 64) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    for _ in 0..2 {
        x = (x ^ (x >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    }
    x
}

/// The bucket of a hash, of so many.
fn bucket(hash: u64, of: u64) -> u64 {
    ((u128::from(hash) * u128::from(of)) >> 64) as u64
}

impl<'a> Frontier<'a> {
    /// A walk from the start of an instance.
    #[must_use]
    pub fn new(bits: &'a Bits) -> Self {
        let mut level = Vec::new();
        bits.starts(&mut |state| level.push(state));
        Self {
            bits,
            before: Vec::new(),
            level,
            depth: 0,
        }
    }

    /// Keys of the level reached, ascending.
    #[must_use]
    pub fn level(&self) -> &[u128] {
        &self.level
    }

    /// Distance of that level from the start.
    #[must_use]
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// Different orders of the big pieces on the level reached.
    #[must_use]
    pub fn orders(&self) -> u64 {
        // Sorted keys have buckets together.
        let orders = self.level.iter().map(|&key| self.bits.big_order(key));
        let mut last = None;
        orders
            .filter(|&order| last.replace(order) != Some(order))
            .count() as u64
    }

    /// Walks one level on. With nothing more to reach, the new level is empty.
    pub fn step(&mut self) -> Tally {
        let mut tally = Tally {
            depth: self.depth + 1,
            orders: self.orders(),
            ..Tally::default()
        };
        let (mut next, mut candidates) = (Vec::new(), Vec::new());
        for keys in self.level.chunks(BATCH) {
            let (mut order, mut hash, mut last) = (0, 0, usize::MAX);
            tally.solved_before += self.bits.expand_all(keys, &mut |of, neighbour| {
                if of != last {
                    (order, hash) = (self.bits.big_order(keys[of]), uniform(keys[of]));
                    last = of;
                }
                tally.generated += 1;
                tally.same_bucket += u64::from(self.bits.big_order(neighbour) == order);
                let next = uniform(neighbour);
                let same = |of| u64::from(bucket(next, of) == bucket(hash, of));
                tally.same_hash += same(BUCKETS);
                tally.same_of_as_many += same(tally.orders);
                candidates.push(neighbour);
            });
            if candidates.len() >= CHUNK.max(next.len()) {
                tally.old += self.settle(&mut candidates, &mut next);
            }
        }
        tally.old += self.settle(&mut candidates, &mut next);
        tally.states = next.len() as u64;
        self.before = std::mem::replace(&mut self.level, next);
        self.depth += 1;
        tally
    }

    /// Moves the new ones of the candidates to the next level; gives how many were old.
    fn settle(&self, candidates: &mut Vec<u128>, next: &mut Vec<u128>) -> u64 {
        candidates.sort_unstable();
        let mut old = 0;
        let (mut level, mut before) = (self.level.as_slice(), self.before.as_slice());
        candidates.retain(|key| {
            let known = skip_to(&mut level, key) || skip_to(&mut before, key);
            old += u64::from(known);
            !known
        });
        candidates.dedup();
        *next = merge(next, candidates);
        candidates.clear();
        old
    }
}

/// Drops what is below `key` from the front of sorted keys; whether `key` follows.
fn skip_to(sorted: &mut &[u128], key: &u128) -> bool {
    while let Some((first, rest)) = sorted.split_first()
        && first < key
    {
        *sorted = rest;
    }
    sorted.first() == Some(key)
}

/// The union of two sorted sets.
fn merge(a: &[u128], b: &[u128]) -> Vec<u128> {
    let mut union = Vec::with_capacity(a.len() + b.len());
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    loop {
        let next = match (a.peek(), b.peek()) {
            (Some(&x), Some(&y)) => x.min(y),
            (Some(&one), None) | (None, Some(&one)) => one,
            (None, None) => return union,
        };
        a.next_if_eq(&next);
        b.next_if_eq(&next);
        union.push(*next);
    }
}
