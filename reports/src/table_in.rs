//! Reading CSV tables whose header is known: errors name file and line.

use crate::read_error::ReadError;
use csv::StringRecord;
use std::fs::File;
use std::path::Path;

/// Reads all rows of a file with exactly this header, each with its line. Lines that begin with `#`
/// are comments.
pub(crate) fn read_rows<T>(
    path: &Path,
    header: &[&str],
    row: impl Fn(&StringRecord) -> Result<T, String>,
) -> Result<Vec<(u64, T)>, ReadError> {
    let mut reader = open(path)?;
    let found = reader.headers().map_err(|error| csv_error(path, error))?;
    check_header(path, found, header)?;
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| csv_error(path, error))?;
        let line = record.position().map_or(0, csv::Position::line);
        let row = row(&record).map_err(|reason| ReadError::line(path, line, reason))?;
        rows.push((line, row));
    }
    Ok(rows)
}

/// The header of a file, to tell what sort of table it is.
pub(crate) fn header(path: &Path) -> Result<Vec<String>, ReadError> {
    let mut reader = open(path)?;
    let header = reader.headers().map_err(|error| csv_error(path, error))?;
    Ok(header.iter().map(str::to_owned).collect())
}

/// A header that is not the wanted one is refused with the column that is missing, unknown or out of
/// place; whole headers are shown only where they have nothing in common.
pub(crate) fn check_header(
    path: &Path,
    found: &StringRecord,
    wanted: &[&str],
) -> Result<(), ReadError> {
    if found == wanted {
        return Ok(());
    }
    let found: Vec<&str> = found.iter().collect();
    let reason = header_fault(&found, wanted);
    Err(ReadError::line(path, 1, reason))
}

/// Columns of a foreign header that an error shows.
const SHOWN: usize = 6;

fn header_fault(found: &[&str], wanted: &[&str]) -> String {
    if found.iter().all(|name| name.is_empty()) {
        return format!(
            "there is no header, which begins \"{}\"; finish the run that was to write the table, or remove it",
            shown(wanted)
        );
    }
    let missing: Vec<&str> = without(wanted, found);
    let odd: Vec<&str> = without(found, wanted);
    if missing.len() == wanted.len() {
        return format!(
            "the header is \"{}\", that of another table; \"{}\" is needed",
            shown(found),
            shown(wanted)
        );
    }
    let twice = (1..found.len()).find(|&at| found[..at].contains(&found[at]));
    let differs = wanted.iter().zip(found).find(|(a, b)| a != b);
    match (odd.first(), missing.first(), twice, differs) {
        (Some(odd), Some(first), ..) => {
            let near = nearest(odd, &missing);
            let near = near.map(|name| format!("did you mean '{name}'?"));
            let hint = near.unwrap_or_else(|| format!("'{first}' is missing"));
            format!("the header has a column '{odd}', which is unknown; {hint}")
        }
        (Some(odd), None, ..) => {
            format!("the header has a column '{odd}', which is unknown; remove it")
        }
        (None, Some(first), ..) => {
            format!("the header lacks the column '{first}'; have the table written anew")
        }
        (_, _, Some(at), _) => format!("the header has the column '{}' twice", found[at]),
        (_, _, _, Some((wanted, found))) => {
            format!("the header has the column '{found}' where '{wanted}' should stand")
        }
        _ => "the header is not that of this table".to_owned(),
    }
}

fn shown(names: &[&str]) -> String {
    let more = if names.len() > SHOWN { ",…" } else { "" };
    names[..names.len().min(SHOWN)].join(",") + more
}

fn without<'a>(all: &[&'a str], others: &[&str]) -> Vec<&'a str> {
    let rest = all.iter().filter(|name| !others.contains(name));
    rest.copied().collect()
}

/// The most similar of some names, where one is similar enough to be meant.
fn nearest<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    let likeness = |other: &str| strsim::jaro_winkler(name, other);
    let best = known.iter().copied();
    let best = best.max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
    best.filter(|best| likeness(best) > 0.7)
}

fn open(path: &Path) -> Result<csv::Reader<File>, ReadError> {
    let file = File::open(path).map_err(|source| ReadError::io(path, source))?;
    Ok(csv::ReaderBuilder::new()
        .comment(Some(b'#'))
        .from_reader(file))
}

/// A fault of the CSV form itself, as file, line and reason.
pub(crate) fn csv_error(path: &Path, error: csv::Error) -> ReadError {
    let line = error.position().map_or(1, csv::Position::line);
    let reason = match error.into_kind() {
        csv::ErrorKind::Io(source) => return ReadError::io(path, source),
        csv::ErrorKind::UnequalLengths {
            expected_len, len, ..
        } => format!("{len} fields, where {expected_len} are needed"),
        csv::ErrorKind::Utf8 { .. } => "the text is not UTF-8".to_owned(),
        other => format!("{other:?}"),
    };
    ReadError::line(path, line, reason)
}

#[cfg(test)]
mod tests {
    use super::header_fault;

    #[test]
    fn a_header_is_refused_with_the_column_that_is_wrong() {
        let wanted = ["schema", "row", "wall_s", "cpu_s"];
        for (found, text) in [
            (&["schema", "row", "wall_s"][..], "lacks the column 'cpu_s'"),
            (
                &["schema", "row", "wall_s", "cpu"],
                "a column 'cpu', which is unknown; did you mean 'cpu_s'?",
            ),
            (
                &["schema", "row", "wall_s", "zz"],
                "a column 'zz', which is unknown; 'cpu_s' is missing",
            ),
            (
                &["schema", "row", "wall_s", "cpu_s", "more"],
                "a column 'more', which is unknown; remove it",
            ),
            (
                &["schema", "row", "cpu_s", "wall_s"],
                "the column 'cpu_s' where 'wall_s' should stand",
            ),
            (
                &["schema", "row", "wall_s", "cpu_s", "row"],
                "the column 'row' twice",
            ),
            (&["a", "b"], "the header is \"a,b\", that of another table"),
            (
                &[],
                "there is no header, which begins \"schema,row,wall_s,cpu_s\"",
            ),
            (&[""], "there is no header"),
        ] {
            let fault = header_fault(found, &wanted);
            assert!(fault.contains(text), "'{fault}' lacks '{text}'");
        }
    }
}
