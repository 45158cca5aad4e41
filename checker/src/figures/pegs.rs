use std::collections::BTreeSet;

use super::{Derived, Draw, Parameters, exact, sampled, unknown};
use crate::certificate::Stop;
use crate::rules::pegs::{Pegs, WAYS};
use crate::rules::{Rules, Settings, board};

pub fn derive(what: &str, parameters: &Parameters) -> Result<Derived, Stop> {
    let given =
        |key: &str, usual: &'static str| parameters.get(key).map_or(usual, |text| text.as_str());
    let settings: Settings = ["from", "to"]
        .into_iter()
        .filter_map(|key| Some((key.to_owned(), parameters.get(key)?.clone())))
        .collect();
    let pegs = Pegs::open(given("board", "diamond-41"), &settings)?;
    let figure = given("figure", "");
    match what {
        "holes" | "key-bits" => exact(pegs.holes.len()),
        "symmetries" => exact(pegs.symmetries.len()),
        // A jump takes a peg over one beside it, so without neighbours there is none.
        "game-over" if figure == "if" => exact(pegs.jumps.iter().all(|jump| {
            WAYS.iter()
                .any(|&way| pegs.beside(jump[0], way) == Some(jump[1]))
        })),
        "game-over" => exact(!(0..1000).any(|game| stuck(&pegs, &mut Draw(game << 64)))),
        "solution" => solution(given("name", "thill"), figure),
        "layout" => layout(&pegs, figure),
        "move-formula" => sampled(
            10_000,
            "that the printed formula finds the jumps of a position",
            |draw| formula(&pegs, u128::from(draw.word()) & pegs.full()),
        ),
        "bit-count" => sampled(
            10_000,
            "that the printed loop counts the bits of a word",
            |draw| {
                let word = draw.word();
                let (mut left, mut count) = (word, 0);
                while left != 0 {
                    left &= left - 1;
                    count += 1;
                }
                count == (0..64).filter(|bit| word >> bit & 1 == 1).count()
            },
        ),
        // Each step can be undone: x ^ x >> n, and a factor that is odd.
        "hash" => exact(
            [0xbf58_476d_1ce4_e5b9_u64, 0x94d0_49bb_1331_11eb]
                .iter()
                .any(|factor| factor % 2 == 0),
        ),
        "two-boards" => exact(two_boards()?),
        "search" => exact(tried(&pegs, parameters)),
        "table-index" if figure == "shared" => exact(pegs.holes.len() > 31),
        "table-index" => sampled(10_000, "that the printed index is the remainder", |draw| {
            let hash = draw.word();
            (0..=31_u32).all(|bits| {
                let index = hash as i32 & ((1_u64 << bits) - 1) as i32;
                i64::from(index) as u64 == hash % (1 << bits)
            })
        }),
        _ => unknown("no derivation of this name is known here"),
    }
}

/// Whether a board and its quarter turn, each mirrored in both ways or not, are all images.
fn two_boards() -> Result<bool, Stop> {
    let any = Settings::from([("to".to_owned(), "any".to_owned())]);
    let pegs = Pegs::open("diamond-41", &any)?;
    let signs = [(1, 1), (-1, 1), (1, -1), (-1, -1)];
    let image = |turned: bool, (right, up): (i32, i32)| -> Option<Vec<usize>> {
        let to = |hole| {
            let (x, y) = pegs.point(hole);
            let (x, y) = if turned { (y, -x) } else { (x, y) };
            pegs.hole(&format!("{}:{}", right * x, up * y)).ok()
        };
        (0..pegs.holes.len()).map(to).collect()
    };
    let all = [false, true]
        .into_iter()
        .flat_map(|turned| signs.map(|sign| image(turned, sign)));
    let all: Option<BTreeSet<Vec<usize>>> = all.collect();
    let symmetries: BTreeSet<Vec<usize>> = pegs.symmetries.iter().cloned().collect();
    Ok(symmetries.len() == 8 && all == Some(symmetries))
}

/// A depth-first search with the article's methods on or off.
struct Tries<'a> {
    pegs: &'a Pegs,
    ordered: bool,
    /// The holes that each hole goes to, where images share an entry.
    images: Vec<Vec<usize>>,
    /// Positions tried in vain, each overwritten by the next of its index.
    table: Option<Vec<u128>>,
    enough: u32,
    left: u64,
}

impl Tries<'_> {
    /// How far a position looks from being solved: squares of twice the distances from the middle,
    /// 16 more for a peg without a neighbour, 4 less for each jump.
    fn order(&self, state: u128) -> i64 {
        let peg = |hole: &usize| state >> hole & 1 == 1;
        let cost = |hole: usize| {
            let (row, column) = self.pegs.holes[hole];
            let away = |at: usize, size: usize| (2 * at as i64 - (size as i64 - 1)).pow(2);
            let beside = WAYS
                .iter()
                .any(|&way| self.pegs.beside(hole, way).is_some_and(|h| peg(&h)));
            away(row, self.pegs.size.0)
                + away(column, self.pegs.size.1)
                + if beside { 0 } else { 16 }
        };
        let mut next = Vec::new();
        self.pegs.next(state, &mut next);
        (0..self.pegs.holes.len())
            .filter(peg)
            .map(cost)
            .sum::<i64>()
            - 4 * next.len() as i64
    }

    /// Positions after the jumps: triples of holes in a row by how far apart they are numbered, in
    /// the order in which the board's jumps show these, then by their first hole.
    fn after(&self, state: u128) -> Vec<u128> {
        let ahead = self.pegs.jumps.iter().filter(|jump| jump[0] < jump[2]);
        let mut groups: Vec<(usize, usize)> = Vec::new();
        let mut triples: Vec<(usize, [usize; 3])> = Vec::new();
        for &[a, b, c] in ahead {
            let apart = (b - a, c - a);
            let group = groups
                .iter()
                .position(|other| *other == apart)
                .unwrap_or(groups.len());
            if group == groups.len() {
                groups.push(apart);
            }
            triples.push((group, [a, b, c]));
        }
        triples.sort_unstable();
        let jumps = triples
            .into_iter()
            .flat_map(|(_, [a, b, c])| [[a, b, c], [c, b, a]]);
        jumps
            .filter_map(|jump| self.pegs.jumped(state, jump))
            .collect()
    }

    /// Whether a position leads to few enough pegs; none where too many were tried.
    fn solves(&mut self, state: u128) -> Option<bool> {
        let images = self
            .images
            .iter()
            .map(|to| crate::rules::coins::moved(state, to));
        let key = images.min().unwrap_or(state);
        // The printed hash and index.
        let mut hash = key as u64;
        hash = (hash ^ hash >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        hash = (hash ^ hash >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        let slot = ((hash ^ hash >> 31) & 0xF_FFFF) as usize;
        if self.table.as_ref().is_some_and(|table| table[slot] == key) {
            return Some(false);
        }
        self.left = self.left.checked_sub(1)?;
        let mut next = self.after(state);
        if next.is_empty() && state.count_ones() <= self.enough {
            return Some(true);
        }
        if self.ordered {
            next.sort_by_cached_key(|&after| self.order(after));
        }
        for after in next {
            if self.solves(after)? {
                return Some(true);
            }
        }
        if let Some(table) = &mut self.table {
            table[slot] = key;
        }
        Some(false)
    }
}

/// Positions tried until a solution.
fn tried(pegs: &Pegs, parameters: &Parameters) -> String {
    let on = |key: &str| parameters.get(key).is_none_or(|text| text == "on");
    let number = |key: &str, usual| {
        parameters
            .get(key)
            .map_or(Some(usual), |text| text.parse().ok())
    };
    let most: u64 = number("most", 300_000).unwrap_or(0);
    let mut tries = Tries {
        pegs,
        ordered: on("order"),
        images: if on("symmetry") { pegs.turns() } else { vec![] },
        table: on("table").then(|| vec![0; 1 << 20]),
        enough: number("pegs", 1).unwrap_or(0) as u32,
        left: most,
    };
    let found = tries.solves(pegs.start().unwrap_or(0));
    let tried = most - tries.left;
    match found {
        Some(true) => tried.to_string(),
        Some(false) => format!("{tried}, no solution"),
        None => format!("more than {most}"),
    }
}

/// Whether a game played at random ends with two pegs side by side.
fn stuck(pegs: &Pegs, draw: &mut Draw) -> bool {
    let (mut state, mut next) = (pegs.start().unwrap_or(0), Vec::new());
    loop {
        next.clear();
        pegs.next(state, &mut next);
        if next.is_empty() {
            let peg = |hole: usize| state >> hole & 1 == 1;
            return (0..pegs.holes.len()).any(|hole| {
                peg(hole)
                    && WAYS
                        .iter()
                        .any(|&way| pegs.beside(hole, way).is_some_and(peg))
            });
        }
        state = next[draw.below(next.len())];
    }
}

/// A printed solution, played.
fn solution(name: &str, figure: &str) -> Result<Derived, Stop> {
    let text = board("solution", name)
        .and_then(|text| text.split_once(' '))
        .ok_or("no such solution".to_owned())?;
    let (instance, printed) = (
        if name == "bergholt" {
            "english-33"
        } else {
            "diamond-41"
        },
        text.1,
    );
    let pegs = Pegs::open(
        instance,
        &Settings::from([("from".to_owned(), text.0.to_owned())]),
    )?;
    let (mut state, mut jumps) = (pegs.start().unwrap_or(0), 0);
    let mut game = vec![pegs.draw(state)];
    for one in printed.split(' ') {
        let stops: Vec<usize> = one
            .split(',')
            .map(|point| pegs.hole(point))
            .collect::<Result<_, _>>()?;
        for pair in stops.windows(2) {
            let mut next = Vec::new();
            pegs.next(state, &mut next);
            let after = next.into_iter().find(|after| {
                state >> pair[0] & 1 == 1
                    && after >> pair[0] & 1 == 0
                    && state >> pair[1] & 1 == 0
                    && after >> pair[1] & 1 == 1
            });
            let Some(after) = after else {
                let value = if figure == "legal" { "false" } else { "" };
                return played(exact(value), game);
            };
            state = after;
            jumps += 1;
            game.push(pegs.draw(state));
        }
    }
    let last = pegs.point(state.trailing_zeros() as usize);
    let value = match figure {
        "jumps" => exact(jumps),
        "pegs" => exact(state.count_ones()),
        "moves" => exact(printed.split(' ').count()),
        "legal" => exact(true),
        _ => exact(if state.count_ones() == 1 {
            format!("{}:{}", last.0, last.1)
        } else {
            format!("{} pegs", state.count_ones())
        }),
    };
    played(value, game)
}

/// A figure of a game, with its boards.
fn played(value: Result<Derived, Stop>, game: Vec<String>) -> Result<Derived, Stop> {
    value.map(|value| Derived { game, ..value })
}

/// The published layout: a step right rotates a word by 10, a step up by 1.
const STEPS: [i32; 4] = [10, 1, -10, -1];

fn bit(centre: i32, (x, y): (i32, i32)) -> i32 {
    (centre + 10 * x + y).rem_euclid(64)
}

fn layout(pegs: &Pegs, figure: &str) -> Result<Derived, Stop> {
    let holes = 0..pegs.holes.len();
    let mut places: BTreeSet<(i32, (i32, i32))> = BTreeSet::new();
    for hole in holes.clone() {
        for ((down, right), way) in WAYS.into_iter().zip(0..) {
            let (x, y) = pegs.point(hole);
            let place = (x + right, y - down);
            if pegs.beside(hole, WAYS[way]).is_none() {
                places.insert((bit(0, place), place));
            }
        }
    }
    let bits: BTreeSet<i32> = places.iter().map(|place| place.0).collect();
    let wrong = |steps: usize| {
        (0..64).any(|centre| {
            let at = |bit: i32| {
                holes
                    .clone()
                    .find(|&hole| self::bit(centre, pegs.point(hole)) == bit.rem_euclid(64))
            };
            holes.clone().any(|hole| {
                WAYS.into_iter().zip(STEPS).any(|(way, by)| {
                    let from = bit(centre, pegs.point(hole));
                    let (one, two) = (at(from + by), at(from + 2 * by));
                    let over = pegs.beside(hole, way);
                    let to = over.and_then(|over| pegs.beside(over, way));
                    match steps {
                        1 => one.is_some() && one != over,
                        _ => {
                            one.is_some() && two.is_some() && (one, two) != (over, to)
                                || to.is_some() && (one, two) != (over, to)
                        }
                    }
                })
            })
        })
    };
    match figure {
        "jumps" => exact(!wrong(2)),
        "boundary" => exact(!wrong(1)),
        "shared" => exact(
            bits.iter()
                .filter(|&&bit| places.iter().filter(|place| place.0 == bit).count() > 1)
                .count(),
        ),
        _ => exact(bits.len()),
    }
}

/// Whether the formula of rotations and masks gives the positions after every jump.
fn formula(pegs: &Pegs, state: u128) -> bool {
    let at = |hole: usize| bit(0, pegs.point(hole)) as u32;
    let word = |state: u128| {
        (0..pegs.holes.len())
            .filter(|hole| state >> hole & 1 == 1)
            .fold(0_u64, |word, hole| word | 1 << at(hole))
    };
    let (board, own) = (word(pegs.full()), word(state));
    let mut found = Vec::new();
    for way in STEPS.map(|by| by.rem_euclid(64) as u32) {
        let over = own.rotate_left(way) & board & own;
        let mut landings = over.rotate_left(way) & board & !own;
        while landings != 0 {
            let landing = (landings.wrapping_sub(1) ^ landings) & landings;
            found.push(
                (own | landing) & !landing.rotate_right(way) & !landing.rotate_right(2 * way % 64),
            );
            landings &= !landing;
        }
    }
    let mut next = Vec::new();
    pegs.next(state, &mut next);
    let mut right: Vec<u64> = next.into_iter().map(word).collect();
    found.sort_unstable();
    right.sort_unstable();
    found == right
}
