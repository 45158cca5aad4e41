//! Parameters of derived figures, read with errors of one line.

use std::ops::RangeInclusive;

use crate::{BadInput, Settings};

/// What a claim of kind `derived` asks for: a name that [`Family::derive`](crate::Family::derive)
/// knows, with its parameters.
///
/// ```
/// use puzzle_api::{Parameters, Settings};
///
/// const NAMES: [(&str, &[&str]); 2] = [("coins", &["board"]), ("rows", &[])];
/// let given = Settings::from([("board".to_owned(), "5x7".to_owned())]);
/// let asked = Parameters::of("my-puzzle", &NAMES, "coins", &given).unwrap();
/// assert_eq!(asked.one_of("board", &["5x9", "5x7"]), Ok("5x7"));
/// let error = Parameters::of("my-puzzle", &NAMES, "rows", &given).unwrap_err();
/// assert_eq!(error.0, "rows takes no parameters, but 'board' was given");
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Parameters<'a> {
    what: &'a str,
    values: &'a Settings,
}

impl<'a> Parameters<'a> {
    /// Looks a name up among those that a puzzle knows, each with its parameters.
    ///
    /// # Errors
    /// An unknown name, or a parameter that it does not take.
    pub fn of(
        puzzle: &str,
        names: &[(&str, &[&str])],
        what: &'a str,
        values: &'a Settings,
    ) -> Result<Self, BadInput> {
        let Some((_, known)) = names.iter().find(|(name, _)| *name == what) else {
            let names: Vec<&str> = names.iter().map(|(name, _)| *name).collect();
            return Err(BadInput::new(format!(
                "{puzzle} derives no '{what}': use one of {}",
                names.join(", ")
            )));
        };
        let mut keys = values.keys();
        match keys.find(|key| !known.contains(&key.as_str())) {
            None => Ok(Self { what, values }),
            Some(key) if known.is_empty() => Err(BadInput::new(format!(
                "{what} takes no parameters, but '{key}' was given"
            ))),
            Some(key) => Err(BadInput::new(format!(
                "{what} takes no parameter '{key}': use {}",
                known.join(", ")
            ))),
        }
    }

    /// The name.
    #[must_use]
    pub fn what(&self) -> &'a str {
        self.what
    }

    /// A parameter as it was given.
    #[must_use]
    pub fn given(&self, key: &str) -> Option<&'a str> {
        self.values.get(key).map(String::as_str)
    }

    /// A parameter, or what it is where it was not given.
    #[must_use]
    pub fn text(&self, key: &str, default: &'a str) -> &'a str {
        self.given(key).unwrap_or(default)
    }

    /// One of a few words; the first where none was given.
    ///
    /// # Errors
    /// Another word.
    ///
    /// # Panics
    /// `words` is empty.
    pub fn one_of<'w>(&self, key: &str, words: &[&'w str]) -> Result<&'w str, BadInput> {
        let Some(given) = self.given(key) else {
            return Ok(words[0]);
        };
        let found = words.iter().find(|word| **word == given);
        found.copied().ok_or_else(|| {
            BadInput::new(format!(
                "{}: {key}={} is unknown: use one of {}",
                self.what,
                given.escape_default(),
                words.join(", ")
            ))
        })
    }

    /// A whole number within bounds.
    ///
    /// # Errors
    /// Another number, or no number.
    pub fn number(
        &self,
        key: &str,
        default: u64,
        bounds: RangeInclusive<u64>,
    ) -> Result<u64, BadInput> {
        let Some(given) = self.given(key) else {
            return Ok(default);
        };
        let number = given.trim().parse().ok();
        number
            .filter(|number| bounds.contains(number))
            .ok_or_else(|| {
                BadInput::new(format!(
                    "{}: {key}={} is out of range: write a whole number from {} to {}",
                    self.what,
                    given.escape_default(),
                    bounds.start(),
                    bounds.end()
                ))
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [(&str, &[&str]); 2] = [("count", &["most", "way"]), ("whole", &[])];

    fn line<T: std::fmt::Debug>(result: Result<T, BadInput>) -> String {
        result.unwrap_err().0
    }

    #[test]
    fn names_and_parameters_are_looked_up() {
        let none = Settings::new();
        let unknown = line(Parameters::of("box", &NAMES, "cuont", &none));
        assert_eq!(unknown, "box derives no 'cuont': use one of count, whole");
        let stray = Settings::from([("mots".to_owned(), "1".to_owned())]);
        let found = line(Parameters::of("box", &NAMES, "count", &stray));
        assert_eq!(found, "count takes no parameter 'mots': use most, way");
        assert!(line(Parameters::of("box", &NAMES, "whole", &stray)).contains("no parameters"));
    }

    #[test]
    fn values_are_held_against_what_they_can_be() {
        let given = [("most", " 7 "), ("way", "up\n")];
        let given: Settings = given.map(|(k, v)| (k.to_owned(), v.to_owned())).into();
        let asked = Parameters::of("box", &NAMES, "count", &given).unwrap();
        assert_eq!(asked.number("most", 1, 1..=7), Ok(7));
        assert_eq!(asked.number("least", 3, 0..=7), Ok(3));
        let beyond = line(asked.number("most", 1, 1..=6));
        assert!(beyond.contains("most= 7  is out of range: write a whole number from 1 to 6"));
        assert_eq!(asked.one_of("side", &["left", "right"]), Ok("left"));
        let other = line(asked.one_of("way", &["up", "down"]));
        assert_eq!(other, "count: way=up\\n is unknown: use one of up, down");
        assert_eq!(asked.text("none", "default"), "default");
        assert_eq!(asked.what(), "count");
    }
}
