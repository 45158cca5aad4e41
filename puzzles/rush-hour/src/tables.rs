//! The rulebook of a single board as tables: where the pieces of each line move, asked for all
//! that the line can hold and all cells of it that other pieces cover.
//!
//! A piece stays in its line and is stopped by single cells of it; nothing of the fast variant is
//! used. It is for checking every board that a search found (`puzzle_api::proof`). Parts of a
//! census have a proof of their own ([`crate::proof`]).

use puzzle_api::proof::{Forth, RuleTables, agrees_by_moves, halves_agree, on_a_walk};
use puzzle_api::{BadInput, Puzzle, Request};

use crate::board::Board;
use crate::instances::{self, Instance};
use crate::proof::lines::{Slide, Slides};
use crate::rules::{self, Rules};

/// States from which on these tables pay: they are filled and held in the time that the rulebook
/// takes for one or two thousand.
pub const PAY_FROM: u64 = 2_000;

/// Boards of a walk on which the tables are held against the rulebook: few, because every run
/// holds 128 or more of its own, or all.
const TRIED: u64 = 100;
/// Moves from one to the next.
const APART: u64 = 9;
/// Most lines of a board.
const MOST_LINES: usize = 16;

/// What a line holds.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Held {
    /// Cells of the board that it covers.
    covers: u64,
    /// What each move adds to the key, wrapping, and the cells of the board that nothing may
    /// cover: first those to a later content of the line.
    moves: Vec<(u64, u64)>,
    /// How many those are.
    forth: usize,
}

/// The rulebook of a single board as tables.
pub struct LineTables {
    instance: Instance,
    start: Board,
    rules: Rules,
    /// Whether the boards have ranks.
    numbered: bool,
    lines: Vec<Slides>,
    /// By line that holds pieces, the last first, and by what it holds.
    held: Vec<Vec<Held>>,
    /// By what the red car's row holds.
    solved: Vec<bool>,
}

impl std::fmt::Debug for LineTables {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LineTables")
            .field("instance", &self.instance)
            .field("held", &self.held)
            .finish_non_exhaustive()
    }
}

/// What a key says.
struct Placed {
    /// Cells with a wall or a piece.
    taken: u64,
    /// Whether no cell is taken twice, and there is nothing else in the key.
    is_board: bool,
}

impl LineTables {
    /// The tables of an instance, some milliseconds; `None` for a census.
    ///
    /// # Errors
    /// [`BadInput`] as the variants say it.
    pub fn open(request: &Request<'_>) -> Result<Option<Self>, BadInput> {
        let (instance, rules) = (instances::open(request)?, Rules::open(request)?);
        let Some(start) = instance.start.clone() else {
            return Ok(None);
        };
        let lines = 0..instance.lines.len();
        let lines: Vec<Slides> = lines.map(|line| Slides::new(&instance, line)).collect();
        // An empty line of a board stays empty, and has no digit in a key.
        let holds_pieces = |line: &usize| lines[*line].cells(0) != 0;
        let red_row = usize::from(instance.red_row);
        let places = 0..instance.lines[red_row].contents.len();
        let holding = (0..lines.len()).rev().filter(holds_pieces);
        let held = holding.map(|line| held(&instance, &lines[line], line));
        Ok(Some(Self {
            held: held.collect(),
            solved: places
                .map(|place| solved_with(&instance, red_row, place))
                .collect(),
            numbered: instance.numbered(),
            lines,
            start,
            rules,
            instance,
        }))
    }

    /// Goes through what each line holds, the last first; gives what the key says of all.
    #[inline]
    fn read<'a>(&'a self, key: u64, mut each: impl FnMut(&'a Held)) -> Placed {
        let mut placed = Placed {
            taken: self.instance.walls[0],
            is_board: true,
        };
        let mut rest = key;
        for line in &self.held {
            let held = &line[(rest % line.len() as u64) as usize];
            rest /= line.len() as u64;
            placed.is_board &= placed.taken & held.covers == 0;
            placed.taken |= held.covers;
            each(held);
        }
        placed.is_board &= rest == 0;
        placed
    }

    /// Whether the rulebook's word on what is solved hangs on the red car's row alone, shown on
    /// all that each other line can hold.
    fn is_solved_by_the_red_car(&self) -> bool {
        let red_row = usize::from(self.instance.red_row);
        let solved = |line, content| solved_with(&self.instance, line, content);
        let others = (0..self.lines.len()).filter(|&line| line != red_row);
        let mut all = others.map(|line| (line, self.instance.lines[line].contents.len()));
        all.all(|(line, contents)| (1..contents).all(|own| solved(line, own) == solved(line, 0)))
    }
}

/// Whether a board is solved by the rulebook with this in one line, and in each other one the first
/// that it can hold.
fn solved_with(instance: &Instance, line: usize, content: usize) -> bool {
    let key = content as u64 * instance.lines[line].weight;
    rules::is_solved(&instance.board(key))
}

/// All that a line can hold.
fn held(instance: &Instance, slides: &Slides, line: usize) -> Vec<Held> {
    let weight = instance.lines[line].weight;
    let content = |from: usize| {
        let own = slides.cells(from);
        let move_to = |slide: &Slide| {
            let added = u64::from(slide.to).wrapping_sub(from as u64);
            let needs = instance.cells_on(line, slide.needs & !own);
            (added.wrapping_mul(weight), needs)
        };
        let is_forth = |slide: &&Slide| usize::from(slide.to) > from;
        let (forth, back): (Vec<&Slide>, Vec<&Slide>) = slides.of(from).iter().partition(is_forth);
        Held {
            covers: instance.cells_on(line, own),
            forth: forth.len(),
            moves: forth.into_iter().chain(back).map(move_to).collect(),
        }
    };
    (0..instance.lines[line].contents.len())
        .map(content)
        .collect()
}

impl RuleTables<u64> for LineTables {
    fn foundation(&self) -> Result<String, String> {
        if !self.lines.iter().all(Slides::are_the_moves) {
            return Err("what a move needs is more than some cells free".into());
        }
        if !self.is_solved_by_the_red_car() {
            return Err("what is solved hangs on more than the red car's row".into());
        }
        let start = self.rules.key(&self.start);
        on_a_walk(self, start, (TRIED, APART), |key| {
            agrees_by_moves(self, &self.rules, key)?;
            halves_agree(self, &[key])
                .map_err(|(_, what)| format!("{}: {what}", self.instance.board(key).draw()))
        })?;
        Ok(format!(
            "where pieces move was taken from the rulebook for all that their line can hold and \
             all cells of it that others cover, and found to hang on single cells, and moves of a \
             board to be those of its lines on {TRIED} boards of a walk"
        ))
    }

    fn undirected(&self) -> bool {
        let back = |slides: &Slides, from: usize, there: &Slide| {
            let mut all = slides.of(there.to.into()).iter();
            let free = there.needs | slides.cells(from);
            all.any(|back| usize::from(back.to) == from && back.needs & !free == 0)
        };
        let mut lines = self.lines.iter().zip(&self.instance.lines);
        lines.all(|(slides, line)| {
            let mut contents = 0..line.contents.len();
            contents.all(|from| {
                slides
                    .of(from)
                    .iter()
                    .all(|there| back(slides, from, there))
            })
        })
    }

    /// Boards have no symmetries.
    fn symmetry_count(&self) -> usize {
        1
    }

    fn images(&self, keys: &[u64], out: &mut Vec<u64>) {
        let image = |&key: &u64| match self.read(key, |_| ()).is_board {
            true => key,
            false => !key,
        };
        out.extend(keys.iter().map(image));
    }

    fn successors(&self, keys: &[u64], out: &mut Vec<u64>, ends: &mut Vec<usize>) {
        for &key in keys {
            let mut own: [&[(u64, u64)]; MOST_LINES] = [&[]; MOST_LINES];
            let mut moves = own.iter_mut();
            let placed = self.read(key, |held| {
                if let Some(moves) = moves.next() {
                    *moves = &held.moves;
                }
            });
            for (added, needs) in own[..self.held.len()].iter().copied().flatten() {
                if needs & placed.taken == 0 {
                    out.push(key.wrapping_add(*added));
                }
            }
            ends.push(out.len());
        }
    }

    /// No board has symmetries, so an orbit is a state.
    fn forth(&self, keys: &[u64], _by_orbits: bool, out: &mut Forth<u64>) -> bool {
        let nothing = Held::default();
        for &key in keys {
            let mut own: [&Held; MOST_LINES] = [&nothing; MOST_LINES];
            let mut lines = own.iter_mut();
            let placed = self.read(key, |held| {
                if let Some(line) = lines.next() {
                    *line = held;
                }
            });
            let mut back = 0;
            for held in &own[..self.held.len()] {
                let (forth, others) = held.moves.split_at(held.forth);
                for (added, needs) in forth {
                    if needs & placed.taken == 0 {
                        out.moves.push(key.wrapping_add(*added));
                    }
                }
                for (_, needs) in others {
                    back += u32::from(needs & placed.taken == 0);
                }
            }
            out.images.push(if placed.is_board { key } else { !key });
            out.solved.push(self.is_solved(key));
            out.ends.push(out.moves.len());
            out.across.push(0);
            out.back.push(back);
        }
        true
    }

    fn is_solved(&self, key: u64) -> bool {
        let line = &self.instance.lines[usize::from(self.instance.red_row)];
        self.solved[(key / line.weight) as usize % line.contents.len()]
    }

    /// A board's pieces are the same in all rows of it, so there is one part.
    fn is_ranked(&self, part: u64, key: u64) -> bool {
        part == 0 && self.numbered && self.read(key, |_| ()).is_board
    }
}

#[cfg(test)]
mod tests;
