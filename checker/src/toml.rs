//! A claim's own lines: TOML with one `[[claim]]`, and a `[[claim.reading]]` for each reading.

use serde_json::{Map, Value, json};
use toml::de::{DeTable, DeValue};

/// Keys with their values.
pub type Table = Map<String, Value>;

/// A claim's own lines: the keys of the claim, and those of each reading.
pub fn claim(text: &str) -> Result<(Table, Vec<Table>), String> {
    let read = DeTable::parse(text).map_err(|error| error.message().to_owned())?;
    let mut all = table(read.get_ref())?;
    let claims = all.remove("claim").map_or(Ok(vec![]), tables)?;
    let [mut claim] = <[Table; 1]>::try_from(claims).map_err(|_| "there is not one [[claim]]")?;
    let readings = claim.remove("reading").map_or(Ok(vec![]), tables)?;
    match all.keys().next() {
        Some(key) => Err(format!("{key} is no key of a claim")),
        None => Ok((claim, readings)),
    }
}

/// The tables of a list of nothing else.
fn tables(list: Value) -> Result<Vec<Table>, String> {
    serde_json::from_value(list).map_err(|error| error.to_string())
}

fn table(read: &DeTable) -> Result<Table, String> {
    let members = read.iter();
    let members = members.map(|(key, read)| {
        let key = key.get_ref().to_string();
        Ok((key.clone(), value(read.get_ref(), key == "claimed")?))
    });
    members.collect()
}

/// A value. A published figure counts with the digits that were printed, or in decimal ones.
fn value(read: &DeValue, printed: bool) -> Result<Value, String> {
    Ok(match read {
        DeValue::String(text) => json!(text),
        DeValue::Boolean(truth) => json!(truth),
        DeValue::Float(number) if printed => json!(number.as_str()),
        DeValue::Float(number) => json!(number.as_str().parse::<f64>().ok()),
        DeValue::Integer(number) if printed && number.radix() == 10 => json!(number.as_str()),
        DeValue::Integer(number) => {
            let whole = i128::from_str_radix(number.as_str(), number.radix());
            let whole = whole.map_err(|error| format!("{number}: {error}"))?;
            match printed {
                true => json!(whole.to_string()),
                false => json!(i64::try_from(whole).ok()),
            }
        }
        DeValue::Array(all) if printed && !all.iter().all(|one| one.get_ref().is_integer()) => {
            return Err("a size is no whole number".into());
        }
        DeValue::Array(all) => {
            let items = all.iter().map(|one| value(one.get_ref(), printed));
            items.collect::<Result<_, _>>()?
        }
        DeValue::Table(all) => table(all)?.into(),
        DeValue::Datetime(date) => return Err(format!("{date} is no value of a key")),
    })
}

#[cfg(test)]
mod tests {
    use super::claim;

    #[test]
    fn a_figure_has_the_digits_that_were_printed() {
        let deep = "[".repeat(100_000);
        for (claimed, told) in [
            ("0x0_A", r#"{"claimed":"10"}"#),
            ("+7", r#"{"claimed":"+7"}"#),
            ("7_0.0", r#"{"claimed":"70.0"}"#),
            (
                "[1, 0o17, 18_446744073709551618]",
                r#"{"claimed":["1","15","18446744073709551618"]}"#,
            ),
            ("1\na = 0x0_9", r#"{"a":9,"claimed":"1"}"#),
            ("[1.0]", "a size is no whole number"),
            ("[1, '2']", "a size is no whole number"),
            ("[[1]]", "a size is no whole number"),
            ("1979-05-27", "1979-05-27 is no value of a key"),
            ("1\n'claimed' = 1", "duplicate key"),
            ("1\n[[claim]]", "there is not one [[claim]]"),
            ("1\n[other]", "other is no key of a claim"),
            (&deep, "cannot recurse further; max recursion depth met"),
        ] {
            let read = claim(&format!("[[claim]]\nclaimed = {claimed}\n"));
            let read = read.map_or_else(|why| why, |read| serde_json::json!(read.0).to_string());
            assert_eq!(read, told, "{claimed:.60}");
        }
    }
}
