//! A puzzle's proof that there is no path, step by step: for the terminal and for pages.
//!
//! The text of a proof has a reason on its first line. Boards follow, a line each (`quiet pattern:
//! .o./ooo`, with a comment after a comma), or a certificate of weights in JSON, or more reasons.

use serde::Deserialize;
use std::fmt::Write;

/// A step of a proof, after its reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProofStep {
    /// A sentence.
    Line(String),
    /// A board.
    Board {
        /// Its caption.
        caption: String,
        /// The board, rows joined by `/`.
        state: String,
    },
    /// A board with a whole number for each of its cells, in reading order.
    Weights {
        /// Their caption.
        caption: String,
        /// The board, rows joined by `/`.
        state: String,
        /// The numbers.
        weights: Vec<i64>,
    },
}

impl ProofStep {
    /// The steps in a text without its reason.
    pub fn all(text: &str) -> Vec<Self> {
        text.lines().flat_map(Self::of_line).collect()
    }

    fn of_line(line: &str) -> Vec<Self> {
        if let Ok(certificate) = serde_json::from_str::<Certificate>(line) {
            return certificate.steps();
        }
        let board = line
            .split_once(": ")
            .filter(|(_, board)| board.contains('/'));
        vec![match board {
            None => Self::Line(line.to_owned()),
            Some((name, board)) => {
                let (state, remark) = board.rsplit_once(", ").unwrap_or((board, ""));
                Self::Board {
                    caption: match remark {
                        "" => name.to_owned(),
                        remark => format!("{name} ({remark})"),
                    },
                    state: state.to_owned(),
                }
            }
        }]
    }
}

/// The steps of a whole proof as lines for a terminal: boards indented, weights in columns.
pub fn proof_text(proof: &str) -> String {
    let rest = proof.split_once('\n').map_or("", |(_, rest)| rest);
    let mut text = String::new();
    for step in ProofStep::all(rest) {
        match step {
            ProofStep::Line(line) => text += &format!("{line}\n"),
            ProofStep::Board { caption, state } => {
                let _ = writeln!(text, "{caption}:");
                for row in state.split('/') {
                    let _ = writeln!(text, "   {row}");
                }
            }
            ProofStep::Weights {
                caption,
                state,
                weights,
            } => text += &format!("{caption}\n{}", columns(&state, &weights)),
        }
    }
    text
}

/// Weights where their cells are, in columns.
fn columns(state: &str, weights: &[i64]) -> String {
    let wide = weights.iter().map(|weight| weight.to_string().len());
    let wide = wide.max().unwrap_or(1);
    let (mut weights, mut text) = (weights.iter(), String::new());
    for row in state.split('/') {
        let mut line = "  ".to_owned();
        for cell in row.chars() {
            let weight = match cell {
                ' ' => String::new(),
                _ => weights.next().map_or_else(String::new, i64::to_string),
            };
            let _ = write!(line, " {weight:>wide$}");
        }
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text
}

/// Weighs the cells of a board: no move changes the parity of the pieces' weight (`parity`), or
/// makes them weigh more (`pagoda`).
#[derive(Deserialize)]
struct Certificate {
    from: String,
    proofs: Vec<Weighing>,
}

#[derive(Deserialize)]
struct Weighing {
    rule: String,
    weights: Vec<i64>,
    to: Vec<String>,
}

impl Certificate {
    fn steps(self) -> Vec<ProofStep> {
        let steps = self.proofs.iter().map(|weighing| ProofStep::Weights {
            caption: self.caption(weighing),
            state: self.from.clone(),
            weights: weighing.weights.clone(),
        });
        steps.collect()
    }

    fn caption(&self, weighing: &Weighing) -> String {
        let ends = match weighing.to.len() {
            1 => "the finish".to_owned(),
            many => format!("each of {many} finishes"),
        };
        let weight = self.weight(&weighing.weights);
        match weighing.rule.as_str() {
            "parity" => {
                let (now, then) = if weight % 2 == 0 {
                    ("even", "odd")
                } else {
                    ("odd", "even")
                };
                format!(
                    "Every jump changes an even number of the holes marked 1. {weight} pegs stand on them, an {now} number; in {ends} it would be {then}."
                )
            }
            _ => format!(
                "No jump makes the pegs weigh more. They weigh {weight}, and {ends} weighs more than that."
            ),
        }
    }

    /// The total weight of the pieces; blanks are not cells.
    fn weight(&self, weights: &[i64]) -> i64 {
        let cells = self
            .from
            .chars()
            .filter(|symbol| !matches!(symbol, '/' | ' '));
        let pegs = cells.zip(weights).filter(|(symbol, _)| *symbol != '.');
        pegs.map(|(_, weight)| weight).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proof_is_drawn_on_a_terminal() {
        let pegs = r#"{"from": " o/o.o", "goal": "any", "proofs": [{"rule": "pagoda", "weights": [-1, 2, 10, 8], "to": [" ./o.."]}]}"#;
        let text = proof_text(&format!(
            "the reason\nquiet pattern: o.o/.o.\nfrom: 12/3., equal\nanother reason: none\n{pegs}"
        ));
        assert_eq!(
            text,
            "quiet pattern:\n   o.o\n   .o.\nfrom (equal):\n   12\n   3.\nanother reason: none\n\
             No jump makes the pegs weigh more. They weigh 9, and the finish weighs more than that.\n\
             \x20     -1\n    2 10  8\n"
        );
        assert_eq!(proof_text("a reason alone"), "");
    }
}
