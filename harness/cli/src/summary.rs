//! Comparisons and the result of the gate as Markdown, such as a pull request shows.

use std::collections::BTreeMap;

use antipode_bench::judge::gate::{Check, Judgement};
use antipode_reports::bench::{Comparison, ComparisonOutcome};
use antipode_reports::count;
use antipode_reports::report::tables;

use super::output;

/// Geometric means of several ratios, a line for each folder and measure.
pub fn means(found: &[Comparison], folders: &[String]) -> Vec<String> {
    let mut all: BTreeMap<(&str, &str), Vec<f64>> = BTreeMap::new();
    for one in found {
        let of = |name: &&String| one.b.ends_with(&format!(" in {name}"));
        let folder = folders.iter().find(of).map_or("", String::as_str);
        let logs = all.entry((folder, &one.measure)).or_default();
        logs.extend(one.ratio.map(f64::ln));
    }
    let several = all.into_iter().filter(|(_, logs)| logs.len() > 1);
    let line = |((folder, measure), logs): ((&str, &str), Vec<f64>)| {
        let mean = (logs.iter().sum::<f64>() / logs.len() as f64).exp();
        let what = format!("geometric mean, {measure} {folder}");
        format!("{}: {mean:.3} over {} rows", what.trim_end(), logs.len())
    };
    several.map(line).collect()
}

fn table(found: &[Comparison]) -> String {
    tables::comparison(&output::found(&[], found.to_vec())).markdown()
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
    let means = means(found, folders).join("\n\n");
    format!(
        "**{said}** of {rows}{against}\n\n{}\n{means}\n",
        table(found)
    )
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
    format!(
        "{text}\n<details><summary>Times over the baseline's ratios</summary>\n\n{}\n</details>\n",
        table(&times)
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
    fn a_table_with_the_means_of_each_folder() {
        let found = [
            compared("a|b", "now", 0.5, ComparisonOutcome::Faster),
            compared("c", "now", 2.0, ComparisonOutcome::Undecided),
            compared("a|b", "later", 4.0, ComparisonOutcome::Slower),
        ];
        let folders = ["before", "now", "later"].map(str::to_owned);
        let text = comparisons(&found, &folders);
        let head = "**1 slower, 1 faster** of 3 comparisons against before\n\n| judged | against |";
        assert!(text.starts_with(head), "{text}");
        assert!(
            text.contains("| a\\|b in now | a\\|b in before |"),
            "{text}"
        );
        assert_eq!(
            means(&found, &folders),
            ["geometric mean, cpu_s now: 1.000 over 2 rows"]
        );
    }
}
