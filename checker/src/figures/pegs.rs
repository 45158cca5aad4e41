use std::collections::BTreeSet;

use super::{Derived, Draw, Parameters, bounded, exact, on_some, sampled, tried_whole, unnamed};
use crate::rules::board::{Way, has, image, members};
use crate::rules::pegs::{Pegs, WAYS};
use crate::rules::{Rules, Settings, UNKNOWN, board};
use crate::shown::{OrWrong, Stop};
use crate::verdict::decimal;

pub fn derive(what: &str, parameters: &Parameters) -> Result<Derived, Stop> {
    let settings = parameters.settings(&["from", "to"]);
    let pegs = Pegs::open(parameters.text("board", "diamond-41"), &settings).ok_or(UNKNOWN)?;
    let figure = parameters.text("figure", "");
    let printed = ["right", "up", "board"].map(|key| parameters.text(key, ""));
    let as_printed = match what {
        "layout" => printed[..2] == ["10", "1"],
        "two-boards" | "table-index" | "bit-count" | "search-gain" => printed[2] == "diamond-41",
        _ => true,
    };
    as_printed.or_unknown("another layout than the published one")?;
    let in_rows = !pegs.triangle || !["layout", "move-formula", "undo"].contains(&what);
    in_rows.or_wrong("the layout has rows and columns, and the board has other lines")?;
    match what {
        // A jump takes a peg over a neighbouring one, so without neighbours there is none.
        "game-over" if figure == "if" => {
            let mut jumps = pegs.jumps.iter();
            exact(jumps.all(|&[from, over, _]| near(&pegs, from).any(|hole| hole == over)))
        }
        "game-over" => on_some(exact(
            !(0..1000).any(|game| stuck(&pegs, &mut Draw::new(game))),
        )),
        "solution" => solution(parameters.text("name", "thill"), figure),
        "layout" => layout(&pegs, figure),
        "move-formula" => sampled(
            10_000,
            "that the printed formula finds the jumps of a position",
            |draw| formula(&pegs, u128::from(draw.word()) & pegs.full()),
        ),
        "bit-count" => tried_whole(sampled(
            10_000,
            "that the printed loop counts the bits of a word",
            |draw| {
                let word = draw.word();
                let (mut left, mut count) = (word, 0);
                while left != 0 {
                    left &= left - 1;
                    count += 1;
                }
                count == members(word.into()).count()
            },
        )),
        // Each step can be undone: x ^ x >> n, and a factor that is odd.
        "hash" => exact(FACTORS.iter().any(|factor| factor % 2 == 0)),
        "two-boards" => exact(two_boards()?),
        "search-gain" => gain(&pegs, parameters),
        "undo" => exact(pegs.jumps.iter().all(|jump| undone(&pegs, *jump))),
        "table-index" if figure == "shared" => exact(pegs.holes.len() > 31),
        "table-index" => sampled(10_000, "that the printed index is the remainder", |draw| {
            let hash = draw.word();
            (0..=31_u32).all(|bits| {
                let index = hash as i32 & ((1_u64 << bits) - 1) as i32;
                i64::from(index) as u64 == hash % (1 << bits)
            })
        }),
        _ => unnamed(),
    }
}

/// Whether a board and its quarter turn, each mirrored in both ways or not, give all images.
fn two_boards() -> Result<bool, Stop> {
    let any = Settings::from([("to".to_owned(), "any".to_owned())]);
    let pegs = Pegs::open("diamond-41", &any).ok_or(UNKNOWN)?;
    let image = |turned: bool, (right, up): (i32, i32)| -> Option<Vec<usize>> {
        let to = |hole| {
            let (x, y) = pegs.point(hole);
            let (x, y) = if turned { (y, -x) } else { (x, y) };
            pegs.hole(&format!("{}:{}", right * x, up * y))
        };
        (0..pegs.holes.len()).map(to).collect()
    };
    let signs = [(1, 1), (-1, 1), (1, -1), (-1, -1)];
    let both = [false, true].into_iter();
    let all = both.flat_map(|turned| signs.map(|sign| image(turned, sign)));
    let all: Option<BTreeSet<Vec<usize>>> = all.collect();
    let symmetries: BTreeSet<Vec<usize>> = pegs.symmetries.iter().cloned().collect();
    Ok(symmetries.len() == 8 && all == Some(symmetries))
}

const FACTORS: [u64; 2] = [0xbf58_476d_1ce4_e5b9, 0x94d0_49bb_1331_11eb];

/// The printed hash.
pub(super) fn hash(key: u64) -> u64 {
    let hash = (key ^ key >> 30).wrapping_mul(FACTORS[0]);
    let hash = (hash ^ hash >> 27).wrapping_mul(FACTORS[1]);
    hash ^ hash >> 31
}

fn near(pegs: &Pegs, hole: usize) -> impl Iterator<Item = usize> {
    let ways = pegs.ways().iter();
    ways.filter_map(move |&way| pegs.beside(hole, way))
}

fn has_company(pegs: &Pegs, state: u128, hole: usize) -> bool {
    near(pegs, hole).any(|hole| has(state, hole))
}

/// A depth-first search with the article's methods on or off.
struct Tries<'a> {
    pegs: &'a Pegs,
    jumps: Vec<[usize; 3]>,
    ordered: bool,
    /// The images of each hole, if images share an entry.
    images: Vec<Vec<usize>>,
    /// Positions tried in vain, each overwritten by the next of its index.
    table: Option<Vec<u128>>,
    hash: fn(u64) -> u64,
    enough: u32,
    left: u64,
}

/// All jumps, as triples of holes in a row. They are ordered by the difference of their numbers, as
/// the board's jumps first show it, then by their first hole.
fn ordered(pegs: &Pegs) -> Vec<[usize; 3]> {
    let ahead = pegs.jumps.iter().filter(|jump| jump[0] < jump[2]);
    let apart = |[a, b, c]: [usize; 3]| (b - a, c - a);
    let mut triples: Vec<[usize; 3]> = ahead.copied().collect();
    let groups: Vec<(usize, usize)> = triples.iter().map(|&triple| apart(triple)).collect();
    let group = |triple| groups.iter().position(|&other| other == apart(triple));
    triples.sort_unstable_by_key(|&triple| (group(triple), triple));
    let both = |[a, b, c]: [usize; 3]| [[a, b, c], [c, b, a]];
    triples.into_iter().flat_map(both).collect()
}

impl Tries<'_> {
    /// Estimates how far a position is from being solved. Sums the squares of twice the distances
    /// from the middle; a peg without a neighbour adds 16, each jump subtracts 4.
    fn order(&self, state: u128) -> i64 {
        let away = |at: usize, size: usize| (2 * at as i64 - (size as i64 - 1)).pow(2);
        let cost = |hole: usize| {
            let ((row, column), grid) = (self.pegs.holes[hole], self.pegs.grid);
            let alone = 16 * i64::from(!has_company(self.pegs, state, hole));
            away(row, grid.rows) + away(column, grid.columns) + alone
        };
        members(state).map(cost).sum::<i64>() - 4 * self.pegs.next(state).len() as i64
    }

    /// Whether a position leads to few enough pegs; `None` if too many were tried.
    fn solves(&mut self, state: u128) -> Option<bool> {
        let images = self.images.iter().map(|to| image(state, to));
        let key = images.min().unwrap_or(state);
        let slot = ((self.hash)(key as u64) & 0xF_FFFF) as usize;
        if self.table.as_ref().is_some_and(|table| table[slot] == key) {
            return Some(false);
        }
        self.left = self.left.checked_sub(1)?;
        let jumps = self.jumps.iter();
        let next = jumps.filter_map(|&jump| self.pegs.jumped(state, jump));
        let mut next: Vec<u128> = next.collect();
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

/// Ratio of the positions tried until a solution without a method to those with all; a lower bound
/// if the search without it was cut.
fn gain(pegs: &Pegs, parameters: &Parameters) -> Result<Derived, Stop> {
    let most: u64 = parameters.number("most", 300_000);
    let method = parameters.text("method", "order");
    let tried = |off: &str| {
        let early = off.is_empty() && method == "five-left";
        let turns = if off == "symmetry" {
            vec![]
        } else {
            pegs.turns()
        };
        let mut tries = Tries {
            pegs,
            jumps: ordered(pegs),
            ordered: off != "order",
            images: turns,
            table: (off != "table").then(|| vec![0; 1 << 20]),
            hash: if off == "zobrist" { zobrist } else { hash },
            enough: if early { 5 } else { 1 },
            left: most,
        };
        let found = tries.solves(pegs.start().unwrap_or(0));
        // The position beyond the limit was tried too.
        let cut = u64::from(found.is_none());
        (found, (most - tries.left + cut) as f64)
    };
    let ((found, with), (other, without)) = (tried(""), tried(method));
    let value = decimal(without / with);
    match (found, other) {
        (Some(true), Some(true)) => exact(value),
        (Some(true), None) => bounded(value, "below"),
        // Not both searches end with a solution.
        _ => exact(""),
    }
}

fn zobrist(key: u64) -> u64 {
    members(key.into()).fold(0, |all, hole| all ^ hash(1 << hole))
}

/// Whether the bits of a jump, set and cleared in reverse, are those before it.
fn undone(pegs: &Pegs, jump: [usize; 3]) -> bool {
    let [from, over, to] = jump.map(|hole| 1_u128 << hole);
    [0, pegs.full() & !(from | over | to)].iter().all(|others| {
        let before = others | from | over;
        pegs.jumped(before, jump)
            .is_some_and(|after| (after & !to | from | over) == before)
    })
}

/// Whether a game played at random ends with two pegs side by side.
fn stuck(pegs: &Pegs, draw: &mut Draw) -> bool {
    let mut state = pegs.start().unwrap_or(0);
    loop {
        let next = pegs.next(state);
        if next.is_empty() {
            return members(state).any(|hole| has_company(pegs, state, hole));
        }
        state = next[draw.below(next.len())];
    }
}

fn solution(name: &str, figure: &str) -> Result<Derived, Stop> {
    let text = board("solution", name).and_then(|text| text.split_once(' '));
    let (from, printed) = text.ok_or("no such solution".to_owned())?;
    let instance = match name {
        "bergholt" => "english-33",
        _ => "diamond-41",
    };
    let from = Settings::from([("from".to_owned(), from.to_owned())]);
    let pegs = Pegs::open(instance, &from).ok_or(UNKNOWN)?;
    let mut state = pegs.start().unwrap_or(0);
    let mut game = vec![pegs.draw(state)];
    for stops in printed.split(' ') {
        let stops = stops.split(',').map(|point| pegs.hole(point));
        let stops: Vec<usize> = stops.collect::<Option<_>>().ok_or("a hole is none")?;
        for hop in stops.windows(2) {
            let mut jumps = pegs.jumps.iter();
            let jump = jumps.find(|jump| [jump[0], jump[2]] == hop);
            let Some(after) = jump.and_then(|&jump| pegs.jumped(state, jump)) else {
                return played("", game);
            };
            state = after;
            game.push(pegs.draw(state));
        }
    }
    let value = match (figure, state.count_ones()) {
        ("jumps", _) => (game.len() - 1).to_string(),
        ("moves", _) => printed.split(' ').count().to_string(),
        (_, 1) => {
            let (x, y) = pegs.point(state.trailing_zeros() as usize);
            format!("{x}:{y}")
        }
        (_, pegs) => format!("{pegs} pegs"),
    };
    played(value, game)
}

/// A figure of a game, with its boards.
fn played(value: impl ToString, game: Vec<String>) -> Result<Derived, Stop> {
    exact(value).map(|value| Derived { game, ..value })
}

/// The published layout: a step right rotates a word by 10, a step up by 1.
const STEPS: [i32; 4] = [10, 1, -10, -1];

/// The bit of a point where the middle has another.
fn bit(centre: i32, (x, y): (i32, i32)) -> i32 {
    (centre + 10 * x + y).rem_euclid(64)
}

fn layout(pegs: &Pegs, figure: &str) -> Result<Derived, Stop> {
    let holes = || 0..pegs.holes.len();
    // Places outside the board by their bits.
    let mut beyond: BTreeSet<(i32, (i32, i32))> = BTreeSet::new();
    for (hole, (down, right)) in holes().flat_map(|hole| WAYS.map(|way| (hole, way))) {
        let (x, y) = pegs.point(hole);
        let place = (x + right, y - down);
        if pegs.beside(hole, (down, right)).is_none() {
            beyond.insert((bit(0, place), place));
        }
    }
    let bits: BTreeSet<i32> = beyond.iter().map(|place| place.0).collect();
    // Whether n steps ever lead to a hole that is not n steps away.
    let wrong = |steps: usize, centre: i32, hole: usize, (way, by): (Way, i32)| {
        let at = |bit: i32| holes().find(|&hole| self::bit(centre, pegs.point(hole)) == bit);
        let from = bit(centre, pegs.point(hole));
        let led = [by, 2 * by].map(|by| at((from + by).rem_euclid(64)));
        let right = pegs.ahead(hole, way);
        match (steps, led) {
            (1, [one, _]) => one.is_some() && one != right.0,
            (_, [Some(_), Some(_)]) => <(_, _)>::from(led) != right,
            _ => right.1.is_some(),
        }
    };
    let never_wrong = |steps: usize| {
        let ways = || WAYS.into_iter().zip(STEPS);
        let mut all = (0..64).flat_map(|centre| holes().map(move |hole| (centre, hole)));
        all.all(|(centre, hole)| !ways().any(|way| wrong(steps, centre, hole, way)))
    };
    match figure {
        "jumps" => exact(never_wrong(2)),
        "boundary" => exact(never_wrong(1)),
        _ => exact(bits.len()),
    }
}

/// Whether the formula of rotations and masks gives the positions after every jump.
fn formula(pegs: &Pegs, state: u128) -> bool {
    let at = |hole: usize| bit(0, pegs.point(hole));
    let word = |state| members(state).fold(0_u64, |word, hole| word | 1 << at(hole));
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
    let mut right: Vec<u64> = pegs.next(state).into_iter().map(word).collect();
    found.sort_unstable();
    right.sort_unstable();
    found == right
}
