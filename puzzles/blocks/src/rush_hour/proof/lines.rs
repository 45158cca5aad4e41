//! The effect of moves on a line, by the rulebook ([`rules::slides`]), for all its possible
//! contents.

use crate::rush_hour::instances::Instance;
use crate::rush_hour::rules;

/// Not among what fits.
pub(super) const NONE: u8 = u8::MAX;

/// The contents of a column that fit between its blocked cells, and their moves.
#[derive(Debug)]
pub(super) struct Beside {
    pub contents: Vec<u8>,
    /// Place of each content of the line among them, or [`NONE`].
    pub places: Vec<u8>,
    /// Places of the contents after one move of each.
    pub moves: Vec<Vec<u8>>,
}

/// A move of a row: the content of the row afterwards, and the cells that nothing else may cover.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Slide {
    pub to: u8,
    pub needs: u8,
}

/// The moves of one content of a row as slides, given their results for each set of blocked cells.
/// A cell is needed if no set of blocked cells that lets the move pass has it.
fn slides(moves: &[Vec<u8>]) -> Vec<Slide> {
    let mut found: Vec<Slide> = Vec::new();
    for (blocked, to) in moves.iter().enumerate() {
        for &to in to {
            let at = found.iter().position(|slide| slide.to == to);
            let at = at.unwrap_or_else(|| {
                found.push(Slide { to, needs: u8::MAX });
                found.len() - 1
            });
            found[at].needs &= !(blocked as u8);
        }
    }
    // Cells beyond the row are never blocked.
    let row = (moves.len() - 1) as u8;
    for slide in &mut found {
        slide.needs &= row;
    }
    found
}

/// The moves of one line, for all its contents and all its blocked cells.
#[derive(Debug)]
pub(crate) struct Slides {
    line: Line,
    /// By the content of the line and its blocked cells: the contents after one move.
    moves: Vec<Vec<Vec<u8>>>,
    pub(crate) slides: Vec<Vec<Slide>>,
}

impl Slides {
    pub(crate) fn new(instance: &Instance, line: usize) -> Self {
        let line = Line::new(instance, line);
        let of = |content: usize| {
            let blocked = 0..1_u16 << line.length;
            let moves = |blocked: u16| match line.cells(content) & blocked as u8 {
                0 => line.moves(instance, content, blocked as u8),
                _ => Vec::new(),
            };
            blocked.map(moves).collect()
        };
        let moves: Vec<Vec<Vec<u8>>> = (0..line.len()).map(of).collect();
        Self {
            slides: moves.iter().map(|own| slides(own)).collect(),
            moves,
            line,
        }
    }

    pub(crate) fn cells(&self, content: usize) -> u8 {
        self.line.cells(content)
    }

    pub(super) fn moves(&self, content: usize, blocked: usize) -> &[u8] {
        &self.moves[content][blocked]
    }

    pub(crate) fn of(&self, content: usize) -> &[Slide] {
        &self.slides[content]
    }

    /// Whether the results of moves depend only on single cells being free, and on nothing else
    /// that other lines cover. Only then do slides describe them completely.
    pub(crate) fn are_the_moves(&self) -> bool {
        (0..self.line.len()).all(|from| {
            let (own, slides) = (self.cells(from), self.of(from));
            let entered = |slide: &Slide| self.cells(slide.to.into()) & !own;
            let mut blocked = 0..self.moves[from].len();
            slides
                .iter()
                .all(|slide| entered(slide) & !slide.needs == 0)
                && blocked.all(|blocked| {
                    let free = |slide: &&Slide| slide.needs & blocked as u8 == 0;
                    let to = slides.iter().filter(free).map(|slide| slide.to);
                    let (mut to, mut by_rules) =
                        (to.collect::<Vec<u8>>(), self.moves(from, blocked).to_vec());
                    to.sort_unstable();
                    by_rules.sort_unstable();
                    own & blocked as u8 != 0 || to == by_rules
                })
        })
    }
}

/// One line: its contents as pieces.
#[derive(Debug)]
pub(super) struct Line {
    length: u8,
    /// First cell and length of the pieces of each content.
    pieces: Vec<Vec<(u8, u8)>>,
}

impl Line {
    pub(super) fn new(instance: &Instance, line: usize) -> Self {
        let upright = line >= instance.rows();
        let contents = instance.lines[line].contents.iter();
        Self {
            length: if upright {
                instance.height
            } else {
                instance.width
            },
            pieces: contents.map(|content| content.pieces().collect()).collect(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.pieces.len()
    }

    pub(super) fn cells(&self, content: usize) -> u8 {
        let each = self.pieces[content].iter();
        each.fold(0, |cells, &(start, length)| {
            (start..start + length).fold(cells, |cells, cell| cells | 1 << cell)
        })
    }

    pub(super) fn moves(&self, instance: &Instance, content: usize, blocked: u8) -> Vec<u8> {
        let pieces = &self.pieces[content];
        let mut found = Vec::new();
        for (own, &piece) in pieces.iter().enumerate() {
            let others = pieces.iter().enumerate().filter(|(other, _)| *other != own);
            let covers = |cell| {
                let covers = |(_, &(start, length)): (usize, &(u8, u8))| {
                    (start..start + length).contains(&cell)
                };
                others.clone().any(covers)
            };
            let taken = (0..self.length).map(|cell| blocked >> cell & 1 == 1 || covers(cell));
            let taken: Vec<bool> = taken.collect();
            for to in rules::slides(&taken, piece, instance.metric) {
                let mut after = pieces.clone();
                after[own].0 = to;
                after.sort_unstable();
                let content = self.pieces.iter().position(|pieces| *pieces == after);
                found.extend(content.map(|content| content as u8));
            }
        }
        found
    }

    pub(super) fn beside(&self, instance: &Instance, blocked: u8) -> Beside {
        let all = 0..self.len();
        let fitting = all.filter(|&content| self.cells(content) & blocked == 0);
        let contents: Vec<u8> = fitting.map(|content| content as u8).collect();
        let mut places = vec![NONE; self.len()];
        for (place, &content) in contents.iter().enumerate() {
            places[usize::from(content)] = place as u8;
        }
        let moves = |&content: &u8| {
            let to = self.moves(instance, content.into(), blocked);
            to.iter().map(|&to| places[usize::from(to)]).collect()
        };
        Beside {
            moves: contents.iter().map(moves).collect(),
            contents,
            places,
        }
    }
}
