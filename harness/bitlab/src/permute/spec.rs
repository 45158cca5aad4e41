//! The text form of a permutation on the command line.
//!
//! ```text
//! list:3,2,1,0              bit 0 goes to 3, bit 1 to 2, …
//! cycles:8:(0 1 2)(3 4)     eight bits; 0 to 1, 1 to 2, 2 to 0; 3 and 4 change places
//! board:5x5x2:rotate90      a symmetry of a board, two bits per cell (`x2` may be left out)
//! identity:N  reverse:N  rotate:N:BY  shuffle:N  random:N:SEED
//! inverse:SPEC              what undoes SPEC
//! ```

use super::error::PermuteError;
use super::permutation::{Permutation, Symmetry};

/// The beginning of a specification, followed by a colon.
pub const KINDS: [&str; 9] = [
    "list", "cycles", "board", "identity", "reverse", "rotate", "shuffle", "random", "inverse",
];

/// All of them, for the error about another one.
const LISTED: &str =
    "list, cycles, board, identity, reverse, rotate, shuffle, random or inverse, then a colon";

const INVERSE: &str = "inverse:";

impl std::str::FromStr for Permutation {
    type Err = PermuteError;

    fn from_str(text: &str) -> Result<Self, PermuteError> {
        Spec { text, at: 0 }.permutation()
    }
}

/// A cursor over a specification; `at` is a byte offset on a character boundary.
struct Spec<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Spec<'a> {
    /// Any number of `inverse:` in a row, without a call each.
    fn permutation(mut self) -> Result<Permutation, PermuteError> {
        let mut inverted = false;
        while self.rest().starts_with(INVERSE) {
            self.at += INVERSE.len();
            inverted = !inverted;
        }
        let permutation = self.plain()?;
        Ok(if inverted {
            permutation.inverse()
        } else {
            permutation
        })
    }

    fn plain(mut self) -> Result<Permutation, PermuteError> {
        let start = self.at;
        let Some(kind) = self.up_to_colon() else {
            return Err(self.error(start, format!("start with {LISTED}")));
        };
        match kind {
            "list" => self.list(),
            "cycles" => self.cycles(),
            "board" => self.board(),
            "identity" => self.sized(|_, len| Permutation::identity(len)),
            "reverse" => self.sized(|_, len| Permutation::reverse(len)),
            "shuffle" => self.sized(|_, len| Permutation::shuffle(len)),
            "rotate" => self.sized(|spec, len| {
                let by = spec.second_number("how far")?;
                Permutation::identity(len)?;
                Permutation::rotate(len, by as usize % len)
            }),
            "random" => self.sized(|spec, len| {
                let seed = spec.second_number("a seed")?;
                Permutation::random(len, seed)
            }),
            other => Err(self.error(start, format!("`{other}` is no kind; write {LISTED}"))),
        }
    }

    fn list(mut self) -> Result<Permutation, PermuteError> {
        let start = self.at;
        let mut to = Vec::new();
        loop {
            to.push(self.number("a destination")? as usize);
            if !self.eat(',') {
                break;
            }
        }
        self.end()?;
        self.placed(start, Permutation::from_list(&to))
    }

    fn cycles(mut self) -> Result<Permutation, PermuteError> {
        let start = self.at;
        let len = self.number("the number of bits")? as usize;
        if !self.eat(':') {
            return Err(self.error(self.at, "write a colon and then the cycles".into()));
        }
        let mut cycles = Vec::new();
        self.skip_spaces();
        while self.eat('(') {
            cycles.push(self.cycle()?);
            self.skip_spaces();
        }
        self.end()?;
        self.placed(start, Permutation::from_cycles(len, &cycles))
    }

    fn cycle(&mut self) -> Result<Vec<usize>, PermuteError> {
        let mut cycle = Vec::new();
        loop {
            self.skip_spaces();
            if self.eat(')') {
                return Ok(cycle);
            }
            if self.rest().is_empty() {
                return Err(self.error(self.at, "close the cycle with `)`".into()));
            }
            cycle.push(self.number("a bit number or `)`")? as usize);
            self.eat(',');
        }
    }

    fn board(mut self) -> Result<Permutation, PermuteError> {
        let start = self.at;
        let width = self.number("the board's width")? as usize;
        if !self.eat('x') {
            return Err(self.error(self.at, "write x and the height, as in 5x5x2".into()));
        }
        let height = self.number("the board's height")? as usize;
        let mut cell_bits = 1;
        if self.eat('x') {
            cell_bits = self.number("the bits a cell")? as usize;
        }
        let names = Symmetry::ALL.map(Symmetry::name).join(", ");
        if !self.eat(':') {
            return Err(self.error(self.at, format!("write a colon and one of {names}")));
        }
        let Some(symmetry) = Symmetry::from_name(self.rest()) else {
            let what = format!("`{}` is no symmetry; write one of {names}", self.rest());
            return Err(self.error(self.at, what));
        };
        let perm = Permutation::from_symmetry(width, height, cell_bits, symmetry);
        self.placed(start, perm)
    }

    fn sized(
        mut self,
        make: impl Fn(&mut Self, usize) -> Result<Permutation, PermuteError>,
    ) -> Result<Permutation, PermuteError> {
        let start = self.at;
        let len = self.number("the number of bits")? as usize;
        let made = make(&mut self, len);
        let perm = self.placed(start, made)?;
        self.end()?;
        Ok(perm)
    }

    fn second_number(&mut self, what: &str) -> Result<u64, PermuteError> {
        if !self.eat(':') {
            return Err(self.error(self.at, format!("write a colon and {what}")));
        }
        self.number(what)
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn up_to_colon(&mut self) -> Option<&'a str> {
        let rest = self.rest();
        let colon = rest.find(':')?;
        self.at += colon + 1;
        Some(&rest[..colon])
    }

    fn eat(&mut self, wanted: char) -> bool {
        let hit = self.rest().starts_with(wanted);
        if hit {
            self.at += wanted.len_utf8();
        }
        hit
    }

    fn skip_spaces(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start_matches(' ').len();
    }

    fn number(&mut self, what: &str) -> Result<u64, PermuteError> {
        let rest = self.rest();
        let digits = rest
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(rest.len());
        match rest[..digits].parse() {
            Ok(number) => {
                self.at += digits;
                Ok(number)
            }
            Err(_) if digits == 0 => Err(self.error(self.at, format!("write {what}, a number"))),
            Err(_) => Err(self.error(self.at, format!("{what} must be below 2^64"))),
        }
    }

    fn end(&self) -> Result<(), PermuteError> {
        match self.rest() {
            "" => Ok(()),
            rest => Err(self.error(self.at, format!("`{rest}` is left over; end the text here"))),
        }
    }

    /// Converts an error of the permutation to one at this place in the text.
    fn placed(
        &self,
        at: usize,
        made: Result<Permutation, PermuteError>,
    ) -> Result<Permutation, PermuteError> {
        made.map_err(|error| match error {
            PermuteError::Spec { .. } => error,
            other => self.error(at, other.to_string()),
        })
    }

    fn error(&self, at: usize, what: String) -> PermuteError {
        PermuteError::Spec {
            spec: self.text.to_string(),
            column: self.text[..at].chars().count() + 1,
            what,
        }
    }
}
