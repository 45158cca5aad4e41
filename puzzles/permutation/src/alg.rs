//! Texts of moves as people write them: `R U2 R'`, `R2'`, `(R U)3`, `[R, U]` for `R U R' U'`,
//! `[R: U]` for `R U R'`, and `RU'R'` without blanks.

use puzzle_api::{PRIMES, shown};

use crate::definition::{Definition, Move};

/// Most moves of a text, groups written out.
const MOST: usize = 10_000;

/// Greatest depth of nested brackets.
const DEEPEST: usize = 100;

/// Moves by name with their repetition counts; negative for backward.
type Named = (String, i64);

/// Reads a text of moves; each is given with its name.
///
/// # Errors
/// A text that is not a move, with the known moves.
pub fn read(definition: &Definition, text: &str) -> Result<Vec<Move>, String> {
    let text = text.replace(PRIMES, "'");
    let mut reader = Reader {
        definition,
        rest: &text,
        depth: 0,
    };
    let named = reader.sequence()?;
    if let Some(odd) = reader.rest.chars().next() {
        return Err(format!("'{odd}' closes nothing: leave it out"));
    }
    let made = named.into_iter().map(|(name, times)| {
        let one = reader.named(&name).ok_or_else(|| reader.unknown(&name))?;
        let mut made = definition.power(one, times);
        let order = definition.order(&one.parts).unwrap_or(1) as i64;
        if order > 1 && times % order == 0 {
            let (name, many) = (shown(&name), times.abs());
            return Err(match order {
                2 => format!("'{name}{many}' turns nothing: {name} is a half turn here; write {name}"),
                _ => format!("'{name}{many}' turns nothing: {name} made {order} times leads back; leave it out"),
            });
        }
        made.name = match times {
            1 => name,
            -1 => format!("{name}'"),
            back if back < 0 => format!("{name}{}'", -back),
            _ => format!("{name}{times}"),
        };
        Ok(made)
    });
    made.collect()
}

struct Reader<'a> {
    definition: &'a Definition,
    rest: &'a str,
    /// Brackets that are open.
    depth: usize,
}

fn backward(moves: &[Named]) -> Vec<Named> {
    let moves = moves.iter().rev();
    moves.map(|(name, times)| (name.clone(), -times)).collect()
}

/// An amount at the beginning of a text: `2`, `'`, `2'` or `'2`, and its length.
fn amount(text: &str) -> Result<(i64, usize), String> {
    let primed = |text: &str| usize::from(text.starts_with('\''));
    let before = primed(text);
    let digits = text[before..].bytes().take_while(u8::is_ascii_digit);
    let digits = digits.count();
    let after = match before {
        0 => primed(&text[digits..]),
        _ => 0,
    };
    let size = match digits {
        0 => 1,
        _ => text[before..][..digits]
            .parse()
            .map_err(|_| "a number of times is too large")?,
    };
    let size = if before + after > 0 { -size } else { size };
    Ok((size, before + digits + after))
}

impl<'a> Reader<'a> {
    fn named(&self, name: &str) -> Option<&'a Move> {
        let alias = self.definition.aliases.iter().find(|(own, _)| own == name);
        let name = alias.map_or(name, |(_, other)| other);
        self.definition.known(name)
    }

    fn unknown(&self, name: &str) -> String {
        let moves = self.definition.moves.iter().take(12);
        let names: Vec<&str> = moves.map(|one| &*one.name).collect();
        let names = names.join(" ");
        format!("'{}' is no move: use {names}", shown(name))
    }

    /// Moves up to a bracket, comma or colon that closes them.
    fn sequence(&mut self) -> Result<Vec<Named>, String> {
        let mut moves = Vec::new();
        loop {
            self.rest = self.rest.trim_start();
            let Some(first) = self.rest.chars().next() else {
                return Ok(moves);
            };
            let own = match first {
                ')' | ']' | ',' | ':' => return Ok(moves),
                '(' => {
                    self.open()?;
                    let inner = self.sequence()?;
                    self.close(')')?;
                    self.depth -= 1;
                    inner
                }
                '[' => self.pair()?,
                _ => {
                    moves.extend(self.word()?);
                    continue;
                }
            };
            let (times, length) = amount(self.rest)?;
            self.rest = &self.rest[length..];
            let own = if times < 0 { backward(&own) } else { own };
            let repeated = (own.len() as u64).saturating_mul(times.unsigned_abs());
            if repeated.saturating_add(moves.len() as u64) > MOST as u64 {
                return Err(format!("more than {MOST} moves: write fewer"));
            }
            // An empty sequence stays empty, however often it is repeated.
            let times = if own.is_empty() {
                0
            } else {
                times.unsigned_abs()
            };
            for _ in 0..times {
                moves.extend_from_slice(&own);
            }
        }
    }

    fn open(&mut self) -> Result<(), String> {
        self.rest = &self.rest[1..];
        self.depth += 1;
        match self.depth > DEEPEST {
            true => Err(format!(
                "more than {DEEPEST} brackets within each other: write fewer"
            )),
            false => Ok(()),
        }
    }

    fn close(&mut self, bracket: char) -> Result<(), String> {
        let rest = self.rest.strip_prefix(bracket);
        self.rest = rest.ok_or_else(|| format!("there is no '{bracket}' to a bracket: add it"))?;
        Ok(())
    }

    /// `[A, B]` or `[A: B]`.
    fn pair(&mut self) -> Result<Vec<Named>, String> {
        self.open()?;
        let first = self.sequence()?;
        let commutes = self.rest.starts_with(',');
        if !commutes {
            self.close(':').map_err(|_| "write [A, B] or [A: B]")?;
        } else {
            self.close(',')?;
        }
        let second = self.sequence()?;
        self.close(']')?;
        self.depth -= 1;
        let mut moves = [first.clone(), second.clone(), backward(&first)].concat();
        if commutes {
            moves.extend(backward(&second));
        }
        Ok(moves)
    }

    /// A move with its repetition count, or several without blanks between them.
    fn word(&mut self) -> Result<Vec<Named>, String> {
        let ends = |c: char| c.is_whitespace() || "()[],:".contains(c);
        let length = self.rest.find(ends).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(length);
        self.rest = rest;
        if let Some(one) = self.alone(word) {
            return Ok(vec![one]);
        }
        // If names begin with digits, moves and counts look alike.
        let all = self.definition.moves.iter();
        let digits = |one: &Move| one.name.starts_with(|c: char| c.is_ascii_digit());
        let (mut moves, mut left) = (Vec::new(), word);
        while !left.is_empty() {
            let ends = left.char_indices().map(|(at, c)| at + c.len_utf8());
            let longest = ends.rev().find(|&end| self.named(&left[..end]).is_some());
            let longest = longest.filter(|_| !all.clone().any(digits));
            let end = longest.ok_or_else(|| self.unknown(word))?;
            let (times, length) = amount(&left[end..])?;
            moves.push((left[..end].to_owned(), times));
            left = &left[end + length..];
        }
        Ok(moves)
    }

    /// A name with the repetition count of its move, the longest name first.
    fn alone(&self, word: &str) -> Option<Named> {
        let ends = word.char_indices().map(|(at, c)| at + c.len_utf8()).rev();
        for end in ends.filter(|&end| self.named(&word[..end]).is_some()) {
            if let Ok((times, length)) = amount(&word[end..])
                && length == word.len() - end
            {
                return Some((word[..end].to_owned(), times));
            }
        }
        None
    }
}
