//! Paths, replayed.

use serde_json::Value;

use crate::rules::Rules;
use crate::shown::{Stop, ensure, list};

/// States of a path that the certificate shows, each a move from the one before.
///
/// # Errors
/// A state or a move that is against the rules.
pub fn replayed(rules: &dyn Rules, picture: &Value) -> Result<Vec<u128>, Stop> {
    let strip = &picture["strip"];
    let (states, labels) = (list(&strip["states"]), list(&strip["labels"]));
    let read = |text: &Value| {
        let text = text.as_str().unwrap_or_default();
        let state = rules.read(text)?;
        match rules.draw(state) == text {
            true => Ok(state),
            false => Err(format!("{text:?} is drawn otherwise")),
        }
    };
    let path: Vec<u128> = states.iter().map(read).collect::<Result<_, String>>()?;
    ensure(labels.len() + 1 == path.len(), "as many moves as states")?;
    for (i, step) in path.windows(2).enumerate() {
        ensure(
            rules.next(step[0]).contains(&step[1]),
            format!("move {} is against the rules", i + 1),
        )?;
        let name = rules.name(step[0], step[1]);
        ensure(
            labels[i].as_str() == name.as_deref(),
            format!("move {} is {name:?}", i + 1),
        )?;
    }
    Ok(path)
}
