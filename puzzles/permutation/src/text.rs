//! Reads the texts of twsearch (`.tws`) and ksolve (`.def`).
//!
//! In a `Move`, as in both programs, the second row belongs to the places that pieces leave. In a
//! `MoveTransformation`, which counts from 0, it belongs to the places that they move to.

use std::iter::Peekable;
use std::vec::IntoIter;

use crate::definition::{Definition, Illegal, Move, Part, Sequence, Set, name};
use crate::state::{Opened, hidden};
use crate::words::{Fault, Word, control, lines};

/// Most places of a set, as in twsearch.
const MOST_PLACES: usize = 255;
/// Most turns of a piece, as in twsearch.
const MOST_TURNS: usize = 127;

/// The type of a block with rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    State,
    Move,
}

struct Reader<'a> {
    lines: Peekable<IntoIter<Vec<Word<'a>>>>,
    named: bool,
    /// Whether the text joins pieces; then moves may mark places that cannot be turned.
    joined: bool,
    definition: Definition,
    aliases: Vec<[Word<'a>; 2]>,
    sequences: Vec<Sequence<'a>>,
    /// The first words of the lines that forbid a place.
    forbids: Vec<Word<'a>>,
}

impl<'a> Reader<'a> {
    fn new(lines: Vec<Vec<Word<'a>>>, definition: Definition) -> Self {
        Self {
            joined: lines.iter().any(|line| line[0].text == "Block"),
            lines: lines.into_iter().peekable(),
            named: false,
            definition,
            aliases: Vec::new(),
            sequences: Vec::new(),
            forbids: Vec::new(),
        }
    }
}

/// Reads a text; moves that are written as sequences of others are combined later.
pub(crate) fn read(text: &str) -> Result<(Definition, Vec<Sequence<'_>>), Fault> {
    if let Some(fault) = control(text) {
        return Err(fault);
    }
    let mut reader = Reader::new(lines(text), Definition::default());
    reader.run()?;
    let mut read = reader.definition;
    if read.solved.is_empty() {
        read.solved = read.sets.iter().map(Part::rest).collect();
    }
    for (one, head) in read.illegal.iter().zip(reader.forbids) {
        let mut solved = read.also.iter().chain([&read.solved]);
        if solved.any(|state| one.forbids(state)) {
            return Err(head.fault("a solved state has one of the pieces there: leave it out"));
        }
    }
    for [one, other] in reader.aliases {
        let is_move = |word: Word<'_>| {
            let written = |one: &Sequence<'_>| one.own == word.text;
            read.known(word.text).is_some() || reader.sequences.iter().any(written)
        };
        let pair = match (is_move(one), is_move(other)) {
            (false, true) => (one, other),
            (true, false) => (other, one),
            (true, true) => return Err(one.fault("both names are those of moves")),
            (false, false) => return Err(other.fault("neither name is that of a move")),
        };
        let pair = (pair.0.text.to_owned(), pair.1.text.to_owned());
        read.aliases.push(pair);
    }
    Ok((read, reader.sequences))
}

/// Reads a state as `Scramble` of both programs has it: sets with their rows, up to `End`. Rows
/// count from 0, as in `ScrambleState` and `StartState` of twsearch. Sets that are not named are
/// solved. `ScrambleAlg` has moves.
pub(crate) fn scramble(opened: &Opened, lines: Vec<Vec<Word<'_>>>) -> Result<Vec<Part>, Fault> {
    let (head, definition) = (lines[0][0], &opened.definition);
    let end = lines.iter().position(|line| line[0].text == "End");
    // The name is the rest of the first line, and may be empty.
    match end.map(|end| lines.get(end + 1)) {
        Some(None) => {}
        Some(Some(next)) => {
            return Err(next[0].fault("a scramble ends at its 'End': leave out what follows"));
        }
        None => return Err(head.fault("there is no 'End' to this: write it as the last line")),
    }
    if head.text == "ScrambleAlg" {
        let words = lines[1..lines.len() - 1].iter().flatten();
        let words: Vec<&str> = words.map(|word| word.text).collect();
        if words.is_empty() {
            return Err(head.fault("there is no move: write moves below the line with the name"));
        }
        let read = opened.read(&words.join(" "));
        return read.map_err(|why| lines[1][0].fault(why.0));
    }
    let mut reader = Reader::new(lines, definition.clone());
    reader.lines.next();
    let block = reader.block(head, Kind::State, usize::from(head.text == "Scramble"))?;
    let mut state = definition.solved.clone();
    for (at, rows) in block.into_iter().enumerate() {
        if rows.head.line == head.line {
            continue;
        }
        let shows = |&place: &usize| {
            let piece = usize::from(rows.part.pieces[place]);
            rows.unknown[place] && definition.periods[at][piece] > 1
        };
        if let Some(place) = (0..rows.unknown.len()).find(shows) {
            return Err(rows.head.fault(hidden(&definition.sets[at], place)));
        }
        let fits = opened.fits(at, &rows.part);
        fits.map_err(|why| rows.head.fault(why))?;
        state[at] = rows.part;
    }
    match definition.is_legal(&state) {
        true => Ok(state),
        false => Err(head.fault("a piece lies where it is Illegal")),
    }
}

impl<'a> Reader<'a> {
    fn run(&mut self) -> Result<(), Fault> {
        while let Some(line) = self.lines.next() {
            let head = line[0];
            match head.text {
                "Name" if std::mem::replace(&mut self.named, true) => {
                    return Err(head.fault("there is a name already: leave one out"));
                }
                "Name" => {}
                "Set" => self.set(&line)?,
                "Solved" | "StartState" => self.solved(head)?,
                "Move" | "MoveTransformation" => self.one_move(&line)?,
                "MoveSequence" => self.sequence(&line)?,
                "MoveAlias" => {
                    let [_, one, other] = line[..] else {
                        return Err(head.fault("an alias is written 'MoveAlias NAME NAME'"));
                    };
                    name(one, one.text)?;
                    name(other, other.text)?;
                    self.aliases.push([one, other]);
                }
                "Illegal" => self.illegal(&line)?,
                "Block" => self.joined_pieces(head)?,
                // Sets that scrambles of ksolve may ignore, which changes no state; and data that
                // it has computed itself.
                "Ignore" | "ParallelMoves" | "Multiplicators" => self.skip(head)?,
                "ForbiddenPairs" | "ForbiddenGroups" | "MoveLimits" => {
                    let shown = head.text;
                    return Err(head.fault(format!(
                        "'{shown}' of ksolve is not supported, as it depends on the moves made \
                         before: leave the block out"
                    )));
                }
                _ => {
                    let shown = head.shown();
                    return Err(head.fault(format!(
                        "'{shown}' cannot be read: use Name, Set, Solved, Move, MoveSequence, \
                         MoveAlias, Illegal or Block"
                    )));
                }
            }
        }
        Ok(())
    }

    fn set(&mut self, line: &[Word<'a>]) -> Result<(), Fault> {
        let read = &mut self.definition;
        let (Some(own), Some(count), None) = (line.get(1), line.get(2), line.get(4)) else {
            return Err(line[0].fault("a set is written 'Set NAME PIECES TURNS'"));
        };
        if read.rows_begun() {
            return Err(line[0].fault("sets come before the solved state and the moves"));
        }
        if read.sets.iter().any(|set| set.name == own.text) {
            return Err(own.fault(format!("there is a set '{}' already", own.shown())));
        }
        let starts = |c: char| c.is_ascii_digit() || c == '?';
        if own.text == "End" || own.text.starts_with(starts) {
            let shown = own.shown();
            return Err(own.fault(format!(
                "'{shown}' is no name of a set: begin it with a letter; End closes a block"
            )));
        }
        read.sets.push(Set {
            name: own.text.to_owned(),
            count: count.number(1, MOST_PLACES)?,
            turns: match line.get(3) {
                Some(turns) => turns.number(1, MOST_TURNS)?,
                None => 1,
            },
        });
        Ok(())
    }

    fn solved(&mut self, head: Word<'a>) -> Result<(), Fault> {
        let first = usize::from(head.text == "Solved");
        let block = self.block(head, Kind::State, first)?;
        let sets = &self.definition.sets;
        let mut periods = Vec::new();
        for (set, rows) in sets.iter().zip(&block) {
            let mut own: Vec<Option<u8>> = vec![None; set.count];
            for (place, &piece) in rows.part.pieces.iter().enumerate() {
                let period = if rows.unknown[place] {
                    1
                } else {
                    set.turns as u8
                };
                let known = own[usize::from(piece)].replace(period);
                if known.is_some_and(|known| known != period) {
                    let piece = usize::from(piece) + first;
                    return Err(rows.head.fault(format!(
                        "piece {piece} has a turn on one place and '?' on another: write '?' on \
                         both"
                    )));
                }
            }
            let own = own.into_iter().map(|one| one.unwrap_or(set.turns as u8));
            periods.push(own.collect());
        }
        let state = block.into_iter().map(|rows| rows.part).collect();
        let definition = &mut self.definition;
        match (definition.solved.is_empty(), definition.periods == periods) {
            (true, _) => (definition.solved, definition.periods) = (state, periods),
            (false, true) => definition.also.push(state),
            (false, false) => {
                return Err(head.fault(
                    "every solved state has '?' as the turn of the same pieces: write it in all",
                ));
            }
        }
        Ok(())
    }

    fn one_move(&mut self, line: &[Word<'a>]) -> Result<(), Fault> {
        let [head, own] = line else {
            return Err(line[0].fault(format!("a move is written '{} NAME'", line[0].text)));
        };
        let arriving = head.text == "MoveTransformation";
        let block = self.block(*head, Kind::Move, usize::from(!arriving))?;
        let mut one = Move {
            name: name(*own, own.text)?,
            parts: Vec::new(),
            marks: Vec::new(),
        };
        for rows in block {
            let mut part = rows.part;
            if !arriving {
                let leaving = part.turns.clone();
                for (turn, &from) in part.turns.iter_mut().zip(&part.pieces) {
                    *turn = leaving[usize::from(from)];
                }
            }
            if self.joined {
                // If one place of a cycle is marked, the pieces of all its places pass it.
                let mut marks = rows.marks;
                for _ in 0..marks.len() {
                    for place in 0..marks.len() {
                        marks[place] |= marks[usize::from(part.pieces[place])];
                    }
                }
                one.marks.push(marks);
            }
            one.parts.push(part);
        }
        self.definition.add(*own, one)
    }

    fn sequence(&mut self, line: &[Word<'a>]) -> Result<(), Fault> {
        let [head, own, written @ ..] = line else {
            return Err(line[0].fault("a sequence is written 'MoveSequence NAME MOVES'"));
        };
        if written.is_empty() {
            return Err(head.fault("a sequence is written 'MoveSequence NAME MOVES'"));
        }
        let words: Vec<&str> = written.iter().map(|word| word.text).collect();
        self.sequences.push(Sequence {
            name: *own,
            own: name(*own, own.text)?,
            written: words.join(" "),
        });
        Ok(())
    }

    fn find(&self, word: Word<'a>) -> Option<usize> {
        let mut sets = self.definition.sets.iter();
        sets.position(|set| set.name == word.text)
    }

    fn illegal(&mut self, line: &[Word<'a>]) -> Result<(), Fault> {
        let [head, set, place, pieces @ ..] = line else {
            return Err(line[0].fault("it is written 'Illegal SET PLACE PIECES'"));
        };
        if pieces.is_empty() {
            return Err(head.fault("it is written 'Illegal SET PLACE PIECES'"));
        }
        let at = self.find(*set);
        let at = at.ok_or_else(|| set.fault(format!("'{}' is no set", set.shown())))?;
        let count = self.definition.sets[at].count;
        let number = |word: &Word<'_>| Ok(word.number(1, count)? - 1);
        let pieces = pieces.iter().map(|word| Ok(number(word)? as u8));
        self.forbids.push(*head);
        self.definition.illegal.push(Illegal {
            set: at,
            place: number(place)?,
            pieces: pieces.collect::<Result<_, Fault>>()?,
        });
        Ok(())
    }

    /// The pieces of a block: a set, alone on its line, and a line of its pieces.
    fn joined_pieces(&mut self, head: Word<'a>) -> Result<(), Fault> {
        let sets = self.definition.sets.len();
        let mut block = vec![Vec::new(); sets];
        loop {
            let Some(line) = self.lines.next() else {
                return Err(head.fault("there is no 'End' to this"));
            };
            if line[0].text == "End" {
                self.definition.blocks.push(block);
                return Ok(());
            }
            let at = self.find(line[0]).filter(|_| line.len() == 1);
            let at = at.ok_or_else(|| no_set(line[0]))?;
            let Some(pieces) = self.lines.next() else {
                return Err(line[0].fault("a line of pieces must follow"));
            };
            let count = self.definition.sets[at].count;
            for word in pieces {
                block[at].push(word.number(1, count)? as u8 - 1);
            }
        }
    }

    fn skip(&mut self, head: Word<'a>) -> Result<(), Fault> {
        let mut ends = self.lines.by_ref().map(|line| line[0].text == "End");
        match ends.any(|end| end) {
            true => Ok(()),
            false => Err(head.fault("there is no 'End' to this")),
        }
    }

    /// Sets with their numbers, up to `End`.
    fn block(&mut self, head: Word<'a>, kind: Kind, first: usize) -> Result<Vec<Rows<'a>>, Fault> {
        let sets = self.definition.sets.clone();
        let rows = |set: &Set| Rows {
            head,
            part: Part::rest(set),
            unknown: vec![false; set.count],
            marks: vec![false; set.count],
        };
        let mut block: Vec<Rows<'_>> = sets.iter().map(rows).collect();
        let mut seen = vec![false; sets.len()];
        loop {
            let Some(line) = self.lines.next() else {
                return Err(head.fault("there is no 'End' to this"));
            };
            if line[0].text == "End" {
                return Ok(block);
            }
            let at = self.find(line[0]).filter(|_| line.len() == 1);
            let at = at.ok_or_else(|| no_set(line[0]))?;
            if std::mem::replace(&mut seen[at], true) {
                return Err(line[0].fault(format!("'{}' comes twice", line[0].shown())));
            }
            let (set, own) = (&sets[at], &mut block[at]);
            own.head = line[0];
            let row = self.row(line[0], set.count)?;
            for (place, word) in row.iter().enumerate() {
                if kind == Kind::State && word.text.starts_with('?') {
                    return Err(ignored(*word));
                }
                let piece = (word.number(first, set.count - 1 + first)? - first) as u8;
                if kind == Kind::Move && own.part.pieces[..place].contains(&piece) {
                    let shown = usize::from(piece) + first;
                    return Err(word.fault(format!("place {shown} comes twice")));
                }
                own.part.pieces[place] = piece;
            }
            let starts = |c: char| c.is_ascii_digit() || "-?".contains(c);
            let turned = |line: &Vec<Word<'_>>| line[0].text.starts_with(starts);
            if !self.lines.peek().is_some_and(turned) {
                continue;
            }
            for (place, word) in self.row(line[0], set.count)?.iter().enumerate() {
                if word.text == "?" && kind == Kind::State {
                    own.unknown[place] = true;
                } else if kind == Kind::State && word.text.starts_with('?') {
                    return Err(ignored(*word));
                } else if set.turns == 1 && self.joined && kind == Kind::Move {
                    own.marks[place] = word.number(0, MOST_TURNS)? > 0;
                } else {
                    own.part.turns[place] = word.number(0, set.turns - 1)? as u8;
                }
            }
        }
    }

    /// A line of n words.
    fn row(&mut self, head: Word<'a>, count: usize) -> Result<Vec<Word<'a>>, Fault> {
        let Some(line) = self.lines.next() else {
            return Err(head.fault(format!("a line of {count} numbers must follow")));
        };
        if line.len() != count {
            let found = line.len();
            return Err(line[0].fault(format!("it takes {count} numbers here, not {found}")));
        }
        Ok(line)
    }
}

/// The content of a block on a set.
struct Rows<'a> {
    head: Word<'a>,
    part: Part,
    /// By place: whether the turn is written `?`.
    unknown: Vec<bool>,
    /// By place: whether it is marked as moved although it cannot be turned.
    marks: Vec<bool>,
}

/// The error of `?` with or without a number, by which a state of ksolve leaves a piece or its turn
/// open.
fn ignored(word: Word<'_>) -> Fault {
    let shown = word.shown();
    word.fault(format!(
        "'{shown}': pieces that ksolve ignores are not read; write a number for each"
    ))
}

fn no_set(word: Word<'_>) -> Fault {
    let shown = word.shown();
    word.fault(format!(
        "'{shown}' is no set: name one alone on its line, or End"
    ))
}

impl Definition {
    fn rows_begun(&self) -> bool {
        !(self.moves.is_empty() && self.turnings.is_empty() && self.solved.is_empty())
    }
}
