//! Tables of many pairs, and of many parts: all of them are added up or replayed, and some that
//! the reader's seed draws are done again.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use rayon::prelude::*;
use serde_json::{Value, json};

use crate::certificate::{Checker, Reading, Stop, bound_of, ensure, list};
use crate::claim;
use crate::csv;
use crate::kinds::{replayed, told};
use crate::parts;
use crate::rules::tilt::{BOX, Tilt};
use crate::rules::{Rules, Settings, choose};
use crate::search::{Level, Question, States, hash, search};

/// `count` different numbers below `below`, by seed.
#[must_use]
pub fn drawn(seed: u64, count: usize, below: usize) -> Vec<usize> {
    let mut chosen: Vec<usize> = Vec::new();
    let mut tries = 0_u64;
    while chosen.len() < count.min(below) {
        let number = (hash(u128::from(seed) << 64 | u128::from(tries)) % below as u128) as usize;
        tries += 1;
        if !chosen.contains(&number) {
            chosen.push(number);
        }
    }
    chosen
}

/// Whether a path of so many moves is the shortest: the states around both ends do not meet.
fn is_shortest(rules: &dyn Rules, from: u128, to: u128, moves: u32) -> bool {
    let (mut near, mut far): (States, States) =
        (States::from_iter([from]), States::from_iter([to]));
    let (mut front, mut back) = (vec![from], vec![to]);
    // Levels from both ends, the smaller first, that together are one less than the path.
    for _ in 1..moves {
        let forward = front.len() <= back.len();
        let (known, level) = if forward {
            (&mut near, &mut front)
        } else {
            (&mut far, &mut back)
        };
        let mut out = Vec::new();
        for &state in level.iter() {
            if forward {
                rules.next(state, &mut out)
            } else {
                rules.before(state, &mut out);
            }
        }
        out.retain(|&state| known.insert(state));
        *level = out;
        let other = if forward { &far } else { &near };
        if level.iter().any(|state| other.contains(state)) {
            return false;
        }
    }
    true
}

/// Checks the rows of a claim of kind `lengths`; how many were searched again, of how many
/// decided.
///
/// # Errors
/// A row that does not hold.
pub fn rows(
    checker: &Checker,
    reading: &Reading,
    rules: &dyn Rules,
) -> Result<(usize, usize), Stop> {
    let pairs = claim::pairs(reading.case)?;
    ensure(pairs.len() == reading.rows.len(), "another number of rows")?;
    let (mut decided, mut counts) = (Vec::new(), BTreeMap::<&str, usize>::new());
    for ((from, to, moves), row) in pairs.iter().zip(reading.rows) {
        let says = |member: &str, text: &str| {
            ensure(
                row[member] == text,
                format!("{from}-{to}: {member} is not {text:?}"),
            )
        };
        says("id", &format!("{}-{from}-{to}", reading.claim.id))?;
        says("kind", "length")?;
        says("claimed", &moves.to_string())?;
        says("puzzle", reading.puzzle)?;
        says(
            "instance",
            reading.case.instance.as_deref().unwrap_or_default(),
        )?;
        says("source", &reading.claim.source)?;
        says("section", &reading.claim.section)?;
        says("effort", reading.effort)?;
        says("variant", reading.text("variant"))?;
        says("engine", reading.text("engine"))?;
        says(
            "statement",
            &format!("From {from} to {to} it takes {moves} moves and no fewer."),
        )?;
        let verdict = row["verdict"].as_str().unwrap_or_default();
        *counts.entry(verdict).or_default() += 1;
        let refuted = list(&reading.case.own.get("refuted").cloned().unwrap_or_default())
            .contains(&format!("{from}-{to}").into());
        says(
            "expect",
            match verdict {
                "not-reached" if reading.effort == "quick" => "not-reached",
                "refuted-by-sample" if refuted => verdict,
                "confirmed-by-sample" if !refuted => verdict,
                _ if refuted => "refuted",
                _ => "confirmed",
            },
        )?;
        ensure(
            list(&row["readings"]).is_empty() && list(&row["evidence"]).is_empty(),
            "a row has readings or checks",
        )?;
        let found = row["found"].as_str().unwrap_or_default();
        let ends = (rules.read(from)?, rules.read(to)?);
        let [picture] = list(&row["witnesses"]) else {
            let open = found
                .strip_prefix("more than ")
                .and_then(|depth| depth.parse::<u32>().ok());
            let passed = open.is_some_and(|depth| depth >= *moves);
            let right: &[&str] = match passed {
                true => &["refuted", "refuted-by-sample", "not-reached"],
                false => &["not-reached"],
            };
            ensure(
                right.contains(&verdict) && (found.is_empty() || open.is_some()),
                format!("{from}-{to}: nothing shows {verdict}"),
            )?;
            if let Some(depth) = open.filter(|_| passed) {
                decided.push((ends, depth + 1, format!("{from}-{to}")));
            }
            continue;
        };
        let path = replayed(rules, &picture["kind"])?;
        ensure(
            (path[0], path[path.len() - 1]) == ends,
            format!("{from}-{to}: the path has other ends"),
        )?;
        ensure(
            found == (path.len() - 1).to_string(),
            format!("{from}-{to}: the path has another length"),
        )?;
        // A path alone shows that it takes no more; that it takes no fewer, the sides.
        let right: &[&str] = match (path.len() - 1).cmp(&(*moves as usize)) {
            Ordering::Equal => &["confirmed", "confirmed-by-sample", "not-reached"],
            Ordering::Less => &["refuted"],
            Ordering::Greater => &["refuted", "refuted-by-sample", "not-reached"],
        };
        ensure(
            right.contains(&verdict),
            format!("{from}-{to}: it comes out {}", right[0]),
        )?;
        decided.push((ends, path.len() as u32 - 1, format!("{from}-{to}")));
    }
    let drawn = drawn(checker.seed, checker.parts, decided.len());
    for &at in &drawn {
        let ((from, to), moves, name) = &decided[at];
        let again = checker.once(&format!("pair {name} {moves}"), || {
            Ok(is_shortest(rules, *from, *to, *moves).to_string())
        });
        ensure(
            again.as_deref() == Ok("true"),
            format!("{name}: there is a shorter path"),
        )?;
    }
    let count = |verdict: &str| counts.get(verdict).copied().unwrap_or(0);
    let whole = [
        "refuted",
        "refuted-by-sample",
        "not-reached",
        "confirmed-by-sample",
    ]
    .into_iter()
    .find(|verdict| count(verdict) > 0)
    .unwrap_or("confirmed");
    ensure(
        reading.verdict() == whole,
        format!("the table comes out {whole}"),
    )?;
    let all = [
        "confirmed",
        "confirmed-by-sample",
        "refuted",
        "refuted-by-sample",
        "not-reached",
    ];
    let shown = all.into_iter().filter(|verdict| count(verdict) > 0);
    let shown: Vec<String> = shown
        .map(|verdict| format!("{} {}", count(verdict), verdict.replace('-', " ")))
        .collect();
    let found = shown.join(", ");
    ensure(
        reading.text("found") == found,
        format!("what is found is {found}"),
    )?;
    for picture in reading.witnesses {
        ensure(
            reading
                .rows
                .iter()
                .any(|row| list(&row["witnesses"]).contains(picture)),
            "a witness is in no row",
        )?;
    }
    Ok((drawn.len(), decided.len()))
}

/// A line of `pairs.csv` behind its ends as a row of a certificate would have it, its path
/// replayed.
///
/// # Errors
/// Ends that are unknown, or a path against the rules.
pub fn pair(instance: &str, (from, to): (&str, &str), line: &[String]) -> Result<Value, String> {
    let coins = crate::rules::coins::Coins::open(instance, &Settings::new())?;
    let ends = (coins.read(from)?, coins.read(to)?);
    if line[0].is_empty() {
        return Ok(json!({ "found": line[1] }));
    }
    let (labels, states): (Vec<&str>, Vec<&str>) =
        (line[5].split("; ").collect(), line[6].split(' ').collect());
    let kind = json!({ "strip": { "states": states, "labels": labels } });
    let path = replayed(&coins, &kind).map_err(|stop| format!("{stop:?}"))?;
    match (path[0], path[path.len() - 1]) == ends && line[0] == (path.len() - 1).to_string() {
        true => Ok(json!({ "found": line[0], "witnesses": [{ "kind": kind }] })),
        false => Err("the path is another".into()),
    }
}

/// Checks `balls.csv`: all states within so many moves of a named one. Gives the greatest radius
/// of each side.
///
/// # Errors
/// A ball that is another.
pub fn balls(
    checker: &Checker,
    instance: &str,
    text: &str,
) -> Result<BTreeMap<(String, String), usize>, String> {
    let coins = crate::rules::coins::Coins::open(instance, &Settings::new())?;
    let mut sides: BTreeMap<(String, String), Vec<&[String]>> = BTreeMap::new();
    let lines = csv::read(text)?;
    let [header, rows @ ..] = &lines[..] else {
        return Err("is empty".into());
    };
    if header.join(",") != "name,direction,radius,states,digest,closed" {
        return Err("has other columns".into());
    }
    for row in rows {
        let known =
            ["forward", "backward"].contains(&row[1].as_str()) && coins.read(&row[0]).is_ok();
        let rows = sides.entry((row[0].clone(), row[1].clone())).or_default();
        let (states, before) = (
            row[3].parse::<u128>(),
            rows.last().and_then(|row| row[3].parse().ok()),
        );
        let grows = states
            .is_ok_and(|states| before.is_none_or(|before| states > before || row[5] == "true"));
        if !known
            || row[2] != rows.len().to_string()
            || !grows
            || !["true", "false"].contains(&row[5].as_str())
        {
            return Err(format!("the row {} does not follow", row.join(",")));
        }
        rows.push(row);
    }
    let all: Vec<_> = sides.iter().collect();
    let chosen = drawn(checker.seed, checker.parts, all.len());
    for &at in &chosen {
        let ((name, direction), rows) = all[at];
        let again = checker.once(
            &format!("ball {instance} {name} {direction} {}", rows.len()),
            || {
                let question = Question {
                    roots: vec![coins.read(name)?],
                    backward: direction == "backward",
                    depth: Some(rows.len() as u32 - 1),
                    ..Question::default()
                };
                let found = search(&coins, &question, false).ok_or("too many states")?;
                let mut ball = Level::default();
                let sums = found.levels.iter().map(|level| {
                    ball.states += level.states;
                    ball.digest = ball.digest.wrapping_add(level.digest);
                    format!("{},{:032x}", ball.states, ball.digest)
                });
                Ok(sums.collect::<Vec<_>>().join(";"))
            },
        )?;
        let said: Vec<String> = rows
            .iter()
            .map(|row| format!("{},{}", row[3], row[4]))
            .collect();
        // A ball that is closed ends a level early.
        if !said.join(";").starts_with(&again) || again.is_empty() {
            return Err(format!("the {direction} ball of {name} is another"));
        }
    }
    Ok(sides
        .into_iter()
        .map(|(side, rows)| (side, rows.len() - 1))
        .collect())
}

/// What a level table says, level by level, with the unsolvable row last.
pub type Rows = Vec<Vec<String>>;

/// Checks `parts.csv` of the box of Tilt: that the parts are all there are, that each has as
/// many boards as it must, what they add up to, and some of them from nothing. Gives the sums
/// as rows of `levels.csv`, and what is trusted.
///
/// # Errors
/// What is wrong.
pub fn of_parts(checker: &Checker, text: &str) -> Result<(Rows, String), String> {
    let tilt = Tilt::open("box", &Settings::new())?;
    let greys = parts::all(&tilt);
    let lines = csv::read(text)?;
    let [header, rows @ ..] = &lines[..] else {
        return Err("is empty".into());
    };
    if header.join(",") != "part,depth,states,orbits,digest" {
        return Err("has other columns".into());
    }
    let number = |text: &String| {
        text.parse::<u128>()
            .ok()
            .filter(|n| n.to_string() == *text)
            .ok_or(format!("{text:?} is no number"))
    };
    let mut tables: Vec<Vec<[String; 3]>> = Vec::new();
    let (mut sums, mut never) = (Vec::<Level>::new(), Level::default());
    let mut closed = true;
    for row in rows {
        let part = number(&row[0])? as usize;
        if closed {
            tables.push(Vec::new());
        }
        let (parts, digest) = (
            tables.len(),
            u128::from_str_radix(&row[4], 16).map_err(|error| error.to_string())?,
        );
        let table = tables.last_mut().ok_or("is empty")?;
        closed = row[1] == "unsolvable";
        if part + 1 != parts || !closed && row[1] != table.len().to_string() {
            return Err(format!("the row {} does not follow", row.join(",")));
        }
        let depth = table.len();
        if !closed && sums.len() <= depth {
            sums.resize(depth + 1, Level::default());
        }
        let sum = if closed { &mut never } else { &mut sums[depth] };
        sum.states += number(&row[2])?;
        sum.orbits += number(&row[3])?;
        sum.digest = sum.digest.wrapping_add(digest);
        table.push([row[2].clone(), row[3].clone(), row[4].clone()]);
    }
    if tables.len() != greys.len() || !closed {
        return Err(format!(
            "has {} parts, and there are {}",
            tables.len(),
            greys.len()
        ));
    }
    for (table, &grey) in tables.iter().zip(&greys) {
        let free = 24 - grey.count_ones() as usize;
        let boards = (0..=BOX[1].1)
            .flat_map(|blue| {
                (0..=BOX[2].1).map(move |green| choose(free, blue) * choose(free - blue, green))
            })
            .sum::<u128>();
        let states: u128 = table
            .iter()
            .filter_map(|row| row[0].parse::<u128>().ok())
            .sum();
        if states != boards * parts::images(grey) {
            return Err(format!(
                "a part has {states} boards, and must have {}",
                boards * parts::images(grey)
            ));
        }
    }
    let chosen = drawn(checker.seed, checker.parts, greys.len());
    let again = chosen.par_iter().map(|&at| {
        let again = checker.once(&format!("part {at}"), || {
            let part = parts::part(&tilt, greys[at]);
            let rows: Vec<[String; 3]> = part
                .levels
                .iter()
                .chain([&part.unsolvable])
                .map(told)
                .collect();
            Ok(format!("{rows:?}"))
        });
        match again == Ok(format!("{:?}", tables[at])) {
            true => Ok(()),
            false => Err(format!("part {at} is another when it is done again")),
        }
    });
    again.collect::<Result<Vec<()>, String>>()?;
    let share = 100.0 * bound_of(chosen.len().max(1) as f64);
    let trusted = format!(
        "{} of {} parts of the box ({} drawn by seed {} and done again: with 95% confidence at most {share:.1}% are wrong)",
        greys.len() - chosen.len(),
        greys.len(),
        chosen.len(),
        checker.seed
    );
    let mut rows: Rows = sums
        .iter()
        .enumerate()
        .map(|(depth, level)| {
            std::iter::once(depth.to_string())
                .chain(told(level))
                .collect()
        })
        .collect();
    rows.push(
        std::iter::once("unsolvable".to_owned())
            .chain(told(&never))
            .collect(),
    );
    Ok((rows, trusted))
}
