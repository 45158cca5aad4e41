//! Comma-separated tables, quoted if a cell needs it.

use serde_json::Value;

use crate::search::Level;
use crate::shown::list;

/// The lines of a table, each as its cells; all as long as the first, which names them.
pub fn read(text: &str) -> Result<Vec<Vec<String>>, String> {
    let (mut rows, mut row, mut cell) = (Vec::new(), Vec::new(), String::new());
    let (mut quoted, mut letters) = (false, text.chars().peekable());
    while let Some(letter) = letters.next() {
        match letter {
            '"' if quoted && letters.peek() == Some(&'"') => cell.extend(letters.next()),
            '"' => quoted = !quoted,
            ',' if !quoted => row.push(std::mem::take(&mut cell)),
            '\n' if !quoted => {
                row.push(std::mem::take(&mut cell));
                rows.push(std::mem::take(&mut row));
            }
            _ => cell.push(letter),
        }
    }
    let width = rows.first().map_or(0, Vec::len);
    if quoted || !cell.is_empty() || !row.is_empty() {
        return Err("ends within a line".into());
    }
    match rows.iter().position(|row| row.len() != width) {
        Some(line) => Err(format!("line {} has another number of cells", line + 1)),
        None => Ok(rows),
    }
}

/// The lines of a table after the first, which names the cells.
pub fn table(text: &str, header: &str) -> Result<Vec<Vec<String>>, String> {
    let mut lines = read(text)?.into_iter();
    let first = lines.next().ok_or("is missing or empty")?;
    let rows: Vec<Vec<String>> = lines.collect();
    let right = first.iter().eq(header.split(',')) && !rows.contains(&first);
    right.then_some(rows).ok_or("has other columns".into())
}

/// Some members of an item, as a table writes them.
pub fn told(item: &Value, members: &[&str]) -> Vec<String> {
    let told = |member: &&str| match &item[*member] {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    members.iter().map(told).collect()
}

/// A list in the form of a file: the members' names, and a row per item.
pub fn rows_of(items: &Value, members: &[&str]) -> Vec<Vec<String>> {
    let names = members.iter().map(ToString::to_string).collect();
    let rows = list(items).iter().map(|item| told(item, members));
    std::iter::once(names).chain(rows).collect()
}

/// A certificate's level table, in the form of a file.
pub fn levels_of(table: &Value) -> Vec<Vec<String>> {
    let members = ["depth", "states", "orbits", "digest"];
    let mut rows = rows_of(&table["levels"], &members);
    let rest = &table["unsolvable"];
    if !rest.is_null() {
        let last = std::iter::once("unsolvable".to_owned());
        rows.push(last.chain(told(rest, &members[1..])).collect());
    }
    rows
}

/// Levels in the same form without the names; the last row is of the states in no level.
pub fn rows(levels: &[Level], never: Option<&Level>) -> Vec<Vec<String>> {
    let depths = (0..levels.len()).map(|depth| depth.to_string());
    let named = depths.chain(["unsolvable".to_owned()]);
    let rows = named.zip(levels.iter().chain(never));
    let told = |(name, level): (String, &Level)| [vec![name], level.told().to_vec()].concat();
    rows.map(told).collect()
}
