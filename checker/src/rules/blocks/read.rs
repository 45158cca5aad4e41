//! The board of an instance from its drawing, and positions from theirs.

use super::{Blocks, Kind, Shape, normal};
use crate::rules::{Settings, board};

impl Blocks {
    /// # Errors
    /// An unknown instance or setting.
    pub fn open(instance: &str, settings: &Settings) -> Result<Self, String> {
        let known = board("sliding-block", instance).and_then(|text| text.split_once(' '));
        let (drawing, goals) = known.ok_or(format!("no instance sliding-block/{instance} here"))?;
        let metric = settings.get("metric").map_or("piece", String::as_str);
        if settings.keys().any(|key| key != "metric")
            || !["piece", "line", "step"].contains(&metric)
        {
            return Err("a setting of sliding blocks is unknown here".into());
        }
        let rows: Vec<Vec<char>> = drawing
            .split('/')
            .map(|row| row.chars().collect())
            .collect();
        let (width, height) = (rows[0].len(), rows.len());
        let marks: Vec<char> = rows.concat();
        let walls = marks.iter().map(|&mark| mark == '#').collect();
        let mut opened = Self {
            width,
            height,
            walls,
            kinds: vec![],
            start: 0,
            metric: metric.into(),
            bits: 0,
            counts: vec![],
            symmetries: vec![],
        };
        let goal_of = |letter: char| {
            let goal = goals.split(';').find_map(|goal| {
                goal.strip_prefix(letter)?
                    .strip_prefix('@')?
                    .split_once(',')
            });
            goal.and_then(|(row, column)| {
                Some(row.parse::<usize>().ok()? * width + column.parse::<usize>().ok()?)
            })
        };
        for (letter, cells) in opened.pieces(&marks) {
            let (shape, goal) = (opened.shape(&cells), goal_of(letter));
            match opened
                .kinds
                .iter_mut()
                .find(|kind| goal.is_none() && kind.goal.is_none() && kind.shape == shape)
            {
                Some(kind) => kind.letters.push(letter),
                None => opened.kinds.push(Kind {
                    shape,
                    letters: vec![letter],
                    goal,
                    covers: vec![],
                    steps: vec![],
                }),
            }
        }
        opened.kinds.sort_by_key(|kind| kind.shape.len() > 2);
        opened.counts = vec![marks.iter().filter(|&&mark| mark == '.').count()];
        opened
            .counts
            .extend(opened.kinds.iter().map(|kind| kind.letters.len()));
        opened.bits = opened.counts.len().next_power_of_two().ilog2() as usize;
        if opened.bits * opened.counts.iter().sum::<usize>() > 128 {
            return Err(format!(
                "sliding-block/{instance} is too large to check here"
            ));
        }
        opened.tables();
        opened.start = opened.pack(&opened.anchors(&marks)?);
        let turns = if width == height { 8 } else { 4 };
        opened.symmetries = (0..turns)
            .filter_map(|index| Some((index, opened.symmetry(index)?)))
            .collect();
        Ok(opened)
    }

    /// Cells of the letters of a drawing, in order of their first.
    fn pieces(&self, marks: &[char]) -> Vec<(char, Vec<usize>)> {
        let mut pieces: Vec<(char, Vec<usize>)> = Vec::new();
        for (cell, &mark) in marks
            .iter()
            .enumerate()
            .filter(|(_, mark)| !".#".contains(**mark))
        {
            match pieces.iter_mut().find(|(letter, _)| *letter == mark) {
                Some((_, cells)) => cells.push(cell),
                None => pieces.push((mark, vec![cell])),
            }
        }
        pieces
    }

    fn shape(&self, cells: &[usize]) -> Shape {
        normal(
            cells
                .iter()
                .map(|cell| ((cell / self.width) as i32, (cell % self.width) as i32))
                .collect(),
        )
    }

    /// The cell so many rows and columns away, where it is on the board and no wall.
    fn cell(&self, from: usize, (down, right): (i32, i32)) -> Option<usize> {
        let row = (from / self.width).checked_add_signed(down as isize)?;
        let column = (from % self.width).checked_add_signed(right as isize)?;
        let cell = row * self.width + column;
        (row < self.height && column < self.width && !self.walls[cell]).then_some(cell)
    }

    fn tables(&mut self) {
        let all = 0..self.width * self.height;
        for k in 0..self.kinds.len() {
            let covers: Vec<u128> = all
                .clone()
                .map(|cell| {
                    let cells = self.kinds[k]
                        .shape
                        .iter()
                        .map(|&offset| self.cell(cell, offset));
                    cells
                        .collect::<Option<Vec<usize>>>()
                        .map_or(0, |cells| cells.iter().fold(0, |mask, c| mask | 1 << c))
                })
                .collect();
            let step = |cell: usize| {
                [(-1, 0), (0, -1), (0, 1), (1, 0)]
                    .map(|way| self.cell(cell, way).filter(|&to| covers[to] != 0))
            };
            let steps = all.clone().map(step).collect();
            (self.kinds[k].covers, self.kinds[k].steps) = (covers, steps);
        }
    }

    /// By cell: 0, or the symbol of the piece whose first cell it is, from letters.
    pub(super) fn anchors(&self, marks: &[char]) -> Result<Vec<u8>, String> {
        let mut anchors = vec![0; marks.len()];
        let mut counts = vec![0; self.kinds.len()];
        for (letter, cells) in self.pieces(marks) {
            let shape = self.shape(&cells);
            let fits = |own: bool| {
                self.kinds.iter().position(|kind| {
                    kind.shape == shape
                        && kind.goal.is_some() == own
                        && (!own || kind.letters.contains(&letter))
                })
            };
            let only = || self.kinds.iter().position(|kind| kind.shape == shape);
            let kind = fits(true)
                .or_else(|| fits(false))
                .or_else(only)
                .ok_or(format!("no piece has the shape of {letter}"))?;
            anchors[cells[0]] = kind as u8 + 1;
            counts[kind] += 1;
        }
        match counts[..] == self.counts[1..] {
            true => Ok(anchors),
            false => Err("other pieces than the start's".into()),
        }
    }
}
