//! CSV in and out. Equal input gives equal bytes: LF line ends on every system, no times, no padding.

use crate::atomic::{WriteError, write_atomically};
use crate::model::{Antipode, ClaimResult, Level, LevelTable, Unreached};
use crate::read_error::ReadError;
use crate::table_in::{check_header, csv_error};
use csv::StringRecord;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

const LEVEL_HEADER: [&str; 4] = ["depth", "states", "orbits", "digest"];
const ANTIPODE_HEADER: [&str; 3] = ["depth", "state", "orbit_size"];
pub(crate) const CLAIM_HEADER: [&str; 16] = [
    "id",
    "puzzle",
    "instance",
    "source",
    "section",
    "kind",
    "expect",
    "verdict",
    "as_expected",
    "claimed",
    "found",
    "readings",
    "effort",
    "variant",
    "engine",
    "wall_s",
];
const UNSOLVABLE: &str = "unsolvable";

/// Writes the level table: `depth,states,orbits,digest`, one row a level, and a last row with depth
/// `unsolvable` where those states are known.
pub fn write_levels(path: impl AsRef<Path>, table: &LevelTable) -> Result<(), WriteError> {
    write_atomically(path, |out| write_levels_to(out, table))
}

/// Writes the same text as [`write_levels`] to any stream.
pub fn write_levels_to(out: &mut dyn Write, table: &LevelTable) -> io::Result<()> {
    let rows = table.levels.iter().map(|level| {
        level_row(
            level.depth.to_string(),
            level.states,
            level.orbits,
            &level.digest,
        )
    });
    let last = table.unsolvable.iter().map(|rest| {
        level_row(
            UNSOLVABLE.to_owned(),
            rest.states,
            rest.orbits,
            &rest.digest,
        )
    });
    write_rows(out, LEVEL_HEADER, rows.chain(last))
}

/// Writes the antipodes: `depth,state,orbit_size`, in the given order.
pub fn write_antipodes(path: impl AsRef<Path>, antipodes: &[Antipode]) -> Result<(), WriteError> {
    write_atomically(path, |out| write_antipodes_to(out, antipodes))
}

/// Writes the same text as [`write_antipodes`] to any stream.
pub fn write_antipodes_to(out: &mut dyn Write, antipodes: &[Antipode]) -> io::Result<()> {
    let rows = antipodes.iter().map(|a| {
        [
            a.depth.to_string(),
            a.state.clone(),
            a.orbit_size.to_string(),
        ]
    });
    write_rows(out, ANTIPODE_HEADER, rows)
}

/// Writes one row a claim; the readings share a cell as `name: verdict`, parted by semicolons.
pub fn write_claims(path: impl AsRef<Path>, claims: &[ClaimResult]) -> Result<(), WriteError> {
    write_atomically(path, |out| write_claims_to(out, claims))
}

/// Writes the same text as [`write_claims`] to any stream.
pub fn write_claims_to(out: &mut dyn Write, claims: &[ClaimResult]) -> io::Result<()> {
    write_rows(out, CLAIM_HEADER, claims.iter().map(claim_row))
}

/// Writes any table: a header, then rows of as many cells.
pub fn write_table<const N: usize>(
    path: impl AsRef<Path>,
    header: [&str; N],
    rows: impl Iterator<Item = [String; N]>,
) -> Result<(), WriteError> {
    write_atomically(path, |out| write_rows(out, header, rows))
}

/// Reads a level table; the error names file and line.
pub fn read_levels(path: impl AsRef<Path>) -> Result<LevelTable, ReadError> {
    let path = path.as_ref();
    let file = File::open(path).map_err(|source| ReadError::io(path, source))?;
    let mut reader = csv::ReaderBuilder::new().from_reader(file);
    let header = reader.headers().map_err(|error| csv_error(path, error))?;
    check_header(path, header, &LEVEL_HEADER)?;
    let mut table = LevelTable::default();
    for record in reader.records() {
        let record = record.map_err(|error| csv_error(path, error))?;
        let line = record.position().map_or(0, csv::Position::line);
        add_row(&mut table, &record).map_err(|reason| ReadError::line(path, line, reason))?;
    }
    Ok(table)
}

fn add_row(table: &mut LevelTable, record: &StringRecord) -> Result<(), String> {
    if table.unsolvable.is_some() {
        return Err(format!(
            "a row follows the one for \"{UNSOLVABLE}\", which must be the last"
        ));
    }
    let (states, orbits) = (number(record, 1)?, number(record, 2)?);
    let digest = digest(&record[3])?;
    if &record[0] == UNSOLVABLE {
        table.unsolvable = Some(Unreached {
            states,
            orbits,
            digest,
        });
        return Ok(());
    }
    let depth = number(record, 0)?;
    if table.levels.last().is_some_and(|last| last.depth >= depth) {
        return Err(format!(
            "depth {depth} does not rise above that of the row before"
        ));
    }
    table.levels.push(Level {
        depth,
        states,
        orbits,
        digest,
    });
    Ok(())
}

fn number<N: std::str::FromStr>(record: &StringRecord, column: usize) -> Result<N, String> {
    let text = &record[column];
    text.parse()
        .map_err(|_| format!("{} is \"{text}\", not a whole number", LEVEL_HEADER[column]))
}

fn digest(text: &str) -> Result<String, String> {
    let is_digest =
        text.len() == 32 && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
    is_digest
        .then(|| text.to_owned())
        .ok_or_else(|| format!("digest is \"{text}\", not 32 lowercase hexadecimal digits"))
}

fn level_row(depth: String, states: u128, orbits: u128, digest: &str) -> [String; 4] {
    [
        depth,
        states.to_string(),
        orbits.to_string(),
        digest.to_owned(),
    ]
}

fn claim_row(claim: &ClaimResult) -> [String; 16] {
    let readings: Vec<_> = claim
        .readings
        .iter()
        .map(|r| format!("{}: {}", r.name, r.verdict.id()))
        .collect();
    [
        claim.id.clone(),
        claim.puzzle.clone(),
        claim.instance.clone().unwrap_or_default(),
        claim.source.clone(),
        claim.section.clone(),
        claim.kind.clone(),
        claim.expect.id().to_owned(),
        claim.verdict.id().to_owned(),
        claim.as_expected().to_string(),
        claim.claimed.clone(),
        claim.found.clone(),
        readings.join("; "),
        claim.effort.clone(),
        claim.variant.clone(),
        claim.engine.clone(),
        format!("{:.3}", claim.wall_s),
    ]
}

pub(crate) fn write_rows<const N: usize>(
    out: &mut dyn Write,
    header: [&str; N],
    rows: impl Iterator<Item = [String; N]>,
) -> io::Result<()> {
    let mut writer = csv::WriterBuilder::new()
        .terminator(csv::Terminator::Any(b'\n'))
        .from_writer(out);
    writer.write_record(header).map_err(io_error)?;
    for row in rows {
        writer.write_record(&row).map_err(io_error)?;
    }
    writer.flush()
}

/// Keeps the system's own error kind, which the csv crate's conversion would hide; the text of a
/// full disk depends on it.
pub(crate) fn io_error(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}
