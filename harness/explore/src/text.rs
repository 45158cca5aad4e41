//! A position as text.

use std::fmt::Write;

use antipode_reports::count;
use antipode_reports::model::{Position, Remaining, Unit};

/// A position, its moves and what is known about them, as lines.
#[must_use]
pub fn position_text(position: &Position) -> String {
    let mut text = position.instance.clone();
    for (key, value) in &position.settings {
        let _ = write!(text, " {key}={value}");
    }
    if let Some(part) = &position.part {
        let _ = write!(text, ", part {part}");
    }
    text.push('\n');
    for row in position.board.split('/') {
        let _ = writeln!(text, "   {row}");
    }
    let _ = writeln!(text, "{}", sentence(position.remaining, position.unit));
    let name = |at: usize| match &position.moves[at].r#move {
        Some(name) => format!("{}. {name}", at + 1),
        None => format!("{}.", at + 1),
    };
    let longest = (0..position.moves.len()).map(|at| name(at).chars().count());
    let longest = longest.max().unwrap_or(0);
    for (at, made) in position.moves.iter().enumerate() {
        let mark = match (made.shortest, made.worst) {
            (true, _) => "  shortest",
            (_, true) => "  worst",
            _ => "",
        };
        let (name, after) = (name(at), figure(made.remaining));
        let line = format!("  {name:longest$}  {after:>5}  {}{mark}", made.board);
        let _ = writeln!(text, "{}", line.trim_end());
    }
    for line in &position.notes {
        let _ = writeln!(text, "{line}");
    }
    let _ = writeln!(text, "{}", position.basis);
    text
}

fn figure(remaining: Remaining) -> String {
    match (remaining.distance, remaining.at_least) {
        (Some(moves), _) => moves.to_string(),
        (_, Some(moves)) => format!("≥{moves}"),
        _ if remaining.unsolvable => "never".into(),
        _ => String::new(),
    }
}

fn sentence(remaining: Remaining, unit: Unit) -> String {
    let moves = |moves| count(moves, unit.name());
    match (remaining.distance, remaining.at_least) {
        (Some(0), _) => "solved".into(),
        (Some(distance), _) => format!("{} from solved", moves(distance)),
        (_, Some(least)) => format!("at least {} from solved; not finished", moves(least)),
        _ if remaining.unsolvable => "cannot be solved".into(),
        _ => "distance not known".into(),
    }
}
