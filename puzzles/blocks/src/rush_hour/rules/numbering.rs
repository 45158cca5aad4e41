//! Parts and ranks by the rulebook: the boards of a part in the order in which filling the
//! rows from the top and then the columns from the left meets them.

use std::sync::Arc;

use puzzle_api::Placement;

use crate::kept::Kept;
use crate::rules::{Counted, Filling, Parts};
use crate::rush_hour::board::{Board, Piece};
use crate::rush_hour::instances::Instance;

/// First cell and length of each piece along a line.
type Pieces = Vec<(u8, u8)>;

/// The boards of a part, line by line.
#[derive(Debug)]
struct Lines {
    /// Columns and rows.
    size: (usize, usize),
    walls: u64,
    /// What each row may hold.
    rows: Vec<Vec<Pieces>>,
    /// The sequence of each column if the instance is a board.
    columns: Option<Vec<String>>,
}

impl Filling for Lines {
    /// The next line, and cells that rows cover in columns to come.
    type State = (usize, u64);
    type Choice = Pieces;

    fn nothing(&self) -> (usize, u64) {
        (0, 0)
    }

    fn next(&self, &(line, covered): &(usize, u64)) -> Option<Vec<(Pieces, (usize, u64))>> {
        let (columns, rows) = self.size;
        if line == rows + columns {
            return None;
        }
        let fitting = || {
            let mut fitting = fillings(&line_of(self.size, self.walls | covered, line));
            if let Some(kinds) = &self.columns {
                let cells = line_of(self.size, self.walls, line);
                fitting.retain(|pieces| sequence(pieces, &cells) == kinds[line - rows]);
            }
            fitting
        };
        let pieces = self.rows.get(line).cloned().unwrap_or_else(fitting);
        let after = |pieces: &Pieces| match line.checked_sub(rows) {
            None => pieces.iter().fold(covered, |covered, &(start, length)| {
                covered | ((1 << length) - 1) << (8 * line + usize::from(start))
            }),
            // What stands in this column matters no more.
            Some(column) => covered & !(0x0101_0101_0101_0101 << column),
        };
        let with = |pieces: Pieces| (pieces.clone(), (line + 1, after(&pieces)));
        Some(pieces.into_iter().map(with).collect())
    }
}

/// The numbering of one instance.
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

    /// Set of walls and sequence of each row; `None` where there is no such part.
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
            let own = sequence(
                &along(board, row),
                &line_of(size(instance), board.walls, row),
            );
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
            let row = |(line, kind): (usize, &String)| {
                let cells = line_of(size(instance), walls, line);
                let mut fitting = fillings(&cells);
                fitting.retain(|pieces| sequence(pieces, &cells) == *kind);
                fitting
            };
            let columns = (instance.rows()..instance.lines.len())
                .map(|line| self::kinds(instance, walls, line).swap_remove(0));
            Some(Lines {
                size: size(instance),
                walls,
                rows: kinds.iter().enumerate().map(row).collect(),
                columns: instance.start.as_ref().map(|_| columns.collect()),
            })
        };
        self.tables.of(part, || Some(Counted::new(lines()?)))
    }
}

impl Parts<Instance> for Numbers {
    fn part_count(&self) -> u64 {
        self.parts[self.parts.len() - 1]
    }

    fn part_name(&self, instance: &Instance, part: u64) -> String {
        let Some((walls, rows)) = self.kinds_of(instance, part) else {
            return part.to_string();
        };
        let rows: Vec<&str> = rows
            .iter()
            .map(|row| if row.is_empty() { "-" } else { row })
            .collect();
        let mut name = rows.join("/");
        for cell in (0..64).filter(|cell| walls >> cell & 1 == 1) {
            name.push_str(&format!(" wall {},{}", cell / 8 + 1, cell % 8 + 1));
        }
        name
    }

    fn space(&self, instance: &Instance, part: u64) -> Option<u64> {
        Some(self.table(instance, part)?.boards())
    }

    fn place(&self, instance: &Instance, board: &Board) -> Option<Placement> {
        let part = self.part_of(instance, board)?;
        let lines = 0..instance.lines.len();
        let lines = lines.map(|line| along(board, line));
        let rank = self.table(instance, part)?.rank(lines)?;
        Some(Placement { part, rank })
    }

    fn unrank(&self, instance: &Instance, placement: Placement) -> Option<Board> {
        let table = self.table(instance, placement.part)?;
        let lines = table.unrank(placement.rank)?;
        Some(board_of(instance, table.filling.walls, &lines))
    }

    /// Every board of a part on which the red car ends at the right edge.
    fn solved(&self, instance: &Instance, part: u64, emit: &mut dyn FnMut(Board)) {
        if let Some(table) = self.table(instance, part) {
            let wanted = |&(line, _): &(usize, u64), pieces: &Pieces| {
                let at_exit = |&(start, length): &(u8, u8)| start + length == instance.width;
                line != usize::from(instance.red_row) || pieces.iter().any(at_exit)
            };
            let walls = table.filling.walls;
            table.each(&wanted, &mut |lines| emit(board_of(instance, walls, lines)));
        }
    }

    fn lists_solved(&self, _: &Instance) -> bool {
        self.numbered
    }
}

/// Columns and rows.
fn size(instance: &Instance) -> (usize, usize) {
    (instance.columns(), instance.rows())
}

/// Which cells of a line are in a set, on a board of so many columns and rows.
fn line_of((columns, rows): (usize, usize), set: u64, line: usize) -> Vec<bool> {
    let cell = |at: usize| match line.checked_sub(rows) {
        None => 8 * line + at,
        Some(column) => 8 * at + column,
    };
    let length = if line < rows { columns } else { rows };
    (0..length).map(|at| set >> cell(at) & 1 == 1).collect()
}

/// All ways to put cars and trucks on the free cells of a line.
fn fillings(blocked: &[bool]) -> Vec<Pieces> {
    fn fill(blocked: &[bool], at: usize, filling: &mut Pieces, all: &mut Vec<Pieces>) {
        if at >= blocked.len() {
            all.push(filling.clone());
            return;
        }
        fill(blocked, at + 1, filling, all);
        for length in [2, 3] {
            let cells = blocked.get(at..at + length);
            if cells.is_some_and(|cells| cells.iter().all(|&cell| !cell)) {
                filling.push((at as u8, length as u8));
                fill(blocked, at + length, filling, all);
                filling.pop();
            }
        }
    }
    let mut all = Vec::new();
    fill(blocked, 0, &mut Vec::new(), &mut all);
    all
}

/// A line without its empty cells: the lengths of the pieces, `#` for a wall.
fn sequence(filling: &[(u8, u8)], blocked: &[bool]) -> String {
    let mut sequence = String::new();
    for (cell, wall) in blocked.iter().enumerate() {
        if *wall {
            sequence.push('#');
        }
        for (_, length) in filling
            .iter()
            .filter(|(start, _)| usize::from(*start) == cell)
        {
            sequence.push_str(&length.to_string());
        }
    }
    sequence
}

/// The sequences that a line may have, against the order of their texts.
fn kinds(instance: &Instance, walls: u64, line: usize) -> Vec<String> {
    let cells = line_of(size(instance), walls, line);
    if let Some(start) = &instance.start {
        return vec![sequence(&along(start, line), &cells)];
    }
    let all = fillings(&cells);
    let mut kinds: Vec<String> = all
        .iter()
        .filter(|filling| line != usize::from(instance.red_row) || is_one_car(filling))
        .map(|filling| sequence(filling, &cells))
        .collect();
    kinds.sort();
    kinds.dedup();
    kinds.reverse();
    kinds
}

fn is_one_car(filling: &[(u8, u8)]) -> bool {
    matches!(filling, [(_, 2)])
}

/// The pieces of a board along a line.
fn along(board: &Board, line: usize) -> Pieces {
    let column = line.checked_sub(board.height.into());
    let mut filling: Pieces = board
        .pieces
        .iter()
        .filter_map(|piece| match (column, piece.upright) {
            (None, false) if usize::from(piece.row) == line => Some((piece.column, piece.length)),
            (Some(c), true) if usize::from(piece.column) == c => Some((piece.row, piece.length)),
            _ => None,
        })
        .collect();
    filling.sort_unstable();
    filling
}

/// The board with these pieces on its lines.
fn board_of(instance: &Instance, walls: u64, lines: &[Pieces]) -> Board {
    let mut pieces = Vec::new();
    for (line, own) in lines.iter().enumerate() {
        let upright = line >= instance.rows();
        for &(start, length) in own {
            let (row, column) = match upright {
                false => (line as u8, start),
                true => (start, (line - instance.rows()) as u8),
            };
            pieces.push(Piece {
                upright,
                row,
                column,
                length,
            });
        }
    }
    let is_red = |piece: &Piece| !piece.upright && piece.row == instance.red_row;
    // The row of the red car holds it alone.
    let red = pieces.iter().position(is_red).unwrap_or(0);
    let red = pieces.remove(red);
    Board::new(instance.width, instance.height, walls, red, pieces)
}
