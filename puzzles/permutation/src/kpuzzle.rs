//! Reads `kpuzzle.json`, the form of puzzles in cubing.js and twips: `orbits`, `defaultPattern`,
//! `moves` and `derivedMoves`. Places and pieces count from 0, and turns belong to the places that
//! pieces move to.

use puzzle_api::shown;

use crate::definition::{Definition, Move, Part, Sequence, Set, name};
use crate::words::{Fault, Word};

/// Most places and turns, as in the texts of twsearch.
const MOST_PLACES: usize = 255;
const MOST_TURNS: usize = 127;
/// Greatest nesting depth of brackets.
const DEEPEST: usize = 32;

/// Members of the whole; what the last two say does not change the puzzle.
const WHOLE: [&str; 7] = [
    "name",
    "orbits",
    "defaultPattern",
    "moves",
    "derivedMoves",
    "$schema",
    "experimentalPuzzleDescription",
];

/// A value with its place.
enum Value<'a> {
    Text(String),
    List(Vec<Json<'a>>),
    Object(Vec<(Json<'a>, Json<'a>)>),
    /// A number, `true`, `false` or `null`, as written.
    Bare,
}

struct Json<'a> {
    at: Word<'a>,
    value: Value<'a>,
}

/// Reads a text; moves that are derived from others are combined later.
pub(crate) fn read(text: &str) -> Result<(Definition, Vec<Sequence<'_>>), Fault> {
    let mut parser = Parser {
        text,
        at: 0,
        line: 1,
        start: 0,
    };
    let whole = parser.value(0)?;
    parser.blanks();
    if parser.at < text.len() {
        return Err(parser
            .word(parser.at + 1)
            .fault("the object ends before this"));
    }
    let mut read = Definition::default();
    whole.has_only(&WHOLE)?;
    for orbit in whole.need("orbits")?.list()? {
        orbit.has_only(&["orbitName", "numPieces", "numOrientations"])?;
        let own = orbit.need("orbitName")?;
        let turns = orbit.need("numOrientations")?;
        read.sets.push(Set {
            name: own.text()?.to_owned(),
            count: orbit.need("numPieces")?.number(1, MOST_PLACES)?,
            turns: turns.number(1, MOST_TURNS)?,
        });
        let own_name = own.text()?;
        let mut before = read.sets.iter().rev().skip(1);
        if before.any(|set| set.name == own_name) {
            return Err(own
                .at
                .fault(format!("there is an orbit '{own_name}' already")));
        }
    }
    let pattern = whole.need("defaultPattern")?;
    let names: Vec<String> = read.sets.iter().map(|set| set.name.clone()).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    pattern.has_only(&names)?;
    for set in &read.sets {
        let own = pattern.need(&set.name)?;
        own.has_only(&["pieces", "orientation", "orientationMod"])?;
        let pieces = own.row("pieces", set.count, set.count - 1)?;
        let turns = own.row_or_rest("orientation", set.count, set.turns - 1)?;
        let shows = own.row_or_rest("orientationMod", set.count, set.turns)?;
        let mut periods = vec![set.turns as u8; set.count];
        let mut met = vec![false; set.count];
        for (place, &piece) in pieces.iter().enumerate() {
            let period = match usize::from(shows[place]) {
                0 => set.turns,
                shown => shown,
            };
            let known = &mut periods[usize::from(piece)];
            let again = std::mem::replace(&mut met[usize::from(piece)], true);
            if set.turns % period > 0 || again && usize::from(*known) != period {
                return Err(own.at.fault(format!(
                    "orientationMod {period} does not divide the {} orientations, or differs \
                     among pieces that look alike",
                    set.turns
                )));
            }
            *known = period as u8;
        }
        let seen = pieces.iter().zip(&turns);
        let turns = seen.map(|(&piece, &turn)| turn % periods[usize::from(piece)]);
        read.solved.push(Part {
            turns: turns.collect(),
            pieces,
        });
        read.periods.push(periods);
    }
    for (key, value) in whole.need("moves")?.object()? {
        let mut parts = Vec::new();
        // Square 0 without its equator, in twsearch, still moves it. But if an orbit is missing, its
        // name may be the one misspelt.
        let members = value.object()?;
        let is_there = |name: &&str| value.get(name).is_ok_and(|found| found.is_some());
        match names.iter().all(is_there) {
            true => members
                .iter()
                .enumerate()
                .try_for_each(|(at, (key, _))| key.once(&members[..at]))?,
            false => value.has_only(&names)?,
        }
        for set in &read.sets {
            let Some(own) = value.get(&set.name)? else {
                parts.push(Part::rest(set));
                continue;
            };
            own.has_only(&["permutation", "orientationDelta"])?;
            let pieces = own.row("permutation", set.count, set.count - 1)?;
            if let Some(&twice) = (1..)
                .zip(&pieces)
                .find_map(|(next, piece)| pieces[next..].iter().find(|other| *other == piece))
            {
                return Err(own.at.fault(format!("place {twice} comes twice")));
            }
            let turns = own.row_or_rest("orientationDelta", set.count, set.turns - 1)?;
            parts.push(Part { pieces, turns });
        }
        let one = Move {
            name: name(key.at, key.text()?)?,
            parts,
            marks: Vec::new(),
        };
        read.add(key.at, one)?;
    }
    let mut sequences = Vec::new();
    if let Some(derived) = whole.get("derivedMoves")? {
        let derived = derived.object()?;
        for (at, (key, value)) in derived.iter().enumerate() {
            key.once(&derived[..at])?;
            // As in cubing.js, which takes a move from there only if `moves` has none of the name.
            if read.known(key.text()?).is_some() {
                continue;
            }
            sequences.push(Sequence {
                name: key.at,
                own: name(key.at, key.text()?)?,
                written: value.text()?.to_owned(),
            });
        }
    }
    Ok((read, sequences))
}

impl<'a> Json<'a> {
    fn object(&self) -> Result<&[(Json<'a>, Json<'a>)], Fault> {
        match &self.value {
            Value::Object(members) => Ok(members),
            _ => Err(self.at.fault("an object {…} must stand here")),
        }
    }

    /// Refuses a member that is none of these, and one that comes twice.
    fn has_only(&self, names: &[&str]) -> Result<(), Fault> {
        let members = self.object()?;
        for (at, (key, _)) in members.iter().enumerate() {
            let name = key.text()?;
            if !names.contains(&name) {
                let all = names.join(", ");
                let fault = format!("'{}' is none of the members {all}", shown(name));
                return Err(key.at.fault(fault));
            }
            key.once(&members[..at])?;
        }
        Ok(())
    }

    /// Refuses the key of a member if one before it has the same.
    fn once(&self, before: &[(Json<'a>, Json<'a>)]) -> Result<(), Fault> {
        let name = self.text()?;
        for (other, _) in before {
            if other.text()? == name {
                return Err(self.at.fault(format!("'{}' comes twice", shown(name))));
            }
        }
        Ok(())
    }

    fn get(&self, key: &str) -> Result<Option<&Json<'a>>, Fault> {
        let mut members = self.object()?.iter();
        let named = |own: &Json<'_>| matches!(&own.value, Value::Text(text) if text == key);
        Ok(members.find(|(own, _)| named(own)).map(|member| &member.1))
    }

    fn need(&self, key: &str) -> Result<&Json<'a>, Fault> {
        let found = self.get(key)?;
        found.ok_or_else(|| self.at.fault(format!("this object needs \"{key}\"")))
    }

    fn list(&self) -> Result<&[Json<'a>], Fault> {
        match &self.value {
            Value::List(all) => Ok(all),
            _ => Err(self.at.fault("a list […] must stand here")),
        }
    }

    fn text(&self) -> Result<&str, Fault> {
        match &self.value {
            Value::Text(text) => Ok(text),
            _ => Err(self.at.fault("a text in quotes must stand here")),
        }
    }

    fn number(&self, least: usize, most: usize) -> Result<usize, Fault> {
        match self.value {
            Value::Bare => self.at.number(least, most),
            _ => Err(self.at.fault("a number must stand here")),
        }
    }

    fn row(&self, key: &str, count: usize, most: usize) -> Result<Vec<u8>, Fault> {
        let row = self.need(key)?;
        let all = row.list()?;
        if all.len() != count {
            let found = all.len();
            return Err(row
                .at
                .fault(format!("it takes {count} numbers here, not {found}")));
        }
        let numbers = all.iter().map(|one| Ok(one.number(0, most)? as u8));
        numbers.collect()
    }

    /// A row that may be left out, and then consists of zeros.
    fn row_or_rest(&self, key: &str, count: usize, most: usize) -> Result<Vec<u8>, Fault> {
        match self.get(key)? {
            None => Ok(vec![0; count]),
            Some(_) => self.row(key, count, most),
        }
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    /// The line at `at`, and where it starts.
    line: usize,
    start: usize,
}

impl<'a> Parser<'a> {
    /// The text between `at` and an end.
    fn word(&self, end: usize) -> Word<'a> {
        let end = (end..=self.text.len()).find(|&end| self.text.is_char_boundary(end));
        Word {
            text: &self.text[self.at..end.unwrap_or(self.text.len())],
            line: self.line,
            column: self.text[self.start..self.at].chars().count() + 1,
        }
    }

    fn blanks(&mut self) {
        let bytes = self.text.as_bytes();
        while let Some(blank) = bytes.get(self.at).filter(|byte| byte.is_ascii_whitespace()) {
            self.at += 1;
            if *blank == b'\n' {
                (self.line, self.start) = (self.line + 1, self.at);
            }
        }
    }

    /// Consumes a symbol, if it is the next one.
    fn takes(&mut self, symbol: u8) -> bool {
        self.blanks();
        let takes = self.text.as_bytes().get(self.at) == Some(&symbol);
        self.at += usize::from(takes);
        takes
    }

    fn odd(&self) -> Fault {
        let word = self.word(self.at + 1);
        match word.text {
            "" => word.fault("the text ends here: a bracket or quote is not closed"),
            _ => word.fault(format!("'{}' is no JSON here", word.shown())),
        }
    }

    fn value(&mut self, depth: usize) -> Result<Json<'a>, Fault> {
        self.blanks();
        let at = self.word(self.at + 1);
        if depth > DEEPEST {
            return Err(at.fault(format!("more than {DEEPEST} brackets within each other")));
        }
        let value = if self.takes(b'{') {
            Value::Object(self.members(b'}', |parser| {
                let key = parser.value(depth + 1)?;
                key.text()?;
                match parser.takes(b':') {
                    true => Ok((key, parser.value(depth + 1)?)),
                    false => Err(parser.odd()),
                }
            })?)
        } else if self.takes(b'[') {
            Value::List(self.members(b']', |parser| parser.value(depth + 1))?)
        } else if self.takes(b'"') {
            Value::Text(self.quoted()?)
        } else {
            let rest = &self.text[self.at..];
            let bare = |c: char| c.is_ascii_alphanumeric() || "+-.".contains(c);
            let length = rest.find(|c| !bare(c)).unwrap_or(rest.len());
            if length == 0 {
                return Err(self.odd());
            }
            let at = self.word(self.at + length);
            self.at += length;
            return Ok(Json {
                at,
                value: Value::Bare,
            });
        };
        Ok(Json { at, value })
    }

    fn members<T>(
        &mut self,
        end: u8,
        mut member: impl FnMut(&mut Self) -> Result<T, Fault>,
    ) -> Result<Vec<T>, Fault> {
        let mut members = Vec::new();
        if self.takes(end) {
            return Ok(members);
        }
        loop {
            members.push(member(self)?);
            if self.takes(end) {
                return Ok(members);
            }
            if !self.takes(b',') {
                return Err(self.odd());
            }
        }
    }

    /// The rest of a text in quotes.
    fn quoted(&mut self) -> Result<String, Fault> {
        let mut text = String::new();
        loop {
            let rest = &self.text[self.at..];
            let Some(symbol) = rest.chars().next().filter(|symbol| *symbol != '\n') else {
                return Err(self.odd());
            };
            let escaped = || rest.chars().nth(1);
            let (symbol, length) = match symbol {
                '"' => {
                    self.at += 1;
                    return Ok(text);
                }
                '\\' => match escaped() {
                    Some('u') => {
                        let code = rest
                            .get(2..6)
                            .and_then(|hex| u32::from_str_radix(hex, 16).ok());
                        let symbol = code.and_then(char::from_u32).ok_or_else(|| self.odd())?;
                        (symbol, 6)
                    }
                    Some(symbol @ ('"' | '\\' | '/')) => (symbol, 2),
                    Some('b' | 'f' | 'n' | 'r' | 't') => (' ', 2),
                    _ => return Err(self.odd()),
                },
                symbol => (symbol, symbol.len_utf8()),
            };
            text.push(symbol);
            self.at += length;
        }
    }
}
