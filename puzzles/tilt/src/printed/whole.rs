//! The printed searches: `solve`, `successors` and `retrograde` of appendix A.1, with `transpose`
//! and `mirr_v` corrected so that their own lines are tried.

use std::collections::{BTreeSet, HashMap, HashSet};

use puzzle_api::Figure;

use super::code::{Corrected, Counted, ILLEGAL_ROW, ROWS, Tables, solved, to_board, to_rows};
use super::finding;
use super::rows::{pack, unpack};
use crate::board::{self, Board, Cell, HOLE, SQUARES};
use crate::rules::{self, Tilt};
use crate::sample;

/// Boards of a sample, and the seed they are drawn with.
const BOARDS: u64 = 300;
const SEED: u64 = 2015;

fn boards() -> impl Iterator<Item = Board> {
    sample::of_box(SEED, BOARDS)
}

/// Printed `move` in four directions, with its search through the tables done once a row.
struct Moves {
    corrected: Corrected,
    outer: Vec<u32>,
    middle: Vec<u32>,
}

impl Moves {
    fn new() -> Self {
        let tables = Tables::init();
        let (mut outer, mut middle) = (vec![0; ROWS as usize], vec![0; ROWS as usize]);
        for after in 0..ROWS {
            for &row in &tables.left[after as usize] {
                outer[row as usize] = after;
            }
            for &(row, _) in &tables.left_c[after as usize] {
                middle[row as usize] = after;
            }
        }
        Self {
            corrected: Corrected::new(),
            outer,
            middle,
        }
    }

    fn left(&self, board: u64) -> u64 {
        let rows = to_rows(board);
        let mut after = rows.map(|row| self.outer[row as usize]);
        after[2] = self.middle[rows[2] as usize];
        match after[2] == ILLEGAL_ROW {
            true => board,
            false => to_board(after),
        }
    }

    fn successors(&self, board: u64) -> [u64; 4] {
        let (mirror, swap) = (
            |b| self.corrected.mirr_v(b),
            |b| self.corrected.transpose(b),
        );
        [
            self.left(board),
            mirror(self.left(mirror(board))),
            swap(self.left(swap(board))),
            swap(mirror(self.left(mirror(swap(board))))),
        ]
    }

    fn solve(&self, board: u64) -> u32 {
        let mut queue = vec![(board, 0)];
        let mut memory = HashSet::new();
        let mut at = 0;
        while let Some(&(board, moves)) = queue.get(at) {
            at += 1;
            if !memory.insert(board) {
                continue;
            }
            if solved(board) {
                return moves;
            }
            queue.extend(self.successors(board).map(|next| (next, moves + 1)));
        }
        0
    }
}

/// The fewest moves by the rulebook; `None` for a board that cannot be solved.
fn fewest(start: &Board) -> Option<u32> {
    let mut seen = BTreeSet::from([board::key(start)]);
    let mut level = vec![*start];
    for moves in 0.. {
        if level.is_empty() {
            return None;
        }
        if level.iter().any(rules::is_solved) {
            return Some(moves);
        }
        let next = level.iter().flat_map(|board| {
            Tilt::ALL
                .into_iter()
                .filter_map(|way| rules::tilt(board, way))
        });
        level = next
            .filter(|board| seen.insert(board::key(board)))
            .collect();
    }
    None
}

/// `solve`, on boards that can be solved.
pub(super) fn solve() -> Vec<Figure> {
    let moves = Moves::new();
    let (mut solvable, mut wrong, mut nought) = (0_u64, 0_u64, 0_u64);
    let mut farthest = (0, board::empty_board());
    for board in boards() {
        let printed = moves.solve(pack(&board));
        match fewest(&board) {
            Some(fewest) => {
                solvable += 1;
                if printed > farthest.0 {
                    farthest = (printed, board);
                }
                wrong += u64::from(printed != fewest);
            }
            None => nought += u64::from(printed == 0),
        }
    }
    finding(
        wrong == 0,
        vec![
            Figure::new("sampled", solvable),
            Figure::new("wrong", wrong),
            Figure::new(
                "drawn",
                "Boards of the box drawn uniformly, of them those that can be solved,",
            ),
            Figure::new("boards that cannot be solved", BOARDS - solvable),
            Figure::new("of these, answered with 0", nought),
            Figure::new(
                format!("a board answered with {}, the most", farthest.0),
                board::draw(&farthest.1),
            ),
        ],
        "With move put right it gives the fewest moves of every board that can be \
             solved. A board that cannot be solved gets 0, as a solved one does; its caller asks \
             only about boards that it met from solved ones, so no figure depends on it.",
    )
}

/// `successors`, on the sample.
pub(super) fn successors() -> Vec<Figure> {
    let moves = Moves::new();
    let wrong = boards().filter(|board| {
        let expected = Tilt::ALL.map(|way| pack(&rules::tilt(board, way).unwrap_or(*board)));
        moves.successors(pack(board)) != expected
    });
    let wrong = wrong.count() as u64;
    let mut figures = vec![
        Figure::new("sampled", BOARDS),
        Figure::new("wrong", wrong),
        Figure::new(
            "drawn",
            "Boards of the box drawn uniformly, all four tilts,",
        ),
    ];
    figures.extend(all_four(&moves));
    finding(
        wrong == 0,
        figures,
        "With move put right the four boards are those of the rulebook; a tilt that \
             is forbidden gives the board itself once more, which a search drops. The counter of \
             greens is never set; solve does not read it.",
    )
}

/// The first board of the sample with four successors, and these.
fn all_four(moves: &Moves) -> Vec<Figure> {
    let found = boards().find_map(|board| {
        let after = moves.successors(pack(&board));
        let different: BTreeSet<u64> = after.into_iter().chain([pack(&board)]).collect();
        let after: Option<Vec<Board>> = after.into_iter().map(unpack).collect();
        after
            .filter(|_| different.len() == 5)
            .map(|after| (board, after))
    });
    let Some((board, after)) = found else {
        return Vec::new();
    };
    let name = |way: Tilt| format!("after a tilt {}", way.name());
    let after = Tilt::ALL.into_iter().zip(after);
    std::iter::once(Figure::new("a board", board::draw(&board)))
        .chain(after.map(|(way, after)| Figure::new(name(way), board::draw(&after))))
        .collect()
}

// ---- retrograde --------------------------------------------------------------------

/// Most grey squares of the sub-problems on which `retrograde` is run, with one blue block or none.
const GREYS: u32 = 2;

fn free(grey: u32) -> Vec<usize> {
    let open = (0..SQUARES).filter(|&square| square != HOLE);
    open.filter(|&square| grey >> square & 1 == 0).collect()
}

/// Final states around a grey set: without blue blocks and with one.
fn finals(grey: u32) -> Vec<Board> {
    let bare = board::grey_board(grey);
    let with = |square| {
        let mut board = bare;
        board[square] = Cell::Blue;
        board
    };
    std::iter::once(bare)
        .chain(free(grey).into_iter().map(with))
        .collect()
}

/// Printed `keep`, on the numbers of the printed packing.
pub(super) fn keep(board: &Board) -> bool {
    let number = pack(board);
    (1..8).all(|index| pack(&board::image(board, index)) >= number)
}

/// The printed `retrograde`: the distance of every board that it meets, in its order; the last one
/// is its result.
fn searched(tables: &Tables, corrected: &Corrected, roots: &[Board]) -> (HashMap<u64, u32>, u64) {
    let root = |board: &Board| {
        (
            Counted {
                board: pack(board),
                green: 0,
            },
            0,
        )
    };
    let mut queue: Vec<(Counted, u32)> = roots.iter().map(root).collect();
    let mut memory = HashMap::new();
    let mut last = queue.first().map_or(0, |(at, _)| at.board);
    let mut at = 0;
    while let Some(&(board, moves)) = queue.get(at) {
        at += 1;
        if memory.contains_key(&board.board) {
            continue;
        }
        memory.insert(board.board, moves);
        last = board.board;
        let before = tables.predecessors(corrected, board).into_iter();
        queue.extend(before.map(|before| (before, moves + 1)));
    }
    (memory, last)
}

/// Fewest moves of every board of a set that is closed under moves, for those that can be solved,
/// by the rulebook: its tilts, followed backward from the solved boards.
fn distances(boards: &HashMap<u64, u32>) -> HashMap<u64, u32> {
    let mut before: HashMap<u64, Vec<u64>> = HashMap::new();
    let mut level = Vec::new();
    for &packed in boards.keys() {
        let Some(board) = unpack(packed) else {
            continue;
        };
        if rules::is_solved(&board) {
            level.push(packed);
        }
        for way in Tilt::ALL {
            if let Some(after) = rules::tilt(&board, way) {
                before.entry(pack(&after)).or_default().push(packed);
            }
        }
    }
    let mut found: HashMap<u64, u32> = level.iter().map(|&board| (board, 0)).collect();
    for moves in 1.. {
        let sources = level.iter().filter_map(|board| before.get(board)).flatten();
        let mut next: Vec<u64> = sources
            .copied()
            .filter(|board| !found.contains_key(board))
            .collect();
        next.sort_unstable();
        next.dedup();
        if next.is_empty() {
            break;
        }
        found.extend(next.iter().map(|&board| (board, moves)));
        level = next;
    }
    found
}

/// `retrograde` on every grey set of up to [`GREYS`] squares, with one blue block or none. Checks
/// that the board it returns needs the most moves and that all boards it meets are counted right.
/// Its roots are all final states or, with `symmetric_once`, one of each orbit.
pub(super) fn retrograde(symmetric_once: bool) -> Vec<Figure> {
    let (tables, corrected) = (Tables::init(), Corrected::new());
    let (mut parts, mut met, mut last_wrong, mut parts_wrong) = (0_u64, 0, 0_u64, 0_u64);
    let mut example = None;
    let mut returned = (0, 0, 0, 0);
    for grey in grey_sets() {
        let all = finals(grey);
        let truth = distances(&searched(&tables, &corrected, &all).0);
        let most = truth.values().max();
        let roots: Vec<Board> = match symmetric_once {
            true => all.into_iter().filter(first_of_orbit).collect(),
            false => all,
        };
        let (memory, last) = searched(&tables, &corrected, &roots);
        parts += 1;
        met += memory.len();
        let right = truth.get(&last) == most && memory.get(&last) == most;
        last_wrong += u64::from(!right);
        let moves = |of: &HashMap<u64, u32>| of.get(&last).copied().unwrap_or(0);
        // One wrong distance shows more than the hardest board among all right ones.
        let this = (u8::from(!right), moves(&memory), moves(&truth), last);
        returned = returned.max(this);
        let wrong = memory
            .iter()
            .filter(|&(board, moves)| truth.get(board) != Some(moves));
        let least = wrong.map(|(&board, _)| board).min();
        parts_wrong += u64::from(least.is_some());
        example = example.or_else(|| unpack(least?));
    }
    finding(
        last_wrong == 0,
        vec![
            Figure::new("sub-problems", parts),
            Figure::new(
                if last_wrong == 0 {
                    "tried"
                } else {
                    "boards met"
                },
                met,
            ),
            Figure::new("wrong", last_wrong),
            Figure::new(
                "drawn",
                "Boards of the sub-problems with up to two grey blocks and one blue block",
            ),
            Figure::new("sub-problems with a board counted too far", parts_wrong),
            Figure::new(
                "a board counted too far",
                example.map_or_else(String::new, |board| board::draw(&board)),
            ),
            Figure::new(
                format!(
                    "a board returned, counted as {} moves from solved; right are {}",
                    returned.1, returned.2
                ),
                unpack(returned.3).map_or_else(String::new, |board| board::draw(&board)),
            ),
        ],
        "All sub-problems of up to two grey blocks with one blue block or none, every \
             board met against the rulebook. The queue is first in, first out, so the last new \
             board is at the greatest distance from the roots given. Where the roots are one of \
             each orbit, as section 3.4.2 makes them, and the grey set is its own image, the \
             nearest solved board of some boards is not among them, and these are counted too far.",
    )
}

/// Whether no image of the board around the same grey set is smaller.
fn first_of_orbit(board: &Board) -> bool {
    let grey = board::mask(board, Cell::Grey);
    let images = (1..8).map(|index| board::image(board, index));
    let mut same = images.filter(|image| board::mask(image, Cell::Grey) == grey);
    same.all(|image| pack(&image) >= pack(board))
}

/// Grey sets of up to [`GREYS`] squares without a smaller image, as printed.
fn grey_sets() -> impl Iterator<Item = u32> {
    let open = (0..1_u32 << SQUARES).filter(|grey| grey >> HOLE & 1 == 0);
    let small = open.filter(|grey| grey.count_ones() <= GREYS);
    small.filter(|&grey| keep(&board::grey_board(grey)))
}
