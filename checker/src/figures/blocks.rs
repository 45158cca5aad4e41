use super::{Derived, Parameters, exact, unknown};
use crate::certificate::Stop;
use crate::rules::blocks::Blocks;
use crate::rules::{Rules, Settings, board, boards, choose};

pub fn derive(what: &str, parameters: &Parameters) -> Result<Derived, Stop> {
    let name = parameters
        .get("board")
        .map_or("climb-pro-24", String::as_str);
    let blocks = Blocks::open(name, &Settings::new())?;
    let kinds: Vec<(&[(i32, i32)], usize)> = blocks.shapes().collect();
    let mut shapes: Vec<&[(i32, i32)]> = kinds.iter().map(|kind| kind.0).collect();
    shapes.sort_unstable();
    shapes.dedup();
    let big = |shape: &[(i32, i32)]| shape.len() > 2;
    let symbols: usize = blocks.counts.iter().sum();
    let strings = || {
        let mut left = symbols;
        blocks.counts.iter().fold(1_u128, |strings, &count| {
            left -= count;
            strings * choose(left + count, count)
        })
    };
    match what {
        "pieces" => exact(symbols - blocks.counts[0]),
        "types" => exact(shapes.len()),
        "symbols" => exact(shapes.len() + 1),
        "string-length" => exact(symbols),
        "big-pieces" => exact(
            kinds
                .iter()
                .filter(|kind| big(kind.0))
                .map(|kind| kind.1)
                .sum::<usize>(),
        ),
        "big-types" => exact(shapes.iter().filter(|shape| big(shape)).count()),
        "empty" => exact(blocks.counts[0]),
        "huffman-bits" => exact(huffman(&blocks.counts)),
        "huffman-bytes" => exact(huffman(&blocks.counts).div_ceil(8)),
        "strings" => exact(strings()),
        "strings-fit" => exact(strings_fit(&blocks)),
        "steps-undone" => {
            let all = boards("sliding-block").map(|(name, _)| Blocks::open(name, &Settings::new()));
            exact(
                all.collect::<Result<Vec<_>, _>>()?
                    .iter()
                    .all(Blocks::steps_undone),
            )
        }
        _ => printed(what, parameters),
    }
}

/// Bits of a string in a Huffman code: the two rarest groups are joined until one is left.
fn huffman(counts: &[usize]) -> usize {
    let (mut groups, mut bits) = (counts.to_vec(), 0);
    while groups.len() > 1 {
        groups.sort_unstable_by(|a, b| b.cmp(a));
        let joined = groups.pop().unwrap_or(0) + groups.pop().unwrap_or(0);
        bits += joined;
        groups.push(joined);
    }
    bits
}

/// Whether every way to place the pieces has a string and a rank of its own: all are tried,
/// piece by piece on the first free cell.
fn strings_fit(blocks: &Blocks) -> bool {
    fn place(
        blocks: &Blocks,
        taken: u128,
        left: &mut Vec<usize>,
        string: &mut Vec<u8>,
        all: &mut Vec<Vec<u8>>,
    ) {
        let (covers, walls) = blocks.covers();
        let Some(cell) = (0..walls.len()).find(|&cell| !walls[cell] && taken >> cell & 1 == 0)
        else {
            if left.iter().all(|&left| left == 0) {
                all.push(string.clone());
            }
            return;
        };
        for symbol in 0..left.len() {
            let cover = if symbol == 0 {
                1 << cell
            } else {
                covers[symbol - 1][cell]
            };
            if left[symbol] > 0 && cover != 0 && cover & taken == 0 {
                left[symbol] -= 1;
                string.push(symbol as u8);
                place(blocks, taken | cover, left, string, all);
                string.pop();
                left[symbol] += 1;
            }
        }
    }
    let mut all = Vec::new();
    place(
        blocks,
        0,
        &mut blocks.counts.clone(),
        &mut Vec::new(),
        &mut all,
    );
    let states: Vec<u128> = all.iter().map(|string| blocks.of_string(string)).collect();
    let mut keys: Vec<u128> = states.iter().map(|&state| blocks.key(state)).collect();
    let back = states
        .iter()
        .all(|&state| blocks.read(&blocks.draw(state)) == Ok(state));
    keys.sort_unstable();
    let count = keys.len();
    keys.dedup();
    back && count > 0 && keys.len() == count
}

/// Arithmetic on the printed table of levels: depth, positions, quotient, change.
fn printed(what: &str, parameters: &Parameters) -> Result<Derived, Stop> {
    let text = board("levels", "climb-pro-24").unwrap_or_default();
    let rows: Vec<Vec<f64>> = text
        .split(';')
        .map(|row| {
            row.split(',')
                .filter_map(|cell| cell.parse().ok())
                .collect()
        })
        .collect();
    let states = |row: usize| rows[row][1];
    let last = rows.len() - 1;
    let mean = (states(last) / states(0)).powf(f64::from(last as u32).recip());
    let quotient = |row: usize| {
        if row == 0 {
            rows[0][2]
        } else {
            states(row) / states(row - 1)
        }
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
        "growth" => exact(format!("{mean:.6}")),
        "doubling" => exact(format!("{:.3}", 2_f64.ln() / mean.ln())),
        "top-levels" => {
            let bytes: f64 = (last - 2..=last).map(|row| 12.0 * states(row)).sum();
            let unit = if parameters.get("unit").is_some_and(|unit| unit == "TiB") {
                1_099_511_627_776.0
            } else {
                1e12
            };
            exact(format!("{:.4}", bytes / unit))
        }
        "run-days" => {
            let all: f64 = (0..=last).map(states).sum::<f64>() + states(0) / (rows[0][2] - 1.0);
            exact(format!("{:.2}", all / 2e9 / 24.0))
        }
        // Two billion sorted positions an hour, each among five unsorted ones.
        "searches" => exact(5 * 2_000_000_000_u64),
        "io-factor" => {
            // Unsorted records are written and read; two levels are read, one is written.
            let moved = |unsorted: f64| 2.0 * unsorted + 1.0 + mean.recip() + mean.powi(-2);
            exact(format!("{:.3}", moved(5.0) / moved(5.0 / 20.0)))
        }
        "page" => exact((64 << 20) / 8192),
        "storage" => exact(12.0 * 1e16 / 1e15),
        _ => unknown("no derivation of this name is known here"),
    }
}
