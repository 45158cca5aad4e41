//! Settings of `tilt/box`: `grey=A..B`, `blue=A..B`, `green=A..B`.

use puzzle_api::{BadInput, Settings};

use super::{Limits, Span};

/// The settings as listed to a user: key and summary.
pub(super) const LISTED: [(&str, &str); 3] = [
    (
        "grey",
        "A..B or A: how many grey blocks, within 0..6 (default 0..6)",
    ),
    (
        "blue",
        "A..B or A: how many blue blocks, within 0..4 (default 0..4)",
    ),
    (
        "green",
        "0..B: at most how many green blocks, B up to 2 (default 0..2)",
    ),
];

/// Limits from settings; unset ones are as in the box.
pub(super) fn read(settings: &Settings) -> Result<Limits, BadInput> {
    let mut limits = Limits::BOX;
    for (key, value) in settings {
        match key.as_str() {
            "grey" => limits.grey = span(key, value, limits.grey)?,
            "blue" => limits.blue = span(key, value, limits.blue)?,
            "green" => limits.green = green(value, limits.green)?,
            _ => {
                return Err(BadInput::new(format!(
                    "no setting '{key}': tilt/box takes grey, blue and green"
                )));
            }
        }
    }
    Ok(limits)
}

fn green(value: &str, allowed: Span) -> Result<Span, BadInput> {
    let green = span("green", value, allowed)?;
    if green.min > 0 {
        return Err(BadInput::new(format!(
            "green={value} must start at 0, since a board loses its green blocks on the way to \
             solved: write green=0..{}",
            green.max
        )));
    }
    Ok(green)
}

fn span(key: &str, value: &str, allowed: Span) -> Result<Span, BadInput> {
    let (low, high) = value.split_once("..").unwrap_or((value, value));
    let number = |text: &str| {
        text.trim().parse::<u32>().map_err(|_| {
            BadInput::new(format!(
                "{key}={value} is no range: write {key}=A..B (inclusive) or {key}=A, within \
                 {}..{}",
                allowed.min, allowed.max
            ))
        })
    };
    let (min, max) = (number(low)?, number(high)?);
    if min > max {
        return Err(BadInput::new(format!(
            "{key}={value} is empty: write the smaller number first, {key}={max}..{min}"
        )));
    }
    if !allowed.contains(min) || !allowed.contains(max) {
        return Err(BadInput::new(format!(
            "{key}={value} is out of range: the box holds {} to {} {key} blocks, so write \
             {key}=A..B within {}..{}",
            allowed.min, allowed.max, allowed.min, allowed.max
        )));
    }
    Ok(Span::new(min, max))
}
