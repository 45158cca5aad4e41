//! Claims that are no TOML, separated from their neighbours, which are still accepted.

use std::ops::Range;

use toml::de::{DeTable, Error};

/// Text that is not TOML.
#[derive(Debug)]
pub(super) struct TomlDiagnostic {
    /// Where the claim that contains it begins.
    pub(super) start: usize,
    /// The claim's id, as far as it can be read.
    pub(super) id: String,
    /// Where it is.
    pub(super) at: usize,
    /// The parser's message.
    pub(super) message: String,
}

impl TomlDiagnostic {
    /// The diagnostic that a parser stumbled over in a text, in no claim as yet.
    pub(super) fn of(error: &Error, text: &str) -> Self {
        let span = error.span().unwrap_or_default();
        let said = error.message().replace('\n', " ");
        Self {
            start: 0,
            id: String::new(),
            at: span.start,
            message: match (said.as_str(), text.get(span)) {
                (DOUBLED, Some(key)) => format!("the key '{key}' a second time; leave one out"),
                _ => said,
            },
        }
    }
}

/// The parser's message about a duplicate key.
const DOUBLED: &str = "duplicate key";

/// Claims of a file that may be no TOML: beyond, the file is some other file.
pub(super) const MOST_DIAGNOSTICS: usize = 100;

/// A text with blanks in place of the claims that are no TOML, so that all places stay the same,
/// and those claims' diagnostics.
///
/// # Errors
/// A diagnostic outside of the claims, or the first of too many.
pub(super) fn without_faults(text: &str) -> Result<(String, Vec<TomlDiagnostic>), TomlDiagnostic> {
    let mut readable = text.to_owned();
    let mut all = Vec::new();
    loop {
        let Err(error) = DeTable::parse(&readable) else {
            return Ok((readable, all));
        };
        let error = TomlDiagnostic::of(&error, &readable);
        let blocks = blocks(&readable);
        // A text that is not closed would swallow the claims after it. So the claims that are no
        // TOML by themselves are at fault, wherever a reader of the whole file fails.
        let alone = blocks.iter().filter_map(|block| {
            let text = &readable[block.clone()];
            let diagnostic = TomlDiagnostic::of(&DeTable::parse(text).err()?, text);
            let at = block.start + diagnostic.at;
            Some((block.clone(), TomlDiagnostic { at, ..diagnostic }))
        });
        let mut diagnostics: Vec<(Range<usize>, TomlDiagnostic)> = alone.collect();
        if all.len() + diagnostics.len().max(1) > MOST_DIAGNOSTICS {
            let message = format!(
                "{}; more than {MOST_DIAGNOSTICS} claims are no TOML, so that none of the file is taken",
                error.message
            );
            return Err(TomlDiagnostic { message, ..error });
        }
        if diagnostics.is_empty() {
            // Valid by itself, but not at its place, such as under a header of another form.
            let around = blocks.iter().rfind(|block| block.start <= error.at);
            let Some(around) = around else {
                return Err(error);
            };
            diagnostics.push((around.clone(), error));
        }
        for (block, diagnostic) in diagnostics {
            let (start, id) = (block.start, id_in(&readable[block.clone()]));
            let message = match id.as_str() {
                "" => diagnostic.message,
                id => format!("claim '{id}': {}", diagnostic.message),
            };
            let at = diagnostic.at;
            all.push(TomlDiagnostic {
                start,
                id,
                at,
                message,
            });
            blank(&mut readable, block);
        }
    }
}

/// The claims of a text by their headers, each from its own to the next.
fn blocks(text: &str) -> Vec<Range<usize>> {
    let lines = text.split_inclusive('\n').scan(0, |next, line| {
        let start = *next;
        *next += line.len();
        Some((start, line))
    });
    // A header without a bracket still begins a claim.
    let begins = |line: &str| {
        ["[[claim]", "[claim]"]
            .iter()
            .any(|header| line.starts_with(header))
    };
    let headers = lines.filter(|(_, line)| begins(line.trim_start()));
    let starts: Vec<usize> = headers.map(|(start, _)| start).collect();
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    starts
        .iter()
        .copied()
        .zip(ends)
        .map(|(a, b)| a..b)
        .collect()
}

/// The id in a claim's text, if it can be read.
fn id_in(claim: &str) -> String {
    let id = claim.lines().find_map(|line| {
        let value = line
            .trim()
            .strip_prefix("id")?
            .trim_start()
            .strip_prefix('=')?;
        Some(value.trim().trim_matches('"').to_owned())
    });
    id.unwrap_or_default()
}

/// Blanks a range except for its line feeds, so that later places stay the same.
fn blank(text: &mut String, range: Range<usize>) {
    let blanks = text[range.clone()].bytes();
    let blanks = blanks.map(|byte| if byte == b'\n' { '\n' } else { ' ' });
    let blanks: String = blanks.collect();
    text.replace_range(range, &blanks);
}
