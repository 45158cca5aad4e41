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
//! 2 1 3               # the piece on place 2 comes to place 1
//! 1 1 0               # and is turned by 1; without this line by 0
//! End
//! ```

use crate::read::{Fault, Word, control, lines};

/// Most pieces of all sets: a symbol each within a set.
const MOST_PIECES: usize = 35;
/// Most turns of a piece.
const MOST_TURNS: usize = 10;
/// Most sets, and most moves.
const MOST_SETS: usize = 16;
/// See [`MOST_SETS`].
const MOST_MOVES: usize = 64;
/// Largest order of a move: how often it is made until all is as before.
const MOST_ORDER: usize = 24;

/// Places that take the same pieces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Set {
    /// Its name.
    pub name: String,
    /// Number of places, and of pieces.
    pub count: usize,
    /// In how many turns each can be; 1 where they cannot be turned.
    pub turns: usize,
}

/// What a move does to a set, or where its pieces lie in a state: by place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// In a move, the place (from 0) that the piece comes from; in a state, the piece.
    pub pieces: Vec<u8>,
    /// By how much it is turned.
    pub turns: Vec<u8>,
}

/// A move by its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Move {
    /// What players call it.
    pub name: String,
    /// What it does to each set.
    pub parts: Vec<Part>,
}

/// A puzzle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Definition {
    /// Sets.
    pub sets: Vec<Set>,
    /// The solved state, a part for each set.
    pub solved: Vec<Part>,
    /// Moves, once each as they are written.
    pub moves: Vec<Move>,
}

impl Part {
    pub(crate) fn rest(set: &Set) -> Self {
        Self {
            pieces: (0..set.count as u8).collect(),
            turns: vec![0; set.count],
        }
    }

    /// What one part becomes by a move's.
    #[must_use]
    pub fn after(&self, by: &Part, set: &Set) -> Part {
        let place = |to: usize| usize::from(by.pieces[to]);
        let turned = |to: usize| {
            let sum = usize::from(self.turns[place(to)]) + usize::from(by.turns[to]);
            (sum % set.turns) as u8
        };
        Part {
            pieces: (0..set.count).map(|to| self.pieces[place(to)]).collect(),
            turns: (0..set.count).map(turned).collect(),
        }
    }
}

impl Definition {
    /// Reads a definition.
    ///
    /// # Errors
    /// The first word that does not belong where it is.
    pub fn read(text: &str) -> Result<Self, Fault> {
        if let Some(fault) = control(text) {
            return Err(fault);
        }
        let lines = lines(text);
        let mut reader = Reader {
            lines: lines.into_iter().peekable(),
            named: false,
            definition: Self {
                sets: Vec::new(),
                solved: Vec::new(),
                moves: Vec::new(),
            },
        };
        reader.run()?;
        let nowhere = |what: &str| Fault {
            line: 1,
            column: 1,
            what: what.to_owned(),
        };
        let mut read = reader.definition;
        if read.sets.is_empty() {
            return Err(nowhere("no set: write a line such as 'Set CORNERS 8 3'"));
        }
        if read.moves.is_empty() {
            return Err(nowhere("no move: write 'Move NAME', its sets and 'End'"));
        }
        if read.solved.is_empty() {
            read.solved = read.sets.iter().map(Part::rest).collect();
        }
        Ok(read)
    }

    /// A state after a move.
    #[must_use]
    pub fn after(&self, state: &[Part], parts: &[Part]) -> Vec<Part> {
        let each = state.iter().zip(parts).zip(&self.sets);
        each.map(|((own, by), set)| own.after(by, set)).collect()
    }

    /// The moves that count as one: every power of each in the half-turn metric, else those
    /// forward and back.
    #[must_use]
    pub fn steps(&self, half: bool) -> Vec<Move> {
        let rest: Vec<Part> = self.sets.iter().map(Part::rest).collect();
        let mut steps = Vec::new();
        for one in &self.moves {
            let mut powers = vec![one.parts.clone()];
            while let Some(last) = powers.last() {
                let next = self.after(last, &one.parts);
                if next == rest || powers.len() > MOST_ORDER {
                    break;
                }
                powers.push(next);
            }
            let count = powers.len();
            for (power, parts) in (1..).zip(powers) {
                let name = match power {
                    1 => one.name.clone(),
                    _ if power == count => format!("{}'", one.name),
                    _ => format!("{}{power}", one.name),
                };
                if half || power == 1 || power == count {
                    steps.push(Move { name, parts });
                }
            }
        }
        steps
    }
}

struct Reader<'a> {
    lines: std::iter::Peekable<std::vec::IntoIter<Vec<Word<'a>>>>,
    /// Whether there was a name.
    named: bool,
    definition: Definition,
}

impl<'a> Reader<'a> {
    fn run(&mut self) -> Result<(), Fault> {
        while let Some(line) = self.lines.next() {
            match line[0].text {
                "Name" if self.named => return Err(line[0].fault("there is a name already")),
                "Name" => self.named = true,
                "Set" => self.set(&line)?,
                "Solved" | "StartState" => {
                    if !self.definition.solved.is_empty() {
                        return Err(line[0].fault("there is a solved state already"));
                    }
                    let solved = self.block(line[0], false)?;
                    self.definition.solved = solved;
                }
                "Move" => self.one_move(&line)?,
                _ => {
                    let shown = line[0].shown();
                    return Err(line[0].fault(format!(
                        "'{shown}' cannot be read: use Name, Set, Solved or Move"
                    )));
                }
            }
        }
        Ok(())
    }

    fn set(&mut self, line: &[Word<'a>]) -> Result<(), Fault> {
        let sets = &mut self.definition.sets;
        let (Some(name), Some(count), None) = (line.get(1), line.get(2), line.get(4)) else {
            return Err(line[0].fault("a set is written 'Set NAME PIECES TURNS'"));
        };
        if !self.definition.moves.is_empty() || !self.definition.solved.is_empty() {
            return Err(line[0].fault("sets come before the solved state and the moves"));
        }
        if sets.len() == MOST_SETS {
            return Err(line[0].fault(format!("more than {MOST_SETS} sets")));
        }
        if sets.iter().any(|set| set.name == name.text) {
            return Err(name.fault(format!("there is a set '{}' already", name.shown())));
        }
        sets.push(Set {
            name: name.text.to_owned(),
            count: count.number(1, MOST_PIECES)?,
            turns: match line.get(3) {
                Some(turns) => turns.number(1, MOST_TURNS)?,
                None => 1,
            },
        });
        Ok(())
    }

    fn one_move(&mut self, line: &[Word<'a>]) -> Result<(), Fault> {
        let [_, name] = line else {
            return Err(line[0].fault("a move is written 'Move NAME'"));
        };
        let moves = &self.definition.moves;
        if moves.len() == MOST_MOVES {
            return Err(line[0].fault(format!("more than {MOST_MOVES} moves")));
        }
        let plain = |symbol: char| symbol.is_ascii_alphabetic() || symbol == '_';
        if name.text.len() > 16 || !name.text.chars().all(plain) {
            let shown = name.shown();
            return Err(name.fault(format!("'{shown}' is no name: use up to 16 letters")));
        }
        if moves.iter().any(|other| other.name == name.text) {
            return Err(name.fault(format!("there is a move '{}' already", name.shown())));
        }
        let parts = self.block(line[0], true)?;
        let rest: Vec<Part> = self.definition.sets.iter().map(Part::rest).collect();
        let mut power = parts.clone();
        for _ in 0..MOST_ORDER {
            if power == rest {
                let name = name.text.to_owned();
                self.definition.moves.push(Move { name, parts });
                return Ok(());
            }
            power = self.definition.after(&power, &parts);
        }
        Err(name.fault(format!(
            "made {MOST_ORDER} times, the move does not lead back: its order is too large"
        )))
    }

    /// Sets with their numbers, up to `End`.
    fn block(&mut self, head: Word<'a>, is_move: bool) -> Result<Vec<Part>, Fault> {
        let sets = self.definition.sets.clone();
        let mut parts: Vec<Part> = sets.iter().map(Part::rest).collect();
        let mut seen = vec![false; sets.len()];
        loop {
            let Some(line) = self.lines.next() else {
                return Err(head.fault("there is no 'End' to this"));
            };
            if line[0].text == "End" {
                return Ok(parts);
            }
            let at = sets.iter().position(|set| set.name == line[0].text);
            let at = at.filter(|_| line.len() == 1).ok_or_else(|| {
                let shown = line[0].shown();
                line[0].fault(format!(
                    "'{shown}' is no set: name one alone on its line, or End"
                ))
            })?;
            if std::mem::replace(&mut seen[at], true) {
                return Err(line[0].fault(format!("'{}' comes twice", line[0].shown())));
            }
            let set = &sets[at];
            let places = self.numbers(line[0], set.count, 1, set.count)?;
            let pieces: Vec<u8> = places.iter().map(|(_, n)| *n as u8 - 1).collect();
            for (i, (word, _)) in places.iter().enumerate().filter(|_| is_move) {
                if pieces[..i].contains(&pieces[i]) {
                    return Err(word.fault(format!("place {} comes twice", pieces[i] + 1)));
                }
            }
            parts[at].pieces = pieces;
            let numeric =
                |line: &Vec<Word<'_>>| line[0].text.starts_with(|c: char| c.is_ascii_digit());
            if self.lines.peek().is_some_and(numeric) {
                let turns = self.numbers(line[0], set.count, 0, set.turns - 1)?;
                parts[at].turns = turns.iter().map(|(_, n)| *n as u8).collect();
            }
        }
    }

    /// A line of so many numbers.
    fn numbers(
        &mut self,
        head: Word<'a>,
        count: usize,
        least: usize,
        most: usize,
    ) -> Result<Vec<(Word<'a>, usize)>, Fault> {
        let Some(line) = self.lines.next() else {
            return Err(head.fault(format!("a line of {count} numbers must follow")));
        };
        if line.len() != count {
            let found = line.len();
            return Err(line[0].fault(format!("it takes {count} numbers here, not {found}")));
        }
        let number = |word: Word<'a>| Ok((word, word.number(least, most)?));
        line.into_iter().map(number).collect()
    }
}
