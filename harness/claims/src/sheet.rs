//! `keys.toml`: the keys of claims, the comparisons and the counts, as rows of texts. The reader, the
//! templates, the schema and the documentation all use the same ones.

use std::sync::LazyLock;

use toml::{Table, Value};

static SHEET: LazyLock<Table> = LazyLock::new(|| {
    let sheet = include_str!("keys.toml").parse();
    sheet.expect("keys.toml is TOML")
});

/// The whole file.
pub(crate) fn all() -> &'static Table {
    &SHEET
}

/// The table of a kind of claims.
pub(crate) fn of_kind(name: &str) -> &'static Table {
    let table = SHEET.get(name).and_then(Value::as_table);
    table.expect("keys.toml has every kind")
}

/// A text in a table.
pub(crate) fn text(table: &'static Table, key: &str) -> &'static str {
    table.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// The rows of a list in a table.
pub(crate) fn rows(
    table: &'static Table,
    list: &str,
) -> impl Iterator<Item = Vec<&'static str>> + use<> {
    let rows = table.get(list).and_then(Value::as_array);
    let cells = |row: &'static Value| row.as_array().into_iter().flatten();
    let rows = rows.into_iter().flatten();
    rows.map(move |row| cells(row).filter_map(Value::as_str).collect())
}
