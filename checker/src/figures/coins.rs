use std::collections::{BTreeSet, HashMap};

use super::{Derived, Parameters, exact, on_some, sampled, tried_whole, trusting, unnamed};
use crate::reading::Reading;
use crate::rules::board::{Grid, has, members, pair, set, subsets};
use crate::rules::coins::Coins;
use crate::rules::keys::{choose, rank, ways};
use crate::rules::{Rules, Settings, UNKNOWN, boards};
use crate::shown::{Stop, text};
use crate::verdict::decimal;

fn glyphs(font: &str) -> Result<Vec<u128>, String> {
    let coins = Coins::open(font, &Settings::new()).ok_or(UNKNOWN)?;
    let named = boards(&coins.font);
    named.map(|(name, _)| coins.state(name)).collect()
}

pub fn derive(reading: &Reading, what: &str, parameters: &Parameters) -> Result<Derived, Stop> {
    let font = match parameters.text("board", "5x7") {
        "5x9" => "5x9",
        _ => "5x7",
    };
    let coins = Coins::open(font, &Settings::new()).ok_or(UNKNOWN)?;
    let (small, large) = (choose(35, 12), choose(45, 13));
    match what {
        "puzzles" => {
            let pairs = |count: usize| count * (count - 1);
            exact(pairs(glyphs("5x7")?.len()) + pairs(glyphs("5x9")?.len()))
        }
        "glyphs" => {
            let differ = |own: Vec<u128>| {
                let different: BTreeSet<&u128> = own.iter().collect();
                own.len() == 37 && different.len() == 37
            };
            exact(differ(glyphs("5x7")?) && differ(glyphs("5x9")?))
        }
        "positions" => exact(if font == "5x9" { large } else { small }),
        "no-last-move" => exact(sparse(&coins)),
        "circles" => {
            let next = |glyph| coins.next(glyph).into_iter();
            let back = |glyph| next(glyph).any(|to| coins.next(to).contains(&glyph));
            exact(glyphs("5x7")?.into_iter().any(back))
        }
        "memory" => {
            let bytes = match parameters.text("what", "list-of-boards") {
                "list-of-boards" => 8 * small,
                _ => large,
            };
            let unit = match parameters.text("unit", "GiB") {
                "GB" => 1e9,
                _ => 1_073_741_824.0,
            };
            exact(decimal(bytes as f64 / unit))
        }
        "rank-range" => {
            let sizes = (0..=14).flat_map(|cells| (0..=cells).map(move |size| (cells, size)));
            let mut sets = sizes.map(|(cells, size)| subsets((1 << cells) - 1, size));
            let ranked = |(number, set)| rank(members(set), 1) == number;
            let tried = sets.all(|sets| (0..).zip(sets).all(ranked));
            let pascal = |n, k| choose(n, k) == choose(n - 1, k) + choose(n - 1, k - 1);
            exact(tried && (1..=64).all(|n| (1..=n).all(|k| pascal(n, k))))
        }
        "rank-convention" => {
            // Places and members numbered from 0 or from 1: whether ranks are all numbers below
            // the number of sets.
            let tight = |place: usize, member: usize| {
                let mut sizes =
                    (1..=12).flat_map(|cells| (1..=cells).map(move |size| (cells, size)));
                sizes.all(|(cells, size)| {
                    let places = |set| members(set).map(|cell| cell + place);
                    let ranks = subsets((1 << cells) - 1, size).into_iter();
                    let ranks = ranks.map(|set| rank(places(set), member));
                    let mut ranks: Vec<u128> = ranks.collect();
                    ranks.sort_unstable();
                    ranks.into_iter().eq(0..choose(cells, size))
                })
            };
            let others = [(0, 0), (1, 0), (1, 1)];
            on_some(exact(
                tight(0, 1) && !others.iter().any(|&(a, b)| tight(a, b)),
            ))
        }
        "piece-ranks" => tried_whole(sampled(
            10_000,
            "that the rank of a board is the sum over three pieces",
            |draw| {
                let mut board = 0_u128;
                while board.count_ones() < 13 {
                    board |= 1 << draw.below(45);
                }
                let piece = |cells: std::ops::Range<usize>| {
                    let below = members(board).filter(|&cell| cell < cells.start).count();
                    let own = members(board).filter(|cell| cells.contains(cell));
                    rank(own, below + 1)
                };
                piece(0..20) + piece(20..36) + piece(36..45) == rank(members(board), 1)
            },
        )),
        "lookup-rows" | "lookup-join" => {
            let starts = parameters.text("starts", "0,2,4,6").split(',');
            // A row is counted in full if the rows next to it are in the piece, or off the board.
            let rows = |start: usize| -> Vec<usize> {
                let whole = |row: &usize| {
                    (*row == 0 || *row > start) && (*row == 8 || *row + 1 < start + 4)
                };
                (start..(start + 4).min(9)).filter(whole).collect()
            };
            let full = starts.filter_map(|start| Some(rows(start.parse().ok()?)));
            if what == "lookup-join" {
                let full: Vec<usize> = full.flatten().collect();
                return exact((0..9).all(|row| full.contains(&row)));
            }
            let told = full.map(|rows| {
                let rows: Vec<String> = rows.iter().map(usize::to_string).collect();
                rows.join("/")
            });
            exact(told.collect::<Vec<_>>().join(" "))
        }
        "path-back" => on_some(exact(leads_back())),
        "popcnt" => fastest(reading),
        _ => unnamed(),
    }
}

/// Whether every position that six coins on 4x4 can reach from any start has a reverse move one
/// level back, and none further. A reverse move takes a coin with two others next to it to any
/// empty cell.
fn leads_back() -> bool {
    let coins = Coins::new(Grid::new(4, 4), 6, "");
    let all = subsets((1 << 16) - 1, 6);
    let numbers: HashMap<u128, usize> = all.iter().copied().zip(0..).collect();
    let numbered = |of: &dyn Fn(u128) -> Vec<u128>| -> Vec<Vec<usize>> {
        let numbers = |state| of(state).iter().map(|state| numbers[state]).collect();
        all.iter().copied().map(numbers).collect()
    };
    let next = numbered(&|state| coins.next(state));
    let before = numbered(&|state| coins.before(state).unwrap_or_default());
    let mut levels = vec![None; all.len()];
    (0..all.len()).all(|start| {
        levels.fill(None);
        levels[start] = Some(0);
        let (mut queue, mut at) = (vec![start], 0);
        while let Some(&state) = queue.get(at) {
            at += 1;
            for &next in &next[state] {
                if levels[next].is_none() {
                    levels[next] = levels[state].map(|level: u32| level + 1);
                    queue.push(next);
                }
            }
        }
        queue[1..].iter().all(|&state| {
            let least = before[state].iter().filter_map(|&back| levels[back]).min();
            least.map(|least| least + 1) == levels[state]
        })
    })
}

/// Positions in which no coin has two others next to it, cell by cell: the last two rows determine
/// the possible continuations.
fn sparse(coins: &Coins) -> u128 {
    let (width, cells) = (coins.grid.columns, coins.grid.cells().len());
    let next = |cell: usize, &(before, count): &(u128, u32)| {
        let with = move |coin: u32| (before | u128::from(coin) << cell, count + coin);
        let fits = move |&(board, count): &(u128, u32)| {
            let above = cell.checked_sub(width).filter(|&above| has(board, above));
            let crowded = above.is_some_and(|above| coins.beside(board, above) >= 2);
            !crowded && count <= coins.coins
        };
        let boards = (0..=u32::from(cell < cells)).map(with).filter(fits);
        let old = set(0..(cell + 1).saturating_sub(2 * width));
        boards.map(move |(board, count)| (board & !old, count))
    };
    // A row more lets every cell have all its neighbours.
    ways((0, 0), cells + width, next, |one| one.1 == coins.coins)
}

/// Ratio of the least slow figure to the least fast one, of pairs of raw samples.
fn fastest(reading: &Reading) -> Result<Derived, Stop> {
    let samples = text(reading.part("figures"), "samples").split_whitespace();
    let positive = |one: &str| {
        let found: Option<(f64, f64)> = pair(one, '/');
        found.filter(|(slow, fast)| *slow > 0.0 && *fast > 0.0)
    };
    let found: Option<Vec<(f64, f64)>> = samples.map(positive).collect();
    let found = found.filter(|found| !found.is_empty());
    let found = found.ok_or("raw samples are missing")?;
    let least = |of: fn(&(f64, f64)) -> f64| found.iter().map(of).fold(f64::INFINITY, f64::min);
    let ratio = least(|one| one.0) / least(|one| one.1);
    trusting(format!("{ratio:.2}"), "the clock")
}
