//! Proofs by a quiet pattern that no presses lead to a goal.

use super::Lights;
use crate::rules::board::members;
use crate::rules::{Ends, Rules};
use crate::shown::{OrWrong, Stop};

/// Presses that switch nothing, so that every light has an even number of them on it and its
/// neighbours: a press switches an even number of the pattern's lights, and an odd number is to be
/// switched.
pub(super) fn by_quiet_pattern(
    lights: &Lights,
    (start, goal): Ends,
    text: &str,
) -> Result<(), Stop> {
    let switched = start ^ goal.unwrap_or(0);
    let parts = text.strip_prefix("pattern: ");
    let parts = parts.and_then(|text| text.split_once('\n'));
    let (pattern, told) = parts.ok_or("the proof has no pattern")?;
    let pattern = lights.state(pattern)?;
    let presses = members(pattern).map(|light| lights.presses[light]);
    let quiet = presses.fold(0, |on, press| on ^ press) == 0;
    let odd = (pattern & switched).count_ones() % 2 == 1;
    (quiet && odd).or_wrong("the pattern proves nothing")?;
    let right = format!("to be switched: {}", lights.draw(switched));
    (told == right).or_wrong("the proof is of other boards")
}
