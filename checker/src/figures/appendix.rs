//! The programs of the Tilt thesis' appendix on whole boards, their permutations put right: 50
//! bits, two a square (00 empty, 01 green, 10 blue, 11 grey), the first square highest.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use super::bits::{move_middle, move_row, reverse, tilted};
use super::tilt::{after, board, counted};
use super::{Derived, exact, sampled, unknown};
use crate::certificate::Stop;
use crate::rules::Settings;
use crate::rules::tilt::{Board, HOLE, Tilt, image, pack, tilt, unpack};
use crate::search::{Question, search};

/// A tilt in which a blue block falls.
const FALLS: u32 = 0x30;

pub fn derive(function: &str) -> Result<Derived, Stop> {
    match function {
        "cartesian" => {
            let lists = Lists::new(&|row, line, way| printed_row(row, line, way));
            let right = Lists::new(&|row, line, way| tilted(row, line, way).unwrap_or(FALLS));
            sampled(
                1000,
                "that the product of row lists is the predecessors",
                |draw| {
                    let drawn = board(draw);
                    // Most boards have none; one that is the result of a move has.
                    let moved = after(&drawn).map(|(_, next)| next).nth(draw.below(2));
                    let word = number(&moved.unwrap_or(drawn));
                    (0..2).all(|way| {
                        let found = lists.product(word, way);
                        let exact = right.product(word, way);
                        let counted = found.iter().all(|(word, green)| *green == greens(*word));
                        let words = |list: &[(u64, i32)]| list.iter().map(|one| one.0).collect();
                        let (found, exact): (BTreeSet<u64>, BTreeSet<u64>) =
                            (words(&found), words(&exact));
                        counted && found == exact
                    })
                },
            )
        }
        "successors" => sampled(2000, "the four boards after a board", |draw| {
            let drawn = board(draw);
            let right = (0..4).map(|way| tilt(&drawn, way).unwrap_or(drawn));
            right.eq(successors(&drawn))
        }),
        "solve" => {
            let tilt = Tilt::open("box", &Settings::new())?;
            sampled(
                200,
                "the fewest moves of a board that can be solved",
                |draw| {
                    let drawn = board(draw);
                    let question = Question {
                        roots: vec![pack(&drawn)],
                        until: Some(None),
                        ..Question::default()
                    };
                    let met = search(&tilt, &question, false).and_then(|found| found.met);
                    met.is_none_or(|moves| solve(&drawn) == moves)
                },
            )
        }
        "retrograde" | "retrograde-orbits" => exact(retrograde(function == "retrograde-orbits")),
        "gen-keep" | "gen-memory" => exact(generator(function == "gen-keep")),
        _ => unknown("no function of this name is known here"),
    }
}

/// A board in the printed packing.
fn number(board: &Board) -> u64 {
    let code = |cell: &u8| b".gb#".iter().position(|c| c == cell).unwrap_or(0) as u64;
    board.iter().fold(0, |word, cell| word << 2 | code(cell))
}

fn of_number(word: u64) -> Board {
    let mut board = unpack(0);
    for square in (0..25).filter(|&square| square != HOLE) {
        board[square] = b".gb#"[(word >> (48 - 2 * square) & 3) as usize];
    }
    board
}

fn rows(word: u64) -> [u32; 5] {
    [40, 30, 20, 10, 0].map(|by| (word >> by) as u32 & 0x3FF)
}

fn greens(word: u64) -> i32 {
    (0..25)
        .filter(|square| word >> (2 * square) & 3 == 1)
        .count() as i32
}

/// A row after a tilt to the left (0) or right (1), by the printed functions.
fn printed_row(row: u32, line: usize, way: usize) -> u32 {
    let left = |row| {
        if line == 2 {
            move_middle(row)
        } else {
            move_row(row)
        }
    };
    if way == 0 {
        left(row)
    } else {
        reverse(left(reverse(row)))
    }
}

/// By way, middle row or not, and row: the rows that become it.
struct Lists([[Vec<Vec<u32>>; 2]; 2]);

impl Lists {
    fn new(moved: &dyn Fn(u32, usize, usize) -> u32) -> Self {
        let mut lists = Self(std::array::from_fn(|_| {
            std::array::from_fn(|_| vec![vec![]; 1024])
        }));
        for (way, line) in [(0, 0), (0, 2), (1, 0), (1, 2)] {
            for row in (0..1024_u32).filter(|row| line == 0 || row & FALLS == 0) {
                let after = moved(row, line, way) as usize;
                if line == 0 || after != FALLS as usize {
                    lists.0[way][line / 2][after].push(row);
                }
            }
        }
        lists
    }

    /// Printed `cartesian`: boards with the count of greens that it keeps for each.
    fn product(&self, word: u64, way: usize) -> Vec<(u64, i32)> {
        let (own, original) = (rows(word), greens(word));
        let mut found = vec![(0, original)];
        for (line, row) in own.into_iter().enumerate() {
            let list = &self.0[way][usize::from(line == 2)][row as usize];
            let more = |&(above, green): &(u64, i32)| {
                list.iter().map(move |&before| {
                    let gained = greens(before.into()) - greens(row.into());
                    let gained = if line == 2 { gained } else { 0 };
                    (above << 10 | u64::from(before), green + gained)
                })
            };
            found = found
                .iter()
                .flat_map(more)
                .filter(|one| one.1 <= 2)
                .collect();
        }
        found.retain(|one| one.0 != word);
        found
    }

    /// Printed `predecessors`.
    fn before(&self, word: u64) -> Vec<u64> {
        let swap = |word: u64| number(&image(&of_number(word), 4));
        let of = |word, way| self.product(word, way).into_iter().map(|one| one.0);
        let turned = swap(word);
        let columns = of(turned, 0).chain(of(turned, 1)).map(swap);
        of(word, 0).chain(of(word, 1)).chain(columns).collect()
    }
}

/// Printed `move` in four directions: a tilt to the left between turns of the board.
fn successors(board: &Board) -> impl Iterator<Item = Board> {
    let left = |board: Board| {
        let own = rows(number(&board));
        let after: [u32; 5] = std::array::from_fn(|line| printed_row(own[line], line, 0));
        let word = after
            .iter()
            .fold(0_u64, |word, row| word << 10 | u64::from(*row));
        if after[2] == FALLS {
            board
        } else {
            of_number(word)
        }
    };
    let (mirror, swap) = (|b: Board| image(&b, 1), |b: Board| image(&b, 4));
    [
        left(*board),
        mirror(left(mirror(*board))),
        swap(left(swap(*board))),
        swap(mirror(left(mirror(swap(*board))))),
    ]
    .into_iter()
}

/// Printed `solve`.
fn solve(start: &Board) -> u32 {
    let (mut queue, mut memory, mut at) = (vec![(*start, 0)], BTreeSet::new(), 0);
    while let Some(&(board, moves)) = queue.get(at) {
        at += 1;
        if memory.insert(board) {
            if !board.contains(&b'g') {
                return moves;
            }
            queue.extend(successors(&board).map(|next| (next, moves + 1)));
        }
    }
    0
}

/// Boards with up to two blocks more.
fn with_up_to(most: usize, block: u8, at: &Board) -> Vec<Board> {
    let mut all = BTreeSet::from([*at]);
    for _ in 0..most {
        let more = |board: &Board| {
            let board = *board;
            let free = (0..25).filter(move |&square| board[square] == b'.');
            free.map(move |square| {
                let mut next = board;
                next[square] = block;
                next
            })
        };
        all = all
            .iter()
            .copied()
            .chain(all.iter().flat_map(more))
            .collect();
    }
    all.into_iter().collect()
}

fn least_image(board: &Board) -> u64 {
    (0..8)
        .map(|index| number(&image(board, index)))
        .min()
        .unwrap_or(0)
}

/// Whether the last board that printed `retrograde` meets is the hardest, and counted right, around
/// every set of up to two grey squares with one blue block or none; its roots are all solved
/// boards, or those of which no image around the same grey squares is smaller.
fn retrograde(orbits: bool) -> bool {
    let lists = Lists::new(&|row, line, way| printed_row(row, line, way));
    let greys = with_up_to(2, b'#', &unpack(0));
    greys
        .into_iter()
        .filter(|grey| number(grey) == least_image(grey))
        .all(|grey| {
            let all: Vec<Board> = with_up_to(1, b'b', &grey);
            let kept = |board: &&Board| {
                let mut same = (1..8).filter(|&index| image(&grey, index) == grey);
                !orbits || same.all(|index| number(&image(board, index)) >= number(board))
            };
            let met = |roots: Vec<u64>| {
                let mut queue: Vec<(u64, u32)> = roots.into_iter().map(|root| (root, 0)).collect();
                let (mut memory, mut last, mut at) = (BTreeMap::new(), 0, 0);
                while let Some(&(word, moves)) = queue.get(at) {
                    at += 1;
                    if let Entry::Vacant(place) = memory.entry(word) {
                        place.insert(moves);
                        last = word;
                        queue.extend(
                            lists
                                .before(word)
                                .into_iter()
                                .map(|before| (before, moves + 1)),
                        );
                    }
                }
                (memory, last)
            };
            let roots = |all: Vec<&Board>| all.into_iter().map(number).collect();
            let truth = distances(met(roots(all.iter().collect())).0.into_keys().collect());
            let (memory, last) = met(roots(all.iter().filter(kept).collect()));
            let most = truth.values().max();
            truth.get(&last) == most && memory.get(&last) == most
        })
}

/// Fewest moves of boards among themselves, by rounds on the rulebook until nothing changes.
fn distances(boards: Vec<u64>) -> BTreeMap<u64, u32> {
    let mut found: BTreeMap<u64, u32> = BTreeMap::new();
    let after: Vec<(u64, Vec<u64>)> = boards
        .iter()
        .map(|&word| {
            (
                word,
                after(&of_number(word))
                    .map(|(_, next)| number(&next))
                    .collect(),
            )
        })
        .collect();
    for round in 0.. {
        let is_next = |(word, next): &&(u64, Vec<u64>)| {
            !found.contains_key(word)
                && if round == 0 {
                    greens(*word) == 0
                } else {
                    next.iter().any(|next| found.contains_key(next))
                }
        };
        let new: Vec<u64> = after.iter().filter(is_next).map(|one| one.0).collect();
        if new.is_empty() {
            break;
        }
        found.extend(new.into_iter().map(|word| (word, round)));
    }
    found
}

/// Printed `gen`, with up to two grey blocks and around each set up to two blue ones: whether every
/// final board is there once up to symmetry. `valid`, which is not printed, drops what printed `keep`
/// drops, or else boards of which an image was met.
fn generator(keeps: bool) -> bool {
    type Made = (Vec<Board>, BTreeSet<u64>);
    fn go(made: &mut Made, block: u8, left: usize, at: &Board, keeps: bool) {
        let valid = !keeps || number(at) == least_image(at);
        if valid
            && made
                .1
                .insert(if keeps { number(at) } else { least_image(at) })
        {
            made.0.push(*at);
        }
        for square in (0..25).filter(|&square| left > 0 && at[square] == b'.') {
            let mut next = *at;
            next[square] = block;
            go(made, block, left - 1, &next, keeps);
        }
    }
    let (mut greys, mut finals) = (Made::default(), Made::default());
    go(&mut greys, b'#', 2, &unpack(0), keeps);
    for grey in &greys.0 {
        go(&mut finals, b'b', 2, grey, keeps);
    }
    let orbits: BTreeSet<u64> = finals.0.iter().map(least_image).collect();
    let wanted = counted([2, 2, 0]).1 as usize;
    orbits.len() == wanted && finals.0.len() == wanted
}
