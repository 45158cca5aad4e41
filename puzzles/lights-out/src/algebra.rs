//! Which lights a set of presses switches, as a matrix over the field of two elements, and
//! its kernel: the quiet patterns, sets of presses that switch nothing.
//!
//! The matrix is symmetric: light a is switched by b exactly where b is by a. So a board
//! that presses make has an even number of lights in common with every quiet pattern, and
//! one that has an odd number with one of them cannot be solved. That is all there is to
//! it: boards with even numbers throughout can be solved.

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

/// A basis of the quiet patterns of a rectangle, each as one bit a light, row by row. Takes
/// time with the cube of the number of lights: a second for some thousand.
#[must_use]
pub fn quiet_patterns(height: usize, width: usize) -> Vec<Row> {
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
    let mut done = 0;
    for light in 0..lights {
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
        done += 1;
    }
    // What is left switches nothing.
    rows.drain(done..).map(|(_, presses)| presses).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::quiet_patterns;
    use crate::panel::Panel;
    use crate::rules::press_all;

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
