//! Proofs by a quiet pattern that no presses lead to a goal.

use super::Lights;
use crate::rules::{Ends, Rules};
use crate::shown::{OrWrong, Stop};

/// Every press switches an even number of these lights, but an odd number of them must change.
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
    let even = |press: &u128| (press & pattern).count_ones().is_multiple_of(2);
    let quiet = lights.presses.iter().all(even);
    let odd = (pattern & switched).count_ones() % 2 == 1;
    (quiet && odd).or_wrong("the pattern proves nothing")?;
    let right = format!("to be switched: {}", lights.draw(switched));
    (told == right).or_wrong("the proof is of other boards")
}
