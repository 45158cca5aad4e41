//! The state graphs that coin sliding offers by name, and their settings.

use puzzle_api::{About, BadInput, InstanceInfo, Request, SettingInfo, Settings};

use crate::board::Shape;
use crate::font::Font;
use crate::symmetry;

/// An opened instance: the board, its glyphs, and the settings of start and goal.
#[derive(Debug, Clone)]
pub struct Instance {
    /// The board.
    pub shape: Shape,
    /// The named boards.
    pub font: Font,
    /// Masks of the boards of `from`, ascending.
    pub starts: Vec<u64>,
    /// Masks of the boards of `to`, ascending.
    pub goals: Vec<u64>,
    /// Indices (see [`symmetry`]) of the symmetries in use: those that keep the set of starts and
    /// the set of goals. So distances from starts and to goals are exact for every state. Without
    /// either only the identity, since a search may then start from any state, and a symmetry that
    /// moves its root would mix up its balls.
    pub symmetries: Vec<u32>,
}

impl Instance {
    /// Names that [`Instance::parse`] understands, in the order of the font.
    pub fn names(&self) -> Vec<String> {
        let glyphs = self.font.glyphs().iter();
        glyphs.map(|glyph| glyph.name.clone()).collect()
    }

    /// Reads a board: the name of a glyph, or rows joined by `/`.
    ///
    /// # Errors
    /// One line that names the place and the remedy.
    pub fn parse(&self, text: &str) -> Result<u64, BadInput> {
        parse(&self.shape, &self.font, text)
    }

    /// Reads a board as `from` or `to` of the settings name it, several joined by commas.
    fn parse_list(&self, key: &str, value: &str) -> Result<Vec<u64>, BadInput> {
        let boards = value.split(',').map(|text| self.parse(text));
        let boards: Result<Vec<u64>, BadInput> = boards.collect();
        let mut boards =
            boards.map_err(|BadInput(why)| BadInput::new(format!("{key}={value}: {why}")))?;
        boards.sort_unstable();
        boards.dedup();
        Ok(boards)
    }
}

fn parse(shape: &Shape, font: &Font, text: &str) -> Result<u64, BadInput> {
    let text = text.trim();
    if let Some(glyph) = font.find(text) {
        return Ok(glyph.coins);
    }
    if text.is_empty() {
        return Err(BadInput::new(format!(
            "the board is empty text: write the name of a glyph, or {} rows of {} cells joined \
             by '/'",
            shape.height, shape.width
        )));
    }
    let rows = text.contains('/') || text.chars().all(|symbol| matches!(symbol, 'o' | '.'));
    if rows {
        return shape.parse(text);
    }
    Err(BadInput::new(format!(
        "'{}' is no glyph: {}",
        puzzle_api::shown(text),
        font.suggest(text)
    )))
}

/// Opens an instance.
///
/// # Errors
/// An unknown instance, an unknown setting or a value out of range.
pub fn open(request: &Request<'_>) -> Result<Instance, BadInput> {
    let settings = request.settings;
    let own: &[&str] = match request.instance {
        "5x7" | "5x9" => &["font", "from", "to"],
        "custom" => &["width", "height", "coins", "font", "from", "to"],
        other => {
            return Err(BadInput::new(format!(
                "no instance coin-sliding/{other}: use 5x7, 5x9 or custom"
            )));
        }
    };
    if let Some(key) = settings.keys().find(|key| !own.contains(&key.as_str())) {
        return Err(BadInput::new(format!(
            "no setting '{key}': coin-sliding/{} takes {}",
            request.instance,
            own.join(", ")
        )));
    }
    let (shape, published) = match request.instance {
        "5x7" => (Shape::SMALL, Font::small()),
        "5x9" => (Shape::LARGE, Font::large()),
        _ => (custom_shape(settings)?, Font::default()),
    };
    let font = match settings.get("font") {
        Some(path) => Font::open(path, request.instance, &shape)?,
        None => published,
    };
    let mut instance = Instance {
        shape,
        font,
        starts: Vec::new(),
        goals: Vec::new(),
        symmetries: vec![0],
    };
    if let Some(value) = settings.get("from") {
        instance.starts = instance.parse_list("from", value)?;
    }
    if let Some(value) = settings.get("to") {
        instance.goals = instance.parse_list("to", value)?;
    }
    if !instance.starts.is_empty() || !instance.goals.is_empty() {
        let sets: [&[u64]; 2] = [&instance.starts, &instance.goals];
        instance.symmetries = symmetry::keeping(&instance.shape, &sets);
    }
    Ok(instance)
}

fn custom_shape(settings: &Settings) -> Result<Shape, BadInput> {
    let number = |key: &str, default: u32| match settings.get(key) {
        None => Ok(default),
        Some(value) => value.trim().parse::<u32>().map_err(|_| {
            BadInput::new(format!(
                "{key}={value} is no number: write {key}=N, such as {default}"
            ))
        }),
    };
    Shape::new(
        number("width", CUSTOM.width)?,
        number("height", CUSTOM.height)?,
        number("coins", CUSTOM.coins)?,
    )
}

/// The board of `custom` without settings: 8,008 positions.
const CUSTOM: Shape = Shape {
    width: 4,
    height: 4,
    coins: 6,
};

/// Describes coin sliding.
pub fn about() -> About {
    let instance = |name: &str, summary: &str| InstanceInfo::new(name, summary);
    let setting = SettingInfo::new;
    About {
        name: "coin-sliding".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        summary: "Coin sliding: turn one letter into another, coin by coin".to_owned(),
        instances: vec![
            instance(
                "5x7",
                "12 coins on 5x7 cells, 37 glyphs by name: slash, 0-9, A-Z",
            ),
            instance(
                "5x9",
                "13 coins on 5x9 cells, 37 glyphs by name: slash, 0-9, A-Z",
            ),
            instance(
                "custom",
                "a board of your own, up to 64 cells (4x4 with 6 coins)",
            ),
        ],
        settings: vec![
            setting(
                "width",
                "custom: cells in a row (default 4); at most 64 cells in all",
            ),
            setting(
                "height",
                "custom: rows (default 4); at most 64 cells in all",
            ),
            setting("coins", "custom: coins, from 1 to all cells (default 6)"),
            setting(
                "font",
                "a CSV file of named boards instead of the instance's own: glyph,rows",
            ),
            setting(
                "from",
                "the start: a glyph or rows, several joined by ',' (default none)",
            ),
            setting(
                "to",
                "the goal, the solved states: a glyph or rows, several joined by ',' (default none)",
            ),
        ],
        legend: LEGEND.to_owned(),
        claims: crate::CLAIMS.to_owned(),
    }
}

/// How boards are drawn as pictures.
const LEGEND: &str = "\
o disc #d4a017 coin
. empty #f3efe6 empty cell
";

#[cfg(test)]
mod tests;
