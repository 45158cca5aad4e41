//! Which solvers were right, and which of those was fastest.

use antipode_reports::model::{RefereeRow, RefereeSolver, Ruling};

use super::Solver;

/// A line per solver, best first: solvers that were right on all of a number of boards, by time.
/// Then the others, by how often they were right, in the order in which they were named.
pub fn ranked(solvers: &[Solver], boards: usize, rows: &[RefereeRow]) -> Vec<RefereeSolver> {
    let of = |solver: &Solver| {
        let own = rows.iter().filter(|row| row.solver == solver.name);
        let own: Vec<&RefereeRow> = own.collect();
        let right = own.iter().filter(|row| row.ruling == Ruling::Right);
        let count = right.clone().count();
        let solver = RefereeSolver {
            solver: solver.name.clone(),
            command: solver.words.clone(),
            rank: (count == boards && count > 0).then_some(0),
            // The sum of nothing is -0.
            right_s: right.map(|row| row.wall_s).sum::<f64>() + 0.0,
            summary: summary(&own),
        };
        (count, solver)
    };
    let mut all: Vec<(usize, RefereeSolver)> = solvers.iter().map(of).collect();
    all.sort_by(|(a_right, a), (b_right, b)| match (a.rank, b.rank) {
        (Some(_), Some(_)) => a.right_s.total_cmp(&b.right_s),
        _ => b_right.cmp(a_right),
    });
    let mut ranks = 1..;
    let ranked = all.into_iter().map(|(_, solver)| RefereeSolver {
        rank: solver.rank.and_then(|_| ranks.next()),
        ..solver
    });
    ranked.collect()
}

const NAMED: usize = 3;

fn summary(rows: &[&RefereeRow]) -> String {
    let of = |ruling: Ruling| rows.iter().filter(move |row| row.ruling == ruling);
    let all = rows.len();
    let mut parts = Vec::new();
    for ruling in Ruling::ALL {
        let count = of(ruling).count();
        match ruling {
            _ if count == 0 => {}
            Ruling::Right => parts.push(format!("right on {count} of {all}")),
            Ruling::NotFinished | Ruling::Open => parts.push(format!("{ruling}: {count}")),
            Ruling::Wrong | Ruling::NoAnswer | Ruling::RefutesOurs => {
                let named = of(ruling).take(NAMED);
                let named = named.map(|row| format!("{} {}", row.instance, row.why));
                let named = named.collect::<Vec<_>>().join(", ");
                let more = match count.saturating_sub(NAMED) {
                    0 => String::new(),
                    more => format!(", and {more} more"),
                };
                parts.push(format!("{ruling} on {count} of {all}: {named}{more}"));
            }
        }
    }
    match parts.is_empty() {
        true => "played nothing".to_owned(),
        false => parts.join("; "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(solver: &str, instance: &str, ruling: Ruling, why: &str, wall_s: f64) -> RefereeRow {
        RefereeRow {
            solver: solver.to_owned(),
            instance: format!("rush-hour/{instance}"),
            board: String::new(),
            ruling,
            said: String::new(),
            shortest: String::new(),
            replayed: false,
            why: why.to_owned(),
            wall_s,
            peak_memory_bytes: None,
        }
    }

    #[test]
    fn only_who_is_right_everywhere_is_ranked() {
        let solvers = ["liar", "slow", "fast"].map(|name| name.parse::<Solver>().expect("name"));
        let wrong = "says 29, the shortest is 31";
        let rows = [
            row("liar", "card-1", Ruling::Right, "", 0.1),
            row("liar", "card-17", Ruling::Wrong, wrong, 0.1),
            row("liar", "card-18", Ruling::NotFinished, "", 9.0),
            row("slow", "card-1", Ruling::Right, "", 3.0),
            row("slow", "card-17", Ruling::Right, "", 3.0),
            row("fast", "card-1", Ruling::Right, "", 1.0),
            row("fast", "card-17", Ruling::Right, "", 2.0),
        ];
        let ranked = ranked(&solvers, 2, &rows);
        let order: Vec<(&str, Option<u32>)> = (ranked.iter())
            .map(|solver| (solver.solver.as_str(), solver.rank))
            .collect();
        assert_eq!(
            order,
            [("fast", Some(1)), ("slow", Some(2)), ("liar", None)]
        );
        assert_eq!(
            ranked[2].summary,
            "right on 1 of 3; wrong on 1 of 3: rush-hour/card-17 says 29, the shortest is 31; not finished: 1"
        );
    }
}
