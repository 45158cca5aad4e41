//! Peg solitaire: a peg jumps over a neighbour (right, up, left, down) into the empty hole
//! behind it, and the peg jumped over is taken off. Solved: one peg is left, in the finish.
//!
//! State and key: bit n for a peg in hole n, holes in reading order. Canonical is the image of
//! the smallest key, under those of the board's symmetries that leave the finish where it is.

use super::{Rules, Settings, board, turn};

#[derive(Debug, Clone)]
pub struct Pegs {
    /// Row and column of each hole.
    pub holes: Vec<(usize, usize)>,
    pub size: (usize, usize),
    /// From, over, to.
    pub jumps: Vec<[usize; 3]>,
    start: u128,
    finish: Option<usize>,
    pub symmetries: Vec<Vec<usize>>,
}

/// Right, up, left, down, as rows and columns.
pub const WAYS: [(i32, i32); 4] = [(0, 1), (-1, 0), (0, -1), (1, 0)];

impl Pegs {
    /// # Errors
    /// An unknown instance or setting.
    pub fn open(instance: &str, settings: &Settings) -> Result<Self, String> {
        let known = board("peg-solitaire", instance).and_then(|text| text.split_once(' '));
        let (usual, drawing) = known.ok_or(format!("no instance peg-solitaire/{instance} here"))?;
        let (mut from, mut to) = usual.split_once("->").unwrap_or_default();
        for (key, value) in settings {
            match key.as_str() {
                "from" => from = value,
                "to" => to = value,
                _ => {
                    return Err(format!(
                        "the setting {key} of peg solitaire is unknown here"
                    ));
                }
            }
        }
        let rows: Vec<&str> = drawing.split('/').collect();
        let is_hole = |row: usize, column: usize| {
            rows.get(row).and_then(|r| r.as_bytes().get(column)) == Some(&b'o')
        };
        let size = (
            rows.len(),
            rows.iter().map(|row| row.len()).max().unwrap_or(0),
        );
        let places = (0..size.0).flat_map(|row| (0..size.1).map(move |column| (row, column)));
        let holes = places
            .filter(|&(row, column)| is_hole(row, column))
            .collect();
        let mut opened = Self {
            holes,
            size,
            jumps: vec![],
            start: 0,
            finish: None,
            symmetries: vec![],
        };
        for hole in 0..opened.holes.len() {
            for way in WAYS {
                let over = opened.beside(hole, way);
                let to = over.and_then(|over| opened.beside(over, way));
                opened
                    .jumps
                    .extend(over.zip(to).map(|(over, to)| [hole, over, to]));
            }
        }
        opened.finish = if to == "any" {
            None
        } else {
            Some(opened.hole(to)?)
        };
        let empty = from
            .split(';')
            .map(|point| opened.hole(point))
            .collect::<Result<Vec<_>, _>>()?;
        opened.start = empty
            .iter()
            .fold(opened.full(), |pegs, hole| pegs & !(1 << hole));
        opened.symmetries = opened.turns();
        opened
            .symmetries
            .retain(|to| opened.finish.is_none_or(|hole| to[hole] == hole));
        Ok(opened)
    }

    #[must_use]
    pub fn full(&self) -> u128 {
        (1 << self.holes.len()) - 1
    }

    /// The hole one step away.
    #[must_use]
    pub fn beside(&self, hole: usize, (down, right): (i32, i32)) -> Option<usize> {
        let (row, column) = self.holes[hole];
        let place = (
            row.checked_add_signed(down as isize)?,
            column.checked_add_signed(right as isize)?,
        );
        self.holes.iter().position(|&hole| hole == place)
    }

    /// Point x:y of a hole: x to the right and y up, 0:0 the middle of the rectangle (where a
    /// side is even, the lower left of the middle).
    #[must_use]
    pub fn point(&self, hole: usize) -> (i32, i32) {
        let (row, column) = self.holes[hole];
        (
            column as i32 - (self.size.1 as i32 - 1) / 2,
            self.size.0 as i32 / 2 - row as i32,
        )
    }

    /// The hole at a point.
    ///
    /// # Errors
    /// There is none.
    pub fn hole(&self, text: &str) -> Result<usize, String> {
        let point = text
            .trim()
            .split_once(':')
            .and_then(|(x, y)| Some((x.parse().ok()?, y.parse().ok()?)));
        let found =
            point.and_then(|point| (0..self.holes.len()).find(|&hole| self.point(hole) == point));
        found.ok_or(format!("no hole at {text:?}"))
    }

    /// All turns of the board, wherever the finish is.
    #[must_use]
    pub fn turns(&self) -> Vec<Vec<usize>> {
        (0..8).filter_map(|index| self.symmetry(index)).collect()
    }

    fn symmetry(&self, index: usize) -> Option<Vec<usize>> {
        let square = self.size.0 == self.size.1;
        let to = |&place: &(usize, usize)| {
            self.holes
                .iter()
                .position(|&hole| hole == turn(index, self.size, place))
        };
        (index < 4 || square)
            .then(|| self.holes.iter().map(to).collect())
            .flatten()
    }

    #[must_use]
    pub fn jumped(&self, state: u128, [from, over, to]: [usize; 3]) -> Option<u128> {
        let can = state >> from & 1 == 1 && state >> over & 1 == 1 && state >> to & 1 == 0;
        can.then_some(state ^ (1 << from | 1 << over | 1 << to))
    }
}

impl Rules for Pegs {
    fn read(&self, text: &str) -> Result<u128, String> {
        let marks: Vec<(usize, usize, char)> = text
            .split('/')
            .enumerate()
            .flat_map(|(row, line)| {
                line.chars()
                    .enumerate()
                    .map(move |(column, mark)| (row, column, mark))
            })
            .filter(|mark| mark.2 != ' ')
            .collect();
        let places = marks.iter().map(|mark| (mark.0, mark.1));
        if !places.eq(self.holes.iter().copied()) || marks.iter().any(|mark| !"o.".contains(mark.2))
        {
            return Err(format!("{text:?} is no position of this board"));
        }
        Ok(marks
            .iter()
            .enumerate()
            .filter(|(_, mark)| mark.2 == 'o')
            .fold(0, |pegs, (hole, _)| pegs | 1 << hole))
    }
    fn draw(&self, state: u128) -> String {
        let mark = |hole: usize| if state >> hole & 1 == 1 { 'o' } else { '.' };
        let mut rows = vec![String::new(); self.size.0];
        for (hole, &(row, column)) in self.holes.iter().enumerate() {
            while rows[row].len() < column {
                rows[row].push(' ');
            }
            rows[row].push(mark(hole));
        }
        rows.join("/")
    }
    fn next(&self, state: u128, out: &mut Vec<u128>) {
        out.extend(
            self.jumps
                .iter()
                .filter_map(|&jump| self.jumped(state, jump)),
        );
    }
    fn before(&self, state: u128, out: &mut Vec<u128>) -> bool {
        // A jump undone is the same jump of the empty holes.
        let complement = self.full() & !state;
        out.extend(
            self.jumps
                .iter()
                .filter_map(|&[a, b, c]| self.jumped(complement, [a, b, c]))
                .map(|pegs| self.full() & !pegs),
        );
        true
    }
    fn solved(&self, state: u128) -> bool {
        self.solved_states().contains(&state)
    }
    fn solved_states(&self) -> Vec<u128> {
        let holes =
            (0..self.holes.len()).filter(|&hole| self.finish.is_none_or(|finish| finish == hole));
        holes.map(|hole| 1 << hole).collect()
    }
    fn start(&self) -> Option<u128> {
        Some(self.start)
    }
    fn images(&self, state: u128) -> Vec<u128> {
        self.symmetries
            .iter()
            .map(|to| super::coins::moved(state, to))
            .collect()
    }
    fn name(&self, from: u128, to: u128) -> Option<String> {
        let jump = self
            .jumps
            .iter()
            .find(|&&jump| self.jumped(from, jump) == Some(to))?;
        let (a, b) = (self.point(jump[0]), self.point(jump[2]));
        Some(format!("{}:{} to {}:{}", a.0, a.1, b.0, b.1))
    }
}
