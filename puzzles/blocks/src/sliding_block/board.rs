//! A puzzle on a board: its kinds of pieces, its start, its goal; positions as cells, and as text.

mod read;

use puzzle_api::{BadInput, FeatureSpace};

use crate::sliding_block::alphabet::Alphabet;
use crate::sliding_block::grid::{Grid, Shape};

pub use read::read_file;

/// Pieces that are interchangeable: those of one shape. A piece with a goal is its own kind if
/// others share its shape, since it matters which of them arrives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kind {
    pub shape: Shape,
    /// Letters of its pieces, in the order of their first appearance in the start.
    pub letters: Vec<char>,
    /// The cell that the first cell of the piece has to reach.
    pub goal: Option<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Cell {
    /// A wall, which never changes.
    Wall,
    Empty,
    /// A cell of the piece with this number. Pieces are numbered kind by kind.
    Piece(u8),
}

/// A position: the content of each cell, in scanning order.
pub type Cells = Vec<Cell>;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Board {
    pub name: String,
    pub grid: Grid,
    /// By cell: whether it is a gate, which only pieces with a goal may cover.
    pub gates: Vec<bool>,
    /// Kinds of pieces, little ones first; kind `k` is symbol `k + 1` of the key.
    pub kinds: Vec<Kind>,
    pub start: Cells,
    pub alphabet: Alphabet,
    /// Number of the first piece of each kind, and the number of pieces.
    firsts: Vec<u8>,
    kinds_of_pieces: Vec<u8>,
    /// Symbols of the pieces with a goal.
    aims: Vec<usize>,
    /// The board without pieces.
    pub bare: Cells,
}

impl Board {
    /// Builds a board from its kinds and a drawing of its start.
    fn new(
        name: &str,
        grid: Grid,
        gates: Vec<bool>,
        mut kinds: Vec<Kind>,
        marks: &[char],
    ) -> Result<Self, BadInput> {
        // Stable, so that kinds otherwise keep the order of their first appearance in the start.
        kinds.sort_by_key(|kind| !kind.shape.is_little());
        let mut firsts = vec![0_u8];
        for kind in &kinds {
            let last = firsts[firsts.len() - 1];
            firsts.push(last + kind.letters.len() as u8);
        }
        let empty = marks.iter().filter(|&&mark| mark == '.').count();
        let mut counts = vec![empty as u8];
        counts.extend(kinds.iter().map(|kind| kind.letters.len() as u8));
        let little = kinds.iter().filter(|kind| kind.shape.is_little()).count() + 1;
        let Some(alphabet) = Alphabet::new(counts, little) else {
            return Err(BadInput::new(
                "the board is too large for a key of 128 bits: it has more arrangements of its \
                 pieces than 2^128; use fewer pieces or fewer different shapes",
            ));
        };
        let kind_of = |piece: u8| firsts.partition_point(|&first| first <= piece) as u8 - 1;
        let walls = (0..grid.len()).map(|cell| grid.is_wall(cell));
        let mut board = Self {
            name: name.to_owned(),
            kinds_of_pieces: (0..firsts[kinds.len()]).map(kind_of).collect(),
            bare: walls
                .map(|wall| if wall { Cell::Wall } else { Cell::Empty })
                .collect(),
            grid,
            gates,
            aims: (1..)
                .zip(&kinds)
                .filter_map(|(symbol, kind)| kind.goal.map(|_| symbol))
                .collect(),
            kinds,
            start: Vec::new(),
            alphabet,
            firsts,
        };
        board.start = board.cells_of_marks(marks)?;
        Ok(board)
    }

    pub fn pieces(&self) -> usize {
        usize::from(self.firsts[self.firsts.len() - 1])
    }

    /// The cells that a piece of a kind covers with its first cell on `anchor`. `None` if one of
    /// them is a wall, outside, or a gate that the kind may not cover.
    pub fn covered(&self, kind: usize, anchor: usize) -> Option<Vec<usize>> {
        let cells = self.kinds[kind].shape.cells(&self.grid, anchor)?;
        let barred = self.kinds[kind].goal.is_none() && cells.iter().any(|&at| self.gates[at]);
        (!barred).then_some(cells)
    }

    /// By the number of an open cell: what [`Board::covered`] lists for it, as bits by the numbers
    /// of open cells; none if the piece does not fit.
    pub fn covers(&self, kind: usize) -> Vec<u128> {
        let bit = |&cell: &usize| 1 << self.grid.number(cell);
        let bits = |cells: Vec<usize>| cells.iter().map(bit).sum();
        let covered = self.grid.open.iter().map(|&cell| self.covered(kind, cell));
        covered.map(|cells| cells.map_or(0, bits)).collect()
    }

    pub fn kind_of(&self, piece: u8) -> usize {
        self.kinds_of_pieces[usize::from(piece)].into()
    }

    /// Number of the first piece of a kind; those of the kind follow each other.
    pub fn first_piece(&self, kind: usize) -> u8 {
        self.firsts[kind]
    }

    /// The string of a position: see [`crate::sliding_block::alphabet`].
    pub fn string(&self, cells: &Cells) -> Vec<u8> {
        let (mut string, mut many) = (vec![0; cells.len()], 0);
        // All pieces together have at most 128 cells.
        let mut seen: u128 = 0;
        for cell in cells {
            let (symbol, own, is_open) = match *cell {
                Cell::Wall => (0, 0, false),
                Cell::Empty => (0, 0, true),
                Cell::Piece(piece) => (self.kind_of(piece) as u8 + 1, 1 << piece, true),
            };
            string[many] = symbol;
            // Whether a cell is the first of its piece cannot be predicted by a processor.
            many += usize::from(is_open & (seen & own == 0));
            seen |= own;
        }
        string.truncate(many);
        string
    }

    /// The position of a string, each symbol placed on the first free cell; `None` if a piece does
    /// not fit there. Pieces of a kind are numbered in scanning order.
    pub fn cells_of_string(&self, string: &[u8]) -> Option<Cells> {
        let mut cells = self.bare.clone();
        let mut next = self.firsts.clone();
        let mut symbols = string.iter();
        for &cell in &self.grid.open {
            if cells[cell] != Cell::Empty {
                continue;
            }
            // A piece covers no cell before its first one, so a cell left empty stays empty.
            let Some(symbol) = usize::from(*symbols.next()?).checked_sub(1) else {
                continue;
            };
            let kind = self.kinds.get(symbol)?;
            for &offset in kind.shape.offsets() {
                let covered = self.grid.offset(cell, offset)?;
                let barred = self.gates[covered] && kind.goal.is_none();
                if cells[covered] != Cell::Empty || barred {
                    return None;
                }
                cells[covered] = Cell::Piece(next[symbol]);
            }
            next[symbol] += 1;
        }
        symbols.next().is_none().then_some(cells)
    }

    /// First cell of each piece, by its number.
    pub fn anchors(&self, cells: &Cells) -> Vec<usize> {
        let mut anchors = vec![usize::MAX; self.pieces()];
        for (at, cell) in cells.iter().enumerate() {
            if let Cell::Piece(piece) = *cell {
                let anchor = &mut anchors[usize::from(piece)];
                *anchor = (*anchor).min(at);
            }
        }
        anchors
    }

    /// Whether every piece with a goal is on it.
    pub fn is_solved(&self, cells: &Cells) -> bool {
        let anchors = self.anchors(cells);
        self.kinds.iter().zip(&self.firsts).all(|(kind, &first)| {
            kind.goal
                .is_none_or(|goal| anchors[usize::from(first)] == goal)
        })
    }

    /// First cells of the pieces of each kind, ascending.
    pub fn anchors_by_kind(&self, cells: &Cells) -> Vec<Vec<usize>> {
        let anchors = self.anchors(cells);
        let of_kind = |pair: &[u8]| {
            let mut own = anchors[usize::from(pair[0])..usize::from(pair[1])].to_vec();
            own.sort_unstable();
            own
        };
        self.firsts.windows(2).map(of_kind).collect()
    }

    /// The number of features of a position ([`Board::features`]).
    pub fn feature_space(&self) -> FeatureSpace {
        let cells = self.grid.open.len();
        let holes = self.start.iter().filter(|&&cell| cell == Cell::Empty);
        FeatureSpace {
            settings: cells as u32,
            features: ((1 + self.kinds.len()) * cells) as u32,
            each: (self.pieces() + holes.count()) as u32,
        }
    }

    /// The places of a position.
    pub fn places(&self, cells: &Cells) -> Vec<Vec<usize>> {
        let holes = self.grid.open.iter().copied();
        let holes = holes.filter(|&at| cells[at] == Cell::Empty).collect();
        let by_symbol = [holes].into_iter().chain(self.anchors_by_kind(cells));
        let number = |cell| self.grid.number(cell);
        let numbers = |cells: Vec<usize>| cells.into_iter().map(number).collect();
        by_symbol.map(numbers).collect()
    }

    /// The places of the pieces with a goal.
    fn aims(&self, places: &impl Places) -> impl Iterator<Item = usize> {
        let aims = self.aims.iter();
        aims.map(|&symbol| places.of(symbol).next().unwrap_or_default())
    }

    /// The place of the first piece with a goal, and then, symbol by symbol, which is at which
    /// place.
    pub fn features(&self, places: &impl Places, out: &mut Vec<u32>) {
        out.push(self.aims(places).next().unwrap_or_default() as u32);
        let firsts = (0..).step_by(self.grid.open.len());
        for (symbol, first) in (0..=self.kinds.len()).zip(firsts) {
            out.extend(places.of(symbol).map(|place| first + place as u32));
        }
    }

    /// The diversity class of a position, shared by similar ones: the order of the big pieces,
    /// which is given, and the places of the pieces with a goal.
    pub fn diversity_class(&self, order: u64, places: &impl Places) -> u64 {
        // Odd, so that no information is lost.
        const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
        self.aims(places).fold(order, |all, place| {
            all.wrapping_mul(FACTOR).wrapping_add(place as u64)
        })
    }
}

/// A position by symbol: the places of holes, and of the first cells of pieces, ascending. A place
/// is the number of an open cell.
pub trait Places {
    fn of(&self, symbol: usize) -> impl Iterator<Item = usize>;
}

impl Places for Vec<Vec<usize>> {
    fn of(&self, symbol: usize) -> impl Iterator<Item = usize> {
        self[symbol].iter().copied()
    }
}
