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

/// Most headers that a text in a claim is taken to quote.
const MOST_QUOTED: usize = 8;

/// The tables of a text, each from its header to the next. A header inside a text or a list begins
/// none if that leaves fewer tables that are no TOML.
fn blocks(text: &str) -> Vec<Range<usize>> {
    // A header without a bracket still begins a claim.
    let begins = |line: &&str| {
        let name = line.replace(['[', ' ', '\t', '"', '\''], "");
        line.trim_start().starts_with('[') && !name.starts_with("claim.")
    };
    let place = |line: &str| line.as_ptr().addr() - text.as_ptr().addr();
    let lines = text.split_inclusive('\n').filter(begins).map(place);
    let places: Vec<usize> = lines.chain([text.len()]).collect();
    let last = places.len() - 1;
    // From each header on: the fewest faults, and the next header.
    let mut best = vec![(0, last + 1); last + 1];
    for at in (0..last).rev() {
        let is_toml = |end: &usize| DeTable::parse(&text[places[at]..places[*end]]).is_ok();
        let end = (at + 1..=last).take(MOST_QUOTED).find(is_toml);
        let faulty = (best[at + 1].0 + 1, at + 1);
        let whole = end.map(|end| (best[end].0, end));
        best[at] = whole.filter(|whole| whole.0 < faulty.0).unwrap_or(faulty);
    }
    let next = |at: &usize| Some(best[*at].1).filter(|next| *next < last);
    let headers = std::iter::successors(Some(0).filter(|_| last > 0), next);
    headers.map(|at| places[at]..places[best[at].1]).collect()
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
