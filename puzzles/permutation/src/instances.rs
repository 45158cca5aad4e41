//! Definitions that ship, and definitions of users; settings.

use puzzle_api::{About, BadInput, InstanceInfo, Request, SettingInfo, read_bytes};

use crate::definition::Definition;
use crate::state::Opened;
use crate::words::Fault;

/// Definitions that ship: name, summary, text.
const NAMED: [(&str, &str, &str); 5] = [
    (
        "pocket-cube",
        "the Pocket Cube, 2x2x2: 3,674,160 states",
        include_str!("../definitions/pocket-cube.tws"),
    ),
    (
        "pyraminx",
        "the Pyraminx without its tips: 933,120 states",
        include_str!("../definitions/pyraminx.tws"),
    ),
    (
        "skewb",
        "the Skewb: 3,149,280 states",
        include_str!("../definitions/skewb.tws"),
    ),
    (
        "tower",
        "the tower of 2x2x3: 241,920 states",
        include_str!("../definitions/tower.tws"),
    ),
    (
        "square-1-shapes",
        "the shapes of Square-1 by twists: 3,678, of which four are cubes",
        include_str!("../definitions/square-1-shapes.tws"),
    ),
];

/// The surfaces of those that have one, unfolded, and the colours of their stickers.
const NETS: &str = include_str!("../definitions/nets.txt");
const COLOURS: &str = "\
U block #f7f6f2 white
R block #c8372d red
F block #2f9e57 green
D block #f2cf2f yellow
L block #ef8b2c orange
B block #2f6fc0 blue
G triangle #2f9e57 green
C triangle #c8372d red
A triangle #2f6fc0 blue
Y triangle #f2cf2f yellow
";

/// Most bytes of a definition's file.
const MOST_BYTES: u64 = 1 << 23;

/// Opens an instance.
///
/// # Errors
/// An unknown instance or setting, or a file without a definition: file, line, column.
pub fn open(request: &Request<'_>) -> Result<Opened, BadInput> {
    let name = request.instance;
    let custom = name == "custom";
    // Two twists at once are no power of one.
    let mut half = name != "square-1-shapes";
    let (mut symmetric, mut turned, mut file) = (true, false, None);
    for (key, value) in request.settings {
        let is_first = |[one, two]: [&str; 2]| match value.trim() {
            word if word == one => Ok(true),
            word if word == two => Ok(false),
            other => {
                let shown = other.escape_debug();
                Err(BadInput::new(format!(
                    "{key}={shown} is unknown: write {key}={one} or {key}={two}"
                )))
            }
        };
        match key.as_str() {
            "metric" => half = is_first(["half", "quarter"])?,
            "symmetry" => symmetric = is_first(["on", "off"])?,
            "solved" => turned = !is_first(["written", "turned"])?,
            "define" if custom => file = Some(value.trim()),
            _ => {
                let own = match custom {
                    true => "metric, symmetry, solved and define",
                    false => "metric, symmetry and solved",
                };
                return Err(BadInput::new(format!(
                    "permutation/{name} takes no setting '{key}': use {own}"
                )));
            }
        }
    }
    let (shown, text) = match (custom, file) {
        (true, Some(path)) => (path.escape_debug().to_string(), read_custom(path)?),
        (true, None) => {
            return Err(BadInput::new(
                "permutation/custom needs a definition: give --set define=FILE, such as a .tws \
                 file of twsearch",
            ));
        }
        (false, _) => {
            let found = NAMED.iter().find(|named| named.0 == name).ok_or_else(|| {
                let names: Vec<&str> = NAMED.iter().map(|named| named.0).collect();
                let names = names.join(", ");
                BadInput::new(format!(
                    "no instance permutation/{name}: use {names} or custom"
                ))
            })?;
            (name.to_owned(), found.2.to_owned())
        }
    };
    let definition = Definition::read(&text).map_err(|Fault { line, column, what }| {
        BadInput::new(format!("{shown}, line {line}, column {column}: {what}"))
    })?;
    Opened::new(definition, half, symmetric, turned)
        .map_err(|why| BadInput::new(format!("{shown}: {why}")))
}

/// Bytes that are not UTF-8 may be in comments; elsewhere the replacement is refused as part of a
/// name or number.
fn read_custom(path: &str) -> Result<String, BadInput> {
    let bytes = read_bytes(path, MOST_BYTES).map_err(|error| {
        BadInput::new(format!(
            "define={}: cannot be read ({error}): name a text file",
            path.escape_debug()
        ))
    })?;
    let text = String::from_utf8_lossy(&bytes);
    Ok(text.strip_prefix('\u{feff}').unwrap_or(&text).to_owned())
}

/// Describes the puzzle.
pub fn about() -> About {
    let setting = SettingInfo::new;
    let named = NAMED.iter().map(|named| (named.0, named.1));
    let instances = named.chain([("custom", "your own: --set define=FILE")]);
    let instances = instances.map(|(name, summary)| InstanceInfo::new(name, summary));
    let mut legend = format!("{COLOURS}{NETS}");
    for symbol in ('0'..='9').chain('a'..='z') {
        legend.push_str(&format!("{symbol} block #c45b6a piece or turn {symbol}\n"));
    }
    About {
        name: "permutation".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        summary: "Permutation puzzles from a text: Pocket Cube, Pyraminx, Skewb, or your own"
            .to_owned(),
        instances: instances.collect(),
        settings: vec![
            setting(
                "metric=half",
                "half (every power of a move is one move, the default) or quarter (a move forward \
                 or back)",
            ),
            setting(
                "symmetry",
                "on (states that rotations and reflections of the whole puzzle make of each other \
                 are searched as one, the default) or off",
            ),
            setting(
                "solved",
                "written (the solved states of the definition, the default) or turned (also what \
                 rotations of the whole puzzle, such as x or Rv, make of them)",
            ),
            setting(
                "define",
                "only custom: a file of twsearch (.tws), ksolve (.def) or cubing.js (kpuzzle.json)",
            ),
        ],
        legend,
        claims: include_str!("../claims.toml").to_owned(),
    }
}
