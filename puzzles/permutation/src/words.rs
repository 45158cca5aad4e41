//! Words of a definition with their places, and their errors.

/// The error of a definition: line and column from 1, and the text with its remedy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Line.
    pub line: usize,
    /// Column, in characters.
    pub column: usize,
    /// The error, and the remedy.
    pub what: String,
}

/// A word with its place.
#[derive(Debug, Clone, Copy, Default)]
pub struct Word<'a> {
    /// The word.
    pub text: &'a str,
    pub(crate) line: usize,
    pub(crate) column: usize,
}

impl Word<'_> {
    /// A fault at the word.
    pub fn fault(&self, what: impl Into<String>) -> Fault {
        Fault {
            line: self.line,
            column: self.column,
            what: what.into(),
        }
    }

    /// The word as messages show it.
    pub fn shown(&self) -> String {
        puzzle_api::shown(self.text)
    }

    /// The word as a whole number within bounds.
    ///
    /// # Errors
    /// Another number, or no number.
    pub fn number(&self, least: usize, most: usize) -> Result<usize, Fault> {
        let number = self.text.parse().ok();
        number
            .filter(|number| (least..=most).contains(number))
            .ok_or_else(|| {
                let shown = self.shown();
                self.fault(format!(
                    "'{shown}' is out of range: write a whole number from {least} to {most}"
                ))
            })
    }
}

/// The lines of a text with words, without comments (`#` and the rest of the line).
pub fn lines(text: &str) -> Vec<Vec<Word<'_>>> {
    let mut all = Vec::new();
    for (line, full) in (1..).zip(text.lines()) {
        let code = full.split('#').next().unwrap_or("");
        let mut words = Vec::new();
        for word in code.split_whitespace() {
            let start = word.as_ptr() as usize - full.as_ptr() as usize;
            words.push(Word {
                text: word,
                line,
                column: full[..start].chars().count() + 1,
            });
        }
        if !words.is_empty() {
            all.push(words);
        }
    }
    all
}

/// The first control character outside comments, except for tabs. In a comment, only zero counts,
/// as other bytes there may be letters of any encoding.
pub fn control(text: &str) -> Option<Fault> {
    (1..).zip(text.lines()).find_map(|(line, full)| {
        let code = full.find('#').unwrap_or(full.len());
        let odd = |(at, symbol): (usize, char)| {
            symbol == '\0' || at < code && symbol.is_control() && symbol != '\t'
        };
        let symbols = (1..).zip(full.char_indices());
        let (column, (_, symbol)) = symbols.into_iter().find(|(_, one)| odd(*one))?;
        Some(Fault {
            line,
            column,
            what: format!(
                "a control character, {}: write plain text",
                symbol.escape_unicode()
            ),
        })
    })
}
