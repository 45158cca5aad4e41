//! A solver's output, read in the forms that `README.md` in this folder describes.

use antipode_check::ask::KnownDistance;
use antipode_check::referee::{SolverAnswer, Step};
use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny};

use crate::run::sample::plain;

pub(super) fn read(printed: &str) -> Result<SolverAnswer, String> {
    let plain = plain(printed);
    let printed = plain.trim();
    if printed.is_empty() {
        return Err("printed nothing".to_owned());
    }
    let lines = printed.split(['\n', '\r']).map(str::trim);
    let lines: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
    let (last, above) = lines.split_last().unwrap_or((&"", &[]));
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
    let said = match told_length(&last.to_ascii_lowercase()) {
        _ if KnownDistance::is_unsolvable(last) => Some(None),
        // Beyond all bounds, it is at most a board.
        Some(number) => number.parse().ok().map(Some),
        None => None,
    };
    let is_log = said.is_some();
    let steps = if is_log { above } else { &lines };
    let steps = steps.iter().skip_while(|line| line.ends_with(':'));
    // `antipode solve` prints its moves in one line, or in as many as fit the terminal.
    let steps = steps.flat_map(|line| line.trim_end_matches(',').split(", "));
    let steps: Vec<Step> = steps.map(|step| (step.to_owned(), None)).collect();
    match is_log || !steps.is_empty() {
        true => Ok(SolverAnswer {
            said,
            steps,
            is_log,
            number: (is_log && last.parse::<u64>().is_ok()).then(|| (*last).to_owned()),
        }),
        false => Err("printed a heading, and nothing below it".to_owned()),
    }
}

/// Words next to the number in a line that gives a length.
const BESIDE: &str = "solved solution found shortest optimal in of is takes with a the";
/// Words, one of which marks the number as a length.
const UNITS: [&str; 4] = ["moves", "steps", "length", "depth"];
/// Words that do so behind the number: `move 3` may be the name of a move.
const BEHIND: [&str; 2] = ["move", "step"];

/// The number in a lower-case line that is a number, or gives only a length.
fn told_length(line: &str) -> Option<&str> {
    let apart = |c: char| c.is_whitespace() || matches!(c, ':' | '=' | '.' | ',');
    let words: Vec<&str> = line.split(apart).filter(|word| !word.is_empty()).collect();
    let is_number = |word: &&str| word.bytes().all(|byte| byte.is_ascii_digit());
    let number = words.iter().position(is_number)?;
    let is_unit = |(at, word): (usize, &&str)| {
        UNITS.contains(word) || at == number + 1 && BEHIND.contains(word)
    };
    let is_beside = |word: &&str| BESIDE.split(' ').any(|known| known == *word);
    let is_known = |(at, word)| at == number || is_beside(word) || is_unit((at, word));
    let known = words.iter().enumerate().all(is_known);
    let one = line == words[number] || words.iter().enumerate().any(is_unit);
    (known && one).then_some(words[number])
}

/// The content of an object; its other members are ignored. A member given twice is refused.
#[derive(Deserialize)]
struct Object {
    #[serde(default, deserialize_with = "given")]
    length: Option<Option<u64>>,
    moves: Option<Vec<AnswerStep>>,
}

/// A step: a text, or an object with one or both.
#[derive(Deserialize)]
#[serde(untagged)]
enum AnswerStep {
    Text(String),
    Both {
        r#move: Option<String>,
        state: Option<String>,
    },
}

/// A member that is there, even if it is null.
fn given<'de, D: Deserializer<'de>>(member: D) -> Result<Option<Option<u64>>, D::Error> {
    Option::deserialize(member).map(Some)
}

fn json(text: &str) -> Result<SolverAnswer, String> {
    let Object { length, moves } = serde_json::from_str(text)
        .map_err(|error| format!("printed JSON that holds no answer: {error}"))?;
    let step = |step| match step {
        AnswerStep::Text(text) => Ok((text, None)),
        AnswerStep::Both { r#move, state } => match (r#move, state) {
            (Some(name), state) => Ok((name, state)),
            (None, Some(state)) => Ok((state, None)),
            (None, None) => Err("printed a step with neither \"state\" nor \"move\""),
        },
    };
    if length.is_none() && moves.is_none() {
        return Err("printed JSON with neither \"length\" nor \"moves\"".to_owned());
    }
    Ok(SolverAnswer {
        said: length,
        is_log: moves.is_none(),
        steps: (moves.into_iter().flatten().map(step)).collect::<Result<_, _>>()?,
        number: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms() {
        let told = |said, steps: &[(&str, Option<&str>)], is_log| SolverAnswer {
            said,
            steps: (steps.iter())
                .map(|&(text, more)| (text.to_owned(), more.map(str::to_owned)))
                .collect(),
            is_log,
            number: None,
        };
        let log = |said, lines: &[&str]| {
            let lines: Vec<_> = lines.iter().map(|&line| (line, None)).collect();
            told(Some(said), &lines, true)
        };
        let length = |moves| log(Some(moves), &[]);
        let alone = |moves: u64, lines| SolverAnswer {
            number: Some(moves.to_string()),
            ..log(Some(moves), lines)
        };
        let steps = |steps: &[&str]| SolverAnswer {
            said: None,
            is_log: false,
            ..log(None, steps)
        };
        for (printed, answer) in [
            ("29\n", alone(29, &[])),
            (
                "searching…\n1000 nodes\n29",
                alone(29, &["searching…", "1000 nodes"]),
            ),
            ("length: 29", length(29)),
            ("length 29\n", length(29)),
            ("unsolvable\n", log(None, &[])),
            ("No solution found.\n", log(None, &[])),
            ("impossible", log(None, &[])),
            ("not solvable", log(None, &[])),
            ("up\nunsolvable", log(None, &["up"])),
            ("Solved in 15 moves\n", length(15)),
            ("15 moves", length(15)),
            ("3 move", length(3)),
            ("solved in 3 step", length(3)),
            ("Length: 15\r\n", length(15)),
            ("\u{1b}[32m15\u{1b}[0m\n", alone(15, &[])),
            ("10%\r50%\r15\n", alone(15, &["10%", "50%"])),
            ("\u{feff}15\n", alone(15, &[])),
            ("searching...\n{\"length\": 15}\n", length(15)),
            ("log\n{\n\"length\": 15\n}\n", length(15)),
            ("Solution:\nA right\n", steps(&["A right"])),
            ("Solution:\nA right\n1", alone(1, &["A right"])),
            (
                "99999999999999999999999",
                steps(&["99999999999999999999999"]),
            ),
            ("move 3\n", steps(&["move 3"])),
            ("A 2 left 3\n", steps(&["A 2 left 3"])),
            (
                "A right\n\nB down 2, A right",
                steps(&["A right", "B down 2", "A right"]),
            ),
            ("ab/c.\na./cb", steps(&["ab/c.", "a./cb"])),
            (r#"{"length": 3}"#, length(3)),
            (
                r#"{"length": null, "moves": []}"#,
                told(Some(None), &[], false),
            ),
            (r#"{"moves": ["up", "down"]}"#, steps(&["up", "down"])),
            (
                r#"{"length": 1, "moves": [{"move": "up", "state": "ab"}]}"#,
                told(Some(Some(1)), &[("up", Some("ab"))], false),
            ),
            (r#"{"moves": [{"state": "ab"}]}"#, steps(&["ab"])),
        ] {
            assert_eq!(read(printed), Ok(answer), "{printed}");
        }
        for printed in [
            "",
            "  \n",
            "Moves:\n",
            "Solution:\n3:",
            "0:",
            "{",
            "{}",
            r#"{"length": -1}"#,
            r#"{"moves": 3}"#,
            r#"{"moves": [3]}"#,
            r#"{"moves": [{}]}"#,
            r#"{"length": 3, "length": 4}"#,
            r#"{"moves": ["up"], "moves": ["down"]}"#,
            r#"{"moves": [{"state": "ab", "state": "cd"}]}"#,
        ] {
            assert!(read(printed).is_err(), "{printed}");
        }
    }
}
