//! Paths, replayed.

use serde_json::Value;

use crate::rules::Rules;
use crate::shown::{OrWrong, Stop, list};

/// States of a path that the certificate shows, each a move from the one before.
pub fn replayed(rules: &dyn Rules, picture: &Value) -> Result<Vec<u128>, Stop> {
    let strip = &picture["strip"];
    let (states, labels) = (list(&strip["states"]), list(&strip["labels"]));
    let read = |text: &Value| {
        let text = text.as_str().unwrap_or_default();
        let state = rules.state(text)?;
        match rules.draw(state) == text {
            true => Ok(state),
            false => Err(format!("{text:?} is drawn otherwise")),
        }
    };
    let path: Vec<u128> = states.iter().map(read).collect::<Result<_, String>>()?;
    (labels.len() + 1 == path.len()).or_wrong("as many moves as states")?;
    for (i, step) in path.windows(2).enumerate() {
        rules
            .next(step[0])
            .contains(&step[1])
            .or_wrong(format!("move {} is against the rules", i + 1))?;
        let name = rules.name(step[0], step[1]);
        (labels[i].as_str() == name.as_deref()).or_wrong(format!("move {} is {name:?}", i + 1))?;
    }
    Ok(path)
}
