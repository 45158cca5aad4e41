//! The figures behind claims of kind `derived`: counts by closed formulas, properties
//! of the rules, and the printed functions. One name, one small function.

mod counts;
mod graph;
mod trees;

use puzzle_api::{BadInput, Effort, Figure, Settings};

use crate::printed;

/// Every name that [`fn@derive`] knows, with the parameters it takes.
pub const NAMES: [(&str, &[&str]); 16] = [
    ("configurations", &[]),
    ("grey-configurations", &[]),
    ("final-states", &[]),
    ("orbits", &[]),
    ("dropped-by-symmetry", &["boards"]),
    ("keep", &["seed", "count"]),
    ("pruned", &["checked"]),
    ("rate", &["checked", "minutes"]),
    ("row-configurations", &[]),
    ("row-predecessors", &[]),
    ("corner-predecessors", &[]),
    ("predecessor-counts", &["seed", "count"]),
    ("invariants", &["property", "seed", "count"]),
    ("fates", &["board"]),
    ("search-trees", &["seed", "count", "above"]),
    ("printed", &["function"]),
];

/// Derives the figures of a name. One figure is called `value`; claims that hold or do
/// not have the value `true` or `false`.
///
/// # Errors
/// An unknown name or parameter, or a value that does not fit, in one line.
pub fn derive(what: &str, parameters: &Settings, effort: Effort) -> Result<Vec<Figure>, BadInput> {
    let Some((_, known)) = NAMES.iter().find(|(name, _)| *name == what) else {
        return Err(BadInput::new(format!(
            "tilt derives no '{what}': use one of {}",
            NAMES.map(|(name, _)| name).join(", ")
        )));
    };
    let parameters = Parameters {
        what,
        values: parameters,
    };
    parameters.check(known)?;
    Ok(match what {
        "configurations" => counts::configurations(),
        "grey-configurations" => counts::grey_configurations(),
        "final-states" => counts::final_states(),
        "orbits" => counts::box_orbits(),
        "dropped-by-symmetry" => counts::dropped_by_symmetry(&parameters)?,
        "keep" => counts::keep(&parameters)?,
        "pruned" => counts::pruned(&parameters)?,
        "rate" => counts::rate(&parameters)?,
        "row-configurations" => counts::row_configurations(),
        "row-predecessors" => graph::row_predecessors(),
        "corner-predecessors" => graph::corner_predecessors(),
        "predecessor-counts" => graph::predecessor_counts(&parameters)?,
        "invariants" => graph::invariants(&parameters)?,
        "fates" => graph::fates(&parameters)?,
        "search-trees" => trees::search_trees(&parameters, effort)?,
        _ => printed::check(parameters.text("function", "transpose"))?.into_figures(),
    })
}

/// The parameters of a derivation, with its name for error texts.
struct Parameters<'a> {
    what: &'a str,
    values: &'a Settings,
}

impl Parameters<'_> {
    fn check(&self, known: &[&str]) -> Result<(), BadInput> {
        let what = self.what;
        let stray = self
            .values
            .keys()
            .find(|key| !known.contains(&key.as_str()));
        match stray {
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

    /// A number between 1 and `most`.
    fn number(&self, key: &str, default: u64, most: u64) -> Result<u64, BadInput> {
        let Some(text) = self.values.get(key) else {
            return Ok(default);
        };
        match text.trim().parse() {
            Ok(number) if (1..=most).contains(&number) => Ok(number),
            _ => Err(BadInput::new(format!(
                "{}: {key}={text} is out of range: write a whole number from 1 to {most}",
                self.what
            ))),
        }
    }

    /// The seed of a sample: any 64-bit number.
    fn seed(&self) -> Result<u64, BadInput> {
        let text = self.text("seed", "1");
        text.trim()
            .parse()
            .map_err(|_| BadInput::new(format!("{}: seed={text} is no whole number", self.what)))
    }
}

fn explained(mut figures: Vec<Figure>, explanation: &str) -> Vec<Figure> {
    figures.push(Figure::new("explanation", explanation));
    figures
}

#[cfg(test)]
mod tests;
