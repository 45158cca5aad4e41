use std::collections::HashMap;

use super::timings::fastest;
use super::{Derived, Parameters, exact, sampled, unknown};
use crate::certificate::{Reading, Stop};
use crate::rules::coins::Coins;
use crate::rules::{Rules, Settings, boards, choose};

fn glyphs(font: &str) -> Vec<&'static str> {
    let name = if font == "5x9" {
        "coin-sliding-5x9"
    } else {
        "coin-sliding-5x7"
    };
    boards(name).map(|(name, _)| name).collect()
}

/// The sum of C(place, j) over the places of a set in order.
fn rank(mask: u128, from: usize, index: usize) -> u128 {
    let places = (0..64).filter(|place| mask >> place & 1 == 1);
    places
        .zip(index..)
        .map(|(place, j)| choose(place + from, j))
        .sum()
}

pub fn derive(reading: &Reading, what: &str, parameters: &Parameters) -> Result<Derived, Stop> {
    let given =
        |key: &str, usual: &'static str| parameters.get(key).map_or(usual, |text| text.as_str());
    let font = given("board", "5x7");
    let coins = Coins::open(if font == "5x9" { "5x9" } else { "5x7" }, &Settings::new())?;
    let (small, large) = (choose(35, 12), choose(45, 13));
    let own = if font == "5x9" { large } else { small };
    match what {
        "puzzles" => {
            let pairs = |font: &str| glyphs(font).len() * (glyphs(font).len() - 1);
            exact(match parameters.get("board") {
                Some(font) => pairs(font),
                None => pairs("5x7") + pairs("5x9"),
            })
        }
        "coins" => {
            let counts: Vec<u32> = glyphs(font)
                .iter()
                .map(|name| coins.read(name).map_or(0, u128::count_ones))
                .collect();
            exact(if counts.iter().all(|count| *count == counts[0]) {
                counts[0]
            } else {
                0
            })
        }
        "glyphs" => {
            let mut all: Vec<u128> = glyphs(font)
                .iter()
                .filter_map(|name| coins.read(name).ok())
                .collect();
            all.sort_unstable();
            exact(all.windows(2).all(|pair| pair[0] != pair[1]) && all.len() == 37)
        }
        "positions" => exact(own),
        "orders-of-magnitude" => exact(format!("{:.4}", (large as f64 / small as f64).log10())),
        "no-last-move" => exact(sparse(&coins)),
        "circles" => {
            let mut next = Vec::new();
            let found = glyphs("5x7")
                .iter()
                .filter_map(|name| coins.read(name).ok())
                .any(|glyph| {
                    next.clear();
                    coins.next(glyph, &mut next);
                    next.iter().any(|&there| {
                        let mut back = Vec::new();
                        coins.next(there, &mut back);
                        back.contains(&glyph)
                    })
                });
            exact(found)
        }
        "memory" => {
            let bytes = match given("what", "bit-a-mask") {
                "bit-a-mask" => 1 << 32,
                "list-of-boards" => 8 * small,
                "byte-a-rank" => large,
                "bit-a-mask-5x9" => 1 << 42,
                _ => 8 * large,
            };
            let unit = if given("unit", "GiB") == "GB" {
                1e9
            } else {
                1_073_741_824.0
            };
            exact(format!("{:.4}", bytes as f64 / unit))
        }
        "growth" => {
            let after = if given("more", "row") == "row" {
                choose(50, 13)
            } else {
                choose(45, 14)
            };
            exact(format!("{:.4}", after as f64 / large as f64))
        }
        "machine-time" => match given("what", "5x7") {
            "5x7" => exact(format!("{:.2}", 37.0 * 13.0 / 60.0)),
            "5x9" => exact(37 * 30),
            _ => exact(format!("{:.1}", 37.0 * 30.0 / 168.0)),
        },
        "rank-range" => {
            let sets = |cells: usize, size: u32| {
                (0_u128..1 << cells).filter(move |mask| mask.count_ones() == size)
            };
            let tried = (0..=14).all(|cells| {
                (0..=cells as u32).all(|size| {
                    sets(cells, size)
                        .zip(0_u128..)
                        .all(|(mask, number)| rank(mask, 0, 1) == number)
                })
            });
            exact(
                tried
                    && (1..=64).all(|n| {
                        (1..=n).all(|k| choose(n, k) == choose(n - 1, k) + choose(n - 1, k - 1))
                    }),
            )
        }
        "rank-convention" => {
            let tight = |from: usize, index: usize| {
                (1..=12_usize).all(|cells| {
                    (1..=cells as u32).all(|size| {
                        let mut ranks: Vec<u128> = (0_u128..1 << cells)
                            .filter(|mask| mask.count_ones() == size)
                            .map(|mask| rank(mask, from, index))
                            .collect();
                        ranks.sort_unstable();
                        ranks.into_iter().eq(0..choose(cells, size as usize))
                    })
                })
            };
            exact(tight(0, 1) && !tight(0, 0) && !tight(1, 0) && !tight(1, 1))
        }
        "piece-bits" => exact(20 + 16 + 13),
        "piece-ranks" => sampled(
            10_000,
            "that the rank of a board is the sum over three pieces",
            |draw| {
                let mut board = 0_u128;
                while board.count_ones() < 13 {
                    board |= 1 << draw.below(45);
                }
                let pieces = [(0, 20), (20, 16), (36, 9)].map(|(first, width)| {
                    let (below, piece) = (
                        board & ((1 << first) - 1),
                        board >> first & ((1 << width) - 1),
                    );
                    rank(piece << first, 0, below.count_ones() as usize + 1)
                });
                pieces.iter().sum::<u128>() == rank(board, 0, 1)
            },
        ),
        "tables-below" => exact(given("bits", "20").parse::<u64>().unwrap_or(0) + 1),
        "lookup-rows" | "lookup-join" => {
            let starts: Vec<usize> = given("starts", "0,2,4,6")
                .split(',')
                .filter_map(|start| start.parse().ok())
                .collect();
            // A row is counted in full where the rows beside it are in the piece, or off the board.
            let rows = |start: usize| {
                (start..(start + 4).min(9))
                    .filter(move |row| {
                        (*row == 0 || *row > start) && (*row == 8 || *row + 1 < start + 4)
                    })
                    .collect::<Vec<_>>()
            };
            let full: Vec<Vec<usize>> = starts.into_iter().map(rows).collect();
            match what {
                "lookup-join" => {
                    exact((0..9).all(|row| full.iter().any(|rows| rows.contains(&row))))
                }
                _ => exact(
                    full.iter()
                        .map(|rows| {
                            rows.iter()
                                .map(usize::to_string)
                                .collect::<Vec<_>>()
                                .join("/")
                        })
                        .collect::<Vec<_>>()
                        .join(" "),
                ),
            }
        }
        "path-back" => exact(leads_back()),
        "popcnt" => fastest(reading),
        _ => unknown("no derivation of this name is known here"),
    }
}

/// Whether from every position that six coins on 4x4 can reach from any start a reverse move (a coin
/// with two others beside it goes to any empty cell) leads one level back and none further.
fn leads_back() -> bool {
    let near: Vec<u16> = (0..16_u16)
        .map(|a| {
            let apart = |b: &u16| (a / 4).abs_diff(b / 4) + (a % 4).abs_diff(b % 4) == 1;
            (0..16).filter(apart).fold(0, |mask, b| mask | 1 << b)
        })
        .collect();
    // Positions after lifting one coin and putting it down, where the places fit.
    let steps = |state: u16, fits: &dyn Fn(usize, usize, u16) -> bool| -> Vec<u16> {
        let ways = (0..16).flat_map(|from| (0..16).map(move |to| (from, to)));
        let can = ways.filter(|&(from, to)| {
            let others = state & !(1 << from);
            state >> from & 1 == 1 && state >> to & 1 == 0 && fits(from, to, others)
        });
        can.map(|(from, to)| state & !(1 << from) | 1 << to)
            .collect()
    };
    let two = |cell: usize, others: u16| (near[cell] & others).count_ones() >= 2;
    let pairs: Vec<(Vec<u16>, Vec<u16>)> = (0..=u16::MAX)
        .map(|state| match state.count_ones() {
            6 => (
                steps(state, &|_, to, others| two(to, others)),
                steps(state, &|from, _, others| two(from, others)),
            ),
            _ => (vec![], vec![]),
        })
        .collect();
    let mut levels = vec![None; 1 << 16];
    let mut starts = (0..=u16::MAX).filter(|start| start.count_ones() == 6);
    starts.all(|start| {
        levels.fill(None);
        levels[usize::from(start)] = Some(0);
        let (mut queue, mut at) = (vec![start], 0);
        while let Some(&state) = queue.get(at) {
            at += 1;
            let level = levels[usize::from(state)].map(|level: u32| level + 1);
            for &next in &pairs[usize::from(state)].0 {
                if levels[usize::from(next)].is_none() {
                    levels[usize::from(next)] = level;
                    queue.push(next);
                }
            }
        }
        queue[1..].iter().all(|&state| {
            let back = pairs[usize::from(state)].1.iter();
            let least = back.filter_map(|&back| levels[usize::from(back)]).min();
            least.map(|least| least + 1) == levels[usize::from(state)]
        })
    })
}

/// Positions in which no coin has two others beside it, cell by cell: the last row and a half
/// decide what may follow.
fn sparse(coins: &Coins) -> u128 {
    let (width, cells) = (coins.width, coins.width * coins.height);
    let recent = (1_u128 << (2 * width)) - 1;
    let full: Vec<u128> = (0..cells)
        .map(|cell| coins.beside(cell).fold(0, |mask, near| mask | 1 << near))
        .collect();
    // By the last two rows and the number of coins.
    let mut ways: HashMap<(u128, u32), u128> = HashMap::from([((0, 0), 1)]);
    for cell in 0..cells + width {
        let mut next: HashMap<(u128, u32), u128> = HashMap::new();
        for ((last, count), ways) in ways {
            for coin in 0..=u128::from(cell < cells) {
                // Bit i is cell - i.
                let now = last << 1 | coin;
                // The cell above has all its neighbours now.
                let crowded = cell >= width && now >> width & 1 == 1 && {
                    let middle = cell - width;
                    let beside = (0..cells).filter(|near| full[middle] >> near & 1 == 1);
                    beside.filter(|&near| now >> (cell - near) & 1 == 1).count() >= 2
                };
                if !crowded && count + coin as u32 <= coins.coins {
                    *next.entry((now & recent, count + coin as u32)).or_default() += ways;
                }
            }
        }
        ways = next;
    }
    ways.iter()
        .filter(|((_, count), _)| *count == coins.coins)
        .map(|(_, ways)| ways)
        .sum()
}
