//! The 8-puzzle: eight numbered tiles in a 3x3 frame; a move slides a tile into the
//! empty square.
//!
//! Built with `cargo build --release` in this folder, searched with
//! `antipode analyse eight-puzzle/3x3 --plugin target/release/libeight_puzzle.so`.

use puzzle_api::{
    About, BadInput, Family, InstanceInfo, Numbering, Placement, Puzzle, RandomStates, Request,
    SolvedStates, Symmetry, Undirected, Xorshift, export_puzzle,
};

export_puzzle!(EightPuzzle: Rules);

/// Tiles by square, row by row; 0 is the empty square.
type Tiles = [u8; 9];

const GOAL: Tiles = [1, 2, 3, 4, 5, 6, 7, 8, 0];

/// 9!, the number of ways to place the tiles.
const PLACEMENTS: u64 = 362_880;

/// The name of the puzzle.
struct EightPuzzle;

impl Family for EightPuzzle {
    fn about() -> About {
        About {
            name: "eight-puzzle".into(),
            version: env!("CARGO_PKG_VERSION").into(),
            summary: "slide eight tiles in a 3x3 frame into order".into(),
            instances: vec![InstanceInfo {
                name: "3x3".into(),
                summary: "362,880 placements, half of them solvable".into(),
            }],
            legend: ". empty #f3efe6 empty square\n".into(),
            ..About::default()
        }
    }
}

/// How it is played.
struct Rules;

impl Puzzle for Rules {
    type Key = u64;
    type State = Tiles;

    fn open(request: &Request<'_>) -> Result<Self, BadInput> {
        match (request.instance, request.settings.keys().next()) {
            ("3x3", None) => Ok(Self),
            ("3x3", Some(key)) => Err(BadInput::new(format!("no setting '{key}': there are none"))),
            (other, _) => Err(BadInput::new(format!("no instance '{other}': use 3x3"))),
        }
    }

    // It has no start of its own, and so no `starts`: the user gives one by --from.

    fn successors(&self, tiles: &Tiles, emit: &mut dyn FnMut(Tiles)) {
        let empty = tiles.iter().position(|&tile| tile == 0).unwrap_or(0);
        for square in 0..9 {
            let rows = (square / 3_usize).abs_diff(empty / 3);
            let columns = (square % 3).abs_diff(empty % 3);
            if rows + columns == 1 {
                let mut next = *tiles;
                next.swap(square, empty);
                emit(next);
            }
        }
    }

    fn is_solved(&self, tiles: &Tiles) -> bool {
        *tiles == GOAL
    }

    /// Four bits per square.
    fn key(&self, tiles: &Tiles) -> u64 {
        tiles
            .iter()
            .rfold(0, |key, &tile| key << 4 | u64::from(tile))
    }

    fn state(&self, key: u64) -> Tiles {
        std::array::from_fn(|square| (key >> (4 * square) & 15) as u8)
    }

    fn parse(&self, text: &str) -> Result<Tiles, BadInput> {
        if text == "goal" {
            return Ok(GOAL);
        }
        let help = || BadInput::new(format!("'{text}' is no board: write {}", self.draw(&GOAL)));
        let symbols: Vec<char> = text.chars().collect();
        let [a, b, c, '/', d, e, f, '/', g, h, i] = symbols[..] else {
            return Err(help());
        };
        let mut tiles = GOAL;
        for (tile, symbol) in tiles.iter_mut().zip([a, b, c, d, e, f, g, h, i]) {
            *tile = match symbol {
                '.' => 0,
                '1'..='8' => symbol as u8 - b'0',
                _ => return Err(help()),
            };
        }
        match (0..9).find(|tile| !tiles.contains(tile)) {
            None => Ok(tiles),
            Some(0) => Err(BadInput::new("no square is empty: write it as '.'")),
            Some(tile) => Err(BadInput::new(format!("tile {tile} is missing"))),
        }
    }

    fn draw(&self, tiles: &Tiles) -> String {
        let symbol = |&tile: &u8| match tile {
            0 => '.',
            tile => char::from(b'0' + tile),
        };
        let rows = tiles.chunks(3).map(|row| row.iter().map(symbol).collect());
        rows.collect::<Vec<String>>().join("/")
    }
}

// Everything below is optional: each trait makes more engines or checks possible, and implementing
// it is enough.

impl SolvedStates for Rules {
    fn solved_states(&self, _part: u64, emit: &mut dyn FnMut(Tiles)) {
        emit(GOAL);
    }
}

/// Every slide can be slid back.
impl Undirected for Rules {}

impl Symmetry for Rules {
    fn symmetry_count(&self) -> u32 {
        2
    }

    /// Rows and columns exchanged, and the tiles renamed so that the goal is unchanged.
    fn image(&self, tiles: &Tiles, index: u32) -> Tiles {
        if index == 0 {
            return *tiles;
        }
        let across = |square: usize| square % 3 * 3 + square / 3;
        let renamed = |tile: u8| match tile {
            0 => 0,
            tile => across(usize::from(tile) - 1) as u8 + 1,
        };
        std::array::from_fn(|square| renamed(tiles[across(square)]))
    }
}

impl Numbering for Rules {
    fn space(&self, _part: u64) -> Option<u64> {
        Some(PLACEMENTS)
    }

    /// Place in the list of all placements, sorted.
    fn place(&self, tiles: &Tiles) -> Option<Placement> {
        let rank = (0..9).fold(0, |rank, square| {
            let later = &tiles[square + 1..];
            let smaller = later.iter().filter(|&&tile| tile < tiles[square]).count();
            rank * (9 - square as u64) + smaller as u64
        });
        Some(Placement { part: 0, rank })
    }

    fn unrank(&self, placement: Placement) -> Option<Tiles> {
        let mut left: Vec<u8> = (0..9).collect();
        let mut rest = placement.rank;
        let mut weight = PLACEMENTS;
        Some(std::array::from_fn(|square| {
            weight /= 9 - square as u64;
            let tile = left.remove((rest / weight) as usize);
            rest %= weight;
            tile
        }))
    }
}

impl RandomStates for Rules {
    fn random(&self, random: &mut Xorshift) -> Option<Tiles> {
        let rank = random.below(PLACEMENTS);
        self.unrank(Placement { part: 0, rank })
    }
}
