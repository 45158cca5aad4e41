//! Lights Out on a rectangle or a torus. A press switches a light and its neighbours, or the lights
//! of a press pattern, each on by one of 2 to 8 states. Solved is the board with all lights out.

pub mod algebra;
pub mod bitboard;
pub mod derive;
pub mod rules;

use puzzle_api::{About, BadInput, InstanceInfo, Placed, Puzzle, Request, SettingInfo, shown};

pub use bitboard::Bits;
pub use rules::Rules;

puzzle_api::family! {
    /// Lights Out, with either variant.
    LightsOut: Bits, Rules; about, derive
}

/// Describes the puzzle.
fn about() -> About {
    let instances = [
        ("2x2", "all 16 boards can be solved"),
        ("3x3", "all 512 boards can be solved"),
        ("4x4", "one board in 16 can be solved"),
        ("5x5", "the toy of 1995: one board in four can be solved"),
        ("6x6", "all 68,719,476,736 boards can be solved"),
    ];
    let settings = [
        (
            "states",
            "states of a light, 2 to 8 (default 2); a press switches to the next",
        ),
        (
            "torus",
            "true if the last row and column lie next to the first (default false)",
        ),
        (
            "pattern",
            "what a press switches, around its middle: rows of . or a number of states (default \
             .1./111/.1.)",
        ),
    ];
    let mut legend = "o disc #f2c230 on\n. disc #4b5563 out\n".to_owned();
    let colours = [
        "f2c230", "e4572e", "76b041", "17bebb", "8b6fc0", "d9a05b", "f3efe6",
    ];
    for (state, colour) in (1..).zip(colours) {
        legend.push_str(&format!("{state} disc #{colour} state {state}\n"));
    }
    About {
        name: "lights-out".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        summary: "Lights Out on any rectangle or torus of up to 64 lights, 2 to 8 states a light"
            .to_owned(),
        instances: instances
            .map(|(name, summary)| InstanceInfo::new(name, summary))
            .into(),
        settings: settings
            .map(|(key, summary)| SettingInfo::new(key, summary))
            .into(),
        legend,
        claims: include_str!("claims.toml").to_owned(),
    }
}

/// Signs of lights that are on, in boards of two states, and of lights that are off.
const SIGNS: [&str; 2] = ["oOxX*#1", ".-_0 "];

/// Reads a board of any size: rows joined by `/` or `|`, or all lights in one line if they are
/// those of the instance asked for, or of a square. Lights that are on are all one of `o`, `x`,
/// `*`, `#` and 1, those out all one of `.`, `-`, `_`, 0 and a blank; more than two states are
/// digits.
///
/// # Errors
/// Anything else, such as a board with two signs for on: X may be on and O out, or the reverse.
pub fn placed(request: &Request<'_>, text: &str) -> Result<Placed, BadInput> {
    let refuse = |why: String| {
        let shown = shown(text);
        BadInput::new(format!(
            "'{shown}' is no board: {why}; write rows joined by '/', such as .o./ooo/.o. or \
             010/111/010"
        ))
    };
    let mut rows = puzzle_api::cells(text);
    let cells = rows.concat();
    if rows.len() == 1 {
        let asked = request.instance.split_once('x');
        let asked = asked.and_then(|(rows, width)| Some((rows.parse().ok()?, width.parse().ok()?)));
        let root = cells.len().isqrt();
        let is_all = |&(rows, width): &(usize, usize)| {
            width > 0 && rows.checked_mul(width) == Some(cells.len())
        };
        if let Some((_, width)) = asked.into_iter().chain([(root, root)]).find(is_all) {
            rows = cells.chunks(width).map(<[String]>::to_vec).collect();
        }
    }
    let width = rows.first().map_or(0, Vec::len);
    if rows.iter().any(|row| row.len() != width) {
        return Err(refuse("its rows differ in length".to_owned()));
    }
    if width == 0 {
        return Err(refuse("it has nothing but blanks".to_owned()));
    }
    let instance = format!("{}x{width}", rows.len());
    let rules = Rules::open(&request.on(&instance))?;
    let mut used: [Vec<&str>; 2] = [Vec::new(), Vec::new()];
    let mut board = String::new();
    for cell in rows.iter().flatten() {
        let sign = |signs: &&str| cell.chars().count() == 1 && signs.contains(cell.as_str());
        let state = match cell.parse::<u8>() {
            Ok(state) if state < rules.states && cell.len() == 1 => Some(state),
            _ if rules.states == 2 && sign(&SIGNS[0]) => Some(1),
            _ if rules.states == 2 && sign(&SIGNS[1]) || cell == "." => Some(0),
            _ => None,
        };
        let state = state.ok_or_else(|| refuse(format!("'{}' is no light", shown(cell))))?;
        let signs = &mut used[usize::from(state == 0)];
        if (rules.states == 2 || state == 0) && !signs.contains(&&**cell) {
            signs.push(cell);
        }
        board.push(match (state, rules.states) {
            (0, _) => '.',
            (_, 2) => 'o',
            (state, _) => char::from(b'0' + state),
        });
    }
    for (signs, what) in used.iter().zip(["on", "out"]) {
        if let [one, other, ..] = signs[..] {
            return Err(refuse(format!(
                "'{one}' and '{other}' would both be lights that are {what}: use one sign for on, \
                 of o x * # 1, and one for out, of . - _ 0 or a blank"
            )));
        }
    }
    let digits = used[0] == ["1"];
    if digits && used[1] == [" "] {
        return Err(refuse("blanks go between digits".to_owned()));
    }
    // Signs with blanks between them may be lights that are all on, or every other light.
    let is_separated = cells.len() < text.chars().filter(|c| !"/|\"".contains(*c)).count();
    let mut lengths = text.split(['/', '|']).map(|row| row.chars().count());
    let first = lengths.next();
    let is_separated =
        is_separated && (text.trim().contains(' ') || lengths.all(|length| Some(length) == first));
    let unclear = used[1].is_empty() && !digits && rules.states == 2;
    if unclear && is_separated && !text.contains([',', '[', '(']) {
        return Err(refuse(
            "its blanks may be lights that are out, or lie between lights".to_owned(),
        ));
    }
    let rows = board.as_bytes().chunks(width);
    let rows: Vec<_> = rows.map(String::from_utf8_lossy).collect();
    Ok(Placed::state(request, instance, rows.join("/")))
}
