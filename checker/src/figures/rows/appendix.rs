//! Programs on whole boards from the appendix of the Tilt thesis, with their permutations
//! corrected. Boards have 50 bits, packed as in [`super`].

use std::collections::BTreeSet;

use super::{FALLS, blocks, drawn, held, joined, packed, parts, printed, tilted};
use crate::figures::{Derived, exact, on_some, sampled, unnamed};
use crate::parts::{NEVER, around, counted, distances};
use crate::rules::board::{reached, subsets};
use crate::rules::tilt::{Board, HOLE, Tilt, image, pack, tilt, tilts, unpack};
use crate::search::{Question, search};
use crate::shown::Stop;

pub fn derive(function: &str) -> Result<Derived, Stop> {
    match function {
        "cartesian" => {
            let lists = Lists::new(&printed);
            let right = Lists::new(&|row, line, way| tilted(row, line, way).unwrap_or(FALLS));
            let what = "that the product of row lists is the predecessors";
            sampled(1000, what, |draw| {
                let drawn = drawn(draw);
                // Most boards have no predecessors; a board that results from a move has some.
                let moved = tilts(&drawn).map(|(_, next)| next).nth(draw.below(2));
                let word = packed(&moved.unwrap_or(drawn));
                (0..2).all(|way| {
                    let found = lists.product(word, way);
                    let counted = found.iter().all(|(word, green)| *green == greens(*word));
                    let words = |list: Vec<(u64, i32)>| list.into_iter().map(|one| one.0);
                    let found: BTreeSet<u64> = words(found).collect();
                    counted && found == words(right.product(word, way)).collect()
                })
            })
        }
        "successors" => sampled(2000, "the four boards after a board", |draw| {
            let drawn = drawn(draw);
            let right = [0, 1, 2, 3].map(|way| tilt(&drawn, way).unwrap_or(drawn));
            right == successors(&drawn)
        }),
        "solve" => {
            let what = "the fewest moves of a board that can be solved";
            sampled(200, what, |draw| {
                let drawn = drawn(draw);
                let found = search(&Tilt::BOX, &Question::solving(pack(&drawn)), false);
                let met = found.and_then(|found| found.met);
                met.is_none_or(|moves| solve(&drawn) == moves)
            })
        }
        "retrograde" | "retrograde-orbits" => {
            on_some(exact(retrograde(function == "retrograde-orbits")))
        }
        "gen-keep" | "gen-memory" => on_some(exact(generator(function == "gen-keep"))),
        _ => unnamed(),
    }
}

/// The board that a word encodes; nothing lies in the hole.
fn board(word: u64) -> Board {
    let mut board = unpack(0);
    for (square, block) in blocks(word, 25).into_iter().enumerate() {
        board[square] = if square == HOLE { b'O' } else { block };
    }
    board
}

fn greens(word: u64) -> i32 {
    held(word, 25, b'g') as i32
}

/// The rows that become a row, indexed by direction, whether it is the middle row, and the row.
struct Lists([[Vec<Vec<u32>>; 2]; 2]);

impl Lists {
    fn new(moved: &dyn Fn(u32, usize, usize) -> u32) -> Self {
        let list = |way: usize, line: usize| {
            let mut list = vec![vec![]; 1024];
            for row in (0..1024_u32).filter(|row| line == 0 || row & FALLS == 0) {
                let after = moved(row, line, way);
                if line == 0 || after != FALLS {
                    list[after as usize].push(row);
                }
            }
            list
        };
        Self([0, 1].map(|way| [0, 2].map(|line| list(way, line))))
    }

    /// The printed `cartesian`: boards, each with the count of greens that the function keeps.
    fn product(&self, word: u64, way: usize) -> Vec<(u64, i32)> {
        let mut found = vec![(0, greens(word))];
        for (line, row) in parts(word, 10).into_iter().enumerate() {
            let list = &self.0[way][usize::from(line == 2)][row as usize];
            let more = |&(above, green): &(u64, i32)| {
                list.iter().map(move |&before| {
                    let gained = greens(before.into()) - greens(row.into());
                    let gained = if line == 2 { gained } else { 0 };
                    (above << 10 | u64::from(before), green + gained)
                })
            };
            found = found.iter().flat_map(more).collect();
            found.retain(|one| one.1 <= 2);
        }
        found.retain(|one| one.0 != word);
        found
    }

    /// The printed `predecessors`.
    fn before(&self, word: u64) -> Vec<u64> {
        let swap = |word: u64| packed(&image(&board(word), 4));
        let both = |word| (0..2).flat_map(move |way| self.product(word, way));
        let of = |word| both(word).map(|one| one.0);
        of(word).chain(of(swap(word)).map(swap)).collect()
    }
}

/// The printed `move` in four directions: turns the board, tilts it to the left and turns it back.
fn successors(from: &Board) -> [Board; 4] {
    let left = |from: Board| {
        let own = parts(packed(&from), 10).into_iter().enumerate();
        let after: Vec<u32> = own.map(|(line, row)| printed(row, line, 0)).collect();
        match after[2] {
            FALLS => from,
            _ => board(joined(after, 10)),
        }
    };
    let (mirror, swap) = (|b: Board| image(&b, 1), |b: Board| image(&b, 4));
    [
        left(*from),
        mirror(left(mirror(*from))),
        swap(left(swap(*from))),
        swap(mirror(left(mirror(swap(*from))))),
    ]
}

/// The printed `solve`.
fn solve(start: &Board) -> u32 {
    let mut tried = reached([*start], successors);
    let solved = tried.find(|(board, _)| !board.contains(&b'g'));
    solved.map_or(0, |(_, moves)| moves)
}

fn least_image(board: &Board) -> u64 {
    let images = (0..8).map(|index| packed(&image(board, index)));
    images.min().unwrap_or(0)
}

/// Whether the last board that the printed `retrograde` meets is the hardest, with the right number
/// of moves. Tries every set of up to two grey squares, with at most one blue block. The roots are
/// all solved boards, or only those with no smaller image around the same grey squares.
fn retrograde(orbits: bool) -> bool {
    let lists = Lists::new(&printed);
    let up_to = |most, of| (0..=most).flat_map(move |count| subsets(of, count));
    up_to(2, around()).all(|greys| {
        let grey = unpack(greys << 25 | greys);
        if packed(&grey) != least_image(&grey) {
            return true;
        }
        let boards = up_to(1, around() & !greys).map(|blue| unpack((greys | blue) << 25 | greys));
        let boards: Vec<Board> = boards.collect();
        let kept = |board: &&Board| {
            let mut same = (1..8).filter(|&index| image(&grey, index) == grey);
            !orbits || same.all(|index| packed(&image(board, index)) >= packed(*board))
        };
        let met = |roots: Vec<&Board>| -> Vec<(u64, u32)> {
            let roots = roots.into_iter().map(|board| packed(board));
            reached(roots, |&word| lists.before(word)).collect()
        };
        let all = met(boards.iter().collect());
        let all: Vec<u64> = all.into_iter().map(|one| one.0).collect();
        let next = |&word: &u64| {
            let own = board(word);
            tilts(&own).map(|one| packed(&one.1)).collect::<Vec<_>>()
        };
        let truth = distances(&all, next, |&word| greens(word) == 0);
        let most = truth.iter().filter(|depth| **depth != NEVER).max();
        let last = met(boards.iter().filter(kept).collect()).pop();
        last.is_some_and(|(last, moves)| {
            let at = all.iter().position(|&word| word == last);
            at.is_some_and(|at| truth[at] == moves) && most == Some(&moves)
        })
    })
}

/// Whether the printed `gen` lists every final board once up to symmetry, with up to two grey and
/// two blue blocks. `valid`, which is not printed, drops what the printed `keep` drops, or else
/// boards with an image already met.
fn generator(keeps: bool) -> bool {
    type Made = (Vec<Board>, BTreeSet<u64>);
    fn go(made: &mut Made, block: u8, left: usize, at: &Board, keeps: bool) {
        let (word, least) = (packed(at), least_image(at));
        let valid = !keeps || word == least;
        if valid && made.1.insert(if keeps { word } else { least }) {
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
