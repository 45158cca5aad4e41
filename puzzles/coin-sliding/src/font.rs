//! Fonts: named boards, the two published ones and a user's own.
//!
//! A font file is CSV. Lines that begin with `#` are comments. The first other line names the
//! columns: `glyph,rows`, or `font,glyph,rows` if one file holds several fonts. Rows run from top
//! to bottom, joined by `/`; `o` is a coin, `.` an empty cell.

use puzzle_api::BadInput;

use crate::board::Shape;

/// Both published fonts (Demaine and others, MIT-licensed data).
const PUBLISHED: &str = include_str!("../fonts.csv");

/// Most bytes of a font's file.
const MOST_BYTES: u64 = 1 << 20;

/// Names listed in an error text before "and N more".
const LISTED: usize = 40;

/// A named board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Glyph {
    /// Name, as in `--from NAME`.
    pub name: String,
    /// Mask of its coins.
    pub coins: u64,
}

/// The glyphs of a font, in the order of the file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Font {
    glyphs: Vec<Glyph>,
}

impl Font {
    /// The published font of 5x7 cells and 12 coins.
    pub fn small() -> Self {
        Self::published("5x7", &Shape::SMALL)
    }

    /// The published font of 5x9 cells and 13 coins.
    pub fn large() -> Self {
        Self::published("5x9", &Shape::LARGE)
    }

    fn published(name: &str, shape: &Shape) -> Self {
        // The file is part of the crate, and a test reads both fonts strictly.
        Self::read(PUBLISHED, "fonts.csv", name, shape).unwrap_or_default()
    }

    /// Reads a font file.
    ///
    /// # Errors
    /// One line that names the file, the line in it and the glyph. Errors are a file that cannot be
    /// read, no such font, a board of the wrong size, or a wrong number of coins.
    pub fn open(path: &str, font: &str, shape: &Shape) -> Result<Self, BadInput> {
        let text = puzzle_api::read_text(path, MOST_BYTES).map_err(|error| {
            BadInput::new(format!(
                "font={path}: cannot be read ({error}): name a CSV file with columns glyph,rows"
            ))
        })?;
        Self::read(&text, path, font, shape)
    }

    /// Reads the text of a font file; `file` is its name in errors, `font` the font to use if the
    /// file holds several.
    pub fn read(text: &str, file: &str, font: &str, shape: &Shape) -> Result<Self, BadInput> {
        let mut reader = csv::ReaderBuilder::new()
            .comment(Some(b'#'))
            .trim(csv::Trim::All)
            .from_reader(text.as_bytes());
        let bad = |text: String| BadInput::new(format!("font={file}: {text}"));
        let header = reader.headers().map_err(|error| bad(error.to_string()))?;
        let several = match header.iter().collect::<Vec<_>>()[..] {
            ["glyph", "rows"] => false,
            ["font", "glyph", "rows"] => true,
            _ => {
                return Err(bad(
                    "the first line names other columns: write glyph,rows or font,glyph,rows"
                        .to_owned(),
                ));
            }
        };
        let mut glyphs: Vec<(Glyph, u64)> = Vec::new();
        for record in reader.records() {
            let record = record.map_err(|error| bad(error.to_string()))?;
            let line = record.position().map_or(0, csv::Position::line);
            let mut fields = record.iter();
            if several && fields.next() != Some(font) {
                continue;
            }
            let name = fields.next().unwrap_or_default();
            let place = format!("line {line}, glyph '{}'", name.escape_debug());
            if name.is_empty() {
                return Err(bad(format!("{place}: the name is empty: write one")));
            }
            if let Some((_, first)) = glyphs.iter().find(|(glyph, _)| glyph.name == name) {
                return Err(bad(format!(
                    "{place}: line {first} has this name too: rename one"
                )));
            }
            let coins = shape
                .parse(fields.next().unwrap_or_default())
                .map_err(|BadInput(why)| bad(format!("{place}: {why}")))?;
            let name = name.to_owned();
            glyphs.push((Glyph { name, coins }, line));
        }
        if glyphs.is_empty() {
            return Err(bad(match several {
                true => format!("no glyph of font '{font}': put that name in the first column"),
                false => "no glyph: write a line such as A,..o../.o.o./... a glyph".to_owned(),
            }));
        }
        let glyphs = glyphs.into_iter().map(|(glyph, _)| glyph).collect();
        Ok(Self { glyphs })
    }

    /// All glyphs, in the order of the file.
    pub fn glyphs(&self) -> &[Glyph] {
        &self.glyphs
    }

    /// The glyph of a name; `/` is `slash`.
    pub fn find(&self, name: &str) -> Option<&Glyph> {
        let exact = |name: &str| self.glyphs.iter().find(|glyph| glyph.name == name);
        exact(name).or_else(|| (name == "/").then(|| exact("slash")).flatten())
    }

    /// Lists the known names, the nearest first if one is near.
    pub fn suggest(&self, name: &str) -> String {
        if self.glyphs.is_empty() {
            return "this instance names no boards (font=FILE would), so write rows joined by \
                    '/'"
            .to_owned();
        }
        let near: Vec<&str> = self.nearest(name);
        let mut listed: Vec<&str> = self.glyphs.iter().map(|g| g.name.as_str()).collect();
        let more = listed.len().saturating_sub(LISTED);
        listed.truncate(LISTED);
        let rest = match more {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let list = format!("glyphs are {}{rest}", listed.join(" "));
        match near[..] {
            [] => list,
            _ => format!("did you mean {}? ({list})", near.join(" or ")),
        }
    }

    /// Up to three names that differ in case only, or are similar.
    fn nearest(&self, name: &str) -> Vec<&str> {
        let lower = name.to_lowercase();
        let mut scored: Vec<(f64, &str)> = self
            .glyphs
            .iter()
            .map(|glyph| {
                (
                    strsim::jaro_winkler(&lower, &glyph.name.to_lowercase()),
                    glyph,
                )
            })
            .filter(|&(score, _)| score > 0.7)
            .map(|(score, glyph)| (score, glyph.name.as_str()))
            .collect();
        scored.sort_by(|a, b| b.0.total_cmp(&a.0));
        scored.into_iter().take(3).map(|(_, name)| name).collect()
    }
}

#[cfg(test)]
mod tests;
