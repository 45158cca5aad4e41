//! Parts and ranks by the rulebook. Boards of a part are ranked in the order in which they arise by
//! filling the rows from the top and then the columns from the left.

use std::collections::BTreeSet;
use std::sync::Arc;

use puzzle_api::{Numbering, Placement, SolvedStates};

use crate::kept::Kept;
use crate::rules::{Counted, Filling};
use crate::rush_hour::board::Board;
use crate::rush_hour::instances::{Instance, content_of, part_name};
use crate::rush_hour::lines::Content;
use crate::rush_hour::rules::Rules;

/// The boards of a part, line by line.
#[derive(Debug)]
struct Lines {
    rows: usize,
    walls: u64,
    contents: Vec<Vec<Content>>,
}

impl Filling for Lines {
    /// The next line, and cells of later columns that rows cover.
    type State = (usize, u64);
    type Choice = Content;

    fn nothing(&self) -> (usize, u64) {
        (0, 0)
    }

    fn next(&self, &(line, covered): &(usize, u64)) -> Option<Vec<(Content, (usize, u64))>> {
        let contents = self.contents.get(line)?.iter();
        let with = |content: &Content| match line.checked_sub(self.rows) {
            None => Some(covered | u64::from(content.cells) << (8 * line)),
            Some(column) => {
                let mut rows = (0..self.rows).filter(|row| content.cells >> row & 1 == 1);
                let fits = rows.all(|row| covered >> (8 * row + column) & 1 == 0);
                // The content of this column no longer matters.
                fits.then_some(covered & !(0x0101_0101_0101_0101 << column))
            }
        };
        let with = |content: &Content| Some((*content, (line + 1, with(content)?)));
        Some(contents.filter_map(with).collect())
    }
}

#[derive(Debug)]
pub struct Numbers {
    numbered: bool,
    /// First part of each set of walls, then the number of parts.
    parts: Vec<u64>,
    tables: Kept<Counted<Lines>>,
}

impl Numbers {
    pub(crate) fn new(instance: &Instance) -> Self {
        let mut parts = vec![0];
        let mut total = 0_u64;
        for &walls in &instance.walls {
            let rows = 0..instance.rows();
            let kinds = rows.map(|row| kinds(instance, walls, row).len() as u64);
            total = total.saturating_add(kinds.product());
            parts.push(total);
        }
        Self {
            numbered: instance.numbered(),
            parts,
            tables: Kept::default(),
        }
    }

    fn part_count(&self) -> u64 {
        self.parts[self.parts.len() - 1]
    }

    pub(crate) fn kinds_of(&self, instance: &Instance, part: u64) -> Option<(u64, Vec<String>)> {
        let set = self.parts.partition_point(|&first| first <= part) - 1;
        let walls = *instance.walls.get(set)?;
        let mut rest = part - self.parts[set];
        let mut found = Vec::new();
        for row in (0..instance.rows()).rev() {
            let kinds = kinds(instance, walls, row);
            let count = kinds.len() as u64;
            found.insert(0, kinds[(rest % count) as usize].clone());
            rest /= count;
        }
        Some((walls, found))
    }

    fn part_of(&self, instance: &Instance, board: &Board) -> Option<u64> {
        let set = instance.walls.iter().position(|&w| w == board.walls)?;
        let mut part = 0;
        for row in 0..instance.rows() {
            let kinds = kinds(instance, board.walls, row);
            let own = content_of(board, row).sequence(instance.cells_of(board.walls, row));
            part = part * kinds.len() as u64 + kinds.iter().position(|kind| *kind == own)? as u64;
        }
        Some(self.parts[set] + part)
    }

    fn table(&self, instance: &Instance, part: u64) -> Option<Arc<Counted<Lines>>> {
        if !self.numbered || part >= self.part_count() {
            return None;
        }
        let lines = || {
            let (walls, kinds) = self.kinds_of(instance, part)?;
            let of_line = |line: usize| {
                let kind = kinds.get(line);
                let own = instance.cells_of(walls, line);
                let fits =
                    |content: &Content| kind.is_none_or(|kind| content.sequence(own) == *kind);
                between(instance, walls, line).filter(fits).collect()
            };
            Some(Lines {
                rows: instance.rows(),
                walls,
                contents: (0..instance.lines.len()).map(of_line).collect(),
            })
        };
        self.tables.of(part, || Some(Counted::new(lines()?)))
    }
}

impl Numbering for Rules {
    fn part_count(&self) -> u64 {
        self.numbers.part_count()
    }

    fn part_name(&self, part: u64) -> String {
        let kinds = self.numbers.kinds_of(&self.game, part);
        kinds.map_or_else(|| part.to_string(), |(walls, rows)| part_name(walls, &rows))
    }

    fn space(&self, part: u64) -> Option<u64> {
        Some(self.numbers.table(&self.game, part)?.boards())
    }

    fn place(&self, board: &Board) -> Option<Placement> {
        let part = self.numbers.part_of(&self.game, board)?;
        let lines = 0..self.game.lines.len();
        let lines = lines.map(|line| content_of(board, line));
        let rank = self.numbers.table(&self.game, part)?.rank(lines)?;
        Some(Placement { part, rank })
    }

    fn unrank(&self, placement: Placement) -> Option<Board> {
        let table = self.numbers.table(&self.game, placement.part)?;
        let lines = table.unrank(placement.rank)?;
        Some(self.game.board_with(table.filling.walls, lines.into_iter()))
    }
}

impl SolvedStates for Rules {
    /// Every board of a part on which the red car ends at the right edge.
    fn solved_states(&self, part: u64, emit: &mut dyn FnMut(Board)) {
        if let Some(table) = self.numbers.table(&self.game, part) {
            let wanted = |&(line, _): &(usize, u64), content: &Content| {
                let mut pieces = content.pieces();
                line != usize::from(self.game.red_row)
                    || pieces.any(|(start, length)| start + length == self.game.width)
            };
            let walls = table.filling.walls;
            table.each(&wanted, &mut |lines| {
                emit(self.game.board_with(walls, lines.iter().copied()))
            });
        }
    }

    fn lists_solved_states(&self) -> bool {
        self.numbers.numbered
    }
}

fn between(instance: &Instance, walls: u64, line: usize) -> impl Iterator<Item = Content> {
    let walls = instance.cells_of(walls, line);
    let contents = instance.lines[line].contents.iter().copied();
    contents.filter(move |content| content.cells & walls == 0)
}

/// The sequences that a row may have, in reverse order of their texts.
fn kinds(instance: &Instance, walls: u64, row: usize) -> Vec<String> {
    let own = instance.cells_of(walls, row);
    let sequences = between(instance, walls, row).map(|content| content.sequence(own));
    let kinds: BTreeSet<String> = sequences.collect();
    kinds.into_iter().rev().collect()
}
