//! What a solver printed, read in the forms that `README.md` in this folder describes.

use antipode_check::referee::Answer;
use serde_json::Value;

use crate::run::sample::plain;

/// Most steps of a path that are read.
const MOST_STEPS: usize = 1 << 20;

/// Reads what was printed.
pub(super) fn read(printed: &str) -> Result<Answer, String> {
    let plain = plain(printed);
    let printed = plain.trim();
    if printed.is_empty() {
        return Err("printed nothing".to_owned());
    }
    let lines: Vec<&str> = printed
        .split(['\n', '\r'])
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    let last = lines.last().copied().unwrap_or_default();
    // An object to the end, behind lines of a log perhaps.
    let starts = printed.match_indices('{').map(|(at, _)| at);
    let starts = starts.filter(|&at| at == 0 || printed[..at].ends_with(['\n', '\r']));
    let objects: Vec<&str> = starts.map(|at| &printed[at..]).collect();
    let mut read = objects.iter().map(|text| serde_json::from_str(text));
    if let Some(value) = read.by_ref().find_map(Result::ok) {
        return json(&value);
    }
    if last.starts_with('{') || printed.starts_with('{') {
        return Err("printed JSON that cannot be read".to_owned());
    }
    let said = last.to_ascii_lowercase();
    match (said.trim_end_matches('.'), told_length(&said)) {
        ("unsolvable" | "no solution", _) => Ok(Answer::Unsolvable),
        (_, Some(number)) => length(number),
        _ => path(lines.into_iter().skip_while(|line| line.ends_with(':'))),
    }
}

/// Words next to the number in a line that says a length.
const BESIDE: [&str; 12] = [
    "solved", "solution", "found", "shortest", "optimal", "in", "of", "is", "takes", "with", "a",
    "the",
];
/// Words of which one says that the number is a length.
const UNITS: [&str; 4] = ["moves", "steps", "length", "depth"];

/// The number in a line of lower case that is one, or says nothing but a length.
fn told_length(line: &str) -> Option<&str> {
    let apart = |c: char| c.is_whitespace() || matches!(c, ':' | '=' | '.' | ',');
    let words: Vec<&str> = line.split(apart).filter(|word| !word.is_empty()).collect();
    let (numbers, others): (Vec<&str>, Vec<&str>) = words.iter().partition(|word| is_number(word));
    let [number] = numbers[..] else {
        return None;
    };
    let is_unit = |word: &&&str| UNITS.contains(word) || (number == "1" && **word == "move");
    let mut words = others.iter();
    let known = words.all(|word| BESIDE.contains(word) || is_unit(&word));
    let one = line == number || others.iter().any(|word| is_unit(&word));
    (known && one).then_some(number)
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
    let has_path = !value["length"].is_null() || value.get("length").is_none();
    if let Some(moves) = value.get("moves").filter(|_| has_path) {
        let moves = moves.as_array().ok_or("\"moves\" is no list")?;
        let step = |step: &Value| {
            let named = step.get("state").or(step.get("move"));
            named.unwrap_or(step).as_str().map(str::to_owned)
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
            ("Solved in 15 moves\n", Length(15)),
            ("15 moves", Length(15)),
            ("Length: 15\r\n", Length(15)),
            ("\u{1b}[32m15\u{1b}[0m\n", Length(15)),
            ("10%\r50%\r15\n", Length(15)),
            ("\u{feff}15\n", Length(15)),
            ("searching...\n{\"length\": 15}\n", Length(15)),
            ("log\n{\n\"length\": 15\n}\n", Length(15)),
            ("Solution:\nA right\n", steps(&["A right"])),
            ("move 3\n", steps(&["move 3"])),
            ("A 2 left 3\n", steps(&["A 2 left 3"])),
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
