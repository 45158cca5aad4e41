//! Holding a figure against the published one.

use std::cmp::Ordering;

use antipode_reports::model::Verdict;

use super::spec::{Case, Compare, Sense};

/// Digits without what sets their thousands apart (`,`, `_` or a space, each three
/// digits); `None` where a separator stands elsewhere, as in `1,5`.
fn plain(text: &str) -> Option<String> {
    let text = text.trim();
    let end = text.find(['.', 'e', 'E']).unwrap_or(text.len());
    let (whole, rest) = text.split_at(end);
    let mut groups = whole.split([',', '_', ' ']);
    let first = groups.next()?;
    let digits = |group: &str| group.bytes().all(|b| b.is_ascii_digit());
    let mut joined = first.to_owned();
    let unsigned = first.trim_start_matches(['+', '-']);
    for group in groups {
        if group.len() != 3 || !digits(group) || unsigned.is_empty() || unsigned.len() > 3 {
            return None;
        }
        joined.push_str(group);
    }
    Some(joined + rest)
}

/// A whole number, exactly, from text like `73,629,072,143` or `73_629_072_143`.
pub(super) fn whole(text: &str) -> Option<u128> {
    plain(text)?.parse().ok()
}

/// Any finite number.
pub(super) fn number(text: &str) -> Option<f64> {
    plain(text)?.parse().ok().filter(|x: &f64| x.is_finite())
}

/// Whether a text is meant as one number, well written or not; `4, 12, 56` is a list.
pub(super) fn looks_numeric(text: &str) -> bool {
    let numeric = |c: char| c.is_ascii_digit() || matches!(c, ',' | '_' | ' ' | '.' | '-' | '+');
    let list = text.contains(", ");
    !list && text.contains(|c: char| c.is_ascii_digit()) && text.chars().all(numeric)
}

/// Which of two numbers is the greater; whole ones beyond the precision of floats too.
fn order(found: &str, claimed: &str) -> Option<Ordering> {
    match (whole(found), whole(claimed)) {
        (Some(found), Some(claimed)) => Some(found.cmp(&claimed)),
        _ => number(found)?.partial_cmp(&number(claimed)?),
    }
}

/// Whether the figure found bears the claim out; `None` where the two cannot be compared.
fn bears_out(case: &Case, found: &str) -> Option<bool> {
    let claimed = case.claimed.as_str();
    match case.compare {
        Compare::Holds => Some(matches!(found, "true" | "holds")),
        Compare::Report | Compare::Ratio => None,
        Compare::Equal => Some(match (whole(claimed), whole(found)) {
            (Some(claimed), Some(found)) => claimed == found,
            _ => match (number(claimed), number(found)) {
                // The text holds all digits there are, so equality is meant exactly.
                (Some(claimed), Some(found)) => claimed.to_bits() == found.to_bits(),
                _ => claimed == found,
            },
        }),
        Compare::About => {
            let (claimed, found) = (number(claimed)?, number(found)?);
            Some((found - claimed).abs() <= case.within * claimed.abs())
        }
        Compare::AtMost => order(found, claimed).map(Ordering::is_le),
        Compare::AtLeast => order(found, claimed).map(Ordering::is_ge),
    }
}

/// The verdict on a figure known exactly.
///
/// # Errors
/// A line that says why the two cannot be compared.
pub(super) fn verdict(case: &Case, found: &str) -> Result<Verdict, String> {
    if case.compare == Compare::Report {
        return Ok(Verdict::Reported);
    }
    match bears_out(case, found) {
        Some(true) => Ok(Verdict::Confirmed),
        Some(false) => Ok(Verdict::Refuted),
        None => Err(format!(
            "'{found}' cannot be held against '{}' by this comparison",
            case.claimed
        )),
    }
}

/// The verdict on a ratio measured here with its interval: other hardware gets the
/// benefit of a factor of two.
pub(super) fn ratio_verdict(case: &Case, low: &str, high: &str) -> Option<Verdict> {
    let (claimed, low, high) = (number(&case.claimed)?, number(low)?, number(high)?);
    let below = high * 2.0 < claimed;
    let above = case.sense == Sense::About && low > claimed * 2.0;
    Some(if below || above {
        Verdict::Refuted
    } else {
        Verdict::ConfirmedBySample
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse_claims;

    fn case(compare: &str, claimed: &str) -> Case {
        let text = format!(
            "[[claim]]\nid = \"x\"\nsource = \"s\"\nsection = \"1\"\nstatement = \"t\"\nkind = \"derived\"\nderive = \"d\"\nexpect = \"confirmed\"\ncompare = \"{compare}\"\nclaimed = \"{claimed}\"\n"
        );
        let (_, mut claims) = parse_claims("f", &text).expect("a good file");
        claims.remove(0).cases.remove(0)
    }

    #[test]
    fn equal_is_exact_beyond_the_precision_of_floats() {
        let claimed = case("equal", "15,766,282,793,000,000,001");
        assert_eq!(
            verdict(&claimed, "15766282793000000001"),
            Ok(Verdict::Confirmed)
        );
        assert_eq!(
            verdict(&claimed, "15766282793000000002"),
            Ok(Verdict::Refuted)
        );
        assert_eq!(
            verdict(&case("equal", "left"), "left"),
            Ok(Verdict::Confirmed)
        );
    }

    #[test]
    fn thousands_are_set_apart_by_threes_only() {
        for (text, found) in [
            ("15,766,282,793", Some(15_766_282_793)),
            ("1 000", Some(1000)),
            ("12_345", Some(12_345)),
            ("1,5", None),
            ("1,50", None),
            ("1234,567", None),
            (",123", None),
            ("1,,234", None),
            ("", None),
        ] {
            assert_eq!(whole(text), found, "{text}");
        }
        assert_eq!(number("1,234.5"), Some(1234.5));
        assert_eq!(number("1.2e10"), Some(1.2e10));
        assert_eq!(number("-3"), Some(-3.0));
        assert_eq!(
            (number("inf"), number("nan"), number("1,5")),
            (None, None, None)
        );
    }

    #[test]
    fn about_is_ten_percent() {
        let claimed = case("about", "1e11");
        assert_eq!(verdict(&claimed, "98876446816"), Ok(Verdict::Confirmed));
        assert_eq!(verdict(&claimed, "111000000000"), Ok(Verdict::Refuted));
    }

    #[test]
    fn bounds_and_statements() {
        assert_eq!(
            verdict(&case("at-most", "227"), "227"),
            Ok(Verdict::Confirmed)
        );
        assert_eq!(verdict(&case("at-least", "3"), "2"), Ok(Verdict::Refuted));
        // As floats the two are equal.
        let beyond = case("at-most", "9,007,199,254,740,992");
        assert_eq!(verdict(&beyond, "9007199254740993"), Ok(Verdict::Refuted));
        assert_eq!(verdict(&case("holds", ""), "false"), Ok(Verdict::Refuted));
        assert_eq!(verdict(&case("report", ""), "7"), Ok(Verdict::Reported));
        assert!(verdict(&case("about", "7"), "many").is_err());
    }

    #[test]
    fn ratios_have_a_factor_of_two() {
        let claimed = case("ratio", "100");
        assert_eq!(
            ratio_verdict(&claimed, "60", "70"),
            Some(Verdict::ConfirmedBySample)
        );
        assert_eq!(ratio_verdict(&claimed, "30", "40"), Some(Verdict::Refuted));
        assert_eq!(
            ratio_verdict(&claimed, "230", "250"),
            Some(Verdict::Refuted)
        );
    }
}
