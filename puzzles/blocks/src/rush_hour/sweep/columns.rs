//! The possible contents of a column between its blocked cells, and their moves.

use crate::rush_hour::instances::Instance;
use crate::rush_hour::moves::LineMoves;
use crate::rush_hour::numbering::Numbers;

/// The contents of a column that fit between some blocked cells, numbered in order.
#[derive(Debug, Default)]
pub(super) struct Fitting {
    pub keys: Vec<u64>,
    /// Rows that each covers.
    pub covers: Vec<u8>,
    pub contents: Vec<u8>,
    /// The number of each content of the line, if it fits.
    numbers: Vec<Option<u8>>,
    /// The moves of each; those of number n are `from[n]` to `from[n + 1]`.
    steps: Vec<Step>,
    from: Vec<u16>,
}

/// A move of a content that fits to another.
#[derive(Debug, Clone, Copy)]
pub(super) struct Step {
    /// The number of the content after the move, less its own.
    pub by: i8,
    /// Whether it extends the previous move in the list by one more cell.
    pub farther: bool,
}

impl Fitting {
    #[inline]
    pub(super) fn steps(&self, number: usize) -> &[Step] {
        &self.steps[usize::from(self.from[number])..usize::from(self.from[number + 1])]
    }

    #[inline]
    pub(super) fn number(&self, content: u8) -> Option<u8> {
        self.numbers[usize::from(content)]
    }

    pub(super) fn len(&self) -> usize {
        self.keys.len()
    }
}

/// For each column, by its blocked cells, the contents that fit.
pub(super) type Columns = Vec<Vec<Fitting>>;

/// The tables of all columns: some milliseconds for a census, 100 KB per column.
pub(super) fn columns(instance: &Instance, numbers: &Numbers, moves: &[LineMoves]) -> Columns {
    let rows = instance.rows();
    let column = |(column, by_blocked): (usize, &Vec<Vec<u8>>)| {
        let line = rows + column;
        let each = by_blocked.iter().enumerate();
        each.map(|(blocked, fits)| {
            let blocked = instance.cells_on(line, blocked as u8);
            let mut fitting = Fitting {
                contents: fits.clone(),
                numbers: vec![None; instance.lines[line].contents.len()],
                from: vec![0],
                ..Fitting::default()
            };
            for (number, &content) in fits.iter().enumerate() {
                let own = &instance.lines[line];
                fitting.numbers[usize::from(content)] = Some(number as u8);
                fitting.keys.push(u64::from(content) * own.weight);
                let cells = own.contents[usize::from(content)].cells;
                fitting.covers.push(cells);
                let free = moves[line].of(content).iter();
                for step in free.filter(|step| step.needs & blocked == 0) {
                    // The result of a free move always fits.
                    if let Ok(to) = fits.binary_search(&step.to) {
                        fitting.steps.push(Step {
                            by: (to as i32 - number as i32) as i8,
                            farther: step.farther,
                        });
                    }
                }
                fitting.from.push(fitting.steps.len() as u16);
            }
            fitting
        })
        .collect()
    };
    numbers.fitting.iter().enumerate().map(column).collect()
}
