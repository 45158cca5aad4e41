//! What a row should answer, decided before the first sample counts.

/// A row as the decision sees it.
#[derive(Debug, Clone, Copy)]
pub struct Given<'a> {
    /// Name, for the reason.
    pub name: &'a str,
    /// Rows of one group answer the same question.
    pub group: &'a str,
    /// Whether it is another program, whose answer has a form of its own.
    pub foreign: bool,
    /// Whether it runs the rulebook itself (variant `reference`).
    pub reference: bool,
    /// The answer that the suite or the baseline gives.
    pub expect: Option<&'a str>,
    /// What the row answered first; nothing where it did not end well.
    pub answer: Option<&'a str>,
}

/// What each row should answer: what was given for it, else for its group; else what the
/// rows of its group agree on; else what the `reference` variant says; else nothing, with the
/// reason, and then no row of the group counts.
#[must_use]
pub fn expected(rows: &[Given<'_>]) -> Vec<Result<String, String>> {
    rows.iter()
        .map(|row| match row.expect {
            Some(expect) => Ok(expect.to_owned()),
            None => of_group(rows, row),
        })
        .collect()
}

fn of_group(rows: &[Given<'_>], of: &Given<'_>) -> Result<String, String> {
    // What another program is expected to print is in its own words.
    let is_member = |row: &&Given<'_>| {
        let is_alike = row.foreign == of.foreign && !(row.foreign && row.expect.is_some());
        row.group == of.group && is_alike
    };
    let members = || rows.iter().filter(is_member);
    if let Some(expect) = agreed(members().filter_map(|row| row.expect)) {
        return Ok(expect.to_owned());
    }
    let answered = members().filter_map(|row| row.answer);
    if let Some(answer) = agreed(answered) {
        return Ok(answer.to_owned());
    }
    let by_rules = members().filter(|row| row.reference);
    if let Some(answer) = agreed(by_rules.filter_map(|row| row.answer)) {
        return Ok(answer.to_owned());
    }
    let all: Vec<String> = members()
        .filter_map(|row| Some(format!("{} says {}", row.name, row.answer?)))
        .collect();
    Err(match all.as_slice() {
        [] => "no row of the group ended with an answer".to_owned(),
        _ => format!(
            "the group disagrees, and no reference decides: {}",
            all.join("; ")
        ),
    })
}

/// The one answer of all; nothing where there is none, or there are two.
fn agreed<'a>(mut answers: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let first = answers.next()?;
    answers.all(|answer| answer == first).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given<'a>(name: &'a str, answer: Option<&'a str>) -> Given<'a> {
        Given {
            name,
            group: "g",
            foreign: false,
            reference: name == "reference",
            expect: None,
            answer,
        }
    }

    #[test]
    fn agreement_reference_or_nothing() {
        let same = expected(&[
            given("a", Some("7")),
            given("b", Some("7")),
            given("c", None),
        ]);
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
        told.expect = Some("9");
        let all = expected(&[told, given("reference", Some("7"))]);
        assert_eq!(all, vec![Ok("9".into()); 2]);
        let mut other = given("b", Some("8"));
        other.group = "h";
        assert_eq!(expected(&[told, other])[1], Ok("8".into()));
        let mut foreign = given("c", Some("all of it"));
        (foreign.foreign, foreign.expect) = (true, Some("all of it"));
        foreign.answer = foreign.expect;
        let all = expected(&[foreign, given("a", Some("8"))]);
        assert_eq!(all, [Ok("all of it".into()), Ok("8".into())]);
        // Without an expected text, programs have to agree with each other.
        foreign.expect = None;
        let all = expected(&[foreign, foreign, given("a", Some("8"))]);
        assert_eq!(all[1], Ok("all of it".into()));
        foreign.answer = Some("none");
        let all = expected(&[
            foreign,
            Given {
                answer: Some("all"),
                ..foreign
            },
        ]);
        assert!(all[0].as_ref().unwrap_err().contains("disagrees"));
    }
}
