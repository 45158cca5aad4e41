//! The moves out of each level, counted again.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use serde_json::Value;

use super::graded;
use super::levels::{Table, table};
use super::paths::name_of;
use crate::certificate::{Checker, Reading, Shown, ensure, list};
use crate::parts::NEVER;
use crate::rules::Rules;
use crate::search::{MOST, Mix, States, hash};

pub(super) fn is_of_moves(reading: &Reading) -> bool {
    let name = reading.case.text("count").unwrap_or_default();
    name.starts_with("moves_") || name == "levels_back" || name == "one_bucket_to"
}

/// Figures of the puzzle's own buckets.
const OF_BUCKETS: [&str; 4] = [
    "moves_kept",
    "moves_over_leaving",
    "moves_over_stored",
    "one_bucket_to",
];

/// The moves out of each level, counted again, as the members of a record.
type Tally = [u64; 8];

const MEMBERS: [&str; 8] = [
    "states",
    "moves",
    "known",
    "back",
    "to_unsolvable",
    "buckets",
    "kept",
    "kept_by_hash",
];

fn tallies(rules: &dyn Rules, table: &Table, last: bool) -> Vec<Tally> {
    let mut depths: HashMap<u128, u32, BuildHasherDefault<Mix>> = HashMap::default();
    for (depth, states) in (0..).zip(&table.states) {
        depths.extend(states.iter().map(|&state| (state, depth)));
    }
    depths.extend(
        table
            .never
            .iter()
            .flat_map(|(_, states)| states)
            .map(|&state| (state, NEVER)),
    );
    let uniform = |state: u128| (u128::from(hash(rules.key(state)) as u64) * 8192) >> 64;
    let mut tallies = Vec::new();
    for (depth, states) in (0_u32..).zip(&table.states) {
        let (mut tally, mut buckets, mut next) = (Tally::default(), States::default(), Vec::new());
        tally[0] = states.len() as u64;
        for &state in states {
            let (own, by_hash) = (rules.bucket(state), uniform(state));
            buckets.insert(own);
            if last && depth as usize + 1 == table.states.len() {
                continue;
            }
            next.clear();
            rules.next(state, &mut next);
            for &to in &next {
                tally[1] += 1;
                tally[6] += u64::from(rules.bucket(to) == own);
                tally[7] += u64::from(uniform(to) == by_hash);
                match depths.get(&to) {
                    Some(&NEVER) => tally[4] += 1,
                    Some(&to) if to <= depth => {
                        tally[2] += 1;
                        tally[3] = tally[3].max(u64::from(depth - to));
                    }
                    _ => {}
                }
            }
        }
        tally[5] = buckets.len() as u64;
        tallies.push(tally);
    }
    tallies
}

pub(super) fn moves(checker: &Checker, reading: &Reading) -> Shown {
    let rules = reading.rules()?;
    let Some(table) = table(checker, reading, &*rules, true)? else {
        return Ok(vec![format!("moves out of more than {MOST} states")]);
    };
    let said: Vec<Tally> = list(&reading.record["moves"])
        .iter()
        .map(|row| MEMBERS.map(|member| row[member].as_u64().unwrap_or(u64::MAX)))
        .collect();
    // Buckets are Dogon's, of sliding blocks alone.
    let has_buckets = reading.puzzle == "sliding-block";
    let name = reading.case.text("count").unwrap_or_default();
    ensure(
        has_buckets || !OF_BUCKETS.contains(&name),
        format!("{name} is about buckets, and there are none"),
    )?;
    let again = checker.once(&format!("{} {:?}", name_of(reading), table.levels), || {
        let mut again = tallies(&*rules, &table, !table.complete);
        if !has_buckets {
            again
                .iter_mut()
                .for_each(|tally| (tally[5], tally[6]) = (0, 0));
        }
        Ok(format!("{again:?}"))
    });
    ensure(
        again == Ok(format!("{said:?}")),
        "the moves out of the levels are others",
    )?;
    let found = figure_of_moves(reading, &said).unwrap_or_default();
    ensure(
        found == reading.text("found"),
        format!("the figure is {found:?}"),
    )?;
    if found.is_empty() {
        ensure(
            reading.verdict() == "not-reached",
            "decided without a figure",
        )?;
        return Ok(vec![]);
    }
    graded(
        reading,
        reading
            .case
            .verdict(reading.text("found"))
            .unwrap_or_default(),
        true,
    )?;
    Ok(vec![])
}

fn figure_of_moves(reading: &Reading, tallies: &[Tally]) -> Option<String> {
    let range = reading
        .case
        .by_effort("levels", reading.effort)
        .map(list)
        .unwrap_or_default();
    let end = |i: usize, usual: usize| {
        range
            .get(i)
            .and_then(Value::as_u64)
            .map_or(usual, |depth| depth as usize)
    };
    let (first, last) = (end(0, 1), end(1, tallies.len()));
    let out_of = tallies.get(first.checked_sub(1)?..last)?;
    let sum = |member: usize| out_of.iter().map(|tally| tally[member]).sum::<u64>();
    let new: u64 = tallies
        .get(first..tallies.len().min(last + 1))?
        .iter()
        .map(|tally| tally[0])
        .sum();
    let (all, new, stay) = (sum(1) as f64, new as f64, sum(6) as f64);
    let leaving = all - stay;
    let ratio = match reading.case.text("count")? {
        "one_bucket_to" => {
            return Some(
                tallies
                    .iter()
                    .position(|tally| tally[5] > 1)?
                    .checked_sub(1)?
                    .to_string(),
            );
        }
        "moves_to_unsolvable" => return Some(sum(4).to_string()),
        "levels_back" => return Some(out_of.iter().map(|tally| tally[3]).max()?.to_string()),
        "moves_kept" => 1.0 - leaving / all,
        "moves_kept_by_hash" => sum(7) as f64 / all,
        "moves_per_new" => all / new,
        "moves_wasted" => 1.0 - new / all,
        "moves_known" => sum(2) as f64 / all,
        "moves_over_leaving" => all / leaving,
        _ => all / (new + leaving),
    };
    // Nothing over nothing is no figure.
    ratio.is_finite().then(|| format!("{ratio:.5}"))
}
