//! Which lights a set of presses switches, as a matrix over the field of two elements, and
//! its kernel: the quiet patterns, sets of presses that switch nothing.
//!
//! The matrix is symmetric: light a is switched by b exactly where b is by a. So a board
//! that presses make has an even number of lights in common with every quiet pattern, and
//! one that has an odd number with one of them cannot be solved. That is all there is to
//! it: boards with even numbers throughout can be solved.

use crate::lights_out::panel::Panel;

/// A row of bits, 64 to a word.
type Row = Vec<u64>;

fn bit(row: &[u64], at: usize) -> bool {
    row[at / 64] >> (at % 64) & 1 == 1
}

fn flip(row: &mut [u64], at: usize) {
    row[at / 64] ^= 1 << (at % 64);
}

fn add(to: &mut [u64], row: &[u64]) {
    for (word, other) in to.iter_mut().zip(row) {
        *word ^= other;
    }
}

/// What elimination makes of the presses of a rectangle.
struct Eliminated {
    /// Sets of presses, each with what it switches and the first light of that; rising.
    pivots: Vec<(usize, Row, Row)>,
    /// Independent sets of presses that switch nothing.
    quiet: Vec<Row>,
}

fn eliminate(height: usize, width: usize) -> Eliminated {
    let lights = height * width;
    let words = lights.div_ceil(64);
    // What each light's press switches, and which presses were added up to get there.
    let mut rows: Vec<(Row, Row)> = (0..lights)
        .map(|light| {
            let (mut switched, mut presses) = (vec![0; words], vec![0; words]);
            let (row, column) = (light / width, light % width);
            flip(&mut presses, light);
            flip(&mut switched, light);
            for (inside, beside) in [
                (row > 0, light.wrapping_sub(width)),
                (column > 0, light.wrapping_sub(1)),
                (column + 1 < width, light + 1),
                (row + 1 < height, light + width),
            ] {
                if inside {
                    flip(&mut switched, beside);
                }
            }
            (switched, presses)
        })
        .collect();
    let mut firsts = Vec::new();
    for light in 0..lights {
        let done = firsts.len();
        let Some(pivot) = (done..lights).find(|&row| bit(&rows[row].0, light)) else {
            continue;
        };
        rows.swap(done, pivot);
        let (head, tail) = rows.split_at_mut(done + 1);
        let pivot = &head[done];
        for row in tail.iter_mut().filter(|row| bit(&row.0, light)) {
            add(&mut row.0, &pivot.0);
            add(&mut row.1, &pivot.1);
        }
        firsts.push(light);
    }
    // What is left switches nothing.
    let quiet = rows.split_off(firsts.len());
    let pivots = firsts.into_iter().zip(rows);
    Eliminated {
        pivots: pivots.map(|(light, (on, by))| (light, on, by)).collect(),
        quiet: quiet.into_iter().map(|(_, presses)| presses).collect(),
    }
}

/// A basis of the quiet patterns of a rectangle, each as one bit a light, row by row. Takes
/// time with the cube of the number of lights: a second for some thousand.
#[must_use]
pub fn quiet_patterns(height: usize, width: usize) -> Vec<Row> {
    eliminate(height, width).quiet
}

/// The fewest presses that put boards out. The order of presses does not matter and none is
/// needed twice, so the ways to put a board out are one of them plus each quiet pattern.
#[derive(Debug)]
pub struct Fewest {
    /// The first light of what some presses switch, all of it, and the presses.
    pivots: Vec<(usize, u64, u64)>,
    /// All quiet patterns, sums included: at most 256, since the first row or column of a
    /// pattern decides the rest.
    quiet: Vec<u64>,
}

impl Fewest {
    /// Of the boards of a panel.
    #[must_use]
    pub fn new(panel: &Panel) -> Self {
        let found = eliminate(panel.height, panel.width);
        let mut quiet = vec![0];
        for pattern in found.quiet {
            let sums: Vec<u64> = quiet.iter().map(|other| other ^ pattern[0]).collect();
            quiet.extend(sums);
        }
        let pivots = found.pivots.into_iter();
        Self {
            pivots: pivots.map(|(at, on, by)| (at, on[0], by[0])).collect(),
            quiet,
        }
    }

    /// The fewest presses that put a board out; `None` where none do.
    #[must_use]
    pub fn of(&self, lit: u64) -> Option<u32> {
        let (mut left, mut presses) = (lit, 0);
        for &(light, switched, by) in &self.pivots {
            if left >> light & 1 == 1 {
                left ^= switched;
                presses ^= by;
            }
        }
        let all = self
            .quiet
            .iter()
            .map(|quiet| (presses ^ quiet).count_ones());
        all.min().filter(|_| left == 0)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{Fewest, quiet_patterns};
    use crate::lights_out::panel::Panel;
    use crate::lights_out::rules::{chased, press_all};

    /// Of every board of small rectangles, by trying all sets of presses; chasing the lights
    /// finds the same.
    #[test]
    fn fewest_presses_are_those_found_by_trying() {
        for (height, width) in [(1, 1), (1, 5), (2, 1), (2, 3), (3, 3), (4, 3), (4, 4)] {
            let panel = Panel { height, width };
            let boards = 1_u64 << (height * width);
            let mut tried = vec![None; boards as usize];
            for presses in 0..boards {
                let least: &mut Option<u32> = &mut tried[press_all(&panel, presses) as usize];
                let count = presses.count_ones();
                *least = Some(least.map_or(count, |least| least.min(count)));
            }
            let fewest = Fewest::new(&panel);
            for (lit, least) in (0..).zip(tried) {
                let found = (fewest.of(lit), chased(&panel, lit));
                assert_eq!(found, (least, least), "{height}x{width} {lit:b}");
            }
        }
    }

    /// On small boards, by trying all sets of presses.
    #[test]
    fn quiet_patterns_are_those_found_by_trying() {
        for (height, width) in [(1, 1), (1, 2), (2, 3), (3, 3), (4, 4), (2, 5), (1, 11)] {
            let panel = Panel { height, width };
            let tried = 0..1_u64 << (height * width);
            let quiet = tried.filter(|&presses| press_all(&panel, presses) == 0);
            let mut spanned = BTreeSet::from([0]);
            for pattern in quiet_patterns(height, width) {
                let more: Vec<u64> = spanned.iter().map(|other| other ^ pattern[0]).collect();
                spanned.extend(more);
            }
            assert_eq!(spanned, quiet.collect(), "{height}x{width}");
        }
    }
}
