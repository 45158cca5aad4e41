//! JSON in which every member occurs once: readers differ in which of two they take.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

/// Reads a value; fails if a member occurs twice.
pub fn read(text: &str) -> Result<Value, String> {
    let strict: Result<Strict, _> = serde_json::from_str(text);
    let value = strict.map_err(|error| format!("is no JSON: {error}"))?;
    Ok(value.0)
}

struct Strict(Value);

impl<'de> Deserialize<'de> for Strict {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
        reader.deserialize_any(Reader).map(Self)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Value;

    fn expecting(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.write_str("a value")
    }
    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }
    fn visit_bool<E>(self, is: bool) -> Result<Value, E> {
        Ok(is.into())
    }
    fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
        Ok(number.into())
    }
    fn visit_u64<E>(self, number: u64) -> Result<Value, E> {
        Ok(number.into())
    }
    fn visit_f64<E>(self, number: f64) -> Result<Value, E> {
        Ok(number.into())
    }
    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(text.into())
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(Strict(item)) = items.next_element()? {
            list.push(item);
        }
        Ok(list.into())
    }
    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut table = Map::new();
        while let Some((name, Strict(value))) = members.next_entry::<String, Strict>()? {
            let twice = format!("the member {name} stands twice");
            if table.insert(name, value).is_some() {
                return Err(A::Error::custom(twice));
            }
        }
        Ok(table.into())
    }
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn a_member_stands_once() {
        let text = r#"{"a": [1, -2, 0.5, null, true, {"b": "c"}], "b": {}}"#;
        assert_eq!(read(text), Ok(serde_json::from_str(text).unwrap()));
        for twice in [
            r#"{"a": 1, "a": 1}"#,
            r#"{"a": 1, "b": 2, "\u0061": 3}"#,
            r#"[{"b": {"a": {}, "a": {}}}]"#,
        ] {
            let why = read(twice).unwrap_err();
            assert!(why.contains("the member a stands twice"), "{why}");
        }
    }
}
