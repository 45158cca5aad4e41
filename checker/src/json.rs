//! JSON in which every member occurs once: readers differ in which of two they take.

use serde_json::Value;

/// Reads a value; fails if a member occurs twice.
pub fn read(text: &str) -> Result<Value, String> {
    let value = serde_json::from_str(text).map_err(|error| format!("is no JSON: {error}"))?;
    let once = members(&value) == written(text);
    once.then_some(value).ok_or("has a member twice".into())
}

/// The members of a value, of which the last of several with a name is left.
fn members(value: &Value) -> usize {
    match value {
        Value::Object(all) => all.len() + all.values().map(members).sum::<usize>(),
        Value::Array(all) => all.iter().map(members).sum(),
        _ => 0,
    }
}

/// The members of a text: the colons outside of strings.
fn written(text: &str) -> usize {
    let (mut quoted, mut escaped, mut count) = (false, false, 0);
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => quoted = !quoted,
            b':' if !quoted => count += 1,
            _ => {}
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn a_member_stands_once() {
        let text = r#"{"a": [1, -2, 0.5, null, true, {"b:\"": "c\\:"}], "b": {}}"#;
        assert_eq!(read(text), Ok(serde_json::from_str(text).unwrap()));
        for twice in [
            r#"{"a": 1, "a": 1}"#,
            r#"{"a": 1, "b": 2, "\u0061": 3}"#,
            r#"[{"b": {"a": {}, "a": {}}}]"#,
        ] {
            let why = read(twice).unwrap_err();
            assert_eq!(why, "has a member twice");
        }
    }
}
