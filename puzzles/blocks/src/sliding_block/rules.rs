//! The rulebook's rules of sliding blocks: a position is an array of cells.

use puzzle_api::{BadInput, FeatureSpace, Hint, Hints, Request};

use crate::metric::Metric;
use crate::rules::{Game, WAYS, Way, drawn_on};
use crate::sliding_block::board::{Board, Cell, Cells};
use crate::sliding_block::grid::GATE;
use crate::sliding_block::instances::{self, Instance};
use crate::sliding_block::symmetry::{self, Symmetry};
use crate::variant;

/// Variant `reference`.
pub type Rules = variant::Rules<Instance>;

/// The image of a position under a symmetry of the board.
pub fn image(board: &Board, cells: &Cells, symmetry: &Symmetry) -> Cells {
    let mut image = board.bare.clone();
    for (at, cell) in cells.iter().enumerate() {
        if let Cell::Piece(piece) = *cell {
            image[symmetry.cells[at]] = Cell::Piece(symmetry.pieces[usize::from(piece)]);
        }
    }
    image
}

impl Game for Instance {
    type Key = u128;
    type Board = Cells;
    type Numbers = Vec<Symmetry>;

    fn open(request: &Request<'_>) -> Result<Self, BadInput> {
        instances::open(request)
    }

    fn numbers(&self) -> Vec<Symmetry> {
        symmetry::symmetries(&self.board)
    }

    fn metric(&self) -> Metric {
        self.metric
    }

    /// There are too many solved positions to list without a search.
    fn start(&self) -> Option<Cells> {
        Some(self.board.start.clone())
    }

    fn pieces(&self, _: &Cells) -> usize {
        self.board.pieces()
    }

    fn covered(&self, cells: &Cells, piece: usize) -> impl AsRef<[usize]> {
        let own = Cell::Piece(piece as u8);
        let own = (0..cells.len()).filter(move |&at| cells[at] == own);
        own.collect::<Vec<usize>>()
    }

    fn ways(&self, _: &Cells, _: usize) -> &'static [Way] {
        &WAYS
    }

    /// A gate is open only to pieces with a goal.
    fn ahead<'a>(
        &'a self,
        cells: &'a Cells,
        piece: usize,
    ) -> impl Fn(usize, Way) -> Option<usize> + 'a {
        let board = &self.board;
        let own = Cell::Piece(piece as u8);
        let has_goal = board.kinds[board.kind_of(piece as u8)].goal.is_some();
        move |at, way| {
            let to = board.grid.offset(at, way)?;
            let barred = board.gates[to] && !has_goal;
            // A piece does not block itself.
            (!barred && (cells[to] == Cell::Empty || cells[to] == own)).then_some(to)
        }
    }

    fn put(&self, cells: &Cells, piece: usize, to: &[usize]) -> Cells {
        let mut after = cells.clone();
        let own = Cell::Piece(piece as u8);
        let left = after.iter_mut().filter(|cell| **cell == own);
        left.for_each(|cell| *cell = Cell::Empty);
        to.iter().for_each(|&at| after[at] = own);
        after
    }

    fn is_solved(&self, cells: &Cells) -> bool {
        self.board.is_solved(cells)
    }

    fn key(&self, cells: &Cells) -> u128 {
        let alphabet = &self.board.alphabet;
        alphabet.rank(&mut self.board.string(cells))
    }

    fn board(&self, key: u128) -> Cells {
        let string = self.board.alphabet.unrank(key);
        // Keys come from `key` by contract; for any other, the start is returned.
        let cells = self.board.cells_of_string(&string);
        cells.unwrap_or_else(|| self.board.start.clone())
    }

    fn parse(&self, text: &str) -> Result<Cells, BadInput> {
        self.board.parse(text)
    }

    fn columns(&self) -> usize {
        self.board.grid.width
    }

    fn draw(&self, cells: &Cells) -> String {
        let mark = |cell: usize| match self.board.grid.is_wall(cell) {
            true => '#',
            false if self.board.gates[cell] => GATE,
            false => '.',
        };
        let ground = (0..self.board.grid.len()).map(mark).collect();
        drawn_on(self, cells, ground)
    }

    /// The pieces of a kind take its letters in scanning order, so equal positions look alike, and
    /// the start looks as printed.
    fn mark(&self, cells: &Cells, piece: usize) -> char {
        let kind = self.board.kind_of(piece as u8);
        let anchors = self.board.anchors(cells);
        let own = &self.board.kinds[kind].letters;
        let alike = &anchors[self.board.first_piece(kind).into()..][..own.len()];
        own[alike.iter().filter(|&&at| at < anchors[piece]).count()]
    }

    fn names(&self) -> Vec<String> {
        vec!["start".to_owned()]
    }
}

impl puzzle_api::Symmetry for Rules {
    fn symmetry_count(&self) -> u32 {
        self.numbers.len() as u32
    }

    fn image(&self, state: &Cells, index: u32) -> Cells {
        image(&self.game.board, state, &self.numbers[index as usize])
    }
}

impl Rules {
    /// The order of the big pieces (Dogon, "non-uniform bucket hash"), as the high digits
    /// of the key.
    fn bucket(&self, state: &Cells) -> u64 {
        (self.game.key(state) / self.game.board.alphabet.little_total) as u64
    }
}

impl Hints for Rules {
    fn has_hint(&self, hint: Hint) -> bool {
        hint != Hint::MoveOrder
    }

    fn hint(&self, hint: Hint, states: &[Cells], out: &mut Vec<u64>) {
        out.extend(states.iter().map(|state| match hint {
            Hint::DiversityClass => {
                let board = &self.game.board;
                board.diversity_class(self.bucket(state), &board.places(state))
            }
            _ => self.bucket(state),
        }));
    }

    fn feature_space(&self) -> Option<FeatureSpace> {
        Some(self.game.board.feature_space())
    }

    fn features(&self, states: &[Cells], out: &mut Vec<u32>) {
        let board = &self.game.board;
        states
            .iter()
            .for_each(|state| board.features(&board.places(state), out));
    }
}
