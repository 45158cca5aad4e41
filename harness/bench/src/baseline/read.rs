//! A baseline's text, held against what a baseline must be: the gate is only as good as what
//! it holds a run against.

use toml::de::DeTable;

use super::super::compare::Measure;
use super::super::fields::{Fields, SuiteError, Text, nearest};
use super::{Baseline, BaselineRow, Change, SCHEMA};

const KEYS: [&str; 14] = [
    "schema",
    "suite",
    "suite-blake3",
    "measure",
    "reference",
    "limit",
    "counter-limit",
    "processor",
    "version",
    "build",
    "reason",
    "updated",
    "row",
    "history",
];
const ROW_KEYS: [&str; 8] = [
    "name",
    "answer",
    "states",
    "generated",
    "read-bytes",
    "written-bytes",
    "ratio",
    "interval",
];

/// Ends of an interval are written rounded.
const ROUNDED: f64 = 1e-2;

pub(super) fn parse(file: &str, text: &str) -> Result<Baseline, SuiteError> {
    let place = Text { file, text };
    let root = DeTable::parse(text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        place.fault(at, error.message().replace('\n', " "))
    })?;
    let root = root.get_ref();
    // Before anything else is read: another schema has other fields.
    let schema = root.iter().find(|(key, _)| key.get_ref() == "schema");
    let Some((_, schema)) = schema else {
        return Err(place.fault(0, "no baseline: it has no 'schema'"));
    };
    let found = schema.get_ref().as_integer().map(|found| found.as_str());
    if found != Some(&SCHEMA.to_string()) {
        let found = found.unwrap_or("unknown");
        let message = format!(
            "a baseline of schema {found}, where this version reads schema {SCHEMA}; renew it: antipode regress --baseline {file} --update --suite SUITE.toml --reason TEXT"
        );
        return Err(place.fault(schema.span().start, message));
    }
    let head = Fields::new(place, root, 0, &KEYS)?;
    let text = |key: &str| Ok::<_, SuiteError>(head.needed(key)?.0);
    let limit = |key: &str| {
        let found = head.factor(key, 1.0)?.map(|(limit, _)| limit);
        found.ok_or_else(|| place.fault(0, format!("the field '{key}' is missing")))
    };
    head.needed("measure")?;
    let measure = head.read("measure", str::parse::<Measure>)?;
    let read = Baseline {
        schema: SCHEMA,
        suite: text("suite")?,
        suite_blake3: text("suite-blake3")?,
        measure: measure.map_or("cpu", Measure::name).to_owned(),
        reference: text("reference")?,
        limit: limit("limit")?,
        counter_limit: limit("counter-limit")?,
        processor: text("processor")?,
        version: text("version")?,
        build: text("build")?,
        reason: text("reason")?,
        updated: text("updated")?,
        row: read_rows(place, &head)?,
        history: head
            .tables("history", &["updated", "reason"])?
            .iter()
            .map(|change| {
                Ok(Change {
                    updated: change.needed("updated")?.0,
                    reason: change.needed("reason")?.0,
                })
            })
            .collect::<Result<_, SuiteError>>()?,
    };
    if read.row.is_empty() {
        return Err(place.fault(0, "there is no [[row]]: nothing to hold a run against"));
    }
    Ok(read)
}

fn read_rows(place: Text<'_>, head: &Fields<'_>) -> Result<Vec<BaselineRow>, SuiteError> {
    let tables = head.tables("row", &ROW_KEYS)?;
    let names: Result<Vec<String>, SuiteError> =
        tables.iter().map(|row| Ok(row.needed("name")?.0)).collect();
    let names = names?;
    let (reference, at) = head.needed("reference")?;
    if !reference.is_empty() && !names.contains(&reference) {
        let hint = nearest(&reference, names.iter().map(String::as_str));
        let message = format!("the reference '{reference}' is no row of this baseline; {hint}");
        return Err(place.fault(at, message));
    }
    let mut rows: Vec<BaselineRow> = Vec::new();
    for row in tables {
        let (name, at) = row.needed("name")?;
        if rows.iter().any(|other| other.name == name) {
            return Err(place.fault(at, format!("a second row named '{name}'")));
        }
        let (answer, at_answer) = row.needed("answer")?;
        if answer.is_empty() {
            return Err(place.fault(at_answer, "an empty answer would match nothing"));
        }
        let count = |key: &str| row.number(key, (0, u64::MAX));
        let ratio = row.factor("ratio", f64::MIN_POSITIVE)?;
        let interval = row.interval("interval")?;
        match ratio {
            Some((_, at)) if name == reference || reference.is_empty() => {
                let message = "ratios are those of other rows to the reference row; leave it out";
                return Err(place.fault(at, message));
            }
            None if name != reference && !reference.is_empty() => {
                let message = format!(
                    "row '{name}' has no 'ratio', so its time would not be held against anything; put it back, or move the file away and make it anew by --update"
                );
                return Err(place.fault(at, message));
            }
            _ => {}
        }
        if let (Some((ratio, at)), Some([low, high])) = (ratio, interval)
            && !(low * (1.0 - ROUNDED) <= ratio && ratio <= high * (1.0 + ROUNDED))
        {
            let message = format!(
                "the ratio {ratio} does not lie in its interval, {low} to {high}; put it back, or move the file away and make it anew by --update"
            );
            return Err(place.fault(at, message));
        }
        rows.push(BaselineRow {
            name,
            answer,
            states: count("states")?,
            generated: count("generated")?,
            read_bytes: count("read-bytes")?,
            written_bytes: count("written-bytes")?,
            ratio: ratio.map(|(ratio, _)| ratio),
            interval,
        });
    }
    Ok(rows)
}
