//! Rulebooks: each puzzle's rules once, literally, to be read.

pub mod blocks;
pub mod board;
pub mod coins;
pub mod hanoi;
pub mod keys;
pub mod lights;
pub mod pancakes;
pub mod pegs;
pub mod permutation;
pub mod rush;
pub mod simple;
pub mod square;
pub mod tiles;
pub mod tilt;
pub mod unit;

use std::collections::BTreeMap;

use crate::shown::Stop;

/// Most states that are listed or searched for one certificate.
pub const MOST: usize = 50_000_000;

/// Settings of an instance.
pub type Settings = BTreeMap<String, String>;

/// A start, and a goal if one is given.
pub type Ends = (u128, Option<u128>);

/// The rules of an instance. A state is packed into a word, in each rulebook's own way.
pub trait Rules: Send + Sync {
    /// Reads a state: rows joined by `/`, or a name; `None` if it is not a state of the instance.
    fn read(&self, text: &str) -> Option<u128>;
    /// Rows joined by `/`.
    fn draw(&self, state: u128) -> String;
    /// The states after every move.
    fn next(&self, state: u128) -> Vec<u128>;
    /// Whether a state is solved. This, or [`solved_states`](Self::solved_states), is given.
    fn solved(&self, state: u128) -> bool {
        self.solved_states().contains(&state)
    }
    /// A player's name of a move; one a line if several moves lead there.
    fn name(&self, from: u128, to: u128) -> Option<String>;
    /// Where the game starts.
    fn start(&self) -> Option<u128> {
        None
    }
    /// Images under the symmetries that keep the solved states; the state itself is first.
    fn images(&self, state: u128) -> Vec<u128> {
        vec![state]
    }
    /// The states before every move, if the rulebook runs backward; as after every move, if each can
    /// be undone.
    fn before(&self, state: u128) -> Option<Vec<u128>> {
        Some(self.next(state))
    }
    /// Every state, if they can be listed.
    fn states(&self) -> Option<Vec<u128>> {
        None
    }
    /// Passes on every state; false if they cannot be listed.
    fn each_state(&self, take: &mut dyn FnMut(u128)) -> bool {
        let states = self.states();
        let listed = states.is_some();
        states.into_iter().flatten().for_each(take);
        listed
    }
    /// The number of states, if the rulebook knows it without listing them.
    fn count(&self) -> Option<u128> {
        None
    }
    /// The number of parts that a search back from the solved states counts; `None` if it cannot be
    /// known here.
    fn parts(&self) -> Option<u64> {
        Some(1)
    }
    /// The solved states, if they can be listed.
    fn solved_states(&self) -> Vec<u128> {
        let mut solved = Vec::new();
        self.each_state(&mut |state| solved.extend(self.solved(state).then_some(state)));
        solved
    }
    /// The key that goes into a digest.
    fn key(&self, state: u128) -> u128 {
        state
    }
    /// The image of a state with the least order is canonical.
    fn order(&self, state: u128) -> u128 {
        self.key(state)
    }
    /// The least number of moves of a solution, if the rulebook knows it.
    fn at_least(&self, _state: u128) -> Option<u32> {
        None
    }
    /// Whether all paths between two states are equally long.
    fn is_layered(&self) -> bool {
        false
    }
    /// The bucket of Dogon's locality hash, of sliding blocks alone.
    fn bucket(&self, _state: u128) -> Option<u128> {
        None
    }
    /// Checks a proof that no path leads from a start to a goal, or to a solved state.
    fn proves(&self, _ends: Ends, _proof: &str) -> Result<(), Stop> {
        Err(Stop::Unknown("a proof that is unknown here".into()))
    }
    /// Reads a state, ignoring blanks around it, or says why it cannot.
    fn state(&self, text: &str) -> Result<u128, String> {
        let none = || format!("{text:?} is no state of this instance");
        let trimmed = || self.read(text.trim());
        self.read(text).or_else(trimmed).ok_or_else(none)
    }
    /// The representative of a state's orbit.
    fn canonical(&self, state: u128) -> u128 {
        let images = self.images(state).into_iter();
        let least = images.min_by_key(|&image| self.order(image));
        least.unwrap_or(state)
    }
    /// Number of different images.
    fn orbit(&self, state: u128) -> u128 {
        let mut images = self.images(state);
        images.sort_unstable();
        images.dedup();
        images.len() as u128
    }
    /// Whether it is its own image under all symmetries.
    fn is_symmetric(&self, state: u128) -> bool {
        self.orbit(state) == 1
    }
    /// Whether a state is the goal, or solved if no goal is given.
    fn ends(&self, state: u128, goal: Option<u128>) -> bool {
        goal.map_or_else(|| self.solved(state), |goal| state == goal)
    }
}

/// Names and drawings of boards, as published; data of the claims' subjects, not rules.
const BOARDS: &str = include_str!("../../data/boards.txt");

/// The lines `PUZZLE NAME TEXT` of a puzzle: names with their texts, in order.
pub fn boards(puzzle: &str) -> impl Iterator<Item = (&'static str, &'static str)> + '_ {
    let own = BOARDS.lines().filter_map(move |line| {
        let (head, rest) = line.split_once(' ')?;
        (head == puzzle).then(|| rest.split_once(' '))
    });
    own.flatten()
}

/// The text of a board with a name.
pub fn board(puzzle: &str, name: &str) -> Option<&'static str> {
    let mut known = boards(puzzle);
    known.find(|(other, _)| *other == name).map(|one| one.1)
}

/// Why an instance does not open.
pub const UNKNOWN: &str = "the instance or a setting of it is unknown here";

/// The puzzles whose rules are here.
pub const PUZZLES: &str = "tilt coin-sliding peg-solitaire sliding-block rush-hour \
    unit-rush-hour simple-block sliding-tile large-tile pancake hanoi lights-out permutation";

/// Whether a puzzle's rules are here.
pub fn is_known(puzzle: &str) -> bool {
    PUZZLES.split(' ').any(|own| own == puzzle)
}

/// The place of each key's value among the words that it can have (`*` any), the first without it.
/// `None` if there is another key or value; `custom` alone has a board.
pub fn chosen<const N: usize>(
    instance: &str,
    settings: &Settings,
    keys: [(&str, &str); N],
) -> Option<[usize; N]> {
    let own = |key: &String| keys.iter().any(|one| one.0 == key);
    let known = |key: &String| own(key) || key == "board" && instance == "custom";
    settings.keys().all(known).then_some(())?;
    let place = |(key, words): (&str, &str)| {
        let value = settings.get(key).map_or(Some(0), |value| {
            let mut words = words.split_whitespace();
            words.position(|word| word == value || word == "*")
        });
        value.unwrap_or(usize::MAX)
    };
    Some(keys.map(place)).filter(|places| !places.contains(&usize::MAX))
}

/// Settings that are as without them.
const USUAL: [(&str, &str, &str); 5] = [
    ("lights-out", "states", "2"),
    ("lights-out", "torus", "false"),
    ("tilt", "grey", "0..6"),
    ("tilt", "blue", "0..4"),
    ("tilt", "green", "0..2"),
];

/// Whether there may be an instance of a name: that of a known puzzle opens without settings, unless
/// it has a board of its own or is a census that is unknown here.
pub fn may_be(puzzle: &str, instance: &str) -> bool {
    let census = puzzle == "rush-hour" && ["4x4", "5x5", "6x6"].contains(&instance);
    let opens = || open(puzzle, instance, &Settings::new()).is_some();
    !is_known(puzzle) || instance == "custom" || census || opens()
}

/// Opens an instance; `None` if it or a setting is unknown here.
pub fn open(puzzle: &str, instance: &str, settings: &Settings) -> Option<Box<dyn Rules>> {
    let trimmed = settings.iter().map(|(key, value)| (&**key, value.trim()));
    let own = trimmed.filter(|&(key, value)| !USUAL.contains(&(puzzle, key, value)));
    let settings = &own
        .map(|(key, value)| (key.to_owned(), value.to_owned()))
        .collect();
    Some(match puzzle {
        "tilt" => Box::new(tilt::Tilt::open(instance, settings)?),
        "coin-sliding" => Box::new(coins::Coins::open(instance, settings)?),
        "peg-solitaire" => Box::new(pegs::Pegs::open(instance, settings)?),
        "sliding-block" => Box::new(blocks::Blocks::open(instance, settings)?),
        "rush-hour" => Box::new(rush::Rush::open(instance, settings)?),
        "unit-rush-hour" => Box::new(unit::Unit::open(instance, settings)?),
        "simple-block" => Box::new(simple::Simple::open(instance, settings)?),
        "sliding-tile" => Box::new(tiles::Tiles::open(instance, settings, false)?),
        "large-tile" => Box::new(tiles::Tiles::open(instance, settings, true)?),
        "pancake" => Box::new(pancakes::Pancakes::open(instance, settings)?),
        "permutation" if instance == square::NAME => Box::new(square::Square::open(settings)?),
        "permutation" => Box::new(permutation::Permutation::open(instance, settings)?),
        "hanoi" => Box::new(hanoi::Hanoi::open(instance, settings)?),
        "lights-out" => Box::new(lights::Lights::open(instance, settings)?),
        _ => return None,
    })
}
