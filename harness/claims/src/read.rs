//! `claims.toml`: claims as text, read with errors that name line and column.

use std::collections::{BTreeMap, HashSet};

use serde::Deserialize;
use toml::Spanned;

use antipode_reports::model::Verdict;

use super::compare::{looks_numeric, number, whole};
use super::kinds::{Claimed, Fault, Kind, all_keys};
use super::spec::{Case, Claim, Compare, Sense};

/// A claims file that cannot be taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}, line {line}, column {column}: {message}")]
pub struct ClaimError {
    /// The file, or the puzzle whose own claims these are.
    pub file: String,
    /// Line from 1.
    pub line: usize,
    /// Column from 1, in characters.
    pub column: usize,
    /// What is wrong, and the remedy.
    pub message: String,
}

/// Fields that a claim has and a reading may override, whatever its kind.
#[derive(Debug, Clone, Default, Deserialize)]
struct Fields {
    kind: Option<String>,
    instance: Option<String>,
    settings: Option<BTreeMap<String, String>>,
    board: Option<String>,
    claimed: Option<toml::Value>,
    compare: Option<Compare>,
    within: Option<f64>,
    sense: Option<Sense>,
    expect: Option<Verdict>,
    note: Option<String>,
    /// Keys of kinds, and those of a claim that no reading has.
    #[serde(skip)]
    own: toml::Table,
}

#[derive(Debug, Deserialize)]
struct RawReading {
    name: String,
    statement: String,
    expect_quick: Option<Verdict>,
    #[serde(flatten)]
    fields: Fields,
}

#[derive(Debug, Deserialize)]
struct RawClaim {
    id: String,
    source: String,
    /// A source without sections (a table, a web page) has none to name.
    #[serde(default)]
    section: String,
    statement: String,
    #[serde(default)]
    instances: Vec<String>,
    #[serde(default)]
    effort: RawEffort,
    expect_quick: Option<Verdict>,
    hardware: Option<String>,
    #[serde(default)]
    reading: Vec<RawReading>,
    #[serde(flatten)]
    fields: Fields,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Default)]
#[serde(rename_all = "kebab-case")]
enum RawEffort {
    #[default]
    Quick,
    Full,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawFile {
    puzzle: Option<String>,
    #[serde(default)]
    claim: Vec<Spanned<toml::Table>>,
}

/// The relative tolerance of "about" and "roughly" where the claim names none.
const ABOUT: f64 = 0.10;

/// Reads a claims file; gives the puzzle it names, and the claims.
///
/// # Errors
/// [`ClaimError`] with line and column.
pub fn parse_claims(file: &str, text: &str) -> Result<(Option<String>, Vec<Claim>), ClaimError> {
    let fault = |at: usize, message: String| {
        let (line, column) = antipode_reports::text::position(text, at);
        ClaimError {
            file: file.to_owned(),
            line,
            column,
            message,
        }
    };
    let raw: RawFile = toml::from_str(text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        fault(at, error.message().replace('\n', " "))
    })?;
    let mut claims = Vec::new();
    let mut known = HashSet::new();
    let starts: Vec<usize> = raw.claim.iter().map(|claim| claim.span().start).collect();
    for (i, spanned) in raw.claim.into_iter().enumerate() {
        let span = spanned.span();
        let end = starts.get(i + 1).copied().unwrap_or(text.len());
        let lines = own_lines(text.get(span.start..end).unwrap_or_default());
        let claim = read_claim(spanned.into_inner(), lines).map_err(|(key, message)| {
            let within = key.and_then(|key| find_key(lines, &key)).unwrap_or(0);
            fault(span.start + within, message)
        })?;
        if !known.insert(claim.id.clone()) {
            return Err(fault(
                span.start,
                format!("a second claim with the id '{}'", claim.id),
            ));
        }
        claims.push(claim);
    }
    Ok((raw.puzzle, claims))
}

/// Keys that a claim and a reading have, whatever their kind.
const SHARED_KEYS: [&str; 11] = [
    "statement",
    "kind",
    "instance",
    "settings",
    "board",
    "claimed",
    "compare",
    "within",
    "sense",
    "expect",
    "note",
];
/// Keys that only a claim has.
const CLAIM_KEYS: [&str; 8] = [
    "id",
    "source",
    "section",
    "instances",
    "effort",
    "expect_quick",
    "reading",
    "hardware",
];
/// Keys that only a reading has.
const READING_KEYS: [&str; 2] = ["name", "expect_quick"];

fn check_keys(table: &toml::Table, more: &[&'static str]) -> Result<(), Fault> {
    let shared = SHARED_KEYS.into_iter().chain(all_keys());
    let known: Vec<&str> = more.iter().copied().chain(shared).collect();
    let odd = table.keys().find(|key| !known.contains(&key.as_str()));
    let Some(odd) = odd else { return Ok(()) };
    let nearest = known
        .iter()
        .max_by(|a, b| strsim::jaro_winkler(odd, a).total_cmp(&strsim::jaro_winkler(odd, b)));
    Err((
        Some(odd.clone()),
        format!(
            "no field '{odd}'; did you mean '{}'?",
            nearest.unwrap_or(&"id")
        ),
    ))
}

/// The keys of kinds in a table.
fn own_keys(table: &toml::Table) -> toml::Table {
    let own = table
        .iter()
        .filter(|(key, _)| all_keys().any(|known| known == *key));
    own.map(|(key, value)| (key.clone(), value.clone()))
        .collect()
}

fn read_claim(table: toml::Table, lines: &str) -> Result<Claim, Fault> {
    check_keys(&table, &CLAIM_KEYS)?;
    let own = own_keys(&table);
    let readings = table.get("reading").and_then(toml::Value::as_array);
    let readings = readings
        .into_iter()
        .flatten()
        .filter_map(toml::Value::as_table);
    let mut own_of_readings = Vec::new();
    for reading in readings {
        check_keys(reading, &READING_KEYS)?;
        own_of_readings.push(own_keys(reading));
    }
    let mut raw: RawClaim = toml::Value::Table(table)
        .try_into()
        .map_err(|error: toml::de::Error| (None, error.message().replace('\n', " ")))?;
    raw.fields.own = own;
    for (reading, own) in raw.reading.iter_mut().zip(own_of_readings) {
        reading.fields.own = own;
    }
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if raw.id.is_empty() || !raw.id.chars().all(plain) {
        let message = format!(
            "the id '{}' must be lower-case letters, digits and '-'",
            raw.id
        );
        return Err((Some("id".into()), message));
    }
    let Some(expect) = raw.fields.expect else {
        return Err((None, format!("claim '{}' lacks the field 'expect'", raw.id)));
    };
    let mut cases = Vec::new();
    for reading in &raw.reading {
        let fields = merge(&raw.fields, &reading.fields);
        let mut case = case(&raw.id, &reading.name, &reading.statement, &fields)?;
        case.expect = reading.fields.expect;
        case.expect_quick = reading.expect_quick;
        cases.push(case);
    }
    for instance in &raw.instances {
        let mut fields = raw.fields.clone();
        fields.instance = Some(instance.clone());
        let mut case = case(&raw.id, instance, "", &fields)?;
        case.expect = None;
        cases.push(case);
    }
    if cases.is_empty() {
        let mut only = case(&raw.id, "", &raw.statement, &raw.fields)?;
        only.expect = None;
        cases.push(only);
    }
    Ok(Claim {
        blake3: blake3::hash(lines.as_bytes()).to_hex().to_string(),
        text: lines.to_owned(),
        all_must_hold: !raw.instances.is_empty(),
        expect,
        expect_quick: raw.expect_quick,
        hardware: raw.hardware.unwrap_or_default(),
        full_only: raw.effort == RawEffort::Full,
        cases,
        id: raw.id,
        source: raw.source,
        section: raw.section,
        statement: raw.statement,
    })
}

fn merge(claim: &Fields, reading: &Fields) -> Fields {
    let (c, r) = (claim.clone(), reading.clone());
    Fields {
        kind: r.kind.or(c.kind),
        instance: r.instance.or(c.instance),
        settings: r.settings.or(c.settings),
        board: r.board.or(c.board),
        claimed: r.claimed.or(c.claimed),
        compare: r.compare.or(c.compare),
        within: r.within.or(c.within),
        sense: r.sense.or(c.sense),
        expect: r.expect.or(c.expect),
        note: r.note.or(c.note),
        own: c.own.into_iter().chain(r.own).collect(),
    }
}

fn case(id: &str, name: &str, statement: &str, fields: &Fields) -> Result<Case, Fault> {
    let Some(kind) = &fields.kind else {
        return Err((None, format!("claim '{id}' lacks the field 'kind'")));
    };
    let kind = Kind::named(kind).map_err(|line| (Some("kind".into()), line))?;
    let keys = kind.decides().keys();
    let own = fields.own.clone().into_iter();
    let mut case = Case {
        id: id.to_owned(),
        name: name.to_owned(),
        statement: statement.to_owned(),
        kind,
        instance: fields.instance.clone(),
        settings: fields.settings.clone().unwrap_or_default(),
        board: fields.board.clone(),
        own: own
            .filter(|(key, _)| keys.contains(&key.as_str()))
            .collect(),
        table: Vec::new(),
        refuted: Vec::new(),
        claimed: fields.claimed.as_ref().map(plain_text).unwrap_or_default(),
        compare: fields.compare.unwrap_or_default(),
        within: fields.within.unwrap_or(ABOUT),
        sense: fields.sense.unwrap_or_default(),
        expect: fields.expect,
        expect_quick: None,
        note: fields.note.clone().unwrap_or_default(),
    };
    kind.decides().read(&mut case)?;
    check_figures(&case, fields)?;
    Ok(case)
}

/// What is wrong with the figures of a claim, found before anything is derived.
fn check_figures(case: &Case, fields: &Fields) -> Result<(), Fault> {
    let (id, compare, claimed) = (&case.id, case.compare, case.claimed.as_str());
    let sort = case.kind.decides().claimed();
    if sort == Claimed::Table {
        return Ok(());
    }
    let fault = |key: &str, what: String| Err((Some(key.into()), format!("claim '{id}': {what}")));
    let unused = |key: &str, by: &str, remedy: &str| {
        let what = format!("'{key}' says nothing with {by}; {remedy}");
        fault(key, what)
    };
    let by_kind = format!("kind = \"{}\"", case.kind.name());
    let fixed = matches!(sort, Claimed::WholeOrNone | Claimed::Nothing);
    let holds = sort == Claimed::Nothing && compare == Compare::Holds;
    if fixed && !holds && !matches!(fields.compare, None | Some(Compare::Equal)) {
        return unused("compare", &by_kind, "leave it out");
    }
    if sort == Claimed::Nothing && !claimed.is_empty() {
        let remedy = "leave it out, or use kind = \"length\" (claimed = \"unsolvable\" for a board that cannot be solved)";
        return unused("claimed", &by_kind, remedy);
    }
    // That the statement holds may be said twice; any other figure would not be used.
    if compare == Compare::Holds && !matches!(claimed, "" | "holds" | "true") {
        let remedy = "leave it out, or compare in another way";
        return unused("claimed", "compare = \"holds\"", remedy);
    }
    if let Some(within) = fields.within
        && (!within.is_finite() || within < 0.0)
    {
        let what = format!("within = {within} is no tolerance; write a share such as 0.10");
        return fault("within", what);
    }
    let figureless = matches!(compare, Compare::Holds | Compare::Report) || fixed;
    if claimed.is_empty() {
        return match figureless {
            true => Ok(()),
            false => Err((None, format!("claim '{id}' lacks the field 'claimed'"))),
        };
    }
    let unsolvable = sort == Claimed::Moves && claimed == "unsolvable";
    let counts = matches!(sort, Claimed::WholeOrNone | Claimed::Moves | Claimed::Whole);
    let wanted = match compare {
        Compare::Report => None,
        Compare::About | Compare::AtMost | Compare::AtLeast | Compare::Ratio => {
            number(claimed).is_none().then_some("a number")
        }
        _ if counts && !unsolvable => whole(claimed).is_none().then_some("a whole number"),
        _ => (looks_numeric(claimed) && number(claimed).is_none()).then_some("a number"),
    };
    match wanted {
        None => Ok(()),
        Some(wanted) => fault(
            "claimed",
            format!(
                "'{claimed}' cannot be held against a figure: write {wanted}, with ',' or '_' only between groups of three digits"
            ),
        ),
    }
}

fn plain_text(value: &toml::Value) -> String {
    match value {
        toml::Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// A claim's lines without the blank lines and remarks that follow it. (The parser's own
/// span of a table ends with its header.)
fn own_lines(text: &str) -> &str {
    let beside = |line: &&str| line.trim().is_empty() || line.trim_start().starts_with('#');
    let after: usize = text
        .split_inclusive('\n')
        .rev()
        .take_while(beside)
        .map(str::len)
        .sum();
    &text[..text.len() - after]
}

/// Where in a claim's lines a key is set.
fn find_key(lines: &str, key: &str) -> Option<usize> {
    let mut at = 0;
    for line in lines.split_inclusive('\n') {
        let trimmed = line.trim_start();
        if let Some(rest) = trimmed.strip_prefix(key)
            && rest.trim_start().starts_with('=')
        {
            return Some(at + line.len() - trimmed.len());
        }
        at += line.len();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = r#"
[[claim]]
id = "a-claim"
source = "somewhere"
section = "1"
statement = "there are 12"
kind = "count"
count = "parts"
instance = "box"
claimed = 12
expect = "confirmed"
"#;

    #[test]
    fn reads_a_plain_claim() {
        let (_, claims) = parse_claims("f", GOOD).expect("a good file");
        assert_eq!(claims[0].cases[0].claimed, "12");
        assert_eq!(claims[0].cases[0].compare, Compare::Equal);
    }

    #[test]
    fn readings_override_the_claim() {
        let text = format!(
            "{GOOD}\n[[claim.reading]]\nname = \"other\"\nstatement = \"13\"\nclaimed = 13\nexpect = \"refuted\"\n"
        );
        let (_, claims) = parse_claims("f", &text).expect("a good file");
        let case = &claims[0].cases[0];
        assert_eq!(
            (case.claimed.as_str(), case.expect),
            ("13", Some(Verdict::Refuted))
        );
    }

    #[test]
    fn a_claim_is_bound_to_its_own_lines() {
        let hash = |text: &str| {
            let (_, claims) = parse_claims("f", text).expect("a good file");
            claims[0].blake3.clone()
        };
        let changed = GOOD.replace("claimed = 12", "claimed = 13");
        assert_ne!(hash(GOOD), hash(&changed));
        let followed = format!(
            "{GOOD}\n# ---- others\n{}",
            GOOD.replace("a-claim", "other")
        );
        assert_eq!(hash(GOOD), hash(&followed));
    }

    fn error(text: &str) -> String {
        parse_claims("claims.toml", text)
            .expect_err("a broken file")
            .to_string()
    }

    #[test]
    fn errors_name_line_and_column() {
        let broken = GOOD.replace("claimed = 12", "claimed = = 12");
        assert!(
            error(&broken).starts_with("claims.toml, line 10, column 11:"),
            "{}",
            error(&broken)
        );
        let typo = GOOD.replace("claimed = 12", "claimd = 12");
        assert_eq!(
            error(&typo),
            "claims.toml, line 10, column 1: no field 'claimd'; did you mean 'claimed'?"
        );
        let missing = GOOD.replace("count = \"parts\"\n", "");
        assert!(
            error(&missing).ends_with("lacks the field 'count'"),
            "{}",
            error(&missing)
        );
        let verdict = GOOD.replace("confirmed", "confirmd");
        assert!(error(&verdict).contains("confirmd"), "{}", error(&verdict));
        let twice = format!("{GOOD}{GOOD}");
        assert!(error(&twice).contains("a second claim with the id 'a-claim'"));
    }
}
