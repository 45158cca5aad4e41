//! Paths, replayed.

use serde_json::Value;

use crate::rules::Rules;
use crate::rules::board::{Grid, Place, Way, pair};
use crate::search::Numbers;
use crate::shown::{OrWrong, Stop, list, or_none};

/// A name as names are compared: one blank between words, none next to a comma.
fn as_compared(name: &str) -> String {
    let words: Vec<&str> = name.split_whitespace().collect();
    words.join(" ").replace(" ,", ",").replace(", ", ",")
}

/// Refuses a move that leads further than to the next state: then the path is not shortest.
pub fn has_no_detour(rules: &dyn Rules, path: &[u128]) -> Result<(), Stop> {
    let places: Numbers<u128> = path.iter().copied().zip(0..).collect();
    let direct = |(at, &state): (u32, &u128)| {
        let mut next = rules.next(state).into_iter().chain([state]);
        next.all(|next| places.get(&next).is_none_or(|&place| place <= at + 1))
    };
    let direct = (0..).zip(path).all(direct);
    direct.or_wrong("the path makes a detour: it is not shortest")
}

/// Whether a text is a name of a move. Cells are `e7`, or row and column (`7,5` or `r7c5`), or
/// steps right and up from the middle of the board (`0:-2`).
pub fn is_called(rules: &dyn Rules, (from, to): (u128, u128), text: &str) -> bool {
    let Some(names) = rules.name(from, to) else {
        return false;
    };
    let board = rules.draw(from);
    let rows: Vec<&str> = board.split('/').collect();
    let columns = rows.iter().map(|row| row.len()).max().unwrap_or(0);
    let grid = Grid::new(rows.len(), columns);
    let cell = |word: &str| {
        let middle = (grid.rows as i32 / 2, (grid.columns as i32 - 1) / 2);
        let pair = |text: &str, by| pair::<i16, i16>(text, by).map(|(a, b)| (a.into(), b.into()));
        let by_steps = pair(word, ':').map(|(right, up): Way| (middle.0 - up, middle.1 + right));
        let by_numbers = || pair(word, ',').or_else(|| pair(word.strip_prefix('r')?, 'c'));
        let (row, column) =
            by_steps.or_else(|| by_numbers().map(|(row, column)| (row - 1, column - 1)))?;
        let place: Place = (row.try_into().ok()?, column.try_into().ok()?);
        let inside = place.0 < grid.rows && place.1 < grid.columns;
        inside.then(|| grid.name(grid.cell(place)))
    };
    let text = as_compared(text);
    let words = text.split(' ');
    let renamed = words.map(|word| cell(word).unwrap_or_else(|| word.to_owned()));
    let renamed = renamed.collect::<Vec<_>>().join(" ");
    names
        .lines()
        .any(|name| as_compared(name) == text || name == renamed)
}

/// Checks a path of the certificate: each state is a move from the previous one, with that name.
pub fn replayed(rules: &dyn Rules, picture: &Value) -> Result<Vec<u128>, Stop> {
    let strip = &picture["strip"];
    let (states, labels) = (list(&strip["states"]), list(&strip["labels"]));
    (labels.len() + 1 == states.len()).or_wrong("as many moves as states")?;
    let mut path = Vec::new();
    for state in states {
        let text = state.as_str().unwrap_or_default();
        let state = rules.state(text)?;
        (rules.draw(state) == text).or_wrong(format!("{text:?} is drawn otherwise"))?;
        path.push(state);
    }
    for (i, step) in path.windows(2).enumerate() {
        let legal = rules.next(step[0]).contains(&step[1]);
        legal.or_wrong(format!("move {} is against the rules", i + 1))?;
        let label = labels[i].as_str();
        let same = label.is_some_and(|label| is_called(rules, (step[0], step[1]), label));
        let name = || rules.name(step[0], step[1]);
        same.or_wrong(format!("move {} is {}", i + 1, or_none(name())))?;
    }
    Ok(path)
}
