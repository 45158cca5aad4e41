//! What a rewritten baseline says that the one before did not: for whoever has to agree to it.

use std::fmt::Display;

use antipode_reports::bench::{Baseline, BaselineRow};

/// A line for every row that is new, is gone or answers otherwise, for every counter that is
/// another, for every ratio outside its old interval, and for every term of the gate. Other times
/// are left out: they are another each time, and with them the machine and the executable.
#[must_use]
pub fn changes(old: &Baseline, new: &Baseline) -> Vec<String> {
    let mut lines = Vec::new();
    let mut term = |what: &str, old: &dyn Display, new: &dyn Display| {
        let (old, new) = (old.to_string(), new.to_string());
        if old != new {
            lines.push(format!("{what} {old} -> {new}"));
        }
    };
    term("suite", &old.suite, &new.suite);
    term("measure", &old.measure.name(), &new.measure.name());
    let row_or_none = |name: &str| match name {
        "" => "none".to_owned(),
        name => name.to_owned(),
    };
    term(
        "reference",
        &row_or_none(&old.reference),
        &row_or_none(&new.reference),
    );
    term("limit", &old.limit, &new.limit);
    term("counter-limit", &old.counter_limit, &new.counter_limit);
    for before in &old.row {
        match new.row.iter().find(|row| row.name == before.name) {
            Some(after) => lines.extend(of_row(before, after)),
            None => lines.push(format!("{}: row gone", before.name)),
        }
    }
    let is_new = |row: &&BaselineRow| !old.row.iter().any(|before| before.name == row.name);
    for row in new.row.iter().filter(is_new) {
        lines.push(format!("{}: row new, answer {}", row.name, row.answer));
    }
    lines
}

fn of_row(old: &BaselineRow, new: &BaselineRow) -> Vec<String> {
    let mut lines = Vec::new();
    if old.answer != new.answer {
        lines.push(format!(
            "{}: answer {} -> {}",
            old.name, old.answer, new.answer
        ));
    }
    if let (Some(before), Some(after), Some([low, high])) = (old.ratio, new.ratio, old.interval)
        && !(low..=high).contains(&after)
    {
        lines.push(format!(
            "{}: ratio {before:.3} -> {after:.3}, outside its old interval {low:.3} to {high:.3}: {}",
            old.name,
            if after > high { "slower" } else { "faster" }
        ));
    }
    let shown = |count: Option<u64>| count.map_or_else(|| "none".to_owned(), |n| n.to_string());
    for (what, before, after) in [
        ("states", old.states, new.states),
        ("moves", old.generated, new.generated),
        ("bytes read", old.read_bytes, new.read_bytes),
        ("bytes written", old.written_bytes, new.written_bytes),
    ] {
        if before != after {
            lines.push(format!(
                "{}: {what} {} -> {}",
                old.name,
                shown(before),
                shown(after)
            ));
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use antipode_reports::bench::{BASELINE_SCHEMA, Measure};

    fn row(name: &str) -> BaselineRow {
        BaselineRow {
            name: name.into(),
            answer: "7".into(),
            states: Some(10),
            generated: Some(20),
            read_bytes: None,
            written_bytes: Some(40),
            ratio: Some(1.5),
            interval: Some([1.4, 1.6]),
        }
    }

    fn baseline(row: Vec<BaselineRow>) -> Baseline {
        Baseline {
            schema: BASELINE_SCHEMA,
            suite: "s.toml".into(),
            suite_blake3: "00".into(),
            measure: Measure::Cpu,
            reference: String::new(),
            limit: 1.1,
            counter_limit: 1.0,
            processor: "one".into(),
            version: "1".into(),
            build: "aa".into(),
            reason: "first".into(),
            updated: "then".into(),
            row,
            history: Vec::new(),
        }
    }

    #[test]
    fn times_within_their_interval_and_machines_are_no_change() {
        let old = baseline(vec![row("a"), row("b")]);
        let mut new = old.clone();
        (new.row[0].ratio, new.row[1].interval) = (Some(1.55), None);
        (new.processor, new.build) = ("two".into(), "bb".into());
        (new.reason, new.updated) = ("second".into(), "now".into());
        assert!(changes(&old, &new).is_empty());
    }

    #[test]
    fn a_ratio_outside_its_old_interval_is_named() {
        let old = baseline(vec![row("a")]);
        let mut new = old.clone();
        new.row[0].ratio = Some(3.0);
        let told = "a: ratio 1.500 -> 3.000, outside its old interval 1.400 to 1.600: slower";
        assert_eq!(changes(&old, &new), [told]);
    }

    #[test]
    fn every_change_has_its_line() {
        let old = baseline(vec![row("a"), row("b"), row("gone")]);
        let mut new = baseline(vec![row("a"), row("b"), row("new")]);
        new.row[0].answer = "8".into();
        (new.row[0].states, new.row[0].generated) = (Some(11), Some(19));
        (new.row[1].read_bytes, new.row[1].written_bytes) = (Some(3), None);
        (new.limit, new.reference) = (1.2, "a".into());
        assert_eq!(
            changes(&old, &new),
            [
                "reference none -> a",
                "limit 1.1 -> 1.2",
                "a: answer 7 -> 8",
                "a: states 10 -> 11",
                "a: moves 20 -> 19",
                "b: bytes read none -> 3",
                "b: bytes written 40 -> none",
                "gone: row gone",
                "new: row new, answer 7",
            ]
        );
    }
}
