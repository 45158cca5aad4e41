//! Every algorithm and its twin as a pair of closures over the same inputs:
//! one list for the benches, for instruction counts and for a test that both
//! give the same results before anybody times them.

use std::sync::Arc;

use super::naive::position::{Piece, Position as Literal};
use super::naive::{self, Cells, Set};
use super::y::{Colour, YBoard};
use super::{Board, Direction, Geometry, GeometryError, Grid, Position};
use super::{filters, life, morphology, packing, queries, updates};

/// Runs one call on the next input and digests its result to a number.
pub type Call = Box<dyn FnMut() -> u64>;

/// One algorithm in two implementations.
pub struct Case {
    /// Algorithm and board, as `dilation/7x6`.
    pub name: String,
    /// Where the article describes it.
    pub source: &'static str,
    /// The bit version.
    pub bits: Call,
    /// The literal twin.
    pub naive: Call,
}

/// Inputs a case cycles through.
const INPUTS: usize = 64;

/// A small, fixed generator (SplitMix64), so that every run sees the same
/// inputs.
#[derive(Clone, Debug)]
pub struct Random(pub u64);

impl Random {
    /// The next 64 random bits.
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A random set, each bit on with probability a half.
    pub fn bits<const N: usize>(&mut self) -> Board<N> {
        Board::from_words(std::array::from_fn(|_| self.word()))
    }

    /// A random position: a third of the cells each side's, a third empty,
    /// roughly.
    pub fn position<const N: usize>(&mut self, board: &Geometry<N>) -> Position<N> {
        let occupied = (self.bits() | self.bits::<N>() & self.bits()) & board.mask();
        let player = occupied & self.bits();
        Position {
            player,
            opponent: occupied & !player,
        }
    }
}

/// A position in both representations, with a cell of the board.
struct Input<const N: usize> {
    bits: Position<N>,
    cells: Literal,
    player: Set,
    last_bit: Board<N>,
    last: usize,
}

/// Builds the cases of one board.
struct Bench<const N: usize> {
    label: &'static str,
    board: Geometry<N>,
    inputs: Arc<Vec<Input<N>>>,
    cases: Vec<Case>,
}

impl<const N: usize> Bench<N> {
    fn new(label: &'static str, board: Geometry<N>) -> Self {
        let on_board = board.to_cells(board.mask());
        let cells = Arc::new(Cells::new(board.grid(), board.width(), on_board));
        let mut random = Random(1);
        let inputs = (0..INPUTS).map(|_| input(&board, &cells, &mut random));
        Self {
            label,
            inputs: Arc::new(inputs.collect()),
            board,
            cases: Vec::new(),
        }
    }

    fn add(
        &mut self,
        name: &str,
        source: &'static str,
        mut bits: impl FnMut(&Geometry<N>, &Input<N>) -> u64 + 'static,
        mut naive: impl FnMut(&Input<N>) -> u64 + 'static,
    ) {
        let board = self.board.clone();
        let (mut a, mut b) = (self.cycle(), self.cycle());
        self.cases.push(Case {
            name: format!("{name}/{}", self.label),
            source,
            bits: Box::new(move || a(&mut |input| bits(&board, input))),
            naive: Box::new(move || b(&mut naive)),
        });
    }

    /// Hands the inputs to a function in turn.
    fn cycle(&self) -> impl FnMut(&mut dyn FnMut(&Input<N>) -> u64) -> u64 + use<N> {
        let inputs = Arc::clone(&self.inputs);
        let mut next = 0;
        move |run| {
            next = (next + 1) % INPUTS;
            run(&inputs[next])
        }
    }
}

fn input<const N: usize>(board: &Geometry<N>, cells: &Arc<Cells>, random: &mut Random) -> Input<N> {
    let bits = random.position(board);
    let (player, opponent) = (board.to_cells(bits.player), board.to_cells(bits.opponent));
    // The last move is one of the player's pieces.
    let pick = random.word() as usize % (bits.player.count() as usize).max(1);
    let index = bits.player.iter().nth(pick).or(board.mask().lowest());
    let (x, y) = index.and_then(|i| board.cell(i)).unwrap_or_default();
    let (last, last_bit) = (y * board.width() + x, board.at(x, y));
    Input {
        bits,
        cells: Literal::new(Arc::clone(cells), &player, &opponent),
        player,
        last_bit,
        last,
    }
}

fn on(set: &[bool]) -> u64 {
    set.iter().filter(|&&on| on).count() as u64
}

fn count<const N: usize>(bits: Board<N>) -> u64 {
    u64::from(bits.count())
}

fn pieces(at: &Literal) -> u64 {
    at.pieces.iter().filter(|&&p| p == Piece::Player).count() as u64
}

const D: Direction = Direction::E;

#[rustfmt::skip] // One case a line reads as the table that it is.
fn morphology_and_filters<const N: usize>(b: &mut Bench<N>) {
    b.add("dilation", "4.3", |g, i| count(morphology::dilate(g, i.bits.player)), |i| on(&i.cells.board.dilate(&i.player)));
    b.add("erosion", "4.4", |g, i| count(morphology::erode(g, i.bits.player)), |i| on(&i.cells.board.erode(&i.player)));
    b.add("empty-neighbours", "algorithm 1", |g, i| count(filters::empty_neighbours(g, &i.bits)), |i| on(&i.cells.empty_neighbours()));
    b.add("empty-neighbours-east", "algorithm 2", |g, i| count(filters::empty_neighbours_towards(g, &i.bits, D)), |i| on(&i.cells.empty_neighbours_towards(D)));
    b.add("enemy-neighbours-east", "algorithm 3", |g, i| count(filters::enemy_neighbours_towards(g, &i.bits, D)), |i| on(&i.cells.enemy_neighbours_towards(D)));
    b.add("line-cap-moves", "algorithm 4", |g, i| count(filters::line_cap_moves(g, &i.bits)), |i| on(&i.cells.line_cap_moves()));
    b.add("breakthrough-moves", "algorithm 5", |g, i| count(filters::breakthrough_moves(g, &i.bits)), |i| on(&i.cells.breakthrough_moves()));
}

#[rustfmt::skip]
fn queries_and_updates<const N: usize>(b: &mut Bench<N>) {
    b.add("line-length", "algorithm 6", |g, i| queries::line_length(g, i.bits.player).into(), |i| i.cells.board.line_length(&i.player).into());
    b.add("line-of-four", "algorithm 7", |g, i| queries::has_line_of_four(g, i.bits.player).into(), |i| i.cells.board.has_line_of_four(&i.player).into());
    b.add("flip-neighbours", "algorithm 9", |g, i| count(updates::flip_enemy_neighbours(g, &i.bits).player), |i| pieces(&i.cells.flip_enemy_neighbours()));
    b.add("flip-around-move", "algorithm 10", |g, i| count(updates::flip_around_move(g, &i.bits, i.last_bit).player), |i| pieces(&i.cells.flip_around_move(i.last)));
    b.add("press", "algorithm 11", |g, i| count(updates::press(g, i.bits.player, i.last_bit)), |i| on(&i.cells.board.press(&i.player, i.last)));
    b.add("surround-capture", "algorithm 12", |g, i| count(updates::surround_capture(g, &i.bits)), |i| on(&i.cells.surround_capture()));
    b.add("life", "listing 2", |g, i| count(life::step(g, i.bits.player)), |i| on(&naive::life::step(&i.cells.board, &i.player)));
}

fn patterns<const N: usize>(b: &mut Bench<N>) {
    // The plus of figure 17.
    let plus = [(1, 0), (0, 1), (1, 1), (2, 1), (1, 2)];
    let bits = queries::translations(&b.board, &plus);
    let cells: Vec<Set> = bits.iter().map(|&p| b.board.to_cells(p)).collect();
    let found = |at: Option<usize>| at.map_or(0, |at| at as u64 + 1);
    b.add(
        "pattern-plus",
        "algorithm 8",
        move |_, i| found(queries::find_pattern(&bits, i.bits.player)),
        move |i| found(i.cells.board.find_pattern(&cells, &i.player)),
    );
}

fn on_board<const N: usize>(label: &'static str, board: Geometry<N>) -> Vec<Case> {
    let mut bench = Bench::new(label, board);
    morphology_and_filters(&mut bench);
    queries_and_updates(&mut bench);
    patterns(&mut bench);
    bench.cases
}

/// Listing 2 on the torus, a generation a call.
fn torus_life() -> Case {
    let start = Random(2).word();
    let (mut word, mut cells) = (start, naive::life::from_word(start));
    Case {
        name: "torus-life/8x8".into(),
        source: "listing 2",
        bits: Box::new(move || {
            word = life::torus_step(word);
            word >> 7 & 1
        }),
        naive: Box::new(move || {
            cells = naive::life::torus_step(&cells);
            u64::from(cells[0][0]) // bit 7 of the word
        }),
    }
}

/// A board of Y filled at random, as after a Monte Carlo playout.
pub fn random_y(side: usize, random: &mut Random) -> Option<YBoard> {
    let mut board = YBoard::new(side)?;
    for (c, r) in board.cells() {
        let black = random.word() >> 63 == 1;
        let owner = if black { Colour::Black } else { Colour::White };
        board.set(c, r, Some(owner));
    }
    Some(board)
}

fn winner(colour: Option<Colour>) -> u64 {
    match colour {
        None => 0,
        Some(Colour::White) => 1,
        Some(Colour::Black) => 2,
    }
}

/// Y reduction against union-find on the same random fills.
pub fn y_against_union_find(side: usize) -> Option<Case> {
    let mut random = Random(3);
    let boards: Option<Vec<_>> = (0..INPUTS).map(|_| random_y(side, &mut random)).collect();
    let boards = boards?;
    let cells: Vec<_> = boards.iter().map(naive::y::triangle).collect();
    let mut forest = naive::y::UnionFind::default();
    let (mut i, mut j) = (0, 0);
    Some(Case {
        name: format!("y-winner/side-{side}"),
        source: "listing 1",
        bits: Box::new(move || {
            i = (i + 1) % INPUTS;
            winner(boards[i].winner())
        }),
        naive: Box::new(move || {
            j = (j + 1) % INPUTS;
            winner(forest.winner(&cells[j]))
        }),
    })
}

/// Line detection on Yavalath's 61 cells against following neighbours, in all
/// positions alike or, with `last_move`, through a known last move.
///
/// # Errors
/// Never in practice: the board takes 81 of 128 bits.
pub fn lines_against_neighbours(last_move: bool) -> Result<Case, GeometryError> {
    let board = Geometry::<2>::hexagon(5)?;
    let mut bench = Bench::new("yavalath", board);
    let cells = Cells::new(
        Grid::Hexagonal,
        bench.board.width(),
        bench.board.to_cells(bench.board.mask()),
    );
    let table = naive::lines::NeighbourTable::new(&cells);
    let follow = move |i: &Input<2>| -> u64 {
        if last_move {
            table.longest_through(&i.player, i.last).into()
        } else {
            table.longest(&i.player).into()
        }
    };
    let bits = |g: &Geometry<2>, i: &Input<2>| queries::line_length(g, i.bits.player).into();
    let name = if last_move {
        "lines-last-move"
    } else {
        "lines"
    };
    bench.add(name, "algorithm 6", bits, follow);
    Ok(bench.cases.remove(0))
}

/// All packings of the Soma cube against trial and error.
fn soma() -> Case {
    let puzzle = packing::soma();
    Case {
        name: "soma/3x3x3".into(),
        source: "algorithm 13",
        bits: Box::new(move || puzzle.count()),
        naive: Box::new(|| naive::packing::count([3, 3, 3], &packing::SOMA)),
    }
}

/// The whole list, on boards of one word (7x6), of one word without
/// separating bits (8x8), and of six words (19x19).
///
/// # Errors
/// Never in practice: the three boards fit.
pub fn all() -> Result<Vec<Case>, GeometryError> {
    let grid = Grid::SquareDiagonal;
    let mut cases = on_board("7x6", Geometry::<1>::new(grid, 7, 6, 1)?);
    cases.extend(on_board("8x8-masked", Geometry::<1>::new(grid, 8, 8, 0)?));
    cases.extend(on_board("19x19", Geometry::<6>::new(grid, 19, 19, 1)?));
    cases.push(lines_against_neighbours(false)?);
    cases.extend([torus_life(), soma()]);
    cases.extend(y_against_union_find(11));
    Ok(cases)
}
