use std::collections::BTreeSet;

use super::{Derived, Parameters, exact, unknown, unnamed};
use crate::rules::blocks::{Blocks, Kind};
use crate::rules::board::Way;
use crate::rules::{Rules, Settings, UNKNOWN, board, boards};
use crate::shown::Stop;
use crate::verdict::decimal;

pub fn derive(what: &str, parameters: &Parameters) -> Result<Derived, Stop> {
    let name = parameters.text("board", "climb-pro-24");
    let blocks = Blocks::open(name, &Settings::new()).ok_or(UNKNOWN)?;
    let pieces = blocks.kinds[1..].iter();
    let shapes: BTreeSet<&[Way]> = pieces.map(|kind| &kind.shape[..]).collect();
    let counts: Vec<usize> = blocks.counts().collect();
    match what {
        "types" => exact(shapes.len()),
        "big-types" => exact(shapes.iter().filter(|shape| shape.len() > 2).count()),
        "huffman-bits" => exact(huffman(counts)),
        "strings" => exact(strings(&blocks)),
        // `certify` tries no more than these, and ends without a value.
        "strings-fit" if strings(&blocks) > 500_000 => unknown("a board of more strings"),
        "strings-fit" => exact(strings_fit(&blocks)),
        "steps-undone" => {
            let all = boards("sliding-block").map(|(name, _)| Blocks::open(name, &Settings::new()));
            let all: Vec<Blocks> = all.collect::<Option<_>>().ok_or(UNKNOWN)?;
            exact(
                all.iter()
                    .flat_map(|blocks| &blocks.kinds)
                    .all(steps_undone),
            )
        }
        _ => printed(what, parameters),
    }
}

/// Whether every step of a piece alone, from every place, can be undone by the opposite step.
fn steps_undone(kind: &Kind) -> bool {
    let undone = |from: usize, way: usize| {
        kind.steps[from][way].is_none_or(|to| kind.steps[to][3 - way] == Some(from))
    };
    let mut fits = (0..kind.covers.len()).filter(|&from| kind.covers[from] != 0);
    fits.all(|from| (0..4).all(|way| undone(from, way)))
}

/// Bits of a string in a Huffman code: the two rarest groups are joined until one is left.
fn huffman(mut groups: Vec<usize>) -> usize {
    let mut bits = 0;
    while groups.len() > 1 {
        groups.sort_unstable_by(|a, b| b.cmp(a));
        let joined = groups.pop().unwrap_or(0) + groups.pop().unwrap_or(0);
        bits += joined;
        groups.push(joined);
    }
    bits
}

fn strings(blocks: &Blocks) -> u128 {
    blocks.radices().product()
}

/// Whether every way to place the pieces has its own string and rank: all are tried, piece by piece
/// on the first free cell.
fn strings_fit(blocks: &Blocks) -> bool {
    let counts: Vec<usize> = blocks.counts().collect();
    let (mut states, mut open) = (vec![], vec![(blocks.walls, counts, vec![])]);
    while let Some((taken, left, string)) = open.pop() {
        let cell = taken.trailing_ones() as usize;
        if cell == blocks.grid.cells().len() {
            let whole = left.iter().all(|&left| left == 0);
            states.extend(whole.then(|| blocks.of_string(string.into_iter())));
            continue;
        }
        for (symbol, kind) in blocks.kinds.iter().enumerate() {
            let covered = kind.covers[cell];
            if left[symbol] > 0 && covered != 0 && covered & taken == 0 {
                let (mut left, string) = (left.clone(), [&string[..], &[symbol]].concat());
                left[symbol] -= 1;
                open.push((taken | covered, left, string));
            }
        }
    }
    let keys: BTreeSet<u128> = states.iter().map(|&state| blocks.key(state)).collect();
    let back = |&state: &u128| blocks.read(&blocks.draw(state)) == Some(state);
    !keys.is_empty() && keys.len() == states.len() && states.iter().all(back)
}

/// Arithmetic on the printed table of levels: depth, positions, quotient, change.
fn printed(what: &str, parameters: &Parameters) -> Result<Derived, Stop> {
    let text = board("levels", "climb-pro-24").unwrap_or_default();
    let cells = |row: &str| {
        row.split(',')
            .filter_map(|cell| cell.parse().ok())
            .collect()
    };
    let rows: Vec<Vec<f64>> = text.split(';').map(cells).collect();
    let states = |row: usize| rows[row][1];
    let last = rows.len() - 1;
    let mean = (states(last) / states(0)).powf(f64::from(last as u32).recip());
    let quotient = |row: usize| match row {
        0 => rows[0][2],
        _ => states(row) / states(row - 1),
    };
    match what {
        "growth-table" => {
            let before = states(0) / rows[0][2];
            let whole = (before - before.round()).abs() <= before * 1e-11;
            let follows = |row: usize| {
                (quotient(row) - rows[row][2]).abs() <= 1e-11
                    && (quotient(row) - quotient(row - 1) - rows[row][3]).abs() <= 1e-11
            };
            exact(whole && (1..=last).all(follows))
        }
        "doubling" => exact(decimal(2_f64.ln() / mean.ln())),
        "top-levels" => {
            let bytes: f64 = (last - 2..=last).map(|row| 12.0 * states(row)).sum();
            let unit = match parameters.text("unit", "TB") {
                "TiB" => 1_099_511_627_776.0,
                _ => 1e12,
            };
            exact(decimal(bytes / unit))
        }
        "io-factor" => {
            // Unsorted records are written and read; two levels are read, one is written.
            let moved = |unsorted: f64| 2.0 * unsorted + 1.0 + mean.recip() + mean.powi(-2);
            exact(decimal(moved(5.0) / moved(5.0 / 20.0)))
        }
        _ => unnamed(),
    }
}
