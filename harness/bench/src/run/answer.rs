//! The expected answer of a row, decided before the first sample counts.

/// A row as the decision sees it.
#[derive(Debug, Clone)]
pub struct Given {
    /// Name, for the reason.
    pub name: String,
    /// Rows of one group answer the same question.
    pub group: String,
    /// Whether it is another program, whose answer has its own form.
    pub foreign: bool,
    /// Whether it runs the rulebook itself (variant `reference`).
    pub reference: bool,
    /// The answer given by the suite or the baseline.
    pub expect: Option<String>,
    /// The row's first answer; `None` if it did not end well.
    pub answer: Option<String>,
}

/// The expected answer of each row: the one given for it or for its group. Else the one on which
/// the rows of its group agree, or else the answer of the `reference` variant. Without any of
/// these, no row of the group counts, and the reason is kept.
pub fn expected(rows: &[Given]) -> Vec<Result<String, String>> {
    let one = |row: &Given| row.expect.clone().map_or_else(|| of_group(rows, row), Ok);
    rows.iter().map(one).collect()
}

fn of_group(rows: &[Given], of: &Given) -> Result<String, String> {
    // The expected output of another program is in its own words.
    let is_member = |row: &&Given| {
        let is_alike = row.foreign == of.foreign && !(row.foreign && row.expect.is_some());
        row.group == of.group && is_alike
    };
    let members = || rows.iter().filter(is_member);
    let by_rules = members().filter(|row| row.reference);
    let found = agreed(members().filter_map(|row| row.expect.as_ref()))
        .or_else(|| agreed(members().filter_map(|row| row.answer.as_ref())))
        .or_else(|| agreed(by_rules.filter_map(|row| row.answer.as_ref())));
    found.cloned().ok_or_else(|| {
        let said = members().filter_map(|row| Some((&row.name, row.answer.as_ref()?)));
        let said: Vec<String> = said
            .map(|(row, said)| format!("{row} says {said}"))
            .collect();
        match said.as_slice() {
            [] => "no row of the group ended with an answer".to_owned(),
            _ => format!(
                "the group disagrees, and no reference decides: {}",
                said.join("; ")
            ),
        }
    })
}

/// The common answer of all; `None` if there is none, or there are two.
fn agreed<'a>(mut answers: impl Iterator<Item = &'a String>) -> Option<&'a String> {
    let first = answers.next()?;
    answers.all(|answer| answer == first).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(name: &str, answer: Option<&str>) -> Given {
        Given {
            name: name.to_owned(),
            group: "g".to_owned(),
            foreign: false,
            reference: name == "reference",
            expect: None,
            answer: answer.map(str::to_owned),
        }
    }

    #[test]
    fn agreement_reference_or_nothing() {
        let same = [("a", Some("7")), ("b", Some("7")), ("c", None)];
        let same = expected(&same.map(|(name, answer)| given(name, answer)));
        assert_eq!(same, vec![Ok("7".into()); 3]);
        let by_rules = expected(&[given("a", Some("8")), given("reference", Some("7"))]);
        assert_eq!(by_rules, vec![Ok("7".into()); 2]);
        let open = expected(&[given("a", Some("8")), given("b", Some("7"))]);
        assert!(open[0].as_ref().unwrap_err().contains("a says 8; b says 7"));
        assert!(open[1].is_err());
        assert!(expected(&[given("a", None)])[0].is_err());
    }

    #[test]
    fn what_is_given_comes_first() {
        let mut told = given("a", Some("8"));
        told.expect = Some("9".into());
        let all = expected(&[told.clone(), given("reference", Some("7"))]);
        assert_eq!(all, vec![Ok("9".into()); 2]);
        let mut other = given("b", Some("8"));
        other.group = "h".into();
        assert_eq!(expected(&[told, other])[1], Ok("8".into()));
        let mut foreign = given("c", Some("all of it"));
        (foreign.foreign, foreign.expect) = (true, foreign.answer.clone());
        let all = expected(&[foreign.clone(), given("a", Some("8"))]);
        assert_eq!(all, [Ok("all of it".into()), Ok("8".into())]);
        // Without an expected text, programs have to agree with each other.
        foreign.expect = None;
        let same = foreign.clone();
        let all = expected(&[foreign.clone(), same.clone(), given("a", Some("8"))]);
        assert_eq!(all[1], Ok("all of it".into()));
        foreign.answer = Some("none".into());
        let all = expected(&[foreign, same]);
        assert!(all[0].as_ref().unwrap_err().contains("disagrees"));
    }
}
