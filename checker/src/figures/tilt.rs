use std::collections::HashSet;

use super::{Derived, Draw, Parameters, bits, exact, sampled, unknown};
use crate::certificate::{Stop, ensure};
use crate::parts;
use crate::rules::tilt::{BOX, Board, HOLE, Tilt, image, pack, tilt, unpack};
use crate::rules::{Settings, board as named, choose, turn};

/// Boards with at most so many blocks of three colours, all of them and up to symmetry
/// (Burnside's lemma).
pub fn counted(most: [usize; 3]) -> (u128, u128) {
    let fixed = |index: usize| {
        let mut seen = [false; 25];
        seen[HOLE] = true;
        let mut ways = vec![0_u128; 25 * 25 * 25];
        let at = |a: usize, b: usize, c: usize| (a * 25 + b) * 25 + c;
        ways[0] = 1;
        for start in 0..25 {
            let (mut square, mut length) = (start, 0);
            while !seen[square] {
                seen[square] = true;
                length += 1;
                let (row, column) = turn(index, (5, 5), (square / 5, square % 5));
                square = 5 * row + column;
            }
            if length == 0 {
                continue;
            }
            // From many blocks to few, so that every cycle is filled once.
            for a in (0..=most[0]).rev() {
                for b in (0..=most[1]).rev() {
                    for c in (0..=most[2]).rev() {
                        let less = [
                            (a.checked_sub(length), Some(b), Some(c)),
                            (Some(a), b.checked_sub(length), Some(c)),
                            (Some(a), Some(b), c.checked_sub(length)),
                        ];
                        let more: u128 = less
                            .into_iter()
                            .filter_map(|(a, b, c)| Some(ways[at(a?, b?, c?)]))
                            .sum();
                        ways[at(a, b, c)] += more;
                    }
                }
            }
        }
        let all = (0..=most[0])
            .flat_map(|a| (0..=most[1]).flat_map(move |b| (0..=most[2]).map(move |c| (a, b, c))));
        all.map(|(a, b, c)| ways[at(a, b, c)]).sum::<u128>()
    };
    (fixed(0), (0..8).map(fixed).sum::<u128>() / 8)
}

/// A board of the box drawn at random; every number of blocks is as likely.
pub fn board(draw: &mut Draw) -> Board {
    let mut board = unpack(0);
    for (block, (_, most)) in [b'#', b'b', b'g'].into_iter().zip(BOX) {
        for _ in 0..draw.below(most + 1) {
            let square = draw.below(25);
            if board[square] == b'.' {
                board[square] = block;
            }
        }
    }
    board
}

fn boards(what: &str, holds: impl Fn(&Board) -> bool) -> Result<Derived, Stop> {
    sampled(10_000, what, |draw| holds(&board(draw)))
}

pub fn after(board: &Board) -> impl Iterator<Item = (usize, Board)> + '_ {
    (0..4).filter_map(|way| Some((way, tilt(board, way)?)))
}

/// A board of the box drawn so that each is as likely: its blocks are counted out by the number of
/// boards that hold as many.
fn uniform(draw: &mut Draw) -> Board {
    let ways = |(grey, blue, green): (usize, usize, usize)| {
        choose(24, grey) * choose(24 - grey, blue) * choose(24 - grey - blue, green)
    };
    let all = (0..=6).flat_map(|a| (0..=4).flat_map(move |b| (0..=2).map(move |c| (a, b, c))));
    let mut left = (u128::from(draw.word()) * counted([6, 4, 2]).0) >> 64;
    let mut counts = (0, 0, 0);
    for some in all {
        counts = some;
        if left < ways(some) {
            break;
        }
        left -= ways(some);
    }
    let mut board = unpack(0);
    for (block, count) in [(b'#', counts.0), (b'b', counts.1), (b'g', counts.2)] {
        for _ in 0..count {
            let free: Vec<usize> = (0..25).filter(|&square| board[square] == b'.').collect();
            board[free[draw.below(free.len())]] = block;
        }
    }
    board
}

/// The mean number of boards that searches forward take up, from boards drawn here; what was found
/// from others has to be within a factor of two.
fn forward_work(figure: &str, found: &str) -> Result<Derived, Stop> {
    const DRAWN: u64 = 2000;
    let taken_up = |index: u64| {
        let start = uniform(&mut Draw(u128::from(index) << 64));
        let (mut seen, mut queue, mut at) = (HashSet::from([start]), vec![start], 0);
        while let Some(board) = queue.get(at).copied() {
            at += 1;
            if !board.contains(&b'g') {
                break;
            }
            queue.extend(
                after(&board)
                    .map(|(_, next)| next)
                    .filter(|next| seen.insert(*next)),
            );
        }
        at as f64
    };
    let mean = (0..DRAWN).map(taken_up).sum::<f64>() / DRAWN as f64;
    let again = if figure == "for-each-board" {
        mean
    } else {
        mean / 100.0
    };
    let near = found
        .parse::<f64>()
        .is_ok_and(|found| found <= 2.0 * again && again <= 2.0 * found);
    ensure(
        near,
        format!("from {DRAWN} boards drawn here it is {again:.2}"),
    )?;
    exact(found).map(|derived| Derived {
        trusted: vec![format!(
            "the boards that it drew ({again:.2} from {DRAWN} drawn here)"
        )],
        ..derived
    })
}

pub fn derive(what: &str, parameters: &Parameters, found: &str) -> Result<Derived, Stop> {
    let given = |key: &str, usual: &str| parameters.get(key).map_or(usual.to_owned(), Clone::clone);
    let number = |key: &str, usual: &str| given(key, usual).parse::<f64>().unwrap_or(0.0);
    let (states, orbits) = counted([6, 4, 2]);
    match what {
        "configurations" => exact(states),
        "orbits" => exact(orbits),
        "grey-configurations" => exact(counted([6, 0, 0]).1),
        "final-states" => exact(counted([6, 4, 0]).1),
        "dropped-by-symmetry" => {
            let (states, orbits) = if given("boards", "box") == "any" {
                counted([24, 24, 24])
            } else {
                (states, orbits)
            };
            exact(format!("{:.9}", 1.0 - orbits as f64 / states as f64))
        }
        "pruned" => {
            let checked = match given("checked", "printed").as_str() {
                "orbits" => orbits as f64,
                _ => 12e9,
            };
            exact(format!("{:.6}", 1.0 - checked / states as f64))
        }
        "rate" => exact(format!(
            "{:.0}",
            number("checked", "12000000000") / (60.0 * number("minutes", "20"))
        )),
        "row-configurations" => {
            let count = |row: &u32, content: u32| {
                (0..5)
                    .filter(|cell| row >> (2 * cell) & 3 == content)
                    .count()
            };
            exact(
                (0..1024_u32)
                    .filter(|row| count(row, 1) <= 2 && count(row, 2) <= 4)
                    .count(),
            )
        }
        "keep" => boards("that one image of a board is kept", |board| {
            let images: std::collections::BTreeSet<u128> =
                (0..8).map(|i| pack(&image(board, i))).collect();
            let kept = images
                .iter()
                .filter(|&&state| (1..8).all(|i| pack(&image(&unpack(state), i)) >= state));
            kept.count() == 1
        }),
        "row-predecessors" => {
            // The ten rows printed are the ways to put a green block left of a blue one.
            let wanted: Vec<u32> = (0..5)
                .flat_map(|g| (g + 1..5).map(move |b| 1 << (8 - 2 * g) | 2 << (8 - 2 * b)))
                .collect();
            let mut found: Vec<u32> = (0..1024)
                .filter(|&row| bits::tilted(row, 0, 0) == Some(0b01_10_00_00_00))
                .collect();
            found.sort_unstable_by(|a, b| b.cmp(a));
            let listed = wanted.len() == 10 && wanted.iter().all(|row| found.contains(row));
            exact(listed && found.len() == 10)
        }
        "corner-predecessors" => exact(corner().0),
        "predecessor-counts" => {
            // A tilt leaves nothing that it would move, so this board comes of none.
            let mut none = unpack(0);
            none[6] = b'b';
            exact(
                after(&none).count() == 4
                    && after(&none).all(|(_, next)| next != none)
                    && corner().1 > 5,
            )
        }
        "invariants" => invariants(&given("property", "grey-fixed")),
        "search-trees" => exact(largest_tree()),
        "symmetric-parts" => exact(symmetric_parts()),
        "forward-work" => forward_work(&given("figure", "for-each-board"), found),
        "thesis-drawings" => exact(named("tilt", "thesis-a") == named("tilt", "thesis-b")),
        "printed" => bits::appendix(&given("function", "transpose")),
        _ => unknown("no derivation of this name is known here"),
    }
}

/// Squares from which a blue block may have come to the corner by a tilt to the right, with up
/// to two greens that fall meanwhile; and boards.
fn corner() -> (usize, usize) {
    let mut wanted = unpack(0);
    wanted[4] = b'b';
    let mut greens: Vec<Vec<usize>> = vec![vec![]];
    greens.extend(
        (0..25).flat_map(|a| (a..25).map(move |b| if a == b { vec![a] } else { vec![a, b] })),
    );
    let (mut squares, mut boards) = (0, 0);
    for blue in (0..25).filter(|&s| s != HOLE) {
        let free = |set: &&Vec<usize>| !set.contains(&blue) && !set.contains(&HOLE);
        let falls = |set: &&Vec<usize>| {
            let mut board = unpack(0);
            board[blue] = b'b';
            set.iter().for_each(|&s| board[s] = b'g');
            tilt(&board, 1) == Some(wanted)
        };
        let ways = greens.iter().filter(free).filter(falls).count();
        squares += usize::from(ways > 0);
        boards += ways;
    }
    (squares, boards)
}

fn invariants(property: &str) -> Result<Derived, Stop> {
    let count = |board: &Board, block: u8| board.iter().filter(|&&b| b == block).count();
    let what = format!("the property {property} of every move");
    boards(&what, |board| {
        after(board).all(|(way, next)| match property {
            "grey-fixed" => (0..25).all(|s| (board[s] == b'#') == (next[s] == b'#')),
            "blue-kept" => count(board, b'b') == count(&next, b'b'),
            "solved-no-green" => next.contains(&b'g') != (count(&next, b'g') == 0),
            _ => (0..5).all(|line| {
                let own = |s: usize| line == if way < 2 { s / 5 } else { s % 5 };
                let mut alone = unpack(0);
                (0..25)
                    .filter(|&s| own(s))
                    .for_each(|s| alone[s] = board[s]);
                tilt(&alone, way)
                    .is_some_and(|tilted| (0..25).filter(|&s| own(s)).all(|s| tilted[s] == next[s]))
            }),
        })
    })
}

/// Boards around grey squares that some symmetry keeps, one set of each orbit.
fn symmetric_parts() -> u128 {
    let box_of = Tilt::open("box", &Settings::new()).ok();
    let greys = box_of.map(|tilt| parts::all(&tilt)).unwrap_or_default();
    let is_kept = |grey: &u32| {
        let mut board = unpack(0);
        (0..25)
            .filter(|s| grey >> s & 1 == 1)
            .for_each(|s| board[s] = b'#');
        (1..8).any(|index| image(&board, index) == board)
    };
    let around = |grey: u32| {
        let free = 24 - grey.count_ones() as usize;
        let ways = |b: usize| (0..=2).map(move |g| choose(free, b) * choose(free - b, g));
        (0..=4).flat_map(ways).sum::<u128>()
    };
    greys.into_iter().filter(is_kept).map(around).sum()
}

/// Numbers of lines, or boards, by blues and greens.
type Counts = [[u64; 3]; 5];

/// One more than the most boards, for any grey squares and number of blues, that a tilt in some
/// direction leaves as they are: all boards within reach of another are such.
fn largest_tree() -> u64 {
    let box_of = Tilt::open("box", &Settings::new()).ok();
    // By whether the line crosses the hole, the way along it, and its grey cells.
    let mut settled = vec![[[Counts::default(); 32]; 2]; 2];
    for (hole, line) in [(0, 0), (1, 2)] {
        for content in 0..1024_u32 {
            let cells: Vec<u32> = (0..5).map(|i| content >> (8 - 2 * i) & 3).collect();
            let of = |c: u32| cells.iter().filter(|&&cell| cell == c).count();
            let grey = (0..5)
                .filter(|&i| cells[i] == 3)
                .fold(0, |mask, i| mask | 1 << i);
            for (way, settled) in settled[hole].iter_mut().enumerate() {
                if of(2) < 5
                    && of(1) < 3
                    && !(hole == 1 && cells[2] != 0)
                    && bits::tilted(content, line, way) == Some(content)
                {
                    settled[grey][of(2)][of(1)] += 1;
                }
            }
        }
    }
    let boards = |grey: u32, way: usize| {
        let mut product = Counts::default();
        product[0][0] = 1;
        for line in 0..5 {
            let square = |i: usize| if way < 2 { 5 * line + i } else { 5 * i + line };
            let cells = (0..5).fold(0, |mask, i| mask | (grey >> square(i) & 1) << i) as usize;
            let lines = &settled[usize::from(line == 2)][way % 2][cells];
            let before = std::mem::take(&mut product);
            for (b, g) in (0..5).flat_map(|b| (0..3).map(move |g| (b, g))) {
                for (i, j) in (0..=b).flat_map(|i| (0..=g).map(move |j| (i, j))) {
                    product[b][g] += before[i][j] * lines[b - i][g - j];
                }
            }
        }
        product
    };
    let most = |grey: u32| {
        (0..5)
            .map(|b| {
                (0..4)
                    .map(|way| boards(grey, way)[b].iter().sum::<u64>())
                    .sum::<u64>()
            })
            .max()
    };
    let greys = box_of.map(|tilt| parts::all(&tilt)).unwrap_or_default();
    1 + greys.into_iter().filter_map(most).max().unwrap_or(0)
}
