//! Rulebooks: each puzzle's rules once, literally, for whoever wants to read what is checked.

pub mod blocks;
pub mod coins;
pub mod hanoi;
pub mod lights;
pub mod pancakes;
pub mod pegs;
pub mod rush;
pub mod tiles;
pub mod tilt;

use std::collections::BTreeMap;

/// Settings of an instance.
pub type Settings = BTreeMap<String, String>;

/// The rules of an instance. A state is packed into a word; how is each rulebook's own.
pub trait Rules: Send + Sync {
    /// Reads a state: rows joined by `/`, or a name.
    ///
    /// # Errors
    /// Text that is no state of the instance.
    fn read(&self, text: &str) -> Result<u128, String>;
    /// Rows joined by `/`.
    fn draw(&self, state: u128) -> String;
    /// Adds the states after every move.
    fn next(&self, state: u128, out: &mut Vec<u128>);
    /// Whether nothing is left to do.
    fn solved(&self, state: u128) -> bool;
    /// Where the game starts.
    fn start(&self) -> Option<u128>;
    /// Images under the symmetries that keep what is solved; the state itself is the first.
    fn images(&self, state: u128) -> Vec<u128>;
    /// What a player calls a move.
    fn name(&self, from: u128, to: u128) -> Option<String>;
    /// Adds the states before every move; false where the rulebook does not go back.
    fn before(&self, _state: u128, _out: &mut Vec<u128>) -> bool {
        false
    }
    /// The solved states, where they can be listed.
    fn solved_states(&self) -> Vec<u128> {
        Vec::new()
    }
    /// The key that a digest is made of.
    fn key(&self, state: u128) -> u128 {
        state
    }
    /// Of the images of a state, the one of least order is canonical.
    fn order(&self, state: u128) -> u128 {
        self.key(state)
    }
    /// Moves that a solution has at least, where the rulebook knows.
    fn at_least(&self, _state: u128) -> Option<u32> {
        None
    }
    /// The bucket of Dogon's locality hash.
    fn bucket(&self, _state: u128) -> u128 {
        0
    }
    /// The image that stands for all.
    fn canonical(&self, state: u128) -> u128 {
        let images = self.images(state);
        images
            .into_iter()
            .min_by_key(|&image| self.order(image))
            .unwrap_or(state)
    }
    /// Number of different images.
    fn orbit(&self, state: u128) -> u128 {
        let mut images = self.images(state);
        images.sort_unstable();
        images.dedup();
        images.len() as u128
    }
}

/// Names and drawings of boards, as published; data of the claims' subjects, not rules.
const BOARDS: &str = include_str!("../../data/boards.txt");

/// The lines `PUZZLE NAME TEXT` of a puzzle: names with their texts, in order.
pub fn boards(puzzle: &str) -> impl Iterator<Item = (&'static str, &'static str)> + '_ {
    let fields = |line: &'static str| {
        line.split_once(' ')
            .and_then(|(head, rest)| Some((head, rest.split_once(' ')?)))
    };
    BOARDS
        .lines()
        .filter_map(fields)
        .filter(move |(head, _)| *head == puzzle)
        .map(|(_, named)| named)
}

/// The text of a board with a name.
#[must_use]
pub fn board(puzzle: &str, name: &str) -> Option<&'static str> {
    boards(puzzle)
        .find(|(known, _)| *known == name)
        .map(|(_, text)| text)
}

/// Opens an instance.
///
/// # Errors
/// A puzzle or an instance that is unknown here.
pub fn open(puzzle: &str, instance: &str, settings: &Settings) -> Result<Box<dyn Rules>, String> {
    Ok(match puzzle {
        "tilt" => Box::new(tilt::Tilt::open(instance, settings)?),
        "coin-sliding" => Box::new(coins::Coins::open(instance, settings)?),
        "peg-solitaire" => Box::new(pegs::Pegs::open(instance, settings)?),
        "sliding-block" => Box::new(blocks::Blocks::open(instance, settings)?),
        "rush-hour" => Box::new(rush::Rush::open(instance, settings)?),
        "sliding-tile" => Box::new(tiles::Tiles::open(instance, settings)?),
        "pancake" => Box::new(pancakes::Pancakes::open(instance, settings)?),
        "hanoi" => Box::new(hanoi::Hanoi::open(instance, settings)?),
        "lights-out" => Box::new(lights::Lights::open(instance, settings)?),
        _ => return Err(format!("the rules of {puzzle} are unknown here")),
    })
}

/// The eight ways to turn and mirror a rectangle: bit 0 mirrors left and right, bit 1 top and
/// bottom, bit 2 then swaps rows and columns.
#[must_use]
pub fn turn(
    index: usize,
    (rows, columns): (usize, usize),
    (row, column): (usize, usize),
) -> (usize, usize) {
    let column = if index & 1 == 0 {
        column
    } else {
        columns - 1 - column
    };
    let row = if index & 2 == 0 { row } else { rows - 1 - row };
    if index & 4 == 0 {
        (row, column)
    } else {
        (column, row)
    }
}

/// `n` over `k`.
#[must_use]
pub fn choose(n: usize, k: usize) -> u128 {
    if k > n {
        return 0;
    }
    (0..k.min(n - k)).fold(1_u128, |ways, i| ways * (n - i) as u128 / (i + 1) as u128)
}
