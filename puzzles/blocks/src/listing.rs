//! Descriptions of puzzles: instances, settings, colours.

use puzzle_api::{About, BadInput, InstanceInfo, Request, SettingInfo, shown};

use crate::text::{Fault, given};

/// Refuses settings that an instance does not take.
pub fn only(puzzle: &str, request: &Request<'_>, allowed: &[&str]) -> Result<(), BadInput> {
    let mut unknown = request.settings.keys();
    match unknown.find(|key| !allowed.contains(&key.as_str())) {
        None => Ok(()),
        Some(key) => Err(BadInput::new(format!(
            "{puzzle}/{} takes no setting '{}': use {}",
            request.instance,
            shown(key),
            allowed.join(", ")
        ))),
    }
}

/// A number from a setting.
pub fn number(
    key: &str,
    text: &str,
    (least, most): (usize, usize),
    or: &str,
) -> Result<usize, BadInput> {
    let number = text.trim().parse().ok();
    let number = number.filter(|number| (least..=most).contains(number));
    number.ok_or_else(|| {
        BadInput::new(format!(
            "{key}={} is out of range: write {or}a whole number from {least} to {most}",
            shown(text)
        ))
    })
}

/// The board of an instance: the one in its name, or the one that setting `board` gives or names,
/// as it is read. `write` says how a board is written.
pub fn board_of<B>(
    puzzle: &str,
    request: &Request<'_>,
    named: impl Fn(&str) -> Option<&'static str>,
    write: &str,
    read: impl Fn(&str) -> Result<B, Fault>,
) -> Result<B, BadInput> {
    let name = request.instance;
    let value = match (named(name), request.settings.get("board")) {
        (Some(board), _) => return Ok(read(board)?),
        (None, Some(board)) => board.trim(),
        (None, None) => {
            return Err(BadInput::new(format!(
                "{puzzle}/{name} needs a board: give --set board=ROW/ROW/…, with {write}"
            )));
        }
    };
    let (text, lines) = given(value)?;
    read(named(&text).unwrap_or(&text)).map_err(|fault| {
        let Some(lines) = lines else {
            return fault.into();
        };
        // A square board may have all its rows in one line.
        let line = |row: usize| lines.get(row - 1).or(lines.last());
        let line = fault.line.and_then(line);
        let line = line.map_or_else(String::new, |line| format!(", line {line}"));
        BadInput::new(format!("{}{line}: {}", shown(value), fault.what))
    })
}

/// Builds the description of a puzzle; instances and settings by name, with a line each. The last
/// one is an instance for any board.
pub fn about(
    puzzle: (&str, &str),
    mut instances: Vec<(String, String)>,
    settings: &[(&str, &str)],
    legend: String,
    claims: &str,
) -> About {
    let own = "your own board: --set board=ROW/ROW/…";
    if instances.iter().all(|(name, _)| name != "custom") {
        instances.push(("custom".to_owned(), own.to_owned()));
    }
    let instance = |(name, summary)| InstanceInfo { name, summary };
    let setting = |&(key, summary): &(&str, &str)| SettingInfo::new(key, summary);
    About {
        name: puzzle.0.to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        summary: puzzle.1.to_owned(),
        instances: instances.into_iter().map(instance).collect(),
        settings: settings.iter().map(setting).collect(),
        legend,
        claims: claims.to_owned(),
    }
}

/// Colours of pieces that only distinguish neighbours. There is no grey, the colour of walls, and
/// only one red.
pub const COLOURS: [&str; 11] = [
    "#3b82c4", "#5aa469", "#d98c3f", "#8b6fc0", RED, "#4fa3a5", "#b5a13c", "#d07fb0", "#9a6b4b",
    "#7fb3e0", "#a3c46a",
];
const RED: &str = "#c45b6a";

/// Lines of a legend for pieces by their letters; `red` says whether one may be red.
pub fn coloured(letters: impl Iterator<Item = char>, red: bool) -> String {
    let colours = COLOURS.into_iter().filter(|&colour| red || colour != RED);
    let line = |(letter, colour)| format!("{letter} merge {colour} piece {letter}\n");
    letters.zip(colours.cycle()).map(line).collect()
}
