//! Checks the text of a certificate. Knows drawings, integers and the rule of the jump,
//! and shares no code with the rest of the crate.

use serde::Deserialize;

#[derive(Deserialize)]
struct Certificate {
    from: String,
    goal: String,
    #[serde(default)]
    lines: Vec<[usize; 3]>,
    proofs: Vec<Proof>,
}

#[derive(Deserialize)]
struct Proof {
    rule: String,
    weights: Vec<i64>,
    to: Vec<String>,
}

/// Row, column and symbol of every hole of a drawing.
fn holes(drawing: &str) -> Vec<(usize, usize, char)> {
    let rows = drawing.split('/').enumerate();
    let cells =
        rows.flat_map(|(row, text)| text.chars().enumerate().map(move |(i, c)| (row, i, c)));
    cells.filter(|cell| cell.2 != ' ').collect()
}

fn ensure(holds: bool, fault: &str) -> Result<(), String> {
    if holds { Ok(()) } else { Err(fault.into()) }
}

/// Whether the text proves its statement.
///
/// # Errors
/// The error, in a line.
pub fn check(text: &str) -> Result<(), String> {
    let text: Certificate = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let from = holes(&text.from);
    let at = |row, column| {
        from.iter()
            .position(|hole| (hole.0, hole.1) == (row, column))
    };
    let mut jumps = Vec::new();
    for &[a, b, c] in &text.lines {
        let known = [a, b, c].iter().all(|&hole| hole < from.len());
        ensure(known, "a line of holes that do not exist")?;
        jumps.extend([[a, b, c], [c, b, a]]);
    }
    let drawn = from.iter().enumerate().filter(|_| text.lines.is_empty());
    for (a, &(row, column, _)) in drawn {
        for (down, right) in [(0, 1), (1, 0)] {
            let (b, c) = (
                at(row + down, column + right),
                at(row + 2 * down, column + 2 * right),
            );
            if let (Some(b), Some(c)) = (b, c) {
                jumps.extend([[a, b, c], [c, b, a]]);
            }
        }
    }
    let mut excluded = Vec::new();
    for proof in &text.proofs {
        let parity = proof.rule == "parity";
        ensure(parity || proof.rule == "pagoda", "no such rule")?;
        ensure(proof.weights.len() == from.len(), "not one weight per hole")?;
        let weight = |hole: usize| i128::from(proof.weights[hole]);
        for &[a, b, c] in &jumps {
            let gain = weight(c) - weight(b) - weight(a);
            ensure(
                if parity { gain % 2 == 0 } else { gain <= 0 },
                "a jump breaks the rule",
            )?;
        }
        for drawing in &proof.to {
            let to = holes(drawing);
            let places = from.iter().zip(&to).all(|(a, b)| (a.0, a.1) == (b.0, b.1));
            ensure(places && to.len() == from.len(), "a goal on another board")?;
            let known = to
                .iter()
                .chain(&from)
                .all(|hole| ['o', '.'].contains(&hole.2));
            ensure(known, "a drawing with an unknown symbol")?;
            let sign =
                |hole: usize| i128::from(to[hole].2 == 'o') - i128::from(from[hole].2 == 'o');
            let gain: i128 = (0..to.len()).map(|hole| sign(hole) * weight(hole)).sum();
            ensure(
                if parity { gain % 2 != 0 } else { gain > 0 },
                "a goal is not excluded",
            )?;
            excluded.push(to);
        }
    }
    let lone = |to: &[(_, _, char)], peg| (0..to.len()).all(|at| (to[at].2 == 'o') == (at == peg));
    let complete = match text.goal.as_str() {
        "any" => (0..from.len()).all(|peg| excluded.iter().any(|to| lone(to, peg))),
        goal => excluded.contains(&holes(goal)),
    };
    ensure(complete, "a goal is missing")
}
