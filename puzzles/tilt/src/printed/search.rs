//! The printed functions on whole boards, on a fixed sample of random ones.

use std::collections::BTreeSet;

use puzzle_api::{Figure, Xorshift};

use super::code::{self, Counted, Tables};
use super::finding;
use super::rows::{pack, unpack};
use crate::bitboard::{Masks, tables};
use crate::board::{self, Board, Cell};
use crate::instances::{Instance, Limits, THESIS_B};
use crate::rules::{self, Tilt};
use crate::sample;

/// Boards in a sample, and the seed they are drawn with.
const BOARDS: u64 = 2000;
const SEED: u64 = 2015;
const DRAWN: &str = "Boards of the box drawn uniformly, every other one after a move,";

/// Random boards of the box; every other one after a legal tilt, since most boards
/// have no predecessor.
fn boards() -> impl Iterator<Item = Board> {
    let whole = Instance::whole_box(Limits::BOX);
    (0..BOARDS).map(move |index| {
        let mut random = Xorshift::for_draw(SEED, index);
        let board = sample::random_board(&whole, &mut random);
        let tilted = Tilt::ALL
            .into_iter()
            .cycle()
            .skip(random.below(4) as usize)
            .take(4)
            .find_map(|direction| rules::tilt(&board, direction));
        match tilted {
            Some(tilted) if index % 2 == 1 => tilted,
            _ => board,
        }
    })
}

fn without_greens() -> String {
    let mut board = board::parse(THESIS_B).unwrap_or_else(|_| board::empty_board());
    let greens = board.iter_mut().filter(|cell| **cell == Cell::Green);
    greens.for_each(|cell| *cell = Cell::Empty);
    board::draw(&board)
}

/// `solved`, on every content of every row: both sides treat each row, or square, separately.
pub(super) fn solved() -> Vec<Figure> {
    let rows =
        (0..5).flat_map(|line| (0..code::ROWS).map(move |row| u64::from(row) << (10 * line)));
    let boards = rows.filter_map(|packed| Some((packed, unpack(packed)?)));
    let (mut tried, mut wrong) = (0_u64, 0_u64);
    for (packed, board) in boards {
        tried += 1;
        wrong += u64::from(code::solved(packed) != rules::is_solved(&board));
    }
    finding(
        tried > 0 && wrong == 0,
        vec![
            Figure::new("all", tried),
            Figure::new("wrong", wrong),
            Figure::new("a board with green blocks", THESIS_B),
            Figure::new("the same without them, which is solved", without_greens()),
        ],
        "Agrees with the rulebook: solved is a board without green blocks. It asks \
             of one row after the other whether that has a green block, and all contents of all \
             five rows were tried.",
    )
}

/// A comparison of the printed predecessors of one direction with the exact ones.
#[derive(Default)]
struct Score {
    boards_wrong: u64,
    too_many: usize,
    too_few: usize,
    greens_miscounted: usize,
}

impl Score {
    fn add(&mut self, board: &Board, found: &[Counted], direction: Tilt) {
        let exact = exact_predecessors(board, direction);
        let keys: BTreeSet<u64> = found.iter().map(|one| one.board).collect();
        let (too_many, too_few) = (
            keys.difference(&exact).count(),
            exact.difference(&keys).count(),
        );
        self.boards_wrong += u64::from(too_many + too_few > 0);
        self.too_many += too_many;
        self.too_few += too_few;
        self.greens_miscounted += found
            .iter()
            .filter(|one| {
                unpack(one.board)
                    .is_none_or(|board| board::count(&board, Cell::Green) as i32 != one.green)
            })
            .count();
    }
}

/// The boards other than `board` with at most two greens that the tilt turns into it, in the
/// printed packing. Candidates come from line lists, and the rulebook checks each. That no
/// candidate is missing is checked by the tests over whole parts.
fn exact_predecessors(board: &Board, direction: Tilt) -> BTreeSet<u64> {
    let mut exact = BTreeSet::new();
    let state = Masks(board::key(board));
    let most = Limits::BOX.green.max;
    tables::Tables::shared().origins(state, direction, most, |origin| {
        let before = board::from_key(origin.0);
        if rules::tilt(&before, direction).as_ref() == Some(board) {
            exact.insert(pack(&before));
        }
    });
    exact
}

/// The printed predecessors by the two directions that need no `transpose`.
fn score() -> [Score; 2] {
    let tables = Tables::init();
    let mut scores: [Score; 2] = Default::default();
    for board in boards() {
        let lists = tables.along_rows(counted(&board));
        for ((score, list), direction) in scores.iter_mut().zip(&lists).zip(Tilt::ALL) {
            score.add(&board, list, direction);
        }
    }
    scores
}

fn counted(board: &Board) -> Counted {
    Counted {
        board: pack(board),
        green: board::count(board, Cell::Green) as i32,
    }
}

fn drawn<const N: usize>(names: [String; N], boards: [Board; N]) -> Vec<Figure> {
    let figures = names.into_iter().zip(boards);
    figures
        .map(|(name, board)| Figure::new(name, board::draw(&board)))
        .collect()
}

fn score_figures(scores: &[Score]) -> impl Iterator<Item = Figure> {
    let each = scores.iter().zip(Tilt::ALL);
    each.map(|(score, direction)| {
        Figure::new(
            format!("{}, as printed", direction.name()),
            format!(
                "{} boards wrong, {} predecessors too many, {} too few, {} green counts wrong",
                score.boards_wrong, score.too_many, score.too_few, score.greens_miscounted
            ),
        )
    })
}

fn flawless(scores: &[Score]) -> bool {
    scores
        .iter()
        .all(|score| score.boards_wrong == 0 && score.greens_miscounted == 0)
}

/// A board of the sample with the first and the last that are listed before a tilt to the left.
fn listed() -> Vec<Figure> {
    let tables = Tables::init();
    let found = boards().find_map(|board| {
        let [left, _] = tables.along_rows(counted(&board));
        let ends = [left.first()?, left.last()?].map(|one| unpack(one.board));
        let [Some(first), Some(last)] = ends else {
            return None;
        };
        (left.len() > 2).then_some((left.len(), [board, first, last]))
    });
    let Some((listed, shown)) = found else {
        return Vec::new();
    };
    let names = [
        "a board".to_owned(),
        format!("the first of {listed} listed before it, by a tilt to the left"),
        format!("the last of {listed}"),
    ];
    drawn(names, shown)
}

/// `cartesian`, by the two directions that need no `transpose`.
pub(super) fn cartesian() -> Vec<Figure> {
    let scores = score();
    let mut figures = vec![
        Figure::new("sampled", BOARDS),
        Figure::new("wrong", u64::from(!flawless(&scores))),
        Figure::new("drawn", DRAWN),
    ];
    figures.extend(score_figures(&scores));
    figures.extend(listed());
    finding(
        flawless(&scores),
        figures,
        "For tilts to the left and right the product of the row lists is exactly \
             the set of predecessors with at most two greens, the board itself left out. The \
             green counter is the count of the board's greens throughout, so comparing board \
             and counter is the same as comparing boards, and a visited set keyed by the board \
             alone loses nothing.",
    )
}
