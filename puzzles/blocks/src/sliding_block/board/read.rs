//! Boards and positions from text, with errors that name the place and the remedy.

use std::collections::BTreeMap;

use puzzle_api::{BadInput, is_remark_row};

use super::{Board, Cell, Cells, Kind};
use crate::rules::first_apart;
use crate::sliding_block::grid::{GATE, Grid, MOST_CELLS, STAR, Shape, read_rows};
use crate::text::{Fault, same_size};

/// A line `goal: LETTER ROW,COLUMN` of a board's file.
struct Goal {
    line: usize,
    letter: char,
    row: usize,
    column: usize,
}

/// Reads a board: rows of cells, then one or more lines `goal: LETTER ROW,COLUMN` (the place, from
/// 0, of the piece's first cell in scanning order). Empty lines and remarks (`//` or `# `) are
/// skipped.
///
/// A drawing with a piece `*` may be a level of GNOME Klotski. Then a blank is an empty cell, rows
/// that lost blanks at their end are filled up, and any other printable character is a piece.
/// A line above with its columns and rows, such as `6 9`, is skipped.
/// Without a line `goal:`, the piece `*` has to cover the cells drawn as `.`.
pub fn read_file(name: &str, text: &str) -> Result<Board, Fault> {
    let (mut rows, mut goals) = (Vec::new(), Vec::new());
    // In a level of GNOME Klotski, a blank behind a wall is a cell.
    let is_level = text.contains(STAR);
    for (number, line) in (1..).zip(text.lines()) {
        let trimmed = line.trim();
        if trimmed.starts_with("//") || !is_level && is_remark_row(trimmed) {
            continue;
        }
        if let Some(goal) = trimmed.strip_prefix("goal:") {
            goals.push(read_goal(number, goal)?);
        } else {
            rows.push((number, line.to_owned()));
        }
    }
    let mut targets = Vec::new();
    if rows.iter().any(|(_, row)| row.contains(STAR)) {
        skip_size(&mut rows);
        targets = blanks_as_cells(&mut rows)?;
    } else {
        rows.retain_mut(|(_, row)| {
            *row = row.trim().to_owned();
            !row.is_empty()
        });
    }
    let Some(&(first, _)) = rows.first() else {
        return Err(Fault::new(
            None,
            "no rows: draw the board in rows of letters, '.' and '#'",
        ));
    };
    let texts: Vec<&str> = rows.iter().map(|(_, row)| row.as_str()).collect();
    let (grid, mut marks) = read_rows(&texts)
        .map_err(|bad| Fault::new(bad.line.map(|row| rows[row - 1].0), bad.what))?;
    let open = grid.open.len();
    if open > MOST_CELLS {
        let what = format!(
            "the board is too large: {open} cells that are no wall, but masks hold \
             {MOST_CELLS}; leave out rows or columns"
        );
        return Err(Fault::new(Some(first), what));
    }
    let gates: Vec<bool> = marks.iter().map(|&mark| mark == GATE).collect();
    marks
        .iter_mut()
        .filter(|mark| **mark == GATE)
        .for_each(|mark| *mark = '.');
    let line_of = |cell: usize| rows[grid.row_column(cell).0].0;
    let pieces =
        pieces(&grid, &marks).map_err(|(cell, what)| Fault::new(Some(line_of(cell)), what))?;
    if let (true, Some(cells)) = (goals.is_empty(), pieces.get(&STAR)) {
        goals.push(star_goal(&grid, cells, &targets, first)?);
    }
    if goals.is_empty() {
        return Err(Fault::new(
            None,
            "no goal: add a line such as 'goal: t 0,2' (letter, row and column from 0)",
        ));
    }
    check_goals(&grid, &pieces, &goals)?;
    let kinds = kinds(&grid, &marks, &pieces, &goals);
    Board::new(name, grid, gates, kinds, &marks)
        .map_err(|bad| Fault::new(Some(first), bad.to_string()))
}

/// Removes a line such as `6 9` above a level of 6 columns and 9 rows.
fn skip_size(rows: &mut Vec<(usize, String)>) {
    let Some(first) = rows.iter().position(|(_, row)| !row.trim().is_empty()) else {
        return;
    };
    let size: Vec<&str> = rows[first].1.split_whitespace().collect();
    let width = rows[first + 1..].iter().map(|(_, row)| row.chars().count());
    let width = width.max().unwrap_or(0).to_string();
    if let [one, other] = size[..]
        && other.bytes().all(|byte| byte.is_ascii_digit())
        && one == width
    {
        rows.remove(first);
    }
}

/// Converts the rows of a level of GNOME Klotski to rows of letters and dots; returns the cells
/// drawn as `.`, as rows and columns.
fn blanks_as_cells(rows: &mut Vec<(usize, String)>) -> Result<Vec<(usize, usize)>, Fault> {
    let is_empty = |row: &(usize, String)| row.1.is_empty();
    while rows.last().is_some_and(is_empty) {
        rows.pop();
    }
    rows.drain(..rows.iter().take_while(|row| is_empty(row)).count());
    let width = rows.iter().map(|(_, row)| row.chars().count()).max();
    let used: String = rows.iter().map(|(_, row)| row.as_str()).collect();
    let letters = ('a'..='z').chain('A'..='Z').chain('0'..='9');
    let mut free = letters.filter(|&letter| !used.contains(letter));
    let mut renamed = BTreeMap::new();
    let mut targets = Vec::new();
    for (at, (line, row)) in rows.iter_mut().enumerate() {
        let mut cells: Vec<char> = row.chars().collect();
        cells.resize(width.unwrap_or(0), ' ');
        for (column, cell) in cells.iter_mut().enumerate() {
            match *cell {
                '.' => targets.push((at, column)),
                ' ' => *cell = '.',
                '#' | GATE | STAR => {}
                odd if odd.is_ascii_punctuation() => {
                    let letter = renamed.get(&odd).copied().or_else(|| free.next());
                    *cell = letter.ok_or_else(|| {
                        let what = format!(
                            "no letter or digit is left for '{odd}': a board has at most 62 pieces apart from '*', so leave some out"
                        );
                        Fault::new(Some(*line), what)
                    })?;
                    renamed.insert(odd, *cell);
                }
                _ => {}
            }
        }
        *row = cells.into_iter().collect();
    }
    Ok(targets)
}

/// Most places for the piece `*` that are listed.
const MOST_PLACES: usize = 6;

/// The goal of the piece `*`: its one place on the cells drawn as `.`.
fn star_goal(
    grid: &Grid,
    cells: &[usize],
    targets: &[(usize, usize)],
    line: usize,
) -> Result<Goal, Fault> {
    let shape = Shape::of(grid, cells);
    let is_target = |cell: &usize| targets.contains(&grid.row_column(*cell));
    let fits = |anchor: &usize| {
        let covered = shape.cells(grid, *anchor);
        covered.is_some_and(|cells| cells.iter().all(is_target))
    };
    let places: Vec<usize> = grid.open.iter().copied().filter(fits).collect();
    let goal_at = |&place: &usize| {
        let (row, column) = grid.row_column(place);
        format!("'goal: * {row},{column}'")
    };
    let piece = shape.describe();
    let place = match places[..] {
        [place] => place,
        [] => {
            let what = format!(
                "piece '*' ({piece}) fits nowhere on the cells drawn as '.', its target: draw '.' \
                 where it has to go, or add a line such as 'goal: * 0,2'"
            );
            return Err(Fault::new(Some(line), what));
        }
        _ => {
            // In GNOME Klotski, the game ends at any of these places.
            let lines: Vec<String> = places.iter().take(MOST_PLACES).map(goal_at).collect();
            let more = if places.len() > MOST_PLACES {
                " …"
            } else {
                ""
            };
            let what = format!(
                "piece '*' ({piece}) fits in {} places on the cells drawn as '.', and a goal is \
                 one place: add one of the lines {}{more} (the fewest moves are the least of all \
                 of these)",
                places.len(),
                lines.join(", ")
            );
            return Err(Fault::new(Some(line), what));
        }
    };
    let (row, column) = grid.row_column(place);
    Ok(Goal {
        line,
        letter: STAR,
        row,
        column,
    })
}

fn read_goal(line: usize, text: &str) -> Result<Goal, Fault> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let parsed = match words[..] {
        [letter, place] => place.split_once(',').and_then(|(row, column)| {
            let mut letters = letter.chars();
            Some(Goal {
                line,
                letter: letters.next().filter(|_| letters.next().is_none())?,
                row: row.parse().ok()?,
                column: column.parse().ok()?,
            })
        }),
        _ => None,
    };
    parsed.ok_or_else(|| {
        let what = format!(
            "'goal:{}' is no goal: write 'goal: LETTER ROW,COLUMN', row and column from 0",
            text.chars().take(40).collect::<String>().escape_debug()
        );
        Fault::new(Some(line), what)
    })
}

/// Cells of each piece by letter; the error names a cell.
fn pieces(grid: &Grid, marks: &[char]) -> Result<BTreeMap<char, Vec<usize>>, (usize, String)> {
    let mut pieces: BTreeMap<char, Vec<usize>> = BTreeMap::new();
    for &cell in grid.open.iter().filter(|&&cell| marks[cell] != '.') {
        pieces.entry(marks[cell]).or_default().push(cell);
    }
    for (letter, cells) in &pieces {
        if let Some(apart) = first_apart(cells, |cell, way| grid.offset(cell, way)) {
            let what = format!(
                "piece '{letter}' is not connected ({} and {}), and a piece in several parts is \
                 not supported; another letter makes two pieces, which is another puzzle",
                grid.cell_name(cells[0]),
                grid.cell_name(apart)
            );
            return Err((apart, what));
        }
    }
    Ok(pieces)
}

/// Every goal names a piece, once, that fits there, and goals do not overlap.
fn check_goals(
    grid: &Grid,
    pieces: &BTreeMap<char, Vec<usize>>,
    goals: &[Goal],
) -> Result<(), Fault> {
    let mut taken: BTreeMap<usize, char> = BTreeMap::new();
    for (index, goal) in goals.iter().enumerate() {
        let (letter, row, column) = (goal.letter, goal.row, goal.column);
        let bad = |what: String| Err(Fault::new(Some(goal.line), what));
        let Some(cells) = pieces.get(&letter) else {
            return bad(format!(
                "no piece '{}' on the board: name one that is drawn",
                letter.escape_debug()
            ));
        };
        if goals[..index].iter().any(|other| other.letter == letter) {
            return bad(format!("a second goal for piece '{letter}': leave one out"));
        }
        let inside = row < grid.height && column < grid.width;
        let shape = Shape::of(grid, cells);
        let covered = inside
            .then(|| shape.cells(grid, row * grid.width + column))
            .flatten();
        let Some(covered) = covered else {
            return bad(format!(
                "piece '{letter}' ({}) does not fit at the goal {row},{column}: it would cover a \
                 wall or leave the board; give row and column, from 0, of its topmost cell (the \
                 leftmost of those)",
                shape.describe()
            ));
        };
        for cell in covered {
            if let Some(other) = taken.insert(cell, letter) {
                return bad(format!(
                    "the goals of '{other}' and '{letter}' overlap at {}: move one of them",
                    grid.cell_name(cell)
                ));
            }
        }
    }
    Ok(())
}

/// Kinds in the order of their first appearance in the start.
fn kinds(
    grid: &Grid,
    marks: &[char],
    pieces: &BTreeMap<char, Vec<usize>>,
    goals: &[Goal],
) -> Vec<Kind> {
    let mut kinds: Vec<Kind> = Vec::new();
    for &cell in &grid.open {
        let letter = marks[cell];
        let Some(cells) = pieces.get(&letter).filter(|cells| cells[0] == cell) else {
            continue;
        };
        let shape = Shape::of(grid, cells);
        let goal = goals.iter().find(|goal| goal.letter == letter);
        let goal = goal.map(|goal| goal.row * grid.width + goal.column);
        let same = |kind: &&mut Kind| kind.shape == shape && kind.goal.is_none();
        match kinds.iter_mut().find(same).filter(|_| goal.is_none()) {
            Some(kind) => kind.letters.push(letter),
            None => kinds.push(Kind {
                shape,
                letters: vec![letter],
                goal,
            }),
        }
    }
    kinds
}

impl Board {
    /// Reads a position of this board: rows of letters joined by `/`, or `start`. Letters only
    /// distinguish pieces, except if a piece with a goal has the shape of others: it keeps its
    /// letter.
    pub fn parse(&self, text: &str) -> Result<Cells, BadInput> {
        let text = text.trim();
        if text == "start" {
            return Ok(self.start.clone());
        }
        let rows: Vec<&str> = text.split('/').collect();
        let (grid, mut marks) = read_rows(&rows)?;
        let size = |grid: &Grid| (grid.height, grid.width);
        same_size(("sliding-block", &self.name), size(&grid), size(&self.grid))?;
        for (cell, mark) in marks.iter_mut().enumerate() {
            let (found, wanted) = match (*mark, self.grid.is_wall(cell)) {
                ('#', false) => ("a wall", "none"),
                (found, true) if found != '#' => ("no wall", "one"),
                (GATE, _) if !self.gates[cell] => ("a gate", "none"),
                (GATE, _) => {
                    *mark = '.';
                    continue;
                }
                _ => continue,
            };
            return Err(BadInput::new(format!(
                "{}: {found}, but the board has {wanted} there",
                grid.cell_name(cell)
            )));
        }
        self.cells_of_marks(&marks)
    }

    /// The position that a drawing on this grid shows.
    pub(super) fn cells_of_marks(&self, marks: &[char]) -> Result<Cells, BadInput> {
        let pieces = pieces(&self.grid, marks).map_err(|(_, what)| BadInput::new(what))?;
        let mut by_place: Vec<(char, Vec<usize>)> = pieces.into_iter().collect();
        by_place.sort_by_key(|(_, cells)| cells[0]);
        let mut cells = self.bare.clone();
        let mut used = vec![0_u8; self.kinds.len()];
        for (letter, covered) in by_place {
            let shape = Shape::of(&self.grid, &covered);
            let place = || self.grid.cell_name(covered[0]);
            let Some(kind) = self.kind_named(letter, &shape) else {
                return Err(BadInput::new(format!(
                    "{}: the board has no piece of the shape of '{letter}' ({})",
                    place(),
                    shape.describe()
                )));
            };
            if self.covered(kind, covered[0]).is_none() {
                return Err(BadInput::new(format!(
                    "{}: piece '{letter}' covers a gate, which only pieces with a goal may cover",
                    place()
                )));
            }
            let most = self.kinds[kind].letters.len();
            if usize::from(used[kind]) == most {
                return Err(BadInput::new(format!(
                    "{}: piece '{letter}' is one too many of its shape ({}): the board has {most}",
                    place(),
                    shape.describe()
                )));
            }
            let piece = self.first_piece(kind) + used[kind];
            used[kind] += 1;
            for cell in covered {
                cells[cell] = Cell::Piece(piece);
            }
        }
        for (kind, &used) in self.kinds.iter().zip(&used) {
            let missing = kind.letters.len() - usize::from(used);
            if missing > 0 {
                return Err(BadInput::new(format!(
                    "{missing} piece(s) like '{}' ({}) are missing: place all pieces of the start",
                    kind.letters[0],
                    kind.shape.describe()
                )));
            }
        }
        Ok(cells)
    }

    /// Kind of a piece drawn with a letter. Among kinds of one shape, a piece with a goal is
    /// identified by its letter.
    fn kind_named(&self, letter: char, shape: &Shape) -> Option<usize> {
        let fits = |&kind: &usize| self.kinds[kind].shape == *shape;
        let of_shape: Vec<usize> = (0..self.kinds.len()).filter(fits).collect();
        let by_letter = |&&kind: &&usize| {
            let kind = &self.kinds[kind];
            kind.goal.is_some() && kind.letters.contains(&letter)
        };
        let common = |&&kind: &&usize| self.kinds[kind].goal.is_none();
        let only = || of_shape.first().filter(|_| of_shape.len() == 1);
        of_shape
            .iter()
            .find(by_letter)
            .or_else(|| of_shape.iter().find(common))
            .or_else(only)
            .copied()
    }
}
