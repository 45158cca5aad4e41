//! Boards as text, instances.

use puzzle_api::{About, BadInput, InstanceInfo, Placed, Request, shown};

/// Most lights: one bit each.
pub const MOST_LIGHTS: usize = 64;

/// A rectangle of lights.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Panel {
    /// Rows.
    pub height: usize,
    /// Columns.
    pub width: usize,
}

impl Panel {
    /// Number of lights.
    #[must_use]
    pub fn lights(&self) -> usize {
        self.height * self.width
    }

    /// All lights on.
    #[must_use]
    pub fn all_on(&self) -> u64 {
        u64::MAX >> (64 - self.lights())
    }

    /// Reads a board: `o` for a light that is on, `.` for one that is out; or `on`, all of
    /// them.
    ///
    /// # Errors
    /// Anything else.
    pub fn parse(&self, text: &str) -> Result<u64, BadInput> {
        let text = text.trim();
        if text == "on" {
            return Ok(self.all_on());
        }
        let refuse = |why: String| {
            let (shown, on) = (puzzle_api::shown(text), self.draw(self.all_on()));
            BadInput::new(format!(
                "'{shown}' is no board: {why}; all lights on is {on}"
            ))
        };
        let rows: Vec<&str> = text.split('/').collect();
        let fits = |row: &&str| row.chars().count() == self.width;
        if rows.len() != self.height || !rows.iter().all(fits) {
            let Self { height, width } = self;
            return Err(refuse(format!("it takes {height} rows of {width} lights")));
        }
        let mut lit = 0;
        for (light, symbol) in rows.into_iter().flat_map(str::chars).enumerate() {
            match symbol {
                'o' => lit |= 1 << light,
                '.' => {}
                other => {
                    let other = other.escape_debug();
                    return Err(refuse(format!("'{other}' is no light, 'o' or '.'")));
                }
            }
        }
        Ok(lit)
    }

    /// Writes a board.
    #[must_use]
    pub fn draw(&self, lit: u64) -> String {
        let symbol = |light: usize| if lit >> light & 1 == 1 { 'o' } else { '.' };
        let row = |row: usize| {
            (0..self.width)
                .map(|c| symbol(row * self.width + c))
                .collect()
        };
        (0..self.height).map(row).collect::<Vec<String>>().join("/")
    }
}

/// Opens an instance: `ROWSxCOLUMNS`.
///
/// # Errors
/// An unknown instance, or any setting.
pub fn open(request: &Request<'_>) -> Result<Panel, BadInput> {
    let name = request.instance;
    let panel = name.split_once('x').and_then(|(height, width)| {
        let (height, width): (usize, usize) = (height.parse().ok()?, width.parse().ok()?);
        let fits = (1..=MOST_LIGHTS).contains(&height.saturating_mul(width));
        (fits && format!("{height}x{width}") == name).then_some(Panel { height, width })
    });
    if let Some(key) = request.settings.keys().next() {
        return Err(BadInput::new(format!(
            "lights-out/{name} takes no setting '{key}': there are none"
        )));
    }
    panel.ok_or_else(|| {
        BadInput::new(format!(
            "no instance lights-out/{name}: use ROWSxCOLUMNS, such as 5x5, with at most \
             {MOST_LIGHTS} lights"
        ))
    })
}

/// Reads a board of any size: rows joined by `/` or `|`, or all lights in one line if the board is
/// square; `o`, `x`, `*`, `#` or 1 for a light that is on, `.`, `-`, `_` or 0 for one that is out.
///
/// # Errors
/// Anything else.
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
    let root = cells.len().isqrt();
    if rows.len() == 1 && root * root == cells.len() && root > 0 {
        rows = cells.chunks(root).map(<[String]>::to_vec).collect();
    }
    let width = rows.first().map_or(0, Vec::len);
    if rows.iter().any(|row| row.len() != width) {
        return Err(refuse("its rows differ in length".to_owned()));
    }
    let light = |cell: &String| match cell.as_str() {
        "o" | "O" | "x" | "X" | "*" | "#" | "1" => Ok('o'),
        "." | "-" | "_" | "0" => Ok('.'),
        other => Err(refuse(format!(
            "'{}' is no light",
            puzzle_api::shown(other)
        ))),
    };
    let rows = rows.iter().map(|row| row.iter().map(light).collect());
    let rows: Vec<String> = rows.collect::<Result<_, _>>()?;
    let instance = format!("{}x{width}", rows.len());
    Ok(Placed::state(request, instance, rows.join("/")))
}

/// What the puzzle says of itself.
#[must_use]
pub fn about() -> About {
    let instance = |name: &str, summary: &str| InstanceInfo {
        name: name.to_owned(),
        summary: summary.to_owned(),
    };
    About {
        name: "lights-out".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        summary: "Lights Out on any rectangle of up to 64 lights".to_owned(),
        instances: vec![
            instance("2x2", "all 16 boards can be solved"),
            instance("3x3", "all 512 boards can be solved"),
            instance("4x4", "one board in 16 can be solved"),
            instance("5x5", "the toy of 1995: one board in four can be solved"),
            instance("6x6", "all 68,719,476,736 boards can be solved"),
        ],
        settings: Vec::new(),
        legend: "o disc #f2c230 on\n. disc #4b5563 out\n".to_owned(),
        claims: crate::lights_out::CLAIMS.to_owned(),
    }
}
