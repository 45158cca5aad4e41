//! What a solver printed, read in the forms that `README.md` beside this file describes.

use antipode_check::referee::Answer;
use serde_json::Value;

/// Most steps of a path that are read.
const MOST_STEPS: usize = 1 << 20;

/// Reads what was printed.
///
/// # Errors
/// What is wrong with it, in a few words.
pub(super) fn read(printed: &str) -> Result<Answer, String> {
    let printed = printed.trim();
    if printed.is_empty() {
        return Err("printed nothing".to_owned());
    }
    if printed.starts_with('{') {
        let value = serde_json::from_str(printed);
        return value
            .map_err(|error| format!("printed JSON that cannot be read: {error}"))
            .and_then(|value| json(&value));
    }
    let lines: Vec<&str> = printed.lines().map(str::trim).collect();
    let last = lines.last().copied().unwrap_or_default();
    let word = last.rsplit(|c: char| c.is_whitespace() || c == ':').next();
    match (word.unwrap_or_default(), last) {
        (_, "unsolvable") => Ok(Answer::Unsolvable),
        (number, _) if number == last && is_number(number) => length(number),
        (number, _) if is_number(number) && last.starts_with("length") => length(number),
        _ => path(lines.into_iter().filter(|line| !line.is_empty())),
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn length(number: &str) -> Result<Answer, String> {
    let number = number.parse().map(Answer::Length);
    number.map_err(|_| "printed a length beyond all bounds".to_owned())
}

fn path<'a>(steps: impl Iterator<Item = &'a str>) -> Result<Answer, String> {
    let steps: Vec<String> = steps.take(MOST_STEPS + 1).map(str::to_owned).collect();
    match steps.len() > MOST_STEPS {
        false => Ok(Answer::Path(steps)),
        true => Err(format!("printed more than {MOST_STEPS} lines")),
    }
}

fn json(value: &Value) -> Result<Answer, String> {
    if let Some(moves) = value
        .get("moves")
        .filter(|_| !value["length"].is_null() || value.get("length").is_none())
    {
        let moves = moves.as_array().ok_or("\"moves\" is no list")?;
        let step = |step: &Value| {
            let named = step
                .get("state")
                .or_else(|| step.get("move"))
                .unwrap_or(step);
            named.as_str().map(str::to_owned)
        };
        let steps: Option<Vec<String>> = moves.iter().map(step).collect();
        let steps = steps
            .ok_or("\"moves\" holds what is neither a text nor has a \"state\" or a \"move\"")?;
        return path(steps.iter().map(String::as_str));
    }
    match value.get("length") {
        Some(Value::Null) => Ok(Answer::Unsolvable),
        Some(length) => (length.as_u64().map(Answer::Length))
            .ok_or_else(|| format!("\"length\" is {length}, no whole number")),
        None => Err("printed JSON with neither \"length\" nor \"moves\"".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Answer::{Length, Path, Unsolvable};

    #[test]
    fn forms() {
        let steps = |steps: &[&str]| Path(steps.iter().map(|&step| step.to_owned()).collect());
        for (printed, answer) in [
            ("29\n", Length(29)),
            ("searching…\n1000 nodes\n29", Length(29)),
            ("length: 29", Length(29)),
            ("length 29\n", Length(29)),
            ("unsolvable\n", Unsolvable),
            ("A right\n\nB down 2\n", steps(&["A right", "B down 2"])),
            ("ab/c.\na./cb", steps(&["ab/c.", "a./cb"])),
            (r#"{"length": 3}"#, Length(3)),
            (r#"{"length": null, "moves": []}"#, Unsolvable),
            (r#"{"moves": ["up", "down"]}"#, steps(&["up", "down"])),
            (
                r#"{"length": 1, "moves": [{"move": "up", "state": "ab"}]}"#,
                steps(&["ab"]),
            ),
        ] {
            assert_eq!(read(printed), Ok(answer), "{printed}");
        }
        for printed in [
            "",
            "  \n",
            "{",
            "{}",
            r#"{"length": -1}"#,
            r#"{"moves": 3}"#,
            r#"{"moves": [3]}"#,
        ] {
            assert!(read(printed).is_err(), "{printed}");
        }
        assert!(read("99999999999999999999999").is_err());
    }
}
