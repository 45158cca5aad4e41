//! What a library says of itself, as reports record it.

use antipode_graph::Library;
use antipode_reports::model::{self, Legend, LegendEntry, Shape};

/// The plugin's record for reports.
#[must_use]
pub fn plugin_of(library: &Library) -> model::Plugin {
    let named = library.source.named();
    let (file, blake3) = named.map(|(file, hash)| (file, hash.to_owned())).unzip();
    model::Plugin {
        name: library.name.clone(),
        version: library.version.clone(),
        file,
        blake3,
        abi: puzzle_api::abi::ANTIPODE_ABI_VERSION,
    }
}

/// Reads a legend's lines, `SYMBOL SHAPE COLOUR NAME`; a line that does not fit is left out.
#[must_use]
pub fn legend(text: &str) -> Legend {
    let entry = |line: &str| {
        let mut words = line.split_whitespace();
        let symbol = words.next()?.chars().next()?;
        let shape = match words.next()? {
            "empty" => Shape::Empty,
            "wall" => Shape::Wall,
            "hole" => Shape::Hole,
            "block" => Shape::Block,
            "disc" => Shape::Disc,
            "outside" => Shape::Outside,
            "merge" => Shape::Merge,
            "exit" => Shape::Exit,
            _ => return None,
        };
        Some(LegendEntry {
            symbol,
            shape,
            colour: words.next()?.to_owned(),
            name: words.collect::<Vec<_>>().join(" "),
        })
    };
    Legend {
        entries: text.lines().filter_map(entry).collect(),
    }
}
