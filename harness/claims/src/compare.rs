//! Comparing a figure with the published one.

use std::cmp::Ordering;

use antipode_reports::model::Verdict;
use puzzle_api::FIGURE_DIGITS;

use super::spec::{Case, Compare};

/// Digits without their thousands separators (`,` or `_`, each three digits), and `10^N` as `1eN`;
/// `None` if a separator is elsewhere, as in `1,5`.
fn plain(text: &str) -> Option<String> {
    let text = text.trim();
    if let Some(power) = text.strip_prefix("10^") {
        return Some(format!("1e{power}"));
    }
    let end = text.find(['.', 'e', 'E']).unwrap_or(text.len());
    let (whole, rest) = text.split_at(end);
    let mut groups = whole.split([',', '_']);
    let first = groups.next()?;
    let digits = |group: &str| group.bytes().all(|b| b.is_ascii_digit());
    let mut joined = first.to_owned();
    let unsigned = first.trim_start_matches(['+', '-']);
    // Behind a 0 it is a decimal comma.
    let begins = (1..=3).contains(&unsigned.len()) && !unsigned.starts_with('0');
    for group in groups {
        if group.len() != 3 || !digits(group) || !begins {
            return None;
        }
        joined.push_str(group);
    }
    Some(joined + rest)
}

/// A whole number, exactly, from text like `73,629,072,143`, `73_629_072_143` or `1.2e10`.
pub(super) fn whole(text: &str) -> Option<u128> {
    let text = plain(text)?;
    let Some((number, power)) = text.split_once(['e', 'E']) else {
        return text.parse().ok();
    };
    let (whole, decimals) = number.split_once('.').unwrap_or((number, ""));
    let power: usize = power.parse().ok()?;
    let zeros = u32::try_from(power.checked_sub(decimals.len())?).ok()?;
    let digits: u128 = format!("{whole}{decimals}").parse().ok()?;
    digits.checked_mul(10_u128.checked_pow(zeros)?)
}

/// Any finite number.
pub(super) fn number(text: &str) -> Option<f64> {
    plain(text)?.parse().ok().filter(|x: &f64| x.is_finite())
}

/// Significant digits of a number as it was printed: `25,000` has two, `0.90` has two, `1e11` has
/// one.
fn significant(text: &str) -> Option<usize> {
    let text = plain(text)?;
    let mantissa = text.split(['e', 'E']).next().unwrap_or_default();
    let unsigned = mantissa.trim_start_matches(['+', '-']);
    let digits: String = unsigned.chars().filter(char::is_ascii_digit).collect();
    let from = digits.trim_start_matches('0');
    // Zeros at the end of a whole number only set its size; those after a point are significant.
    let counted = match unsigned.contains('.') {
        true => from,
        false => from.trim_end_matches('0'),
    };
    Some(counted.len().max(1))
}

/// Whether a number is printed with more digits than can be compared with a figure.
pub(super) fn too_long(text: &str) -> bool {
    let long = significant(text).is_some_and(|digits| digits > FIGURE_DIGITS);
    long && whole(text).is_none()
}

/// Whether a text is written as a number but cannot be a figure: `1e400`, `inf`.
pub(super) fn beyond(text: &str) -> bool {
    let parsed = plain(text).and_then(|text| text.parse::<f64>().ok());
    parsed.is_some_and(|x| !x.is_finite())
}

/// A number rounded to n significant digits.
fn rounded(x: f64, digits: usize) -> f64 {
    // Formatting rounds the exact decimal value, and no power of ten is taken that floats
    // cannot hold.
    let text = format!("{:.*e}", digits.saturating_sub(1), x);
    text.parse().unwrap_or(x)
}

/// The same for a whole number, exactly, however many digits it has.
fn rounded_whole(x: u128, digits: usize) -> u128 {
    let beyond = x.to_string().len().saturating_sub(digits) as u32;
    let unit = 10_u128.pow(beyond);
    let (quotient, rest) = (x / unit, x % unit);
    let up = rest > unit - rest || (rest == unit - rest && quotient % 2 == 1);
    (quotient + u128::from(up)).saturating_mul(unit)
}

/// Whether a number is a power of ten.
pub(super) fn is_power_of_ten(text: &str) -> bool {
    // The shortest digits of a float that tell it from all others.
    number(text).is_some_and(|x| format!("{x:e}").starts_with("1e"))
}

/// The nearest power of ten of a number, on a logarithmic scale.
fn magnitude(x: f64) -> Option<f64> {
    (x > 0.0).then(|| x.log10().round())
}

/// Whether a text is meant as one number, valid or not; `4, 12, 56` is a list.
pub(super) fn looks_numeric(text: &str) -> bool {
    let numeric = |c: char| c.is_ascii_digit() || matches!(c, ',' | '_' | ' ' | '.' | '-' | '+');
    let list = text.contains(", ");
    !list && text.contains(|c: char| c.is_ascii_digit()) && text.chars().all(numeric)
}

/// Which of two numbers is the greater, also for whole ones beyond the precision of floats. `None`
/// if the figure was rounded to the very number claimed.
fn order(found: &str, claimed: &str) -> Option<Ordering> {
    if let (Some(found), Some(claimed)) = (whole(found), whole(claimed)) {
        return Some(found.cmp(&claimed));
    }
    let order = number(found)?.partial_cmp(&number(claimed)?)?;
    // It has as many digits as any figure may have.
    let all_digits = significant(found).is_some_and(|digits| digits >= FIGURE_DIGITS);
    (order.is_ne() || whole(found).is_some() || !all_digits).then_some(order)
}

/// Whether the figure found supports the claim; `None` if the two cannot be compared.
fn bears_out(case: &Case, found: &str) -> Option<bool> {
    let claimed = case.claimed.as_str();
    match case.compare {
        // A figure neither holds nor fails: the claim leaves out the published figure.
        Compare::Holds => number(found)
            .is_none()
            .then_some(matches!(found, "true" | "holds")),
        Compare::Report => None,
        Compare::Equal => Some(match (whole(claimed), whole(found)) {
            (Some(claimed), Some(found)) => claimed == found,
            _ => match (number(claimed), number(found)) {
                (Some(_), Some(_)) => order(found, claimed)?.is_eq(),
                // `fifteen` is not refuted by 15; a search has its own words for what it finds.
                (None, Some(_)) if case.kind.name() == "derived" => return None,
                _ => claimed == found,
            },
        }),
        Compare::About => about(claimed, found, case.within),
        Compare::Magnitude => {
            let power = |text| number(text).and_then(magnitude);
            Some(power(claimed)? == power(found)?)
        }
        Compare::AtMost => order(found, claimed).map(Ordering::is_le),
        Compare::AtLeast => order(found, claimed).map(Ordering::is_ge),
    }
}

/// The tolerance of `about` beyond the printed digits, as a share: an author who writes "roughly"
/// rounds more coarsely than the digits say.
const ROUGHLY: f64 = 0.05;

/// A figure at the edge of a tolerance is within it, however floats round the product.
const EDGE: f64 = 1.0 + 1e-12;

/// Whether two figures are the same within the digits printed or 5 %, whichever is more, or within
/// a tolerance that the claim names.
fn about(claimed: &str, found: &str, within: Option<f64>) -> Option<bool> {
    let (claim, figure) = (number(claimed)?, number(found)?);
    let within_share = |share: f64| (figure - claim).abs() <= share * claim.abs();
    Some(match within {
        Some(share) => within_share(share * EDGE),
        None if within_share(ROUGHLY) => true,
        // Both go through the same rounding, so equality is meant exactly.
        None => {
            let digits = significant(claimed)?;
            if let (Some(claim), Some(figure)) = (whole(claimed), whole(found)) {
                return Some(rounded_whole(figure, digits) == rounded_whole(claim, digits));
            }
            rounded(figure, digits).to_bits() == rounded(claim, digits).to_bits()
        }
    })
}

/// The verdict on a figure known exactly.
///
/// # Errors
/// A line why the two cannot be compared.
pub(super) fn verdict(case: &Case, found: &str) -> Result<Verdict, String> {
    if case.compare == Compare::Report {
        return Ok(Verdict::Reported);
    }
    match bears_out(case, found) {
        Some(true) => Ok(Verdict::Confirmed),
        Some(false) => Ok(Verdict::Refuted),
        None if case.compare == Compare::Holds => Err(format!(
            "what is found is the figure {found}, and nothing that holds or fails; give 'claimed', and leave compare = \"holds\" out"
        )),
        None => Err(format!(
            "'{found}' cannot be compared with '{}' by this comparison",
            case.claimed
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::derived;

    fn case(compare: &str, claimed: &str) -> Case {
        let figure = match claimed {
            "" => String::new(),
            figure => format!("claimed = \"{figure}\"\n"),
        };
        derived(&format!("compare = \"{compare}\"\n{figure}"))
    }

    #[test]
    fn figures_are_compared_as_the_claim_says() {
        // Each line: a comparison, the figure claimed, and then the figures found that confirm it,
        // refute it, and cannot be compared with it.
        for line in "\
            equal 15,766,282,793,000,000,001|15766282793000000001|15766282793000000002|
            equal 1e16|10000000000000000|10000000000000001|
            equal left|left||
            equal fifteen|||15
            equal 15||none|
            equal 0.333333333333|||0.333333333333
            equal 0.5|0.5||
            about 1e11|98876446816|151000000000|
            about 25,000|24501 24191 23750 25499.9|23749|
            about 5|5.46|5.56|
            about 0.90|0.895 0.88|0.85|
            about 1e8|105385524||
            about 6.5|6.68||
            about 90||81 99|
            about 1.7|1.66||
            about -3|-3.4||
            about 2.0512464453461e21|2051246445346098000000||
            about 0.6234375|0.6234375||
            about 25||245|
            about 250|245||
            about 5.5616|5.56161349241||
            about 7|||many
            magnitude 1e16|31000000000000000 3200000000000000|3100000000000000 32000000000000000|0
            magnitude 10^3|3162|3163|
            at-most 227|227||
            at-most 0.333333333333|||0.333333333333
            at-most 0.5|0.5||
            at-most 0.33333333333||0.333333333333|
            at-most 9,007,199,254,740,992||9007199254740993|
            at-least 3||2|
            at-least 0.333333333333|||0.333333333333
            at-least 0.5|0.5||
            holds |true holds|false|834451800"
            .lines()
        {
            let [asked, holds, fails, neither] = line.trim().split('|').collect::<Vec<_>>()[..]
            else {
                panic!("{line}");
            };
            let (compare, claimed) = asked.split_once(' ').expect("a comparison");
            let case = case(compare, claimed);
            let all = [
                (holds, Some(Verdict::Confirmed)),
                (fails, Some(Verdict::Refuted)),
                (neither, None),
            ];
            for (found, is) in all {
                for found in found.split_whitespace() {
                    assert_eq!(verdict(&case, found).ok(), is, "{asked} and {found}");
                }
            }
        }
        assert_eq!(verdict(&case("report", ""), "7"), Ok(Verdict::Reported));
        let why = verdict(&case("holds", ""), "834451800").expect_err("a figure");
        assert!(why.contains("'claimed'"), "{why}");
        // The edge of a tolerance is within it: as floats, 0.29 * 100 is less than 29.
        let within = Case {
            within: Some(0.29),
            ..case("about", "100")
        };
        assert_eq!(verdict(&within, "129"), Ok(Verdict::Confirmed));
        assert_eq!(verdict(&within, "130"), Ok(Verdict::Refuted));
    }

    #[test]
    fn thousands_are_set_apart_by_threes_only() {
        for (text, found) in [
            ("15,766,282,793", Some(15_766_282_793)),
            ("1 000", None),
            ("12_345", Some(12_345)),
            ("1.2e10", Some(12_000_000_000)),
            ("10^16", Some(10_000_000_000_000_000)),
            ("1.25e1", None),
            ("1e39", None),
            ("10^x", None),
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
        assert_eq!(["inf", "nan", "1,5", "0,007"].map(number), [None; 4]);
    }

    #[test]
    fn digits_and_powers_are_read_as_printed() {
        for (text, digits) in [
            ("25,000", 2),
            ("24,191", 5),
            ("0.90", 2),
            ("0.009", 1),
            ("1e11", 1),
            ("1.13", 3),
            ("0", 1),
            ("100.0", 4),
        ] {
            assert_eq!(significant(text), Some(digits), "{text}");
        }
        let powers = ["1e16", "10^16", "1e23", "1e-2", "1000"];
        assert!(powers.into_iter().all(is_power_of_ten));
        assert!(
            !["3.1e3", "3000", "-10", "0", "ten"]
                .into_iter()
                .any(is_power_of_ten)
        );
        assert!(!too_long("340282366920938463463374607431768211455"));
        assert!(too_long("340282366920938463463374607431768211457"));
        assert!(too_long("0.12345678901234567"));
        assert!(["1e400", "10^400", "inf"].into_iter().all(beyond));
        assert!(!["-10^400", "1e300", "many", "0:0"].into_iter().any(beyond));
    }
}
