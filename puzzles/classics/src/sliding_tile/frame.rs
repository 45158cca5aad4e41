//! The rectangle, its goal, boards as text, instances and settings.

use puzzle_api::{
    About, BadInput, InstanceInfo, Placed, Request, SettingInfo, Xorshift, shown, turned,
};

/// Most squares of puzzle `sliding-tile`: a key of one word has four bits for each.
pub const MOST_SQUARES: usize = 16;

/// Most squares of puzzle `large-tile`: a key of two words has five bits for each.
pub const MOST_LARGE: usize = 25;

/// The symbols of tiles from 1; the empty square is `.`.
const SYMBOLS: &str = "123456789abcdefghijklmno";

/// A board: the tile on each square, row by row, 0 for none.
pub type Tiles = Vec<u8>;

/// A rectangle with its goal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// Rows.
    pub height: usize,
    /// Columns.
    pub width: usize,
    /// The solved board: tiles in order, the empty square where the instance wants it.
    pub goal: Tiles,
}

impl Frame {
    /// A rectangle whose goal has the given square empty.
    pub fn new(height: usize, width: usize, empty: usize) -> Self {
        let mut goal: Tiles = (1..(height * width) as u8).collect();
        goal.insert(empty, 0);
        Self {
            height,
            width,
            goal,
        }
    }

    /// Number of squares.
    pub fn squares(&self) -> usize {
        self.height * self.width
    }

    /// Row and column of a square, from 0.
    pub fn row_column(&self, square: usize) -> (usize, usize) {
        (square / self.width, square % self.width)
    }

    /// Squares that share a side with one.
    pub fn around(&self, square: usize) -> impl Iterator<Item = usize> + use<> {
        let (row, column) = self.row_column(square);
        let around = [
            (row > 0).then(|| square - self.width),
            (column > 0).then(|| square - 1),
            (column + 1 < self.width).then(|| square + 1),
            (row + 1 < self.height).then(|| square + self.width),
        ];
        around.into_iter().flatten()
    }

    /// The turns and mirror images of the rectangle that keep the goal's empty square, each as the
    /// image of every square; the identity first.
    pub fn symmetries(&self) -> Vec<Vec<usize>> {
        let (size, squares) = ((self.height, self.width), 0..self.squares());
        let image = |way| squares.clone().map(|at| turned(way, size, at)).collect();
        let ways = 0..if self.width == self.height { 8 } else { 4 };
        let mut all: Vec<Vec<usize>> = ways.map(image).collect();
        all.retain(|image| {
            squares
                .clone()
                .all(|at| self.goal[at] != 0 || image[at] == at)
        });
        all
    }

    /// Reads a board, or `goal`.
    ///
    /// # Errors
    /// Anything except each tile once and one empty square.
    pub fn parse(&self, text: &str) -> Result<Tiles, BadInput> {
        let text = text.trim();
        if text == "goal" {
            return Ok(self.goal.clone());
        }
        let refuse = |why: String| {
            let (shown, goal) = (puzzle_api::shown(text), self.draw(&self.goal));
            BadInput::new(format!(
                "'{shown}' is no board: {why}; write it like {goal}"
            ))
        };
        let rows: Vec<&str> = text.split('/').collect();
        let fits = |row: &&str| row.chars().count() == self.width;
        if rows.len() != self.height || !rows.iter().all(fits) {
            let (height, width) = (self.height, self.width);
            return Err(refuse(format!("it takes {height} rows of {width} squares")));
        }
        let mut tiles = Tiles::new();
        for symbol in rows.into_iter().flat_map(str::chars) {
            let tile = match symbol {
                '.' => Some(0),
                _ => SYMBOLS.find(symbol).map(|at| at + 1),
            };
            let tile = tile.filter(|&tile| tile < self.squares());
            let tile = tile.ok_or_else(|| {
                let symbol = symbol.escape_debug();
                refuse(format!("there is no tile '{symbol}'"))
            })?;
            if tiles.contains(&(tile as u8)) {
                return Err(refuse(format!("'{symbol}' is there twice")));
            }
            tiles.push(tile as u8);
        }
        Ok(tiles)
    }

    /// Writes a board as rows joined by `/`.
    pub fn draw(&self, tiles: &[u8]) -> String {
        let symbol = |&tile: &u8| match tile {
            0 => '.',
            tile => char::from(SYMBOLS.as_bytes()[usize::from(tile) - 1]),
        };
        let rows = tiles.chunks(self.width);
        let rows = rows.map(|row| row.iter().map(symbol).collect::<String>());
        rows.collect::<Vec<_>>().join("/")
    }

    /// A player's name of the move between two boards ("5 left"); `None` if it is not a move.
    pub fn describe_move(&self, from: &[u8], to: &[u8]) -> Option<String> {
        let old = to.iter().position(|&tile| tile == 0)?;
        let new = from.iter().position(|&tile| tile == 0)?;
        let way = match new as isize - old as isize {
            1 => "right",
            -1 => "left",
            step if step == self.width as isize => "down",
            step if step == -(self.width as isize) => "up",
            _ => return None,
        };
        let symbol = SYMBOLS
            .chars()
            .nth(usize::from(from[old]).checked_sub(1)?)?;
        Some(format!("{symbol} {way}"))
    }

    /// A board drawn uniformly from all, solvable or not.
    pub fn random(&self, random: &mut Xorshift) -> Tiles {
        let mut tiles = self.goal.clone();
        for last in (1..tiles.len()).rev() {
            tiles.swap(last, random.below(last as u64 + 1) as usize);
        }
        tiles
    }
}

/// Opens an instance: `ROWSxCOLUMNS`, each from 2, with at most 16 squares, or with 17 to 25.
///
/// # Errors
/// An unknown instance or setting, or a value out of range.
pub fn open(request: &Request<'_>, large: bool) -> Result<Frame, BadInput> {
    let name = request.instance;
    let (puzzle, other) = match large {
        true => ("large-tile", "sliding-tile"),
        false => ("sliding-tile", "large-tile"),
    };
    let sides = name.split_once('x').and_then(|(height, width)| {
        let side = |text: &str| text.parse::<usize>().ok().filter(|side| *side >= 2);
        Some((side(height)?, side(width)?))
    });
    let sides = sides.filter(|&(height, width)| format!("{height}x{width}") == name);
    let squares = sides.map(|(height, width)| height.saturating_mul(width));
    let (least, most) = match large {
        true => (MOST_SQUARES + 1, MOST_LARGE),
        false => (4, MOST_SQUARES),
    };
    let (true, Some((height, width))) =
        (squares.is_some_and(|n| (least..=most).contains(&n)), sides)
    else {
        let elsewhere = match squares {
            Some(..=MOST_LARGE) => format!("; {other}/{name} is one"),
            _ => String::new(),
        };
        let (such, bounds) = match large {
            true => ("5x5", format!("{least} to {most}")),
            false => ("3x4", format!("at most {most}")),
        };
        return Err(BadInput::new(format!(
            "no instance {puzzle}/{name}: use ROWSxCOLUMNS, such as {such}, both from 2, with \
             {bounds} squares{elsewhere}"
        )));
    };
    let mut empty = height * width - 1;
    for (key, value) in request.settings {
        if key != "empty" {
            return Err(BadInput::new(format!(
                "{puzzle}/{name} takes no setting '{key}': use empty"
            )));
        }
        let square = value.split_once(',').and_then(|(row, column)| {
            let row: usize = row.trim().parse().ok()?;
            let column: usize = column.trim().parse().ok()?;
            (row < height && column < width).then(|| row * width + column)
        });
        empty = square.ok_or_else(|| {
            let (row, column) = (height - 1, width - 1);
            BadInput::new(format!(
                "empty={value} is no square: write empty=ROW,COLUMN, from 0,0 to {row},{column}"
            ))
        })?;
    }
    Ok(Frame::new(height, width, empty))
}

/// Symbols for the empty square.
const EMPTY: [&str; 9] = ["", " ", "0", ".", "_", "-", "*", "x", "X"];

/// Reads a board of any size: rows joined by `/`, or all squares in one line if the board is square
/// or as large as the instance. Tiles are given by number or symbol, the empty square as 0 or a
/// blank.
///
/// # Errors
/// Anything else.
pub fn placed(request: &Request<'_>, text: &str, large: bool) -> Result<Placed, BadInput> {
    let mut rows = puzzle_api::cells(text);
    let (symbols, root) = (text.chars().count(), text.chars().count().isqrt());
    if root * root == symbols && text.matches(' ').count() == 1 && !text.contains(['/', ',']) {
        rows = vec![text.chars().map(String::from).collect()];
    }
    // Numbers in columns apart: a blank for the empty square is as wide as they are.
    let apart = |&wide: &usize| {
        let is_apart = |row: &Vec<String>| {
            let mut ends = row.iter().skip(wide - 1).step_by(wide);
            row.len() % wide == wide - 1 && row.len() > wide && ends.all(|cell| cell == " ")
        };
        rows.len() > 1 && rows.iter().all(is_apart)
    };
    if let Some(wide) = (2..=3).find(apart) {
        let tile = |tile: &[String]| tile.concat().trim().to_owned();
        let tiles = rows.iter().map(|row| row.chunks(wide).map(tile).collect());
        rows = tiles.collect();
    }
    let refuse = |why: &str| {
        let shown = shown(text);
        BadInput::new(format!(
            "'{shown}' is no board: {why}; write rows joined by '/', such as 123/456/78. or \
             1 2 3/4 5 6/7 8 0"
        ))
    };
    let (cells, root) = (rows.concat(), rows.concat().len().isqrt());
    let width = rows.first().map_or(0, Vec::len);
    let named = open(request, large)
        .ok()
        .filter(|named| named.squares() == cells.len());
    let (height, width) = match (rows.len(), named) {
        (2.., _) if rows.iter().all(|row| row.len() == width) => (rows.len(), width),
        (2.., _) => return Err(refuse("its rows differ in length")),
        (_, Some(named)) => (named.height, named.width),
        _ if root * root == cells.len() && root > 1 => (root, root),
        _ => return Err(refuse("it is not clear how long its rows are")),
    };
    let instance = format!("{height}x{width}");
    let frame = open(&request.on(&instance), large)?;
    let tiles = cells.iter().map(|cell| {
        let symbol = || SYMBOLS.find(&cell.to_lowercase()).map(|at| at + 1);
        let tile = match cell.parse() {
            _ if EMPTY.contains(&&**cell) => Some(0),
            Ok(number) => Some(number),
            Err(_) => symbol().filter(|_| cell.len() == 1),
        };
        let tile = tile.filter(|&tile| tile < frame.squares());
        tile.map(|tile| tile as u8)
            .ok_or_else(|| refuse(&format!("there is no tile '{}'", puzzle_api::shown(cell))))
    });
    let drawn = frame.draw(&tiles.collect::<Result<Tiles, _>>()?);
    frame.parse(&drawn)?;
    Ok(Placed::state(request, instance, drawn))
}

/// Describes puzzle `sliding-tile`.
pub fn about() -> About {
    let instances = [
        ("2x2", "12 boards can be solved"),
        ("2x3", "360 boards can be solved"),
        ("2x4", "20,160 boards can be solved"),
        ("3x3", "the 8-puzzle: 181,440 boards can be solved"),
        ("2x5", "1,814,400 boards can be solved"),
        ("3x4", "the 11-puzzle: 239,500,800 boards can be solved"),
        ("2x6", "239,500,800 boards can be solved"),
        (
            "4x4",
            "the 15-puzzle: 10,461,394,944,000 boards can be solved",
        ),
    ];
    About {
        name: "sliding-tile".to_owned(),
        summary: "Sliding tiles: the 8-puzzle, the 15-puzzle, any rectangle of up to 16 squares"
            .to_owned(),
        claims: include_str!("claims.toml").to_owned(),
        ..described(&instances, MOST_SQUARES)
    }
}

/// Describes puzzle `large-tile`.
pub fn about_large() -> About {
    let instances = [("5x5", "the 24-puzzle: half of 25! boards can be solved")];
    About {
        name: "large-tile".to_owned(),
        summary: "Sliding tiles on 17 to 25 squares: the 24-puzzle, for solve".to_owned(),
        claims: include_str!("large.toml").to_owned(),
        ..described(&instances, MOST_LARGE)
    }
}

/// Instances, the setting, and how boards are drawn as pictures.
fn described(instances: &[(&str, &str)], squares: usize) -> About {
    let instance = |&(name, summary): &(&str, &str)| InstanceInfo::new(name, summary);
    let mut legend = String::from(". empty #f3efe6 empty square\n");
    for symbol in SYMBOLS.chars().take(squares - 1) {
        legend.push_str(&format!("{symbol} block #3b82c4 tile {symbol}\n"));
    }
    About {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        instances: instances.iter().map(instance).collect(),
        settings: vec![SettingInfo::new(
            "empty",
            "the square that is empty in the solved board, ROW,COLUMN from 0,0 (default the last)",
        )],
        legend,
        ..About::default()
    }
}
