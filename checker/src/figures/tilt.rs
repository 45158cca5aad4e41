use std::collections::BTreeSet;

use super::rows::{appendix, drawn, held, tilted};
use super::{Derived, Parameters, bounded, exact, sampled, tried_whole, unnamed};
use crate::parts::{self, around, counted};
use crate::rules::board::{has, members, reached, set, subsets};
use crate::rules::keys::choose;
use crate::rules::tilt::{Board, GRID, HOLE, Tilt, count, pack, tilt, tilts, unpack};
use crate::rules::{Rules, board as named};
use crate::shown::Stop;
use crate::verdict::decimal;

fn boards(what: &str, holds: impl Fn(&Board) -> bool) -> Result<Derived, Stop> {
    sampled(10_000, what, |draw| holds(&drawn(draw)))
}

/// The numbers that `certify` draws: by xorshift from a seed, mixed twice with the index.
struct Theirs(u64);

impl Theirs {
    fn new(seed: u64, index: u64) -> Self {
        const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
        let mixed = |x: u64| super::pegs::hash(x.wrapping_add(STEP));
        Self(mixed(mixed(seed ^ index.wrapping_mul(STEP))) | 1)
    }

    fn below(&mut self, bound: u64) -> u64 {
        loop {
            self.0 ^= self.0 >> 12;
            self.0 ^= self.0 << 25;
            self.0 ^= self.0 >> 27;
            let word = self.0.wrapping_mul(0x2545_f491_4f6c_dd1d);
            if word < u64::MAX - u64::MAX % bound {
                return word % bound;
            }
        }
    }
}

/// A board of the box, drawn uniformly: the counts of its blocks are drawn first, weighted by the
/// number of boards with these counts.
fn uniform(draw: &mut Theirs, all: u64) -> Board {
    let ways = |[grey, blue, green]: [usize; 3]| {
        (choose(24, grey) * choose(24 - grey, blue) * choose(24 - grey - blue, green)) as u64
    };
    let counts = (0..=6).flat_map(|a| (0..=4).flat_map(move |b| (0..=2).map(move |c| [a, b, c])));
    let mut left = draw.below(all);
    let mut chosen = [0; 3];
    for counts in counts {
        chosen = counts;
        if left < ways(counts) {
            break;
        }
        left -= ways(counts);
    }
    let mut board = unpack(0);
    let mut free: Vec<usize> = GRID.cells().filter(|&s| s != HOLE).collect();
    for (&block, count) in b"#bg".iter().zip(chosen) {
        for _ in 0..count {
            let at = draw.below(free.len() as u64) as usize;
            board[free.swap_remove(at)] = block;
        }
    }
    board
}

/// The mean number of boards that forward searches visit from the boards that `certify` draws, and
/// an interval around that of all boards. No search is larger than the largest.
fn forward_work(parameters: &Parameters) -> Result<Derived, Stop> {
    const LARGEST: f64 = 86_103.0;
    let (seed, count): (u64, u64) = (
        parameters.number("seed", 1),
        parameters.number("count", 1000),
    );
    let (all, _) = counted([6, 4, 2]);
    let taken_up = |index: u64| {
        let start = pack(&uniform(&mut Theirs::new(seed, index), all as u64));
        let mut count = 0;
        for (state, _) in reached([start], |&state| Tilt::BOX.next(state)) {
            count += 1;
            if Tilt::BOX.solved(state) {
                break;
            }
        }
        count
    };
    let (mut sum, mut squares) = (0_u64, 0_u128);
    for work in (0..count).map(taken_up) {
        sum += work;
        squares += u128::from(work).pow(2);
    }
    let (n, sum, log) = (count as f64, sum as f64, (4.0 / 0.05_f64).ln());
    let mean = sum / n;
    let variance = (squares as f64 - sum * mean) / (n - 1.0);
    let off = (2.0 * variance * log / n).sqrt() + 7.0 * (LARGEST - 1.0) * log / (3.0 * (n - 1.0));
    let figured = |mean: f64| match parameters.text("figure", "for-each-board") {
        "for-each-board" => decimal(mean),
        _ => decimal(100.0 * mean / 10_000.0),
    };
    let ends = [(mean - off).max(1.0), (mean + off).min(LARGEST)].map(figured);
    exact(figured(mean)).map(|derived| Derived {
        interval: Some(ends),
        ..derived
    })
}

pub fn derive(what: &str, parameters: &Parameters) -> Result<Derived, Stop> {
    let (states, orbits) = counted([6, 4, 2]);
    match what {
        "configurations" => exact(states),
        "orbits" => exact(orbits),
        "grey-configurations" => exact(counted([6, 0, 0]).1),
        "final-states" => exact(counted([6, 4, 0]).1),
        "dropped-by-symmetry" => {
            let (states, orbits) = match parameters.text("boards", "box") {
                "any" => counted([24, 24, 24]),
                _ => (states, orbits),
            };
            exact(decimal(1.0 - orbits as f64 / states as f64))
        }
        "pruned" => {
            let checked = match parameters.text("checked", "printed") {
                "orbits" => orbits as f64,
                _ => 12e9,
            };
            exact(decimal(1.0 - checked / states as f64))
        }
        "row-configurations" => {
            let fits = |row: &u32| held(*row, 5, b'g') <= 2 && held(*row, 5, b'b') <= 4;
            exact((0..1024).filter(fits).count())
        }
        "keep" => tried_whole(boards("that one image of a board is kept", |board| {
            let images = |state| Tilt::BOX.images(state).into_iter();
            let different: BTreeSet<u128> = images(pack(board)).collect();
            let kept = |state: &&u128| images(**state).all(|image| image >= **state);
            different.iter().filter(kept).count() == 1
        })),
        "row-predecessors" => {
            // The ten printed rows are the ways to put a green block to the left of a blue one.
            let right = |g: usize| (g + 1..5).map(move |b| 1 << (8 - 2 * g) | 2 << (8 - 2 * b));
            let printed: BTreeSet<u32> = (0..5).flat_map(right).collect();
            let before = |row: &u32| tilted(*row, 0, 0) == Some(0b01_10_00_00_00);
            let found: BTreeSet<u32> = (0..1024).filter(before).collect();
            exact(printed.len() == 10 && found == printed)
        }
        "corner-predecessors" => exact(corner().0),
        "predecessor-counts" => {
            // After a tilt, the same tilt moves nothing, so no tilt ends in this board.
            let mut none = unpack(0);
            none[6] = b'b';
            let moves = tilts(&none).all(|(_, next)| next != none);
            exact(tilts(&none).count() == 4 && moves && corner().1 > 5)
        }
        "invariants" => invariants(parameters.text("property", "grey-fixed")),
        "search-trees" => bounded(largest_tree(), "above"),
        "forward-work" => forward_work(parameters),
        "thesis-drawings" => exact(named("tilt", "thesis-a") == named("tilt", "thesis-b")),
        "printed" => appendix(parameters.text("function", "transpose")),
        _ => unnamed(),
    }
}

/// The number of squares from which a tilt to the right can bring a blue block to the corner while
/// up to two greens fall, and the number of boards.
fn corner() -> (usize, usize) {
    let mut wanted = unpack(0);
    wanted[4] = b'b';
    let ways = members(around()).map(|blue| {
        let free = around() & !(1 << blue);
        let greens = (0..=2).flat_map(|count| subsets(free, count));
        let board = |green: u128| unpack((1 << blue) << 25 | green);
        let falls = greens.filter(|&green| tilt(&board(green), 1) == Some(wanted));
        falls.count()
    });
    let ways: Vec<usize> = ways.filter(|&ways| ways > 0).collect();
    (ways.len(), ways.iter().sum())
}

fn invariants(property: &str) -> Result<Derived, Stop> {
    let what = format!("the property {property} of every move");
    boards(&what, |board| {
        let mut moves = tilts(board);
        moves.all(|(way, next)| match property {
            "grey-fixed" => GRID
                .cells()
                .all(|s| (board[s] == b'#') == (next[s] == b'#')),
            "blue-kept" => count(board, b'b') == count(&next, b'b'),
            _ => (0..5).all(|line| {
                let of = |square: usize| match GRID.place(square) {
                    (row, _) if way < 2 => row,
                    (_, column) => column,
                };
                let own = || GRID.cells().filter(|&square| of(square) == line);
                let mut alone = unpack(0);
                own().for_each(|square| alone[square] = board[square]);
                let same = |tilted: Board| own().all(|square| tilted[square] == next[square]);
                tilt(&alone, way).is_some_and(same)
            }),
        })
    })
}

/// Numbers of lines, or boards, by blues and greens.
type Counts = [[u64; 3]; 5];

/// One more than the greatest number of boards, for any grey squares and number of blues, that some
/// tilt leaves unchanged. Every board reached from another is unchanged by some tilt.
fn largest_tree() -> u64 {
    // Indices: whether the line crosses the hole, the direction, its grey cells.
    let mut settled = vec![[[Counts::default(); 32]; 2]; 2];
    for (hole, line) in [(0, 0), (1, 2)] {
        for content in 0..1024_u32 {
            let grey: usize = (0..5)
                .filter(|i| content >> (8 - 2 * i) & 3 == 3)
                .map(|i| 1 << i)
                .sum();
            let (blues, greens) = (held(content, 5, b'b'), held(content, 5, b'g'));
            for (way, settled) in settled[hole].iter_mut().enumerate() {
                if blues < 5 && greens < 3 && tilted(content, line, way) == Some(content) {
                    settled[grey][blues][greens] += 1;
                }
            }
        }
    }
    let boards = |grey: u128, way: usize| {
        let mut product = Counts::default();
        product[0][0] = 1;
        for line in 0..5 {
            let square = |i| GRID.cell(if way < 2 { (line, i) } else { (i, line) });
            let cells = set((0..5).filter(|&i| has(grey, square(i)))) as usize;
            let lines = &settled[usize::from(line == 2)][way % 2][cells];
            let before = std::mem::take(&mut product);
            for (b, g) in (0..5).flat_map(|b| (0..3).map(move |g| (b, g))) {
                for (i, j) in (0..=b).flat_map(|i| (0..=g).map(move |j| (i, j))) {
                    product[b][g] += before[i][j] * lines[b - i][g - j];
                }
            }
        }
        product.map(|by_greens| by_greens.iter().sum::<u64>())
    };
    let most = |grey: u128| {
        let ways = [0, 1, 2, 3].map(|way| boards(grey, way));
        (0..5).map(|b| ways.iter().map(|way| way[b]).sum()).max()
    };
    let greys = parts::all(&Tilt::BOX).into_iter();
    1 + greys.filter_map(most).max().unwrap_or(0)
}
