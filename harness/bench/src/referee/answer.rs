//! A solver's output, read in the forms that `README.md` in this folder describes.

use antipode_check::referee::SolverAnswer;
use antipode_reports::count;
use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny};

use crate::run::sample::plain;

/// Reads what was printed.
pub(super) fn read(printed: &str) -> Result<SolverAnswer, String> {
    let plain = plain(printed);
    let printed = plain.trim();
    if printed.is_empty() {
        return Err("printed nothing".to_owned());
    }
    let lines = printed.split(['\n', '\r']).map(str::trim);
    let lines: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
    let last = lines.last().copied().unwrap_or_default();
    // An object to the end, behind lines of a log perhaps.
    let starts = printed.match_indices('{').map(|(at, _)| at);
    let starts = starts.filter(|&at| at == 0 || printed[..at].ends_with(['\n', '\r']));
    let is_whole = |text: &&str| serde_json::from_str::<IgnoredAny>(text).is_ok();
    if let Some(text) = starts.map(|at| &printed[at..]).find(is_whole) {
        return json(text);
    }
    if last.starts_with('{') || printed.starts_with('{') {
        return Err("printed JSON that cannot be read".to_owned());
    }
    let said = last.to_ascii_lowercase();
    match (said.trim_end_matches('.'), told_length(&said)) {
        ("unsolvable" | "no solution", _) => Ok(SolverAnswer::Unsolvable),
        (_, Some(number)) => (number.parse().map(SolverAnswer::Length))
            .map_err(|_| "printed a length beyond all bounds".to_owned()),
        _ => {
            let steps = lines.into_iter().skip_while(|line| line.ends_with(':'));
            // `antipode solve` prints all moves in one line.
            let mut steps: Vec<&str> = steps.collect();
            if let [one] = steps[..] {
                steps = one.split(", ").collect();
            }
            let steps = steps.into_iter();
            Ok(SolverAnswer::Path(steps.map(str::to_owned).collect(), None))
        }
    }
}

/// Words next to the number in a line that gives a length.
const BESIDE: &str = "solved solution found shortest optimal in of is takes with a the";
/// Words, one of which marks the number as a length.
const UNITS: [&str; 4] = ["moves", "steps", "length", "depth"];

/// The number in a lower-case line that is a number, or gives only a length.
fn told_length(line: &str) -> Option<&str> {
    let apart = |c: char| c.is_whitespace() || matches!(c, ':' | '=' | '.' | ',');
    let words: Vec<&str> = line.split(apart).filter(|word| !word.is_empty()).collect();
    let is_number = |word: &&str| word.bytes().all(|byte| byte.is_ascii_digit());
    let (numbers, others): (Vec<&str>, Vec<&str>) = words.into_iter().partition(is_number);
    let [number] = numbers[..] else {
        return None;
    };
    let is_unit = |word: &&&str| UNITS.contains(word) || (number == "1" && **word == "move");
    let is_beside = |word: &&str| BESIDE.split(' ').any(|known| known == *word);
    let known = (others.iter()).all(|word| is_beside(word) || is_unit(&word));
    let one = line == number || others.iter().any(|word| is_unit(&word));
    (known && one).then_some(number)
}

/// The content of an object; its other members are ignored. A member given twice is refused.
#[derive(Deserialize)]
struct Object {
    #[serde(default, deserialize_with = "given")]
    length: Option<Option<u64>>,
    moves: Option<Vec<AnswerStep>>,
}

/// A step: a text, or an object with one.
#[derive(Deserialize)]
#[serde(untagged)]
enum AnswerStep {
    Text(String),
    State { state: String },
    Move { r#move: String },
}

/// A member that is there, even if it is null.
fn given<'de, D: Deserializer<'de>>(member: D) -> Result<Option<Option<u64>>, D::Error> {
    Option::deserialize(member).map(Some)
}

fn json(text: &str) -> Result<SolverAnswer, String> {
    let Object { length, moves } = serde_json::from_str(text)
        .map_err(|error| format!("printed JSON that holds no answer: {error}"))?;
    let step = |step| match step {
        AnswerStep::Text(text)
        | AnswerStep::State { state: text }
        | AnswerStep::Move { r#move: text } => text,
    };
    match (length, moves) {
        // The start may come first.
        (Some(Some(length)), Some(moves)) if (moves.len() as u64).wrapping_sub(length) > 1 => {
            Err(format!(
                "says length {length} and lists {}",
                count(moves.len(), "moves")
            ))
        }
        (Some(None), _) => Ok(SolverAnswer::Unsolvable),
        (said, Some(moves)) => {
            let steps = moves.into_iter().map(step).collect();
            Ok(SolverAnswer::Path(steps, said.flatten()))
        }
        (Some(Some(length)), None) => Ok(SolverAnswer::Length(length)),
        (None, None) => Err("printed JSON with neither \"length\" nor \"moves\"".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use SolverAnswer::{Length, Path, Unsolvable};

    #[test]
    fn forms() {
        let told =
            |steps: &[&str], said| Path(steps.iter().map(|&step| step.to_owned()).collect(), said);
        let steps = |steps: &[&str]| told(steps, None);
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
                told(&["ab"], Some(1)),
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
            "99999999999999999999999",
            r#"{"moves": 3}"#,
            r#"{"length": 2, "moves": ["up"]}"#,
            r#"{"moves": [3]}"#,
            r#"{"length": 3, "length": 4}"#,
            r#"{"moves": ["up"], "moves": ["down"]}"#,
            r#"{"moves": [{"state": "ab", "state": "cd"}]}"#,
        ] {
            assert!(read(printed).is_err(), "{printed}");
        }
    }
}
