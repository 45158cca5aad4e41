//! Comparisons and the result of the gate as Markdown, such as a pull request shows.

use antipode_bench::judge::gate::{Check, Judgement};
use antipode_reports::bench::{Comparison, ComparisonOutcome};
use antipode_reports::count;
use antipode_reports::report::tables::markdown_row;

/// The head of a table and its rows.
pub type SummaryTable = (Vec<String>, Vec<Vec<String>>);

/// Ratios with their verdicts: a line per row, a column for each folder except the first, and the
/// geometric means below. Without folders the only column is that of the ratio.
pub fn grid(found: &[Comparison], folders: &[String]) -> SummaryTable {
    let others = folders.get(1..).unwrap_or_default();
    let mut head = vec!["row".to_owned()];
    match others {
        [] => head.push("ratio".to_owned()),
        _ => head.extend(others.iter().cloned()),
    }
    let label = |one: &Comparison| match others {
        [] => format!("{} against {}", one.b, one.a),
        _ => {
            let place = format!(" in {}", folders[0]);
            let row = one.a.strip_suffix(&place).unwrap_or(&one.a);
            match one.measure.as_str() {
                "cpu_s" | "wall_s" => row.to_owned(),
                measure => format!("{row} ({measure})"),
            }
        }
    };
    let column = |one: &Comparison| {
        let is_there = |name: &String| one.b.ends_with(&format!(" in {name}"));
        others.iter().position(is_there).unwrap_or(0)
    };
    let mut rows: Vec<Vec<String>> = Vec::new();
    for one in found {
        let name = label(one);
        let at = rows.iter().position(|row| row[0] == name);
        let at = at.unwrap_or_else(|| {
            let mut row = vec![String::new(); head.len()];
            row[0] = name;
            rows.push(row);
            rows.len() - 1
        });
        rows[at][column(one) + 1] = cell(one);
    }
    let mut measures: Vec<&str> = found.iter().map(|one| one.measure.as_str()).collect();
    measures.sort_unstable();
    measures.dedup();
    for measure in measures {
        let mut row = vec![format!("geometric mean, {measure}")];
        for at in 1..head.len() {
            let mine = found.iter().filter(|one| one.measure == measure);
            let mine = mine.filter(|one| column(one) + 1 == at);
            let logs = mine.filter_map(|one| Some(one.ratio?.ln()));
            let logs: Vec<f64> = logs.collect();
            let mean = (logs.iter().sum::<f64>() / logs.len() as f64).exp();
            row.push(match logs.len() {
                0 | 1 => String::new(),
                rows => format!("{mean:.3} over {rows} rows"),
            });
        }
        if row[1..].iter().any(|cell| !cell.is_empty()) {
            rows.push(row);
        }
    }
    (head, rows)
}

fn cell(one: &Comparison) -> String {
    let ratio = one.ratio.map(|ratio| format!("{ratio:.3}"));
    let interval = one.low.zip(one.high);
    let interval = interval.map(|(low, high)| format!(" ({low:.3} to {high:.3})"));
    let parts = [ratio, interval].into_iter().flatten().collect::<String>();
    match parts.as_str() {
        "" => one.verdict.label().to_owned(),
        parts => format!("{parts}, {}", one.verdict.label()),
    }
}

/// A table of Markdown.
fn markdown((head, rows): &SummaryTable) -> String {
    let rule = format!("|{}\n", "---|".repeat(head.len()));
    let rows = rows.iter().map(|row| markdown_row(row));
    [markdown_row(head), rule].into_iter().chain(rows).collect()
}

/// Comparisons, with the decided ones first in the headline.
pub fn comparisons(found: &[Comparison], folders: &[String]) -> String {
    let of = |outcome| found.iter().filter(|one| one.verdict == outcome).count();
    let said = [
        ComparisonOutcome::Wrong,
        ComparisonOutcome::Slower,
        ComparisonOutcome::Faster,
    ]
    .map(|outcome| (outcome, of(outcome)))
    .into_iter()
    .filter(|(_, count)| *count > 0)
    .map(|(outcome, count)| format!("{count} {}", outcome.label()));
    let said: Vec<String> = said.collect();
    let said = match said.is_empty() {
        true => "no difference shown".to_owned(),
        false => said.join(", "),
    };
    let against = match folders {
        [first, ..] => format!(" against {first}"),
        [] => String::new(),
    };
    let rows = count(found.len(), "comparisons");
    let table = markdown(&grid(found, folders));
    format!("**{said}** of {rows}{against}\n\n{table}")
}

/// The gate's findings: a headline, the findings, and the times in a collapsed section.
pub fn gate(found: &Judgement) -> String {
    let failed = Check::ALL
        .into_iter()
        .filter(|(check, _)| found.fails(*check));
    let failed: Vec<&str> = failed.map(|(_, name)| name).collect();
    let headline = match failed.is_empty() {
        true => "**Gate: ok**".to_owned(),
        false => format!("**Gate: FAILED** ({})", failed.join(", ")),
    };
    let mut text = format!("{headline}\n\n");
    for one in &found.findings {
        let mark = if one.fails { "**" } else { "" };
        text += &format!("- {mark}{}{mark}: {}\n", one.row, one.text);
    }
    let times: Vec<Comparison> = found.times.iter().map(|time| time.one.clone()).collect();
    let table = markdown(&grid(&times, &[]));
    format!(
        "{text}\n<details><summary>Times over the baseline's ratios</summary>\n\n{table}\n</details>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compared(row: &str, place: &str, ratio: f64, verdict: ComparisonOutcome) -> Comparison {
        let names = ["before", place].map(|place| format!("{row} in {place}"));
        let [a, b] = names;
        Comparison {
            ratio: Some(ratio),
            verdict,
            ..Comparison::open(a, b, None, "cpu_s")
        }
    }

    #[test]
    fn several_folders_in_one_table_with_their_means() {
        let found = [
            compared("a|b", "now", 0.5, ComparisonOutcome::Faster),
            compared("c", "now", 2.0, ComparisonOutcome::Undecided),
            compared("a|b", "later", 4.0, ComparisonOutcome::Slower),
        ];
        let folders = ["before", "now", "later"].map(str::to_owned);
        assert_eq!(
            comparisons(&found, &folders),
            "**1 slower, 1 faster** of 3 comparisons against before\n\n\
             | row | now | later |\n|---|---|---|\n\
             | a\\|b | 0.500, faster | 4.000, slower |\n\
             | c | 2.000, undecided |  |\n\
             | geometric mean, cpu_s | 1.000 over 2 rows |  |\n"
        );
        let (head, rows) = grid(&found[..1], &[]);
        assert_eq!(head, ["row", "ratio"]);
        assert_eq!(
            rows,
            [["a|b in now against a|b in before", "0.500, faster"]]
        );
    }
}
