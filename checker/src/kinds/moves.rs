//! The moves out of each level, counted again.

use std::collections::BTreeSet;

use serde_json::Value;

use super::BEYOND;
use super::levels::{self, Table, table};
use crate::checker::{Checker, once};
use crate::counts::Of;
use crate::parts::NEVER;
use crate::reading::Reading;
use crate::rules::Rules;
use crate::search::{Numbers, hash};
use crate::shown::{OrWrong, Shown, Stop, list};
use crate::verdict::decimal;

pub(super) fn is_of_moves(reading: &Reading) -> bool {
    let count = reading.case.count();
    count.is_some_and(|count| count.of == Of::Moves)
}

/// Figures of the puzzle's own buckets.
const OF_BUCKETS: &str = "moves_kept moves_over_leaving moves_over_stored one_bucket_to";

/// The moves out of each level, counted again, as the members of a record.
type Tally = Vec<u64>;

const MEMBERS: &str = "states moves known back to_unsolvable buckets kept kept_by_hash";

/// `solved` means that states in no level cannot be solved.
fn tallies(rules: &dyn Rules, table: &Table, (last, solved): (bool, bool)) -> Vec<Tally> {
    let levels = (0..).zip(&table.states);
    let never = table.never.iter().map(|(_, states)| (NEVER, states));
    let depths = levels.clone().chain(never);
    let depths = depths.flat_map(|(depth, states)| states.iter().map(move |&state| (state, depth)));
    let depths: Numbers<u128> = depths.collect();
    let uniform = |state: u128| (u128::from(hash(rules.key(state)) as u64) * 8192) >> 64;
    let mut tallies = Vec::new();
    for (depth, states) in levels {
        let (mut tally, mut buckets) = (vec![0; 8], BTreeSet::new());
        tally[0] = states.len() as u64;
        for &state in states {
            let (own, by_hash) = (rules.bucket(state), uniform(state));
            buckets.extend(own);
            if last && depth as usize + 1 == table.states.len() {
                continue;
            }
            for to in rules.next(state) {
                tally[1] += 1;
                tally[6] += u64::from(own.is_some() && rules.bucket(to) == own);
                tally[7] += u64::from(uniform(to) == by_hash);
                match depths.get(&to) {
                    Some(&NEVER) => tally[4] += 1,
                    None if solved => tally[4] += 1,
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
        return Err(Stop::Unknown(BEYOND.into()));
    };
    // Buckets are Dogon's, of sliding blocks alone.
    let name = reading.case.text("count").unwrap_or_default();
    let fits = reading.puzzle == "sliding-block" || OF_BUCKETS.split(' ').all(|own| own != name);
    fits.or_wrong(format!("{name} is about buckets, and there are none"))?;
    let said = said(reading);
    let case = reading.case;
    let solved = table.complete && case.is_backward() && case.board.is_none();
    let of = format!("{:?} {solved} {}", table.levels, table.complete);
    let again = once(&checker.texts, format!("{} {of}", reading.name()), || {
        let again = tallies(&*rules, &table, (!table.complete, solved));
        Ok(format!("{again:?}"))
    });
    (again == Ok(format!("{said:?}"))).or_wrong("the moves out of the levels are others")?;
    if !reading.is_open() {
        reading.hides_nothing(&*rules)?;
    }
    levels::decided(reading, table.complete)
}

fn said(reading: &Reading) -> Vec<Tally> {
    let number = |row: &Value, member| row[member].as_u64().unwrap_or(u64::MAX);
    let row = |row| {
        MEMBERS
            .split(' ')
            .map(|member| number(row, member))
            .collect()
    };
    list(reading.part("moves")).iter().map(row).collect()
}

/// Whether the finding and the verdict follow from the record's own moves.
pub(super) fn decided(reading: &Reading, known: bool) -> Shown {
    let name = reading.case.text("count").unwrap_or_default();
    if !known {
        let open = reading.is_open();
        open.or_wrong(format!("a search like this does not know {name}"))?;
        return Ok(vec![]);
    }
    let figure = figure_of_moves(reading, &said(reading)).unwrap_or_default();
    reading.comes_to(&figure)?;
    let logical = reading.case.verdict(&figure).unwrap_or_default();
    match figure.is_empty() {
        true => reading.is_open().or_wrong("decided without a figure")?,
        false => reading.graded(logical, true)?,
    }
    Ok(vec![])
}

fn figure_of_moves(reading: &Reading, tallies: &[Tally]) -> Option<String> {
    let (first, last) = reading.range().unwrap_or((1, tallies.len()));
    let out_of = tallies.get(first.checked_sub(1)?..last)?;
    let into = tallies.get(first..tallies.len().min(last + 1))?;
    let sum = |member: usize| out_of.iter().map(|tally| tally[member]).sum::<u64>();
    let new = into.iter().map(|tally| tally[0]).sum::<u64>();
    let (all, new, stay) = (sum(1) as f64, new as f64, sum(6) as f64);
    let leaving = all - stay;
    let ratio = match reading.case.text("count")? {
        "one_bucket_to" => {
            let several = tallies.iter().position(|tally| tally[5] > 1)?;
            return Some(several.checked_sub(1)?.to_string());
        }
        // If no move leads out, there is none to describe.
        _ if sum(1) == 0 => return None,
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
    // Zero over zero is no figure.
    ratio.is_finite().then(|| decimal(ratio))
}
