//! Parts and ranks by the rulebook: the boards of a part in the order in which filling the
//! rows from the top and then the columns from the left meets them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use puzzle_api::Placement;

use crate::rules::Parts;
use crate::rush_hour::board::{Board, Piece};
use crate::rush_hour::instances::Instance;

/// First cell and length of each piece along a line.
type Filling = Vec<(u8, u8)>;

/// The boards of a part.
#[derive(Debug)]
struct Table {
    /// Its rows, filled in each way, with the rank of the first board that has them.
    rows: Vec<(Vec<Filling>, u64)>,
    /// Where they are, by their fillings.
    places: HashMap<Vec<Filling>, usize>,
    /// How a column can be filled, by which of its cells are blocked: thousands of rows leave a
    /// column few different sets of cells.
    columns: HashMap<(usize, Vec<bool>), Vec<Filling>>,
    boards: u64,
}

impl Table {
    /// How each column can be filled beside rows of the part.
    fn columns(&self, instance: &Instance, walls: u64, rows: &[Filling]) -> Vec<&[Filling]> {
        let known = |column: usize| {
            let fillings = self
                .columns
                .get(&(column, blocked(instance, walls, rows, column)));
            fillings.map_or(&[][..], Vec::as_slice)
        };
        (0..instance.columns()).map(known).collect()
    }
}

/// Tables of parts that are kept.
const KEPT: usize = 32;

/// The numbering of one instance.
#[derive(Debug)]
pub struct Numbers {
    numbered: bool,
    /// First part of each set of walls, then the number of parts.
    parts: Vec<u64>,
    tables: Mutex<HashMap<u64, Arc<Table>>>,
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
            tables: Mutex::default(),
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
            let own = sequence(&along(board, row), &line_of(instance, board.walls, row));
            part = part * kinds.len() as u64 + kinds.iter().position(|kind| *kind == own)? as u64;
        }
        Some(self.parts[set] + part)
    }

    /// The rows of a part and how many boards it has.
    fn table(&self, instance: &Instance, part: u64) -> Option<Arc<Table>> {
        if !self.numbered || part >= self.part_count() {
            return None;
        }
        let lock = || {
            self.tables
                .lock()
                .unwrap_or_else(|poisoned| poisoned.into_inner())
        };
        if let Some(table) = lock().get(&part) {
            return Some(Arc::clone(table));
        }
        let (walls, kinds) = self.kinds_of(instance, part)?;
        let mut rows: Vec<Vec<Filling>> = vec![Vec::new()];
        for (row, kind) in kinds.iter().enumerate() {
            let line = line_of(instance, walls, row);
            let mut fillings = fillings(&line);
            fillings.retain(|filling| sequence(filling, &line) == *kind);
            let longer = |rows: &Vec<Filling>| {
                let each = fillings.iter().map(|filling| {
                    let mut longer = rows.clone();
                    longer.push(filling.clone());
                    longer
                });
                each.collect::<Vec<_>>()
            };
            rows = rows.iter().flat_map(longer).collect();
        }
        let mut table = Table {
            rows: Vec::new(),
            places: HashMap::new(),
            columns: HashMap::new(),
            boards: 0,
        };
        for rows in rows {
            let ways = (0..instance.columns()).map(|column| {
                let blocked = blocked(instance, walls, &rows, column);
                let known = table.columns.entry((column, blocked));
                let fillings = known.or_insert_with_key(|(column, blocked)| {
                    column_fillings(instance, walls, *column, blocked)
                });
                fillings.len() as u64
            });
            let boards: u64 = ways.product();
            table.places.insert(rows.clone(), table.rows.len());
            table.rows.push((rows, table.boards));
            table.boards += boards;
        }
        let table = Arc::new(table);
        let mut tables = lock();
        if tables.len() >= KEPT {
            tables.clear();
        }
        tables.insert(part, Arc::clone(&table));
        Some(table)
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
        self.table(instance, part).map(|table| table.boards)
    }

    fn place(&self, instance: &Instance, board: &Board) -> Option<Placement> {
        let part = self.part_of(instance, board)?;
        let table = self.table(instance, part)?;
        let own: Vec<Filling> = (0..instance.rows()).map(|row| along(board, row)).collect();
        let (rows, first) = &table.rows[*table.places.get(&own)?];
        let mut rank = 0;
        let columns = table.columns(instance, board.walls, rows);
        for (column, fillings) in columns.iter().enumerate() {
            let own = along(board, instance.rows() + column);
            let index = fillings.iter().position(|filling| *filling == own)?;
            rank = rank * fillings.len() as u64 + index as u64;
        }
        Some(Placement {
            part,
            rank: first + rank,
        })
    }

    fn unrank(&self, instance: &Instance, placement: Placement) -> Option<Board> {
        let (walls, _) = self.kinds_of(instance, placement.part)?;
        let table = self.table(instance, placement.part)?;
        let up_to = |(_, first): &(Vec<Filling>, u64)| *first <= placement.rank;
        let after = table.rows.partition_point(up_to);
        let (rows, first) = &table.rows[after.checked_sub(1)?];
        let columns = table.columns(instance, walls, rows);
        let mut rest = placement.rank - first;
        let mut chosen = Vec::new();
        for fillings in columns.iter().rev() {
            chosen.insert(0, &fillings[(rest % fillings.len() as u64) as usize]);
            rest /= fillings.len() as u64;
        }
        (rest == 0).then(|| board_of(instance, walls, rows, &chosen))
    }

    /// Every board of a part on which the red car ends at the right edge.
    fn solved(&self, instance: &Instance, part: u64, emit: &mut dyn FnMut(Board)) {
        let table = self.table(instance, part);
        let (Some(table), Some((walls, _))) = (table, self.kinds_of(instance, part)) else {
            return;
        };
        for (rows, _) in &table.rows {
            let red = rows[usize::from(instance.red_row)][0];
            if red.0 + red.1 == instance.width {
                let columns = table.columns(instance, walls, rows);
                let mut chosen = Vec::new();
                each_choice(&columns, &mut chosen, &mut |chosen| {
                    emit(board_of(instance, walls, rows, chosen));
                });
            }
        }
    }

    fn lists_solved(&self, _: &Instance) -> bool {
        self.numbered
    }
}

/// One filling of every column, in every way.
fn each_choice<'a>(
    columns: &[&'a [Filling]],
    chosen: &mut Vec<&'a Filling>,
    emit: &mut dyn FnMut(&[&'a Filling]),
) {
    let Some(fillings) = columns.get(chosen.len()) else {
        emit(chosen);
        return;
    };
    for filling in *fillings {
        chosen.push(filling);
        each_choice(columns, chosen, emit);
        chosen.pop();
    }
}

/// Which cells of a line are walls.
fn line_of(instance: &Instance, walls: u64, line: usize) -> Vec<bool> {
    let cell = |at: usize| match line.checked_sub(instance.rows()) {
        None => 8 * line + at,
        Some(column) => 8 * at + column,
    };
    let length = match line < instance.rows() {
        true => instance.columns(),
        false => instance.rows(),
    };
    (0..length).map(|at| walls >> cell(at) & 1 == 1).collect()
}

/// All ways to put cars and trucks on the free cells of a line.
fn fillings(blocked: &[bool]) -> Vec<Filling> {
    fn fill(blocked: &[bool], at: usize, filling: &mut Filling, all: &mut Vec<Filling>) {
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
    let cells = line_of(instance, walls, line);
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
fn along(board: &Board, line: usize) -> Filling {
    let column = line.checked_sub(board.height.into());
    let mut filling: Filling = board
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

/// Which cells of a column are walls or taken by these rows.
fn blocked(instance: &Instance, walls: u64, rows: &[Filling], column: usize) -> Vec<bool> {
    let mut blocked = line_of(instance, walls, instance.rows() + column);
    for (row, filling) in rows.iter().enumerate() {
        let covers =
            |&(start, length): &(u8, u8)| (start..start + length).contains(&(column as u8));
        blocked[row] |= filling.iter().any(covers);
    }
    blocked
}

/// How a column can be filled beside blocked cells.
fn column_fillings(
    instance: &Instance,
    walls: u64,
    column: usize,
    blocked: &[bool],
) -> Vec<Filling> {
    let line = instance.rows() + column;
    let mut all = fillings(blocked);
    if let Some(start) = &instance.start {
        let walls = line_of(instance, walls, line);
        let own = sequence(&along(start, line), &walls);
        all.retain(|filling| sequence(filling, &walls) == own);
    }
    all
}

fn board_of(instance: &Instance, walls: u64, rows: &[Filling], columns: &[&Filling]) -> Board {
    let mut red = None;
    let mut others = Vec::new();
    for (row, filling) in rows.iter().enumerate() {
        for &(column, length) in filling {
            let piece = Piece {
                upright: false,
                row: row as u8,
                column,
                length,
            };
            match row == usize::from(instance.red_row) {
                true => red = Some(piece),
                false => others.push(piece),
            }
        }
    }
    for (column, filling) in columns.iter().enumerate() {
        for &(row, length) in *filling {
            others.push(Piece {
                upright: true,
                row,
                column: column as u8,
                length,
            });
        }
    }
    let red = red.unwrap_or(Piece {
        upright: false,
        row: instance.red_row,
        column: 0,
        length: 2,
    });
    Board::new(instance.width, instance.height, walls, red, others)
}
