use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// How to draw the text of a board as a picture.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Legend {
    /// One entry per symbol.
    pub entries: Vec<LegendEntry>,
    /// How boards of pieces that turn are unfolded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub net: Option<Net>,
}

impl Legend {
    /// The text that is drawn of a board: the board's own, its stickers, or its rows of discs as
    /// towers.
    pub fn drawn<'a>(&self, board: &'a str) -> Cow<'a, str> {
        let stickers = self.net.as_ref().and_then(|net| net.of(board));
        let is_disc = |entry: &LegendEntry| entry.shape == Shape::Stack;
        let stacks = self.entries.iter().any(is_disc);
        let drawn = stickers.or_else(|| stacks.then(|| upright(board)));
        drawn.map_or(Cow::Borrowed(board), Cow::Owned)
    }

    /// The entry for a symbol, if there is one.
    pub fn entry(&self, symbol: char) -> Option<&LegendEntry> {
        self.entries.iter().find(|entry| entry.symbol == symbol)
    }

    /// For boards of figures whose puzzle has no legend. `.` is empty, `#` a cell that is set, `x`
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
        Self { entries, net: None }
    }
}

/// A board with each row as a tower from its bottom, or a single row as a stack from its top. The
/// sign of a disc is in its own column.
fn upright(board: &str) -> String {
    if board.contains('-') {
        let unsigned = board.split('-').enumerate().flat_map(|(at, discs)| {
            let beside = move |nth| if at > 0 && nth == 0 { '-' } else { ' ' };
            let discs = discs.chars().enumerate();
            discs.map(move |(nth, disc)| format!("{disc}{}", beside(nth)))
        });
        return unsigned.collect::<Vec<_>>().join("/");
    }
    let rows: Vec<Vec<char>> = board.split('/').map(|row| row.chars().collect()).collect();
    let high = rows.iter().map(Vec::len).max().unwrap_or(0);
    let level = |at: usize| -> String {
        let cells = rows.iter().map(|row| row.get(at).unwrap_or(&' '));
        cells.collect()
    };
    let mut levels: Vec<String> = (0..high).map(level).collect();
    if rows.len() > 1 {
        levels.reverse();
    }
    levels.join("/")
}

/// Colours of the plain pieces; their letters distinguish them too.
const PIECES: [&str; 7] = [
    "#4e79a7", "#f28e2b", "#e15759", "#76b7b2", "#59a14f", "#edc948", "#b07aa1",
];

/// The unfolded surface of a puzzle of pieces that turn: three drawings of the same size, rows
/// joined by `/`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Net {
    /// By set of pieces: the number of pieces, and whether a row of their turns follows in a board.
    pub sets: Vec<(usize, bool)>,
    /// The symbols of the solved puzzle; `.` is outside.
    pub solved: String,
    /// The place of each sticker, as a letter, numbered through all sets; `.` never changes.
    pub places: String,
    /// The number of each sticker on its place, clockwise from 0.
    pub stickers: String,
}

impl Net {
    /// Reads `SETS SOLVED PLACES STICKERS`. SETS are as in `6x2+4x3`: six pieces with two turns,
    /// then four with three; those of `6x1` do not turn.
    pub fn read<'a>(mut words: impl Iterator<Item = &'a str>) -> Option<Self> {
        let mut word = || words.next().map(str::to_owned);
        let sets = word()?;
        let set = |set: &str| {
            let (count, turns) = set.split_once('x')?;
            Some((count.parse().ok()?, turns != "1"))
        };
        Some(Self {
            sets: sets.split('+').map(set).collect::<Option<_>>()?,
            solved: word()?,
            places: word()?,
            stickers: word()?,
        })
    }

    /// The symbols on a board; `None` if the text is not a board.
    pub fn of(&self, board: &str) -> Option<String> {
        let solved: Vec<char> = self.solved.replace('.', " ").chars().collect();
        self.homes(board)?
            .iter()
            .map(|&home| solved.get(home).copied())
            .collect()
    }

    /// The cell of each sticker of a board on the solved puzzle, the first of several that show the
    /// same sticker.
    pub(crate) fn homes(&self, board: &str) -> Option<Vec<usize>> {
        let mut rows = board.split('/');
        let mut numbers = |count: usize| -> Option<Vec<usize>> {
            let row = rows.next()?.chars().map(|c| Some(c.to_digit(36)? as usize));
            row.collect::<Option<Vec<_>>>()
                .filter(|row| row.len() == count)
        };
        // By place: its piece and the piece's turn.
        let mut pieces = Vec::new();
        for &(count, turns) in &self.sets {
            let (first, own) = (pieces.len(), numbers(count)?);
            let turned = if turns {
                numbers(count)?
            } else {
                vec![0; count]
            };
            let on = |(piece, turn): (usize, usize)| Some((first + piece.checked_sub(1)?, turn));
            let own: Option<Vec<_>> = own.into_iter().zip(turned).map(on).collect();
            pieces.extend(own?);
        }
        if rows.next().is_some() {
            return None;
        }
        let cells = self.places.chars().zip(self.stickers.chars());
        let cells = cells.map(|(place, number)| {
            let place = place
                .is_ascii_lowercase()
                .then(|| place as usize - usize::from(b'a'));
            place.zip(number.to_digit(10))
        });
        let cells: Vec<Option<(usize, u32)>> = cells.collect();
        let stickers = |piece: usize| {
            let own = cells.iter().flatten().filter(|cell| cell.0 == piece);
            own.map(|(_, number)| number + 1).max()
        };
        let home = |(at, cell): (usize, &Option<(usize, u32)>)| {
            let Some((place, number)) = *cell else {
                return Some(at);
            };
            let &(piece, turn) = pieces.get(place)?;
            let count = stickers(piece)?;
            let home = (piece, (number + count - turn as u32 % count) % count);
            cells.iter().position(|cell| *cell == Some(home))
        };
        cells.iter().enumerate().map(home).collect()
    }
}

/// How to draw one symbol.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LegendEntry {
    /// The character in the board's text.
    pub symbol: char,
    /// Its meaning, in a word or two.
    pub name: String,
    /// The shape to draw.
    pub shape: Shape,
    /// Colour as `#rrggbb`; ignored by shapes that take the page's own colours.
    pub colour: String,
}

/// The shapes of a cell.
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
    /// A disc seen from its edge: the larger its symbol counts among `1` to `9` and `a` to `z`, the
    /// longer. With several rows, each is a tower from its bottom; a single row is a stack from its
    /// top.
    Stack,
    /// A triangle two rows high, upward or downward as its neighbours are not; its letter is that
    /// of its name.
    Triangle,
    /// The gate at the right edge of the row of the symbol's piece: a second entry of that symbol.
    Exit,
}
