//! Figures as they are printed, and the verdict that follows from one.

use crate::case::Case;

impl Case {
    /// The verdict on a figure known exactly; `None` if the two cannot be compared.
    pub fn verdict(&self, found: &str) -> Option<&'static str> {
        let claimed = self.claimed.as_str();
        let order = || {
            if let (Some(found), Some(claimed)) = (whole(found), whole(claimed)) {
                return Some(found.cmp(&claimed));
            }
            // A figure with as many digits as any may have been rounded to the claim.
            let order = number(found)?.partial_cmp(&number(claimed)?)?;
            (order.is_ne() || digits_of(found)? < DIGITS).then_some(order)
        };
        let holds = match self.compare.as_str() {
            "report" => return Some("reported"),
            // A figure neither holds nor fails.
            "holds" => number(found)
                .is_none()
                .then_some(found == "true" || found == "holds")?,
            "equal" => match (whole(claimed), whole(found), number(claimed), number(found)) {
                (Some(a), Some(b), ..) => a == b,
                (_, _, Some(_), Some(_)) => order()?.is_eq(),
                (_, _, None, Some(_)) if self.kind == "derived" => return None,
                _ => claimed == found,
            },
            "about" => about(claimed, found, self.within)?,
            "magnitude" => {
                let power = |text| number(text).filter(|x| *x > 0.0).map(|x| x.log10().round());
                // The claimed figure is a power of ten itself.
                number(claimed).filter(|x| format!("{x:e}").starts_with("1e"))?;
                power(claimed)? == power(found)?
            }
            "at-most" => order()?.is_le(),
            "at-least" => order()?.is_ge(),
            _ => return None,
        };
        Some(truth(holds))
    }

    /// The verdict of there being no path up to a depth, if it decides.
    pub fn beyond(&self, depth: u32) -> Option<&'static str> {
        let (claimed, depth) = (whole(&self.claimed)?, u128::from(depth));
        match self.compare.as_str() {
            "equal" | "at-most" if claimed <= depth => Some("refuted"),
            "at-least" if claimed <= depth + 1 => Some("confirmed"),
            _ => None,
        }
    }
}

/// Whether a bound from above, or from below, allows a verdict: it excludes figures on its other side.
pub fn by_bound(above: bool, compare: &str, logical: &str) -> bool {
    match above {
        true => [("at-most", "confirmed"), ("at-least", "refuted")].contains(&(compare, logical)),
        false => [("at-least", "confirmed"), ("at-most", "refuted")].contains(&(compare, logical)),
    }
}

/// The verdict on a statement that is known to hold or not.
pub fn truth(holds: bool) -> &'static str {
    if holds { "confirmed" } else { "refuted" }
}

/// Whether two figures agree within a tolerance, or within the printed significant digits.
fn about(claimed: &str, found: &str, within: Option<f64>) -> Option<bool> {
    let (claim, figure) = (number(claimed)?, number(found)?);
    if let Some(within) = within {
        // A product of floats can fall short of the edge, which is included.
        let edge = within * claim.abs() * (1.0 + 1e-12);
        return (within <= 0.5).then_some((figure - claim).abs() <= edge);
    }
    // A figure that an author calls approximate is within 5 %, or rounds to the printed digits.
    if (figure - claim).abs() <= 0.05 * claim.abs() {
        return Some(true);
    }
    let places = digits_of(claimed)? - 1;
    if let (Some(claim), Some(figure)) = (whole(claimed), whole(found)) {
        return Some(nearest(claim, places + 1) == nearest(figure, places + 1));
    }
    Some(format!("{claim:.places$e}") == format!("{figure:.places$e}"))
}

/// A whole number rounded to some significant digits, half to even.
fn nearest(x: u128, digits: usize) -> u128 {
    let unit = 10_u128.pow(x.to_string().len().saturating_sub(digits) as u32);
    let (down, rest) = (x / unit, x % unit);
    let up = rest > unit - rest || (rest == unit - rest && down % 2 == 1);
    (down + u128::from(up)).saturating_mul(unit)
}

/// Most significant digits of figures with a fraction.
const DIGITS: usize = 12;

/// A number in plain decimal, to twelve significant digits.
pub fn decimal(value: f64) -> String {
    let rounded = format!("{value:.*e}", DIGITS - 1).parse::<f64>();
    rounded.unwrap_or(value).to_string()
}

/// Significant digits of a number as printed; zeros at the end of a whole number do not count.
fn digits_of(text: &str) -> Option<usize> {
    let printed = plain(text)?;
    let mantissa = printed.split(['e', 'E']).next()?;
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    let digits = digits.trim_start_matches('0');
    let zeros = if mantissa.contains('.') { "" } else { "0" };
    Some(digits.trim_end_matches(|c| zeros.contains(c)).len().max(1))
}

/// Digits without thousands separators; 10^N as 1eN.
fn plain(text: &str) -> Option<String> {
    let text = text.trim();
    if let Some(power) = text.strip_prefix("10^") {
        return Some(format!("1e{power}"));
    }
    let end = text.find(['.', 'e', 'E']).unwrap_or(text.len());
    let groups: Vec<&str> = text[..end].split([',', '_']).collect();
    let first = groups[0].trim_start_matches(['+', '-']);
    let three = |group: &&str| group.len() == 3 && group.bytes().all(|b| b.is_ascii_digit());
    let well = groups.len() == 1 || (1..=3).contains(&first.len()) && groups[1..].iter().all(three);
    well.then(|| groups.concat() + &text[end..])
}

/// A whole number, such as 1,200 or 1.2e3.
pub fn whole(text: &str) -> Option<u128> {
    let text = plain(text)?;
    let Some((digits, power)) = text.split_once(['e', 'E']) else {
        return text.parse().ok();
    };
    let point = digits.find('.').map_or(0, |at| digits.len() - at - 1);
    let zeros = power.parse::<u32>().ok()?.checked_sub(point as u32)?;
    let digits: u128 = digits.replacen('.', "", 1).parse().ok()?;
    digits.checked_mul(10_u128.checked_pow(zeros)?)
}

/// A finite number.
pub fn number(text: &str) -> Option<f64> {
    plain(text)?.parse().ok().filter(|x: &f64| x.is_finite())
}

/// The depth in the finding if there is no path so far: `more than DEPTH`.
pub fn more_than(found: &str) -> Option<u32> {
    found.strip_prefix("more than ")?.parse().ok()
}

/// The verdict of a claim from those of its cases.
pub fn together<'a>(all: bool, verdicts: &[&'a str]) -> &'a str {
    let some = |this: &str| verdicts.contains(&this);
    let only = |these: &str| {
        let mut known = verdicts.iter().filter(|verdict| **verdict != "not-reached");
        known.all(|verdict| these.split(' ').any(|this| this == *verdict))
    };
    let or_open = |verdict| match some("not-reached") {
        true => "not-reached",
        false => verdict,
    };
    let worst = "refuted refuted-by-sample not-reached ambiguous confirmed-by-sample reported";
    let mut worst = worst.split(' ');
    match verdicts {
        _ if all => worst.find(|verdict| some(verdict)).unwrap_or("confirmed"),
        [] => "not-reached",
        [first, ..] if verdicts.iter().all(|verdict| verdict == first) => first,
        _ if only("confirmed confirmed-by-sample") => or_open("confirmed-by-sample"),
        _ if only("refuted refuted-by-sample") => or_open("refuted-by-sample"),
        _ if only("reported") => "not-reached",
        _ => "ambiguous",
    }
}

/// Different texts in order, joined; many numbers are summed up.
pub fn joined<'a>(texts: impl Iterator<Item = &'a str>) -> String {
    let mut distinct: Vec<&str> = Vec::new();
    for text in texts.filter(|text| !text.is_empty()) {
        if !distinct.contains(&text) {
            distinct.push(text);
        }
    }
    let numbers: Option<Vec<u64>> = distinct.iter().map(|text| text.parse().ok()).collect();
    let numbers = numbers.filter(|_| distinct.len() > 8).unwrap_or_default();
    match numbers.iter().min().zip(numbers.iter().max()) {
        Some((least, most)) => format!("{least} to {most}"),
        None => distinct.join("; "),
    }
}

#[cfg(test)]
mod tests {
    use super::together;

    #[test]
    fn two_readings_that_differ_are_ambiguous() {
        for (verdicts, readings, instances) in [
            ("confirmed refuted not-reached", "ambiguous", "refuted"),
            ("confirmed reported", "ambiguous", "reported"),
            ("confirmed not-reached", "not-reached", "not-reached"),
            ("reported not-reached", "not-reached", "not-reached"),
            ("refuted refuted-by-sample", "refuted-by-sample", "refuted"),
        ] {
            let all: Vec<&str> = verdicts.split(' ').collect();
            let found = [false, true].map(|instances| together(instances, &all));
            assert_eq!(found, [readings, instances], "{verdicts}");
        }
    }
}
