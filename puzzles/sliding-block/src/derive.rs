//! The figures behind claims of kind `derived`: counts of a board's pieces and strings,
//! arithmetic on what the seed prints, and walks by levels. One name, one small function.

mod checks;
mod counts;
mod seed;
mod walks;

use puzzle_api::{BadInput, Effort, Figure, Request, Settings};

use crate::instances::{self, Instance};

/// Every name that [`fn@derive`] knows, with the parameters it takes. `board` is the name
/// of an instance, `metric` as in settings.
pub const NAMES: [(&str, &[&str]); 27] = [
    ("pieces", &["board"]),
    ("types", &["board"]),
    ("symbols", &["board"]),
    ("string-length", &["board"]),
    ("big-pieces", &["board"]),
    ("big-types", &["board"]),
    ("empty", &["board"]),
    ("huffman-bits", &["board"]),
    ("huffman-bytes", &["board"]),
    ("strings-fit", &["board"]),
    ("strings", &["board"]),
    ("placements", &["board"]),
    ("growth-table", &[]),
    ("growth", &[]),
    ("doubling", &[]),
    ("top-levels", &["unit"]),
    ("run-days", &[]),
    ("page", &[]),
    ("storage", &[]),
    ("length", &["board", "metric", "at-most"]),
    ("levels", &["board", "from", "to"]),
    ("neighbours", &["board", "figure"]),
    ("apart", &["board", "metric"]),
    ("twins", &["board", "metric"]),
    ("one-bucket", &["board"]),
    ("rate", &["board"]),
    ("complete", &["board", "metric", "figure"]),
];

/// Derives the figures of a name. One figure is called `value`; it is missing where the
/// effort does not reach it. Claims that hold or do not have the value `true` or `false`.
///
/// # Errors
/// An unknown name or parameter, or a value that does not fit, in one line.
pub fn derive(what: &str, parameters: &Settings, effort: Effort) -> Result<Vec<Figure>, BadInput> {
    let Some((_, known)) = NAMES.iter().find(|(name, _)| *name == what) else {
        return Err(BadInput::new(format!(
            "sliding-block derives no '{what}': use one of {}",
            NAMES.map(|(name, _)| name).join(", ")
        )));
    };
    let parameters = Parameters {
        what,
        values: parameters,
    };
    parameters.check(known)?;
    match what {
        "growth-table" => Ok(seed::growth_table()),
        "growth" => Ok(seed::growth()),
        "doubling" => Ok(seed::doubling()),
        "top-levels" => seed::top_levels(&parameters),
        "run-days" => Ok(seed::run_days()),
        "page" => Ok(seed::page()),
        "storage" => Ok(seed::storage()),
        "length" => walks::length(&parameters, effort),
        "levels" => walks::levels(&parameters, effort),
        "neighbours" => walks::neighbours(&parameters, effort),
        "apart" => checks::apart(&parameters),
        "twins" => checks::twins(&parameters, effort),
        "strings-fit" => checks::strings_fit(&parameters),
        "one-bucket" => walks::one_bucket(&parameters),
        "rate" => walks::rate(&parameters, effort),
        "complete" => walks::complete(&parameters, effort),
        "placements" => counts::placements(&parameters, effort),
        _ => counts::of_board(&parameters),
    }
}

/// The parameters of a derivation, with its name for error texts.
struct Parameters<'a> {
    what: &'a str,
    values: &'a Settings,
}

impl Parameters<'_> {
    fn check(&self, known: &[&str]) -> Result<(), BadInput> {
        let what = self.what;
        let mut keys = self.values.keys();
        match keys.find(|key| !known.contains(&key.as_str())) {
            None => Ok(()),
            Some(key) if known.is_empty() => Err(BadInput::new(format!(
                "{what} takes no parameters, but '{key}' was given"
            ))),
            Some(key) => Err(BadInput::new(format!(
                "{what} takes no parameter '{key}': use {}",
                known.join(", ")
            ))),
        }
    }

    fn text<'a>(&'a self, key: &str, default: &'a str) -> &'a str {
        self.values.get(key).map_or(default, String::as_str)
    }

    /// One of a few words.
    fn one_of(&self, key: &str, known: &[&'static str]) -> Result<&'static str, BadInput> {
        let text = self.text(key, known[0]);
        let found = known.iter().find(|&&word| word == text);
        found.copied().ok_or_else(|| {
            BadInput::new(format!(
                "{}: no {key}={}: use {}",
                self.what,
                text.escape_default(),
                known.join(", ")
            ))
        })
    }

    /// A depth.
    fn depth(&self, key: &str, default: u32) -> Result<u32, BadInput> {
        Ok(self.bound(key)?.unwrap_or(default))
    }

    /// A depth, if one is given.
    fn bound(&self, key: &str) -> Result<Option<u32>, BadInput> {
        let Some(text) = self.values.get(key) else {
            return Ok(None);
        };
        text.trim().parse().map(Some).map_err(|_| {
            BadInput::new(format!(
                "{}: {key}={} is no depth: write a whole number",
                self.what,
                text.escape_default()
            ))
        })
    }

    /// The board, by default the seed's, and the metric.
    fn instance(&self) -> Result<Instance, BadInput> {
        let metric = self.text("metric", "piece").to_owned();
        instances::open(&Request {
            instance: self.text("board", "climb-pro-24"),
            settings: &Settings::from([("metric".to_owned(), metric)]),
        })
    }
}

fn explained(value: impl ToString, explanation: impl Into<String>) -> Vec<Figure> {
    vec![
        Figure::new("value", value),
        Figure::new("explanation", explanation.into()),
    ]
}

/// What is reported without a value: the claim is then not reached.
fn not_reached(explanation: impl Into<String>) -> Vec<Figure> {
    vec![Figure::new("explanation", explanation.into())]
}

#[cfg(test)]
mod tests;
