//! Descriptions of puzzles: instances, settings, colours.

use puzzle_api::{About, BadInput, InstanceInfo, Request, SettingInfo, shown};

use crate::text::given;

/// Refuses settings that an instance does not take.
///
/// # Errors
/// The first of them.
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
///
/// # Errors
/// A number out of range; `or` names another value that the setting takes.
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

/// The board of an instance: the one in its name, or the one that setting `board` gives or names.
/// `write` says how a board is written.
///
/// # Errors
/// No board, or a file that cannot be read.
pub fn board_of(
    puzzle: &str,
    request: &Request<'_>,
    named: impl Fn(&str) -> Option<&'static str>,
    write: &str,
) -> Result<String, BadInput> {
    let name = request.instance;
    let text = match (named(name), request.settings.get("board")) {
        (Some(board), _) => return Ok(board.to_owned()),
        (None, Some(board)) => given(board.trim())?,
        (None, None) => {
            return Err(BadInput::new(format!(
                "{puzzle}/{name} needs a board: give --set board=ROW/ROW/…, with {write}"
            )));
        }
    };
    Ok(named(&text).map_or(text, str::to_owned))
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
    let setting = |&(key, summary): &(&str, &str)| SettingInfo {
        key: key.to_owned(),
        summary: summary.to_owned(),
    };
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
