//! Made-up results with the look of real ones, shared by the example and the tests.

mod claims;
mod runs;

use antipode_reports::html::Page;
use antipode_reports::model::{Legend, LegendEntry, Shape};
use std::collections::BTreeMap;

pub use claims::claims;
pub use runs::runs;

pub fn page() -> Page {
    Page {
        title: "A sample page with made-up figures".to_owned(),
        generated_unix_s: 1_795_248_000,
        tool_version: "0.1.0".to_owned(),
        command: words("antipode certify tilt --effort quick --seed 20261121"),
        effort: "quick".to_owned(),
        seed: 20_261_121,
        claims: claims(),
        not_taken: Vec::new(),
        runs: runs(),
        legends: BTreeMap::from([
            ("tilt".to_owned(), tilt()),
            ("sliding-block".to_owned(), climb()),
        ]),
        ..Page::default()
    }
}

pub fn tilt() -> Legend {
    let entry = |symbol, name: &str, shape, colour: &str| LegendEntry {
        symbol,
        name: name.to_owned(),
        shape,
        colour: colour.to_owned(),
    };
    Legend {
        net: None,
        entries: vec![
            entry('.', "empty", Shape::Empty, "#f3f1ea"),
            entry('#', "grey block, fixed", Shape::Block, "#8b8e94"),
            entry('b', "blue block, must stay", Shape::Block, "#2f6db3"),
            entry('g', "green block, must fall", Shape::Block, "#58b368"),
            entry('O', "hole", Shape::Hole, "#23211e"),
        ],
    }
}

fn climb() -> Legend {
    const COLOURS: [&str; 6] = [
        "#c9a66b", "#b98352", "#8fa876", "#7f9fb0", "#b78b8b", "#a494b8",
    ];
    let piece = |(index, symbol): (usize, char)| LegendEntry {
        symbol,
        name: format!("piece {symbol}"),
        shape: Shape::Merge,
        colour: COLOURS[index % COLOURS.len()].to_owned(),
    };
    let mut entries: Vec<_> = ('a'..='z')
        .chain('A'..='Z')
        .enumerate()
        .map(piece)
        .collect();
    entries.push(LegendEntry {
        symbol: '#',
        name: "wall".into(),
        shape: Shape::Outside,
        colour: "#6b6760".into(),
    });
    entries.push(LegendEntry {
        symbol: '.',
        name: "empty".into(),
        shape: Shape::Empty,
        colour: String::new(),
    });
    Legend { entries, net: None }
}

pub fn words(text: &str) -> Vec<String> {
    text.split(' ').map(str::to_owned).collect()
}
