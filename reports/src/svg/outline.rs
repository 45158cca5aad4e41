//! Outlines of pieces that cover several cells.

use super::number;
use std::collections::BTreeSet;
use std::fmt::Write;

/// A cell as (row, column).
pub type OutlineCell = (i32, i32);
/// The cells of a piece, or of all pieces of a symbol.
pub(super) type Cells = BTreeSet<OutlineCell>;
/// A corner of the grid, or a step along it, as (x, y).
type Vector = (i32, i32);

/// A place where a boundary turns: it arrives along `into` and leaves along `out`.
struct BoundaryTurn {
    at: Vector,
    into: Vector,
    out: Vector,
}

pub(super) fn connected(cells: &Cells) -> Vec<Cells> {
    let mut left = cells.clone();
    let mut groups = Vec::new();
    while let Some(first) = left.pop_first() {
        let mut group = BTreeSet::from([first]);
        let mut open = vec![first];
        while let Some((row, column)) = open.pop() {
            for next in [
                (row - 1, column),
                (row + 1, column),
                (row, column - 1),
                (row, column + 1),
            ] {
                if left.remove(&next) {
                    group.insert(next);
                    open.push(next);
                }
            }
        }
        groups.push(group);
    }
    groups
}

/// Path data around a group of cells, drawn `gap` inside its edge, with corners rounded by
/// `radius`.
pub(super) fn rounded_path(group: &Cells, cell: f64, gap: f64, radius: f64) -> String {
    let mut path = String::new();
    for ring in rings(group) {
        let mut pen: Option<Hundredths> = None;
        for turn in turns(&ring) {
            let (into, out) = (as_floats(turn.into), as_floats(turn.out));
            let (right, below) = (to_the_right(turn.into), to_the_right(turn.out));
            let x = f64::from(turn.at.0) * cell + f64::from(right.0 + below.0) * gap;
            let y = f64::from(turn.at.1) * cell + f64::from(right.1 + below.1) * gap;
            let before = hundredths((x - into.0 * radius, y - into.1 * radius));
            let after = hundredths((x + out.0 * radius, y + out.1 * radius));
            match pen {
                None => append(&mut path, 'M', &[before]),
                Some(at) if at.0 == before.0 => {
                    let _ = write!(path, "v{}", shown(before.1 - at.1));
                }
                Some(at) => {
                    let _ = write!(path, "h{}", shown(before.0 - at.0));
                }
            }
            if before != after {
                let from = |to: Hundredths| (to.0 - before.0, to.1 - before.1);
                append(&mut path, 'q', &[from(hundredths((x, y))), from(after)]);
            }
            pen = Some(after);
        }
        path.push('z');
    }
    path
}

/// A place in hundredths of a pixel, in its written form: relative places add up exactly.
type Hundredths = (i64, i64);

fn hundredths((x, y): (f64, f64)) -> Hundredths {
    ((x * 100.0).round() as i64, (y * 100.0).round() as i64)
}

fn shown(hundredths: i64) -> String {
    let text = number(hundredths as f64 / 100.0);
    // A zero before the point is left out.
    match text.strip_prefix("0.").map(|rest| format!(".{rest}")) {
        Some(short) => short,
        None => text.replacen("-0.", "-.", 1),
    }
}

/// A command with its places; a minus parts numbers as well as a blank.
fn append(path: &mut String, verb: char, places: &[Hundredths]) {
    path.push(verb);
    let numbers = places.iter().flat_map(|&(x, y)| [x, y]);
    for (nth, value) in numbers.enumerate() {
        if nth > 0 && value >= 0 {
            path.push(' ');
        }
        path.push_str(&shown(value));
    }
}

/// The closed boundaries of a group as steps (from, along), with the group always on the right.
fn rings(group: &Cells) -> Vec<Vec<(Vector, Vector)>> {
    let mut edges = boundary_edges(group);
    let mut rings = Vec::new();
    while let Some(&first) = edges.first() {
        let mut ring = Vec::new();
        let mut step = Some(first);
        while let Some(edge @ (from, along)) = step {
            edges.remove(&edge);
            ring.push(edge);
            let at = (from.0 + along.0, from.1 + along.1);
            // Turning right if there is a choice stays at the same cell, so that two cells that
            // touch only at a corner are not joined.
            let right = to_the_right(along);
            let choices = [right, along, (-right.0, -right.1)];
            let next = choices
                .map(|way| (at, way))
                .into_iter()
                .find(|edge| *edge == first || edges.contains(edge));
            step = next.filter(|edge| *edge != first);
        }
        rings.push(ring);
    }
    rings
}

fn boundary_edges(group: &Cells) -> BTreeSet<(Vector, Vector)> {
    let mut edges = BTreeSet::new();
    for &(row, column) in group {
        let sides = [
            ((row - 1, column), (column, row), (1, 0)),
            ((row, column + 1), (column + 1, row), (0, 1)),
            ((row + 1, column), (column + 1, row + 1), (-1, 0)),
            ((row, column - 1), (column, row + 1), (0, -1)),
        ];
        edges.extend(
            sides
                .iter()
                .filter(|side| !group.contains(&side.0))
                .map(|side| (side.1, side.2)),
        );
    }
    edges
}

fn turns(ring: &[(Vector, Vector)]) -> impl Iterator<Item = BoundaryTurn> {
    let before = ring.iter().cycle().skip(ring.len().saturating_sub(1));
    let steps = before
        .zip(ring)
        .map(|(&(_, into), &(at, out))| BoundaryTurn { at, into, out });
    steps.filter(|turn| turn.into != turn.out)
}

/// The direction a quarter turn clockwise, with y pointing down.
fn to_the_right((x, y): Vector) -> Vector {
    (-y, x)
}

fn as_floats((x, y): Vector) -> (f64, f64) {
    (f64::from(x), f64::from(y))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(text: &str) -> Cells {
        let rows = text.split('/').zip(0..);
        rows.flat_map(|(row, r)| {
            row.chars()
                .zip(0..)
                .filter(|(c, _)| *c == 'x')
                .map(move |(_, c)| (r, c))
        })
        .collect()
    }

    #[test]
    fn cells_that_touch_at_a_corner_are_two_pieces() {
        assert_eq!(connected(&cells("x./.x")).len(), 2);
        assert_eq!(connected(&cells("xx/.x")).len(), 1);
    }

    #[test]
    fn an_open_ring_that_touches_itself_at_a_corner_keeps_its_gap() {
        let group = cells("xxx/x.x/xx./x.x/xxx");
        let steps: usize = rings(&group).iter().map(Vec::len).sum();
        assert_eq!(steps, boundary_edges(&group).len());
        for ring in rings(&group) {
            let (last, along) = *ring.last().unwrap();
            assert_eq!(
                (last.0 + along.0, last.1 + along.1),
                ring[0].0,
                "a boundary must close"
            );
        }
    }

    #[test]
    fn a_square_is_inset_and_rounded() {
        assert_eq!(
            rounded_path(&cells("x"), 10.0, 1.0, 2.0),
            "M1 3q0-2 2-2h4q2 0 2 2v4q0 2-2 2h-4q-2 0-2-2z"
        );
        // Without rounded corners, and with lengths below one.
        assert_eq!(rounded_path(&cells("x"), 0.5, 0.0, 0.0), "M0 0h.5v.5h-.5z");
    }
}
