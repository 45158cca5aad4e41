use serde::{Deserialize, Serialize};

/// How to draw the text of a board as a picture.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Legend {
    /// One entry a symbol.
    pub entries: Vec<LegendEntry>,
}

impl Legend {
    /// The entry for a symbol, if there is one.
    pub fn entry(&self, symbol: char) -> Option<&LegendEntry> {
        self.entries.iter().find(|entry| entry.symbol == symbol)
    }

    /// For boards of figures whose puzzle has no legend: `.` empty, `#` a cell that is set, `x`
    /// and `o` the discs of two players, `A` to `G` pieces of several cells.
    pub fn plain() -> Self {
        let entry = |symbol, name: &str, shape, colour: &str| LegendEntry {
            symbol,
            name: name.to_owned(),
            shape,
            colour: colour.to_owned(),
        };
        let pieces = ('A'..='G').zip(PIECES);
        let pieces = pieces.map(|(symbol, colour)| entry(symbol, "", Shape::Merge, colour));
        let mut entries = vec![
            entry('.', "empty", Shape::Empty, "#ffffff"),
            entry('#', "set", Shape::Block, "#2f6f9f"),
            entry('x', "first player", Shape::Disc, "#2b2b2b"),
            entry('o', "second player", Shape::Disc, "#d9d2c3"),
        ];
        entries.extend(pieces);
        Self { entries }
    }
}

/// Colours of the plain pieces; their letters distinguish them too.
const PIECES: [&str; 7] = [
    "#4e79a7", "#f28e2b", "#e15759", "#76b7b2", "#59a14f", "#edc948", "#b07aa1",
];

/// How to draw one symbol.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LegendEntry {
    /// The character in the board's text.
    pub symbol: char,
    /// What it stands for, in a word or two.
    pub name: String,
    /// The shape to draw.
    pub shape: Shape,
    /// Colour as `#rrggbb`; ignored by shapes that take the page's own colours.
    pub colour: String,
}

/// The shapes a cell can take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shape {
    /// Bare floor, in the page's colours.
    Empty,
    /// Fills its cell to the edge.
    Wall,
    /// A dark round hole in the floor.
    Hole,
    /// A rounded square that stands on the floor.
    Block,
    /// A round piece that stands on the floor.
    Disc,
    /// Not part of the board: nothing is drawn.
    Outside,
    /// Neighbouring cells with the same symbol are one piece, as in sliding-block puzzles.
    Merge,
    /// The gate at the right edge of the row that the symbol's piece lies in: a second entry of
    /// that symbol.
    Exit,
}
