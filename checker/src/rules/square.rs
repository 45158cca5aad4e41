//! Shapes of Square-1: two layers of twelve wedges. An edge has one wedge and a corner has two. A
//! twist exchanges the halves of both layers on one side of the cut, which no corner may cross.
//! Layers turn freely before or after it. Solved: a cube, corners and edges in turn.
//!
//! State: two bits a wedge, of the upper layer first: 2 and 0 are the halves of a corner, 1 is an
//! edge. Key: the places where corners begin, and those of their other halves among the rest, each
//! as the number of a combination.

use std::collections::BTreeSet;

use super::keys::{choose, digit, digits, pack};
use super::{Rules, Settings, chosen};

pub const NAME: &str = "square-1-shapes";

const WEDGES: usize = 24;
/// A corner that begins here crosses the cut.
const LAST: [usize; 4] = [2, 8, 13, 19];

pub struct Square;

fn turns() -> impl Iterator<Item = (usize, usize)> {
    (0..12).flat_map(|upper| (0..12).map(move |lower| (upper, lower)))
}

fn moved(state: u128, from: impl Fn(usize) -> usize) -> u128 {
    pack(2, (0..WEDGES).map(|place| digit(2, state, from(place))))
}

fn turned(state: u128, (upper, lower): (usize, usize)) -> u128 {
    moved(state, |place| match place < 12 {
        true => (place + 12 - upper) % 12,
        false => 12 + (place - lower) % 12,
    })
}

/// Exchanges the halves that begin at the third place and at the fourteenth.
fn twisted(state: u128) -> u128 {
    moved(state, |place| match place {
        3..9 => place + 11,
        14..20 => place - 11,
        _ => place,
    })
}

fn is_legal(state: u128) -> bool {
    LAST.iter().all(|&place| digit(2, state, place) != 2)
}

impl Square {
    /// The rules, in which a move is a twist.
    pub fn open(settings: &Settings) -> Option<Self> {
        chosen(
            NAME,
            settings,
            [("metric", "quarter"), ("symmetry", "on off")],
        )
        .map(|_| Self)
    }

    fn moves(state: u128) -> impl Iterator<Item = (u128, String)> {
        let moves = turns().flat_map(move |(upper, lower)| {
            let name = match upper + lower {
                0 => "S".to_owned(),
                _ => format!("S_{upper}_{lower}"),
            };
            let back = ((12 - upper) % 12, (12 - lower) % 12);
            let backward = format!("({name})'");
            let forward = turned(twisted(state), (upper, lower));
            [(forward, name), (twisted(turned(state, back)), backward)]
        });
        moves.filter(|one| is_legal(one.0))
    }
}

impl Rules for Square {
    fn read(&self, text: &str) -> Option<u128> {
        if text == "solved" {
            return self.solved_states().first().copied();
        }
        let wedges = text.chars().map(|symbol| "123".find(symbol));
        let wedges: Vec<usize> = wedges.collect::<Option<_>>()?;
        let count = |piece| wedges.iter().filter(|&&one| one == piece).count();
        let all = (0..3).all(|piece| count(piece) == 8);
        all.then(|| pack(2, wedges))
    }
    fn draw(&self, state: u128) -> String {
        let wedges = digits(2, state, WEDGES);
        wedges.map(|piece| &"123"[piece..=piece]).collect()
    }
    fn next(&self, state: u128) -> Vec<u128> {
        let mut next: Vec<u128> = Self::moves(state).map(|one| one.0).collect();
        next.sort_unstable();
        next.dedup();
        next
    }
    fn solved_states(&self) -> Vec<u128> {
        let written = pack(2, [2, 0, 1].into_iter().cycle().take(WEDGES));
        let mut all: Vec<u128> = turns().map(|by| turned(written, by)).collect();
        all.retain(|&state| is_legal(state));
        let mut known = BTreeSet::new();
        all.retain(|&state| known.insert(state));
        all
    }
    fn key(&self, state: u128) -> u128 {
        let (mut key, mut left) = (0, Vec::from_iter(0..WEDGES));
        for piece in [2, 0, 1] {
            let (mut rank, mut met, mut seen) = (0, 0, 0);
            left.retain(|place| {
                let may = piece != 2 || !LAST.contains(place);
                let lies = may && digit(2, state, *place) == piece;
                if lies {
                    met += 1;
                    rank += choose(seen, met);
                }
                seen += usize::from(may);
                !lies
            });
            key = key * choose(seen, 8) + rank;
        }
        key
    }
    fn name(&self, from: u128, to: u128) -> Option<String> {
        let names = Self::moves(from).filter(|one| one.0 == to);
        Some(names.map(|one| one.1 + "\n").collect()).filter(|names: &String| !names.is_empty())
    }
}
