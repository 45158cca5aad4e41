//! Names of moves as text: which moves they name, and whether a text is one at all.

use std::collections::BTreeSet;

use antipode_graph::{Expansion, Graph, move_names};
use antipode_search::breadth_first::BreadthFirst;
use antipode_search::engines::EngineError;
use antipode_search::reconstruct_path::rising;
use antipode_search::steps::DirectionSteps;
use foldhash::HashSet;
use puzzle_api::{Direction, PRIMES, cell_name};

/// Number of states whose moves are sampled for the form of move names.
const LOOKED_AT: usize = 2000;

/// A text in the form in which names are compared: one blank between words, none next to a comma.
#[must_use]
pub fn spaced(text: &str) -> String {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    words.replace(" ,", ",").replace(", ", ",")
}

/// The moves of a state by their names.
#[derive(Debug)]
pub struct NamedMoves {
    board: String,
    /// Each state, with the names of its move as they are.
    moves: Vec<(u128, Vec<String>)>,
}

impl NamedMoves {
    /// The moves from a state to some states next to it.
    #[must_use]
    pub fn of(rules: &Graph<u128>, at: u128, successors: &[u128]) -> Self {
        let moves = rising(successors).into_iter();
        Self {
            board: rules.draw(at).unwrap_or_default(),
            moves: moves
                .map(|next| (next, names_of(rules, at, next)))
                .collect(),
        }
    }

    /// All names, those of one move after another.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.moves
            .iter()
            .flat_map(|(_, names)| names)
            .map(|name| &**name)
    }

    /// The states that a name of a move leads to: as it is, else with other blanks, else in another
    /// form.
    #[must_use]
    pub fn called(&self, name: &str) -> Vec<u128> {
        let text = spaced(name);
        let renamed = renamed(&text, &self.board);
        let form = |its: &String| match spaced(its) {
            _ if its == name => Some(0),
            its if its == text => Some(1),
            its => (its == renamed).then_some(2),
        };
        let moves = self.moves.iter();
        let forms =
            moves.filter_map(|(next, names)| Some((names.iter().filter_map(form).min()?, *next)));
        let forms: Vec<(i32, u128)> = forms.collect();
        let best = forms.iter().map(|(form, _)| *form).min();
        let named = forms.into_iter().filter(|(form, _)| Some(*form) == best);
        named.map(|(_, next)| next).collect()
    }

    /// The moves that a line may begin with, and the states that they lead to: the one called as the
    /// line is, else all that are called as a beginning of it.
    #[must_use]
    pub fn first_of<'a>(&self, line: &'a str) -> Vec<(&'a str, Vec<u128>)> {
        let names: Vec<&str> = self.names().collect();
        let texts = match names.contains(&line) {
            true => vec![line],
            false => beginnings(line, &names),
        };
        let called = texts.into_iter().map(|text| (text, self.called(text)));
        called.filter(|(_, to)| !to.is_empty()).collect()
    }
}

/// The names of a move, as the puzzle writes them.
fn names_of(rules: &Graph<u128>, at: u128, next: u128) -> Vec<String> {
    let named = rules.move_name(at, next).ok().flatten();
    match named.unwrap_or_default() {
        names if names.trim().is_empty() => move_names(rules, &[at, next]),
        names => names.lines().map(str::to_owned).collect(),
    }
}

/// The beginnings of a line that may be the name of a move, the shortest first: they end at a comma
/// or with the line, or at a blank if no name has one. No more than a name has parts.
fn beginnings<'a>(line: &'a str, names: &[&str]) -> Vec<&'a str> {
    let parts = |name: &&str| {
        name.split([',', ' '])
            .filter(|part| !part.is_empty())
            .count()
    };
    let most = names.iter().map(parts).max().unwrap_or(1) * 2;
    let has_blank = |name: &&str| name.trim().contains(char::is_whitespace);
    let blanks = !names.iter().any(has_blank);
    let ends = line.match_indices(|c: char| c == ',' || blanks && c.is_whitespace());
    let ends = ends.map(|(at, _)| at).chain([line.len()]);
    let mut all: Vec<&str> = ends.map(|end| line[..end].trim()).take(most).collect();
    all.dedup();
    all
}

/// What is left of a line behind a beginning and a comma or blanks.
#[must_use]
pub fn behind<'a>(line: &'a str, beginning: &str) -> &'a str {
    let rest = line.trim_start()[beginning.len()..].trim_start();
    rest.strip_prefix(',').unwrap_or(rest).trim_start()
}

/// The name of a move with its cells as `e7`. They may be written as row and column (`7,5` or
/// `r7c5`), or as steps right and up from the middle of a board (`0:-2`). Primes become `'`.
#[must_use]
pub fn renamed(name: &str, board: &str) -> String {
    let cell = |word: &str| {
        let number = |text: &str| text.parse::<i32>().ok().map(i64::from);
        let (row, column) = if let Some((right, up)) = word.split_once(':') {
            let rows = board.split('/');
            let columns = rows.clone().map(|row| row.chars().count()).max()?;
            let middle = (rows.count() as i64 / 2, (columns as i64 - 1) / 2);
            (middle.0 - number(up)?, middle.1 + number(right)?)
        } else {
            let behind = word.strip_prefix('r').and_then(|rest| rest.split_once('c'));
            let (row, column) = behind.or_else(|| word.split_once(','))?;
            (number(row)? - 1, number(column)? - 1)
        };
        Some(cell_name(row.try_into().ok()?, column.try_into().ok()?))
    };
    let words = name.split(' ');
    let words = words.map(|word| cell(word).unwrap_or_else(|| word.replace(PRIMES, "'")));
    words.collect::<Vec<_>>().join(" ")
}

/// Words and lengths of move names, from some states and those around them: a puzzle names its
/// moves, but reads no names.
#[derive(Debug, Default)]
pub struct MoveNames {
    /// The board of the first state.
    board: String,
    /// The words in the names, as their [`Self::sorts`], with their places.
    words: HashSet<(usize, String)>,
    /// The number of words in a name.
    lengths: BTreeSet<usize>,
}

impl MoveNames {
    /// Samples the names of the moves around some states.
    ///
    /// # Errors
    /// [`EngineError`] if the puzzle fails.
    pub fn around(rules: &Graph<u128>, from: &[u128]) -> Result<Self, EngineError> {
        let mut names = Self::default();
        if let Some(&first) = from.first() {
            names.board = rules.draw(first)?;
        }
        let mut around = BreadthFirst::new(rules, &[DirectionSteps::FORWARD], from);
        let mut out = Expansion::default();
        let mut left = LOOKED_AT;
        while left > 0 && !around.level().is_empty() {
            for &state in around.level().iter().take(left) {
                rules.expand(Direction::Forward, &[state], &mut out)?;
                for &next in out.keys() {
                    for name in names_of(rules, state, next) {
                        names.lengths.insert(name.split_whitespace().count());
                        let sorts = names.sorts(&name);
                        names.words.extend(sorts);
                    }
                }
            }
            left = left.saturating_sub(around.level().len());
            around.advance()?;
        }
        Ok(names)
    }

    /// The beginning of a line that may be a name, the longest first.
    #[must_use]
    pub fn first_of<'a>(&self, line: &'a str) -> Option<&'a str> {
        let words = self.lengths.last().copied().unwrap_or(1);
        let like = vec!["x"; words * 4].join(if words > 1 { " " } else { "," });
        let mut all = beginnings(line, &[&like]).into_iter().rev();
        all.find(|text| self.has(text))
    }

    /// Whether a text has more words than any name.
    #[must_use]
    pub fn is_too_long(&self, text: &str) -> bool {
        let longest = self.lengths.last().copied().unwrap_or(0);
        longest > 0 && text.split_whitespace().count() > longest
    }

    /// Whether a text may be a name, in any form: it has as many words as some name, each of a sort
    /// that occurs in its place.
    #[must_use]
    pub fn has(&self, text: &str) -> bool {
        let text = renamed(&spaced(text), &self.board);
        self.lengths.contains(&text.split_whitespace().count())
            && self
                .sorts(&text)
                .iter()
                .all(|word| self.words.contains(word))
    }

    /// The words of a name with their places; one number, cell or piece of the board is as good as
    /// another, unless it is the whole name.
    fn sorts(&self, name: &str) -> Vec<(usize, String)> {
        let words: Vec<&str> = name.split_whitespace().collect();
        let sort = |word: &str| {
            let number = word.trim_start_matches(|letter: char| letter.is_ascii_lowercase());
            let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
            match word.len() - number.len() {
                _ if words.len() == 1 => word.to_owned(),
                0 if is_number => "0".to_owned(),
                1 | 2 if is_number => "a0".to_owned(),
                _ if word.chars().count() == 1 && self.board.contains(word) => "_".to_owned(),
                _ => word.to_owned(),
            }
        };
        words.iter().map(|word| sort(word)).enumerate().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::renamed;

    #[test]
    fn cells_are_named_in_four_ways() {
        // Five columns and four rows: the lower left of the middle is c3.
        let renamed = |text| renamed(text, "..o/ooooo//o");
        for text in ["press e4", "press 4,5", "press r4c5", "press 2:-1"] {
            assert_eq!(renamed(text), "press e4", "{text}");
        }
        for text in [
            "press 5,4",
            "press e5",
            "e4",
            "press 0,5",
            "press 4,",
            "press",
        ] {
            assert_ne!(renamed(text), "press e4", "{text}");
        }
        assert_eq!(renamed("R\u{2019} U2\u{b4} F\u{2032} R`"), "R' U2' F' R'");
        assert_eq!(renamed("r2c3 down 1"), "c2 down 1");
        assert_eq!(renamed("0:0 to -3:0"), "c3 to -3:0");
    }
}
