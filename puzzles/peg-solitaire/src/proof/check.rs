//! Checks the text of a certificate. Knows drawings, integers and the rule of the jump,
//! and shares no code with the rest of the crate.

use serde_json::Value;

/// A place of a drawing: row and column.
type Place = (usize, usize);

/// Holes of a drawing in scanning order, each with whether it has a peg.
fn read(drawing: &str) -> Result<Vec<(Place, bool)>, String> {
    let mut holes = Vec::new();
    for (row, text) in drawing.split('/').enumerate() {
        for (column, symbol) in text.chars().enumerate() {
            match symbol {
                'o' | '.' => holes.push(((row, column), symbol == 'o')),
                ' ' => {}
                _ => return Err(format!("'{symbol}' in a drawing")),
            }
        }
    }
    Ok(holes)
}

/// Three holes in a row, in both directions, as indices.
fn triples(holes: &[(Place, bool)]) -> Vec<[usize; 3]> {
    let find = |place: Place| holes.iter().position(|hole| hole.0 == place);
    let mut triples = Vec::new();
    for (a, &((row, column), _)) in holes.iter().enumerate() {
        for (down, right) in [(0, 1), (1, 0)] {
            let b = find((row + down, column + right));
            let c = find((row + 2 * down, column + 2 * right));
            if let (Some(b), Some(c)) = (b, c) {
                triples.extend([[a, b, c], [c, b, a]]);
            }
        }
    }
    triples
}

/// Whether the text proves what it says.
///
/// # Errors
/// What is wrong with it, in a line.
pub fn check(text: &str) -> Result<(), String> {
    let certificate: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let from = read(certificate["from"].as_str().ok_or("no 'from'")?)?;
    let places: Vec<Place> = from.iter().map(|hole| hole.0).collect();
    let mut excluded = Vec::new();
    for proof in certificate["proofs"].as_array().ok_or("no 'proofs'")? {
        let weights = proof["weights"].as_array().ok_or("no 'weights'")?;
        let weights: Option<Vec<i128>> =
            weights.iter().map(|w| w.as_i64().map(Into::into)).collect();
        let weights = weights
            .filter(|w| w.len() == from.len())
            .ok_or("not one integer a hole")?;
        let parity = match proof["rule"].as_str() {
            Some("parity") => true,
            Some("pagoda") => false,
            _ => return Err("neither parity nor pagoda".into()),
        };
        for [a, b, c] in triples(&from) {
            let (gained, lost) = (weights[c], weights[a] + weights[b]);
            if if parity {
                (gained - lost) % 2 != 0
            } else {
                gained > lost
            } {
                return Err(format!(
                    "the weights do not hold for the jump {a}, {b}, {c}"
                ));
            }
        }
        let weigh = |holes: &[(Place, bool)]| -> i128 {
            let pegs = holes.iter().zip(&weights).filter(|(hole, _)| hole.1);
            pegs.map(|(_, weight)| weight).sum()
        };
        for drawing in proof["to"].as_array().ok_or("no 'to'")? {
            let to = read(drawing.as_str().ok_or("'to' holds no drawing")?)?;
            if !to.iter().map(|hole| hole.0).eq(places.iter().copied()) {
                return Err("a goal on another board".into());
            }
            let (start, end) = (weigh(&from), weigh(&to));
            if if parity {
                (start - end) % 2 == 0
            } else {
                start >= end
            } {
                return Err(format!("{drawing} is not excluded"));
            }
            excluded.push(to.iter().map(|hole| hole.1).collect::<Vec<bool>>());
        }
    }
    let goals = match certificate["goal"].as_str().ok_or("no 'goal'")? {
        "any" => (0..from.len())
            .map(|peg| (0..from.len()).map(|hole| hole == peg).collect())
            .collect(),
        drawing => vec![
            read(drawing)?
                .iter()
                .map(|hole| hole.1)
                .collect::<Vec<bool>>(),
        ],
    };
    let open = goals.iter().find(|goal| !excluded.contains(goal));
    open.map_or(Ok(()), |_| Err("a goal is not excluded".into()))
}
