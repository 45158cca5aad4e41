//! `claims.toml`: claims as text, read strictly, with errors that name line and column.
//!
//! Each kind has its own keys; an unused key is an error, since its author believes that it means
//! something. A fault in one claim does not affect the others.

mod diagnostics;
mod place;

use std::borrow::Cow;
use std::collections::HashSet;

use antipode_reports::model::{MANIFEST, Origin, Verdict};
use puzzle_api::Settings;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use self::diagnostics::{TomlDiagnostic, without_faults};
use self::place::{TablePlace, TextFault, Values, as_quoted, id_of, own_lines};
use crate::compare::{beyond, is_power_of_ten, looks_numeric, number, too_long, whole};
use crate::field::{CLAIM_KEYS, READING_KEYS};
use crate::kind::{ClaimKind, Claimed};
use crate::spec::{Case, Claim, Compare};
use antipode_reports::text::{nearest, position};

/// An invalid claim, or an invalid file of claims.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}, line {line}, column {column}: {message}{}", told(more))]
pub struct ClaimError {
    /// The file, or the puzzle whose own claims these are.
    pub file: String,
    /// The claim's id, if it has one.
    pub id: String,
    /// Line from 1.
    pub line: usize,
    /// Column from 1, in characters.
    pub column: usize,
    /// The error, and the remedy.
    pub message: String,
    /// Its further errors, each with line and column.
    pub more: Vec<(usize, usize, String)>,
}

/// Faults after the first, in the same line.
fn told(more: &[(usize, usize, String)]) -> String {
    let told = more
        .iter()
        .map(|(line, column, message)| format!("; line {line}, column {column}: {message}"));
    told.collect()
}

/// A file of claims.
#[derive(Debug, Clone, PartialEq)]
pub struct ClaimFile {
    /// The puzzle that it names.
    pub puzzle: Option<String>,
    /// Line and column, from 1, if it names it.
    pub puzzle_at: (usize, usize),
    /// The claims in their order, each of them valid or faulty.
    pub claims: Vec<Result<Claim, ClaimError>>,
}

impl ClaimFile {
    /// All claims.
    ///
    /// # Errors
    /// The first invalid claim.
    pub fn all(self) -> Result<Vec<Claim>, ClaimError> {
        self.claims.into_iter().collect()
    }
}

/// Reads a claims file.
///
/// # Errors
/// [`ClaimError`] if it is no TOML, or holds anything but claims.
pub fn parse_claims(file: &str, text: &str) -> Result<ClaimFile, ClaimError> {
    let several = |id: &str, mut faults: Vec<TextFault>| {
        faults.sort_by_key(|(at, _)| *at);
        faults.dedup();
        let mut faults = faults.into_iter().map(|(at, message)| {
            let (line, column) = position(text, at);
            (line, column, message)
        });
        let (line, column, message) = faults.next().unwrap_or_default();
        ClaimError {
            file: file.to_owned(),
            id: id.to_owned(),
            line,
            column,
            message,
            more: faults.collect(),
        }
    };
    let fault = |id: &str, at: usize, message: String| several(id, vec![(at, message)]);
    let refused = |diagnostic: TomlDiagnostic| fault("", diagnostic.at, diagnostic.message);
    let readable;
    let (root, diagnostics) = match DeTable::parse(text) {
        Ok(root) => (root, Vec::new()),
        Err(_) => {
            let diagnostics;
            (readable, diagnostics) = without_faults(text).map_err(refused)?;
            let root = DeTable::parse(&readable);
            (
                root.map_err(|error| refused(TomlDiagnostic::of(&error, &readable)))?,
                diagnostics,
            )
        }
    };
    let is_whole = diagnostics.is_empty();
    let faulty = diagnostics.into_iter().map(|diagnostic| {
        (
            diagnostic.start,
            Err(fault(&diagnostic.id, diagnostic.at, diagnostic.message)),
        )
    });
    let mut claims: Vec<(usize, Result<Claim, ClaimError>)> = faulty.collect();
    let root = root.get_ref();
    let puzzle = match root.get("puzzle") {
        None => None,
        Some(name) => Some(text_of(name.get_ref()).ok_or_else(|| {
            let line = "puzzle is not a text; write puzzle = \"NAME\"".to_owned();
            fault("", name.span().start, line)
        })?),
    };
    let tables = match root.get("claim") {
        None => Vec::new(),
        Some(list) => tables(list).ok_or_else(|| {
            fault(
                "",
                list.span().start,
                "begin each claim with [[claim]]".into(),
            )
        })?,
    };
    let mut known = HashSet::new();
    let known_keys = ["puzzle", "claim"];
    let is_odd = |key: &Spanned<Cow<'_, str>>| !known_keys.contains(&key.get_ref().as_ref());
    let mut starts: Vec<usize> = claims.iter().map(|(start, _)| *start).collect();
    starts.extend(tables.iter().map(|(start, _)| *start));
    for (_, value) in root.iter().filter(|(key, _)| is_odd(key)) {
        headers(value, &mut starts);
    }
    starts.sort_unstable();
    for (start, table) in tables {
        let next = starts.partition_point(|&other| other <= start);
        let end = starts.get(next).copied().unwrap_or(text.len());
        let lines = own_lines(text.get(start..end).unwrap_or_default());
        let id = id_of(table);
        // A text that continues after the claim would change when a neighbour is left out.
        let alone = match is_whole || DeTable::parse(lines).is_ok() {
            true => Ok(()),
            false => Err((start, "what it holds does not end with it".to_owned())),
        };
        let quoted = alone
            .and_then(|()| in_utf8(start, lines))
            .and_then(|()| as_quoted(&text[..end], start, table))
            .map_err(|(at, message)| vec![(at, of_claim(&id) + &message)]);
        let read = quoted.and_then(|()| read_claim(&TablePlace { start, table }, lines));
        let claim = read.map_err(|faults| several(&id, faults));
        let claim = match claim {
            Ok(claim) if !known.insert(claim.id.clone()) => {
                let line = format!("a second claim with the id '{id}'");
                Err(fault(&id, start, line))
            }
            claim => claim.map(|claim| Claim {
                at: position(text, start),
                ..claim
            }),
        };
        claims.push((start, claim));
    }
    for odd in root.keys().filter(|key| is_odd(key)) {
        let at = odd.span().start;
        let near = match nearest(odd.get_ref(), known_keys) {
            Some("claim") => "did you mean [[claim]]? ",
            Some(_) => "did you mean 'puzzle'? ",
            None => "",
        };
        let line = format!(
            "a file of claims has no key '{}'; {near}it holds puzzle = \"NAME\" and then [[claim]] tables",
            odd.get_ref()
        );
        claims.push((at, Err(fault("", at, line))));
    }
    claims.sort_by_key(|(start, _)| *start);
    let claims = claims.into_iter().map(|(_, claim)| claim).collect();
    let named = root.get_key_value("puzzle");
    let puzzle_at = named.map_or(0, |(key, _)| key.span().start);
    Ok(ClaimFile {
        puzzle,
        puzzle_at: position(text, puzzle_at),
        claims,
    })
}

/// Adds the places of a table's headers, and of those below it.
fn headers(value: &Spanned<DeValue<'_>>, places: &mut Vec<usize>) {
    places.push(value.span().start);
    match value.get_ref() {
        DeValue::Table(table) => table.values().for_each(|value| headers(value, places)),
        DeValue::Array(items) => items.iter().for_each(|value| headers(value, places)),
        _ => {}
    }
}

/// Checks that a claim's lines hold no bytes that were not UTF-8.
fn in_utf8(start: usize, lines: &str) -> Result<(), TextFault> {
    match lines.find(char::REPLACEMENT_CHARACTER) {
        None => Ok(()),
        Some(at) => {
            let line = "a byte that is no UTF-8; save the file in UTF-8".to_owned();
            Err((start + at, line))
        }
    }
}

/// The tables of a list, each with the place where it begins.
fn tables<'a, 'i>(list: &'a Spanned<DeValue<'i>>) -> Option<Vec<(usize, &'a DeTable<'i>)>> {
    let list = list.get_ref().as_array()?.iter();
    list.map(|item| Some((item.span().start, item.get_ref().as_table()?)))
        .collect()
}

fn text_of(value: &DeValue<'_>) -> Option<String> {
    value.as_str().map(str::to_owned)
}

/// The beginning of a line about a claim.
fn of_claim(id: &str) -> String {
    match id {
        "" => String::new(),
        id => format!("claim '{id}': "),
    }
}

/// The content of a claim's text.
///
/// # Errors
/// All errors of its keys; if there are none, all errors of its readings.
fn read_claim(place: &TablePlace<'_, '_>, lines: &str) -> Result<Claim, Vec<TextFault>> {
    let mut faults = Vec::new();
    let id = id_of(place.table);
    let who = match id.as_str() {
        "" => "a claim".to_owned(),
        id => format!("claim '{id}'"),
    };
    let readings = match place.get("reading") {
        None => Vec::new(),
        Some(list) => tables(list).ok_or_else(|| {
            let line = format!("{who}: begin each reading with [[claim.reading]]");
            vec![(list.span().start, line)]
        })?,
    };
    let readings: Vec<TablePlace<'_, '_>> = readings
        .into_iter()
        .map(|(start, table)| TablePlace { start, table })
        .collect();
    let mut kind_of = |place: &TablePlace<'_, '_>| {
        let kind = place
            .kind()
            .map_err(|(at, line)| (at, format!("{who}: {line}")));
        kind.unwrap_or_else(|fault| {
            faults.push(fault);
            None
        })
    };
    let own = kind_of(place);
    let kinds: Vec<Option<ClaimKind>> = readings.iter().map(|one| kind_of(one).or(own)).collect();
    if !faults.is_empty() {
        // The allowed keys depend on the kind.
        return Err(faults);
    }
    // A claim's key must be one that some of its readings can use.
    let taken_by: Vec<ClaimKind> = match readings.is_empty() {
        true => own.into_iter().collect(),
        false => kinds.iter().copied().flatten().collect(),
    };
    faults.extend(place.check_keys(&who, &CLAIM_KEYS, &taken_by));
    for (at, (reading, kind)) in readings.iter().zip(&kinds).enumerate() {
        let kind: Vec<ClaimKind> = kind.iter().copied().collect();
        let name = match reading.get("name").and_then(|name| name.get_ref().as_str()) {
            Some(name) => format!("'{name}'"),
            None => (at + 1).to_string(),
        };
        let who = format!("{who}, reading {name}");
        faults.extend(reading.check_keys(&who, &READING_KEYS, &kind));
    }
    let whole = Values::of(place, None);
    if !id.trim().is_empty() {
        faults.extend(check_id(&id).err().map(|line| (whole.at("id"), line)));
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    let cases = cases(&whole, &readings, &kinds, own)?;
    let reports = |case: &Case| case.compare == Compare::Report;
    if whole.has("hardware") && !cases.iter().any(reports) {
        let line = format!(
            "claim '{id}': 'hardware' says nothing without compare = \"report\"; leave it out"
        );
        return Err(vec![(whole.at("hardware"), line)]);
    }
    let text = |key| whole.text(key).unwrap_or_default();
    let verdict = |key| whole.text(key).as_deref().and_then(verdict_named);
    let Some(expect) = verdict("expect") else {
        return Err(vec![whole.lacks("expect")]);
    };
    Ok(Claim {
        blake3: blake3::hash(lines.as_bytes()).to_hex().to_string(),
        lines: lines.to_owned(),
        all_must_hold: whole.has("instances"),
        expect,
        expect_quick: verdict("expect_quick"),
        hardware: text("hardware"),
        text_at_hand: text("text") == "at-hand",
        full_only: text("effort") == "full",
        at: (0, 0),
        cases,
        origin: Origin::named(&text("origin")),
        source: text("source"),
        section: text("section"),
        url: text("url"),
        quote: text("quote"),
        statement: text("statement"),
        id,
    })
}

/// Bytes that an id may have: a file of results is named after it.
pub(crate) const LONGEST_ID: usize = 100;

/// Checks that a certificate can be named after a claim.
fn check_id(id: &str) -> Result<(), String> {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if id.is_empty() || !id.chars().all(plain) {
        return Err(format!(
            "the id '{id}' must be lower-case letters, digits and '-'"
        ));
    }
    if id.len() > LONGEST_ID {
        let (start, length) = (&id[..LONGEST_ID / 4], id.len());
        return Err(format!(
            "the id '{start}…' has {length} characters; shorten it to {LONGEST_ID}, since a file is named after it"
        ));
    }
    // Some disks do not distinguish upper and lower case.
    if format!("{id}.json").eq_ignore_ascii_case(MANIFEST) {
        return Err(format!(
            "the id '{id}' would name the certificate {MANIFEST}, as the folder's list of files is named; choose another id"
        ));
    }
    Ok(())
}

/// The ways to read a claim: its readings, its instances, or the only one.
fn cases(
    whole: &Values<'_, '_>,
    readings: &[TablePlace<'_, '_>],
    kinds: &[Option<ClaimKind>],
    own: Option<ClaimKind>,
) -> Result<Vec<Case>, Vec<TextFault>> {
    let said = |key: &str, line: &str| {
        let line = format!("claim '{}': {line}", whole.id);
        vec![(whole.at(key), line)]
    };
    if whole.has("instances") && !readings.is_empty() {
        let line = "a claim has readings or several instances, not both";
        return Err(said("instances", line));
    }
    let mut cases: Vec<Case> = Vec::new();
    let mut faults: Vec<TextFault> = Vec::new();
    for (reading, kind) in readings.iter().zip(kinds) {
        let fields = whole.overridden_by(reading);
        let name = fields.text("name").unwrap_or_default();
        let mut case = match case(&fields, *kind, &name) {
            Ok(case) => case,
            Err(found) => {
                faults.extend(found);
                continue;
            }
        };
        let verdict = |key: &str| {
            let of_reading = reading.get(key)?.get_ref().as_str()?;
            verdict_named(of_reading)
        };
        case.expect = verdict("expect");
        case.expect_quick = verdict("expect_quick");
        if cases.iter().any(|known| known.name == name) {
            let line = format!(
                "claim '{}': a second reading with the name '{name}'; name each for what it says",
                whole.id
            );
            faults.push((fields.at("name"), line));
        }
        cases.push(case);
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    if let Some(instances) = whole.texts("instances") {
        if whole.has("instance") || instances.is_empty() {
            let line = "name one instance, or several as instances = [\"A\", \"B\"]";
            return Err(said("instances", line));
        }
        for (i, instance) in instances.iter().enumerate() {
            if instances[..i].contains(instance) {
                let line = format!("instances names '{instance}' twice; name each once");
                return Err(said("instances", &line));
            }
            let mut case = case(&whole.about(instance), own, instance)?;
            case.statement.clear();
            cases.push(case);
        }
    }
    if cases.is_empty() {
        cases.push(case(whole, own, "")?);
    }
    // Its rows are claims of their own, named after the claim, as is the folder of its paths.
    if cases.len() > 1 && cases.iter().any(|case| case.kind == ClaimKind::Lengths) {
        let line = "a table of lengths is of one instance and one reading: write a claim for each";
        return Err(said("id", line));
    }
    Ok(cases)
}

fn case(
    fields: &Values<'_, '_>,
    kind: Option<ClaimKind>,
    name: &str,
) -> Result<Case, Vec<TextFault>> {
    let Some(kind) = kind else {
        return Err(vec![fields.lacks("kind")]);
    };
    let needed = kind.keys().iter().filter(|key| key.needed);
    let missing = needed.filter(|key| !fields.has(key.name));
    let missing: Vec<TextFault> = missing.map(|key| fields.lacks(key.name)).collect();
    if !missing.is_empty() {
        return Err(missing);
    }
    let text = |key: &str| fields.text(key).filter(|_| Values::uses(kind, key));
    let mut case = Case {
        id: fields.id.clone(),
        name: name.to_owned(),
        statement: fields.text("statement").unwrap_or_default(),
        kind,
        instance: text("instance"),
        settings: match Values::uses(kind, "settings") {
            true => fields.settings("settings"),
            false => Settings::new(),
        },
        board: text("board"),
        own: fields.own(kind).map_err(|fault| vec![fault])?,
        table: Vec::new(),
        refuted: Vec::new(),
        claimed: match fields.of_kind(kind, "claimed") {
            Some(value) => printed(value),
            None => String::new(),
        },
        unit: text("unit").unwrap_or_default(),
        compare: text("compare")
            .and_then(|name| Compare::named(&name))
            .unwrap_or_default(),
        within: fields.of_kind(kind, "within").and_then(crate::field::share),
        expect: None,
        expect_quick: None,
        note: fields.text("note").unwrap_or_default(),
        spans: fields.spans(kind),
    };
    let mut faults: Vec<TextFault> = check_figures(&case, fields).err().into_iter().collect();
    if let Err((key, line)) = (kind.kind().read)(&mut case) {
        faults.push(match key {
            Some(key) => (fields.at(&key), of_claim(&case.id) + &line),
            None => (fields.start, line),
        });
    }
    match faults.is_empty() {
        true => Ok(case),
        false => Err(faults),
    }
}

fn verdict_named(id: &str) -> Option<Verdict> {
    Verdict::ALL.into_iter().find(|verdict| verdict.id() == id)
}

/// A figure with the digits that were printed; several with ", " between them.
fn printed(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) => text.to_string(),
        DeValue::Array(items) => {
            let items = items.iter().map(|item| printed(item.get_ref()));
            items.collect::<Vec<_>>().join(", ")
        }
        DeValue::Integer(number) => match u128::from_str_radix(number.as_str(), number.radix()) {
            Ok(whole) if number.radix() != 10 => whole.to_string(),
            _ => number.to_string(),
        },
        DeValue::Float(number) => number.to_string(),
        _ => String::new(),
    }
}

/// Checks a claim's figures and their comparison.
fn check_figures(case: &Case, fields: &Values<'_, '_>) -> Result<(), TextFault> {
    let fault = |key: &str, what: String| {
        let line = format!("claim '{}': {what}", case.id);
        Err((fields.at(key), line))
    };
    if fields.of_kind(case.kind, "within").is_some() && case.compare != Compare::About {
        let what = format!(
            "'within' says nothing with compare = \"{}\"; leave it out, or use compare = \"{}\"",
            case.compare.name(),
            Compare::About.name()
        );
        return fault("within", what);
    }
    if case.compare == Compare::Holds && fields.of_kind(case.kind, "unit").is_some() {
        let what =
            "'unit' says nothing with compare = \"holds\", which has no figures; leave it out";
        return fault("unit", what.into());
    }
    let given = fields.of_kind(case.kind, "claimed").is_some();
    match (case.compare, given) {
        (Compare::Holds, true) => {
            let what = "'claimed' says nothing with compare = \"holds\"; leave it out, or compare in another way";
            return fault("claimed", what.into());
        }
        (Compare::Holds | Compare::Report, false) => return Ok(()),
        _ => {}
    }
    let sort = case.kind.kind().claimed;
    match (sort, given) {
        (Claimed::Nothing, _) | (Claimed::WholeOrNone, false) => Ok(()),
        (_, false) => Err(fields.lacks("claimed")),
        (sort, true) => match wanted(case, sort) {
            None => Ok(()),
            Some(wanted) => fault(
                "claimed",
                format!(
                    "'{}' cannot be compared with a figure: write {wanted}, with ',' or '_' only between groups of three digits",
                    case.claimed
                ),
            ),
        },
    }
}

/// The expected form of a published figure; `None` if it can be compared.
fn wanted(case: &Case, sort: Claimed) -> Option<&'static str> {
    let claimed = case.claimed.as_str();
    if looks_numeric(claimed) && too_long(claimed) {
        return Some("a whole number below 2^128, or at most 12 significant digits");
    }
    if beyond(claimed) && !matches!(sort, Claimed::Sizes | Claimed::Moves) {
        return Some("a number of at most 1.7e308");
    }
    let not = |is: bool, what| (!is).then_some(what);
    let is_whole = || whole(claimed).is_some();
    let is_number = || number(claimed).is_some();
    match (sort, case.compare) {
        (Claimed::Sizes, _) => not(
            claimed.split(", ").all(|size| whole(size).is_some()),
            "whole numbers, one a level",
        ),
        (Claimed::Moves, Compare::Equal | Compare::Report) if claimed == "unsolvable" => None,
        (Claimed::Moves, _) => not(is_whole(), "a whole number of moves, or \"unsolvable\""),
        (Claimed::WholeOrNone, _) => not(is_whole(), "a whole number"),
        (_, Compare::Magnitude) => not(
            is_power_of_ten(claimed),
            "a power of ten, such as 1e16 or \"10^16\"",
        ),
        (_, Compare::Report) => None,
        (_, Compare::About | Compare::AtMost | Compare::AtLeast) => not(is_number(), "a number"),
        (Claimed::Whole, _) if is_number() && !is_whole() => {
            Some("a whole number, or a number with compare = \"about\"")
        }
        (Claimed::Whole, _) => not(is_whole(), "a whole number"),
        _ => not(!looks_numeric(claimed) || is_number(), "a number"),
    }
}

/// A claim of kind `derived` with these lines, for tests.
#[cfg(test)]
pub(crate) fn derived(lines: &str) -> Case {
    let text = format!(
        "[[claim]]\nid = \"x\"\nsource = \"s\"\nstatement = \"t\"\nkind = \"derived\"\nderive = \"d\"\nexpect = \"confirmed\"\n{lines}\n"
    );
    let file = parse_claims("f", &text).expect("TOML");
    file.all().expect("a claim").remove(0).cases.remove(0)
}

#[cfg(test)]
mod tests;
