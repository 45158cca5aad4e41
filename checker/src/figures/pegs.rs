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
                return exact(if figure == "legal" { "false" } else { "" });
            };
            state = after;
            jumps += 1;
        }
    }
    let last = pegs.point(state.trailing_zeros() as usize);
    match figure {
        "jumps" => exact(jumps),
        "pegs" => exact(state.count_ones()),
        "moves" => exact(printed.split(' ').count()),
        "legal" => exact(true),
        _ => exact(if state.count_ones() == 1 {
            format!("{}:{}", last.0, last.1)
        } else {
            format!("{} pegs", state.count_ones())
        }),
    }
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
