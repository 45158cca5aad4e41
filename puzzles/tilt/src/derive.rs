//! The figures behind claims of kind `derived`: counts by closed formulas, properties of the rules,
//! and the printed functions. Each name is one small function.

mod counts;
mod graph;
mod trees;

use puzzle_api::{BadInput, Effort, Figure, Parameters, Settings};

use crate::printed;

/// Every name that [`fn@derive`] knows, with the type of its value and its parameters.
pub const NAMES: [(&str, &[&str]); 16] = [
    ("configurations", &["=number:configurations"]),
    ("grey-configurations", &["=number:configurations"]),
    ("final-states", &["=number:states"]),
    ("orbits", &["=number:orbits"]),
    (
        "dropped-by-symmetry",
        &["=number:of_the_boards", "boards=box|any"],
    ),
    ("keep", &["=holds"]),
    (
        "pruned",
        &["=number:of_the_states", "checked=printed|orbits"],
    ),
    ("row-configurations", &["=number:ways"]),
    ("row-predecessors", &["=holds"]),
    ("corner-predecessors", &["=number:squares"]),
    (
        "predecessor-counts",
        &["=holds", "seed=0..:1", "count=1..10000000:20000"],
    ),
    (
        "invariants",
        &[
            "=holds",
            "property=grey-fixed|blue-kept|rows-independent",
            "seed=0..:1",
            "count=1..10000000:10000",
        ],
    ),
    ("search-trees", &["=number:nodes"]),
    (
        "forward-work",
        &[
            "=number:{figure=times|percent}",
            "figure=for-each-board|one-in-10000",
            "seed=0..:1",
            "count=1..1000000:1000",
        ],
    ),
    ("thesis-drawings", &["=holds"]),
    ("printed", &["=holds", printed::FUNCTIONS]),
];

/// Derives the figures of a name. One figure is called `value`; claims that hold or do
/// not have the value `true` or `false`.
pub fn derive(what: &str, parameters: &Settings, _effort: Effort) -> Result<Vec<Figure>, BadInput> {
    let parameters = Parameters::of("tilt", &NAMES, what, parameters)?;
    let figures = match what {
        "configurations" => counts::configurations(),
        "grey-configurations" => counts::grey_configurations(),
        "final-states" => counts::final_states(),
        "orbits" => counts::box_orbits(),
        "dropped-by-symmetry" => counts::dropped_by_symmetry(&parameters)?,
        "keep" => counts::keep(),
        "pruned" => counts::pruned(&parameters)?,
        "row-configurations" => counts::row_configurations(),
        "row-predecessors" => graph::row_predecessors(),
        "corner-predecessors" => graph::corner_predecessors(),
        "predecessor-counts" => graph::predecessor_counts(&parameters)?,
        "invariants" => graph::invariants(&parameters)?,
        "forward-work" => trees::forward_work(&parameters)?,
        "thesis-drawings" => graph::thesis_drawings(),
        "search-trees" => trees::search_trees(),
        _ => printed::check(parameters.one_of("function")?)?,
    };
    let of_box = match what {
        // Of lines and of printed text.
        "row-predecessors" | "corner-predecessors" | "printed" => false,
        "dropped-by-symmetry" => parameters.one_of("boards")? == "box",
        _ => true,
    };
    Ok(figures
        .into_iter()
        .chain(of_box.then(|| Figure::new("instances", "box")))
        .collect())
}

/// The seed of a sample.
fn seed(parameters: &Parameters<'_>) -> Result<u64, BadInput> {
    parameters.number("seed")
}

fn explained(mut figures: Vec<Figure>, explanation: &str) -> Vec<Figure> {
    figures.push(Figure::new("explanation", explanation));
    figures
}

#[cfg(test)]
mod tests;
