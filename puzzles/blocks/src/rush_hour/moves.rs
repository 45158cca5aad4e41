//! The moves along a line, listed by its content.

use crate::metric::Metric;
use crate::rush_hour::instances::Instance;
use crate::rush_hour::lines::Content;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Step {
    /// Cells of the board that must be free: those that the piece will cover, and those that it
    /// passes.
    pub needs: u64,
    /// The change of the key by the move, modulo 2^64.
    pub adds: u64,
    pub to: u8,
    /// Whether it extends the previous move in the list by one more cell.
    pub farther: bool,
}

/// Cells and moves of every possible content of a line.
#[derive(Debug)]
pub(crate) struct LineMoves {
    /// Cells of the board that each content covers.
    pub cells: Vec<u64>,
    steps: Vec<Step>,
    /// Where the moves of each content begin, and where those of the last one end.
    from: Vec<u32>,
}

impl LineMoves {
    #[inline]
    pub(crate) fn of(&self, content: u8) -> &[Step] {
        let content = usize::from(content);
        &self.steps[self.from[content] as usize..self.from[content + 1] as usize]
    }
}

pub(crate) fn line_moves(instance: &Instance, line: usize) -> LineMoves {
    let own = &instance.lines[line];
    let (mut steps, mut from) = (Vec::new(), vec![0]);
    for (index, &content) in own.contents.iter().enumerate() {
        for (to, needs, farther) in slides(content, instance.metric) {
            // Off the board, or onto a piece of the same line.
            let Some(target) = own.contents.iter().position(|&other| other == to) else {
                continue;
            };
            steps.push(Step {
                needs: instance.cells_on(line, needs),
                adds: (target as u64)
                    .wrapping_sub(index as u64)
                    .wrapping_mul(own.weight),
                to: target as u8,
                farther,
            });
        }
        from.push(steps.len() as u32);
    }
    let cells = own.contents.iter();
    LineMoves {
        cells: cells
            .map(|content| instance.cells_on(line, content.cells))
            .collect(),
        steps,
        from,
    }
}

/// Where each piece of a line can slide to, as far as the other pieces of the line let it. Each has
/// the cells that must be free, and whether it is one cell farther than the one before. Cells
/// beyond an edge are treated like others.
fn slides(content: Content, metric: Metric) -> Vec<(Content, u8, bool)> {
    let mut found = Vec::new();
    let farthest = match metric {
        Metric::Step => 1,
        _ => 7,
    };
    for (start, length) in content.pieces() {
        let piece = ((1_u16 << length) - 1) << start;
        let others = u16::from(content.cells) & !piece;
        for forward in [true, false] {
            let mut passed = 0;
            for cells in 1..=farthest {
                let at = if forward {
                    start + cells
                } else if cells <= start {
                    start - cells
                } else {
                    break;
                };
                if at + length > 8 {
                    break;
                }
                let after = ((1_u16 << length) - 1) << at;
                passed |= after;
                if passed & others != 0 {
                    break;
                }
                let to = Content {
                    cells: (others | after) as u8,
                    heads: content.heads & !(1 << start) | 1 << at,
                };
                found.push((to, (passed & !piece) as u8, cells > 1));
            }
        }
    }
    found
}
