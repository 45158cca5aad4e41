//! The figures behind claims of kind `derived`. One name, one small function.

mod boards;
mod functions;
mod layouts;
mod pairs;

use puzzle_api::{BadInput, Effort, Figure, Request, Settings};

use crate::instances::{self, Instance};

/// Every name that [`fn@derive`] knows, with the parameters it takes.
pub const NAMES: [(&str, &[&str]); 14] = [
    ("holes", &["board"]),
    ("key-bits", &["board"]),
    ("symmetries", &["board", "to"]),
    ("start-moves", &["board", "from"]),
    ("game-over", &["board", "from", "figure"]),
    ("solution", &["name", "figure"]),
    ("refuted", &["board", "from", "to"]),
    ("pairs", &["board", "figure", "limit"]),
    ("first-solution", &["board", "from", "to", "limit"]),
    ("layout", &["board", "right", "up", "figure"]),
    ("move-formula", &["board", "seed", "count"]),
    ("bit-count", &["board"]),
    ("hash", &["seed", "count"]),
    ("table-index", &["board", "figure"]),
];

/// Derives the figures of a name. One figure is called `value`; claims that hold or do
/// not have the value `true` or `false`.
///
/// # Errors
/// An unknown name or parameter, or a value that does not fit, in one line.
pub fn derive(what: &str, parameters: &Settings, effort: Effort) -> Result<Vec<Figure>, BadInput> {
    let Some((_, known)) = NAMES.iter().find(|(name, _)| *name == what) else {
        return Err(BadInput::new(format!(
            "peg-solitaire derives no '{what}': use one of {}",
            NAMES.map(|(name, _)| name).join(", ")
        )));
    };
    let parameters = Parameters {
        what,
        values: parameters,
    };
    parameters.check(known)?;
    match what {
        "holes" => boards::holes(&parameters),
        "key-bits" => boards::key_bits(&parameters),
        "symmetries" => boards::symmetries(&parameters),
        "start-moves" => boards::start_moves(&parameters),
        "game-over" => boards::game_over(&parameters),
        "solution" => boards::solution(&parameters),
        "refuted" => pairs::refuted(&parameters),
        "pairs" => pairs::pairs(&parameters, effort),
        "first-solution" => pairs::first_solution(&parameters),
        "layout" => layouts::layout(&parameters),
        "move-formula" => layouts::move_formula(&parameters),
        "bit-count" => functions::bit_count(&parameters),
        "hash" => functions::hash(&parameters),
        _ => functions::table_index(&parameters),
    }
}

/// The parameters of a derivation, with its name for error texts.
struct Parameters<'a> {
    what: &'a str,
    values: &'a Settings,
}

impl Parameters<'_> {
    fn check(&self, known: &[&str]) -> Result<(), BadInput> {
        let stray = self
            .values
            .keys()
            .find(|key| !known.contains(&key.as_str()));
        match stray {
            None => Ok(()),
            Some(key) => Err(BadInput::new(format!(
                "{} takes no parameter '{key}': use {}",
                self.what,
                known.join(", ")
            ))),
        }
    }

    fn text<'a>(&'a self, key: &str, default: &'a str) -> &'a str {
        self.values.get(key).map_or(default, String::as_str)
    }

    /// A number from `least` to `most`.
    fn number(&self, key: &str, default: u64, least: u64, most: u64) -> Result<u64, BadInput> {
        let Some(text) = self.values.get(key) else {
            return Ok(default);
        };
        match text.trim().parse() {
            Ok(number) if (least..=most).contains(&number) => Ok(number),
            _ => Err(BadInput::new(format!(
                "{}: {key}={text} is out of range: write a whole number from {least} to {most}",
                self.what
            ))),
        }
    }

    /// One of the words that a parameter can be; the first by default.
    fn one_of<'a>(&'a self, key: &str, words: &[&'a str]) -> Result<&'a str, BadInput> {
        let word = self.text(key, words[0]);
        if words.contains(&word) {
            return Ok(word);
        }
        Err(BadInput::new(format!(
            "{}: {key}={word} is unknown: use one of {}",
            self.what,
            words.join(", ")
        )))
    }

    /// The named board's instance, with `from` and `to` where they are given. The default
    /// is the diamond of 41 holes.
    fn instance(&self) -> Result<Instance, BadInput> {
        let given = |key: &str| self.values.get(key).map(|v| (key.to_owned(), v.clone()));
        let settings: Settings = ["from", "to"].into_iter().filter_map(given).collect();
        instances::open(&Request {
            instance: self.text("board", "diamond-41"),
            settings: &settings,
        })
    }
}

fn explained(mut figures: Vec<Figure>, explanation: impl ToString) -> Vec<Figure> {
    figures.push(Figure::new("explanation", explanation));
    figures
}

#[cfg(test)]
mod tests;
