//! Definitions: sets of pieces, the solved state, moves.
//!
//! ```text
//! Name Tiny
//! Set CORNERS 3 2     # three pieces, each in one of two turns
//! Solved
//! CORNERS
//! 1 2 3               # equal numbers are pieces that look alike
//! End
//! Move A
//! CORNERS
//! 2 1 3               # the piece on place 2 comes to place 1, that on 1 to 2
//! 1 0 0               # the piece that leaves place 1 is turned by 1
//! End
//! ```

use std::collections::HashSet;

use crate::words::{Fault, Word};

/// Most moves that count as one, all powers included.
const MOST_STEPS: usize = 1 << 17;
/// Largest order of a move: the number of repetitions until everything is as before. As in
/// twsearch.
const MOST_ORDER: u64 = 999_999;
/// Most characters of a name.
const MOST_NAME: usize = 64;

/// Places that hold the same pieces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Set {
    /// Its name.
    pub name: String,
    /// Number of places, and of pieces.
    pub count: usize,
    /// The number of orientations of each; 1 if they cannot be turned.
    pub turns: usize,
}

/// The effect of a move on a set, or the arrangement of its pieces in a state: by place.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Part {
    /// In a move, the place (from 0) from which the piece comes; in a state, the piece.
    pub pieces: Vec<u8>,
    /// The turn added to the piece that reaches the place; in a state, its turn.
    pub turns: Vec<u8>,
}

/// A move by its name.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Move {
    /// A player's name for it.
    pub name: String,
    /// Its effect on each set.
    pub parts: Vec<Part>,
    /// By set and place: whether a block moves with the place although its piece stays and cannot
    /// be turned. Empty unless pieces are joined.
    pub marks: Vec<Vec<bool>>,
}

/// Pieces that may not be at a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Illegal {
    /// Set.
    pub set: usize,
    /// Place.
    pub place: usize,
    /// Pieces.
    pub pieces: Vec<u8>,
}

impl Illegal {
    /// Whether one of the pieces is at the place.
    pub(crate) fn forbids(&self, state: &[Part]) -> bool {
        self.pieces.contains(&state[self.set].pieces[self.place])
    }
}

/// A move that is written as others.
#[derive(Debug, Clone)]
pub(crate) struct Sequence<'a> {
    pub(crate) name: Word<'a>,
    pub(crate) own: String,
    pub(crate) written: String,
}

/// A puzzle.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Definition {
    /// Sets.
    pub sets: Vec<Set>,
    /// The solved state, a part for each set.
    pub solved: Vec<Part>,
    /// Other states that are solved too.
    pub also: Vec<Vec<Part>>,
    /// By set and piece: the number of turns after which it looks the same; 1 if its turn is
    /// invisible.
    pub periods: Vec<Vec<u8>>,
    /// Moves, once each as they are written.
    pub moves: Vec<Move>,
    /// Rotations of the whole puzzle: they are no moves, but texts of moves may have them.
    pub turnings: Vec<Move>,
    /// Other names of moves.
    pub aliases: Vec<(String, String)>,
    /// The forbidden places of pieces.
    pub illegal: Vec<Illegal>,
    /// Pieces that are joined, by block and set: a move takes all of a block or none.
    pub blocks: Vec<Vec<Vec<u8>>>,
}

impl Part {
    pub(crate) fn rest(set: &Set) -> Self {
        Self {
            pieces: (0..set.count).map(|piece| piece as u8).collect(),
            turns: vec![0; set.count],
        }
    }

    /// One move after another.
    pub fn then(&self, next: &Part, set: &Set) -> Part {
        let place = |to: usize| usize::from(next.pieces[to]);
        let turned = |to: usize| {
            let sum = usize::from(self.turns[place(to)]) + usize::from(next.turns[to]);
            (sum % set.turns) as u8
        };
        Part {
            pieces: (0..set.count).map(|to| self.pieces[place(to)]).collect(),
            turns: (0..set.count).map(turned).collect(),
        }
    }
}

/// Whether a name is that of a rotation of the whole puzzle, by the rule of twsearch. It is `x`,
/// `y` or `z`, alone or with `2` or `'`, or capitals and a final `v`.
pub fn is_rotation(name: &str) -> bool {
    let of_axis = |rest: &str| matches!(rest, "" | "2" | "'");
    let grip = name.strip_suffix('v').unwrap_or_default();
    name.strip_prefix(['x', 'y', 'z']).is_some_and(of_axis)
        || !grip.is_empty() && grip.chars().all(|c| c == '_' || c.is_ascii_uppercase())
}

/// A name as moves and sets have it.
pub(crate) fn name(word: Word<'_>, own: &str) -> Result<String, Fault> {
    let plain = |symbol: char| symbol.is_alphanumeric() || "_'+-*.~".contains(symbol);
    if own.is_empty() || own.chars().count() > MOST_NAME || !own.chars().all(plain) {
        let shown = puzzle_api::shown(own);
        return Err(word.fault(format!(
            "'{shown}' is no name: use up to {MOST_NAME} letters, digits, _ and '"
        )));
    }
    Ok(own.to_owned())
}

impl Definition {
    /// Adds a move, or a rotation of the whole puzzle.
    pub(crate) fn add(&mut self, at: Word<'_>, one: Move) -> Result<(), Fault> {
        if self.known(&one.name).is_some() {
            let shown = puzzle_api::shown(&one.name);
            return Err(at.fault(format!("there is a move '{shown}' already")));
        }
        if self.order(&one.parts).is_none() {
            return Err(at.fault(format!(
                "made {MOST_ORDER} times, the move does not lead back: its order is too large"
            )));
        }
        match is_rotation(&one.name) {
            true => self.turnings.push(one),
            false => self.moves.push(one),
        }
        Ok(())
    }

    /// The move or rotation with a name.
    pub(crate) fn known(&self, name: &str) -> Option<&Move> {
        let mut all = self.moves.iter().chain(&self.turnings);
        all.find(|one| one.name == name)
    }

    /// The move that changes nothing.
    pub(crate) fn rest(&self) -> Move {
        let marks = match self.blocks.is_empty() {
            true => Vec::new(),
            false => self.sets.iter().map(|set| vec![false; set.count]).collect(),
        };
        Move {
            name: String::new(),
            parts: self.sets.iter().map(Part::rest).collect(),
            marks,
        }
    }

    /// One move after another, as a move without a name.
    pub(crate) fn then(&self, one: &Move, next: &Move) -> Move {
        let marks = one.marks.iter().zip(&next.marks).zip(&next.parts);
        let marks = marks.map(|((own, added), part)| {
            let places = part.pieces.iter().zip(added);
            let marked = |(&from, &added): (&u8, &bool)| own[usize::from(from)] || added;
            places.map(marked).collect()
        });
        Move {
            name: String::new(),
            marks: marks.collect(),
            parts: self.compose(&one.parts, &next.parts),
        }
    }

    /// One move after another.
    pub fn compose(&self, one: &[Part], next: &[Part]) -> Vec<Part> {
        let each = one.iter().zip(next).zip(&self.sets);
        each.map(|((own, by), set)| own.then(by, set)).collect()
    }

    /// A state after a move.
    pub fn after(&self, state: &[Part], parts: &[Part]) -> Vec<Part> {
        let mut after = self.compose(state, parts);
        for (part, periods) in after.iter_mut().zip(&self.periods) {
            for (piece, turn) in part.pieces.iter().zip(&mut part.turns) {
                *turn %= periods[usize::from(*piece)];
            }
        }
        after
    }

    /// Whether no piece is at a forbidden place.
    pub fn is_legal(&self, state: &[Part]) -> bool {
        !self.illegal.iter().any(|one| one.forbids(state))
    }

    /// Whether a move takes all of each block or none of it.
    pub fn is_free(&self, state: &[Part], one: &Move) -> bool {
        let is_moved = |set: usize, piece: u8| {
            let (part, own) = (&one.parts[set], &state[set]);
            let mut places = 0..own.pieces.len();
            places.any(|place| {
                own.pieces[place] == piece
                    && (usize::from(part.pieces[place]) != place
                        || part.turns[place] != 0
                        || one.marks[set][place])
            })
        };
        self.blocks.iter().all(|block| {
            let pieces = block.iter().enumerate();
            let mut moved =
                pieces.flat_map(|(set, own)| own.iter().map(move |&piece| is_moved(set, piece)));
            let first = moved.next();
            moved.all(|one| Some(one) == first)
        })
    }

    /// The solved states: the written ones, and with `turned` also their images under rotations of
    /// the whole puzzle.
    pub fn goals(&self, turned: bool) -> Vec<Vec<Part>> {
        let mut goals = vec![self.solved.clone()];
        for also in &self.also {
            if !goals.contains(also) {
                goals.push(also.clone());
            }
        }
        let mut at = 0;
        while turned && at < goals.len() {
            for turning in &self.turnings {
                let next = self.after(&goals[at], &turning.parts);
                if !goals.contains(&next) {
                    goals.push(next);
                }
            }
            at += 1;
        }
        goals
    }

    /// The number of repetitions of a move until everything is as before; `None` if it is too
    /// large.
    pub(crate) fn order(&self, parts: &[Part]) -> Option<u64> {
        let mut order = 1_u64;
        for (part, set) in parts.iter().zip(&self.sets) {
            let mut seen = vec![false; set.count];
            for start in 0..set.count {
                let (mut at, mut length, mut sum) = (start, 0, 0);
                while !std::mem::replace(&mut seen[at], true) {
                    (length, sum) = (length + 1, sum + usize::from(part.turns[at]));
                    at = usize::from(part.pieces[at]);
                }
                if length > 0 {
                    let own = (length * (set.turns / gcd(set.turns, sum))) as u64;
                    order = order / gcd(order as usize, own as usize) as u64 * own;
                    (order <= MOST_ORDER).then_some(())?;
                }
            }
        }
        Some(order)
    }

    /// A move repeated n times; backward for a negative n.
    pub(crate) fn power(&self, one: &Move, times: i64) -> Move {
        let order = self.order(&one.parts).unwrap_or(1) as i64;
        let mut left = times.rem_euclid(order.max(1));
        let (mut made, mut square) = (self.rest(), one.clone());
        // Repeating it by its order is no move, but marks stay.
        while left > 0 {
            if left % 2 == 1 {
                made = self.then(&made, &square);
            }
            (left, square) = (left / 2, self.then(&square, &square));
        }
        made
    }

    /// The moves that count as one: every power of each in the half-turn metric, else those
    /// forward and back. Powers are named as twsearch names them.
    ///
    /// # Errors
    /// More than can be searched, and two of one name, with the remedy.
    pub fn steps(&self, half: bool) -> Result<Vec<Move>, String> {
        let (mut steps, mut met) = (Vec::new(), HashSet::new());
        for one in &self.moves {
            let order = self.order(&one.parts).unwrap_or(1).max(2);
            let mut made = one.clone();
            let last = if half { order - 1 } else { 1 };
            for power in 1..=last {
                if power > 1 {
                    made = self.then(&made, one);
                }
                made.name = power_name(&one.name, power, order);
                if met.insert((made.parts.clone(), made.marks.clone())) {
                    steps.push(made.clone());
                }
                if steps.len() > MOST_STEPS {
                    return Err(format!(
                        "the powers of all moves are more than {MOST_STEPS}: use --set \
                         metric=quarter"
                    ));
                }
            }
            if !half && order > 2 {
                made = self.power(one, -1);
                made.name = power_name(&one.name, order - 1, order);
                if met.insert((made.parts.clone(), made.marks.clone())) {
                    steps.push(made);
                }
            }
        }
        let mut names = HashSet::new();
        if let Some(twice) = steps.iter().find(|one| !names.insert(&one.name)) {
            let name = puzzle_api::shown(&twice.name);
            return Err(format!(
                "two different moves are written '{name}', one of them a power of another: give \
                 it another name"
            ));
        }
        Ok(steps)
    }
}

/// A power of a move by its name: `R`, `R2`, `R'`; `(F2)2` if the name itself ends like this.
fn power_name(name: &str, power: u64, order: u64) -> String {
    if power == 1 {
        return name.to_owned();
    }
    let plain = !name.ends_with(|c: char| c.is_ascii_digit() || c == '\'');
    let name = if plain {
        name.to_owned()
    } else {
        format!("({name})")
    };
    match order - power {
        1 => format!("{name}'"),
        back if back < power => format!("{name}{back}'"),
        _ => format!("{name}{power}"),
    }
}

pub(crate) fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}
