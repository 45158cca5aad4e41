//! Boards of peg solitaire from their drawings, and holes from their points.

use super::{Pegs, TRIANGLE, WAYS};
use crate::rules::board::{Grid, Way, pair, set};
use crate::rules::{Settings, board};

impl Pegs {
    /// The steps between neighbours.
    pub fn ways(&self) -> &'static [Way] {
        if self.triangle { &TRIANGLE } else { &WAYS }
    }

    /// The rules of an instance.
    pub fn open(instance: &str, settings: &Settings) -> Option<Self> {
        let (usual, drawing) = board("peg-solitaire", instance)?.split_once(' ')?;
        let (mut from, mut to) = usual.split_once("->").unwrap_or_default();
        for (key, value) in settings {
            match key.as_str() {
                "from" => from = value,
                "to" => to = value,
                _ => return None,
            }
        }
        let rows: Vec<&[u8]> = drawing.split('/').map(str::as_bytes).collect();
        let longest = rows.iter().map(|row| row.len()).max();
        let grid = Grid::new(rows.len(), longest.unwrap_or(0));
        let places = grid.cells().map(|cell| grid.place(cell));
        let is_hole = |&(row, column): &(usize, usize)| rows[row].get(column) == Some(&b'o');
        let mut opened = Self {
            holes: places.filter(is_hole).collect(),
            grid,
            jumps: vec![],
            start: 0,
            finish: None,
            triangle: instance.starts_with("triangle-"),
            symmetries: vec![],
        };
        let ways = opened.ways();
        let steps =
            (0..opened.holes.len()).flat_map(|hole| ways.iter().map(move |&way| (hole, way)));
        let jumps = steps.filter_map(|(hole, way)| match opened.ahead(hole, way) {
            (Some(over), Some(to)) => Some([hole, over, to]),
            _ => None,
        });
        opened.jumps = jumps.collect();
        opened.finish = match to {
            "any" => None,
            point => Some(opened.hole(point)?),
        };
        let empty = from.split(';').map(|point| opened.hole(point));
        let empty: Vec<usize> = empty.collect::<Option<_>>()?;
        opened.start = opened.full() & !set(empty);
        let keeps = |to: &Vec<usize>| opened.finish.is_none_or(|hole| to[hole] == hole);
        opened.symmetries = opened.turns().into_iter().filter(keeps).collect();
        Some(opened)
    }

    /// Point x:y of a hole: x to the right and y up. 0:0 is the middle of the rectangle, the lower
    /// left of the middle if a side is even, or the middle of a triangle's lowest row.
    pub fn point(&self, hole: usize) -> (i32, i32) {
        let (row, column) = self.holes[hole];
        let (rows, columns) = (self.grid.rows as i32, self.grid.columns as i32);
        let middle = if self.triangle { rows - 1 } else { rows / 2 };
        (column as i32 - (columns - 1) / 2, middle - row as i32)
    }

    /// The cell of a hole as moves name it, or its number.
    pub fn named(&self, hole: usize) -> String {
        match self.triangle {
            true => (hole + 1).to_string(),
            false => self.grid.name(self.grid.cell(self.holes[hole])),
        }
    }

    /// A state by its name; holes, joined by `;`, are the empty ones, or after `=` those with
    /// pegs.
    pub fn by_name(&self, text: &str) -> Option<u128> {
        match text {
            "start" => Some(self.start),
            "full" => Some(self.full()),
            "empty" => Some(0),
            "centre" => self.by_name("0:0"),
            _ => {
                let lone = text.strip_prefix('=');
                let points = lone.unwrap_or(text).split(';');
                let holes: Option<Vec<usize>> = points.map(|point| self.hole(point)).collect();
                let named = set(holes?);
                Some(lone.map_or(self.full() & !named, |_| named))
            }
        }
    }

    /// The hole with a name, or at a point.
    pub fn hole(&self, text: &str) -> Option<usize> {
        let point = pair(&text.replace(' ', ""), ':');
        let is_it = |&hole: &usize| {
            self.named(hole) == text.trim() || point.is_some_and(|point| self.point(hole) == point)
        };
        (0..self.holes.len()).find(is_it)
    }
}
