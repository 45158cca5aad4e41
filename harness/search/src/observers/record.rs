//! The results of observers on a finished block, as one line of a journal.

use antipode_graph::Orbit;
use puzzle_api::Key;
use serde::{Deserialize, Serialize};

use super::exclusion::{Mismatch, Spot};
use super::inclusion::Strike;
use super::{Antipodes, LevelSum, LevelSums, Observers};
use crate::digest::{key_from_text, key_text};

/// One level: depth, states, orbits, digest as hex.
type LevelRow = (u16, u64, u64, String);

/// A journal line's content. Keys and digests are hex text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    levels: Vec<LevelRow>,
    deepest: Option<u16>,
    antipodes: Vec<(String, u32)>,
    strikes: Vec<(u32, u16)>,
    spots_solved: u64,
    spots_wrong: u64,
    #[serde(default)]
    spots_left: u64,
    mismatches: Vec<(String, u16, u16)>,
    /// Picked and not yet solved, with the share of states that was picked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    waiting: Vec<(String, u16)>,
    #[serde(default)]
    window: u64,
    consistency: ConsistencyTally,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    parts: Vec<(u64, Vec<LevelRow>)>,
}

/// Sums as rows.
fn rows(levels: &LevelSums) -> Vec<LevelRow> {
    let row = |(depth, sum): (u16, &LevelSum)| {
        let digest = crate::digest::hex(sum.digest);
        (depth, sum.states, sum.orbits, digest)
    };
    levels.iter().map(row).collect()
}

/// Sums of rows; `None` if a text in them is not a number.
fn sums(rows: &[LevelRow]) -> Option<LevelSums> {
    let mut levels = LevelSums::default();
    for (depth, states, orbits, digest) in rows {
        let sum = LevelSum {
            states: *states,
            orbits: *orbits,
            digest: u128::from_str_radix(digest, 16).ok()?,
        };
        levels.add(*depth, &sum);
    }
    Some(levels)
}

impl Record {
    /// The record of a level whose states can be read again: it omits its antipodes, which may be
    /// many.
    pub fn without_antipodes<K: Key>(seen: &Observers<K>) -> Self {
        Self::with_antipodes(seen, &Antipodes::default())
    }

    /// Sums of one level.
    pub fn level(&self, depth: u16) -> LevelSum {
        let row = self.levels.iter().find(|(at, ..)| *at == depth);
        row.map_or_else(LevelSum::default, |(_, states, orbits, digest)| LevelSum {
            states: *states,
            orbits: *orbits,
            digest: u128::from_str_radix(digest, 16).unwrap_or_default(),
        })
    }

    /// Greatest distance seen.
    pub fn deepest(&self) -> Option<u16> {
        self.deepest
    }

    /// The record of the observers' results.
    pub fn of<K: Key>(seen: &Observers<K>) -> Self {
        Self::with_antipodes(seen, &seen.antipodes)
    }

    fn with_antipodes<K: Key>(seen: &Observers<K>, antipodes: &Antipodes<K>) -> Self {
        let strikes = seen.strikes.met.iter();
        let (mismatches, waiting) = (seen.spots.mismatches.iter(), seen.spots.waiting.iter());
        Self {
            levels: rows(&seen.levels),
            deepest: antipodes.depth,
            // Sorted, so that the same block makes the same record.
            antipodes: (antipodes.clone().sorted())
                .into_iter()
                .map(|orbit| (key_text(orbit.key), orbit.size))
                .collect(),
            strikes: strikes.map(|s| (s.index, s.depth)).collect(),
            spots_solved: seen.spots.solved,
            spots_wrong: seen.spots.wrong,
            spots_left: seen.spots.left,
            mismatches: mismatches
                .map(|m| (key_text(m.key), m.run, m.forward))
                .collect(),
            waiting: waiting.map(|s| (key_text(s.key), s.depth)).collect(),
            window: seen.spots.window(),
            consistency: seen.consistency.clone(),
            parts: (seen.parts.iter().flatten())
                .map(|(part, levels)| (*part, rows(levels)))
                .collect(),
        }
    }

    /// Adds the record to observers; `None` if a text in it is not a number.
    pub fn replay<K: Key>(&self, into: &mut Observers<K>) -> Option<()> {
        let mut seen = into.fork();
        seen.levels = sums(&self.levels)?;
        if let Some(parts) = &mut seen.parts {
            for (part, levels) in &self.parts {
                parts.push((*part, sums(levels)?));
            }
        }
        seen.antipodes.depth = self.deepest;
        for (text, size) in &self.antipodes {
            seen.antipodes.found.push(Orbit {
                key: key_from_text(text)?,
                size: *size,
            });
        }
        let strikes = self.strikes.iter();
        seen.strikes
            .met
            .extend(strikes.map(|&(index, depth)| Strike { index, depth }));
        seen.spots.solved = self.spots_solved;
        seen.spots.wrong = self.spots_wrong;
        seen.spots.left = self.spots_left;
        for (text, run, forward) in &self.mismatches {
            seen.spots.mismatches.push(Mismatch {
                key: key_from_text(text)?,
                run: *run,
                forward: *forward,
            });
        }
        for (text, depth) in &self.waiting {
            seen.spots.waiting.push(Spot {
                key: key_from_text(text)?,
                depth: *depth,
            });
        }
        seen.spots.restore_window(self.window);
        seen.consistency = self.consistency.clone();
        into.absorb(seen);
        Some(())
    }
}

// Outcome of the consistency check over the parts finished so far.

/// Faults kept as witnesses; the count continues.
const MOST_FAULTS: usize = 1000;

/// Counts of the consistency check.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConsistencyTally {
    /// Orbits checked, including those that the run should have delivered but did not.
    pub states: u64,
    /// Parts checked, with all of their orbits.
    pub parts: u64,
    /// Parts with a fault.
    pub wrong_parts: u64,
    /// Orbits that break a rule.
    pub wrong: u64,
    /// Parts in scope that were left out because they were too large to hold.
    #[serde(default)]
    pub too_large: u64,
    /// States that the checked orbits represent, each checked by the rules.
    #[serde(default)]
    pub images: u64,
    /// States that the run left out, also checked by the rules.
    #[serde(default)]
    pub outside: u64,
    /// Parts for which the rules alone cannot show that no state was left out.
    #[serde(default)]
    pub open: u64,
    /// Parts of which every rank was looked up.
    #[serde(default)]
    pub ranked: u64,
    /// A line for each of the first few faults of a part.
    pub faults: Vec<String>,
}

impl ConsistencyTally {
    pub(super) fn absorb(&mut self, other: Self) {
        self.states += other.states;
        self.parts += other.parts;
        self.wrong_parts += other.wrong_parts;
        self.wrong += other.wrong;
        self.too_large += other.too_large;
        self.images += other.images;
        self.outside += other.outside;
        self.open += other.open;
        self.ranked += other.ranked;
        self.faults.extend(other.faults);
        // Sorted before it is cut, so that the rest does not depend on threads.
        self.faults.sort_unstable();
        self.faults.truncate(MOST_FAULTS);
    }
}
